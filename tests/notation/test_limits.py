"""No expression takes more than two seconds or 200 MB before it is answered, or refused with the limit.

What is counted here is work, not seconds: lines of Python run, and bytes. The long check counts seconds of the
processor, in a process for each expression.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tracemalloc
from collections.abc import Iterable, Iterator
from itertools import tee
from pathlib import Path
from random import Random
from time import monotonic

import pytest
from counting import Counted
from heavy import expression

from crisis_cli.dice import Limits, limits
from crisis_cli.dice.distribution import OddsTable
from crisis_cli.dice.effort import BUDGET, Effort
from crisis_cli.dice.generator import Seeded, generator
from crisis_cli.dice.table import Table
from crisis_cli.errors import CrisisError, NotationError, TooWide
from crisis_cli.expressions import CACHE_SIZE, Roller, odds_lines
from crisis_cli.notation.distribution import distribution_of
from crisis_cli.notation.mean import mean
from crisis_cli.notation.parser import parse
from crisis_cli.notation.roller import roll_notation
from crisis_cli.render.style import Ink

pytestmark = pytest.mark.slow

INK = Ink.fitting({}, sys.stdout, False)
LINES = 3_000_000
"""Lines of Python that reading an expression and a twentieth of the effort may run."""
SCALE = 20
"""How many times less effort a sample is given, because counting takes so much longer."""
WIDE = (
    "1000d100",
    "400d100",
    "(1d100)d(1d100)",
    "100d64!{12}dh50>=5",
    "12d9999!<=500{999999999}dh1",
    "3d999!pr>=500kh2",
    "4d64!>=8dh4>=20",
    "2000d(5000)!p>3dh50",
)
WIDEST = ("1000d100", "(1d100)d(1d100)", "100d64!{12}dh50>=5")
"""Those that others are like, left to the long check."""
BYTES = 150_000_000
"""Bytes that one expression may hold beside the interpreter."""
SECONDS, MEGABYTES = 2.0, 200.0
VERBS = ("odds", "json", "csv", "quiet", "roll")
HUGE = "*".join(["999999999999"] * 30)


def odds(text: str, how: str = "", other: str = "", bounds: Limits | None = None) -> list[str]:
    """The odds of a text as they are printed."""
    given = {"limits": bounds} if bounds else {}
    return list(odds_lines(parse(text), INK, 80, output=how, other=parse(other) if other else None, **given))


def rolls(text: str) -> list[str]:
    """A text rolled, as JSON."""
    return list(Roller(generator(1).random, 1, limits({}), INK, as_json=True).lines(text))


REFUSED = {
    "10000000d10": ("too_many_dice", "10,000 dice"),
    "999999999dF": ("too_many_dice", "10,000 dice"),
    "2147483648d10": ("too_many_dice", "10,000 dice"),
    "(10000*1d2)d10": ("too_many_dice", "10,000 dice"),
    "{999999999d{50,0,10,2}!!<20,5d5!!<2}kh8+dC": ("too_many_dice", "10,000 dice"),
    "{9999d{50,0,10,2}!!<20,5d5!!<2}kh8+dC": ("too_wide", "two seconds"),
    "10000d10000": ("too_wide", "two seconds"),
    "3000d20": ("too_wide", "200 MB"),
    "1d1000*1d1000": ("too_wide", "200,000 outcomes"),
    "4d6!>=2{5000}dh3dl2": ("too_wide", "two seconds"),
    "{" + ",".join(["1000d10min6kh9"] * 40) + "}": ("too_wide", "two seconds"),
    f"1d6*{HUGE}": ("too_wide", "10^100"),
    f"1d({HUGE})": ("too_many_sides", "1,000,000,000,000 sides"),
    "d10000r1!+" * 40 + "1": ("too_many_sides", "200,000 faces"),
    "1d6" + ">=5" * 65: ("too_many_modifiers", "64 modifiers"),
    "9999#" + "1+" * 60 + "1": ("too_long", "1,000,000 characters"),
}


@pytest.mark.parametrize("text", REFUSED, ids=range(len(REFUSED)))
def test_refused_with_the_limit(text: str) -> None:
    """The limit is named in the message or in the hint."""
    code, limit = REFUSED[text]
    with pytest.raises(CrisisError) as wrong:
        odds(text)
    assert wrong.value.code == code
    assert limit in f"{wrong.value.message}\n{wrong.value.hint}"


ROLLED = {
    "10000000d10": "too_many_dice",
    "9000#0d6+0d6": "too_many_dice",
    f"1d({HUGE})": "too_many_sides",
    "500#1d(1d9000+1)!": "too_many_sides",
    "9999#" + "1+" * 60 + "1": "too_long",
    "9999#{" + "1," * 60 + "1}": "too_long",
    "9999#1d6 # " + "x" * 200: "too_long",
}


@pytest.mark.parametrize("text", ROLLED, ids=range(len(ROLLED)))
def test_rolls_refused_with_the_limit(text: str) -> None:
    with pytest.raises(NotationError) as wrong:
        rolls(text)
    assert wrong.value.code == ROLLED[text]


def test_a_raised_limit_holds_for_odds_too() -> None:
    assert odds("10001d1", bounds=Limits(dice=20_000))
    with pytest.raises(NotationError):
        odds("11d6", bounds=Limits(dice=10))
    with pytest.raises(NotationError):
        odds("(1d2*10)d6", bounds=Limits(dice=10))


def test_two_expressions_share_one_effort() -> None:
    """Each alone is answered; both together would be too much."""
    assert odds("1000d100")
    with pytest.raises(TooWide):
        odds("1000d100", other="999d100+999d99")


def test_many_dice_of_which_few_stay_are_answered() -> None:
    (first, *_) = odds("10000d8kh6")
    assert first.startswith("10000d8kh6: 48 on average")


def test_long_fractions_are_left_out() -> None:
    """They would fill a disk; probabilities stay."""
    (short,) = odds("3d6", "json")
    (long,) = odds("1000d20", "json")
    assert '"exact"' in short
    assert '"exact"' not in long
    assert '"mean_exact": "10500/1"' in long or '"mean_exact":"10500/1"' in long
    assert odds("1000d20", "csv")[0] == "value,p"
    assert len(long) < 3_000_000


def test_a_stream_forgets_expressions() -> None:
    """What it remembers of the lines it has read stays within bounds."""
    roller = Roller(generator(1).random, 1, limits({}), INK, as_json=True)
    most = 0
    for sides in range(9_000, 9_100):
        list(roller.lines(f"1d{sides}!>=8990"))
        most = max(most, sum(one.notation.tested for one in roller.cache.values()))
        assert set(roller.rolled) == set(roller.cache)
    assert 0 < most <= CACHE_SIZE


def heavy(seeds: Iterator[int]) -> Iterator[tuple[str, str]]:
    """Verbs and expressions, the same for the same seeds."""
    for seed in seeds:
        random = Random(seed)
        text = expression(random, random.choice((0, 1, 1, 2, 2, 3)))
        yield random.choice(VERBS), text[:5_000]


@pytest.mark.parametrize("start", range(0, 120, 20))
def test_a_sample_does_no_more_than_it_estimates(start: int) -> None:
    """With a twentieth of the effort, no expression runs more lines than that is worth."""
    for _, text in heavy(iter(range(start, start + 20))):
        effort = Effort(BUDGET / SCALE)
        with Counted(LINES):
            try:
                notation = parse(text)
                odds_table = OddsTable(effort=effort)
                distribution_of(notation, odds_table)
                mean(notation, odds_table)
            except CrisisError as refused:
                assert refused.message


@pytest.mark.parametrize(
    "text", [pytest.param(text, marks=pytest.mark.long if text in WIDEST else ()) for text in WIDE]
)
def test_the_largest_distributions_within_bytes(text: str) -> None:
    """What is as large as the limits allow, and what is refused only after a while."""
    tracemalloc.start()
    try:
        odds(text, "json")
    except TooWide as refused:
        assert refused.hint
    finally:
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak < BYTES


def test_many_tables_of_rolls_within_bytes() -> None:
    """As many rolls of as much as one line may ask for."""
    tracemalloc.start()
    try:
        roll_notation(parse("9999#{" + "1," * 45 + "1}"), Table(Seeded(generator(1).random)))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < BYTES


def measured(asked: Iterable[tuple[str, str]]) -> Iterator[tuple[float, float, str]]:
    """The processor seconds, the megabytes and the end of each expression, in a process of its own."""
    pytest.importorskip("resource")
    command = [sys.executable, str(Path(__file__).with_name("limited.py"))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdin
        assert child.stdout
        for verb, text in asked:
            child.stdin.write(f"{verb}\t{text}\n")
            child.stdin.flush()
            seconds, megabytes, end = child.stdout.readline().rstrip("\n").split("\t")
            yield float(seconds), float(megabytes), end
        child.stdin.close()


def test_each_verb_is_measured() -> None:
    """What the long check stands on: an answer, and a refusal, of every verb."""
    asked = [(verb, text) for verb in VERBS for text in ("4d6kh3", "20000d6")]
    assert [end for _, _, end in measured(asked)] == ["ok", "too_many_dice"] * len(VERBS)


@pytest.mark.long
def test_ten_minutes_of_expressions_within_seconds_and_megabytes() -> None:
    """$CRISIS_FUZZ minutes, 10 where nothing is said, from the seed $CRISIS_FUZZ_SEED on."""
    until = monotonic() + 60 * float(os.environ.get("CRISIS_FUZZ", "10"))
    first = int(os.environ.get("CRISIS_FUZZ_SEED", "1000000"))
    asked, shown = tee(heavy(iter(range(first, first + 10**9))))
    over = []
    for (verb, text), (seconds, megabytes, end) in zip(shown, measured(asked), strict=False):
        if ":" in end or end == "killed" or seconds > SECONDS or megabytes > MEGABYTES:
            over.append(f"{seconds} s, {megabytes} MB, {end}: {verb} {text}")
        if monotonic() > until or len(over) > 20:
            break
    assert not over, "\n".join(over)
