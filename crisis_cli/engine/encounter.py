"""Encounters: a place, those who are in it, and what happens there by itself; read from the values of a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..values import NamedTuple
from .dice_amount import Amount

if TYPE_CHECKING:
    from .field import BattleMap

PLAYERS, OPPONENTS, NOBODY = "players", "opponents", "nobody"
"""The side of the party, that of those it meets, and who wins where no side does."""
EACH = "each"
"""What `to` of an award says where everybody of the party gets it."""
SIDE_OF = "side:"
"""What stands before a side where a fighter could be named: `down = "side:opponents"`."""
NEVER = 1_000_000_000
"""A round that no fight comes to."""


class Spots(NamedTuple):
    """Where fighters stand: points in their order, or the cells of a named place."""

    points: tuple[tuple[float, float], ...] = ()
    place: str = ""
    is_fixed: bool = False
    """Whether the cells of the place are taken in reading order; else dice choose them."""


class Group(NamedTuple):
    """Fighters of one sheet who are there, or come."""

    sheet: str | Mapping[str, Any]
    """The name of a sheet, or its values."""
    name: str
    """Their name; empty for that of the sheet."""
    many: Amount | None
    """How many; None for one without a number."""
    side: str
    spots: Spots
    doctrine: str
    conditions: Mapping[str, int | bool]
    pools: Mapping[str, int]
    leaves_loot: bool
    """Whether they leave their things behind when they are out of the fight."""

    @property
    def called(self) -> str:
        """The name of each, a number left out; that of the sheet where the group has none."""
        return self.name or (self.sheet if isinstance(self.sheet, str) else str(self.sheet["name"]))


class Reward(NamedTuple):
    """What a victory brings: words, or else a thing, ammunition or an award."""

    words: str = ""
    give: str = ""
    """The name of a weapon or an item."""
    ammo: str = ""
    """The name of the weapon for which it is ammunition."""
    many: int = 0
    """How many; 0 where nothing is said."""
    award: str = ""
    """An amount and perhaps a unit: `2 xp`."""
    for_each: bool = False
    """Whether everybody of the party gets the award."""
    entries: Mapping[str, Mapping[str, Any]] = {}
    """What is given as a sheet would have it, by the singular of its table: "weapon", "item"."""

    def to_dict(self) -> dict[str, Any]:
        """The table of a reward that is more than words, as the file has it."""
        to = EACH if self.for_each else ""
        keys = {"give": self.give, "ammo": self.ammo, "count": self.many, "award": self.award, "to": to}
        return {**{key: value for key, value in keys.items() if value}, **self.entries}


class Circumstance(NamedTuple):
    """A standing modifier of the place (ALL-6): darkness, rain, high ground."""

    name: str
    rolls: tuple[str, ...]
    value: int
    who: str = ""
    """The fighter or the side that it concerns; empty for everybody."""
    distance: int = 0
    """From which distance on it counts."""


class LegendChange(NamedTuple):
    """Another entry of the legend, put at a place of the map."""

    at: tuple[float, float]
    to: str


class Trigger(NamedTuple):
    """An event of an encounter: when it happens, and what then."""

    number: int
    """Its place in the file, from 1."""
    round: int | None = None
    after: int | None = None
    down: str = ""
    left: int = 0
    hurt: str = ""
    below: int = 50
    reach: str = ""
    who: str = PLAYERS
    many: int = 1
    """How many must reach the place."""
    everyone: bool = False
    chance: int | None = None
    """In percent; None: it happens for certain."""
    again: bool = False
    text: str = ""
    add: tuple[Group, ...] = ()
    remove: tuple[str, ...] = ()
    terrain: tuple[LegendChange, ...] = ()
    conditions: Mapping[str, Mapping[str, int | bool]] = {}
    doctrine: Mapping[str, str] = {}
    circumstances: tuple[Circumstance, ...] = ()
    tension: int = 0
    wins: str = ""
    secret: bool = False
    """Whether players and automatic fighters learn only by the event itself that a side wins by it."""


class Encounter(NamedTuple):
    """An encounter as a crisis knows it."""

    name: str
    about: str = ""
    open: str = ""
    won: str = ""
    lost: str = ""
    reward: tuple[Reward, ...] = ()
    party: tuple[str, ...] = ()
    party_spots: Spots = Spots()
    groups: tuple[Group, ...] = ()
    circumstances: tuple[Circumstance, ...] = ()
    triggers: tuple[Trigger, ...] = ()
    last_stand: bool = True
    """Whether it ends when one side is out of the fight."""
    file: str = ""
    """The name by which commands find it."""

    def ending(self, winner: str) -> tuple[str, tuple[Reward, ...]]:
        """The text for an end and the rewards, by the side that has won; empty for no side."""
        if winner == PLAYERS:
            return self.won, self.reward
        return (self.lost if winner else ""), ()

    def known_field(self, field: BattleMap, fired: Sequence[int] = ()) -> BattleMap:
        """The map without the terrain that only secret events put there, of those that have not come up."""
        secret = [one for one in self.triggers if one.secret and not {one.number, -one.number} & {*fired}]
        kept = {*field.cells.values(), *_put(field, [one for one in self.triggers if one not in secret])}
        hidden = {*_put(field, secret)} - kept
        return field.without(hidden) if hidden else field

    def without_secrets(self) -> Encounter:
        """The encounter with a round that never comes as all that its secret events wait for."""
        never = (Trigger(one.number, round=NEVER) if one.secret else one for one in self.triggers)
        return self._replace(triggers=tuple(never))


def _put(field: BattleMap, events: Iterable[Trigger]) -> Iterator[str | None]:
    """The keys of the legend that events put on a map."""
    return (field.key_of(one.to) for event in events for one in event.terrain)


def is_meant(word: str, side: str, name: str) -> bool:
    """Whether a name or a side in an encounter means a fighter."""
    return side == word.removeprefix(SIDE_OF) or is_one_of(name, word)


def is_one_of(name: str, word: str) -> bool:
    """Whether a fighter's name is this word, or that of one of its copies: `Guard 2` for `Guard`."""
    bare, _, number = name.rpartition(" ")
    return word.casefold() in (name.casefold(), bare.casefold() if number.isdigit() else name.casefold())


def encounter_of(record: Mapping[str, Any], file: str) -> Encounter:
    """The encounter that checked values hold; `file` is the name of their file."""
    party = record.get("party", {})
    return Encounter(
        name=record.get("name", file),
        **{key: record[key] for key in ("about", "open", "won", "lost", "last_stand") if key in record},
        reward=tuple(map(reward_of, record.get("reward", ()))),
        party=tuple(party.get("sheets", ())),
        party_spots=_spots(party),
        groups=tuple(map(_group, record["fighter"])),
        circumstances=tuple(map(_circumstance, record.get("circumstance", ()))),
        triggers=tuple(_trigger(number, one) for number, one in enumerate(record.get("event", ()), start=1)),
        file=file,
    )


def reward_of(record: str | Mapping[str, Any]) -> Reward:
    """The reward that a checked value says: words, or a table."""
    if isinstance(record, str):
        return Reward(record)
    return Reward(
        "",
        record.get("give", ""),
        record.get("ammo", ""),
        record.get("count", 0),
        record.get("award", ""),
        record.get("to") == EACH,
        {key: value for key, value in record.items() if isinstance(value, Mapping)},
    )


def _spots(record: Mapping[str, Any]) -> Spots:
    at = record.get("at", ())
    if isinstance(at, str):
        return Spots((), at, record.get("fixed", False))
    return Spots(tuple((point[0], point[1]) for point in at))


def _group(record: Mapping[str, Any]) -> Group:
    return Group(
        record["sheet"],
        record.get("name", ""),
        Amount.of(record["count"]) if "count" in record else None,
        record["side"],
        _spots(record),
        record.get("doctrine", ""),
        _levels(record.get("conditions", ())),
        record.get("pools", {}),
        record.get("loot", True),
    )


def _levels(conditions: Any) -> Mapping[str, int | bool]:
    """Conditions with their levels, from a list or a table of them."""
    return conditions if isinstance(conditions, Mapping) else dict.fromkeys(conditions, True)


def _circumstance(record: Mapping[str, Any]) -> Circumstance:
    return Circumstance(
        record["name"],
        tuple(record["rolls"]),
        record["value"],
        record.get("who", ""),
        record.get("range") or 0,
    )


def _trigger(number: int, record: Mapping[str, Any]) -> Trigger:
    plain = {key: record[key] for key in PLAIN if key in record}
    return Trigger(
        number,
        **plain,
        many=record.get("count", 1),
        everyone=record.get("all", False),
        chance=record.get("odds"),
        add=tuple(map(_group, record.get("add", ()))),
        remove=tuple(record.get("remove", ())),
        terrain=tuple(
            LegendChange((one["at"][0], one["at"][1]), one["to"]) for one in record.get("terrain", ())
        ),
        conditions={who: _levels(some) for who, some in record.get("conditions", {}).items()},
        circumstances=tuple(map(_circumstance, record.get("circumstance", ()))),
    )


PLAIN = (
    *("round", "after", "down", "left", "hurt", "below", "reach", "who", "again"),
    *("text", "doctrine", "tension", "wins", "secret"),
)
"""The keys of an event that are taken as they are."""
