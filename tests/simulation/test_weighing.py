"""Decisions read only what decides them; what an action comes to is looked up apart."""

from __future__ import annotations

import pytest
from simulations import DUELS, opening

from crisis_cli.dice.distribution import OddsTable, least_harm
from crisis_cli.dice.generator import generator
from crisis_cli.simulation.memo import Branch, Leaf, Memo
from crisis_cli.simulation.moments import Moments
from crisis_cli.simulation.watched import Groups, PoolNumber, State, Watch


def begun(system: str) -> tuple[Memo, State]:
    memo = Memo(opening(system, *DUELS[system]), OddsTable(least_harm))
    ((state, _),) = memo.opened(1, generator(7, 0))
    return memo, state


def hurt(memo: Memo, state: State, pool: str, by: int) -> State:
    """A state in which the fighter whose turn it is not has less in a pool."""
    slot = next(at for at in range(memo.size) if state[at].fighter.name != state[memo.size].turn)
    one = state[slot].fighter
    return (*state[:slot], memo.body(one.with_pools({pool: one.pools[pool] - by})), *state[slot + 1 :])


def ways(memo: Memo) -> int:
    """How many situations are known in which a fighter decides."""
    waiting: list[Branch | Leaf] = [
        known for step, known in memo.steps.items() if isinstance(step, tuple) and step[0] == "act"
    ]
    leaves = 0
    while waiting:
        known = waiting.pop()
        if isinstance(known, Leaf):
            leaves += 1
        else:
            waiting += known.found.values()
    return leaves


def test_how_hurt_a_foe_is_decides_what_comes_of_an_attack_but_not_whether_it_is_made() -> None:
    memo, state = begun("3d6")
    first, cells = memo.act(state)
    known, foe = ways(memo), next(at for at in (0, 1) if state[at].fighter.name != first.intent.actor)
    left = state[foe].fighter.pools["health"]
    after = [memo.act(hurt(memo, state, "health", by))[0] for by in (1, 2, left - 1)]
    assert ways(memo) == known
    assert all(one.intent == first.intent for one in after)
    assert len({tuple(one.sums) for one in after}) > 1, "an attack that may kill has other outcomes"
    assert (foe, "pool:health") in cells, "what comes of it is looked up by the health of the foe"


def test_what_comes_next_is_found_again_by_what_decides_it() -> None:
    memo, state = begun("3d6")
    moments = Moments(memo)
    first = moments.of(state)
    assert moments.of(hurt(memo, state, "health", 0)) is first
    assert moments.of(hurt(memo, state, "health", 1)) is not first
    assert moments.of(state).outcomes == first.outcomes


@pytest.mark.parametrize(("nonlethal", "health"), [(0, 5), (5, 5), (6, 5)])
def test_of_two_pools_that_are_compared_only_that_is_read(nonlethal: int, health: int) -> None:
    memo, state = begun("step")
    one = state[0].fighter.with_pools({"nonlethal": nonlethal, "health": health})
    state = (memo.body(one), *state[1:])
    watch = Watch(state)
    first = PoolNumber.made(nonlethal, watch, 0, "pool:nonlethal")
    other = PoolNumber.made(health, watch, 0, "pool:health")
    assert (first <= other) == (nonlethal <= health)
    assert watch.reads == {(0, "pool:nonlethal is <= pool:health"): nonlethal <= health}
    assert int(other) == health, "then it is read itself"
    assert first <= other or nonlethal > health
    assert (0, "pool:health") in watch.reads


def test_groups_of_cells_have_a_number_for_each_row() -> None:
    groups = Groups()
    number = groups.number(("a", "b"))
    assert groups.number(("a", "b")) == number
    assert groups.row({"a": 1, "b": 2}, number) == groups.row({"a": 1, "b": 2, "c": 3}, number)
    assert groups.row({"a": 1, "b": 2}, number) != groups.row({"a": 1, "b": 3}, number)
