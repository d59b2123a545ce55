"""Attacks, defence and damage (D100-16 to D100-26, D100-29)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...rules import (
    ATTACK_SAYS,
    Action,
    Alternative,
    Amount,
    Changes,
    Cost,
    ExactOdds,
    Intent,
    Modifiers,
    NamedTuple,
    Opponents,
    RuleTable,
    Says,
    Scene,
    Setup,
    increments,
    lacks,
    refuse,
    slug,
    target_distance,
    weapon_in_use,
    within,
)
from .checks import HELP, MINUS, PLUS, advantage_asked, assist, assist_asked, rated, rolled, succeeds
from .options import SHOTS
from .sheet import ANYTHING, KINDS, OBJECT, RANGES, UNARMED, Weapon, die_of, modes_of
from .turns import TURNED, full_action, is_down

# Attacks

REACH = 2
"""Arm's length, in metres: for melee attacks, treatment, and being noticed (D100-15, a reading)."""
CLOSE = ("melee", "thrown")
"""The kinds of weapon that strength adds to (D100-17, D100-29), and that can be answered (D100-23)."""

MOST_CHECKS = 3
"""D100-18: of automatic fire."""
FIREARM = ("mode", "checks", "stable")
"""Options that only firearms take."""


def is_object(scene: Scene, intent: Intent) -> bool:
    """D100-29: whether anything at hand is named as the weapon, and no weapon of that name."""
    named = intent.get("weapon")
    return named == ANYTHING and named not in scene.fighters[intent.actor].sheet["weapons"]


def used_weapon(scene: Scene, intent: Intent) -> tuple[str, Weapon]:
    """D100-16: the weapon in hand; D100-29: what is thrown, made for it where possible, else any object."""
    throws = intent.action == "throw"
    if is_object(scene, intent):
        if not throws:
            what, hint = "an object is thrown", f"crisis throw {slug(intent.target)} --weapon object"
            refuse(intent, what, "D100-29", hint, final=True, code="wrong_item")
        return ANYTHING, OBJECT
    name, weapon = weapon_in_use(scene, intent, "D100-13", UNARMED, ("thrown",) if throws else ())
    if not throws:
        return name, weapon
    if intent.get("weapon") == "unarmed":
        refuse(intent, "bare hands cannot be thrown", "D100-29", final=True, code="wrong_item")
    if name == "unarmed":
        return ANYTHING, OBJECT
    # A firearm, thrown, is an object like any other.
    return name, {**weapon, "kind": "thrown"} if weapon["kind"] in CLOSE else OBJECT


def fire_mode(scene: Scene, intent: Intent, name: str, weapon: Weapon) -> tuple[str, int]:
    """D100-18: how a weapon fires, as asked for or as usual, and the checks of that; "" and 1 if it does not fire.
    D100-22: refuses a mode that too few shots are left for, and names one that there are enough for (a reading)."""
    modes = modes_of(weapon)
    if not modes:
        for option in filter(intent.get, FIREARM):
            what = f"the {name} does not fire: --{option} means nothing"
            refuse(intent, what, "D100-18", final=True, code="unheeded_option")
        return "", 1
    usual = "semi" if weapon["kind"] == "rifle" and "semi" in modes else modes[0]
    mode, checks = intent.get("mode") or usual, intent.get("checks", 1)
    can = f"it fires {', '.join(modes)}"
    if mode not in modes:
        refuse(intent, f"the {name} does not fire {mode}", "D100-18", can, code="wrong_item")
    if "checks" in intent.options and mode != "auto":
        what = f"only automatic fire has several checks; this is {mode}"
        refuse(intent, what, "D100-18", can, final=True, code="conflicting_options")
    if not 1 <= checks <= MOST_CHECKS:
        what = f"automatic fire has 1 to {MOST_CHECKS} checks, not {checks}"
        refuse(intent, what, "D100-18", final=True, code="bad_value")
    pool, shots = f"ammo:{name}", checks * SHOTS[mode]
    left = scene.fighters[intent.actor].pools.get(pool, shots)
    if left < shots:
        enough = (f"there are enough for --mode {one}" for one in modes if SHOTS[one] <= left)
        hint = next(enough, f"crisis act {slug(intent.actor)} reload {slug(name)}")
        what = f"the {name} of {intent.actor} has {left} shot{'s' * (left != 1)} left; {mode} takes {shots}"
        refuse(intent, what, "D100-22", hint, code="no_ammunition", pool=pool, has=left, needs=shots)
    return mode, checks


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
    advantage: int
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


in_melee = within(
    REACH, "D100-17", "a blow", "go closer: crisis act {who} walk toward {target}, or run", "walk"
)


def attack_setup(scene: Scene, intent: Intent) -> Setup:
    """D100-16, D100-29: an attack or a throw; refused where target, reach, mode or ammunition forbid it."""
    name, weapon = used_weapon(scene, intent)
    fighter, kind = scene.fighters[intent.actor], weapon["kind"]
    if kind == "melee":
        in_melee(scene, intent)
    mode, checks = fire_mode(scene, intent, name, weapon)
    surprise = "--surprise" if intent.get("surprise") else "sneaking" if fighter.has("sneaking") else ""
    if intent.get("surprise") and kind not in CLOSE:
        refuse(intent, "surprise is of no use to a shot", "D100-21", code="unheeded_option")
    attack = rated(fighter, "attack", "combat")
    assist(attack, "single shot", "D100-18", "--mode single", count=mode == "single")
    assist(attack, "steady rest", "D100-20", "--stable", count=bool(intent.get("stable")))
    distance, reaches = target_distance(scene, intent), weapon.get("range", RANGES.get(kind))
    beyond = increments(distance, reaches) if kind != "melee" else 0
    assist(attack, "range", "D100-19", f"{distance} m at {reaches} m a range", count=-beyond)
    usual = assist_asked(attack, intent).total
    # Of several checks --mod is for the first alone (ALL-6).
    targets = (attack.asked(intent).total, *[usual] * (checks - 1))
    attack.advantage(f"{MINUS} automatic fire", -(mode == "auto"), "D100-18", "--mode auto")
    attack.advantage(f"{PLUS} surprise", bool(surprise and kind == "melee"), "D100-21", surprise)
    advantage_asked(attack, intent)
    damage, added = damage_of(scene, intent, name, weapon)
    defence, reactions = defence_of(scene, intent, kind, bool(surprise))
    shots = SHOTS.get(mode, 1)
    dice = AttackSetup(intent.actor, targets, attack.net_advantage, shots, damage, defence)
    # A thrown firearm is one object, however many shots are in it.
    counted = "capacity" in weapon
    spent = (Cost(f"ammo:{name}", checks * shots, rule="D100-22"),) if counted else ()
    return Setup(
        dice, Modifiers.lines_of(attack, added, *reactions), spent, name, carried=(mode, kind, counted)
    )


def damage_of(scene: Scene, intent: Intent, name: str, weapon: Weapon) -> tuple[DamageSetup, Modifiers]:
    """The damage of a weapon (D100-17, D100-18, D100-29), armour known (D100-26), and its flat parts."""
    fighter, armour = scene.fighters[intent.actor], scene.fighters[intent.target].sheet["armour"]
    dice = Amount.of(weapon["damage"])
    if dice.sides == 1:
        dice = Amount(plus=dice.plus + dice.many)
    found = Modifiers("damage", "D100-2").add("weapon", dice.plus, source=f"weapons.{name}")
    sides = die_of(fighter.sheet["ratings"]["strength"]) if weapon["kind"] in CLOSE else 0
    found.add("strength", int(sides == 1), "D100-17", "d1")
    more = Modifiers("damage", "ALL-6").situational(fighter, "damage").asked(intent, "mod_damage")
    dice = dice._replace(plus=dice.plus + more.total)
    return DamageSetup(sides, dice, armour), found.extend(more)


REACTIONS, COST = {"block": "D100-24", "dodge": "D100-25"}, 1
"""D100-23: what the target can do, by its rule, and the Small Actions that it takes."""


def defence_of(scene: Scene, intent: Intent, kind: str, unseen: bool) -> tuple[DefenceSetup, list[Modifiers]]:
    """D100-23: with what the target may answer this attack; Refused where `--react` names what it may not."""
    target, wanted = scene.fighters[intent.target], intent.get("react", "none")
    who = target.name
    lacking = f"{who} has no Small Action {'left' if who in scene.acting else 'kept'}"
    reasons = (
        (kind not in CLOSE, "a shot can be neither blocked nor dodged", "D100-23"),
        (unseen, f"{who} is not aware of the attack", "D100-23"),
        (is_down(target), f"{who} is down", "D100-27"),
        (target.pools["small-actions"] + TURNED * target.pools["actions"] < COST, lacking, "D100-12"),
    )
    against = [(why, rule) for holds, why, rule in reasons if holds]
    if wanted in REACTIONS:
        without = "let it be: --react none"
        for why, rule in against[:1]:
            refuse(intent, why, rule, without, code="cannot_react")
        if wanted not in target.sheet:
            what = f"{who} has no {wanted} rating"
            refuse(intent, what, "D100-1", without, final=True, code="cannot_react")
    dice: dict[str, Amount] = {}
    rolls: list[Modifiers] = []
    for reaction in REACTIONS if wanted in REACTIONS or not against else ():
        if reaction in target.sheet:
            own = Amount.of(target.sheet[reaction])
            found = Modifiers(reaction, REACTIONS[reaction]).add("rating", own.plus, source=reaction)
            dice[reaction] = own._replace(plus=found.situational(target, reaction).total)
            rolls.append(found)
    return DefenceSetup(who, target.pools["health"], **dice), rolls


# The dice of an attack


def attack(table: RuleTable, setup: AttackSetup) -> AttackResult:
    """D100-16: every check first, then the damage of each projectile, then the reaction (D100-23)."""
    face = None
    if len(setup.targets) == 1:
        success, face = rolled(table, "attack", setup.who, setup.targets[0], setup.advantage)
        won = int(success)
    else:
        won = sum(
            table.ask(succeeds, "attack", setup.who, target, setup.advantage) for target in setup.targets
        )
    if not won:
        return AttackResult(False, face, 0, 0)
    answer = table.ask(landed, won * setup.shots, setup.who, setup.damage, setup.defence)
    return AttackResult(True, face, won, *answer)


def damage_roll(table: RuleTable, who: str, damage: DamageSetup) -> int:
    """A rule: what one projectile or melee attack does, armour taken off (D100-26); never below 0."""
    strength, weapon, armour = damage
    dice = " + ".join(part for part in (f"d{strength}" if strength > 1 else "", weapon.dice) if part)
    if dice:
        table.label("damage", who, dice)
    harm = table.die(strength) if strength > 1 else strength
    harm = max(0, harm + weapon.thrown(table))
    if dice:
        table.result(total=harm, **({} if strength else {"spot": spot(harm, weapon)}))
    return table.plus(harm, "armour", -min(harm, armour), "D100-26")


def spot(harm: int, weapon: Amount) -> str:
    """D100-18: where a projectile struck, by thirds of what it can do; said, and nothing more."""
    least, most = weapon.many + weapon.plus, weapon.many * weapon.sides + weapon.plus
    return ("a limb", "the body", "the head")[min(2, 3 * (harm - least) // max(1, most - least + 1))]


def landed(
    table: RuleTable, count: int, who: str, damage: DamageSetup, defence: DefenceSetup
) -> tuple[int, str]:
    """A rule: what is left of the harm of so many projectiles or melee attacks, armour taken off (D100-26), and the
    reaction that the target chooses. Against no harm nothing is spent (D100-24, a reading)."""
    harm = table.times(count, damage_roll, who, damage)
    target, left, *dice = defence
    lost = "Health lost"
    options = [Alternative("none", react, ("none", target, Amount(), left, harm), counts=lost)]
    for name, own in zip(REACTIONS, dice, strict=True):
        if own is not None:
            args = name, target, own, left, harm
            options.append(Alternative(name, react, args, COST, pays="Small Action", counts=lost))
    chosen = table.choose(target, tuple(options)) if harm else options[0]
    _, through = table.ask(chosen.rule, *chosen.args)
    return through, "" if chosen.name == "none" else chosen.name


def react(table: RuleTable, name: str, who: str, dice: Amount, left: int, harm: int) -> tuple[int, int]:
    """A rule: the Health lost after a reaction, at most what is `left`, and the harm. D100-24: what a block rolls comes
    off, but at least 1 stays; D100-25: a dodge at or above what would reach health prevents all of it, else nothing."""
    if name != "none":
        table.label(name, who, dice.dice)
        roll = max(0, dice.thrown(table))
        if name == "block":
            stopped = min(roll, harm - 1)
            table.result(total=roll, stopped=stopped, left=harm - stopped)
            harm = table.plus(harm, "block", -stopped, "D100-24")
        else:
            table.result(total=roll, target=int(harm), success=roll >= harm)
            harm = 0 if roll >= harm else harm
    return min(left, harm), harm


# What an attack changes


def hurt(changes: Changes, intent: Intent, setup: Setup, result: AttackResult) -> None:
    """Sneaking ends (D100-15, a reading), the reaction is paid for (D100-23), health goes down (D100-27); what is
    thrown leaves the hand unless there are more of it (D100-29)."""
    changes.end(intent.actor, "sneaking", "D100-15")
    if result.reaction:
        pay_reaction(changes, intent.target, result.reaction)
    health = changes.number("D100-16").from_dice("damage", -result.harm)
    changes.adjust(intent.target, "health", health, "D100-16")
    _, kind, counted = setup.carried
    if kind == "thrown" and not (counted and changes.pool(intent.actor, f"ammo:{setup.gear}")):
        changes.drop(intent.actor, setup.gear, "D100-29")


def pay_reaction(changes: Changes, who: str, reaction: str) -> None:
    """D100-23: a Small Action, in the own turn one of the two that an Action gives where none is left (D100-10)."""
    cost = changes.number("D100-23").add(reaction, -COST)
    if changes.pool(who, "small-actions") < COST:
        changes.adjust(who, "actions", changes.number("D100-10").add("turned", -1), "D100-10")
        cost.add("turned", TURNED, "D100-10")
    changes.adjust(who, "small-actions", cost, "D100-23")


def outputs(scene: Scene, intent: Intent, setup: Setup, result: AttackResult) -> Mapping[str, Any]:
    """`mode`, how it was fired; `past`, that a miss lands past the target (D100-29)."""
    mode, kind, _ = setup.carried
    return {"mode": mode} if mode else {"past": True} if kind == "thrown" and not result.success else {}


IN_HAND = Opponents.attacking("attack", *(kind for kind in KINDS if kind != "thrown"), bare_hands=True)
"""Every weapon in hand, at every foe; bare hands where it is no weapon."""


def mode_candidates(scene: Scene, who: str) -> Iterator[Intent]:
    """Every mode of what is in hand, at every foe."""
    weapons = scene.fighters[who].sheet["weapons"]
    for intent in IN_HAND.of("attack", scene, who):
        modes = modes_of(weapons.get(intent.get("weapon"), UNARMED))
        yield from (intent.plus(mode=mode) for mode in modes) if modes else (intent,)


OPTIONS = ("weapon", "range", "mod_damage", *HELP, "surprise", "in-sequence")
ATTACK = full_action(
    Action(
        "Attack one target with the weapon in hand",
        "D100-16",
        attack_setup,
        hurt,
        attack,
        gear="weapons",
        ai=Opponents(mode_candidates),
        targets="one",
        requires=(lacks("down", "D100-27", "{who} is down already", of="target", code="already_dead"),),
        says=Says(
            {**ATTACK_SAYS, **dict.fromkeys(("pistol", "shotgun", "rifle"), ATTACK_SAYS["ranged"])},
            ("hit", "miss"),
        ),
        outputs=outputs,
        reactions=tuple(REACTIONS),
        odds=ExactOdds(lambda result: result._replace(total=None)),
        options=(*OPTIONS, *FIREARM),
    )
)
THROW = ATTACK._replace(
    title="Throw a weapon or an object at one target",
    rule_id="D100-29",
    ai=Opponents.attacking("throw", "thrown"),
    options=OPTIONS,
    says=Says(ATTACK_SAYS["thrown"], ("hit", "miss")),
)
