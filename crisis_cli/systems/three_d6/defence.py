"""What an attack must reach: the two defences, enemies around, cover, range (3D6-16, 3D6-19 to 3D6-23)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...engine.record import Modifier
from ...engine.scene import Fighter, Intent, Scene, slug
from ...errors import Refused
from ...rules.distance import spanned, target_distance, within
from ...rules.situational import standing
from .checks import burdened, total
from .conditions import idle
from .sheet import NAME, rank_of
from .turns import quickness

BASE = 10
ENEMY = -2
"""3D6-19: for each enemy in melee range beyond the first."""
REACH = 2
"""3D6-19: melee range, in metres."""
COVER = {"none": 0, "light": 1, "heavy": 3}
"""3D6-21: added to the defence; behind total cover nobody can be hit."""
PIERCED = {"total": "heavy", "heavy": "light", "light": "light", "none": "none"}
"""3D6-22: what cover is worth when projectiles pass through it (heavy and plain are readings)."""
INCREMENT = -2
"""3D6-23: for each increment beyond the first."""


def defence(scene: Scene, intent: Intent, weapon: Mapping[str, Any]) -> list[Modifier]:
    """The numbers that make up the defence against this attack; Refused behind total cover."""
    target = scene.fighters[intent.target]
    melee = weapon["kind"] == "melee"
    rule = "3D6-19" if melee else "3D6-20"
    found = [Modifier("defence", "base", BASE, rule)]
    if melee:
        found += _worth("melee", rank_of(target.sheet, "melee"), rule, "skill")
        found += _worth("might", target.sheet["abilities"]["might"], rule, "ability")
    else:
        found += _worth("speed", target.sheet["abilities"]["speed"], rule, "ability")
    found += _worth("armour", target.sheet["armour"]["defence"], rule, "armour.defence")
    found += standing(target, "defence", "melee-defence" if melee else "ranged-defence")
    if melee:
        around = enemies_around(scene, intent)
        found += _worth(f"{around} enemies around", ENEMY * (around - 1), "3D6-19", "melee range")
    found += burdened(target, "defence")
    level, source, cover_rule = cover(scene, intent, weapon)
    if level == "total":
        raise Refused(
            f"{target.name} is in total cover and cannot be hit (3D6-21)",
            hint="move to where the cover does not count, or change it: crisis set "
            f"{target.name} cover:{intent.actor} heavy",
            rule="3D6-21",
            final=True,
        )
    return found + _worth(f"{level} cover", COVER[level], cover_rule, source)


def figures(fighter: Fighter) -> dict[str, int]:
    """3D6-6, 3D6-19, 3D6-20: what is added to initiative, and both defences, one enemy around."""
    alone = Scene(NAME, {fighter.name: fighter})
    attacked = Intent("attack", fighter.name, (fighter.name,), {"enemies": 1})
    return {
        "initiative bonus": total(quickness(fighter), "initiative"),
        "melee defence": total(defence(alone, attacked, {"kind": "melee"}), "defence"),
        "ranged defence": total(defence(alone, attacked, {"kind": "ranged"}), "defence"),
    }


def _worth(name: str, value: int, rule: str, source: str) -> list[Modifier]:
    return [Modifier("defence", name, value, rule, source)] if value else []


def enemies_around(scene: Scene, intent: Intent) -> int:
    """How many enemies of the target are in melee range and able to act, the attacker among them (3D6-19)."""
    said = intent.get("enemies")
    if said is not None:
        return max(1, int(said))
    target = scene.fighters[intent.target]
    near = [
        foe.name
        for foe in scene.foes(target.name)
        if foe.name != intent.actor and not idle(foe)[0] and _within(scene, foe.name, target.name)
    ]
    return 1 + len(near)


def _within(scene: Scene, one: str, other: str) -> bool:
    distance = scene.distance(one, other)
    return distance is not None and distance <= REACH


def cover(scene: Scene, intent: Intent, weapon: Mapping[str, Any]) -> tuple[str, str, str]:
    """The best cover of the target from the attacker (only the best counts), its source and its rule."""
    target = scene.fighters[intent.target]
    level, source = intent.get("cover"), "--cover"
    if level is None:
        level, source = target.cover.get(intent.actor, "none"), "cover"
    rule = "3D6-21"
    if intent.get("penetrable") and weapon["kind"] == "ranged" and PIERCED[level] != level:
        level, source, rule = PIERCED[level], f"{source}, penetrable", "3D6-22"
    lying = target.has("prone") and weapon["kind"] != "melee" and not intent.get("behind")
    if lying and level not in ("heavy", "total"):
        return "heavy", "prone, facing the attacker", "3D6-16"
    return level, source, rule


def in_reach(scene: Scene, intent: Intent, fighter: Fighter, weapon: Mapping[str, Any]) -> None:
    """Refused where the target of a melee attack is out of melee range (3D6-19)."""
    if weapon["kind"] == "melee":
        closer = f"move closer: crisis act {slug(fighter.name)} move --to X,Y"
        within(scene, intent, REACH, "melee", "3D6-19", closer)


def range_modifier(scene: Scene, intent: Intent, weapon: Mapping[str, Any]) -> list[Modifier]:
    """What the range takes off a ranged or thrown attack (3D6-23)."""
    distance = target_distance(scene, intent)
    beyond = spanned(distance, weapon.get("range"))
    if weapon["kind"] == "melee" or not beyond:
        return []
    source = f"{distance} m at {weapon['range']} m an increment"
    return [Modifier("attack", "range", INCREMENT * beyond, "3D6-23", source)]
