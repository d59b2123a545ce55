"""Steps of fights, each with all its outcomes, remembered by the cells that were read on the way to them.

A step is what a fighter does in its turn, or the change to the next turn. Its outcomes are worked out by the rules
themselves, on a watched scene; what they read is a path in a tree of cells. The next time the same cells hold the
same, an outcome is drawn with one random number.
"""

from __future__ import annotations

import pickle
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import accumulate
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from ..dice.distribution import OddsTable, Path
from ..dice.effort import BUDGET
from ..dice.generator import Seeded
from ..dice.sampler import Sampler
from ..dice.table import Table
from ..engine.arrivals import begin, open_round, ordered
from ..engine.consequences import aftermath, effects, gained, merged, settle
from ..engine.cost import Payment
from ..engine.events import SIDE, Event, applied, apply_all, held_now
from ..engine.perform import perform
from ..engine.resolve import consequences
from ..engine.scene import Fighter, Intent, Scene
from ..engine.sides import decided, standing
from ..engine.system import no_choices
from ..engine.turn_order import LineUp, grouped
from ..engine.turns import Clock
from ..engine.validate import Prepared, prepare, row_of
from ..errors import Refused, TooWide
from ..values import NamedTuple
from .fight import FightStart, harm_of_events
from .minds import PlainMind
from .outcomes import BodyChange, Changes, Delta, Law, Outcome, Rest
from .plain import Plain, Worth
from .rule_sampler import RuleSampler, Sums
from .tally import Key
from .trees import Leaf, Question, Tree, grown, looked_up
from .watched import (
    FRAME,
    LINE,
    MAPPED,
    POOL,
    POOLS,
    ROUND,
    SCALARS,
    SCORES,
    SIDE_POOLS,
    WHOLE,
    BodyState,
    Cell,
    Frame,
    Groups,
    Held,
    Later,
    More,
    OrderState,
    PoolNumber,
    PoolShare,
    State,
    Unsuited,
    Watch,
    WatchedFighter,
    WatchedMap,
    WatchedPools,
    WatchedScene,
    WatchedSides,
    bare,
    frozen,
    later,
    raw,
    settled,
    side_cell,
)
from .weighing import (
    PaidOutcome,
    Patch,
    PlainWeighing,
    WatchedWorth,
    Weighed,
    WeighedChoice,
    Weighing,
    WorthComparison,
    WorthForPrice,
)

if TYPE_CHECKING:
    from _random import Random

    from ..dice.rule_table import Rule, RuleTable
    from ..engine.setup import Setup
    from ..engine.system import Action

MOST_KEPT = 3_000_000
"""Cells read on the paths of all steps, and outcomes of them, beyond which everything is forgotten and learnt again."""

MOST_AT_ONCE = 40
"""Answers of dice that recur beyond which what each comes to is remembered by itself."""

MOST_WALKED = 20_000
"""Results of a change of turns beyond which they are not listed: fights are then played move by move."""
MOST_LAWS = 16_384
"""Laws of dice kept: fights ask again for those that a single decision would not."""
LAW_LIMIT = 10 * BUDGET
"""Estimated nanoseconds that one law may take: all fights are drawn from it."""


Part = TypeVar("Part")
Node = Any
"""What a step comes to: a `Law`, a `Rest`, a `WeighedChoice`, or None where the fighter is done; for an action that was
thought of, a `Weighed`, and for one answer of its dice a `PaidOutcome`."""
News = tuple[Hashable, Mapping[Question, Hashable], Node]
"""A step, what it has read and asked with the answers, and what it comes to."""
Clocked = tuple[tuple[Event, ...] | None, bool]
"""The events of a change of turns, None for a fight in which nobody can act; and whether a turn is over with them."""
MISSING = object()
OPEN = ("open",)
"""The step that begins a fight."""
OPEN_ROUND, BEGIN, LEAVE, ROUND_OVER, NEW_ROUND = "open round", "begin", "leave", "round over", "new round"
"""The parts of a change of turns: the first round is opened, a team begins its turn, a fighter ends its own, a round
ends, and the next one starts."""


class AnsweredPath(Path):
    """The path of a rule whose first question has been answered."""

    __slots__ = ("first", "asked")

    def __init__(self, odds_table: OddsTable, first: Any):
        super().__init__(odds_table)
        self.first = first
        self.asked = False

    def ask(self, rule: Rule[Any], *args: Any) -> Any:
        """The answer that was given, the first time; then every answer of a sub-rule."""
        if not self.asked:
            self.asked = True
            return self.first
        return super().ask(rule, *args)


class PlainPath(Path):
    """The path through a rule that is asked with plain numbers."""

    def ask(self, rule: Rule[Any], *args: Any) -> Any:
        """Every answer of a sub-rule."""
        return super().ask(rule, *map(bare, args))


class RememberedPlain(Plain):
    """The plain policy, which remembers what actions are worth by what it read for that."""

    def __init__(self, memo: Memo, odds_table: OddsTable):
        super().__init__(memo.system, odds_table)
        self.memo = memo

    def value(self, begun: Scene, intent: Intent, prepared: Prepared) -> Worth:
        """What a prepared action is worth in the scene with its costs paid."""
        if not isinstance(begun, WatchedScene):
            return super().value(begun, intent, prepared)
        weighing = self.memo.weighing(begun, intent, prepared)
        if weighing is None:
            return super().value(begun, intent, prepared._replace(setup=plain_setup(prepared.setup)))
        return WatchedWorth(begun.watch, WorthForPrice(weighing, 1.0))

    def counted(self, points: int, weight: float) -> float:
        """What so many points of a pool count, of which no more is read than needed."""
        if isinstance(points, PoolNumber) and not points.is_read:
            return PoolShare.made(points, weight)
        return points * weight


def copies_of(fighters: Sequence[Fighter]) -> tuple[tuple[int, ...], ...]:
    """For the place of each of these fighters the places of all that differ from it in nothing but their names."""
    alike = [repr(({**one.sheet, "name": ""}, one.limits, one.side, one.mind)) for one in fighters]
    return tuple([tuple([at for at, other in enumerate(alike) if other == one]) for one in alike])


def plain_setup(setup: Setup) -> Setup:
    """A setup with plain numbers for the dice, which then have been read, and nothing that only explains them."""
    return setup._replace(
        dice=bare(dice_for_odds(setup)),
        modifiers=(),
        costs=(),
        per_target=(),
        effect_dice=None,
        whole_per_target=(),
    )


def dice_for_odds(setup: Setup) -> Any:
    """The dice for the odds of all effects."""
    return setup.dice if setup.effect_dice is None else setup.effect_dice


def frozen_or_none(value: Any) -> Hashable:
    """A value as a key; None if it cannot be one, or holds fighters, whose parts are read later."""
    try:
        key = None if _holds_fighter(value) else ("known", frozen(value))
        hash(key)
    except TypeError:
        return None
    return key


def _holds_fighter(value: Any) -> bool:
    if isinstance(value, (Fighter, Scene)):
        return True
    if isinstance(value, Mapping):
        return any(map(_holds_fighter, value.values()))
    return isinstance(value, (tuple, list)) and any(map(_holds_fighter, value))


def suits(scene: Scene) -> bool:
    """Whether steps of fights that begin in a scene can be remembered: not in an encounter, nor on a map."""
    return scene.encounter is None and scene.field is None


class Unlisted(NamedTuple):
    """What a step comes to that cannot be remembered: why, as a clause."""

    why: str


class Stopped(Exception):
    """Somebody has asked to stop while something was worked out."""


class Memo:
    """What is known of the steps of fights that begin in one way."""

    def __init__(
        self,
        opening: FightStart,
        odds_table: OddsTable,
        decide: Callable[[Scene, str], Intent] | None = None,
        stop_asked: Callable[[], bool] = lambda: False,
    ):
        scene = opening.scene
        if not suits(scene):
            raise Unsuited("the fight has an encounter or a map")
        self.opening = opening
        self.system = opening.system
        self.plain = RememberedPlain(self, odds_table)
        self.plain.learn(scene.fighters.values())
        self.decide = decide
        """What decides in place of the plain policy, given the whole scene and the fighter whose turn it is."""
        self.stop_asked = stop_asked
        """Asked before anything is worked out: that can take long."""
        self.odds_table = self.plain.odds_table
        self.mind = PlainMind(self.plain)
        self.names = tuple(scene.fighters)
        self.slots = {name: slot for slot, name in enumerate(self.names)}
        self.size = len(self.names)
        self.whole = scene
        self.cast = tuple(scene.fighters.values())
        self.copies = copies_of(self.cast)
        """For each slot the slots of all copies of its sheet on its side, the first first."""
        self.news: list[News] | None = None
        """What was learnt since others were told, once that is wanted."""
        self.forget()

    def forget(self) -> None:
        """Forget everything."""
        self.groups = Groups()
        self.steps: dict[Hashable, Tree] = {}
        self.bodies: dict[Hashable, BodyState] = {}
        self.frames: dict[Hashable, Frame] = {}
        self.deltas: dict[Hashable, Delta] = {}
        self.patched: dict[Hashable, Patch] = {}
        self.parts: dict[Any, Any] = {}
        self.rows: dict[str, Action] = {}
        """Actions without what they bring to pools of the sides, by their names."""
        self.joined: dict[Hashable, tuple[tuple[int, Delta], ...]] = {}
        self.weighings: dict[Hashable, Weighing] = {}
        self.rounds: dict[int, Held] = {}
        self.lines: dict[Hashable, OrderState] = {}
        self.ended: dict[tuple[bool, ...], bool] = {}
        self.openings: dict[Hashable, State] = {}
        self.orders: tuple[list[float], list[Any]] | None = None
        self.roll: Prepared | None = None
        self.parts_of_roll: dict[Any, Sums | None] = {}
        self.leaders: Mapping[str, tuple[str, ...]] | None = None
        """The fighters for whom each one rolls, once it is known that a roll for the turn order sets nothing else."""
        self.begun: State | None = None
        """The state before there is a turn order, once it is known."""
        self.kept = 0
        self.misses = 0
        self.news = [] if self.news is not None else None
        self.reads_time = ""
        """What reads the number of the round in any step after the beginning, as a clause; empty where nothing does."""

    # States

    def state_of(self, scene: Scene) -> State:
        """A scene as a state."""
        fighters = [self.body(scene.fighters[name]) for name in self.names]
        return (*fighters, self.frame(scene), self.round_of(scene.round), self.line(scene))

    def scene_of(self, state: State) -> Scene:
        """A state as an ordinary scene."""
        now = state[self.size + 1].value
        fighters = {}
        for slot, body in enumerate(state[: self.size]):
            one = body.fighter_at(slot)
            if body.timed:
                ends = {name: (phase, _absolute(number, now)) for name, (phase, number) in one.ends.items()}
                one = one._replace(
                    ends=ends, marks={name: _absolute(value, now) for name, value in one.marks.items()}
                )
            fighters[one.name] = one
        frame: Scene = state[self.size].scene
        order: Scene = state[self.size + 2].scene
        return frame._replace(
            fighters=fighters, round=now, **{field: getattr(order, field) for field in LINE}
        )

    def body(self, one: Fighter) -> BodyState:
        """The body of a fighter whose ends are counted from the present round, or have plain numbers."""
        key = (
            self.copies[self.slots[one.name]][0],
            tuple(one.pools.values()),
            *map(frozen, (one.conditions, one.ends, one.marks, one.held, one.at, one.cover)),
            one.gone,
            one.yielded,
        )
        known = self.bodies.get(key)
        if known is None:
            stands = bool(standing(self.system, Scene(self.system.name, {one.name: one})))
            known = self.bodies[key] = BodyState(one, stands, self.groups, self.cast)
        return known

    def frame(self, scene: Scene) -> Frame:
        """The frame of a scene."""
        begun = min(1, scene.round)
        key = (begun, *(frozen(getattr(scene, field)) for field in FRAME))
        known = self.frames.get(key)
        if known is None:
            empty = scene._replace(fighters={}, round=begun, order=(), teams=(), scores={})
            known = self.frames[key] = Frame(empty, self.groups)
        return known

    def round_of(self, number: int) -> Held:
        """The body of a round."""
        known = self.rounds.get(number)
        if known is None:
            known = self.rounds[number] = Held(number, self.groups)
        return known

    def line(self, scene: Scene) -> OrderState:
        """The line of a scene."""
        key = tuple([frozen(getattr(scene, field)) for field in LINE])
        known = self.lines.get(key)
        if known is None:
            empty = Scene(scene.system, {}, **{field: getattr(scene, field) for field in LINE}, round=1)
            known = self.lines[key] = OrderState(empty, self.groups)
        return known

    def without_scores(self, state: State) -> State:
        """The same state without the scores of the turn order: nothing reads them after the beginning."""
        return (*state[:-1], self.line(state[-1].scene._replace(scores={})))

    def changed(self, before: Any, changes: Changes) -> Any:
        """A body after changes."""
        if isinstance(before, (Frame, OrderState)):
            scene = before.scene
            for who, what, now in changes:
                was = held_now(scene, who, what)
                scene = applied(scene, Event(who, what, was, was + now if isinstance(now, More) else now))
            return self.frame(scene) if isinstance(before, Frame) else self.line(scene)
        one = before.fighter
        scene = Scene(self.system.name, {one.name: one})
        for _, what, now in changes:
            was = held_now(scene, one.name, what)
            scene = applied(scene, Event(one.name, what, was, was + now if isinstance(now, More) else now))
        return self.body(scene.fighters[one.name])

    def aged(self, body: BodyState, rounds: int) -> BodyState:
        """A body so many rounds later."""
        known = body.aged.get(rounds)
        if known is None:
            one = body.fighter
            ends = {name: (phase, _sooner(number, rounds)) for name, (phase, number) in one.ends.items()}
            marks = {name: _sooner(value, rounds) for name, value in one.marks.items()}
            known = body.aged[rounds] = self.body(one._replace(ends=ends, marks=marks))
        return known

    def after(self, state: State, outcome: Outcome) -> State:
        """A state after an outcome."""
        found = [*state]
        for slot, delta in outcome.changes:
            found[slot] = delta[found[slot]]
        if outcome.shift:
            self.advance(found, outcome.shift)
        return tuple(found)

    def advance(self, state: list[Any], rounds: int, is_timed: bool = True) -> None:
        """Let rounds pass in a state; `is_timed`: whether anything of its fighters may end in a later round."""
        size = self.size
        number = state[size + 1].value + rounds
        state[size + 1] = self.round_of(number)
        frame = state[size]
        begun = 1 if number else 0
        if frame.begun != begun:
            if frame.other is None:
                frame.other = self.frame(frame.scene._replace(round=begun))
            state[size] = frame.other
        if is_timed:
            for slot, body in enumerate(state[:size]):
                if body.timed:
                    state[slot] = self.aged(body, rounds)

    def is_decided(self, state: State) -> bool:
        """Whether at most one side can still fight."""
        key = tuple(body.stands for body in state[: self.size])
        known = self.ended.get(key)
        if known is None:
            known = self.ended[key] = decided(self.system, self.scene_of(state))
        return known

    def leaving(self, state: State) -> str:
        """Whose turn ends where nothing is left to do in it: in a group one fighter after another."""
        scene = state[self.size].scene
        return scene.turn if scene.turn in scene.group else ""

    def patches(self, scene: WatchedScene) -> tuple[tuple[int, Patch], ...]:
        """What differs in a watched scene from the state that it is of, by body."""
        state, found = scene.watch.state, dict[int, dict[str, Any]]()
        fighters = raw(scene, "fighters")
        for slot, name in enumerate(self.names):
            one, before = fighters[name], state[slot].fighter
            new: dict[str, Any] = {}
            pools = raw(one, POOLS)
            own = pools.own if isinstance(pools, WatchedPools) else pools
            if own:
                new[POOLS] = {pool: seen_from(value, slot, POOL + pool) for pool, value in own.items()}
            for field in MAPPED:
                values = raw(one, field)
                if not isinstance(values, WatchedMap):
                    # A rule has put another mapping in its place.
                    values = {**dict.fromkeys(getattr(before, field)), **values}
                elif values.own:
                    values = values.own
                else:
                    continue
                new[field] = {key: later(value, scene.watch) for key, value in values.items()}
            new |= {field: raw(one, field) for field in SCALARS if raw(one, field) != getattr(before, field)}
            found[slot] = new
        if any(raw(scene, field) != getattr(state[self.size + 2].scene, field) for field in LINE):
            raise Unsuited("an action changes the turn order (scene.order)")
        # What has been set to what it was before has been read for that, all but these two.
        scene.watch.note(self.size, "turn")
        scene.watch.note(self.size, "group")
        frame = state[self.size].scene
        found[self.size] = {
            field: raw(scene, field)
            for field in FRAME
            if field != "sides" and raw(scene, field) != getattr(frame, field)
        }
        sides = raw(scene, "sides")
        if not isinstance(sides, WatchedSides):
            found[self.size]["sides"] = sides
        elif sides.own:
            found[self.size][SIDE_POOLS] = {
                (side, pool): seen_from(value, self.size, side_cell(side, pool))
                for (side, pool), value in sides.own.items()
            }
        return tuple((slot, self.patch(new)) for slot, new in found.items() if new)

    def with_fields(self, before: Any, fields: Mapping[str, Any]) -> Any:
        """A body with other values in some fields of its fighter, or of the scene; of mappings only what differs."""
        if not isinstance(before, BodyState):
            plain = {field: value for field, value in fields.items() if field != SIDE_POOLS}
            scene = before.scene._replace(**plain)
            for (side, pool), value in fields.get(SIDE_POOLS, {}).items():
                scene = scene.with_side_pool(side, pool, after(value, scene.side_pool(side, pool)))
            return self.frame(scene)
        one = before.fighter
        for field, values in fields.items():
            if field in MAPPED:
                for key, value in values.items():
                    one = one.with_entry(field, key, value)
            elif field == POOLS:
                one = one.with_pools({pool: after(value, one.pools[pool]) for pool, value in values.items()})
            else:
                one = one._replace(**{field: values})
        return self.body(one)

    def patch(self, fields: Mapping[str, Any]) -> Patch:
        """The patch of one body in these fields."""
        key = frozen(fields)
        known = self.patched.get(key)
        if known is None:
            known = self.patched[key] = Patch(self.with_fields, fields)
        return known

    # Steps

    def act(self, state: State) -> tuple[Node, tuple[Cell, ...]]:
        """What the fighter whose turn it is does, with its outcomes, None where it is done; and what decides that."""
        turn = state[self.size].turn
        found, cells = self._known(("act", turn), state, lambda watch: self._act(state, watch, turn))
        if not isinstance(found, WeighedChoice):
            return found, cells
        weighed, more = found.weighing.at(state)
        return self._chosen(found, weighed), cells + more

    def next(self, state: State, who: str) -> tuple[Law, tuple[Cell, ...]]:
        """The outcomes of a change to the next turn, which ends that of `who`; and what decides them."""
        turn = state[self.size].turn
        return self._known(("next", turn, who), state, lambda watch: self._next(state, watch, who))

    def _known(
        self, step: Hashable, state: State, work_out: Callable[[Watch], Node]
    ) -> tuple[Any, tuple[Cell, ...]]:
        found, cells = self._found(step, state)
        if found is not MISSING:
            return found, cells
        if self.stop_asked():
            raise Stopped
        self.misses += 1
        watch = Watch(state)
        try:
            found = work_out(watch)
        except Unsuited as reason:
            # Known from now on: finding out again may take long.
            self._keep(step, watch, Unlisted(str(reason)))
            raise
        cells = self._keep(step, watch, found)
        asked = [one for one in watch.reads if isinstance(one, WorthComparison)]
        return found, (*cells, *(cell for one in asked for cell in one.at(state)[1]))

    def _found(self, step: Hashable, state: State) -> tuple[Node, tuple[Cell, ...]]:
        """What is known of a step in a state, and the cells that decide it; MISSING where nothing is known."""
        tree = self.steps.get(step)
        leaf, more = looked_up(tree, state) if tree is not None else (None, ())
        if leaf is not None and isinstance(leaf.found, Unlisted):
            raise Unsuited(leaf.found.why)
        return (leaf.found, leaf.cells + more) if leaf is not None else (MISSING, ())

    def _keep(self, step: Hashable, watch: Watch, found: Node) -> tuple[Cell, ...]:
        """Keep what a step comes to by what it has read and asked; gives the cells of that."""
        return self._kept(step, watch.reads, found, watch.readers)

    def _kept(
        self,
        step: Hashable,
        reads: Mapping[Question, Hashable],
        found: Node,
        readers: Mapping[Cell, str] = MappingProxyType({}),
    ) -> tuple[Cell, ...]:
        """Keep what a step comes to by what it has read and asked, one after the other; gives the cells of that."""
        self.kept += len(reads) + (len(found.outcomes or ()) if isinstance(found, (Law, Weighed)) else 0)
        cells = self._shared(tuple([one for one in reads if not isinstance(one, WorthComparison)]))
        if step != OPEN:
            if (self.size + 2, SCORES) in cells:
                # Fights that differ in their scores alone go on as one.
                raise Unsuited(self._said("scene.scores", readers.get((self.size + 2, SCORES))))
            if not self.reads_time and any(slot == self.size + 1 for slot, _ in cells):
                self.reads_time = self._said("scene.round", readers.get((self.size + 1, ROUND)))
        self.steps[step] = grown(self.steps.get(step), reads, Leaf(found, cells))
        if self.news is not None:
            self.news.append((step, reads, found))
        return cells

    def _said(self, what: str, reader: str | None) -> str:
        """What the rules read that they should not, as a clause."""
        return f"{self.system.name} reads {what}" + (f" ({reader})" if reader else "")

    # What others have learnt

    def told(self) -> bytes:
        """What has been learnt since it was last asked, for another memo of the same opening; nothing the first time,
        from which on it is noted."""
        news, self.news = self.news, []
        if not news:
            return b""
        try:
            return pickle.dumps(
                [
                    (step, [(_plain(one), held) for one, held in reads.items()], _packed(found))
                    for step, reads, found in news
                ]
            )
        except (pickle.PicklingError, AttributeError, TypeError):
            # Something in the rules of a system cannot be sent: every memo learns by itself.
            return b""

    def learn(self, told: bytes) -> None:
        """Learn what another memo has told."""
        news, self.news = self.news, None
        for step, reads, packed in pickle.loads(told) if told else ():
            known = {
                one.of(self.weighing_of) if isinstance(one, WorthComparison) else one: held
                for one, held in reads
            }
            self._kept(step, known, self._unpacked(packed))
        self.news = news

    def _unpacked(self, packed: Any) -> Node:
        if not isinstance(packed, tuple) or packed[0] not in (Law, Weighed, WeighedChoice, PaidOutcome):
            return packed
        kind, outcomes, chances, more = packed
        if kind is PaidOutcome:
            return PaidOutcome(self._outcome_of(*outcomes), self._shared(chances), more)
        if kind is WeighedChoice:
            return WeighedChoice(self._outcome_of(*outcomes), self.weighing_of(more))
        if outcomes is None:
            return Weighed(None, more)
        made = [self._outcome_of(*one) for one in outcomes]
        return Law(chances, made, more) if kind is Law else Weighed([*zip(made, chances, strict=True)], more)

    def _outcome_of(self, changes: Iterable[tuple[int, Any]], *others: Any) -> Outcome:
        return Outcome(tuple([(slot, self.delta(one)) for slot, one in changes]), *others)

    def _act(self, state: State, watch: Watch, turn: str) -> Node:
        scene = WatchedScene.made(state, watch)
        if self.decide is None:
            intent = self.plain.decide(scene, turn)
        else:
            for slot in range(self.size + 1):
                watch.note(slot, WHOLE)
            intent = self.decide(self.scene_of(state), turn)
        if intent.action == "next":
            return None
        prepared = prepare(self.system, scene, intent)
        row = prepared.row
        gear = prepared.setup.gear or intent.action
        ends_turn = row.ends_turn and intent.actor in scene.acting
        paid = prepared.payment.events
        found: dict[Hashable, list[Any]] = {}
        if prepared.payment.of:
            self._add(found, self._outcome(paid, watch), 1.0)
            return self._law(found, intent)
        if not scene.group and settle(self.system, scene, paid) == paid:
            begun = prepared.payment.scene
            assert isinstance(begun, WatchedScene)
            weighing = self.weighing(begun, intent, prepared)
            if weighing is not None:
                return WeighedChoice(self._outcome(paid, watch, (), ends_turn), weighing)
        answers = self.plain.law_of(prepared.rule, bare(prepared.dice))
        if answers is None:
            return Rest(intent)
        for answer, ways in answers.of(prepared.effect_key):
            events = consequences(self.system, scene, intent, prepared, answer, hold=True)
            tags = tuple(
                [
                    (key, bare(one))
                    for key, one in harm_of_events(self.system, self.whole, intent, gear, events)
                ]
            )
            self._add(found, self._outcome(events, watch, tags, ends_turn), ways / answers.total)
        return self._law(found, intent)

    def _chosen(self, choice: WeighedChoice, weighed: Weighed) -> Law | Rest:
        """What an action comes to on which a fighter has decided."""
        intent, before = choice.weighing.intent, choice.before
        if weighed.outcomes is None:
            return Rest(intent)
        # What was paid is left out there, and added to every outcome here.
        key = (before.changes, before.shift, before.ends_turn)
        law = weighed.laws.get(key)
        if law is None:
            found: dict[Hashable, list[Any]] = {}
            for outcome, chance in weighed.outcomes:
                self._add(found, self._after(before, outcome), chance)
            law = weighed.laws[key] = self._law(found, intent)
        return law

    def weighing(self, begun: WatchedScene, intent: Intent, prepared: Prepared) -> Weighing | None:
        """The weighing of an action in a watched scene with its costs paid; None where what decides it is not known."""
        setup = plain_setup(prepared.setup)
        step = None if prepared.interrupted else self.step_of(intent, setup)
        if step is None:
            return None
        recurs = setup.dice is dice_for_odds(prepared.setup)
        return self._weighing((*step, recurs), intent, setup, self.patches(begun), recurs)

    def weighing_of(self, plain: PlainWeighing) -> Weighing:
        """The weighing that another process has told."""
        patches = tuple([(slot, self.patch(fields)) for slot, fields in plain.patches])
        return self._weighing(plain.key, plain.intent, plain.setup, patches, plain.recurs)

    def _weighing(
        self,
        step: Hashable,
        intent: Intent,
        setup: Setup,
        patches: tuple[tuple[int, Patch], ...],
        recurs: bool,
    ) -> Weighing:
        key = (step, patches)
        known = self.weighings.get(key)
        if known is None:
            known = self.weighings[key] = Weighing(self.weighed, step, intent, setup, patches, recurs)
        return known

    def weighed(self, weighing: Weighing, state: State) -> tuple[Weighed, tuple[Cell, ...]]:
        """What an action comes to in a state with its costs paid, and what decides that there."""
        return self._known(weighing.key, state, lambda watch: self._weigh(weighing, state, watch))

    def _weigh(self, weighing: Weighing, state: State, watch: Watch) -> Weighed:
        row, scene = row_of(self.system, weighing.intent.action), WatchedScene.made(state, watch)
        law = self.plain.law_of(row.whole_rule, weighing.setup.dice)
        if law is None:
            return Weighed(None, self.plain.value_by_target(scene, weighing.intent, row))
        worth, found = 0.0, dict[Hashable, list[Any]]()
        answers = [*law.of(row.effect_key)]
        apart = weighing.recurs and len(answers) > MOST_AT_ONCE
        for answer, ways in answers:
            if not apart:
                effect = self._come_to(weighing, row, answer, scene)
                watch.take(effect.pools)
                outcome, value = effect.at(state)
            elif row.gains is None:
                outcome, value = self._remembered(weighing, row, answer, state, watch)
            else:
                outcome, value = self._in_parts(weighing, row, answer, state, watch)
            worth += ways * value
            self._add(found, outcome, ways / law.total)
        return Weighed([(outcome, chance) for outcome, chance in found.values()], worth / law.total)

    def _come_to(self, weighing: Weighing, row: Action, answer: Any, scene: WatchedScene) -> PaidOutcome:
        """What an answer of the dice comes to in a scene with the costs paid."""
        intent, setup = weighing.intent, weighing.setup
        prepared = Prepared(row, setup, Payment((), scene))
        events, after = aftermath(self.system, scene, prepared.effects(self.system, scene, intent, answer))
        counted = [*harm_of_events(self.system, self.whole, intent, setup.gear or intent.action, events)]
        outcome = self._outcome(events, scene.watch)
        worth = settled(self.plain.worth_of(scene, after, events, intent.actor))
        tags = tuple([(key, settled(number)) for key, number in counted])
        return PaidOutcome(outcome, self._shared(tags), worth)

    def _remembered(
        self, weighing: Weighing, row: Action, answer: Any, state: State, watch: Watch
    ) -> tuple[Outcome, float]:
        """The same, remembered by what that answer alone reads; and what it is worth."""
        effect, cells = self._known(
            (weighing.key, row.gains is None, answer),
            state,
            lambda own: self._come_to(weighing, row, answer, WatchedScene.made(state, own)),
        )
        watch.take(cells)
        watch.take(effect.pools)
        return effect.at(state)  # type: ignore[no-any-return]

    def _in_parts(
        self, weighing: Weighing, row: Action, answer: Any, state: State, watch: Watch
    ) -> tuple[Outcome, float]:
        """The same, what the answer brings to the pools of the sides remembered by itself."""
        part, remaining = row.split(answer)
        without = self._without_gains(weighing.intent.action, row)
        rest, worth = self._remembered(weighing, without, remaining, state, watch)
        if any(slot == self.size for slot, _ in rest.changes):
            # The rest has changed the scene as well: it could be those pools.
            return self._remembered(weighing, row, answer, state, watch)
        gained_first, cells = self._known(
            (weighing.key, "gains", part),
            state,
            lambda own: self._gained(weighing, row, part, WatchedScene.made(state, own)),
        )
        watch.take(cells)
        return self._after(gained_first.outcome, rest), worth

    def _gained(self, weighing: Weighing, row: Action, part: Any, scene: WatchedScene) -> PaidOutcome:
        """What a part of an answer brings to the pools of the sides."""
        events = merged(gained(scene, weighing.intent, row, weighing.setup, part))
        return PaidOutcome(self._outcome(events, scene.watch), (), 0.0)

    def _without_gains(self, action: str, row: Action) -> Action:
        known = self.rows.get(action)
        if known is None:
            known = self.rows[action] = row._replace(gains=None)
        return known

    def _after(self, first: Outcome, then: Outcome) -> Outcome:
        """One outcome after another as one."""
        key = first.changes, then.changes
        deltas = self.joined.get(key)
        if deltas is None:
            changes = {slot: delta.what for slot, delta in first.changes}
            for slot, delta in then.changes:
                changes[slot] = (*changes.get(slot, ()), *delta.what)
            deltas = tuple(sorted(((slot, self.delta(one)) for slot, one in changes.items()), key=_slot))
            deltas = self.joined[key] = self._shared(deltas)
        return Outcome(deltas, first.shift + then.shift, then.tags, first.ends_turn, then.stuck)

    def step_of(self, intent: Intent, setup: Setup) -> tuple[Hashable, ...] | None:
        """A step within an action: all that decides it but the scene; None where that is not known."""
        known = frozen_or_none(bare(setup.known))
        if known is None:
            return None
        options = frozen(intent.options)
        return "effects", intent.action, intent.actor, intent.targets, options, setup.gear, setup.dice, known

    def clocked(self, state: State, part: str, names: tuple[str, ...]) -> tuple[Law, tuple[Cell, ...]]:
        """The outcomes of one part of a change of turns, and what decides them.

        The turn ends with those after which nobody of the team can act, or nobody of the group goes on.
        """
        return self._known((part, names), state, lambda watch: self._clocked(state, watch, part, names))

    def stands(self, state: State, slot: int) -> tuple[bool, tuple[Cell, ...]]:
        """Whether a fighter can still fight, and the cells that decide it."""

        def is_standing(watch: Watch) -> bool:
            one = WatchedFighter.made(state[slot], slot, watch)
            return bool(standing(self.system, Scene(self.system.name, {one.name: one})))

        body: BodyState = state[slot]
        known = body.standing.get(slot)
        if known is None:
            known = body.standing[slot] = self._known(("stands", slot), state, is_standing)
        return known

    def _next(self, state: State, watch: Watch, who: str) -> Law:
        scene = WatchedScene.made(state, watch)

        def run(path: Path) -> Clocked:
            clock = Clock(self.system, scene, Intent("next", who), path)  # type: ignore[arg-type]
            try:
                clock.on(who)
            except Refused as refusal:
                if refusal.code != "nobody_can_act":
                    raise
                return None, False
            return merged(clock.events), False

        return self._walked(run, watch)

    def _clocked(self, state: State, watch: Watch, part: str, names: tuple[str, ...]) -> Law:
        scene = WatchedScene.made(state, watch)

        def run(path: Path) -> Clocked:
            is_over = False
            intent = self.opening.intent if part == OPEN_ROUND else None
            clock = Clock(self.system, scene, intent or Intent("next", *names[:1]), path)  # type: ignore[arg-type]
            if part == OPEN_ROUND:
                open_round(clock)
            elif part == ROUND_OVER:
                clock.end_round()
            elif part == NEW_ROUND:
                clock.new_round()
            elif part == BEGIN:
                is_over = not clock.begin(names)
            else:
                is_over = not clock.leave(*names)
            return merged(clock.events), is_over

        return self._walked(run, watch)

    def _walked(self, run: Callable[[Path], Clocked], watch: Watch) -> Law:
        """The law of something that asks a table and gives events."""
        path = PlainPath(self.odds_table)
        found: dict[Hashable, list[Any]] = {}
        for _ in range(MOST_WALKED):
            try:
                events, is_over = run(path)
            except TooWide as wide:
                raise Unsuited(wide.message) from wide
            outcome = self._outcome(events or (), watch, ends_turn=is_over, stuck=events is None)
            self._add(found, outcome, path.ways[-1] / path.totals[-1])
            if not path.turn():
                return self._law(found, None)
        raise Unsuited(
            f"the phases of {self.system.name} between two turns have more than {MOST_WALKED:,} results"
        )

    def _add(self, found: dict[Hashable, list[Any]], outcome: Outcome, weight: float) -> None:
        key = (outcome.changes, outcome.shift, outcome.tags, outcome.ends_turn, outcome.stuck)
        same = found.setdefault(key, [outcome, 0.0])
        same[1] += weight

    def _law(self, found: dict[Hashable, list[Any]], intent: Intent | None) -> Law:
        sums = [*accumulate(weight for _, weight in found.values())]
        sums = [one / sums[-1] for one in sums]
        sums[-1] = 1.0
        return Law(sums, [outcome for outcome, _ in found.values()], intent)

    def _outcome(
        self,
        events: Iterable[Event],
        watch: Watch,
        tags: tuple[tuple[Key, int], ...] = (),
        ends_turn: bool = False,
        stuck: bool = False,
    ) -> Outcome:
        """What events change, by body."""
        changes: dict[int, list[tuple[str, str, Any]]] = {}
        shift = 0
        for event in events:
            who, what, now = event.who, event.what, event.now
            slot = self.slots.get(who, self.size)
            cell = f"{who}:{what}" if who.startswith(SIDE) else POOL + what
            now = now.seen_from(slot, cell) if isinstance(now, PoolNumber) else later(now, watch)
            if who and not who.startswith(SIDE):
                if what in ("fighter", "side", "player", "mind"):
                    raise Unsuited(f"{self.system.name} changes what a fighter is ({what})")
                # Whose it is says the slot: others may share the change.
                changes.setdefault(slot, []).append(("", what, now))
            elif what == ROUND and not who:
                shift = int(now) if isinstance(now, Later) else self._plain_round(now, watch)
            elif what in LINE:
                changes.setdefault(self.size + 2, []).append((who, what, now))
            elif what == "open":
                raise Unsuited(f"{self.system.name} opens or ends the crisis itself (scene.open)")
            elif who or what in FRAME:
                changes.setdefault(self.size, []).append((who, what, now))
            else:
                raise Unsuited(f"{self.system.name} changes scene.{what}")
        deltas = tuple(
            sorted(((slot, self.delta(tuple(found))) for slot, found in changes.items()), key=_slot)
        )
        return Outcome(self._shared(deltas), shift, self._shared(tags), ends_turn, stuck)

    def _shared(self, parts: tuple[Part, ...]) -> tuple[Part, ...]:
        """The same tuple for all outcomes that have this part in common: there are a great many of them."""
        known: tuple[Part, ...] = self.parts.setdefault(parts, parts)
        return known

    def _plain_round(self, number: int, watch: Watch) -> int:
        watch.note(self.size + 1, ROUND)
        return number - watch.round

    def delta(self, changes: Changes) -> Delta:
        """What changes of one body by these changes, the same object for the same ones."""
        key = frozen(changes)
        known = self.deltas.get(key)
        if known is None:
            known = self.deltas[key] = BodyChange(self.changed, changes)
        return known

    # Openings

    def opened(self, fights: int, random: Random) -> Iterator[tuple[State, int]]:
        """The states in which so many fights begin, their turn orders drawn, and how many begin in each."""
        intent = self.opening.intent
        if intent is None:
            yield self.state_of(self.opening.scene), fights
            return
        for answer, many in self._orders(intent, fights, random):
            state = self._lined_up(intent, answer)
            law = self._opening_law(state, intent)
            for at, times in drawn_many(law.sums, many, random.random):
                yield self.after(state, law.outcomes[at]), times

    def first_of(self, state: State) -> int:
        """The place of the fighter who is first in the turn order of a state; 0 without an order."""
        order = state[self.size + 2].scene.order
        return self.slots[order[0]] if order else 0

    def all_opened(self) -> Iterator[tuple[State, float]]:
        """Every state in which a fight can begin, with its chance; TooWide where there are too many."""
        intent = self.opening.intent
        if intent is None:
            yield self.state_of(self.opening.scene), 1.0
            return
        prepared = prepare(self.system, self.opening.scene, intent)
        law = self.odds_table.of(prepared.rule, prepared.dice)
        for answer, ways in alike(law):
            state = self._lined_up(intent, answer)
            for outcome, chance in self._opening_law(state, intent).chances:
                yield self.after(state, outcome), chance * (ways / law.total)

    def lined_up(self, fights: int, random: Random) -> Iterator[tuple[State, int]]:
        """The states of so many fights whose turn order is rolled, before the first round, and how many stand in each;
        of a fight that goes on the one in which it does."""
        intent = self.opening.intent
        if intent is None:
            yield self.state_of(self.opening.scene), fights
            return
        prepared = self._roll_for_order(intent)
        sampler = RuleSampler(random, self.odds_table, self.parts_of_roll)
        for _ in range(fights):
            yield self._with_order(intent, prepared, prepared.rule(sampler, prepared.dice)), 1

    def _roll_for_order(self, intent: Intent) -> Prepared:
        """The roll for the turn order, prepared."""
        if self.roll is None:
            self.roll = prepare(self.system, self.opening.scene, intent)
        return self.roll

    def _with_order(self, intent: Intent, prepared: Prepared, answer: Any) -> State:
        """The opening once there is a turn order, by the answer of the roll for it; the scores are left out."""
        if self.size > MOST_RECURRING:
            return self._new_order(intent, prepared, answer)
        key = without_scores(answer) if self.leaders is None else answer.order
        return self._kept_opening(key, lambda: self._new_order(intent, prepared, answer))

    def _new_order(self, intent: Intent, prepared: Prepared, answer: Any) -> State:
        """The same of an order that has not come about yet."""
        scene = self.opening.scene
        if self.leaders is not None and self.begun is not None:
            order = tuple([name for leader in answer.order for name in self.leaders[leader]])
            return (*self.begun[:-1], OrderState(Scene(scene.system, {}, order=order, round=1), self.groups))
        row = prepared.row
        events = effects(self.system, scene, intent, row, prepared.setup, answer)
        if any(event.who or event.what not in LINE for event in events):
            return self.without_scores(self._lined_up(intent, answer))
        if self.begun is None:
            self.begun = self.state_of(scene)
        only_lines_up = isinstance(row.effects, LineUp) and row.gains is None and row.choices is no_choices
        if only_lines_up and not scene.order:
            # Nothing else depends on the answer, and what does not depend on it has just been seen.
            self.leaders = grouped(scene, intent)
        line = {event.what: event.now for event in events if event.what != SCORES}
        return (*self.begun[:-1], OrderState(Scene(scene.system, {}, round=1)._replace(**line), self.groups))

    def _lined_up(self, intent: Intent, answer: Any) -> State:
        """The state once there is a turn order, by the answer of the roll for it."""

        def roll() -> State:
            rolled = ordered(self.system, self.opening.scene, intent, AnsweredPath(self.odds_table, answer))  # type: ignore[arg-type]
            return self.state_of(apply_all(self.opening.scene, rolled.events))

        return self._kept_opening(answer, roll)

    def _kept_opening(self, key: Hashable, begin: Callable[[], State]) -> State:
        """The opening that is kept by a key, else the one that begins now."""
        known = self.openings.get(key)
        if known is None:
            if len(self.openings) >= MOST_OPENINGS:
                self.openings.clear()
            known = self.openings[key] = begin()
        return known

    def forget_orders(self) -> None:
        """Forget the turn orders in which fights have begun, with what is noted of each."""
        self.openings.clear()

    def _opening_law(self, state: State, intent: Intent) -> Law:
        law: Law = self._known(OPEN, state, lambda watch: self._begin(state, watch, intent))[0]
        return law

    def _begin(self, state: State, watch: Watch, intent: Intent) -> Law:
        scene = WatchedScene.made(state, watch)

        def run(path: Path) -> Clocked:
            clock = Clock(self.system, scene, intent, path)  # type: ignore[arg-type]
            begin(clock)
            return merged(clock.events), False

        return self._walked(run, watch)

    def _orders(self, intent: Intent, fights: int, random: Random) -> Iterable[tuple[Any, int]]:
        """The answers of so many rolls for the turn order: for few fighters by its exact law or the laws of its parts,
        else each rolled."""
        prepared = self._roll_for_order(intent)
        if self.orders is None:
            self.orders = [], []
            if self.size <= MOST_ORDERED:
                try:
                    law = OddsTable(self.odds_table.policy, WIDEST_ORDER, limit=LAW_LIMIT).of(
                        prepared.rule, prepared.dice
                    )
                    found = [*alike(law)]
                    sums = [one / law.total for one in accumulate(ways for _, ways in found)]
                    self.orders = sums, [answer for answer, _ in found]
                except TooWide:
                    pass
        sums, answers = self.orders
        if sums:
            return [(answers[at], many) for at, many in drawn_many(sums, fights, random.random)]

        def rolled(table: RuleTable) -> Iterable[tuple[Any, int]]:
            return alike((prepared.rule(table, prepared.dice), 1) for _ in range(fights))

        if self.size <= MOST_ORDERED:
            with suppress(TooWide):
                # The laws of its parts are soon known.
                return rolled(Sampler(random, self.odds_table))
        # Those of ties among many would take longer than all the fights.
        return rolled(Table(Seeded(random.random)))

    def rolled(self, state: State, intent: Intent, random: Callable[[], float]) -> Outcome:
        """An outcome of an action whose law is too wide, rolled."""
        scene = self.scene_of(state)
        entry = perform(self.system, scene, intent, Table(Seeded(random), self.mind.chooser(scene)))
        gear = entry.outcome.get("gear") or intent.action
        tags = tuple(harm_of_events(self.system, self.whole, intent, gear, entry.events))
        return self._outcome(entry.events, Watch(state), tags)


MOST_OPENINGS, MOST_RECURRING = 2_000, 6
"""Results of the roll for the turn order that are kept, and among how many fighters at most they are: all of them among
six, while among eight hardly any comes about twice."""
MOST_ORDERED, WIDEST_ORDER = 3, 2_000
"""How many fighters at most have a turn order drawn from its exact law, and how many branches that law may take."""


def alike(answers: Iterable[tuple[Any, int]]) -> Iterable[tuple[Any, int]]:
    """Answers of rolls for the turn order with how many there are, those that differ in nothing but scores as one."""
    found: dict[Hashable, tuple[Any, int]] = {}
    for answer, many in answers:
        kept = without_scores(answer)
        first, before = found.get(kept, (answer, 0))
        found[kept] = first, before + many
    return found.values()


def without_scores(answer: Any) -> Hashable:
    """The answer of a roll for the turn order, but for the scores."""
    return frozen([getattr(answer, field) for field in answer._fields if field != SCORES])


def drawn_many(sums: list[float], times: int, random: Callable[[], float]) -> Iterable[tuple[int, int]]:
    """Which of several outcomes so many draws give, and how often each, by the sums of their chances."""
    if len(sums) == 1:
        return ((0, times),)
    if times == 1:
        return ((bisect_right(sums, random()), 1),)
    found: dict[int, int] = {}
    for _ in range(times):
        at = bisect_right(sums, random())
        found[at] = found.get(at, 0) + 1
    return found.items()


def _plain(question: Question) -> Question:
    """A question as another process can read it."""
    return question.plain if isinstance(question, WorthComparison) else question


def _packed(found: Node) -> Any:
    """What a step comes to, as another process can read it."""
    if isinstance(found, Law):
        return Law, [one.plain for one in found.outcomes], found.sums, found.intent
    if isinstance(found, WeighedChoice):
        return WeighedChoice, found.before.plain, None, found.weighing.plain
    if isinstance(found, PaidOutcome):
        return PaidOutcome, found.outcome.plain, found.tags, found.worth
    if isinstance(found, Weighed):
        if found.outcomes is None:
            return Weighed, None, None, found.worth
        chances = [chance for _, chance in found.outcomes]
        return Weighed, [one.plain for one, _ in found.outcomes], chances, found.worth
    return found


def seen_from(value: int, slot: int, cell: str) -> int:
    """What a cell of a state holds that was thought of: how much more it is, where no more of it has been read."""
    return value.seen_from(slot, cell) if isinstance(value, PoolNumber) else int(bare(value))


def after(value: int, before: int) -> int:
    """What a pool holds after a change."""
    return before + int(value) if isinstance(value, More) else value


def _slot(change: tuple[int, Delta]) -> int:
    return change[0]


def _absolute(number: Any, now: int) -> Any:
    return now + int(number) if isinstance(number, Later) else number


def _sooner(number: Any, rounds: int) -> Any:
    return Later(int(number) - rounds) if isinstance(number, Later) else number
