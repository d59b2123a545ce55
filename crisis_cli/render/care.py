"""Care between fights in words: what is about to be done, and each round of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ..engine.care import healer_of
from ..engine.conditions import needing_care
from ..engine.events import Event, plain
from ..engine.life import is_life
from ..engine.record import Entry, RollRecord
from ..engine.scene import Fighter, Scene
from ..engine.system import System
from ..engine.wording import measured
from .charts import minus, whole_percent
from .dice_lines import rolled
from .effects import changes, labelled
from .messages import begun, listed
from .style import Ink

if TYPE_CHECKING:
    from ..engine.action_odds import Ways
    from ..engine.care import CareProspect

WIDTH, TIED = 80, "\N{NO-BREAK SPACE}"
NUMBERS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def prospect_lines(found: CareProspect) -> list[str]:
    """Who needs care and why, and what chance the healer has: of one treatment, and of the whole care."""
    from textwrap import wrap

    states = [f"{_state(one, found.system)}." for one in found.patients]
    by = "" if found.chance is None else f"{found.by}: {_percent(found.chance)} a try"
    by += f", {NUMBERS[found.tries_a_round]} a round" if by and found.tries_a_round else ""
    used = listed([f"1 of {left} {labelled(pool, found.system)}" for pool, left in found.supplies.items()])
    by += f"{', each' if by else f'{found.by}: each try'} with {used}" if used else ""
    dying = {one.name for one in found.patients if found.system.fallen(one) == "dying"}
    ends = [
        f"{name} {'lives' if name in dying else 'is helped'} in {_percent(ways)}"
        for name, ways in found.ends.items()
        if ways[0] < ways[1]
    ]
    said = " ".join((*states, f"{'; '.join(filter(None, (by, *ends)))}." if by or ends else ""))
    # A number stays with its sign.
    return [line.replace(TIED, " ") for line in wrap(said, WIDTH)]


def first_words(found: CareProspect) -> str:
    """Who needs care, and the chance of the healer, in a few words: `Vera is dying; Doc Moss: 75 % a try`."""
    names = [one.name for one in found.patients]
    state = _state(found.patients[0], found.system).partition(",")[0]
    who = state if len(names) == 1 else f"{listed(names)} need care"
    by = "" if found.chance is None else f"; {found.by}: {_percent(found.chance)} a try"
    return f"{who}{by}".replace(TIED, " ")


def _percent(ways: Ways) -> str:
    """A chance in whole percent that no line is broken in."""
    return whole_percent(*ways).replace(" ", TIED)


def _state(one: Fighter, system: System) -> str:
    """Who suffers from what: a condition, its level, and how far below 0 life is."""
    fallen = next(iter(needing_care(system.conditions, one)), "")
    if not fallen:
        return f"{one.name} is wounded"
    low = next(
        (
            f", at {minus(value)} of {minus(bottom)}"
            for pool, value in one.pools.items()
            if is_life(system, one, pool) and value < 0 and (bottom := one.limits[pool][0]) is not None
        ),
        "",
    )
    level = one.level(fallen)
    return (
        begun(one.name, fallen, system).removesuffix(".") + (f" at level {level}" if level > 1 else "") + low
    )


def round_lines(entry: Entry, scene: Scene, system: System, ink: Ink) -> Iterator[str]:
    """A round of care: what came before its treatments; these with what was rolled for them; other rolls, and what
    changed then; at the end of the care, what its patients are then."""
    by, tries = healer_of(entry.intent), entry.outcome.get("tries", ())
    opening, before = entry.outcome.get("opening", 0), entry.outcome.get("before", {})
    rolls, at = entry.rolls[opening:], max(0, before.get("rolls", 0) - opening)
    deciding = [one for one in rolls if one.who == by and _decides(one)]
    numbers = iter(deciding if len(deciding) == len(tries) else ())
    deeds = [
        _treatment(by, patient, [*same], [next(numbers, None) for _ in same], ink)
        for patient, some in groupby(tries, key=lambda one: one["patient"])
        for same in [[*some]]
    ]
    shown = {id(one) for one in deciding}
    first, later = (
        [line[2:] for line in rolled(entry, some, system)]
        for part in (rolls[:at], rolls[at:])
        for some in [[one for one in part if id(one) not in shown and one.what != "heal"]]
    )
    changed = [Event(*one) for one in before.get("changes", ())]
    lines = [*first, *_changes(entry, changed, scene, system, ink)]
    lines += deeds or [f"{by} treats nobody in time."]
    head = f"Round {entry.outcome.get('round', 1)}: "
    for number, line in enumerate((*lines, *later)):
        yield f"  {' ' * len(head) if number else head}{line}"
    for line in _changes(entry, [*_since(changed, entry.events)], scene, system, ink):
        is_last = "goes_on" not in entry.outcome and line.endswith((".", ".\x1b[0m"))
        yield line if is_last else f"  {' ' * len(head)}{line}"


def _changes(entry: Entry, events: Sequence[Event], scene: Scene, system: System, ink: Ink) -> Iterator[str]:
    """What some events of a round of care changed, without what pays for actions."""
    begun = {event.who for event in events if event.what.startswith("condition:") and event.now}
    kept = tuple(
        event
        for event in events
        if not (_is_of_turn(event.what, system) or (_ends_dying(event, system) and event.who in begun))
    )
    return changes(entry._replace(events=kept), scene, system, ink)


def _since(earlier: Iterable[Event], events: Iterable[Event]) -> Iterator[Event]:
    """What happened of some events after others, with which they are counted together."""
    before = {event[:2]: event for event in earlier}
    for event in events:
        was = before.pop(event[:2], None)
        if was is None:
            yield event
        elif was.now != plain(event.now):
            yield Event(event.who, event.what, was.now, plain(event.now), event.rule)
    yield from (event._replace(was=event.now, now=event.was) for event in before.values())


def _ends_dying(event: Event, system: System) -> bool:
    """Whether an event says that somebody is not dying any more, which what begins then says better."""
    kind = system.conditions.get(event.what.removeprefix("condition:"))
    return kind is not None and kind.defeated == "dying" and not event.now


def _is_of_turn(what: str, system: System) -> bool:
    """Whether an event is about what pays for actions in a turn."""
    kind = system.pools.get(what.partition(":")[0])
    return kind is not None and kind.spent


def _decides(roll: RollRecord) -> bool:
    return roll.what in ("check", "heal") and bool({"target", "successes"} & {*roll.reckoning})


def _treatment(
    by: str, patient: str, tries: list[dict[str, Any]], rolls: list[RollRecord | None], ink: Ink
) -> str:
    """Treatments of one patient in a sentence: `Ash treats Quill: 1 and 0 against 4, no success.`"""
    with_what = f" with the {tries[0]['gear']}" if tries[0].get("gear") else ""
    said = f"{by} treats {patient if patient != by else 'their own wounds'}{with_what}"
    known = [roll.reckoning for roll in rolls if roll]
    if known and "successes" in known[0]:
        said += f": {listed([measured(one['successes'], 'successes') for one in known])}"
        said += f" of {known[0]['difficulty']} needed" if "difficulty" in known[0] else ""
    elif known:
        said += f": {listed([minus(one['total']) for one in known])} against {known[0]['target']}"
    if not known:
        return f"{said}."
    verdicts = [ink("green", "a success") if one["success"] else ink("red", "no success") for one in tries]
    return f"{said}, {listed(verdicts if len({*verdicts}) > 1 else verdicts[:1])}."
