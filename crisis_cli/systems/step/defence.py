"""What an attack must reach, and what damage does (STEP-3, STEP-19, STEP-20, STEP-22, STEP-28 to STEP-33)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ...dice.table import Alternative
from ...engine.dice_amount import Amount
from ...engine.events import Event, change
from ...engine.record import Modifier
from ...engine.scene import Fighter, Intent, Scene, distance, slug
from ...engine.system import refuse
from ...rules.reach import increments
from ...rules.situational import standing
from .rolls import DIFFICULTY, thrown, total
from .sheet import CONDITIONS, LOWEST, NAME, TREATED, idle, rank

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
"""STEP-22: on every roll of whoever looks; behind total cover nobody can be hit."""
PROJECTILE = ("ranged", "heavy")
"""STEP-22: the kinds of weapons whose shots go through penetrable cover."""
STEPS = ("none", "light", "heavy", "total")
POSTURE = {"kneeling": (2, "light", 1), "prone": (4, "heavy", 2)}
"""STEP-17: what melee against it gains, its cover against shots, what its own shots gain."""


def pace(fighter: Fighter) -> int:
    """STEP-3: tiles of a move; half of it slowed (STEP-17)."""
    own = fighter.sheet.get("pace", rank(fighter.sheet, "body") // 2)
    whole: int = max(0, own + total(standing(fighter, "pace", "pace"), "pace"))
    return whole // 2 if fighter.has("slowed") else whole


def perception(scene: Scene, who: str) -> int:
    """STEP-3: half of mind, 1, and 1 for each ally near who can notice."""
    fighter = scene.fighters[who]
    own = fighter.sheet.get("perception", rank(fighter.sheet, "mind") // 2 + PERCEPTION)
    near = [
        ally
        for ally in scene.of_side(fighter.side)
        if ally.name != who and not idle(ally)[0] and _within(scene, ally.name, who, NEAR)
    ]
    plus = total(standing(fighter, "perception", "perception"), "perception")
    return int(own) + min(MOST_AROUND, len(near)) + plus


def parry(scene: Scene, intent: Intent, target: Fighter) -> list[Modifier]:
    """STEP-3, STEP-20: the numbers that make up the Parry of a target."""

    def part(name: str, value: int, rule: str = "STEP-3", source: str = "") -> list[Modifier]:
        return [Modifier("difficulty", name, value, rule, source, target.name)] if value else []

    if target.has("helpless"):
        return part("helpless", PARRY_LEAST, "STEP-17", "condition")
    weapons = target.sheet["weapons"]
    if "parry" in target.sheet:
        found = part("parry", target.sheet["parry"], source="sheet")
    else:
        found = part("melee", rank(target.sheet, "melee"), source="skill")
        armed = any(weapons[one]["kind"] == "melee" for one in target.held if one in weapons)
        found += [] if armed else part("no melee weapon in hand", UNARMED_PARRY)
    found += [one._replace(against=target.name) for one in standing(target, "difficulty", "parry")]
    further = min(MOST_AROUND, enemies_around(scene, intent, target) - 1)
    found += part(f"{further + 1} enemies around", -further, source="melee range")
    short = PARRY_LEAST - total(found, "difficulty", target.name)
    return found + (part("never below 2", short) if short > 0 else [])


def figures(fighter: Fighter) -> dict[str, int]:
    """STEP-3: Pace, Parry against one enemy, and Perception without allies near."""
    alone = Scene(NAME, {fighter.name: fighter})
    attacked = Intent("attack", fighter.name, (fighter.name,), {"enemies": 1})
    return {
        "pace": pace(fighter),
        "parry": total(parry(alone, attacked, fighter), "difficulty", fighter.name),
        "perception": perception(alone, fighter.name),
    }


def enemies_around(scene: Scene, intent: Intent, target: Fighter) -> int:
    """How many enemies of the target are in melee range and able to act, the attacker among them (STEP-3)."""
    said = intent.get("enemies")
    if said is not None:
        return max(1, int(said))
    near = [
        foe.name
        for foe in scene.foes(target.name)
        if foe.name != intent.actor and not idle(foe)[0] and _within(scene, foe.name, target.name, MELEE)
    ]
    return 1 + len(near)


def _within(scene: Scene, one: str, other: str, reach: int) -> bool:
    distance = scene.distance(one, other)
    return distance is not None and distance <= reach


def difficulty(scene: Scene, intent: Intent, target: Fighter | None, melee: bool) -> list[Modifier]:
    """STEP-19, STEP-20: 4, or in melee the target's Parry."""
    if melee and target is not None:
        return parry(scene, intent, target)
    return [Modifier("difficulty", "base", DIFFICULTY, "STEP-19", "", target.name if target else "")]


def hindered(
    scene: Scene, intent: Intent, target: Fighter, name: str, weapon: Mapping[str, Any]
) -> list[Modifier]:
    """What the target's cover, posture and distance do to an attack roll at it; refused behind total cover."""
    melee = weapon["kind"] == "melee"
    level, source, rule = cover(scene, intent, target, weapon["kind"])
    if level == "total":
        refuse(
            intent,
            f"{target.name} is in total cover and cannot be hit",
            "STEP-22",
            hint="move to where the cover does not count, or change it: crisis set "
            f"{target.name} cover:{intent.actor} heavy",
            final=True,
        )
    found = []
    if COVER[level]:
        found.append(Modifier("attack", f"{level} cover", COVER[level], rule, source, target.name))
    if melee:
        for posture, (worth, _, _) in POSTURE.items():
            if target.has(posture):
                found.append(Modifier("attack", f"{posture} target", worth, "STEP-17", "", target.name))
    return found + ranged(intent, apart(scene, intent, target), name, weapon, target.name)


def cover(scene: Scene, intent: Intent, target: Fighter, kind: str) -> tuple[str, str, str]:
    """STEP-22: the best cover of a target from the actor (only the best counts), its source and its rule.

    `kind` is that of the weapon: projectiles go through penetrable cover, posture covers against all but melee.
    """
    level, source, rule = intent.get("cover"), "--cover", "STEP-22"
    if level is None:
        level, source = target.cover.get(intent.actor, "none"), "cover"
    if intent.get("penetrable") and kind in PROJECTILE and level != "none":
        level, source = STEPS[STEPS.index(level) - 1], f"{source}, penetrable"
    if kind != "melee" and not intent.get("behind"):
        for posture, (_, worth, _) in POSTURE.items():
            if target.has(posture) and STEPS.index(worth) > STEPS.index(level):
                level, source = worth, f"{posture}, facing the attacker"
    return level, source, rule


def apart(scene: Scene, intent: Intent, target: Fighter | None) -> int | None:
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
    distances = (apart(scene, intent, scene.fighters[name]) for name in names)
    return all(increments(distance, weapon.get("range")) == 0 for distance in distances)


def ranged(
    intent: Intent, distance: int | None, name: str, weapon: Mapping[str, Any], against: str
) -> list[Modifier]:
    """What the distance takes off an attack; refused out of reach or out of range (STEP-3, STEP-19)."""
    if weapon["kind"] == "melee":
        if distance is not None and distance > MELEE:
            refuse(
                intent,
                f"{against} is {distance} tiles away; melee reaches {MELEE}",
                "STEP-3",
                hint=f"move closer: crisis act {slug(intent.actor)} move --to X,Y",
            )
        return []
    beyond = increments(distance, weapon.get("range"))
    if beyond >= INCREMENTS:
        refuse(
            intent,
            f"{against or 'the place'} is {distance} tiles away; the {name} reaches "
            f"{INCREMENTS * weapon['range']}",
            "STEP-19",
            hint=f"move closer: crisis act {slug(intent.actor)} move --to X,Y",
        )
    source = f"{distance} tiles at {weapon.get('range')} an increment"
    return [Modifier("attack", "range", -beyond, "STEP-19", source, against)] if beyond else []


GREAT = 13
"""STEP-32: wounds of one hit that incapacitate by themselves."""
SPARED = 0
"""STEP-33: where Health stops for whoever is spared."""


class Toll(NamedTuple):
    """How a victim stands, as far as an attack can change it."""

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
    """A lethal wound was dealt (STEP-36: whoever was stable is not any more)."""


class Victim(NamedTuple):
    """Whoever an attack can hurt, as far as the dice must know."""

    name: str
    toll: Toll
    dr: int = 0
    """Against the type of this damage (STEP-29)."""
    away: tuple[int, ...] = ()
    """Tiles from the centre of an area: aimed well, then for each direction of a miss (STEP-27)."""
    dodge: str = "no"
    """"no", "may", or "does" once it is declared (STEP-26)."""
    dodge_die: tuple[int, int] = (4, 0)
    """Sides and modifiers of the dodge."""
    body: tuple[int, int] = (4, 0)
    """Sides and modifiers of the body roll of an executed one (STEP-16)."""


class Shot(NamedTuple):
    """One attack roll."""

    at: int
    """Which of the victims it is aimed at; −1 for a place."""
    sides: int
    bonus: int
    difficulty: int
    number: int = 0
    """Its place among the shots of the action, from 1; 0 where it is the only one."""
    keep: bool = True
    """Whether anybody asks for its total afterwards."""


class Blow(NamedTuple):
    """What every hit of an attack does."""

    who: str
    worth: Amount
    extras: int = 1
    """What each extra adds: 1, doubled for an execution, 0 in an area (STEP-24, STEP-28)."""
    piercing: int = 0
    spare: bool = False
    asks: bool = False
    """Whether the attacker's player is asked about sparing (STEP-33)."""
    most: int = 9999
    """Damage beyond this makes no difference to anybody: what the odds may leave off."""


def victim_of(fighter: Fighter, kind: str) -> Victim:
    """A fighter as a victim of damage of one type."""
    toll = Toll(fighter.pools["health"], fighter.pools["nonlethal"], fighter.pools["durability"])
    return Victim(fighter.name, toll, fighter.sheet["armour"]["dr"].get(kind, 0))


def enough(victims: Iterable[Victim]) -> int:
    """Damage that leaves every one of the victims as badly off as more would."""
    return max((max(one.toll.health - LOWEST, GREAT) + one.dr for one in victims), default=0)


def damage(table: Any, blow: Blow, extras: int, **about: Any) -> int:
    """STEP-28: the weapon's damage and what the extras add, before armour; it may be 0 or less."""
    worth, added = blow.worth, extras * blow.extras
    if worth.many:
        table.label("damage", blow.who, worth.dice, **about)
    harm = thrown(table, worth) + added
    if worth.many:
        table.result(total=harm, **({"added": added} if added else {}))
    return min(harm, blow.most)


def struck(victim: Victim, toll: Toll, harm: int, blow: Blow) -> Toll:
    """The victim after one hit of so much damage (STEP-29 to STEP-33)."""
    if toll.health <= LOWEST:
        return toll
    dr = victim.dr if toll.durability > 0 else 0
    through = harm - (dr - min(blow.piercing, dr))
    worn = max(0, toll.durability - min(max(harm, 0), dr))
    if harm <= 0 or through <= 0:
        return toll._replace(nonlethal=toll.nonlethal + 1, durability=worn)
    left = max(LOWEST, toll.health - through)
    spared = blow.spare and left == LOWEST
    return Toll(
        min(SPARED, toll.health) if spared else left,
        toll.nonlethal,
        worn,
        toll.great or through >= GREAT,
        spared,
        True,
        toll.dodged,
        True,
    )


def hurt(table: Any, victim: Victim, toll: Toll, harm: int, blow: Blow) -> Toll:
    """As `struck`, after asking the attacker's player about whoever it would kill, where nothing is said (STEP-33)."""
    after = struck(victim, toll, harm, blow)
    if blow.asks and after.health <= LOWEST < toll.health and victim.name != blow.who:
        ways = (
            Alternative("kill", unharmed, gains=f"{victim.name} dies"),
            Alternative("spare", unharmed, gains=f"{victim.name} is knocked out", willed=True),
        )
        if table.choose(blow.who, ways).name == "spare":
            return struck(victim, toll, harm, blow._replace(spare=True))
    return after


def unharmed(table: Any) -> int:
    """A rule: whichever it is, the attacker takes no harm from it."""
    return 0


def grazed(toll: Toll) -> Toll:
    """STEP-30: a dodge has left the blast: one non-lethal wound, and nothing else."""
    return toll if toll.health <= LOWEST else toll._replace(nonlethal=toll.nonlethal + 1)


def suffered(scene: Scene, name: str, toll: Toll, inflicts: Iterable[str]) -> Iterator[Event]:
    """What a toll changes for a fighter: pools, and conditions that a hit brings (STEP-29 to STEP-33)."""
    rule = "STEP-33" if toll.spared else "STEP-32"
    yield from change(scene, name, "health", toll.health, rule)
    yield from change(scene, name, "nonlethal", toll.nonlethal, "STEP-30")
    yield from change(scene, name, "durability", toll.durability, "STEP-29")
    if toll.wounded:
        yield from change(
            scene, name, "condition:stable", toll.spared, "STEP-33" if toll.spared else "STEP-36"
        )
    if toll.health <= LOWEST:
        return
    if toll.marked:
        for condition in inflicts:
            yield from afflicted(scene, name, condition, "STEP-30")
    if toll.great or toll.spared:
        yield from lasting(scene, name, "incapacitated", rule)
    if toll.spared:
        yield from lasting(scene, name, "helpless", rule)


def afflicted(scene: Scene, name: str, condition: str, rule: str) -> Iterator[Event]:
    """A condition begins, with the end that it has by itself."""
    yield from change(scene, name, f"condition:{condition}", True, rule)
    yield from change(scene, name, f"until:{condition}", CONDITIONS[condition].until(scene, name), rule)


def lasting(scene: Scene, name: str, condition: str, rule: str) -> Iterator[Event]:
    """A condition begins that lasts until treated or the crisis ends (STEP-32, STEP-33)."""
    yield from change(scene, name, f"condition:{condition}", True, rule)
    yield from change(scene, name, f"until:{condition}", TREATED, rule)
