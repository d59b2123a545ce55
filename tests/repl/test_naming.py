"""Names as they are typed at the prompt: as the game shows them, without quotes, and only begun."""

from __future__ import annotations

import pytest
from conftest import Player, Sheets

from .conftest import ENTER, Evening

MAX = """\
name = "Max Power"
system = "3d6"
[weapons.club]
kind = "melee"
damage = 3
[weapons."pipe bomb"]
kind = "thrown"
damage = 9
range = 12
[items."field dressing"]
heals = { endurance = 5 }
uses = 2
"""


@pytest.fixture
def crowd(crisis: Player, sheets: Sheets, evening: Evening) -> Evening:
    """An evening of Max Power, whose turn it is, and Jack against two drones."""
    sheets.write("max", MAX)
    crisis.ok("init max jack --vs drone:2 --open --dice 6,6,6,5,5,5,1,1,1,1,1,2")
    return evening


def last(crisis: Player) -> dict[str, object]:
    """The entry done last."""
    record: dict[str, object] = crisis.ok("log --json").records[-1]
    return record


@pytest.mark.parametrize(
    ("line", "action", "actor", "targets"),
    [
        ("attack drone 1 --dice 1,1,2", "attack", "Max Power", ["Drone 1"]),
        ("attack dr 2 --dice 1,1,2", "attack", "Max Power", ["Drone 2"]),
        ("max power attack drone 1 --dice 1,1,2", "attack", "Max Power", ["Drone 1"]),
        ("max drop-prone", "drop-prone", "Max Power", []),
        ("use-item field dressing jack", "use-item", "Max Power", ["Jack"]),
        ("set drone 2 health 3", "set", None, ["Drone 2"]),
        ("draw pipe bomb", "draw", "Max Power", []),
        ("jack drop-prone --force", "drop-prone", "Jack", []),
    ],
)
def test_names_need_no_quotes(
    crisis: Player, crowd: Evening, line: str, action: str, actor: str | None, targets: list[str]
) -> None:
    shown = crowd(line + ENTER)
    assert shown.err == ""
    done = last(crisis)
    assert (done["action"], done["actor"], done["targets"]) == (action, actor, targets)


def test_the_odds_of_a_line_are_asked_for_in_the_same_words(crowd: Evening) -> None:
    shown = crowd("odds attack drone 2" + ENTER)
    assert shown.err == "" and "Drone 2" in shown.out


def test_what_could_be_several_is_reported_and_the_prompt_goes_on(crisis: Player, crowd: Evening) -> None:
    shown = crowd("set dr health 3" + ENTER, "drop-prone" + ENTER)
    assert "'dr' could be Drone 1 or Drone 2" in shown.err
    assert last(crisis)["action"] == "drop-prone"
