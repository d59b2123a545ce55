"""When a fighter that plays itself has had enough, and what it does then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..engine.legal_actions import Legal
from ..engine.record import Entry
from ..engine.scene import Intent, Scene
from . import movement, resources
from .doctrine import Breaks
from .evaluation import Evaluator

SAFE, STEPS = 30, 8
"""So many metres from every foe, or so many steps on, a fighter that flees has left the field, whoever follows."""


class Broken(NamedTuple):
    """Why a fighter has had enough."""

    cause: str
    """"hurt", "fallen" or "outnumbered"."""
    number: int
    """Percent lost, percent of the side out of the fight, or foes for each of the side."""


def broken(scales: Evaluator, scene: Scene, who: str, breaks: Breaks) -> Broken | None:
    """Why a fighter breaks now; None where it fights on."""
    one = scene.fighters[who]
    if breaks.then == "fight":
        return None
    side = [other for other in scene.fighters.values() if other.side == one.side]
    up = sum(map(scales.bodies.stands, side))
    foes = sum(map(scales.bodies.stands, scene.foes(who)))
    seen = (
        Broken("hurt", int(100 * scales.bodies.lost(one))),
        Broken("fallen", 100 * (len(side) - up) // len(side)),
        Broken("outnumbered", foes // max(1, up)),
    )
    return next((why for why in seen if 0 < getattr(breaks, why.cause) <= why.number), None)


def way_out(
    scales: Evaluator, scene: Scene, who: str, then: str, candidates: Sequence[Legal], past: Sequence[Entry]
) -> tuple[str, Intent]:
    """What whoever breaks does next, and what it is called: gives up, leaves, runs, gets up to run, is cornered."""
    if then == "surrender":
        return "surrenders", Intent("yield", who, (who,))
    system, foes = scales.system, scales.foes(scene, who)
    leave = "leaves", Intent("leave", who, (who,))
    gaps = [scales.apart(scene, who, foe.name) for foe in foes]
    known = [gap for gap in gaps if gap is not None]
    if (
        not known
        or min(known) * system.unit.metres >= SAFE
        or _steps(who, past) >= STEPS
        or not any("to" in row.options for row in system.actions.values())
    ):
        return leave
    near = foes[gaps.index(min(known))]
    assert near.at is not None
    runs = [way for way in candidates if movement.is_way(system, scene, way)]
    gone = [(movement.away(system, scene, way.intent, near.at), way) for way in runs]
    far = [
        (resources.turn_share(system, scene.fighters[who], way), step.options["to"], step)
        for step, way in gone
        if step is not None
    ]
    if far:
        here = near.at
        # The way that takes it farthest for what it costs.
        best = max(far, key=lambda one: ((one[1][0] - here[0]) ** 2 + (one[1][1] - here[1]) ** 2, -one[0]))
        return "flees", best[2]
    for one in candidates:
        row = system.actions[one.intent.action]
        if runs or row.targets != "none" or "to" in row.options:
            continue
        if not movement.is_sure(system, scene, one.intent):
            continue
        up = movement.after(system, scene, one.intent)
        if up is not None and _could_go(scales, up, who):
            return "gets-up", one.intent
    return "cornered", Intent("next", who)


def _steps(who: str, past: Sequence[Entry]) -> int:
    """How often a fighter has run or found no way already."""
    mine = (entry.intent.get("reason") for entry in past if entry.intent.actor == who)
    return sum(isinstance(why, Mapping) and why.get("key") in ("flees", "cornered") for why in mine)


def _could_go(scales: Evaluator, scene: Scene, who: str) -> bool:
    from ..engine.legal_actions import of

    rested = resources.rested(scales.system, scene, who)
    return any(movement.is_way(scales.system, rested, one) for one in of(scales.system, rested, who))
