"""The rulebooks: one folder each, and the registry that finds them and those of installed packages."""

from .registry import SYSTEMS, command_options, every, folder, folders, load, names, package, title, warnings

__all__ = [
    "SYSTEMS",
    "command_options",
    "every",
    "folder",
    "folders",
    "load",
    "names",
    "package",
    "title",
    "warnings",
]
