"""Readied actions: prepared in the actor's own turn, and taken once outside it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..engine.changes import Changes
from ..engine.scene import Intent, Scene, slug
from ..engine.system import READIED, Action, Cost, Opponents, Says, Setup, refuse
from .requirements import in_crisis

TRIGGERS = ("any", "reach", "range:N", "attacks:NAME")
"""What an action can be readied for, as `--when` spells it."""


def ready_action(
    title: str, rule: str, able: tuple[str, ...], costs: tuple[Cost, ...], lasts: int = 1, says: str = ""
) -> Action:
    """The row of `ready`: prepare one of the actions `able`, to be taken once out of turn. It sets the mark
    `readied:ACTION` to `lasts`.

    The rows of these actions give their `ready_rule`. Taking the action clears the mark.
    """

    def setup(scene: Scene, intent: Intent) -> Setup:
        action = intent.get("deed") or ""
        can = f"it can be one of {', '.join(able)}"
        if action not in able:
            what = f"{action} cannot be readied" if action else f"{intent.actor} readies what?"
            refuse(intent, what, rule, f"{can}: crisis act ready attack", final=True, code="cannot_ready")
        kind, _, value = (intent.get("when") or "any").partition(":")
        known = {"any": not value, "reach": not value, "range": value.isdecimal()}
        if kind == "attacks" and slug(value) not in map(slug, scene.fighters):
            what, here = f"no fighter here is called {value!r}", ", ".join(map(slug, scene.fighters))
            refuse(intent, what, rule, f"here are {here}", final=True, code="unknown_name")
        if kind != "attacks" and not known.get(kind):
            what, hint = f"{intent.get('when')} is no trigger", f"--when is one of {', '.join(TRIGGERS)}"
            refuse(intent, what, rule, hint, final=True, code="bad_value")
        return Setup(action)

    def effects(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
        changes.clear_marks(intent.actor, rule, READIED)
        changes.mark(intent.actor, READIED, lasts, rule, key=setup.dice)

    def candidates(scene: Scene, who: str) -> Iterator[Intent]:
        return (Intent("ready", who, (), {"deed": action}) for action in able)

    return Action(
        title,
        rule,
        setup,
        effects,
        costs=costs,
        ai=Opponents(candidates),
        options=("deed", "when"),
        requires=(in_crisis(rule),),
        says=Says(says),
    )
