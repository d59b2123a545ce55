"""Fights of programs: how long others act, real dice, other processes, threads, shelves and stories."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from conftest import FRESH_SEED, NOW, Player

import crisis_cli as crisis

PAIRS = (("jack", "drone"), ("vera", "raider"), ("marshal", "looter"), ("cass", "ghoul"), ("hagen", "bandit"))


def library(folder: Path, **how: Any) -> crisis.Library:
    return crisis.Library(str(folder), clock=lambda: NOW, fresh_seed=lambda: FRESH_SEED, **how)


def begun(folder: Path, **how: Any) -> crisis.Fight:
    """A fight of Jack against a drone that waits for Jack."""
    fight = library(folder).begin("jack", vs="drone", seed=4, **how)
    fight.play_on()
    return fight


# How long others act


def test_others_act_until_the_turn_passes(tmp_path: Path) -> None:
    fight = library(tmp_path).begin("jack", vs="drone:2", seed=4, plays="none")
    turns = []
    while not fight.decided and len(turns) < 6:
        before = fight.state.round, fight.state.turn
        done = fight.play_on(until="turn")
        assert done and all(one.actor in ("", before[1]) or one.action != "attack" for one in done)
        assert fight.decided or (fight.state.round, fight.state.turn) != before
        turns.append(before)
    assert len(set(turns)) == len(turns)


def test_others_act_to_the_end(tmp_path: Path) -> None:
    fight = library(tmp_path).begin("marshal", vs="looter", seed=4, plays="all", apart=0)
    done = fight.play_on(until="end")
    assert fight.decided and fight.waiting is None
    assert [one.number for one in done] == [one.number for one in fight.log[1:]]
    again = library(tmp_path).begin("marshal", vs="looter", seed=4, plays="none", apart=0)
    again.play_on()
    assert [one.to_dict() for one in again.log] == [one.to_dict() for one in fight.log]


def test_a_program_decides_for_those_it_names(tmp_path: Path) -> None:
    ours = library(tmp_path)
    for plays, who in (("jack", "Jack"), ("DRONE", "Drone"), (["opponents"], "Drone"), ("all", "Jack")):
        fight = ours.begin("jack", vs="drone", seed=4, plays=plays)
        fight.play_on()
        assert isinstance(fight.waiting, crisis.Act)
        assert plays == "all" or fight.waiting.who == who
    with pytest.raises(crisis.CrisisError, match="nobody"):
        ours.begin("jack", vs="drone", plays="nobody")


# Dice


def test_real_dice_are_asked_for(tmp_path: Path) -> None:
    fight = begun(tmp_path)
    fight.dice = crisis.Dice(real=True)
    before = len(fight.log)
    assert fight.attack("drone", range=1, weapon="baton") == []
    faces = []
    while isinstance(request := fight.waiting, crisis.Faces):
        assert (request.who, request.sides) in (("Jack", 6), ("Drone", 6)) and request.what and request.dice
        faces.append(3)
        fight.answer(3)
    result = fight.log[before]
    assert result.action == "attack"
    assert [face for roll in result.rolls for face in roll["faces"]] == faces
    given = begun(tmp_path).attack("drone", range=1, weapon="baton", faces=faces)[0]
    assert given.to_dict()["rolls"] == result.to_dict()["rolls"]


def test_given_faces_take_the_place_of_real_dice(tmp_path: Path) -> None:
    fight = begun(tmp_path)
    fight.dice = crisis.Dice(real=True)
    assert fight.check("melee", difficulty=0, faces=[3, 3, 3])[0].rolls[0]["faces"] == [3, 3, 3]
    fight.dice = crisis.Dice(mine=True)
    with pytest.raises(crisis.Usage):
        fight.dice = crisis.Dice(real=True, mine=True)
    assert fight.dice.mine


def test_values_of_python_are_options(tmp_path: Path) -> None:
    ours = library(tmp_path)
    words = ours.attack("ada", "drone", weapon="pistol", range="3", cover="light", seed=1)
    values = ours.attack(
        "ada", ["drone"], weapon="pistol", range=3, cover="light", seed=1, mod=None, force=False
    )
    assert words.to_dict() == values.to_dict()
    fight = begun(tmp_path)
    (
        fight.set("jack", "at", (3, 4)),
        fight.set("jack", "condition:prone", True),
        fight.set("jack", "held", ["baton"]),
    )
    jack = fight.state.fighters["Jack"]
    assert jack.at == (3, 4) and jack.has("prone")
    moved = fight.do("move", to=(3, 5), force=True)
    assert moved and fight.state.fighters["Jack"].at == (3, 5)


# Rankings


def test_rows_of_a_ranking_print_well(tmp_path: Path) -> None:
    fight = begun(tmp_path, apart=0)
    rows = fight.ranking()
    assert [row.rank for row in rows] == [*range(1, len(rows) + 1)]
    best = rows[0]
    assert best.success is not None and 0 <= best.success <= 1 and best.line in repr(best)
    assert best.to_dict()["command"] == best.line and best.to_dict()["rank"] == 1
    assert fight.ranking(top=2)[1].to_dict() == rows[1].to_dict()
    assert fight.chances(best.line.split()[0], *best.intent.targets).success is not None
    assert fight.answer(best.intent)[0].action == best.intent.action


def test_a_ranking_is_that_of_the_command_line(tmp_path: Path) -> None:
    fight = begun(tmp_path, file="crisis.jsonl")
    shown = Player(tmp_path).ok("odds --json").records
    for row, record in zip(fight.ranking(), shown, strict=True):
        assert {
            **row.to_dict(),
            **{key: record[key] for key in ("plan", "plan_worth") if key in record},
        } == record


# Notebooks


def test_html_is_escaped_and_has_its_styles_inline(tmp_path: Path) -> None:
    ours = library(tmp_path)
    sheet = {"name": "<b>Rat</b> & Co", "system": "3d6", "skills": {"melee": 1}}
    fight = ours.begin("jack", vs=sheet, seed=1)
    shown = [
        fight.state,
        fight.log[0],
        ours.attack("jack", sheet, seed=1),
        ours.chances("attack", "jack", sheet),
        ours.simulate("jack", vs=sheet, fights=3, seed=1),
        crisis.odds("3d6"),
        crisis.odds("d6 # <script>"),
    ]
    for one in shown:
        html = one._repr_html_()
        assert "<b>" not in html and "<script" not in html and "<style" not in html and "class=" not in html
    assert "&lt;b&gt;Rat&lt;/b&gt; &amp; Co" in fight.state._repr_html_()


# Other processes


def test_a_fight_is_read_anew(tmp_path: Path) -> None:
    fight = begun(tmp_path, file="crisis.jsonl", override={"jack.armour.dr": 1})
    other = Player(tmp_path)
    other.ok("note 'It rains.'")
    fight.refresh()
    assert fight.log[-1].action == "note" and isinstance(fight.waiting, crisis.Act)
    other("end --no-save --yes")
    with pytest.raises(crisis.Refused):
        fight.refresh()
    in_memory = begun(tmp_path)
    before = in_memory.log
    in_memory.refresh()
    assert [one.entry for one in in_memory.log] == [one.entry for one in before]


def test_what_others_did_is_seen_by_the_next_action(tmp_path: Path) -> None:
    fight = begun(tmp_path, file="crisis.jsonl")
    Player(tmp_path).ok("note 'It rains.'")
    fight.note("It pours.")
    assert [one.action for one in fight.log[-2:]] == ["note", "note"]
    assert fight.verify() == []


# Threads


def played(folder: Path, number: int) -> list[dict[str, Any]]:
    """What is done in a fight of its own, for two rounds at most."""
    one, other = PAIRS[number % len(PAIRS)]
    fight = library(folder).begin(one, vs=other, seed=number, plays="all", apart=0)
    while not fight.decided and fight.state.round <= 2:
        if fight.waiting is None:
            fight.play_on()
        else:
            fight.answer(None)
    return [result.to_dict() for result in fight.log]


@pytest.mark.slow
def test_fights_in_eight_threads_are_those_in_sequence(tmp_path: Path) -> None:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(8) as pool:
            together = list(pool.map(lambda number: played(tmp_path, number), range(8)))
    finally:
        sys.setswitchinterval(interval)
    assert together == [played(tmp_path, number) for number in range(8)]


@pytest.mark.parametrize("file", ["", "crisis.jsonl"])
def test_threads_take_turns_in_one_fight(tmp_path: Path, file: str) -> None:
    fight = begun(tmp_path, file=file)
    before = len(fight.log)
    acts = [
        lambda number: fight.note(f"note {number}"),
        lambda number: fight.ask("Is it?"),
        lambda number: fight.draw("twists"),
        lambda number: fight.set("jack", "endurance", number),
    ]
    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(lambda number: acts[number % 4](number), range(40)))
    assert len(done) == 40
    numbers = [one.number for one in fight.log]
    assert numbers == [*range(1, before + 41)]
    assert not file or fight.verify() == []


# Shelves


def test_shelves(tmp_path: Path) -> None:
    ours = library(tmp_path)
    for shelf, name in (
        (ours.sheets, "jack"),
        (ours.encounters, "bridge"),
        (ours.tables, "twists"),
        (ours.doctrines, "cunning"),
    ):
        assert name in shelf.names() and shelf.find(name).endswith(".toml")
        assert shelf.read(name) is not None and shelf.check(name) == []
        assert "$schema" in shelf.schema("3d6")
        with pytest.raises(crisis.FileError):
            shelf.read("nobody-at-all")
    copied = ours.sheets.copy("jack", "Jill")
    assert Path(copied) == tmp_path / "characters" / "jill.toml"
    assert ours.attack("jill", "drone", seed=1).actor == "Jill"
    made = ours.sheets.new("Nell", {"system": "3d6", "skills": {"melee": 2}})
    assert ours.sheets.check(made) == [] and "nell" in ours.sheets.names()
    Path(made).write_text('name = "Nell"\nsystem = "3d6"\n[skills]\nmelee = "much"\n', "utf-8")
    (fault,) = ours.sheets.check("nell")
    assert fault["line"] == 4 and fault["key"] == "skills.melee"


# Stories


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    """A campaign of Jack and Ada."""
    Player(tmp_path).ok("campaign new Saltmarch jack ada")
    return tmp_path / "saltmarch"


def test_there_is_no_story_without_a_campaign(tmp_path: Path) -> None:
    assert library(tmp_path).story is None
    with pytest.raises(crisis.FileError):
        library(tmp_path, campaign="nowhere")


def test_a_story(campaign: Path) -> None:
    ours = library(campaign, campaign=".")
    story = ours.story
    assert story is not None
    assert (story.name, story.day, story.fights, story.threads) == ("Saltmarch", 1, [], [])
    assert [one.name for one in story.party] == ["Jack", "Ada"]
    hand = Player(campaign)
    story.note("Who paid the warden?", thread=True)
    assert story.threads == [{"n": 1, "text": "Who paid the warden?", "open": True}]
    nights = story.rest(days=2, seed=3)
    assert [one.action for one in nights] == ["downtime", "downtime"] and story.day == 3
    story.award("ada", 2, "xp", why="the bridge")
    story.close(1, "The mayor.")
    story.set_tension(4)
    assert story.to_dict() == hand.ok("campaign --json").record
    assert (story.tension, story.threads[0]["open"]) == (4, False)
    assert len(story.undo(2)) == 2 and story.tension == 2
    assert len(story.redo(2)) == 2 and story.tension == 4
    assert story.chronicle() == hand.ok("chronicle --markdown").out
    assert story.chronicle("lonelog") == hand.ok("chronicle --lonelog").out
    assert str(story) == hand.ok("campaign").out.rstrip("\n")
    assert [one.to_dict()["action"] for one in story.log] == [
        *("note", "downtime", "downtime", "note", "note", "tension"),
    ]
    with pytest.raises(crisis.Usage):
        story.chronicle("script")
    with pytest.raises(crisis.Refused):
        story.close(5)


def test_fights_of_a_campaign_are_in_its_story(campaign: Path) -> None:
    ours = library(campaign, campaign=".")
    story = ours.story
    assert story is not None
    fight = ours.begin("jack", vs="drone", seed=4, file="crisis.jsonl")
    with pytest.raises(crisis.Refused) as caught:
        story.note("Rain.")
    assert caught.value.code == "open"
    ended = fight.end(save=False, name="The bridge")
    assert [one["name"] for one in story.fights] == ["The bridge"]
    assert ended.archive.startswith("journals") and ours.journal(ended.archive).log
    (undone,) = story.undo()
    assert undone.action == "end" and ours.resume().state.turn
