"""What is typed at the prompt, into the words of a command: the shell's own, and a few liberties."""

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
LEAVING = ("quit", "exit")
"""What leaves the prompt, as Ctrl-D does."""
NOTE = "note"
"""The verb that takes the rest of its line as it stands, quotes and dashes too."""
VALUED = ("--file", "--characters")
"""Options of the program itself that take the next word."""
LISTING = "?"
"""What asks for all that can be done now, and for why the rest cannot."""


def words_of(line: str, verbs: Container[str], actions: Container[str]) -> list[str]:
    """The words of a line; Usage where a quote is not closed.

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
    return spelled_out(words, verbs, actions)


def options_first(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """The options of the program itself that stand in front of a line, with their values, and the words after them."""
    at = 0
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in VALUED else 1
    return list(words[:at]), list(words[at:])


def elsewhere(words: Sequence[str]) -> bool:
    """Whether a line names another journal or folder than those of the prompt."""
    options = words[: words.index("--")] if "--" in words else words
    return any(word.partition("=")[0] in VALUED for word in options)


def known(words: Sequence[str], system: System) -> None:
    """Usage with a guess where the first word is neither a verb nor an action."""
    first = words[0].replace("_", "-") if words else ""
    if first and first not in VERBS and not first.startswith("-"):
        near = guess(first.lower(), (*system.actions, *VERBS))
        raise Usage(
            f"{first!r} is neither an action nor a verb{near}",
            hint="what can be done now: ?; all that there is: help",
        )


def verb_first(words: Sequence[str], scene: Scene, actions: Container[str]) -> list[str]:
    """The words with the verb in front, where they begin with who does it: `jack attack drone`, `drone 1 hide`."""
    if not words or _bare(words[0]) in VERBS or _bare(words[0]) in actions:
        return list(words)
    who, *rest = join_words(words, fighter_names(scene))
    if not rest or not is_present(scene, who):
        return list(words)
    if _bare(rest[0]) in VERBS:
        return [_bare(rest[0]), who, *rest[1:]]
    return ["act", who, *rest] if _bare(rest[0]) in actions else list(words)


def _bare(word: str) -> str:
    return word.lower().replace("_", "-")


def spelled_out(words: Iterable[str], verbs: Container[str], actions: Container[str]) -> list[str]:
    """The words as the shell would want them."""
    said = list(words)
    if said and said[0] == PROGRAM:
        said = said[1:]
    if said and said[0] == LISTING:
        return ["act", "--list", *said[1:]]
    if said:
        first = said[0].lower().replace("_", "-")
        if first not in verbs and first in actions:
            return ["act", *said]
    return said


def quoted(word: str) -> str:
    """A word as it has to be typed."""
    return (
        word if word and all(sign.isalnum() or sign in "-_:,.=+/@%" for sign in word) else shlex.quote(word)
    )
