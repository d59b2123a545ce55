"""Attacks, damage and critical hits (3D6-18, 3D6-24 to 3D6-28), and thrown weapons (3D6-30)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ...engine.dice_amount import Amount, amount, thrown
from ...engine.events import Event, change, shift
from ...engine.geometry import landed
from ...engine.record import Modifier
from ...engine.scene import Fighter, Intent, Scene, slug
from ...engine.system import Action, Cost, Setup, refuse
from ...rules.distance import spanned, target_distance
from ...rules.equipment import in_hand
from ...rules.situational import circumstance, standing
from .checks import burdened, skilled, total
from .conditions import fallen
from .defence import defence, in_reach, range_modifier
from .sheet import UNARMED, WEAPON_SKILL


class Blow(NamedTuple):
    """All that the dice of an attack need to know."""

    who: str
    bonus: int
    defence: int
    damage: Amount
    """Everything added, dice and all."""
    crit: int
    """Damage to Health for each six; 0: no critical hits."""
    scatters: bool
    """Thrown: a miss lands somewhere."""


class Struck(NamedTuple):
    """What an attack came to."""

    success: bool
    total: int
    criticals: int
    """Natural sixes of a hit, where the weapon has critical hits."""
    damage: int
    """Before armour."""
    scatter: int = 0
    """The direction die of a missed throw."""

    @property
    def word(self) -> str:
        """In one word."""
        return "hit" if self.success else "miss"


def face_and_six(table: Any) -> tuple[int, int]:
    """A rule: one die of an attack, and whether it is a six (3D6-28)."""
    face = table.die(6)
    return face, int(face == 6)


def attack(table: Any, blow: Blow) -> Struck:
    """3D6-18: three dice and the bonus, at or above the defence; 3D6-24: then the damage."""
    table.label("attack", blow.who, "3d6")
    thrown_total, sixes = table.times(3, face_and_six, zero=(0, 0))
    reached = thrown_total + blow.bonus
    hit = reached >= blow.defence
    criticals = sixes if hit and blow.crit else 0
    table.result(
        total=reached, target=blow.defence, success=hit, **({"criticals": criticals} if criticals else {})
    )
    if not hit:
        return Struck(False, reached, 0, 0, table.ask(scatter, blow.who) if blow.scatters else 0)
    return Struck(True, reached, criticals, table.ask(damage, blow.who, blow.damage))


def damage(table: Any, who: str, worth: Amount) -> int:
    """3D6-24: the damage, never below 0 (a reading)."""
    if worth.many:
        table.label("damage", who, worth.dice)
    harm = max(0, thrown(table, worth))
    if worth.many:
        table.result(total=harm)
    return harm


def scatter(table: Any, who: str) -> int:
    """3D6-30: the direction in which a missed throw goes."""
    table.label("scatter", who, "d8")
    direction: int = table.die(8)
    table.result(total=direction)
    return direction


def weapon_in_use(scene: Scene, intent: Intent, kinds: tuple[str, ...] = ()) -> tuple[str, Mapping[str, Any]]:
    """The weapon of an attack and its name: as asked for, else in hand, else on the sheet, else bare hands."""
    fighter = scene.fighters[intent.actor]
    weapons = fighter.sheet["weapons"]
    name = intent.get("weapon") or ""
    fitting = [one for one in (*fighter.held, *weapons) if one in weapons and weapons[one]["kind"] in kinds]
    if not name:
        first = (fitting if kinds else [one for one in fighter.held if one in weapons])[:1]
        name = first[0] if first else "unarmed"
    if name == "unarmed":
        return name, UNARMED
    in_hand(scene, intent, name, "3D6-14")
    return name, weapons[name]


def attack_stake(scene: Scene, intent: Intent) -> Setup:
    """An attack by 3D6-18, refused where the target, the reach or a condition forbids it."""
    name, weapon = weapon_in_use(scene, intent)
    return _staked(scene, intent, name, weapon)


def throw_stake(scene: Scene, intent: Intent) -> Setup:
    """3D6-30: a thrown weapon, by default the one in hand."""
    name, weapon = weapon_in_use(scene, intent, ("thrown",))
    if weapon["kind"] != "thrown":
        what = "nothing to throw" if name == "unarmed" else f"no way to throw the {name}"
        refuse(
            intent,
            f"{intent.actor} has {what}",
            "3D6-30",
            hint="a weapon of kind thrown can be thrown",
            final=True,
        )
    return _staked(scene, intent, name, weapon)


def _staked(scene: Scene, intent: Intent, name: str, weapon: Mapping[str, Any]) -> Setup:
    fighter, target = scene.fighters[intent.actor], scene.fighters[intent.target]
    if fallen(target):
        refuse(intent, f"{target.name} is dead already", "3D6-27")
    if fighter.has("prone") and weapon["kind"] == "melee":
        refuse(
            intent,
            f"{fighter.name} is prone and cannot attack in melee",
            "3D6-16",
            hint=f"stand up first: crisis act {slug(fighter.name)} stand-up",
        )
    in_reach(scene, intent, fighter, weapon)
    modifiers = (
        _attacking(fighter, name, weapon)
        + range_modifier(scene, intent, weapon)
        + circumstance(intent, "attack")
        + defence(scene, intent, weapon)
        + _damaging(fighter, name, weapon)
        + circumstance(intent, "damage", "mod_damage")
    )
    worth = amount(weapon["damage"]) or Amount()
    flat = total([one for one in modifiers if one.name != "weapon"], "damage")
    blow = Blow(
        intent.actor,
        total(modifiers, "attack"),
        total(modifiers, "defence"),
        worth._replace(plus=worth.plus + flat),
        weapon["crit"],
        weapon["kind"] == "thrown",
    )
    rounds = (Cost(f"ammo:{name}", rule="3D6-25"),) if "capacity" in weapon else ()
    return Setup(blow, tuple(modifiers), rounds, name)


def _attacking(fighter: Fighter, name: str, weapon: Mapping[str, Any]) -> list[Modifier]:
    skill = weapon.get("skill", WEAPON_SKILL[weapon["kind"]]).lower().replace("_", "-")
    found = skilled(fighter, "attack", skill, "3D6-18", weapon.get("ability", ""))
    found += [Modifier("attack", "hit", weapon["hit"], "3D6-18", f"weapons.{name}")] if weapon["hit"] else []
    return found + standing(fighter, "attack", "attack") + burdened(fighter, "attack")


def _damaging(fighter: Fighter, name: str, weapon: Mapping[str, Any]) -> list[Modifier]:
    flat = (amount(weapon["damage"]) or Amount()).plus
    found = [Modifier("damage", "weapon", flat, "3D6-24", f"weapons.{name}")] if flat else []
    ability = weapon.get("damage_ability", "might" if weapon["kind"] == "melee" else "none")
    worth = fighter.sheet["abilities"].get(ability, 0)
    found += [Modifier("damage", ability, worth, "3D6-24", "ability")] if worth else []
    return found + standing(fighter, "damage", "damage")


def strike(scene: Scene, intent: Intent, blow: Blow, struck: Struck) -> Iterable[Event]:
    """What a hit changes: Endurance, or Health once that is gone, and the armour (3D6-25, 3D6-26, 3D6-28)."""
    yield from change(scene, intent.actor, "condition:hidden", False, "3D6-14")
    if struck.success:
        yield from wounds(scene.fighters[intent.target], scene, blow, struck)


def wounds(target: Fighter, scene: Scene, blow: Blow, struck: Struck) -> Iterator[Event]:
    """3D6-25 to 3D6-28: dr comes off the normal damage, and once off the critical sum (a reading)."""
    worn = target.pools["durability"]
    dr = target.sheet["armour"]["dr"] if worn > 0 else 0
    normal = max(0, struck.damage - dr)
    critical = max(0, blow.crit * struck.criticals - dr)
    fresh = target.pools["endurance"] > 0
    if fresh:
        yield from shift(scene, target.name, "endurance", -normal, "3D6-26")
    to_health = critical if fresh else normal + critical
    yield from shift(scene, target.name, "health", -to_health, "3D6-28" if critical else "3D6-26")
    wear = 2 if struck.criticals else 1
    yield from shift(scene, target.name, "durability", -wear, "3D6-28" if wear == 2 else "3D6-25")


def _struck(scene: Scene, intent: Intent, blow: Blow, struck: Struck) -> Iterable[Event]:
    """An attack with whatever is in hand: what is thrown leaves it."""
    return (hurl if blow.scatters else strike)(scene, intent, blow, struck)


def hurl(scene: Scene, intent: Intent, blow: Blow, struck: Struck) -> Iterable[Event]:
    """A throw: as an attack; the weapon leaves the hand unless there are more of it."""
    fighter = scene.fighters[intent.actor]
    yield from strike(scene, intent, blow, struck)
    name = _in_flight(scene, intent)[0]
    if fighter.pools.get(f"ammo:{name}", 1) <= 1:
        yield from change(
            scene, fighter.name, "held", tuple(one for one in fighter.held if one != name), "3D6-30"
        )


def _in_flight(scene: Scene, intent: Intent) -> tuple[str, Mapping[str, Any]]:
    kinds = ("thrown",) if intent.action == "throw" else ()
    return weapon_in_use(scene, intent._replace(options={**intent.options, "force": True}), kinds)


def landing(scene: Scene, intent: Intent, blow: Blow, struck: Struck) -> dict[str, Any]:
    """3D6-30: how far off a missed throw lands, and where, if it is known where everyone stands."""
    if not struck.scatter:
        return {}
    _, weapon = weapon_in_use(scene, intent._replace(options={**intent.options, "force": True}), ("thrown",))
    off = max(1, spanned(target_distance(scene, intent), weapon.get("range")) + 1)
    place = landed(scene.fighters[intent.actor].at, scene.fighters[intent.target].at, struck.scatter, off)
    return {"off": off} | ({"at": place} if place else {})


def _offers(kinds: tuple[str, ...], action: str) -> Any:
    def candidates(scene: Scene, who: str) -> Iterator[Intent]:
        fighter = scene.fighters[who]
        weapons = fighter.sheet["weapons"]
        held = [one for one in fighter.held if one in weapons and weapons[one]["kind"] in kinds]
        if action == "attack" and not held:
            held = ["unarmed"]
        for name in held:
            for foe in scene.foes(who):
                yield Intent(action, who, (foe.name,), {"weapon": name})

    return candidates


_COMMON = ("weapon", "range", "cover", "penetrable", "enemies", "behind", "mod_damage")
ATTACK = Action(
    "Attack one target with the weapon in hand",
    "3D6-18",
    attack_stake,
    _struck,
    attack,
    costs=(Cost("ap", 2, "ap", "3D6-14"),),
    gear="weapons",
    candidates=_offers(("melee", "ranged"), "attack"),
    options=_COMMON,
    targets="one",
    outputs=landing,
)
THROW = Action(
    "Throw a weapon at one target",
    "3D6-30",
    throw_stake,
    hurl,
    attack,
    costs=(Cost("ap", 2, "ap", "3D6-14"),),
    gear="weapons",
    candidates=_offers(("thrown",), "throw"),
    options=_COMMON,
    targets="one",
    outputs=landing,
)
