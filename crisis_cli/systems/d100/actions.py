"""Actions and Small Actions (D100-10 to D100-13): what a turn gives, what is kept, what is readied."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ...engine.changes import Changes
from ...engine.events import Event, change
from ...engine.scene import Intent, Scene
from ...engine.system import Action, Cost, Setup, nothing
from ...rules.ready_action import READIED, is_readied, ready, set_off
from .conditions import fallen

PER_TURN = {"actions": 1, "small-actions": 2}
"""D100-10."""
TURNED = 2
"""D100-10: Small Actions that an Action can be turned into."""
KEPT = 1
"""D100-12."""
SMALL = (Cost("small-actions", rule="D100-13"),)
FULL = (Cost("actions", rule="D100-13"),)
SET_OFF = (Cost("small-actions", rule="D100-11"),)
"""What setting off a readied action takes."""
LASTS = 2
"""D100-11: a readied action lasts for so many ends of own turns: until the next one ends, after the one that is on."""


def no_stake(scene: Scene, intent: Intent) -> Setup:
    """Nothing to look at beforehand."""
    return Setup(None)


def turn_starts(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterable[Event]:
    """D100-10: an Action and two Small Actions; what was kept is gone (D100-12). Whoever is down has none."""
    able = not fallen(scene.fighters[intent.actor])
    for pool, count in PER_TURN.items():
        yield from change(scene, intent.actor, pool, count if able else 0, "D100-10")


def turn_ends(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterable[Event]:
    """D100-12: one Small Action is kept, of an Action unspent where there is no other (a reading, by D100-10)."""
    pools, marks = scene.fighters[intent.actor].pools, scene.fighters[intent.actor].marks
    left = pools["small-actions"] or pools["actions"] * TURNED
    yield from change(scene, intent.actor, "actions", 0, "D100-12")
    yield from change(scene, intent.actor, "small-actions", min(left, KEPT), "D100-12")
    for mark, ends in marks.items():
        if mark.startswith(READIED + ":"):
            yield from change(scene, intent.actor, f"mark:{mark}", ends - 1, "D100-11")


PHASES = {
    "start-turn": Action(
        "Gain an Action and two Small Actions", "D100-10", no_stake, turn_starts, nothing, window="table"
    ),
    "end-turn": Action("Keep a Small Action", "D100-12", no_stake, turn_ends, nothing, window="table"),
}


def whole(row: Action) -> Action:
    """An action that costs an Action, and so can be readied and set off later by a Small Action (D100-11, D100-13)."""

    def effects(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterator[Event]:
        yield from row.effects(scene, intent, stake, outcome)
        yield from set_off(scene, intent, "D100-11")

    def collected(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
        row.effects(changes, intent, setup, outcome)
        changes.take(set_off(changes.scene, intent, "D100-11"))

    if row.collects:
        return row._replace(costs=FULL, effects=collected, out_of_turn=is_readied, out_costs=SET_OFF)
    return row._replace(costs=FULL, effects=effects, out_of_turn=is_readied, out_costs=SET_OFF)


READY_ABLE = ("attack", "throw", "reload", "run", "heal")
"""D100-11: the actions that cost an Action, readying itself left out."""
READY = ready(
    "Ready an action, for a Small Action to set off out of turn", "D100-11", READY_ABLE, FULL, LASTS
)
