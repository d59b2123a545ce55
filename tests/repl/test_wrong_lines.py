"""What a newcomer types who has read nothing: each wrong line is answered with one that is right, and that works."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from conftest import Player, Sheets

from .conftest import ENTER, Evening

FIGHTS = {
    "3d6": ("jack ada", "drone:3", 2),
    "step": ("vera moss", "raider:3", 3),
    "d100": ("ines bruno", "looter:3", 8),
    "2d20": ("cass doc", "mutant:3", 3),
    "d6pool": ("hagen tilda", "bandit:3", 11),
}
"""A fight in each system: the fighters, their foes, and the seed."""
QUICK = ("3d6",)
"""The system of the fast lane."""
EVERYWHERE = {
    "3d6": "roll 3d6",
    "roll": "roll 3d6",
    "look": "status",
    "look at the enemy": "status",
    "inventory": "status",
    "stats": "status",
    "who is there": "status",
    "status jack": "status",
    "where am i": "map",
    "map 3": "map",
    "menu": "?",
    "what can i do": "?",
    "??": "?",
    "help me": "help",
    "man": "help",
    "wait": "next",
    "delay": "next",
    "skip turn": "next",
    "why": "explain",
    "undo undo": "undo",
    "oops": "undo",
    "save game": "save",
    "restart": "rewind 1",
    "exit now": "quit",
    "q": "quit",
    "leave": "quit",
    "attack nobody": "attack FOE",
    "attack": "attack FOE",
    "atack FOE": "attack FOE",
    "shoot": "attack FOE",
    "shoot FOE": "attack FOE",
    "i attack the FOE": "attack FOE",
    "kill it": "attack FOE",
    "odds shoot": "odds attack FOE",
    "odds attack": "odds attack FOE",
    "go there": "MOVE toward FOE",
    "walk to FOE": "MOVE toward FOE",
    "MOVE FOE": "MOVE toward FOE",
    "MOVE left": "MOVE toward FOE",
    "MOVE to 0 1": "MOVE --to 0,1",
    "flee": "FLEE away",
    "escape": "FLEE away",
}
"""In every system; FOE stands for an opponent who can be attacked, MOVE and FLEE for the plainest ways of moving."""
MOVES = {"3d6": "move", "step": "move", "d100": "walk", "2d20": "move", "d6pool": "walk"}
OWN = {
    "3d6": {
        "use stimulant": "? use-item",
        "pick up knife": "draw knife",
        "draw sword": "draw knife",
        "heal me": "? heal",
        "heal drone": "? heal",
        "take cover": "? hide",
        "reload!": "? reload",
        "walk 5": "move toward FOE",
        "run away": "move away",
    },
    "step": {
        "help shoot": "help attack",
        "aim": "take-aim",
        "take cover": "kneel",
        "walk 5": "move toward FOE",
        "stand up": "? rise",
    },
    "d100": {
        "help shoot": "help attack",
        "draw pistol": "draw club",
        "run": "run toward FOE",
        "guard": "ready attack",
    },
    "2d20": {"pick up knife": "draw knife", "take cover": "defend", "run away": "move away"},
    "d6pool": {
        "help shoot": "help attack",
        "duck": "hunker",
        "run": "run toward FOE",
        "block": "shield-block",
        "drink": "? use",
    },
}
"""What is meant in one system alone."""


def suggested(err: str) -> list[str]:
    """What each refused line is answered with."""
    said = (" ".join(one.split()) for one in err.split("error: ")[1:])
    return [found[1].split("; ")[0] if (found := re.search(r"try: (.+)", one)) else one for one in said]


@pytest.mark.parametrize(
    "system", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in FIGHTS]
)
def test_each_wrong_line_is_answered_with_one_that_works(
    system: str, crisis: Player, evening: Evening, request: pytest.FixtureRequest
) -> None:
    ours, foes, seed = FIGHTS[system]
    evening(words=f"play {ours} --vs {foes} --seed {seed}", answers=("",) * 4)
    crisis.ok("note what can be undone")
    before, foe = crisis.journal.read_bytes(), next_foe(crisis)
    table = {
        filled(line, system, foe): filled(right, system, foe)
        for line, right in (EVERYWHERE | OWN[system]).items()
    }
    shown = evening("".join(line + ENTER for line in table))
    assert dict(zip(table, suggested(shown.err), strict=True)) == table
    assert crisis.journal.read_bytes() == before, "a wrong line does nothing"
    run = request.getfixturevalue("line_by_line")  # needs an open crisis
    for right in dict.fromkeys(table.values()):
        assert "error:" not in (err := run(right)), (right, err)
        crisis.journal.write_bytes(before)


def filled(line: str, system: str, foe: str) -> str:
    """A line of the tables in one system."""
    way = MOVES[system]
    return line.replace("FOE", foe).replace("MOVE", way).replace("FLEE", "run" if way == "walk" else way)


def next_foe(crisis: Player) -> str:
    """The opponent who is suggested as a target: the nearest, of several the first."""
    found = crisis.ok("map --json").record["fighters"]
    ours = {one["name"] for one in crisis.ok("status --json").record["fighters"] if one["side"] == "players"}
    foes = [one for one in found if one["name"] not in ours]
    nearest: str = min(foes, key=lambda one: (one["distance"], one["name"]))["name"]
    return nearest.lower().replace(" ", "-")


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
def test_bare_dice_in_any_spelling_are_answered_with_the_roll(
    fight: Player, line_by_line: Callable[[str], str], line: str
) -> None:
    right = SPELLED_DICE[line]
    assert suggested(line_by_line(line)) == [right]
    assert line_by_line(right) == ""
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
        ("ines --vs looter", "keep", "hint: try: ?; list the commands: help"),
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


def test_where_a_line_and_a_list_begin_alike_one_of_them_is_shown(
    fight: Player, line_by_line: Callable[[str], str]
) -> None:
    fight.ok("set jack at 0,0")
    fight.ok("set drone at 9,0")
    assert line_by_line("move drone").lower().count("move toward drone") == 1
