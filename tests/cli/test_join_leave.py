"""`crisis join` and `crisis leave`."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import Player, Sheets, slow_but


def test_newcomers_roll_for_their_place(fight: Player) -> None:
    record = fight.ok("join ada --dice 4,4,4 --json").record
    assert record["targets"] == ["Ada"] and record["rolls"][0]["total"] == 14
    assert [one["who"] for one in fight.ok("status --json").record["order"]] == ["Jack", "Ada", "Drone"]
    assert fight.fighter("Ada")["side"] == "players"


def test_vs_brings_opponents(fight: Player) -> None:
    fight.ok("join --vs ada")
    assert (fight.fighter("Ada")["side"], fight.fighter("Ada")["player"]) == ("opponents", False)


def test_more_copies_go_on_counting(crisis: Player, sheets: Sheets) -> None:
    """A second wave of drones is the most usual reason to join."""
    crisis.ok("init jack --vs drone:2 --open --seed 1")
    crisis.ok("join --vs drone:2 --seed 1")
    names = {one["name"] for one in crisis.ok("status --json").record["fighters"]}
    assert names == {"Jack", "Drone 1", "Drone 2", "Drone 3", "Drone 4"}


def test_place_says_where_they_stand(fight: Player) -> None:
    fight.ok("join ada --place ada=3,4")
    assert fight.fighter("Ada")["at"] == [3, 4]


def test_who_left_has_no_turn_and_comes_back_as_it_was(fight: Player) -> None:
    fight.ok("set drone health 9")
    assert fight.ok("leave drone").lines == [
        "Drone leaves the fight.",
        "  The players win. To end the crisis: crisis end",
    ]
    assert fight.ok("next").lines[-1] == "Jack's turn."
    fight.refused(3, "attack drone --dice 9")
    fight.refused(3, "act drone hide --force --dice 9")
    fight.ok("join drone --dice 1,1,1")
    assert fight.fighter("Drone")["pools"]["health"] == 9
    assert fight.ok("next").lines[-1] == "Drone's turn."


def test_who_comes_back_rolls_for_a_place(fight: Player) -> None:
    """As the help of `join` says; the place from before is given up."""
    fight.ok("leave drone")
    record = fight.ok("join drone --dice 6,6,6 --json").record
    assert [(roll["what"], roll["who"]) for roll in record["rolls"]] == [("initiative", "Drone")]
    fight.ok("join ada --dice 4,4,4")

    def order() -> list[tuple[str, int]]:
        return [(one["who"], one["score"]) for one in fight.ok("status --json").record["order"]]

    assert order() == [("Jack", 18), ("Drone", 18), ("Ada", 14)]
    fight.ok("leave jack")
    fight.ok("join jack --dice 1,1,1")
    assert order() == [("Drone", 18), ("Ada", 14), ("Jack", 3)]
    fight.ok("undo 2")
    assert order() == [("Jack", 18), ("Drone", 18), ("Ada", 14)]
    fight.ok("redo 2")
    assert order() == [("Drone", 18), ("Ada", 14), ("Jack", 3)]
    assert fight.ok("verify").status == 0


every_system = pytest.mark.parametrize(
    ("system", "ours", "theirs"),
    [
        ("3d6", "jack ada", "drone"),
        ("step", "vera", "raider"),
        ("d100", "ines", "looter:2"),
        ("2d20", "cass", "mutant"),
        ("d6pool", "hagen", "bandit"),
    ],
)


@every_system
@pytest.mark.parametrize("seed", slow_but(range(1, 7), 1, 2))
def test_nobody_has_two_turns_in_a_round_by_coming_back(
    crisis: Player, sheets: Sheets, system: str, ours: str, theirs: str, seed: int
) -> None:
    def state() -> dict[str, Any]:
        return crisis.ok("status --json").record

    crisis.ok(f"init {ours} --vs {theirs} --open --seed {seed}")
    who = state()["actor"]
    crisis.ok("next")
    left = crisis.fighter(who)["pools"]
    crisis.ok("leave", who)
    crisis.ok("join", who, "--seed", str(seed))
    assert crisis.fighter(who)["pools"] == left
    while (now := state())["round"] == 1:
        assert now["actor"] != who
        crisis.ok("next")
    assert crisis.ok("verify").status == 0
    crisis.ok("undo 3")
    assert crisis.ok("redo 3") and state() == now


@every_system
def test_everyone_may_leave_and_come_back_in_every_system(
    crisis: Player, sheets: Sheets, system: str, ours: str, theirs: str
) -> None:
    crisis.ok(f"init {ours} --vs {theirs} --open --seed 3")
    everyone = [one["name"] for one in crisis.ok("status --json").record["fighters"]]
    for name in everyone:
        crisis.ok("leave", name)
        crisis.ok("join", name, "--seed", "5")
        placed = [one["who"] for one in crisis.ok("status --json").record["order"]]
        assert sorted(placed) == sorted(everyone)
    crisis.ok("leave", *everyone)
    crisis.ok("join", *everyone, "--seed", "6")
    placed = [one["who"] for one in crisis.ok("status --json").record["order"]]
    assert sorted(placed) == sorted(everyone)
    crisis.ok("next")
    assert crisis.ok("verify").status == 0


def test_whose_turn_it_is_may_leave_and_the_turn_goes_on(fight: Player) -> None:
    assert "Drone's turn." in fight.ok("leave jack").out


def test_a_sheet_that_joined_is_saved_at_the_end(fight: Player, sheets: Sheets) -> None:
    fight.ok("join ada")
    fight.ok("set ada health 5")
    fight.ok("end")
    assert sheets.state("ada") == {"health": 5}


def test_who_left_is_saved_too(fight: Player, sheets: Sheets) -> None:
    fight.ok("set jack health 5")
    fight.ok("leave jack")
    fight.ok("end")
    assert sheets.state("jack") == {"health": 5}


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("join", 2),
        ("join --vs", 2),
        ("join nobody", 4),
        ("join jack", 3),
        ("join ada --dice 1", 2),
        ("join ada --place nobody=1,1", 4),
        ("leave", 2),
        ("leave nobody", 4),
    ],
)
def test_what_cannot_be_done(fight: Player, words: str, status: int) -> None:
    fight.refused(status, words)


def test_nobody_leaves_twice(fight: Player) -> None:
    fight.ok("leave drone")
    fight.refused(3, "leave drone")


def test_without_a_crisis(crisis: Player, sheets: Sheets) -> None:
    crisis.refused(3, "join ada")
    crisis.refused(3, "leave ada")


def test_names_that_read_alike_are_the_same(fight: Player, sheets: Sheets) -> None:
    """Capitals, and accents spelled in two ways: nobody could say which of them is meant."""
    sheets.write("loud", sheets.text("drone").replace('"Drone"', '"DRONE"'))
    assert "here already" in fight.refused(3, "join loud").err
    sheets.write("one", sheets.text("drone").replace('"Drone"', '"\N{LATIN SMALL LETTER E WITH ACUTE}"'))
    sheets.write("other", sheets.text("drone").replace('"Drone"', '"e\N{COMBINING ACUTE ACCENT}"'))
    assert "more than once" in fight.refused(2, "join one other").err
    fight.ok("join other")
    fight.ok("set", "\N{LATIN CAPITAL LETTER E WITH ACUTE}", "health", "3")
    assert "here already" in fight.refused(3, "join one").err


def test_a_crisis_holds_no_more_however_they_come(fight: Player) -> None:
    fight.ok("join --vs drone:20 jack:20 ada:20 drone:20")
    assert "102 fighters; a crisis holds 100" in fight.refused(3, "join jack:20").err


def test_several_join_and_leave(fight: Player) -> None:
    assert "Ada, Drone 1 and Drone 2 join the fight" in fight.ok("join ada drone:2").out
    assert "Drone 1 and Drone 2 leave the fight" in fight.ok("leave drone1 drone2").out
    assert "Ada leaves the fight" in fight.ok("leave ada").out


def test_who_joins_where_positions_are_known_stands_beside_its_side(crisis: Player) -> None:
    """Whoever stands nowhere is in reach of everybody (ALL-4)."""
    crisis.ok("init --encounter mill moss --seed 3")
    crisis.ok("set moss at 1,5")
    assert "  Vera stands at 1,4\n  Raider stands at 13,3\n" in crisis.ok("join vera raider").out
    assert "  Brute 1 stands at 12,3\n" in crisis.ok("join --vs brute:1 --place brute1=12,3").out


def test_whose_side_has_no_position_is_told_so(fight: Player) -> None:
    fight.ok("set drone at 3,4")
    assert "  Ada has no position yet: crisis set ada at X,Y\n" in fight.ok("join ada").out
