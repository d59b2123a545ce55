"""The odds of rules, and the tables that roll their dice or draw their answers, for many fights."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterator
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from ..dice.distribution import OddsTable, harmed, least_harm
from ..dice.generator import generator
from ..dice.table import Table
from ..dice.unrecorded import Unrecorded
from ..errors import TooWide

if TYPE_CHECKING:
    from ..dice.distribution import Distribution
    from ..dice.table import Alternative, Rule

WIDEST = 100
"""The most branches and answers of a rule whose odds are worked out; where there are more, its dice are rolled."""
ROLLS = 120
"""Rolls that stand for the odds of an option which are too wide."""
FIXED_SEED = 7
"""The seed of rolls that stand for odds: the same ones in every run."""

Random = Callable[[], float]
"""Gives a number from 0 up to 1."""
Part = Callable[[Any], Any]
"""What matters of an answer."""


class DiceQuestion:
    """A rule with its arguments, and the part of its answers that matters; each is kept once (`Laws.question`)."""

    __slots__ = ("args", "draws", "is_certain", "part", "rule")

    def __init__(self, rule: Rule, args: tuple[Any, ...], part: Part | None):
        self.rule, self.args, self.part = rule, args, part
        self.draws: AnswerSums | None = None
        """What answers are drawn from; None where the odds are too wide."""
        self.is_certain = False
        """Whether there is one answer, for which nothing is drawn."""


class AnswerSums:
    """The answers of a question, and the sums of their chances up to each."""

    __slots__ = ("answers", "sums")

    def __init__(self, law: Distribution):
        self.answers = [*law.ways]
        self.sums = [ways / law.total for ways in accumulate(law.ways.values())]
        self.sums[-1] = 1.0


class Laws:
    """The odds of rules, each worked out once; decisions in the middle of an action take the least expected harm."""

    def __init__(self) -> None:
        self.odds_table = OddsTable(least_harm, widest=WIDEST, most_kept=16_384)
        self._laws: dict[Hashable, Distribution | None] = {}
        self._harms: dict[Hashable, float] = {}
        self._questions: dict[Hashable, DiceQuestion] = {}
        self._rolls: dict[Hashable, FixedRolls] = {}

    def law(self, rule: Rule, *args: Any) -> Distribution | None:
        """The odds of a rule; None where it has more than WIDEST branches or answers."""
        key = rule, args
        if key not in self._laws:
            try:
                law = self.odds_table.of(rule, *args)
                self._laws[key] = law if len(law.ways) <= WIDEST else None
            except TooWide:
                self._laws[key] = None
        return self._laws[key]

    def question(self, rule: Rule, args: tuple[Any, ...], part: Part | None) -> DiceQuestion:
        """The question of these parts: one object however often it is asked."""
        key = rule, args, part
        question = self._questions.get(key)
        if question is None:
            question = self._questions[key] = DiceQuestion(*key)
            law = self.law(rule, *args)
            if law is not None:
                question.draws = AnswerSums(law if part is None else law.of(part))
                question.is_certain = len(question.draws.answers) == 1
        return question

    def rolls(self, rule: Rule, *args: Any) -> FixedRolls:
        """Rolls of a rule that stand for its odds: one series for all who ask."""
        key = rule, args
        return self._rolls.get(key) or self._rolls.setdefault(key, FixedRolls(self, rule, args))

    def harm(self, option: Alternative) -> float:
        """The expected harm of an option to who takes it."""
        key = option.rule, option.args
        if key not in self._harms:
            weighed = self._weighed(option.rule, option.args)
            self._harms[key] = sum(harmed(answer) * chance for answer, chance in weighed)
        return self._harms[key]

    def _weighed(self, rule: Rule, args: tuple[Any, ...]) -> Iterator[tuple[Any, float]]:
        """The answers of a rule with their chances: all of them, or a number of rolls of the fixed seed."""
        law = self.law(rule, *args)
        if law is not None:
            return ((answer, ways / law.total) for answer, ways in law)
        rolls = self.rolls(rule, *args)
        return ((rolls.at(number), 1 / ROLLS) for number in range(ROLLS))


class FixedRolls:
    """Answers of a rule that are rolled with the fixed seed, each when it is asked for first."""

    __slots__ = ("answers", "args", "rule", "table")

    def __init__(self, laws: Laws, rule: Rule, args: tuple[Any, ...]):
        self.rule, self.args = rule, args
        self.table = RollTable(generator(FIXED_SEED, 0).random, laws)
        self.answers: list[Any] = []

    def at(self, number: int) -> Any:
        """The answer of a number, the first being 0."""
        while len(self.answers) <= number:
            self.answers.append(self.table.ask(self.rule, *self.args))
        return self.answers[number]


class RollTable(Unrecorded, Table):
    """Rolls dice and keeps no record; decides in the middle of an action by the least expected harm."""

    __slots__ = ("random", "laws")

    def __init__(self, random: Random, laws: Laws):
        self.random, self.laws = random, laws

    def die(self, sides: int) -> int:
        """One face."""
        return int(self.random() * sides) + 1

    def choose(self, who: str, options: tuple[Alternative, ...]) -> Alternative:
        """The option with the least expected harm, ties to the cheapest."""
        if len(options) == 1:
            return options[0]
        free = [option for option in options if not option.deliberate]
        if len(free) == 1:
            return free[0]
        return min(free, key=lambda option: (self.laws.harm(option), option.cost))


class DrawTable(RollTable):
    """Draws the answers of whole rules from their odds; where these are too wide, dice are rolled."""

    __slots__ = ("rolls",)

    def __init__(self, random: Random, laws: Laws):
        super().__init__(random, laws)
        self.rolls = RollTable(random, laws)

    def answer(self, question: DiceQuestion) -> Any:
        """What matters of one answer."""
        draws = question.draws
        if draws is not None:
            return draws.answers[0 if question.is_certain else bisect_right(draws.sums, self.random())]
        answer = question.rule(self.rolls, *question.args)
        return answer if question.part is None else question.part(answer)

    def ask(self, rule: Rule, *args: Any, part: Part | None = None) -> Any:
        """One answer of a rule, or what matters of it."""
        return self.answer(self.laws.question(rule, args, part))
