"""What a rulebook declares is held to be true by the conformance suite."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from conftest import replace

from crisis_cli.conformance import suite
from crisis_cli.conformance.casebook import sheet
from crisis_cli.engine.legal_actions import legal
from crisis_cli.engine.setup import Cost
from crisis_cli.engine.system import Opponents, System
from crisis_cli.engine.wording import Mark
from crisis_cli.rules import Action, Alternative, Changes, Charge, ExactOdds, Intent, RuleTable, Scene

SHEETS = [{"name": name, "system": "tiny"} for name in ("Ann", "Bob", "Cid")]


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Puts a rulebook in place of those that the suite tries, with a scene of three fighters in a round."""

    def try_out(system: System) -> None:
        scene = suite.opened(system, suite.met(system, [sheet(system, one)[0] for one in SHEETS]), 1)
        scene = suite.each(scene, lambda at, one: one._replace(pools={**one.pools, "go": at}))
        monkeypatch.setattr(suite, "load", lambda name: system)
        monkeypatch.setattr(suite, "fights", lambda name: ())
        monkeypatch.setattr(suite, "scenes", lambda name: {"": scene})
        monkeypatch.setattr(suite, "offers", lambda name: (("", scene, tuple(legal(system, scene))),))

    return try_out


def first_only(changes: Changes, *arguments: Any) -> None:
    """The first of all moves."""
    changes.set(next(iter(changes.scene.fighters)), "go", 1, "TINY-3")


@pytest.mark.parametrize("effects", [None, first_only])
def test_a_phase_that_does_not_work_fighter_by_fighter_is_found(
    tried: Any, tiny: System, effects: Any
) -> None:
    row = tiny.phases["start-round"]._replace(odds=ExactOdds(by_fighter=True))
    tried(replace(tiny, phases={"start-round": row._replace(effects=effects) if effects else row}))
    if effects is None:
        suite.test_a_phase_by_fighter_does_to_each_alone_what_it_does_to_all("tiny")
    else:
        with pytest.raises(AssertionError, match="start-round"):
            suite.test_a_phase_by_fighter_does_to_each_alone_what_it_does_to_all("tiny")


@pytest.mark.parametrize("is_round", [True, False])
def test_a_mark_that_holds_no_round_is_found(tried: Any, tiny: System, is_round: bool) -> None:
    def bind(changes: Changes, intent: Any, *arguments: Any) -> None:
        changes.mark(intent.actor, "bound", changes.scene.round + 1 if is_round else 1, "TINY-5")

    heal: Action = tiny.actions["heal"]._replace(effects=bind, costs=(), ai=Opponents())
    marks = {"bound": Mark("crisis", holds_round=True)}
    tried(replace(tiny, actions={**tiny.actions, "heal": heal}, marks=marks))
    if is_round:
        suite.test_where_something_ends_by_the_round_its_number_alone_changes_nothing("tiny")
    else:
        with pytest.raises(AssertionError, match="heal"):
            suite.test_where_something_ends_by_the_round_its_number_alone_changes_nothing("tiny")


def alone(table: RuleTable, dice: Any, who: str, lives: bool) -> None:
    """What becomes of one target: nothing."""


FOUR = [*SHEETS, {"name": "Dan", "system": "tiny"}]


def burst(least: int, odds: ExactOdds) -> Action:
    """An action on all foes that is suggested where there are at least so many."""

    def candidates(scene: Scene, who: str) -> list[Intent]:
        foes = tuple(foe.name for foe in scene.foes(who))
        return [Intent("burst", who, foes)] if len(foes) >= least else []

    return Action("Throw fire", "TINY-1", targets="many", ai=Opponents(candidates), odds=odds)


@pytest.mark.parametrize(
    ("least", "odds", "is_tried"),
    [
        (2, ExactOdds(), False),
        (3, ExactOdds(), True),
        (4, ExactOdds(), False),
        (4, ExactOdds(part=alone), False),
    ],
)
def test_an_action_is_tried_against_several_foes(
    monkeypatch: pytest.MonkeyPatch, tiny: System, least: int, odds: ExactOdds, is_tried: bool
) -> None:
    system = replace(tiny, actions={**tiny.actions, "burst": burst(least, odds)})
    monkeypatch.setattr(suite, "load", lambda name: system)
    monkeypatch.setattr(suite, "roster", lambda name: tuple(sheet(system, one)[0] for one in FOUR))
    for cached in ("scenes", "offers", "sample_actions"):
        monkeypatch.setattr(suite, cached, cache(getattr(suite, cached).__wrapped__))
    assert any("against all" in where for where in suite.scenes("tiny")) == is_tried
    if odds == ExactOdds():
        suite.test_every_scene_and_kind_of_action_is_there("tiny")
    else:
        with pytest.raises(AssertionError, match="no scene of the suite offers burst"):
            suite.test_every_scene_and_kind_of_action_is_there("tiny")


def spared(table: RuleTable, dice: Any) -> int:
    """Harm that the actor may take one less of, for a bandage."""
    ways = (
        Alternative("bear", lambda table: 2, counts="grit"),
        Alternative("spare", lambda table: 1, (), 1, pays="bandages", counts="grit"),
    )
    harm: int = table.ask(table.choose("Ann", ways).rule)
    return harm


def hurt(changes: Changes, intent: Intent, setup: Any, harm: int) -> None:
    """What the actor bears."""
    changes.adjust("Ann", "grit", -harm, "TINY-2")


@pytest.mark.parametrize("is_paid", [True, False])
def test_a_choice_that_names_a_pool_and_is_free_is_found(tried: Any, tiny: System, is_paid: bool) -> None:
    row = Action("Fall", "TINY-1", effects=hurt, rule=spared)
    if is_paid:
        row = row._replace(choices=lambda *known: (Charge("Ann", (Cost("bandages"),)),))
    tried(replace(tiny, actions={**tiny.actions, "fall": row}))
    if is_paid:
        suite.test_choices_that_cost_something_can_be_taken_and_are_paid("tiny")
    else:
        with pytest.raises(AssertionError, match=r"'spare' in fall of Ann .* costs Ann nothing"):
            suite.test_choices_that_cost_something_can_be_taken_and_are_paid("tiny")
