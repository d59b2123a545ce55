"""A campaign killed at every system call: fights, nights and their undo leave story, journals and sheets right."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from conftest import Player, Sheets

from crash.test_doom import Doom, copied, doom, sheets_of

__all__ = ["doom"]  # the fixture
pytestmark = pytest.mark.slow

LINES = (
    "init vera --vs raider --open; set vera health 9; end --name Bridge",
    "init vera --vs raider --open; set vera health 9; end --name Bridge; undo",
    "init vera --vs raider --open; set vera health 9; end --name Bridge; undo; redo",
    "init vera --vs raider --open; set vera health 9; end --name Bridge; rest --care hospital --mod 20",
    "rest --care hospital --mod 20; undo",
    "rest --care hospital --mod 20; rest --care hospital --mod 20; undo 2",
    "rest --care hospital --mod 20; undo; redo",
    "note --thread Who?",
)
"""Command lines, the last of which is killed."""


def standing(here: Path) -> tuple[Any, ...]:
    """How a campaign stands once the next command has put it in order: story, fights, open crisis and sheets."""
    player = Player(here)
    shown = player("campaign --json")
    assert shown.status == 0, shown
    check = player("campaign check")
    assert check.out == "all right\n", check
    archives = tuple(
        (path.name, player("replay", f"journals/{path.name}", "--json").out)
        for path in sorted((here / "journals").glob("*.jsonl"))
    )
    log = player("log --json").out if player.journal.exists() else ""
    story = player("chronicle --json").out
    return json.dumps(shown.record), archives, log, story, sheets_of(here)


def made(tmp_path: Path) -> Path:
    """A campaign of a hurt hero."""
    Player(tmp_path).ok("campaign new here vera")
    here = tmp_path / "here"
    sheets = Sheets(here / "characters")
    sheets.write("vera", sheets.text("vera") + "\n[state]\nhealth = 12\n")
    return here


@pytest.mark.parametrize("most", [6, pytest.param(0, marks=pytest.mark.long)])
@pytest.mark.parametrize("lines", LINES)
def test_a_campaign_survives_a_kill_at_every_call(tmp_path: Path, doom: Doom, lines: str, most: int) -> None:
    """At so many of its calls in the suite, the last one among them."""
    *first, last = lines.split("; ")
    here = made(tmp_path)
    for line in first:
        assert doom(here, line.split()).status == 0, line
    kept = tmp_path / "kept"
    here.rename(kept)
    before = standing(copied(kept, here))
    done = doom(copied(kept, here), last.split())
    assert done.status == 0, done
    after = standing(here)
    assert before != after and done.calls > 4
    found = set()
    # Of two nights undone at once half may reach the disk: then one is undone, sheets and all.
    halves = (False,) if last == "undo 2" else (False, True)
    deaths = [(at, half) for at in range(1, done.calls + 1) for half in halves]
    if 0 < most < len(deaths):
        deaths = [*random.Random(7).sample(deaths[:-1], most - 1), deaths[-1]]
    for at, half in deaths:
        death = doom(copied(kept, here), last.split(), at, half)
        assert death.status == -9, (at, death)
        now = standing(here)
        assert now in (before, after), (at, half)
        assert not death.out or now == after
        found.add(now == after)
    assert found == {False, True}, "else this has tried nothing"
