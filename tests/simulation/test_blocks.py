"""The blocks that fights are shared out in."""

from __future__ import annotations

import os
import time
from itertools import count

import pytest

from crisis_cli.signals import Stop
from crisis_cli.simulation.blocks import FIGHTS, Counts, FightPart, Merged, Work, fight_block, run


def sizes(fights: int, most: int) -> list[int]:
    """The sizes of the blocks that are fought, in their order."""
    found: list[int] = []

    def fight_part(number: int, many: int, part: int, tick: object) -> Counts:
        assert number == len(found)
        found.append(many)
        return {FIGHTS: many}

    assert run(Work(fights, most, fight_part, Stop(), time.monotonic))[FIGHTS] == fights
    return found


def test_a_block_is_three_times_as_large_as_all_before_it_up_to_the_largest() -> None:
    assert sizes(30, 8) == [1, 3, 8, 8, 8, 2]
    assert sizes(200, 100) == [1, 3, 12, 48, 100, 36]


def test_later_blocks_have_a_quarter_of_all_before_them_up_to_the_largest() -> None:
    found = sizes(200_000, 32_768)
    assert found[6:13] == [3_072, 8_192, 8_192, 8_192, 8_192, 9_216, 11_520]
    assert all(many <= max(8_192, sum(found[:at]) / 4) for at, many in enumerate(found))
    assert max(found) == 32_768 == found[-2]


@pytest.mark.parametrize("fights", [1, 2, 3, 7, 8, 9, 16, 17])
def test_blocks_have_all_fights(fights: int) -> None:
    found = sizes(fights, 8)
    assert sum(found) == fights and 0 not in found
    work = Work(fights, 8, lambda number, many, part, tick: {}, Stop(), time.monotonic)
    assert work.blocks == len(found) and work.before(len(found)) == fights


def hasty(fight_part: FightPart, fights: int, parts: int, jobs: int = 2) -> Work:
    """Work that is shared at once: its clock says that every block takes seconds."""
    ticks = count()
    return Work(fights, 8, fight_part, Stop(), lambda: 5.0 * next(ticks), parts, jobs)


def many_of(fights: int, part: int, parts: int) -> int:
    """How many of the fights of a block stand for a part of it."""
    return fights // parts + (part < fights % parts)


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="no processes are forked here")


@needs_fork
@pytest.mark.slow
@pytest.mark.parametrize(("parts", "jobs"), [(1, 2), (2, 2), (3, 2), (2, 3), (5, 3)])
def test_processes_fight_every_part_of_every_block_once(parts: int, jobs: int) -> None:
    def fight_part(number: int, fights: int, part: int, tick: object) -> Counts:
        return {
            FIGHTS: many_of(fights, part, parts),
            ("part", part): 1,
            ("block", number): 1,
            ("pid", os.getpid()): 1,
        }

    found = run(hasty(fight_part, 100, parts, jobs))
    blocks = hasty(fight_part, 100, parts).blocks
    assert found[FIGHTS] == 100
    assert [found["part", part] for part in range(parts)] == [blocks] * parts
    assert [found["block", number] for number in range(blocks)] == [parts] * blocks
    others = {key[1] for key in found if key[0] == "pid"} - {os.getpid()}
    assert 1 < len(others) <= jobs


@needs_fork
def test_a_process_keeps_to_its_part_as_long_as_there_is_some_of_it() -> None:
    def fight_part(number: int, fights: int, part: int, tick: object) -> Counts:
        time.sleep(0.01)
        return {FIGHTS: many_of(fights, part, 2), (str(part), os.getpid()): 1}

    found = run(hasty(fight_part, 200, 2))
    shares = {key: many for key, many in found.items() if key != FIGHTS and key[1] != os.getpid()}
    most = [max(many for key, many in shares.items() if key[0] == part) for part in "01"]
    assert sum(most) >= 0.8 * sum(shares.values()), shares


@needs_fork
def test_what_a_process_that_dies_leaves_is_fought_by_the_caller() -> None:
    caller = os.getpid()

    def fight_part(number: int, fights: int, part: int, tick: object) -> Counts:
        if os.getpid() != caller and number % 3 == 0:
            os._exit(1)
        return {FIGHTS: many_of(fights, part, 2), ("part", part): 1}

    found = run(hasty(fight_part, 100, 2))
    assert found[FIGHTS] == 100
    assert found["part", 0] == found["part", 1] == hasty(fight_part, 100, 2).blocks


def test_only_whole_blocks_count_where_the_work_is_cut_short() -> None:
    merged = Merged(Work(30, 8, lambda number, fights, part, tick: None, Stop(), time.monotonic, parts=2))
    for number, part in ((0, 1), (0, 0), (1, 0), (3, 0), (3, 1), (4, 1)):
        merged.take(number, part, {FIGHTS: 1, ("block", number): 1})
    assert (
        merged.next == 1
        and merged.missing(1) == [1]
        and merged.missing(4) == [0]
        and merged.missing(2) == [0, 1]
    )
    assert merged.fights == 6
    assert merged.cut_short() == {FIGHTS: 4, ("block", 0): 2, ("block", 3): 2}


def test_a_block_of_which_a_part_is_stopped_counts_nothing() -> None:
    def fight_part(number: int, fights: int, part: int, tick: object) -> Counts | None:
        return None if part else {FIGHTS: fights}

    assert fight_block(fight_part, 2, 0, 4, print) == {FIGHTS: 0}
    assert fight_block(fight_part, 1, 0, 4, print) == {FIGHTS: 4}
