"""Finding and checking files of encounters, in the same way as sheets."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from ..engine.encounter import encounter_of, reward_of
from ..engine.encounter_events import made_of
from ..engine.encounter_schema import schema
from ..engine.field import BattleMap
from ..engine.kinds import Fault, guess
from ..engine.kinds import Path as KeyPath
from ..engine.kinds import shown as said_as
from ..engine.life import share_left
from ..engine.loot import counting_pool, known_thing
from ..engine.read_field import read_field
from ..engine.scene import Fighter
from ..engine.system import System
from ..engine.wording import with_a
from ..errors import CrisisError, FileError, Usage
from ..systems import load, names, require_unbroken
from ..values import NamedTuple
from .check import (
    Sheet,
    checked,
    fault_records,
    faults_error,
    new_faults,
    read_text,
    toml_of,
    unknown_doctrine,
)
from .encounter_check import MAP_KEYS, doubts, faults_between, groups_of, is_map_whole
from .event_check import faults_of_events
from .files import file_stem
from .shelf import Record, Shelf, json_schema
from .store import Folder, Store, copies, is_path, values_in

SHIPPED = os.path.join(os.path.dirname(os.path.dirname(__file__)), "encounters")
KIND = "encounter"
PARTY_OR_FIGHTERS = re.compile(r"^\s*(\[\[?\s*)?(party|fighter)\b", re.MULTILINE)


class EncounterFile(NamedTuple):
    """A file of an encounter that has been read."""

    path: str
    system: System
    values: Mapping[str, Any]
    """Its checked values."""
    sheets: Mapping[str, Sheet]
    """The sheets that it names, the players' left out."""
    field: BattleMap | None

    @property
    def stem(self) -> str:
        """The name by which commands find it."""
        return file_stem(self.path).casefold()

    @property
    def title(self) -> str:
        """Its title, or its name."""
        return str(self.values.get("name", self.stem))

    def record(self) -> dict[str, Any]:
        """What a journal keeps of it: its values, with whole sheets for those who may come later."""
        # A journal keeps the terrain on its own.
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


class EncounterStore(Shelf[EncounterFile]):
    """The encounters in reach, each file read once. `doctrines` gives the shelf of the doctrines that they may name."""

    def __init__(
        self, folders: tuple[Folder, ...], here: str, sheets: Store, doctrines: Callable[[], Shelf[Any]]
    ):
        shipped = Folder(SHIPPED, "the shipped encounters", is_writable=False)
        super().__init__(Store((*folders, shipped), here, kind=KIND))
        self.sheets = sheets
        self.doctrines = doctrines
        self.known: dict[str, EncounterFile] = {}
        """The files that have been read, by path."""

    def is_one(self, name: str) -> bool:
        """Whether a word is the name of an encounter, or the path of a file that has a party or fighters as no sheet
        has."""
        try:
            path = self.store.find(name)
            if not is_path(name):
                return True
            text = read_text(path, name, KIND)
        except FileError as error:
            # A name of several encounters means one of them: `read` says which there are.
            return error.code == "ambiguous"
        return bool(PARTY_OR_FIGHTERS.search(text))

    def of_file(self, path: str) -> EncounterFile:
        """The encounter of a file; FileError listing every fault."""
        if path not in self.known:
            reading = _Reading(self, os.path.dirname(path))
            values = checked(path, self.store.display_path(path), KIND, reading.read)
            self.known[path] = EncounterFile(path, reading.system, values, reading.found, reading.field)
        return self.known[path]

    def examine(self, path: str) -> tuple[EncounterFile, Sequence[Record]]:
        """The encounter of a file and records of what may be a slip in it; FileError listing every fault, those of the
        party's sheets too, which others may replace."""
        shown = self.store.display_path(path)
        text, raw = toml_of(path, shown, KIND)
        reading, faults = _Reading(self, os.path.dirname(path)), list[Fault]()
        values = reading.read(raw, faults)
        warnings: list[dict[str, object]] = []
        if values:
            faults += new_faults(faults, self._missing_party(values, reading.system, reading.folder))
            found = [*doubts(values, reading.system), *reading.doubtful_pools(values, faults)]
            found += reading.doubtful_rewards(values)
            warnings = fault_records(shown, text, new_faults(faults, found))
        if faults:
            raise faults_error(shown, text, faults, KIND, warnings)
        return EncounterFile(path, reading.system, values, reading.found, reading.field), warnings

    @staticmethod
    def schema(system: str = "") -> dict[str, Any]:
        """The JSON Schema of the encounters of a system."""
        rulebook = load(system)
        return json_schema(f"encounters of {rulebook.name}", schema(rulebook).schema())

    def example(self, name: str, system: str) -> str:
        """The text of an encounter of that name with two sheets of a system; FileError where a side has none."""
        from .examples import encounter

        rulebook = load(system)
        hero, foe = (self._sheet(rulebook, is_player) for is_player in (True, False))
        return encounter(name, rulebook, hero, foe)

    def _sheet(self, system: System, is_player: bool) -> str:
        """The name of a sheet of a system for a player, or for an opponent; FileError if there is none."""
        for _, path in self.sheets.all():
            raw = values_in(path)
            if raw.get("system") == system.name and bool(raw.get("player", True)) == is_player:
                return file_stem(path)
        raise FileError(
            f"there is no sheet of {system.name} yet",
            hint=f"make one: crisis character new NAME --system {system.name}",
            code="not_found",
        )

    def _missing_party(self, values: Mapping[str, Any], system: System, folder: str) -> Iterator[Fault]:
        """The sheets of the party that are missing, of another system, or named twice."""
        seen: set[str] = set()
        for at, word in enumerate(values.get("party", {}).get("sheets", ())):
            path = ("party", "sheets", at)
            try:
                bare = copies(word)[0]
                if bare.casefold() in seen:
                    yield Fault(path, f"{bare} is named more than once; several of one sheet: {bare}:2")
                seen.add(bare.casefold())
                yield from self.missing(path, bare, system, {}, folder)
            except Usage as error:
                yield Fault(path, error.message)

    def missing(
        self, path: KeyPath, name: str, system: System, found: dict[str, Sheet], folder: str
    ) -> Iterator[Fault]:
        """The fault of a sheet that is not there, invalid or of another system, or that a file in the folder must not
        name; else it is added to those found."""
        try:
            sheet = self.sheets.read(name, folder)
        except FileError as error:
            stems = [file_stem(one) for _, one in self.sheets.all()]
            more = guess(name, stems) if error.code == "not_found" else ""
            yield Fault(path, f"{error.message.splitlines()[0]}{more}")
            return
        if sheet.values["system"] != system.name:
            yield Fault(path, f"{name} is a sheet of {sheet.values['system']}, not of {system.name}")
        found[name] = sheet


class _Reading:
    """One reading of a file: its values, and what they refer to."""

    def __init__(self, store: EncounterStore, folder: str):
        self.store = store
        self.folder = folder
        """That of the file."""
        self.system = load(names()[0])
        self.found: dict[str, Sheet] = {}
        self.field: BattleMap | None = None

    def read(self, raw: dict[str, Any], faults: list[Fault]) -> dict[str, Any]:
        """The values of a file; all that is wrong is added to the faults."""
        name = raw.get("system")
        if not isinstance(name, str) or name not in names():
            require_unbroken(name)
            near = guess(name, names()) if isinstance(name, str) else ""
            said = "is missing" if name is None else f"unknown system {said_as(name)}{near}"
            faults.append(Fault(("system",), f"{said}; there are: {', '.join(names())}"))
            return {}
        self.system = load(name)
        values = schema(self.system).read(raw, (), faults)
        self._read_map(values, faults)
        faults += new_faults(faults, self._unfound(values))
        faults += new_faults(faults, self._unfit(values, faults))
        return values

    def _unfound(self, values: Mapping[str, Any]) -> Iterator[Fault]:
        """What a file names that is in none of the folders: sheets and doctrines.

        Of the party, whom others may replace, only the paths that lead elsewhere.
        """
        for at, word in enumerate(values.get("party", {}).get("sheets", ())):
            try:
                self.store.sheets.require_near(word.rpartition(":")[0], self.folder)
                self.store.sheets.require_near(word, self.folder)
            except FileError as error:
                yield Fault(("party", "sheets", at), error.message)
        for path, one in groups_of(values):
            if isinstance(one["sheet"], str):
                yield from self.store.missing(
                    (*path, "sheet"), one["sheet"], self.system, self.found, self.folder
                )
            else:
                own = self.store.sheets.strange_doctrine(os.path.join(self.folder, ""), one["sheet"])
                yield from (fault._replace(path=(*path, "sheet", *fault.path)) for fault in own)
            yield from self._unknown_doctrine((*path, "doctrine"), one.get("doctrine"))
        for at, event in enumerate(values.get("event", ())):
            for who, doctrine in event.get("doctrine", {}).items():
                yield from self._unknown_doctrine(("event", at, "doctrine", who), doctrine)

    def _unfit(self, values: Mapping[str, Any], known: Sequence[Fault]) -> Iterator[Fault]:
        """What does not fit together, given what is known to be wrong."""
        party = list(self._party(values))
        fighters = [self._name_of(path, one, known) for path, one in groups_of(values)]
        zones = self.system.space.beside == 0
        found = list(faults_between(values, (*fighters, *party), self.field, known, has_zones=zones))
        yield from found
        field = self.field if is_map_whole(known) else None
        players = [name for name in party if name]
        yield from faults_of_events(values, fighters, players, field, self._life, [*known, *found])

    def doubtful_pools(self, values: Mapping[str, Any], known: Sequence[Fault]) -> Iterator[Fault]:
        """Pools of groups that their sheets do not hold, and groups that begin out of the fight by them.

        Nothing is said of a group whose values are known to be wrong.
        """
        for path, one in groups_of(values):
            if any((*path, key) == fault.path[: len(path) + 1] for fault in known for key in one):
                continue
            fighter = self._made(one)
            for pool, wanted in one.get("pools", {}).items():
                where = (*path, "pools", pool)
                if pool not in fighter.pools:
                    yield Fault(where, f"does nothing: {fighter.name} has no {pool}")
                elif fighter.pools[pool] != wanted:
                    yield Fault(where, f"becomes {fighter.pools[pool]}, as the sheet bounds it")
                elif fallen := self.system.fallen(fighter):
                    yield Fault(where, f"{fighter.name} begins {fallen}")

    def doubtful_rewards(self, values: Mapping[str, Any]) -> Iterator[Fault]:
        """Things and ammunition that no sheet of the fight knows, so that they are only words when they are taken."""
        sheets = [self.sheet_values(one) for _, one in groups_of(values)]
        for word in values.get("party", {}).get("sheets", ()):
            with suppress(CrisisError):
                sheets.append(self.store.sheets.read(copies(word)[0], self.folder).values)
        for at, one in enumerate(values.get("reward", ())):
            reward = reward_of(one)
            for key, name in (("give", reward.give), ("ammo", reward.ammo)):
                listed, entry = known_thing(self.system, sheets, reward._replace(give=name))
                if name and not listed:
                    said = f"no sheet here has {with_a(name)}: it is words alone, unless a party of others has it"
                    yield Fault(("reward", at, key), said)
                elif key == "give" and reward.many > 1 and not counting_pool(self.system, listed, entry):
                    said = f"{name} is not counted on a sheet: one is taken, not {reward.many}"
                    yield Fault(("reward", at, "count"), said)

    def sheet_values(self, group: Mapping[str, Any]) -> Mapping[str, Any]:
        """The values of the sheet of a group; none where it is not found."""
        sheet = group["sheet"]
        if isinstance(sheet, Mapping):
            return sheet
        return self.found[sheet].values if sheet in self.found else {}

    def _life(self, group: Mapping[str, Any]) -> float:
        """The share of its life, from 0 to 1, with which a fighter of a group begins."""
        return share_left(self.system, self._made(group))

    def _made(self, group: Mapping[str, Any]) -> Fighter:
        """A fighter of a group as it begins."""
        sheet = group["sheet"]
        values = sheet if isinstance(sheet, Mapping) else self.found[sheet].values
        (one,) = encounter_of({"fighter": [group]}, "").groups
        return made_of(self.system, one, values, one.name or str(values["name"]))

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

    def _name_of(self, path: KeyPath, group: Mapping[str, Any], known: Sequence[Fault]) -> str:
        """The name of the fighters of a group; empty where it could not be read."""
        if any(
            fault.path in ((*path, "name"), (*path, "sheet"), (*path, "sheet", "name")) for fault in known
        ):
            return ""
        sheet = group["sheet"]
        values = self.found[sheet].values if isinstance(sheet, str) else sheet
        return str(group.get("name") or values.get("name", ""))

    def _party(self, values: Mapping[str, Any]) -> Iterator[str]:
        """The names of the players' fighters: those of their sheets, empty where one is not found."""
        for word in values.get("party", {}).get("sheets", ()):
            try:
                yield str(self.store.sheets.read(copies(word)[0], self.folder).values["name"])
            except CrisisError:
                yield ""

    def _unknown_doctrine(self, path: tuple[str | int, ...], name: str | None) -> Iterator[Fault]:
        known = self.store.doctrines().names() if name else []
        if name and name.casefold() not in known:
            yield unknown_doctrine(path, name, known)
