"""Actions made ready in one's own turn and set off outside it: what the systems that have such a thing share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..engine.events import Event, change
from ..engine.scene import Intent, Scene
from ..engine.system import Action, Cost, Setup, refuse

READIED = "readied"
"""The mark of a readied action, `readied:ACTION`."""


def is_readied(scene: Scene, intent: Intent) -> bool:
    """Whether an action was made ready, so that it may be done out of turn."""
    return f"{READIED}:{intent.action}" in scene.fighters[intent.actor].marks


def set_off(scene: Scene, intent: Intent, rule: str) -> Iterator[Event]:
    """Out of turn what was ready is done once, and is not ready any more."""
    if intent.actor not in scene.acting:
        yield from change(scene, intent.actor, f"mark:{READIED}:{intent.action}", 0, rule)


def ready(title: str, rule: str, able: tuple[str, ...], costs: tuple[Cost, ...], lasts: int = 1) -> Action:
    """The row of making one of the `able` actions ready; its mark is set to `lasts`."""

    def stake(scene: Scene, intent: Intent) -> Setup:
        """One that can be readied; for later, and so only in a crisis."""
        deed = intent.get("deed") or ""
        can = f"it can be one of {', '.join(able)}"
        if deed not in able:
            what = f"{deed} cannot be readied" if deed else f"{intent.actor} readies what?"
            refuse(intent, what, rule, f"{can}: crisis act ready attack", final=True)
        if not scene.open:
            what = "an action is readied for later, in a crisis"
            refuse(intent, what, rule, "crisis init WHO… --open", final=True)
        return Setup(deed)

    def effects(scene: Scene, intent: Intent, deed: str, outcome: Any) -> Iterable[Event]:
        """Ready; another one readied before is given up."""
        for other in scene.fighters[intent.actor].marks:
            if other.startswith(READIED + ":") and other != f"{READIED}:{deed}":
                yield from change(scene, intent.actor, f"mark:{other}", 0, rule)
        yield from change(scene, intent.actor, f"mark:{READIED}:{deed}", lasts, rule)

    def candidates(scene: Scene, who: str) -> Iterator[Intent]:
        return (Intent("ready", who, (), {"deed": deed}) for deed in able)

    return Action(title, rule, stake, effects, costs=costs, candidates=candidates, options=("deed",))
