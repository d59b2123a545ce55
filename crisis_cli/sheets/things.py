"""Things put on a sheet: weapons, items, supplies and belongings that somebody has taken."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..columns import is_printable
from ..engine.kinds import MapOf
from ..engine.loot import BELONGINGS
from ..engine.schema import Section
from ..engine.system import System
from ..systems import load
from .check import Sheet, of_values
from .fighters import fighter, lasting, stated
from .toml_patch import same
from .toml_positions import KeyPath, line_end, spans


def with_things(system: System, sheet: Sheet, now: Mapping[str, Any]) -> dict[str, Any]:
    """The raw sheet in which somebody has so much of things, supplies and belongings (`loot.raised`); FileError where
    no sheet can hold that."""
    raw, pools = dict(sheet.raw), dict[str, int]()
    for key, value in now.items():
        kind, _, name = key.partition(":")
        if key == BELONGINGS:
            raw[_spelled(raw, key)] = value
        elif kind in system.pools:
            pools[key] = value
        else:
            listed = _spelled(raw, kind)
            raw[listed] = {**raw.get(listed, {}), name: _bare(system, kind, value)}
    one = fighter(system, of_values(raw))
    for key, value in pools.items():
        kind, _, name = key.partition(":")
        pool = system.pools[kind]
        listed = _spelled(raw, pool.gear)
        if value > one.full(key) or key not in one.pools:
            entry = raw[listed][name]
            raw[listed] = {**raw[listed], name: {**entry, _spelled(entry, pool.full): value}}
    one = fighter(system, of_values(raw))
    return stated(system, raw, lasting(system, one.with_pools(pools)))


def _spelled(raw: Mapping[str, Any], name: str) -> str:
    """A key as a sheet spells it."""
    return next((key for key in raw if key.lower().replace("_", "-") == name.replace("_", "-")), name)


def _bare(system: System, listed: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    """A thing without the values that go without saying."""
    kind = system.sheet.fields[listed].kind
    fields = kind.kind.fields if isinstance(kind, MapOf) and isinstance(kind.kind, Section) else {}
    return {key: value for key, value in entry.items() if key not in fields or fields[key].default != value}


def commented(text: str, paths: Iterable[KeyPath], comment: str) -> str:
    """A sheet with a comment behind each of these things; as it is where a comment cannot stand there."""
    import tomllib

    if not is_printable(comment):
        return text
    for path in paths:
        span = spans(text).get(path)
        if span is not None:
            at = line_end(text, span.start if span.kind == "header" else span.end)
            longer = f"{text[:at]}  # {comment}{text[at:]}"
            text = longer if same(tomllib.loads(longer), tomllib.loads(text)) else text
    return text


def without_things(raw: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """What no story changes on a sheet, given the sheet before or after it: belongings, things that only one of the two
    has, and how many there are of a thing are left out."""
    system, kept = load(str(raw["system"])), dict(raw)
    kept.pop(_spelled(raw, BELONGINGS), None)
    for listed in system.carried.split():
        counts = [pool.full for pool in system.pools.values() if pool.gear == listed]
        kept[listed] = {
            name: {key: value for key, value in entry.items() if key not in counts}
            for name, entry in raw.get(listed, {}).items()
            if name in other.get(listed, {})
        }
    return kept
