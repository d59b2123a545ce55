"""Where each key of a TOML text stands."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crisis_cli.sheets.toml_positions import KeyPath, line_end, line_of, line_start, next_line, spans

ADA = """\
# Ada, the hacker
name = "Ada"  # as in Lovelace
system = 'drift'

[abilities]
might = 2
"quick wit" = 0x10

[[gear]]
name = "knife"
tags = [
    "sharp",  # not [blunt]
    "small",
]

[[gear]]
name = "rope"
size = { length = 10, "unit" = "m", of.what = "hemp" }

[state]
hp.now = 3
"""


def everything(value: Any, path: KeyPath = ()) -> Iterator[tuple[KeyPath, Any]]:
    """Each value of a document with its path, itself first."""
    yield path, value
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inner:
        yield from everything(part, (*path, key))


def check(text: str) -> None:
    """Every value of the text is found, where reading that place alone gives it again."""
    found = spans(text)
    values = dict(everything(tomllib.loads(text)))
    assert set(found) == set(values)
    for path, span in found.items():
        assert span.line == text.count("\n", 0, span.key_start) + 1
        if span.kind in ("value", "braces"):
            written = text[span.start : span.end]
            assert repr(tomllib.loads("v = " + written)["v"]) == repr(values[path]), path


@pytest.mark.parametrize(
    ("path", "line", "value", "inline"),
    [
        (("name",), 2, '"Ada"', False),
        (("system",), 3, "'drift'", False),
        (("abilities", "might"), 6, "2", False),
        (("abilities", "quick wit"), 7, "0x10", False),
        (("gear", 0, "name"), 10, '"knife"', False),
        (("gear", 0, "tags", 1), 13, '"small"', True),
        (("gear", 1, "name"), 17, '"rope"', False),
        (("gear", 1, "size", "unit"), 18, '"m"', True),
        (("gear", 1, "size", "of", "what"), 18, '"hemp"', True),
        (("state", "hp", "now"), 21, "3", False),
    ],
)
def test_a_value_has_its_line_and_its_characters(path: KeyPath, line: int, value: str, inline: bool) -> None:
    span = spans(ADA)[path]
    assert (span.line, ADA[span.start : span.end], span.inline) == (line, value, inline)


def test_a_key_begins_before_its_value() -> None:
    span = spans(ADA)["abilities", "quick wit"]
    assert ADA[span.key_start : span.end] == '"quick wit" = 0x10'


def test_every_table_knows_how_it_is_written() -> None:
    kinds = {path: span.kind for path, span in spans(ADA).items() if span.kind != "value"}
    assert kinds == {
        (): "header",
        ("abilities",): "header",
        ("gear",): "rows",
        ("gear", 0): "header",
        ("gear", 1): "header",
        ("gear", 1, "size"): "braces",
        ("gear", 1, "size", "of"): "dotted",
        ("state",): "header",
        ("state", "hp"): "dotted",
    }
    assert spans("[state.ammo]")["state",].kind == "implied"


def test_a_table_reaches_from_its_header_to_its_last_value() -> None:
    span = spans(ADA)["gear", 1]
    assert ADA[span.key_start : span.start] == "[[gear]]"
    assert ADA[span.start : span.end].strip().splitlines()[-1].startswith("size")
    assert spans(ADA)[()].end == ADA.index("'drift'") + len("'drift'")


def test_a_pair_has_lines_of_its_own() -> None:
    found = spans(ADA)
    assert found["gear", 1, "size"].pair
    assert not found["gear", 1, "size", "unit"].pair
    assert not found["gear", 1].pair


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("abilities", "might"), 6),
        (("abilities", "migth"), 5),
        (("gear", 1, "weight"), 16),
        (("gear", 0, "tags", 7), 11),
        (("gear", 9, "name"), 9),
        (("luck",), 1),
        ((), 1),
    ],
)
def test_the_line_of_what_is_missing_is_that_of_its_nearest_ancestor(path: KeyPath, line: int) -> None:
    assert line_of(spans(ADA), path) == line


def test_tables_inside_rows_belong_to_the_row_before_them() -> None:
    text = "[[a]]\n[a.b]\nx = 1\n[[a]]\n[[a.c]]\ny = 2\n[[a.c]]\ny = 3\n"
    found = spans(text)
    assert found["a", 0, "b", "x"].line == 3
    assert found["a", 1, "c", 0, "y"].line == 6
    assert found["a", 1, "c", 1, "y"].line == 8
    check(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "# only this",
        "a = 1",
        "a=1#x",
        "a = 1979-05-27 07:32:00  # a date with a space\n",
        "a = [1979-05-27 07:32:00 , 07:32:00]\n",
        'a = "# [not] = a \\"table\\" \\\\" # but this is a comment: "\n',
        "a = '\\' # the backslash is plain\nb = 1\n",
        'a = """\n[x]\n# y = 1\n\\""" "" """""\nb = 2\n',
        "a = '''\n'x' ''y'' \\'''''\nb = 2\n",
        "a = \"\"\"\"\"\"\nb = ''''''\nc = \"\"\nd = ''\n",
        'a = """x \\\n   y"""\n',
        "[ a . 'b c' . \"d\\te\" ] # x\n'' = 1\n\"\" . x = 2\n".replace("'' = 1", "f = 1"),
        "a . b = 1\na.\"c.d\" = 2\n3.14 = 'pi'\n",
        "a = [\n  # [ ] , \n  [1, 2,], # , ]\n  { x = [ # }\n 1 ] , y = {} } ,\n]\nb = 1\n",
        "a = {}\nb = []\nc = [[], [{}]]\n",
        "[a.b]\nx = 1\n[a]\ny = 2\n[a.c]\n",
        "  [a]  \n\t x\t=\t1\t\n",
    ],
)
@pytest.mark.parametrize("crlf", [False, True])
def test_every_corner_of_the_language(text: str, crlf: bool) -> None:
    check(text.replace("\n", "\r\n") if crlf else text)


FRAGMENTS = [
    "key{n} = {n}",
    "  'key {n}'\t= '''\n[no]\n# no'''  # [no]",
    '"key\\t{n}" = """a\\""" ""\\\\"""" # x = "',
    "some.key{n}.deep = 1e3",
    "key{n} = [\n  1, # ]\n  '#', [[], {{ a.b = 2, c = {{}} }}],\n]#",
    "key{n} = {{ a = {{ b = [1, 2] }}, 'c d' = \"}}\" }}",
    "key{n} = 1979-05-27 07:32:00.5-07:00",
    "# comment {n} = [",
    "",
    "[table{n}]",
    "[ 'table {n}' . inner ]",
    "[[row]]",
    "[[row]]\n[row.inner]\nx = {n}\n[[row.more]]\n[[row.more]]",
]


@settings(derandomize=True, deadline=None)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=14), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_every_value_of_any_text_is_found(parts: list[str], line_break: str, last_break: bool) -> None:
    text = "\n".join(part.format(n=n) for n, part in enumerate(parts)) + "\n" * last_break
    check(text.replace("\n", line_break))


def test_lines_begin_and_end() -> None:
    text = "ab\r\ncd\n\nef"
    assert [line_start(text, at) for at in (0, 2, 4, 6, 7, 8)] == [0, 0, 4, 4, 7, 8]
    assert [line_end(text, at) for at in (0, 2, 4, 6, 7, 8)] == [2, 2, 6, 6, 7, 10]
    assert [next_line(text, at) for at in (0, 2, 4, 7, 8, 10)] == [4, 4, 7, 8, 10, 10]
