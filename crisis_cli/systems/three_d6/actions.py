"""Checks, the turn order, action points, and the actions without an attack (3D6-5 to 3D6-14)."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...errors import Usage
from ...rules import (
    Action,
    Amount,
    Changes,
    Cost,
    Fighter,
    Intent,
    Modifiers,
    RuleTable,
    Runner,
    Scene,
    Setup,
    draw_action,
    has,
    initiative_action,
    known_word,
    lacks,
    lines_of,
    move_action,
    no_effects,
    no_setup,
    reload_action,
    sum_of,
    tie,
)
from .sheet import ABILITIES, FIELDS, SKILLS, drunk, skilled

# Checks

THREE_DICE = Amount(3, 6)
"""3D6-5: the dice of every check, and of the turn order (3D6-6)."""


class CheckSetup(NamedTuple):
    """A check against a difficulty, or against another's roll."""

    who: str
    bonus: int
    difficulty: int
    other: str = ""
    other_bonus: int = 0


class CheckResult(NamedTuple):
    """What a check came to."""

    success: bool
    total: int
    against: int


def check_setup(scene: Scene, intent: Intent) -> Setup:
    """A check of a skill or an ability; Usage without a difficulty (3D6-5: there is no default)."""
    mine = check_roll("check", scene.fighters[intent.actor], intent.get("skill", "")).asked(intent)
    other, other_skill = intent.get("vs") or ("", "")
    if other:
        theirs = check_roll("resist", scene.fighters[other], other_skill, against=other)
        return Setup(CheckSetup(intent.actor, mine.total, 0, other, theirs.total), lines_of(mine, theirs))
    if intent.get("difficulty") is None:
        needs = "a check in 3d6 needs its difficulty (3D6-5)"
        raise Usage(needs, hint="give --difficulty N, or --vs OTHER SKILL")
    return Setup(CheckSetup(intent.actor, mine.total, intent.get("difficulty")), lines_of(mine))


def check_roll(roll: str, fighter: Fighter, word: str, against: str = "") -> Modifiers:
    """3D6-5: what a skill, a field or an ability adds to a check."""
    known = (*ABILITIES, *SKILLS, *FIELDS, *fighter.sheet["skills"])
    skill = known_word(fighter, word, known, "skill or ability", "3D6-2")
    skill = skill if skill in fighter.sheet["skills"] else FIELDS.get(skill, skill)
    found = Modifiers(roll, "3D6-5", against).extend(skilled(roll, "3D6-5", fighter, skill))
    return drunk(found.situational(fighter, "check"), fighter)


def check(table: RuleTable, setup: CheckSetup) -> CheckResult:
    """3D6-5: three dice and the bonus, at or above the difficulty; in a contest a tie goes to the active side."""
    table.label("check", setup.who, "3d6")
    total = sum_of(table, THREE_DICE) + setup.bonus
    if not setup.other:
        success = total >= setup.difficulty
        table.result(total=total, target=setup.difficulty, success=success)
        return CheckResult(success, total, setup.difficulty)
    table.result(total=total)
    table.label("resist", setup.other, "3d6")
    resisted = sum_of(table, THREE_DICE) + setup.other_bonus
    table.result(total=resisted)
    return CheckResult(total >= resisted, total, resisted)


CHECK = Action(
    "Roll a skill or an ability",
    "3D6-5",
    check_setup,
    no_effects,
    check,
    words=("success", "failure"),
    window="any",
    options=("difficulty", "vs"),
    candidates=lambda scene, who: (),
    says="{actor} tries {skill}",
)

# The turn order and action points

GAIN, GAIN_EXHAUSTED = 4, 2
"""3D6-10: AP gained at the start of every round; 3D6-13: with Endurance at 0."""


def runner(fighter: Fighter) -> tuple[Runner, Modifiers]:
    """3D6-6: intelligence and speed; 3D6-7: ties by intelligence, then speed."""
    found = Modifiers("initiative", "3D6-6")
    intelligence, speed = (fighter.sheet["abilities"][ability] for ability in ("intelligence", "speed"))
    found.add("intelligence", intelligence, source="ability").add("speed", speed, source="ability")
    drunk(found.situational(fighter, "initiative", "intelligence", "speed"), fighter)
    return Runner(fighter.name, found.total, (-intelligence, -speed)), found


def score(table: RuleTable, one: Runner, tied_with: tuple[str, ...] = ()) -> int:
    """3D6-6: three dice and the bonus; 3D6-7: once more for a tie."""
    table.label("initiative", one.name, "3d6", **tie(tied_with))
    total: int = sum_of(table, THREE_DICE) + one.bonus
    table.result(total=total)
    return total


def gain_ap(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
    """3D6-8 to 3D6-10, 3D6-13, 3D6-17: all gain AP together; in the extra turn (3D6-9) only those who are in it."""
    scene = changes.scene
    for name, fighter in scene.fighters.items():
        early = scene.round > 0 or name in scene.early
        if fighter.gone or fighter.has("stunned") or fighter.pools["health"] <= 0 or not early:
            continue
        gain, rule = (GAIN_EXHAUSTED, "3D6-13") if fighter.pools["endurance"] <= 0 else (GAIN, "3D6-10")
        changes.adjust(name, "ap", gain, rule)


PHASES = {
    "start-round": Action("All gain AP", "3D6-10", no_setup, gain_ap, window="table"),
}

# Movement, posture, things in hand


def pace(fighter: Fighter) -> int:
    """3D6-14: metres of one move, speed + 5."""
    found = Modifiers("move", "3D6-14").base("base", 5).add("speed", fighter.sheet["abilities"]["speed"])
    return max(0, found.situational(fighter, "move").total)


def half_pace(fighter: Fighter) -> int:
    """3D6-14: metres of one sneak, half of the whole (a reading: speed / 2 + 5 would be another)."""
    return pace(fighter) // 2


def ap(amount: int, per_item: str = "") -> tuple[Cost, ...]:
    """So many AP, or as many as the key of the item in use says."""
    return (Cost("ap", amount, per_item),)


ON = "go part of the way, and on with the next AP"
"""What to do about a place that is too far away."""
ACTIONS = {
    "draw": draw_action("3D6-14", ap(1), says="{actor} draws the {gear}"),
    "hide": Action(
        "Hide where nobody looks",
        "3D6-14",
        costs=ap(3),
        requires=(lacks("hidden", "3D6-14"),),
        sets={"hidden": True},
        says="{actor} hides",
        ai=False,
    ),
    "move": move_action("Move", "3D6-14", pace, ap(1), "{actor} moves", hint=ON),
    "sneak": move_action("Move unheard", "3D6-14", half_pace, ap(1), "{actor} sneaks along", hint=ON),
    "stand-up": Action(
        "Stand up",
        "3D6-14",
        costs=ap(2),
        requires=(has("prone", "3D6-14"),),
        sets={"prone": False},
        says="{actor} gets up",
    ),
    "drop-prone": Action(
        "Drop to the ground",
        "3D6-14",
        costs=ap(1),
        requires=(lacks("prone", "3D6-14"),),
        sets={"prone": True},
        says="{actor} drops to the ground",
    ),
    "reload": reload_action("3D6-14", ap(2, "reload"), loads="rounds", says="{actor} reloads the {gear}"),
}
INIT = initiative_action("3D6-6", runner, score)
