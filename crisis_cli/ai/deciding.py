"""The decisions of fighters that play automatically: the first action of the best plan by their doctrine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..dice.distribution import OddsTable
from ..engine.record import Entry
from ..engine.scene import Fighter, Intent, Scene
from ..values import NamedTuple
from . import morale, progress, responding
from .arms import LIFE
from .doctrine import Doctrine, doctrine_of_fighter
from .evaluation import Evaluator
from .plans.attack import WaitPlan
from .plans.first_action import can_begin, first_action
from .plans.plan import Decided, Plan, percent
from .plans.planner import Planner
from .plans.proposals import proposals
from .plans.threats import is_threatened

if TYPE_CHECKING:
    from ..engine.system import System

HOPELESS = 0.02
"""The share of a foe's life that a plan must be expected to take within its horizon, where the last rounds have led
nowhere, or the fighter leaves."""


class Decision(NamedTuple):
    """A decision: the intent, and the reason for it."""

    intent: Intent
    """The intent to perform; its option `reason` records the reason."""
    reason: Mapping[str, Any]
    """`doctrine`, `key` and numbers; render/reasons.py has the sentences for each key."""


class PlanSummary(NamedTuple):
    """A plan as a player reads it."""

    words: str
    worth: int
    """In percent of a fighter's life: harm done less harm suffered."""
    first: Intent | None
    """What it begins with; None: it ends the turn."""


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
        self.evaluator.start_decision(scene)
        doctrine = self.doctrine(scene.fighters[who])
        planner = Planner(self.evaluator, doctrine, scene, who, past)
        intent, key, about = _decide_broken(planner) or _decide_best(planner)
        reason = {"doctrine": doctrine.name, "key": key, **about}
        return Decision(intent.plus(reason=reason), reason)

    def respond(self, scene: Scene, action: Intent, past: Sequence[Entry] = ()) -> Intent | None:
        """What an automatic foe of the actor does before an action takes effect; None if nobody does anything."""
        return responding.respond(self.evaluator, scene, action, past)

    def plans(self, scene: Scene, who: str, doctrine: str, past: Sequence[Entry] = ()) -> list[PlanSummary]:
        """The plans of a fighter in its turn by a doctrine, the best first, each only once."""
        self.evaluator.start_decision(scene)
        planner = Planner(self.evaluator, self.doctrines(doctrine), scene, who, past)
        if not planner.foes:
            return []
        summaries: dict[str, PlanSummary] = {}
        for plan in proposals(planner):
            words = _words(planner, plan)
            if words not in summaries and not plan.is_too_late(planner):
                first = first_action(planner, plan)
                summaries[words] = PlanSummary(words, percent(plan.worth / LIFE), first and first.intent)
        return list(summaries.values())


SHOWN_PLANS = 5
"""Plans that are recorded with a decision."""
NEXT_TURN = "next turn: "
"""Stands before the words of a plan whose first step cannot be done in this turn."""


def _decide_broken(planner: Planner) -> Decided | None:
    """The decision of a fighter whose morale has broken; None if it has not."""
    breaks = planner.doctrine.breaks
    why = morale.break_reason(planner.evaluator, planner.scene, planner.who, breaks)
    if why is None:
        return None
    key, intent = morale.break_action(
        planner.evaluator, planner.scene, planner.who, breaks.then, planner.legal_on(""), planner.past
    )
    return intent, key, why._asdict()


def _decide_best(planner: Planner) -> Decided:
    """The first action of the best plan, or the end of the turn."""
    if not planner.foes:
        return Intent("next", planner.who), "alone", {}
    plans = proposals(planner)
    best = plans[0]
    weighed = {"plans": _weighed(planner, plans)}
    leave = Intent("leave", planner.who, (planner.who,))
    if planner.stalled and _is_hopeless(plans):
        if planner.doctrine.breaks.then == "surrender":
            return Intent("yield", planner.who, (planner.who,)), "surrenders", {"cause": "stalled", **weighed}
        return leave, "leaves", {"cause": "stalled", **weighed}
    is_idle = isinstance(best, WaitPlan) and not any(plan.attack for plan in plans)
    if is_idle and progress.idle_turns(planner.past, planner.who) and is_threatened(planner):
        return leave, "leaves", {"cause": "no-target", **weighed}
    first = first_action(planner, best)
    if first is not None:
        intent, key, about = first.explain(planner, best, first.intent)
        return intent, key, {**about, **weighed}
    key = best.cause_of_ending(planner)
    if key in ("awaits", *progress.UNABLE) and planner.doctrine.ahead == "fight":
        ready = responding.watch(planner.system, planner.scene, planner.who, planner.legal_on(""))
        if ready is not None:
            return ready, "watches", weighed
    return Intent("next", planner.who), key, weighed


def _is_hopeless(plans: Sequence[Plan]) -> bool:
    """Whether neither the best plan nor any other is expected to do harm worth mentioning."""
    most = max(plan.course.done for plan in plans)
    return plans[0].is_hopeless_without_harm and most < HOPELESS * LIFE


def _weighed(planner: Planner, plans: Sequence[Plan]) -> list[dict[str, Any]]:
    """The best plans in words, each with what it was worth, in percent of a fighter's life."""
    worths: dict[str, int] = {}
    for plan in plans:
        if not plan.is_too_late(planner):
            worths.setdefault(_words(planner, plan), percent(plan.worth / LIFE))
    return [{"plan": words, "worth": worth} for words, worth in list(worths.items())[:SHOWN_PLANS]]


def _words(planner: Planner, plan: Plan) -> str:
    """A plan in words, which say whether it begins only next turn."""
    words = plan.words(planner)
    return words if can_begin(planner, plan) else NEXT_TURN + words
