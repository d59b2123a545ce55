"""The sheet of a `step` fighter, and the conditions it can be in (STEP-1 to STEP-4, STEP-17, STEP-31, STEP-32)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ...engine.conditions import Condition
from ...engine.dice_amount import MOST_PLUS, Amount, parse_amount
from ...engine.events import Event, change
from ...engine.kinds import Either, Fault, ListOf, MapOf, OneOf, Path, Text, Whole, guess, wrong
from ...engine.scene import End, Fighter, Scene
from ...engine.schema import Field, Section
from ...engine.sheet import Level, sheet
from ...engine.system import Start
from ...rules.equipment import supplies

LADDER = (4, 6, 8, 10, 12)
"""STEP-1: the sides of the dice."""
MOST_STEPS = 9
"""Steps above d12 that a sheet may write."""
MOST_BODIES = 9


class Die(NamedTuple):
    """An attribute or a skill: `d4` to `d12`, a step above that `d12+1` (STEP-1)."""

    def read(self, value: Any, path: Path, faults: list[Fault]) -> str:
        """The die, as the rules spell it."""
        word = value.replace(" ", "").lower() if isinstance(value, str) else ""
        dice, plus, step = word.partition("+")
        if dice in {f"d{sides}" for sides in LADDER}:
            if not plus:
                return word
            if dice == "d12" and step.isascii() and step.isdigit() and 1 <= int(step[:3]) <= MOST_STEPS:
                return f"d12+{int(step)}"
        wrong(faults, path, "a die from d4 to d12, or a step above it as d12+1", value)
        return "d4"

    def schema(self) -> dict[str, Any]:
        """A word of the ladder."""
        return {"type": "string", "pattern": r"^[dD](4|6|8|10|12|12\+[1-9])$"}


class Damage(NamedTuple):
    """A number, dice, or body dice: `6`, `2d6+1`, `body`, `body-2`, `2xbody` (STEP-4)."""

    def read(self, value: Any, path: Path, faults: list[Fault]) -> str | int:
        """The damage, as a sheet spells it."""
        if isinstance(value, (str, int)) and not isinstance(value, bool):
            read = worth(value, (4, 0))
            if read is not None:
                if isinstance(value, str) and "body" in value.lower():
                    return value.replace(" ", "").lower()
                return str(read) if read.many else read.plus
        wrong(faults, path, "a number, dice like 2d6+1, or body dice like body-2 or 2xbody", value)
        return 0

    def schema(self) -> dict[str, Any]:
        """A number or a word of damage."""
        return {
            "anyOf": [
                {"type": "integer", "minimum": -MOST_PLUS, "maximum": MOST_PLUS},
                {"type": "string", "pattern": r"^(\d*[dD]\d+|(\d[xX])?body)([+-]\d+)?$|^[+-]?\d+$"},
            ]
        }


def worth(damage: str | int, body: tuple[int, int]) -> Amount | None:
    """The dice of a weapon in the hand of someone with that body die, sides and flat step; None: no damage."""
    word = damage.replace(" ", "").lower() if isinstance(damage, str) else ""
    head, found, tail = word.partition("body")
    if not found:
        read = parse_amount(damage)
        return None if read is None or (read.many and read.sides < 2) else read
    many = head[:-1] if head.endswith("x") else "" if not head else "?"
    flat = parse_amount(tail) if tail else Amount()
    if (tail and tail[0] not in "+-") or flat is None or flat.many:
        return None
    if not (many or "1").isascii() or not (many or "1").isdigit() or not 1 <= int(many or 1) <= MOST_BODIES:
        return None
    bodies = int(many or 1)
    sides, step = body
    return Amount(bodies, sides, bodies * step + flat.plus)


NAME = "step"
ATTRIBUTES = ("body", "mind", "soul")
SKILLS = {
    **dict.fromkeys(
        ("athletics", "force", "heavy-weapons", "light-weapons", "lockpick", "melee", "operate", "stealth"),
        "body",
    ),
    **dict.fromkeys(
        (
            *("engineering", "explosives", "linguistics", "medicine", "politics", "science"),
            *("search", "survival"),
        ),
        "mind",
    ),
    **dict.fromkeys(
        ("bluffing", "command", "commerce", "empathy", "intimidate", "perform", "persuade", "tactics"),
        "soul",
    ),
}
"""STEP-2: the skills, and the attribute each belongs to."""
LEAST_DIE = "d4"
"""STEP-2: an attribute or a skill that the sheet does not mention."""
WEAPON_SKILL = {
    "melee": "melee",
    "ranged": "light-weapons",
    "thrown": "athletics",
    "heavy": "heavy-weapons",
}
"""STEP-4: the skill of a kind of weapon."""
DAMAGE_TYPES = ("physical", "fire", "cold", "acid")
TAGS = ("burst", "close-range", "long-range", "explosive")
AP_MOST = 6
"""STEP-15."""
LOWEST = -10
"""STEP-32: Health goes no lower."""
ATTACK_AP, RELOAD_AP, ITEM_AP = 2, 2, 2
"""STEP-16; that reloading costs 2 where the weapon does not say is a reading."""
CONDITION_NAMES = (
    *("drunk", "dying", "exhausted", "fatigued", "helpless", "kneeling", "prone", "slowed", "stunned"),
    *("hidden", "incapacitated", "stable", "dead"),
)
INFLICTED = tuple(
    one for one in CONDITION_NAMES if one not in ("dying", "hidden", "stable", "dead", "kneeling")
)
"""What a weapon may bring about by itself."""
UNARMED = {
    "kind": "melee",
    "hit": 0,
    "damage": "body-2",
    "type": "physical",
    "rof": 1,
    "rof_ap": 1,
    "rof_penalty": 2,
    "ap": ATTACK_AP,
    "tags": [],
    "piercing": 0,
    "inflicts": [],
}
"""STEP-4: bare hands."""

_die = Die()
_skill = Either(
    _die,
    Section(
        {
            "die": Field(_die, "the die", "STEP-2", LEAST_DIE),
            "attribute": Field(OneOf(ATTRIBUTES), "the attribute it belongs to", "STEP-2", required=True),
        }
    ),
)
_inflicts = Either(ListOf(OneOf(INFLICTED)), MapOf(Level(), lower=True, words=dict.fromkeys(INFLICTED)))
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
        "capacity": Field(
            Whole(1, 9999), "rounds it holds; of a thrown weapon how many there are", "STEP-21"
        ),
        "magazines": Field(Whole(0, 9999), "magazines carried; absent: no end of them", "STEP-16"),
        "reload": Field(Whole(0, 60), "AP of reloading", "STEP-16", RELOAD_AP),
        "ap": Field(Whole(0, 60), "AP of an attack", "STEP-16", ATTACK_AP),
        "area": Field(Whole(0, 1000), "radius in tiles", "STEP-25"),
        "tags": Field(ListOf(OneOf(TAGS)), "what else there is to it", "STEP-28", []),
        "piercing": Field(Whole(0, 1000), "DR that it bypasses", "STEP-29", 0),
        "inflicts": Field(_inflicts, "conditions of whoever it wounds", "STEP-30", []),
    }
)
_armour = Section(
    {
        "dr": Field(
            Section({one: Field(Whole(0, 1000), f"off {one} damage", "STEP-29", 0) for one in DAMAGE_TYPES}),
            "taken off damage, by its type, while durability lasts",
            "STEP-29",
            dict.fromkeys(DAMAGE_TYPES, 0),
        ),
        "durability": Field(Whole(0, 9999), "damage it can block", "STEP-29", 0),
    }
)
_item = Section(
    {
        "asset": Field(Text(most=40), "the skill it is a help to", "STEP-34"),
        "uses": Field(Whole(0, 9999), "how often it can be used", "STEP-16"),
        "ap": Field(Whole(0, 60), "AP of using it", "STEP-16", ITEM_AP),
    }
)
SHEET = sheet(
    NAME,
    {
        "attributes": Field(
            Section({name: Field(_die, f"the {name} die", "STEP-1", LEAST_DIE) for name in ATTRIBUTES}),
            "the three attributes",
            "STEP-1",
            dict.fromkeys(ATTRIBUTES, LEAST_DIE),
        ),
        "skills": Field(MapOf(_skill, lower=True), "skills; absent ones are d4", "STEP-2", {}),
        "health": Field(Whole(1, 9999), "highest Health: 20 and a body roll", "STEP-3", required=True),
        "parry": Field(Whole(0, 99), "Parry, if not the melee die", "STEP-3"),
        "pace": Field(Whole(0, 999), "Pace in tiles, if not half the body die", "STEP-3"),
        "perception": Field(Whole(0, 99), "Perception, if not half the mind die", "STEP-3"),
        "weapons": Field(MapOf(_weapon), "weapons by name, the first one in hand", "STEP-4", {}),
        "armour": Field(
            _armour, "what is worn", "STEP-4", {"dr": dict.fromkeys(DAMAGE_TYPES, 0), "durability": 0}
        ),
        "items": Field(MapOf(_item), "things carried, by name", "STEP-16", {}),
    },
    circumstance=(
        *("attack", "damage", "dodge", "initiative", "check", "heal", "resist"),
        *("health", "parry", "pace", "perception"),
        *ATTRIBUTES,
        *SKILLS,
    ),
    pools=("health", "nonlethal", "durability"),
    conditions=CONDITION_NAMES,
)


def split(die: str) -> tuple[int, int]:
    """The sides of a die and its flat step: `d12+1` is 12 and 1 (STEP-1)."""
    sides, _, plus = die[1:].partition("+")
    return int(sides), int(plus or 0)


def die_of(sheet: Mapping[str, Any], name: str) -> str:
    """The die of an attribute or a skill (STEP-1, STEP-2)."""
    if name in ATTRIBUTES:
        die: str = sheet["attributes"][name]
        return die
    own = sheet["skills"].get(name, LEAST_DIE)
    found: str = own["die"] if isinstance(own, dict) else own
    return found


def rank(sheet: Mapping[str, Any], name: str) -> int:
    """An attribute or a skill as a number: the sides and the flat step (STEP-3)."""
    return sum(split(die_of(sheet, name)))


def is_area(weapon: Mapping[str, Any]) -> bool:
    """Whether a weapon strikes an area (STEP-24, STEP-25)."""
    return "area" in weapon or "explosive" in weapon["tags"]


def faults(sheet: Mapping[str, Any]) -> list[Fault]:
    """What is wrong between one part of a checked sheet and another."""
    wrong: list[Fault] = []
    for skill, own in sheet["skills"].items():
        if skill not in SKILLS and not isinstance(own, dict):
            near = guess(skill, SKILLS)
            wrong.append(
                Fault(("skills", skill), f"unknown{near}" if near else "needs { die = …, attribute = … }")
            )
    known = (*SKILLS, *sheet["skills"], *ATTRIBUTES)
    for listed, key in (("weapons", "skill"), ("items", "asset")):
        for name, thing in sheet[listed].items():
            skill = spelled(thing.get(key, ""))
            if skill and skill not in known:
                wrong.append(Fault((listed, name, key), f"unknown skill {skill!r}{guess(skill, known)}"))
    for name, weapon in sheet["weapons"].items():
        if "magazines" in weapon and "capacity" not in weapon:
            wrong.append(Fault(("weapons", name, "magazines"), "needs a capacity to fill"))
        if "burst" in weapon["tags"] and is_area(weapon):
            wrong.append(Fault(("weapons", name, "tags"), "an area weapon fires no bursts"))
    return wrong


def spelled(skill: str) -> str:
    """A skill in the spelling of the rules."""
    return skill.strip().lower().replace("_", "-").replace(" ", "-")


def start(sheet: Mapping[str, Any]) -> Start:
    """The pools of an unhurt fighter (STEP-3, STEP-15, STEP-31)."""
    health = max(1, sheet["health"] + sheet["circumstance"].get("health", 0))
    most = {"durability": sheet["armour"]["durability"], **supplies(sheet)}
    for name, weapon in sheet["weapons"].items():
        if "magazines" in weapon:
            most[f"magazines:{name}"] = weapon["magazines"]
    limits: dict[str, tuple[int | None, int | None]] = {
        "health": (LOWEST, health),
        "nonlethal": (0, None),
        "ap": (0, AP_MOST),
        **{pool: (0, value) for pool, value in most.items()},
    }
    return Start({"health": health, "nonlethal": 0, "ap": 0, **most}, limits, tuple(sheet["weapons"])[:1])


TREATED: End = ("end-crisis", 0)
"""When a condition ends that lasts until treated or the crisis ends (STEP-32, STEP-33)."""
FELLED = "felled"
"""The mark of whoever is incapacitated because of the wounds, and no longer."""


def stun_ends(scene: Scene, who: str) -> End | None:
    """STEP-17: at the end of this round, or of the next one for whoever has acted already."""
    return ("end-round", scene.round + scene.acted(who)) if scene.open else None


CONDITIONS = {
    "drunk": Condition("drunk", "STEP-17"),
    "dying": Condition("dying", "STEP-32"),
    "exhausted": Condition("exhausted", "STEP-17"),
    "fatigued": Condition("fatigued", "STEP-17"),
    "helpless": Condition("helpless", "STEP-17"),
    "kneeling": Condition("kneeling", "STEP-17"),
    "prone": Condition("prone", "STEP-17"),
    "slowed": Condition("slowed", "STEP-17"),
    "stunned": Condition("stunned", "STEP-17", stun_ends),
    "hidden": Condition("hidden", "STEP-16"),
    "incapacitated": Condition("incapacitated", "STEP-17"),
    "stable": Condition("stable", "STEP-36"),
    "dead": Condition("dead", "STEP-32"),
}


def is_dead(fighter: Fighter) -> bool:
    """STEP-32: Health −10."""
    return fighter.pools["health"] <= LOWEST


def is_dying(fighter: Fighter) -> bool:
    """STEP-32, STEP-36: Health 0 or less, and not stabilised."""
    return fighter.pools["health"] <= 0 and not is_dead(fighter) and not fighter.has("stable")


def is_felled(fighter: Fighter) -> bool:
    """STEP-31, STEP-32: whether the wounds by themselves keep a fighter from acting.

    Below Health 0 any non-lethal wound is above it, but none is no wound at all (a reading).
    """
    return is_dying(fighter) or fighter.pools["nonlethal"] > max(0, fighter.pools["health"])


def fallen(fighter: Fighter) -> str:
    """ "dead", "dying" or "down": out of the fight (ALL-5, STEP-31, STEP-32)."""
    if is_dead(fighter):
        return "dead"
    if is_dying(fighter):
        return "dying"
    return "down" if fighter.has("incapacitated") or is_felled(fighter) else ""


def idle(fighter: Fighter) -> tuple[str, str]:
    """Why a fighter cannot act, and the rule (STEP-17, STEP-32)."""
    if is_dead(fighter) or is_dying(fighter):
        return fallen(fighter), "STEP-32"
    if fallen(fighter):
        return "incapacitated", "STEP-17"
    return ("stunned", "STEP-17") if fighter.has("stunned") else ("", "")


def follow(scene: Scene, who: str) -> Iterable[Event]:
    """STEP-31, STEP-32: dead, dying and incapacitated as the wounds have it; stable only as long as need be."""
    fighter = scene.fighters[who]
    dead = is_dead(fighter)
    yield from change(scene, who, "condition:dead", dead, "STEP-32")
    yield from change(scene, who, "condition:dying", is_dying(fighter), "STEP-32")
    if dead or fighter.pools["health"] > 0:
        yield from change(scene, who, "condition:stable", False, "STEP-36")
    yield from _felled(scene, fighter, dead)


def _felled(scene: Scene, fighter: Fighter, dead: bool) -> Iterator[Event]:
    rule = "STEP-32" if is_dying(fighter) or not fighter.pools["nonlethal"] else "STEP-31"
    felled = is_felled(fighter) and not dead
    was = bool(fighter.marks.get(FELLED))
    yield from change(scene, fighter.name, f"mark:{FELLED}", int(felled), rule)
    if felled:
        yield from change(scene, fighter.name, "condition:incapacitated", True, rule)
    elif dead or (was and "incapacitated" not in fighter.ends):
        yield from change(scene, fighter.name, "condition:incapacitated", False, rule)
        yield from change(scene, fighter.name, "until:incapacitated", None, rule)
