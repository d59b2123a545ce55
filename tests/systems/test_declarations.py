"""What a rulebook declares for simulated fights is held to be true by the conformance suite."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import replace

from crisis_cli.conformance import suite
from crisis_cli.conformance.casebook import sheet
from crisis_cli.engine.legal_actions import legal
from crisis_cli.engine.system import Opponents, System
from crisis_cli.engine.wording import Mark
from crisis_cli.rules import Action, Changes, ExactOdds

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
