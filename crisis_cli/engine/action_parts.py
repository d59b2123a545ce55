"""Parts of a row of actions: what concerns opponents, the texts, and the time outside the actor's turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from ..values import NamedTuple

if TYPE_CHECKING:
    from .changes import Changes
    from .scene import Intent, Scene
    from .setup import Cost


def no_upgrades(scene: Scene, intent: Intent) -> Iterable[Intent]:
    """The variants of an action that has none."""
    return ()


class Opponents(NamedTuple):
    """What opponents need to know of an action to choose it; odds and hints offer it by the same values."""

    candidates: Callable[[Scene, str], Iterable[Intent]] | None = None
    """Intents worth considering for a fighter; None: the action alone. Of an action on "one" target those on a fighter
    hang on nobody else: the scene may hold only the two."""
    upgrades: Callable[[Scene, Intent], Iterable[Intent]] = no_upgrades
    """For a candidate, the variants that cost more, such as aiming first or buying dice."""
    considered: bool = True
    """Whether opponents consider the action; False for what only the player can judge."""


class Says(NamedTuple):
    """The texts for an action: its sentence, and the words for its outcome."""

    sentences: str | Mapping[str, str] = ""
    """The sentence for it, with {actor}, {target}, {gear}, {skill}; or several by variant: the kind or type of the
    weapon, "unarmed", "self" (the actor is the target), "many" (several targets), "bare" (no thing in use; with a
    variant "self:bare"), "paid" (a cost paid over several turns), "" for the rest."""
    words: tuple[str, str] | None = None
    """The words for success and failure in the record; None: the outcome has a `word` of its own."""
    counts: str = ""
    """What the `total` of the outcome is, in odds: `hits`, `successes`; empty: as the outcome's `counted` says."""


class OutOfTurn(NamedTuple):
    """When an action is allowed outside the actor's turn, and what is different then."""

    allowed: Callable[[Scene, Intent], bool] = lambda scene, intent: False
    """Whether it is allowed now outside the actor's turn, for a reason other than `ready_rule`, such as overwatch."""
    costs: tuple[Cost, ...] | None = None
    """Its costs out of turn, if they differ; also in turn, if it was readied and `ready_in_turn` is set."""
    effects: Callable[[Changes, Intent], None] | None = None
    """Further effects when it is taken out of turn: they use up what allowed it."""
    ready_rule: str = ""
    """The rule that lets it be readied and then taken once out of turn; empty: it cannot be readied."""
    ready_in_turn: bool = False
    """Whether, readied, it can be set off in the actor's own turn too, at `costs`."""
