"""Fights drawn from kept moments are those drawn without."""

from __future__ import annotations

import pytest
from simulations import DUELS, opening

from crisis_cli.dice.distribution import OddsTable, least_harm
from crisis_cli.dice.generator import generator
from crisis_cli.simulation import drawn
from crisis_cli.simulation.drawn import Drawn
from crisis_cli.simulation.fight import Limits
from crisis_cli.simulation.memo import Memo
from crisis_cli.simulation.tally import Counts

LIMITS = [Limits(), Limits(rounds=2), Limits(retreat_at=0.5)]


def fought(memo: Memo, limits: Limits) -> Counts:
    fights, counts = Drawn(memo, limits), Counts()
    assert fights.fight(100, lambda: generator(7, 0))
    fights.count(counts)
    return counts


@pytest.mark.parametrize("limits", LIMITS)
def test_what_is_kept_of_moments_changes_no_fight(limits: Limits, monkeypatch: pytest.MonkeyPatch) -> None:
    memo = Memo(opening("d100", *DUELS["d100"]), OddsTable(least_harm))
    expected = fought(memo, limits)
    assert expected
    # As if a rule had looked at the number of the round.
    memo.knows_time = True
    assert fought(memo, limits) == expected
    memo.knows_time = False
    monkeypatch.setattr(drawn, "MOST_MOMENTS", 3)
    assert fought(memo, limits) == expected
