"""Attack, defence and damage (3D6-16, 3D6-18 to 3D6-28, 3D6-30)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ...rules import (
    ATTACK_SAYS,
    Action,
    Amount,
    Changes,
    Cost,
    Fighter,
    Intent,
    Modifiers,
    RuleTable,
    Scene,
    Setup,
    amount,
    attack_candidates,
    increments,
    lacks,
    landed,
    lines_of,
    refuse,
    roll_amount,
    target_distance,
    unable,
    weapon_in_use,
    within,
)
from .actions import AS_LISTED, CONDITIONS, REACH, runner
from .sheet import NAME, UNARMED, WEAPON_SKILL, drunk, rank_of, skilled

COVER = {"none": 0, "light": 1, "heavy": 3}
"""3D6-21: added to the defence; nobody behind total cover can be hit."""
PENETRATED = {"total": "heavy", "heavy": "light", "light": "light", "none": "none"}
"""3D6-22: what cover is worth against shots that pass through it (heavy and light are readings)."""

Weapon = Mapping[str, Any]
"""A weapon as the sheet has it."""


class AttackSetup(NamedTuple):
    """What the dice of an attack depend on."""

    who: str
    bonus: int
    defence: int
    damage: Amount
    """Dice, and everything added."""
    crit: int
    """Damage to Health for each six; 0: no critical hits."""
    scatters: bool
    """Thrown: a miss lands somewhere."""


class AttackResult(NamedTuple):
    """What an attack came to."""

    success: bool
    total: int
    criticals: int
    """Sixes of a hit, where the weapon has critical hits."""
    damage: int
    """Before armour."""
    scatter: int = 0
    """The direction die of a missed throw, 1 to 8; 0 where nothing scatters."""


# Before the dice


on_foot = lacks(
    "prone",
    "3D6-16",
    "{who} is prone and cannot attack in melee",
    hint="stand up first: crisis act {who} stand-up",
)
in_reach = within(REACH, "3D6-19", "melee", "move closer: crisis act {who} move --to X,Y")


def attack_setup(scene: Scene, intent: Intent) -> Setup:
    """3D6-18: an attack with the weapon in hand; 3D6-30: a throw, of a thrown weapon."""
    kinds = ("thrown",) if intent.action == "throw" else ()
    name, weapon = weapon_in_use(scene, intent, "3D6-14", UNARMED, kinds)
    if kinds and weapon["kind"] != "thrown":
        what = "nothing to throw" if weapon is UNARMED else f"no way to throw the {name}"
        hint = "a weapon of kind thrown can be thrown"
        refuse(intent, f"{intent.actor} has {what}", "3D6-30", hint, final=True)
    if weapon["kind"] == "melee":
        on_foot(scene, intent)
        in_reach(scene, intent)
    distance = target_distance(scene, intent)
    attack = attack_roll(scene, intent, name, weapon, distance)
    defence = defence_of(scene, intent, scene.fighters[intent.target], weapon)
    added = damage_of(intent, scene.fighters[intent.actor], name, weapon)
    dice, thrown = amount(weapon["damage"])._replace(plus=added.total), weapon["kind"] == "thrown"
    setup = AttackSetup(intent.actor, attack.total, defence.total, dice, weapon["crit"], thrown)
    rounds = (Cost(f"ammo:{name}", rule="3D6-25"),) if "capacity" in weapon else ()
    return Setup(setup, lines_of(attack, defence, added), rounds, name, known=(weapon, distance))


def attack_roll(scene: Scene, intent: Intent, name: str, weapon: Weapon, distance: int | None) -> Modifiers:
    """3D6-18: skill, ability and weapon; 3D6-23: range."""
    fighter = scene.fighters[intent.actor]
    skill = weapon.get("skill", WEAPON_SKILL[weapon["kind"]]).lower().replace("_", "-")
    found = skilled("attack", "3D6-18", fighter, skill, weapon.get("ability", ""))
    found.add("hit", weapon["hit"], source=f"weapons.{name}").situational(fighter, "attack")
    drunk(found, fighter)
    if weapon["kind"] != "melee":
        source = f"{distance} m at {weapon.get('range')} m an increment"
        found.add("range", -2 * increments(distance, weapon.get("range")), "3D6-23", source)
    return found.asked(intent)


def defence_of(scene: Scene, intent: Intent, target: Fighter, weapon: Weapon) -> Modifiers:
    """3D6-19 to 3D6-22: what the attack must reach; Refused behind total cover."""
    melee = weapon["kind"] == "melee"
    found = Modifiers("defence", "3D6-19" if melee else "3D6-20").base("base", 10)
    if melee:
        found.add("melee", rank_of(target, "melee"), source="skill")
    ability = "might" if melee else "speed"
    found.add(ability, target.sheet["abilities"][ability], source="ability")
    found.add("armour", target.sheet["armour"]["defence"], source="armour.defence")
    found.situational(target, "melee-defence" if melee else "ranged-defence")
    if melee:
        around = enemies_around(scene, intent, target)
        found.add(f"{around} enemies around", -2 * (around - 1), "3D6-19", "melee range")
    drunk(found, target)
    level, source, rule = cover(intent, target, weapon)
    if level == "total":
        place = f"crisis set {target.name} cover:{intent.actor} heavy"
        hint = f"move to where the cover does not count, or change it: {place}"
        refuse(intent, f"{target.name} is in total cover and cannot be hit", "3D6-21", hint, final=True)
    return found.add(f"{level} cover", COVER[level], rule, source)


def derived(fighter: Fighter) -> dict[str, int]:
    """3D6-6, 3D6-19, 3D6-20: what is added to initiative, and both defences against a single enemy."""
    alone = Scene(NAME, {fighter.name: fighter})
    attacked = Intent("attack", fighter.name, (fighter.name,), {"enemies": 1})
    return {
        "initiative bonus": runner(fighter)[0].bonus,
        "melee defence": defence_of(alone, attacked, fighter, {"kind": "melee"}).total,
        "ranged defence": defence_of(alone, attacked, fighter, {"kind": "ranged"}).total,
    }


def enemies_around(scene: Scene, intent: Intent, target: Fighter) -> int:
    """3D6-19: the target's enemies in melee range that can act, the attacker among them."""
    if (said := intent.get("enemies")) is not None:
        return max(1, int(said))
    others = (foe for foe in scene.foes(target.name) if foe.name != intent.actor)
    distances = (scene.distance(foe.name, target.name) for foe in others if not unable(CONDITIONS, foe)[0])
    return 1 + sum(distance is not None and distance <= REACH for distance in distances)


def cover(intent: Intent, target: Fighter, weapon: Weapon) -> tuple[str, str, str]:
    """The best cover of the target, its source and its rule; only the best counts (3D6-16, 3D6-21, 3D6-22)."""
    level, source, rule = target.cover.get(intent.actor, "none"), "cover", "3D6-21"
    if intent.get("cover") is not None:
        level, source = intent.get("cover"), "--cover"
    if intent.get("penetrable") and weapon["kind"] == "ranged" and PENETRATED[level] != level:
        level, source, rule = PENETRATED[level], f"{source}, penetrable", "3D6-22"
    prone = target.has("prone") and weapon["kind"] != "melee" and not intent.get("behind")
    if prone and level not in ("heavy", "total"):
        return "heavy", "prone, facing the attacker", "3D6-16"
    return level, source, rule


def damage_of(intent: Intent, fighter: Fighter, name: str, weapon: Weapon) -> Modifiers:
    """3D6-24: all that is added to the weapon's dice."""
    ability = weapon.get("damage_ability", "might" if weapon["kind"] == "melee" else "none")
    found = Modifiers("damage", "3D6-24")
    found.add("weapon", amount(weapon["damage"]).plus, source=f"weapons.{name}")
    found.add(ability, fighter.sheet["abilities"].get(ability, 0), source="ability")
    return found.situational(fighter, "damage").asked(intent, "mod_damage")


# The dice


def attack(table: RuleTable, setup: AttackSetup) -> AttackResult:
    """3D6-18: three dice and the bonus, at or above the defence; 3D6-24: then the damage."""
    table.label("attack", setup.who, "3d6")
    faces, sixes = table.times(3, face_and_six, zero=(0, 0))
    total = faces + setup.bonus
    hit = total >= setup.defence
    criticals = sixes if hit and setup.crit else 0
    noted = {"criticals": criticals} if criticals else {}
    table.result(total=total, target=setup.defence, success=hit, **noted)
    if not hit:
        return AttackResult(False, total, 0, 0, table.ask(scatter, setup.who) if setup.scatters else 0)
    return AttackResult(True, total, criticals, table.ask(roll_amount, "damage", setup.who, setup.damage))


def face_and_six(table: RuleTable) -> tuple[int, int]:
    """One die of an attack, and 1 if it is a six (3D6-28)."""
    face = table.die(6)
    return face, int(face == 6)


def scatter(table: RuleTable, who: str) -> int:
    """3D6-30: the direction in which a missed throw goes."""
    table.label("scatter", who, "d8")
    direction = table.die(8)
    table.result(total=direction)
    return direction


# After the dice


def hurt(changes: Changes, intent: Intent, setup: Setup, hit: AttackResult) -> None:
    """3D6-25 to 3D6-28: Endurance, or Health once that is gone, and the armour; 3D6-30: what is thrown is gone."""
    changes.end(intent.actor, "hidden", "3D6-14")
    if hit.success:
        wound(changes, intent.target, setup, hit)
    if setup.dice.scatters and not changes.pool(intent.actor, f"ammo:{setup.gear}"):
        changes.drop(intent.actor, setup.gear, "3D6-30")


def wound(changes: Changes, who: str, setup: Setup, hit: AttackResult) -> None:
    """3D6-25 to 3D6-28: armour comes off the normal damage, and once off all critical damage (a reading)."""
    target = changes.fighter(who)
    armour = target.sheet["armour"]["dr"] if target.pools["durability"] > 0 else 0
    normal = changes.number("3D6-24").from_dice("damage", -hit.damage).absorb("armour", armour, "3D6-25")
    sixes = changes.number("3D6-28").add("critical hits", -setup.dice.crit * hit.criticals)
    critical = sixes.absorb("armour", armour, "3D6-25")
    rule = "3D6-28" if critical.total else "3D6-26"
    if target.pools["endurance"] > 0:
        changes.adjust(who, "endurance", normal, "3D6-26")
        changes.adjust(who, "health", critical, rule)
    else:
        changes.adjust(who, "health", normal.join(critical), rule)
    wear, rule = (2, "3D6-28") if hit.criticals else (1, "3D6-25")
    changes.adjust(who, "durability", -wear, rule)


def landing(scene: Scene, intent: Intent, setup: Setup, hit: AttackResult) -> Mapping[str, Any]:
    """3D6-30: how far off a missed throw lands, `off` metres, and `at` [x, y] where positions are known."""
    if not hit.scatter:
        return {}
    weapon, distance = setup.known
    off = max(1, increments(distance, weapon.get("range")) + 1)
    place = landed(scene.fighters[intent.actor].at, scene.fighters[intent.target].at, hit.scatter, off)
    return {"off": off} | ({"at": place} if place else {})


def target_lives(scene: Scene, intent: Intent) -> None:
    """3D6-27: nobody attacks the dead."""
    if scene.fighters[intent.target].pools["health"] <= 0:
        refuse(intent, f"{intent.target} is dead already", "3D6-27")


ATTACK = Action(
    "Attack one target with the weapon in hand",
    "3D6-18",
    attack_setup,
    hurt,
    attack,
    costs=AS_LISTED,
    gear="weapons",
    candidates=attack_candidates("attack", "melee", "ranged", bare_hands=True),
    options=("weapon", "range", "cover", "penetrable", "enemies", "behind", "mod_damage"),
    requires=(target_lives,),
    targets="one",
    words=("hit", "miss"),
    outputs=landing,
    says={**ATTACK_SAYS, "": "{actor} attacks {target} with the {gear}"},
)
THROW = ATTACK._replace(
    title="Throw a weapon at one target",
    rule_id="3D6-30",
    candidates=attack_candidates("throw", "thrown"),
    says=ATTACK_SAYS["thrown"],
)
