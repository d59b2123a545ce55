"""Sheets made of monsters in the JSON of 5e-database: the form of 2014, as the file or as answers of its API."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from crisis_cli.rules import DiceText, Fault
from crisis_cli.rules.importing import ForeignActor, ForeignObject, Imported, Importer, SheetDraft, key_of, objects_in

from .conditions import INFLICTED
from .sheet import ABILITIES, BESIDE, SKILLS, TYPES

SHORT = {one[:3]: one for one in ABILITIES}
WORDS = {"paralyzed": "paralysed", "unconscious": "asleep"}
"""Conditions as the texts call them."""
CONDITION = re.compile("|".join((*INFLICTED, *WORDS, "charmed", "deafened", "diseased", "exhaustion", "petrified")))
SAVING = re.compile(r"DC (\d{1,2}) (\w+) saving throw")
GRAPPLED = re.compile(r"grappled \(escape DC \d+\)")
KINDS = re.compile(r"(Melee or Ranged|Melee|Ranged) (?:Weapon|Spell) Attack")
REACH, RANGE = re.compile(r"reach (\d{1,4})"), re.compile(r"range (\d{1,4})(?:/(\d{1,4}))?")
AREA = re.compile(r"(\d{1,4})[- ]f(?:oo|ee)?t\.?[- ](cone|line|radius)|within (\d{1,4}) f")
AROUND = re.compile(r"\b(?:Each|Every)[^.]{0,60}? within (\d{1,4}) f")
MANY = re.compile(r"\b[Ee]ach (?:creature|of which)|\b[Ee]very creature|\bEveryone\b")
HALF = re.compile(r"half as much|half damage")
DICE = re.compile(r"(\d*d\d+)([+-]\d+)?")
MADE = re.compile(
    r"axe|bow|club|dagger|dart|flail|glaive|halberd|hammer|javelin|lance|mace|maul|morningstar|net|pick|pike|rapier"
    r"|rock|scimitar|sickle|sling|spear|staff|sword|trident|whip",
    re.IGNORECASE,
)
"""What is in the names of weapons that are no part of the body."""
MINDLESS, SIMPLE = ("undead", "construct", "elemental"), ("beast", "ooze", "plant")
HARMLESS = (
    *("Amphibious", "Keen Smell", "Keen Hearing", "Keen Hearing and Smell", "Keen Sight", "Water Breathing"),
    *(
        "Keen Sight and Smell",
        "Keen Hearing and Sight",
        "Hold Breath",
        "Spider Climb",
        "Web Walker",
        "False Appearance",
    ),
    *("Echolocation", "Siege Monster"),
)
"""Abilities that do not matter in a fight."""


def actors(data: object) -> Iterator[ForeignActor]:
    """The monsters of a file: one, a list of them, or an answer with `results`."""
    for raw in objects_in(data, "results"):
        if {"armor_class", "hit_points", "challenge_rating"} <= set(raw):
            yield ForeignActor(ForeignObject(raw).text("index"), str(raw.get("name", "")), raw)


def bare(name: str) -> str:
    """The name of an action without what stands in brackets."""
    return re.sub(r"\s*\([^()]*\)", "", name).strip()


class MonsterReader:
    """Reads one monster into a sheet."""

    def __init__(self, of: ForeignObject) -> None:
        self.of, self.draft = of, SheetDraft()
        self.sheet = self.draft.sheet
        scores = {one: of.whole(one, 10) for one in ABILITIES}
        self.mods = {
            one: self.draft.within(f"abilities.{one}", (score - 10) // 2, -5, 10) for one, score in scores.items()
        }
        self.proficiency = self.draft.within("proficiency", of.whole("proficiency_bonus", 2), 0, 9)
        self.attacks: dict[str, str] = {}
        """The weapons of the sheet by the names of their actions."""

    def read(self) -> Imported:
        """Read all of it."""
        of, draft, mind = self.of, self.draft, self.of.whole("intelligence", 10)
        kind = "beast" if mind <= 4 else of.text("type")
        simple = "beast" if kind in SIMPLE else "reckless" if kind in MINDLESS else ""
        classes = of.parts("armor_class") or [of.part("armor_class")]
        self.sheet |= {
            "system": "d20",
            "player": False,
            "doctrine": simple or ("cunning" if mind >= 12 else "careful"),
            "abilities": {one: mod for one, mod in self.mods.items() if mod},
            "proficiency": self.proficiency,
            "armour-class": draft.within("armour-class", classes[0].whole("value", 10), 1, 40),
            "hp": draft.within("hp", of.whole("hit_points", 1), 1, 999),
            "speed": self._speed(),
        }
        if len(classes) > 1:
            first, *others = (self._class(one) for one in classes)
            draft.changed("armour-class", f"{first}; not {', '.join(others)}")
        of.text("name")
        self._trained()
        for key, of_source in (("resists", "resistances"), ("vulnerable", "vulnerabilities"), ("immune", "immunities")):
            words = [one.text("value") for one in of.parts(f"damage_{of_source}")]
            self.sheet[key] = [word for word in dict.fromkeys(words) if word in TYPES]
            for word in (word for word in words if word not in TYPES):
                draft.lost(key, word)
        conditions = [one.text("index") or one.text("value") for one in of.parts("condition_immunities")]
        known = {one: WORDS.get(one, one) for one in conditions if one != "unconscious"}
        self.sheet["unaffected"] = [*dict.fromkeys(one for one in known.values() if one in INFLICTED)]
        for word in (word for word in conditions if known.get(word) not in INFLICTED):
            draft.ignored("unaffected", word)
        for name, action in sorted(
            ((one.text("name"), one) for one in of.parts("actions")), key=lambda pair: pair[0] == "Multiattack"
        ):
            if name == "Multiattack":
                self._multiattack(action)
            else:
                self._action(action, name, action.text("desc"))
        for key in ("special_abilities", "legendary_actions", "reactions"):
            for name in (bare(trait.text("name")) for trait in of.parts(key)):
                draft.note("ignored" if name in HARMLESS else "lost", key.replace("_", " "), name)
        return draft.imported()

    def _speed(self) -> int:
        """The best of its speeds, for there is one alone."""
        ways = self.of.part("speed")
        if ways.flag("hover"):
            self.draft.ignored("speed", "hover")
        entries = ((way, one) for way, one in ways.entries() if way != "hover")
        found = {way: re.match(r"\d{1,4}", one.text("value")) for way, one in entries}
        speeds = {way: int(feet[0]) for way, feet in found.items() if feet}
        best = max(speeds.values(), default=30)
        if [*speeds] != ["walk"]:
            said = ", ".join(f"{way} {feet}" for way, feet in speeds.items())
            self.draft.changed("speed", f"{said}: {best} for all" if said else f"none: {best}")
        return self.draft.within("speed", best, 0, 300)

    @staticmethod
    def _class(of: ForeignObject) -> str:
        """An armour class and what it is of, in words."""
        said = [
            part.text("name") for key in ("armor", "spell", "condition") for part in of.parts(key) or [of.part(key)]
        ]
        whence = ", ".join(filter(None, said)) or of.text("desc") or of.text("type")
        return f"{of.whole('value', 10)} ({whence})" if whence else str(of.whole("value", 10))

    def _trained(self) -> None:
        """Saving throws and skills, and how much they differ from ability and proficiency."""
        trained, circumstance = dict[str, None](), dict[str, int]()
        for one in self.of.parts("proficiencies"):
            word = one.part("proficiency").text("index")
            name = SHORT.get(word.removeprefix("saving-throw-"), word.removeprefix("skill-"))
            if name not in (*ABILITIES, *SKILLS):
                self.draft.ignored("trained", name)
                continue
            trained[name] = None
            more = one.whole("value") - self.mods[SKILLS.get(name, name)] - self.proficiency
            if more and name in SKILLS:
                circumstance[name] = self.draft.within(f"circumstance.{name}", more, -99, 99)
            elif more:
                self.draft.changed(f"trained.{name}", f"{more:+d} beside ability and proficiency is gone")
        self.sheet |= {"trained": [*trained], "circumstance": circumstance}

    def _action(self, action: ForeignObject, name: str, text: str) -> None:
        """An attack, what takes a saving throw, or a choice of such."""
        options = action.part("options").part("from").parts("options") + action.parts("attacks")
        if "attack_bonus" in action:
            self._attack(action, bare(name), text)
        elif "dc" in action:
            self._spell(action, bare(name), text, action.part("usage"))
        elif options and all("dc" in one for one in options):
            names = [f"{one.text('name')}." for one in options]
            for one, inner in zip(options, names, strict=True):
                about = text.partition(inner)[2]
                for other in names:
                    about = about.partition(other)[0]
                self._spell(one, inner.removesuffix("."), about, action.part("usage"))
            self.draft.changed(f"action {bare(name)}", "a choice: each is ready again by itself")
        else:
            self.draft.lost("action", name)

    def _damage(self, where: str, action: ForeignObject) -> dict[str, str | int]:
        """Dice by type of damage, as the source has them."""
        found: dict[str, str | int] = {}
        for one in action.parts("damage"):
            if choice := one.part("from").parts("options"):
                self.draft.changed(where, "damage by choice: the first")
            dose, faults = choice[0] if choice else one, list[Fault]()
            kind, text = dose.part("damage_type").text("index"), dose.text("damage_dice").replace(" ", "")
            dice = DiceText().read(text, (), faults)
            if kind not in TYPES or kind in found or faults:
                self.draft.lost(where, f"{'a second time ' if kind in found else ''}{text} {kind} damage".strip())
            else:
                found[kind] = dice
            if "dc" in dose:
                self.draft.changed(where, f"no saving throw against its {kind} damage")
        return found

    def _attack(self, action: ForeignObject, name: str, text: str) -> None:
        """A weapon, and another one of it to throw where it is for both."""
        where, kind = f"weapons.{key_of(name)}", (KINDS.match(text) or ["", "Melee"])[1]
        usual = "dexterity" if kind == "Ranged" else "strength"
        bonuses = {one: self.mods[one] + self.proficiency for one in (usual, *ABILITIES)}
        bonus, damage = action.whole("attack_bonus", bonuses[usual]), self._damage(where, action)
        ability = next((one for one, usually in bonuses.items() if usually == bonus), usual)
        weapon: dict[str, Any] = {"kind": "ranged" if kind == "Ranged" else "melee", "damage": damage}
        if ability != usual:
            weapon["ability"] = ability
        if bonus != bonuses[ability]:
            weapon["attack"] = self.draft.within(f"{where}.attack", bonus - bonuses[ability], -20, 20)
        first = next(iter(damage), "")
        dice = DICE.fullmatch(str(damage.get(first, "")))
        if dice and int(dice[2] or 0) == self.mods[ability]:
            damage[first] = dice[1]
        else:
            weapon["plain"] = True
        if not damage:
            damage["bludgeoning"] = 0
            self.draft.changed(where, "it does no damage")
        if not MADE.search(name):
            weapon["natural"] = True
        weapon |= self._inflicted(action, text, where)
        if "usage" in action:
            self.draft.lost(where, f"{action.part('usage').text('type')}: it is always ready")
        reach, gap = REACH.search(text), RANGE.search(text)
        near = {"reach": min(100, _feet(reach[1]))} if reach and _feet(reach[1]) > BESIDE else {}
        far = (
            {key: _feet(feet) for key, feet in zip(("range", "long"), gap.groups(), strict=True) if feet} if gap else {}
        )
        self.attacks[name.casefold()] = self.draft.add("weapons", name, weapon | (far if kind == "Ranged" else near))
        if kind == "Melee or Ranged" and far:
            self.draft.add("weapons", f"{name} thrown", {**weapon, **far, "kind": "thrown"})

    def _condition(self, where: str, text: str) -> str:
        """The first condition of a text that sheets have; others are noted."""
        found = [*dict.fromkeys(WORDS.get(one, one) for one in CONDITION.findall(text))]
        first = next((one for one in found if one in INFLICTED), "")
        for other in (one for one in found if one != first):
            self.draft.lost(where, other)
        return first

    def _inflicted(self, action: ForeignObject, text: str, where: str) -> dict[str, str | int]:
        """The condition that a hit puts on the target, with the saving throw against it."""
        save, dc = SAVING.search(text), action.part("dc")
        if dc.text("success_type") == "half":
            self.draft.changed(where, "no saving throw halves its damage")
        condition = self._condition(where, text[save.end() :]) if save else ""
        if save and condition and 1 <= int(save[1]) <= 40:
            ability = SHORT.get(dc.part("dc_type").text("index"), SHORT.get(save[2][:3].lower(), "constitution"))
            return {"inflicts": condition, "save": ability, "difficulty": int(save[1])}
        if GRAPPLED.search(text):
            self.draft.changed(where, "how hard it is to break free")
            return {"inflicts": "grappled"}
        if save or "dc" in action:
            self.draft.lost(where, f"what follows a failed {save[0] if save else 'saving throw'}")
        return {}

    def _spell(self, action: ForeignObject, name: str, text: str, usage: ForeignObject) -> None:
        """What takes a saving throw and no attack roll."""
        where, dc, failed = f"spells.{key_of(name)}", action.part("dc"), SAVING.search(text)
        save, damage = SHORT.get(dc.part("dc_type").text("index"), ""), self._damage(where, action)
        condition = self._condition(where, text[failed.end() :] if failed else text)
        if not save or not (damage or condition):
            self.draft.lost("action", name)
            return
        area, how = AREA.search(text), usage.text("type")
        feet = _feet(area[1] or area[3]) if area else 30
        difficulty = self.draft.within(f"{where}.difficulty", dc.whole("dc_value", 10), 1, 40)
        spell: dict[str, Any] = {"save": save, "slots": 0, "difficulty": difficulty, "range": feet}
        if damage:
            spell["damage"] = damage
        if damage and dc.text("success_type") == "none" and HALF.search(text):
            self.draft.changed(where, "a save halves its damage, as its text says and its data do not")
        elif dc.text("success_type") == "none":
            spell["half"] = False
        if condition:
            spell["inflicts"] = condition
        around, is_circle = AROUND.search(text), area is None or area[2] not in ("cone", "line")
        if area and (area[2] or around):
            wide = _feet(around[1]) if around and not area[2] else feet
            spell["radius"] = min(200, wide if is_circle else max(5, wide // 3))
            if spell["radius"] != wide or not is_circle:
                shape = area[2] if not is_circle else "circle"
                self.draft.changed(where, f"a {shape} of {wide} ft: a circle of {spell['radius']} ft")
        elif MANY.search(text):
            self.draft.changed(where, "it reaches one target, not several")
        if how == "recharge on roll":
            spell["recharge"] = self.draft.within(f"{where}.recharge", usage.whole("min_value", 6), 2, 6)
        elif how:
            spell["uses"] = self.draft.within(f"{where}.uses", usage.whole("times", 1), 1, 99)
        self.draft.add("spells", name, spell)

    def _multiattack(self, action: ForeignObject) -> None:
        """How many attacks of which weapons one action gives."""
        attacks, choice = action.parts("actions"), action.part("action_options").part("from").parts("options")
        if not attacks and choice:
            attacks = choice[0].parts("items") or choice[:1]
            self.draft.changed("multiattack", "a choice: the first")
        found: dict[str, int] = {}
        for one in attacks:
            name, count = bare(one.text("action_name")), one.whole("count", 1)
            weapon = self.attacks.get(name.casefold())
            if weapon:
                found[weapon] = self.draft.within(f"multiattack.{weapon}", found.get(weapon, 0) + count, 1, 9)
            else:
                self.draft.lost("multiattack", f"{count} {name}")
        if sum(found.values()) > 1:
            self.sheet["multiattack"] = found
        elif not attacks:
            self.draft.lost("multiattack", action.text("desc"))


def _feet(number: str) -> int:
    return max(5, int(number))


SRD = Importer(
    "5e",
    "monsters of 5e-database",
    "the text of the SRD 5.1 is by Wizards of the Coast, CC-BY-4.0; for other monsters, the licence of the file holds",
    actors,
    lambda monster: MonsterReader(monster).read(),
)
