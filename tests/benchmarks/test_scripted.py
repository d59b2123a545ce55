"""Scripted players against the doctrines: habits that used to beat them, with equal sheets.

Each script fights as a player would who has found one trick and does nothing else; a draw counts half.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from bouts import MINDS, fought, met, roster
from tournament import EQUAL, ROUNDS, SIDES, Score

from crisis_cli.ai import movement
from crisis_cli.engine.legal_actions import Legal, of
from crisis_cli.engine.record import Entry
from crisis_cli.engine.scene import Intent, Scene
from crisis_cli.engine.sides import standing
from crisis_cli.engine.system import System
from crisis_cli.systems import SYSTEMS, load

FIGHTS = 200
"""Fights of each script in each system."""
SAMPLE = 6
"""Fights of each script in the suite: with fewer even a script that wins them all would pass."""
MOST = 0.6
"""The share that the 95 % interval of a script must reach down to."""
Script = Callable[[System, Scene, str], Intent | None]


def attacks(system: System, scene: Scene, who: str) -> list[Legal]:
    """What it can attack with now, the first of each weapon."""
    foes = {one.name for one in scene.foes(who) if not system.fallen(one)}
    return [
        one
        for one in of(system, scene, who, lambda intent: bool(foes & set(intent.targets)))
        if one.window == "turn"
    ]


def first_attack(system: System, scene: Scene, who: str) -> Intent | None:
    """The first attack there is."""
    return next((one.intent for one in attacks(system, scene, who)), None)


def step(system: System, scene: Scene, who: str, away: bool) -> Intent | None:
    """A move towards the nearest foe, or away from it."""
    foes = [one for one in scene.foes(who) if not system.fallen(one) and one.at is not None]
    here = scene.fighters[who].at
    if not foes or here is None:
        return None
    near = min(foes, key=lambda one: system.distance(here, one.at or here))
    assert near.at is not None
    for one in of(system, scene, who, lambda intent: "to" in system.actions[intent.action].options):
        if movement.is_move(system, scene, one):
            make = movement.away if away else movement.towards
            found = make(system, scene, one.intent, near.at)
            if found is not None:
                return found
    return None


def shoot(system: System, scene: Scene, who: str) -> Intent | None:
    """Stays and attacks, and nothing else."""
    return first_attack(system, scene, who)


def rush(system: System, scene: Scene, who: str) -> Intent | None:
    """Runs at the nearest, and attacks whenever it can."""
    here, foes = scene.fighters[who].at, [one for one in scene.foes(who) if not system.fallen(one)]
    gaps = [system.distance(here, one.at) for one in foes if here and one.at]
    if gaps and min(gaps) > system.unit.beside and (found := step(system, scene, who, False)):
        return found
    return first_attack(system, scene, who)


def hit_and_run(system: System, scene: Scene, who: str) -> Intent | None:
    """Attacks while it can, and runs with what is left."""
    return first_attack(system, scene, who) or step(system, scene, who, True)


def lie_and_shoot(system: System, scene: Scene, who: str) -> Intent | None:
    """Lies down first, then attacks."""
    lying = ("drop-prone", "prone")
    if not scene.fighters[who].has("prone"):
        for one in of(system, scene, who, lambda intent: intent.action in lying):
            return one.intent
    return first_attack(system, scene, who)


SCRIPTS: dict[str, tuple[Script, str]] = {
    "stays behind heavy cover and shoots": (shoot, "heavy"),
    "hits and runs": (hit_and_run, ""),
    "rushes": (rush, ""),
    "lies and shoots": (lie_and_shoot, ""),
}


def played(name: str, script: str, doctrine: str, fights: int) -> Score:
    """What a script wins against a doctrine; sides are swapped at every other seed."""
    system = load(name)
    act, cover = SCRIPTS[script]
    wanted, apart = EQUAL[name]
    sheet = next(one for one in roster(name) if one.values["name"] == wanted)
    points, rounds = 0.0, []
    for seed in range(fights):
        mine = SIDES[seed % 2]
        start = met(system, [sheet, sheet], (doctrine, doctrine), apart)
        me = next(one for one in start.fighters.values() if one.side == mine)
        foe = next(one for one in start.fighters.values() if one.side != mine)
        if cover:
            faults: list[object] = []
            level = system.cover.read(cover, (), faults)  # type: ignore[arg-type]
            if faults:
                level = "4+"
            me = me._replace(cover={foe.name: level})
        start = start._replace(fighters={**start.fighters, me.name: me})

        def mind(scene: Scene, entries: Sequence[Entry], who: str = me.name) -> Intent:
            if scene.turn == who:
                return act(system, scene, who) or Intent("next", who)
            return MINDS(system).decide(scene, scene.turn, entries).intent

        bout = fought(system, start, seed // 2, mind, rounds=ROUNDS)
        sides = list(standing(system, bout.end))
        points += 0.5 if len(sides) != 1 else float(sides[0] == mine)
        rounds.append(bout.end.round)
    return Score(points, fights, tuple(rounds))


@pytest.mark.slow
@pytest.mark.parametrize("script", SCRIPTS)
def test_a_sample_of_the_scripts(script: str) -> None:
    """A few fights of fixed seeds in the quickest system."""
    found = played("d100", script, "cunning", SAMPLE)
    assert found.interval[0] <= MOST, f"{script}: {found}"


@pytest.mark.long
@pytest.mark.parametrize("doctrine", ["careful", "cunning"])
@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize("name", tuple(SYSTEMS))
def test_no_script_beats_a_doctrine(name: str, script: str, doctrine: str) -> None:
    found = played(name, script, doctrine, FIGHTS)
    assert found.interval[0] <= MOST, f"{script}: {found}"
