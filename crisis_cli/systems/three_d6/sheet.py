"""The sheet of a `3d6` fighter (3D6-1 to 3D6-4), and what its skills add to a roll."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...rules import (
    DiceText,
    Either,
    Fault,
    Field,
    Fighter,
    MapOf,
    Modifiers,
    OneOf,
    Section,
    Start,
    Text,
    Whole,
    guess,
    sheet,
    supplies,
)

NAME = "3d6"
RANKS = {"terrible": -3, "poor": -2, "mediocre": -1, "fair": 0, "good": 1, "great": 2, "superb": 3}
"""3D6-1: the words for the modifiers."""
ABILITIES = ("might", "speed", "intelligence", "charisma")
SKILLS = {
    **dict.fromkeys(("athletics", "force", "melee", "heavy-weapons"), "might"),
    **dict.fromkeys(("acrobatics", "light-weapons", "stealth", "operate"), "speed"),
    **dict.fromkeys(("perception", "science", "engineering"), "intelligence"),
    **dict.fromkeys(("back-story", "oratory", "tactics", "command"), "charisma"),
}
"""3D6-2: the skills, and the ability each is used with."""
FIELDS = {"medicine": "science"}
"""3D6-2: names of fields, and the skill each is part of."""
WEAPON_SKILL = {"melee": "melee", "ranged": "light-weapons", "thrown": "light-weapons"}
"""3D6-4: the skill of a kind of weapon."""
AP_MOST = 6
"""3D6-10."""
HEALED = ("endurance", "health")
"""3D6-29: the pools that items restore, in the order of their dice."""
DRUNK = -2
"""3D6-15: once on every roll of a skill or an ability, and on both defences."""
Weapon = Mapping[str, Any]
"""A weapon as the sheet has it."""
UNARMED: Weapon = {"kind": "melee", "hit": 0, "damage": 0, "crit": 0, "ap": 2}
"""3D6-4: bare hands (a reading: damage 0 and might)."""

_rank = Whole(-3, 3, RANKS, signed=True)
_own_skill = Section(
    {
        "rank": Field(_rank, "the modifier, or its word", "3D6-2", 0),
        "ability": Field(OneOf(ABILITIES), "the ability it is used with", "3D6-2", required=True),
    }
)
_weapon = Section(
    {
        "kind": Field(OneOf(("melee", "ranged", "thrown")), "how it is used", "3D6-4", required=True),
        "skill": Field(Text(most=40), "the skill; by default the kind's", "3D6-4"),
        "ability": Field(OneOf(ABILITIES), "the ability of the attack roll; by default the skill's", "3D6-4"),
        "hit": Field(Whole(-20, 20, signed=True), "added to the attack roll", "3D6-4", 0),
        "damage": Field(DiceText(), "number or dice", "3D6-4", 0),
        "crit": Field(Whole(0, 100), "damage to Health for each six of a hit", "3D6-28", 0),
        "damage_ability": Field(OneOf((*ABILITIES, "none")), "ability added to the damage", "3D6-4"),
        "ap": Field(Whole(0, 60), "AP of an attack", "3D6-14", 2),
        "range": Field(Whole(1, 100_000), "increment in metres", "3D6-23"),
        "capacity": Field(Whole(1, 9999), "rounds it holds", "3D6-25"),
        "reload": Field(Whole(0, 60), "AP of reloading", "3D6-14", 2),
    }
)
_armour = Section(
    {
        "defence": Field(Whole(-20, 20, signed=True), "added to both defences", "3D6-19", 0),
        "dr": Field(Whole(0, 1000), "taken off damage while durability lasts", "3D6-25", 0),
        "durability": Field(Whole(0, 9999), "hits it can take", "3D6-25", 0),
    }
)
_heals = Section({pool: Field(DiceText(), f"{pool} restored", "3D6-29") for pool in HEALED})
_item = Section(
    {
        "heals": Field(_heals, "what it restores", "3D6-29"),
        "uses": Field(Whole(0, 9999), "how often it can be used", "3D6-29"),
        "ap": Field(Whole(0, 60), "AP of using it", "3D6-14", 2),
    }
)
_abilities = Section({name: Field(_rank, f"{name}, −3 to +3 or a rank", "3D6-1", 0) for name in ABILITIES})
ROLLS = ("attack", "damage", "melee-defence", "ranged-defence", "initiative", "check", "heal", "move")
SHEET = sheet(
    NAME,
    {
        "abilities": Field(_abilities, "the four abilities", "3D6-1", dict.fromkeys(ABILITIES, 0)),
        "skills": Field(
            MapOf(Either(_rank, _own_skill), lower=True), "skills; absent ones are 0", "3D6-2", {}
        ),
        "endurance": Field(Whole(1, 9999), "highest Endurance, if not 50 + 10 × might", "3D6-3"),
        "health": Field(Whole(1, 9999), "highest Health, if not 25 + 5 × might", "3D6-3"),
        "weapons": Field(MapOf(_weapon), "weapons by name, the first one in hand", "3D6-4", {}),
        "armour": Field(_armour, "what is worn", "3D6-4", {"defence": 0, "dr": 0, "durability": 0}),
        "items": Field(MapOf(_item), "things carried, by name", "3D6-29", {}),
    },
    circumstance=(*ROLLS, "endurance", "health", *ABILITIES, *SKILLS),
    pools=("endurance", "health", "durability"),
    conditions=("drunk", "prone", "stunned", "hidden", "dead"),
)


def ability_of(values: Mapping[str, Any], skill: str) -> str:
    """The ability that a skill is used with (3D6-2); empty for what is no skill of the sheet."""
    own = values["skills"].get(skill)
    return own["ability"] if isinstance(own, dict) else SKILLS.get(skill, "")


def rank_of(fighter: Fighter, skill: str) -> int:
    """The modifier of a skill, 0 where the sheet has none (3D6-2)."""
    own = fighter.sheet["skills"].get(skill, 0)
    rank: int = own["rank"] if isinstance(own, dict) else own
    return rank


def faults(values: Mapping[str, Any]) -> list[Fault]:
    """What is wrong between one part of a checked sheet and another."""
    wrong: list[Fault] = []
    for skill, own in values["skills"].items():
        if skill not in SKILLS and not isinstance(own, dict):
            near = guess(skill, SKILLS)
            message = f"unknown{near}" if near else "needs { rank = …, ability = … }"
            wrong.append(Fault(("skills", skill), message))
    for name, weapon in values["weapons"].items():
        skill = weapon.get("skill", "").lower().replace("_", "-")
        if skill and not ability_of(values, skill):
            near = guess(skill, (*SKILLS, *values["skills"]))
            wrong.append(Fault(("weapons", name, "skill"), f"unknown skill {skill!r}{near}"))
    return wrong


def start(values: Mapping[str, Any]) -> Start:
    """The pools of an unhurt fighter (3D6-3, 3D6-10)."""
    might, more = values["abilities"]["might"], values["circumstance"]
    most = {"endurance": 50 + 10 * might, "health": 25 + 5 * might}
    pools = {name: max(1, values.get(name, value) + more.get(name, 0)) for name, value in most.items()}
    durability = values["armour"]["durability"]
    return Start.of(values, {**pools, "durability": durability, **supplies(values), "ap": (0, 0, AP_MOST)})


def skilled(roll: str, rule: str, fighter: Fighter, skill: str, ability: str = "") -> Modifiers:
    """What a skill (3D6-2) and its ability (3D6-1), or an ability alone, add to a roll."""
    found = Modifiers(roll, rule)
    if skill in ABILITIES:
        ability = skill
    else:
        ability = ability or ability_of(fighter.sheet, skill)
        found.add(skill, rank_of(fighter, skill), source="skill").situational(fighter, skill)
    found.add(ability, fighter.sheet["abilities"][ability], source="ability")
    return found.situational(fighter, ability)


def drunk(found: Modifiers, fighter: Fighter) -> Modifiers:
    """3D6-15: what being drunk takes off a roll or a defence."""
    return found.add("drunk", DRUNK * fighter.has("drunk"), "3D6-15", "condition")
