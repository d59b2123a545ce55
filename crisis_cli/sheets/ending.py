"""Fights written into sheets: at the end of a crisis, by `save`, or after a one-off with `--save`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import CrisisError
from ..play.journal import Crisis
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


Lasting = Mapping[str, Any]
"""What the sheet of a fighter should say, as `fighters.lasting` gives it."""


class Saved(NamedTuple):
    """What came of writing sheets."""

    written: list[str]
    """Whose sheets were changed."""
    held: dict[str, Lasting]
    """What was to be written into every sheet that could be."""


def finish(store: Store, warn: Warn, ledger: Ledger) -> list[str]:
    """Do what is left to do of an ended crisis: sheets first, then the journal is put away; who was saved."""
    last, written = ledger.crisis.done[-1], []
    if last.intent.get("save", True):
        system, scene = load(ledger.crisis.scene.system), ledger.crisis.scene
        written = save(store, warn, system, scene, known(system, ledger.crisis)).written
    ledger.put_away()
    return written


def known(system: System, crisis: Crisis) -> dict[str, Lasting]:
    """What the sheets of all fighters say as far as the crisis knows: as they came into it, or were saved since."""
    came = dict(crisis.start.fighters)
    for entry in crisis.done:
        for event in entry.events:
            if event.what == "fighter" and event.now is not None:
                from ..play.events import fighter_of

                came[event.who] = fighter_of(event.now)
    return {name: lasting(system, one) for name, one in came.items()} | dict(crisis.saved)


def save(store: Store, warn: Warn, system: System, scene: Scene, before: Mapping[str, Lasting]) -> Saved:
    """Write what lasts into the sheets; those shipped with the program stay as they are."""
    saved = Saved([], {})
    kept: list[str] = []
    for one in scene.fighters.values():
        wanted, then = lasting(system, one), before.get(one.name)
        if not one.file or wanted == then:
            continue
        if not store.own(Path(one.file)):
            kept.append(one.name)
            continue
        written = _written(store, warn, system, one, then)
        if written is not None:
            saved.held[one.name] = wanted
            saved.written.extend([one.name] if written else [])
    for name in kept:
        warn(
            f"{name} is a sheet shipped with crisis and is not written (your own: crisis character copy {name})"
        )
    return saved


def _written(store: Store, warn: Warn, system: System, one: Fighter, then: Lasting | None) -> bool | None:
    """Whether a sheet had to be changed; None where it could not be."""
    path, shown = Path(one.file), store.shown(Path(one.file))
    try:
        sheet = store.read(str(path))
    except CrisisError as trouble:
        warn(f"{one.name} is not saved: {trouble.message}")
        return None
    if sheet.values["system"] != system.NAME:
        warn(f"{one.name} is not saved: {shown} is a {sheet.values['system']} sheet now")
        return None
    wanted = lasting(system, one)
    if then is not None:
        wanted = _hand_kept(warn, shown, wanted, then, lasting(system, fighter(system, sheet)))
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


def _hand_kept(warn: Warn, shown: str, wanted: Lasting, then: Lasting, found: Lasting) -> dict[str, Any]:
    """What to write where the sheet was edited during the crisis: the hand's value, and a word about it."""
    kept = dict(wanted)
    for key, value in found.items():
        if value != then.get(key) and value != wanted.get(key):
            kept[key] = value
            said = "full" if value is None else value
            warn(f"{shown}: {key} was changed by hand to {said}, and stays so")
    return kept
