"""Reactions: who may do something when it is not their turn, and what it costs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..values import NamedTuple
from .scene import Fighter, Intent, Scene


class Interrupted(NamedTuple):
    """The result of an action to which others reacted before its end."""

    success: bool | None
    """Whether the action succeeded; None if its outcome does not say."""
    total: int | None
    """The total of its roll; None if its outcome has none."""
    criticals: int
    """How many criticals it scored."""
    deed: Any
    """The outcome of the action itself, as far as it got."""
    others: tuple[Any, ...]
    """The outcomes of the reactions in their order, up to the one that put the actor out of the fight."""
    lost: bool
    """Whether the actor was put out of the fight before the action took effect."""

    @property
    def word(self) -> str:
        """The word for the outcome: "lost", or that of the action."""
        return "lost" if self.lost else getattr(self.deed, "word", "")


def recorded(outcome: Interrupted) -> Mapping[str, Any]:
    """An interrupted action as the record holds it: its parts by name."""
    return outcome._asdict()


class Reactions(NamedTuple):
    """How fighters react to an action in somebody else's turn, and what a reaction costs."""

    pool: str
    """The pool that a reaction is paid from."""
    rule: str
    """The rule that refusals and the record name."""
    price: int = 1
    """How much a reaction costs."""
    one_off: int = 1
    """How much of the pool everybody has outside a crisis, where nothing is charged."""
    mark: str = "reacted"
    """The mark of those who have reacted to the last action, and cannot do so again."""
    rolls: tuple[str, ...] = ()
    """The actions with dice that may be a reaction in the middle of another action; without dice all may."""
    keeps: tuple[str, ...] = ()
    """The marks with `Mark.lost_by` that a reaction does not clear."""
    record: Callable[[Interrupted], Mapping[str, Any]] = recorded
    """How the record holds an interrupted action."""

    def left(self, scene: Scene, fighter: Fighter) -> int:
        """How much a fighter has for reactions."""
        return fighter.pools.get(self.pool, 0) if scene.open else self.one_off

    def may(self, scene: Scene, fighter: Fighter) -> bool:
        """Whether a fighter may react to the action that has just been done."""
        return (
            bool(scene.round)
            and fighter.pools.get(self.pool, 0) >= self.price
            and not fighter.marks.get(self.mark)
        )


def ahead(scene: Scene, who: str, other: str) -> bool:
    """Whether someone reacts before somebody else: in the order of initiative; without one the other is first."""
    return who in scene.order and (
        other not in scene.order or scene.order.index(who) < scene.order.index(other)
    )


def announced(intent: Intent) -> list[tuple[str, str]]:
    """Who reacts to an action in the middle of it, and with what, as was said."""
    return [(who, action) for who, action in intent.get("answer", ())]
