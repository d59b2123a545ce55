"""What the last rounds have brought: whether the fight gets on, and whether a fighter does nothing but treat itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..engine.record import Entry
from ..engine.scene import Scene
from .evaluation import Evaluator

ROUNDS = 3
"""Rounds without progress after which a plan changes."""
PROGRESS = 0.05
"""The least share of everybody's points that must be lost in so many rounds."""


def is_stalled(evaluator: Evaluator, scene: Scene, past: Sequence[Entry]) -> bool:
    """Whether next to nobody has been hurt for three rounds."""
    whole = sum(map(evaluator.vitality.size, evaluator.standing(scene)))
    least, lost, rounds = PROGRESS * whole / POINT_WEIGHT, 0, 0
    for entry in reversed(past):
        for event in entry.events:
            if event.what == "round" and not event.who:
                rounds += 1
            elif event.who in scene.fighters and _is_harm(evaluator, event.what, event.was, event.now):
                lost += abs(event.now - event.was)
        if rounds > ROUNDS or lost >= least:
            return lost < least
    return False


POINT_WEIGHT = 3
"""What the points of a fighter's state are weighted with (`Vitality.points`)."""


def _is_harm(evaluator: Evaluator, pool: str, was: object, now: object) -> bool:
    kind = evaluator.system.pools.get(pool)
    if kind is None or kind.spent or not isinstance(was, int) or not isinstance(now, int):
        return False
    return now > was if kind.counts_up else now < was


def holds_ground(past: Sequence[Entry], who: str) -> bool:
    """Whether a fighter has attacked in its last turn and not moved."""
    attacked = ended = False
    for entry in reversed(past):
        if entry.intent.actor != who:
            continue
        if entry.intent.action == "next":
            if ended:
                break
            ended = True
        elif ended:
            if any(event.who == who and event.what == "at" for event in entry.events):
                return False
            attacked = attacked or any(target != who for target in entry.intent.targets)
    return attacked


def treated_turns(past: Sequence[Entry], who: str) -> int:
    """In how many of its last turns, without a break, a fighter has treated itself."""
    return _turns_running(past, who, lambda entry, key: key == "treats" and who in entry.intent.targets)


POSTURES = ("covers", "steadies", "settles")
"""The keys of reasons for another posture."""


def has_acted(past: Sequence[Entry], who: str) -> bool:
    """Whether a fighter has done anything in the turn under way."""
    last = next((entry for entry in reversed(past) if entry.intent.actor == who), None)
    return last is not None and last.intent.action != "next"


def has_changed_posture(past: Sequence[Entry], who: str) -> bool:
    """Whether a fighter has changed its own condition in the turn under way: by an action that a player chose and that
    is aimed at nobody, or by a decision for cover or for a better aim."""
    for entry in reversed(past):
        if entry.intent.actor != who or entry.intent.action == "next":
            break
        took = entry.reason.get("key") in POSTURES if entry.reason else not entry.intent.targets
        if took and any(event.who == who and event.what.startswith("condition:") for event in entry.events):
            return True
    return False


def awaited_turns(past: Sequence[Entry], who: str) -> int:
    """In how many of its last turns, without a break, a fighter has waited for foes to come."""
    return _turns_running(past, who, lambda entry, key: key in ("awaits", "watches"))


def watches(past: Sequence[Entry], who: str) -> bool:
    """Whether the last decision of a fighter in its own turns was to stand ready for those of others."""
    decided = (
        entry.reason.get("key") for entry in reversed(past) if entry.intent.actor == who and entry.reason
    )
    return next((key for key in decided if key not in IDLE), "") == "watches"


UNABLE = ("nothing", "nothing-better", "later")
"""The keys of reasons with which a turn ends without anything done."""
IDLE = ("awaits", *UNABLE, "spent")
"""The keys of reasons with which a turn ends."""


def idle_turns(past: Sequence[Entry], who: str) -> int:
    """In how many of its last turns, without a break, a fighter did nothing for want of anything worth it."""
    return _turns_running(past, who, lambda entry, key: key in UNABLE)


def _turns_running(past: Sequence[Entry], who: str, counts: Callable[[Entry, object], bool]) -> int:
    """How many of a fighter's last turns, without a break, hold an entry that counts, by it and the key of its
    reason."""
    turns, found = -1, True
    for entry in reversed(past):
        if entry.intent.actor != who:
            continue
        if entry.intent.action == "next":
            if not found:
                return turns
            turns, found = turns + 1, False
        if turns >= 0:
            found = found or (bool(entry.reason) and counts(entry, entry.reason.get("key")))
    return turns + found


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
