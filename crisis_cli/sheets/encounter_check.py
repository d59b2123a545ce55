"""What is wrong between one key of an encounter's file and another: names, sides and places that nothing has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..engine.dice_amount import amount
from ..engine.encounter import NOBODY, PLAYERS, SIDE_OF, is_one_of
from ..engine.field import Field
from ..engine.kinds import Fault, Path, guess, shown
from ..values import NamedTuple

WHEN = ("round", "after", "down", "hurt", "reach")
WHAT = ("text", "add", "remove", "terrain", "conditions", "doctrine", "circumstance", "tension", "wins")
GOES_WITH = {"left": "down", "below": "hurt", "who": "reach", "count": "reach", "all": "reach"}
"""Keys of an event that need another one."""

Groups = Sequence[tuple[Path, Mapping[str, Any]]]
"""Where the groups of fighters stand in a file, and their values."""


class Names(NamedTuple):
    """The names that an encounter knows."""

    fighters: tuple[str, ...] | None
    """None where one cannot be read: then none is missed."""
    sides: tuple[str, ...] | None
    field: Field | None
    is_map_whole: bool
    """Whether nothing is wrong with the map: then places may be missed."""

    @property
    def places(self) -> tuple[str, ...]:
        """The places of its map."""
        return self.field.places() if self.field else ()


def groups_of(values: Mapping[str, Any]) -> Groups:
    """All groups of fighters: those who are there, then those that events bring."""
    groups: list[tuple[Path, Mapping[str, Any]]] = [
        (("fighter", at), one) for at, one in enumerate(values["fighter"])
    ]
    for number, event in enumerate(values.get("event", ())):
        groups += [(("event", number, "add", at), one) for at, one in enumerate(event.get("add", ()))]
    return groups


def faults_between(
    values: Mapping[str, Any], fighters: Sequence[str], field: Field | None, known: Sequence[Fault]
) -> Iterator[Fault]:
    """What is wrong between the keys of a file; `fighters` are all names that its fighters have.

    What is `known` to be wrong has a default in its place, which is not to blame for anything here.
    """
    if not values["fighter"]:
        yield Fault(("fighter",), "must have at least one: [[fighter]]")
    groups = groups_of(values)
    sides = dict.fromkeys((PLAYERS, *(one["side"] for _, one in groups)))
    wrong = {fault.path[:1] for fault in known}
    unread = {key for fault in known for key in ("name", "sheet", "side", "sheets") if key in fault.path[1:]}
    names = Names(
        tuple(dict.fromkeys(fighters)) if not unread - {"side"} and ("fighter",) not in {fault.path for fault in known} else None,
        tuple(sides) if "side" not in unread and ("fighter",) not in {fault.path for fault in known} else None,
        field,
        not wrong & {("map",), ("legend",), ("scale",), ("origin",)},
    )
    for path, one in (*groups, (("party",), values.get("party", {}))):
        yield from _wrong_spots(path, one, names)
    for at, one in enumerate(values.get("circumstance", ())):
        yield from _wrong_circumstance(("circumstance", at), one, names)
    for at, event in enumerate(values.get("event", ())):
        path = ("event", at)
        if not any(fault.path[:2] == path and len(fault.path) <= 3 for fault in known):
            yield from _wrong_shape(path, event)
        yield from _wrong_event(path, event, names)


def _wrong_spots(path: Path, one: Mapping[str, Any], names: Names) -> Iterator[Fault]:
    """What is wrong with where a group stands."""
    at, field = one.get("at"), names.field
    most = most_of(one)
    if one.get("fixed") and not isinstance(at, str):
        yield Fault((*path, "fixed"), "goes with the name of a place in `at`")
    if isinstance(at, str):
        unknown = list(_unknown_place((*path, "at"), at, names))
        yield from unknown
        if not unknown and field is not None and names.is_map_whole and not field.zones:
            free = [place for place in field.cells_of(at) if not field.at(place).stops_move]
            if len(free) < most:
                yield Fault((*path, "at"), f"{at} has {_cells(len(free))} for {most}")
        return
    if at and most > len(at):
        yield Fault((*path, "at"), f"must have a place for each of {most}, not {len(at)}")
    for point in filter(None, at or ()):
        if field is None or not names.is_map_whole:
            continue
        if field.at(point).stops_move:
            yield Fault((*path, "at"), f"{_said(point)} is {field.at(point).name or 'a cell that stops'}")
        elif not field.has(field.cell(point)):
            yield Fault((*path, "at"), f"{_said(point)} is not on the map")


def most_of(group: Mapping[str, Any]) -> int:
    """The most fighters that a group, or the party, can have."""
    many = amount(group["count"]) if "count" in group else None
    return many.many * many.sides + many.plus if many else len(group.get("sheets", "1"))


def least_of(group: Mapping[str, Any]) -> int:
    """The fewest fighters that a group has; none come of dice that fall below one."""
    many = amount(group["count"]) if "count" in group else None
    return max(0, many.many + many.plus) if many else 1


def _cells(many: int) -> str:
    return "1 free cell" if many == 1 else f"{many or 'no'} free cells"


def _said(point: Sequence[float]) -> str:
    return f"{point[0]:g},{point[1]:g}"


def _wrong_circumstance(path: Path, one: Mapping[str, Any], names: Names) -> Iterator[Fault]:
    if not one["rolls"]:
        yield Fault((*path, "rolls"), "must have at least one roll")
    if one.get("who"):
        yield from _unknown_one((*path, "who"), one["who"], names)


def _wrong_shape(path: Path, event: Mapping[str, Any]) -> Iterator[Fault]:
    """What is wrong between the keys of an event."""
    if not any(key in event for key in WHEN):
        yield Fault(path, f"must say when it happens: {', '.join(WHEN[:-1])} or {WHEN[-1]}")
    if not any(event.get(key) for key in WHAT):
        yield Fault(path, f"must say what happens: {', '.join(WHAT[:-1])} or {WHAT[-1]}")
    for key, needed in GOES_WITH.items():
        if key in event and needed not in event:
            yield Fault((*path, key), f"goes with `{needed}`")
    if event.get("all") and "count" in event:
        yield Fault((*path, "count"), "does not go with `all`")
    if "after" in event and "round" in event and event["round"] <= event["after"]:
        yield Fault((*path, "round"), f"can say nothing beside `after = {event['after']}`")


def _wrong_event(path: Path, event: Mapping[str, Any], names: Names) -> Iterator[Fault]:
    """The names in an event that nothing has."""
    for key in ("down", "hurt"):
        word = event.get(key, "")
        if word.startswith(SIDE_OF):
            yield from _unknown_side((*path, key), word.removeprefix(SIDE_OF), names)
        elif word:
            yield from _unknown_fighter((*path, key), word, names)
    if "reach" in event:
        yield from _unknown_place((*path, "reach"), event["reach"], names)
    if "who" in event:
        yield from _unknown_one((*path, "who"), event["who"], names)
    for at, word in enumerate(event.get("remove", ())):
        yield from _unknown_one((*path, "remove", at), word, names)
    for key in ("conditions", "doctrine"):
        for word in event.get(key, {}):
            yield from _unknown_one((*path, key, word), word, names)
    for at, one in enumerate(event.get("circumstance", ())):
        yield from _wrong_circumstance((*path, "circumstance", at), one, names)
    for at, one in enumerate(event.get("terrain", ())):
        yield from _wrong_terrain((*path, "terrain", at), one, names)
    if "wins" in event:
        yield from _unknown_side((*path, "wins"), event["wins"], names, (NOBODY,))


def _wrong_terrain(path: Path, one: Mapping[str, Any], names: Names) -> Iterator[Fault]:
    field = names.field
    if not names.is_map_whole:
        return
    if field is None:
        yield Fault(path, "goes with a map")
        return
    if one["at"] and not field.has(field.cell(one["at"])):
        yield Fault((*path, "at"), f"{_said(one['at'])} is not on the map")
    if field.key_of(one["to"]) is None:
        known = [entry.name or key for key, entry in field.legend.items()]
        there = ", ".join((*known, "open"))
        yield Fault((*path, "to"), f"unknown {shown(one['to'])}{guess(one['to'], known)}; there are: {there}")


def _unknown_fighter(path: Path, word: str, names: Names) -> Iterator[Fault]:
    if names.fighters is None:
        return
    if not any(is_one_of(name, word) or is_one_of(word, name) for name in names.fighters):
        known = f"there are: {', '.join(names.fighters)}"
        yield Fault(path, f"no fighter is called {shown(word)}{guess(word, names.fighters)}; {known}")


def _unknown_side(path: Path, word: str, names: Names, more: Sequence[str] = ()) -> Iterator[Fault]:
    known = (*(names.sides or ()), *more)
    if names.sides is not None and word not in known:
        there = ", ".join(known)
        yield Fault(path, f"no side is called {shown(word)}{guess(word, known)}; there are: {there}")


def _unknown_one(path: Path, word: str, names: Names) -> Iterator[Fault]:
    if names.fighters is not None and names.sides is not None and word not in names.sides:
        yield from _unknown_fighter(path, word, names._replace(fighters=(*names.fighters, *names.sides)))


def _unknown_place(path: Path, word: str, names: Names) -> Iterator[Fault]:
    if names.is_map_whole and word not in names.places:
        known = f"; there are: {', '.join(names.places)}" if names.places else "; the legend names none"
        yield Fault(path, f"no place is called {shown(word)}{guess(word, names.places)}{known}")
