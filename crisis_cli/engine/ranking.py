"""The options of a fighter, each with its exact odds, best first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..dice.distribution import OddsTable
from ..dice.effort import BUDGET, Effort
from ..errors import Refused, TooWide
from ..values import NamedTuple
from .action_odds import ActionOdds, action_odds, harm_of
from .events import plain
from .legal_actions import LegalAction, allowed, of, upgrades
from .scene import Fighter, Intent, Scene
from .validate import prepare

if TYPE_CHECKING:
    from ..dice.distribution import Policy
    from .system import System

MOST = 60
"""Odds that are worked out for one ranking; what comes after them is listed without."""
MAX_PATHS = 20_000
"""Most paths of one action in a ranking; actions that need more are listed without odds."""
NEXT = "next"
"""The end of the turn, which no rulebook has a row for."""
FREE = 0.1
"""The share of a turn that what costs nothing is taken to use up."""


def odds_table_for(policy: Policy) -> OddsTable:
    """The odds table of rankings, in which what takes long is listed without odds."""
    return OddsTable(policy, MAX_PATHS, limit=BUDGET / 2)


class Beside(NamedTuple):
    """What an option buys: a thing to do compared with a cheaper one that differs from it in one option alone."""

    option: str
    other: Any
    """The value of that option there; None where it is not given."""
    success: float | None
    """How much likelier it is to succeed, from −1 to 1."""
    points: float
    """How much more it does on average."""
    costs: tuple[tuple[str, int], ...]
    """What it costs more, by pool."""


class RankedAction(NamedTuple):
    """One option, with its odds and its points."""

    legal: LegalAction
    odds: ActionOdds | None
    """Its odds; None if it has none."""
    without: str = ""
    """Why there are none: "wide" where they take too long, "later" where it is paid over several turns."""
    points: float = 0.0
    """Points that foes lose and friends gain on average, less what friends lose and foes gain."""
    fells: float = 0.0
    """The highest chance to defeat a foe."""
    worth: float = 0.0
    """How much nearer it brings foes to defeat, and friends away from it, for each turn that is spent on it."""
    alike: tuple[tuple[str, ...], ...] = ()
    """Other targets for which the odds are the same."""
    beside: Beside | None = None
    leads: bool = False
    """Whether the option stands first whatever its worth."""

    @property
    def success(self) -> float | None:
        """The chance that it succeeds; None where it can neither succeed nor fail."""
        if self.odds is None or self.odds.success is None:
            return None
        return self.odds.success[0] / self.odds.success[1]


def ranked(
    system: System,
    scene: Scene,
    who: str,
    odds_table: OddsTable,
    candidates: Iterable[LegalAction] | None = None,
    leads: Intent | None = None,
) -> list[RankedAction]:
    """All actions possible for a fighter now: the one that leads, or the end of the turn where that does; the others by
    worth, then by the chance to defeat, then as listed."""
    found: dict[str, RankedAction] = {}
    odds_table.effort = Effort(2 * BUDGET)
    candidates = _all(system, scene, who) if candidates is None else candidates
    if leads is not None:
        candidates = [*allowed(system, scene, leads), *(one for one in candidates if one.intent != leads)]
    for one in candidates:
        key = _key(system, scene, one)
        if key in found:
            same = found[key]
            found[key] = same._replace(alike=(*same.alike, one.intent.targets))
        else:
            found[key] = _weighed(system, scene, one, odds_table, len(found) < MOST)
    odds_table.effort = None
    entries = [one._replace(beside=_beside(one, found.values())) for one in found.values()]
    best = max((one.worth for one in entries), default=0.0)
    entries = [one._replace(worth=one.worth or best * _earned(system, scene, one)) for one in entries]
    if leads is not None and leads.action == NEXT:
        entries.append(RankedAction(LegalAction(leads, "turn", ()), None))
    entries = [one._replace(leads=one.legal.intent == leads) for one in entries]
    return sorted(
        entries, key=lambda one: (not one.leads, -round(one.worth, 9), -one.fells, one.odds is None)
    )


def _all(system: System, scene: Scene, who: str) -> list[LegalAction]:
    """All that somebody could do, and what could be bought with it: that last, where the odds take too long."""
    plain = list(of(system, scene, who))
    return plain + [more for one in plain for more in upgrades(system, scene, one)]


def _key(system: System, scene: Scene, one: LegalAction) -> str:
    """What makes two things to do the same: all that the rule is asked, but for who it is done to."""
    names = {name: f"<{at}>" for at, name in enumerate(one.intent.targets)}

    def unnamed(value: Any) -> Any:
        if isinstance(value, list):
            return [unnamed(part) for part in value]
        return names.get(value, value) if isinstance(value, str) else value

    prepared = prepare(system, scene, one.intent)
    stake = unnamed(plain(prepared.row.odds.unasked(scene, prepared.setup.dice)))
    targets = [_state(scene.fighters[name]) for name in one.intent.targets]
    return repr((one.intent.action, one.intent.options, one.costs, stake, targets))


def _state(one: Fighter) -> Any:
    """All of a fighter that decides what becomes of it, but for the name."""
    return one.side, one.sheet, one.pools, one.conditions, one.marks


def _weighed(
    system: System, scene: Scene, one: LegalAction, odds_table: OddsTable, affordable: bool
) -> RankedAction:
    if not affordable:
        return RankedAction(one, None, "wide")
    try:
        odds = action_odds(system, scene, one.intent, odds_table)
    except TooWide:
        return RankedAction(one, None, "wide")
    except Refused:
        return RankedAction(one, None, "later")
    side = scene.fighters[one.intent.actor].side
    points = nearer = 0.0
    for who, lost in losses(system, odds).items():
        if who in scene.fighters:
            sign = 1 if scene.fighters[who].side != side else -1
            ways, total = odds.down.get(who, (0, 1))
            points += sign * lost
            nearer += sign * (lost / left(system, scene.fighters[who]) + ways / total)
    foes = (ways / total for who, (ways, total) in odds.down.items() if scene.fighters[who].side != side)
    worth = nearer / share(system, scene.fighters[one.intent.actor], one)
    return RankedAction(one, odds, "", points, max(foes, default=0.0), worth)


def _earned(system: System, scene: Scene, one: RankedAction) -> float:
    """How many actions like it an action pays for on average, by what it earns for the side of the actor."""
    side = scene.fighters[one.legal.intent.actor].side
    gains = one.odds.effects.get(side, {}) if one.odds else {}
    sources = ((system.pools[pool].made_of, cost) for pool, cost in one.legal.costs if pool in system.pools)
    shares = (
        gains[made.pool].mean() / made.takes * made.gives / cost
        for made, cost in sources
        if made and made.pool in gains and cost > 0
    )
    return max((0.0, *shares))


def losses(system: System, odds: ActionOdds) -> dict[str, float]:
    """The points that each fighter loses on average in the pools that harm is measured by (`harm_of`)."""
    return {
        who: sum(harm_of(system, pool, distribution.mean()) for pool, distribution in pools.items())
        for who, pools in odds.effects.items()
    }


def left(system: System, one: Fighter) -> float:
    """The points that a fighter has left in these pools, at least 1."""
    points = 0.0
    for pool, value in one.pools.items():
        _, high = one.limits.get(pool, (0, None))
        if high is not None and pool in system.pools:
            points += max(0, harm_of(system, pool, high - value if system.pools[pool].counts_up else -value))
    return max(1.0, points)


def share(system: System, one: Fighter, what: LegalAction) -> float:
    """The share of a turn that an action takes up."""
    shares = (
        amount / (one.full(pool) or 1)
        for pool, amount in what.costs
        if pool in system.pools and system.pools[pool].spent and amount > 0
    )
    return max(FREE, *shares, FREE)


def _beside(one: RankedAction, others: Iterable[RankedAction]) -> Beside | None:
    """The comparison with the nearest cheaper one from which it differs in one option."""
    intent, found = one.legal.intent, []
    for other in others:
        option = _differs(intent, other.legal.intent)
        dearer = _dearer(one, other)
        if option and dearer and one.odds and other.odds:
            success = None if one.success is None or other.success is None else one.success - other.success
            value = other.legal.intent.get(option)
            found.append(Beside(option, value, success, one.points - other.points, dearer))
    return min(found, key=lambda each: sum(amount for _, amount in each.costs), default=None)


def _differs(one: Intent, other: Intent) -> str:
    """The only option in which two intents differ; empty where it is none, several, or something else."""
    if one._replace(options={}) != other._replace(options={}):
        return ""
    keys = [key for key in {**one.options, **other.options} if one.get(key) != other.get(key)]
    return keys[0] if len(keys) == 1 and keys[0] not in ("weapon", "item", "thing") else ""


def _dearer(one: RankedAction, other: RankedAction) -> tuple[tuple[str, int], ...]:
    """What the one costs more than the other; nothing where it is cheaper in any pool."""
    mine, theirs = dict(one.legal.costs), dict(other.legal.costs)
    more = {pool: mine.get(pool, 0) - theirs.get(pool, 0) for pool in {**mine, **theirs}}
    return tuple((pool, by) for pool, by in more.items() if by) if min(more.values(), default=0) >= 0 else ()
