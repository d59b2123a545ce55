"""Scripts as people write them around crisis; none reads a sentence, only JSON, CSV, bare values and exit statuses."""

from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Player, needs_program, program_env

HERE = Path(__file__).parent
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="these are scripts for a POSIX shell"),
]


def ran(here: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """A command with `$CRISIS`, in a folder; it must succeed without a word on stderr."""
    env = {**program_env(here), "CRISIS": f"{sys.executable} -m crisis_cli"}
    done = subprocess.run(
        command, cwd=here, env=env, capture_output=True, encoding="utf-8", timeout=600, check=False
    )
    assert (done.returncode, done.stderr) == (0, ""), done
    return done


def test_a_loop_fights_until_it_is_decided(tmp_path: Path) -> None:
    needs_program("jq")
    done = ran(tmp_path, "sh", str(HERE / "loop.sh"), *["marshal", "--vs", "looter", "--seed", "1"])
    assert done.stdout in ("players\n", "opponents\n")
    end = json.loads((tmp_path / "end.json").read_text("utf-8"))
    assert end["winner"] == done.stdout.strip() and end["standing"]
    assert not (tmp_path / "crisis.jsonl").exists()


def test_one_command_gives_the_odds_over_armour_as_csv(tmp_path: Path) -> None:
    rows = list(csv.DictReader(ran(tmp_path, "sh", str(HERE / "armour.sh")).stdout.splitlines()))
    assert [row["drone.armour.dr"] for row in rows] == [str(value) for value in range(11)]
    lost = [-float(row["Drone.endurance"]) for row in rows]
    assert lost == sorted(lost, reverse=True) and lost[0] > lost[-1] >= 0


@pytest.mark.parametrize("fights", [6, pytest.param(1000, marks=pytest.mark.long)])
def test_fights_in_parallel_share_a_folder(tmp_path: Path, fights: int) -> None:
    won = dict(
        line.split()
        for line in ran(tmp_path, "sh", str(HERE / "parallel.sh"), str(fights)).stdout.splitlines()
    )
    assert sum(map(int, won.values())) == fights
    journals = sorted(tmp_path.glob("fight-*.jsonl"))
    assert len(journals) == fights
    player = Player(tmp_path)
    for journal in journals[:: max(1, fights // 20)]:
        assert player.ok("verify", journal.name, "--json").record["differences"] == []


def test_a_makefile_makes_everything_once(tmp_path: Path) -> None:
    needs_program("jq")
    needs_program("make")
    shutil.copy(HERE / "Makefile", tmp_path)
    ran(tmp_path, "make", "-j2", "SEEDS=1 2")
    rows = list(csv.reader((tmp_path / "wins.csv").read_text("utf-8").splitlines()))
    assert [row[0] for row in rows] == ["1", "2"]
    assert {row[1] for row in rows} <= {"players", "opponents", ""}
    assert json.loads((tmp_path / "recap.json").read_text("utf-8"))["fighters"]
    ran(tmp_path, "make", "-q", "SEEDS=1 2")


def test_a_status_line_says_nothing_without_a_crisis(tmp_path: Path) -> None:
    needs_program("jq")
    assert ran(tmp_path, "sh", str(HERE / "statusline.sh")).stdout == ""
    player = Player(tmp_path)
    player.ok("init jack --vs drone --open --seed 7 --dice 6,6,6,1,1,1")
    words = ran(tmp_path, "sh", str(HERE / "statusline.sh")).stdout.split()
    assert words[:2] == ["1", "Jack"] and "ap=4" in words
    player.ok("set drone health 0")
    assert ran(tmp_path, "sh", str(HERE / "statusline.sh")).stdout == "over: players\n"
