"""Every verb with --json prints at least one object that says which verb or action it is from, in documented keys."""

from __future__ import annotations

from importlib import import_module

import click
import pytest
from conftest import Player, Sheets
from systems.test_json_keys import documented, keys_in

from crisis_cli.lazy_group import LazyGroup
from crisis_cli.verbs import MODULES, VERBS

LINES = {
    "roll": "roll 3d6",
    "check": "check jack melee --difficulty 9",
    "init": "init jack --vs drone",
    "attack": "attack drone",
    "throw": "throw drone --item bandage --dry-run",
    "heal": "heal jack --dry-run",
    "act": "act drop-prone",
    "next": "next",
    "status": "status",
    "map": "map",
    "undo": "undo",
    "redo": "redo",
    "rewind": "rewind 1",
    "log": "log",
    "explain": "explain",
    "note": "note The rain goes on.",
    "set": "set drone health 20",
    "join": "join drone:2",
    "leave": "leave drone",
    "save": "save",
    "auto": "auto",
    "end": "end --no-save",
    "play": "play --auto --rounds 1",
    "run": "run empty.txt",
    "oracle": "oracle 'Is it dark?'",
    "tables": "tables twists",
    "odds": "odds",
    "replay": "replay",
    "verify": "verify",
    "character": "character list",
    "rules": "rules",
    "help": "help",
    "completion": "completion bash",
}
"""A line of each verb that does something in an open fight."""
NAMED = ("rules", "down", "any_harm", "options", "answers", "effects", "derived")
"""Keys whose objects have ids, or names of fighters and options, as their keys."""
REFUSED = ("throw", "heal")
"""Verbs for which a fighter here has nothing: an error is an object too."""


@pytest.mark.parametrize("verb", LINES)
def test_every_verb_prints_an_object_with_its_action(fight: Player, sheets: Sheets, verb: str) -> None:
    (fight.here / "empty.txt").write_text("", encoding="utf-8")
    fight.ok("attack drone --dice 6,4,3")
    if verb == "redo":
        fight.ok("undo")
    shown = fight(f"{LINES[verb]} --json" if verb != "note" else "note --json The rain goes on.")
    if verb in REFUSED and shown.status:
        assert shown.error["code"], shown
        return
    assert shown.status == 0, shown
    assert shown.records and all(record.get("action") for record in shown.records), shown.out
    known = documented()
    assert sorted({where for key, where in keys_in(shown.records, "", NAMED) if key not in known}) == []


def test_every_verb_and_sub_verb_takes_json() -> None:
    """The groups themselves do nothing: their sub-verbs do."""

    def without(command: click.Command, name: str) -> list[str]:
        if isinstance(command, LazyGroup):
            context = click.Context(command)
            inner = {one: command.get_command(context, one) for one in command.list_commands(context)}
            return [said for one, sub in inner.items() if sub for said in without(sub, f"{name} {one}")]
        options = {word for param in command.params for word in param.opts}
        return [] if {"--json", "--color"} <= options else [name]

    missing = [
        said for verb in VERBS for said in without(import_module(f"crisis_cli.{MODULES[verb]}").command, verb)
    ]
    assert missing == []


def test_every_verb_was_tried() -> None:
    """Verbs about more than one fight are tried with these: tests/campaign and others."""
    elsewhere = {"campaign", "rest", "chronicle", "encounter"}
    assert {*VERBS} - elsewhere <= {*LINES}
