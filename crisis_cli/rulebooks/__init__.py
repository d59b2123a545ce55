"""The rules in words, for `crisis rules`.

A file has `name`, `title`, `summary`, for a system `dice` (the order in which its dice are thrown) and `real_dice`, and
`[[topics]]`: `name`, `title`, `also` (other words a player may look for), and `[[topics.rules]]`, each with

- `id`, `title`, `text`: paragraphs, an empty line between them; what a player types stands in backquotes;
- `table`: rows of cells, the first row being the heads;
- `example`: the rule worked through once;
- `elsewhere`: what comes from another chapter of the original game;
- `reading`: what the original leaves open, and how it is read here.

`elsewhere` and `reading` are one text or a list of them.

`real_dice` is what a roll must show, for players with real dice: a list of parts with {dice}, {plus}, {need}, {faces},
{does}, {chance}, {most}, {successes}, {double}, {complication} and {critical}; a part with a value that does not apply
is left out.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from .. import systems
from ..engine.kinds import guess, nearest
from ..errors import FileError, Usage
from ..values import NamedTuple

SHARED = "shared"
"""The rulebook of what the systems share."""


class RuleText(NamedTuple):
    """One rule in words."""

    id: str
    title: str
    text: tuple[str, ...]
    """Paragraphs."""
    table: tuple[tuple[str, ...], ...] = ()
    example: str = ""
    elsewhere: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()


class Topic(NamedTuple):
    """Rules that a player looks for under one word."""

    name: str
    title: str
    rules: tuple[RuleText, ...]
    also: tuple[str, ...] = ()


class Rulebook(NamedTuple):
    """The rules of one system."""

    name: str
    title: str
    summary: str
    topics: tuple[Topic, ...]
    dice: str = ""
    """The order in which its dice are thrown (ALL-2)."""
    real_dice: tuple[str, ...] = ()
    """Words for what a roll of real dice must show, in parts; a part whose values are not known is left
    out."""

    def rules(self) -> Iterator[RuleText]:
        """Every rule, topic by topic."""
        return (rule for topic in self.topics for rule in topic.rules)

    def look_up(self, word: str) -> Topic:
        """The topic a word means: its name, another word for it, the id of a rule in it, or how one of these begins.

        For an id it holds that rule alone. Usage where nothing or too much goes by the word.
        """
        word = word.strip().lower().replace("_", "-").replace(" ", "-")
        found = self._by_id(word) or self._by_name(word)
        if found is not None:
            return found
        begin = [topic for topic in self.topics if topic.name.startswith(word)] or [
            topic for topic in self.topics if any(also.startswith(word) for also in topic.also)
        ]
        if len(begin) == 1 and word:
            return begin[0]
        names = ", ".join(topic.name for topic in begin if word)
        raise Usage(
            f"{word!r} could be {names}" if names else f"{self.name} has no topic {word!r}{self._near(word)}",
            hint=f"topics: {', '.join(topic.name for topic in self.topics)}",
            code="unknown_topic",
        )

    def has_topic(self, word: str) -> bool:
        """Whether a word is the name of a topic, or another word for it."""
        return self._by_name(word.strip().lower().replace("_", "-")) is not None

    def _by_id(self, word: str) -> Topic | None:
        for topic in self.topics:
            for rule in topic.rules:
                if word in (rule.id.lower(), rule.id.lower().rpartition("-")[2]):
                    return topic._replace(rules=(rule,))
        return None

    def _by_name(self, word: str) -> Topic | None:
        named = (topic for topic in self.topics if topic.name == word)
        return next(named, next((topic for topic in self.topics if word in topic.also), None))

    def _near(self, word: str) -> str:
        words = {also: topic.name for topic in self.topics for also in topic.also}
        words |= {topic.name: topic.name for topic in self.topics}
        words |= {rule.id.lower(): rule.id for rule in self.rules()}
        near = nearest(word, words)
        return f" (did you mean {words[near]}?)" if near else ""


def load(name: str) -> Rulebook:
    """The rulebook of that name; Usage where there is none, FileError where it cannot be read."""
    if name not in names():
        if name in systems.names():
            raise Usage(f"the rules of {name} are not written down", code="unknown_rules")
        with_topic = [book.name for book in readable(names(), lambda _: None) if book.has_topic(name)]
        if with_topic:
            raise Usage(
                f"{name} is a topic of {', '.join(with_topic)}, not a system",
                hint=f"name the system: crisis rules {with_topic[0]} {name}",
                code="unknown_rules",
            )
        raise Usage(
            f"no rules are called {name!r}{guess(name.lower(), names())}",
            hint=f"there are: {', '.join(names())}",
            code="unknown_rules",
        )
    try:
        return rulebook(tomllib.loads(_file(name).read_text(encoding="utf-8")))
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        why = f"{error.args[0]} is missing" if isinstance(error, KeyError) else str(error)
        raise FileError(
            f"the rules of {name} cannot be read, {_file(name)}: {why}",
            hint=f"see all that is wrong: crisis system check {name}; or reinstall the package that provides {name}",
            code="bad_system",
        ) from error


def readable(wanted: Iterable[str], report: Callable[[str], None]) -> Iterator[Rulebook]:
    """The rulebooks of these names that can be read; `report` is called with what is wrong with each of the others."""
    for name in wanted:
        try:
            yield load(name)
        except FileError as error:
            report(error.message)


def names() -> tuple[str, ...]:
    """All rulebooks by name, in the order of the registry, the shared one last; a system may have none."""
    return (*(name for name in systems.names() if _file(name).is_file()), SHARED)


def titles(system: str) -> dict[str, str]:
    """The title of every rule of a system and of those that systems share, by its id."""
    wanted = [name for name in (system, SHARED) if name in names()]
    books = readable(wanted, lambda message: None)
    return {rule.id: rule.title for book in books for rule in book.rules()}


def _file(name: str) -> Path:
    """Where the rules of a system, or those that all share, are written down."""
    return (
        Path(__file__).parent / "shared.toml" if name == SHARED else Path(systems.folder(name)) / "rules.toml"
    )


def rulebook(record: Mapping[str, Any]) -> Rulebook:
    """The rulebook that a parsed file holds."""
    topics = [
        Topic(one["name"], one["title"], tuple(map(_rule, one["rules"])), tuple(one.get("also", ())))
        for one in record["topics"]
    ]
    return Rulebook(
        record["name"],
        record["title"],
        _line(record["summary"]),
        tuple(topics),
        _line(record.get("dice", "")),
        tuple(map(str, record.get("real_dice", ()))),
    )


def _rule(record: Mapping[str, Any]) -> RuleText:
    table = tuple(map(tuple, record.get("table", ())))
    if len({*map(len, table)}) > 1:
        raise ValueError(f"the rows of the table of {record['id']} have different numbers of cells")
    return RuleText(
        record["id"],
        record["title"],
        tuple(_line(part) for part in record["text"].strip().split("\n\n")),
        table,
        _line(record.get("example", "")),
        _lines(record.get("elsewhere", ())),
        _lines(record.get("reading", ())),
    )


def _lines(said: str | Iterable[str]) -> tuple[str, ...]:
    return (_line(said),) if isinstance(said, str) else tuple(map(_line, said))


def _line(text: str) -> str:
    """A text with its line breaks made spaces."""
    return " ".join(text.split())
