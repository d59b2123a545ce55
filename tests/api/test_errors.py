"""Errors: after any of them the fight is as it was and waits for the same; wrong types are Usage, not tracebacks."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import FRESH_SEED, NOW, ROOT

import crisis_cli as crisis

CODES = (ROOT / "crisis_cli" / "manual" / "text" / "json.md").read_text("utf-8")
WRONG: tuple[Any, ...] = (
    5,
    2.5,
    True,
    None,
    object(),
    b"jack",
    [5],
    [None],
    {"a": 1},
    {"name": "X"},
    set(),
    ("jack", 5),
)
"""What is no text."""


def library(folder: Path) -> crisis.Library:
    return crisis.Library(str(folder), clock=lambda: NOW, fresh_seed=lambda: FRESH_SEED)


def fails(act: Callable[[], object]) -> crisis.CrisisError | None:
    """The error that something ends with, which is one of those that are documented; None where it ends well."""
    try:
        act()
    except crisis.CrisisError as error:
        assert isinstance(error, (crisis.Usage, crisis.Refused, crisis.FileError))
        assert f"`{error.code}`" in CODES, error.code
        assert error.message and isinstance(error.hint, str)
        return error
    return None


@pytest.fixture
def fight(tmp_path: Path) -> crisis.Fight:
    """A fight in which Jack is to act."""
    begun = library(tmp_path).begin("jack", vs="drone", seed=4)
    begun.play_on()
    assert isinstance(begun.waiting, crisis.Act)
    return begun


ACTS: dict[str, Callable[[Any, Any], object]] = {
    "action": lambda fight, wrong: fight.do(wrong),
    "target": lambda fight, wrong: fight.attack(wrong),
    "by": lambda fight, wrong: fight.attack("drone", by=wrong),
    "seed": lambda fight, wrong: fight.attack("drone", seed=wrong),
    "faces": lambda fight, wrong: fight.attack("drone", faces=wrong),
    "choices": lambda fight, wrong: fight.attack("drone", choices=wrong),
    "weapon": lambda fight, wrong: fight.attack("drone", weapon=wrong),
    "range": lambda fight, wrong: fight.attack("drone", range=wrong),
    "cover": lambda fight, wrong: fight.attack("drone", cover=wrong),
    "mod": lambda fight, wrong: fight.attack("drone", mod=wrong),
    "at": lambda fight, wrong: fight.attack(at=wrong),
    "force": lambda fight, wrong: fight.attack("drone", force=wrong),
    "why": lambda fight, wrong: fight.attack("drone", why=wrong),
    "to": lambda fight, wrong: fight.do("move", to=wrong),
    "heal": lambda fight, wrong: fight.heal(wrong),
    "item": lambda fight, wrong: fight.heal(item=wrong),
    "skill": lambda fight, wrong: fight.check(wrong),
    "difficulty": lambda fight, wrong: fight.check("melee", difficulty=wrong),
    "vs": lambda fight, wrong: fight.check("melee", vs=wrong),
    "next": lambda fight, wrong: fight.next(wrong),
    "note": lambda fight, wrong: fight.note(wrong),
    "set who": lambda fight, wrong: fight.set(wrong, "endurance", 3),
    "set what": lambda fight, wrong: fight.set("jack", wrong, 3),
    "set value": lambda fight, wrong: fight.set("jack", "endurance", wrong),
    "join": lambda fight, wrong: fight.join(wrong),
    "join vs": lambda fight, wrong: fight.join(vs=wrong),
    "leave": lambda fight, wrong: fight.leave(wrong),
    "auto": lambda fight, wrong: fight.auto(wrong),
    "doctrine": lambda fight, wrong: fight.auto("jack", doctrine=wrong),
    "ask": lambda fight, wrong: fight.ask(wrong),
    "odds": lambda fight, wrong: fight.ask("Is it?", odds=wrong),
    "draw": lambda fight, wrong: fight.draw(wrong),
    "times": lambda fight, wrong: fight.draw("twists", times=wrong),
    "undo": lambda fight, wrong: fight.undo(wrong),
    "redo": lambda fight, wrong: fight.redo(wrong),
    "rewind": lambda fight, wrong: fight.rewind(wrong),
    "explain": lambda fight, wrong: fight.explain(wrong),
    "export": lambda fight, wrong: fight.export(wrong),
    "legal": lambda fight, wrong: fight.legal(wrong),
    "ranking": lambda fight, wrong: fight.ranking(wrong),
    "chances": lambda fight, wrong: fight.chances(wrong, "drone"),
    "simulate": lambda fight, wrong: fight.simulate(fights=wrong),
    "answer": lambda fight, wrong: fight.answer(wrong),
    "until": lambda fight, wrong: fight.play_on(until=wrong),
}


@pytest.mark.parametrize("what", ACTS)
def test_wrong_types_in_a_fight(fight: crisis.Fight, what: str) -> None:
    for wrong in (*WRONG, "", "nobody", "x" * 700, "3,4,5", -1, 2**80):
        request, before = fight.waiting, fight.log
        error = fails(lambda wrong=wrong: ACTS[what](fight, wrong))  # type: ignore[misc]
        if error is not None:
            assert (fight.waiting, len(fight.log)) == (request, len(before)), (what, wrong)
            assert [one.entry for one in fight.log] == [one.entry for one in before]
        elif len(fight.log) > len(before):
            fight.rewind(len(before))


MORE_ACTS: dict[str, Callable[[Any, Any], object]] = {
    "dice": lambda fight, wrong: setattr(fight, "dice", wrong),
    "seed of dice": lambda fight, wrong: setattr(fight, "dice", crisis.Dice(seed=wrong)),
    "actor": lambda fight, wrong: fight.answer(crisis.Intent("attack", wrong)),
    "targets": lambda fight, wrong: fight.answer(crisis.Intent("attack", "Jack", wrong)),
    "options": lambda fight, wrong: fight.answer(crisis.Intent("attack", "Jack", ("Drone",), wrong)),
    "top": lambda fight, wrong: fight.ranking(top=wrong),
    "on": lambda fight, wrong: fight.auto("jack", wrong),
    "write": lambda fight, wrong: fight.write(wrong),
    "title": lambda fight, wrong: fight.export("html", title=wrong),
}


@pytest.mark.parametrize("what", MORE_ACTS)
def test_what_no_value_of_python_can_be(fight: crisis.Fight, what: str) -> None:
    before = fight.log
    for wrong in (2.5, ["x", 3], {"x": 1}, object()):
        if what == "options" and isinstance(wrong, dict):
            continue
        request = fight.waiting
        error = fails(lambda wrong=wrong: MORE_ACTS[what](fight, wrong))  # type: ignore[misc]
        assert error is not None and fight.waiting == request, (what, wrong)
    assert [one.entry for one in fight.log] == [one.entry for one in before]


def test_what_is_read_of_a_state_changes_nothing(fight: crisis.Fight) -> None:
    pools = dict(fight.state.fighters["Jack"].pools)
    fight.state.fighters["Jack"].pools.update(health=1)  # type: ignore[attr-defined]
    assert fight.state.fighters["Jack"].pools == pools


def test_an_opening_that_is_taken_back_begins_anew(tmp_path: Path) -> None:
    fight = library(tmp_path).begin("hagen", vs="bandit", seed=0, plays="all", file="crisis.jsonl")
    assert isinstance(fight.waiting, crisis.Choose) and [*tmp_path.iterdir()] == []
    with pytest.raises(crisis.Refused) as caught:
        fight.end()
    assert caught.value.code == "no_crisis"
    fight.take_back()
    assert fight.play_on() == [] and isinstance(fight.waiting, crisis.Choose)
    while isinstance(fight.waiting, crisis.Choose):
        fight.answer(None)
    assert len(fight.log) == 1 and fight.verify() == []


LIBRARY_ACTS: dict[str, Callable[[Any, Any], object]] = {
    "who": lambda library, wrong: library.attack(wrong, "drone"),
    "target": lambda library, wrong: library.attack("jack", wrong),
    "action": lambda library, wrong: library.do(wrong, "jack"),
    "seed": lambda library, wrong: library.attack("jack", "drone", seed=wrong),
    "faces": lambda library, wrong: library.attack("jack", "drone", faces=wrong),
    "override": lambda library, wrong: library.attack("jack", "drone", override={"jack.armour.dr": wrong}),
    "key": lambda library, wrong: library.attack("jack", "drone", override={str(wrong): 3}),
    "range": lambda library, wrong: library.attack("jack", "drone", range=wrong),
    "check": lambda library, wrong: library.check("jack", wrong),
    "vs": lambda library, wrong: library.check("jack", "melee", vs=("drone", wrong)),
    "chances": lambda library, wrong: library.chances("attack", "jack", wrong),
    "begin": lambda library, wrong: library.begin(wrong),
    "begin vs": lambda library, wrong: library.begin("jack", vs=wrong),
    "encounter": lambda library, wrong: library.begin("jack", encounter=wrong),
    "apart": lambda library, wrong: library.begin("jack", vs="drone", apart=wrong),
    "place": lambda library, wrong: library.begin("jack", vs="drone", place={"jack": wrong}),
    "order": lambda library, wrong: library.begin("jack", vs="drone", order=wrong),
    "plays": lambda library, wrong: library.begin("jack", vs="drone", plays=wrong),
    "doctrines": lambda library, wrong: library.begin("jack", vs="drone", doctrines={"drone": wrong}),
    "option": lambda library, wrong: library.begin("jack", vs="drone", mod=wrong),
    "resume": lambda library, wrong: library.resume(wrong),
    "journal": lambda library, wrong: library.journal(wrong),
    "fights": lambda library, wrong: library.simulate("jack", vs="drone", fights=wrong),
    "rounds": lambda library, wrong: library.simulate("jack", vs="drone", fights=1, rounds=wrong),
    "doctrine": lambda library, wrong: library.simulate("jack", vs="drone", fights=1, doctrine=wrong),
    "retreat": lambda library, wrong: library.simulate("jack", vs="drone", fights=1, retreat_at=wrong),
    "duel": lambda library, wrong: library.duel("bruno", wrong),
    "role": lambda library, wrong: library.foe(wrong, against=["jack"], fights=1),
    "against": lambda library, wrong: library.foe("brute", against=wrong, fights=1),
    "level": lambda library, wrong: library.foe("brute", against=["jack"], fights=1, level=wrong),
    "ask": lambda library, wrong: library.ask(wrong),
    "draw": lambda library, wrong: library.draw(wrong),
    "without": lambda library, wrong: library.draw("twists", without=wrong),
    "sheet": lambda library, wrong: library.sheets.read(wrong),
    "overrides": lambda library, wrong: library.attack("jack", "drone", override=wrong),
    "places": lambda library, wrong: library.begin("jack", vs="drone", place=wrong),
    "all doctrines": lambda library, wrong: library.begin("jack", vs="drone", doctrines=wrong),
    "number": lambda library, wrong: crisis.odds("3d6").at_least(wrong),
    "values": lambda library, wrong: crisis.roll("3d6", values=wrong),
    "two against one": lambda library, wrong: library.duel(["bruno", "ines"], wrong),
    "folder": lambda library, wrong: crisis.Library(str(library.folder), characters=wrong),
    "no path": lambda library, wrong: library.begin("jack", vs="drone", file=f"{wrong}\0"),
}


@pytest.mark.parametrize("what", LIBRARY_ACTS)
def test_wrong_types_outside_a_fight(tmp_path: Path, what: str) -> None:
    ours = library(tmp_path)
    for wrong in (*WRONG, "", "nobody", "x" * 700, "3,4,5", -1, 2**80):
        if what in ("fights", "rounds", "level", "retreat", "sheet") and isinstance(wrong, (bool, int)):
            continue
        fails(lambda wrong=wrong: LIBRARY_ACTS[what](ours, wrong))  # type: ignore[misc]
        assert [*tmp_path.iterdir()] == []


def test_wrong_numbers_of_fights(tmp_path: Path) -> None:
    ours = library(tmp_path)
    for how in ({"fights": 0}, {"fights": -1}, {"fights": 1, "rounds": 0}, {"fights": 1, "retreat_at": 2}):
        with pytest.raises(crisis.Usage) as caught:
            ours.simulate("jack", vs="drone", **how)  # type: ignore[arg-type]
        assert caught.value.code == "bad_value"


@pytest.mark.parametrize("wrong", [*WRONG, "", "3x6"])
def test_wrong_types_of_expressions(wrong: Any) -> None:
    for act in (crisis.roll, crisis.odds, lambda said: crisis.compare("d6", said)):
        error = fails(lambda act=act: act(wrong))  # type: ignore[misc]
        assert error is not None


def test_an_option_that_no_system_has_is_named(fight: crisis.Fight) -> None:
    with pytest.raises(crisis.Usage, match=r"no option is called 'weapn' .did you mean weapon") as caught:
        fight.attack("drone", weapn="baton")
    assert caught.value.code == "unknown_option"


def test_a_question_stands_until_it_is_answered(tmp_path: Path) -> None:
    fight = library(tmp_path).begin("cass", vs="ghoul", seed=1, plays="all", apart=0)
    for _ in range(60):
        if not isinstance(fight.waiting, crisis.Act):
            break
        fight.answer(None)
    request = fight.waiting
    before = len(fight.log)
    for act in (
        lambda: fight.next(),
        lambda: fight.note("Rain."),
        lambda: fight.ask("Is it?"),
        lambda: fight.draw("twists"),
        lambda: fight.attack("ghoul", by="cass"),
    ):
        with pytest.raises(crisis.Refused) as caught:
            act()
        assert caught.value.code == "waiting"
        assert (fight.waiting, len(fight.log)) == (request, before)
    for wrong in ("nonsense", 5, object()):
        with pytest.raises(crisis.Usage):
            fight.answer(wrong)  # type: ignore[arg-type]
        assert (fight.waiting, len(fight.log)) == (request, before)
    assert isinstance(request, crisis.Choose) and request.what == "spend"
    assert request.usual in [option.name for option in request.options]
    for option in request.options:
        assert option.harm is None or option.harm >= 0
        assert option.unhurt is None or 0 <= option.unhurt <= 1
    fight.take_back()
    assert isinstance(fight.waiting, crisis.Act)


def test_nothing_is_asked_when_others_act(tmp_path: Path) -> None:
    fight = library(tmp_path).begin("jack", vs="drone", seed=4, plays="none")
    with pytest.raises(crisis.Refused) as caught:
        fight.answer(None)
    assert caught.value.code == "nothing_asked"


def test_the_codes_are_documented() -> None:
    """Those of programs alone, and where the errors are explained."""
    for code in ("waiting", "nothing_asked", "moved", "stopped", "named_twice", "unknown_option"):
        assert re.search(rf"`{code}`", CODES), code


# Sheets in memory

RAT = {
    "name": "Rat",
    "system": "3d6",
    "player": False,
    "skills": {"melee": 1},
    "weapons": {"teeth": {"kind": "melee", "damage": 2, "crit": 3}},
}


def test_a_mapping_is_a_sheet(tmp_path: Path) -> None:
    ours = library(tmp_path)
    fight = ours.begin("jack", vs=[RAT, RAT], seed=2)
    assert [*fight.state.fighters] == ["Jack", "Rat 1", "Rat 2"]
    assert [one.file for one in fight.state.fighters.values()][1:] == ["", ""]
    assert ours.attack("jack", RAT, seed=1).targets == ("Rat",)
    assert ours.check("jack", "melee", vs=(RAT, "melee"), seed=1).action == "check"
    fight.join({**RAT, "name": "Big Rat"}, vs=())
    assert "Big Rat" in fight.state.fighters
    assert {**RAT}["name"] == "Rat" and [*tmp_path.iterdir()] == []


def test_values_override_those_of_mappings(tmp_path: Path) -> None:
    ours = library(tmp_path)
    usual = ours.chances("attack", RAT, "jack").success
    better = ours.chances("attack", RAT, "jack", override={"rat.skills.melee": 3}).success
    assert usual is not None and better is not None and better > usual
    fight = ours.begin("jack", vs=RAT, override={"rat.skills.melee": 3}, seed=1)
    assert fight.state.fighters["Rat"].sheet["skills"]["melee"] == 3
    fight.join("ada")
    assert "Ada" in fight.state.fighters


def test_faults_of_mappings_are_named(tmp_path: Path) -> None:
    ours = library(tmp_path)
    with pytest.raises(crisis.FileError, match=r"skills\.melee"):
        ours.begin("jack", vs={**RAT, "skills": {"melee": "much"}})
    with pytest.raises(crisis.FileError, match="system"):
        ours.begin("jack", vs={"name": "Rat"})
    with pytest.raises(crisis.Usage, match="two sheets are called Rat") as caught:
        ours.begin("jack", vs=[RAT, {**RAT, "skills": {"melee": 2}}])
    assert caught.value.code == "named_twice"
