"""An action carried out: setup, roll, effects and consequences, as one `Resolution`."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import TYPE_CHECKING, Any

from ..dice.table import Table
from .changes import ExplainedNumber, Number, explained, parts_of
from .consequences import Resolution, merged, outcome_record, outputs, put, settle
from .events import Event, change
from .reactions import Interrupted
from .scene import Intent, Scene
from .turns import Clock
from .validate import Prepared, prepare

if TYPE_CHECKING:
    from .system import Action, System


def act(system: System, scene: Scene, intent: Intent, table: Table) -> Resolution:
    """Carry out an action of the system, from its setup to its events; Refused if the rules do not allow it."""
    prepared = prepare(system, scene, intent)
    row, setup, charge, forced = prepared.row, prepared.setup, prepared.payment, prepared.forced
    if charge.of:
        outcome = {"success": None, "word": "paid", "paid": charge.paid, "of": charge.of, "gear": setup.gear}
        return Resolution(charge.events, outcome, setup.dice, (), forced)
    answer = table.ask(prepared.rule, prepared.dice)
    events = consequences(system, scene, intent, prepared, answer, hold=True, number=ExplainedNumber)
    recorded = dict(recorded_outcome(system, row, answer))
    own = answer.deed if isinstance(answer, Interrupted) else answer
    if own is answer or not answer.lost:
        recorded |= outputs(row, scene, intent, setup, own)
    if setup.gear:
        recorded["gear"] = setup.gear
    if row.ends_turn and scene.open and intent.actor in scene.acting:
        clock = Clock(system, scene, intent, table)
        clock.scene = put(scene, clock.events, events)
        clock.on(intent.actor)
        events = merged(clock.events)
    return Resolution(events, recorded, setup.dice, setup.modifiers, forced)


def recorded_outcome(system: System, row: Action, answer: Any) -> Mapping[str, Any]:
    """The outcome of an action as the journal records it: its fields by name, and its word."""
    if not isinstance(answer, Interrupted) or system.reactions is None:
        return outcome_record(row, answer)
    return {
        **system.reactions.record(answer),
        "word": answer.word or outcome_record(row, answer.deed).get("word", ""),
    }


def consequences(
    system: System,
    scene: Scene,
    intent: Intent,
    prepared: Prepared,
    answer: Any,
    *,
    hold: bool = False,
    number: type[Number] = Number,
) -> tuple[Event, ...]:
    """The resolution for one outcome of the dice: costs, effects and the events that follow from them.

    With `hold`, harm to those who are acting together now waits until their group is done. `number` makes the
    numbers that change pools.
    """
    found = first_effects(system, scene, intent, prepared, answer, hold=hold, number=number)
    return settle(system, scene, prepared.payment.events + found)


def first_effects(
    system: System,
    scene: Scene,
    intent: Intent,
    prepared: Prepared,
    answer: Any,
    *,
    hold: bool = False,
    number: type[Number] = Number,
) -> tuple[Event, ...]:
    """The effects of one outcome of the dice, as for `consequences`: without costs, and without what follows."""
    postponed: frozenset[tuple[str, str]] = frozenset()
    if hold and scene.group and not scene.in_sequence and not intent.get("in_sequence"):
        postponed = frozenset(product(scene.together, system.simultaneous))
    found = prepared.effects(system, scene, intent, answer, number, postponed)
    return _held_back(scene, found, postponed) if postponed else found


def _held_back(
    scene: Scene, events: tuple[Event, ...], postponed: frozenset[tuple[str, str]]
) -> tuple[Event, ...]:
    """The events, with losses of the fighters and pools `postponed` put off to the end of the group's turn, in full:
    until then a pool may be filled again."""
    waiting = [
        (event.who, event.what, event.now - event.was, event.rule)
        for event in events
        if (event.who, event.what) in postponed and event.now < event.was
    ]
    if not waiting:
        return events
    held = {(who, what) for who, what, _, _ in waiting}
    kept = tuple(event for event in events if (event.who, event.what) not in held)
    found = change(scene, "", "pending", (*scene.pending, *waiting))
    # Of several who wait one could not say which parts are whose.
    parts = [parts_of(event) for event in events if (event.who, event.what) in held]
    return kept + (tuple(explained(one, parts[0]) for one in found) if len(parts) == 1 else found)
