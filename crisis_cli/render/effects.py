"""What an entry changed, in words: the clock, who lost or gained what, whose turn it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from ..engine.changes import COST, LIMIT, RENEWED, ROLLED, parts_of
from ..engine.events import SIDE, Event
from ..engine.record import Entry
from ..engine.scene import BOUGHT, Scene
from ..engine.system import System
from ..engine.wording import measured, with_the
from .charts import minus, place
from .messages import begun, covered, ended, listed, no_longer, remarks, says_where
from .sides import LOST, OUT, WON_BACK, bearing, is_played
from .style import Ink
from .visible import CLOCK, HIDDEN

FALLEN = ("dead", "dying", "down")
"""How fighters are out of the fight."""
RESTED = "rest"
"""The part of a change that a rest makes."""
BEYOND = "beyond"
"""Stands before the bound of a pool, behind what the pool cannot take."""


def changes(
    entry: Entry, scene: Scene, system: System, ink: Ink, past: Sequence[Entry] = ()
) -> Iterator[str]:
    """What an entry changed: the clock first, then who lost or gained what, then whose turn it is.

    `scene` is any scene with its fighters; `past` are the entries before.
    """
    clock = [event for event in entry.events if not event.who]
    rolled = {one.what for one in entry.rolls}
    yield from (ink("cyan", said) for event in clock if (said := _begun(event)))
    if entry.intent.action == "set":
        yield from (", ".join(event.now) for event in clock if event.what == "order")
    elif entry.intent.action != "init" and any(event.what == "round" for event in clock):
        yield from (f"Turn order: {', '.join(event.now)}." for event in clock if event.what == "order")
    yield from (
        line for event in clock if event.what == "pending" for line in _waiting(event, system, rolled)
    )
    pools: dict[str, list[str]] = {}
    sentences: list[str] = []
    for event in entry.events:
        sentences += _lost(event, entry)
        if not event.who or event.what.startswith(HIDDEN):
            continue
        kind = system.pools.get(event.what)
        shown = "" if kind and kind.spent else _pool(event, system, entry, rolled)
        if by := life_won(event, system):
            shown = ink(bearing(by > 0, event.who, scene), f"{WON_BACK if by > 0 else LOST} {shown}")
        if shown:
            pools.setdefault(event.who.removeprefix(SIDE), []).append(shown)
        sentences += _sentence(event, scene, system, ink, entry)
    width = ink.widest(pools)
    yield from (f"{ink.padded(who, width)}  {' · '.join(changes)}" for who, changes in pools.items())
    yield from sentences
    yield from (ink("dim", said) for said in remarks(entry, system))
    # That a fighter is out of the fight was said when it fell.
    yield from (
        ink("dim", f"{who} is skipped: {why}.")
        for who, why in entry.outcome.get("skipped", ())
        if why not in FALLEN
        and not (why in system.conditions and system.conditions[why].defeated)
        and not _is_known_to_be_skipped(who, why, past)
    )
    yield from (ink("dim", line) for line in _gained(entry, system))
    group = next((event.now for event in clock if event.what == "group" and not event.was), ())
    if len(group) > 1:
        yield ink("bold", f"{listed(group)} act at the same time, in any order.")
        return
    turns = [event.now for event in clock if event.what == "turn" and event.now]
    # If the same fighter acts again, no event says so, but the player wants to know.
    turn = turns[-1] if turns else entry.outcome.get("turn") if entry.intent.action == "next" else ""
    if turn:
        yield ink("cyan", f"{turn}'s turn.")
    elif entry.intent.action == "next" and entry.outcome.get("turn") == "":
        yield ink("cyan", "No fighter can act, round after round.")


def life_won(event: Event, system: System) -> int:
    """How much life an event gives a fighter, below 0 what it takes; 0 where it is about anything else, or a price."""
    kind = system.pools.get(event.what)
    if kind is None or not event.who or kind.spent or kind.gear or kind.takes_harm or kind.not_vital:
        return 0
    is_price = {part.name for part in parts_of(event)} == {COST}
    return 0 if is_price else int(event.was - event.now if kind.counts_up else event.now - event.was)


def _is_known_to_be_skipped(who: str, why: str, past: Sequence[Entry]) -> bool:
    """Whether a fighter was skipped for this cause before, and has had no turn since."""
    for entry in reversed(past):
        if (who, why) in map(tuple, entry.outcome.get("skipped", ())):
            return True
        if entry.intent.actor == who:
            return False
    return False


def _waiting(event: Event, system: System, rolled: Collection[str]) -> Iterator[str]:
    """Harm that takes effect at the end of the group's turn."""
    for who, what, by, _ in event.now[len(event.was) :]:
        how = sum_up(event, rolled)
        yield f"{who}: {_label(what, system)} −{-by}{how}, at the end of the turn of those who act now."


def _begun(event: Event) -> str:
    """The sentence for a round that begins, or the extra turn before the first."""
    if event.what == "early" and event.now:
        return f"An extra turn before the first round for {' and '.join(event.now)}."
    return f"Round {event.now} begins." if event.what == "round" and event.now else ""


def _gained(entry: Entry, system: System) -> Iterator[str]:
    """The pools that a round or turn has not refilled as usual, one line for each pool: `AP 0 → 2: Jack, Drone`."""
    gains: dict[str, dict[str, list[str]]] = {}
    for who, what, was, now, _ in entry.events:
        kind = system.pools.get(what)
        is_set = entry.intent.action == "set"
        if kind and (
            (kind.renewed and entry.intent.action in CLOCK) or (0 < kind.gain == now - was and not is_set)
        ):
            continue
        if who and kind and kind.spent and (who != entry.intent.actor or now > was):
            gains.setdefault(kind.label, {}).setdefault(f"{minus(was)} → {minus(now)}", []).append(who)
    for label, names_by_gain in gains.items():
        # Names may end in numbers: they stand apart from those of the pool.
        yield f"{label} " + "; ".join(f"{by}: {', '.join(names)}" for by, names in names_by_gain.items())


def bought(events: Iterable[Event], system: System) -> list[str]:
    """What another pool pays for because its own has too little: "Major action bought for 2 AP"."""
    marks = (one.what.split(":") for one in events if one.what.startswith(f"mark:{BOUGHT}:") and one.now)
    found = []
    for _, _, name in marks:
        pool = system.pools[name]
        if pool.made_of:
            price = measured(pool.made_of.takes, labelled(pool.made_of.pool, system))
            found.append(f"{measured(pool.made_of.gives, pool.label)} bought for {price}")
    return found


def left(entry: Entry, scene: Scene, system: System) -> str:
    """What was bought for the action, and what is left of the pools that paid, as `2 AP left`, where a player plays."""
    spent = [
        event
        for event in entry.events
        if event.who == entry.intent.actor and event.what in system.pools and is_played(event.who, scene)
    ]
    remains = (
        f"{measured(event.now, system.pools[event.what].label)} left"
        for event in spent
        if system.pools[event.what].spent and event.now < event.was
    )
    return ", ".join((*bought(entry.events, system), *remains))


def _pool(event: Event, system: System, entry: Entry, rolled: Collection[str]) -> str:
    label, kind = _label(event.what, system), system.pools.get(event.what)
    if label and event.now < event.was and event.who == entry.intent.actor and system.is_of_thing(event.what):
        return f"{measured(event.was - event.now, label)} spent, {event.now} left"
    if not label:
        return ""
    parts = parts_of(event)
    if kind and not kind.not_vital and {one.name for one in parts} == {RESTED}:
        is_worse = (event.now > event.was) == kind.counts_up
        how = " (the wound got worse)" if is_worse else sum_up(event, rolled)
    else:
        # What stands by itself explains nothing about armour.
        how = "" if kind and kind.not_vital and len(parts) == 1 else sum_up(event, rolled)
    return f"{label} {minus(event.was)} → {minus(event.now)}{how}"


def sum_up(event: Event, rolled: Collection[str]) -> str:
    """How a change adds up: ` (7 damage − 2 armour)`, ` (5 damage − 2 beyond 0)`; empty where it is one number that is
    a price, or a roll that is shown.

    `rolled` are the names of the rolls that are shown: each is one number here, with all that went into it.
    """
    values: dict[str, int] = {}
    for part in parts_of(event):
        name = part.roll if part.roll in rolled or part.name == ROLLED else part.name
        # What a pool cannot take is named by the bound that it has met; harm that waits meets the lowest.
        name = f"{BEYOND} {minus(event.now if event.who else 0)}" if name == LIMIT else name
        values[name] = values.get(name, 0) + part.value
    if not values or (len(values) == 1 and _is_said({*values}.pop(), rolled)):
        return ""
    sign = -1 if next(iter(values.values())) < 0 else 1
    (first, value), *rest = values.items()
    more = (f" {'−' if sign * by < 0 else '+'} {_counted(abs(by), name)}" for name, by in rest)
    return f" ({_counted(abs(value), first)}{''.join(more)})"


def _is_said(part: str, rolled: Collection[str]) -> bool:
    """Whether a change that is one part needs no words: a price, or a roll that is shown, such as `piercing damage`."""
    return part in (COST, RENEWED) or any(part in one for one in rolled)


def _counted(number: int, name: str) -> str:
    """A part of a sum: `7 damage`, `2 beyond 0`."""
    return f"{number} {name}" if name.startswith(BEYOND) else measured(number, name).rstrip()


def labelled(what: str, system: System) -> str:
    """The label of anything that can change."""
    return _label(what, system) or what.replace(":", " ").replace("condition ", "")


def _label(what: str, system: System) -> str:
    """The label of a pool; empty for anything else."""
    kind, _, thing = what.partition(":")
    pool = system.pools.get(kind) or system.side_pools.get(kind)
    return "" if pool is None else f"{thing} {pool.label}" if thing else pool.label


def _lost(event: Event, entry: Entry) -> list[str]:
    """The payment for a long action that is lost, because the fighter did something else."""
    _, _, what = event.what.removeprefix("mark:").partition(":")
    action, _, gear = what.partition(":")
    if event.now or not event.what.startswith("mark:paid:") or entry.intent.action == action:
        return []
    return [f"The {event.was} paid into {action} {gear}".rstrip() + " are lost."]


def _sentence(event: Event, scene: Scene, system: System, ink: Ink, entry: Entry) -> list[str]:
    kind, _, name = event.what.partition(":")
    if kind == "condition":
        if not event.now and (
            is_hidden_by_worse(event, entry, system) or _is_over_by_rest(name, entry, system)
        ):
            return []
        if isinstance(event.now, bool) or not event.now or not event.was:
            said = begun(event.who, name, system) if event.now else ended(event.who, name, system)
            known = system.conditions.get(name)
            needs_feet = known is not None and (known.is_brief or known.cannot_act)
            if not event.now and needs_feet and _stays_out_of_the_fight(event.who, entry, scene, system):
                if known and known.defeated == "down":
                    # Who is dying, or still down, is so by more than this.
                    return []
                said = no_longer(event.who, name, system)
            rolled = {one.what for one in entry.rolls}
            how = sum_up(event, rolled).strip(" ()") if len(parts_of(event)) > 1 else ""
            why = (f"level {event.now}" * (event.now > 1), how)
            level = f" ({': '.join(filter(None, why))})" if any(why) else ""
            known = system.conditions.get(name)
            is_bad = known is not None and (known.cannot_act or known.defeated)
            style = bearing(not event.now, event.who, scene) if is_bad else "yellow"
            mark = f"{OUT} " if event.now and _defeat(event, system) else ""
            return [ink(style, f"{mark}{said[:-1]}{level}{said[-1]}")]
        return [f"{event.who}: {name.replace('-', ' ')} {event.was:d} → {event.now}."]
    if kind == "yielded" and event.now and entry.intent.action not in ("yield", "set"):
        return [ink("yellow", f"{event.who} surrenders.")]
    if kind == "at":
        is_new = event.now and not says_where(entry, event, system)
        return [f"{event.who} is at {place(event.now)}."] if is_new else []
    if kind == "cover":
        return [f"{event.who} is {_cover(event.now)} from {name}."]
    if kind == "held":
        gear = entry.outcome.get("gear")
        if event.who == entry.intent.actor and gear in event.now and gear not in event.was:
            return []  # The sentence of the action says what was taken in hand.
        was, now = Counter(event.was), Counter(event.now)
        if now <= was:
            dropped = [with_the(gear) for gear in (was - now).elements()]
            return [f"{event.who} no longer holds {listed(dropped)}."]
        return [f"{event.who} now holds {', '.join(event.now)}."]
    return []


def _is_over_by_rest(condition: str, entry: Entry, system: System) -> bool:
    """Whether a condition of the fight, such as kneeling, is over because its fighter rests."""
    known = system.conditions.get(condition)
    return entry.intent.action == "rest" and known is not None and not known.lasting


def _stays_out_of_the_fight(who: str, entry: Entry, scene: Scene, system: System) -> bool:
    """Whether a fighter is dead or dying at the end of a fight, or dead, dying or down at the end of a rest: then
    nobody is on their feet again."""
    if entry.intent.action == "end":
        return system.fallen(scene.fighters[who]) in ("dead", "dying")
    came = next((one for one in entry.intent.get("fighters", ()) if one["name"] == who), None)
    if came is None:
        return False
    levels = {f"condition:{name}": level for name, level in came["conditions"].items()}
    levels.update((one.what, one.now) for one in entry.events if one.who == who)
    return any(
        known.defeated and levels.get(f"condition:{name}") for name, known in system.conditions.items()
    )


def is_hidden_by_worse(event: Event, entry: Entry, system: System) -> bool:
    """Whether a condition ends only because its fighter dies or is dying now."""
    begun = [_defeat(one, system) for one in entry.events if one.who == event.who and one.now]
    return "dead" in begun or ("dying" in begun and _defeat(event, system) != "dead")


def _defeat(event: Event, system: System) -> str:
    """How the condition that an event is about puts a fighter out of the fight; empty where it does not."""
    kind, _, name = event.what.partition(":")
    known = system.conditions.get(name) if kind == "condition" else None
    return known.defeated if known else ""


def _cover(level: str | None) -> str:
    return f"in {covered(level)}" if level not in (None, "none") else "without cover"


def moved(event: Event) -> str:
    """The value before and the value after."""
    return f"{_value(event.was)} → {_value(event.now)}"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value)) or "nothing"
    return "none" if value is None else minus(value) if isinstance(value, int) else str(value)
