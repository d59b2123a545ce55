"""What the rules allow, and what it costs, before any die falls."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from ..errors import Refused, Usage
from .cost import Payment, payment
from .scene import Intent, Scene, slug

if TYPE_CHECKING:
    from .system import Action, Setup, System


class Prepared(NamedTuple):
    """An action that the rules allow, before any die falls."""

    row: Action
    setup: Setup
    payment: Payment
    forced: tuple[str, ...] = ()


def prepare(system: System, scene: Scene, intent: Intent) -> Prepared:
    """What is to be thrown for, and paid; Refused where the rules do not allow it."""
    row = row_of(system, intent.action)
    _known(scene, intent, row)
    if not intent.get("force"):
        _permitted(system, scene, intent, row)
        for requirement in row.requires:
            requirement(scene, intent)
        setup = row.setup(scene, intent)
        return Prepared(row, setup, payment(system, scene, intent, row, setup))
    forced = tuple(_overridden(system, scene, intent, row))
    setup = row.setup(scene, intent)
    return Prepared(row, setup, payment(system, scene, intent, row, setup), forced)


def _known(scene: Scene, intent: Intent, row: Action) -> None:
    """Usage where an intent is about something that is not on the actor's sheet; Refused where someone has left."""
    unknown = [name for name in (*intent.targets, intent.actor) if name and name not in scene.fighters]
    if unknown:
        raise Usage(f"no fighter here is called {unknown[0]!r}", hint=f"here are {', '.join(scene.fighters)}")
    gone = [name for name in (*intent.targets, intent.actor) if name and scene.fighters[name].gone]
    if gone and row.window != "table":
        raise Refused(
            f"{gone[0]} has left the crisis",
            hint=f"crisis join {slug(gone[0])} brings it back",
            final=True,
        )
    for option, listed in (("weapon", "weapons"), ("item", "items"), ("thing", row.gear)):
        named = intent.get(option)
        things = scene.fighters[intent.actor].carried(listed) if intent.actor else {}
        if named and named not in (*things, "unarmed", "shield"):
            raise Usage(
                f"{intent.actor} has no weapon or item called {named!r}",
                hint=f"there is: {', '.join(things) or 'nothing'}",
            )


def _overridden(system: System, scene: Scene, intent: Intent, row: Action) -> Iterator[str]:
    """What would have been refused, had the GM not forced it: for the log (ALL-7)."""
    meek = intent._replace(options={key: value for key, value in intent.options.items() if key != "force"})
    checks: tuple[Callable[[], object], ...] = (
        lambda: _permitted(system, scene, meek, row),
        *(partial(requirement, scene, meek) for requirement in row.requires),
        lambda: payment(system, scene, meek, row, row.setup(scene, intent)),
        lambda: row.setup(scene, meek),
    )
    for tried in checks:
        try:
            tried()
        except Refused as refusal:
            if refusal.about.get("final"):
                raise
            yield refusal.message


def row_of(system: System, action: str) -> Action:
    """The row of an action; Usage with the rows there are where there is none."""
    row = system.actions.get(action)
    if row is None:
        from difflib import get_close_matches

        near = get_close_matches(action, system.actions, n=1)
        raise Usage(
            f"{system.name} has no action called {action!r}"
            + (f" (did you mean {near[0]}?)" if near else ""),
            hint=f"there are: {', '.join(one for one, row in system.actions.items() if row.window != 'table')}",
            code="unknown_action",
        )
    return row


UNREACTIVE = ("none", "best", "ask")
"""What `--react` may say of any attack."""


def _permitted(system: System, scene: Scene, intent: Intent, row: Action) -> None:
    _several(system, intent, row)
    react = intent.get("react", "none")
    if react not in (*UNREACTIVE, *row.reactions):
        answers = ", ".join(row.reactions) or "nothing"
        raise Refused(
            f"{intent.action} in {system.name} cannot be answered with {react} ({row.rule_id})",
            hint=f"it can be answered with: {answers}",
            rule=row.rule_id,
        )
    if row.window == "table":
        return
    fighter = scene.fighters[intent.actor]
    if row.targets in ("one", "many", "ally") and intent.actor in intent.targets:
        raise Refused(f"{intent.actor} would {intent.action} {intent.actor}", hint="to do it anyway: --force")
    if fighter.yielded:
        hint = f"if it fights on: crisis set {slug(fighter.name)} yielded off"
        raise Refused(f"{fighter.name} has surrendered", hint=hint, code="yielded")
    why, rule = system.idle(fighter)
    if why:
        raise Refused(
            f"{fighter.name} is {why} and cannot act ({rule})",
            hint="end the turn: crisis next" if scene.open else "",
            rule=rule,
        )
    if (
        scene.open
        and row.window == "turn"
        and intent.actor not in scene.acting
        and not row.is_released(scene, intent)
    ):
        turn = f"it is {scene.turn}'s turn" if scene.turn else "no turn has begun"
        raise Refused(
            f"{turn}, not {fighter.name}'s; {intent.action} is for one's own turn ({row.rule_id})",
            hint="end the turn: crisis next; to override: --force",
            rule=row.rule_id,
            code="not_their_turn",
        )


def _several(system: System, intent: Intent, row: Action) -> None:
    most = {"none": 0, "one": 1, "ally": 1, "patient": 1}.get(row.targets, len(intent.targets))
    if len(intent.targets) > most:
        what = "takes no target" if not most else "takes one target"
        raise Refused(
            f"{intent.action} in {system.name} {what}, not {len(intent.targets)} ({row.rule_id})",
            hint="name one target per action" if most else "",
            rule=row.rule_id,
            final=True,
        )
    if row.targets in ("one", "many", "ally") and not intent.targets and intent.get("at") is None:
        raise Refused(f"{intent.action} needs a target ({row.rule_id})", rule=row.rule_id, final=True)
