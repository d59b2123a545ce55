"""Foreign tables made into files of tables: names, ranges, texts, and tables that draw from each other."""

from __future__ import annotations

import html
import re
from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import accumulate, chain, count
from typing import Any

from ..columns import in_one_line
from ..engine.kinds import Fault, shown
from ..errors import NotationError, TooWide
from ..notation.distribution import distribution_of
from ..notation.parser import parse
from ..random_tables.foreign import (
    ConvertedFile,
    ConvertedTable,
    ForeignFile,
    ForeignRow,
    ForeignTable,
    ImportNote,
    RowLabel,
    WrongImport,
    dice_of,
    labels_of,
)
from .check import MAX_BYTES
from .files import stem_of
from .table_store import DEEPEST, MOST_TEXT, RowText, faults_in
from .toml_patch import key_text, value_text

LONGEST_KEY, LONGEST_NAME, LONGEST_ABOUT = 40, 60, 120
TENS = (10, 100, 1000)
"""Highest results of dice that published tables write as 0, 00 and 000."""
EMPTY = "—"
"""The text of a row that has none."""
_INSIDE = re.compile(
    r"(?:\[\[(?:/\w+ +)?|`dice: *)(?P<dice>\d*d[\d%][^\]`#]*)#?(?P<note>[^\]`]*)(?:`|\]\](?:\{(?P<label>[^}]*)\})?)"
    r"|@(?:UUID|Compendium|RollTable)\[(?P<link>[^\]]*)\](?:\{(?P<words>[^}]*)\})?"
    r"|\[\[(?P<name>[A-Za-z][^\[\]]*)\]\]"
)
_TAG = re.compile(
    r"</?(?:a|b|blockquote|br|code|div|em|figure|h[1-6]|hr|i|img|li|ol|p|s|section|small|span|strong|su[bp]"
    r"|t[dhr]|table|tbody|thead|u|ul)\b[^<>]*>",
    re.IGNORECASE,
)


def clean(text: str, most: int = 100_000) -> str:
    """A text on one line, without HTML and characters that no screen shows, and cut if it is too long."""
    plain = in_one_line(html.unescape(_TAG.sub(" ", text[:100_000])))
    return plain if len(plain) <= most else f"{plain[: most - 1]}…"


def distinct(name: str, taken: Container[str]) -> str:
    """A key for a name, which none of those has that are taken."""
    first = stem_of(name[:1_000])[:LONGEST_KEY].strip("-")
    keys = (f"{first[: LONGEST_KEY - 5]}-{number}" for number in count(2))
    return next(key for key in chain([first], keys) if key not in taken)


class TableConversion:
    """Foreign tables that are converted at once: the sources by the stems of the new files."""

    def __init__(self, sources: Mapping[str, ForeignFile], gaps: str = "", has_templates: bool = False):
        self.sources, self.gaps, self.has_templates = sources, gaps, has_templates
        self.foreign: dict[str, ForeignTable] = {}
        """The foreign tables, by the names that they get."""
        self.known: dict[str, str] = {}
        """Those names, by the ids and keys that sources have for them."""
        for stem, source in sources.items():
            keys: list[str] = []
            for table in source.tables:
                keys.append(stem if len(source.tables) == 1 else distinct(table.name, keys))
                name = stem if keys[-1] == stem else f"{stem}/{keys[-1]}"
                self.foreign[name] = table
                for ident in filter(None, (table.ident, stem_of(table.name[:1_000]))):
                    self.known.setdefault(ident, name)
        self.texts: dict[str, list[str]] = {}
        """The texts of tables that are done."""
        self.heights: dict[str, int] = {}
        """How many tables stand below each one."""
        self.open: list[str] = []
        """The tables whose texts are being converted, each of which draws from the next."""
        self.notes: dict[str, list[ImportNote]] = {stem: [] for stem in sources}
        self.wrong = {name: wrong for name in self.foreign if (wrong := self._wrong(name))}
        """What is wrong with the rows and dice of tables, by their names."""
        self.known = {ident: name for ident, name in self.known.items() if name not in self.wrong}
        self.notes = {stem: [*source.notes] for stem, source in sources.items()}

    def file(self, stem: str) -> ConvertedFile:
        """The new file of that stem, without the tables that are wrong; WrongImport where no table is left."""
        names = [name for name in self.foreign if name.partition("/")[0] == stem]
        wrong = [self.wrong[name] for name in names if name in self.wrong]
        if len(wrong) == len(names):
            raise wrong[0]
        whole = [name for name in names if name not in self.wrong]
        tables = {
            ("tables", name.rpartition("/")[2]): self._table(name, self._texts_of(name)) for name in whole
        }
        for table in tables.values():
            self._refuse_faulty(table)
        source = self.sources[stem]
        lines = [f"# Imported from {clean(source.name)} ({source.form})."]
        lines += [f"# Licence of the source: {source.licence or 'not named in it; that of the source holds'}"]
        for path, table in tables.items():
            lines += ["", f"[{key_text(path)}]"] if len(names) > 1 else []
            lines += [f"{key} = {value_text(value)}" for key, value in table.values.items() if key != "rows"]
            lines += ["rows = [", *(f"  {value_text(row)}," for row in table.values["rows"]), "]"]
        text = "\n".join([*lines, ""])
        if len(text.encode()) > MAX_BYTES:
            raise WrongImport(1, f"its tables have more than the {MAX_BYTES:,} bytes of a file of tables")
        return ConvertedFile(source.name, source.form, [*tables.values()], self.notes[stem], text, wrong)

    def _wrong(self, name: str) -> WrongImport | None:
        """What is wrong with the rows and dice of a table, whatever their texts are; None if nothing is."""
        try:
            self._refuse_faulty(self._table(name, [EMPTY] * len(self.foreign[name].rows)))
        except WrongImport as wrong:
            return WrongImport(wrong.line, wrong.message, name)
        return None

    def _refuse_faulty(self, table: ConvertedTable) -> None:
        """Raise WrongImport if a converted table is none that a file of tables may have."""
        for fault in faults_in({**table.values}):
            place, *rest = fault.path
            is_row = place == "rows" and rest
            line = table.lines[int(rest[0])] if is_row else self.foreign[table.name].line
            raise WrongImport(line, fault.message)

    def _table(self, name: str, texts: Sequence[str]) -> ConvertedTable:
        """A table converted, with the texts of its rows; WrongImport where the rows do not fit its dice."""
        foreign = self.foreign[name]
        labels = labels_of(foreign.rows)
        rows: list[tuple[Any, int]] = []
        title, roll = clean(foreign.name, LONGEST_NAME) or name, ""
        if any(label.weight is None for label in labels):
            roll = self._roll(name, labels)
            rows = [*self._ranged(name, roll, [*zip(labels, texts, foreign.rows, strict=True)])]
        else:
            for text, label, row in zip(texts, labels, foreign.rows, strict=True):
                rows.append((text if label.weight == 1 else {"text": text, "weight": label.weight}, row.line))
        about = clean(foreign.about, LONGEST_ABOUT)
        keys = {"name": title, "about": about, "roll": roll, "deck": foreign.is_deck}
        values = {**{key: value for key, value in keys.items() if value}, "rows": [row for row, _ in rows]}
        return ConvertedTable(name, values, [line for _, line in rows])

    def _note(self, name: str, line: int, message: str) -> None:
        title = clean(self.foreign[name].name, LONGEST_NAME)
        self.notes[name.partition("/")[0]].append(ImportNote(line, title, message))

    # Texts

    def _texts_of(self, name: str) -> list[str]:
        """The texts of a table as templates, after those of the tables from which it draws."""
        if name not in self.texts:
            self.heights[name] = 0
            self.open.append(name)
            self.texts[name] = [self._text(name, row) for row in self.foreign[name].rows]
            self.open.pop()
        return self.texts[name]

    def _text(self, home: str, row: ForeignRow) -> str:
        """The text of a row as a template."""
        if row.draws and (drawn := self._drawn(home, row.line, *row.draws)):
            return drawn
        plain = clean(row.text) or clean(", ".join(row.draws)) or EMPTY
        parts, end = list[str](), 0
        for match in _INSIDE.finditer(plain):
            parts += self._literal(plain[end : match.start()])
            end = match.end()
            if match["dice"]:
                faults: list[Fault] = []
                dice = RowText().read(f"{{{match['dice'].strip()}}}", (), faults)
                label = match["label"] or match["note"].strip()
                parts += self._literal(match[0]) if faults else [dice]
                parts += self._literal(f" ({label})") if label and not faults else []
                continue
            words = match["words"] or match["link"] or match[0]
            idents = ((match["link"] or "").rpartition(".")[2], stem_of(match["name"] or words))
            drawn = self._drawn(home, row.line, next(filter(self.known.get, idents), ""))
            parts += [drawn] if drawn else self._literal(words)
        parts += self._literal(plain[end:])
        ends = [*accumulate(map(len, parts))]
        if ends[-1] > MOST_TEXT:
            self._note(home, row.line, f"cut at {MOST_TEXT:,} characters")
            parts = [*parts[: bisect_right(ends, MOST_TEXT - 1)], "…"]
        return "".join(parts)

    def _literal(self, text: str) -> list[str]:
        """The characters of a text that is printed as it stands."""
        return [sign * 2 if sign in "{}" and not self.has_templates else sign for sign in text]

    def _drawn(self, home: str, line: int, *idents: str) -> str:
        """The template that draws from tables; empty, with a note, where one is not here or leads back."""
        others = [self.known.get(ident, "") for ident in idents]
        if all(other and self._may_draw(home, other) for other in others):
            return " + ".join(f"{{@{other}}}" for other in others)
        self._note(home, line, "links to what is not in this run, or leads back: taken as text")
        return ""

    def _may_draw(self, home: str, other: str) -> bool:
        """Whether a table may draw from another: it must not lead back, nor too deep."""
        if other in self.open or (other not in self.texts and len(self.open) >= DEEPEST):
            return False
        self._texts_of(other)
        height = self.heights[other] + 1
        self.heights[home] = max(self.heights[home], height if height < DEEPEST else 0)
        return height < DEEPEST

    # Ranges

    def _roll(self, name: str, labels: Sequence[RowLabel]) -> str:
        """The dice that choose a row: those that the table or its title names, else one die up to its highest result.
        With ranges from 0 it is a die minus 1."""
        foreign, titled = self.foreign[name], dice_of(self.foreign[name].name)
        ends = [end for label in labels for end in label[:2] if end is not None]
        lowest, highest = min(ends, default=1), max([*ends, 1])
        sides = highest + (lowest == 0)
        roll = foreign.dice or titled or f"1d{sides}"
        if not foreign.dice and titled and _results(titled, 1)[-1] < highest:
            self._note(name, foreign.line, f"{titled} of the title has no {highest}: rolled with 1d{sides}")
            roll = f"1d{sides}"
        has_range = any(label.low == 0 and label.high for label in labels)
        if roll == f"1d{sides}" and lowest == 0 and (has_range or sides not in TENS):
            self._note(name, foreign.line, f"from 0 to {highest}: rolled with {roll}-1")
            return f"{roll}-1"
        if (digits := re.fullmatch(r"1d(([468])\2{1,2})", roll)) and lowest >= int("1" * len(digits[1])):
            places = range(len(digits[1]) - 1, -1, -1)
            roll = "+".join(f"{10**place}*1d{digits[2]}" if place else f"1d{digits[2]}" for place in places)
            self._note(name, foreign.line, f"d{digits[1]} is {roll}")
        return roll

    def _ranged(
        self, name: str, roll: str, rows: Sequence[tuple[RowLabel, str, ForeignRow]]
    ) -> Iterator[tuple[Any, int]]:
        """Rows with their ranges, lowest first, and those of gaps, each with its line; WrongImport for a gap that is
        not to be filled."""
        line = self.foreign[name].line
        results = _results(roll, line)
        spans = [(results[-1] + 1, 0, "", 0)]
        is_full = any(label.high == results[-1] for label, _, _ in rows)
        for label, text, row in rows:
            low = results[0] if label.low is None else label.low
            high = results[-1] if label.high is None else label.high
            if low == 0 < high and results[0] == 1:
                self._note(name, row.line, "a range from 0 begins at 1")
                low = 1
            elif low == high == 0 and results[0] == 1 and results[-1] in TENS and not is_full:
                low = high = results[-1]
            spans.append((low, high, text, row.line))
        at = 0
        for low, high, text, next_line in sorted(spans):
            if (begin := bisect_left(results, low)) > at:
                said = _said(results[at], results[begin - 1])
                if not self.gaps:
                    raise WrongImport(line, f"no row for {said} on {roll}")
                self._note(name, line, f"filled: no row for {said} on {roll}")
                yield {"text": "".join(self._literal(clean(self.gaps) or EMPTY)), "range": said}, line
            if text:
                yield {"text": text, "range": _said(low, high)}, next_line
                at, line = max(at, bisect_right(results, high)), next_line


def _said(low: int, high: int) -> int | str:
    """Results of a roll as a file of tables has them."""
    return low if low == high else f"{low} to {high}"


def _results(roll: str, line: int) -> list[int]:
    """All results of dice, lowest first; WrongImport for what cannot be rolled."""
    try:
        return sorted(distribution_of(parse(roll)).ways)
    except (NotationError, TooWide) as error:
        raise WrongImport(line, f"{shown(roll)} cannot choose a row: {error.message}") from error
