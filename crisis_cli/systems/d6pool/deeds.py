"""Actions and reactions (POOL-11 to POOL-14): what may be done when, what it takes, and what it spoils."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...engine.events import Event, apply_all, change, shift
from ...engine.scene import Fighter, Intent, Scene
from ...engine.system import Action, Cost, Setup, refuse
from .aims import SUPPORTED, spoiled
from .conditions import idle

ACTIONS = "actions"
ONE = (Cost(ACTIONS, 1),)
"""POOL-12: what an action takes unless it says otherwise."""
REACTED = "reacted"
"""The mark of whoever has reacted to the last action (POOL-14)."""
STOLEN = "stolen"
"""The mark of actions that the next refresh lacks (POOL-15)."""
LONE = 1
"""POOL-14: actions that anybody has for reactions in a one-off (a reading)."""


def kept(scene: Scene, fighter: Fighter) -> int:
    """The actions that are left for reactions (POOL-11)."""
    return fighter.pools["actions"] if scene.open else LONE


def reacts(scene: Scene, intent: Intent) -> bool:
    """POOL-13, POOL-14: out of turn whoever has kept an action may react, once to each action."""
    fighter = scene.fighters[intent.actor]
    return bool(scene.round) and fighter.pools["actions"] > 0 and not fighter.marks.get(REACTED)


def paid_reaction(scene: Scene, who: str, kept: bool = True) -> Iterator[Event]:
    """POOL-14: a reaction takes an action, one that was kept or one just bought, and is something else than aiming;
    nothing is charged in a one-off."""
    if scene.open:
        if kept:
            yield from shift(scene, who, ACTIONS, -1, "POOL-14")
        yield from change(scene, who, f"mark:{REACTED}", 1, "POOL-14")
    yield from spoiled(scene, who, (SUPPORTED,))


def stolen_from(scene: Scene, victim: str, left: int) -> Iterator[Event]:
    """POOL-15: an action of an opponent's goes, in its own turn of the `left` it has, else of its next refresh."""
    if victim in scene.acting:
        yield from change(scene, victim, ACTIONS, left - 1, "POOL-15")
        return
    stolen = scene.fighters[victim].marks.get(STOLEN, 0)
    yield from change(scene, victim, f"mark:{STOLEN}", stolen + 1, "POOL-15")


def all_stolen(fighter: Fighter) -> bool:
    """POOL-15: whether no action of the next refresh is left to be stolen."""
    return bool(fighter.marks.get(STOLEN, 0) >= fighter.sheet["actions"])


def deed(row: Action, *keeps: str, costs: tuple[Cost, ...] = ONE) -> Action:
    """A row of the action table as this system has them: one action, also as a reaction; it spoils what is built
    up before an attack, but for what it keeps."""

    def stake(scene: Scene, intent: Intent) -> Setup:
        setup = row.setup(scene, intent)
        price = sum(cost.amount for cost in (*costs, *setup.costs) if cost.pool == ACTIONS)
        others = tuple(cost for cost in setup.costs if cost.pool != ACTIONS)
        if scene.open and intent.actor not in scene.acting and price > 1:
            refuse(
                intent,
                f"a reaction is an action of 1; {intent.action} takes {price} here",
                "POOL-14",
                "wait for the own turn",
            )
        return setup._replace(costs=(*(Cost(ACTIONS, price),) * (price > 0), *others))

    def effects(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterator[Event]:
        fresh = tuple(noted(scene, intent))
        yield from fresh
        scene = apply_all(scene, fresh)
        yield from spoiled(scene, intent.actor, keeps)
        yield from row.effects(scene, intent, stake, outcome)

    return row._replace(setup=stake, effects=effects, out_of_turn=reacts)


def noted(scene: Scene, intent: Intent) -> Iterator[Event]:
    """POOL-14: who has reacted to this action already; with the next one everyone may again."""
    if not scene.open:
        return
    if intent.actor not in scene.acting:
        yield from change(scene, intent.actor, f"mark:{REACTED}", 1, "POOL-14")
        return
    answering = [who for who, _ in intent.get("answer", ())]
    for other in scene.fighters:
        if other not in answering:
            yield from change(scene, other, f"mark:{REACTED}", 0, "POOL-14")


def no_stake(scene: Scene, intent: Intent) -> Setup:
    """Nothing to look at beforehand."""
    return Setup(None)


def unchanged(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterator[Event]:
    """Nothing beside what it costs."""
    return iter(())


def able(scene: Scene, who: str) -> bool:
    """Whether someone can react at all: awake, and with an action left."""
    fighter = scene.fighters[who]
    return not idle(fighter)[0] and kept(scene, fighter) > 0
