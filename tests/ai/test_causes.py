"""What the reasons of fighters say, against what follows and against exact odds, over fights in every system."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from bouts import DOCTRINES, MINDS, SAMPLE, Bout, by_doctrine, fought, met, roster

from crisis_cli.ai import movement
from crisis_cli.ai.arms import attack_on, harm
from crisis_cli.engine.legal_actions import of
from crisis_cli.engine.record import Entry
from crisis_cli.engine.scene import Intent, Scene
from crisis_cli.engine.system import System
from crisis_cli.systems import SYSTEMS, load

LONG = 12
"""Rounds that each fight lasts at most."""


def untrue(system: System, bout: Bout) -> Iterator[str]:
    """The reasons of a fight that are not true, each with the number of its entry."""
    for at, (entry, scene) in enumerate(zip(bout.entries[1:], bout.scenes, strict=False)):
        why = entry.intent.get("reason") or {}
        later = following(bout.entries[at + 2 :], entry.intent.actor)
        MINDS(system).evaluator.start_decision(scene)
        check = CHECKS.get(why.get("key", ""))
        wrong = check(system, scene, entry, why, later) if check else ""
        if wrong:
            yield f"{entry.number} {entry.intent.actor}: {why['key']}: {wrong}"


def following(entries: tuple[Entry, ...], who: str) -> list[Intent]:
    """What a fighter does in the rest of its turn."""
    found = []
    for entry in entries:
        if entry.intent.actor == who:
            if entry.intent.action == "next":
                break
            found.append(entry.intent)
    return found


def drawn(system: System, scene: Scene, entry: Entry, why: dict[str, Any], later: list[Intent]) -> str:
    """A weapon that does more than another is the one of the next attack, and does more harm with it."""
    if "other" not in why:
        return ""
    if why["other"] not in scene.fighters[entry.intent.actor].held:
        return f"{why['other']} is not in hand"
    foes = {one.name for one in scene.foes(entry.intent.actor)}
    attacks = [one for one in later if one.target in foes]
    if attacks and attacks[0].get("weapon") != why["thing"]:
        return f"then {attacks[0]}"
    if not attacks:
        return ""
    after = movement.scene_after(system, scene, entry.intent)
    assert after is not None
    worths = []
    for state, weapon in ((scene, why["other"]), (after, why["thing"])):
        found = of(system, state, entry.intent.actor, lambda one: one.target == attacks[0].target)
        values = [
            MINDS(system).evaluator.action_value(state, one.intent)
            for one in found
            if one.window == "turn"
            and one.intent.get("weapon") == weapon
            and system.actions[one.intent.action].ai
        ]
        worths.append(max((harm(value) for value in values if value), default=0.0))
    return "" if worths[1] > worths[0] else f"{worths[1]} against {worths[0]}"


def nearer(system: System, scene: Scene, entry: Entry, why: dict[str, Any], later: list[Intent]) -> str:
    """The chances from here and from there are those of the best attacks on the foe that is named."""
    if "there" not in why:
        return ""
    after = movement.scene_after(system, scene, entry.intent)
    assert after is not None
    evaluator = MINDS(system).evaluator
    for state, key in ((scene, "here"), (after, "there")):
        attack = attack_on(evaluator, state, entry.intent.actor, why["foe"], fresh=False)
        if attack is None or abs(100 * attack.value.chance - why[key]) > 1:
            # What supplies are worth may lead to another attack.
            weighed = MINDS(system).doctrine(scene.fighters[entry.intent.actor]).weigh.spent
            attack = attack_on(evaluator, state._replace(), entry.intent.actor, why["foe"], weighed, False)
        if attack is None or abs(100 * attack.value.chance - why[key]) > 1:
            return f"{why[key]} % {key}, by the odds {attack and attack.value.chance}"
    return ""


def kept(system: System, scene: Scene, entry: Entry, why: dict[str, Any], later: list[Intent]) -> str:
    """Who keeps something to react with has it."""
    reactions = system.reactions
    left = scene.fighters[entry.intent.actor].pools[reactions.pool] if reactions else 0
    return "" if reactions and left >= reactions.price else f"has {left} left"


def unable(system: System, scene: Scene, entry: Entry, why: dict[str, Any], later: list[Intent]) -> str:
    """Who can do nothing has nothing legal to do."""
    found = [
        one.intent.action
        for one in of(system, scene, entry.intent.actor)
        if one.window == "turn" and system.actions[one.intent.action].ai
    ]
    return f"could {found}" if found else ""


def harder(system: System, scene: Scene, entry: Entry, why: dict[str, Any], later: list[Intent]) -> str:
    """No foe hits a fighter better with what it holds, from where it stands, than before."""
    after = movement.scene_after(system, scene, entry.intent)
    assert after is not None
    chances = []
    for state in (scene, after):
        values = []
        for foe in state.foes(entry.intent.actor)[:2]:
            attack = attack_on(MINDS(system).evaluator, state, foe.name, entry.intent.actor)
            values.append(attack.value.chance if attack else 0.0)
        chances.append(values)
    return (
        f"{chances}"
        if len(scene.fighters) == 2 and any(then > now + 0.001 for now, then in zip(*chances, strict=True))
        else ""
    )


def cornered(system: System, scene: Scene, entry: Entry, why: dict[str, Any], later: list[Intent]) -> str:
    """Who has nowhere to run has no move away from the nearest foe."""
    me = scene.fighters[entry.intent.actor]
    near = MINDS(system).evaluator.foes(scene, me.name)[0].at
    moves = [one for one in of(system, scene, me.name) if movement.is_move(system, scene, one)]
    away = [one for one in moves if near and movement.away(system, scene, one.intent, near)]
    return f"could {away}" if away else ""


CHECKS = {
    "draws": drawn,
    "closes-in": nearer,
    "keeps-ready": kept,
    "nothing": unable,
    "covers": harder,
    "cornered": cornered,
}
"""What is compared, by the key of the reason."""


def fight_truly(name: str, doctrine: str, seeds: Iterable[int]) -> None:
    """Fights of a doctrine in a system, near and far, in which every reason is true."""
    system, sheets = load(name), roster(name)
    for seed in seeds:
        some = [sheets[(seed + at) % len(sheets)] for at in range(2 + seed % 2)]
        bout = fought(
            system,
            met(system, some, (doctrine, "careful"), (1, 10)[seed % 2]),
            seed,
            by_doctrine(system),
            rounds=LONG,
        )
        assert not list(untrue(system, bout)), bout.story


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.long)])
@pytest.mark.parametrize(("name", "doctrine"), SAMPLE)
def test_reasons_are_true_of_what_follows(name: str, doctrine: str, seed: int) -> None:
    fight_truly(name, doctrine, [seed])


@pytest.mark.long
@pytest.mark.parametrize("doctrine", DOCTRINES)
@pytest.mark.parametrize("name", tuple(SYSTEMS))
def test_reasons_are_true_over_many_fights(name: str, doctrine: str) -> None:
    fight_truly(name, doctrine, range(12))
