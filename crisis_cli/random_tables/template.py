"""The text of a row: words, dice `{2d6}`, choices `{a|b}` and other tables `{@name}`, as a tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..errors import NotationError
from ..notation.grammar import Notation
from ..notation.parser import parse
from ..values import NamedTuple

MOST_DRAWN = 6
"""Most different rows of a table that one place in a text may draw."""
DEEPEST = 8
"""How deep choices may stand inside each other."""


class Words(NamedTuple):
    """Text that is printed as it stands."""

    text: str


class DiceTotal(NamedTuple):
    """Dice whose total is printed: `{2d6}`."""

    notation: Notation


class TextChoice(NamedTuple):
    """Texts of which one is printed, each as likely as the others: `{a|b}`."""

    options: tuple[Template, ...]


class Reference(NamedTuple):
    """Rows of another table, no row twice: `{@name}`, `{@name:3}`."""

    table: str
    times: int


Part = Words | DiceTotal | TextChoice | Reference
Template = tuple[Part, ...]
ReadDice = Callable[[str], Notation]
"""Reads dice: as they are written now, or as a journal holds them."""


class WrongTemplate(ValueError):
    """A text that cannot be read; the message says why."""


def parse_template(text: str, read: ReadDice = parse) -> Template:
    """The parts of a text; WrongTemplate if a brace is not closed, or holds nothing that is known."""
    parts, rest = _parts(text, 0, 0, read)
    if rest < len(text):
        raise WrongTemplate(f"}} without {{ at character {rest + 1}; write }}}} for a brace")
    return parts


def references(template: Template) -> Iterator[Reference]:
    """Every reference to a table, those in choices included."""
    for part in template:
        if isinstance(part, Reference):
            yield part
        elif isinstance(part, TextChoice):
            for option in part.options:
                yield from references(option)


def dice_in(template: Template) -> Iterator[Notation]:
    """All dice of a text, those in choices included."""
    for part in template:
        if isinstance(part, DiceTotal):
            yield part.notation
        elif isinstance(part, TextChoice):
            for option in part.options:
                yield from dice_in(option)


def _parts(text: str, at: int, depth: int, read: ReadDice) -> tuple[Template, int]:
    """The parts from a place on, up to the end, or inside braces up to `|` or `}`; and where that is."""
    parts: list[Part] = []
    words = ""
    while at < len(text):
        sign = text[at]
        if text[at : at + 2] in ("{{", "}}") and (sign == "{" or not depth):
            words, at = words + sign, at + 2
            continue
        if sign == "}" or (depth and sign == "|"):
            break
        if sign != "{":
            words, at = words + sign, at + 1
            continue
        if words:
            parts.append(Words(words))
            words = ""
        part, at = _braces(text, at + 1, depth + 1, read)
        parts.append(part)
    if words:
        parts.append(Words(words))
    return tuple(parts), at


def _braces(text: str, start: int, depth: int, read: ReadDice) -> tuple[Part, int]:
    """The part whose opening brace ends at `start`, and the place behind its closing brace."""
    if depth > DEEPEST:
        raise WrongTemplate(f"choices stand more than {DEEPEST} deep inside each other")
    options: list[Template] = []
    at = start
    while True:
        option, at = _parts(text, at, depth, read)
        options.append(option)
        if at >= len(text):
            raise WrongTemplate(f"{{ without }} at character {start}; write {{{{ for a brace")
        if text[at] == "}":
            break
        at += 1
    return (_single(text[start:at], read) if len(options) == 1 else TextChoice(tuple(options))), at + 1


def _single(inside: str, read: ReadDice) -> Part:
    """The reference or the dice in braces without `|`."""
    word = inside.strip()
    if word.startswith("@"):
        name, colon, count = word[1:].partition(":")
        if not name or (
            colon and not (count.isascii() and count.isdigit() and 1 <= int(count) <= MOST_DRAWN)
        ):
            raise WrongTemplate(
                f"{{{inside}}}: write {{@NAME}}, or {{@NAME:N}} with N from 1 to {MOST_DRAWN}"
            )
        return Reference(name.casefold(), int(count or 1))
    try:
        return DiceTotal(read(word))
    except NotationError as error:
        right = f"; {error.hint}" if error.hint.startswith("write ") else ""
        raise WrongTemplate(
            f"{{{inside}}} is no dice ({error.message}{right}); choices need a |, tables an @"
        ) from error
