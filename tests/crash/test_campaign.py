"""A campaign killed at every system call: fights, nights and their undo leave story, journals and sheets right."""

from __future__ import annotations

import json
import random
from itertools import product
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
    """At so many of its calls in the suite, the first and the last among them."""
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
        deaths = [*deaths[:: len(deaths) // (most - 1)][: most - 1], deaths[-1]]
    for at, half in deaths:
        death = doom(copied(kept, here), last.split(), at, half)
        assert death.status == -9, (at, death)
        now = standing(here)
        assert now in (before, after), (at, half)
        assert not death.out or now == after
        found.add(now == after)
    assert found == {False, True}, "else this has tried nothing"


FIGHT = "init vera --vs raider --open; set vera health 9"
NIGHT = "rest --care hospital --mod 20"
PAIRS = [
    (f"{FIGHT}; end --name Bridge", "undo", other)
    for other in ("campaign", "chronicle", "note Who?", NIGHT, "undo", "init vera --vs raider --open")
]
PAIRS += [(FIGHT, "end --name Bridge", other) for other in ("status", "campaign", "undo", "end", "note Who?")]
PAIRS += [
    (f"{FIGHT}; end --name Bridge; undo", "redo", other) for other in ("status", "campaign", "undo", "end")
]
PAIRS += [("", NIGHT, other) for other in ("campaign", NIGHT, "note Who?", "tension 4")]
PAIRS += [(NIGHT, "undo", other) for other in ("campaign", NIGHT, "undo", "note Who?")]
PAIRS += [(f"{NIGHT}; undo", "redo", other) for other in ("campaign", "redo", NIGHT)]
PAIRS += [(f"{FIGHT}; end --name Bridge", "note Who?", other) for other in ("undo", "note What?", NIGHT)]
"""Lines that go before, a command, and another one that is carried out in the middle of it."""


def done(status: int, said: str) -> tuple[bool, ...]:
    """Whether a command has done what it should; where an end waits for the lock, it may be its own or another's."""
    return (True, False) if "is recorded and ends the crisis" in said else (status == 0,)


@pytest.mark.parametrize("most", [3, pytest.param(0, marks=pytest.mark.long)])
@pytest.mark.parametrize(("lines", "words", "other"), PAIRS)
def test_two_runs_beside_each_other_are_as_one_after_the_other(
    tmp_path: Path, doom: Doom, lines: str, words: str, other: str, most: int
) -> None:
    """At each call of the first: what both did stands once, and what was refused stands not at all."""
    first, second = words.split(), other.split()
    here, kept = made(tmp_path), tmp_path / "kept"
    for line in filter(None, lines.split("; ")):
        assert doom(here, line.split()).status == 0, line
    here.rename(kept)

    def after(*lines: list[str]) -> tuple[Any, ...] | None:
        """How it stands after these; None where one of them is refused."""
        copied(kept, here)
        return standing(here) if all(doom(here, one).status == 0 for one in lines) else None

    neither, alone, only_other = after(), after(first), after(second)
    results = {
        (True, True): (after(first, second), after(second, first)),
        (True, False): (alone,),
        (False, True): (only_other,),
        (False, False): (neither,),
    }
    calls = doom(copied(kept, here), first).calls
    places = range(1, calls + 1)
    for at in random.Random(7).sample(places, min(most, calls)) if most else places:
        death = doom(copied(kept, here), first, at, beside=second)
        now = standing(here)
        outcomes = list(product(done(death.status, death.err), done(death.beside, death.said_beside)))
        allowed = [one for outcome in outcomes for one in results[outcome]]
        assert now in allowed, (at, outcomes, death)
