"""What actions are worth in the states of fights, and what decisions ask of that.

What a fighter does seldom depends on how hurt its foe is, though what comes of it does. So a decision does not read
the cells that decide what an action comes to: it asks whether the action is worth more than another, or worth it at
all, and the answer is looked up in every state in which the decision is made.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import cache
from sys import intern
from typing import TYPE_CHECKING, Any

from ..values import NamedTuple
from .outcomes import BodyChange, Law, Outcome
from .watched import IS, MAPPED, POOL, POOLS, SIDE_POOLS, Cell, Linear, More, State, Watch, side_cell

if TYPE_CHECKING:
    from ..engine.scene import Intent
    from ..engine.setup import Setup
    from .tally import Key


MORE = More(0)
"""What a pool that is not changed holds: as much as before."""


class Weighed:
    """What an action comes to once its costs are paid."""

    __slots__ = ("outcomes", "worth", "laws")

    def __init__(self, outcomes: list[tuple[Outcome, float]] | None, worth: float):
        self.outcomes = outcomes
        """With their chances; None where they are too many to list."""
        self.worth = worth
        """What they are worth on average."""
        self.laws: dict[Hashable, Law] = {}
        """The same with what was paid for it, by that: an action of other options is weighed by itself."""


class PaidOutcome:
    """What one answer of the dice comes to once the costs are paid."""

    __slots__ = ("outcome", "tags", "worth", "pools", "settled")

    def __init__(self, outcome: Outcome, tags: tuple[tuple[Key, int | Linear], ...], worth: float | Linear):
        self.outcome = outcome
        """With nothing counted."""
        self.tags = tags
        self.worth = worth
        numbers = [*[number for _, number in tags], worth]
        self.pools = tuple(
            dict.fromkeys([(one.slot, one.cell) for one in numbers if isinstance(one, Linear)])
        )
        """Pools from which follow what is counted and what it is worth."""
        self.settled: dict[tuple[Hashable, ...], tuple[Outcome, float]] = {}

    def at(self, state: State) -> tuple[Outcome, float]:
        """The outcome in a state, and what it is worth."""
        held = tuple([state[slot].cells[cell] for slot, cell in self.pools])
        known = self.settled.get(held)
        if known is None:
            tags = tuple([(key, int(_in(number, state))) for key, number in self.tags])
            outcome, worth = self.outcome, _in(self.worth, state)
            counted = Outcome(outcome.changes, outcome.shift, tags, outcome.ends_turn, outcome.stuck)
            known = self.settled[held] = counted, worth
        return known


def _in(number: float | Linear, state: State) -> float:
    """A number in a state."""
    return number.at(state) if isinstance(number, Linear) else number


@cache
def parsed(cell: str) -> tuple[str, str, str]:
    """The pool that a cell compares, how, and with what; the cell itself where it compares nothing."""
    pool, _, compared = cell.partition(IS)
    sign, _, other = compared.partition(" ")
    return pool, sign, other


@cache
def shifted(cell: str, by: int) -> str:
    """The cell with the comparison of a pool that holds so much less."""
    pool, sign, other = parsed(cell)
    return intern(f"{pool}{IS}{sign} {int(other) - by:d}")


def behind(changed: Mapping[Cell, Any], read: Iterable[Cell]) -> Iterable[Cell]:
    """The cells of a state that decide what was read of it once some cells hold what `changed` says."""
    for slot, cell in read:
        pool, sign, other = parsed(cell)
        if not other.startswith(POOL):
            held = changed.get((slot, pool))
            if held is None and (slot, pool) not in changed:
                yield slot, cell
            elif isinstance(held, More):
                # So much more is above a number where the real one is above so much less.
                yield slot, shifted(cell, held) if sign else pool
        elif (slot, pool) in changed or (slot, other) in changed:
            for one in (pool, other):
                if isinstance(changed.get((slot, one), MORE), More):
                    yield slot, one
        else:
            yield slot, cell


class Patch(BodyChange[Mapping[str, Any]]):
    """What a fighter has thought of as different in one body.

    Fields of a fighter with what is in them, of its pools and other mappings only what differs; or fields of the
    scene.
    """

    __slots__ = ()

    @property
    def changed(self) -> Iterable[tuple[str, Any]]:
        """The cells that differ, with what they hold then."""
        for field, value in self.what.items():
            if field == POOLS:
                yield from [(POOL + pool, held) for pool, held in value.items()]
            elif field == SIDE_POOLS:
                yield from [(side_cell(*key), held) for key, held in value.items()]
            elif field in MAPPED:
                yield from [(f"{field}:{key}", held) for key, held in value.items()]
            else:
                yield field, value


class PlainWeighing(NamedTuple):
    """A weighing as another process can read it."""

    key: Hashable
    intent: Intent
    setup: Setup
    patches: tuple[tuple[int, Mapping[str, Any]], ...]
    recurs: bool


class Weighing:
    """The weighing of an action in a state that differs from the real one by what was thought of, such as its costs."""

    __slots__ = ("weighed", "key", "intent", "setup", "patches", "recurs", "changed", "behind")

    def __init__(
        self,
        weighed: Callable[[Weighing, State], tuple[Weighed, tuple[Cell, ...]]],
        key: Hashable,
        intent: Intent,
        setup: Setup,
        patches: tuple[tuple[int, Patch], ...],
        recurs: bool,
    ):
        self.weighed = weighed
        """Gives what the action comes to in a state as it was thought of, and what decides that there."""
        self.key = key
        """All that decides what the action comes to but the scene."""
        self.intent = intent
        self.setup = setup
        self.patches = patches
        self.recurs = recurs
        """Whether its dice hold nothing of what is in pools, so that the same are thrown in many states."""
        self.changed = {(slot, cell): held for slot, patch in patches for cell, held in patch.changed}
        """The cells that differ from the real state, with what they hold then."""
        self.behind: dict[tuple[Cell, ...], tuple[Cell, ...]] = {}
        """For cells that were read as it was thought of, those of the real state that decide what they hold."""

    def at(self, state: State) -> tuple[Weighed, tuple[Cell, ...]]:
        """What the action comes to in a state, and the cells that decide it."""
        thought = [*state]
        for slot, patch in self.patches:
            thought[slot] = patch[thought[slot]]
        weighed, read = self.weighed(self, tuple(thought))
        cells = self.behind.get(read)
        if cells is None:
            cells = self.behind[read] = tuple(behind(self.changed, read))
        return weighed, cells

    @property
    def plain(self) -> PlainWeighing:
        """The same as another process can read it."""
        patches = tuple([(slot, patch.what) for slot, patch in self.patches])
        return PlainWeighing(self.key, self.intent, self.setup, patches, self.recurs)


class WorthForPrice(NamedTuple):
    """What an action is worth for its price."""

    weighing: Any
    """A `Weighing`, or a `PlainWeighing` for another process."""
    price: float

    def at(self, state: State) -> tuple[float, tuple[Cell, ...]]:
        """The number in a state, and the cells that decide it."""
        weighed, cells = self.weighing.at(state)
        return weighed.worth / self.price, cells


class WorthComparison(NamedTuple):
    """Whether one action is worth more than another for its price, or than a number."""

    one: WorthForPrice
    other: WorthForPrice | float

    def at(self, state: State) -> tuple[bool, tuple[Cell, ...]]:
        """The answer in a state, and the cells that decide it."""
        worth, cells = self.one.at(state)
        if isinstance(self.other, WorthForPrice):
            than, more = self.other.at(state)
            return worth > than, cells + more
        return worth > self.other, cells

    @property
    def plain(self) -> WorthComparison:
        """The same as another process can read it."""
        return self.of(lambda weighing: weighing.plain)

    def of(self, turned: Callable[[Any], Any]) -> WorthComparison:
        """The same with other weighings in place of these."""

        def share(one: Any) -> Any:
            return one._replace(weighing=turned(one.weighing)) if isinstance(one, WorthForPrice) else one

        return WorthComparison(share(self.one), share(self.other))


class WatchedWorth:
    """What an action is worth; whatever is compared with it is noted as a question."""

    __slots__ = ("watch", "share")

    def __init__(self, watch: Watch, share: WorthForPrice):
        self.watch = watch
        self.share = share

    def __truediv__(self, price: float) -> WatchedWorth:
        return WatchedWorth(self.watch, WorthForPrice(self.share.weighing, self.share.price * price))

    def __gt__(self, other: WatchedWorth | float) -> bool:
        if isinstance(other, WatchedWorth):
            return self.watch.ask(WorthComparison(self.share, other.share))
        return self.watch.ask(WorthComparison(self.share, float(other)))

    def __lt__(self, other: WatchedWorth | float) -> bool:
        raise TypeError("the worth of actions is compared by >")


class WeighedChoice:
    """An action on which a fighter has decided, whose outcomes depend on more than the decision."""

    __slots__ = ("before", "weighing")

    def __init__(self, before: Outcome, weighing: Weighing):
        self.before = before
        """What was paid for it."""
        self.weighing = weighing
