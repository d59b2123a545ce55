"""What actions are worth: the chances of one, the ranking and the plans of a fighter, and how strong sides are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dice.chosen import ChosenOdds
from ..dice.distribution import OddsTable
from ..engine import legal_actions
from ..engine.action_odds import ActionOdds, action_odds
from ..engine.scene import Intent
from ..values import NamedTuple
from .attacking import Planned
from .desk import Desk
from .dice import Dice
from .session import Session
from .table import decision_policy

if TYPE_CHECKING:
    from ..ai.deciding import PlanSummary
    from ..dice.distribution import Policy
    from ..dice.table import Alternative
    from ..engine.ranking import RankedAction
    from ..engine.system import System
    from ..sheets.encounter_store import EncounterFile

FARTHEST = "cunning"
"""The doctrine that weighs plans: it looks farthest ahead."""


class AssumedChoices:
    """The choices of which odds assume how they are made."""

    def __init__(self) -> None:
        self.taken: dict[str, dict[str, None]] = {}
        """By fighter, the names of what is taken."""
        self.offered: dict[str, None] = {}
        """The names of what is offered."""

    def noting(self, policy: Policy) -> Policy:
        """The policy, each of whose decisions is noted."""

        def decide(who: str, options: tuple[Alternative, ...], odds_table: OddsTable) -> Alternative:
            taken = policy(who, options, odds_table)
            self.taken.setdefault(who, {})[taken.name] = None
            self.offered.update(dict.fromkeys(option.name for option in options))
            return taken

        return decide

    def line(self) -> str:
        """The choices in one line, and what else is offered; empty where there is nothing to choose."""
        made = ", ".join(f"{who} {' or '.join(names)}" for who, names in self.taken.items())
        known = {name for names in self.taken.values() for name in names}
        others = ", ".join(name for name in self.offered if name not in known)
        return f"choices: {made}{f'; with --choose: {others}' if others else ''}" if made else ""


def chances(desk: Desk, planned: Planned, dice: Dice, assumed: AssumedChoices | None = None) -> ActionOdds:
    """The exact odds of a plan, with the choices that the dice options make; WrongChoice where nothing offers one.
    Without any of them the choices that are made are noted in `assumed`."""
    session, intent = planned.session, planned.intent
    system, scene, react = session.system, session.scene, intent.get("react")
    policy = decision_policy(desk, session, react, dice.is_automatic)
    if assumed is not None and react is None and not dice.choices:
        policy = assumed.noting(policy)
    weigh = action_odds
    if intent.action == "downtime":
        from ..engine.rest_odds import rest_odds

        weigh = rest_odds
    if not dice.choices:
        return weigh(system, scene, intent, OddsTable(policy))
    chosen = ChosenOdds(policy, dice.choices)
    odds = weigh(system, scene, intent, chosen)
    chosen.check()
    return odds


def in_own_turn(session: Session, intent: Intent) -> Session:
    """The session at the turn of an actor who is not acting, with what a new turn gives it.

    It stays as it is for what may be done out of turn, and what the GM forces.
    """
    row, scene = session.system.actions.get(intent.action), session.scene
    out_of_turn = scene.open and intent.actor and intent.actor not in scene.acting
    if not out_of_turn or row is None or row.window != "turn" or intent.get("force"):
        return session
    if legal_actions.is_allowed(session.system, scene, intent):
        return session
    return at_turn_of(session, intent.actor)


def where_able(session: Session, who: str) -> Session:
    """The session as it is, or at a fighter's turn where there is nothing that it could do now."""
    if who in session.scene.acting or any(legal_actions.of(session.system, session.scene, who)):
        return session
    return at_turn_of(session, who)


def at_turn_of(session: Session, who: str) -> Session:
    """The session as it would be if a fighter's turn began now."""
    from ..ai.resources import with_full_turn

    system, scene = session.system, with_full_turn(session.system, session.scene, who, fresh=True)
    marks = {
        mark: count for mark, count in scene.fighters[who].marks.items() if system.scope(mark) != "next turn"
    }
    begun = {**scene.fighters, who: scene.fighters[who]._replace(marks=marks)}
    return session._replace(scene=scene._replace(fighters=begun))


def ranking(desk: Desk, session: Session, who: str, leads: Intent | None = None) -> list[RankedAction]:
    """The actions that a fighter could take, each with its exact odds: the one that leads, then the best first."""
    from ..engine.ranking import odds_table_for, ranked

    odds_table = odds_table_for(decision_policy(desk, session))
    return ranked(session.system, session.scene, who, odds_table, leads=leads)


def ranking_by_plan(desk: Desk, session: Session, who: str) -> tuple[list[RankedAction], list[PlanSummary]]:
    """The ranking of a fighter's actions, led by what its best plan begins with; and its plans."""
    from ..engine.ranking import NEXT

    plans = plans_by_first_action(desk, session, who)
    leads = (plans[0].first or Intent(NEXT, who)) if plans else None
    return ranking(desk, session, who, leads), plans


def plans_by_first_action(desk: Desk, session: Session, who: str) -> list[PlanSummary]:
    """The best plan for each first action of a fighter in its turn, best first; none outside it.

    What cannot be begun any more this turn is said to be for the next one, after what is done meanwhile.
    """
    from ..ai.deciding import NEXT_TURN, AutoPlayer

    if who not in session.scene.acting:
        return []
    past = session.done
    player = AutoPlayer(session.system, desk.shelves.doctrines().named)
    plans: dict[str, PlanSummary] = {}
    for plan in player.plans(session.scene, who, FARTHEST, past):
        words, first = plan.words, plan.first
        if first is not None and words.startswith(NEXT_TURN):
            words = f"{' '.join((first.action, *first.targets))}, {words}"
        elif first is not None and words.startswith("attack ") and not first.targets:
            words = f"{first.action}, then {words}"
        plans.setdefault(repr(first), plan._replace(words=words))
    return list(plans.values())


class Strength(NamedTuple):
    """What a fighter can do in a turn."""

    name: str
    side: str
    line: str
    """Its best action, as it is typed; empty where it has none with odds."""
    success: float | None
    worth: float
    """How much of a foe it brings down in a turn, on average."""


class SideStrength(NamedTuple):
    """What a side can do in a round."""

    fighters: int
    downs: float
    """How many foes it brings down in a round."""
    rounds: float | None
    """In how many rounds it brings down all of them; None where it brings down none."""


def strengths(
    desk: Desk, file: EncounterFile, who: tuple[str, ...], seed: int
) -> tuple[System, list[Strength]]:
    """The system of an encounter, and what each of its fighters can do in a turn, wherever it stands."""
    from .opening import encounter_scene

    system, scene = encounter_scene(desk, file, who, seed)
    fighters = {name: one._replace(at=None) for name, one in scene.fighters.items()}
    scene = scene._replace(fighters=fighters, field=None, order=(*fighters,), round=1)
    session = Session(system, scene)
    return system, [_strength(desk, session, name) for name in fighters]


def _strength(desk: Desk, session: Session, who: str) -> Strength:
    """What the best action of a fighter against another side does in a turn of its own."""
    from ..render.command_text import typed

    session = at_turn_of(session, who)
    scene, side = session.scene, session.scene.fighters[who].side
    best: RankedAction | None = None
    for one in ranking(desk, session, who):
        aimed = [scene.fighters[name].side for name in one.legal.intent.targets]
        if aimed and side not in aimed and (best is None or one.worth > best.worth):
            best = one
    if best is None:
        return Strength(who, side, "", None, 0.0)
    return Strength(who, side, typed(scene, best.legal.intent), best.success, max(0.0, best.worth))


def side_strengths(fighters: list[Strength]) -> dict[str, SideStrength]:
    """What each side of an encounter can do in a round."""
    sides: dict[str, SideStrength] = {}
    for side in dict.fromkeys(one.side for one in fighters):
        foes = sum(one.side != side for one in fighters)
        worth = sum(one.worth for one in fighters if one.side == side)
        rounds = round(foes / worth, 1) if worth else None
        sides[side] = SideStrength(len(fighters) - foes, round(worth, 4), rounds)
    return sides
