"""`crisis set`: GM overrides."""

from __future__ import annotations

import pytest
from conftest import ADA, Player, Sheets


@pytest.mark.parametrize(
    ("words", "key", "value"),
    [
        ("set jack health 3", "pools", {"health": 3}),
        ("set JACK Health 3", "pools", {"health": 3}),
        ("set jack ap 0", "pools", {"ap": 0}),
        ("set jack uses:bandage 1", "pools", {"uses:bandage": 1}),
        ("set jack condition:prone on", "conditions", {"prone": True}),
        ("set jack at 3,4", "at", [3, 4]),
        ("set jack at -3,-4.5", "at", [-3, -4.5]),
        ("set jack held none", "held", []),
        ("set jack cover:drone heavy", "cover", {"Drone": "heavy"}),
    ],
)
def test_what_is_set_is_so(fight: Player, words: str, key: str, value: object) -> None:
    fight.ok(words)
    found = fight.fighter("Jack")[key]
    if isinstance(value, dict):
        assert value.items() <= found.items()
    else:
        assert found == value


def test_it_is_reported_in_plain_words(fight: Player) -> None:
    shown = fight.ok("set jack health 3 --why 'fell off the roof'")
    assert "Health 30 → 3" in shown.out
    assert "fell off the roof" in fight.ok("log 2").out
    assert "sets at of" not in fight.ok("set jack at 3,4").out
    assert "sets cover Drone of" not in fight.ok("set jack cover:drone light").out


def test_setting_what_is_so_already_says_so(fight: Player) -> None:
    shown = fight.ok("set jack ap 4")
    assert len(shown.lines) > 1 or "no change" in shown.out, "else it reads as if something had changed"


def test_json_has_the_effect(fight: Player) -> None:
    record = fight.ok("set jack health 3 --json").record
    assert (record["action"], record["target"]) == ("set", "Jack")
    assert [(one["who"], one["what"], one["was"], one["now"]) for one in record["effects"]] == [
        ("Jack", "health", 30, 3)
    ]
    record = fight.ok("set jack uses:bandage 0 --json").record
    assert [(one["what"], one["item"], one["now"]) for one in record["effects"]] == [("uses", "bandage", 0)]


def test_death_follows_from_health_and_goes_with_it(fight: Player) -> None:
    """3D6-27."""
    assert "dead" in fight.ok("set jack health 0").out
    assert fight.fighter("Jack")["conditions"] == {"dead": True}
    fight.ok("set jack health 1")
    assert fight.fighter("Jack")["conditions"] == {}


def test_a_condition_that_must_follow_from_a_pool_cannot_be_set_against_it(fight: Player) -> None:
    """3D6-27: dead is anyone who has no Health, and nobody else: otherwise the two would part."""
    shown = fight("set jack condition:dead on")
    jack = fight.fighter("Jack")
    assert shown.status == 3 or jack["pools"]["health"] == 0 or "dead" not in jack["conditions"]


def test_a_condition_that_another_one_prevents_names_that_one(crisis: Player) -> None:
    crisis.ok("init tilda --vs bandit --open --seed 1")
    crisis.ok("set tilda wounds 8")
    error = crisis.refused(3, "set tilda condition:shocked on --json").error
    assert error["message"] == "Tilda cannot be shocked in this state (POOL-37)"
    assert "POOL VALUE" not in error["hint"]


def test_a_condition_takes_on_off_or_a_level_from_0(crisis: Player) -> None:
    crisis.ok("init tilda --vs bandit --open --seed 1")
    assert (
        "takes on, off or a level, not 'maybe'" in crisis.refused(2, "set tilda condition:shocked maybe").err
    )
    assert (
        "shocked of Tilda must be within 0…, not -1"
        in crisis.refused(3, "set tilda condition:shocked -1").err
    )
    crisis.ok("set tilda condition:shocked 2")
    assert crisis.fighter("Tilda")["conditions"]["shocked"] == 2


def test_ammunition_by_weapon(crisis: Player, sheets: Sheets) -> None:
    sheets.write("ada", ADA.replace("weapons.pistol", 'weapons."Old Pistol"'))
    crisis.ok("init ada --vs drone --open")
    crisis.ok("set ada ammo:old-pistol 1")
    assert crisis.fighter("Ada")["pools"]["ammo:Old Pistol"] == 1


@pytest.mark.parametrize("word", ["on", "ON", "true", "yes", "1"])
def test_conditions_go_on_and_off(fight: Player, word: str) -> None:
    fight.ok(f"set jack condition:drunk {word}")
    assert fight.fighter("Jack")["conditions"] == {"drunk": True}
    fight.ok("set jack condition:drunk off")
    assert fight.fighter("Jack")["conditions"] == {}


def test_a_dry_run_changes_nothing(fight: Player) -> None:
    before = fight.files()
    fight.ok("set jack health 3 --dry-run")
    assert fight.files() == before


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("set", 2),
        ("set jack", 2),
        ("set jack health", 2),
        ("set jack health many", 2),
        ("set jack health 1.5", 2),
        ("set jack health 99999999999999999999", 2),
        ("set jack health 99", 3),
        ("set jack health -1", 3),
        ("set jack at here", 2),
        ("set jack at nan,nan", 2),
        ("set jack at 1e7,0", 2),
        ("set jack cover:drone thick", 2),
        ("set jack cover:nobody heavy", 4),
        ("set jack held spoon", 2),
        ("set jack ammo:blunderbuss 1", 2),
        ("set nobody health 1", 4),
    ],
)
def test_what_cannot_be_set(fight: Player, words: str, status: int) -> None:
    fight.refused(status, words)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("set jack helth 1", "health"),
        ("set jack condition:prne on", "did you mean prone?"),
        ("set players luck 1", ""),
    ],
)
def test_unknown_pools_and_conditions_list_what_there_is(fight: Player, words: str, says: str) -> None:
    shown = fight(words)
    assert shown.status in (2, 3)
    assert says in shown.err


def test_without_a_crisis(crisis: Player, sheets: Sheets) -> None:
    crisis.refused(3, "set jack health 3")


def test_cover_that_is_gone_is_said_in_words(fight: Player) -> None:
    assert "Jack is in light cover from Drone." in fight.ok("set jack cover:drone light").out
    assert "Jack is without cover from Drone." in fight.ok("set jack cover:drone none").out
