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
    """The key of the weapon or item in use that says otherwise."""
    rule: str = ""
    """Where it is not the action's own."""


class Setup(NamedTuple):
    """What an action is about, boiled down."""

    dice: Any
    """A few hashable numbers: all that the dice need to know."""
    modifiers: tuple[Modifier, ...] = ()
    """The modifiers of its rolls, which `--explain` shows: `lines_of(...)`."""
    costs: tuple[Cost, ...] = ()
    """Costs beyond those of the action's row."""
    gear: str = ""
    """The weapon or thing in use, by its name on the sheet."""
    per_target: tuple[tuple[str, Any], ...] = ()
    """Where several are hit: for each the stake in which only that one's dice are thrown, for the odds;
    under no name the one in which nobody's are."""
    known: Any = None
    """What effects and outputs use beside that, so that they look nothing up again."""
    effect_dice: Any = None
    """The dice for the odds of all effects, where these need less: without what nobody chooses unasked."""
    whole_per_target: tuple[tuple[str, Any], ...] = ()
    """Where the stakes `per_target` leave out effects that cost no life, for speed: those that leave out none."""


class Charge(NamedTuple):
    """What a choice that was made on the way costs somebody: a reaction, a die spent on a roll that failed."""

    who: str
    costs: tuple[Cost, ...] = ()
    reaction: bool = False
    """Whether it is their reaction to the action (`System.reactions`)."""
    mark: str = ""
    """A mark of theirs that goes up by one."""
    rule: str = ""
    """The rule of that mark."""
