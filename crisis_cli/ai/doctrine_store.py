"""Finding and reading doctrine files, in the same way as sheets."""

from __future__ import annotations

import os
from typing import Any

from ..sheets.check import checked
from ..sheets.files import file_stem
from ..sheets.shelf import Shelf, json_schema
from ..sheets.store import Folder, Store
from .doctrine import SCHEMA, Doctrine, doctrine_of

SHIPPED = os.path.join(os.path.dirname(os.path.dirname(__file__)), "doctrines")
KIND = "doctrine"


class DoctrineStore(Shelf[Doctrine]):
    """The doctrines in reach, each read once."""

    def __init__(self, folders: tuple[Folder, ...] = (), here: str = ""):
        shipped = Folder(SHIPPED, "the shipped doctrines", is_writable=False)
        super().__init__(Store((*folders, shipped), here or os.getcwd(), kind=KIND))
        self.known: dict[str, Doctrine] = {}
        """The doctrines that have been read, by the names that they were asked for by."""

    def named(self, name: str) -> Doctrine:
        """The doctrine of that name, read once; FileError if there is none or it is invalid."""
        if name not in self.known:
            self.known[name] = self.read(name)
        return self.known[name]

    def of_file(self, path: str) -> Doctrine:
        """The doctrine of a file; FileError listing every fault."""
        values = checked(path, self.store.display_path(path), KIND, _values)
        return doctrine_of(file_stem(path).casefold(), values)

    @staticmethod
    def schema(system: str = "") -> dict[str, Any]:
        """The JSON Schema of doctrines, which are of no system."""
        return json_schema("doctrines of crisis", SCHEMA.schema())

    def example(self, name: str, system: str) -> str:
        """The text of a doctrine of that name that decides as usual."""
        from ..sheets.examples import doctrine

        return doctrine(name)


def _values(raw: dict[str, Any], faults: list[Any]) -> dict[str, Any]:
    return SCHEMA.read(raw, (), faults)
