"""The declared schema of a sheet: tables of fields, checked whole and printed as JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from ..values import NamedTuple
from .kinds import Fault, Kind, MapOf, Path, guess, wrong


class Field(NamedTuple):
    """One key of a table."""

    kind: Kind
    """The kind of its value, such as `Whole(1, 20)`."""
    doc: str
    """What it is, in a few words without a capital and a full stop: `crisis character schema` shows it."""
    rule: str = ""
    """The rule that it comes from; empty for none."""
    default: Any = None
    """What is taken when the key is absent; None: the key stays absent."""
    required: bool = False
    """Whether a sheet without the key is refused."""


class Section(NamedTuple):
    """A table of known keys, each with its `Field`; also a kind of value."""

    fields: Mapping[str, Field]
    """The known keys, each with its field."""
    rest: Kind | None = None
    """The kind of the value of any other key; None: other keys are faults."""

    def read(self, value: Any, path: Path, faults: list[Fault]) -> dict[str, Any]:
        """The values by key, as the rules spell the keys, defaults filled in."""
        if not isinstance(value, dict):
            wrong(faults, path, "a table", value)
            # What the table is read as for all that; that its keys are missing goes without saying.
            return self.read({}, path, [])
        spelled = _spelled(tuple(self.fields))
        values: dict[str, Any] = {}
        for key, part in value.items():
            name = spelled.get(_bare(key))
            if name in values:
                faults.append(Fault((*path, key), f"stands twice, as {name} too"))
            elif name is not None:
                values[name] = self.fields[name].kind.read(part, (*path, key), faults)
            elif self.rest is not None:
                values.update(MapOf(self.rest, lower=True).read({key: part}, path, faults))
            else:
                near = guess(key, tuple(self.fields)) or f"; there are: {', '.join(self.fields)}"
                faults.append(Fault((*path, key), f"unknown{near}"))
        for name, field in self.fields.items():
            if name in values:
                continue
            if field.required:
                faults.append(Fault((*path, name), "is missing"))
                # Something of the right kind stands in, so that the rest of the sheet can be measured.
                values[name] = field.kind.read(None, (*path, name), [])
            elif field.default is not None:
                values[name] = field.default
        return {name: values[name] for name in (*self.fields, *values) if name in values}

    def schema(self) -> dict[str, Any]:
        """An object."""
        properties = {
            name: {
                **field.kind.schema(),
                "description": field.doc + (f" ({field.rule})" if field.rule else ""),
            }
            | ({"default": field.default} if field.default is not None else {})
            for name, field in self.fields.items()
        }
        needed = [name for name, field in self.fields.items() if field.required]
        return {
            "type": "object",
            "properties": properties,
            "additionalProperties": self.rest.schema() if self.rest else False,
        } | ({"required": needed} if needed else {})


@cache
def _spelled(names: tuple[str, ...]) -> Mapping[str, str]:
    """The keys as the rules spell them, by what all their spellings have in common."""
    return {_bare(name): name for name in names}


def _bare(key: str) -> str:
    return key.lower().replace("_", "-")
