"""Parsing lines typed at the prompt into the words of a command, with a few shortcuts."""

from __future__ import annotations

import shlex
from collections.abc import Container, Iterable, Sequence
from typing import TYPE_CHECKING

from ..engine.kinds import guess
from ..errors import Usage
from ..sheets.find_fighters import is_present
from ..sheets.names import fighter_names, join_words
from ..verbs import VERBS

if TYPE_CHECKING:
    from ..engine.scene import Scene
    from ..engine.system import System

PROGRAM = "crisis"
LEAVE_WORDS = ("quit", "exit")
"""Words that leave the prompt, as Ctrl-D does."""
CLEAR_WORDS = ("clear", "cls")
"""Words that clear the screen."""
NOTE = "note"
"""The verb that takes the rest of its line literally, quotes and dashes too."""
SHELL_ONLY = ("play", "run")
"""Verbs for the shell: at the prompt and in scripts, an action of the same name is meant."""
PATH_OPTIONS = ("--file", "--characters")
"""Options of the program itself that take the next word."""
SPOKEN = {
    "fight shoot fire hit strike stab punch shot kill": ("attack",),
    "go run walk sprint dash advance approach charge step": ("move", "walk", "run"),
    "flee retreat withdraw back": ("move away", "run away", "walk away"),
    "wait done skip finish stay": ("next",),
    "look state hp health inventory who": ("status",),
    "where field": ("map",),
    "cure treat bandage medic patch": ("heal",),
    "use drink eat": ("use-item", "use", "heal"),
    "wield equip switch swap weapon": ("draw", "ready"),
    "cover crouch duck": ("hunker", "kneel", "hide", "defend"),
    "guard watch": ("overwatch", "ready"),
    "block parry dodge protect": ("defend", "shield-block", "block"),
    "load": ("reload",),
    "stand rise up": ("stand-up",),
    "prone lie down": ("drop-prone", "lie-down", "prone"),
    "luck reroll spend": ("help attack",),
    "why": ("explain",),
    "list options actions menu commands": ("?",),
    "back revert cancel": ("undo",),
}
"""Words a new player may type, and what may be meant: the first whose first word is an action here, a verb or `?`."""
LIST_ACTIONS = "?"
"""The shortcut for `act --list`."""


def parse_line(line: str, verbs: Container[str], actions: Container[str]) -> list[str]:
    """The words of a line; Usage if a quote is not closed.

    The program's own name may stand before them, and an action of the system needs no `act`. What follows `note`
    is its text, whatever is in it.
    """
    head, _, rest = line.strip().removeprefix(f"{PROGRAM} ").lstrip().partition(" ")
    if head == NOTE:
        return [NOTE, "--", rest] if rest.strip() else [NOTE]
    try:
        words = shlex.split(line)
    except ValueError as wrong:
        raise Usage(
            f"{str(wrong).lower()}: {line.strip()}",
            hint="close the quote, or write it without one",
            code="quote",
        ) from wrong
    return as_command(words, verbs, actions)


def options_first(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """The program's own options at the start of a line, with their values, and the words after them."""
    at = 0
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in PATH_OPTIONS else 1
    return list(words[:at]), list(words[at:])


def has_own_paths(words: Sequence[str]) -> bool:
    """Whether a line has --file or --characters of its own."""
    options = words[: words.index("--")] if "--" in words else words
    return any(word.partition("=")[0] in PATH_OPTIONS for word in options)


def check_first_word(words: Sequence[str], system: System) -> None:
    """Raise Usage, with a suggestion, if the first word is neither a verb nor an action, or `end` is of the turn."""
    if [word.lower() for word in words] in (["end", "turn"], ["end", "my", "turn"]):
        raise Usage("end ends the whole crisis", hint="end the turn: next", code="extra_argument")
    first = words[0].replace("_", "-") if words else ""
    if first and first not in VERBS and not first.startswith("-"):
        meant = _meant_by(first.lower(), (*system.actions, *VERBS, LIST_ACTIONS))
        near = f" (did you mean {meant}?)" if meant else guess(first.lower(), (*system.actions, *VERBS))
        raise Usage(
            f"{first!r} is neither an action nor a verb{near}",
            hint="list the actions: ?; list the commands: help",
            code="unknown_command",
        )


def _meant_by(word: str, known: Container[str]) -> str:
    """What a new player who types this word probably means; empty if that is not known here."""
    wanted = (
        meaning for spoken, meanings in SPOKEN.items() if word in spoken.split() for meaning in meanings
    )
    return next((meaning for meaning in wanted if meaning.split()[0] in known), "")


def verb_first(words: Sequence[str], scene: Scene, actions: Container[str]) -> list[str]:
    """The words with the verb first, if they begin with the actor: `jack attack drone`, `drone 1 hide`."""
    if not words or _action_key(words[0]) in VERBS or _action_key(words[0]) in actions:
        return list(words)
    who, *rest = join_words(words, fighter_names(scene))
    if not rest or not is_present(scene, who):
        return list(words)
    if _action_key(rest[0]) in VERBS and not (rest[0] in SHELL_ONLY and rest[0] in actions):
        return [_action_key(rest[0]), who, *rest[1:]]
    return ["act", who, *rest] if _action_key(rest[0]) in actions else list(words)


def _action_key(word: str) -> str:
    return word.lower().replace("_", "-")


def as_command(words: Iterable[str], verbs: Container[str], actions: Container[str]) -> list[str]:
    """The words as typed in a shell, without the program's name: `act` added before an action, `?` expanded."""
    command = list(words)
    if command and command[0] == PROGRAM:
        command = command[1:]
    if command and command[0] == LIST_ACTIONS:
        return ["act", "--list", *command[1:]]
    if command:
        first = command[0].lower().replace("_", "-")
        if first in actions and (first not in verbs or first in SHELL_ONLY):
            return ["act", *command]
    return command


def quote(word: str) -> str:
    """A word quoted as it must be typed."""
    return (
        word if word and all(sign.isalnum() or sign in "-_:,.=+/@%" for sign in word) else shlex.quote(word)
    )
