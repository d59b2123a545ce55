"""What a newcomer types who has read nothing, and what is no line at all: each error names a way on."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from conftest import Player, Sheets

FIGHTS = {
    "3d6": ("jack ada", "drone:3", 2),
    "step": ("vera moss", "raider:3", 3),
    "d100": ("ines bruno", "looter:3", 8),
    "2d20": ("cass doc", "mutant:3", 3),
    "d6pool": ("hagen tilda", "bandit:3", 11),
}
"""A fight in each system: the fighters, their foes, and the seed."""


def suggested(err: str) -> list[str]:
    """What each refused line is answered with."""
    said = (" ".join(one.split()) for one in err.split("error: ")[1:])
    return [found[1].split("; ")[0] if (found := re.search(r"try: (.+)", one)) else one for one in said]


def test_simulate_without_who_takes_nothing_that_says_how_a_fight_begins(
    fight: Player, line_by_line: Callable[[str], str]
) -> None:
    said = line_by_line("simulate --apart 3")
    assert "without WHO it goes on from the open crisis as it stands, and takes no --apart" in said
    assert "leave out --apart, or name who fights: simulate WHO… --vs WHO…" in said


SPELLED_DICE = {
    "/r 2d6": "roll 2d6",
    "[[1d20+5]]": "roll 1d20+5",
    "6x3d6": "roll 6#3d6",
    "6 4d6": "roll 6#4d6",
    "6 # 3d6": "roll 6#3d6",
    "2w6": "roll 2d6",
    "best of 3d6": "roll 3d6kh1",
    "-2d6": "roll -2d6",
    "1d6 + 2": "roll 1d6 + 2",
}
"""Bare dice, as other programs and books write them, with the line that rolls them."""


@pytest.mark.parametrize("line", SPELLED_DICE)
def test_bare_dice_in_any_spelling_are_rolled(
    fight: Player, line_by_line: Callable[[str], str], line: str
) -> None:
    right = SPELLED_DICE[line]
    assert line_by_line(line) == "" == line_by_line(right)
    (fight.here / "line.txt").write_text(line)
    assert suggested(fight.refused(2, "run line.txt --quiet").err) == [right]


PAIR = "init jack ada --vs drone:2 --open --dice 6,6,6,1,1,1,1,1,2,1,1,3"
"""A fight in which Jack's turn is the first."""


@pytest.mark.parametrize(
    "line",
    [
        "attack drone-2 --cover lite",
        "attack drone-2 --range far",
        "shoot drone-2 --range 4",
        "auto drone-2 smart",
        "attack drone-7 pls",
        "attack drone-7",
        "attack drone 7",
        "shoot drone 7",
        "hit ada",
        "ada shoot drone-1",
        "skip drone-2",
    ],
)
def test_no_line_is_proposed_that_drops_an_option_or_is_about_others(
    crisis: Player, sheets: Sheets, request: pytest.FixtureRequest, line: str
) -> None:
    crisis.ok(PAIR)
    assert "try:" not in request.getfixturevalue("line_by_line")(line)


@pytest.mark.parametrize(
    ("fight_line", "line", "error"),
    [
        (
            "vera --vs raider",
            "block",
            "dodge is asked for in an attack that allows it, and typed as the answer",
        ),
        ("vera --vs raider", "attack --shots", "--shots needs a value hint: Attacks in this action"),
        ("ines --vs looter", "attack --shots", "--shots belongs to step; this is d100 hint: leave it out"),
        (
            "ines --vs looter",
            "attack --aim",
            "--aim belongs to 2d20 and d6pool; this is d100 hint: leave it out",
        ),
        ("cass --vs ghoul", "attack --aim", "--aim needs a value hint: Aim actions before the attack"),
        ("ines --vs looter", "quit now", "hint: try: quit; list the actions: ?; list the commands: help"),
        ("ines --vs looter", "-1", "'-1' is neither an action nor a verb"),
        ("ines bruno --vs looter", "act bruno draw club", "Bruno has no weapon called 'club'; Ines has one"),
        ("ines --vs looter", f"note {'x' * 5_999}", "hint: split it into 3 notes"),
        ("ines --vs looter", f"note {'x' * 2_001}", "hint: split it into 2 notes"),
        ("vera moss --vs raider", "vera check", "hint: check vera SKILL"),
    ],
)
def test_errors_are_about_this_fight(
    crisis: Player, request: pytest.FixtureRequest, fight_line: str, line: str, error: str
) -> None:
    crisis.ok(f"init {fight_line} --open --seed 8")
    shown = request.getfixturevalue("line_by_line")(line)
    assert error in " ".join(shown.split()) and "Usage:" not in shown


def test_a_thing_on_no_sheet_here_is_one_of_this_system_before_it_is_one_of_another(crisis: Player) -> None:
    """Ines has a club on her sheet, a bandit of another system too."""
    crisis.ok("init bruno --vs looter --open --seed 8")
    assert "Bruno has no weapon called 'club'" in crisis.refused(2, "act bruno draw club --force").err
    assert "d6pool" in crisis.refused(3, "act bruno draw sword --force").err
