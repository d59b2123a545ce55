"""Encounters in a campaign: who plays them, what their fights are called, and who has won them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from campaign.test_campaign import Table, campaign

SHORT = """\
name = "A short stop"
system = "step"
won = "The way is free."
last_stand = false

[party]
sheets = ["moss"]

[[fighter]]
sheet = "raider"

[[event]]
round = 1
text = "A horn, and they are gone."
wins = "SIDE"
"""


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A campaign of Vera."""
    return campaign(tmp_path, "step")


def short(table: Table, side: str = "players") -> None:
    """Put an encounter into the campaign that an event decides as it begins."""
    folder = table.here / "encounters"
    folder.mkdir(exist_ok=True)
    (folder / "short.toml").write_text(SHORT.replace("SIDE", side), "utf-8")


def players(table: Table) -> list[str]:
    """The names of those who play."""
    return [one["name"] for one in json.loads(table.said("status --json"))["fighters"] if one["player"]]


def header(table: Table, number: int = 0) -> dict[str, object]:
    """The first line of an archived journal."""
    text = (table.here / "journals" / table.journals[number]).read_text("utf-8")
    found: dict[str, object] = json.loads(text.partition("\n")[0])
    return found


@pytest.mark.parametrize("line", ["init --encounter well", "init --vs raider --open"])
def test_the_party_of_the_campaign_plays_unless_somebody_is_named(table: Table, line: str) -> None:
    table.said(line)
    assert players(table) == ["Vera"]
    table.said("end --yes")
    table.said(line.replace("init", "init moss"))
    assert players(table) == ["Doc Moss"]


def test_outside_a_campaign_the_party_of_the_file_plays(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.said("init --encounter well")
    assert players(table) == ["Vera", "Doc Moss"]


def test_a_campaign_without_a_party_plays_with_that_of_the_file(table: Table) -> None:
    path = table.here / "campaign.toml"
    text = "\n".join(one for one in path.read_text("utf-8").splitlines() if not one.startswith("party"))
    path.write_text(text, "utf-8")
    table.said("init --encounter well")
    assert players(table) == ["Vera", "Doc Moss"]


@pytest.mark.slow
def test_play_takes_the_party_and_names_the_fight_and_its_journal(table: Table) -> None:
    table.said("play well --auto --seed 3 --rounds 2")
    assert [one.rpartition("-")[0] for one in table.journals] == ["001-water-for-the-road"]
    fighters = header(table)["fighters"]
    assert isinstance(fighters, list) and [one["name"] for one in fighters if one["player"]] == ["Vera"]
    (fight,) = table("campaign --json").record["fights"]
    assert fight["name"] == "Water for the road"
    assert "1. Water for the road" in table.said("chronicle")


def test_a_name_given_at_the_end_comes_first(table: Table) -> None:
    table.said("init --encounter well")
    table.said("end", "--yes", "--name", "The pump")
    assert table.journals[0].startswith("001-the-pump-")


@pytest.mark.parametrize(("side", "winner"), [("players", "players"), ("nobody", None)])
def test_the_winner_of_a_fight_is_whom_an_event_named(table: Table, side: str, winner: str | None) -> None:
    short(table, side)
    table.said("init --encounter short")
    # Nothing is asked at a terminal, though both sides still stand.
    shown = table("end", answers=[])
    assert shown.status == 0 and "still stand" not in shown.err + shown.out
    assert ("The way is free." in shown.out) == (side == "players")
    assert "crisis chronicle" in shown.out.partition("What now?")[2]
    (fight,) = table("campaign --json").record["fights"]
    assert fight["winner"] == winner


def test_an_undecided_encounter_is_asked_about(table: Table) -> None:
    table.said("init --encounter well")
    shown = table("end", answers=["no"])
    assert shown.status == 130
    asked = "2 sides still stand. End the whole crisis, not the turn (crisis next)? y/[n]: "
    assert table.prompts == [asked] and len(asked) <= 80


def test_the_story_is_no_crisis_to_go_on_with(table: Table) -> None:
    table.said("note", "--thread", "Who paid?")
    assert table.story.exists()
    refused = table.refused(3, "play --auto")
    assert "begin one: crisis play" in refused.err and "story.jsonl" not in refused.err


# What Tab offers


def offered(table: Table, line: str) -> dict[str, str]:
    """The words that a shell is offered after a line, with what they mean."""
    env = {"_CRISIS_COMPLETE": "zsh_complete", "_CRISIS_LINE": f"crisis {line}"}
    shown = table("", env=env)
    assert shown.status == 0 and not shown.err, shown
    parts = [one.split("\t") for one in shown.lines]
    return {part[1]: part[2] for part in parts}


def test_open_threads_are_offered_to_close(table: Table) -> None:
    assert offered(table, "note --close ") == {}
    table.said("note", "--thread", "Who paid?")
    table.said("note", "--thread", "Where is the mill?")
    table.said("init vera --vs raider --open")
    table.said("note", "--thread", "Who is the third?")
    assert offered(table, "note --close ") == {
        "1": "Who paid?",
        "2": "Where is the mill?",
        "3": "Who is the third?",
    }
    table.said("note --close 2")
    table.said("end --yes")
    assert list(offered(table, "note --close ")) == ["1", "3"]


def test_sheets_that_are_gone_are_offered_to_restore(table: Table) -> None:
    assert offered(table, "character restore ") == {}
    table.said("init vera --vs raider --open")
    table.said("end --yes")
    assert offered(table, "character restore ") == {}, "it is there"
    (table.here / "characters" / "vera.toml").unlink()
    assert offered(table, "character restore ") == {"vera": "Vera"}
    table.said("character restore vera")
    assert offered(table, "character restore ") == {}


def test_a_rested_sheet_that_is_gone_is_offered(table: Table) -> None:
    table.said("rest --days 1")
    (table.here / "characters" / "vera.toml").unlink()
    assert offered(table, "character restore v") == {"vera": "Vera"}


def test_outside_a_campaign_nothing_is_offered(tmp_path: Path) -> None:
    table = Table(tmp_path)
    assert offered(table, "note --close ") == offered(table, "character restore ") == {}


def test_the_terrain_of_the_legend_is_offered(table: Table) -> None:
    table.said("init --encounter well")
    assert set(offered(table, "set terrain 3,3 ")) == {"rocks", "low-wall", "pump", "ridge", "open"}
    assert offered(table, "set terrain 3,3 lo").keys() == {"low-wall"}
