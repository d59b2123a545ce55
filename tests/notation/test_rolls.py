"""Rolling with given dice: the order in which they are drawn, and what becomes of each."""

from __future__ import annotations

from random import Random

import pytest

from crisis_cli.dice import Limits
from crisis_cli.dice.generator import Seeded
from crisis_cli.dice.scripted import Scripted
from crisis_cli.dice.table import Table
from crisis_cli.errors import NotationError, WrongDice
from crisis_cli.notation.distribution import distribution_of
from crisis_cli.notation.mean import mean
from crisis_cli.notation.parser import parse
from crisis_cli.notation.roll_result import RolledExpression
from crisis_cli.notation.roller import roll_notation
from crisis_cli.notation.sheet_values import with_sheet_values
from crisis_cli.play.answers import Answers, carried
from crisis_cli.play.requests import Choose, Faces


def roll(text: str, *faces: int) -> RolledExpression:
    """One roll with these faces, all of which must be used."""
    dice = Scripted(faces)
    (came,) = roll_notation(parse(text), Table(dice))
    dice.finish()
    return came


def values(came: RolledExpression) -> list[list[int]]:
    """The values of every die, term by term."""
    return [[die.value for die in thrown.dice] for thrown in came.throws]


TOTALS = [
    ("3d6+2", (6, 4, 3), 15),
    ("d%", (57,), 57),
    ("4dF", (1, 2, 3, 3), 1),
    ("6dC", (1, 2, 3, 4, 5, 6), 5),
    ("2d{0,0,1,1,2}", (5, 1), 2),
    ("4d6kh3", (2, 6, 4, 1), 12),
    ("4d6k3", (2, 6, 4, 1), 12),
    ("4d6kl1", (2, 6, 4, 1), 1),
    ("4d6dl1", (2, 6, 4, 1), 12),
    ("4d6dh2", (2, 6, 4, 1), 3),
    ("4d6dh1dl1", (2, 6, 4, 1), 6),
    ("2d6kh5", (2, 6), 8),
    ("2d6dl5", (2, 6), 0),
    ("4d6min2", (1, 6, 1, 3), 13),
    ("4d6max5", (1, 6, 1, 3), 10),
    ("10d10>=8f=1", (10, 9, 8, 7, 1, 1, 2, 3, 4, 5), 1),
    ("3d20<=12cs=1", (1, 12, 13), 3),
    ("3d20<=12cs=20", (1, 12, 20), 2),
    ("4d6=5=6", (5, 6, 1, 5), 3),
    ("5d6!", (6, 1, 2, 3, 6, 6, 5, 4), 33),
    ("5d6!>=5", (5, 1, 2, 3, 4, 1), 16),
    ("2d6!{1}", (6, 1, 6), 13),
    ("2d6!!kh1", (6, 5, 2), 8),
    ("2d6!p", (6, 1, 3), 9),
    ("2d6!p", (6, 6, 6, 1, 1), 17),
    ("1d6!!p", (6, 6, 1), 11),
    ("10d10!kh2", (10, 1, 1, 1, 1, 1, 1, 1, 1, 1, 9), 19),
    ("8d6!=6>=5", (6, 5, 4, 3, 2, 1, 1, 1, 6, 5), 4),
    ("2d6r1", (1, 4, 1, 3), 7),
    ("2d6ro1", (1, 4, 1), 5),
    ("1d6ro<3r5", (2, 5, 1), 1),
    ("1d6r1!", (1, 6, 1, 4), 10),
    ("1d6!p", (6, 1), 6),
    ("(1d4)d6", (3, 1, 2, 3), 6),
    ("(1d4)d(1d6)", (2, 5, 5, 4), 9),
    ("{2d20, 1d12}kh1", (3, 4, 12), 12),
    ("{1d8!, 1d6!}kh1", (8, 2, 6, 6, 1), 13),
    ("{2d6, 1d8, 3}>=3f=2", (1, 1, 8), 1),
    ("{1d6, 1d8}", (1, 8), 9),
    ("1d6*2-1d4/2", (5, 3), 9),
    ("-1d6/2", (5,), -3),
    ("7/2*2", (), 6),
    ("floor(7/2*2)", (), 7),
    ("round(5/2)+round(-5/2)", (), 1),
    ("ceil(-7/2)", (), -3),
    ("floor(5/2)+3/2", (), 3),
    ("round(max(1d6/4, 1/3))", (2,), 1),
    ("round(-min(7/2, 4)+abs(-1/4)+(1)[x])", (), -2),
    ("max(1d6, 1d8, 4)", (3, 2), 4),
    ("min(1d6, 1d8)", (3, 2), 2),
    ("abs(1d4-1d6)", (1, 6), 5),
    ("0d6", (), 0),
]


@pytest.mark.parametrize(("text", "faces", "total"), TOTALS)
def test_totals(text: str, faces: tuple[int, ...], total: int) -> None:
    assert roll(text, *faces).total == total


def test_all_dice_first_then_each_wave() -> None:
    """The pool falls whole; every six is thrown again together; each die stands before what it set off."""
    came = roll("3d6!", 6, 2, 6, 6, 1, 3)
    assert values(came) == [[6, 6, 3, 2, 6, 1]]
    assert [die.later for die in came.throws[0].dice] == [0, 1, 2, 0, 0, 1]
    assert [die.exploded for die in came.throws[0].dice] == [True, True, False, False, True, False]


def test_faces_stand_in_the_order_of_throwing() -> None:
    table = Table(Scripted([6, 2, 5, 4]))
    roll_notation(parse("2d6![fire]+1d4"), table, who="Jack")
    assert [(throw.what, throw.who, throw.dice, throw.faces) for throw in table.throws] == [
        ("fire", "Jack", "2d6!", [(6, 6), (6, 2), (6, 5)]),
        ("roll", "Jack", "1d4", [(4, 4)]),
    ]
    assert [throw.reckoning for throw in table.throws] == [{"total": 13}, {"total": 4}]


def test_what_became_of_each_die() -> None:
    came = roll("4d6r1min2kh2>=5f<=3cs=6", 1, 6, 2, 5, 1, 1, 2)
    (thrown,) = came.throws
    assert [die.replaced for die in thrown.dice] == [[1, 1, 1], [], [], []]
    assert [die.faces for die in thrown.dice] == [[2], [6], [2], [5]]
    assert [die.kept for die in thrown.dice] == [False, True, False, True]
    assert [die.success for die in thrown.dice] == [False, True, False, True]
    assert [die.critical for die in thrown.dice] == [False, True, False, False]
    assert (came.total, came.successes, came.failures, came.criticals) == (3, 3, 0, 1)


def test_clamped_compound_and_penetrating() -> None:
    came = roll("1d6!!min2", 6, 6, 1)
    (die,) = came.throws[0].dice
    assert (die.faces, die.value, die.clamped, die.exploded) == ([6, 6, 1], 14, True, True)
    assert [die.value for die in roll("1d6!p", 6, 6, 3).throws[0].dice] == [6, 5, 2]


def test_successes_only_where_dice_are_counted() -> None:
    assert roll("3d6", 1, 2, 3).successes is None
    came = roll("2d6>=5+2d6>=5f=1", 5, 6, 1, 6)
    assert (came.successes, came.failures, came.total) == (3, 1, 2)


def test_a_group_drops_whole_parts() -> None:
    came = roll("{2d6>=5, {3d6, 2}kh1>=9}kl1", 5, 6, 1, 1, 1)
    assert came.total == 0
    assert [thrown.counts for thrown in came.throws] == [False, True]
    assert [group.counts for group in came.groups] == [True, True]
    assert came.successes == 0
    assert came.groups[-1].totals == [2, 0]
    assert came.groups[-1].score.kept == [False, True]
    nested = roll("{1d6, {1d4, 1d4}kh1}kh1", 6, 1, 2)
    assert [group.counts for group in nested.groups] == [False, True]


def test_of_equal_dice_the_earlier_are_kept() -> None:
    for text, faces, kept in (
        ("3d6kh2", (4, 4, 4), [True, True, False]),
        ("2d6kl1", (3, 3), [True, False]),
        ("4d6dl1dh1", (3, 3, 3, 3), [True, True, False, False]),
        ("5d6kl2", (3, 5, 2, 3, 3), [True, False, True, False, False]),
        ("3d6dh1", (6, 6, 1), [True, False, True]),
    ):
        assert [die.kept for die in roll(text, *faces).throws[0].dice] == kept


def test_sorted_only_for_showing() -> None:
    for text, shown in (("4d6s", [1, 2, 4, 6]), ("4d6sd", [6, 4, 2, 1]), ("4d6", [2, 6, 4, 1])):
        (thrown,) = roll(text, 2, 6, 4, 1).throws
        assert [die.value for die in thrown.dice] == [2, 6, 4, 1]
        assert [die.value for die in thrown.shown] == shown


def test_effects_of_combat_dice() -> None:
    assert roll("4dC", 1, 2, 5, 6).effects == 2
    assert roll("4dCkh2", 1, 2, 5, 6).effects == 0
    assert roll("4d6", 1, 2, 5, 6).effects == 0


def test_labels_and_sides_of_terms() -> None:
    came = roll("2d6[fire]+(1d(1d4))[cold]", 1, 2, 3, 2)
    assert [(thrown.label, thrown.sides, thrown.spelled) for thrown in came.throws] == [
        ("fire", 6, "2d6"),
        ("cold", 4, "1d4"),
        ("cold", 3, "1d(1d4)"),
    ]


def test_repeats_are_rolls_of_their_own() -> None:
    came = roll_notation(parse("3#1d6+1"), Table(Scripted([1, 2, 3])))
    assert [one.total for one in came] == [2, 3, 4]
    assert [len(one.throws) for one in came] == [1, 1, 1]


def test_the_innermost_of_any_number_of_words_is_that_of_the_dice() -> None:
    text = "1d6[fire]" + "[x]" * 1300
    for spelled in (text, f"floor({text})"):
        (thrown,) = roll(spelled, 3).throws
        assert (thrown.total, thrown.label) == (3, "fire")
    notation = with_sheet_values(parse(text), {}.get)
    assert notation == parse(text)
    assert (distribution_of(notation).total, mean(notation)) == (6, (7, 2))


def test_sheet_values_are_rolled_with() -> None:
    came = roll_notation(
        with_sheet_values(parse("(@might)d6+@might"), {"might": 2}.get), Table(Scripted([3, 4]))
    )
    assert came[0].total == 9
    with pytest.raises(NotationError) as wrong:
        roll_notation(parse("1d6+@might"), Table(Scripted([3])))
    assert (wrong.value.code, wrong.value.at) == ("unresolved_value", 4)


def test_real_dice_are_asked_for_term_by_term() -> None:
    asked: list[int] = []

    class Highest:
        def answer(self, request: Choose | Faces, session: object) -> list[int]:
            assert isinstance(request, Faces)
            asked.append(request.sides)
            return [request.sides]

        def refuse(self, why: str) -> None:
            raise AssertionError(why)

    came = carried(lambda faces: roll_notation(parse("1d6!{1}+2d8"), Table(Answers(faces))), Highest())
    assert (came[0].total, asked) == (28, [6, 6, 8, 8])


def test_given_dice_must_fit() -> None:
    with pytest.raises(WrongDice):
        roll("3d6", 1, 2)
    with pytest.raises(WrongDice):
        roll("3d6", 1, 2, 7)
    with pytest.raises(WrongDice):
        roll("3d6", 1, 2, 3, 4)


def seeded(text: str, limits: Limits | None = None) -> tuple[RolledExpression, ...]:
    """A roll with seed 1."""
    return roll_notation(parse(text), Table(Seeded(Random(1).random)), limits or Limits())


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("10001d6", "too_many_dice"),
        ("(9999)d6+2d6", "too_many_dice"),
        ("9999#2d6", "too_many_dice"),
        ("999999999999d6", "too_many_dice"),
        ("(1d6*100000)d6", "too_many_dice"),
        ("100d100!>=2", "too_many_explosions"),
        ("d9999r<9999", "too_many_explosions"),
        ("1/(1d1-1)", "zero_division"),
        ("floor(1/(1d1-1))", "zero_division"),
        ("(1d1-2)d6", "negative_count"),
        ("2d(1d1-1)", "no_sides"),
        ("2d(1d1)!", "endless"),
    ],
)
def test_limits_of_rolling(text: str, code: str) -> None:
    with pytest.raises(NotationError) as wrong:
        seeded(text)
    assert wrong.value.code == code
    assert wrong.value.status == 2
    assert wrong.value.text == text


def test_endless_is_refused_before_a_die_falls() -> None:
    """Also where the sides themselves are rolled, and might come to one."""
    for text in ("1d6+2d(1d4)!", "max(1d6, {1d4, (2d(1d3)r<=1)d6}kh1)"):
        table = Table(Scripted([]))
        with pytest.raises(NotationError) as wrong:
            roll_notation(parse(text), table)
        assert wrong.value.code == "endless"
        assert table.throws == []
    assert roll_notation(parse("2d(1d4+1)!"), Table(Scripted([1, 2, 1, 1])))[0].total == 4


def test_moved_limits() -> None:
    assert len(seeded("10001d2", Limits(dice=20_000))[0].throws[0].dice) == 10_001
    with pytest.raises(NotationError):
        seeded("11d6", Limits(dice=10))
    with pytest.raises(NotationError):
        seeded("50d6!", Limits(explosions=1))


def test_a_generator_is_asked_alike_die_by_die() -> None:
    """The quick way to a generator draws the same faces as asking die by die."""

    class Slow(Seeded):
        """Not the class that is asked directly."""

    for text in ("4d6kh3+2d8!+(1d4)d6r1", "10d10!p>=8", "{3d6,2d%}kh1"):
        quick, slow = Table(Seeded(Random(5).random)), Table(Slow(Random(5).random))
        assert roll_notation(parse(text), quick)[0].total == roll_notation(parse(text), slow)[0].total
        assert [throw.faces for throw in quick.throws] == [throw.faces for throw in slow.throws]
