"""Sources of what can be done and set: actions, pools and conditions, cover, reactions, doctrines."""

from __future__ import annotations

from ..engine.system import Action
from ..engine.validate import UNREACTIVE
from ..errors import CrisisError
from ..sheets.find_fighters import is_present
from .line import Line, Offers, offer
from .names import carried, fighters, skills, spelled


def checked(line: Line) -> Offers:
    """The words of `check`: a fighter, who may be left out in a crisis, then a skill."""
    words = line.arguments
    if not words:
        yield from fighters(line)
    owner = line.fighter(words[0]) if words else line.scene
    if owner and len(words) < 2:
        yield from skills(line)


def acts(line: Line) -> Offers:
    """The words of `act`: a fighter, an action, and what or whom it is about."""
    words = list(line.arguments)
    if line.scene is None or (words and is_present(line.scene, words[0])):
        words = words[1:]
    if not line.arguments:
        yield from fighters(line)
    if not words and (line.arguments or line.scene):
        yield from _actions(line)
    name = words[0].replace("_", "-") if words else ""
    row = next((system.actions[name] for system in line.systems if name in system.actions), None)
    if row:
        yield from _about(line, row)


def _actions(line: Line) -> Offers:
    for system in line.systems:
        for name, row in system.actions.items():
            if row.window != "table":
                yield offer(name, row.title)


def _about(line: Line, row: Action) -> Offers:
    if row.gear:
        yield from carried(line, row.gear)
    if row.targets != "none":
        yield from fighters(line)


def settable(line: Line) -> Offers:
    """What `set` can change of the fighter or the side named."""
    one = line.fighter(line.arguments[0])
    if one is None or line.scene is None:
        for pool, row in line.systems[0].side_pools.items():
            yield offer(pool, row.label)
        return
    for pool, left in one.pools.items():
        yield offer(pool.replace(" ", "-"), str(left))
    yield offer("at", "X,Y")
    yield offer("held", ", ".join(one.held))
    yield offer("yielded", "on" if one.yielded else "off")
    for name, condition in line.systems[0].conditions.items():
        yield offer(f"condition:{name}", condition.rule)
    for other in line.scene.fighters.values():
        if other.name != one.name:
            yield offer(f"cover:{spelled(line.scene, other.name)}", one.cover.get(other.name, "none"))


def settings(line: Line) -> Offers:
    """The values of what `set` changes, where they are words."""
    kind = line.arguments[1].partition(":")[0]
    one = line.fighter(line.arguments[0])
    if kind in ("condition", "yielded"):
        yield from map(offer, ("on", "off"))
    elif kind == "cover":
        yield from covers(line)
    elif kind in ("held", "at"):
        gear = one.carried(line.systems[0].carried) if one and kind == "held" else ()
        yield from map(offer, (*gear, "none"))


def controlled(line: Line) -> Offers:
    """The words of `auto`: a fighter, then who decides for them: `on`, `off` or a doctrine."""
    if not line.arguments:
        yield from fighters(line)
        return
    yield offer("on", "plays automatically")
    yield offer("off", "you play the fighter")
    shelf = line.context.doctrines()
    for name in shelf.names():
        try:
            yield offer(name, shelf.named(name).about)
        except CrisisError:
            continue


def covers(line: Line) -> Offers:
    """Degrees of cover."""
    words = [word for system in line.systems for word in getattr(system.cover, "words", ())]
    yield from map(offer, dict.fromkeys(words))


def reactions(line: Line) -> Offers:
    """How an attack may be answered in the system."""
    rows = [row for system in line.systems for row in system.actions.values()]
    none, *others = UNREACTIVE
    words = (none, *(word for row in rows for word in row.reactions), *others)
    yield from map(offer, dict.fromkeys(words))
