"""Fights begin as the rules begin them, with copies of a sheet that share their states."""

from __future__ import annotations

import pytest
from conftest import slow_but
from simulations import DUELS, opening

from crisis_cli.dice.distribution import OddsTable, least_harm
from crisis_cli.dice.generator import generator
from crisis_cli.engine.dice_amount import one_die
from crisis_cli.engine.scene import Scene
from crisis_cli.engine.validate import prepare
from crisis_cli.simulation import memo as memo_module
from crisis_cli.simulation.memo import Memo
from crisis_cli.simulation.rule_sampler import RuleSampler

FIGHTS, FEW = 4_000, 60
SIGMA = 4.0
"""How far a share may be from its chance, in standard deviations: there are two orders in each of five systems."""


def begun(system: str, size: int) -> Memo:
    return Memo(opening(system, *DUELS[system], size), OddsTable(least_harm))


def lined_up(memo: Memo, fights: int) -> list[Scene]:
    return [memo.scene_of(state) for state, _ in memo.lined_up(fights, generator(7, 0))]


@pytest.mark.parametrize("system", slow_but(DUELS, "3d6", "d100"))
def test_orders_come_about_with_their_chances(system: str) -> None:
    hero, foe = DUELS[system]
    memo = Memo(opening(system, hero, foe), OddsTable(least_harm))
    prepared = prepare(memo.system, memo.opening.scene, memo.opening.intent)  # type: ignore[arg-type]
    law = memo.odds_table.of(prepared.rule, prepared.dice).of(lambda answer: answer.order)
    drawn = [scene.order for scene in lined_up(memo, FIGHTS)]
    assert {*drawn} <= {order for order, _ in law}
    for order, ways in law:
        p = ways / law.total
        assert abs(drawn.count(order) / FIGHTS - p) <= SIGMA * (p * (1 - p) / FIGHTS) ** 0.5, order


@pytest.mark.parametrize("system", DUELS)
def test_an_order_is_lined_up_as_the_rules_line_it_up(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    quickly = lined_up(begun(system, 4), FEW)
    monkeypatch.setattr(memo_module, "LineUp", type("Other", (), {}))
    assert lined_up(begun(system, 4), FEW) == quickly
    assert len({scene.order for scene in quickly}) > 1


def test_dice_with_many_faces_are_drawn() -> None:
    table = RuleSampler(generator(7, 0), OddsTable(least_harm), {})
    assert {table.times(1, one_die, 100) for _ in range(FIGHTS)} == {*range(1, 101)}
    assert {table.ask(one_die, 100) for _ in range(FIGHTS)} == {*range(1, 101)}


@pytest.mark.parametrize("system", DUELS)
def test_copies_share_their_states_and_keep_their_names(system: str) -> None:
    memo = begun(system, 2)
    scene = memo.opening.scene
    first, second, foe, other = memo.state_of(scene)[: memo.size]
    assert first is second
    assert foe is other
    assert first is not foe
    assert memo.scene_of(memo.state_of(scene)).fighters == scene.fighters
