"""The decisions of fighters that play automatically: the first action of the best plan by their doctrine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..dice.distribution import OddsTable
from ..engine.legal_actions import upgrades
from ..engine.record import Entry
from ..engine.scene import Fighter, Intent, Scene
from ..values import NamedTuple
from . import morale, progress, resources, responding
from .arms import LIFE, harm
from .causes import cause, idle_cause
from .doctrine import Doctrine, doctrine_of_fighter
from .evaluation import ActionValue, BudgetExceeded, Evaluator
from .first_action import can_begin, first_action, proposals
from .plans import Planner, Proposal

if TYPE_CHECKING:
    from ..engine.system import System

OPTIONS_BUDGET = 8
"""Distributions asked for to choose among the options of an attack."""

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
        found: dict[str, PlanSummary] = {}
        for one in proposals(planner):
            words = _words(planner, one)
            if words not in found and not planner.is_too_late(one):
                found[words] = PlanSummary(
                    words, _percent(one.worth / LIFE), first_action(planner, one).intent
                )
        return list(found.values())


DecisionParts = tuple[Intent, str, Mapping[str, Any]]
"""The intent, the key of its reason, and the numbers of the reason."""
SHOWN_PLANS = 5
"""Plans that are recorded with a decision."""
NEXT_TURN = "next turn: "
"""Stands before the words of a plan whose first step cannot be done in this turn."""


def _decide_broken(planner: Planner) -> DecisionParts | None:
    """The decision of a fighter whose morale has broken; None if it has not."""
    breaks = planner.doctrine.breaks
    why = morale.break_reason(planner.evaluator, planner.scene, planner.who, breaks)
    if why is None:
        return None
    key, intent = morale.break_action(
        planner.evaluator, planner.scene, planner.who, breaks.then, planner.legal_on(""), planner.past
    )
    return intent, key, why._asdict()


def _decide_best(planner: Planner) -> DecisionParts:
    """The first action of the best plan, or the end of the turn."""
    if not planner.foes:
        return Intent("next", planner.who), "alone", {}
    found = proposals(planner)
    best = found[0]
    weighed = {"plans": _weighed(planner, found)}
    leave = Intent("leave", planner.who, (planner.who,))
    if planner.stalled and _is_hopeless(best, found):
        if planner.doctrine.breaks.then == "surrender":
            return Intent("yield", planner.who, (planner.who,)), "surrenders", {"cause": "stalled", **weighed}
        return leave, "leaves", {"cause": "stalled", **weighed}
    is_idle = best.kind == "wait" and not any(one.attack for one in found)
    if is_idle and progress.idle_turns(planner.past, planner.who) and planner.threatened:
        return leave, "leaves", {"cause": "no-target", **weighed}
    intent, kind = first_action(planner, best)
    if intent is None:
        key = idle_cause(planner, best)
        if key in ("awaits", *progress.UNABLE) and planner.doctrine.ahead == "fight":
            ready = responding.watch(planner.system, planner.scene, planner.who, planner.legal_on(""))
            if ready is not None:
                return ready, "watches", weighed
        return Intent("next", planner.who), key, weighed
    if kind in ("attack", "treat"):
        intent, value = _with_best_options(planner, intent)
        return intent, "attacks" if kind == "attack" else "treats", {**_numbers(kind, value), **weighed}
    key, about = cause(planner, best, intent, kind)
    return intent, key, {**about, **weighed}


def _is_hopeless(best: Proposal, proposals: Sequence[Proposal]) -> bool:
    """Whether neither the best plan nor any other is expected to do harm worth mentioning."""
    if best.kind not in ("attack", "keep", "posture", "prepare", "fall-back", "wait"):
        return False
    return max(one.course.done for one in proposals) < HOPELESS * LIFE


def _weighed(planner: Planner, proposals: Sequence[Proposal]) -> list[dict[str, Any]]:
    """The best plans in words, each with what it was worth, in percent of a fighter's life."""
    found: dict[str, int] = {}
    for one in (one for one in proposals if not planner.is_too_late(one)):
        found.setdefault(_words(planner, one), _percent(one.worth / LIFE))
    return [{"plan": words, "worth": worth} for words, worth in list(found.items())[:SHOWN_PLANS]]


def _words(planner: Planner, proposal: Proposal) -> str:
    """A plan in words, which say whether it begins only next turn."""
    words = planner.words(proposal)
    return words if can_begin(planner, proposal) else NEXT_TURN + words


def _numbers(kind: str, value: ActionValue) -> Mapping[str, Any]:
    if kind == "treat":
        return {"chance": _percent(value.chance), "gain": _percent(value.given)}
    return {"chance": _percent(value.chance), "harm": _percent(value.done), "down": _percent(value.down)}


def _with_best_options(planner: Planner, intent: Intent) -> tuple[Intent, ActionValue]:
    """An action with the options that improve it most for what they cost (`upgrades`)."""
    evaluator, system = planner.evaluator, planner.system
    evaluator.reset_budget(min(OPTIONS_BUDGET, evaluator.budget // 2))
    legal = next(one for one in planner.legal_on(intent.target) if one.intent == intent)
    first = evaluator.action_value(planner.scene, intent)
    assert first is not None
    best, chosen = _worth(planner, first) - _spent(planner, legal), (intent, first)
    if planner.doctrine.ahead == "action":
        return chosen
    try:
        for one in upgrades(system, planner.scene, legal):
            value = evaluator.action_value(planner.scene, one.intent)
            if value is None:
                continue
            worth = _worth(planner, value) - _spent(planner, one)
            if worth > best:
                best, chosen = worth, (one.intent, value)
    except BudgetExceeded:
        pass
    return chosen


def _worth(planner: Planner, value: ActionValue) -> float:
    weigh = planner.doctrine.weigh
    return weigh.done * harm(value) + weigh.healed * LIFE * value.restored


def _spent(planner: Planner, one: Any) -> float:
    """What the supplies that an action uses up are worth."""
    share = resources.consumed_share(planner.system, planner.fighter, one)
    return planner.doctrine.weigh.spent / 10 * share


def _percent(share: float) -> int:
    return round(100 * share)
