"""What a player sees when asked for a decision: the action, the rolls so far, the state of the targets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from ..engine.events import Event, apply_all, shift
from ..engine.record import Entry, Modifier
from ..engine.scene import Intent, Scene
from ..engine.system import System
from ..engine.validate import prepare
from ..engine.wording import measured
from ..errors import Refused
from ..values import NamedTuple
from .dice_lines import so_far
from .effects import bought
from .style import Ink
from .summary import lines
from .text import headline

if TYPE_CHECKING:
    from ..dice.table import Throw

FEW = 4
"""The most fighters whose state is shown."""


class RolledSoFar(NamedTuple):
    """What has been rolled and spent in an action so far."""

    rolls: Sequence[Throw]
    spent: Sequence[tuple[str, str, int]]
    """Who has spent what, by its label in the singular, and how much."""


def before(
    who: str,
    intent: Intent,
    scene: Scene,
    system: System,
    rolled: RolledSoFar | None,
    ink: Ink,
    width: int,
    most: int = 0,
) -> list[str]:
    """The action, the rolls so far, and the state of its targets, what has been spent so far taken off; `rolled` is
    None before it has begun.

    Where these are more than `most` lines (0: no limit), the state of the others is left out first, then that of who is
    asked, then the earlier rolls: the action and the roll that is asked about stay.
    """
    concerned = [
        name for name in dict.fromkeys((intent.actor, *intent.targets, who)) if name in scene.fighters
    ][:FEW]
    doing, modifiers, payment = what_is_done(intent, scene, system, ink)
    rolls = [f"  {line}" for line in so_far(rolled.rolls, modifiers, system)] if rolled else []
    now = _after_spending(apply_all(scene, payment), system, rolled.spent) if rolled else scene
    own = [name for name in concerned if name == who]

    def shown(kept: list[str], names: list[str], rows: int | None) -> list[str]:
        states = lines(names, now, system, ink, width, (who,), most=rows) if names else []
        return [f"{doing}:", *kept, *states]

    def fits(found: list[str]) -> bool:
        return not most or sum(len(ink.broken(line, width)) for line in found) <= most

    ways: list[tuple[list[str], list[str], int | None]] = [
        (rolls, concerned, None),
        (rolls, concerned, len(concerned)),
        (rolls, own, None),
        *((rolls[at:], own, 1) for at in range(max(1, len(rolls)))),
        (rolls[-1:], [], None),
    ]
    return next(filter(fits, (shown(*way) for way in ways)), [f"{doing}:"])


def _after_spending(scene: Scene, system: System, spent: Iterable[tuple[str, str, int]]) -> Scene:
    """The scene after fighters have spent some of their pools, each by its label in the singular."""
    pools = {measured(1, kind.label): name for name, kind in system.pools.items()}
    for who, what, count in spent:
        pool = pools.get(f"1 {what}", "")
        if who in scene.fighters and pool in scene.fighters[who].pools:
            scene = apply_all(scene, shift(scene, who, pool, -count))
    return scene


def what_is_done(
    intent: Intent, scene: Scene, system: System, ink: Ink
) -> tuple[str, tuple[Modifier, ...], tuple[Event, ...]]:
    """What is being done, by its headline and with what is bought for it; the modifiers of its rolls, and what it
    costs."""
    gear = paid = ""
    modifiers: tuple[Modifier, ...] = ()
    payment: tuple[Event, ...] = ()
    if intent.action in system.actions:
        # What is done in the course of something else may be no action of its own now.
        with suppress(Refused):
            prepared = prepare(system, scene, intent)
            gear, modifiers = prepared.setup.gear, prepared.setup.modifiers
            payment = prepared.payment.events
            paid = "".join(f" ({one})" for one in bought(payment, system))
    sentence = headline(Entry(0, intent, outcome={"gear": gear}), scene, system, ink)
    return (sentence or ink("bold", f"{intent.actor} ends the turn")) + paid, modifiers, payment
