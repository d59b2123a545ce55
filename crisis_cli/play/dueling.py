"""Who wins a fight of two, exactly."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..engine.scene import Intent
from ..errors import Usage
from ..render.jsontext import VERSION
from ..simulation.block import PLAIN
from ..simulation.duel import DuelCourse, StatesFound, solve
from ..simulation.fight import FightStart
from ..values import NamedTuple
from .desk import Desk
from .opening import Opening, opening_session

if TYPE_CHECKING:
    from ..dice.distribution import OddsTable
    from ..dice.table import Alternative
    from ..engine.scene import Scene


class Duel(NamedTuple):
    """The exact chances of a duel."""

    system: str
    doctrine: str
    chances: dict[str, float]
    """By side, the probability that it wins; `draw` where neither side ever does."""
    states: int
    """How many states the fight can reach."""

    def to_dict(self) -> dict[str, Any]:
        """The chances as `crisis odds duel --json` prints them."""
        wins = {side: {"p": p} for side, p in self.chances.items()}
        return duel_record(self.system, self.doctrine, states=self.states, wins=wins)


def duel_record(system: str, doctrine: str, **values: Any) -> dict[str, Any]:
    """What was found of a duel, exactly or by simulated fights, as --json prints it."""
    return {"v": VERSION, "action": "odds duel", "system": system, "doctrine": doctrine, **values}


def start_of_duel(desk: Desk, one: str, other: str) -> FightStart:
    """How a duel of two sheets begins, without positions; Usage where there are more fighters."""
    session, _, _ = opening_session(desk, Opening((one,), (other,)), 0)
    fighters = session.scene.fighters
    if len(fighters) > 2:
        raise Usage(
            f"a duel is between two fighters, not {len(fighters)}",
            hint="crisis simulate WHO… --vs WHO…",
            code="bad_value",
        )
    return FightStart(session.system, session.scene, Intent("init", "", tuple(fighters)))


def duel(
    desk: Desk,
    start: FightStart,
    doctrine: str = PLAIN,
    progress: Callable[[StatesFound], None] = lambda states: None,
) -> Duel:
    """The exact chances of both sides of a duel, then those of other endings.

    `progress` is called with how many states have been found so far. TooWide where there are too many.
    """
    solution = solve(_course(desk, start, doctrine), tick=progress)
    sides = [fighter.side for fighter in start.scene.fighters.values()]
    chances = {**dict.fromkeys(sides, 0.0), **solution.chances}
    return Duel(start.system.name, doctrine, chances, solution.states)


def _course(desk: Desk, start: FightStart, doctrine: str) -> DuelCourse:
    """The course of a duel, by the plain policy or a doctrine."""
    if doctrine == PLAIN:
        return DuelCourse(start)
    from ..ai.choosing import choose_by_doctrine
    from ..ai.deciding import AutoPlayer

    mind = desk.shelves.doctrines().named(doctrine)

    def policy(who: str, several: tuple[Alternative, ...], odds_table: OddsTable) -> Alternative:
        return choose_by_doctrine(mind.react, several, odds_table).option

    player = AutoPlayer(start.system, lambda name: mind)

    def decide(scene: Scene, who: str) -> Intent:
        intent = player.decide(scene, who).intent
        kept = {key: value for key, value in intent.options.items() if key != "reason"}
        return intent._replace(options=kept)

    return DuelCourse(start, decide, policy)
