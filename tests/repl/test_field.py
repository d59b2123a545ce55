"""The lines above and below the prompt: they fit every terminal, and say who is where and how."""

from __future__ import annotations

from pathlib import Path

import pytest

from crisis_cli.engine.events import Event
from crisis_cli.engine.record import Entry
from crisis_cli.engine.scene import Intent, Scene
from crisis_cli.render.since import since
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
            player=number % 2 == 0,
            conditions=conditions,
            at=(float(3 * number), 2.0),
            cover={"Fighter 1": "heavy"},
        )
    names = tuple(fighters)
    return Scene(system, fighters, open=True, order=names, round=3, turn=names[0])


@pytest.mark.parametrize("system", tuple(SYSTEMS))
@pytest.mark.parametrize("width", [40, 80, 100, 120, 200])
def test_every_line_fits_the_terminal(system: str, width: int) -> None:
    for ink in (Ink(), Ink(True), Ink(encoding="ascii")):
        lines = glance(crowd(system), load(system), ink, width, 24)
        assert all(ink.length(line) <= width for line in lines)
        assert len(lines) <= 24
        assert all(f"Fighter {number}" in "\n".join(lines) for number in range(1, 11))


def test_where_there_is_room_it_says_how_far_and_behind_what() -> None:
    lines = glance(crowd("3d6"), load("3d6"), Ink(), 120, 24)
    second = next(line for line in lines if "Fighter 2" in line)
    assert "3 m" in second and "heavy cover" in second


def test_what_there_is_no_room_for_is_reported() -> None:
    scene = crowd("3d6", 30)._replace(turn="Fighter 20")
    lines = glance(scene, load("3d6"), Ink(), 80, 10)
    assert len(lines) == 10
    assert any("Fighter 20" in line and line.startswith("▸") for line in lines)
    assert "22 more" in lines[-1]


def test_a_crowded_row_leaves_out_whom_somebody_has_reached_before_what_is_left_of_a_life() -> None:
    scene = crowd("2d20", 8)
    one = scene.fighters["Fighter 2"]
    reached = {f"reach:Fighter {number}": 1 for number in range(3, 8)}
    hurt = one._replace(marks=reached, pools={**one.pools, "hp": 1})
    lines = glance(scene._replace(fighters={**scene.fighters, one.name: hurt}), load("2d20"), Ink(), 80, 9)
    row = next(line for line in lines if "Fighter 2" in line[:14])
    assert "HP" in row and "in reach of Fighter 3" in row and row.endswith("…")


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


def test_ones_own_side_stands_first_with_a_mark_and_a_colour_of_its_own() -> None:
    scene = crowd("3d6", 4)
    rows = [line for line in glance(scene, load("3d6"), Ink(), 120, 24) if "Fighter" in line[:14]]
    assert [row[2:13] for row in rows] == ["+ Fighter 1", "+ Fighter 3", "× Fighter 2", "× Fighter 4"]
    ink = Ink(True)
    colours = [ink.clean(line).split("Fighter")[0] for line in glance(scene, load("3d6"), ink, 120, 24)[1:]]
    assert colours[0] != colours[-1] and all("\x1b[" in one for one in colours)


@pytest.mark.parametrize("system", tuple(SYSTEMS))
@pytest.mark.parametrize("width", [40, 50, 60, 80, 100])
@pytest.mark.parametrize("height", [8, 24])
def test_what_is_left_out_of_a_line_is_marked(system: str, width: int, height: int) -> None:
    """Every pool and condition of a fighter is named, at least by its beginning, or the line ends in dots."""
    scene, page = crowd(system, 4), load(system)
    text = "\n".join(glance(scene, page, Ink(), width, height))
    for name, one in scene.fighters.items():
        sign = "+" if one.side == "players" else "×"
        row = text[text.index(f"{sign} {name}") :].split("Fighter")[1]
        for what in (
            *(page.pools[pool].label for pool in one.pools if pool in ("health", "hp")),
            *one.conditions,
        ):
            shown = (page.conditions[what].board or what) if what in page.conditions else what
            assert shown.replace("-", " ")[:4] in row or "…" in row, (what, row)


def test_side_pools_are_shown_at_zero_too() -> None:
    lines = glance(pair("2d20"), load("2d20"), Ink(), 80, 24)
    assert lines[1].strip() == "players: AP 0 · opponents: AP 0"


def test_the_head_names_the_pools_of_the_turn_and_who_comes_next() -> None:
    head = glance(crowd("2d20", 3), load("2d20"), Ink(), 80, 24)[0]
    assert "Major actions" in head and "Minor actions" in head
    assert "then Fighter 2" in head


@pytest.mark.parametrize(
    "name", ["Al", "A fighter with a very long name indeed, of an old house", "山田太郎" * 9]
)
@pytest.mark.parametrize("width", range(20, 140, 7))
def test_the_toolbar_cuts_no_key_in_two(name: str, width: int) -> None:
    from prompt_toolkit.utils import get_cwidth

    one = crowd("3d6", 1).fighters["Fighter 1"]._replace(name=name)
    scene = crowd("3d6", 1)._replace(fighters={name: one}, order=(name,), turn=name)
    said = "".join(part[1] for part in toolbar(scene, load("3d6"), Ink(), width, vi=False))
    assert get_cwidth(said) <= width
    keys = said[said.index("  F") :] if "  F" in said else ""
    assert all(len(key.split()) == 2 for key in keys.strip().split("  ") if keys)


def test_what_has_happened_since_ones_own_turn_stands_in_a_line() -> None:
    scene, page = pair("3d6"), load("3d6")
    me, foe = scene.fighters.values()
    me = me._replace(player=True, conditions={"prone": True})
    foe = foe._replace(player=False, conditions={})
    scene = scene._replace(fighters={me.name: me, foe.name: foe._replace(at=(1.0, 2.0))})
    done = (
        Entry(1, Intent("init")),
        Entry(2, Intent("next", me.name), events=(Event(me.name, "endurance", 50, 48),)),
        Entry(3, Intent("move", foe.name), events=(Event(foe.name, "at", (3.0, 2.0), (1.0, 2.0)),)),
        Entry(4, Intent("attack", foe.name), events=(Event(me.name, "endurance", 48, 40),)),
        Entry(
            5,
            Intent("attack", foe.name),
            events=(
                Event(me.name, "endurance", 40, 38),
                Event(me.name, "health", 30, 24),
                Event(me.name, "condition:prone", False, True),
            ),
        ),
    )
    (line,) = since(done, scene, page, Ink(), 100)
    assert (
        line == "  Since your turn: Fighter 1 −10 Endurance, −6 Health, prone; Fighter 2 is beside Fighter 1"
    )
    assert since(done[:2], scene, page, Ink(), 80) == []
    hit = Entry(6, Intent("attack", foe.name), events=(Event(foe.name, "health", 25, 20),))
    (line,) = since((*done, hit), scene, page, Ink(), 120)
    assert line.endswith("prone; Fighter 2 −5 Health; Fighter 2 is beside Fighter 1"), "harm before distances"
    felled = Entry(7, Intent("attack", foe.name), events=(Event(me.name, "condition:dead", False, True),))
    dead = scene._replace(fighters={**scene.fighters, me.name: me._replace(conditions={"dead": True})})
    (line,) = since((*done, felled), dead, page, Ink(), 100)
    assert line.startswith("  Since your turn: Fighter 1 dead, −10 Endurance")
    ink = Ink(True)
    (coloured,) = since(done, scene, page, ink, 100)
    assert coloured.count("31m") == 1 and coloured.endswith(ink("dim", "; Fighter 2 is beside Fighter 1"))
    narrow = since(done, scene, page, Ink(), 40)
    assert (
        "−6 Health" in " ".join(narrow) and narrow[-1].endswith("…") and all(len(one) <= 40 for one in narrow)
    )
