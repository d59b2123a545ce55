"""Systems of installed packages: found by their entry points, and cached until a package is installed.

A package offers a system by an entry point of the group `crisis.systems`: `NAME = "module:SYSTEM"`. Asking
`importlib.metadata` for them takes longer than most commands, and a title or an option is known only once a rulebook
is loaded. So what was found is kept in a file of the user's cache folder, with the times at which the folders that
Python imports from were changed last; it holds until one of them, or a file of a plug-in, changes.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from .. import __version__
from ..cache_file import cache_path, cached, keep
from ..engine.command_option import CommandOption
from ..errors import BrokenSystem
from ..values import NamedTuple

if TYPE_CHECKING:
    from typing import Any

    from ..engine.system import System

GROUP = "crisis.systems"
"""The group of the entry points."""
OFF = "CRISIS_NO_PLUGINS"
"""The environment variable by which nothing is looked for."""


class Plugin(NamedTuple):
    """A system of an installed package: what is known of it without loading its rulebook."""

    name: str
    package: str
    """The distribution, as pip names it."""
    version: str
    module: str
    attribute: str
    folder: str = ""
    """The folder of its module, with rules.toml and characters; empty where it is no package."""
    title: str = ""
    options: tuple[CommandOption, ...] = ()
    fault: str = ""
    """Why it cannot be played; empty where it can."""

    @property
    def said(self) -> str:
        """Package and version: `crisis-d20 0.1.0`."""
        return f"{self.package} {self.version}"

    @property
    def said_fault(self) -> str:
        """Why it cannot be played, as a sentence."""
        return f"{self.said} is left out: {self.fault}"


Load = Callable[[Plugin], "System"]
"""Loads the rulebook of a plug-in; BrokenSystem where it cannot be played."""


def find(load: Load, env: Mapping[str, str] = os.environ) -> tuple[Plugin, ...]:
    """The systems of all installed packages, broken ones with their fault."""
    if env.get(OFF):
        return ()
    places = tuple(_places())
    stamp = " ".join((__version__, sys.version.split()[0], *(f"{mtime}:{path}" for path, mtime in places)))
    cache = _cache(env)
    known = _remembered(cache, stamp)
    if known is None:
        known = tuple(_looked_up([path for path, _ in places], load))
        _remember(cache, stamp, known)
    return known


def _places() -> Iterator[tuple[str, int]]:
    """The folders that modules are imported from, and when each was changed; not the one the user is in."""
    try:
        here = os.getcwd()
    except FileNotFoundError:
        here = ""
    for path in dict.fromkeys(sys.path):
        try:
            if path and path != here:
                yield path, os.stat(path).st_mtime_ns
        except OSError:
            continue


# What was found before


def _cache(env: Mapping[str, str]) -> str:
    """The cache file of the plug-ins found for this Python; empty if the user has no cache folder."""
    from zlib import crc32

    return cache_path(env, f"systems-{crc32(sys.prefix.encode('utf-8', 'replace')):08x}")


def _remembered(cache: str, stamp: str) -> tuple[Plugin, ...] | None:
    """The plug-ins in the cache; None if it is out of date or cannot be read."""
    text = cached(cache, stamp)
    if text is None:
        return None
    if not text:
        return ()
    import json

    try:
        found = tuple((changed, _plugin(*fields)) for changed, *fields in json.loads(text))
    except (ValueError, TypeError, RecursionError):
        return None
    return tuple(one for _, one in found) if all(changed == _changed(one) for changed, one in found) else None


def _plugin(*fields: Any) -> Plugin:
    """A plug-in from its entry in the cache, with tuples in place of lists."""
    *first, options, fault = fields
    known = ((tuple(one) if isinstance(one, list) else one for one in option) for option in options)
    return Plugin._make((*first, tuple(CommandOption._make(option) for option in known), fault))


def _remember(cache: str, stamp: str, plugins: tuple[Plugin, ...]) -> None:
    """Write the plug-ins to the cache; if that fails, the next run looks for them again.

    Broken ones are tried anew at every run: what breaks them may be mended elsewhere.
    """
    if not cache or any(one.fault for one in plugins):
        return
    text = ""
    if plugins:
        import json

        text = json.dumps([(_changed(one), *one) for one in plugins])
    keep(cache, stamp, text)


def _changed(one: Plugin) -> int:
    """When the Python files of a plug-in were changed last; 0 where they cannot be looked at."""
    try:
        files = [entry for entry in os.scandir(one.folder) if entry.name.endswith(".py")]
        return max((file.stat().st_mtime_ns for file in files), default=0)
    except OSError:
        return 0


# What is installed


def _looked_up(places: list[str], load: Load) -> Iterator[Plugin]:
    """The plug-ins of all packages in some folders, each package once, by its name, loaded and checked."""
    from importlib.metadata import distributions

    found: dict[str, tuple[str, list[tuple[str, str]]]] = {}
    for package in distributions(path=places):
        # Entry points that do not mention the group need not be parsed.
        offers = GROUP in (package.read_text("entry_points.txt") or "")
        entries = (
            [(one.name, one.value) for one in package.entry_points if one.group == GROUP] if offers else []
        )
        if entries and package.name not in found:
            found[package.name] = package.version, entries
    for name, (version, entries) in sorted(found.items()):
        for system, value in entries:
            module, _, attribute = value.partition(":")
            yield _loaded(Plugin(system, name, version, module, attribute), load)


def _loaded(plugin: Plugin, load: Load) -> Plugin:
    """A plug-in with its folder, title and options; with its fault where it cannot be loaded."""
    try:
        rulebook = load(plugin)
    except BrokenSystem as broken:
        return plugin._replace(fault=broken.message)
    module = sys.modules[plugin.module]
    in_package = "." in plugin.module or hasattr(module, "__path__")
    folder = os.path.dirname(module.__file__ or "") if in_package else ""
    return plugin._replace(folder=folder, title=rulebook.title, options=rulebook.command_options)
