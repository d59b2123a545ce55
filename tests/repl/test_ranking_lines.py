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


@pytest.mark.parametrize(
    ("lines", "wrong"),
    [
        (("odds", "next", "1"), "it is Ada's turn, and the last ranking was Jack's"),
        (("odds --by drone", "1"), "it is Jack's turn, and the last ranking was Drone's"),
        (("odds --by ada", "next", "1"), "the last ranking is of an earlier turn"),
        (("odds", "next", "next", "1"), "the last ranking is of an earlier turn"),
        (("odds", "next", "next", "attack 1"), "the last ranking is of an earlier turn"),
        (("?", "next", "next", "1"), "the last ranking is of an earlier turn"),
    ],
)
def test_a_number_of_another_turn_does_nothing(
    crisis: Player, pair: Evening, lines: tuple[str, ...], wrong: str
) -> None:
    shown = pair(typed(*lines))
    assert wrong in shown.err and shown.err.endswith(" can do: odds\n") and "\n= " not in shown.out


def test_a_number_takes_no_line_that_was_not_shown(crisis: Player, evening: Evening) -> None:
    crisis.ok("init jack --vs drone:2 --open --dice 6,6,6,1,1,1,1,1,2")
    crisis.ok("set drone-2 health 1")
    assert "Jack's ranking has no line 2; its last is 1" in evening(typed("odds --top 1", "2")).err
    assert "= attack drone-1" in evening(typed("odds", "2")).lines


def test_a_number_buys_nothing_that_was_free_when_it_was_shown(crisis: Player, evening: Evening) -> None:
    crisis.ok("init cass --vs ghoul --open --seed 3")
    crisis.ok("set players ap 4")
    shown = evening(typed("odds", "attack", "", "", "", "3"))
    assert "that ranking is out of date; now:" in shown.out and "rally" in shown.out


@pytest.mark.parametrize(
    ("answer", "done"), [("", "set"), ("n", "set"), ("y", "next"), ("note over", "note")]
)
def test_nobody_acts_unasked_in_a_fight_that_is_decided(
    crisis: Player, pair: Evening, answer: str, done: str
) -> None:
    crisis.ok("set jack health 0")
    crisis.ok("set ada health 0")
    pair(typed("next", answer))
    assert crisis.ok("log --json").records[-1]["action"] == done


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


def test_a_question_about_the_target_has_the_order_of_the_list_before_it(
    crisis: Player, evening: Evening
) -> None:
    crisis.ok("init jack --vs drone:3 --open --dice 6,6,6,5,5,5,1,1,1,1,1,2")
    for number, health in enumerate((20, 4, 12), start=1):
        crisis.ok(f"set drone-{number} health {health}")
    for lines in (("odds", "hit drone", "2"), ("odds", "attack 2")):
        shown = evening(typed(*lines))
        assert "\n2  attack drone-3 " in shown.out and "= attack drone-3" in shown.lines
        crisis.ok("undo")
