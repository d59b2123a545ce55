"""Maps for tests: the toll bridge, and a crisis opened on a map."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from typing import Any

from conftest import Player

from crisis_cli.engine.field import BattleMap
from crisis_cli.engine.journal import line
from crisis_cli.engine.read_field import read_field
from crisis_cli.systems import load

BRIDGE = """\
##################
#A..o....##....E.#
#A.......==....E.#
#A..b....==..b.E.#
#A.......==....E.#
#A..o....##....E.#
##################
"""
LEGEND: dict[str, dict[str, Any]] = {
    "#": {"name": "wall", "stops": ["move", "sight"]},
    "o": {"name": "pillar", "stops": ["move"], "cover": "heavy"},
    "b": {"name": "crates", "slow": True, "cover": "light"},
    "=": {"name": "wet plates", "slow": True},
    "A": {"place": "near bank"},
    "E": {"place": "far bank"},
    "+": {"name": "closed door", "stops": ["move", "sight"]},
    "open-door": {"name": "open door"},
}


def bridge(scale: int | None = None, system: str = "3d6") -> BattleMap:
    """The toll bridge of the encounter."""
    return read_field(BRIDGE, LEGEND, scale, None, load(system))


def drawn(text: str, system: str = "3d6", scale: int | None = None, **legend: Mapping[str, Any]) -> BattleMap:
    """A map of walls, hedges and mud for a system."""
    known = {
        "#": {"name": "wall", "stops": ["move", "sight"]},
        "h": {"name": "hedge", "stops": ["sight"]},
        "g": {"name": "glass", "stops": ["move"]},
        "~": {"name": "mud", "slow": True},
        "+": {"name": "closed door", "stops": ["move", "sight"]},
        "open-door": {"name": "open door"},
    }
    return read_field(text, {**known, **legend}, scale, None, load(system))


def random_map(dice: random.Random, signs: str = "..........##hg~~") -> str:
    """A map of up to 12 by 9 cells."""
    wide, high = dice.randint(1, 12), dice.randint(1, 9)
    return "\n".join("".join(dice.choice(signs) for _ in range(wide)) for _ in range(high))


def on_map(crisis: Player, field: BattleMap, **places: tuple[float, float]) -> None:
    """Put the open crisis on a map, each fighter at a place by the first word of its name in small letters."""
    head, *rest = crisis.journal.read_text(encoding="utf-8").splitlines(keepends=True)
    record = json.loads(head)
    del record["seal"]
    record["field"] = field.as_data()
    for fighter in record["fighters"]:
        name = fighter["name"].casefold().replace(" ", "_")
        if name in places:
            fighter["at"] = list(places[name])
    crisis.journal.write_text(line(record) + "".join(rest), encoding="utf-8")
