"""The pools that a question shows are those of now: what has been spent in its action so far is gone."""

from __future__ import annotations

import re

import pytest
from conftest import Player


@pytest.fixture
def tilda(crisis: Player) -> Player:
    """An open crisis in the turn of Tilda, who has one re-roll, one bonus die and one destiny die."""
    crisis.ok("init tilda --vs bandit --open --seed 3 --apart 1")
    while crisis.ok("status --json").record["actor"] != "Tilda":
        crisis.ok("next")
    return crisis


def states(shown: str, who: str, mark: str = "+") -> list[str]:
    """The state of a fighter in each question, in one line."""
    found = re.findall(rf"{re.escape(mark)} {who} .*(?:\n {{6}}.*)*", shown)
    return [" ".join(one.split()) for one in found]


def asked(crisis: Player, words: str, answers: list[str]) -> list[str]:
    """What the line of Tilda shows in each question of an action in which all dice fail."""
    for dice in range(6, 60):
        shown = crisis(f"{words} --dice {','.join('1' * dice)}", answers=answers)
        if shown.status == 0:
            return states(shown.err, "Tilda")
    raise AssertionError(shown)


def test_what_a_choice_has_spent_is_gone_in_the_next_question(tilda: Player) -> None:
    first, second, third = asked(tilda, "attack bandit", ["reroll", "bonus", "keep"])
    assert "re-rolls" in first and "1/1" in first.split("re-rolls")[1]
    assert "0/1" in second.split("re-rolls")[1] and "1/1" in second.split("bonus dice")[1]
    assert "0/1" in third.split("re-rolls")[1] and "0/1" in third.split("bonus dice")[1]


def test_what_the_attacker_had_planned_is_gone_when_the_target_is_asked(crisis: Player) -> None:
    crisis.ok("init hagen --vs tilda --open --seed 3 --apart 1")
    while crisis.ok("status --json").record["actor"] != "Tilda":
        crisis.ok("next")
    crisis.ok("set tilda rerolls 1")
    shown = crisis("attack hagen --reroll --dice 1,1,1,1,1,1,5,5,5,5,5,5", answers=["none"])
    (state,) = states(shown.err, "Tilda", "×")
    assert "0/1" in state.split("re-rolls")[1]


def test_the_price_of_the_action_is_paid_where_its_actor_is_asked(tilda: Player) -> None:
    before = tilda.fighter("Tilda")["pools"]["actions"]
    (only,) = asked(tilda, "attack bandit", ["keep"])
    assert f"actions {before - 1}" in only


def test_luck_that_is_spent_on_the_attack_is_gone_at_the_damage(crisis: Player) -> None:
    crisis.ok("init cass doc --vs mutant ghoul --open --seed 12 --initiator cass")
    words = "attack mutant --location torso --extra-rounds 0 --dice 18,19,3,3,4,4,1,2"
    shown = crisis(words, answers=["luck", "keep"])
    first, second = states(shown.err, "Cass")
    assert "5/5" in first.split("Luck")[1] and "4/5" in second.split("Luck")[1]
