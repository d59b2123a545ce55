"""The player who is asked whether to kill or to spare (STEP-33)."""

from __future__ import annotations

import pytest
from conftest import Player

AXE = """\
name = "Mercy"
system = "step"
health = 20
[skills]
melee = "d12"
[weapons.axe]
kind = "melee"
damage = 40
"""
VICTIM = """\
name = "Rat"
system = "step"
health = 20
player = false
[skills]
melee = "d4"
[weapons.claw]
kind = "melee"
damage = 2
"""


@pytest.fixture
def strong(crisis: Player) -> Player:
    """Someone who kills whatever she hits, whose turn it is."""
    (crisis.here / "mercy.toml").write_text(AXE)
    (crisis.here / "rat.toml").write_text(VICTIM)
    crisis.ok("init mercy.toml --vs rat.toml --open --initiator mercy --dice 3,2")
    return crisis


def test_the_player_is_asked_whom_to_spare(strong: Player) -> None:
    shown = strong("attack rat --dice 9", answers=["spare"])
    assert shown.status == 0, shown
    assert "1. kill     Rat dies\n  2. spare    Rat is knocked out\n" in shown.err
    assert strong.prompts == ["Mercy: [kill], 2, ! for the rest of the fight? "]
    rat = strong.fighter("Rat")
    assert rat["pools"]["health"] == 0 and "helpless" in rat["conditions"]
    assert strong.ok("verify --json").record["verified"] is True
    strong.ok("undo")
    assert strong.fighter("Rat")["pools"]["health"] > 0
    strong.ok("redo")
    assert strong.fighter("Rat")["pools"]["health"] == 0
    # Another foe is another matter.
    strong.ok("set rat health 20")
    strong.ok("set mercy ap 6")
    assert strong("attack rat --dice 9", answers=["kill"]).status == 0 and len(strong.prompts) == 2


@pytest.mark.parametrize("answers", [["kill"], None])
def test_a_fighter_who_does_not_spare_kills(strong: Player, answers: list[str] | None) -> None:
    assert strong("attack rat --dice 9", answers=answers).status == 0
    assert strong.fighter("Rat")["pools"]["health"] == -10


@pytest.mark.parametrize(
    "line", ["attack rat --spare --dice 9", "attack rat --dice 3", "attack mercy --by rat --force --dice 3"]
)
def test_nobody_is_asked_without_need(strong: Player, line: str) -> None:
    assert strong(line, answers=[]).status == 0
    assert strong.prompts == []


def test_odds_take_it_that_nobody_is_spared(strong: Player) -> None:
    asked = strong("odds attack rat --json", answers=[]).record
    assert strong.prompts == []
    assert asked["success"] == strong.ok("odds attack rat --spare --json").record["success"]


def test_a_spared_fighter_is_down_for_ten_rounds(strong: Player) -> None:
    """STEP-33: as one who has been stabilised (STEP-36); then it can act at Health 0, and is not dying."""
    strong.ok("attack rat --spare --dice 9")
    while (status := strong.ok("status --json").record)["round"] <= 10:
        down = {"helpless", "incapacitated"} & {*strong.fighter("Rat")["conditions"]}
        assert down == {"helpless", "incapacitated"}, status["round"]
        strong.ok("next")
    rat = strong.fighter("Rat")
    assert rat["pools"]["health"] == 0 and [*rat["conditions"]] == ["stable"]
    assert strong.ok("verify --json").record["verified"] is True
