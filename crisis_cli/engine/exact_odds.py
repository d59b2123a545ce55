"""What exact odds and simulated fights may leave out of an action, declared on its row."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from ..values import NamedTuple

if TYPE_CHECKING:
    from ..dice.rule_table import Rule
    from .scene import Scene


class ExactOdds(NamedTuple):
    """How the odds of an action are worked out quicker than by its whole rule; without it they are only slower."""

    effect_key: Callable[[Any], Any] = lambda outcome: outcome
    """The outcome without what `effects` does not read. Odds compute the effects once for equal parts."""
    targets: Callable[[Any], Iterable[str]] = lambda dice: ()
    """The names of all that the dice hit, in their order, where `part` works out what becomes of each alone."""
    part: Rule[Any] | None = None
    """The rule of what becomes of one of the `targets`: `part(table, dice, who, lives)`. It may leave out all that does
    not change this target, and with `lives` what costs it no pool. Under no name it is the rule of all the rest: of the
    outcome's `success` and numbers too, which are left out where they hang on the targets."""
    unasked: Callable[[Scene, Any], Any] = lambda scene, dice: dice
    """The dice for `part`, in which no player is asked anything; the scene tells what else it must know."""
    by_fighter: bool = False
    """Of a phase of a round without dice: whether what it does to a fighter depends on no other fighter. Simulated
    fights are quicker then."""
