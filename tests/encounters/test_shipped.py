"""The shipped encounters: they can be played to an end, and their events come once and in order."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import Player

from crisis_cli.sheets.encounter_store import SHIPPED
from crisis_cli.systems import names

NAMES = sorted(path.stem for path in SHIPPED.glob("*.toml"))
SAMPLE, MANY = 2, 200
"""Plays of each encounter: in the suite, and with -m long."""
LAST_ROUND = 60
"""A fight that is not over by then is stuck."""
KILLING = ("down", "hurt")
"""What an event waits for where somebody has to be brought down."""


def played(player: Player, name: str, seed: int) -> None:
    """Play one encounter automatically, and check its journal when the file of the encounter is gone."""
    player.ok(f"encounter copy {name} copied-{name}")
    shown = player.ok(f"play copied-{name} --auto --quiet --seed {seed} --rounds {LAST_ROUND}").out
    (player.here / f"encounters/copied-{name}.toml").unlink()
    (path,) = player.here.glob("crisis-*.jsonl")
    assert re.fullmatch(r"(players|opponents|none) \d+\n", shown), (name, seed, shown)
    entries = player.ok(f"log {path.name} --json").records
    assert entries[-1]["decided"], (name, seed)
    fired = [one for one in entries if one["action"] == "event"]
    numbers = [one["event"] for one in fired]
    assert len(numbers) == len(set(numbers)), "each happens once"
    causes = [one["because"] for one in fired]
    assert causes == sorted(causes) and all(one["because"] < one["number"] for one in fired)
    same = [(one["because"], one["event"]) for one in fired]
    assert same == sorted(same), "in the order of the file"
    assert "no differences" in player.ok(f"verify {path.name}").out, (name, seed)
    path.unlink()


def test_there_are_two_for_each_system_one_of_them_won_otherwise_than_by_killing(crisis: Player) -> None:
    records = crisis.ok("encounter list --json").records
    by_system = {system: [one for one in records if one["system"] == system] for system in names()}
    for system, found in by_system.items():
        assert len(found) >= 2, system
        ways = []
        for one in found:
            values = crisis.ok(f"encounter show {one['file']} --json --spoilers").record["values"]
            assert all(values.get(key) for key in ("name", "about", "open", "won", "lost", "reward", "party"))
            ways += [
                event
                for event in values["event"]
                if event.get("wins") == "players" and not any(key in event for key in KILLING)
            ]
        assert ways, system


def test_all_pass_their_own_check(crisis: Player) -> None:
    assert crisis.ok("encounter check").out.count("all right") == len(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_an_encounter_ends(crisis: Player, name: str) -> None:
    for seed in range(SAMPLE):
        played(crisis, name, seed)


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_an_encounter_ends_always(crisis: Player, name: str) -> None:
    for seed in range(MANY):
        played(crisis, name, seed)


@pytest.mark.parametrize("name", NAMES)
def test_the_journal_is_the_same_after_all_is_undone_and_redone(crisis: Player, name: str) -> None:
    crisis.ok(f"init --encounter {name} --seed 8")
    for _ in range(14):
        if not crisis.ok("status --json").record["decided"]:
            crisis.ok("auto")
    scene = crisis.ok("status --json").record
    actions = sum(one["action"] != "event" for one in crisis.ok("log --json").records) - 1
    seen = [scene]
    for _ in range(actions):
        crisis.ok("undo")
        seen.append(crisis.ok("status --json").record)
    for expected in reversed(seen[:-1]):
        crisis.ok("redo")
        assert crisis.ok("status --json").record == expected
    crisis.ok("rewind 1")
    crisis.ok(f"redo {actions}")
    assert crisis.ok("status --json").record == scene


def test_the_examples_of_the_manual_are_shipped() -> None:
    assert {"bridge", "station"} <= set(NAMES) and isinstance(SHIPPED, Path)
