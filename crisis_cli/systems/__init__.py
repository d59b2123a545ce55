"""The rulebooks: one page, or one folder of pages, each."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from ..errors import Usage
from .system import System

SYSTEMS = {
    "3d6": "three_d6",
    "step": "step",
    "d100": "d100",
    "2d20": "two_d20",
    "d6pool": "d6pool",
}
"""The systems by the name that sheets give, and the module that holds each."""


def load(name: str) -> System:
    """The rulebook of a system; Usage where there is none of that name."""
    if name not in SYSTEMS:
        raise Usage(f"no rule system is called {name!r}", hint=f"there are: {', '.join(SYSTEMS)}")
    return cast(System, import_module(f"{__name__}.{SYSTEMS[name]}"))


def every() -> tuple[System, ...]:
    """All rulebooks, in the order of the registry."""
    return tuple(load(name) for name in SYSTEMS)
