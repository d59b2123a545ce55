"""The rulebooks: one folder of pages each."""

from __future__ import annotations

from importlib import import_module

from ..errors import BrokenSystem, CrisisError, Usage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..engine.switch import Switch
    from ..engine.system import System

SYSTEMS = {
    "3d6": "three_d6",
    "step": "step",
    "d100": "d100",
    "2d20": "two_d20",
    "d6pool": "d6pool",
}
"""The systems by the name that sheets give, and the folder that holds each."""


def load(name: str) -> System:
    """The rulebook of a system; Usage where there is none of that name, BrokenSystem where it cannot be played."""
    page = f"{__name__}.{_folder(name)}.rulebook"
    try:
        rulebook = getattr(import_module(page), "SYSTEM", None)
    except CrisisError:
        raise
    except Exception as trouble:
        raise BrokenSystem(
            f"{name} cannot be loaded ({type(trouble).__name__}: {trouble})", hint=_where(trouble)
        ) from trouble
    return _checked(name, rulebook)


def _checked(name: str, rulebook: object) -> System:
    """The rulebook that a page holds, as the registry and its options page have it."""
    from ..engine.system import System

    if not isinstance(rulebook, System):
        raise BrokenSystem(f"{name}: its rulebook has no SYSTEM", hint="SYSTEM = System(name=…, …)")
    if rulebook.name != name:
        raise BrokenSystem(f"{name}: its rulebook is called {rulebook.name!r}")
    if rulebook.command_options != switches(name):
        raise BrokenSystem(f"{name}: command_options are not SWITCHES of its page switches.py")
    return rulebook


def _where(trouble: BaseException) -> str:
    """File and line in which something went wrong."""
    last = trouble.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return f"{last.tb_frame.f_code.co_filename}, line {last.tb_lineno}" if last else ""


def every() -> tuple[System, ...]:
    """All rulebooks, in the order of the registry."""
    return tuple(load(name) for name in SYSTEMS)


def switches(name: str) -> tuple[Switch, ...]:
    """The options of the command line that a system has, its rulebook unread; none where it has no such page."""
    page = f"{__name__}.{_folder(name)}.switches"
    try:
        found: tuple[Switch, ...] = import_module(page).COMMAND_OPTIONS
    except ModuleNotFoundError as missing:
        if missing.name != page:
            raise
        return ()
    return found


def folder(name: str) -> str:
    """The path of the folder of a system; Usage where there is none of that name."""
    path: str = import_module(f"{__name__}.{_folder(name)}").__path__[0]
    return path


def _folder(name: str) -> str:
    if name not in SYSTEMS:
        raise Usage(f"no rule system is called {name!r}", hint=f"there are: {', '.join(SYSTEMS)}")
    return SYSTEMS[name]
