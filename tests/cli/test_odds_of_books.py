"""`crisis odds` for a small rulebook of its own: all that an action can begin or end, choices, rest."""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import Any, NamedTuple

import pytest
from conftest import Player, Sheets, replace

from crisis_cli.engine.system import System
from crisis_cli.rules import (
    Action,
    Changes,
    Condition,
    Field,
    Intent,
    MapOf,
    Mark,
    RuleTable,
    Section,
    Setup,
    Start,
    Whole,
    sheet,
)

icepool = pytest.importorskip("icepool")

ANN = 'name = "Ann"\nsystem = "tiny"\n[weapons.stick]\nbite = 1\n'
BOB = 'name = "Bob"\nsystem = "tiny"\nplayer = false\nguard = 3\n[weapons.club]\nbite = 2\n'


class Faces(NamedTuple):
    """What some dice came to."""

    success: bool
    total: int


def against(count: int, target: int) -> Any:
    """The rule of so many d6 whose sum must reach a number."""

    def rule(table: RuleTable, who: str) -> Faces:
        table.label("charm", who, f"{count}d6")
        total = sum(table.die(6) for _ in range(count))
        table.result(total=total, target=target, success=total >= target)
        return Faces(total >= target, total)

    return rule


def lull(changes: Changes, intent: Intent, setup: Setup, outcome: Faces) -> None:
    """A target falls asleep; by 11 it is worn out too, and Ann is no longer ready."""
    if outcome.success:
        changes.begin(intent.target, "asleep", "TINY-1")
    if outcome.total >= 11:
        changes.begin(intent.target, "tired", "TINY-1", changes.fighter(intent.target).level("tired") + 1)
        changes.mark(intent.actor, "ready", 0, "TINY-1")


def snatch(changes: Changes, intent: Intent, setup: Setup, outcome: Faces) -> None:
    """A target loses what it holds, and is marked by how much; noise wakes it in any case."""
    changes.end(intent.target, "asleep", "TINY-1")
    if outcome.success:
        for thing in changes.fighter(intent.target).held:
            changes.drop(intent.target, thing, "TINY-1")
        changes.mark(intent.target, "shamed", 2 if outcome.total == 6 else 1, "TINY-1")


def drain(changes: Changes, intent: Intent, setup: Setup, outcome: Faces) -> None:
    """A target loses all its grit: it is out, and no sleeper any more."""
    if outcome.success:
        changes.adjust(intent.target, "grit", -2, "TINY-1")


def charm(title: str, rule: Any, effects: Any) -> Action:
    """An action with dice on one target."""
    return Action(title, "TINY-1", lambda scene, intent: Setup(intent.actor), effects, rule, targets="one")


@pytest.fixture
def book(tiny: System, monkeypatch: pytest.MonkeyPatch) -> System:
    """A rulebook with conditions that do not outlast a fight, marks, and weapons to lose."""
    asleep = Condition("asleep", "TINY-2", lasting=False, cannot_act=True)
    tired = Condition("tired", "TINY-2", lasting=False, levels=True)
    out = tiny.conditions["out"]._replace(clears=("asleep",))
    system = replace(
        tiny,
        sheet=sheet(
            "tiny",
            {
                "guard": Field(Whole(1, 6), "what a blow must reach", "TINY-1", 4),
                "weapons": Field(
                    MapOf(Section({"bite": Field(Whole(0, 9), "harm", "TINY-1", 1)})), "arms", "TINY-1", {}
                ),
            },
            circumstance=("attack",),
            pools=("grit", "bandages"),
            conditions=("out", "asleep", "tired"),
        ),
        start=lambda values: Start(
            {"grit": 2, "bandages": 1, "go": 0},
            {"grit": (0, 2), "bandages": (0, 1), "go": (0, 1)},
            tuple(values["weapons"])[:1],
        ),
        conditions={"out": out, "asleep": asleep, "tired": tired},
        marks={"ready": Mark("crisis", "ready"), "shamed": Mark("crisis", "shamed by {count}")},
        actions={
            **tiny.actions,
            "lull": charm("Lull", against(2, 8), lull),
            "snatch": charm("Snatch", against(1, 5), snatch),
            "drain": charm("Drain", against(1, 6), drain),
        },
    )
    monkeypatch.setattr(sys.modules["crisis_cli.systems.tiny.rulebook"], "SYSTEM", system)
    return system


@pytest.fixture
def table(crisis: Player, sheets: Sheets, book: System) -> Player:
    """A player with the sheets of Ann and Bob."""
    sheets.write("ann", ANN)
    sheets.write("bob", BOB)
    return crisis


def exact(chance: dict[str, Any]) -> Fraction:
    """The fraction of a probability."""
    return Fraction(chance["exact"])


def test_conditions_that_end_with_the_fight_are_shown(table: Player) -> None:
    shown = table.ok("odds act ann lull bob").out
    assert "  Bob becomes  asleep 41.67 %, tired 8.33 %" in shown.splitlines()
    record = table.ok("odds act ann lull bob --json").record
    two = 2 @ icepool.d6
    asleep, tired = ((two >= least).probability(True) for least in (8, 11))
    begins = record["begins"]["Bob"]
    assert exact(begins["condition:asleep"]) == asleep and exact(begins["condition:tired"]) == tired
    assert {*record["conditions"]["Bob"]} == {"asleep", "tired"} and record["ends"] == {}


def test_what_an_action_ends_or_takes_is_shown(table: Player) -> None:
    table.ok("init ann bob --open --seed 1")
    table.ok("set bob condition:asleep on")
    shown = table.ok("odds act ann snatch bob").out.splitlines()
    assert "  Bob is no longer  asleep 100 %" in shown and "  Bob no longer holds  club 33.33 %" in shown
    assert "  Bob then  shamed by 1 16.67 %, shamed by 2 16.67 %" not in shown
    assert "  Bob then  shamed by 1 and shamed by 2 16.67 %" in shown
    record = table.ok("odds act ann snatch bob --json").record
    assert exact(record["ends"]["Bob"]["held:club"]) == (icepool.d6 >= 5).probability(True)
    assert exact(record["ends"]["Bob"]["condition:asleep"]) == 1
    assert exact(record["begins"]["Bob"]["mark:shamed"]) == Fraction(1, 3)
    rows = table.ok("odds act ann snatch bob --csv").lines
    assert {f"Bob.mark:shamed,{level},{1 / 6!r},1/6" for level in (1, 2)} < {*rows}
    assert "Bob.held:club,0," in "\n".join(rows)


def test_a_sleeper_who_falls_is_not_said_to_wake(table: Player) -> None:
    table.ok("init ann bob --open --seed 1")
    table.ok("set bob condition:asleep on")
    shown = table.ok("odds act ann drain bob").out
    assert "Bob becomes  out 16.67 %" in shown and "no longer  asleep" not in shown
    ends = table.ok("odds act ann drain bob --json").record["ends"]
    assert exact(ends["Bob"]["condition:asleep"]) == Fraction(1, 6), "for programs it is there"


def test_every_line_fits_eighty_columns(table: Player) -> None:
    for words in ("lull bob", "snatch bob", "drain bob"):
        assert max(map(len, table.ok(f"odds act ann {words}").lines)) <= 80
