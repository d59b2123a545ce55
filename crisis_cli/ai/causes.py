"""The causes of decisions: the key and the numbers of the sentence that says why, each compared again by the exact odds
before it is said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..engine.scene import Intent, Scene
from . import movement, progress
from .arms import RepeatedAttack, attack_on, beside, harm
from .evaluation import BudgetExceeded
from .plans import Planner, Proposal

KEYS = {"fall-back": "keeps-off", "guard": "stays-with", "prepare": "readies"}
"""The key of the reason by the kind of action, where nothing is compared."""
GOING = {"seek": "heads-for", "hold": "holds-place"}
"""The key of the reason for going to a place through which a side wins."""
BUDGET = 16
"""Distributions asked for to compare what a sentence says; without an answer it is not said."""
MARGIN = 1e-9
Cause = tuple[str, Mapping[str, Any]]
"""The key of a reason, and its numbers."""


def cause(planner: Planner, best: Proposal, intent: Intent, kind: str) -> Cause:
    """The cause of an action that is neither an attack nor a treatment."""
    planner.evaluator.reset_budget(BUDGET)
    if kind == "refill":
        turns = planner.turns_to_pay(intent)
        return "reloads", {"turns": turns} if turns > 1 else {}
    if kind in GOING and best.place is not None and planner.scene.field is not None:
        return GOING[kind], {"place": planner.scene.field.at(best.place).place}
    if kind == "guard" and planner.ward is not None:
        return "stays-with", {"ward": planner.ward.name}
    if kind == "close":
        return ("stalled", {}) if planner.stalled else ("closes-in", _nearer(planner, best, intent))
    if kind == "shelter":
        return _of_change(planner, best, _at_place(planner, best), ("takes-cover", "finds-place", "goes"))
    if kind == "posture":
        after = movement.scene_after(planner.system, planner.scene, intent)
        return _of_change(planner, best, after, ("covers", "steadies", "settles"))
    thing = intent.get("thing")
    if kind == "prepare" and thing is not None and thing not in planner.fighter.held:
        other = _outdone(planner, best, intent)
        return "draws", {"thing": thing, **({"other": other} if other else {})}
    return KEYS[kind], {}


def idle_cause(planner: Planner, best: Proposal) -> str:
    """The key of the reason why a fighter does nothing more this turn."""
    if best.kind == "await":
        return "awaits"
    if best.kind == "keep":
        reactions = planner.system.reactions
        left = planner.fighter.pools.get(reactions.pool, 0) if reactions else 0
        return "keeps-ready" if reactions and left >= reactions.price else "spent"
    if any(best.course.strikes):
        return "spent"
    if not any(planner.legal()):
        return "spent" if progress.has_acted(planner.past, planner.who) else "nothing"
    return "nothing-better" if best.kind == "wait" else "later"


def _attack(planner: Planner, scene: Scene | None, target: str) -> RepeatedAttack | None:
    """The best attack on a target in a scene, with all that lasts there; None if there is none or it is not known."""
    if scene is None or not target:
        return None
    try:
        return planner.attack(scene, target, fresh=False)
    except BudgetExceeded:
        return None


def _outdone(planner: Planner, best: Proposal, intent: Intent) -> str:
    """The weapon in hand in whose place a plan strikes from here and now with the one that is drawn, if that does more
    with each attack and in a turn; else empty."""
    thing, plan = intent.get("thing"), best.plan
    goes = plan.goal is not None and plan.distance is not None and plan.goal < plan.distance
    strikes = bool(best.course.strikes and best.course.strikes[0])
    if best.attack is None or best.attack.intent.get("weapon") != thing or goes or not strikes:
        return ""
    if len(best.steps) > 1 or best.place is not None:
        return ""
    here = planner.distance(planner.scene, best.target) or 0
    before, then = planner.attacks_by_distance(planner.scene, best.target).get(here), best.attack
    if before is None:
        return ""
    other = str(before.intent.get("weapon", ""))
    more = then.rate > before.rate + MARGIN and harm(then.value) > harm(before.value) + MARGIN
    return other if more and other in planner.fighter.held else ""


def _nearer(planner: Planner, best: Proposal, intent: Intent) -> Mapping[str, Any]:
    """The target of a plan with the chance to hit it from here and from where a move leads, if the plan attacks from
    there in the same turn."""
    goal, scene = best.plan.goal, movement.scene_after(planner.system, planner.scene, intent)
    gap = planner.distance(scene, best.target) if scene is not None else None
    if goal is None or gap is None or gap > goal or best.attack is None:
        return {}
    here, there = _attack(planner, planner.scene, best.target), _attack(planner, scene, best.target)
    if here is None or there is None or there.intent != best.attack.intent or scene is None:
        return {}
    pools = scene.fighters[planner.who].pools
    if any(pools.get(pool, 0) < amount for pool, amount in there.strike.costs.items()):
        return {}
    before, then = round(100 * here.value.chance), round(100 * there.value.chance)
    return {"foe": best.target, "here": before, "there": then} if then > before else {}


def _at_place(planner: Planner, best: Proposal) -> Scene | None:
    """The scene with the fighter where a plan goes first."""
    if best.place is None:
        return None
    moved = planner.fighter._replace(at=best.place)
    return planner.scene._replace(fighters={**planner.scene.fighters, planner.who: moved})


def _of_change(planner: Planner, best: Proposal, after: Scene | None, keys: tuple[str, str, str]) -> Cause:
    """Of the keys for a fighter that is harder to hit, that attacks better and for neither, the one that is true in the
    scene after a change."""
    safer, better, neither = keys
    if after is not None and planner.is_safer(best) and _is_harder_to_hit(planner, after):
        return safer, {}
    return better if _attacks_better(planner, best, after) else neither, {}


def _is_harder_to_hit(planner: Planner, after: Scene) -> bool:
    """Whether no foe hits the fighter better after a change, with what it holds from where it is, or beside the fighter
    where it cannot from there, or as the plan expects it to attack; and at least one worse."""
    ways = {(threat.name, threat.held, threat.closes) for threat in planner.threats(planner.spent)}
    found = False
    try:
        for foe in planner.foes:
            reaches = _chance_against(planner, planner.scene, foe.name, foe.held, False) > 0
            ways.add((foe.name, foe.held, not reaches))
        chances = [
            [_chance_against(planner, scene, *way) for scene in (planner.scene, after)]
            for way in sorted(ways)
        ]
    except BudgetExceeded:
        return False
    for before, then in chances:
        if then > before + MARGIN:
            return False
        found = found or then < before - MARGIN
    return found


def _chance_against(planner: Planner, scene: Scene, foe: str, held: tuple[str, ...], near: bool) -> float:
    """The chance of a foe's best attack on the fighter with what it would hold, from where it is or beside it; 0 if it
    has none."""
    armed = scene.fighters[foe]._replace(held=held)
    there = scene._replace(fighters={**scene.fighters, foe: armed})
    gap = planner.distance(there, foe)
    if near and gap is not None and gap > planner.space.beside:
        there = beside(planner.system, there, foe, planner.who, planner.space.beside)
    attack = attack_on(planner.evaluator, there, foe, planner.who)
    return attack.value.chance if attack else 0.0


def _attacks_better(planner: Planner, best: Proposal, after: Scene | None) -> bool:
    """Whether a plan strikes in this turn, and its attack hits better from the same place after a change."""
    plan = best.plan
    if after is None or best.attack is None or not (best.course.strikes and best.course.strikes[0]):
        return False
    if best.late is not None and best.place is None:
        # It is done after the attacks of this turn.
        return False
    chances = []
    for scene in (planner.scene, after):
        gap = planner.distance(scene, best.target)
        if plan.goal is not None and gap is not None and plan.goal < gap:
            scene = beside(planner.system, scene, planner.who, best.target, plan.goal)
        attack = _attack(planner, scene, best.target)
        chances.append(attack.value.chance if attack else 0.0)
    return chances[1] > chances[0] + MARGIN
