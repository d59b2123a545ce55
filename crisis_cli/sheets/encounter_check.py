"""What is wrong between one key of an encounter's file and another: names, sides and places that nothing has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

from ..engine.dice_amount import Amount
from ..engine.encounter import NOBODY, OPPONENTS, PLAYERS, SIDE_OF, is_one_of
from ..engine.field import BattleMap
from ..engine.kinds import Absent, Fault, Path, guess, nearest, shown
from ..engine.scene import MOST_FIGHTERS
from ..engine.system import System
from ..values import NamedTuple

WHEN = ("round", "after", "down", "hurt", "reach")
WHAT = ("text", "add", "remove", "terrain", "conditions", "doctrine", "circumstance", "tension", "wins")
GOES_WITH = {
    "left": "down",
    "below": "hurt",
    "who": "reach",
    "count": "reach",
    "all": "reach",
    "secret": "wins",
}
"""Keys of an event that need another one."""

REWARDS = ("give", "ammo", "award")
"""What a reward can be that is more than words."""
MAP_KEYS = ("map", "legend", "scale", "origin")
"""The keys about the terrain."""
HARMLESS = (("cover",), ("penetrable",), ("slow",))
"""The keys of a legend that neither places nor ways depend on."""

Groups = Sequence[tuple[Path, Mapping[str, Any]]]
"""Where the groups of fighters stand in a file, and their values."""


class Names(NamedTuple):
    """The names that an encounter knows."""

    fighters: tuple[str, ...]
    sides: tuple[str, ...]
    field: BattleMap | None
    are_all: bool = True
    """Whether every fighter and every side could be read; else a name that is like none of them may be right."""
    is_map_whole: bool = True
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
    values: Mapping[str, Any],
    fighters: Sequence[str],
    field: BattleMap | None,
    known: Sequence[Fault],
    *,
    has_zones: bool,
) -> Iterator[Fault]:
    """What is wrong between the keys of a file; `fighters` are all names that its fighters have, empty where one could
    not be read.

    What is `known` to be wrong has a default in its place, which is not to blame for anything here.
    """
    if not values["fighter"]:
        yield Fault(("fighter",), "must have at least one: [[fighter]]")
    groups = groups_of(values)
    party = values.get("party", {})
    yield from _crowd([(("party",), party), *groups])
    names = _names(groups, fighters, field, known)
    for path, one in ((("party",), party), *groups):
        yield from _wrong_spots(path, one, names)
    if names.is_map_whole and not has_zones:
        start = [(path, one) for path, one in groups if path[0] == "fighter"]
        yield from _shared_cells([(("party",), party), *start], names)
        for path, one in groups[len(start) :]:
            yield from _shared_cells([(path, one)], names)
    for at, one in enumerate(values.get("circumstance", ())):
        yield from _wrong_circumstance(("circumstance", at), one, names)
    for at, one in enumerate(values.get("reward", ())):
        if not isinstance(one, str) and not any(fault.path[:2] == ("reward", at) for fault in known):
            yield from _wrong_reward(("reward", at), one)
    for at, event in enumerate(values.get("event", ())):
        path = ("event", at)
        if not any(fault.path[:2] == path and len(fault.path) <= 3 for fault in known):
            yield from _wrong_shape(path, event)
        yield from _wrong_event(path, event, names)


def _crowd(groups: Groups) -> Iterator[Fault]:
    """The first group for which a crisis may have no room, those that events bring counted once each."""
    many = list(accumulate(most_of(one) for _, one in groups))
    for (path, _), so_far in zip(groups, many, strict=True):
        if so_far > MOST_FIGHTERS:
            yield Fault(
                path, f"a crisis holds {MOST_FIGHTERS} fighters, and there may be {many[-1]:,} in all"
            )
            return


def _names(groups: Groups, fighters: Sequence[str], field: BattleMap | None, known: Sequence[Fault]) -> Names:
    """The names that a file knows, as far as they can be read."""
    places = {fault.path for fault in known}
    unread = {part for path in places for part in path[1:]}
    sides = (one["side"] for path, one in groups if (*path, "side") not in places)
    return Names(
        tuple(dict.fromkeys(filter(None, fighters))),
        tuple(dict.fromkeys((PLAYERS, *sides))),
        field,
        all(fighters) and "side" not in unread and ("fighter",) not in places,
        is_map_whole(known),
    )


def is_map_whole(known: Sequence[Fault]) -> bool:
    """Whether nothing known to be wrong says where one can stand, or what the places of the map are."""
    return not any(
        fault.path[0] in MAP_KEYS and not (fault.path[0] == "legend" and fault.path[2:3] in HARMLESS)
        for fault in known
    )


def _wrong_spots(path: Path, one: Mapping[str, Any], names: Names) -> Iterator[Fault]:
    """What is wrong with where a group stands."""
    at, field = one.get("at"), names.field
    most = most_of(one)
    if one.get("fixed") and not isinstance(at, str):
        yield Fault((*path, "fixed"), "goes with the name of a place in `at`")
    if isinstance(at, str):
        yield from _unknown_place((*path, "at"), at, names)
        return
    if at and most > len(at):
        yield Fault((*path, "at"), f"must have a place for each of {most}, not {len(at)}")
    if field is None or not names.is_map_whole:
        return
    for point in filter(None, at or ()):
        if field.at(point).stops_move:
            what = field.at(point).name or "a cell that stops"
            yield Fault((*path, "at"), f"{_said(point)} is {what}{_of_scale(field, point)}")
        elif not field.has(field.cell(point)):
            yield Fault((*path, "at"), f"{_said(point)} is not on the map{_of_scale(field, point)}")


def _of_scale(field: BattleMap, point: Sequence[float]) -> str:
    """Which cell of the map a place is, where cells are longer than a unit; empty where they are not."""
    if field.scale == 1:
        return ""
    column, row = field.cell(point)
    return f" (with scale = {field.scale}: column {column}, row {row} from below, both counted from 0)"


def _shared_cells(groups: Groups, names: Names) -> Iterator[Fault]:
    """The cells that two fighters would have to share, and places with too few cells for all who are to stand there."""
    field = names.field
    taken: dict[Sequence[float], str] = {}
    for path, one in groups:
        at = one.get("at")
        own = ".".join(map(str, (*path, "at"))) if len(path) == 1 else f"{path[0]}[{path[1]}].at"
        points = [point for point in (at if isinstance(at, list) else ())[: most_of(one)] if point]
        for point in points:
            cell = field.cell(point) if field else tuple(point)
            if cell in taken:
                other = "" if taken[cell] == own else f": {taken[cell]} has it"
                yield Fault(
                    (*path, "at"), f"{_said(point)} is taken{other or ' twice'}; give each a cell of its own"
                )
            taken.setdefault(cell, own)
    if field is None:
        return
    crowd: dict[str, int] = {}
    for path, one in groups:
        at = one.get("at")
        if not isinstance(at, str) or at not in names.places:
            continue
        free = sum(field.cell(place) not in taken for place in field.floor_of(at)) - crowd.get(at, 0)
        if free < most_of(one):
            yield Fault((*path, "at"), f"{at} has {_cells(free)} for {most_of(one)}")
        crowd[at] = crowd.get(at, 0) + most_of(one)


def most_of(group: Mapping[str, Any]) -> int:
    """The most fighters that a group, or the party, can have."""
    many = Amount.of(group["count"]) if "count" in group else None
    if many:
        return many.many * many.sides + many.plus
    return sum(party_copies(word) for word in group["sheets"]) if "sheets" in group else 1


def least_of(group: Mapping[str, Any]) -> int:
    """The fewest fighters that a group, or the party, can have."""
    many = Amount.of(group["count"]) if "count" in group else None
    return max(0, many.many + many.plus) if many else most_of(group)


def party_copies(word: str) -> int:
    """How many fighters a word of the party means: 2 for `drone:2`."""
    number = word.rpartition(":")[2]
    return int(number) if ":" in word and number.isascii() and number.isdigit() else 1


def doubts(values: Mapping[str, Any], system: System) -> Iterator[Fault]:
    """What may be a slip in a file and yet can be played: a side like another one, cover where there is none, and no
    way to win that the players see."""
    sides = [PLAYERS, OPPONENTS]
    for path, one in groups_of(values):
        side = one["side"]
        if side not in sides:
            if near := nearest(side, sides):
                yield Fault((*path, "side"), f"{shown(side)} is a side of its own: did you mean {near}?")
            sides.append(side)
    placed = [(path, one) for path, one in ((("party",), values.get("party", {})), *groups_of(values))]
    if values.get("map") and any(one.get("at") for _, one in placed):
        for path, one in placed:
            if not one.get("at") and (path != ("party",) or one.get("sheets")):
                yield Fault(path, "has no `at`: where do they stand on the map?")
    legend = values.get("legend")
    if isinstance(system.space.cover, Absent) and isinstance(legend, Mapping):
        for key, entry in legend.items():
            for own in entry if isinstance(entry, Mapping) else ():
                if own.lower() == "cover":
                    yield Fault(("legend", key, own), f"does nothing: {system.name} has no cover")
    won = [(at, event) for at, event in enumerate(values.get("event", ())) if event.get("wins") == PLAYERS]
    if won and not values["last_stand"] and all(event.get("secret") for _, event in won):
        yield Fault(("event", won[-1][0], "secret"), "hides the last way to win that the players could see")


def _cells(many: int) -> str:
    return "1 free cell" if many == 1 else f"{max(0, many) or 'no'} free cells"


def _said(point: Sequence[float]) -> str:
    return f"{point[0]:g},{point[1]:g}"


def _wrong_circumstance(path: Path, one: Mapping[str, Any], names: Names) -> Iterator[Fault]:
    if not one["rolls"]:
        yield Fault((*path, "rolls"), "must have at least one roll")
    if one.get("who"):
        yield from _unknown_one((*path, "who"), one["who"], names)


def _wrong_reward(path: Path, one: Mapping[str, Any]) -> Iterator[Fault]:
    """What is wrong between the keys of a reward."""
    said = [key for key in REWARDS if key in one]
    if len(said) != 1:
        yield Fault(
            path, f"must say one of {', '.join(REWARDS)}" + (f", not {' and '.join(said)}" * bool(said))
        )
        return
    tables = [key for key, value in one.items() if isinstance(value, Mapping)]
    needed = {"count": ("give", "ammo"), "to": ("award",), **dict.fromkeys(tables, ("give",))}
    for key, wanted in needed.items():
        if key in one and said[0] not in wanted:
            yield Fault((*path, key), f"goes with `{'` or `'.join(wanted)}`")
    if len(tables) > 1:
        yield Fault((*path, tables[1]), f"does not go with `{tables[0]}`")


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
        known = field.names()
        there = ", ".join(known)
        near = guess(one["to"], (*known, *field.legend))
        yield Fault((*path, "to"), f"unknown {shown(one['to'])}{near}; there are: {there}")


def _unknown_fighter(path: Path, word: str, names: Names) -> Iterator[Fault]:
    if not any(is_one_of(name, word) or is_one_of(word, name) for name in names.fighters):
        known = f"there are: {', '.join(names.fighters)}"
        near = guess(word, names.fighters)
        if near or names.are_all:
            yield Fault(path, f"no fighter is called {shown(word)}{near}; {known}")


def _unknown_side(path: Path, word: str, names: Names, more: Sequence[str] = ()) -> Iterator[Fault]:
    known = (*names.sides, *more)
    if word not in known:
        there, near = ", ".join(known), guess(word, known)
        if near or names.are_all:
            yield Fault(path, f"no side is called {shown(word)}{near}; there are: {there}")


def _unknown_one(path: Path, word: str, names: Names) -> Iterator[Fault]:
    if word not in names.sides:
        yield from _unknown_fighter(path, word, names._replace(fighters=(*names.fighters, *names.sides)))


def _unknown_place(path: Path, word: str, names: Names) -> Iterator[Fault]:
    if names.is_map_whole and word not in names.places:
        known = f"; there are: {', '.join(names.places)}" if names.places else "; the legend names none"
        yield Fault(path, f"no place is called {shown(word)}{guess(word, names.places)}{known}")
