"""Actors of Foundry's Fallout module become sheets of its system, field by field."""

from __future__ import annotations

import tomllib
from copy import deepcopy
from typing import Any

import pytest
from conftest import Player
from hypothesis import given, settings
from hypothesis import strategies as st

from crisis_cli.rules.importing import ForeignObject
from crisis_cli.sheets.check import faults_of
from crisis_cli.sheets.imported import SourceOfSheet, imported_text, updated
from crisis_cli.systems import load
from crisis_cli.systems.two_d20 import sheet as page
from crisis_cli.systems.two_d20.foundry import FOUNDRY

from . import foundry
from .conftest import QUICK, Saved, changed, fight, imported, json_values, leaves, untold

SYSTEM = load("2d20")
ACTORS = (foundry.MARLA, foundry.BOLTS, foundry.SCRAPPER, foundry.HOUND)


def made(raw: Any) -> tuple[dict[str, Any], list[tuple[str, str, str]]]:
    """The sheet of an actor, and its notes."""
    result = FOUNDRY.sheet(ForeignObject(raw))
    return result.sheet, [(note.kind, note.key, note.what) for note in result.notes]


def weapon(raw: Any, kind: str = "npc") -> tuple[dict[str, Any], list[tuple[str, str, str]]]:
    """The only weapon of an actor, and its notes."""
    actor = foundry.creature("It", [raw]) if kind == "creature" else foundry.person(kind, "It", [raw])
    sheet, notes = made(actor)
    (found,) = sheet.get("weapons", {"": {}}).values()
    return found, [note for note in notes if note[1] != "attributes"]


@pytest.mark.parametrize("raw", ACTORS, ids=lambda raw: raw["name"])
def test_every_leaf_is_carried_or_in_a_note(raw: Any) -> None:
    assert untold(FOUNDRY, raw) == []


@pytest.mark.parametrize("raw", ACTORS, ids=lambda raw: raw["name"])
def test_every_sheet_passes_the_check(raw: Any) -> None:
    assert faults_of(SYSTEM, {**made(raw)[0], "name": "It"})[1] == []


@pytest.mark.parametrize(
    ("raw", "key", "value"),
    [
        (foundry.MARLA, "player", True),
        (foundry.BOLTS, "player", True),
        (foundry.SCRAPPER, "player", False),
        (foundry.BOLTS, "kind", "robot"),
        (foundry.HOUND, "kind", "animal"),
        (foundry.HOUND, "doctrine", "beast"),
        (foundry.BOLTS, "attributes", dict.fromkeys(("str", "per", "end", "cha", "int", "agi", "lck"), 12)),
        (foundry.MARLA, "skills", {"small-guns": 3, "medicine": 2}),
        (foundry.MARLA, "tags", ["small-guns"]),
        (foundry.MARLA, "hp", 6 + 6 + 2 + 3 - 1),
        (foundry.MARLA, "melee_bonus", 1),
        (foundry.MARLA, "circumstance", {"initiative": 1}),
        (foundry.MARLA, "items", {"gauze-roll": {"heals": 4, "uses": 1}}),
        (foundry.SCRAPPER, "hp", 11),
        (foundry.SCRAPPER, "luck", 3),
        (foundry.SCRAPPER, "initiative", 13),
        (foundry.SCRAPPER, "defense", 2),
        (foundry.HOUND, "attributes", {"str": 7, "per": 5, "end": 7, "cha": 5, "int": 5, "agi": 7, "lck": 4}),
        (foundry.HOUND, "hp", 12),
        (foundry.HOUND, "luck", 0),
        (foundry.HOUND, "resist", {"physical": 2}),
        (foundry.BOLTS, "resist", {"poison": 99, "radiation": 99}),
    ],
)
def test_values_stand_where_they_belong(raw: Any, key: str, value: object) -> None:
    assert made(raw)[0][key] == value


def test_a_creature_has_all_skills_tagged() -> None:
    sheet, _ = made(foundry.HOUND)
    assert sheet["skills"]["unarmed"] == 4 and sheet["skills"]["small-guns"] == 2
    assert set(sheet["tags"]) == set(sheet["skills"])


def test_the_highest_of_what_is_worn_counts_and_what_is_general_comes_on_top() -> None:
    resist = made(foundry.MARLA)[0]["resist"]
    assert resist["torso"] == {"physical": 3, "energy": 1} and resist["left-arm"] == {
        "physical": 2,
        "energy": 1,
    }
    assert resist["radiation"] == 1 and "head" not in resist


@pytest.mark.parametrize("effect", foundry.EFFECTS)
def test_effects_are_carried_or_lost(effect: str) -> None:
    found, notes = weapon(foundry.weapon("Gun", effects=(effect,), ammo="", weaponType="unarmed"))
    known = {"piercing_x": "piercing 2", "tranquilize_x": "tranquilize 2"}.get(effect, effect)
    if effect in ("arc", "freeze", "tranquilize_x"):
        assert "effects" not in found and notes == [("lost", "weapons.gun", known)]
    else:
        assert found["effects"] == [known] and notes == []


@pytest.mark.parametrize("quality", foundry.QUALITIES)
def test_qualities_are_carried_lost_or_do_not_matter(quality: str) -> None:
    found, notes = weapon(foundry.weapon("Gun", qualities=(quality,), weaponType="unarmed"))
    kinds = {kind for kind, _, _ in notes}
    if quality == "blast":
        assert found["effects"] == ["blast"] and kinds == set()
    elif quality.replace("_", "-") in page.QUALITIES:
        assert found["qualities"] == [quality.replace("_", "-")] and kinds == set()
    elif quality == "thrown":
        assert kinds == {"changed"}
    else:
        harmless = ("aquatic", "concealed", "limited", "night_vision", "recon", "two_handed")
        assert kinds == ({"ignored"} if quality in harmless else {"lost"})


@pytest.mark.parametrize(
    ("pair", "kind", "kinds"),
    [
        (("body", "melee"), "unarmed", set()),
        (("body", "guns"), "small-guns", set()),
        (("mind", "guns"), "energy", set()),
        (("body", "other"), "throwing", set()),
        (("mind", "other"), "explosives", set()),
        (("mind", "melee"), "unarmed", {"changed"}),
        (("", "guns"), "small-guns", set()),
    ],
)
def test_a_creature_attacks_with_the_type_that_has_its_target_number(
    pair: tuple[str, str], kind: str, kinds: set[str]
) -> None:
    raw = foundry.weapon(
        "Spit", creatureAttribute=pair[0], creatureSkill=pair[1], weaponType="creatureAttack"
    )
    found, notes = weapon(raw, "creature")
    assert found["type"] == kind and {one for one, _, _ in notes} == kinds


@pytest.mark.parametrize(
    ("raw", "note"),
    [
        (foundry.weapon("Self-Destruct"), ("lost", "weapons.self-destruct", "it destroys its user")),
        (foundry.weapon("Bow", weaponType="bows"), ("lost", "weapons.bow", "type bows")),
        (foundry.weapon("Gun", 44, weaponType="unarmed"), ("changed", "weapons.gun.damage", "44 becomes 30")),
        (
            foundry.weapon("Fist", weaponType="unarmed", fireRate=2),
            ("lost", "weapons.fist", "fire rate 2 of a weapon that is no gun"),
        ),
        (
            foundry.weapon("Gun", ammoPerShot=3, ammo="Bolt"),
            ("lost", "weapons.gun", "3 rounds a shot"),
        ),
        (
            foundry.weapon("Gun", ammo="Bolt"),
            ("changed", "weapons.gun", "no Bolt among the items: ammo = 10 is a guess"),
        ),
        (foundry.weapon("Gun"), ("changed", "weapons.gun", "no kind of ammunition: shots are not counted")),
        (
            foundry.weapon("Pike", range="long", weaponType="meleeWeapons"),
            ("changed", "weapons.pike", "range long of a weapon for hand to hand is gone"),
        ),
    ],
)
def test_what_a_weapon_has_and_a_sheet_has_not_is_noted(raw: Any, note: tuple[str, str, str]) -> None:
    assert note in weapon(raw)[1]


@pytest.mark.parametrize(
    ("item", "note"),
    [
        (foundry.item("perk", "Steady"), ("lost", "perk", "Steady")),
        (
            foundry.item("special_ability", "Immune to Disease"),
            ("ignored", "special ability", "Immune to Disease"),
        ),
        (foundry.item("apparel_mod", "Lined", attached=False), ("ignored", "apparel mod", "Lined")),
        (foundry.item("weapon_mod", "Scope", attached=True), ("lost", "weapon mod", "Scope")),
        (foundry.item("hologram", "Cube"), ("lost", "hologram", "Cube")),
        (foundry.skill("Weaving", 3), ("ignored", "skills", "Weaving")),
        (foundry.skill("Repair", 9), ("changed", "skills.repair", "9 becomes 6")),
        (foundry.worn("Hat", ("head",), equipped=False, physical=1), ("ignored", "items", "Hat (not worn)")),
        (
            foundry.item("consumable", "Fizz", consumableType="chem", effect="again"),
            ("lost", "items", "Fizz: again"),
        ),
        (foundry.item("ammo", "Bolt", stashed=True), ("ignored", "items", "Bolt (stored elsewhere)")),
    ],
)
def test_items_that_no_sheet_has_are_noted(item: Any, note: tuple[str, str, str]) -> None:
    assert note in made(foundry.person("character", "It", [item]))[1]


def test_two_of_a_name_are_told_apart_and_share_none_with_an_item() -> None:
    twice = [foundry.weapon("Stim"), foundry.weapon("Stim")]
    heals = foundry.item("consumable", "Stim", consumableType="chem", effect="Heals 4 HP")
    sheet, _ = made(foundry.person("character", "It", [*twice, heals]))
    assert [*sheet["weapons"], *sheet["items"]] == ["stim", "stim-2", "stim-3"]


def test_an_older_file_with_bare_numbers_is_read_too() -> None:
    raw = deepcopy(foundry.SCRAPPER)
    raw["system"]["luckPoints"] = {"value": 2}
    raw["system"]["health"] = 8
    assert made(raw)[0]["luck"] == 2 and made(raw)[0]["hp"] == 8


numbers = st.integers(-3, 40)
words = st.sampled_from(("", "close", "medium", "long", "extreme", "far"))
weapons = st.builds(
    foundry.weapon,
    st.text(max_size=50),
    numbers,
    st.sets(st.sampled_from(foundry.DAMAGE_TYPES)).map(tuple),
    st.sets(st.sampled_from((*foundry.EFFECTS, "vicious"))).map(tuple),
    st.sets(st.sampled_from(foundry.QUALITIES)).map(tuple),
    rank=numbers,
    weaponType=st.sampled_from(
        ("smallGuns", "bigGuns", "energyWeapons", "meleeWeapons", "unarmed", "explosives", "throwing", "odd")
    ),
    creatureAttribute=st.sampled_from(("", "body", "mind")),
    creatureSkill=st.sampled_from(("", "melee", "guns", "other")),
    ammo=st.sampled_from(("", "Bolt", "Shell")),
    fireRate=numbers,
    range=words,
    equipped=st.booleans(),
)
things = st.one_of(
    weapons,
    st.builds(foundry.skill, st.sampled_from([*page.SKILLS, "weaving"]), numbers, st.booleans()),
    st.builds(
        foundry.worn,
        st.text(max_size=9),
        st.sets(st.sampled_from(foundry.PARTS)),
        physical=numbers,
        poison=numbers,
    ),
    st.builds(lambda many: foundry.item("ammo", "Bolt", quantity=many), numbers),
    st.builds(
        lambda name, heals, many: foundry.item(
            "consumable", name, consumableType="chem", effect=f"Heals {heals} HP", quantity=many
        ),
        st.text(max_size=50),
        numbers,
        numbers,
    ),
)
bonuses = st.fixed_dictionaries({"bonus": numbers, "max": numbers, "value": numbers})
people = st.builds(
    foundry.person,
    st.sampled_from(("character", "robot", "npc")),
    st.text(max_size=60),
    st.lists(things, max_size=6),
    numbers,
    health=bonuses,
    initiative=bonuses,
    defense=bonuses,
    meleeDamage=bonuses,
    luckPoints=numbers,
    resistance=st.builds(lambda number: foundry.of_kinds({"energy": number}), numbers),
    immunities=st.fixed_dictionaries({"poison": st.booleans(), "radiation": st.booleans()}),
)
values = st.builds(lambda number: {"value": number, "max": number}, numbers)
creatures = st.builds(
    foundry.creature,
    st.text(max_size=60),
    st.lists(things, max_size=6),
    **dict.fromkeys(("body", "mind", "melee", "guns", "other", "health", "initiative", "defense"), values),
)
any_actor = st.one_of(people, creatures)


@settings(QUICK, max_examples=150)
@given(any_actor)
def test_any_actor_makes_a_valid_sheet(raw: Any) -> None:
    result, _ = imported(FOUNDRY, raw)
    assert faults_of(SYSTEM, {**result.sheet, "name": "It"})[1] == []


@settings(QUICK, max_examples=60)
@given(any_actor, any_actor)
def test_an_update_of_a_sheet_that_nobody_edited_is_as_good_as_a_new_one(first: Any, second: Any) -> None:
    source = SourceOfSheet("x", "1", "x.json", "", "", "")
    old, new = (
        imported_text({**imported(FOUNDRY, raw)[0].sheet, "name": "It"}, SYSTEM.sheet, source)
        for raw in (first, second)
    )
    text, changed_parts, kept, newer = updated(old, new)
    assert tomllib.loads(text) == tomllib.loads(new) and kept == []
    assert updated(text, new) == (text, [], [], {}) and newer == {}
    assert bool(changed_parts) == (tomllib.loads(old) != tomllib.loads(new))


def fights(crisis: Player, saved: Saved, raw: Any) -> None:
    """Two of an actor fight ten rounds, which verify."""
    fight(crisis, saved({**raw, "name": "It"}), "init cass --vs fought/it.toml:2")


@settings(QUICK, max_examples=4)
@given(any_actor)
def test_any_actor_fights_and_its_fights_verify(crisis: Player, saved: Saved, raw: Any) -> None:
    fights(crisis, saved, raw)


@pytest.mark.long
@settings(QUICK, max_examples=150)
@given(any_actor)
def test_many_actors_fight_and_their_fights_verify(crisis: Player, saved: Saved, raw: Any) -> None:
    fights(crisis, saved, raw)


@pytest.mark.parametrize("raw", ACTORS, ids=lambda raw: raw["name"])
@settings(QUICK, max_examples=40)
@given(st.data())
def test_values_of_any_other_kind_do_no_harm(raw: Any, data: st.DataObject) -> None:
    paths = [path[:length] for path in leaves(raw) for length in range(1, len(path) + 1) if path[0] != "type"]
    path = data.draw(st.sampled_from(sorted(set(paths), key=str)))
    other, _ = imported(FOUNDRY, changed(raw, path, data.draw(json_values("value", "x"))))
    assert faults_of(SYSTEM, {**other.sheet, "name": "It", "system": "2d20"})[1] == []


def test_an_actor_without_hit_locations_is_known() -> None:
    rat = foundry.creature("Rat", [])
    del rat["system"]["body_parts"]
    stranger = {"type": "npc", "name": "Orc", "system": {"abilities": {}}, "items": []}
    assert [actor.name for actor in FOUNDRY.actors([rat, stranger])] == ["Rat"]


@pytest.mark.parametrize("key", ["keywords", "category", "type", "bodyType"])
def test_a_word_of_a_creature_says_that_it_is_a_robot(key: str) -> None:
    sheet, _ = made(foundry.creature("Tin", [], **{key: "Robot, Loader"}))
    assert (sheet["kind"], sheet["doctrine"]) == ("robot", "guard")
    assert made(foundry.creature("Tin", [], keywords=["Robotics"]))[0]["kind"] == "animal"


def test_robots_that_float_have_their_armour_at_places_of_the_sheet() -> None:
    raw = foundry.person("robot", "Handy", [foundry.worn("Plate", ("optics", "tail"), physical=3)])
    plate = raw["items"][0]["system"]
    plate["location"] = {"optics": True, "tail": True}
    raw["system"]["body_parts"] = {
        "thruster": {"resistance": {"energy": 2, "radiation": "Immune", "poison": "x"}}
    }
    sheet, notes = made(raw)
    legs = {"energy": 2, "radiation": 99}
    assert sheet["resist"] == {"head": {"physical": 3}, "left-leg": legs, "right-leg": legs}
    assert ("changed", "resist", "thruster is left-leg and right-leg") in notes
    assert {("lost", "resist", "location tail"), ("lost", "resist.poison", "x cannot be read")} <= {*notes}


def test_hit_points_that_are_not_those_of_the_file_are_noted() -> None:
    health = {"bonus": 0, "max": 11, "value": 9}
    sheet, notes = made(foundry.person("character", "Nora", [], health=health))
    assert "hp" not in sheet and ("changed", "hp", "12 by end, lck, bonus and level 1, not 11") in notes


def test_attacks_of_creatures_are_natural() -> None:
    bite = foundry.weapon("Bite", creatureAttribute="body", weaponType="creatureAttack")
    assert weapon(bite, "creature")[0]["qualities"] == ["natural"]
    assert "qualities" not in weapon(foundry.weapon("Club", weaponType="meleeWeapons"), "creature")[0]
