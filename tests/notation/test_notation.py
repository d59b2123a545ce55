"""Dice notation: what is read, how it is written back, and what is said of the rest."""

from __future__ import annotations

from random import Random

import pytest

from crisis_cli.columns import columns, first_columns
from crisis_cli.dice import Limits
from crisis_cli.dice.generator import Seeded
from crisis_cli.dice.table import Table
from crisis_cli.errors import NotationError
from crisis_cli.notation.ast import DiceTerm, SheetValue
from crisis_cli.notation.distribution import distribution_of
from crisis_cli.notation.mean import mean
from crisis_cli.notation.parser import parse, parse_recorded
from crisis_cli.notation.roller import roll_notation
from crisis_cli.notation.sheet_values import with_sheet_values

CANONICAL = {
    "3d6+2": "3d6+2",
    " 3 D6 + 2 ": "3d6+2",
    "d20": "1d20",
    "d%": "1d100",
    "4df": "4dF",
    "12dc": "12dC",
    "(1d4)d6": "(1d4)d6",
    "(4)d(6)": "4d6",
    "2d(1d4+2)": "2d(1d4+2)",
    "4d6k3": "4d6kh3",
    "4d6KH3": "4d6kh3",
    "4d6dl1dh1": "4d6dl1dh1",
    "5d6!": "5d6!",
    "5d6!=6": "5d6!",
    "5d6!>=6": "5d6!",
    "5d6!>=5": "5d6!>=5",
    "5d6!!": "5d6!!",
    "5d6!p": "5d6!p",
    "5d6!!p{3}": "5d6!!p{3}",
    "5d6!>4{2}": "5d6!>4{2}",
    "8d6!=6>=5": "8d6!=6>=5",
    "8d6>=5!": "8d6!=6>=5",
    "8dC!=2>=1": "8dC!=2>=1",
    "8d(1d6)>=5!": "8d(1d6)>=5!",
    "8d6!{2}>=5": "8d6!{2}>=5",
    "4d6r1": "4d6r=1",
    "4d6r": "4d6r=1",
    "4dFr": "4dFr=-1",
    "4d6ro<3r=6": "4d6ro<3r=6",
    "4d6min2max5": "4d6min2max5",
    "4dFmin-1": "4dFmin-1",
    "10d10>=8f=1cs10": "10d10>=8f=1cs=10",
    "10d10f1cs=10>=8": "10d10>=8f=1cs=10",
    "6d6=5=6": "6d6=5=6",
    "4d6s": "4d6s",
    "4d6sa": "4d6s",
    "4d6sd": "4d6sd",
    "3d{0,0,1,1,2}": "3d{0,0,1,1,2}",
    "d{-1, 0, +3}".replace("+", ""): "1d{-1,0,3}",
    "{2d20, 1d12}kh1": "{2d20, 1d12}kh1",
    "{1d8!,1d6!}k1": "{1d8!, 1d6!}kh1",
    "{4d6}": "{4d6}",
    "floor(7/2)": "floor(7/2)",
    "max(1d6,2,@might)": "max(1d6, 2, @might)",
    "@{small guns}d6": "(@{small guns})d6",
    "1-(2-3)": "1-(2-3)",
    "(1-2)-3": "(1-2)-3",
    "2*(3/4)": "2*(3/4)",
    "--2": "2",
    "+2": "2",
    "3--2": "3--2",
    "-(1+2)": "-(1+2)",
    "-2d6[fire]": "-2d6[fire]",
    "(-2d6)[fire]": "(-2d6)[fire]",
    "2d6[ fire ] + 3[ice]": "2d6[fire]+3[ice]",
    "(2d6+1)[fire]": "(2d6+1)[fire]",
    "((((4d6))))": "4d6",
    "6#4d6kh3": "6#4d6kh3",
    "007d06": "7d6",
    "1d66": "1d66",
    "2d66": "2d66",
    "d67": "1d67",
    "4d6r1r2": "4d6r=1r=2",
    "4d6r1!=6": "4d6r=1!",
    "10d10r=1>=8": "10d10r=1>=8",
    "10d10r>=8": "10d10r>=8",
    "5d6!!=6>=10": "5d6!!=6>=10",
    "8d6>5<2": "8d6>5<2",
    "4d6max4>=4": "4d6max4>=4",
    "(8d6>=5)-6": "8d6>=5 - 6",
    "8d6>=5 +2": "8d6>=5 + 2",
    "8d6>=5 - 6 + 2": "8d6>=5 - 6+2",
    "{2d6} >= 7 + 2": "{2d6}>=7 + 2",
    "10d10>=8f=1 - 2": "10d10>=8f=1 - 2",
    "2d6r1 -5": "2d6r=1 - 5",
    "2d6ro<=2-3": "2d6ro<=2-3",
    "4d6!>=5+2": "4d6!>=5+2",
    "8d6>=5-1d6": "8d6>=5-1d6",
    "3d6/2-1": "3d6/2-1",
    "3d6/2 - 3": "3d6/2 - 3",
    "1 - 6": "1 - 6",
    "6-1": "6-1",
    "2+10": "2+10",
    "1-6+2d6": "1-6+2d6",
    "{1d6}/{1d8}": "{1d6}/{1d8}",
}


@pytest.mark.parametrize("text", CANONICAL)
def test_canonical(text: str) -> None:
    """There is one spelling, it reads back to the same, and prints the same again."""
    notation = parse(text)
    assert notation.canonical == CANONICAL[text]
    again = parse(notation.canonical)
    assert again == notation
    assert hash(again) == hash(notation)
    assert again.canonical == notation.canonical


def test_comment_and_repeat() -> None:
    notation = parse("6#4d6kh3 # abilities, rolled [in] order")
    assert (notation.repeat, notation.comment) == (6, "abilities, rolled [in] order")
    assert str(notation) == "6#4d6kh3 # abilities, rolled [in] order"
    assert parse("@might # 4d6").comment == "4d6"
    assert parse("3d6 #").comment == ""


def test_a_comparison_after_an_explosion_belongs_to_it() -> None:
    dice = parse("8d6!>=5>=4").expression
    assert isinstance(dice, DiceTerm)
    assert dice.explode is not None
    assert dice.explode.test is not None
    assert (dice.explode.test.number, dice.tally.successes[0].number) == (5, 4)


def test_places_do_not_matter_to_meaning() -> None:
    assert parse("3d6 +2") == parse("3d6+2")
    assert parse("3d6+2") != parse("3d6+3")
    assert parse("3d6") != parse("3d6[fire]")


def test_a_minus_sign_is_a_minus_as_it_is_printed() -> None:
    assert parse("3d6 − 2") == parse("3d6-2")
    assert parse("1d{−2,3}r<−1[a − b]").canonical == "1d{-2,3}r<-1[a − b]"


WRONG = {
    "": ("empty", 0),
    "   ": ("empty", 3),
    "# nothing": ("empty", 0),
    "4d6d1": ("ambiguous_drop", 3),
    "4d6d": ("ambiguous_drop", 3),
    "1d2d3": ("ambiguous_drop", 3),
    "4d6k": ("no_number", 3),
    "4d6kh+1": ("no_number", 3),
    "4d6dl": ("no_number", 3),
    "d": ("no_sides", 1),
    "3d+1": ("no_sides", 2),
    "3d0": ("no_sides", 0),
    "3d6+": ("unfinished", 4),
    "3d6!>": ("unfinished", 5),
    "(3d6": ("unclosed", 0),
    "2*{1d6,(3}": ("unopened", 9),
    "max(1,2": ("unclosed", 3),
    "d{1,2": ("unclosed", 1),
    "3d6[fire": ("unclosed", 3),
    "5d6!{3": ("unclosed", 4),
    "3d6)": ("unopened", 3),
    "3d6+]": ("unopened", 4),
    "1.5": ("not_whole", 1),
    "2(3)": ("no_sign", 1),
    "3d6 4": ("no_sign", 4),
    "(3d6)kh2": ("not_after_dice", 5),
    "3d6+2>=10": ("not_after_dice", 5),
    "{1,2}!": ("not_after_dice", 5),
    "3d6[a]kh1": ("not_after_dice", 6),
    "{4d6}kh3": ("group_of_one", 0),
    "3d6^2": ("unexpected", 3),
    "3**2": ("unexpected", 2),
    "3//2": ("unexpected", 2),
    "(1,2)": ("comma", 3),
    "abs(1,2)": ("too_many_numbers", 6),
    "sqrt(4)": ("unknown_word", 0),
    "floor": ("unexpected", 5),
    "١d6": ("unexpected", 0),
    "3d６": ("no_sides", 2),
    "3d6\0": ("unexpected", 3),
    "3d6[\x1b[2J]": ("unexpected", 4),
    "3d6[]": ("no_label", 3),
    "@": ("no_name", 0),
    "@ might": ("no_name", 0),
    "4d6!!!": ("twice", 5),
    "4d6!!p!": ("twice", 6),
    "4d6min2min3": ("twice", 7),
    "4d6ss": ("twice", 4),
    "4d6min5max2": ("crossed", 7),
    "4d6!{0}": ("no_limit", 4),
    "4d6f=1": ("nothing_counted", 3),
    "4d6cs=6": ("nothing_counted", 3),
    "4d6 #x": ("comment", 4),
    "0#4d6": ("repeat", 0),
    "99999#4d6": ("repeat", 0),
    "6#6#4d6": ("comment", 3),
    "6 # 4d6": ("nothing_before_comment", 0),
    "2+(1) # a note": ("nothing_before_comment", 0),
    "d66": ("read_by_digit", 0),
    "2*D88+1": ("read_by_digit", 2),
    "4d6+d666": ("read_by_digit", 4),
    "1d6rr6": ("glued_modifiers", 3),
    "4d6RR<3": ("glued_modifiers", 3),
    "4d6ror1": ("glued_modifiers", 3),
    "4d6r!=3": ("glued_modifiers", 3),
    "20d20r1=1": ("glued_modifiers", 5),
    "20d20ro2>=19": ("glued_modifiers", 5),
    "8d10>=8sf=1": ("glued_modifiers", 7),
    "8d6=5-6": ("two_fold", 5),
    "8d6 >= 5-6": ("two_fold", 8),
    "4d6ro1-2": ("two_fold", 6),
    "5d10!=9-10": ("two_fold", 7),
    "1d20>=15+2": ("two_fold", 8),
    "{2d6}>=7+2": ("two_fold", 8),
    "10d10>=8f1-2": ("two_fold", 10),
    "1d10/19-20": ("two_fold", 7),
    "2-12": ("two_fold", 1),
    "6#1-6": ("two_fold", 3),
    "d6/d8": ("dice_by_dice", 2),
    "2*(1d8)/1d10": ("dice_by_dice", 7),
    "1d8[one]/1d10[two]": ("dice_by_dice", 8),
    "8d6[5,6]": ("no_label", 3),
    "3d6[5+]": ("no_label", 3),
    "d20[Adv]": ("no_label", 3),
    "6d6!=7": ("settled_comparison", 0),
    "6d6!>6": ("settled_comparison", 0),
    "6d6ro7": ("settled_comparison", 0),
    "4dFr>1": ("settled_comparison", 0),
    "2d6>=7": ("settled_comparison", 0),
    "1+2d6=0": ("settled_comparison", 2),
    "2d6>=1": ("settled_comparison", 0),
    "8d6>2<5": ("settled_comparison", 0),
    "4dF>=2": ("settled_comparison", 0),
    "8d10>=8f=0": ("settled_comparison", 0),
    "8d10>=8cs=11": ("settled_comparison", 0),
    "4d6min3>=3": ("settled_comparison", 0),
    "9999999999999": ("number_too_large", 0),
    "1" + "0" * 4000: ("number_too_large", 0),
    "1/0": ("zero_division", 1),
    "5d1!": ("endless", 0),
    "5d6!>=1": ("endless", 0),
    "5d6!!<7": ("endless", 0),
    "3+5d6r<=6": ("endless", 2),
    "5d6r<4r>3": ("endless", 0),
    "5d6r<6!": ("endless", 0),
    "d100000!": ("too_many_sides", 0),
    "(" * 65 + "1" + ")" * 65: ("too_deep", 64),
    "1+" * 2048 + "1": ("too_long", 4095),
}


@pytest.mark.parametrize("text", WRONG)
def test_errors_point_at_the_character(text: str) -> None:
    """Every fault has a stable code, a place, and a caret under it."""
    with pytest.raises(NotationError) as wrong:
        parse(text)
    error = wrong.value
    assert (error.code, error.at) == WRONG[text]
    assert error.status == 2
    assert error.about["position"] == error.at
    if text:
        line, caret = error.pointed()
        assert line.isprintable()
        assert caret.strip() == "^"
        assert len(line) <= 80


def test_caret_under_the_character() -> None:
    with pytest.raises(NotationError) as wrong:
        parse("3d6 + 4d6d1")
    assert "\n".join(wrong.value.pointed()) == "3d6 + 4d6d1\n         ^"
    with pytest.raises(NotationError) as wrong:
        parse("3d6[剣] + ?")
    assert "\n".join(wrong.value.pointed()) == "3d6[剣] + ?\n" + " " * 10 + "^"
    with pytest.raises(NotationError) as wrong:
        parse("1+" * 200 + "?" + "+1" * 200)
    line, caret = wrong.value.pointed()
    assert line[caret.index("^")] == "?"


@pytest.mark.parametrize(
    ("text", "fix"),
    [
        ("4d6d1", "dl1"),
        ("4d6d2", "dh2"),
        ("4d6k", "kh1"),
        ("2(3)", "*"),
        ("4d6f=1", "10d10>=8f=1"),
        ("5d1!", "{3}"),
    ],
)
def test_the_hint_is_the_fix(text: str, fix: str) -> None:
    with pytest.raises(NotationError) as wrong:
        parse(text)
    assert fix in wrong.value.hint


def test_nesting_to_the_limit() -> None:
    """64 brackets deep reads, prints and counts as any other."""
    for opening, closing in (
        ("(", ")"),
        ("-(1+2*", ")"),
        ("floor(", ")"),
        ("{1,", "}"),
        ("(", ")d1"),
        ("abs(-1+2*-(", "))"),
    ):
        depth = 64 // (opening.count("(") + opening.count("{"))
        notation = parse(opening * depth + "1" + closing * depth)
        assert parse(notation.canonical, Limits(length=10_000)) == notation
        assert with_sheet_values(notation, {}.get) == notation
        came = roll_notation(notation, Table(Seeded(Random(1).random)))[0].total
        assert came in distribution_of(notation).ways
        assert mean(notation)


@pytest.mark.parametrize("opening", ["-(1+2*", "-floor(1+2*", "-abs(1+2*", "{1,-2+2*", "(1+1*-"])
def test_deep_brackets_leave_room_on_the_stack(opening: str) -> None:
    """A caller may itself stand 250 frames deep."""
    closing = {"{": "}[a]", "(": ")d1[a]"}.get(opening[0], "[a])[a]")
    notation = parse(opening * 64 + "1" + closing * 64)

    def deep(frames: int) -> None:
        if frames:
            deep(frames - 1)
            return
        parse(notation.text)
        assert notation.canonical
        assert with_sheet_values(notation, {}.get) == notation
        assert (
            roll_notation(notation, Table(Seeded(Random(1).random)))[0].total
            in distribution_of(notation).ways
        )
        assert mean(notation)

    deep(250)


def test_limits_can_be_moved() -> None:
    with pytest.raises(NotationError):
        parse("((1))", Limits(nesting=1))
    with pytest.raises(NotationError):
        parse("1+1+1", Limits(length=4))
    with pytest.raises(NotationError):
        parse("(" * 65 + "1" + ")" * 65, Limits(nesting=10_000))


def test_sheet_values() -> None:
    """`@name` is looked up by the caller; what nobody knows is refused where it stands."""
    sheet = {"might": 3, "skills.small-guns": 2}
    text = "(@might)d6r1 + max(@{skills.small-guns}, -{1, @might}kh1)[x] / 2"
    notation = with_sheet_values(parse(text), sheet.get)
    assert notation.canonical == "(@might)d6r=1+max(@{skills.small-guns}, -{1, @might}kh1)[x]/2"
    assert notation != parse(text)
    with pytest.raises(NotationError) as wrong:
        with_sheet_values(parse("1d20+@migth"), sheet.get)
    assert (wrong.value.code, wrong.value.at) == ("unknown_value", 5)
    assert "\n".join(wrong.value.pointed()) == "1d20+@migth\n     ^"
    assert parse("@might").expression == SheetValue(9, "might")


@pytest.mark.parametrize("letter", ["x", "龍", "e\u0301"])
@pytest.mark.parametrize("before", [0, 3, 30, 60, 200])
@pytest.mark.parametrize("after", [0, 3, 30, 60, 200])
def test_the_part_of_an_expression_that_is_shown_fits_a_line(letter: str, before: int, after: int) -> None:
    text = f"2d6[{letter * before}]?[{letter * after}]"
    shown, caret = NotationError("wrong", text.index("?"), code="unexpected", text=text).pointed()
    assert columns(shown) <= NotationError.shown + 2
    assert first_columns(shown, len(caret)).endswith("?")
    assert shown.startswith("…") or text.startswith(shown.rstrip("…"))


@pytest.mark.parametrize("text", ["8d6=5-6", "1d20>=15+2", "d6/d8", "3d6[5+]", "6d6!=7", "1-6"])
def test_what_is_refused_by_now_is_read_where_a_journal_holds_it(text: str) -> None:
    assert parse_recorded(text) == parse_recorded(parse_recorded(text).canonical)
    with pytest.raises(NotationError):
        parse(text)
