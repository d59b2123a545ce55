"""What is known of a step is found again in every state that holds what was read, and in no other."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from crisis_cli.simulation.trees import Leaf, Tree, grown, looked_up
from crisis_cli.simulation.watched import Cell

CELLS = "abcdef"


class Held(NamedTuple):
    """A body with nothing but cells."""

    cells: dict[str, int]


State = tuple[Held, ...]
bodies = st.builds(Held, st.fixed_dictionaries(dict.fromkeys(CELLS, st.integers(0, 2))))
states = st.tuples(bodies, bodies)


def reads_of(state: State) -> dict[Cell, int]:
    """What a step reads that goes from cell to cell by what it finds there."""
    reads: dict[Cell, int] = {}
    slot, at = 0, 0
    while at < len(CELLS):
        held = state[slot].cells[CELLS[at]]
        reads[slot, CELLS[at]] = held
        slot, at = (slot + held) % 2, at + 1 + (held == 1)
    return reads


@given(st.lists(states, max_size=12), states)
def test_a_tree_knows_the_states_it_has_grown_by_and_those_that_are_read_alike(
    known: list[State], other: State
) -> None:
    tree: Tree | None = None
    for state in known:
        reads = reads_of(state)
        tree = grown(tree, reads, Leaf(tuple(reads.values()), tuple(reads)))
    for state in (*known, other):
        reads = reads_of(state)
        leaf = looked_up(tree, state)[0] if tree is not None else None
        if any(reads_of(one) == reads for one in known):
            assert leaf is not None and leaf.found == tuple(reads.values()) and leaf.cells == tuple(reads)
        else:
            assert leaf is None


def test_a_tree_stays_as_it_is_where_another_process_has_read_in_another_order() -> None:
    first = Leaf("first", ())
    tree = grown(None, {(0, "a"): 1, (0, "b"): 1}, first)
    tree = grown(tree, {(1, "c"): 1, (0, "a"): 1}, Leaf("second", ()))
    assert looked_up(tree, (Held({"a": 1, "b": 1}), Held({"c": 1}))) == (first, ())
    assert looked_up(tree, (Held({"a": 1, "b": 2}), Held({"c": 1}))) == (None, ())
