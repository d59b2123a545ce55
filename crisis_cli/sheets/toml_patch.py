"""Patching values in a TOML text; comments, blank lines and order stay as they are.

Three passes, each over a fresh reading of the text: take away what is no longer wanted, replace what differs,
add what is new. The result counts only if it reads back as wanted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from crisis_cli.sheets.toml_positions import KeyPath, Span, line_end, line_start, next_line, spans, under

from ..values import NamedTuple

WIDTH = 100
"""A longer line is broken: an array over several lines, a new table under a header of its own."""

Spans = Mapping[KeyPath, Span]


class Edit(NamedTuple):
    """Characters from `start` to `end` become `text`, whose line ends are still to be made the file's own."""

    start: int
    end: int
    text: str


def amend(text: str, wanted: Mapping[str, Any]) -> str | None:
    """The text patched to have the wanted values; None if it cannot be patched."""
    import tomllib

    line_break = "\r\n" if "\r\n" in text else "\n"
    try:
        for step in (_removed, _replaced, _added):
            old = tomllib.loads(text)
            edits = list(step(text, spans(text), (), old, wanted))
            # Sorting keeps the order of edits at one place: lines of the table that ends there come first,
            # then the tables that open behind it, since each pass goes through the inner tables first.
            edits.sort(key=lambda edit: edit.start)
            for edit in reversed(edits):
                text = text[: edit.start] + edit.text.replace("\n", line_break) + text[edit.end :]
        return text if same(tomllib.loads(text), wanted) else None
    except tomllib.TOMLDecodeError:
        return None


def same(one: object, other: object) -> bool:
    """Whether two values have the same TOML text: 1, 1.0 and true differ, nan equals nan."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and str(one) == str(other)


def _removed(text: str, found: Spans, path: KeyPath, old: Any, new: Any) -> Iterator[Edit]:
    """Edits that remove keys and tables not wanted any more, or wanted as another kind."""
    for key, was in old.items():
        here, now = (*path, key), new.get(key)
        if key in new and found[here].pair:
            continue
        if found[here].kind == "rows" and _are_rows(now):
            kept = _kept(was, now)
            for index, row in enumerate(was):
                if index in kept:
                    yield from _removed(text, found, (*here, index), row, now[kept.index(index)])
                else:
                    yield from _cut(text, found, (*here, index))
        elif isinstance(was, dict) and isinstance(now, Mapping):
            yield from _removed(text, found, here, was, now)
        else:
            yield from _cut(text, found, here)


def _replaced(text: str, found: Spans, path: KeyPath, old: Any, new: Any) -> Iterator[Edit]:
    """Edits that replace values that differ, as deep inside as possible."""
    span = found[path]
    if same(old, new):
        return
    if isinstance(old, dict) and isinstance(new, Mapping) and _keeps_keys(found, path, old, new):
        for key in old:
            if key in new:
                yield from _replaced(text, found, (*path, key), old[key], new[key])
        fresh = {key: value for key, value in new.items() if key not in old}
        if fresh and span.kind == "braces":
            end = max(found[(*path, key)].end for key in old)
            yield Edit(end, end, ", " + value_text(fresh)[2:-2])
    elif span.kind == "rows" or (isinstance(old, list) and isinstance(new, list) and len(old) == len(new)):
        for index, (was, now) in enumerate(zip(old, new, strict=False)):
            yield from _replaced(text, found, (*path, index), was, now)
    elif span.inline:
        yield Edit(span.start, span.end, value_text(new))
    else:
        tall = isinstance(old, list) and "\n" in text[span.start : span.end]
        indent = text[line_start(text, span.key_start) : span.key_start]
        broken = _broken(new, span.start - span.key_start, tall=tall)
        yield Edit(span.start, span.end, broken.replace("\n", "\n" + indent))


def _added(text: str, found: Spans, path: KeyPath, old: Any, new: Any) -> Iterator[Edit]:
    """Edits that add keys after the last line of their table, and tables after everything under theirs."""
    for key, was in old.items():
        here, kind = (*path, key), found[(*path, key)].kind
        if kind == "rows":
            for index, row in enumerate(was):
                yield from _added(text, found, (*here, index), row, new[key][index])
            yield from _blocks(text, found, here, _tables(here, new[key][len(was) :]))
        elif isinstance(was, dict) and kind != "braces":
            yield from _added(text, found, here, was, new[key])
    fresh = {key: value for key, value in new.items() if key not in old}
    kind = found[path].kind
    # As its neighbours are written; a table that only dotted keys made cannot hold one with a header.
    headed = not path or any(here[:-1] == path and span.kind == "header" for here, span in found.items())
    tables = {
        key: value
        for key, value in fresh.items()
        if kind != "dotted" and ((headed and isinstance(value, Mapping)) or _is_wide_table(key, value))
    }
    plain = {key: value for key, value in fresh.items() if key not in tables}
    if plain and kind == "implied":
        yield from _blocks(text, found, path, _tables(path, plain))
    else:
        yield from _lines(text, found, path, plain)
    written = [table for key in tables for table in _tables((*path, key), tables[key])]
    yield from _blocks(text, found, path, written)


def _cut(text: str, found: Spans, path: KeyPath) -> Iterator[Edit]:
    """Edits that remove a key or a whole table; comments after its last value stay."""
    for span in under(found, path):
        begin, end = line_start(text, span.key_start), next_line(text, span.end)
        if span.kind == "header":
            above = line_start(text, begin - 1) if begin else 0
            if not text[above:begin].strip() and not text[end : line_end(text, end)].strip():
                begin = above  # else two blank lines would meet, or one would end the file
            yield Edit(begin, end, "")
        elif span.pair and span.home[: len(path)] != path:
            yield Edit(begin, end, "")


def _lines(text: str, found: Spans, path: KeyPath, fresh: Mapping[str, Any]) -> Iterator[Edit]:
    """New keys for a table, in the form its other keys have."""
    if not fresh:
        return
    home = found[path].home
    own = [span for span in under(found, path) if span.pair and span.home == home]
    last = max(own, key=lambda span: span.start, default=found[path])
    indent = text[line_start(text, last.key_start) : last.key_start] if own else ""
    pairs = [_pair((*path[len(home) :], key), value) for key, value in fresh.items()]
    new = indent + "\n".join(pairs).replace("\n", "\n" + indent)
    first = min((span.key_start for here, span in found.items() if here), default=None)
    if own or home:
        yield _behind(text, last.end, "\n" + new)
    elif first is None:  # nothing but comments, if anything
        yield _behind(text, len(text.rstrip()), "\n" + new)
    else:
        at = line_start(text, first)
        while at and text.startswith("#", line_start(text, at - 1)):
            at = line_start(text, at - 1)  # a comment right above a header belongs to that header
        yield Edit(at, at, new + "\n\n")


def _blocks(text: str, found: Spans, path: KeyPath, tables: Sequence[str]) -> Iterator[Edit]:
    """New tables, each with one blank line before it, behind all that lies under a path."""
    if tables:
        ends = [span.end for span in under(found, path) if span.kind == "header"]
        at = max(ends) if path else len(text.rstrip())
        yield _behind(text, at, "".join("\n\n" + table for table in tables))


def _behind(text: str, at: int, new: str) -> Edit:
    """New lines behind the line of an offset, or at the top of an empty text."""
    at = line_end(text, at)
    return Edit(at, at, new if at else new.lstrip("\n") + "\n")


def _are_rows(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, Mapping) for row in value)


def _is_wide_table(key: str, value: object) -> bool:
    return (isinstance(value, Mapping) or _are_rows(value)) and len(_pair((key,), value)) > WIDTH


def _keeps_keys(found: Spans, path: KeyPath, old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Whether a table can be patched key by key; an inline one must lose none and have no dotted ones."""
    kinds = {found[(*path, key)].kind for key in old}
    return found[path].kind != "braces" or (bool(old) and old.keys() <= new.keys() and "dotted" not in kinds)


def _kept(old: list[Any], new: list[Any]) -> Sequence[int]:
    """Which rows of an array of tables become its new rows: those of the same name, or just the first."""
    kept: list[int] = []
    for row in new if len(new) < len(old) else ():
        alike = [
            index
            for index in range(kept[-1] + 1 if kept else 0, len(old))
            if (old[index]["name"] == row.get("name") if "name" in old[index] else same(old[index], row))
        ]
        kept.extend(alike[:1])
    return kept if len(kept) == len(new) else range(min(len(old), len(new)))


def key_text(path: KeyPath) -> str:
    """A key as it is written, with dots between its parts and quotes where they need them."""
    import tomli_w

    return ".".join(tomli_w.dumps({part: 0})[: -len(" = 0\n")] for part in path if isinstance(part, str))


def value_text(value: object) -> str:
    """A value as it is written on one line."""
    import tomli_w

    if isinstance(value, Mapping):
        pairs = [f"{key_text((key,))} = {value_text(inner)}" for key, inner in value.items()]
        return "{ " + ", ".join(pairs) + " }" if pairs else "{}"
    if isinstance(value, list):
        return "[" + ", ".join(map(value_text, value)) + "]"
    return tomli_w.dumps({"v": value})[len("v = ") : -1]


def _broken(value: object, lead: int, *, tall: bool = False) -> str:
    """A value behind a lead of so many characters; a tall or too wide array has a line per item."""
    line = value_text(value)
    if isinstance(value, list) and value and (tall or lead + len(line) > WIDTH):
        return "[\n" + "".join(f"    {value_text(item)},\n" for item in value) + "]"
    return line


def _pair(path: KeyPath, value: object) -> str:
    lead = key_text(path) + " = "
    return lead + _broken(value, len(lead))


def _tables(path: KeyPath, value: Any, header: str = "[{}]") -> list[str]:
    """A table, or each of an array of tables, under its header, and the wide tables in it under theirs."""
    if isinstance(value, list):
        return [table for row in value for table in _tables(path, row, "[[{}]]")]
    written, inner = [header.format(key_text(path))], []
    for key in value:
        if _is_wide_table(key, value[key]):
            inner += _tables((*path, key), value[key])
        else:
            written.append(_pair((key,), value[key]))
    return ["\n".join(written), *inner]
