"""Actions and Small Actions (D100-10 to D100-13): what a turn gives, what is kept, what is readied."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ...play.events import Event, change
from ...play.scene import Intent, Scene
from ..system import Action, Cost, Staked, forbid, nothing
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
READIED = "readied"
"""The mark of a readied action, `readied:ACTION`: how many ends of its own turns it lasts."""
LASTS = 2
"""D100-11: until the next own turn ends, after the one that is on."""


def no_stake(scene: Scene, intent: Intent) -> Staked:
    """Nothing to look at beforehand."""
    return Staked(None)


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


def _is_readied(scene: Scene, intent: Intent) -> bool:
    """D100-11: out of turn what was readied may be done."""
    return f"{READIED}:{intent.action}" in scene.fighters[intent.actor].marks


def whole(row: Action) -> Action:
    """An action that costs an Action, and so can be readied and set off later by a Small Action (D100-11, D100-13)."""

    def effects(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterator[Event]:
        yield from row.effects(scene, intent, stake, outcome)
        if intent.actor not in scene.acting:
            yield from change(scene, intent.actor, f"mark:{READIED}:{intent.action}", 0, "D100-11")

    return row._replace(costs=FULL, effects=effects, out_of_turn=_is_readied, out_costs=SET_OFF)


READY_ABLE = ("attack", "throw", "reload", "run", "heal")
"""D100-11: the actions that cost an Action, readying itself left out."""


def ready_stake(scene: Scene, intent: Intent) -> Staked:
    """D100-11: any one action that costs an Action; for later, and so only in a crisis."""
    deed = intent.get("deed") or ""
    can = f"it can be one of {', '.join(READY_ABLE)}"
    if deed not in READY_ABLE:
        what = f"{deed} cannot be readied" if deed else f"{intent.actor} readies what?"
        forbid(intent, what, "D100-11", f"{can}: crisis act ready attack", final=True)
    if not scene.open:
        forbid(
            intent,
            "an action is readied for later, in a crisis",
            "D100-11",
            "crisis init WHO… --open",
            final=True,
        )
    return Staked(deed)


def ready(scene: Scene, intent: Intent, deed: str, outcome: Any) -> Iterator[Event]:
    """Readied until the next own turn ends; another one readied before is given up (a reading of D100-11)."""
    for other in scene.fighters[intent.actor].marks:
        if other.startswith(READIED + ":") and other != f"{READIED}:{deed}":
            yield from change(scene, intent.actor, f"mark:{other}", 0, "D100-11")
    yield from change(scene, intent.actor, f"mark:{READIED}:{deed}", LASTS, "D100-11")


def _offers(scene: Scene, who: str) -> Iterator[Intent]:
    return (Intent("ready", who, (), {"deed": deed}) for deed in READY_ABLE)


READY = Action(
    "Ready an action, for a Small Action to set off out of turn",
    "D100-11",
    ready_stake,
    ready,
    costs=FULL,
    offers=_offers,
    options=("deed",),
)
