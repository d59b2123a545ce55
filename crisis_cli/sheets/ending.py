"""Fights written into sheets: at the end of a crisis, by `save`, or after a one-off with `--save`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..errors import CrisisError
from ..play.scene import Fighter, Scene
from ..systems import load
from ..systems.system import System
from .amend import amend, same
from .check import Sheet, parsed
from .fighters import fighter, lasting, stated
from .files import replace
from .ledger import Ledger
from .store import Store

Warn = Callable[[str], None]


def finish(store: Store, warn: Warn, ledger: Ledger) -> list[str]:
    """Do what is left to do of an ended crisis: sheets first, then the journal is put away; who was saved."""
    last, written = ledger.crisis.done[-1], []
    if last.intent.get("save", True):
        written = save(store, warn, load(ledger.crisis.scene.system), ledger.crisis.scene, started(ledger))
    ledger.put_away()
    return written


def started(ledger: Ledger) -> dict[str, Fighter]:
    """Every fighter as it came into the crisis."""
    came = dict(ledger.crisis.start.fighters)
    for entry in ledger.crisis.done:
        for event in entry.events:
            if event.what == "fighter" and event.now is not None:
                from ..play.events import fighter_of

                came[event.who] = fighter_of(event.now)
    return came


def save(store: Store, warn: Warn, system: System, scene: Scene, before: dict[str, Fighter]) -> list[str]:
    """Write what lasts into the sheets, and give the names of those written; the shipped ones stay as they are."""
    written: list[str] = []
    kept: list[str] = []
    for one in scene.fighters.values():
        if not one.file or not _moved(system, one, before.get(one.name)):
            continue
        path = Path(one.file)
        if not store.own(path):
            kept.append(one.name)
        elif _written(store, warn, system, one, before.get(one.name)):
            written.append(one.name)
    for name in kept:
        warn(
            f"{name} is a sheet shipped with crisis and is not written (your own: crisis character copy {name})"
        )
    return written


def _moved(system: System, now: Fighter, then: Fighter | None) -> bool:
    return then is None or lasting(system, now) != lasting(system, then)


def _written(store: Store, warn: Warn, system: System, one: Fighter, then: Fighter | None) -> bool:
    path, shown = Path(one.file), store.shown(Path(one.file))
    try:
        sheet = store.read(str(path))
    except CrisisError as trouble:
        warn(f"{one.name} is not saved: {trouble.message}")
        return False
    if sheet.values["system"] != system.NAME:
        warn(f"{one.name} is not saved: {shown} is a {sheet.values['system']} sheet now")
        return False
    wanted = lasting(system, one)
    if then is not None:
        wanted = _hand_kept(
            warn, shown, wanted, lasting(system, then), lasting(system, fighter(system, sheet))
        )
    state = stated(sheet.raw, wanted)
    if state == sheet.raw:
        return False
    rewritten(sheet, state, shown, warn)
    return True


def rewritten(sheet: Sheet, wanted: dict[str, Any], shown: str, warn: Warn) -> None:
    """Write a sheet anew: only what changed is patched; where that cannot be, all of it, the old one kept."""
    patched = amend(sheet.text, wanted)
    if patched is None:
        import tomli_w

        replace(sheet.path.with_name(sheet.path.name + ".bak"), sheet.mark + sheet.text, shown + ".bak")
        patched = tomli_w.dumps(wanted)
        warn(f"{shown} is written anew; its comments are in {shown}.bak")
    assert same(parsed(patched, shown), wanted)
    replace(sheet.path, sheet.mark + patched, shown)


def _hand_kept(
    warn: Warn, shown: str, wanted: dict[str, Any], then: dict[str, Any], found: dict[str, Any]
) -> dict[str, Any]:
    """What to write where the sheet was edited during the crisis: the hand's value, and a word about it."""
    kept = dict(wanted)
    for key, value in found.items():
        if value != then.get(key) and value != wanted.get(key):
            kept[key] = value
            said = "full" if value is None else value
            warn(f"{shown}: {key} was changed by hand to {said}, and stays so")
    return kept
