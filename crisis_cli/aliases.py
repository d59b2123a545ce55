"""Short words for the beginning of a command: those of the program, and those of the player.

The player's own stand under `[aliases]` in config.toml of the user's configuration folder, below single settings:

    questions = "few"

    [aliases]
    snipe = "attack --weapon rifle"
"""

from __future__ import annotations

import shlex
from collections.abc import Container, Sequence

from .configuration.settings import Configuration
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


def expand(words: Sequence[str], settings: Configuration | None, known: Container[str]) -> list[str]:
    """The words with the first one replaced by what it stands for; a word that is `known` is left as it is.

    FileError if the player's aliases cannot be read.
    """
    if not words or words[0].lower() in known or words[0].startswith("-"):
        return list(words)
    name = words[0].lower()
    meaning = (own_meaning(settings, name) if settings else "") or BUILT_IN.get(name)
    return [*shlex.split(meaning), *words[1:]] if meaning else list(words)


def own_meaning(settings: Configuration, name: str) -> str:
    """What the player's alias of that name stands for; empty without one, FileError if aliases cannot be read."""
    for key, _, message in settings.user.faults:
        if not key or key.split(".")[0] == "aliases":
            raise FileError(message, hint="see: crisis config check", code="wrong_configuration")
    return settings.user.text(f"aliases.{name}")
