"""Saving the lasting effects of fights to sheets: at the end of a crisis, by `save`, or by --save in a one-off.

The end of a crisis, and undoing it, are each one step that is never half done. The journal holds the texts of the
sheets before and after (`Ending`) before the first of them is written. A run that is stopped on the way leaves an
ended journal in its place, and the next run finishes the end (`finish`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..engine.journal import Crisis, Ending
from ..engine.record import SheetChange
from ..engine.scene import Fighter, Scene
from ..engine.system import System
from ..engine.wording import with_a
from ..errors import BrokenSystem, CrisisError, FileError
from ..systems import load
from ..values import NamedTuple
from . import journal_file
from .check import Sheet, check_text, read_text
from .fighters import fighter, lasting, stated
from .files import REMEDIES, exists, locked, replace, require_allowed
from .journal_file import JournalFile
from .store import Store
from .things import without_things
from .toml_patch import amend, same

Warn = Callable[[str], None]
Writable = Callable[[str, str], bool]
"""Whether the sheet of a fighter may be written; warns where it may not."""


Lasting = Mapping[str, Any]
"""The lasting state of a fighter, as `fighters.lasting` gives it."""


class SavePlan(NamedTuple):
    """Planned changes of sheets; nothing is written yet."""

    changes: dict[str, SheetChange]
    """The sheets that change, by fighter."""
    states: dict[str, Lasting]
    """The lasting state of every fighter whose sheet can be written."""


class Finished(NamedTuple):
    """The result of finishing the end of a crisis."""

    written: list[str]
    """The fighters whose sheets were written."""
    archive: str | None
    """The path of the archived journal; None if another run has finished the end meanwhile."""


class Reopened(NamedTuple):
    """The result of undoing the end of a crisis."""

    journal: JournalFile
    restored: list[str]
    """The fighters whose sheets were restored."""


def plan_ending(store: Store, warn: Warn, journal: JournalFile, after: Scene, saves: bool, at: str) -> Ending:
    """The sheet changes that ending an open crisis will write; `after` is the scene then, `at` the time."""
    if not saves:
        return Ending(at)
    system = load(after.system)
    is_allowed = only_in_reach(store, warn, os.path.dirname(journal.path))
    return Ending(
        at,
        plan_changes(store, warn, system, after, states_before(system, journal.crisis), is_allowed).changes,
    )


def finish_end(
    store: Store, warn: Warn, journal: JournalFile, archive_to: Callable[[Crisis], str] | None = None
) -> Finished:
    """Finish the end of a crisis: write the sheets, then archive the journal, `archive_to` a folder and a name.

    Only sheets that still stand as they were before the end are written. FileError where one cannot be: then the
    journal stays in its place, and this can be called again.
    """
    with locked(journal.path, journal.display_path):
        if not exists(journal.path):
            return Finished([], None)
        journal = journal_file.read(journal.path, journal.display_path, journal)
        if not journal.crisis.scene.over:
            return Finished([], None)
        ending, written = journal.crisis.ending, list[str]()
        if ending is None:
            if journal.crisis.done[-1].intent.get("save", True):
                warn(
                    f"{journal.display_path} was ended by an older version of crisis; its sheets are left as they are"
                )
        elif not ending.finished:
            is_allowed = only_in_reach(store, warn, os.path.dirname(journal.path))
            try:
                written = write_changes(store, warn, ending.sheets, is_allowed)
                journal = journal.with_finished(os.path.basename(journal.path))
            except FileError as error:
                raise unfinished_error(journal.crisis, error, written) from error
        try:
            archive = journal.archive(archive_to(journal.crisis) if archive_to else None)
        except FileError as error:
            raise unfinished_error(journal.crisis, error, written) from error
        return Finished(written, archive)


def unfinished_error(crisis: Crisis, error: FileError, written: Sequence[str] = ()) -> FileError:
    """The error if a crisis has ended but a sheet could not be written, or its journal not be archived; it lists the
    sheets written so far."""
    if error.about.get("recorded"):
        return error
    sheets = error.about.get("written", [*written])
    so_far = "" if sheets else "; no sheet is written yet"
    if sheets and "written" not in error.about:
        so_far = f"; sheets written: {', '.join(written)}"
    return FileError(
        f"entry {len(crisis.done)} is recorded and ends the crisis, but {error.message}{so_far}",
        hint=f"{REMEDIES.get(error.code, 'see to that')}; the next command finishes the end (crisis status)",
        code=error.code,
        recorded=True,
        written=sheets,
    )


def reopen(
    store: Store,
    warn: Warn,
    archived: JournalFile,
    path: str,
    display_path: str,
    count: int,
    fresh: bool,
    undo_line: Callable[[], object] = lambda: None,
) -> Reopened:
    """Undo the end of an archived crisis, and so many entries in all: its journal is at `path` again. In a campaign
    `undo_line` takes its line out of the story, before the journal is moved.

    Its sheets are as they were before the end; one that was changed since is left as it is, with a warning. A run
    that is stopped on the way leaves the crisis ended, and `finish` makes that whole again.
    """
    if archived.crisis.ending is not None:
        require_writable(store, archived.crisis.ending.sheets)
    with locked(path, display_path):
        if os.path.lexists(path):
            raise FileError(f"{display_path} exists already", hint="look at it: crisis status", code="exists")
        # First: stopped in between, the fight is there and gets its line again.
        undo_line()
        archived.move_to(path)
        try:
            journal = archived._replace(path=path, display_path=display_path).with_finished("")
        except BaseException:
            archived._replace(path=path).move_to(archived.path)
            raise
        assert journal.crisis.ending is not None
        back = {
            name: change._replace(was=change.now, now=change.was, anew=False)
            for name, change in journal.crisis.ending.sheets.items()
        }
        try:
            restored = write_changes(store, warn, back, only_in_reach(store, warn, os.path.dirname(path)))
            return Reopened(journal.with_undo_locked(count, fresh), restored)
        except FileError as error:
            error.message = f"the end of the crisis is not undone: {error.message}"
            error.hint = (
                f"{REMEDIES.get(error.code, 'see to that')}; the next command finishes the end again, sheets and all "
                "(crisis status); then: crisis undo"
            )
            raise


def states_before(system: System, crisis: Crisis) -> dict[str, tuple[Lasting, ...]]:
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


def only_in_reach(store: Store, warn: Warn, beside: str) -> Writable:
    """A check that allows only own sheets in the folders searched or below the journal's folder."""

    def is_allowed(name: str, path: str) -> bool:
        if not only_own(store, warn)(name, path):
            return False
        if store.is_within_reach(path, beside):
            return True
        warn(
            f"the sheet of {name} is not written: {store.display_path(path)} is in none of the folders searched "
            "(to search another: --characters DIR)"
        )
        return False

    return is_allowed


def require_writable(store: Store, changes: Mapping[str, SheetChange]) -> None:
    """Raise FileError if a script may not write one of the sheets: before anything else is written."""
    for change in changes.values():
        path = store.path_of(change.file)
        require_allowed(path, store.display_path(path))


def only_own(store: Store, warn: Warn) -> Writable:
    """A check that allows all sheets except those shipped with a package, and links out of their folder; FileError
    where a script may not write."""

    def is_allowed(name: str, path: str) -> bool:
        if not store.is_writable(path):
            warn(
                f"{name} is a shipped sheet and is not written "
                f"(to make your own: crisis character copy {name})"
            )
            return False
        require_allowed(path, store.display_path(path))
        try:
            store.own_place(path)
        except FileError as error:
            there = os.path.dirname(os.path.realpath(path))
            warn(
                f"the sheet of {name} is not written: {error.message} (to write it there: --characters {there})"
            )
            return False
        return True

    return is_allowed


def plan_changes(
    store: Store,
    warn: Warn,
    system: System,
    scene: Scene,
    before: Mapping[str, Sequence[Lasting]],
    is_allowed: Writable,
) -> SavePlan:
    """Plan the changes that save the lasting state of a scene's fighters to their sheets."""
    plan = SavePlan({}, {})
    for one in scene.fighters.values():
        wanted, earlier = lasting(system, one), before.get(one.name, ())
        if not one.file or (wanted,) == earlier or not is_allowed(one.name, store.path_of(one.file)):
            continue
        _plan(store, warn, system, one, earlier, plan)
    return plan


def _plan(
    store: Store, warn: Warn, system: System, one: Fighter, earlier: Sequence[Lasting], plan: SavePlan
) -> None:
    """Add the sheet of a fighter to a plan; warns if it cannot be written."""
    path = store.path_of(one.file)
    display_path = store.display_path(path)
    try:
        sheet = store.read(path)
    except CrisisError as error:
        warn(f"{one.name} is not saved: {error.message}")
        return
    if sheet.values["system"] != system.name:
        warn(f"{one.name} is not saved: {display_path} is {with_a(sheet.values['system'])} sheet now")
        return
    plan.states[one.name] = wanted = lasting(system, one)
    if earlier:
        wanted = _keep_hand_edits(
            warn, display_path, wanted, earlier, lasting(system, fighter(system, sheet))
        )
    state = stated(system, sheet.raw, wanted)
    if state != sheet.raw:
        now, is_rewritten = patch_sheet(sheet, state, display_path)
        plan.changes[one.name] = SheetChange(
            one.file, sheet.mark + sheet.text, sheet.mark + now, is_rewritten
        )


def write_changes(
    store: Store,
    warn: Warn,
    changes: Mapping[str, SheetChange],
    is_allowed: Writable,
    has_things: bool = False,
) -> list[str]:
    """Write planned changes, except to sheets in which the values that change were changed since; gives the fighters
    whose sheets are up to date. Anything else that was edited since stays as it is.

    Nothing but [state] is written, and with `has_things` what is carried.
    """
    written: list[str] = []
    for name, change in changes.items():
        path = store.path_of(change.file)
        display_path = store.display_path(path)
        if not is_allowed(name, path):
            continue
        try:
            found = read_text(path, display_path)
            change = _for_text(change, path, found, display_path)
            is_fit = found == change.now or _is_fit(change, path, display_path, has_things)
        except CrisisError as error:
            warn(f"the sheet of {name} is not written: {error.message}")
            continue
        if found not in (change.was, change.now):
            warn(f"{display_path} was changed in the meantime, and is left as it is")
            continue
        if not is_fit:
            more = " and what is carried" if has_things else ""
            warn(f"{display_path} is left as it is: the journal would change more of it than [state]{more}")
            continue
        if found != change.now:
            try:
                _write(store, path, change, warn)
            except FileError as error:
                raise _with_written(error, written) from error
        written.append(name)
    return written


def _with_written(error: FileError, written: list[str]) -> FileError:
    """The error for a sheet that cannot be written after others were."""
    if not written:
        return error
    return FileError(
        f"{error.message}; sheets written so far: {', '.join(written)}",
        hint=f"{REMEDIES.get(error.code, 'see to that')}, and try again",
        code=error.code,
        written=written,
    )


def _for_text(change: SheetChange, path: str, found: str, display_path: str) -> SheetChange:
    """The change of the same values for a text that was edited elsewhere since; the change itself for any other."""
    if found in (change.was, change.now):
        return change
    sheet = check_text(path, found, display_path)
    was, now = (check_text(path, text, display_path).raw for text in (change.was, change.now))
    is_same = all(sheet.raw.get(key) == was.get(key) for key in ("name", "system"))
    wanted = _with_change(sheet.raw, was, now) if is_same else None
    if wanted is None:
        return change
    text, is_rewritten = patch_sheet(sheet, wanted, display_path)
    return SheetChange(change.file, found, sheet.mark + text, is_rewritten)


def _with_change(
    found: Mapping[str, Any], was: Mapping[str, Any], now: Mapping[str, Any]
) -> dict[str, Any] | None:
    """A table in which every value that differs between two others is as in the later one; None where one of these
    values is another in it."""
    wanted = dict(found)
    for key in {**was, **now}:
        here, before, after = found.get(key), was.get(key), now.get(key)
        if same(before, after):
            continue
        tables = [{} if part is None else part for part in (here, before, after)]
        if all(isinstance(part, Mapping) for part in tables):
            inner = _with_change(*tables)
            if inner is None:
                return None
            after = inner if inner or key in now else None
        elif not same(here, before) and not same(here, after):
            return None
        if after is None:
            wanted.pop(key, None)
        else:
            wanted[key] = after
    return wanted


def _is_fit(change: SheetChange, path: str, display_path: str, has_things: bool) -> bool:
    """Whether the old and the new text are both valid sheets that differ only in `[state]`, and with `has_things` in
    what is carried."""
    was, now = (check_text(path, text, display_path).raw for text in (change.was, change.now))
    if has_things:
        was, now = without_things(was, now), without_things(now, was)
    return same({**was, "state": {}}, {**now, "state": {}})


def _write(store: Store, path: str, change: SheetChange, warn: Warn) -> None:
    """Replace a sheet's text; if comments are lost, the old text is kept in a .bak file."""
    display_path, place = store.display_path(path), store.own_place(path)
    if change.anew:
        replace(path + ".bak", change.was, display_path + ".bak")
        warn(f"{display_path} is rewritten; its comments are in {display_path}.bak")
    replace(place, change.now, display_path)


def patch_sheet(sheet: Sheet, wanted: dict[str, Any], display_path: str) -> tuple[str, bool]:
    """The text of a sheet with the wanted values, and whether it had to be rewritten (comments are lost then).

    BrokenSystem where the rules gave a state with which the sheet could not be read.
    """
    patched = amend(sheet.text, wanted)
    is_rewritten = patched is None
    if patched is None:
        import tomli_w

        patched = tomli_w.dumps(wanted)
    try:
        assert same(check_text(sheet.path, patched, display_path).raw, wanted)
    except FileError as error:
        raise BrokenSystem(
            f"the rulebook {sheet.values['system']} gives a state with which {display_path} would not be a sheet "
            f"that can be read: {error.message}",
            hint="leave the sheets as they are: crisis end --no-save",
        ) from error
    return patched, is_rewritten


def write_sheet(store: Store, sheet: Sheet, wanted: dict[str, Any], warn: Warn) -> None:
    """Write a sheet with the wanted values, patched if possible; FileError for a link out of its allowed folder."""
    now, is_rewritten = patch_sheet(sheet, wanted, store.display_path(sheet.path))
    _write(
        store,
        sheet.path,
        SheetChange(sheet.path, sheet.mark + sheet.text, sheet.mark + now, is_rewritten),
        warn,
    )


def _keep_hand_edits(
    warn: Warn, display_path: str, wanted: Lasting, earlier: Sequence[Lasting], found: Lasting
) -> dict[str, Any]:
    """The state to write if the sheet was edited during the crisis: edited values are kept, with a warning."""
    kept = dict(wanted)
    for key, value in found.items():
        if all(value != one.get(key) for one in (wanted, *earlier)):
            kept[key] = value
            said = "full" if value is None else value
            warn(f"{display_path}: {key} was changed by hand to {said}, and stays so")
    return kept
