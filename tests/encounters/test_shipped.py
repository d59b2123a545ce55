"""The shipped encounters: they can be played to an end, undone and played again; events come once and in order."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from conftest import JOURNAL_OF_NOW, Player
from encounters.test_stories import in_force

from crisis_cli.sheets.encounter_store import SHIPPED
from crisis_cli.systems import names

NAMES = sorted(path.stem for path in Path(SHIPPED).glob("*.toml"))
LONG = ("ford", "garage", "mill")
"""The longest of those whose system has a shorter one; played with -m long alone."""
MANY = 200
"""Plays of each encounter with -m long; the suite plays most once, and all that it asks is asked of that play."""
BACK = 5
"""Actions undone one by one, from the last."""
LAST_ROUND = 60
"""A fight that is not over by then is stuck."""
KILLING = ("down", "hurt")
"""What an event waits for where somebody has to be brought down."""


EACH = [
    pytest.param(name, marks=[pytest.mark.slow, *([pytest.mark.long] if name in LONG else [])])
    for name in NAMES
]


@pytest.fixture(scope="module", params=EACH)
def name(request: pytest.FixtureRequest) -> str:
    """Each encounter; the tests of one follow each other, so that one process plays it for all of them."""
    found: str = request.param
    return found


def play(player: Player, name: str, seed: int) -> None:
    """Play a copy of an encounter automatically to its end, and remove the copy."""
    player.ok(f"encounter copy {name} copied-{name}")
    shown = player.ok(f"play copied-{name} --auto --quiet --seed {seed} --rounds {LAST_ROUND}").out
    (player.here / f"encounters/copied-{name}.toml").unlink()
    assert re.fullmatch(r"(players|opponents|none) \d+\n", shown), (name, seed, shown)


def check(player: Player, about: object) -> None:
    """Check the journal of an encounter that was played."""
    entries = player.ok(f"log {JOURNAL_OF_NOW} --json").records
    assert entries[-1]["decided"], about
    fired = [one for one in entries if one["action"] == "event"]
    numbers = [one["event"] for one in fired]
    assert len(numbers) == len(set(numbers)), "each happens once"
    causes = [one["because"] for one in fired]
    assert causes == sorted(causes) and all(one["because"] < one["number"] for one in fired)
    same = [(one["because"], one["event"]) for one in fired]
    assert same == sorted(same), "in the order of the file"
    assert "no differences" in player.ok(f"verify {JOURNAL_OF_NOW}").out, about


@cache
def journal_of(name: str, folder: Path) -> bytes:
    """The journal of an encounter, played in a new folder."""
    folder.mkdir()
    player = Player(folder)
    play(player, name, 1)
    return (folder / JOURNAL_OF_NOW).read_bytes()


@pytest.fixture
def over(name: str, crisis: Player, tmp_path_factory: pytest.TempPathFactory) -> Player:
    """A player with the journal of an encounter that was played to its end, without its file."""
    (crisis.here / JOURNAL_OF_NOW).write_bytes(journal_of(name, tmp_path_factory.getbasetemp() / name))
    return crisis


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


def test_an_encounter_ends(name: str, over: Player) -> None:
    check(over, name)


@pytest.mark.long
def test_an_encounter_ends_always(crisis: Player, name: str) -> None:
    for seed in range(MANY):
        play(crisis, name, seed)
        check(crisis, (name, seed))
        (crisis.here / JOURNAL_OF_NOW).unlink()


def test_the_journal_is_the_same_after_all_is_undone_and_redone(over: Player) -> None:
    over.ok("undo")
    scene = over.ok("status --json").record
    actions = sum(one["action"] != "event" for one in over.ok("log --json").records) - 1
    seen = [scene]
    for _ in range(min(BACK, actions)):
        over.ok("undo")
        seen.append(over.ok("status --json").record)
    for expected in reversed(seen[:-1]):
        over.ok("redo")
        assert over.ok("status --json").record == expected
    over.ok("rewind 1")
    over.ok(f"redo {actions}")
    assert over.ok("status --json").record == scene


def test_a_script_plays_it_again(name: str, over: Player, tmp_path: Path) -> None:
    script = over.ok(f"log {JOURNAL_OF_NOW} --script").out
    assert f"--encounter copied-{name}" in script and " event " not in script
    other = Player(tmp_path / "other")
    other.here.mkdir()
    other.ok(f"encounter copy {name} copied-{name}")
    (other.here / "again.txt").write_text(script, encoding="utf-8")
    other.ok("run --quiet again.txt")
    assert in_force(other, JOURNAL_OF_NOW) == in_force(over, JOURNAL_OF_NOW)


def test_the_examples_of_the_manual_are_shipped() -> None:
    assert {"bridge", "station"} <= set(NAMES)
