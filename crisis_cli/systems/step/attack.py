"""Attacks, throws and executions: what they need, and what they change (STEP-16, STEP-18 to STEP-33)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ...engine.events import Event, change
from ...engine.scene import Fighter, Intent, Scene
from ...engine.system import Action, Setup, refuse
from .aims import AIM, OVERWATCH, aims, attacking, blow_of, costs, shots_at, told_of
from .area import DODGED
from .arms import weapon_in_use
from .conditions import is_dead
from .defence import apart, difficulty, hindered, is_close, ranged
from .harm import enough, suffered, victim_of
from .reach import NO_DODGE, area_of, in_reach, stepped_away
from .sheet import is_area
from .volley import Fired, Volley, fire


def attack_stake(scene: Scene, intent: Intent) -> Setup:
    """An attack by STEP-18, or a thrown weapon by STEP-23, refused where something forbids it."""
    kinds = ("thrown",) if intent.action == "throw" else ()
    name, weapon = weapon_in_use(scene, intent, kinds)
    if kinds and weapon["kind"] not in kinds:
        what = "nothing to throw" if name == "unarmed" else f"no way to throw the {name}"
        refuse(
            intent,
            f"{intent.actor} has {what}",
            "STEP-23",
            "a weapon of kind thrown can be thrown",
            final=True,
        )
    if is_area(weapon):
        return _area_stake(scene, intent, name, weapon)
    if intent.get("at") is not None:
        refuse(
            intent,
            f"the {name} needs a target, not a place",
            "STEP-25",
            "areas are aimed at places",
            final=True,
        )
    if intent.get("react") == "dodge":
        refuse(intent, "only attacks on an area can be dodged", "STEP-26", NO_DODGE, final=True)
    targets = aims(intent, name, weapon)
    modifiers = attacking(scene.fighters[intent.actor], name, weapon)
    for target in dict.fromkeys(targets):
        one = scene.fighters[target]
        alive(intent, one)
        modifiers += hindered(scene, intent, one, name, weapon)
        modifiers += difficulty(scene, intent, one, weapon["kind"] == "melee")
    shots, penalties = shots_at(scene, intent, targets, weapon, modifiers)
    names = list(dict.fromkeys(targets))
    victims = tuple(victim_of(scene.fighters[one], weapon["type"]) for one in names)
    close = is_close(scene, intent, names, weapon)
    blow, damaging = blow_of(scene, intent, name, weapon, close=close, single=len(shots) == 1)
    blow = blow._replace(most=enough(victims))
    volley = Volley(blow, shots, victims, burst="burst" in weapon["tags"] and len(shots) > 1)
    return Setup(
        volley,
        told_of(modifiers + penalties + damaging, len(names) > 1),
        costs(name, weapon, len(shots)),
        name,
        _views(volley) if len(victims) > 1 else (),
    )


def _area_stake(scene: Scene, intent: Intent, name: str, weapon: Mapping[str, Any]) -> Setup:
    """STEP-23 to STEP-27: an attack on an area, aimed at a fighter or at a place."""
    fighter = scene.fighters[intent.actor]
    target = scene.fighters[intent.target] if intent.target and intent.get("at") is None else None
    modifiers = attacking(fighter, name, weapon)
    if target is not None:
        modifiers += hindered(scene, intent, target, name, weapon)
    else:
        modifiers += ranged(intent, apart(scene, intent, None), name, weapon, "")
    modifiers += difficulty(scene, intent, target, False)
    count = intent.get("shots", 1)
    if not 1 <= count <= weapon["rof"]:
        refuse(intent, f"the {name} attacks {weapon['rof']} times in one action, not {count}", "STEP-21")
    aimed = intent.target if target is not None else ""
    shots, penalties = shots_at(scene, intent, [aimed] * max(1, count), weapon, modifiers)
    blow, damaging = blow_of(scene, intent, name, weapon, single=count == 1)
    blow = blow._replace(extras=0)
    area = area_of(scene, intent, weapon, blow.worth)
    victims, dodging = in_reach(scene, intent, weapon, area)
    at = next((number for number, one in enumerate(victims) if one.name == aimed), -1)
    shots = tuple(shot._replace(at=at) for shot in shots)
    volley = Volley(blow._replace(most=enough(victims)), shots, victims, area=area)
    return Setup(
        volley,
        (*told_of(modifiers + penalties + damaging, False), *dodging),
        costs(name, weapon, len(shots)),
        name,
        _views(volley),
    )


def _views(volley: Volley) -> tuple[tuple[str, Volley], ...]:
    """For the odds: the attack rolls by themselves, and for each victim what becomes of it."""
    found = [("", volley._replace(victims=()) if volley.area else volley._replace(harmless=True))]
    for at, victim in enumerate(volley.victims):
        mine = volley.shots if volley.area else tuple(one for one in volley.shots if one.at == at)
        shots = tuple(one._replace(at=0, keep=False) for one in mine)
        area = volley.area._replace(blurred=True) if volley.area else None
        found.append((victim.name, volley._replace(shots=shots, victims=(victim,), area=area)))
    return tuple(found)


def alive(intent: Intent, target: Fighter) -> None:
    if is_dead(target):
        refuse(intent, f"{target.name} is dead already", "STEP-32")


def strike(scene: Scene, intent: Intent, volley: Volley, fired: Fired) -> Iterable[Event]:
    """What an attack changes: its victims, where dodgers stand, and the attacker (STEP-16, STEP-26 to STEP-33)."""
    name, weapon = weapon_in_use(scene, intent, ("thrown",) if intent.action == "throw" else (), quietly=True)
    yield from change(scene, intent.actor, "condition:hidden", False, "STEP-16")
    if weapon["kind"] != "melee":
        yield from change(scene, intent.actor, f"mark:{AIM}", 0, "STEP-16")
    for victim, toll in zip(volley.victims, fired.tolls, strict=False):
        yield from suffered(scene, victim.name, toll, weapon["inflicts"])
        if toll.dodged:
            yield from change(scene, victim.name, f"mark:{DODGED}", 1, "STEP-26")
            yield from stepped_away(scene, intent, victim.name, toll, volley.area, fired.landing)
    fighter = scene.fighters[intent.actor]
    if weapon["kind"] == "thrown" and fighter.pools.get(f"ammo:{name}", 1) <= len(volley.shots):
        left = tuple(one for one in fighter.held if one != name)
        yield from change(scene, intent.actor, "held", left, "STEP-23")


def landing(scene: Scene, intent: Intent, volley: Volley, fired: Fired) -> dict[str, Any]:
    """STEP-27: how far off its mark an area attack goes off, and where, if that is known."""
    area = volley.area
    if area is None:
        return {}
    spot = area.spots[fired.landing] if area.spots else None
    told: dict[str, Any] = {"at": spot} if spot else {}
    return told | ({"off": area.off, "unit": "tiles"} if fired.landing else {})


def bare(fired: Fired) -> Fired:
    """The outcome without what does nothing to pools and conditions."""
    tolls = tuple(toll._replace(dodged=1) if toll.dodged else toll for toll in fired.tolls)
    return Fired(fired.success, None, 0, 0, tolls)


def _offers(kinds: tuple[str, ...], action: str) -> Any:
    def candidates(scene: Scene, who: str) -> Iterator[Intent]:
        fighter = scene.fighters[who]
        weapons = fighter.sheet["weapons"]
        held = [one for one in fighter.held if one in weapons and weapons[one]["kind"] in kinds]
        if action == "attack" and not held:
            held = ["unarmed"]
        for name in held:
            rof = 1 if name == "unarmed" else weapons[name]["rof"]
            for foe in scene.foes(who):
                yield Intent(action, who, (foe.name,), {"weapon": name})
                if rof > 1:
                    yield Intent(action, who, (foe.name,), {"weapon": name, "shots": rof})

    return candidates


def on_watch(scene: Scene, intent: Intent) -> bool:
    """STEP-16: overwatch lets one attack in others' turns."""
    return bool(scene.fighters[intent.actor].marks.get(OVERWATCH))


def _row(title: str, rule: str, kinds: tuple[str, ...], action: str) -> Action:
    return Action(
        title,
        rule,
        attack_stake,
        strike,
        fire,
        gear="weapons",
        candidates=_offers(kinds, action),
        options=("weapon", "range", "cover", "penetrable", "enemies", "behind", "mod_damage", "shots", "at"),
        targets="many",
        outputs=landing,
        reactions=("dodge",),
        out_of_turn=on_watch,
        bare=bare,
    )


ATTACK = _row("Attack with the weapon in hand", "STEP-18", ("melee", "ranged", "heavy"), "attack")
THROW = _row("Throw a weapon", "STEP-23", ("thrown",), "throw")
