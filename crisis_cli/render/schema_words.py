"""The keys of a schema in words: what they hold, within which bounds, and by default."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ..engine.schema import Section
from ..values import NamedTuple

Schema = Mapping[str, Any]


class SchemaTable(NamedTuple):
    """A table of keys."""

    path: str
    """The keys that lead to it, empty for the top of the file."""
    keys: tuple[tuple[str, str], ...]
    """Its keys, each with what it holds in sentences."""
    tables: tuple[tuple[str, str], ...]
    """The paths of tables of known keys within it, each with what it is."""
    alike: tuple[str, ...]
    """In place of keys that have no sentences of their own: what each of them may hold."""


def tables_of(schema: Section) -> Iterator[SchemaTable]:
    """The tables of a schema, each with its keys."""
    for path, table in dict(_tables(schema.schema(), "")).items():
        listed = table["properties"]
        if not any(part.get("description") for part in listed.values()):
            yield SchemaTable(path, (), (), tuple(_alike(listed)))
            continue
        needed = table.get("required", ())
        yield SchemaTable(
            path,
            tuple((key, _told(part, key in needed)) for key, part in listed.items() if not _only_table(part)),
            tuple(
                (f"{path}.{key}" if path else key, _doc(part))
                for key, part in listed.items()
                if _only_table(part)
            ),
            (),
        )


def _tables(schema: Schema, path: str) -> Iterator[tuple[str, Schema]]:
    """Every table of known keys, with its path."""
    if schema.get("properties"):
        yield path, schema
    for key, part in schema.get("properties", {}).items():
        yield from _tables_of(part, f"{path}.{key}" if path else key)


def _tables_of(part: Schema, path: str) -> Iterator[tuple[str, Schema]]:
    rest = part.get("additionalProperties")
    if part.get("type") == "object" and part.get("properties"):
        yield from _tables(part, path)
    elif isinstance(rest, Mapping):
        for one in (rest, *rest.get("anyOf", ())):
            yield from _tables_of(one, f"{path}.NAME")
    for one in part.get("anyOf", ()):
        yield from _tables_of(one, path)


def _alike(properties: Mapping[str, Schema]) -> Iterator[str]:
    """Keys that are only names, under each of which the same may stand."""
    for kind in dict.fromkeys(map(_kind, properties.values())):
        names = ", ".join(f"`{name}`" for name, part in properties.items() if _kind(part) == kind)
        yield f"Each of these may hold {kind}: {names}."


def _only_table(part: Schema) -> bool:
    rest = part.get("additionalProperties")
    named = bool(part.get("properties")) or (isinstance(rest, Mapping) and bool(rest.get("properties")))
    return part.get("type") == "object" and named


def _told(part: Schema, required: bool) -> str:
    doc, rule = _doc(part), _rule(part)
    said = [f"{doc[:1].upper()}{doc[1:]}.", f"{_kind(part).capitalize()}."]
    if required:
        said.append("Required.")
    elif part.get("default") not in (None, {}, []):
        default = part["default"]
        if isinstance(default, Mapping):
            said.append(f"By default {', '.join(f'{key} {value}' for key, value in default.items())}.")
        else:
            said.append(f"By default `{str(default).lower() if isinstance(default, bool) else default}`.")
    if rule:
        said.append(f"Rule {rule}.")
    return " ".join(said)


def _doc(part: Schema) -> str:
    return re.sub(r" \([A-Z0-9]+-\d+\)$", "", part.get("description", ""))


def _rule(part: Schema) -> str:
    found = re.search(r"\(([A-Z0-9]+-\d+)\)$", part.get("description", ""))
    return found[1] if found else ""


def _kind(part: Schema) -> str:
    """What a value is, in words."""
    if "anyOf" in part:
        return " or ".join(_kind(one) for one in part["anyOf"])
    if "enum" in part:
        return " | ".join(f"`{word}`" for word in part["enum"])
    kind = part.get("type")
    if kind == "integer":
        return f"a whole number from {_signed(part['minimum'])} to {_signed(part['maximum'])}"
    if kind == "array":
        return _several(part)
    if kind == "object":
        rest = part.get("additionalProperties")
        names = ", ".join(part.get("properties", ()))
        if isinstance(rest, Mapping):
            return f"a table of names, each with {_kind(rest)}"
        values = [_kind(one) for one in part.get("properties", {}).values()]
        same = f", each {values[0]}" if len(set(values)) == 1 and len(values) > 1 else ""
        return f"a table with {names}{same}"
    if kind == "string" and "pattern" in part:
        return "dice like `2d6+1`"
    words = {"string": f"text of up to {part.get('maxLength', 80)} characters", "boolean": "true or false"}
    return words.get(str(kind), "a number")


def _several(part: Schema) -> str:
    if part.get("minItems") == part.get("maxItems") == 2:
        return "a pair of numbers, `[x, y]`"
    return f"a list of at most {part.get('maxItems', 100)}, each {_kind(part['items'])}"


def _signed(number: int) -> str:
    return f"−{-number}" if number < 0 else str(number)
