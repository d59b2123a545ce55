"""Checks of a skill or an attribute (POOL-4 to POOL-6)."""

from __future__ import annotations

from ...rules import (
    Fault,
    Intent,
    NamedTuple,
    RuleTable,
    Scene,
    Setup,
    check_action,
    known_word,
    refuse,
)
from .rolls import SPENDING, PoolRoll, counted, luck_spent, roll_pool, skill_roll
from .sheet import (
    ATTRIBUTES,
    SKILLS,
)

# Checks


class CheckResult(NamedTuple):
    """What a check came to; the total is its successes (POOL-6)."""

    success: bool
    total: int
    repaid: tuple[str, ...] = ()


def check_setup(scene: Scene, intent: Intent) -> Setup:
    """A roll of any skill or attribute at a difficulty (POOL-4, POOL-5)."""
    if intent.get("vs"):
        what, hint = "no roll is measured against another's", "--difficulty says how hard it is"
        refuse(intent, what, "POOL-5", hint, final=True, code="unheeded_option")
    return skill_roll(scene, intent, "check", known_skill(scene, intent))


def known_skill(scene: Scene, intent: Intent) -> str:
    """The skill or attribute that the command names (POOL-1): an unknown one is worth 0, a misspelt one refused."""
    word: str = intent.get("skill", "")
    here = (name for one in scene.fighters.values() for name in one.sheet["skills"])
    names = (*ATTRIBUTES, *SKILLS, *here)
    as_said = bool(intent.get("force")) or not Fault.guess(word, names)
    return known_word(scene.fighters[intent.actor], word, names, "skill", "POOL-1", forced=as_said)


def check(table: RuleTable, roll: PoolRoll) -> CheckResult:
    """POOL-4, POOL-6: one success is enough; more are more."""
    found, used = roll_pool(table, "check", roll, counted)
    return CheckResult(found > 0, found, used)


CHECK = check_action(
    "Roll a skill or an attribute", "POOL-4", check_setup, check, SPENDING, counts="successes"
)._replace(choices=luck_spent)
