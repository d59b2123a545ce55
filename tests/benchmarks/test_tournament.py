"""Doctrines against each other: a sample of the tournament, and with `-m long` the whole of it."""

from __future__ import annotations

from itertools import combinations

import pytest
from shipped import DECIDED, ROUNDS, score, suggested
from shipped import fight as shipped_fight
from tournament import Cell, Score, cells, play, total
from tournament import score as cell_score

from crisis_cli.ai.doctrine_store import DoctrineStore
from crisis_cli.systems import SYSTEMS, load

FIGHTS = 60
"""Fights in each cell of the whole tournament, and of each shipped pairing."""
RIVALS = ("careful", "reckless")
DOCTRINES = sorted(DoctrineStore().names())


@pytest.mark.slow
@pytest.mark.parametrize("rival", RIVALS)
def test_a_sample_of_the_tournament(rival: str) -> None:
    """Few fights, of fixed seeds: `cunning` wins more of them than it loses."""
    found = [
        cell_score(Cell("d100", ("cunning", rival), each, far), 4) for each in (1, 2) for far in (False, True)
    ]
    assert total(found).share > 0.5


@pytest.mark.long
def test_cunning_beats_the_careful_and_the_reckless() -> None:
    """Over all systems, in reach and at range, with 95 % confidence; in no system is it clearly worse."""
    found: dict[Cell, Score] = {}
    for rival in RIVALS:
        found |= dict(play(list(cells(SYSTEMS, ("cunning", rival), "cunning")), FIGHTS, 2))
    for rival in RIVALS:
        pair = ("cunning", rival)
        for far in (False, True):
            whole = total(
                one for cell, one in found.items() if cell.doctrines == pair and cell.at_range == far
            )
            assert whole.interval[0] > 0.5, f"{rival}, {'at range' if far else 'in reach'}: {whole}"
        for name in SYSTEMS:
            whole = total(
                one for cell, one in found.items() if cell.doctrines == pair and cell.system == name
            )
            assert whole.interval[1] >= 0.5, f"{rival} in {name}: {whole}"


@pytest.mark.long
@pytest.mark.parametrize("pair", list(combinations(DOCTRINES, 2)))
def test_every_doctrine_against_every_other(pair: tuple[str, str]) -> None:
    """They fight to an end; the figures are printed (`-s`)."""
    for cell, one in play(list(cells(SYSTEMS, pair)), FIGHTS, 2):
        print(cell, one)
        assert one.fights == FIGHTS


def test_shipped_heroes_name_fair_fights() -> None:
    """Every hero suggests at least one fight, every sheet a distance."""
    for name in SYSTEMS:
        assert list(suggested([name])), name
        for one in suggested([name]):
            assert one.apart >= load(name).space.beside
    assert {one.hero for one in suggested(SYSTEMS)} >= {
        "jack",
        "ada",
        "vera",
        "ines",
        "bruno",
        "cass",
        "hagen",
        "tilda",
    }


@pytest.mark.slow
def test_a_sample_of_shipped_fights_ends() -> None:
    """One fight of each shipped pairing of the quickest system, of a fixed seed, is decided."""
    for one in suggested(["d100"]):
        assert shipped_fight(one, 1)[1].end.round < ROUNDS, one


@pytest.mark.long
def test_shipped_fights_are_fair() -> None:
    """Players win between 30 and 90 % of each pairing, and between 45 and 75 % over all; fights are decided."""
    results = {one: score(one, FIGHTS) for one in suggested(SYSTEMS)}
    for one, found in results.items():
        assert 0.3 <= found.share <= 0.9, f"{one}: {found}"
    shares = [found.share for found in results.values()]
    assert 0.45 <= sum(shares) / len(shares) <= 0.75
    rounds = sorted(count for found in results.values() for count in found.rounds)
    assert rounds[len(rounds) // 2] <= 8
    assert sum(count <= DECIDED for count in rounds) >= 0.98 * len(rounds)
