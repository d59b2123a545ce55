"""What a run prints, and the lines that it reads from the player."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from .environment import Environment
from .errors import Cancelled, FileError, why
from .render.jsontext import VERSION, dumped, warning_line
from .render.style import Ink
from .values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .engine.scene import Intent, Scene


PAGE_KEYS = {" ": "more"}
"""The key that turns the pages of a long text at the prompt of a game without Enter; letters begin a line."""


class Ranking(NamedTuple):
    """What a fighter can do, as it was shown: a ranking, or the list of its actions."""

    who: str = ""
    lines: tuple[Intent, ...] = ()
    """What each of its numbered lines does."""
    scene: Scene | None = None
    """The scene in which it was shown."""


class Console:
    """What a run prints to stdout and stderr, and the lines that it reads from the player."""

    def __init__(self, environment: Environment, ink: Ink, recorded: list[str]):
        self.environment = environment
        self.ink = ink
        self.recorded = recorded
        """What was recorded so far, in words; the last one counts."""
        self.warned: list[str] = []
        self.wants_json = False
        """Whether the command was given --json."""
        self.archive_name = ""
        """The name of the journal that this command archived; empty if none."""
        self.typed_ahead: list[str] = []
        """Lines for the prompt that were typed where a list asks whether it goes on."""
        self.ranking = Ranking()
        """The ranking shown last."""

    def for_line(self, environment: Environment, recorded: list[str]) -> Console:
        """The output of the next line of a prompt, a script or a program."""
        output = Console(environment, self.ink, recorded)
        output.typed_ahead, output.ranking = self.typed_ahead, self.ranking
        return output

    def with_color(self, color: bool) -> Console:
        """A copy that prints with colour, or without any."""
        from copy import copy

        output = copy(self)
        output.ink = self.ink.replaced(color=color)
        return output

    def say(self, *lines: str, to_stderr: bool = False, last: int = 0, below: str = "") -> None:
        """Print lines to stdout, or to stderr with `to_stderr`; at a terminal they are wrapped to its width.

        At the prompt of a game, more lines than the terminal shows above it are printed page by page; the `last` ones,
        which sum them up, stand at the end of every page. With a question `below` they may fill the whole terminal but
        for its line, as the field is not shown while it is asked.
        """
        summary = lines[len(lines) - last :]
        if self.environment.is_terminal:
            lines, summary = (
                tuple(part for line in some for part in self.ink.broken(line, self.environment.width))
                for some in (lines, summary)
            )
        if to_stderr:
            self.environment.err.write("".join(self.ink.clean(line) + "\n" for line in lines))
            self.environment.err.flush()
            return
        page = (self.rows_above((below,)) if below else self.environment.height) or len(lines)
        few, start = max(1, page - 1 - len(summary)), 0
        while len(lines) - start > page:
            shown = (*lines[start : start + few], *summary)
            self._print("".join(self.ink.clean(line) + "\n" for line in shown))
            step = self._page_turned(len(lines) - len(summary) - start - few)
            if not step:
                return
            start = max(0, start + step * few)
        self._print("".join(self.ink.clean(line) + "\n" for line in lines[start:]))

    def _page_turned(self, left: int) -> int:
        """How many pages on the player wants to go: 1, −1, or 0 to leave; another answer is a line for the prompt."""
        try:
            asked = f"{left} more lines: [more], back, quit? "
            answer = self.ask(asked, ("more", "back", "quit"), PAGE_KEYS).strip()
        except (KeyboardInterrupt, Cancelled):
            return 0
        if answer.lower() in ("", "m", "more", "y", "yes"):
            return 1
        if answer.lower() in ("b", "back"):
            return -1
        if answer.lower() not in ("q", "quit", "n", "no"):
            self.typed_ahead.append(answer)
        return 0

    def rows_above(self, below: Iterable[str]) -> int:
        """How many lines the terminal shows above these; 0 for no limit."""
        rows, width = self.environment.rows, self.environment.width
        return max(1, rows - sum(len(self.ink.broken(line, width)) for line in below)) if rows else 0

    def print_text(self, text: str) -> None:
        """Print a whole text as it is meant for a file; at a terminal without what a terminal would obey."""
        shown = (
            map(self.ink.clean, text.split("\n"))
            if self.environment.is_terminal
            else [self.ink.carried(text)]
        )
        self._print("\n".join(shown))

    def print_json(self, record: dict[str, Any]) -> None:
        """Print a record as one line of JSON."""
        self._print(dumped(record) + "\n")

    def print_record(self, action: str, /, **values: Any) -> None:
        """Print what a command gives as one line of JSON: the version, the action, and these values."""
        self.print_json({"v": VERSION, "action": action, **values})

    def _print(self, text: str) -> None:
        """Print and flush a text; FileError if that fails after something was recorded (a closed pipe passes)."""
        try:
            self.environment.out.write(text)
            self.environment.out.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            if not self.recorded:
                raise
            option = f" --file {self.archive_name}" if self.archive_name else ""
            raise FileError(
                f"{self.recorded[-1]} is recorded, but could not be shown: {why(error)}",
                hint=f"nothing is lost; see: crisis log{option}",
                code="recorded",
            ) from error

    def warn(self, message: str, code: str = "sheet") -> None:
        """Print a warning to stderr, with --json as an object with this code, unless it was printed before."""
        if message not in self.warned:
            self.warned.append(message)
            line = warning_line(message, code, self.wants_json)
            width = self.environment.width if self.environment.is_terminal else len(line)
            parts = [line] if self.wants_json else self.ink.broken(line, width)
            with suppress(OSError):
                self.environment.err.write("".join(f"{self.ink.clean(part)}\n" for part in parts))

    def ask(self, prompt: str, answers: Iterable[str] = (), keys: Mapping[str, str] | None = None) -> str:
        """The player's answer to a prompt, one line; Cancelled at the end of input.

        `answers` are those that Tab completes at the prompt of a game, `keys` those that a single key gives there.
        """
        width = self.environment.width - 1 if self.environment.is_terminal else len(prompt)
        question = "\n".join(map(self.ink.clean, self.ink.broken(prompt.rstrip(" "), width))) + " "
        try:
            with self.environment.signals.interruptible():
                return self.environment.ask(
                    question, *((answers, keys or {}) if self.environment.at_prompt else ())
                )
        except EOFError as ended:
            raise Cancelled("stopped", hint="nothing was changed") from ended
