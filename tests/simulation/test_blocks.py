"""The blocks that fights are shared out in."""

from __future__ import annotations

import time

import pytest

from crisis_cli.signals import Stop
from crisis_cli.simulation.blocks import FIGHTS, Counts, Work, run


def sizes(fights: int, most: int) -> list[int]:
    """The sizes of the blocks that are fought, in their order."""
    found: list[int] = []

    def fight_block(number: int, many: int, tick: object) -> Counts:
        assert number == len(found)
        found.append(many)
        return {FIGHTS: many}

    assert run(Work(fights, most, fight_block, Stop(), time.monotonic))[FIGHTS] == fights
    return found


def test_a_block_is_as_large_as_all_before_it_up_to_the_largest() -> None:
    assert sizes(30, 8) == [1, 1, 2, 4, 8, 8, 6]


@pytest.mark.parametrize("fights", [1, 2, 3, 7, 8, 9, 16, 17])
def test_blocks_have_all_fights(fights: int) -> None:
    found = sizes(fights, 8)
    assert sum(found) == fights and 0 not in found
    work = Work(fights, 8, lambda number, many, tick: {}, Stop(), time.monotonic)
    assert work.blocks == len(found) and work.before(len(found)) == fights
