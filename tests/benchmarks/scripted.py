"""Scripted players against the doctrines: habits that used to beat them, with equal sheets.

    PYTHONPATH=tests/ai python tests/benchmarks/scripted.py --fights 200
    PYTHONPATH=tests/ai python tests/benchmarks/scripted.py --system step --script hides --fights 20

Each script fights as a player would who has found one trick and does nothing else; a draw counts half.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from bouts import MINDS, fought, met, roster
from tournament import EQUAL, ROUNDS, SIDES, Score

from crisis_cli.ai import movement
from crisis_cli.ai.arms import harm
from crisis_cli.engine.legal_actions import LegalAction, of
from crisis_cli.engine.record import Entry
from crisis_cli.engine.scene import Intent, Scene
from crisis_cli.engine.schema import Fault
from crisis_cli.engine.sides import standing
from crisis_cli.engine.system import System
from crisis_cli.systems import SYSTEMS, load

MOST = 0.6
"""The share that the 95 % interval of a script must reach down to."""
RIVALS = ("careful", "cunning")
"""The doctrines that the scripts are tried on."""
Act = Callable[[System, Scene, str], Intent | None]
"""What a script does next in its turn; None ends it."""


class Script(NamedTuple):
    """A player with one trick."""

    act: Act
    cover: str = ""
    """The cover that it has from its foe from beginning to end."""
    needs: tuple[str, ...] = ()
    """The actions of which the system must have one."""


LYING = ("drop-prone", "prone")
"""Lying down, as systems call it."""


def attacks(system: System, scene: Scene, who: str) -> list[LegalAction]:
    """What it can attack with now, the most harm on average first."""
    foes = {one.name for one in scene.foes(who) if not system.fallen(one)}
    evaluator = MINDS(system).evaluator
    evaluator.start_decision(scene)
    found = [
        (evaluator.action_value(scene, one.intent), one)
        for one in of(system, scene, who, lambda intent: bool(foes & set(intent.targets)))
        if one.window == "turn" and system.actions[one.intent.action].ai.considered
    ]
    worth = [(harm(value), one) for value, one in found if value]
    return [one for much, one in sorted(worth, key=lambda each: -each[0]) if much > 0]


def attack(system: System, scene: Scene, who: str) -> Intent | None:
    """The attack that does most harm; without one, a weapon that is empty is filled."""
    found = attacks(system, scene, who)
    if found:
        return found[0].intent
    refills = {kind.refill for kind in system.pools.values()} - {""}
    return next((one.intent for one in of(system, scene, who, lambda intent: intent.action in refills)), None)


def step(system: System, scene: Scene, who: str, away: bool) -> Intent | None:
    """A move towards the nearest foe, or away from it."""
    foes = [one for one in scene.foes(who) if not system.fallen(one) and one.at is not None]
    here = scene.fighters[who].at
    if not foes or here is None:
        return None
    near = min(foes, key=lambda one: system.space.distance(here, one.at or here))
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
    return attack(system, scene, who)


def rush(system: System, scene: Scene, who: str) -> Intent | None:
    """Runs at the nearest, and attacks whenever it can."""
    here, foes = scene.fighters[who].at, [one for one in scene.foes(who) if not system.fallen(one)]
    gaps = [system.space.distance(here, one.at) for one in foes if here and one.at]
    if gaps and min(gaps) > system.space.beside and (found := step(system, scene, who, False)):
        return found
    return attack(system, scene, who)


def hit_and_run(system: System, scene: Scene, who: str) -> Intent | None:
    """Attacks while it can, and runs with what is left."""
    return attack(system, scene, who) or step(system, scene, who, True)


def lie_and_shoot(system: System, scene: Scene, who: str) -> Intent | None:
    """Lies down first, then attacks."""
    if not scene.fighters[who].has("prone"):
        for one in of(system, scene, who, lambda intent: intent.action in LYING):
            return one.intent
    return attack(system, scene, who)


def hide(system: System, scene: Scene, who: str) -> Intent | None:
    """Attacks as long as enough is left to hide afterwards, hides, and attacks again in its next turn."""
    hides = next(of(system, scene, who, lambda intent: intent.action == "hide"), None)
    pools = scene.fighters[who].pools
    for one in attacks(system, scene, who):
        left = {pool: pools.get(pool, 0) - amount for pool, amount in one.costs}
        if hides is None or all(left.get(pool, amount) >= amount for pool, amount in hides.costs):
            return one.intent
    return hides.intent if hides else None


SCRIPTS = {
    "stays behind heavy cover and shoots": Script(shoot, "heavy"),
    "stays behind total cover and shoots": Script(shoot, "total"),
    "hits and runs": Script(hit_and_run),
    "rushes": Script(rush),
    "lies and shoots": Script(lie_and_shoot, needs=LYING),
    "hides": Script(hide, "light", needs=("hide",)),
}


class Trial(NamedTuple):
    """A script against a doctrine in one system."""

    system: str
    script: str
    doctrine: str


def level_of(system: System, cover: str) -> str:
    """The level of cover that a system has in place of a word; empty if it has none."""
    for level in (cover, "4+") if cover == "heavy" else (cover,):
        faults: list[Fault] = []
        system.space.cover.read(level, (), faults)
        if not faults:
            return level
    return ""


def trials(systems: Sequence[str], scripts: Sequence[str]) -> Iterator[Trial]:
    """Each script against each doctrine in each system that has what it takes."""
    for name in systems:
        system = load(name)
        for script in scripts:
            _, cover, needs = SCRIPTS[script]
            lacks_cover = cover and script != "hides" and not level_of(system, cover)
            if lacks_cover or (needs and not set(needs) & set(system.actions)):
                continue
            if "hide" in needs and "to" in system.actions["hide"].options:
                # There it is a way to move, of which foes know no more than of any other.
                continue
            yield from (Trial(name, script, doctrine) for doctrine in RIVALS)


def played(trial: Trial, fights: int) -> Score:
    """What a script wins against a doctrine; sides are swapped at every other seed."""
    name, script, doctrine = trial
    system = load(name)
    act, cover, _ = SCRIPTS[script]
    wanted, apart = EQUAL[name]
    sheet = next(one for one in roster(name) if one.values["name"] == wanted)
    points, rounds = 0.0, []
    for seed in range(fights):
        mine = SIDES[seed % 2]
        start = met(system, [sheet, sheet], (doctrine, doctrine), apart)
        me = next(one for one in start.fighters.values() if one.side == mine)
        foe = next(one for one in start.fighters.values() if one.side != mine)
        if cover:
            me = me._replace(cover={foe.name: level_of(system, cover)})
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


def main() -> None:
    """Print what each script wins, and whether that is more than it may."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fights", type=int, default=200, help="fights of each trial (200)")
    parser.add_argument("--system", nargs="*", default=list(SYSTEMS), help="all")
    parser.add_argument("--script", nargs="*", default=list(SCRIPTS), help="all")
    given = parser.parse_args()
    for one in trials(given.system, given.script):
        found = played(one, given.fights)
        middle = sorted(found.rounds)[len(found.rounds) // 2]
        verdict = "too good" if found.interval[0] > MOST else ""
        print(
            f"{one.system:7}{one.script:36} v {one.doctrine:8} {found}, {middle} rounds {verdict}", flush=True
        )


if __name__ == "__main__":
    main()
