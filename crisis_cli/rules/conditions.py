"""Actions that put the actor in a condition, or end one: lying down, getting up, hiding."""

from __future__ import annotations

from ..engine.system import Action, Cost
from .requirements import has, lacks


def condition_action(
    title: str, rule: str, costs: tuple[Cost, ...], says: str, *, begins: str = "", ends: str = ""
) -> Action:
    """The row of an action that begins a condition of the actor, refused where it is on, or ends one that is."""
    requirement = lacks(begins, rule) if begins else has(ends, rule)
    sets = {begins: True} if begins else {ends: False}
    return Action(title, rule, costs=costs, requires=(requirement,), sets=sets, says=says)
