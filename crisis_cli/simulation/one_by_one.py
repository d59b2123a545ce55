"""Fights among many, drawn one after another, where it can be done a whole turn at a time."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ..engine.encounter import PLAYERS
from ..engine.turns import LAPS, next_in_line
from .contexts import ACT, DECIDED, MOST_RESULTS, NEXT, OVER, FightStep, FinishedStep, StepContext, Steps
from .fight import MAX_ACTIONS, FightLimits, has_to_withdraw, life_left
from .memo import BEGIN, LEAVE, MOST_KEPT, NEW_ROUND, OPEN_ROUND, ROUND_OVER, Memo, Stopped
from .outcomes import Outcome, Rest
from .results import Results
from .tally import Counts
from .turns import BY_STEPS, MOST_ACTIONS, Roles, TurnEnding, TurnSource, TurnTree
from .views import held
from .watched import Frame, OrderState, State

if TYPE_CHECKING:
    from _random import Random

Ended = Callable[[int], bool]
"""Called with how many fights are over; gives whether to stop."""
BELOW_ONE = 1.0 - 2.0**-53
MOST_BODIES = 150_000
"""States of fighters kept, beyond which everything is forgotten and learnt again."""


Look = tuple[Callable[[Hashable], Any], list[tuple[int, int]], tuple[int, ...], Roles]
"""How a turn is looked up: what gives what is known by what fighters hold, what that is, by slot and group of cells,
who takes which part, and the roles in it."""
NOTHING: tuple[()] = ()
"""In place of it for a turn that comes to nothing."""


def _nothing(key: Hashable) -> None:
    """What is known of turns whose roles are not checked yet."""


def drawn(sums: list[float], chance: float) -> tuple[int, float]:
    """Which of several outcomes a random number from 0 to 1 gives, by the sums of their chances; and where between the
    sums it is, which is a random number again."""
    at = bisect_right(sums, chance)
    below = sums[at - 1] if at else 0.0
    return at, min((chance - below) / (sums[at] - below), BELOW_ONE)


class OneByOne:
    """Draws fights, and counts what they come to."""

    def __init__(self, memo: Memo, limits: FightLimits):
        self.memo = memo
        self.limits = limits
        self.steps = Steps(memo)
        self.turns = TurnSource(self.steps)
        self.results = Results(memo)
        self.over = 0
        """How many fights are over."""
        self.noted: list[tuple[dict[Any, int], Any]] = []
        """What has come about in the fight under way, each with where it is counted once that is over."""
        self._slots = tuple(range(memo.size + 3))
        self._no_line = memo.line(memo.opening.scene)
        """In place of the line of a fight that is over: nothing of the turn order is counted."""
        self.beginnings: dict[tuple[str, ...], FightStep] = {}
        """The steps with which teams begin their turns."""
        self.frames: dict[tuple[Frame, str], Frame] = {}
        """For frames and fighters the same frame in their turn."""

    def fight(
        self, openings: Iterable[tuple[State, int]], random: Random, ended: Ended = lambda many: False
    ) -> None:
        """Draw fights from before their first round, or from where they stand, until `ended`, called with how many
        are over, stops them. What was fought till then counts."""
        self.over = 0
        self.noted.clear()
        with suppress(Stopped):
            # All turn orders are rolled first: fighting in between would drive what rolling needs out of the memory
            # of the processor, and the other way round.
            for state, many in [*openings]:
                self.steps.look_at(state)
                for _ in range(many):
                    self._fight(state, random.random)
                    self.over += 1
                    if ended(self.over):
                        return

    def _fight(self, state: State, random: Callable[[], float]) -> None:
        """Draw one fight."""
        steps, turns, size, limits = self.steps, self.turns, self.memo.size, self.limits
        now = [*state]
        context = steps.context(now)
        turn = now[size].turn
        step = steps.step(ACT, turn) if turn else steps.step(OPEN_ROUND)
        by_turns, is_first_turn = not limits.retreat_at, not turn
        idle = actions = 0
        by_steps, chance, done = False, None, 0
        """Whether a turn is taken step by step, the random number that settles what is left of it, and its actions."""
        before: list[Any] | None = None
        """How the fight stood when the latest turn ended, where it stands otherwise now."""
        while True:
            kind = step.kind
            roles: Roles | None = None
            ending: TurnEnding | None = None
            if kind is NEXT:
                idle += 1
                if not now[-1].round:
                    self._line_up(now[-1])
                is_plain = by_turns and context.all_here and now[size].is_nameless
                if is_plain and step.names[0] in now[-1].places:
                    context, step, has_acted, roles, ending = self._quickly(now, context, step, random)
                    if has_acted:
                        idle, before = 1, None
                after, frame = step.names[0], now[size]
                if step.kind is NEXT:
                    step = self._next(now, after)
                kind = step.kind
                if kind is BEGIN:
                    actions = 0
                    if frame.turn:
                        now[size] = self._with_turn(frame, "")
                else:
                    before = before or now[:]
                    if now[size + 1].value >= limits.rounds:
                        return self._end(before)
                    if idle > LAPS * size:
                        return self._end(now if self.memo.is_decided(tuple(now)) else before)
                    now[size] = self._with_turn(frame, after)
            elif kind is NEW_ROUND:
                now[size] = self._with_turn(now[size], "")
            elif kind is OVER:
                return self._end(now)
            if ending is None and by_turns and kind is not LEAVE and not by_steps:
                roles = (context.turns if now[size].is_nameless else context.turns_of_groups).get(step)
                if roles is None:
                    roles = turns.roles(step, context, now)
                turn = roles.known(now)
                if not isinstance(turn, TurnTree):
                    turn = turns.new(roles, step, context, tuple(now))
                if turn is not BY_STEPS and not roles.is_checked:
                    turn = turns.checked(roles, turn, step, context, tuple(now))
                    roles = (context.turns if now[size].is_nameless else context.turns_of_groups)[step]
                if turn is BY_STEPS:
                    by_steps = True
                else:
                    sums = turn.sums
                    ending = turn.endings[bisect_right(sums, random()) if len(sums) > 1 else 0]
            way: TurnEnding | Outcome
            if ending is not None and roles is not None:
                way, slots, taken = ending, roles.slots, roles.taken
                is_taken, may_move = ending.is_taken, ending.may_move
                actions += ending.acts
            else:
                known = steps.of(step, context, tuple(now))[0]
                if known is None or (kind is ACT and actions >= MAX_ACTIONS and known is not DECIDED):
                    step, by_steps, chance, done = steps.step(LEAVE, *step.names), False, None, 0
                    continue
                if isinstance(known, FinishedStep):
                    return self._end(now)
                if isinstance(known, Rest):
                    way = outcome = self.memo.rolled(tuple(now), known.intent, random)
                else:
                    way = outcome = known.outcomes[0]
                    if len(known.outcomes) > 1:
                        at, chance = drawn(known.sums, random() if chance is None else chance)
                        way = outcome = known.outcomes[at]
                slots, taken = self._slots, self.results.outcomes
                is_taken, may_move = kind is ACT or (kind is BEGIN and not outcome.ends_turn), True
                actions, done = actions + (kind is ACT), done + (kind is ACT)
            if is_taken:
                idle, before = 0, now[:] if way.shift else None
            elif kind is LEAVE or (kind is BEGIN and before is None and way.changes):
                before = now[:]
            if way.tags:
                self.noted.append((taken, way))
            for part, delta in way.changes:
                slot = slots[part]
                now[slot] = delta[now[slot]]
            if way.shift:
                self.memo.advance(now, way.shift)
                if now[size + 1].value > limits.rounds:
                    return self._end(before or now)
            if may_move or way.shift:
                context = steps.context(now)
            last = step
            if ending is None or roles is None:
                step = steps.following(step, outcome, tuple(now))
                if step.kind is not ACT or (kind is not BEGIN and step is not last) or done >= MOST_ACTIONS:
                    by_steps, chance, done = False, None, 0
            else:
                step = roles.thens.get(ending.then) or turns.then(roles, ending.then)
                if step.kind is NEXT:
                    continue
                if step.kind is ACT or step.kind is LEAVE:
                    now[size] = self._with_turn(now[size], step.names[0])
            if step.kind is ACT and step is not last:
                if kind is not BEGIN:
                    actions = 0
                if limits.retreat_at and not is_first_turn and self._withdraws(now):
                    return self._end(now, withdrawn=True)
                is_first_turn = False

    def _quickly(
        self, now: list[Any], context: StepContext, step: FightStep, random: Callable[[], float]
    ) -> tuple[StepContext, FightStep, bool, Roles | None, TurnEnding | None]:
        """Draw turns after a step in the line for as long as it is known what they come to.

        Gives the context and the step with which the fight goes on, whether somebody has acted, and where that step has
        been drawn already, who takes which part in it and how it ends.
        """
        # This is what simulating many takes its time for: hardly anything is called here, and little looked up.
        size, line, rounds = self.memo.size, now[-1], self.limits.rounds
        note, standing, find_context = self.noted.append, self.steps.standing, self.steps.context
        if now[size].turn:
            now[size] = self._with_turn(now[size], "")
        has_acted = acts = False
        looks = self._looks(now, context)
        to_come: list[FightStep] = line.round[line.places[step.names[0]] :]
        while True:
            for step in to_come:
                look = looks.get(step)
                if not look:
                    if look is None:
                        look = self._look(now, context, step)
                    if not look:
                        continue
                get, groups, slots, roles = look
                if len(groups) == 3:
                    # Most read three fighters.
                    (first, one), (second, other), (third, more) = groups
                    turn = get((now[first][one], now[second][other], now[third][more]))
                else:
                    turn = get(held(now, groups))
                if turn.__class__ is not TurnTree:
                    turn = roles.known(now)
                    if turn.__class__ is not TurnTree:
                        return context, step, has_acted, None, None
                sums = turn.sums
                ending = turn.endings[bisect_right(sums, random()) if len(sums) > 1 else 0]
                if not ending.is_plain:
                    return context, step, has_acted, roles, ending
                has_acted = acts = True
                if ending.tags:
                    note((roles.taken, ending))
                if not ending.may_move:
                    for part, delta in ending.changes:
                        slot = slots[part]
                        now[slot] = delta[now[slot]]
                    continue
                moved = False
                for part, delta in ending.changes:
                    slot = slots[part]
                    before = now[slot]
                    now[slot] = after = delta[before]
                    if slot < size and after[standing] != before[standing]:
                        moved = True
                if moved:
                    context = find_context(now)
                    looks = self._looks(now, context)
            begins, turn = context.new_round, None
            if begins and acts and now[size + 1].value < rounds:
                get, groups, slots, roles = begins
                turn = get(held(now, groups))
                if turn.__class__ is not TurnTree:
                    turn = roles.known(now)
            if turn.__class__ is not TurnTree:
                return context, self.steps.step(NEXT, line.last), has_acted, None, None
            sums = turn.sums
            ending = turn.endings[bisect_right(sums, random()) if len(sums) > 1 else 0]
            for part, delta in ending.changes:
                slot = slots[part]
                now[slot] = delta[now[slot]]
            self.memo.advance(now, ending.shift, context.is_timed)
            to_come, acts = line.round, False
            if context.is_timed or ending.may_move:
                context = find_context(now)
                looks = self._looks(now, context)

    def _looks(self, now: list[Any], context: StepContext) -> dict[FightStep, Look | tuple[()]]:
        """How turns are looked up in the context in which a fight stands, by what is known of them by now."""
        if context.version != self.turns.version:
            context.version = self.turns.version
            context.looks.clear()
            over = self._roles(now, context, self.steps.step(ROUND_OVER))
            begins = self._look(now, context, self.steps.step(NEW_ROUND))
            context.new_round = begins if over.come_to_nothing else None
        return context.looks

    def _roles(self, now: list[Any], context: StepContext, step: FightStep) -> Roles:
        """Who takes which part in the turn that begins with a step."""
        return context.turns.get(step) or self.turns.roles(step, context, now)

    def _look(self, now: list[Any], context: StepContext, step: FightStep) -> Look | tuple[()]:
        """How the turn that begins with a step is looked up in a context; `NOTHING` where it comes to nothing."""
        roles = self._roles(now, context, step)
        found: Look | tuple[()] = NOTHING
        if not roles.come_to_nothing:
            roles.look()
            found = roles.view.found.get if roles.is_checked else _nothing, roles.groups, roles.slots, roles
        context.looks[step] = found
        return found

    def _next(self, now: list[Any], after: str) -> FightStep:
        """The step that follows on the end of a turn: the next team begins its turn, or the round is over."""
        steps = self.steps
        team = next_in_line(self.memo.scene_of(tuple(now)), after)
        return steps.step(BEGIN, *team) if team else steps.step(ROUND_OVER)

    def _line_up(self, line: OrderState) -> None:
        """Note the turns of a round in a line."""
        for at, team in enumerate(line.scene.teams_in_line()):
            for one in team:
                line.places[one] = at + 1
            begin = self.beginnings.get(team)
            if begin is None:
                begin = self.beginnings[team] = self.steps.step(BEGIN, *team)
            line.round.append(begin)
            line.last = team[-1]

    def _with_turn(self, frame: Frame, who: str) -> Frame:
        """The same frame while it is the turn of a fighter; nobody's between turns."""
        known = self.frames.get((frame, who))
        if known is None:
            known = self.frames[frame, who] = self.memo.frame(frame.scene._replace(turn=who))
        return known

    def _withdraws(self, now: list[Any]) -> bool:
        """Whether the players withdraw."""
        fighters = [body.fighter for body in now[: self.memo.size]]
        lives = [life_left(self.memo.system, one) for one in fighters if one.side == PLAYERS]
        return has_to_withdraw(lives, self.limits)

    def _end(self, now: list[Any], withdrawn: bool = False) -> None:
        self.results.end((*now[:-1], self._no_line), 1, withdrawn)
        for taken, way in self.noted:
            taken[way] = taken.get(way, 0) + 1
        self.noted.clear()

    def count(self, counts: Counts) -> None:
        """Add what the fights since the last count came to."""
        self.results.count(counts)
        self.turns.count(counts)
        memo, steps = self.memo, self.steps
        if memo.kept > MOST_KEPT or len(memo.bodies) > MOST_BODIES:
            memo.forget()
            steps.forget()
            self.turns.forget()
            self.frames.clear()
        elif steps.kept > MOST_RESULTS:
            steps.forget_results()
            memo.forget_orders()
            self.turns.forget()

    def forget(self) -> None:
        """Leave the fights since the last count uncounted."""
        self.results.forget()
        self.turns.forget_counts()
