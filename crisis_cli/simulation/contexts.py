"""What steps of fights among many come to, looked up by the few cells that decide them there.

Among many fighters hardly any state is met twice, yet what a step reads of most of them hardly ever changes: whether
they stand, what they hold, where they are. All that is not in a pool is a fighter's standing, and the standings of all
of them are a context. Within a context a step is decided by a few pools.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from operator import itemgetter
from typing import Any, TypeVar

from .memo import BEGIN, LEAVE, NEW_ROUND, OPEN_ROUND, ROUND_OVER, Memo
from .outcomes import Law, Outcome, Rest
from .views import View
from .watched import MAPPED, POOL, SCALARS, BodyState, Cell, State

ACT, NEXT, OVER = "act", "next", "over"
"""The kinds of steps beside the parts of a change of turns: somebody decides and acts; the next in line is looked for;
and nothing, as the fight is over."""


class FightStep:
    """A part of a fight that comes to something by itself."""

    __slots__ = ("kind", "names")

    def __init__(self, kind: str, names: tuple[str, ...]):
        self.kind = kind
        self.names = names
        """The fighters who act, begin or end a turn; in a line the one before the next."""


class FinishedStep:
    """What a step comes to in a fight that is over."""


What = TypeVar("What")
DECIDED = FinishedStep()
Result = Law | Rest | FinishedStep | None
"""What a step comes to; None where a fighter has nothing left to do in its turn."""
Known = tuple[Result, tuple[Cell, ...]]
"""The same with the cells that decide it in its context."""
MOST_RESULTS = 200_000
"""Results of steps and turns kept, beyond which all are forgotten and looked up again."""


class StepContext:
    """What is known of steps and whole turns among fighters of the same standings."""

    __slots__ = ("steps", "turns", "turns_of_groups", "looks", "new_round", "version", "all_here", "is_timed")

    def __init__(self, all_here: bool, is_timed: bool):
        self.steps: dict[FightStep, View[Known]] = {}
        self.turns: dict[FightStep, Any] = {}
        """For steps with which turns begin, the `Roles` in these."""
        self.turns_of_groups: dict[FightStep, Any] = {}
        """The same while the scene says of some fighters by name that they act together, or in this round."""
        self.looks: dict[FightStep, Any] = {}
        """How turns are looked up, by the steps with which they begin."""
        self.new_round: Any = None
        """The same for the start of a round; None where the end of the one before comes to something."""
        self.version = -1
        """Of what is known of turns, that by which this was found out."""
        self.all_here = all_here
        """Whether nobody has left."""
        self.is_timed = is_timed
        """Whether something of them ends in a later round."""


class Steps:
    """Gives what steps come to."""

    def __init__(self, memo: Memo):
        self.memo = memo
        self.size = memo.size
        self.contexts: dict[Hashable, StepContext] = {}
        self.known: dict[tuple[str, tuple[str, ...]], FightStep] = {}
        self.kept = 0
        self.standing = -1
        """The group of the cells that are a fighter's standing; -1 until it is known."""
        self.standing_of: Callable[[BodyState], int] = itemgetter(-1)
        """Gives the standing of a body."""
        self.standing_cells: frozenset[str] = frozenset()

    def forget(self) -> None:
        """Forget everything, which has to be done when the memo does."""
        self.forget_results()
        self.standing = -1

    def forget_results(self) -> None:
        """Forget what steps and turns come to: it is soon found again by what the memo knows."""
        self.contexts.clear()
        self.kept = 0

    def step(self, kind: str, *names: str) -> FightStep:
        """The step of a kind for these fighters."""
        key = kind, names
        known = self.known.get(key)
        if known is None:
            known = self.known[key] = FightStep(kind, names)
        return known

    def look_at(self, state: State) -> None:
        """Find out, before any fight, which comparisons of pools say whether the fighters of a state stand."""
        if self.standing < 0:
            read = {cell for slot in range(self.size) for _, cell in self.memo.stands(state, slot)[1]}
            pools = sorted(cell for cell in read if cell.startswith(POOL))
            cells = (*MAPPED, *SCALARS, *pools)
            self.standing = self.memo.groups.number(cells)
            self.standing_of = itemgetter(self.standing)
            self.standing_cells = frozenset(cells)

    def context(self, state: Sequence[Any]) -> StepContext:
        """The context of a state."""
        key = tuple(map(self.standing_of, state[: self.size]))
        known = self.contexts.get(key)
        if known is None:
            bodies = state[: self.size]
            known = self.contexts[key] = StepContext(
                not any(body.fighter.gone for body in bodies), any(body.timed for body in bodies)
            )
        return known

    def is_standing(self, what: str) -> bool:
        """Whether a change of a fighter (`health`, `condition:prone`) may change its standing."""
        pool = POOL + what
        return ":" in what or what in SCALARS or any(cell.startswith(pool) for cell in self.standing_cells)

    def beyond(self, cells: Iterable[Cell], step: FightStep) -> tuple[Cell, ...]:
        """Those of some cells that do not follow from the context, nor from the step; a fight is open all the time."""
        size, standing = self.size, self.standing_cells
        known = ("open", "turn") if step.kind in (ACT, BEGIN, LEAVE, NEW_ROUND) else ("open",)
        return tuple(
            [
                one
                for one in cells
                if (
                    one[1] not in standing and one[1].startswith(POOL)
                    if one[0] < size
                    else one[0] > size or one[1] not in known
                )
            ]
        )

    def of(self, step: FightStep, context: StepContext, state: State) -> Known:
        """What a step comes to in a state, and what decides that."""
        view = context.steps.get(step)
        if view is None:
            view = context.steps[step] = View()
        known = view.known(state)
        if known is None:
            result, read = self._worked_out(step, state)
            known = result, self.beyond(read, step)
            self.keep(view, state, known, known[1])
        return known

    def keep(self, view: View[What], state: State, what: What, cells: Iterable[Cell]) -> None:
        """Keep in a view what a step from a state comes to, and the cells that decide it."""
        self.kept += 1 - view.keep(state, what, cells, self.memo.groups)

    def following(self, step: FightStep, outcome: Outcome, after: State) -> FightStep:
        """The step that follows on another after an outcome of it, which has led to a state."""
        names, turn = step.names, after[self.size].turn
        if step.kind in (OPEN_ROUND, NEW_ROUND):
            return self.step(NEXT, "")
        if step.kind == ROUND_OVER:
            return self.step(NEW_ROUND)
        if step.kind != ACT and outcome.ends_turn:
            return self.step(NEXT, names[-1])
        if outcome.ends_turn:
            return self.step(LEAVE, *names)
        return self.step(ACT, turn) if turn else self.step(OVER)

    def _worked_out(self, step: FightStep, state: State) -> tuple[Result, Iterable[Cell]]:
        memo = self.memo
        if step.kind != ACT:
            return memo.clocked(state, step.kind, step.names)
        cells = [cell for slot in range(self.size) for cell in memo.stands(state, slot)[1]]
        if memo.is_decided(state):
            return DECIDED, cells
        found, read = memo.act(state)
        assert found is None or isinstance(found, (Law, Rest))
        return found, [*cells, *read]
