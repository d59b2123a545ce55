"""Tests, Action Points and Luck; Major and Minor actions; attacks, throws and damage; first aid; the turn order; and
what turns begin and end with (2D20-4 to 2D20-28)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from ...rules import (
    ATTACK_SAYS,
    READIED,
    Action,
    Alternative,
    Changes,
    Cost,
    Fighter,
    Intent,
    Modifiers,
    NamedTuple,
    RuleTable,
    Runner,
    Scene,
    Setup,
    Start,
    attack_candidates,
    check_action,
    draw_action,
    has,
    in_crisis,
    in_hand,
    initiative_action,
    item_candidates,
    known_word,
    lines_of,
    patient_candidates,
    ready_action,
    refuse,
    slug,
    unable,
    use_action,
)
from ...rules.turn_order import roll_off
from . import sheet
from .options import ATTRIBUTES, PLACES, SKILLS
from .sheet import (
    AIM,
    ASSISTS,
    ATTACKED,
    BANDS,
    BROKEN,
    BURNING,
    CLOSE,
    COMMANDED,
    CONDITIONS,
    DEFENDING,
    GUNS,
    REACH,
    THROWN,
    Weapon,
    injuries,
    zones,
    zones_between,
)

DICE_PRICE = (0, 1, 3, 6)
"""2D20-6: AP of none, one, two and three more d20."""
COMMANDING = {"person": ("cha", "speech"), "animal": ("cha", "survival"), "robot": ("int", "science")}
"""2D20-11: what a commander assists with, by the kind of the NPC."""
FAR = {"move": 1, "sprint": 2}
"""2D20-11: zones."""

# Action Points and Luck


def side_start(scene: Scene, side: str) -> Start:
    """2D20-7: the AP of a side at the start, and the most it can keep: players 0 and 6, the GM one for each player
    character (by the sheets) and no limit, like any third side (a reading)."""
    # The players' side keeps its limit when all of its fighters are handed over to play themselves (ALL-3).
    if side == "players" or any(one.player for one in scene.fighters.values() if one.side == side):
        return Start({"ap": 0}, {"ap": (0, 6)})
    characters = sum(one.sheet["player"] and not one.gone for one in scene.fighters.values())
    return Start({"ap": characters}, {"ap": (0, None)})


def ap_left(scene: Scene, intent: Intent) -> int:
    """2D20-6, 2D20-11: the AP of the actor's side once a Major action, aiming and more d20 are paid for."""
    fighter = scene.fighters[intent.actor]
    have = scene.side_pool(fighter.side, "ap") - DICE_PRICE[intent.get("buy", 0)]
    have -= sheet.MAJOR_AP if is_bought(scene, intent) else 0
    minors = intent.get("aim", 0) - fighter.pools["minor"] if scene.open else 0
    if minors == 1 and have >= sheet.MINOR_AP and not fighter.has_bought("minor"):
        have -= sheet.MINOR_AP
    return max(0, have)


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
    return COMMANDED in marks or f"{READIED}:{intent.action}" in marks


def end_command(changes: Changes, intent: Intent) -> None:
    """2D20-11: a command to the actor is over, and so is the help that came with it, used or not."""
    if changes.before.fighters[intent.actor].marks.get(COMMANDED):
        changes.mark(intent.actor, COMMANDED, 0, "2D20-11")
        for name in changes.before.fighters:
            for attribute, skill in COMMANDING.values():
                changes.mark(name, ASSISTS, 0, "2D20-11", key=f"{intent.actor}:{attribute}+{skill}")


def luck_of(scene: Scene, intent: Intent) -> tuple[int, int]:
    """2D20-8: the Luck points that the command allows, else, in a crisis, those that the player can be asked about."""
    fighter, points = scene.fighters[intent.actor], intent.get("luck")
    have = fighter.pools["luck"]
    if points is None:
        return 0, have if scene.asks(intent.actor) else 0
    if points > have:
        what, about = f"{intent.actor} has {have} Luck left, not {points}", {"has": have, "needs": points}
        refuse(intent, what, "2D20-8", "use fewer: --luck N", code="cannot_pay", pool="luck", **about)
    return min(points, have), 0


def uses_luck(
    table: RuleTable,
    who: str,
    fails: Callable[..., int],
    *about: object,
    dice: int = 1,
    gains: str = "",
    asks: str = "",
) -> bool:
    """2D20-8: whether a player uses a point of Luck to roll some dice again.

    `fails(table, *about, dice)` gives 1 where so many dice rolled again gain nothing, else 0.
    """
    keep = Alternative("keep", fails, (*about, 0), gains=gains, asks=asks)
    luck = Alternative("luck", fails, (*about, dice), cost=1, spends="Luck", gains=gains)
    return table.choose(who, (keep, luck)) is luck


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
    luck: int = 0
    """Luck points that may be used."""
    asks: int = 0
    """Luck points that the player is asked about, one at a time; 0 where there is no question."""
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


class CheckResult(NamedTuple):
    """What a test came to."""

    success: bool
    total: int
    """Successes."""
    complications: int
    luck: int
    """Luck points used."""


def one_d20(table: RuleTable, target: int, critical: int) -> tuple[int, int, int]:
    """2D20-4: successes, complications and failures of one die."""
    face = table.die(20)
    won = face <= target
    return won + (won and face <= critical), int(face == 20), int(not won)


def check(table: RuleTable, test: CheckSetup) -> CheckResult:
    """2D20-4, 2D20-8, 2D20-11: the d20s of a test, those re-rolled, and those of helpers."""
    table.label(test.what, test.who, f"{test.dice}d20", against=test.against, cause=test.cause)
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
        table.replace(1, int)
        more, new, _ = table.ask(one_d20, test.target, test.critical)
        won, odd, lost = won + more, odd + new - (worst > 0), lost - 1
        worst -= worst > 0
    report(table, test, won, odd, aimed + luck)
    for who, target, critical in test.helpers:
        table.label("assist", who, "d20")
        more, new, _ = table.ask(one_d20, target, critical)
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
    return uses_luck(table, test.who, fails, test, won, asks=asks)


def fails(table: RuleTable, test: CheckSetup, won: int, again: int) -> int:
    """2D20-8: 1 where a test fails with so many d20 rolled again and the help that is still to come, else 0."""
    won += table.times(again, one_d20, test.target, test.critical, zero=(0, 0, 0))[0]
    for _, target, critical in test.helpers if won else ():
        won += table.ask(one_d20, target, critical)[0]
    return int(won < test.difficulty)


def named_skill(scene: Scene, intent: Intent, word: str) -> tuple[str, str]:
    """The attribute and skill of `agi+athletics`, or of a skill with its usual attribute; Refused otherwise."""
    fighter = scene.fighters[intent.actor]
    first, plus, second = word.lower().replace("_", "-").replace(" ", "").partition("+")
    said, skill = (first, second) if plus else ("", first)
    attribute = (intent.get("attribute") or said).lower()
    if said and attribute != said:
        both = f"{word} says {said}, and --attribute {attribute}"
        refuse(intent, both, "2D20-4", "leave out one of them", final=True, code="conflicting_options")
    if not skill:
        hint = f"say it: --skill SKILL; there are: {', '.join(SKILLS)}"
        refuse(intent, f"{fighter.name} tries which skill?", "2D20-4", hint, final=True, code="unknown_name")
    skill = known_word(fighter, skill, SKILLS, "skill", "2D20-1")
    usual = attribute or SKILLS[skill]
    return known_word(fighter, usual, ATTRIBUTES, "attribute", "2D20-1"), skill


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
        what = f"up to three more d20 can be bought, not {dice}"
        refuse(intent, what, "2D20-6", "--buy 3", final=True, code="bad_value")
    luck, asks = luck_of(scene, intent)
    helpers = tuple(
        (name, *sheet.target_number(one.sheet, *help.split("+")))
        for name, one in scene.fighters.items()
        for help in one.marks_of(f"{ASSISTS}:{fighter.name}")
        if not one.gone and not unable(CONDITIONS, one)[0]
    )
    costs = (Cost("ap", DICE_PRICE[dice], rule="2D20-6"),) if dice else ()
    whole, ap = max(0, hard.total), min(ap_left(scene, intent), wanted) if wanted else 0
    test = CheckSetup(
        what, fighter.name, target, critical, whole, 2 + dice, luck, asks, helpers, ap=ap, wanted=wanted
    )
    return Setup(test, lines_of(lines, hard), costs)


def ap_spent(test: CheckSetup, successes: int) -> int:
    """2D20-5: the AP spent on the success of a test: as wanted, as far as those of the side and those earned reach."""
    return min(test.wanted, test.ap + max(0, successes - test.difficulty))


def missing_ap(test: CheckSetup, success: bool, spent: int) -> dict[str, object]:
    """2D20-5: `wanted`, the AP wanted for a success where they were not all there: an output."""
    return {"wanted": test.wanted} if success and spent < test.wanted else {}


def after_check(changes: Changes, test: CheckSetup, successes: int, luck: int, spent: int = 0) -> None:
    """What every test changes: AP earned and `spent` (2D20-5), Luck (2D20-8), help that is used up (2D20-11)."""
    earn(changes, test, successes, spent)
    use_up(changes, test, luck)


def earn(changes: Changes, test: CheckSetup, successes: int, spent: int) -> None:
    """2D20-5, 2D20-7: AP that a test earns for the side, and those that are spent on it."""
    side, earned = changes.fighter(test.who).side, max(0, successes - test.difficulty)
    if earned or spent:
        by = changes.number("2D20-5").add("earned", earned).add("spent", -spent)
        most = side_start(changes.before, side).limits["ap"][1]
        over = changes.side_pool(side, "ap") + by.total - most if most is not None else 0
        if over > 0:
            # What is above the limit of the side is lost.
            by.add("limit", -over, "2D20-7")
        changes.side(side, "ap", by, "2D20-5")


def use_up(changes: Changes, test: CheckSetup, luck: int) -> None:
    """2D20-8, 2D20-11: Luck, and help, that a test has used up."""
    if luck:
        changes.adjust(test.who, "luck", changes.number("2D20-8").add("re-rolls", -luck), "2D20-8")
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
    """2D20-4, 2D20-11: a test of any skill, at any time or as a Major action, against a difficulty: 1 where none is
    named (2D20-5, a reading), or that of ending one's persistent damage (2D20-24)."""
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
    turns = int(fighter.conditions.get("persistent", 0))
    return max(fighter.marks_of(BURNING).values(), default=turns)


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


def rally_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-11: end + survival, or what the GM allows, at difficulty 0."""
    hard = Modifiers("difficulty", "2D20-11").base("rally", 0)
    tries = named_skill(scene, intent, intent.get("skill", "survival"))
    return check_setup(scene, intent, "check", tries, bought(scene, intent, hard))


def defend_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-11: agi + athletics against the own defense, a first defend included."""
    wanted = intent.get("ap_spend", 0)
    if wanted not in (0, 2):
        what = f"2 AP give one more defense, not {wanted}"
        refuse(intent, what, "2D20-11", "--ap-spend 2", final=True, code="bad_value")
    own = sheet.derived(scene.fighters[intent.actor].sheet)["defense"]
    hard = Modifiers("difficulty", "2D20-11").base("own defense", own)
    hard.add("defending", scene.fighters[intent.actor].marks.get(DEFENDING, 0))
    return check_setup(scene, intent, "check", ("agi", "athletics"), bought(scene, intent, hard), wanted)


def defend_spends(test: CheckSetup, result: CheckResult) -> int:
    """2D20-11: the AP spent on defending better: all that are wanted, or none."""
    return test.wanted if result.success and ap_spent(test, result.total) == test.wanted else 0


def defend_effects(changes: Changes, intent: Intent, setup: Setup, result: CheckResult) -> None:
    """2D20-11: defense +1 until the next own turn, and for 2 AP one more, once (readings)."""
    spent = defend_spends(setup.dice, result)
    after_check(changes, setup.dice, result.total, result.luck, spent)
    if result.success:
        before = changes.before.fighters[intent.actor].marks.get(DEFENDING, 0)
        changes.mark(intent.actor, DEFENDING, max(before, 1 + bool(spent)), "2D20-11")


def defend_outputs(scene: Scene, intent: Intent, setup: Setup, result: CheckResult) -> Mapping[str, object]:
    """2D20-11: `spent`, the AP spent on it, and `wanted`, those wanted where they are more."""
    spent = defend_spends(setup.dice, result)
    return {"spent": spent, **missing_ap(setup.dice, True, spent)} if result.success else {}


def attends(scene: Scene, intent: Intent) -> None:
    """2D20-11: refuse to assist or command an ally who cannot act."""
    if why := unable(CONDITIONS, scene.fighters[intent.target])[0]:
        refuse(intent, f"{intent.target} is {why} and cannot act", "2D20-11", code="condition_forbids")


def is_commanded(scene: Scene, intent: Intent) -> None:
    """2D20-11: refuse to command a player character."""
    if not is_npc(scene.fighters[intent.target]):
        what = f"{intent.target} is a player character; allied NPCs can be commanded"
        refuse(intent, what, "2D20-11", code="wrong_target")


def assist(changes: Changes, intent: Intent, setup: Setup, outcome: None) -> None:
    """2D20-11: a d20 for the ally's next test, until the next own turn, and for nobody helped before."""
    changes.clear_marks(intent.actor, "2D20-11", ASSISTS)
    changes.mark(intent.actor, f"{ASSISTS}:{intent.target}", 1, "2D20-11", key="+".join(setup.dice))


def command(changes: Changes, intent: Intent, setup: Setup, outcome: None) -> None:
    """2D20-11: the NPC takes one Major action, at once (a reading), and the commander assists with it."""
    changes.mark(intent.target, COMMANDED, 1, "2D20-11")
    assist(changes, intent, setup, outcome)


def able_allies(scene: Scene, who: str) -> list[Fighter]:
    """The others of a fighter's side who can act."""
    side = scene.of_side(scene.fighters[who].side)
    return [one for one in side if one.name != who and not unable(sheet.CONDITIONS, one)[0]]


def is_npc(fighter: Fighter) -> bool:
    """2D20-11: not a player character, by the sheet, even if the player decides for it now."""
    return not (fighter.player and fighter.sheet["player"])


def first_attack(scene: Scene, intent: Intent) -> None:
    """2D20-11: refuse to aim after the first attack of a turn, and to take aim twice."""
    marks = scene.fighters[intent.actor].marks
    aimed = intent.action == "aim" and marks.get(sheet.AIM)
    if aimed or marks.get(sheet.ATTACKED):
        what = f"{intent.actor} has {'taken aim' if aimed else 'attacked this turn'} already"
        refuse(intent, what, "2D20-11", "aim is for the first attack of a turn", code="already_done")


def in_hands(fighter: Fighter, drawn: str) -> tuple[str, ...]:
    """2D20-11, 2D20-22: what a fighter holds once something is drawn: a weapon first, and as much as the hands can."""
    hands = sum(not fighter.has(f"injured-{arm}") for arm in sheet.ARMS)
    rest = tuple(one for one in fighter.held if one != drawn)[: max(1, hands) - 1]
    return (drawn, *rest) if drawn in fighter.sheet["weapons"] else (*rest, drawn)


def chem_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-11: an item in hand, for oneself or a willing one; known are the HP it heals."""
    fighter, patient = scene.fighters[intent.actor], scene.fighters[intent.patient]
    held = next((one for one in fighter.held if one in fighter.sheet["items"]), None)
    setup = CHEM.setup(scene, intent.plus(item=intent.get("item") or held))
    in_hand(scene, intent, setup.gear, "2D20-11")
    if patient.side != fighter.side:
        refuse(intent, f"{patient.name} is no friend, and not willing", "2D20-11", code="wrong_target")
    heals = fighter.sheet["items"][setup.gear]["heals"]
    if heals and (patient.has("dying") or patient.has("dead")):
        state = "dead" if patient.has("dead") else "dying"
        hint = "" if patient.has("dead") else f"crisis act {slug(fighter.name)} heal {slug(patient.name)}"
        what = f"{patient.name} is {state}, and the {setup.gear} cannot help"
        refuse(intent, what, "2D20-23", hint, code="condition_forbids")
    return setup._replace(known=heals)


def take_chem(changes: Changes, intent: Intent, setup: Setup, outcome: None) -> None:
    """2D20-11: HP as the sheet says, and the unconscious wake; the dying need first aid (2D20-23)."""
    patient = changes.before.fighters[intent.patient]
    if 0 < patient.pools["hp"] < patient.pools["max_hp"] and setup.known:
        healed = changes.number("2D20-11").add(setup.gear, setup.known)
        changes.adjust(patient.name, "hp", healed, "2D20-11")
        changes.set(
            patient.name, "hp", min(changes.pool(patient.name, "hp"), patient.pools["max_hp"]), "2D20-2"
        )
        changes.end(patient.name, "unconscious", "2D20-27")


def has_not_moved(scene: Scene, intent: Intent) -> None:
    """2D20-11: refuse a second movement action in a turn."""
    if scene.fighters[intent.actor].marks.get(sheet.MOVED):
        what = f"{intent.actor} has moved this turn already"
        refuse(intent, what, "2D20-11", "end the turn: crisis next", code="already_done")


def in_one_zone(scene: Scene, intent: Intent) -> None:
    """2D20-11: refuse what is done to a patient in another zone."""
    if zones_between(scene, intent.actor, intent.patient):
        hint = f"go there: crisis act {slug(intent.actor)} move toward {slug(intent.patient)}"
        what = f"{intent.patient} is in another zone"
        refuse(intent, what, "2D20-11", hint, code="out_of_reach", first="move")


def slowed(fighter: Fighter) -> str:
    """2D20-12, 2D20-22: what makes moving a Major action; empty where nothing does."""
    return "prone" if fighter.has("prone") else "hurt in the leg" if injuries(fighter, *sheet.LEGS) else ""


def move_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-11, 2D20-12: how far it goes; crawling and limping one zone are Major actions."""
    fighter, to, most = scene.fighters[intent.actor], intent.get("to"), FAR[intent.action]
    slow, sprints = slowed(fighter), intent.action == "sprint"
    if slow and sprints:
        way = "stand up first: crisis act stand-up" if slow == "prone" else "crisis act move"
        rule = "2D20-12" if slow == "prone" else "2D20-22"
        refuse(intent, f"{fighter.name} is {slow} and cannot sprint", rule, way, code="condition_forbids")
    here = fighter.at
    gap = scene.way(here, to, zones) if to is not None and here is not None else 0
    if gap > most and not (slow and here is not None and scene.is_first_step(here, to, most)):
        far = f"{most} zone{'s' * (most > 1)}; that is {gap} away"
        what = f"{fighter.name} can {intent.action} {far}"
        refuse(intent, what, "2D20-11", "go part of the way", code="out_of_reach")
    free = scene.open and fighter.name not in scene.acting and is_released(scene, intent)
    return Setup(most, costs=() if sprints or free else MAJOR if slow else MINOR)


def move_effects(changes: Changes, intent: Intent, setup: Setup, outcome: None) -> None:
    """2D20-11, 2D20-12: the new place, and lying down there; leaving a zone is leaving all reach (2D20-15), and lying
    down where one is leaves nothing."""
    scene, who, to = changes.before, intent.actor, intent.get("to")
    fighter = scene.fighters[who]
    if to is not None:
        changes.move(who, to, "2D20-11")
    stays = intent.get("prone") if to is None else fighter.at is not None and not zones(fighter.at, to)
    if not stays:
        for other in fighter.marks_of(REACH):
            changes.mark(who, REACH, 0, "2D20-15", key=other)
            if other in scene.fighters:
                changes.mark(other, REACH, 0, "2D20-15", key=who)
    if intent.get("prone"):
        changes.begin(who, "prone", "2D20-12")
    mark_moved(changes, intent, setup, outcome)


def mark_moved(changes: Changes, intent: Intent, setup: Setup, outcome: None) -> None:
    """2D20-11: no more movement this turn."""
    if changes.before.open and intent.actor in changes.before.acting:
        changes.mark(intent.actor, sheet.MOVED, 1, "2D20-11")


def move_outputs(scene: Scene, intent: Intent, setup: Setup, outcome: None) -> Mapping[str, object]:
    """`zones` gone, or `most`, how many there could be."""
    here, to = scene.fighters[intent.actor].at, intent.get("to")
    return {"zones": scene.way(here, to, zones)} if here and to else {"most": setup.dice}


def move_candidates(action: str, scene: Scene, who: str) -> Iterator[Intent]:
    """Towards the nearest foe, and away, if positions are known; else anywhere."""
    here, far = scene.fighters[who].at, FAR[action]
    spots = [foe.at for foe in scene.foes(who) if foe.at is not None and not foe.has("dead")]
    if here is None or not spots:
        yield Intent(action, who)
        return
    spot = min(spots, key=lambda one: scene.way(here, one, zones))
    if scene.field is not None:
        reached = sorted(place for place in scene.field.reachable(here, far) if place != here)
        ends = sorted(reached, key=lambda one: scene.way(one, spot, zones))
        yield from (Intent(action, who, (), {"to": [*end]}) for end in dict.fromkeys((*ends[:1], *ends[-1:])))
        return
    if zones(here, spot):
        to = [a + max(-far, min(far, b - a)) for a, b in zip(here, spot, strict=True)]
        yield Intent(action, who, (), {"to": to})
    yield Intent(action, who, (), {"to": [here[0] - 1, here[1]]})


# First aid


class AidResult(NamedTuple):
    """What first aid came to, before the maximum is applied."""

    success: bool
    total: int
    complications: int
    luck: int
    spent: int
    healed: int


def aid_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-26, 2D20-27: dice are the test, and the HP of a success before AP; known is the aim (`aid_aim`)."""
    fighter, patient = scene.fighters[intent.actor], scene.fighters[intent.patient]
    if intent.get("item"):
        act = f"a chem: crisis act {slug(fighter.name)} take-chem {slug(patient.name)} --item {intent.get('item')}"
        refuse(intent, "first aid takes no things", "2D20-27", act, final=True, code="wrong_item")
    if patient.has("dead"):
        refuse(intent, f"{patient.name} is dead", "2D20-23", final=True, code="already_dead")
    aim, wanted = aid_aim(intent, patient), intent.get("ap_spend", 0)
    base = {"heal": fighter.sheet["skills"].get("medicine", 0), "stabilise": 1}.get(aim, 0)
    if wanted and aim in PLACES:
        what = "AP give HP back, and nothing else"
        refuse(intent, what, "2D20-27", "leave --ap-spend out", final=True, code="unheeded_option")
    hard = bought(scene, intent, Modifiers("difficulty", "2D20-26").base("injuries", injuries(patient)))
    hard.add("treating oneself", int(patient.name == fighter.name))
    tested = check_setup(
        scene, intent, "heal", ("int", "medicine"), hard, min(wanted, useful_ap(patient, base))
    )
    return tested._replace(dice=(tested.dice, base), known=aim)


def useful_ap(patient: Fighter, base: int) -> int:
    """2D20-27: the AP that give a patient HP back, beside the `base` that a success gives; one may wake somebody."""
    lost = patient.pools["max_hp"] - patient.pools["hp"]
    return max(0, max(lost, int(patient.has("unconscious"))) - base)


def aid_outputs(scene: Scene, intent: Intent, setup: Setup, result: AidResult) -> dict[str, object]:
    """`wanted`: AP wanted and not there; `unspent`: AP that would have given nothing back."""
    test, _ = setup.dice
    found = missing_ap(test, result.success, result.spent)
    unspent = intent.get("ap_spend", 0) - test.wanted
    return found | {"unspent": unspent} if result.success and unspent > 0 else found


def has_arm(scene: Scene, intent: Intent) -> None:
    """2D20-22: refuse where both arms are injured (with one, what it held is dropped)."""
    if all(scene.fighters[intent.actor].has(f"injured-{arm}") for arm in sheet.ARMS):
        hint = "first aid: crisis heal WHO --treat PLACE"
        refuse(intent, f"{intent.actor} has no arm left to use", "2D20-22", hint, code="not_in_hand")


def aid_aim(intent: Intent, patient: Fighter) -> str:
    """2D20-27: "heal", "stabilise" or an injured location, as asked or most needed; Refused where nothing is."""
    asked = (intent.get("treat"), intent.get("stabilise") and "stabilise", intent.get("heal_hp") and "heal")
    said = [aim for aim in asked if aim]
    if len(said) > 1:
        what, hint = "first aid does one thing at a time", "--heal-hp, --treat PLACE or --stabilise"
        refuse(intent, what, "2D20-27", hint, final=True, code="conflicting_options")
    dying = sheet.is_dying(patient)
    aim: str = said[0] if said else "stabilise" if dying else "heal"
    if dying and aim != "stabilise":
        what, hint = f"{patient.name} is dying and can only be stabilised", "crisis heal WHO --stabilise"
        refuse(intent, what, "2D20-23", hint, final=True, code="condition_forbids")
    if aim == "stabilise" and not dying:
        refuse(intent, f"{patient.name} is not dying", "2D20-27", final=True, code="condition_forbids")
    hurt = [place for place in PLACES if injuries(patient, place)]
    if aim in PLACES and aim not in hurt:
        what, where = f"{patient.name} is not injured there", f"injured: {', '.join(hurt) or 'nowhere'}"
        refuse(intent, what, "2D20-27", where, final=True, code="condition_forbids")
    if aim == "heal" and patient.pools["hp"] >= patient.pools["max_hp"] and not patient.has("unconscious"):
        what, way = f"{patient.name} has all the HP", f"treat an injury: --treat {hurt[0]}" if hurt else ""
        if (most := patient.pools["max_hp"]) < patient.full("max_hp"):
            what = f"{patient.name} has all the {most} HP that radiation has left"
            way = way or "no rule gives the highest HP back; the GM may: max_hp under [state] in the sheet"
        refuse(intent, what, "2D20-27", way, code="condition_forbids")
    return aim


def aid(table: RuleTable, setup: tuple[CheckSetup, int]) -> AidResult:
    """2D20-27: the test, and the HP that it is worth."""
    test, base = setup
    result = table.ask(check, test)
    spent = ap_spent(test, result.total) if result.success else 0
    return AidResult(*result, spent=spent, healed=base + spent if result.success else 0)


def aid_effects(changes: Changes, intent: Intent, setup: Setup, result: AidResult) -> None:
    """2D20-27: HP up to the maximum, an injury gone, or no longer dying but unconscious."""
    (test, _), aim, name = setup.dice, setup.known, intent.patient
    patient = changes.before.fighters[name]
    after_check(changes, test, result.total, result.luck, result.spent)
    if not result.success:
        return
    if aim in PLACES:
        left = injuries(patient, aim) - 1
        changes.put(name, f"condition:injured-{aim}", left or False, "2D20-27")
        return
    was, most = patient.pools["hp"], patient.pools["max_hp"]
    hp = min(was + result.healed, most)
    healed = changes.number("2D20-27").add("stabilised" if aim == "stabilise" else "medicine", setup.dice[1])
    healed.add("AP", result.spent).add("above the highest HP", hp - was - result.healed, "2D20-21")
    changes.adjust(name, "hp", healed, "2D20-27")
    if aim == "stabilise" and hp:
        # The unconscious wake when the crisis ends, at the latest (a reading).
        wakes = ("end-crisis", 0) if changes.before.open else None
        changes.put(name, "until:unconscious", wakes, "2D20-27")
    elif result.healed:
        changes.end(name, "unconscious", "2D20-27")


def aid_candidates(scene: Scene, who: str) -> Iterator[Intent]:
    """First aid for everyone of the own side, and for every injury."""
    for one in scene.of_side(scene.fighters[who].side):
        yield Intent("heal", who, (one.name,))
        for place in PLACES:
            if injuries(one, place):
                yield Intent("heal", who, (one.name,), {"treat": place})


def aid_upgrades(scene: Scene, intent: Intent) -> Iterator[Intent]:
    """2D20-6, 2D20-8, 2D20-27: dice bought, Luck, AP for HP."""
    yield from check_upgrades(scene, intent)
    most = intent.plus(ap_spend=ap_left(scene, intent))
    if not intent.get("treat") and (wanted := aid_setup(scene, most).dice[0].wanted):
        yield intent.plus(ap_spend=wanted)


def runner(fighter: Fighter) -> tuple[Runner, Modifiers]:
    """2D20-9: by initiative, then agility, then players before opponents."""
    initiative = sheet.derived(fighter.sheet)["initiative"]
    found = Modifiers("score", "2D20-2").base("initiative", initiative, source="per + agi")
    return Runner(fighter.name, initiative, (-fighter.sheet["attributes"]["agi"], not fighter.player)), found


INIT = initiative_action(
    "2D20-9",
    runner,
    lambda table, one: one.bonus,
    reroll=roll_off(20),
    times=7,
    ahead=lambda new, other: runner(new)[0].tie < runner(other)[0].tie,
    title="Line up by initiative",
)
"""2D20-9: equal d20s are rolled again seven times before the order of naming settles it."""


# Attacks and throws

OBJECT: Weapon = {"type": "throwing", "damage": 1, "damage_type": "physical", "effects": []}
"""2D20-28: anything at hand, thrown (a reading)."""
ANYTHING = "object"
"""2D20-28: the name of that."""
BARE = {"unarmed": sheet.UNARMED, ANYTHING: OBJECT}
"""What needs no weapon in hand."""
BLAST = "a whole zone"
"""2D20-28: the modifier of the attack roll of a blast."""
AP_DICE = 3
"""2D20-19: AP that can be turned into damage dice."""
LUCKY = 3
"""2D20-8: combat dice that a Luck point re-rolls."""
WHERE = (2, 8, 11, 14, 17, 20)
"""2D20-17: the highest face of the d20 for each location, in the order of PLACES."""
NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
"""Answers to how many rounds or AP to spend on a hit."""
Luck = tuple[int, int]
"""2D20-8: the Luck points that may be used, and those that the player is asked about."""
Sum = tuple[tuple[str, int], ...]
"""What adds up to damage, by name: `("damage", 6), ("armour", -2)`."""
TOO_HIGH = "above the highest HP"
"""The part of lost HP that radiation takes along with the highest HP."""
RULES = {
    **dict.fromkeys(("cover", "resistance", "radiation resistance"), "2D20-20"),
    **dict.fromkeys(("breaking", "piercing", "half by spread", "radioactive"), "2D20-24"),
    TOO_HIGH: "2D20-21",
}
"""The rule of each part of damage but the dice themselves."""


class Loss(NamedTuple):
    """What is left of the damage of a hit, whoever it hits: more than 0."""

    place: str
    """The location; "" for odds, which ask only for HP."""
    parts: Sum
    """What it adds up from."""
    rays: bool = False
    """Whether it lowers the highest HP, and not HP (2D20-21)."""
    severe: bool = True
    """Whether 5 of it injure (2D20-22)."""

    @property
    def total(self) -> int:
        """The points lost."""
        return sum(value for _, value in self.parts)


class HitResult(NamedTuple):
    """What hits bring a target, however many HP it has."""

    losses: tuple[Loss, ...] = ()
    """In their order."""
    broken: tuple[int, ...] = (0,) * len(PLACES)
    """Resistance that breaking has taken, by location."""
    uncovered: int = 0
    """Cover dice that breaking has taken."""
    stunned: bool = False
    burning: tuple[int, str] = (0, "")
    """Persistent damage: turns, and the location."""
    injured: tuple[str, ...] = ()
    """Locations injured by losses that no longer say where they struck."""


class DamageResult(NamedTuple):
    """What hits make of a target, as the journal records it."""

    hp: int
    highest: int
    """The maximum, which radiation lowers (2D20-21)."""
    injured: tuple[str, ...] = ()
    """Locations newly injured, each as often as it was."""
    broken: tuple[int, ...] = (0,) * len(PLACES)
    uncovered: int = 0
    stunned: bool = False
    burning: tuple[int, str] = (0, "")
    """These are as in `HitResult`."""
    sums: tuple[tuple[str, Sum], ...] = ()
    """What each pool loses."""


class TargetSetup(NamedTuple):
    """What the dice of a hit must know about its target."""

    name: str
    resist: tuple[int, ...]
    """By location, against the damage of this attack, without what is broken."""
    radiation: tuple[int, ...]
    """By location, the resistance to radiation."""
    cover: int = 0
    """Cover dice."""
    prone: bool = False
    """Cover dice that show nothing are rolled again (2D20-12)."""
    against: str = ""
    """Its name where there are several: the record says which one each roll is against."""
    hp: tuple[int, int] | None = None
    """HP and their maximum, where it is asked after a hit what would bring it down."""


class Damage(NamedTuple):
    """The damage of a hit before the dice, on any target."""

    who: str
    dice: int
    plus: int = 0
    kind: str = "physical"
    effects: tuple[tuple[str, int], ...] = ()
    """By effect: 1, or the number of piercing."""
    hp_only: bool = False
    """For odds, which ask only for HP and its maximum."""
    in_brief: bool = False
    """For odds, which ask for all that becomes of a target, but not what its losses add up from."""

    def has(self, effect: str) -> int:
        """The number of an effect; 0 where the weapon does not have it."""
        return dict(self.effects).get(effect, 0)


class HitsSetup(NamedTuple):
    """What the dice of the hits of an attack depend on."""

    damage: Damage
    targets: tuple[TargetSetup | None, ...]
    """The first target, then the others; None for one whose dice are left out, for odds."""
    called: int = -1
    """The location that is called for, by its place in PLACES."""
    extra: int = 0
    """Rounds fired beside the first, each a die of the hit."""
    left: int = 0
    """Rounds left for what can be chosen after a hit, as far as they can be used."""
    more: int = 0
    """Dice that can be bought after a hit, each for one of what it `pays`."""
    pays: str = ""
    """What pays them: AP, or rounds with how many are left."""
    near: tuple[TargetSetup, ...] = ()
    """Further targets of a burst that can be chosen."""
    told: bool = True
    """Whether complications are part of the result."""

    @property
    def settled(self) -> HitsSetup:
        """The same with nothing left to choose, so that it does not matter how many HP anyone has."""
        targets = tuple(one and one._replace(hp=None) for one in self.targets)
        left = min(self.left, max(0, len(targets) - 1))
        return self._replace(targets=targets, left=left, more=0, pays="", near=())

    def unasked(self, empties: bool) -> HitsSetup:
        """The same for odds, where nobody chooses anything; `empties`: a complication changes something."""
        return self.settled._replace(told=empties)


AttackSetup = tuple[CheckSetup, HitsSetup]
"""What the dice of an attack depend on."""


class AttackResult(NamedTuple):
    """What an attack came to."""

    success: bool
    total: int
    complications: int
    luck: int
    spent: int
    """AP spent on damage dice."""
    rounds: int
    tolls: tuple[HitResult | None, ...]
    """What it brings the targets, in their order, then those `chosen`."""
    bought: int = 0
    """Rounds among them that the player put into the hit when asked."""
    chosen: tuple[str, ...] = ()
    """Further targets of a burst that the player chose when asked."""


def weapon_of(scene: Scene, intent: Intent) -> tuple[str, Weapon]:
    """The weapon of an attack or what is thrown, by name and sheet entry: as asked for, else in hand, else any."""
    fighter, throws = scene.fighters[intent.actor], intent.action == "throw"
    weapons: Mapping[str, Weapon] = fighter.sheet["weapons"]
    able = [one for one in fighter.held if one in weapons]
    if throws:
        able = [one for one in (*able, *weapons) if weapons[one]["type"] in THROWN]
    name = intent.get("weapon") or (able[0] if able else ANYTHING if throws else "unarmed")
    if name == ANYTHING and not throws:
        what, hint = "an object is thrown", f"crisis throw {slug(intent.target)} --weapon object"
        refuse(intent, what, "2D20-28", hint, final=True, code="wrong_item")
    if throws and name == "unarmed":
        refuse(intent, "bare hands cannot be thrown", "2D20-28", final=True, code="wrong_item")
    if name in BARE:
        return name, BARE[name]
    weapon = weapons[name]
    if throws and weapon["type"] not in THROWN:
        # A blade thrown is as sharp as ever; a gun is an object like any other.
        return name, {**weapon, "type": "throwing"} if weapon["type"] in CLOSE else {**OBJECT, "ammo": None}
    return name, weapon


def rounds_left(scene: Scene, intent: Intent, name: str, weapon: Weapon) -> int:
    """2D20-21: the rounds left in the actor's weapon; 99 where it counts none."""
    return scene.fighters[intent.actor].pools.get(f"ammo:{name}", 99) if weapon.get("ammo") else 99


def targets_of(scene: Scene, intent: Intent, name: str, weapon: Weapon) -> list[Fighter]:
    """Everyone that the attack may hit: those named, in that order, and with a blast all others in the zone."""
    named, blast = [scene.fighters[one] for one in intent.targets], "blast" in weapon["effects"]
    # A burst reaches others close to the first, a blast a zone; close is one zone (2D20-15).
    spot = intent.get("at") or (named[0].at if named else None)
    for one in named:
        if one.has("dead"):
            refuse(intent, f"{one.name} is dead already", "2D20-23", code="already_dead")
        if spot is not None and one.at is not None and sheet.zones(spot, one.at):
            what, rule = f"{one.name} is not in the zone that is struck", "2D20-28" if blast else "2D20-24"
            refuse(intent, what, rule, "name those who are there", code="out_of_reach")
    if not blast and intent.get("at") is not None:
        what, hint = f"the {name} needs a target, not a place", "a blast is aimed at a place"
        refuse(intent, what, "2D20-28", hint, final=True, code="wrong_target")
    if not blast and len(named) > 1 and "burst" not in weapon["effects"]:
        what, hint = f"the {name} strikes one target, not {len(named)}", "burst and blast reach more"
        refuse(intent, what, "2D20-24", hint, final=True, code="wrong_targets")
    if not blast or spot is None:
        return named
    return named + [
        one
        for one in scene.fighters.values()
        if one not in named and one.at is not None and not sheet.zones(spot, one.at)
        if not one.gone and not one.has("dead")
        if scene.cover_between(one.name, intent.actor).level != "total"
    ]


def in_reach(scene: Scene, intent: Intent) -> list[str]:
    """2D20-15: the enemies in the attacker's reach, by earlier attacks or as the command says (a reading)."""
    who = intent.actor
    known = [name for name in scene.fighters[who].marks_of(REACH) if name in scene.fighters]
    near = {*intent.get("reach", ()), *(name for name in known if not zones_between(scene, who, name))}
    return [foe.name for foe in scene.foes(who) if foe.name in near and not unable(sheet.CONDITIONS, foe)[0]]


def attack_difficulty(scene: Scene, intent: Intent, name: str, weapon: Weapon) -> Modifiers:
    """2D20-12, 2D20-13, 2D20-15, 2D20-28: the difficulty of an attack but for what lies with the attacker."""
    hard = Modifiers("difficulty", "2D20-13")
    close, blast = weapon["type"] in CLOSE, "blast" in weapon["effects"]
    here, there = scene.fighters[intent.actor].at, intent.get("at") or scene.fighters[intent.target].at
    distance = intent.get("range", sheet.zones(here, there) if here and there else None)
    target = scene.fighters[intent.target] if intent.target and intent.get("at") is None else None
    if close and distance:
        away = f"{intent.target} is {distance} zone{'s' * (distance > 1)} away"
        hint = f"go there: crisis act {slug(intent.actor)} move toward {slug(intent.target)}"
        what = f"{away}; hand to hand takes the same zone"
        refuse(intent, what, "2D20-15", hint, code="out_of_reach", first="move")
    if blast:
        hard.add(BLAST, 2, "2D20-28", f"weapons.{name}")
    elif target is not None:
        hard.base("defense", sheet.derived(target.sheet)["defense"], source="sheet")
        hard.add("defending", target.marks.get(sheet.DEFENDING, 0), "2D20-11", target.name)
    if intent.get("location"):
        hard.add(intent.get("location"), 1, source="--location")
    ideal = BANDS.index(weapon.get("range", "close"))
    band = 0 if close else ideal if distance is None else min(distance, len(BANDS) - 1)
    if not close:
        hard.add(f"{BANDS[band]} range", abs(band - ideal), "2D20-15", f"best at {BANDS[ideal]}")
        for near in in_reach(scene, intent)[:1]:
            source = "--reach" if intent.get("reach") else "hand to hand"
            hard.add(f"{near} in reach", 2, "2D20-15", source)
    if target is not None and target.has("prone"):
        foe = target.side != scene.fighters[intent.actor].side
        hard.add("prone", (1 if band else -1) * foe, "2D20-12", target.name)
    return hard


def attack_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-13 to 2D20-20, 2D20-28: an attack or a throw. Dice are the test and the hits; known are the weapon, and
    whether it is thrown out of the hand."""
    name, weapon = weapon_of(scene, intent)
    if name not in BARE:
        in_hand(scene, intent, name, "2D20-11")
    fighter, kind = scene.fighters[intent.actor], weapon["type"]
    struck = targets_of(scene, intent, name, weapon)
    hard = bought(scene, intent, attack_difficulty(scene, intent, name, weapon))
    tested = check_setup(scene, intent, "attack", sheet.TESTED[kind], hard, intent.get("ap_dice", 0))
    refuse_options(scene, intent, name, weapon)
    aims, extra, place = intent.get("aim", 0), intent.get("extra_rounds", 0), intent.get("location")
    aimed = Modifiers("attack", "2D20-11")
    again = 1 if aims or (fighter.marks.get(AIM) and not fighter.marks.get(ATTACKED)) else 0
    if again:
        aimed.base("aim: one d20 again", 0, source="aim")
    plus = Modifiers("damage", "2D20-19").situational(fighter, "damage").asked(intent, "mod_damage")
    bonus = sheet.derived(fighter.sheet)["melee_bonus"] if kind in CLOSE else 0
    parts = (word.partition(" ") for word in weapon["effects"])
    effects = tuple((effect, int(number or 1)) for effect, _, number in parts)
    dice = weapon["damage"] + bonus + extra
    damage = Damage(intent.actor, dice, plus.total, weapon["damage_type"], effects)
    targets = tuple(target_setup(scene, intent, one, damage.kind, len(struck) > 1) for one in struck)
    left = max(0, rounds_left(scene, intent, name, weapon) - 1 - extra)
    hits = HitsSetup(damage, targets, PLACES.index(place) if place else -1, extra, left)
    hits = asked_after_hit(scene, intent, weapon, hits)
    if not hits.more and not hits.near:
        hits = hits.settled
    # More rounds than can be used make no difference.
    others = max(0, len(targets) - 1) + len(hits.near)
    hits = hits._replace(left=min(left, others + (hits.more if kind in GUNS else 0)))
    test = tested.dice._replace(again=again, against=targets[0].against if targets else "")
    unasked = test, hits.unasked(intent.get("complication") is not None)
    if hits.pays == "AP":
        test = test._replace(ap=min(ap_left(scene, intent), AP_DICE))
    aiming = (Cost("minor", aims, rule="2D20-11"),) if aims else ()
    loaded = (Cost(f"ammo:{name}", rule="2D20-21"),) if weapon.get("ammo") else ()
    thrown = (intent.action == "throw" or kind in THROWN) and name in fighter.held
    shelters = (
        Modifiers("cover", "2D20-20", one.against).shelter(scene, intent, one.name, sheet.cover_of(one.cover))
        for one in targets
    )
    lines = (*tested.modifiers, *lines_of(aimed, plus, *shelters))
    costs = (*aiming, *loaded, *tested.costs)
    quick = one_target_each(*unasked, unasked[1].targets, damage._replace(hp_only=True))
    whole = one_target_each(*unasked, targets, damage._replace(in_brief=True))
    return Setup((test, hits), lines, costs, name, quick, (weapon, thrown), unasked, whole)


def asked_after_hit(scene: Scene, intent: Intent, weapon: Weapon, hits: HitsSetup) -> HitsSetup:
    """2D20-16, 2D20-19, 2D20-24: the hits with what is chosen after a hit, where the command does not say it."""
    guns = weapon["type"] in GUNS
    given = intent.get("extra_rounds" if guns else "ap_dice") is not None
    if given or not scene.open or not hits.targets:
        return hits
    most = min(weapon.get("fire_rate", 0), hits.left) if guns else AP_DICE
    of_rounds = weapon.get("ammo") and scene.asks(intent.actor)
    rounds = f"of {hits.left} rounds" if of_rounds else "rounds"
    hits = hits._replace(more=most, pays=rounds if guns else "AP")
    if "burst" in weapon["effects"] and len(hits.targets) == 1 and hits.left:
        kind, near = hits.damage.kind, near_foes(scene, intent)
        hits = hits._replace(near=tuple(target_setup(scene, intent, one, kind, True) for one in near))
    return hits


def refuse_options(scene: Scene, intent: Intent, name: str, weapon: Weapon) -> None:
    """Refuse what the options ask of a weapon that cannot do it (2D20-11, 2D20-19, 2D20-21, 2D20-28)."""
    kind, rate, left = weapon["type"], weapon.get("fire_rate", 0), rounds_left(scene, intent, name, weapon)
    extra, dice = intent.get("extra_rounds", 0), intent.get("ap_dice", 0)
    if intent.get("aim"):
        first_attack(scene, intent)
    if extra and kind not in GUNS:
        what, hint = f"the {name} fires no extra rounds", "leave --extra-rounds out"
        refuse(intent, what, "2D20-19", hint, final=True, code="unheeded_option")
    if extra > rate:
        what, hint = f"the {name} fires 0 to {rate} extra rounds, not {extra}", f"--extra-rounds {rate}"
        refuse(intent, what, "2D20-19", hint, code="bad_value")
    if dice and kind in GUNS:
        what = "AP buy damage dice hand to hand and for what is thrown"
        refuse(intent, what, "2D20-19", "guns: --extra-rounds N", code="unheeded_option")
    if dice > AP_DICE:
        what = f"0 to {AP_DICE} AP can be spent on damage dice, not {dice}"
        refuse(intent, what, "2D20-19", f"--ap-dice {AP_DICE}", final=True, code="bad_value")
    if intent.get("location") and "blast" in weapon["effects"]:
        hint = "leave --location out"
        refuse(intent, "a blast cannot be called", "2D20-28", hint, final=True, code="unheeded_option")
    if 1 + extra > left > 0:
        what = f"the {name} of {intent.actor} has {left} rounds left; so many extra rounds take {1 + extra}"
        about = {"pool": f"ammo:{name}", "has": left, "needs": 1 + extra}
        refuse(intent, what, "2D20-21", f"--extra-rounds {left - 1}", code="no_ammunition", **about)


def target_setup(scene: Scene, intent: Intent, target: Fighter, kind: str, several: bool) -> TargetSetup:
    """A fighter as a target, one of several or alone, of damage of one type; Refused behind total cover (2D20-20)."""
    cover = intent.get("cover") or scene.cover(target.name, intent.actor, 0, {"total": "none"}).level
    if cover == "total":
        what = f"{target.name} is in total cover"
        refuse(intent, what, "2D20-20", "get round it, or wait", code="total_cover")
    dice = sheet.cover_dice_of("heavy" if cover == "total" else cover)
    resist = tuple(sheet.resist_left(target, kind, place) for place in PLACES)
    radiation = tuple(sheet.resistance(target.sheet, place, "radiation") for place in PLACES)
    hp, against = (target.pools["hp"], target.pools["max_hp"]), target.name if several else ""
    return TargetSetup(target.name, resist, radiation, dice, target.has("prone"), against, hp)


def one_target_each(
    test: CheckSetup, hits: HitsSetup, targets: Sequence[TargetSetup | None], damage: Damage
) -> tuple[tuple[str, AttackSetup], ...]:
    """For odds: the attack without any target's dice, and for each target the attack on that one alone."""
    nobody: tuple[TargetSetup | None, ...] = (None,) * len(targets)
    found = [("", (test, hits._replace(targets=nobody)))]
    for at, target in enumerate(targets):
        if target:
            alone = (*nobody[:at], target, *nobody[at + 1 :])
            found.append((target.name, (test, hits._replace(targets=alone, damage=damage))))
    return tuple(found)


# The dice


def attack(table: RuleTable, setup: AttackSetup) -> AttackResult:
    """2D20-16: the test and every hit; a miss costs one round, and what adds dice is chosen after a hit (readings)."""
    test, hits = setup
    several = sum(map(bool, hits.targets))
    if several > 1:
        what = f"what one attack does to {several} targets together takes too many branches"
        table.refuse_odds(what, "ask about each of them")
    tested = table.ask(check, test)
    is_of_target = hits.damage.hp_only or hits.damage.in_brief
    total = 0 if is_of_target else tested.total
    odd = 0 if is_of_target or not hits.told else tested.complications
    if not tested.success:
        unhurt = tuple(one and HitResult() for one in hits.targets)
        return AttackResult(False, total, odd, tested.luck, 0, 1, unhurt)
    spent, extra = ap_spent(test, tested.total), 0
    luck = (max(0, test.luck - tested.luck), max(0, test.asks - tested.luck))
    if hits.more:
        have = ap_spent(test._replace(wanted=AP_DICE), tested.total) if hits.pays == "AP" else hits.left
        more = more_dice(table, hits, hits.damage.dice + spent, min(hits.more, have))
        spent, extra = (more, 0) if hits.pays == "AP" else (spent, more)
        hits = hits._replace(extra=hits.extra + extra, left=hits.left - extra)
    dice = hits.damage.dice + spent + extra
    # What injures depends on the HP, and so does what can be chosen.
    hits = hits if hits.near or hits.damage.in_brief else hits.settled
    used, rounds, chosen, tolls = table.ask(roll_hits, hits, dice, luck)
    return AttackResult(True, total, odd, tested.luck + used, spent, rounds, tolls, extra, chosen)


def more_dice(table: RuleTable, hits: HitsSetup, dice: int, most: int) -> int:
    """2D20-16, 2D20-19: how many more dice are bought for the hit, chosen by what so many would do."""
    first = hits.targets[0]
    if not first or not first.hp or not first.hp[0]:
        return 0
    alone = hits._replace(damage=hits.damage._replace(hp_only=True), targets=(first,)).settled
    bought = "AP for damage" if hits.pays == "AP" else "extra rounds"
    asks = f"How many {bought}? Each adds a combat die to the {dice} of the hit."
    options = tuple(
        brings_down(
            NUMBERS[more],
            first,
            hp_after_hit,
            (alone, dice + more, first.hp),
            more,
            hits.pays,
            asks * (not more),
        )
        for more in range(most + 1)
    )
    return table.choose(hits.damage.who, options).cost


def brings_down(
    name: str,
    target: TargetSetup,
    rule: Callable[..., int],
    args: tuple[object, ...],
    cost: int,
    pays: str,
    asks: str = "",
) -> Alternative:
    """A way to bring a target down: `rule` gives the HP that are left."""
    spends, gains = pays if cost else "", f"bring {target.name} down"
    return Alternative(name, rule, args, cost, spends, gains, leaves="HP left", asks=asks)


def hp_after_hit(table: RuleTable, hits: HitsSetup, dice: int, hp: tuple[int, int]) -> int:
    """The HP that hits with so many dice leave their first target, of `hp` and their maximum."""
    first = table.ask(roll_hits, hits, dice)[3][0]
    return after_losses(*hp, first.losses).hp if first else 0


def roll_hits(
    table: RuleTable, hits: HitsSetup, dice: int, luck: Luck = (0, 0)
) -> tuple[int, int, tuple[str, ...], tuple[HitResult | None, ...]]:
    """2D20-17 to 2D20-24, 2D20-28: the location of the first hit, the damage, cover; then further hits as named. Gives
    the Luck used, the rounds fired, the further targets chosen, and what all targets get."""
    damage, targets, at = hits.damage, hits.targets, hits.called
    first = targets[0] if targets else None
    if first and at < 0:
        at = table.ask(hit_location, first.name, first.against)
    bursts = damage.has("burst") and len(targets) > 1
    if not any(targets) and not luck[0] and not bursts:
        # Nobody asks what the dice would show.
        return 0, 1 + hits.extra, (), tuple(one and HitResult() for one in targets)
    rolled, effects, used = table.ask(combat_dice, damage, dice, luck, first.against if first else "")
    others = min(effects, len(targets) - 1, hits.left) if bursts else 0
    # Further hits of a burst bring no hits of their own (a reading).
    chained = ("burst", "spread", "persistent")
    further = damage._replace(effects=tuple(one for one in damage.effects if one[0] not in chained))
    blast = damage.has("blast")
    tolls = [one and HitResult() for one in targets]
    for number, target in enumerate(targets[: None if blast else 1 + others]):
        toll = tolls[number]
        if target and toll:
            where, each = (-1, damage if blast else further) if number else (at, damage)
            toll = table.ask(hit, toll, target, each, rolled, effects, where)
            if not number and effects and damage.has("spread"):
                toll = table.chain(effects, hit, toll, target, damage, rolled // 2, 0, -1, "half by spread")
            tolls[number] = toll
    chosen = further_targets(table, hits, further, rolled, effects) if hits.near else ()
    tolls += [table.ask(hit, HitResult(), one, further, rolled, effects, -1) for one in chosen]
    if damage.hp_only:
        tolls = [one and HitResult(one.losses) for one in tolls]
    rounds = 1 + hits.extra + others + len(chosen)
    return used, rounds, tuple(one.name for one in chosen), tuple(tolls)


def further_targets(
    table: RuleTable, hits: HitsSetup, damage: Damage, rolled: int, effects: int
) -> tuple[TargetSetup, ...]:
    """2D20-24: the further targets of a burst, one for each Effect and round, as they are chosen."""
    chosen: tuple[TargetSetup, ...] = ()
    quick = damage._replace(hp_only=True)
    while len(chosen) < min(effects, hits.left, len(hits.near)):
        left = {slug(one.name): one for one in hits.near if one not in chosen}
        asks = "Who else does the burst hit? Each further target takes a round, and the same damage."
        unhurt = max(one.hp[0] for one in left.values() if one.hp)
        options = [Alternative("none", unchanged, (unhurt,), asks=asks, counts="HP left")]
        for name, one in left.items():
            options.append(brings_down(name, one, hp_after, (one, quick, rolled, effects), 1, "round"))
        taken = table.choose(damage.who, tuple(options))
        if not taken.cost:
            break
        chosen += (left[taken.name],)
    return chosen


def unchanged(table: RuleTable, hp: int) -> int:
    """The HP of a fighter who is not hit."""
    return hp


def hp_after(table: RuleTable, target: TargetSetup, damage: Damage, rolled: int, effects: int) -> int:
    """The HP that a further hit of a burst leaves a target."""
    losses = table.ask(hit, HitResult(), target._replace(hp=None), damage, rolled, effects, -1).losses
    return after_losses(*target.hp, losses).hp if target.hp else 0


COUNTS = {3: "3=0", 4: "4=0", 5: "5=1E", 6: "6=1E"}
"""2D20-18: the faces of a combat die that are not what they show."""


def combat_die(table: RuleTable) -> tuple[int, int, int]:
    """2D20-18: damage, Effects, and whether the die shows neither."""
    face = table.die(6)
    return ((1, 0, 0), (2, 0, 0), (0, 0, 1), (0, 0, 1), (1, 1, 0), (1, 1, 0))[face - 1]


def face_words(dice: str, faces: Sequence[int]) -> Sequence[int | str]:
    """2D20-18: what faces of combat dice count, an E being an Effect: `[5=1E 2 3=0]`."""
    return [COUNTS.get(face, face) for face in faces] if "C" in dice else faces


def is_empty(face: int) -> bool:
    """2D20-18: whether a combat die shows nothing."""
    return face in (3, 4)


def combat_dice(
    table: RuleTable, damage: Damage, dice: int, luck: Luck = (0, 0), against: str = "", cause: str = ""
) -> tuple[int, int, int]:
    """2D20-18, 2D20-8: damage and Effects of so many combat dice, and the Luck used to roll empty ones again."""
    table.label("damage", damage.who, f"{dice}dC", against=against, cause=cause)
    shown, effects, empty = table.times(dice, combat_die, zero=(0, 0, 0))
    vicious = damage.has("vicious")
    # The new faces stand: each point is for dice that have been rolled once.
    again, some = 0, min(empty, LUCKY * luck[0])
    while True:
        if some:
            table.replace(some, is_empty)
            more, new, _ = table.times(some, combat_die, zero=(0, 0, 0))
            shown, effects, again = shown + more, effects + new, again + some
        total = max(0, shown + damage.plus + effects * vicious)
        table.result(total=total, effects=effects, rerolled=again or None)
        some = min(LUCKY, empty - again)
        may = some and again < LUCKY * luck[1]
        if not may or not uses_luck(table, damage.who, all_empty, dice=some, gains="more damage"):
            break
    table.part("damage", "vicious", effects * vicious, "2D20-24", against=against)
    return total, effects, -(-again // LUCKY)


def all_empty(table: RuleTable, dice: int) -> int:
    """1 where some combat dice add nothing at all, else 0."""
    return int(not table.times(dice, combat_die, zero=(0, 0, 0))[0])


def hit_location(table: RuleTable, who: str, against: str = "") -> int:
    """2D20-17: which location is hit, by its place in PLACES."""
    table.label("location", who, "d20", against=against)
    face = table.die(20)
    at = next(place for place, last in enumerate(WHERE) if face <= last)
    table.result(total=face, spot=PLACES[at])
    return at


def cover_dice(table: RuleTable, who: str, dice: int, prone: bool, against: str = "") -> int:
    """2D20-20: what cover takes off; Effects on its dice do not count (a reading)."""
    table.label("cover", who, f"{dice}dC", against=against)
    off, _, empty = table.times(dice, combat_die, zero=(0, 0, 0))
    again = empty if prone else 0
    if again:
        table.replace(again, is_empty)
    off += table.times(again, combat_die, zero=(0, 0, 0))[0] if again else 0
    table.result(total=off, rerolled=again or None)
    return off


def hit(
    table: RuleTable,
    before: HitResult,
    target: TargetSetup,
    damage: Damage,
    rolled: int,
    effects: int,
    at: int,
    name: str = "damage",
) -> HitResult:
    """2D20-20 to 2D20-24: a hit after what came `before`: location unless given, cover, resistance, the result.

    `name` is that of the part `rolled` in what the target loses.
    """
    if at < 0:
        at = table.ask(hit_location, target.name, target.against)
    place, resist, who = PLACES[at], target.resist[at], target.name
    cover = max(0, target.cover - before.uncovered)
    breaking = effects * damage.has("breaking")
    uncovers = min(cover, breaking)
    # Without cover, breaking takes the resistance of the location.
    broken = min(resist, before.broken[at] + breaking - uncovers)
    table.part("cover dice", "breaking", -uncovers, "2D20-24", against=who)
    left = cover - uncovers
    off = table.ask(cover_dice, who, left, target.prone, target.against) if left else 0
    pierced = min(resist - broken, effects * damage.has("piercing"))
    table.part(f"{place} resistance", damage.kind, resist, "2D20-20", "resist", who)
    table.part(f"{place} resistance", "breaking", -broken, "2D20-24", against=who)
    table.part(f"{place} resistance", "piercing", -pierced, "2D20-24", against=who)
    resisted = (("resistance", -resist), ("breaking", broken), ("piercing", pierced))
    losses = lost(place, ((name, rolled), ("cover", -off), *resisted), damage.kind == "radiation")
    rays = effects * damage.has("radioactive")
    losses += lost(
        place, (("radioactive", rays), ("radiation resistance", -target.radiation[at])), True, severe=False
    )
    injured = before.injured
    if damage.in_brief and target.hp:
        injured = tuple(sorted(injured + after_losses(*target.hp, before.losses + losses).injured))
    is_short = damage.hp_only or damage.in_brief
    result = before._replace(
        losses=in_short(before.losses + losses) if is_short else before.losses + losses,
        injured=injured,
        broken=(*before.broken[:at], broken, *before.broken[at + 1 :]),
        uncovered=before.uncovered + uncovers,
    )
    if damage.hp_only:
        return result
    burning = (effects, place) if effects and damage.has("persistent") else (0, "")
    stunned = before.stunned or bool(effects and damage.has("stun"))
    return result._replace(stunned=stunned, burning=max(before.burning, burning))


def lost(place: str, parts: Sum, rays: bool, severe: bool = True) -> tuple[Loss, ...]:
    """2D20-21: what is left of damage, if anything."""
    loss = Loss(place, tuple(part for part in parts if part[1]), rays, severe)
    return (loss,) if loss.total > 0 else ()


def in_short(losses: tuple[Loss, ...]) -> tuple[Loss, ...]:
    """Losses that cost as many HP, without locations and without what they add up from."""
    short: tuple[Loss, ...] = ()
    for one in losses:
        alike = bool(short) and short[-1].rays == one.rays
        total = one.total + (short[-1].total if alike else 0)
        short = (*(short[:-1] if alike else short), Loss("", (("damage", total),), one.rays))
    return short


def after_losses(hp: int, highest: int, losses: Iterable[Loss]) -> DamageResult:
    """2D20-21 to 2D20-23: what losses make of somebody with so many HP: they come off HP or the maximum, and injure."""
    injured, sums = list[str](), list[tuple[str, Sum]]()
    for loss in losses:
        total, was = loss.total, hp
        if loss.rays:
            highest = highest - total if highest >= total else 0
            hp = min(hp, highest)
        else:
            hp = hp - total if hp >= total else 0
        sums.append(("max_hp" if loss.rays else "hp", loss.parts))
        if loss.rays and hp < was:
            sums.append(("hp", ((TOO_HIGH, was - hp),)))
        # 5 from one hit injure (2D20-22). At HP 0 the location is injured, and again by any damage after that.
        injured += [loss.place] * (((loss.severe and total >= 5) + (not hp)) if loss.place else 0)
    return DamageResult(hp, highest, tuple(sorted(injured)), sums=tuple(sums))


# After the dice


def all_targets(hits: HitsSetup, result: AttackResult) -> tuple[TargetSetup | None, ...]:
    """The targets of an attack, then those that were chosen after the hit."""
    return (*hits.targets, *(one for name in result.chosen for one in hits.near if one.name == name))


def target_after(fighter: Fighter, result: HitResult) -> DamageResult:
    """2D20-20 to 2D20-24: what hits make of a fighter as it stands."""
    after = after_losses(fighter.pools["hp"], fighter.pools["max_hp"], result.losses)
    return after._replace(
        injured=tuple(sorted(after.injured + result.injured)),
        broken=result.broken,
        uncovered=result.uncovered,
        stunned=result.stunned,
        burning=result.burning,
    )


def attack_effects(changes: Changes, intent: Intent, setup: Setup, result: AttackResult) -> None:
    """2D20-15 to 2D20-28: Luck and help; the targets; rounds, aim, reach, and what was thrown."""
    (test, hits), (weapon, thrown), who, scene = setup.dice, setup.known, intent.actor, changes.before
    use_up(changes, test, result.luck)
    dice = hits.damage.dice + result.spent + result.bought
    for target, after in zip(all_targets(hits, result), result.tolls, strict=True):
        if target and after and after != HitResult():
            apply_damage(changes, target, after, hits.damage, dice)
    if weapon.get("ammo"):
        pool = f"ammo:{setup.gear}"
        if result.complications and intent.get("complication") == "empty":
            changes.set(who, pool, 0, "2D20-25")
        else:
            changes.adjust(who, pool, 1 - result.rounds, "2D20-21")
    changes.mark(who, AIM, 0, "2D20-11")
    if scene.open:
        if who in scene.acting:
            changes.mark(who, ATTACKED, 1, "2D20-11")
        # Anyone attacked hand to hand, or said to be near, is in reach, and the other way round.
        for other in (*intent.get("reach", ()), *(intent.targets if weapon["type"] in CLOSE else ())):
            changes.mark(who, REACH, 1, "2D20-15", key=other)
            changes.mark(other, REACH, 1, "2D20-15", key=who)
    if thrown and not (weapon.get("ammo") and changes.pool(who, f"ammo:{setup.gear}")):
        changes.drop(who, setup.gear, "2D20-28")


def attack_gains(changes: Changes, intent: Intent, setup: Setup, part: tuple[int, int]) -> None:
    """2D20-5, 2D20-15: the AP that an attack earns and spends, by its successes and those spent."""
    earn(changes, setup.dice[0], *part)


def apply_damage(changes: Changes, target: TargetSetup, result: HitResult, damage: Damage, dice: int) -> None:
    """2D20-20 to 2D20-24: pools, injuries, and the effects of a hit with so many dice on its target."""
    name, fighter = target.name, changes.fighter(target.name)
    apply_wounds(changes, fighter, target_after(fighter, result), "2D20-21")
    if result.stunned:
        changes.begin(name, "stunned", "2D20-24", until=sheet.next_turn(changes.before, name))
    turns, place = result.burning
    if turns and turns >= int(fighter.conditions.get("persistent", 0)):
        end_persistent(changes, name)
        changes.begin(name, "persistent", "2D20-24", turns)
        changes.mark(name, BURNING, turns, "2D20-24", key=f"{damage.kind}:{place}:{dice}")
    for place, gone in zip(PLACES, result.broken, strict=True):
        if gone:
            mark = f"{BROKEN}:{damage.kind}:{place}"
            changes.mark(name, mark, fighter.marks.get(mark, 0) + gone, "2D20-24")
    scene = changes.scene if result.uncovered else None
    if scene is None or damage.who not in scene.fighters:
        return
    cover = scene.cover_between(name, damage.who).level
    if cover not in ("none", "total"):
        left = sheet.cover_of(max(0, sheet.cover_dice_of(cover) - result.uncovered))
        # On a map "none" is a level as well: nothing is left of what stands there.
        gone = left == "none" and scene.field is None
        changes.put(name, f"cover:{damage.who}", None if gone else left, "2D20-24")


def apply_wounds(changes: Changes, fighter: Fighter, result: DamageResult, rule: str) -> None:
    """2D20-21, 2D20-22: HP and its maximum, then new injuries and what each brings at once."""
    name = fighter.name
    for pool, rule_id in (("max_hp", "2D20-21"), ("hp", rule)):
        gone = [one for where, parts in result.sums if where == pool for one in parts]
        lost = changes.number(rule_id)
        for part, value in gone:
            lost.from_dice(part, -value) if part == "damage" else lost.add(part, -value, RULES[part])
        if gone:
            changes.adjust(name, pool, lost, rule_id)
    for place in dict.fromkeys(result.injured):
        level = sheet.injuries(fighter, place) + result.injured.count(place)
        changes.begin(name, f"injured-{place}", "2D20-22", level)
    if any(place in sheet.LEGS for place in result.injured):
        changes.begin(name, "prone", "2D20-22")
    if "head" in result.injured:
        changes.begin(name, "stunned", "2D20-22", until=sheet.next_turn(changes.before, name))
    if not set(sheet.ARMS).isdisjoint(result.injured):
        arms = [arm for arm in sheet.ARMS if not fighter.has(f"injured-{arm}")]
        dropped = {hand for hand, arm in enumerate(arms) if arm in result.injured}
        held = (item for hand, item in enumerate(fighter.held) if hand not in dropped)
        changes.hold(name, held, "2D20-22")


def attack_outputs(scene: Scene, intent: Intent, setup: Setup, result: AttackResult) -> Mapping[str, object]:
    """`surplus`: aiming that is not used; `suggestion`: what a complication may do (2D20-25); `wanted`: AP wanted and
    not there (2D20-19); `at`: the zone that is hit; `tolls`: the targets afterwards, `sums`: what their pools lose."""
    after = [
        one and toll and target_after(scene.fighters[one.name], toll)
        for one, toll in zip(all_targets(setup.dice[1], result), result.tolls, strict=True)
    ]
    found: dict[str, object] = {
        "tolls": [one and one._replace(sums=()) for one in after],
        "sums": [one.sums if one else () for one in after] if result.success else [],
    }
    aims, place = intent.get("aim", 0), intent.get("at")
    if aims and aims + bool(scene.fighters[intent.actor].marks.get(AIM)) > 1:
        found["surplus"] = [["aim", "1 d20 an attack"]]
    if result.complications:
        found["suggestion"] = "empty" if setup.known[0].get("ammo") else "drop"
    if result.chosen:
        found["further"] = " and ".join(result.chosen)
    found |= missing_ap(setup.dice[0], result.success, result.spent)
    return found if place is None else {**found, "at": list(place)}


def attack_upgrades(scene: Scene, intent: Intent) -> Iterator[Intent]:
    """2D20-6, 2D20-8, 2D20-13: dice, Luck, the location with least armour; the rest is chosen after a hit (2D20-16)."""
    yield from check_upgrades(scene, intent)
    _, weapon = weapon_of(scene, intent)
    if "blast" not in weapon["effects"]:
        target = scene.fighters[intent.target].sheet
        worn = [sheet.resistance(target, place, weapon["damage_type"]) for place in PLACES]
        if min(worn) < max(worn):
            yield intent.plus(location=PLACES[worn.index(min(worn))])


def near_foes(scene: Scene, intent: Intent) -> list[Fighter]:
    """2D20-24: the foes that a burst can hit beside its target, the nearest to that one first."""
    apart = [
        (zones_between(scene, intent.target, foe.name) or 0, foe)
        for foe in scene.foes(intent.actor)
        if foe.name != intent.target and not unable(sheet.CONDITIONS, foe)[0]
        if scene.cover_between(foe.name, intent.actor).level != "total"
    ]
    return [foe for zones, foe in sorted(apart, key=lambda one: one[0]) if zones <= 1]


# Turns


def dying_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-23: end + survival against the number of injuries, for someone dying; nothing for others."""
    fighter = scene.fighters[intent.actor]
    if not sheet.is_dying(fighter):
        return Setup(None)
    hard = Modifiers("difficulty", "2D20-23").situational(fighter, "dying", "end", "survival", sign=-1)
    target, critical = sheet.target_number(fighter.sheet, "end", "survival")
    difficulty = max(0, sheet.injuries(fighter) + hard.total)
    test = CheckSetup("resist", fighter.name, target, critical, difficulty, cause="death")
    return Setup(test._replace(asks=luck_of(scene, intent)[1]))


def begin_turn(changes: Changes, intent: Intent, setup: Setup, result: CheckResult | None) -> None:
    """2D20-11: a Major and a Minor action, none for the stunned (2D20-24); 2D20-23: failing is death."""
    fighter = changes.before.fighters[intent.actor]
    normal = not (fighter.has("stunned") or fighter.has("dead") or sheet.is_dying(fighter))
    for pool in ("major", "minor"):
        changes.set(fighter.name, pool, int(normal), "2D20-11")
    changes.clear_marks(fighter.name, "2D20-11", READIED, sheet.ASSISTS, sheet.DEFENDING)
    if result:
        check_effects(changes, intent, setup, result)
        if not result.success:
            changes.begin(fighter.name, "dead", "2D20-23")


Wound = tuple[Damage, str, int, str]
"""Damage that comes again at the end of a turn, its location, the resistance there, and what causes it."""


def lasting_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-22, 2D20-24: bleeding, then persistent damage; none for the dead. Dice are the state, and the wounds."""
    fighter = scene.fighters[intent.actor]
    # Two combat dice of an injured torso, however often it is injured (a reading).
    bleeding = (Damage(fighter.name, 2), "torso", 0, "bleeding from the torso")
    found: list[Wound] = [bleeding] if sheet.injuries(fighter, "torso") else []
    for burning in fighter.marks_of(BURNING) if fighter.has("persistent") else ():
        kind, place, dice = burning.split(":")
        resist = sheet.resist_left(fighter, kind, place)
        found.append((Damage(fighter.name, int(dice), kind=kind), place, resist, "persistent damage"))
    state = DamageResult(fighter.pools["hp"], fighter.pools["max_hp"])
    return Setup((state, tuple(found)) if found and not fighter.has("dead") else None)


def lasting(table: RuleTable, setup: tuple[DamageResult, tuple[Wound, ...]] | None) -> DamageResult | None:
    """2D20-22, 2D20-24: the damage of each wound in its order, its Effects ignored."""
    state, wounds = setup or (None, ())
    losses: tuple[Loss, ...] = ()
    for damage, place, resist, cause in wounds:
        rolled, _, _ = table.ask(combat_dice, damage, damage.dice, (0, 0), "", cause)
        table.part(f"{place} resistance", "resistance", resist, "2D20-20", "resist", damage.who)
        losses += lost(place, (("damage", rolled), ("resistance", -resist)), damage.kind == "radiation")
    return state and after_losses(state.hp, state.highest, losses)


def end_turn(changes: Changes, intent: Intent, setup: Setup, result: DamageResult | None) -> None:
    """2D20-24: persistent damage lasts a turn less; a command that was not obeyed is forgotten (2D20-11)."""
    name = intent.actor
    fighter = changes.before.fighters[name]
    for pool in ("major", "minor"):
        changes.set(name, pool, 0, "2D20-11")
    if result:
        apply_wounds(changes, fighter, result, "2D20-22")
    turns = int(fighter.conditions.get("persistent", 0))
    if turns > 1:
        changes.begin(name, "persistent", "2D20-24", turns - 1)
    elif turns:
        end_persistent(changes, name)
    for other in changes.before.fighters:
        end_command(changes, intent._replace(actor=other))


# The rows

OF_TESTS = ("buy", "luck", "attribute", "skill")
TRIES = "{actor} tries {skill}"
MAJOR, MINOR = (Cost("major", rule="2D20-11"),), (Cost("minor", rule="2D20-11"),)
LATER = in_crisis("2D20-11")
tested = partial(Action, words=("success", "failure"), counts="successes")
minor_action = partial(Action, rule_id="2D20-11", costs=MINOR)
major_action = partial(
    tested,
    rule_id="2D20-11",
    costs=MAJOR,
    out_of_turn=is_released,
    out_costs=(),
    out_effects=end_command,
    ready_rule="2D20-11",
)
"""A row of a Major action: it can be made ready, and commanded (2D20-11)."""
major_test = partial(major_action, rule=check, options=OF_TESTS)
FIRES, THROWS = ATTACK_SAYS["ranged"], ATTACK_SAYS["thrown"]
THROW = major_action(
    "Throw a weapon or an object",
    rule_id="2D20-28",
    setup=attack_setup,
    effects=attack_effects,
    gains=attack_gains,
    split=lambda result: ((result.total, result.spent), result._replace(total=0)),
    rule=attack,
    words=("hit", "miss"),
    gear="weapons",
    candidates=attack_candidates("throw", *THROWN),
    upgrades=attack_upgrades,
    options=(
        *("weapon", "range", "cover", "mod_damage", "location", "ap-dice", "aim", "reach", "complication"),
        *("buy", "luck", "at"),
    ),
    targets="many",
    requires=(has_arm,),
    outputs=attack_outputs,
    says={"": THROWS, "bare": "{actor} throws something at {target}"},
)
ATTACK = THROW._replace(
    title="Attack with the weapon in hand",
    rule_id="2D20-13",
    candidates=attack_candidates("attack", *CLOSE, *GUNS, bare_hands=True),
    options=(*THROW.options, "extra-rounds"),
    says={
        **ATTACK_SAYS,
        **dict.fromkeys(GUNS, FIRES),
        **dict.fromkeys(THROWN, THROWS),
        "": "{actor} attacks {target} with the {gear}",
        "bare": "{actor} attacks {target}",
    },
)
HEAL = major_action(
    "Give first aid",
    rule_id="2D20-27",
    setup=aid_setup,
    effects=aid_effects,
    rule=aid,
    words=("healed", "failure"),
    outputs=aid_outputs,
    candidates=aid_candidates,
    upgrades=aid_upgrades,
    targets="patient",
    requires=(has_arm, in_one_zone),
    options=("buy", "luck", "treat", "stabilise", "heal-hp", "ap-spend"),
    says={"": "{actor} treats {target}", "self": "{actor} treats their own wounds"},
)
CHECK = check_action(
    "Test a skill", "2D20-4", skill_setup, check, ("difficulty", "buy", "luck", "attribute")
)._replace(effects=check_effects, counts="successes")
CHEM_SAYS = {"": "{actor} gives {target} the {gear}", "self": "{actor} takes the {gear}"}
CHEM = use_action("take-chem", "Give a chem, to oneself or another", "2D20-11", MINOR, CHEM_SAYS)
ACTIONS = {
    "heal": HEAL,
    "first-aid": HEAL._replace(candidates=lambda scene, who: ()),
    "test": major_test(
        "Test any other skill, or end what one suffers",
        setup=skill_setup,
        effects=test_effects,
        options=(*OF_TESTS, "difficulty"),
        candidates=lambda scene, who: (Intent("test", who),) * bool(persistent(scene.fighters[who])),
        says=TRIES,
    ),
    "rally": major_test(
        "Earn AP for the side", setup=rally_setup, effects=check_effects, says="{actor} rallies the others"
    ),
    "defend": major_test(
        "Be harder to hit",
        setup=defend_setup,
        effects=defend_effects,
        outputs=defend_outputs,
        options=("buy", "luck", "ap-spend"),
        says="{actor} takes care not to be hit",
    ),
    "assist": major_action(
        "Help with an ally's next test",
        setup=lambda scene, intent: Setup(named_skill(scene, intent, intent.get("skill", ""))),
        effects=assist,
        requires=(attends, LATER),
        candidates=lambda scene, who: (
            Intent("assist", who, (one.name,), {"skill": "small-guns"}) for one in able_allies(scene, who)
        ),
        targets="ally",
        options=("attribute", "skill"),
        says="{actor} means to help {target}",
    ),
    "command": major_action(
        "Have an allied NPC take a Major action",
        setup=lambda scene, intent: Setup(COMMANDING[scene.fighters[intent.target].sheet["kind"]]),
        effects=command,
        requires=(is_commanded, attends, LATER),
        outputs=lambda scene, intent, setup, outcome: {"suggestion": "obey"},
        candidates=patient_candidates("command", is_npc),
        targets="ally",
        says="{actor} tells {target} what to do",
    ),
    "ready": ready_action(
        "Hold a Major action until a trigger",
        "2D20-11",
        ("attack", "throw", "heal", "assist", "command", "sprint", "test", "rally", "defend"),
        MAJOR,
        says="{actor} gets ready to {deed}",
    ),
    "move": Action(
        "Move a zone; prone or limping a Major action",
        "2D20-11",
        move_setup,
        move_effects,
        out_of_turn=lambda scene, intent: (
            bool(slowed(scene.fighters[intent.actor])) and is_released(scene, intent)
        ),
        out_effects=end_command,
        outputs=move_outputs,
        candidates=partial(move_candidates, "move"),
        requires=(has_not_moved,),
        options=("to", "prone"),
        says="{actor} moves",
    ),
    "sprint": major_action(
        "Move up to two zones",
        setup=move_setup,
        effects=move_effects,
        outputs=move_outputs,
        candidates=partial(move_candidates, "sprint"),
        requires=(has_not_moved,),
        options=("to", "prone"),
        says="{actor} sprints",
    ),
    "stand-up": minor_action(
        "Stand up",
        rule_id="2D20-12",
        effects=mark_moved,
        requires=(has("prone", "2D20-12"), has_not_moved),
        sets={"prone": False},
        out_effects=end_command,
        says="{actor} gets up",
    ),
    "aim": minor_action(
        "Take aim: one d20 of the first attack again",
        requires=(first_attack,),
        effects=lambda changes, intent, setup, outcome: changes.mark(intent.actor, sheet.AIM, 1, "2D20-11"),
        says="{actor} takes aim",
    ),
    "draw": draw_action(
        "2D20-11", MINOR, "{actor} draws the {gear}", gear="weapons items", holds=in_hands, thrown=THROWN
    )._replace(title="Draw something, and put something away", requires=(has_arm,), options=("away",)),
    "interact": minor_action("Open a door, push a button", says="{actor} sees to something"),
    "take-chem": CHEM._replace(
        setup=chem_setup,
        effects=take_chem,
        candidates=item_candidates("take-chem"),
        targets="patient",
        requires=(in_one_zone,),
    ),
}
PHASES = {
    "start-turn": tested(
        "A Major and a Minor action; the dying hold on",
        "2D20-11",
        dying_setup,
        begin_turn,
        lambda table, test: test and table.ask(check, test),
        window="table",
    ),
    "end-turn": Action("What goes on hurting", "2D20-22", lasting_setup, end_turn, lasting, window="table"),
}
