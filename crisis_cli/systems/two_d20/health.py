"""First aid, and what turns begin and end with: dying, bleeding, persistent damage (2D20-9 to 2D20-11, 2D20-22 to
2D20-27)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ...rules import (
    READIED,
    Action,
    Changes,
    End,
    Fighter,
    Intent,
    Modifiers,
    RuleTable,
    Runner,
    Scene,
    Setup,
    initiative_action,
    lines_of,
    refuse,
    slug,
    tie,
)
from .attack import DEFENDING, can_use_arms, zones_between
from .checks import (
    ASSISTS,
    SIDES,
    USUAL,
    CheckResult,
    CheckSetup,
    after_check,
    ap_earned,
    ap_left,
    check,
    check_setup,
    check_upgrades,
    difficulty_of,
    end_command,
    luck_offered,
    major_action,
    of_major,
    with_option,
)
from .damage import BURNING, DamageResult, apply_wounds, combat_dice, end_persistent, lose_hp, resist_left
from .options import PLACES
from .sheet import derived, injuries, is_dying, rank_of, target_number

ONESELF = 1
"""2D20-26: what treating oneself adds to the difficulty."""
STABLE = 1
"""2D20-27: HP of someone stabilised."""
OUT_COLD: End = ("end-crisis", 0)
"""2D20-27: the unconscious wake when the crisis ends, at the latest (a reading)."""
TIES = 7
"""2D20-9: how often equal d20s are rolled again before the order of naming settles it."""
BLEEDING = 2
"""2D20-22: combat dice of an injured torso, however often it is injured (a reading)."""

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
    def word(self) -> str:
        """In one word."""
        return "healed" if self.success else "failure"

    @property
    def counted(self) -> str:
        """What the total is one of."""
        return "successes"


def aid_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-26, 2D20-27: as hard as the patient has injuries, harder on oneself."""
    fighter = scene.fighters[intent.actor]
    patient = scene.fighters[intent.target or intent.actor]
    can_use_arms(intent, fighter)
    if intent.get("item"):
        act = f"crisis act {slug(fighter.name)} take-chem {slug(patient.name)} --item {intent.get('item')}"
        refuse(intent, "first aid takes no things", "2D20-27", f"a chem: {act}", final=True)
    if patient.has("dead"):
        refuse(intent, f"{patient.name} is dead", "2D20-23", final=True)
    if zones_between(scene, fighter.name, patient.name):
        refuse(intent, f"{patient.name} is in another zone", "2D20-27", "go there: crisis act move --to X,Y")
    aim = aid_aim(intent, patient)
    hard = of_major(scene, intent, difficulty_of(injuries(patient), "injuries", "2D20-26"))
    hard.add("treating oneself", ONESELF * (patient.name == fighter.name))
    test, lines, costs = check_setup(scene, intent, "heal", ("int", "medicine"), hard)
    wanted = intent.get("ap_spend", 0)
    if wanted < 0 or (wanted and aim in PLACES):
        refuse(intent, "AP give HP back, and nothing else", "2D20-27", "leave --ap-spend out", final=True)
    base = {"heal": rank_of(fighter.sheet, "medicine"), "stabilise": STABLE}.get(aim, 0)
    aid = AidSetup(test, aim, base, max(0, wanted), ap_left(scene, intent, test.dice - USUAL))
    return Setup(aid, lines_of(*lines), costs)


def aid_aim(intent: Intent, patient: Fighter) -> str:
    """2D20-27: what is asked for, else what the patient needs most; Refused where there is no need of it."""
    asked = {
        "treat": intent.get("treat"),
        "stabilise": intent.get("stabilise") and "stabilise",
        "heal_hp": intent.get("heal_hp") and "heal",
    }
    said = [aim for aim in asked.values() if aim]
    if len(said) > 1:
        hint = "--heal-hp, --treat PLACE or --stabilise"
        refuse(intent, "first aid does one thing at a time", "2D20-27", hint, final=True)
    dying = is_dying(patient)
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
    spent = min(setup.wanted, setup.ap + ap_earned(setup.test, test)) if test.success else 0
    healed = setup.base + spent if test.success else 0
    return AidResult(test.success, test.total, test.complications, test.luck, spent, healed)


def aid_effects(changes: Changes, intent: Intent, setup: Setup, result: AidResult) -> None:
    """2D20-27: HP up to the maximum, an injury gone, or no longer dying but unconscious."""
    name, aim, scene = intent.target or intent.actor, setup.dice.aim, changes.before
    patient = scene.fighters[name]
    after_check(changes, setup.dice.test, result, result.spent)
    if not result.success:
        return
    if aim in PLACES:
        left = injuries(patient, aim) - 1
        changes.put(name, f"condition:injured-{aim}", left or False, "2D20-27")
        return
    hp = min(patient.pools["hp"] + result.healed, patient.pools["max_hp"])
    changes.set(name, "hp", hp, "2D20-27")
    if aim == "stabilise" and hp:
        changes.put(name, "until:unconscious", OUT_COLD if scene.open else None, "2D20-27")
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


HEAL = major_action(
    "Give first aid",
    "2D20-27",
    aid_setup,
    aid_effects,
    aid,
    outputs=aid_outputs,
    candidates=aid_candidates,
    upgrades=aid_upgrades,
    targets="patient",
    options=("buy", "luck", "treat", "stabilise", "heal-hp", "ap-spend"),
    says={"": "{actor} treats {target}", "self": "{actor} treats their own wounds"},
)
FIRST_AID = HEAL._replace(candidates=lambda scene, who: ())
"""The same under its name in the rules, not offered twice."""


# The turn order


def runner(fighter: Fighter) -> tuple[Runner, Modifiers]:
    """2D20-9: by initiative, then agility, then players before opponents."""
    initiative = derived(fighter.sheet, "initiative")
    found = Modifiers("score", "2D20-2").base("initiative", initiative, source="per + agi")
    return Runner(fighter.name, initiative, (-fighter.sheet["attributes"]["agi"], not fighter.player)), found


def settle_tie(table: RuleTable, one: Runner, tied_with: tuple[str, ...] = ()) -> int:
    """2D20-9: a d20 to settle a tie."""
    table.label("initiative", one.name, f"d{SIDES}", **tie(tied_with))
    face = table.die(SIDES)
    table.result(total=face)
    return face


INIT = initiative_action(
    "2D20-9",
    runner,
    lambda table, one: one.bonus,
    reroll=settle_tie,
    times=TIES,
    ahead=lambda new, other: runner(new)[0].tie < runner(other)[0].tie,
    title="Line up by initiative",
)


# Turns


def dying_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-23: end + survival against the number of injuries, for someone dying; nothing for others."""
    fighter = scene.fighters[intent.actor]
    if not is_dying(fighter):
        return Setup(None)
    target, critical = target_number(fighter.sheet, "end", "survival")
    hard = Modifiers("difficulty", "2D20-23").situational(fighter, "dying", "end", "survival", sign=-1)
    difficulty = max(0, injuries(fighter) + hard.total)
    asks = luck_offered(scene, intent)
    return Setup(CheckSetup("resist", fighter.name, target, critical, difficulty, asks=asks))


def dying(table: RuleTable, test: CheckSetup | None) -> CheckResult | None:
    """2D20-23: the test of someone dying."""
    return test and table.ask(check, test)


def begin_turn(changes: Changes, intent: Intent, setup: Setup, result: CheckResult | None) -> None:
    """2D20-11: a Major and a Minor action, none for the stunned (2D20-24); 2D20-23: failing is death."""
    fighter = changes.before.fighters[intent.actor]
    normal = 0 if fighter.has("stunned") or fighter.has("dead") or is_dying(fighter) else 1
    changes.set(fighter.name, "major", normal, "2D20-11")
    changes.set(fighter.name, "minor", normal, "2D20-11")
    for mark in fighter.marks:
        if mark.partition(":")[0] in (READIED, ASSISTS, DEFENDING):
            changes.mark(fighter.name, mark, 0, "2D20-11")
    if result:
        after_check(changes, setup.dice, result)
        if not result.success:
            changes.begin(fighter.name, "dead", "2D20-23")


class Wound(NamedTuple):
    """Damage that comes again at the end of a turn."""

    dice: int
    resist: int
    place: str
    kind: str


class LastingSetup(NamedTuple):
    """All lasting damage of one fighter."""

    who: str
    state: DamageResult
    wounds: tuple[Wound, ...]


def lasting_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-22, 2D20-24: bleeding, then persistent damage; none for the dead."""
    fighter = scene.fighters[intent.actor]
    wounds = [Wound(BLEEDING, 0, "torso", "physical")] if injuries(fighter, "torso") else []
    for mark in fighter.marks if fighter.has("persistent") else ():
        what, *rest = mark.split(":")
        if what == BURNING:
            kind, place, dice = rest
            wounds.append(Wound(int(dice), resist_left(fighter, kind, place), place, kind))
    if not wounds or fighter.has("dead"):
        return Setup(None)
    state = DamageResult(fighter.pools["hp"], fighter.pools["max_hp"])
    return Setup(LastingSetup(fighter.name, state, tuple(wounds)))


def lasting(table: RuleTable, setup: LastingSetup | None) -> DamageResult | None:
    """2D20-22, 2D20-24: the damage of each wound in its order."""
    if setup is None:
        return None
    state = setup.state
    for wound in setup.wounds:
        state = table.ask(wound_damage, state, setup.who, wound)
    return state


def wound_damage(table: RuleTable, state: DamageResult, who: str, wound: Wound) -> DamageResult:
    """2D20-22, 2D20-24: damage at the end of a turn, its Effects ignored."""
    damage, _, _ = table.ask(combat_dice, who, wound.dice, 0)
    resists = f"{wound.place} resistance"
    table.part(resists, "resistance", wound.resist, "2D20-20", "resist", who)
    return lose_hp(state, wound.place, damage - wound.resist, wound.kind == "radiation")


def end_turn(changes: Changes, intent: Intent, setup: Setup, result: DamageResult | None) -> None:
    """2D20-24: persistent damage lasts a turn less; a command that was not obeyed is forgotten (2D20-11)."""
    name = intent.actor
    fighter = changes.before.fighters[name]
    changes.set(name, "major", 0, "2D20-11")
    changes.set(name, "minor", 0, "2D20-11")
    if result:
        apply_wounds(changes, fighter, result, "2D20-22")
    turns = int(fighter.conditions.get("persistent", 0))
    if turns > 1:
        changes.begin(name, "persistent", "2D20-24", turns - 1)
    elif turns:
        end_persistent(changes, fighter)
    for other in changes.before.fighters:
        end_command(changes, other)


PHASES = {
    "start-turn": Action(
        "A Major and a Minor action; the dying hold on",
        "2D20-11",
        dying_setup,
        begin_turn,
        dying,
        window="table",
    ),
    "end-turn": Action("What goes on hurting", "2D20-22", lasting_setup, end_turn, lasting, window="table"),
}
