"""How fighters behave over many fights: nothing that a player would call absurd.

`CRISIS_FIGHTS=1000 pytest -m long tests/ai/test_conduct.py` looks at a thousand fights.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest
from bouts import DOCTRINES, MINDS, SAMPLE, Bout, by_doctrine, fought, met, roster

from crisis_cli.ai import movement
from crisis_cli.ai.arms import harm
from crisis_cli.dice.distribution import OddsTable, least_harm
from crisis_cli.engine.action_odds import action_odds
from crisis_cli.engine.legal_actions import of
from crisis_cli.engine.scene import Scene
from crisis_cli.engine.system import System
from crisis_cli.systems import SYSTEMS, load

FIGHTS = -(-int(os.environ.get("CRISIS_FIGHTS", "150")) // (len(SYSTEMS) * len(DOCTRINES)))
"""Fights of each doctrine in each system, where all are looked at."""
ROUNDING = 0.5 + 1e-9
"""How far a whole percentage may be from the exact one."""
RUNNING = 3
"""Turns in which nobody treats itself one after the other."""


def put_away(bout: Bout, who: str) -> Counter[str]:
    """What a fighter drew and put away again unused, by how often."""
    found: Counter[str] = Counter()
    unused: set[str] = set()
    for entry in bout.entries:
        if entry.intent.actor != who:
            continue
        unused -= {str(entry.intent.get(key)) for key in ("weapon", "item")}
        for event in entry.events:
            if event.who == who and event.what == "held":
                was, now = set(event.was or ()), set(event.now or ())
                found.update(unused & (was - now))
                unused = (unused & now) | (now - was)
    return found


def treated(bout: Bout, who: str) -> list[bool]:
    """For each turn of a fighter whether it treated itself though it could have attacked."""
    turns, now = [], False
    for entry in bout.entries:
        if entry.intent.actor != who:
            continue
        why = entry.intent.get("reason") or {}
        could_attack = any("attack" in one["plan"] for one in why.get("plans", ()))
        now = now or (why.get("key") == "treats" and who in entry.intent.targets and could_attack)
        if entry.intent.action == "next":
            turns.append(now)
            now = False
    return turns


LYING = ("prone", "kneeling")
"""Postures that hinder some attacks, as systems call them."""


def lay_idle(system: System, bout: Bout) -> list[str]:
    """The turns that ended lying, though getting up would have paid for a better attack with what was left."""
    found = []
    for entry, scene in zip(bout.entries[1:], bout.scenes, strict=False):
        who = entry.intent.actor
        if entry.intent.action != "next" or not any(map(scene.fighters[who].has, LYING)):
            continue
        standing = [
            after
            for one in of(system, scene, who, lambda intent: not intent.targets)
            if movement.needs_no_dice(system, scene, one.intent)
            and (after := movement.scene_after(system, scene, one.intent)) is not None
            and after.turn == who
            and not any(map(after.fighters[who].has, LYING))
        ]
        lying = best_attack(system, scene, who)
        if any(best_attack(system, after, who) > 1.1 * lying + 0.02 for after in standing):
            found.append(f"{entry.number} {who}")
    return found


def crowded(system: System, bout: Bout) -> list[str]:
    """The moves that ended where another fighter stands."""
    found = []
    for entry, scene in zip(bout.entries, bout.scenes, strict=True):
        for event in entry.events:
            if event.what == "at" and system.space.beside and entry.intent.actor == event.who:
                others = (one for one in scene.fighters.values() if one.name != event.who and not one.gone)
                found += [f"{entry.number} {one.name}" for one in others if one.at == event.now]
    return found


def postures(bout: Bout, who: str) -> list[int]:
    """For each turn of a fighter how often it took another posture for cover or a better aim."""
    turns, now = [], 0
    for entry in bout.entries:
        if entry.intent.actor != who:
            continue
        key = (entry.intent.get("reason") or {}).get("key")
        changed = any(event.who == who and event.what.startswith("condition:") for event in entry.events)
        now += key in ("covers", "steadies") and changed
        if entry.intent.action == "next":
            turns.append(now)
            now = 0
    return turns


def best_attack(system: System, scene: Scene, who: str) -> float:
    """The most harm of any attack that can be paid now."""
    evaluator = MINDS(system).evaluator
    evaluator.start_decision(scene)
    foes = {foe.name for foe in evaluator.foes(scene, who)}
    values = [
        evaluator.action_value(scene, one.intent)
        for one in of(system, scene, who, lambda intent: bool(foes & set(intent.targets)))
        if one.window == "turn" and system.actions[one.intent.action].ai
    ]
    return max((harm(value) for value in values if value), default=0.0)


def contradicted(system: System, bout: Bout, most: int = 12) -> list[str]:
    """The first reasons that name another chance to hit than exact odds do, by the doctrine of the target."""
    found, seen = [], 0
    for entry, scene in zip(bout.entries[1:], bout.scenes, strict=False):
        why = entry.intent.get("reason") or {}
        if why.get("key") != "attacks" or seen >= most:
            continue
        seen += 1
        bare = entry.intent._replace(
            options={key: value for key, value in entry.intent.options.items() if key != "reason"}
        )
        odds = action_odds(system, scene, bare, OddsTable(least_harm))
        if odds.success and abs(100 * odds.success[0] / odds.success[1] - why["chance"]) > ROUNDING:
            found.append(f"{entry.number} {why['chance']} % against {odds.success}")
    return found


def conducted(name: str, doctrine: str, fights: int) -> None:
    """So many fights of a doctrine in a system, near and far, in each of which everybody behaves."""
    system, sheets = load(name), roster(name)
    for seed in range(fights):
        pair = [sheets[(seed + at) % len(sheets)] for at in range(2)]
        start = met(system, pair, (doctrine, "careful"), (1, 10)[seed % 2])
        bout = fought(system, start, seed, by_doctrine(system), rounds=30)
        assert not lay_idle(system, bout), bout.story
        assert not contradicted(system, bout), bout.story
        assert not crowded(system, bout), bout.story
        for who in bout.start.fighters:
            assert max(put_away(bout, who).values(), default=0) < 2, f"{who}\n{bout.story}"
            assert max(postures(bout, who), default=0) < 2, f"{who}\n{bout.story}"
            turns = treated(bout, who)
            runs = [turns[at : at + RUNNING] for at in range(len(turns) - RUNNING + 1)]
            assert [True] * RUNNING not in runs, f"{who}\n{bout.story}"


@pytest.mark.slow
@pytest.mark.parametrize(("name", "doctrine"), SAMPLE)
def test_a_sample_of_fighters_behaves(name: str, doctrine: str) -> None:
    conducted(name, doctrine, 1)


@pytest.mark.long
@pytest.mark.parametrize("doctrine", DOCTRINES)
@pytest.mark.parametrize("name", tuple(SYSTEMS))
def test_nobody_draws_in_vain_twice_or_only_treats_itself(name: str, doctrine: str) -> None:
    conducted(name, doctrine, FIGHTS)
