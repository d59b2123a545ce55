"""Short words for the beginning of a command: those of the program, and those of the player.

The player's own stand under `[aliases]` in config.toml of the user's configuration folder, below single settings:

    questions = "few"

    [aliases]
    snipe = "attack --weapon rifle"
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Container, Mapping, Sequence
from typing import Any

from .errors import FileError

BUILT_IN = {
    "a": "attack",
    "pass": "next",
    "goals": "goal",
    "objective": "goal",
    "win": "goal",
    "inventory": "inv",
    "bag": "inv",
}
"""The program's own; one of the player's of the same name holds instead."""
CONFIG_FILE = "config.toml"


def expand(words: Sequence[str], env: Mapping[str, str], known: Container[str]) -> list[str]:
    """The words with the first one replaced by what it stands for; a word that is `known` is left as it is.

    FileError if the player's aliases cannot be read.
    """
    if not words or words[0].lower() in known or words[0].startswith("-"):
        return list(words)
    name = words[0].lower()
    meaning = own_aliases(env).get(name) or BUILT_IN.get(name)
    return [*shlex.split(meaning), *words[1:]] if meaning else list(words)


def configured(env: Mapping[str, str], key: str, usual: Any) -> tuple[str, Any]:
    """The path of config.toml, and the value of a key in it or the usual one; FileError if it cannot be read."""
    from .sheets.check import toml_of

    path = os.path.join(config_folder(env), CONFIG_FILE)
    try:
        return path, toml_of(path, path, "configuration")[1].get(key, usual)
    except FileError as error:
        if error.code == "not_found":
            return path, usual
        raise


def own_aliases(env: Mapping[str, str]) -> dict[str, str]:
    """The player's aliases by name; FileError if the file cannot be read or is wrong."""
    path, found = configured(env, "aliases", {})
    if not isinstance(found, dict):
        raise FileError(
            f"{path}: aliases is no table",
            hint='write [aliases], then snipe = "attack --aim 2"',
            code="wrong_configuration",
        )
    for name, meaning in found.items():
        if not _is_command(meaning):
            raise FileError(
                f"{path}: aliases.{name} is no command line",
                hint=f'{name} = "attack --aim 2"',
                code="wrong_configuration",
            )
    return {str(name).lower(): meaning for name, meaning in found.items()}


def _is_command(meaning: object) -> bool:
    """Whether a value is a text that a shell could split into words."""
    try:
        return isinstance(meaning, str) and bool(shlex.split(meaning))
    except ValueError:
        return False


def config_folder(env: Mapping[str, str]) -> str:
    """The user's configuration folder for this program ($CRISIS_CONFIG)."""
    if env.get("CRISIS_CONFIG"):
        return env["CRISIS_CONFIG"]
    from platformdirs import user_config_dir

    return user_config_dir("crisis", appauthor=False)
