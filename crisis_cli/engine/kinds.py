"""The kinds of values that a sheet may hold: each checks itself and prints as JSON Schema."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Protocol

from ..columns import is_printable
from ..values import NamedTuple
from .dice_amount import MOST_DICE, MOST_PLUS, MOST_SIDES, Amount

Path = tuple[str | int, ...]
"""The path of a value on a sheet: keys and indexes."""


class Fault(NamedTuple):
    """An error in a sheet, and where it is."""

    path: Path
    """The keys that lead to the value: `("weapons", "bow", "damage")`."""
    message: str
    """What is wrong, as the end of a sentence that begins with the key: "must be 1 or more"."""
    in_journals: bool = True
    """Whether it is an error in the sheets of journals too; False if older journals may hold such a sheet."""

    @classmethod
    def of(cls, path: Path, wanted: str, value: Any) -> Fault:
        """The fault of a value that is not what it must be."""
        return cls(path, f"must be {wanted}, not {shown(value)}")

    @classmethod
    def unknown(cls, path: Path, what: str, word: str, words: Iterable[str]) -> Fault:
        """The fault of a word that names nothing known. `what` is the noun for it: "skill"."""
        return cls(path, f"unknown {what} {word!r}{guess(word, words)}")

    @classmethod
    def of_skills(cls, skills: Mapping[str, Any], known: Iterable[str], needs: str) -> list[Fault]:
        """The faults of skills of a sheet that are neither known nor tables of their own, which need what `needs`
        says."""
        strange = [
            name for name, skill in skills.items() if name not in known and not isinstance(skill, dict)
        ]
        near = {name: guess(name, known) for name in strange}
        return [
            cls(("skills", name), f"unknown{near[name]}" if near[name] else f"needs {needs}")
            for name in strange
        ]

    @staticmethod
    def guess(word: str, words: Iterable[str]) -> str:
        """` (did you mean …?)` for a message about an unknown word, where one of the known words is near."""
        return guess(word, words)


class Kind(Protocol):
    """A kind of value."""

    def read(self, value: Any, path: Path, faults: list[Fault]) -> Any:
        """The value as the rules want it; what is wrong is added to the faults."""
        ...

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the kind."""
        ...


def wrong(faults: list[Fault], path: Path, wanted: str, value: Any) -> None:
    """Add the fault of a value that is not what it must be."""
    faults.append(Fault.of(path, wanted, value))


LONGEST = 60
"""Characters of a value or a word that are shown, or looked at for a guess."""


FEW = 4
"""Elements of a list that is shown whole."""


def shown(value: Any) -> str:
    """A value as the sheet spells it, in a few words."""
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        is_plain = len(value) <= FEW and not any(isinstance(part, (dict, list)) for part in value)
        said = f"[{', '.join(map(shown, value))}]" if is_plain else ""
        return said if 0 < len(said) <= LONGEST else "a list"
    if isinstance(value, bool):
        return "true" if value else "false"
    if hasattr(value, "isoformat"):
        return str(value.isoformat())
    # Python refuses to spell a number of thousands of digits, and nobody would read it.
    if isinstance(value, int) and value.bit_length() > 3 * LONGEST:
        return "a number of so many digits"
    said = repr(value[: LONGEST + 1] if isinstance(value, str) else value)
    return said if len(said) <= LONGEST else said[: LONGEST - 3] + "…"


SHORTEST = 3
"""Letters that a word must have to be taken for a slip of another: me is like move, and means something else."""
LONG_WORD = 7
"""Letters from which on a word may have two slips: one too many, one too few, a wrong one, or two swapped."""


def nearest(word: str, words: Iterable[str]) -> str:
    """The word that somebody may have meant by another, whatever its capitals: with a slip in it, or the only one that
    begins like it; empty if there is none, or the word is too short."""
    if not SHORTEST <= len(word) <= LONGEST:
        return ""
    typed, known = word.casefold(), {one.casefold(): one for one in words}
    begun = [one for one in known if one.startswith(typed)]
    most = 1 + (len(typed) >= LONG_WORD)
    # The first letter is hardly ever wrong: best is no slip of rest.
    slips = {one: _slips(typed, one) for one in known if one[:1] == typed[:1]}
    near = min(slips, key=lambda one: slips[one], default="")
    if near and slips[near] <= most:
        return known[near]
    return known[begun[0]] if len(begun) == 1 else ""


def _slips(typed: str, word: str) -> int:
    """How many letters are missing, too many, wrong or swapped with the next."""
    before: list[int] = []
    last = list(range(len(word) + 1))
    for row, letter in enumerate(typed, start=1):
        now = [row]
        for column, wanted in enumerate(word, start=1):
            least = min(now[-1] + 1, last[column] + 1, last[column - 1] + (letter != wanted))
            if row > 1 < column and (letter, typed[row - 2]) == (word[column - 2], wanted):
                least = min(least, before[column - 2] + 1)
            now.append(least)
        before, last = last, now
    return last[-1]


def guess(word: str, words: Iterable[str]) -> str:
    """The end of a message about an unknown word: ` (did you mean …?)` with the nearest of the words; empty if none is
    near."""
    near = nearest(word, words)
    return f" (did you mean {near}?)" if near else ""


class Whole(NamedTuple):
    """A kind of value: a whole number within bounds, or a word for one."""

    low: int = 0
    """The lowest number."""
    high: int = 9999
    """The highest number."""
    words: Mapping[str, int] = {}
    """Words that a sheet may say instead, with the numbers they stand for."""
    signed: bool = False
    """Whether it is added to something, and so shown with its sign."""

    def read(self, value: Any, path: Path, faults: list[Fault]) -> int:
        """The number."""
        if isinstance(value, str) and value.strip().lower() in self.words:
            return self.words[value.strip().lower()]
        if isinstance(value, int) and not isinstance(value, bool) and self.low <= value <= self.high:
            return value
        wanted = f"a whole number from {self.low} to {self.high}"
        if self.words:
            wanted += f" or one of {', '.join(self.words)}"
        wrong(faults, path, wanted, value)
        return max(self.low, min(self.high, 0))

    def schema(self) -> dict[str, Any]:
        """An integer, or one of the words."""
        number = {"type": "integer", "minimum": self.low, "maximum": self.high}
        return {"anyOf": [number, {"enum": list(self.words)}]} if self.words else number


class Absent(NamedTuple):
    """What a system does not have: no value will do."""

    what: str

    def read(self, value: Any, path: Path, faults: list[Fault]) -> None:
        """Nothing, and a fault."""
        faults.append(Fault(path, f"has no meaning here: these rules know no {self.what}"))

    def schema(self) -> dict[str, Any]:
        """What nothing satisfies."""
        return {"not": {}}


class Flag(NamedTuple):
    """A kind of value: true or false."""

    def read(self, value: Any, path: Path, faults: list[Fault]) -> bool:
        """The flag."""
        if not isinstance(value, bool):
            wrong(faults, path, "true or false", value)
        return bool(value)

    def schema(self) -> dict[str, Any]:
        """A boolean."""
        return {"type": "boolean"}


class Text(NamedTuple):
    """A kind of value: a line of text without control characters."""

    most: int = 80
    """How many characters it may have."""
    plain: bool = False
    """Whether it must do as a word of a command: none of `:,=` and no dash in front."""

    def read(self, value: Any, path: Path, faults: list[Fault]) -> str:
        """The text."""
        if not isinstance(value, str):
            wrong(faults, path, "text", value)
            return "?"
        if not value.strip() or len(value) > self.most or not is_printable(value):
            wrong(faults, path, f"1 to {self.most} printable characters", value)
            return "?"
        if self.plain and (set(value) & set(":,=") or value[0] == "-" or value != value.strip()):
            wrong(faults, path, "a name without : , = and not beginning with a dash or a space", value)
        return value

    def schema(self) -> dict[str, Any]:
        """A string."""
        return {"type": "string", "minLength": 1, "maxLength": self.most}


class OneOf(NamedTuple):
    """A kind of value: one of some words."""

    words: tuple[str, ...]
    """The words, in lower case with hyphens."""

    def read(self, value: Any, path: Path, faults: list[Fault]) -> str:
        """The word, in the spelling of the rules."""
        if isinstance(value, str):
            word = value.strip().lower().replace("_", "-")
            if word in self.words:
                return word
            faults.append(
                Fault(path, f"must be {either(self.words)}, not {shown(value)}{guess(word, self.words)}")
            )
        else:
            wrong(faults, path, either(self.words), value)
        return self.words[0]

    def schema(self) -> dict[str, Any]:
        """An enumeration."""
        return {"enum": list(self.words)}


def either(words: Sequence[str]) -> str:
    """Several words of which one is meant: `a, b or c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


class DiceText(NamedTuple):
    """A kind of value: a number, or dice and a number, such as `2d6+1`. `amount` reads it."""

    least: int = -MOST_PLUS
    """The lowest number without dice."""

    def read(self, value: Any, path: Path, faults: list[Fault]) -> str | int:
        """The amount, as a sheet spells it."""
        read = Amount.parse(value) if isinstance(value, (str, int)) and not isinstance(value, bool) else None
        if read is None or (not read.many and read.plus < self.least):
            number = f"from {self.least} to" if self.least > -MOST_PLUS else "up to"
            wanted = f"a number {number} {MOST_PLUS} or dice like 2d6+1 ({MOST_DICE}d{MOST_SIDES} at most)"
            wrong(faults, path, wanted, value)
        if read is None or not read.many:
            return read.plus if read else 0
        return str(read)

    def schema(self) -> dict[str, Any]:
        """A number or a string of dice."""
        return {
            "anyOf": [
                {"type": "integer", "minimum": self.least, "maximum": MOST_PLUS},
                {"type": "string", "pattern": r"^\d*[dD]\d+([+-]\d+)?$|^[+-]?\d+$"},
            ]
        }


def crowded(faults: list[Fault], path: Path, many: int, most: int) -> None:
    """Add the fault of a list or a table that holds too much."""
    if many > most:
        faults.append(Fault(path, f"must have {most} entries at most, not {many}"))


class ListOf(NamedTuple):
    """A kind of value: a list whose values are all of one kind."""

    kind: Kind
    """The kind of every value."""
    most: int = 100
    """How many values there may be."""

    def read(self, value: Any, path: Path, faults: list[Fault]) -> list[Any]:
        """The values."""
        if not isinstance(value, list):
            wrong(faults, path, "a list", value)
            return []
        crowded(faults, path, len(value), self.most)
        return [self.kind.read(part, (*path, at), faults) for at, part in enumerate(value[: self.most])]

    def schema(self) -> dict[str, Any]:
        """An array."""
        return {"type": "array", "items": self.kind.schema(), "maxItems": self.most}


class Point(NamedTuple):
    """A place, [x, y] (ALL-4)."""

    def read(self, value: Any, path: Path, faults: list[Fault]) -> list[float] | None:
        """The place."""
        numbers = [part for part in value if _finite(part)] if isinstance(value, list) else []
        if not isinstance(value, list) or len(value) != 2 or len(numbers) != 2:
            wrong(faults, path, "a place, [x, y]", value)
            return None
        return numbers

    def schema(self) -> dict[str, Any]:
        """A pair of numbers."""
        return {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}


FARTHEST = 1_000_000
"""No place on the field is farther out than this, on either axis."""


def _finite(part: Any) -> bool:
    return isinstance(part, (int, float)) and not isinstance(part, bool) and abs(part) <= FARTHEST


class MapOf(NamedTuple):
    """A kind of value: a table with free names, whose values are all of one kind."""

    kind: Kind
    """The kind of every value."""
    lower: bool = False
    """Whether names are written in lower case with hyphens."""
    words: Mapping[str, Any] = {}
    """The names there are, where they are not free."""
    most: int = 100
    """How many names there may be."""

    def read(self, value: Any, path: Path, faults: list[Fault]) -> dict[str, Any]:
        """The values by name."""
        if not isinstance(value, dict):
            wrong(faults, path, "a table", value)
            return {}
        crowded(faults, path, len(value), self.most)
        values: dict[str, Any] = {}
        for key, part in islice(value.items(), self.most):
            name = key.lower().replace("_", "-") if self.lower else key
            if self.words and name not in self.words:
                faults.append(Fault((*path, key), f"unknown{guess(name, list(self.words))}"))
            elif not is_printable(name) or not name or len(name) > 40 or set(name) & set(":,="):
                faults.append(
                    Fault((*path, key), "must be named by 1 to 40 printable characters without : , =")
                )
            elif name in values:
                faults.append(Fault((*path, key), f"stands twice, as {name} too"))
            else:
                values[name] = self.kind.read(part, (*path, key), faults)
        return values

    def schema(self) -> dict[str, Any]:
        """An object with any keys."""
        if self.words:
            return {
                "type": "object",
                "properties": {word: self.kind.schema() for word in self.words},
                "additionalProperties": False,
            }
        return {"type": "object", "additionalProperties": self.kind.schema()}


class Either(NamedTuple):
    """A kind of value: one of two kinds, of which one is a table."""

    plain: Kind
    """The kind of a value that is no table."""
    table: Kind
    """The kind of a value that is a table."""

    def read(self, value: Any, path: Path, faults: list[Fault]) -> Any:
        """The value of whichever kind it is."""
        return (self.table if isinstance(value, dict) else self.plain).read(value, path, faults)

    def schema(self) -> dict[str, Any]:
        """Any of the two."""
        return {"anyOf": [self.plain.schema(), self.table.schema()]}
