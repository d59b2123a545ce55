"""`crisis doctor` and `crisis --version --json`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Player, Sheets, program_env

from crisis_cli import __version__
from crisis_cli.render.data import VERSION
from crisis_cli.sheets.files import locked
from crisis_cli.systems import SYSTEMS


def told(player: Player, *words: str) -> dict[str, str]:
    """What is told of each part, in the words of text; all of it is right."""
    shown = player.ok(*words or ("doctor",))
    return {line.split()[0]: " ".join(line.split()[1:]) for line in shown.lines if not line.startswith(" ")}


def wrong(player: Player) -> list[tuple[str, str]]:
    """The parts that are wrong, with what was found."""
    shown = player("doctor --json")
    assert shown.err == "" and shown.status == 4
    assert shown.records == player("doctor --json").records
    return [(record["part"], record["text"]) for record in shown.records if not record["ok"]]


def test_it_tells_how_things_are(fight: Player) -> None:
    (fight.here / "tables").mkdir()
    (fight.here / "tables/rain.toml").write_text('about = "x"\nrows = ["a"]\n', "utf-8")
    parts = told(fight)
    assert parts["crisis"].startswith(f"{__version__}, Python 3.") and "click 8" in parts["crisis"]
    assert parts["config"].endswith("config.toml: no file")
    assert parts["characters"].startswith("./characters 3 · the shipped sheets ")
    assert parts["tables"].startswith("./tables 1 · the shipped tables ")
    assert parts["journal"] == "crisis.jsonl: open, round 1, 1 entries; not locked"
    assert parts["plug-ins"].startswith("ignored") and "80 columns, no colour" in parts["terminal"]
    assert "TERM=xterm" in parts["environment"] and "EDITOR" not in parts["environment"]
    fight.ok("end --no-save --yes")
    assert told(fight)["journal"] == "crisis.jsonl: none"
    assert [*told(fight, "doctor --plugins")] == ["plug-ins"]


def test_nothing_secret_is_told_and_the_home_folder_is_a_tilde(crisis: Player) -> None:
    crisis.env |= {"HOME": str(crisis.here), "SECRET": "hush", "CRISIS_KEYS": "vi", "SHELL": "/bin/fish"}
    shown = crisis.ok("doctor")
    assert "hush" not in shown.out and str(crisis.here) not in shown.out
    assert "CRISIS_KEYS=vi" in shown.out and "CRISIS_CONFIG=~/no-config" in shown.out
    assert told(crisis)["completion"].startswith("fish: ")


def broken_config(player: Player) -> None:
    (player.here / "no-config").mkdir()
    (player.here / "no-config/config.toml").write_text("color = ", "utf-8")


def broken_folder(player: Player) -> None:
    (player.here / ".crisis.toml").write_text('editor = "x"', "utf-8")


def broken_journal(player: Player) -> None:
    player.journal.write_text("nothing\n", "utf-8")


def no_folder(player: Player) -> None:
    player.env["CRISIS_TABLES"] = "gone"


def no_data(player: Player) -> None:
    (player.here / "no-data").write_text("", "utf-8")


def no_cache(player: Player) -> None:
    (player.here / "cache").write_text("", "utf-8")
    player.env["XDG_CACHE_HOME"] = str(player.here / "cache")


FAULTS: dict[str, tuple[Callable[[Player], None], str]] = {
    "config": (broken_config, "config.toml, line 1: this is not TOML"),
    "config of a folder": (broken_folder, ".crisis.toml, line 1: editor is no key of a folder"),
    "journal": (broken_journal, "crisis.jsonl"),
    "tables": (no_folder, "no folder is called gone"),
    "data": (no_data, "no-data cannot be written"),
    "cache": (no_cache, "cannot be written"),
}


@pytest.mark.parametrize("part", FAULTS)
def test_each_fault_is_told_and_nothing_is_written(crisis: Player, sheets: Sheets, part: str) -> None:
    make, said = FAULTS[part]
    make(crisis)
    before = crisis.files()
    ((where, text),) = wrong(crisis)
    assert where == part.split()[0] and said in text
    assert crisis.files() == before


@pytest.mark.skipif(os.name == "nt", reason="locks differ")
def test_a_locked_journal_is_told(fight: Player) -> None:
    with locked(str(fight.journal), "crisis.jsonl"):
        ((part, text),) = wrong(fight)
        assert part == "journal" and text.endswith("locked by another crisis")
    lock = fight.here / ".crisis.jsonl.lock"
    lock.write_text("", "utf-8")
    assert told(fight)["journal"].endswith("not locked")
    assert lock.exists()


def test_variables_that_count_for_nothing_are_told_and_a_missing_folder_once(crisis: Player) -> None:
    crisis.env |= {
        "COLUMNS": "abc",
        "CRISIS_KEYS": "foo",
        "CRISIS_MAX_DICE": "many",
        "CRISIS_CHARACTERS": "gone",
    }
    assert [part for part, _ in wrong(crisis)] == ["characters", "environment", "environment", "environment"]
    said = [text for _, text in wrong(crisis)]
    assert "COLUMNS=abc counts for nothing" in said[1] and "CRISIS_KEYS=foo counts for nothing" in said[2]
    assert "CRISIS_MAX_DICE must be" in said[3]


def test_two_variables_that_contradict_are_told(crisis: Player) -> None:
    crisis.env |= {"NO_COLOR": "1", "FORCE_COLOR": "1"}
    assert told(crisis)["warnings"] == "NO_COLOR is set, FORCE_COLOR too: no colour"
    (crisis.here / ".crisis.toml").write_text("apart = 12", "utf-8")
    assert "12 apart" in crisis.ok("doctor").out


def program(here: Path, home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The real program, in a folder that it may find gone."""
    code = "import os, shutil, sys; os.chdir(sys.argv[1]); sys.argv[1].endswith('gone') and shutil.rmtree(sys.argv[1])"
    code += "; sys.argv[1:] = sys.argv[2:]; from crisis_cli.fast_path import main; main()"
    env = {**program_env(home), "PWD": str(here)}
    return subprocess.run(
        [sys.executable, "-c", code, str(here), *words],
        capture_output=True,
        encoding="utf-8",
        env=env,
        check=False,
        cwd=home,
    )


def test_it_works_where_the_folder_is_gone_and_writes_nothing_at_home(tmp_path: Path) -> None:
    here = tmp_path / "gone"
    here.mkdir()
    config = tmp_path / ".config/crisis/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text("width = 100\n", "utf-8")
    done = program(here, tmp_path, "doctor")
    assert done.returncode == 4 and done.stderr == ""
    assert "the folder you are in is gone" in done.stdout and "config.toml: all right" in done.stdout
    assert not (tmp_path / ".cache").exists()
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["config.toml"]
    here.mkdir()
    assert "is gone" in program(here, tmp_path, "status").stderr


@pytest.mark.parametrize(
    "words", ["--version --json", "config path", "config show", "help import", "help move", "--help"]
)
def test_what_the_program_says_of_itself_needs_no_folder(tmp_path: Path, words: str) -> None:
    here = tmp_path / "gone"
    here.mkdir()
    done = program(here, tmp_path, *words.split())
    assert (done.returncode, done.stderr) == (0, "") and done.stdout


@pytest.mark.parametrize("words", ["--version --json", "--json -V"])
def test_the_versions_are_told_to_programs(crisis: Player, words: str) -> None:
    record = crisis.ok(words).record
    python = ".".join(map(str, sys.version_info[:3]))
    assert (record["v"], record["json"], record["version"]) == (VERSION, VERSION, __version__)
    assert record["python"].startswith(python) and record["systems"] == [*SYSTEMS]
    assert isinstance(record["journal"], int)


def test_the_version_is_still_one_line(tmp_path: Path) -> None:
    shutil.rmtree(tmp_path / "x", ignore_errors=True)
    assert program(tmp_path, tmp_path, "--version").stdout == f"crisis, version {__version__}\n"


def test_a_campaign_that_is_not_there_is_told(crisis: Player) -> None:
    shown = crisis("doctor", env={"CRISIS_CAMPAIGN": "nowhere"})
    assert (shown.status, shown.err) == (4, "")
    assert "campaign     there is no campaign in nowhere: it has no campaign.toml\n" in shown.out
    assert "terminal" in shown.out
