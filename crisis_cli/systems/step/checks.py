"""Dice and difficulties, values that follow from the sheet, checks, and the turn order (STEP-3 to STEP-15, STEP-22)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...rules import (
    Action,
    Changes,
    Fighter,
    Initiative,
    Intent,
    Modifiers,
    NamedTuple,
    RuleTable,
    Scene,
    Setup,
    check_action,
    initiative_action,
    known_word,
    refuse,
    unable,
)
from . import sheet
from .sheet import CONDITIONS, die_of

AIM, OVERWATCH, STEALTH = "aim", "overwatch", "stealth"
"""Marks: +1 each on the next ranged attack; attacks in others' turns; the roll that a search must reach (STEP-16)."""
COVER = {"none": 0, "light": -2, "heavy": -4}
"""STEP-22: on every roll that needs sight; behind total cover nobody can be hit or seen."""

# Rolls

DIFFICULTY = 4
"""STEP-6: where nothing else is said."""
CRITICAL_FAILURE = -1_000_000
"""STEP-5: what a roll of two ones reaches, whatever is added: less than any other."""


class DieAndBonus(NamedTuple):
    who: str
    sides: int
    bonus: int = 0


def skilled(fighter: Fighter, roll: str, skill: str, rule: str, against: str = "") -> Modifiers:
    """All that a fighter adds to a roll; the drunk have 2 less where speed or balance counts (STEP-17)."""
    sides, step = die_of(fighter.sheet, skill)
    added = Modifiers(roll, rule, against).add(skill, step, "STEP-1", f"d{sides}+{step}")
    added.situational(fighter, skill, roll)
    balance = roll == "attack" or skill in ("athletics", "stealth", "operate")
    for condition, worth in (("drunk", -2 if balance else -1), ("exhausted", -2), ("fatigued", -1)):
        added.add(condition, worth * fighter.has(condition), "STEP-17", "condition")
    return added


def dice_of(fighter: Fighter, skill: str, added: Modifiers) -> DieAndBonus:
    """The die of a skill, and what these modifiers add to it."""
    return DieAndBonus(fighter.name, die_of(fighter.sheet, skill)[0], added.total)


def roll(table: RuleTable, sides: int) -> int:
    """STEP-5: one die that explodes, 0 for a critical failure; only a first 1 implodes (both are readings)."""
    value: int = table.exploding(1, sides, int)
    return 0 if value == 1 and table.die(sides) == 1 else value


def face_words(dice: str, faces: Sequence[int]) -> Sequence[int | str]:
    """STEP-5: the second face of an implosion does not count: `[1 (6)]`."""
    implodes = dice.startswith("d") and len(faces) == 2 and faces[0] == 1
    return (faces[0], f"({faces[1]})") if implodes else faces


def rolled(
    table: RuleTable, what: str, dice: DieAndBonus, goal: int | None = None, added: int = 0, **about: object
) -> tuple[int, int]:
    """STEP-5, STEP-6, STEP-9: a labelled roll and `added`, the worth of helpers, noted against a difficulty.

    Gives what it reaches, a critical failure less than all but another, and its total, in which that counts as 1 before
    modifiers (both are readings).
    """
    table.label(what, dice.who, f"d{dice.sides}", **about)
    natural, bonus = table.ask(roll, dice.sides), dice.bonus + added
    reached, total = natural + bonus if natural else CRITICAL_FAILURE, max(1, natural) + bonus
    success, failed = None if goal is None else reached >= goal, None if natural else True
    table.result(total=total, target=goal, success=success, added=added or None, critical_failure=failed)
    return reached, total


def extras(total: int) -> int:
    """STEP-8: a quarter of a success's total, less one."""
    return max(0, total // 4 - 1)


# Values that follow from the sheet

MOST_AROUND = 4
"""STEP-3: so many further enemies, or allies, count."""


def born(table: RuleTable, raw: Mapping[str, Any]) -> dict[str, int]:
    """STEP-3: Health is 20 and one body roll that explodes and does not implode; nothing where it is given."""
    if "health" in raw:
        return {}
    sides, step = sheet.split(sheet.Die().read(raw.get("attributes", {}).get("body", "d4"), (), []))
    table.label("health", str(raw.get("name", "")), f"d{sides}")
    return {"health": 20 + step + table.exploding(1, sides, int)}


def pace(fighter: Fighter) -> int:
    """STEP-3: tiles of a move; half of it slowed (STEP-17)."""
    usual = fighter.sheet.get("pace", sum(die_of(fighter.sheet, "body")) // 2)
    tiles = max(0, Modifiers("pace", "STEP-3").base("pace", usual).situational(fighter, "pace").total)
    return tiles // 2 if fighter.has("slowed") else tiles


def perception(scene: Scene, who: str) -> int:
    """STEP-3: half of mind, 1, and 1 for each ally within 10 tiles who can notice."""
    fighter = scene.fighters[who]
    usual = fighter.sheet.get("perception", sum(die_of(fighter.sheet, "mind")) // 2 + 1)
    allies = [ally for ally in scene.of_side(fighter.side) if ally.name != who]
    added = Modifiers("perception", "STEP-3").base("perception", usual).situational(fighter, "perception")
    return added.total + min(MOST_AROUND, able_within(scene, allies, who, 10))


def able_within(scene: Scene, fighters: list[Fighter], who: str, most: int) -> int:
    """How many of the fighters can act, and are known to be no more than so many tiles away."""
    able = (fighter.name for fighter in fighters if not unable(CONDITIONS, fighter)[0])
    return sum(tiles is not None and tiles <= most for tiles in (scene.distance(name, who) for name in able))


# Checks


class CheckSetup(NamedTuple):
    """A check against a difficulty, or against another's roll."""

    dice: DieAndBonus
    difficulty: int
    crisis: bool = False
    """Whether there are extras (STEP-8)."""
    helpers: tuple[DieAndBonus, ...] = ()
    rival: DieAndBonus | None = None


class CheckResult(NamedTuple):
    success: bool
    total: int
    against: int
    extras: int = 0


def check_setup(scene: Scene, intent: Intent) -> Setup:
    """A check of a skill or an attribute (STEP-6), or a contest (STEP-9), which may find a hidden rival (STEP-16)."""
    fighter = scene.fighters[intent.actor]
    skill = known_skill(fighter, intent.get("skill", ""))
    mine = skilled(fighter, "check", skill, "STEP-6").asked(intent)
    # That no two assets are of one kind is the player's word.
    mine.add("assets", intent.get("assets", 0), "STEP-7", "--assets")
    helpers, lines = helpers_of(scene, intent, skill)
    other, other_skill = intent.get("vs") or ("", "")
    goal, rival_dice, hidden = Modifiers("difficulty", "STEP-6"), None, False
    if not other:
        goal.base("difficulty", intent.get("difficulty", DIFFICULTY))
    else:
        rival = scene.fighters[other]
        other_skill = known_skill(rival, other_skill)
        if skill == "search":
            hidden = other_skill == "stealth" and rival.has("hidden")
            level, source, _ = scene.cover_between(other, intent.actor)
            mine.cover(intent, other, COVER, level, "STEP-22", source)
        if hidden and rival.marks.get(STEALTH):
            goal.add(f"{other}'s stealth", rival.marks[STEALTH], "STEP-16")
        else:
            lines.append(skilled(rival, "resist", other_skill, "STEP-9", other))
            rival_dice = dice_of(rival, other_skill, lines[-1])
    dice = CheckSetup(dice_of(fighter, skill, mine), goal.total, scene.open, helpers, rival_dice)
    return Setup(dice, Modifiers.lines_of(mine, goal, *lines), carried=other if hidden else "")


def known_skill(fighter: Fighter, word: str) -> str:
    """A skill or an attribute as the rules spell it; Refused where the fighter has no such thing."""
    known = (*sheet.ATTRIBUTES, *sheet.SKILLS, *fighter.sheet["skills"])
    return known_word(fighter, word.strip(), known, "skill or attribute", "STEP-2")


def helpers_of(scene: Scene, intent: Intent, skill: str) -> tuple[tuple[DieAndBonus, ...], list[Modifiers]]:
    """STEP-10: the rolls of the helpers, and what they add to them."""
    fighters = [scene.fighters[name] for name in intent.get("aid", ())]
    for helper in fighters:
        why = unable(CONDITIONS, helper)[0] or ("doing it" if helper.name == intent.actor else "")
        if why:
            message = f"{helper.name} is {why} and cannot help"
            refuse(intent, message, "STEP-10", final=True, code="condition_forbids")
    aid = [skilled(helper, "aid", skill, "STEP-10", helper.name) for helper in fighters]
    return tuple(dice_of(helper, skill, lines) for helper, lines in zip(fighters, aid, strict=True)), aid


def help_with(table: RuleTable, helpers: tuple[DieAndBonus, ...]) -> int:
    """STEP-10: 2 if any helper succeeds, and −2 for each critical failure; they roll first."""
    rolls = [table.ask(help_roll, helper) for helper in helpers]
    return 2 * any(success for success, _ in rolls) - 2 * sum(critical for _, critical in rolls)


def help_roll(table: RuleTable, helper: DieAndBonus) -> tuple[bool, bool]:
    """STEP-10: whether a helper succeeds, and whether that is a critical failure."""
    reached, _ = rolled(table, "aid", helper, DIFFICULTY)
    return reached >= DIFFICULTY, reached == CRITICAL_FAILURE


def check(table: RuleTable, setup: CheckSetup) -> CheckResult:
    """STEP-6: the die, the modifiers and the help, at or above the difficulty; STEP-9: a tie goes to the actor."""
    added, against = table.ask(help_with, setup.helpers), setup.difficulty
    reached, total = rolled(table, "check", setup.dice, None if setup.rival else against, added)
    success = reached >= against
    if setup.rival:
        resisted, against = rolled(table, "resist", setup.rival, against=setup.dice.who)
        success = reached >= resisted
    return CheckResult(success, total, against, extras(total) if success and setup.crisis else 0)


def reveal_found(changes: Changes, intent: Intent, setup: Setup, result: CheckResult) -> None:
    """STEP-16: a search that succeeds reveals the hidden fighter."""
    if setup.carried and result.success:
        changes.end(setup.carried, "hidden", "STEP-16")
        changes.mark(setup.carried, STEALTH, 0, "STEP-16")


OPTIONS = ("difficulty", "vs", "assets", "aid")
CHECK = check_action("Roll a skill or an attribute", "STEP-6", check_setup, check, OPTIONS, reveal_found)

# The turn order, and what a turn begins with


def initiative_of(fighter: Fighter) -> tuple[Initiative, Modifiers]:
    """STEP-11: the mind die and its bonus; STEP-12: players go first among equals, and may agree on their order."""
    added = skilled(fighter, "initiative", "mind", "STEP-11")
    sides, _ = die_of(fighter.sheet, "mind")
    return Initiative(fighter.name, added.total, (not fighter.player,), sides, fighter.player), added


def score(table: RuleTable, entrant: Initiative, tied_with: tuple[str, ...] = ()) -> int:
    """STEP-11; STEP-5: a critical failure counts as 1 before modifiers here (a reading)."""
    dice = DieAndBonus(entrant.name, entrant.dice, entrant.bonus)
    return rolled(table, "initiative", dice, tied_with=[*tied_with])[1]


# STEP-12, STEP-13: a player who comes in goes ahead of an opponent with as much; copies may share a roll.
INIT = initiative_action(
    "STEP-11", initiative_of, score, times=24, ahead=lambda new, other: new.player and not other.player
)


def start_turn(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
    """STEP-15: 4 AP, also in an extra turn (STEP-14); STEP-32: the dying take a wound; overwatch is over."""
    fighter = changes.fighter(intent.actor)
    if sheet.is_dead(fighter):
        return
    if sheet.is_dying(fighter):
        changes.adjust(fighter.name, "health", changes.number("STEP-32").add("dying", -1))
    if not (fighter.has("stunned") or sheet.is_dead(changes.fighter(fighter.name))):
        changes.adjust(fighter.name, "ap", changes.number("STEP-15").add("renewed", sheet.TURN_AP))
    changes.mark(fighter.name, OVERWATCH, 0, "STEP-16")


PHASES = {"start-turn": Action("AP, and what dying takes", "STEP-15", effects=start_turn, window="table")}
