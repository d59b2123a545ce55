"""Luck: how much of it may be used, and the player who is asked for a point of it (2D20-8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...dice.table import Alternative
from ...engine.scene import Intent, Scene
from ...engine.system import refuse

if TYPE_CHECKING:
    from ...dice.table import Rule


def luck_of(scene: Scene, intent: Intent) -> int:
    """2D20-8: the Luck points that may be used, which must be there."""
    points, have = intent.get("luck", 0), scene.fighters[intent.actor].pools["luck"]
    if points < 0:
        refuse(intent, "--luck is a number from 0", "2D20-8", final=True)
    if points > have:
        refuse(intent, f"{intent.actor} has {have} Luck left, not {points}", "2D20-8", "use fewer: --luck N")
    return int(min(max(points, 0), have))


def asked_of(scene: Scene, intent: Intent) -> int:
    """2D20-8: the Luck points that the player can be asked about, who has said nothing of them (a crisis only)."""
    fighter = scene.fighters[intent.actor]
    asks = scene.open and fighter.player and intent.get("luck") is None
    return fighter.pools["luck"] if asks else 0


def given(
    table: Any,
    who: str,
    keeps: Rule,
    kept: tuple[Any, ...],
    rolls: Rule,
    rolled: tuple[Any, ...],
    gains: str = "",
) -> bool:
    """Whether a point is given for dice that have been seen; the rules tell 1 where that gains nothing, else 0.

    `keeps(table, *kept)` is letting the dice lie, `rolls(table, *rolled)` rolling them again.
    """
    keep = Alternative("keep", keeps, kept, gains=gains)
    luck = Alternative("luck", rolls, rolled, cost=1, spends="Luck", gains=gains)
    return bool(table.choose(who, (keep, luck)) is luck)
