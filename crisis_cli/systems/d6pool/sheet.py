"""The sheet of a `d6pool` fighter, the weapons in hand, and what is built up before an attack (POOL-1 to POOL-3,
POOL-18 to POOL-21, POOL-29, POOL-30, POOL-32, POOL-34, POOL-35)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...engine.events import Event, change
from ...engine.kinds import Either, Fault, Flag, ListOf, MapOf, OneOf, Whole
from ...engine.record import Modifier
from ...engine.scene import Fighter, Intent, Scene, slug
from ...engine.schema import Field, Section
from ...engine.sheet import Level, sheet
from ...engine.system import Cost, Start, refuse
from ...rules.equipment import in_hand, supplies

# ---- The sheet of a `d6pool` fighter: attributes, skills, weapons, armour, shield, dice to spend (POOL-1 to POOL-3)

NAME = "d6pool"
ATTRIBUTES = (
    *("deftness", "strength", "attractiveness", "endurance", "resistance", "quickness"),
    *("education", "logic", "conscientiousness", "willpower", "apprehension", "charm"),
)
ATTRIBUTE = 1
"""POOL-1: one that the sheet does not mention."""
SKILLS = {
    "hand-to-hand": "strength",
    "throwing": "strength",
    "shooting": "deftness",
    "perception": "apprehension",
    "first-aid": "conscientiousness",
    "medicine": "conscientiousness",
    "stealth": "conscientiousness",
}
"""POOL-1: the attribute that stands in for a skill that is not on the sheet."""
SKILL_OF = {"melee": "hand-to-hand", "single": "shooting", "burst": "shooting", "throw": "throwing"}
"""POOL-16, POOL-18: the skill that each mode is rolled with."""
USUAL = {"hand-to-hand": "melee", "shooting": "single", "throwing": "throw"}
"""POOL-3: the one mode of a weapon that lists none."""
PROTECTION = (
    *("normal", "sticky", "bleeding", "poison", "fire", "shock", "reflecting", "demonic", "critical"),
)
"""POOL-24: the kinds, in the order in which they are spent on normal hits."""
INFLICTED = ("bleeding", "burning", "poisoned", "shocked", "unconscious", "hunkered", "asleep", "stuck")
CONDITION_NAMES = (
    *("dead", "dying", "stable", "unconscious", "asleep", "shocked", "burning", "bleeding", "poisoned"),
    *("hunkered", "blocking", "stuck"),
)
UNARMED = {
    "skill": "hand-to-hand", "damage_potential": 0, "piercing": 0, "wounds": 1, "range": 1, "modes": ["melee"],
    "hands": 1, "blunt": True, "bow": False, "demonic": False, "inflicts": [], "encumbrance": 0,
}  # fmt: skip
"""POOL-29: bare hands; that they are blunt is a reading of POOL-31."""

_weapon = Section(
    {
        "skill": Field(OneOf(tuple(USUAL)), "what it is used with", "POOL-3", required=True),
        "damage_potential": Field(Whole(-99, 99, signed=True), "dice added to the hit roll", "POOL-3", 0),
        "piercing": Field(Whole(0, 99), "units of protection that stop nothing", "POOL-25", 0),
        "wounds": Field(Whole(0, 99), "wounds of each hit", "POOL-26", 1),
        "range": Field(Whole(0, 100_000), "metres, in melee too; absent: 1 in melee, else no end", "POOL-21"),
        "modes": Field(
            ListOf(OneOf(tuple(SKILL_OF)), 4), "how it can be used; the first is usual", "POOL-18"
        ),
        "capacity": Field(
            Whole(1, 9999), "rounds it holds, or how many there are to throw; absent: no end", "POOL-18"
        ),
        "reload": Field(Whole(0, 60), "actions of reloading", "POOL-12", 1),
        "recoil_compensation": Field(Whole(0, 99), "taken off each step of recoil", "POOL-19", 0),
        "ready": Field(Whole(0, 60), "actions of readying", "POOL-12", 1),
        "hands": Field(Whole(1, 2), "hands it takes", "POOL-34", 1),
        "blunt": Field(Flag(), "whether it can knock out", "POOL-31", False),
        "bow": Field(Flag(), "bow, sling or crossbow: no recoil, no support", "POOL-19", False),
        "demonic": Field(Flag(), "whether its hits are of demonic origin", "POOL-24", False),
        "inflicts": Field(
            Either(ListOf(OneOf(INFLICTED)), MapOf(Level(), lower=True, words=dict.fromkeys(INFLICTED))),
            "conditions of whoever it leaves a hit on, with levels",
            "POOL-3",
            [],
        ),
        "encumbrance": Field(Whole(0, 99), "what it takes off evasion", "POOL-2", 0),
    }
)
_armour = Section(
    {
        "protection": Field(
            Section(
                {kind: Field(Whole(0, 999), f"units against {kind}", "POOL-24", 0) for kind in PROTECTION}
            ),
            "units of protection by kind, all armour added up",
            "POOL-24",
            dict.fromkeys(PROTECTION, 0),
        ),
        "encumbrance": Field(Whole(0, 99), "what it takes off evasion", "POOL-2", 0),
    }
)
_item = Section(
    {
        "heals": Field(
            Section(
                {
                    "boost": Field(Whole(0, 99), "hearts on top", "POOL-39", 0),
                    "wounds": Field(Whole(0, 99), "wounds gone", "POOL-39", 0),
                }
            ),
            "what it does in first aid",
            "POOL-39",
        ),
        "uses": Field(Whole(0, 9999), "how often it can be used", "POOL-39"),
    }
)
SHEET = sheet(
    NAME,
    {
        "attributes": Field(
            Section({name: Field(Whole(-20, 30), name, "POOL-1", ATTRIBUTE) for name in ATTRIBUTES}),
            "attributes; absent ones are 1",
            "POOL-1",
            dict.fromkeys(ATTRIBUTES, ATTRIBUTE),
        ),
        "skills": Field(MapOf(Whole(-20, 30), lower=True), "totals, the attribute included", "POOL-1", {}),
        "actions": Field(Whole(0, 20), "actions of a turn", "POOL-2", 2),
        "minimum_roll": Field(Whole(2, 99), "what a die must reach", "POOL-2", 5),
        "wounds": Field(Whole(1, 999), "how many wounds can be taken", "POOL-2", 10),
        "bonus_dice": Field(Whole(0, 99), "bonus dice to spend", "POOL-7", 0),
        "destiny_dice": Field(Whole(0, 99), "destiny dice to spend", "POOL-7", 0),
        "rerolls": Field(Whole(0, 99), "re-rolls to spend", "POOL-7", 0),
        "evasion": Field(Whole(-99, 99), "evasion outright", "POOL-2"),
        "evasion_base": Field(Whole(-99, 99), "added to the mean of quickness and deftness", "POOL-2", 0),
        "weapons": Field(MapOf(_weapon), "weapons by name, the first one in hand", "POOL-3", {}),
        "armour": Field(
            _armour, "what is worn", "POOL-3", {"protection": dict.fromkeys(PROTECTION, 0), "encumbrance": 0}
        ),
        "shield": Field(
            Section(
                {
                    "cover": Field(Whole(2, 6), "its cover, 5 for 5+", "POOL-23", required=True),
                    "encumbrance": Field(Whole(0, 99), "what it takes off evasion", "POOL-2", 0),
                }
            ),
            "a shield, held beside a weapon for one hand",
            "POOL-23",
        ),
        "items": Field(MapOf(_item), "things carried, by name", "POOL-39", {}),
    },
    circumstance=(
        *("attack", "parry", "dodge", "resist", "initiative", "check", "heal", "rest", "throw"),
        *("evasion", "wounds", "actions"),
        *ATTRIBUTES,
        *SKILLS,
    ),
    pools=("wounds", "boost", "bonus-dice", "destiny-dice", "rerolls"),
    conditions=CONDITION_NAMES,
)
SHIELD = "shield"


def value_of(sheet: Mapping[str, Any], name: str) -> tuple[int, str]:
    """An attribute or a skill, and where it comes from (POOL-1)."""
    if name in ATTRIBUTES:
        return sheet["attributes"][name], f"attributes.{name}"
    if name in sheet["skills"]:
        return sheet["skills"][name], f"skills.{name}"
    base = SKILLS.get(name)
    return (sheet["attributes"][base], f"attributes.{base}") if base else (0, "")


def modes_of(weapon: Mapping[str, Any]) -> tuple[str, ...]:
    """How a weapon can be used (POOL-18)."""
    return tuple(weapon.get("modes") or (USUAL[weapon["skill"]],))


def range_of(weapon: Mapping[str, Any], mode: str) -> int | None:
    """The metres within which an attack is easy (POOL-21); None where there is no end."""
    own: int | None = weapon.get("range", 1 if mode == "melee" else None)
    return own


def inflicted(weapon: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """The conditions of a hit with their levels (POOL-3)."""
    said = weapon["inflicts"]
    for name in said:
        yield name, int(said[name]) if isinstance(said, Mapping) else 1


def evasion_of(sheet: Mapping[str, Any]) -> int:
    """POOL-2: set outright, else base and the mean of quickness and deftness, rounded up, less encumbrance."""
    more: int = sheet["circumstance"].get("evasion", 0)
    if "evasion" in sheet:
        own: int = sheet["evasion"]
        return own + more
    mean = -(-(sheet["attributes"]["quickness"] + sheet["attributes"]["deftness"]) // 2)
    carried = (*sheet["weapons"].values(), sheet["armour"], sheet.get("shield", {"encumbrance": 0}))
    burden: int = sum(one["encumbrance"] for one in carried)
    base: int = sheet["evasion_base"]
    return int(base + mean - burden + more)


def figures(fighter: Fighter) -> dict[str, int]:
    """POOL-2: the evasion of a fighter."""
    return {"evasion": evasion_of(fighter.sheet)}


def faults(sheet: Mapping[str, Any]) -> list[Fault]:
    """What is wrong between one part of a checked sheet and another."""
    wrong: list[Fault] = []
    for name, weapon in sheet["weapons"].items():
        if name == SHIELD:
            wrong.append(Fault(("weapons", name), "a shield is a table of its own: [shield]"))
        if "capacity" not in weapon and "reload" in weapon and weapon["reload"] != 1:
            wrong.append(Fault(("weapons", name, "reload"), "needs a capacity to fill"))
    return wrong


def start(sheet: Mapping[str, Any]) -> Start:
    """The pools of an unhurt fighter (POOL-2), and what is in hand: the first weapon, and the shield if a hand is
    free for it."""
    more = sheet["circumstance"]
    most = {
        "bonus-dice": sheet["bonus_dice"],
        "destiny-dice": sheet["destiny_dice"],
        "rerolls": sheet["rerolls"],
    }
    most |= supplies(sheet, lambda weapon: weapon.get("capacity", int("throw" in modes_of(weapon))))
    for kind, units in sheet["armour"]["protection"].items():
        if units:
            most[f"protection:{kind}"] = units
    limits: dict[str, tuple[int | None, int | None]] = {
        "wounds": (0, max(1, sheet["wounds"] + more.get("wounds", 0))),
        "boost": (0, None),
        "actions": (0, None),
        **{pool: (0, high) for pool, high in most.items()},
    }
    held = tuple(sheet["weapons"])[:1]
    if "shield" in sheet and all(sheet["weapons"][name]["hands"] == 1 for name in held):
        held += (SHIELD,)
    return Start({"wounds": 0, "boost": 0, "actions": 0, **most}, limits, held)


# ---- What an attack is made with: the weapon, its mode, its hand, its rounds, its reach

ROUNDS = {"single": 1, "burst": 3, "throw": 1}
"""POOL-18: what each mode takes of a weapon that counts its rounds."""
FAR = 2
"""POOL-21: what up to twice the range adds to the minimum roll."""
OFF_HAND = 1
"""POOL-34: what the off hand adds to it."""
STRONG, QUICK = 2, 2
"""POOL-29: above these bare hands pierce, and have a die more."""
THING = "object"
"""What is thrown where there is no weapon for it (POOL-40)."""

Weapon = Mapping[str, Any]


def weapons_held(fighter: Fighter) -> tuple[str, ...]:
    """The weapons in hand, the main hand first."""
    return tuple(one for one in fighter.held if one in fighter.sheet["weapons"])


def paired(fighter: Fighter) -> bool:
    """POOL-34: two weapons of one kind in hand, each for one hand."""
    held = [fighter.sheet["weapons"][one] for one in weapons_held(fighter)]
    return (
        len(held) == 2 and all(one["hands"] == 1 for one in held) and len({one["skill"] for one in held}) == 1
    )


def weapon_in_use(scene: Scene, intent: Intent, *, quietly: bool = False) -> tuple[str, Weapon]:
    """The weapon of an attack with its name: as asked for, else in hand; in a crisis it must be in hand."""
    fighter = scene.fighters[intent.actor]
    weapons: Mapping[str, Weapon] = fighter.sheet["weapons"]
    held = weapons_held(fighter)
    name = intent.get("weapon") or ""
    if not name and intent.get("off_hand"):
        if len(held) < 2:
            refuse(intent, f"{fighter.name} has nothing in the other hand", "POOL-34", final=True)
        name = held[1]
    if not name:
        hurls = intent.action == "throw"
        able = [one for one in (*held, *weapons) if "throw" in modes_of(weapons[one])] if hurls else held
        name = able[0] if able else THING if hurls else "unarmed"
    if name == "unarmed":
        return name, bare_hands(fighter)
    if name == THING:
        return name, UNARMED
    if name not in weapons:
        refuse(intent, f"{fighter.name} has no weapon called {name!r}", "POOL-3", final=True)
    if not quietly:
        in_hand(scene, intent, name, "POOL-12", "ready")
    return name, weapons[name]


def bare_hands(fighter: Fighter) -> Weapon:
    """POOL-29: a die more for the quick, piercing for the strong."""
    quick = value_of(fighter.sheet, "quickness")[0] > QUICK
    strong = value_of(fighter.sheet, "strength")[0] > STRONG
    return {**UNARMED, "damage_potential": int(quick), "piercing": int(strong)}


def mode_of(intent: Intent, name: str, weapon: Weapon) -> str:
    """POOL-18: how the weapon is used: as asked for, else as usual."""
    modes = modes_of(weapon)
    mode: str = "throw" if intent.action == "throw" else intent.get("mode") or modes[0]
    if mode not in modes:
        can = f"it can {', '.join(modes)}"
        refuse(intent, f"the {name} has no mode {mode}", "POOL-18", can, final=True)
    return mode


def handed(scene: Scene, intent: Intent, name: str) -> list[Modifier]:
    """POOL-34: the off hand is clumsier; without a second weapon of the kind there is none."""
    if intent.get("off_hand"):
        return [Modifier("attack", "off hand", OFF_HAND, "POOL-34", name)]
    return off_handed("attack", scene.fighters[intent.actor], name)


def off_handed(roll: str, fighter: Fighter, name: str) -> list[Modifier]:
    """POOL-34: what the second weapon in hand adds to a minimum roll."""
    other = paired(fighter) and weapons_held(fighter)[1] == name
    return [Modifier(roll, "off hand", OFF_HAND, "POOL-34", name)] if other else []


def rounds(scene: Scene, intent: Intent, name: str, weapon: Weapon, mode: str) -> tuple[Cost, ...]:
    """POOL-18: what a shot, a burst or a throw takes; a weapon thrown away is there no more."""
    pool = f"ammo:{name}"
    pools = scene.fighters[intent.actor].pools
    if pool not in pools:
        return ()
    if mode in ROUNDS:
        return (Cost(pool, ROUNDS[mode], rule="POOL-18"),)
    if not pools[pool]:
        refuse(intent, f"the {name} of {intent.actor} has been thrown", "POOL-18", "use another weapon")
    return ()


def apart(scene: Scene, intent: Intent) -> int | None:
    """The metres to the target: as said with the action, else between the positions (ALL-4)."""
    said = intent.get("range")
    return scene.distance(intent.actor, intent.target) if said is None else int(said)


def far(scene: Scene, intent: Intent, name: str, weapon: Weapon, mode: str) -> list[Modifier]:
    """POOL-21: up to the range nothing, up to twice it harder, beyond it refused."""
    distance, reaches = apart(scene, intent), range_of(weapon, mode)
    if distance is None or reaches is None or distance <= reaches:
        return []
    if distance > 2 * reaches:
        refuse(
            intent,
            f"{intent.target} is {distance} m away; the {name} reaches {reaches} m, {2 * reaches} m at most",
            "POOL-21",
            hint=f"go closer: crisis act {slug(intent.actor)} run --to X,Y",
        )
    return [Modifier("attack", "distance", FAR, "POOL-21", f"{distance} m at {reaches} m")]


def shield_of(fighter: Fighter) -> int:
    """POOL-23: the cover of the shield in hand; 0 without one, or with a weapon for two hands."""
    weapons = fighter.sheet["weapons"]
    if SHIELD not in fighter.held or any(weapons[one]["hands"] > 1 for one in weapons_held(fighter)):
        return 0
    cover: int = fighter.sheet["shield"]["cover"] if "shield" in fighter.sheet else 0
    return cover


# ---- What is built up before an attack, and lost by doing anything else: aim, accuracy, recoil, support

HALF_PAID = "paid"
"""The mark of an action half paid."""
AIM, ACCURATE, RECOIL, SUPPORTED, WALKED = "aim", "accurate", "recoil", "supported", "walked"
AIMED = 2
"""POOL-20: what each action of aiming takes off the critical threshold."""
KICK = 2
"""POOL-19: what each attack straight before adds."""
SURE = 2
"""POOL-30: the lowest minimum roll that taking one's time leads to."""
MASSIVE = 3
"""POOL-32: dice of each further action."""
MARKS = {AIM: "crisis", ACCURATE: "crisis", RECOIL: "round", SUPPORTED: "crisis", WALKED: "crisis"}


def firearm(weapon: Mapping[str, Any], mode: str) -> bool:
    """Whether an attack is made with a firearm: it fires, and is no bow (POOL-19)."""
    return mode in ("single", "burst") and not weapon["bow"]


def count_of(intent: Intent, option: str) -> int:
    """The number of an option; Refused below 0."""
    count: int = intent.get(option, 0)
    if count < 0:
        refuse(intent, f"--{option} is a number from 0", "POOL-12", final=True)
    return count


def aiming(scene: Scene, intent: Intent, mode: str, name: str) -> tuple[list[Modifier], int]:
    """POOL-20: what aim takes off the critical threshold, and the actions spent on it with this attack."""
    fighter = scene.fighters[intent.actor]
    more = count_of(intent, AIM)
    if more and mode == "burst":
        refuse(intent, f"the {name} cannot be aimed in bursts", "POOL-18", "--mode single", final=True)
    have = fighter.marks.get(AIM, 0) if mode != "burst" else 0
    return _capped(fighter, "critical", AIM, AIMED * (have + more), "POOL-20"), more


def accuracy(scene: Scene, intent: Intent, least: int) -> tuple[list[Modifier], int]:
    """POOL-30: what taking one's time takes off the minimum roll, never to below 2, and the actions for it."""
    fighter = scene.fighters[intent.actor]
    more = count_of(intent, ACCURATE)
    have = fighter.marks.get(ACCURATE, 0)
    found = _capped(fighter, "attack", ACCURATE, have + more, "POOL-30")
    short = SURE - least - sum(one.value for one in found)
    if found and short > 0:
        found.append(Modifier("attack", "never below 2", min(short, -found[0].value), "POOL-30"))
    return found, more


def _capped(fighter: Fighter, roll: str, name: str, worth: int, rule: str) -> list[Modifier]:
    """So much off, no more than perception."""
    most = max(0, value_of(fighter.sheet, "perception")[0])
    if not worth:
        return []
    return [Modifier(roll, name, -min(most, worth), rule, f"perception {most}" if worth > most else "")]


def massive(scene: Scene, intent: Intent, mode: str) -> tuple[list[Modifier], int]:
    """POOL-32: dice for further actions, in all no more than strength; in melee alone (a reading)."""
    more = count_of(intent, "massive")
    if not more:
        return [], 0
    if mode != "melee":
        refuse(intent, "only a blow can be massive", "POOL-32", final=True)
    most = max(0, value_of(scene.fighters[intent.actor].sheet, "strength")[0])
    worth = min(most, MASSIVE * more)
    source = f"strength {most}" if MASSIVE * more > most else "--massive"
    return [Modifier("attack dice", "massive", worth, "POOL-32", source)], more


def recoil(fighter: Fighter, weapon: Mapping[str, Any], mode: str) -> int:
    """POOL-19: what the attacks straight before this one add, compensation taken off."""
    if not firearm(weapon, mode):
        return 0
    each: int = max(0, KICK - weapon.get("recoil_compensation", 0))
    return each * fighter.marks.get(RECOIL, 0)


def rest_of(
    scene: Scene, intent: Intent, name: str, weapon: Mapping[str, Any], mode: str
) -> tuple[bool, int]:
    """POOL-35: whether the weapon rests on something, and the action that it takes to put it there."""
    there = bool(scene.fighters[intent.actor].marks.get(f"{SUPPORTED}:{name}"))
    if intent.get("supported") and not firearm(weapon, mode):
        refuse(intent, f"the {name} cannot be supported", "POOL-35", "firearms can, bows cannot", final=True)
    return there or bool(intent.get("supported")), int(bool(intent.get("supported")) and not there)


def surplus(modifiers: tuple[Modifier, ...]) -> list[list[str]]:
    """What was capped, and by what: for a warning."""
    return [
        [one.name, one.source]
        for one in modifiers
        if one.rule in ("POOL-20", "POOL-30", "POOL-32") and one.source.startswith(("perception", "strength"))
    ]


def spoiled(scene: Scene, who: str, kept: tuple[str, ...] = ()) -> Iterator[Event]:
    """What anything else that is done spoils (POOL-19, POOL-20, POOL-30, POOL-35), but for what is kept."""
    for mark in scene.fighters[who].marks:
        kind = mark.partition(":")[0]
        if kind in (AIM, ACCURATE, RECOIL, SUPPORTED, WALKED, HALF_PAID) and kind not in kept:
            yield from change(scene, who, f"mark:{mark}", 0, "POOL-20")


def actions(count: int, rule: str) -> tuple[Cost, ...]:
    """So many actions on top."""
    return (Cost("actions", count, rule=rule),) if count else ()
