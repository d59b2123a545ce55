"""Checks and contests (3D6-5), and the modifiers that every roll of this system shares."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from ...engine.dice_amount import one_die
from ...engine.events import Event
from ...engine.kinds import guess
from ...engine.record import Modifier
from ...engine.scene import Fighter, Intent, Scene
from ...engine.system import Action, Setup
from ...errors import Refused, Usage
from ...rules.situational import circumstance, standing
from .sheet import ABILITIES, FIELDS, SKILLS, ability_of, rank_of

DRUNK = -2
"""3D6-15: on every roll of a skill or an ability, once, and on both defences."""


def total(modifiers: Iterable[Modifier], roll: str) -> int:
    """The sum of the modifiers of one roll."""
    return sum(one.value for one in modifiers if one.roll == roll)


def skilled(fighter: Fighter, roll: str, skill: str, rule: str, ability: str = "") -> list[Modifier]:
    """What a skill (3D6-2) and its ability (3D6-1), or an ability alone, add to a roll."""
    found: list[Modifier] = []
    if skill not in ABILITIES:
        ability = ability or ability_of(fighter.sheet, skill)
        rank = rank_of(fighter.sheet, skill)
        found += [Modifier(roll, skill, rank, rule, "skill")] if rank else []
        found += standing(fighter, roll, skill)
    else:
        ability = skill
    worth = fighter.sheet["abilities"][ability]
    found += [Modifier(roll, ability, worth, rule, "ability")] if worth else []
    return found + standing(fighter, roll, ability)


def burdened(fighter: Fighter, roll: str) -> list[Modifier]:
    """What conditions take off a roll (3D6-15)."""
    return [Modifier(roll, "drunk", DRUNK, "3D6-15", "condition")] if fighter.has("drunk") else []


class Contest(NamedTuple):
    """A check against a difficulty, or against another's roll."""

    who: str
    bonus: int
    difficulty: int
    other: str = ""
    other_bonus: int = 0


class Checked(NamedTuple):
    """What a check came to."""

    success: bool
    total: int
    against: int

    @property
    def word(self) -> str:
        """In one word."""
        return "success" if self.success else "failure"


def check_stake(scene: Scene, intent: Intent) -> Setup:
    """A check of a skill or an ability; Usage without a difficulty (3D6-5: there is no default)."""
    fighter = scene.fighters[intent.actor]
    skill = _known(fighter, intent.get("skill", ""))
    modifiers = _checking(fighter, "check", skill) + circumstance(intent, "check")
    other, other_skill = intent.get("vs") or ("", "")
    if other:
        rival = scene.fighters[other]
        modifiers += [
            one._replace(against=other) for one in _checking(rival, "resist", _known(rival, other_skill))
        ]
        return Setup(
            Contest(intent.actor, total(modifiers, "check"), 0, other, total(modifiers, "resist")),
            tuple(modifiers),
        )
    if intent.get("difficulty") is None:
        raise Usage(
            "a check in 3d6 needs its difficulty (3D6-5)", hint="give --difficulty N, or --vs OTHER SKILL"
        )
    return Setup(Contest(intent.actor, total(modifiers, "check"), intent.get("difficulty")), tuple(modifiers))


def _checking(fighter: Fighter, roll: str, skill: str) -> list[Modifier]:
    name = FIELDS.get(skill, skill) if skill not in fighter.sheet["skills"] else skill
    return skilled(fighter, roll, name, "3D6-5") + standing(fighter, roll, "check") + burdened(fighter, roll)


def _known(fighter: Fighter, skill: str) -> str:
    skill = skill.lower().replace("_", "-").replace(" ", "-")
    known = (*ABILITIES, *SKILLS, *FIELDS, *fighter.sheet["skills"])
    if skill not in known:
        raise Refused(
            f"{fighter.name} has no skill or ability called {skill!r} (3D6-2){guess(skill, known)}",
            hint=f"there are: {', '.join(dict.fromkeys(known))}",
            rule="3D6-2",
        )
    return skill


def check(table: Any, stake: Contest) -> Checked:
    """3D6-5: three dice and the bonus, at or above the difficulty; in a contest a tie goes to the active side."""
    table.label("check", stake.who, "3d6")
    reached = table.times(3, one_die, 6) + stake.bonus
    if not stake.other:
        table.result(total=reached, target=stake.difficulty, success=reached >= stake.difficulty)
        return Checked(reached >= stake.difficulty, reached, stake.difficulty)
    table.result(total=reached)
    table.label("resist", stake.other, "3d6")
    resisted = table.times(3, one_die, 6) + stake.other_bonus
    table.result(total=resisted)
    return Checked(reached >= resisted, reached, resisted)


def no_effects(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterable[Event]:
    """Nothing changes."""
    return ()


CHECK = Action(
    "Roll a skill or an ability",
    "3D6-5",
    check_stake,
    no_effects,
    check,
    window="any",
    options=("difficulty", "vs"),
    candidates=lambda scene, who: (),
)
