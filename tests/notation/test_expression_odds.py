"""Exact odds: against every face walked, against icepool, against rolls, against closed forms."""

from __future__ import annotations

from fractions import Fraction
from math import comb, sqrt
from random import Random

import pytest
from conftest import slow_but
from hypothesis import given, settings
from hypothesis import strategies as st

from crisis_cli.dice import measures
from crisis_cli.dice.distribution import Distribution, OddsTable
from crisis_cli.dice.generator import Seeded
from crisis_cli.dice.table import Table
from crisis_cli.errors import NotationError, TooWide
from crisis_cli.notation.distribution import distribution_of, total
from crisis_cli.notation.mean import mean
from crisis_cli.notation.parser import parse
from crisis_cli.notation.roller import roll_notation
from crisis_cli.notation.roller import total as walked_total
from crisis_cli.simulation.laws import DrawTable, Laws

icepool = pytest.importorskip("icepool")
from icepool import d6, d8, d10, d20  # noqa: E402

FEW, MANY = 100, 250
"""Expressions that are made up, in the suite and with -m long."""


def shares(found: Distribution) -> dict[int, Fraction]:
    """The chance of every outcome as a fraction."""
    assert sum(found.ways.values()) == found.total
    assert all(ways > 0 for ways in found.ways.values())
    return {outcome: Fraction(ways, found.total) for outcome, ways in found}


def at_least(found: Distribution, number: int) -> tuple[int, int]:
    """The chance of this number or a higher one."""
    return found.chance(lambda outcome: outcome >= number)


def odds(text: str) -> dict[int, Fraction]:
    """The exact odds of a line."""
    return shares(distribution_of(parse(text)))


def walked(text: str, widest: int = 60_000) -> dict[int, Fraction]:
    """The odds found by running the rolling code itself along every face."""
    return shares(OddsTable(widest=widest).of(walked_total, parse(text).expression))


def of_icepool(die) -> dict[int, Fraction]:
    """The chances of icepool's die."""
    return {outcome: Fraction(ways, die.denominator()) for outcome, ways in die.items() if ways}


MEANS = {
    "4d6kh3": Fraction(15869, 1296),
    "5d6!": 21,
    "5d6!!": 21,
    "2d20kl1": Fraction(287, 40),
    "10d10>=8f=1": 2,
    "10d10>=8": 3,
    "(1d4)d6": Fraction(35, 4),
    "4d6min2": Fraction(44, 3),
    "4d6max5": Fraction(40, 3),
    "12dC": 10,
    "4d6dh1": Fraction(11347, 1296),
    "3d6!": Fraction(63, 5),
    "100d6": 350,
    "1000d6": 3500,
    "30d6!=6>=5": 12,
    "3d6!p": Fraction(21, 2) + 3 * Fraction(1, 5) * Fraction(5, 2),
    "4dF": 0,
    "d%": Fraction(101, 2),
    "2d6r1": 8,
    "2d6ro1": Fraction(47, 6),
    "3d6*2-1d4": Fraction(37, 2),
    "6d6!{1}": Fraction(49, 2),
    "(1d6!)d6": Fraction(147, 10),
    "6#4d6kh3": Fraction(15869, 1296),
    "5d{0,0,1,1,2}": 4,
    "8d6=5=6cs=6": 4,
}


@pytest.mark.parametrize("text", MEANS)
def test_means_in_closed_form(text: str) -> None:
    """The mean is exact even where the distribution is truncated; the distribution is as near as the chain is long."""
    assert Fraction(*mean(parse(text))) == MEANS[text]
    found = distribution_of(parse(text))
    assert found.mean() == pytest.approx(float(MEANS[text]), abs=1e-6)
    if not found.truncated:
        assert Fraction(sum(value * ways for value, ways in found), found.total) == MEANS[text]


def test_group_mean_of_the_peers() -> None:
    assert distribution_of(parse("{2d20,1d12}kh1")).mean() == pytest.approx(21.1, abs=0.1)


WALKED = [
    "3d6+2",
    "4d6kh3",
    "4d6dl1",
    "4d6dh1kl2",
    "5d4dh1dl1",
    "3d6kh5",
    "2d6kh0",
    "3dF",
    "2dC*2",
    "3d{0,0,1,1,2}kh2",
    "3d6>=5f=1",
    "4d6=5=6cs=6f<=2",
    "2d20<=12cs=1",
    "4d6kh2>=5",
    "3d8min2max6",
    "3d6ro1",
    "3d6ro<=2>=4f=1",
    "2d6!{2}",
    "2d6!>=5{1}",
    "2d6!!{2}kh1",
    "3d4!{1}kh2",
    "3d4!{1}dl1",
    "3d4!{1}dh2",
    "3d4!{1}kl2",
    "2d4!{2}dh1dl1",
    "2d4!p{2}",
    "2d4!!p{2}>=6",
    "3d4!p{1}kh2",
    "3d4!p{1}kl2",
    "2d4!=2{2}kh2",
    "2d4!<=2{2}kl1",
    "2d4!>=3{1}min2kh2",
    "3d4!{1}>=4f=1",
    "2d4!{1}kh2>=3f=1",
    "2dF!{2}kh1",
    "2dC!{1}",
    "2d4!>=3{2}kh3",
    "2d6ro1!{1}",
    "(1d4)d6",
    "(1d3)d(1d4)",
    "2d(1d4+1)kh1",
    "(1d3)d4!{1}",
    "(1d3-1)d4>=3f=1",
    "(1d3)d4dl1",
    "max(1d6,1d8)",
    "min(2d4,3,1d6+1)",
    "abs(1d6-1d6)",
    "1d6*1d4",
    "{1d6}/{1d4}",
    "-1d6/2",
    "7/1d4",
    "1d8/-2",
    "round({1d6}/{1d4})",
    "floor(1d6/2)+ceil(1d6/2)",
    "round(-1d6/4)",
    "round(max(1d6/3,1d4/2)*3)",
    "ceil(abs(1d4-1d6)/3)",
    "floor(min(1d4, 1d6/2)/(1d3+1)-1/3)",
    "round((1d4+1/2)*(1d3-2))",
    "{2d4,1d8}kh1",
    "{2d4,1d8,1d6}kl2",
    "{1d4,1d6,1d8}dh1dl1",
    "{1d6,1d6,1d6}kh2",
    "{1d4,2d4}>=4",
    "{1d4, 1d6}>=4f=1cs=6",
    "{1d4!{1},1d6!{1}}kh1",
    "{3d4>=3,1d4}dl1",
    "{1d4,1d6,2}kh2>=4",
    "(1d4-2)*(1d6-3)",
    "1d6*0",
    "3-1d4*2[fire]",
    "1d4+1d4+1d4",
    "2d3*2+5d2/3",
    "max({1d4,1d6}kh1, 2d3kl1)",
]


@pytest.mark.parametrize("text", WALKED)
def test_every_face_walked(text: str) -> None:
    """The quick distribution is what the rolling code gives along every branch."""
    assert odds(text) == walked(text)


@pytest.mark.parametrize("text", ["d6!", "2d20!", "d4!!", "d10!p", "2d12!kh1", "d100!=1", "2dC!=0{1}"])
def test_endless_chains_are_cut_alike(text: str) -> None:
    """Rolling and odds break a chain off at the same place, and both say so."""
    quick, slow = distribution_of(parse(text)), OddsTable().of(walked_total, parse(text).expression)
    assert shares(quick) == shares(slow)
    assert quick.truncated == slow.truncated == (text != "2dC!=0{1}")


plain = st.builds("{}d{}{}".format, st.integers(0, 3), st.integers(1, 6), st.just(""))
tests = st.builds("{}{}".format, st.sampled_from([">=", "<=", ">", "<", "="]), st.integers(1, 4))
modifiers = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(["", "", "ro1", "ro<=2", "min2", "max3", "ro=3min2"]),
    st.sampled_from(["", "", "!=2{1}", "!!=2{1}", "!p=3{1}", "!=1{2}"]),
    st.sampled_from(["", "kh1", "kl2", "dh1", "dl1", "kh2", "dl1dh1"]),
    st.sampled_from(["", "", ">=3", "=2=4f=1", ">=2f<=2cs=4"]),
)
pools = st.builds("{}d{}{}".format, st.integers(0, 3), st.integers(2, 4), modifiers)
symbols = st.builds("{}d{}{}".format, st.integers(1, 2), st.sampled_from(["F", "C", "{-2,0,5}"]), modifiers)
leaves = st.one_of(plain, pools, symbols, st.integers(0, 9).map(str))


def wider(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Expressions made of expressions."""
    return st.one_of(
        st.builds("({}{}{})".format, inner, st.sampled_from("+-*"), inner),
        st.builds("({}/{})".format, inner, st.integers(-3, 4).filter(bool)),
        st.builds("{}({})".format, st.sampled_from(["abs", "floor", "ceil", "round"]), inner),
        st.builds("{}({},{})".format, st.sampled_from(["min", "max"]), inner, inner),
        st.builds(
            "{{{},{}}}{}".format, inner, inner, st.sampled_from(["", "kh1", "kl1", ">=3", "dl1>=2f=0"])
        ),
        st.builds("round({}/{})".format, inner, st.integers(2, 5)),
        st.builds("-{}".format, inner),
        st.builds("(abs({}))d2".format, st.integers(0, 2)),
    )


def is_open(text: str) -> bool:
    """Whether it is not refused as misleading."""
    try:
        parse(text)
    except NotationError as wrong:
        return wrong.code not in ("settled_comparison", "glued_modifiers")
    return True


expressions = st.recursive(leaves, wider, max_leaves=3).filter(is_open)


@pytest.mark.slow
@pytest.mark.parametrize("examples", [FEW, pytest.param(MANY, marks=pytest.mark.long)])
def test_generated_expressions(examples: int) -> None:
    settings(derandomize=True, deadline=None, max_examples=examples)(given(expressions)(adds_up))()


def adds_up(text: str) -> None:
    """Whatever is written: the ways add up, and are those of every face walked."""
    try:
        slow = walked(text, 3_000)
    except TooWide:
        assert shares(distribution_of(parse(text)))
        return
    assert odds(text) == slow
    if not distribution_of(parse(text)).truncated:
        average = sum((value * share for value, share in slow.items()), Fraction(0))
        assert Fraction(*mean(parse(text))) == average


ICEPOOL = {
    "3d6+2": lambda: 3 @ d6 + 2,
    "100d6": lambda: 100 @ d6,
    "4d6kh3": lambda: d6.highest(4, 3),
    "20d20kh10": lambda: d20.highest(20, 10),
    "40d10kh20": lambda: d10.highest(40, 20),
    "12d8kl5": lambda: d8.lowest(12, 5),
    "9d6dh2dl3": lambda: d6.pool(9)[3:-2].sum(),
    "10d10!!{3}kh5": lambda: d10.explode(depth=3).highest(10, 5),
    "6d6!!>=5{2}kh3": lambda: d6.explode([5, 6], depth=2).highest(6, 3),
    "8d6r1kh4": lambda: d6.reroll([1], depth="inf").highest(8, 4),
    "8d6r<3": lambda: 8 @ d6.reroll([1, 2], depth="inf"),
    "8d6ro1": lambda: 8 @ d6.reroll([1], depth=1),
    "10d10>=8f=1": lambda: 10 @ d10.map(lambda face: (face >= 8) - (face == 1)),
    "5d20<=12cs<=4": lambda: 5 @ d20.map(lambda face: (face <= 12) + (face <= 4)),
    "(1d4)d6": lambda: icepool.d4 @ d6,
    "(2d6)d8": lambda: (2 @ d6) @ d8,
    "{2d20,1d12}kh1": lambda: icepool.highest(2 @ d20, icepool.d12),
    "{1d4,1d6,1d8,1d10}kh2": lambda: icepool.highest(icepool.d4, d6, d8, d10, keep=2),
    "max(2d6,1d12)*3": lambda: icepool.highest(2 @ d6, icepool.d12) * 3,
    "30d6!{3}": lambda: 30 @ d6.explode(depth=3),
    "12d6!{2}>=5": lambda: 12 @ icepool.Die([0, 0, 0, 0, 1, icepool.Again + 1], again_depth=2),
    "2d6*1d8-1d4": lambda: (2 @ d6) * d8 - icepool.d4,
    "20d{0,0,1,1,2}": lambda: 20 @ icepool.Die([0, 0, 1, 1, 2]),
    "15dF": lambda: 15 @ icepool.Die([-1, 0, 1]),
}


@pytest.mark.parametrize("text", ICEPOOL)
def test_icepool_agrees(text: str) -> None:
    """icepool, shown the same in its own words, finds the same fractions."""
    assert odds(text) == of_icepool(icepool.Die([ICEPOOL[text]()]))


DYCE = {
    "3d6+2": lambda dyce: 3 @ dyce.H(6) + 2,
    "12d6": lambda dyce: 12 @ dyce.H(6),
    "3d{0,0,1,1,2}": lambda dyce: 3 @ dyce.H([0, 0, 1, 1, 2]),
    "1d6*1d8": lambda dyce: dyce.H(6) * dyce.H(8),
}


@pytest.mark.parametrize("text", DYCE)
def test_dyce_agrees(text: str) -> None:
    """A second engine of another make finds the same fractions."""
    dyce = pytest.importorskip("dyce")
    histogram = DYCE[text](dyce)
    whole = sum(histogram.values())
    assert odds(text) == {int(value): Fraction(int(ways), int(whole)) for value, ways in histogram.items()}


def test_three_dice_by_hand() -> None:
    """The tails of 3d6 as every table prints them."""
    tails = [216, 215, 212, 206, 196, 181, 160, 135, 108, 81, 56, 35, 20, 10, 4, 1]
    assert [at_least(distribution_of(parse("3d6")), number)[0] for number in range(3, 19)] == tails


@pytest.mark.parametrize(
    ("sides", "chances"),
    {
        4: (0.25, 0.0625, 0.015625, 0.625, 0.192708, 0.042969),
        6: (0.5, 0.138889, 0.027778, 0.75, 0.258488, 0.054784),
        8: (0.625, 0.125, 0.078125, 0.8125, 0.246528, 0.103733),
        10: (0.7, 0.3, 0.09, 0.85, 0.397222, 0.115278),
        12: (0.75, 0.416667, 0.083333, 0.875, 0.497685, 0.108796),
    }.items(),
)
def test_exploding_die_with_a_wild_die(sides: int, chances: tuple[float, ...]) -> None:
    """The published table of one exploding die, alone and as the better of it and a d6."""
    found: list[float] = []
    for text in (f"d{sides}!!", f"{{1d{sides}!!, 1d6!!}}kh1"):
        for number in (4, 8, 12):
            ways, whole = at_least(distribution_of(parse(text)), number)
            found.append(ways / whole)
    assert found == pytest.approx(chances, abs=1e-6)


@pytest.mark.parametrize("dice", [1, 2, 3, 6, 10])
def test_pool_with_added_dice(dice: int) -> None:
    """Successes on 5 and more, sixes add a die: P(0) = 2/3, P(k) = (2/3)(1/6)^k + (1/6)^k for one."""
    one = {0: Fraction(2, 3)} | {k: Fraction(2, 3) / 6**k + Fraction(1, 6**k) for k in range(1, 14)}
    row = {0: Fraction(1)}
    for _ in range(dice):
        longer: dict[int, Fraction] = {}
        for have, share in row.items():
            for more, chance in one.items():
                longer[have + more] = longer.get(have + more, Fraction(0)) + share * chance
        row = longer
    found = odds(f"{dice}d6!=6>=5")
    assert all(float(found[k]) == pytest.approx(float(row[k]), abs=1e-9) for k in range(6) if k in found)


@pytest.mark.parametrize(
    ("dice", "target", "critical", "tails"),
    [
        (2, 7, 1, (0.5775, 0.1875, 0.0325, 0.0025)),
        (3, 9, 3, (0.833625, 0.561375, 0.27675, 0.10125, 0.023625)),
        (4, 12, 4, (0.9744, 0.872, 0.6672, 0.4112, 0.1936)),
        (5, 15, 5, (0.999023, 0.989258, 0.945312, 0.828125, 0.623047)),
    ],
)
def test_two_d20_pools(dice: int, target: int, critical: int, tails: tuple[float, ...]) -> None:
    """d20s at or under a number, those at or under the critical range twice."""
    found = distribution_of(parse(f"{dice}d20<={target}cs<={critical}"))
    for number, chance in enumerate(tails, 1):
        ways, whole = at_least(found, number)
        assert ways / whole == pytest.approx(chance, abs=1e-6)


def test_large_sums_are_binomial() -> None:
    """Two-sided dice are Pascal's triangle, at any size."""
    found = distribution_of(parse("300d2"))
    assert found.ways == {300 + number: comb(300, number) for number in range(301)}


def test_hopeless_to_walk_and_yet_exact() -> None:
    """Pools that no walk could finish have exact distributions with the right ends."""
    assert odds("1000d6")[1000] == Fraction(1, 6**1000)
    assert odds("20d20kh10")[200] == 1 - sum(
        Fraction(comb(20, top) * 19 ** (20 - top), 20**20) for top in range(10)
    )
    assert distribution_of(parse("40d10kh20")).mean() == pytest.approx(of_mean("40d10kh20"), abs=1e-9)
    assert distribution_of(parse("100d6kh50")).mean() > 240


def of_mean(text: str) -> float:
    """The mean as a float."""
    above, below = mean(parse(text))
    return above / below


FREQUENT = [
    "3d6+2",
    "4d6kh3",
    "10d10>=8f=1",
    "5d6!",
    "4d6!!kh2",
    "6d6!kh3",
    "3d6!p",
    "5d10!pkl2",
    "8d6!=6>=5",
    "2d20kl1",
    "{1d8!, 1d6!}kh1",
    "{2d20,1d12}kh1",
    "(1d4)d6",
    "4d6r1",
    "4d6r<=2ro3!>=5",
    "12dC",
    "4dF",
    "3d6r1!!min2>=5f<3",
    "round({2d6}/{1d4})",
    "3d10r=7!=3dh1dl1",
    "{1d12}/{1d5}*3",
]


@pytest.mark.parametrize("number", [3_000, pytest.param(30_000, marks=pytest.mark.long)])
@pytest.mark.parametrize("text", slow_but(FREQUENT, *FREQUENT[::3]))
def test_rolls_come_as_the_odds_say(text: str, number: int) -> None:
    """Rolls with a fixed seed: chi squared within four deviations of what is expected."""
    notation = parse(text)
    table = Table(Seeded(Random(11).random))
    counts: dict[int, int] = {}
    for _ in range(number):
        table.throws.clear()
        came = roll_notation(notation, table)[0].total
        counts[came] = counts.get(came, 0) + 1
    chances = odds(text)
    assert set(counts) <= set(chances)
    squares, cells = 0.0, 0
    rare_expected = rare_seen = 0.0
    for value, share in chances.items():
        expected, seen = float(share) * number, counts.get(value, 0)
        if expected < 8:
            rare_expected += expected
            rare_seen += seen
        else:
            squares += (seen - expected) ** 2 / expected
            cells += 1
    if rare_expected >= 8:
        squares += (rare_seen - rare_expected) ** 2 / rare_expected
        cells += 1
    assert squares < cells - 1 + 4 * sqrt(2 * max(cells - 1, 1))


def test_swift_tables_draw_from_the_distribution() -> None:
    """A rule that asks for the total of an expression draws it at once."""
    swift = DrawTable(Random(3).random, Laws())
    expression = parse("1000d6").expression
    drawn = [swift.ask(total, expression) for _ in range(200)]
    assert 3400 < sum(drawn) / 200 < 3600


def test_a_rule_that_asks_for_dice_in_notation() -> None:
    """An expression is one question among others in any rule."""

    def struck(table, attack, defence) -> bool:
        return table.ask(total, attack) > table.ask(total, defence)

    found = OddsTable().of(struck, parse("3d6+4").expression, parse("3d6+2").expression)
    better = measures.compared(distribution_of(parse("3d6+4")), distribution_of(parse("3d6+2")))
    assert Fraction(found.ways[True], found.total) == Fraction(better[0], sum(better))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("+".join(f"{n}d100kh{n // 2}" for n in range(20, 90)), marks=pytest.mark.slow),
        "10000d10000",
        "(9999d9999)d9999",
        "1000d6kh500",
        "1000d6!",
        "1d1000000*1d1000000",
        pytest.param("20d100!>=2", marks=pytest.mark.slow),
        "d1000000",
    ],
)
def test_too_wide_is_said_at_once(text: str) -> None:
    """What would take too long is refused with the way on."""
    with pytest.raises(TooWide) as refused:
        distribution_of(parse(text))
    assert refused.value.status == 3
    assert "simulate" in refused.value.hint


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("1d6/(1d6-1)", "zero_division"),
        ("round(1/(1d2-1))", "zero_division"),
        ("(1d4-2)d6", "negative_count"),
        ("2d(1d4-1)", "no_sides"),
        ("2d(1d4)!", "endless"),
        ("2d(1d4)r<=1", "endless"),
        ("@might+1d20", "unresolved_value"),
    ],
)
def test_odds_that_do_not_exist(text: str, code: str) -> None:
    """A roll that can go wrong has no odds, and the caret shows where."""
    with pytest.raises(NotationError) as wrong:
        distribution_of(parse(text))
    assert wrong.value.code == code
    assert wrong.value.pointed()[0].startswith(text)


class TestMeasures:
    """Small questions to a distribution."""

    three = distribution_of(parse("3d6"))

    def test_percentiles(self) -> None:
        assert measures.percentile(self.three, 50) == 10
        assert measures.percentile(self.three, 0) == 3
        assert measures.percentile(self.three, 100) == 18
        assert measures.percentile(distribution_of(parse("1000d6")), 97.5) == 3606

    def test_likeliest(self) -> None:
        assert measures.likeliest(self.three) == [10, 11]

    def test_deviation(self) -> None:
        assert self.three.deviation() == pytest.approx(sqrt(35 / 4))
        assert distribution_of(parse("1000d6")).deviation() == pytest.approx(sqrt(1000 * 35 / 12))

    def test_compared(self) -> None:
        better, equal, worse = measures.compared(distribution_of(parse("1d6")), distribution_of(parse("1d8")))
        assert (better, equal, worse) == (15, 6, 27)
