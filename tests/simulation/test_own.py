"""Fights simulated with the doctrines of the sheets end as those that play themselves do."""

from __future__ import annotations

import os

import pytest
from conftest import Player
from simulations import DUELS

SIDES = [(hero, foe) for hero, foe in DUELS.values()] + [
    (f"{hero} {friend}", f"{foe}:2")
    for hero, friend, foe in (
        ("jack", "ada", "drone"),
        ("bruno", "ines", "looter"),
        ("hagen", "tilda", "bandit"),
        ("vera", "moss", "raider"),
        ("cass", "doc", "ghoul"),
    )
]
FIGHTS = int(os.environ.get("CRISIS_FIGHTS", "400"))
SIGMA = 3.0


def differ(crisis: Player, hero: str, foe: str, fights: int) -> tuple[float, float]:
    """How far the shares of wins of the players are apart, and how far they may be."""
    sides = f"{hero} --vs {foe} --apart 0"
    played = [
        crisis(f"play {sides} --auto --no-journal --quiet --seed {seed}").out.startswith("players")
        for seed in range(fights)
    ]
    drawn = crisis(f"simulate {sides} --doctrine own -n {fights} --seed 1 --json").record
    p = (sum(played) / fights + drawn["wins"]["players"]["p"]) / 2
    apart = abs(sum(played) / fights - drawn["wins"]["players"]["p"])
    # Where all have ended alike, one more fight could still have ended otherwise.
    spread = max(p * (1 - p), 1 / fights)
    return apart, SIGMA * (2 * spread / fights) ** 0.5


@pytest.mark.long
@pytest.mark.parametrize(("hero", "foe"), SIDES)
def test_own_doctrines_win_as_often_as_in_play(crisis: Player, hero: str, foe: str) -> None:
    apart, allowed = differ(crisis, hero, foe, FIGHTS)
    assert apart < allowed


@pytest.mark.slow
def test_own_doctrines_win_as_often_as_in_play_in_a_few_fights(crisis: Player) -> None:
    apart, allowed = differ(crisis, "bruno", "marshal", 12)
    assert apart < allowed
