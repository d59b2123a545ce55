"""The shapes that values in a journal have: small questions to what JSON gave."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from ..errors import FileError

Shape = Callable[[Any], bool]
"""Whether a value that JSON gave has a shape."""

MOST = 10**9
"""No counter, and no place on the field, is farther from 0."""


def whole(value: Any) -> bool:
    """A whole number."""
    return type(value) is int


def text(value: Any) -> bool:
    """Text."""
    return type(value) is str


def flag(value: Any) -> bool:
    """True or false."""
    return type(value) is bool


def anything(value: Any) -> bool:
    """Whatever JSON has."""
    return True


def counter(value: Any) -> bool:
    """A whole number of plausible size."""
    return type(value) is int and -MOST <= value <= MOST


def natural(value: Any) -> bool:
    """A seed."""
    return type(value) is int and 0 <= value <= 2**63


def level(value: Any) -> bool:
    """How much of a condition is on."""
    return type(value) is bool or counter(value)


def number(value: Any) -> bool:
    """A number of plausible size."""
    return type(value) in (int, float) and -MOST <= value <= MOST


def maybe(shape: Shape) -> Shape:
    """The shape, or null."""
    return lambda value: value is None or shape(value)


def listed(shape: Shape) -> Shape:
    """A list, each part of which has the shape."""
    return lambda value: type(value) is list and all(map(shape, value))


def mapped(shape: Shape) -> Shape:
    """An object, each value of which has the shape."""
    return lambda value: type(value) is dict and all(map(shape, value.values()))


def row(*shapes: Shape, least: int = 0) -> Shape:
    """A list with a shape for each place; the last ones may be absent where `least` says so."""
    most, least = len(shapes), least or len(shapes)

    def fits(value: Any) -> bool:
        if type(value) is not list or not least <= len(value) <= most:
            return False
        for shape, part in zip(shapes, value, strict=False):  # noqa: SIM110, a loop is twice as fast
            if not shape(part):
                return False
        return True

    return fits


place = maybe(row(number, number))
"""A position, or null."""


def face(value: Any) -> bool:
    """The sides of a die, and the face that it shows."""
    return type(value) is list and len(value) == 2 and all(map(whole, value)) and 1 <= value[1] <= value[0]


def checked(record: Any, shapes: Mapping[str, Shape], what: str, optional: Collection[str] = ()) -> None:
    """FileError where a record has a key too many, lacks one, or holds a value of the wrong shape."""
    if type(record) is not dict:
        raise FileError(f"{what} is not an object", code="bad_journal")
    for key, value in record.items():
        shape = shapes.get(key)
        if shape is None:
            raise FileError(f"{what} has an unknown key {key[:40]!r}", code="bad_journal")
        if not shape(value):
            raise FileError(
                f"{key} of {what} has the wrong type{_evidence(shape, value)}", code="bad_journal"
            )
    if len(record) < len(shapes):
        lacking = [key for key in shapes if key not in record and key not in optional]
        if lacking:
            raise FileError(f"{what} has no {lacking[0]}", code="bad_journal")


def _evidence(shape: Shape, value: Any) -> str:
    """The first part of a list or an object that alone has the wrong shape, in words; empty for other values."""
    parts: list[Any] = []
    if type(value) is list:
        parts = [part for part in value if not shape([part])]
    elif type(value) is dict:
        parts = [{key: part} for key, part in value.items() if not shape({key: part})]
    return f": {str(parts[0])[:120]}" if parts else ""


def unfit(error: Exception) -> str:
    """What is wrong with a record that could not be used, in words, from the exception that came of it."""
    if isinstance(error, KeyError):
        return f"it has no {str(error.args[0])[:40]!r}"
    if isinstance(error, IndexError):
        return "a list in it is too short"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, (ArithmeticError, ValueError)):
        return "a value in it cannot be used"
    return "a value in it has the wrong type"
