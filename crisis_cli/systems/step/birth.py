"""What dice decide when a sheet is made (STEP-3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .kinds import Die
from .rolls import exploded
from .sheet import LEAST_DIE, split

HEALTH = 20
"""STEP-3: Health beside the body roll."""


def born(table: Any, sheet: Mapping[str, Any]) -> dict[str, Any]:
    """STEP-3: Health is 20 and one body roll that explodes and does not implode; nothing where it is given."""
    if "health" in sheet:
        return {}
    attributes = sheet.get("attributes", {})
    sides, step = split(Die().read(attributes.get("body", LEAST_DIE), (), []))
    table.label("health", str(sheet.get("name", "")), f"d{sides}")
    return {"health": HEALTH + step + exploded(table, sides)}
