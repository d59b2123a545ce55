"""A stand-in for the module `inspect`, which click imports and hardly uses.

click imports `inspect` to tidy the help of its options, most of which needs no tidying. Loading it takes a tenth of
the time of a short command.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

NAME = "inspect"


class LateInspect(ModuleType):
    """The module, with all it has: it gives the same as the real one, only later."""

    def __getattr__(self, name: str) -> Any:
        """What the real module calls by that name."""
        return getattr(self._loaded(), name)

    def cleandoc(self, doc: str) -> str:
        """A docstring without indentation; a single line that begins with a letter has none."""
        if doc.isprintable() and not doc[:1].isspace():
            return doc
        tidy: str = self._loaded().cleandoc(doc)
        return tidy

    def _loaded(self) -> ModuleType:
        if sys.modules.get(NAME) is self:
            del sys.modules[NAME]
        return import_module(NAME)


def put_off() -> None:
    """Let `inspect` be loaded when it is needed, unless it is already."""
    sys.modules.setdefault(NAME, LateInspect(NAME))
