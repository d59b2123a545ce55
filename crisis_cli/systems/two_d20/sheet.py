"""The sheet of a `2d20` fighter, what follows from it, and its pools, conditions and marks (2D20-1 to 2D20-3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from ...rules import (
    Changes,
    Condition,
    Conversion,
    End,
    Fault,
    Field,
    Fighter,
    ListOf,
    MapOf,
    Mark,
    OneOf,
    Pool,
    Scene,
    Section,
    Start,
    Whole,
    sheet,
    supplies,
    unable,
)
from .options import ATTRIBUTES, PLACES, SKILLS

NAME = "2d20"
Weapon = Mapping[str, Any]
"""A weapon of a checked sheet (2D20-3)."""
CLOSE, GUNS, THROWN = ("melee", "unarmed"), ("small-guns", "big-guns", "energy"), ("explosives", "throwing")
_weapon_skills = {"melee": "melee-weapons", "energy": "energy-weapons"}
_skills = {kind: _weapon_skills.get(kind, kind) for kind in (*CLOSE, *GUNS, *THROWN)}
TESTED = {kind: (SKILLS[skill], skill) for kind, skill in _skills.items()}
"""2D20-14: the test by the type of weapon."""
BANDS = ("close", "medium", "long", "extreme")
"""2D20-15: each a zone farther than the one before."""
TYPES = ("physical", "energy", "radiation", "poison")
EFFECTS = ("blast", "breaking", "burst", "persistent", "piercing", "radioactive", "spread", "stun", "vicious")
"""2D20-3, 2D20-24."""
QUALITIES = ("close-quarters", "debilitating", "inaccurate", "natural", "unreliable")
"""2D20-29 to 2D20-33."""
PIERCING = tuple(f"piercing {number}" for number in range(1, 10))
UNARMED: Weapon = {"type": "unarmed", "damage": 2, "damage_type": "physical", "effects": []}
"""2D20-3: bare hands."""
ARMS, LEGS = ("right-arm", "left-arm"), ("left-leg", "right-leg")
"""2D20-22: arms in the order of what they hold: the right one the weapon in use, as long as it can (a reading)."""
COVERS = ("none", "light", "heavy")
"""2D20-20: words for 0, 1 and 2 combat dice that cover takes off damage."""
MOST_COVER = 10


def cover_of(dice: int) -> str:
    """2D20-20: cover with that many dice, by its word if it has one."""
    return COVERS[dice] if dice < len(COVERS) else str(dice)


def cover_dice_of(cover: str) -> int:
    """2D20-20: the dice of cover, given as a word or a number."""
    return COVERS.index(cover) if cover in COVERS else int(cover)


def has_quality(weapon: Weapon, quality: str) -> bool:
    """2D20-3: whether a weapon has a quality; things thrown that are no weapons have none."""
    return quality in weapon.get("qualities", ())


class CoverValue:
    """A word for cover, or a number of combat dice; nobody in total cover can be attacked (2D20-20)."""

    words = (*COVERS, "total")

    def read(self, value: Any, path: tuple[str | int, ...], faults: list[Fault]) -> str:
        """The cover, by its word if it has one."""
        word = str(value).lower()
        if word in self.words:
            return word
        if word.isascii() and word.isdigit() and int(word[:3]) <= MOST_COVER:
            return cover_of(int(word))
        wanted = f"{', '.join(self.words)} or a number of dice up to {MOST_COVER}"
        faults.append(Fault.of(path, wanted, value))
        return "none"

    def schema(self) -> dict[str, Any]:
        """A word or a number."""
        number = {"type": "integer", "minimum": 0, "maximum": MOST_COVER}
        return {"anyOf": [{"enum": list(self.words)}, number]}


class Effect:
    """An effect of a weapon, piercing with a number: `vicious`, `piercing 1`."""

    def read(self, value: Any, path: tuple[str | int, ...], faults: list[Fault]) -> str:
        """The effect, as the rules spell it."""
        word = " ".join(value.lower().replace("-", " ").split()) if isinstance(value, str) else ""
        if word in (*EFFECTS, *PIERCING):
            return word
        near = Fault.guess(word.partition(" ")[0], EFFECTS)
        faults.append(Fault(path, f"must be one of {', '.join(EFFECTS)} (or piercing 1 to 9){near}"))
        return EFFECTS[0]

    def schema(self) -> dict[str, Any]:
        """A word, with a number where it is piercing."""
        return {"type": "string", "pattern": f"^({'|'.join(EFFECTS)})$|^piercing [1-9]$"}


_attributes = Section({name: Field(Whole(4, 12), f"{name}, 4 to 12", "2D20-1", 5) for name in ATTRIBUTES})
_weapon = {
    "type": Field(OneOf(tuple(TESTED)), "how it is used, and so the skill", "2D20-3", required=True),
    "damage": Field(Whole(0, 30), "combat dice", "2D20-3", 1),
    "damage_type": Field(OneOf(TYPES), "type of its damage", "2D20-3", "physical"),
    "effects": Field(ListOf(Effect(), 9), "what an Effect rolled does", "2D20-24", []),
    "qualities": Field(ListOf(OneOf(QUALITIES), len(QUALITIES)), "what else is special about it", "2D20-3"),
    "fire_rate": Field(Whole(0, 10), "extra rounds in one attack, a die each", "2D20-19", 0),
    "range": Field(OneOf(BANDS), "the band at which it shoots best", "2D20-15", "close"),
    "ammo": Field(Whole(1, 9999), "rounds, or how many there are to throw", "2D20-21"),
}
_item = {
    "uses": Field(Whole(0, 9999), "doses or uses left", "2D20-11"),
    "heals": Field(Whole(0, 99), "HP that a dose gives back", "2D20-11", 0),
}
_resist = {kind: Field(Whole(0, 99), f"off {kind} damage", "2D20-3") for kind in TYPES}
_worn = {**_resist, **{place: Field(Section(_resist), f"{place} alone", "2D20-3") for place in PLACES}}
ROLLS = ("attack", "check", "heal", "damage", "initiative", "defense", "hp", "luck", "dying")
STATES = ("prone", "unconscious", "dying", "dead", "stunned", "persistent")
_ranks = MapOf(Whole(0, 6), lower=True, words=SKILLS)
SHEET = sheet(
    NAME,
    {
        "kind": Field(OneOf(("person", "animal", "robot")), "person, animal or robot", "2D20-11", "person"),
        "attributes": Field(_attributes, "the seven attributes", "2D20-1", dict.fromkeys(ATTRIBUTES, 5)),
        "skills": Field(_ranks, "ranks, 0 to 6; absent ones are 0", "2D20-1", {}),
        "tags": Field(ListOf(OneOf(tuple(SKILLS)), len(SKILLS)), "tagged skills", "2D20-1", []),
        "initiative": Field(Whole(0, 99), "if not per + agi", "2D20-2"),
        "defense": Field(Whole(0, 9), "if not 1, or 2 from agi 9", "2D20-2"),
        "hp": Field(Whole(1, 999), "most HP, if not end + lck", "2D20-2"),
        "melee_bonus": Field(Whole(0, 20), "combat dice hand to hand, if not by str", "2D20-2"),
        "luck": Field(Whole(0, 99), "Luck points, if not lck", "2D20-2"),
        "weapons": Field(MapOf(Section(_weapon)), "weapons by name, the first one in hand", "2D20-3", {}),
        "resist": Field(Section(_worn), "resistance by damage type, everywhere or by location", "2D20-3", {}),
        "items": Field(MapOf(Section(_item)), "things carried, by name", "2D20-11", {}),
    },
    circumstance=(*ROLLS, *ATTRIBUTES, *SKILLS),
    pools=("hp", "max_hp", "luck"),
    conditions=(*STATES, *(f"{state}-{place}" for state in ("injured", "debilitated") for place in PLACES)),
)


# What follows from a sheet


def target_number(sheet: Mapping[str, Any], attribute: str, skill: str) -> tuple[int, int]:
    """2D20-4: attribute + skill, and the highest face that counts as two successes."""
    rank = sheet["skills"].get(skill, 0)
    return sheet["attributes"][attribute] + rank, max(1, rank) if skill in sheet["tags"] else 1


def derived(sheet: Mapping[str, Any]) -> dict[str, int]:
    """2D20-2: the derived values, as the sheet sets them or from the attributes, with situational modifiers."""
    of = sheet["attributes"]
    usual = {
        "initiative": of["per"] + of["agi"],
        "defense": 2 if of["agi"] >= 9 else 1,
        "hp": of["end"] + of["lck"],
        "melee_bonus": sum(of["str"] >= least for least in (7, 9, 11)),
        "luck": of["lck"],
    }
    more = sheet["circumstance"]
    return {name: max(0, sheet.get(name, value) + more.get(name, 0)) for name, value in usual.items()}


def shown_values(fighter: Fighter) -> dict[str, int]:
    """2D20-2: derived values that are no pools; the melee bonus in combat dice."""
    values = derived(fighter.sheet).items()
    return {name.replace("_", " "): value for name, value in values if name not in POOLS}


def resistance(sheet: Mapping[str, Any], place: str, kind: str) -> int:
    """2D20-3: what comes off damage of a type at a location, whose value replaces the general one (a reading)."""
    worn = sheet["resist"]
    return int(worn.get(place, {}).get(kind, worn.get(kind, 0)))


def resist_left(fighter: Fighter, kind: str, place: str) -> int:
    """2D20-3, 2D20-24: the resistance of a location without what is broken."""
    return max(0, resistance(fighter.sheet, place, kind) - fighter.marks.get(f"{BROKEN}:{kind}:{place}", 0))


def faults(sheet: Mapping[str, Any]) -> list[Fault]:
    """What is wrong between one part of a checked sheet and another."""
    weapons, wrong = sheet["weapons"], list[Fault]()
    for name, weapon in weapons.items():
        if weapon["fire_rate"] and weapon["type"] not in GUNS:
            wrong.append(Fault(("weapons", name, "fire_rate"), "only guns fire extra rounds"))
    both = sorted({*weapons} & {*sheet["items"]})
    return wrong + [Fault(("items", name), "is the name of a weapon too") for name in both]


def start(sheet: Mapping[str, Any]) -> Start:
    """The pools of an unhurt fighter (2D20-2, 2D20-3); a turn gives one Major and one Minor action (2D20-11)."""
    values, carried = derived(sheet), supplies(sheet, lambda weapon: weapon.get("ammo", 0))
    hp, turn = max(1, values["hp"]), dict.fromkeys(("major", "minor"), (0, 0, 1))
    return Start.of(sheet, {"hp": hp, "max_hp": hp, "luck": values["luck"], **carried, **turn})


def zones(here: Sequence[float], there: Sequence[float]) -> int:
    """ALL-4: the borders to cross from one zone to another."""
    return int(max(abs(here[0] - there[0]), abs(here[1] - there[1])) + 0.5)


def zones_between(scene: Scene, one: str, other: str) -> int | None:
    """The zones between two fighters; None without positions (ALL-4)."""
    here, there = scene.fighters[one].at, scene.fighters[other].at
    return None if here is None or there is None else zones(here, there)


# Pools, conditions and marks


def next_turn(scene: Scene, who: str) -> End | None:
    """2D20-22, 2D20-24: the end of the next own turn, which is the one that is lost."""
    later = scene.acted(who) or who in scene.acting
    return ("end-turn", scene.round + later) if scene.open else None


def is_dying(fighter: Fighter) -> bool:
    """2D20-23: at HP 0, and not dead."""
    return min(fighter.pools["hp"], fighter.pools["max_hp"]) <= 0 and not fighter.has("dead")


def injuries(fighter: Fighter, *places: str) -> int:
    """How many injuries a fighter has, at these locations or anywhere (2D20-22)."""
    return sum(fighter.level(f"injured-{place}") for place in places or PLACES)


def limit(changes: Changes, who: str) -> None:
    """2D20-21, 2D20-23: HP is never above its maximum, and 0 for the dead. 2D20-32: only injuries are hard to treat."""
    fighter = changes.fighter(who)
    for place in PLACES:
        hard = fighter.level(f"debilitated-{place}")
        if hard and hard > (left := injuries(fighter, place)):
            changes.assign(who, f"condition:debilitated-{place}", left or False, "2D20-32")
    highest = 0 if fighter.has("dead") else fighter.pools["max_hp"]
    if fighter.pools["hp"] > highest:
        changes.set(who, "hp", highest, "2D20-21" if highest else "2D20-23")


def injuries_hard_to_treat(fighter: Fighter, place: str) -> int:
    """2D20-32: how many injuries of a location are from debilitating weapons."""
    hard = fighter.level(f"debilitated-{place}")
    return min(hard, injuries(fighter, place)) if hard else 0


def idle(fighter: Fighter) -> str:
    """Why a fighter cannot act, in a word; empty for one who can."""
    return unable(CONDITIONS, fighter)[0]


MAJOR_AP, MINOR_AP = 2, 1
"""2D20-11: AP of one more action of a kind, once a turn."""
_of_turn = partial(Pool, rule="2D20-11", lasting=False, spent=True, renewed=True)
POOLS = {
    "hp": Pool("HP", "2D20-2"),
    "max_hp": Pool("highest HP", "2D20-21", hidden_when_full=True),
    "luck": Pool("Luck", "2D20-8", not_vital=True),
    "major": _of_turn("Major actions", made_of=Conversion("ap", takes=MAJOR_AP, once=True)),
    "minor": _of_turn("Minor actions", made_of=Conversion("ap", takes=MINOR_AP, once=True)),
    "ammo": Pool(
        "rounds",
        "2D20-21",
        gear="weapons",
        board="{left} in the {thing}",
        counts_things=lambda weapon: weapon["type"] in THROWN,
        full="ammo",
        loose=True,
    ),
    "uses": Pool("uses", "2D20-11", gear="items", full="uses", loose=True),
}
SIDE_POOLS = {"ap": Pool("AP", "2D20-7", lasting=False)}
_cannot_act = partial(Condition, rule="2D20-23", cannot_act=True)
CONDITIONS = {
    "prone": Condition("prone", "2D20-12", rest_ends=True, ends="{who} is on their feet again."),
    "dead": _cannot_act(
        "dead", defeated="dead", clears=("unconscious", "stunned", "persistent"), ends="{who} is alive again."
    ),
    "dying": _cannot_act(
        "dying",
        when=is_dying,
        defeated="dying",
        brings=("unconscious", "prone"),
        ends="{who} is not dying any more.",
    ),
    "unconscious": _cannot_act("unconscious", defeated="down", ends="{who} comes to."),
    "stunned": Condition("stunned", "2D20-24", next_turn, news=True),
    "persistent": Condition(
        "persistent damage",
        "2D20-24",
        levels=True,
        begins="{who} suffers persistent damage.",
        ends="The persistent damage to {who} ends.",
    ),
    **{
        f"injured-{place}": Condition(
            f"injured {place}",
            "2D20-22",
            levels=True,
            needs_care=place == "torso",
            begins=f"{{who}} is injured in the {place.replace('-', ' ')}.",
            ends=f"{{who}} is no longer injured in the {place.replace('-', ' ')}.",
        )
        for place in PLACES
    },
    **{
        f"debilitated-{place}": Condition(
            f"debilitated {place}",
            "2D20-32",
            levels=True,
            begins=f"The injury of {{who}} in the {place.replace('-', ' ')} is hard to treat.",
            ends=f"No injury of {{who}} in the {place.replace('-', ' ')} is hard to treat any more.",
        )
        for place in PLACES
    },
}
"""The stunned can act, but only with actions that they buy (2D20-24); an injured torso bleeds (2D20-22)."""
AIM, ATTACKED, MOVED, COMMANDED, DEFENDING = "aimed", "attacked", "moved", "commanded", "defending"
"""Marks of 2D20-11: has taken aim; has attacked or moved this turn; may take a Major action now; a better defense."""
ASSISTS, REACH, BROKEN, BURNING = "assists", "reach", "broken", "burning"
"""Marks about something: `assists:WHO:ATTRIBUTE+SKILL` (2D20-11); `reach:NAME`, who is near in the same zone
(2D20-15); `broken:TYPE:PLACE`, resistance that is gone, and `burning:TYPE:PLACE:DICE`, how hard it is to put out."""
MARKS = {
    AIM: Mark("turn", "has taken aim"),
    **dict.fromkeys((ATTACKED, MOVED), Mark("turn")),
    ASSISTS: Mark("crisis", "helps {what}"),
    COMMANDED: Mark("crisis", "commanded to act"),
    DEFENDING: Mark("crisis", "on guard, +{count}"),
    "readied": Mark("crisis", "ready to {what}"),
    REACH: Mark("crisis", "in reach of {what}"),
    BROKEN: Mark("crisis", "armour of the {parts[1]} broken by {count}: {parts[0]}"),
    BURNING: Mark("crisis"),
}
"""Those of a turn are cleared where the next own turn begins."""
