"""Chances and exact distributions, as values that a program can go on with."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Any

from ..render.chances import exact, spellable
from .said import MOST, whole_number

if TYPE_CHECKING:
    from ..dice.distribution import Distribution
    from ..engine.action_odds import ActionOdds
    from ..engine.ranking import RankedAction
    from ..engine.record import Modifier
    from ..engine.scene import Intent, Scene
    from ..engine.system import System


class Chance(float):
    """A probability, from 0 to 1: a float, which also holds the exact fraction where there is one."""

    exact: Fraction | None = None
    """The probability as a fraction; None where chains of dice were cut short, or it is too long to spell."""

    @classmethod
    def of(cls, ways: int, total: int, is_truncated: bool = False) -> Chance:
        """So many ways of all."""
        chance = cls(ways / total)
        chance.exact = None if is_truncated or not spellable(total) else Fraction(ways, total)
        return chance

    def __repr__(self) -> str:
        return f"Chance({float(self)!r})"


class Odds:
    """An exact distribution of whole numbers; it iterates over pairs (value, `Chance`), the least value first."""

    def __init__(self, distribution: Distribution, title: str, record: Callable[[], dict[str, Any]]):
        self.distribution = distribution
        self.title = title
        """What it is the distribution of."""
        self._record = record

    def __iter__(self) -> Iterator[tuple[int, Chance]]:
        total, is_rough = self.distribution.total, not exact(self.distribution)
        for value, ways in sorted(self.distribution):
            yield value, Chance.of(ways, total, is_rough)

    @property
    def mean(self) -> float:
        """The number to be expected."""
        return self.distribution.mean()

    @property
    def sd(self) -> float:
        """The standard deviation."""
        return self.distribution.deviation()

    def at_least(self, number: int) -> Chance:
        """The chance of this number or a higher one."""
        limit = whole_number(number, -MOST)
        return self._chance(lambda value: value >= limit)

    def at_most(self, number: int) -> Chance:
        """The chance of this number or a lower one."""
        limit = whole_number(number, -MOST)
        return self._chance(lambda value: value <= limit)

    def equal(self, number: int) -> Chance:
        """The chance of just this number."""
        limit = whole_number(number, -MOST)
        return self._chance(lambda value: value == limit)

    def _chance(self, passes: Callable[[int], bool]) -> Chance:
        return Chance.of(*self.distribution.chance(passes), self.distribution.truncated)

    def to_dict(self) -> dict[str, Any]:
        """The distribution as `crisis odds --json` prints it."""
        return self._record()

    def __repr__(self) -> str:
        return f"<Odds of {self.title}: mean {self.mean:.4g}, sd {self.sd:.4g}>"

    def _repr_html_(self) -> str:
        pairs = list(self)
        most = max(chance for _, chance in pairs)
        rows = "".join(
            f"<tr><td>{value}</td><td>{100 * chance:.2f}&nbsp;%</td><td><div style='background:#47a;height:.8em;"
            f"width:{200 * chance / most:.0f}px'></div></td></tr>"
            for value, chance in pairs
        )
        return f"<table><caption>{escape(self.title)}, mean {self.mean:.4g}</caption>{rows}</table>"


class Comparison:
    """Two rolls beside each other: how likely the first one is higher, both are equal, the first one is lower."""

    def __init__(self, ways: tuple[int, int, int], is_truncated: bool, record: Callable[[], dict[str, Any]]):
        self.wins, self.ties, self.losses = (Chance.of(one, sum(ways), is_truncated) for one in ways)
        self._record = record

    def to_dict(self) -> dict[str, Any]:
        """The comparison as `crisis odds EXPR --compare EXPR --json` prints it."""
        return self._record()

    def __repr__(self) -> str:
        return f"<Comparison: wins {self.wins:.4f}, ties {self.ties:.4f}, losses {self.losses:.4f}>"


class Chances:
    """The exact odds of an action."""

    def __init__(self, odds: ActionOdds, system: System):
        self._odds = odds
        self._system = system

    @property
    def success(self) -> Chance | None:
        """The chance that the action succeeds; None where it can neither succeed nor fail."""
        return None if self._odds.success is None else Chance.of(*self._odds.success, self._odds.truncated)

    @property
    def down(self) -> dict[str, Chance]:
        """For each fighter the chance to go down."""
        return {who: Chance.of(*ways, self._odds.truncated) for who, ways in self._odds.down.items()}

    @property
    def conditions(self) -> dict[str, dict[str, Chance]]:
        """For each fighter the chance that a condition begins."""
        return {
            who: {
                what.removeprefix("condition:"): Chance.of(*level.begins, self._odds.truncated)
                for what, level in levels.items()
                if what.startswith("condition:") and level.begins[0]
            }
            for who, levels in self._odds.levels.items()
        }

    @property
    def effects(self) -> Mapping[str, Mapping[str, Odds]]:
        """For each fighter or side, and pool, the distribution of its change in points: what it will be less what it
        is."""
        from ..render.chances import weighed

        return {
            who: {
                pool: Odds(change, f"{who}'s {pool}", partial(weighed, change))
                for pool, change in pools.items()
            }
            for who, pools in self._odds.effects.items()
        }

    @property
    def modifiers(self) -> tuple[Modifier, ...]:
        """The modifiers of the rolls, with their rules."""
        return self._odds.modifiers

    def to_dict(self) -> dict[str, Any]:
        """The odds as `crisis odds VERB --json` prints them."""
        from ..render import bars

        return bars.forecast_record(self._odds, self._system)

    def __str__(self) -> str:
        from ..render import bars
        from ..render.style import Ink
        from .results import WIDTH

        return "\n".join(bars.forecast(self._odds, self._system, Ink(), WIDTH))

    def __repr__(self) -> str:
        success = "" if self.success is None else f": success {self.success:.4f}"
        return f"<Chances of {self._odds.intent.action}{success}>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


class Ranked:
    """Something that a fighter can do now, with its exact odds, and its place among all that it can do."""

    def __init__(self, rank: int, action: RankedAction, scene: Scene, system: System):
        self.rank = rank
        """Its place, from 1, the best."""
        self._action, self._scene, self._system = action, scene, system

    @property
    def line(self) -> str:
        """The action as it is typed at the prompt."""
        from ..render.command_text import typed

        return typed(self._scene, self.intent)

    @property
    def intent(self) -> Intent:
        """The action, as `answer` takes it."""
        return self._action.legal.intent

    @property
    def costs(self) -> dict[str, int]:
        """What it costs the fighter, by pool."""
        return dict(self._action.legal.costs)

    @property
    def success(self) -> Chance | None:
        """The chance that it succeeds; None where it can neither succeed nor fail, or takes too long to work out."""
        odds = self._action.odds
        return None if odds is None or odds.success is None else Chance.of(*odds.success, odds.truncated)

    @property
    def points(self) -> float | None:
        """Points that foes lose and friends gain on average, less what friends lose and foes gain; None without
        odds."""
        return self._action.points if self._action.odds else None

    @property
    def worth(self) -> float | None:
        """How much nearer it brings foes to defeat, and friends away from it, for each turn that is spent on it; None
        without odds."""
        return self._action.worth if self._action.odds else None

    def to_dict(self) -> dict[str, Any]:
        """The row as `crisis odds --json` prints it, without plans."""
        from ..render.ranking import record

        return record(self.rank, self._action, self._scene, self._system)

    def __repr__(self) -> str:
        success = "" if self.success is None else f", success {100 * self.success:.1f} %"
        worth = "without odds" if self.worth is None else f"worth {self.worth:.2f}"
        return f"<{self.rank}. {self.line}: {worth}{success}>"
