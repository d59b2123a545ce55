"""The tables: thrown, given, shown, mixed, weighed and drawn; one rule, the same answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from crisis_cli.dice.distribution import Distribution, OddsTable, hands, least_harm, refuse_all
from crisis_cli.dice.generator import Seeded, generator, mixed
from crisis_cli.dice.itemized import items_of
from crisis_cli.dice.scripted import Mixed, Recorded, Scripted
from crisis_cli.dice.table import Alternative, Table, Throw, added, first
from crisis_cli.errors import TooWide, WrongDice
from crisis_cli.play.answers import Answers, Given, carried
from crisis_cli.play.requests import Choose, Faces
from crisis_cli.simulation.laws import DrawTable, Laws


def exact(distribution: Distribution) -> dict[Any, Fraction]:
    return {outcome: Fraction(ways, distribution.total) for outcome, ways in distribution}


def given(*faces: int) -> Table:
    return Table(Scripted(faces))


# ---------------------------------------------------------------- rules to ask


def d6(table: Any) -> int:
    return table.die(6)


def die(table: Any, sides: int) -> int:
    return table.die(sides)


def three(table: Any) -> int:
    return table.times(3, d6)


def attack(table: Any, bonus: int, defence: int) -> tuple[int, int]:
    """Hit or not, and how many sixes."""
    total, sixes = table.times(3, face_and_six, zero=(0, 0))
    hit = total + bonus >= defence
    return int(hit), sixes if hit else 0


def face_and_six(table: Any) -> tuple[int, int]:
    face = table.die(6)
    return face, int(face == 6)


def nested(table: Any) -> int:
    """As many d4 as a d4 shows, and a d6 if they come to more than 5."""
    total = table.times(table.die(4), die, 4)
    return total + (table.ask(die, 6) if total > 5 else 0)


def armour(table: Any, state: tuple[int, int]) -> tuple[int, int]:
    """A shot at armour that wears down: (worn, hurt)."""
    worn, hurt = state
    return (worn - 1, hurt) if worn > 0 and table.die(6) <= worn else (worn, hurt + 1)


def shots(table: Any, count: int) -> tuple[int, int]:
    return table.chain(count, armour, (4, 0))


def best_two(table: Any) -> int:
    return sum(table.pool(4, 6)[-2:])


def exploding(table: Any, depth: int = 0) -> int:
    face = table.die(6)
    if face < 6:
        return face
    if depth == 2:
        table.truncate()
        return face
    return face + table.ask(exploding, depth + 1)


def ends(table: Any, count: int, sides: int) -> tuple[int, int]:
    """The highest of some dice and the lowest of others."""
    return table.highest(count, sides), table.lowest(count, sides)


RULES: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (d6, ()),
    (three, ()),
    (attack, (3, 16)),
    (nested, ()),
    (shots, (5,)),
    (best_two, ()),
    (exploding, ()),
    (ends, (1, 3)),
    (ends, (2, 4)),
    (ends, (3, 3)),
]


class Runs:
    """Dice that show every run of faces."""

    def __init__(self) -> None:
        self.run: list[tuple[int, int]] = []
        self.at = 0

    def face(self, sides: int, throw: Throw) -> int:
        if self.at == len(self.run):
            self.run.append((sides, 1))
        self.at += 1
        return self.run[self.at - 1][1]

    def on(self) -> bool:
        while self.run and self.run[-1][0] == self.run[-1][1]:
            self.run.pop()
        if self.run:
            sides, face = self.run.pop()
            self.run.append((sides, face + 1))
        self.at = 0
        return bool(self.run)


def by_hand(rule: Callable[..., Any], *args: Any, chooser: Any = first) -> dict[Any, Fraction]:
    """The distribution of a rule, by throwing every die."""
    dice, found, more = Runs(), dict[Any, Fraction](), True
    while more:
        outcome = rule(Table(dice, chooser), *args)
        weight = Fraction(1)
        for sides, _ in dice.run:
            weight /= sides
        found[outcome] = found.get(outcome, Fraction(0)) + weight
        more = dice.on()
    return found


# ---------------------------------------------------------------- distributions


@pytest.mark.parametrize(("rule", "args"), RULES)
def test_a_distribution_is_what_throwing_every_die_gives(
    rule: Callable[..., Any], args: tuple[Any, ...]
) -> None:
    assert exact(OddsTable().of(rule, *args)) == by_hand(rule, *args)


@pytest.mark.parametrize(("rule", "args"), RULES)
def test_the_ways_of_a_distribution_are_positive_and_make_up_its_total(
    rule: Callable[..., Any], args: tuple[Any, ...]
) -> None:
    distribution = OddsTable().of(rule, *args)
    assert all(ways > 0 for _, ways in distribution)
    assert sum(ways for _, ways in distribution) == distribution.total


@pytest.mark.parametrize(
    ("total", "ways"),
    [
        (3, 216),
        (4, 215),
        (10, 135),
        (11, 108),
        (12, 81),
        (13, 56),
        (14, 35),
        (15, 20),
        (16, 10),
        (18, 1),
        (19, 0),
    ],
)
def test_three_d6_reach_a_total_as_often_as_is_printed_everywhere(total: int, ways: int) -> None:
    chance = OddsTable().of(three).chance(lambda reached: reached >= total)
    assert Fraction(*chance) == Fraction(ways, 216)


def test_three_d6_have_mean_ten_and_a_half_and_variance_eight_and_three_quarters() -> None:
    distribution = OddsTable().of(three)
    assert distribution.mean() == 10.5
    assert distribution.deviation() == pytest.approx(8.75**0.5, abs=1e-12)


def test_distributions_agree_with_icepool() -> None:
    icepool = pytest.importorskip("icepool")
    d4, d6_ = icepool.d4, icepool.d6
    bag = d4.map(lambda count: icepool.Die([0]) if count == 0 else count @ d4)
    nested_ = bag.map(lambda total: total + d6_ if total > 5 else icepool.Die([total]))
    for rule, witness in ((three, 3 @ d6_), (nested, nested_), (best_two, d6_.highest(4, 2))):
        assert exact(OddsTable().of(rule)) == {
            outcome: Fraction(ways, witness.denominator()) for outcome, ways in witness.items()
        }


def test_distributions_agree_with_dyce() -> None:
    dyce = pytest.importorskip("dyce")
    witness = 3 @ dyce.H(6)
    assert exact(OddsTable().of(three)) == {
        outcome: Fraction(ways, witness.total) for outcome, ways in witness.items()
    }


@pytest.mark.parametrize(("count", "sides"), [(0, 6), (1, 6), (3, 1), (3, 6), (4, 4), (5, 3)])
def test_hands_are_every_sorted_throw_by_the_orders_in_which_it_falls(count: int, sides: int) -> None:
    distribution = hands(count, sides)
    assert distribution.ways == Counter(
        tuple(sorted(faces)) for faces in product(range(1, sides + 1), repeat=count)
    )
    assert distribution.total == sides**count


def test_a_distribution_of_a_part_merges_what_is_equal() -> None:
    distribution = OddsTable().of(three).of(lambda total: total % 2)
    assert exact(distribution) == {1: Fraction(1, 2), 0: Fraction(1, 2)}


def test_a_walk_that_gets_too_wide_is_refused_and_says_what_to_do() -> None:
    def many(table: Any) -> tuple[int, ...]:
        return tuple(table.die(10) for _ in range(4))

    with pytest.raises(TooWide) as refused:
        OddsTable(widest=1_000).of(many)
    assert refused.value.status == 3
    assert "1,000" in refused.value.message and refused.value.hint


def together(table: Any, many: int) -> int:
    """As many dice as there are victims, whose odds are only known one by one."""
    if many > 1:
        table.refuse_odds(f"{many} at once", "ask about each of them")
    return sum(table.die(6) for _ in range(many))


def test_a_rule_may_refuse_odds_of_what_can_still_be_rolled() -> None:
    """Before anything is walked; dice and draws take no notice."""
    with pytest.raises(TooWide, match="2 at once") as refused:
        OddsTable().of(together, 2)
    assert refused.value.hint == "ask about each of them"
    assert OddsTable().of(together, 1).total == 6
    assert together(given(3, 4), 2) == 7
    assert 2 <= together(DrawTable(generator(1).random, Laws()), 2) <= 12


def test_a_pool_with_too_many_hands_is_refused_before_they_are_listed() -> None:
    with pytest.raises(TooWide, match="500d20"):
        OddsTable().of(lambda table: table.pool(500, 20)[0])


def test_a_hundred_dice_summed_are_no_wide_walk() -> None:
    distribution = OddsTable().of(lambda table: table.times(100, d6))
    assert distribution.mean() == 350
    assert distribution.total == 6**100
    assert distribution.ways[100] == distribution.ways[600] == 1


def test_a_chain_of_dice_broken_off_marks_its_distribution_and_all_that_ask_it() -> None:
    odds_table = OddsTable()
    twice: list[Callable[[Any], Any]] = [
        exploding,
        lambda table: table.ask(exploding),
        lambda table: table.times(2, exploding),
        lambda table: table.chain(2, lambda inner, state: state + inner.ask(exploding), 0),
    ]
    assert [odds_table.of(rule).truncated for rule in twice] == [True] * 4
    assert odds_table.of(exploding).of(lambda total: total > 3).truncated
    assert not odds_table.of(three).truncated


def test_a_rule_may_bring_its_distribution_along() -> None:
    def heavy(table: Any, sides: int) -> int:
        raise AssertionError("nobody need walk this")

    heavy.distribution = lambda odds_table, sides: Distribution({sides: 1}, 1)
    assert exact(OddsTable().of(lambda table: table.ask(heavy, 9) + table.die(2))) == {
        10: Fraction(1, 2),
        11: Fraction(1, 2),
    }


def test_the_oldest_distributions_are_forgotten_not_the_newest() -> None:
    odds_table = OddsTable()
    for harm in range(5_000):
        odds_table.of(sure, harm)
    assert len(odds_table.kept) <= 4_096
    assert (sure, (4_999,)) in odds_table.kept and (sure, (0,)) not in odds_table.kept


# ---------------------------------------------------------------- sums and chains


def test_nothing_asked_no_times_is_zero_and_throws_nothing() -> None:
    table = given()
    assert table.times(0, d6) == 0
    assert table.times(0, face_and_six, zero=(0, 0)) == (0, 0)
    assert table.chain(0, armour, (4, 0)) == (4, 0)
    assert table.pool(0, 6) == ()
    assert not table.throws


def test_odds_and_draws_of_no_times_are_zero_too() -> None:
    def none(table: Any) -> Any:
        return table.times(0, face_and_six, zero=(0, 0)), table.chain(0, armour, (4, 0)), table.pool(0, 6)

    assert exact(OddsTable().of(none)) == {((0, 0), (4, 0), ()): Fraction(1)}
    assert none(DrawTable(generator(1).random, Laws())) == ((0, 0), (4, 0), ())


def test_tuples_are_added_by_component() -> None:
    assert added((1, 2), (10, -3)) == (11, -1)
    assert added(0, (10, -3)) == (10, -3)
    assert added(4, 5) == 9
    assert given(6, 2, 6).times(3, face_and_six, zero=(0, 0)) == (14, 2)
    assert given(6, 2, 6).times(3, face_and_six) == (14, 2)


def test_without_a_zero_of_their_own_tuples_have_the_same_distribution() -> None:
    odds_table = OddsTable()
    plain = odds_table.of(lambda table: table.times(3, face_and_six))
    assert exact(plain) == exact(odds_table.of(lambda table: table.times(3, face_and_six, zero=(0, 0))))


def test_each_link_of_a_chain_is_given_what_the_one_before_left() -> None:
    # 4 ≤ 4 wears to 3, 4 > 3 hurts, 3 ≤ 3 wears to 2
    assert given(4, 4, 3).chain(3, armour, (4, 0)) == (2, 1)


def test_a_pool_is_sorted_and_the_table_remembers_the_order_of_falling() -> None:
    table = given(5, 1, 3)
    assert table.pool(3, 6) == (1, 3, 5)
    assert table.throws[0].faces == [(6, 5), (6, 1), (6, 3)]


# ---------------------------------------------------------------- labels


def test_a_label_names_the_dice_that_follow_and_reckon_what_they_came_to() -> None:
    table = given(6, 4, 3)
    table.label("attack", "Jack", "2d6", against="Drone")
    table.die(6)
    table.die(6)
    table.result(total=10, success=True)
    table.label("scatter", "Jack")
    table.die(8)
    attack_, scatter = table.throws
    assert (attack_.what, attack_.who, attack_.spelled) == ("attack", "Jack", "2d6")
    assert (attack_.about, attack_.reckoning) == ({"against": "Drone"}, {"total": 10, "success": True})
    assert attack_.faces == [(6, 6), (6, 4)]
    assert (scatter.faces, scatter.spelled) == ([(8, 3)], "1d8")


def test_what_a_label_or_a_result_leaves_empty_is_not_recorded() -> None:
    table = given(3)
    table.label("attack", "Jack", "d6", against="")
    table.result(total=table.die(6), rerolled=None, effects=0)
    (roll,) = table.throws
    assert roll.about == {} and roll.reckoning == {"total": 3, "effects": 0}


def test_dice_without_a_label_are_gathered_and_spelled_by_their_faces() -> None:
    table = given(1, 2, 3)
    table.die(6)
    table.die(8)
    table.die(6)
    assert [throw.spelled for throw in table.throws] == ["2d6 + 1d8"]


def test_odds_and_draws_take_labels_without_a_word() -> None:
    def talkative(table: Any) -> int:
        table.label("attack", "Jack", "d2", against="Drone")
        face = table.die(2)
        table.result(total=face)
        return face

    assert exact(OddsTable().of(talkative)) == {1: Fraction(1, 2), 2: Fraction(1, 2)}
    assert talkative(DrawTable(generator(1).random, Laws())) in (1, 2)


# ---------------------------------------------------------------- faces given


def test_too_few_faces_say_which_roll_was_being_made() -> None:
    table = given(6, 4)
    table.label("attack", "Jack")
    with pytest.raises(WrongDice, match=r"Jack's attack asks for another d6 after 6,4") as wrong:
        three(table)
    assert wrong.value.status == 2


@pytest.mark.parametrize("face", [0, -1, 7])
def test_a_face_that_is_not_on_the_die_is_refused(face: int) -> None:
    table = given(face)
    table.label("initiative", "Ada")
    with pytest.raises(WrongDice, match=rf"{face} is not on a d6: face 1 is for Ada's initiative"):
        table.die(6)


def test_faces_left_over_are_refused_and_named() -> None:
    dice = Scripted([1, 2, 3, 4])
    three(Table(dice))
    with pytest.raises(WrongDice, match="left over: 4 after 3 rolled"):
        dice.finish()


def test_faces_used_up_are_in_order() -> None:
    dice = Scripted([1, 2, 3])
    assert three(Table(dice)) == 6
    dice.finish()


def test_a_record_that_tells_the_sides_notices_another_die() -> None:
    dice = Recorded([(6, 3, False), (8, 3, True)])
    table = Table(dice)
    assert table.die(6) == 3
    with pytest.raises(WrongDice, match="asks for a d6 where the record holds a d8"):
        table.die(6)


# ---------------------------------------------------------------- faces thrown, shown, mixed


def test_the_same_seed_throws_the_same_dice_on_every_machine() -> None:
    dice = Seeded(generator(2026, 1).random)
    faces = [dice.face(6, Throw("", "")) for _ in range(20)]
    assert faces == [4, 6, 2, 2, 6, 5, 5, 3, 3, 5, 6, 4, 2, 2, 5, 6, 5, 4, 1, 6]


def test_thrown_faces_are_on_the_die_and_every_one_comes_up() -> None:
    dice = Seeded(generator(5).random)
    for sides in (1, 2, 6, 20):
        assert {dice.face(sides, Throw("", "")) for _ in range(1_000)} == set(range(1, sides + 1))


def test_every_number_of_a_seed_counts_and_so_does_their_order() -> None:
    seeds = [
        mixed(*numbers) for numbers in ((1,), (2,), (1, 2), (2, 1), (1, 2, 0), (1 + 2**64, 2), (-1,), ())
    ]
    assert len(set(seeds)) == len(seeds)


class Told:
    """Answers from a list, each once; notes what it is asked for."""

    def __init__(self, *answers: list[int]):
        self.answers = list(answers)
        self.asked: list[tuple[int, str, int]] = []

    def answer(self, request: Choose | Faces, session: object) -> list[int]:
        assert isinstance(request, Faces)
        self.asked.append((request.sides, request.roll.what, len(request.roll.faces)))
        return self.answers.pop(0)

    def refuse(self, why: str) -> None:
        raise AssertionError(why)


def test_faces_given_at_once_serve_the_dice_that_follow() -> None:
    def attack(faces: Given) -> int:
        table = Table(Answers(faces))
        table.label("attack", "Jack")
        return three(table)

    told = Told([2, 3], [4])
    assert carried(attack, told) == 9
    assert told.asked == [(6, "attack", 0), (6, "attack", 2)]


def test_only_the_dice_of_ones_own_side_are_asked() -> None:
    def initiative(faces: Given) -> list[int]:
        table = Table(Mixed(Answers(faces), Scripted([1, 1]), lambda who: who == "Jack"))
        for who in ("Jack", "Drone", "Jack", "Drone"):
            table.label("initiative", who)
            table.die(6)
        return [throw.faces[0][1] for throw in table.throws]

    assert carried(initiative, Told([6], [6])) == [6, 1, 6, 1]


def test_swift_answers_come_as_often_as_their_distribution_says() -> None:
    draws = 6_000
    for seed, (rule, args) in enumerate(RULES):
        odds_table = OddsTable()
        table = DrawTable(generator(17, seed).random, Laws())
        seen = Counter(table.ask(rule, *args) for _ in range(draws))
        distribution = odds_table.of(rule, *args)
        assert set(seen) <= set(distribution.ways)
        for outcome, ways in distribution:
            p = ways / distribution.total
            assert abs(seen[outcome] - draws * p) <= 5 * (draws * p * (1 - p)) ** 0.5 + 5, (rule, outcome)


def test_swift_can_also_throw_a_rule_die_by_die() -> None:
    odds_table, draws = OddsTable(), 6_000
    table = DrawTable(generator(18).random, Laws())
    for rule, args in RULES:
        seen = Counter(rule(table, *args) for _ in range(draws))
        for outcome, ways in odds_table.of(rule, *args):
            p = ways / odds_table.of(rule, *args).total
            assert abs(seen[outcome] - draws * p) <= 5 * (draws * p * (1 - p)) ** 0.5 + 5, (rule, outcome)


# ---------------------------------------------------------------- decisions


def sure(table: Any, harm: int) -> int:
    return harm


def gamble(table: Any, sides: int) -> tuple[int, str]:
    """A tuple: its first part is the harm."""
    return table.die(sides), "gambled"


def asked_to_choose(table: Any, options: tuple[Alternative, ...]) -> str:
    return table.choose("Jack", options).name


STAND = Alternative("stand", sure, (4,))
DODGE = Alternative("dodge", gamble, (6,), cost=2)
BLOCK = Alternative("block", gamble, (6,), cost=1)
DUCK = Alternative("duck", gamble, (20,))


@pytest.mark.parametrize(
    ("options", "best"),
    [
        ((STAND, DODGE), "dodge"),
        ((STAND, DUCK), "stand"),
        ((STAND, DODGE, BLOCK, DUCK), "block"),
        ((STAND, BLOCK, DODGE), "block"),
        ((Alternative("left", sure, (1,)), Alternative("right", sure, (1,))), "left"),
        ((Alternative("left", sure, (1,), cost=1), Alternative("right", sure, (1,))), "right"),
    ],
)
def test_the_best_choice_is_the_least_expected_harm_then_the_cheapest_then_the_first(
    options: tuple[Alternative, ...], best: str
) -> None:
    odds_table = OddsTable(least_harm)
    assert exact(odds_table.of(asked_to_choose, options)) == {best: Fraction(1)}
    assert asked_to_choose(DrawTable(generator(1).random, Laws()), options) == best
    assert (
        asked_to_choose(
            Table(Scripted([]), lambda who, offered: least_harm(who, offered, odds_table)), options
        )
        == best
    )


def test_by_custom_the_first_option_is_to_do_nothing_and_taken_where_nobody_decides() -> None:
    table = given()
    assert asked_to_choose(table, (STAND, DODGE)) == "stand"
    assert exact(OddsTable(refuse_all).of(asked_to_choose, (STAND, DODGE))) == {"stand": Fraction(1)}


def test_a_choice_is_remembered_with_what_was_offered() -> None:
    table = Table(Scripted([]), lambda who, options: options[1])
    asked_to_choose(table, (STAND, DODGE))
    (choice,) = table.choices
    assert (choice.who, choice.offered, choice.taken) == ("Jack", ("stand", "dodge"), "dodge")


def test_where_there_is_no_choice_nobody_is_asked() -> None:
    def never(who: str, options: tuple[Alternative, ...]) -> Alternative:
        raise AssertionError("there was nothing to choose")

    table = Table(Scripted([]), never)
    assert asked_to_choose(table, (DODGE,)) == "dodge"
    assert not table.choices


def test_pricing_an_option_throws_none_of_its_dice() -> None:
    odds_table, dice = OddsTable(), Scripted([3])
    table = Table(dice, lambda who, options: least_harm(who, options, odds_table))
    option = table.choose("Jack", (STAND, DODGE))
    assert dice.used == 0
    assert table.ask(option.rule, *option.args) == (3, "gambled")


# ---------------------------------------------------------------- numbers that add up


def wounding(table: Any) -> int:
    """A die, less 2 for armour, but never below 0."""
    face = table.die(6)
    return table.plus(face, "armour", -min(face, 2), "R-1")


def volley(table: Any) -> int:
    return table.times(3, wounding)


def test_a_number_remembers_what_was_added_to_it() -> None:
    harm = given(5, 1, 4).ask(volley)
    assert harm == 5 and items_of(harm) == (("armour", -5, "R-1"),)
    assert items_of(-harm) == (("armour", 5, "R-1"),)


def test_what_adds_nothing_is_not_remembered() -> None:
    assert items_of(given().plus(3, "armour", 0, "R-1")) == ()


def test_odds_and_draws_know_the_sums_alone() -> None:
    distribution = OddsTable().of(volley)
    assert all(type(sum_) is int for sum_ in distribution.ways)
    assert exact(distribution)[12] == Fraction(1, 6**3)
    assert type(DrawTable(generator(1).random, Laws()).ask(volley)) is int
