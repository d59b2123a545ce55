"""Attacks and throws, damage, block and dodge (D100-16 to D100-26, D100-29)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ...rules import (
    ATTACK_SAYS,
    Action,
    Alternative,
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
    lines_of,
    refuse,
    slug,
    sum_of,
    target_distance,
    weapon_in_use,
    within,
)
from .actions import (
    HELP,
    MINUS,
    PLUS,
    REACH,
    assist,
    assist_asked,
    edge_asked,
    full_action,
    is_down,
    rated,
    rolled,
    succeeds,
)
from .options import SHOTS
from .sheet import OBJECT, UNARMED, Weapon, die_of, modes_of, range_of

CLOSE = ("melee", "thrown")
"""The kinds of weapon that strength adds to (D100-17, D100-29), and that can be answered (D100-23)."""

# The weapon, and how it fires

MOST_CHECKS = 3
"""D100-18: of automatic fire."""
FIREARM = ("mode", "checks", "stable")
"""Options that only firearms take."""


def used_weapon(scene: Scene, intent: Intent) -> tuple[str, Weapon]:
    """D100-16: the weapon in hand; D100-29: what is thrown, made for it where possible, else any object."""
    throws = intent.action == "throw"
    name, weapon = weapon_in_use(scene, intent, "D100-13", UNARMED, ("thrown",) if throws else ())
    if not throws:
        return name, weapon
    if intent.get("weapon") == "unarmed":
        refuse(intent, "bare hands cannot be thrown", "D100-29", final=True)
    if name == "unarmed":
        return "object", OBJECT
    # A firearm, thrown, is an object like any other.
    return name, {**weapon, "kind": "thrown"} if weapon["kind"] in CLOSE else OBJECT


def fire_mode(scene: Scene, intent: Intent, name: str, weapon: Weapon) -> tuple[str, int]:
    """D100-18: how a weapon fires, as asked for or as usual, and the checks of that; "" and 1 if it does not fire.

    D100-22: refuses a mode that too few shots are left for, and names one that there are enough for (a reading).
    """
    modes = modes_of(weapon)
    for option in FIREARM:
        if not modes and intent.get(option):
            refuse(intent, f"the {name} does not fire: --{option} means nothing", "D100-18", final=True)
    if not modes:
        return "", 1
    usual = "semi" if weapon["kind"] == "rifle" and "semi" in modes else modes[0]
    mode, checks = intent.get("mode") or usual, intent.get("checks", 1)
    can = f"it fires {', '.join(modes)}"
    if mode not in modes:
        refuse(intent, f"the {name} does not fire {mode}", "D100-18", can)
    if "checks" in intent.options and mode != "auto":
        refuse(intent, f"only automatic fire has several checks; this is {mode}", "D100-18", can, final=True)
    if not 1 <= checks <= MOST_CHECKS:
        refuse(intent, f"automatic fire has 1 to {MOST_CHECKS} checks, not {checks}", "D100-18", final=True)
    shots = checks * SHOTS[mode]
    left = scene.fighters[intent.actor].pools.get(f"ammo:{name}", shots)
    if left < shots:
        enough = (f"there are enough for --mode {one}" for one in modes if SHOTS[one] <= left)
        hint = next(enough, f"crisis act {slug(intent.actor)} reload {slug(name)}")
        message = f"the {name} of {intent.actor} has {left} shots left; {mode} takes {shots}"
        refuse(intent, message, "D100-22", hint)
    return mode, checks


# Before the dice


class DamageSetup(NamedTuple):
    """What one projectile or melee attack does."""

    strength: int
    """Sides of the die of strength; 0 for projectiles."""
    weapon: Amount
    """Of the weapon, everything else added."""
    armour: int


class DefenceSetup(NamedTuple):
    """What the target can do when the damage is known; what it cannot is None."""

    who: str
    left: int = 0
    """Health that the attack can take; a reaction is weighed by the harm that can still be done."""
    block: Amount | None = None
    dodge: Amount | None = None


class AttackSetup(NamedTuple):
    who: str
    targets: tuple[int, ...]
    """What each check must stay at or under."""
    edge: int
    """1 for [+], -1 for [−], else 0."""
    shots: int
    """Projectiles, or melee attacks, of each check that succeeds."""
    damage: DamageSetup
    defence: DefenceSetup


class AttackResult(NamedTuple):
    success: bool
    total: int | None
    """The face that counted; None of several checks."""
    successes: int
    """Checks that succeeded."""
    harm: int
    """What reaches health."""
    reaction: str = ""


in_reach = within(REACH, "D100-17", "a blow", "go closer: crisis act {who} walk --to X,Y, or run")


def attack_setup(scene: Scene, intent: Intent) -> Setup:
    """D100-16, D100-29: an attack or a throw; refused where target, reach, mode or ammunition forbid it."""
    name, weapon = used_weapon(scene, intent)
    fighter, target, kind = scene.fighters[intent.actor], scene.fighters[intent.target], weapon["kind"]
    if is_down(target):
        refuse(intent, f"{target.name} is down already", "D100-27")
    if kind == "melee":
        in_reach(scene, intent)
    mode, checks = fire_mode(scene, intent, name, weapon)
    surprise = "--surprise" if intent.get("surprise") else "sneaking" if fighter.has("sneaking") else ""
    if intent.get("surprise") and kind not in CLOSE:
        refuse(intent, "surprise is of no use to a shot", "D100-21")
    attack = rated(fighter, "attack", "combat")
    assist(attack, "single shot", "D100-18", "--mode single", count=mode == "single")
    assist(attack, "steady rest", "D100-20", "--stable", count=bool(intent.get("stable")))
    distance, reaches = target_distance(scene, intent), range_of(weapon)
    beyond = increments(distance, reaches) if kind != "melee" else 0
    assist(attack, "range", "D100-19", f"{distance} m at {reaches} m a range", count=-beyond)
    usual = assist_asked(attack, intent).total
    # Of several checks --mod is for the first alone (ALL-6).
    targets = (attack.asked(intent).total, *[usual] * (checks - 1))
    attack.edge(f"{MINUS} automatic fire", -(mode == "auto"), "D100-18", "--mode auto")
    attack.edge(f"{PLUS} surprise", bool(surprise and kind == "melee"), "D100-21", surprise)
    edge_asked(attack, intent)
    damage, added = damage_of(intent, fighter, target, name, weapon)
    defence, reactions = defence_of(scene, intent, kind, bool(surprise))
    shots = SHOTS.get(mode, 1)
    dice = AttackSetup(intent.actor, targets, attack.net_edge, shots, damage, defence)
    spent = (Cost(f"ammo:{name}", checks * shots, rule="D100-22"),) if "capacity" in weapon else ()
    return Setup(dice, lines_of(attack, added, *reactions), spent, name, known=(mode, kind))


def damage_of(
    intent: Intent, fighter: Fighter, target: Fighter, name: str, weapon: Weapon
) -> tuple[DamageSetup, Modifiers]:
    """The damage of a weapon (D100-17, D100-18, D100-29), armour known (D100-26), and its flat parts."""
    dice = amount(weapon["damage"])
    if dice.sides == 1:
        dice = Amount(plus=dice.plus + dice.many)
    found = Modifiers("damage", "D100-2").add("weapon", dice.plus, source=f"weapons.{name}")
    sides = die_of(fighter.sheet["ratings"]["strength"]) if weapon["kind"] in CLOSE else 0
    found.add("strength", int(sides == 1), "D100-17", "d1")
    more = Modifiers("damage", "ALL-6").situational(fighter, "damage").asked(intent, "mod_damage")
    dice = dice._replace(plus=dice.plus + more.total)
    return DamageSetup(sides, dice, target.sheet["armour"]), found.extend(more)


REACTIONS = ("block", "dodge")
"""D100-23."""
COST = 1
"""D100-23: a kept Small Action buys one reaction."""


def defence_of(
    scene: Scene, intent: Intent, kind: str, unnoticed: bool
) -> tuple[DefenceSetup, list[Modifiers]]:
    """D100-23: with what the target may answer this attack; Refused where `--react` names what it may not."""
    target = scene.fighters[intent.target]
    wanted = intent.get("react", "none")
    why, rule = cannot_react(scene, target, kind, unnoticed)
    if wanted in REACTIONS:
        if why:
            refuse(intent, why, rule, "let it be: --react none")
        if wanted not in target.sheet:
            message = f"{target.name} has no {wanted} rating"
            refuse(intent, message, "D100-1", "let it be: --react none", final=True)
    dice: dict[str, Amount] = {}
    rolls = []
    for reaction in REACTIONS if wanted in REACTIONS or not why else ():
        if reaction in target.sheet:
            found = Modifiers(reaction, "ALL-6").situational(target, reaction)
            own = amount(target.sheet[reaction])
            dice[reaction] = own._replace(plus=own.plus + found.total)
            rolls.append(found)
    return DefenceSetup(target.name, target.pools["health"], **dice), rolls


def cannot_react(scene: Scene, target: Fighter, kind: str, unnoticed: bool) -> tuple[str, str]:
    """Why the target can answer with nothing, and the rule; two empty words where it can."""
    who = target.name
    reasons = (
        (kind not in CLOSE, "a shot can be neither blocked nor dodged", "D100-23"),
        (unnoticed, f"{who} is not aware of the attack", "D100-23"),
        (is_down(target), f"{who} is down", "D100-27"),
        (who in scene.acting, f"{who} reacts outside the own turn only", "D100-13"),
        (target.pools["small-actions"] < COST, f"{who} has no Small Action kept", "D100-12"),
    )
    return next(((why, rule) for holds, why, rule in reasons if holds), ("", ""))


# The dice


def attack(table: RuleTable, setup: AttackSetup) -> AttackResult:
    """D100-16: every check first, then the damage of each projectile, then the reaction (D100-23)."""
    face = None
    if len(setup.targets) == 1:
        success, face = rolled(table, "attack", setup.who, setup.targets[0], setup.edge)
        won = int(success)
    else:
        won = sum(table.ask(succeeds, "attack", setup.who, target, setup.edge) for target in setup.targets)
    if not won:
        return AttackResult(False, face, 0, 0)
    answer = table.ask(landed, won * setup.shots, setup.who, setup.damage, setup.defence)
    return AttackResult(True, face, won, *answer)


def landed(
    table: RuleTable, count: int, who: str, damage: DamageSetup, defence: DefenceSetup
) -> tuple[int, str]:
    """A rule: the harm and the reaction when so many projectiles or melee attacks hit."""
    return table.ask(answered, defence, table.times(count, damage_roll, who, damage))


def damage_roll(table: RuleTable, who: str, damage: DamageSetup) -> int:
    """A rule: what one projectile or melee attack does, armour taken off (D100-26); never below 0."""
    strength, weapon, armour = damage
    dice = " + ".join(part for part in (f"d{strength}" if strength > 1 else "", weapon.dice) if part)
    if dice:
        table.label("damage", who, dice)
    harm = table.die(strength) if strength > 1 else strength
    harm = max(0, harm + sum_of(table, weapon))
    if dice:
        table.result(total=harm, **({} if strength else {"spot": spot(harm, weapon)}))
    return max(0, harm - armour)


def spot(harm: int, weapon: Amount) -> str:
    """D100-18: where a projectile struck, by thirds of what it can do; said, and nothing more."""
    least, most = weapon.many + weapon.plus, weapon.many * weapon.sides + weapon.plus
    return ("a limb", "the body", "the head")[min(2, 3 * (harm - least) // max(1, most - least + 1))]


def answered(table: RuleTable, defence: DefenceSetup, harm: int) -> tuple[int, str]:
    """A rule: what is left of the harm, armour taken off (D100-26), and the reaction that the target chooses.

    Against no harm nothing is spent (D100-24, a reading).
    """
    who, left, *dice = defence
    options = [Alternative("none", react, ("none", who, Amount(), left, harm))]
    for name, own in zip(REACTIONS, dice, strict=True):
        if own is not None:
            options.append(Alternative(name, react, (name, who, own, left, harm), COST, pays="Small Action"))
    chosen = table.choose(who, tuple(options)) if harm else options[0]
    _, through = table.ask(chosen.rule, *chosen.args)
    return through, "" if chosen.name == "none" else chosen.name


def react(table: RuleTable, name: str, who: str, dice: Amount, left: int, harm: int) -> tuple[int, int]:
    """A rule: the Health lost after a reaction, at most what is `left`, and the harm.

    D100-24: what a block rolls comes off, but at least 1 stays; D100-25: a dodge that rolls at or above what would
    reach health prevents all of it, any other nothing.
    """
    if name != "none":
        table.label(name, who, dice.dice)
        roll = max(0, sum_of(table, dice))
        dodges = {"target": harm, "success": roll >= harm} if name == "dodge" else {}
        table.result(total=roll, **dodges)
        harm = min(harm, max(1, harm - roll)) if not dodges else 0 if roll >= harm else harm
    return min(left, harm), harm


# After the dice


def hurt(changes: Changes, intent: Intent, setup: Setup, result: AttackResult) -> None:
    """Sneaking ends (D100-15, a reading), the reaction is paid for (D100-23), health goes down (D100-27); what is
    thrown leaves the hand unless there are more of it (D100-29)."""
    changes.end(intent.actor, "sneaking", "D100-15")
    if result.reaction:
        changes.adjust(intent.target, "small-actions", -COST, "D100-23")
    health = changes.number("D100-16").from_dice("damage", -result.harm)
    changes.adjust(intent.target, "health", health, "D100-16")
    if intent.action == "throw" and not changes.pool(intent.actor, f"ammo:{setup.gear}"):
        changes.drop(intent.actor, setup.gear, "D100-29")


def outputs(scene: Scene, intent: Intent, setup: Setup, result: AttackResult) -> Mapping[str, Any]:
    """`mode`, how it was fired; `past`, that a miss lands past the target (D100-29)."""
    mode, kind = setup.known
    return {"mode": mode} if mode else {"past": True} if kind == "thrown" and not result.success else {}


def mode_candidates(scene: Scene, who: str) -> Iterator[Intent]:
    """Every mode of what is in hand, at every foe; bare hands where it is no weapon."""
    fighter = scene.fighters[who]
    weapons = fighter.sheet["weapons"]
    held = [one for one in fighter.held if one in weapons and weapons[one]["kind"] != "thrown"]
    for name in held or ["unarmed"]:
        modes = [{"mode": mode} for mode in modes_of(weapons.get(name, UNARMED))]
        for foe in scene.foes(who):
            for options in modes or [{}]:
                yield Intent("attack", who, (foe.name,), {"weapon": name, **options})


OPTIONS = ("weapon", "range", "mod_damage", *HELP, "surprise", "in-sequence")
ATTACK = full_action(
    Action(
        "Attack one target with the weapon in hand",
        "D100-16",
        attack_setup,
        hurt,
        attack,
        gear="weapons",
        candidates=mode_candidates,
        targets="one",
        words=("hit", "miss"),
        outputs=outputs,
        reactions=REACTIONS,
        bare=lambda result: result._replace(total=None),
        options=(*OPTIONS, *FIREARM),
        says={**ATTACK_SAYS, **dict.fromkeys(("pistol", "shotgun", "rifle"), ATTACK_SAYS["ranged"])},
    )
)
THROW = ATTACK._replace(
    title="Throw a weapon or an object at one target",
    rule_id="D100-29",
    candidates=attack_candidates("throw", "thrown"),
    options=OPTIONS,
    says=ATTACK_SAYS["thrown"],
)
