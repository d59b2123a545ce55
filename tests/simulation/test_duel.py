"""Exact duels, against simulated fights of the same policy."""

from __future__ import annotations

import os

import pytest
from simulations import DUELS, opening

from crisis_cli.ai.doctrine_store import DoctrineStore
from crisis_cli.errors import TooWide
from crisis_cli.simulation.block import PLAIN, Fighting, Terms
from crisis_cli.simulation.duel import DuelCourse, MarkovChain, parts, solve, solved
from crisis_cli.simulation.fight import FightLimits, FightStart

FIGHTS = int(os.environ.get("CRISIS_FIGHTS", "100000"))
SIGMA = 3.0


def share_of_wins(start: FightStart, fights: int) -> float:
    terms = Terms(start, PLAIN, FightLimits(10_000), 11, DoctrineStore().named)
    return Fighting(terms).block((0, fights)).get(("wins", "players"), 0) / fights


def agree(system: str, fights: int) -> None:
    start = opening(system, *DUELS[system])
    duel = solve(DuelCourse(start))
    assert sum(duel.chances.values()) == pytest.approx(1)
    p = duel.chances["players"]
    found = share_of_wins(start, fights)
    assert abs(found - p) < SIGMA * (p * (1 - p) / fights) ** 0.5, (found, p)


@pytest.mark.slow
def test_simulated_fights_agree_with_the_exact_duel() -> None:
    agree("d100", 4_000)


@pytest.mark.long
@pytest.mark.parametrize("system", ["3d6", "d100", "d6pool"])
def test_many_simulated_fights_agree_with_the_exact_duel(system: str) -> None:
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
        solve(DuelCourse(opening("d100", *DUELS["d100"])), 50)


@pytest.mark.long
@pytest.mark.parametrize(("system", "p"), [("d100", 0.178488366), ("3d6", 0.811902199)])
def test_a_duel_has_the_chances_that_were_found_before(system: str, p: float) -> None:
    assert solve(DuelCourse(opening(system, *DUELS[system]))).chances["players"] == pytest.approx(
        p, abs=5e-10
    )
