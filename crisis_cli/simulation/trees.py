"""Trees of all that is known of a step: what it reads of a state, what it asks about it, and what it comes to."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from .watched import Cell, State
from .weighing import WorthComparison

Question = Cell | WorthComparison
"""What a step reads of a state, or asks about it."""


class Leaf:
    """What a step comes to at the end of its questions."""

    __slots__ = ("found", "cells")

    def __init__(self, found: Any, cells: tuple[Cell, ...]):
        self.found = found
        self.cells = cells
        """The cells that were read on the way."""


class Branch:
    """What is read or asked next of a step, and where each answer leads."""

    __slots__ = ("question", "slot", "cell", "found")

    def __init__(self, question: Question):
        self.question = question
        self.slot, self.cell = (-1, "") if isinstance(question, WorthComparison) else question
        self.found: dict[Hashable, Tree] = {}


class Chain:
    """Cells read one after the other, of each of which a single value is known, and where all these lead."""

    __slots__ = ("cells", "after")

    def __init__(self, cells: tuple[tuple[int, str, Hashable], ...], after: Tree):
        self.cells = cells
        """Each with what it held."""
        self.after = after

    def parted(self, at: int) -> Tree:
        """The same with a branch at one of the cells."""
        slot, cell, held = self.cells[at]
        branch = Branch((slot, cell))
        branch.found[held] = _chained(self.cells[at + 1 :], self.after)
        return _chained(self.cells[:at], branch)


Tree = Branch | Chain | Leaf


def _chained(cells: tuple[tuple[int, str, Hashable], ...], after: Tree) -> Tree:
    return Chain(cells, after) if cells else after


def looked_up(tree: Tree, state: State) -> tuple[Leaf | None, tuple[Cell, ...]]:
    """The leaf for a state, and the cells that decide what was asked on the way; no leaf where it is not known."""
    more: tuple[Cell, ...] = ()
    while not isinstance(tree, Leaf):
        if isinstance(tree, Chain):
            for slot, cell, held in tree.cells:
                if state[slot].cells[cell] != held:
                    return None, ()
            after: Tree | None = tree.after
        elif tree.slot >= 0:
            after = tree.found.get(state[tree.slot].cells[tree.cell])
        else:
            answer, cells = tree.question.at(state)  # type: ignore[union-attr]
            more += cells
            after = tree.found.get(answer)
        if after is None:
            return None, ()
        tree = after
    return tree, more


def grown(tree: Tree | None, answers: Mapping[Question, Hashable], leaf: Leaf) -> Tree:
    """A tree with another leaf, by what was read and asked in this order.

    What is read first is always the same, and what is read next follows from what was there. Where another process has
    read in another order the tree stays as it is.
    """
    return _grown(tree, dict(answers), leaf)


def _grown(tree: Tree | None, left: dict[Question, Hashable], leaf: Leaf) -> Tree:
    if tree is None:
        return _straight(left, leaf)
    if isinstance(tree, Branch):
        if tree.question in left:
            answer = left.pop(tree.question)
            tree.found[answer] = _grown(tree.found.get(answer), left, leaf)
    elif isinstance(tree, Chain):
        for at, (slot, cell, held) in enumerate(tree.cells):
            if (slot, cell) not in left:
                return tree
            if left[slot, cell] != held:
                return _grown(tree.parted(at), left, leaf)
        for slot, cell, _ in tree.cells:
            del left[slot, cell]
        tree.after = _grown(tree.after, left, leaf)
    return tree


def _straight(left: Mapping[Question, Hashable], leaf: Leaf) -> Tree:
    """A tree that leads to one leaf alone."""
    tree: Tree = leaf
    cells: tuple[tuple[int, str, Hashable], ...] = ()
    for question, answer in reversed([*left.items()]):
        if isinstance(question, WorthComparison):
            branch = Branch(question)
            branch.found[answer] = _chained(cells[::-1], tree)
            tree, cells = branch, ()
        else:
            cells += ((*question, answer),)
    return _chained(cells[::-1], tree)
