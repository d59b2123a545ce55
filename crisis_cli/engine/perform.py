"""The one way in which anything happens: an intent is refused, or becomes an entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dice.table import Table, generator
from ..errors import Refused
from .core_actions import CORE_ACTIONS
from .events import Event, plain
from .record import Decision, Entry, Modifier, RollRecord
from .resolve import act
from .scene import Intent, Scene

if TYPE_CHECKING:
    from _random import Random

    from .system import System


def entry_dice(seed: int, before: int = 0, fresh: int = 0) -> Random:
    """The generator of an action's dice: by the seed, the entries in force before it, and the undos for new dice."""
    return generator(seed, before, fresh)


def perform(
    system: System, scene: Scene, intent: Intent, table: Table, number: int = 1, seed: int | None = None
) -> Entry:
    """Carry out an intent; Refused where the rules do not allow it, and then nothing has changed (ALL-7)."""
    if scene.over:
        raise Refused("this crisis has ended", hint="open another: crisis init WHO… --open", code="over")
    core = CORE_ACTIONS.get(intent.action)
    done = core.run(system, scene, intent, table) if core else act(system, scene, intent, table)
    return Entry(
        number,
        intent,
        (*done.modifiers, *(Modifier(*part) for part in table.parts)),
        tuple(RollRecord.of(throw) for throw in table.throws if throw.faces or throw.reckoning),
        tuple(Decision.of(choice) for choice in table.choices),
        plain(done.stake),
        plain(done.outcome),
        tuple(Event(who, what, plain(was), plain(now), rule) for who, what, was, now, rule in done.events),
        done.forced,
        seed,
    )
