"""`crisis map` with terrain: drawn in words and signs, what one sees, where one can go."""

from __future__ import annotations

import pytest
from conftest import Player
from maps import bridge, drawn, on_map

from crisis_cli.engine.field import BattleMap


@pytest.fixture
def on_bridge(fight: Player) -> Player:
    """Jack behind the crates from the drone, on a bridge of cells of two metres."""
    on_map(fight, bridge(2), jack=(6, 6), drone=(22, 6))
    return fight


def test_terrain_lies_under_the_fighters_and_its_legend_beside(on_bridge: Player) -> None:
    assert on_bridge.ok("map").lines == [
        "N up  one square: 2 m",
        "12  ####################################   #  wall: stops moves and sight",
        "10  ##· · · o · · · · ####· · · · · · ##   o  pillar: stops moves, heavy cover",
        " 8  ##· · · · · · · · = = · · · · · · ##   b  crates: light cover, slow",
        " 6  ##· · J b · · · · = = d · b · · · ##   =  wet plates: slow",
        " 4  ##· · · · · · · · = = · · · · · · ##      near bank: 2,10 to 2,2",
        " 2  ##· · · o · · · · ####· · · · · · ##      far bank: 30,10 to 30,2",
        " 0  ####################################",
        "    0 2 4 6 8 10  14  18  22  26  30  34",
        "",
        "players",
        "▸ J  Jack   6,6",
        "opponents",
        "  d  Drone  22,6 · 16 m from Jack",
    ]


def test_what_is_put_on_the_map_is_drawn_with_a_sign_of_its_own(on_bridge: Player) -> None:
    on_bridge.ok("set terrain 10,6 open-door")
    shown = on_bridge.ok("map").lines
    assert " 6  ##· · J b O · · · = = d · b · · · ##   =  wet plates: slow" not in shown
    assert shown[4].startswith(" 6  ##· · J b p · · · = = d"), shown[4]
    assert any(line.endswith("p  open door") for line in shown), "the first letter that no other sign has"


def test_sight_is_told_in_words_and_what_is_not_seen_is_empty(on_bridge: Player) -> None:
    on_bridge.ok("set terrain 14,6 wall")
    shown = on_bridge.ok("map --sight jack").lines
    assert "Jack does not see Drone: a wall at 14,6" in shown
    assert shown[4] == " 6  ##· · J b · · ##                       =  wet plates: slow"
    on_bridge.ok("undo")
    assert "Jack sees Drone" in on_bridge.ok("map --sight jack").lines
    assert "Drone sees Jack, in light cover (map: crates at 8,6)" in on_bridge.ok("map --sight drone").lines


def test_reach_marks_where_the_actor_can_go(on_bridge: Player) -> None:
    shown = on_bridge.ok("map --reach").lines
    assert any(line.startswith("Jack can move up to 5 m: ") for line in shown)
    record = on_bridge.ok("map --reach --json").record["reach"]
    assert record["who"] == "Jack"
    for one in record["places"]["move"]:
        x, y = one["at"]
        on_bridge.ok(f"act jack move --to {x},{y} --dry-run")
    reached = {tuple(one["at"]) for one in record["places"]["move"]}
    assert (8, 6) in reached and (10, 6) not in reached, "past the crates it is too far"
    on_bridge.refused(3, "act jack move --to 10,6")


def test_the_record_of_sight_says_what_hides_whom(on_bridge: Player) -> None:
    on_bridge.ok("set terrain 14,6 wall")
    sight = on_bridge.ok("map --sight drone --json").record["sight"]
    assert sight["fighters"] == [
        {
            "name": "Jack",
            "seen": False,
            "hidden_by": [14, 6],
            "cover": "light",
            "source": "map: crates at 8,6",
        }
    ]
    assert [22, 6] in sight["places"] and [2, 6] not in sight["places"]


@pytest.mark.parametrize("line", ["map --sight jack", "map --reach"])
def test_without_terrain_there_is_nothing_to_see(fight: Player, line: str) -> None:
    assert fight.refused(3, f"{line} --json").error["code"] == "no_map"


@pytest.mark.parametrize(
    "field",
    [bridge(2), drawn("." * 200), drawn("\n".join(["#~" * 30] * 60)), drawn(".")],
    ids=["bridge", "long", "large", "one"],
)
@pytest.mark.parametrize("width", [40, 80, 120])
def test_every_map_fits_the_terminal(fight: Player, field: BattleMap, width: int) -> None:
    on_map(fight, field, jack=field.place((0, 0)), drone=field.place((field.width - 1, field.height - 1)))
    for line in ("map", "map --sight jack", "map --reach"):
        shown = fight.ok(line, width=width).lines
        shown = shown[: shown.index("")]
        assert all(len(one) <= width for one in shown), max(shown, key=len)


@pytest.mark.parametrize(
    ("wide", "high", "said"),
    [
        (200, 1, ["37 × 1 of 200 × 1 cells fit the screen"]),
        (90, 60, ["36 × 60 of 90 × 60 cells fit the screen"]),
        (2, 60, []),
        (4, 1, []),
    ],
)
def test_a_map_that_is_too_wide_says_so_and_has_all_of_its_rows(
    fight: Player, wide: int, high: int, said: list[str]
) -> None:
    from crisis_cli.render.field import field
    from crisis_cli.render.style import Ink
    from crisis_cli.sheets import journal_file
    from crisis_cli.systems import load

    on_map(fight, drawn("\n".join(["." * wide] * high)), jack=(0, 0), drone=(1, 0))
    scene = journal_file.read(fight.journal, "crisis.jsonl").crisis.scene
    shown = list(field(scene, load("3d6"), Ink(), 40, 30))
    assert [one for one in shown if "cells" in one] == said
    rows = [one.split()[0] for one in shown[1 : high + 1]]
    assert rows == [str(row) for row in reversed(range(high))]


def test_of_a_zone_there_is_no_distance_within_it(crisis: Player) -> None:
    crisis.ok("init cass --vs ghoul --open --place cass=0,0 --place ghoul=0,0")
    crisis.ok("next")
    shown = crisis.ok("map").out
    assert "same zone as " in shown and "0 zones" not in shown


def test_the_prompt_says_who_is_out_of_sight(on_bridge: Player) -> None:
    from crisis_cli.engine.field import from_data
    from crisis_cli.render.style import Ink
    from crisis_cli.render.summary import glance
    from crisis_cli.sheets import journal_file
    from crisis_cli.systems import load

    on_bridge.ok("set terrain 14,6 wall")
    scene = journal_file.read(on_bridge.journal, "crisis.jsonl").crisis.scene
    assert from_data(scene.field.as_data()) == scene.field  # type: ignore[union-attr]
    assert "out of sight" in "\n".join(glance(scene, load("3d6"), Ink(), 120, 24))


def test_no_fighter_has_the_sign_of_terrain(fight: Player) -> None:
    text = "..D.J\n.d..."
    legend = {"D": {"name": "door"}, "d": {"name": "den"}, "J": {"place": "junction"}}
    on_map(fight, drawn(text, **legend), jack=(0, 0), drone=(3, 0))
    shown = fight.ok("map --json").record["fighters"]
    assert {one["name"]: one["sign"] for one in shown} == {"Jack": "J", "Drone": "r"}
