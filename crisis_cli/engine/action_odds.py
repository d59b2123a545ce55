"""Exact odds of an intent: the distribution of the rule that would roll, and of everything it would change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from ..dice.distribution import Distribution, OddsTable, reduced
from ..errors import Refused
from ..values import NamedTuple
from .consequences import foreseen
from .events import GROUPS, SIDE, WHOLE, Event
from .record import Modifier
from .scene import Intent, Scene
from .validate import Prepared, prepare

if TYPE_CHECKING:
    from .system import Pool, System


OUTCOME = 50_000
"""Estimated nanoseconds of working out what one outcome changes."""
Ways = tuple[int, int]
"""How many ways, and of how many."""


class LevelOdds(NamedTuple):
    """The level of a condition, mark or the like before an action, and the distribution of its level afterwards."""

    was: int
    after: Distribution
    is_apart: bool
    """Whether it can change without putting its fighter out of the fight."""

    @property
    def begins(self) -> Ways:
        """Ways and total that it begins, or rises."""
        return self.after.chance(lambda now: now > self.was)

    @property
    def ends(self) -> Ways:
        """Ways and total that it ends, or falls."""
        return self.after.chance(lambda now: now < self.was)


class ActionOdds(NamedTuple):
    """The exact odds of an action."""

    intent: Intent
    prepared: Prepared | None
    """The action as it is prepared; None for a rest of several rolls."""
    modifiers: tuple[Modifier, ...]
    success: tuple[int, int] | None
    """Ways and total; None where it can neither succeed nor fail."""
    totals: Distribution | None
    """The distribution of the roll's total; where several are rolled, of how many hit."""
    counted: str
    """What the totals are: `hits`, `successes`, or the total of the roll."""
    criticals: Distribution | None
    """The distribution of the number of criticals."""
    effects: dict[str, dict[str, Distribution]]
    """For each fighter or side, and pool, the distribution of its change: what it will be, less what it is."""
    any_harm: dict[str, tuple[int, int]]
    """For each fighter that might be harmed: ways and total that a pool that harm is measured by gets worse."""
    levels: dict[str, dict[str, LevelOdds]]
    """For each fighter, everything but pools that might begin or end: `condition:NAME`, `mark:NAME`, `held:THING`,
    `cover:FROM`, `yielded`, `gone`; and `at`, `side` …, which are 0 before and 1 where they change."""
    down: dict[str, tuple[int, int]]
    """For each fighter that can fight now and might not afterwards: ways and total."""
    truncated: bool

    @property
    def turns_others(self) -> bool:
        """Whether something may begin or end for others than the actor, apart from their defeat."""
        return any(
            level.is_apart
            for who, levels in self.levels.items()
            if who != self.intent.actor
            for level in levels.values()
        )


def action_odds(system: System, scene: Scene, intent: Intent, odds_table: OddsTable) -> ActionOdds:
    """The exact odds of an intent; Refused where the rules do not allow it, TooWide where it takes too long."""
    return odds_table.bounded(lambda: _action_odds(system, scene, intent, odds_table))


def _action_odds(system: System, scene: Scene, intent: Intent, odds_table: OddsTable) -> ActionOdds:
    prepared = prepare(system, scene, intent)
    if prepared.payment.of:
        raise Refused(
            f"{intent.action} takes {prepared.payment.of} {system.pools[prepared.payment.pool].label}, and they are "
            f"not all paid yet; nothing is rolled before that ({system.pools[prepared.payment.pool].long})",
            rule=system.pools[prepared.payment.pool].long,
            code="later",
        )
    distribution = prepared.odds(odds_table)
    odds_table.spend(OUTCOME * len(distribution.ways))
    found = _changes(system, scene, intent, prepared, distribution)
    for who in () if odds_table.follows_questions else prepared.apart:
        share = prepared.odds(odds_table, who)
        odds_table.spend(OUTCOME * len(share.ways))
        view = _changes(system, scene, intent, prepared, share)
        found.effects.pop(who, None)
        found.effects.update(_only(who, view.effects))
        found.any_harm.update(_only(who, view.any_harm))
        found.levels.pop(who, None)
        found.levels.update(_only(who, view.levels))
        found.down.update(_only(who, view.down))
    totals = _numbers(distribution, lambda answer: getattr(answer, "total", None))
    hits = _numbers(distribution, lambda answer: getattr(answer, "hits", None))
    return ActionOdds(
        intent,
        prepared,
        prepared.setup.modifiers,
        success_of(distribution),
        totals or hits,
        "hits"
        if not totals
        else prepared.row.says.counts
        or getattr(next(iter(distribution.ways)), "counted", "total of the roll"),
        _numbers(distribution, lambda answer: getattr(answer, "criticals", None)),
        *found,
        distribution.truncated,
    )


def effects_of(
    system: System, scene: Scene, intent: Intent, prepared: Prepared, distribution: Distribution
) -> Iterable[tuple[tuple[Event, ...], int]]:
    """What the answers of the dice change, those that change the same taken together, with their ways."""
    found: dict[str, tuple[tuple[Event, ...], int]] = {}
    for answer, count in distribution.of(prepared.effect_key):
        events = prepared.effects(system, scene, intent, answer)
        key = repr(events)
        before = found.get(key)
        found[key] = (events, count + before[1] if before else count)
    return found.values()


def success_of(distribution: Distribution) -> tuple[int, int] | None:
    """How many ways succeed, of how many; None where it can neither succeed nor fail."""
    if any(not isinstance(getattr(answer, "success", None), bool) for answer, _ in distribution):
        return None
    return distribution.chance(lambda answer: answer.success)


def _numbers(distribution: Distribution, part: Callable[[Any], Any]) -> Distribution | None:
    if any(not isinstance(part(answer), int) for answer, _ in distribution):
        return None
    return distribution.of(part)


Found = TypeVar("Found")


LEVELLED = ("condition", "mark", "cover", "gone", "yielded")
"""Kinds of events that bring something to a level, or to none; others of `WHOLE` only change it."""


class EffectChances(NamedTuple):
    """What might change, by fighter or side, as in `ActionOdds`."""

    effects: dict[str, dict[str, Distribution]]
    any_harm: dict[str, tuple[int, int]]
    levels: dict[str, dict[str, LevelOdds]]
    down: dict[str, tuple[int, int]]


def _only(who: str, found: dict[str, Found]) -> dict[str, Found]:
    return {who: found[who]} if who in found else {}


def harm_of(system: System, pool: str, by: float) -> float:
    """How much worse a fighter is off by a change of a pool, below 0 for better; 0 for pools that measure no harm."""
    kind = _measure_of_harm(system, pool)
    return 0 if kind is None else by if kind.counts_up else -by


def harm_between(system: System, pool: str, was: int, now: int) -> int:
    """The same for a change of a pool from one value to another."""
    kind = _measure_of_harm(system, pool)
    return 0 if kind is None else now - was if kind.counts_up else was - now


def _measure_of_harm(system: System, pool: str) -> Pool | None:
    kind = system.pools.get(pool)
    return None if kind is None or kind.spent or kind.not_vital or not kind.lasting else kind


def _changes(
    system: System, scene: Scene, intent: Intent, prepared: Prepared, distribution: Distribution
) -> EffectChances:
    outcomes = (
        (*foreseen(system, scene, prepared.payment.events + changed, intent.targets), count)
        for changed, count in effects_of(system, scene, intent, prepared, distribution)
    )
    return chances_of(system, scene, intent, outcomes, distribution)


def chances_of(
    system: System,
    scene: Scene,
    intent: Intent,
    outcomes: Iterable[tuple[tuple[Event, ...], Scene, int]],
    distribution: Distribution,
) -> EffectChances:
    """What might change, by outcomes: the events of each, the scene after them, and in how many ways it comes about of
    the total of the distribution."""
    ways: dict[tuple[str, str], dict[int, int]] = {}
    fell: dict[str, int] = {}
    harmed: dict[str, int] = {}
    levels: dict[tuple[str, str], tuple[int, dict[int, int]]] = {}
    apart: set[tuple[str, str]] = set()
    up = {name for name, fighter in scene.fighters.items() if not fighter.gone and not system.fallen(fighter)}
    for events, after, count in outcomes:
        hurt: set[str] = set()
        defeated = {
            name for name in up & {event.who for event in events} if system.fallen(after.fighters[name])
        }
        for event in events:
            if not event.who.startswith(SIDE) and event.who not in scene.fighters:
                continue
            if (kind := event.what.partition(":")[0]) in (*GROUPS, *WHOLE, "fighter"):
                for what, was, now in _levels(kind, event):
                    after_ways = levels.setdefault((event.who, what), (was, {}))[1]
                    after_ways[now] = after_ways.get(now, 0) + count
                    if event.who not in defeated:
                        apart.add((event.who, what))
            else:
                moved = ways.setdefault((event.who.removeprefix(SIDE), event.what), {})
                by = event.now - event.was
                moved[by] = moved.get(by, 0) + count
                if harm_of(system, event.what, by) > 0:
                    hurt.add(event.who)
        for name in hurt:
            harmed[name] = harmed.get(name, 0) + count
        for name in defeated:
            fell[name] = fell.get(name, 0) + count
    changes: dict[str, dict[str, Distribution]] = {}
    for (who, pool), moved in ways.items():
        changes.setdefault(who, {})[pool] = _completed(moved, 0, distribution)
    states: dict[str, dict[str, LevelOdds]] = {}
    for (who, what), (was, after_ways) in levels.items():
        states.setdefault(who, {})[what] = LevelOdds(
            was, _completed(after_ways, was, distribution), (who, what) in apart
        )
    # A target that this action cannot defeat is listed too: the player asked.
    for name in intent.targets:
        if name in up:
            fell.setdefault(name, 0)
            harmed.setdefault(name, 0)
    total = distribution.total
    return EffectChances(
        changes,
        {name: (count, total) for name, count in harmed.items()},
        states,
        {name: (count, total) for name, count in fell.items()},
    )


def _completed(ways: dict[int, int], unchanged: int, distribution: Distribution) -> Distribution:
    """The distribution of a value, from the ways of the answers that change it; the others leave it `unchanged`."""
    still = distribution.total - sum(ways.values())
    everything = {unchanged: still, **ways} if still else ways
    return reduced(dict(sorted(everything.items())), distribution.total, distribution.truncated)


def _levels(kind: str, event: Event) -> Iterator[tuple[str, int, int]]:
    """What an event about anything but a pool begins or ends, with its level before and after."""
    if kind == "held":
        was, now = Counter(event.was), Counter(event.now)
        yield from (
            (f"held:{thing}", was[thing], now[thing]) for thing in {**was, **now} if was[thing] != now[thing]
        )
    elif kind in LEVELLED:
        yield event.what, _level(event.was), _level(event.now)
    elif kind in WHOLE:
        yield event.what, 0, 1


def _level(value: int | str | None) -> int:
    """A level as a number; 1 for what is on and has no levels."""
    return (
        int(value)
        if isinstance(value, int) or (value and value.isdigit())
        else int(value not in (None, "", "none"))
    )
