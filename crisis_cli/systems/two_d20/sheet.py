"""The sheet of a `2d20` fighter, what follows from it, and its conditions (2D20-1 to 2D20-3, 2D20-22 to 2D20-24)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict

from ...rules import (
    Changes,
    Condition,
    End,
    Fault,
    Field,
    Fighter,
    ListOf,
    MapOf,
    OneOf,
    Scene,
    Section,
    Start,
    Whole,
    guess,
    sheet,
    supplies,
)
from .options import ATTRIBUTES, PLACES, SKILLS

NAME = "2d20"


class Weapon(TypedDict):
    """A weapon of a checked sheet (2D20-3)."""

    type: str
    damage: int
    damage_type: str
    effects: list[str]
    range: NotRequired[str]
    fire_rate: NotRequired[int]
    ammo: NotRequired[int | None]


LEAST, MOST, USUAL = 4, 12, 5
"""2D20-1: bounds of an attribute, and its default."""
BEST = 6
"""2D20-1: the highest rank of a skill."""
QUICK = 9
"""2D20-2: the agility from which defense is 2."""
STRENGTHS = ((11, 3), (9, 2), (7, 1))
"""2D20-2: combat dice that strength adds hand to hand, from which strength on."""
TESTED = {
    "melee": ("str", "melee-weapons"),
    "unarmed": ("str", "unarmed"),
    "small-guns": ("agi", "small-guns"),
    "big-guns": ("end", "big-guns"),
    "energy": ("per", "energy-weapons"),
    "explosives": ("per", "explosives"),
    "throwing": ("agi", "throwing"),
}
"""2D20-14: the test by the type of weapon."""
CLOSE, GUNS, THROWN = ("melee", "unarmed"), ("small-guns", "big-guns", "energy"), ("explosives", "throwing")
BANDS = ("close", "medium", "long", "extreme")
"""2D20-15: each a zone farther than the one before."""
TYPES = ("physical", "energy", "radiation", "poison")
EFFECTS = ("blast", "breaking", "burst", "persistent", "piercing", "radioactive", "spread", "stun", "vicious")
"""2D20-3, 2D20-24."""
UNARMED: Weapon = {"type": "unarmed", "damage": 2, "damage_type": "physical", "effects": []}
"""2D20-3: bare hands."""
KINDS = ("person", "animal", "robot")
"""2D20-11: what a commander must be good at follows from it."""
COVER_DICE = {"none": 0, "light": 1, "heavy": 2}
"""2D20-20: combat dice that cover takes off damage; nobody in total cover can be attacked."""
MOST_COVER = 10
ARMS, LEGS = ("right-arm", "left-arm"), ("left-leg", "right-leg")
"""2D20-22: arms in the order of what they hold: the right one the weapon in use, as long as it can (a reading)."""


class Effect:
    """An effect of a weapon, piercing with a number: `vicious`, `piercing 1`."""

    def read(self, value: Any, path: tuple[str | int, ...], faults: list[Fault]) -> str:
        """The effect, as the rules spell it."""
        word = " ".join(value.lower().replace("-", " ").split()) if isinstance(value, str) else ""
        name, _, number = word.partition(" ")
        if name in EFFECTS and not number:
            return name
        if name == "piercing" and number.isascii() and number.isdigit() and 1 <= int(number[:3]) <= 9:
            return f"piercing {int(number)}"
        wanted = f"one of {', '.join(EFFECTS)} (or piercing 1 to 9){guess(name, EFFECTS)}"
        faults.append(Fault(path, f"must be {wanted}"))
        return EFFECTS[0]

    def schema(self) -> dict[str, Any]:
        """A word, with a number where it is piercing."""
        return {"type": "string", "pattern": f"^({'|'.join(EFFECTS)})$|^piercing [1-9]$"}


class Cover:
    """A word for cover, or a number of combat dice (2D20-20)."""

    words = (*COVER_DICE, "total")

    def read(self, value: Any, path: tuple[str | int, ...], faults: list[Fault]) -> str:
        """The cover, by its word if it has one."""
        word = str(value).lower()
        if word in self.words:
            return word
        if word.isascii() and word.isdigit() and int(word[:3]) <= MOST_COVER:
            return cover_of(int(word))
        wanted = f"{', '.join(self.words)} or a number of dice up to {MOST_COVER}"
        faults.append(Fault(path, f"must be {wanted}, not {value!r}"))
        return "none"

    def schema(self) -> dict[str, Any]:
        """A word or a number."""
        number = {"type": "integer", "minimum": 0, "maximum": MOST_COVER}
        return {"anyOf": [{"enum": list(self.words)}, number]}


def dice_of(cover: str) -> int:
    """2D20-20: the dice of cover, given as a word or a number."""
    return COVER_DICE[cover] if cover in COVER_DICE else int(cover)


def cover_of(dice: int) -> str:
    """Cover with that many dice, by its word if it has one."""
    return next((word for word, many in COVER_DICE.items() if many == dice), str(dice))


_weapon = Section(
    {
        "type": Field(OneOf(tuple(TESTED)), "how it is used, and so the skill", "2D20-3", required=True),
        "damage": Field(Whole(0, 30), "combat dice", "2D20-3", 1),
        "damage_type": Field(OneOf(TYPES), "type of its damage", "2D20-3", "physical"),
        "effects": Field(ListOf(Effect(), 9), "what an Effect rolled does", "2D20-24", []),
        "fire_rate": Field(Whole(0, 10), "extra rounds in one attack, a die each", "2D20-19", 0),
        "range": Field(OneOf(BANDS), "the band at which it shoots best", "2D20-15", "close"),
        "ammo": Field(Whole(1, 9999), "rounds, or how many there are to throw", "2D20-21"),
    }
)
_item = Section(
    {
        "uses": Field(Whole(0, 9999), "doses or uses left", "2D20-11"),
        "heals": Field(Whole(0, 99), "HP that a dose gives back", "2D20-11", 0),
    }
)
_resist = {one: Field(Whole(0, 99), f"off {one} damage", "2D20-3") for one in TYPES}
SHEET = sheet(
    NAME,
    {
        "kind": Field(OneOf(KINDS), "person, animal or robot", "2D20-11", "person"),
        "attributes": Field(
            Section(
                {one: Field(Whole(LEAST, MOST), f"{one}, 4 to 12", "2D20-1", USUAL) for one in ATTRIBUTES}
            ),
            "the seven attributes",
            "2D20-1",
            dict.fromkeys(ATTRIBUTES, USUAL),
        ),
        "skills": Field(
            MapOf(Whole(0, BEST), lower=True, words=SKILLS), "ranks, 0 to 6; absent ones are 0", "2D20-1", {}
        ),
        "tags": Field(ListOf(OneOf(tuple(SKILLS)), len(SKILLS)), "tagged skills", "2D20-1", []),
        "initiative": Field(Whole(0, 99), "if not per + agi", "2D20-2"),
        "defense": Field(Whole(0, 9), "if not 1, or 2 from agi 9", "2D20-2"),
        "hp": Field(Whole(1, 999), "most HP, if not end + lck", "2D20-2"),
        "melee_bonus": Field(Whole(0, 20), "combat dice hand to hand, if not by str", "2D20-2"),
        "luck": Field(Whole(0, 99), "Luck points, if not lck", "2D20-2"),
        "weapons": Field(MapOf(_weapon), "weapons by name, the first one in hand", "2D20-3", {}),
        "resist": Field(
            Section(
                {**_resist, **{one: Field(Section(_resist), f"{one} alone", "2D20-3") for one in PLACES}}
            ),
            "resistance by damage type, everywhere or by location",
            "2D20-3",
            {},
        ),
        "items": Field(MapOf(_item), "things carried, by name", "2D20-11", {}),
    },
    circumstance=(
        *("attack", "check", "heal", "damage", "initiative", "defense", "hp", "luck"),
        *("dying", *ATTRIBUTES, *SKILLS),
    ),
    pools=("hp", "max_hp", "luck"),
    conditions=(
        *("prone", "unconscious", "dying", "dead", "stunned", "persistent"),
        *(f"injured-{place}" for place in PLACES),
    ),
)


# What follows from a sheet


def rank_of(sheet: Mapping[str, Any], skill: str) -> int:
    """The rank of a skill (2D20-1)."""
    rank: int = sheet["skills"].get(skill, 0)
    return rank


def target_number(sheet: Mapping[str, Any], attribute: str, skill: str) -> tuple[int, int]:
    """2D20-4: attribute + skill, and the highest face that counts as two successes."""
    rank = rank_of(sheet, skill)
    return sheet["attributes"][attribute] + rank, max(1, rank) if skill in sheet["tags"] else 1


def derived(sheet: Mapping[str, Any], name: str) -> int:
    """A derived value: as the sheet sets it, else from the attributes, with situational modifiers (2D20-2)."""
    of = sheet["attributes"]
    bonus = next((dice for least, dice in STRENGTHS if of["str"] >= least), 0)
    usual = {
        "initiative": of["per"] + of["agi"],
        "defense": 2 if of["agi"] >= QUICK else 1,
        "hp": of["end"] + of["lck"],
        "melee_bonus": bonus,
        "luck": of["lck"],
    }
    value: int = sheet.get(name, usual[name]) + sheet["circumstance"].get(name, 0)
    return max(0, value)


def derived_values(fighter: Fighter) -> dict[str, int]:
    """2D20-2: derived values that the sheet does not list; the melee bonus in combat dice."""
    names = ("initiative", "defense", "melee_bonus")
    return {name.replace("_", " "): derived(fighter.sheet, name) for name in names}


def resistance(sheet: Mapping[str, Any], place: str, kind: str) -> int:
    """2D20-3: what comes off damage of a type at a location, whose value replaces the general one (a reading)."""
    worn = sheet["resist"]
    value: int = worn.get(place, {}).get(kind, worn.get(kind, 0))
    return value


def faults(sheet: Mapping[str, Any]) -> list[Fault]:
    """What is wrong between one part of a checked sheet and another."""
    wrong: list[Fault] = []
    for name, weapon in sheet["weapons"].items():
        if weapon["fire_rate"] and weapon["type"] not in GUNS:
            wrong.append(Fault(("weapons", name, "fire_rate"), "only guns fire extra rounds"))
    both = set(sheet["weapons"]) & set(sheet["items"])
    wrong += [Fault(("items", name), "is the name of a weapon too") for name in sorted(both)]
    return wrong


def start(sheet: Mapping[str, Any]) -> Start:
    """The pools of an unhurt fighter (2D20-2, 2D20-3); a turn gives one Major and one Minor action (2D20-11)."""
    hp = max(1, derived(sheet, "hp"))
    most = {"hp": hp, "max_hp": hp, "luck": derived(sheet, "luck")}
    most |= supplies(sheet, lambda weapon: weapon.get("ammo", 0))
    limits: dict[str, tuple[int | None, int | None]] = {pool: (0, value) for pool, value in most.items()}
    return Start(
        {**most, "major": 0, "minor": 0},
        {**limits, "major": (0, 1), "minor": (0, 1)},
        tuple(sheet["weapons"])[:1],
    )


# Conditions


def next_turn(scene: Scene, who: str) -> End | None:
    """2D20-22, 2D20-24: the end of the next own turn, which is the one that is lost."""
    later = scene.acted(who) or who in scene.acting
    return ("end-turn", scene.round + later) if scene.open else None


def is_dying(fighter: Fighter) -> bool:
    """2D20-23: at HP 0, and not dead."""
    return min(fighter.pools["hp"], fighter.pools["max_hp"]) <= 0 and not fighter.has("dead")


def injuries(fighter: Fighter, *places: str) -> int:
    """How many injuries a fighter has, at these locations or anywhere (2D20-22)."""
    levels = (fighter.conditions.get(f"injured-{place}", 0) for place in places or PLACES)
    return sum(int(level) for level in levels)


def limit_hp(changes: Changes, who: str) -> None:
    """2D20-21, 2D20-23: HP is never above its maximum, and 0 for the dead."""
    fighter = changes.fighter(who)
    hp = 0 if fighter.has("dead") else min(fighter.pools["hp"], fighter.pools["max_hp"])
    changes.set(who, "hp", hp, "2D20-21" if hp else "2D20-23")


def _injured(place: str) -> Condition:
    where = f"injured in the {place.replace('-', ' ')}"
    return Condition(
        f"injured {place}",
        "2D20-22",
        levels=True,
        begins=f"{{who}} is {where}.",
        ends=f"{{who}} is no longer {where}.",
    )


CONDITIONS = {
    "prone": Condition("prone", "2D20-12", ends="{who} is on their feet again."),
    "dead": Condition(
        "dead",
        "2D20-23",
        defeated="dead",
        cannot_act=True,
        clears=("unconscious", "stunned", "persistent"),
        ends="{who} is alive again.",
    ),
    "dying": Condition(
        "dying",
        "2D20-23",
        when=is_dying,
        defeated="dying",
        cannot_act=True,
        brings=("unconscious", "prone"),
        ends="{who} is not dying any more.",
    ),
    "unconscious": Condition(
        "unconscious", "2D20-23", defeated="down", cannot_act=True, ends="{who} comes to."
    ),
    "stunned": Condition("stunned", "2D20-24", next_turn),
    "persistent": Condition(
        "suffering on",
        "2D20-24",
        levels=True,
        begins="{who} goes on suffering.",
        ends="{who} suffers no more.",
    ),
    **{f"injured-{place}": _injured(place) for place in PLACES},
}
"""The stunned can act, but only with actions that they buy (2D20-24)."""
