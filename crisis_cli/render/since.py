"""What has happened since a player's last turn, in a line: harm to one's own side, and where foes stand now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..engine.events import Event, revert_all
from ..engine.geometry import distance
from ..engine.record import EVENT, Entry
from ..engine.scene import Scene
from ..engine.system import System
from ..engine.wording import measured
from .effects import life_won
from .goals import changed_counts
from .messages import changed_by, listed, stated
from .sides import bearing, own_side
from .style import Ink

INDENT = 2
"""Columns by which the lines are set in."""
MORE = "; …"
"""Shown in place of what does not fit."""


def since(
    done: Sequence[Entry],
    scene: Scene,
    system: System,
    ink: Ink,
    width: int,
    who: str = "",
    own_harm_only: bool = False,
    most: int = 1,
) -> list[str]:
    """What has changed since the last turn of `who`, or of the player's fighter who acts now; empty if nothing has.

    What hurts stands first: who of one's own side is out of the fight, then its harm, the goals that have come nearer,
    the harm of foes, and where they are. All harm to one's own side is listed, on as many lines as it needs; the rest
    as long as it fits the last of them, or all of it `most` lines.
    """
    entries = after_own_turn(done, scene, who)
    events = [event for entry in entries for event in entry.events]
    own = own_side(scene)
    names = [name for name, one in scene.fighters.items() if one.side == own]
    names.sort(key=lambda name: not system.fallen(scene.fighters[name]))
    parts = [said for name in names if (said := _changes_of(name, events, scene, system))]
    is_hurt = any(life_won(event, system) < 0 for event in events if event.who in names)
    more = [] if own_harm_only else [*_of_goals(events, scene, system), *_of_foes(events, scene, system)]
    if not parts and not more:
        return []
    title = "Since the start" if len(entries) + 1 >= len(done) else "Since your turn"
    room = width - INDENT - len(MORE)
    said = "; ".join(parts)
    for one in more:
        longer = f"{said}; {one}" if said else one
        # What foes do fills the lines that there are for it, or that their harm has begun.
        if len(_lines(title, longer, room, ink)) > max(most, len(_lines(title, said, room, ink))):
            said += MORE if said else ink.cut(one, room - len(title) - 2)
            break
        said = longer
    style, lines = bearing(not is_hurt, names[0], scene), []
    # Only what one's own side lost or won back is good or bad.
    left = len(f"{title}: {'; '.join(parts)}") if parts else 0
    for line in _lines(title, said, room + len(MORE), ink):
        lines.append(" " * INDENT + ink(style, line[:left]) + ink("dim", line[left:]))
        left = max(0, left - len(line) - 1)
    return lines


def _of_goals(events: Sequence[Event], scene: Scene, system: System) -> Iterator[str]:
    """The goals that have come nearer, or farther; those of rounds left out, which pass by themselves."""
    changes = changed_counts(system, revert_all(scene, events), scene) if scene.encounter else ()
    yield from (_unbroken(change.said) for change in changes if change.key != "after")


def _lines(title: str, said: str, width: int, ink: Ink) -> list[str]:
    return ink.wrapped(f"{title}: {said}", width)


def after_own_turn(done: Sequence[Entry], scene: Scene, who: str = "") -> list[Entry]:
    """The entries after the last one of a player or the GM in the turn of `who`; the first entry left out.

    Without `who` it is the turn of the player's fighters who act now, or else of any of them. What a fighter does in
    the turn of another, as a response, ends nothing. Outside all turns, every entry of a player counts.
    """
    players = {name for name, one in scene.fighters.items() if one.player}
    mine = {who} if who else (players & {*scene.acting}) or players
    turn, group = scene.turn, scene.group
    found: list[Entry] = []
    for entry in reversed(done[1:]):
        for event in reversed(entry.events):
            if not event.who and event.what == "turn":
                turn = str(event.was)
            elif not event.who and event.what == "group":
                group = tuple(event.was)
        acting = {*group} or {turn} - {""}
        actor = entry.intent.actor
        is_players = entry.intent.action != EVENT and (actor not in scene.fighters or actor in players)
        if is_players and (not acting or acting & mine):
            break
        found.insert(0, entry)
    return found


def _changes_of(name: str, events: Sequence[Event], scene: Scene, system: System) -> str:
    """What a fighter lost and gained in all, with the conditions that began and are still on."""
    fighter = scene.fighters[name]
    lost: dict[str, int] = {}
    gained: dict[str, int] = {}
    begun: dict[str, None] = {}
    for event in events:
        if event.who != name:
            continue
        kind, _, thing = event.what.partition(":")
        if kind == "condition" and event.now and fighter.has(thing):
            begun[thing] = None
        pool = system.pools.get(kind)
        if pool and not pool.spent and not pool.gear:
            by = event.now - event.was
            kept = lost if (by > 0) == pool.counts_up else gained
            kept[event.what] = kept.get(event.what, 0) + by
    harm = [
        _unbroken(changed_by(by, _pool_name(pool, system)))
        for sums in (lost, gained)
        for pool, by in sums.items()
        if by
    ]
    words = [(stated(condition, fighter.conditions[condition], system), condition) for condition in begun]
    out = [word for word, condition in words if _is_defeat(condition, system)]
    said = [*out, *harm, *(word for word, _ in words if word not in out)]
    return f"{_unbroken(name)} {', '.join(said)}" if said else ""


def _is_defeat(condition: str, system: System) -> bool:
    """Whether a condition puts a fighter out of the fight."""
    return condition in system.conditions and bool(system.conditions[condition].defeated)


def _unbroken(words: str) -> str:
    """Words that stay on one line: a name, a number with what it counts."""
    return words.replace(" ", "\N{NO-BREAK SPACE}")


def _pool_name(pool: str, system: System) -> str:
    kind, _, sort = pool.partition(":")
    return f"{sort} {system.pools[kind].label}" if sort else system.pools[kind].label


def _of_foes(events: Sequence[Event], scene: Scene, system: System) -> Iterator[str]:
    """What foes lost; then those who have moved, and who is beside them or nearest."""
    own = own_side(scene)
    foes = [name for name, one in scene.fighters.items() if one.side != own and not one.gone]
    yield from (said for name in foes if (said := _changes_of(name, events, scene, system)))
    places: dict[str, list[str]] = {}
    for name in foes:
        if any(event.who == name and event.what == "at" for event in events):
            places.setdefault(_place_of(name, scene, system), []).append(name)
    for where, names in places.items():
        if where:
            yield f"{listed([*map(_unbroken, names)])} {'is' if len(names) == 1 else 'are'} {where}"


def _place_of(name: str, scene: Scene, system: System) -> str:
    """The fighters beside a foe, else how far from the nearest; empty where positions are not known."""
    gaps = {
        one.name: gap
        for one in scene.foes(name)
        if (gap := distance(system, scene, name, one.name)) is not None and not system.fallen(one)
    }
    beside = [who for who, gap in gaps.items() if gap <= system.space.beside]
    if beside:
        return f"beside {listed([*map(_unbroken, beside)])}"
    if not gaps:
        return ""
    nearest = min(gaps, key=lambda who: gaps[who])
    return f"{_unbroken(measured(gaps[nearest], system.space.unit))} from {_unbroken(nearest)}"
