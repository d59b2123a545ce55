"""What the last rounds have brought: whether the fight gets on, and whether a fighter does nothing but treat itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..engine.record import Entry
from ..engine.scene import Scene
from .evaluation import Evaluator

ROUNDS = 3
"""Rounds without progress after which a plan changes."""
PROGRESS = 0.05
"""The least share of everybody's points that must be lost in so many rounds."""


def is_stalled(evaluator: Evaluator, scene: Scene, past: Sequence[Entry]) -> bool:
    """Whether next to nobody has been hurt for three rounds."""
    lost, rounds = 0, 0
    for entry in reversed(past):
        for event in entry.events:
            if event.what == "round" and not event.who:
                rounds += 1
            elif event.who in scene.fighters and _is_harm(evaluator, event.what, event.was, event.now):
                lost += abs(event.now - event.was)
        if rounds > ROUNDS:
            break
    if rounds <= ROUNDS:
        return False
    standing = [one for one in scene.fighters.values() if evaluator.vitality.is_standing(one)]
    whole = sum(height for one in standing for _, height, _ in evaluator.vitality.points(one))
    return lost < PROGRESS * whole / POINT_WEIGHT


POINT_WEIGHT = 3
"""What the points of a fighter's state are weighted with (`Vitality.points`)."""


def _is_harm(evaluator: Evaluator, pool: str, was: object, now: object) -> bool:
    kind = evaluator.system.pools.get(pool)
    if kind is None or kind.spent or not isinstance(was, int) or not isinstance(now, int):
        return False
    return now > was if kind.taken else now < was


def treated_turns(past: Sequence[Entry], who: str) -> int:
    """In how many of its last turns, without a break, a fighter has treated itself."""
    turns: list[bool] = []
    treated = False
    for entry in past:
        if entry.intent.actor != who:
            continue
        why = entry.intent.get("reason")
        if isinstance(why, Mapping) and why.get("key") == "treats" and who in entry.intent.targets:
            treated = True
        if entry.intent.action == "next":
            turns.append(treated)
            treated = False
    count = 0
    for one in reversed(turns):
        if not one:
            break
        count += 1
    return count


def put_away_unused(past: Sequence[Entry], who: str) -> frozenset[str]:
    """What a fighter has taken in hand in this fight and stowed again without a use."""
    unused: set[str] = set()
    wasted: set[str] = set()
    for entry in past:
        if entry.intent.actor != who:
            continue
        unused -= {str(entry.intent.get(key)) for key in ("weapon", "item")}
        for event in entry.events:
            if event.who == who and event.what == "held":
                was, now = set(event.was or ()), set(event.now or ())
                wasted |= unused & (was - now)
                unused = (unused & now) | (now - was)
    return frozenset(wasted)
