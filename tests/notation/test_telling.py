"""Rolls written in the shortest way, and rolled straight from a generator, are those of the long way."""

from __future__ import annotations

from random import Random

import pytest
from conftest import slow_but

from crisis_cli.dice.generator import Seeded
from crisis_cli.dice.table import Table
from crisis_cli.errors import NotationError
from crisis_cli.notation.parser import parse
from crisis_cli.notation.pools import Rolling
from crisis_cli.notation.roller import compiled, rolls
from crisis_cli.render import roll_json
from crisis_cli.render.jsontext import dumped
from crisis_cli.render.rolls import line, teller
from crisis_cli.render.style import Ink

COUNTS = ("0", "1", "2", "5", "101")
SIDES = ("1", "6", "100", "101", "1000", "F", "C", "{-3,0,5}", "(1d4+2)")
MODIFIERS = (
    "", "kh1", "kl2", "dh1", "dl2dh1", "kh9", "s", "sd", ">=3", ">=3f=1", ">=3cs=5", ">=3kh2", "kh1>=2", "min2", "max4",
    "r1", "ro<3", "!", "!{1}", "!>=4kh2", "!>=4>=3", "!=6>=5", "!!", "!p", "!!p{2}", "!<3r2min2",
)  # fmt: skip
WHOLE = (
    "7/2*2", "-1d6", "2d6-3d8+1", "1d6[fire]+2d8[Würfel]+(1d4)d6", "{2d6, 1d8!, 3}kh2", "{2d20,1d12}kh1[x]+4d6>=5",
    "{4d6>=5, {3d6, 2}kh1>=9}kl1", "{{1d6}, {1d8, 1d8}kl1}>=3f<2", "3#1d6! # hit", "2#{1d4,1d6}kh1 # schlägt → zu",
    "5d10>=8f=1+3d6!>=5", "4dF+2dC", "2d6 # a\"b\\c \x1b[31m", "max(1d6,2d4)*floor(3d6/2)-min(1d4!, 3)",
)  # fmt: skip
INKS = (Ink(False), Ink(encoding="ascii"), Ink(True))


def checked(text: str) -> int:
    """Rolls of an expression, written in every way and held against the long way; how many there were."""
    notation = parse(text)
    quick, slow = Rolling(random=Random(3).random), Rolling(Table(Seeded(Random(3).random)))
    number = 0
    for _ in range(3):
        for total, same in zip(rolls(notation, quick), rolls(notation, slow), strict=True):
            number += 1
            made = compiled(notation.expression)
            roll, long = made.result(quick, total), made.result(slow, same)
            assert dumped(roll_json.record(notation, roll, 3)) == dumped(roll_json.record(notation, long, 3))
            assert roll_json.teller(notation, made, 3)(quick, total) == dumped(
                roll_json.record(notation, long, 3)
            )
            for ink in INKS:
                assert teller(notation, made, ink)(quick, total) == ink.clean(line(notation, long, ink))
    return number


@pytest.mark.parametrize("modifier", slow_but(MODIFIERS, *MODIFIERS[::3]))
def test_rows_of_any_kind(modifier: str) -> None:
    number = 0
    for count in COUNTS:
        for sides in SIDES:
            try:
                number += checked(f"{count}d{sides}{modifier}")
            except NotationError as wrong:
                # No die of one side rests or can show 3, and no mistake but these may be made here.
                codes = ("endless", "too_many_explosions", "crossed", "settled_comparison")
                assert wrong.code in codes, wrong.code
    assert number > 50


@pytest.mark.parametrize("text", WHOLE)
def test_whole_lines(text: str) -> None:
    assert checked(text) == 3 * (parse(text).repeat or 1)
