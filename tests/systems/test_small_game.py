"""What crisis-system(7) says of casebooks, rules.toml and the names of a small game is what the program takes."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Player

from crisis_cli import rules, systems
from crisis_cli.conformance.casebook import INTENT, KEYS, STEP, run
from crisis_cli.engine.system import System
from crisis_cli.manual.markup import sections
from crisis_cli.play.system_files import RULE_KEYS, RULES_KEYS, TOPIC_KEYS
from crisis_cli.systems.plugins import Plugin

PAGE = sections("system")
TESTS = {
    head: body
    for head, _, body in (part.partition("\n") for part in re.split(r"^## ", PAGE["Tests"], flags=re.M))
}
HEAD = PAGE["Tests"].partition("## ")[0]
BOOK: dict[str, Any] = {"sheets": {"ann": {"name": "Ann"}}}


def terms(text: str) -> list[str]:
    """The terms that a text explains."""
    return [name for listed in re.findall(r"^- (.+?) ::", text, flags=re.M) for name in listed.split(", ")]


def taken(system: System, case: dict[str, Any]) -> set[str]:
    """The keys that a case with a key of another name may have in its place."""
    with pytest.raises(AssertionError, match=r"has no other; write ") as caught:
        run(system, BOOK, {"cast": ["ann"], "what": "A test.", "rules": ["TINY-1"], **case})
    return set(re.split(r", | or ", str(caught.value).partition("; write ")[2]))


@pytest.fixture
def knives(crisis: Player, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of the package that `crisis system new knives` makes, which is installed."""
    crisis.ok("system new knives")
    folder = crisis.here / "knives" / "crisis_knives"
    plugin = Plugin("knives", "crisis-knives", "0.1.0", "crisis_knives", "SYSTEM", str(folder))
    monkeypatch.setattr(systems, "installed", lambda: {"knives": plugin})
    monkeypatch.syspath_prepend(folder.parent)
    yield folder
    sys.modules.pop("crisis_knives", None)


def test_every_key_of_a_casebook_is_explained_and_no_other(tiny: System) -> None:
    check = {"action": "check", "actor": "Ann"}
    explained = {head: set(terms(text)) for head, text in TESTS.items()}
    assert explained["The keys of a case"] == KEYS and explained["The keys of a step"] == STEP
    assert explained["The keys of an intent"] == INTENT
    assert taken(tiny, {"other": 1}) == KEYS | STEP
    assert taken(tiny, {"do": [{"intent": check, "other": 1}]}) == STEP
    assert taken(tiny, {"intent": {**check, "other": 1}}) == INTENT
    refused = {"says": "", "other": 1}
    assert taken(tiny, {"intent": check, "refused": refused}) == explained["The keys of refused"]


def test_the_casebook_of_the_manual_passes(crisis: Player, knives: Path) -> None:
    book = re.findall(r"^(?:    (.*)|)$", HEAD, flags=re.M)
    (knives.parent / "cases.toml").write_text("\n".join(book), encoding="utf-8")
    shown = crisis.ok("system check knives --no-conformance --cases knives/cases.toml").lines
    assert shown[-1] == "knives: 2 passed in cases.toml"


def test_every_key_of_the_rules_in_words_is_explained() -> None:
    text = PAGE["Rules in words"]
    for section in (RULES_KEYS, TOPIC_KEYS):
        assert {f"`{key}`" for key in section.fields if key not in ("topics", "rules")} <= {
            *re.findall(r"`\w+`", text)
        }
    assert set(terms(text)) == set(RULE_KEYS.fields)


def test_the_names_of_a_small_game_begin_with_those_of_a_new_one() -> None:
    names = terms(PAGE["The names of a small game"])
    assert len(names) == len(set(names)) == 25 and set(names) <= set(rules.__all__)
    assert len(rules.__all__) == 80
    source = (ROOT / "crisis_cli" / "new_system" / "rulebook.py.txt").read_text("utf-8")
    imported = {
        alias.name
        for node in ast.parse(source).body
        if isinstance(node, ast.ImportFrom) and node.module != "collections.abc"
        for alias in node.names
    }
    assert set(names[: len(imported)]) == imported
    assert f"the first {len(imported)}" in PAGE["The names of a small game"]
