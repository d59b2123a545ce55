"""Rule systems of the player's own: the package of a new one, and what belongs to one that is to be checked."""

from __future__ import annotations

import os
import re

from .. import systems
from ..errors import FileError, Usage
from ..sheets.check import parsed, read_text
from ..sheets.files import create
from ..values import NamedTuple
from .desk import Desk
from .founding import new_folder

TEMPLATE = os.path.join(os.path.dirname(os.path.dirname(__file__)), "new_system")
"""The folder of the files of a new package: a game called knives."""
FILES = {
    "pyproject.toml": "pyproject.toml",
    "cases.toml": "cases.toml",
    "rulebook.py.txt": "{module}/__init__.py",
    "rules.toml": "{module}/rules.toml",
    "characters/ann.toml": "{module}/characters/ann.toml",
    "characters/bob.toml": "{module}/characters/bob.toml",
}
"""The files of the template, and their places in the package."""
NAME = re.compile(r"(?=.*[a-z])[a-z0-9]+(-[a-z0-9]+)*")
LONGEST = 40
CASEBOOK = "cases.toml"
WAY = "give the system another name"


class MadePackage(NamedTuple):
    """A package that was made."""

    folder: str
    """Its folder in the working folder."""
    rulebook: str
    """The path of its rulebook below the working folder."""
    files: list[str]
    """The paths of all its files below its folder."""


def make_package(desk: Desk, name: str) -> MadePackage:
    """Make the package of a new system in the working folder.

    Usage for a name that is none, FileError where a system has it, or the folder is there already.
    """
    if not NAME.fullmatch(name) or len(name) > LONGEST:
        raise Usage(
            f"{name!r} is no name of a system: small letters a to z, digits, and hyphens between them",
            hint="for example: crisis system new knives",
            code="bad_value",
        )
    if name in systems.names():
        raise FileError(f"there is a system called {name} already", hint=WAY, code="exists")
    module = f"crisis_{name.replace('-', '_')}"
    files = {place.format(module=module): _template(file, name, module) for file, place in FILES.items()}
    with new_folder(desk, name, WAY) as folder:
        for place, text in files.items():
            create(os.path.join(folder, *place.split("/")), text, f"{name}/{place}", "packages", WAY)
    return MadePackage(name, f"{name}/{module}/__init__.py", [*files])


def _template(file: str, name: str, module: str) -> str:
    """The text of a file of the template, for a system of another name."""
    text = read_text(os.path.join(TEMPLATE, *file.split("/")), file)
    names = {"crisis_knives": module, "KNIVES": name.upper(), "knives": name}
    return re.sub("|".join(names), lambda found: names[found[0]], text)


def systems_to_check(desk: Desk) -> tuple[str, ...]:
    """The systems of the package in the working folder, or else those of all installed packages."""
    here = _offered_in(desk.places.cwd)
    missing = next((name for name in here if name not in (*systems.names(), *systems.left_out())), "")
    if missing:
        raise FileError(f"{missing} is not installed", hint="pip install -e .", code="not_installed")
    found = here or (*systems.installed(), *systems.left_out())
    if not found:
        raise Usage(
            "no package with a system is installed",
            hint="make one: crisis system new NAME; or check one of crisis: crisis system check 3d6",
            code="missing_argument",
        )
    return found


def casebook(desk: Desk, name: str) -> str:
    """The path of the casebook of a system: that of its package, in the working folder or in a folder of its name, or
    else beside or in the installed package; empty where there is none."""
    here = desk.places.cwd
    folders = [folder for folder in (here, os.path.join(here, name)) if name in _offered_in(folder)]
    installed = "" if name in systems.SYSTEMS else systems.folder(name)
    if installed:
        folders += [os.path.dirname(installed), installed]
    paths = (os.path.join(folder, CASEBOOK) for folder in folders)
    return next((path for path in paths if os.path.isfile(path)), "")


def _offered_in(folder: str) -> tuple[str, ...]:
    """The systems that the package in a folder offers by its pyproject.toml; none without such a file."""
    path = os.path.join(folder, "pyproject.toml")
    if not os.path.isfile(path):
        return ()
    entries = parsed(read_text(path, "pyproject.toml"), "pyproject.toml")
    for key in ("project", "entry-points", "crisis.systems"):
        entries = entries.get(key, {}) if isinstance(entries, dict) else {}
    return tuple(entries)
