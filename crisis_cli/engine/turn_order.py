"""The turn order: who shares a roll, where newcomers come in, how an order becomes events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..values import NamedTuple
from .events import Event, change
from .scene import Fighter, Intent, Scene

if TYPE_CHECKING:
    from ..dice.distribution import Distribution, OddsTable
    from ..dice.table import Rule
    from .changes import Changes
    from .setup import Setup


class Ordered(NamedTuple):
    """The result of rolling for the turn order."""

    order: tuple[str, ...]
    """Those who rolled, first to act first."""
    scores: tuple[tuple[str, int], ...]
    """The score of each, by name."""


def sheet_of(name: str) -> str:
    """What the copies of one sheet have in common: their name without its number."""
    bare, _, number = name.rpartition(" ")
    return bare if bare and number.isdigit() else name


def grouped(scene: Scene, intent: Intent) -> Mapping[str, tuple[str, ...]]:
    """Those who roll, each with all fighters that the roll counts for: everyone named, or with the option `group` the
    first of the copies of each sheet."""
    if not intent.get("group"):
        return {name: (name,) for name in intent.targets}
    copies: dict[tuple[str, str], tuple[str, ...]] = {}
    for name in intent.targets:
        same = (sheet_of(name), scene.fighters[name].side)
        copies[same] = (*copies.get(same, ()), name)
    return {names[0]: names for names in copies.values()}


def settled(
    table: Any, roll: Rule, tied: tuple[Any, ...], agreed: Sequence[str], times: int
) -> tuple[str, ...]:
    """A rule: the names of those who tie, in the order on which they agreed, or else by new rolls among themselves.

    `roll(table, one, others)` gives a new score, `others` being the names that `one` is tied with. The new scores
    settle only this tie. After so many `times` the order of naming does.
    """
    names = tuple([one.name for one in tied])
    if len(tied) == 1:
        return names
    if all(name in agreed for name in names):
        return tuple(sorted(names, key=agreed.index))
    if not times:
        table.truncate()
        return names
    by_score: dict[int, list[Any]] = {}
    for one in tied:
        others = tuple([name for name in names if name != one.name])
        by_score.setdefault(table.ask(roll, one, others), []).append(one)
    order: list[str] = []
    for _, same in sorted(by_score.items(), reverse=True):
        # Most stand alone by now.
        order += table.ask(settled, roll, tuple(same), agreed, times - 1) if len(same) > 1 else [same[0].name]
    return tuple(order)


def _settled_odds(
    odds_table: OddsTable, roll: Rule, tied: tuple[Any, ...], agreed: Sequence[str], times: int
) -> Distribution:
    """The distribution of `settled`; where two tie, all their new rolls are one sum."""
    from ..dice.distribution import Path, reduced

    names = tuple([one.name for one in tied])
    if len(tied) != 2 or not times or all(name in agreed for name in names):
        return odds_table.walked(Path(odds_table), settled, (roll, tied, agreed, times))
    first, second = tied
    mine, theirs = odds_table.of(roll, first, names[1:]), odds_table.of(roll, second, names[:1])
    pairs: dict[int, int] = {}
    for score, ways in mine:
        for other, other_ways in theirs:
            leads = (score > other) - (score < other)
            pairs[leads] = pairs.get(leads, 0) + ways * other_ways
    total, same = mine.total * theirs.total, pairs.get(0, 0)
    # After every roll that ties again there is another, and after the last one the order of naming holds.
    again = sum(same**tie * total ** (times - 1 - tie) for tie in range(times))
    ahead, behind = pairs.get(1, 0) * again + same**times, pairs.get(-1, 0) * again
    orders = {order: ways for order, ways in ((names, ahead), (names[::-1], behind)) if ways}
    return reduced(orders, total**times, bool(same) or mine.truncated or theirs.truncated)


vars(settled)["distribution"] = _settled_odds


def lined_up(
    scene: Scene,
    intent: Intent,
    outcome: Ordered,
    rule: str,
    ahead: Callable[[str, str], bool] = lambda new, other: False,
) -> Iterator[Event]:
    """The events that set the turn order and the scores. Fighters who join come after those with the same score,
    unless `ahead(newcomer, other)` is true."""
    scores = dict(scene.scores)
    order = list(scene.order)
    rolled = dict(outcome.scores)
    groups = grouped(scene, intent)
    for leader in outcome.order:
        group = groups[leader]
        scores.update(dict.fromkeys(group, rolled[leader]))
        if scene.order:
            mine = rolled[leader]
            at = next(
                (
                    place
                    for place, other in enumerate(order)
                    if scores.get(other, 0) < mine or (scores.get(other) == mine and ahead(leader, other))
                ),
                len(order),
            )
            order[at:at] = group
        else:
            order += group
    yield from change(scene, "", "order", tuple(order), rule)
    yield from change(scene, "", "scores", scores, rule)


class LineUp:
    """The effects of a roll for the turn order: the order and the scores, and nothing else."""

    __slots__ = ("rule", "ahead")

    def __init__(self, rule: str, ahead: Callable[[Fighter, Fighter], bool]):
        self.rule = rule
        self.ahead = ahead
        """Whether a newcomer comes before another fighter with the same score."""

    def __call__(self, changes: Changes, intent: Intent, setup: Setup, outcome: Ordered) -> None:
        """Set the order and the scores."""
        scene = changes.scene

        def before(new: str, other: str) -> bool:
            return self.ahead(scene.fighters[new], scene.fighters[other])

        changes.add_events(lined_up(scene, intent, outcome, self.rule, before))


def following(scene: Scene, names: Iterable[str]) -> tuple[str, ...]:
    """Those of an order who are still there."""
    return tuple(name for name in names if name in scene.fighters and not scene.fighters[name].gone)
