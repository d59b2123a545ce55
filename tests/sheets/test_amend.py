"""Changed values put into a TOML text that a hand has written and commented."""

from __future__ import annotations

import copy
import datetime
import math
import tomllib
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crisis_cli.sheets.toml_patch import amend, key_text, same, value_text

pytestmark = pytest.mark.slow

JACK = """\
# Jack, who owes money
name = "Jack"  # no surname
system = "drift"

# what he was born with
[abilities]
might = 2      # could be better
"quick wit" = 3

[gear]
pistol = { rounds = 6, tags = ["loud", "short"] }  # his father's
pockets = [
    "knife",  # dull
    "rope",
]

# the fight so far
[state]
hp = 7  # of 9
mood.fear = 1

# one of two
[[friends]]
name = "Ada"

# two of two
[[friends]]
name = "Bo"
owes = 20
"""


def after(text: str, **wanted: Any) -> str | None:
    """The text with some of its top keys made what is wanted, or taken away where that is None."""
    merged = {**tomllib.loads(text), **wanted}
    return amend(text, {key: value for key, value in merged.items() if value is not None})


def jack(table: str, **wanted: Any) -> str | None:
    """Jack's sheet with one of his tables changed."""
    return after(JACK, **{table: {**tomllib.loads(JACK)[table], **wanted}})


def test_nothing_to_change_changes_nothing() -> None:
    assert amend(JACK, tomllib.loads(JACK)) == JACK


def test_a_value_is_replaced_and_its_comment_stays() -> None:
    assert jack("abilities", might=3) == JACK.replace("might = 2 ", "might = 3 ")
    assert after(JACK, name='J. "J" J.') == JACK.replace('"Jack"', '"J. \\"J\\" J."')


@pytest.mark.parametrize(
    ("written", "wanted", "expected"),
    [
        ("1", 1.0, "1.0"),
        ("1", True, "true"),
        ("1.0", 1, "1"),
        ("true", 1, "1"),
        ("0.0", -0.0, "-0.0"),
        ("[1, 2]", [1, 2.0], "[1, 2.0]"),
        ("{ a = 1 }", {"a": True}, "{ a = true }"),
        ("1979-05-27", datetime.datetime(1979, 5, 27), "1979-05-27 00:00:00"),
    ],
)
def test_equal_values_of_other_types_are_changes(written: str, wanted: object, expected: str) -> None:
    assert amend(f"v = {written}  # note", {"v": wanted}) == f"v = {expected}  # note"


def test_equal_values_in_another_spelling_are_not() -> None:
    text = "a = 0x10\nb = 1e3\nc = 'x'\nd = nan\n"
    assert amend(text, {"a": 16, "b": 1000.0, "c": "x", "d": math.nan}) == text


def test_inside_an_inline_table_only_the_value_changes() -> None:
    pistol = {"rounds": 5, "tags": ["loud", "short"]}
    assert jack("gear", pistol=pistol) == JACK.replace("rounds = 6", "rounds = 5")


def test_an_inline_table_grows_at_its_end() -> None:
    pistol = {"rounds": 6, "tags": ["loud", "short"], "jammed": True}
    assert jack("gear", pistol=pistol) == JACK.replace('"short"] }', '"short"], jammed = true }')


@pytest.mark.parametrize(
    ("written", "wanted", "expected"),
    [
        ("{ a = 1, b = 2 }", {"b": 2}, "{ b = 2 }"),
        ("{ a = 1 }", {}, "{}"),
        ("{}", {"a": 1, "b c": [1]}, '{ a = 1, "b c" = [1] }'),
        ("{ a.b = 1 }", {"a": {"b": 2}}, "{ a = { b = 2 } }"),
        ("{a={b=1}}", {"a": {"b": 1, "c": 2}, "d": 3}, "{a={b=1, c = 2}, d = 3}"),
        ("{ a = 1 }", 3, "3"),
        ("3", {"a": 1}, "{ a = 1 }"),
        ("[{ a = 1 }, {a=2}]", [{"a": 1}, {"a": 3}], "[{ a = 1 }, {a=3}]"),
        ("[1, 2]", [], "[]"),
        ("[1, 2]", [1, 2, 3], "[1, 2, 3]"),
    ],
)
@pytest.mark.parametrize("before", ["v = ", "[t]\nv = ", "t.v = ", "t = { v = "])
def test_inline_values(before: str, written: str, wanted: object, expected: str) -> None:
    behind = " }  # note\n" if "{" in before else "  # note\n"
    whole = {"v": wanted} if before == "v = " else {"t": {"v": wanted}}
    assert amend(before + written + behind, whole) == before + expected + behind


def test_an_array_of_the_same_length_keeps_its_comments() -> None:
    assert jack("gear", pockets=["knife", "string"]) == JACK.replace('"rope"', '"string"')


def test_an_array_over_several_lines_stays_one() -> None:
    expected = JACK.replace('"knife",  # dull', '"knife",').replace('"rope",\n', '"rope",\n    "torch",\n')
    assert jack("gear", pockets=["knife", "rope", "torch"]) == expected


def test_an_array_too_wide_for_a_line_is_broken() -> None:
    words = ["a word that is rather long"] * 5
    expected = "  v = [\n" + '      "a word that is rather long",\n' * 5 + "  ]  # note\n"
    assert amend("  v = []  # note\n", {"v": words}) == expected


def test_new_keys_come_behind_the_last_line_of_their_table() -> None:
    assert jack("abilities", luck=1) == JACK.replace('"quick wit" = 3\n', '"quick wit" = 3\nluck = 1\n')
    assert after(JACK, level=4) == JACK.replace('"drift"\n', '"drift"\nlevel = 4\n')
    assert jack("gear", **{"a b": "c"}) == JACK.replace('"rope",\n]\n', '"rope",\n]\n"a b" = "c"\n')


def test_a_new_key_is_indented_as_the_one_before() -> None:
    assert amend("[a]\n  b = 1 # x\n# y\n", {"a": {"b": 1, "c": 2}}) == "[a]\n  b = 1 # x\n  c = 2\n# y\n"


def test_a_new_key_goes_on_with_the_dots_of_its_table() -> None:
    expected = JACK.replace("mood.fear = 1\n", "mood.fear = 1\nmood.rage = { now = 2 }\n")
    assert jack("state", mood={"fear": 1, "rage": {"now": 2}}) == expected


def test_a_key_for_a_table_without_any() -> None:
    assert amend("[a] # x\n# y\n\n[b]\n", {"a": {"c": 1}, "b": {}}) == "[a] # x\nc = 1\n# y\n\n[b]\n"


def test_a_key_for_a_text_without_any() -> None:
    text = "# Jack\n\n# his might\n[a]\n"
    assert after(text, name="Jack") == '# Jack\n\nname = "Jack"\n\n# his might\n[a]\n'
    assert after("# a\n[a]\n", b=1) == "b = 1\n\n# a\n[a]\n"
    assert after("# Jack\n", name="Jack") == '# Jack\nname = "Jack"\n'


def test_a_new_table_comes_at_the_end_with_a_blank_line_before() -> None:
    assert after(JACK, luck={"now": 1}) == JACK + "\n[luck]\nnow = 1\n"
    assert after("a = 1", b={"c": 2}) == "a = 1\n\n[b]\nc = 2"
    assert after("a = 1\n# the end\n", b={}) == "a = 1\n# the end\n\n[b]\n"
    assert after("", a=1, b={"c": 2}, d={}) == "a = 1\n[b]\nc = 2\n\n[d]\n"


def test_a_table_in_a_table_is_written_as_its_neighbours_are() -> None:
    assert after("[state]\nhp = 3\n", state={"hp": 3, "ammo": {"pistol": 3}}) == (
        "[state]\nhp = 3\nammo = { pistol = 3 }\n"
    )
    text = "[state]\nhp = 3\n\n[state.ammo]\npistol = 3\n\n# last\n[z]\n"
    state = {"hp": 3, "ammo": {"pistol": 3}, "luck": {"now": 1}}
    assert after(text, state=state) == text.replace("pistol = 3\n", "pistol = 3\n\n[state.luck]\nnow = 1\n")


def test_a_table_too_wide_for_a_line_gets_a_header() -> None:
    words = {"first": "x" * 50, "second": "y" * 50}
    expected = f'[a]\nb = 1\n\n[a.words]\nfirst = "{"x" * 50}"\nsecond = "{"y" * 50}"\n\n[z]\n'
    assert after("[a]\nb = 1\n\n[z]\n", a={"b": 1, "words": words}) == expected
    rows = [words, {"inner": words}]
    assert (after("a = 1\n", rows=rows) or "").split() == (
        f'a = 1 [[rows]] first = "{"x" * 50}" second = "{"y" * 50}" '
        f'[[rows]] [rows.inner] first = "{"x" * 50}" second = "{"y" * 50}"'
    ).split()


def test_a_key_for_a_table_that_only_has_inner_ones() -> None:
    text = "[a.b]\nc = 1\n# end of a\n\n[z]\n"
    expected = "[a.b]\nc = 1\n\n[a]\nd = 2\n# end of a\n\n[z]\n"
    assert after(text, a={"b": {"c": 1}, "d": 2}) == expected


def test_a_table_beside_others_that_have_headers_gets_its_own() -> None:
    knife = {"damage": "d4", "loud": False}
    wanted = {"weapons": {"club": {"damage": "d6"}, "knife": knife}, "state": {"hp": 3}}
    club, state = '[weapons.club]\ndamage = "d6"  # heavy\n', "[state]\nhp = 3\n"
    written = f'{club}\n[weapons.knife]\ndamage = "d4"\nloud = false\n\n{state}'
    assert amend(f"{club}\n{state}", wanted) == written


def test_a_key_goes_with_its_line() -> None:
    assert after(JACK, system=None) == JACK.replace('system = "drift"\n', "")
    gear = tomllib.loads(JACK)["gear"]
    assert after(JACK, gear={"pistol": gear["pistol"]}) == (
        JACK.replace('pockets = [\n    "knife",  # dull\n    "rope",\n]\n', "")
    )
    assert after("[a]\nb = 1\nc = 2", a={"b": 1}) == "[a]\nb = 1\n"


def test_a_table_goes_with_its_header_and_leaves_the_comments_of_others() -> None:
    gone = "[state]\nhp = 7  # of 9\nmood.fear = 1\n"
    assert after(JACK, state=None) == JACK.replace(gone, "")
    assert after("[a]\n[a.b]\nc = 1\n# z\n[z]\n[a.d]\n", a=None) == "# z\n[z]\n"


def test_a_dotted_table_goes_line_by_line() -> None:
    text = "a.b = 1 # x\nc = 2\na.d.e = 3\n"
    assert amend(text, {"c": 2}) == "c = 2\n"
    assert amend(text, {"c": 2, "a": {"b": 1}}) == "a.b = 1 # x\nc = 2\n"
    assert amend(text, {"c": 2, "a": {}}) == "c = 2\n\n[a]\n"


def test_a_table_keeps_its_header_when_its_keys_go() -> None:
    assert jack("state") == JACK
    assert after(JACK, state={}) == JACK.replace("hp = 7  # of 9\nmood.fear = 1\n", "")


def test_state_put_in_and_taken_out_leaves_no_trace() -> None:
    sheet = tomllib.loads(JACK)
    grown = amend(JACK, {**sheet, "zeal": {"now": 1, "worn": {"coat": 2}}})
    assert grown == JACK + "\n[zeal]\nnow = 1\nworn = { coat = 2 }\n"
    assert amend(grown, sheet) == JACK


def test_rows_change_come_and_go() -> None:
    ada, bo = tomllib.loads(JACK)["friends"]
    assert after(JACK, friends=[{**ada, "owes": 1}, bo]) == JACK.replace('"Ada"\n', '"Ada"\nowes = 1\n')
    assert after(JACK, friends=[ada, bo, {"name": "Cy"}]) == JACK + '\n[[friends]]\nname = "Cy"\n'
    assert after(JACK, friends=[ada]) == JACK.replace('\n[[friends]]\nname = "Bo"\nowes = 20\n', "\n")
    without_ada = after(JACK, friends=[{**bo, "owes": 5}])
    assert without_ada == JACK.replace('[[friends]]\nname = "Ada"\n', "", 1).replace("20", "5")
    assert "friends = []\n" in (after(JACK, friends=[]) or "")


def test_a_table_turned_into_something_else() -> None:
    text = "x = 1\n\n[a]\nb = 1 # y\n\n[c]\n"
    assert after(text, a=3) == "x = 1\na = 3\n\n[c]\n"
    assert after("x = 1\n[c]\n", x={"b": 1}) == "x = { b = 1 }\n[c]\n"
    assert amend("[[a]]\nb = 1\n", {"a": {"b": 1}}) == "[a]\nb = 1\n"
    assert amend("a = [{ b = 1 }]\n", {"a": {"b": 1}}) == "a = { b = 1 }\n"


def test_other_line_ends_are_kept() -> None:
    text = JACK.replace("\n", "\r\n")
    wanted = tomllib.loads(JACK)
    wanted["abilities"] |= {"might": 4, "luck": 1}
    wanted["gear"]["pockets"].append("torch")
    wanted["zeal"] = {"now": 1}
    del wanted["state"], wanted["system"]
    assert amend(text, wanted) == (amend(JACK, wanted) or "").replace("\n", "\r\n")


def test_what_cannot_be_patched_is_left_to_the_caller() -> None:
    assert amend("a = 1\n", {"a": (1, 2)}) is None  # TOML would give a list back
    assert amend("a = \n", {"a": 1}) is None


def test_words_and_values_as_they_are_written() -> None:
    assert key_text(("a", "b c", 0, "")) == 'a."b c".""'
    assert value_text({"a b": [1, {"c": "\n"}], "d": {}}) == '{ "a b" = [1, { c = "\\n" }], d = {} }'


# Any sheet, any edits -----------------------------------------------------------------------------------


class Piece(NamedTuple):
    """Some lines of a sheet, and the path of the key or table that they stand for."""

    text: str
    path: tuple[str | int, ...]
    kind: str


ENTRIES = [
    ("key{n} = {n}  # note {n}", ["key{n}"]),
    ("  'key {n}'\t= 1.5 # note {n}", ["key {n}"]),
    ("key{n} = [ 1, 'a' ] # note {n}", ["key{n}"]),
    ("key{n} = [\n    'x',  # inner\n    [1, 2],\n]  # note {n}", ["key{n}"]),
    ("key{n} = {{ a = {{ b = 1 }}, c = [{{}}] }}  # note {n}", ["key{n}"]),
    ("key{n} = {{ a.b = 1, 'c d' = 2 }}  # note {n}", ["key{n}"]),
    ('key{n} = """\n# in the text\n[x]"""  # note {n}', ["key{n}"]),
    ("some.deep{n} = true # note {n}", ["some", "deep{n}"]),
    ("some.more.'deep {n}' = 1979-05-27 07:32:00 # note {n}", ["some", "more", "deep {n}"]),
]
HEADERS = [
    ("[table{n}]  # note {n}", ["table{n}"]),
    (" [ 'table {n}' . inner ] # note {n}", ["table {n}", "inner"]),
    ("[both.of{n}] # note {n}", ["both", "of{n}"]),
    ("[[row]]  # note {n}", ["row"]),
]


@st.composite
def sheets(draw: st.DrawFn) -> list[Piece]:
    """A sheet as a hand may have written it: every entry, header and free comment has a note of its own."""
    pieces: list[Piece] = []
    home: tuple[str | int, ...] = ()
    rows = 0
    kinds = st.sampled_from(["entry", "entry", "entry", "header", "comment", "blank"])
    for n, kind in enumerate(draw(st.lists(kinds, max_size=16))):
        if kind in ("entry", "header"):
            template, names = draw(st.sampled_from(ENTRIES if kind == "entry" else HEADERS))
            path: tuple[str | int, ...] = tuple(name.format(n=n) for name in names)
            if kind == "entry":
                path = (*home, *path)
            elif path == ("row",):
                home = path = ("row", rows)
                rows += 1
            else:
                home = path
            pieces.append(Piece(template.format(n=n), path, kind))
        else:
            pieces.append(Piece(f"# note {n}" if kind == "comment" else "", home, kind))
    return pieces


LEAVES = (
    st.integers(-3, 3)
    | st.booleans()
    | st.floats(allow_nan=False)
    | st.text(max_size=5)
    | st.dates()
    | st.times()
    | st.datetimes()
)
KEYS = st.sampled_from(["hp", "a b", "", "#", "ammo", "é", 'say "x"'])
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


def containers(value: Any) -> list[Any]:
    """Every table and array in a document, itself first."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    found = [value] if isinstance(value, dict | list) else []
    for part in inner:
        found += containers(part)
    return found


def edit(data: st.DataObject, document: dict[str, Any]) -> None:
    """Change, drop or add one thing somewhere in a document."""
    place = data.draw(st.sampled_from(containers(document)))
    deed = data.draw(st.sampled_from(["change", "drop", "add"]))
    keys = list(place) if isinstance(place, dict) else list(range(len(place)))
    if deed == "add" or not keys:
        value = data.draw(VALUES)
        if isinstance(place, dict):
            place[data.draw(KEYS)] = value
        else:
            place.append(value)
    elif deed == "drop":
        del place[data.draw(st.sampled_from(keys))]
    else:
        place[data.draw(st.sampled_from(keys))] = data.draw(VALUES)


def alike(one: Any, other: Any) -> bool:
    """Equal to the last type, by another way than the program's."""
    if type(one) is not type(other) or one != other:
        return False
    if isinstance(one, dict):
        return all(alike(one[key], other[key]) for key in one)
    return not isinstance(one, list) or all(map(alike, one, other))


def at(document: Any, path: tuple[str | int, ...]) -> Any:
    """What stands at a path, or None."""
    for part in path:
        if isinstance(document, dict):
            document = document.get(part)
        elif isinstance(document, list) and isinstance(part, int) and part < len(document):
            document = document[part]
        else:
            return None
    return document


def survivors(pieces: list[Piece], old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """Lines that must still be there, in order: whole, or from their note on where the value has changed."""
    rows = new.get("row")
    rows_stay = (
        isinstance(rows, list)
        and len(rows) >= len(old.get("row", ()))
        and all(isinstance(row, dict) for row in rows)
    )
    lines: list[str] = []
    for text, path, kind in pieces:
        if kind == "blank" or (path[:1] == ("row",) and not rows_stay):
            continue
        if kind != "entry":
            lines += [text] if isinstance(at(new, path), dict) else []
        elif alike(at(old, path), at(new, path)):
            lines += text.split("\n")
        elif isinstance(at(new, path[:-1]), dict) and path[-1] in at(new, path[:-1]):
            lines.append(text[text.rindex("# note") :])
    return lines


EDITS = (sheets(), st.data(), st.sampled_from(["\n", "\r\n"]), st.booleans())


@settings(derandomize=True, deadline=None, max_examples=150)
@given(*EDITS)
def test_any_edit_reads_back_and_leaves_the_rest_alone(
    pieces: list[Piece], data: st.DataObject, line_break: str, last_break: bool
) -> None:
    reads_back(pieces, data, line_break, last_break)


@pytest.mark.long
@settings(derandomize=True, deadline=None, max_examples=2_000)
@given(*EDITS)
def test_many_edits_read_back_and_leave_the_rest_alone(
    pieces: list[Piece], data: st.DataObject, line_break: str, last_break: bool
) -> None:
    reads_back(pieces, data, line_break, last_break)


def reads_back(pieces: list[Piece], data: st.DataObject, line_break: str, last_break: bool) -> None:
    """Edit a sheet: what is written reads back as what was meant, and all other lines are as they were."""
    text = "\n".join(piece.text for piece in pieces) + "\n" * last_break
    text = text.replace("\n", line_break)
    old = tomllib.loads(text)
    new = copy.deepcopy(old)
    for _ in range(data.draw(st.integers(1, 5))):
        edit(data, new)
    result = amend(text, new)
    assert result is not None
    assert alike(tomllib.loads(result), new)
    if line_break in text:
        assert result.count("\n") == result.count(line_break)
    lines = iter(result.replace("\r\n", "\n").split("\n"))
    for expected in survivors(pieces, old, new):
        matches = str.endswith if expected.startswith("# note") else str.__eq__
        assert any(matches(line, expected) for line in lines), f"{expected!r} is lost"


@settings(derandomize=True, deadline=None)
@given(VALUES, VALUES)
def test_two_values_are_the_same_only_to_the_last_type(one: object, other: object) -> None:
    assert same(one, copy.deepcopy(one))
    assert not same(one, other) or alike(one, other)
