"""Sheets made of the actors of the Foundry module for the Fallout game: characters, robots, NPCs and creatures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ...rules.importing import (
    ForeignActor,
    ForeignObject,
    Imported,
    Importer,
    SheetDraft,
    key_of,
    objects_in,
)
from . import sheet as sheets
from .options import ATTRIBUTES, SKILLS

ACTORS, WITHOUT_SHEET = ("character", "robot", "npc", "creature"), ("vehicle", "settlement")
TYPES = {
    "smallGuns": "small-guns",
    "bigGuns": "big-guns",
    "energyWeapons": "energy",
    "meleeWeapons": "melee",
    "unarmed": "unarmed",
    "explosives": "explosives",
    "throwing": "throwing",
}
"""Types of weapons, as the module and as sheets call them."""
TYPES_OF_CREATURES = {
    ("body", "melee"): "unarmed",
    ("body", "guns"): "small-guns",
    ("mind", "guns"): "energy",
    ("body", "other"): "throwing",
    ("mind", "other"): "explosives",
}
"""The type of weapon with the target number of an attribute and a skill of a creature."""
BODY = ("str", "end", "agi")
SKILLS_OF_CREATURES = {
    "melee": ("unarmed", "melee-weapons"),
    "guns": ("small-guns", "energy-weapons"),
    "other": ("athletics", "survival", "throwing", "explosives"),
}
PLACES = {
    "head": "head",
    "torso": "torso",
    "armL": "left-arm",
    "armR": "right-arm",
    "legL": "left-leg",
    "legR": "right-leg",
}
QUALITIES: tuple[str, ...] = getattr(sheets, "QUALITIES", ())
HARMLESS = ("concealed", "two_handed", "night_vision", "recon", "aquatic", "limited")
"""Qualities that do not matter in a fight."""
PROSE = ("perk", "trait", "special_ability", "disease", "addiction", "robot_mod")
"""Items whose rules are in prose."""
ATTACHED = ("apparel_mod", "weapon_mod")
NO_MATTER = ("books_and_magz", "miscellany", "object_or_structure")
SAID_ELSEWHERE = ("Robot", "Immune to Poison", "Immune to Radiation")
"""Abilities that the actor has in a field of its own."""
HEALS = re.compile(r"heals? (\d{1,4}) HP", re.I)
SELF_DESTRUCT = re.compile(r"self.?destruct", re.I)
A_GUESS, IMMUNE = 10, 99


def actors(data: Any) -> Iterator[ForeignActor]:
    """The actors of a file: one, a list of them, or an adventure."""
    for raw in objects_in(data, "actors"):
        kind, system = raw.get("type"), ForeignObject(raw.get("system"))
        is_actor = kind in ACTORS and isinstance(raw.get("items"), list) and "body_parts" in system
        if is_actor or (kind in WITHOUT_SHEET and ("happiness" in system or "body_parts" in system)):
            yield _named(raw)


def weapons(data: Any) -> Iterator[ForeignActor]:
    """The weapons of a file that are nobody's."""
    for top in objects_in(data):
        for raw in [top] if "system" in top else objects_in(top.get("items")):
            if raw.get("type") == "weapon" and "weaponType" in ForeignObject(raw.get("system")):
                yield _named(raw)


def _named(raw: Mapping[str, Any]) -> ForeignActor:
    return ForeignActor(ForeignObject(raw).text("_id"), str(raw.get("name", "")), raw)


def sheet(actor: ForeignObject) -> Imported:
    """The sheet of an actor, or the table of a weapon."""
    draft, kind = SheetDraft(system=sheets.NAME), actor.text("type")
    if kind == "weapon":
        draft.sheet.clear()
        _weapon(draft, actor, False, {})
    elif kind in WITHOUT_SHEET:
        draft.sheet.clear()
        draft.lost(kind, "it has no sheet")
    else:
        actor.text("name")
        ActorReader(draft, actor, kind).read()
        draft.sheet = {key: value for key, value in draft.sheet.items() if value not in ({}, [])}
    return draft.imported()


class ActorReader:
    """Reads one actor into a sheet."""

    def __init__(self, draft: SheetDraft, actor: ForeignObject, kind: str) -> None:
        self.draft, self.kind, self.sheet = draft, kind, draft.sheet
        self.system, self.items = actor.part("system"), actor.parts("items")
        self.carried = [*self._carried()]
        self.is_creature = kind == "creature"
        self.sheet["player"] = kind in ("character", "robot")

    def read(self) -> None:
        """Read all of it."""
        if self.is_creature:
            self._creature()
        else:
            self._person()
        self._resist()
        ammo: dict[str, int] = {}
        for item, kind, of in self.carried:
            if kind == "ammo":
                name = item.text("name").casefold()
                ammo[name] = ammo.get(name, 0) + of.whole("quantity", 1)
        arms = [(item, of) for item, kind, of in self.carried if kind == "weapon"]
        if self.is_creature:
            arms.sort(key=lambda pair: -pair[1].part("damage").whole("rating"))
        else:
            arms.sort(key=lambda pair: not pair[1].flag("equipped"))
        for item, _ in arms:
            _weapon(self.draft, item, self.is_creature, ammo)
        for item, kind, of in self.carried:
            self._item(item, kind, of)

    def _carried(self) -> Iterator[tuple[ForeignObject, str, ForeignObject]]:
        """Every item with its type and its values; not what is stored elsewhere."""
        for item in self.items:
            of = item.part("system")
            if of.flag("stashed"):
                self.draft.ignored("items", f"{item.text('name')} (stored elsewhere)")
            else:
                yield item, item.text("type"), of

    def _number(self, key: str, value: int, low: int, high: int) -> int:
        return self.draft.within(key, value, low, high)

    def _creature(self) -> None:
        """A creature: two attributes and three skills in place of seven and seventeen."""
        of, draft = self.system, self.draft
        is_robot = of.text("bodyType") == "robot" or any(one.text("name") == "Robot" for one in self.items)
        self.sheet |= {
            "doctrine": "guard" if is_robot else "beast",
            "kind": "robot" if is_robot else "animal",
        }
        body, mind = (
            self._number(f"attributes.{key}", of.part(key).whole("value"), 4, 12) for key in ("body", "mind")
        )
        values = {name: body if name in BODY else mind for name in ATTRIBUTES}
        self.sheet["attributes"] = {**values, "lck": 4}
        draft.changed("attributes", "body is str, end and agi, mind is per, cha and int; lck = 4")
        skills: dict[str, int] = {}
        for key, names in SKILLS_OF_CREATURES.items():
            skills |= dict.fromkeys(names, self._number(f"skills.{key}", of.part(key).whole("value"), 0, 6))
        self.sheet["skills"] = {name: rank for name, rank in skills.items() if rank}
        self.sheet["tags"] = [*self.sheet["skills"]]
        self._derived(most_hp=of.part("health").whole("max"), luck=0)
        self.sheet["melee_bonus"] = 0

    def _person(self) -> None:
        """A character, a robot or an NPC."""
        of, sheet = self.system, self.sheet
        if self.kind == "robot":
            sheet["kind"] = "robot"
        values = of.part("attributes")
        sheet["attributes"] = attributes = {
            name: self._number(
                f"attributes.{name}", values.part("luc" if name == "lck" else name).whole("value", 5), 4, 12
            )
            for name in ATTRIBUTES
        }
        sheet["skills"], tags = {}, dict[str, None]()
        for item, _, skill in (one for one in self.carried if one[1] == "skill"):
            name = key_of(item.text("name"))
            if name not in SKILLS:
                self.draft.ignored("skills", item.text("name"))
                continue
            if rank := self._number(f"skills.{name}", skill.whole("value"), 0, 6):
                sheet["skills"][name] = rank
            if skill.flag("tag"):
                tags[name] = None
        sheet["tags"] = [*tags]
        if self.kind == "npc":
            self._derived(most_hp=of.part("health").whole("max"), luck=of.part("luckPoints").whole("value"))
            return
        usual = attributes["end"] + attributes["lck"]
        hp = usual + of.part("health").whole("bonus") + max(1, of.part("level").whole("value", 1)) - 1
        if hp != usual:
            sheet["hp"] = self._number("hp", hp, 1, 999)
        bonus = of.part("meleeDamage").whole("bonus")
        if bonus:
            bare = {"attributes": attributes, "circumstance": {}}
            sheet["melee_bonus"] = self._number(
                "melee_bonus", sheets.derived(bare)["melee_bonus"] + bonus, 0, 20
            )
        more = {key: of.part(key).whole("bonus") for key in ("initiative", "defense")}
        if any(more.values()):
            sheet["circumstance"] = {key: self._number(key, one, -99, 99) for key, one in more.items() if one}

    def _derived(self, most_hp: int, luck: int) -> None:
        """HP, Luck, initiative and defense as the source has them."""
        of = self.system
        hp = most_hp if most_hp > 1 else of.part("health").whole("value") or most_hp
        self.sheet["hp"] = self._number("hp", hp, 1, 999)
        self.sheet["luck"] = self._number("luck", luck, 0, 99)
        for key, most in (("initiative", 99), ("defense", 9)):
            number = of.part(key).whole("value")
            if number or self.is_creature:
                self.sheet[key] = self._number(key, number, 0, most)

    def _resist(self) -> None:
        """What armour or hide takes off damage, by location; the highest of what is worn counts."""
        of = self.system
        worn: dict[str, dict[str, int]] = {place: {} for place in PLACES.values()}
        general = self._resistance(of.part("resistance"))
        if self.kind in ("creature", "npc"):
            for part, place in PLACES.items():
                worn[place] = self._resistance(of.part("body_parts").part(part).part("resistance"))
        else:
            for item, kind, thing in self.carried:
                if kind in ("apparel", "robot_armor") and thing.flag("equipped"):
                    self._wear(worn, thing)
                elif kind in ("apparel", "robot_armor"):
                    self.draft.ignored("items", f"{item.text('name')} (not worn)")
            worn = {
                place: {kind: min(IMMUNE, most + general.get(kind, 0)) for kind, most in one.items()}
                for place, one in worn.items()
            }
        places = [one for one in worn.values() if one]
        if len(places) == len(PLACES) and all(one == places[0] for one in places):
            general, worn = {**general, **places[0]}, {}
        immune = [kind for kind in ("poison", "radiation") if of.part("immunities").flag(kind)]
        for one in worn.values():
            for kind in immune:
                one.pop(kind, None)
        resist = {
            **general,
            **dict.fromkeys(immune, IMMUNE),
            **{place: one for place, one in worn.items() if one},
        }
        if resist:
            self.sheet["resist"] = resist

    @staticmethod
    def _wear(worn: dict[str, dict[str, int]], thing: ForeignObject) -> None:
        values = thing.part("resistance")
        for part, place in PLACES.items():
            if thing.part("location").flag(part):
                for kind in sheets.TYPES:
                    most = max(values.part(kind).whole("value"), worn[place].get(kind, 0))
                    if most > 0:
                        worn[place][kind] = min(IMMUNE, most)

    def _resistance(self, values: ForeignObject) -> dict[str, int]:
        found = {kind: values.part(kind).whole("value") for kind in sheets.TYPES}
        return {kind: self._number(f"resist.{kind}", one, 0, IMMUNE) for kind, one in found.items() if one}

    def _item(self, item: ForeignObject, kind: str, of: ForeignObject) -> None:
        """A thing that is neither a weapon nor armour."""
        if kind in ("ammo", "apparel", "robot_armor", "skill", "weapon"):
            return
        name = item.text("name")
        if kind == "consumable":
            effect, sort = of.text("effect"), of.text("consumableType")
            heals = HEALS.search(effect)
            if sort in ("chem", "other") and heals and (quantity := of.whole("quantity", 1)) > 0:
                most = self._number(f"items.{key_of(name)}.heals", int(heals[1]), 0, 99)
                self.draft.add("items", name, {"heals": most, "uses": min(9999, quantity)})
            else:
                self.draft.note(
                    "lost" if sort == "chem" else "ignored", "items", f"{name}: {effect}" if effect else name
                )
        elif kind in PROSE and name not in SAID_ELSEWHERE:
            is_harmless = name.startswith("Immune to Disease")
            self.draft.note("ignored" if is_harmless else "lost", kind.replace("_", " "), name)
        elif kind in ATTACHED:
            self.draft.note("lost" if of.flag("attached") else "ignored", kind.replace("_", " "), name)
        elif kind in NO_MATTER:
            self.draft.ignored("items", name)
        elif kind not in PROSE:
            self.draft.lost(kind or "items", name)


def _weapon(draft: SheetDraft, item: ForeignObject, is_creature: bool, ammo: Mapping[str, int]) -> None:
    """Put a weapon on the sheet."""
    of, name = item.part("system"), item.text("name")
    where, damage = f"weapons.{key_of(name)}", of.part("damage")
    pair = (of.text("creatureAttribute"), of.text("creatureSkill")) if is_creature else ("", "")
    kind = "" if any(pair) else TYPES.get(of.text("weaponType"), "")
    if is_creature and not kind:
        pair = pair[0] or "body", pair[1] or "melee"
        kind = TYPES_OF_CREATURES.get(pair, "unarmed")
        if pair not in TYPES_OF_CREATURES:
            draft.changed(where, f"it rolls {' + '.join(pair)}, here str + unarmed")
    if not kind or SELF_DESTRUCT.search(name):
        draft.lost(
            where, f"type {of.text('weaponType') or 'unknown'}" if not kind else "it destroys its user"
        )
        return
    rating = draft.within(f"{where}.damage", damage.whole("rating"), 0, 30)
    kinds = [one for one in sheets.TYPES if damage.part("damageType").flag(one)]
    if len(kinds) != 1:
        draft.changed(
            where, f"{' and '.join(kinds)} damage: {kinds[0]}" if kinds else "no type of damage: physical"
        )
    weapon: dict[str, Any] = {
        "type": kind,
        "damage": rating,
        "damage_type": kinds[0] if kinds else "physical",
    }
    weapon |= _special(draft, where, kind, damage)
    if kind not in sheets.CLOSE:
        weapon["range"] = of.text("range") if of.text("range") in sheets.BANDS else sheets.BANDS[0]
    elif of.text("range") not in ("", sheets.BANDS[0]):
        draft.changed(where, f"range {of.text('range')} of a weapon for hand to hand is gone")
    rate = of.whole("fireRate")
    if rate > 0 and kind in sheets.GUNS:
        weapon["fire_rate"] = draft.within(f"{where}.fire_rate", rate, 0, 10)
    elif rate:
        draft.lost(where, f"fire rate {rate} of a weapon that is no gun")
    if not is_creature and kind not in sheets.CLOSE:
        rounds = of.text("ammo")
        there = ammo.get(rounds.casefold(), 0) if rounds else 0
        if there > 0 or rounds:
            weapon["ammo"] = draft.within(f"{where}.ammo", there, 1, 9999) if there > 0 else A_GUESS
        if there <= 0:
            guess = f"no {rounds} among the items: ammo = {A_GUESS} is a guess"
            draft.changed(where, guess if rounds else "no kind of ammunition: shots are not counted")
    if (rounds_a_shot := of.whole("ammoPerShot", 1)) > 1:
        draft.lost(where, f"{rounds_a_shot} rounds a shot")
    draft.add("weapons", name, weapon)


def _special(draft: SheetDraft, where: str, kind: str, damage: ForeignObject) -> dict[str, list[str]]:
    """The effects and qualities of a weapon that sheets have."""
    found: dict[str, list[str]] = {"effects": [], "qualities": []}
    for name, effect in damage.part("damageEffect").entries():
        if not effect.flag("value"):
            continue
        if name == "piercing_x":
            rank = draft.within(f"{where}.piercing", effect.whole("rank", 1), 1, 9)
            found["effects"].append(f"piercing {rank}")
        elif name in sheets.EFFECTS:
            found["effects"].append(name)
        else:
            draft.lost(where, f"effect {_words(name)}")
    for name, quality in damage.part("weaponQuality").entries():
        if not quality.flag("value"):
            continue
        if name == "blast":
            found["effects"].append(name)
        elif name.replace("_", "-") in QUALITIES:
            found["qualities"].append(name.replace("_", "-"))
        elif name in HARMLESS or (name == "thrown" and kind in sheets.THROWN):
            draft.ignored(where, f"quality {_words(name)}")
        elif name == "thrown":
            draft.changed(where, "quality thrown: give it a second weapon of type throwing")
        else:
            by = f" {quality.whole('rank')}" if name.endswith("_x") else ""
            draft.lost(where, f"quality {_words(name)}{by}")
    return {key: [*dict.fromkeys(words)] for key, words in found.items() if words}


def _words(name: str) -> str:
    return key_of(name.removesuffix("_x")).replace("-", " ")


FOUNDRY = Importer(
    "foundry-fallout",
    "actors of the Foundry module for the Fallout game",
    "Fallout belongs to its owners; for what the file holds, its own licence holds",
    actors,
    sheet,
    weapons,
)
