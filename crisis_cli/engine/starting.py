"""Fighters as they start: made from the checked values of a sheet, in its saved state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import RulebookMistake
from .changes import undeclared
from .consequences import settle
from .events import apply_all
from .scene import Fighter, Scene
from .system import Start, System


def starting_fighter(
    system: System,
    values: Mapping[str, Any],
    *,
    name: str = "",
    side: str = "",
    player: bool | None = None,
    file: str = "",
) -> Fighter:
    """The fighter of a sheet's values in its saved state; what is given overrides the sheet. `file` is the path that
    its state is saved to."""
    begin = _start(system, values)
    state = values["state"]
    owned = values["player"] if player is None else player
    pools = dict(begin.pools)
    pools.update({pool: value for pool, value in state.items() if pool in pools})
    for table in things_with_pools(system):
        for thing, left in state.get(table, {}).items():
            if f"{table}:{thing}" in pools:
                pools[f"{table}:{thing}"] = left
    held = tuple(state["held"]) if "held" in state else begin.held
    made = Fighter(
        name or values["name"],
        side or values.get("team") or ("players" if owned else "opponents"),
        owned,
        values,
        pools,
        begin.limits,
        conditions_of(state),
        held=held,
        at=tuple(state["at"]) if state.get("at") else None,
        file=file,
    )
    made = made._replace(pools={pool: made.bounded(pool, value) for pool, value in made.pools.items()})
    return settled(system, made)


def _start(system: System, values: Mapping[str, Any]) -> Start:
    """The start of an unhurt fighter; RulebookMistake where it is none, or names pools that nobody declares."""
    begin = system.start(values)
    if not isinstance(begin, Start):
        said = f"the start of {system.name} returns {type(begin).__name__}: write return Start(...)"
        raise RulebookMistake.in_function(system.start, said)
    for pool in (*begin.pools, *begin.limits):
        if pool.partition(":")[0] not in system.pools:
            said = undeclared(f"pool of {system.name}", "pools", pool, system.pools)
            raise RulebookMistake.in_function(system.start, said)
    return begin


def things_with_pools(system: System) -> list[str]:
    """The tables of `[state]` that hold a pool for each thing."""
    return [name for name, pool in system.pools.items() if pool.gear]


def conditions_of(state: Mapping[str, Any]) -> dict[str, int | bool]:
    """The conditions that `[state]` lists, with their levels."""
    conditions = state.get("conditions", ())
    if isinstance(conditions, Mapping):
        return {name: level for name, level in conditions.items() if level}
    return dict.fromkeys(conditions, True)


def settled(system: System, one: Fighter) -> Fighter:
    """The fighter after consequences of its pools are applied, such as dead at 0 health."""
    scene = Scene(system.name, {one.name: one})
    events = tuple(system.follows(scene, one.name))
    return apply_all(scene, settle(system, scene, events)).fighters[one.name]
