"""Exact odds of rest between crises: its nights one after the other, each by the rules that roll it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..dice.distribution import Distribution, OddsTable, Path, onward
from ..errors import Refused
from .action_odds import ActionOdds, action_odds, chances_of
from .consequences import merged
from .events import Event, apply_all
from .record import Modifier
from .rest import actions_of, rest
from .scene import Intent, Scene

if TYPE_CHECKING:
    from .system import System

State = tuple[Event, ...]
"""What has become of a fighter since the rest began, in the same order whatever happened first."""


def rest_odds(system: System, scene: Scene, intent: Intent, odds_table: OddsTable) -> ActionOdds:
    """The exact odds of a rest of one fighter, the target of the intent: of its `days`, or of some `hours`.

    Every night begins as the one before has left the fighter, and ends the conditions that a rest ends. Refused where
    the first one is not allowed; who cannot rest after some nights stays as they are.
    """
    who, days = intent.target, intent.get("days", 0)
    ends = [name for name, condition in system.conditions.items() if condition.is_brief]
    night = intent.plus(ends=ends, **({"days": 1} if days else {}))
    known: dict[State, Distribution] = {}
    modifiers: list[Modifier] = []

    def after_a_night(state: State) -> Distribution:
        if state not in known:
            now = apply_all(scene, state)

            def rested(table: Any) -> State:
                resolution = rest(system, now, night, table)
                if not state:
                    modifiers[:] = resolution.modifiers
                return in_order(merged((*state, *resolution.events)))

            try:
                known[state] = odds_table.walked(Path(odds_table), rested, ())
            except Refused:
                if not state:
                    raise
                known[state] = Distribution({state: 1}, 1)
        return known[state]

    law = Distribution({(): 1}, 1)
    for _ in range(days or 1):
        law = onward(law, after_a_night)
    outcomes = [(state, apply_all(scene, state), ways) for state, ways in law]
    length = {unit: intent.get(unit) for unit in ("days", "hours") if intent.get(unit)}
    said = Intent(system.rest.action or "rest", who, (), length)
    changes = chances_of(system, scene, said, outcomes, law)
    lines = tuple(one._replace(against="") if one.against == who else one for one in modifiers)
    rests = actions_of(system, who, night) if intent.get("house") is None else []
    if days <= 1 and len(rests) == 1:
        # One rest is one roll, with all that can be said of it.
        alone = action_odds(system, scene, rests[0], odds_table)
        return alone._replace(intent=said, modifiers=lines, **changes._asdict())
    return ActionOdds(said, None, lines, None, None, "", None, *changes, law.truncated)


def in_order(events: Iterable[Event]) -> State:
    """The events without their rules, sorted by what they are about."""
    bare = (Event(event.who, event.what, event.was, event.now) for event in events)
    return tuple(sorted(bare, key=lambda event: event[:2]))
