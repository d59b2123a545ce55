"""Readers of tables in JSON: datasworn, RollTables of Foundry, and plain lists and objects."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from .foreign import ForeignRow, ForeignTable, ImportNote, WrongImport, label_of, labels_of, plain_markdown
from .foreign_text import rows_of

FORMS = ("datasworn", "foundry", "json")
"""The forms of JSON; of a file with several, only the tables of the first are meant."""
_ACTOR_KEY = re.compile(r"hit_?points|hp|armou?r_?class|ac|system|prototypeToken", re.IGNORECASE)
ACTOR = re.compile(rf'"(?:{_ACTOR_KEY.pattern})"\s*:\s*[{{\d]', re.IGNORECASE)
"""A key whose value, a number or an object, only an actor has, and where it stands in a text."""
TEXT_KEYS = ("text", "text2", "text3", "result", "summary", "description", "quest_starter")
"""Keys of datasworn whose texts are the text of a row."""
MOST_NAMES = 8
"""Most names of what is left out that its note says."""
_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\n]', re.DOTALL)


class JsonObject(dict[str, Any]):
    """An object of JSON, and the line on which it begins."""

    line = 1

    def text(self, *keys: str) -> str:
        """The first text among the values of some keys; empty if there is none."""
        return next((text for key in keys if isinstance(text := self.get(key), str) and text), "")


def _objects(node: Any, *keys: str) -> list[JsonObject]:
    """A list of objects of which one has these keys at least; empty for anything else."""
    rows = node if isinstance(node, list) and all(isinstance(row, JsonObject) for row in node) else []
    return rows if any({*keys} <= {*row} for row in rows) else []


def _rows(node: Any) -> list[JsonObject]:
    """A list of objects that are rows with results; empty for anything else."""
    return _objects(node, "roll") or _objects(node, "min", "max")


def read_json(text: str, stem: str) -> list[ForeignTable | ImportNote]:
    """The tables of a JSON text; WrongImport if it is none."""
    lines = _object_lines(text)

    def located(pairs: list[tuple[str, Any]]) -> JsonObject:
        place = JsonObject(pairs)
        place.line = next(lines, 1)
        if len(place) < len(pairs):
            twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
            raise WrongImport(place.line, f"{twice[:40]!r} stands twice in the object that begins here")
        return place

    try:
        data = json.loads(text, object_pairs_hook=located)
    except WrongImport:
        raise
    except json.JSONDecodeError as error:
        raise WrongImport(error.lineno, f"this is not JSON: {error.msg}") from error
    except ValueError as error:
        raise WrongImport(1, "a number has too many digits") from error
    if isinstance(data, JsonObject) and "oracles" in data:
        # Oracles come first: of two names that are alike, theirs has no number.
        data = JsonObject({"oracles": data["oracles"], **data})
    parts = _walk(data, stem, 1)
    forms = {part.form for part in parts if isinstance(part, ForeignTable)}
    form = next((form for form in FORMS if form in forms), "json")
    kept, left = list[ForeignTable | ImportNote](), list[ForeignTable | ImportNote]()
    for part in parts:
        if part.message if isinstance(part, ImportNote) else part.form == form:
            kept.append(part)
        elif form != "datasworn" or _has_results(part):
            left.append(part)
    names = [*dict.fromkeys(part.table if isinstance(part, ImportNote) else part.name for part in left)]
    if names:
        more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
        message = f"left out: {', '.join(name[:40] for name in names[:MOST_NAMES])}{more}"
        kept.append(ImportNote(left[0].line, stem, message))
    return kept


def _has_results(part: ForeignTable | ImportNote) -> bool:
    """Whether a part is a table whose rows have results, and no list of texts."""
    return isinstance(part, ForeignTable) and any(row.label for row in part.rows)


def _object_lines(text: str) -> Iterator[int]:
    """The lines on which objects begin, in the order in which they end."""
    line, opened = 1, list[int]()
    for match in _TOKEN.finditer(text):
        match match[0]:
            case "\n":
                line += 1
            case "{":
                opened.append(line)
            case "}" if opened:
                yield opened.pop()


def _walk(node: Any, name: str, line: int, in_list: bool = False) -> list[ForeignTable | ImportNote]:
    """The tables at a place and below, and a note without a message for what holds none."""
    if isinstance(node, JsonObject):
        name, line = node.text("name") or name, node.line
    parts = [*_parts(node, name, line, in_list)]
    if any(isinstance(part, ForeignTable) or part.message for part in parts):
        return parts
    return [ImportNote(line, name, "")] if isinstance(node, list | dict) and node else []


def _parts(node: Any, name: str, line: int, in_list: bool) -> Iterator[ForeignTable | ImportNote]:
    """The tables at a place and below: in a list of objects only those that can be nothing else."""
    if isinstance(node, list):
        if not in_list and len(node) > 1 and all(isinstance(part, str) for part in node):
            yield ForeignTable(
                name, line, rows_of([(line, text) for text in node if text.strip()]), form="json"
            )
        elif not in_list and (rows := _rows(node)):
            yield from _datasworn(JsonObject(), rows, name)
        else:
            in_list = in_list or any(isinstance(part, JsonObject) for part in node)
            for part in node:
                yield from _walk(part, name, line, in_list)
    elif isinstance(node, JsonObject):
        if rows := next(filter(None, (_rows(node.get(key)) for key in ("rows", "table", "options"))), []):
            yield from _datasworn(node, rows, name)
        elif results := _objects(node.get("results"), "range"):
            yield from _foundry(node, results, name)
        elif node and all(isinstance(text, str) and key and label_of(key) for key, text in node.items()):
            labelled = [ForeignRow(key, text, line) for key, text in node.items()]
            yield ForeignTable(name, line, labelled, form="json")
        elif not any(isinstance(node[key], int | dict) for key in filter(_ACTOR_KEY.fullmatch, node)):
            for key, part in node.items():
                is_entries = key == "entries"
                yield from _walk(part, name if is_entries else key, line, in_list and not is_entries)


def _datasworn(node: JsonObject, rows: list[JsonObject], name: str) -> Iterator[ForeignTable | ImportNote]:
    """The table of an oracle of datasworn, in its old form or its new one, and of rows like those of one."""
    ident = node.text("_id").rpartition(":")[2]
    *places, last = ident.split("/")
    name = f"{places[-1]} {last.rpartition('.')[2]}".replace("_", " ") if len(places) > 1 else name
    converted = []
    for row in rows:
        place = row.get("roll")
        span = place if isinstance(place, JsonObject) else row
        label = str(place) if isinstance(place, str | int) else f"{span.get('min')}-{span.get('max')}"
        if "None" in label:
            yield ImportNote(row.line, name, "left out: a row without a range")
            continue
        draws = []
        for roll in _objects(row.get("oracle_rolls")):
            if roll.get("auto", True):
                times = next((times for times in (2, 3) if roll.get("number_of_rolls") == times), 1)
                draws += [roll.text("oracle").rpartition(":")[2]] * times
        if not all(draws):
            yield ImportNote(row.line, name, "rolls again on its own table: taken as text")
            draws = []
        texts = [*filter(None, map(row.text, TEXT_KEYS))]
        texts = texts or [row.text(key) for key in row if row.text(key) and key not in ("roll", "_id")]
        converted.append(ForeignRow(label, plain_markdown(": ".join(texts)), row.line, tuple(draws)))
    about = plain_markdown(node.text("summary"))
    form = "datasworn" if ident else "json"
    yield ForeignTable(name, rows[0].line, converted, node.text("dice"), about, form, ident)
    for row in rows:
        if isinstance(table := row.get("table"), JsonObject):
            below = JsonObject({"_id": ident, "summary": row.text("summary"), **table})
            yield from _walk(below, name, row.line)


def _foundry(node: JsonObject, results: list[JsonObject], name: str) -> Iterator[ForeignTable | ImportNote]:
    """The table of a RollTable of Foundry."""
    rows = []
    for result in results:
        span = result.get("range")
        if not isinstance(span, list) or len(span) != 2:
            raise WrongImport(result.line, "a range is a list of two numbers")
        text = ": ".join(filter(None, (result.text("name"), result.text("description", "text"))))
        link, kind = result.text("documentUuid", "documentId"), result.text("documentCollection")
        draws = (link.rpartition(".")[2],) if "RollTable" in (kind, link.partition(".")[0]) else ()
        rows.append(ForeignRow(f"{span[0]}-{span[1]}", text, result.line, draws))
    dice, is_deck = node.text("formula"), node.get("replacement") is False
    if is_deck:
        widths = {(label.high or 0) - (label.low or 0) for label in labels_of(rows)}
        if len(widths) == 1 and re.fullmatch(r"(1?d\d+)?", dice):
            rows = [row._replace(label="") for row in rows]
        else:
            yield ImportNote(node.line, name, "drawn without replacement: taken as with it")
            is_deck = False
    about, ident = node.text("description"), node.text("_id")
    yield ForeignTable(name, node.line, rows, dice, about, "foundry", ident, is_deck)
