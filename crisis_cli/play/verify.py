"""Today's rules on yesterday's dice: where a record and the rules part."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from ..errors import CrisisError
from ..table.dice import Choice, Option, Table
from ..table.given import Given
from .encounter import perform
from .events import folded, plain
from .journal import Crisis
from .record import Entry
from .scene import Scene

if TYPE_CHECKING:
    from ..systems.system import System


class Difference(NamedTuple):
    """One place where the rules of today say something else than the record."""

    number: int
    what: str


def again(system: System, scene: Scene, entry: Entry) -> Entry:
    """The entry that today's rules make of the intent, faces and choices recorded."""
    faces = entry.faces
    dice = Given((face for _, face in faces), (sides for sides, _ in faces))
    table = Table(dice, remembered([Choice(one.who, one.offered, one.taken) for one in entry.choices]))
    made = perform(system, scene, entry.intent, table, entry.number, entry.seed)
    dice.finish()
    return made


def remembered(choices: list[Choice]) -> Callable[[str, tuple[Option, ...]], Option]:
    """The chooser that takes what a record says was taken."""
    left = list(choices)

    def choose(who: str, options: tuple[Option, ...]) -> Option:
        taken = left.pop(0).taken if left else options[0].name
        return next((option for option in options if option.name == taken), options[0])

    return choose


def differences(system: System, crisis: Crisis) -> Iterator[Difference]:
    """Where the rules of today part from the record, entry by entry; nothing where they agree."""
    scene = crisis.start
    for entry in crisis.done:
        yield from _compared(system, scene, entry)
        scene = folded(scene, entry.events)


def _compared(system: System, scene: Scene, entry: Entry) -> Iterator[Difference]:
    try:
        made = again(system, scene, entry)
    except CrisisError as trouble:
        yield Difference(entry.number, f"{entry.intent.action}: {trouble.message}")
        return
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as trouble:
        # A record may ask for anything; what today's rules cannot even read, they do not agree with.
        yield Difference(entry.number, f"{entry.intent.action}: not done today ({type(trouble).__name__})")
        return
    for name in ("outcome", "stake"):
        was, now = plain(getattr(entry, name)), plain(getattr(made, name))
        if was != now:
            yield Difference(entry.number, f"{name} was {was}, is {now}")
    before = {(event.who, event.what): event for event in entry.events}
    after = {(event.who, event.what): event for event in made.events}
    for key in dict.fromkeys((*before, *after)):
        was, now = before.get(key), after.get(key)
        if plain(was) != plain(now):
            who, what = key
            told = [f"{plain(one.was)} → {plain(one.now)}" if one else "nothing" for one in (was, now)]
            yield Difference(entry.number, f"{who or 'the crisis'}, {what}: was {told[0]}, is {told[1]}")
