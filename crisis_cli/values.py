"""Named tuples that are cheaper to import than those of the standard library.

Most of what a command imports is values, some eighty classes of them. `typing.NamedTuple` compiles code for each
class and once more for every annotation, and `dataclasses` is a module of its own; mypy checks the same either way.
"""

from __future__ import annotations

import collections
from functools import cache
from types import FunctionType, GenericAlias
from typing import TYPE_CHECKING, Any, Self, dataclass_transform


class _FieldsBelow:
    """The docstring of a class with its fields below it, which are read from the source when somebody asks."""

    __slots__ = ("said",)

    def __init__(self, said: str | None):
        self.said = said

    def __get__(self, value: object, kind: type) -> str | None:
        from .field_docs import docstring

        return docstring(kind, self.said)


class _SignatureOfFields:
    """The signature of a class, which is made of its fields when somebody asks."""

    def __get__(self, value: object, kind: type) -> object:
        from .field_docs import signature

        return signature(kind)


if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    FEW = 64
    """Values of a class that are made before its `__new__` is compiled: most classes have fewer in a run."""

    @cache
    def _new_of(count):
        """The `__new__` of a named tuple with so many fields, by numbers in place of names: compiling takes time."""
        fields = "".join(f"_{at}, " for at in range(count))
        return eval(f"lambda _cls, {fields}: new(_cls, ({fields}))")

    class _Record(tuple):
        """What all named tuples share; a class adds getters, and `_fields`, `_places`, `_field_defaults`, `_first`.

        `_first` gives something as long as the values made are few.
        """

        __slots__ = ()
        __signature__ = _SignatureOfFields()

        def __new__(cls, *args, **kwargs):
            """The first few of a class, for compiling its `__new__` takes as long as making them; then compile it."""
            fields, defaults = cls._fields, cls._field_defaults
            if next(cls._first, None) is not None:
                values = args
                if kwargs or len(args) < len(fields):
                    named = {**defaults, **kwargs}
                    values += tuple([named[field] for field in fields[len(args) :] if field in named])
                if len(values) == len(fields) and kwargs.keys() <= set(fields[len(args) :]):
                    return tuple.__new__(cls, values)
            kind = next(one for one in cls.__mro__ if "_fields" in vars(one))
            code = _new_of(len(fields)).__code__.replace(
                co_varnames=("_cls", *fields), co_name="__new__", co_qualname=f"{kind.__qualname__}.__new__"
            )
            # Whole before it is the class's: another thread may be making one at the same time.
            made = FunctionType(code, {"new": tuple.__new__}, argdefs=tuple(defaults.values()))
            kind.__new__ = made
            return kind.__new__(cls, *args, **kwargs)

        @classmethod
        def _make(cls, values):
            """The tuple of these values in the order of the fields; TypeError if they are too many or too few."""
            made = tuple.__new__(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
            return made

        def _replace(self, /, **changed):
            """The same with other values for some fields; ValueError for a field that it does not have."""
            values, places = [*self], self._places
            for field, value in changed.items():
                if field not in places:
                    unknown = [one for one in changed if one not in places]
                    raise ValueError(f"Got unexpected field names: {unknown!r}")
                values[places[field]] = value
            return tuple.__new__(type(self), values)

        def _asdict(self):
            """The values by their fields."""
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self):
            shown = ", ".join(f"{field}={value!r}" for field, value in zip(self._fields, self, strict=True))
            return f"{type(self).__name__}({shown})"

        def __getnewargs__(self):
            return tuple(self)

    class _NamedTupleType(type):
        """The type of `NamedTuple`: a class that names it as its base becomes a named tuple."""

        def __new__(cls, name, bases, namespace):
            """A tuple with the annotated fields and the methods of a class body; NamedTuple itself has no bases."""
            if not bases:
                return super().__new__(cls, name, bases, namespace)
            fields = tuple(namespace.get("__annotations__", ()))
            namespace["_field_defaults"] = {
                field: namespace.pop(field) for field in fields if field in namespace
            }
            namespace["_fields"] = namespace["__match_args__"] = fields
            namespace["_places"] = {field: at for at, field in enumerate(fields)}
            namespace["_first"] = iter(range(FEW))
            namespace["__slots__"] = ()
            namespace["__doc__"] = _FieldsBelow(namespace.get("__doc__"))
            for at, field in enumerate(fields):
                namespace[field] = collections._tuplegetter(at, "")
            if len(bases) > 1:
                # The other one is typing.Generic: all there is to it is that the class takes types in brackets.
                namespace["__class_getitem__"] = classmethod(GenericAlias)
            return type(name, (_Record,), namespace)

    class NamedTuple(metaclass=_NamedTupleType):
        """The base of a class of values, as `typing.NamedTuple`."""


@dataclass_transform(kw_only_default=True, frozen_default=True, eq_default=False)
class FrozenRecord:
    """The base of a class whose annotated fields are given by keyword, as those of a frozen dataclass; TypeError
    if one is missing or unknown."""

    __signature__ = _SignatureOfFields()

    def __init_subclass__(cls) -> None:
        cls.__doc__ = _FieldsBelow(cls.__doc__)  # type: ignore[assignment]

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

    def _replace(self, **changes: Any) -> Self:
        """The record with some fields changed, which is checked as a new one is."""
        return type(self)(**{**vars(self), **changes})

    def __post_init__(self) -> None:
        """What a class does with its fields once they are there: nothing, unless it says so."""

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name} of {type(self).__name__} cannot be changed")
