"""Every verb with --json prints at least one object that says which verb or action it is from, in documented keys."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from shutil import copytree

import click
import pytest
from conftest import Player, Sheets
from importing.foundry import ADVENTURE
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
    "goal": "goal",
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
    "questions": "questions few",
    "end": "end --no-save",
    "play": "play --auto --rounds 1",
    "run": "run empty.txt",
    "oracle": "oracle 'Is it dark?'",
    "tables": "tables twists",
    "odds": "odds",
    "simulate": "simulate --from-crisis -n 2 --rounds 3",
    "replay": "replay",
    "verify": "verify",
    "character": "character list",
    "rules": "rules",
    "help": "help",
    "doctor": "doctor",
    "completion": "completion bash",
}
"""A line of each verb that does something in an open fight."""
BETWEEN = {
    "campaign": "campaign",
    "campaign new": "campaign new Other jack",
    "campaign check": "campaign check",
    "rest": "rest",
    "tend": "tend jack --dry-run",
    "take": "take",
    "inv": "inv",
    "chronicle": "chronicle",
    "foe": "foe brute --against jack --level 1 -n 2 --seed 1",
    "encounter list": "encounter list",
    "encounter show": "encounter show bridge",
    "encounter check": "encounter check",
    "encounter new": "encounter new cellar --system 3d6",
    "encounter copy": "encounter copy bridge",
    "encounter schema": "encounter schema 3d6",
    "tables roll": "tables roll twists",
    "tables list": "tables list",
    "tables show": "tables show twists --odds",
    "tables check": "tables check",
    "tables shuffle": "tables shuffle deck",
    "system check": "system check 3d6 --no-conformance",
    "system new": "system new knives",
    "config show": "config show",
    "config check": "config check",
    "config path": "config path",
    "config edit": "config edit",
    "tables new": "tables new weather",
    "tables copy": "tables copy twists",
    "tables import": "tables import loot.txt",
    "tables schema": "tables schema",
    "character new": "character new Bob --system 3d6",
    "character show": "character show jack",
    "character list": "character list",
    "character check": "character check jack",
    "character reset": "character reset jack",
    "character restore": "character restore jack",
    "character copy": "character copy jack jim",
    "character import": "character import actors.json",
    "character schema": "character schema 3d6",
}
"""A line of each verb and sub-verb that does something in a campaign, after its first fight."""
SCHEMAS = ("encounter schema", "tables schema", "character schema")
"""What they print is a JSON Schema, and no object of ours."""
NAMED = (
    *("rules", "down", "any_harm", "options", "answers", "effects", "derived", "cells", "foes"),
    *("wins", "survivors", "fighters", "begins", "ends", "weapons", "pools"),
)
"""Keys whose objects have ids, or names of fighters, places and options, as their keys."""
FILES = ("sheet", "values")
"""Keys whose objects are files, as crisis-character(5) and crisis-encounter(5) describe them."""
OF_ANOTHER_PROTOCOL = {"mcp"}
"""Verbs whose objects are not ours."""
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
    assert sorted({where for key, where in keys_in(shown.records, "", NAMED) if key not in known()}) == []


known = cache(documented)
"""The keys that crisis-json(5) describes."""


@pytest.fixture(scope="module")
def fought(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign after its first fight, to be left as it is."""
    folder = tmp_path_factory.mktemp("fought")
    Player(folder).ok("campaign new Here jack ada")
    here = Player(folder / "here")
    tables = here.here / "tables"
    tables.mkdir(exist_ok=True)
    (here.here / "loot.txt").write_text("tin\ngold\n", encoding="utf-8")
    (tables / "deck.toml").write_text('about = "Two cards"\ndeck = true\nrows = ["a", "b"]\n', "utf-8")
    for line in (
        "init jack ada --vs drone --open --seed 4",
        "attack drone",
        "tables deck",
        "set jack endurance 30",
        "end --yes --name First",
    ):
        assert here(line).status == 0
    return here.here


@pytest.mark.parametrize("verb", BETWEEN)
def test_so_does_every_verb_between_the_fights_of_a_campaign(fought: Path, tmp_path: Path, verb: str) -> None:
    here = Player(Path(copytree(fought, tmp_path / "here")))
    (here.here / "actors.json").write_text(json.dumps(ADVENTURE), "utf-8")
    if verb == "character restore":
        (here.here / "characters" / "jack.toml").unlink()
    shown = here(f"{BETWEEN[verb]} --json")
    assert shown.status == 0, shown
    if verb in SCHEMAS:
        assert json.loads(shown.out)["$schema"]
        return
    assert shown.records and all(record.get("action") for record in shown.records), shown.out
    assert (
        sorted({where for key, where in keys_in(shown.records, "", (*NAMED, *FILES)) if key not in known()})
        == []
    )


def every_verb(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    """A verb, or the sub-verbs of a group, each with its command."""
    if not isinstance(command, LazyGroup):
        yield name, command
        return
    context = click.Context(command)
    for one in command.list_commands(context):
        inner = command.get_command(context, one)
        if inner:
            yield from every_verb(inner, f"{name} {one}")


COMMANDS = {
    name: command
    for verb in VERBS
    for name, command in every_verb(import_module(f"crisis_cli.{MODULES[verb]}").command, verb)
}
"""Every verb and sub-verb; of a group only these."""


def test_every_verb_and_sub_verb_takes_json() -> None:
    """The groups themselves do nothing: their sub-verbs do."""
    options = {
        name: {word for one in command.params for word in one.opts} for name, command in COMMANDS.items()
    }
    assert [name for name, found in options.items() if not {"--json", "--color"} <= found] == []


QUIET = {
    "set": "done",
    "note": "The rain goes on.",
    "rest": "done",
    "save": "Jack",
    "character list": "jack",
    "encounter list": "bridge",
    "tables list": "twists",
    "campaign check": "",
    "character check": "",
    "encounter check": "",
    "tables check": "",
}
"""Verbs whose --quiet leaves a word, a name or nothing, and a line that it prints."""


@pytest.mark.parametrize("verb", QUIET)
def test_quiet_leaves_the_bare_result(crisis: Player, verb: str) -> None:
    crisis.ok("campaign new Here jack ada")
    here = Player(crisis.here / "here")
    if verb in ("set", "note", "save"):
        assert here("init jack ada --vs drone --open --seed 4").status == 0
        assert here("set jack health 5").status == 0
    shown = here(f"{LINES.get(verb) or BETWEEN[verb]} --quiet")
    assert shown.status == 0, shown
    assert shown.lines == [] if not QUIET[verb] else QUIET[verb] in shown.lines, shown.out
    if verb in ("set", "note", "save", "rest"):
        assert len(shown.lines) == 1


def test_quiet_checks_print_what_is_wrong(crisis: Player) -> None:
    crisis.ok("campaign new Here jack ada")
    here = Player(crisis.here / "here")
    sheet = here.here / "characters" / "jack.toml"
    sheet.write_text(sheet.read_text("utf-8").replace('doctrine = "guard"', 'doctrine = "cowrd"'), "utf-8")
    shown = here("character check --quiet")
    assert shown.status == 4 and len(shown.lines) == 1 and "did you mean coward?" in shown.out
    assert here("campaign check --quiet").status == 4


def test_every_verb_was_tried() -> None:
    assert {*COMMANDS} | {*VERBS} <= OF_ANOTHER_PROTOCOL | {*LINES} | {*BETWEEN} | {
        verb.split()[0] for verb in BETWEEN
    }
