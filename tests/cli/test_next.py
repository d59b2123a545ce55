"""`crisis next`: turns and rounds."""

from __future__ import annotations

from conftest import Player, Sheets


def test_the_next_one_is_up(fight: Player) -> None:
    assert fight.ok("next").out.strip() == "Drone's turn."
    assert fight.ok("status --json").record["actor"] == "Drone"


def test_a_new_round_gives_everyone_ap_up_to_six(fight: Player) -> None:
    """3D6-8, 3D6-10."""
    fight.ok("act drop-prone")
    fight.ok("next")
    shown = fight.ok("next")
    assert "Round 2 begins." in shown.out
    assert "AP 3 → 6: Jack; 4 → 6: Drone" in shown.out
    assert shown.lines[-1] == "Jack's turn."


def test_the_exhausted_gain_half(fight: Player) -> None:
    """3D6-13."""
    fight.ok("set jack endurance 0")
    fight.ok("set jack ap 0")
    fight.ok("next")
    record = fight.ok("next --json").record
    gained = {"who": "Jack", "what": "ap", "was": 0, "now": 2, "rule": "3D6-13"}
    parts = [{"name": "renewed", "value": 2, "rule": "3D6-13"}]
    assert gained | {"parts": parts} in record["effects"]


def test_json_tells_round_and_turn(fight: Player) -> None:
    record = fight.ok("next --json").record
    assert (record["action"], record["round"], record["turn"]) == ("next", 1, "Drone")


def test_the_dead_and_the_stunned_are_skipped_and_the_player_is_warned(
    crisis: Player, sheets: Sheets
) -> None:
    """ALL-5, 3D6-17."""
    crisis.ok("init jack --vs drone:2 --open --dice 6,6,6,5,5,5,1,1,1")
    crisis.ok("set drone-1 health 0")
    shown = crisis.ok("next")
    assert "Drone 2's turn." in shown.out
    crisis.ok("next")
    crisis.ok("set drone-2 condition:stunned on")
    shown = crisis.ok("next")
    assert "Jack's turn." in shown.out and "Round 3" in shown.out
    assert "Drone 2 is no longer stunned." in shown.out


def test_whose_turn_it_is_is_always_the_last_word(crisis: Player, sheets: Sheets) -> None:
    """Also where the turn comes back to the same fighter: after round 0, and when all others are out."""
    crisis.ok("init jack --vs drone --open --surprise jack --dice 6,6,6,1,1,1")
    assert crisis.ok("next").lines[-1] == "Jack's turn."
    crisis.ok("set drone health 0")
    assert crisis.ok("next").lines[-1] == "Jack's turn."


def test_the_turn_of_nobody_is_an_error_and_not_a_loop(fight: Player) -> None:
    fight.ok("set jack health 0")
    fight.ok("set drone health 0")
    assert fight.refused(3, "next --json").error["hint"]


def test_it_takes_no_dice_where_none_fall(fight: Player) -> None:
    fight.refused(2, "next --dice 1")


def test_without_a_crisis(crisis: Player) -> None:
    error = crisis.refused(3, "next --json").error
    assert error["code"] == "no_crisis" and "init" in error["hint"]


def asleep(crisis: Player, *names: str) -> None:
    crisis.ok("init hagen --vs bandit --open --seed 5 --dice 5,5,5,1,1,1,1")
    for name in names:
        crisis.ok(f"set {name} condition:asleep on")


def test_rounds_go_on_until_the_last_who_stood_has_bled_to_death(crisis: Player) -> None:
    """POOL-37, POOL-38: one bleeds, the other sleeps; that decides it, though no fighter can act."""
    asleep(crisis, "bandit")
    crisis.ok("set hagen wounds 9")
    crisis.ok("set hagen condition:bleeding 5")
    record = crisis.ok(f"next --json --dice {'1,' * 11}1").record
    assert record["turn"] == ""
    status = crisis.ok("status --json").record
    assert (status["actor"], status["decided"], status["winner"]) == (None, True, "opponents")
    assert "nobody_can_act" in crisis.refused(3, "next --json").error["code"]
    assert "No fighter can act" in crisis.ok("log").out
    assert crisis.ok("verify").status == 0
    assert crisis.refused(3, "play --auto --json").error["code"] == "decided"
    assert crisis.ok("end --json --no-save").record["winner"] == "opponents"


def test_a_fight_in_which_all_sleep_ends_undecided(crisis: Player) -> None:
    asleep(crisis, "hagen", "bandit")
    crisis.refused(3, "next")
    assert "Undecided" in crisis.ok("play --auto").out
