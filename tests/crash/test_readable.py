"""What is written can be read: the reader's own check passes before a byte is written, else nothing is done."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from conftest import Player, Sheets, replace

from crisis_cli.engine.changes import Changes
from crisis_cli.engine.scene import Intent, Scene
from crisis_cli.engine.setup import Setup
from crisis_cli.engine.system import System

ANN = 'name = "Ann"\nsystem = "tiny"\n'
BOB = 'name = "Bob"\nsystem = "tiny"\nplayer = false\nguard = 1\n'
PAIR = Path(__file__).parent.parent / "journals" / "d6pool-pair-5.jsonl"
Effects = Callable[[Changes, Intent, Setup, Any], None]


def putting(who: str, what: str, value: object) -> Effects:
    """The effects of a rulebook that brings something to a value it cannot have."""
    return lambda changes, intent, setup, outcome: changes.assign(who, what, value, "TINY-2")


@pytest.fixture
def duel(
    crisis: Player, sheets: Sheets, tiny: System, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Player]:
    """A duel of Ann and Bob in the tiny system, whose attack is then changed."""

    def begun(**changes: Any) -> Player:
        sheets.write("ann", ANN)
        sheets.write("bob", BOB)
        crisis.ok("init ann bob --open")
        broken = replace(tiny, actions={**tiny.actions, "attack": tiny.actions["attack"]._replace(**changes)})
        monkeypatch.setattr(import_module("crisis_cli.systems.tiny.rulebook"), "SYSTEM", broken)
        return crisis

    return begun


BAD_EVENTS = {
    "a pool that is half a number": (putting("Bob", "grit", 1.5), "grit of Bob has a wrong value"),
    "a pool that is true": (putting("Bob", "grit", True), "grit of Bob has a wrong value"),
    "cover that is a number": (putting("Bob", "cover:Ann", 3), "cover:Ann of Bob has a wrong value"),
    "an unknown pool": (putting("Bob", "luck", 3), "Bob has no weapon or item called 'luck'"),
    "an order with a stranger": (putting("", "order", ("Ann", "Zed")), "no fighter here is called 'Zed'"),
    "a share": (putting("Bob", "grit", Fraction(1, 2)), "events 2 4 is Fraction(1, 2)"),
    "a pool beyond measure": (putting("Bob", "grit", 10**12), "grit of Bob has a wrong value"),
}


@pytest.mark.parametrize("what", BAD_EVENTS)
def test_an_action_whose_events_cannot_be_read_back_is_refused(
    duel: Callable[..., Player], what: str
) -> None:
    effects, said = BAD_EVENTS[what]
    table = duel(effects=effects)
    refused = table.refused(4, "attack bob --json")
    error = json.loads(refused.err.splitlines()[-1])["error"]
    assert error["code"] == "bad_system"
    assert "the rulebook tiny" in error["message"] and said in error["message"], error
    assert "nothing was recorded" in error["message"]
    table.ok("next")
    table.ok("undo")
    assert table.ok("verify --json").record["verified"] is True


def test_a_stake_that_json_does_not_have_is_refused_with_its_place(duel: Callable[..., Player]) -> None:
    def setup(scene: Scene, intent: Intent) -> Setup:
        return Setup(("Ann", Fraction(7, 2)))

    table = duel(
        setup=setup, rule=lambda table, setup: None, effects=lambda changes, intent, setup, outcome: None
    )
    assert "stake 2 is Fraction(7, 2)" in table.refused(4, "attack bob").err
    table.ok("status")


def test_a_truth_among_the_parts_of_a_change_counts_one(duel: Callable[..., Player]) -> None:
    def effects(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
        number = changes.number("TINY-2").add("grazed", -1).add("lucky", True)
        changes.adjust("Bob", "grit", number.add("pierced", -1), "TINY-2")

    table = duel(effects=effects)
    table.ok("attack bob")
    table.ok("undo")
    table.ok("redo")
    parts = table.ok("log --json").records[-1]["effects"][-1]["parts"]
    assert [part["value"] for part in parts] == [-1, 1, -1]
    assert table.ok("verify --json").record["verified"] is True


def test_a_crisis_that_could_not_be_read_is_not_opened(
    crisis: Player, sheets: Sheets, tiny: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheets.write("ann", ANN)
    sheets.write("bob", BOB)
    line_up = tiny.actions["init"].effects

    def effects(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
        line_up(changes, intent, setup, outcome)
        changes.assign("", "scores", {"Ann": Fraction(1, 3)})

    row = tiny.actions["init"]._replace(effects=effects)
    broken = replace(tiny, actions={**tiny.actions, "init": row})
    monkeypatch.setattr(import_module("crisis_cli.systems.tiny.rulebook"), "SYSTEM", broken)
    assert "Fraction(1, 3)" in crisis.refused(4, "init ann bob --open").err
    assert "Fraction(1, 3)" in crisis.refused(4, "play ann bob --auto --no-journal").err


def test_a_sheet_that_could_not_be_read_is_not_written(
    duel: Callable[..., Player], tiny: System, sheets: Sheets, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = duel()
    table.ok("attack bob --dice 6")
    monkeypatch.setattr(
        "crisis_cli.sheets.save_sheets.lasting",
        lambda system, one: {"held": ["a lance"] if one.pools["grit"] < 2 else None},
    )
    before = table.files()
    shown = table("end")
    assert shown.status == 4 and "would not be a sheet that can be read" in shown.err, shown
    assert "--no-save" in shown.err
    assert table.files() == before


def test_a_journal_with_the_boolean_of_an_older_version_is_read_undone_and_ended(crisis: Player) -> None:
    crisis.journal.write_bytes(PAIR.read_bytes())
    assert crisis.ok("verify --json").record["verified"] is True
    crisis.ok("log --explain")
    crisis.ok("next")
    crisis.ok("undo 2")
    crisis.ok("redo 2")
    assert crisis.ok("verify --json").record["verified"] is True
    assert crisis("end").status == 0


def test_a_journal_with_what_costs_more_ap_than_a_sheet_may_have_now_is_read(crisis: Player) -> None:
    text = (PAIR.parent / "step-fight.jsonl").read_text("utf-8")
    assert text.count('"reload":2') > 1
    (crisis.here / "old.jsonl").write_text(text.replace('"reload":2', '"reload":9'), "utf-8")
    assert (
        crisis.ok("replay old.jsonl").lines == crisis.ok(f"replay {PAIR.parent / 'step-fight.jsonl'}").lines
    )


SIDES = """
name = "{name}"
system = "d100"
player = {player}
health = 9
{team}
"""


@pytest.mark.parametrize("teams", [("", "", "wolves"), ("", "", "wolves", "town")])
def test_a_fight_of_three_sides_and_more_opens_and_goes_on(
    crisis: Player, sheets: Sheets, teams: tuple[str, ...]
) -> None:
    names = ["ann", "bob", "cid", "dan"][: len(teams)]
    for at, (name, team) in enumerate(zip(names, teams, strict=True)):
        said = f'team = "{team}"' if team else ""
        sheets.write(name, SIDES.format(name=name.title(), player=str(not at).lower(), team=said))
    crisis.ok(f"init {' '.join(names)} --open --seed 1")
    crisis.ok("next")
    crisis.ok("undo")
    for name in names:
        sheets.write(f"new-{name}", SIDES.format(name=f"New {name}", player="false", team='team = "wolves"'))
    crisis.ok("join new-cid new-dan" if len(names) > 3 else "join new-cid")
    assert crisis.ok("verify --json").record["verified"] is True
    assert crisis("end").status == 0
    shown = crisis(f"play {' '.join(names)} --auto --seed 2 --file other.jsonl")
    assert shown.status == 0, shown
