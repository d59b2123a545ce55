"""A journal checked: its seals, its dice against the seed, and every entry against the current rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from ..dice.distribution import OddsTable, compared
from ..dice.generator import Seeded
from ..dice.scripted import Recorded
from ..dice.table import Alternative, Decided, Table, Throw
from ..errors import CrisisError
from ..values import NamedTuple
from .core_actions import CHANGES
from .events import plain
from .facts import outputs, seal
from .journal import FORMAT, Fold, entry_record, parsed
from .perform import entry_dice, perform
from .record import Entry, RecordedChoice
from .rule_change import RuleChange
from .scene import Scene
from .shapes import unfit

if TYPE_CHECKING:
    from ..dice.table import Chooser
    from .system import System

NOTHING = object()
"""Stands for what is missing on one side of a comparison."""


SEALED = 2
"""The first format of the journal that has seals, and that says which faces were given."""


class Difference(NamedTuple):
    """One place where a journal is not what the program would have written."""

    line: int
    """The line of the journal, from 1; the header is the first."""
    number: int | None
    """The entry on that line; None for a header, an undo, a redo or a save."""
    what: str
    """What differs, with both values."""
    changed: RuleChange | None = None
    """The rule that has changed since the journal was written, where one explains the difference."""
    is_remark: bool = False
    """Whether the program may have written it: it is named, and nothing is wrong."""

    def to_dict(self) -> dict[str, Any]:
        """The difference as `crisis verify --json` prints it."""
        record = {"line": self.line, "number": self.number, "what": self.what}
        return record | ({"rule": self.changed.rule} if self.changed else {})


def again(system: System, scene: Scene, entry: Entry, odds_table: OddsTable | None = None) -> Entry:
    """The entry that the current rules make of the recorded intent, faces and choices; CrisisError if they cannot."""
    dice = Recorded((sides, face, roll.given) for roll in entry.rolls for sides, face in roll.faces)
    table = Table(dice, remembered(entry.choices, odds_table or OddsTable()))
    made = perform(system, scene, entry.intent, table, entry.number, entry.seed)
    dice.finish()
    return made


def remembered(choices: Iterable[RecordedChoice], odds_table: OddsTable) -> Chooser:
    """The chooser that takes what a record says was taken; where options were compared, they are compared again."""
    left = list(choices)

    def choose(who: str, options: tuple[Alternative, ...]) -> Alternative | Decided | None:
        # What is not in the record nobody was asked, or the rules did not ask it then.
        if not left or left[0].taken not in (option.name for option in options):
            return None
        choice = left.pop(0)
        weighed = [option for option in options if option.name in choice.harms]
        if weighed:
            return compared(weighed, odds_table)
        taken = next(option for option in options if option.name == choice.taken)
        return Decided(taken, asked=choice.asked, holds=choice.holds)

    return choose


def differences(system: System, lines: Iterable[str]) -> Iterator[Difference]:
    """Where the lines of a journal differ from what the program would have written; FileError where they are none.

    Entries that were undone are compared as well. A journal of an older format has no seals, does not say which
    faces were given, and may lack fields: none of that is a difference.
    """
    fold: Fold | None = None
    odds_table, uncounted = OddsTable(), list[int]()
    for number, text in enumerate(lines, start=1):
        record = parsed(text)
        if fold is None:
            fold = Fold.begun(record, lambda name: system)
            written = record["crisis"]
            yield from (Difference(number, None, what) for what in _unfit(system, fold.scene))
        else:
            scene, fresh = fold.scene, fold.fresh
            fold.add(record)
            if "entry" in record:
                entry = fold.done[-1]
                found, changed = _compared(system, scene, entry, record, written, odds_table)
                yield from (Difference(number, entry.number, what, changed) for what in found)
                if written >= SEALED:
                    seed = fold.head["seed"] if entry.seed is None else entry.seed
                    uncounted = [number for number in uncounted if number < entry.number]
                    for what in thrown(entry, seed, entry.number - 1 - len(uncounted), fresh):
                        yield Difference(number, entry.number, what)
                    uncounted += [entry.number] * (not entry.counts)
        if written >= SEALED or "seal" in record:
            yield from _sealed(number, record, written)


def _unfit(system: System, scene: Scene) -> Iterator[str]:
    """What the fighters of a header cannot have: bounds that are not those of their sheet, pools out of bounds."""
    for name, fighter in scene.fighters.items():
        limits = system.start(fighter.sheet).limits
        for pool, bounds in fighter.limits.items():
            if pool in limits and tuple(limits[pool]) != tuple(bounds):
                yield f"{name}, {pool}: goes from {bounds[0]} to {bounds[1]}, its sheet says {limits[pool]}"
        for pool, value in fighter.pools.items():
            if fighter.bounded(pool, value) != value:
                yield f"{name}, {pool}: is {value}, out of its bounds {fighter.limits[pool]}"


def _sealed(number: int, record: Mapping[str, Any], written: int) -> Iterator[Difference]:
    """The difference of a line that was edited after it was written, in a journal of the format `written`."""
    if record.get("seal") != seal(record, written):
        what = "was edited: its seal does not fit" if "seal" in record else "its seal is missing"
        yield Difference(number, record.get("entry"), what)


def thrown(entry: Entry, seed: int, before: int, fresh: int) -> Iterator[str]:
    """The faces that differ from those of the seed after so many entries, though no player gave them."""
    dice = Seeded(entry_dice(seed, before, fresh).random)
    for at, roll in enumerate(entry.rolls, start=1):
        if roll.given:
            continue
        throw = Throw(roll.what, roll.who)
        rolled = [dice.face(sides, throw) for sides, _ in roll.faces]
        recorded = [face for _, face in roll.faces]
        if rolled != recorded:
            yield f"roll {at} ({roll.what}), faces: was {recorded}, the seed gives {rolled}"


def _compared(
    system: System, scene: Scene, entry: Entry, record: Mapping[str, Any], written: int, odds_table: OddsTable
) -> tuple[list[str], RuleChange | None]:
    """What differs between an entry and what the current rules make of it, and the changed rule that explains it."""
    made = None
    actor = entry.intent.actor
    if actor and actor not in scene.fighters and entry.intent.action != "join":
        return [f"actor: no fighter here is called {actor}"], None
    try:
        made = again(system, scene, entry, odds_table)
        was = outputs(record)
        if system.history.renamed_parts:
            was |= {key: _renamed(was[key], system.history.renamed_parts) for key in ("outcome", "events")}
        found = list(_parted(was, outputs(plain(entry_record(made))), written < FORMAT))
    except CrisisError as error:
        found = [f"{entry.intent.action}: {error.message}"]
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        # A record may ask for anything; what the current rules cannot even read, they do not agree with.
        found = [f"{entry.intent.action}: the current rules cannot apply it ({unfit(error)})"]
    changes = (one for one in (*system.history.changes, *CHANGES) if written < one.since)
    return found, next((one for one in changes if found and one.explains(entry, made)), None)


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """A value of a record in which the parts of numbers, lists that begin with a name, have the names of today."""
    if isinstance(value, dict):
        return {key: _renamed(one, names) for key, one in value.items()}
    if not isinstance(value, list):
        return value
    if len(value) > 1 and isinstance(value[0], str) and isinstance(value[1], int):
        return [names.get(value[0], value[0]), *value[1:]]
    return [_renamed(one, names) for one in value]


def _parted(was: Mapping[str, Any], now: Mapping[str, Any], older: bool) -> Iterator[str]:
    """The parts of an entry in which two records differ; the intent is given, and the same in both."""
    yield from _differing("forced", was.get("forced", 0), now.get("forced", 0), older)
    yield from _modifiers(was.get("modifiers", []), now.get("modifiers", []), older)
    before, after = was.get("rolls", ()), now.get("rolls", ())
    for at, (one, other) in enumerate(zip_longest(before, after), start=1):
        yield from _differing(
            f"roll {at} ({(one or other)['what']})", one or NOTHING, other or NOTHING, older
        )
    yield from _differing("choices", list(was.get("choices", ())), list(now.get("choices", ())), older)
    if not older:
        yield from _differing("stake", was.get("stake"), now.get("stake"), older)
    yield from _differing("outcome", was["outcome"], now["outcome"], older)
    yield from _events(was["events"], now["events"], older)


def _modifiers(was: list[Any], now: list[Any], older: bool) -> Iterator[str]:
    """Modifiers that only one of two records has; older formats may leave some out, and their last fields."""
    left = list(now)
    for one in was:
        found = next((other for other in left if other == one or (older and other[: len(one)] == one)), None)
        if found is None:
            yield f"modifier {_signed(one)}: the current rules do not have it"
        else:
            left.remove(found)
    if not older:
        yield from (f"modifier {_signed(one)}: is not recorded" for one in left)
        if not left and len(was) == len(now) and was != now:
            yield "modifiers: were recorded in another order"


def _signed(one: list[Any]) -> str:
    return f"{one[1]:+d} to {one[0]}"


def _events(was: list[Any], now: list[Any], older: bool) -> Iterator[str]:
    """Events that differ, by fighter and property; a record may leave parts of changes out, but not change them. Older
    formats do not keep who has left in a round."""
    before, after = (
        {(who or "the crisis", what): [then, later, *rule] for who, what, then, later, *rule in events}
        for events in (was, now)
    )
    for key in dict.fromkeys((*before, *after)):
        one, other = before.get(key), after.get(key)
        if older and key == ("the crisis", "left") and one is None:
            continue
        if one and other:
            other = other[: len(one)]
        if one != other:
            shown = [f"{change[0]} → {change[1]}" if change else "nothing" for change in (one, other)]
            if one and other and shown[0] == shown[1]:
                shown = [str(change[2:]) for change in (one, other)]
            yield f"{', '.join(key)}: was {shown[0]}, is {shown[1]}"
    twice = [key for key, count in Counter((who, what) for who, what, *_ in was).items() if count > 1]
    yield from (f"{', '.join(filter(None, key))}: changes more than once" for key in twice)


def _differing(path: str, was: Any, now: Any, older: bool) -> Iterator[str]:
    """Where two values differ, down to the numbers; what an older format lacks is no difference."""
    if isinstance(was, dict) and isinstance(now, dict):
        for key in dict.fromkeys((*was, *now)):
            if key in was or not older:
                # What dice came to is said under the roll itself.
                deeper = path if key in ("about", "reckoning") else f"{path}, {key}"
                yield from _differing(deeper, was.get(key, NOTHING), now.get(key, NOTHING), older)
    elif older and _is_begun_by(was, now):
        yield from _differing(path, was, now[: len(was)], older)
    elif isinstance(was, list) and isinstance(now, list) and len(was) == len(now) and _nested(was):
        for at, (one, other) in enumerate(zip(was, now, strict=True), start=1):
            yield from _differing(f"{path} {at}", one, other, older)
    elif was != now or (type(was) is not type(now) and not _numbers(was, now)):
        yield f"{path}: was {_shown(was)}, is {_shown(now)}"


def _is_begun_by(was: Any, now: Any) -> bool:
    """Whether a list has values behind those of a shorter one that say nothing: fields that an older format lacks."""
    return (
        isinstance(was, list) and isinstance(now, list) and len(was) < len(now) and not any(now[len(was) :])
    )


def _nested(values: list[Any]) -> bool:
    return any(isinstance(value, (dict, list)) for value in values)


def _numbers(*values: Any) -> bool:
    """Whether these are whole or other numbers, which JSON may write either way."""
    return all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values)


def _shown(value: Any) -> str:
    return "nothing" if value is NOTHING else str(value)
