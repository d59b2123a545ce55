"""What comes next in the states of fights, looked up by the cells that decide it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator

from .memo import Memo
from .outcomes import Law, Outcome, Rest
from .views import View
from .watched import STANDS, Cell, State

MOST_MOMENTS = 120_000
"""Moments kept, beyond which all are forgotten: they are soon found again by what is remembered of the steps."""


class NextMoment:
    """What comes next in a state: an action of the fighter whose turn it is, or the end of its turn."""

    __slots__ = ("state", "sums", "outcomes", "rest", "ends_turn", "only")

    def __init__(self, state: State, law: Law | None, rest: Rest | None, ends_turn: bool):
        self.state = state
        """A state in which it comes."""
        self.sums = law.sums if law is not None else []
        """The sums of the chances of all outcomes; none where the fight is over, or the action has to be rolled."""
        self.outcomes: list[Outcome] = law.outcomes if law is not None else []
        self.rest = rest
        self.ends_turn = ends_turn
        """Whether nothing is left of the turn."""
        sure = ends_turn and len(self.outcomes) == 1 and not self.outcomes[0].stuck
        self.only = self.outcomes[0] if sure else None
        """How the turn ends, where that is sure."""

    @property
    def chances(self) -> Iterator[tuple[Outcome, float]]:
        """Each outcome with its chance."""
        before = 0.0
        for outcome, whole in zip(self.outcomes, self.sums, strict=True):
            yield outcome, whole - before
            before = whole


class Moments:
    """What comes next in states.

    A step is remembered by the cells that it reads in one of its ways, and there are many; here all states that hold
    the same in every cell that decides a step in any way have one moment, found at once.
    """

    def __init__(self, memo: Memo):
        self.memo = memo
        self.size = memo.size
        self.views: dict[Hashable, View[NextMoment]] = {}
        self.kept = 0

    def of(self, state: State, leaving: str | None = None) -> NextMoment:
        """What comes next in a state; `leaving`: whose turn ends now whatever could still be done in it."""
        turn = state[self.size].turn
        key = turn if leaving is None else (turn, leaving)
        view = self.views.get(key)
        if view is None:
            view = self.views[key] = View()
        found = view.found.get(view.key(state))
        return found if found is not None else self._new(view, state, leaving)

    def forget(self) -> None:
        """Forget everything, which has to be done when the memo does."""
        self.views.clear()
        self.kept = 0

    def _new(self, view: View[NextMoment], state: State, leaving: str | None) -> NextMoment:
        found, cells = self._worked_out(state, leaving)
        if not view.holds(cells):
            known = [*view.found.values()]
            view.widen(cells, self.memo.groups)
            view.found.update([(view.key(one.state), one) for one in known])
        if self.kept >= MOST_MOMENTS:
            for one in self.views.values():
                one.found.clear()
            self.kept = 0
        self.kept += 1
        view.found[view.key(state)] = found
        return found

    def _worked_out(self, state: State, leaving: str | None) -> tuple[NextMoment, Iterable[Cell]]:
        """What comes next in a state, and all that decides it."""
        memo = self.memo
        cells: list[Cell] = [(self.size, "turn")]
        if leaving is not None:
            law, read = memo.next(state, leaving)
            return NextMoment(state, law, None, True), [*cells, *read]
        cells += [(slot, STANDS) for slot in range(self.size)]
        if not state[self.size].turn or memo.is_decided(state):
            return NextMoment(state, None, None, False), cells
        step, read = memo.act(state)
        cells += read
        if isinstance(step, Law):
            return NextMoment(state, step, None, False), cells
        if isinstance(step, Rest):
            return NextMoment(state, None, step, False), cells
        law, read = memo.next(state, memo.leaving(state))
        return NextMoment(state, law, None, True), [*cells, *read]
