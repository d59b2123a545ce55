"""`crisis heal`."""

from __future__ import annotations

import pytest
from conftest import Player, Sheets


@pytest.fixture
def hurt(sheets: Sheets) -> Sheets:
    """Jack with 20 Endurance left of 60."""
    sheets.write("jack", sheets.text("jack") + "\n[state]\nendurance = 20  # a bad day\n")
    return sheets


def test_it_reads_as_who_treats_whom(crisis: Player, hurt: Sheets) -> None:
    """3D6-29."""
    shown = crisis.ok("heal jack --dice 3,4")
    assert shown.lines[0].startswith("Jack uses the bandage on")
    assert "Endurance 20 → 27" in shown.out and "1 bandage use spent, 1 left" in shown.out


def test_json_has_the_dice_the_pool_and_the_use(crisis: Player, hurt: Sheets) -> None:
    record = crisis.ok("heal jack --dice 3,4 --json").record
    (roll,) = record["rolls"]
    assert (roll["what"], roll["who"], roll["dice"], roll["total"]) == ("heal", "Jack", "2d6", 7)
    effects = {
        one["what"]: (one["who"], one["was"], one["now"], one.get("item")) for one in record["effects"]
    }
    assert effects == {"endurance": ("Jack", 20, 27, None), "uses": ("Jack", 2, 1, "bandage")}


def test_quiet_is_the_number(crisis: Player, hurt: Sheets) -> None:
    assert crisis.ok("heal jack --dice 3,4 --quiet").out == "7\n"


def test_save_keeps_what_is_written_by_hand(crisis: Player, hurt: Sheets) -> None:
    before = hurt.text("jack")
    crisis.ok("heal jack --dice 3,4 --save")
    assert hurt.state("jack") == {"endurance": 27, "uses": {"bandage": 1}}
    assert hurt.text("jack").startswith(
        before.replace("endurance = 20  # a bad day", "endurance = 27  # a bad day")
    )


def test_never_above_the_maximum(crisis: Player, hurt: Sheets) -> None:
    record = crisis.ok("heal ada jack --item stimulant --json").record
    assert next(one for one in record["effects"] if one["what"] == "endurance")["now"] == 30
    hurt.write("jack", hurt.text("jack").replace("= 20", "= 59"))
    record = crisis.ok("heal jack --dice 6,6 --json").record
    assert next(one for one in record["effects"] if one["what"] == "endurance")["now"] == 60


def test_who_is_whole_is_treated_without_effects_and_without_dice(crisis: Player, sheets: Sheets) -> None:
    """3D6-29: already full: done, without effects."""
    record = crisis.ok("heal jack --json").record
    assert record["effects"] == []
    assert crisis.ok("heal jack --quiet").lines in (["0"], ["done"])


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("health = 0", "heal jack --dice 9"),
        ("uses = { bandage = 0 }\nendurance = 1", "heal jack --dice 9"),
        ("endurance = 1", "heal drone jack --dice 9"),
    ],
)
def test_the_dead_the_spent_and_the_empty_handed_are_refused(
    crisis: Player, sheets: Sheets, state: str, words: str
) -> None:
    """3D6-29, 3D6-27."""
    sheets.write("jack", sheets.text("jack") + f"\n[state]\n{state}\n")
    error = crisis.refused(3, words + " --json").error
    assert error["rule"] in ("3D6-29", "3D6-27")


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("heal", 2),
        ("heal nobody", 4),
        ("heal jack nobody", 4),
        ("heal jack --item soup", 2),
        ("heal jack ada drone", 3),
        ("heal jack --dice 1", 2),
        ("heal jack --dice 1,1,1", 2),
    ],
)
def test_what_cannot_be_healed(crisis: Player, hurt: Sheets, words: str, status: int) -> None:
    crisis.refused(status, words)


class TestInACrisis:
    """A single name is the patient, unless it is the fighter whose turn it is."""

    @pytest.fixture
    def ward(self, crisis: Player, hurt: Sheets) -> Player:
        """A crisis in which it is Ada's turn and Jack is hurt."""
        crisis.ok("init ada jack --vs drone --open --dice 6,6,6,3,3,3,1,1,1")
        return crisis

    def test_the_one_named_is_the_patient(self, ward: Player) -> None:
        record = ward.ok("heal jack --json").record
        assert (record["actor"], record["target"]) == ("Ada", "Jack")

    def test_an_item_may_cost_its_own_ap(self, ward: Player) -> None:
        """3D6-29: 2 AP, or the item's."""
        record = ward.ok("heal jack --json").record
        assert next(one for one in record["effects"] if one["what"] == "ap")["now"] == 1

    def test_a_fighter_who_has_the_turn_treats_themselves(self, ward: Player) -> None:
        for words in ("heal --json", "heal ada --json"):
            record = ward.ok(words).record
            assert (record["actor"], record["target"]) == ("Ada", "Ada")
            ward.ok("undo")

    def test_of_a_group_the_one_whose_turn_it_is_treats_the_other(self, crisis: Player) -> None:
        """D100-8: both may act, and still it is Ines who treats."""
        crisis.ok("init ines bruno --vs looter --open --dice 1,1")
        crisis.ok("auto --until-mine")
        status = crisis.ok("status --json").record
        assert {"Ines", "Bruno"} <= set(status["acting"])
        acts, other = status["actor"], "Bruno" if status["actor"] == "Ines" else "Ines"
        for who, patient in ((other, other), (acts, acts)):
            record = crisis.ok(f"heal {who.lower()} --force --json").record
            assert (record["actor"], record["target"]) == (acts, patient)
            crisis.ok("undo")
        record = crisis.ok(f"heal {other.lower()} --by {other.lower()} --force --json").record
        assert (record["actor"], record["target"]) == (other, other)

    def test_two_names_out_of_turn_are_refused_unless_forced(self, ward: Player) -> None:
        assert ward.refused(3, "heal jack ada --dice 9 --json").error["code"] == "not_their_turn"
        record = ward.ok("heal jack ada --force --json").record
        assert (record["actor"], record["target"]) == ("Jack", "Ada")

    def test_reach_counts_where_positions_are_known(self, ward: Player) -> None:
        ward.ok("set ada at 0,0")
        ward.ok("set jack at 9,0")
        assert ward.refused(3, "heal jack --json").error["rule"] == "3D6-29"
