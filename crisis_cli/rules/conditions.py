"""Actions that begin or end a condition of the actor, such as dropping prone, standing up or hiding."""

from __future__ import annotations

from ..engine.system import Action, Cost
from .requirements import has, lacks


def condition_action(
    title: str, rule: str, costs: tuple[Cost, ...], says: str, *, begins: str = "", ends: str = ""
) -> Action:
    """The row of an action that begins the condition `begins`, or ends `ends`; refused if it is on, or off, already."""
    requirement = lacks(begins, rule) if begins else has(ends, rule)
    sets = {begins: True} if begins else {ends: False}
    return Action(title, rule, costs=costs, requires=(requirement,), sets=sets, says=says)
