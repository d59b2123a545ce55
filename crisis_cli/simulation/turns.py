"""Whole turns of fights among many, each with all ways in which it can go as one law.

Most turns of a fight have been taken before, by the same fighter or another copy of its sheet, in a situation that
decides them in the same way. One that was taken a few times is worked out to its end, so that it needs one look and one
random number. The same number leads to the same end step by step, so that what is worked out changes no fight.

Copies of a sheet differ in nothing but their names and their places in the list of fighters. So a turn is worked out
for parts: the first copy acts, the first of those who stand is the first foe. Who takes a part in a real turn
(`Roles`) takes what comes to it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import accumulate
from typing import Any

from ..engine.events import GROUPS, SIDE
from .contexts import ACT, NEXT, OVER, FightStep, FinishedStep, StepContext, Steps
from .memo import BEGIN, LEAVE
from .outcomes import Delta, Law, Outcome, Rest
from .tally import Counts, Key
from .views import View, held
from .watched import LINE, NAMING, POOL, SCALARS, Cell, More, State, frozen
from .weighing import behind

WORTH_WORKING_OUT = 8
"""How often a turn has to be taken before it is worked out."""
MOST_ACTIONS, MOST_WAYS = 3, 64
"""How many actions a turn has at most, after which what is left of it counts as another; and how many ways at most, if
it is worked out at all."""
CLOSE = 1e-9
"""How far apart two chances may be that are the same."""


class TurnEnding:
    """One way in which a turn goes."""

    __slots__ = ("changes", "shift", "tags", "then", "may_move", "is_taken", "is_plain", "acts")

    def __init__(self, way: TurnPath, changes: tuple[tuple[int, Delta], ...], may_move: bool):
        self.changes = changes
        self.shift = way.shift
        """How many rounds pass."""
        self.tags = tuple(way.tags.items())
        """What is counted with it."""
        self.then = way.then
        """The step that follows."""
        self.may_move = may_move
        """Whether it may lead into another context."""
        self.is_taken = way.is_taken
        """Whether somebody could act in it."""
        self.is_plain = way.is_taken and not way.shift and way.then.kind == NEXT
        """Whether somebody acts, and then it is the turn of the next in line."""
        self.acts = way.acts
        """How many actions it has."""


class TurnTree:
    """All ways in which a turn can go, with the sums of their chances."""

    __slots__ = ("sums", "endings", "is_nothing")

    def __init__(self, sums: list[float], endings: list[TurnEnding]):
        self.sums = sums
        self.endings = endings
        self.is_nothing = len(endings) == 1 and not any(
            one.changes or one.tags or one.shift or one.is_taken for one in endings
        )
        """Whether it comes to nothing at all."""


class TurnByStep(TurnTree):
    """A turn that is not worked out."""

    __slots__ = ()


BY_STEPS = TurnByStep([], [])
"""A turn that has too many ways, or one that begins with what is too much to list."""


class TurnPath:
    """A way through a turn, as far as it has been followed."""

    __slots__ = ("then", "state", "changes", "shift", "tags", "chance", "is_taken", "acts")

    def __init__(self, step: FightStep, state: State):
        self.then = step
        """The step that comes next."""
        self.state = state
        self.changes: dict[tuple[int, str, str], Any] = {}
        """What has changed, by the slot of its body, the side it is of, if any, and what it is."""
        self.shift = 0
        self.tags: dict[Key, int] = {}
        self.chance = 1.0
        self.is_taken = step.kind == ACT
        self.acts = 0

    def with_outcome(self, outcome: Outcome, chance: float, step: FightStep, state: State) -> TurnPath:
        """The way with an outcome of its next step, and the step and the state that follow."""
        way = TurnPath(step, state)
        way.changes, way.tags = {**self.changes}, {**self.tags}
        for slot, delta in outcome.changes:
            for who, what, now in delta.what:
                before = way.changes.get((slot, who, what))
                if isinstance(now, More) and before is not None:
                    now = More(before + now) if isinstance(before, More) else before + int(now)
                way.changes[slot, who, what] = now
        for key, number in outcome.tags:
            way.tags[key] = way.tags.get(key, 0) + number
        way.shift = self.shift + outcome.shift
        way.chance = self.chance * chance
        way.is_taken = self.is_taken or step.kind == ACT
        way.acts = self.acts + (self.then.kind == ACT)
        return way


class Roles:
    """Who takes which part in a turn, and how often each ending of it has come about."""

    __slots__ = ("view", "slots", "names", "groups", "seen", "thens", "taken", "is_shared", "is_checked")

    def __init__(
        self,
        view: View[TurnTree | int],
        slots: tuple[int, ...],
        names: dict[str, str],
        is_shared: bool = False,
    ):
        self.view = view
        """What is known of the turn for its parts."""
        self.slots = slots
        """By the slot of a part, the slot of the fighter who takes it; what is not a fighter keeps its own."""
        self.names = names
        """By the name of a part, who takes it; empty where everybody takes their own."""
        self.groups: list[tuple[int, int]] = []
        """What the view looks up, by real slots."""
        self.seen: object = None
        """The groups of the view of which those are made."""
        self.thens: dict[FightStep, FightStep] = {}
        """By the step that follows for the parts, the one that follows."""
        self.taken: dict[Any, int] = {}
        """How often each ending has come about since the last count, where something is counted with it."""
        self.is_shared = is_shared
        """Whether others take these parts as well."""
        self.is_checked = not names
        """Whether a turn for the parts was found to be that of these fighters."""

    def look(self) -> None:
        """Find out where what the view looks up is now."""
        groups = self.view.groups
        if groups is not self.seen:
            self.seen = groups
            self.groups = [(self.slots[slot], group) for slot, group in groups]

    def are_worth(self, state: Sequence[Any]) -> bool:
        """Count that a turn of which no more is known is taken; gives whether it is worth working out by now."""
        self.look()
        found, key = self.view.found, held(state, self.groups)
        while isinstance(inner := found.get(key), View):
            found, key = inner.found, held(state, self._real(inner))
        times: int = found.get(key, 0) + 1
        found[key] = times
        return times >= WORTH_WORKING_OUT

    @property
    def come_to_nothing(self) -> bool:
        """Whether it is known that the turn comes to nothing, whatever is in any pool."""
        turn = None if self.view.groups else self.view.found.get(())
        return isinstance(turn, TurnTree) and turn.is_nothing

    def known(self, state: Sequence[Any]) -> TurnTree | int | None:
        """What is known of the turn in a state."""
        self.look()
        found = self.view.found.get(held(state, self.groups))
        while isinstance(found, View):
            found = found.found.get(held(state, self._real(found)))
        return found

    def _real(self, view: View[TurnTree | int]) -> list[tuple[int, int]]:
        """What a view looks up, by real slots."""
        return [(self.slots[part], group) for part, group in view.groups]

    def named(self, key: Key) -> Key:
        """What is counted of a part, of the one who takes it."""
        kind, name, *more = key
        return (kind, self.names.get(str(name), name), *more)

    def ways(self, turn: TurnTree) -> dict[Hashable, float]:
        """What a turn comes to for those who take part, with the chances."""
        found: dict[Hashable, float] = {}
        before = 0.0
        for ending, whole in zip(turn.endings, turn.sums, strict=True):
            changes = frozenset(
                (self.slots[slot], who, what, frozen(now))
                for slot, delta in ending.changes
                for who, what, now in delta.what
            )
            tags = frozenset((self.named(key), number) for key, number in ending.tags)
            then = ending.then.kind, tuple(self.names.get(name, name) for name in ending.then.names)
            key = changes, tags, then, ending.shift, ending.is_taken, ending.acts
            found[key] = found.get(key, 0.0) + whole - before
            before = whole
        return found


class TurnSource:
    """Gives turns, and works out those that are taken often."""

    def __init__(self, steps: Steps):
        self.steps = steps
        self.memo = steps.memo
        self.size = steps.size
        self.views: dict[Hashable, View[TurnTree | int]] = {}
        """What is known of turns for their parts, by who acts and the standings of the parts."""
        self.all: list[Roles] = []
        self.endings: dict[Hashable, TurnEnding] = {}
        self.known: dict[Hashable, TurnTree] = {}
        """Endings and turns, each kept once: many situations come to the same. Those few hundreds are at hand in the
        memory of a processor where tens of thousands would not be."""
        self.version = 0
        """Another number whenever something else is known of turns."""

    def forget(self) -> None:
        """Forget everything, which has to be done when the steps do."""
        self.views.clear()
        self.all.clear()
        self.endings.clear()
        self.known.clear()

    def count(self, counts: Counts) -> None:
        """Add what the turns since the last count came to."""
        for roles in self.all:
            for ending, times in roles.taken.items():
                for key, number in ending.tags:
                    key = roles.named(key)
                    counts[key] = counts.get(key, 0) + times * number
        self.forget_counts()

    def forget_counts(self) -> None:
        """Leave the turns since the last count uncounted."""
        for roles in self.all:
            roles.taken.clear()

    def roles(self, step: FightStep, context: StepContext, state: Sequence[Any]) -> Roles:
        """Who takes which part in a turn of which nothing is known in a context."""
        is_nameless = state[self.size].is_nameless
        is_alike = is_nameless and step.kind != ACT and len(step.names) <= 1
        found = self._shared(step, state) if is_alike else self._own()
        self.all.append(found)
        (context.turns if is_nameless else context.turns_of_groups)[step] = found
        return found

    def _own(self) -> Roles:
        """Everybody takes their own part, of a turn that others know nothing of."""
        return Roles(View(), tuple(range(self.size + 3)), {})

    def _separate(self, step: FightStep, context: StepContext) -> None:
        """Let everybody take their own part from now on in a turn that is another one for others."""
        found = context.turns[step] = self._own()
        self.all.append(found)

    def _shared(self, step: FightStep, state: Sequence[Any]) -> Roles:
        """Copies of a sheet take the parts of each other: first who acts, then those who stand."""
        bodies = state[: self.size]
        if not all(body.is_nameless for body in bodies):
            return self._own()
        actor = self.memo.slots[step.names[0]] if step.names else -1
        slots = [*range(self.size + 3)]
        for copies in dict.fromkeys(self.memo.copies):
            takers = sorted(copies, key=lambda slot: (slot != actor, not bodies[slot].stands, slot))
            for part, taker in zip(copies, takers, strict=True):
                slots[part] = taker
        standing = self.steps.standing
        acting = slots.index(actor) if step.names else -1
        key = step.kind, acting, tuple([bodies[slot][standing] for slot in slots[: self.size]])
        view = self.views.setdefault(key, View())
        all_names = self.memo.names
        names = {
            all_names[part]: all_names[slot] for part, slot in enumerate(slots[: self.size]) if part != slot
        }
        return Roles(view, tuple(slots), names, is_shared=True)

    def new(self, roles: Roles, step: FightStep, context: StepContext, state: State) -> TurnTree:
        """A turn of which no more is known than how often it was taken; `BY_STEPS` where it is taken step by step."""
        if not roles.are_worth(state):
            return BY_STEPS
        self.version += 1
        parts = tuple([state[slot] for slot in roles.slots])
        first = self._of_parts(roles, step)
        ways, cells = self._followed(first, parts)
        turn = BY_STEPS if ways is None else self._turn(ways)
        if roles.is_shared and not (_is_nameless(turn) and all(slot != self.size + 2 for slot, _ in cells)):
            self._separate(step, context)
            return BY_STEPS
        if state[self.size].is_nameless:
            # What is known of such frames says that these are empty.
            cells = {cell for cell in cells if cell[0] != self.size or cell[1] not in NAMING}
        self.steps.kept += 1 + len(turn.endings)
        self.steps.keep(roles.view, parts, turn, cells)
        return turn

    def checked(
        self, roles: Roles, turn: TurnTree, step: FightStep, context: StepContext, state: State
    ) -> TurnTree | None:
        """A turn that is known for its parts, the first time that these fighters take them: where it is another one for
        them, they do not take these parts any more."""
        roles.is_checked = True
        self.version += 1
        ways, _ = self._followed(step, state)
        expected = self._own().ways(BY_STEPS if ways is None else self._turn(ways))
        found = roles.ways(turn)
        if expected.keys() == found.keys() and all(
            abs(found[way] - chance) < CLOSE for way, chance in expected.items()
        ):
            return turn
        self._separate(step, context)
        return BY_STEPS

    def _of_parts(self, roles: Roles, step: FightStep) -> FightStep:
        """The step that is one for real fighters, for their parts."""
        part_of = {name: part for part, name in roles.names.items()}
        return self.steps.step(step.kind, *[part_of.get(name, name) for name in step.names])

    def then(self, roles: Roles, step: FightStep) -> FightStep:
        """The step that follows on a turn, by the one that follows for its parts."""
        names = [roles.names.get(name, name) for name in step.names]
        found = roles.thens[step] = self.steps.step(step.kind, *names)
        return found

    def _followed(self, step: FightStep, state: State) -> tuple[list[TurnPath] | None, set[Cell]]:
        """All ways through a turn from its first step, None where they are too many to list; and the cells that decide
        that in their context."""
        steps = self.steps
        going_on, over = [TurnPath(step, state)], list[TurnPath]()
        cells: set[Cell] = set()
        while going_on:
            # The ways are followed in the order of their chances' sums, each to its end.
            way = going_on.pop()
            result, read = steps.of(way.then, steps.context(way.state), way.state)
            if way.then.kind == LEAVE and not _is_nothing(result):
                # What the end of a turn changes is not part of the turn.
                over.append(way)
                continue
            changed = {slot for slot, _, _ in way.changes}
            cells.update([cell for cell in read if cell[0] not in changed])
            others = [cell for cell in read if cell[0] in changed]
            if others:
                cells.update(steps.beyond(behind(self._changed(way), others), step))
            if isinstance(result, FinishedStep):
                way.then = steps.step(OVER)
                over.append(way)
            elif result is None:
                way.then = steps.step(LEAVE, *way.then.names)
                going_on.append(way)
            elif isinstance(result, Rest) or len(going_on) + len(over) + len(result.outcomes) > MOST_WAYS:
                return None, cells
            elif way.then.kind == LEAVE or way.then.kind not in (BEGIN, ACT):
                over += self._ways_on(way, result)
            else:
                going_on += reversed([*self._ways_on(way, result)])
            while going_on and not self._goes_on(going_on[-1], step):
                over.append(going_on.pop())
        return over, cells

    def _goes_on(self, way: TurnPath, first: FightStep) -> bool:
        """Whether a way has not come to the end of its turn."""
        if way.then.kind == ACT:
            turn = way.state[self.size].turn
            is_same = first.kind == BEGIN or first.names[0] == turn
            return is_same and way.then.names[0] == turn and not way.shift and way.acts < MOST_ACTIONS
        return way.then.kind == LEAVE

    def _ways_on(self, way: TurnPath, law: Law) -> Iterator[TurnPath]:
        """The ways that go on from one by the outcomes of its next step."""
        for outcome, chance in law.chances:
            state = self.memo.after(way.state, outcome)
            yield way.with_outcome(outcome, chance, self.steps.following(way.then, outcome, state), state)

    def _changed(self, way: TurnPath) -> dict[Cell, Any]:
        """The cells that a way has changed, with what they hold now."""
        return {(slot, self._cell(slot, who, what)): now for (slot, who, what), now in way.changes.items()}

    def _cell(self, slot: int, who: str, what: str) -> str:
        if slot >= self.size:
            return f"{who}:{what}" if who.startswith(SIDE) else what
        group, _, key = what.partition(":")
        if group in GROUPS:
            return f"{GROUPS[group]}:{key}"
        return what if what in SCALARS else POOL + what

    def _turn(self, ways: list[TurnPath]) -> TurnTree:
        """A turn of these ways."""
        sums = [*accumulate(way.chance for way in ways)]
        shares = *[one / sums[-1] for one in sums[:-1]], 1.0
        endings = [self._ending(way) for way in ways]
        return self.known.setdefault((shares, *endings), TurnTree([*shares], endings))

    def _ending(self, way: TurnPath) -> TurnEnding:
        by_slot: dict[int, list[tuple[str, str, Any]]] = {}
        for (slot, who, what), now in way.changes.items():
            if (slot, what) != (self.size, "turn"):
                # Whose turn it is follows from the next step.
                by_slot.setdefault(slot, []).append((who, what, now))
        changes = tuple([(slot, self.memo.delta(tuple(found))) for slot, found in sorted(by_slot.items())])
        may_move = any(
            self.steps.is_standing(what)
            for slot, found in by_slot.items()
            if slot < self.size
            for _, what, _ in found
        )
        ending = TurnEnding(way, changes, may_move)
        key = changes, way.shift, ending.tags, way.then, way.is_taken, way.acts
        return self.endings.setdefault(key, ending)


def _is_nameless(turn: TurnTree) -> bool:
    """Whether nothing in the changes of a turn names a fighter."""
    return not any(
        what in (*NAMING, *LINE) or what.startswith("cover:") or what.count(":") > 1
        for ending in turn.endings
        for _, delta in ending.changes
        for _, what, _ in delta.what
    )


def _is_nothing(result: Any) -> bool:
    """Whether a step changes nothing, and a turn is over with it."""
    if not isinstance(result, Law) or len(result.outcomes) > 1:
        return False
    (only,) = result.outcomes
    return only.ends_turn and not only.changes and not only.shift
