"""Tests, Action Points and Luck; Major and Minor actions but for attacks; first aid and the turn order (2D20-4 to
2D20-12, 2D20-26, 2D20-27)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from ...rules import (
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
    draw_action,
    guess,
    has,
    in_crisis,
    in_hand,
    initiative_action,
    item_candidates,
    lines_of,
    ready_action,
    refuse,
    slug,
    tie,
    unable,
)
from . import sheet
from .options import ATTRIBUTES, PLACES, SKILLS
from .sheet import ASSISTS, BURNING, COMMANDED, CONDITIONS, DEFENDING, REACH, injuries, zones, zones_between

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


def luck_of(scene: Scene, intent: Intent) -> tuple[int, int]:
    """2D20-8: the Luck points that the command allows, else, in a crisis, those that the player can be asked about."""
    fighter, points = scene.fighters[intent.actor], intent.get("luck")
    have = fighter.pools["luck"]
    if points is None:
        return 0, have if scene.open and fighter.player else 0
    if points > have:
        what, about = f"{intent.actor} has {have} Luck left, not {points}", {"has": have, "needs": points}
        refuse(intent, what, "2D20-8", "use fewer: --luck N", code="cannot_pay", pool="luck", **about)
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
    """Luck points that the player is asked about, one at a time; 0 where nobody is asked."""
    helpers: tuple[tuple[str, int, int], ...] = ()
    """Those who assist with one d20, their target number and highest face that counts twice."""
    again: int = 0
    """d20s that are re-rolled by aiming."""
    ap: int = 0
    """AP of the side before the test has earned any."""
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
    return uses_luck(table, test.who, fails, test, won)


def fails(table: RuleTable, test: CheckSetup, won: int, again: int) -> int:
    """2D20-8: 1 where a test fails with so many d20 rolled again and the help that is still to come, else 0."""
    won += table.times(again, one_d20, test.target, test.critical, zero=(0, 0, 0))[0]
    for _, target, critical in test.helpers if won else ():
        won += table.ask(one_d20, target, critical)[0]
    return int(won < test.difficulty)


def named_skill(intent: Intent, word: str) -> tuple[str, str]:
    """The attribute and skill of `agi+athletics`, or of a skill with its usual attribute; Refused otherwise."""
    first, plus, second = word.lower().replace("_", "-").replace(" ", "").partition("+")
    said, skill = (first, second) if plus else ("", first)
    attribute = (intent.get("attribute") or said).lower()
    if said and attribute != said:
        both = f"{word} says {said}, and --attribute {attribute}"
        refuse(intent, both, "2D20-4", "leave out one of them", final=True, code="conflicting_options")
    if not skill:
        hint = f"say it: --skill SKILL; there are: {', '.join(SKILLS)}"
        refuse(intent, f"{intent.actor} tries which skill?", "2D20-4", hint, final=True, code="unknown_name")
    if skill not in SKILLS:
        what = f"{intent.actor} has no skill called {skill!r}{guess(skill, SKILLS)}"
        hint = f"there are: {', '.join(SKILLS)}; with an attribute: agi+athletics"
        refuse(intent, what, "2D20-1", hint, final=True, code="unknown_name")
    if attribute and attribute not in ATTRIBUTES:
        what = f"{intent.actor} has no attribute called {attribute!r}{guess(attribute, ATTRIBUTES)}"
        hint = f"there are: {', '.join(ATTRIBUTES)}"
        refuse(intent, what, "2D20-1", hint, final=True, code="unknown_name")
    return attribute or SKILLS[skill], skill


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
    whole, ap = max(0, hard.total), ap_left(scene, intent)
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
    side, by = changes.fighter(test.who).side, max(0, successes - test.difficulty) - spent
    have, most = changes.side_pool(side, "ap"), side_start(changes.before, side).limits["ap"][1]
    # What is above the limit of the side is lost (2D20-7).
    changes.side(side, "ap", by if most is None else min(by, most - have), "2D20-5")
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
    """2D20-4: a test of any skill against a difficulty, at any time; 1 where none is named (2D20-5, a reading)."""
    if intent.get("vs"):
        what = "there are no contests here: a test has a difficulty"
        refuse(intent, what, "2D20-5", "--difficulty N", final=True, code="other_systems_option")
    hard = Modifiers("difficulty", "2D20-5").base("difficulty", intent.get("difficulty", 1))
    return check_setup(scene, intent, "check", named_skill(intent, intent.get("skill", "")), hard)


def test_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-11: a Major action's test; of someone with persistent damage, without a difficulty, to end it (2D20-24)."""
    burning = persistent(scene.fighters[intent.actor])
    ends = burning and intent.get("difficulty") is None
    said = intent.get("skill") or ("survival" if ends else "")
    tries = named_skill(intent, said)
    name, number = ("persistent damage", burning) if ends else ("difficulty", intent.get("difficulty", 1))
    hard = Modifiers("difficulty", "2D20-24" if ends else "2D20-5").base(name, number)
    return check_setup(scene, intent, "check", tries, bought(scene, intent, hard))


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
    tries = named_skill(intent, intent.get("skill", "survival"))
    return check_setup(scene, intent, "check", tries, bought(scene, intent, hard))


def defend_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-11: agi + athletics against the own defense."""
    wanted = intent.get("ap_spend", 0)
    if wanted not in (0, 2):
        what = f"2 AP give one more, not {wanted}"
        refuse(intent, what, "2D20-11", "--ap-spend 2", final=True, code="bad_value")
    own = sheet.derived(scene.fighters[intent.actor].sheet)["defense"]
    hard = bought(scene, intent, Modifiers("difficulty", "2D20-11").base("own defense", own))
    return check_setup(scene, intent, "check", ("agi", "athletics"), hard, wanted)


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
    """2D20-11: no player character, by the sheet, whoever decides for it now."""
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
    """2D20-11: an item in hand, for oneself or a willing one in the same zone; dice are the HP it heals."""
    fighter, patient = scene.fighters[intent.actor], scene.fighters[intent.patient]
    items = fighter.sheet["items"]
    held = [one for one in fighter.held if one in items]
    name = intent.get("item") or (held or [*items, ""])[0]
    if name not in items:
        what, carried = f"{fighter.name} must say what to take", ", ".join(items) or "nothing"
        hint = f"{fighter.name} carries {carried}"
        refuse(intent, what, "2D20-11", hint, final=True, code="missing_argument")
    in_hand(scene, intent, name, "2D20-11")
    if patient.side != fighter.side:
        refuse(intent, f"{patient.name} is no friend, and not willing", "2D20-11", code="wrong_target")
    uses = (Cost(f"uses:{name}", rule="2D20-11"),) if "uses" in items[name] else ()
    return Setup(items[name]["heals"], (), uses, name)


def take_chem(changes: Changes, intent: Intent, setup: Setup, outcome: None) -> None:
    """2D20-11: HP as the sheet says, and the unconscious wake; the dying need first aid (2D20-23)."""
    patient = changes.before.fighters[intent.patient]
    hp = min(patient.pools["hp"] + setup.dice, patient.pools["max_hp"])
    if setup.dice and patient.pools["hp"]:
        changes.set(patient.name, "hp", hp, "2D20-11")
        if hp > patient.pools["hp"]:
            changes.end(patient.name, "unconscious", "2D20-27")


def has_not_moved(scene: Scene, intent: Intent) -> None:
    """2D20-11: refuse a second movement action in a turn."""
    if scene.fighters[intent.actor].marks.get(sheet.MOVED):
        what = f"{intent.actor} has moved this turn already"
        refuse(intent, what, "2D20-11", "end the turn: crisis next", code="already_done")


def in_one_zone(scene: Scene, intent: Intent) -> None:
    """2D20-11: refuse what is done to a patient in another zone."""
    if zones_between(scene, intent.actor, intent.patient):
        hint = f"go there: crisis act {slug(intent.actor)} move --to X,Y"
        refuse(intent, f"{intent.patient} is in another zone", "2D20-11", hint, code="out_of_reach")


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
    if to is not None and fighter.at is not None and zones(fighter.at, to) > most:
        far = f"{most} zone{'s' * (most > 1)}; that is {zones(fighter.at, to)} away"
        what = f"{fighter.name} can {intent.action} {far}"
        refuse(intent, what, "2D20-11", "go part of the way", code="out_of_reach")
    free = scene.open and fighter.name not in scene.acting and is_released(scene, intent)
    return Setup(most, costs=() if sprints or free else MAJOR if slow else MINOR)


def move_effects(changes: Changes, intent: Intent, setup: Setup, outcome: None) -> None:
    """2D20-11, 2D20-12: the new place, and lying down there; leaving a zone is leaving all reach (2D20-15)."""
    scene, who, to = changes.before, intent.actor, intent.get("to")
    fighter = scene.fighters[who]
    if to is not None:
        changes.move(who, to, "2D20-11")
    if to is None or fighter.at is None or zones(fighter.at, to):
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
    return {"zones": zones(here, to)} if here and to else {"most": setup.dice}


def move_candidates(action: str, scene: Scene, who: str) -> Iterator[Intent]:
    """Towards the nearest foe and away from it, if positions are known; else anywhere."""
    here = scene.fighters[who].at
    spots = [foe.at for foe in scene.foes(who) if foe.at is not None and not foe.has("dead")]
    if here is None or not spots:
        yield Intent(action, who)
        return
    spot = min(spots, key=lambda one: zones(here, one))
    far = min(FAR[action], zones(here, spot))
    if far:
        to = [max(b, a - far) if b < a else min(b, a + far) for a, b in zip(here, spot, strict=True)]
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
    """`wanted`: AP wanted and not there; `surplus`: AP that would have given nothing back, and were not spent."""
    test, _ = setup.dice
    found = missing_ap(test, result.success, result.spent)
    if intent.get("ap_spend", 0) > test.wanted:
        found["surplus"] = [["spending", f"{test.wanted} AP"]]
    return found


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


def settle_tie(table: RuleTable, one: Runner, tied_with: tuple[str, ...] = ()) -> int:
    """2D20-9: a d20 to settle a tie."""
    table.label("initiative", one.name, "d20", **tie(tied_with))
    face = table.die(20)
    table.result(total=face)
    return face


INIT = initiative_action(
    "2D20-9",
    runner,
    lambda table, one: one.bonus,
    reroll=settle_tie,
    times=7,
    ahead=lambda new, other: runner(new)[0].tie < runner(other)[0].tie,
    title="Line up by initiative",
)
"""2D20-9: equal d20s are rolled again seven times before the order of naming settles it."""


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
    out_effects=end_own_command,
    ready_rule="2D20-11",
)
"""A row of a Major action: it can be made ready, and commanded (2D20-11)."""
major_test = partial(major_action, rule=check, options=OF_TESTS)
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
CHECK = tested(
    "Test a skill",
    "2D20-4",
    skill_setup,
    check_effects,
    check,
    window="any",
    options=("difficulty", "buy", "luck", "attribute"),
    candidates=lambda scene, who: (),
    says=TRIES,
)
ACTIONS = {
    "heal": HEAL,
    "first-aid": HEAL._replace(candidates=lambda scene, who: ()),
    "test": major_test(
        "Test any other skill, or end what one suffers",
        setup=test_setup,
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
        setup=lambda scene, intent: Setup(named_skill(intent, intent.get("skill", ""))),
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
        candidates=lambda scene, who: (
            Intent("command", who, (one.name,)) for one in able_allies(scene, who) if is_npc(one)
        ),
        targets="ally",
        says="{actor} tells {target} what to do",
    ),
    "ready": ready_action(
        "Have a Major action wait for what may happen",
        "2D20-11",
        ("attack", "throw", "heal", "assist", "command", "sprint", "test", "rally", "defend"),
        MAJOR,
        says="{actor} makes ready to {deed}",
    ),
    "move": Action(
        "Move a zone; prone or limping a Major action",
        "2D20-11",
        move_setup,
        move_effects,
        out_of_turn=lambda scene, intent: (
            bool(slowed(scene.fighters[intent.actor])) and is_released(scene, intent)
        ),
        out_effects=end_own_command,
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
        out_effects=end_own_command,
        says="{actor} gets up",
    ),
    "aim": minor_action(
        "Take aim: one d20 of the first attack again",
        requires=(first_attack,),
        effects=lambda changes, intent, setup, outcome: changes.mark(intent.actor, sheet.AIM, 1, "2D20-11"),
        says="{actor} takes aim",
    ),
    "draw": draw_action(
        "2D20-11",
        MINOR,
        "{actor} draws the {gear}",
        gear="weapons items",
        holds=in_hands,
    )._replace(title="Draw something, and put something away", requires=(has_arm,)),
    "interact": minor_action("Open a door, push a button", says="{actor} sees to something"),
    "take-chem": minor_action(
        "Give a chem, to oneself or another",
        setup=chem_setup,
        effects=take_chem,
        gear="items",
        candidates=item_candidates("take-chem"),
        targets="patient",
        requires=(in_one_zone,),
        options=("item",),
        says={"": "{actor} gives {target} the {gear}", "self": "{actor} takes the {gear}"},
    ),
}
