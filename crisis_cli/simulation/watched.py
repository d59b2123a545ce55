"""Scenes that note what is read of them, so that an answer can be kept by just that.

A fight is a row of bodies: one for each fighter, then the frame (whose turn it is, and all else of the scene), the
round, and the line (the turn order). What can be read of a body is a cell. A watched scene is an ordinary scene to the
rules; it notes each cell on its first reading. The function of the rules that reads it is the same whatever the cells
hold that it did not read.

Rounds are counted from the present one: a number that a rule makes from `scene.round` stays known as such
(`RoundNumber`), so that a condition that ends in two rounds is the same in every round. A rule that looks at the
number itself has read it.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from sys import intern
from types import FrameType, MappingProxyType
from typing import Any, Generic, Protocol, TypeVar

from ..engine.scene import Fighter, Scene
from ..values import NamedTuple

CONDITIONS, ENDS, MARKS, HELD, AT, COVER, GONE, YIELDED = (
    *("conditions", "ends", "marks", "held"),
    *("at", "cover", "gone", "yielded"),
)
MARKS_OF = "marks_of"
"""What the name of a cell begins with that holds all marks of a kind."""
POOL, IS = "pool:", " is "
"""What the names of cells begin with that hold a pool (`pool:ap`), and what stands before how it compares with a number
or another pool (`pool:health is <= 0`); a pool may have words in its name (`ammo:laser rifle`)."""
SIDE_POOL = "side:"
"""What the names of cells begin with that hold a pool of a side (`side:players:ap`), and how it compares."""
ROUND, SCORES, WHOLE, STANDS = "round", "scores", "whole", "stands"
POOLS, SIDE_POOLS, ORDER, TEAMS = "pools", "side_pools", "order", "teams"
"""The field of a fighter whose parts are changed one by one, and how those of the sides are called; those of a scene
that hold the turn order."""
AFTER, BEFORE, OTHER = "after:", "before:", "\n"
"""What the names of cells begin with that hold who acts after a fighter, and whether one acts before another; what
stands between these two."""
MAPPED, SCALARS = (CONDITIONS, ENDS, MARKS, COVER), (HELD, AT, GONE, YIELDED)
"""The fields of a fighter that are mappings, each entry read by itself (`conditions:prone`), and those that are single
values; pools are apart."""
FRAME = ("turn", "early", "group", "pending", "in_sequence", "sides", "late", "left", "open", "over")
"""The fields of a scene that the frame holds."""
NAMING = ("group", "pending", "early", "late", "left")
"""Those of them that say of some fighters by name that they act together, or in this round, or what waits for them."""
LINE = (ORDER, TEAMS, SCORES)
"""Those that the line holds."""
TELLING = (SCORES, ROUND)
"""Cells that no step should read: fights that differ in nothing else count as the same."""


class Unsuited(Exception):
    """Steps of a fight cannot be remembered; the message says what in the rules is the cause, as a clause."""


def reader() -> str:
    """The function of a rulebook that is reading something now, as `FUNCTION in MODULE`; empty where none is."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if module.startswith("crisis_cli.systems.") or module.partition(".")[0] != "crisis_cli":
            return f"{frame.f_code.co_qualname} in {module}"
        if module == "crisis_cli.simulation.memo":
            return ""
        frame = frame.f_back
    return ""


class Later(int):
    """So many rounds after the present one."""


class Groups:
    """Groups of cells that are read together, by number; and a number for each row of what they hold."""

    def __init__(self) -> None:
        self.cells: list[tuple[str, ...]] = []
        self._numbers: dict[tuple[str, ...], int] = {}
        self._rows: dict[tuple[Hashable, ...], int] = {}

    def number(self, cells: tuple[str, ...]) -> int:
        """The number of a group."""
        known = self._numbers.get(cells)
        if known is None:
            known = self._numbers[cells] = len(self.cells)
            self.cells.append(cells)
        return known

    def row(self, cells: Mapping[str, Hashable], group: int) -> int:
        """The number of what is held in the cells of a group."""
        held = (group, *[cells[cell] for cell in self.cells[group]])
        return self._rows.setdefault(held, len(self._rows))


Key = TypeVar("Key")
Value = TypeVar("Value")
Of = TypeVar("Of")


class OneOfAKind(dict[Key, Value]):
    """A mapping that equals nothing but itself, whatever it holds."""

    __slots__ = ()
    __hash__ = object.__hash__  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other


class Cells(OneOfAKind[str, Hashable], Generic[Of]):
    """What a body holds, by the names of its cells, each made when it is first read."""

    __slots__ = ("of",)

    def __init__(self, of: Of, known: Mapping[str, Hashable] = MappingProxyType({})):
        super().__init__(known)
        self.of = of
        """The fighter or the scene that the cells are read from."""

    def __missing__(self, cell: str) -> Hashable:
        value = self[cell] = self.made(cell)
        return value

    def made(self, cell: str) -> Hashable:
        """What a cell holds."""
        raise NotImplementedError


class Rows(OneOfAKind[int, int]):
    """A body of a state, with the rows of what it holds by the numbers of groups of cells.

    The cells themselves are apart: there are a hundred and more, and what simulates many fights reads a few rows.
    """

    __slots__ = ("groups", "cells")

    def __init__(self, groups: Groups, cells: Cells[Any]):
        super().__init__()
        self.groups = groups
        self.cells = cells

    def __missing__(self, group: int) -> int:
        row = self[group] = self.groups.row(self.cells, group)
        return row


class FighterCells(Cells[Fighter]):
    """The cells of a fighter."""

    __slots__ = ()

    def made(self, cell: str) -> Hashable:
        """What a cell holds."""
        one = self.of
        if cell == WHOLE:
            return self
        if cell.startswith(POOL):
            pool, _, compared = cell[len(POOL) :].partition(IS)
            if not compared:
                return one.pools.get(pool, 0)
            sign, _, other = compared.partition(" ")
            than = one.pools.get(other[len(POOL) :], 0) if other.startswith(POOL) else int(other)
            return bool(COMPARED[sign](one.pools.get(pool, 0), than))
        field, is_entry, key = cell.partition(":")
        if field == MARKS_OF:
            return frozen(one.marks_of(key))
        return frozen(getattr(one, field).get(key) if is_entry else getattr(one, field))


class BodyState(Rows):
    """One state of a fighter and of the other copies of its sheet, with ends and marks counted from the present
    round."""

    __slots__ = ("fighter", "cast", "stands", "standing", "aged", "timed", "is_nameless")

    def __init__(self, fighter: Fighter, stands: bool, groups: Groups, cast: Sequence[Fighter]):
        super().__init__(groups, FighterCells(fighter, {STANDS: stands}))
        self.fighter = fighter
        """One of those who have been in this state."""
        self.cast = cast
        """The fighters as they were at the beginning, by their slots."""
        self.stands = stands
        """Whether it can still fight."""
        self.standing: dict[int, tuple[bool, tuple[Cell, ...]]] = {}
        """The same with the cells that decide it, once they are known, by slot."""
        self.timed = any(isinstance(number, Later) for _, number in fighter.ends.values()) or any(
            isinstance(value, Later) for value in fighter.marks.values()
        )
        self.is_nameless = not fighter.cover and not any(":" in mark for mark in fighter.marks)
        """Whether nothing of it says which other fighter it is about."""
        self.aged: dict[int, BodyState] = {}
        """The same after so many rounds."""

    def fighter_at(self, slot: int) -> Fighter:
        """The fighter of a slot in this state."""
        one, here = self.fighter, self.cast[slot]
        if one.name == here.name:
            return one
        return one._replace(name=here.name, sheet=here.sheet, player=here.player, file=here.file)


class FrameCells(Cells[Scene]):
    """The cells of a frame."""

    __slots__ = ()

    def made(self, cell: str) -> Hashable:
        """What a cell holds."""
        kind, _, name = cell.partition(":")
        if cell == WHOLE:
            return self
        if kind == "side":
            name, _, compared = name.partition(IS)
            side, _, pool = name.rpartition(":")
            value = self.of.side_pool(side, pool)
            sign, _, other = compared.partition(" ")
            return bool(COMPARED[sign](value, int(other))) if compared else value
        return frozen(getattr(self.of, cell))


class Frame(Rows):
    """What a scene is beside its fighters and their order: whose turn it is, the pools of the sides."""

    __slots__ = ("scene", "turn", "begun", "other", "is_nameless")

    def __init__(self, scene: Scene, groups: Groups):
        super().__init__(groups, FrameCells(scene))
        self.scene = scene
        self.turn = scene.turn
        self.begun = scene.round
        """1 once the first round has begun, else 0."""
        self.other: Frame | None = None
        """The same after or before the first round has begun, once it is known."""
        self.is_nameless = not any(getattr(scene, field) for field in NAMING)
        """Whether it names nobody beside the fighter whose turn it is."""


class Held(Rows):
    """The round."""

    __slots__ = ("value",)

    def __init__(self, value: int, groups: Groups):
        super().__init__(groups, Cells(value, {ROUND: value}))
        self.value = value


class LineCells(Cells[Scene]):
    """The cells of a line."""

    __slots__ = ()

    def made(self, cell: str) -> Hashable:
        """What a cell holds."""
        if cell.startswith(AFTER):
            return self.of.team_after(cell[len(AFTER) :])
        if cell.startswith(BEFORE):
            one, _, other = cell[len(BEFORE) :].partition(OTHER)
            return self.of._replace(turn=other, late=()).acted(one)
        return frozen(getattr(self.of, cell))


class OrderState(Rows):
    """The turn order of every round but an extra one before the first."""

    __slots__ = ("scene", "round", "places", "last")

    def __init__(self, scene: Scene, groups: Groups):
        super().__init__(groups, LineCells(scene))
        self.scene = scene
        self.round: list[Any] = []
        """The steps with which the turns of a round begin while all are here; empty until somebody notes them."""
        self.places: dict[str, int] = {"": 0}
        """By fighter the place among them of the turn after its own."""
        self.last = ""
        """Who is the last of them."""


Cell = tuple[int, str]
"""A cell of a state: which body it belongs to, and its name."""
State = tuple[Any, ...]
"""A fight as it stands: a `BodyState` for each fighter, a `Frame`, a `Held` for the round, and an `OrderState`."""


PLAIN = frozenset((int, bool, str, float, type(None)))
"""Types of values that are keys as they are."""


def frozen(value: Any) -> Hashable:
    """A value as something that can be a key; rounds from now stay apart from plain numbers."""
    kind = type(value)
    if kind in PLAIN:
        return value  # type: ignore[no-any-return]
    if not value and (kind is dict or kind is tuple):
        return ()
    if isinstance(value, (Later, More)):
        return type(value).__name__, int(value)
    if isinstance(value, (tuple, list)):
        return tuple([frozen(one) for one in value])
    if isinstance(value, Mapping):
        return tuple(sorted([(key, frozen(one)) for key, one in value.items()]))
    return value  # type: ignore[no-any-return]


class Asking(Protocol):
    """What can be asked about a state without reading what decides the answer."""

    def at(self, state: State) -> tuple[bool, tuple[Cell, ...]]:
        """The answer in a state, and the cells that decide it."""
        ...


INFINITE = float("inf")


class Watch:
    """Notes which cells of a state are read, and what is asked about it, in the order of the first time."""

    __slots__ = ("state", "reads", "bounds", "readers")

    def __init__(self, state: State):
        self.state = state
        self.readers: dict[Cell, str] = {}
        """Which function of the rules was the first to read what makes fights differ that are else the same."""
        self.bounds: dict[tuple[int, str], tuple[float, float]] = {}
        """What is known of pools by the comparisons noted: each is at least and at most so much."""
        self.reads: dict[Any, Hashable] = {}
        """What the cells held, and what the answers to questions were."""

    def ask(self, question: Asking) -> bool:
        """The answer to a question, which then counts as asked."""
        if question not in self.reads:
            self.reads[question] = question.at(self.state)[0]
        return bool(self.reads[question])

    def note(self, slot: int, cell: str) -> None:
        """Note that a cell is read."""
        key = (slot, cell)
        if key not in self.reads:
            self.reads[key] = self.state[slot].cells[cell]
            if cell in TELLING:
                self.readers[key] = reader()

    def take(self, cells: Iterable[Cell]) -> None:
        """Note what has been read elsewhere, of comparisons only those that tell something new."""
        reads, state = self.reads, self.state
        for one in cells:
            if one in reads:
                continue
            slot, cell = one
            name, _, compared = cell.partition(IS)
            if not compared or POOL in compared:
                reads[one] = state[slot].cells[cell]
            elif (slot, name) not in reads:
                sign, _, other = compared.partition(" ")
                self.compare(slot, name, sign, int(other), bool(state[slot].cells[cell]))

    def compare(self, slot: int, cell: str, sign: str, other: int, answer: bool) -> None:
        """Note the answer of a comparison of a pool with a number, unless it follows from those noted before."""
        low, high = self.bounds.get((slot, cell), (-INFINITE, INFINITE))
        if sign == "==":
            if low <= other <= high and not low == other == high:
                self.note(slot, intern(f"{cell}{IS}== {other:d}"))
                if answer:
                    self.bounds[slot, cell] = other, other
                elif other in (low, high):
                    self.bounds[slot, cell] = (other + 1, high) if other == low else (low, other - 1)
            return
        # At most so much, or more.
        most = other if sign == "<=" else other - 1
        if low <= most < high:
            self.note(slot, intern(f"{cell}{IS}{sign} {other:d}"))
            self.bounds[slot, cell] = (low, most) if answer else (most + 1, high)

    @property
    def round(self) -> int:
        """The present round."""
        now: int = self.state[-2].value if len(self.state) > 2 else 0
        return now


class WatchedNumber(int):
    """A number whose value counts as read only where it is used; compared with a constant, only that is read."""

    def read(self) -> int:
        """The value, which then has been read."""
        raise NotImplementedError

    def holds(self, sign: str, other: int) -> bool:
        """Whether a comparison with a plain number holds, which then has been read."""
        return bool(COMPARED[sign](self.read(), other))

    def _compare(self, sign: str, other: Any) -> Any:
        if isinstance(other, WatchedNumber):
            other = other.read()
        if not isinstance(other, int):
            return COMPARED[sign](self.read(), other)
        return self.holds(sign, other)

    def __eq__(self, other: object) -> bool:
        return bool(self._compare("==", other))

    def __ne__(self, other: object) -> bool:
        return not self._compare("==", other)

    def __lt__(self, other: int) -> bool:
        return bool(self._compare("<", other))

    def __le__(self, other: int) -> bool:
        return bool(self._compare("<=", other))

    def __gt__(self, other: int) -> bool:
        return not self._compare("<=", other)

    def __ge__(self, other: int) -> bool:
        return not self._compare("<", other)

    def __bool__(self) -> bool:
        return not self.holds("==", 0)

    def __hash__(self) -> int:
        return hash(self.read())

    def __int__(self) -> int:
        return self.read()

    __index__ = __trunc__ = __floor__ = __ceil__ = __pos__ = __int__

    def __float__(self) -> float:
        return float(self.read())

    def __repr__(self) -> str:
        return repr(self.read())

    def __str__(self) -> str:
        return str(self.read())

    def __format__(self, spec: str) -> str:
        return format(self.read(), spec)


COMPARED: Mapping[str, Callable[[Any, Any], Any]] = {"==": operator.eq, "<": operator.lt, "<=": operator.le}


def _on_value(name: str) -> Callable[..., Any]:
    """An operation that reads the value."""
    plain = getattr(int, name)

    def operate(self: WatchedNumber, *others: Any) -> Any:
        return plain(self.read(), *map(bare, others))

    return operate


for _name in (
    *("add", "radd", "sub", "rsub", "mul", "rmul", "mod", "rmod", "floordiv", "rfloordiv", "truediv"),
    *("rtruediv", "divmod", "rdivmod", "pow", "rpow", "and", "rand", "or", "ror", "xor", "rxor"),
    *("lshift", "rlshift", "rshift", "rrshift", "neg", "abs", "invert", "round"),
):
    setattr(WatchedNumber, f"__{_name}__", _on_value(f"__{_name}__"))


class PoolNumber(WatchedNumber):
    """What is in a pool of a fighter, or so much more: added to and compared it is not read."""

    watch: Watch
    slot: int
    cell: str
    by: int
    """How much more than what is in the pool."""

    @classmethod
    def made(cls, value: int, watch: Watch, slot: int, cell: str, by: int = 0) -> PoolNumber:
        """The number in a cell and `by`, which are `value` together."""
        one = cls(value)
        one.watch, one.slot, one.cell, one.by = watch, slot, cell, by
        return one

    def plain(self) -> PoolNumber:
        """The number itself: made plain it would be read."""
        return self

    def read(self) -> int:
        """The value, which then has been read."""
        self.watch.note(self.slot, self.cell)
        return int.__add__(self, 0)

    def holds(self, sign: str, other: int) -> bool:
        """Whether a comparison with a plain number holds, which then has been read."""
        answer = bool(COMPARED[sign](int.__add__(self, 0), other))
        if not self.is_read:
            self.watch.compare(self.slot, self.cell, sign, other - self.by, answer)
        return answer

    @property
    def is_read(self) -> bool:
        """Whether its value has been read."""
        return (self.slot, self.cell) in self.watch.reads

    def _compare(self, sign: str, other: Any) -> Any:
        if isinstance(other, PoolNumber) and other.slot == self.slot:
            if other.cell == self.cell:
                return COMPARED[sign](self.by, other.by)
            if self.by == other.by and not (self.is_read or other.is_read):
                # Two pools of a fighter: which is higher is all that is read.
                self.watch.note(self.slot, intern(f"{self.cell}{IS}{sign} {other.cell}"))
                return COMPARED[sign](int.__add__(self, 0), int.__add__(other, 0))
            if not self.by and sign != "==":
                # What has not changed is read, and what has is compared with it.
                return not other.holds("<=" if sign == "<" else "<", self.read())
        return super()._compare(sign, other)

    def __add__(self, other: int) -> int:
        if self.is_read or not isinstance(other, int) or isinstance(other, WatchedNumber):
            return int.__add__(self.read(), bare(other))
        return PoolNumber.made(int.__add__(self, other), self.watch, self.slot, self.cell, self.by + other)

    __radd__ = __add__

    def __sub__(self, other: int) -> int:
        if isinstance(other, PoolNumber) and (other.slot, other.cell) == (self.slot, self.cell):
            return self.by - other.by
        if self.is_read or not isinstance(other, int) or isinstance(other, WatchedNumber):
            return int.__sub__(self.read(), bare(other))
        return self + -other

    @property
    def settled(self) -> int | Linear:
        """The number, where the pool has been read, else how it follows from that."""
        return self.read() if self.is_read else Linear(self.slot, self.cell, 1, self.by)

    def seen_from(self, slot: int, cell: str) -> int:
        """The number as a new value of a cell: by how much more it is, where it is of that cell and not read."""
        is_own = (slot, cell) == (self.slot, self.cell) and self.by and not self.is_read
        return More(self.by) if is_own else self.read()


class PoolShare(float):
    """So many times what is in a pool, and so much more: added to and multiplied it is not read."""

    pool: PoolNumber
    times: float
    more: float

    @classmethod
    def made(cls, pool: PoolNumber, times: float, more: float = 0.0) -> PoolShare:
        """`times` the pool and `more`."""
        one = cls()
        one.pool, one.times, one.more = pool, times, more
        return one

    def __add__(self, other: float) -> float:
        return PoolShare.made(self.pool, self.times, self.more + float(other))

    __radd__ = __add__

    def __mul__(self, by: float) -> float:
        return PoolShare.made(self.pool, self.times * by, self.more * by)

    __rmul__ = __mul__

    def __float__(self) -> float:
        return self.times * self.pool.read() + self.more

    @property
    def settled(self) -> float | Linear:
        """The number, where the pool has been read, else how it follows from that."""
        pool = self.pool
        if pool.is_read:
            return float(self)
        return Linear(pool.slot, pool.cell, self.times, self.times * pool.by + self.more)


class Linear(NamedTuple):
    """A number that follows from a pool: so many times what is in it, and so much more."""

    slot: int
    cell: str
    times: float
    more: float

    def at(self, state: State) -> float:
        """The number in a state."""
        return self.times * int(state[self.slot].cells[self.cell]) + self.more


class More(int):
    """How much more there is in a pool than before, where what was in it has not been read."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"More({int(self)})"


class RoundNumber(WatchedNumber):
    """The number of a round that a rule has made from the present one; whatever needs its value has read the round."""

    watch: Watch

    @classmethod
    def made(cls, value: int, watch: Watch) -> RoundNumber:
        """The number as it is now, distinct from others."""
        one = cls(value)
        one.watch = watch
        return one

    def plain(self) -> RoundNumber:
        """The number itself: made plain it would be read."""
        return self

    def read(self) -> int:
        """The value, which then has been read."""
        self.watch.note(len(self.watch.state) - 2, ROUND)
        return int.__add__(self, 0)

    def holds(self, sign: str, other: int) -> bool:
        """Whether a comparison with a plain number holds; with 0 only whether the first round has begun is read."""
        value, now = int.__add__(self, 0), self.watch.round
        if other == 0 and value == now:
            self.watch.note(len(self.watch.state) - 3, ROUND)
        elif other < 0 or (other == 0 and value > now):
            # Rounds are never below 0, and a later one is above.
            pass
        else:
            self.read()
        return bool(COMPARED[sign](value, other))

    def _compare(self, sign: str, other: Any) -> Any:
        if isinstance(other, RoundNumber):
            return COMPARED[sign](int.__add__(self, 0), int.__add__(other, 0))
        return super()._compare(sign, other)

    def __add__(self, other: int) -> int:
        if isinstance(other, RoundNumber):
            return self.read() + other.read()
        return RoundNumber.made(int.__add__(self, int(other)), self.watch)

    __radd__ = __add__

    def __sub__(self, other: int) -> int:
        if isinstance(other, RoundNumber):
            return int.__sub__(self, other)
        return RoundNumber.made(int.__sub__(self, int(other)), self.watch)

    def __repr__(self) -> str:
        return f"<round {int.__sub__(self, self.watch.round):+d}>"


class WatchedMap(Mapping[str, Any]):
    """A mapping of a fighter, each entry read by itself; those that were given another value are not read any more."""

    __slots__ = ("_cell", "_slot", "_values", "_watch", "own")

    def __init__(
        self,
        values: Mapping[str, Any],
        watch: Watch,
        slot: int,
        cell: str,
        own: Mapping[str, Any] = MappingProxyType({}),
    ):
        self._values, self._watch, self._slot, self._cell = values, watch, slot, cell
        self.own = own
        """Entries that differ from those of the state; None for what is not there any more."""

    def plus(self, key: str, value: Any) -> WatchedMap:
        """The mapping with another entry; None takes it out."""
        return WatchedMap(self._values, self._watch, self._slot, self._cell, {**self.own, key: value})

    def get(self, key: str, default: Any = None) -> Any:
        """What is there of a name, else the default."""
        if key in self.own:
            value = self.own[key]
            return default if value is None else value
        if (self._slot, self._cell) not in self._watch.reads:
            self._watch.note(self._slot, intern(f"{self._cell}:{key}"))
        return self._values.get(key, default)

    def __getitem__(self, key: str) -> Any:
        value = self.get(key)
        if value is None:
            raise KeyError(key)
        return value

    def __contains__(self, key: object) -> bool:
        return self.get(str(key)) is not None

    def of(self, kind: str) -> dict[str, Any]:
        """The marks of a kind by what they are about."""
        if (self._slot, self._cell) not in self._watch.reads:
            self._watch.note(self._slot, intern(f"{MARKS_OF}:{kind}"))
        known = {mark: value for mark, value in {**self._values, **self.own}.items() if value is not None}
        return {mark[len(kind) + 1 :]: value for mark, value in known.items() if mark.startswith(f"{kind}:")}

    def _whole(self) -> dict[str, Any]:
        self._watch.note(self._slot, self._cell)
        return {key: value for key, value in {**self._values, **self.own}.items() if value is not None}

    def __iter__(self) -> Iterator[str]:
        return iter(self._whole())

    def __len__(self) -> int:
        return len(self._whole())


class WatchedPools(Mapping[str, int]):
    """The pools of a fighter, each read by itself; those that were given another value are not read any more."""

    __slots__ = ("_base", "_slot", "_watch", "own")

    def __init__(self, base: Mapping[str, int], watch: Watch, slot: int, own: Mapping[str, int]):
        self._base, self._watch, self._slot, self.own = base, watch, slot, own

    def plus(self, pools: Mapping[str, int]) -> WatchedPools:
        """The pools with other values in some."""
        for pool in pools:
            if pool not in self._base:
                raise Unsuited(f"a pool {pool!r} is given to a fighter whose start has none")
        return WatchedPools(self._base, self._watch, self._slot, {**self.own, **pools})

    def __getitem__(self, pool: str) -> int:
        if pool in self.own:
            return self.own[pool]
        return PoolNumber.made(self._base[pool], self._watch, self._slot, POOL + pool)

    def get(self, pool: str, default: Any = None) -> Any:
        """What is in a pool, else the default: quicker than by an error."""
        return self[pool] if pool in self._base else default

    def __contains__(self, pool: object) -> bool:
        return pool in self._base

    def __iter__(self) -> Iterator[str]:
        return iter(self._base)

    def __len__(self) -> int:
        return len(self._base)


def side_cell(side: str, pool: str) -> str:
    """The name of the cell of a pool of a side."""
    return f"{SIDE_POOL}{side}:{pool}"


class WatchedSides(Mapping[str, Mapping[str, int]]):
    """The pools of the sides, each read by itself; those that were given another value are not read any more."""

    __slots__ = ("_base", "_watch", "own")

    def __init__(
        self, base: Mapping[str, Mapping[str, int]], watch: Watch, own: Mapping[tuple[str, str], int]
    ):
        self._base, self._watch = base, watch
        self.own = own
        """Values that differ from those of the state, by side and pool."""

    def value(self, side: str, pool: str) -> int:
        """What is in a pool of a side."""
        if (side, pool) in self.own:
            return self.own[side, pool]
        slot, now = len(self._watch.state) - 3, self._base.get(side, {}).get(pool, 0)
        return PoolNumber.made(now, self._watch, slot, side_cell(side, pool))

    def plus(self, side: str, pool: str, value: int) -> WatchedSides:
        """The pools with another value in one."""
        return WatchedSides(self._base, self._watch, {**self.own, (side, pool): value})

    def whole(self) -> dict[str, Mapping[str, int]]:
        """The pools as an ordinary mapping, which then have been read."""
        self._watch.note(len(self._watch.state) - 3, "sides")
        found = {side: dict(pools) for side, pools in self._base.items()}
        for (side, pool), value in self.own.items():
            found.setdefault(side, {})[pool] = bare(value)
        return {
            side: {pool: left for pool, left in pools.items() if left}
            for side, pools in found.items()
            if any(pools.values())
        }

    def __getitem__(self, side: str) -> Mapping[str, int]:
        return self.whole()[side]

    def __iter__(self) -> Iterator[str]:
        return iter(self.whole())

    def __len__(self) -> int:
        return len(self.whole())


class WatchedFighter(Fighter):
    """A fighter that notes what is read of it."""

    watch: Watch
    slot: int

    @classmethod
    def made(cls, body: BodyState, slot: int, watch: Watch) -> WatchedFighter:
        """The fighter of a body."""
        one = body.fighter_at(slot)

        def seen(values: Mapping[str, Any], cell: str) -> WatchedMap:
            return WatchedMap(values, watch, slot, cell)

        ends, marks = one.ends, one.marks
        if body.timed:
            ends = {name: (phase, _present(number, watch)) for name, (phase, number) in ends.items()}
            marks = {name: _present(value, watch) for name, value in marks.items()}
        found = one._replace(
            pools=WatchedPools(one.pools, watch, slot, {}),
            conditions=seen(one.conditions, CONDITIONS),
            ends=seen(ends, ENDS),
            marks=seen(marks, MARKS),
            cover=seen(one.cover, COVER),
        )
        return cls._of(found, watch, slot)

    @classmethod
    def _of(cls, values: Iterable[Any], watch: Watch, slot: int) -> WatchedFighter:
        made = tuple.__new__(cls, values)
        made.watch, made.slot = watch, slot
        return made

    def _replace(self, **changes: Any) -> WatchedFighter:
        """The fighter with other values in some fields."""
        return WatchedFighter._of(map(changes.get, self._fields, self), self.watch, self.slot)

    def with_pools(self, pools: Mapping[str, int]) -> WatchedFighter:
        """The fighter with other values in some pools; the others are not read."""
        known: Any = tuple.__getitem__(self, POOLS_AT)
        if isinstance(known, WatchedPools):
            return self._replace(pools=known.plus(pools))
        return self._replace(pools={**known, **pools})

    def marks_of(self, kind: str) -> dict[str, int]:
        """The marks of a kind by what they are about; no others are read."""
        known = raw(self, MARKS)
        return known.of(kind) if isinstance(known, WatchedMap) else super().marks_of(kind)

    def with_entry(self, field: str, key: str, value: Any) -> Fighter:
        """The fighter with another entry in a mapping, of which nothing else is read; None takes it out."""
        known = raw(self, field)
        if isinstance(known, WatchedMap):
            return self._replace(**{field: known.plus(key, value)})
        return super().with_entry(field, key, value)


POOLS_AT = Fighter._fields.index("pools")


def _watched(cell: str) -> property:
    at = Fighter._fields.index(cell)

    def read(self: WatchedFighter) -> Any:
        self.watch.note(self.slot, cell)
        return tuple.__getitem__(self, at)

    return property(read)


for _cell in (HELD, AT, GONE, YIELDED):
    setattr(WatchedFighter, _cell, _watched(_cell))


def _present(number: Any, watch: Watch) -> Any:
    return RoundNumber.made(watch.round + int(number), watch) if isinstance(number, Later) else number


class WatchedScene(Scene):
    """A scene that notes what is read of it."""

    watch: Watch

    @classmethod
    def made(cls, state: State, watch: Watch) -> WatchedScene:
        """The scene of a state."""
        frame: Frame = state[-3]
        fighters = {}
        for slot, body in enumerate(state[:-3]):
            one = WatchedFighter.made(body, slot, watch)
            fighters[one.name] = one
        now = frame.scene._replace(
            fighters=fighters,
            round=RoundNumber.made(state[-2].value, watch),
            **{field: getattr(state[-1].scene, field) for field in LINE},
            sides=WatchedSides(frame.scene.sides, watch, {}),
        )
        return cls._of(now, watch)

    @classmethod
    def _of(cls, values: Iterable[Any], watch: Watch) -> WatchedScene:
        made = tuple.__new__(cls, values)
        made.watch = watch
        return made

    def _replace(self, **changes: Any) -> WatchedScene:
        """The scene with other values in some fields."""
        return WatchedScene._of(map(changes.get, self._fields, self), self.watch)

    def acted(self, name: str) -> bool:
        """Whether a fighter's turn of this round is over; of the whole order no more is read."""
        if self.late or self.round == 0 or not self._is_in_line():
            return super().acted(name)
        turn = raw(self, "turn")
        if turn == self.watch.state[-3].turn:
            self.watch.note(len(self.watch.state) - 3, "turn")
        return bool(self._of_line(f"{BEFORE}{name}{OTHER}{turn}"))

    def team_after(self, name: str) -> tuple[str, ...]:
        """The fighters whose turn comes after that of one in this round; of the whole order no more is read."""
        if self.late or self.round == 0 or not self._is_in_line():
            return super().team_after(name)
        found: tuple[str, ...] = self._of_line(AFTER + name)
        return found

    def _is_in_line(self) -> bool:
        """Whether the order is still that of the state."""
        line = self.watch.state[-1].scene
        return all(raw(self, field) == getattr(line, field) for field in (ORDER, TEAMS))

    def _of_line(self, cell: str) -> Any:
        self.watch.note(len(self.watch.state) - 1, cell)
        return self.watch.state[-1].cells[cell]

    def asks(self, name: str) -> bool:
        """Never: a simulated fight asks no player, so that nothing is read of what could be spent then."""
        return False

    def side_pool(self, side: str, pool: str) -> int:
        """What is in a pool of a side."""
        sides = raw(self, "sides")
        return sides.value(side, pool) if isinstance(sides, WatchedSides) else super().side_pool(side, pool)

    def with_side_pool(self, side: str, pool: str, value: int) -> Scene:
        """The scene with another value in a pool of a side; the others are not read."""
        sides = raw(self, "sides")
        if isinstance(sides, WatchedSides):
            return self._replace(sides=sides.plus(side, pool, value))
        return super().with_side_pool(side, pool, value)


def _watched_field(cell: str) -> property:
    at = Scene._fields.index(cell)
    behind = -1 if cell in LINE else -3

    def read(self: WatchedScene) -> Any:
        self.watch.note(len(self.watch.state) + behind, cell)
        return tuple.__getitem__(self, at)

    return property(read)


for _cell in (*FRAME, *LINE):
    if _cell == "sides":
        # They note themselves what is read of them.
        continue
    setattr(WatchedScene, _cell, _watched_field(_cell))


def later(value: Any, watch: Watch) -> Any:
    """A value that a rule has set, with the numbers of rounds in it counted from the present one."""
    if isinstance(value, RoundNumber):
        return Later(int.__sub__(value, watch.round))
    if isinstance(value, PoolNumber):
        return value.read()
    if isinstance(value, (tuple, list)):
        return tuple(later(one, watch) for one in value)
    return value


def settled(value: float) -> Any:
    """A number as it is kept: a `Linear` where it follows from a pool that has not been read."""
    return value.settled if isinstance(value, (PoolNumber, PoolShare)) else bare(value)


def bare(value: Any) -> Any:
    """What a rule is asked, with plain numbers, which then have been read."""
    if isinstance(value, WatchedNumber):
        return value.read()
    if isinstance(value, tuple):
        parts = [bare(one) for one in value]
        if all(one is was for one, was in zip(parts, value, strict=True)):
            return value
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return value


def raw(one: Any, field: str) -> Any:
    """A field of a watched fighter or scene, without counting as read."""
    return tuple.__getitem__(one, one._fields.index(field))
