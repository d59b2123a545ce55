"""The lines above and below the prompt: they fit every terminal, and say who is where and how."""

from __future__ import annotations

from pathlib import Path

import pytest

from crisis_cli.engine.scene import Scene
from crisis_cli.render.style import Ink
from crisis_cli.render.summary import glance
from crisis_cli.repl.toolbar import toolbar
from crisis_cli.sheets.check import read
from crisis_cli.sheets.fighters import fighter
from crisis_cli.systems import SYSTEMS, load

CHARACTERS = Path(__file__).parents[2] / "characters"


def crowd(system: str, count: int = 10) -> Scene:
    """So many fighters of a system in the middle of a fight, hurt and hindered."""
    page = load(system)
    sheets = [read(path, path.name) for path in sorted((CHARACTERS / system).glob("*.toml"))]
    fighters = {}
    for number in range(count):
        one = fighter(page, sheets[number % len(sheets)], name=f"Fighter {number + 1}")
        conditions = dict.fromkeys(list(page.conditions)[: number % 4], 1)
        fighters[one.name] = one._replace(
            side=("players", "opponents")[number % 2],
            conditions=conditions,
            at=(float(3 * number), 2.0),
            cover={"Fighter 1": "heavy"},
        )
    names = tuple(fighters)
    return Scene(system, fighters, open=True, order=names, round=3, turn=names[0])


@pytest.mark.parametrize("system", tuple(SYSTEMS))
@pytest.mark.parametrize("width", [40, 80, 100, 120, 200])
def test_every_line_fits_the_terminal(system: str, width: int) -> None:
    for ink in (Ink(), Ink(True), Ink(False, False)):
        lines = glance(crowd(system), load(system), ink, width, 24)
        assert all(ink.length(line) <= width for line in lines)
        assert len(lines) <= 24
        assert all(f"Fighter {number}" in "\n".join(lines) for number in range(1, 11))


def test_where_there_is_room_it_says_how_far_and_behind_what() -> None:
    lines = glance(crowd("3d6"), load("3d6"), Ink(), 120, 24)
    second = next(line for line in lines if "Fighter 2" in line)
    assert "3 m" in second and "heavy cover" in second


def test_what_there_is_no_room_for_is_told() -> None:
    scene = crowd("3d6", 30)._replace(turn="Fighter 20")
    lines = glance(scene, load("3d6"), Ink(), 80, 10)
    assert len(lines) == 10
    assert any("Fighter 20" in line and line.startswith("▸") for line in lines)
    assert "22 more" in lines[-1]


@pytest.mark.parametrize("system", tuple(SYSTEMS))
@pytest.mark.parametrize("width", [40, 80, 120])
def test_below_are_round_turn_pips_and_the_keys_there_is_room_for(system: str, width: int) -> None:
    scene = crowd(system)
    said = "".join(part[1] for part in toolbar(scene, load(system), Ink(), width, vi=False))
    assert "Round 3" in said and "Fighter 1" in said
    assert len(said) <= width
    assert width < 80 or ("F1" in said and "F8" in said)


def test_nothing_from_a_sheet_reaches_the_terminal_as_an_order() -> None:
    scene = crowd("3d6", 1)
    evil = scene.fighters["Fighter 1"]._replace(name="\x1b[2J", held=("\x07bell",))
    scene = scene._replace(fighters={"\x1b[2J": evil}, order=("\x1b[2J",), turn="\x1b[2J")
    ink = Ink(True)
    lines = [ink.clean(line) for line in glance(scene, load("3d6"), ink, 80, 24)]
    assert not any("\x1b[2J" in line or "\x07" in line for line in lines)
    assert "\x1b" not in "".join(part[1] for part in toolbar(scene, load("3d6"), ink, 80, vi=True))


def pair(system: str) -> Scene:
    """Two fighters of a system, a few metres from each other."""
    scene = crowd(system, 2)
    return scene._replace(fighters={one.name: one._replace(cover={}) for one in scene.fighters.values()})


def test_bars_give_way_before_anything_is_left_out() -> None:
    scene = pair("3d6")
    long, short = (glance(scene, load("3d6"), Ink(), width, 24) for width in (120, 80))
    for name in ("Endurance", "Health", "armour", "3 m"):
        assert name in long[2] and name in short[2]
    assert short[2].count("█") < long[2].count("█")
    assert len({line.count("█") for line in short[1:]}) == 1, "all of them alike"


def test_the_bars_of_one_pool_stand_in_one_column() -> None:
    scene = pair("3d6")
    worse = scene.fighters["Fighter 2"]
    worse = worse._replace(pools={**worse.pools, "endurance": 4})
    scene = scene._replace(fighters={**scene.fighters, "Fighter 2": worse})
    first, second = glance(scene, load("3d6"), Ink(), 120, 24)[1:]
    assert first.index("Health") == second.index("Health")


def test_a_remark_in_brackets_is_not_broken() -> None:
    for ink in (Ink(), Ink(True)):
        line = f"{ink('bold', 'Jack')} swings the baton at Drone 1: a miss.{ink('dim', ' (2 AP left)')}"
        parts = [ink.clean(part) for part in ink.broken(line, 50)]
        assert len(parts) == 2 and "(2 AP left)" in parts[1]
        assert ink.broken("a (" + "word " * 12 + ")", 30) != ["a (" + "word " * 12 + ")"]
