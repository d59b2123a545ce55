"""What a program says in Python values: words, sheets, seeds, faces and options, each held against its type."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import Usage
from ..values import NamedTuple
from .dice import Dice

# What a roll of dice does not need is imported where it is used.
if TYPE_CHECKING:
    from ..sheets.check import Sheet
    from ..story.page import Dress

LONGEST_TEXT = 2_000
"""Most characters of a text that is recorded: a note, a reason, the name of a fight."""
MOST = 1_000_000_000
"""Whole numbers in options are smaller."""
MOST_SEED = 2**63
"""The highest seed."""
Who = str | Mapping[str, Any]
"""A sheet by its name or path, `drone:3` for three of it; or the values of a sheet."""
COMMON = {
    **dict.fromkeys(("weapon", "item", "thing", "deed", "react", "range", "cover", "difficulty"), "text"),
    **dict.fromkeys(("force", "share", "behind", "penetrable", "group"), "flag"),
    **dict.fromkeys(("mod", "mod_damage", "enemies"), "whole"),
    **dict.fromkeys(("to", "at"), "position"),
    "why": "line",
    "vs": "opponent",
}
"""The kinds of the options that all systems share, by their names."""


class HandedIn(NamedTuple):
    """Sheets as a program names them or hands them in."""

    words: tuple[str, ...]
    """The words that mean them."""
    sheets: Mapping[str, Sheet]
    """Those without files, by the words that mean them."""

    def group(self, who: Who | Sequence[Who] | Sequence[Sequence[Who]]) -> HandedIn:
        """These sheets and those of another group; one that is handed in several times stands for so many copies.

        FileError listing every fault of a sheet; Usage where two sheets have one name.
        """
        from ..engine.scene import slug
        from ..sheets.check import of_values

        words, sheets, many = list[str](), dict(self.sheets), dict[str, int]()
        for one in _flat(who):
            if isinstance(one, str):
                words.append(one)
                continue
            if not isinstance(one, Mapping):
                raise _unfit("a name, or the values of a sheet", one)
            sheet = of_values(one)
            name = slug(sheet.values["name"])
            if sheets.get(name, sheet).raw != sheet.raw:
                raise Usage(f"two sheets are called {sheet.values['name']}", code="named_twice")
            sheets[name] = sheet
            many[name] = many.get(name, 0) + 1
            if many[name] == 1:
                words.append(name)
        words = [f"{one}:{many[one]}" if many.get(one, 1) > 1 else one for one in words]
        return HandedIn(tuple(words), sheets)


NOBODY = HandedIn((), {})


def _flat(who: object) -> Iterable[Any]:
    """Everything among some values and lists of them."""
    if isinstance(who, (list, tuple)):
        for one in who:
            yield from _flat(one)
    else:
        yield who


def overrides_of(said: Mapping[str, Any]) -> tuple[str, ...]:
    """Values that override those of sheets, as --set has them; Usage for a value that no sheet can have."""
    from ..sheets.overrides import HELD
    from ..sheets.toml_patch import value_text

    words = []
    for key, value in mapping(said, "values of sheets by their names").items():
        try:
            text = spelled(value) if word(key).endswith(f".{HELD}") else value_text(value)
        except (TypeError, ValueError) as error:
            raise _unfit("a value of a sheet", value) from error
        words.append(f"{key}={text}")
    return tuple(words)


def words_of(said: Iterable[Any]) -> tuple[str, ...]:
    """The words among some texts and lists of texts; Usage for anything else."""
    words: list[str] = []
    for one in said:
        if isinstance(one, str):
            words.append(one)
        elif isinstance(one, (list, tuple)):
            words += words_of(one)
        else:
            raise _unfit("a name", one)
    return tuple(words)


def word(said: object, what: str = "a name") -> str:
    """A text; Usage for anything else."""
    if not isinstance(said, str):
        raise _unfit(what, said)
    return said


def line(said: object) -> str:
    """A text that is recorded, as one line; Usage for one that is too long, or no text."""
    text = word(said, "a text")
    if len(text) > LONGEST_TEXT:
        raise Usage(f"at most {LONGEST_TEXT:,} characters, not {len(text):,}", code="too_long")
    return " ".join(text.splitlines())


def mapping(said: object, what: str) -> Mapping[str, Any]:
    """A mapping by names; Usage for anything else."""
    if not isinstance(said, Mapping) or not all(isinstance(key, str) for key in said):
        raise _unfit(f"a mapping: {what}", said)
    return said


def path_of(said: object, what: str = "a file") -> str:
    """The path of a file or a folder, empty for none; Usage for anything that no path can be."""
    path = word(said, what)
    if "\0" in path:
        raise _unfit(f"{what}: a path", said)
    return path


def dress_of(form: object, title: object, theme: object, odds: object) -> Dress:
    """How a fight is told in a form; Usage where there is no such form, or a value is of another type."""
    from ..story.page import Dress
    from .telling import FORMS

    if form not in FORMS:
        raise Usage(f"no form is called {form!r}", hint=", ".join(FORMS), code="bad_value")
    return Dress(word(title, "a title"), word(theme, "a theme"), flag(odds))


def checked_dice(said: object) -> Dice:
    """Where the dice come from; Usage for a value that is none of theirs."""
    if not isinstance(said, Dice):
        raise _unfit("Dice(…)", said)
    dice_of(said.seed, said.results, said.choices)
    flag(said.real)
    flag(said.mine)
    return said.checked()


def dice_of(seed: Any = None, faces: object = None, choices: object = ()) -> Dice:
    """The dice of a seed or of faces, with choices in order; Usage where they are none."""
    if seed is not None:
        seed = whole_number(seed, 0, MOST_SEED, "a seed")
    if faces is not None and not (isinstance(faces, (list, tuple)) and all(map(_is_whole, faces))):
        raise _unfit("a list of faces", faces)
    if not isinstance(choices, (list, tuple)):
        raise _unfit("a list of choices", choices)
    results = tuple(faces) if isinstance(faces, (list, tuple)) else None
    return Dice(seed, results, choices=words_of(choices))


def whole_number(said: object, least: int, most: int = MOST, what: str = "a number") -> int:
    """A whole number within bounds; Usage for anything else."""
    if not (isinstance(said, int) and _is_whole(said) and least <= said <= most):
        raise _unfit(f"{what}: a whole number from {least} to {most}", said)
    return said


def portion(said: object, what: str) -> float:
    """A number from 0 to 1; Usage for anything else."""
    if not (_is_number(said) and isinstance(said, (int, float)) and 0 <= said <= 1):
        raise _unfit(f"{what}: a number from 0 to 1", said)
    return said


def options_of(said: Mapping[str, Any]) -> dict[str, Any]:
    """The options of an action, by name, as the command line would have them; Usage for a name that no system has, or
    a value of another type."""
    if not said:
        return {}
    from .. import systems
    from ..engine.kinds import guess

    kinds = COMMON | {
        option.key: option.kind for one in systems.names() for option in systems.command_options(one)
    }
    for name in said:
        if name not in kinds:
            raise Usage(f"no option is called {name!r}{guess(name, kinds)}", code="unknown_option")
    read = {name: (None if value is None else READ[kinds[name]](value)) for name, value in said.items()}
    return {name: value for name, value in read.items() if value is not None}


def spelled(said: object) -> str:
    """A value as it is typed: on or off, and lists with commas."""
    if said is None:
        return "none"
    if isinstance(said, (list, tuple)):
        return ",".join(map(spelled, said))
    return ("off", "on")[said] if isinstance(said, bool) else str(said)


def _is_whole(said: object) -> bool:
    return isinstance(said, int) and not isinstance(said, bool)


def _text(said: object) -> str:
    if isinstance(said, str) or _is_whole(said) or isinstance(said, float):
        return f"{said:g}" if isinstance(said, float) else str(said)
    raise _unfit("a text or a number", said)


def flag(said: object) -> bool:
    """True or False; Usage for anything else."""
    if not isinstance(said, bool):
        raise _unfit("True or False", said)
    return said


def _whole(said: object) -> int:
    if not (isinstance(said, int) and _is_whole(said) and abs(said) < MOST):
        raise _unfit("a whole number", said)
    return said


def names(said: object) -> list[str]:
    """Fighters, in a list or in a text with commas."""
    return list(words_of(said.split(",") if isinstance(said, str) else (said,)))


def _answers(said: object) -> str:
    """What fighters do, in a mapping or in a text `WHO=ACTION,…`."""
    if isinstance(said, Mapping):
        return ",".join(f"{word(who)}={word(doing)}" for who, doing in said.items())
    return word(said, "a mapping of fighters to actions")


def position(said: object) -> tuple[float, float]:
    """A position from X and Y, or from a text `X,Y`; Usage for anything else."""
    if isinstance(said, (list, tuple)) and not (len(said) == 2 and all(map(_is_number, said))):
        raise _unfit("a position: X and Y", said)
    from .placing import parse_position

    return parse_position(spelled(said) if isinstance(said, (list, tuple)) else word(said, "a position"))


def _is_number(said: object) -> bool:
    return _is_whole(said) or isinstance(said, float)


def _opponent(said: object) -> tuple[str, str]:
    if not (isinstance(said, (list, tuple)) and len(said) == 2):
        raise _unfit("an opponent and its skill", said)
    who, skill = said
    return word(who), word(skill, "a skill")


READ: Mapping[str, Callable[[Any], Any]] = {
    "text": _text,
    "choice": word,
    "thing": word,
    "flag": flag,
    "whole": _whole,
    "names": names,
    "answers": _answers,
    "position": position,
    "line": line,
    "opponent": _opponent,
}
"""How the value of an option is read, by its kind."""


def _unfit(wanted: str, said: object) -> Usage:
    """The error for a value of another type than is wanted."""
    return Usage(f"{_cut(repr(said))} is not {wanted}", code="bad_value")


def _cut(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:59]}…"
