"""Every `to_dict()` is the object that the command line prints with --json, for the same seed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import FRESH_SEED, NOW, PAIRS, Player, slow_but

import crisis_cli as crisis

systems = pytest.mark.parametrize("system", PAIRS)


@pytest.fixture
def player(tmp_path: Path) -> Player:
    """Somebody at the command line, in a folder of their own."""
    folder = tmp_path / "by-hand"
    folder.mkdir()
    return Player(folder)


@pytest.fixture
def library(tmp_path: Path) -> crisis.Library:
    """What a program has in another folder."""
    folder = tmp_path / "program"
    folder.mkdir()
    return crisis.Library(str(folder), clock=lambda: NOW, fresh_seed=lambda: FRESH_SEED)


def same(record: dict[str, Any], *others: dict[str, Any]) -> None:
    """Assert that records are equal, key for key in the same order."""
    for other in others:
        assert record == other
        assert list(record) == list(other)


# Expressions


@pytest.mark.parametrize("expression", ["3d6+2", "4d6kh3", "d20>=12", "d6!", "(2d6)*3", "6d10>7", "2"])
def test_a_roll(player: Player, expression: str) -> None:
    record = player.ok("roll", expression, "--seed", "5", "--json").record
    same(crisis.roll(expression, seed=5).to_dict(), record)


@pytest.mark.parametrize("expression", ["3#2d6", "3#4d6kh3"])
def test_each_row_of_a_roll_that_is_repeated(player: Player, expression: str) -> None:
    records = player("roll", expression, "--seed", "5", "--json").records
    roll = crisis.roll(expression, seed=5)
    assert [row.to_dict() for row in roll.rows] == records
    assert len(records) == 3 and int(roll) == sum(int(row) for row in roll.rows)


def test_a_roll_of_given_faces(player: Player) -> None:
    record = player.ok("roll 3d6 --dice 6,1,4 --json").record
    same(crisis.roll("3d6", faces=[6, 1, 4]).to_dict(), record)


@pytest.mark.parametrize("expression", ["3d6+2", "4d6kh3", "d20>=12", "d6!", "6d10>7"])
def test_odds(player: Player, expression: str) -> None:
    same(crisis.odds(expression).to_dict(), player.ok("odds", expression, "--json").record)


def test_a_comparison(player: Player) -> None:
    record = player.ok("odds 2d6 --compare d12 --json").record
    same(crisis.compare("2d6", "d12").to_dict(), record)


# Single actions


@systems
@pytest.mark.parametrize("verb", ["attack", "throw"])
def test_attacks(player: Player, library: crisis.Library, system: str, verb: str) -> None:
    one, other = PAIRS[system]
    shown = player(verb, one, other, "--seed", "3", "--json")
    if shown.status:
        with pytest.raises(crisis.CrisisError) as caught:
            library.do(verb, one, other, seed=3)
        assert caught.value.code == shown.error["code"]
        return
    same(library.do(verb, one, other, seed=3).to_dict(), shown.record)
    explained = player.ok(verb, one, other, "--seed", "3", "--json", "--explain").record
    same(library.do(verb, one, other, seed=3).to_dict(explain=True), explained)


@systems
def test_treatments(player: Player, library: crisis.Library, system: str) -> None:
    one, _ = PAIRS[system]
    shown = player("heal", one, "--seed", "3", "--json")
    if shown.status:
        with pytest.raises(crisis.CrisisError) as caught:
            library.heal(one, seed=3)
        assert caught.value.code == shown.error["code"]
        return
    same(library.heal(one, seed=3).to_dict(), shown.record)


SKILLS = {
    "3d6": "melee",
    "step": "vigilance",
    "d100": "combat",
    "2d20": "athletics",
    "d6pool": "reaction",
}


@systems
def test_checks(player: Player, library: crisis.Library, system: str) -> None:
    one, _ = PAIRS[system]
    shown = player("check", one, SKILLS[system], "--seed", "3", "--json")
    if shown.status:
        with pytest.raises(crisis.CrisisError) as caught:
            library.check(one, SKILLS[system], seed=3)
        assert caught.value.code == shown.error["code"], shown.error
        return
    same(library.check(one, SKILLS[system], seed=3).to_dict(), shown.record)


@systems
def test_chances(player: Player, library: crisis.Library, system: str) -> None:
    one, other = PAIRS[system]
    record = player.ok("odds", "attack", one, other, "--json").record
    same(library.chances("attack", one, other).to_dict(), record)


# A whole fight


def opened(player: Player, library: crisis.Library, system: str, file: str) -> crisis.Fight:
    """A fight that is opened by hand and by a program, in memory or in a file."""
    one, other = PAIRS[system]
    record = player.ok("init", one, "--vs", other, "--open", "--seed", "9", "--json").record
    fight = library.begin(one, vs=other, seed=9, plays="none", file=file, apart=0)
    same(fight.log[0].to_dict(), record)
    return fight


def told(fight: crisis.Fight, rounds: int = 2) -> Iterator[crisis.Result]:
    """What is done in a fight, for some rounds."""
    while not fight.decided and fight.state.round <= rounds:
        yield from fight.play_on(until="turn")


@pytest.mark.parametrize("system", slow_but(PAIRS, "3d6", "d100"))
@pytest.mark.parametrize("file", ["", "crisis.jsonl"])
def test_a_fight(player: Player, library: crisis.Library, system: str, file: str) -> None:
    one, other = PAIRS[system]
    fight = library.begin(one, vs=other, seed=9, plays="none", file=file)
    done = [result.to_dict() for result in told(fight)]
    assert len(done) > 2
    if not file:
        fight.write("crisis.jsonl")
    player.here = Path(str(library.folder))
    entries = player.ok("log --json").records
    assert [result.to_dict() for result in fight.log] == entries
    assert done == entries[1:]
    explained = player.ok("log --json --explain").records
    assert [result.to_dict(explain=True) for result in fight.log] == explained
    same(fight.state.to_dict(), player.ok("status --json").record)
    same(fight.state.to_dict(spoilers=True), player.ok("status --spoilers --json").record)
    same(fight.explain().to_dict(), player.ok("explain --json").record)
    same(fight.explain(1).to_dict(), player.ok("explain 1 --json").record)
    same(fight.recap().to_dict(), player.ok("log --recap --json").record)
    if not fight.decided:
        one, other = fight.state.fighters
        shown = player("odds", "attack", other, "--by", one, "--json")
        if shown.status == 0:
            same(fight.chances("attack", other, by=one).to_dict(), shown.record)
    if file:
        verified = player.ok("verify --json").record
        assert [one.to_dict() for one in fight.verify()] == verified["differences"]


def test_what_ends(player: Player, library: crisis.Library) -> None:
    fight = opened(player, library, "3d6", "crisis.jsonl")
    record = player("end --no-save --yes --json").record
    ended = fight.end(save=False)
    same(ended.to_dict(), record)
    assert [{"line": f"crisis {step.line}", "why": step.why} for step in ended.next] == record.pop("next")
    same(fight.log[-1].to_dict(), record)
    assert ended.archive in os.listdir(library.folder)
    journal, player.here = library.journal(ended.archive), Path(library.folder)
    entries = player.ok("log", ended.archive, "--json").records
    assert [result.to_dict() for result in journal.log] == entries
    recap = player.ok("log", ended.archive, "--recap", "--json").record
    same(journal.recap().to_dict(), recap)
    for form in ("markdown", "lonelog", "script"):
        assert journal.export(form) == player.ok("log", ended.archive, f"--{form}").out
    assert journal.verify() == [] and journal.state.ended and journal.state_at(1).turn


# Many fights


def test_simulated_fights(player: Player, library: crisis.Library) -> None:
    record = player.ok("simulate jack --vs drone -n 20 --seed 4 --json").record
    simulated = library.simulate("jack", vs="drone", fights=20, seed=4)
    same(simulated.to_dict(), record)
    assert simulated.wins()["players"].to_dict() == record["wins"]["players"]


def test_simulated_fights_from_here(player: Player, library: crisis.Library) -> None:
    fight = opened(player, library, "3d6", "")
    record = player.ok("simulate --from-crisis -n 20 --seed 4 --json").record
    same(fight.simulate(fights=20, seed=4).to_dict(), record)


@pytest.mark.slow
def test_a_duel(player: Player, library: crisis.Library) -> None:
    record = player.ok("odds duel bruno marshal --json").record
    duel = library.duel("bruno", "marshal")
    same(duel.to_dict(), record)
    assert {side: {"p": chance} for side, chance in duel.chances.items()} == record["wins"]


@pytest.mark.slow
def test_a_foe(player: Player, library: crisis.Library) -> None:
    record = player.ok("foe brute --against jack --seed 3 -n 50 --json").record
    same(library.foe("brute", against=["jack"], seed=3, fights=50).to_dict(), record)
    saved = player.ok("foe brute --against jack --seed 3 -n 50 --save gate.toml --json").record
    foe = library.foe("brute", against=["jack"], seed=3, fights=50)
    assert foe.save("gate.toml") == "gate.toml"
    same(foe.to_dict("gate.toml"), saved)
    assert Path(library.folder, "gate.toml").read_bytes() == (player.here / "gate.toml").read_bytes()
    for name, code in (("gate.toml", "exists"), ("gate.txt", "bad_value")):
        with pytest.raises(crisis.CrisisError) as caught:
            foe.save(name)
        assert caught.value.code == code


# The oracle and tables


@pytest.mark.parametrize("odds", ["even", "likely", "40"])
def test_questions(player: Player, library: crisis.Library, odds: str) -> None:
    record = player.ok("oracle", "Is it locked?", "--odds", odds, "--seed", "5", "--json").record
    same(library.ask("Is it locked?", odds=odds, seed=5).to_dict(), record)


def test_rows_of_tables(player: Player, library: crisis.Library) -> None:
    records = player.ok("tables roll twists names -n 2 --seed 5 --json").records
    assert [row.to_dict() for row in library.draw("twists", "names", times=2, seed=5)] == records


def test_questions_and_rows_in_a_fight(player: Player, library: crisis.Library) -> None:
    fight = opened(player, library, "3d6", "")
    record = player.ok("oracle", "Is it locked?", "--seed", "5", "--json").record
    same(fight.ask("Is it locked?", seed=5).to_dict(), record)
    records = player.ok("tables roll twists --seed 6 --json").records
    assert [row.to_dict() for row in fight.draw("twists", seed=6)] == records


# What is done at the table


TABLE: list[tuple[str, Callable[[crisis.Fight], list[crisis.Result]]]] = [
    ("note 'It rains.'", lambda fight: fight.note("It rains.")),
    ("set jack endurance 9 --why rain", lambda fight: fight.set("jack", "endurance", 9, why="rain")),
    ("set jack prone on", lambda fight: fight.set("jack", "prone", True)),
    ("set jack at 3,4", lambda fight: fight.set("jack", "at", (3, 4))),
    ("join ada", lambda fight: fight.join("ada")),
    ("leave drone", lambda fight: fight.leave("drone")),
    ("auto jack on", lambda fight: fight.auto("jack")),
    ("next", lambda fight: fight.next()),
    ("undo", lambda fight: fight.undo()),
    ("redo", lambda fight: fight.redo()),
]


def test_what_is_done_at_the_table(player: Player, library: crisis.Library) -> None:
    fight = opened(player, library, "3d6", "")
    for line, act in TABLE:
        shown = player(f"{line} --json")
        if shown.status:
            with pytest.raises(crisis.CrisisError) as caught:
                act(fight)
            assert caught.value.code == shown.error["code"], shown.error
            continue
        results = [result.to_dict() for result in act(fight)]
        done = {"undo": "undone", "redo": "redone"}.get(line)
        if done:
            assert [one["number"] for one in results] == [one[done] for one in shown.records], line
            continue
        assert results == shown.records, line


@systems
def test_what_is_legal(player: Player, library: crisis.Library, system: str) -> None:
    """Every row of what a fighter can do, tried with one seed by its line and by its words and options."""
    one, other = PAIRS[system]
    fight = library.begin(one, vs=other, seed=9, plays="all", apart=0, file="crisis.jsonl")
    for _ in range(20):
        if isinstance(fight.waiting, crisis.Act):
            break
        fight.answer(None)
    player.here = Path(library.folder)
    rows = [row for row in fight.legal() if row.intent.action != "next"]
    tried = 0
    for row in rows[:12]:
        shown = player(f"{row.line} --dry-run --no-responses --seed 3 --json")
        intent = row.intent
        how: dict[str, Any] = {"seed": 3, "dry_run": True, "responses": False, **intent.options}
        targets = [name for name in intent.targets if name != intent.actor]
        try:
            done = fight.do(intent.action, *targets, **how)
        except crisis.CrisisError as error:
            assert shown.status and shown.error["code"] == error.code, (row.line, error, shown)
            continue
        if fight.waiting and not isinstance(fight.waiting, crisis.Act):
            fight.take_back()
            continue
        assert [result.to_dict() for result in done] == shown.records, row.line
        tried += 1
    assert tried
