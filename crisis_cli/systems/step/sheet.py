"""The sheet of a `step` fighter, and the conditions it can be in (STEP-1 to STEP-4, STEP-17, STEP-31 to STEP-36)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from ...rules import (
    Amount,
    Changes,
    Condition,
    Either,
    End,
    Fault,
    Field,
    Fighter,
    Level,
    ListOf,
    MapOf,
    NamedTuple,
    OneOf,
    Scene,
    Section,
    Space,
    Start,
    Text,
    Whole,
    sheet,
    supplies,
)

# Kinds of values


class Die(NamedTuple):
    """An attribute or a skill: `d4` to `d12`, a step above that `d12+1` (STEP-1)."""

    def read(self, value: Any, path: tuple[str | int, ...], faults: list[Fault]) -> str:
        """The die, as the rules spell it."""
        word = value.replace(" ", "").lower() if isinstance(value, str) else ""
        dice, _, step = word.partition("+")
        if word in ("d4", "d6", "d8", "d10", "d12"):
            return word
        if dice == "d12" and step.isascii() and step.isdigit() and 1 <= int(step[:3]) <= 9:
            return f"d12+{int(step)}"
        faults.append(Fault.of(path, "a die from d4 to d12, or a step above it as d12+1", value))
        return "d4"

    def schema(self) -> dict[str, Any]:
        """A word of the ladder."""
        return {"type": "string", "pattern": r"^[dD](4|6|8|10|12|12\+[1-9])$"}


class Damage(NamedTuple):
    """A number, dice, or body dice: `6`, `2d6+1`, `body`, `body-2`, `2xbody` (STEP-4)."""

    def read(self, value: Any, path: tuple[str | int, ...], faults: list[Fault]) -> str | int:
        """The damage, as a sheet spells it."""
        written = isinstance(value, (str, int)) and not isinstance(value, bool)
        read = damage_dice(value, (4, 0)) if written else None
        if read is None:
            wanted = "a number, dice like 2d6+1, or body dice like body-2 or 2xbody"
            faults.append(Fault.of(path, wanted, value))
            return 0
        if isinstance(value, str) and "body" in value.lower():
            return value.replace(" ", "").lower()
        return str(read) if read.many else read.plus

    def schema(self) -> dict[str, Any]:
        """A number or a word of damage."""
        number = {"type": "integer", "minimum": -10_000, "maximum": 10_000}
        word = {"type": "string", "pattern": r"^(\d*[dD]\d+|(\d[xX])?body)([+-]\d+)?$|^[+-]?\d+$"}
        return {"anyOf": [number, word]}


def damage_dice(damage: str | int, body: tuple[int, int]) -> Amount | None:
    """The damage that a sheet spells, for a body die of these sides and flat step; None where it spells none."""
    word = damage.replace(" ", "").lower() if isinstance(damage, str) else ""
    times, body_word, flat = word.partition("body")
    if not body_word:
        read = Amount.parse(damage)
        return None if read is None or (read.many and read.sides < 2) else read
    if (times and not times.endswith("x")) or flat[:1] not in ("", "+", "-"):
        return None
    sides, step = body
    read = Amount.parse(f"{times[:-1]}d{sides}{flat}")
    return read._replace(plus=read.plus + read.many * step) if read and read.many <= 9 else None


# The sheet

NAME = "step"
Weapon = Mapping[str, Any]
"""A weapon as a checked sheet has it."""
LEVELS = ("none", "light", "heavy", "total")
"""STEP-22: the levels of cover."""
SPACE = Space("tiles", "tiles", apart=7, range=Whole(0, 100_000), cover=OneOf(LEVELS))
"""STEP-19: distances are tiles."""
ATTRIBUTES = ("body", "mind", "soul")
SKILLS = (
    *("athletics", "force", "heavy-weapons", "light-weapons", "lockpick", "melee", "operate", "stealth"),
    *("engineering", "explosives", "linguistics", "medicine", "politics", "science", "search", "survival"),
    *("bluffing", "command", "commerce", "empathy", "intimidate", "perform", "persuade", "tactics"),
)
"""STEP-2: those of body, of mind and of soul."""
LEAST_DIE = "d4"
"""STEP-2: an attribute or a skill that the sheet does not mention."""
WEAPON_SKILL = {"melee": "melee", "ranged": "light-weapons", "thrown": "athletics", "heavy": "heavy-weapons"}
"""STEP-4: the skill of a kind of weapon."""
DAMAGE_TYPES = ("physical", "fire", "cold", "acid")
MOST_AP = 6
"""STEP-15: no fighter has more."""
TURN_AP = 4
"""STEP-15: what a turn gives."""
LOWEST = -10
"""STEP-32: Health goes no lower."""
INFLICTED = ("drunk", "exhausted", "fatigued", "helpless", "prone", "slowed", "stunned", "incapacitated")
"""STEP-30: the conditions that a weapon may bring about."""
_die = Die()
_attribute = Field(OneOf(ATTRIBUTES), "the attribute it belongs to", "STEP-2", required=True)
_skill = Either(_die, Section({"die": Field(_die, "the die", "STEP-2", LEAST_DIE), "attribute": _attribute}))
_inflicts = Either(ListOf(OneOf(INFLICTED)), MapOf(Level(), lower=True, words=dict.fromkeys(INFLICTED)))
_tags = ListOf(OneOf(("burst", "close-range", "long-range", "explosive")))
_weapon = Section(
    {
        "kind": Field(OneOf(tuple(WEAPON_SKILL)), "how it is used", "STEP-4", required=True),
        "skill": Field(Text(most=40), "the skill; by default the kind's", "STEP-4"),
        "hit": Field(Whole(-20, 20, signed=True), "added to the attack roll", "STEP-18", 0),
        "damage": Field(Damage(), "number, dice, or body dice (body, body-2, 2xbody)", "STEP-28", 0),
        "type": Field(OneOf(DAMAGE_TYPES), "type of its damage", "STEP-29", "physical"),
        "range": Field(Whole(1, 100_000), "increment in tiles", "STEP-19"),
        "rof": Field(Whole(1, 20), "attacks in one action", "STEP-21", 1),
        "rof_ap": Field(Whole(0, 6), "AP of each further attack", "STEP-21", 1),
        "rof_penalty": Field(Whole(0, 20), "what each further attack takes off hit", "STEP-21", 2),
        "capacity": Field(Whole(1, 9999), "rounds it holds, or how many there are to throw", "STEP-21"),
        "magazines": Field(Whole(0, 9999), "magazines carried; absent: without limit", "STEP-16"),
        "reload": Field(Whole(0, 60), "AP of reloading", "STEP-16", 2),
        "ap": Field(Whole(0, 60), "AP of an attack", "STEP-16", 2),
        "area": Field(Whole(0, 1000), "radius in tiles", "STEP-25"),
        "tags": Field(_tags, "special properties", "STEP-28", []),
        "piercing": Field(Whole(0, 1000), "DR that it bypasses", "STEP-29", 0),
        "inflicts": Field(_inflicts, "conditions that its wounds bring", "STEP-30", []),
    }
)
UNARMED = _weapon.read({"kind": "melee", "damage": "body-2"}, (), [])
"""STEP-4: bare hands."""
_no_dr = dict.fromkeys(DAMAGE_TYPES, 0)
_dr = Section({kind: Field(Whole(0, 1000), f"off {kind} damage", "STEP-29", 0) for kind in DAMAGE_TYPES})
_armour = Section(
    {
        "dr": Field(_dr, "taken off damage, by its type, while durability lasts", "STEP-29", _no_dr),
        "durability": Field(Whole(0, 9999), "damage it can block", "STEP-29", 0),
    }
)
_item = Section(
    {
        "asset": Field(Text(most=40), "the skill it is a help to", "STEP-34"),
        "uses": Field(Whole(0, 9999), "how often it can be used", "STEP-16"),
        "ap": Field(Whole(0, 60), "AP of using it", "STEP-16", 2),
    }
)
ROLLS = ("attack", "damage", "dodge", "initiative", "check", "heal", "resist")
_least = dict.fromkeys(ATTRIBUTES, LEAST_DIE)
_attributes = Section({name: Field(_die, f"the {name} die", "STEP-1", LEAST_DIE) for name in ATTRIBUTES})
SHEET = sheet(
    NAME,
    {
        "attributes": Field(_attributes, "the three attributes", "STEP-1", _least),
        "skills": Field(MapOf(_skill, lower=True), "skills; absent ones are d4", "STEP-2", {}),
        "health": Field(Whole(1, 9999), "highest Health: 20 and a body roll", "STEP-3", required=True),
        "parry": Field(Whole(0, 99), "Parry, if not the melee die", "STEP-3"),
        "pace": Field(Whole(0, 999), "Pace in tiles, if not half the body die", "STEP-3"),
        "perception": Field(Whole(0, 99), "Perception, if not half the mind die", "STEP-3"),
        "weapons": Field(MapOf(_weapon), "weapons by name, the first one in hand", "STEP-4", {}),
        "armour": Field(_armour, "what is worn", "STEP-4", {"dr": _no_dr, "durability": 0}),
        "items": Field(MapOf(_item), "things carried, by name", "STEP-16", {}),
    },
    circumstance=(*ROLLS, "health", "parry", "pace", "perception", *ATTRIBUTES, *SKILLS),
    pools=("health", "nonlethal", "durability"),
    conditions=(
        *("drunk", "dying", "exhausted", "fatigued", "helpless", "kneeling", "prone", "slowed", "stunned"),
        *("hidden", "incapacitated", "stable", "dead"),
    ),
)


def split(die: str) -> tuple[int, int]:
    """The sides of a die and its flat step: `d12+1` is 12 and 1 (STEP-1)."""
    sides, _, plus = die[1:].partition("+")
    return int(sides), int(plus or 0)


def die_of(sheet: Mapping[str, Any], name: str) -> tuple[int, int]:
    """The sides and the flat step of an attribute or a skill (STEP-1, STEP-2); as a number their sum (STEP-3)."""
    die = sheet["attributes"].get(name) or sheet["skills"].get(name, LEAST_DIE)
    return split(die["die"] if isinstance(die, dict) else die)


def is_area(weapon: Weapon) -> bool:
    """Whether a weapon strikes an area (STEP-24, STEP-25)."""
    return "area" in weapon or "explosive" in weapon["tags"]


def spelled(skill: str) -> str:
    """A skill in the spelling of the rules."""
    return skill.strip().lower().replace("_", "-").replace(" ", "-")


def weapon_skill(weapon: Weapon) -> str:
    """STEP-4, STEP-18: the skill that a weapon is used with."""
    return spelled(weapon.get("skill", WEAPON_SKILL[weapon["kind"]]))


def faults(sheet: Mapping[str, Any]) -> list[Fault]:
    """What is wrong between one part of a checked sheet and another."""
    wrong: list[Fault] = []
    for skill, die in sheet["skills"].items():
        if skill not in SKILLS and not isinstance(die, dict):
            near = Fault.guess(skill, SKILLS)
            message = f"unknown{near}" if near else "needs { die = …, attribute = … }"
            wrong.append(Fault(("skills", skill), message))
    known = (*SKILLS, *sheet["skills"], *ATTRIBUTES)
    for listed, key in (("weapons", "skill"), ("items", "asset")):
        for name, thing in sheet[listed].items():
            skill = spelled(thing.get(key, ""))
            if skill and skill not in known:
                message = f"unknown skill {skill!r}{Fault.guess(skill, known)}"
                wrong.append(Fault((listed, name, key), message))
    for name, weapon in sheet["weapons"].items():
        if "magazines" in weapon and "capacity" not in weapon:
            wrong.append(Fault(("weapons", name, "magazines"), "needs a capacity to fill"))
        if "burst" in weapon["tags"] and is_area(weapon):
            wrong.append(Fault(("weapons", name, "tags"), "an area weapon fires no bursts"))
    message = f"must be at most {MOST_AP}: no fighter ever has more AP (STEP-15)"
    for listed, keys in (("weapons", ("ap", "reload")), ("items", ("ap",))):
        for name, thing in sheet[listed].items():
            dear = (key for key in keys if thing[key] > MOST_AP)
            wrong += [Fault((listed, name, key), message, in_journals=False) for key in dear]
    return wrong


def start(sheet: Mapping[str, Any]) -> Start:
    """The pools of an unhurt fighter (STEP-3, STEP-15, STEP-31)."""
    health = max(1, sheet["health"] + sheet["circumstance"].get("health", 0))
    weapons = sheet["weapons"].items()
    magazines = {
        f"magazines:{name}": weapon["magazines"] for name, weapon in weapons if "magazines" in weapon
    }
    full = {"durability": sheet["armour"]["durability"], **supplies(sheet), **magazines}
    wounds = {"health": (health, LOWEST, health), "nonlethal": (0, 0, None)}
    return Start.of(sheet, {**wounds, "ap": (0, 0, MOST_AP), **full})


# Conditions

TREATED: End = ("end-crisis", 0)
"""When a condition ends that lasts until treated or the crisis ends (STEP-32, STEP-33)."""
FELLED = "felled"
"""The mark of a fighter who is incapacitated because of the wounds, and only as long as they are so."""


def is_dead(fighter: Fighter) -> bool:
    """STEP-32: Health −10."""
    return fighter.pools["health"] <= LOWEST


def is_dying(fighter: Fighter) -> bool:
    """STEP-32, STEP-36: Health 0 or less, and not stabilised."""
    return fighter.pools["health"] <= 0 and not is_dead(fighter) and not fighter.has("stable")


def is_felled(fighter: Fighter) -> bool:
    """STEP-31, STEP-32: whether the wounds alone keep a fighter from acting. Below Health 0 any non-lethal wound is
    above it, but none is no wound at all (a reading)."""
    return is_dying(fighter) or fighter.pools["nonlethal"] > max(0, fighter.pools["health"])


posture = partial(Condition, rest_ends=True)
unfit = partial(Condition, cannot_act=True)
DOWN, UP = "{who} is out of action.", "{who} can act again."
CONDITIONS = {
    "dead": unfit("dead", "STEP-32", when=is_dead, defeated="dead", ends="{who} is alive again."),
    "dying": unfit("dying", "STEP-32", when=is_dying, defeated="dying"),
    "incapacitated": unfit("incapacitated", "STEP-17", defeated="down", begins=DOWN, ends=UP),
    "stunned": unfit("stunned", "STEP-17", Scene.next_round_end),
    "drunk": Condition("drunk", "STEP-17", ends="{who} is sober again."),
    "exhausted": Condition("exhausted", "STEP-17"),
    "fatigued": Condition("fatigued", "STEP-17"),
    "helpless": Condition("helpless", "STEP-17"),
    "kneeling": posture("kneeling", "STEP-17", ends="{who} is no longer on one knee."),
    "prone": posture("prone", "STEP-17", ends="{who} is on their feet again."),
    "slowed": Condition("slowed", "STEP-17"),
    "hidden": posture("hidden", "STEP-16", unseen=True, ends="{who} is seen again."),
    "stable": Condition("stable", "STEP-36", ends="{who} is no longer in need of care."),
}


def consequences(changes: Changes, who: str) -> None:
    """STEP-31, STEP-32: incapacitated as long as the wounds have it so; STEP-36: stable only as long as need be."""
    fighter = changes.fighter(who)
    dead, felled = is_dead(fighter), is_felled(fighter) and not is_dead(fighter)
    if dead or fighter.pools["health"] > 0:
        changes.assign(who, "condition:stable", False, "STEP-36")
    rule = "STEP-32" if is_dying(fighter) or not fighter.pools["nonlethal"] else "STEP-31"
    changes.mark(who, FELLED, int(felled), rule)
    if felled:
        changes.assign(who, "condition:incapacitated", True, rule)
    elif dead or (fighter.marks.get(FELLED) and "incapacitated" not in fighter.ends):
        changes.end(who, "incapacitated", rule)
