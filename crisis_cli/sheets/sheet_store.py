"""The shelf of sheets: checked with their doctrines, copied under another name, made with every key explained."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from ..engine.kinds import Fault
from ..engine.wording import with_a
from ..systems import load
from .check import Sheet, check_text, read, unknown_doctrine
from .files import stem_of
from .new_sheet import sheet_text
from .shelf import Record, Shelf, json_schema
from .store import Store
from .toml_patch import amend


class SheetStore(Shelf[Sheet]):
    """The sheets in reach. `doctrines` gives the shelf of the doctrines that they may have."""

    elsewhere = "name another folder: --characters DIR"

    def __init__(self, store: Store, doctrines: Callable[[], Shelf[Any]]):
        super().__init__(store)
        self.doctrines = doctrines

    def read(self, name: str) -> Sheet:
        """The sheet of that name; FileError if there is none, or listing every fault of it."""
        return self.store.read(name)

    def of_file(self, path: str) -> Sheet:
        """The sheet of a file, whatever its doctrine; FileError listing every fault."""
        return read(path, self.store.display_path(path))

    def examine(self, path: str) -> tuple[Sheet, Sequence[Record]]:
        """The sheet of a file; FileError listing every fault, a doctrine that nobody finds too."""
        return read(path, self.store.display_path(path), partial(self._wrong_doctrine, path)), ()

    def _wrong_doctrine(self, path: str, values: Mapping[str, Any]) -> Iterator[Fault]:
        """The fault of a sheet whose doctrine is none that `play` would find."""
        name, doctrines = values["doctrine"], self.doctrines()
        yield from self.store.strange_doctrine(path, values)
        if not doctrines.store.has(name):
            yield unknown_doctrine(("doctrine",), name, doctrines.names())

    @staticmethod
    def schema(system: str = "") -> dict[str, Any]:
        """The JSON Schema of the sheets of a system."""
        rulebook = load(system)
        return json_schema(f"{with_a(rulebook.name)} sheet of crisis", rulebook.sheet.schema())

    def stem(self, name: str) -> str:
        """The file stem for the name of a new sheet, which `create` refuses where no sheet may have it."""
        return stem_of(name)

    def create(self, stem: str, text: str) -> str:
        """Write a new sheet into the first folder; its path. FileError if it exists or is not valid."""
        check_text(self.new_path(stem), text, "the new sheet", lines=False)
        return super().create(stem, text)

    def text_of_copy(self, path: str, new: str) -> str:
        """The text of a copy of a sheet, with its new name if one is given; FileError listing every fault."""
        sheet = read(path, self.store.display_path(path), partial(self.store.strange_doctrine, path))
        return (amend(sheet.text, {**sheet.raw, "name": new}) if new else None) or sheet.text

    def text_of_new(self, name: str, values: Mapping[str, Any]) -> str:
        """The text of a new sheet with these values; Usage where they cannot be written."""
        rulebook = load(str(values.get("system", "")))
        return sheet_text({"name": name, **values}, rulebook.sheet)

    def example(self, name: str, system: str) -> str:
        """The text of a sheet of a system without any values of its own."""
        return self.text_of_new(name, {"system": system})
