"""Who takes part: names into sheets and fighters, copies and sides."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count, islice

from ..errors import FileTrouble, Refused, Usage
from ..play.order import sheet_of
from ..play.scene import Fighter, Scene
from ..systems import load
from ..systems.system import System
from .fighters import fighter, numbered
from .store import Store, copies

CROWD = 100
"""Fighters that one crisis can hold."""


class Cast:
    """Finds the fighters that a command names."""

    def __init__(self, store: Store):
        self.store = store

    def gather(
        self, groups: Iterable[Iterable[str]], decide_sides: bool = False, taken: Iterable[str] = ()
    ) -> tuple[System, list[Fighter]]:
        """The system and the fighters of the sheets named; Refused where systems mix."""
        found: list[Fighter] = []
        system: System | None = None
        for at, group in enumerate(groups):
            for word in group:
                name, number = copies(word)
                sheet = self.store.read(name)
                own = load(sheet.values["system"])
                if system is not None and own.NAME != system.NAME:
                    raise Refused(
                        f"{sheet.values['name']} is a {own.NAME} sheet; {found[0].name} is {system.NAME}",
                        hint="all in one crisis play by one system",
                        code="other_system",
                    )
                system = own
                side, player = (("players", "opponents")[min(at, 1)], at == 0) if decide_sides else ("", None)
                used = {*taken, *(one.name for one in found)}
                names = _numbered(sheet.values["name"], number, used) or [""]
                found += [fighter(system, sheet, name=one, side=side, player=player) for one in names]
        if system is None:
            raise Usage("nobody is named", hint="who there is: crisis character list")
        twice = [one.name for at, one in enumerate(found) if one.name in [other.name for other in found[:at]]]
        if twice:
            raise Usage(
                f"{numbered(dict.fromkeys(twice))} is named more than once",
                hint="several copies of one sheet: drone:3",
                code="named_twice",
            )
        if len(found) > CROWD:
            raise Refused(
                f"{len(found)} fighters; a crisis holds {CROWD}",
                hint="leave some away, or fight in two crises (--file)",
                code="crowd",
            )
        return system, found


def _numbered(name: str, copies: int, used: set[str]) -> list[str]:
    """The names of so many copies of a sheet: the first numbers that nobody has."""
    free = (f"{name} {number}" for number in count(1) if f"{name} {number}" not in used)
    return list(islice(free, copies))


def named(scene: Scene, word: str) -> str:
    """The fighter of a scene that goes by a name, a stem, or a name with its number run together."""
    wanted = _run_together(word)
    fitting = [name for name in scene.fighters if name.casefold() == word.casefold()]
    fitting = fitting or [name for name in scene.fighters if _run_together(name) == wanted]
    fitting = fitting or [name for name, one in scene.fighters.items() if _stem(one) == word.casefold()]
    fitting = fitting or [name for name in scene.fighters if sheet_of(name).casefold() == word.casefold()]
    if len(fitting) == 1:
        return fitting[0]
    from difflib import get_close_matches

    here = numbered(scene.fighters)
    if fitting:
        raise FileTrouble(f"{word!r} is {numbered(fitting)}", hint="say the whole name", code="ambiguous")
    near = get_close_matches(word.casefold(), [name.casefold() for name in scene.fighters], n=1)
    guess = f" (did you mean {near[0]}?)" if near else ""
    raise FileTrouble(f"nobody here is called {word!r}{guess}", hint=f"here are {here}", code="not_found")


def _run_together(word: str) -> str:
    return "".join(sign for sign in word.casefold() if sign not in " -_:")


def _stem(one: Fighter) -> str:
    name = one.file.replace("\\", "/").rpartition("/")[2]
    return name.rpartition(".")[0].casefold()


def is_here(scene: Scene, word: str) -> bool:
    """Whether a word names a fighter of the scene."""
    try:
        return bool(named(scene, word))
    except FileTrouble:
        return False
