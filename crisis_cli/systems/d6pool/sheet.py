"""The sheet of a `d6pool` fighter, what is in hand, wounds and conditions (POOL-1 to POOL-3, POOL-29, POOL-37)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from ...rules import (
    Changes,
    Condition,
    Either,
    Fault,
    Field,
    Fighter,
    Flag,
    Level,
    ListOf,
    MapOf,
    Number,
    OneOf,
    Section,
    Start,
    Whole,
    lacks,
    sheet,
    supplies,
)

NAME = "d6pool"
ATTRIBUTES = (
    *("deftness", "strength", "attractiveness", "endurance", "resistance", "quickness"),
    *("education", "logic", "conscientiousness", "willpower", "apprehension", "charm"),
)
SKILLS = {
    **dict.fromkeys(("hand-to-hand", "throwing"), "strength"),
    "shooting": "deftness",
    "perception": "apprehension",
    **dict.fromkeys(("first-aid", "medicine", "stealth"), "conscientiousness"),
}
"""POOL-1: the attribute that stands in for a skill that is not on the sheet."""
SKILL_OF = {"melee": "hand-to-hand", "single": "shooting", "burst": "shooting", "throw": "throwing"}
"""POOL-16, POOL-18: the skill that each mode is rolled with."""
USUAL = {"hand-to-hand": "melee", "shooting": "single", "throwing": "throw"}
"""POOL-3: the one mode of a weapon that lists none."""
PROTECTION = ("normal", "sticky", "bleeding", "poison", "fire", "shock", "reflecting", "demonic", "critical")
"""POOL-24: the kinds, in the order in which they are spent on normal hits."""
INFLICTED = ("bleeding", "burning", "poisoned", "shocked", "unconscious", "hunkered", "asleep", "stuck")
SHIELD = "shield"
DROPPED = "dropped"
"""The mark of a weapon struck out of the hand, which lies there until readied again: `dropped:sword` (POOL-33)."""
Weapon = Mapping[str, Any]
"""A weapon as the sheet has it."""

out = partial(Condition, levels=True, cannot_act=True)
brief = partial(Condition, lasting=False)
CONDITIONS = {
    "dead": out("dead", "POOL-37", defeated="dead", ends="{who} is alive again."),
    "dying": out("dying", "POOL-37", defeated="dying", ends="{who} is not dying any more."),
    "stable": Condition("stable", "POOL-37", ends="{who} is no longer in need of care."),
    "unconscious": out("unconscious", "POOL-38", defeated="down", ends="{who} comes to."),
    "asleep": Condition("asleep", "POOL-38", cannot_act=True, ends="{who} is awake."),
    **{
        name: Condition(name, "POOL-38", levels=True, needs_care=name == "bleeding")
        for name in ("shocked", "burning", "bleeding", "poisoned")
    },
    "hunkered": brief("hunkered", "POOL-38", ends="{who} is on their feet again."),
    "blocking": brief("blocking with the shield", "POOL-23", begins="{who} has the shield up.")._replace(
        ends="{who} has lowered the shield."
    ),
    "stuck": brief("stuck", "POOL-24", begins="{who}'s weapon is stuck.", ends="{who}'s weapon is free."),
}

_value, _dice = Whole(-20, 30), Whole(-99, 99, signed=True)
_number = partial(Field, Whole(0, 99), default=0)
_encumbrance = _number("what it takes off evasion", "POOL-2")
_inflicted = Either(ListOf(OneOf(INFLICTED)), MapOf(Level(), lower=True, words=dict.fromkeys(INFLICTED)))
_modes = ListOf(OneOf(tuple(SKILL_OF)), 4)
_rounds = "rounds it holds, or how many there are to throw; absent: no end"
_weapon = Section(
    {
        "skill": Field(OneOf(tuple(USUAL)), "what it is used with", "POOL-3", required=True),
        "damage_potential": Field(_dice, "dice added to the hit roll", "POOL-3", 0),
        "piercing": _number("units of protection that stop nothing", "POOL-25"),
        "wounds": _number("wounds of each hit", "POOL-26", default=1),
        "range": Field(Whole(0, 100_000), "metres, in melee too; absent: 1 in melee, else no end", "POOL-21"),
        "modes": Field(_modes, "how it can be used; the first is usual", "POOL-18"),
        "capacity": Field(Whole(1, 9999), _rounds, "POOL-18"),
        "reload": Field(Whole(0, 60), "actions of reloading", "POOL-12", 1),
        "recoil_compensation": _number("taken off each step of recoil", "POOL-19"),
        "ready": Field(Whole(0, 60), "actions of readying", "POOL-12", 1),
        "hands": Field(Whole(1, 2), "hands it takes", "POOL-34", 1),
        "blunt": Field(Flag(), "whether it can knock out", "POOL-31", False),
        "bow": Field(Flag(), "bow, sling or crossbow: no recoil, no support", "POOL-19", False),
        "demonic": Field(Flag(), "whether its hits are of demonic origin", "POOL-24", False),
        "inflicts": Field(_inflicted, "conditions of a target that is hit, with levels", "POOL-3", []),
        "encumbrance": _encumbrance,
    }
)
_fists = {"skill": "hand-to-hand", "range": 1, "modes": ["melee"], "blunt": True}
UNARMED: Weapon = _weapon.read(_fists, (), [])
"""POOL-29: bare hands; that they are blunt is a reading of POOL-31."""
_units = Section({kind: Field(Whole(0, 999), f"units against {kind}", "POOL-24", 0) for kind in PROTECTION})
_unprotected = dict.fromkeys(PROTECTION, 0)
_protection = Field(_units, "units of protection by kind, all armour added up", "POOL-24", _unprotected)
_armour = Section({"protection": _protection, "encumbrance": _encumbrance})
_cover = Field(Whole(2, 6), "its cover, 5 for 5+", "POOL-23", required=True)
_shield = Section({"cover": _cover, "encumbrance": _encumbrance})
_aid = Section({"boost": _number("hearts on top", "POOL-39"), "wounds": _number("wounds gone", "POOL-39")})
_uses = Field(Whole(0, 9999), "how often it can be used", "POOL-39")
_item = Section({"heals": Field(_aid, "what it does in first aid", "POOL-39"), "uses": _uses})
_average = dict.fromkeys(ATTRIBUTES, 1)
_attributes = Section({name: Field(_value, name, "POOL-1", 1) for name in ATTRIBUTES})
SHEET = sheet(
    NAME,
    {
        "attributes": Field(_attributes, "attributes; absent ones are 1", "POOL-1", _average),
        "skills": Field(MapOf(_value, lower=True), "totals, the attribute included", "POOL-1", {}),
        "actions": Field(Whole(0, 20), "actions of a turn", "POOL-2", 2),
        "minimum_roll": Field(Whole(2, 99), "what a die must reach", "POOL-2", 5),
        "wounds": Field(Whole(1, 999), "how many wounds can be taken", "POOL-2", 10),
        "bonus_dice": _number("bonus dice to spend", "POOL-7"),
        "destiny_dice": _number("destiny dice to spend", "POOL-7"),
        "rerolls": _number("re-rolls to spend", "POOL-7"),
        "evasion": Field(Whole(-99, 99), "evasion outright", "POOL-2"),
        "evasion_base": Field(Whole(-99, 99), "added to the mean of quickness and deftness", "POOL-2", 0),
        "weapons": Field(MapOf(_weapon), "weapons by name, the first one in hand", "POOL-3", {}),
        "armour": Field(_armour, "what is worn", "POOL-3", {"protection": _unprotected, "encumbrance": 0}),
        SHIELD: Field(_shield, "a shield, held beside a weapon for one hand", "POOL-23"),
        "items": Field(MapOf(_item), "things carried, by name", "POOL-39", {}),
    },
    circumstance=(
        *("attack", "parry", "dodge", "resist", "initiative", "check", "heal", "rest", "throw"),
        *("evasion", "wounds", "actions", *ATTRIBUTES, *SKILLS),
    ),
    pools=("wounds", "boost", "bonus-dice", "destiny-dice", "rerolls"),
    conditions=tuple(CONDITIONS),
)


def value_of(fighter: Fighter, name: str) -> tuple[int, str]:
    """An attribute or a skill, and where it comes from (POOL-1)."""
    attributes, skills = fighter.sheet["attributes"], fighter.sheet["skills"]
    if name in skills and name not in ATTRIBUTES:
        return skills[name], f"skills.{name}"
    base = SKILLS.get(name, name)
    return (attributes[base], f"attributes.{base}") if base in attributes else (0, "")


def modes_of(weapon: Weapon) -> tuple[str, ...]:
    """How a weapon can be used (POOL-18)."""
    return tuple(weapon.get("modes") or (USUAL[weapon["skill"]],))


def is_thrown_away(fighter: Fighter, name: str) -> bool:
    """POOL-18: whether the last of a throwing weapon is gone."""
    return "throw" in modes_of(fighter.sheet["weapons"][name]) and fighter.pools.get(f"ammo:{name}") == 0


def evasion_of(fighter: Fighter) -> int:
    """POOL-2: set outright, else base and the mean of quickness and deftness, rounded up, less what encumbers."""
    sheet, dropped = fighter.sheet, fighter.marks_of(DROPPED)
    # A weapon that was dropped or thrown away weighs nothing.
    left = (name for name in sheet["weapons"] if name not in dropped and not is_thrown_away(fighter, name))
    carried = [*map(sheet["weapons"].get, left), sheet["armour"], sheet.get(SHIELD, {"encumbrance": 0})]
    mean = -(-(sheet["attributes"]["quickness"] + sheet["attributes"]["deftness"]) // 2)
    usual = sheet["evasion_base"] + mean - sum(thing["encumbrance"] for thing in carried)
    return int(sheet.get("evasion", usual) + sheet["circumstance"].get("evasion", 0))


def faults(sheet: Mapping[str, Any]) -> list[Fault]:
    """What is wrong between one part of a checked sheet and another."""
    wrong: list[Fault] = []
    for name, weapon in sheet["weapons"].items():
        if name == SHIELD:
            wrong.append(Fault(("weapons", name), "a shield is a table of its own: [shield]"))
        if "capacity" not in weapon and weapon.get("reload", 1) != 1:
            wrong.append(Fault(("weapons", name, "reload"), "needs a capacity to fill"))
    return wrong


def start(sheet: Mapping[str, Any]) -> Start:
    """The pools of an unhurt fighter (POOL-2); in hand the first weapon, and the shield if a hand is free for it."""
    unhurt = {
        "wounds": (0, 0, max(1, sheet["wounds"] + sheet["circumstance"].get("wounds", 0))),
        **dict.fromkeys(("boost", "actions"), (0, 0, None)),
        **{pool: sheet[pool.replace("-", "_")] for pool in ("bonus-dice", "destiny-dice", "rerolls")},
        **supplies(sheet, lambda weapon: weapon.get("capacity", int("throw" in modes_of(weapon)))),
        **{f"protection:{kind}": units for kind, units in sheet["armour"]["protection"].items() if units},
    }
    begun = Start.of(sheet, unhurt)
    is_free = SHIELD in sheet and all(sheet["weapons"][name]["hands"] == 1 for name in begun.held)
    return begun._replace(held=(*begun.held, SHIELD)) if is_free else begun


# Wounds and conditions

DEATH = 6
"""POOL-37: dying at this level is death."""
ALIVE = lacks("dead", "POOL-37", "{who} is dead already", of="target", code="already_dead", final=True)


def hearts(fighter: Fighter) -> int:
    """POOL-37: wounds not yet taken, plus boosts."""
    return fighter.full("wounds") - fighter.pools["wounds"] + fighter.pools["boost"]


def consequences(changes: Changes, who: str) -> None:
    """POOL-37: without a heart left one is dying, unless stabilised; dying far enough is dead; nothing else stays."""
    fighter = changes.fighter(who)
    lifeless, dying = hearts(fighter) <= 0, fighter.level("dying")
    state: dict[str, int | bool] = {}
    if fighter.has("dead") or (lifeless and dying >= DEATH):
        state = {"dead": fighter.conditions.get("dead", 1)}
    elif lifeless and not fighter.has("stable"):
        state = {"dying": dying or 1}
    ended = fighter.conditions if state else () if lifeless else ("dying", "stable")
    for condition, level in {**state, **dict.fromkeys(ended, False), **state}.items():
        changes.assign(who, f"condition:{condition}", level, "POOL-37")


def wound(changes: Changes, who: str, wounds: Number) -> None:
    """POOL-37, POOL-39: wounds take boosts first, then hearts; those of the dying make it worse."""
    fighter = changes.fighter(who)
    if wounds.total <= 0 or fighter.has("dead"):
        return
    if hearts(fighter) <= 0 and fighter.has("dying"):
        worsen(changes, who, wounds)
        return
    # A stabilised fighter is dying again with the first wound.
    changes.end(who, "stable", "POOL-37")
    boosted = min(wounds.total, fighter.pools["boost"])
    changes.adjust(who, "boost", changes.number("POOL-39").add("wounds", -boosted))
    changes.adjust(who, "wounds", wounds.absorb("boosts", boosted, "POOL-39"))


def worsen(changes: Changes, who: str, levels: Number) -> None:
    """POOL-37: dying goes on by so many levels, to its end at most."""
    left = DEATH - changes.fighter(who).level("dying")
    limit = min(0, left - levels.total)
    changes.begin(who, "dying", levels.rule, levels.add("limit", limit, "POOL-37"))


def inflict(changes: Changes, who: str, condition: str, level: Number) -> None:
    """POOL-3: a condition at this level; the higher one stands, and what has no levels is on."""
    more = level.add("level before", -min(level.total, changes.fighter(who).level(condition)), "POOL-3")
    changes.begin(who, condition, level.rule, more if CONDITIONS[condition].levels else True)
