"""Exact duels, against the drawn fights of the same steps."""

from __future__ import annotations

import os

import pytest
from simulations import DUELS, opening

from crisis_cli.dice.distribution import OddsTable, least_harm
from crisis_cli.dice.generator import generator
from crisis_cli.errors import TooWide
from crisis_cli.simulation.drawn import DrawnFights
from crisis_cli.simulation.duel import MarkovChain, parts, solve, solved
from crisis_cli.simulation.fight import FightLimits
from crisis_cli.simulation.memo import Memo
from crisis_cli.simulation.tally import Counts

FIGHTS = int(os.environ.get("CRISIS_FIGHTS", "1000000"))
SIGMA = 3.0


def share_of_wins(memo: Memo, fights: int) -> float:
    drawn, counts = DrawnFights(memo, FightLimits(10_000)), Counts()
    drawn.fight([*memo.opened(fights, generator(11, 0))], generator(11, 1))
    drawn.count(counts)
    return counts.get(("wins", "players"), 0) / fights


def agree(system: str, fights: int) -> None:
    memo = Memo(opening(system, *DUELS[system]), OddsTable(least_harm))
    duel = solve(memo)
    assert sum(duel.chances.values()) == pytest.approx(1)
    p = duel.chances["players"]
    found = share_of_wins(memo, fights)
    assert abs(found - p) < SIGMA * (p * (1 - p) / fights) ** 0.5, (found, p)


@pytest.mark.slow
def test_drawn_fights_agree_with_the_exact_duel() -> None:
    agree("d100", 4_000)


@pytest.mark.long
@pytest.mark.parametrize("system", ["3d6", "d100", "d6pool"])
def test_a_million_drawn_fights_agree_with_the_exact_duel(system: str) -> None:
    agree(system, FIGHTS)


def test_a_chain_that_leads_back_to_itself() -> None:
    """The gambler's ruin: from 2 of 4 it is even, with a drift of 2 to 1 it is 4 in 5."""
    for up, expected in ((0.5, 0.5), (2 / 3, 0.8)):
        chain = MarkovChain()
        # States 1 to 5 are the purses 0 to 4; 1 and 5 end it.
        chain.add({})
        for row in ({1: 1 - up, 3: up}, {2: 1 - up, 4: up}, {3: 1 - up, 5: up}):
            chain.add(row)
        chain.add({})
        chain.ends |= {1: "lost", 5: "won"}
        assert solved(chain)["won"][3] == pytest.approx(expected)
        assert sorted(map(sorted, parts(chain))) == [[0], [1], [2, 3, 4], [5]]


def test_a_fight_with_too_many_states_says_so() -> None:
    with pytest.raises(TooWide, match="more than 50 states"):
        solve(Memo(opening("d100", *DUELS["d100"]), OddsTable(least_harm)), 50)
