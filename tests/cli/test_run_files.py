"""Where the lines of a script may write: below the working directory, and over nothing that is there."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from conftest import DRONE, Player, Sheets, Shown

from crisis_cli.cli import run
from crisis_cli.play import simulating
from crisis_cli.simulation.tally import Counts


@pytest.fixture
def inside(tmp_path: Path, sheets: Sheets) -> Player:
    """A player in a folder beside another one, both in a folder that no script may write to."""
    here = tmp_path / "inside"
    here.mkdir()
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "kept.md").write_text("kept", "utf-8")
    (here / "kept.md").write_text("kept", "utf-8")
    os.symlink(tmp_path / "outside", here / "link")
    os.symlink(tmp_path / "outside" / "new.md", here / "dangling.md")
    (tmp_path / "characters").rename(here / "characters")
    player = Player(here)
    player.ok("init jack --vs drone --open --seed 3")
    return player


def script(player: Player, *lines: str, options: str = "") -> Shown:
    """What the lines of a script come to."""
    (player.here / "script.txt").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return player(f"run script.txt --quiet {options}")


def all_files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "script.txt"
    }


OUTSIDE = (
    "log --markdown --to ../new.md",
    "log --html --to {outside}/new.html",
    "log --script --to link/new.txt",
    "log --lonelog --to dangling.md",
    "log --recap --to ../outside/kept.md --overwrite",
    "log --recap --to characters/../../new.md",
    "--characters ../outside character new Bob --system 3d6",
    "--characters {outside} character copy jack",
    "--characters link character copy jack Bill",
    "--file ../new.jsonl init jack --vs drone --open",
    "--file {outside}/new.jsonl init jack --vs drone --open",
    "foe brute --against jack --level 1 --seed 1 --fights 3 --save ../foe.toml",
)


@pytest.mark.parametrize("line", OUTSIDE)
def test_a_script_writes_nothing_outside_its_folder(inside: Player, tmp_path: Path, line: str) -> None:
    line = line.format(outside=tmp_path / "outside")
    before = all_files(tmp_path)
    shown = script(inside, line)
    assert shown.status == 4 and "is outside the working directory" in shown.err
    assert "crisis run --allow-files" in shown.err
    assert any(
        word in shown.err for word in ("/new.", "/foe.", "/bob.", "/jack.", "/bill.", "/kept.", "dangling")
    )
    assert all_files(tmp_path) == before
    anywhere = script(inside, line, options="--allow-files")
    if "dangling" in line:
        assert anywhere.status == 4 and "dangling.md is a link to" in anywhere.err
    else:
        assert anywhere.status == 0 and all_files(tmp_path) != before


def test_a_script_from_stdin_writes_nothing_outside_either(inside: Player, tmp_path: Path) -> None:
    before, err = all_files(tmp_path), io.StringIO()
    lines = ["log --markdown --to ../new.md\n"]
    assert run(["run", "-"], inside.environment(stdin=lines, err=err)) == 4
    assert "../new.md is outside the working directory" in err.getvalue()
    assert all_files(tmp_path) == before


@pytest.mark.parametrize("line", ["log --markdown --to kept.md", "log --recap --to kept.md --overwrite"])
def test_a_script_replaces_no_file(inside: Player, line: str) -> None:
    shown = script(inside, line)
    assert shown.status == 4 and "kept.md exists; a script replaces no file" in shown.err
    assert "--allow-files" in shown.err and (inside.here / "kept.md").read_text("utf-8") == "kept"
    if "--overwrite" in line:
        assert script(inside, line, options="--allow-files").status == 0
        assert (inside.here / "kept.md").read_text("utf-8") != "kept"


def test_a_script_writes_new_files_in_its_folder(inside: Player) -> None:
    shown = script(
        inside,
        "log --markdown --to new.md",
        "character new Bob --system 3d6",
        "character copy jack Bill",
        "tables copy names",
        "encounter copy bridge",
        "campaign new Saltmarch jack",
    )
    assert (shown.status, shown.err) == (0, "")
    names = inside.files()
    for name in ("new.md", "characters/bob.toml", "characters/bill.toml", "saltmarch/campaign.toml"):
        assert name in names


@pytest.fixture
def with_data(inside: Player, tmp_path: Path) -> Path:
    """The sheet of a drone in the data folder, outside the working directory, hurt in an open crisis."""
    data = tmp_path / "data"
    Sheets(data / "characters").write("drone", DRONE)
    (inside.here / "characters" / "drone.toml").unlink()
    inside.journal.unlink()
    inside.env["CRISIS_DATA"] = str(data)
    inside.ok("init jack --vs drone --open --seed 3")
    inside.ok("set drone health 9")
    return data / "characters" / "drone.toml"


@pytest.mark.parametrize("line", ["end --yes", "save", "character reset jack drone"])
def test_a_script_patches_no_sheet_outside_its_folder(inside: Player, with_data: Path, line: str) -> None:
    if "reset" in line:
        inside.ok("save")
    before, sheet = inside.files(), with_data.read_bytes()
    shown = script(inside, line)
    assert shown.status == 4 and str(with_data) in shown.err and "--allow-files" in shown.err
    assert with_data.read_bytes() == sheet
    after = inside.files()
    del after["script.txt"]
    assert after == before, "nothing is done by halves"
    # A link to nowhere is not followed, whatever is allowed.
    assert script(inside, line, options="--allow-files").status == (4 if "dangling" in line else 0)
    assert with_data.read_bytes() != sheet


def test_a_script_undoes_no_end_that_patched_a_sheet_outside(inside: Player, with_data: Path) -> None:
    inside.ok("end --yes")
    before, sheet = inside.files(), with_data.read_bytes()
    shown = script(inside, "undo")
    assert shown.status == 4 and str(with_data) in shown.err
    after = inside.files()
    del after["script.txt"]
    assert (after, with_data.read_bytes()) == (before, sheet)
    assert script(inside, "undo", options="--allow-files").status == 0


def test_a_one_off_of_a_script_patches_no_sheet_outside(inside: Player, with_data: Path) -> None:
    inside.ok("end --no-save --yes")
    sheet = with_data.read_bytes()
    shown = script(inside, "attack jack drone --save --dice 6,6,6 --seed 1")
    assert shown.status in (2, 4)
    shown = script(inside, "attack jack drone --save --dice 6,6,5")
    assert shown.status == 4 and str(with_data) in shown.err
    assert with_data.read_bytes() == sheet


def test_end_without_saving_is_for_every_script(inside: Player, with_data: Path) -> None:
    assert script(inside, "end --no-save --yes").status == 0


def test_the_journal_that_was_named_is_the_scripts_too(inside: Player, tmp_path: Path) -> None:
    """Whoever runs a script says where the journal is; its lines do not."""
    (inside.here / "script.txt").write_text("note from the script\nend --no-save --yes\n", "utf-8")
    inside.ok("--file ../outside/mine.jsonl init jack --vs drone --open")
    shown = inside("--file ../outside/mine.jsonl run script.txt --quiet")
    assert shown.status == 0, shown
    (archive,) = (tmp_path / "outside").glob("mine-*.jsonl")
    assert "from the script" in archive.read_text("utf-8")


def test_in_a_folder_of_a_campaign_a_script_fights_on_and_writes_no_sheet(tmp_path: Path) -> None:
    Player(tmp_path).ok("campaign new Saltmarch jack")
    home = Player(tmp_path / "saltmarch")
    with (home.here / "campaign.toml").open("a", encoding="utf-8") as file:
        file.write('\n[rest]\nhealth = "d3"\n')
    (home.here / "notes").mkdir()
    player = Player(home.here / "notes")
    sheet = home.here / "characters" / "jack.toml"
    before = sheet.read_bytes()
    shown = script(player, "init jack --vs drone --open --seed 3", "set jack health 9", "end --yes")
    assert shown.status == 4 and "line 3: " in shown.err and "jack.toml is outside" in shown.err
    assert sheet.read_bytes() == before and not list((home.here / "journals").iterdir())
    assert script(player, "end --no-save --yes", "note done").status == 0
    assert len(list((home.here / "journals").iterdir())) == 1
    home.ok("set tension 3")
    story = home.here / "story.jsonl"
    written = story.read_bytes()
    Path(sheet).write_bytes(before + b"\n[state]\nhealth = 9\n")
    hurt = sheet.read_bytes()
    shown = script(player, "rest")
    assert shown.status == 4 and "jack.toml is outside" in shown.err
    assert (sheet.read_bytes(), story.read_bytes()) == (hurt, written)
    assert script(home, "rest").status == 0 and sheet.read_bytes() != hurt
    rested = sheet.read_bytes()
    shown = script(player, "undo")
    assert shown.status == 4 and "jack.toml is outside" in shown.err and sheet.read_bytes() == rested
    other = Player(tmp_path)
    shown = script(other, "--campaign saltmarch note from above")
    assert shown.status == 0
    shown = script(player, "--campaign .. note from below")
    assert shown.status == 0, "the campaign that is in use is named again"


@pytest.mark.parametrize(
    "line",
    [
        "run other.txt",
        "crisis run other.txt",
        "--color run other.txt",
        "--file x.jsonl run other.txt",
        "-- run other.txt",
    ],
)
def test_a_script_runs_no_other_script(inside: Player, tmp_path: Path, line: str) -> None:
    (inside.here / "other.txt").write_text("log --markdown --to ../new.md\n", "utf-8")
    for options in ("", "--allow-files"):
        for more in ("", " --allow-files"):
            assert script(inside, line + more, options=options).status == 2
    assert not (tmp_path / "new.md").exists()


def test_a_script_sends_nothing_to_a_cluster(inside: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    def sent(*_: object) -> Counts:
        raise AssertionError("the cluster was asked")

    monkeypatch.setattr(simulating, "_on_cluster", sent)
    shown = script(inside, "simulate jack --vs drone -n 10 --cluster 127.0.0.1:1")
    assert shown.status == 4 and "--allow-files" in shown.err
    with pytest.raises(AssertionError, match="was asked"):
        script(inside, "simulate jack --vs drone -n 10 --cluster 127.0.0.1:1", options="--allow-files")


def test_after_a_script_everything_may_be_written_again(inside: Player, tmp_path: Path) -> None:
    assert script(inside, "log --markdown --to ../new.md").status == 4
    inside.ok("log --markdown --to ../new.md")
    assert (tmp_path / "new.md").exists()
