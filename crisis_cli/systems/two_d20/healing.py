"""First aid (2D20-26, 2D20-27), and chems (2D20-11)."""

from __future__ import annotations

from collections.abc import Iterator

from ...rules import (
    Changes,
    Fighter,
    Intent,
    Modifiers,
    NamedTuple,
    Opponents,
    RuleTable,
    Says,
    Scene,
    Setup,
    in_hand,
    refuse,
    slug,
    use_action,
)
from .checks import (
    MINOR,
    CheckSetup,
    after_check,
    ap_left,
    bought,
    check,
    check_setup,
    check_upgrades,
    has_arm,
    major_action,
)
from .options import PLACES
from .sheet import injuries, injuries_hard_to_treat, is_dying, zones_between


def in_one_zone(scene: Scene, intent: Intent) -> None:
    """2D20-11: refuse what is done to a patient in another zone."""
    if zones_between(scene, intent.actor, intent.patient):
        hint = f"go there: crisis act {slug(intent.actor)} move toward {slug(intent.patient)}"
        what = f"{intent.patient} is in another zone"
        refuse(intent, what, "2D20-11", hint, code="out_of_reach", first="move")


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
    """2D20-26, 2D20-27, 2D20-32: dice are the test, and the HP of a success before AP; carried: the aim (`aid_aim`)."""
    fighter, patient = scene.fighters[intent.actor], scene.fighters[intent.patient]
    if item := intent.get("item"):
        act = f"a chem: crisis act {slug(fighter.name)} take-chem {slug(patient.name)} --item {item}"
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
    # Of several injuries of a location the easy ones are treated first (a reading).
    is_debilitated = aim in PLACES and injuries_hard_to_treat(patient, aim) == injuries(patient, aim)
    hard.add("debilitating weapon", int(is_debilitated), "2D20-32", f"debilitated-{aim}")
    # One AP may wake somebody; more than the HP that are lost give nothing.
    lost = max(patient.pools["max_hp"] - patient.pools["hp"], int(patient.has("unconscious")))
    useful = min(wanted, max(0, lost - base))
    test, lines, costs, *_ = check_setup(scene, intent, "heal", ("int", "medicine"), hard, useful)
    return Setup((test, base), lines, costs, carried=aim)


def aid_aim(intent: Intent, patient: Fighter) -> str:
    """2D20-27: "heal", "stabilise" or an injured location, as asked or most needed; Refused where nothing is."""
    asked = (intent.get("treat"), intent.get("stabilise") and "stabilise", intent.get("heal_hp") and "heal")
    aims = [aim for aim in asked if aim]
    if len(aims) > 1:
        what, hint = "first aid does one thing at a time", "--heal-hp, --treat PLACE or --stabilise"
        refuse(intent, what, "2D20-27", hint, final=True, code="conflicting_options")
    dying = is_dying(patient)
    aim: str = aims[0] if aims else "stabilise" if dying else "heal"
    if dying and aim != "stabilise":
        what, hint = f"{patient.name} is dying and can only be stabilised", "crisis heal WHO --stabilise"
        refuse(intent, what, "2D20-23", hint, final=True, code="condition_forbids")
    if aim == "stabilise" and not dying:
        refuse(intent, f"{patient.name} is not dying", "2D20-27", final=True, code="condition_forbids")
    hurt = [place for place in PLACES if injuries(patient, place)]
    if aim in PLACES and aim not in hurt:
        what, where = f"{patient.name} is not injured there", f"injured: {', '.join(hurt) or 'nowhere'}"
        refuse(intent, what, "2D20-27", where, final=True, code="condition_forbids")
    most = patient.pools["max_hp"]
    if aim == "heal" and patient.pools["hp"] >= most and not patient.has("unconscious"):
        what, way = f"{patient.name} has all the HP", f"treat an injury: --treat {hurt[0]}" if hurt else ""
        if most < patient.full("max_hp"):
            what = f"{patient.name} has all the {most} HP that radiation has left"
            way = way or "no rule gives the highest HP back; the GM may: max_hp under [state] in the sheet"
        refuse(intent, what, "2D20-27", way, code="condition_forbids")
    return aim


def aid(table: RuleTable, setup: tuple[CheckSetup, int]) -> AidResult:
    """2D20-27: the test, and the HP that it is worth."""
    test, base = setup
    result = table.ask(check, test)
    spent = test.spent(result.total) if result.success else 0
    return AidResult(*result, spent=spent, healed=base + spent if result.success else 0)


def aid_outputs(scene: Scene, intent: Intent, setup: Setup, result: AidResult) -> dict[str, object]:
    """`wanted`: AP wanted and not there; `unspent`: AP that would have given nothing back."""
    test, _ = setup.dice
    unspent = intent.get("ap_spend", 0) - test.wanted
    unheeded = {"unspent": unspent} if result.success and unspent > 0 else {}
    return {**test.missing(result.success, result.spent), **unheeded}


def aid_effects(changes: Changes, intent: Intent, setup: Setup, result: AidResult) -> None:
    """2D20-27: HP up to the maximum, an injury gone, or no longer dying but unconscious."""
    (test, base), aim, name = setup.dice, setup.carried, intent.patient
    patient = changes.before.fighters[name]
    after_check(changes, test, result.total, result.luck, result.spent)
    if not result.success:
        return
    if aim in PLACES:
        changes.assign(name, f"condition:injured-{aim}", injuries(patient, aim) - 1 or False)
        return
    was, most = patient.pools["hp"], patient.pools["max_hp"]
    hp = min(was + result.healed, most)
    healed = changes.number().add("stabilised" if aim == "stabilise" else "medicine", base)
    healed.add("AP", result.spent).add("above the highest HP", hp - was - result.healed, "2D20-21")
    changes.adjust(name, "hp", healed)
    if aim == "stabilise" and hp:
        # The unconscious wake when the crisis ends, at the latest (a reading).
        changes.assign(name, "until:unconscious", ("end-crisis", 0) if changes.before.open else None)
    elif result.healed:
        changes.end(name, "unconscious")


def aid_candidates(scene: Scene, who: str) -> Iterator[Intent]:
    """First aid for everyone of the own side, and for every injury."""
    for patient in scene.of_side(scene.fighters[who].side):
        places = [{"treat": place} for place in PLACES if injuries(patient, place)]
        yield from (Intent("heal", who, (patient.name,), options) for options in ({}, *places))


def aid_upgrades(scene: Scene, intent: Intent) -> Iterator[Intent]:
    """2D20-6, 2D20-8, 2D20-27: dice bought, Luck, AP for HP."""
    yield from check_upgrades(scene, intent)
    most = intent.plus(ap_spend=ap_left(scene, intent))
    if not intent.get("treat") and (wanted := aid_setup(scene, most).dice[0].wanted):
        yield intent.plus(ap_spend=wanted)


AID_SAYS = {"": "{actor} treats {target}", "self": "{actor} treats their own wounds"}
HEAL = major_action("Give first aid", aid_setup, aid_effects, rule="2D20-27")._replace(
    rule=aid,
    says=Says(AID_SAYS, ("healed", "failure"), "successes"),
    outputs=aid_outputs,
    ai=Opponents(aid_candidates, aid_upgrades),
    targets="patient",
    requires=(has_arm, in_one_zone),
    options=("buy", "luck", "treat", "stabilise", "heal-hp", "ap-spend"),
)

# Chems


def chem_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-11: an item in hand, for oneself or a willing one; carried are the HP it heals."""
    fighter, patient = scene.fighters[intent.actor], scene.fighters[intent.patient]
    held = next((thing for thing in fighter.held if thing in fighter.sheet["items"]), None)
    setup = CHEM.setup(scene, intent.plus(item=intent.get("item") or held))
    in_hand(scene, intent, setup.gear, "2D20-11")
    if patient.side != fighter.side:
        refuse(intent, f"{patient.name} is no friend, and not willing", "2D20-11", code="wrong_target")
    heals = fighter.sheet["items"][setup.gear]["heals"]
    dead = patient.has("dead")
    if heals and (dead or patient.has("dying")):
        hint = "" if dead else f"crisis act {slug(fighter.name)} heal {slug(patient.name)}"
        what = f"{patient.name} is {'dead' if dead else 'dying'}, and the {setup.gear} cannot help"
        refuse(intent, what, "2D20-23", hint, code="condition_forbids")
    return setup._replace(carried=heals)


def take_chem(changes: Changes, intent: Intent, setup: Setup, outcome: None) -> None:
    """2D20-11: HP as the sheet says, and the unconscious wake; the dying need first aid (2D20-23)."""
    patient = changes.before.fighters[intent.patient]
    if 0 < patient.pools["hp"] < patient.pools["max_hp"] and setup.carried:
        changes.adjust(patient.name, "hp", changes.number().add(setup.gear, setup.carried))
        hp = min(changes.pool(patient.name, "hp"), patient.pools["max_hp"])
        changes.set(patient.name, "hp", hp, "2D20-2")
        changes.end(patient.name, "unconscious", "2D20-27")


CHEM_SAYS = {"": "{actor} gives {target} the {gear}", "self": "{actor} takes the {gear}"}
CHEM = use_action("take-chem", "Give a chem, to oneself or another", "2D20-11", MINOR, CHEM_SAYS)
TAKE_CHEM = CHEM._replace(
    setup=chem_setup,
    effects=take_chem,
    ai=Opponents.using("take-chem"),
    targets="patient",
    requires=(in_one_zone,),
)
