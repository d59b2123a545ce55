"""Perform an intent: refuse it, or turn it into an entry of the journal. All changes go through here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ..dice.generator import generator
from ..dice.table import Table
from ..errors import Refused, RulebookMistake
from .changes import LIMIT, ROLLED, Part, explained, is_number, is_plain, parts_of
from .core_actions import CORE_ACTIONS
from .events import Event, plain
from .record import Entry, Modifier, RecordedChoice, RollRecord
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
    """Carry out an intent and return its entry; Refused, with nothing changed, if the rules do not allow it (ALL-7)."""
    if scene.over:
        raise Refused("this crisis has ended", hint="open another: crisis init WHO… --open", code="over")
    core = CORE_ACTIONS.get(intent.action)
    done = core.run(system, scene, intent, table) if core else act(system, scene, intent, table)
    modifiers = (*done.modifiers, *(Modifier(*part) for part in table.parts))
    rolls = tuple(RollRecord.of(throw) for throw in table.throws if throw.faces or throw.reckoning)
    if modifiers:
        _require_sums(system, intent, modifiers, rolls)
    return Entry(
        number,
        intent,
        modifiers,
        rolls,
        tuple(RecordedChoice.of(choice) for choice in table.choices),
        plain(done.stake),
        plain(done.outcome),
        tuple(recorded(event, modifiers, rolls) for event in done.events),
        done.forced,
        seed,
    )


def _require_sums(
    system: System, intent: Intent, modifiers: tuple[Modifier, ...], rolls: tuple[RollRecord, ...]
) -> None:
    """Raise RulebookMistake if the modifiers that make up a target have the name of the roll against it: they would be
    shown as parts of its total. That is certain where they are no less than the total, which dice alone make up."""
    for roll in rolls:
        target, total = roll.reckoning.get("target"), roll.reckoning.get("total")
        if not target or roll.reckoning.get("under") or total != sum(face for _, face in roll.faces):
            continue
        if total <= target == sum(one.value for one in modifiers if roll.takes(one)):
            row = system.actions.get(intent.action)
            raise RulebookMistake.in_function(
                row.rule if row else None,
                f"the roll {roll.what!r} has the name of the modifiers that make up its target, and would show them as "
                "part of its total: give the Modifiers another name, or to roll under it, "
                "write table.result(..., under=True)",
            )


def recorded(event: Event, modifiers: tuple[Modifier, ...], rolls: tuple[RollRecord, ...]) -> Event:
    """An event fit for JSON, with the parts that add up to its change, the modifiers of a roll set apart.

    A change that is one price alone is recorded without (`all_parts`); harm that waits has those of the last who waits.
    """
    who, what, was, now, rule = event
    plain_event = Event(who, what, plain(was), plain(now), rule)
    if is_number(event):
        by = now - was
    elif what == "pending" and parts_of(event):
        who, _, by, rule = now[-1]
    else:
        return plain_event
    own = [one for one in modifiers if one.against in ("", who) and one.pool in ("", what)]
    rolled = [one for one in rolls if one.about.get("pool", what) == what]
    parts = [one for part in parts_of(event) for one in _set_apart(part, own, rolled)]
    rest = by - sum(part.value for part in parts)
    if parts and rest:
        parts.append(Part(LIMIT, rest, rule))
    return explained(plain_event, tuple(parts)) if parts and not is_plain(parts) else plain_event


def _set_apart(part: Part, modifiers: Iterable[Modifier], rolls: Iterable[RollRecord]) -> Iterator[Part]:
    """What the dice of a roll came to and its modifiers, where it was rolled once; else the part as it is."""
    same = [roll for roll in rolls if roll.what == part.roll]
    if part.name != ROLLED or len(same) > 1:
        yield part
        return
    added = [one for one in modifiers if one.roll == part.roll and one.value]
    flat = sum(one.value for one in added)
    # Without dice each of several hits does the same.
    times = max(1, abs(part.value) // flat) if not same and flat > 0 else 1
    signed = -times if part.value < 0 else times
    rest = part.value - signed * flat
    if rest:
        yield part._replace(value=rest)
    for one in added:
        yield Part(one.name, signed * one.value, one.rule, part.roll)
