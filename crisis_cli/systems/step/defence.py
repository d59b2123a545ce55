"""What an attack must reach, and what damage does (STEP-3, STEP-19, STEP-20, STEP-22, STEP-28 to STEP-33)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ...rules import (
    Alternative,
    Amount,
    Changes,
    Fighter,
    Intent,
    Modifiers,
    RuleTable,
    Scene,
    distance,
    increments,
    refuse,
    slug,
    unable,
)
from .rolls import DIFFICULTY, roll_amount
from .sheet import CONDITIONS, LOWEST, NAME, TREATED, rank

MELEE, NEAR = 1, 10
"""STEP-3: melee range and what is near, in tiles."""
PARRY_LEAST = 2
"""STEP-3; also the Parry of the helpless (a reading of STEP-17)."""
MOST_AROUND = 4
"""STEP-3: so many further enemies, or allies, count."""
UNARMED_PARRY = -2
PERCEPTION = 1
"""STEP-3: beside half of mind."""
INCREMENTS = 10
"""STEP-19: farther than so many is out of range."""
COVER = {"none": 0, "light": -2, "heavy": -4}
"""STEP-22: on every roll that needs sight; behind total cover nobody can be hit."""
PROJECTILE = ("ranged", "heavy")
"""STEP-22: the kinds of weapons whose shots go through penetrable cover."""
COVER_LEVELS = ("none", "light", "heavy", "total")


class Posture(NamedTuple):
    """What a posture does to attacks (STEP-17)."""

    melee: int
    """Added to melee attacks on a fighter in it."""
    cover: str
    """Its cover against everything but melee."""
    shots: int
    """Added to its own shots."""


POSTURES = {"kneeling": Posture(2, "light", 1), "prone": Posture(4, "heavy", 2)}

# Values that follow from the sheet


def pace(fighter: Fighter) -> int:
    """STEP-3: tiles of a move; half of it slowed (STEP-17)."""
    found = Modifiers("pace", "STEP-3").base(
        "pace", fighter.sheet.get("pace", rank(fighter.sheet, "body") // 2)
    )
    whole = max(0, found.situational(fighter, "pace").total)
    return whole // 2 if fighter.has("slowed") else whole


def perception(scene: Scene, who: str) -> int:
    """STEP-3: half of mind, 1, and 1 for each ally near who can notice."""
    fighter = scene.fighters[who]
    own = fighter.sheet.get("perception", rank(fighter.sheet, "mind") // 2 + PERCEPTION)
    allies = sum(
        ally.name != who and not unable(CONDITIONS, ally)[0] and is_within(scene, ally.name, who, NEAR)
        for ally in scene.of_side(fighter.side)
    )
    found = Modifiers("perception", "STEP-3").base("perception", own)
    return found.situational(fighter, "perception").total + min(MOST_AROUND, allies)


def derived(fighter: Fighter) -> dict[str, int]:
    """STEP-3: Pace, Parry against one enemy, and Perception without allies near."""
    alone = Scene(NAME, {fighter.name: fighter})
    attacked = Intent("attack", fighter.name, (fighter.name,), {"enemies": 1})
    return {
        "pace": pace(fighter),
        "parry": parry(alone, attacked, fighter).total,
        "perception": perception(alone, fighter.name),
    }


# What an attack must reach


def difficulty(
    scene: Scene, intent: Intent, target: Fighter | None, melee: bool, against: str = ""
) -> Modifiers:
    """STEP-19, STEP-20: 4, or in melee the target's Parry."""
    if melee and target is not None:
        return parry(scene, intent, target, against)
    return Modifiers("difficulty", "STEP-19", against).base("base", DIFFICULTY)


def parry(scene: Scene, intent: Intent, target: Fighter, against: str = "") -> Modifiers:
    """STEP-3, STEP-20: the numbers that make up the Parry of a target."""
    found = Modifiers("difficulty", "STEP-3", against)
    if target.has("helpless"):
        return found.add("helpless", PARRY_LEAST, "STEP-17", "condition")
    if "parry" in target.sheet:
        found.add("parry", target.sheet["parry"], source="sheet")
    else:
        found.add("melee", rank(target.sheet, "melee"), source="skill")
        weapons = target.sheet["weapons"]
        armed = any(weapons[one]["kind"] == "melee" for one in target.held if one in weapons)
        found.add("no melee weapon in hand", 0 if armed else UNARMED_PARRY)
    found.situational(target, "parry")
    further = min(MOST_AROUND, enemies_around(scene, intent, target) - 1)
    found.add(f"{further + 1} enemies around", -further, source="melee range")
    return found.at_least(PARRY_LEAST, "never below 2")


def enemies_around(scene: Scene, intent: Intent, target: Fighter) -> int:
    """STEP-3: the target's enemies in melee range that can act, the attacker among them."""
    if (said := intent.get("enemies")) is not None:
        return max(1, int(said))
    others = (foe for foe in scene.foes(target.name) if foe.name != intent.actor)
    return 1 + sum(
        not unable(CONDITIONS, foe)[0] and is_within(scene, foe.name, target.name, MELEE) for foe in others
    )


def is_within(scene: Scene, one: str, other: str, reach: int) -> bool:
    """Whether it is known that two fighters are no more than `reach` tiles apart."""
    tiles = scene.distance(one, other)
    return tiles is not None and tiles <= reach


def hindrance(
    scene: Scene, intent: Intent, target: Fighter, name: str, weapon: Mapping[str, Any], against: str = ""
) -> Modifiers:
    """What the target's cover, posture and distance do to an attack roll at it; Refused behind total cover."""
    level, source = cover(intent, target, weapon["kind"])
    if level == "total":
        elsewhere = "move to where the cover does not count, or change it: "
        hint = f"{elsewhere}crisis set {target.name} cover:{intent.actor} heavy"
        refuse(intent, f"{target.name} is in total cover and cannot be hit", "STEP-22", hint=hint, final=True)
    found = Modifiers("attack", "STEP-22", against).add(f"{level} cover", COVER[level], source=source)
    if weapon["kind"] == "melee":
        for name_, posture in POSTURES.items():
            found.add(f"{name_} target", posture.melee * target.has(name_), "STEP-17")
    return found.extend(range_penalty(intent, tiles_to(scene, intent, target), name, weapon, target.name))


def cover(intent: Intent, target: Fighter, kind: str) -> tuple[str, str]:
    """STEP-22: the best cover of a target from the actor (only the best counts), and its source.

    `kind` is that of the weapon: projectiles go through penetrable cover, posture covers against all but melee.
    """
    level, source = intent.get("cover"), "--cover"
    if level is None:
        level, source = target.cover.get(intent.actor, "none"), "cover"
    if intent.get("penetrable") and kind in PROJECTILE and level != "none":
        level, source = COVER_LEVELS[COVER_LEVELS.index(level) - 1], f"{source}, penetrable"
    if kind != "melee" and not intent.get("behind"):
        for name, posture in POSTURES.items():
            if target.has(name) and COVER_LEVELS.index(posture.cover) > COVER_LEVELS.index(level):
                level, source = posture.cover, f"{name}, facing the attacker"
    return level, source


def tiles_to(scene: Scene, intent: Intent, target: Fighter | None) -> int | None:
    """Tiles to the target, or to the place aimed at: as said, else between the positions (ALL-4)."""
    said, place = intent.get("range"), intent.get("at")
    if said is not None:
        return int(said)
    if place is not None:
        here = scene.fighters[intent.actor].at
        return None if here is None else distance(here, place)
    return scene.distance(intent.actor, target.name) if target else None


def is_close(scene: Scene, intent: Intent, names: Iterable[str], weapon: Mapping[str, Any]) -> bool:
    """STEP-28: whether a close-range weapon has all its targets within the first increment."""
    if "close-range" not in weapon["tags"]:
        return False
    tiles = (tiles_to(scene, intent, scene.fighters[name]) for name in names)
    return all(increments(one, weapon.get("range")) == 0 for one in tiles)


def range_penalty(
    intent: Intent, tiles: int | None, name: str, weapon: Mapping[str, Any], target: str
) -> Modifiers:
    """What the distance takes off an attack; Refused out of reach or out of range (STEP-3, STEP-19)."""
    found = Modifiers("attack", "STEP-19")
    closer = f"move closer: crisis act {slug(intent.actor)} move --to X,Y"
    if weapon["kind"] == "melee":
        if tiles is not None and tiles > MELEE:
            refuse(intent, f"{target} is {tiles} tiles away; melee reaches {MELEE}", "STEP-3", hint=closer)
        return found
    beyond = increments(tiles, weapon.get("range"))
    if beyond >= INCREMENTS:
        most = INCREMENTS * weapon["range"]
        far = f"{target or 'the place'} is {tiles} tiles away; the {name} reaches {most}"
        refuse(intent, far, "STEP-19", hint=closer)
    return found.add("range", -beyond, source=f"{tiles} tiles at {weapon.get('range')} an increment")


# What damage does

GREAT = 13
"""STEP-32: wounds of one hit that incapacitate by themselves."""
SPARED = 0
"""STEP-33: where the Health of a spared fighter stops."""


class TargetState(NamedTuple):
    """How a target is, as far as an attack can change it."""

    health: int
    nonlethal: int
    durability: int
    great: bool = False
    """A hit of 13 wounds or more has struck (STEP-32)."""
    spared: bool = False
    """The last hit would have killed, and did not (STEP-33)."""
    marked: bool = False
    """A hit has got through, and inflicts what the weapon inflicts (STEP-30)."""
    dodged: int = 0
    """1: a dodge was tried; 2: it took the dodger a tile away (STEP-26)."""
    wounded: bool = False
    """A lethal wound was dealt (STEP-36: a stable fighter is so no longer)."""


class TargetSetup(NamedTuple):
    """A fighter whom an attack can hurt, as far as the dice must know."""

    name: str
    state: TargetState
    dr: int = 0
    """Against the type of this damage (STEP-29)."""
    away: tuple[int, ...] = ()
    """Tiles from the centre of an area: aimed well, then for each direction of a miss (STEP-27)."""
    dodge: str = "no"
    """"no", "may", or "does" once it is declared (STEP-26)."""
    dodge_die: tuple[int, int] = (4, 0)
    """Sides and modifiers of the dodge."""
    body: tuple[int, int] = (4, 0)
    """Sides and modifiers of the body roll that an executed fighter makes (STEP-16)."""

    def wounds(self, state: TargetState) -> int:
        """The wounds, lethal and not, that lead to another state."""
        return self.state.health - state.health + state.nonlethal - self.state.nonlethal


class DamageSetup(NamedTuple):
    """What every hit of an attack does."""

    who: str
    dice: Amount
    """Dice, and everything added."""
    extras: int = 1
    """What each extra adds: 1, doubled for an execution, 0 in an area (STEP-24, STEP-28)."""
    piercing: int = 0
    spare: bool = False
    asks: bool = False
    """Whether the attacker's player is asked about sparing (STEP-33)."""
    most: int = 9999
    """More damage than this makes no difference to anyone."""


def target_setup(fighter: Fighter, kind: str) -> TargetSetup:
    """A fighter as the target of damage of one type."""
    state = TargetState(fighter.pools["health"], fighter.pools["nonlethal"], fighter.pools["durability"])
    return TargetSetup(fighter.name, state, fighter.sheet["armour"]["dr"].get(kind, 0))


def most_damage(targets: Iterable[TargetSetup]) -> int:
    """Damage that leaves every one of the targets as badly off as more would."""
    return max((max(one.state.health - LOWEST, GREAT) + one.dr for one in targets), default=0)


def damage(table: RuleTable, setup: DamageSetup, target: str = "", number: int = 0) -> int:
    """STEP-28: the weapon's damage before extras and armour; it may be 0 or less.

    The roll is noted as that against `target`, by the shot of this `number`.
    """
    if not setup.dice.many:
        return min(setup.dice.plus, setup.most)
    about = {"against": target} if target else {}
    table.label("damage", setup.who, setup.dice.dice, **about, **({"shot": number} if number else {}))
    harm = table.ask(roll_amount, setup.dice)
    table.result(total=harm)
    return min(harm, setup.most)


def with_extras(table: RuleTable, setup: DamageSetup, harm: int, extras: int, hits: int = 1) -> int:
    """STEP-28: the damage just rolled for some hits and what their extras add, noted with the first of them."""
    added = extras * setup.extras
    if added and setup.dice.many:
        table.add_to(hits, added)
    return min(harm + added, setup.most)


def wound(target: TargetSetup, state: TargetState, harm: int, setup: DamageSetup) -> TargetState:
    """The target after one hit of so much damage (STEP-29 to STEP-33)."""
    if state.health <= LOWEST:
        return state
    dr = target.dr if state.durability > 0 else 0
    through = harm - (dr - min(setup.piercing, dr))
    durability = max(0, state.durability - min(max(harm, 0), dr))
    if harm <= 0 or through <= 0:
        return state._replace(nonlethal=state.nonlethal + 1, durability=durability)
    health = max(LOWEST, state.health - through)
    spared = setup.spare and health == LOWEST
    return TargetState(
        min(SPARED, state.health) if spared else health,
        state.nonlethal,
        durability,
        state.great or through >= GREAT,
        spared,
        True,
        state.dodged,
        True,
    )


def apply_hit(
    table: RuleTable, target: TargetSetup, state: TargetState, harm: int, setup: DamageSetup
) -> TargetState:
    """As `wound`; the attacker's player decides first whether a target that would die is spared (STEP-33)."""
    after = wound(target, state, harm, setup)
    if setup.asks and after.health <= LOWEST < state.health and target.name != setup.who:
        choice = table.choose(
            setup.who,
            (
                Alternative("kill", no_harm, gains=f"{target.name} dies"),
                Alternative("spare", no_harm, gains=f"{target.name} is knocked out", willed=True),
            ),
        )
        if choice.name == "spare":
            return wound(target, state, harm, setup._replace(spare=True))
    return after


def no_harm(table: RuleTable) -> int:
    """What either choice of the attacker costs the attacker."""
    return 0


def graze(state: TargetState) -> TargetState:
    """STEP-30: a dodge has left the blast: one non-lethal wound, and nothing else."""
    return state if state.health <= LOWEST else state._replace(nonlethal=state.nonlethal + 1)


def suffer(changes: Changes, name: str, state: TargetState, inflicts: Iterable[str]) -> None:
    """What an attack changes for a target: pools, and the conditions that a hit brings (STEP-29 to STEP-33)."""
    rule = "STEP-33" if state.spared else "STEP-32"
    for pool, now, by_rule in (
        ("health", state.health, rule),
        ("nonlethal", state.nonlethal, "STEP-30"),
        ("durability", state.durability, "STEP-29"),
    ):
        lost = now - changes.pool(name, pool)
        changes.adjust(name, pool, changes.number("STEP-28").from_dice("damage", lost), by_rule)
    if state.spared:
        changes.begin(name, "stable", "STEP-33")
    elif state.wounded:
        changes.end(name, "stable", "STEP-36")
    if state.health <= LOWEST:
        return
    if state.marked:
        for condition in inflicts:
            until = CONDITIONS[condition].until(changes.scene, name)
            changes.begin(name, condition, "STEP-30", until=until)
    if state.great or state.spared:
        changes.begin(name, "incapacitated", rule, until=TREATED)
    if state.spared:
        changes.begin(name, "helpless", rule, until=TREATED)
