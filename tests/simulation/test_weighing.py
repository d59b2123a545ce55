"""Decisions read only what decides them; what an action comes to is looked up apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from simulations import DUELS, opening

from crisis_cli.dice.distribution import OddsTable, least_harm
from crisis_cli.dice.generator import generator
from crisis_cli.engine.scene import Intent
from crisis_cli.engine.setup import Setup
from crisis_cli.simulation.memo import Memo
from crisis_cli.simulation.moments import Moments
from crisis_cli.simulation.trees import Chain, Leaf, Tree
from crisis_cli.simulation.watched import (
    Groups,
    More,
    PoolNumber,
    PoolShare,
    State,
    Watch,
    WatchedScene,
    settled,
)
from crisis_cli.simulation.weighing import PaidOutcome, Weighed, Weighing


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
    waiting: list[Tree] = [
        known for step, known in memo.steps.items() if isinstance(step, tuple) and step[0] == "act"
    ]
    leaves = 0
    while waiting:
        known = waiting.pop()
        if isinstance(known, Leaf):
            leaves += 1
        elif isinstance(known, Chain):
            waiting.append(known.after)
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
    asked = [cell for slot, cell in cells if slot == foe and cell.startswith("pool:health is ")]
    assert len(asked) > 1, "what comes of it is looked up by how the health of the foe compares with the harm"
    assert (foe, "pool:health") not in cells, "an attack that cannot kill does not read it"


def pools_of(memo: Memo, state: State) -> tuple[Watch, dict[str, Any]]:
    """What notes the reads of a state, and the pools of the first fighter in it."""
    watch = Watch(state)
    return watch, dict(WatchedScene.made(state, watch).fighters[memo.names[0]].pools.items())


def test_a_pool_is_added_to_and_compared_without_being_read() -> None:
    memo, state = begun("3d6")
    watch, pools = pools_of(memo, state)
    health = pools["health"]
    less = health - 3
    assert less - health == -3 and less != health and less < health and less + 3 == health
    assert not watch.reads
    assert less > 0 and less >= 1 and not less < 0
    assert watch.reads == {(0, "pool:health is <= 3"): False}, "what follows from it is not asked again"
    assert (less.seen_from(0, "pool:health"), repr(less.seen_from(0, "pool:health"))) == (-3, "More(-3)")
    assert (0, "pool:health") not in watch.reads


@pytest.mark.parametrize(
    "does",
    [
        lambda pools: int(pools["health"]),
        lambda pools: 30 - pools["health"],
        lambda pools: pools["endurance"] + pools["health"],
        lambda pools: pools["endurance"] - pools["health"],
        lambda pools: (pools["endurance"] - 1) - (pools["health"] - 1),
        lambda pools: pools["endurance"] * pools["health"],
        lambda pools: pools["health"] / 2,
    ],
)
def test_a_pool_whose_number_is_used_has_been_read(does: Callable[[Mapping[str, int]], float]) -> None:
    memo, state = begun("3d6")
    watch, pools = pools_of(memo, state)
    assert does(pools) == does(state[0].fighter.pools)
    assert (0, "pool:health") in watch.reads


@pytest.mark.parametrize(("slot", "cell"), [(0, "pool:endurance"), (1, "pool:health")])
def test_a_pool_that_another_is_set_to_has_been_read(slot: int, cell: str) -> None:
    memo, state = begun("3d6")
    watch, pools = pools_of(memo, state)
    assert (pools["health"] - 1).seen_from(slot, cell) == state[0].fighter.pools["health"] - 1
    assert (0, "pool:health") in watch.reads


def test_a_number_that_follows_from_a_pool_is_kept_as_such() -> None:
    memo, state = begun("3d6")
    watch, pools = pools_of(memo, state)
    number = settled(pools["health"] - 3)
    share = settled(1 + PoolShare.made(pools["health"] - 3, 0.5) * 2)
    assert not watch.reads
    for by in (0, 1, 5):
        other = hurt(memo, state, "health", by) if state[2].turn != memo.names[0] else state
        left = other[0].fighter.pools["health"] - 3
        assert (number.at(other), share.at(other)) == (left, 1 + left)
    assert settled(int(pools["health"]) - 3) == number.at(state)
    assert settled(PoolShare.made(pools["health"], 0.5)) == state[0].fighter.pools["health"] / 2
    assert settled(0.25) == 0.25


def test_a_fatal_hit_is_worked_out_once_however_little_is_left() -> None:
    memo, state = begun("2d20")
    while memo.act(state)[0] is None or not memo.act(state)[0].intent.targets:
        law = memo.next(state, memo.leaving(state))[0] if memo.act(state)[0] is None else memo.act(state)[0]
        state = memo.after(state, law.outcomes[0])
    foe = next(at for at in (0, 1) if state[at].fighter.name != state[2].turn)
    left = state[foe].fighter.pools["hp"]
    memo.act(hurt(memo, state, "hp", left - 4))
    known = len(effects_known(memo))
    found = memo.act(hurt(memo, state, "hp", left - 3))[0]
    harms = {number for outcome in found.outcomes for (kind, *_), number in outcome.tags if kind == "harm"}
    assert max(harms) == 3, "nobody loses more than is left"
    assert len(effects_known(memo)) - known < known / 2, "only hits of 3 and 4 come to something else"


def effects_known(memo: Memo) -> list[Leaf]:
    """All that is known of single answers of dice."""
    waiting = [tree for step, tree in memo.steps.items() if step[0] != "act"]
    found: list[Leaf] = []
    while waiting:
        known = waiting.pop()
        if isinstance(known, Leaf):
            found += [known] * isinstance(known.found, PaidOutcome)
        elif isinstance(known, Chain):
            waiting.append(known.after)
        else:
            waiting += known.found.values()
    return found


def test_how_many_rounds_are_loaded_decides_nothing_while_there_are_enough() -> None:
    memo, state = begun("2d20")
    while state[2].turn != "Cass":
        found = memo.act(state)[0] or memo.next(state, memo.leaving(state))[0]
        state = memo.after(state, found.outcomes[0])
    memo.act(state)
    known, weighings = ways(memo), len(memo.weighings)
    one = state[0].fighter
    fewer = memo.body(one.with_pools({"ammo:repeater": one.pools["ammo:repeater"] - 5}))
    assert memo.act((fewer, *state[1:]))[0] is not None
    assert (ways(memo), len(memo.weighings)) == (known, weighings)


def test_a_pool_thought_of_as_less_is_looked_up_by_what_it_really_holds() -> None:
    memo, state = begun("3d6")
    patch = memo.patch({"pools": {"health": More(-4)}})
    thought = patch[state[0]]
    assert thought.fighter.pools["health"] == state[0].fighter.pools["health"] - 4
    weighing = Weighing(
        lambda one, other: (Weighed([], 0.0), READ), "", Intent(""), Setup(None), ((0, patch),), True
    )
    assert [*weighing.at(state)[1]] == [
        (0, "pool:health is <= 7"),
        (0, "pool:health"),
        (0, "pool:health"),
        (0, "pool:ap"),
        (1, "pool:health is <= 3"),
    ]
    set_to = Weighing(
        weighing.weighed, "", Intent(""), Setup(None), ((0, memo.patch({"pools": {"health": 4}})),), True
    )
    assert [*set_to.at(state)[1]] == [(0, "pool:ap"), (1, "pool:health is <= 3")]


READ = (
    (0, "pool:health is <= 3"),
    (0, "pool:health"),
    (0, "pool:health is <= pool:ap"),
    (1, "pool:health is <= 3"),
)


def test_marks_of_one_kind_are_read_without_the_others() -> None:
    memo, state = begun("2d20")
    one = state[0].fighter._replace(marks={"reach:Robot": 1, "reach:Ada": 1, "aim": 2})
    state = (memo.body(one), *state[1:])
    watch = Watch(state)
    seen = WatchedScene.made(state, watch).fighters[one.name]
    assert seen.marks_of("reach") == {"Robot": 1, "Ada": 1}
    assert watch.reads == {(0, "marks_of:reach"): (("Ada", 1), ("Robot", 1))}
    assert seen.with_entry("marks", "reach:Ada", None).marks_of("reach") == {"Robot": 1}
    assert len(watch.reads) == 1


def test_what_comes_next_is_found_again_by_what_decides_it() -> None:
    memo, state = begun("3d6")
    moments = Moments(memo)
    first = moments.of(state)
    assert moments.of(hurt(memo, state, "health", 0)) is first
    assert moments.of(hurt(memo, state, "health", 1)) is first, "no attack kills by one point more"
    foe = next(body.fighter for body in state[:2] if body.fighter.name != state[2].turn)
    assert moments.of(hurt(memo, state, "health", foe.pools["health"] - 1)) is not first
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


def test_entries_of_a_fighter_are_read_one_by_one() -> None:
    _, state = begun("2d20")
    watch = Watch(state)
    scene = WatchedScene.made(state, watch)
    name = next(iter(scene.fighters))
    one = scene.fighters[name]
    assert not one.has("prone") and "aimed" not in one.marks
    assert watch.reads == {(0, "conditions:prone"): None, (0, "marks:aimed"): None}
    fallen = one.with_entry("conditions", "stunned", True).with_entry("conditions", "prone", None)
    assert fallen.has("stunned") and fallen.conditions.get("prone", 0) == 0
    assert (0, "conditions:stunned") not in watch.reads, "what has been put there is not read"
    assert dict(fallen.conditions) == {"stunned": True}
    assert watch.reads[0, "conditions"] == (), "who looks through all has read all"
    with pytest.raises(KeyError):
        fallen.conditions["dead"]


def test_pools_of_sides_are_added_to_and_compared_without_being_read() -> None:
    _, state = begun("2d20")
    watch = Watch(state)
    scene = WatchedScene.made(state, watch)
    more = scene.with_side_pool("players", "ap", scene.side_pool("players", "ap") + 2)
    assert more.side_pool("players", "ap") - scene.side_pool("players", "ap") == 2
    assert not watch.reads
    assert more.side_pool("players", "ap") <= 6
    assert watch.reads == {(2, "side:players:ap is <= 4"): True}
    assert dict(more.sides)["players"] == {"ap": 2 + state[2].scene.side_pool("players", "ap")}
    assert (2, "sides") in watch.reads


def test_of_what_has_been_read_elsewhere_only_what_is_new_is_noted() -> None:
    _, state = begun("3d6")
    health = state[0].fighter.pools["health"]
    watch = Watch(state)
    watch.take(((0, f"pool:health is <= {health}"), (0, f"pool:health is < {health + 1}"), (0, "held")))
    assert list(watch.reads) == [(0, f"pool:health is <= {health}"), (0, "held")]
    watch.take(((0, "pool:health"), (0, "pool:health is <= 1"), (0, "held")))
    assert list(watch.reads)[2:] == [(0, "pool:health")]


def test_an_answer_of_dice_that_recur_is_worked_out_once_for_all_states_that_it_reads_alike() -> None:
    memo, state = begun("2d20")
    first, _ = memo.act(state)
    learnt = memo.misses
    after, _ = memo.act(hurt(memo, state, "hp", 6))
    assert after.intent == first.intent
    assert 0 < memo.misses - learnt < learnt / 2, "most answers come to the same however hurt a foe is"
