"""Attacks and throws, damage, block and dodge (D100-16 to D100-26, D100-29)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ...dice.table import Alternative
from ...engine.dice_amount import Amount, parse_amount, sum_of
from ...engine.events import Event, change, shift
from ...engine.record import Modifier
from ...engine.scene import Fighter, Intent, Scene, slug
from ...engine.system import Action, Cost, Setup, refuse
from ...rules.distance import increments, target_distance, within
from ...rules.equipment import in_hand
from ...rules.situational import circumstance, standing
from .actions import REACH, fallen, revealed, whole
from .checks import MINUS, PLUS, asked, assist, edge_of, obstacle, rated, rolled, succeeds, total
from .sheet import LEAST, OBJECT, UNARMED, die_of, modes_of, range_of
from .switches import SHOTS

# Damage: of the body and the weapon, projectile by projectile, less armour (D100-17, D100-18, D100-26).

SPOTS = ("a limb", "the body", "the head")
"""D100-18: where a projectile struck, by thirds of what it can do; told, and nothing more."""


class Damage(NamedTuple):
    """What one projectile or blow does."""

    strength: int
    """Sides of the die of strength; 0 for projectiles."""
    worth: Amount
    """Of the weapon, everything else added."""
    armour: int


def damage_of(
    fighter: Fighter, target: Fighter, name: str, weapon: Mapping[str, Any], more: list[Modifier]
) -> tuple[Damage, list[Modifier]]:
    """The damage of a weapon (D100-17, D100-18, D100-29), armour known (D100-26), and its flat parts."""
    worth = parse_amount(weapon["damage"]) or Amount()
    if worth.sides == LEAST:
        worth = Amount(plus=worth.plus + worth.many)
    modifiers = [Modifier("damage", "weapon", worth.plus, "D100-2", f"weapons.{name}")] if worth.plus else []
    plus = standing(fighter, "damage", "damage") + more
    by_hand = weapon["kind"] in ("melee", "thrown")
    sides = die_of(fighter.sheet["ratings"]["strength"]) if by_hand else 0
    if sides == LEAST:
        modifiers.append(Modifier("damage", "strength", LEAST, "D100-17", "d1"))
    whole = worth._replace(plus=worth.plus + total(plus, "damage"))
    return Damage(sides, whole, target.sheet["armour"]), modifiers + plus


def struck(table: Any, who: str, damage: Damage) -> int:
    """A rule: what one projectile or blow does, armour taken off (D100-26); never below 0."""
    strength, worth, armour = damage
    dice = " + ".join(part for part in (f"d{strength}" if strength > LEAST else "", worth.dice) if part)
    if dice:
        table.label("damage", who, dice)
    harm: int = table.die(strength) if strength > LEAST else strength
    harm = max(0, harm + sum_of(table, worth))
    if dice:
        spot = {} if strength else {"spot": _spot(harm, worth)}
        table.result(total=harm, **spot)
    return max(0, harm - armour)


def _spot(harm: int, worth: Amount) -> str:
    """Where it struck: the higher the roll, the worse the place."""
    least, most = worth.many + worth.plus, worth.many * worth.sides + worth.plus
    return SPOTS[min(2, 3 * (harm - least) // max(1, most - least + 1))]


# What the target does about a blow: armour, then block or dodge (D100-23 to D100-26).

REACTIONS = ("block", "dodge")
"""D100-23."""
COST = 1
"""D100-23: a kept Small Action buys one reaction."""
BLOCKED_TO = 1
"""D100-24: what a block leaves at least."""
CLOSE = ("melee", "thrown")
"""D100-23: the kinds of attacks that can be answered."""


class Guard(NamedTuple):
    """What the target can do when the damage is known; what it cannot is None."""

    who: str
    left: int = 0
    """Health that the attack can take; a reaction is weighed by the harm that can still be done."""
    block: Amount | None = None
    dodge: Amount | None = None


def guard(scene: Scene, intent: Intent, kind: str, unnoticed: bool) -> tuple[Guard, list[Modifier]]:
    """D100-23: with what the target may answer this attack; Refused where `--react` names what it may not."""
    target = scene.fighters[intent.target]
    wanted = intent.get("react", "none")
    why, rule = _helpless(scene, intent, target, kind, unnoticed)
    if wanted in REACTIONS:
        if why:
            refuse(intent, why, rule, "let it be: --react none")
        if wanted not in target.sheet:
            refuse(
                intent,
                f"{target.name} has no {wanted} rating",
                "D100-1",
                "let it be: --react none",
                final=True,
            )
    elif why:
        return Guard(target.name, target.pools["health"]), []
    dice: dict[str, Amount] = {}
    found: list[Modifier] = []
    for reaction in REACTIONS:
        if reaction in target.sheet:
            worth = parse_amount(target.sheet[reaction]) or Amount()
            plus = standing(target, reaction, reaction)
            found += plus
            dice[reaction] = worth._replace(plus=worth.plus + total(plus, reaction))
    return Guard(target.name, target.pools["health"], **dice), found


def _helpless(scene: Scene, intent: Intent, target: Fighter, kind: str, unnoticed: bool) -> tuple[str, str]:
    """Why the target can answer with nothing, and the rule; two empty words where it can."""
    if kind not in CLOSE:
        return "a shot can be neither blocked nor dodged", "D100-23"
    if unnoticed:
        return f"{target.name} is not aware of the attack", "D100-23"
    if fallen(target):
        return f"{target.name} is down", "D100-27"
    if target.name in scene.acting:
        return f"{target.name} reacts outside the own turn only", "D100-13"
    if target.pools["small-actions"] < COST:
        return f"{target.name} has no Small Action kept", "D100-12"
    return "", ""


class Answer(NamedTuple):
    """What reaches the target's health, and what it did about it."""

    harm: int
    reaction: str


def answered(table: Any, guard: Guard, harm: int) -> Answer:
    """A rule: what is left of the harm, armour taken off (D100-26), after the reaction that the target chooses.

    Against no harm nothing is spent (D100-24, a reading).
    """
    options = [Alternative("none", taken, (guard.left, harm))]
    for name, reaction, worth in (("block", block, guard.block), ("dodge", dodge, guard.dodge)):
        if worth is not None:
            args = (guard.who, worth, guard.left, harm)
            options.append(Alternative(name, reaction, args, COST, pays="Small Action"))
    chosen = table.choose(guard.who, tuple(options)) if harm else options[0]
    _, through = table.ask(chosen.rule, *chosen.args)
    return Answer(through, "" if chosen.name == "none" else chosen.name)


def taken(table: Any, left: int, harm: int) -> tuple[int, int]:
    """A rule: no reaction. Gives the Health lost, at most what is `left`, and the harm."""
    return min(left, harm), harm


def block(table: Any, who: str, worth: Amount, left: int, harm: int) -> tuple[int, int]:
    """A rule, D100-24: the roll comes off, but at least 1 stays. Gives the Health lost and the harm."""
    roll = _rolled(table, "block", who, worth)
    table.result(total=roll)
    through = min(harm, max(BLOCKED_TO, harm - roll))
    return min(left, through), through


def dodge(table: Any, who: str, worth: Amount, left: int, harm: int) -> tuple[int, int]:
    """A rule, D100-25: a roll at or above what would reach health prevents all of it, any other nothing.

    Gives the Health lost and the harm.
    """
    roll = _rolled(table, "dodge", who, worth)
    table.result(total=roll, target=harm, success=roll >= harm)
    through = 0 if roll >= harm else harm
    return min(left, through), through


def _rolled(table: Any, what: str, who: str, worth: Amount) -> int:
    table.label(what, who, worth.dice)
    return max(0, sum_of(table, worth))


# What an attack is made with: the weapon in use, how it fires, how far it reaches (D100-17 to D100-22).

MOST_CHECKS = 3
"""D100-18: of automatic fire."""
USUAL = {"rifle": "semi"}
"""D100-18: the mode that is used where none is asked for; otherwise the first."""
THING = "object"
"""What is thrown where there is nothing made for it (D100-29)."""
FIREARM = ("mode", "checks", "stable")
"""Options that only firearms heed."""


def weapon_in_use(scene: Scene, intent: Intent) -> tuple[str, Mapping[str, Any]]:
    """The weapon of an attack, or what is thrown, with its name: as asked for, else in hand, else on the sheet."""
    fighter = scene.fighters[intent.actor]
    weapons: Mapping[str, Mapping[str, Any]] = fighter.sheet["weapons"]
    hurls = intent.action == "throw"
    name = intent.get("weapon") or ""
    if not name:
        able = [one for one in fighter.held if one in weapons]
        if hurls:
            able = [one for one in (*able, *weapons) if weapons[one]["kind"] == "thrown"]
        name = able[0] if able else THING if hurls else "unarmed"
    if name == "unarmed":
        if hurls:
            refuse(intent, "bare hands cannot be thrown", "D100-29", final=True)
        return name, UNARMED
    if name == THING:
        return name, OBJECT
    if name not in weapons:
        refuse(intent, f"{fighter.name} has no weapon called {name!r}", "D100-2", final=True)
    in_hand(scene, intent, name, "D100-13")
    weapon = weapons[name]
    if hurls and weapon["kind"] not in ("thrown", "melee"):
        # Thrown, a firearm is an object like any other (D100-29).
        return name, OBJECT
    return name, weapon if not hurls else {**weapon, "kind": "thrown"}


def in_reach(scene: Scene, intent: Intent, weapon: Mapping[str, Any]) -> None:
    """Refused where the target of a blow is out of reach."""
    if weapon["kind"] == "melee":
        closer = f"go closer: crisis act {slug(intent.actor)} walk --to X,Y, or run"
        within(scene, intent, REACH, "a blow", "D100-17", closer)


def mode_in_use(intent: Intent, weapon: Mapping[str, Any]) -> str:
    """D100-18: how it fires, as asked for or as usual; empty for what does not fire."""
    modes = modes_of(weapon) if intent.action == "attack" else ()
    if not modes:
        return ""
    usual = USUAL.get(weapon["kind"], modes[0])
    return intent.get("mode") or (usual if usual in modes else modes[0])


def mode_of(scene: Scene, intent: Intent, name: str, weapon: Mapping[str, Any]) -> tuple[str, int]:
    """D100-18: how it fires, and the checks of that; nothing and one for what does not fire."""
    modes = modes_of(weapon) if mode_in_use(intent, weapon) else ()
    for option in FIREARM:
        if not modes and intent.get(option):
            refuse(intent, f"the {name} does not fire: --{option} means nothing", "D100-18", final=True)
    if not modes:
        return "", 1
    mode = mode_in_use(intent, weapon)
    can = f"it fires {', '.join(modes)}"
    if mode not in modes:
        refuse(intent, f"the {name} does not fire {mode}", "D100-18", can)
    checks = intent.get("checks", 1)
    if "checks" in intent.options and mode != "auto":
        refuse(intent, f"only automatic fire has several checks; this is {mode}", "D100-18", can, final=True)
    if not 1 <= checks <= MOST_CHECKS:
        refuse(intent, f"automatic fire has 1 to {MOST_CHECKS} checks, not {checks}", "D100-18", final=True)
    _loaded(scene, intent, name, mode, checks, modes)
    return mode, checks


def _loaded(scene: Scene, intent: Intent, name: str, mode: str, checks: int, modes: tuple[str, ...]) -> None:
    """D100-22: too few shots for the mode are refused, with the modes that there are enough for (a reading)."""
    left, wanted = scene.fighters[intent.actor].pools.get(f"ammo:{name}"), checks * SHOTS[mode]
    if left is None or left >= wanted:
        return
    enough = [one for one in modes if SHOTS[one] <= left]
    way_on = (
        f"there are enough for --mode {enough[0]}"
        if enough
        else f"crisis act {slug(intent.actor)} reload {slug(name)}"
    )
    refuse(
        intent,
        f"the {name} of {intent.actor} has {left} shots left; {mode} takes {wanted}",
        "D100-22",
        way_on,
    )


def aimed(scene: Scene, intent: Intent, weapon: Mapping[str, Any], mode: str) -> list[Modifier]:
    """The Assists and Obstacles of mode, rest and range (D100-18 to D100-20)."""
    found = [assist("attack", "single shot", "D100-18", "--mode single")] if mode == "single" else []
    if intent.get("stable"):
        found.append(assist("attack", "steady rest", "D100-20", "--stable"))
    distance, reaches = target_distance(scene, intent), range_of(weapon)
    beyond = increments(distance, reaches)
    if weapon["kind"] != "melee" and beyond:
        found.append(obstacle("attack", "range", "D100-19", f"{distance} m at {reaches} m a range", beyond))
    return found


# Attacks: combat check, fire modes, range, surprise, ammunition, damage (D100-16 to D100-22), throws (D100-29).


class Blow(NamedTuple):
    """All that the dice of an attack need to know."""

    who: str
    targets: tuple[int, ...]
    """What each check must stay at or under."""
    edge: int
    shots: int
    """Projectiles, or blows, of each check that succeeds."""
    damage: Damage
    guard: Guard


class Struck(NamedTuple):
    """What an attack came to."""

    success: bool
    total: int | None
    """The face that counted; None of several checks."""
    successes: int
    """Checks that succeeded."""
    harm: int
    """What reaches health."""
    reaction: str = ""

    @property
    def word(self) -> str:
        """In one word."""
        return "hit" if self.success else "miss"


def attack(table: Any, blow: Blow) -> Struck:
    """D100-16: every check first, then the damage of each projectile, then the reaction (D100-23)."""
    if len(blow.targets) == 1:
        success, face = rolled(table, "attack", blow.who, blow.targets[0], blow.edge)
        won, total_ = int(success), face
    else:
        # With --mod the first check alone has a target of its own (ALL-6).
        won = sum(table.ask(succeeds, "attack", blow.who, target, blow.edge) for target in blow.targets)
        total_ = None
    if not won:
        return Struck(False, total_, 0, 0)
    answer = table.ask(landed, won * blow.shots, blow.who, blow.damage, blow.guard)
    return Struck(True, total_, won, answer.harm, answer.reaction)


def landed(table: Any, count: int, who: str, damage: Damage, guard: Guard) -> Answer:
    """A rule: what so many projectiles or blows that hit come to."""
    harm = table.times(count, struck, who, damage)
    answer: Answer = table.ask(answered, guard, harm)
    return answer


def without_total(outcome: Struck) -> Struck:
    """What of an attack its effects look at."""
    return outcome._replace(total=None)


def attack_setup(scene: Scene, intent: Intent) -> Setup:
    """An attack or a throw (D100-16, D100-29); refused where target, reach, mode or ammunition forbid it."""
    name, weapon = weapon_in_use(scene, intent)
    fighter, target = scene.fighters[intent.actor], scene.fighters[intent.target]
    if fallen(target):
        refuse(intent, f"{target.name} is down already", "D100-27")
    in_reach(scene, intent, weapon)
    mode, checks = mode_of(scene, intent, name, weapon)
    unnoticed = bool(intent.get("surprise")) or fighter.has("sneaking")
    if intent.get("surprise") and weapon["kind"] not in CLOSE:
        refuse(intent, "surprise is of no use to a shot", "D100-21")
    given = (
        [Modifier("attack", f"{MINUS} automatic fire", 0, "D100-18", "--mode auto")] if mode == "auto" else []
    )
    if unnoticed and weapon["kind"] == "melee":
        source = "--surprise" if intent.get("surprise") else "sneaking"
        given.append(Modifier("attack", f"{PLUS} surprise", 0, "D100-21", source))
    edge, edges = edge_of(intent, "attack", *given)
    steady = rated(fighter, "attack", "combat") + aimed(scene, intent, weapon, mode) + asked(intent, "attack")
    once = circumstance(intent, "attack")
    rating = total(steady, "attack")
    damage, hurting = damage_of(fighter, target, name, weapon, circumstance(intent, "damage", "mod_damage"))
    guarded, guarding = guard(scene, intent, weapon["kind"], unnoticed)
    blow = Blow(
        intent.actor,
        (rating + total(once, "attack"), *[rating] * (checks - 1)),
        edge,
        SHOTS.get(mode, 1),
        damage,
        guarded,
    )
    modifiers = (*steady, *once, *edges, *hurting, *guarding)
    spent = (Cost(f"ammo:{name}", checks * blow.shots, rule="D100-22"),) if "capacity" in weapon else ()
    return Setup(blow, modifiers, spent, name)


def harmed(scene: Scene, intent: Intent, blow: Blow, outcome: Struck) -> Iterator[Event]:
    """What an attack changes: sneaking ends (D100-15), the reaction is paid (D100-23), health goes down (D100-27)."""
    yield from revealed(scene, intent.actor)
    if outcome.reaction:
        yield from shift(scene, intent.target, "small-actions", -COST, "D100-23")
    yield from shift(scene, intent.target, "health", -outcome.harm, "D100-16")


def hurled(scene: Scene, intent: Intent, blow: Blow, outcome: Struck) -> Iterator[Event]:
    """D100-29: as an attack; the thing leaves the hand unless there are more of it."""
    yield from harmed(scene, intent, blow, outcome)
    fighter = scene.fighters[intent.actor]
    name, _ = weapon_in_use(scene, intent._replace(options={**intent.options, "force": True}))
    if name in fighter.held and fighter.pools.get(f"ammo:{name}", 1) <= 1:
        rest = tuple(one for one in fighter.held if one != name)
        yield from change(scene, fighter.name, "held", rest, "D100-29")


def outputs(scene: Scene, intent: Intent, blow: Blow, outcome: Struck) -> Mapping[str, Any]:
    """How it was fired; and that a miss lands past the target (D100-29)."""
    _, weapon = weapon_in_use(scene, intent._replace(options={**intent.options, "force": True}))
    if mode := mode_in_use(intent, weapon):
        return {"mode": mode}
    return {"past": True} if weapon["kind"] == "thrown" and not outcome.success else {}


def _offers(scene: Scene, who: str) -> Iterator[Intent]:
    """Every mode of what is in hand, at every foe; bare hands where it is no weapon."""
    fighter = scene.fighters[who]
    weapons = fighter.sheet["weapons"]
    held = [one for one in fighter.held if one in weapons and weapons[one]["kind"] != "thrown"]
    for name in held or ["unarmed"]:
        modes = modes_of(weapons.get(name, UNARMED))
        for foe in scene.foes(who):
            for mode in modes:
                yield Intent("attack", who, (foe.name,), {"weapon": name, "mode": mode})
            if not modes:
                yield Intent("attack", who, (foe.name,), {"weapon": name})


def _throws(scene: Scene, who: str) -> Iterator[Intent]:
    fighter = scene.fighters[who]
    weapons = fighter.sheet["weapons"]
    held = [one for one in fighter.held if one in weapons and weapons[one]["kind"] == "thrown"]
    return (Intent("throw", who, (foe.name,), {"weapon": name}) for name in held for foe in scene.foes(who))


_COMMON = ("weapon", "range", "mod_damage", "assist", "obstacle", "plus", "minus", "surprise", "in-sequence")
ATTACK = whole(
    Action(
        "Attack one target with the weapon in hand",
        "D100-16",
        attack_setup,
        harmed,
        attack,
        gear="weapons",
        candidates=_offers,
        options=(*_COMMON, *FIREARM),
        targets="one",
        outputs=outputs,
        reactions=REACTIONS,
        bare=without_total,
    )
)
THROW = whole(
    Action(
        "Throw a weapon or an object at one target",
        "D100-29",
        attack_setup,
        hurled,
        attack,
        gear="weapons",
        candidates=_throws,
        options=_COMMON,
        targets="one",
        outputs=outputs,
        reactions=REACTIONS,
        bare=without_total,
    )
)
