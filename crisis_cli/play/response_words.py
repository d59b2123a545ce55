"""What an action that others may answer is expected to come to, in words, with each of the answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from ..ai.resources import with_full_turn
from ..dice.distribution import OddsTable
from ..engine.action_odds import ActionOdds, action_odds
from ..engine.legal_actions import of
from ..engine.ranking import losses, ranked
from ..engine.responses import Response, after, answered
from ..engine.scene import Intent, Scene
from ..engine.system import System, nothing
from ..engine.validate import prepare
from ..engine.wording import measured
from ..errors import CrisisError
from ..render.charts import percent
from ..render.command_text import typed
from ..render.messages import listed
from ..values import NamedTuple
from .table import decision_policy

if TYPE_CHECKING:
    from .desk import Desk
    from .session import Session


class Expected(NamedTuple):
    """What is to be expected of an action, with a response or without one."""

    words: str
    odds: ActionOdds | None = None
    """The odds of all that happens then; None where nothing happens, or the odds take too long."""


def expected(desk: Desk, session: Session, action: Intent, offered: Sequence[Response]) -> Iterator[Expected]:
    """What is to be expected of the action without a response, and of each response."""
    system, scene = session.system, session.scene
    table = OddsTable(decision_policy(desk, session))
    goes_on = action.action in system.actions
    yield unanswered(system, scene, action, table)
    for one in offered:
        row = system.actions[one.intent.action]
        if one.inside:
            # Without dice of its own, what is shown is the chance of the action that it answers.
            whose = "" if row.whole_rule is nothing else one.intent.actor
            yield chances(system, scene, answered(action, one), table, whose)
        elif row.whole_rule is not nothing:
            yield chances(system, scene, one.intent, table, one.intent.actor)
        else:
            then = after(system, scene, one.intent)
            known = chances(system, then, action, table) if goes_on else Expected(row.title)
            words = known.words or f"{action.action} is not possible any more"
            paid = listed(list(prices(system, scene, one.intent)))
            yield known._replace(words=f"{f'for {paid}, ' if paid else ''}then {words}")


def prices(system: System, scene: Scene, intent: Intent) -> Iterator[str]:
    """What an actor pays for an action, in words: `1 destiny die`."""
    for event in prepare(system, scene, intent).payment.events:
        kind = system.pools.get(event.what)
        if kind is not None and event.who == intent.actor and event.now < event.was:
            yield measured(event.was - event.now, kind.label)


def unanswered(system: System, scene: Scene, action: Intent, table: OddsTable) -> Expected:
    """What is to be expected of an action without a response; of one without dice, such as a move or the end of a
    turn, what is to be expected of the best attack that the fighter can make after it."""
    row = system.actions.get(action.action)
    if row and (row.whole_rule is not nothing or action.targets):
        return chances(system, scene, action, table)
    who = action.actor
    with suppress(CrisisError):
        then = with_full_turn(system, after(system, scene, action) if row else scene, who, fresh=True)
        foes = {one.name for one in then.foes(who)}
        attacks = of(
            system, then, who, lambda intent: bool(intent.targets) and foes.issuperset(intent.targets)
        )
        best = next((one for one in ranked(system, then, who, table, attacks) if one.worth > 0), None)
        if best:
            said = typed(then, best.legal.intent).split(" --by")[0]
            words = chances(system, then, best.legal.intent, table).words
            return Expected(f"{'then' if row else 'next turn'} {said}: {words}")
    return Expected(f"{who} can harm nobody {'from there' if row else 'in the next turn from here'}")


def chances(system: System, scene: Scene, intent: Intent, table: OddsTable, by: str = "") -> Expected:
    """An intent's chance to succeed, who loses how much on average, and who may go down; nothing where that takes too
    long or is not allowed."""
    try:
        odds = action_odds(system, scene, intent, table)
    except CrisisError:
        return Expected("")
    parts = []
    if odds.success and by in ("", intent.actor):
        kind = system.actions[intent.action].targets
        parts.append(f"{percent(*odds.success)} to {'hit' if kind in ('one', 'many') else 'succeed'}")
    for who, lost in losses(system, odds).items():
        if round(lost, 1) > 0:
            parts.append(f"{who} loses {lost:.1f} on average")
    for who, pools in odds.effects.items():
        for kind in dict.fromkeys(pool.partition(":")[0] for pool in pools):
            used = -sum(change.mean() for pool, change in pools.items() if pool.partition(":")[0] == kind)
            if kind in system.pools and system.pools[kind].takes_harm and round(used, 1) > 0:
                parts.append(f"{who} uses up {used:.1f} {system.pools[kind].label}")
    for who, (ways, total) in odds.down.items():
        if ways:
            parts.append(f"{who} goes down {percent(ways, total)}")
    return Expected(", ".join(parts) or "nothing happens to anybody", odds)
