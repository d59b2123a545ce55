"""Views of states: what is known of them, looked up by just the cells that decide it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence, Set
from typing import Any, Generic, TypeVar

from .watched import IS, MAPPED, POOL, Cell, Groups, State


def follows(cell: Cell, cells: Set[Cell]) -> bool:
    """Whether a cell holds a comparison of pools whose numbers are in other cells, or an entry of what is in one."""
    slot, name = cell
    pool, compared, what = name.partition(IS)
    if not compared:
        field, is_entry, _ = name.partition(":")
        return bool(is_entry) and field in MAPPED and (slot, field) in cells
    if (slot, pool) not in cells:
        return False
    other = what.partition(" ")[2]
    return not other.startswith(POOL) or (slot, other) in cells


def held(state: Sequence[Any], groups: Sequence[tuple[int, int]]) -> Hashable:
    """What a state holds in groups of cells, by slot and group; of a single one not in a tuple."""
    # Written out it takes half the time.
    many = len(groups)
    if many == 3:
        (first, one), (second, other), (third, more) = groups
        return state[first][one], state[second][other], state[third][more]
    if many == 2:
        (first, one), (second, other) = groups
        return state[first][one], state[second][other]
    if many == 1:
        ((first, one),) = groups
        found: Hashable = state[first][one]
        return found
    return tuple([state[slot][group] for slot, group in groups])


Found = TypeVar("Found")
FEW = 32
"""How many states a view may know at most to look up more cells: it forgets them. A fuller one has views within."""


class View(Generic[Found]):
    """What is known of states that have something in common, by all cells that decide any of it.

    Where more cells decide it in some of them alone, these have a view of their own within.
    """

    __slots__ = ("cells", "groups", "found")

    def __init__(self) -> None:
        self.cells: set[Cell] = set()
        self.groups: tuple[tuple[int, int], ...] = ()
        """For each body of which something is read, the group of its cells."""
        self.found: dict[Hashable, Any] = {}
        """By what states hold in these cells what is known of them, or the view of those alike in them."""

    def holds(self, cells: Iterable[Cell]) -> bool:
        """Whether what is in these cells is told by what is in those that are looked up."""
        known = self.cells
        return all(follows(cell, known) for cell in cells if cell not in known)

    def widen(self, cells: Iterable[Cell], groups: Groups) -> int:
        """Look up more cells from now on; gives how much of what was found is lost by that."""
        self.cells.update(cells)
        by_slot: dict[int, list[str]] = {}
        for slot, cell in sorted(cell for cell in self.cells if not follows(cell, self.cells)):
            by_slot.setdefault(slot, []).append(cell)
        self.groups = tuple((slot, groups.number(tuple(names))) for slot, names in by_slot.items())
        lost = len(self.found)
        self.found.clear()
        return lost

    def key(self, state: Sequence[Any]) -> Hashable:
        """What a state holds in the cells."""
        if len(self.groups) == 4:
            # A duel: written out here it takes half the time.
            (first, one), (second, other), (third, more), (fourth, last) = self.groups
            return state[first][one], state[second][other], state[third][more], state[fourth][last]
        return held(state, self.groups)

    def known(self, state: Sequence[Any]) -> Found | None:
        """What is known of a state; None if nothing is."""
        found = self.found.get(self.key(state))
        return found.known(state) if isinstance(found, View) else found

    def keep(self, state: State, found: Found, cells: Iterable[Cell], groups: Groups) -> int:
        """Keep what is known of a state by cells that decide it.

        Gives how much of what was known is lost by that.
        """
        missing = [cell for cell in cells if cell not in self.cells and not follows(cell, self.cells)]
        lost = 0
        if missing and len(self.found) <= FEW:
            lost, missing = self.widen(missing, groups), []
        key = self.key(state)
        inner = self.found.get(key)
        if missing and not isinstance(inner, View):
            inner = self.found[key] = View()
        if isinstance(inner, View):
            return lost + inner.keep(state, found, missing, groups)
        self.found[key] = found
        return lost
