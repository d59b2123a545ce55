"""Fights are drawn the same whatever is kept of what comes next in them."""

from __future__ import annotations

import pytest
from simulations import DUELS, opening

from crisis_cli.dice.distribution import OddsTable, least_harm
from crisis_cli.dice.generator import generator
from crisis_cli.simulation import moments
from crisis_cli.simulation.drawn import DrawnFights
from crisis_cli.simulation.fight import FightLimits
from crisis_cli.simulation.memo import Memo
from crisis_cli.simulation.tally import Counts

LIMITS = [FightLimits(), FightLimits(rounds=2), FightLimits(retreat_at=0.5)]


def fought(memo: Memo, limits: FightLimits) -> Counts:
    fights, counts = DrawnFights(memo, limits), Counts()
    assert fights.fight([*memo.opened(100, generator(7, 0))], generator(7, 1))
    fights.count(counts)
    return counts


@pytest.mark.slow
@pytest.mark.parametrize("limits", LIMITS)
def test_what_is_kept_of_moments_changes_no_fight(
    limits: FightLimits, monkeypatch: pytest.MonkeyPatch
) -> None:
    memo = Memo(opening("d100", *DUELS["d100"]), OddsTable(least_harm))
    expected = fought(memo, limits)
    assert expected
    monkeypatch.setattr(moments, "MOST_MOMENTS", 3)
    assert fought(memo, limits) == expected


@pytest.mark.slow
def test_a_block_is_the_same_whatever_was_fought_before() -> None:
    begun = opening("d100", *DUELS["d100"])
    memo = Memo(begun, OddsTable(least_harm))
    assert DrawnFights(memo, LIMITS[0]).fight([*memo.opened(300, generator(8, 0))], generator(8, 1))
    assert fought(memo, LIMITS[0]) == fought(Memo(begun, OddsTable(least_harm)), LIMITS[0])


@pytest.mark.slow
def test_fights_that_are_stopped_are_not_finished() -> None:
    drawn = DrawnFights(Memo(opening("d100", *DUELS["d100"]), OddsTable(least_harm)), LIMITS[0])
    over: list[int] = []

    def ended(many: int) -> bool:
        over.append(many)
        return len(over) == 2

    assert not drawn.fight([*drawn.memo.opened(100, generator(7, 0))], generator(7, 1), ended)
    assert 0 < over[0] < over[1] < 100


def begun(system: str, rounds: int) -> DrawnFights:
    return DrawnFights(
        Memo(opening(system, *DUELS[system]), OddsTable(least_harm)), FightLimits(rounds=rounds)
    )


def block(fights: DrawnFights) -> Counts:
    """What a block comes to, always the same."""
    counts = Counts()
    assert fights.fight([*fights.memo.opened(12, generator(7, 0))], generator(7, 1))
    fights.count(counts)
    return counts


@pytest.mark.slow
@pytest.mark.parametrize("system", DUELS)
def test_what_one_memo_tells_another_does_not_have_to_work_out(system: str) -> None:
    first, other = begun(system, 1), begun(system, 1)
    assert first.memo.told() == b"", "nothing is noted before it was asked"
    expected = block(first)
    other.memo.told()
    other.memo.learn(first.memo.told())
    assert first.memo.misses and block(other) == expected
    assert other.memo.misses == 0
    assert first.memo.told() == other.memo.told() == b"", "what was told is not told again"


def test_what_cannot_be_sent_is_not_told() -> None:
    memo = begun("d100", 1).memo
    memo.told()
    state, _ = next(iter(memo.opened(1, generator(7, 0))))
    memo.act(state)
    assert memo.news is not None
    step, reads, _ = memo.news[0]
    memo.news.append(((step, lambda: None), reads, None))
    assert memo.told() == b""
