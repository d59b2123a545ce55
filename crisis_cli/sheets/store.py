"""Finding sheets by file stem, by name or by path, in one folder after another."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

from ..engine.kinds import Fault, nearest
from ..errors import FileError, Usage
from ..values import NamedTuple
from .files import file_stem, own_place, path_below, path_from

if TYPE_CHECKING:
    from .check import Sheet

COPIES = 20
"""Most copies of one sheet in one word (`drone:3`)."""


CAMPAIGN = "campaign.toml"
"""The file that makes a folder a campaign."""


def campaign_above(here: str) -> str | None:
    """The nearest folder with campaign.toml, from `here` on upwards; None if there is none."""
    while not os.path.isfile(os.path.join(here, CAMPAIGN)):
        here, last = os.path.dirname(here), here
        if here == last:
            return None
    return here


class Folder(NamedTuple):
    """A folder in which sheets are searched."""

    path: str
    name: str
    """Its name in messages."""
    is_writable: bool = True
    """False for the sheets shipped with the package, which are never written."""
    root: str = ""
    """The folder that no link may lead out of, for what is written in it; empty for the folder itself."""


class Store:
    """The sheets in reach, or other TOML files found in the same way (`kind`)."""

    def __init__(
        self,
        folders: tuple[Folder, ...],
        working_folder: str,
        kind: str = "sheet",
        campaign: str | None = None,
        in_memory: Mapping[str, Sheet] | None = None,
    ):
        self.folders = folders
        self.working_folder = working_folder
        self.kind = kind
        self.campaign = campaign
        """The folder of the campaign, from which journals name the sheets in it; None without a campaign."""
        self.in_memory = in_memory or {}
        """Sheets without files, by the words that mean them: a program has handed them in."""
        self.names_in: dict[str, str] = {}
        """The names that sheets have been found to have, by path."""

    def find(self, name: str) -> str:
        """The path of the sheet with this stem, name or path; FileError if there is none or several."""
        if not isinstance(name, str):
            raise Usage(f"{str(name)[:40]} is not the name of a {self.kind}", code="bad_value")
        if is_path(name):
            path = path_from(self.working_folder, name)
            if not os.path.isfile(path):
                raise FileError(
                    f"there is no {self.kind} at {name}", hint=self._offer(file_stem(name)), code="not_found"
                )
            return path
        for folder in self.folders:
            found = self._by_stem(folder, name) or self._by_name(folder, name)
            if len(found) > 1:
                count = "two" if len(found) == 2 else str(len(found))
                all_of_them = " and ".join(self.display_path(path) for path in found)
                raise FileError(
                    f"{name!r} matches {count} {self.kind}s: {all_of_them}",
                    hint="name one by its path",
                    code="ambiguous",
                )
            if found:
                return found[0]
        where = ", ".join(folder.name for folder in self.folders)
        raise FileError(
            f"no {self.kind} is called {name!r} in {where}", hint=self._offer(name), code="not_found"
        )

    def path_of(self, file: str) -> str:
        """The path of a sheet that a journal names."""
        return os.path.join(self.campaign or self.working_folder, file)

    def recorded(self, path: str) -> str:
        """The path of a sheet as journals name it: one in the campaign from its folder on, so that it can be moved."""
        return (self.campaign and path_below(self.campaign, path)) or path

    def has(self, name: str) -> bool:
        """Whether `read` finds a sheet."""
        if name in self.in_memory:
            return True
        try:
            return bool(self.find(name))
        except FileError:
            return False

    def names(self) -> set[str]:
        """Every word that `find` finds a sheet by, the stems and the names, in lower case; not the paths."""
        paths = [path for folder in self.folders for path in sheets_in(folder.path)]
        return {word.casefold() for path in paths for word in (file_stem(path), self._name_in(path))}

    def _by_stem(self, folder: Folder, name: str) -> list[str]:
        return [path for path in sheets_in(folder.path) if file_stem(path).casefold() == name.casefold()]

    def _by_name(self, folder: Folder, name: str) -> list[str]:
        return [
            path for path in sheets_in(folder.path) if self._name_in(path).casefold() == name.casefold() != ""
        ]

    def _name_in(self, path: str) -> str:
        """The name in a sheet, read once; empty if it has none that can be read."""
        if path not in self.names_in:
            name = value_in(path, "name")
            self.names_in[path] = name if isinstance(name, str) else ""
        return self.names_in[path]

    def _offer(self, name: str) -> str:
        stems = [file_stem(path) for folder in self.folders for path in sheets_in(folder.path)]
        near = nearest(name.casefold(), stems)
        there = "crisis character list" if self.kind == "sheet" else ", ".join(dict.fromkeys(stems))
        return (f"did you mean {near}? " if near else "") + f"all there are: {there}"

    def require_near(self, name: str, beside: str) -> None:
        """Raise FileError for a path that a file in the folder `beside` names, where it leads out of that folder, of
        the working folder and of those searched, links resolved. What is there is not read."""
        if not is_path(name):
            return
        path = path_from(self.working_folder, name)
        near = (beside, self.working_folder, self.campaign or beside, *(one.path for one in self.folders))
        try:
            is_near = any(path_below(folder, path) for folder in near)
        except (OSError, ValueError):
            is_near = False
        if not is_near:
            raise FileError(
                f"{name} is outside the working directory and the folders that are searched, and is not read",
                hint=f"copy it there, and write its name: {file_stem(name)}",
                code="outside",
            )

    def read(self, name: str, beside: str | None = None) -> Sheet:
        """The checked sheet of that name; FileError if it is missing or invalid, or where a file in the folder `beside`
        names it and it is elsewhere."""
        from .check import read

        if isinstance(name, str) and name in self.in_memory:
            return self.in_memory[name]
        if beside is not None:
            self.require_near(name, beside)
        path = self.find(name)
        return read(path, self.display_path(path), lambda values: self.strange_doctrine(path, values))

    def strange_doctrine(self, path: str, values: Mapping[str, Any]) -> Iterator[Fault]:
        """The fault of a sheet, in the file at a path, whose doctrine is a file elsewhere."""
        try:
            self.require_near(values.get("doctrine", ""), os.path.dirname(path))
        except FileError as error:
            yield Fault(("doctrine",), error.message)

    def display_path(self, path: str) -> str:
        """A path for messages: relative to the working folder if it is inside it."""
        return path_below(self.working_folder, path) or path

    def is_writable(self, path: str) -> bool:
        """Whether a sheet may be written: not those shipped with a package."""
        return not any(path_below(folder.path, path) for folder in self.folders if not folder.is_writable)

    def is_within_reach(self, path: str, beside: str) -> bool:
        """Whether a sheet, with links resolved, is in these folders or below the folder `beside`."""
        folders = (one.path for one in self.folders if path_below(one.root or one.path, one.path))
        try:
            return any(path_below(folder, path) for folder in (beside, *folders))
        except (OSError, ValueError):
            return False

    def allowed_folder(self, path: str) -> str:
        """The folder that no link may lead out of where a sheet is written: one that the player has named, if the sheet
        is really there; else that of the campaign or the working folder, if it is found from there; else its own."""
        near = os.path.normpath(path)
        own = [one for one in self.folders if one.is_writable]
        named = (one.path for one in own if not one.root and path_below(one.path, path))
        found = (one.root for one in own if one.root and near.startswith(os.path.normpath(one.path) + os.sep))
        return next(chain(named, found), os.path.dirname(near))

    def own_place(self, path: str) -> str:
        """The path at which a sheet is to be written, links resolved; FileError where a link leads out of its allowed
        folder."""
        here = self.working_folder.rstrip(os.sep) + os.sep
        return own_place(path, path.removeprefix(here), self.allowed_folder(path))

    def all(self) -> Iterator[tuple[Folder, str]]:
        """Every sheet with its folder; a stem found in an earlier folder hides those in later ones."""
        seen: set[str] = set()
        for folder in self.folders:
            stems = set()
            for path in sheets_in(folder.path):
                if file_stem(path).casefold() not in seen:
                    stems.add(file_stem(path).casefold())
                    yield folder, path
            seen |= stems


def sheets_in(folder: str) -> list[str]:
    """The TOML files in a folder and its subfolders, in order."""
    found = (
        os.path.join(inside, name)
        for inside, _, names in os.walk(folder)
        for name in names
        if name.endswith(".toml")
    )
    return sorted(filter(os.path.isfile, found), key=lambda path: path.split(os.sep))


def values_in(path: str) -> dict[str, Any]:
    """What a sheet says, unchecked; FileError if it cannot be read."""
    from .check import toml_of

    return toml_of(path, os.path.basename(path), "sheet")[1]


def value_in(path: str, key: str) -> object:
    """What a sheet says under a key, unchecked; None if it says nothing there, or cannot be read."""
    try:
        return values_in(path).get(key)
    except FileError:
        return None


def is_path(name: str) -> bool:
    """Whether a word is the path of a file, not a name to search for."""
    return name.endswith(".toml") or "/" in name or os.sep in name


def copies(name: str) -> tuple[str, int]:
    """The name and the number of copies in `drone:3`; the number is 0 if none is given. Usage if out of range."""
    bare, colon, number = name.rpartition(":")
    if not colon or not bare:
        return name, 0
    if not (number.isascii() and number.isdigit() and 1 <= int(number[:4]) <= COPIES):
        raise Usage(
            f"{name!r}: the colon is followed by a number from 1 to {COPIES}",
            hint=f"three of them: {bare}:3",
            code="bad_value",
        )
    return bare, int(number)


def shipped() -> str:
    """The folder of the sheets that come with the package."""
    package = os.path.dirname(os.path.dirname(__file__))
    inside = os.path.join(package, "characters")
    return inside if os.path.isdir(inside) else os.path.join(os.path.dirname(package), "characters")


def data_folder(env: Mapping[str, str]) -> str:
    """The user's data directory."""
    if env.get("CRISIS_DATA"):
        return env["CRISIS_DATA"]
    if sys.platform == "linux" and env.get("HOME") and not {"ANDROID_ROOT", "XDG_DATA_HOME"} & env.keys():
        # What platformdirs says, which takes longer to load than all that looks for a sheet.
        return os.path.expanduser("~/.local/share/crisis")
    from platformdirs import user_data_dir

    return user_data_dir("crisis", appauthor=False)
