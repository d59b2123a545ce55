"""What is missing from a rulebook or contradicts itself, in words; looked for when the rulebook is made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from .schema import Section

if TYPE_CHECKING:
    from .system import Action, Cost, Pool, System

TARGETS = ("none", "one", "many", "any", "ally", "patient")
WINDOWS = ("turn", "any", "table")
LIFETIMES = ("action", "turn", "round", "crisis")
MOMENTS = ("start-round", "end-round", "start-turn", "end-turn", "end-crisis")
OPTION_KINDS = ("flag", "whole", "text", "choice", "names", "doings")
SHARED_OPTIONS = {
    *("at", "behind", "cover", "deed", "difficulty", "enemies", "item", "mod_damage"),
    *("penetrable", "range", "shots", "thing", "to", "vs", "weapon"),
}
"""Options of the command line that rows of every system may name, beside the system's own."""


def problems(system: System) -> Iterator[str]:
    """What is wrong with a rulebook, a clause for each; nothing where it can be played."""
    if not system.name or system.name != system.name.strip().lower():
        yield f"its name {system.name!r} is not a word in lower case"
    if not system.title:
        yield "it has no title"
    if "init" not in system.actions:
        yield "it has no action 'init', which decides the turn order"
    for name, row in (
        *system.actions.items(),
        *((f"phase {name}", row) for name, row in system.phases.items()),
    ):
        what = name if name.startswith("phase ") else f"action {name!r}"
        yield from (f"{what} {said}" for said in _wrong_with_action(system, row))
    yield from _unknown("phase", system.phases, MOMENTS)
    for name, pool in (*system.pools.items(), *system.side_pools.items()):
        yield from (f"pool {name!r} {said}" for said in _wrong_with_pool(system, pool))
    for name in system.simultaneous - set(system.pools):
        yield f"simultaneous names {name!r}, which is no pool of {system.name}"
    for name, lifetime in system.marks.items():
        if lifetime not in LIFETIMES:
            yield f"mark {name!r} lasts {lifetime!r}, not one of {', '.join(LIFETIMES)}"
    yield from _wrong_with_state(system)
    yield from _wrong_with_options(system)


def _wrong_with_action(system: System, row: Action) -> Iterator[str]:
    if not row.title:
        yield "has no title"
    for part in ("setup", "rule", "effects"):
        if not callable(getattr(row, part)):
            yield f"has a {part} that is no function"
    for cost in (*row.costs, *(row.out_costs or ())):
        yield from _wrong_with_cost(system, row, cost)
    if row.targets not in TARGETS:
        yield f"has targets {row.targets!r}, not one of {', '.join(TARGETS)}"
    if row.window not in WINDOWS:
        yield f"has window {row.window!r}, not one of {', '.join(WINDOWS)}"
    for listed in row.gear.split():
        if listed not in system.sheet.fields:
            yield f"takes its gear from {listed!r}, which no sheet of {system.name} has"
    own = {name for option in system.command_options for name in (option.name, option.key)}
    for name in row.options:
        if name not in SHARED_OPTIONS | own:
            yield f"takes --{name.replace('_', '-')}, which is no option of {system.name}"


def _wrong_with_cost(system: System, row: Action, cost: Cost) -> Iterator[str]:
    pool = cost.pool.partition(":")[0]
    if pool not in system.pools and pool not in system.side_pools:
        yield f"costs {cost.pool!r}, which is no pool of {system.name}"
    if cost.gear and not row.gear:
        yield f"has a cost that its gear may change ({cost.gear!r}), and no gear"


def _wrong_with_pool(system: System, pool: Pool) -> Iterator[str]:
    if not pool.label:
        yield "has no label"
    source = pool.made_of
    if source is not None and source.pool not in system.pools and source.pool not in system.side_pools:
        yield f"is made of {source.pool!r}, which is no pool of {system.name}"
    if source is not None and (source.takes < 1 or source.gives < 1):
        yield f"is made of {source.takes} {source.pool} for {source.gives}"
    if pool.a_turn and pool.a_turn not in system.sheet.fields:
        yield f"gains {pool.a_turn!r} a turn, which no sheet of {system.name} has"


def _wrong_with_state(system: System) -> Iterator[str]:
    """Where sheets cannot keep what lasts after a crisis, or keep what the system does not have."""
    state = system.sheet.fields["state"].kind if "state" in system.sheet.fields else None
    if not isinstance(state, Section):
        yield "its sheets have no [state], where they keep what a crisis has changed"
        return
    for name, pool in system.pools.items():
        if pool.lasting and name not in state.fields:
            yield f"pool {name!r} lasts after a crisis, and [state] of a sheet cannot hold it"
    conditions = _words(state.fields["conditions"].kind) if "conditions" in state.fields else ()
    for name, condition in system.conditions.items():
        if not condition.title:
            yield f"condition {name!r} has no title"
        if condition.lasting and name not in conditions:
            yield f"condition {name!r} lasts after a crisis, and [state] of a sheet cannot hold it"
    for name in conditions:
        if name not in system.conditions:
            yield f"[state] of a sheet holds {name!r}, which is no condition of {system.name}"


def _words(kind: Any) -> tuple[str, ...]:
    """The names that the conditions of a sheet can be."""
    levels = getattr(kind, "table", None)
    return tuple(getattr(levels, "words", ()))


def _wrong_with_options(system: System) -> Iterator[str]:
    for option in system.command_options:
        if option.kind not in OPTION_KINDS:
            yield f"option --{option.name} is of kind {option.kind!r}, not one of {', '.join(OPTION_KINDS)}"
        if option.kind == "choice" and not option.values:
            yield f"option --{option.name} is a choice without values"
        if option.instead and option.instead not in system.actions:
            yield f"option --{option.name} stands for {option.instead!r}, which is no action of {system.name}"


def _unknown(what: str, given: Mapping[str, object], known: Iterable[str]) -> Iterator[str]:
    for name in given:
        if name not in known:
            yield f"{what} {name!r} is not one of {', '.join(known)}"
