"""Every case of every casebook in this folder: rules as data, performed on given dice.

The format is described in `crisis_cli/conformance/casebook.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from crisis_cli import systems
from crisis_cli.conformance import casebook
from crisis_cli.conformance.casebook import Book
from crisis_cli.engine.system import System
from crisis_cli.errors import CrisisError, FileError

HERE = Path(__file__).parent


def every_case() -> Iterator[Any]:
    for name, book in casebook.books().items():
        for number, case in enumerate(book["case"], start=1):
            label = f"{name}-{number}-{'+'.join(case['rules'])}"
            yield pytest.param(name, book, case, id=label)


@pytest.mark.parametrize(("name", "book", "case"), tuple(every_case()))
def test_the_case_comes_out_as_the_rules_say(name: str, book: Book, case: dict[str, Any]) -> None:
    casebook.run(systems.load(name), book, case)


@pytest.mark.parametrize("name", tuple(systems.SYSTEMS))
def test_every_registered_system_has_a_casebook(name: str) -> None:
    assert casebook.books()[name]["case"]


@pytest.mark.parametrize(("name", "book"), tuple(casebook.books().items()))
def test_every_case_says_what_it_pins_in_one_sentence_of_its_own(name: str, book: Book) -> None:
    report = [case["what"] for case in book["case"]]
    assert len(set(report)) == len(report)
    assert all(case["rules"] for case in book["case"])


def test_a_new_system_is_one_folder_one_line_and_one_casebook(tiny: System) -> None:
    book = casebook.book(HERE / "tiny" / "tiny.toml")
    assert tiny in systems.every()
    for case in book["case"]:
        casebook.run(tiny, book, case)


WRONG = [
    ("outcome", {"total": 4}),
    ("outcom", {"total": 3}),
    ("effects", {"Bob": {"grit": [2, 0]}}),
    ("effects", {"Bob": {}}),
    ("effects", {"Bob": {"grit": [2, 1], "go": [1, 0]}}),
    ("parts", {"Bob": {"grit": [["rolled", -2, "TINY-1"]]}}),
    ("dice", []),
    ("dice", [7]),
    ("dice", [3, 1]),
    ("choices", ["luck"]),
    ("rolls", [{"target": 4}]),
    ("rolls", []),
    ("modifiers", [{"name": "luck"}]),
    ("forced", ["anything"]),
    ("refused", {"says": "not allowed"}),
    ("after", {"Bob": {"grit": 2}}),
    ("standing", {"players": ["Ann"]}),
    ("scene", {"round": 1}),
    ("faults", ["guard"]),
]


@pytest.mark.parametrize(("key", "value"), WRONG)
def test_a_wrong_case_fails(tiny: System, key: str, value: Any) -> None:
    book = casebook.book(HERE / "tiny" / "tiny.toml")
    with pytest.raises((AssertionError, CrisisError, pytest.fail.Exception)):
        casebook.run(tiny, book, {**book["case"][0], key: value})


ATTACK = {"action": "attack", "actor": "Ann", "target": "Bob"}
SAID = [
    ("rules", ["TINY-11"], "the rules of tiny have no 'TINY-11' (did you mean TINY-1?)"),
    ("rules", [], 'the case has no rules: write rules = ["TINY-1"]'),
    ("what", "", "the case has no what"),
    ("intent", {**ATTACK, "options": {"mdo": 1}}, "step 1: attack has no option 'mdo' (did you mean mod?)"),
    ("after", {"Bob": {"condition:lost": False}}, "there is no condition 'lost'; write one of out"),
    ("after", {"Bob": {"grits": 0}}, "Bob has no 'grits'; write one of grit"),
    ("dice", [3, 1], "step 1: faces left over"),
    ("refused", {"rule": "TINY-1"}, "step 1: refused has no says"),
]


@pytest.mark.parametrize(("key", "value", "said"), SAID)
def test_a_mistake_in_a_case_says_what_to_write(tiny: System, key: str, value: Any, said: str) -> None:
    book = casebook.book(HERE / "tiny" / "tiny.toml")
    with pytest.raises(AssertionError) as caught:
        casebook.run(tiny, book, {**book["case"][0], key: value})
    assert said in str(caught.value)


def test_what_is_allowed_though_a_case_has_it_refused_is_not_about_dice(tiny: System) -> None:
    book = casebook.book(HERE / "tiny" / "tiny.toml")
    case = {**book["case"][0], "dice": [], "refused": {"says": "faces"}}
    with pytest.raises(AssertionError, match="step 1: attack is allowed; the case says that it is refused"):
        casebook.run(tiny, book, case)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[cases]]", "line 1, cases: unknown (did you mean case?)"),
        ("", "line 1, case: is missing: write [[case]]"),
        ("[case]", "line 1, case: must be a list: write [[case]]"),
    ],
)
def test_a_file_that_is_no_casebook_is_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "cases.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FileError) as caught:
        casebook.book(path)
    assert said in caught.value.message
