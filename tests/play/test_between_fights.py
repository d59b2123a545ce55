"""The oracle, tables, notes, settings and rests as a Python program has them: what the command line records."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import FRESH_SEED, NOW, Player

from crisis_cli.errors import Refused, Usage
from crisis_cli.play.caches import Caches
from crisis_cli.play.campaign_check import problems
from crisis_cli.play.campaigns import World
from crisis_cli.play.desk import Desk
from crisis_cli.play.dice import AUTOMATIC, Dice
from crisis_cli.play.drawing import Draws, aside, draw, drawn_before
from crisis_cli.play.founding import make_campaign
from crisis_cli.play.noting import Note, noted
from crisis_cli.play.opening import Opening, create
from crisis_cli.play.oracle import Aim, Question, ask, parse_question
from crisis_cli.play.party import standing
from crisis_cli.play.perform import perform_and_record
from crisis_cli.play.places import places_of
from crisis_cli.play.resting import Downtime, rest
from crisis_cli.play.results import Result
from crisis_cli.play.settings import Setting, planned

DECK = 'name = "Wounds"\ndeck = true\nrows = ["an arm", "a leg", "a scar"]\n'


def desk_of(here: Path) -> Desk:
    """The desk of a program in a folder, which reads no environment."""
    places = places_of({"CRISIS_DATA": str(here / "no-data")}, str(here))
    return Desk(places, World(lambda: NOW, lambda: FRESH_SEED, "test"), lambda *said: None, Caches(), [])


def asked(desk: Desk, words: str, odds: str = "even") -> Result:
    """The answer of the oracle to words, in the session in use."""
    session = aside(desk)
    return ask(desk, session, parse_question(desk, session, words.split(), odds), Dice(seed=7))


def in_memory(desk: Desk) -> Result:
    """A fight that no file knows of."""
    return create(desk, Opening(("jack",), ("drone:2",), has_journal=False), AUTOMATIC)


@pytest.mark.parametrize("words", ["Is it locked?", "event", "twist"])
def test_the_oracle_answers_as_on_the_command_line(tmp_path: Path, words: str) -> None:
    shown = Player(tmp_path)("oracle", *words.split(), "--odds", "likely", "--seed", "7", "--json")
    done = asked(desk_of(tmp_path), words, "likely")
    assert json.loads(shown.out)["seed"] == done.seed == 7
    assert json.loads(shown.out)["rolls"][0]["faces"] == [face for _, face in done.entry.rolls[0].faces]
    assert [*tmp_path.iterdir()] == []


def test_questions_about_a_fight_are_values(tmp_path: Path) -> None:
    desk = desk_of(tmp_path)
    with pytest.raises(Refused, match="no crisis is open"):
        parse_question(desk, aside(desk), ["morale", "jack"])
    session = in_memory(desk).session
    morale = parse_question(desk, session, ["morale", "jack"])
    assert isinstance(morale, Question) and (morale.kind, morale.chance) == ("morale", 95)
    aim = parse_question(desk, session, ["target", "jack"])
    assert isinstance(aim, Aim) and {*aim.weights} == {"Drone 1", "Drone 2"}
    done = ask(desk, session, aim, AUTOMATIC)
    assert done.session.crisis is not None and done.session.crisis.done[-1] == done.entry
    with pytest.raises(Usage, match="--odds takes a word"):
        parse_question(desk, session, ["Is", "it?"], "perhaps")
    assert [*tmp_path.iterdir()] == []


def test_a_deck_is_drawn_down_in_a_fight_in_memory(tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "wounds.toml").write_text(DECK, "utf-8")
    desk = desk_of(tmp_path)
    session = in_memory(desk).session
    drawn = [*draw(desk, Draws(("wounds",), 2), AUTOMATIC, session=session)]
    session = drawn[-1].session
    (out,) = drawn_before(session, desk.shelves.tables().with_references("wounds")).values()
    assert len(out) == 2
    with pytest.raises(Refused, match="has 1 row left; 2 are asked for"):
        next(draw(desk, Draws(("wounds",), 2), AUTOMATIC, session=session))


def test_notes_and_settings_of_a_fight_in_memory(tmp_path: Path) -> None:
    desk = desk_of(tmp_path)
    session = in_memory(desk).session
    for plan in (
        noted(desk, Note("It\nrains."), session),
        planned(desk, Setting("jack", "at", ("3,4",)), session),
        planned(desk, Setting("tension", "5", (), "it grows dark"), session),
    ):
        session = perform_and_record(desk, session, plan.intent, AUTOMATIC).session
    assert session.crisis is not None
    jack, (note, _, tension) = session.scene.fighters["Jack"], [one.intent for one in session.crisis.done[1:]]
    assert jack.at == (3, 4) and (tension.get("value"), tension.get("why")) == (5, "it grows dark")
    assert note.get("text") == "It rains."
    with pytest.raises(Refused, match="no crisis is open here"):
        noted(desk, Note("It rains."))


def test_a_campaign_is_made_rests_and_is_told_as_on_the_command_line(tmp_path: Path) -> None:
    for name in ("typed", "called"):
        (tmp_path / name).mkdir()
    player, program = Player(tmp_path / "typed"), desk_of(tmp_path / "called")
    player.ok("campaign new Saltmarch vera moss")
    assert make_campaign(program, "Saltmarch", ("vera", "moss")).folder == "saltmarch"
    player.here, program = tmp_path / "typed/saltmarch", desk_of(tmp_path / "called/saltmarch")
    for here in (player.here, tmp_path / "called/saltmarch"):
        with (here / "characters/vera.toml").open("a", encoding="utf-8") as sheet:
            sheet.write("\n[state]\nhealth = 5\n")
    for line in (
        "note --thread 'Who paid?'",
        "note --award 'vera 2 xp'",
        "rest --days 2 --care hospital --why rain",
        "oracle 'Does it rain?' --odds likely",
        "set tension 4",
        "note --close 1",
    ):
        player.ok(line)

    def record(note: Note) -> None:
        plan = noted(program, note)
        perform_and_record(program, plan.session, plan.intent, AUTOMATIC)

    record(Note("Who paid?", thread=True))
    record(Note("vera 2 xp", award=True))
    nights = rest(program, Downtime(days=2, why="rain", options={"care": "hospital"}), AUTOMATIC)
    assert [night.entry.number for night in nights] == [3, 4]
    question = parse_question(program, aside(program), ["Does", "it", "rain?"], "likely")
    ask(program, aside(program), question, AUTOMATIC)
    plan = planned(program, Setting("tension", "4", ()))
    perform_and_record(program, plan.session, plan.intent, AUTOMATIC)
    record(Note("", closes=1))
    _, now = standing(program)
    assert (now.day, now.tension, now.awards) == (3, 4, {"Vera": {"xp": 2}})
    assert [(one.text, one.is_open) for one in now.threads] == [("Who paid?", False)]
    assert problems(program) == []
    ours, theirs = (
        (folder / "story.jsonl").read_text("utf-8").splitlines()
        for folder in (player.here, tmp_path / "called/saltmarch")
    )
    assert ours[1:] == theirs[1:]


def test_none_of_it_loads_click() -> None:
    modules = ("oracle", "drawing", "noting", "settings", "resting", "party", "founding", "campaign_check")
    code = "import sys, " + ", ".join(f"crisis_cli.play.{one}" for one in modules)
    code += "; sys.exit('click' in sys.modules or 'crisis_cli.output' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
