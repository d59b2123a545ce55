"""The rulebooks: one folder of pages each, and the registry that finds them and those of installed packages."""

from .registry import (
    SYSTEMS,
    every,
    folder,
    folders,
    load,
    names,
    package,
    switches,
    title,
    warnings,
)

__all__ = [
    "SYSTEMS",
    "every",
    "folder",
    "folders",
    "load",
    "names",
    "package",
    "switches",
    "title",
    "warnings",
]
