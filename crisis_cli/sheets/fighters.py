"""Fighters made from sheets, and the lasting changes of a fight written back to `[state]`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..engine.scene import Fighter
from ..engine.starting import starting_fighter, things_with_pools
from ..engine.system import System
from .check import Sheet


def fighter(
    system: System, sheet: Sheet, *, name: str = "", side: str = "", player: bool | None = None
) -> Fighter:
    """The fighter of a sheet in its saved state; `name` is for copies, `side` and `player` override the sheet."""
    file = "" if name else str(sheet.path)
    return starting_fighter(system, sheet.values, name=name, side=side, player=player, file=file)


def lasting(system: System, one: Fighter) -> dict[str, Any]:
    """The lasting state of a fighter for `[state]`, with flat keys: `health`, `ammo:pistol`, …

    Values as at the start (full pools, the same items in hand) are None: their keys are removed.
    """
    begin = system.start(one.sheet)
    state: dict[str, Any] = {}
    for pool, value in one.pools.items():
        if system.pools[pool.partition(":")[0]].lasting:
            state[pool] = None if value == begin.pools.get(pool) else value
    for condition, kind in system.conditions.items():
        level = one.conditions.get(condition, False) if kind.lasting and condition not in one.ends else False
        state[f"condition:{condition}"] = level or None
    state["held"] = None if one.held == begin.held else list(one.held)
    return state


def stated(system: System, raw: Mapping[str, Any], state: Mapping[str, Any]) -> dict[str, Any]:
    """The raw sheet with a lasting state written into its `[state]`; other keys stay."""
    old, tables = dict(raw.get("state", {})), things_with_pools(system)
    new = {
        key: value
        for key, value in old.items()
        if _pool(system, key) not in state and key not in (*tables, "conditions")
    }
    for table in tables:
        prefix = f"{table}:"
        left = {
            key[len(prefix) :]: value
            for key, value in state.items()
            if key.startswith(prefix) and value is not None
        }
        if left:
            new[table] = left
    new.update({key: value for key, value in state.items() if ":" not in key and value is not None})
    levels = {
        key[10:]: value for key, value in state.items() if key.startswith("condition:") and value is not None
    }
    if levels:
        flags = all(level is True for level in levels.values())
        new["conditions"] = list(levels) if flags else levels
    ordered = {key: new[key] for key in (*old, *new) if key in new}
    rest = {key: value for key, value in raw.items() if key != "state"}
    return {**rest, "state": ordered} if ordered else rest


def _pool(system: System, key: str) -> str:
    """The pool of a key of `[state]`, where hyphens may be written as underscores."""
    return key if key in system.pools else key.lower().replace("_", "-")


def numbered(names: Iterable[str]) -> str:
    """Names joined as in a sentence: `A, B and C`."""
    listed = list(names)
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} and {listed[-1]}" if listed else ""
