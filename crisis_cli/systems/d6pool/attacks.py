"""What an attack is made with, and its hit roll (POOL-16 to POOL-21)."""

from __future__ import annotations

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
    Scale,
    Weapon,
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
from .sheet import (
    CONDITIONS,
    SHIELD,
    SKILL_OF,
    UNARMED,
    modes_of,
    value_of,
)

# Attacks

AIM, ACCURATE, RECOIL, SUPPORTED = "aim", "accurate", "recoil", "supported"
"""Marks: what is built up before an attack."""
RAISED = "raised"
"""The mark of a shield held up: the round from which on it covers (POOL-23)."""
STOLEN = "stolen"
"""The mark of actions that the next refresh lacks (POOL-15)."""
DEFENCES = ("dodge", "parry", "shield")
"""POOL-14: the reactions of a target to hits."""
WOUNDS, KNOCKOUT, DISARM = "wounds", "knockout", "disarm"
"""What the hits are meant to do."""
RESISTED = {KNOCKOUT: (("resistance",), "the knock-out"), DISARM: (("strength", "deftness"), "disarming")}
"""What the target resists with, the better of them, and how the roll is called (POOL-31, POOL-33)."""
THING = "object"
"""What is thrown where there is no weapon for it (POOL-40)."""

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
    if name in fighter.sheet["weapons"]:
        in_hand(scene, intent, name, "POOL-12", "ready")
        weapon = fighter.sheet["weapons"][name]
    else:
        # POOL-29: with quickness above 2 one die more, with strength above 2 piercing 1.
        quick, strong = (value_of(fighter.sheet, one)[0] > 2 for one in ("quickness", "strength"))
        bare = {**UNARMED, "damage_potential": int(quick), "piercing": int(strong)}
        weapon = bare if name == "unarmed" else UNARMED
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
            what = f"{fighter.name} has nothing in the other hand"
            refuse(intent, what, "POOL-34", final=True, code="not_in_hand")
        name = held[1]
    if not name and intent.action == "throw":
        name = next((one for one in (*held, *weapons) if "throw" in modes_of(weapons[one])), THING)
    name = name or (held[0] if held else "unarmed")
    if name not in (*weapons, "unarmed", THING):
        what = f"{fighter.name} has no weapon called {name!r}"
        refuse(intent, what, "POOL-3", final=True, code="unknown_name")
    return name


def weapons_held(fighter: Fighter) -> tuple[str, ...]:
    """The weapons in hand, the main hand first."""
    return tuple(one for one in fighter.held if one in fighter.sheet["weapons"])


def paired(fighter: Fighter) -> bool:
    """POOL-34: two weapons of one kind in hand, each for one hand."""
    held = [fighter.sheet["weapons"][one] for one in weapons_held(fighter)]
    return (
        len(held) == 2 and all(one["hands"] == 1 for one in held) and len({one["skill"] for one in held}) == 1
    )


def in_next_turn(fighter: Fighter, number: Number) -> Number:
    """POOL-11: the actions that a turn gives: those of the sheet, with circumstance (ALL-6), and one more with a pair
    of weapons (POOL-34); none to the dying (POOL-37)."""
    if unable(CONDITIONS, fighter)[0] in ("dead", "dying"):
        return number
    usual, more = fighter.sheet["actions"], fighter.sheet["circumstance"].get("actions", 0)
    number.add("renewed", usual).add("circumstance", more, "ALL-6")
    number.add("two weapons", paired(fighter), "POOL-34")
    return number.add("limit", max(0, -(usual + more + paired(fighter))))


def actions_a_turn(fighter: Fighter) -> int:
    """How many actions a turn gives, before any are stolen (POOL-15)."""
    return in_next_turn(fighter, Number("POOL-11")).total


def is_firearm(weapon: Weapon, mode: str) -> bool:
    """Whether a mode of a weapon is that of a firearm: it fires, and is no bow (POOL-19)."""
    return mode in ("single", "burst") and not weapon["bow"]


def is_off_hand(fighter: Fighter, name: str) -> bool:
    """POOL-34: whether a weapon is the second of a pair in hand."""
    return paired(fighter) and weapons_held(fighter)[1] == name


def shield_of(fighter: Fighter) -> int:
    """POOL-23: the cover of the shield in hand; 0 without one, or with a weapon for two hands."""
    weapons = fighter.sheet["weapons"]
    if SHIELD not in fighter.held or any(weapons[one]["hands"] > 1 for one in weapons_held(fighter)):
        return 0
    return int(fighter.sheet.get("shield", {"cover": 0})["cover"])


def rounds(scene: Scene, intent: Intent, using: Attacking) -> tuple[Cost, ...]:
    """POOL-18: the rounds that an attack takes; Refused where the weapon has been thrown away."""
    pool, pools = f"ammo:{using.name}", scene.fighters[intent.actor].pools
    needed = {"single": 1, "burst": 3, "throw": 1}.get(using.mode)
    if pool not in pools:
        return ()
    if needed is None and not pools[pool]:
        what = f"the {using.name} of {intent.actor} has been thrown"
        refuse(intent, what, "POOL-18", "use another weapon", code="used_up")
    return (Cost(pool, needed, rule="POOL-18"),) if needed else ()


# The hit roll


def hit_setup(scene: Scene, intent: Intent, using: Attacking) -> Setup:
    """The hit roll with all that goes into it, and the actions, rounds and dice that it takes."""
    fighter, name, weapon, mode = scene.fighters[intent.actor], using.name, using.weapon, using.mode
    firearm = is_firearm(weapon, mode)
    dice = dice_of(fighter, "attack", SKILL_OF[mode])
    dice.add(name, weapon["damage_potential"], "POOL-16", f"weapons.{name}")
    dice.add("burst", 2 * (mode == "burst"), "POOL-18", "--mode burst")
    minimum = minimum_of(fighter, "attack", SKILL_OF[mode])
    far(minimum, scene, intent, using)
    off = bool(intent.get("off_hand")) or is_off_hand(fighter, name)
    minimum.add("off hand", int(off), "POOL-34", name)
    asked(minimum, scene, intent)
    kick = max(0, 2 - weapon.get("recoil_compensation", 0)) * fighter.marks.get(RECOIL, 0) * firearm
    minimum.add("recoil", kick, "POOL-19")
    massive = count_of(intent, "massive")
    if massive and mode != "melee":
        what = "only a blow can be massive"
        refuse(intent, what, "POOL-32", "--mode melee", final=True, code="conflicting_options")
    capped(dice, fighter, "massive", 3 * massive, "strength", "POOL-32", "--massive")
    rests, supports = bool(fighter.marks.get(f"{SUPPORTED}:{name}")), bool(intent.get("supported"))
    if supports and not firearm:
        what, hint = f"the {name} cannot be supported", "firearms can, bows cannot"
        refuse(intent, what, "POOL-35", hint, final=True, code="wrong_item")
    minimum.add("supported", -(rests or supports), "POOL-35")
    minimum.add("disarming", 2 * (using.purpose == DISARM), "POOL-33", "--disarm")
    if intent.get(AIM) and intent.get(ACCURATE):
        what = "nothing else is done while taking one's time, aiming neither"
        refuse(intent, what, "POOL-30", final=True, code="conflicting_options")
    time = count_of(intent, ACCURATE)
    taken = -fighter.marks.get(ACCURATE, 0) - time
    if gained := capped(minimum, fighter, ACCURATE, taken, "perception", "POOL-30"):
        minimum.add("never below 2", max(0, min(2 - minimum.total, -gained)), "POOL-30")
    threshold = Modifiers("critical", "POOL-17").base("threshold", CRITICAL).add("recoil", kick, "POOL-19")
    aims = count_of(intent, AIM)
    if mode != "burst":
        taken = -2 * (fighter.marks.get(AIM, 0) + aims)
        capped(threshold, fighter, AIM, taken, "perception", "POOL-20")
    elif aims:
        what = f"the {name} cannot be aimed in bursts"
        refuse(intent, what, "POOL-18", "--mode single", final=True, code="conflicting_options")
    scale = Scale(minimum.total, NEVER if mode == "burst" else threshold.total)
    roll = roll_of(scene, intent.actor, dice, scale, intent.options)
    puts = int(supports and not rests)
    actions = {"POOL-32": massive, "POOL-35": puts, "POOL-30": time, "POOL-20": aims}
    costs = (
        *(Cost("actions", count, rule=rule) for rule, count in actions.items() if count),
        *rounds(scene, intent, using),
        *spent(scene, intent),
    )
    return Setup(roll, Modifiers.lines_of(dice, minimum, threshold), costs, name, carried=using)


def far(minimum: Modifiers, scene: Scene, intent: Intent, using: Attacking) -> None:
    """POOL-21: up to the range nothing, up to twice it harder by 2, beyond it refused."""
    distance = target_distance(scene, intent)
    reaches: int | None = using.weapon.get("range", 1 if using.mode == "melee" else None)
    if distance is None or reaches is None or distance <= reaches:
        return
    if distance > 2 * reaches:
        limit = f"the {using.name} reaches {reaches} m, {2 * reaches} m at most"
        what = f"{intent.target} is {distance} m away; {limit}"
        closer = f"go closer: crisis act {slug(intent.actor)} run toward {slug(intent.target)}"
        refuse(intent, what, "POOL-21", closer, code="out_of_reach")
    minimum.add("distance", 2, "POOL-21", f"{distance} m at {reaches} m")


def capped(
    found: Modifiers, fighter: Fighter, name: str, worth: int, limit: str, rule: str, source: str = ""
) -> int:
    """Add what actions were spent on, no more than a skill or attribute of the fighter either way; gives that."""
    most = max(0, value_of(fighter.sheet, limit)[0])
    counts = max(-most, min(most, worth))
    if worth:
        found.base(name, counts, rule, source if counts == worth else f"{limit} {most}")
    return counts


def attack_setup(scene: Scene, intent: Intent, before: tuple[Setup, ...]) -> Setup:
    """An attack with a weapon (POOL-16); refused where reach, mode, rounds or manner forbid it."""
    target = scene.fighters[intent.target]
    if target.has("dead"):
        refuse(intent, f"{target.name} is dead already", "POOL-37", code="already_dead")
    using = attacking(scene, intent)
    knocks_out, disarms = bool(intent.get("knockout")), bool(intent.get("disarm"))
    if knocks_out and disarms:
        what = "one blow cannot knock out and disarm"
        refuse(intent, what, "POOL-31", final=True, code="conflicting_options")
    if knocks_out and not using.weapon["blunt"]:
        hint = "use something blunt, or --weapon unarmed"
        refuse(intent, f"the {using.name} is not blunt", "POOL-31", hint, code="wrong_item")
    using = using._replace(purpose=KNOCKOUT if knocks_out else DISARM if disarms else WOUNDS)
    if disarms and not weapons_held(target):
        refuse(intent, f"{target.name} holds no weapon", "POOL-33", final=True, code="not_in_hand")
    return hit_setup(scene, intent, using)


def hit_roll(table: RuleTable, roll: PoolRoll | tuple[PoolRoll]) -> Rolled[Graded] | Rolled[int]:
    """POOL-16: the hit roll; POOL-40: of an object, in a tuple of its own, a roll that is no attack (POOL-6)."""
    if isinstance(roll, PoolRoll):
        return roll_pool(table, "attack", roll, scored)
    return roll_pool(table, "throw", roll[0], counted)
