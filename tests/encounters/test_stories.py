"""Encounters as stories: the log, Markdown, the page, Lonelog, the recap, and scripts that play them again."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import Player
from encounters.test_play import HELP, events, opened, place

from crisis_cli.engine.encounter import Encounter, Trigger
from crisis_cli.engine.record import EVENT, Entry
from crisis_cli.engine.scene import Fighter, Intent, Scene
from crisis_cli.render.style import Ink
from crisis_cli.render.text import entry_lines
from crisis_cli.systems import load


@pytest.fixture
def yard(crisis: Player, sheets: object) -> Player:
    """A player with the sheets of Jack, Ada and a drone."""
    return crisis


def played(player: Player) -> None:
    """A whole encounter: help that comes, and one that is won."""
    opened(player, HELP + '\n[[event]]\nafter = 2\ntext = "Dawn."\nwins = "players"\n')
    for _ in range(6):
        player.ok("next")
    player.ok("end --no-save --yes")


def journal(player: Player) -> str:
    """The name of the journal of the ended crisis."""
    (path,) = player.here.glob("crisis-*.jsonl")
    return path.name


@pytest.mark.parametrize(
    ("trigger", "said"),
    [
        ({"reach": "gate", "everyone": True}, "All of you who still stand are at the gate."),
        ({"reach": "gate"}, "One of you is at the gate."),
        ({"reach": "gate", "many": 2, "who": "side:opponents"}, "2 of the opponents are at the gate."),
        ({"reach": "gate", "who": "Ada", "round": 3}, "Round 3 has begun and Ada is at the gate."),
        ({"down": "Drone"}, "Every Drone is down."),
        ({"down": "Ada"}, "Ada is down."),
        ({"down": "side:opponents", "left": 1}, "Only one of them is left."),
        ({"hurt": "Ada", "below": 40}, "Ada has under 40 % left."),
        ({"hurt": "players"}, "One of you has under 50 % left."),
        ({"after": 4}, "Round 4 is over."),
        ({"chance": 10}, "Something happens."),
    ],
)
def test_an_event_without_a_text_says_what_brought_it_about(trigger: dict[str, Any], said: str) -> None:
    sides = {"Ada": "players", "Drone 1": "opponents", "Drone 2": "opponents"}
    fighters = {name: Fighter(name, side, False, {}, {}, {}) for name, side in sides.items()}
    scene = Scene("3d6", fighters, encounter=Encounter("The yard", triggers=(Trigger(1, **trigger),)))
    entry = Entry(2, Intent(EVENT, "", (), {"event": 1, "because": 1}))
    assert entry_lines(entry, scene, load("3d6"), Ink()) == [said]


def test_the_log_tells_the_opening_and_each_event(yard: Player) -> None:
    played(yard)
    shown = yard.ok(f"log {journal(yard)}").out
    assert "The yard" in shown and "A dog barks." in shown and "Boots." in shown and "Dawn." in shown
    records = yard.ok(f"log {journal(yard)} --json").records
    assert (records[0]["encounter"], records[0]["text"]) == ("The yard", "It is dark.\nA dog barks.")
    assert (records[-1]["text"], records[-1]["reward"], records[-1]["winner"]) == (
        "Quiet again.",
        ["a key"],
        "players",
    )


def test_markdown_has_the_texts_and_the_events(yard: Player) -> None:
    played(yard)
    shown = yard.ok(f"log {journal(yard)} --markdown").out
    assert shown.startswith("## The yard\n") and "> It is dark.\n> A dog barks.\n" in shown
    assert "- Boots.\n  - Runner 1 and Runner 2 join the fight" in shown
    assert "**The players win after 2 rounds.**\n\n> Quiet again.\n\n- a key\n" in shown


def test_a_page_has_the_texts_and_the_events(yard: Player) -> None:
    played(yard)
    shown = yard.ok(f"log {journal(yard)} --html").out
    for text in ("<h1>The yard</h1>", "It is dark. A dog barks.", "Boots.", "Quiet again.", "a key"):
        assert text in shown


def test_lonelog_has_the_texts_and_the_events(yard: Player) -> None:
    played(yard)
    shown = yard.ok(f"log {journal(yard)} --lonelog").out
    assert shown.startswith("S1 *The yard*\n\nIt is dark.\nA dog barks.\n\n[COMBAT]\n")
    assert re.search(r"\nBoots\.\n(d: .*\n)*=> Runner 1: joins \[F:Runner 1\|", shown)
    assert "\nDawn.\n(note: players win)\n" in shown
    assert "=> The players win after 2 rounds.\n=> a key\n\nQuiet again.\n" in shown
    records = yard.ok(f"log {journal(yard)} --json").records
    assert shown.count("\nd: ") == sum(len(one["rolls"]) for one in records)


def test_the_recap_knows_who_won(yard: Player) -> None:
    played(yard)
    assert "The players win after 2 rounds." in yard.ok(f"log {journal(yard)} --recap").out
    record = yard.ok(f"log {journal(yard)} --recap --json").record["recap"]
    assert record["winner"] == "players" and record["decided"]


def test_an_event_can_be_explained(yard: Player) -> None:
    opened(yard, HELP)
    yard.ok("next")
    yard.ok("next")
    assert "Boots." in yard.ok("explain").out + yard.ok("explain 4").out


def in_force(player: Player, name: str) -> list[dict[str, object]]:
    """The entries in force, without what a script cannot give again: reasons."""
    found = []
    for line in (player.here / name).read_text("utf-8").splitlines()[1:]:
        record = json.loads(line)
        if "entry" in record:
            options = record["intent"]["options"]
            record["intent"]["options"] = {key: one for key, one in options.items() if key != "reason"}
            found.append({key: one for key, one in record.items() if key not in ("seal", "choices")})
        if "undo" in record:
            found.pop()
    return found


def test_a_script_keeps_what_the_command_line_changed(yard: Player, tmp_path: Path) -> None:
    place(yard, HELP)
    yard.ok("init --encounter yard ada --place drone=7,7 --doctrine drone=coward --seed 5")
    yard.ok("set ada health 3")
    for _ in range(2):
        yard.ok("next --seed 9")
    yard.ok("undo --fresh")
    yard.ok("next")
    yard.ok("attack drone --force --dice 3,3,3")
    script = yard.ok("log --script").out
    first = script.splitlines()[2]
    assert first.startswith("init ada --encounter yard --place drone=7,7 --doctrine drone=coward --seed 5")
    other = Player(tmp_path / "other")
    other.here.mkdir()
    for folder in ("encounters", "characters"):
        (other.here / folder).mkdir()
        for path in (yard.here / folder).glob("*.toml"):
            (other.here / folder / path.name).write_text(path.read_text("utf-8"), encoding="utf-8")
    (other.here / "again.txt").write_text(script, encoding="utf-8")
    other.ok("run --quiet again.txt")
    mine, theirs = (in_force(one, "crisis.jsonl") for one in (yard, other))
    assert [one for one in theirs if one["intent"]["action"] != "note"][-1]["events"] == mine[-1]["events"]  # type: ignore[index]
    assert len(events(other)) == len(events(yard)) == 1
