"""Tests, Action Points and Luck (2D20-4 to 2D20-8), and what Major actions have in common (2D20-11)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from ...rules import (
    Action,
    Alternative,
    Changes,
    Cost,
    Fighter,
    Intent,
    Modifiers,
    NamedTuple,
    OutOfTurn,
    RuleTable,
    Says,
    Scene,
    Setup,
    Start,
    check_action,
    known_word,
    refuse,
)
from . import sheet
from .options import ATTRIBUTES, SKILLS
from .sheet import ASSISTS, BURNING, COMMANDED

DICE_PRICE = (0, 1, 3, 6)
"""2D20-6: AP of none, one, two and three more d20."""
COMMANDING = {"person": ("cha", "speech"), "animal": ("cha", "survival"), "robot": ("int", "science")}
"""2D20-11: what a commander assists with, by the kind of the NPC."""

# Action Points and Luck


def side_start(scene: Scene, side: str) -> Start:
    """2D20-7: the first and most AP of a side: players 0 and 6; others one a player character, and no limit."""
    # The players' side keeps its limit when all of its fighters are handed over to play themselves (ALL-3).
    fighters = scene.fighters.values()
    if side == "players" or any(fighter.player for fighter in fighters if fighter.side == side):
        return Start({"ap": 0}, {"ap": (0, 6)})
    characters = sum(fighter.sheet["player"] and not fighter.gone for fighter in fighters)
    return Start({"ap": characters}, {"ap": (0, None)})


def ap_left(scene: Scene, intent: Intent) -> int:
    """2D20-6, 2D20-11: the AP of the actor's side once a Major action, aiming and more d20 are paid for."""
    fighter = scene.fighters[intent.actor]
    have = scene.side_pool(fighter.side, "ap") - DICE_PRICE[intent.get("buy", 0)]
    have -= sheet.MAJOR_AP * is_bought(scene, intent)
    minors = intent.get("aim", 0) - fighter.pools["minor"] if scene.open else 0
    pays_minor = minors == 1 and have >= sheet.MINOR_AP and not fighter.has_bought("minor")
    return max(0, have - sheet.MINOR_AP * pays_minor)


def is_bought(scene: Scene, intent: Intent) -> bool:
    """2D20-11: whether a Major action must be bought with AP; none needs to be out of turn."""
    fighter = scene.fighters[intent.actor]
    free = is_released(scene, intent) and fighter.name not in scene.acting
    if not scene.open or fighter.pools["major"] or free or fighter.has_bought("major"):
        return False
    return scene.side_pool(fighter.side, "ap") >= sheet.MAJOR_AP


def bought(scene: Scene, intent: Intent, hard: Modifiers) -> Modifiers:
    """The difficulty of a Major action: one more where the action is bought (2D20-11)."""
    return hard.add("bought action", int(is_bought(scene, intent)), "2D20-11", f"{sheet.MAJOR_AP} AP")


def is_released(scene: Scene, intent: Intent) -> bool:
    """2D20-11: whether the actor has made this action ready, or was commanded to take a Major action."""
    marks = scene.fighters[intent.actor].marks
    return COMMANDED in marks or f"readied:{intent.action}" in marks


def end_command(changes: Changes, intent: Intent) -> None:
    """2D20-11: a command to the actor is over, and so is the help that came with it, used or not."""
    if changes.before.fighters[intent.actor].marks.get(COMMANDED):
        changes.mark(intent.actor, COMMANDED, 0, "2D20-11")
        for name in changes.before.fighters:
            for attribute, skill in COMMANDING.values():
                changes.mark(name, ASSISTS, 0, "2D20-11", key=f"{intent.actor}:{attribute}+{skill}")


def luck_of(scene: Scene, intent: Intent) -> tuple[int, int]:
    """2D20-8: the Luck points that the command allows, else, in a crisis, those that the player can be asked about."""
    have, points = scene.fighters[intent.actor].pools["luck"], intent.get("luck")
    if points is None:
        return 0, have if scene.asks(intent.actor) else 0
    if points > have:
        what, about = f"{intent.actor} has {have} Luck left, not {points}", {"has": have, "needs": points}
        refuse(intent, what, "2D20-8", "use fewer: --luck N", code="cannot_pay", pool="luck", **about)
    return min(points, have), 0


def uses_luck(
    table: RuleTable, who: str, rule: Callable[..., int], *args: object, gains: str = "", asks: str = ""
) -> bool:
    """2D20-8: whether a player uses Luck to roll dice again, as many as the last of `args`; `rule(table, *args)` is 1
    where that is in vain."""
    keep = Alternative("keep", rule, (*args[:-1], 0), gains=gains, asks=asks)
    luck = Alternative("luck", rule, args, cost=1, spends="Luck", gains=gains)
    return table.choose(who, (keep, luck)) is luck


# Tests


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
    luck: int = 0
    """Luck points that may be used."""
    asks: int = 0
    """Luck points that the player is asked about, one at a time."""
    helpers: tuple[tuple[str, int, int], ...] = ()
    """Those who assist with one d20, their target number and highest face that counts twice."""
    again: int = 0
    """d20s that are re-rolled by aiming."""
    ap: int = 0
    """AP of the side before the test has earned any, as far as they are wanted."""
    wanted: int = 0
    """AP to spend on its success, as far as they reach."""
    against: str = ""
    """The first target, where there can be several: for the record."""
    cause: str = ""
    """What is resisted: for the record."""
    complication: int = 20
    """The lowest face that is a complication (2D20-31)."""

    def spent(self, successes: int) -> int:
        """2D20-5: the AP spent on a success: as wanted, as far as those of the side and those earned reach."""
        return min(self.wanted, self.ap + max(0, successes - self.difficulty))

    def missing(self, success: bool, spent: int) -> dict[str, object]:
        """2D20-5: `wanted`, the AP wanted for a success where they were not all there: an output."""
        return {"wanted": self.wanted} if success and spent < self.wanted else {}


class CheckResult(NamedTuple):
    """What a test came to; `total` are successes, `luck` the points used."""

    success: bool
    total: int
    complications: int
    luck: int


def one_d20(table: RuleTable, target: int, critical: int, complication: int = 20) -> tuple[int, int, int]:
    """2D20-4, 2D20-31: successes, complications and failures of one die."""
    face = table.die(20)
    won = face <= target
    return won + (won and face <= critical), int(face >= complication), int(not won)


def check(table: RuleTable, test: CheckSetup) -> CheckResult:
    """2D20-4, 2D20-8, 2D20-11: the d20s of a test, those re-rolled, and those of helpers."""
    table.label(test.what, test.who, f"{test.dice}d20", against=test.against, cause=test.cause)
    faces = test.target, test.critical, test.complication
    won, odd, lost = table.times(test.dice, one_d20, *faces, zero=(0, 0, 0))
    # Of the failing dice the highest is rolled again: a complication, where there is one. No target number is above 18
    # (2D20-1), so that every complication fails.
    worst = odd if test.target < test.complication else 0
    aimed = luck = 0
    while lost:
        if aimed < test.again:
            aimed += 1
        elif won < test.difficulty and (luck < test.luck or saves(table, test, won, odd, aimed, luck)):
            luck += 1
        else:
            break
        table.replace(1, int)
        more, new, _ = table.ask(one_d20, *faces)
        won, odd, lost = won + more, odd + new - (worst > 0), lost - 1
        worst -= worst > 0
    report(table, test, won, odd, aimed + luck)
    for who, target, critical in test.helpers:
        table.label("assist", who, "d20")
        more, new, _ = table.ask(one_d20, target, critical, test.complication)
        table.result(successes=more, complications=new, target=target, under=True)
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
    asks = f"A failure kills {test.who}." if test.cause == "death" else ""
    return uses_luck(table, test.who, fails, test, won, 1, asks=asks)


def fails(table: RuleTable, test: CheckSetup, won: int, again: int) -> int:
    """2D20-8: 1 where a test fails with so many d20 rolled again and the help that is still to come, else 0."""
    won += table.times(again, one_d20, test.target, test.critical, zero=(0, 0, 0))[0]
    for _, target, critical in test.helpers if won else ():
        won += table.ask(one_d20, target, critical)[0]
    return int(won < test.difficulty)


def named_skill(scene: Scene, intent: Intent, word: str) -> tuple[str, str]:
    """The attribute and skill of `agi+athletics`, or of a skill with its usual attribute; Refused otherwise."""
    fighter = scene.fighters[intent.actor]
    said, _, skill = word.lower().replace("_", "-").replace(" ", "").rpartition("+")
    attribute = (intent.get("attribute") or said).lower()
    if said and attribute != said:
        both = f"{word} says {said}, and --attribute {attribute}"
        refuse(intent, both, "2D20-4", "leave out one of them", final=True, code="conflicting_options")
    if not skill:
        hint = f"say it: --skill SKILL; there are: {', '.join(SKILLS)}"
        refuse(intent, f"{fighter.name} tries which skill?", "2D20-4", hint, final=True, code="unknown_name")
    skill = known_word(fighter, skill, SKILLS, "skill", "2D20-1")
    return known_word(fighter, attribute or SKILLS[skill], ATTRIBUTES, "attribute", "2D20-1"), skill


def check_setup(
    scene: Scene, intent: Intent, what: str, tries: tuple[str, str], hard: Modifiers, wanted: int = 0
) -> Setup:
    """A test of attribute + skill against `hard` (2D20-4), with what its dice cost (2D20-6) and AP `wanted` for it."""
    fighter, (attribute, skill) = scene.fighters[intent.actor], tries
    target, critical = sheet.target_number(fighter.sheet, attribute, skill)
    points = fighter.sheet["attributes"][attribute]
    lines = Modifiers(what, "2D20-1").base(attribute, points, source=f"attributes.{attribute}")
    lines.base(skill, target - points, source=f"skills.{skill}")
    hard.situational(fighter, what, attribute, skill, sign=-1)
    # Attacks and tests of per need sight (a reading).
    if (what == "attack" or attribute == "per") and fighter.has("injured-head"):
        hard.add("injured head", 2, "2D20-22", "condition")
    hard.asked(intent, sign=-1)
    dice = intent.get("buy", 0)
    if dice >= len(DICE_PRICE):
        many = f"up to three more d20 can be bought, not {dice}"
        refuse(intent, many, "2D20-6", "--buy 3", final=True, code="bad_value")
    luck, asks = luck_of(scene, intent)
    helpers = tuple(
        (name, *sheet.target_number(helper.sheet, *help.split("+")))
        for name, helper in scene.fighters.items()
        for help in helper.marks_of(f"{ASSISTS}:{fighter.name}")
        if not helper.gone and not sheet.idle(helper)
    )
    test = CheckSetup(
        *(what, fighter.name, target, critical, max(0, hard.total), 2 + dice, luck, asks, helpers),
        ap=min(ap_left(scene, intent), wanted) if wanted else 0,
        wanted=wanted,
    )
    costs = (Cost("ap", DICE_PRICE[dice], rule="2D20-6"),) if dice else ()
    return Setup(test, Modifiers.lines_of(lines, hard), costs)


def after_check(changes: Changes, test: CheckSetup, successes: int, luck: int, spent: int = 0) -> None:
    """What every test changes: AP earned and `spent` (2D20-5, 2D20-7), Luck (2D20-8), help used up (2D20-11)."""
    side, earned = changes.fighter(test.who).side, max(0, successes - test.difficulty)
    if earned or spent:
        by = changes.number("2D20-5").add("earned", earned).add("spent", -spent)
        most = side_start(changes.before, side).limits["ap"][1]
        over = changes.side_pool(side, "ap") + by.total - most if most is not None else 0
        if over > 0:
            by.add("limit", -over, "2D20-7")
        changes.side(side, "ap", by)
    if luck:
        changes.adjust(test.who, "luck", changes.number("2D20-8").add("re-rolls", -luck))
    for who, _, _ in test.helpers:
        changes.clear_marks(who, "2D20-11", f"{ASSISTS}:{test.who}")


def check_effects(changes: Changes, intent: Intent, setup: Setup, result: CheckResult) -> None:
    """AP, Luck and help of a test that changes nothing else."""
    after_check(changes, setup.dice, result.total, result.luck)


def check_upgrades(scene: Scene, intent: Intent) -> Iterator[Intent]:
    """2D20-6, 2D20-8: a test with the d20s that can be bought, and with a point of Luck."""
    have = ap_left(scene, intent)
    yield from (intent.plus(buy=many) for many, price in enumerate(DICE_PRICE) if 0 < price <= have)
    if scene.fighters[intent.actor].pools["luck"]:
        yield intent.plus(luck=1)


def skill_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-4: a test of any skill; the difficulty is 1 (a reading), or that of persistent damage, unless named."""
    if intent.get("vs"):
        what = "there are no contests here: a test has a difficulty"
        refuse(intent, what, "2D20-5", "--difficulty N", final=True, code="other_systems_option")
    is_major = intent.action == "test"
    ends = intent.get("difficulty") is None and is_major and persistent(scene.fighters[intent.actor])
    name, number = ("persistent damage", ends) if ends else ("difficulty", intent.get("difficulty", 1))
    hard = Modifiers("difficulty", "2D20-24" if ends else "2D20-5").base(name, number)
    tries = named_skill(scene, intent, intent.get("skill") or ("survival" if ends else ""))
    return check_setup(scene, intent, "check", tries, bought(scene, intent, hard) if is_major else hard)


def persistent(fighter: Fighter) -> int:
    """2D20-24: the difficulty of ending the persistent damage of a fighter; 0 without any."""
    return max(fighter.marks_of(BURNING).values(), default=fighter.level("persistent"))


def test_effects(changes: Changes, intent: Intent, setup: Setup, result: CheckResult) -> None:
    """AP, Luck and help; persistent damage ends with success against it (2D20-24)."""
    check_effects(changes, intent, setup, result)
    burning = persistent(changes.before.fighters[intent.actor])
    if result.success and intent.get("difficulty") is None and burning:
        end_persistent(changes, intent.actor)


def end_persistent(changes: Changes, who: str) -> None:
    """2D20-24: persistent damage is over."""
    changes.end(who, "persistent", "2D20-24")
    changes.clear_marks(who, "2D20-24", BURNING)


OF_CHECKS = ("difficulty", "buy", "luck", "attribute")
CHECK = check_action("Test a skill", "2D20-4", skill_setup, check, OF_CHECKS, check_effects, "successes")

# Major and Minor actions


def first_attack(scene: Scene, intent: Intent) -> None:
    """2D20-11: refuse to aim after the first attack of a turn, and to take aim twice."""
    marks = scene.fighters[intent.actor].marks
    aimed = intent.action == "aim" and marks.get(sheet.AIM)
    if aimed or marks.get(sheet.ATTACKED):
        what = f"{intent.actor} has {'taken aim' if aimed else 'attacked this turn'} already"
        refuse(intent, what, "2D20-11", "aim is for the first attack of a turn", code="already_done")


def has_arm(scene: Scene, intent: Intent) -> None:
    """2D20-22: refuse where both arms are injured (with one, what it held is dropped)."""
    if all(scene.fighters[intent.actor].has(f"injured-{arm}") for arm in sheet.ARMS):
        hint = "first aid: crisis heal WHO --treat PLACE"
        refuse(intent, f"{intent.actor} has no arm left to use", "2D20-22", hint, code="not_in_hand")


MAJOR, MINOR = (Cost("major", rule="2D20-11"),), (Cost("minor", rule="2D20-11"),)
OF_TESTS = ("buy", "luck", "attribute", "skill")
RELEASED = OutOfTurn(is_released, costs=(), effects=end_command, ready_rule="2D20-11")
"""2D20-11: a Major action can be made ready, and commanded."""
minor_action = partial(Action, rule_id="2D20-11", costs=MINOR)
of_test = partial(Says, words=("success", "failure"), counts="successes")
"""The sentence of an action with a test; odds tell how many successes."""


def major_action(
    title: str,
    setup: Callable[[Scene, Intent], Setup],
    effects: Callable[..., None],
    says: str = "",
    rule: str = "2D20-11",
) -> Action:
    """The row of a Major action (2D20-11)."""
    return Action(title, rule, setup, effects, costs=MAJOR, says=Says(says), out=RELEASED)


def major_test(
    title: str, setup: Callable[[Scene, Intent], Setup], effects: Callable[..., None], says: str
) -> Action:
    """The row of a Major action with a test (2D20-11)."""
    row = major_action(title, setup, effects)
    return row._replace(rule=check, says=of_test(says), options=OF_TESTS)
