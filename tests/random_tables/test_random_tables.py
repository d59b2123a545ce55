"""Random tables: files, draws, exact odds, decks in a crisis."""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from conftest import Player, slow_but

from crisis_cli.conformance.suite import walked, weighed
from crisis_cli.dice.generator import Seeded, generator
from crisis_cli.dice.table import Table
from crisis_cli.errors import FileError, NotationError, Refused
from crisis_cli.notation.parser import parse
from crisis_cli.random_tables.draw import draw
from crisis_cli.random_tables.odds import chances
from crisis_cli.random_tables.table import from_record
from crisis_cli.random_tables.template import WrongTemplate, parse_template
from crisis_cli.sheets.store import Folder
from crisis_cli.sheets.table_store import SHIPPED, TableStore

EIGHT = ("twists", "events", "terrain-turns", "reinforcements", "wants", "manners", "spoils", "aftermath")
Write = Callable[..., TableStore]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes files of tables, by name, and gives the store that finds them."""

    def make(**files: str) -> TableStore:
        for name, text in files.items():
            (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
        return TableStore((Folder(str(tmp_path), "here"),), str(tmp_path))

    return make


def own(player: Player, name: str, text: str) -> None:
    """Write a table into the player's own folder."""
    folder = player.here / "tables"
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.toml").write_text(text, encoding="utf-8")


# Odds

BOOKS = {
    "weights": {"a": 'rows = ["x", { text = "y", weight = 3 }, "{p|q} {1d2}"]'},
    "roll": {
        "a": 'roll = "2d6"\nrows = [{ range = "2-6", text = "{@b}" }, { range = 7, text = "z" },'
        ' { range = "8-12", text = "{@b} {@b}" }]',
        "b": 'rows = ["low", { text = "high", weight = 2 }]',
    },
    "several": {
        "a": 'rows = ["{@b:2}", "{@b:3|no}", "{none|{@b:2}}"]',
        "b": 'rows = ["k", { text = "l", weight = 2 }, "{@c}", "m"]',
        "c": 'rows = ["deep", "deeper"]',
    },
}


@pytest.mark.parametrize("book", BOOKS)
def test_shown_odds_are_those_of_every_face(write: Write, book: str) -> None:
    tables = write(**BOOKS[book]).with_references("a")

    def rows(table: object) -> frozenset[tuple[str, int]]:
        return frozenset((one.table, one.row) for one in draw(table, tables, "a"))  # type: ignore[arg-type]

    ends = weighed(walked(rows))
    found = list(chances(tables, "a"))
    assert len(found) == sum(len(one.rows) for one in tables.values()) > 2
    for one in found:
        walked_chance = sum((p for rows, p in ends.items() if (one.table, one.row) in rows), Fraction(0))
        assert one.chance == walked_chance, one


@pytest.mark.parametrize("row", ["{@b} and {@b}", "{@b|no}", "{@c:2} {@b:2}"])
@pytest.mark.parametrize("gone", [(), (2,)])
def test_odds_of_decks_within_tables_are_those_of_every_face(
    write: Write, row: str, gone: tuple[int, ...]
) -> None:
    tables = write(
        a=f'rows = ["{row}", "x"]',
        b='deck = true\nrows = ["k", "l", { text = "m", weight = 2 }, "n", "o"]',
        c='rows = ["{@b}", "deep", "deeper"]',
    ).with_references("a")
    out = {"b": gone}

    def rows(table: object) -> frozenset[tuple[str, int]]:
        drawn = [(one.table, one.row) for one in draw(table, tables, "a", (), out)]  # type: ignore[arg-type]
        assert len(set(drawn)) == len(drawn), "no row of a deck twice"
        return frozenset(drawn)

    ends = weighed(walked(rows))
    for one in chances(tables, "a", out):
        walked_chance = sum((p for rows, p in ends.items() if (one.table, one.row) in rows), Fraction(0))
        assert one.chance == walked_chance, one


@pytest.mark.slow
@pytest.mark.parametrize("name", EIGHT)
def test_rows_of_a_shipped_table_come_as_often_as_shown(crisis: Player, name: str) -> None:
    """5 standard deviations and 5 rolls, of 400 rolls with a fixed seed."""
    shown = {
        one["row"]: one["p"]
        for one in crisis.ok(f"tables show {name} --odds --json").records
        if one["table"] == name
    }
    rolled = Counter(one["row"] for one in crisis.ok(f"tables roll {name} -n 400 --seed 5 --json").records)
    for row, p in shown.items():
        assert abs(rolled[row] - 400 * p) <= 5 * (400 * p * (1 - p)) ** 0.5 + 5


# Files


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "{ without }"),
        ("a } b", "} without {"),
        ("{@}", "write {@NAME}"),
        ("{@x:0}", "N from 1 to"),
        ("{@x:7}", "N from 1 to"),
        ("{hello}", "is no dice"),
        ("{2d}", "is no dice"),
        ("{a|{1d6}", "{ without }"),
        ("{a|{b|{c|{d|{e|{f|{g|{h|{i|j}}}}}}}}}", "deep"),
    ],
)
def test_a_wrong_text_says_what_is_wrong(text: str, why: str) -> None:
    with pytest.raises(WrongTemplate, match=re.escape(why)):
        parse_template(text)


@pytest.mark.parametrize(
    ("text", "line", "key", "says"),
    [
        ('name = "x"', 1, "rows", "is missing"),
        ("rows = []", 1, "rows", "must have a row"),
        ("rows = 3", 1, "rows", "must be a list"),
        ("rows = [3]", 1, "rows[0]", "printable characters"),
        ('rows = [""]', 1, "rows[0]", "printable characters"),
        ('rows = ["a\\u001b"]', 1, "rows[0]", "printable characters"),
        ('rows = ["a", "{x"]', 1, "rows[1]", "without }"),
        ('rows = [{ text = "a", weight = 0 }]', 1, "rows[0].weight", "whole number"),
        ('rows = [{ text = "a", wieght = 2 }]', 1, "rows[0].wieght", "did you mean weight"),
        ("rows = [{ weight = 2 }]", 1, "rows[0].text", "is missing"),
        ('rows = [{ text = "a", range = 2 }]', 1, "rows[0].range", "goes with `roll`"),
        ('roll = "2d6"\nrows = ["a"]', 2, "rows[0]", "must have a range"),
        ('roll = "2d"\nrows = ["a"]', 1, "roll", "dice"),
        ('roll = "d6!"\nrows = ["a"]', 1, "roll", "do not explode"),
        ('rows = ["a",\n"{b|{99999d6}}"]', 2, "rows[1]", "{99999d6}: more than 10,000 dice in one roll"),
        ('roll = "10000d6"\nrows = ["a"]', 1, "roll", "more than"),
        ('roll = "d100000"\nrows = ["a"]', 1, "roll", "at most 10,000 results"),
        ('roll = "d2"\nrows = [{ range = 1, text = "a" }]', 2, "rows", "no row for 2"),
        (
            'roll = "d2"\nrows = [{ range = "1-2", text = "a" },\n{ range = 2, text = "b" }]',
            3,
            "rows[1].range",
            "stands in row 1 too",
        ),
        ('roll = "d2"\nrows = [{ range = "2-1", text = "a" }]', 2, "rows[0].range", "results of the roll"),
        (
            'roll = "d2"\nrows = [{ range = "1-2", text = "a" }, { range = 9, text = "b" }]',
            2,
            "rows[1].range",
            "not",
        ),
        (
            'roll = "d6"\nrows = [{ range = "1-3", text = "a" }, { range = "4-7", text = "b" }]',
            2,
            "rows[1].range",
            "d6 rolls 1 to 6, not '4-7'",
        ),
        ('roll = "d2"\ndeck = true\nrows = [{ range = "1-2", text = "a" }]', 2, "deck", "without `roll`"),
        ('deck = "yes"\nrows = ["a"]', 1, "deck", "true or false"),
        ('[tables.a]\nrow = ["a"]', 2, "tables.a.row", "did you mean rows"),
        ('[tables."a:b"]\nrows = ["a"]', 1, "tables.a:b", "printable characters without"),
    ],
)
def test_what_is_wrong_with_a_file_is_reported_with_line_and_key(
    crisis: Player, text: str, line: int, key: str, says: str
) -> None:
    own(crisis, "mine", text)
    for words in ("tables mine --json", "tables check mine --json"):
        shown = crisis(words)
        assert shown.status == 4
        faults = shown.error["faults"] if shown.err else shown.record["faults"]
        assert any((one["line"], one["key"]) == (line, key) and says in one["message"] for one in faults), (
            faults
        )


NO_TEXTS = ("1", "true", "[]", "{}", "1.5", '"\\u001b"', "2026-11-20", "nan", "[1]", '{ x = "y" }')
TEN_WRONG = {
    "name": (*NO_TEXTS, f'"{"x" * 61}"'),
    "about": (*NO_TEXTS, f'"{"x" * 121}"'),
    "roll": (*NO_TEXTS, '"2d"', '"6#3d6"', '"d6!"', '""'),
    "deck": ("0", "1", '"yes"', "[]", "{}", "1.5", "2026-11-20", "nan", "[true]", '""'),
    "rows": ("1", "true", '"a"', "[]", "{}", "1.5", "2026-11-20", "[1]", "[[]]", "[true]", '[""]', '["{"]'),
    "text": (*NO_TEXTS, '""', '"{x"'),
    "weight": ("0", "-1", "true", '"1"', "[]", "{}", "1.5", "1001", "2026-11-20", "nan"),
    "range": ("true", '""', '"x"', "[]", "{}", "1.5", '"3-2"', '"1-2-3"', "2026-11-20", "nan"),
    "tables": ("1", "true", '"a"', "[]", "1.5", "2026-11-20", "[1]", "nan", "{ a = 1 }", "{ a = {} }"),
}
"""For each key of a file of tables ten values that it cannot have."""
WHOLE = """\
name = "Fog"
about = "what it hides"
roll = "d6"
deck = false
rows = [{ range = "1-6", text = "a wall" }]
"""
ROWS_APART = "[[rows]]\nrange = 1\ntext = 'a'\n[[rows]]\nweight = 2\ntext = 'b'\n"


@pytest.mark.parametrize(("key", "value"), [(key, one) for key, some in TEN_WRONG.items() for one in some])
def test_every_wrong_value_is_named_with_its_line(write: Write, tmp_path: Path, key: str, value: str) -> None:
    lines = (ROWS_APART if key in ("text", "weight", "range") else WHOLE).splitlines()
    at = next((at for at, line in enumerate(lines) if line.startswith(f"{key} = ")), len(lines))
    lines[at:] = [f"{key} = {value}", *lines[at + 1 :]]
    with pytest.raises(FileError) as error:
        write(fog="\n".join(lines)).of_file(tmp_path / "fog.toml")
    faults: list[dict[str, Any]] = error.value.about["faults"]  # type: ignore[assignment]
    there = [one for one in faults if one["line"] == at + 1]
    assert there and all(key in one["key"] and one["file"] == "fog.toml" for one in there), faults


def test_tables_that_lead_back_or_are_missing_are_named(crisis: Player) -> None:
    own(crisis, "a", 'rows = ["{@b}"]')
    own(crisis, "b", 'rows = ["{@c}"]')
    own(crisis, "c", 'rows = ["{@a}"]')
    own(crisis, "d", 'rows = ["{@twist}"]')
    own(crisis, "e", 'rows = ["{@f:3}"]')
    own(crisis, "f", 'rows = ["x", "y"]')
    assert "a leads back to itself: a → b → c → a" in crisis.refused(4, "tables a").err
    assert "did you mean twists?" in crisis.refused(4, "tables d").err
    assert "f has 2 rows" in crisis("tables check e").out


DRAWS = {
    "two rows": (
        {"t": 'rows = [\n"x",\n"a {@nmaes}",\n"{@twsits:2} {@t}",\n"{y"]'},
        [
            ("t", 3, "rows[1]", "{@nmaes}: no table is called 'nmaes' in ", "(did you mean names?)"),
            ("t", 4, "rows[2]", "{@twsits:2}: no table is called", "(did you mean twists?)"),
            ("t", 4, "rows[2]", "{@t}: t leads back to itself: t → t", ""),
            ("t", 5, "rows[3]", "{ without }", ""),
        ],
    ),
    "another file": (
        {"t": 'rows = ["{@u}"]', "u": 'name = "U"\nrows = ["x", { text = "{@u:3}" },\n"{@t}"]'},
        [
            ("u", 2, "rows[1]", "{@u:3}: u leads back to itself: u → u", ""),
            ("u", 3, "rows[2]", "{@t}: t leads back to itself: t → u → t", ""),
        ],
    ),
    "several in a file": (
        {
            "t": '[tables.One_Two]\nrows = ["{@t/thee}"]\n'
            '[tables.three]\nroll = "d2"\nrows = [{ range = 1, text = "a" }]'
        },
        [
            (
                "t",
                2,
                "tables.One_Two.rows[0]",
                "{@t/thee}: t.toml has no table called 'thee'",
                "did you mean t/three?",
            ),
            ("t", 5, "tables.three.rows", "no row for 2 on d2", ""),
        ],
    ),
    "a table of the same file": (
        {"t": '[tables.one]\nrows = ["{@two}"]\n[tables.two]\nrows = ["x"]'},
        [("t", 2, "tables.one.rows[0]", "{@two}: no table is called 'two'", "(did you mean t/two?)")],
    ),
    "a wrong file": (
        {"t": 'rows = ["{@u}"]', "u": "rows = [3, 4]"},
        [
            (
                "t",
                1,
                "rows[0]",
                "{@u}: u.toml, line 1, rows[0]: must be 1 to 1,000 printable characters",
                "(and 1 more)",
            )
        ],
    ),
    "hints": (
        {"t": 'roll = "d66"\nrows = [{ range = "1", text = "a" }]'},
        [
            (
                "t",
                1,
                "roll",
                "must be dice such as 2d6",
                "write 10*d6+d6 (11 to 66, digit by digit), or 1d66 (a die of 66 faces)",
            )
        ],
    ),
    "rolls": (
        {"t": 'roll = "2d"\ndeck = 1\nrows = [{ range = "1", text = "" },\n{ rnage = 2, text = "b" }]'},
        [
            ("t", 1, "roll", "must be dice such as 2d6", ""),
            ("t", 2, "deck", "must be true or false, not 1", ""),
            ("t", 3, "rows[0].text", "printable characters", ""),
            ("t", 4, "rows[1].rnage", "unknown (did you mean range?)", ""),
        ],
    ),
}
"""Files of tables, and all that `tables check` says of them: file, line, key, and the two ends of the message."""


@pytest.mark.parametrize("what", DRAWS)
def test_all_that_is_wrong_with_tables_is_reported_at_once(write: Write, tmp_path: Path, what: str) -> None:
    files, expected = DRAWS[what]
    with pytest.raises(FileError) as error:
        write(**files).examine(str(tmp_path / "t.toml"))
    found: list[dict[str, Any]] = error.value.about["faults"]  # type: ignore[assignment]
    places = [(one["file"], one["line"], one["key"]) for one in found]
    assert sorted(places) == sorted((f"{name}.toml", line, key) for name, line, key, *_ in expected), found
    for name, line, key, begins, ends in expected:
        there = [
            one for one in found if (one["file"], one["line"], one["key"]) == (f"{name}.toml", line, key)
        ]
        assert any(begins in one["message"] and ends in one["message"] for one in there), there


def test_tables_that_branch_again_and_again_are_checked_and_refused_at_once(write: Write) -> None:
    """Two ways from each of 31 tables to the next are some two thousand million ways to the last."""
    branching = {f"t{at}": f'rows = ["{{@t{at + 1}}}{{@t{at + 1}}}"]' for at in range(31)}
    tables = write(**branching, t31='rows = ["{|}"]').with_references("t0")
    assert len(tables) == 32
    with pytest.raises(Refused, match="draws more than 4,096 rows at once"):
        draw(Table(Seeded(generator(1).random)), tables, "t0")


@pytest.mark.parametrize("order", ["{@long}{@short}", "{@short}{@long}"])
def test_too_many_tables_below_each_other_are_found_by_every_way(write: Write, order: str) -> None:
    chain = {f"t{at}": f'rows = ["{{@t{at + 1}}}"]' for at in range(30)}
    store = write(
        **chain,
        t30='rows = ["x"]',
        a=f'rows = ["{order}"]',
        short='rows = ["{@t0}"]',
        long='rows = ["{@short}"]',
    )
    with pytest.raises(FileError, match="more than 32 tables"):
        store.with_references("a")
    assert len(store.with_references("short")) == 32


def test_a_file_may_hold_several_tables(write: Write) -> None:
    store = write(many='[tables.many]\nrows = ["{@many/other}"]\n[tables.other]\nrows = ["x"]')
    assert list(store.with_references("many")) == ["many", "many/other"]
    assert store.named("many/other").rows[0].text == "x"


def test_shipped_tables_have_thirty_rows_and_all_can_be_drawn() -> None:
    store = TableStore((), "")
    for name in EIGHT:
        tables = store.with_references(name)
        texts = [row.text for row in tables[name].rows]
        assert len(texts) == len(set(texts)) == 30
    for path in Path(SHIPPED).glob("*.toml"):
        assert store.examine(str(path))[0]


# Commands


def test_a_roll_prints_its_dice_and_its_text(crisis: Player) -> None:
    own(
        crisis,
        "rubble",
        'name = "Rubble"\nrows = ["a pipe: {steam|water}", { text = "{2d6} bricks", weight = 3 }]',
    )
    assert crisis.ok("tables rubble --dice 2,3,4").out == "Rubble [2] [3 4]: 7 bricks\n"
    assert crisis.ok("tables rubble --dice 1,2 --quiet").out == "a pipe: water\n"
    record = crisis.ok("tables roll rubble --dice 4,1,1 --json").record
    assert (record["table"], record["row"], record["text"]) == ("rubble", 2, "2 bricks")
    assert "system" not in record and [one["faces"] for one in record["rolls"]] == [[4], [1, 1]]


def test_real_dice_choose_a_row(crisis: Player) -> None:
    own(crisis, "coin", 'rows = ["heads", "tails"]')
    assert "tails" in crisis("tables coin --real-dice", answers=["2"], terminal=True).out


def test_several_rolls_differ_and_are_the_same_with_the_same_seed(crisis: Player) -> None:
    shown = crisis.ok("tables names -n 6 --seed 3 --quiet").lines
    assert len(set(shown)) > 3 and shown == crisis.ok("tables names -n 6 --seed 3 --quiet").lines
    assert crisis.ok("tables names -n 1 --seed 4 --quiet").lines == shown[1:2]


def test_unique_rolls_give_no_row_twice(crisis: Player) -> None:
    own(crisis, "few", 'rows = ["a", "b", "c"]')
    assert sorted(crisis.ok("tables few -n 3 --unique --quiet").lines) == ["a", "b", "c"]
    assert crisis.ok("tables few --without 1,3 --quiet").lines == ["b"]
    assert "few has 3 rows left; 4 are asked for" in crisis.refused(3, "tables few -n 4 --unique").err
    assert "--unique" in crisis.refused(2, "tables reinforcements -n 2 --unique").err


def test_the_columns_of_the_list_hold_for_long_dice(crisis: Player) -> None:
    shown = [one for one in crisis.ok("tables list").lines if one.startswith("  ")]
    abouts = {one["table"]: one["about"] for one in crisis.ok("tables list --json").records}
    assert abouts and len({line.index(abouts[line.split()[0]]) for line in shown}) == 1


def test_a_word_that_is_no_table_gets_a_suggestion(crisis: Player) -> None:
    assert "did you mean twists?" in crisis.refused(4, "tables twsts").err
    assert "did you mean names/last?" in crisis.refused(4, "tables names/lst").err


def test_new_and_copied_tables_work_at_once(crisis: Player) -> None:
    assert crisis.ok("tables new 'Head Wounds' --json").record["file"] == "tables/head-wounds.toml"
    assert crisis.ok("tables head-wounds --seed 1").out.startswith("Head Wounds [")
    assert crisis.refused(4, "tables new 'Head Wounds'").err.startswith(
        "error: tables/head-wounds.toml exists"
    )
    crisis.ok("tables copy twists mine")
    assert (crisis.here / "tables/mine.toml").read_text("utf-8") == (Path(SHIPPED) / "twists.toml").read_text(
        "utf-8"
    )
    assert crisis.ok("tables list --json").records[0]["own"]


def test_the_schema_is_that_of_the_check(crisis: Player) -> None:
    schema = json.loads(crisis.ok("tables schema").out)
    assert set(schema["properties"]) == {"name", "about", "roll", "deck", "rows", "tables"}


def test_a_folder_of_ones_own_comes_first(crisis: Player) -> None:
    folder = crisis.here / "elsewhere"
    folder.mkdir()
    (folder / "twists.toml").write_text('rows = ["mine"]', encoding="utf-8")
    assert crisis.ok("tables twists --quiet", env={"CRISIS_TABLES": "elsewhere"}).out == "mine\n"
    assert crisis.refused(4, "tables twists", env={"CRISIS_TABLES": "nowhere"})


# In a crisis


def test_a_roll_in_a_crisis_is_recorded_undone_and_verified_without_the_file(fight: Player) -> None:
    own(fight, "coin", 'rows = ["heads", "tails"]')
    text = fight.ok("tables coin --json").record["text"]
    assert fight.ok("log --json").records[-1]["text"] == text
    (fight.here / "tables/coin.toml").unlink()
    assert "no differences" in fight.ok("verify").out
    fight.ok("undo")
    assert fight.ok("log --json").records[-1]["action"] != "tables"
    fight.ok("redo")
    assert fight.ok("log --json").records[-1]["text"] == text
    assert text in fight.ok("log --markdown").out and "tbl: coin d2=" in fight.ok("log --lonelog").out


def test_a_deck_gives_no_row_twice_until_it_is_shuffled(fight: Player) -> None:
    own(fight, "deck", 'deck = true\nrows = ["a", "b", "c"]')
    drawn = [fight.ok("tables deck --quiet").out.strip() for _ in range(3)]
    assert sorted(drawn) == ["a", "b", "c"]
    refused = fight("tables deck --json")
    assert (refused.status, refused.error["code"]) == (3, "used_up")
    fight.ok("undo")
    assert fight.ok("tables deck --quiet").out.strip() == drawn[2], "what is undone is back in the deck"
    fight.ok("tables shuffle deck")
    assert sorted(fight.ok("tables deck -n 3 --quiet").lines) == ["a", "b", "c"]
    assert "no differences" in fight.ok("verify").out


def test_a_deck_within_another_table_is_the_same_deck(fight: Player) -> None:
    own(fight, "deck", 'deck = true\nrows = ["a", "b", "c"]')
    own(fight, "two", 'rows = ["{@deck} {@deck}"]')
    first = fight.ok("tables deck --quiet").out.strip()
    both = fight.ok("tables two --quiet").out.split()
    assert sorted([first, *both]) == ["a", "b", "c"]
    assert fight.refused(3, "tables deck --json").error["code"] == "used_up"
    assert fight.refused(3, "tables two --json").error["code"] == "used_up"
    assert "no differences" in fight.ok("verify").out
    fight.ok("undo")
    assert fight.ok("tables deck --quiet").out.strip() in both
    fight.ok("tables shuffle deck")
    assert len(set(fight.ok("tables two --quiet").out.split())) == 2


def test_a_table_whose_deck_may_run_out_has_no_odds(fight: Player) -> None:
    own(fight, "deck", 'deck = true\nrows = ["a", "b", "c"]')
    own(fight, "one", 'rows = ["{@deck}", "x"]')
    own(fight, "pair", 'rows = ["{@deck:2}", "x"]')
    own(fight, "outer", 'deck = true\nrows = ["{@deck}"]')
    fight.ok("tables deck --dice 1")
    fight.ok("tables deck --dice 1")
    assert [one["p"] for one in fight.ok("tables show deck --odds --json").records] == [0, 0, 1]
    assert fight.ok("tables show one --odds --json").records[-1]["p"] == 0.5
    refused = fight.refused(3, "tables show pair --odds --json").error
    assert refused["code"] == "used_up" and "every row of deck has been drawn" in refused["message"]
    fight.ok("tables outer")
    assert fight.refused(3, "tables show one --odds --json").error["code"] == "used_up"
    assert [one["p"] for one in fight.ok("tables show outer --odds --json").records] == [0, 0, 0, 0]
    fight.ok("tables shuffle deck")
    assert fight.ok("tables show one --odds --json").records[-1]["p"] == pytest.approx(1 / 6)


def test_a_deck_within_another_table_is_remembered_through_one_command(crisis: Player, fight: Player) -> None:
    own(fight, "deck", 'deck = true\nrows = ["a", "b", "c"]')
    own(fight, "one", 'rows = ["{@deck}"]')
    fight.ok("end --no-save --yes")
    for seed in range(5):
        assert sorted(fight.ok(f"tables one deck one --quiet --seed {seed}").lines) == ["a", "b", "c"]
    # Which rows come decides whether a deck within them runs out: the rolls before that stand.
    over = fight("tables one -n 4 --seed 1 --quiet")
    assert (over.status, sorted(over.lines)) == (3, ["a", "b", "c"])
    assert "every row of deck has been drawn" in over.err


def test_the_twists_of_the_oracle_draw_from_decks_too(fight: Player) -> None:
    own(fight, "deck", 'deck = true\nrows = ["a", "b", "c"]')
    own(fight, "twists", 'rows = ["{@deck}"]')
    asked = "oracle 'Does it rain?' --dice 50,3,1,1,1 --json"
    assert [fight.ok(asked).record["twist"]["text"] for _ in range(2)] == ["a", "b"]
    assert fight.ok("tables deck --quiet").out == "c\n"
    fight.ok("undo 2")
    assert sorted(fight.ok("tables deck -n 2 --quiet").lines) == ["b", "c"]
    own(fight, "twists", 'deck = true\nrows = ["only"]')
    fight.ok("tables shuffle twists")
    assert fight.ok("oracle 'Rain?' --dice 50,3,1,1 --json").record["twist"]["text"] == "only"
    assert fight.refused(3, "oracle 'Rain?' --json").error["code"] == "used_up"
    fight.ok("tables shuffle twists")
    fight.ok("oracle 'Rain?' --dice 50,3,12")
    assert "no differences" in fight.ok("verify").out


def test_the_odds_of_a_deck_are_those_of_what_is_left(fight: Player) -> None:
    own(fight, "deck", 'deck = true\nrows = ["a", "b", { text = "c", weight = 2 }]')
    fight.ok("tables deck --dice 1")
    shown = fight.ok("tables show deck --odds").lines
    assert [line.split()[1:] for line in shown[1:]] == [
        ["0", "%", "a", "(drawn)"],
        ["33.33", "%", "b"],
        ["66.67", "%", "c"],
    ]
    records = fight.ok("tables show deck --odds --json").records
    assert [one["drawn"] for one in records] == [True, False, False]
    fight.ok("undo")
    assert "(drawn)" not in fight.ok("tables show deck").out


def test_results_of_ranges_that_overlap_are_not_missing(write: Write, tmp_path: Path) -> None:
    text = 'roll = "d6"\nrows = [{ range = "1-3", text = "a" }, { range = "3-6", text = "b" }]'
    with pytest.raises(FileError) as failed:
        write(a=text).of_file(tmp_path / "a.toml")
    assert "3 stands in row 1 too" in failed.value.message and "no row for" not in failed.value.message


def test_rows_to_leave_out_are_rows_of_the_table(crisis: Player) -> None:
    own(crisis, "coin", 'rows = ["heads", "tails"]')
    assert "coin has 2 rows, and no row 3" in crisis.refused(2, "tables coin --without 1,3").err
    assert crisis.ok("tables coin --without 1 --quiet").out == "tails\n"


def test_without_a_crisis_no_deck_can_be_shuffled(fight: Player) -> None:
    own(fight, "deck", 'deck = true\nrows = ["a"]')
    assert "shuffle" in fight.refused(3, "tables deck -n 2").err
    fight.ok("end --no-save --yes")
    assert "1 row left; 2 are asked for\nhint: ask for fewer" in fight.refused(3, "tables deck -n 2").err


def test_only_a_deck_in_a_crisis_is_shuffled(crisis: Player, fight: Player) -> None:
    assert "is no deck" in fight.refused(3, "tables shuffle twists").err


def test_a_script_draws_the_same_rows(fight: Player) -> None:
    own(fight, "deck", 'deck = true\nrows = ["a", "b", "c"]')
    fight.ok("tables deck")
    fight.ok("tables twists deck")
    fight.ok("tables shuffle deck")
    fight.ok("tables deck -n 2")
    said = [one.get("text") for one in fight.ok("log --json").records]
    (fight.here / "again.txt").write_text(fight.ok("log --script").out, encoding="utf-8")
    assert fight("run again.txt --file again.jsonl").status == 0
    assert [one.get("text") for one in fight.ok("log --json --file again.jsonl").records] == said


def test_a_range_may_lie_below_nothing(write: Write, tmp_path: Path) -> None:
    rows = '{ range = "-2--1", text = "a" }, { range = 0, text = "b" }, { range = "1", text = "c" }'
    text = f'roll = "d4-3"\nrows = [{rows}]'
    assert write(t=text).examine(str(tmp_path / "t.toml"))[0]
    for wrong in ('"-1--2"', '"--1"', '"1-"', '"-"'):
        with pytest.raises(FileError, match="results of the roll"):
            write(t=text.replace('"-2--1"', wrong)).examine(str(tmp_path / "t.toml"))


# As published tables are written


@pytest.mark.parametrize(
    ("roll", "ranges"),
    [
        ("d100", {"01-05": (1, 5), "06-95": (6, 95), "96-00": (96, 100)}),
        ("d100", {"01-99": (1, 99), "00": (100, 100)}),
        ("d%", {"01–50": (1, 50), "51 – 00": (51, 100)}),
        ("d%", {"01—50": (1, 50), "51 to 00": (51, 100)}),
        ("d100-1", {"00-09": (0, 9), "10-99": (10, 99)}),
        ("10*d6+d6", {"11-36": (11, 36), "41-66": (41, 66)}),
    ],
)
def test_ranges_are_read_as_published_tables_write_them(
    write: Write, tmp_path: Path, roll: str, ranges: dict[str, tuple[int, int]]
) -> None:
    rows = ", ".join(f'{{ range = "{range}", text = "x" }}' for range in ranges)
    table = write(a=f'roll = "{roll}"\nrows = [{rows}]').examine(str(tmp_path / "a.toml"))[0]["a"]
    assert [(row.low, row.high) for row in table.rows] == [*ranges.values()]


def test_00_is_no_result_of_other_dice(write: Write, tmp_path: Path) -> None:
    with pytest.raises(FileError, match="d20 rolls 1 to 20, not '16-100'"):
        write(
            a='roll = "d20"\nrows = [{ range = "1-15", text = "x" }, { range = "16-00", text = "y" }]'
        ).examine(str(tmp_path / "a.toml"))


@pytest.mark.parametrize(
    ("braces", "why"),
    [
        ("{1-6}", "write 1d6"),
        ("{1 - 20}", "holds no dice; write {1d20}"),
        ("{2-12}", "write 2d6"),
        ("{3}", "holds no dice"),
        ("{max(2, 3)}", "holds no dice"),
        ("{a|{1-4} b}", "write 1d4"),
        ("{6x3d6}", "write 6#3d6"),
        ("{d66}", "write 10*d6+d6"),
        ("{2d6>=7}", "write {2d6}>=7"),
        ("{2d6>=5-6}", "write 2d6=5=6"),
        ("{6#3d6}", "print one roll"),
        ("{a|{2#d6} b}", "print one roll"),
    ],
)
def test_braces_that_hardly_mean_what_they_say_are_a_fault(crisis: Player, braces: str, why: str) -> None:
    own(crisis, "packs", f'rows = ["{braces} wolves"]')
    faults = crisis("tables check packs --json").record["faults"]
    assert [fault["key"] for fault in faults] == ["rows[0]"] and why in faults[0]["message"]
    assert why in crisis.refused(4, "tables packs").err


def test_a_journal_keeps_the_tables_that_were_right_when_they_were_drawn() -> None:
    record = {
        "title": "Packs",
        "roll": "d66",
        "deck": False,
        "rows": [[1, 33, "{1-6} wolves"], [34, 66, "{2d6>=7} {1d6rr6} {6 # 3d6}"]],
    }
    assert from_record("packs", record).record() == record
    with pytest.raises(NotationError):
        parse("d66")


def test_a_file_holds_five_hundred_tables(write: Write, tmp_path: Path) -> None:
    text = "".join(f'[tables.t{number}]\nrows = ["{{@big/t{number // 2}}}"]\n' for number in range(1, 500))
    store, path = write(big=f'[tables.t0]\nrows = ["x"]\n{text}'), str(tmp_path / "big.toml")
    assert len(store.examine(path)[0]) == 500
    with pytest.raises(FileError, match="500"):
        write(big=f'[tables.t0]\nrows = ["x"]\n{text}[tables.more]\nrows = ["x"]\n').examine(path)


def test_tables_are_checked_by_path(crisis: Player) -> None:
    own(crisis, "wounds", 'rows = ["a", "b"]')
    own(crisis, "weather", 'rows = ["a", "b"]')
    right = "tables/wounds.toml: 2 rows: all right"
    folder = crisis.here / "tables"
    for name in ("wounds", "tables/wounds", "tables/wounds.toml", "./tables/wounds", f"{folder}/wounds"):
        assert crisis.ok("tables", "check", name).lines == [right]
    for name in ("tables", "tables/", f"{folder}", "./tables"):
        assert crisis.ok("tables", "check", name).lines == ["tables/weather.toml: 2 rows: all right", right]
    assert "there is no table at tables/nothing" in crisis.refused(4, "tables check tables/nothing").err
    assert "there is no table at none/wounds" in crisis.refused(4, "tables check none/wounds").err


def quoted(texts: Iterable[str]) -> str:
    """Rows of a table with these texts."""
    return ", ".join(f'"{text}"' for text in texts)


def nested(levels: int, reference: str, rows: int = 2, last: str = "") -> str:
    """A file of tables each of whose rows draws from the next one, by a text with `@`; the last has rows of its own."""
    text = 'name = "nested"\n'
    for level in range(levels - 1):
        drawn = reference.replace("@", f"{{@nested/t{level + 1}}}")
        text += f"[tables.t{level}]\nrows = [{quoted(f'row {at} {drawn}' for at in range(rows))}]\n"
    return f"{text}[tables.t{levels - 1}]\nrows = [{last or quoted(f'end {at}' for at in range(rows))}]\n"


WEIGHTED = ", ".join(f'{{ text = "end", weight = {weight} }}' for weight in range(1, 300))
HEAVY = {
    "each twice": nested(30, "@@"),
    "each twice, in a choice": nested(30, "{x @|y @@}"),
    "each as often as a row has room": nested(4, "@" * 60),
    "many rows": nested(20, "@", rows=1_000),
    "different rows of many weights": nested(2, "@", last=WEIGHTED).replace("nested/t1}", "nested/t1:6}"),
    "a deck": nested(9, "@@", last=quoted(f"card {at}" for at in range(600))) + "deck = true\n",
}
"""Files whose odds nobody could wait for."""


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(text, marks=pytest.mark.slow if name in ("many rows", "a deck") else (), id=name)
        for name, text in HEAVY.items()
    ],
)
def test_odds_of_nested_tables_that_take_too_long_are_refused(crisis: Player, text: str) -> None:
    (crisis.here / "tables").mkdir()
    (crisis.here / "tables/nested.toml").write_text(text, "utf-8")
    crisis.ok("tables show nested/t0")
    begun = time.process_time()
    error = crisis.refused(3, "tables show nested/t0 --odds --json").error
    assert time.process_time() - begun < 10
    assert error["code"] == "too_wide" and error["message"].startswith("the exact odds of nested/t0 ")
    assert error["hint"] == "its rows without odds: crisis tables show nested/t0"


def test_odds_of_nested_tables_that_can_be_waited_for_are_exact(crisis: Player) -> None:
    (crisis.here / "tables").mkdir()
    (crisis.here / "tables/nested.toml").write_text(nested(6, "@@"), "utf-8")
    records = crisis.ok("tables show nested/t0 --odds --json").records
    ends = [record for record in records if record["table"] == "nested/t5"]
    absent = 1 - 0.5
    for _ in range(5):
        absent **= 2
    assert [record["p"] for record in ends] == [pytest.approx(1 - absent)] * 2


def layered(name: str, layers: int, wide: int, rows: int) -> str:
    """A file in which each table of a layer draws from all those of the next one."""
    text = f'rows = ["{{@{name}/a0x0}}"]\n'
    for layer in range(layers):
        for table in range(wide):
            below = f"{{@{name}/a{layer + 1}x%d}}" if layer + 1 < layers else "x%d"
            texts = ", ".join(f'"{below % (row % wide)}"' for row in range(rows))
            text += f"[tables.a{layer}x{table}]\nrows = [{texts}]\n"
    return text


@pytest.mark.parametrize("verb", slow_but(["tables", "tables show", "tables check"], "tables show"))
def test_tables_that_draw_from_each_other_again_and_again_are_read_once(crisis: Player, verb: str) -> None:
    own(crisis, "n", layered("n", 30, 16, 50))
    start = time.process_time()
    crisis.ok(f"{verb} n")
    assert time.process_time() - start < 5


def test_an_error_says_the_first_faults_and_how_many_more(crisis: Player) -> None:
    """Each table draws from every later one, so that too many stand below each other in many rows."""
    text = 'rows = ["{@n/t0}"]\n'
    for table in range(60):
        rows = ", ".join(f'"{{@n/t{later}}}"' for later in range(table + 1, 60)) or '"x"'
        text += f"[tables.t{table}]\nrows = [{rows}]\n"
    own(crisis, "n", text)
    shown = crisis("tables n")
    assert shown.status == 4 and "more than 32 tables stand below each other" in shown.err
    assert "and more than 91 more" in shown.err and len(shown.err.splitlines()) <= 12
    checked = crisis("tables check n")
    assert checked.status == 4 and checked.out.splitlines()[-1] == "and more"
    assert len(checked.out.splitlines()) == 101
    record = json.loads(crisis("tables check n --json").out)
    assert len(record["faults"]) == 100 and record["more"] is True


@pytest.mark.slow
def test_many_references_to_tables_that_are_not_there_are_told_shortly(crisis: Player) -> None:
    rows = ", ".join(f'"{{@gone{at}}}"' for at in range(1_000))
    own(crisis, "n", "".join(f"[tables.t{at}]\nrows = [{rows}]\n" for at in range(40)))
    start = time.process_time()
    shown = crisis("tables check n")
    assert shown.status == 4 and len(shown.out) < 20_000 and time.process_time() - start < 5
    shown = crisis("tables n/t0")
    assert shown.status == 4 and len(shown.err) < 2_000
