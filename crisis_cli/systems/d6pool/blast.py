"""Hits without a hit roll, as from an explosion (POOL-26)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ...dice.graded import NO_DICE
from ...engine.events import Event
from ...engine.record import Modifier
from ...engine.scene import Intent, Scene
from ...engine.system import Action, Setup, refuse
from .conditions import DEATH, hearts
from .defence import Guard, Toll, endured
from .guard import cover_of
from .harm import suffered
from .protection import armour_of
from .sheet import UNARMED

MOST = 100


class Blast(NamedTuple):
    """What strikes, and what stands in its way."""

    guard: Guard
    hits: int


def stake(scene: Scene, intent: Intent) -> Setup:
    """POOL-26: so many hits, each of so many wounds; cover and protection count as ever."""
    target = scene.fighters[intent.target or intent.actor]
    if target.has("dead"):
        refuse(intent, f"{target.name} is dead already", "POOL-37", final=True)
    count, each = intent.get("hits", 1), intent.get("each", 1)
    for option, number in (("hits", count), ("each", each)):
        if not 1 <= number <= MOST:
            refuse(intent, f"--{option} is a number from 1 to {MOST}, not {number}", "POOL-26", final=True)
    left = hearts(target)
    armour = armour_of(target, intent, 0, demonic=False)
    guard = Guard(target.name, armour, each, left if left > 0 else DEATH, cover_of(scene, intent, target))
    return Setup(
        Blast(guard, count), (Modifier("wounds per hit", "wounds per hit", each, "POOL-26", "--each"),)
    )


def strike(table: Any, blast: Blast) -> Toll:
    """A rule: the cover dice, and what is left."""
    toll: Toll = table.ask(endured, blast.guard, blast.guard.cover, blast.hits, NO_DICE, 0)
    return toll


def struck(scene: Scene, intent: Intent, blast: Blast, toll: Toll) -> Iterator[Event]:
    """The wounds, and the protection spent."""
    yield from suffered(scene, blast.guard.who, blast.guard, toll, UNARMED)


HITS = Action(
    "Be struck by hits that nobody rolled for",
    "POOL-26",
    stake,
    struck,
    strike,
    window="any",
    targets="patient",
    candidates=lambda scene, who: iter(()),
    options=("hits", "each", "cover", "protection"),
)
