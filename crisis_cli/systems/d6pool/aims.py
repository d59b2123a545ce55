"""What is built up before an attack, and lost by doing anything else: aim, accuracy, recoil, support
(POOL-19, POOL-20, POOL-30, POOL-32, POOL-35)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...engine.events import Event, change
from ...engine.record import Modifier
from ...engine.scene import Fighter, Intent, Scene
from ...engine.system import Cost, refuse
from .sheet import value_of

PAID = "paid"
"""The mark of an action half paid."""
AIM, ACCURATE, RECOIL, SUPPORTED, WALKED = "aim", "accurate", "recoil", "supported", "walked"
AIMED = 2
"""POOL-20: what each action of aiming takes off the critical threshold."""
KICK = 2
"""POOL-19: what each attack straight before adds."""
SURE = 2
"""POOL-30: the lowest minimum roll that taking one's time leads to."""
MASSIVE = 3
"""POOL-32: dice of each further action."""
MARKS = {AIM: "crisis", ACCURATE: "crisis", RECOIL: "round", SUPPORTED: "crisis", WALKED: "crisis"}


def firearm(weapon: Mapping[str, Any], mode: str) -> bool:
    """Whether an attack is made with a firearm: it fires, and is no bow (POOL-19)."""
    return mode in ("single", "burst") and not weapon["bow"]


def count_of(intent: Intent, option: str) -> int:
    """The number of an option; Refused below 0."""
    count: int = intent.get(option, 0)
    if count < 0:
        refuse(intent, f"--{option} is a number from 0", "POOL-12", final=True)
    return count


def aiming(scene: Scene, intent: Intent, mode: str, name: str) -> tuple[list[Modifier], int]:
    """POOL-20: what aim takes off the critical threshold, and the actions spent on it with this attack."""
    fighter = scene.fighters[intent.actor]
    more = count_of(intent, AIM)
    if more and mode == "burst":
        refuse(intent, f"the {name} cannot be aimed in bursts", "POOL-18", "--mode single", final=True)
    have = fighter.marks.get(AIM, 0) if mode != "burst" else 0
    return _capped(fighter, "critical", AIM, AIMED * (have + more), "POOL-20"), more


def accuracy(scene: Scene, intent: Intent, least: int) -> tuple[list[Modifier], int]:
    """POOL-30: what taking one's time takes off the minimum roll, never to below 2, and the actions for it."""
    fighter = scene.fighters[intent.actor]
    more = count_of(intent, ACCURATE)
    have = fighter.marks.get(ACCURATE, 0)
    found = _capped(fighter, "attack", ACCURATE, have + more, "POOL-30")
    short = SURE - least - sum(one.value for one in found)
    if found and short > 0:
        found.append(Modifier("attack", "never below 2", min(short, -found[0].value), "POOL-30"))
    return found, more


def _capped(fighter: Fighter, roll: str, name: str, worth: int, rule: str) -> list[Modifier]:
    """So much off, no more than perception."""
    most = max(0, value_of(fighter.sheet, "perception")[0])
    if not worth:
        return []
    return [Modifier(roll, name, -min(most, worth), rule, f"perception {most}" if worth > most else "")]


def massive(scene: Scene, intent: Intent, mode: str) -> tuple[list[Modifier], int]:
    """POOL-32: dice for further actions, in all no more than strength; in melee alone (a reading)."""
    more = count_of(intent, "massive")
    if not more:
        return [], 0
    if mode != "melee":
        refuse(intent, "only a blow can be massive", "POOL-32", final=True)
    most = max(0, value_of(scene.fighters[intent.actor].sheet, "strength")[0])
    worth = min(most, MASSIVE * more)
    source = f"strength {most}" if MASSIVE * more > most else "--massive"
    return [Modifier("attack dice", "massive", worth, "POOL-32", source)], more


def recoil(fighter: Fighter, weapon: Mapping[str, Any], mode: str) -> int:
    """POOL-19: what the attacks straight before this one add, compensation taken off."""
    if not firearm(weapon, mode):
        return 0
    each: int = max(0, KICK - weapon.get("recoil_compensation", 0))
    return each * fighter.marks.get(RECOIL, 0)


def support(
    scene: Scene, intent: Intent, name: str, weapon: Mapping[str, Any], mode: str
) -> tuple[bool, int]:
    """POOL-35: whether the weapon rests on something, and the action that it takes to put it there."""
    there = bool(scene.fighters[intent.actor].marks.get(f"{SUPPORTED}:{name}"))
    if intent.get("supported") and not firearm(weapon, mode):
        refuse(intent, f"the {name} cannot be supported", "POOL-35", "firearms can, bows cannot", final=True)
    return there or bool(intent.get("supported")), int(bool(intent.get("supported")) and not there)


def surplus(modifiers: tuple[Modifier, ...]) -> list[list[str]]:
    """What was capped, and by what: for a warning."""
    return [
        [one.name, one.source]
        for one in modifiers
        if one.rule in ("POOL-20", "POOL-30", "POOL-32") and one.source.startswith(("perception", "strength"))
    ]


def spoiled(scene: Scene, who: str, kept: tuple[str, ...] = ()) -> Iterator[Event]:
    """What anything else that is done spoils (POOL-19, POOL-20, POOL-30, POOL-35), but for what is kept."""
    for mark in scene.fighters[who].marks:
        kind = mark.partition(":")[0]
        if kind in (AIM, ACCURATE, RECOIL, SUPPORTED, WALKED, PAID) and kind not in kept:
            yield from change(scene, who, f"mark:{mark}", 0, "POOL-20")


def actions(count: int, rule: str) -> tuple[Cost, ...]:
    """So many actions on top."""
    return (Cost("actions", count, rule=rule),) if count else ()
