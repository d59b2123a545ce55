"""Movement and postures (STEP-16, STEP-17)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...rules import (
    Action,
    Changes,
    Cost,
    Fighter,
    Intent,
    Modifiers,
    Says,
    Scene,
    Setup,
    has,
    lacks,
    move_action,
    refuse,
    unable,
)
from .checks import AIM, DIFFICULTY, STEALTH, CheckResult, CheckSetup, dice_of, pace, perception, skilled
from .sheet import (
    CONDITIONS,
    SPACE,
)

# Movement and postures

PART = "go part of the way, and on with the next AP"


def ap(amount: int, gear: str = "") -> tuple[Cost, ...]:
    """STEP-16: so many AP, or as many as this key of the thing in use says."""
    return (Cost("ap", amount, gear, rule="STEP-16"),)


def marking(mark: str, value: int = 0) -> Callable[..., None]:
    """Effects of setting a mark of the actor, or clearing it (STEP-16)."""
    return lambda changes, intent, *_: changes.mark(intent.actor, mark, value, "STEP-16")


def half_pace(fighter: Fighter) -> int:
    """STEP-16: tiles of a move at a crouch, or unseen."""
    return pace(fighter) // 2


HIDDEN = has("hidden", "STEP-16", hint="first: crisis act {who} hide")
KNEELING = has("kneeling", "STEP-16", hint="first: crisis act kneel")
PRONE = has("prone", "STEP-16", hint="first: crisis act prone")
UPRIGHT = (
    lacks("prone", "STEP-16", "{who} is prone and cannot {action}", hint="crawl or rise"),
    lacks("kneeling", "STEP-16", "{who} is kneeling and cannot {action}", hint="crouch or rise"),
)
Requirement = Callable[[Scene, Intent], None]


def walk(title: str, most: Callable[[Fighter], int], cost: int, says: str, *requires: Requirement) -> Action:
    """The row of a way of going up to `most` tiles, which loses the aim."""
    also = marking(AIM)
    return move_action(
        title, "STEP-16", most, ap(cost), says, space=SPACE, hint=PART, requires=requires, also=also
    )


SNEAK = walk("Move unseen up to half Pace", half_pace, 1, "{actor} sneaks along", HIDDEN)
"""The move of a sneak, without its check."""


def sneak_setup(scene: Scene, intent: Intent) -> Setup:
    """STEP-16: stealth at 4 or better, above the Perception of every foe able to act."""
    fighter = scene.fighters[intent.actor]
    most = SNEAK.setup(scene, intent).carried
    mine = skilled(fighter, "check", "stealth", "STEP-16").asked(intent)
    goal = Modifiers("difficulty", "STEP-16").base("base", DIFFICULTY)
    watching = (foe for foe in scene.foes(fighter.name) if not unable(CONDITIONS, foe)[0])
    unnoticed = max(goal.total, *(perception(scene, foe.name) + 1 for foe in watching), 0)
    return Setup(
        CheckSetup(dice_of(fighter, "stealth", mine), unnoticed), Modifiers.lines_of(mine, goal), carried=most
    )


def sneak_effects(changes: Changes, intent: Intent, setup: Setup, result: CheckResult) -> None:
    """STEP-16: gone so far, still hidden or not, and what a search must reach from now on."""
    if (to := intent.get("to")) is not None:
        changes.move(intent.actor, to, "STEP-16")
    changes.mark(intent.actor, AIM, 0, "STEP-16")
    changes.begin(intent.actor, "hidden", "STEP-16", result.success)
    changes.mark(intent.actor, STEALTH, result.total if result.success else 0, "STEP-16")


POSTURE_COSTS = {
    ("", "kneel"): ("kneeling", 1),
    ("prone", "kneel"): ("kneeling", 1),
    ("", "prone"): ("prone", 2),
    ("kneeling", "prone"): ("prone", 1),
    ("kneeling", "rise"): ("", 1),
    ("prone", "rise"): ("", 2),
}
"""STEP-16: from a posture by an action to another, and the AP it takes."""


def posture_setup(scene: Scene, intent: Intent) -> Setup:
    """STEP-16: kneeling, lying down, rising; refused where it changes nothing."""
    fighter = scene.fighters[intent.actor]
    now = next((one for one in ("prone", "kneeling") if fighter.has(one)), "")
    if (now, intent.action) not in POSTURE_COSTS:
        message = f"{intent.actor} is {now or 'standing'} already"
        refuse(intent, message, "STEP-16", final=True, code="condition_forbids")
    then, amount = POSTURE_COSTS[now, intent.action]
    return Setup(then, costs=ap(amount))


def take_posture(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
    """STEP-17: the one posture and not the other."""
    for one in ("prone", "kneeling"):
        changes.begin(intent.actor, one, "STEP-16", one == setup.dice)


KNEEL = Action("Kneel", "STEP-16", posture_setup, take_posture, says=Says("{actor} kneels"))
