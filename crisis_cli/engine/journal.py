"""The journal of a crisis: entries to lines and back, and the fold that gives the scene; no files here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

from ..errors import BrokenSystem, CrisisError, FileError, Usage
from ..values import NamedTuple
from .changes import parts_of
from .events import apply_all, fighter_of, record_of, revert_all
from .facts import WHOLE, seal
from .record import Entry, SheetChange
from .scene import Fighter, Scene
from .shapes import anything, checked, flag, mapped, text, unfit, whole
from .strict import JournalReader, after, sheet_changes
from .strict import entry_of as entry_of

if TYPE_CHECKING:
    from .field import BattleMap
    from .system import System

FORMAT = 7
"""The number of the journal's format; journals of earlier formats are read as well."""


PROGRAM = "program"
"""The program rolls."""
DICE = (PROGRAM, "real", "mine")
"""Who rolls at the prompt: the program, the player for everyone, or the player for the player's side."""


class Ending(NamedTuple):
    """What the end of a crisis writes, recorded before any of it is written."""

    at: str
    """When the crisis was ended."""
    sheets: Mapping[str, SheetChange] = {}
    """By fighter, the sheets that change."""
    finished: str = ""
    """The name of the journal while the crisis was open, once every sheet is written; empty before."""


class Crisis(NamedTuple):
    """A crisis as read from its journal."""

    header: Mapping[str, Any]
    scene: Scene
    done: tuple[Entry, ...] = ()
    """The entries in force."""
    taken_back: tuple[Entry, ...] = ()
    """Entries that can be redone, the last undone last."""
    fresh: int = 0
    """How often an undo asked for new dice."""
    lines: int = 1
    saved: Mapping[str, Mapping[str, Any]] = {}
    """What was last written into the sheet of a fighter while the crisis was open; undoing does not unwrite it."""
    saving: Mapping[str, Mapping[str, Any]] = {}
    """What was about to be written into sheets when the program was stopped: it may stand there or not."""
    ending: Ending | None = None
    """What the end of the crisis writes; None while it is open, and where an older version ended it."""
    dice: str = PROGRAM
    """Whose dice the prompt uses: one of `DICE`."""
    unwritten: Mapping[str, SheetChange] = {}
    """By fighter, what a story is about to write into sheets: a run that was stopped may not have done so."""
    part: Scene | None = None
    """Of a part of a crisis, the scene before its first entry."""
    before: Scene | None = None
    """The scene before the last entry, where it is at hand."""
    counted: int = 0
    """How many entries in force count for the dice of the next one (`Entry.counts`)."""

    @property
    def is_story(self) -> bool:
        """Whether this is the story of a campaign, what happened between its fights, and no crisis."""
        return "story" in self.header

    @property
    def day(self) -> int:
        """The day of the campaign that a story has come to."""
        rests = (entry for entry in self.done if entry.intent.action == "downtime")
        return int(self.header.get("day", 1)) + sum(int(entry.intent.get("days", 0)) for entry in rests)

    @property
    def tension(self) -> int:
        """The tension that a story has come to: as it was set last, or as a twist of the oracle left it."""
        for entry in reversed(self.done):
            if entry.intent.action == "tension":
                return int(entry.intent.get("value"))
            if entry.outcome.get("tension"):
                return int(entry.outcome["tension"]["now"])
        return int(self.header.get("tension", 0))

    @property
    def seed(self) -> int:
        """The seed of all its dice."""
        seed: int = self.header["seed"]
        return seed

    @property
    def last_scene(self) -> Scene:
        """The scene that says who has won: of an ended crisis the one before its end, which lifts some conditions."""
        ended = self.done and self.done[-1].intent.action == "end"
        return revert_all(self.scene, self.done[-1].events) if ended else self.scene

    @property
    def start(self) -> Scene:
        """The scene before the first entry."""
        return opening(self.header) if self.part is None else self.part

    def after(self, entry: Entry) -> Crisis:
        """The crisis with one more entry; what could be redone no longer can."""
        return self._replace(
            scene=apply_all(self.scene, entry.events),
            before=self.scene,
            done=(*self.done, entry),
            counted=self.counted + entry.counts,
            taken_back=(),
            lines=self.lines + 1,
            unwritten=added_up(self.unwritten, entry.sheets),
        )._open_or_ended()

    def until(self, number: int) -> Crisis:
        """The crisis as it was after an entry in force, the last one if there are fewer."""
        if number >= len(self.done):
            return self
        done = self.done[:number]
        scene = reduce(apply_all, (entry.events for entry in done), self.start)
        return self._replace(
            scene=scene,
            before=None,
            done=done,
            counted=sum(entry.counts for entry in done),
            taken_back=(),
            ending=None,
        )

    def since(self, number: int) -> Crisis:
        """The part of the crisis from an entry in force on; with no entry at all if there are fewer."""
        if number <= 1:
            return self
        scene = self.start
        for entry in self.done[: number - 1]:
            scene = apply_all(scene, entry.events)
        done = self.done[number - 1 :]
        return self._replace(done=done, counted=sum(entry.counts for entry in done), part=scene)

    def undo(self, fresh: bool = False) -> Crisis:
        """The crisis without its last entry: the scene as it was, down to the order of conditions and marks."""
        entry = self.done[-1]
        return self._replace(
            scene=self.before or self.until(len(self.done) - 1).scene,
            before=None,
            done=self.done[:-1],
            counted=self.counted - entry.counts,
            taken_back=(*self.taken_back, entry),
            fresh=self.fresh + fresh,
            lines=self.lines + 1,
            ending=None,
            unwritten=added_up(self.unwritten, reverted(entry.sheets)),
        )

    def redo(self) -> Crisis:
        """The crisis with the entry last undone in force again."""
        entry = self.taken_back[-1]
        return self._replace(
            scene=apply_all(self.scene, entry.events),
            before=self.scene,
            done=(*self.done, entry),
            counted=self.counted + entry.counts,
            taken_back=self.taken_back[:-1],
            lines=self.lines + 1,
            unwritten=added_up(self.unwritten, entry.sheets),
        )._open_or_ended()

    @property
    def asks_for_dice(self) -> bool:
        """Whether the player rolls, for all fighters or for their own."""
        return self.dice != PROGRAM

    def _open_or_ended(self) -> Crisis:
        """The crisis without what was said of its end, unless it has ended."""
        return self if self.scene.over else self._replace(ending=None)


def added_up(
    unwritten: Mapping[str, SheetChange], more: Mapping[str, SheetChange]
) -> Mapping[str, SheetChange]:
    """What is to be written into sheets after more changes: of two of one sheet, from the first to the last text."""
    if not more:
        return unwritten
    both = {
        name: change._replace(was=unwritten[name].was) if name in unwritten else change
        for name, change in more.items()
    }
    return {**unwritten, **both}


def reverted(sheets: Mapping[str, SheetChange]) -> Mapping[str, SheetChange]:
    """The changes of sheets that take others back."""
    return {name: change.reverted() for name, change in sheets.items()}


def header(
    program: str,
    system: str,
    seed: int,
    opened: str,
    fighters: Iterable[Fighter],
    sides: Mapping[str, Any],
    package: str = "",
    field: BattleMap | None = None,
    encounter: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The first line of a journal: versions, seed, time, the full sheets, and the terrain.

    `package` is the installed package that the system comes from and its version; empty for those of crisis itself.
    `encounter` are the values of the encounter that is played, with all that may happen in it.
    """
    return {
        "crisis": FORMAT,
        "program": program,
        "system": system,
        **({"package": package} if package else {}),
        "seed": seed,
        "opened": opened,
        "sides": dict(sides),
        "fighters": [record_of(fighter) for fighter in fighters],
        **({"field": field.as_data()} if field is not None else {}),
        **({"encounter": encounter} if encounter else {}),
    }


def opening(head: Mapping[str, Any]) -> Scene:
    """The scene that a header describes: of an open crisis, or in a story of what is between them."""
    fighters = [fighter_of(record) for record in head["fighters"]]
    known = {one.name: one for one in fighters}
    scene = Scene(head["system"], known, open="story" not in head, sides=head.get("sides", {}))
    if "field" in head:
        from .field import from_data

        scene = scene._replace(field=from_data(head["field"]))
    if "encounter" in head:
        from .encounter import encounter_of

        scene = scene._replace(encounter=encounter_of(head["encounter"]["values"], head["encounter"]["file"]))
    return scene


def begun(head: Mapping[str, Any]) -> Crisis:
    """A crisis of which nothing but the header is written."""
    return Crisis(head, opening(head))


def line(record: Mapping[str, Any], form: int = FORMAT) -> str:
    """A record as a line of a journal of a format, its seal last."""
    import json

    sealed = {**record, "seal": seal(record, form)}
    return json.dumps(sealed, ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n"


def entry_record(entry: Entry) -> dict[str, Any]:
    """An entry as a record; the way back is `entry_of`."""
    record: dict[str, Any] = {"entry": entry.number, "intent": entry.intent._asdict()}
    if entry.seed is not None:
        record["seed"] = entry.seed
    if entry.forced:
        record["forced"] = entry.forced
    if entry.modifiers:
        record["modifiers"] = entry.modifiers
    if entry.rolls:
        record["rolls"] = [roll.record() for roll in entry.rolls]
    if entry.choices:
        record["choices"] = [choice.record() for choice in entry.choices]
    if entry.stake is not None:
        record["stake"] = entry.stake
    if entry.day:
        record["day"] = entry.day
    if entry.sheets:
        record["sheets"] = {name: change.record() for name, change in entry.sheets.items()}
    events = [(*event, parts) if (parts := parts_of(event)) else event for event in entry.events]
    return record | {"outcome": entry.outcome, "events": events}


def undo_record(number: int, fresh: bool) -> dict[str, Any]:
    """An undone entry as a record."""
    return {"undo": number, "fresh": True} if fresh else {"undo": number}


def redo_record(number: int) -> dict[str, Any]:
    """A redone entry as a record."""
    return {"redo": number}


def saving_record(wanted: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """What is about to be written into sheets as a record."""
    return {"saving": wanted}


def save_record(written: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """What was written into sheets as a record."""
    return {"saved": written}


def dice_record(dice: str) -> dict[str, Any]:
    """Whose dice are used from now on as a record."""
    return {"dice": dice}


def ending_record(ending: Ending) -> dict[str, Any]:
    """What the end of a crisis is about to write as a record."""
    sheets = {name: change.record() for name, change in ending.sheets.items()}
    return {"ends": ending.at, "sheets": sheets}


def written_record(number: int) -> dict[str, Any]:
    """That the sheets are written as a story says, after so many entries in force, as a record."""
    return {"written": number}


def finished_record(ending: Ending, name: str) -> dict[str, Any]:
    """An end that is finished, or with an empty name one that is about to be undone, as a record."""
    return {"finished": name, "ends": ending.at}


class ReadBack(NamedTuple):
    """What is about to be written to a journal, and what reading it gives."""

    text: str
    crisis: Crisis


def read_back(
    records: Sequence[Mapping[str, Any]], load: Callable[[str], System], known: Crisis | None = None
) -> ReadBack:
    """The lines of records that go on from a known crisis, or that begin with a header, and the crisis they come to.

    BrokenSystem where they cannot be written, or not be read again: none of them may be written then.
    """
    header = known.header if known else records[0]
    try:
        text = "".join(line(record, header["crisis"]) for record in records)
        return ReadBack(text, folded_lines(text.removesuffix("\n").split("\n"), load, known))
    except (FileError, TypeError, ValueError, RecursionError) as error:
        reason = error.message if isinstance(error, FileError) else unwritable(records) or unfit(error)
        raise BrokenSystem(
            f"the rulebook {header['system']} gives what a journal cannot hold: {reason}; nothing was recorded",
            hint="this is a mistake in the rulebook: report it to its author",
        ) from error


def unwritable(value: Any, *path: object) -> str:
    """Where in records the first value stands that JSON does not have, and what it is; empty where there is none."""
    if isinstance(value, Mapping):
        inner = ((key, part) for key, part in value.items())
    elif isinstance(value, (list, tuple)):
        inner = ((at, part) for at, part in enumerate(value, start=1))
    elif value is None or isinstance(value, (str, int)) or (isinstance(value, float) and value - value == 0):
        return ""
    else:
        return f"{' '.join(map(str, path[1:]))} is {value!r}"[:200]
    return next(filter(None, (unwritable(part, *path, key) for key, part in inner)), "")


def folded_lines(
    lines: Iterable[str], load: Callable[[str], System] | None = None, known: Crisis | None = None
) -> Crisis:
    """The crisis in the lines of a journal; FileError with the number of an invalid line, and how many
    before it are `whole`.

    `load` gives the system, by which sheets are measured and pools known; without it they are taken on trust.
    Where the lines go on from a crisis that has been read, it is `known`.
    """
    fold = Fold.resumed(known, load) if known else None
    for number, one in enumerate(lines, start=1 + (known.lines if known else 0)):
        try:
            record = parsed(one)
            if fold is None:
                fold = Fold.begun(record, load)
            else:
                fold.add(record)
        except BrokenSystem as broken:
            broken.hint = (
                "the journal is whole, and is read again when the rulebook is mended: crisis system check"
            )
            raise
        except CrisisError as error:
            failure = FileError(
                f"line {number}: {error.message}", hint=error.hint or way_on(number), code="bad_journal"
            )
            if not error.hint:
                failure.about["whole"] = number - 1
            raise failure from error
        except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError) as error:
            import json

            reason = "it is not JSON" if isinstance(error, json.JSONDecodeError) else unfit(error)
            raise FileError(
                f"line {number} is not a journal line ({reason})",
                hint=way_on(number),
                code="bad_journal",
                whole=number - 1,
            ) from error
    if fold is None:
        raise FileError("it is empty", hint=way_on(1), code="bad_journal", whole=0)
    return fold.crisis()


def way_on(number: int) -> str:
    """What can be done with a journal that is whole up to a line."""
    if number == 1:
        return "nothing of it can be read: move it away, and open another (crisis init … --open)"
    before = "the line before it is" if number == 2 else f"the {number - 1} lines before it are"
    return f"{before} whole: copied into a file of their own they go on (crisis --file FILE)"


def parsed(line_: str) -> Any:
    """The record on a line; FileError or ValueError for what we never write: NaN, infinity, half a character."""
    import json

    def never(word: str) -> float:
        raise FileError(f"{word[:40]} is no number", code="bad_journal")

    def finite(word: str) -> float:
        value = float(word)
        return value if value - value == 0 else never(word)

    record = json.loads(line_, parse_constant=never, parse_float=finite)
    if "\\ud" in line_ or "\\uD" in line_:
        json.dumps(record, ensure_ascii=False).encode("utf-8")
    return record


def _system(head: Mapping[str, Any], load: Callable[[str], System]) -> System:
    """The system that a header names; FileError with its package where it is not installed."""
    try:
        return load(head["system"])
    except Usage as unknown:
        package = head.get("package")
        known = package if isinstance(package, str) else ""
        name, _, version = known.partition(" ")
        raise FileError(
            f"its system {head['system'][:40]!r} is not installed"
            + (f" (it was played with {known})" if known else ""),
            hint=f"pip install {name}=={version}" if known else unknown.hint,
            code="bad_journal",
        ) from unknown


def with_numbers(record: Mapping[str, Any]) -> dict[str, Any]:
    """An entry of an older format whose parts of changes are numbers: true stood for 1 in some."""

    def numbered(event: list[Any]) -> list[Any]:
        parts = [[name, int(by) if type(by) is bool else by, *rest] for name, by, *rest in event[5]]
        return [*event[:5], parts]

    return {**record, "events": [numbered(event) if len(event) > 5 else event for event in record["events"]]}


class Fold:
    """The crisis as far as its lines have been read."""

    def __init__(self, crisis: Crisis, entry: Callable[[Any], Entry]):
        self.head = crisis.header
        self.entry = entry
        self.scene = crisis.scene
        self.done = list(crisis.done)
        self.taken_back = list(crisis.taken_back)
        self.fresh = crisis.fresh
        self.saved = dict(crisis.saved)
        self.saving = dict(crisis.saving)
        self.ending = crisis.ending
        self.dice = crisis.dice
        self.unwritten = crisis.unwritten
        self.lines = crisis.lines
        self.before = crisis.before
        self.counted = crisis.counted
        self.has_reverted = False

    @classmethod
    def begun(cls, record: Any, load: Callable[[str], System] | None) -> Fold:
        """The fold of a journal whose header is read; FileError where it is none."""
        written = record.get("crisis") if isinstance(record, dict) else None
        if type(written) is not int or not 1 <= written <= FORMAT:
            raise FileError(
                f"it is not a journal of format 1 to {FORMAT}",
                hint="" if written is None else "a newer version of crisis may have written it",
                code="bad_journal",
            )
        if not isinstance(record.get("system"), str):
            raise FileError("the header names no system", code="bad_journal")
        reader = JournalReader(_system(record, load)) if load else None
        head: Mapping[str, Any] = reader.header(record) if reader else record
        return cls(Crisis(head, after(opening(head), ())), reader.entry if reader else entry_of)

    @classmethod
    def resumed(cls, known: Crisis, load: Callable[[str], System] | None) -> Fold:
        """The fold of a journal that has been read as far as it went then."""
        return cls(known, JournalReader(load(known.scene.system)).entry if load else entry_of)

    def add(self, record: Any) -> None:
        """One more line."""
        self.lines += 1
        if isinstance(record, dict) and "undo" in record:
            shape = {"undo": whole, "fresh": flag, "day": whole, "seal": text}
            checked(record, shape, "the undo", {"fresh", "day", "seal"})
            entry = _expected(self.done, record["undo"], "undoes")
            if self.before is not None:
                self.scene, self.before = self.before, None
            else:
                self.scene, self.has_reverted = revert_all(self.scene, entry.events), True
            self.taken_back.append(self.done.pop())
            self.counted -= entry.counts
            self.fresh += record.get("fresh", False)
            self.ending = None
            self.unwritten = added_up(self.unwritten, reverted(entry.sheets))
            return
        if isinstance(record, dict) and "written" in record:
            shape = {"written": whole, "day": whole, "seal": text}
            checked(record, shape, "the sheets written", {"day", "seal"})
            self.unwritten = {}
            return
        if isinstance(record, dict) and "saving" in record:
            self.saving = self._sheets(record, "saving")
            return
        if isinstance(record, dict) and "saved" in record:
            self.saved |= self._sheets(record, "saved")
            self.saving = {}
            return
        if isinstance(record, dict) and "ends" in record:
            self._ends(record)
            return
        if isinstance(record, dict) and "dice" in record:
            checked(record, {"dice": DICE.__contains__, "seal": text}, "the change of dice", {"seal"})
            self.dice = record["dice"]
            return
        if isinstance(record, dict) and "redo" in record:
            shape = {"redo": whole, "day": whole, "seal": text}
            checked(record, shape, "the redo", {"day", "seal"})
            entry = _expected(self.taken_back, record["redo"], "redoes")
            self.taken_back.pop()
        else:
            entry = self.entry(record if self.head["crisis"] >= WHOLE else with_numbers(record))
            if entry.number != len(self.done) + 1:
                raise FileError(
                    f"it holds entry {entry.number} where {len(self.done) + 1} is next", code="bad_journal"
                )
            self.taken_back.clear()
        self.before = self.scene
        self.scene = after(self.scene, entry.events)
        self.done.append(entry)
        self.counted += entry.counts
        self.unwritten = added_up(self.unwritten, entry.sheets)
        if not self.scene.over:
            self.ending = None

    def _sheets(self, record: dict[str, Any], key: str) -> dict[str, Any]:
        """What a line about a save says of each sheet."""
        checked(record, {key: mapped(mapped(anything)), "seal": text}, "the save", {"seal"})
        sheets: dict[str, Any] = record[key]
        unknown = [name for name in sheets if name not in self.scene.fighters]
        if unknown:
            raise FileError(f"it saves {unknown[0][:40]!r}, who is not in the crisis", code="bad_journal")
        return sheets

    def _ends(self, record: dict[str, Any]) -> None:
        """A line about the end: what it is about to write, or that all is written."""
        if "finished" in record:
            checked(record, {"finished": text, "ends": text, "seal": text}, "the finished end", {"seal"})
            if self.ending is None or not self.scene.over:
                raise FileError("it finishes an end that never began", code="bad_journal")
            self.ending = self.ending._replace(finished=record["finished"])
            return
        checked(record, {"ends": text, "sheets": mapped(mapped(anything)), "seal": text}, "the end", {"seal"})
        if self.scene.over:
            raise FileError("it ends a crisis that has ended", code="bad_journal")
        self.ending = Ending(record["ends"], sheet_changes(record["sheets"]))

    def crisis(self) -> Crisis:
        """The crisis that has been read."""
        scene = self.scene
        if self.has_reverted:
            # What was taken off and put back stands last in a reverted scene, not where it was.
            scene = reduce(apply_all, (entry.events for entry in self.done), opening(self.head))
        return Crisis(
            self.head,
            scene,
            tuple(self.done),
            tuple(self.taken_back),
            self.fresh,
            self.lines,
            self.saved,
            self.saving,
            self.ending,
            self.dice,
            self.unwritten,
            before=self.before,
            counted=self.counted,
        )


def _expected(entries: list[Entry], number: int, does: str) -> Entry:
    """The last of the entries, which has to be the one named."""
    last = entries[-1].number if entries else "none"
    if number != last:
        raise FileError(f"it {does} entry {number}, but the last one is {last}", code="bad_journal")
    return entries[-1]
