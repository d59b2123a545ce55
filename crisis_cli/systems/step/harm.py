"""What damage does: armour, the two kinds of wounds, and what a great blow brings (STEP-28 to STEP-33)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ...dice.table import Alternative
from ...engine.dice_amount import Amount
from ...engine.events import Event, change
from ...engine.scene import Fighter, Scene
from .conditions import CONDITIONS, TREATED
from .rolls import thrown
from .sheet import LOWEST

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
