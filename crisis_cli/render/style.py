"""Colour, ASCII fallbacks for terminals that need them, and removal of control characters."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import IO

STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "magenta": "35", "cyan": "36"}
PLAIN = {"→": "->", "·": "|", "×": "x", "−": "-", "…": "...", "▸": ">", "●": "*", "○": ".", "█": "#", "░": "."} | {
    "–": "-", "—": "-", "“": '"', "”": '"', "’": "'", "≥": ">=", "≤": "<=", "▏": "|", "▌": "#", "─": "-", "±": "+/-",
    "›": ">", "│": "|",
}  # fmt: skip
"""The signs used in output, and their replacements in ASCII."""

BRACKETS = 24
"""Signs of a remark in brackets at most that is not broken."""


class Ink:
    """How words are printed; called with a style and a text, it gives the text in that style."""

    __slots__ = ("color", "mark", "prompt", "signs")

    def __init__(self, color: bool = False, signs: bool = True, prompt: bool = False):
        self.color = color
        self.prompt = prompt
        """Whether commands are typed at the prompt, where the program's name and `act` go without saying."""
        self.signs = signs
        """Whether the output takes signs beyond ASCII."""
        self.mark = f"\x1b{os.urandom(8).hex()}:" if color else ""
        """Stands for a style until the text is cleaned: no text from outside can hold it."""

    @classmethod
    def fitting(cls, env: Mapping[str, str], out: IO[str], terminal: bool, color: bool | None = None) -> Ink:
        """The ink for a stream, by NO_COLOR, FORCE_COLOR, TERM=dumb and the encoding."""
        dumb = env.get("TERM", "") == "dumb"
        if color is None:
            forced = env.get("FORCE_COLOR", "") not in ("", "0")
            color = not env.get("NO_COLOR") and (forced or (terminal and not dumb))
        encoding = (getattr(out, "encoding", None) or "utf-8").lower().replace("-", "")
        return cls(color, encoding.startswith("utf") and not (dumb and terminal))

    def __call__(self, style: str, text: str) -> str:
        return f"{self.mark}{STYLES[style]}m{text}{self.mark}0m" if self.color and text else text

    def way(self, command: str) -> str:
        """A command as the player types it here: at the prompt without the program's name."""
        return command.removeprefix("act ") if self.prompt else f"crisis {command}"

    def clean(self, line: str) -> str:
        """A line without anything that a terminal would obey but our own styles; in ASCII where that is all."""
        if not self.color:
            shown = escaped(line)
        else:
            first, *styled = line.split(self.mark)
            shown = escaped(first)
            for part in styled:
                style, _, rest = part.partition("m")
                shown += f"\x1b[{style}m{escaped(rest)}"
        return shown if self.signs else plain(shown)

    def broken(self, line: str, width: int) -> list[str]:
        """The line between whose words it is broken where it is too wide, what follows set in."""
        # ASCII writes some signs with more letters: `->`.
        line = line if self.signs else plain(line)
        if self.length(line) <= width:
            return [line]
        lead = " " * (len(line) - len(line.lstrip(" ")) + 4)
        parts = [""]
        for word in self._words(line):
            if parts[-1].strip() and self.length(f"{parts[-1]}{word}") > width:
                parts[-1] = parts[-1].rstrip(" ")
                parts.append(lead)
            parts[-1] += word + " "
        parts[-1] = parts[-1].rstrip(" ")
        return parts

    def _words(self, line: str) -> Iterator[str]:
        """The parts between which a line may be broken: words, and short texts in brackets."""
        words = line.split(" ")
        while words:
            end = next((at for at, word in enumerate(words) if ")" in word), 0) if words[0][:1] == "(" else 0
            whole = " ".join(words[: end + 1])
            if self.length(whole) > BRACKETS:
                whole, end = words[0], 0
            yield whole
            del words[: end + 1]

    def length(self, text: str) -> int:
        """How wide a text is, its styles not counted."""
        if not self.color:
            return len(text)
        first, *styled = text.split(self.mark)
        return len(first) + sum(len(part.partition("m")[2]) for part in styled)


def width(env: Mapping[str, str], terminal: bool) -> int:
    """The width in columns: $COLUMNS, or else the terminal's, or else 80."""
    said = env.get("COLUMNS", "")
    if said.isascii() and said.isdigit() and int(said[:6]) > 0:
        return int(said[:6])
    try:
        # A terminal that does not know how wide it is says 0.
        return (os.get_terminal_size().columns if terminal else 0) or 80
    except OSError:
        return 80


def rows(terminal: bool) -> int:
    """The height in lines of the terminal; 0 where there is none, or it does not say."""
    try:
        return os.get_terminal_size().lines if terminal else 0
    except OSError:
        return 0


def plain(text: str) -> str:
    """The text in ASCII, with replacements for other characters."""
    return "".join(PLAIN.get(sign, sign) for sign in text).encode("ascii", "backslashreplace").decode("ascii")


def escaped(line: str) -> str:
    """A line with its line breaks, and all else that a terminal would obey, written as escapes."""
    if line.isprintable():
        return line
    return "".join(sign if sign.isprintable() else _escape(sign) for sign in line)


def harmless(text: str) -> str:
    """A text of several lines with what a terminal would obey written as escapes."""
    return "\n".join(map(escaped, text.split("\n")))


def _escape(sign: str) -> str:
    code = ord(sign)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"
