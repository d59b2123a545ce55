"""Fights drawn from what is remembered of their steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from .fight import MAX_ACTIONS, Limits, has_to_withdraw
from .memo import MOST_KEPT, Law, Memo, Outcome, Rest, drawn_many
from .tally import Counts, Key, ending, result
from .watched import State

if TYPE_CHECKING:
    from _random import Random

MOST_MOMENTS = 120_000
"""Moments kept, beyond which all are forgotten between blocks: a duel comes to the same ones again and again."""

Ended = Callable[[int], bool]
"""Called with how many fights are over; gives whether to stop."""


class Moment:
    """A state of fights, and what comes next in it: an action of the fighter whose turn it is, or the end of its turn.

    It is the same in every round. A fight comes to a great many, so it is as small as can be.
    """

    __slots__ = ("cells", "ends_turn", "sums", "outcomes", "hops", "rest", "withdraws")

    def __init__(self, cells: Cells, ends_turn: bool, law: Law | None, rest: Rest | None):
        self.cells = cells
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

    __slots__ = ("to", "rounds", "counted", "ends_turn")

    def __init__(self, to: Moment, rounds: int, counted: Outcome | None, ends_turn: bool):
        self.to = to
        self.rounds = rounds
        """How many rounds pass."""
        self.counted = counted
        """The outcome, where something is counted with it."""
        self.ends_turn = ends_turn
        """Whether the turn ends."""


Cells = tuple[Any, ...]
"""The beginning of a state: its bodies and its frame; perhaps more, which has nothing to say."""

Openings = Sequence[tuple[State, int]]
"""States in which fights begin, and how many begin in each."""
Standing = dict[Moment, int]
"""How many fights stand at each moment."""


class Drawn:
    """Draws fights, and counts what they come to.

    Fights that stand at the same moment of the same round differ in nothing any more, so they go on together: a step
    is drawn for all of them, and how many go which way is counted.
    """

    def __init__(self, memo: Memo, limits: Limits):
        self.memo = memo
        self.limits = limits
        self.scores = memo.scores_of(memo.whole.scores)
        """The scores of one of the fights, which stand for those of all: nothing reads them after the beginning."""
        self.moments: dict[Cells, Moment] = {}
        self.outcomes: dict[Outcome, int] = {}
        """How often each outcome has come about since the last count."""
        self.ends: dict[tuple[Moment, int, bool], int] = {}
        """How often each fight has ended in the same way: where, in which round, and whether the players withdrew."""

    def fight(
        self, openings: Openings, new_random: Callable[[], Random], ended: Ended = lambda many: False
    ) -> bool:
        """Draw fights from their openings; False where `ended`, called with how many are over, has stopped them.

        `new_random` gives the generator from its start: where a rule turns out to look at the number of the round, the
        fights are drawn anew, as they are where that was known before.
        """
        knew = self.memo.knows_time
        finished = self._draw(openings, new_random(), ended)
        if finished and self.memo.knows_time != knew:
            self.forget()
            finished = self._draw(openings, new_random(), ended)
        return finished

    def _draw(self, openings: Openings, random: Random, ended: Ended) -> bool:
        if len(self.moments) >= MOST_MOMENTS:
            self._forget_moments()
        rounds: dict[int, Standing] = {}
        for state, many in openings:
            self.scores = state[-1]
            _move(rounds.setdefault(state[-2].value, {}), self._moment(state), many)
        fights = under_way = sum(many for _, many in openings)
        while rounds:
            number = min(rounds)
            standing = rounds.pop(number)
            while standing:
                standing = self._turn(standing, number, rounds, random.random)
            now = sum(sum(later.values()) for later in rounds.values())
            if now < under_way and ended(fights - now):
                return False
            under_way = now
        return True

    def _turn(
        self, standing: Standing, number: int, rounds: dict[int, Standing], random: Callable[[], float]
    ) -> Standing:
        """Let fights of a round go on to the end of a turn; gives where those that are still in the round stand then.

        The others are put into later rounds, or are over.
        """
        outcomes, most, retreat = self.outcomes, self.limits.rounds, self.limits.retreat_at
        after: Standing = {}
        actions = 0
        while standing:
            further: Standing = {}
            for moment, fights in standing.items():
                if not moment.sums and moment.rest is None:
                    self._end(moment, number, fights)
                    continue
                for at, hop, many in self._hops(moment, number, fights, random):
                    if hop.counted is not None:
                        outcomes[hop.counted] = outcomes.get(hop.counted, 0) + many
                    if not hop.ends_turn:
                        further[hop.to] = further.get(hop.to, 0) + many
                    elif number + hop.rounds > most:
                        self._end(self._before_next(moment, number, at), number, many)
                    elif retreat and self._withdraws(hop.to, number + hop.rounds):
                        self._end(hop.to, number + hop.rounds, many, withdrawn=True)
                    elif hop.rounds:
                        _move(rounds.setdefault(number + hop.rounds, {}), hop.to, many)
                    else:
                        after[hop.to] = after.get(hop.to, 0) + many
            actions += 1
            standing = further if actions != MAX_ACTIONS else self._all_leaving(further, number)
        return after

    def _hops(
        self, moment: Moment, number: int, fights: int, random: Callable[[], float]
    ) -> Iterator[tuple[int, Hop, int]]:
        """Where so many fights go from a moment of a round: by which of its outcomes, -1 if rolled, and how many."""
        if moment.rest is not None:
            for _ in range(fights):
                now = self._now(moment, number)
                yield -1, self._hop(moment, now, self.memo.rolled(now, moment.rest.intent, random)), 1
            return
        for at, many in drawn_many(moment.sums, fights, random):
            hop = moment.hops[at]
            if hop is None:
                hop = moment.hops[at] = self._hop(moment, self._now(moment, number), moment.outcomes[at])
            yield at, hop, many

    def _end(self, moment: Moment, number: int, fights: int, withdrawn: bool = False) -> None:
        key = moment, number, withdrawn
        self.ends[key] = self.ends.get(key, 0) + fights

    def _all_leaving(self, standing: Standing, number: int) -> Standing:
        """Fights in whose turn too much was done: it ends."""
        found: Standing = {}
        for moment, fights in standing.items():
            if moment.sums or moment.rest is not None:
                now = self._now(moment, number)
                moment = self._moment(now, self._leaving(now))
            _move(found, moment, fights)
        return found

    def _now(self, moment: Moment, number: int) -> State:
        """The state of fights at a moment in a round."""
        return [*moment.cells[: self.memo.size + 1], self.memo.round_of(number), self.scores]

    def _moment(self, state: State, leaving: str | None = None) -> Moment:
        """The moment of a state; `leaving`: whose turn ends now whatever could still be done in it."""
        memo, size = self.memo, self.memo.size
        width = size + 1 if not memo.knows_time else size + 2
        key = (*state[:width], leaving)
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
        if memo.knows_time and width == size + 1:
            self._forget_moments()
        found = self.moments[key] = Moment(key, ends_turn, law, rest)
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
        if outcome.stuck:
            return Hop(Moment(tuple(state), True, None, None), 0, counted, True)
        to = self._moment(state, turn if outcome.ends_turn else None)
        if moment.ends_turn or outcome.shift or turn != state[size].scene.turn:
            return Hop(to, outcome.shift, counted, True)
        if to.ends_turn and len(to.sums) == 1:
            further = to.hops[0]
            if further is None:
                further = to.hops[0] = self._hop(to, [*state], to.outcomes[0])
            return Hop(further.to, further.rounds, counted, True)
        return Hop(to, 0, counted, False)

    def _before_next(self, moment: Moment, number: int, at: int) -> Moment:
        """The moment at which the turn ends that an outcome of this one has ended; before an action that ends it."""
        if moment.ends_turn or at < 0 or moment.outcomes[at].ends_turn:
            return moment
        state = self._now(moment, number)
        self.memo.apply(state, moment.outcomes[at])
        return Moment(tuple(state), True, None, None)

    def _withdraws(self, moment: Moment, number: int) -> bool:
        """Whether the players withdraw at a moment of a round."""
        if moment.withdraws is None:
            memo = self.memo
            scene = memo.scene_of(self._now(moment, number))
            moment.withdraws = has_to_withdraw(memo.system, scene, self.limits)
        return moment.withdraws

    def count(self, counts: Counts) -> None:
        """Add what the fights since the last count came to."""
        memo = self.memo
        for outcome, times in self.outcomes.items():
            for key, number in outcome.tags:
                counts[key] = counts.get(key, 0) + times * number
        for (moment, number, withdrawn), times in self.ends.items():
            fighters = {body.fighter.name: body.fighter for body in moment.cells[: memo.size]}
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


def _move(to: Standing, moment: Moment, fights: int) -> None:
    to[moment] = to.get(moment, 0) + fights
