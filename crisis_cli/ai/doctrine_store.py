"""Finding and reading doctrine files, in the same way as sheets."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from ..sheets.check import checked
from ..sheets.files import file_stem
from ..sheets.store import Folder, Store
from .doctrine import SCHEMA, Doctrine, doctrine_of

SHIPPED = os.path.join(os.path.dirname(os.path.dirname(__file__)), "doctrines")
KIND = "doctrine"


class DoctrineStore:
    """The doctrines in reach, each read once."""

    def __init__(self, folders: tuple[Folder, ...] = (), here: str = ""):
        shipped = Folder(SHIPPED, "the shipped doctrines", is_writable=False)
        self.store = Store((*folders, shipped), here or os.getcwd(), kind=KIND)
        self.read: dict[str, Doctrine] = {}

    def named(self, name: str) -> Doctrine:
        """The doctrine of that name; FileError if there is none or it is invalid."""
        if name not in self.read:
            path = self.store.find(name)
            values = checked(path, self.store.display_path(path), KIND, _values)
            self.read[name] = doctrine_of(file_stem(path).casefold(), values)
        return self.read[name]

    def names(self) -> Iterator[str]:
        """The names of all doctrines, nearest folder first."""
        return (file_stem(path).casefold() for _, path in self.store.all())


def _values(raw: dict[str, Any], faults: list[Any]) -> dict[str, Any]:
    return SCHEMA.read(raw, (), faults)
