"""Fights drawn step by step from what is remembered of them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable

from .fight import MAX_ACTIONS, Limits, has_to_withdraw
from .memo import MISSING, MOST_KEPT, Law, Memo, Outcome, Rest, drawn
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
        steps = memo.steps
        state = memo.opened(random)
        withdrawn, actions, turn = False, 0, ""
        before, has_fallen = state, True
        while not (has_fallen and memo.is_decided(state)):
            has_fallen = False
            who = state[size].scene.turn
            if not who:
                break
            actions = actions + 1 if who == turn else 1
            turn = who
            step = None
            if actions <= MAX_ACTIONS:
                step = MISSING
                for known in steps.get(("act", who), ()):
                    held = tuple([state[slot][group] for slot, group in known.groups])
                    step = known.found.get(held, MISSING)
                    if step is not MISSING:
                        break
                else:
                    step = memo.act(state)
            ends_turn, leaving = True, who
            if step is not None:
                if type(step) is Law:
                    sums = step.sums
                    outcome = step.outcomes[bisect_right(sums, random()) if len(sums) > 1 else 0]
                elif type(step) is Rest:
                    outcome = memo.rolled(state, step.intent, random)
                ends_turn = outcome.ends_turn
                if ends_turn:
                    before = [*state]
                for slot, delta in outcome.changes:
                    was = state[slot]
                    now = state[slot] = delta[was]
                    if slot < size and now.stands is not was.stands:
                        has_fallen = True
                if outcome.tags:
                    outcomes[outcome] = outcomes.get(outcome, 0) + 1
                if outcome.shift:
                    memo.advance(state, outcome.shift)
            else:
                before = [*state]
                group = state[size].scene.group
                leaving = who if group and who in group else ""
            if not ends_turn:
                continue
            outcome = drawn(memo.next(state, leaving), random)
            if outcome.stuck:
                break
            memo.apply(state, outcome)
            actions, has_fallen = 0, True
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
