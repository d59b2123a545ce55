"""Events: each sets one value, and holds the value before and after, so that applying it needs no rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..errors import FileError
from ..values import NamedTuple
from .scene import Fighter, Scene

SIDE = "side:"
"""Prefix of the name of a side, in events about its pools."""
GROUPS = {"condition": "conditions", "until": "ends", "mark": "marks", "cover": "cover"}
"""Events named `group:key`, and the mapping of a fighter that holds the key."""
TERRAIN = "terrain:"
"""Prefix of the place of a cell, in events that put another entry of the legend there: `terrain:7,2`."""
WHOLE = {"at", "held", "gone", "player", "side", "yielded", "mind"}
"""Events that set the field of a fighter of that name."""


class Event(NamedTuple):
    """One change: of which fighter, of which property, from which value to which, by which rule."""

    who: str
    """A fighter, `side:` and a side, or nobody for the scene itself."""
    what: str
    """A pool, `condition:NAME`, `until:NAME`, `mark:NAME`, `cover:FROM`, `at`, `held`, `fighter` …;
    of the scene `round`, `turn`, `order`, `scores`, `early`, `teams`, `group`, `pending`, `over`, `counters`, `dealt`,
    `terrain:X,Y`."""
    was: Any
    now: Any
    rule: str = ""


class Mismatch(FileError):
    """The value before an event differs from the present one."""

    code = "mismatch"


def held_now(scene: Scene, who: str, what: str) -> Any:
    """The present value of a property."""
    if not who:
        return _drawn(scene, what) if what.startswith(TERRAIN) else getattr(scene, what)
    if who.startswith(SIDE):
        return scene.side_pool(who[len(SIDE) :], what)
    fighter = scene.fighters.get(who)
    if what == "fighter":
        return record_of(fighter) if fighter else None
    if fighter is None:
        raise Mismatch(f"no fighter here is called {who}")
    return held_by(fighter, what)


def held_by(fighter: Fighter, what: str) -> Any:
    """The present value of a property of a fighter, named as in events."""
    if what in WHOLE:
        return getattr(fighter, what)
    group, _, key = what.partition(":")
    if group in GROUPS:
        return getattr(fighter, GROUPS[group]).get(key, ABSENT.get(group))
    return fighter.pools.get(what, 0)


def _cell(scene: Scene, what: str) -> tuple[int, int]:
    """The cell of the map that an event about terrain names; Mismatch if there is none."""
    x, comma, y = what[len(TERRAIN) :].partition(",")
    try:
        cell = scene.field.cell((int(x), int(y))) if scene.field is not None else None
    except ValueError:
        cell = None
    if cell is None or scene.field is None or not scene.field.has(cell):
        raise Mismatch(f"no cell of a map is at {x}{comma}{y}"[:80])
    return cell


def _drawn(scene: Scene, what: str) -> str:
    """The key of the legend at the cell that an event about terrain names."""
    cell = _cell(scene, what)
    assert scene.field is not None
    return scene.field.drawn_at(cell)


ABSENT = {"condition": False, "mark": 0}
"""The value of a property that a fighter lacks, by group; None for the others."""
SIMPLE = frozenset((int, str, bool, float, type(None)))
"""The types of values that JSON has as they are."""


def change(scene: Scene, who: str, what: str, now: Any, rule: str = "") -> tuple[Event, ...]:
    """The event that sets a value to `now`; none if it has that value."""
    was = held_now(scene, who, what)
    return () if is_same(was, now) else (Event(who, what, was, now, rule),)


def shift(scene: Scene, who: str, pool: str, by: int, rule: str = "") -> tuple[Event, ...]:
    """The event that moves a fighter's pool by a number, inside its bounds."""
    fighter = scene.fighters[who]
    return change(scene, who, pool, fighter.bounded(pool, fighter.pools.get(pool, 0) + by), rule)


def apply_all(scene: Scene, events: Iterable[Event]) -> Scene:
    """The scene after all the events; Mismatch where a value was not what an event says."""
    fighters: dict[str, Fighter] | None = None
    for event in events:
        who, what, _, now, _ = event
        if not who or what == "fighter" or who.startswith(SIDE):
            if fighters is not None:
                scene, fighters = scene._replace(fighters=fighters), None
            _require_same(event, held_now(scene, who, what))
            scene = _with_change(scene, event)
            continue
        fighters = dict(scene.fighters) if fighters is None else fighters
        if who not in fighters:
            raise Mismatch(f"no fighter here is called {who}")
        _require_same(event, held_by(fighters[who], what))
        fighters[who] = with_value(fighters[who], what, now)
    return scene if fighters is None else scene._replace(fighters=fighters)


def _require_same(event: Event, present: Any) -> None:
    """Mismatch where the present value is not what an event says it was."""
    who, what, was, _, _ = event
    if present != was and what != "fighter" and plain(present) != plain(was):
        raise Mismatch(
            f"{who or 'the scene'}: {what} is {plain(present)}, where the record says {plain(was)}"
        )


def _with_change(scene: Scene, event: Event) -> Scene:
    """The scene after an event about itself, about a side, or about who is there."""
    who, what, _, now, _ = event
    if what == "fighter":
        fighters = dict(scene.fighters)
        if now is None:
            del fighters[who]
        else:
            fighters[who] = fighter_of(now)
        return scene._replace(fighters=fighters)
    if who:
        return scene.with_side_pool(who[len(SIDE) :], what, now)
    if what.startswith(TERRAIN) and scene.field is not None:
        if not scene.field.knows(now):
            raise Mismatch(f"the legend of the field has no {now!r}")
        return scene._replace(field=scene.field.put(_cell(scene, what), now))
    changed: dict[str, Any] = {what: frozen_value(now)}
    return scene._replace(**changed)


def frozen_value(value: Any) -> Any:
    """The value with tuples in place of lists."""
    if isinstance(value, dict):
        return {name: frozen_value(part) for name, part in value.items()}
    return tuple(frozen_value(part) for part in value) if isinstance(value, (list, tuple)) else value


def with_value(fighter: Fighter, what: str, now: Any) -> Fighter:
    """The fighter with another value of a property, named as in events."""
    now = tuple(now) if isinstance(now, list) else now
    changed: dict[str, Any]
    if what in WHOLE:
        changed = {what: now}
        return fighter._replace(**changed)
    group, _, key = what.partition(":")
    if group not in GROUPS:
        return fighter.with_pools({what: now})
    return fighter.with_entry(GROUPS[group], key, None if now == ABSENT.get(group) else now)


def revert_all(scene: Scene, events: Iterable[Event]) -> Scene:
    """The scene as it was before all the events."""
    backwards = reversed(tuple(events))
    return apply_all(scene, (Event(who, what, now, was, rule) for who, what, was, now, rule in backwards))


def is_same(one: Any, other: Any) -> bool:
    """Whether two values are the same as JSON has them."""
    if type(one) is type(other) and type(one) in SIMPLE:
        return bool(one == other)
    return bool(plain(one) == plain(other))


def plain(value: Any) -> Any:
    """The value as JSON types: lists for tuples, strings for keys."""
    if type(value) in SIMPLE:
        return value
    if isinstance(value, int):
        # A number that remembers more, such as its parts: as sheets and journals write it.
        return value.plain() if hasattr(value, "plain") else int(value)
    if isinstance(value, (tuple, list)):
        return [plain(part) for part in value]
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    return value


def record_of(fighter: Fighter) -> dict[str, Any]:
    """A fighter as a mapping fit for JSON; the way back is `fighter_of`."""
    record: dict[str, Any] = plain(fighter._asdict())
    return record


def fighter_of(record: Mapping[str, Any]) -> Fighter:
    """The fighter that a record holds."""
    fields = dict(record)
    fields["limits"] = {pool: tuple(bounds) for pool, bounds in fields["limits"].items()}
    fields["ends"] = {name: tuple(end) for name, end in fields["ends"].items()}
    fields["held"] = tuple(fields["held"])
    fields["at"] = None if fields["at"] is None else tuple(fields["at"])
    return Fighter(**fields)
