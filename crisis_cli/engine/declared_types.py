"""Values of a rulebook held against the types that their classes declare: what is of another type, and what to write.

It takes longer than the rest of a check, so that it is done where a package is new, where it is checked, and where
something is wrong.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from ..errors import place_of
from ..values import FrozenRecord, NamedTuple
from .arity import takes
from .kinds import Fault
from .record import Modifier
from .schema import Field

PACKAGE = __package__.partition(".")[0]
LONGEST = 60
"""Characters of a value that a message shows."""
EXAMPLES = {str: '"..."', int: "a whole number", bool: "True or False", float: "a number", NoneType: "None"}
PARAMETERS = {"Scene": "scene", "Intent": "intent", "Fighter": "fighter", "Changes": "changes", "str": "name"}
"""The parameters of functions as messages call them, by their types."""


class Mistyped(NamedTuple):
    """A value that is not of the type of its field."""

    path: tuple[str, ...]
    """The fields and keys that lead to it."""
    said: str
    """The clause for it, with what to write."""
    value: object
    place: str = ""
    """File and line of a function that takes another number of arguments."""


def mistyped(
    value: object, path: tuple[str, ...] = (), seen: dict[int, object] | None = None
) -> Iterator[Mistyped]:
    """What in the fields of a value, and in the values in them, is not of the type that its class declares; what
    several rows share, once, as `seen`."""
    kind: Any = type(value)
    seen = {} if seen is None else seen
    if not kind.__module__.startswith(PACKAGE) or id(value) in seen:
        return
    seen[id(value)] = value
    if isinstance(value, Field) and value.default is not None and not isinstance(value.kind, type):
        faults: list[Fault] = []
        value.kind.read(value.default, (), faults)
        for fault in faults:
            inside = "".join(f"{key}: " for key in fault.path)
            yield Mistyped((*path, "default"), f"{inside}{fault.message}", value.default)
    for name, declared in _types(kind).items():
        yield from _wrong(getattr(value, name), declared, (*path, name), seen)


@cache
def _types(kind: type) -> dict[str, Any]:
    """The types of the fields of a class of values; of one that has other attributes, none."""
    if not (hasattr(kind, "_fields") or issubclass(kind, FrozenRecord)):
        return {}
    names = _Names(vars(sys.modules[kind.__module__]))
    annotated: dict[str, Any] = {}
    for one in reversed(kind.__mro__):
        annotated |= vars(one).get("__annotations__", {}) if hasattr(one, "_fields") or one is kind else {}
    return {name: _type(text, names) for name, text in annotated.items()}


def _type(text: str, names: _Names) -> Any:
    """What an annotation stands for; any type where it takes one in brackets that is not known."""
    try:
        return eval(text, {}, names)
    except TypeError:
        return Any


class _Names(dict[str, Any]):
    """What the names in annotations mean. Those that are imported for type checkers alone stand for the class of the
    engine that is called so, or else for any type."""

    def __missing__(self, name: str) -> Any:
        if hasattr(builtins, name):
            return getattr(builtins, name)
        modules = (module for key, module in [*sys.modules.items()] if key.startswith(__package__))
        return next((vars(module)[name] for module in modules if name in vars(module)), Any)


def _wrong(
    value: object, declared: Any, path: tuple[str, ...], seen: dict[int, object]
) -> Iterator[Mistyped]:
    """What of a value, and of the values in it, is not of a declared type."""
    origin, inner = get_origin(declared), get_args(declared)
    if origin in (Union, UnionType):
        ways = [[*_wrong(value, one, path, seen)] for one in inner]
        if all(ways):
            # Of a value that is almost of one of the types, the part that is not.
            yield next((way[0] for way in ways if way[0].path != path), _mistake(value, declared, path))
        return
    if not _is_of(value, declared, origin, inner):
        yield _mistake(value, declared, path)
    elif origin is tuple and isinstance(value, tuple):
        types = inner[:1] * len(value) if inner[-1:] == (...,) else inner
        for one, kind in zip(value, types, strict=True):
            yield from _wrong(one, kind, path, seen)
    elif isinstance(value, Mapping):
        for key, one in value.items():
            yield from _wrong(one, inner[1] if len(inner) == 2 else Any, (*path, str(key)), seen)
    else:
        yield from mistyped(value, path, seen)


def _is_of(value: object, declared: Any, origin: Any, inner: tuple[Any, ...]) -> bool:
    """Whether a value itself is of a type, whatever is in it."""
    if declared is Any or (not isinstance(origin or declared, type) and origin is not Literal):
        return True
    if origin is Literal:
        return value in inner
    if origin is tuple:
        # A row is a tuple too, and never meant as one.
        if not isinstance(value, tuple) or hasattr(value, "_fields"):
            return False
        return inner[-1:] == (...,) or len(value) == len(inner)
    if issubclass(origin or declared, Callable):  # type: ignore[arg-type]
        return callable(value) and (not inner or inner[0] is ... or takes(value, len(inner[0])))
    if getattr(declared, "_is_protocol", False):
        # A class has the methods of its objects, and cannot do what they do.
        return not isinstance(value, type) and all(
            hasattr(value, name) for name in vars(declared) if not name.startswith("_")
        )
    if declared is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if declared is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if issubclass(origin or declared, Collection) and isinstance(value, str):
        return (origin or declared) is str
    return isinstance(value, origin or declared)


def _mistake(value: object, declared: Any, path: tuple[str, ...]) -> Mistyped:
    way = _written(value, declared)
    if isinstance(value, type) and getattr(declared, "_is_protocol", False):
        way = f"{value.__name__}(...)"
    if Modifier in get_args(declared):
        way = f"{path[-1]}=Modifiers.lines_of(...)"
    elif get_args(declared)[-1:] == (...,):
        way = f"{path[-1]}={way}, with the comma"
    if callable(value) and Callable in [get_origin(each) for each in (declared, *get_args(declared))]:
        return Mistyped(path, f"takes another number of arguments: write {way}", value, place_of(value))
    return Mistyped(path, f"is {_shown(value)}: write {way}", value)


def _parameter(declared: Any) -> str:
    """A parameter of a function as messages call it."""
    return PARAMETERS.get(
        declared if isinstance(declared, str) else getattr(declared, "__name__", ""), "value"
    )


def _shown(value: object) -> str:
    """A value in a few words."""
    said = f"{type(value).__name__}(...)" if hasattr(value, "_fields") else repr(value)
    if isinstance(value, type):
        return f"the class {value.__name__}"
    if callable(value) or len(said) > LONGEST:
        return f"a {type(value).__name__}"
    return said


def _written(value: object, declared: Any) -> str:
    """What to write for a value of a type."""
    origin, inner = get_origin(declared), get_args(declared)
    if origin in (Union, UnionType):
        return " or ".join(_written(value, one) for one in inner)
    if origin is Literal:
        return f"one of {', '.join(map(repr, inner))}"
    if origin is tuple:
        if inner[-1:] != (...,):
            return f"({', '.join(_written(None, one) for one in inner)})"
        part = repr(value) if isinstance(value, str) and inner[0] is str else _written(None, inner[0])
        return f"({part},)"
    if not isinstance(origin or declared, type):
        return "another value"
    if issubclass(origin or declared, Callable):  # type: ignore[arg-type]
        types = inner[0] if inner and inner[0] is not ... else ()
        return f"a function ({', '.join(map(_parameter, types))})"
    if issubclass(origin or declared, Mapping):
        return f'{{"...": {_written(None, inner[1])}}}'
    return EXAMPLES.get(declared, f"{declared.__name__}(...)" if not inner else str(declared))
