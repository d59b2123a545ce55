"""The exact probability of winning: a fight as an absorbing Markov chain over all of its states.

States are found breadth first from the opening; those that lead back to each other (a strongly connected part) are
solved together, each part when all that it leads to is solved.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from ..engine.sides import victor
from ..errors import TooWide
from ..values import NamedTuple
from .fight import MAX_ACTIONS
from .memo import Memo
from .moments import Moments
from .tally import DRAW
from .watched import State

MOST_STATES = 1_000_000
"""States at most."""
SWEEPS, CLOSE = 10_000, 1e-13
"""Passes at most over a part whose states lead back to each other, and the change at which it counts as solved."""
TICKS = 1_000
"""States from one tick to the next."""
STUCK = 0
"""The number of the state of every fight in which nobody can act any more."""
HINT = "simulate it: crisis simulate WHO --vs WHO -n 100000"


class DuelEndings(NamedTuple):
    """The exact chances of the ways in which a fight can end."""

    chances: dict[str, float]
    """By side, the probability that it wins; `draw` where neither side ever does."""
    states: int


class MarkovChain:
    """A Markov chain: its states by number, where each leads, and how those end that lead nowhere."""

    def __init__(self) -> None:
        self.first = array("q", [0, 0])
        """Where the arrows of each state begin in the two rows below; the first state leads nowhere."""
        self.to = array("i")
        self.chances = array("d")
        self.ends: dict[int, str] = {}
        self.starts: dict[int, float] = {}

    @property
    def size(self) -> int:
        """The number of states."""
        return len(self.first) - 1

    def add(self, row: dict[int, float]) -> None:
        """Add the arrows of the next state."""
        if STUCK in row:
            self.ends[STUCK] = DRAW
        self.to.extend(row)
        self.chances.extend(row.values())
        self.first.append(len(self.to))


def solve(
    memo: Memo, most: int = MOST_STATES, tick: Callable[[int], None] = lambda found: None
) -> DuelEndings:
    """The exact chances of all endings; TooWide where there are more than so many states.

    `tick` is called with how many have been found so far.
    """
    chain = grown(memo, most, tick)
    chances = {
        name: sum(weight * values[number] for number, weight in chain.starts.items())
        for name, values in solved(chain).items()
    }
    endless = 1.0 - sum(chances.values())
    chances[DRAW] = chances.get(DRAW, 0.0) + (endless if endless > 1e-9 else 0.0)
    return DuelEndings(chances, chain.size)


class _Numbers:
    """The numbers of the states of a fight, in the order in which they are found."""

    def __init__(self, memo: Memo, most: int):
        self.memo = memo
        self.most = most
        self.known: dict[tuple[Any, ...], int] = {}
        self.waiting: deque[tuple[State, int]] = deque()

    def of(self, state: State, actions: int) -> int:
        """The number of a state in which so many actions have been taken in a turn, as far as these matter."""
        size = self.memo.size
        cells, line = state[: size + 1], state[size + 2]
        actions = min(actions, MAX_ACTIONS)
        key = (*cells, line, actions)
        number = self.known.get(key)
        if number is None:
            number = self.known[key] = len(self.known) + 1
            if number > self.most:
                raise TooWide(f"the fight has more than {self.most:,} states", hint=HINT)
            # Of the round only whether the first has begun.
            begun = self.memo.round_of(min(1, state[size + 1].value))
            self.waiting.append(((*cells, begun, line), actions))
        return number


def grown(memo: Memo, most: int, tick: Callable[[int], None]) -> MarkovChain:
    """The chain of all states that a fight can come to."""
    chain, numbers, moments = MarkovChain(), _Numbers(memo, most), Moments(memo)
    for state, weight in memo.all_opened():
        at = numbers.of(memo.without_scores(state), 0)
        chain.starts[at] = chain.starts.get(at, 0.0) + weight
    while numbers.waiting:
        state, actions = numbers.waiting.popleft()
        row: dict[int, float] = {}
        if memo.is_decided(state):
            chain.ends[chain.size] = victor(memo.system, memo.scene_of(state)) or DRAW
        elif not state[memo.size].turn:
            row[STUCK] = 1.0
        else:
            for after, chance, more in _led_to(moments, state, actions):
                to = STUCK if after is None else numbers.of(after, more)
                row[to] = row.get(to, 0.0) + chance
        if memo.reads_time:
            raise TooWide(memo.reads_time, hint=HINT)
        chain.add(row)
        if not chain.size % TICKS:
            tick(chain.size)
    return chain


def _led_to(moments: Moments, state: State, actions: int) -> Iterator[tuple[State | None, float, int]]:
    """Where a state leads: the next states with their chances and the actions taken in the turn, None for a fight in
    which nobody can act any more."""
    memo = moments.memo
    size, turn = memo.size, state[memo.size].turn
    moment = moments.of(state) if actions < MAX_ACTIONS else moments.of(state, memo.leaving(state))
    if moment.rest is not None:
        intent = moment.rest.intent
        raise TooWide(
            f"the results of {intent.action} by {intent.actor} ({memo.system.name}) are too many to list",
            hint=HINT,
        )
    for outcome, chance in moment.chances:
        if outcome.stuck:
            yield None, chance, 0
            continue
        after = memo.after(state, outcome)
        if outcome.ends_turn:
            for last, more in moments.of(after, turn).chances:
                yield None if last.stuck else memo.after(after, last), chance * more, 0
        elif moment.ends_turn:
            yield after, chance, 0
        else:
            # How many actions a turn has had matters only for one that never ends by itself.
            yield after, chance, actions + 1 if after[:size] == state[:size] else 0


def solved(chain: MarkovChain) -> dict[str, array[float]]:
    """For each way in which fights end, the chance of it in each state of a chain."""
    found = {name: array("d", bytes(8 * chain.size)) for name in dict.fromkeys(chain.ends.values())}
    for number, end in chain.ends.items():
        found[end][number] = 1.0
    first, to, chances = chain.first, chain.to, chain.chances
    for part in parts(chain):
        if part[0] in chain.ends:
            continue
        inside: dict[int, list[tuple[int, float]]] = {number: [] for number in part}
        outside: list[list[int]] = []
        for number in part:
            arrows = range(first[number], first[number + 1])
            inside[number] = [(to[at], chances[at]) for at in arrows if to[at] in inside]
            outside.append([at for at in arrows if to[at] not in inside])
        for values in found.values():
            known = [sum([chances[at] * values[to[at]] for at in arrows]) for arrows in outside]
            if any(known):
                _sweep(values, inside, known)
    return found


def _sweep(values: array[float], inside: dict[int, list[tuple[int, float]]], known: list[float]) -> None:
    """Solve the chances of the states of one part: what each has from outside is known, and its arrows inside."""
    was = 0.0
    for sweep in range(SWEEPS):
        changes = []
        for (number, arrows), value in zip(inside.items(), known, strict=True):
            stays = 0.0
            for other, chance in arrows:
                if other == number:
                    stays += chance
                else:
                    value += chance * values[other]
            value = value / (1.0 - stays) if stays < 1.0 else 0.0
            changes.append(value - values[number])
            values[number] = value
        if len(inside) == 1 or max(map(abs, changes)) < CLOSE:
            return
        if sweep == 2 and 0.0 < changes[-1] < was:
            # Where all ways back lead through the last state, every sweep changes less by the same factor.
            ratio = changes[-1] / was
            for number, change in zip(inside, changes, strict=True):
                values[number] += change * ratio / (1.0 - ratio)
        was = changes[-1]


def parts(chain: MarkovChain) -> Iterator[list[int]]:
    """The strongly connected parts of a chain, each after all parts that it leads to (Tarjan, without recursion)."""
    first, to = chain.first, chain.to
    index, low = array("i", [-1]) * chain.size, array("i", [0]) * chain.size
    waiting = bytearray(chain.size)
    stack: list[int] = []
    count = 0
    for root in range(chain.size):
        if index[root] >= 0:
            continue
        work = [(root, first[root])]
        while work:
            node, at = work.pop()
            if index[node] < 0:
                index[node] = low[node] = count
                count += 1
                stack.append(node)
                waiting[node] = 1
            deeper = False
            while at < first[node + 1]:
                other = to[at]
                at += 1
                if index[other] < 0:
                    work += [(node, at), (other, first[other])]
                    deeper = True
                    break
                if waiting[other] and index[other] < low[node]:
                    low[node] = index[other]
            if deeper:
                continue
            if low[node] == index[node]:
                part: list[int] = []
                while not part or part[-1] != node:
                    part.append(stack.pop())
                    waiting[part[-1]] = 0
                yield part
            if work and low[node] < low[work[-1][0]]:
                low[work[-1][0]] = low[node]
