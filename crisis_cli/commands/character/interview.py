"""The questions of `crisis character new`: each with its default and an example, and asked until the answer fits."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar

from ...context import Context
from ...engine.kinds import Either, Fault, Flag, Kind, ListOf, MapOf, guess
from ...engine.schema import Field, Section
from ...engine.system import System
from ...errors import Usage
from ...sheets.check import faults_of, spelled
from ...sheets.toml_patch import value_text

NOT_ASKED = (
    *("name", "system", "player", "team", "doctrine", "fight", "circumstance", "state"),
    *("belongings", "loot"),
)
"""Keys of a sheet that have a question of their own, or none."""
FEW = 6
"""A table of more values is asked for on one line."""
NONE = "none"
"""The answer that leaves a value out."""
Path = tuple[str, ...]
Answer = TypeVar("Answer")


def ask_until(context: Context, prompt: str, read: Callable[[str], Answer]) -> Answer:
    """Ask until `read` accepts the answer: it gives the value, or raises Usage with what is wrong."""
    while True:
        try:
            return read(context.output.ask(prompt).strip())
        except Usage as wrong:
            context.output.say(wrong.message, to_stderr=True)


def ask_yes(context: Context, question: str, default: bool) -> bool:
    """Ask until the answer is yes or no; an empty one is the default."""

    def read(answer: str) -> bool:
        word = answer.lower()
        if word not in ("", "y", "yes", "n", "no"):
            raise Usage(f"answer y or n, not {answer!r}", code="bad_value")
        return default if not word else word.startswith("y")

    return ask_until(context, f"{question} [{'Y/n' if default else 'y/N'}] ", read)


def ask_one(context: Context, question: str, words: Sequence[str], default: str) -> str:
    """Ask until the answer is one of some words, in any case; an empty one is the default."""

    def read(answer: str) -> str:
        word = answer.lower() or default
        if word not in words:
            raise Usage(f"{answer!r} is not one of {', '.join(words)}{guess(word, words)}", code="bad_value")
        return word

    return ask_until(context, f"{question} ({', '.join(words)}) [{default}]: ", read)


class Interview:
    """Asks a player for the values of one sheet; other sheets of its system give the examples."""

    def __init__(self, context: Context, system: System, samples: Sequence[Mapping[str, Any]]):
        self.context = context
        self.system = system
        self.samples = samples

    def fill(self, sheet: dict[str, Any], *, all_values: bool, left_out: Container[str] = ()) -> None:
        """Ask for what a sheet lacks, or only for what it must have; the values given so far are the defaults.

        A value that does not go with the others is asked for again; `left_out` are keys not to ask for.
        """
        for key, field in self.system.sheet.fields.items():
            if (
                key in NOT_ASKED
                or key in left_out
                or not (field.required if not all_values else self._is_usual((key,), field))
            ):
                continue
            if not all_values and key in sheet:
                continue
            while True:
                value = self._field((key,), field, sheet.get(key))
                made = {**sheet, key: value}
                if value is None:
                    del made[key]
                faults = [one for one in faults_of(self.system, made)[1] if one.path[:1] == (key,)]
                if not faults:
                    break
                self._tell(faults)
            if value == field.default and key not in sheet:
                continue
            sheet.pop(key, None)
            if value is not None:
                sheet[key] = value

    def _is_usual(self, path: Path, field: Field) -> bool:
        """Whether to ask for a key: it is required, has a default, or stands on another sheet."""
        return field.required or field.default is not None or bool(self._examples(path))

    def _field(self, path: Path, field: Field, default: Any) -> Any:
        """The player's value for a field; None where the key stays absent."""
        kind, usual = field.kind, field.default if default is None else default
        if isinstance(kind, Section) and len(path) == 1:
            return self._table(path, field, kind, usual)
        if isinstance(kind, MapOf) and isinstance(kind.kind, Section):
            return self._things(path, field, kind.kind, default or {})
        if isinstance(kind, (Section, MapOf)):
            return self._pairs(path, field, kind, default or {})
        return self._value(path, field, usual)

    # One value

    def _value(self, path: Path, field: Field, default: Any) -> Any:
        example = self._example(path) or (_allowed(field.kind) if default is None else "")
        prompt = self._prompt(path, field, _spelled(default), example)

        def read(answer: str) -> Any:
            if not answer and (default is not None or not field.required):
                return default
            if answer.lower() == NONE and not field.required:
                return None
            value = _parsed(answer, field.kind)
            self._require(path, field.kind, value)
            return value

        return ask_until(self.context, prompt, read)

    # Several values

    def _table(self, path: Path, field: Field, kind: Section, default: Any) -> Any:
        """The values of a table: a few of them one by one, many on one line."""
        if default is None and not field.required:
            if not ask_yes(self.context, f"{_doc(path, field)}?", False):
                return None
            default = {}
        own = default or {}
        one_by_one = {
            key: one
            for key, one in kind.fields.items()
            if one.required or (len(kind.fields) <= FEW and self._is_usual((*path, key), one))
        }
        values: dict[str, Any] = {}
        if one_by_one:
            self.context.output.say(_doc(path, field), to_stderr=True)
        for key, one in one_by_one.items():
            value = self._field((*path, key), one, own.get(key))
            if value is not None:
                values[key] = value
        if len(one_by_one) < len(kind.fields) or kind.rest is not None:
            rest = Section({key: one for key, one in kind.fields.items() if key not in one_by_one}, kind.rest)
            left = {key: value for key, value in own.items() if key not in one_by_one}
            values |= self._pairs(path, field, rest, left, others=bool(one_by_one)) or {}
        unchanged = all(_is_default(kind, key, value) for key, value in values.items())
        return None if unchanged and not field.required else values

    def _pairs(
        self,
        path: Path,
        field: Field,
        kind: Section | MapOf,
        default: Mapping[str, Any],
        *,
        others: bool = False,
    ) -> Any:
        """Several values on one line, as NAME=VALUE, beside those there are; `others`: some were asked for before."""
        usual = {key: value for key, value in default.items() if not _is_default(kind, key, value)}
        shown = ", ".join(f"{key}={_spelled(value)}" for key, value in usual.items()) or NONE
        about = f"other {path[-1]}" if others else _doc(path, field)
        known = field.kind.fields if others and isinstance(field.kind, Section) else {}
        samples = {name: value for name, value in self._example_entries(path) if name not in known}
        example = ", ".join(f"{name}={_spelled(value)}" for name, value in islice(samples.items(), 2))
        such_as = f", such as {example}" if example else ""
        prompt = f"{_indent(path)}{about}, as NAME=VALUE{such_as} [{shown}]: "

        def read(answer: str) -> Any:
            if not answer:
                return dict(default) or None
            if answer.lower() == NONE:
                return None
            values: dict[str, Any] = {}
            for part in answer.split(","):
                name, equals, text = (word.strip() for word in part.partition("="))
                if not equals or not name or not text:
                    raise Usage(
                        f"write NAME=VALUE, and several with commas, not {part.strip()!r}", code="bad_value"
                    )
                values[name] = _parsed(text, _kind_of(kind, name))
            self._require(path, kind, values)
            return {**default, **values}

        return ask_until(self.context, prompt, read)

    def _things(self, path: Path, field: Field, kind: Section, default: Mapping[str, Any]) -> Any:
        """Weapons, items and other named entries: a name and its values, until an empty name."""
        things = dict(default)
        example = next((name for name, _ in self._example_entries(path)), "")
        while True:
            such_as = f", such as {example}" if example else ""
            asked = (
                f"{path[-1]}, another beside {', '.join(things)}" if things else _doc(path, field) + such_as
            )
            prompt = f"{asked} [{'no more' if things else NONE}]: "
            name = ask_until(self.context, prompt, lambda answer: self._thing_name(path, answer, kind))
            if not name:
                return things or None
            values: dict[str, Any] = {}
            for key, one in kind.fields.items():
                if one.required or self._is_common(path, key):
                    value = self._field((*path, "*", key), one, things.get(name, {}).get(key))
                    if value is not None and not (value == one.default and not one.required):
                        values[key] = value
            things[name] = {**things.get(name, {}), **values}

    def _thing_name(self, path: Path, answer: str, kind: Section) -> str:
        """The name of a thing; empty for no more of them."""
        if answer.lower() in ("", NONE):
            return ""
        faults: list[Fault] = []
        MapOf(Section({})).read({answer: {}}, path, faults)
        if faults:
            raise Usage(_told(faults), code="bad_value")
        return answer

    def _is_common(self, path: Path, key: str) -> bool:
        """Whether half of such things on other sheets have a key."""
        things = [thing for one in self._examples(path) if isinstance(one, dict) for thing in one.values()]
        having = sum(key in thing for thing in things if isinstance(thing, dict))
        return having * 2 >= len(things) > 0

    # Examples and faults

    def _examples(self, path: Path) -> list[Any]:
        """The values under a path on the other sheets; `*` stands for any key."""
        found: list[Any] = list(self.samples)
        for part in path:
            found = [
                value
                for table in found
                if isinstance(table, dict)
                for value in (table.values() if part == "*" else [table[part]] if part in table else [])
            ]
        return found

    def _example(self, path: Path) -> str:
        """A value as another sheet has it; empty where none has one."""
        return next((_spelled(one) for one in self._examples(path) if one not in (0, False, None)), "")

    def _example_entries(self, path: Path) -> Iterator[tuple[str, Any]]:
        """The entries of the tables under a path."""
        for table in self._examples(path):
            if isinstance(table, dict):
                yield from table.items()

    def _prompt(self, path: Path, field: Field, default: str, example: str) -> str:
        such_as = f", such as {example}" if example and example != default else ""
        usual = default or ("" if field.required else NONE)
        return f"{_indent(path)}{_doc(path, field)}{such_as}{f' [{usual}]' if usual else ''}: "

    def _require(self, path: Path, kind: Kind, value: Any) -> None:
        """Raise Usage where a kind does not allow a value."""
        faults: list[Fault] = []
        if isinstance(kind, Section):
            # Required keys are asked for one by one.
            kind = Section({key: one._replace(required=False) for key, one in kind.fields.items()}, kind.rest)
        kind.read(value, tuple(part for part in path if part != "*")[-1:], faults)
        if faults:
            raise Usage(_told(faults), code="bad_value")

    def _tell(self, faults: Iterable[Fault]) -> None:
        self.context.output.say(_told(faults), to_stderr=True)


def _allowed(kind: Kind) -> str:
    """A value that a kind allows; empty where its schema names none."""
    schema = kind.schema()
    if "enum" in schema:
        return str(schema["enum"][0])
    return str(max(1, schema.get("minimum", 1))) if schema.get("type") == "integer" else ""


def _told(faults: Iterable[Fault]) -> str:
    return "; ".join(f"{spelled(one.path)} {one.message}" for one in faults)


def _indent(path: Path) -> str:
    return "  " if len(path) > 1 else ""


def _doc(path: Path, field: Field) -> str:
    """What a question says of a key: its name, and what it is where that says more."""
    name = path[-1]
    return field.doc if field.doc.startswith(name) else f"{name}, {field.doc}"


def _spelled(value: Any) -> str:
    """A value as the player would type it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(_spelled, value))
    return value if isinstance(value, str) else value_text(value)


def _parsed(answer: str, kind: Kind | None) -> Any:
    """An answer as a value of a kind: a number where it is one, a list between commas, else text."""
    if isinstance(kind, ListOf):
        return [_parsed(part.strip(), kind.kind) for part in answer.split(",") if part.strip()]
    if isinstance(kind, Flag) and answer.lower() in ("y", "yes", "true", "n", "no", "false"):
        return answer.lower()[0] in "yt"
    number = answer.replace("−", "-")
    digits = number.lstrip("+-")
    return int(number) if digits.isascii() and digits.isdigit() and len(number) < 20 else answer


def _kind_of(kind: Kind, name: str) -> Kind | None:
    """The kind of one of several values."""
    if isinstance(kind, Section):
        field = kind.fields.get(name)
        return field.kind if field else kind.rest
    one = kind.kind if isinstance(kind, MapOf) else None
    return one.plain if isinstance(one, Either) else one


def _is_default(kind: Kind, key: str, value: Any) -> bool:
    field = kind.fields.get(key) if isinstance(kind, Section) else None
    return field is not None and value == field.default
