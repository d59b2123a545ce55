"""Readers of tables in JSON: datasworn, RollTables of Foundry, and plain lists and objects."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from .foreign import (
    ForeignFile,
    ForeignRow,
    ForeignTable,
    ImportNote,
    Range,
    WrongImport,
    dice_of,
    first_text,
    is_range,
    read_range,
    require_number,
    without_emphasis,
)

FORMS = ("datasworn", "foundry", "json")
"""The forms of JSON; of a file with several, only the tables of the first are meant."""
NO_TABLES = frozenset(("images", "tags", "suggestions", "aliases", "authors", "page"))
"""Keys whose lists of texts are no tables."""
_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\n]', re.DOTALL)
_OWN_ROLL = "rolls again on its own table: taken as text"


class Located(dict[str, Any]):
    """An object of JSON with the line on which it begins."""

    line = 1


def read_json(text: str, stem: str) -> ForeignFile:
    """The tables of a JSON text; WrongImport if it is none."""
    lines = _lines(text)

    def located(values: dict[str, Any]) -> Located:
        place = Located(values)
        place.line = next(lines, 1)
        return place

    try:
        data = json.loads(text, object_hook=located)
    except json.JSONDecodeError as error:
        raise WrongImport(error.lineno, f"this is not JSON: {error.msg}") from error
    except ValueError as error:
        raise WrongImport(1, "a number has too many digits") from error
    notes: list[ImportNote] = []
    root = {"oracles": data["oracles"]} if isinstance(data, Located) and "oracles" in data else data
    tables = [*_walk(root, stem, notes, 1)]
    if isinstance(data, list) and data and all(isinstance(value, str) for value in data):
        tables.append(("json", _listed(data, stem, 1)))
    form = next((form for form in FORMS if any(form == kind for kind, _ in tables)), "json")
    return ForeignFile(
        form,
        tuple(table for kind, table in tables if kind == form),
        tuple(notes),
        _licence(data) if form == "datasworn" else "",
    )


def _lines(text: str) -> Iterator[int]:
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


def _licence(data: Any) -> str:
    """The licence that a file of datasworn names; empty if it names none."""
    source = data.get("_source") if isinstance(data, Mapping) else None
    licence = source.get("license") if isinstance(source, Mapping) else None
    if licence is None and isinstance(data, Mapping):
        licence = data.get("license")
    return licence if isinstance(licence, str) else ""


def _walk(node: Any, name: str, notes: list[ImportNote], line: int) -> Iterator[tuple[str, ForeignTable]]:
    """The tables at a place and below, each with its form."""
    if isinstance(node, list):
        for part in node:
            if isinstance(part, list | Mapping):
                yield from _walk(part, name, notes, line)
        return
    if not isinstance(node, Mapping):
        return
    line = getattr(node, "line", line)
    name = first_text(node, ("name",)) or name
    rows, results, entries = (
        (_objects(node.get("rows")) or _objects(node.get("table"))),
        node.get("results"),
        None,
    )
    if isinstance(node.get("entries"), list) and _are_texts(node["entries"]):
        entries = node["entries"]
    if rows and (any("roll" in row for row in rows) or all("min" in row and "max" in row for row in rows)):
        yield "datasworn", _datasworn(node, rows, name, notes)
    elif any("range" in result for result in _objects(results)):
        yield "foundry", _foundry(node, _objects(results), name, notes)
    elif entries:
        yield "json", _listed(entries, name, line)
    elif node and all(is_range(key) and isinstance(text, str) for key, text in node.items()):
        ranged = [ForeignRow(text, line, read_range(key, line)) for key, text in node.items()]
        yield "json", ForeignTable(name, line, tuple(ranged), dice_of(name))
    else:
        for key, part in node.items():
            if isinstance(part, list) and len(part) > 1 and _are_texts(part):
                if key not in NO_TABLES and "type" not in node:
                    yield "json", _listed(part, key, line)
            elif isinstance(part, list | Mapping):
                yield from _walk(part, str(key), notes, line)


def _objects(rows: Any) -> list[Located]:
    """A list of objects; empty for anything else."""
    return rows if isinstance(rows, list) and all(isinstance(row, Located) for row in rows) else []


def _are_texts(values: list[Any]) -> bool:
    return bool(values) and all(isinstance(value, str) for value in values)


def _listed(texts: list[str], name: str, line: int) -> ForeignTable:
    """The table of a list of texts."""
    return ForeignTable(name, line, tuple(ForeignRow(text, line) for text in texts))


def _datasworn(
    node: Mapping[str, Any], rows: list[Located], name: str, notes: list[ImportNote]
) -> ForeignTable:
    """The table of an oracle of datasworn, in its old form or its new one."""
    ident = first_text(node, ("_id",)).rpartition(":")[2]
    parts = ident.split("/")
    title = " ".join(parts[-2:]).replace("_", " ") if len(parts) > 2 else name
    converted = []
    for row in rows:
        span = _datasworn_range(row)
        if span is None:
            notes.append(ImportNote(row.line, title, "left out: a row without a range"))
            continue
        text = "; ".join(str(row[key]) for key in ("text", "text2", "text3", "result") if row.get(key))
        draws = [roll.get("oracle") for roll in _objects(row.get("oracle_rolls")) if roll.get("auto", True)]
        if not all(isinstance(draw, str) for draw in draws):
            notes.append(ImportNote(row.line, title, _OWN_ROLL))
            draws = []
        idents = tuple(str(draw).rpartition(":")[2] for draw in draws)
        converted.append(ForeignRow(without_emphasis(text), row.line, span, draws=idents))
    return ForeignTable(
        title,
        getattr(node, "line", 1),
        tuple(converted),
        dice_of(first_text(node, ("dice",))),
        without_emphasis(first_text(node, ("summary",))),
        ident,
    )


def _datasworn_range(row: Located) -> Range | None:
    """The results of a row of datasworn; None if it has none."""
    place = row if "min" in row else row.get("roll")
    if isinstance(place, str):
        return read_range(place, row.line)
    if not isinstance(place, Mapping) or place.get("min") is None or place.get("max") is None:
        return None
    return require_number(place["min"], row.line), require_number(place["max"], row.line)


def _foundry(
    node: Mapping[str, Any], results: list[Located], name: str, notes: list[ImportNote]
) -> ForeignTable:
    """The table of a RollTable of Foundry."""
    line = getattr(node, "line", 1)
    rows, weights = [], set[int]()
    for result in results:
        span = result.get("range")
        if not isinstance(span, list) or len(span) != 2:
            raise WrongImport(result.line, "a range is a list of two numbers")
        low, high = (require_number(end, result.line) for end in span)
        texts = (first_text(result, ("name",)), first_text(result, ("description", "text")))
        weights.add(high - low)
        rows.append(ForeignRow("; ".join(filter(None, texts)), result.line, (low, high)))
    rows.sort(key=lambda row: row.range or (0, 0))
    formula, about = first_text(node, ("formula",)), first_text(node, ("description",))
    dice = dice_of(formula)
    if formula.strip() and not re.fullmatch(r"\s*\d*d(\d+|%)(\s*[+-]\s*\d+)?\s*", formula, re.IGNORECASE):
        raise WrongImport(line, f"{formula[:40]!r} is not one kind of dice such as 2d6")
    is_deck = False
    if node.get("replacement") is False:
        is_deck = len(weights) == 1
        if not is_deck:
            notes.append(ImportNote(line, name, "drawn without replacement: taken as with it"))
    if is_deck:
        rows = [row._replace(range=None) for row in rows]
    return ForeignTable(name, line, tuple(rows), "" if is_deck else dice, about, is_deck=is_deck)
