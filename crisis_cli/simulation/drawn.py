"""Fights drawn step by step from what is remembered of them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable

from .fight import MAX_ACTIONS, Limits, has_to_withdraw
from .memo import MOST_KEPT, Law, Memo, Outcome, Rest
from .tally import Counts, Key, ending, result
from .watched import Body


class Drawn:
    """Draws fights, and counts what they come to."""

    def __init__(self, memo: Memo, limits: Limits):
        self.memo = memo
        self.limits = limits
        self.outcomes: dict[Outcome, int] = {}
        """How often each outcome has come about since the last count."""
        self.ends: dict[tuple[tuple[Body, ...], int, bool], int] = {}
        """How often each fight has ended in the same way: its bodies, the round, and whether the players withdrew."""

    def fight(self, random: Callable[[], float]) -> None:
        """Draw one fight."""
        memo, outcomes = self.memo, self.outcomes
        size, rounds, retreat = memo.size, self.limits.rounds, self.limits.retreat_at
        state = memo.opened(random)
        withdrawn, actions, turn = False, 0, ""
        before = state
        while not memo.is_decided(state):
            who = state[size].scene.turn
            if not who:
                break
            actions = actions + 1 if who == turn else 1
            turn = who
            step = memo.act(state) if actions <= MAX_ACTIONS else None
            if step is not None:
                if type(step) is Law:
                    sums = step.sums
                    outcome = step.outcomes[bisect_right(sums, random()) if len(sums) > 1 else 0]
                elif type(step) is Rest:
                    outcome = memo.rolled(state, step.intent, random)
                before = state
                if outcome.ends_turn:
                    before = [*state]
                for slot, delta in outcome.changes:
                    state[slot] = delta[state[slot]]
                if outcome.tags:
                    outcomes[outcome] = outcomes.get(outcome, 0) + 1
                if outcome.shift:
                    memo.advance(state, outcome.shift)
                if not outcome.ends_turn:
                    continue
                leaving = who
            else:
                before = [*state]
                leaving = who if state[size].scene.group and who in state[size].scene.group else ""
            law = memo.next(state, leaving)
            sums = law.sums
            outcome = law.outcomes[bisect_right(sums, random()) if len(sums) > 1 else 0]
            if outcome.stuck:
                break
            memo.apply(state, outcome)
            actions = 0
            if state[size + 1].value > rounds:
                state = before
                break
            if retreat and has_to_withdraw(memo.system, memo.scene_of(state), self.limits):
                withdrawn = True
                break
        key = tuple(state[:size]), state[size + 1].value, withdrawn
        self.ends[key] = self.ends.get(key, 0) + 1

    def count(self, counts: Counts) -> None:
        """Add what the fights since the last count came to."""
        memo = self.memo
        for outcome, times in self.outcomes.items():
            for key, number in outcome.tags:
                counts[key] = counts.get(key, 0) + times * number
        for (bodies, number, withdrawn), times in self.ends.items():
            fighters = {body.fighter.name: body.fighter for body in bodies}
            scene = memo.whole._replace(fighters=fighters, round=number)
            found: list[Key] = [("rounds", number), ("wins", result(memo.system, scene, withdrawn))]
            for key in (*found, *ending(memo.system, scene)):
                counts[key] = counts.get(key, 0) + times
        self.forget()
        if memo.kept > MOST_KEPT:
            memo.forget()

    def forget(self) -> None:
        """Leave the fights since the last count uncounted."""
        self.outcomes.clear()
        self.ends.clear()
