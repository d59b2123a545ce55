"""The value of a fighter's position: its best attack from there, the threats to it, and the place itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from ..engine.scene import Intent, Scene
from ..values import NamedTuple
from . import pursuit

if TYPE_CHECKING:
    from ..engine.scene import Fighter
    from .doctrine import Doctrine
    from .evaluation import Evaluator

MIN_VALUE = 0.0005
"""Choices with less value than this are not taken."""
APPROACH_VALUE, DISTANCE_VALUE = 0.004, 0.0005
"""Value per metre of coming into reach, and of keeping away for doctrines that prefer distance."""
PROTECT_DISTANCE, STRAY_COST = 3, 0.02
"""Metres allowed from the protected fighter, and the cost of each metre beyond."""
PREFERRED_DISTANCE = {"melee": 1, "near": 5, "far": 40}
"""Preferred distance from the foe in metres, by the `range` of a doctrine."""


class Viewpoint(Protocol):
    """The fighter whose position is valued, with its doctrine and evaluator."""

    who: str

    @property
    def doctrine(self) -> Doctrine: ...

    @property
    def evaluator(self) -> Evaluator: ...

    def protected_fighter(self, scene: Scene) -> Fighter | None:
        """The fighter it protects; None if there is none."""
        ...


class PositionValue(NamedTuple):
    """The value of a position in its three parts."""

    reach: float
    """The value of its best attack, if it had a full turn to pay with."""
    threat: float
    """The weighted value of what its foes could do to it."""
    place: float


def position_value(
    view: Viewpoint,
    scene: Scene,
    targets: Sequence[str],
    expected_attacks: Sequence[Intent],
    before: PositionValue | None = None,
    fresh: bool = False,
    previous_scene: Scene | None = None,
) -> PositionValue:
    """How well a fighter is placed; whether it could hurt anyone from where it `was` says what places are for.

    Foes follow who has stepped off `since`; and to be where nobody can be hurt is no shelter.
    """
    weigh = view.doctrine.weigh
    reach = view.evaluator.best_attack(scene, view.who, fresh=fresh).value
    if (
        before
        and previous_scene
        and reach <= MIN_VALUE
        and pursuit.is_farther(view.evaluator, previous_scene, scene, view.who)
    ):
        threat = before.threat
    else:
        near = (
            pursuit.scene_with_pursuit(view.evaluator, previous_scene, scene, view.who, expected_attacks)
            if previous_scene
            else scene
        )
        threat = weigh.suffered * view.evaluator.threat(near, expected_attacks)
    return PositionValue(
        weigh.done * reach,
        threat,
        _place_value(view, scene, targets, before.reach if before else weigh.done * reach),
    )


def _place_value(view: Viewpoint, scene: Scene, targets: Sequence[str], reach: float) -> float:
    """The value of the place itself: its distance from the foe and from the protected fighter."""
    gap = _metres(view, scene, targets[0]) if targets else None
    if gap is None:
        return 0.0
    liked = PREFERRED_DISTANCE.get(view.doctrine.range, 0)
    worth = 0.0
    if reach <= MIN_VALUE or view.doctrine.range in ("melee", "near"):
        worth = -APPROACH_VALUE * max(0, gap - max(1, liked))
    elif view.doctrine.range == "far":
        worth = DISTANCE_VALUE * min(gap, liked)
    protected = view.protected_fighter(scene)
    apart = _metres(view, scene, protected.name) if protected else None
    return worth - (STRAY_COST * max(0, apart - PROTECT_DISTANCE) if apart is not None else 0.0)


def _metres(view: Viewpoint, scene: Scene, other: str) -> float | None:
    apart = view.evaluator.distance_between(scene, view.who, other)
    return None if apart is None else apart * view.evaluator.system.unit.metres
