"""What crisis finds of itself on this machine and in this folder: what `crisis doctor` shows."""

from __future__ import annotations

import os
import platform
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import metadata

from . import __version__, systems
from .aliases import with_aliases_checked
from .cache_file import cache_path
from .configuration.settings import with_system_checked
from .context import Context
from .dice import limits
from .errors import BrokenSystem, CrisisError
from .play.places import wrong_campaign
from .sheets.files import is_locked
from .sheets.store import Folder
from .systems.plugins import OFF
from .values import NamedTuple

PACKAGES = ("click", "prompt_toolkit")
"""The packages whose versions are shown."""
VARIABLES = ("COLUMNS", "FORCE_COLOR", "LANG", "LC_ALL", "LC_CTYPE", "NO_COLOR", "PYTHONIOENCODING", "TERM")
"""The environment variables that are shown, beside those of crisis."""
COMPLETIONS = {
    "bash": "bash-completion/completions/crisis",
    "zsh": "zsh/site-functions/_crisis",
    "fish": "fish/vendor_completions.d/crisis.fish",
}
"""Where each shell finds the completion script, below a folder of shared files."""
PLUGINS = "plug-ins"


class Finding(NamedTuple):
    """What was found about a part of the installation."""

    part: str
    text: str
    """What was found, in a line."""
    is_wrong: bool = False


def findings(context: Context, part: str = "") -> list[Finding]:
    """The findings of all parts, or of one part alone, with ~ for the home folder."""
    home = context.environment.env.get("HOME", "").rstrip(os.sep)
    found = _plugins() if part == PLUGINS else _all(context)
    return [
        one._replace(text=one.text.replace(home + os.sep, f"~{os.sep}") if home else one.text)
        for one in found
    ]


def _all(context: Context) -> Iterator[Finding]:
    yield Finding("crisis", program_line())
    yield from _config(context)
    yield from _campaign(context)
    yield from _files(context)
    yield from _journal(context)
    yield from _plugins()
    yield from _terminal(context)
    yield from _completion(context.environment.env)
    yield from _warnings(context)


def program_line() -> str:
    """The versions of crisis, Python, the platform and the packages."""
    packages = ", ".join(f"{name} {_version(name)}" for name in PACKAGES)
    return f"{__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}; {packages}"


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "?"


def _config(context: Context) -> Iterator[Finding]:
    """The files of settings."""
    settings = context.environment.settings
    assert settings is not None
    for file in (
        with_aliases_checked(with_system_checked(settings.user)),
        with_system_checked(settings.folder),
    ):
        if file.faults:
            yield from (Finding("config", message, True) for _, _, message in file.faults)
        elif file.exists:
            yield Finding("config", f"{file.shown}: all right")
    if not settings.user.exists:
        yield Finding("config", f"{settings.user.shown}: no file")


def _campaign(context: Context) -> Iterator[Finding]:
    """The campaign in use, if there is one or should be."""
    places, env = context.desk.places, context.environment.env
    if wrong := wrong_campaign(places.cwd, env.get("CRISIS_CAMPAIGN", "")):
        yield Finding("campaign", wrong, True)
    elif places.campaign_folder is not None:
        yield Finding("campaign", places.campaign_folder)


def _files(context: Context) -> Iterator[Finding]:
    """How many files of each kind are in each folder, and the folders that are not there or cannot be written."""
    shelves, environment = context.desk.shelves, context.environment
    kinds: dict[str, Callable[[], Iterable[tuple[Folder, str]]]] = {
        "characters": lambda: shelves.characters().files(),
        "tables": lambda: shelves.tables().files(),
        "encounters": lambda: shelves.encounters().files(),
        "doctrines": lambda: shelves.doctrines().store.all(),
    }
    kind_of_error: dict[str, str] = {}
    for kind, files in kinds.items():
        try:
            counted = Counter(folder.name for folder, _ in files())
        except (CrisisError, OSError) as error:
            # Encounters look for sheets, too: one fault is shown once.
            first = kind_of_error.setdefault(str(error), kind)
            yield Finding(kind, str(error), True) if first == kind else Finding(kind, f"see {first}")
            continue
        yield Finding(kind, " · ".join(f"{name} {count}" for name, count in counted.items()) or "none")
    cache = os.path.dirname(cache_path(environment.env, ""))
    for part, folder in (("data", context.desk.places.data), ("cache", cache)):
        if folder and not _can_be_written(folder):
            yield Finding(part, f"{folder} cannot be written", True)


def _can_be_written(folder: str) -> bool:
    """Whether files can be made in a folder, or the folder itself where there is none yet."""
    while not os.path.lexists(folder) and os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
    return os.path.isdir(folder) and os.access(folder, os.W_OK | os.X_OK)


def _journal(context: Context) -> Iterator[Finding]:
    """The journal in use."""
    from .sheets import journal_file

    places = context.desk.places
    path, file = places.journal_path, places.file
    if not os.path.isdir(places.cwd):
        yield Finding("journal", "the folder you are in is gone", True)
        return
    if not os.path.lexists(path):
        yield Finding("journal", f"{file}: none")
        return
    try:
        crisis = journal_file.read(path, file, None).crisis
        state = f"open, round {crisis.scene.round}" if not crisis.scene.over else "ended"
        is_free = not is_locked(path)
    except (CrisisError, OSError) as error:
        yield Finding("journal", str(error).splitlines()[0], True)
        return
    lock = "not locked" if is_free else "locked by another crisis"
    yield Finding("journal", f"{file}: {state}, {len(crisis.done)} entries; {lock}", not is_free)


def _plugins() -> Iterator[Finding]:
    """The systems of installed packages, each loaded."""
    found = systems.installed()
    for name, plugin in found.items():
        try:
            importers = len(systems.load(name).importers)
        except BrokenSystem as broken:
            yield Finding(PLUGINS, f"{plugin.said}: {broken.message}", True)
            continue
        more = f", {importers} importer{'s' if importers > 1 else ''}" if importers else ""
        yield Finding(PLUGINS, f"{plugin.said}: {name}, all right{more}")
    # What is shown here is no warning beside it.
    yield from (Finding(PLUGINS, message, True) for message in systems.faults())
    systems.warnings()
    if not found and not systems.faults():
        yield Finding(PLUGINS, f"ignored: {OFF} is set" if os.environ.get(OFF) else "none")


def _terminal(context: Context) -> Iterator[Finding]:
    """What stdout is, and the variables of the environment that matter."""
    environment, ink = context.environment, context.output.ink
    kind = "terminal" if environment.is_terminal else "no terminal"
    color = "colour" if ink.color else "no colour"
    yield Finding("terminal", f"stdout: {kind}, {environment.width} columns, {color}, {ink.encoding}")
    env = environment.settings.env if environment.settings else environment.env
    named = sorted(name for name in env if env[name] and (name in VARIABLES or name.startswith("CRISIS_")))
    if named:
        yield Finding("environment", " ".join(f"{name}={env[name]}" for name in named))
    if environment.settings:
        yield from (Finding("environment", said, True) for said in environment.settings.void_variables)
    try:
        limits(env)
    except CrisisError as error:
        yield Finding("environment", error.message, True)


def _completion(env: Mapping[str, str]) -> Iterator[Finding]:
    """The completion script of the player's shell."""
    shell = os.path.basename(env.get("SHELL", ""))
    if shell not in COMPLETIONS:
        return
    data = env.get("XDG_DATA_HOME") or os.path.join(env.get("HOME", ""), ".local", "share")
    shared = (data, os.path.join(sys.prefix, "share"), "/usr/local/share", "/usr/share")
    paths = (os.path.join(folder, COMPLETIONS[shell]) for folder in shared)
    path = next(filter(os.path.isfile, paths), "")
    said = f"installed ({path})" if path else f"no file; see: crisis completion {shell}"
    yield Finding("completion", f"{shell}: {said}")


def _warnings(context: Context) -> Iterator[Finding]:
    """What may surprise the player."""
    settings = context.environment.settings
    env = settings.env if settings else context.environment.env
    if env.get("NO_COLOR") and env.get("FORCE_COLOR", "0") != "0":
        yield Finding("warnings", "NO_COLOR is set, FORCE_COLOR too: no colour")
    if settings and settings.folder.text("apart"):
        distance = settings.folder.text("apart")
        yield Finding("warnings", f"fights of this folder begin {distance} apart, as .crisis.toml says")
