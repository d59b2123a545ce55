"""Who takes part: names into sheets and fighters, copies and sides."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import count, islice

from ..engine.kinds import either
from ..engine.scene import Fighter, Scene
from ..engine.system import System
from ..errors import FileTrouble, Refused, Usage
from ..systems import load
from .fighters import fighter, numbered
from .names import fighters, folded, found
from .store import Store, copies

CROWD = 100
"""Fighters that one crisis can hold."""


class Cast:
    """Finds the fighters that a command names."""

    def __init__(self, store: Store):
        self.store = store

    def gather(
        self, groups: Iterable[Iterable[str]], decide_sides: bool = False, taken: Collection[str] = ()
    ) -> tuple[System, list[Fighter]]:
        """The system and the fighters of the sheets named; Refused where systems mix."""
        gathered: list[Fighter] = []
        system: System | None = None
        for at, group in enumerate(groups):
            for word in group:
                name, number = copies(word)
                sheet = self.store.read(name)
                own = load(sheet.values["system"])
                if system is not None and own.name != system.name:
                    raise Refused(
                        f"{sheet.values['name']} is a {own.name} sheet; {gathered[0].name} is {system.name}",
                        hint="all fighters of a crisis use one system",
                        code="other_system",
                    )
                system = own
                side, player = (("players", "opponents")[min(at, 1)], at == 0) if decide_sides else ("", None)
                used = {*taken, *(one.name for one in gathered)}
                names = _numbered(sheet.values["name"], number, used) or [""]
                gathered += [fighter(system, sheet, name=one, side=side, player=player) for one in names]
        if system is None:
            raise Usage("missing argument: WHO", hint="who there is: crisis character list")
        keys = [folded(one.name) for one in gathered]
        twice = [one.name for at, one in enumerate(gathered) if keys[at] in keys[:at]]
        if twice:
            raise Usage(
                f"{numbered(dict.fromkeys(twice))} is named more than once",
                hint="several copies of one sheet: drone:3",
                code="named_twice",
            )
        crowd = len(gathered) + len(set(taken))
        if crowd > CROWD:
            raise Refused(
                f"{crowd} fighters; a crisis holds {CROWD}",
                hint="leave some away, or fight in two crises (--file)",
                code="crowd",
            )
        return system, gathered


def _numbered(name: str, copies: int, used: set[str]) -> list[str]:
    """The names of so many copies of a sheet: the first numbers that nobody has."""
    free = (f"{name} {number}" for number in count(1) if f"{name} {number}" not in used)
    return list(islice(free, copies))


def named(scene: Scene, word: str) -> str:
    """The fighter of a scene that a word means; FileTrouble where it means nobody or several."""
    hit = found(word, fighters(scene))
    if len(hit.names) == 1:
        return hit.names[0]
    if hit.names:
        raise FileTrouble(
            f"{word!r} could be {either(hit.names)}", hint="type more of the name", code="ambiguous"
        )
    from difflib import get_close_matches

    spelled = {folded(name): name for name in scene.fighters}
    near = get_close_matches(folded(word), spelled, n=1)
    guess = f" (did you mean {spelled[near[0]]}?)" if near else ""
    raise FileTrouble(
        f"no fighter here is called {word!r}{guess}",
        hint=f"here are {numbered(scene.fighters)}",
        code="not_found",
    )


def is_here(scene: Scene, word: str) -> bool:
    """Whether a word means one fighter of the scene."""
    return len(found(word, fighters(scene)).names) == 1
