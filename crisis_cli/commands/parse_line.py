"""Parsing lines typed at the prompt into the words of a command, with a few shortcuts."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Container, Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from ..engine.kinds import guess, shown
from ..errors import Usage
from ..play.advice import LIST_ACTIONS, SHELL_ONLY, known_words
from ..render.messages import listed
from ..sheets.find_fighters import find_name, is_present
from ..sheets.names import fighter_names, join_words
from ..verbs import VERBS

if TYPE_CHECKING:
    from ..engine.scene import Scene
    from ..engine.system import System

PROGRAM = "crisis"
LONGEST_LINE = 500
"""The longest line that completion, suggestions and advice look at: what they do at each key does not grow with it."""
LEAVE_WORDS = ("quit", "exit", "q")
"""Words that leave the prompt, as Ctrl-D does."""
UNTIL_MINE = (["until", "mine"], ["until", "my", "turn"])
"""Words after `auto` that mean --until-mine."""
CLEAR_WORDS = ("clear", "cls")
"""Words that clear the screen."""
DEFENCES = ("block", "dodge", "parry", "shield")
"""Reactions that a new player may type as if they were actions."""
AIMED_VERBS = ("attack", "heal", "throw")
"""The verbs after which a single name is the target of the fighter whose turn it is."""
NOTE = "note"
"""The verb that takes the rest of its line literally, quotes and dashes too, after its own options."""
APOSTROPHE = re.compile(r"(?<=\w)'(?=\w)")
DICE_VERBS = ("roll", "odds")
"""The verbs whose words are dice, of which ` # ` begins a comment."""
NOTE_OPTIONS = {"--thread": 0, "--award": 0, "--close": 1}
"""The options of a note, with how many words each takes."""
PATH_OPTIONS = ("--file", "--characters", "--campaign")
"""Options of the program itself that take the next word."""


def parse_line(line: str, verbs: Container[str], actions: Container[str]) -> list[str]:
    """The words of a line; Usage if a quote is not closed.

    The program's own name may stand before them, and an action of the system needs no `act`. What follows `note`
    and its options is its text, whatever is in it; `--` ends the options, as in a shell.
    """
    head, _, rest = line.strip().removeprefix(f"{PROGRAM} ").lstrip().partition(" ")
    if head == NOTE:
        return [NOTE, *_of_note(rest)]
    try:
        words = _split(line, head in DICE_VERBS)
    except ValueError as wrong:
        raise Usage(
            f"{str(wrong).lower()}: {shown(line.strip())}",
            hint="close the quote, or write it without one",
            code="quote",
        ) from wrong
    return as_command(words, verbs, actions)


def _split(line: str, has_dice: bool) -> list[str]:
    """The words of a line; of one with dice the comment is taken literally, apostrophes too. Where a quote is not
    closed, apostrophes within words are letters; ValueError where it is not closed all the same."""
    before, sign, comment = line.partition(" # ") if has_dice else (line, "", "")
    with suppress(ValueError):
        return [*shlex.split(before), *(("#", *comment.split()) if sign else ())]
    return shlex.split(APOSTROPHE.sub(r"\\'", line))


def _of_note(rest: str) -> list[str]:
    """The options of a note and its text; after options the text may stand in quotes, as in a shell."""
    options: list[str] = []
    text = rest
    while True:
        word, _, after = text.lstrip().partition(" ")
        if word == "--":
            return [*options, *(["--", after] if after.strip() else [])]
        takes = NOTE_OPTIONS.get(word.partition("=")[0])
        if takes is None:
            break
        options.append(word)
        text = after
        if takes and "=" not in word:
            value, _, text = text.lstrip().partition(" ")
            options += [value] if value else []
    if options:
        text = _unquoted(text.strip())
    return [*options, "--", text] if text.strip() else options


def _unquoted(text: str) -> str:
    """A text without the quotes around the whole of it."""
    try:
        words = shlex.split(text)
    except ValueError:
        return text
    return words[0] if len(words) == 1 else text


def options_first(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """The program's own options at the start of a line, with their values, and the words after them."""
    at = 0
    while at < len(words) and _is_option(words[at]):
        at += 2 if words[at] in PATH_OPTIONS else 1
    return list(words[:at]), list(words[at:])


def _is_option(word: str) -> bool:
    """Whether a word is an option, and not a number such as -1."""
    return word.startswith("-") and not word[1:2].isdigit()


def has_own_paths(words: Sequence[str]) -> bool:
    """Whether a line has --file or --characters of its own."""
    options = words[: words.index("--")] if "--" in words else words
    return any(word.partition("=")[0] in PATH_OPTIONS for word in options)


def check_first_word(words: Sequence[str], system: System, line: Callable[[], str] = str) -> None:
    """Raise Usage if the first word is neither a verb nor an action, or `end` is of the turn.

    `line` gives a whole line to suggest; without one the word that is nearest is named.
    """
    if [word.lower() for word in words if word.lower() not in ("my", "the")] == ["end", "turn"]:
        raise Usage("end ends the whole crisis", hint="end the turn: next", code="extra_argument")
    first = words[0].replace("_", "-") if words else ""
    _check_reaction(first.lower(), system, line)
    if first and first not in VERBS and not _is_option(first):
        suggested = line()
        near = "" if suggested else guess(first.lower(), known_words(system))
        tries = f"try: {suggested}" if suggested else ""
        listing = "list the actions: ?" if suggested != LIST_ACTIONS else ""
        raise Usage(
            f"{shown(first)} is neither an action nor a verb{near}",
            hint="; ".join(filter(None, (tries, listing, "list the commands: help"))),
            code="unknown_command",
        )


def _check_reaction(word: str, system: System, line: Callable[[], str]) -> None:
    """Raise Usage if a word is a reaction, which is asked for and never typed, or one that the system does not have."""
    if word not in DEFENCES or word in system.actions:
        return
    suggested = line()
    ways = dict.fromkeys(way for row in system.actions.values() for way in row.reactions)
    if not ways:
        raise Usage(
            f"you do not type {word}: {system.name} has no reactions; the defence of the sheet always counts",
            hint=f"try: {suggested}" if suggested else "what can be done now: ?",
            code="unknown_command",
        )
    named = [word] if word in ways else [*ways]
    verb = "is" if len(named) == 1 else "are"
    raise Usage(
        f"{listed(named)} {verb} asked for in an attack that allows it, and typed as the answer",
        hint="; ".join(filter(None, (f"try: {suggested}" if suggested else "", "to let the foes act: next"))),
        code="unknown_command",
    )


def verb_first(words: Sequence[str], scene: Scene, actions: Container[str]) -> list[str]:
    """The words with the verb first, if they begin with the actor: `jack attack drone`, `drone 1 hide`.

    A fighter whose turn it is not goes into --by where a name after the verb would be the target.
    """
    if not words or _action_key(words[0]) in VERBS or _action_key(words[0]) in actions:
        return list(words)
    who, *rest = join_words(words, fighter_names(scene))
    if not rest or not is_present(scene, who):
        return list(words)
    if _action_key(rest[0]) in VERBS and not (rest[0] in SHELL_ONLY and rest[0] in actions):
        verb = _action_key(rest[0])
        is_out_of_turn = bool(scene.turn) and find_name(scene, who) not in scene.acting
        is_by = (is_out_of_turn and verb in AIMED_VERBS) or verb == "next"
        is_by = is_by or (verb == "odds" and _is_option("".join(rest[1:2])))
        return [verb, *(["--by"] if is_by else []), who, *rest[1:]]
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
