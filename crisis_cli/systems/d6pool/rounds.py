"""What the start of a round brings: dying, waking up, shock, bleeding and poison (POOL-37, POOL-38)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ...play.events import Event, change, folded
from ...play.scene import Intent, Scene
from ..system import Action, Staked
from .conditions import follow, hearts, level_of, worsened, wounded
from .luck import Hand
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


def stake(scene: Scene, intent: Intent) -> Staked:
    """Everyone in the order of initiative; their conditions burden none of these rolls."""
    patients = []
    modifiers = []
    for name in scene.order or scene.fighters:
        fighter = scene.fighters[name]
        trials = []
        for condition, skill in SKILL.items():
            if fighter.has(condition) and not fighter.gone:
                hand, found = resisting(fighter, "resist", skill, free=True)
                trials.append(Trial(condition, level_of(fighter, condition), hand))
                modifiers += [one._replace(against=name) for one in found]
        if trials:
            patients.append(Patient(name, hearts(fighter), tuple(trials)))
    return Staked(tuple(patients), tuple(modifiers))


def begin(table: Any, patients: tuple[Patient, ...]) -> Endured | None:
    """A rule: every trial in its order; whoever bleeds to death's door has other worries than poison."""
    if not patients:
        return None
    return Endured(tuple(one for patient in patients for one in table.ask(tried, patient)))


def tried(table: Any, patient: Patient) -> tuple[tuple[str, str, int], ...]:
    """A rule: the trials of one fighter."""
    found = []
    for trial in patient.trials:
        most = 1 if trial.condition in ("dying", "bleeding") else trial.level
        held = min(most, table.ask(_successes, trial.hand, trial.condition))
        if trial.condition == "unconscious":
            table.reckon(difficulty=most, success=held >= most)
        found.append((patient.who, trial.condition, held))
        if trial.condition == "bleeding" and not held and trial.level >= patient.hearts:
            break
    return tuple(found)


def _successes(table: Any, hand: Hand, condition: str) -> int:
    return successes(table, "resist", hand)[0]


def go_on(scene: Scene, intent: Intent, stake: Any, outcome: Endured | None) -> Iterator[Event]:
    """POOL-37, POOL-38: what is not withstood takes its course."""
    for who, condition, held in outcome.withstood if outcome else ():
        events = tuple(_course(scene, who, condition, held))
        scene = folded(scene, events)
        after = tuple(follow(scene, who))
        scene = folded(scene, after)
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
