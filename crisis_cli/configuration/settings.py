"""Which settings hold: an option, else the environment, else the file of the folder, else that of the player, else
what is built in."""

from __future__ import annotations

import os

from ..values import NamedTuple
from .files import BY_COLOR, SettingsFile, file_of_folder, read_settings, said, user_file, with_color
from .keys import FOLDER, KEYS, SettingKey

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class SettingValue(NamedTuple):
    """The value of a key, and where it is from."""

    key: str
    value: str
    """Empty for none."""
    origin: str
    """`environment`, `folder`, `user` or `built in`."""
    variable: str = ""
    """The environment variable that it is from."""
    file: str = ""
    """The file that it is from."""
    line: int = 0


class Configuration(NamedTuple):
    """The settings of a run that no option changes."""

    env: Mapping[str, str]
    """The environment without what files say."""
    user: SettingsFile
    folder: SettingsFile = SettingsFile()

    @property
    def warning(self) -> str:
        """What is wrong with the files, in one line; empty if nothing is."""
        faults = (*self.folder.faults, *self.user.faults)
        more = f", and {len(faults) - 1} more" if len(faults) > 1 else ""
        return f"{faults[0][2]}{more}; all: crisis config check" if faults else ""

    @property
    def void_variables(self) -> list[str]:
        """What is wrong with each environment variable whose value counts for nothing."""
        return [
            f"{name}={self.env[name]} counts for nothing: it is no value of {key.name}, which may be {key.range}"
            for key in KEYS
            for name in key.variables
            if self.env.get(name)
            and not said(self.env, name)
            and (name, self.env[name]) != ("FORCE_COLOR", "0")
        ]

    def configured(self, name: str) -> str:
        """The value of a key in the file of the folder, or else of the player; empty for none."""
        return self.folder.text(name) or self.user.text(name)

    def setting(self, key: SettingKey) -> SettingValue:
        """The value of a key, and where it is from."""
        for variable in key.variables:
            if value := said(self.env, variable):
                value = next((word for word, name in BY_COLOR.items() if name == variable), value)
                return SettingValue(key.name, value, "environment", variable=variable)
        for origin, file in (("folder", self.folder), ("user", self.user)):
            if key.name in file.values:
                value, line = file.values[key.name]
                return SettingValue(key.name, value, origin, file=file.shown, line=line)
        return SettingValue(key.name, key.usual, "built in")

    def settings(self) -> list[SettingValue]:
        """Every key with its value, and the aliases of the player."""
        listed = [self.setting(key) for key in KEYS if key.name != "aliases"]
        return [*listed, *(self._alias(name) for name in self.user.values if name.startswith("aliases."))]

    def _alias(self, name: str) -> SettingValue:
        value, line = self.user.values[name]
        return SettingValue(name, value, "user", file=self.user.shown, line=line)

    def with_defaults(self, terminal: bool) -> dict[str, str]:
        """The environment, with what files say where it says nothing; `terminal` says whether stdout is one."""
        env = dict(with_color(self.env, self.configured("color"), terminal))
        for key in KEYS:
            value = "" if key.name in ("color", "width") else self.configured(key.name)
            if value and key.variables and not any(said(env, name) for name in key.variables):
                env[key.variables[-1]] = value
        return env


def settings_of(env: Mapping[str, str], cwd: str) -> Configuration:
    """The settings of a run in a folder."""
    user = read_settings(os.path.join(cwd, user_file(env)), env, "user")
    folder = read_settings(file_of_folder(cwd), env, "folder")
    return Configuration(env, _with_folders_here(user, ""), _with_folders_here(folder, cwd))


def with_system_checked(file: SettingsFile) -> SettingsFile:
    """The file, with a fault in place of a system that is not installed: that is no matter of the file alone."""
    from ..engine.kinds import guess
    from ..systems import names

    system = file.text("system")
    if not system or system in names():
        return file
    written = "" if file.is_of_folder else f", not {system!r}{guess(system, names())}"
    return file.without("system", f"must be one of {', '.join(names())}{written}")


def _with_folders_here(file: SettingsFile, root: str) -> SettingsFile:
    """The file without the folders that are not there now, or not below `root`."""
    for key in KEYS:
        value = file.text(key.name) if key.kind == FOLDER else ""
        if value:
            fault = _fault_of_folder(key.name, value, root)
            file = file.without(key.name, fault) if fault else file
    return file


def _fault_of_folder(key: str, value: str, root: str) -> str:
    """Why a folder cannot be used; empty if it can."""
    if root:
        from ..sheets.files import path_below

        path = os.path.join(root, value)
        if value.startswith("~") or os.path.isabs(value) or path_below(root, path) in (None, "."):
            return "must be a folder below this one"
        return "" if os.path.isdir(path) else "must be a folder that is there"
    if key == "campaign" and not os.path.isfile(os.path.join(value, "campaign.toml")):
        return f"is no campaign: {value} has no campaign.toml"
    return "" if os.path.isdir(value) else f"is no folder: {value}"
