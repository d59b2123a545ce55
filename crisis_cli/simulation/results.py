"""What drawn fights have come to: how often each outcome of a step came about, and the states in which they ended."""

from __future__ import annotations

from typing import Protocol

from .memo import Memo
from .tally import Counts, Key, add, end_of, result, standing_at_end
from .watched import BodyState, State


class Tagged(Protocol):
    """An outcome with which something is counted."""

    @property
    def tags(self) -> tuple[tuple[Key, int], ...]:
        """What is counted, and how much of it."""
        ...


class Results:
    """Collects what fights come to, and turns it into counts."""

    def __init__(self, memo: Memo):
        self.memo = memo
        self.outcomes: dict[Tagged, int] = {}
        """How often each outcome has come about since the last count, where something is counted with it."""
        self.ends: dict[tuple[State, bool], int] = {}
        """How many fights have ended in each state since then, and whether the players withdrew."""

    def end(self, state: State, fights: int, withdrawn: bool = False) -> None:
        """So many fights have ended in a state."""
        key = state, withdrawn
        self.ends[key] = self.ends.get(key, 0) + fights

    def count(self, counts: Counts) -> None:
        """Add what the fights since the last count came to."""
        memo = self.memo
        bodies: dict[tuple[int, BodyState], int] = {}
        results: dict[tuple[tuple[bool, ...], bool], tuple[State, int]] = {}
        found: Counts = {}
        for outcome, times in self.outcomes.items():
            for key, number in outcome.tags:
                found[key] = found.get(key, 0) + times * number
        for (state, withdrawn), times in self.ends.items():
            ended = ("rounds", state[-2].value)
            found[ended] = found.get(ended, 0) + times
            for one in enumerate(state[: memo.size]):
                bodies[one] = bodies.get(one, 0) + times
            stand = tuple([body.stands for body in state[: memo.size]]), withdrawn
            _, before = results.get(stand, (state, 0))
            results[stand] = state, before + times
        for (slot, body), times in bodies.items():
            for key in end_of(memo.system, body.fighter_at(slot)):
                found[key] = found.get(key, 0) + times
        for (_, withdrawn), (state, times) in results.items():
            scene = memo.scene_of(state)
            for key in (
                ("wins", result(memo.system, scene, withdrawn)),
                *standing_at_end(memo.system, scene),
            ):
                found[key] = found.get(key, 0) + times
        add(counts, found)
        self.forget()

    def forget(self) -> None:
        """Leave the fights since the last count uncounted."""
        self.outcomes.clear()
        self.ends.clear()
