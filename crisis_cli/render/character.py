"""The text of `crisis character show`: a sheet and what fights have changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..engine.kinds import Either, Kind, MapOf, Whole
from ..engine.loot import BELONGINGS
from ..engine.scene import Fighter
from ..engine.schema import Section
from ..engine.system import System
from ..engine.wording import measured
from .board import bar_length, gauges, wrapped
from .charts import minus
from .style import Ink

NOT_SHOWN = ("name", "system", "player", "team", "doctrine", "fight", "state")


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
    lines += wrapped(gauges(one, system, ink, bar_length(80), spent=False), wide, "   ", ink)
    conditions = [name if level is True else f"{name} {level}" for name, level in one.conditions.items()]
    if conditions:
        lines.append(ink("yellow", ", ".join(conditions)))
    lines += _block(
        "derived", [f"{name} {value}" for name, value in system.sheet_rules.derived(one).items()], wide, ink
    )
    told_of = (key for key in system.sheet.fields if key not in NOT_SHOWN)
    shown = [key for key in told_of if one.sheet.get(key) not in (None, {}, [], 0)]
    plain = [key for key in shown if not isinstance(one.sheet[key], Mapping) and key != BELONGINGS]
    words = [_said(key, one.sheet[key], system.sheet.fields[key].kind) for key in plain]
    lines += _block("values", words, wide, ink)
    lines += _block("automatic play", list(_fight(one, system)), wide, ink)
    for key in shown:
        if key == BELONGINGS:
            lines += ["", ink("cyan", key), *(f"  {thing}" for thing in one.sheet[key])]
        elif key not in plain:
            lines += ["", *_part(key, one.sheet[key], ink, wide, one, system)]
    return lines


def _fight(one: Fighter, system: System) -> Iterator[str]:
    """The doctrine, and how its fights begin: how far apart, and against how many."""
    yield f"doctrine {one.doctrine}"
    fight = one.sheet.get("fight") or {}
    if "apart" in fight:
        yield f"begins {measured(fight['apart'], system.space.unit)} apart"
    foes = fight.get("foes", {})
    if foes:
        yield "against " + ", ".join(f"{name}:{count}" if count > 1 else name for name, count in foes.items())


def _block(title: str, words: list[str], wide: int, ink: Ink) -> list[str]:
    """A title and several short things below it, as many on a line as fit; nothing where there are none."""
    if not words:
        return []
    return ["", ink("cyan", title), *(f"  {line}" for line in wrapped(words, wide - 2, "   ", ink))]


def _part(
    key: str, value: Mapping[str, Any], ink: Ink, wide: int, one: Fighter, system: System
) -> Iterator[str]:
    kind = system.sheet.fields[key].kind
    if any(isinstance(part, Mapping) and _rank_of(part) is None for part in value.values()):
        yield ink("cyan", key.replace("_", " "))
        yield from _rows(value, wide, one, system, kind, ink)
        return
    words = [_pair(name, part, _inside(kind, name)) for name, part in value.items()]
    yield from _block(key.replace("_", " "), words, wide, ink)[1:]


def _rank_of(part: Mapping[str, Any]) -> Any:
    """The rank or the die of a skill that the sheet adds; None for a thing."""
    return part.get("rank", part.get("die") if "attribute" in part else None)


def _pair(name: str, part: Any, kind: Kind | None) -> str:
    if isinstance(part, Mapping):
        added = f" ({part.get('ability', part.get('attribute', ''))})"
        return f"{name} {_value(_rank_of(part), _inside(kind, 'rank'))}{added}"
    return f"{name} {_value(part, kind)}"


def _inside(kind: Kind | None, key: str) -> Kind | None:
    """The kind of the value of a key; None if the schema does not say."""
    if isinstance(kind, Either):
        kind = kind.table
    if isinstance(kind, MapOf):
        return kind.kind
    if isinstance(kind, Section):
        return kind.fields[key].kind if key in kind.fields else kind.rest
    return None


def _value(part: Any, kind: Kind | None) -> str:
    """A value as a reader expects it: with a sign where it is added to something."""
    kind = kind.plain if isinstance(kind, Either) else kind
    if isinstance(part, bool) or not isinstance(part, int):
        return _plain(part)
    sign = "+" if isinstance(kind, Whole) and kind.signed and part > 0 else ""
    return sign + minus(part)


def _rows(
    things: Mapping[str, Any], wide: int, one: Fighter, system: System, kind: Kind, ink: Ink
) -> Iterator[str]:
    """A thing a line: its name, then what its keys say, a second line where it is long."""
    column = min(20, ink.widest(things))
    for name, thing in things.items():
        inner = _inside(kind, name)
        if not isinstance(thing, Mapping):
            yield f"  {ink.padded(name, column)}  {_value(thing, inner)}"
            continue
        usual = _usual(inner)
        telling = [(key, part) for key, part in thing.items() if part != usual.get(key) and part is not False]
        words = [
            part if key == "kind" else _said(key, part, _inside(inner, key))
            for key, part in telling
            if part not in (None, {}, [], "", 0)
        ]
        words += _supplies(name, one, system)
        if name in one.held:
            words.append("in hand")
        first, *rest = wrapped([word for word in words if word], wide - column - 4, " · ", ink) or [""]
        yield f"  {ink.padded(name, column)}  {first}"
        yield from (f"  {'':<{column}}  {line}" for line in rest)


def _supplies(thing: str, one: Fighter, system: System) -> Iterator[str]:
    """What is left in a thing; what else is left for it says what it is."""
    pools = [pool for pool in system.pools if system.is_of_thing(pool) and f"{pool}:{thing}" in one.pools]
    for at, pool in enumerate(pools):
        left = one.pools[f"{pool}:{thing}"]
        yield f"{measured(left, system.pools[pool].label) if at else left} left"


def _usual(kind: Kind | None) -> dict[str, Any]:
    """What each key of a thing says when it is not given: not worth showing."""
    fields = kind.fields if isinstance(kind, Section) else {}
    return {key: field.default for key, field in fields.items()}


def _said(key: str, part: Any, kind: Kind | None) -> str:
    key = key.replace("_", " ")
    if part is True:
        return key
    if isinstance(part, Mapping):
        return f"{key} " + ", ".join(
            f"{name} {_value(value, _inside(kind, name))}" for name, value in part.items()
        )
    return f"{key} {_value(part, kind)}"


def _plain(part: Any) -> str:
    return ", ".join(map(str, part)) if isinstance(part, (list, tuple)) else str(part)
