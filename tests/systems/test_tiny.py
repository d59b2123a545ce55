"""The smallest system through the whole command line: nothing but its own folder and a line in the registry."""

from __future__ import annotations

import pytest
from conftest import Player, Sheets

from crisis_cli.engine.system import System

ANN = 'name = "Ann"\nsystem = "tiny"\n'
BOB = 'name = "Bob"\nsystem = "tiny"\nplayer = false\nguard = 3\n'


@pytest.fixture
def table(crisis: Player, sheets: Sheets, tiny: System) -> Player:
    """A player with the sheets of Ann and Bob, and no crisis."""
    sheets.write("ann", ANN)
    sheets.write("bob", BOB)
    return crisis


@pytest.fixture
def duel(table: Player) -> Player:
    """Ann and Bob in a crisis, Ann's turn."""
    table.ok("init ann bob --open")
    return table


def test_an_attack_is_reported_without_a_weapon(table: Player) -> None:
    assert table.ok("attack ann bob --dice 3").lines == [
        "Ann attacks Bob: [3] against 3 — a hit.",
        "  Bob  ▼ grit 2 → 1",
    ]
    assert table.ok("attack ann bob --dice 2 --quiet").out == "miss\n"
    record = table.ok("attack ann bob --dice 3 --json").record
    assert (record["success"], record["outcome"]) == (True, "hit")
    cost = {"name": "cost", "value": -1, "rule": "TINY-2"}
    assert record["effects"] == [
        {"who": "Bob", "what": "grit", "was": 2, "now": 1, "rule": "TINY-2", "parts": [cost]}
    ]
    assert table("attack ann bob --dice 2 --exit-status").status == 1


def test_odds_are_exact(table: Player) -> None:
    shown = table.ok("odds attack ann bob")
    assert "hit  66.67 %" in shown.out and "Bob's grit: −0.67 on average" in shown.out
    assert table.ok("odds check ann luck --difficulty 6 --quiet").out == "0.166667\n"


def test_a_check_and_a_treatment(table: Player) -> None:
    assert table.ok("check ann luck --dice 4").out.endswith("[4] against 4 — success.\n")
    assert table.ok("check ann luck --dice 4 --difficulty 5 --json").record["success"] is False
    assert table.ok("heal ann").lines == ["Ann treats their own wounds.", "  Ann  bandages 1 → 0"]
    refused = table.refused(2, "check ann luck --difficulty 9")
    assert "--difficulty must be a whole number from 1 to 6" in refused.err


def test_what_it_does_not_have_is_refused_in_words(table: Player) -> None:
    assert "tiny has no action called 'throw'" in table.refused(2, "throw ann bob").err
    assert "this is tiny" in table.refused(2, "attack ann bob --cover light").err
    assert "this is tiny" in table.refused(2, "attack ann bob --range 3").err
    assert "Usage" not in table.refused(2, "attack ann bob --luck").err


def test_its_rules_are_shown(table: Player) -> None:
    assert "tiny" in table.ok("rules").out
    assert "A hit costs 1 of 2 grit" in table.ok("rules tiny").out
    assert "At or above" not in table.ok("rules TINY-2").out
    assert table.ok("rules tiny attack --json").records[0]["rule"] == "TINY-1"


def test_a_crisis_from_init_to_verify(duel: Player) -> None:
    duel.ok("attack bob --dice 3")
    assert "0 moves" in duel.refused(3, "attack bob --dice 3").err
    before = duel.ok("status --json").record
    duel.ok("next")
    duel.ok("undo")
    assert duel.ok("status --json").record == before
    duel.ok("redo")
    duel.ok("next")
    assert duel.ok("attack bob --dice 6").lines[-2:] == [
        "  † Bob is out.",
        "  The players win. To end the crisis: crisis end",
    ]
    assert duel.ok("explain").out.startswith("Entry 5  Ann attacks Bob — a hit")
    assert duel.ok("verify").status == 0
    assert duel.ok("replay").out
    duel.ok("end")
    assert "grit = 0" in (duel.here / "characters" / "bob.toml").read_text(encoding="utf-8")


def test_it_plays_itself(table: Player) -> None:
    shown = table.ok("play ann --vs bob --auto --seed 2 --reasons all")
    assert shown.lines[-1] == "The players win after 2 rounds."
    assert "careful: 67 % to hit" in shown.out


def test_what_can_be_done_is_ranked_and_listed(duel: Player) -> None:
    assert "attack bob" in duel.ok("odds").out and "1 move" in duel.ok("act --list").out
    assert {one["act"] for one in duel.ok("act --list --json").records if one["legal"]} >= {"attack"}


def test_sheets_are_made_checked_and_described(table: Player) -> None:
    assert table.ok("character new cid --system tiny").status == 0
    assert "cid, tiny: all right" in table.ok("character check cid").out
    assert table.ok("character schema tiny").out.startswith("{")
    assert "guard 4" in table.ok("character show ann").out
