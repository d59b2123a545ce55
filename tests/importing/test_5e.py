"""Monsters of 5e-database become sheets of the d20 example, field by field."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from conftest import Player
from hypothesis import given, settings
from hypothesis import strategies as st

from crisis_cli.engine.dice_amount import Amount
from crisis_cli.rules.importing import ForeignObject, Imported
from crisis_cli.sheets.check import faults_of
from crisis_cli.systems import load

from . import monsters
from .conftest import QUICK, Saved, changed, fight, json_values, leaves, untold

pytestmark = pytest.mark.usefixtures("d20")
Make = Callable[[Any], Imported]


@pytest.fixture
def make(d20: None) -> Make:
    """Makes a sheet of a monster."""
    page = importlib.import_module("crisis_d20.srd")
    return lambda raw: page.SRD.sheet(ForeignObject(raw))


def notes_of(result: Imported, kind: str) -> set[tuple[str, str]]:
    return {(note.key, note.what) for note in result.notes if note.kind == kind}


@pytest.mark.parametrize("raw", monsters.MONSTERS, ids=lambda raw: raw["name"])
def test_every_leaf_is_carried_or_in_a_note(raw: Any) -> None:
    assert untold(importlib.import_module("crisis_d20.srd").SRD, raw) == []


@pytest.mark.parametrize("raw", monsters.MONSTERS, ids=lambda raw: raw["name"])
def test_every_sheet_passes_the_check(make: Make, raw: Any) -> None:
    assert faults_of(load("d20"), {**make(raw).sheet, "name": "It"})[1] == []


@pytest.mark.parametrize("raw", monsters.MONSTERS, ids=lambda raw: raw["name"])
def test_attacks_have_the_bonus_and_the_mean_damage_of_the_source(make: Make, raw: Any) -> None:
    """But for damage that is noted as lost."""
    result = make(raw)
    abilities, lost = result.sheet["abilities"], notes_of(result, "lost")
    for action in raw["actions"]:
        key = action["name"].casefold().replace(" ", "-")
        if "attack_bonus" not in action:
            continue
        weapon = result.sheet["weapons"][key]
        ability = weapon.get("ability", "dexterity" if weapon["kind"] == "ranged" else "strength")
        bonus = abilities.get(ability, 0) + result.sheet["proficiency"] + weapon.get("attack", 0)
        assert bonus == action["attack_bonus"], action["name"]
        doses = [one.get("from", {"options": [one]})["options"][0] for one in action["damage"]]
        carried = [
            one
            for one in doses
            if not any(key in where and one["damage_dice"] in what for where, what in lost)
        ]
        mean = sum(map(mean_of, weapon["damage"].values()), Fraction())
        mean += 0 if weapon.get("plain") else abilities.get(ability, 0)
        assert mean == sum((mean_of(one["damage_dice"]) for one in carried), Fraction()), action["name"]


def mean_of(dice: str | int) -> Fraction:
    amount = Amount.of(dice)
    return Fraction(amount.many * (amount.sides + 1), 2) + amount.plus


def test_what_all_monsters_have(make: Make) -> None:
    result = make(monsters.MUDJAW)
    sheet = result.sheet
    assert sheet["abilities"] == {
        "strength": 4,
        "dexterity": -1,
        "constitution": 2,
        "intelligence": -4,
        "wisdom": 1,
        "charisma": -2,
    }
    assert (sheet["armour-class"], sheet["hp"], sheet["speed"], sheet["doctrine"]) == (14, 45, 40, "beast")
    assert (sheet["resists"], sheet["immune"], sheet["unaffected"]) == (["cold"], ["acid"], ["prone"])
    assert sheet["trained"] == ["constitution", "perception"] and sheet["circumstance"] == {"perception": 2}
    assert ("speed", "walk 20, swim 40: 40 for all") in notes_of(result, "changed")
    assert notes_of(result, "lost") >= {
        ("resists", "bludgeoning from nonmagical weapons"),
        ("special abilities", "Rage"),
        ("legendary actions", "Snap"),
        ("reactions", "Duck"),
        ("action", "Burrow Away"),
        ("multiattack", "1 Roar"),
    }
    assert notes_of(result, "ignored") >= {
        ("unaffected", "charmed"),
        ("special abilities", "Amphibious"),
        ("trained", "nature"),
    }


def test_attacks_of_the_body_and_what_they_inflict(make: Make) -> None:
    sheet = make(monsters.MUDJAW).sheet
    assert sheet["weapons"]["bite"] == {
        "kind": "melee",
        "damage": {"piercing": "2d6", "acid": "d6"},
        "natural": True,
    }
    tail = {"reach": 15, "inflicts": "prone", "save": "strength", "difficulty": 14, "natural": True}
    assert sheet["weapons"]["tail"] == {"kind": "melee", "damage": {"bludgeoning": "d8"}, **tail}
    assert sheet["multiattack"] == {"bite": 1, "tail": 2}


def test_what_takes_a_saving_throw_is_a_spell(make: Make) -> None:
    result = make(monsters.MUDJAW)
    roar = {"save": "wisdom", "half": False, "inflicts": "frightened", "difficulty": 12, "uses": 2}
    assert result.sheet["spells"]["roar"] == {**roar, "slots": 0, "range": 60, "radius": 60}
    breath = {"save": "dexterity", "damage": {"bludgeoning": "6d6"}, "difficulty": 13, "recharge": 5}
    assert result.sheet["spells"]["mud-breath"] == {**breath, "slots": 0, "range": 30, "radius": 10}
    assert ("spells.mud-breath", "a cone of 30 ft: a circle of 10 ft") in notes_of(result, "changed")


def test_a_weapon_for_both_is_thrown_too_and_a_choice_is_the_first(make: Make) -> None:
    result = make(monsters.WARDEN)
    weapons = result.sheet["weapons"]
    assert weapons["spear"] == {"kind": "melee", "damage": {"piercing": "d6"}}
    assert weapons["spear-thrown"] == {**weapons["spear"], "kind": "thrown", "range": 20, "long": 60}
    assert weapons["longbow"] == {"kind": "ranged", "damage": {"piercing": "d8"}, "range": 150, "long": 600}
    assert weapons["star-touch"]["ability"] == "wisdom" and weapons["star-touch"]["plain"] is True
    assert weapons["grip"]["inflicts"] == "grappled" and "save" not in weapons["grip"]
    assert weapons["grip"]["attack"] == 4
    assert result.sheet["multiattack"] == {"spear": 2} and result.sheet["doctrine"] == "cunning"
    assert ("multiattack", "a choice: the first") in notes_of(result, "changed")


def test_damage_that_no_sheet_has_is_lost_or_plain(make: Make) -> None:
    result = make(monsters.GNAT)
    weapons = result.sheet["weapons"]
    assert weapons["sting"]["damage"] == {"piercing": 1} and weapons["sting"]["plain"] is True
    assert weapons["sludge"]["damage"] == {"bludgeoning": 0}
    assert notes_of(result, "lost") >= {
        ("weapons.twin-bite", "a second time 1d4 piercing damage"),
        ("weapons.twin-bite", "1d4 sonic damage"),
        ("weapons.twin-bite", "what follows a failed DC 10 Constitution saving throw"),
        ("weapons.sludge", "recharge after rest: it is always ready"),
    }


def test_breaths_to_choose_from_are_spells_of_their_own(make: Make) -> None:
    result = make(monsters.HUSK)
    spells = result.sheet["spells"]
    assert spells["frost"]["damage"] == {"cold": "4d6"} and "inflicts" not in spells["frost"]
    assert spells["sleep"]["inflicts"] == "asleep" and spells["sleep"]["uses"] == 1
    assert result.sheet["armour-class"] == 16
    assert notes_of(result, "changed") >= {
        ("armour-class", "16 (armor); not 19 (spell)"),
        ("action Breath", "a choice: each is ready again by itself"),
        ("weapons.fist", "damage by choice: the first"),
        ("weapons.fist", "no saving throw against its poison damage"),
    }


def test_the_older_form_of_armour_class_is_read_too(make: Make) -> None:
    assert make({**monsters.HUSK, "armor_class": 13}).sheet["armour-class"] == 13


scores = st.integers(-2, 34)
dice = st.builds(
    lambda many, sides, plus: f"{many}d{sides}{plus:+d}" if many else str(plus),
    st.integers(0, 30),
    st.sampled_from((4, 6, 8, 10, 12)),
    st.integers(-2, 20),
)
kinds = st.sampled_from(("fire", "cold", "piercing", "thunder", "sonic"))
texts = st.builds(
    lambda kind, reach, save, condition: (
        f"{kind} Weapon Attack: +5 to hit, reach {reach} ft. or range {reach}/{3 * reach} ft. It must succeed on a "
        f"DC {save} Wisdom saving throw or be {condition} in a {reach}-foot cone."
    ),
    st.sampled_from(("Melee", "Ranged", "Melee or Ranged")),
    st.integers(0, 12_000),
    st.integers(0, 60),
    st.sampled_from(("frightened", "paralyzed", "charmed", "knocked prone")),
)
names = st.sampled_from(("Bite", "Claw", "Longsword", "Roar", "", "Ünsichtbar (Costs 2)", "x" * 60))
usages = st.sampled_from(
    (
        {"type": "per day", "times": 200},
        {"type": "recharge on roll", "min_value": 1},
        {"type": "recharge after rest"},
    )
)
attacks = st.builds(
    lambda name, bonus, text, doses: monsters.attack(name, bonus, text, *doses),
    names,
    st.integers(-40, 60),
    texts,
    st.lists(st.tuples(kinds, dice), max_size=3),
)
casts = st.builds(
    lambda name, text, ability, value, success, doses, usage: {
        "name": name,
        "desc": text,
        "dc": monsters.saving(ability, value, success),
        "damage": monsters.damage(*doses),
        "usage": usage,
    },
    names,
    texts,
    st.sampled_from(("str", "dex", "con", "int", "wis", "cha", "luck")),
    st.integers(0, 60),
    st.sampled_from(("none", "half", "other")),
    st.lists(st.tuples(kinds, dice), max_size=2),
    usages,
)
plans = st.lists(st.tuples(names, st.integers(0, 20)), max_size=3).map(
    lambda found: monsters.multiattack(*found)
)
any_monster = st.builds(
    monsters.monster,
    st.just("It"),
    st.tuples(*[scores] * 6),
    st.lists(st.one_of(attacks, casts, plans), max_size=5),
    st.integers(-1, 12),
    hit_points=st.integers(-1, 2000),
    armor_class=st.lists(st.builds(lambda value: {"value": value}, st.integers(-3, 60)), max_size=2),
    type=st.sampled_from(("beast", "undead", "humanoid")),
    speed=st.dictionaries(st.sampled_from(("walk", "fly")), st.integers(0, 900).map("{} ft.".format)),
    damage_resistances=st.lists(kinds, max_size=3),
    proficiencies=st.lists(
        st.builds(
            monsters.skilled, st.sampled_from(("saving-throw-dex", "skill-stealth", "skill-history")), scores
        ),
        max_size=3,
    ),
)


@settings(QUICK, max_examples=150)
@given(any_monster)
def test_any_monster_makes_a_valid_sheet(make: Make, raw: Any) -> None:
    assert faults_of(load("d20"), {**make(raw).sheet, "name": "It"})[1] == []


def fights(crisis: Player, saved: Saved, raw: Any) -> None:
    """A monster fights one of the sheets of the example for ten rounds, which verify."""
    fight(crisis, saved(raw), "init mira --vs fought/it.toml")


@settings(QUICK, max_examples=4)
@given(any_monster)
def test_any_monster_fights_and_its_fights_verify(crisis: Player, saved: Saved, raw: Any) -> None:
    fights(crisis, saved, raw)


@pytest.mark.long
@settings(QUICK, max_examples=150)
@given(any_monster)
def test_many_monsters_fight_and_their_fights_verify(crisis: Player, saved: Saved, raw: Any) -> None:
    fights(crisis, saved, raw)


@pytest.mark.parametrize("raw", monsters.MONSTERS, ids=lambda raw: raw["name"])
@settings(QUICK, max_examples=40)
@given(st.data())
def test_values_of_any_other_kind_do_no_harm(make: Make, raw: Any, data: st.DataObject) -> None:
    paths = sorted({path[:length] for path in leaves(raw) for length in range(1, len(path) + 1)}, key=str)
    other = make(changed(raw, data.draw(st.sampled_from(paths)), data.draw(json_values("value", "name"))))
    assert faults_of(load("d20"), {**other.sheet, "name": "It", "system": "d20"})[1] == []


def cast(make: Make, text: str, success: str = "none") -> Imported:
    """What becomes of a monster with an action that takes a saving throw."""
    dose = monsters.damage(("cold", "4d6"))
    howl = {"name": "Howl", "desc": text, "dc": monsters.saving("con", 13, success), "damage": dose}
    return make(monsters.monster("It", (10,) * 6, [howl]))


@pytest.mark.parametrize(
    ("text", "feet", "radius", "note"),
    [
        ("Each creature within 120 feet of it freezes.", 120, 120, ""),
        ("A bolt strikes a point within 500 feet. Each creature within 10 feet of it freezes.", 500, 10, ""),
        ("A 10-foot radius of gas extends.", 10, 10, ""),
        ("Each creature in a 60-foot cone freezes.", 60, 20, "a cone of 60 ft: a circle of 20 ft"),
        ("Each creature within 500 feet of it freezes.", 500, 200, "a circle of 500 ft: a circle of 200 ft"),
        ("One creature within 20 feet, at the end of each of its turns.", 20, 0, ""),
        ("Each creature in its lair freezes.", 30, 0, "it reaches one target, not several"),
    ],
)
def test_cones_and_lines_alone_shrink(make: Make, text: str, feet: int, radius: int, note: str) -> None:
    result = cast(make, text)
    howl = result.sheet["spells"]["howl"]
    assert (howl["range"], howl.get("radius", 0)) == (feet, radius)
    assert {what for key, what in notes_of(result, "changed") if key == "spells.howl"} == {
        *filter(None, [note])
    }


def test_a_text_that_halves_the_damage_wins(make: Make) -> None:
    result = cast(make, "It takes 14 (4d6) damage, or half as much damage on a success.")
    assert "half" not in result.sheet["spells"]["howl"]
    assert ("spells.howl", "a save halves its damage, as its text says and its data do not") in notes_of(
        result, "changed"
    )
    assert cast(make, "It takes 14 (4d6) damage.").sheet["spells"]["howl"]["half"] is False


def test_a_bonus_that_cannot_be_read_is_the_usual_one(make: Make) -> None:
    bite = monsters.attack("Bite", 5, "Melee Weapon Attack: reach 5 ft.", ("piercing", "1d6+3"))
    weapon = make(monsters.monster("It", (16,) * 6, [{**bite, "attack_bonus": "five"}])).sheet["weapons"][
        "bite"
    ]
    assert "ability" not in weapon and "attack" not in weapon
