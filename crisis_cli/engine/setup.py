"""What an action is about before any die falls: what the dice need to know, and what it costs."""

from __future__ import annotations

from typing import Any

from ..values import NamedTuple
from .record import Modifier


class Cost(NamedTuple):
    """What an action takes from a pool of the fighter, or of the side."""

    pool: str
    """The pool by name, such as `actions` or `ammo:pistol`."""
    amount: int = 1
    """How many points it takes."""
    gear: str = ""
    """The key of the weapon or item in use that gives another amount; empty: none does."""
    rule: str = ""
    """The rule that takes it, if that is not the rule of the action."""


class Setup(NamedTuple):
    """What one use of an action needs to know of the scene; its dice and effects look nothing up again."""

    dice: Any
    """The few hashable values that the roll depends on: `rule(table, dice)` sees nothing else."""
    modifiers: tuple[Modifier, ...] = ()
    """The modifiers of its rolls, which `--explain` shows: `Modifiers.lines_of(...)`."""
    costs: tuple[Cost, ...] = ()
    """Costs beyond those of the action's row."""
    gear: str = ""
    """The weapon or thing in use, by its name on the sheet."""
    carried: Any = None
    """What effects and outputs need beside `dice`."""


class Charge(NamedTuple):
    """What a choice during an action costs somebody: a reaction, a die bought for a roll that failed."""

    who: str
    """The name of the fighter who pays."""
    costs: tuple[Cost, ...] = ()
    """What it takes from pools."""
    reaction: bool = False
    """Whether it is their reaction to the action (`System.reactions`)."""
    mark: str = ""
    """A mark of the fighter that goes up by 1; empty: none."""
    rule: str = ""
    """The rule of that mark."""
