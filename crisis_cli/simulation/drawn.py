"""Fights drawn from what is remembered of their steps."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable

from .fight import MAX_ACTIONS, Limits, has_to_withdraw
from .memo import MOST_KEPT, Law, Memo, Outcome, Rest
from .tally import Counts, Key, ending, result
from .watched import Held, State

MOST_MOMENTS = 80_000
"""Moments kept, beyond which all are forgotten: a duel comes to the same ones again and again."""


class Moment:
    """A state of fights, and what comes next in it: an action of the fighter whose turn it is, or the end of its turn.

    It is the same in every round; `state` has the round and the scores of the fight that met it first.
    """

    __slots__ = ("state", "ends_turn", "sums", "outcomes", "hops", "rest", "withdraws")

    def __init__(self, state: State, ends_turn: bool, law: Law | None, rest: Rest | None):
        self.state = state
        self.ends_turn = ends_turn
        """Whether nothing is left of the turn."""
        self.sums = law.sums if law is not None else []
        """The sums of the chances of all outcomes; none where the fight is over, or the action has to be rolled."""
        self.outcomes = law.outcomes if law is not None else []
        self.hops: list[Hop | None] = [None] * len(self.sums)
        """Where each outcome leads, once it has come about."""
        self.rest = rest
        self.withdraws: bool | None = None
        """Whether the players withdraw now, once that was asked."""


class Hop:
    """The way from one moment to another that fights come to."""

    __slots__ = ("to", "rounds", "scores", "counted", "ends_turn")

    def __init__(
        self, to: Moment, rounds: int, scores: Held | None, counted: Outcome | None, ends_turn: bool
    ):
        self.to = to
        self.rounds = rounds
        """How many rounds pass."""
        self.scores = scores
        """The scores afterwards, where they are new."""
        self.counted = counted
        """The outcome, where something is counted with it."""
        self.ends_turn = ends_turn
        """Whether the turn ends."""


class Drawn:
    """Draws fights, and counts what they come to."""

    def __init__(self, memo: Memo, limits: Limits):
        self.memo = memo
        self.limits = limits
        self.moments: dict[Hashable, Moment] = {}
        self.outcomes: dict[Outcome, int] = {}
        """How often each outcome has come about since the last count."""
        self.ends: dict[tuple[Moment, int, bool], int] = {}
        """How often each fight has ended in the same way: where, in which round, and whether the players withdrew."""

    def fight(self, random: Callable[[], float]) -> None:
        """Draw one fight."""
        outcomes, most, retreat = self.outcomes, self.limits.rounds, self.limits.retreat_at
        state = self.memo.opened(random)
        number, scores = state[-2].value, state[-1]
        moment = self._moment(state)
        withdrawn, actions = False, 0
        while True:
            sums = moment.sums
            if sums:
                at = bisect_right(sums, random()) if len(sums) > 1 else 0
                hop = moment.hops[at]
                if hop is None:
                    now = self._now(moment, number, scores)
                    hop = moment.hops[at] = self._hop(moment, now, moment.outcomes[at])
            elif moment.rest is not None:
                now = self._now(moment, number, scores)
                hop = self._hop(moment, now, self.memo.rolled(now, moment.rest.intent, random))
            else:
                break
            if hop.counted is not None:
                outcomes[hop.counted] = outcomes.get(hop.counted, 0) + 1
            if not hop.ends_turn:
                moment = hop.to
                actions += 1
                if actions == MAX_ACTIONS and moment.sums:
                    moment = self._moment(self._now(moment, number, scores), self._leaving(moment.state))
                continue
            actions = 0
            number += hop.rounds
            if number > most:
                moment, number = self._before_next(moment, at if sums else -1), number - hop.rounds
                break
            moment = hop.to
            if hop.scores is not None:
                scores = hop.scores
            if retreat and self._withdraws(moment):
                withdrawn = True
                break
        key = moment, number, withdrawn
        self.ends[key] = self.ends.get(key, 0) + 1

    def _now(self, moment: Moment, number: int, scores: Held) -> State:
        """The state of a fight at a moment: it has a round and scores of its own."""
        return [*moment.state[:-2], self.memo.round_of(number), scores]

    def _moment(self, state: State, leaving: str | None = None) -> Moment:
        """The moment of a state; `leaving`: whose turn ends now whatever could still be done in it."""
        memo, size = self.memo, self.memo.size
        width = size + 1 if not memo.knows_time else size + 3
        key = (leaving, *state[:width])
        known = self.moments.get(key)
        if known is not None:
            return known
        law = rest = None
        ends_turn = leaving is not None
        if ends_turn or (state[size].scene.turn and not memo.is_decided(state)):
            step = None if ends_turn else memo.act(state)
            ends_turn = step is None
            if step is None:
                law = memo.next(state, self._leaving(state) if leaving is None else leaving)
            elif isinstance(step, Rest):
                rest = step
            else:
                law = step
        if len(self.moments) >= MOST_MOMENTS or (memo.knows_time and width == size + 1):
            self._forget_moments()
        found = self.moments[key] = Moment(state, ends_turn, law, rest)
        return found

    def _forget_moments(self) -> None:
        # Where everybody misses a moment leads back to itself, and would wait for the garbage collector.
        for moment in self.moments.values():
            moment.hops = [None] * len(moment.hops)
        self.moments.clear()

    def _leaving(self, state: State) -> str:
        """Whose turn ends where nothing is left to do in it: in a group one fighter after another."""
        scene = state[self.memo.size].scene
        return scene.turn if scene.turn in scene.group else ""

    def _hop(self, moment: Moment, state: State, outcome: Outcome) -> Hop:
        """Where an outcome of a moment in this state leads; an end of turn that can go one way only is part of it."""
        memo, size = self.memo, self.memo.size
        turn = state[size].scene.turn
        memo.apply(state, outcome)
        counted = outcome if outcome.tags else None
        scores = next((state[slot] for slot, _ in outcome.changes if slot == size + 2), None)
        if outcome.stuck:
            return Hop(Moment(state, True, None, None), 0, scores, counted, True)
        to = self._moment(state, turn if outcome.ends_turn else None)
        if moment.ends_turn or outcome.shift or turn != state[size].scene.turn:
            return Hop(to, outcome.shift, scores, counted, True)
        if to.ends_turn and len(to.sums) == 1:
            further = self._hop(to, [*state], to.outcomes[0])
            return Hop(further.to, further.rounds, further.scores or scores, counted, True)
        return Hop(to, 0, scores, counted, False)

    def _before_next(self, moment: Moment, at: int) -> Moment:
        """The moment at which the turn ends that an outcome of this one has ended; before an action that ends it."""
        if moment.ends_turn or at < 0 or moment.outcomes[at].ends_turn:
            return moment
        state = [*moment.state]
        self.memo.apply(state, moment.outcomes[at])
        return Moment(state, True, None, None)

    def _withdraws(self, moment: Moment) -> bool:
        """Whether the players withdraw at a moment."""
        if moment.withdraws is None:
            memo = self.memo
            moment.withdraws = has_to_withdraw(memo.system, memo.scene_of(moment.state), self.limits)
        return moment.withdraws

    def count(self, counts: Counts) -> None:
        """Add what the fights since the last count came to."""
        memo = self.memo
        for outcome, times in self.outcomes.items():
            for key, number in outcome.tags:
                counts[key] = counts.get(key, 0) + times * number
        for (moment, number, withdrawn), times in self.ends.items():
            fighters = {body.fighter.name: body.fighter for body in moment.state[: memo.size]}
            scene = memo.whole._replace(fighters=fighters, round=number)
            found: list[Key] = [("rounds", number), ("wins", result(memo.system, scene, withdrawn))]
            for key in (*found, *ending(memo.system, scene)):
                counts[key] = counts.get(key, 0) + times
        self.forget()
        if memo.kept > MOST_KEPT:
            memo.forget()
            self._forget_moments()

    def forget(self) -> None:
        """Leave the fights since the last count uncounted."""
        self.outcomes.clear()
        self.ends.clear()
