"""The turn order (POOL-8, POOL-9), quick reactions (POOL-10), what turns give (POOL-11), and the end of a crisis."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, NamedTuple

from ...engine.events import Event, change
from ...engine.record import Modifier
from ...engine.scene import Intent, Scene
from ...engine.system import Action, Setup, refuse
from ...engine.turn_order import grouped, leader_of, lined_up, settled, tie
from ...rules.situational import circumstance, standing
from .aims import WALKED
from .arms import paired
from .conditions import idle
from .deeds import REACTED, STOLEN, no_stake
from .luck import Hand, taken
from .pool import summed
from .rolls import dice_for, resisting, successes, total
from .rounds import ROUND
from .sheet import PROTECTION

TIES = 24
"""How often a tie is rolled again before the order of naming settles it."""
PAIR = 1
"""POOL-34: the action more of whoever fights with two weapons."""


class Runner(NamedTuple):
    """What counts for one fighter's place in the turn order."""

    name: str
    dice: int
    plus: int
    quickness: int
    deftness: int
    alert: Hand


class Started(NamedTuple):
    """The turn order, and who has a quick reaction."""

    order: tuple[str, ...]
    scores: tuple[tuple[str, int], ...]
    quick: tuple[str, ...]
    spent: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """By fighter, what was spent on the apprehension check (POOL-7)."""


def stake(scene: Scene, intent: Intent) -> Setup:
    """POOL-8: everyone's quickness; POOL-10: everyone's apprehension."""
    for option in ("surprise", "initiator"):
        if intent.get(option):
            refuse(intent, f"there is no extra turn before the first: --{option} gives none", "POOL-8")
    modifiers: list[Modifier] = []
    runners = []
    for number, name in enumerate(grouped(scene, intent)):
        fighter = scene.fighters[name]
        dice = dice_for(fighter, "initiative", "quickness")
        found = standing(fighter, "initiative", "initiative")
        found += [] if number else circumstance(intent, "initiative")
        alert, alerting = resisting(scene, name, "alert", "apprehension")
        modifiers += [one._replace(against=name) for one in (*dice, *found, *alerting)]
        values = fighter.sheet["attributes"]
        runners.append(
            Runner(
                name,
                max(0, total(dice, "initiative dice")),
                total(found, "initiative"),
                values["quickness"],
                values["deftness"],
                alert,
            )
        )
    return Setup((tuple(runners), tuple(intent.get("order", ()))), tuple(modifiers))


def initiative(table: Any, stake: tuple[tuple[Runner, ...], tuple[str, ...]]) -> Started:
    """POOL-8: everyone rolls; then everyone checks apprehension; POOL-9: ties by quickness, deftness, as those who
    tie have agreed, or new rolls."""
    runners, agreed = stake
    scores = {one.name: _rolled(table, one) for one in runners}
    alerts = [(one.name, *table.ask(alert, one.alert)) for one in runners]
    quick = tuple(name for name, won, _ in alerts if won)
    spent = tuple((name, used) for name, _, used in alerts if used)

    def rank(one: Runner) -> tuple[int, int, int]:
        return -scores[one.name], -one.quickness, -one.deftness

    order: list[str] = []
    for _, tied in groupby(sorted(runners, key=rank), key=rank):
        order += table.ask(settled, _rolled, tuple(tied), agreed, TIES)
    return Started(tuple(order), tuple((name, scores[name]) for name in order), quick, spent)


def _rolled(table: Any, one: Runner, tied: tuple[str, ...] = ()) -> int:
    table.label("initiative", one.name, f"{one.dice}d6!" if one.dice else "", **tie(tied))
    score: int = table.ask(summed, one.dice) + one.plus
    table.result(total=score)
    return score


def alert(table: Any, hand: Hand) -> tuple[bool, tuple[str, ...]]:
    """A rule, POOL-10: whether an apprehension check succeeds, and what was spent on it."""
    found, used = successes(table, "alert", hand)
    return found > 0, used


def line_up(scene: Scene, intent: Intent, stake: Any, outcome: Started) -> Iterator[Event]:
    """The turn order; one action for those who are quick to react, none for the others, until their first turn."""

    def ahead(new: str, other: str) -> bool:
        values = [scene.fighters[name].sheet["attributes"] for name in (new, other)]
        mine, theirs = ((one["quickness"], one["deftness"]) for one in values)
        return mine > theirs

    yield from lined_up(scene, intent, outcome, "POOL-8", ahead)  # type: ignore[arg-type]
    for who, used in outcome.spent:
        yield from taken(scene, who, used)
    if scene.open:
        for name in intent.targets:
            has = int(leader_of(scene, intent, name) in outcome.quick)
            yield from change(scene, name, "actions", has, "POOL-10")


INIT = Action("Roll for the turn order", "POOL-8", stake, line_up, initiative, window="table", targets="many")


def refresh(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterator[Event]:
    """POOL-11: actions as many as a turn has; POOL-15: less what was stolen; POOL-34: one more with two weapons."""
    fighter = scene.fighters[intent.actor]
    stolen = fighter.marks.get(STOLEN, 0)
    count = fighter.sheet["actions"] + fighter.sheet["circumstance"].get("actions", 0)
    count += PAIR if paired(fighter) else 0
    helpless = idle(fighter)[0] in ("dead", "dying")
    yield from change(scene, intent.actor, "actions", 0 if helpless else max(0, count - stolen), "POOL-11")
    yield from change(scene, intent.actor, f"mark:{STOLEN}", 0, "POOL-15")


def turn_ends(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterator[Event]:
    """POOL-13: everyone may react anew; walking along has had its action."""
    yield from change(scene, intent.actor, f"mark:{WALKED}", 0, "POOL-12")
    for other in scene.fighters.values():
        yield from change(scene, other.name, f"mark:{REACTED}", 0, "POOL-14")


def restored(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterable[Event]:
    """POOL-24: armour is put in order when the crisis is over."""
    for fighter in scene.fighters.values():
        for kind in PROTECTION:
            pool = f"protection:{kind}"
            if pool in fighter.pools:
                yield from change(scene, fighter.name, pool, fighter.full(pool), "POOL-24")


PHASES = {
    "start-round": ROUND,
    "start-turn": Action("Actions for the turn", "POOL-11", no_stake, refresh, window="table"),
    "end-turn": Action("Reactions anew", "POOL-13", no_stake, turn_ends, window="table"),
    "end-crisis": Action("Armour is put in order", "POOL-24", no_stake, restored, window="table"),
}
