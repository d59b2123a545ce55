"""What hits change for whoever they strike (2D20-20 to 2D20-24)."""

from __future__ import annotations

from collections.abc import Iterator

from ...engine.events import Event, change
from ...engine.scene import Fighter, Scene
from .conditions import ARMS, LEGS, next_turn
from .damage import Hit, Place, Toll, Victim
from .sheet import resistance
from .words import PLACES

BROKEN, BURNING = "broken", "burning"
"""Marks: `broken:TYPE:PLACE`, resistance that is gone; `burning:TYPE:PLACE:DICE`, how hard it is to put out."""
DICE = {"none": 0, "light": 1, "heavy": 2}
"""2D20-20: cover dice."""


def cover_dice(level: str) -> int:
    """2D20-20: the dice of cover, by its word or as a number."""
    return DICE[level] if level in DICE else int(level)


def level_of(dice: int) -> str:
    """The cover of so many dice, by its word where it has one."""
    return next((word for word, many in DICE.items() if many == dice), str(dice))


def victim_of(fighter: Fighter, kind: str, cover: int = 0) -> Victim:
    """A fighter as a victim of damage of one type."""
    places = tuple(
        Place(
            place,
            max(0, resistance(fighter.sheet, place, kind) - fighter.marks.get(f"{BROKEN}:{kind}:{place}", 0)),
            resistance(fighter.sheet, place, "radiation"),
        )
        for place in PLACES
    )
    toll = Toll(fighter.pools["hp"], fighter.pools["max_hp"])
    return Victim(fighter.name, toll, places, cover, fighter.has("prone"))


def suffered(scene: Scene, attacker: str, victim: Victim, toll: Toll, hit: Hit) -> Iterator[Event]:
    """What a toll changes for a victim: pools, injuries, what else a hit brings."""
    name = victim.name
    fighter = scene.fighters[name]
    yield from change(scene, name, "max_hp", toll.highest, "2D20-21")
    yield from change(scene, name, "hp", toll.hp, "2D20-21")
    yield from injured(scene, name, toll.injured)
    if toll.stunned:
        yield from change(scene, name, "condition:stunned", True, "2D20-24")
        yield from change(scene, name, "until:stunned", next_turn(scene, name), "2D20-24")
    times, place = toll.burning
    if times and times >= int(fighter.conditions.get("persistent", 0)):
        yield from doused(scene, name)
        yield from change(scene, name, "condition:persistent", times, "2D20-24")
        yield from change(scene, name, f"mark:{BURNING}:{hit.kind}:{place}:{hit.dice}", times, "2D20-24")
    for at, gone in enumerate(toll.broken):
        if gone:
            mark = f"{BROKEN}:{hit.kind}:{PLACES[at]}"
            yield from change(scene, name, f"mark:{mark}", fighter.marks.get(mark, 0) + gone, "2D20-24")
    behind = fighter.cover.get(attacker)
    if toll.uncovered and behind and behind != "total":
        left = level_of(max(0, cover_dice(behind) - toll.uncovered))
        yield from change(scene, name, f"cover:{attacker}", None if left == "none" else left, "2D20-24")


def injured(scene: Scene, name: str, places: tuple[str, ...]) -> Iterator[Event]:
    """2D20-22: new injuries, and what each brings at once."""
    fighter = scene.fighters[name]
    for place in dict.fromkeys(places):
        level = int(fighter.conditions.get(f"injured-{place}", 0)) + places.count(place)
        yield from change(scene, name, f"condition:injured-{place}", level, "2D20-22")
    if any(place in LEGS for place in places):
        yield from change(scene, name, "condition:prone", True, "2D20-22")
    if "head" in places:
        yield from change(scene, name, "condition:stunned", True, "2D20-22")
        yield from change(scene, name, "until:stunned", next_turn(scene, name), "2D20-22")
    arms = [arm for arm in ARMS if not fighter.has(f"injured-{arm}")]
    dropped = {hand for hand, arm in enumerate(arms) if arm in places}
    held = tuple(thing for hand, thing in enumerate(fighter.held) if hand not in dropped)
    yield from change(scene, name, "held", held, "2D20-22")


def doused(scene: Scene, name: str) -> Iterator[Event]:
    """2D20-24: persistent damage is over."""
    yield from change(scene, name, "condition:persistent", False, "2D20-24")
    for mark in scene.fighters[name].marks:
        if mark.startswith(BURNING + ":"):
            yield from change(scene, name, f"mark:{mark}", 0, "2D20-24")
