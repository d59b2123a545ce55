"""The rulebooks: one folder of pages each."""

from __future__ import annotations

from importlib import import_module

from ..errors import Usage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .switch import Switch
    from .system import System

SYSTEMS = {
    "3d6": "three_d6",
    "step": "step",
    "d100": "d100",
    "2d20": "two_d20",
    "d6pool": "d6pool",
}
"""The systems by the name that sheets give, and the folder that holds each."""


def load(name: str) -> System:
    """The rulebook of a system; Usage where there is none of that name."""
    rulebook: System = import_module(f"{__name__}.{_folder(name)}.rulebook").SYSTEM
    return rulebook


def every() -> tuple[System, ...]:
    """All rulebooks, in the order of the registry."""
    return tuple(load(name) for name in SYSTEMS)


def switches(name: str) -> tuple[Switch, ...]:
    """The options of the command line that a system has, its rulebook unread; Usage where there is none."""
    found: tuple[Switch, ...] = import_module(f"{__name__}.{_folder(name)}.switches").SWITCHES
    return found


def _folder(name: str) -> str:
    if name not in SYSTEMS:
        raise Usage(f"no rule system is called {name!r}", hint=f"there are: {', '.join(SYSTEMS)}")
    return SYSTEMS[name]
