"""Finding and checking files of encounters, in the same way as sheets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ..engine.encounter_schema import schema
from ..engine.field import Field
from ..engine.kinds import Fault, guess
from ..engine.kinds import shown as said_as
from ..engine.read_field import read_field
from ..engine.system import System
from ..errors import FileError
from ..systems import load, names
from ..values import NamedTuple
from .check import Sheet, checked, faults_error, read_text, unknown_doctrine
from .encounter_check import faults_between, groups_of
from .store import Folder, Store, copies

SHIPPED = Path(__file__).parent.parent / "encounters"
KIND = "encounter"


class EncounterFile(NamedTuple):
    """A file of an encounter that has been read."""

    path: Path
    system: System
    values: Mapping[str, Any]
    """Its checked values."""
    sheets: Mapping[str, Sheet]
    """The sheets that it names, the players' left out."""
    field: Field | None

    @property
    def stem(self) -> str:
        """The name by which commands find it."""
        return self.path.stem.casefold()

    @property
    def title(self) -> str:
        """Its title, or its name."""
        return str(self.values.get("name", self.stem))

    def record(self) -> dict[str, Any]:
        """What a journal keeps of it: its values, with whole sheets for those who may come later."""
        values = {key: value for key, value in self.values.items() if key not in MAP_KEYS}
        events = [
            {**event, "add": [self._with_sheet(one) for one in event["add"]]} if "add" in event else event
            for event in values.get("event", ())
        ]
        values |= {"name": self.title} | ({"event": events} if events else {})
        return {"file": self.stem, "values": values}

    def _with_sheet(self, one: Mapping[str, Any]) -> dict[str, Any]:
        return {**one, "sheet": self.sheet_of(one)}

    @property
    def group_sheets(self) -> list[Mapping[str, Any]]:
        """The values of the sheets of those who are there at the start, group by group."""
        return [self.sheet_of(one) for one in self.values["fighter"]]

    def sheet_of(self, group: Mapping[str, Any]) -> Mapping[str, Any]:
        """The values of the sheet of a group."""
        sheet = group["sheet"]
        return self.sheets[sheet].values if isinstance(sheet, str) else sheet


MAP_KEYS = ("map", "legend", "scale", "origin")
"""The keys about the terrain, which a journal keeps on its own."""


class EncounterStore:
    """The encounters in reach, each file read once. `doctrines` gives the names of the doctrines there are."""

    def __init__(
        self, folders: tuple[Folder, ...], here: Path, sheets: Store, doctrines: Callable[[], Iterator[str]]
    ):
        shipped = Folder(SHIPPED, "the shipped encounters", is_writable=False)
        self.store = Store((*folders, shipped), here, kind=KIND)
        self.sheets = sheets
        self.doctrines = doctrines
        self.files: dict[Path, EncounterFile] = {}

    def named(self, name: str) -> EncounterFile:
        """The encounter of that name; FileError if there is none, or listing every fault of it."""
        return self.of_file(self.store.find(name))

    def files_in_reach(self) -> Iterator[tuple[Folder, Path]]:
        """Every file with its folder, nearest first."""
        return self.store.all()

    def of_file(self, path: Path) -> EncounterFile:
        """The encounter of a file; FileError listing every fault."""
        if path not in self.files:
            reading = _Reading(self)
            values = checked(path, self.store.display_path(path), KIND, reading.read)
            self.files[path] = EncounterFile(path, reading.system, values, reading.found, reading.field)
        return self.files[path]

    def check_party(self, file: EncounterFile) -> None:
        """FileError where the sheets of the party, which others may replace, are missing or of another system."""
        faults: list[Fault] = []
        for at, word in enumerate(file.values.get("party", {}).get("sheets", ())):
            faults += self.missing(("party", "sheets", at), copies(word)[0], file.system, {})
        if faults:
            shown = self.store.display_path(file.path)
            raise faults_error(shown, read_text(file.path, shown, KIND), faults, KIND)

    def missing(
        self, path: tuple[str | int, ...], name: str, system: System, found: dict[str, Sheet]
    ) -> Iterator[Fault]:
        """The fault of a sheet that is not there, invalid or of another system; else it is added to those found."""
        try:
            sheet = self.sheets.read(name)
        except FileError as error:
            stems = [one.stem for _, one in self.sheets.all()]
            more = guess(name, stems) if error.code == "not_found" else ""
            yield Fault(path, f"{error.message.splitlines()[0]}{more}")
            return
        if sheet.values["system"] != system.name:
            yield Fault(path, f"{name} is a sheet of {sheet.values['system']}, not of {system.name}")
        found[name] = sheet


class _Reading:
    """One reading of a file: its values, and what they refer to."""

    def __init__(self, store: EncounterStore):
        self.store = store
        self.system = load(names()[0])
        self.found: dict[str, Sheet] = {}
        self.field: Field | None = None

    def read(self, raw: dict[str, Any], faults: list[Fault]) -> dict[str, Any]:
        """The values of a file; all that is wrong is added to the faults."""
        name = raw.get("system")
        if not isinstance(name, str) or name not in names():
            near = guess(name, names()) if isinstance(name, str) else ""
            said = "is missing" if name is None else f"unknown system {said_as(name)}{near}"
            faults.append(Fault(("system",), f"{said}; there are: {', '.join(names())}"))
            return {}
        self.system = load(name)
        values = schema(self.system).read(raw, (), faults)
        self._read_map(values, faults)
        if faults:
            return values
        groups = groups_of(values)
        for path, one in groups:
            if isinstance(one["sheet"], str):
                faults += self.store.missing((*path, "sheet"), one["sheet"], self.system, self.found)
            faults += self._unknown_doctrine((*path, "doctrine"), one.get("doctrine"))
        for at, event in enumerate(values.get("event", ())):
            for who, doctrine in event.get("doctrine", {}).items():
                faults += self._unknown_doctrine(("event", at, "doctrine", who), doctrine)
        named = [str(one.get("name") or self._sheet_name(one["sheet"])) for _, one in groups]
        faults += faults_between(values, (*named, *self._party(values)), self.field)
        return values

    def _read_map(self, values: dict[str, Any], faults: list[Fault]) -> None:
        """The terrain that a map gives."""
        given = [key for key in MAP_KEYS if key in values]
        if "map" not in given:
            faults += (Fault((key,), "goes with a `map`") for key in given)
            return
        found: list[Fault] = []
        legend, scale, origin = (values.get(key) for key in MAP_KEYS[1:])
        self.field = read_field(values["map"], legend or {}, scale, origin, self.system, found)
        faults += found

    def _sheet_name(self, sheet: str | Mapping[str, Any]) -> str:
        if isinstance(sheet, str):
            return str(self.found[sheet].values["name"]) if sheet in self.found else sheet
        return str(sheet["name"])

    def _party(self, values: Mapping[str, Any]) -> Iterator[str]:
        """The names of the players' fighters: those of their sheets, as far as they are found."""
        for word in values.get("party", {}).get("sheets", ()):
            try:
                yield str(self.store.sheets.read(copies(word)[0]).values["name"])
            except FileError:
                yield word

    def _unknown_doctrine(self, path: tuple[str | int, ...], name: str | None) -> Iterator[Fault]:
        known = list(self.store.doctrines()) if name else []
        if name and name.casefold() not in known:
            yield unknown_doctrine(path, name, known)
