"""Morale: when a fighter that plays automatically breaks, and what it does then."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..engine.legal_actions import LegalAction, of
from ..engine.record import Entry
from ..engine.scene import Fighter, Intent, Scene
from ..values import NamedTuple
from . import movement, resources
from .doctrine import Breaks
from .evaluation import Evaluator

SAFE_DISTANCE, MAX_STEPS = 30, 8
"""A fleeing fighter leaves the field at this distance from every foe in metres, or after so many steps."""

LED, LEADS_BY = 3, 1.2
"""A side of so many fighters has a leader, if one is so much stronger than the next."""


LEAST_LEAD = 0.4
"""A side is clearly behind when its foes have so much more life left, in lives."""


RUNNING = ("flees", "ran", "cornered")
"""The keys of reasons of a fighter that runs, or would."""


class BreakReason(NamedTuple):
    """Why a fighter's morale breaks."""

    cause: str
    """"leader", "hurt", "fallen" or "outnumbered"."""
    number: int
    """Percent lost, percent of the side out of the fight, or foes per fighter of the side; 1 for the leader."""
    of: int = 0
    """Of how many so many are out of the fight; 0 where that is not the cause."""
    down: int = 0


def break_reason(evaluator: Evaluator, scene: Scene, who: str, breaks: Breaks) -> BreakReason | None:
    """Why a fighter's morale breaks now; None if it fights on."""
    one = scene.fighters[who]
    if breaks.then == "fight":
        return None
    side = [other for other in scene.fighters.values() if other.side == one.side]
    up = sum(map(evaluator.vitality.is_standing, side))
    foes = sum(map(evaluator.vitality.is_standing, scene.foes(who)))
    hurt = int(100 * max(evaluator.vitality.lost_share(one), 1 - evaluator.vitality.life(one)))
    reasons = (
        BreakReason("leader", int(_leader_is_down(evaluator, side))),
        BreakReason(
            "hurt", 0 if breaks.behind and not _is_behind(evaluator, side, scene.foes(who)) else hurt
        ),
        BreakReason("fallen", 100 * (len(side) - up) // len(side), len(side), len(side) - up),
        BreakReason("outnumbered", foes // max(1, up)),
    )
    return next((why for why in reasons if 0 < getattr(breaks, why.cause) <= why.number), None)


def _is_behind(evaluator: Evaluator, side: Sequence[Fighter], foes: Iterable[Fighter]) -> bool:
    """Whether a side has clearly less life left than its foes: where both are nearly down, running away loses."""
    life = evaluator.vitality.life
    up = evaluator.vitality.is_standing
    return sum(life(one) for one in foes if up(one)) >= LEAST_LEAD + sum(life(one) for one in side if up(one))


def _leader_is_down(evaluator: Evaluator, side: Sequence[Fighter]) -> bool:
    """Whether the one fighter of a side of three or more that is clearly stronger than the others is out of the
    fight."""
    if len(side) < LED:
        return False
    strength = {one.name: sum(height for _, height, _ in evaluator.vitality.points(one)) for one in side}
    first, second, *_ = sorted(side, key=lambda one: -strength[one.name])
    leads = strength[first.name] >= LEADS_BY * strength[second.name]
    return leads and not evaluator.vitality.is_standing(first)


def break_action(
    evaluator: Evaluator,
    scene: Scene,
    who: str,
    then: str,
    candidates: Sequence[LegalAction],
    past: Sequence[Entry],
) -> tuple[str, Intent]:
    """What a broken fighter does next, with the key of the reason: surrenders, leaves, flees, gets-up,
    spent, ran or cornered."""
    if then == "surrender":
        return "surrenders", Intent("yield", who, (who,))
    system, foes = evaluator.system, evaluator.foes(scene, who)
    leave = "leaves", Intent("leave", who, (who,))
    gaps = [evaluator.distance_between(scene, who, foe.name) for foe in foes]
    known = [gap for gap in gaps if gap is not None]
    if (
        not known
        or min(known) * system.space.metres >= SAFE_DISTANCE
        or _steps(who, past) >= MAX_STEPS
        or not any("to" in row.options for row in system.actions.values())
    ):
        return leave
    near = foes[gaps.index(min(known))]
    assert near.at is not None
    runs = [way for way in candidates if movement.is_move(system, scene, way)]
    steps = [(movement.away(system, scene, way.intent, near.at), way) for way in runs]
    far = [
        (resources.turn_share(system, scene.fighters[who], way), step.options["to"], step)
        for step, way in steps
        if step is not None
    ]
    if far:
        here = near.at
        # The move that takes it farthest, then the cheapest.
        best = max(far, key=lambda one: ((one[1][0] - here[0]) ** 2 + (one[1][1] - here[1]) ** 2, -one[0]))
        return "flees", best[2]
    if not runs and _can_move(evaluator, scene, who):
        return "spent", Intent("next", who)
    for one in candidates:
        row = system.actions[one.intent.action]
        if runs or row.targets != "none" or "to" in row.options:
            continue
        if not movement.needs_no_dice(system, scene, one.intent):
            continue
        up = movement.scene_after(system, scene, one.intent)
        if up is not None and _can_move(evaluator, up, who):
            return "gets-up", one.intent
    return "ran" if _can_run(evaluator, scene, who, near.at) else "cornered", Intent("next", who)


def _steps(who: str, past: Sequence[Entry]) -> int:
    """How often a fighter has already fled or been cornered."""
    return sum(entry.reason.get("key") in RUNNING for entry in past if entry.intent.actor == who)


def _can_run(evaluator: Evaluator, scene: Scene, who: str, danger: movement.Place) -> bool:
    """Whether a fighter could get away from a place with a full turn."""
    rested = resources.with_full_turn(evaluator.system, scene, who, fresh=True)
    ways = (
        one for one in of(evaluator.system, rested, who) if movement.is_move(evaluator.system, rested, one)
    )
    return any(movement.away(evaluator.system, rested, way.intent, danger) is not None for way in ways)


def _can_move(evaluator: Evaluator, scene: Scene, who: str) -> bool:
    rested = resources.with_full_turn(evaluator.system, scene, who)
    return any(movement.is_move(evaluator.system, rested, one) for one in of(evaluator.system, rested, who))
