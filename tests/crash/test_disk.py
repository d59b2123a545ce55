"""Disks that are full, folders that cannot be written, sheets that vanish."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from conftest import SHEETS, Player, Program, Sheets

RECORDED = (
    "next",
    "attack drone",
    "undo",
    "set jack health 3",
    "act drop-prone",
    "check melee --difficulty 3",
    "leave drone",
    "note 'the lights go out'",
    "rewind 1",
    "auto",
    "auto jack on",
    "auto drone coward",
)


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> Any:
    """What makes the disk full from now on: nothing reaches it any more."""

    def fill() -> pytest.MonkeyPatch:
        def no_space(*_: Any, **__: Any) -> None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        monkeypatch.setattr(os, "fsync", no_space)
        return monkeypatch

    return fill


@pytest.mark.parametrize("words", RECORDED)
def test_an_action_that_cannot_be_written_is_not_done(fight: Player, full_disk: Any, words: str) -> None:
    fight.ok("act move")
    full_disk()
    shown = fight.refused(4, words)
    assert "No space left" in shown.err and "crisis.jsonl" in shown.err
    assert fight.refused(4, words + " --json").error["code"] == "cannot_write"


def test_when_there_is_room_again_it_goes_on(fight: Player, full_disk: Any) -> None:
    patched = full_disk()
    fight.refused(4, "attack drone")
    patched.undo()
    fight.ok("attack drone")
    assert fight.ok("verify").status == 0


def test_a_crisis_that_cannot_be_written_is_not_opened(
    crisis: Player, sheets: Sheets, full_disk: Any
) -> None:
    full_disk()
    crisis.refused(4, "init jack --vs drone --open")
    crisis.refused(4, "play jack --vs drone --auto")


@pytest.mark.parametrize(
    "words",
    ["attack jack drone --dice 6,6,6 --save", "character new Bob --system 3d6", "character copy jack Jim"],
)
def test_a_sheet_that_cannot_be_written_is_as_before(
    crisis: Player, sheets: Sheets, full_disk: Any, words: str
) -> None:
    full_disk()
    shown = crisis.refused(4, words)
    assert ".toml" in shown.err


def test_an_end_whose_sheets_cannot_be_written_keeps_the_crisis_for_another_try(
    fight: Player, sheets: Sheets, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The journal may not be put away before what lasts is in the sheets."""
    from crisis_cli.sheets import save_sheets

    fight.ok("set jack health 9")

    def no_space(*_: Any) -> None:
        from crisis_cli.errors import FileError

        raise FileError(
            "characters/jack.toml cannot be written: No space left on device", code="cannot_write"
        )

    with monkeypatch.context() as patched:
        patched.setattr(save_sheets, "replace", no_space)
        assert fight("end").status == 4
    assert fight.journal.exists()
    fight("status")
    assert sheets.state("jack") == {"health": 9}
    assert not fight.journal.exists()


def test_the_real_program_on_a_disk_with_room_for_half_a_line(program: Program, fight: Player) -> None:
    """RLIMIT_FSIZE: the write itself breaks off in the middle."""
    resource = pytest.importorskip("resource")
    before = fight.journal.read_bytes()
    room = len(before) + 100

    def little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    # Else Python would leave half a file of compiled code in the package as well.
    quiet = {"PYTHONDONTWRITEBYTECODE": "1"}
    done = program("attack", "drone", preexec_fn=little_room, env=quiet)
    assert (done.returncode, done.stdout) == (4, "")
    assert "crisis.jsonl" in done.stderr and "Traceback" not in done.stderr
    assert fight.journal.read_bytes() == before
    fight.ok("attack drone")


@pytest.fixture
def powerless() -> Iterator[tuple[Player, Any]]:
    """A player in a folder of root's, and what makes the player nobody in particular for a while."""
    if not hasattr(os, "seteuid") or os.geteuid() != 0:
        pytest.skip("needs root, who can become somebody else")
    here = Path(tempfile.mkdtemp(prefix="crisis-"))
    here.chmod(0o755)
    player = Player(here)
    for stem, text in SHEETS.items():
        Sheets(here / "characters").write(stem, text)
    player.ok("init jack --vs drone --open --dice 6,6,6,1,1,1")
    # Everything that the commands below load is loaded while it may be read.
    player.ok("attack drone --dry-run")
    player.ok("next --json")
    player.ok("set drone health 9")
    player.ok("undo 2")
    player.ok("set drone health 9")
    player("character new x --system nowhere")

    @contextmanager
    def as_nobody() -> Iterator[None]:
        os.seteuid(65_534)
        try:
            yield
        finally:
            os.seteuid(0)

    yield player, as_nobody
    shutil.rmtree(here)


@pytest.mark.parametrize("words", ["attack drone", "next", "undo", "set jack health 3", "end"])
def test_a_folder_that_may_not_be_written_is_a_clear_error(powerless: tuple[Player, Any], words: str) -> None:
    player, as_nobody = powerless
    before = player.files()
    with as_nobody():
        shown = player(words)
        assert player("status").status == 0, "reading needs no lock and no leave to write"
    assert shown.status == 4, shown
    assert "crisis.jsonl" in shown.err and "denied" in shown.err.lower()
    assert player.files() == before


def test_a_journal_and_a_sheet_that_may_not_be_read(powerless: tuple[Player, Any]) -> None:
    player, as_nobody = powerless
    player.journal.chmod(0)
    (player.here / "characters/jack.toml").chmod(0)
    with as_nobody():
        for words in ("status", "attack drone"):
            shown = player(words)
            assert shown.status == 4 and "crisis.jsonl" in shown.err
        shown = player("--file other.jsonl attack jack drone")
        assert shown.status == 4 and "jack.toml" in shown.err
        shown = player("--file other.jsonl character list")
        assert shown.status == 0 and "jack" in shown.out


def test_a_folder_of_sheets_that_may_not_be_written(powerless: tuple[Player, Any]) -> None:
    player, as_nobody = powerless
    with as_nobody():
        for words in (
            "attack jack drone --dice 6,6,6 --save",
            "character new Bob --system 3d6",
            "character copy jack Jim",
        ):
            shown = player(f"--file other.jsonl {words}")
            assert shown.status == 4 and ".toml" in shown.err, (words, shown)


def test_a_folder_that_is_gone(crisis: Player, program: Program, tmp_path: Path) -> None:
    """The working directory itself deleted under the program's feet."""
    gone = tmp_path / "gone"
    gone.mkdir()
    script = f"cd {gone} && rmdir {gone} && exec {sys.executable} -m crisis_cli attack jack drone"
    from conftest import program_env

    done = subprocess.run(
        ["sh", "-c", script],
        env=program_env(tmp_path),
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.returncode == 4 and "the folder you are in is gone\nhint: cd to another" in done.stderr
