"""The decisions of fighters that play automatically: the best legal action by their doctrine, with a reason."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..dice.distribution import OddsTable
from ..engine.record import Entry
from ..engine.scene import Fighter, Intent, Scene
from ..values import NamedTuple
from . import morale, planning, resources
from .choices import DIRECT_KEYS, Choice, ChoiceFinder
from .doctrine import Doctrine, doctrine_of_fighter
from .evaluation import Evaluator
from .positioning import MIN_VALUE

if TYPE_CHECKING:
    from ..engine.system import System


class Decision(NamedTuple):
    """A decision: the intent, and the reason for it."""

    intent: Intent
    """The intent to perform; its option `reason` records the reason."""
    reason: Mapping[str, Any]
    """`doctrine`, `key` and numbers; render/reasons.py has the sentences for each key."""


class AutoPlayer:
    """Decides for the fighters of one crisis by their doctrines; keeps the odds computed so far."""

    def __init__(
        self, system: System, doctrines: Callable[[str], Doctrine], odds_table: OddsTable | None = None
    ):
        self.system = system
        self.doctrines = doctrines
        self.evaluator = Evaluator(system, odds_table)

    def doctrine(self, fighter: Fighter) -> Doctrine:
        """The doctrine of a fighter; FileError if there is none of that name."""
        return doctrine_of_fighter(fighter, self.doctrines)

    def decide(self, scene: Scene, who: str, past: Sequence[Entry] = ()) -> Decision:
        """What a fighter does next in its turn; `past` are the entries so far, to know who hurt it."""
        self.evaluator.start_decision()
        doctrine = self.doctrine(scene.fighters[who])
        finder = ChoiceFinder(self.evaluator, doctrine, who, past)
        intent, key, about = _decide_broken(finder, scene) or _decide_best(finder, scene)
        reason = {"doctrine": doctrine.name, "key": key, **about}
        return Decision(intent.plus(reason=reason), reason)


DecisionParts = tuple[Intent, str, Mapping[str, Any]]
"""The intent, the key of its reason, and the numbers of the reason."""


def _decide_broken(finder: ChoiceFinder, scene: Scene) -> DecisionParts | None:
    """The decision of a fighter whose morale has broken; None if it has not."""
    breaks = finder.doctrine.breaks
    why = morale.break_reason(finder.evaluator, scene, finder.who, breaks)
    if why is None:
        return None
    candidates = list(finder.candidates(scene))
    key, intent = morale.break_action(
        finder.evaluator, scene, finder.who, breaks.then, candidates, finder.past
    )
    return intent, key, why._asdict()


def _decide_best(finder: ChoiceFinder, scene: Scene) -> DecisionParts:
    """The best action, judged by itself or by the whole turn, as the doctrine says."""
    choices = list(finder.of(scene))
    choose = planning.best_of_turn if finder.doctrine.ahead == "turn" else planning.best_by_rate
    best = choose(finder, scene, choices)
    if best is None:
        return Intent("next", finder.who), _idle_key(finder, scene, choices), {}
    attacks = [one for one in choices if one.key == "attacks"]
    if best.key in DIRECT_KEYS:
        best = finder.with_best_options(scene, best)
    if best.key in DIRECT_KEYS or not attacks:
        return best.action.intent, best.key, best.details
    instead = max(attacks, key=lambda one: one.value).details["chance"]
    return best.action.intent, best.key, {**best.details, "instead": instead}


def _idle_key(finder: ChoiceFinder, scene: Scene, choices: Sequence[Choice]) -> str:
    """The key of the reason why it does nothing more this turn."""
    if not finder.evaluator.foes(scene, finder.who):
        return "alone"
    if any(one.key == "attacks" for one in choices):
        return "nothing-better"
    finder.evaluator.reset_budget()
    rested = resources.with_full_turn(finder.system, scene, finder.who, fresh=True)
    if any(one.value > MIN_VALUE for one in finder.of(rested)):
        return "spent"
    return "nothing-better" if choices else "nothing"
