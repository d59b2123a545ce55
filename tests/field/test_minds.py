"""Opponents on a map: they go through openings, round walls, behind cover, and never get stuck."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from maps import drawn

sys.path.append(str(Path(__file__).parents[1] / "ai"))

from bouts import DOCTRINES, MINDS, SHELF, Bout, begun, by_doctrine, fought, met, roster

from crisis_cli.ai import movement, terrain
from crisis_cli.ai.deciding import AutoPlayer
from crisis_cli.ai.plans.first_action import first_action
from crisis_cli.ai.plans.plan import Plan
from crisis_cli.ai.plans.planner import Planner
from crisis_cli.ai.plans.proposals import proposals
from crisis_cli.ai.resources import with_full_turn
from crisis_cli.dice.generator import Seeded
from crisis_cli.dice.table import Table, first
from crisis_cli.engine.events import apply_all
from crisis_cli.engine.field import BattleMap, Place
from crisis_cli.engine.perform import perform
from crisis_cli.engine.record import Entry
from crisis_cli.engine.scene import Intent, Scene
from crisis_cli.engine.sides import decided
from crisis_cli.systems import SYSTEMS, load

ROOMS = """\
################
#......#.......#
#......#...b...#
#..b...+.......#
#......#..bb...#
#......#.......#
#..............#
#......#.......#
################"""
MAZE = """\
#############
#...#...#...#
#.#.#.#.#.#.#
#.#...#...#.#
#.#########.#
#...........#
#############"""
CHASM = """\
..........
...b..o...
gggggggggg
gggggggggg
...o..b...
.........."""
STARTS = {
    ROOMS: (((1, 7), (2, 5)), ((13, 7), (12, 5))),
    MAZE: (((1, 5), (1, 4)), ((11, 5), (11, 4))),
    CHASM: (((1, 5), (4, 5)), ((1, 0), (5, 0))),
}
COVER = {"3d6": ("light", "heavy"), "step": ("light", "heavy"), "d6pool": ("5+", "4+"), "2d20": (1, 2)}


def ground(text: str, system: str, scale: int | None = None) -> BattleMap:
    """A map with crates and pillars that cover as the system has it."""
    light, heavy = ({"cover": level} for level in COVER[system]) if system in COVER else ({}, {})
    crates, pillar = {"name": "crates", "slow": True, **light}, {"name": "pillar", "stops": ["move"], **heavy}
    return drawn(text, system, scale, b=crates, o=pillar)


def standing(scene: Scene, field: BattleMap, places: dict[str, Place]) -> Scene:
    """The scene on a map, with fighters at places."""
    moved = {name: one._replace(at=places[name]) for name, one in scene.fighters.items()}
    return scene._replace(fighters=moved, field=field)


def bout(name: str, text: str, seed: int, doctrines: tuple[str, str], scale: int | None = None) -> Bout:
    """A fight of two against two of the shipped sheets."""
    system = load(name)
    sheets = [roster(name)[(seed + at * at) % len(roster(name))] for at in range(4)]
    scene = met(system, sheets, doctrines)
    field = ground(text, name, scale)
    starts = {"players": [*STARTS[text][0]], "opponents": [*STARTS[text][1]]}
    places = {
        one.name: field.place(field_cell)
        for one in scene.fighters.values()
        for field_cell in [starts[one.side].pop(0)]
    }
    return fought(system, standing(scene, field, places), seed, by_doctrine(system), rounds=60)


SAMPLE = (
    *(("rooms", name, 0) for name in ("3d6", "step", "d100", "2d20")),
    *(("maze", name, 1) for name in ("3d6", "d100")),
    *(("chasm", name, 1) for name in ("3d6", "d6pool")),
)
"""The fights of the suite: each map in two systems, and each system on a map."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "text", "seed"),
    [
        pytest.param(
            name,
            text,
            seed,
            marks=() if (word, name, seed) in SAMPLE else pytest.mark.long,
            id=f"{word}-{seed}-{name}",
        )
        for word, text in (("rooms", ROOMS), ("maze", MAZE), ("chasm", CHASM))
        for name in SYSTEMS
        for seed in range(2)
    ],
)
def test_no_fight_on_a_map_gets_stuck(name: str, text: str, seed: int) -> None:
    system = load(name)
    doctrines = DOCTRINES[seed % len(DOCTRINES)], DOCTRINES[(seed + 3) % len(DOCTRINES)]
    scale = 2 if seed and load(name).space.beside and load(name).space.square == 1 else None
    found = bout(name, text, seed, doctrines, scale)
    assert decided(system, found.end) or found.end.round <= 60, found.story
    for scene in found.scenes:
        for one in scene.fighters.values():
            assert scene.field is not None
            assert one.at is None or not scene.field.at(one.at).stops_move, one


HALL = """\
###############
#...#....#....#
#........#....#
#...#.........#
#...#....#....#
###############"""
KEPT = {"3d6": (0,), "step": (1, 6), "d100": (36,), "2d20": (0,), "d6pool": (3, 31)}
"""The scenes of the suite: some of those in which a plan once forgot where it goes, or counted too few moves."""


@pytest.mark.parametrize(
    ("name", "seed"),
    [
        pytest.param(name, seed, marks=() if seed in KEPT[name] else pytest.mark.long)
        for name in SYSTEMS
        for seed in range(60)
    ],
)
def test_the_first_step_of_the_best_plan_keeps_its_attack(name: str, seed: int) -> None:
    """A plan that attacks a foe in this turn has a sequel that does, once its first step without dice is taken."""
    system, dice = load(name), Random(f"{name} {seed}")
    scene = met(system, [dice.choice(roster(name)) for _ in range(3)], ("cunning", "cunning"))
    scale = 2 if system.space.beside and system.space.square == 1 and dice.random() < 0.5 else None
    field = ground(dice.choice([ROOMS, HALL]), name, scale)
    floor = sorted(field.place(cell) for cell in field.every_cell() if not field.terrain(cell).stops_move)
    scene = begun(
        system, standing(scene, field, dict(zip(scene.fighters, dice.sample(floor, 3), strict=True)))
    )
    autoplayer = AutoPlayer(system, SHELF.named)

    def plans(now: Scene, past: Sequence[Entry]) -> tuple[Planner, list[Plan]]:
        autoplayer.evaluator.start_decision(now)
        planner = Planner(autoplayer.evaluator, SHELF.named("cunning"), now, scene.turn, past)
        return planner, proposals(planner)

    planner, (best, *_) = plans(scene, ())
    begins = first_action(planner, best)
    if not best.attack or not best.strikes_now or begins is None or best.target in begins.intent.targets:
        return
    step = begins.intent
    if not movement.needs_no_dice(system, scene, step):
        return
    entry = perform(system, scene, step, Table(Seeded(Random(seed).random), first))
    _, after = plans(apply_all(scene, entry.events), (entry,))
    assert any(one.target == best.target and one.strikes_now for one in after), best.words(planner)


def alone(
    name: str, text: str, here: Place, there: Place, sheet: int = 0, doctrine: str = "cunning"
) -> Scene:
    """One against one, the first with the turn."""
    system = load(name)
    scene = met(system, [roster(name)[sheet], roster(name)[0]], (doctrine, doctrine))
    first, second = scene.fighters
    scene = standing(scene, ground(text, name), {first: here, second: there})
    return with_full_turn(system, scene._replace(round=1, order=(first, second), turn=first), first)


def test_a_move_towards_somebody_leads_round_a_wall() -> None:
    scene = alone("3d6", ".....\n.###.\n.#.#.\n.....", (0, 1), (2, 1))
    who = scene.turn
    step = movement.towards(load("3d6"), scene, Intent("move", who), (2, 1))
    assert step is not None
    assert step.options["to"] == [2, 0] or step.options["to"] == [1, 0]


def test_no_move_leads_to_somebody_walled_in() -> None:
    scene = alone("3d6", "....###\n....#.#\n....###", (0, 1), (5, 1))
    assert movement.towards(load("3d6"), scene, Intent("move", scene.turn), (5, 1)) is None


def test_a_move_away_leads_out_of_sight() -> None:
    scene = alone("3d6", "#######\n#.....#\n#.###.#\n#.....#\n#######", (3, 3), (1, 3))
    who = next(iter(scene.fighters))
    step = movement.away(load("3d6"), scene, Intent("move", who), (1, 3))
    assert step is not None
    to = step.options["to"]
    assert scene.field is not None
    assert scene.way((1, 3), to) > scene.way((1, 3), (3, 3))
    assert not scene.field.at(to).stops_move


def test_whoever_sees_nobody_goes_to_where_it_does() -> None:
    """A pistol behind a wall: the plan leads out of it, and the fight begins."""
    system = load("3d6")
    ada = next(at for at, one in enumerate(roster("3d6")) if one.values["name"] == "Ada")
    scene = alone("3d6", "........\n...#....\n...#....\n........", (2, 2), (6, 2), ada, "reckless")
    decision = MINDS(system).decide(scene, scene.turn)
    assert "to" in decision.intent.options, decision
    assert decision.reason["key"] in ("closes-in", "finds-place", "takes-cover")
    to = decision.intent.options["to"]
    assert scene.way(to, (6, 2)) < scene.way((2, 2), (6, 2)) or scene.field.sees(to, (6, 2))  # type: ignore[union-attr]


def test_places_that_see_a_foe_from_behind_something_come_first() -> None:
    system = load("3d6")
    scene = alone("3d6", "..........\n..........\n..o.......\n..........", (0, 3), (9, 1))
    who = next(iter(scene.fighters))
    found = terrain.vantage_points(system, scene, who, (9, 1), [(9, 1)], 4)
    assert found[0] == (1, 1)
    assert scene.field is not None
    assert scene.field.cover(found[0], (9, 1)).source == "map: pillar at 2,1"  # type: ignore[union-attr]
