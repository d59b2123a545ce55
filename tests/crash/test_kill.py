"""A fight of some actions, killed again and again: what was shown as done is never lost."""

from __future__ import annotations

import json
import os
import random
import select
import subprocess
import sys
import time

import pytest
from conftest import PROGRAM, Player, Sheets, program_env

pytestmark = pytest.mark.slow

ACTIONS = 14
TOUGH = "endurance = 5000\nhealth = 5000\n"


def test_kill_at_any_moment_loses_nothing_that_was_shown(crisis: Player, sheets: Sheets) -> None:
    """The real program, SIGKILL at random moments: every action printed is in the journal, and it verifies."""
    for stem in ("jack", "drone"):
        sheets.write(stem, sheets.text(stem).replace('system = "3d6"\n', f'system = "3d6"\n{TOUGH}', 1))
    before = sheets.text("jack")
    crisis.ok("init jack --vs drone --open --seed 7")
    chance = random.Random(20_261_120)
    took = 0.2
    killed = 0
    while (done := len(crisis("log --json").lines)) < ACTIONS:
        scene = crisis("status --json").record
        ap = next(one["pools"]["ap"] for one in scene["fighters"] if one["name"] == scene["actor"])
        foe = "drone" if scene["actor"] == "Jack" else "jack"
        words = ["attack", foe] if ap >= 2 else ["next"]
        if done % 9 == 5 and done > 2:
            words = (
                ["undo"]
                if chance.random() < 0.5
                else ["set", "jack", "condition:drunk", chance.choice(["on", "off"])]
            )
        start = time.monotonic()
        with subprocess.Popen(
            [*PROGRAM, *words, "--json"],
            cwd=crisis.here,
            env=program_env(crisis.here),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as running:
            assert running.stdout
            if chance.random() < 0.6:
                # Most of a run is spent starting up: aim around the moment of writing.
                select.select([running.stdout], [], [], took * chance.uniform(0.6, 1.1))
                running.kill()
                killed += 1
            shown = running.stdout.read()
            running.wait(30)
            if running.returncode == 0:
                took = time.monotonic() - start
        if shown.endswith(b"\n"):
            record = json.loads(shown)
            log = crisis("log --json").records
            if "undone" in record:
                assert len(log) == record["undone"] - 1
            else:
                assert log[-1] == record, "what was shown is the last entry"
        assert crisis("verify").status == 0
    assert killed >= 5, "else this has tried nothing"
    crisis("undo 3")
    crisis("redo 2")
    assert crisis("verify --json").record["verified"] is True
    assert crisis("end").status == 0
    assert sheets.text("jack").startswith(before.rstrip("\n")), "the sheets still hold their comments"


def test_a_kill_between_writing_a_sheets_draft_and_its_place_leaves_the_old_sheet(
    crisis: Player, sheets: Sheets
) -> None:
    """Files are replaced whole: a draft left by a crash is not taken for a sheet."""
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        gone.wait()
    sheets.folder.joinpath(f".drone.toml.{gone.pid}.new").write_text("half a sh", "utf-8")
    sheets.folder.joinpath(f".ada.toml.{os.getppid()}.new").write_text("half a sh", "utf-8")
    sheets.folder.joinpath(".mine.new").write_text("not ours", "utf-8")
    crisis.ok("attack jack drone --dice 6,6,6 --save")
    left = sorted(path.name for path in sheets.folder.glob(".*"))
    assert left == [f".ada.toml.{os.getppid()}.new", ".mine.new"], "what nobody writes any more is removed"
    assert crisis.ok("character check").status == 0
