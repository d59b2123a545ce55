"""Fights whose steps cannot be listed: phases with too many results, and rules that read what they should not."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import pytest
from conftest import Player, Sheets, replace

import crisis_cli
from crisis_cli.commands import odds_duel
from crisis_cli.engine.system import System
from crisis_cli.errors import CrisisError
from crisis_cli.play import dueling
from crisis_cli.rules import Action, Changes, Intent, RuleTable, Setup
from crisis_cli.simulation.duel import DuelEndings, StatesFound

ANN = 'name = "Ann"\nsystem = "tiny"\n'
BOB = 'name = "Bob"\nsystem = "tiny"\nplayer = false\nguard = 3\n'


def one_of_many(table: RuleTable, who: str) -> bool:
    """Whether any of 14d20 is a 1, by looking at all of them: too many results to list."""
    table.label("storm", who, "14d20")
    return table.pool(14, 20)[0] == 1


def lowest_of_many(table: RuleTable, who: str) -> bool:
    """Whether any of 14d20 is a 1, by the lowest."""
    table.label("storm", who, "14d20")
    return table.lowest(14, 20) == 1


def storm(changes: Changes, intent: Intent, setup: Setup, outcome: bool) -> None:
    """Whoever stands in the storm loses a point of grit."""
    if outcome:
        changes.adjust(intent.actor, "grit", -1, "TINY-2")


def by_scores(changes: Changes, intent: Intent, setup: Setup, outcome: bool) -> None:
    """The storm spares whoever rolled higher for the turn order."""
    if outcome and len(changes.scene.scores) > 5:
        changes.adjust(intent.actor, "grit", -1, "TINY-2")


def by_round(changes: Changes, intent: Intent, setup: Setup, outcome: bool) -> None:
    """The storm comes in the third round."""
    if changes.scene.round == 3:
        changes.adjust(intent.actor, "grit", -1, "TINY-2")


@pytest.fixture
def with_phase(
    crisis: Player, sheets: Sheets, tiny: System, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Any, Any], Player]:
    """A player of a rulebook whose turns end with a phase of this rule and these effects."""
    sheets.write("ann", ANN)
    sheets.write("bob", BOB)

    def begin(rule: Any, effects: Any) -> Player:
        row = Action(
            "Storm", "TINY-2", lambda scene, intent: Setup(intent.actor), effects, rule, window="table"
        )
        system = replace(tiny, phases={**tiny.phases, "end-turn": row})
        monkeypatch.setattr(sys.modules["crisis_cli.systems.tiny.rulebook"], "SYSTEM", system)
        return crisis

    return begin


@pytest.mark.slow
def test_a_phase_with_too_many_results_is_rolled(with_phase: Callable[[Any, Any], Player]) -> None:
    """As the same phase comes out that asks for less: solved exactly there, sampled here."""
    exact = with_phase(lowest_of_many, storm).ok("odds duel ann bob --json").record["wins"]
    table = with_phase(one_of_many, storm)
    line = "simulate ann --vs bob --apart 0 -n 1500 --seed 7 --json"
    drawn = table.ok(f"{line} --jobs 1").record
    assert drawn["n"] == 1500
    for side, one in drawn["wins"].items():
        p = exact[side]["p"]
        assert abs(one["p"] - p) < 5 * (p * (1 - p) / 1500) ** 0.5 + 0.001, side
    assert table.ok(f"{line} --jobs 2").record["wins"] == drawn["wins"]
    several = table.ok("simulate ann --vs bob:3 --apart 0 -n 40 --seed 7 --json").record
    assert several["n"] == 40 and sum(one["p"] for one in several["wins"].values()) == pytest.approx(1)


@pytest.mark.parametrize(
    ("rule", "effects", "why"),
    [
        (one_of_many, storm, "end-turn of tiny: 14d20 have too many results to list"),
        (lowest_of_many, by_scores, "in tiny end-turn depends on the scores of the turn order"),
        (lowest_of_many, by_round, "in tiny end-turn depends on the number of the round"),
    ],
)
def test_a_duel_says_first_what_in_the_rulebook_makes_it_inexact(
    with_phase: Callable[[Any, Any], Player],
    monkeypatch: pytest.MonkeyPatch,
    rule: Any,
    effects: Any,
    why: str,
) -> None:
    table = with_phase(rule, effects)
    first, *lines = table.ok("odds duel ann bob -n 30 --seed 1").lines
    assert first == f"No exact answer: {why}. Simulating 30 fights:"
    assert lines[0].endswith("; 30 fights; seed 1")
    assert table.ok("odds duel ann bob -n 30 --seed 1 --json").record["why"] == why
    with pytest.raises(CrisisError) as refused:
        crisis_cli.Library(str(table.here)).duel("ann", "bob")
    assert (refused.value.code, refused.value.message) == ("unsuited", why)
    simulated: list[int] = []

    def fought(context: Any, start: Any, fights: Any, stop: Any) -> None:
        assert context.environment.out.getvalue().startswith("No exact answer: ")
        simulated.append(fights.fights)

    monkeypatch.setattr(odds_duel, "fought", fought)
    table("odds duel ann bob --seed 1")
    assert simulated == [10_000]
    line = "odds duel ann bob --seed 1 --doctrine reckless"
    shown = table(line).out
    assert "Simulating 500 fights (about half a minute; -n N for more):" in shown
    assert "Simulating 700 fights:" in table(f"{line} -n 700").out
    assert simulated == [10_000, 500, 700]


def test_a_duel_that_takes_long_says_what_it_does(
    with_phase: Callable[[Any, Any], Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(course: Any, tick: Any) -> DuelEndings:
        tick(StatesFound(1_234, 56))
        time.sleep(0.3)
        return DuelEndings({"players": 1.0}, 7)

    monkeypatch.setattr(odds_duel, "SILENT", 0.05)
    monkeypatch.setattr(dueling, "solve", slow)
    table = with_phase(lowest_of_many, storm)
    assert table("odds duel ann bob").err == (
        "working out all states: 1,234 of at most 1,000,000, 56 waiting; 0 s\n"
    )
    assert table("odds duel ann bob --json").err == ""
