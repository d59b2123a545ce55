"""Exact odds of care between crises: of one treatment, and of all its rounds together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..dice.distribution import Distribution, OddsTable, Path, onward
from .action_odds import OUTCOME, Ways
from .care import CareState, begun, go_on, is_out_of_need, needs_of, over_where_done, small_crisis
from .consequences import merged
from .events import Event, apply_all
from .resolve import consequences
from .rest_odds import State, in_order
from .scene import Intent, Scene
from .validate import prepare

if TYPE_CHECKING:
    from .system import System

LEFT = 1_000_000
"""The care is followed until it goes on in less than one of so many ways."""
LONGEST = 300
"""Most steps, treatments and turns, that are followed."""
Moment = tuple[State, tuple[str, ...], int, int, bool]
"""What has become of a crisis of care: its events, and of its state all but the scene."""


def care_odds(
    system: System, scene: Scene, intent: Intent, odds_table: OddsTable
) -> Mapping[str, Ways] | None:
    """For each patient of a care that is about to begin, how many ways lead out of need, of how many that end.

    None where it may go on for too long; TooWide where it takes too many ways.
    """
    return odds_table.bounded(lambda: _followed(system, scene, intent, odds_table))


def _followed(
    system: System, scene: Scene, intent: Intent, odds_table: OddsTable
) -> Mapping[str, Ways] | None:
    start = small_crisis(scene, intent)
    known: dict[Moment, Distribution] = {}

    def state_at(moment: Moment) -> CareState:
        return CareState(apply_all(start, moment[0]), *moment[1:])

    def helped(patient: str) -> int:
        return law.chance(
            lambda moment: moment[-1] and is_out_of_need(system, intent, state_at(moment), patient)
        )[0]

    def begun_with(line_up: State) -> Distribution:
        def opened(table: Any) -> Moment:
            scene = apply_all(start, line_up)
            events = begun(system, scene, intent, table).events
            state = over_where_done(system, intent, CareState(apply_all(scene, events)))
            return _moment(intent, line_up, events, state)

        return odds_table.walked(Path(odds_table), opened, ())

    def after(moment: Moment) -> Distribution:
        if moment[-1]:
            return Distribution({moment: 1}, 1)
        if moment not in known:
            now = state_at(moment)

            def one_step(table: Any) -> Moment:
                odds_table.spend(OUTCOME)
                _, done, later = go_on(system, intent, now, table)
                return _moment(intent, moment[0], done.events, later)

            known[moment] = odds_table.walked(Path(odds_table), one_step, ())
        return known[moment]

    law = onward(_line_ups(system, start, intent, odds_table), begun_with)
    for _ in range(LONGEST):
        going_on = law.chance(lambda moment: not moment[-1])[0]
        if going_on * LEFT < law.total:
            break
        odds_table.spend(OUTCOME * len(law.ways))
        law = onward(law, after)
    else:
        return None
    ended = law.total - going_on
    return {patient: (helped(patient), ended) for patient in needs_of(intent)}


def _line_ups(system: System, start: Scene, intent: Intent, odds_table: OddsTable) -> Distribution:
    """The turn orders with which a crisis of care may begin, as events without the scores."""
    own = Intent("init", "", intent.targets)
    prepared = prepare(system, start, own)
    rolled = odds_table.of(prepared.rule, prepared.odds_dice)
    # Who acts before whom is all that counts: one answer stands for all with that order.
    first = dict[Any, Any]()
    orders = rolled.of(lambda answer: first.setdefault(getattr(answer, "order", answer), answer))
    odds_table.spend(OUTCOME * len(first))
    return orders.of(
        lambda answer: tuple(
            event for event in consequences(system, start, own, prepared, answer) if event.what != "scores"
        )
    )


def _moment(intent: Intent, before: State, events: tuple[Event, ...], state: CareState) -> Moment:
    """A state as odds tell it from others: without the scores of the turn order, and, where nothing waits for a certain
    round or try, as if it were the first."""
    tries, tries_before = state.tries, state.tries_before
    if not intent.get("tries"):
        tries, tries_before = tries - tries_before, 0
    waits = any(one.ends for one in state.scene.fighters.values())
    kept = (
        event._replace(now=1) if event.what == "round" and not event.who and not waits else event
        for event in merged((*before, *events))
        if event.what != "scores"
    )
    return in_order(kept), state.treated, tries, tries_before, state.is_over
