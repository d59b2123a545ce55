"""All but attacks: tests, help, movement, gear and first aid; the turn order, and what turns begin and end with
(2D20-9 to 2D20-12, 2D20-22 to 2D20-27)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from ...rules import (
    READIED,
    Action,
    Changes,
    Cost,
    End,
    Fighter,
    Intent,
    Modifiers,
    RuleTable,
    Runner,
    Scene,
    Setup,
    in_hand,
    initiative_action,
    item_candidates,
    ready_action,
    refuse,
    slug,
    tie,
    unable,
)
from . import sheet
from .attack import (
    ATTACK,
    THROW,
    Damage,
    DamageResult,
    apply_wounds,
    combat_dice,
    end_persistent,
    first_attack,
    has_arm,
    lose_hp,
)
from .checks import (
    COMMANDING,
    MAJOR,
    MINOR,
    CheckResult,
    CheckSetup,
    after_check,
    ap_earned,
    ap_left,
    bought,
    check,
    check_effects,
    check_setup,
    check_upgrades,
    end_command,
    end_own_command,
    is_released,
    luck_of,
    major_action,
    named_skill,
    with_option,
)
from .options import PLACES
from .sheet import AIM, ASSISTS, BURNING, COMMANDED, DEFENDING, MOVED, REACH, injuries, zones, zones_between

# Tests


def skill_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-4: a test of any skill against a difficulty, at any time; 1 where none is named (2D20-5, a reading)."""
    if intent.get("vs"):
        what = "there are no contests here: a test has a difficulty"
        refuse(intent, what, "2D20-5", "--difficulty N", final=True)
    hard = Modifiers("difficulty", "2D20-5").base("difficulty", intent.get("difficulty", 1))
    return check_setup(scene, intent, "check", named_skill(intent, intent.get("skill", "")), hard)


def test_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-11: a Major action's test; of someone with persistent damage, without a difficulty, to end it (2D20-24)."""
    difficulty, burning = intent.get("difficulty"), persistent(scene.fighters[intent.actor])
    ends = burning and difficulty is None
    said = intent.get("skill") or (f"{intent.get('attribute', 'end')}+survival" if ends else "")
    if not said:
        refuse(intent, f"{intent.actor} tests what?", "2D20-11", "crisis act test --skill SKILL", final=True)
    tries = named_skill(intent, said)
    hard = Modifiers("difficulty", "2D20-24" if ends else "2D20-5")
    if ends:
        hard.base("persistent damage", burning)
    else:
        hard.base("difficulty", 1 if difficulty is None else difficulty)
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


def test_candidates(scene: Scene, who: str) -> Iterator[Intent]:
    """The one test that is worth a Major action by itself: to end persistent damage."""
    if persistent(scene.fighters[who]):
        yield Intent("test", who)


def rally_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-11: end + survival, or what the GM allows, at difficulty 0."""
    skill = intent.get("skill", "survival")
    attribute = intent.get("attribute") or ("end" if skill == "survival" else "")
    tries = named_skill(intent, f"{attribute}+{skill}" if attribute else skill)
    hard = Modifiers("difficulty", "2D20-11").base("rally", 0)
    return check_setup(scene, intent, "check", tries, bought(scene, intent, hard))


def defend_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-11: agi + athletics against the own defense; known is the AP left to spend on it."""
    spend = intent.get("ap_spend", 0)
    if spend not in (0, 2):
        refuse(intent, f"2 AP give one more, not {spend}", "2D20-11", "--ap-spend 2", final=True)
    own = sheet.derived(scene.fighters[intent.actor].sheet)["defense"]
    hard = bought(scene, intent, Modifiers("difficulty", "2D20-11").base("own defense", own))
    tested = check_setup(scene, intent, "check", ("agi", "athletics"), hard)
    return tested._replace(known=ap_left(scene, intent, tested.dice.dice - 2))


def defend_spends(intent: Intent, setup: Setup, result: CheckResult) -> int:
    """2D20-11: the AP spent on defending better: as asked, if they are there with those just earned."""
    asked = intent.get("ap_spend", 0) if result.success else 0
    return asked if setup.known + ap_earned(setup.dice, result.total) >= asked else 0


def defend_effects(changes: Changes, intent: Intent, setup: Setup, result: CheckResult) -> None:
    """2D20-11: defense +1 until the next own turn, and for 2 AP one more, once (readings)."""
    spent = defend_spends(intent, setup, result)
    after_check(changes, setup.dice, result.total, result.luck, spent)
    if result.success:
        before = changes.before.fighters[intent.actor].marks.get(DEFENDING, 0)
        changes.mark(intent.actor, DEFENDING, max(before, 1 + bool(spent)), "2D20-11")


def defend_outputs(scene: Scene, intent: Intent, setup: Setup, result: CheckResult) -> Mapping[str, object]:
    """2D20-11: `spent`, the AP spent on it, and `wanted`, those wanted where they are more."""
    if not result.success:
        return {}
    spent, wanted = defend_spends(intent, setup, result), intent.get("ap_spend", 0)
    return {"spent": spent} | ({"wanted": wanted} if spent < wanted else {})


# Helping others


def assist_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-11: a named ally, and a fitting skill, said or usual."""
    ally = scene.fighters[intent.target]
    if ally.side != scene.fighters[intent.actor].side:
        refuse(intent, f"{ally.name} is no ally of {intent.actor}", "2D20-11")
    if why := unable(sheet.CONDITIONS, ally)[0]:
        refuse(intent, f"{ally.name} is {why} and will test nothing", "2D20-11")
    if not scene.open:
        what = "to assist is for later, in a crisis"
        refuse(intent, what, "2D20-11", "crisis init WHO… --open", final=True)
    return Setup(named_skill(intent, intent.get("skill", "")))


def assist(changes: Changes, intent: Intent, setup: Setup, outcome: None) -> None:
    """2D20-11: a d20 for the ally's next test, until the next own turn, and for nobody helped before."""
    changes.clear_marks(intent.actor, "2D20-11", ASSISTS)
    changes.mark(intent.actor, f"{ASSISTS}:{intent.target}", 1, "2D20-11", key="+".join(setup.dice))


def command_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-11: an allied NPC who can act, and what the commander assists with."""
    npc = scene.fighters[intent.target]
    ally = npc.side == scene.fighters[intent.actor].side
    if not ally or not is_npc(npc):
        what = "a player character" if ally else f"no ally of {intent.actor}"
        refuse(intent, f"{npc.name} is {what}; allied NPCs can be commanded", "2D20-11")
    if why := unable(sheet.CONDITIONS, npc)[0]:
        refuse(intent, f"{npc.name} is {why} and obeys nobody", "2D20-11")
    if not scene.open:
        refuse(intent, "to command is for a crisis", "2D20-11", "crisis init WHO… --open", final=True)
    return Setup(COMMANDING[npc.sheet["kind"]])


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


# Things in hand


def draw_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-11: something carried that is not in hand; known is how many hands can hold things (2D20-22)."""
    fighter = scene.fighters[intent.actor]
    carried = tuple(fighter.carried("weapons items"))
    name = intent.get("thing") or (carried[0] if len(carried) == 1 else "")
    others = [one for one in carried if one not in fighter.held]
    hint = f"to draw: {', '.join(others)}" if others else ""
    if name not in carried:
        refuse(intent, f"{fighter.name} must say what to draw", "2D20-11", hint, final=True)
    if name in fighter.held:
        refuse(intent, f"{fighter.name} has the {name} in hand already", "2D20-11", hint)
    hands = sum(not fighter.has(f"injured-{arm}") for arm in sheet.ARMS)
    if not hands:
        refuse(intent, f"{fighter.name} has no arm left to hold it", "2D20-22")
    return Setup(name, gear=name, known=max(1, hands))


def draw(changes: Changes, intent: Intent, setup: Setup, outcome: None) -> None:
    """A weapon comes first in hand, ready for use; what the hands cannot hold is put away."""
    fighter, name = changes.fighter(intent.actor), setup.gear
    rest = tuple(one for one in fighter.held if one != name)[: setup.known - 1]
    first = name in fighter.sheet["weapons"]
    changes.hold(fighter.name, (name, *rest) if first else (*rest, name), "2D20-11")


def draw_candidates(scene: Scene, who: str) -> Iterator[Intent]:
    """Everything on the sheet."""
    carried = scene.fighters[who].carried("weapons items")
    return (Intent("draw", who, (), {"thing": name}) for name in carried)


def chem_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-11: an item in hand, for oneself or a willing one in the same zone; dice are the HP it heals."""
    fighter, patient = scene.fighters[intent.actor], patient_of(scene, intent)
    items = fighter.sheet["items"]
    held = [one for one in fighter.held if one in items]
    name = intent.get("item") or (held or [*items, ""])[0]
    if name not in items:
        carried = f"{fighter.name} carries {', '.join(items) or 'nothing'}"
        refuse(intent, f"{fighter.name} must say what to take", "2D20-11", carried, final=True)
    in_hand(scene, intent, name, "2D20-11")
    if patient.side != fighter.side:
        refuse(intent, f"{patient.name} is no friend, and not willing", "2D20-11")
    if zones_between(scene, fighter.name, patient.name):
        refuse(intent, f"{patient.name} is in another zone", "2D20-11", "go there: crisis act move --to X,Y")
    uses = (Cost(f"uses:{name}", rule="2D20-11"),) if "uses" in items[name] else ()
    return Setup(items[name]["heals"], (), uses, name)


def take_chem(changes: Changes, intent: Intent, setup: Setup, outcome: None) -> None:
    """2D20-11: HP as the sheet says, and the unconscious wake; the dying need first aid (2D20-23)."""
    patient = patient_of(changes.before, intent)
    hp = min(patient.pools["hp"] + setup.dice, patient.pools["max_hp"])
    if setup.dice and patient.pools["hp"]:
        changes.set(patient.name, "hp", hp, "2D20-11")
        if hp > patient.pools["hp"]:
            changes.end(patient.name, "unconscious", "2D20-27")


def patient_of(scene: Scene, intent: Intent) -> Fighter:
    """The fighter who is treated: the target, else the actor."""
    return scene.fighters[intent.target or intent.actor]


def aim_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-11: for the first attack of the turn, once."""
    first_attack(scene, intent)
    if scene.fighters[intent.actor].marks.get(AIM):
        what = f"{intent.actor} has taken aim already"
        refuse(intent, what, "2D20-11", "aim is for the first attack of a turn")
    return Setup(None)


# Movement

FAR = {"move": 1, "sprint": 2}
"""2D20-11: zones."""


def has_not_moved(scene: Scene, intent: Intent) -> None:
    """2D20-11: refuse a second movement action in a turn."""
    if scene.fighters[intent.actor].marks.get(MOVED):
        refuse(intent, f"{intent.actor} has moved this turn already", "2D20-11", "end the turn: crisis next")


def slowed(fighter: Fighter) -> str:
    """2D20-12, 2D20-22: what makes moving a Major action; empty where nothing does."""
    return "prone" if fighter.has("prone") else "hurt in the leg" if injuries(fighter, *sheet.LEGS) else ""


def move_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-11, 2D20-12: one movement a turn; crawling and limping one zone are Major actions."""
    has_not_moved(scene, intent)
    fighter, to, most = scene.fighters[intent.actor], intent.get("to"), FAR[intent.action]
    slow, sprints = slowed(fighter), intent.action == "sprint"
    if slow and sprints:
        rule, way = "2D20-22", "crisis act move"
        if slow == "prone":
            rule, way = "2D20-12", "stand up first: crisis act stand-up"
        refuse(intent, f"{fighter.name} is {slow} and cannot sprint", rule, way)
    if to is not None and fighter.at is not None and zones(fighter.at, to) > most:
        far = f"{fighter.name} can {intent.action} {most} zone{'s' * (most > 1)}"
        refuse(intent, f"{far}; that is {zones(fighter.at, to)} away", "2D20-11", "go part of the way")
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


def stand_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-11, 2D20-12: up from the ground, instead of moving."""
    if not scene.fighters[intent.actor].has("prone"):
        refuse(intent, f"{intent.actor} is not prone", "2D20-12", final=True)
    has_not_moved(scene, intent)
    return Setup(None)


def mark_moved(changes: Changes, intent: Intent, setup: Setup, outcome: None) -> None:
    """2D20-11: no more movement this turn."""
    if changes.before.open and intent.actor in changes.before.acting:
        changes.mark(intent.actor, MOVED, 1, "2D20-11")


def move_outputs(scene: Scene, intent: Intent, setup: Setup, outcome: None) -> Mapping[str, object]:
    """`zones` gone, or `most`, how many there could be."""
    here, to = scene.fighters[intent.actor].at, intent.get("to")
    return {"zones": zones(here, to)} if here and to else {"most": setup.dice}


def move_candidates(action: str) -> Callable[[Scene, str], Iterator[Intent]]:
    """Towards the nearest foe and away from it, if positions are known; else anywhere."""

    def candidates(scene: Scene, who: str) -> Iterator[Intent]:
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

    return candidates


# First aid


class AidSetup(NamedTuple):
    """What the dice of first aid depend on, and what it is for."""

    test: CheckSetup
    aim: str
    """"heal", "stabilise", or a location whose injury is treated."""
    base: int
    """HP of a success, before AP."""
    wanted: int
    """AP to spend, as far as they reach."""
    ap: int
    """AP of the side before the test has earned any."""


class AidResult(NamedTuple):
    """What first aid came to, before the maximum is applied."""

    success: bool
    total: int
    """Successes."""
    complications: int
    luck: int
    spent: int
    healed: int

    @property
    def counted(self) -> str:
        """What the total is one of."""
        return "successes"


def aid_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-26, 2D20-27: as hard as the patient has injuries, one more on oneself."""
    has_arm(scene, intent)
    fighter, patient = scene.fighters[intent.actor], patient_of(scene, intent)
    if intent.get("item"):
        act = f"crisis act {slug(fighter.name)} take-chem {slug(patient.name)} --item {intent.get('item')}"
        refuse(intent, "first aid takes no things", "2D20-27", f"a chem: {act}", final=True)
    if patient.has("dead"):
        refuse(intent, f"{patient.name} is dead", "2D20-23", final=True)
    if zones_between(scene, fighter.name, patient.name):
        refuse(intent, f"{patient.name} is in another zone", "2D20-27", "go there: crisis act move --to X,Y")
    aim = aid_aim(intent, patient)
    hard = bought(scene, intent, Modifiers("difficulty", "2D20-26").base("injuries", injuries(patient)))
    hard.add("treating oneself", int(patient.name == fighter.name))
    tested = check_setup(scene, intent, "heal", ("int", "medicine"), hard)
    wanted = intent.get("ap_spend", 0)
    if wanted < 0 or (wanted and aim in PLACES):
        refuse(intent, "AP give HP back, and nothing else", "2D20-27", "leave --ap-spend out", final=True)
    base = {"heal": fighter.sheet["skills"].get("medicine", 0), "stabilise": 1}.get(aim, 0)
    ap = ap_left(scene, intent, tested.dice.dice - 2)
    return tested._replace(dice=AidSetup(tested.dice, aim, base, wanted, ap))


def aid_aim(intent: Intent, patient: Fighter) -> str:
    """2D20-27: what is asked for, else what the patient needs most; Refused where there is no need of it."""
    asked = (intent.get("treat"), intent.get("stabilise") and "stabilise", intent.get("heal_hp") and "heal")
    said = [aim for aim in asked if aim]
    if len(said) > 1:
        hint = "--heal-hp, --treat PLACE or --stabilise"
        refuse(intent, "first aid does one thing at a time", "2D20-27", hint, final=True)
    dying = sheet.is_dying(patient)
    aim: str = said[0] if said else "stabilise" if dying else "heal"
    if dying and aim != "stabilise":
        what = f"{patient.name} is dying and can only be stabilised"
        refuse(intent, what, "2D20-23", "crisis heal WHO --stabilise", final=True)
    if aim == "stabilise" and not dying:
        refuse(intent, f"{patient.name} is not dying", "2D20-27", final=True)
    hurt = [place for place in PLACES if injuries(patient, place)]
    if aim in PLACES and aim not in hurt:
        where = f"injured: {', '.join(hurt) or 'nowhere'}"
        refuse(intent, f"{patient.name} is not injured there", "2D20-27", where, final=True)
    if aim == "heal" and patient.pools["hp"] >= patient.pools["max_hp"] and not patient.has("unconscious"):
        way = f"treat an injury: --treat {hurt[0]}" if hurt else ""
        refuse(intent, f"{patient.name} has all the HP there can be", "2D20-27", way)
    return aim


def aid(table: RuleTable, setup: AidSetup) -> AidResult:
    """2D20-27: the test, and the HP that it is worth."""
    test = table.ask(check, setup.test)
    if not test.success:
        return AidResult(*test, spent=0, healed=0)
    spent = min(setup.wanted, setup.ap + ap_earned(setup.test, test.total))
    return AidResult(*test, spent=spent, healed=setup.base + spent)


def aid_effects(changes: Changes, intent: Intent, setup: Setup, result: AidResult) -> None:
    """2D20-27: HP up to the maximum, an injury gone, or no longer dying but unconscious."""
    patient, aim = patient_of(changes.before, intent), setup.dice.aim
    name = patient.name
    after_check(changes, setup.dice.test, result.total, result.luck, result.spent)
    if not result.success:
        return
    if aim in PLACES:
        left = injuries(patient, aim) - 1
        changes.put(name, f"condition:injured-{aim}", left or False, "2D20-27")
        return
    hp = min(patient.pools["hp"] + result.healed, patient.pools["max_hp"])
    changes.set(name, "hp", hp, "2D20-27")
    if aim == "stabilise" and hp:
        # The unconscious wake when the crisis ends, at the latest (a reading).
        wakes: End | None = ("end-crisis", 0) if changes.before.open else None
        changes.put(name, "until:unconscious", wakes, "2D20-27")
    elif result.healed:
        changes.end(name, "unconscious", "2D20-27")


def aid_outputs(scene: Scene, intent: Intent, setup: Setup, result: AidResult) -> Mapping[str, object]:
    """2D20-27: `wanted`, the AP wanted where they were not all there."""
    wanted = setup.dice.wanted
    return {"wanted": wanted} if result.success and result.spent < wanted else {}


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
    have = ap_left(scene, intent)
    if have and not intent.get("treat"):
        yield with_option(intent, "ap_spend", have)


# The turn order


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


# Turns


def dying_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-23: end + survival against the number of injuries, for someone dying; nothing for others."""
    fighter = scene.fighters[intent.actor]
    if not sheet.is_dying(fighter):
        return Setup(None)
    hard = Modifiers("difficulty", "2D20-23").situational(fighter, "dying", "end", "survival", sign=-1)
    target, critical = sheet.target_number(fighter.sheet, "end", "survival")
    difficulty = max(0, injuries(fighter) + hard.total)
    _, asks = luck_of(scene, intent)
    return Setup(CheckSetup("resist", fighter.name, target, critical, difficulty, asks=asks))


def dying(table: RuleTable, test: CheckSetup | None) -> CheckResult | None:
    """2D20-23: the test of someone dying."""
    return test and table.ask(check, test)


def begin_turn(changes: Changes, intent: Intent, setup: Setup, result: CheckResult | None) -> None:
    """2D20-11: a Major and a Minor action, none for the stunned (2D20-24); 2D20-23: failing is death."""
    fighter = changes.before.fighters[intent.actor]
    normal = not (fighter.has("stunned") or fighter.has("dead") or sheet.is_dying(fighter))
    for pool in ("major", "minor"):
        changes.set(fighter.name, pool, int(normal), "2D20-11")
    changes.clear_marks(fighter.name, "2D20-11", READIED, ASSISTS, DEFENDING)
    if result:
        check_effects(changes, intent, setup, result)
        if not result.success:
            changes.begin(fighter.name, "dead", "2D20-23")


class Wound(NamedTuple):
    """Damage that comes again at the end of a turn."""

    damage: Damage
    place: str
    resist: int


def lasting_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-22, 2D20-24: bleeding, then persistent damage; none for the dead. Dice are the state, and the wounds."""
    fighter = scene.fighters[intent.actor]
    # Two combat dice of an injured torso, however often it is injured (a reading).
    wounds = [Wound(Damage(fighter.name, 2), "torso", 0)] if injuries(fighter, "torso") else []
    for burning in fighter.marks_of(BURNING) if fighter.has("persistent") else ():
        kind, place, dice = burning.split(":")
        damage = Damage(fighter.name, int(dice), kind=kind)
        wounds.append(Wound(damage, place, sheet.resist_left(fighter, kind, place)))
    state = DamageResult(fighter.pools["hp"], fighter.pools["max_hp"])
    return Setup((state, tuple(wounds)) if wounds and not fighter.has("dead") else None)


def lasting(table: RuleTable, setup: tuple[DamageResult, tuple[Wound, ...]] | None) -> DamageResult | None:
    """2D20-22, 2D20-24: the damage of each wound in its order."""
    if setup is None:
        return None
    state, wounds = setup
    for wound in wounds:
        state = table.ask(wound_damage, state, wound)
    return state


def wound_damage(table: RuleTable, state: DamageResult, wound: Wound) -> DamageResult:
    """2D20-22, 2D20-24: damage at the end of a turn, its Effects ignored."""
    damage, _, _ = table.ask(combat_dice, wound.damage)
    where, who = f"{wound.place} resistance", wound.damage.who
    table.part(where, "resistance", wound.resist, "2D20-20", "resist", who)
    return lose_hp(state, wound.place, damage - wound.resist, wound.damage.kind == "radiation")


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
        end_command(changes, other)


PHASES = {
    "start-turn": Action(
        "A Major and a Minor action; the dying hold on",
        "2D20-11",
        dying_setup,
        begin_turn,
        dying,
        words=("success", "failure"),
        window="table",
    ),
    "end-turn": Action("What goes on hurting", "2D20-22", lasting_setup, end_turn, lasting, window="table"),
}


# The rows

OF_TESTS = ("buy", "luck", "attribute", "skill")
TRIES = "{actor} tries {skill}"
major_test = partial(major_action, rule_id="2D20-11", rule=check)
minor_action = partial(Action, rule_id="2D20-11", costs=MINOR)
HEAL = major_action(
    "Give first aid",
    "2D20-27",
    aid_setup,
    aid_effects,
    aid,
    words=("healed", "failure"),
    outputs=aid_outputs,
    candidates=aid_candidates,
    upgrades=aid_upgrades,
    targets="patient",
    options=("buy", "luck", "treat", "stabilise", "heal-hp", "ap-spend"),
    says={"": "{actor} treats {target}", "self": "{actor} treats their own wounds"},
)
ACTIONS = {
    "check": Action(
        "Test a skill",
        "2D20-4",
        skill_setup,
        check_effects,
        check,
        words=("success", "failure"),
        window="any",
        options=("difficulty", "buy", "luck", "attribute"),
        candidates=lambda scene, who: (),
        says=TRIES,
    ),
    "init": INIT,
    "attack": ATTACK,
    "throw": THROW,
    "heal": HEAL,
    "first-aid": HEAL._replace(candidates=lambda scene, who: ()),
    "test": major_test(
        "Test any other skill, or end what one suffers",
        setup=test_setup,
        effects=test_effects,
        options=(*OF_TESTS, "difficulty"),
        candidates=test_candidates,
        says=TRIES,
    ),
    "rally": major_test(
        "Earn AP for the side",
        setup=rally_setup,
        effects=check_effects,
        options=OF_TESTS,
        says="{actor} rallies the others",
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
        "2D20-11",
        assist_setup,
        assist,
        candidates=lambda scene, who: (
            Intent("assist", who, (one.name,), {"skill": "small-guns"}) for one in able_allies(scene, who)
        ),
        targets="ally",
        options=("attribute", "skill"),
        says="{actor} means to help {target}",
    ),
    "command": major_action(
        "Have an allied NPC take a Major action",
        "2D20-11",
        command_setup,
        command,
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
        candidates=move_candidates("move"),
        options=("to", "prone"),
        says="{actor} moves",
    ),
    "sprint": major_action(
        "Move up to two zones",
        "2D20-11",
        move_setup,
        move_effects,
        outputs=move_outputs,
        candidates=move_candidates("sprint"),
        options=("to", "prone"),
        says="{actor} sprints",
    ),
    "stand-up": minor_action(
        "Stand up",
        rule_id="2D20-12",
        setup=stand_setup,
        effects=mark_moved,
        sets={"prone": False},
        out_effects=end_own_command,
        says="{actor} gets up",
    ),
    "aim": minor_action(
        "Take aim: one d20 of the first attack again",
        setup=aim_setup,
        effects=lambda changes, intent, setup, outcome: changes.mark(intent.actor, AIM, 1, "2D20-11"),
        says="{actor} takes aim",
    ),
    "draw": minor_action(
        "Draw something, and put something away",
        setup=draw_setup,
        effects=draw,
        gear="weapons items",
        candidates=draw_candidates,
        says="{actor} draws the {gear}",
    ),
    "interact": minor_action("Open a door, push a button", says="{actor} sees to something"),
    "take-chem": minor_action(
        "Give a chem, to oneself or another",
        setup=chem_setup,
        effects=take_chem,
        gear="items",
        candidates=item_candidates("take-chem"),
        targets="patient",
        options=("item",),
        says={"": "{actor} gives {target} the {gear}", "self": "{actor} takes the {gear}"},
    ),
}
