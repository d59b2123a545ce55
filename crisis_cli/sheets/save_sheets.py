"""Fights written into sheets: at the end of a crisis, by `save`, or after a one-off with `--save`.

The end of a crisis, and undoing it, are each one step that is never half done. The journal holds the texts of the
sheets before and after (`Ending`) before the first of them is written. A run that is stopped on the way leaves an
ended journal in its place, and the next run finishes the end (`finish`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..engine.journal import Crisis, Ending, SheetChange
from ..engine.scene import Fighter, Scene
from ..engine.system import System
from ..errors import CrisisError, FileTrouble
from ..systems import load
from . import journal_file
from .check import Sheet, measured, parsed, text_of
from .fighters import fighter, lasting, stated
from .files import locked, replace
from .journal_file import Journal
from .store import Store
from .toml_patch import amend, same

Warn = Callable[[str], None]
Writable = Callable[[str, Path], bool]
"""Whether the sheet of a fighter may be written; warns where it may not."""


Lasting = Mapping[str, Any]
"""What the sheet of a fighter should say, as `fighters.lasting` gives it."""


class Plan(NamedTuple):
    """What is to be written into sheets."""

    changes: dict[str, SheetChange]
    """By fighter, the sheets that change."""
    held: dict[str, Lasting]
    """What every sheet that can be written will say."""


class Finished(NamedTuple):
    """What came of finishing the end of a crisis."""

    written: list[str]
    """Whose sheets were written."""
    archive: Path | None
    """Where the journal is now; None where another run has finished the end meanwhile."""


class Reopened(NamedTuple):
    """What came of undoing the end of a crisis."""

    journal: Journal
    restored: list[str]
    """Whose sheets are again as they were before the end."""


def ending_of(store: Store, warn: Warn, journal: Journal, after: Scene, saves: bool, at: str) -> Ending:
    """What the end of an open crisis will write, given the scene after it and the time."""
    if not saves:
        return Ending(at)
    system = load(after.system)
    allowed = in_reach(store, warn, journal.path.parent)
    return Ending(at, planned(store, warn, system, after, known(system, journal.crisis), allowed).changes)


def finish(store: Store, warn: Warn, journal: Journal) -> Finished:
    """Do what is left to do of an ended crisis: sheets first, then the journal is archived.

    Only sheets that still stand as they were before the end are written. FileTrouble where one cannot be: then the
    journal stays in its place, and this can be called again.
    """
    with locked(journal.path, journal.shown):
        if not journal.path.exists():
            return Finished([], None)
        journal = journal_file.read(journal.path, journal.shown, journal)
        if not journal.crisis.scene.over:
            return Finished([], None)
        ending, written = journal.crisis.ending, []
        if ending is None:
            if journal.crisis.done[-1].intent.get("save", True):
                warn(
                    f"{journal.shown} was ended by an older version of crisis; its sheets are left as they are"
                )
        elif not ending.finished:
            allowed = in_reach(store, warn, journal.path.parent)
            try:
                written = carried_out(store, warn, ending.sheets, allowed)
                journal = journal.finished(journal.path.name)
            except FileTrouble as trouble:
                raise _unfinished(store, journal, ending, trouble) from trouble
        return Finished(written, journal.put_away())


def _unfinished(store: Store, journal: Journal, ending: Ending, trouble: FileTrouble) -> FileTrouble:
    """The refusal where a crisis has ended and something could not be written, with what has been written."""
    written = [
        name
        for name, change in ending.sheets.items()
        if (store.here / change.file).read_bytes() == change.now.encode("utf-8")
    ]
    so_far = f"sheets written so far: {', '.join(written)}" if written else "no sheet is written yet"
    return FileTrouble(
        f"entry {len(journal.crisis.done)} is recorded and ends the crisis, but {trouble.message}; {so_far}",
        hint="make room; the next command finishes the end (crisis status)",
        code=trouble.code,
        written=written,
    )


def reopen(
    store: Store, warn: Warn, archived: Journal, path: Path, shown: str, count: int, fresh: bool
) -> Reopened:
    """Undo the end of an archived crisis, and so many entries in all: its journal is at `path` again.

    Its sheets are as they were before the end; one that was changed since is left as it is, with a warning. A run
    that is stopped on the way leaves the crisis ended, and `finish` makes that whole again.
    """
    with locked(path, shown):
        if path.exists():
            raise FileTrouble(f"{shown} is there already", hint="look at it: crisis status", code="exists")
        archived.moved(path)
        try:
            journal = archived._replace(path=path, shown=shown).finished("")
        except BaseException:
            archived._replace(path=path).moved(archived.path)
            raise
        assert journal.crisis.ending is not None
        back = {
            name: change._replace(was=change.now, now=change.was, anew=False)
            for name, change in journal.crisis.ending.sheets.items()
        }
        restored = carried_out(store, warn, back, in_reach(store, warn, path.parent))
        return Reopened(journal.undone(count, fresh), restored)


def known(system: System, crisis: Crisis) -> dict[str, tuple[Lasting, ...]]:
    """What the sheets of all fighters say as far as the crisis knows: as they came into it, or were saved since.

    Where a save was cut short, a sheet says one thing or the other.
    """
    came = dict(crisis.start.fighters)
    for entry in crisis.done:
        for event in entry.events:
            if event.what == "fighter" and event.now is not None:
                from ..engine.events import fighter_of

                came[event.who] = fighter_of(event.now)
    said = {name: lasting(system, one) for name, one in came.items()} | dict(crisis.saved)
    return {
        name: (one, crisis.saving[name]) if name in crisis.saving else (one,) for name, one in said.items()
    }


def in_reach(store: Store, warn: Warn, beside: Path) -> Writable:
    """Allows the sheets that this run finds in its folders or below that of the journal, whatever a journal says."""

    def allowed(name: str, path: Path) -> bool:
        if not own_sheets(store, warn)(name, path):
            return False
        if store.reaches(path, beside):
            return True
        warn(
            f"{name} is not saved: {store.shown(path)} is in none of the folders searched "
            "(to search another: --characters DIR)"
        )
        return False

    return allowed


def own_sheets(store: Store, warn: Warn) -> Writable:
    """Allows all sheets but those shipped with the program."""

    def allowed(name: str, path: Path) -> bool:
        if not store.own(path):
            warn(
                f"{name} is a sheet shipped with crisis and is not written "
                f"(your own: crisis character copy {name})"
            )
            return False
        return True

    return allowed


def planned(
    store: Store,
    warn: Warn,
    system: System,
    scene: Scene,
    before: Mapping[str, Sequence[Lasting]],
    allowed: Writable,
) -> Plan:
    """What is to be written into the sheets of a scene so that they say what lasts; nothing is written yet."""
    plan = Plan({}, {})
    for one in scene.fighters.values():
        wanted, then = lasting(system, one), before.get(one.name, ())
        if not one.file or (wanted,) == then or not allowed(one.name, store.here / one.file):
            continue
        _plan(store, warn, system, one, then, plan)
    return plan


def _plan(
    store: Store, warn: Warn, system: System, one: Fighter, then: Sequence[Lasting], plan: Plan
) -> None:
    """Add the sheet of a fighter to a plan; warn where it cannot be written."""
    path = store.here / one.file
    shown = store.shown(path)
    try:
        sheet = store.read(str(path))
    except CrisisError as trouble:
        warn(f"{one.name} is not saved: {trouble.message}")
        return
    if sheet.values["system"] != system.name:
        warn(f"{one.name} is not saved: {shown} is a {sheet.values['system']} sheet now")
        return
    plan.held[one.name] = wanted = lasting(system, one)
    if then:
        wanted = _hand_kept(warn, shown, wanted, then, lasting(system, fighter(system, sheet)))
    state = stated(system, sheet.raw, wanted)
    if state != sheet.raw:
        now, anew = amended(sheet, state, shown)
        plan.changes[one.name] = SheetChange(one.file, sheet.mark + sheet.text, sheet.mark + now, anew)


def carried_out(store: Store, warn: Warn, changes: Mapping[str, SheetChange], allowed: Writable) -> list[str]:
    """Write sheets that still stand as they were planned from; whose sheets say now what they should."""
    written = []
    for name, change in changes.items():
        path = store.here / change.file
        shown = store.shown(path)
        if not allowed(name, path):
            continue
        try:
            found = text_of(path, shown)
            harmless = found == change.now or _only_state(change, path, shown)
        except CrisisError as trouble:
            warn(f"{name} is not saved: {trouble.message}")
            continue
        if found not in (change.was, change.now) or not harmless:
            warn(f"{name} is not saved: {shown} was changed meanwhile, and is left as it is")
            continue
        if found != change.now:
            _write(path, shown, change, warn)
        written.append(name)
    return written


def _only_state(change: SheetChange, path: Path, shown: str) -> bool:
    """Whether both texts are sheets, and differ in nothing but what fights change."""
    was, now = (
        {key: value for key, value in measured(path, text, shown).raw.items() if key != "state"}
        for text in (change.was, change.now)
    )
    return same(was, now)


def _write(path: Path, shown: str, change: SheetChange, warn: Warn) -> None:
    """Put the new text in a sheet's place; the old one is kept beside it where comments are lost."""
    if change.anew:
        replace(path.with_name(path.name + ".bak"), change.was, shown + ".bak")
        warn(f"{shown} is rewritten; its comments are in {shown}.bak")
    replace(path, change.now, shown)


def amended(sheet: Sheet, wanted: dict[str, Any], shown: str) -> tuple[str, bool]:
    """The text of a sheet that says what is wanted: only what changed is patched, or, where that cannot be, all."""
    patched = amend(sheet.text, wanted)
    anew = patched is None
    if patched is None:
        import tomli_w

        patched = tomli_w.dumps(wanted)
    assert same(parsed(patched, shown), wanted)
    return patched, anew


def rewritten(sheet: Sheet, wanted: dict[str, Any], shown: str, warn: Warn) -> None:
    """Write a sheet that says what is wanted."""
    now, anew = amended(sheet, wanted, shown)
    _write(
        sheet.path, shown, SheetChange(str(sheet.path), sheet.mark + sheet.text, sheet.mark + now, anew), warn
    )


def _hand_kept(
    warn: Warn, shown: str, wanted: Lasting, then: Sequence[Lasting], found: Lasting
) -> dict[str, Any]:
    """What to write where the sheet was edited during the crisis: the hand's value, and a word about it."""
    kept = dict(wanted)
    for key, value in found.items():
        if all(value != one.get(key) for one in (wanted, *then)):
            kept[key] = value
            said = "full" if value is None else value
            warn(f"{shown}: {key} was changed by hand to {said}, and stays so")
    return kept
