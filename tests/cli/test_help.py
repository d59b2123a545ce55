"""`--help` of every verb, and its examples."""

from __future__ import annotations

import re

import pytest
from conftest import Player, Sheets

from crisis_cli.verbs import VERBS


@pytest.mark.parametrize("verb", [*VERBS, "character new", "character show", "character check"])
def test_every_verb_has_help_with_examples(
    crisis: Player, verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = crisis(f"{verb} --help")
    text = shown.out + capsys.readouterr().out
    assert shown.status == 0
    assert re.search(rf"^ +crisis {verb}", text, re.MULTILINE), "an example that can be pasted"
    assert all(len(line) <= 100 for line in text.splitlines())


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb != "character"])
def test_every_verb_that_prints_has_json(
    crisis: Player, verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = crisis(f"{verb} --help")
    if verb != "odds":  # which hands its words on to the verb it is about
        assert "--json" in shown.out + capsys.readouterr().out


@pytest.mark.parametrize("words", ["--version", "-h", "--help"])
def test_the_program_tells_about_itself(
    crisis: Player, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = crisis(words)
    assert shown.status == 0 and "crisis" in shown.out + capsys.readouterr().out


@pytest.mark.parametrize(("typed", "meant"), [("atack", "attack"), ("stauts", "status"), ("redoo", "redo")])
def test_a_verb_mistyped_is_guessed_at(crisis: Player, typed: str, meant: str) -> None:
    assert meant in crisis.refused(2, typed).err


@pytest.mark.parametrize(
    ("typed", "meant"), [("--weapn", "--weapon"), ("--explan", "--explain"), ("--quite", "--quiet")]
)
def test_an_option_mistyped_is_guessed_at(crisis: Player, sheets: Sheets, typed: str, meant: str) -> None:
    assert meant in crisis.refused(2, f"attack jack drone {typed} x").err
