"""Values of sheets that hold for one command (`--set`), odds over a range of them (`--sweep`), and odds as CSV."""

from __future__ import annotations

import csv
import json

import pytest
from conftest import Player, Sheets


def test_a_value_holds_for_one_command(crisis: Player, sheets: Sheets) -> None:
    weak = crisis.ok("odds attack jack drone --json").record
    strong = crisis.ok("odds attack jack drone --set jack.skills.melee=3 --json").record
    assert strong["success"]["p"] > weak["success"]["p"]
    assert crisis.ok("odds attack jack drone --json").record == weak


@pytest.mark.parametrize(
    ("word", "code", "said"),
    [
        ("jack.skills.melee=99", "bad_value", "skills.melee"),
        ("jack.skils.melee=2", "bad_value", "skils"),
        ("jack=2", "bad_value", "WHO.KEY=VALUE"),
        ("jack.system=step", "bad_value", "the system of a sheet cannot be changed"),
        ("nobody.skills.melee=2", "unknown_name", "'nobody'"),
    ],
)
def test_values_are_checked_like_the_sheet(
    crisis: Player, sheets: Sheets, word: str, code: str, said: str
) -> None:
    shown = crisis(f"attack jack drone --set {word} --json")
    assert (shown.status, shown.error["code"]) == (2, code)
    assert said in shown.error["message"]


def test_an_open_crisis_keeps_the_value_and_never_saves_it(crisis: Player, sheets: Sheets) -> None:
    before = (crisis.here / "characters/jack.toml").read_text("utf-8")
    crisis.ok("init jack --vs drone --open --seed 7 --dice 6,6,6,1,1,1 --set jack.skills.melee=3")
    header = json.loads((crisis.here / "crisis.jsonl").read_text("utf-8").splitlines()[0])
    assert header["fighters"][0]["sheet"]["skills"]["melee"] == 3
    crisis.ok("verify")
    crisis.ok("set jack endurance 10")
    crisis.refused(2, "attack drone --set jack.skills.melee=1")
    crisis.ok("end")
    assert (crisis.here / "characters/jack.toml").read_text("utf-8") == before


def test_a_sweep_prints_the_odds_for_every_value(crisis: Player, sheets: Sheets) -> None:
    rows = list(
        csv.DictReader(crisis.ok("odds attack jack drone --sweep drone.armour.defence=0..9 --csv").lines)
    )
    assert [row["drone.armour.defence"] for row in rows] == [str(value) for value in range(10)]
    chances = [float(row["success"]) for row in rows]
    assert chances == sorted(chances, reverse=True) and chances[0] > chances[-1]
    alone = crisis.ok("odds attack jack drone --set drone.armour.defence=4 --quiet").out.strip()
    assert rows[4]["success"] == alone
    records = crisis.ok("odds attack jack drone --sweep drone.armour.defence=3..4 --json").records
    assert [record["sweep"] for record in records] == [
        {"drone.armour.defence": 3},
        {"drone.armour.defence": 4},
    ]
    assert len(crisis.ok("odds attack jack drone --sweep drone.armour.defence=0..9").lines) == 11


def test_two_sweeps_print_a_table(crisis: Player, sheets: Sheets) -> None:
    lines = crisis.ok(
        "odds attack jack drone --sweep jack.skills.melee=0..3 --sweep drone.armour.defence=2..4"
    ).lines
    assert len(lines) == 5 and lines[0].split()[-3:] == ["2", "3", "4"]


@pytest.mark.parametrize(
    "word", ["drone=1..2", "drone.armour.dr=2..1", "drone.armour.dr=1", "drone.armour.dr=0..9999"]
)
def test_a_sweep_in_another_form_is_refused(crisis: Player, sheets: Sheets, word: str) -> None:
    assert crisis(f"odds attack jack drone --sweep {word} --json").error["code"] == "bad_value"


def test_odds_of_an_action_as_csv_sum_to_one(crisis: Player, sheets: Sheets) -> None:
    rows = list(csv.DictReader(crisis.ok("odds attack jack drone --csv").lines))
    sums: dict[str, float] = {}
    for row in rows:
        sums[row["of"]] = sums.get(row["of"], 0) + float(row["p"])
    assert {"success", "total", "Drone.endurance"} <= sums.keys()
    assert all(abs(total - 1) < 1e-12 for total in sums.values())


@pytest.mark.parametrize(
    ("topic", "said"),
    [
        ("json", "cannot_pay"),
        ("notation", "4d6kh3"),
        ("exit-status", "130"),
        ("environment", "NO_COLOR"),
        ("files", "crisis.jsonl"),
    ],
)
def test_help_prints_parts_of_the_manual(crisis: Player, topic: str, said: str) -> None:
    shown = crisis.ok(f"help {topic}")
    assert said in shown.out and "`" not in shown.out
    assert crisis.ok(f"help {topic} --json").record["topic"] == topic


@pytest.mark.parametrize("verb", ["attack", "odds attack"])
def test_a_value_of_a_weapon_that_is_not_on_the_sheet_names_those_that_are(
    crisis: Player, sheets: Sheets, verb: str
) -> None:
    held = crisis.ok("character show jack --json").record["sheet"]["weapons"]
    assert held and "blunderbuss" not in held
    error = crisis.refused(2, f"{verb} jack drone --set jack.weapons.blunderbuss.damage=6 --json").error
    assert error["code"] == "bad_value"
    assert error["message"].startswith("Jack has no weapon called 'blunderbuss'")
    assert all(name in error["hint"] for name in held)


def test_a_sweep_in_the_wrong_order_is_turned_in_the_hint(crisis: Player, sheets: Sheets) -> None:
    error = crisis.refused(2, "odds attack jack drone --sweep drone.armour.defence=3..0 --json").error
    assert "not from 3 to 0" in error["message"] and error["option"] == "--sweep"
    assert error["hint"] == "--sweep drone.armour.defence=0..3"
    crisis.ok(f"odds attack jack drone {error['hint']}")


def test_a_doctrine_may_be_set_by_its_former_key(crisis: Player) -> None:
    """As `mind =` on a sheet is read; the shipped Drone has a doctrine."""
    crisis.ok("init jack --vs drone --open --seed 1 --set drone.mind=cunning")
    crisis.ok("next")
    reasons = [one["reason"] for one in crisis.ok("auto --json").records if "reason" in one]
    assert reasons and {one["doctrine"] for one in reasons} == {"cunning"}


@pytest.mark.parametrize(
    ("held", "weapon"), [("knife", "knife"), ("Pis", "pistol"), ("knife,pistol", "knife")]
)
def test_what_is_in_hand_may_be_set(crisis: Player, held: str, weapon: str) -> None:
    assert crisis.ok(f"attack ada drone --seed 1 --json --set ada.held={held}").record["gear"] == weapon


@pytest.mark.slow
def test_what_is_in_hand_is_set_for_whole_fights_as_it_is_compared(crisis: Player) -> None:
    line = "simulate ada --vs drone --apart 0 --seed 2 -n 5 --rounds 2 --json"
    pistol, knife = crisis.ok(f"{line} --compare ada.held=pistol,knife").records
    assert crisis.ok(f"{line} --set ada.held=knife").record == {
        key: value for key, value in knife.items() if key != "set"
    }
    assert pistol["fighters"] != knife["fighters"]


def test_nothing_may_be_in_hand(crisis: Player) -> None:
    crisis.ok("init ada --vs drone --open --seed 1 --set ada.held=none")
    ada = next(one for one in crisis.ok("status --json").record["fighters"] if one["name"] == "Ada")
    assert ada["held"] == []


@pytest.mark.parametrize(
    ("held", "code", "said"),
    [
        ("sword", "unknown_thing", "Ada has no thing called 'sword'"),
        ("knive", "unknown_thing", "Ada has no thing called 'knive' (did you mean knife?)"),
        ("", "unknown_thing", "Ada has no thing called ''"),
    ],
)
def test_what_is_not_carried_is_not_in_hand(crisis: Player, held: str, code: str, said: str) -> None:
    error = crisis.refused(2, f"simulate ada --vs drone --set ada.held={held} --json").error
    assert (error["code"], error["message"]) == (code, said)
    assert error["hint"].startswith("options: pistol, knife, ")
