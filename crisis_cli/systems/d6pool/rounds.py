"""What the start of a round brings: dying, waking up, shock, bleeding and poison (POOL-37, POOL-38)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ...engine.events import Event, apply_all, change
from ...engine.scene import Intent, Scene
from ...engine.system import Action, Setup
from .conditions import follow, hearts, level_of, worsened, wounded
from .luck import Hand, taken, without
from .rolls import resisting, successes

SKILL = {
    "dying": "resistance",
    "unconscious": "willpower",
    "shocked": "endurance",
    "bleeding": "endurance",
    "poisoned": "resistance",
}
"""What each condition is withstood with, in the order in which they are (POOL-37, POOL-38)."""


class Trial(NamedTuple):
    """One roll that a condition demands."""

    condition: str
    level: int
    hand: Hand


class Patient(NamedTuple):
    """Whose conditions are looked at, and how many wounds would be too many."""

    who: str
    hearts: int
    trials: tuple[Trial, ...]


class Endured(NamedTuple):
    """By fighter and condition, what was withstood of it: its levels, or 1 where one success is enough."""

    withstood: tuple[tuple[str, str, int], ...]
    spent: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """By fighter, what was spent on these rolls (POOL-7)."""


def stake(scene: Scene, intent: Intent) -> Setup:
    """Everyone in the order of initiative; their conditions burden none of these rolls."""
    patients = []
    modifiers = []
    for name in scene.order or scene.fighters:
        fighter = scene.fighters[name]
        trials = []
        for condition, skill in SKILL.items():
            if fighter.has(condition) and not fighter.gone:
                hand, found = resisting(scene, name, "resist", skill, free=True)
                trials.append(Trial(condition, level_of(fighter, condition), hand))
                modifiers += [one._replace(against=name) for one in found]
        if trials:
            patients.append(Patient(name, hearts(fighter), tuple(trials)))
    return Setup(tuple(patients), tuple(modifiers))


def begin(table: Any, patients: tuple[Patient, ...]) -> Endured | None:
    """A rule: every trial in its order; whoever bleeds to death's door has other worries than poison."""
    if not patients:
        return None
    found = [(patient.who, *table.ask(tried, patient)) for patient in patients]
    withstood = tuple((who, *one) for who, held, _ in found for one in held)
    return Endured(withstood, tuple((who, used) for who, _, used in found if used))


def tried(table: Any, patient: Patient) -> tuple[tuple[tuple[str, int], ...], tuple[str, ...]]:
    """A rule: the trials of one fighter: by condition what was withstood of it; and what was spent on them."""
    found: list[tuple[str, int]] = []
    spent: tuple[str, ...] = ()
    for trial in patient.trials:
        most = 1 if trial.condition in ("dying", "bleeding") else trial.level
        needs = trial.level if trial.condition == "unconscious" else 1
        hand = trial.hand._replace(luck=without(trial.hand.luck, spent))
        count, used = table.ask(withstood, hand, needs)
        held, spent = min(most, count), (*spent, *used)
        if trial.condition == "unconscious":
            table.result(difficulty=needs)
        found.append((trial.condition, held))
        if trial.condition == "bleeding" and not held and trial.level >= patient.hearts:
            break
    return tuple(found), spent


def withstood(table: Any, hand: Hand, needs: int) -> tuple[int, tuple[str, ...]]:
    """A rule: the successes of one roll, and what was spent on it."""
    return successes(table, "resist", hand, needs)


def go_on(scene: Scene, intent: Intent, stake: Any, outcome: Endured | None) -> Iterator[Event]:
    """POOL-37, POOL-38: what is not withstood takes its course."""
    for who, used in outcome.spent if outcome else ():
        events = tuple(taken(scene, who, used))
        scene = apply_all(scene, events)
        yield from events
    for who, condition, held in outcome.withstood if outcome else ():
        events = tuple(_course(scene, who, condition, held))
        scene = apply_all(scene, events)
        after = tuple(follow(scene, who))
        scene = apply_all(scene, after)
        yield from (*events, *after)


def _course(scene: Scene, who: str, condition: str, held: int) -> Iterator[Event]:
    level = level_of(scene.fighters[who], condition)
    if not level:
        return
    if condition == "dying":
        if not held:
            yield from worsened(scene, who, 1)
    elif condition == "bleeding":
        if not held:
            yield from wounded(scene, who, level, "POOL-38")
    elif condition == "unconscious":
        if held >= level:
            yield from change(scene, who, "condition:unconscious", False, "POOL-38")
    elif held:
        yield from change(scene, who, f"condition:{condition}", level - held or False, "POOL-38")


ROUND = Action("What conditions do", "POOL-38", stake, go_on, begin, window="table")
