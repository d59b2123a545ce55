"""Finding sheets by file stem, by name or by path, in one folder after another."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ..engine.kinds import nearest
from ..errors import FileError, Usage
from ..values import NamedTuple
from .files import expand_user

if TYPE_CHECKING:
    from .check import Sheet

COPIES = 20
"""Most copies of one sheet in one word (`drone:3`)."""


CAMPAIGN = "campaign.toml"
"""The file that makes a folder a campaign."""


def campaign_above(here: Path) -> Path | None:
    """The nearest folder with campaign.toml, from `here` on upwards; None if there is none."""
    return next((folder for folder in (here, *here.parents) if _is_file(folder / CAMPAIGN)), None)


class Folder(NamedTuple):
    """A folder in which sheets are searched."""

    path: Path
    name: str
    """Its name in messages."""
    is_writable: bool = True
    """False for the sheets shipped with the package, which are never written."""


class Store:
    """The sheets in reach, or other TOML files found in the same way (`kind`)."""

    def __init__(
        self,
        folders: tuple[Folder, ...],
        working_folder: Path,
        kind: str = "sheet",
        campaign: Path | None = None,
    ):
        self.folders = folders
        self.working_folder = working_folder
        self.kind = kind
        self.campaign = campaign
        """The folder of the campaign, from which journals name the sheets in it; None without a campaign."""

    def find(self, name: str) -> Path:
        """The path of the sheet with this stem, name or path; FileError if there is none or several."""
        if is_path(name):
            path = self.working_folder / expand_user(name)
            if not _is_file(path):
                raise FileError(
                    f"there is no {self.kind} at {name}", hint=self._offer(Path(name).stem), code="not_found"
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

    def path_of(self, file: str) -> Path:
        """The path of a sheet that a journal names."""
        return (self.campaign or self.working_folder) / file

    def recorded(self, path: Path) -> str:
        """The path of a sheet as journals name it: one in the campaign from its folder on, so that it can be moved."""
        if self.campaign is None:
            return str(path)
        try:
            return path.resolve().relative_to(self.campaign.resolve()).as_posix()
        except ValueError:
            return str(path)

    def has(self, name: str) -> bool:
        """Whether `find` finds a sheet."""
        try:
            return bool(self.find(name))
        except FileError:
            return False

    def names(self) -> set[str]:
        """Every word that `find` finds a sheet by, the stems and the names, in lower case; not the paths."""
        paths = [path for folder in self.folders for path in sheets_in(folder.path)]
        return {word.casefold() for path in paths for word in (path.stem, _name_in(path))}

    def _by_stem(self, folder: Folder, name: str) -> list[Path]:
        return [path for path in sheets_in(folder.path) if path.stem.casefold() == name.casefold()]

    def _by_name(self, folder: Folder, name: str) -> list[Path]:
        return [path for path in sheets_in(folder.path) if _name_in(path).casefold() == name.casefold() != ""]

    def _offer(self, name: str) -> str:
        stems = [path.stem for folder in self.folders for path in sheets_in(folder.path)]
        near = nearest(name.casefold(), stems)
        there = "crisis character list" if self.kind == "sheet" else ", ".join(dict.fromkeys(stems))
        return (f"did you mean {near}? " if near else "") + f"all there are: {there}"

    def read(self, name: str) -> Sheet:
        """The checked sheet of that name; FileError if it is missing or invalid."""
        from .check import read

        path = self.find(name)
        return read(path, self.display_path(path))

    def display_path(self, path: Path) -> str:
        """A path for messages: relative to the working folder if it is inside it."""
        try:
            return path.resolve().relative_to(self.working_folder.resolve()).as_posix()
        except ValueError:
            return str(path)

    def is_writable(self, path: Path) -> bool:
        """Whether a sheet may be written: not those shipped with a package."""
        shipped = [folder.path.resolve() for folder in self.folders if not folder.is_writable]
        return not any(path.resolve().is_relative_to(folder) for folder in shipped)

    def is_within_reach(self, path: Path, beside: Path) -> bool:
        """Whether a file, with links resolved, is in these folders or below the folder `beside`."""
        try:
            real = path.resolve()
            if real.is_relative_to(beside.resolve()):
                return True
            # A link in a folder may lead to a sheet outside it: most sheets are found without looking for those.
            roots = [folder.path.resolve() for folder in self.folders]
            inside = real.suffix == ".toml" and any(real.is_relative_to(root) for root in roots)
            return inside or any(
                real == found.resolve() for folder in self.folders for found in sheets_in(folder.path)
            )
        except (OSError, RuntimeError, ValueError):
            return False

    def all(self) -> Iterator[tuple[Folder, Path]]:
        """Every sheet with its folder; a stem found in an earlier folder hides those in later ones."""
        seen: set[str] = set()
        for folder in self.folders:
            stems = set()
            for path in sheets_in(folder.path):
                if path.stem.casefold() not in seen:
                    stems.add(path.stem.casefold())
                    yield folder, path
            seen |= stems


def sheets_in(folder: Path) -> list[Path]:
    """The TOML files in a folder and its subfolders, in order."""
    try:
        return sorted(path for path in folder.rglob("*.toml") if _is_file(path))
    except OSError:
        return []


def _is_file(path: Path) -> bool:
    """Whether a path is a regular file; False if it may not be accessed."""
    try:
        return path.is_file()
    except OSError:
        return False


def _name_in(path: Path) -> str:
    """The name in a sheet; empty if it cannot be read."""
    from .check import BYTE_ORDER_MARK, parsed, read_text

    try:
        name = parsed(read_text(path, path.name).removeprefix(BYTE_ORDER_MARK), path.name).get("name", "")
    except FileError:
        return ""
    return name if isinstance(name, str) else ""


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


def shipped() -> Path:
    """The folder of the sheets that come with the package."""
    package = Path(__file__).parent.parent
    inside = package / "characters"
    return inside if inside.is_dir() else package.parent / "characters"


def data_folder(env: Mapping[str, str]) -> Path:
    """The user's data directory."""
    if env.get("CRISIS_DATA"):
        return Path(env["CRISIS_DATA"])
    if sys.platform == "linux" and env.get("HOME") and not {"ANDROID_ROOT", "XDG_DATA_HOME"} & env.keys():
        # What platformdirs says, which takes longer to load than all that looks for a sheet.
        return expand_user("~/.local/share/crisis")
    from platformdirs import user_data_path

    return Path(user_data_path("crisis", appauthor=False))
