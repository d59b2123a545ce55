"""Rules in steps, so that the reactions of others fall between them, dice and all (POOL-14)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class Steps(NamedTuple):
    """A rule in three steps: what the actor rolls, what the target does about it, and what comes of it."""

    roll: Callable[[Any, Any], Any]
    """Given the table and the stake."""
    react: Callable[[Any, Any, Any], Any]
    """Given besides what was rolled: the target's own reaction, None where there is none."""
    rest: Callable[[Any, Any, Any, Any], Any]
    """Given besides what the target did."""

    def __call__(self, table: Any, stake: Any) -> Any:
        """One step after the other."""
        rolled = table.ask(self.roll, stake)
        return table.ask(self.rest, stake, rolled, table.ask(self.react, stake, rolled))


def one_step(rule: Callable[[Any, Any], Any]) -> Steps:
    """A rule that has no more dice once the actor has rolled."""
    return Steps(rule, _nothing, _as_it_is)


def _nothing(table: Any, stake: Any, rolled: Any) -> None:
    return None


def _as_it_is(table: Any, stake: Any, rolled: Any, faced: Any) -> Any:
    return rolled
