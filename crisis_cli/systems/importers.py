"""The importers that the systems name, loaded when somebody imports."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module

from ..engine.system import System
from ..errors import BrokenSystem, Usage
from ..rules.importing import Importer
from ..values import NamedTuple
from . import every, package


class ImporterOf(NamedTuple):
    """An importer and the system of its sheets."""

    system: System
    importer: Importer


def importers(name: str = "") -> tuple[ImporterOf, ...]:
    """All importers, those of the systems of crisis first, or the one of that name; Usage where there is none,
    BrokenSystem where one cannot be loaded."""
    known = tuple(
        ImporterOf(system, _loaded(system, text)) for system in every() for text in system.importers
    )
    chosen = tuple(one for one in known if not name or one.importer.name == name)
    if name and not chosen:
        raise Usage(f"no importer is called {name!r}", hint=listed(known), code="unknown_name")
    return chosen


def listed(known: Iterable[ImporterOf]) -> str:
    """The hint that names importers, each with its system."""
    return f"importers: {', '.join(f'{one.importer.name} ({one.system.name})' for one in known) or 'none'}"


def _loaded(system: System, text: str) -> Importer:
    module, _, attribute = text.partition(":")
    whose = package(system.name) or system.name
    try:
        importer = getattr(import_module(module), attribute)
    except Exception as error:
        said = f"{whose}: its importer {text} cannot be loaded: {type(error).__name__}: {error}"
        raise BrokenSystem(said) from error
    if not isinstance(importer, Importer):
        raise BrokenSystem(f"{whose}: {text} is no Importer")
    return importer
