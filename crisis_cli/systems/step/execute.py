"""Executing the helpless (STEP-16)."""

from __future__ import annotations

from collections.abc import Iterator

from ...engine.scene import Intent, Scene, slug
from ...engine.system import Action, Setup, refuse
from .aims import attacking, blow_of, costs, shots_at, told_of
from .arms import weapon_in_use
from .attack import ATTACK, alive, strike
from .defence import difficulty, hindered, is_close
from .harm import enough, victim_of
from .rolls import skilled, total
from .sheet import is_area
from .volley import Volley, fire


def execute_stake(scene: Scene, intent: Intent) -> Setup:
    """STEP-16: an attack on someone helpless, with double damage; refused for anybody else."""
    name, weapon = weapon_in_use(scene, intent)
    fighter, target = scene.fighters[intent.actor], scene.fighters[intent.target]
    alive(intent, target)
    if not target.has("helpless"):
        refuse(
            intent,
            f"{target.name} is not helpless and cannot be executed",
            "STEP-16",
            hint=f"if it should be: crisis set {slug(target.name)} condition:helpless on",
        )
    if is_area(weapon):
        refuse(intent, f"the {name} strikes an area and executes nobody", "STEP-16", final=True)
    modifiers = attacking(fighter, name, weapon)
    modifiers += hindered(scene, intent, target, name, weapon)
    modifiers += difficulty(scene, intent, target, weapon["kind"] == "melee")
    shots, aim = shots_at(scene, intent, [target.name], weapon, modifiers)
    sides, resisting = skilled(target, "resist", "body", "STEP-16")
    victim = victim_of(target, weapon["type"])._replace(body=(sides, total(resisting, "resist")))
    close = is_close(scene, intent, (target.name,), weapon)
    blow, damaging = blow_of(scene, intent, name, weapon, close=close, executing=True)
    blow = blow._replace(most=enough((victim,)))
    return Setup(
        Volley(blow, shots, (victim,), executed=True),
        (*told_of(modifiers + aim + damaging, False), *resisting),
        costs(name, weapon, 1),
        name,
    )


def _offers(scene: Scene, who: str) -> Iterator[Intent]:
    for foe in scene.foes(who):
        if foe.has("helpless"):
            yield Intent("execute", who, (foe.name,))


EXECUTE = Action(
    "Kill someone helpless",
    "STEP-16",
    execute_stake,
    strike,
    fire,
    gear="weapons",
    candidates=_offers,
    targets="one",
    options=("weapon", "range", "cover", "penetrable", "behind", "mod_damage", "spare"),
    bare=ATTACK.bare,
)
