"""Any text gives a result or a clear error, and soon."""

from __future__ import annotations

from random import Random

import pytest
from counting import Counted
from hypothesis import given, settings
from hypothesis import strategies as st

from crisis_cli.dice import Limits
from crisis_cli.dice.distribution import OddsTable
from crisis_cli.dice.effort import BUDGET, Effort
from crisis_cli.dice.generator import Seeded
from crisis_cli.dice.table import Table
from crisis_cli.errors import CrisisError, NotationError
from crisis_cli.notation.distribution import distribution_of
from crisis_cli.notation.mean import mean
from crisis_cli.notation.parser import parse
from crisis_cli.notation.roller import roll_notation

pytestmark = pytest.mark.slow

PIECES = [
    "d",
    "d6",
    "3d6",
    "10000d10000",
    "999999999999",
    "kh",
    "kl",
    "dh1",
    "dl",
    "k3",
    "!",
    "!!",
    "!p",
    "{3}",
    "r",
    "ro",
    "r1",
    "<",
    ">",
    "=",
    ">=5",
    "<=2",
    "f",
    "f=1",
    "cs",
    "s",
    "sd",
    "min",
    "max",
    "min2",
    "max(",
    "floor(",
    "round(",
    "abs(",
    "(",
    ")",
    "{",
    "}",
    ",",
    "[",
    "]",
    "[fire]",
    "+",
    "-",
    "*",
    "/",
    "0",
    "1",
    "9",
    "#",
    "# ",
    "6#",
    "@",
    "@might",
    "@{",
    "d%",
    "dF",
    "dC",
    "d{0,1}",
    " ",
    "\0",
    "٣",
    "²",
    "\u202e",
    "e9",
    ".",
    "^",
    "**",
    "%",
    "\n",
    "1d4",
    "(1d4)",
    "ſ",
    "İ",
]

texts = st.one_of(
    st.text(max_size=60),
    st.text(alphabet="0123456789dkhlrops!{}()[]<>=+-*/,fcsminax@# %FC", max_size=40),
    st.lists(st.sampled_from(PIECES), max_size=14).map("".join),
)


def answered(text: str, budget: float = BUDGET) -> None:
    """Read, print, roll and weigh a text; anything but a clear refusal is a fault of ours."""
    try:
        notation = parse(text)
    except NotationError as error:
        assert error.code
        assert error.message
        assert 0 <= error.at <= len(text)
        assert len(error.pointed()) == (2 if text else 0)
        return
    assert parse(str(notation), Limits(length=20_000)) == notation
    for ask in (
        lambda: roll_notation(notation, Table(Seeded(Random(1).random))),
        lambda: sum(distribution_of(notation, OddsTable(effort=Effort(budget))).ways.values()),
        lambda: mean(notation, OddsTable(effort=Effort(budget))),
    ):
        try:
            ask()
        except CrisisError as error:
            assert error.message
            assert error.status in (2, 3)


@pytest.mark.parametrize("examples", [300, pytest.param(2_000, marks=pytest.mark.long)])
def test_any_text(examples: int) -> None:
    settings(derandomize=True, deadline=None, max_examples=examples)(given(texts)(answered_in_full))()


def answered_in_full(text: str) -> None:
    """The same, with all the effort that a user's line is given."""
    answered(text)


LINES = 30_000_000
"""Lines of Python that one text may run: what hangs would run more."""
HARD = [
    "9" * 4096,
    "9*" * 2047 + "9",
    "999999999999*" * 300 + "1",
    "-" * 4095 + "1",
    "(" * 4096,
    ")" * 4096,
    "[" * 4096,
    "(" * 64 + "1d2" + ")d2" * 64,
    "{" * 64 + "1d6" + "}" * 64,
    "floor(" * 64 + "1d6/7" + ")" * 64,
    "round((1d6/7+" * 32 + "1" + "))" * 32,
    "10000d10000",
    "9999#10000d10000",
    "9999d9999!",
    "1000000d6",
    "10000d6kh5000",
    "d999999999999",
    "999999999999d999999999999",
    "(10000d10000)d(10000d10000)",
    "1d6" + "+1d6" * 1000,
    "1d6" + "*1d6" * 1000,
    "1d99" + "*1d97" * 800,
    "max(" + ",".join(["1d20"] * 600) + ")",
    "{" + ",".join(["1d20"] * 600) + "}kh400",
    "{" + ",".join(f"1d{n}" for n in range(2, 500)) + "}kh200",
    "round(" + "/".join(["1d9"] * 900) + ")",
    "round(" + "+".join(f"1/1d{n}" for n in range(2, 400)) + ")",
    "5000#" + "1+" * 2000 + "1",
    "9999d9999!>=2",
    "100d100!!>=2kh50",
    "50d6!p!",
    "50d6!pkh25",
    "30d6!dh2dl2",
    "d9999r<9999",
    "9999d{" + ",".join(map(str, range(900))) + "}",
    "9d{-999999999999,999999999999}",
    "500d{0,1,999999999999}",
    "400d{1,5,77,999,12345}",
    "(((((1d9)d9)d9)d9)d9)d9",
    "4d6!{999999999999}",
    "4d6!>=2{999999999999}",
    "100d6r1ro2!>=5min2max5kh50>=4f=2cs=5s",
    "@a" * 1000,
    "1d6[" + "x" * 4000 + "]",
    "4d6" + "kh3" * 1000,
    "4d6" + ">=5" * 1000,
    "1000d100" + ">=5" * 1000,
    "1d6" + "/1d6" * 500,
    "1/(1d1-1)",
]


SCALE = 40
"""How many times less effort the suite gives them, because counting takes so much longer."""


@pytest.mark.parametrize("scale", [SCALE, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("text", HARD, ids=range(len(HARD)))
def test_hard_texts_are_answered(text: str, scale: int) -> None:
    """What is meant to hang or to fill memory is refused, or simply done."""
    with Counted(LINES):
        answered(text, BUDGET / scale)
