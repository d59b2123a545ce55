"""Finding fighters by name: in sheets, with copies and sides, and in a scene."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import count, islice

from ..engine.kinds import either, nearest
from ..engine.scene import Fighter, Scene, require_room, slug
from ..engine.system import System
from ..engine.wording import with_a
from ..errors import FileError, Refused, Usage
from ..systems import load
from .check import Sheet
from .fighters import fighter, numbered
from .files import file_stem
from .names import fighter_names, fold_case, match_name
from .store import COPIES, Store, copies


class FighterLoader:
    """Loads the fighters that a command names from their sheets."""

    def __init__(self, store: Store, overrides: Sequence[str] = ()):
        self.store = store
        self.overrides = overrides
        """Values that override those of the sheets, each WHO.KEY=VALUE."""

    def gather(
        self, groups: Iterable[Iterable[str]], decide_sides: bool = False, taken: Collection[str] = ()
    ) -> tuple[System, list[Fighter]]:
        """The system and the fighters of the sheets named; Refused if systems mix or there are too many.

        With `decide_sides` the first group become players, the rest opponents; `taken` are names in use.
        """
        if self.overrides:
            from .overrides import require_form

            require_form(self.overrides)
        words = [list(group) for group in groups]
        # Before any sheet is read.
        require_room(len(set(taken)) + sum(max(1, copies(word)[1]) for group in words for word in group))
        used_overrides: set[str] = set()
        gathered: list[Fighter] = []
        system: System | None = None
        for at, group in enumerate(words):
            for word in group:
                name, number = copies(word)
                sheet, changes = self._overridden(self.store.read(name))
                used_overrides |= {*changes}
                own = load(sheet.values["system"])
                if system is not None and own.name != system.name:
                    raise Refused(
                        f"{sheet.values['name']} is {with_a(own.name)} sheet; {gathered[0].name} is {system.name}",
                        hint="all fighters of a crisis use one system",
                        code="other_system",
                    )
                system = own
                side, player = (("players", "opponents")[min(at, 1)], at == 0) if decide_sides else ("", None)
                used = {*taken, *(one.name for one in gathered)}
                names = copy_names(sheet.values["name"], number, used) or [""]
                made = [fighter(system, sheet, name=one, side=side, player=player) for one in names]
                # Nothing is written to the sheet of a fighter whose values are not those on it, or that has no file.
                file = "" if changes or not sheet.path else self.store.recorded(sheet.path)
                gathered += [one._replace(file=one.file and file) for one in made]
        if system is None:
            raise Usage(
                "missing argument: WHO",
                hint="list the sheets: crisis character list",
                code="missing_argument",
            )
        unused = [word for word in self.overrides if word not in used_overrides]
        if unused:
            sheets = dict.fromkeys(slug(one.sheet["name"]) for one in gathered)
            raise Usage(
                f"{unused[0]}: no sheet here is called {unused[0].partition('.')[0]!r}",
                hint=f"sheets, each for all of its copies: {numbered(sheets)}",
                code="unknown_name",
            )
        keys = [fold_case(one.name) for one in gathered]
        duplicates = [one.name for at, one in enumerate(gathered) if keys[at] in keys[:at]]
        if duplicates:
            raise _named_twice(duplicates[0], gathered)
        return system, gathered

    def _overridden(self, sheet: Sheet) -> tuple[Sheet, list[str]]:
        """A sheet with those overrides that are about it, and these overrides."""
        if not self.overrides:
            return sheet, []
        from .overrides import overrides_of, with_overrides

        changes = overrides_of(sheet, self.overrides)
        return (with_overrides(sheet, changes) if changes else sheet), changes


def _named_twice(name: str, gathered: Iterable[Fighter]) -> Usage:
    """The error for a name that two fighters would have, with the way to several of one sheet: on one side by their
    number, on two sides by a number for one of them, or a copy of the sheet."""
    alike = [one for one in gathered if fold_case(one.name) == fold_case(name)]
    word = sheet_word(alike[-1])
    hint = (
        f"name one of them {word}:1, or copy the sheet under another name: crisis character copy {word} NAME"
        if len({(one.side, sheet_word(one)) for one in alike}) > 1
        else f"to name several of one sheet: {word}:{min(len(alike), COPIES)}"
    )
    return Usage(f"{name} is named more than once", hint=hint, code="named_twice")


def sheet_word(one: Fighter) -> str:
    """The word that names the sheet of a fighter: its file, or the name on it."""
    return file_stem(one.file) or slug(one.sheet["name"])


def copy_names(name: str, copies: int, used: Collection[str]) -> list[str]:
    """Names for copies of a sheet, numbered with the first free numbers."""
    free = (f"{name} {number}" for number in count(1) if f"{name} {number}" not in used)
    return list(islice(free, copies))


def find_name(scene: Scene, word: str) -> str:
    """The name of the fighter in a scene that a word means; FileError if it means none or several."""
    match = match_name(word, fighter_names(scene))
    if len(match.names) == 1:
        return match.names[0]
    if match.names:
        raise FileError(
            f"{word!r} could be {either(match.names)}", hint="type more of the name", code="ambiguous"
        )
    spelled = {fold_case(name): name for name in scene.fighters}
    near = nearest(fold_case(word), [one for one in spelled if _digits(one) == _digits(word)])
    raise FileError(
        f"no fighter here is called {word!r}" + (f" (did you mean {spelled[near]}?)" if near else ""),
        hint=f"fighters: {numbered(scene.fighters)}",
        code="not_found",
    )


def _digits(word: str) -> str:
    """The digits of a word: a number is no slip of another."""
    return "".join(filter(str.isdigit, word))


def is_present(scene: Scene, word: str) -> bool:
    """Whether a word means one fighter of the scene."""
    return len(match_name(word, fighter_names(scene)).names) == 1
