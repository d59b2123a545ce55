"""Crises exported as lines for `crisis run`: the lines do the same again."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Player, Sheets

from crisis_cli.cli import cli
from crisis_cli.commands.run import _words
from crisis_cli.conformance import casebook
from crisis_cli.context import context_of
from crisis_cli.engine.events import Event
from crisis_cli.engine.journal import Crisis, entry_record, header, read_back
from crisis_cli.engine.record import Entry
from crisis_cli.engine.scene import Intent, Scene
from crisis_cli.engine.system import System
from crisis_cli.preview import plan_of
from crisis_cli.sheets import journal_file
from crisis_cli.story.command_line import command_line
from crisis_cli.systems import load
from story.fights import EVERY, SIDES, fought, read, seeds


def again(player: Player, script: str, folder: str = "again") -> Crisis:
    """The crisis that a script plays in a folder of its own, with the same sheets."""
    here = player.here / folder
    here.mkdir()
    other = Player(here)
    if (player.here / "characters").exists():
        own = Sheets(here / "characters")
        for path in (player.here / "characters").glob("*.toml"):
            own.write(path.stem, path.read_bytes())
    (here / "fight.txt").write_text(script, encoding="utf-8")
    shown = other("run fight.txt --quiet")
    assert shown.status == 0 and "error" not in shown.err, (shown.err, script)
    (journal,) = here.glob("crisis*.jsonl")
    return journal_file.read(journal, journal.name).crisis


def entries(crisis: Crisis, given: bool = True) -> list[dict[str, Any]]:
    """The entries in force as a journal holds them, without numbers and reasons."""
    found = []
    for entry in crisis.done:
        record = json.loads(json.dumps(entry_record(entry)))
        del record["entry"]
        record["intent"]["options"].pop("reason", None)
        for sheet in record["intent"]["options"].get("fighters", ()):
            sheet.pop("file", None)
        for event in record["events"]:
            if event[1] == "fighter":
                event[3].pop("file", None)
        for choice in record.get("choices", ()):
            # Only a player is asked, or not, and has answers that hold for later ones.
            del choice[4:]
            if choice[3:] == [{}]:
                del choice[3:]
        if not given:
            for roll in record.get("rolls", ()):
                roll.pop("given", None)
        found.append(record)
    return found


def same(one: Crisis, other: Crisis) -> None:
    """Hold two crises to be the same but for when they were opened, numbering and reasons."""
    assert entries(other) == entries(one)
    assert other.scene == one.scene._replace(
        fighters={
            name: fighter._replace(file=other.scene.fighters[name].file)
            for name, fighter in one.scene.fighters.items()
        }
    )
    assert other.seed == one.seed


@pytest.mark.parametrize("seed", seeds(1, 100))
@pytest.mark.parametrize("system", EVERY)
def test_an_exported_fight_runs_to_the_same_end(tmp_path: Path, system: str, seed: int) -> None:
    player, name = fought(tmp_path, system, seed)
    crisis, _ = read(tmp_path)
    same(crisis, again(player, player.ok(f"log {name} --script").out))


def fought_at_random(player: Player, system: str, seed: int, most: int = 30) -> Crisis:
    """A fight in which each fighter does at random one of all the things that the rules allow it."""
    chance, (ours, theirs) = random.Random(seed), SIDES[system]
    player.ok(f"init {ours} --vs {theirs} --open --seed {seed}")
    for _ in range(most):
        player(chance.choice([*player.ok("act --list --quiet").lines, "next"]))
        if player.ok("status --json").record["decided"]:
            break
    player("end --no-save --yes")
    return read(player.here)[0]


@pytest.mark.parametrize("seed", seeds(1, 100))
@pytest.mark.parametrize("system", EVERY)
def test_what_the_rules_allow_is_exported_whatever_it_is(crisis: Player, system: str, seed: int) -> None:
    """No doctrine plays: there are more kinds of actions in such a fight, and it is over in half a second."""
    fight = fought_at_random(crisis, system, seed)
    assert len(fight.done) > 5
    same(fight, again(crisis, crisis.ok("log", fight_journal(crisis), "--script").out))


def test_a_script_is_read_from_stdin(program: Any, tmp_path: Path) -> None:
    _, name = fought(tmp_path, "d100", 1)
    script = program("log", name, "--script").stdout
    assert program("run", "-", "--quiet", input=script).returncode == 0
    journals = sorted(tmp_path.glob("crisis*.jsonl"))
    assert len(journals) == 2
    same(*(journal_file.read(path, path.name).crisis for path in journals))


def asked_fight(player: Player, system: str, seed: int, mine: bool = False) -> Crisis:
    """A fight with a player who answers at random, undoes, notes, and asks for new dice."""
    chance, (ours, theirs) = random.Random(seed), SIDES[system]

    def answer(prompt: str) -> str:
        return str(chance.randint(1, 4)) if "throw" in prompt else chance.choice(("1", "2", "3", ""))

    player(f"init {ours} --vs {theirs} --open --seed {seed}")
    for _ in range(25):
        status = player.ok("status --json").record
        if status["decided"]:
            break
        fighters = {one["name"]: one for one in status["fighters"]}
        me = fighters[status["actor"]]
        foes = [name for side, names in status["standing"].items() for name in names if side != me["side"]]
        what = chance.random()
        if what < 0.7:
            how = chance.choice(
                (["--mine"],) if mine else (["--seed", "5"], ["--why", "a # \\"], ["--force"], [])
            )
            if player("attack", chance.choice(foes), *how, answers=answer).status:
                player("next")
        elif what < 0.75:
            player("undo --fresh")
        elif what < 0.8:
            player("note", "a", "#", "note\\")
        elif what < 0.85:
            player("set", chance.choice([*fighters]), "condition:prone", "on")
        else:
            player("act", "aim" if what < 0.95 else "stand-up")
    player("end --no-save --yes --why 'enough of this'")
    return read(player.here)[0]


@pytest.mark.parametrize("seed", seeds(1, 30))
@pytest.mark.parametrize("system", EVERY)
def test_what_a_player_was_asked_is_answered_the_same(crisis: Player, system: str, seed: int) -> None:
    fight = asked_fight(crisis, system, seed)
    script = crisis.ok("log", fight_journal(crisis), "--script").out
    ordered = [
        [[{**one, "events": sorted(one["events"], key=str)} for one in entries(which)]]
        for which in (fight, again(crisis, script))
    ]
    # Marks that an undo has put back are cleared in another order.
    assert ordered[0] == ordered[1]


def fight_journal(player: Player) -> str:
    (journal,) = player.here.glob("crisis-*.jsonl")
    return journal.name


@pytest.mark.parametrize("system", EVERY)
def test_typed_dice_come_again_as_given_ones(crisis: Player, system: str) -> None:
    fight = asked_fight(crisis, system, 1, mine=True)
    script = crisis.ok("log", fight_journal(crisis), "--script").out
    assert "--dice" in script
    # The dice of the other side, which the program threw, are given as well.
    assert entries(again(crisis, script), given=False) == entries(fight, given=False)


def test_whatever_the_table_does_is_exported(crisis: Player, sheets: Sheets) -> None:
    for line in (
        "init jack --vs drone --open --seed 4 --doctrine jack=coward --set drone.armour.dr=0 --surprise jack",
        "next",
        "join ada --place ada=1,1.5",
        "join --vs drone:2 --group",
        "leave drone-1",
        "join drone-1",
        "leave drone-2 --surrender --by drone-2",
        "set jack at 3,4",
        "set jack at none",
        "set jack held none",
        "set jack held baton --why 'a \"reason\" of his'",
        "set ada ammo:pistol 1",
        "set drone health 3",
        "set drone cover:jack heavy",
        "set drone condition:prone on",
        "set drone condition:prone off",
        "set drone yielded yes",
        "set drone yielded no",
        "set order ada,jack,drone",
        "note it # rains",
        "auto jack on",
        "auto jack off",
        "auto drone careful",
        "check ada stealth --difficulty 12 --by ada",
        "check ada stealth --vs drone melee --by ada --mod -2",
        "attack drone --by jack --force --dice 6,6,5 --mod -1",
        "attack drone --by ada --force --seed 9 --weapon pistol --range 3 --cover light --why 'for Jack'",
        "heal jack --by jack --force --item bandage",
        "undo --fresh",
        "redo",
        "act jack move --to 1,1.5 --force",
        "end --why done",
    ):
        shown = crisis(line)
        assert shown.status == 0, (line, shown.err)
    # The sheets that the end has saved are as they were before.
    for path in (crisis.here / "characters").glob("*.toml"):
        crisis.ok(f"character reset {path.stem}")
    one, script = read(crisis.here)[0], crisis.ok("log", fight_journal(crisis), "--script").out
    other = again(crisis, script)
    assert entries(other) == entries(one)
    assert other.scene.fighters["Drone"].sheet == one.scene.fighters["Drone"].sheet


def test_an_open_crisis_is_exported_as_far_as_it_went(fight: Player) -> None:
    fight.ok("attack drone --dice 6,6,5")
    crisis = again(fight, fight.ok("log --script").out)
    assert entries(crisis) == entries(journal_file.read(fight.journal, "").crisis)
    assert not crisis.scene.over


def test_two_at_one_spot_share_it(crisis: Player, sheets: Sheets) -> None:
    places = "--place jack=0,0 ada=1,0 drone=9,0"
    crisis.ok(f"init jack ada --vs drone --open {places} --dice 6,6,6,3,3,3,1,1,1")
    assert "Ada stands there" in crisis.refused(3, "act jack move --to 1,0").err
    crisis.ok("act jack move --to 1,0 --share")
    assert "--share" in crisis.ok("log --script").out


def test_those_who_surrender_stay(fight: Player) -> None:
    record = fight.ok("leave drone --surrender --json").record
    assert record["action"] == "yield"
    drone = fight.fighter("Drone")
    assert drone["yielded"] and not drone["gone"]
    assert fight.ok("status --json").record["decided"]


@pytest.mark.parametrize(("choose", "taken"), [("keep", ["keep"]), ("luck", ["luck"]), ("", None)])
def test_a_choice_answers_the_question_that_offers_it(
    crisis: Player, choose: str, taken: list[str] | None
) -> None:
    crisis.ok("init cass --vs ghoul --open --seed 3 --place cass=0,0 ghoul=1,0")
    given = f"--choose {choose}" if choose else ""
    shown = crisis.ok(f"attack ghoul --by cass --force --seed 2 {given} --json").record
    assert [one["taken"] for one in shown.get("choices", ())] == (taken or []), shown


@pytest.mark.parametrize(
    ("choose", "status", "code"),
    [("dodge", 2, "wrong_choice"), ("none,none", 2, "wrong_choice"), (",", 2, "")],
)
def test_choices_that_nothing_offers_are_an_error(fight: Player, choose: str, status: int, code: str) -> None:
    error = fight.refused(status, f"attack drone --dice 6,6,5 --choose {choose} --json").error
    assert not code or error["code"] == code
    assert "choices" in error["message"]


def meant(player: Player, scene: Scene, line: str) -> Intent:
    """The intent of a line in a crisis with this scene."""
    head = header("0", scene.system, 1, "2026-11-20T19:07:02Z", scene.fighters.values(), scene.sides)
    fresh = Scene("", {})
    events = [
        Event("", what, getattr(fresh, what), now)
        for what in ("order", "round", "turn", "teams", "group", "scores", "early")
        if (now := getattr(scene, what)) != getattr(fresh, what)
    ]
    player.journal.unlink(missing_ok=True)
    entry = Entry(1, Intent("note"), events=tuple(events))
    journal_file.create(player.journal, "crisis.jsonl", read_back((head, entry_record(entry)), load))
    context = context_of(player.environment(is_interactive=False))
    words = _words(context, line)
    return plan_of(cli, context, words)[0].intent


def allowed(system: System) -> Iterator[tuple[Scene, Intent]]:
    """Every intent of a casebook that commands can make and the rules allow, with a scene in which it is meant."""
    book = casebook.books()[system.name]
    for case in book["case"]:
        for step in case.get("do", [case] if "intent" in case else []):
            intent = casebook.intent(system, book, step["intent"]) if "refused" not in step else Intent("")
            row = system.actions.get(intent.action)
            if row is None or row.window == "table" or "newcomers" in step["intent"]:
                continue
            scene = casebook.opening(system, book, case)
            if intent.actor in scene.fighters and "difficulty" not in intent.options:
                options = {key: value for key, value in intent.options.items() if value is not False}
                targets = intent.targets or ((intent.actor,) if row.targets == "patient" else ())
                turn = scene._replace(open=True, turn=intent.actor)
                yield turn, intent._replace(options=options, targets=targets)


@pytest.mark.parametrize("name", EVERY)
def test_a_line_means_the_intent_that_it_was_made_of(crisis: Player, name: str) -> None:
    system = load(name)
    checked = 0
    for scene, intent in allowed(system):
        line = command_line(system, scene, intent)
        got, wanted = (json.dumps(one, sort_keys=True) for one in (meant(crisis, scene, line), intent))
        assert got == wanted, line
        checked += 1
    assert checked > 30
