"""Attacks with weapons (D20-7 to D20-9)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from crisis_cli.rules import (
    Changes,
    Cost,
    Fighter,
    Intent,
    Modifiers,
    Opponents,
    RuleTable,
    Scene,
    Setup,
    refuse,
    slug,
    target_distance,
    unable,
    weapon_in_use,
)

from .checks import Roll, SavingThrow, saves, saving_throw, thrown, with_advantage
from .conditions import ADVANTAGES, CONDITIONS, HELPLESS, is_dead
from .harm import Part, flat_damage, harm_of, hurt, inflict, parts_of, rolled
from .sheet import BESIDE, COVER, UNARMED, strikes_of


class AttackSetup(NamedTuple):
    """What the dice of an attack depend on."""

    roll: Roll
    target: str
    armour_class: int
    parts: tuple[Part, ...]
    helpless: bool
    """Every hit is critical."""
    save: SavingThrow | None = None
    """The saving throw of a target that is hit, against a condition; None: there is none."""


class AttackResult(NamedTuple):
    """What an attack came to."""

    success: bool
    total: int
    criticals: int = 0
    damage: tuple[int, ...] = ()
    """By type, before resistance."""
    saved: bool = False
    """Whether the target is saved from the condition."""


def attack_setup(scene: Scene, intent: Intent) -> Setup:
    """D20-7: an attack with the weapon in hand, or a throw; refused out of reach."""
    kinds = ("thrown",) if intent.action == "throw" else ()
    name, weapon = weapon_in_use(armed(scene, intent.actor), intent, "D20-3", UNARMED, kinds)
    fighter, target = scene.fighters[intent.actor], scene.fighters[intent.target]
    if kinds and weapon["kind"] != "thrown":
        refuse(intent, f"{fighter.name} cannot throw {name}", "D20-3", "a weapon of kind thrown can be", final=True)
    gap = target_distance(scene, intent)
    most = weapon["reach"] if weapon["kind"] == "melee" else weapon.get("long", weapon.get("range"))
    if gap is not None and most is not None and gap > most:
        closer = f"move closer: crisis act {slug(fighter.name)} move --to X,Y"
        refuse(intent, f"{target.name} is {gap} ft away; {name} reaches {most} ft", "D20-9", closer)
    attack = attack_roll(scene, intent, name, weapon, gap)
    armour = Modifiers("armour class", "D20-2", target.name).base("armour class", target.sheet["armour-class"])
    level, source, _ = scene.cover_between(target.name, fighter.name)
    level, source = (intent.get("cover"), "cover") if intent.get("cover") else (level, source)
    armour.situational(target, "armour-class").add(f"{level} cover", COVER[level], "D20-9", source)
    first = next(iter(weapon["damage"]), "no")
    damage = Modifiers(f"{first} damage", "D20-8")
    if not weapon.get("plain"):
        damage.add(*ability_of(fighter, weapon), source="ability")
    damage.situational(fighter, "damage").asked(intent, "mod_damage")
    flat = flat_damage(weapon["damage"], "D20-8", f"weapons.{name}")
    helpless = (gap is None or gap <= BESIDE) and any(map(target.has, HELPLESS))
    parts = parts_of(weapon["damage"], target, damage.total)
    roll = Roll("attack", fighter.name, attack.total, attack.net_advantage)
    save, lines = save_from(weapon, target)
    dice = AttackSetup(roll, target.name, armour.total, parts, helpless, save)
    pieces = (Cost(f"ammo:{name}", rule="D20-9"),) if "capacity" in weapon else ()
    costs = (price_of_attack(fighter, name), *pieces)
    return Setup(dice, Modifiers.lines_of(attack, armour, damage, *flat, lines), costs, name, carried=weapon)


def armed(scene: Scene, who: str) -> Scene:
    """D20-19: the scene in which natural weapons are in hand beside what a fighter holds."""
    fighter = scene.fighters[who]
    natural = [
        name for name, one in fighter.sheet["weapons"].items() if one.get("natural") and name not in fighter.held
    ]
    if not natural:
        return scene
    return scene._replace(fighters={**scene.fighters, who: fighter._replace(held=(*fighter.held, *natural))})


def attacking(action: str, *kinds: str) -> Opponents:
    """What opponents consider: every weapon in hand or of the body on every foe, bare hands only without one."""
    with_weapons = Opponents.attacking(action, *kinds, bare_hands="melee" in kinds)
    return Opponents(lambda scene, who: with_weapons.of(action, armed(scene, who), who))


def can_draw(scene: Scene, intent: Intent) -> None:
    """D20-19: a natural weapon is not drawn."""
    name = intent.get("thing")
    if scene.fighters[intent.actor].sheet["weapons"].get(name, {}).get("natural"):
        what = f"{intent.actor} has the {name} in hand always"
        refuse(intent, what, "D20-19", final=True, code="in_hand_already")


def save_from(weapon: Mapping[str, Any], target: Fighter) -> tuple[SavingThrow | None, Modifiers]:
    """D20-21: the saving throw against what a weapon inflicts; none for a target that cannot get the condition."""
    if "save" not in weapon or weapon["inflicts"] in target.sheet["unaffected"]:
        return None, Modifiers("save", "D20-21")
    return saving_throw(target, weapon["save"], weapon["difficulty"], "D20-21")


def price_of_attack(fighter: Fighter, weapon: str) -> Cost:
    """D20-22: a strike, where a multiattack has begun and the weapon is not done yet; else an action."""
    is_left = fighter.marks.get(f"struck:{weapon}", 0) < fighter.sheet["multiattack"].get(weapon, 0)
    return Cost("strikes", rule="D20-22") if is_left and fighter.pools["strikes"] else Cost("action", rule="D20-10")


def ability_of(fighter: Fighter, weapon: Mapping[str, Any]) -> tuple[str, int]:
    """D20-3: the ability of a weapon, and what it adds."""
    ability = weapon.get("ability", "dexterity" if weapon["kind"] == "ranged" else "strength")
    return ability, fighter.sheet["abilities"][ability]


def attack_roll(scene: Scene, intent: Intent, name: str, weapon: Mapping[str, Any], gap: int | None) -> Modifiers:
    """D20-7: ability, proficiency and weapon; D20-6, D20-9, D20-17: advantages and disadvantages."""
    fighter, target = scene.fighters[intent.actor], scene.fighters[intent.target]
    ability, bonus = ability_of(fighter, weapon)
    found = Modifiers("attack", "D20-7", target.name).add(ability, bonus, source="ability")
    found.add("proficiency", fighter.sheet["proficiency"]).add(name, weapon["attack"], source=f"weapons.{name}")
    found.situational(fighter, "attack", ability)
    if weapon["kind"] != "melee":
        found.advantage("long range", -(gap is not None and gap > weapon.get("range", gap)), "D20-9", f"{gap} ft")
        found.advantage("an enemy beside", -crowded(scene, fighter.name), "D20-9")
    near = weapon["kind"] == "melee" and (gap is None or gap <= BESIDE)
    found.advantage("target prone", (1 if near else -1) * target.has("prone"), "D20-17")
    for condition, (own, others) in ADVANTAGES.items():
        found.advantage(condition, own * fighter.has(condition), "D20-17")
        found.advantage(f"target {condition}", others * target.has(condition), "D20-17")
    return with_advantage(found, intent)


def crowded(scene: Scene, who: str) -> bool:
    """D20-9: an enemy who can act stands beside the fighter."""
    gaps = (scene.distance(who, foe.name) for foe in scene.foes(who) if not unable(CONDITIONS, foe)[0])
    return any(gap is not None and gap <= BESIDE for gap in gaps)


def attack(table: RuleTable, setup: AttackSetup) -> AttackResult:
    """D20-7: at or above the armour class; 20 always hits, critically, and 1 never does."""
    face = thrown(table, setup.roll, against=setup.target)
    total = face + setup.roll.bonus
    hit = face == 20 or (face > 1 and total >= setup.armour_class)
    critical = hit and (face == 20 or setup.helpless)
    table.result(total=total, target=setup.armour_class, success=hit, **({"criticals": 1} if critical else {}))
    if not hit:
        return AttackResult(False, total)
    damage = rolled(table, setup.roll.who, setup.parts, 1 + critical)
    saved = setup.save is not None and table.ask(saves, setup.save)
    return AttackResult(True, total, int(critical), damage, saved)


def struck(changes: Changes, intent: Intent, setup: Setup, result: AttackResult) -> None:
    """D20-8: what a hit does; D20-9: the last piece is out of the hand; D20-17: attackers are seen."""
    changes.end(intent.actor, "invisible", "D20-17")
    if result.success:
        harm = harm_of(changes, setup.dice.parts, result.damage)
        hurt(changes, intent.target, harm, bool(result.criticals))
        if not result.saved:
            inflict(changes, intent.target, setup.carried.get("inflicts", ""))
    if changes.scene.open:
        count_strike(changes, intent.actor, setup)
    thrower = changes.fighter(intent.actor)
    if setup.carried["kind"] == "thrown" and thrower.pools.get(f"ammo:{setup.gear}", 1) <= 1:
        changes.drop(thrower.name, setup.gear, "D20-9")


def count_strike(changes: Changes, who: str, setup: Setup) -> None:
    """D20-22: an action spent on a weapon of a multiattack begins it; every attack of it is counted."""
    fighter = changes.fighter(who)
    if setup.gear not in fighter.sheet["multiattack"]:
        return
    if setup.costs[0].pool == "action":
        changes.clear_marks(who, "D20-22", "struck")
        changes.set(who, "strikes", strikes_of(fighter.sheet), "D20-22")
    before = changes.fighter(who).marks.get(f"struck:{setup.gear}", 0)
    changes.mark(who, "struck", before + 1, "D20-22", setup.gear)


def target_lives(scene: Scene, intent: Intent) -> None:
    """D20-16: nobody attacks the dead."""
    if is_dead(scene.fighters[intent.target]):
        refuse(intent, f"{intent.target} is dead already", "D20-16")
