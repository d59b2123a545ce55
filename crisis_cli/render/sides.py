"""The order, marks and colours by which screens distinguish the sides: the player's own side comes first."""

from __future__ import annotations

from collections.abc import Iterable

from ..engine.scene import Scene
from .style import Ink

OWN, OTHER = "+", "×"
"""The marks before the names of one's own side and of all others."""
LOST, WON_BACK, OUT = "▼", "▲", "†"
"""The marks before life that is lost, life that is won back, and a fighter who is out of the fight."""


def own_side(scene: Scene) -> str:
    """The side of the first player's fighter; of the first fighter where the player has none."""
    sides = [one.side for one in scene.fighters.values() if one.player]
    return (sides or [one.side for one in scene.fighters.values()] or [""])[0]


def bearing(is_good: bool, who: str, scene: Scene) -> str:
    """The style of what is good or bad for a fighter: "good" or "bad" for the player's side, "bold" without it."""
    if who not in scene.fighters or not any(one.player for one in scene.fighters.values()):
        return "bold"
    return "good" if is_good == is_own(who, scene) else "bad"


def is_own(who: str, scene: Scene) -> bool:
    """Whether a fighter is on the side of the player's fighters."""
    return who in scene.fighters and scene.fighters[who].side == own_side(scene)


def is_played(who: str, scene: Scene) -> bool:
    """Whether a fighter is on a side with fighters of a player, or no side has any."""
    sides = {one.side for one in scene.fighters.values() if one.player}
    return not sides or (who in scene.fighters and scene.fighters[who].side in sides)


def by_side(names: Iterable[str], scene: Scene) -> list[str]:
    """The names with those of one's own side first, then side by side, else in the order given."""
    own = own_side(scene)
    sides = [own, *dict.fromkeys(one.side for one in scene.fighters.values() if one.side != own)]
    return sorted(names, key=lambda name: sides.index(scene.fighters[name].side))


def marked_name(name: str, scene: Scene, ink: Ink, width: int, fallen: bool) -> str:
    """The mark of a fighter's side and the name, filled up to `width`; in the colour of the side, or dim."""
    own = is_own(name, scene)
    style = "dim" if fallen else "cyan" if own else "magenta"
    return ink(style, f"{OWN if own else OTHER} {ink.padded(name, width)}")
