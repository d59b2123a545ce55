"""Foreign spellings: each is refused with the right one, and no hint names a spelling that would be refused."""

from __future__ import annotations

import csv
import re
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from test_notation import WRONG

from crisis_cli import manual
from crisis_cli.dice.generator import Seeded
from crisis_cli.dice.table import Table
from crisis_cli.errors import NotationError
from crisis_cli.notation.grammar import Notation
from crisis_cli.notation.mean import mean
from crisis_cli.notation.parser import parse
from crisis_cli.notation.roller import roll_notation
from crisis_cli.notation.spellings import LONGEST, TABLE, spellings


class Row(NamedTuple):
    """A spelling of another program or of a book."""

    dialect: str
    written: str
    meant: str


def rows() -> list[Row]:
    """The rows of the table of dialects."""
    lines = (Path(__file__).parent / "dialects.tsv").read_text(encoding="utf-8").splitlines()[2:]
    return [Row(*row) for row in csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)]


def exact_mean(notation: Notation) -> Fraction | str:
    """The mean of what is rolled; the code of the error where a sheet is needed."""
    try:
        return Fraction(*mean(notation))
    except NotationError as error:
        return error.code


def refusal(text: str) -> NotationError | None:
    """Why a text is refused; None if it is not."""
    try:
        parse(text)
    except NotationError as error:
        return error
    return None


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row.dialect} {row.written}")
def test_a_foreign_spelling_is_refused_with_the_right_one(row: Row) -> None:
    meant, error = parse(row.meant), refusal(row.written)
    if error is None:
        right = parse(row.written)
    else:
        first = spellings(row.written, error.code)[0]
        assert first.text in error.hint
        right = parse(first.text)
    assert right == meant or exact_mean(right) == exact_mean(meant)
    assert (right.repeat, right.comment) == (meant.repeat, meant.comment)


def test_every_pattern_of_the_table_meets_a_known_spelling() -> None:
    """No row stands there for nothing."""
    needed = [
        rule.pattern.pattern
        for rule in TABLE
        if not any(
            rule.pattern.search(text.translate(PLAIN)) for text in (*(row.written for row in rows()), *MORE)
        )
    ]
    assert needed == []


PLAIN = str.maketrans("—–−", "---")
MORE = (
    "/r 2d6",
    "'3d6'",
    "6×3d6",
    "8d6=<2",
    "3d6;fire",
    "3d6 ; fire",
    '1d20 "to hit"',
    "5d6 keep 2 + 1",
    "4d6 best 3",
    "3 best of 5d6",
    "4d6b3",
    "(4d6)kh3",
    "{4d6kh3",
    "2d20kl",
    "4d6rr",
    "4d6rr1",
    "3d6 ir2",
    "3d6 xo>=5",
    "3d6x",
    "4d6 explode 5",
    "6d10>=8sf=1",
    "6#2d6 x 3",
    "2d6+1 x 3",
    "4d6 2 times",
)


@pytest.mark.parametrize(
    "text",
    [
        *("4dF.3", "3d6.5", "1d6.5+2", "3d6 4", "2d6 2d8", "hello", "3d6**2", "7%3", "3d6 adv", "4d6 foo3"),
        *(
            "d6 and d8",
            "2d6!>7+fire(",
            "3d6>=19",
            "10d6>=7",
            "1d6+",
            "((3d6)x6",
            "2d6 keep",
            "d",
            "2d6(3)",
            "1d20{5}",
            "3d6 ^",
        ),
        *(
            "8d6[5,6]",
            "3d6[5+]",
            "1d8/19-20",
            "1d8/1d10",
            "6d6!=7",
            "6d6ro7",
            "d6+d8 keep highest",
            "roll(3,6)",
            "(3,6)d6",
            "d(1,6)",
            "8d6k>3",
            "8d6d<3",
            "2d6>=2d6",
            "3dCD",
            "d6d6",
            "d20 roll twice keep best",
            "1d100 under 45",
            "3d6 doubled",
            "3d6 mod 2",
            "1d20 elven accuracy",
            "1@3d6",
            "6d6=6-f1",
            "double 3d6",
            "2d10 bonus die",
            "(2d6+1d8)kh1",
            "2d20+1d20 adv",
            "1d20 2nd attack",
            "6d6 half on save",
        ),
    ],
)
def test_no_hint_is_better_than_a_wrong_one(text: str) -> None:
    error = refusal(text)
    assert error is not None
    assert spellings(text, error.code) == []
    assert "write" not in error.hint


@pytest.mark.parametrize("text", WRONG)
def test_what_a_hint_names_can_be_read(text: str) -> None:
    error = refusal(text)
    assert error is not None
    for right in spellings(text, error.code):
        assert parse(right.text)
    if not spellings(text, error.code):
        for named in re.findall(r"\S*d[\dFC%{]\S*", error.hint):
            assert parse(named.rstrip(",")), error.hint
    assert "…" not in error.hint


SAME_HERE = {
    "more than 5": "8d6=6",
    "less than 2": "8d6=1",
    "fails at less than 2": "8d6>=5f=1",
    "rounded down": "floor(4d6/5)",
    "counts sixes twice": "8d{0,0,0,1,1,2}",
}
"""What the manual says that a spelling does here, as another spelling of it."""


def test_the_manual_tells_where_others_differ() -> None:
    page = (Path(manual.__file__).parent / "text" / "notation.md").read_text(encoding="utf-8")
    part = page.partition("# What others write\n")[2].partition("\n# ")[0]
    cells = [
        [cell.strip() for cell in line.strip("|").split(" | ")]
        for line in part.splitlines()
        if line[:1] == "|"
    ]
    assert cells[0][0] == "Spelling" and len(cells) > 15
    for written, _, here, right in cells[1:]:
        error = refusal(written)
        if here.startswith("refused"):
            assert error, written
            named = [one.text for one in spellings(written, error.code)]
            assert named == [] if right == "–" else right in named, written
        else:
            assert exact_mean(parse(written)) == exact_mean(parse(SAME_HERE[here])), written
            assert right == "–" or exact_mean(parse(written)) != exact_mean(parse(right))


FOREIGN = [
    "/r ", "!roll ", "[[", "]]", "6x", "6 ", "6 x ", "(", ")", "1d20", "2d6", "4d6", "3d8", "d66", "1d00", "4CD",
    "4dF.2", "d%", "2d[1..4]", "w6", "adv", " dis", " advantage", "kh1", "kh", "d1", "-L", "^3", "x6", "xo", "!6",
    "rr1", "r1=1", "r!=2", "mi2", "pl1", "cs6", "c[>4]", "t7", "ms>9", "e6", ">=7", "≥5", "=>5", "==20", " vs 15",
    " DC 12", "+5", " + ", "-", "–", "×10", "*1.5", "1.5*", "+STR", "@dex", "{prof}", " fire", "[cold]", " to hit",
    " # x", "#x", " // y", " ! z", "; w", '"q"', " drop lowest", " keep 3", " best 2 of ", " 6 times", " (3)", ".",
    ",", "'", "5+", "/", "\\", "é", "\0",
]  # fmt: skip


@pytest.mark.parametrize("seed", range(20))
def test_no_mixture_of_spellings_leads_to_a_hint_that_cannot_be_read(seed: int) -> None:
    random = Random(seed)
    for _ in range(50):
        text = "".join(random.choices(FOREIGN, k=random.randint(1, 6)))
        error = refusal(text)
        if error is None:
            continue
        for right in spellings(text, error.code):
            notation = parse(right.text)
            assert right.text in error.hint
            assert right.text.isprintable()
            try:
                assert roll_notation(notation, Table(Seeded(Random(seed).random)))
            except NotationError as wrong:
                assert wrong.code in ("unresolved_value", "zero_division", "too_many_dice")


def test_a_long_line_is_not_looked_at() -> None:
    """No pattern takes long: work grows with the line, and ends at a length."""
    assert spellings("1d6x" * LONGEST) == []
    for piece in FOREIGN:
        spellings((piece * LONGEST)[:LONGEST])
        spellings(f"1d20+5 {piece * LONGEST}"[:LONGEST])
