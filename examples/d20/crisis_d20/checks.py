"""The die, checks and saving throws (D20-5, D20-6)."""

from __future__ import annotations

from typing import Any, NamedTuple

from crisis_cli.rules import Fighter, Intent, Modifiers, RuleTable, Scene, Setup, known_word

from .conditions import HELPLESS
from .sheet import ABILITIES, SKILLS


class Roll(NamedTuple):
    """A d20 that somebody rolls."""

    what: str
    who: str
    bonus: int
    advantage: int = 0
    """1: two dice, the higher counts; -1: the lower."""


def d20(table: RuleTable, advantage: int) -> int:
    """D20-6: the face that counts of one die, or of two."""
    return table.pool(2, 20)[max(advantage, 0)] if advantage else table.die(20)


def thrown(table: RuleTable, roll: Roll, **about: Any) -> int:
    """The face that counts of a labelled d20."""
    table.label(roll.what, roll.who, {1: "2d20kh1", -1: "2d20kl1"}.get(roll.advantage, "d20"), **about)
    return table.ask(d20, roll.advantage)


def tested(roll: str, rule: str, fighter: Fighter, word: str, against: str = "") -> Modifiers:
    """D20-5: what an ability or a skill adds to a check, a saving throw or initiative."""
    ability, saves = SKILLS.get(word, word), roll == "save"
    found = Modifiers(roll, rule, against).add(ability, fighter.sheet["abilities"][ability], source="ability")
    trained = word in fighter.sheet["trained"] and (saves or word in SKILLS)
    found.add("proficiency", fighter.sheet["proficiency"] * trained, source=word)
    found.situational(fighter, roll, ability, word)
    nimble = saves and ability == "dexterity"
    found.advantage("restrained", -(nimble and fighter.has("restrained")), "D20-17")
    found.advantage("dodging", +(nimble and fighter.has("dodging")), "D20-10")
    for condition in ("poisoned", "frightened"):
        found.advantage(condition, -(not saves and fighter.has(condition)), "D20-17")
    return found


def with_advantage(found: Modifiers, intent: Intent) -> Modifiers:
    """D20-6: what the command says: `--mod`, `--advantage`, `--disadvantage`."""
    found.asked(intent).advantage("advantage", +bool(intent.get("advantage")), "D20-6", "--advantage")
    return found.advantage("disadvantage", -bool(intent.get("disadvantage")), "D20-6", "--disadvantage")


class SavingThrow(NamedTuple):
    """A saving throw that somebody makes."""

    roll: Roll
    difficulty: int
    fails: bool
    """Whether it fails without a roll."""


def saving_throw(fighter: Fighter, ability: str, difficulty: int, rule: str) -> tuple[SavingThrow, Modifiers]:
    """D20-5: a saving throw of a fighter; D20-17: who is helpless fails those of strength and dexterity."""
    found = tested("save", rule, fighter, ability, fighter.name)
    fails = ability in ABILITIES[:2] and any(map(fighter.has, (*HELPLESS, "stunned")))
    return SavingThrow(Roll("save", fighter.name, found.total, found.net_advantage), difficulty, fails), found


def saves(table: RuleTable, save: SavingThrow) -> bool:
    """D20-5: a d20 at or above the difficulty."""
    if save.fails:
        return False
    total = thrown(table, save.roll) + save.roll.bonus
    table.result(total=total, target=save.difficulty, success=total >= save.difficulty)
    return total >= save.difficulty


# Checks


class CheckSetup(NamedTuple):
    """A check against a difficulty, or against another's roll."""

    roll: Roll
    difficulty: int
    other: Roll | None = None


class CheckResult(NamedTuple):
    """What a check came to."""

    success: bool
    total: int


USUAL = 10
"""D20-5: the difficulty where none is given."""


def check_setup(scene: Scene, intent: Intent) -> Setup:
    """D20-5: an ability or a skill, against a difficulty or somebody else's."""
    known = (*ABILITIES, *SKILLS)
    fighter = scene.fighters[intent.actor]
    skill = known_word(fighter, intent.get("skill", ""), known, "ability or skill", "D20-1")
    mine = with_advantage(tested("check", "D20-5", fighter, skill), intent)
    roll = Roll("check", fighter.name, mine.total, mine.net_advantage)
    if not intent.get("vs"):
        return Setup(CheckSetup(roll, intent.get("difficulty", USUAL)), Modifiers.lines_of(mine))
    other, word = intent.get("vs")
    word = known_word(scene.fighters[other], word, known, "ability or skill", "D20-1")
    theirs = tested("check", "D20-5", scene.fighters[other], word, other)
    resists = Roll("resist", other, theirs.total, theirs.net_advantage)
    return Setup(CheckSetup(roll, 0, resists), Modifiers.lines_of(mine, theirs))


def check(table: RuleTable, setup: CheckSetup) -> CheckResult:
    """D20-5: at or above the difficulty, or what the other rolls."""
    total, difficulty = thrown(table, setup.roll) + setup.roll.bonus, setup.difficulty
    if setup.other is None:
        table.result(total=total, target=difficulty, success=total >= difficulty)
        return CheckResult(total >= difficulty, total)
    table.result(total=total)
    difficulty = thrown(table, setup.other) + setup.other.bonus
    table.result(total=difficulty)
    return CheckResult(total >= difficulty, total)
