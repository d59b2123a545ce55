"""The odds table of somebody who has said what to choose: distributions with the choices of `--choose` made."""

from __future__ import annotations

from .distribution import Distribution, OddsTable, Path, onward
from .scripted import wrong_choice
from .table import added, option_called

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from .distribution import Policy
    from .table import Alternative, Rule


class ChosenOdds(OddsTable):
    """The distributions of rules in which somebody makes given choices, in their order; a policy makes all others.

    Each choice is for the next decision that offers it, as `GivenChoices` has it where dice are rolled. So an answer
    comes with how many choices were made on the way to it, and the next question is asked from there.
    """

    __slots__ = ("names", "usual", "offered", "most_made")
    follows_questions = True

    def __init__(self, policy: Policy, names: Sequence[str]):
        super().__init__(policy)
        self.names = names
        self.usual = OddsTable(policy)
        """The distributions where none of the choices is made; their work counts with that of the whole question."""
        self.usual.spending = self.spending
        self.offered: dict[str, None] = {}
        """The names of all options of decisions that could be made by a choice."""
        self.most_made = 0
        """How many of the choices were made at most."""

    def check(self) -> None:
        """WrongChoice where no decision offers one of the choices."""
        if self.most_made < len(self.names):
            raise wrong_choice(self.names[self.most_made], self.most_made, self.offered)

    def of(self, rule: Rule, *args: Any) -> Distribution:
        """The distribution of `rule(table, *args)` with the choices made."""
        return self.of_made(0, rule, args).of(_answer)

    def of_made(self, made: int, rule: Rule, args: tuple[Any, ...]) -> Distribution:
        """The distribution of a rule's answer, each with how many choices are made after it, when so many are made."""

        def walked() -> Distribution:
            path = ChosenPath(self, made)
            return self.walked(path, lambda table, *args: (rule(table, *args), path.made), args)

        return self.once((made, rule, args), walked)

    def sum_made(self, made: int, count: int, rule: Rule, args: tuple[Any, ...], zero: Any) -> Distribution:
        """The distribution of the sum of `count` separate asks, with how many choices are made."""
        if all(after == made for _, after in self.of_made(made, rule, args).ways):
            return self.usual.sum(count, rule, args, zero).of(lambda total: (total, made))

        def plus_one(state: tuple[Any, int]) -> Distribution:
            total, so_far = state
            return self.of_made(so_far, rule, args).of(lambda one: (added(total, one[0]), one[1]))

        return self._repeated(count, (zero, made), plus_one)

    def chain_made(
        self, made: int, count: int, rule: Rule, state: Any, args: tuple[Any, ...]
    ) -> Distribution:
        """The distribution of the state after `count` asks that act on each other, with how many choices are made."""
        return self._repeated(count, (state, made), lambda now: self.of_made(now[1], rule, (now[0], *args)))

    def _repeated(self, count: int, start: Any, step: Callable[[Any], Distribution]) -> Distribution:
        distribution = Distribution({start: 1}, 1)
        for _ in range(count):
            distribution = onward(distribution, step)
        return distribution


def _answer(pair: tuple[Any, int]) -> Any:
    return pair[0]


class ChosenPath(Path):
    """One path through a rule on which given choices are made."""

    __slots__ = ("chosen", "start", "made")

    def __init__(self, chosen: ChosenOdds, made: int):
        super().__init__(chosen.usual)
        self.chosen = chosen
        self.start = made
        self.made = made
        """How many of the choices are made so far."""

    def turn(self) -> bool:
        """Go back to the last question with an answer left, with as many choices made as at the start."""
        self.made = self.start
        return super().turn()

    def _with_made(self, of: Callable[[], Distribution]) -> Any:
        """The next answer, of a distribution of answers with how many choices are made after them."""
        answer, self.made = self._again() if self.depth < len(self.given) else self._first(of())
        return answer

    def ask(self, rule: Rule, *args: Any) -> Any:
        """Every answer of a sub-rule, with the choices made in it."""
        return self._with_made(lambda: self.chosen.of_made(self.made, rule, args))

    def times(self, count: int, rule: Rule, *args: Any, zero: Any = 0) -> Any:
        """Every sum of `count` separate asks."""
        return self._with_made(lambda: self.chosen.sum_made(self.made, count, rule, args, zero))

    def chain(self, count: int, rule: Rule, state: Any, *args: Any) -> Any:
        """Every state after `count` asks that act on each other."""
        return self._with_made(lambda: self.chosen.chain_made(self.made, count, rule, state, args))

    def choose(self, who: str, options: tuple[Alternative, ...]) -> Alternative:
        """The option that the next choice names, where it is offered; else the one that the policy takes."""
        chosen = self.chosen
        if len(options) == 1:
            return super().choose(who, options)
        chosen.offered.update(dict.fromkeys(option.name for option in options))
        name = chosen.names[self.made] if self.made < len(chosen.names) else ""
        taken = option_called(options, name)
        if taken is None:
            return super().choose(who, options)
        self.made += 1
        chosen.most_made = max(chosen.most_made, self.made)
        return taken
