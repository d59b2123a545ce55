"""A number typed alone: the line of the ranking it was shown in, and of no other fighter's."""

from __future__ import annotations

import pytest
from conftest import Player

from .conftest import ENTER, Evening


def typed(*lines: str) -> str:
    return "".join(line + ENTER for line in lines)


@pytest.fixture
def pair(crisis: Player, evening: Evening) -> Evening:
    """An open crisis of two against one foe, in the turn of the first."""
    crisis.ok("init jack ada --vs drone --open --dice 6,6,6,5,5,5,1,1,1")
    return evening


def test_the_ranking_of_someone_else_is_no_target(crisis: Player, pair: Evening) -> None:
    shown = pair(typed("odds", "next", "attack 1"))
    assert "it is Ada's turn, and the last ranking was Jack's" in shown.err
    assert "rank what Ada can do: odds" in shown.err
    assert crisis.ok("log --json").records[-1]["action"] == "next"


def test_what_the_ranking_of_someone_else_shows_is_done_where_it_is_possible(
    crisis: Player, pair: Evening
) -> None:
    assert "= attack drone" in pair(typed("odds", "next", "1")).lines
    done = crisis.ok("log --json").records[-1]
    assert (done["action"], done["actor"]) == ("attack", "Ada")


def test_where_it_is_not_a_new_ranking_is_shown(crisis: Player, pair: Evening) -> None:
    shown = pair(typed("odds", "odds --by drone", "1"))
    assert shown.err == "" and "that ranking was Drone's; now:" in shown.out
    assert shown.out.count("Single actions of Jack") == 2
    assert crisis.ok("log --json").records[-1]["action"] == "init"


def test_a_ranking_without_attacks_is_the_last_one_too(crisis: Player, evening: Evening) -> None:
    crisis.ok("init jack ada --vs drone --apart 6 --open --dice 6,6,6,5,5,5,1,1,1")
    shown = evening(typed("odds --by ada", "odds", "attack 1"))
    assert shown.err.startswith("error: line 1 of the ranking is no attack\n")
    assert crisis.ok("log --json").records[-1]["action"] == "init"


def test_a_number_beyond_the_ranking(pair: Evening) -> None:
    assert "Jack's ranking has no line 999; its last is 1" in pair(typed("odds", "999")).err


def test_of_those_who_act_together_the_one_whose_ranking_it_is_acts(crisis: Player, evening: Evening) -> None:
    crisis.ok("init ines bruno --vs looter --apart 0 --open --seed 8")
    while crisis.ok("status --json").record["actor"] != "Ines":
        crisis.ok("next")
    shown = evening(typed("odds --by bruno", "1"), answers=("",) * 4)
    assert "--by bruno" in shown.out
    assert crisis.ok("log --json").records[-1]["actor"] == "Bruno"
