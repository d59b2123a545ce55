"""The values of a sheet for expressions, such as `@might`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ..engine.scene import GEAR_OPTIONS

if TYPE_CHECKING:
    from ..notation.grammar import Notation


def filled_from(sheet: Mapping[str, Any]) -> Callable[[Notation], Notation]:
    """What puts the values of a checked sheet into an expression; NotationError for one it does not have."""
    from ..notation.sheet_values import with_sheet_values

    known = dict(_numbers(sheet))

    def look(name: str) -> int | None:
        return known.get(_bare(name))

    return lambda notation: with_sheet_values(notation, look)


def _bare(name: str) -> str:
    return name.casefold().replace("_", "-")


def _numbers(sheet: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """Every number of the sheet by its own name; dice by their sides; of equal names the first on the sheet."""
    seen: set[str] = set()
    for key, value in sheet.items():
        parts = (
            value.items()
            if isinstance(value, Mapping) and key not in (*GEAR_OPTIONS.values(), "state")
            else ()
        )
        for name, part in ((key, value), *parts):
            number = _number(part)
            if number is not None and _bare(name) not in seen:
                seen.add(_bare(name))
                yield _bare(name), number


def _number(part: Any) -> int | None:
    if isinstance(part, Mapping):
        part = part.get("rank", part.get("die"))
    if isinstance(part, str) and part[:1] == "d" and part[1:].isascii() and part[1:].isdigit():
        return int(part[1:])
    return part if isinstance(part, int) and not isinstance(part, bool) else None
