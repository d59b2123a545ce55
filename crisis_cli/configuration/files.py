"""Settings read from their files; what was read is cached until the file changes, as to read TOML takes longer than
most commands."""

from __future__ import annotations

import os
import stat
import sys

from .. import __version__
from ..cache_file import cache_path, cached, keep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


SettingFault = tuple[str, int, str]
"""What is wrong with a file: the key, empty where the file cannot be read; its line, 0 for none; a message of one
line."""


OF_FOLDER = ".crisis.toml"
"""The name of the file of a folder."""


class SettingsFile:
    """A file of settings as it was read."""

    __slots__ = ("exists", "faults", "path", "shown", "values")

    def __init__(
        self,
        path: str = "",
        shown: str = "",
        values: Mapping[str, tuple[str, int]] | None = None,
        faults: tuple[SettingFault, ...] = (),
    ):
        self.path = path
        self.shown = shown
        """The path for messages."""
        self.exists = values is not None
        self.values = values or {}
        """The text and the line of each value without a fault, by key: `color`, `aliases.snipe`."""
        self.faults = faults

    def text(self, key: str) -> str:
        """The value of a key; empty if it has none."""
        return self.values.get(key, ("", 0))[0]

    @property
    def is_of_folder(self) -> bool:
        """Whether the file is that of a folder, not that of the player."""
        return os.path.basename(self.path) == OF_FOLDER

    def without(self, key: str, message: str) -> SettingsFile:
        """The file without a value that is wrong here and now, and with that fault."""
        line = self.values[key][1]
        left = {name: value for name, value in self.values.items() if name != key}
        fault = key, line, f"{self.shown}, line {line}: {key} {message}"
        faults = sorted((*self.faults, fault), key=lambda one: one[1])
        return SettingsFile(self.path, self.shown, left, tuple(faults))


def config_folder(env: Mapping[str, str]) -> str:
    """The user's configuration folder for this program ($CRISIS_CONFIG)."""
    if env.get("CRISIS_CONFIG"):
        return env["CRISIS_CONFIG"]
    # What platformdirs says, which takes as long to load as to roll dice.
    home, base = env.get("HOME"), env.get("XDG_CONFIG_HOME", "").strip()
    if sys.platform == "linux" and home and "ANDROID_ROOT" not in env:
        return os.path.join(base or os.path.join(home, ".config"), "crisis")
    if sys.platform == "darwin" and home and not base:
        return os.path.join(home, "Library", "Application Support", "crisis")
    from platformdirs import user_config_dir

    return user_config_dir("crisis", appauthor=False)


def user_file(env: Mapping[str, str]) -> str:
    """The path of the file of the player."""
    return os.path.join(config_folder(env), "config.toml")


BY_COLOR = {"always": "FORCE_COLOR", "never": "NO_COLOR"}
"""The environment variable that says what a value of `color` says."""


def said(env: Mapping[str, str], variable: str) -> str:
    """What an environment variable says; empty for nothing, and for a value that it cannot have."""
    value = env.get(variable, "")
    if variable == "COLUMNS":
        return value if value.isascii() and value.isdigit() and int(value[:6]) else ""
    is_word = variable != "CRISIS_KEYS" or value in ("emacs", "vi")
    return value if is_word and (variable, value) != ("FORCE_COLOR", "0") else ""


def with_color(env: Mapping[str, str], color: str, terminal: bool) -> Mapping[str, str]:
    """The environment, with a value of `color` where it says nothing of colour; a pipe is not coloured by it."""
    if (
        color not in BY_COLOR
        or (color == "always" and not terminal)
        or any(said(env, variable) for variable in BY_COLOR.values())
    ):
        return env
    return {**env, BY_COLOR[color]: "1"}


def with_tilde(path: str, env: Mapping[str, str]) -> str:
    """A path for messages, with ~ for the home folder."""
    home = env.get("HOME", "").rstrip(os.sep)
    return f"~{path[len(home) :]}" if home and path.startswith(home + os.sep) else path


def file_of_folder(cwd: str) -> str:
    """The path of the file of a folder."""
    return os.path.join(cwd, OF_FOLDER)


def _leads_out(path: str) -> bool:
    """Whether a link leads out of the folder that it is in."""
    from ..sheets.files import path_below

    return path_below(os.path.dirname(path), path) is None


def read_settings(path: str, env: Mapping[str, str], owner: str) -> SettingsFile:
    """The settings in a file of the `user` or of a `folder`."""
    shown = with_tilde(path, env) if owner == "user" else os.path.basename(path)
    try:
        about = os.lstat(path) if owner == "folder" else os.stat(path)
        if stat.S_ISLNK(about.st_mode):
            if _leads_out(path):
                fault = "", 0, f"{shown} is a link out of this folder, and is not read"
                return SettingsFile(path, shown, {}, (fault,))
            about = os.stat(path)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return SettingsFile(path, shown)
    except OSError:
        about = None
    stamp = cache = ""
    if about is not None and stat.S_ISREG(about.st_mode):
        stamp = f"{__version__} {about.st_mtime_ns} {about.st_size} {about.st_ino} {os.path.abspath(path)!a} {shown!a}"
        cache = cache_path(env, f"settings-{owner}")
    text = cached(cache, stamp) if cache else None
    if text is None:
        from .check import checked

        values, faults = checked(path, shown, owner)
        lines = [f"\t{key}\t{line}\t{value}" for key, (value, line) in values.items()]
        lines += [f"!\t{key}\t{line}\t{message}" for key, line, message in faults]
        text = "\n".join(lines)
        # What keeps a file from being read may be mended without a change of it.
        if all(key for key, _, _ in faults):
            keep(cache, stamp, text)
    rows = [row.split("\t") for row in text.split("\n") if row]
    return SettingsFile(
        path,
        shown,
        {key: (value, int(line)) for mark, key, line, value in rows if not mark},
        tuple((key, int(line), message) for mark, key, line, message in rows if mark),
    )
