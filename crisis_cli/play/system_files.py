"""What is wrong with the files of a rule system beside its Python: its rules in words, its sheets, power and foes."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from typing import Any

from .. import rulebooks, systems
from ..engine.kinds import Fault, ListOf, Path, Text, wrong
from ..engine.schema import Field, Section
from ..engine.system import System
from ..errors import FileError, Refused, place
from ..sheets.archetypes import power_of
from ..sheets.check import (
    check_text,
    fault_records,
    faults_error,
    new_faults,
    read_text,
    record_line,
    toml_of,
)
from ..sheets.foes import foes_of
from ..sheets.store import sheets_in
from ..values import FrozenRecord, NamedTuple

RULES = "rules.toml"
KIND = "rules"
FOLDERS = ("characters", "archetypes")
"""The folders of a package that hold sheets."""
RULE = re.compile(r"[A-Z0-9]+(?:-[A-Z0-9]+)*-\d+")
"""The id of a rule."""
RULE_FIELDS = ("rule", "rule_id", "ready_rule", "lost_by", "long")
"""The fields of rows that hold the id of a rule."""
GAPS = {
    *("dice", "plus", "need", "faces", "does", "chance"),
    *("most", "successes", "double", "complication", "critical"),
}
"""The gaps of `real_dice`."""


class Prose(NamedTuple):
    """A kind of value: a text of any length; with `several` also a list of texts."""

    several: bool = False

    def read(self, value: Any, path: Path, faults: list[Fault]) -> Any:
        """The text, or the texts."""
        if self.several and isinstance(value, list):
            return ListOf(Prose()).read(value, path, faults)
        if not isinstance(value, str):
            wrong(faults, path, "a text or a list of texts" if self.several else "text", value)
        return value

    def schema(self) -> dict[str, Any]:
        """A string, or an array of strings."""
        text = {"type": "string"}
        return {"anyOf": [text, {"type": "array", "items": text}]} if self.several else text


RULE_KEYS = Section(
    {
        "id": Field(Text(), "its id, such as TINY-1", required=True),
        "title": Field(Text(), "its title", required=True),
        "text": Field(Prose(), "the rule", required=True),
        "table": Field(ListOf(ListOf(Prose())), "rows of cells, the heads first"),
        "example": Field(Prose(), "an example"),
        "elsewhere": Field(Prose(several=True), "what comes from another chapter of the original"),
        "reading": Field(Prose(several=True), "how an unclear original is read"),
    }
)
TOPIC_KEYS = Section(
    {
        "name": Field(Text(), "the word by which it is found", required=True),
        "title": Field(Text(), "its title", required=True),
        "also": Field(ListOf(Text()), "other words by which it is found"),
        "rules": Field(ListOf(RULE_KEYS, 1000), "its rules", required=True),
    }
)
RULES_KEYS = Section(
    {
        "name": Field(Text(), "the name of the system", required=True),
        "title": Field(Text(), "its title", required=True),
        "summary": Field(Prose(), "the game in a sentence", required=True),
        "dice": Field(Prose(), "the order in which dice are thrown"),
        "real_dice": Field(ListOf(Prose()), "what a roll of real dice must show"),
        "topics": Field(ListOf(TOPIC_KEYS, 1000), "its topics", required=True),
    }
)
"""The keys of rules.toml."""


class FilesChecked(NamedTuple):
    """How many rules and sheets there are, and what is wrong in the files of a system, a line each."""

    rules: int
    sheets: int
    failed: tuple[str, ...] = ()


def checked_files(system: System, cwd: str) -> FilesChecked:
    """Read the files of a system; messages name them as seen from the working folder."""
    folder = systems.folder(system.name)
    if not folder:
        return FilesChecked(0, 0)
    shown = partial(_shown, cwd)
    rules, failed = 0, list[str]()
    path = os.path.join(folder, RULES)
    if os.path.isfile(path):
        rules, failed = _rules(system, path, _sources(folder, shown), shown(path))
    sheets = [path for name in FOLDERS for path in sheets_in(os.path.join(folder, name))]
    for path in sheets:
        failed += _refused(partial(_sheet, system, path, shown(path)))
    failed += _named_twice(sheets, shown)
    failed += _refused(partial(power_of, system.name)) + _refused(partial(foes_of, system))
    return FilesChecked(rules, len(sheets), tuple(failed))


def _shown(cwd: str, path: str) -> str:
    """A path as seen from the working folder; whole where it lies outside."""
    near = os.path.relpath(path, cwd)
    return path if near.startswith(os.pardir) else near


def _refused(read_file: Callable[[], object]) -> list[str]:
    """What is wrong with a file, a line each; nothing where it can be read, or is not there."""
    try:
        read_file()
    except FileError as error:
        return error.message.splitlines()
    except Refused:
        pass
    return []


def _sheet(system: System, path: str, display_path: str) -> None:
    """Read a sheet; FileError listing every fault, or only that it is one of another system."""
    text, raw = toml_of(path, display_path, "sheet")
    name = raw.get("system", system.name)
    if name != system.name:
        raise faults_error(display_path, text, [Fault(("system",), f"is {name!r}: write {system.name!r}")])
    check_text(path, text, display_path)


def _named_twice(paths: Collection[str], shown: Callable[[str], str]) -> Iterator[str]:
    """The sheets of a folder whose fighter has the name of one before."""
    first: dict[tuple[str, object], str] = {}
    for path in paths:
        try:
            text, raw = toml_of(path, shown(path), "sheet")
        except FileError:
            continue
        before = first.setdefault((os.path.dirname(path), raw.get("name", path)), path)
        if before != path:
            fault = Fault(
                ("name",), f"is {raw['name']!r}, as in {shown(before)}: give one of them another name"
            )
            yield from (record_line(record) for record in fault_records(shown(path), text, [fault]))


# The rules in words


def _rules(system: System, path: str, sources: Mapping[str, str], display_path: str) -> tuple[int, list[str]]:
    """How many rules a file holds, and what is wrong with it and with the ids that Python files name."""
    try:
        text, raw = toml_of(path, display_path, KIND)
    except FileError as error:
        return 0, error.message.splitlines()
    faults: list[Fault] = []
    values = RULES_KEYS.read(raw, (), faults)
    rules = {
        rule["id"]: ("topics", number, "rules", at)
        for number, topic in enumerate(values["topics"])
        for at, rule in enumerate(topic["rules"])
    }
    named = {found for source in sources.values() for found in RULE.findall(source)} | {*_declared(system)}
    faults += new_faults(faults, _contradictions(system, values))
    faults += [
        Fault((*place, "id"), f"nothing in the rulebook names {rule}: name it in a row, or in a docstring")
        for rule, place in rules.items()
        if rule not in named
    ]
    failed = [record_line(record) for record in fault_records(display_path, text, faults)]
    return len(rules), [*failed, *_unwritten(system, rules, sources, display_path)]


def _contradictions(system: System, values: Mapping[str, Any]) -> Iterator[Fault]:
    """What single keys of rules.toml do not show."""
    if values["name"] != system.name:
        yield Fault(("name",), f"is {values['name']!r}: write {system.name!r}")
    for at, part in enumerate(values.get("real_dice", ())):
        unknown = sorted({*re.findall(r"\{(.*?)\}", part)} - GAPS)
        if unknown:
            yield Fault(
                ("real_dice", at), f"nothing fills {{{unknown[0]}}}; there are: {', '.join(sorted(GAPS))}"
            )
    topics, ids = set[str](), set[str]()
    for number, topic in enumerate(values["topics"]):
        if topic["name"] in topics:
            yield Fault(
                ("topics", number, "name"), f"{topic['name']!r} stands twice: give the topic another name"
            )
        topics.add(topic["name"])
        for at, rule in enumerate(topic["rules"]):
            path = ("topics", number, "rules", at)
            if rule["id"] in ids:
                yield Fault((*path, "id"), f"{rule['id']} stands twice: give the rule another id")
            ids.add(rule["id"])
            head, *rows = rule.get("table") or [[]]
            for row, cells in enumerate(rows, start=1):
                if len(cells) != len(head):
                    yield Fault((*path, "table", row), f"has {len(cells)} cells, and the head {len(head)}")


def _unwritten(
    system: System, rules: Collection[str], sources: Mapping[str, str], display_path: str
) -> Iterator[str]:
    """Ids of rules that rows name and that no rule has, with the first line that names each."""
    known = {*rules, *(rule.id for rule in rulebooks.load(rulebooks.SHARED).rules())}
    prefixes = {rule.rpartition("-")[0] for rule in known}
    lines: dict[str, str] = {}
    for file, source in sources.items():
        texts = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)]
        for node in sorted(texts, key=lambda text: text.lineno):
            if isinstance(node.value, str):
                lines.setdefault(node.value, f"{place(file, node.lineno)}: ")
    literals = [text for text in lines if RULE.fullmatch(text) and text.rpartition("-")[0] in prefixes]
    for rule in dict.fromkeys((*literals, *_declared(system))):
        if rule not in known:
            yield f"{lines.get(rule, '')}{display_path} has no rule {rule}: write it, or name another"


def _declared(part: object) -> Iterator[str]:
    """The ids of rules in the rows of a rulebook."""
    names = vars(part) if isinstance(part, FrozenRecord) else getattr(part, "_fields", ())
    for name in names:
        value = getattr(part, name)
        if name in RULE_FIELDS and isinstance(value, str) and value:
            yield value
        elif name != "history":
            yield from _declared(value)
    if isinstance(part, Mapping):
        part = tuple(part.values())
    if isinstance(part, tuple) and not names:
        for inside in part:
            yield from _declared(inside)


def _sources(folder: str, shown: Callable[[str], str]) -> dict[str, str]:
    """The text of each Python file of a package, by its path as it is shown."""
    paths = sorted(os.path.join(inside, name) for inside, _, names in os.walk(folder) for name in names)
    return {shown(path): read_text(path, shown(path)) for path in paths if path.endswith(".py")}
