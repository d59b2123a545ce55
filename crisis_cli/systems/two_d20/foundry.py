"""Sheets made of the actors of the Foundry module for the Fallout game: characters, robots, NPCs and creatures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ...rules.importing import ForeignActor, ForeignObject, Imported, Importer, SheetDraft, key_of, objects_in
from . import sheet as page
from .options import ATTRIBUTES, PLACES, SKILLS

WITH_SHEET, WITHOUT_SHEET = ("character", "robot", "npc", "creature"), ("vehicle", "settlement")
PARTS = dict(zip(("head", "torso", "armL", "armR", "legL", "legR"), PLACES, strict=True))
"""Hit locations, by the words of the module."""
PARTS_OF_ROBOTS = {
    "optics": ("head",),
    "body": ("torso",),
    "arm1": ("left-arm",),
    "arm2": ("right-arm",),
    "arm3": ("left-arm", "right-arm"),
    "thruster": ("left-leg", "right-leg"),
}
"""Hit locations of robots that float, and the places of the sheet that stand for them."""
OF_MODULE = {
    "body_parts",
    "bodyType",
    "health",
    "luckPoints",
    "meleeDamage",
    "body",
    "immunities",
    "happiness",
    "radiation",
}
"""Keys of actors of the module, of which each has one at least."""
BODY = ("str", "end", "agi")
SKILLS_OF_CREATURES = {
    "melee": ("unarmed", "melee-weapons"),
    "guns": ("small-guns", "energy-weapons"),
    "other": ("athletics", "survival", "throwing", "explosives"),
}
TYPES_OF_CREATURES = {
    ("body", "melee"): "unarmed",
    ("body", "guns"): "small-guns",
    ("mind", "guns"): "energy",
    ("body", "other"): "throwing",
    ("mind", "other"): "explosives",
}
"""The type of weapon with the target number of an attribute and a skill of a creature."""
HARMLESS = ("concealed", "two_handed", "night_vision", "recon", "aquatic", "limited")
"""Qualities that do not matter in a fight."""
PROSE = ("perk", "trait", "special_ability", "disease", "addiction", "robot_mod")
"""Types of items whose rules are in prose."""
IN_A_FIELD = ("Robot", "Immune to Poison", "Immune to Radiation")
"""Abilities that the actor has in a field of its own."""
READ_BEFORE, NO_MATTER = ("ammo", "skill", "weapon"), ("books_and_magz", "miscellany", "object_or_structure")
HEALS, SELF_DESTRUCT = re.compile(r"(?i)heals? (\d{1,4}) HP"), re.compile(r"(?i)self.?destruct")
A_GUESS, IMMUNE = 10, 99


def actors(data: object) -> Iterator[ForeignActor]:
    """The actors of a file: one, a list of them, or an adventure."""
    for raw in objects_in(data, "actors"):
        system, is_of_type = raw.get("system"), raw.get("type") in (*WITH_SHEET, *WITHOUT_SHEET)
        if is_of_type and isinstance(system, Mapping) and not OF_MODULE.isdisjoint(system):
            yield _named(raw)


def weapons(data: object) -> Iterator[ForeignActor]:
    """The weapons of a file that are nobody's."""
    for top in objects_in(data):
        for raw in [top] if "system" in top else objects_in(top.get("items")):
            if raw.get("type") == "weapon" and "weaponType" in ForeignObject(raw.get("system")):
                yield _named(raw)


def _named(raw: Mapping[str, object]) -> ForeignActor:
    return ForeignActor(ForeignObject(raw).text("_id"), str(raw.get("name", "")), raw)


def sheet(actor: ForeignObject) -> Imported:
    """The sheet of an actor, or the table of a weapon."""
    draft, kind, name = SheetDraft(), actor.text("type"), actor.text("name")
    if kind == "weapon":
        _weapon(draft, name, actor.part("system"), False, {})
    elif kind in WITHOUT_SHEET:
        draft.lost(kind, "it has no sheet")
    else:
        ActorReader(draft, kind, actor).read()
    return draft.imported()


class ActorReader:
    """Reads one actor into a sheet."""

    def __init__(self, draft: SheetDraft, kind: str, actor: ForeignObject) -> None:
        self.draft, self.kind, self.of = draft, kind, actor.part("system")
        self.items: list[tuple[str, str, ForeignObject]] = []
        """Every item by name and type, without those that are stored elsewhere."""
        for item in actor.parts("items"):
            name, of = item.text("name"), item.part("system")
            if of.flag("stashed"):
                draft.ignored("items", f"{name} (stored elsewhere)")
            else:
                self.items.append((name, item.text("type"), of))

    def read(self) -> None:
        """Read all of it."""
        is_creature, ammo = self.kind == "creature", dict[str, int]()
        self.draft.sheet |= {"system": page.NAME, "player": self.kind in ("character", "robot")}
        if is_creature:
            self._creature()
        else:
            self._person()
        self._resist()
        for name, _, of in self._of("ammo"):
            ammo[name.casefold()] = ammo.get(name.casefold(), 0) + of.whole("quantity", 1)
        arms = self._of("weapon")
        if is_creature:
            arms.sort(key=lambda arm: -arm[2].part("damage").whole("rating"))
        else:
            arms.sort(key=lambda arm: not arm[2].flag("equipped"))
        for name, _, of in arms:
            _weapon(self.draft, name, of, is_creature, ammo)
        for item in self.items:
            if item[1] not in READ_BEFORE:
                self._item(*item)

    def _of(self, *kinds: str) -> list[tuple[str, str, ForeignObject]]:
        return [item for item in self.items if item[1] in kinds]

    def _value(self, key: str, low: int, high: int, where: str = "") -> int:
        """A value of the actor within the bounds of the sheet."""
        return self.draft.within(where or key, self.of.part(key).whole("value"), low, high)

    def _is_robot(self) -> bool:
        """Whether an ability, its body or its keywords say that it is a robot."""
        listed = [one.text("value") for one in self.of.parts("keywords")]
        words = " ".join(
            [*listed, *(self.of.text(key) for key in ("keywords", "bodyType", "category", "type"))]
        )
        return re.search(r"(?i)\brobots?\b", words) is not None or any(
            one[0] == "Robot" for one in self.items
        )

    def _creature(self) -> None:
        """A creature has two attributes and three skills in place of seven and seventeen."""
        kind, doctrine = ("robot", "guard") if self._is_robot() else ("animal", "beast")
        body, mind = (self._value(key, 4, 12, f"attributes.{key}") for key in ("body", "mind"))
        attributes = {name: body if name in BODY else mind for name in ATTRIBUTES} | {"lck": 4}
        self.draft.changed("attributes", "body is str, end and agi, mind is per, cha and int; lck = 4")
        ranks = {key: self._value(key, 0, 6, f"skills.{key}") for key in SKILLS_OF_CREATURES}
        skills = {name: rank for key, rank in ranks.items() for name in SKILLS_OF_CREATURES[key] if rank}
        about = {"kind": kind, "doctrine": doctrine, "melee_bonus": 0, "luck": 0}
        self.draft.sheet |= {**about, "attributes": attributes, "skills": skills, "tags": [*skills]}
        self._derived()

    def _person(self) -> None:
        """A character, a robot or an NPC."""
        draft, sheet, values = self.draft, self.draft.sheet, self.of.part("attributes")
        attributes, skills, tags = dict[str, int](), dict[str, int](), dict[str, None]()
        for name in ATTRIBUTES:
            value = values.part("luc" if name == "lck" else name).whole("value", 5)
            attributes[name] = draft.within(f"attributes.{name}", value, 4, 12)
        for title, _, of in self._of("skill"):
            name = key_of(title)
            if name not in SKILLS:
                draft.ignored("skills", title)
                continue
            skills[name] = draft.within(f"skills.{name}", of.whole("value"), 0, 6)
            if of.flag("tag"):
                tags[name] = None
        skills = {name: rank for name, rank in skills.items() if rank}
        sheet |= {"attributes": attributes, "skills": skills, "tags": [*tags]}
        if self.kind == "robot" or self._is_robot():
            sheet["kind"] = "robot"
        if self.kind == "npc":
            sheet["luck"] = self._value("luckPoints", 0, 99, "luck")
            self._derived()
            return
        usual = page.derived({"attributes": attributes, "circumstance": {}})
        more = {
            key: self.of.part(key).whole("bonus")
            for key in ("health", "meleeDamage", "initiative", "defense")
        }
        most, level = self.of.part("health").whole("max"), max(1, self.of.part("level").whole("value", 1))
        more["health"] += level - 1
        if most > 1 and most != usual["hp"] + more["health"]:
            draft.changed(
                "hp", f"{usual['hp'] + more['health']} by end, lck, bonus and level {level}, not {most}"
            )
        for key, of_source, low, high in (("hp", "health", 1, 999), ("melee_bonus", "meleeDamage", 0, 20)):
            if more[of_source]:
                sheet[key] = draft.within(key, usual[key] + more[of_source], low, high)
        bonuses = {key: draft.within(key, more[key], -99, 99) for key in ("initiative", "defense")}
        sheet["circumstance"] = {key: bonus for key, bonus in bonuses.items() if bonus}

    def _derived(self) -> None:
        """HP, initiative and defense as the source has them."""
        health = self.of.part("health")
        most = health.whole("max")
        self.draft.sheet["hp"] = self.draft.within(
            "hp", most if most > 1 else health.whole("value") or most, 1, 999
        )
        for key, high in (("initiative", 99), ("defense", 9)):
            value = self._value(key, 0, high)
            if value or self.kind == "creature":
                self.draft.sheet[key] = value

    def _resist(self) -> None:
        """What armour or hide takes off damage, by location; the highest of what is worn counts."""
        parts = self.of.part("body_parts").entries()
        general, of_body = self._resistance(self.of), [(part, self._resistance(one)) for part, one in parts]
        is_person, of_worn = self.kind in ("character", "robot"), list[tuple[str, dict[str, int]]]()
        for name, _, of in self._of("apparel", "robot_armor"):
            is_worn = of.flag("equipped") and (is_person or not any(values for _, values in of_body))
            self.draft.ignored("items", f"{name} ({'worn' if is_worn else 'not worn'})")
            flags = of.part("location").entries() if is_worn else ()
            of_worn += [(part, self._resistance(of)) for part, one in flags if one.flag("value")]
        if is_person:
            of_worn = [(part, added(values, general)) for part, values in of_worn]
        immune = {kind: IMMUNE for kind in page.TYPES if self._is_immune(kind)}
        general = {kind: number for kind, number in general.items() if kind not in immune}
        worn: dict[str, dict[str, int]] = {place: {} for place in PLACES}
        for part, values in (*of_body, *of_worn):
            for place in self._places(part) if values else ():
                for kind in (kind for kind in page.TYPES if kind in values and kind not in immune):
                    worn[place][kind] = max(values[kind], worn[place].get(kind, 0))
        if all(values == worn["head"] for values in worn.values()):
            general, worn = {**general, **worn["head"]}, {}
        self.draft.sheet["resist"] = {
            **general,
            **immune,
            **{place: one for place, one in worn.items() if one},
        }

    def _places(self, part: str) -> tuple[str, ...]:
        """The places of the sheet for a hit location of the module."""
        if part in PARTS:
            return (PARTS[part],)
        if part in PARTS_OF_ROBOTS:
            self.draft.changed("resist", f"{part} is {' and '.join(PARTS_OF_ROBOTS[part])}")
        else:
            self.draft.lost("resist", f"location {part}")
        return PARTS_OF_ROBOTS.get(part, ())

    def _is_immune(self, kind: str) -> bool:
        """Whether a field or an ability says that a type of damage does nothing."""
        return self.of.part("immunities").flag(kind) or any(
            name.casefold() == f"immune to {kind}" for name, _, _ in self.items
        )

    def _resistance(self, of: ForeignObject) -> dict[str, int]:
        """What comes off damage by type, without what is 0."""
        found = {}
        for kind in page.TYPES:
            value = of.part("resistance").part(kind)
            word, number = value.text("value"), value.whole("value")
            if word.casefold().startswith("immun"):
                number = IMMUNE
            elif word.strip("0") and not number:
                self.draft.lost(f"resist.{kind}", f"{word} cannot be read")
            found[kind] = self.draft.within(f"resist.{kind}", number, 0, IMMUNE)
        return {kind: number for kind, number in found.items() if number}

    def _item(self, name: str, kind: str, of: ForeignObject) -> None:
        """A thing that is neither a weapon nor ammunition."""
        if kind == "consumable":
            effect, sort = of.text("effect"), of.text("consumableType")
            heals = HEALS.search(effect)
            if sort in ("chem", "other") and heals and (quantity := of.whole("quantity", 1)) > 0:
                most = self.draft.within(f"items.{key_of(name)}.heals", int(heals[1]), 0, 99)
                self.draft.add("items", name, {"heals": most, "uses": min(9999, quantity)})
            else:
                said = f"{name}: {effect}" if effect else name
                self.draft.note("lost" if sort == "chem" else "ignored", "items", said)
        elif kind in NO_MATTER:
            self.draft.ignored("items", name)
        elif kind not in ("apparel", "robot_armor") and name not in IN_A_FIELD:
            is_loose = kind in ("apparel_mod", "weapon_mod") and not of.flag("attached")
            is_harmless = is_loose or (kind in PROSE and name.startswith("Immune to Disease"))
            self.draft.note("ignored" if is_harmless else "lost", kind.replace("_", " ") or "items", name)


def added(values: Mapping[str, int], more: Mapping[str, int]) -> dict[str, int]:
    """What comes off damage by type, with more for those types."""
    return {kind: min(IMMUNE, number + more.get(kind, 0)) for kind, number in values.items()}


def _weapon(
    draft: SheetDraft, name: str, of: ForeignObject, is_creature: bool, ammo: Mapping[str, int]
) -> None:
    """Put a weapon on the sheet."""
    where, damage = f"weapons.{key_of(name)}", of.part("damage")
    pair = (of.text("creatureAttribute"), of.text("creatureSkill")) if is_creature else ("", "")
    # As sheets spell it: smallGuns is small-guns, energyWeapons is energy.
    kind = (
        "" if any(pair) else re.sub("([A-Z])", r"-\1", of.text("weaponType")).lower().removesuffix("-weapons")
    )
    is_natural = is_creature and kind not in page.TESTED
    if is_natural:
        pair = pair[0] or "body", pair[1] or "melee"
        kind = TYPES_OF_CREATURES.get(pair, "unarmed")
        if pair not in TYPES_OF_CREATURES:
            draft.changed(where, f"it rolls {' + '.join(pair)}, here str + unarmed")
    if kind not in page.TESTED or SELF_DESTRUCT.search(name):
        draft.lost(where, "it destroys its user" if kind in page.TESTED else f"type {kind or 'unknown'}")
        return
    kinds = [one for one in page.TYPES if damage.part("damageType").flag(one)]
    if len(kinds) != 1:
        draft.changed(
            where, f"{' and '.join(kinds)} damage: {kinds[0]}" if kinds else "no type of damage: physical"
        )
    rating = draft.within(f"{where}.damage", damage.whole("rating"), 0, 30)
    weapon: dict[str, Any] = {
        "type": kind,
        "damage": rating,
        "damage_type": kinds[0] if kinds else "physical",
    }
    weapon |= _special(draft, where, kind, damage)
    if is_natural:
        weapon["qualities"] = [*weapon.get("qualities", ()), "natural"]
    band, rate, rounds = of.text("range"), of.whole("fireRate"), of.text("ammo")
    if kind not in page.CLOSE:
        weapon["range"] = band if band in page.BANDS else page.BANDS[0]
    elif band not in ("", page.BANDS[0]):
        draft.changed(where, f"range {band} of a weapon for hand to hand is gone")
    if rate > 0 and kind in page.GUNS:
        weapon["fire_rate"] = draft.within(f"{where}.fire_rate", rate, 0, 10)
    elif rate:
        draft.lost(where, f"fire rate {rate} of a weapon that is no gun")
    if not is_creature and kind not in page.CLOSE:
        there = ammo.get(rounds.casefold(), 0)
        if rounds:
            weapon["ammo"] = min(9999, there) if there > 0 else A_GUESS
        if not rounds or there <= 0:
            guess = f"no {rounds} among the items: ammo = {A_GUESS} is a guess"
            draft.changed(where, guess if rounds else "no kind of ammunition: shots are not counted")
    if (each := of.whole("ammoPerShot", 1)) > 1:
        draft.lost(where, f"{each} rounds a shot")
    draft.add("weapons", name, weapon)


def _special(draft: SheetDraft, where: str, kind: str, damage: ForeignObject) -> dict[str, list[str]]:
    """The effects and qualities of a weapon that sheets have."""
    found: dict[str, list[str]] = {"effects": [], "qualities": []}
    entries = (*damage.part("damageEffect").entries(), *damage.part("weaponQuality").entries())
    for name, entry in (one for one in entries if one[1].flag("value")):
        words = key_of(name).removesuffix("-x")
        by = entry.whole("rank", 1) if name.endswith("_x") else None
        if words == "piercing":
            found["effects"].append(f"piercing {draft.within(f'{where}.piercing', by or 1, 1, 9)}")
        elif words in page.EFFECTS:
            found["effects"].append(words)
        elif words in page.QUALITIES:
            found["qualities"].append(words)
        elif words == "thrown" and kind not in page.THROWN:
            draft.changed(where, "thrown: give it a second weapon of type throwing")
        else:
            is_harmless = name in HARMLESS or words == "thrown"
            said = words.replace("-", " ") if by is None else f"{words.replace('-', ' ')} {by}"
            draft.note("ignored" if is_harmless else "lost", where, said)
    return {key: [*dict.fromkeys(words)] for key, words in found.items() if words}


FOUNDRY = Importer(
    "foundry-fallout",
    "actors of the Foundry module for the Fallout game",
    "Fallout belongs to its owners; for what the file holds, its own licence holds",
    actors,
    sheet,
    weapons,
)
