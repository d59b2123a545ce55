"""A crisis on a map: the field in the journal, terrain that changes, sight and ways in play."""

from __future__ import annotations

import json

import pytest
from conftest import Player
from maps import bridge, on_map


@pytest.fixture
def on_bridge(fight: Player) -> Player:
    """Jack and the drone on the bridge, in a row on open ground."""
    on_map(fight, bridge(), jack=(3, 3), drone=(6, 3))
    return fight


def test_the_journal_holds_the_map_and_verifies(on_bridge: Player) -> None:
    head = json.loads(on_bridge.journal.read_text(encoding="utf-8").splitlines()[0])
    assert head["field"]["rows"][1] == "#A..o....##....E.#"
    assert on_bridge.ok("verify").status == 0


def test_terrain_is_set_and_undone_and_redone(on_bridge: Player) -> None:
    on_bridge.ok("set terrain 5,3 wall --why 'a cave-in'")
    refusal = on_bridge.refused(3, "attack jack drone --range 1 --json").error
    assert refusal["code"] == "no_sight"
    assert refusal["message"] == "Drone is out of sight: a wall at 5,3 is in the way (ALL-4)"
    assert (refusal["target"], refusal["terrain"], refusal["at"]) == ("Drone", "wall", [5, 3])
    on_bridge.ok("undo")
    on_bridge.ok("attack jack drone --range 1 --dry-run")
    on_bridge.ok("redo")
    on_bridge.refused(3, "attack jack drone --range 1")
    on_bridge.ok("verify")
    on_bridge.ok("set terrain 5,3 open")
    on_bridge.ok("attack jack drone --range 1 --dry-run")


def test_the_gm_can_force_what_a_wall_forbids(on_bridge: Player) -> None:
    on_bridge.ok("set terrain 5,3 wall")
    on_bridge.ok("attack jack drone --range 1 --force")
    forced = on_bridge.ok("log --json").records[-1]["forced"]
    assert forced == ["Drone is out of sight: a wall at 5,3 is in the way (ALL-4)"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("set terrain 5,3 wal", "the map has no terrain called 'wal' (did you mean wall?)"),
        ("set terrain 50,3 wall", "50,3 is not on the map"),
        ("set terrain 5,3", "missing argument: NAME"),
        ("set terrain here wall", "'here' is not a position; write X,Y"),
    ],
)
def test_terrain_that_cannot_be_set_is_refused(on_bridge: Player, line: str, message: str) -> None:
    assert on_bridge.refused(2, f"{line} --json").error["message"] == message


def test_only_terrain_with_a_name_is_offered(on_bridge: Player) -> None:
    """Signs such as A and E, which only make up places, mean nothing to a player."""
    known = "wall, pillar, crates, wet-plates, closed-door, open-door, open"
    assert on_bridge.refused(2, "set terrain 5,3 xx --json").error["hint"] == f"terrain: {known}"


def test_without_a_map_there_is_no_terrain(fight: Player) -> None:
    assert fight.refused(3, "set terrain 5,3 wall --json").error["code"] == "no_map"


def test_a_move_leads_only_where_a_way_does(on_bridge: Player) -> None:
    refusal = on_bridge.refused(3, "act jack move --to 0,0 --json").error
    assert (refusal["code"], refusal["message"]) == ("no_way", "there is a wall at 0,0 (ALL-4)")
    shown = on_bridge.ok("act jack move --to 5,3 --json").record
    assert shown["metres"] == 3, "past the crates on one side, which is longer than 2 m straight through them"


def test_moves_in_words_go_round_what_stands_between(on_bridge: Player) -> None:
    for y in (1, 2, 3):
        on_bridge.ok(f"set terrain 5,{y} wall")
    on_bridge.ok("act jack move toward drone")
    x, y = on_bridge.fighter("Jack")["at"]
    assert (x, y) != (3, 3) and y > 3, "round the northern end of the wall"
    on_bridge.ok("undo")
    on_bridge.ok("set terrain 5,4 wall")
    # Between the pillar at 4,5 and the wall at 5,4 no step passes.
    refusal = on_bridge.refused(3, "act jack move toward drone --json").error
    assert (refusal["code"], refusal["message"]) == ("no_way", "no way leads from Jack to Drone")
    on_bridge.ok("verify")


def test_what_is_out_of_sight_is_not_among_what_can_be_done(on_bridge: Player) -> None:
    on_bridge.ok("set drone at 5,3")
    on_bridge.ok("set jack at 3,3")
    assert "attack drone" in on_bridge.ok("odds").out
    on_bridge.ok("set terrain 4,3 wall")
    assert "attack" not in [one["act"] for one in on_bridge.ok("act --list --json").records if one["legal"]]
    barred = next(one for one in on_bridge.ok("act --list --json").records if one["act"] == "attack")
    assert barred["code"] == "no_sight"


def test_cover_of_the_map_is_taken_away_and_given_back(on_bridge: Player) -> None:
    on_bridge.ok("set drone at 5,3")
    assert [one for one in sources(on_bridge) if one.startswith("map:")] == ["map: crates at 4,3"]
    on_bridge.ok("set drone cover:jack none")
    assert not [one for one in sources(on_bridge) if one.startswith("map:")]
    on_bridge.ok("set drone cover:jack map")
    assert [one for one in sources(on_bridge) if one.startswith("map:")] == ["map: crates at 4,3"]
    on_bridge.ok("verify")


def sources(player: Player) -> list[str]:
    """Where the modifiers of an attack on the drone come from."""
    return [
        one.get("source", "")
        for one in player.ok("odds attack jack drone --explain --json").record["modifiers"]
    ]
