"""First aid (2D20-26, 2D20-27)."""

from __future__ import annotations

from collections.abc import Iterator

from ...rules import (
    Changes,
    Fighter,
    Intent,
    Modifiers,
    NamedTuple,
    RuleTable,
    Scene,
    Setup,
    refuse,
    slug,
)
from . import sheet
from .checks import (
    CheckSetup,
    after_check,
    ap_left,
    ap_spent,
    bought,
    check,
    check_setup,
    check_upgrades,
    missing_ap,
)
from .options import PLACES
from .sheet import (
    injuries,
)

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
    return tested._replace(dice=(tested.dice, base), carried=aim)


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
    (test, _), aim, name = setup.dice, setup.carried, intent.patient
    patient = changes.before.fighters[name]
    after_check(changes, test, result.total, result.luck, result.spent)
    if not result.success:
        return
    if aim in PLACES:
        left = injuries(patient, aim) - 1
        changes.assign(name, f"condition:injured-{aim}", left or False, "2D20-27")
        return
    was, most = patient.pools["hp"], patient.pools["max_hp"]
    hp = min(was + result.healed, most)
    healed = changes.number("2D20-27").add("stabilised" if aim == "stabilise" else "medicine", setup.dice[1])
    healed.add("AP", result.spent).add("above the highest HP", hp - was - result.healed, "2D20-21")
    changes.adjust(name, "hp", healed, "2D20-27")
    if aim == "stabilise" and hp:
        # The unconscious wake when the crisis ends, at the latest (a reading).
        wakes = ("end-crisis", 0) if changes.before.open else None
        changes.assign(name, "until:unconscious", wakes, "2D20-27")
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
