"""The text of a new sheet: every value with a comment that says what it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..engine.kinds import Kind, MapOf
from ..engine.schema import Field, Section
from ..errors import Usage
from .toml_patch import key_text, value_text

COMMENTS_AT = 24
"""The column in which comments begin, where the values leave room."""


def sheet_text(sheet: Mapping[str, Any], schema: Section, head: str = "") -> str:
    """A sheet as TOML with comments, below a head, or else below a line that says what it is; Usage if a value cannot
    be written."""
    usual = f"# {sheet['name']}, a sheet for crisis. All keys: crisis character schema {sheet['system']}"
    try:
        lines = _lines(sheet, schema)
        return "\n".join([head or usual.replace("\r", " ").replace("\n", " "), *lines]) + "\n"
    except ValueError as wrong:
        raise Usage("a number on the sheet is too large to be written", code="bad_value") from wrong


def _lines(table: Mapping[str, Any], schema: Section) -> Iterator[str]:
    """The lines of a sheet: its values, then its tables under their headers, things each under its own."""
    tables = {key: value for key, value in table.items() if isinstance(value, dict)}
    for key, value in table.items():
        if key not in tables:
            yield _pair(key, value, _field(schema, key))
    for key, value in tables.items():
        field = _field(schema, key)
        kind, about = field.kind if field else None, _about(key, field)
        if value and all(isinstance(one, dict) for one in value.values()):
            for name, thing in value.items():
                yield from _table((key, name), thing, kind.kind if isinstance(kind, MapOf) else kind, about)
                about = ""
        else:
            yield from _table((key,), value, kind, about)


def _table(path: tuple[str, ...], values: Mapping[str, Any], kind: Kind | None, about: str) -> Iterator[str]:
    """The lines of one table under its header; tables in it stand on a line each."""
    yield ""
    yield _commented(f"[{key_text(path)}]", about)
    for key, value in values.items():
        yield _pair(key, value, _field(kind, key))


def _pair(key: str, value: Any, field: Field | None) -> str:
    return _commented(f"{key_text((key,))} = {value_text(value)}", _about(key, field))


def _commented(line: str, about: str) -> str:
    return f"{line:<{COMMENTS_AT - 1}} # {about}" if about else line


def _field(kind: Kind | None, key: str) -> Field | None:
    """The field of a key, however it is spelled; None for a key that is free."""
    fields = kind.fields if isinstance(kind, Section) else {}
    spelled = key.lower().replace("_", "-")
    return next((one for name, one in fields.items() if name.replace("_", "-") == spelled), None)


def _about(key: str, field: Field | None) -> str:
    """What a comment says of a key; its name stands before it already."""
    return "" if field is None or field.doc == key else field.doc.removeprefix(f"{key}, ")
