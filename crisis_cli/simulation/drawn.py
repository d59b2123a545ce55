"""Fights drawn from what is remembered of their steps."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from ..engine.encounter import PLAYERS
from .fight import MAX_ACTIONS, FightLimits, has_to_withdraw, life_left
from .memo import MOST_KEPT, Memo, Stopped, drawn_many
from .moments import Moments, NextMoment
from .outcomes import Outcome
from .results import Results
from .tally import Counts
from .watched import BodyState, State

if TYPE_CHECKING:
    from _random import Random

Ended = Callable[[int], bool]
"""Called with how many fights are over; gives whether to stop."""
Openings = Sequence[tuple[State, int]]
"""States in which fights begin, and how many begin in each."""
Standing = dict[State, int]
"""How many fights stand at each state."""


class DrawnFights:
    """Draws fights, and counts what they come to.

    Fights that are in the same state differ in nothing any more, so they go on together: a step is drawn for all of
    them, and how many go which way is counted.
    """

    def __init__(self, memo: Memo, limits: FightLimits):
        self.memo = memo
        self.limits = limits
        self.moments = Moments(memo)
        self.results = Results(memo)
        self.rounds: dict[int, Standing] = {}
        """The fights under way that wait for a turn, by the round that they are in."""
        self.over = 0
        """How many of them are over."""
        self.lives: dict[BodyState, float] = {}
        """The share of its life that a player has left."""

    def fight(self, openings: Openings, random: Random, ended: Ended = lambda many: False) -> bool:
        """Draw fights from their openings; False where they are stopped, such as by `ended`, called with how many are
        over."""
        self.rounds.clear()
        self.over = told = 0
        for state, many in openings:
            self._wait(self.memo.without_scores(state), many)
        while self.rounds:
            try:
                self._turn(self.rounds.pop(min(self.rounds)), random.random)
            except Stopped:
                return False
            if self.over > told and self.rounds and ended(self.over):
                return False
            told = self.over
        ended(self.over)
        return True

    def _turn(self, standing: Standing, random: Callable[[], float]) -> None:
        """Let fights go on to the end of a turn, where they wait or are over."""
        # This is what simulating many takes its time for, so that little is called here.
        memo, size, outcomes = self.memo, self.memo.size, self.results.outcomes
        views = self.moments.views
        look: Callable[[State], NextMoment] = self.moments.of
        actions = 0
        while standing:
            further: Standing = {}
            for state, fights in standing.items():
                turn = state[size].turn
                view = views.get(turn)
                moment = (
                    view.found.get(view.key(state)) if view is not None and actions < MAX_ACTIONS else None
                )
                if moment is None:
                    moment = look(state)
                sums, only = moment.sums, moment.only
                drawn: Iterable[tuple[Outcome, int]]
                if only is not None:
                    drawn = ((only, fights),)
                elif moment.ends_turn:
                    self._leave(moment, state, state, fights, random)
                    continue
                elif sums and fights == 1:
                    drawn = ((moment.outcomes[bisect_right(sums, random()) if len(sums) > 1 else 0], 1),)
                elif sums or moment.rest is not None:
                    drawn = self._drawn(moment, state, fights, random)
                else:
                    self._end(state, fights)
                    continue
                for outcome, many in drawn:
                    if outcome.tags:
                        outcomes[outcome] = outcomes.get(outcome, 0) + many
                    found = [*state]
                    for slot, delta in outcome.changes:
                        found[slot] = delta[found[slot]]
                    if outcome.shift:
                        memo.advance(found, outcome.shift)
                    now = tuple(found)
                    if only is not None:
                        self._go(now, state, many)
                    elif outcome.ends_turn:
                        self._leave(self.moments.of(now, turn), now, state, many, random)
                    elif now[size].turn == turn and not outcome.shift:
                        further[now] = further.get(now, 0) + many
                    else:
                        self._go(now, state, many)
            actions += 1
            if actions == MAX_ACTIONS:
                look = self._last
            standing = further

    def _last(self, state: State) -> NextMoment:
        """What comes next in a state in whose turn too much was done: the turn ends."""
        moment = self.moments.of(state)
        is_going_on = moment.rest is not None or (moment.sums and not moment.ends_turn)
        return self.moments.of(state, self.memo.leaving(state)) if is_going_on else moment

    def _drawn(
        self, moment: NextMoment, state: State, fights: int, random: Callable[[], float]
    ) -> list[tuple[Outcome, int]]:
        """What so many fights come to in a state, and how many come to each."""
        if moment.rest is not None:
            return [(self.memo.rolled(state, moment.rest.intent, random), 1) for _ in range(fights)]
        return [(moment.outcomes[at], many) for at, many in drawn_many(moment.sums, fights, random)]

    def _leave(
        self, moment: NextMoment, state: State, before: State, fights: int, random: Callable[[], float]
    ) -> None:
        """End the turn in a state; `before` is where the fights end that would go on for too long."""
        for outcome, many in self._drawn(moment, state, fights, random):
            if outcome.stuck:
                self._end(state, many)
            else:
                self._go(self.memo.after(state, outcome), before, many)

    def _go(self, now: State, before: State, fights: int) -> None:
        """Let fights wait for the turn that has begun, unless they go on for too long, or the players withdraw."""
        if now[-2].value > self.limits.rounds:
            self._end(before, fights)
        elif self.limits.retreat_at and self._withdraws(now):
            self._end(now, fights, withdrawn=True)
        else:
            self._wait(now, fights)

    def _wait(self, state: State, fights: int) -> None:
        standing = self.rounds.setdefault(state[-2].value, {})
        standing[state] = standing.get(state, 0) + fights

    def _end(self, state: State, fights: int, withdrawn: bool = False) -> None:
        self.results.end(state, fights, withdrawn)
        self.over += fights

    def _withdraws(self, state: State) -> bool:
        """Whether the players withdraw in a state."""
        lives = []
        for body in state[: self.memo.size]:
            if body.fighter.side == PLAYERS:
                if body not in self.lives:
                    self.lives[body] = life_left(self.memo.system, body.fighter)
                lives.append(self.lives[body])
        return has_to_withdraw(lives, self.limits)

    def count(self, counts: Counts) -> None:
        """Add what the fights since the last count came to."""
        self.results.count(counts)
        if self.memo.kept > MOST_KEPT:
            self.memo.forget()
            self.moments.forget()
            self.lives.clear()

    def forget(self) -> None:
        """Leave the fights since the last count uncounted."""
        self.results.forget()
