"""The errors of crisis, each with a message, a hint and a code.

CrisisError
├── Usage          2   the words of the command are wrong
│   ├── WrongDice      2   given results that do not fit the rolls
│   └── NotationError  2   an expression that cannot be parsed, rolled or given odds
├── Refused        3   the rules, or the state of the crisis, forbid it
│   └── TooWide    3   exact odds would take too long
├── FileError    4   a file is missing, wrong, locked or cannot be written
│   └── BrokenSystem  4   a rulebook lacks something or contradicts itself
└── Cancelled    130   the player stopped it, or another signal: 128 and its number
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

WORDS = frozenset(
    {
        "ambiguous",
        "bad_value",
        "conflicting_options",
        "missing_argument",
        "missing_option",
        "missing_target",
        "no_such_line",
        "not_in_a_crisis",
        "other_systems_option",
        "unheeded_option",
        "unknown_action",
        "unknown_condition",
        "unknown_item",
        "unknown_name",
        "unknown_pool",
    }
)
"""Codes of mistakes in the words of a command: their exit status is 2, even where a rule of a system finds them."""


LONGEST = 600
"""Most characters of a line of a message: a word that somebody gave may be endless."""


def cut(message: str) -> str:
    """A message whose longer lines are cut in the middle."""
    if len(message) <= LONGEST:
        return message
    half = LONGEST // 2
    lines = message.split("\n")
    return "\n".join(line if len(line) <= LONGEST else f"{line[:half]}…{line[-half:]}" for line in lines)


class CrisisError(Exception):
    """An error shown in one line, with a hint how to go on; `code` is for scripts, `rule` the id of a rule."""

    status = 1
    """The exit status of the program; each code has one."""
    code = "error"
    """A stable word for scripts, used if none is given."""
    first = ""
    """The action that the hint says to take first; empty for none."""

    def __init__(self, message: str, *, hint: str = "", code: str = "", rule: str = "", **about: object):
        super().__init__(message)
        self.message = cut(message)
        self.hint = cut(hint)
        self.code = code or type(self).code
        if self.code in WORDS:
            self.status = Usage.status
        self.rule = rule
        self.about = about
        """Further evidence for `--json`, each value fit for JSON."""


class Usage(CrisisError):
    """The words of a command, or numbers in it, cannot be read."""

    status = 2
    code = "usage"


class WrongDice(Usage):
    """Given results are too few, too many, or not on the die."""

    code = "wrong_dice"


class WrongChoice(Usage):
    """Given choices are not among the options, or too many."""

    code = "wrong_choice"


class NotationError(Usage):
    """An expression that cannot be parsed, rolled or given odds."""

    code = "notation"
    shown = 76
    """Columns of the expression shown above the caret."""
    _hint = ""
    look: Callable[[NotationError], str] | None = None
    """Looks for a better hint, which takes time and is done only when somebody asks for it."""

    def __init__(self, message: str, at: int, *, code: str, hint: str = "", text: str = ""):
        super().__init__(message, hint=hint, code=code, position=at)
        self.at = at
        """The position of the mistake in the text, counted from 0."""
        self.text = text
        """The whole expression; empty if unknown."""

    @property
    def hint(self) -> str:
        """How to go on: the right spelling where one is known."""
        if self.look:
            look, self.look = self.look, None
            self._hint = look(self) or self._hint
        return self._hint

    @hint.setter
    def hint(self, hint: str) -> None:
        self._hint = hint

    def pointed(self, carried: Callable[[str], str] = str) -> list[str]:
        """Two lines: the expression, and a caret under the mistake; none if the text is unknown.

        `carried` gives a text as the output shows it.
        """
        if not self.text:
            return []
        from bisect import bisect_left

        from .columns import columns, first_columns, is_shown

        shown = "".join(letter if is_shown(self.text, at) else "·" for at, letter in enumerate(self.text))
        before, after, more = map(carried, (shown[: self.at], shown[self.at :], "…"))
        most = NotationError.shown
        rest = first_columns(after, max(most // 2, most - columns(before)))
        room = most - columns(rest)
        start = bisect_left(range(len(before) + 1), -room, key=lambda at: -columns(before[at:]))
        lead = before[start:] if not start else more + before[start:]
        return [f"{lead}{rest}{'' if rest == after else more}", " " * columns(lead) + "^"]


class Refused(CrisisError):
    """The rules or the state of the crisis do not allow it; nothing has changed."""

    status = 3
    code = "refused"


class TooWide(Refused):
    """Exact odds would take too long to compute."""

    code = "too_wide"


class FileError(CrisisError):
    """A file is missing, invalid, locked, or cannot be written."""

    status = 4
    code = "file"


class BrokenSystem(FileError):
    """A rulebook cannot be used: something is missing from it or contradicts itself."""

    code = "bad_system"
    mistakes: tuple[tuple[str, tuple[str, ...], str], ...] = ()
    """Of each mistake the clause for it, the words of the rulebook by which its line is found, each inside what the one
    before names, and file and line where they are known without."""
    lines: tuple[str, ...] = ()
    """What is wrong, a line for each mistake."""

    @classmethod
    def of(cls, said: str, *words: str) -> BrokenSystem:
        """The error for one mistake, with the words of the rulebook by which its line is found."""
        error = cls(said)
        error.mistakes = ((said, words, ""),)
        return error

    def tell(self, lines: list[str]) -> None:
        """Say what is wrong: the first line in the message, the others in the hint."""
        more = f" (and {len(lines) - 1} more)" if lines[1:] else ""
        self.message, self.hint = cut(lines[0] + more), "; ".join(lines[1:])
        self.args, self.lines = (self.message,), tuple(lines)
        self.about["problems"] = lines


class RulebookMistake(Exception):
    """A mistake of a rulebook that is found while it is used. No `CrisisError`, for it is nothing that an action could
    be refused for; a command reports it as BrokenSystem."""

    def __init__(self, said: str, where: str = "", words: tuple[str, ...] = ()):
        super().__init__(f"{where}{said}")
        self.where = where
        """File and line, to stand before the message; empty where they are not known."""
        self.words = words
        """The name of the system and the words of its rulebook by which the line is found where it is not known."""

    @classmethod
    def in_function(cls, function: object, said: str, *words: str) -> RulebookMistake:
        """The mistake in a function of a rulebook: file, line, and what to write. For a function that crisis made for
        a row, the name of the system and the words of the row say where it stands."""
        module = f"{getattr(function, '__module__', '')}."
        is_ours = module.startswith(f"{__package__}.") and not module.startswith(RULEBOOKS)
        return cls(said, "", words) if words and is_ours else cls(said, place_of(function))

    @classmethod
    def at_caller(cls, said: str) -> RulebookMistake:
        """The mistake in the call that a rulebook makes at this moment: file, line, and what to write."""
        return cls(said, _place_of_caller())


def place_of(function: object) -> str:
    """File and line in which a function begins, to stand before a message; empty where it has no code in Python."""
    code = getattr(function, "__code__", None)
    return f"{place(code.co_filename, code.co_firstlineno)}: " if code else ""


def place(file: str, line: int) -> str:
    """A line of a file as messages about rulebooks name it."""
    return f"{file}, line {line}"


RULEBOOKS = f"{__package__}.systems."
"""How the names of the modules of shipped rulebooks begin."""


def _place_of_caller() -> str:
    """File and line of the innermost code of a rulebook that is running, to stand before a message; empty where none
    is."""
    import sys

    frame = sys._getframe(1)
    while frame is not None:
        module = f"{frame.f_globals.get('__name__')}."
        if module.startswith(RULEBOOKS) or not module.startswith(f"{__package__}."):
            return f"{place(frame.f_code.co_filename, frame.f_lineno)}: "
        frame = frame.f_back  # type: ignore[assignment]
    return ""


class Cancelled(CrisisError):
    """The player or a signal stopped it; what has been done stays done."""

    status = 130
    code = "interrupted"

    def __init__(
        self,
        message: str,
        *,
        hint: str = "",
        code: str = "",
        rule: str = "",
        status: int = 0,
        **about: object,
    ):
        super().__init__(message, hint=hint, code=code, rule=rule, **about)
        if status:
            self.status = status


def why(failure: OSError) -> str:
    """What the operating system says is wrong; for a stream that is closed, that."""
    import errno

    return "the output is closed" if failure.errno == errno.EBADF else failure.strerror or str(failure)


def of_system(failure: OSError) -> FileError:
    """The error for a failure of the operating system that nothing else has caught."""
    reason = why(failure)
    if failure.filename:
        return FileError(f"{failure.filename} cannot be used: {reason}", code="unreadable")
    return FileError(f"nothing can be written: {reason}", code="cannot_write")


def require_utf8(word: str) -> None:
    """Raise Usage if a text is not valid UTF-8 (Python then holds lone surrogates in it)."""
    try:
        word.encode()
    except UnicodeEncodeError as error:
        shown = word.encode("utf-8", "backslashreplace").decode()
        raise Usage(f"not UTF-8: {shown!r}", hint="write it in UTF-8", code="encoding") from error
