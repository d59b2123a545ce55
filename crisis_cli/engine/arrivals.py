"""The turn order with which a crisis begins, who comes and goes in the middle of it, and the order that follows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..dice.table import Table
from .consequences import Resolution, put
from .events import Event, change
from .resolve import act
from .scene import Intent, Scene
from .sides import begun
from .turn_order import grouped
from .turns import Clock

if TYPE_CHECKING:
    from .system import System


def ordered(system: System, scene: Scene, intent: Intent, table: Table) -> Resolution:
    """The turn order after rolling; its scores list every member of a group after the one who rolled (STEP-13)."""
    rolled = act(system, scene, intent, table)
    if "scores" not in rolled.outcome:
        return rolled
    groups = grouped(scene, intent)
    scores = tuple(
        (name, score) for leader, score in rolled.outcome["scores"] for name in groups.get(leader, ())
    )
    return rolled._replace(
        outcome={**rolled.outcome, "order": tuple(name for name, _ in scores), "scores": scores}
    )


def init(system: System, scene: Scene, intent: Intent, table: Table) -> Resolution:
    """Roll for the turn order, and in a crisis begin the first round or the extra one before it."""
    rolled = ordered(system, scene, intent, table)
    if not scene.open:
        return rolled
    clock = Clock(system, scene, intent, table)
    clock.scene = put(scene, clock.events, rolled.events)
    if system.order_each_round and intent.get("group"):
        clock.set("shares_rolls", True)
    begin(clock)
    opened = clock.done()
    texts = {"encounter": scene.encounter.name, "text": scene.encounter.open} if scene.encounter else {}
    return opened._replace(
        outcome={**rolled.outcome, **opened.outcome, **texts},
        stake=rolled.stake,
        modifiers=rolled.modifiers + opened.modifiers,
    )


def begin(clock: Clock) -> None:
    """Begin the first round or the extra one before it, and the first turn in it, once there is an order."""
    open_round(clock)
    clock.on()


def open_round(clock: Clock) -> None:
    """Fill the pools of the sides, and begin the first round or the extra one before it; it is nobody's turn yet."""
    sides = (one.side for one in clock.scene.fighters.values())
    clock.scene = put(clock.scene, clock.events, begun(clock.system, clock.scene, sides))
    clock.open(tuple(clock.intent.get("surprise", ())) or tuple(clock.intent.get("initiator", ())))


def comes_in(
    clock: Clock,
    names: Sequence[str],
    records: Iterable[Mapping[str, Any]],
    options: Mapping[str, Any],
    table: Table,
) -> Resolution:
    """Bring fighters into the scene of a clock, by their records, and into its turn order; gives the roll for it."""
    system, before = clock.system, clock.scene
    clock.scene = put(before, clock.events, out_of_order(before, names))
    back = (name for name in names if before.left.get(name))
    late = tuple(dict.fromkeys((*before.late, *back)))
    clock.scene = put(clock.scene, clock.events, change(clock.scene, "", "late", late))
    for record in records:
        who = record["name"]
        came = (
            change(before, who, "gone", False)
            if who in before.fighters
            else (Event(who, "fighter", None, record),)
        )
        clock.scene = put(clock.scene, clock.events, came)
    clock.ending()
    here = {one.side for one in before.fighters.values()}
    came_in = (clock.scene.fighters[name].side for name in names)
    sides = [side for side in came_in if side not in here]
    clock.scene = put(clock.scene, clock.events, begun(system, clock.scene, sides))
    if not before.order or not names:
        return Resolution(())
    rolled = ordered(system, clock.scene, Intent("init", "", tuple(names), options), table)
    clock.scene = put(clock.scene, clock.events, rolled.events)
    return rolled


def out_of_order(scene: Scene, names: Sequence[str]) -> Iterator[Event]:
    """The events that take fighters out of the turn order, and out of the groups that act at the same time."""
    yield from change(scene, "", "order", tuple(name for name in scene.order if name not in names))
    yield from change(
        scene, "", "scores", {name: score for name, score in scene.scores.items() if name not in names}
    )
    teams = (tuple(name for name in team if name not in names) for team in scene.teams)
    yield from change(scene, "", "teams", tuple(team for team in teams if team))


def goes_out(clock: Clock, names: Iterable[str]) -> None:
    """Fighters leave the scene of a clock, which keeps whether each has had its turn of this round: who comes back has
    no other. Whose turn it was passes it on."""
    before = clock.scene
    acting = (*before.acting, *before.together)
    had_turn = {
        name: before.acted(name) or name in acting for name in names if not before.fighters[name].gone
    }
    for name in had_turn:
        clock.scene = put(clock.scene, clock.events, change(clock.scene, name, "gone", True))
    left = {**before.left, **had_turn}
    clock.scene = put(clock.scene, clock.events, change(clock.scene, "", "left", left))
    turns_passed(clock, before)


def turns_passed(clock: Clock, scene: Scene) -> None:
    """Whose turn it was passes it on who is out of the fight now, as long as there is anyone to pass it to."""
    for who in scene.acting:
        here = clock.scene.fighters.values()
        left = [one for one in here if not one.gone and not one.yielded and not clock.system.fallen(one)]
        one = clock.scene.fighters[who]
        if left and (one.gone or one.yielded) and who in clock.scene.acting:
            clock.on(who)
