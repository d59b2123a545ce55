"""Sheets made of the actors in files of other programs: which importer knows a file, and what becomes of each actor."""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from ..engine.kinds import guess
from ..engine.scene import slug
from ..errors import FileError, Usage
from ..rules.importing import ForeignActor, ForeignObject, ImportNote
from ..sheets.check import BYTE_ORDER_MARK, check_text, parsed, read_text
from ..sheets.files import REMEDIES, create, path_from, read_bytes, replace, stem_of
from ..sheets.imported import SourceOfSheet, UpdatedSheet, imported_text, source_of, updated
from ..sheets.store import Folder, Store, sheets_in, value_in
from ..sheets.toml_patch import value_text
from ..systems.importers import ImporterOf, importers, listed
from ..values import NamedTuple
from .desk import Desk

STDIN = "-"
MOST_FILES, MOST_BYTES = 2_000, 20_000_000
LONGEST_NAME, LONGEST_IDENT = 40, 60
ELSEWHERE = "use another folder: --to DIR"
Did = Literal["wrote", "updated", "kept", "exists", "faulty", "left out"]


class ImportWish(NamedTuple):
    """What is to be imported, in words."""

    files: tuple[str, ...]
    """Files, folders, or - for stdin."""
    importer: str = ""
    """Empty: the one that knows most actors of a file."""
    to: str = ""
    """The folder for the sheets; empty for the player's own."""
    only: tuple[str, ...] = ()
    """Names of actors, in which * stands for anything; none for all."""
    updates: bool = False
    overwrites: bool = False
    is_dry: bool = False


class ForeignFile(NamedTuple):
    """A parsed file, as it is shown."""

    shown: str
    data: Any
    in_folder: bool
    """Whether a folder was named that it is in: then it may hold nothing that an importer knows."""


class ImportedActor(NamedTuple):
    """What became of one actor."""

    did: Did
    file: str
    """The path of its sheet for messages; empty for none."""
    source: str
    importer: str
    ident: str
    name: str
    system: str
    notes: tuple[ImportNote, ...]
    faults: Sequence[object] = ()
    kept: Sequence[str] = ()
    """The parts of a sheet that was updated which the player has edited."""

    @property
    def record(self) -> dict[str, object]:
        """It as a record."""
        notes = {
            kind: [{"key": one.key, "what": one.what} for one in self.notes if one.kind == kind]
            for kind in ("changed", "lost", "ignored")
        }
        known = {"file": self.file, "source": self.source, "importer": self.importer, "id": self.ident}
        about = {"name": self.name, "system": self.system, "did": self.did}
        return {**known, **about, **notes, "kept": [*self.kept], "faults": [*self.faults]}


# The files


def _files(desk: Desk, words: Iterable[str], stdin: Iterable[str] | None) -> Iterator[ForeignFile]:
    """The parsed files that words name; FileError where one cannot be read, or they are too many or too much."""
    left, many = MOST_BYTES, 0
    for word in words:
        path = path_from(desk.places.cwd, word)
        is_folder = word != STDIN and os.path.isdir(path)
        names = (
            sorted(name for name in os.listdir(path) if name.lower().endswith(".json")) if is_folder else [""]
        )
        for name in names:
            many += 1
            shown = "stdin" if word == STDIN else os.path.join(word, name) if name else word
            if many > MOST_FILES:
                raise FileError(f"there are more than {MOST_FILES:,} files", code="wrong_import")
            if word == STDIN:
                data = _all_of(stdin, left)
            else:
                data = read_bytes(
                    os.path.join(path, name) if name else path, shown, left, "file", "wrong_import", True
                )
            left -= len(data)
            yield ForeignFile(shown, _parsed(data, shown), is_folder)


def _all_of(stdin: Iterable[str] | None, most: int) -> bytes:
    data = bytearray()
    for line in stdin or ():
        data += line.encode("utf-8", "surrogateescape")
        if len(data) > most:
            raise FileError(f"stdin has more than {most:,} bytes", code="wrong_import")
    return bytes(data)


def _parsed(data: bytes, shown: str) -> Any:
    try:
        return json.loads(data)
    except json.JSONDecodeError as error:
        what = f"{shown}, line {error.lineno}: this is not JSON: {error.msg}"
        raise FileError(what, code="wrong_import", file=shown, line=error.lineno) from error
    except (RecursionError, ValueError) as error:
        what = (
            "too deeply nested"
            if isinstance(error, RecursionError)
            else "in no encoding of JSON, such as UTF-8"
        )
        raise FileError(f"{shown} is {what}", code="wrong_import") from error


# Who knows them


def _actors(file: ForeignFile, known: Sequence[ImporterOf]) -> tuple[ImporterOf | None, list[ForeignActor]]:
    """The importer that knows most actors of a file, and the actors; Usage where two know as many, FileError where
    none knows any in a file that was named itself."""
    found = sorted(
        ((one, [*one.importer.actors(file.data)]) for one in known), key=lambda pair: -len(pair[1])
    )
    most = [(one, actors) for one, actors in found if actors and len(actors) == len(found[0][1])]
    if len(most) > 1:
        names = [one.importer.name for one, _ in most]
        hint = f"say which: --from {names[0]}"
        raise Usage(f"{file.shown} could be {' or '.join(names)}", hint=hint, code="ambiguous")
    if not most and not file.in_folder:
        if any(True for one in known for _ in one.importer.weapons(file.data)):
            hint = "weapons alone: --weapons prints tables to paste"
        else:
            hint = f"importers: {listed(tuple(known))}"
        raise FileError(
            f"{file.shown} holds no actor that an importer knows", hint=hint, code="unknown_format"
        )
    return most[0] if most else (None, [])


def _wanted(names: Iterable[str], patterns: Sequence[str]) -> list[bool]:
    """Whether each of some names is one that --only names; Usage for a pattern that none of them fits."""
    there = [name.casefold() for name in names]
    found = [False] * len(there)
    for pattern in patterns:
        words = ".*".join(map(re.escape, pattern.casefold().split("*")))
        fits = [re.fullmatch(words, name, re.DOTALL) is not None for name in there]
        if not any(fits):
            raise Usage(f"no actor is called {pattern!r}{guess(pattern, there)}", code="unknown_name")
        found = [one or other for one, other in zip(found, fits, strict=True)]
    return found if patterns else [True] * len(there)


# What becomes of them


def import_actors(desk: Desk, wish: ImportWish, stdin: Iterable[str] | None) -> Iterator[ImportedActor]:
    """Make the sheets of all actors in the files of a wish, one after another.

    All files are read before a sheet is written. Usage or FileError where they cannot be imported; what is wrong with
    one actor alone stands in what became of it.
    """
    known = importers(wish.importer)
    files = [*_files(desk, wish.files, stdin)]
    found = [(file, *_actors(file, known)) for file in files]
    if not any(actors for _, _, actors in found):
        hint = f"importers: {listed(known)}"
        raise FileError("the files hold no actor that an importer knows", hint=hint, code="unknown_format")
    chosen = iter(_wanted((actor.name for _, _, actors in found for actor in actors), wish.only))
    run = ImportRun(desk, wish)
    for file, importer, actors in found:
        for actor in actors:
            if next(chosen) and importer is not None:
                yield run.imported(file, importer, actor)


class ImportRun:
    """One run of an import: the sheets that are there, and the names that are taken."""

    def __init__(self, desk: Desk, wish: ImportWish) -> None:
        self.wish = wish
        own = next(desk.places.sheet_folders()) if not wish.to else None
        folder = own or Folder(path_from(desk.places.cwd, wish.to), wish.to)
        self.store = Store((folder,), desk.places.cwd)
        self.folder = folder.path
        self.there: dict[tuple[str, str], str] = {}
        """The paths of the sheets in the folder that were imported before, by importer and ident."""
        for path in sheets_in(folder.path):
            with suppress(FileError):
                self.there.setdefault(source_of(read_text(path, path)), path)
        self.there.pop(("", ""), None)
        self.stems: set[str] = set()
        """The file stems that the sheets of this run have."""
        self.idents: dict[tuple[str, str], ForeignActor] = {}

    def imported(self, file: ForeignFile, of: ImporterOf, actor: ForeignActor) -> ImportedActor:
        """Make the sheet of one actor."""
        raw = ForeignObject(actor.raw)
        sheet, notes = of.importer.sheet(raw)
        notes = (*notes, *(ImportNote("ignored", path) for path in dict.fromkeys(raw.unread())))
        ident, source = self._ident(of.importer.name, actor), cleaned(os.path.basename(file.shown))
        path = self.there.get((of.importer.name, ident), "")
        name = self._name(actor.name, path) if sheet else usable_name(actor.name)
        if name != actor.name:
            notes = (ImportNote("changed", "name", f"{cleaned(actor.name)} becomes {name}"), *notes)
        what = ImportedActor("left out", "", source, of.importer.name, ident, name, of.system.name, notes)
        if not sheet:
            return what
        path = path or os.path.join(self.folder, f"{stem_of(name)}.toml")
        what = what._replace(file=self.store.display_path(path))
        try:
            return self._written(what, of, {**sheet, "name": name}, path)
        except FileError as error:
            if error.code in REMEDIES:
                raise
            faults = error.about.get("faults") or [{"file": what.file, "message": error.message}]
            did: Did = "exists" if error.code == "exists" else "faulty"
            return what._replace(did=did, faults=faults if isinstance(faults, list) else ())

    def _written(
        self, what: ImportedActor, of: ImporterOf, sheet: Mapping[str, Any], path: str
    ) -> ImportedActor:
        """What becomes of a sheet: written, taken over into the one that is there, or left; FileError where it is
        faulty, or another file is in its place."""
        source = SourceOfSheet(what.importer, what.ident, what.source, of.importer.licence)
        said = (said_of(what.notes, "changed"), said_of(what.notes, "lost"))
        text = imported_text(sheet, of.system.sheet, source, *said)
        check_text(path, text, what.file, lines=False)
        if (what.importer, what.ident) not in self.there:
            if self.wish.is_dry and os.path.lexists(path):
                raise FileError(f"{what.file} exists already", code="exists")
            if not self.wish.is_dry:
                create(path, text, what.file, "sheets", ELSEWHERE, self.store.allowed_folder(path))
            self.there[what.importer, what.ident] = path
            return what._replace(did="wrote")
        if not (self.wish.updates or self.wish.overwrites):
            return what._replace(did="kept")
        whole = read_text(path, what.file)
        old = whole.removeprefix(BYTE_ORDER_MARK)
        if self.wish.overwrites:
            state = parsed(old, what.file).get("state")
            new = UpdatedSheet(imported_text(sheet, of.system.sheet, source, *said, state=state), [""], [])
        else:
            check_text(path, old, what.file)
            new = updated(old, text)
        check_text(path, new.text, what.file, lines=False)
        if new.text != old and not self.wish.is_dry:
            replace(path, whole[: len(whole) - len(old)] + new.text, what.file, ELSEWHERE)
        did: Did = "kept" if not new.changed else "updated" if self.wish.updates else "wrote"
        return what._replace(did=did, kept=new.kept)

    def _ident(self, importer: str, actor: ForeignActor) -> str:
        """What the source calls an actor, as one word; another one for another actor of the run that is called so."""
        word = (
            re.sub(r"[^\w.-]+", "-", (actor.ident or slug(actor.name))[:LONGEST_IDENT]).strip("-")
            or "nameless"
        )
        made, number = word, 2
        while self.idents.setdefault((importer, made), actor).raw != actor.raw:
            made, number = f"{word}-{number}", number + 1
        return made

    def _name(self, name: str, path: str) -> str:
        """The name of a sheet, which no other one of the run has; that of the sheet at a path, if it is one for it."""
        usable = usable_name(name)
        before = str(value_in(path, "name")) if path else ""
        made, number = before if re.fullmatch(rf"{re.escape(usable)} \d+", before) else usable, 2
        while stem_of(made) in self.stems:
            made = f"{usable[: LONGEST_NAME - 1 - len(str(number))].rstrip()} {number}"
            number += 1
        self.stems.add(stem_of(made))
        return made


def usable_name(name: str) -> str:
    """The name that a sheet may have for that of an actor: `A, B` as `A (B)`, without signs that commands read."""
    turned = re.sub(r"^([^,]*\S)\s*,\s*(\S.*)$", r"\1 (\2)", cleaned(name))
    words = " ".join(re.sub(r"""[:,="\\]""", " ", turned).split())[:LONGEST_NAME].lstrip("- ").rstrip()
    return words if any(map(str.isalpha, words)) else f"Nameless {words}".strip()[:LONGEST_NAME].rstrip()


def cleaned(text: str) -> str:
    """A text on one line, without what no screen can show."""
    return ForeignObject(text).text("value")


def said_of(notes: Iterable[ImportNote], kind: str) -> list[str]:
    """The notes of a kind in words, by what they are about."""
    by_key: dict[str, list[str]] = {}
    for note in notes:
        if note.kind == kind:
            by_key.setdefault(note.key, []).append(note.what)
    return [f"{key}: {', '.join(filter(None, whats))}".removesuffix(": ") for key, whats in by_key.items()]


def weapon_tables(desk: Desk, wish: ImportWish, stdin: Iterable[str] | None) -> Iterator[tuple[str, ...]]:
    """The lines of a table for each weapon that stands in the files by itself; FileError where there is none."""
    known, names = importers(wish.importer), set[str]()
    for file in [*_files(desk, wish.files, stdin)]:
        for of in known:
            for weapon in of.importer.weapons(file.data):
                sheet, notes = of.importer.sheet(ForeignObject(weapon.raw))
                comments = [
                    f"# {kind}: {words}" for kind in ("changed", "lost") for words in said_of(notes, kind)
                ]
                for name, table in sheet.get("weapons", {}).items():
                    names.add(name)
                    yield (
                        *comments,
                        f"[weapons.{name}]",
                        *(f"{key} = {value_text(one)}" for key, one in table.items()),
                    )
    if not names:
        raise FileError("the files hold no weapon that an importer knows", code="unknown_format")
