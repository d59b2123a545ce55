"""Tests of attribute + skill, Action Points and Luck (2D20-4 to 2D20-8, 2D20-11)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple, Protocol

from ...rules import (
    Action,
    Alternative,
    Changes,
    Conversion,
    Cost,
    Fighter,
    Intent,
    Modifiers,
    Pool,
    RuleTable,
    Scene,
    Setup,
    Start,
    guess,
    is_readied,
    refuse,
    unable,
)
from .options import ATTRIBUTES, SKILLS
from .sheet import CONDITIONS, rank_of, target_number

SIDES, USUAL = 20, 2
"""2D20-4: two d20, unless more are bought."""
UNSEEING = 2
"""2D20-22: what an injured head adds to the difficulty of tests that need sight."""
SIGHT = ("per",)
"""Attributes whose tests need sight, beside attacks (a reading)."""
ASSISTS = "assists"
"""The mark of a helper: `assists:WHO:ATTRIBUTE+SKILL` (2D20-11)."""
COMMANDED = "commanded"
"""The mark of an NPC that may take a Major action now (2D20-11)."""
COMMANDING = {"person": ("cha", "speech"), "animal": ("cha", "survival"), "robot": ("int", "science")}
"""2D20-11: what a commander assists with, by the kind of the NPC."""
PLAYERS = "players"
"""The side of the player's fighters, unless their sheets name a team (ALL-3)."""
AP_MOST = 6
"""2D20-7: what the players' side can keep."""
PRICE = {"major": 2, "minor": 1}
"""2D20-11: AP of one more action of a kind, once a turn."""
DICE_PRICE = (0, 1, 3, 6)
"""2D20-6: AP of none, one, two and three more d20."""
MAJOR, MINOR = (Cost("major", rule="2D20-11"),), (Cost("minor", rule="2D20-11"),)
POOLS = {
    "hp": Pool("HP", "2D20-2"),
    "max_hp": Pool("highest HP", "2D20-21", usual=True),
    "luck": Pool("Luck", "2D20-8"),
    "major": Pool("Major actions", "2D20-11", lasting=False, spent=True, renewed=True,
                  made_of=Conversion("ap", takes=PRICE["major"], once=True)),
    "minor": Pool("Minor actions", "2D20-11", lasting=False, spent=True, renewed=True,
                  made_of=Conversion("ap", takes=PRICE["minor"], once=True)),
    "ammo": Pool("rounds", "2D20-21", gear="weapons", board="{left} in the {thing}"),
    "uses": Pool("uses", "2D20-11", gear="items"),
}  # fmt: skip
SIDE_POOLS = {"ap": Pool("AP", "2D20-7", lasting=False)}


# Action Points of a side


def side_start(scene: Scene, side: str) -> Start:
    """2D20-7: the AP of a side at the start, and the most it can keep: players 0 and 6, the GM one for each player
    character (by the sheets) and no limit, like any third side (a reading)."""
    # The players' side keeps its limit when all of its fighters are handed over to play themselves.
    if side == PLAYERS or any(one.player for one in scene.fighters.values() if one.side == side):
        return Start({"ap": 0}, {"ap": (0, AP_MOST)})
    characters = sum(one.sheet["player"] and not one.gone for one in scene.fighters.values())
    return Start({"ap": characters}, {"ap": (0, None)})


def gain_ap(changes: Changes, who: str, by: int, rule: str = "2D20-5") -> None:
    """2D20-5, 2D20-7: change the AP of a fighter's side; what is above the limit is lost."""
    side = changes.fighter(who).side
    have, most = changes.side_pool(side, "ap"), side_start(changes.before, side).limits["ap"][1]
    changes.side(side, "ap", by if most is None else min(by, most - have), rule)


def ap_left(scene: Scene, intent: Intent, dice: int = 0) -> int:
    """2D20-6, 2D20-11: the AP of the actor's side once a Major action, aiming and more d20 are paid for."""
    fighter = scene.fighters[intent.actor]
    have = scene.side_pool(fighter.side, "ap") - DICE_PRICE[dice]
    have -= PRICE["major"] if is_extra(scene, intent) else 0
    minors = intent.get("aim", 0) - fighter.pools["minor"] if scene.open else 0
    buys = minors == 1 and not fighter.has_bought("minor") and have >= PRICE["minor"]
    return max(0, have - (PRICE["minor"] if buys else 0))


def is_extra(scene: Scene, intent: Intent) -> bool:
    """2D20-11: whether a Major action must be bought with AP; none needs to be out of turn."""
    fighter = scene.fighters[intent.actor]
    released = is_readied(scene, intent) or is_commanded(scene, intent)
    if not scene.open or fighter.pools["major"] or (released and fighter.name not in scene.acting):
        return False
    return not fighter.has_bought("major") and scene.side_pool(fighter.side, "ap") >= PRICE["major"]


# Major actions


def is_commanded(scene: Scene, intent: Intent) -> bool:
    """2D20-11: whether the actor was commanded to take a Major action."""
    return bool(scene.fighters[intent.actor].marks.get(COMMANDED))


def end_command(changes: Changes, npc: str) -> None:
    """2D20-11: a command is over, and so is the help that came with it, used or not."""
    if not changes.before.fighters[npc].marks.get(COMMANDED):
        return
    changes.mark(npc, COMMANDED, 0, "2D20-11")
    helps = {f"{ASSISTS}:{npc}:{'+'.join(tries)}" for tries in COMMANDING.values()}
    for name, one in changes.before.fighters.items():
        for mark in helps.intersection(one.marks):
            changes.mark(name, mark, 0, "2D20-11")


def command_used(changes: Changes, intent: Intent) -> None:
    """2D20-11: a command is over once the actor has acted out of turn."""
    end_command(changes, intent.actor)


major_action = partial(
    Action,
    costs=MAJOR,
    out_of_turn=is_commanded,
    out_costs=(),
    out_effects=command_used,
    ready_rule="2D20-11",
)
"""A row of a Major action: it can be made ready, and commanded (2D20-11)."""


# Luck


def luck_allowed(scene: Scene, intent: Intent) -> int:
    """2D20-8: the Luck points that may be used as the command says; refused where there are fewer."""
    points, have = intent.get("luck", 0), scene.fighters[intent.actor].pools["luck"]
    if points < 0:
        refuse(intent, "--luck is a number from 0", "2D20-8", final=True)
    if points > have:
        refuse(intent, f"{intent.actor} has {have} Luck left, not {points}", "2D20-8", "use fewer: --luck N")
    return int(min(max(points, 0), have))


def luck_offered(scene: Scene, intent: Intent) -> int:
    """2D20-8: the Luck points that the player can be asked about: in a crisis, where the command says nothing."""
    fighter = scene.fighters[intent.actor]
    asks = scene.open and fighter.player and intent.get("luck") is None
    return fighter.pools["luck"] if asks else 0


def uses_luck(
    table: RuleTable, who: str, keep: tuple[Any, ...], reroll: tuple[Any, ...], gains: str = ""
) -> bool:
    """2D20-8: whether a player uses a point of Luck on dice already seen.

    `keep` and `reroll` are each a rule with its arguments; the rule gives 1 where that choice gains nothing, else 0.
    """
    options = (
        Alternative("keep", keep[0], keep[1:], gains=gains),
        Alternative("luck", reroll[0], reroll[1:], cost=1, spends="Luck", gains=gains),
    )
    return table.choose(who, options) is options[1]


# The dice of a test


class Helper(NamedTuple):
    """Who assists a test with one d20 (2D20-11)."""

    who: str
    target: int
    critical: int


class CheckSetup(NamedTuple):
    """What the dice of a test depend on."""

    what: str
    who: str
    target: int
    """Attribute + skill."""
    critical: int
    """The highest face that counts twice."""
    difficulty: int
    dice: int = USUAL
    again: int = 0
    """d20s that are re-rolled by aiming."""
    luck: int = 0
    """Luck points that may be used."""
    asks: int = 0
    """Luck points that the player is asked about, one at a time; 0 where nobody is asked."""
    helpers: tuple[Helper, ...] = ()
    against: str = ""
    """The first target, where there can be several: for the record."""


class Successes(Protocol):
    """What every result with a test in it has."""

    @property
    def success(self) -> bool: ...
    @property
    def total(self) -> int: ...
    @property
    def luck(self) -> int: ...


class CheckResult(NamedTuple):
    """What a test came to."""

    success: bool
    total: int
    """Successes."""
    complications: int
    luck: int
    """Luck points used."""

    @property
    def word(self) -> str:
        """In one word."""
        return "success" if self.success else "failure"

    @property
    def counted(self) -> str:
        """What the total is one of."""
        return "successes"


def one_d20(table: RuleTable, target: int, critical: int) -> tuple[int, int, int]:
    """2D20-4: successes, complications and failures of one die."""
    face = table.die(SIDES)
    won = face <= target
    return won + (won and face <= critical), int(face == SIDES), int(not won)


def check(table: RuleTable, test: CheckSetup) -> CheckResult:
    """2D20-4, 2D20-8, 2D20-11: the d20s of a test, those re-rolled, and those of helpers."""
    aimed = {"against": test.against} if test.against else {}
    table.label(test.what, test.who, f"{test.dice}d{SIDES}", **aimed)
    won, odd, lost = table.times(test.dice, one_d20, test.target, test.critical, zero=(0, 0, 0))
    # Of the failing dice the highest is rolled again: a complication, where there is one.
    worst = odd if test.target < SIDES else 0
    used = rolled = 0
    while lost:
        if rolled < test.again:
            rolled += 1
        elif won < test.difficulty and (used < test.luck or _saved(table, test, won, odd, rolled, used)):
            used += 1
        else:
            break
        more, new, _ = table.ask(one_d20, test.target, test.critical)
        won, odd, lost = won + more, odd + new - (worst > 0), lost - 1
        worst -= worst > 0
    _report(table, test, won, odd, rolled + used)
    for one in test.helpers:
        more, new = table.ask(assist_die, one)
        won, odd = won + (more if won else 0), odd + new
    return CheckResult(won >= test.difficulty, won, odd, used)


def _report(table: RuleTable, test: CheckSetup, won: int, odd: int, again: int) -> None:
    noted = {"rerolled": again} if again else {}
    table.result(
        successes=won, complications=odd, target=test.target, difficulty=test.difficulty,
        success=won >= test.difficulty, under=True, **noted,
    )  # fmt: skip


def _saved(table: RuleTable, test: CheckSetup, won: int, odd: int, rolled: int, used: int) -> bool:
    """2D20-8: whether the player, if asked, uses Luck on a failed test that one d20 can save."""
    # A die brings two successes at most, and so does each helper's.
    if used >= test.asks or test.target < 1 or won + 2 * (1 + len(test.helpers)) < test.difficulty:
        return False
    _report(table, test, won, odd, rolled + used)
    return uses_luck(table, test.who, (fails, test, won), (fails_again, test, won))


def fails(table: RuleTable, test: CheckSetup, won: int) -> int:
    """1 where a test fails with the help that is still to come, else 0."""
    for one in test.helpers if won else ():
        won += table.ask(assist_die, one)[0]
    return int(won < test.difficulty)


def fails_again(table: RuleTable, test: CheckSetup, won: int) -> int:
    """2D20-8: the same after one more d20."""
    more, _, _ = table.ask(one_d20, test.target, test.critical)
    return table.ask(fails, test, won + more)


def assist_die(table: RuleTable, one: Helper) -> tuple[int, int]:
    """2D20-11: successes and complications of a helper's d20."""
    table.label("assist", one.who, f"d{SIDES}")
    won, odd, _ = one_d20(table, one.target, one.critical)
    table.result(successes=won, complications=odd, target=one.target, under=True)
    return won, odd


# Before and after a test


def named_skill(fighter: Fighter, intent: Intent, word: str) -> tuple[str, str]:
    """The attribute and skill of `agi+athletics`, or of a skill with its usual attribute; Refused otherwise."""
    first, plus, second = word.lower().replace("_", "-").replace(" ", "").partition("+")
    said, skill = (first, second) if plus else ("", first)
    other = (intent.get("attribute") or said).lower()
    if said and other != said:
        what = f"{word} says {said}, and --attribute {other}"
        refuse(intent, what, "2D20-4", "leave out one of them", final=True)
    skill = skill or str(intent.get("skill") or "").lower().replace("_", "-")
    skills = ", ".join(SKILLS)
    if not skill:
        hint = f"say it: --skill SKILL; there are: {skills}"
        refuse(intent, f"{fighter.name} tries which skill?", "2D20-4", hint, final=True)
    if skill not in SKILLS:
        what = f"{fighter.name} has no skill called {skill!r}{guess(skill, SKILLS)}"
        hint = f"there are: {skills}; with an attribute: agi+athletics"
        refuse(intent, what, "2D20-1", hint, final=True)
    if other and other not in ATTRIBUTES:
        what = f"{fighter.name} has no attribute called {other!r}{guess(other, ATTRIBUTES)}"
        refuse(intent, what, "2D20-1", f"there are: {', '.join(ATTRIBUTES)}", final=True)
    return other or SKILLS[skill], skill


def difficulty_of(number: int, name: str, rule: str) -> Modifiers:
    """The lines of a difficulty, which begin with its own number."""
    return Modifiers("difficulty", rule).base(name, number)


def of_major(scene: Scene, intent: Intent, hard: Modifiers) -> Modifiers:
    """The difficulty of a Major action: one more where the action is bought (2D20-11)."""
    return hard.add("bought action", int(is_extra(scene, intent)), "2D20-11", f"{PRICE['major']} AP")


def check_setup(
    scene: Scene,
    intent: Intent,
    what: str,
    tries: tuple[str, str],
    hard: Modifiers,
    *,
    sight: bool = False,
) -> tuple[CheckSetup, tuple[Modifiers, Modifiers], tuple[Cost, ...]]:
    """A test of attribute + skill against `hard` (2D20-4): what it rolls, the lines of its target number and
    difficulty, and what its dice cost (2D20-6)."""
    fighter, (attribute, skill) = scene.fighters[intent.actor], tries
    lines = Modifiers(what, "2D20-1").base(
        attribute, fighter.sheet["attributes"][attribute], source=f"attributes.{attribute}"
    )
    lines.base(skill, rank_of(fighter.sheet, skill), source=f"skills.{skill}")
    hard.situational(fighter, what, attribute, skill, sign=-1)
    if (sight or attribute in SIGHT) and fighter.has("injured-head"):
        hard.add("injured head", UNSEEING, "2D20-22", "condition")
    hard.asked(intent, sign=-1)
    dice = intent.get("buy", 0)
    if not 0 <= dice < len(DICE_PRICE):
        refuse(intent, f"up to three more d20 can be bought, not {dice}", "2D20-6", "--buy 3", final=True)
    helpers = helpers_of(scene, intent.actor)
    luck, asks = luck_allowed(scene, intent), luck_offered(scene, intent)
    target, critical = target_number(fighter.sheet, attribute, skill)
    test = CheckSetup(
        what, fighter.name, target, critical, max(0, hard.total), USUAL + dice, 0, luck, asks, helpers
    )
    return test, (lines, hard), (Cost("ap", DICE_PRICE[dice], rule="2D20-6"),) if dice else ()


def helpers_of(scene: Scene, who: str) -> tuple[Helper, ...]:
    """2D20-11: those who assist someone's next test."""
    found = []
    for name, one in scene.fighters.items():
        for mark in one.marks:
            kind, _, rest = mark.partition(":")
            helped, _, tries = rest.rpartition(":")
            if kind == ASSISTS and helped == who and not one.gone and not unable(CONDITIONS, one)[0]:
                attribute, _, skill = tries.partition("+")
                found.append(Helper(name, *target_number(one.sheet, attribute, skill)))
    return tuple(found)


def ap_earned(test: CheckSetup, result: Successes) -> int:
    """2D20-5: the AP of a test, one for each success beyond the difficulty."""
    return max(0, result.total - test.difficulty) if result.success else 0


def after_check(changes: Changes, test: CheckSetup, result: Successes, spent: int = 0) -> None:
    """What every test changes: AP earned and spent (2D20-5), Luck (2D20-8), help that is used up (2D20-11)."""
    gain_ap(changes, test.who, ap_earned(test, result) - spent)
    changes.adjust(test.who, "luck", -result.luck, "2D20-8")
    for one in test.helpers:
        for mark in changes.fighter(one.who).marks:
            if mark.startswith(f"{ASSISTS}:{test.who}:"):
                changes.mark(one.who, mark, 0, "2D20-11")


def check_effects(changes: Changes, intent: Intent, setup: Setup, result: CheckResult) -> None:
    """AP, Luck and help of a test that changes nothing else."""
    after_check(changes, setup.dice, result)


def check_upgrades(scene: Scene, intent: Intent) -> Iterator[Intent]:
    """2D20-6, 2D20-8: a test with the d20s that can be bought, and with a point of Luck."""
    have = ap_left(scene, intent)
    for many, price in enumerate(DICE_PRICE):
        if 0 < price <= have:
            yield with_option(intent, "buy", many)
    if scene.fighters[intent.actor].pools["luck"]:
        yield with_option(intent, "luck", 1)


def with_option(intent: Intent, option: str, value: int | str) -> Intent:
    """An intent with one option more."""
    return intent._replace(options={**intent.options, option: value})
