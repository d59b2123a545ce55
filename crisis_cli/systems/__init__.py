"""The rulebooks, one folder each, and their registry."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from importlib import import_module

from ..errors import BrokenSystem, CrisisError, RulebookMistake, Usage, place
from .plugins import Plugin, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..engine.command_option import CommandOption
    from ..engine.system import System

SYSTEMS = {"3d6": "three_d6", "step": "step", "d100": "d100", "2d20": "two_d20", "d6pool": "d6pool"}
"""The systems that crisis ships, by the name that sheets give, and the folder that holds each."""
TRACEBACK = "CRISIS_TRACEBACK"
"""The environment variable by which an exception in a plug-in is shown whole."""
_warnings: list[str] = []
"""What is wrong with plug-ins, and not reported yet."""
_left_out: dict[str, Plugin] = {}
"""Systems of plug-ins that cannot be played, by their names, each with its fault."""


@cache
def installed() -> dict[str, Plugin]:
    """The playable systems of installed packages by name; what is wrong with others goes into `warnings()`."""
    playable: dict[str, Plugin] = {}
    for one in find(_checked):
        fault = one.fault or _clash(one, playable)
        if fault:
            _left_out[one.name] = one._replace(fault=fault)
            _warnings.append(_left_out[one.name].said_fault)
        else:
            playable[one.name] = one
    return playable


def _clash(one: Plugin, others: dict[str, Plugin]) -> str:
    """Why a plug-in conflicts with a system found before it; empty if it does not."""
    if one.name in SYSTEMS or one.name in others:
        whose = others[one.name].package if one.name in others else "crisis"
        return f"{whose} has a system called {one.name} already"
    known = {
        option.name: (option.kind, system)
        for system in (*SYSTEMS, *others)
        for option in (others[system].options if system in others else command_options(system))
    }
    for option in one.options:
        kind, system = known.get(option.name, (option.kind, ""))
        if kind != option.kind and {kind, option.kind} != {"text", "choice"}:
            return f"its option --{option.name} has the kind {option.kind}, that of {system} {kind}"
    return ""


def warnings() -> list[str]:
    """The problems of plug-ins that have not been reported yet, a line for each."""
    found = _warnings[:]
    _warnings.clear()
    return found


def names() -> tuple[str, ...]:
    """All systems that can be played: those of crisis first, then those of installed packages."""
    return (*SYSTEMS, *installed())


def load(name: str) -> System:
    """The rulebook of a system; Usage where there is none of that name, BrokenSystem where it cannot be played."""
    if name in SYSTEMS:
        system = _loaded(name, f"{__package__}.{SYSTEMS[name]}.rulebook", "SYSTEM")
        if system.command_options != command_options(name):
            raise BrokenSystem(f"{name}: command_options are not COMMAND_OPTIONS of its page options.py")
        return system
    return _rulebook_of(_plugin(name))


def load_checked(name: str) -> System:
    """The rulebook of a system, with the types of all its values checked; BrokenSystem, with all that is wrong, where
    it cannot be played."""
    names()
    plugin = Plugin(name, "", "", f"{__package__}.{SYSTEMS.get(name)}.rulebook", "SYSTEM")
    try:
        _checked(plugin if name in SYSTEMS else _left_out.get(name) or _plugin(name))
    except BrokenSystem:
        # It says more than the warning would.
        _warnings[:] = [
            one for one in _warnings if name not in _left_out or one != _left_out[name].said_fault
        ]
        raise
    return load(name)


def _checked(plugin: Plugin) -> System:
    return _loaded(plugin.name, plugin.module, plugin.attribute, with_types=True)


def _rulebook_of(plugin: Plugin) -> System:
    return _loaded(plugin.name, plugin.module, plugin.attribute)


def _loaded(name: str, module: str, attribute: str, with_types: bool = False) -> System:
    """The rulebook that an attribute of a module holds; BrokenSystem where it cannot be played."""
    try:
        rulebook = getattr(import_module(module), attribute, None)
        if with_types and rulebook is not None:
            from ..engine.system_check import refuse_mistyped

            refuse_mistyped(rulebook)
    except BrokenSystem as broken:
        if broken.mistakes:
            from .source_lines import line_of

            package = _package(module)
            broken.tell(
                [
                    f"{where or f'{line_of(broken, package, words)}: '}{said}"
                    for said, words, where in broken.mistakes
                ]
            )
        raise
    except CrisisError:
        raise
    except RulebookMistake as mistake:
        raise BrokenSystem(str(mistake)) from mistake
    except SyntaxError as error:
        where = place(error.filename or module, error.lineno or 0)
        raise BrokenSystem(f"{where}: {name}: {error.msg}") from error
    except (Exception, SystemExit) as error:
        where = _inside(error, module) or f"{name} = {module}:{attribute}"
        raise BrokenSystem(f"{name} cannot be loaded: {where}: {type(error).__name__}: {error}") from error
    from ..engine.system import System

    if not isinstance(rulebook, System):
        hint, file = f"{attribute} = System(name=…, …)", getattr(sys.modules[module], "__file__", module)
        raise BrokenSystem(f"{file}: {name}: its rulebook has no {attribute}", hint=hint)
    if rulebook.name != name:
        from .source_lines import line_of

        said = f"{name}: its rulebook is called {rulebook.name!r}: write name={name!r}"
        where = line_of(BrokenSystem(said), _package(module), ("name", rulebook.name))
        raise BrokenSystem(f"{where}: {said}")
    return rulebook


def blamed(error: Exception) -> BrokenSystem | None:
    """The error for an exception that came out of a rulebook; None where none was at work."""
    if isinstance(error, RulebookMistake) and error.where:
        return BrokenSystem(str(error))
    from .source_lines import line_of, source_of_values

    for one in installed().values():
        if isinstance(error, RulebookMistake) and error.words[:1] == (one.name,):
            return BrokenSystem(f"{line_of(error, _package(one.module), error.words[1:])}: {error}")
        said, where = "", _inside(error, one.module)
        if not where:
            where, said = source_of_values(error, _package(one.module))
        if isinstance(error, RulebookMistake) or said:
            return BrokenSystem(f"{where}: {said or error}" if where else str(error))
        if where:
            near = _near(error, one.name)
            message = f"{where}: {type(error).__name__}: {error}{near} ({one.said})"
            return BrokenSystem(
                message, hint=f"to see all of it: {TRACEBACK}=1 crisis …", code="plug_in_failed"
            )
    return BrokenSystem(str(error)) if isinstance(error, RulebookMistake) else None


def _near(error: Exception, name: str) -> str:
    """For a key that a rulebook looks up and that is not there, the pool or the key of a sheet that may be meant."""
    if not isinstance(error, KeyError) or not isinstance(error.args[0], str):
        return ""
    from ..engine.kinds import guess

    system = load(name)
    things = (
        getattr(getattr(field.kind, "kind", None), "fields", ()) for field in system.sheet.fields.values()
    )
    return guess(
        error.args[0], [*system.pools, *system.sheet.fields, *(key for keys in things for key in keys)]
    )


def _inside(error: BaseException, module: str) -> str:
    """The last file and line in the package of a module that an exception went through; empty if it did not."""
    from .source_lines import steps_in

    steps = steps_in(error, _package(module))
    return place(*steps[-1]) if steps else ""


def _package(module: str) -> str:
    """The package that a module is in, or is."""
    return module.rpartition(".")[0] or module


def every() -> tuple[System, ...]:
    """All rulebooks that can be loaded, those of crisis first; a plug-in that broke meanwhile is warned about."""
    found = [load(name) for name in SYSTEMS]
    for one in installed().values():
        try:
            found.append(_rulebook_of(one))
        except BrokenSystem as broken:
            _warnings.append(f"{one.said} is left out: {broken.message}")
    return tuple(found)


def title(name: str) -> str:
    """The title of a system; that of a plug-in without its rulebook."""
    return load(name).title if name in SYSTEMS else _plugin(name).title


def command_options(name: str) -> tuple[CommandOption, ...]:
    """The command-line options of a system, without loading its rulebook; none if it has no options.py."""
    if name not in SYSTEMS:
        return _plugin(name).options
    page = f"{__package__}.{SYSTEMS[name]}.options"
    try:
        found: tuple[CommandOption, ...] = import_module(page).COMMAND_OPTIONS
    except ModuleNotFoundError as missing:
        if missing.name != page:
            raise
        sys.modules[page] = None  # type: ignore[assignment]  # not looked for again
        return ()
    return found


def folder(name: str) -> str:
    """The folder of a system's module, which holds its rules.toml; empty if a plug-in has none."""
    if name not in SYSTEMS:
        return _plugin(name).folder
    path: str = import_module(f"{__package__}.{SYSTEMS[name]}").__path__[0]
    return path


def package(name: str) -> str:
    """Package and version that a system comes from, as `crisis-d20 0.1.0`; empty for those of crisis itself."""
    return installed()[name].said if name in installed() else ""


def folders() -> Iterable[tuple[str, str]]:
    """For each plug-in that has a folder: its package, and that folder."""
    return tuple((one.package, one.folder) for one in installed().values() if one.folder)


def left_out() -> tuple[str, ...]:
    """The systems of installed packages that cannot be played."""
    return tuple(name for name in _left_out if name not in names())


def faults() -> tuple[str, ...]:
    """What is wrong with each system that is left out."""
    return tuple(plugin.said_fault for plugin in _left_out.values())


def require_unbroken(name: object) -> None:
    """Raise BrokenSystem, with what is wrong, if the only system of that name is left out."""
    if isinstance(name, str) and name in left_out():
        with suppress(ValueError):
            _warnings.remove(_left_out[name].said_fault)
        raise BrokenSystem(_left_out[name].said_fault)


def _plugin(name: str) -> Plugin:
    found = installed().get(name)
    if found is None:
        require_unbroken(name)
        raise Usage(
            f"no rule system is called {name!r}", hint=f"there are: {', '.join(names())}", code="unknown_name"
        )
    return found
