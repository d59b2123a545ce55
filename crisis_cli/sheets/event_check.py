"""Events of an encounter that can never happen, or that happen before anybody acts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ..engine.encounter import PLAYERS, SIDE_OF, is_one_of
from ..engine.field import BattleMap
from ..engine.kinds import Fault, Path
from ..values import NamedTuple
from .encounter_check import groups_of, least_of, most_of, party_copies

Value = Mapping[str, Any]
OTHER_WHENS = ("round", "after")
"""What keeps an event back that else might happen before anybody acts."""
HALF = 50
"""The percent of life below which somebody is hurt where nothing is said."""


UNWEIGHED = ("at", "fixed", "doctrine")
"""Keys of a group that say nothing of how many they are, what they are called, and how much life they have."""


class GroupPart(NamedTuple):
    """Some fighters of one group, as an event means them."""

    path: Path
    """Where the group stands in the file."""
    group: Value
    names: tuple[str, ...]
    side: str

    @property
    def event(self) -> int | None:
        """The event that brings them, counted from 0; None for those who are there."""
        return self.path[1] if self.path[0] == "event" and isinstance(self.path[1], int) else None

    def is_meant(self, word: str) -> bool:
        """Whether a name or a side in an event means them."""
        return self.is_whole(word) or any(is_one_of(word, name) for name in self.names)

    def is_whole(self, word: str) -> bool:
        """Whether a word means all of them, not one of several as `Guard 2` does."""
        return word.removeprefix(SIDE_OF) == self.side or any(is_one_of(name, word) for name in self.names)


class OpeningFacts(NamedTuple):
    """What there is to know before the first round."""

    events: Sequence[Value]
    parts: Sequence[GroupPart]
    field: BattleMap | None
    life: Callable[[Value], float]
    """The share of its life, from 0 to 1, with which a group begins."""

    def meant(self, word: str) -> list[GroupPart]:
        """All that a word means, those who come later too."""
        return [part for part in self.parts if part.is_meant(word)]

    def is_open(self, word: str) -> bool:
        """Whether the file does not say how many fighters a word means: players that it does not name, those that an
        event brings again and again, or one of several."""
        return any(
            (part.path == ("party",) and not part.group.get("sheets"))
            or (part.event is not None and self.events[part.event].get("again"))
            or not part.is_whole(word)
            for part in self.meant(word)
        )

    def most(self, word: str) -> int:
        """The most fighters that a word can mean, those who come later too."""
        return sum(most_of(part.group) for part in self.meant(word))

    def at_first(self, word: str) -> list[GroupPart]:
        """Those meant who are there at the beginning."""
        return [part for part in self.meant(word) if part.event is None]


def faults_of_events(
    values: Value,
    fighters: Sequence[str],
    party: Sequence[str],
    field: BattleMap | None,
    life: Callable[[Value], float],
    known: Sequence[Fault],
) -> Iterator[Fault]:
    """The events that can never happen, and those that happen before anybody acts; nothing where what is `known` to be
    wrong leaves it open.

    `fighters` are the names of the groups, `party` those of the players' fighters, and `life` gives the share of its
    life, from 0 to 1, with which a group begins.
    """
    events: Sequence[Value] = values.get("event", ())
    if not all(map(_is_harmless, known)):
        return
    wrong = {fault.path[1] for fault in known if fault.path[0] == "event" and fault.path[2:3] != ("add",)}
    groups = zip(groups_of(values), fighters, strict=True)
    parts = [GroupPart(path, one, (name,), one["side"]) for (path, one), name in groups]
    parts += _party(values.get("party", {}), party)
    readable = [{} if at in wrong else event for at, event in enumerate(events)]
    course = OpeningFacts(readable, parts, field, life)
    possible, ends = _possible(course), _sure_ends(readable)
    for number, event in enumerate(readable):
        path = ("event", number)
        found = list(_never(course, path, event)) or list(_late(path, event, ends))
        if not found and number not in possible:
            found = [Fault(path, _without(course, number, event, possible))]
        if not found and not any(key in event for key in OTHER_WHENS):
            found = list(_at_once(course, path, event))
        yield from found


def _party(group: Value, names: Sequence[str]) -> Iterator[GroupPart]:
    """The party, each of its sheets as a part of its own where the names of all are known."""
    sheets, at, start = group.get("sheets", ()), group.get("at", ()), 0
    if not sheets or len(sheets) != len(names):
        yield GroupPart(("party",), group, tuple(names), PLAYERS)
        return
    for sheet, name in zip(sheets, names, strict=True):
        end = start + party_copies(sheet)
        spots = at if isinstance(at, str) else at[start:end]
        yield GroupPart(("party",), {**group, "sheets": [sheet], "at": spots}, (name,), PLAYERS)
        start = end


def _is_harmless(fault: Fault) -> bool:
    """Whether a fault leaves the groups of fighters as they are, how many they are and what they are called."""
    where, *rest = fault.path
    if where == "event" and rest[1:2] != ["add"]:
        return bool(rest)
    if where not in ("event", "fighter", "party"):
        return True
    key = rest[0 if where == "party" else 3 if where == "event" else 1 :]
    return bool(key) and key[0] in UNWEIGHED


def _never(course: OpeningFacts, path: Path, event: Value) -> Iterator[Fault]:
    """What an event waits for in vain, or what says nothing."""
    word, left = event.get("down", ""), event.get("left", 0)
    if left and word and not course.is_open(word) and 0 < (most := course.most(word)) <= left:
        yield Fault((*path, "left"), f"must be below {most}: there are never more of {_said(word)}")
    if "reach" not in event:
        return
    who, count, place, field = event.get("who", PLAYERS), event.get("count", 1), event["reach"], course.field
    standing = course.meant(who)
    if word and not left and standing and all(part.is_whole(word) for part in standing):
        yield Fault(
            (*path, "who"), f"must stand to reach a place, and with `down` all of {_said(who)} are down"
        )
    if not course.is_open(who) and 0 < (most := course.most(who)) < count:
        yield Fault((*path, "count"), f"must be {most} at most: there are never more of {_said(who)}")
    if field is None or place not in field.places():
        return
    cells = [field.cell(one) for one in field.cells_of(place)]
    puts = [one for other in course.events for one in other.get("terrain", ()) if one["at"]]
    keys = [field.key_of(one["to"]) for one in puts]
    is_put = any(key in field.legend and field.legend[key].place == place for key in keys)
    changed = {field.cell(one["at"]) for one in puts}
    if not is_put and all(field.terrain(cell).stops_move and cell not in changed for cell in cells):
        why = "all its cells stop movement" if cells else "it has no cell on the map"
        yield Fault((*path, "reach"), f"nobody can stand on {place}: {why}")


def _said(word: str) -> str:
    return word.removeprefix(SIDE_OF)


def _sure_ends(events: Sequence[Value]) -> list[tuple[int, int]]:
    """The events that are sure to end the fight: the round that they come with, and their number."""
    sure = [
        (event["round"] if "round" in event else event["after"] + 1, number)
        for number, event in enumerate(events)
        if event.get("wins") and len({"round", "after", "down", "hurt", "reach", "odds"} & event.keys()) == 1
        if "round" in event or "after" in event
    ]
    return sorted(sure)


def _late(path: tuple[str, int], event: Value, ends: Sequence[tuple[int, int]]) -> Iterator[Fault]:
    """The fault of an event that waits for a round which comes after a sure end."""
    own = max(event.get("round", 0), event.get("after", -1) + 1)
    key = "round" if event.get("round", 0) == own else "after"
    for last, number in ends:
        if own and (last, number) < (own, path[1]):
            yield Fault(
                (*path, key), f"can never happen: event[{number}] ends the fight as round {last} begins"
            )
            return


def _possible(course: OpeningFacts) -> set[int]:
    """The numbers of the events whose fighters are there, or come with another event that is possible."""
    possible: set[int] = set()
    while True:
        more = {
            number
            for number, event in enumerate(course.events)
            if all(
                any(part.event is None or part.event in possible for part in meant)
                for word in _words(event)
                if (meant := course.meant(word))
            )
        }
        if more == possible:
            return possible
        possible = more


def _words(event: Value) -> list[str]:
    """The words for the fighters that an event waits for."""
    who = event.get("who", PLAYERS) if "reach" in event else ""
    return [word for word in (event.get("down"), event.get("hurt"), who) if word]


def _without(course: OpeningFacts, number: int, event: Value, possible: set[int]) -> str:
    for word in _words(event):
        meant = course.meant(word)
        if meant and not any(part.event is None or part.event in possible for part in meant):
            bringing = meant[0].event
            by = "it" if bringing == number else f"event[{bringing}], which can never happen either"
            return f"can never happen: {_said(word)} comes only with {by}"
    return "can never happen"


def _at_once(course: OpeningFacts, path: Path, event: Value) -> Iterator[Fault]:
    """The fault of an event all of whose conditions hold at the beginning."""
    found: list[Fault] = []
    if "down" in event:
        found += _is_down(course, path, event)
    if "hurt" in event:
        found += _is_hurt(course, path, event)
    if "reach" in event:
        found += _is_reached(course, path, event)
    if len(found) == sum(key in event for key in ("down", "hurt", "reach")):
        yield from found[:1]


EARLY = "happen before anybody acts"
WAY = "for that write `round = 1`"


def _is_down(course: OpeningFacts, path: Path, event: Value) -> Iterator[Fault]:
    word, left = event["down"], event.get("left", 0)
    there = course.at_first(word)
    least = max(1, sum(least_of(part.group) for part in there))
    if there and not course.is_open(word) and least <= left:
        why = f"there may be only {least} of {_said(word)} at the beginning, and then it would {EARLY}"
        yield Fault((*path, "left"), f"must be below {least}: {why}")


def _is_hurt(course: OpeningFacts, path: Path, event: Value) -> Iterator[Fault]:
    below = event.get("below", HALF)
    for part in (one for one in course.at_first(event["hurt"]) if one.path[0] == "fighter"):
        share = 100 * course.life(part.group)
        if share < below:
            key = "below" if "below" in event else "hurt"
            said = f"{_said(event['hurt'])} begins with {share:.0f} % of its life"
            yield Fault((*path, key), f"would {EARLY}: {said}; {WAY}")
            return


def _is_reached(course: OpeningFacts, path: Path, event: Value) -> Iterator[Fault]:
    field, who = course.field, event.get("who", PLAYERS)
    there = course.at_first(who)
    if field is None or not all(part.is_whole(who) for part in there):
        return
    cells = {field.cell(place) for place in field.cells_of(event["reach"])}
    inside = sum(_inside(part.group, event["reach"], cells, field) for part in there)
    everybody = sum(most_of(part.group) for part in there)
    if there and inside >= (everybody if event.get("all") else event.get("count", 1)):
        verb = "begin" if who in (one.side for one in there) else "begins"
        yield Fault((*path, "reach"), f"would {EARLY}: {_said(who)} {verb} there; {WAY}")


def _inside(group: Value, place: str, cells: set[tuple[int, int]], field: BattleMap) -> int:
    """How many of a group are sure to begin on a place."""
    at = group.get("at", ())
    if isinstance(at, str):
        return least_of(group) if at == place else 0
    return sum(bool(point) and field.cell(point) in cells for point in at[: least_of(group)])
