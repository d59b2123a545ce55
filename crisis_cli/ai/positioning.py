"""How well a fighter is placed: what it could do from there, what could be done to it, and the place alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from ..engine.scene import Intent, Scene
from . import pursuit

if TYPE_CHECKING:
    from ..engine.scene import Fighter
    from .doctrine import Doctrine
    from .evaluation import Evaluator

LEAST = 0.0005
"""What is worth less than this is not worth doing."""
CLOSER, FARTHER = 0.004, 0.0005
"""What a step to where one can fight is worth, for each metre, and one farther off for who likes that."""
APART, STRAY = 3, 0.02
"""How many metres one may be from whom one protects, and what each step beyond that is worth less."""
COMFORT = {"melee": 1, "near": 5, "far": 40}
"""How many metres off its foe a doctrine likes to be, at most."""


class Viewpoint(Protocol):
    """A fighter that looks at its place: its doctrine, and the evaluator of its actions."""

    who: str

    @property
    def doctrine(self) -> Doctrine: ...

    @property
    def scales(self) -> Evaluator: ...

    def ward(self, scene: Scene) -> Fighter | None:
        """Whom the doctrine says to protect; None where there is nobody."""
        ...


class PositionValue(NamedTuple):
    """How well a fighter is placed."""

    reach: float
    """The worth of its best attack, had it everything to pay with."""
    threat: float
    """The weight of what its foes could do to it."""
    place: float


def standing(
    mind: Viewpoint,
    scene: Scene,
    wanted: Sequence[str],
    fears: Sequence[Intent],
    was: PositionValue | None = None,
    fresh: bool = False,
    since: Scene | None = None,
) -> PositionValue:
    """How well a fighter is placed; whether it could hurt anyone from where it `was` says what places are for.

    Foes follow who has stepped off `since`; and to be where nobody can be hurt is no shelter.
    """
    weigh = mind.doctrine.weigh
    reach = mind.scales.prospect(scene, mind.who, fresh=fresh).value
    if was and since and reach <= LEAST and pursuit.farther(mind.scales, since, scene, mind.who):
        threat = was.threat
    else:
        near = pursuit.followed(mind.scales, since, scene, mind.who, fears) if since else scene
        threat = weigh.suffered * mind.scales.threat(near, fears)
    return PositionValue(
        weigh.done * reach, threat, _place(mind, scene, wanted, was.reach if was else weigh.done * reach)
    )


def _place(mind: Viewpoint, scene: Scene, wanted: Sequence[str], reach: float) -> float:
    """What the place alone is worth: near enough to its foe and to whom it protects."""
    gap = _metres(mind, scene, wanted[0]) if wanted else None
    if gap is None:
        return 0.0
    liked = COMFORT.get(mind.doctrine.range, 0)
    worth = 0.0
    if reach <= LEAST or mind.doctrine.range in ("melee", "near"):
        worth = -CLOSER * max(0, gap - max(1, liked))
    elif mind.doctrine.range == "far":
        worth = FARTHER * min(gap, liked)
    ward = mind.ward(scene)
    apart = _metres(mind, scene, ward.name) if ward else None
    return worth - (STRAY * max(0, apart - APART) if apart is not None else 0.0)


def _metres(mind: Viewpoint, scene: Scene, other: str) -> float | None:
    apart = mind.scales.apart(scene, mind.who, other)
    return None if apart is None else apart * mind.scales.system.unit.metres
