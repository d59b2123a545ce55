"""Attacks and throws: what they need, and what they change (2D20-13 to 2D20-25, 2D20-28)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...engine.events import Event, change
from ...engine.record import Modifier
from ...engine.scene import Fighter, Intent, Scene
from ...engine.system import Action, Cost, Setup, refuse
from ...rules.situational import circumstance, standing
from .allies import major
from .arms import MANY, MOST_AP, REACH, able, behind, called, hard, weapon_in_use, zones
from .damage import Hit
from .harm import suffered, victim_of
from .offers import attacks, throws, upgrades
from .pools import dearer, purse
from .rolls import AIM, USUAL, after_test, test_of, total
from .sheet import CLOSE, GUNS, TESTED, THROWN, derived
from .volley import Blow, Fired, Volley, fire, per_target

ATTACKED = "attacked"
"""The mark of whoever has attacked this turn: aim is for the first attack (2D20-11)."""
AIMS = 1
"""2D20-11: d20s of the first attack that aim rolls again."""


def stake(scene: Scene, intent: Intent) -> Setup:
    """An attack or a throw, refused where something forbids it (2D20-13 to 2D20-20, 2D20-28)."""
    name, weapon = weapon_in_use(scene, intent)
    fighter = scene.fighters[intent.actor]
    able(intent, fighter)
    others = _aimed_at(scene, intent, name, weapon)
    target = scene.fighters[intent.target] if intent.target and intent.get("at") is None else None
    modifiers = list(hard(scene, intent, name, weapon, target))
    test, found, costs = test_of(
        scene,
        intent,
        "attack",
        TESTED[weapon["type"]],
        [*modifiers, *dearer(scene, intent)],
        sight=True,
    )
    aims = _aiming(intent, fighter)
    if aims or (fighter.marks.get(AIM) and not fighter.marks.get(ATTACKED)):
        test = test._replace(again=AIMS)
        found.append(Modifier("attack", "aim: one d20 again", 0, "2D20-11", "aim"))
    dice, extra, harming = _dice(intent, fighter, name, weapon)
    plus = total(harming, "damage")
    effects = tuple(_effect(one) for one in weapon["effects"])
    hit = Hit(intent.actor, dice + extra, plus, weapon["damage_type"], effects)
    victims = tuple(
        victim_of(one, hit.kind, behind(scene, intent, one))._replace(among=len(others) > 1) for one in others
    )
    if len(others) > 1:
        test = test._replace(against=others[0].name)
    left = fighter.pools.get(f"ammo:{name}", MANY) if weapon.get("ammo") else MANY
    wanted = _wanted(intent, weapon)
    have = purse(scene, intent, "major", test.dice - USUAL)
    area = "blast" in weapon["effects"]
    blow = Blow(hit, victims, called(intent, weapon), max(0, left - 1 - extra), area)
    volley = Volley(test, blow, extra, wanted, have)
    loaded = (Cost(f"ammo:{name}", rule="2D20-21"),) if weapon.get("ammo") else ()
    if 1 + extra > left and left:
        more = f"the {name} of {fighter.name} has {left} rounds left; so many extra rounds take {1 + extra}"
        refuse(intent, more, "2D20-21", f"--extra-rounds {left - 1}")
    aimed = (Cost("minor", aims, rule="2D20-11"),) if aims else ()
    return Setup(volley, (*found, *harming), (*aimed, *loaded, *costs), name, per_target(volley))


def _aiming(intent: Intent, fighter: Fighter) -> int:
    """2D20-11: how often aim is taken with this attack, a Minor action each, whatever it is worth."""
    times: int = intent.get("aim", 0)
    if times < 0:
        refuse(intent, "--aim is a number from 0", "2D20-11", final=True)
    if times and fighter.marks.get(ATTACKED):
        what = f"{fighter.name} has attacked this turn already"
        refuse(intent, what, "2D20-11", "aim is for the first attack of a turn")
    return max(0, times)


def _effect(word: str) -> tuple[str, int]:
    name, _, number = word.partition(" ")
    return name, int(number or 1)


def _aimed_at(scene: Scene, intent: Intent, name: str, weapon: Mapping[str, Any]) -> list[Fighter]:
    """Everyone whom the attack may strike: those named, in that order, and with a blast all in the zone."""
    named = [scene.fighters[one] for one in intent.targets]
    for one in named:
        if one.has("dead"):
            refuse(intent, f"{one.name} is dead already", "2D20-23")
    _close_together(intent, named, "2D20-28" if "blast" in weapon["effects"] else "2D20-24")
    if "blast" in weapon["effects"]:
        return named + [
            one
            for one in _in_zone(scene, intent)
            if one not in named and one.cover.get(intent.actor) != "total"
        ]
    if intent.get("at") is not None:
        refuse(
            intent,
            f"the {name} needs a target, not a place",
            "2D20-28",
            "a blast is aimed at a place",
            final=True,
        )
    if len(named) > 1 and "burst" not in weapon["effects"]:
        refuse(
            intent,
            f"the {name} strikes one target, not {len(named)}",
            "2D20-24",
            "burst and blast reach more",
            final=True,
        )
    return named


def _close_together(intent: Intent, named: list[Fighter], rule: str) -> None:
    """2D20-24, 2D20-28: a burst reaches others close to the first, a blast a zone; close is one zone (2D20-15)."""
    spot = intent.get("at") or (named[0].at if named else None)
    for one in named:
        if spot is not None and one.at is not None and zones(spot, one.at):
            refuse(intent, f"{one.name} is not in the zone that is struck", rule, "name those who are there")


def _in_zone(scene: Scene, intent: Intent) -> Iterator[Fighter]:
    """2D20-28: whoever is known to stand in the zone that a blast strikes."""
    place = intent.get("at")
    spot = place if place is not None else scene.fighters[intent.target].at
    for one in scene.fighters.values():
        here = one.at if not one.gone and not one.has("dead") else None
        if spot is not None and here is not None and not zones(spot, here):
            yield one


def _dice(
    intent: Intent, fighter: Fighter, name: str, weapon: Mapping[str, Any]
) -> tuple[int, int, list[Modifier]]:
    """2D20-19: the combat dice of a hit, how many of them are extra rounds, and what is added to them."""
    extra, rate = intent.get("extra_rounds", 0), weapon.get("fire_rate", 0)
    if extra and weapon["type"] not in GUNS:
        refuse(intent, f"the {name} fires no extra rounds", "2D20-19", "leave --extra-rounds out", final=True)
    if not 0 <= extra <= rate:
        refuse(intent, f"the {name} fires 0 to {rate} extra rounds, not {extra}", "2D20-19")
    bonus = derived(fighter.sheet, "melee_bonus") if weapon["type"] in CLOSE else 0
    found = standing(fighter, "damage", "damage") + circumstance(intent, "damage", "mod_damage")
    return weapon["damage"] + bonus, max(0, extra), found


def _wanted(intent: Intent, weapon: Mapping[str, Any]) -> int:
    """2D20-19: AP for dice, hand to hand and thrown, 3 at most."""
    wanted: int = intent.get("ap_dice", 0)
    if wanted and weapon["type"] not in (*CLOSE, *THROWN):
        refuse(
            intent,
            "AP buy damage dice hand to hand and for what is thrown",
            "2D20-19",
            "guns: --extra-rounds N",
        )
    if not 0 <= wanted <= MOST_AP:
        refuse(intent, f"0 to {MOST_AP} AP can be spent on damage dice, not {wanted}", "2D20-19", final=True)
    return wanted


def strike(scene: Scene, intent: Intent, volley: Volley, fired: Fired) -> Iterator[Event]:
    """What an attack changes: AP, Luck and help; its victims; reach, aim, what was thrown (2D20-15 to 2D20-28)."""
    name, weapon = weapon_in_use(scene, intent, quietly=True)
    hit = volley.blow.hit._replace(dice=volley.blow.hit.dice + fired.spent)
    yield from after_test(scene, intent, volley.test, fired, "major", fired.spent)
    for victim, toll in zip(volley.blow.victims, fired.tolls, strict=True):
        if victim and toll and toll != victim.toll:
            yield from suffered(scene, intent.actor, victim, toll, hit)
    fighter = scene.fighters[intent.actor]
    if weapon.get("ammo"):
        pool = f"ammo:{name}"
        left = max(0, fighter.pools[pool] - fired.rounds)
        empty = fired.complications and intent.get("complication") == "empty"
        yield from change(scene, fighter.name, pool, 0 if empty else left, "2D20-25" if empty else "2D20-21")
    yield from change(scene, fighter.name, f"mark:{AIM}", 0, "2D20-11")
    if scene.open and fighter.name in scene.acting:
        yield from change(scene, fighter.name, f"mark:{ATTACKED}", 1, "2D20-11")
    if scene.open:
        yield from _close(scene, intent, weapon)
    hurled = intent.action == "throw" or weapon["type"] in THROWN
    if hurled and name in fighter.held and fighter.pools.get(f"ammo:{name}", 1) <= 1:
        rest = tuple(one for one in fighter.held if one != name)
        yield from change(scene, fighter.name, "held", rest, "2D20-28")


def _close(scene: Scene, intent: Intent, weapon: Mapping[str, Any]) -> Iterator[Event]:
    """2D20-15: whoever is attacked hand to hand, or is said to be near, is in reach, and the other way round."""
    near = list(intent.get("reach", ()))
    near += intent.targets if weapon["type"] in CLOSE else ()
    for other in near:
        yield from change(scene, intent.actor, f"mark:{REACH}:{other}", 1, "2D20-15")
        yield from change(scene, other, f"mark:{REACH}:{intent.actor}", 1, "2D20-15")


def outputs(scene: Scene, intent: Intent, volley: Volley, fired: Fired) -> Mapping[str, Any]:
    """A complication suggests something; AP that were wanted and not there are told (2D20-19, 2D20-25)."""
    told: dict[str, Any] = {}
    taken = intent.get("aim", 0) + bool(scene.fighters[intent.actor].marks.get(AIM))
    if intent.get("aim") and taken > AIMS:
        told["surplus"] = [["aim", f"{AIMS} d20 an attack"]]
    if fired.complications:
        _, weapon = weapon_in_use(scene, intent, quietly=True)
        told["suggestion"] = "empty" if weapon.get("ammo") else "drop"
    if fired.success and fired.spent < volley.wanted:
        told["wanted"] = volley.wanted
    if intent.get("at") is not None:
        told["at"] = list(intent.get("at"))
    return told


_COMMON = (
    "weapon",
    "range",
    "cover",
    "mod_damage",
    "location",
    "ap-dice",
    "aim",
    "reach",
    "complication",
    "buy",
    "luck",
    "at",
)
ATTACK = major(
    Action(
        "Attack with the weapon in hand",
        "2D20-13",
        stake,
        strike,
        fire,
        gear="weapons",
        candidates=attacks,
        upgrades=upgrades,
        options=(*_COMMON, "extra-rounds"),
        targets="many",
        outputs=outputs,
    )
)
THROW = major(
    Action(
        "Throw a weapon or an object",
        "2D20-28",
        stake,
        strike,
        fire,
        gear="weapons",
        candidates=throws,
        upgrades=upgrades,
        options=_COMMON,
        targets="many",
        outputs=outputs,
    )
)
