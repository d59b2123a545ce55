"""The search for the step at which the players win a wanted share, among steps whose shares are known."""

from __future__ import annotations

from collections.abc import Callable
from math import exp, log
from random import Random

import pytest

from crisis_cli.simulation.fair import Search

RATIOS = {0.95: 2.3, 0.85: 1.5, 0.7: 1.0, 0.5: 0.7, 0.3: 0.5}


def fights(share: Callable[[int], float], fought: list[int]) -> Callable[[int, int, int], int]:
    """Fights that the players win with a chance by step; the steps fought are added to a list."""

    def fight(step: int, block: int, many: int) -> int:
        fought.append(step)
        random = Random(1_000 * step + block)
        return sum(random.random() < share(step) for _ in range(many))

    return fight


@pytest.mark.parametrize("wanted", [0.95, 0.85, 0.7, 0.5, 0.3])
@pytest.mark.parametrize("shift", [0.3, 1, 4])
def test_it_finds_the_step_however_far_off_the_usual_ratios_are(wanted: float, shift: float) -> None:
    def ratio(step: int) -> float:
        return 60 * 0.92**step

    def share(step: int) -> float:
        return 1 / (1 + exp(-2.6 * log(ratio(step) / shift)))

    fought: list[int] = []
    found = Search(90, ratio, fights(share, fought), RATIOS, 400).find(wanted)
    assert found.confirms(wanted) and found.fights == 400
    assert abs(share(found.step) - wanted) < 0.06
    assert len(set(fought)) <= 6


def test_without_such_a_step_it_gives_the_end_that_is_nearest() -> None:
    fought: list[int] = []
    found = Search(10, lambda step: 10 - step, fights(lambda step: 1 - step / 100, fought), RATIOS, 400).find(
        0.5
    )
    assert found.step == 9 and found.fights == 50 and found.wins.low > 0.5
    hard = Search(10, lambda step: 0.1 / (step + 1), fights(lambda step: 0.05, fought), RATIOS, 400).find(0.7)
    assert hard.step == 0 and hard.fights == 50 and hard.wins.high < 0.7
    near = Search(10, lambda step: 10 - step, fights(lambda step: 0.6, fought), RATIOS, 400).find(0.5)
    assert 50 < near.fights < 400 and near.wins.low > 0.5


def test_a_gap_between_two_steps_ends_the_search() -> None:
    fought: list[int] = []
    share = lambda step: 0.9 if step < 5 else 0.2  # noqa: E731
    found = Search(10, lambda step: 2.0**-step, fights(share, fought), RATIOS, 200).find(0.5)
    assert found.step in (4, 5) and not found.confirms(0.5)


def test_a_step_that_is_clearly_off_is_given_up_early() -> None:
    fought: list[int] = []
    Search(10, lambda step: 2.0 ** (3 - step), fights(lambda step: 1.0, fought), RATIOS, 400).find(0.3)
    assert all(fought.count(step) == 1 for step in set(fought))


def test_between_two_steps_that_were_fought_it_tries_one_in_proportion_to_their_shares() -> None:
    fought: list[int] = []
    ratio = lambda step: 0.9**step  # noqa: E731
    share = lambda step: max(0.0, 1 - (step / 40) ** 4)  # noqa: E731
    found = Search(41, ratio, fights(share, fought), RATIOS, 400).find(0.5)
    assert abs(found.step - 33) <= 1 and len(set(fought)) <= 5


def test_harm_that_cannot_be_done_is_no_obstacle() -> None:
    fought: list[int] = []
    ratio = lambda step: float("inf") if step < 3 else 0.0 if step > 6 else 1.0  # noqa: E731
    share = lambda step: {4: 0.7}.get(step, 1.0 if step < 4 else 0.1)  # noqa: E731
    assert Search(10, ratio, fights(share, fought), RATIOS, 400).find(0.7).step == 4
