"""Where sheets are: found by stem before name, folder by folder, or by path."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from ..errors import FileTrouble, Usage
from .check import MARK, Sheet, parsed, read, text_of
from .files import expanded

COPIES = 20
"""Copies of one sheet that may be asked for at once (`drone:3`)."""


class Folder(NamedTuple):
    """A place where sheets are looked for."""

    path: Path
    name: str
    """What the player knows it as."""
    own: bool = True
    """False for the sheets shipped with the package, which are never written."""


class Store:
    """The sheets that one run can see, or other files found like them."""

    def __init__(self, folders: tuple[Folder, ...], here: Path, kind: str = "sheet"):
        self.folders = folders
        self.here = here
        self.kind = kind

    def find(self, name: str) -> Path:
        """The path of the sheet that goes by a stem, a name, or a path; FileTrouble where it is not one."""
        if name.endswith(".toml") or "/" in name or os.sep in name:
            path = self.here / expanded(name)
            if not _is_file(path):
                raise FileTrouble(
                    f"there is no {self.kind} at {name}", hint=self._offer(Path(name).stem), code="not_found"
                )
            return path
        for folder in self.folders:
            found = self._by_stem(folder, name) or self._by_name(folder, name)
            if len(found) > 1:
                count = "two" if len(found) == 2 else str(len(found))
                all_of_them = " and ".join(self.shown(path) for path in found)
                raise FileTrouble(
                    f"{name!r} is {count} {self.kind}s: {all_of_them}",
                    hint="name one by its path",
                    code="ambiguous",
                )
            if found:
                return found[0]
        where = ", ".join(folder.name for folder in self.folders)
        raise FileTrouble(
            f"no {self.kind} is called {name!r} in {where}", hint=self._offer(name), code="not_found"
        )

    def has(self, name: str) -> bool:
        """Whether exactly one sheet goes by a name."""
        try:
            return bool(self.find(name))
        except FileTrouble:
            return False

    def _by_stem(self, folder: Folder, name: str) -> list[Path]:
        return [path for path in sheets_in(folder.path) if path.stem.casefold() == name.casefold()]

    def _by_name(self, folder: Folder, name: str) -> list[Path]:
        return [path for path in sheets_in(folder.path) if _name_in(path).casefold() == name.casefold() != ""]

    def _offer(self, name: str) -> str:
        from difflib import get_close_matches

        stems = [path.stem for folder in self.folders for path in sheets_in(folder.path)]
        near = get_close_matches(name.casefold(), stems, n=1)
        there = "crisis character list" if self.kind == "sheet" else ", ".join(dict.fromkeys(stems))
        return (f"did you mean {near[0]}? " if near else "") + f"all there are: {there}"

    def read(self, name: str) -> Sheet:
        """The sheet that goes by a name, checked."""
        path = self.find(name)
        return read(path, self.shown(path))

    def shown(self, path: Path) -> str:
        """A path as short as it can be told."""
        try:
            return path.resolve().relative_to(self.here.resolve()).as_posix()
        except ValueError:
            return str(path)

    def own(self, path: Path) -> bool:
        """Whether a sheet may be written: not those shipped with the package."""
        shipped = [folder.path.resolve() for folder in self.folders if not folder.own]
        return not any(path.resolve().is_relative_to(folder) for folder in shipped)

    def reaches(self, path: Path, beside: Path) -> bool:
        """Whether a file is in these folders, or below the folder `beside`, wherever links lead."""
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
    """Whether there is a plain file at a path; whatever may not be looked at is none."""
    try:
        return path.is_file()
    except OSError:
        return False


def _name_in(path: Path) -> str:
    """The name a sheet gives; empty where it cannot be read: it may not be the one looked for."""
    try:
        name = parsed(text_of(path, path.name).removeprefix(MARK), path.name).get("name", "")
    except FileTrouble:
        return ""
    return name if isinstance(name, str) else ""


def copies(name: str) -> tuple[str, int]:
    """A name and how many of it (`drone:3`); 0 where no number is given."""
    bare, colon, number = name.rpartition(":")
    if not colon or not bare:
        return name, 0
    if not (number.isascii() and number.isdigit() and 1 <= int(number[:4]) <= COPIES):
        raise Usage(
            f"{name!r}: after the colon comes a number from 1 to {COPIES}", hint=f"three of them: {bare}:3"
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
        return expanded("~/.local/share/crisis")
    from platformdirs import user_data_path

    return Path(user_data_path("crisis", appauthor=False))
