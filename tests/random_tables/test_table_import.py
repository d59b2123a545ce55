"""`crisis tables import`: every form that is read, what is refused, and what is written."""

from __future__ import annotations

import csv
import io
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from conftest import Player
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crisis_cli.cli import run
from crisis_cli.play.table_import import READERS, form_of
from crisis_cli.random_tables.foreign import (
    ConvertedFile,
    ForeignFile,
    ForeignTable,
    ImportNote,
    WrongImport,
    dice_of,
    label_of,
)
from crisis_cli.sheets.foreign_tables import TableConversion


def source(form: str, text: str, stem: str = "loot") -> ForeignFile:
    """A text as its reader reads it."""
    parts = [*READERS[form](text, stem)]
    tables = [part for part in parts if isinstance(part, ForeignTable)]
    return ForeignFile(
        "source", tables[0].form or form, tables, [part for part in parts if isinstance(part, ImportNote)]
    )


def converted(form: str, text: str, **manner: Any) -> ConvertedFile:
    """A text converted as a file `loot`."""
    return TableConversion({"loot": source(form, text)}, **manner).file("loot")


def short(file: ConvertedFile) -> list[tuple[str, str, list[Any]]]:
    """The tables of a file: key, dice, rows."""
    return [
        (table.name.rpartition("/")[2], table.values.get("roll", ""), table.values["rows"])
        for table in file.tables
    ]


def ranged(*rows: tuple[str, int | str]) -> list[dict[str, Any]]:
    """Rows with texts and ranges."""
    return [{"text": text, "range": span} for text, span in rows]


# Ranges and dice

RANGES = {
    "7": (7, 7),
    "01-05": (1, 5),
    "96-00": (96, 100),
    "00": (100, 100),
    "000": (1000, 1000),
    "1–5": (1, 5),
    "3 to 7": (3, 7),
    "2..4": (2, 4),
    "**4.**": (4, 4),
    "10+": (10, None),
    "10 or more": (10, None),
    "5 or less": (None, 5),
    "up to 3": (None, 3),
    "6-": (None, 6),
    "8-0": (8, 10),
}


@pytest.mark.parametrize("cell", RANGES)
def test_ranges_are_read_as_they_are_printed(cell: str) -> None:
    """Zeros mean the highest result, and words an open end."""
    assert label_of(cell) == (*RANGES[cell], None)


@pytest.mark.parametrize("cell", ["x", "-", "1 -", "1-2-3", "1234567"])
def test_other_cells_are_no_labels(cell: str) -> None:
    """Nor weights."""
    assert label_of(cell) is None


DICE = {
    "d100": "1d100",
    "d%": "1d100",
    "Loot (2D6)": "2d6",
    "1d8 + 1": "1d8+1",
    "Rats 1d6 + d4": "1d6+d4",
    "1d6+1d4x": "1d6",
    "none": "",
    "1/2d6x": "",
}


@pytest.mark.parametrize("text", DICE)
def test_dice_are_found_in_a_head(text: str) -> None:
    """In our notation."""
    assert dice_of(text) == DICE[text]


# Forms

GOLD = ranged(("gold", "1 to 3"), ("silver", 4))
CASES: dict[str, tuple[str, str, list[tuple[str, str, list[Any]]]]] = {
    "numbers": ("txt", "1-3 gold\n4. silver\n", [("loot", "1d4", GOLD)]),
    "a list": ("txt", "gold\nsilver\n", [("loot", "", ["gold", "silver"])]),
    "bullets": ("txt", "- gold\n* silver\n• tin\n", [("loot", "", ["gold", "silver", "tin"])]),
    "weights": ("txt", "3x gold\nsilver\n", [("loot", "", [{"text": "gold", "weight": 3}, "silver"])]),
    "blocks": (
        "txt",
        "Coins:\na\nb\n\n# Gems\nc\nd\n",
        [("coins", "", ["a", "b"]), ("gems", "", ["c", "d"])],
    ),
    "a title above a blank line": ("txt", "Coins\n\na\nb\n", [("loot", "", ["a", "b"])]),
    "some numbers": ("txt", "1. gold\nsilver", [("loot", "", ["1. gold", "silver"])]),
    "one name twice": ("txt", "A:\na\nb\n\nA:\nc\nd\n", [("a", "", ["a", "b"]), ("a-2", "", ["c", "d"])]),
    "d66": (
        "txt",
        "Loot d66:\n11-36 gold\n41-66 tin\n",
        [("loot", "10*1d6+1d6", ranged(("gold", "11 to 36"), ("tin", "41 to 66")))],
    ),
    "open ends": ("txt", "Loot 2d4:\n3 or less: a\n4-5 b\n6+ c", []),
    "csv with a head": ("csv", "Roll,Text\n1-3,gold\n4,silver\n", [("loot", "1d4", GOLD)]),
    "csv with dice": ("csv", "d4;What\n1-3;gold\n4;silver\n", [("loot", "1d4", GOLD)]),
    "csv without a head": ("csv", "1-3,gold\n4,silver\n", [("loot", "1d4", GOLD)]),
    "csv of weights": (
        "csv",
        "weight,text\n3,gold\n1,tin\n",
        [("loot", "", [{"text": "gold", "weight": 3}, "tin"])],
    ),
    "csv of texts": ("csv", 'gold,much\n"a, b",c\n', [("loot", "", ["gold: much", "a, b: c"])]),
    "tsv": ("tsv", "range\tresult\n1-3\tgold\n4\tsilver\n", [("loot", "1d4", GOLD)]),
    "markdown": (
        "markdown",
        "# My *Hoard*\n\n| d4 | Loot |\n|----|---|\n| 1–3 | **gold** |\n| 4 | silver |\n",
        [("loot", "1d4", GOLD)],
    ),
    "two columns of dice": (
        "markdown",
        "| d4 | Loot | d4 | Loot |\n|--|--|--|--|\n| 1-3 | gold | 4 | silver |\n",
        [("loot", "1d4", GOLD)],
    ),
    "two tables side by side": (
        "markdown",
        "**Both**\n| d2 | A | d4 | B |\n|--|--|--|--|\n| 1 | x | 1-3 | gold |\n| 2 | y \\| z | 4 | silver |\n",
        [("both", "1d2", ranged(("x", 1), ("y | z", 2))), ("both-2", "1d4", GOLD)],
    ),
    "several texts": (
        "markdown",
        "| d1 | A | B |\n|--|--|--|\n| 1 | x | `dice: 2d6` |\n",
        [("loot", "1d1", ranged(("x: {2d6}", 1)))],
    ),
    "texts": ("json", '["gold", "silver"]', [("loot", "", ["gold", "silver"])]),
    "texts by range": ("json", '{"1-3": "gold", "4": "silver"}', [("loot", "1d4", GOLD)]),
    "entries": ("json", '{"name": "X Y", "entries": ["a", "b"]}', [("loot", "", ["a", "b"])]),
    "numbered texts": ("json", '["1-3 gold", "4. silver"]', [("loot", "1d4", GOLD)]),
    "rows by key": (
        "json",
        '{"A": [{"min": 1, "max": 3, "value": "gold"}, {"min": 4, "max": 4, "value": "silver"}], "B": ["c", "d"]}',
        [("a", "1d4", GOLD), ("b", "", ["c", "d"])],
    ),
    "ranges from 0": (
        "txt",
        "00-49 a\n50-99 b",
        [("loot", "1d100-1", ranged(("a", "0 to 49"), ("b", "50 to 99")))],
    ),
    "ranges from 0 on a die of the title": (
        "txt",
        "Loot d10\n0-4 a\n5-9 b",
        [("loot", "1d10-1", ranged(("a", "0 to 4"), ("b", "5 to 9")))],
    ),
    "0 as 10": ("txt", "1-9 a\n0 b", [("loot", "1d10", ranged(("a", "1 to 9"), ("b", 10)))]),
    "00 as 100": ("txt", "01-99 a\n00 b", [("loot", "1d100", ranged(("a", "1 to 99"), ("b", 100)))]),
    "0 as 0": ("txt", "1-6 a\n0 b", [("loot", "1d7-1", ranged(("b", 0), ("a", "1 to 6")))]),
    "several dice in a title": (
        "txt",
        "Rats 1d6+1d4\n2-9 a\n10 b",
        [("loot", "1d6+1d4", ranged(("a", "2 to 9"), ("b", 10)))],
    ),
    "several dice in a head": (
        "markdown",
        "| d6 + 1d4 | x |\n|--|--|\n| 2-9 | a |\n| 10 | b |",
        [("loot", "1d6+1d4", ranged(("a", "2 to 9"), ("b", 10)))],
    ),
    "dice of a title that do not fit": (
        "txt",
        "Loot d6\n1-4 a\n5-8 b",
        [("loot", "1d8", ranged(("a", "1 to 4"), ("b", "5 to 8")))],
    ),
    "hyphens behind numbers": ("txt", "1- gold\n2- tin", [("loot", "1d2", ranged(("gold", 1), ("tin", 2)))]),
    "hyphens before texts": ("txt", "1 - gold\n2 - tin", [("loot", "1d2", ranged(("gold", 1), ("tin", 2)))]),
    "d88": (
        "txt",
        "Loot d88\n11-48 a\n51-88 b",
        [("loot", "10*1d8+1d8", ranged(("a", "11 to 48"), ("b", "51 to 88")))],
    ),
    "d666": (
        "txt",
        "Loot d666\n111-366 a\n411-666 b",
        [("loot", "100*1d6+10*1d6+1d6", ranged(("a", "111 to 366"), ("b", "411 to 666")))],
    ),
    "a die of 66 sides": (
        "txt",
        "Loot d66\n1-33 a\n34-66 b",
        [("loot", "1d66", ranged(("a", "1 to 33"), ("b", "34 to 66")))],
    ),
    "csv of ends": ("csv", "Text,Min,Max\ngold,1,3\nsilver,4,4\n", [("loot", "1d4", GOLD)]),
    "csv of per cents": (
        "csv",
        "weight,text\n30%,gold\n,tin\n",
        [("loot", "", [{"text": "gold", "weight": 30}, "tin"])],
    ),
    "lists": ("json", '{"A": ["a", "b"], "B": ["c", "d"]}', [("a", "", ["a", "b"]), ("b", "", ["c", "d"])]),
}
CASES["open ends"] = (
    "txt",
    "Loot 2d4:\n3 or less: a\n4-5 b\n6+ c",
    [("loot", "2d4", ranged(("a", "2 to 3"), ("b", "4 to 5"), ("c", "6 to 8")))],
)
CASES["up to"] = (
    "txt",
    "2d6\n6- a\n7-9 b\n10+ c",
    [("loot", "2d6", ranged(("a", "2 to 6"), ("b", "7 to 9"), ("c", "10 to 12")))],
)


@pytest.mark.parametrize("case", CASES)
def test_every_form_is_read(case: str) -> None:
    """As the rows and dice that it shows."""
    form, text, tables = CASES[case]
    assert short(converted(form, text)) == tables


DATASWORN = {
    "_source": {"license": "https://example.org/by/4.0"},
    "oracles": {
        "core": {
            "contents": {
                "action": {
                    "_id": "oracle:star/core/action",
                    "name": "Action",
                    "summary": "What *happens*",
                    "dice": "1d4",
                    "rows": [
                        {"roll": {"min": 1, "max": 2}, "text": "Go to [the *sea*](id:star/sea)"},
                        {
                            "min": 3,
                            "max": 3,
                            "result": "Theme",
                            "oracle_rolls": [
                                {"oracle": "oracle:star/core/theme"},
                                {"oracle": "star/core/theme"},
                            ],
                        },
                        {"roll": {"min": 4, "max": 4}, "text": "Twice", "oracle_rolls": [{"oracle": None}]},
                        {"roll": None, "text": "Never"},
                    ],
                },
                "theme": {
                    "_id": "star/core/theme",
                    "rows": [
                        {"min": 1, "max": 1, "text": "Hope"},
                        {
                            "min": 2,
                            "max": 2,
                            "text": "Back",
                            "oracle_rolls": [{"oracle": "star/core/action"}],
                        },
                        {"min": 3, "max": 3, "text": "Off", "oracle_rolls": [{"oracle": "other/where"}]},
                    ],
                },
            }
        }
    },
}
FOUNDRY = {
    "tables": [
        {
            "name": "Hoard",
            "description": "<p>What lies &amp; glitters</p>",
            "formula": "1d4",
            "results": [
                {"range": [4, 4], "text": "@UUID[RollTable.xy]{Gems} and @UUID[Item.z]{a ring}"},
                {"range": [1, 3], "text": "[[/r 2d6]]{coins} {x}, <b>gold</b>"},
            ],
        },
        {
            "name": "Gems",
            "formula": "1d2",
            "replacement": False,
            "results": [{"range": [1, 1], "text": "opal"}, {"range": [2, 2], "name": "ruby"}],
        },
    ]
}


def test_datasworn_keeps_ranges_and_what_rows_draw_from() -> None:
    """What leads back, rolls again or is elsewhere stays text, and is noted."""
    file = converted("json", json.dumps(DATASWORN, indent=1))
    assert file.form == "datasworn"
    assert short(file) == [
        (
            "core-action",
            "1d4",
            ranged(("Go to the sea", "1 to 2"), ("{@loot/core-theme} + {@loot/core-theme}", 3), ("Twice", 4)),
        ),
        ("core-theme", "1d3", ranged(("Hope", 1), ("Back", 2), ("Off", 3))),
    ]
    assert file.tables[0].values["about"] == "What happens"
    assert len(file.notes) == 4 and all(note.line > 1 for note in file.notes)


def test_datasworn_is_read_everywhere_in_a_file() -> None:
    """Moves, assets, truths, and the tables inside truths; oracles keep their names."""
    rows = [{"roll": {"min": 1, "max": 2}, "text": "x"}]
    inner = {"dice": "1d2", "rows": rows}
    option = {"min": 1, "max": 2, "summary": "Plague", "description": "It came.", "table": inner}
    text = {
        "truths": {"end": {"_id": "star/truths/end", "dice": "1d2", "options": [option]}},
        "moves": {
            "a": {"oracles": {"b": {"_id": "move.oracle_rollable:star/go/a.b", "dice": "1d2", "rows": rows}}}
        },
        "assets": {
            "c": {"abilities": [{"text": "t", "oracles": {"d": {"_id": "x:star/pal/c.0.d", "rows": rows}}}]}
        },
        "oracles": {"e": {"_id": "star/truths/end", "rows": rows}},
        "site_themes": {"f": {"features": rows, "tags": ["g", "h"]}},
    }
    file = converted("json", json.dumps(text))
    assert [name for name, _, _ in short(file)] == [
        "truths-end",
        "truths-end-2",
        "truths-end-3",
        "go-b",
        "pal-d",
    ]
    assert file.tables[1].values["rows"] == ranged(("Plague: It came.", "1 to 2"))
    assert file.tables[2].values["about"] == "Plague"
    assert [note.message for note in file.notes] == ["left out: features"]


OGRE = {"name": "Ogre", "hit_points": 9, "tags": ["big", "bad"], "rolls": {"1": "x"}}


def test_objects_that_are_no_tables_are_left_out_with_one_note() -> None:
    """Actors, lists of objects, and a list of one text."""
    held = {"loot": ["a", "b"], "foes": [OGRE, {"name": "Imp", "tags": ["c", "d"]}], "one": ["z"], "n": 3}
    file = converted("json", json.dumps(held))
    assert short(file) == [("loot", "", ["a", "b"])]
    assert [note.message for note in file.notes] == ["left out: foes, one"]
    both = [{"name": "A", "entries": ["a", "b"]}, {"name": "B", "entries": ["c", "d"]}]
    assert [name for name, _, _ in short(converted("json", json.dumps(both)))] == ["a", "b"]


def test_foundry_keeps_dice_decks_and_names_of_tables_that_are_there() -> None:
    """HTML goes; braces of the source are doubled."""
    file = converted("json", json.dumps(FOUNDRY))
    assert file.form == "foundry"
    rows = ranged(("{2d6} (coins) {{x}}, gold", "1 to 3"), ("{@loot/gems} and a ring", 4))
    assert short(file) == [("hoard", "1d4", rows), ("gems", "", ["opal", "ruby"])]
    assert [table.values.get("deck", False) for table in file.tables] == [False, True]
    assert file.tables[0].values["about"] == "What lies & glitters"
    assert [note.message for note in file.notes] == [
        "links to what is not in this run, or leads back: taken as text"
    ]


def test_tables_of_one_run_draw_from_each_other() -> None:
    """Also from one in another file, but never in a circle."""
    first = source("json", '{"name": "A", "results": [{"range": [1, 1], "text": "[[B]]"}]}', "a")
    second = source("json", '{"name": "B", "results": [{"range": [1, 1], "text": "[[A]] [[B]]"}]}', "b")
    conversion = TableConversion({"a": first, "b": second})
    files = [conversion.file("a"), conversion.file("b")]
    assert [table.values["rows"][0]["text"] for file in files for table in file.tables] == [
        "{@b}",
        "[[A]] [[B]]",
    ]


def test_templates_keep_their_braces_only_on_request() -> None:
    """Else a brace of the source is printed."""
    assert short(converted("txt", "{1d6} {a|b}\nx"))[0][2][0] == "{{1d6}} {{a|b}}"
    assert short(converted("txt", "{1d6} {a|b}\nx", has_templates=True))[0][2][0] == "{1d6} {a|b}"


def test_a_long_row_is_cut_and_noted() -> None:
    """At a thousand characters."""
    file = converted("txt", "{" * 3000 + "\nx")
    text = file.tables[0].values["rows"][0]
    assert len(text) <= 1000 and text.endswith("…") and not text.rstrip("…").count("{") % 2
    assert file.notes[0].message == "cut at 1,000 characters"


LINKS = {
    "[[/r 1d6kh1 + 2 # gold]]": "{1d6kh1 + 2} (gold)",
    "[[/gmr d%]]{coins}": "{d%} (coins)",
    "[[/r 99999d99999]]": "[[/r 99999d99999]]",
    "`dice: 2d6`": "{2d6}",
    "@UUID[]{} [[Nowhere]]": "@UUID[]{{}} [[Nowhere]]",
    "@UUID[Item.x]{a ring} <b>of</b> <iron> &amp; tin": "a ring of <iron> & tin",
}


@pytest.mark.parametrize("text", LINKS)
def test_dice_and_links_in_texts_keep_what_they_say(text: str) -> None:
    """What cannot be rolled stays text, and so does what only looks like HTML."""
    assert short(converted("txt", f"{text}\nx"))[0][2][0] == LINKS[text]


def test_objects_with_other_keys_keep_all_their_texts() -> None:
    """Nothing is left out because its key is unknown."""
    rows = [{"min": 1, "max": 2, "item": "rope", "price": "1 gp"}, {"roll": "3-4", "weapon": "axe"}]
    file = converted("json", json.dumps({"rows": rows}))
    assert short(file) == [("loot", "1d4", ranged(("rope: 1 gp", "1 to 2"), ("axe", "3 to 4")))]


def test_what_is_left_out_is_noted() -> None:
    """Rows that no result brings, titles without rows, and tables without dice."""
    languages = "Table: Tongues\n\n| 1d2 | Tongue |\n|--|--|\n| — | Common |\n| 1 | Elvish |\n| 2 | Orc |\n"
    file = converted("markdown", f"{languages}\n| A | B |\n|--|--|\n| 1 | x |\n")
    assert file.tables[0].values["name"] == "Tongues"
    assert [(note.line, note.message) for note in file.notes] == [
        (5, "left out: a row without results: Common"),
        (9, "left out: no column of dice"),
    ]
    file = converted("txt", "1 wolf\n2 bears\n")
    assert [note.message for note in file.notes] == [
        "the number of each line is taken as its result: 1. says so"
    ]
    file = converted("txt", "3x3 room\n3x cave\n2x hall\n")
    assert file.notes[0].message.startswith("taken as the title")
    file = converted("txt", "Lost:\n\nFound\n1. a\n2. b\n")
    assert [(note.line, note.message) for note in file.notes] == [(1, "left out: a title without rows")]


def test_tables_above_each_other_stay_within_the_limit() -> None:
    """Whichever of them is converted first."""
    for step in (1, -1):
        tables = [
            {"name": f"t{at}", "results": [{"range": [1, 1], "text": f"[[t{at + step}]]"}]}
            for at in range(99)
        ]
        texts = [row["text"] for _, _, rows in short(converted("json", json.dumps(tables))) for row in rows]
        chains = "".join("@" if "@" in text else " " for text in texts).split()
        assert sum(map(len, chains)) > 90 and max(map(len, chains)) < 32


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("| d6 | x |\n|--|--|\n| 1-3 | a |\n| 5-6 | b |", 3, "no row for 4 on 1d6"),
        ("| d6 | x |\n|--|--|\n| 3-6 | a |", 1, "no row for 1 to 2 on 1d6"),
        ("| d6 | x |\n|--|--|\n| 1-4 | a |\n| 4-6 | b |", 4, "4 stands in row 1 too"),
        ("| d6 | x |\n|--|--|\n| 1-7 | a |", 3, "1d6 rolls 1 to 6, not '1-7'"),
        ("| d6 | x |\n|--|--|\n| one | a |", 3, "'one' is no range of results such as 7 or 2-3"),
        ("| d6 | x |\n|--|--|\n| 6-1 | a |", 3, "'6-1' runs backwards: the lowest result comes first"),
        ("| 2d9999 | x |\n|--|--|\n| 2+ | a |", 1, "must be dice with at most 10,000 results, not '2d9999'"),
        ("| d66 | x |\n|--|--|\n| 11-16 | a |\n| 17-66 | b |", 0, ""),
    ],
)
def test_gaps_and_overlaps_are_errors_with_their_line(text: str, line: int, message: str) -> None:
    """But on dice whose results leave some numbers out there is no gap there."""
    if not line:
        converted("markdown", text)
        return
    with pytest.raises(WrongImport) as wrong:
        converted("markdown", text)
    assert (wrong.value.line, wrong.value.message) == (line, message)


def test_gaps_are_filled_on_request() -> None:
    """In their place, with a note."""
    file = converted("markdown", "| d6 | x |\n|--|--|\n| 2-3 | a |\n| 6 | b |", gaps="{-}")
    assert short(file)[0][2] == ranged(("{{-}}", 1), ("a", "2 to 3"), ("{{-}}", "4 to 5"), ("b", 6))
    assert len(file.notes) == 2


def test_the_form_of_a_text_without_an_ending_is_guessed() -> None:
    """JSON, a pipe table, a separator on every line, or lines."""
    texts = {
        "json": ' {"a"',
        "markdown": "x\n| a |\n|---|",
        "csv": "a,b\nc,d",
        "tsv": "a\tb",
        "txt": "a,b\nc",
    }
    assert {form: form_of(text) for form, text in texts.items()} == {form: form for form in texts}


# Odds


ROWS = st.lists(
    st.tuples(st.integers(1, 1000), st.text("abc xyz,;'\"{}é→", min_size=1, max_size=20).filter(str.strip)),
    min_size=2,
    max_size=30,
)


def size(row: dict[str, Any]) -> int:
    """How many results a row has, or its weight."""
    low, _, high = str(row.get("range", "")).partition(" to ")
    return int(high or low) - int(low) + 1 if low else row.get("weight", 1)


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ROWS, st.booleans(), st.sampled_from(",;\t"))
def test_a_table_keeps_its_odds_through_csv(
    rows: list[tuple[int, str]], is_rolled: bool, separator: str
) -> None:
    """Weights as weights, or as ranges of one die."""
    out, end = io.StringIO(), 0
    writer = csv.writer(out, delimiter=separator)
    writer.writerow(["roll", "text"] if is_rolled else ["weight", "text"])
    weights = [weight % 300 + 1 if is_rolled else weight for weight, _ in rows]
    for weight, (_, text) in zip(weights, rows, strict=True):
        writer.writerow([f"{end + 1}-{end + weight}" if is_rolled else weight, text])
        end += weight
    form = "tsv" if separator == "\t" else "csv"
    (table,) = converted(form, out.getvalue()).tables
    found = [row if isinstance(row, dict) else {"text": row} for row in table.values["rows"]]
    assert [size(row) for row in found] == weights
    assert table.values.get("roll", "") == (f"1d{end}" if is_rolled else "")
    texts = [" ".join(text.split()).replace("{", "{{").replace("}", "}}") for _, text in rows]
    assert [row["text"] for row in found] == texts


@pytest.mark.parametrize("name", ["twists", "spoils", "manners", "terrain-turns"])
def test_shipped_tables_come_back_from_csv_with_their_odds(crisis: Player, name: str) -> None:
    """Templates and all."""
    shown = crisis.ok(f"tables show {name} --json").records
    dice = next(one["dice"] for one in crisis.ok("tables list --json").records if one["table"] == name)
    with (crisis.here / "back.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([dice, "text"])
        writer.writerows([f"{row['low']}-{row['high']}", row["text"]] for row in shown)
    crisis.ok("tables import back.csv --templates")
    keys = ("row", "low", "high", "text", "p", "exact")
    old, new = (
        [
            {key: row[key] for key in keys}
            for row in crisis.ok(f"tables show {one} --odds --json").records
            if row["table"] == one
        ]
        for one in (name, "back")
    )
    assert new == old


# As a user meets it

TEXT = "Loot (d6):\n1-3 gold\n4-6 {silver}\n\nNames:\n- Ann\n3x Bob\n"


def put(player: Player, name: str, text: str) -> None:
    """Write a file into the working folder."""
    (player.here / name).write_text(text, encoding="utf-8")


def test_a_file_is_written_with_its_source_and_can_be_rolled_on(crisis: Player) -> None:
    """And a second time it is refused, unless it may be replaced; the bytes are always equal."""
    put(crisis, "loot.txt", TEXT)
    assert crisis.ok("tables import loot.txt --dry-run").out.startswith(
        "would write tables/loot.toml: 2 tables, 4 rows"
    )
    assert not (crisis.here / "tables").exists()
    assert crisis.ok("tables import loot.txt").lines == [
        "wrote tables/loot.toml: 2 tables, 4 rows (txt)",
        "try: crisis tables loot/loot-d6",
    ]
    path = crisis.here / "tables" / "loot.toml"
    assert path.read_text("utf-8") == (
        "# Imported from loot.txt (txt).\n"
        "# Licence of the source: not named in it; that of the source holds\n"
        "\n[tables.loot-d6]\n"
        'name = "Loot (d6)"\nroll = "1d6"\nrows = [\n'
        '  { text = "gold", range = "1 to 3" },\n  { text = "{{silver}}", range = "4 to 6" },\n]\n'
        '\n[tables.names]\nname = "Names"\nrows = [\n  "Ann",\n  { text = "Bob", weight = 3 },\n]\n'
    )
    before = path.read_bytes()
    crisis.ok("tables check loot")
    assert "{silver}" in crisis.ok("tables loot/loot-d6 --dice 5").out
    assert "--overwrite" in crisis.refused(4, "tables import loot.txt").err
    crisis.ok("tables import loot.txt --overwrite")
    assert path.read_bytes() == before


def test_json_has_tables_and_notes(crisis: Player) -> None:
    """One object for each file."""
    put(crisis, "foundry.json", json.dumps(FOUNDRY))
    assert crisis.ok("tables import foundry.json --name hoards --to elsewhere --json").record == {
        "v": 1,
        "action": "tables import",
        "file": "elsewhere/hoards.toml",
        "source": "foundry.json",
        "format": "foundry",
        "tables": [
            {"name": "hoards/hoard", "rows": 2, "roll": "1d4"},
            {"name": "hoards/gems", "rows": 2, "roll": ""},
        ],
        "notes": [
            {
                "line": 1,
                "table": "Hoard",
                "message": "links to what is not in this run, or leads back: taken as text",
            }
        ],
    }
    crisis.ok("tables check elsewhere")
    held = tomllib.loads((crisis.here / "elsewhere" / "hoards.toml").read_text("utf-8"))
    assert held["tables"]["gems"]["deck"] is True


def test_a_gap_is_refused_and_nothing_is_written(crisis: Player) -> None:
    """Not even the good file beside it."""
    put(crisis, "good.txt", "a\nb\n")
    put(crisis, "loot.md", "# Loot\n\n| d100 | x |\n|--|--|\n| 01-50 | a |\n| 61-00 | b |\n")
    shown = crisis.refused(4, "tables import good.txt loot.md")
    assert "loot.md, line 5: no row for 51 to 60 on 1d100" in shown.err and "--gaps" in shown.err
    assert not (crisis.here / "tables").exists()
    error = crisis.refused(4, "tables import good.txt loot.md --json").error
    assert error["code"] == "wrong_import"
    assert error["faults"] == [{"file": "loot.md", "line": 5, "message": "no row for 51 to 60 on 1d100"}]
    crisis.ok("tables import good.txt loot.md --gaps nothing")
    assert "nothing" in crisis.ok("tables loot --dice 55").out


SOUND_AND_WRONG = """## Gems

| d6 | Gem |
|----|-----|
| 1-3 | a ruby |
| 4-6 | [[Coins]] |

## Coins

| d6 | Coins |
|----|-------|
| 1-3 | copper |
| 5-6 | gold |
"""


def test_a_wrong_table_is_left_out_and_the_others_are_written(crisis: Player) -> None:
    """What drew from the wrong table is text, with a note; the exit status is that of an error."""
    (crisis.here / "loot.md").write_text(SOUND_AND_WRONG, encoding="utf-8")
    shown = crisis("tables import loot.md --to tables")
    assert shown.status == 4
    assert "loot.md, line 12: no row for 4 on 1d6; loot/coins is left out" in shown.err
    assert "1 table, 2 rows (markdown); 1 note" in shown.out and "taken as text" in shown.out
    (table,) = tomllib.loads((crisis.here / "tables/loot.toml").read_text("utf-8"))["tables"].values()
    assert [row["text"] for row in table["rows"]] == ["a ruby", "[[Coins]]"]
    crisis.ok("tables check tables")
    crisis.ok("tables import loot.md --to tables --overwrite --gaps nothing")
    assert len(tomllib.loads((crisis.here / "tables/loot.toml").read_text("utf-8"))["tables"]) == 2


WRONG = {
    "deep.json": "[" * 100_000,
    "deeper.json": '{"a":' * 50_000 + "1" + "}" * 50_000,
    "broken.json": '{\n"a": [\n',
    "number.json": "9" * 6_000,
    "empty.txt": "\n\n",
    "numbers.json": '{"results": [{"range": [1, 1e400], "text": "x"}]}',
    "formula.json": '{"results": [{"range": [1, 1], "text": "x"}], "formula": "1d6*1d6"}',
    "cell.csv": 'text\n"' + "x" * 200_000,
    "weight.csv": "weight,text\n1001,a\n0,b\n",
    "rows.txt": "x\n" * 1_001,
    "tables.json": json.dumps({f"t{at}": ["a", "b"] for at in range(501)}),
    "none.md": "# Only words\n",
    "twice.json": '{"1": "x", "2": "y", "2": "z"}',
    "foes.json": json.dumps([OGRE]),
    "weights.csv": "weight,text\nlots,a\n2,b\n",
    "parts.csv": "weight,text\n1.5,a\n2,b\n",
    "sign.csv": "weight,text\nx,a\n2,b\n",
}


@pytest.mark.parametrize("name", WRONG)
def test_a_hostile_file_gives_one_line_and_writes_nothing(crisis: Player, name: str) -> None:
    """With the file's name, and without a traceback."""
    put(crisis, name, WRONG[name])
    before = crisis.files()
    shown = crisis.refused(4, f"tables import {name}")
    assert shown.err.count("\n") <= 2 and name in shown.err.splitlines()[0] and len(shown.err) < 700
    assert crisis.files() == before


def test_names_like_paths_and_control_characters_stay_in_the_folder(crisis: Player) -> None:
    """Names become words with hyphens, and texts lose what no screen shows."""
    tables = [
        {"name": name, "results": [{"range": [1, 1], "text": "a\u0007\u001b[31mb\nc"}]}
        for name in ("../../etc/passwd", "C:\\x\u0000", "\u202e", "__proto__", "x" * 99)
    ]
    put(crisis, "bad.json", json.dumps(tables))
    crisis.ok("tables import bad.json --name ../../over --to in")
    assert {*crisis.files()} == {"bad.json", "in/over.toml"}
    held = tomllib.loads((crisis.here / "in" / "over.toml").read_text("utf-8"))["tables"]
    assert [*held] == ["etc-passwd", "c-x", "nameless", "proto", "x" * 40]
    assert {table["rows"][0]["text"] for table in held.values()} == {"a [31mb c"}
    crisis.ok("tables check in/over.toml")


def test_tables_outside_every_folder_find_those_beside_them(crisis: Player) -> None:
    """A check of the folder to which they were imported has no fault; what is not beside them is missing still."""
    put(crisis, "a.json", '{"name": "A", "results": [{"range": [1, 1], "text": "[[B]]"}]}')
    put(crisis, "b.json", '{"name": "B", "results": [{"range": [1, 1], "text": "b"}]}')
    crisis.ok("tables import a.json b.json --to in")
    crisis.ok("tables check in/a.toml")
    (crisis.here / "in" / "b.toml").unlink()
    assert "no table is called 'b'" in crisis("tables check in/a.toml").out
    (crisis.here / "in" / "b.toml").symlink_to(crisis.here / "b.json")
    assert "no table is called 'b'" in crisis("tables check in/a.toml").out


def test_the_next_step_is_one_that_works(crisis: Player) -> None:
    """A table in a folder that is not searched is rolled on by its path; several have no next step."""
    put(crisis, "loot.txt", "a\nb\n")
    put(crisis, "both.txt", TEXT)
    assert crisis.ok("tables import loot.txt --to far").lines[-1] == "try: crisis tables far/loot.toml"
    crisis.ok("tables far/loot.toml")
    assert "try:" not in crisis.ok("tables import both.txt --to far").out
    assert crisis.ok("tables import loot.txt --to tables/in").lines[-1] == "try: crisis tables loot"
    crisis.ok("tables loot")


def test_actors_are_for_another_command(crisis: Player) -> None:
    """Which the hint names."""
    put(crisis, "foes.json", json.dumps([OGRE]))
    assert "crisis character import foes.json" in crisis.refused(4, "tables import foes.json").err


def test_stdin_and_utf_16_are_read_and_empty_options_refused(crisis: Player) -> None:
    """As by the other import."""
    for name in ("", "--name=piped"):
        environment = crisis.environment(stdin=io.StringIO("a\nb\n"))
        assert run(["tables", "import", "-", *filter(None, [name])], environment) == 0
    crisis.ok("tables piped")
    crisis.ok("tables stdin")
    (crisis.here / "wide.txt").write_text("gold\nété\n", "utf-16")
    crisis.ok("tables import wide.txt")
    assert "été" in (crisis.here / "tables" / "wide.toml").read_text("utf-8")
    for option in ("--to", "--name"):
        assert "is empty" in crisis.refused(2, f"tables import wide.txt {option} ''").err
    assert "folder" in crisis.refused(4, "tables import .").err


def test_an_import_follows_no_link_out_of_its_folder(
    crisis: Player, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Neither a file that is a link, nor when it may be replaced."""
    outside = tmp_path_factory.mktemp("outside") / "prey.toml"
    outside.write_text("mine", "utf-8")
    put(crisis, "loot.txt", TEXT)
    (crisis.here / "tables").mkdir()
    (crisis.here / "tables" / "loot.toml").symlink_to(outside)
    for more in ("", " --overwrite"):
        crisis.refused(4, f"tables import loot.txt{more}")
    assert outside.read_text("utf-8") == "mine"


def test_what_is_no_file_is_not_imported(crisis: Player) -> None:
    """A folder, a missing file, one that is not UTF-8; and one name does not do for two files."""
    Path(crisis.here / "folder").mkdir()
    (crisis.here / "latin.txt").write_bytes(b"a\n\xff\n")
    assert "folder" in crisis.refused(4, "tables import folder").err
    assert "missing.txt" in crisis.refused(4, "tables import missing.txt").err
    assert "latin.txt, line 2: this is no text in UTF-8" in crisis.refused(4, "tables import latin.txt").err
    crisis.refused(2, "tables import a.txt b.txt --name c")
    crisis.refused(2, "tables import")
