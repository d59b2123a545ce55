"""Movement and distance: the row of a move, the limit of its length, how far the target is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..engine.changes import Changes
from ..engine.scene import Fighter, Intent, Scene, slug
from ..engine.system import Action, Cost, Requirement, Says, Setup, no_effects, refuse
from ..engine.system_check import require_function
from ..engine.system_parts import Space

METRES = Space()
"""Space measured in metres, as systems have it that say nothing else."""


def target_distance(scene: Scene, intent: Intent, target: str = "") -> int | None:
    """The distance to a target, by default the first: that of `--range`, or else that between the positions; None if
    neither is known (ALL-4)."""
    said = intent.get("range")
    return scene.distance(intent.actor, target or intent.patient) if said is None else int(said)


def increments(distance: int | None, increment: int | None) -> int:
    """How many range increments the distance is beyond the first; 0 if the distance or the increment is unknown."""
    return -(-distance // increment) - 1 if distance and increment else 0


Length = Callable[[Scene, Sequence[float], Sequence[float]], int | None]
"""How far it is from one place to another by a kind of move; None where that kind does not lead there."""


def no_farther(
    scene: Scene,
    intent: Intent,
    most: int,
    rule: str,
    unit: str = "m",
    hint: str = "",
    length: Length = Scene.way,
) -> None:
    """Refuse a destination (`--to X,Y`) farther than `most` from the actor, or where `length` does not lead."""
    fighter, to = scene.fighters[intent.actor], intent.get("to")
    if to is None or fighter.at is None:
        return
    gap = length(scene, fighter.at, to)
    if gap is None:
        from ..engine.sight import refuse_bend

        refuse_bend(scene, intent, most, rule)
    elif gap > most and not scene.is_first_step(fighter.at, to, most):
        message = f"{fighter.name} can go {most} {unit} in one go; that is {gap} {unit} away"
        hint = hint.format(who=slug(fighter.name)) or "go part of the way"
        refuse(intent, message, rule, hint, code="out_of_reach")


def move_action(
    title: str,
    rule: str,
    pace: Callable[[Fighter], int],
    costs: tuple[Cost, ...],
    says: str,
    *,
    space: Space = METRES,
    requires: tuple[Requirement, ...] = (),
    hint: str = "",
    also: Callable[[Changes, Intent], None] = no_effects,
    length: Length = Scene.way,
) -> Action:
    """The row of a move without dice to `--to X,Y`, as far as `pace(fighter)` at most.

    `also(changes, intent)` changes anything else that a move changes; it is left out if the fighter stays where it is.
    `length` measures the way: `Scene.way` goes round obstacles, `Scene.straight` does not. `hint` goes with the
    refusal of a place that is too far away, and may use {who}.
    """

    require_function(title, "pace", pace, "fighter")

    def setup(scene: Scene, intent: Intent) -> Setup:
        most = pace(scene.fighters[intent.actor])
        no_farther(scene, intent, most, rule, space.unit, hint, length)
        return Setup(most, carried=most)

    def effects(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
        to = intent.get("to")
        stays = to is not None and tuple(to) == changes.before.fighters[intent.actor].at
        if to is not None:
            changes.move(intent.actor, to, rule)
        if not stays:
            also(changes, intent)

    def how_far(scene: Scene, intent: Intent, setup: Setup, outcome: Any) -> Mapping[str, Any]:
        here, to = scene.fighters[intent.actor].at, intent.get("to")
        if not (here and to):
            return {"most": setup.carried}
        gone = length(scene, here, to)
        return {space.moved: scene.way(here, to) if gone is None else gone}

    return Action(
        title,
        rule,
        setup,
        effects,
        costs=costs,
        outputs=how_far,
        options=("to",),
        requires=requires,
        says=Says(says),
    )
