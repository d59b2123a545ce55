"""`crisis log --markdown`, and how all stories are asked for and written."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import DRONE, JOURNAL_OF_NOW, Player

from story.fights import EVERY, fought


@pytest.mark.parametrize("system", EVERY)
def test_markdown_tells_every_entry_in_lists_and_tables(tmp_path: Path, system: str) -> None:
    parser = pytest.importorskip("markdown_it", reason="the CommonMark parser is not installed")
    player, journal = fought(tmp_path, system, seed=1)
    text = player.ok(f"log {journal} --markdown").out
    parsed = parser.MarkdownIt("commonmark").enable("table").parse(text)
    kinds = [token.type for token in parsed]
    assert "html_block" not in kinds and "code_block" not in kinds and "ordered_list_open" not in kinds
    actions = [one for one in player.ok(f"log {journal} --json").records if one["action"] != "next"]
    items = [token for token in parsed if token.type == "list_item_open" and token.level == 1]
    assert len(actions) <= len(items) <= len(player.ok(f"log {journal} --json").records)
    assert kinds.count("table_open") == 1
    rounds = [
        token.content for token in parsed if token.type == "inline" and token.content.startswith("Round ")
    ]
    assert rounds == [f"Round {number}" for number in range(1, len(rounds) + 1)]


def test_names_and_notes_are_escaped(crisis: Player) -> None:
    folder = crisis.here / "characters"
    folder.mkdir(exist_ok=True)
    (folder / "odd.toml").write_text(DRONE.replace('"Drone"', '"*A* <b>|_c_"'), "utf-8")
    crisis.ok("init jack --vs odd --open --seed 3")
    crisis.ok("note", "# no heading <script>")
    text = crisis.ok("log --markdown").out
    assert r"\*A\* \<b\>\|\_c\_" in text and "> \\# no heading \\<script\\>" in text
    assert "*A*" not in text.replace(r"\*A\*", "") and "<b>" not in text


@pytest.mark.parametrize("story", ["--markdown", "--lonelog", "--recap", "--recap --json"])
def test_the_same_journal_gives_the_same_text_and_is_not_touched(fight: Player, story: str) -> None:
    fight.ok("attack drone --dice 6,4,3")
    before = fight.files()
    assert fight.ok(f"log {story}").out == fight.ok(f"log {story}").out
    assert fight.files() == before


def test_an_open_crisis_has_no_result(fight: Player) -> None:
    fight.ok("attack drone --dice 6,4,3")
    for story in ("markdown", "html"):
        shown = fight.ok(f"log --{story}").out
        assert "The crisis is open, in round 1." in shown and "A draw" not in shown
    fight.ok("end --no-save --yes")
    fight.ok("undo")
    assert "The crisis is open" in fight.ok("log --markdown").out


def test_a_story_is_written_to_a_file_that_does_not_exist(fight: Player) -> None:
    shown = fight.ok("log --markdown --to fight.md")
    assert shown.out == ""
    written = (fight.here / "fight.md").read_text("utf-8")
    assert written == fight.ok("log --markdown").out
    fight.refused(4, "log --lonelog --to fight.md")
    assert (fight.here / "fight.md").read_text("utf-8") == written
    fight.ok("log --lonelog --to fight.md --overwrite")
    assert (fight.here / "fight.md").read_text("utf-8") == fight.ok("log --lonelog").out
    fight.refused(4, "log --lonelog --to none/fight.md")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--markdown --lonelog", "--markdown and --lonelog"),
        ("--markdown --json", "--markdown and --json"),
        ("--to fight.md", "--to"),
        ("--markdown --overwrite", "--overwrite"),
        ("1 --recap", "entry 1"),
    ],
)
def test_options_that_exclude_each_other(fight: Player, words: str, said: str) -> None:
    assert said in fight.refused(2, f"log {words}").err


def test_the_log_of_an_ended_crisis_is_read_from_its_file(fight: Player) -> None:
    shown = fight.ok("log").out
    fight.ok("end --yes")
    assert fight.ok(f"log {JOURNAL_OF_NOW}").out.startswith(shown)
    assert fight.ok(f"log {JOURNAL_OF_NOW} --entry 1").out == shown
    fight.refused(4, "log none.jsonl")
