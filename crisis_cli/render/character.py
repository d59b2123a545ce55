"""A sheet as a page one likes to look at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..engine.kinds import Kind
from ..engine.scene import Fighter
from ..engine.schema import Section
from ..engine.system import System
from .board import gauges, wrapped
from .style import Ink

NOT_SHOWN = ("name", "system", "player", "team", "mind", "state")


def page(one: Fighter, system: System, ink: Ink, width: int) -> list[str]:
    """The fighter's name and side, how it is, then every part of the sheet that says something."""
    wide = min(width, 78)
    side = (
        one.side
        if one.side in ("players", "opponents")
        else f"{one.side} ({'player' if one.player else 'opponent'})"
    )
    head = f"{one.name} · {system.name}, {system.title} · {side}"
    lines = [ink("bold", head), "─" * wide]
    lines += wrapped(gauges(one, system, ink, 80, spent=False), wide, "   ", ink)
    told = [name if level is True else f"{name} {level}" for name, level in one.conditions.items()]
    if told:
        lines.append(ink("yellow", ", ".join(told)))
    for key in system.sheet.fields:
        value = one.sheet.get(key)
        if key in NOT_SHOWN or value in (None, {}, []):
            continue
        lines += ["", *_part(key, value, ink, wide, one, system.sheet.fields[key].kind)]
    return lines


def _part(key: str, value: Any, ink: Ink, wide: int, one: Fighter, kind: Kind) -> Iterator[str]:
    title = ink("cyan", key.replace("_", " "))
    if not isinstance(value, Mapping):
        said = ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
        yield f"{title}  {said}"
        return
    yield title
    if any(isinstance(part, Mapping) and "rank" not in part for part in value.values()):
        yield from _rows(value, wide, one, _usual(kind), ink)
        return
    yield from (
        f"  {line}"
        for line in wrapped([_pair(name, part) for name, part in value.items()], wide - 2, "   ", ink)
    )


def _pair(name: str, part: Any) -> str:
    if isinstance(part, Mapping):
        rank = part.get("rank", part.get("die", 0))
        return f"{name} {_number(rank)} ({part.get('ability', part.get('attribute', ''))})"
    return f"{name} {_number(part)}"


def _number(part: Any) -> str:
    if isinstance(part, bool) or not isinstance(part, int):
        return ", ".join(map(str, part)) if isinstance(part, (list, tuple)) else str(part)
    return f"{part:+d}" if -10 < part < 10 and part else str(part)


def _rows(
    things: Mapping[str, Any], wide: int, one: Fighter, usual: Mapping[str, Any], ink: Ink
) -> Iterator[str]:
    """A thing a line: its name, then what its keys say, a second line where it is long."""
    column = min(20, max(map(len, things)))
    for name, thing in things.items():
        if not isinstance(thing, Mapping):
            yield f"  {name:<{column}}  {_number(thing)}"
            continue
        telling = [(key, part) for key, part in thing.items() if part != usual.get(key) and part is not False]
        words = [_said(key, part) for key, part in telling if part not in (None, {}, [], "")]
        words += [
            f"{left} left"
            for prefix in ("ammo", "uses")
            if (left := one.pools.get(f"{prefix}:{name}")) is not None
        ]
        if name in one.held:
            words.append("in hand")
        first, *rest = wrapped([word for word in words if word], wide - column - 4, " · ", ink) or [""]
        yield f"  {name:<{column}}  {first}"
        yield from (f"  {'':<{column}}  {line}" for line in rest)


def _usual(kind: Kind) -> dict[str, Any]:
    """What each key of a thing says when it is not given: not worth showing."""
    inner = getattr(kind, "kind", None)
    fields = inner.fields if isinstance(inner, Section) else {}
    return {key: field.default for key, field in fields.items()}


def _said(key: str, part: Any) -> str:
    if key == "kind":
        return str(part)
    if part == 0:
        return ""
    if isinstance(part, Mapping):
        return f"{key} " + ", ".join(f"{name} {value}" for name, value in part.items())
    return f"{key.replace('_', ' ')} {_plain(part)}"


def _plain(part: Any) -> str:
    return ", ".join(map(str, part)) if isinstance(part, (list, tuple)) else str(part)
