"""Sheets made of the actors in files of other programs: which importer knows a file, and what becomes of each actor."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from ..engine.kinds import guess
from ..engine.scene import slug
from ..errors import FileError, Usage
from ..rules.importing import ForeignActor, ForeignObject, Imported, SheetNote, objects_in
from ..sheets.check import BYTE_ORDER_MARK, check_text, parsed, read_text
from ..sheets.files import REMEDIES, STDIN, create, path_from, read_source, replace, stem_of
from ..sheets.imported import SourceOfSheet, imported_text, source_of, updated
from ..sheets.store import Folder, Store, sheets_in, value_in
from ..sheets.toml_patch import value_text
from ..systems.importers import ImporterOf, importers, listed
from ..values import NamedTuple
from .desk import Desk

MOST_FILES, MOST_BYTES, MOST_ACTORS = 2_000, 20_000_000, 5_000
LONGEST_NAME, LONGEST_IDENT = 40, 60
ELSEWHERE = "use another folder: --to DIR"


class ImportWish(NamedTuple):
    """What is to be imported, in words; the names are those of options."""

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


class ImportedActor(NamedTuple):
    """What became of one actor, in the order of its record."""

    file: str
    """The path of its sheet for messages; empty for none."""
    source: str
    importer: str
    id: str
    name: str
    system: str
    did: str
    """wrote, updated, kept, exists, faulty, or left out."""
    changed: list[Mapping[str, str]]
    """Notes, each with `key` and `what`; so for the next two."""
    lost: list[Mapping[str, str]]
    ignored: list[Mapping[str, str]]
    kept: Sequence[str] = ()
    """The parts of an updated sheet that the player has edited."""
    newer: Mapping[str, str] = {}
    """What the source has now for those of them that have changed there too."""
    faults: Sequence[object] = ()


class ActorFile(NamedTuple):
    """A parsed file."""

    shown: str
    data: Any
    in_folder: bool
    """Whether the file was found in a folder: then it may hold nothing that an importer knows."""


def _files(desk: Desk, words: Iterable[str], stdin: Iterable[str] | None) -> Iterator[ActorFile]:
    """The parsed files that words name; FileError where one cannot be read, or they are too many or too much."""
    left, many = MOST_BYTES, 0
    for word in words:
        path = path_from(desk.places.cwd, word)
        is_folder = word != STDIN and os.path.isdir(path)
        listing = sorted(os.listdir(path)) if is_folder else ()
        names = [name for name in listing if name.lower().endswith(".json")] or [""] * (not is_folder)
        many += len(names)
        if many > MOST_FILES:
            raise FileError(f"there are more than {MOST_FILES:,} files", code="wrong_import")
        for name in names:
            shown = "stdin" if word == STDIN else os.path.join(word, name) if name else word
            text = (stdin or ()) if word == STDIN else None
            place = os.path.join(path, name) if name else path
            data = read_source(place, shown, text, left, "wrong_import")
            left -= len(data)
            yield ActorFile(shown, _parsed(data, shown), is_folder)


def _parsed(data: bytes, shown: str) -> Any:
    try:
        return json.loads(data)
    except json.JSONDecodeError as error:
        said = f"{shown}, line {error.lineno}: this is not JSON: {error.msg}"
        raise FileError(said, code="wrong_import") from error
    except RecursionError as error:
        raise FileError(f"{shown} is too deeply nested", code="wrong_import") from error
    except UnicodeError as error:
        raise FileError(f"{shown} is in no encoding of JSON, such as UTF-8", code="wrong_import") from error
    except ValueError as error:  # Python reads no number that is longer.
        most = f"{sys.get_int_max_str_digits():,}"
        raise FileError(f"{shown} has a number of more than {most} digits", code="wrong_import") from error


def _known(file: ActorFile, of: Sequence[ImporterOf]) -> Iterator[tuple[ActorFile, ImporterOf, ForeignActor]]:
    """The actors of a file, each with the importer that knows most of them; Usage where two know as many, FileError
    where none knows any in a file that was named itself."""
    found = [(one, [*one.importer.actors(file.data)]) for one in of]
    most = max((len(actors) for _, actors in found), default=0)
    best = [(one, actors) for one, actors in found if actors and len(actors) == most]
    if len(best) > 1:
        names = [one.importer.name for one, _ in best]
        hint = f"say which: --from {names[0]}"
        raise Usage(f"{file.shown} could be {' or '.join(names)}", hint=hint, code="ambiguous")
    if not best and not file.in_folder:
        has_weapons = any(True for one in of for _ in one.importer.weapons(file.data))
        weapons_alone = "weapons alone: --weapons prints tables to paste"
        raise _unknown(file.shown, weapons_alone if has_weapons else listed(of))
    return (
        (file, of_actor, actor)
        for one, actors in best
        for of_actor, actor in _with_strangers(file, one, actors)
    )


def _with_strangers(
    file: ActorFile, of: ImporterOf, actors: Iterable[ForeignActor]
) -> Iterator[tuple[ImporterOf, ForeignActor]]:
    """The actors of a file in their order, and those after them that the importer of the file does not know, which get
    no sheet: whatever has a name and a type, and is no weapon that belongs to nobody."""
    known = [*actors, *of.importer.weapons(file.data)]
    yield from ((of, actor) for actor in actors)
    seen = {id(actor.raw) for actor in known}
    none = of._replace(importer=of.importer._replace(sheet=_left_out))
    for raw in objects_in(file.data, "actors", "results"):
        name, kind = raw.get("name"), raw.get("type")
        if id(raw) not in seen and isinstance(name, str) and isinstance(kind, str):
            ident = next((one for one in (raw.get("_id"), raw.get("index")) if isinstance(one, str)), "")
            yield none, ForeignActor(ident, name, raw)


def _left_out(actor: ForeignObject) -> Imported:
    kind = actor.text("type")
    return Imported(
        {}, (SheetNote("lost", kind or "type", "it is no actor that the importer of this file knows"),)
    )


def _unknown(shown: str, hint: str, what: str = "actor") -> FileError:
    return FileError(f"{shown} holds no {what} that an importer knows", hint=hint, code="unknown_format")


def _wanted(names: Iterable[str], patterns: Sequence[str]) -> list[bool]:
    """Whether each of some names is one that --only names; Usage for a pattern that none of them fits."""
    there = [name.casefold() for name in names]
    found = [not patterns] * len(there)
    for pattern in patterns:
        words = re.compile(".*".join(map(re.escape, pattern.casefold().split("*"))), re.DOTALL)
        fits = [words.fullmatch(name) is not None for name in there]
        if not any(fits):
            raise Usage(f"no actor is called {pattern!r}{guess(pattern, there)}", code="unknown_name")
        found = [one or other for one, other in zip(found, fits, strict=True)]
    return found


def import_actors(desk: Desk, wish: ImportWish, stdin: Iterable[str] | None) -> Iterator[ImportedActor]:
    """Make the sheets of all actors in the files of a wish, one after another.

    All files are read before a sheet is written. Usage or FileError where they cannot be imported; what is wrong with
    one actor alone stands in what became of it.
    """
    if wish.updates and wish.overwrites:
        raise Usage("--update and --overwrite exclude each other", code="conflicting_options")
    of = importers(wish.importer)
    found = [one for file in [*_files(desk, wish.files, stdin)] for one in _known(file, of)]
    if not found:
        raise _unknown(", ".join(wish.files), listed(of))
    if len(found) > MOST_ACTORS:
        raise FileError(f"the files hold more than {MOST_ACTORS:,} actors", code="wrong_import")
    wanted, run = _wanted((actor.name for _, _, actor in found), wish.only), ImportRun(desk, wish)
    yield from (run.imported(*one) for one, is_wanted in zip(found, wanted, strict=True) if is_wanted)


class ImportRun:
    """One run of an import: the sheets that are there, and the names that are taken."""

    def __init__(self, desk: Desk, wish: ImportWish) -> None:
        self.wish, places = wish, desk.places
        folder = Folder(path_from(places.cwd, wish.to), wish.to) if wish.to else next(places.sheet_folders())
        self.store, self.folder = Store((folder,), places.cwd), folder.path
        self.there: dict[tuple[str, str], str] = {}
        """The paths of the sheets in the folder that were imported before, by importer and id."""
        for path in sheets_in(folder.path):
            with suppress(FileError):
                self.there.setdefault(source_of(read_text(path, path)), path)
        self.there.pop(("", ""), None)
        self.stems: dict[str, int] = {}
        """The file stems that the sheets of this run have, and how many actors of a name have asked for each."""
        self.raw: dict[tuple[str, str], Mapping[str, object]] = {}
        """The actors of this run by importer and id."""
        self.done: dict[tuple[str, str], ImportedActor] = {}
        """What became of each actor of this run, by importer and id."""

    def imported(self, file: ActorFile, of: ImporterOf, actor: ForeignActor) -> ImportedActor:
        """Make the sheet of one actor; where the run has had the very same one, say that it is there."""
        key = of.importer.name, self._ident(of.importer.name, actor)
        if key in self.done:
            done = self.done[key]
            return done._replace(did="kept", kept=(), newer={}) if done.did in ("wrote", "updated") else done
        self.done[key] = self._imported(file, of, actor, key[1])
        return self.done[key]

    def _imported(self, file: ActorFile, of: ImporterOf, actor: ForeignActor, ident: str) -> ImportedActor:
        raw, importer = ForeignObject(actor.raw), of.importer.name
        sheet, notes = of.importer.sheet(raw)
        path = self.there.get((importer, ident), "")
        name = self._name(actor.name, path) if sheet else usable_name(actor.name)
        if name != actor.name:
            notes = (SheetNote("changed", "name", f"{cleaned(actor.name)} becomes {name}"), *notes)
        notes += tuple(
            SheetNote("lost", where, f"{value} cannot be read")
            for where, value in dict.fromkeys(raw.unreadable())
        )
        notes += tuple(SheetNote("ignored", where) for where in dict.fromkeys(raw.unread()))
        path = path or os.path.join(self.folder, f"{stem_of(name)}.toml")
        done = ImportedActor(
            file=self._shown(path) if sheet else "",
            source=cleaned(os.path.basename(file.shown)),
            importer=importer,
            id=ident,
            name=name,
            system=of.system.name,
            did="left out",
            changed=noted(notes, "changed"),
            lost=noted(notes, "lost"),
            ignored=noted(notes, "ignored"),
        )
        try:
            return self._written(done, of, {**sheet, "name": name}, path) if sheet else done
        except FileError as error:
            if error.code in REMEDIES:
                raise
            faults = error.about.get("faults") or [{"file": done.file, "message": error.message}]
            did = "exists" if error.code == "exists" else "faulty"
            return done._replace(did=did, faults=faults if isinstance(faults, list) else ())

    def _written(
        self, done: ImportedActor, of: ImporterOf, sheet: Mapping[str, Any], path: str
    ) -> ImportedActor:
        """What becomes of a sheet: written, taken over into the one that is there, or left; FileError where it is
        faulty, or another file is in its place."""
        said = ("; ".join(grouped(notes)) for notes in (done.changed, done.lost))
        source = SourceOfSheet(done.importer, done.id, done.source, of.importer.licence, *said)
        text = imported_text(sheet, of.system.sheet, source)
        check_text(path, text, done.file, lines=False)
        if (done.importer, done.id) not in self.there:
            if self.wish.is_dry and os.path.lexists(path):
                raise FileError(f"{done.file} exists already", code="exists")
            if not self.wish.is_dry:
                create(path, text, done.file, "sheets", ELSEWHERE, self.store.allowed_folder(path))
            self.there[done.importer, done.id] = path
            return done._replace(did="wrote")
        if not (self.wish.updates or self.wish.overwrites):
            return done._replace(did="kept")
        whole = read_text(path, done.file)
        old = whole.removeprefix(BYTE_ORDER_MARK)
        if self.wish.overwrites:
            text = imported_text(sheet, of.system.sheet, source, parsed(old, done.file).get("state"))
            done = done._replace(did="wrote")
        else:
            check_text(path, old, done.file)
            text, taken, kept, newer = updated(old, text)
            done = done._replace(did="updated" if taken else "kept", kept=kept, newer=newer)
        check_text(path, text, done.file, lines=False)
        if text != old and not self.wish.is_dry:
            replace(path, whole[: len(whole) - len(old)] + text, done.file, ELSEWHERE)
        return done

    def _shown(self, path: str) -> str:
        """A path for messages, relative to the working folder if it is inside it; a link stands for itself."""
        near, here = os.path.normpath(path), os.path.join(self.store.working_folder, "")
        if near.startswith(here) or os.path.islink(near):
            return near.removeprefix(here)
        return self.store.display_path(path)

    def _ident(self, importer: str, actor: ForeignActor) -> str:
        """What the source calls an actor, as one word; another one for another actor of the run that is called so."""
        plain = re.sub(r"[^\w.-]+", "-", (actor.ident or slug(actor.name))[:LONGEST_IDENT])
        word = made = plain.strip("-") or "nameless"
        number = 2
        while self.raw.setdefault((importer, made), actor.raw) != actor.raw:
            made, number = f"{word}-{number}", number + 1
        return made

    def _name(self, name: str, path: str) -> str:
        """The name of a sheet, which no other one of the run has; that of the sheet at a path, if it is one for it."""
        usable = usable_name(name)
        before = str(value_in(path, "name")) if path else ""
        made = before if re.fullmatch(rf"{re.escape(usable)} \d+", before) else usable
        while stem_of(made) in self.stems:
            number = self.stems[stem_of(usable)] = self.stems.get(stem_of(usable), 1) + 1
            made = f"{usable[: LONGEST_NAME - 1 - len(str(number))].rstrip()} {number}"
        self.stems[stem_of(made)] = 1
        return made


def usable_name(name: str) -> str:
    """The name that a sheet may have for that of an actor: `A, B` as `A (B)`, without signs that commands read."""
    turned = re.sub(r"^([^,]*\S)\s*,\s*(\S.*)$", r"\1 (\2)", cleaned(name))
    words = " ".join(re.sub(r"""[:,="\\]""", " ", turned).split())[:LONGEST_NAME].lstrip("- ").rstrip()
    return words if any(map(str.isalpha, words)) else f"Nameless {words}".strip()[:LONGEST_NAME].rstrip()


def cleaned(text: str) -> str:
    """A text on one line, without what no screen can show."""
    return ForeignObject(text).text("value")


def noted(notes: Iterable[SheetNote], kind: str) -> list[Mapping[str, str]]:
    """The notes of a kind as they stand in records; what they repeat of the source becomes one line."""
    return [{"key": cleaned(one.key), "what": cleaned(one.what)} for one in notes if one.kind == kind]


def grouped(notes: Iterable[Mapping[str, str]]) -> list[str]:
    """Notes in words, by what they are about."""
    by_key: dict[str, list[str]] = {}
    for note in notes:
        by_key.setdefault(note["key"], []).extend([note["what"]] if note["what"] else [])
    return [f"{key}: {', '.join(whats)}" if whats else key for key, whats in by_key.items()]


def weapon_tables(desk: Desk, wish: ImportWish, stdin: Iterable[str] | None) -> Iterator[tuple[str, ...]]:
    """The lines of a table for each weapon that stands in the files by itself; FileError where there is none."""
    of, names = importers(wish.importer), set[str]()
    for file in [*_files(desk, wish.files, stdin)]:
        for by, raw in ((one, weapon.raw) for one in of for weapon in one.importer.weapons(file.data)):
            sheet, notes = by.importer.sheet(ForeignObject(raw))
            comments = [
                f"# {kind}: {said}" for kind in ("changed", "lost") for said in grouped(noted(notes, kind))
            ]
            for name, table in sheet.get("weapons", {}).items():
                while name in names:
                    name = f"{name}-2"
                names.add(name)
                yield (
                    *comments,
                    f"[weapons.{name}]",
                    *(f"{key} = {value_text(value)}" for key, value in table.items()),
                )
    if not names:
        raise _unknown(", ".join(wish.files), listed(of), "weapon")
