"""What happens in an encounter by itself: which of its events is due, and how it changes the scene."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count, islice, pairwise
from typing import TYPE_CHECKING, Any

from ..dice.rule_table import RuleTable
from ..dice.table import Table
from ..errors import Refused
from ..values import NamedTuple
from .arrivals import comes_in, goes_out
from .conditions import set_condition
from .consequences import Resolution, put, settle
from .dice_amount import Amount
from .encounter import Group, LegendChange, Spots, Trigger, is_meant, is_one_of
from .events import TERRAIN, change, record_of
from .field import spelled
from .life import share_left
from .record import EVENT
from .scene import MOST_FIGHTERS, Fighter, Intent, Scene
from .sides import standing
from .starting import settled, starting_fighter
from .turns import Clock

if TYPE_CHECKING:
    from .system import System

LONGEST_CHAIN = 32
"""Events that may follow from one entry."""
ALONE = Amount(plus=1)
"""The count of a group of one."""
DIE = 100
"""The die that says whether an event with odds happens."""


# When


def due(system: System, scenes: Sequence[Scene | None]) -> Trigger | None:
    """The first event that is due after an entry; None if none is.

    `scenes` are the one before the entry (None before the first entry of a crisis), the one after it, and the one
    after each event that has followed from it.
    """
    after = scenes[-1]
    if after is None or after.encounter is None or after.over or after.won_by:
        return None
    for trigger in after.encounter.triggers:
        came_up = has_come_up(after, trigger)
        if came_up and not (trigger.again and _is_owed(system, trigger, scenes)):
            continue
        if holds(system, after, trigger):
            return trigger
    return None


def has_come_up(scene: Scene, trigger: Trigger) -> bool:
    """Whether an event has happened, or its dice have said no."""
    return trigger.number in scene.fired or -trigger.number in scene.fired


def _is_owed(system: System, trigger: Trigger, scenes: Sequence[Scene | None]) -> bool:
    """Whether what a repeating event waits for has come about in these scenes, and it has not come up since."""
    is_owed = False
    for before, after in pairwise(scenes):
        if before is None or after is None:
            continue
        if has_come_up(after._replace(fired=after.fired[len(before.fired) :]), trigger):
            is_owed = False
        elif _is_new(system, trigger, before, after):
            is_owed = True
    return is_owed


def _is_new(system: System, trigger: Trigger, before: Scene, after: Scene) -> bool:
    """Whether what an event waits for has come about between two scenes: each new round, where it waits for one."""
    has_time = trigger.round is not None or trigger.after is not None
    if has_time and before.round != after.round:
        return holds(system, after, trigger)
    return holds(system, after, trigger) and not holds(system, before, trigger)


class Threshold(NamedTuple):
    """A part of what an event waits for, as it stands: it has come about once `now` is at least `needs`."""

    key: str
    """The key of the event that asks for it: `round`, `after`, `down`, `hurt` or `reach`."""
    now: int
    needs: int
    standing: tuple[str, ...] = ()
    """The fighters that it is about who still stand; with `hurt` all of them."""
    there: tuple[str, ...] = ()
    """With `reach`: those of them who are at the place."""

    @property
    def is_met(self) -> bool:
        """Whether this part of what an event waits for is so."""
        return self.now >= self.needs


def holds(system: System, scene: Scene, trigger: Trigger) -> bool:
    """Whether all that an event waits for is so."""
    return all(count.is_met for count in counts(system, scene, trigger))


def counts(system: System, scene: Scene, trigger: Trigger) -> Iterator[Threshold]:
    """All that an event waits for, as it stands in a scene."""
    if trigger.round is not None:
        yield Threshold("round", scene.round, trigger.round)
    if trigger.after is not None:
        yield Threshold("after", max(0, scene.round - 1), trigger.after)
    if trigger.down:
        yield count_down(system, scene, meant(scene, trigger.down), trigger.left)
    if trigger.hurt:
        yield _count_hurt(system, scene, trigger)
    if trigger.reach:
        yield _count_there(system, scene, trigger)


def meant(scene: Scene, word: str) -> list[Fighter]:
    """The fighters that a name or a side in an encounter means."""
    return [one for one in scene.fighters.values() if is_meant(word, one.side, one.name)]


def count_down(system: System, scene: Scene, fighters: Sequence[Fighter], left: int = 0) -> Threshold:
    """How many of some fighters are out of the fight, where at most `left` of them may stand; never met by nobody."""
    upright = _upright(system, scene, fighters)
    needs = len(fighters) - left if fighters else 1
    return Threshold("down", len(fighters) - len(upright), needs, upright)


def _count_hurt(system: System, scene: Scene, trigger: Trigger) -> Threshold:
    """The percent of life that who is hurt most has lost."""
    fighters = meant(scene, trigger.hurt)
    left = min((int(100 * share_left(system, one) // 1) for one in fighters), default=100)
    return Threshold("hurt", 100 - left, 101 - trigger.below, tuple(one.name for one in fighters))


def _count_there(system: System, scene: Scene, trigger: Trigger) -> Threshold:
    """How many are at a place."""
    field, upright = scene.field, _upright(system, scene, meant(scene, trigger.who))
    there: tuple[str, ...] = ()
    if field is not None:
        cells = {field.cell(place) for place in field.cells_of(trigger.reach)}
        places = ((name, scene.fighters[name].at) for name in upright)
        there = tuple(name for name, at in places if at is not None and field.cell(at) in cells)
    return Threshold(
        "reach", len(there), max(1, len(upright)) if trigger.everyone else trigger.many, upright, there
    )


def _upright(system: System, scene: Scene, fighters: Sequence[Fighter]) -> tuple[str, ...]:
    """The names of those of some fighters who still stand."""
    upright = {name for names in standing(system, scene).values() for name in names}
    return tuple(one.name for one in fighters if one.name in upright)


# What


def happen(system: System, scene: Scene, intent: Intent, table: Table) -> Resolution:
    """An event of the encounter comes up: where it has odds a die says whether it happens, then all that it brings."""
    number = intent.get("event", 0)
    encounter = scene.encounter
    if encounter is None or not 0 < number <= len(encounter.triggers):
        raise Refused(f"there is no event {number} here", code="no_event")
    trigger = encounter.triggers[number - 1]
    if not holds(system, scene, trigger) or (number in scene.fired and not trigger.again):
        raise Refused(f"event {number} is not due", code="no_event")
    clock = Clock(system, scene, intent, table)
    is_on = trigger.chance is None or _falls(table, trigger.chance)
    clock.scene = put(
        scene, clock.events, change(scene, "", "fired", (*scene.fired, number if is_on else -number))
    )
    outcome: dict[str, Any] = {"event": number}
    if trigger.chance is not None:
        outcome |= {"success": is_on, "word": "happens" if is_on else "no event"}
    if not is_on:
        return clock.done(**outcome)
    outcome["text"] = trigger.text
    _change(clock, trigger)
    # Those who come are not among those who leave, though they may have the same name.
    leaving = [one.name for word in trigger.remove for one in meant(clock.scene, word)]
    room = MOST_FIGHTERS - len(clock.scene.fighters)
    come, kept_out = comers(system, clock.scene, trigger.add, room, table)
    came = comes_in(clock, [one.name for one in come], [record_of(one) for one in come], {}, table)
    if come:
        late = (*scene.late, *(one.name for one in come))
        clock.scene = put(clock.scene, clock.events, change(clock.scene, "", "late", late))
        outcome |= {"joined": [one.name for one in come], **came.outcome}
    if kept_out:
        outcome["kept_out"] = kept_out
    goes_out(clock, leaving)
    if trigger.tension:
        outcome["tension_by"] = trigger.tension
    if trigger.wins:
        outcome["wins"] = trigger.wins
    return clock.done(**outcome)._replace(stake=came.stake, modifiers=came.modifiers)


def _falls(table: RuleTable, chance: int) -> bool:
    """A rule: whether a d100 falls at or below a chance in percent."""
    table.label(EVENT, "", f"d{DIE}")
    came = table.die(DIE)
    table.result(total=came, target=chance, under=True, success=came <= chance)
    return bool(came <= chance)


def _change(clock: Clock, trigger: Trigger) -> None:
    """Terrain, conditions and doctrines."""
    for put_there in trigger.terrain:
        _put_terrain(clock, put_there)
    for word, levels in trigger.conditions.items():
        for one in meant(clock.scene, word):
            for name, level in levels.items():
                if not one.gone:
                    kind = clock.system.conditions[name]
                    found = set_condition(kind, clock.scene, one.name, name, level)
                    clock.scene = put(clock.scene, clock.events, settle(clock.system, clock.scene, found))
    for word, doctrine in trigger.doctrine.items():
        for one in meant(clock.scene, word):
            clock.scene = put(clock.scene, clock.events, change(clock.scene, one.name, "mind", doctrine))


def _put_terrain(clock: Clock, wanted: LegendChange) -> None:
    """Another entry of the legend at a place of the map."""
    field = clock.scene.field
    key = field.key_of(wanted.to) if field is not None else None
    if field is None or key is None or not field.has(field.cell(wanted.at)):
        return
    what = TERRAIN + spelled(field.place(field.cell(wanted.at)))
    clock.scene = put(clock.scene, clock.events, change(clock.scene, "", what, key))


# Who comes


def comers(
    system: System, scene: Scene, groups: Iterable[Group], room: int, table: RuleTable
) -> tuple[list[Fighter], int]:
    """The fighters of groups, who are not in the scene yet: how many and where they stand, dice say. There is room for
    so many; how many more would have come stands beside them."""
    found: list[Fighter] = []
    kept_out = 0
    for group in groups:
        sheet = group.sheet
        assert not isinstance(sheet, str), "journals hold whole sheets"
        taken = {*scene.fighters, *(one.name for one in found)}
        many, free = named_copies(group, str(sheet["name"]), taken, table)
        names = list(islice(free, max(0, room - len(found))))
        kept_out += many - len(names)
        made = [made_of(system, group, sheet, name) for name in names]
        here = (*scene.fighters.values(), *found)
        found += placed(scene, here, made, group.spots, table)
    return found, kept_out


def named_copies(
    group: Group, of_sheet: str, taken: Iterable[str], table: RuleTable
) -> tuple[int, Iterator[str]]:
    """How many fighters a group has, and their names, each made when it is asked for: numbered where there are or may
    be several, or others have the name."""
    name, used = group.name or of_sheet, set(taken)
    many = 1 if group.many is None else Amount.roll(table, "count", name, group.many)
    if group.many and group.many.many:
        table.part("count", "flat", group.many.plus, "", "count", name)
    if group.many in (None, ALONE) and not any(is_one_of(other, name) for other in used):
        return 1, iter((name,))
    first = 2 if name in used else 1
    free = (f"{name} {number}" for number in count(first) if f"{name} {number}" not in used)
    return many, islice(free, many)


def made_of(system: System, group: Group, sheet: Mapping[str, Any], name: str) -> Fighter:
    """One fighter of a group."""
    sheet = sheet if group.leaves_loot else {**sheet, "loot": False}
    one = starting_fighter(system, sheet, name=name, side=group.side, player=False)
    pools = {pool: one.bounded(pool, value) for pool, value in group.pools.items() if pool in one.pools}
    changed = one._replace(
        pools={**one.pools, **pools}, conditions={**one.conditions, **group.conditions}, mind=group.doctrine
    )
    return settled(system, changed)


def placed(
    scene: Scene, here: Iterable[Fighter], fighters: Sequence[Fighter], spots: Spots, table: RuleTable
) -> list[Fighter]:
    """Fighters at their spots: points in their order, or cells of a place that dice choose among those that are free.

    Where a place has no free cell left, all of its cells count; without spots fighters stay where they are.
    """
    if not spots.place or scene.field is None:
        points = [*spots.points, *(one.at for one in fighters[len(spots.points) :])]
        return [one._replace(at=at or one.at) for one, at in zip(fighters, points, strict=False)]
    field = scene.field
    cells = field.floor_of(spots.place)
    taken = {field.cell(one.at) for one in here if one.at is not None and not one.gone}
    free = [at for at in cells if field.zones or field.cell(at) not in taken]
    found: list[Fighter] = []
    for one in fighters:
        left = free or cells
        at = 0
        if not spots.is_fixed and len(left) > 1:
            table.label("place", one.name, f"d{len(left)}")
            at = table.die(len(left)) - 1
        found.append(one._replace(at=left[at] if left else one.at))
        if free and not field.zones:
            free.pop(at)
    return found
