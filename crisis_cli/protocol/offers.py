"""What a program may do in a turn, as rows of a request: the line, the cost, the exact odds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..ai.movement import possible_moves
from ..dice.distribution import OddsTable
from ..engine.action_odds import ActionOdds, action_odds
from ..engine.legal_actions import of, upgrades
from ..engine.ranking import losses
from ..engine.scene import Intent, Scene
from ..engine.system import System
from ..errors import CrisisError
from ..render.chances import chance
from ..render.turned import level_records
from ..story.command_line import command_line
from ..values import NamedTuple

MOST = 200
"""Most rows of one request."""
QUICK = 24
"""Rows whose odds are given without --odds full."""
LEVELS = {"none": 0, "quick": QUICK, "full": MOST}
"""How many rows get their odds, by the value of --odds."""
PLACES = ("to", "at")
"""Options whose values are places, which no list can name."""


class Offer(NamedTuple):
    """One row: what is done if it is taken."""

    intent: Intent
    costs: tuple[tuple[str, int], ...] = ()


def offers(system: System, scene: Scene, who: str) -> Iterator[Offer]:
    """All that a fighter may do now: actions, what can be bought with them, moves, the end of the turn."""
    plain = list(of(system, scene, who))
    ways = [
        one for one in plain if "to" in system.actions[one.intent.action].options and not one.intent.targets
    ]
    foes = [one for one in scene.foes(who) if one.at is not None]
    moves = list(possible_moves(system, scene, ways, foes, foes)) if foes else []
    more = [one for first in plain for one in upgrades(system, scene, first)]
    seen: list[Intent] = []
    for one in (*plain, *more, *moves):
        if one.intent not in seen:
            seen.append(one.intent)
            yield Offer(one.intent, one.costs)
    yield Offer(Intent("next", who))


def open_forms(system: System, scene: Scene, who: str) -> list[str]:
    """What else may be done, with a place or a skill that the program chooses."""
    forms = []
    for name in dict.fromkeys(one.intent.action for one in of(system, scene, who)):
        row = system.actions[name]
        forms += [f"{name} --{option} X,Y" for option in PLACES if option in row.options]
    return forms + (["check SKILL"] if "check" in system.actions else [])


def row(
    system: System, scene: Scene, number: int, one: Offer, odds_table: OddsTable | None
) -> dict[str, Any]:
    """A row of a request; with its odds where there is a table to work them out with."""
    intent = one.intent
    record: dict[str, Any] = {
        "n": number,
        "line": command_line(system, scene, intent),
        "action": intent.action,
        "targets": list(intent.targets),
        "options": {key: value for key, value in intent.options.items() if key != "reason"},
        "cost": dict(one.costs),
    }
    odds = odds_of(system, scene, intent, odds_table) if odds_table else None
    return record | ({"odds": summary(system, odds)} if odds else {})


def odds_of(system: System, scene: Scene, intent: Intent, odds_table: OddsTable) -> ActionOdds | None:
    """The exact odds of an intent; None where it has none, or they would take too long."""
    if intent.action not in system.actions:
        return None
    try:
        return action_odds(system, scene, intent, odds_table)
    except CrisisError:
        return None


def summary(system: System, odds: ActionOdds) -> dict[str, Any]:
    """The chance to succeed, of each fighter to go down, the harm that each suffers on average, what begins or ends."""
    harm = {who: round(lost, 6) for who, lost in losses(system, odds).items() if round(lost, 6)}
    return {
        "success": None if odds.success is None else chance(*odds.success, odds.truncated),
        "down": {who: chance(*ways, odds.truncated) for who, ways in odds.down.items()},
        "harm": harm,
        **level_records(odds),
    }
