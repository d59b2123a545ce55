"""Fights by what is remembered of their steps are, fight by fight, those that the engine plays with the same dice."""

from __future__ import annotations

import gc

import pytest
from conftest import Player
from simulations import CHARACTERS, FightWords, opened

from crisis_cli.dice.generator import generator
from crisis_cli.simulation.fight import Course, EngineCourse, FightLimits, FightStart, play_fight
from crisis_cli.simulation.state import FighterState
from crisis_cli.simulation.steps import RememberedCourse
from crisis_cli.simulation.tally import Counts

FIGHTS = [
    FightWords("3d6", "jack", "drone", apart=0),
    FightWords("3d6", "jack ada", "drone:2"),
    FightWords("d100", "bruno", "marshal"),
    FightWords("d100", "bruno ines", "looter:3"),
    FightWords("d6pool", "hagen", "revenant"),
    FightWords("d6pool", "hagen tilda", "bandit:2", apart=0),
    FightWords("step", "vera", "raider"),
    FightWords("step", "vera moss", "raider:2"),
    FightWords("2d20", "cass", "robot"),
    FightWords("2d20", "cass doc", "mutant:2"),
]
NO_LIMITS = FightLimits()
MANY = [
    *FIGHTS,
    FightWords("3d6", "jack ada", "drone:3"),
    FightWords("3d6", "jack:3", "drone:3", apart=0),
    FightWords("d100", "bruno:2 ines", "looter:3"),
    FightWords("d6pool", "hagen tilda:2", "bandit:3"),
    FightWords("step", "vera:3", "raider:3"),
    FightWords("2d20", "cass:2 doc", "mutant:3"),
]


def played(course: Course, fights: int, limits: FightLimits) -> list[Counts | None]:
    """What so many fights come to, one by one."""
    table = course.new_table(generator(5).random)
    return [play_fight(course, table, limits) for _ in range(fights)]


def same(start: FightStart, fights: int, limits: FightLimits = NO_LIMITS) -> None:
    by_engine, remembered = EngineCourse(start), RememberedCourse(start)
    assert played(remembered, fights, limits) == played(by_engine, fights, limits)


@pytest.mark.parametrize("words", FIGHTS, ids=str)
def test_remembered_fights_are_those_of_the_engine(words: FightWords) -> None:
    same(opened(words), 3)


def test_fights_end_alike_where_they_are_limited() -> None:
    same(opened(FIGHTS[0]), 6, FightLimits(rounds=3))
    same(opened(FIGHTS[2]), 6, FightLimits(retreat_at=0.6))


@pytest.mark.long
@pytest.mark.parametrize("apart", [None, 0])
@pytest.mark.parametrize("words", MANY, ids=str)
def test_many_remembered_fights_are_those_of_the_engine(words: FightWords, apart: int | None) -> None:
    same(opened(words._replace(apart=apart)), 40)


def test_to_forget_changes_no_fight(monkeypatch: pytest.MonkeyPatch) -> None:
    start = opened(FIGHTS[0])
    kept = played(RememberedCourse(start), 8, FightLimits())
    monkeypatch.setattr("crisis_cli.simulation.steps.MOST_NODES", 100)
    assert played(RememberedCourse(start), 8, FightLimits()) == kept


def test_what_is_forgotten_is_freed() -> None:
    course = RememberedCourse(opened(FIGHTS[0]))
    played(course, 4, NO_LIMITS)

    def kept() -> int:
        found = [one for one in gc.get_objects() if isinstance(one, FighterState)]
        return sum(one.policy is course.policy for one in found)

    assert kept() > 10
    course.forget()
    assert kept() == 0


def test_every_system_is_among_them() -> None:
    assert {words.system for words in FIGHTS} == {
        folder.name for folder in CHARACTERS.iterdir() if folder.is_dir()
    }


def test_fighters_may_come_into_a_simulated_fight(crisis: Player) -> None:
    shown = crisis.ok("simulate --encounter mill -n 4 --seed 1 --json").record
    assert shown["n"] == 4
