"""Costs of actions: how they are checked and charged, in all systems."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from ..errors import CrisisError, Refused, RulebookMistake
from .changes import one_part, undeclared
from .events import SIDE, Event, apply_all, change, shift
from .scene import BOUGHT, Fighter, Intent, Scene, slug
from .sides import left

if TYPE_CHECKING:
    from .setup import Cost, Setup
    from .system import Action, Pool, System

PAID = "paid"
"""The mark of an action half paid: `paid:ACTION:GEAR`."""


class Payment:
    """The costs of an action, and the events that pay them."""

    def __init__(
        self,
        costs: tuple[Event, ...],
        before: Scene,
        cancelled: tuple[Event, ...] = (),
        paid: int = 0,
        of: int = 0,
        pool: str = "",
    ):
        self.costs = costs
        self.before = before
        self.events = costs + cancelled
        """The events of the costs, and of what the action gives up."""
        self.paid = paid
        """Of a long action not paid in full yet: what has gone into it, this payment included."""
        self.of = of
        """The whole cost of that long action, else 0."""
        self.pool = pool

    @cached_property
    def scene(self) -> Scene:
        """The scene with the costs paid: what the effects of the action begin with."""
        return apply_all(self.before, self.costs)


def payment(system: System, scene: Scene, intent: Intent, row: Action, setup: Setup) -> Payment:
    """The payment for an action; Refused if a pool holds too little and the action is not forced."""
    if row.window == "table":
        return Payment((), scene)
    fighter = scene.fighters[intent.actor]
    costs = [
        (cost, price(fighter, row, cost, setup.gear))
        for cost in (*_due(scene, intent, row), *setup.costs)
        if scene.open or not kind_of(system, cost.pool).spent
    ]
    costs = _together(system, costs)
    long = [(cost, amount) for cost, amount in costs if _is_long(system, fighter, cost, amount)]
    events: list[Event] = []
    # What must be there is looked for before anything is paid into a long action.
    for cost, amount in costs:
        if (cost, amount) not in long:
            events += _paid(system, apply_all(scene, events), intent, row, cost, amount)
    for cost, amount in long:
        part = _part_of_long(system, apply_all(scene, events), intent, cost, amount, setup.gear)
        if part.of:
            return part
        events += part.costs
    marked = apply_all(scene, [event for event in events if event.what.startswith("mark:")])
    return Payment(tuple(events), scene, tuple(_cancelled(system, marked, intent, row, setup.gear)))


def _together(system: System, costs: list[tuple[Cost, int]]) -> list[tuple[Cost, int]]:
    """The costs with all that one pool pays made one, where that may be paid over several turns (`Pool.long`)."""
    found: list[tuple[Cost, int]] = []
    for cost, amount in costs:
        at = next((at for at, (one, _) in enumerate(found) if one.pool == cost.pool), None)
        if at is None or not kind_of(system, cost.pool).long:
            found.append((cost, amount))
        else:
            found[at] = (found[at][0], found[at][1] + amount)
    return found


def _is_long(system: System, fighter: Fighter, cost: Cost, amount: int) -> bool:
    """Whether a cost is more than a turn ever gives, where that is paid over several turns (`Pool.long`)."""
    kind = kind_of(system, cost.pool)
    high = kind.a_turn(fighter) if kind.a_turn else fighter.limits.get(cost.pool, (0, None))[1]
    return bool(kind.long) and high is not None and amount > high


def _paid(
    system: System, scene: Scene, intent: Intent, row: Action, cost: Cost, amount: int
) -> Iterator[Event]:
    """What a cost takes, another pool turned into it where need be; Refused where there is too little."""
    fighter = scene.fighters[intent.actor]
    kind, rule = kind_of(system, cost.pool), cost.rule or row.rule_id
    owner, have = held(system, scene, fighter, cost.pool)
    turned = made(system, scene, fighter, cost.pool, amount)
    if turned and kind.made_of:
        source, many = held(system, scene, fighter, kind.made_of.pool)
        yield from one_part(change(scene, source, kind.made_of.pool, many - turned, rule))
        have += turned // kind.made_of.takes * kind.made_of.gives
        if kind.made_of.once:
            yield from change(scene, fighter.name, f"mark:{BOUGHT}:{cost.pool}", 1, rule)
    if have < amount and not intent.get("force"):
        raise _lacking(system, scene, intent, cost, row, amount)
    yield from one_part(change(scene, owner, cost.pool, max(0, have - amount), rule))


def kind_of(system: System, pool: str) -> Pool:
    """The `Pool` of that name: of fighters, or else of sides; RulebookMistake where nobody declares it."""
    kind = pool.partition(":")[0]
    try:
        return system.pools[kind] if kind in system.pools else system.side_pools[kind]
    except KeyError:
        known = (*system.pools, *system.side_pools)
        raise RulebookMistake(undeclared(f"pool of {system.name}", "pools", pool, known)) from None


def held(system: System, scene: Scene, fighter: Fighter, pool: str) -> tuple[str, int]:
    """The owner of the pool that a fighter pays from (the fighter or its side, as named in events), and its value."""
    if pool.partition(":")[0] in system.pools:
        return fighter.name, fighter.pools.get(pool, 0)
    return SIDE + fighter.side, left(scene, fighter.side, pool)


def made(system: System, scene: Scene, fighter: Fighter, pool: str, amount: int) -> int:
    """How many points of another pool must be converted to pay an amount; 0 if that is impossible or not needed."""
    source = kind_of(system, pool).made_of
    have = held(system, scene, fighter, pool)[1]
    if source is None or have >= amount:
        return 0
    lacks = amount - have
    takes = -(-lacks // source.gives) * source.takes
    spent = source.once and (lacks > source.gives or fighter.has_bought(pool))
    return 0 if spent or held(system, scene, fighter, source.pool)[1] < takes else takes


def _due(scene: Scene, intent: Intent, row: Action) -> tuple[Cost, ...]:
    """The costs of a row, which may be others where it is done out of turn."""
    if row.out.costs is not None and scene.open and row.is_set_off(scene, intent):
        return row.out.costs
    return row.costs


def price(fighter: Fighter, row: Action, cost: Cost, gear: str) -> int:
    """The amount of a cost, given the weapon or item in use."""
    said = fighter.carried(row.gear).get(gear, {}).get(cost.gear) if cost.gear else None
    return cost.amount if said is None else int(said)


def _part_of_long(
    system: System, scene: Scene, intent: Intent, cost: Cost, amount: int, gear: str
) -> Payment:
    """A cost above what the pool can hold is paid over several turns, as much as there is (`Pool.long`)."""
    kind = system.pools[cost.pool]
    rule = kind.long
    fighter = scene.fighters[intent.actor]
    mark = f"{PAID}:{intent.action}:{gear}"
    before = fighter.marks.get(mark, 0)
    have = fighter.pools.get(cost.pool, 0)
    pays = min(have, amount - before)
    if not pays:
        raise Refused(
            f"{fighter.name} has 0 {kind.label} to put into {intent.action}: {before} of {amount} are paid ({rule})",
            hint="end the turn: crisis next",
            rule=rule,
            code="cannot_pay",
            pool=cost.pool,
            has=0,
            needs=amount - before,
        )
    paid = before + pays
    done = paid == amount
    events = (
        *one_part(shift(scene, fighter.name, cost.pool, -pays, rule)),
        *change(scene, fighter.name, f"mark:{mark}", 0 if done else paid, rule),
        *_others_cancelled(scene, intent, mark, rule),
    )
    return Payment(events, scene) if done else Payment(events, scene, (), paid, amount, cost.pool)


def _cancelled(system: System, scene: Scene, intent: Intent, row: Action, gear: str) -> Iterator[Event]:
    """Marks that last until the actor's next action go, unless its effects set them anew; and any other
    action gives up what was paid into a long one, unless the GM allows it (`Pool.long`)."""
    marks = scene.fighters[intent.actor].marks
    if row.window != "turn" or not marks:
        return
    for mark in marks:
        if system.scope(mark) == "action":
            yield from change(scene, intent.actor, f"mark:{mark}", 0)
    rule = next((pool.long for pool in system.pools.values() if pool.long), "")
    yield from _others_cancelled(scene, intent, f"{PAID}:{intent.action}:{gear}", rule)


def given_up(system: System, scene: Scene, intent: Intent, row: Action, gear: str) -> Iterator[str]:
    """What is said of each long action half paid that an action gives up, unless it is forced (`Pool.long`)."""
    pool = next((pool for pool in system.pools.values() if pool.long), None)
    if row.window != "turn" or pool is None:
        return
    for event in _others_cancelled(scene, intent, f"{PAID}:{intent.action}:{gear}", pool.long):
        doing = " ".join(event.what.split(":")[2:]).rstrip()
        yield (
            f"{intent.actor} has paid {event.was} {pool.label} into {doing}; "
            f"{intent.action} would give that up ({pool.long})"
        )


def _others_cancelled(scene: Scene, intent: Intent, mark: str, rule: str) -> Iterator[Event]:
    """Long actions half paid are given up for another one, unless the GM allows that beside them."""
    for other in () if intent.get("force") else scene.fighters[intent.actor].marks:
        if other.startswith(PAID + ":") and other != mark:
            yield from change(scene, intent.actor, f"mark:{other}", 0, rule)


def _lacking(system: System, scene: Scene, intent: Intent, cost: Cost, row: Action, amount: int) -> Refused:
    fighter = scene.fighters[intent.actor]
    thing = cost.pool.partition(":")[2]
    owner, have = held(system, scene, fighter, cost.pool)
    pool = kind_of(system, cost.pool)
    rule = pool.rule if pool.spent else cost.rule or row.rule_id
    label = pool.label
    if thing:
        fill = pool.refill if _refills(system, scene, fighter.name, pool.refill, thing) else ""
        refill = f"{fill} it: crisis act {slug(fighter.name)} {fill} {slug(thing)}"
        way_on = refill if fill else "use something else"
        refusal = Refused(
            f"the {thing} of {fighter.name} has {have} {label} left; {intent.action} takes {amount} ({rule})",
            hint=way_on,
            rule=rule,
            code="no_ammunition" if fill else "cannot_pay",
            pool=cost.pool,
            has=have,
            needs=amount,
        )
        refusal.first = fill
        return refusal
    if owner != fighter.name:
        return Refused(
            f"the {fighter.side} have {have} {label}; that takes {amount} ({rule})",
            hint="leave it out" if scene.open else f"give the number: --{cost.pool} N",
            rule=rule,
            code="cannot_pay",
            pool=cost.pool,
            has=have,
            needs=amount,
        )
    return Refused(
        f"{fighter.name} has {have} {label}; {intent.action} costs {amount}{_dearer(pool)} ({rule})",
        hint="end the turn: crisis next" if pool.spent else "leave it out",
        rule=rule,
        code="cannot_pay",
        pool=cost.pool,
        has=have,
        needs=amount,
    )


def _refills(system: System, scene: Scene, who: str, action: str, thing: str) -> bool:
    """Whether an action fills a thing of a fighter: what is thrown is not loaded."""
    if not action:
        return False
    try:
        system.actions[action].first_setup(scene, Intent(action, who, (), {"thing": thing}))
    except CrisisError:
        return False
    return True


def _dearer(pool: Pool) -> str:
    """What else could have paid, where that can only do so once a turn."""
    source = pool.made_of
    if source is None or not source.once:
        return ""
    return f", and none can be bought now ({source.takes} {source.pool.upper()}, once a turn)"
