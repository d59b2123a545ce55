"""Short words for the beginning of a command: those of the program, and those of the player.

The player's own stand under `[aliases]` in config.toml of the user's configuration folder, below single settings:

    questions = "few"

    [aliases]
    snipe = "attack --weapon rifle"
"""

from __future__ import annotations

import shlex
from collections.abc import Container, Sequence

from .configuration.files import SettingsFile
from .configuration.settings import Configuration
from .errors import FileError

PREFIX = "aliases."
"""The beginning of the key of an alias."""
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


CIRCLE = "leads back to itself"
BEGINS_WITH_OPTION = "begins with the option {}: write the verb first, options behind it"


def expand(words: Sequence[str], settings: Configuration | None, known: Container[str]) -> list[str]:
    """The words with the first one replaced by what it stands for; a word that is `known` is left as it is.

    What an alias stands for may begin with another. FileError if an alias cannot be read, or leads to no command.
    """
    expanded, passed = list(words), list[str]()
    while expanded and (name := expanded[0].lower()) not in known:
        if name.startswith("-"):
            if passed:
                raise _unusable(passed[0], BEGINS_WITH_OPTION.format(expanded[0]))
            break
        meaning = (own_meaning(settings, name) if settings else "") or BUILT_IN.get(name)
        if not meaning:
            break
        if name in passed:
            raise _unusable(passed[0], CIRCLE)
        passed.append(name)
        expanded = [*shlex.split(meaning), *expanded[1:]]
    return expanded


def _unusable(name: str, message: str) -> FileError:
    """The error for an alias that leads to no command."""
    return FileError(
        f"the alias {name} {message}", hint="see: crisis config check", code="wrong_configuration"
    )


def own_meaning(settings: Configuration, name: str) -> str:
    """What the player's alias of that name stands for; empty without one, FileError if aliases cannot be read."""
    for key, _, message in settings.user.faults:
        if key in ("", "aliases", PREFIX + name):
            raise FileError(message, hint="see: crisis config check", code="wrong_configuration")
    return settings.user.text(PREFIX + name)


def with_aliases_checked(file: SettingsFile) -> SettingsFile:
    """The file, with a fault in place of each alias that never leads to a command; rulebooks are loaded for that."""
    aliases = {key: shlex.split(file.text(key)) for key in file.values if key.startswith(PREFIX)}
    if not aliases:
        return file
    from .engine.kinds import guess
    from .play.advice import SPOKEN
    from .systems import every
    from .verbs import VERBS

    words = {*VERBS, *(name for system in every() for name in system.actions), *" ".join(SPOKEN).split()}
    for key, meaning in aliases.items():
        name, first, passed = key.removeprefix(PREFIX), meaning[0].lower(), {key}
        while first not in words and PREFIX + first in aliases and PREFIX + first not in passed:
            passed.add(PREFIX + first)
            first = aliases[PREFIX + first][0].lower()
        if name.replace("_", "-") in VERBS:
            fault = "is a verb, and no alias takes its place"
        elif name.startswith("-") or name.split() != [name]:
            fault = "is no word that a line can begin with"
        elif first.startswith("-"):
            fault = BEGINS_WITH_OPTION.format(first)
        elif PREFIX + first in passed:
            fault = CIRCLE
        elif first.replace("_", "-") in words or first in BUILT_IN:
            continue
        else:
            fault = f"leads to {first!r}, which is no verb and no action{guess(first, words)}"
        file = file.without(key, fault)
    return file
