"""Homes that are nowhere, disks without locks, terminals without letters."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import pytest
from conftest import Player, Program, Sheets

HOMES: dict[str, dict[str, str | None]] = {
    "a home": {"HOME": "/home/somebody"},
    "no home": {"HOME": None},
    "an empty home": {"HOME": ""},
    "a folder for data": {"HOME": "/home/somebody", "XDG_DATA_HOME": "/elsewhere"},
    "an empty folder for data": {"HOME": "/home/somebody", "XDG_DATA_HOME": ""},
    "Android": {"HOME": "/home/somebody", "ANDROID_ROOT": "/system", "ANDROID_DATA": "/nowhere"},
}


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere platformdirs is asked itself")
@pytest.mark.parametrize("what", HOMES)
def test_the_data_folder_is_the_one_that_platformdirs_gives(
    crisis: Player, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """It is spelled out where that is sure, for platformdirs takes longer to load than all that looks for a sheet."""
    from platformdirs import user_data_dir

    from crisis_cli.context import context_of

    for name in ("HOME", "XDG_DATA_HOME", "ANDROID_ROOT", "ANDROID_DATA"):
        monkeypatch.delenv(name, raising=False)
        if HOMES[what].get(name) is not None:
            monkeypatch.setenv(name, str(HOMES[what][name]))
    context = context_of(crisis.environment(env=os.environ))
    assert context.desk.places.data == user_data_dir("crisis", appauthor=False)


@pytest.mark.parametrize("name", ["~nobodyknown/x", "~nobodyknown/x.jsonl"])
def test_a_home_of_nobody_is_a_file_that_is_not_there(crisis: Player, sheets: Sheets, name: str) -> None:
    crisis.refused(3, "--file", name, "status")
    crisis.refused(4, "--characters", name, "attack", "jack", "drone")
    crisis.refused(4, "attack", f"{name}.toml", "drone")
    crisis.refused(4, "status", env={"CRISIS_FILE": str(sheets.folder), "CRISIS_DOCTRINES": name})


def test_a_disk_without_locks_is_reported(fight: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    from crisis_cli.sheets import files

    def none(held: int) -> bool:
        raise OSError(errno.ENOSYS, "Function not implemented")

    monkeypatch.setattr(files, "_try_lock", none)
    assert "does not support locks" in fight.refused(4, "next").err


@pytest.mark.slow
@pytest.mark.parametrize(
    "env",
    [
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"},
        {"PYTHONUTF8": "0", "PYTHONIOENCODING": "cp1252"},
        {"PYTHONUTF8": "0", "PYTHONIOENCODING": "latin-1:strict"},
    ],
)
def test_terminals_with_few_letters_show_all_that_they_can(
    program: Program, fight: Player, env: dict[str, str]
) -> None:
    fight.ok("note", "Zoë 龍 \N{DRAGON}")
    for words in (
        "status",
        "log --explain",
        "auto",
        "explain",
        "map",
        "odds attack jack",
        "rules 3d6",
        "verify",
    ):
        done = program(*words.split(), env=env, encoding=None)
        assert done.returncode == 0, (words, done)
        assert b"Traceback" not in done.stderr
    assert fight.ok("log 2").out.count("Zoë 龍") == 1


@pytest.mark.slow
def test_nobody_needs_a_home(program: Program, sheets: Sheets, tmp_path: Path) -> None:
    """Neither a home that cannot be written nor one that is no folder is in the way of a fight."""
    for home in ("/proc/self/nowhere", str(tmp_path / "characters/jack.toml"), ""):
        env = {"HOME": home, "CRISIS_DATA": ""}
        done = program("play", "jack", "--vs", "drone", "--auto", "--seed", "7", "--quiet", env=env)
        assert done.returncode == 0 and done.stdout.startswith("opponents "), done
