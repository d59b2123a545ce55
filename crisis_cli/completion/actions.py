"""Candidates for actions, and for the values of options: pools, conditions, cover, reactions, doctrines."""

from __future__ import annotations

from ..engine.scene import slug
from ..engine.system import Action
from ..engine.validate import UNREACTIVE
from ..errors import CrisisError
from ..sheets.find_fighters import is_present
from .line import Candidates, CommandLine, candidate
from .names import carried_items, fighters, skills, typed_name


def check_arguments(line: CommandLine) -> Candidates:
    """Arguments of `check`: a fighter (optional in a crisis), then a skill."""
    words = line.arguments
    if not words:
        yield from fighters(line)
    owner = line.fighter(words[0]) if words else line.scene
    if owner and len(words) < 2:
        yield from skills(line)


def action_arguments(line: CommandLine) -> Candidates:
    """Arguments of `act`: a fighter (optional in a crisis), an action, then its item or targets."""
    words = list(line.arguments)
    if line.scene is None or (words and is_present(line.scene, words[0])):
        words = words[1:]
    if not line.arguments:
        yield from fighters(line)
    if not words and (line.arguments or line.scene):
        yield from _actions(line)
    name = words[0].replace("_", "-") if words else ""
    row = next((system.actions[name] for system in line.systems if name in system.actions), None)
    if row and "to" in row.options and line.scene and any(one.at for one in line.scene.fighters.values()):
        yield from _directions(line, words[1:])
    elif row:
        yield from _about(line, row)


def _directions(line: CommandLine, words: list[str]) -> Candidates:
    """The words of a move: a direction, then a fighter."""
    if not words:
        yield candidate("toward", "as far as possible toward NAME")
        yield candidate("away", "from the nearest opponent, or from NAME")
        yield candidate("beside", "to a place beside NAME")
    elif len(words) == 1:
        scene = line.scene
        found = [*fighters(line)]
        # As a rule one goes toward opponents.
        foes = {typed_name(scene, one.name) for one in scene.foes(scene.turn)} if scene and scene.turn else ()
        yield from sorted(found, key=lambda one: one.value not in foes)
        if scene is not None and scene.field is not None and words[0].lower().startswith("toward"):
            yield from (candidate(slug(name), "a place of the map") for name in scene.field.open_places())


def _actions(line: CommandLine) -> Candidates:
    for system in line.systems:
        for name, row in system.actions.items():
            if row.window != "table":
                yield candidate(name, row.title)


def _about(line: CommandLine, row: Action) -> Candidates:
    if row.gear:
        yield from carried_items(line, row.gear)
    if row.targets != "none":
        yield from fighters(line)


def set_properties(line: CommandLine) -> Candidates:
    """The properties of the named fighter or side that `set` can change."""
    one = line.fighter(line.arguments[0])
    if one is None and line.scene is not None and line.arguments[0].lower() == "terrain":
        return
    if one is None or line.scene is None:
        for pool, row in line.systems[0].side_pools.items():
            yield candidate(pool, row.label)
        return
    for pool, left in one.pools.items():
        yield candidate(pool.replace(" ", "-"), str(left))
    yield candidate("at", "X,Y")
    yield candidate("held", ", ".join(one.held))
    yield candidate("yielded", "on" if one.yielded else "off")
    for name, condition in line.systems[0].conditions.items():
        yield candidate(f"condition:{name}", condition.rule)
    for other in line.scene.fighters.values():
        if other.name != one.name:
            yield candidate(f"cover:{typed_name(line.scene, other.name)}", one.cover.get(other.name, "none"))


def set_values(line: CommandLine) -> Candidates:
    """The values of a property that `set` changes, if they are words."""
    if line.arguments[0].lower() == "terrain" and line.scene is not None and line.scene.field is not None:
        yield from map(candidate, (line.scene.known_field or line.scene.field).names())
        return
    kind = line.arguments[1].partition(":")[0]
    one = line.fighter(line.arguments[0])
    if kind in ("condition", "yielded"):
        yield from map(candidate, ("on", "off"))
    elif kind == "cover":
        yield from cover_levels(line)
    elif kind in ("held", "at"):
        gear = one.carried(line.systems[0].carried) if one and kind == "held" else ()
        yield from map(candidate, (*gear, "none"))


def auto_arguments(line: CommandLine) -> Candidates:
    """Arguments of `auto`: a fighter, then `on`, `off` or a doctrine."""
    if not line.arguments:
        yield from fighters(line)
        return
    yield candidate("on", "plays automatically")
    yield candidate("off", "you play the fighter")
    yield from doctrines(line)


def questions(line: CommandLine) -> Candidates:
    """The settings of `questions`, each with its meaning."""
    yield candidate("all", "ask wherever an answer makes a difference")
    yield candidate("few", "ask where it matters")
    yield candidate("none", "take what is free, buy nothing")
    yield candidate("again", "forget the answers that hold for later")


def doctrines(line: CommandLine) -> Candidates:
    """The doctrines in reach, each with what it is about."""
    shelf = line.context.desk.shelves.doctrines()
    for name in shelf.names():
        try:
            yield candidate(name, shelf.named(name).about)
        except CrisisError:
            continue


def simulated_doctrines(line: CommandLine) -> Candidates:
    """The values of `simulate --doctrine`: plain, own, or any doctrine in reach."""
    yield candidate("plain", "the best expected harm on the nearest foe that is worth it")
    yield candidate("own", "every fighter by the doctrine of its sheet")
    yield from doctrines(line)


def cover_levels(line: CommandLine) -> Candidates:
    """Levels of cover."""
    words = [word for system in line.systems for word in getattr(system.space.cover, "words", ())]
    yield from map(candidate, dict.fromkeys(words))


def reactions(line: CommandLine) -> Candidates:
    """The values of `--react` in the system."""
    rows = [row for system in line.systems for row in system.actions.values()]
    none, *others = UNREACTIVE
    words = (none, *(word for row in rows for word in row.reactions), *others)
    yield from map(candidate, dict.fromkeys(words))
