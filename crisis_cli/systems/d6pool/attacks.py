"""What an attack is made with, and its hit roll (POOL-16 to POOL-21, POOL-29 to POOL-35)."""

from __future__ import annotations

from functools import partial

from ...rules import (
    Cost,
    Fighter,
    Graded,
    Intent,
    Modifiers,
    NamedTuple,
    Number,
    RuleTable,
    Scene,
    Setup,
    in_hand,
    lacks,
    refuse,
    slug,
    target_distance,
    unable,
)
from .rolls import (
    CRITICAL,
    NEVER,
    PoolRoll,
    Rolled,
    asked,
    count_of,
    counted,
    dice_of,
    minimum_of,
    roll_of,
    roll_pool,
    scored,
    spent,
)
from .sheet import CONDITIONS, SHIELD, SKILL_OF, UNARMED, Weapon, modes_of, value_of

AIM, ACCURATE, RECOIL, SUPPORTED = "aim", "accurate", "recoil", "supported"
"""Marks: what is built up before an attack."""
RAISED, STOLEN = "raised", "stolen"
"""Marks: the round from which on a raised shield covers (POOL-23); actions that the next refresh lacks (POOL-15)."""
DEFENCES = ("dodge", "parry", "shield")
"""POOL-14: the reactions of a target to hits."""
WOUNDS, KNOCKOUT, DISARM = "wounds", "knockout", "disarm"
"""What the hits are meant to do."""
THING = "object"
"""What is thrown where there is no weapon for it (POOL-40)."""

conflict = partial(refuse, final=True, code="conflicting_options")
unfit = partial(refuse, code="wrong_item")
not_in_hand = partial(refuse, final=True, code="not_in_hand")
target_lives = lacks("dead", "POOL-37", "{who} is dead already", of="target", code="already_dead")

# What is in hand


def weapons_held(fighter: Fighter) -> tuple[str, ...]:
    """The weapons in hand, the main hand first."""
    return tuple(thing for thing in fighter.held if thing in fighter.sheet["weapons"])


def off_hand(fighter: Fighter) -> str | None:
    """POOL-34: the second of two weapons of one kind in hand, each for one hand; None without such a pair."""
    held, weapons = weapons_held(fighter), fighter.sheet["weapons"]
    kinds = {(weapons[name]["skill"], weapons[name]["hands"]) for name in held}
    return held[1] if len(held) == 2 and len(kinds) == 1 and weapons[held[1]]["hands"] == 1 else None


def shield_of(fighter: Fighter) -> int:
    """POOL-23: the cover of the shield in hand; 0 without one, or with a weapon for two hands."""
    weapons = fighter.sheet["weapons"]
    if SHIELD not in fighter.held or any(weapons[name]["hands"] > 1 for name in weapons_held(fighter)):
        return 0
    return int(fighter.sheet.get(SHIELD, {"cover": 0})["cover"])


def in_next_turn(fighter: Fighter, number: Number) -> Number:
    """POOL-11: the actions that a turn gives, more with a pair of weapons (POOL-34), none to the dying (POOL-37)."""
    if unable(CONDITIONS, fighter)[0] in ("dead", "dying"):
        return number
    usual, more = fighter.sheet["actions"], fighter.sheet["circumstance"].get("actions", 0)
    pair = off_hand(fighter) is not None
    number.add("renewed", usual).add("circumstance", more, "ALL-6").add("two weapons", pair, "POOL-34")
    return number.add("limit", max(0, -(usual + more + pair)))


def actions_a_turn(fighter: Fighter) -> int:
    """How many actions a turn gives, before any are stolen (POOL-15)."""
    return in_next_turn(fighter, Number("POOL-11")).total


def is_firearm(weapon: Weapon, mode: str) -> bool:
    """Whether a mode of a weapon is that of a firearm: it fires, and is no bow (POOL-19)."""
    return mode in ("single", "burst") and not weapon["bow"]


# What an attack is made with


class Attacking(NamedTuple):
    """What an attack is made with, looked up once; its purpose is WOUNDS, KNOCKOUT or DISARM."""

    name: str
    weapon: Weapon
    mode: str
    purpose: str = WOUNDS


def attacking(scene: Scene, intent: Intent) -> Attacking:
    """POOL-16, POOL-18: the weapon of an attack, in hand in a crisis, and its use: as asked for, else as usual."""
    fighter = scene.fighters[intent.actor]
    name = weapon_name(fighter, intent)
    weapon: Weapon = fighter.sheet["weapons"].get(name, UNARMED)
    if name in fighter.sheet["weapons"]:
        in_hand(scene, intent, name, "POOL-12", "ready")
    elif name == "unarmed":
        # POOL-29: with quickness above 2 one die more, with strength above 2 piercing 1.
        quick, strong = (int(value_of(fighter, skill)[0] > 2) for skill in ("quickness", "strength"))
        weapon = {**UNARMED, "damage_potential": quick, "piercing": strong}
    modes = modes_of(weapon)
    mode: str = "throw" if intent.action == "throw" else intent.get("mode") or modes[0]
    if mode not in modes:
        can = f"it can {', '.join(modes)}"
        refuse(intent, f"the {name} has no mode {mode}", "POOL-18", can, final=True, code="unknown_name")
    if fighter.has("stuck") and name != "unarmed" and mode == "melee":
        free = f"pull it free: crisis act {slug(fighter.name)} free-weapon"
        refuse(intent, f"the {name} of {fighter.name} is stuck", "POOL-24", free, code="condition_forbids")
    return Attacking(name, weapon, mode)


def weapon_name(fighter: Fighter, intent: Intent) -> str:
    """The weapon of an attack: as asked for, else in hand, else `unarmed`; of a throw one for that, else an object."""
    weapons, held = fighter.sheet["weapons"], weapons_held(fighter)
    name: str = intent.get("weapon") or ""
    if not name and intent.get("off_hand"):
        if len(held) < 2:
            not_in_hand(intent, f"{fighter.name} has nothing in the other hand", "POOL-34")
        name = held[1]
    if not name and intent.action == "throw":
        name = next((one for one in (*held, *weapons) if "throw" in modes_of(weapons[one])), THING)
    name = name or (*held, "unarmed")[0]
    if name not in (*weapons, "unarmed", THING):
        what = f"{fighter.name} has no weapon called {name!r}"
        refuse(intent, what, "POOL-3", final=True, code="unknown_name")
    return name


def attack_setup(scene: Scene, intent: Intent, before: tuple[Setup, ...]) -> Setup:
    """An attack with a weapon (POOL-16); refused where reach, mode, rounds or manner forbid it."""
    target_lives(scene, intent)
    using = attacking(scene, intent)
    knocks_out, disarms = intent.get(KNOCKOUT), intent.get(DISARM)
    if knocks_out and disarms:
        conflict(intent, "one blow cannot knock out and disarm", "POOL-31")
    if knocks_out and not using.weapon["blunt"]:
        blunt = "use something blunt, or --weapon unarmed"
        unfit(intent, f"the {using.name} is not blunt", "POOL-31", blunt)
    if disarms and not weapons_held(scene.fighters[intent.target]):
        not_in_hand(intent, f"{intent.target} holds no weapon", "POOL-33")
    purpose = KNOCKOUT if knocks_out else DISARM if disarms else WOUNDS
    return hit_setup(scene, intent, using._replace(purpose=purpose))


# The hit roll


def hit_setup(scene: Scene, intent: Intent, using: Attacking) -> Setup:
    """The hit roll with all that goes into it, and the actions, rounds and dice that it takes."""
    fighter, (name, weapon, mode, purpose) = scene.fighters[intent.actor], using
    marks, firearm, bursts = fighter.marks, is_firearm(weapon, mode), mode == "burst"
    dice = dice_of(fighter, "attack", SKILL_OF[mode])
    dice.add(name, weapon["damage_potential"], "POOL-16", f"weapons.{name}")
    dice.add("burst", 2 * bursts, "POOL-18", "--mode burst")
    minimum = minimum_of(fighter, "attack", SKILL_OF[mode])
    far(minimum, scene, intent, using)
    minimum.add("off hand", bool(intent.get("off_hand")) or name == off_hand(fighter), "POOL-34", name)
    asked(minimum, scene, intent)
    kick = max(0, 2 - weapon["recoil_compensation"]) * marks.get(RECOIL, 0) * firearm
    minimum.add("recoil", kick, "POOL-19")
    massive, time, aims = (count_of(intent, option) for option in ("massive", ACCURATE, AIM))
    if massive and mode != "melee":
        conflict(intent, "only a blow can be massive", "POOL-32", "--mode melee")
    capped(dice, fighter, "massive", 3 * massive, "strength", "POOL-32", "--massive")
    rests, supports = bool(marks.get(f"{SUPPORTED}:{name}")), bool(intent.get("supported"))
    if supports and not firearm:
        hint = "firearms can, bows cannot"
        unfit(intent, f"the {name} cannot be supported", "POOL-35", hint, final=True)
    minimum.add("supported", -(rests or supports), "POOL-35")
    minimum.add("disarming", 2 * (purpose == DISARM), "POOL-33", "--disarm")
    if time and aims:
        conflict(intent, "nothing else is done while taking one's time, aiming neither", "POOL-30")
    taken = -marks.get(ACCURATE, 0) - time
    gained = capped(minimum, fighter, ACCURATE, taken, "perception", "POOL-30")
    minimum.add("never below 2", max(0, min(2 - minimum.total, -gained)), "POOL-30")
    threshold = Modifiers("critical", "POOL-17").base("threshold", CRITICAL).add("recoil", kick, "POOL-19")
    if aims and bursts:
        conflict(intent, f"the {name} cannot be aimed in bursts", "POOL-18", "--mode single")
    if not bursts:
        capped(threshold, fighter, AIM, -2 * (marks.get(AIM, 0) + aims), "perception", "POOL-20")
    critical = NEVER if bursts else threshold.total
    roll = roll_of(scene, intent.actor, dice, minimum, intent.options, critical)
    ammo, needed = f"ammo:{name}", {"single": 1, "burst": 3, "throw": 1}.get(mode, 0)
    if not needed and not fighter.pools.get(ammo, 1):
        what = f"the {name} of {intent.actor} has been thrown"
        refuse(intent, what, "POOL-18", "use another weapon", code="used_up")
    actions = {"POOL-32": massive, "POOL-35": supports and not rests, "POOL-30": time, "POOL-20": aims}
    prices = [Cost("actions", int(count), rule=rule) for rule, count in actions.items() if count]
    prices += [Cost(ammo, needed, rule="POOL-18")] if needed and ammo in fighter.pools else []
    costs = (*prices, *spent(scene, intent))
    return Setup(roll, Modifiers.lines_of(dice, minimum, threshold), costs, name, carried=using)


def far(minimum: Modifiers, scene: Scene, intent: Intent, using: Attacking) -> None:
    """POOL-21: up to the range nothing, up to twice it harder by 2, beyond it refused."""
    distance = target_distance(scene, intent)
    reaches: int | None = using.weapon.get("range", 1 if using.mode == "melee" else None)
    if distance is None or reaches is None or distance <= reaches:
        return
    if distance > 2 * reaches:
        limit = f"the {using.name} reaches {reaches} m, {2 * reaches} m at most"
        closer = f"go closer: crisis act {slug(intent.actor)} run toward {slug(intent.target)}"
        what = f"{intent.target} is {distance} m away; {limit}"
        refuse(intent, what, "POOL-21", closer, code="out_of_reach")
    minimum.add("distance", 2, "POOL-21", f"{distance} m at {reaches} m")


def capped(
    lines: Modifiers, fighter: Fighter, name: str, worth: int, limit: str, rule: str, source: str = ""
) -> int:
    """Add what actions were spent on, no more than a skill or attribute of the fighter either way; gives that."""
    most = max(0, value_of(fighter, limit)[0])
    counts = max(-most, min(most, worth))
    if worth:
        lines.base(name, counts, rule, source if counts == worth else f"{limit} {most}")
    return counts


def hit_roll(table: RuleTable, roll: PoolRoll | tuple[PoolRoll]) -> Rolled[Graded] | Rolled[int]:
    """POOL-16: the hit roll; POOL-40: of an object, in a tuple of its own, a roll that is no attack (POOL-6)."""
    if isinstance(roll, PoolRoll):
        return roll_pool(table, "attack", roll, scored)
    return roll_pool(table, "throw", roll[0], counted)
