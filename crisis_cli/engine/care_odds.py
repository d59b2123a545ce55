"""Exact odds of care between crises: of one treatment, and of all its rounds together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ..dice.distribution import Distribution, OddsTable, Path, onward
from ..errors import TooWide
from ..values import NamedTuple
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


class CareMoment(NamedTuple):
    """What has become of a crisis of care: its events, and of its state all but the scene."""

    state: State
    treated: tuple[str, ...]
    tries: int
    tries_before: int
    is_over: bool


CareOdds = tuple[Ways | None, Mapping[str, Ways]]
"""The ways in which the first treatment of a care succeeds, of those in which there is one, None for no treatment; and
for each patient the ways that lead out of need, of those that end."""


def care_odds(
    system: System, scene: Scene, intent: Intent, odds_table: OddsTable, is_whole: bool = True
) -> CareOdds:
    """The exact odds of a care; none of its patients unless it is followed as a whole, or where that takes too many
    ways. TooWide where its first treatment does."""
    return odds_table.bounded(lambda: _followed(system, scene, intent, odds_table, is_whole))


def _followed(
    system: System, scene: Scene, intent: Intent, odds_table: OddsTable, is_whole: bool
) -> CareOdds:
    start = small_crisis(scene, intent)
    known: dict[CareMoment, Distribution] = {}

    def state_at(moment: CareMoment) -> CareState:
        return CareState(apply_all(start, moment.state), *moment[1:])

    def begun_with(line_up: State) -> Distribution:
        def opened(table: Any) -> CareMoment:
            scene = apply_all(start, line_up)
            events = begun(system, scene, intent, table).events
            state = over_where_done(system, intent, CareState(apply_all(scene, events)))
            return _moment(intent, line_up, events, state)

        return odds_table.walked(Path(odds_table), opened, ())

    def after(moment: CareMoment) -> Distribution:
        if moment not in known:
            now = state_at(moment)

            def one_step(table: Any) -> CareMoment:
                odds_table.spend(OUTCOME)
                _, done, later = go_on(system, intent, now, table)
                return _moment(intent, moment.state, done.events, later)

            known[moment] = odds_table.walked(Path(odds_table), one_step, ())
        return known[moment]

    def followed(law: Distribution, is_there: Callable[[CareMoment], bool]) -> tuple[Distribution, int]:
        """The law once nearly all of it is there, and how many of its ways are not."""

        def step(moment: CareMoment) -> Distribution:
            return Distribution({moment: 1}, 1) if is_there(moment) else after(moment)

        for _ in range(LONGEST):
            left = law.chance(lambda moment: not is_there(moment))[0]
            if left * LEFT < law.total:
                return law, left
            odds_table.spend(OUTCOME * len(law.ways))
            law = onward(law, step)
        raise TooWide(f"the care may go on for more than {LONGEST} treatments and turns")

    law = onward(_line_ups(system, start, intent, odds_table), begun_with)
    law, _ = followed(law, lambda moment: moment.is_over or moment.tries > 0)
    tried = law.chance(lambda moment: moment.tries > 0)[0]
    first = (law.chance(lambda moment: bool(moment.treated))[0], tried) if tried else None
    if not is_whole:
        return first, {}
    try:
        law, left = followed(law, lambda moment: moment.is_over)
    except TooWide:
        return first, {}

    def helped(patient: str) -> int:
        return law.chance(
            lambda moment: moment.is_over and is_out_of_need(system, intent, state_at(moment), patient)
        )[0]

    return first, {patient: (helped(patient), law.total - left) for patient in needs_of(intent)}


def _line_ups(system: System, start: Scene, intent: Intent, odds_table: OddsTable) -> Distribution:
    """The turn orders with which a crisis of care may begin, as events without the scores."""
    own = Intent("init", "", intent.targets)
    prepared = prepare(system, start, own)
    rolled = prepared.odds(odds_table)
    # Only the order counts: one answer stands for all with that order.
    first = dict[Any, Any]()
    orders = rolled.of(lambda answer: first.setdefault(getattr(answer, "order", answer), answer))
    odds_table.spend(OUTCOME * len(first))
    return orders.of(
        lambda answer: tuple(
            event for event in consequences(system, start, own, prepared, answer) if event.what != "scores"
        )
    )


def _moment(intent: Intent, before: State, events: tuple[Event, ...], state: CareState) -> CareMoment:
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
    return CareMoment(in_order(kept), state.treated, tries, tries_before, state.is_over)
