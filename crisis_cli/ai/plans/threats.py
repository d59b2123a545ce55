"""How foes would fight a fighter: each in the way that hurts most."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...engine.scene import Fighter, Scene
from .. import resources
from ..arms import LIFE, attack_on, beside, preparations, purse, turn_costs, ways_to_move
from ..evaluation import BudgetExceeded
from ..forecast import Costs, PlannedStrike, Threat, at_distance, threat_worth
from .planner import MAX_THREATS, Planner

LEAST_TURNS = 3
"""Turns for which the ways of a foe to fight are compared, even if the fighter looks no further than the next."""
StrikesByDistance = dict[int, tuple[PlannedStrike | None, PlannedStrike | None]]
"""The attacks of a foe by distance, while the fighter stands as it does and in the posture of a plan."""


def threats_in(planner: Planner, scene: Scene) -> tuple[Threat, ...]:
    """How the nearest foes would fight the fighter in its state in a scene."""
    if not planner.is_wary:
        return ()

    def compute() -> tuple[Threat, ...]:
        return tuple(_threat(planner, scene, foe) for foe in planner.foes[:MAX_THREATS])

    evaluator = planner.evaluator
    return evaluator.cached(
        ("threats", planner.who),
        scene,
        lambda: evaluator.remembered("threats", _situation(planner, scene), compute),
    )


def threats_against(planner: Planner, target: str, stands: Scene, posture: Scene | None) -> list[Threat]:
    """The threats in one scene, with those in another posture beside them, the target's first."""
    threats = threats_in(planner, stands)
    if posture is not None and threats:
        threats = planner.evaluator.remembered(
            "posture",
            (_situation(planner, stands), _situation(planner, posture)),
            lambda: tuple(_in_posture(planner, threat, posture) for threat in threats),
        )
    return sorted(threats, key=lambda threat: threat.name != target)


def is_threatened(planner: Planner) -> bool:
    """Whether a foe could attack the fighter from where it is."""
    near = planner.foes[:MAX_THREATS]
    return any(attack_on(planner.evaluator, planner.scene, foe.name, planner.who) for foe in near)


def easing(threat: Threat) -> float:
    """How much less a foe does with each attack in the posture of a plan."""
    before, after = at_distance(threat.strikes, threat.distance) or (None, None)
    return (before.worth if before else 0.0) - (after.worth if after else 0.0)


def _situation(planner: Planner, scene: Scene) -> Any:
    """All of a scene that decides what foes could do to the fighter."""
    spent = () if planner.system.reactions else frozenset(planner.purse.now)
    states = [
        planner.evaluator.state_number(fighter, spent if name == planner.who else None)
        for name, fighter in scene.fighters.items()
    ]
    looks = planner.who, planner.turns, planner.doctrine.name, planner.holding
    return looks, scene.field, scene.round, repr(scene.sides), tuple(states)


def _threat(planner: Planner, scene: Scene, foe: Fighter) -> Threat:
    """How one foe would fight: with the weapon in hand or another, from where it is or hand to hand."""
    system, near = planner.system, planner.space.beside
    gap = planner.distance(scene, foe.name)
    ways = ways_to_move(planner.evaluator, scene, foe.name, planner.fighter)
    money = purse(planner.evaluator, scene, foe.name, begun=False)
    ready = resources.with_full_turn(system, scene, foe.name, fresh=True)
    arms: list[tuple[Mapping[str, int], tuple[str, ...]]] = [({}, foe.held)]
    arms += [
        (turn_costs(system, draw.action), draw.after.fighters[foe.name].held)
        for draw in preparations(system, ready, foe.name, draws_only=True)
        if draw.changes == "hands"
    ]
    strikes = [_strikes_of(planner, scene, foe.name, held) for _, held in arms]
    is_far = gap is not None and gap > near
    stays = foe.name in planner.holding and any(strikes[0].get(gap or 0, ()))
    comes = is_far and bool(ways) and not stays and planner.is_way(scene, foe.name, planner.who)

    def threat(by_distance: StrikesByDistance, opening: Costs, closes: bool, held: tuple[str, ...]) -> Threat:
        return Threat(by_distance, money, opening, closes, ways, gap, LIFE, foe.name, held)

    options = [
        threat(by_distance, opening, closes, held)
        for (opening, held), by_distance in zip(arms, strikes, strict=True)
        if by_distance
        for closes in ([False, True] if comes else [False])
    ]
    if len(options) < 2:
        return options[0] if options else threat({}, {}, bool(ways), ())
    turns = max(planner.turns, LEAST_TURNS)
    return max(options, key=lambda option: threat_worth(option, turns, near))


def _strikes_of(planner: Planner, scene: Scene, foe: str, held: tuple[str, ...]) -> StrikesByDistance:
    """The attacks of a foe with what it would hold, from where it is and from beside the fighter; none if there is no
    attack at all."""
    gap, near = planner.distance(scene, foe), planner.space.beside
    fighter = scene.fighters[foe]
    armed = scene if held == fighter.held else scene.with_fighter(fighter._replace(held=held))
    strikes: StrikesByDistance = {}
    comes = gap is not None and gap > near and planner.is_way(scene, foe, planner.who)
    for at in [gap or 0, near] if comes else [gap or 0]:
        there = armed if at == (gap or 0) else beside(planner.system, armed, foe, planner.who, at)
        try:
            attack = attack_on(planner.evaluator, there, foe, planner.who)
        except BudgetExceeded:
            continue
        strikes[at] = (attack.strike, attack.strike) if attack else (None, None)
    return strikes if any(strike for strike, _ in strikes.values()) else {}


def _in_posture(planner: Planner, threat: Threat, posture: Scene) -> Threat:
    """A threat with the attacks of the foe on a posture beside the present ones; another one, if the foe would fight
    otherwise then."""
    then = _strikes_of(planner, posture, threat.name, threat.held) if threat.strikes else {}
    if posture.fighters[planner.who].at != planner.fighter.at:
        # From where the foe is now it may be nearer, or not see the fighter any more.
        here = then.get(planner.distance(posture, threat.name) or 0, (None, None))
        then = {**then, threat.distance or 0: here}
    strikes = {
        at: (strike[0], then[at][0] if at in then else strike[0]) for at, strike in threat.strikes.items()
    }
    as_before = threat._replace(strikes=strikes)
    other = _threat(planner, posture, planner.scene.fighters[threat.name])
    turns, near = max(planner.turns, LEAST_TURNS), planner.space.beside
    return max(as_before, other, key=lambda option: threat_worth(option, turns, near, True))
