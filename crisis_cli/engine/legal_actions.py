"""The legal actions of every fighter: used by completion, opponents and tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ..errors import CrisisError, RulebookMistake
from ..values import NamedTuple
from .events import SIDE
from .scene import Intent, Scene
from .validate import prepare

if TYPE_CHECKING:
    from .system import Action, System


class LegalAction(NamedTuple):
    """One legal action, with its window and its costs."""

    intent: Intent
    window: str
    """"turn": in the actor's own turn; "out": outside it; "any": at any time."""
    costs: tuple[tuple[str, int], ...]
    """What it takes now, by pool of the fighter or of its side."""


class Barred(NamedTuple):
    """An action that is not allowed now, with its refusal."""

    action: str
    refusal: CrisisError


def barred(system: System, scene: Scene, who: str) -> Iterator[Barred]:
    """Every action that a fighter may not take now, with the refusal of its first candidate, or of the first that only
    cannot be paid."""
    can = {one.intent.action for one in of(system, scene, who)}
    foes = [foe.name for foe in scene.foes(who) if not system.fallen(foe)]
    for action, row in system.actions.items():
        ways = tuple(row.ai.candidates(scene, who)) if row.ai.candidates else ()
        # What can be done whenever, but only with words of the player's own, is never offered: nothing bars it.
        worded = row.window == "any" and row.ai.candidates and not ways
        if row.window == "table" or action in can or worded:
            continue
        targets = tuple(foes[:1]) if row.targets in ("one", "many") else ()
        refusals = [_refusal(system, scene, way) for way in ways or (Intent(action, who, targets),)]
        bars = [one for one in refusals if one is not None]
        if bars:
            yield Barred(action, next((one for one in bars if one.code == "cannot_pay"), bars[0]))


def legal(system: System, scene: Scene) -> tuple[LegalAction, ...]:
    """Every legal action of every fighter in the crisis."""
    return tuple(
        one for name, fighter in scene.fighters.items() if not fighter.gone for one in of(system, scene, name)
    )


def of(
    system: System,
    scene: Scene,
    who: str,
    wanted: Callable[[Intent], bool] | None = None,
    rows: Callable[[Action], bool] | None = None,
    target: str | None = None,
) -> Iterator[LegalAction]:
    """The legal actions of one fighter, all or only those named in `wanted`, of some `rows`, on one first `target` (""
    for nobody)."""
    alone = scene if target is None else scene.among(who, target)
    for action, row in system.actions.items():
        if row.window == "table" or (rows is not None and not rows(row)):
            continue
        seen = alone if row.targets == "one" else scene
        for intent in row.ai.of(action, seen, who):
            if (
                not isinstance(intent, Intent)
                or isinstance(intent.targets, str)
                or intent.action not in system.actions
            ):
                raise _no_intent(system, action, intent)
            if (target is None or intent.target == target) and (wanted is None or wanted(intent)):
                yield from allowed(system, scene, intent)


def _no_intent(system: System, action: str, intent: object) -> RulebookMistake:
    """The mistake of candidates that are no intents, whose targets are one name, or of no action of the system."""
    row = system.actions[action]
    words: tuple[str, ...] = (system.name, action, "ai")
    said, way = type(intent).__name__, "write Intent(action, who, (foe.name,))"
    if isinstance(intent, Intent):
        said, words = f"Intent({intent.action!r}, who, {intent.targets!r})", (*words, intent.action)
        if intent.action not in system.actions:
            said, way = f"for {intent.action!r}, which is no action of {system.name}", f"write {action!r}"
    return RulebookMistake.in_function(
        row.ai.candidates, f"candidates of {row.title!r} are {said}: {way}", *words
    )


def unsuggested(system: System, scene: Scene, who: str, action: str) -> Iterator[LegalAction]:
    """An action as it is without targets and options, for one that suggests none; nothing if it is refused."""
    return allowed(system, scene, Intent(action, who))


def is_allowed(system: System, scene: Scene, intent: Intent) -> bool:
    """Whether the rules allow an action now."""
    return _refusal(system, scene, intent) is None


def is_near_enough(system: System, scene: Scene, intent: Intent) -> bool:
    """Whether the rules allow a move now, or forbid nothing of it but the bend on the way."""
    refusal = _refusal(system, scene, intent)
    return refusal is None or refusal.code == "bent_way"


def _refusal(system: System, scene: Scene, intent: Intent) -> CrisisError | None:
    """Why the rules do not allow an action now; None where they do."""
    try:
        prepare(system, scene, intent)
    except CrisisError as refusal:
        return refusal
    return None


def upgrades(system: System, scene: Scene, one: LegalAction) -> Iterator[LegalAction]:
    """The legal variants of an action that cost more, such as aiming first or buying dice."""
    for intent in system.actions[one.intent.action].ai.upgrades(scene, one.intent):
        yield from allowed(system, scene, intent)


def allowed(system: System, scene: Scene, intent: Intent) -> Iterator[LegalAction]:
    """The intent as a legal action, with its window and its costs; nothing if the rules forbid it."""
    try:
        prepared = prepare(system, scene, intent)
    except CrisisError:
        return
    who, window = intent.actor, prepared.row.window
    costs = tuple(
        (event.what, event.was - event.now)
        for event in prepared.payment.events
        if event.who in (who, SIDE + scene.fighters[who].side) and not event.what.startswith("mark:")
    )
    out = scene.open and window == "turn" and who not in scene.acting
    yield LegalAction(intent, "out" if out else window, costs)
