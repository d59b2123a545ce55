"""Fighters that play themselves: what their doctrine decides is performed, recorded and shown like any command."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..desk import Desk, Sitting
from ..errors import Refused
from ..minds import Minds
from ..play.encounter import decided
from ..play.record import Entry
from ..play.scene import Intent
from . import deed

Told = Callable[[Sitting, Entry, int | None], None]
"""Shows an entry, given the sitting after it and the seed of its dice."""
MOST = 100
"""Actions of one turn; a turn that takes more is ended."""


def minds_of(desk: Desk, sitting: Sitting) -> Minds:
    """Everyone in a sitting who plays themselves."""
    return Minds(sitting.system, desk.doctrines().named)


def acted(
    desk: Desk, sitting: Sitting, minds: Minds, who: str, options: Mapping[str, Any]
) -> tuple[Entry, int | None, Sitting]:
    """What a fighter decides to do next, done: its entry, the seed of the dice, the sitting after it."""
    past = sitting.crisis.done if sitting.crisis else ()
    decision = minds.decide(sitting.scene, who, past)
    return deed.performed(desk, sitting, decision.intent, options)


def played(
    desk: Desk,
    sitting: Sitting,
    minds: Minds,
    options: Mapping[str, Any],
    told: Told,
    until: Callable[[Sitting], bool],
) -> Sitting:
    """The sitting after whoever's turn it is has played, and so on until the crisis is decided or `until` says so.

    It is asked before every turn, the first one left out.
    """
    while not decided(sitting.system, sitting.scene):
        sitting = turn(desk, sitting, minds, options, told)
        if until(sitting):
            break
    return sitting


def turn(desk: Desk, sitting: Sitting, minds: Minds, options: Mapping[str, Any], told: Told) -> Sitting:
    """The sitting after the turn of whoever has it, or after what decided the crisis."""
    who = sitting.scene.turn
    if not who:
        raise Refused("no turn has begun", hint="roll for it: crisis init WHO… --open", code="no_turn")
    for _ in range(MOST):
        entry, seed, sitting = acted(desk, sitting, minds, who, options)
        told(sitting, entry, seed)
        over = entry.intent.action == "next" or who not in sitting.scene.acting
        if over or decided(sitting.system, sitting.scene):
            return sitting
    entry, seed, sitting = deed.performed(desk, sitting, Intent("next", who), options)
    told(sitting, entry, seed)
    return sitting
