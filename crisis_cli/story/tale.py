"""A campaign for a reader who was not there: fights by what turned them, nights and care in a line each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..engine.care import healer_of, needs_of
from ..engine.core_actions import CORE_ACTIONS
from ..engine.encounter import NOBODY
from ..engine.journal import Crisis
from ..engine.life import bears_harm
from ..engine.record import EVENT, Entry
from ..engine.scene import Scene
from ..engine.system import System
from ..render.charts import minus
from ..render.dice_lines import roll_name
from ..render.goals import cast_of, clauses
from ..render.messages import listed
from ..render.ranking import label
from ..render.style import Ink
from ..render.text import headline, table_title
from . import blocks, walk
from .blocks import Block, Item, Paragraph
from .chances import CrisisOdds, is_attack
from .recap import TURNING_POINTS, recap
from .recap_text import percent
from .walk import Step

SEVERITY = ("", "down", "dying", "dead")
"""How fighters are out of the fight, the worst last."""


def of_fight(crisis: Crisis, system: System) -> Iterator[Block]:
    """A crisis in brief: who was there and why, its texts, what turned it, who of one's own side fell or was hit by
    friends, who joined, treatments, what was noted, and why it ended."""
    yield from map(Item, walk.stakes(crisis))
    if opening := walk.opening(crisis):
        yield Paragraph(" ".join(opening))
    party = next(iter(walk.sides(crisis).values()), ())
    falls = [(step, _fallen(step, system)) for step in walk.steps(crisis)]
    # The last falls of foes tell most, then what changed the lead.
    down = [step.entry.number for step, fallen in falls if any(name not in party for name in fallen)]
    largest = [turn.step.entry.number for turn in recap(crisis, system, odds=False).turning]
    numbers = [*dict.fromkeys((*down[: -1 - TURNING_POINTS : -1], *largest))][:TURNING_POINTS]
    odds, sentences = CrisisOdds(system), set[str]()
    for step, fallen in falls:
        entry = step.entry
        if block := _quoted(entry, step.after, system):
            yield block
            continue
        is_event = entry.intent.action == EVENT and entry.success is not False and entry.outcome.get("text")
        is_told = is_event or entry.intent.action == "join" or entry.number in numbers
        if is_told or any(name in party for name in fallen) or _hits_friends(step, party, odds):
            said = " ".join(_sentences(step, system, odds))
            if said and said not in sentences:
                sentences.add(said)
                yield Item(said if is_event else f"Rd{step.round}: {said}")
    if why := " ".join(_why_ended(crisis.last_scene, system, party)):
        yield Item(why)
    words, _ = walk.ending(crisis, system)
    if words:
        yield Paragraph(" ".join(words))


def _fallen(step: Step, system: System) -> list[str]:
    """The fighters who are worse than before an entry: down, dying or dead."""
    before = {name: system.fallen(one) for name, one in step.before.fighters.items()}
    after = {name: system.fallen(one) for name, one in step.after.fighters.items()}
    return [
        name for name, now in after.items() if SEVERITY.index(now) > SEVERITY.index(before.get(name, now))
    ]


def _hits_friends(step: Step, party: Sequence[str], odds: CrisisOdds) -> bool:
    """Whether an entry is an attack by which one of the party hurts another, or the attacker."""
    if step.entry.intent.actor not in party or not is_attack(step.entry, step.before, odds.system):
        return False
    wounds = odds.lives.wounds(step.before, step.entry.events)
    return any(wound.who in party and wound.by > 0 for wound in wounds)


def _sentences(step: Step, system: System, odds: CrisisOdds) -> Iterator[str]:
    """What happened in an entry of a fight, an attack with its chance, and what it did to lives."""
    entry = step.entry
    if entry.intent.action == "next":
        causes = (roll for roll in entry.rolls if roll.who and "success" not in roll.reckoning)
        said = "; ".join(dict.fromkeys(roll_name(roll, entry, system) for roll in causes))
    else:
        text = str(entry.outcome.get("text", "")) if entry.intent.action == EVENT else ""
        said = " ".join(text.split()) or headline(entry, step.after, system, Ink())
    if is_attack(entry, step.before, system):
        chances = odds.of(step)
        said += f": a {'hit' if entry.success else 'miss'}{f' ({percent(chances.hit)})' if chances else ''}"
    if said:
        yield said if said.endswith((".", "!", "?")) else f"{said}."
    for name in step.before.fighters:
        if changed := _changed(name, (entry,), step.after, system):
            yield f"{changed}."


def _why_ended(scene: Scene, system: System, party: Sequence[str]) -> Iterator[str]:
    """The goal by which a fight was won or lost, and who of the party was out of it at its end."""
    events = scene.encounter.triggers if scene.encounter else ()
    reached = [events[number - 1] for number in scene.fired if number > 0 and events[number - 1].wins]
    if scene.won_by and reached:
        cast, goal = cast_of(scene), reached[-1]
        won = "A draw" if goal.wins == NOBODY else "Won" if goal.wins == cast.own else "Lost"
        yield f"{won}: {' and '.join(clauses(goal, cast))}."
    groups = {
        state: [one for one in party if system.fallen(scene.fighters[one]) == state] for state in SEVERITY[1:]
    }
    out = [
        f"{listed(names)} {'are' if names[1:] else 'is'} {state}" for state, names in groups.items() if names
    ]
    if out:
        yield f"At the end {', '.join(out)}."


def _quoted(entry: Entry, scene: Scene, system: System) -> Block | None:
    """A note, an answer of the oracle, or a row of a table, without its dice; None for any other entry."""
    intent, core = entry.intent, CORE_ACTIONS.get(entry.intent.action)
    if core is None or not core.quotes:
        return None
    if intent.action == "note":
        return blocks.note(intent)
    return Item(headline(entry._replace(rolls=()), scene, system, Ink()))


# Between fights


def kind(entry: Entry) -> tuple[object, ...]:
    """The part of an entry that is equal in those that one line sums up, where they follow each other in a story."""
    intent = entry.intent
    if intent.action == "downtime":
        return intent.action, bool(intent.get("days")), intent.get("why")
    if intent.action == "care":
        return intent.action, healer_of(intent)
    if intent.action == "take":
        return intent.action, intent.targets
    return (entry.number,)


def of_story(steps: Sequence[Step], system: System) -> Iterator[Block]:
    """Entries of a story of one kind, as one block each kind; nothing for what only sets a value."""
    first, last = steps[0].entry, steps[-1]
    if first.intent.action == "downtime":
        yield Item(_nights(steps, system))
    elif first.intent.action == "care":
        tries = Counter(one["patient"] for step in steps for one in step.entry.outcome.get("tries", ()))
        patients = dict.fromkeys(name for step in steps for name in needs_of(step.entry.intent))
        counts = {(healer_of(first.intent), name): tries[name] for name in patients}
        yield from _care(counts, [step.entry for step in steps], last.after, system)
    elif first.intent.action == "take":
        titles = (table_title(step.entry.intent) for step in steps[1:])
        yield Item("; ".join((headline(first, last.after, system, Ink()), *titles)) + ".")
    elif block := _quoted(first, last.after, system):
        yield block


def of_care(crisis: Crisis, system: System) -> Iterator[Block]:
    """A crisis in which nobody fought: what happened in it, and a line for each patient."""
    yield from of_fight(crisis, system)
    tries = Counter(
        (entry.intent.actor, target)
        for entry in crisis.done
        if entry.intent.action == "heal"
        for target in entry.intent.targets or (entry.intent.actor,)
    )
    yield from _care(tries, crisis.done, crisis.last_scene, system)


def _care(
    tries: Mapping[tuple[str, str], int], done: Sequence[Entry], scene: Scene, system: System
) -> Iterator[Item]:
    """A line for each healer and patient: how often it was tried, and what came of all of it."""
    for (by, patient), count in tries.items():
        whom = patient if patient != by else "their own wounds"
        state = system.fallen(scene.fighters[patient])
        came_of = _changed(patient, done, scene, system) or f"{patient} is {state or 'no better'}"
        if state == "dead":
            came_of = f"{patient} dies all the same"
        yield Item(f"Care: {by} treats {whom}{f' ({count} tries)' if count > 1 else ''}: {came_of}.")


def _nights(steps: Sequence[Step], system: System) -> str:
    """Nights, or hours of rest, as a line: `Days 2–17: 16 nights. Ash Health −4 → 9.`"""
    entries = [step.entry for step in steps]
    days = sum(int(entry.intent.get("days", 0)) for entry in entries)
    hours = sum(int(entry.intent.get("hours", 0)) for entry in entries)
    nights = f"Days {entries[0].day}–{entries[-1].day}: {days} nights" if days > 1 else "A night"
    said = nights if days else f"{hours} hours of rest"
    why = entries[0].intent.get("why")
    names = dict.fromkeys(name for entry in entries for name in entry.intent.targets)
    changed = ", ".join(filter(None, (_changed(name, entries, steps[-1].after, system) for name in names)))
    return f"{said}{f' ({why})' if why else ''}.{f' {changed}.' if changed else ''}"


def _changed(who: str, done: Iterable[Entry], scene: Scene, system: System) -> str:
    """What entries together did to the life of a fighter, and how it fell or rose:
    `Ash Health −4 → 2, no longer dying`."""
    one = scene.fighters[who]
    begun: dict[str, Any] = {}
    for event in (event for entry in done for event in entry.events if event.who == who):
        begun.setdefault(event.what, event.was)
    pools = {pool: begun.get(pool, value) for pool, value in one.pools.items()}
    moved = [
        f"{label(pool, system)} {minus(pools[pool])} → {minus(value)}"
        for pool, value in one.pools.items()
        if pools[pool] != value and bears_harm(system, pool)
    ]
    levels = {what.partition(":")[2]: was for what, was in begun.items() if what.startswith("condition:")}
    # Some conditions follow from pools alone.
    earlier = one._replace(pools=pools, conditions={**one.conditions, **levels})
    before, now = system.fallen(earlier), system.fallen(one)
    state = "" if now == before else now or "up again"
    if (before, now) == ("dying", "down"):
        state = "no longer dying"
    if moved:
        return f"{who} {', '.join(filter(None, (*moved, state)))}"
    return f"{who} is {state}" if state else ""
