"""Actions in phases: what the actor rolls, what the target does about it, what is left of it in the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..values import NamedTuple

if TYPE_CHECKING:
    from ..dice.rule_table import RuleTable
    from .scene import Intent, Scene
    from .setup import Setup


class Phase(NamedTuple):
    """One part of an action, set up when it comes about: others may have reacted by then."""

    setup: Callable[[Scene, Intent, tuple[Setup, ...]], Setup]
    """Given the scene as it is by then, the intent, and the setups of the phases before."""
    rule: Callable[..., Any]
    """`rule(table, dice, *answers)`: its own dice, and the answers of the phases before."""
    by: str = "actor"
    """Who acts in it: "actor", or "target", whose turn to react comes in the order of initiative."""


def last_answer(*answers: Any) -> Any:
    """The outcome of an action whose last phase says it all."""
    return answers[-1]


class Phased(NamedTuple):
    """The rule of an action in phases that nobody interrupts: one phase after the other."""

    phases: tuple[Phase, ...]
    result: Callable[..., Any]
    """The outcome, given the answers of the phases; of the first ones alone where the action is lost after them."""

    def __call__(self, table: RuleTable, dice: tuple[Any, ...]) -> Any:
        """`dice` has those of each phase."""
        answers: tuple[Any, ...] = ()
        for phase, own in zip(self.phases, dice, strict=True):
            answers += (table.ask(phase.rule, own, *answers),)
        return self.result(*answers)


def in_one(setups: tuple[Setup, ...]) -> Setup:
    """The setups of all phases as one, with the dice of each."""
    return setups[0]._replace(
        dice=tuple(one.dice for one in setups),
        modifiers=tuple(line for one in setups for line in one.modifiers),
    )
