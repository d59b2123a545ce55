"""Values that do not change, as `typing` and `dataclasses` make them, made in a third of the time.

Most of what a command imports is values, some eighty classes of them. `typing.NamedTuple` compiles every annotation
once more to check it, and `dataclasses` is a module of its own; mypy checks the same either way.
"""

from __future__ import annotations

from collections import namedtuple
from types import GenericAlias
from typing import TYPE_CHECKING, Any, dataclass_transform

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:

    class _NamedTupleType(type):
        """The type of `NamedTuple`: a class that names it as its base becomes a named tuple."""

        def __new__(cls, name, bases, namespace):
            """A tuple with the annotated fields and the methods of a class body; NamedTuple itself has no bases."""
            if not bases:
                return super().__new__(cls, name, bases, namespace)
            fields = namespace.get("__annotations__", {})
            defaults = [namespace.pop(field) for field in fields if field in namespace]
            made = namedtuple(name, fields, defaults=defaults, module=namespace.pop("__module__"))
            for key, value in namespace.items():
                setattr(made, key, value)
            if len(bases) > 1:
                # The other one is typing.Generic: all there is to it is that the class takes types in brackets.
                made.__class_getitem__ = classmethod(GenericAlias)
            return made

    class NamedTuple(metaclass=_NamedTupleType):
        """The base of a class of values, as `typing.NamedTuple`."""


@dataclass_transform(kw_only_default=True, frozen_default=True, eq_default=False)
class FrozenRecord:
    """The base of a class whose annotated fields are given by keyword, as those of a frozen dataclass; TypeError
    if one is missing or unknown."""

    def __init__(self, **given: Any) -> None:
        kind = type(self)
        fields, defaults = kind.__annotations__, vars(kind)
        missing = [field for field in fields if field not in given and field not in defaults]
        if missing:
            raise TypeError(
                f"{kind.__name__} lacks required keyword arguments: {', '.join(map(repr, missing))}"
            )
        for name in given:
            if name not in fields:
                raise TypeError(f"{kind.__name__} has no keyword argument {name!r}")
        self.__dict__.update({field: given[field] if field in given else defaults[field] for field in fields})
        self.__post_init__()

    def __post_init__(self) -> None:
        """What a class does with its fields once they are there: nothing, unless it says so."""

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name} of {type(self).__name__} cannot be changed")
