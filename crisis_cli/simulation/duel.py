"""The exact probability of winning: a fight as an absorbing Markov chain over all of its states.

States are found breadth first from the opening; those that lead back to each other (a strongly connected part) are
solved together, each part when all that it leads to is solved.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from ..dice.distribution import OddsTable, least_harm
from ..dice.effort import BUDGET
from ..engine.sides import victor
from ..errors import TooWide
from ..values import NamedTuple
from .laws import DiceQuestion
from .state import FRAME, CellGroup, SlotState
from .steps import RememberedCourse
from .tally import DRAW
from .tree import BEGIN, ROOT, DrawNode, Found, Leaf, Node, NotingTable, ReadNode, StepFunction

if TYPE_CHECKING:
    from ..dice.distribution import Policy
    from ..engine.scene import Fighter, Intent, Scene
    from .fight import FightStart

Answer = TypeVar("Answer")
MOST_LAWS = 16_384
"""Odds of rules that are kept."""
LAW_LIMIT = 10 * BUDGET
"""Estimated nanoseconds that the odds of one rule may take."""

MOST_STATES = 1_000_000
"""States at most."""
SWEEPS, CLOSE = 10_000, 1e-13
"""Passes at most over a part whose states lead back to each other, and the change at which it counts as solved."""
TICKS = 100
"""States that are looked at from one tick to the next."""
STUCK = 0
"""The number of the state of every fight in which nobody can act any more."""
HINT = "simulate it: crisis simulate WHO --vs WHO -n 100000"


class Unsuited(TooWide):
    """A rulebook allows no exact answer for a duel: by what its rules read, or by a phase with too many results."""

    code = "unsuited"


class StatesFound(NamedTuple):
    """How far the search for all states of a fight is."""

    found: int
    waiting: int
    """Of those found, how many have not been looked at yet: where they lead is not known."""


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
    course: DuelCourse, most: int = MOST_STATES, tick: Callable[[StatesFound], None] = lambda found: None
) -> DuelEndings:
    """The exact chances of all endings; TooWide where there are more than so many states.

    `tick` is called with how many have been found, at the beginning and each time that TICKS more are looked at.
    """
    chain = course.chain(most, tick)
    chances = {
        name: sum(weight * values[number] for number, weight in chain.starts.items())
        for name, values in solved(chain).items()
    }
    endless = 1.0 - sum(chances.values())
    chances[DRAW] = chances.get(DRAW, 0.0) + (endless if endless > 1e-9 else 0.0)
    return DuelEndings(chances, chain.size)


class AnswerTable(NotingTable):
    """Goes through all answers that may be drawn on a way, one way after the other."""

    __slots__ = ("asked", "chance", "laws_known", "left", "odds_table")

    def __init__(self, course: RememberedCourse, odds_table: OddsTable):
        super().__init__(no_random, course.policy.laws, course.states.watch.reads)
        self.odds_table = odds_table
        self.laws_known: dict[DiceQuestion, list[tuple[Any, float]]] = {}
        self.left: list[list[tuple[Any, float]]] = []
        """For each question on the present way the answers that are left, the present one last."""
        self.asked, self.chance = 0, 1.0
        """How many questions have been asked on the present way, and the chance of the answers."""

    def law(self, question: DiceQuestion) -> list[tuple[Any, float]]:
        """The answers of a question with their chances, however many."""
        law = self.laws_known.get(question)
        if law is None:
            odds = self.odds_table.of(question.rule, *question.args)
            odds = odds.of(question.part or _unscored)
            law = self.laws_known[question] = [(answer, ways / odds.total) for answer, ways in odds]
        return law

    def answer(self, question: DiceQuestion) -> Any:
        """The answer on the present way."""
        if self.asked == len(self.left):
            self.left.append([*self.law(question)])
        answer, chance = self.left[self.asked][-1]
        self.asked += 1
        self.chance *= chance
        return answer

    def ways(self, go: Callable[[], Answer]) -> Iterator[tuple[Answer, float]]:
        """What a function that draws comes to on every way, with the chance of the way."""
        self.left = []
        while True:
            self.asked, self.chance = 0, 1.0
            end = go()
            left = self.left
            yield end, self.chance
            self.left = left
            while left and len(left[-1]) == 1:
                left.pop()
            if not left:
                return
            left[-1].pop()


Decide = Callable[["Scene", str], "Intent"]
"""What a fighter does next in its turn."""


def _unscored(answer: Any) -> Any:
    """An answer without the scores of a turn order, which no state holds."""
    if not hasattr(answer, "scores"):
        return answer
    return answer._replace(scores=tuple([(name, 0) for name, _ in answer.scores]))


class DuelCourse(RememberedCourse):
    """All states that a fight can come to, by what is remembered of its steps."""

    def __init__(self, start: FightStart, decide: Decide | None = None, react: Policy = least_harm):
        super().__init__(start)
        self._is_duel = True
        self.decide = decide
        """None: by the plain policy."""
        self.odds_table = OddsTable(react, most_kept=MOST_LAWS, limit=LAW_LIMIT)
        self._outcomes: dict[StepFunction, tuple[list[tuple[int, CellGroup]], dict[Hashable, Any]]] = {}
        """By function the groups of cells that its paths read, and by what these hold all that it may come to."""

    @property
    def is_decided(self) -> bool:
        """Whether at most one side still stands."""
        return self._has_one_side()

    def _decision(self, scene: Scene, who: str) -> Intent:
        return self.decide(scene, who) if self.decide is not None else super()._decision(scene, who)

    def _part(self, key: Hashable, work: Callable[..., Any], *args: Any) -> Any:
        return super()._part(key, work, *args) if self.decide is None else work(*args)

    def chain(self, most: int, tick: Callable[[StatesFound], None]) -> MarkovChain:
        """The chain of the states; TooWide where there are more than so many, Unsuited where cards are dealt."""
        if self.system.decks:
            raise Unsuited(f"in {self.system.name} every card that is dealt makes another state", hint=HINT)
        self._counts, self._table = {}, AnswerTable(self, self.odds_table)
        chain, table = MarkovChain(), self._table
        numbers: dict[tuple[SlotState, ...], int] = {}
        waiting = deque[tuple[SlotState, ...]]()

        def number_of(state: tuple[SlotState, ...]) -> int:
            if state not in numbers:
                numbers[state] = len(numbers) + 1
                if len(numbers) > most:
                    raise TooWide(f"the fight has more than {most:,} states", hint=HINT)
                waiting.append(state)
            return numbers[state]

        for state, chance in table.ways(self._opened):
            number = number_of(state)
            chain.starts[number] = chain.starts.get(number, 0.0) + chance
        while waiting:
            if not (chain.size - 1) % TICKS:
                tick(StatesFound(len(numbers), len(waiting)))
            state = waiting.popleft()
            self._state = [*state]
            row: dict[int, float] = {}
            if self.is_decided:
                chain.ends[chain.size] = victor(self.system, self.scene) or DRAW
            elif not self.turn:
                row[STUCK] = 1.0
            else:
                for after, chance in self._led_to(table):
                    number = STUCK if after is None else number_of(after)
                    row[number] = row.get(number, 0.0) + chance
            chain.add(row)
        return chain

    def _opened(self) -> tuple[SlotState, ...]:
        """The state after the roll for the turn order."""
        self._state = self.states.of(self.start.scene)
        if self.start.intent is not None:
            self._call(self._function(BEGIN, "", self._begun))
        return self._timeless()

    def _led_to(self, table: AnswerTable) -> Iterator[tuple[tuple[SlotState, ...] | None, float]]:
        """Where the present state leads, with the chances; None where nobody can act any more."""
        who = self.turn
        self._changed = []
        leaf = self._call(self._deciding(who), to_end=False)
        if leaf.value is None and leaf.then is None:
            intent = self.policy.decide(self.scene, who)
            is_next = intent.action == "next"
            ended = Leaf(Found(value=True), (), 0)
            leaf = ended if is_next else self._call(self._paying(intent), to_end=False)
        paid, changed = self._state, self._changed
        nothing = Leaf(Found(value=leaf.value), (), 0)
        for effect, chance in self._leaves(leaf.then) if leaf.then is not None else [(nothing, 1.0)]:
            self._state, self._changed = [*paid], [*changed]
            self._make(effect)
            self._follow(dict.fromkeys(self._changed))
            if not effect.value:
                yield tuple(self._state), chance
                continue

            def turned(state: tuple[SlotState, ...] = tuple(self._state)) -> tuple[SlotState, ...] | None:
                self._state = [*state]
                return self._timeless() if self._next_turn(who) else None

            for after, more in table.ways(turned):
                yield after, chance * more

    def _leaves(self, function: StepFunction) -> list[tuple[Leaf, float]]:
        """All that a function may come to in the present state, with the chances; no changes are made.

        That follows from the cells that any of its paths reads, and is worked out once for each way to fill these.
        """
        groups, known = self._outcomes.setdefault(function, ([], {}))
        leaves = known.get(self._numbers(groups)) if groups else None
        if leaves is None:
            outcomes: dict[Hashable, tuple[Leaf, float]] = {}
            read = dict.fromkeys(groups)
            for leaf, chance in self._all_leaves(function, read):
                key = leaf.deltas, leaf.value
                first, before = outcomes.get(key, (leaf, 0.0))
                outcomes[key] = first, before + chance
            leaves = [*outcomes.values()]
            if len(read) > len(groups):
                groups[:] = read
                known.clear()
            known[self._numbers(groups)] = leaves
        return leaves

    def _numbers(self, groups: list[tuple[int, CellGroup]]) -> tuple[int, ...]:
        """The numbers of what the present state holds in groups of cells, each of a slot."""
        return tuple([self._state[slot].numbers[group] for slot, group in groups])

    def _all_leaves(
        self, function: StepFunction, read: dict[tuple[int, CellGroup], None]
    ) -> Iterator[tuple[Leaf, float]]:
        """All leaves of a function in the present state, with their chances; what is read on the way is noted."""
        state, table = self._state, self._table
        assert isinstance(table, AnswerTable)
        left: list[tuple[dict[Any, Node], Any, tuple[Any, ...], float]] = [(function.tree, ROOT, (), 1.0)]
        while left:
            tree, key, drawn, chance = left.pop()
            node = tree.get(key)
            if node is None:
                table.left, table.asked = [], 0
                self._learnt(function, [*drawn])
                node = tree[key]
            if isinstance(node, ReadNode):
                read |= dict.fromkeys(node.groups)
                left.append((node.to, node.numbers(state), drawn, chance))
            elif isinstance(node, DrawNode):
                law = table.law(node.question)
                left += [(node.to, answer, (*drawn, answer), chance * share) for answer, share in law]
            else:
                yield node, chance

    def _learnt(self, function: StepFunction, drawn: list[Any]) -> Leaf:
        """What a function comes to; Unsuited where that hangs on what is left out of the states."""
        name, reads = self.system.name, self.states.watch.reads
        try:
            leaf = super()._learnt(function, drawn)
        except TooWide as wide:
            error = Unsuited if function.name in self.system.phases else TooWide
            raise error(f"{function.name} of {name}: {wide.message}", hint=HINT) from wide
        if (FRAME, "scores") in reads and function.name != BEGIN:
            raise Unsuited(f"in {name} {function.name} depends on the scores of the turn order", hint=HINT)
        if (FRAME, "round") in reads and not self._is_timed(leaf):
            raise Unsuited(f"in {name} {function.name} depends on the number of the round", hint=HINT)
        return leaf

    def _is_timed(self, leaf: Leaf) -> bool:
        """Whether rounds matter only to what is moved with them: ends of conditions, and marks that hold a round."""
        cells = [cell for _, cell in self.states.watch.reads]
        changes = [event.what for _, delta in leaf.deltas for event in delta]
        return "round" in changes or any(
            kind in ("ends", "until") or (kind in ("marks", "mark") and self.system.holds_round(name))
            for kind, _, name in (cell.partition(":") for cell in (*cells, *changes))
        )

    def _timeless(self) -> tuple[SlotState, ...]:
        """The state with the present round counted as the first, and without the scores of the turn order."""
        states, state = self.states, self._state
        order, frame = state[states.order_slot].scene, state[-1].scene
        if order.scores:
            state[states.order_slot] = states.of_scene(states.order_slot, order._replace(scores={}))
        by = frame.round - 1
        if by > 0:
            state[-1] = states.of_scene(states.frame_slot, frame._replace(round=1))
            for slot in range(states.order_slot):
                if state[slot].is_timed:
                    state[slot] = states.of_fighter(slot, self._earlier(state[slot].fighter, by))
        return tuple(state)

    def _earlier(self, fighter: Fighter, by: int) -> Fighter:
        """The fighter with all rounds that it holds counted so many earlier."""
        ends = {name: (phase, max(0, number - by)) for name, (phase, number) in fighter.ends.items()}
        timed = {mark: value for mark, value in fighter.marks.items() if self.system.holds_round(mark)}
        marks = {**fighter.marks, **{mark: max(0, value - by) for mark, value in timed.items()}}
        return fighter._replace(ends=ends, marks={mark: value for mark, value in marks.items() if value})


def no_random() -> float:
    """No random number: all answers are gone through."""
    raise AssertionError("an exact answer rolls no dice")


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
