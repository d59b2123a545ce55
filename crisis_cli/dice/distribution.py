"""The table that answers everything at once: exact distributions, by walking a rule along each branch.

A distribution holds integer ways over one integer total. `ask`, `times` and `chain` are answered by
the distribution of what is asked, so that equal answers are one branch however many dice led there.
"""

from __future__ import annotations

from _thread import get_ident
from math import comb, factorial, gcd, lcm

from ..errors import TooWide
from .effort import BUDGET, LEAST, Effort
from .table import Alternative, Decided, added, require_several
from .unrecorded import Unrecorded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, TypeVar

    from .graded import Graded
    from .table import Grade, Rule

    Answer = TypeVar("Answer")
    Policy = Callable[[str, "tuple[Alternative, ...]", "OddsTable"], Alternative]

WIDEST = 200_000
"""Branches a single walk may take before it is refused."""
BRANCH, SUM, PAIR = 8_000, 300, 2_000
"""Estimated nanoseconds of one branch of a walk, of one sum of two numbers, and of one of two other scores."""
KEPT = 4_096
"""Laws remembered before the oldest are forgotten, where nothing else is said."""


class Distribution:
    """Every outcome of a rule with its ways; their sum is `total`."""

    __slots__ = ("ways", "total", "truncated")

    def __init__(self, ways: dict[Any, int], total: int, truncated: bool = False):
        self.ways = ways
        self.total = total
        self.truncated = truncated
        """True where a chain of dice was broken off, so that the ways are not quite exact."""

    def __iter__(self) -> Iterator[tuple[Any, int]]:
        return iter(self.ways.items())

    def chance(self, holds: Callable[[Any], bool]) -> tuple[int, int]:
        """The ways, out of the total, of all outcomes for which `holds`."""
        return sum(ways for outcome, ways in self if holds(outcome)), self.total

    def of(self, part: Callable[[Any], Any]) -> Distribution:
        """The distribution of a part of the outcome, equal parts merged."""
        ways: dict[Any, int] = {}
        for outcome, count in self:
            key = part(outcome)
            ways[key] = ways.get(key, 0) + count
        return Distribution(ways, self.total, self.truncated)

    def mean(self) -> float:
        """The expected value of a distribution over numbers."""
        mean: float = sum(outcome * ways for outcome, ways in self) / self.total
        return mean

    def deviation(self) -> float:
        """The standard deviation of a distribution over numbers, from exact sums."""
        first = sum(outcome * ways for outcome, ways in self)
        second = sum(outcome * outcome * ways for outcome, ways in self)
        spread: float = (second * self.total - first * first) / (self.total * self.total)
        return float(max(spread, 0.0) ** 0.5)


def reduced(ways: dict[Any, int], total: int, truncated: bool = False) -> Distribution:
    """The distribution with its ways divided by what they have in common."""
    common = gcd(total, *ways.values())
    if common > 1:
        ways = {outcome: count // common for outcome, count in ways.items()}
        total //= common
    return Distribution(ways, total, truncated)


def least_harm(who: str, options: tuple[Alternative, ...], odds_table: OddsTable) -> Alternative:
    """The option with the least expected harm to the chooser, ties to the cheapest, then the first; none that
    is only for someone who is asked."""
    return compared([option for option in options if not option.deliberate], odds_table).option


def compared(options: Iterable[Alternative], odds_table: OddsTable) -> Decided:
    """The option with the least expected harm, as `least_harm`, with the expected harm of every one of several."""
    several = list(options)
    if len(several) == 1:
        return Decided(several[0], {})
    harms = {option: harm(option, odds_table) for option in several}
    least = min(harms, key=lambda option: (harms[option], option.cost))
    return Decided(least, {option.name: harms[option] for option in harms})


def harm(option: Alternative, odds_table: OddsTable) -> float:
    """The expected harm of an option: the mean of its answers, or of their first components."""
    return odds_table.of(option.rule, *option.args).of(harmed).mean()


def harmed(answer: Any) -> Any:
    """The harm in an answer: the answer, or its first component."""
    return answer[0] if isinstance(answer, tuple) else answer


def refuse_all(who: str, options: tuple[Alternative, ...], odds_table: OddsTable) -> Alternative:
    """The policy that always takes the first option, which by custom is to do nothing."""
    return options[0]


class OddsTable:
    """The distributions of rules under one policy for decisions, each worked out once."""

    __slots__ = ("policy", "kept", "most_kept", "widest", "effort", "limit", "spending")
    follows_questions = False
    """Whether what only a player is asked is followed too: the dice of the whole action, not those for each target."""

    def __init__(
        self,
        policy: Policy = refuse_all,
        widest: int = WIDEST,
        effort: Effort | None = None,
        most_kept: int = KEPT,
        limit: float = BUDGET,
    ):
        self.policy = policy
        self.effort = effort
        """What all questions may take together; None for no such limit."""
        self.limit = limit
        """Estimated nanoseconds of work that one question may take, all that it asks included."""
        self.spending: dict[int, Effort] = {}
        """What the question that a thread is asking may still take; nothing between questions."""
        self.kept: dict[Any, Distribution] = {}
        self.most_kept = most_kept
        self.widest = widest

    def of(self, rule: Rule, *args: Any) -> Distribution:
        """The distribution of `rule(table, *args)`; TooWide where that takes too many branches or too much work.

        A rule with a quicker way to its distribution than walking carries it as its attribute `distribution`,
        called with these distributions and the rule's arguments.
        """
        if get_ident() not in self.spending:
            return self.bounded(lambda: self._asked(rule, args))
        return self._asked(rule, args)

    def _asked(self, rule: Rule, args: tuple[Any, ...]) -> Distribution:
        known = getattr(rule, "distribution", None)
        return self.once((rule, args), lambda: known(self, *args) if known else self._walk(rule, args))

    def bounded(self, question: Callable[[], Answer]) -> Answer:
        """The answer to a question that has one limit of work, however many others it asks; TooWide beyond it."""
        thread = get_ident()
        if thread in self.spending:
            return question()
        most = self.limit if self.effort is None else min(self.limit, max(LEAST, self.effort.left))
        effort = self.spending[thread] = Effort(most)
        try:
            return question()
        finally:
            del self.spending[thread]
            if self.effort is not None:
                self.effort.left -= most - max(0.0, effort.left)

    def spend(self, nanoseconds: float) -> None:
        """Count work that is about to be done for the question; TooWide where that is more than it may take."""
        effort = self.spending.get(get_ident())
        if effort is not None:
            effort.spend(nanoseconds)

    def sum(self, count: int, rule: Rule, args: tuple[Any, ...], zero: Any) -> Distribution:
        """The distribution of the sum of `count` separate asks, by halving."""
        if count == 0:
            return Distribution({zero: 1}, 1)
        if count == 1:
            return self.of(rule, *args)
        half = count // 2
        return self.once(
            (rule, args, count),
            lambda: self._convolved(
                self.sum(half, rule, args, zero), self.sum(count - half, rule, args, zero)
            ),
        )

    def exploding(
        self, count: int, sides: int, grade: Grade, args: tuple[Any, ...], zero: Any
    ) -> Distribution:
        """The distribution of the sum of the grades of `count` exploding dice; their waves need not be walked."""
        if count == 0:
            return Distribution({zero: 1}, 1)

        def made() -> Distribution:
            if count == 1:
                return exploded(sides, grade, args)
            half = count // 2
            return self._convolved(
                self.exploding(half, sides, grade, args, zero),
                self.exploding(count - half, sides, grade, args, zero),
            )

        return self.once((grade, args, sides, count), made)

    def revealed(self, dice: Graded, lowest: int, score: Callable[[int], int]) -> Distribution:
        """The distribution of the sum of the lowest scores of graded dice, each any that its grade allows."""
        from .graded import ways_of_lowest

        return self.once(
            (dice, lowest, score),
            lambda: reduced(*ways_of_lowest(dice, lowest, score, self.spend), truncated=bool(dice.count)),
        )

    def chain(self, count: int, rule: Rule, state: Any, args: tuple[Any, ...]) -> Distribution:
        """The distribution of the state after `count` asks that act on each other."""
        return self.once((rule, args, count, state), lambda: self._chained(count, rule, state, args))

    def _chained(self, count: int, rule: Rule, state: Any, args: tuple[Any, ...]) -> Distribution:
        def step(state: Any) -> Distribution:
            law = self.of(rule, state, *args)
            self.spend(SUM * len(law.ways))
            return law

        distribution = Distribution({state: 1}, 1)
        for _ in range(count):
            distribution = onward(distribution, step)
        return distribution

    def _convolved(self, left: Distribution, right: Distribution) -> Distribution:
        is_number = isinstance(next(iter(left.ways)), int)
        self.spend(len(left.ways) * len(right.ways) * (SUM if is_number else PAIR))
        ways: dict[Any, int] = {}
        for one, one_ways in left:
            for other, other_ways in right:
                score = added(one, other)
                ways[score] = ways.get(score, 0) + one_ways * other_ways
        return reduced(ways, left.total * right.total, left.truncated or right.truncated)

    def once(self, key: Any, made: Callable[[], Distribution]) -> Distribution:
        """The distribution kept under a key, made the first time it is asked for."""
        distribution = self.kept.get(key)
        if distribution is None:
            distribution = made()
            if len(self.kept) >= self.most_kept:
                # The oldest eighth at once; another thread may do the same, so that a key may be gone.
                for old in list(self.kept)[: self.most_kept // 8]:
                    self.kept.pop(old, None)
            self.kept[key] = distribution
        return distribution

    def _walk(self, rule: Rule, args: tuple[Any, ...]) -> Distribution:
        return self.walked(Path(self), rule, args)

    def walked(self, branch: Path, rule: Rule, args: tuple[Any, ...]) -> Distribution:
        """The distribution of a rule by following every branch, on a path that has not been gone yet."""
        found: dict[int, dict[Any, int]] = {}
        leaves = 0
        while True:
            outcome = rule(branch, *args)
            total = branch.totals[-1]
            if total not in found:
                found[total] = {}
            same_total = found[total]
            same_total[outcome] = same_total.get(outcome, 0) + branch.ways[-1]
            leaves += 1
            self.spend(BRANCH)
            if leaves > self.widest:
                raise TooWide(
                    f"exact odds take more than {self.widest:,} branches", hint="ask about fewer dice at once"
                )
            if not branch.turn():
                break
        total = lcm(*found)
        ways: dict[Any, int] = {}
        for part, outcomes in found.items():
            scale = total // part
            for outcome, count in outcomes.items():
                ways[outcome] = ways.get(outcome, 0) + count * scale
        return reduced(ways, total, branch.truncated)


class Path(Unrecorded):
    """One path through a rule: the table that gives, at each question, the answer this path takes."""

    __slots__ = ("odds_table", "given", "questions", "ways", "totals", "depth", "truncated")

    def __init__(self, odds_table: OddsTable):
        self.odds_table = odds_table
        self.given: list[Any] = []
        """The answer that this path takes to each question so far."""
        self.questions: list[Iterator[tuple[Any, int]]] = []
        """For each of them the answers not yet taken, with their ways."""
        self.ways, self.totals = [1], [1]
        """How many ways lead to each question, of how many; the last is that of the path."""
        self.depth = 0
        self.truncated = False

    def turn(self) -> bool:
        """Go back to the last question with an answer left, take that; False when there is none."""
        while self.questions:
            for answer, ways in self.questions[-1]:
                self.given[-1] = answer
                self.ways[-1] = self.ways[-2] * ways
                self.depth = 0
                return True
            self.questions.pop()
            self.given.pop()
            self.ways.pop()
            self.totals.pop()
        return False

    def _first(self, distribution: Distribution) -> Any:
        """The first answer to a question where the path comes by for the first time."""
        answers = iter(distribution.ways.items())
        answer, ways = next(answers)
        self.given.append(answer)
        self.questions.append(answers)
        self.ways.append(self.ways[-1] * ways)
        self.totals.append(self.totals[-1] * distribution.total)
        self.truncated = self.truncated or distribution.truncated
        self.depth += 1
        return answer

    def _again(self) -> Any:
        """The answer to the next question, where the path has been by before."""
        answer = self.given[self.depth]
        self.depth += 1
        return answer

    def die(self, sides: int) -> Any:
        """Every face, each in one way."""
        if self.depth < len(self.given):
            return self._again()
        return self._first(fair(sides))

    def ask(self, rule: Rule, *args: Any) -> Any:
        """Every answer of a sub-rule, equal ones merged."""
        if self.depth < len(self.given):
            return self._again()
        return self._first(self.odds_table.of(rule, *args))

    def times(self, count: int, rule: Rule, *args: Any, zero: Any = 0) -> Any:
        """Every sum of `count` separate asks."""
        if self.depth < len(self.given):
            return self._again()
        return self._first(self.odds_table.sum(count, rule, args, zero))

    def chain(self, count: int, rule: Rule, state: Any, *args: Any) -> Any:
        """Every state after `count` asks that act on each other."""
        if self.depth < len(self.given):
            return self._again()
        return self._first(self.odds_table.chain(count, rule, state, args))

    def exploding(
        self, count: int, sides: int, grade: Grade, *args: Any, zero: Any = 0, note: str = ""
    ) -> Any:
        """Every sum of the grades of `count` exploding dice."""
        if self.depth < len(self.given):
            return self._again()
        return self._first(self.odds_table.exploding(count, sides, grade, args, zero))

    def reveal(self, dice: Graded, lowest: int, score: Callable[[int], int]) -> Any:
        """Every sum of so many of the lowest scores of graded dice, of which only the grades are known."""
        if self.depth < len(self.given):
            return self._again()
        return self._first(self.odds_table.revealed(dice, lowest, score))

    def highest(self, count: int, sides: int) -> Any:
        """Every face that can be the highest of so many, in the ways of those at or under it."""
        if self.depth < len(self.given):
            return self._again()
        return self._first(highest_of(count, sides))

    def lowest(self, count: int, sides: int) -> Any:
        """Every face that can be the lowest of so many: the highest, seen from the other side."""
        if self.depth < len(self.given):
            return self._again()
        return self._first(highest_of(count, sides).of(lambda face: sides + 1 - face))

    def pool(self, count: int, sides: int) -> Any:
        """Every sorted hand of faces, weighed by the orders in which it can fall."""
        if comb(count + sides - 1, count) > self.odds_table.widest:
            raise TooWide(
                f"{count}d{sides} have too many results to list", hint="ask about fewer dice at once"
            )
        if self.depth < len(self.given):
            return self._again()
        return self._first(hands(count, sides))

    def choose(self, who: str, options: tuple[Alternative, ...]) -> Alternative:
        """The one option that the policy takes."""
        require_several(options)
        if len(options) == 1:
            return options[0]
        taken: Alternative
        if self.depth < len(self.given):
            taken = self._again()
        else:
            taken = self._first(Distribution({self.odds_table.policy(who, options, self.odds_table): 1}, 1))
        return taken

    def refuse_odds(self, message: str, hint: str) -> None:
        """TooWide: the rule knows that following every answer takes too long."""
        raise TooWide(message, hint=hint)

    def truncate(self) -> None:
        """A chain of dice is broken off here: the distribution is not quite exact."""
        self.truncated = True


def onward(distribution: Distribution, step: Callable[[Any], Distribution]) -> Distribution:
    """The distribution one step later, where each state leads on to a distribution of states."""
    steps = [(ways, step(state)) for state, ways in distribution]
    total = lcm(*(after.total for _, after in steps))
    states: dict[Any, int] = {}
    for ways, after in steps:
        scale = ways * (total // after.total)
        for state, count in after:
            states[state] = states.get(state, 0) + scale * count
    truncated = distribution.truncated or any(after.truncated for _, after in steps)
    return reduced(states, distribution.total * total, truncated)


def fair(sides: int) -> Distribution:
    """The distribution of one die."""
    return Distribution(dict.fromkeys(range(1, sides + 1), 1), sides)


def highest_of(count: int, sides: int) -> Distribution:
    """The distribution of the highest of `count` dice."""
    ways = {face: face**count - (face - 1) ** count for face in range(1, sides + 1)}
    return Distribution(ways, sides**count)


def exploded(sides: int, grade: Grade, args: tuple[Any, ...]) -> Distribution:
    """The distribution of the grade of one exploding die; not quite exact, as its chain is broken off."""
    from .exploding import total_of_one, ways_of_one

    ways: dict[Any, int] = {}
    for value, count in ways_of_one(sides):
        worth = grade(value, *args)
        ways[worth] = ways.get(worth, 0) + count
    return reduced(ways, total_of_one(sides), True)


def hands(count: int, sides: int) -> Distribution:
    """The distribution of `count` faces, sorted: multisets by their multinomial ways."""
    ways: dict[tuple[int, ...], int] = {}

    def dealt(face: int, left: int, hand: tuple[int, ...], orders: int) -> None:
        if face == sides:
            ways[hand + (face,) * left] = orders // factorial(left)
            return
        for same in range(left + 1):
            dealt(face + 1, left - same, hand + (face,) * same, orders // factorial(same))

    dealt(1, count, (), factorial(count))
    return Distribution(ways, sides**count)
