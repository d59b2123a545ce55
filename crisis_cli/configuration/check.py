"""The TOML of a file of settings, checked against the table of keys."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, Any

from ..engine.kinds import Either, Fault, Flag, Kind, MapOf, OneOf, Text, Whole, guess
from ..errors import FileError
from ..render.style import STYLES
from ..sheets.check import MOST_FAULTS, spelled, toml_of
from ..sheets.files import path_from
from ..sheets.toml_positions import line_of, spans
from ..values import NamedTuple
from .keys import ALIASES, FLAG, FOLDER, KEYS, NUMBER, THEME, WORD, SettingKey

if TYPE_CHECKING:
    SettingFault = tuple[str, int, str]

ELSEWHERE = {
    "user": "stands in .crisis.toml of a folder alone: here a fight would differ from machine to machine",
    "folder": "is no key of a folder: it stands in config.toml of the player",
}
"""Why a file may not have a key that another may have, by its owner."""
LONGEST = 1_000
"""Most characters of a path or a command."""


def checked(path: str, shown: str, owner: str) -> tuple[dict[str, tuple[str, int]], list[SettingFault]]:
    """The values of a file without faults, each as text with its line; and its faults: the key, which is empty where
    the file cannot be read, the line, and a message."""
    try:
        text, raw = toml_of(path, shown, "configuration")
    except FileError as error:
        faults_in_text = error.about.get("faults")
        line = faults_in_text[0]["line"] if isinstance(faults_in_text, list) else 0
        said, where = error.message, f"{shown}, line {line}: "
        if owner == "folder" and said.startswith(where):
            # A folder may come from a stranger, and what stands in its file may be the text of another one.
            said = where + said.removeprefix(where).partition(": ")[0]
        return {}, [("", line, _in_a_line(said))]
    values: dict[str, str] = {}
    faults: list[Fault] = []
    known = {key.name: key for key in KEYS if owner in key.files}
    for name, value in raw.items():
        before = len(faults)
        if name not in known:
            is_elsewhere = any(key.name == name for key in KEYS)
            faults.append(
                Fault((name,), ELSEWHERE[owner] if is_elsewhere else f"is no key{guess(name, known)}")
            )
        elif known[name].kind == ALIASES:
            values |= _aliases(value, faults)
        else:
            read = _kind(known[name]).read(value, (name,), faults)
            if len(faults) == before:
                values[name] = _as_text(known[name], read, os.path.dirname(path) if owner == "user" else "")
    places = spans(text)
    lines = {key: line_of(places, tuple(key.split(".", 1))) for key in values}
    return (
        {_in_a_line(key): (_in_a_line(value), lines[key]) for key, value in values.items()},
        sorted(
            (_fault(one, line_of(places, one.path), shown, owner) for one in faults[:MOST_FAULTS]),
            key=lambda fault: fault[1],
        ),
    )


def _fault(fault: Fault, line: int, shown: str, owner: str) -> SettingFault:
    """A fault as a key, a line and a message, which for the file of a folder has none of its text."""
    key = _in_a_line(spelled(fault.path))
    if owner == "folder":
        setting = next((one for one in KEYS if one.name == key), None)
        if setting is None:
            return "?", line, f"{shown}, line {line}: this {fault.message}"
        if owner in setting.files:
            return key, line, f"{shown}, line {line}: {key} must be {_wanted(setting)}"
    return key, line, _in_a_line(f"{shown}, line {line}: {key} {fault.message}")


def _wanted(key: SettingKey) -> str:
    """What the value of a key of a folder must be."""
    return f"a whole number from {key.values}" if key.kind == NUMBER else f"the name of a {key.kind}"


def _in_a_line(text: str) -> str:
    """A text without tabs and line breaks, which part the fields and lines of the cache."""
    return text.replace("\t", " ").replace("\n", " ").replace("\r", " ")


def _kind(key: SettingKey) -> Kind:
    if key.kind == NUMBER:
        return Whole(*key.bounds)
    if key.kind == FLAG:
        return Flag()
    if key.kind == THEME:
        return Either(OneOf(key.words), MapOf(SgrNumbers(), words=dict.fromkeys(STYLES)))
    return OneOf(key.words) if key.kind == WORD else Text(LONGEST)


def _as_text(key: SettingKey, value: Any, folder: str) -> str:
    """A value as a text; a folder of the player's seen from that of the file."""
    if key.kind == FLAG:
        return "true" if value else "false"
    if isinstance(value, dict):
        return " ".join(f"{style}={numbers}" for style, numbers in value.items())
    return path_from(os.path.abspath(folder), value) if key.kind == FOLDER and folder else str(value)


def _aliases(table: object, faults: list[Fault]) -> dict[str, str]:
    """The aliases of a table, by their keys."""
    if not isinstance(table, dict):
        faults.append(Fault(("aliases",), 'is no table: write [aliases], then snipe = "attack --aim 2"'))
        return {}
    values = {}
    for name, meaning in table.items():
        if _is_command(meaning):
            values[f"aliases.{name.lower()}"] = meaning
        else:
            faults.append(Fault(("aliases", name), f'is no command line: write {name} = "attack --aim 2"'))
    return values


def _is_command(meaning: object) -> bool:
    """Whether a value is a text that a shell could split into words."""
    try:
        return isinstance(meaning, str) and bool(shlex.split(meaning))
    except ValueError:
        return False


class SgrNumbers(NamedTuple):
    """A kind of value: the numbers that set a style of a terminal, such as `38;5;208`."""

    def read(self, value: Any, path: tuple[str | int, ...], faults: list[Fault]) -> str:
        """The numbers."""
        parts = value.split(";") if isinstance(value, str) and len(value) <= 40 else [""]
        if all(part.isascii() and part.isdigit() and len(part) < 4 for part in parts):
            return ";".join(parts)
        faults.append(Fault.of(path, 'SGR numbers, such as "1;31"', value))
        return ""

    def schema(self) -> dict[str, Any]:
        """A string of numbers."""
        return {"type": "string", "pattern": r"^\d{1,3}(;\d{1,3})*$"}
