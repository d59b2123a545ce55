"""What a side has in common: its pool outside a crisis and in one, and who is near without being a target."""

from __future__ import annotations

import pytest
from conftest import Player


def test_a_pool_of_the_side_is_said_outside_a_crisis_and_paid_from(crisis: Player) -> None:
    """2D20-6, 2D20-7."""
    crisis.refused(3, "attack cass mutant --buy 2 --ap 2")
    record = crisis.ok("attack cass mutant --buy 2 --ap 4 --dice 12,12,12,12 --json").records[0]
    parts = [{"name": "cost", "value": -3, "rule": "2D20-6"}]
    paid = {"who": "players", "what": "ap", "was": 4, "now": 1, "rule": "2D20-6", "parts": parts}
    assert paid in record["effects"]
    assert "0…6" in crisis.refused(3, "attack cass mutant --ap 7").err


def test_in_a_crisis_the_pool_is_what_it_is(crisis: Player) -> None:
    """2D20-7: shown, set by the GM, not by an option."""
    crisis.ok("init cass doc --vs mutant --open --seed 1")
    assert "opponents: AP 2" in crisis.ok("status").out
    assert crisis.ok("status --json").records[0]["sides"] == {"players": {"ap": 0}, "opponents": {"ap": 2}}
    assert "crisis set players ap 3" in crisis.refused(2, "attack mutant --ap 3").err
    crisis.ok("set players ap 3")
    shown = crisis.ok("attack mutant --buy 1 --dice 12,12,12")
    assert "players  AP 3 → 2" in shown.out
    crisis.ok("undo")
    assert "players: AP 3" in crisis.ok("status").out


@pytest.mark.parametrize(("words", "ap"), [("cass robot --vs mutant", 1), ("cass doc robot --vs mutant", 2)])
def test_an_npc_beside_the_players_is_no_player_character(crisis: Player, words: str, ap: int) -> None:
    """2D20-7: the opponents begin with one AP for each player character, whatever side `--vs` puts others on."""
    crisis.ok(f"init {words} --open --seed 1")
    assert crisis.ok("status --json").record["sides"] == {"players": {"ap": 0}, "opponents": {"ap": ap}}


def test_a_fighter_who_is_named_as_near_is_no_target(crisis: Player) -> None:
    """2D20-15."""
    record = crisis.ok("attack cass ghoul --reach mutant --dice 12,12 --json").records[0]
    assert record["targets"] == ["Ghoul"] and record["rolls"][0]["difficulty"] == 3


def test_odds_tell_what_the_side_gains(crisis: Player) -> None:
    """2D20-5."""
    report = crisis.ok("odds attack cass mutant --json").records[0]
    assert report["effects"]["players"]["ap"]["mean"] > 0
    assert "players' AP" in crisis.ok("odds attack cass mutant").out


def test_an_ally_is_helped_and_a_thing_drawn_in_one_s_own_turn(crisis: Player) -> None:
    """2D20-11."""
    crisis.ok("init cass doc --vs mutant --open --seed 1")
    assert "means to help Doc" in crisis.ok("act assist doc --skill speech").out
    assert "helps Doc with cha+speech" in crisis.ok("status").out
    assert "draws the stimpak" in crisis.ok("act draw stimpak").out
    assert "holds repeater, stimpak" in crisis.ok("status").out


@pytest.mark.parametrize(
    "words", ["act assist mutant --skill speech", "act command doc", "act assist cass --skill speech"]
)
def test_only_allies_are_helped_and_only_npcs_commanded(crisis: Player, words: str) -> None:
    """2D20-11."""
    crisis.ok("init cass doc --vs mutant --open --seed 1")
    crisis.refused(3, words)


def test_a_command_is_obeyed_at_once_and_helped(crisis: Player) -> None:
    """2D20-11: an NPC by its sheet, whichever side it is on here."""
    crisis.ok("init cass ghoul --vs mutant --open --seed 5")
    assert "before the turn ends" in crisis.ok("act command ghoul").out
    shown = crisis.ok("attack mutant --by ghoul --dice 8,9,9,7,1,3,3,3")
    assert "Cass's assist" in shown.out and "a hit" in shown.out
    crisis.refused(3, "attack mutant --by ghoul")
