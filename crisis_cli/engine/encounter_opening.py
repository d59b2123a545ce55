"""How an encounter begins: the party and those it meets, where the dice of the opening put them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..dice.generator import Seeded, generator
from ..dice.table import Table
from ..errors import Refused
from .encounter import Encounter, Group
from .encounter_events import made_of, named_copies, placed
from .scene import Fighter, Scene, require_room

if TYPE_CHECKING:
    from .field import BattleMap
    from .system import System

STREAM = 16
"""Keeps the dice of an opening apart from those of entries."""


def opening_scene(
    system: System,
    encounter: Encounter,
    field: BattleMap | None,
    party: Sequence[Fighter],
    sheets: Sequence[Mapping[str, Any]],
    seed: int,
) -> Scene:
    """The scene with which an encounter begins; `sheets` are the values of the sheets of its groups. Refused where
    the party does not fit in."""
    table = Table(Seeded(generator(seed, STREAM).random))
    scene = Scene(system.name, {}, open=True, field=field, encounter=encounter)
    _require_room(encounter, field, party)
    fighters = placed(scene, (), party, encounter.party_spots, table)
    for group, sheet in zip(encounter.groups, sheets, strict=True):
        fighters += _group(system, scene, group, sheet, fighters, table)
    return scene._replace(fighters={one.name: one for one in fighters})


def _group(
    system: System,
    scene: Scene,
    group: Group,
    sheet: Mapping[str, Any],
    there: Sequence[Fighter],
    table: Table,
) -> list[Fighter]:
    """The fighters of a group at their places."""
    many, names = named_copies(group, str(sheet["name"]), [one.name for one in there], table)
    require_room(len(there) + many)
    return placed(scene, there, [made_of(system, group, sheet, name) for name in names], group.spots, table)


def _require_room(encounter: Encounter, field: BattleMap | None, party: Sequence[Fighter]) -> None:
    """Refused where a party is larger than the places for it."""
    spots = encounter.party_spots
    room = len(spots.points) or len(party)
    if spots.place and field is not None and not field.zones:
        room = len(field.floor_of(spots.place))
    if room < len(party):
        raise Refused(
            f"{encounter.name} has room for a party of {room}, not {len(party)}",
            hint="name fewer fighters",
            code="crowd",
        )
