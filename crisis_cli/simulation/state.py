"""The states of fights, each kept once, and scenes that note which parts of a state are read.

A state has a slot for each fighter, one for the turn order, and a last one for the frame: the rest of the scene. What
a function of a scene gives follows from the cells that it has read - a pool, a condition, a place, whose turn it is -
whatever is in the others.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ..engine.events import SIDE, frozen_value, with_value
from ..engine.scene import Fighter, Scene

if TYPE_CHECKING:
    from ..engine.events import Event
    from .policy import PlainPolicy

FRAME = ""
"""Whose cells those of the frame and of the turn order are."""
MAPPINGS = ("pools", "conditions", "ends", "marks", "cover")
"""The fields of a fighter of which each entry is a cell: `pools:hp`."""
WHOLE = ("held", "at", "gone", "yielded")
"""The other fields of a fighter that a fight changes: cells by their names."""
OF_ORDER = ("order", "scores", "early", "teams")
"""The fields of a scene that stay as they are once the order has been rolled for."""
OF_FRAME = tuple(
    field
    for field in Scene._fields
    if field not in ("system", "fighters", "open", "field", "encounter", *OF_ORDER)
)
"""The other fields of a scene that a fight changes; all of these are cells by their names."""
IS, SEEMS, SEEN = "is", "seems", "seen"
"""The cells of conditions that follow from pools, of a fighter as it is and as the policy sees it; the cells of pools
as the policy sees them."""

Cell = tuple[str, str]
"""Whose it is, and its name."""


def key_of(value: Any) -> Hashable:
    """A value as a key."""
    return tuple([(name, key_of(part)) for name, part in value.items()]) if isinstance(value, dict) else value


class Delta(tuple["Event", ...]):
    """Changes of one slot; equal ones are one object (`States.delta`)."""

    __slots__ = ()
    __hash__ = object.__hash__
    __eq__ = object.__eq__


class FighterState:
    """A state of one fighter."""

    __slots__ = (
        "_seen",
        "after",
        "fighter",
        "is_idle",
        "is_settled",
        "is_timed",
        "numbers",
        "policy",
        "stands",
    )

    def __init__(self, fighter: Fighter, policy: PlainPolicy):
        system = policy.system
        self.fighter, self.policy = fighter, policy
        self._seen: Fighter | None = None
        self.after: dict[Delta, FighterState] = {}
        """By a change, the state after it."""
        self.numbers = Numbers(self)
        self.stands = not (fighter.gone or fighter.yielded or system.fallen(fighter))
        self.is_idle = fighter.yielded or bool(system.idle(fighter)[0])
        """Whether its turn is passed over."""
        self.is_timed = bool(fighter.ends or fighter.marks)
        """Whether a phase may end anything of it."""
        self.is_settled = False
        """Whether nothing more follows from it."""

    @property
    def seen(self) -> Fighter:
        """The fighter as the policy sees it."""
        if self._seen is None:
            self._seen = self.policy.seen(self.fighter)
        return self._seen

    def cell(self, name: str) -> Hashable:
        """What a cell holds."""
        group, colon, key = name.partition(":")
        if not colon:
            value = getattr(self.fighter, name)
            return tuple(value) if name in MAPPINGS else key_of(value)
        if group == SEEN:
            return self.seen.pools.get(key)
        if group in (IS, SEEMS):
            fighter = self.fighter if group == IS else self.seen
            return fighter.holds(key, self.policy.system.conditions[key].when)
        held: Hashable = getattr(self.fighter, group).get(key)
        return held

    def changed(self, delta: Delta) -> Fighter:
        """The fighter after a change."""
        fighter = self.fighter
        for event in delta:
            fighter = with_value(fighter, event.what, event.now)
        return fighter


class FrameState:
    """A state of the turn order or of the frame: a scene without fighters of which some fields matter."""

    __slots__ = ("after", "numbers", "scene", "teams", "turns")
    stands = False

    def __init__(self, scene: Scene):
        self.scene = scene
        self.after: dict[Delta, FrameState] = {}
        """By a change, the state after it."""
        self.numbers = Numbers(self)
        self.teams: dict[tuple[str, bool], tuple[str, ...]] = {}
        """Of a turn order, who comes next by who leaves, and whether that is in the extra round before the first."""
        self.turns: dict[str, FrameState] = {}
        """Of a frame, the one in which it is the turn of a fighter."""

    def cell(self, name: str) -> Hashable:
        """What a cell holds."""
        return key_of(getattr(self.scene, name))

    def changed(self, delta: Delta) -> Scene:
        """The scene after a change."""
        scene = self.scene
        for event in delta:
            if event.who:
                scene = scene.with_side_pool(event.who[len(SIDE) :], event.what, event.now)
            else:
                fields: dict[str, Any] = {event.what: frozen_value(event.now)}
                scene = scene._replace(**fields)
        return scene


SlotState = FighterState | FrameState


class CellGroup:
    """Some cells of one slot, and a number for each way in which they can be filled."""

    __slots__ = ("cells", "numbers")

    def __init__(self, cells: tuple[str, ...]):
        self.cells = cells
        self.numbers: dict[Hashable, int] = {}

    def of(self, state: SlotState) -> int:
        """The number of what a state holds in these cells."""
        held = tuple([state.cell(name) for name in self.cells])
        return self.numbers.setdefault(held, len(self.numbers))


class Numbers(dict[CellGroup, int]):
    """The numbers of what a state holds in groups of cells, each found out when it is asked for first."""

    __slots__ = ("state",)

    def __init__(self, state: SlotState):
        self.state = state

    def __missing__(self, group: CellGroup) -> int:
        number = self[group] = group.of(self.state)
        return number


class States:
    """The states of all slots of a fight, each kept once."""

    def __init__(self, scene: Scene, policy: PlainPolicy):
        self.policy = policy
        self.watch = Watch()
        self.names = tuple(scene.fighters)
        self.slots = {name: at for at, name in enumerate(self.names)}
        """The slot of each fighter."""
        self.order_slot, self.frame_slot = len(self.names), len(self.names) + 1
        self._kept: dict[Hashable, Any] = {}
        self._deltas: dict[Hashable, Delta] = {}
        self._groups: dict[tuple[str, ...], CellGroup] = {}

    def of_fighter(self, slot: int, fighter: Fighter) -> FighterState:
        """The state of a fighter in a slot."""
        key = (slot, *[key_of(fighter[at]) for at in FIGHTER_PLACES])
        state: FighterState | None = self._kept.get(key)
        return state or self._kept.setdefault(key, FighterState(fighter, self.policy))

    def of_scene(self, slot: int, scene: Scene) -> FrameState:
        """The state of the turn order or of the frame, by its slot."""
        places = ORDER_PLACES if slot == self.order_slot else FRAME_PLACES
        key = (slot, *[key_of(scene[at]) for at in places])
        state: FrameState | None = self._kept.get(key)
        return state or self._kept.setdefault(key, FrameState(scene._replace(fighters={})))

    def of(self, scene: Scene) -> list[Any]:
        """The states of all slots of a scene: a `FighterState` for each fighter, then two of the scene itself."""
        fighters = [self.of_fighter(slot, fighter) for slot, fighter in enumerate(scene.fighters.values())]
        return [*fighters, self.of_scene(self.order_slot, scene), self.of_scene(self.frame_slot, scene)]

    def slot_of(self, who: str, what: str) -> int:
        """The slot of a cell or of a change."""
        if who in self.slots:
            return self.slots[who]
        return self.order_slot if what in OF_ORDER else self.frame_slot

    def cells(self, slot: int, group: CellGroup) -> dict[Cell, None]:
        """The cells of a group of a slot."""
        who = self.names[slot] if slot < self.order_slot else FRAME
        return dict.fromkeys([(who, cell) for cell in group.cells])

    def after(self, slot: int, state: Any, delta: Delta) -> SlotState:
        """The state of a slot after a change that is new to it."""
        changed = state.changed(delta)
        is_fighter = slot < self.order_slot
        found = self.of_fighter(slot, changed) if is_fighter else self.of_scene(slot, changed)
        state.after[delta] = found
        return found

    def turned(self, frame: FrameState, who: str) -> FrameState:
        """The frame in which it is the turn of a fighter, where that is new."""
        found = frame.turns[who] = self.of_scene(self.frame_slot, frame.scene._replace(turn=who))
        return found

    def _whole(self, state: list[Any], fighters: Mapping[str, Fighter]) -> Scene:
        """The scene of a state with these fighters."""
        order = state[self.order_slot].scene
        scene: Scene = state[-1].scene._replace(
            fighters=fighters, order=order.order, scores=order.scores, early=order.early, teams=order.teams
        )
        return scene

    def scene(self, state: list[Any]) -> Scene:
        """The scene of a state."""
        return self._whole(state, {name: state[at].fighter for name, at in self.slots.items()})

    def watched(self, state: list[Any]) -> Scene:
        """The scene of a state, which notes what is read of it."""
        fighters = {name: self.watch.fighter(state[at].fighter) for name, at in self.slots.items()}
        return self.watch.scene(self._whole(state, fighters))

    def watched_seen(self, state: list[Any]) -> Scene:
        """The scene of a state as the policy sees it, which notes what is read of it."""
        fighters = {name: self.watch.fighter(state[at].seen, seen=True) for name, at in self.slots.items()}
        return self.watch.scene(self._whole(state, fighters)._replace(sides={}))

    def deltas(self, events: Iterable[Event]) -> tuple[tuple[int, Delta], ...]:
        """Events as changes of slots."""
        by_slot: dict[int, list[Event]] = {}
        for event in events:
            slot = self.slot_of(event.who, event.what)
            by_slot.setdefault(slot, []).append(event._replace(was=None, rule=""))
        return tuple([(slot, self.delta(changes)) for slot, changes in by_slot.items()])

    def delta(self, changes: Iterable[Event]) -> Delta:
        """Changes of one slot."""
        delta = Delta(changes)
        key = tuple([(event.who, event.what, key_of(event.now), type(event.now)) for event in delta])
        return self._deltas.setdefault(key, delta)

    def group(self, cells: tuple[str, ...]) -> CellGroup:
        """The group of some cells of a slot."""
        return self._groups.get(cells) or self._groups.setdefault(cells, CellGroup(cells))

    def forget(self) -> None:
        """Forget all states."""
        self._kept.clear()
        self._deltas.clear()


FIGHTER_PLACES = [Fighter._fields.index(field) for field in (*MAPPINGS, *WHOLE)]
ORDER_PLACES = [Scene._fields.index(field) for field in OF_ORDER]
FRAME_PLACES = [Scene._fields.index(field) for field in OF_FRAME]
ROUND = Scene._fields.index("round")
POOLS, CONDITIONS = Fighter._fields.index("pools"), Fighter._fields.index("conditions")


class Watch:
    """Makes scenes that note which of their cells are read."""

    def __init__(self) -> None:
        self.reads: dict[Cell, None] = {}
        """The cells read since it was last cleared, in their order."""
        reads = self.reads

        class WatchedFighter(Fighter):
            """A fighter that notes what is read of it."""

            __slots__ = ()

            def with_pools(self, pools: Mapping[str, int]) -> Fighter:
                """The fighter with other values in some pools."""
                cells = self[POOLS]
                if not isinstance(cells, Cells):
                    return super().with_pools(pools)
                return self._replace(pools=cells.changed(pools))

            def with_entry(self, field: str, key: str, value: Any) -> Fighter:
                """The fighter with another entry in a mapping; None takes it out."""
                cells = self[Fighter._fields.index(field)]
                if not isinstance(cells, Cells):
                    return super().with_entry(field, key, value)
                changed: dict[str, Any] = {field: cells.changed({key: value})}
                return self._replace(**changed)

            def holds(self, condition: str, when: Callable[[Fighter], bool] | None) -> bool:
                """Whether a condition is on, which is a cell of its own while nothing of the fighter is changed."""
                pools: Any = self[POOLS]
                conditions = self[CONDITIONS]
                if not (is_unchanged(pools) and is_unchanged(conditions)):
                    return super().holds(condition, when)
                reads[self[0], f"{SEEMS if pools.group == SEEN else IS}:{condition}"] = None
                if condition not in pools.on:
                    pools.on[condition] = unwatched(self).holds(condition, when)
                is_on: bool = pools.on[condition]
                return is_on

        class WatchedScene(Scene):
            """A scene that notes what is read of it."""

            __slots__ = ()

        for field in WHOLE:
            setattr(WatchedFighter, field, _noting(reads, Fighter._fields.index(field), field))
        for field in (*OF_ORDER, *OF_FRAME):
            setattr(WatchedScene, field, _noting(reads, Scene._fields.index(field), field, FRAME))
        WatchedScene.is_extra_round = property(  # type: ignore[method-assign,assignment]
            lambda scene: (reads.setdefault((FRAME, "is_extra_round")), scene[ROUND] == 0)[1]
        )
        self._fighter_kind, self._scene_kind = WatchedFighter, WatchedScene

    def fighter(self, fighter: Fighter, seen: bool = False) -> Fighter:
        """The fighter, noting what is read of it; `seen`: its pools are those that the policy sees."""
        values: list[Any] = [*fighter]
        for field in MAPPINGS:
            at = Fighter._fields.index(field)
            group = SEEN if seen and field == "pools" else field
            values[at] = Cells(values[at], self.reads, fighter.name, group)
        return tuple.__new__(self._fighter_kind, values)

    def scene(self, scene: Scene) -> Scene:
        """The scene, noting what is read of it."""
        return tuple.__new__(self._scene_kind, scene)


def _noting(reads: dict[Cell, None], at: int, field: str, whose: str | None = None) -> property:
    """The property of a named tuple that gives a field and notes that it is read."""

    def read(self: Any) -> Any:
        reads[self[0] if whose is None else whose, field] = None
        return self[at]

    return property(read)


def is_unchanged(values: Any) -> bool:
    """Whether a mapping of a watched fighter holds what it held at first."""
    return isinstance(values, Cells) and not values.own


def unwatched(fighter: Fighter) -> Fighter:
    """The fighter, noting nothing."""
    return Fighter._make(
        dict(dict.items(part)) if isinstance(part, Cells) else part for part in tuple(fighter)
    )


class Cells(dict[str, Any]):
    """A mapping of a fighter that notes what is read of it, but for what has been changed in it since."""

    __slots__ = ("group", "on", "own", "reads", "who")

    def __init__(
        self,
        values: Mapping[str, Any],
        reads: dict[Cell, None],
        who: str,
        group: str,
        own: frozenset[str] = frozenset(),
    ):
        super().__init__(values)
        self.reads, self.who, self.group, self.own = reads, who, group, own
        self.on: dict[str, bool] = {}
        """Of the pools, whether a condition holds by them, where that has been asked."""

    def changed(self, values: Mapping[str, Any]) -> Cells:
        """The mapping with other values; None takes one out."""
        cells = Cells(dict(dict.items(self)), self.reads, self.who, self.group, self.own | values.keys())
        for key, value in values.items():
            if value is None:
                dict.pop(cells, key, None)
            else:
                dict.__setitem__(cells, key, value)
        return cells

    def _note(self, key: str) -> None:
        if key not in self.own:
            self.reads[self.who, f"{self.group}:{key}"] = None

    def _note_keys(self) -> None:
        self.reads[self.who, "pools" if self.group == SEEN else self.group] = None

    def __getitem__(self, key: str) -> Any:
        self._note(key)
        return dict.__getitem__(self, key)

    def get(self, key: str, default: Any = None) -> Any:
        """The value of a key."""
        self._note(key)
        return dict.get(self, key, default)

    def __contains__(self, key: Any) -> bool:
        self._note(key)
        return dict.__contains__(self, key)

    def __iter__(self) -> Iterator[str]:
        self._note_keys()
        return dict.__iter__(self)

    def __len__(self) -> int:
        self._note_keys()
        return dict.__len__(self)

    def keys(self) -> Any:
        """The keys, which are a cell of their own."""
        self._note_keys()
        return dict.keys(self)

    def items(self) -> Any:
        """All keys with their values."""
        self._note_keys()
        for key in dict.keys(self):
            self._note(key)
        return dict.items(self)

    def values(self) -> Any:
        """All values."""
        return dict(self.items()).values()
