"""Tests of attribute + skill, Action Points and Luck (2D20-4 to 2D20-8, 2D20-11)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from ...rules import (
    Action,
    Alternative,
    Changes,
    Cost,
    Intent,
    Modifiers,
    RuleTable,
    Scene,
    Setup,
    Start,
    guess,
    is_readied,
    lines_of,
    refuse,
    unable,
)
from .options import ATTRIBUTES, SKILLS
from .sheet import ASSISTS, COMMANDED, CONDITIONS, MAJOR_AP, MINOR_AP, target_number

DICE_PRICE = (0, 1, 3, 6)
"""2D20-6: AP of none, one, two and three more d20."""
COMMANDING = {"person": ("cha", "speech"), "animal": ("cha", "survival"), "robot": ("int", "science")}
"""2D20-11: what a commander assists with, by the kind of the NPC."""

# Action Points of a side, and Major actions


def side_start(scene: Scene, side: str) -> Start:
    """2D20-7: the AP of a side at the start, and the most it can keep: players 0 and 6, the GM one for each player
    character (by the sheets) and no limit, like any third side (a reading)."""
    # The players' side keeps its limit when all of its fighters are handed over to play themselves (ALL-3).
    if side == "players" or any(one.player for one in scene.fighters.values() if one.side == side):
        return Start({"ap": 0}, {"ap": (0, 6)})
    characters = sum(one.sheet["player"] and not one.gone for one in scene.fighters.values())
    return Start({"ap": characters}, {"ap": (0, None)})


def ap_left(scene: Scene, intent: Intent, dice: int = 0) -> int:
    """2D20-6, 2D20-11: the AP of the actor's side once a Major action, aiming and more d20 are paid for."""
    fighter = scene.fighters[intent.actor]
    have = scene.side_pool(fighter.side, "ap") - DICE_PRICE[dice]
    have -= MAJOR_AP if is_bought(scene, intent) else 0
    minors = intent.get("aim", 0) - fighter.pools["minor"] if scene.open else 0
    if minors == 1 and have >= MINOR_AP and not fighter.has_bought("minor"):
        have -= MINOR_AP
    return max(0, have)


def is_bought(scene: Scene, intent: Intent) -> bool:
    """2D20-11: whether a Major action must be bought with AP; none needs to be out of turn."""
    fighter = scene.fighters[intent.actor]
    free = is_released(scene, intent) and fighter.name not in scene.acting
    if not scene.open or fighter.pools["major"] or free or fighter.has_bought("major"):
        return False
    return scene.side_pool(fighter.side, "ap") >= MAJOR_AP


def bought(scene: Scene, intent: Intent, hard: Modifiers) -> Modifiers:
    """The difficulty of a Major action: one more where the action is bought (2D20-11)."""
    return hard.add("bought action", int(is_bought(scene, intent)), "2D20-11", f"{MAJOR_AP} AP")


def is_released(scene: Scene, intent: Intent) -> bool:
    """2D20-11: whether the actor has made this action ready, or was commanded to take a Major action."""
    return is_readied(scene, intent) or bool(scene.fighters[intent.actor].marks.get(COMMANDED))


def end_command(changes: Changes, npc: str) -> None:
    """2D20-11: a command is over, and so is the help that came with it, used or not."""
    if changes.before.fighters[npc].marks.get(COMMANDED):
        changes.mark(npc, COMMANDED, 0, "2D20-11")
        for name in changes.before.fighters:
            for attribute, skill in COMMANDING.values():
                changes.mark(name, ASSISTS, 0, "2D20-11", key=f"{npc}:{attribute}+{skill}")


def end_own_command(changes: Changes, intent: Intent) -> None:
    """2D20-11: a command is over once the actor has acted out of turn."""
    end_command(changes, intent.actor)


MAJOR, MINOR = (Cost("major", rule="2D20-11"),), (Cost("minor", rule="2D20-11"),)
major_action = partial(
    Action,
    costs=MAJOR,
    words=("success", "failure"),
    out_of_turn=is_released,
    out_costs=(),
    out_effects=end_own_command,
    ready_rule="2D20-11",
)
"""A row of a Major action: it can be made ready, and commanded (2D20-11)."""


# Luck


def luck_of(scene: Scene, intent: Intent) -> tuple[int, int]:
    """2D20-8: the Luck points that the command allows; and where it says nothing, in a crisis, those that the player
    can be asked about. Refused where there are fewer."""
    fighter, points = scene.fighters[intent.actor], intent.get("luck")
    have = fighter.pools["luck"]
    if points is None:
        return 0, have if scene.open and fighter.player else 0
    if points < 0:
        refuse(intent, "--luck is a number from 0", "2D20-8", final=True)
    if points > have:
        refuse(intent, f"{intent.actor} has {have} Luck left, not {points}", "2D20-8", "use fewer: --luck N")
    return min(points, have), 0


def uses_luck(
    table: RuleTable, who: str, fails: Callable[..., int], *about: object, dice: int = 1, gains: str = ""
) -> bool:
    """2D20-8: whether a player uses a point of Luck to roll some dice again.

    `fails(table, *about, dice)` gives 1 where so many dice rolled again gain nothing, else 0.
    """
    keep = Alternative("keep", fails, (*about, 0), gains=gains)
    luck = Alternative("luck", fails, (*about, dice), cost=1, spends="Luck", gains=gains)
    return table.choose(who, (keep, luck)) is luck


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
    dice: int = 2
    """2D20-4: two d20, and those that are bought."""
    again: int = 0
    """d20s that are re-rolled by aiming."""
    luck: int = 0
    """Luck points that may be used."""
    asks: int = 0
    """Luck points that the player is asked about, one at a time; 0 where nobody is asked."""
    helpers: tuple[Helper, ...] = ()
    against: str = ""
    """The first target, where there can be several: for the record."""


class CheckResult(NamedTuple):
    """What a test came to."""

    success: bool
    total: int
    """Successes."""
    complications: int
    luck: int
    """Luck points used."""

    @property
    def counted(self) -> str:
        """What the total is one of."""
        return "successes"


def one_d20(table: RuleTable, target: int, critical: int) -> tuple[int, int, int]:
    """2D20-4: successes, complications and failures of one die."""
    face = table.die(20)
    won = face <= target
    return won + (won and face <= critical), int(face == 20), int(not won)


def check(table: RuleTable, test: CheckSetup) -> CheckResult:
    """2D20-4, 2D20-8, 2D20-11: the d20s of a test, those re-rolled, and those of helpers."""
    table.label(test.what, test.who, f"{test.dice}d20", against=test.against)
    won, odd, lost = table.times(test.dice, one_d20, test.target, test.critical, zero=(0, 0, 0))
    # Of the failing dice the highest is rolled again: a complication, where there is one.
    worst = odd if test.target < 20 else 0
    aimed = luck = 0
    while lost:
        if aimed < test.again:
            aimed += 1
        elif won < test.difficulty and (luck < test.luck or saves(table, test, won, odd, aimed, luck)):
            luck += 1
        else:
            break
        more, new, _ = table.ask(one_d20, test.target, test.critical)
        won, odd, lost = won + more, odd + new - (worst > 0), lost - 1
        worst -= worst > 0
    report(table, test, won, odd, aimed + luck)
    for one in test.helpers:
        table.label("assist", one.who, "d20")
        more, new, _ = table.ask(one_d20, one.target, one.critical)
        table.result(successes=more, complications=new, target=one.target, under=True)
        won, odd = won + (more if won else 0), odd + new
    return CheckResult(won >= test.difficulty, won, odd, luck)


def report(table: RuleTable, test: CheckSetup, won: int, odd: int, again: int) -> None:
    """Note what the d20s of a test have come to so far, without those of helpers."""
    success = won >= test.difficulty
    table.result(successes=won, complications=odd, target=test.target, difficulty=test.difficulty)
    table.result(success=success, under=True, rerolled=again or None)


def saves(table: RuleTable, test: CheckSetup, won: int, odd: int, aimed: int, luck: int) -> bool:
    """2D20-8: whether the player, if asked, uses Luck on a failed test that one d20 can save."""
    # A die brings two successes at most, and so does each helper's.
    if luck >= test.asks or test.target < 1 or won + 2 * (1 + len(test.helpers)) < test.difficulty:
        return False
    report(table, test, won, odd, aimed + luck)
    return uses_luck(table, test.who, fails, test, won)


def fails(table: RuleTable, test: CheckSetup, won: int, again: int) -> int:
    """2D20-8: 1 where a test fails with so many d20 rolled again and the help that is still to come, else 0."""
    won += table.times(again, one_d20, test.target, test.critical, zero=(0, 0, 0))[0]
    for one in test.helpers if won else ():
        won += table.ask(one_d20, one.target, one.critical)[0]
    return int(won < test.difficulty)


# Before and after a test


def named_skill(intent: Intent, word: str) -> tuple[str, str]:
    """The attribute and skill of `agi+athletics`, or of a skill with its usual attribute; Refused otherwise."""
    first, plus, second = word.lower().replace("_", "-").replace(" ", "").partition("+")
    said, skill = (first, second) if plus else ("", first)
    attribute = (intent.get("attribute") or said).lower()
    if said and attribute != said:
        both = f"{word} says {said}, and --attribute {attribute}"
        refuse(intent, both, "2D20-4", "leave out one of them", final=True)
    if not skill:
        hint = f"say it: --skill SKILL; there are: {', '.join(SKILLS)}"
        refuse(intent, f"{intent.actor} tries which skill?", "2D20-4", hint, final=True)
    with_attribute = "; with an attribute: agi+athletics"
    for name, what, known, more in (
        (skill, "skill", tuple(SKILLS), with_attribute),
        (attribute, "attribute", ATTRIBUTES, ""),
    ):
        if name and name not in known:
            unknown = f"{intent.actor} has no {what} called {name!r}{guess(name, known)}"
            refuse(intent, unknown, "2D20-1", f"there are: {', '.join(known)}{more}", final=True)
    return attribute or SKILLS[skill], skill


def check_setup(
    scene: Scene, intent: Intent, what: str, tries: tuple[str, str], hard: Modifiers, *, sight: bool = False
) -> Setup:
    """A test of attribute + skill against `hard` (2D20-4), with what its dice cost (2D20-6)."""
    fighter, (attribute, skill) = scene.fighters[intent.actor], tries
    target, critical = target_number(fighter.sheet, attribute, skill)
    points = fighter.sheet["attributes"][attribute]
    lines = Modifiers(what, "2D20-1").base(attribute, points, source=f"attributes.{attribute}")
    lines.base(skill, target - points, source=f"skills.{skill}")
    hard.situational(fighter, what, attribute, skill, sign=-1)
    # Attacks and tests of per need sight (a reading).
    if (sight or attribute == "per") and fighter.has("injured-head"):
        hard.add("injured head", 2, "2D20-22", "condition")
    hard.asked(intent, sign=-1)
    dice = intent.get("buy", 0)
    if not 0 <= dice < len(DICE_PRICE):
        refuse(intent, f"up to three more d20 can be bought, not {dice}", "2D20-6", "--buy 3", final=True)
    luck, asks = luck_of(scene, intent)
    helpers = helpers_of(scene, intent.actor)
    test = CheckSetup(
        what, fighter.name, target, critical, max(0, hard.total), 2 + dice, 0, luck, asks, helpers
    )
    costs = (Cost("ap", DICE_PRICE[dice], rule="2D20-6"),) if dice else ()
    return Setup(test, lines_of(lines, hard), costs)


def helpers_of(scene: Scene, who: str) -> tuple[Helper, ...]:
    """2D20-11: those who assist someone's next test."""
    return tuple(
        Helper(name, *target_number(one.sheet, *tries.split("+")))
        for name, one in scene.fighters.items()
        for tries in one.marks_of(f"{ASSISTS}:{who}")
        if not one.gone and not unable(CONDITIONS, one)[0]
    )


def ap_earned(test: CheckSetup, successes: int) -> int:
    """2D20-5: the AP of a test, one for each success beyond the difficulty."""
    return max(0, successes - test.difficulty)


def after_check(changes: Changes, test: CheckSetup, successes: int, luck: int, spent: int = 0) -> None:
    """What every test changes: AP earned and `spent` (2D20-5), Luck (2D20-8), help that is used up (2D20-11)."""
    side, by = changes.fighter(test.who).side, ap_earned(test, successes) - spent
    have, most = changes.side_pool(side, "ap"), side_start(changes.before, side).limits["ap"][1]
    # What is above the limit of the side is lost (2D20-7).
    changes.side(side, "ap", by if most is None else min(by, most - have), "2D20-5")
    changes.adjust(test.who, "luck", -luck, "2D20-8")
    for one in test.helpers:
        changes.clear_marks(one.who, "2D20-11", f"{ASSISTS}:{test.who}")


def check_effects(changes: Changes, intent: Intent, setup: Setup, result: CheckResult) -> None:
    """AP, Luck and help of a test that changes nothing else."""
    after_check(changes, setup.dice, result.total, result.luck)


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
