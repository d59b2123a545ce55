"""What a fighter that plays itself does next: the best of what is legal, by its doctrine, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..dice.distribution import OddsTable
from ..engine.record import Entry
from ..engine.scene import Fighter, Intent, Scene
from . import morale, planning, resources
from .choices import DEEDS, Choice, Choices
from .doctrine import Doctrine, doctrine_of_fighter
from .evaluation import Evaluator
from .positioning import LEAST

if TYPE_CHECKING:
    from ..engine.system import System


class Decision(NamedTuple):
    """What a mind does."""

    intent: Intent
    """What to perform; its option `reason` is the reason below, for the record."""
    reason: Mapping[str, Any]
    """`doctrine`, `key` and the numbers that go with it: words for it are in show/reasons.py."""


class Minds:
    """Everyone who plays themselves in one crisis; remembers the odds worked out so far."""

    def __init__(
        self, system: System, doctrines: Callable[[str], Doctrine], odds_table: OddsTable | None = None
    ):
        self.system = system
        self.doctrines = doctrines
        self.scales = Evaluator(system, odds_table)

    def doctrine(self, one: Fighter) -> Doctrine:
        """The doctrine of a fighter; FileTrouble where there is none of that name."""
        return doctrine_of_fighter(one, self.doctrines)

    def decide(self, scene: Scene, who: str, past: Sequence[Entry] = ()) -> Decision:
        """What a fighter does next in its turn; `past` are the entries so far, by which it knows who hurt it."""
        self.scales.anew()
        doctrine = self.doctrine(scene.fighters[who])
        mind = Choices(self.scales, doctrine, who, past)
        intent, key, about = _broken(mind, scene) or _chosen(mind, scene)
        reason = {"doctrine": doctrine.name, "key": key, **about}
        return Decision(intent._replace(options={**intent.options, "reason": reason}), reason)


Chosen = tuple[Intent, str, Mapping[str, Any]]
"""What is done, the key of the reason, and its numbers."""


def _broken(mind: Choices, scene: Scene) -> Chosen | None:
    """What a fighter does that has had enough; None for one that has not."""
    breaks = mind.doctrine.breaks
    why = morale.broken(mind.scales, scene, mind.who, breaks)
    if why is None:
        return None
    candidates = list(mind.candidates(scene))
    key, intent = morale.way_out(mind.scales, scene, mind.who, breaks.then, candidates, mind.past)
    return intent, key, why._asdict()


def _chosen(mind: Choices, scene: Scene) -> Chosen:
    """What is best, by the next action alone or by the whole turn."""
    choices = list(mind.of(scene))
    choose = planning.planned if mind.doctrine.ahead == "turn" else planning.greedy
    best = choose(mind, scene, choices)
    if best is None:
        return Intent("next", mind.who), _idle(mind, scene, choices), {}
    attacks = [one for one in choices if one.key == "attacks"]
    if best.key in DEEDS:
        best = mind.refined(scene, best)
    if best.key in DEEDS or not attacks:
        return best.one.intent, best.key, best.about
    instead = max(attacks, key=lambda one: one.value).about["chance"]
    return best.one.intent, best.key, {**best.about, "instead": instead}


def _idle(mind: Choices, scene: Scene, choices: Sequence[Choice]) -> str:
    """Why it does nothing more this turn."""
    if not mind.scales.foes(scene, mind.who):
        return "alone"
    if any(one.key == "attacks" for one in choices):
        return "nothing-better"
    mind.scales.refreshed()
    rested = resources.rested(mind.system, scene, mind.who, fresh=True)
    if any(one.value > LEAST for one in mind.of(rested)):
        return "spent"
    return "nothing-better" if choices else "nothing"
