"""Exploding dice: every table's answer, against every face walked and against the closed form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import product
from random import Random
from typing import Any

import pytest

from crisis_cli.conformance.endless import Endless
from crisis_cli.dice import exploding
from crisis_cli.dice.distribution import Distribution, OddsTable
from crisis_cli.dice.exploding import longest, total_of_one, ways_of_one
from crisis_cli.dice.generator import Seeded
from crisis_cli.dice.graded import NO_DICE, Graded
from crisis_cli.dice.scripted import Scripted
from crisis_cli.dice.table import Table, Throw
from crisis_cli.simulation.laws import DrawTable, Laws


def shares(distribution: Distribution) -> dict[Any, Fraction]:
    """The chance of every outcome as a fraction."""
    return {outcome: Fraction(ways, distribution.total) for outcome, ways in distribution}


def asked(table: Any, count: int, sides: int) -> Any:
    """A rule that asks for exploding dice."""
    return table.exploding(count, sides, int)


def steps(value: int, low: int) -> int:
    """A grade that grows by 1 for each further wave of a d6, as soon as the die is no failure."""
    return 0 if value < low else 1 + max(0, (value - 5) // 6)


def counted(value: int, low: int) -> tuple[int, int]:
    """A grade of two numbers: successes and failures."""
    return int(value >= low), int(value < low)


@pytest.mark.parametrize("sides", [2, 3, 4, 6, 8, 10, 12, 20, 100, 1_000])
def test_one_die_has_the_mean_of_an_endless_chain(sides: int) -> None:
    """n (n + 1) / 2 (n - 1), exactly; and all its ways add up."""
    ways = dict(ways_of_one(sides))
    assert sum(ways.values()) == total_of_one(sides)
    mean = Fraction(sum(value * count for value, count in ways.items()), total_of_one(sides))
    assert mean == Fraction(sides * (sides + 1), 2 * (sides - 1))


@pytest.mark.parametrize("sides", [2, 3, 4, 6, 10, 20])
def test_one_die_is_every_run_of_faces_up_to_the_last_two_waves(sides: int) -> None:
    """Every value below them has the chance of the faces that show it; they have the rest."""
    distribution = OddsTable().of(asked, 1, sides)
    assert distribution.truncated
    last = longest(sides) - 2
    found = shares(distribution)
    for value in range(1, last * sides):
        wave, face = divmod(value, sides)
        assert found.get(value, 0) == (Fraction(1, sides ** (wave + 1)) if face else 0)
    assert sum(share for value, share in found.items() if value > last * sides) == Fraction(1, sides**last)
    assert max(found) < sides * longest(sides)


def test_what_is_left_off_is_less_likely_than_one_in_a_thousand_million() -> None:
    """No value is further from its chance in an endless chain, nor are all beyond the last wave together."""
    for sides in (4, 6, 8, 10, 12, 20, 100):
        found = shares(OddsTable().of(asked, 1, sides))
        for value in range(1, sides * longest(sides)):
            wave, face = divmod(value, sides)
            true = Fraction(1, sides ** (wave + 1)) if face else Fraction(0)
            assert abs(found.get(value, Fraction(0)) - true) < Fraction(1, 10**9)


@pytest.mark.parametrize("low", [1, 5, 7])
def test_a_grade_that_grows_with_each_wave_has_its_closed_form(low: int) -> None:
    """Failures are 0; otherwise 1, and 1 more from 11 on, from 17 on …: a geometric series, for 3 dice three of it."""
    distribution = OddsTable().exploding(3, 6, steps, (low,), 0)
    one = sum(
        (
            Fraction(1, 6 ** (wave + 1)) * steps(6 * wave + face, low)
            for wave in range(3)
            for face in range(1, 6)
        ),
        Fraction(0),
    )
    # Beyond the third wave each has the same five chances a sixth as often, and 1 more.
    third = sum((Fraction(steps(18 + face, low), 6) for face in range(1, 6)), Fraction(0))
    rest = Fraction(1, 6**3) * (third * Fraction(6, 5) + Fraction(5, 6) * Fraction(6, 25))
    assert Fraction(sum(worth * ways for worth, ways in distribution), distribution.total) == 3 * (one + rest)


class Asked(Exception):
    """The dice of a run have all been thrown, and another with so many sides is asked for."""


class Run:
    """Dice that show the faces of one run, and then ask for the next."""

    def __init__(self, faces: tuple[int, ...]):
        self.faces = list(faces)
        self.among = 1

    def face(self, sides: int, throw: Throw) -> int:
        if not self.faces:
            raise Asked(sides)
        self.among *= sides
        return self.faces.pop(0)


def every_run(does: Callable[[Table], Any]) -> dict[Any, Fraction]:
    """The chance of every answer, by throwing every run of faces."""
    found: dict[Any, Fraction] = {}
    runs: list[tuple[int, ...]] = [()]
    while runs:
        run = runs.pop()
        dice = Run(run)
        try:
            answer = does(Endless(dice))
        except Asked as asked_for:
            runs += [(*run, face) for face in range(1, asked_for.args[0] + 1)]
        else:
            found[answer] = found.get(answer, Fraction(0)) + Fraction(1, dice.among)
    return found


def _graded(table: Table, count: int, sides: int, grade: Any, args: tuple[Any, ...], zero: Any) -> Any:
    return table.exploding(count, sides, grade, *args, zero=zero)


@pytest.mark.parametrize(("count", "sides"), [(1, 3), (2, 3), (3, 2), (2, 4)])
def test_several_dice_are_every_face_walked(monkeypatch: pytest.MonkeyPatch, count: int, sides: int) -> None:
    """With short chains: all faces of all waves, ended as the distribution ends them."""
    monkeypatch.setattr(exploding, "CHAIN", sides**2)
    for grade, args, zero in ((int, (), 0), (steps, (2,), 0), (counted, (3,), (0, 0))):
        does = partial(_graded, count=count, sides=sides, grade=grade, args=args, zero=zero)
        assert shares(OddsTable().exploding(count, sides, grade, args, zero)) == every_run(does)


def test_given_faces_fall_wave_by_wave() -> None:
    """ALL-2: all dice first, then those that go on; the sums of the dice go into the record where asked."""
    table = Table(Scripted([6, 2, 6, 6, 3, 1]))
    table.label("roll")
    assert table.exploding(3, 6, steps, 5, note="values") == steps(13, 5) + steps(9, 5)
    assert table.throws[0].reckoning == {"values": [13, 2, 9]}
    plain = Table(Scripted([4, 4, 4, 1]))
    plain.label("roll")
    assert plain.exploding(1, 4, int) == 13
    assert plain.throws[0].reckoning == {}
    assert Table(Scripted([])).exploding(0, 6, counted, 5, zero=(0, 0)) == (0, 0)


def test_a_chain_of_real_dice_ends() -> None:
    assert Table(Scripted([6] * 12)).exploding(1, 6, int) == 72
    assert Table(Scripted([1])).exploding(1, 1, int) == 1


def test_drawn_from_the_distribution_and_thrown_alike() -> None:
    """20,000 of each, fixed seeds: no share is further off than five standard deviations."""
    distribution = shares(OddsTable().exploding(2, 6, steps, (5,), 0))
    tries = 20_000
    swift, rolled = DrawTable(Random(3).random, Laws()), Table(Seeded(Random(4).random))
    for table in (swift, rolled):
        seen = Counter(table.exploding(2, 6, steps, 5) for _ in range(tries))
        for worth, share in distribution.items():
            spread = float(share * (1 - share) / tries) ** 0.5
            assert abs(seen[worth] / tries - float(share)) <= 5 * spread + 1e-4


def test_many_dice_take_few_branches() -> None:
    """By halving: a hundred dice are seven distributions."""
    distributions = OddsTable(widest=10)
    assert distributions.exploding(100, 6, counted, (5,), (0, 0)).total
    assert len(distributions.kept) < 15


def test_products_are_covered() -> None:
    """The mean of a product of two chains is the product of their means: each tail is right by itself."""
    one = OddsTable().of(asked, 1, 6)
    pairs = product(one, one)
    total = sum(Fraction(left * right * ways * more, one.total**2) for (left, ways), (right, more) in pairs)
    assert total == Fraction(21, 5) ** 2


# ---------------------------------------------------------------- graded dice


def grade(value: int, low: int, high: int) -> str | None:
    """Nothing, ordinary, or good."""
    return None if value < low else "plain" if value < high else "good"


def worth(value: int) -> int:
    """What a die scores once somebody looks."""
    return value // 2


def looked(table: Any, count: int, others: int, lowest: int) -> tuple[int, int, int]:
    """A rule: some dice graded, others harder, and so many of the lowest scores of the good ones."""
    dice = Graded.thrown(table, count, 3, grade, 2, 4) + Graded.thrown(table, others, 3, harder)
    good = dice.without("plain")
    return dice.count, good.of("good"), table.reveal(good, lowest, worth)


def harder(value: int) -> str | None:
    """Only what reaches the second wave has a grade."""
    return "high" if value > 4 else None


@pytest.mark.parametrize(
    ("count", "others", "lowest"), [(2, 0, 1), (3, 0, 2), (2, 1, 1), (1, 2, 2), (2, 1, 9)]
)
def test_graded_dice_revealed_are_every_face_walked(
    monkeypatch: pytest.MonkeyPatch, count: int, others: int, lowest: int
) -> None:
    """Of one grade and of two; where fewer are looked at than there are, and where all are."""
    monkeypatch.setattr(exploding, "CHAIN", 9)
    found = shares(OddsTable().of(looked, count, others, lowest))
    assert found == every_run(lambda table: looked(table, count, others, lowest))
    assert len(found) > 5


def test_graded_dice_are_equal_whatever_they_show() -> None:
    """Real dice: looking shows them; odds know no more than the grades, also of dice that have been thrown."""
    first, second = Table(Scripted([3, 1, 2, 1])), Table(Scripted([3, 3, 1, 3, 2, 1]))
    for table in (first, second):
        table.label("roll")
    one = Graded.thrown(first, 3, 3, grade, 2, 4, note="values")
    other = Graded.thrown(second, 3, 3, grade, 2, 4)
    assert first.throws[0].reckoning == {"values": [4, 1, 2]}
    assert one.counts == {"good": 1, "plain": 1}
    assert other.counts == {"good": 2}
    assert one != other
    assert one + NO_DICE == one
    assert (one + other).counts == {"good": 3, "plain": 1}
    assert first.reveal(one.without("plain"), 1, worth) == 2
    assert second.reveal(other, 2, worth) == worth(7) + worth(5)
    unseen = OddsTable().revealed(one.without("plain"), 1, worth)
    assert len(unseen.ways) > 3
    assert unseen.truncated


def test_no_dice_have_no_grade() -> None:
    assert Graded.thrown(Table(Scripted([])), 0, 6, grade, 2, 4) == NO_DICE
    assert OddsTable().revealed(NO_DICE, 0, worth).ways == {0: 1}


def test_graded_dice_drawn_are_those_of_the_distribution() -> None:
    """Fixed seed: the share of each answer is within five standard deviations."""
    distribution = shares(OddsTable().of(looked, 2, 1, 1))
    tries = 20_000
    table = DrawTable(Random(11).random, Laws())
    seen = Counter(looked(table, 2, 1, 1) for _ in range(tries))
    for answer, share in distribution.items():
        spread = float(share * (1 - share) / tries) ** 0.5
        assert abs(seen[answer] / tries - float(share)) <= 5 * spread + 1e-4
