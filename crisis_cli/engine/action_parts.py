"""Parts of a row of actions: what concerns opponents, the texts, and the time outside the actor's turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ..values import NamedTuple
from .scene import UNARMED, Fighter, Intent, Scene

if TYPE_CHECKING:
    from .changes import Changes
    from .setup import Cost


def no_upgrades(scene: Scene, intent: Intent) -> Iterable[Intent]:
    """The variants of an action that has none."""
    return ()


def kind_of(weapon: Mapping[str, Any]) -> object:
    """The `kind` of a weapon, or its `type` on sheets that call it so."""
    return weapon.get("kind") or weapon.get("type")


class Opponents(NamedTuple):
    """What opponents need to know of an action to choose it; odds and hints offer the action by these values, too."""

    candidates: Callable[[Scene, str], Iterable[Intent]] | None = None
    """Intents worth considering for a fighter; None: the action alone. The conformance suite tries no others. Of an
    action on "one" target those on a fighter hang on nobody else: the scene may hold only the two."""
    upgrades: Callable[[Scene, Intent], Iterable[Intent]] = no_upgrades
    """For a candidate, the variants that cost more, such as aiming first or buying dice."""
    considered: bool = True
    """Whether opponents consider the action; False for what only the player can judge."""
    kinds: tuple[str, ...] = ()
    """The kinds of weapon that candidates are suggested for; a rulebook is refused if its sheets do not have one."""

    def of(self, action: str, scene: Scene, who: str) -> Iterable[Intent]:
        """The intents worth considering for a fighter: the candidates, or else the action alone."""
        return self.candidates(scene, who) if self.candidates else (Intent(action, who),)

    @classmethod
    def attacking(
        cls,
        action: str,
        *kinds: str,
        bare_hands: bool = False,
        upgrades: Callable[[Scene, Intent], Iterable[Intent]] = no_upgrades,
    ) -> Opponents:
        """For an attack: one intent for each foe and weapon in hand of these kinds.

        With `bare_hands`, a fighter with no such weapon in hand attacks with bare hands.
        """

        def candidates(scene: Scene, who: str) -> Iterator[Intent]:
            fighter = scene.fighters[who]
            weapons = fighter.sheet["weapons"]
            held = [one for one in fighter.held if one in weapons and kind_of(weapons[one]) in kinds]
            for name in held or ([UNARMED] if bare_hands else ()):
                for foe in scene.foes(who):
                    yield Intent(action, who, (foe.name,), {"weapon": name})

        return cls(candidates, upgrades, kinds=kinds)

    @classmethod
    def using(
        cls, action: str, fits: Callable[[Mapping[str, Any], Fighter], object] = lambda item, patient: True
    ) -> Opponents:
        """For an action with an item: one intent for each item and each fighter of the same side that it fits."""

        def candidates(scene: Scene, who: str) -> Iterator[Intent]:
            fighter = scene.fighters[who]
            for item, thing in fighter.sheet["items"].items():
                for patient in scene.of_side(fighter.side):
                    if fits(thing, patient):
                        yield Intent(action, who, (patient.name,), {"item": item})

        return cls(candidates)

    @classmethod
    def treating(cls, action: str, needs: Callable[[Fighter], bool] = lambda patient: True) -> Opponents:
        """For an action on a fighter of the same side: one intent for each who `needs` it."""

        def candidates(scene: Scene, who: str) -> Iterator[Intent]:
            side = scene.of_side(scene.fighters[who].side)
            return (Intent(action, who, (one.name,)) for one in side if needs(one))

        return cls(candidates)

    @classmethod
    def on_foes(cls, action: str, fits: Callable[[Fighter], object] = lambda foe: True) -> Opponents:
        """For an action on a foe: one intent for each foe with `fits(foe)`."""
        return cls(
            lambda scene, who: (Intent(action, who, (foe.name,)) for foe in scene.foes(who) if fits(foe))
        )

    @classmethod
    def handling(cls, action: str, listed: str) -> Opponents:
        """For an action with a thing: one intent for each in these tables of the sheet ("weapons items")."""

        def candidates(scene: Scene, who: str) -> Iterator[Intent]:
            return (Intent(action, who, (), {"thing": name}) for name in scene.fighters[who].carried(listed))

        return cls(candidates)


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
    """Whether the action is allowed now outside the actor's turn, for a reason other than `ready_rule`: overwatch."""
    costs: tuple[Cost, ...] | None = None
    """Its costs out of turn, if they differ; also in turn, if it was readied and `ready_in_turn` is set."""
    effects: Callable[[Changes, Intent], None] | None = None
    """Further effects when it is taken out of turn: they use up what allowed it."""
    ready_rule: str = ""
    """The rule that lets it be readied and then taken once out of turn; empty: it cannot be readied."""
    ready_in_turn: bool = False
    """Whether, readied, it can be set off in the actor's own turn too, at `costs`."""
