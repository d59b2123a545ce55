"""The shelf of one kind of file: its files are found, read, checked, copied and made; it gives their JSON Schema."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from ..errors import CrisisError, FileError, Usage
from ..values import NamedTuple
from .check import parsed, read_text
from .files import create, exists, file_stem, path_from, stem_of
from .store import Folder, Store, sheets_in

Held = TypeVar("Held")
"""What a file of the kind is read as."""
Record = Mapping[str, object]


class Checked(NamedTuple, Generic[Held]):
    """A file that was checked: what it holds, or else the error that lists its faults."""

    file: str
    """Its path for messages."""
    held: Held | None = None
    warnings: Sequence[Record] = ()
    """Records of what may be a slip, each with file, line, key and message."""
    error: CrisisError | None = None

    @property
    def faults(self) -> list[Record]:
        """Records of the faults, each with file and message, and with line and key where they are known."""
        if self.error is None:
            return []
        faults = self.error.about.get("faults")
        return faults if isinstance(faults, list) else [{"file": self.file, "message": self.error.message}]

    @property
    def has_more(self) -> bool:
        """Whether there are more faults than have a record."""
        return self.error is not None and bool(self.error.about.get("more"))


class Shelf(ABC, Generic[Held]):
    """The files of one kind in reach, nearest folder first."""

    elsewhere: ClassVar[str] = "use another folder"
    """How to name another folder for a new file."""

    def __init__(self, store: Store):
        self.store = store

    # Finding and reading

    def files(self) -> Iterator[tuple[Folder, str]]:
        """Every file with its folder, nearest first."""
        return self.store.all()

    def names(self) -> list[str]:
        """The names by which the files are found, nearest folder first."""
        return [file_stem(path).casefold() for _, path in self.files()]

    def find(self, name: str) -> str:
        """The path of the file of that name; FileError if there is none or several."""
        return self.store.find(name)

    def files_at(self, word: str) -> list[str]:
        """The paths of the files that a word means to a check, those in a folder too; FileError if there is none."""
        try:
            return [self.find(word)]
        except FileError:
            path = path_from(self.store.working_folder, word)
            if os.path.isdir(path) and (inside := sheets_in(path)):
                return inside
            raise

    def read(self, name: str) -> Held:
        """What the file of that name holds; FileError if there is none, or listing every fault of it."""
        return self.of_file(self.find(name))

    @abstractmethod
    def of_file(self, path: str) -> Held:
        """What a file holds; FileError listing every fault in the file itself."""

    # Checking

    def check(self, name: str) -> list[Record]:
        """Records of all that is wrong in the file of that name or path, each with file, line, key and message."""
        return [fault for path in self.files_at(name) for fault in self.checked(path).faults]

    def checked(self, path: str) -> Checked[Held]:
        """A file after a check: what it holds, or its faults."""
        shown = self.store.display_path(path)
        try:
            return Checked(shown, *self.examine(path))
        except CrisisError as error:
            doubts = error.about.get("warnings")
            return Checked(shown, None, doubts if isinstance(doubts, list) else (), error)

    def examine(self, path: str) -> tuple[Held, Sequence[Record]]:
        """What a file holds, and records of what may be a slip; FileError listing every fault, also of what the file
        names."""
        return self.of_file(path), ()

    @staticmethod
    @abstractmethod
    def schema(system: str = "") -> dict[str, Any]:
        """The JSON Schema of the files, for a system where each has its own."""

    # Making

    def copy(self, name: str, new: str = "") -> str:
        """Copy the file of that name into the first folder, under a new name if one is given; its path.

        FileError where it cannot be read, or there is a file of its name.
        """
        path = self.find(name)
        text = self.text_of_copy(path, new)
        return self.create(self.stem(new) if new else file_stem(path), text)

    def new(self, name: str, values: Mapping[str, Any] | None = None) -> str:
        """Make a file of that name in the first folder; its path. The values stand in place of those of an example.

        FileError where there is a file of its name, Usage where nothing can be called so, or a value is none of TOML.
        """
        try:
            text = self.text_of_new(name, values or {})
        except (TypeError, ValueError) as error:
            raise Usage(
                f"the values of {name} cannot be written as TOML: {error}", code="bad_value"
            ) from error
        return self.create(self.stem(name), text)

    def hidden_by(self, path: str) -> str:
        """The name of the nearest folder with another file that a new one hides; empty if there is none."""
        stem = file_stem(path).casefold()
        folders = (
            folder.name
            for folder in self.store.folders
            for other in sheets_in(folder.path)
            if other != path and file_stem(other).casefold() == stem
        )
        return next(folders, "")

    def stem(self, name: str) -> str:
        """The file stem for the name of a new file; Usage for one without a letter or a digit."""
        if not isinstance(name, str) or not any(map(str.isalnum, name)):
            raise Usage(f"{name!r} is no name for a file: it has no letter and no digit", code="bad_value")
        return stem_of(name)

    def new_path(self, stem: str) -> str:
        """The path for a new file in the first folder; FileError if the file exists."""
        path = os.path.join(self.store.folders[0].path, f"{stem}.toml")
        if exists(path):
            raise FileError(
                f"{self.store.display_path(path)} exists already",
                hint=f"give the new {self.store.kind} another name",
                code="exists",
            )
        return path

    def create(self, stem: str, text: str) -> str:
        """Write a new file into the first folder; its path. FileError if it exists or cannot be written."""
        path, store = self.new_path(stem), self.store
        create(
            path, text, store.display_path(path), f"{store.kind}s", self.elsewhere, store.allowed_folder(path)
        )
        return path

    def text_of_copy(self, path: str, new: str) -> str:
        """The text of a copy of a file, which has a new name if one is given; FileError where it cannot be read."""
        return read_text(path, self.store.display_path(path), self.store.kind)

    def text_of_new(self, name: str, values: Mapping[str, Any]) -> str:
        """The text of a new file with some values, the others as in the example; TypeError or ValueError where they
        cannot be written."""
        text = self.example(name, str(values.get("system", "")))
        changed = {key: value for key, value in values.items() if key != "system"}
        if not changed:
            return text
        from .toml_patch import amend

        patched = amend(text, {**parsed(text, name, self.store.kind), **changed})
        if patched is None:
            raise ValueError(f"they do not fit among {', '.join(changed)}")
        return patched

    @abstractmethod
    def example(self, name: str, system: str) -> str:
        """The text of a file of that name, of a system where each has its own, to be edited."""


def json_schema(title: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """A JSON Schema as a whole document with its title."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **schema}
