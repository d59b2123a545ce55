"""What the sheets of all systems have in common."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..errors import BrokenSystem
from .kinds import Either, Fault, Flag, ListOf, MapOf, OneOf, Path, Point, Text, Whole
from .schema import Field, Section

NAME = Text(most=40, plain=True)
"""The kind of a fighter's name."""


def sheet(
    system: str,
    fields: Mapping[str, Field],
    *,
    circumstance: tuple[str, ...],
    pools: tuple[str, ...],
    conditions: tuple[str, ...],
) -> Section:
    """The schema of the sheets of a system: the keys that all systems share, and its own `fields`.

    `system` is the name of the system. `circumstance` names the rolls, pools and derived values that take standing
    modifiers (ALL-6). `pools` and `conditions` are those that a fight can change and the sheet keeps.
    """
    for name, words in (("circumstance", circumstance), ("pools", pools), ("conditions", conditions)):
        if isinstance(words, str):
            raise BrokenSystem.of(
                f"{system}: {name} of its sheet is {words!r}: write ({words!r},), with the comma",
                "sheet",
                name,
                words,
            )
    return Section(
        {
            "name": Field(NAME, "what the fighter is called", required=True),
            "system": Field(OneOf((system,)), "the rule system", required=True),
            "player": Field(Flag(), "whether the player decides for this fighter", "ALL-3", True),
            "team": Field(Text(most=40, plain=True), "the side it is on, if not the usual one", "ALL-3"),
            "doctrine": Field(
                Text(most=40, plain=True),
                "the doctrine it follows when it plays automatically",
                "",
                "careful",
            ),
            "fight": Field(
                Section(
                    {
                        "apart": Field(Whole(0, 1000), "distance at which the fight begins", "ALL-4"),
                        "foes": Field(MapOf(Whole(1, 20)), "opponents, by sheet, that make a fair fight"),
                    }
                ),
                "how its fights begin",
            ),
            "belongings": Field(ListOf(Text(most=200)), "what else it carries, in words"),
            "loot": Field(Flag(), "false: it leaves nothing behind when it is out of the fight"),
            **fields,
            "circumstance": Field(
                MapOf(Whole(-99, 99, signed=True), lower=True, words=dict.fromkeys(circumstance)),
                "standing modifiers by the name of the roll, pool or derived value",
                "ALL-6",
                {},
            ),
            "state": Field(_state(pools, conditions), "what fights have changed", "", {}),
        }
    )


FORMER_KEYS = {"mind": "doctrine"}
"""Keys of sheets as they were called before, still read, with what they are called now."""


def renamed(raw: Mapping[str, Any]) -> dict[str, Any]:
    """A sheet in which keys that it spells as before are called what they are called now."""
    return {
        FORMER_KEYS[key] if key in FORMER_KEYS and FORMER_KEYS[key] not in raw else key: value
        for key, value in raw.items()
    }


def as_written(raw: Mapping[str, Any], path: Path) -> Path:
    """Where a value stands in a sheet that may spell its key as before."""
    former = next((old for old, new in FORMER_KEYS.items() if path[:1] == (new,) and new not in raw), "")
    return (former, *path[1:]) if former in raw else path


def _state(pools: tuple[str, ...], conditions: tuple[str, ...]) -> Section:
    counted = Whole(-9999, 9999)
    levels = MapOf(Level(), lower=True, words=dict.fromkeys(conditions))
    return Section(
        {
            **{pool: Field(counted, f"{pool} now") for pool in pools},
            "conditions": Field(Either(ListOf(OneOf(conditions)), levels), "conditions that are on"),
            "held": Field(ListOf(Text(most=40)), "what is in hand"),
            "at": Field(Point(), "position, [x, y]", "ALL-4"),
        }
    )


class Level:
    """A kind of value: a condition that is on (true), off (false), or on at a level."""

    def read(self, value: Any, path: tuple[str | int, ...], faults: list[Fault]) -> int | bool:
        """True, False or the level."""
        return value if isinstance(value, bool) else Whole(0, 99).read(value, path, faults)

    def schema(self) -> dict[str, Any]:
        """A boolean or a small number."""
        return {"anyOf": [{"type": "boolean"}, {"type": "integer", "minimum": 0, "maximum": 99}]}


def with_supplies(sheet: Section, pools: Mapping[str, tuple[str, str]]) -> Section:
    """The schema with a table in `[state]` for each pool that things have: `pools` gives its label and their list."""
    state = sheet.fields["state"].kind if "state" in sheet.fields else None
    if not isinstance(state, Section):
        return sheet
    supplies = {
        name: Field(MapOf(Whole(0, 9999)), f"{label} left, by {listed.removesuffix('s')}")
        for name, (label, listed) in pools.items()
    }
    last = {key: field for key, field in state.fields.items() if key in ("held", "at")}
    first = {key: field for key, field in state.fields.items() if key not in last}
    whole = sheet.fields["state"]._replace(kind=Section({**first, **supplies, **last}))
    return Section({**sheet.fields, "state": whole}, sheet.rest)


def belongings(
    sheet: Mapping[str, Any], pools: Mapping[str, str], listed: str, single: Iterable[str] = ()
) -> list[Fault]:
    """Faults for items in `[state]` that the sheet does not list.

    `pools` gives the list of the things that have each pool, `listed` all such lists, and `single` the tables that
    are one thing.
    """
    state = sheet.get("state", {})
    faults = [
        Fault(("state", pool, thing), "is not on this sheet")
        for pool, table in pools.items()
        for thing in state.get(pool, {})
        if thing not in sheet.get(table, {})
    ]
    known = {thing for table in listed.split() for thing in sheet.get(table, {})}
    known |= {table for table in single if table in sheet}
    faults += [
        Fault(("state", "held", at), f"{thing!r} is not on this sheet")
        for at, thing in enumerate(state.get("held", ()))
        if thing not in known
    ]
    return faults
