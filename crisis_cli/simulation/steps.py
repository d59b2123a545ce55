"""Fights by what is remembered of their steps.

A step is a few functions of the scene: deciding, paying, taking effect, each phase of a turn. Each is remembered as a
tree of what it reads and draws, with the changes at its leaves. What is not known yet is asked of the engine, one path
at a time, so that a branch which nobody has drawn is never worked out.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Hashable, Iterable, Sequence
from math import inf
from typing import Any

from ..dice.distribution import OddsTable, least_harm
from ..engine.consequences import effects
from ..engine.core_actions import CORE_ACTIONS
from ..engine.cost import Payment
from ..engine.events import apply_all
from ..engine.resolve import first_effects
from ..engine.scene import Intent, Scene
from ..engine.system import no_effects
from ..engine.turns import LAPS, Clock, next_in_line
from ..engine.validate import Prepared, prepare
from ..errors import CrisisError, Refused, TooWide
from .fight import STUCK, FightLimits, FightStart, harm_of_events, has_to_withdraw
from .laws import DiceQuestion, DrawTable, Random
from .policy import PlainPolicy, keys_of
from .state import FRAME, Cell, States
from .tally import Counts
from .tree import BEGIN, ROOT, DrawNode, Found, Leaf, Node, NotingTable, ReadNode, Run, StepFunction

MOST_ORDERS = 1_000
"""Results of the roll for the turn order up to which what follows from each is remembered."""
DECISION, CONSEQUENCES = "the decision", "consequences"
"""The functions of what a fighter does next, and of what follows from its state."""
MOST_NODES = 150_000
"""Nodes of trees that are kept; after that all is forgotten and learnt again."""


class RememberedCourse:
    """Fights by the plain policy, by what is remembered of their steps: fight by fight those of `EngineCourse`."""

    def __init__(self, start: FightStart):
        self.system, self.start = start.system, start
        self.policy = PlainPolicy(start.system, start.scene)
        self.states = States(start.scene, self.policy)
        self._sides = [fighter.side for fighter in start.scene.fighters.values()]
        self._has_turn_phases = not {"start-turn", "end-turn"}.isdisjoint(start.system.phases)
        self._is_duel = len(start.scene.fighters) == 2
        self._functions: dict[Hashable, StepFunction] = {}
        self._parts: dict[Hashable, dict[Hashable, Node]] = {}
        """The trees of the parts of decisions."""
        self._nodes = 0
        self._has_few_orders = start.intent is not None and self._count_orders(start.intent) <= MOST_ORDERS
        """Whether what follows from each turn order is remembered."""
        self._state: list[Any] = []
        self._before: list[Any] = []
        self._is_decided: bool | None = None
        """Whether the present fight is decided; None where that is not known."""
        self._changed: list[int] = []
        """The slots of fighters that the present step has changed so far."""

    def new_table(self, random: Random) -> NotingTable:
        """The table of a block of fights."""
        return NotingTable(random, self.policy.laws, self.states.watch.reads)

    # The course of a fight

    @property
    def scene(self) -> Scene:
        """The scene of the present fight."""
        return self.states.scene(self._state)

    @property
    def turn(self) -> str:
        """Whose turn it is."""
        turn: str = self._state[-1].scene.turn
        return turn

    @property
    def is_decided(self) -> bool:
        """Whether at most one side still stands."""
        if self._is_decided is None:
            self._is_decided = self._has_one_side()
        return self._is_decided

    def _has_one_side(self) -> bool:
        first = ""
        for side, state in zip(self._sides, self._state, strict=False):
            if state.stands and side != first:
                if first:
                    return False
                first = side
        return True

    def begin(self, table: DrawTable, counts: Counts) -> None:
        """Begin another fight: with the roll for the turn order, unless that has been made."""
        assert isinstance(table, NotingTable)
        self._table, self._counts, self._is_decided = table, counts, None
        if self._nodes > MOST_NODES:
            self.forget()
        scene, intent = self.start.scene, self.start.intent
        if intent is None or self._has_few_orders:
            self._state = self.states.of(scene)
            if intent is not None:
                self._call(self._function(BEGIN, "", self._begun))
        else:
            self._state = self.states.of(apply_all(scene, self._begun(scene, table).events))

    def step(self, who: str, decides: bool) -> bool:
        """One action of a fighter, or the end of its turn; gives whether the turn has ended."""
        self._before = self._state[:]
        is_over = not decides or self._act(self._functions.get((DECISION, who)) or self._deciding(who))
        if is_over is None:
            is_over = self._act_by_all(who)
        if is_over and not self._next_turn(who):
            self._state = self._before
            raise Refused("nobody can act any more", code=STUCK)
        return is_over

    def end_of_turn(self, limits: FightLimits) -> str:
        """Why a fight ends with the turn that has ended; empty where it goes on."""
        if self._state[-1].scene.round > limits.rounds:
            self._state = self._before
            return "late"
        is_lost = limits.retreat_at and has_to_withdraw(self.system, self.scene, limits)
        return "withdrawn" if is_lost else ""

    def forget(self) -> None:
        """Forget all that was learnt; that changes no fight."""
        self.states.forget()
        self._functions.clear()
        self._parts.clear()
        self._nodes = 0
        self._state, self._before = [], []
        # States refer to each other in circles, and so many objects are collected by themselves seldom.
        gc.collect()

    # What is remembered

    def _call(self, function: StepFunction | None, to_end: bool = True) -> Leaf:
        """Make the changes of a function in the present state, and of those that are next; gives the last leaf."""
        state, answer_of = self._state, self._table.answer
        while function is not None:
            node: Any = function.tree.get(ROOT)
            drawn: list[Any] = []
            while True:
                kind = type(node)
                if kind is ReadNode:
                    slot, group = node.first
                    number = state[slot].numbers[group]
                    if node.second is not None:
                        slot, group = node.second
                        number = number, state[slot].numbers[group]
                        if node.others:
                            number = (*number, *[state[slot].numbers[group] for slot, group in node.others])
                    node = node.to.get(number)
                elif kind is Leaf:
                    break
                elif kind is DrawNode:
                    answer = answer_of(node.question)
                    drawn.append(answer)
                    node = node.to.get(answer)
                else:
                    node = self._learnt(function, drawn)
            if node.deltas or node.counted:
                self._make(node)
            function = node.then if to_end else None
        leaf: Leaf = node
        return leaf

    def _make(self, leaf: Leaf) -> None:
        """Make the changes of a leaf, and count what is counted with it."""
        state, counts = self._state, self._counts
        for slot, delta in leaf.deltas:
            before = state[slot]
            after = state[slot] = before.after.get(delta) or self.states.after(slot, before, delta)
            if after.stands is not before.stands:
                self._is_decided = None
        for counted, times in leaf.counted:
            counts[counted] = counts.get(counted, 0) + times
        if leaf.changed:
            self._changed += leaf.changed

    def _learnt(self, function: StepFunction, drawn: list[Any]) -> Leaf:
        """Ask the engine what a function comes to, and remember what it has read and drawn on the way."""
        table, reads = self._table, self.states.watch.reads
        reads.clear()
        table.before, table.drawn = drawn, []
        found = function.run(self.states.watched(self._state), table)
        leaf = Leaf(found, self.states.deltas(found.events), len(self._sides))
        self._insert(function.tree, [*reads], table.drawn, leaf)
        return leaf

    def _part(self, key: Hashable, work: Callable[..., Any], *args: Any) -> Any:
        """A part of a decision, remembered for all decisions that it is a part of; what it reads they have read."""
        tree, reads = self._parts.setdefault(key, {}), self.states.watch.reads
        node = tree.get(ROOT)
        while isinstance(node, ReadNode):
            for slot, group in node.groups:
                reads |= self.states.cells(slot, group)
            node = node.to.get(node.numbers(self._state))
        if not isinstance(node, Leaf):
            outer = {**reads}
            reads.clear()
            node = Leaf(Found(value=work(*args)), (), 0)
            # As the policy sees it, the pools of sides are always empty.
            reads.pop((FRAME, "sides"), None)
            self._insert(tree, [*reads], (), node)
            reads |= outer
        return node.value

    def _insert(
        self,
        tree: dict[Hashable, Node],
        reads: Sequence[Cell],
        drawn: Iterable[tuple[int, DiceQuestion, Any]],
        leaf: Leaf,
    ) -> None:
        """Put a path into a tree: the cells read before each draw, the draws, and the leaf."""
        key, begin = ROOT, 0
        for end, question, answer in drawn:
            tree, key = self._insert_reads(tree, key, reads[begin:end])
            node = tree.get(key)
            if node is None:
                node = tree[key] = DrawNode(question)
                self._nodes += 1
            assert isinstance(node, DrawNode)
            tree, key, begin = node.to, answer, end
        tree, key = self._insert_reads(tree, key, reads[begin:])
        tree[key] = leaf
        self._nodes += 1

    def _insert_reads(
        self, tree: dict[Hashable, Node], key: Any, reads: Iterable[Cell]
    ) -> tuple[dict[Hashable, Node], Any]:
        """Go down a tree by what the present state holds, with new nodes for cells that no node reads yet."""
        left: dict[int, dict[str, None]] = {}
        for who, cell in reads:
            left.setdefault(self.states.slot_of(who, cell), {})[cell] = None
        while True:
            node = tree.get(key)
            if node is None and any(left.values()):
                groups = [(slot, self.states.group(tuple(cells))) for slot, cells in left.items() if cells]
                node = tree[key] = ReadNode(groups)
                self._nodes += 1
            if not isinstance(node, ReadNode):
                return tree, key
            for slot, group in node.groups:
                for cell in group.cells:
                    left.get(slot, {}).pop(cell, None)
            tree, key = node.to, node.numbers(self._state)

    def _function(self, name: str, key: Hashable, run: Run) -> StepFunction:
        """The function of a name and a key, which is worked out by `run` where nothing is remembered."""
        key = name, key
        return self._functions.get(key) or self._functions.setdefault(key, StepFunction(name, run))

    # The functions of a step

    def _count_orders(self, intent: Intent) -> float:
        """How many results the roll for the turn order may have; infinitely many where they are too many to count."""
        prepared = prepare(self.system, self.start.scene, intent)
        try:
            return len(OddsTable(least_harm, MOST_ORDERS).of(prepared.rule, prepared.dice).ways)
        except TooWide:
            return inf

    def _begun(self, scene: Scene, table: NotingTable) -> Found:
        """The roll for the turn order, and the first turn."""
        assert self.start.intent is not None
        return Found(
            CORE_ACTIONS[self.start.intent.action].run(self.system, scene, self.start.intent, table).events
        )

    def _act(self, function: StepFunction) -> bool | None:
        """Carry out an action, from the decision on or from its payment; gives whether that ends the turn, None where
        the rules do not allow it."""
        changed = self._changed = []
        is_over: bool | None = self._call(function).value
        if changed:
            self._follow(dict.fromkeys(changed))
        return is_over

    def _act_by_all(self, who: str) -> bool:
        """One action of a fighter where what the policy sees is not enough to tell whether the rules allow it."""
        intent = self.policy.decide(self.scene, who)
        return intent.action == "next" or bool(self._act(self._paying(intent)))

    def _deciding(self, who: str) -> StepFunction:
        """What a fighter does next; then, or in a duel at once, it pays for that."""

        def run(scene: Scene, table: NotingTable) -> Found:
            intent = self._decision(scene, who)
            if intent.action == "next":
                return Found(value=True)
            return self._paid(scene, intent) if self._is_duel else Found(then=self._paying(intent))

        return self._function(DECISION, who, run)

    def _decision(self, scene: Scene, who: str) -> Intent:
        """What a fighter does next in a watched scene: by what the policy sees of the present state."""
        intent = self.policy.decide(self.states.watched_seen(self._state), who, self._part)
        self.states.watch.reads.pop((FRAME, "sides"), None)
        return intent

    def _paying(self, intent: Intent) -> StepFunction:
        """The payment for an action, which then takes effect."""
        return self._function(
            intent.action, keys_of([intent]), lambda scene, table: self._paid(scene, intent)
        )

    def _paid(self, scene: Scene, intent: Intent) -> Found:
        """The payment for an action, which then takes effect; its value is None where the rules do not allow it, and
        False where it is paid for in part."""
        try:
            prepared = prepare(self.system, scene, intent)
        except CrisisError:
            return Found()
        if prepared.payment.of:
            return Found(prepared.payment.events, value=False)
        return Found(prepared.payment.events, then=self._effect(intent, prepared))

    def _effect(self, intent: Intent, prepared: Prepared) -> StepFunction:
        """The dice of an action that has been paid for, and what they do; its value is whether that ends the turn."""

        def run(scene: Scene, table: NotingTable) -> Found:
            row = prepared.row
            answer = table.ask(prepared.rule, prepared.dice, part=row.odds.effect_key)
            paid = prepared._replace(payment=Payment((), scene))
            events = first_effects(self.system, scene, intent, paid, answer, hold=True)
            gear = prepared.setup.gear or intent.action
            counted = tuple(harm_of_events(self.system, self.scene, intent, gear, events))
            return Found(events, row.ends_turn and intent.actor in scene.acting, counted)

        try:
            return self._function(intent.action, (keys_of([intent]), prepared.setup), run)
        except TypeError:
            # A setup that is no key is remembered by the way to it alone.
            return StepFunction(intent.action, run)

    def _follow(self, slots: Iterable[int]) -> None:
        """What follows from the states of fighters."""
        for slot in slots:
            state = self._state[slot]
            if not state.is_settled:
                who = state.fighter.name
                self._call(self._functions.get((CONSEQUENCES, who)) or self._following(who))
                # Where no consequences of the system look at others, nothing more follows from the same state again.
                state.is_settled = self._state[slot] is state and self.system.consequences is no_effects

    def _following(self, who: str) -> StepFunction:
        """What follows from the state of a fighter."""
        return self._function(
            CONSEQUENCES, who, lambda scene, table: Found(tuple(self.system.follows(scene, who)))
        )

    # The functions of a turn

    def _on_clock(self, move: Callable[..., Any], *args: Any) -> Any:
        """Move the clock on by one of its methods; gives what that gives."""

        def run(scene: Scene, table: NotingTable) -> Found:
            clock = Clock(self.system, scene, Intent("next"), table)
            value = move(clock, *args)
            return Found(clock.events, value)

        return self._call(self._function(move.__name__, args, run)).value

    def _next_turn(self, leaving: str) -> bool:
        """End a turn and begin the next, as `Clock.on` does; False where nobody can act any more."""
        frame, was_decided, slots = self._state[-1].scene, self.is_decided, self.states.slots
        if frame.group or frame.pending:
            if self._on_clock(Clock.leave, leaving):
                return True
        elif self._has_turn_phases or self._state[slots[leaving]].is_timed:
            self._phase("end-turn", leaving)
        for _ in range(LAPS * len(self._sides)):
            team = self._team_after(leaving)
            if not team:
                self._phase("end-round", "")
                self._on_clock(Clock.next_round)
                self._phase("start-round", "")
                leaving = ""
                continue
            leaving = team[-1]
            if len(team) > 1:
                if self._on_clock(Clock.begin, team):
                    return True
                continue
            self._set_turn(leaving)
            if self._has_turn_phases or self._state[slots[leaving]].is_timed:
                self._phase("start-turn", leaving)
            if not self._state[slots[leaving]].is_idle:
                return True
            self._phase("end-turn", leaving)
        if not was_decided and self.is_decided:
            self._set_turn("")
            return True
        return False

    def _set_turn(self, who: str) -> None:
        """Make it the turn of a fighter."""
        frame = self._state[-1]
        self._state[-1] = frame.turns.get(who) or self.states.turned(frame, who)

    def _team_after(self, leaving: str) -> tuple[str, ...]:
        """The next team that is there after a fighter; nobody where the round is over."""
        order, frame = self._state[self.states.order_slot], self._state[-1].scene
        key = leaving, frame.is_extra_round
        team: tuple[str, ...] | None = order.teams.get(key)
        if team is None:
            team = order.teams[key] = self.scene.team_after(leaving)
        is_changed = frame.late
        for name in team:
            is_changed = is_changed or self._state[self.states.slots[name]].fighter.gone
        return next_in_line(self.scene, leaving) if is_changed else team

    def _phase(self, name: str, who: str) -> None:
        """One phase of a round or a turn, as `Clock.phase`, each fighter's part of it apart where that is possible."""
        row = self.system.phases.get(name)
        if row is None or name.startswith("start"):
            self._expire(name, who)
        if row is None:
            return
        for alone in self.states.names if row.odds.by_fighter and not who else ("",):
            self._changed = []
            self._call(self._functions.get((name, (who, alone))) or self._phase_of(name, who, alone))
            self._follow(self._changed)
        if name.startswith("end"):
            self._expire(name, who)

    def _phase_of(self, name: str, who: str, alone: str) -> StepFunction:
        """What a phase does in the turn of a fighter, or in a round; to one fighter `alone`, or to all."""
        row = self.system.phases[name]

        def run(scene: Scene, table: NotingTable) -> Found:
            if alone:
                scene = scene._replace(fighters={alone: scene.fighters[alone]})
            intent = Intent(name, who, (who,) if who else ())
            setup = row.setup(scene, intent)
            return Found(effects(self.system, scene, intent, row, setup, table.ask(row.rule, setup.dice)))

        return self._function(name, (who, alone), run)

    def _expire(self, name: str, who: str) -> None:
        """Conditions whose end has come, and marks that do not outlast a phase."""
        for slot in (self.states.slots[who],) if who else range(self.states.order_slot):
            if self._state[slot].is_timed:
                self._on_clock(Clock.expire, name, self.states.names[slot])
