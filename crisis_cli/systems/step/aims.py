"""What an attack is made of: who is aimed at, the rolls, the damage, the price (STEP-16 to STEP-21, STEP-28)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...engine.dice_amount import Amount
from ...engine.record import Modifier
from ...engine.scene import Fighter, Intent, Scene
from ...engine.system import Cost, refuse
from ...rules.situational import circumstance, standing
from .defence import POSTURE
from .harm import Blow, Shot
from .kinds import worth
from .rolls import skilled, total
from .sheet import WEAPON_SKILL, die_of, spelled, split

AIM, OVERWATCH = "aim", "overwatch"
"""Marks: +1 each on the next ranged attack; attacks in others' turns (STEP-16)."""


def aims(intent: Intent, name: str, weapon: Mapping[str, Any]) -> list[str]:
    """STEP-21: whom each shot is aimed at; spare shots go to the last."""
    targets, rof = list(intent.targets), weapon["rof"]
    shots: int = intent.get("shots", len(targets))
    burst = "burst" in weapon["tags"]
    if burst and intent.get("shots") is None and len(targets) > 1:
        shots = rof
    if shots < max(1, len(targets)):
        refuse(
            intent,
            f"{shots} shots are too few for {len(targets)} targets" if targets else f"{shots} shots are none",
            "STEP-21",
            "one shot or more for each target",
            final=True,
        )
    if shots > rof:
        refuse(intent, f"the {name} attacks {rof} times in one action, not {shots}", "STEP-21")
    if burst and shots not in (1, rof):
        refuse(intent, f"the {name} fires 1 shot or a burst of {rof}", "STEP-21", f"give --shots {rof}")
    return targets + targets[-1:] * (shots - len(targets))


def shots_at(
    scene: Scene, intent: Intent, targets: list[str], weapon: Mapping[str, Any], modifiers: list[Modifier]
) -> tuple[tuple[Shot, ...], list[Modifier]]:
    """The attack rolls, each further one harder than the one before (STEP-21).

    Aim and the circumstance of the command count for the first alone (STEP-16, ALL-6).
    """
    names = list(dict.fromkeys(targets))
    sides, _ = split(die_of(scene.fighters[intent.actor].sheet, skill_of(weapon)))
    aim = scene.fighters[intent.actor].marks.get(AIM, 0) if weapon["kind"] != "melee" else 0
    several = len(targets) > 1
    shots, found = [], []
    for number, target in enumerate(targets, start=1):
        own = []
        if number > 1 and weapon["rof_penalty"]:
            off = -weapon["rof_penalty"] * (number - 1)
            own.append(Modifier("attack", f"shot {number}", off, "STEP-21", "rate of fire", target, number))
        if number == 1:
            first = [Modifier("attack", "aim", aim, "STEP-16", "take-aim")] if aim else []
            first += circumstance(intent, "attack")
            own += [one._replace(against=target, shot=1 if several else 0) for one in first]
        bonus = total(modifiers, "attack", target) + sum(one.value for one in own)
        goal = total(modifiers, "difficulty", target)
        shots.append(Shot(names.index(target), sides, bonus, goal, number if several else 0, not several))
        found += own
    return tuple(shots), found


def told_of(modifiers: list[Modifier], several: bool) -> tuple[Modifier, ...]:
    """The modifiers as the record wants them: whom they are against only where there are several targets."""
    return tuple(modifiers if several else (one._replace(against="") for one in modifiers))


def skill_of(weapon: Mapping[str, Any]) -> str:
    """STEP-4, STEP-18: the skill that a weapon is used with."""
    return spelled(weapon.get("skill", WEAPON_SKILL[weapon["kind"]]))


def attacking(fighter: Fighter, name: str, weapon: Mapping[str, Any]) -> list[Modifier]:
    """STEP-17, STEP-18: what the attacker adds to every attack roll of the action."""
    _, found = skilled(fighter, "attack", skill_of(weapon), "STEP-18")
    found += [Modifier("attack", "hit", weapon["hit"], "STEP-18", f"weapons.{name}")] if weapon["hit"] else []
    if weapon["kind"] != "melee":
        for posture, (_, _, worth_) in POSTURE.items():
            if fighter.has(posture):
                found.append(Modifier("attack", posture, worth_, "STEP-17", "condition"))
    return found


def blow_of(
    scene: Scene,
    intent: Intent,
    name: str,
    weapon: Mapping[str, Any],
    *,
    close: bool = False,
    single: bool = True,
    executing: bool = False,
) -> tuple[Blow, list[Modifier]]:
    """STEP-28: what a hit does; doublings add up, and multiply dice and flat parts of the weapon alone."""
    fighter = scene.fighters[intent.actor]
    base = worth(weapon["damage"], split(die_of(fighter.sheet, "body"))) or Amount()
    times = 1 + close + executing
    dice = base._replace(many=base.many * times, plus=base.plus * times)
    if single and "long-range" in weapon["tags"] and dice.many:
        dice = dice._replace(many=dice.many + 1)
    found = [Modifier("damage", "weapon", dice.plus, "STEP-28", f"weapons.{name}")] if dice.plus else []
    more = standing(fighter, "damage", "damage") + circumstance(intent, "damage", "mod_damage")
    dice = dice._replace(plus=dice.plus + total(more, "damage"))
    spare = bool(intent.get("spare"))
    asks = scene.open and fighter.player and not executing and "spare" not in intent.options
    return Blow(intent.actor, dice, 1 + executing, weapon["piercing"], spare, asks), found + more


def costs(name: str, weapon: Mapping[str, Any], shots: int) -> tuple[Cost, ...]:
    """STEP-16, STEP-21: the attack's AP, 1 more for each further shot; a round each (a reading)."""
    ap = Cost("ap", weapon["ap"] + (shots - 1) * weapon["rof_ap"], rule="STEP-21" if shots > 1 else "STEP-16")
    return (ap, Cost(f"ammo:{name}", shots, rule="STEP-21")) if "capacity" in weapon else (ap,)
