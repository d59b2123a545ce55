"""The order, marks and colours by which screens distinguish the sides: the player's own side comes first."""

from __future__ import annotations

from collections.abc import Iterable

from ..engine.scene import Scene
from .style import Ink

OWN, OTHER = "+", "×"
"""The marks before the names of one's own side and of all others."""


def own_side(scene: Scene) -> str:
    """The side of the first player's fighter; of the first fighter where the player has none."""
    sides = [one.side for one in scene.fighters.values() if one.player]
    return (sides or [one.side for one in scene.fighters.values()] or [""])[0]


def by_side(names: Iterable[str], scene: Scene) -> list[str]:
    """The names with those of one's own side first, then side by side, else in the order given."""
    own = own_side(scene)
    sides = [own, *dict.fromkeys(one.side for one in scene.fighters.values() if one.side != own)]
    return sorted(names, key=lambda name: sides.index(scene.fighters[name].side))


def marked_name(name: str, scene: Scene, ink: Ink, width: int, fallen: bool) -> str:
    """The mark of a fighter's side and the name, filled up to `width`; in the colour of the side, or dim."""
    is_own = scene.fighters[name].side == own_side(scene)
    style = "dim" if fallen else "cyan" if is_own else "magenta"
    return ink(style, f"{OWN if is_own else OTHER} {ink.padded(name, width)}")
