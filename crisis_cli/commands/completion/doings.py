"""What can be done and set, and how: actions, pools and conditions, cover, reactions."""

from __future__ import annotations

from collections.abc import Iterator

from ...errors import CrisisError
from ...sheets.cast import is_here
from ...systems.system import Action
from ..options import REACTIONS
from .sources import Line, Offer, people, skills, spelled, things


def checked(line: Line) -> Iterator[Offer]:
    """Whose check, then of which skill; in a crisis the fighter may be left out."""
    if not line.bare:
        yield from people(line)
    whose = line.scene if not line.bare else line.fighter(line.bare[0])
    if whose and len(line.bare) < 2:
        yield from skills(line)


def acts(line: Line) -> Iterator[Offer]:
    """Who acts, what they do, and with what or to whom."""
    words = list(line.bare)
    if line.scene is None or (words and is_here(line.scene, words[0])):
        words = words[1:]
    if not line.bare:
        yield from people(line)
    if not words and (line.bare or line.scene):
        yield from actions(line)
    rows = [
        row for system in line.systems if words and (row := system.ACTIONS.get(words[0].replace("_", "-")))
    ]
    if rows:
        yield from _about(line, rows[0])


def actions(line: Line) -> Iterator[Offer]:
    """What can be done."""
    for system in line.systems:
        for name, row in system.ACTIONS.items():
            if row.window != "table":
                yield Offer(name, row.title)


def _about(line: Line, row: Action) -> Iterator[Offer]:
    if row.gear:
        yield from things(line, row.gear)
    if row.targets != "none":
        yield from people(line)


def settable(line: Line) -> Iterator[Offer]:
    """What the GM can set of someone."""
    one = line.fighter(line.bare[0])
    if one is None or line.scene is None:
        for pool, row in line.systems[0].SIDE_POOLS.items():
            yield Offer(pool, row.label)
        return
    for pool, left in one.pools.items():
        yield Offer(pool.replace(" ", "-"), str(left))
    yield Offer("at", "X,Y")
    yield Offer("held", ", ".join(one.held))
    yield Offer("yielded", "on" if one.yielded else "off")
    for name, condition in line.systems[0].CONDITIONS.items():
        yield Offer(f"condition:{name}", condition.rule)
    for other in line.scene.fighters.values():
        if other.name != one.name:
            yield Offer(f"cover:{spelled(line.scene, other.name)}", one.cover.get(other.name, "none"))


def setting(line: Line) -> Iterator[Offer]:
    """The values of what the GM sets, where they are words."""
    kind = line.bare[1].partition(":")[0]
    one = line.fighter(line.bare[0])
    if kind in ("condition", "yielded"):
        yield from (Offer("on"), Offer("off"))
    elif kind == "cover":
        yield from map(Offer, getattr(line.systems[0].COVER, "words", ()))
    elif kind in ("held", "at"):
        gear = [*one.sheet.get("weapons", {}), *one.sheet.get("items", {})] if one and kind == "held" else []
        yield from (Offer(name) for name in (*gear, "none"))


def hands(line: Line) -> Iterator[Offer]:
    """Who decides for a fighter: a doctrine or the player."""
    yield from (Offer("on", "plays itself"), Offer("off", "you play it"))
    shelf = line.desk.doctrines()
    for name in shelf.names():
        try:
            yield Offer(name, shelf.named(name).about)
        except CrisisError:
            continue


def covers(line: Line) -> Iterator[Offer]:
    """Degrees of cover."""
    words = [word for system in line.systems for word in getattr(system.COVER, "words", ())]
    yield from (Offer(word) for word in dict.fromkeys(words))


def reactions(line: Line) -> Iterator[Offer]:
    """How an attack may be answered in the system."""
    rows = [row for system in line.systems for row in system.ACTIONS.values()]
    known = {"none", "best", "ask", *(word for row in rows for word in row.reactions)}
    yield from (Offer(word) for word in REACTIONS if word in known)
