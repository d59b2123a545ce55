"""Fights among many are drawn one by one, and come to what the rules give, whatever was worked out before."""

from __future__ import annotations

from functools import lru_cache

import pytest
from conftest import slow_but
from hypothesis import given
from hypothesis import strategies as st
from simulations import DUELS, opening

from crisis_cli.ai.doctrine_store import DoctrineStore
from crisis_cli.dice.distribution import OddsTable, least_harm
from crisis_cli.dice.generator import generator
from crisis_cli.engine.turns import next_in_line
from crisis_cli.simulation import one_by_one, turns
from crisis_cli.simulation.blocks import FIGHTS
from crisis_cli.simulation.contexts import ACT, NEXT, Steps
from crisis_cli.simulation.drawn import DrawnFights
from crisis_cli.simulation.fight import FightLimits
from crisis_cli.simulation.fighting import PLAIN, Fighting, Terms
from crisis_cli.simulation.memo import BEGIN, LEAVE, NEW_ROUND, ROUND_OVER, Memo
from crisis_cli.simulation.one_by_one import OneByOne, drawn
from crisis_cli.simulation.outcomes import Law, Rest
from crisis_cli.simulation.tally import Counts, mean, numbers
from crisis_cli.simulation.watched import State

MANY = {"3d6": 20, "d100": 6, "d6pool": 1, "step": 1, "2d20": 1}
"""How many fights of three against three a test looks at."""
SAMPLE = 40
"""How many changes of turns a test looks at."""
NEVER = 10**9
SIGMA, CLOSE = 3.0, 1e-9
ENDLESS = FightLimits()


@lru_cache(1)
def memo(system: str, size: int) -> Memo:
    """What the rules give in fights of so many on either side, worked out once for tests that follow each other."""
    return Memo(opening(system, *DUELS[system], size), OddsTable(least_harm))


def begun(system: str, size: int = 3, limits: FightLimits = ENDLESS) -> OneByOne:
    return OneByOne(memo(system, size), limits)


def fought(fights: OneByOne, many: int, block: int = 0) -> Counts:
    counts = Counts()
    fights.fight(fights.memo.lined_up(many, generator(7, block)), generator(7, block, 0))
    fights.count(counts)
    return counts


@pytest.mark.slow
@pytest.mark.parametrize(
    ("system", "rounds"),
    [
        ("3d6", 30),
        ("d100", 3),
        ("d6pool", 1),
        pytest.param("d6pool", 3, marks=pytest.mark.long),
        ("step", 3),
        ("2d20", 3),
    ],
)
def test_a_turn_that_is_worked_out_goes_as_it_does_step_by_step(
    system: str, rounds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for worth in (NEVER, 1):
        monkeypatch.setattr(turns, "WORTH_WORKING_OUT", worth)
        fights = begun(system, limits=FightLimits(rounds=rounds))
        found.append([fought(fights, MANY[system], block) for block in range(2)])
    assert found[0] == found[1]
    assert found[0][0] != found[0][1]


@pytest.mark.slow
@pytest.mark.parametrize("most", ["MOST_RESULTS", "MOST_BODIES"])
def test_what_is_forgotten_between_blocks_changes_no_fight(
    most: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = fought(begun("3d6"), 8, 1)
    monkeypatch.setattr(one_by_one, most, 10)
    fights = begun("3d6")
    fought(fights, 8)
    assert not fights.steps.contexts
    assert fought(fights, 8, 1) == expected


def turned(steps: Steps, state: State) -> dict[State, float]:
    """Where the end of the turn in a state leads with which chance, part by part."""
    memo = steps.memo
    found: dict[State, float] = {}
    waiting = [(steps.step(LEAVE, state[memo.size].turn), state, 1.0)]
    while waiting:
        step, now, chance = waiting.pop()
        if step.kind == ACT:
            found[now] = found.get(now, 0.0) + chance
            continue
        if step.kind == NEXT:
            team = next_in_line(memo.scene_of(now), step.names[0])
            step = steps.step(BEGIN, *team) if team else steps.step(ROUND_OVER)
        if step.kind in (BEGIN, NEW_ROUND):
            now = (
                *now[: memo.size],
                memo.frame(now[memo.size].scene._replace(turn="")),
                *now[memo.size + 1 :],
            )
        law, _ = steps.of(step, steps.context(now), now)
        assert isinstance(law, Law)
        for outcome, more in law.chances:
            after = memo.after(now, outcome)
            waiting.append((steps.following(step, outcome, after), after, chance * more))
    return found


@pytest.mark.parametrize("system", slow_but(DUELS, "3d6", "d100", "2d20"))
def test_the_parts_of_a_change_of_turns_come_to_all_of_it(system: str) -> None:
    memo = Memo(opening(system, *DUELS[system], 1), OddsTable(least_harm))
    steps, dice, seen = Steps(memo), generator(3, 0), 0
    while seen < SAMPLE:
        ((state, _),) = memo.opened(1, dice)
        state = memo.without_scores(state)
        steps.look_at(state)
        while not memo.is_decided(state) and seen < SAMPLE:
            step, _ = memo.act(state)
            if isinstance(step, Rest):
                state = memo.after(state, memo.rolled(state, step.intent, dice.random))
                continue
            law = step
            if step is None or step.outcomes[0].ends_turn:
                law, _ = memo.next(state, state[memo.size].turn)
                seen += 1
                expected: dict[State, float] = {}
                for outcome, chance in law.chances:
                    after = memo.after(state, outcome)
                    expected[after] = expected.get(after, 0.0) + chance
                found = turned(steps, state)
                assert found.keys() == expected.keys()
                assert all(abs(found[one] - chance) < CLOSE for one, chance in expected.items())
            at, _ = drawn(law.sums, dice.random())
            state = memo.after(state, law.outcomes[at])


@pytest.mark.slow
@pytest.mark.parametrize("limits", [FightLimits(), FightLimits(rounds=4), FightLimits(retreat_at=0.5)])
@pytest.mark.parametrize("system", ["3d6", "d100"])
def test_fights_end_as_those_do_that_are_drawn_together(system: str, limits: FightLimits) -> None:
    many = {"3d6": 1_000, "d100": 300}[system]
    alone = begun(system, 2, limits)
    one = fought(alone, many)
    together, other = DrawnFights(alone.memo, limits), Counts()
    assert together.fight([*alone.memo.opened(many, generator(8, 0))], generator(8, 1))
    together.count(other)
    for key in {key for key in (*one, *other) if key[0] in ("wins", "end")}:
        p = (one.get(key, 0) + other.get(key, 0)) / (2 * many)
        spread = (2 * max(p * (1 - p), 1 / many) / many) ** 0.5
        assert abs(one.get(key, 0) - other.get(key, 0)) / many < SIGMA * spread, key
    first, second = (numbers(counts, "rounds") for counts in (one, other))
    spread = sum((number - mean(first)) ** 2 * count for number, count in first.items()) / many
    assert abs(mean(first) - mean(second)) <= SIGMA * (2 * spread / many) ** 0.5


@pytest.mark.slow
def test_fights_that_are_stopped_count_as_far_as_they_are_over() -> None:
    fights, counts = begun("3d6"), Counts()
    fights.fight(fights.memo.lined_up(20, generator(7, 0)), generator(7, 0, 0), lambda over: over == 3)
    fights.count(counts)
    assert fights.over == 3 == sum(count for key, count in counts.items() if key[0] == "wins")


@given(st.lists(st.integers(1, 9), min_size=1, max_size=6), st.floats(0, 1, exclude_max=True))
def test_what_is_left_of_a_random_number_is_one_again(weights: list[int], chance: float) -> None:
    sums = [sum(weights[: at + 1]) / sum(weights) for at in range(len(weights))]
    at, left = drawn(sums, chance)
    below = sums[at - 1] if at else 0.0
    assert below <= chance < sums[at]
    assert 0.0 <= left < 1.0
    assert below + left * (sums[at] - below) == pytest.approx(chance)


@pytest.mark.parametrize("size", [1, 3])
def test_fights_stop_while_something_is_worked_out(size: int) -> None:
    asked: list[bool] = []

    def stop_asked() -> bool:
        asked.append(len(asked) == 9)
        return asked[-1]

    terms = Terms(opening("3d6", *DUELS["3d6"], size), PLAIN, FightLimits(), 5, DoctrineStore().named)
    counts = Fighting(terms, stop_asked).part(0, 20, 0, lambda done: None)
    assert len(asked) == 10
    assert counts == (None if size == 1 else {FIGHTS: 0}), "a fight that is not over does not count"
