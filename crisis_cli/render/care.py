"""Care between fights in words: what is about to be done, and each round of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ..engine.care import healer_of, needs_of
from ..engine.changes import Part, explained, parts_of
from ..engine.conditions import needing_care
from ..engine.events import Event, plain
from ..engine.life import is_life
from ..engine.record import Entry, RollRecord
from ..engine.scene import Fighter, Scene
from ..engine.system import System
from ..engine.wording import measured
from .charts import minus, whole_percent, wrapped
from .dice_lines import rolled
from .effects import changes, labelled
from .messages import begun, listed
from .reasons import NUMBERS
from .style import Ink

if TYPE_CHECKING:
    from ..engine.care import CareProspect


def prospect_lines(prospect: CareProspect) -> list[str]:
    """Who needs care and why, and what chance the healer has: of one treatment, and of the whole care."""
    system = prospect.system
    states = [f"{_state(one, system)}{_low_life(one, system)}." for one in prospect.patients]
    by, chance = _chance(prospect), prospect.chance
    is_repeated = all(needs_of(prospect.intent).values())
    is_once = not (is_repeated or states[1:] or chance is None) and chance[0] == chance[1]
    by += (
        f", {NUMBERS[prospect.tries_a_round]} a round"
        if by and prospect.tries_a_round and not is_once
        else ""
    )
    things = [
        listed([f"with 1 of {left} {labelled(pool, system)}" for pool, left in group.items()]) or "without"
        for group in prospect.supplies[: 1 if is_once else None]
    ]
    if things and prospect.supplies[0]:
        each = ", each" * (not is_once)
        by += f"{each if by else f'{prospect.by}: each try'} {', then '.join(things)}"
    if by and not (is_repeated or is_once):
        by += ", until one succeeds"
    dying = {one.name for one in prospect.patients if system.fallen(one) == "dying"}
    ends = [
        f"{name} {'lives' if name in dying else 'is helped'} in {whole_percent(*ways)}"
        for name, ways in prospect.ends.items()
        if ways[0] < ways[1]
    ]
    text = " ".join((*states, f"{'; '.join(filter(None, (by, *ends)))}." if by or ends else ""))
    return wrapped(text)


def first_words(prospect: CareProspect) -> str:
    """Who needs care, and the chance of the healer, in a few words: `Vera is dying; Doc Moss: 75 % a try`."""
    names = [one.name for one in prospect.patients]
    who = f"{listed(names)} need care" if names[1:] else _state(prospect.patients[0], prospect.system)
    return "; ".join(filter(None, (who, _chance(prospect))))


def _chance(prospect: CareProspect) -> str:
    """The chance of the first treatment: `Doc Moss: 75 % a try`, `Ada helps for certain`; empty where it is not known,
    or none is needed."""
    if prospect.chance is None:
        return ""
    ways, total = prospect.chance
    return (
        f"{prospect.by} helps for certain"
        if ways == total
        else f"{prospect.by}: {whole_percent(ways, total)} a try"
    )


def _state(one: Fighter, system: System) -> str:
    """Who suffers from what: a condition and its level."""
    fallen = next(iter(needing_care(system.conditions, one)), "")
    if not fallen:
        return f"{one.name} is wounded"
    level = f" at level {one.level(fallen)}" if one.level(fallen) > 1 else ""
    return begun(one.name, fallen, system).removesuffix(".") + level


def _low_life(one: Fighter, system: System) -> str:
    """How far below 0 the life of a fighter who needs care is: `, at −3 of −10`; empty where it is not."""
    for pool, value in one.pools.items() if needing_care(system.conditions, one) else ():
        bottom = one.limits[pool][0] if value < 0 and is_life(system, one, pool) else None
        if bottom is not None:
            return f", at {minus(value)} of {minus(bottom)}"
    return ""


def round_lines(entry: Entry, scene: Scene, system: System, ink: Ink) -> Iterator[str]:
    """A round of care: what came before its treatments; these with what was rolled for them; other rolls, and what
    changed then; at the end of the care, what its patients are then."""
    by, tries = healer_of(entry.intent), entry.outcome.get("tries", ())
    opening, before = entry.outcome.get("opening", 0), entry.outcome.get("before", {})
    rolls, at = entry.rolls[opening:], max(0, before.get("rolls", 0) - opening)
    deciding = [roll for roll in rolls if roll.who == by and _decides(roll)]
    paired = zip(tries, deciding if len(deciding) == len(tries) else [None] * len(tries), strict=True)
    treatments = [
        _treatment(by, patient, [*pairs], ink)
        for patient, pairs in groupby(paired, key=lambda pair: pair[0]["patient"])
    ]

    def other(rolls: Sequence[RollRecord]) -> Iterator[str]:
        shown = [roll for roll in rolls if roll not in deciding and roll.what != "heal"]
        return (line[2:] for line in rolled(entry, shown, system))

    changed = [Event(*values) for values in before.get("changes", ())]
    lines = [*other(rolls[:at]), *_changes(entry, changed, scene, system, ink)]
    lines += treatments or [f"{by} treats nobody in time."]
    head = f"Round {entry.outcome.get('round', 1)}: "
    for number, line in enumerate((*lines, *other(rolls[at:]))):
        yield f"  {' ' * len(head) if number else head}{line}"
    for line in _changes(entry, [*_since(changed, entry.events)], scene, system, ink):
        is_last = "goes_on" not in entry.outcome and line.endswith((".", ".\x1b[0m"))
        yield line if is_last else f"  {' ' * len(head)}{line}"


def _changes(entry: Entry, events: Sequence[Event], scene: Scene, system: System, ink: Ink) -> Iterator[str]:
    """What some events of a round of care changed, without what pays for actions."""
    changed = {event.who for event in events if event.what.startswith("condition:") and event.now}
    parts = {event[:2]: parts_of(event) for event in entry.events}
    kept = tuple(
        _explained(event, parts.get(event[:2], ()))
        for event in events
        if not ((pool := system.pools.get(event.what)) and pool.spent)
        and not (_ends_dying(event, system) and event.who in changed)
    )
    return changes(entry._replace(events=kept), scene, system, ink)


def _explained(event: Event, parts: Sequence[Part]) -> Event:
    """An event with those parts of the change in its whole round, the first or the last of them, that add up to it."""
    for at in range(len(parts) + 1):
        for some in (parts[:at], parts[at:]):
            if some and sum(part.value for part in some) == event.now - event.was:
                return explained(event, tuple(some))
    return event


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


def _decides(roll: RollRecord) -> bool:
    return roll.what in ("check", "heal") and bool({"target", "successes"} & {*roll.reckoning})


def _treatment(
    by: str, patient: str, tries: Sequence[tuple[dict[str, Any], RollRecord | None]], ink: Ink
) -> str:
    """Treatments of one patient in a sentence: `Ash treats Quill: 1 and 0 against 4, no success.`"""
    gear = tries[0][0].get("gear")
    said = f"{by} treats {patient if patient != by else 'their own wounds'}"
    said += f" with the {gear}" if gear else ""
    known = [roll.reckoning for _, roll in tries if roll]
    if not known:
        return f"{said}."
    if "successes" in known[0]:
        said += f": {listed([measured(reckoning['successes'], 'successes') for reckoning in known])}"
        said += f" of {known[0]['difficulty']} needed" if "difficulty" in known[0] else ""
    else:
        said += f": {listed([minus(reckoning['total']) for reckoning in known])} against {known[0]['target']}"
    verdicts = [ink("green", "a success") if one["success"] else ink("red", "no success") for one, _ in tries]
    return f"{said}, {listed(verdicts if len({*verdicts}) > 1 else verdicts[:1])}."
