"""Files that a stranger has sent: nothing outside their folder is written, moved or deleted, and nothing hangs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import JACK, Player, Sheets

from crisis_cli.engine.facts import seal
from crisis_cli.engine.journal import FORMAT

pytestmark = pytest.mark.skipif(os.name == "nt", reason="links and named pipes")


@pytest.fixture
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that is none of the player's business here."""
    return tmp_path_factory.mktemp("elsewhere")


@pytest.fixture
def campaign(tmp_path: Path) -> Player:
    """A campaign with one fight that has ended."""
    Player(tmp_path).ok("campaign new here jack")
    player = Player(tmp_path / "here")
    player.ok("init jack --vs drone --open")
    player.ok("set jack health 9")
    player.ok("end --name Bridge")
    return player


def fight_file(campaign: Player) -> Path:
    """The journal of the fight."""
    (path,) = (campaign.here / "journals").glob("*.jsonl")
    return path


def rename_in_story(campaign: Player, name: str) -> None:
    """Let the story name another file as the journal of its fight."""
    path = campaign.here / "story.jsonl"
    head, *entries = map(json.loads, path.read_text("utf-8").splitlines())
    for entry in entries:
        if entry.get("intent", {}).get("action") == "fight":
            assert entry["intent"]["options"]["file"]
            entry["intent"]["options"]["file"] = name
    path.write_text("".join(json.dumps(one) + "\n" for one in (head, *entries)), "utf-8")


def everything(folder: Path) -> dict[str, bytes | str]:
    """All that there is in a folder: files with their bytes, links with what they lead to."""
    return {
        str(path.relative_to(folder)): os.readlink(path) if path.is_symlink() else path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() or path.is_symlink()
    }


# The story


@pytest.mark.parametrize("form", ["absolute", "relative", "in a folder below", "no journal"])
def test_a_story_names_bare_names_only(campaign: Player, elsewhere: Path, form: str) -> None:
    """What it names elsewhere is not moved by the undo of the fight's end, and the check says so."""
    theirs = elsewhere / "theirs.jsonl"
    theirs.write_bytes(fight_file(campaign).read_bytes())
    below = campaign.here / "journals/below/theirs.jsonl"
    below.parent.mkdir()
    below.write_bytes(theirs.read_bytes())
    # Else the fight would get its line again.
    fight_file(campaign).unlink()
    names = {
        "absolute": str(theirs),
        "relative": os.path.relpath(theirs, campaign.here / "journals"),
        "in a folder below": "below/theirs.jsonl",
        "no journal": "..",
    }
    rename_in_story(campaign, names[form])
    before = everything(elsewhere)
    shown = campaign.refused(4, "undo --json")
    assert shown.error["code"] == "outside" and "bare names in journals/" in shown.error["message"]
    assert everything(elsewhere) == before and below.exists()
    checked = campaign("campaign check")
    assert checked.status == 4
    assert f"story.jsonl: line of fight 1: the story names {names[form]!r}" in checked.out


@pytest.mark.parametrize("target", ["file", "folder"])
def test_a_journal_that_is_a_link_is_no_journal(campaign: Player, elsewhere: Path, target: str) -> None:
    """Neither one fight, nor all of the folder: it is not read as a fight, and not moved."""
    journal = fight_file(campaign)
    link = journal if target == "file" else journal.parent
    link.rename(elsewhere / link.name)
    link.symlink_to(elsewhere / link.name)
    before = everything(elsewhere)
    shown = campaign.refused(4, "undo --json")
    assert shown.error["code"] == "outside" and str(elsewhere) in shown.error["message"]
    assert everything(elsewhere) == before and link.is_symlink()
    shown = campaign("campaign check")
    assert f"journals{'/' + journal.name if target == 'file' else ''}: is a link to {elsewhere}" in shown.out
    # A fight that ends now is not archived over there.
    campaign("init jack --vs drone --open")
    campaign("end")
    assert everything(elsewhere) == before


def test_a_sheet_is_restored_in_the_campaign_only(campaign: Player, elsewhere: Path) -> None:
    journal = fight_file(campaign)
    text = journal.read_text("utf-8")
    for name in (os.path.relpath(elsewhere / "x.toml", campaign.here), str(elsewhere / "x.toml")):
        journal.write_text(text.replace('"characters/jack.toml"', json.dumps(name)), "utf-8")
        shown = campaign.refused(4, "character restore jack --json")
        assert shown.error["code"] == "outside"
    journal.write_text(text.replace('"characters/jack.toml"', '"encounters/jack.py"'), "utf-8")
    assert campaign.refused(4, "character restore jack --json").error["code"] == "outside"
    (campaign.here / "characters/jack.toml").unlink()
    (campaign.here / "characters").rmdir()
    (campaign.here / "characters").symlink_to(elsewhere)
    journal.write_text(text, "utf-8")
    shown = campaign.refused(4, "character restore jack --json")
    assert shown.error["code"] == "outside" and str(elsewhere) in shown.error["message"]
    assert everything(elsewhere) == {}


# Sheets


WRITING = ("attack drone jack --dice 6,6,6 --save", "init jack --vs drone --open; set jack health 9; end")
WRITING += ("init jack --vs drone --open; set jack health 9; save",)


@pytest.mark.parametrize("lines", WRITING)
@pytest.mark.parametrize("link", ["file", "folder"])
def test_a_sheet_elsewhere_is_not_written_through_a_link(
    crisis: Player, sheets: Sheets, elsewhere: Path, lines: str, link: str
) -> None:
    if link == "file":
        (elsewhere / "her.toml").write_text(JACK, "utf-8")
        (sheets.folder / "jack.toml").unlink()
        (sheets.folder / "jack.toml").symlink_to(elsewhere / "her.toml")
    else:
        sheets.folder.rename(elsewhere / "theirs")
        sheets.folder.symlink_to(elsewhere / "theirs")
    before, said = everything(elsewhere), ""
    for line in lines.split("; "):
        said = crisis(line).err
    assert f"characters/jack.toml is a link to {elsewhere}" in said
    assert everything(elsewhere) == before


def test_nor_is_it_reset(crisis: Player, sheets: Sheets, elsewhere: Path) -> None:
    (elsewhere / "her.toml").write_text(JACK + "\n[state]\nhealth = 9\n", "utf-8")
    (sheets.folder / "jack.toml").unlink()
    (sheets.folder / "jack.toml").symlink_to(elsewhere / "her.toml")
    before = everything(elsewhere)
    shown = crisis.refused(4, "character reset jack --json")
    assert shown.error["code"] == "outside" and str(elsewhere / "her.toml") in shown.error["message"]
    assert everything(elsewhere) == before


@pytest.mark.parametrize(
    ("words", "path"),
    [
        ("character copy jack New", "characters/new.toml"),
        ("character new New --system 3d6", "characters/new.toml"),
        ("tables new new", "tables/new.toml"),
        ("encounter new new --system 3d6", "encounters/new.toml"),
        ("log --markdown --to new.md", "new.md"),
    ],
)
def test_nothing_new_is_made_through_a_link_to_nowhere(
    fight: Player, elsewhere: Path, words: str, path: str
) -> None:
    link = fight.here / path
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(elsewhere / "made")
    shown = fight(words)
    assert shown.status == 4 and str(elsewhere / "made") in shown.err
    assert everything(elsewhere) == {}


@pytest.mark.parametrize(
    ("words", "folder"),
    [
        ("character copy drone New", "characters"),
        ("character new New --system 3d6", "characters"),
        ("foe brute --against jack --level 1 --seed 1 --fights 3 --save characters/new.toml", "characters"),
        ("tables new new", "tables"),
        ("tables copy names new", "tables"),
        ("encounter new new --system 3d6", "encounters"),
    ],
)
def test_nor_in_a_folder_that_is_a_link(
    crisis: Player, sheets: Sheets, elsewhere: Path, words: str, folder: str
) -> None:
    if (crisis.here / folder).exists():
        (crisis.here / folder).rename(elsewhere / folder)
    else:
        (elsewhere / folder).mkdir()
    (crisis.here / folder).symlink_to(elsewhere / folder)
    before = everything(elsewhere)
    shown = crisis.refused(4, f"{words} --json")
    assert shown.error["code"] == "outside" and str(elsewhere / folder) in shown.error["message"]
    assert everything(elsewhere) == before


def test_a_campaign_is_not_made_through_a_link(crisis: Player, sheets: Sheets, elsewhere: Path) -> None:
    (crisis.here / f".here.{os.getpid()}.new").symlink_to(elsewhere)
    assert crisis.refused(4, "campaign new here jack --json").error["code"] == "cannot_write"
    assert everything(elsewhere) == {}


# Journals, and what is written beside files


def test_a_journal_elsewhere_is_not_written_through_a_link(fight: Player, elsewhere: Path) -> None:
    fight.ok("set jack health 9")
    fight.journal.rename(elsewhere / "theirs.jsonl")
    fight.journal.symlink_to(elsewhere / "theirs.jsonl")
    before = everything(elsewhere)
    for words in ("next", "undo", "save", "end"):
        shown = fight.refused(4, f"{words} --json")
        assert str(elsewhere / "theirs.jsonl") in shown.error["message"], words
    assert everything(elsewhere) == before


def planted(path: Path, elsewhere: Path, what: str) -> None:
    """Something that stands where the program wants to write."""
    if what == "pipe":
        os.mkfifo(path)
    else:
        (elsewhere / "there").write_text("precious", "utf-8")
        path.symlink_to(elsewhere / ("there" if what == "link" else "nowhere"))


@pytest.mark.parametrize("what", ["link", "link to nowhere", "pipe"])
@pytest.mark.parametrize("name", ["crisis.jsonl.torn", ".crisis.jsonl.lock", "draft"])
def test_what_is_written_beside_a_file_follows_no_link(
    fight: Player, sheets: Sheets, elsewhere: Path, name: str, what: str
) -> None:
    """A named pipe does not make it wait either."""
    words = "next"
    if name == "draft":
        name, words = f"characters/.jack.toml.{os.getpid()}.new", "attack drone jack --dice 6,6,6 --save"
        fight.ok("end")
    elif name.endswith(".torn"):
        with fight.journal.open("a", encoding="utf-8") as file:
            file.write('{"entry": 2, "cut')
    planted(fight.here / name, elsewhere, what)
    before = everything(elsewhere)
    shown = fight(words)
    assert shown.status == 4 and os.path.basename(name) in shown.err, shown
    assert f"move {os.path.basename(name)} away" in shown.err and "free some space" not in shown.err
    assert everything(elsewhere) == before
    assert os.path.lexists(fight.here / name), "it is none of ours"


def test_only_drafts_of_this_program_are_removed(crisis: Player, sheets: Sheets, elsewhere: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        gone.wait()
    number = gone.pid
    ours = [f".drone.toml.{number}.new", f".crisis.jsonl.{number}.new", f".drone.toml.bak.{number}.new"]
    theirs = [
        f".notes.{number}.new",
        f".drone.toml.0{number}.new",
        f"drone.toml.{number}.new",
        f".drone.toml.{number}.newer",
        f".drone.toml.+{number}.new",
        f".{number}.new",
        ".drone.toml..new",
    ]
    for name in (*ours, *theirs):
        (sheets.folder / name).write_text("x", "utf-8")
    link, folder = sheets.folder / f".jack.toml.{number}.new", sheets.folder / f".ada.toml.{number}.new"
    link.symlink_to(elsewhere / "there")
    folder.mkdir()
    crisis.ok("attack jack drone --dice 6,6,6 --save")
    left = {path.name for path in sheets.folder.glob("*") if path.suffix != ".toml"}
    assert left == {*theirs, link.name, folder.name}


def test_what_is_left_of_a_new_campaign_is_removed(crisis: Player, sheets: Sheets, elsewhere: Path) -> None:
    """The folder of a run that was killed, and nothing else."""
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        gone.wait()
    left = crisis.here / f".here.{gone.pid}.new"
    (left / "characters").mkdir(parents=True)
    (left / "far").symlink_to(elsewhere)
    (elsewhere / "theirs").write_text("x", "utf-8")
    others = [crisis.here / f".there.{gone.pid}.new", crisis.here / f".here.{os.getppid()}.new"]
    for other in others:
        other.mkdir()
    link = crisis.here / f".here.{gone.pid + 2**22}.new"
    link.symlink_to(elsewhere)
    crisis.ok("campaign new here jack")
    assert not left.exists() and all(other.is_dir() for other in others) and link.is_symlink()
    assert (elsewhere / "theirs").exists()


def test_a_script_that_is_a_pipe_without_a_writer_is_refused(crisis: Player) -> None:
    os.mkfifo(crisis.here / "pipe.jsonl")
    start = time.monotonic()
    shown = crisis.refused(4, "run pipe.jsonl --json")
    assert "named pipe into which nothing writes" in shown.error["message"]
    assert time.monotonic() - start < 30


def test_a_pipe_among_archives_is_passed_over(fight: Player, elsewhere: Path) -> None:
    """What ended last here is looked for without waiting for anybody, and a link is not moved back."""
    fight.ok("end")
    (archive,) = fight.here.glob("crisis-*.jsonl")
    os.mkfifo(fight.here / "crisis-1.jsonl")
    (elsewhere / "theirs.jsonl").write_bytes(archive.read_bytes())
    archive.unlink()
    archive.symlink_to(elsewhere / "theirs.jsonl")
    before = everything(elsewhere)
    assert fight.refused(3, "undo --json").error["code"] == "no_crisis"
    assert everything(elsewhere) == before and archive.is_symlink()


def test_a_party_outside_the_campaign_is_named_and_not_read(campaign: Player, elsewhere: Path) -> None:
    (elsewhere / "ada.toml").write_text(JACK.replace("Jack", "Ada") + "\n[state]\nhealth = 3\n", "utf-8")
    file = campaign.here / "campaign.toml"
    path = os.path.relpath(elsewhere / "ada.toml", campaign.here)
    text = file.read_text("utf-8").replace('["jack"]', json.dumps([path, "jack"]))
    file.write_text(f'{text}\n[rest]\nhealth = "2"\n', "utf-8")
    before = everything(elsewhere)
    said = f"{path} is outside the working directory and the folders that are searched, and is not read"
    assert f"party[0]: {said}" in campaign("campaign check").out
    for line in ("rest", "campaign", "init --vs drone --open"):
        assert said in campaign.refused(4, line).err
    assert everything(elsewhere) == before


def test_a_party_beside_the_campaign_is_read_and_not_written(campaign: Player, elsewhere: Path) -> None:
    """From the folder above it, in which the player works."""
    above = Player(campaign.here.parent)
    (above.here / "ada.toml").write_text(JACK.replace("Jack", "Ada") + "\n[state]\nhealth = 3\n", "utf-8")
    file = campaign.here / "campaign.toml"
    text = file.read_text("utf-8").replace('["jack"]', '["./ada.toml", "jack"]')
    file.write_text(f'{text}\n[rest]\nhealth = "2"\n', "utf-8")
    before = everything(elsewhere)
    checked = above("--campaign here campaign check")
    assert "party[0]: is outside the campaign: a rest would not write it" in checked.out
    assert "the sheet of Ada is not written" in above("--campaign here rest").err
    assert everything(elsewhere) == before


FIGHTER = 'system = "3d6"\n[[fighter]]\nsheet = {}\n'
PARTY = 'system = "3d6"\n[party]\nsheets = [{}]\n[[fighter]]\nsheet = "drone"\n'


@pytest.mark.parametrize("text", [FIGHTER, PARTY], ids=["fighter", "party"])
@pytest.mark.parametrize("form", ["absolute", "relative", "a link"])
def test_an_encounter_names_no_sheet_elsewhere(
    crisis: Player, sheets: Sheets, elsewhere: Path, text: str, form: str
) -> None:
    (elsewhere / "secret").write_text("root:x:0:0 of all\n", "utf-8")
    link = sheets.folder.parent / "linked.toml"
    link.symlink_to(elsewhere / "secret")
    name = {
        "absolute": str(elsewhere / "secret"),
        "relative": os.path.relpath(elsewhere / "secret", crisis.here),
        "a link": "./linked.toml",
    }[form]
    folder = crisis.here / "encounters"
    folder.mkdir()
    (folder / "e.toml").write_text(text.format(json.dumps(name)), "utf-8")
    for line in ("encounter check e", "encounter show e", "init jack --encounter e", "init --encounter e"):
        shown = crisis(line)
        assert shown.status == 4 and f"{name} is outside the working directory" in shown.out + shown.err
        assert "x:0:0" not in shown.out + shown.err
    # Beside the encounter it is read.
    (folder / "own.toml").write_text((sheets.folder / "jack.toml").read_text("utf-8"), "utf-8")
    (folder / "e.toml").write_text(text.format('"encounters/own.toml"'), "utf-8")
    crisis.ok("encounter check e")


@pytest.mark.parametrize("of", ["sheet", "encounter"])
def test_a_sheet_names_no_doctrine_elsewhere(
    crisis: Player, sheets: Sheets, elsewhere: Path, of: str
) -> None:
    (elsewhere / "secret").write_text("root:x:0:0 of all\n", "utf-8")
    name = os.path.relpath(elsewhere / "secret", crisis.here)
    (crisis.here / "encounters").mkdir()
    if of == "sheet":
        sheets.write("zed", f"doctrine = {json.dumps(name)}\n{JACK}")
        lines = ["character check zed", "simulate zed --vs drone -n 2", "init zed --vs drone --open"]
    else:
        text = f'system = "3d6"\n[[fighter]]\n[fighter.sheet]\nname = "Z"\ndoctrine = {json.dumps(name)}\n'
        (crisis.here / "encounters/e.toml").write_text(text, "utf-8")
        lines = ["encounter check e", "init jack --encounter e"]
    for line in lines:
        shown = crisis(line)
        assert shown.status == 4 and f"{name} is outside the working directory" in shown.out + shown.err
        assert "x:0:0" not in shown.out + shown.err


def test_a_table_names_no_file_elsewhere(crisis: Player, elsewhere: Path) -> None:
    (elsewhere / "secret.toml").write_text("root:x:0:0 of all\n", "utf-8")
    folder = crisis.here / "tables"
    folder.mkdir()
    for name in (str(elsewhere / "secret.toml"), os.path.relpath(elsewhere / "secret.toml", crisis.here)):
        (folder / "n.toml").write_text(f'rows = ["{{@{name}}}"]\n', "utf-8")
        for line in ("tables check n", "tables n"):
            shown = crisis(line)
            assert shown.status == 4 and "is outside the working directory" in shown.out + shown.err
            assert "x:0:0" not in shown.out + shown.err


def test_completion_reads_no_more_than_the_first_line_of_plain_files(
    campaign: Player, elsewhere: Path
) -> None:
    (campaign.here / "characters/jack.toml").unlink()
    journals = campaign.here / "journals"
    os.mkfifo(journals / "002-pipe.jsonl")
    (journals / "003-deep.jsonl").write_text("[" * 100_000, "utf-8")
    (journals / "004-list.jsonl").write_text('{"fighters": [3]}\n', "utf-8")
    env = {"_CRISIS_COMPLETE": "bash_complete", "_CRISIS_LINE": "crisis character restore "}
    assert "jack" in campaign("", env=env).out


@pytest.mark.parametrize("what", ["link", "pipe", "device"])
def test_the_cache_of_systems_is_a_plain_file(
    tmp_path: Path, elsewhere: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """A draft goes through no link, and what is no plain file is not waited for."""
    from crisis_cli.systems import plugins

    env = {"XDG_CACHE_HOME": str(tmp_path)}
    cache = Path(plugins._cache(env))
    cache.parent.mkdir(parents=True)
    if what == "link":
        Path(f"{cache}.{os.getpid()}").symlink_to(elsewhere / "made")
    elif what == "pipe":
        os.mkfifo(cache)
    else:
        cache.symlink_to("/dev/zero")
    plugins._remember(str(cache), "stamp", ())
    if what != "link":
        cache.unlink()
        planted(cache, elsewhere, "pipe") if what == "pipe" else cache.symlink_to("/dev/zero")
    assert plugins._remembered(str(cache), "stamp") is None
    assert "made" not in everything(elsewhere)


def test_a_campaign_names_the_sheets_elsewhere_that_its_story_names(
    campaign: Player, elsewhere: Path
) -> None:
    (elsewhere / "s.toml").write_text((campaign.here / "characters/jack.toml").read_text("utf-8"), "utf-8")
    file = campaign.here / "campaign.toml"
    file.write_text(file.read_text("utf-8") + '\n[rest]\nhealth = "2"\n', "utf-8")
    campaign.ok("rest")
    assert campaign.ok("campaign check").out == "all right\n"
    path = campaign.here / "story.jsonl"
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    strange = (str(elsewhere / "s.toml"), os.path.relpath(elsewhere / "s.toml", campaign.here))
    for name in (*strange, "campaign.toml", ".git/config"):
        (entry,) = (line for line in lines if line.get("sheets"))
        entry["sheets"]["Jack"]["file"] = name
        entry["seal"] = seal(entry, FORMAT)
        path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), "utf-8")
        shown = campaign("campaign check")
        assert shown.status == 4, shown.out
        assert (
            f"story.jsonl: names {name!r} as the sheet of Jack: the campaign has no such sheet" in shown.out
        )


@pytest.mark.parametrize("to", ["a folder", "nothing"])
def test_no_fight_begins_where_its_journal_would_go_elsewhere(
    campaign: Player, elsewhere: Path, to: str
) -> None:
    journals = campaign.here / "journals"
    journals.rename(campaign.here / "old")
    journals.symlink_to(elsewhere / ("" if to == "a folder" else "gone"))
    assert f"journals: is a link to {journals.readlink()}" in campaign("campaign check").out
    shown = campaign.refused(4, "init jack --vs drone --open --json")
    assert shown.error["code"] == "outside" and f"link to {elsewhere}" in shown.error["message"]
    assert not (campaign.here / "crisis.jsonl").exists() and everything(elsewhere) == {}


@pytest.mark.parametrize("name", ["characters", "tables", "encounters/far", "crisis.toml"])
def test_a_campaign_names_the_links_that_lead_out_of_it(campaign: Player, elsewhere: Path, name: str) -> None:
    link = campaign.here / name
    link.parent.mkdir(exist_ok=True)
    if link.exists():
        link.rename(campaign.here / "old")
    link.symlink_to(elsewhere)
    shown = campaign("campaign check")
    assert shown.status == 4
    assert f"{name}: is a link to {elsewhere}; it leads out of the campaign" in shown.out
    # No sheet could be restored through it.
    assert "character restore" not in shown.out
    if name == "characters":
        assert f"characters is a link to {elsewhere}" in campaign.refused(4, "rest").err
