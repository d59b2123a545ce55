"""The sheets, encounters, tables and doctrines in reach."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..sheets.store import Store
from ..values import NamedTuple
from .caches import Caches
from .places import Places

if TYPE_CHECKING:
    from ..ai.doctrine import Doctrine
    from ..ai.doctrine_store import DoctrineStore
    from ..engine.scene import Fighter
    from ..sheets.check import Sheet
    from ..sheets.encounter_store import EncounterStore
    from ..sheets.sheet_store import SheetStore
    from ..sheets.table_store import TableStore


class Shelves(NamedTuple):
    """The sheets, encounters, tables and doctrines in reach, nearest folder first.

    FileError where a folder that was named does not exist.
    """

    places: Places
    caches: Caches
    in_memory: Mapping[str, Sheet] = {}
    """Sheets without files, by the words that mean them."""

    def sheets(self) -> Store:
        """The sheets in reach."""
        places = self.places
        return Store(
            tuple(places.sheet_folders()),
            places.cwd,
            campaign=places.campaign_folder,
            in_memory=self.in_memory,
        )

    def characters(self) -> SheetStore:
        """The sheets in reach as a shelf, from which they are checked, copied and made."""
        from ..sheets.sheet_store import SheetStore

        return SheetStore(self.sheets(), self.doctrines)

    def doctrines(self) -> DoctrineStore:
        """The doctrines in reach."""
        from ..ai.doctrine_store import DoctrineStore

        known, folders = self.caches.doctrines, tuple(self.places.doctrine_folders())
        if known is None or known.store.folders[:-1] != folders:
            known = self.caches.doctrines = DoctrineStore(folders, self.places.cwd)
        return known

    def tables(self) -> TableStore:
        """The random tables in reach."""
        from ..sheets.table_store import TableStore

        return TableStore(tuple(self.places.table_folders()), self.places.cwd)

    def encounters(self) -> EncounterStore:
        """The encounters in reach."""
        from ..sheets.encounter_store import EncounterStore

        folders = tuple(self.places.encounter_folders())
        return EncounterStore(folders, self.places.cwd, self.sheets(), self.doctrines)

    def doctrine_of(self, fighter: Fighter) -> Doctrine:
        """The doctrine of a fighter; FileError, naming the fighter, if it is missing or invalid."""
        from ..ai.doctrine import doctrine_of_fighter

        return doctrine_of_fighter(fighter, self.doctrines().named)
