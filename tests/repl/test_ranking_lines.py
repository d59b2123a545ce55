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


@pytest.mark.parametrize("line", ["1", "attack 1"])
def test_the_ranking_of_someone_else_is_not_taken(crisis: Player, pair: Evening, line: str) -> None:
    shown = pair(typed("odds", "next", line))
    assert "it is Ada's turn, and the last ranking was Jack's" in shown.err
    assert "rank what Ada can do: odds" in shown.err
    assert crisis.ok("log --json").records[-1]["action"] == "next"


def test_a_ranking_of_an_opponent_is_the_last_one_too(crisis: Player, pair: Evening) -> None:
    shown = pair(typed("odds", "odds --by drone", "1"))
    assert "it is Jack's turn, and the last ranking was Drone's" in shown.err
    assert crisis.ok("log --json").records[-1]["action"] == "init"


def test_a_ranking_without_numbered_lines_is_the_last_one_too(crisis: Player, evening: Evening) -> None:
    crisis.ok("init jack ada --vs drone --apart 6 --open --dice 6,6,6,5,5,5,1,1,1")
    shown = evening(typed("odds --by ada", "odds", "1", "attack 1"))
    assert shown.err.count("Jack's ranking has no line 1\n") == 2
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
