"""Colour, widths, and text in the characters that a stream can carry, without control characters."""

from __future__ import annotations

import codecs
import os

from ..columns import SIGNS, columns, first_columns, is_printable, is_shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import IO

STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "magenta": "35", "cyan": "36"}
STYLES |= {"good": STYLES["green"], "bad": STYLES["red"]}
THEMES = {
    "dark": "red=91 green=92 yellow=93 magenta=95 cyan=96",
    "light": "dim=38;5;240 green=38;5;22 yellow=38;5;94 magenta=38;5;90 cyan=38;5;24",
}
"""Styles for a dark and a light screen, with the numbers that differ from `STYLES`."""
PLAIN = {"→": "->", "·": "|", "×": "x", "−": "-", "…": "...", "▸": ">", "●": "*", "○": ".", "█": "#", "░": "."} | {
    "–": "-", "—": "-", "“": '"', "”": '"', "’": "'", "≥": ">=", "≤": "<=", "▏": "|", "▌": "#", "─": "-", "±": "+/-",
    "›": ">", "│": "|", "▼": "v", "▲": "^", "†": "x",
}  # fmt: skip
"""The signs used in output, and their replacements in ASCII."""
FALLBACK = "crisis-fallback"
"""How `codecs` knows what stands for a character that an encoding lacks."""
GLUE = "\N{NO-BREAK SPACE}"
"""A space at which no line is broken."""

LEAST_COLUMNS = 20
"""The columns that texts are laid out for at least; a narrower terminal breaks their lines itself."""
BRACKETS = 24
"""Signs of a remark in brackets at most that is not broken."""


class Ink:
    """How words are printed; called with a style and a text, it gives the text in that style."""

    __slots__ = ("color", "encoding", "mark", "prompt", "signs", "styles")

    def __init__(
        self,
        color: bool = False,
        encoding: str = "utf-8",
        prompt: bool = False,
        styles: Mapping[str, str] = STYLES,
    ):
        self.color = color
        self.styles = styles
        """The numbers that set each style of the terminal."""
        self.encoding = encoding
        """The encoding of the output."""
        self.prompt = prompt
        """Whether commands are typed at the prompt, where the program's name and `act` go without saying."""
        self.signs = self.carried(SIGNS) == SIGNS
        """Whether the output takes all signs of ours."""
        self.mark = f"\x1b{os.urandom(8).hex()}:" if color else ""
        """Stands for a style until the text is cleaned: no text from outside can hold it."""

    @classmethod
    def fitting(
        cls,
        env: Mapping[str, str],
        out: IO[str],
        terminal: bool,
        color: bool | None = None,
        theme: str = "",
        is_ascii: bool = False,
    ) -> Ink:
        """The ink for a stream, by NO_COLOR, FORCE_COLOR, TERM=dumb and the encoding, in the styles of a theme."""
        if color is None:
            forced = env.get("FORCE_COLOR", "") not in ("", "0")
            color = not env.get("NO_COLOR") and (forced or (terminal and env.get("TERM", "") != "dumb"))
        encoding = "ascii" if is_ascii else getattr(out, "encoding", None) or "utf-8"
        return cls(color, encoding, styles=styles_of(theme))

    def replaced(self, color: bool | None = None, prompt: bool | None = None) -> Ink:
        """This ink with another colour, or for another place; None changes nothing."""
        return Ink(
            self.color if color is None else color,
            self.encoding,
            self.prompt if prompt is None else prompt,
            self.styles,
        )

    def __call__(self, style: str, text: str) -> str:
        return f"{self.mark}{self.styles[style]}m{text}{self.mark}0m" if self.color and text else text

    def way(self, command: str) -> str:
        """A command as the player types it here: at the prompt without the program's name."""
        return command.removeprefix("act ") if self.prompt else f"crisis {command}"

    def clean(self, line: str) -> str:
        """A line without anything that a terminal would obey but our own styles, in what the output can carry."""
        if not self.color:
            shown = escaped(line)
        else:
            first, *styled = line.split(self.mark)
            shown = escaped(first)
            for part in styled:
                style, _, rest = part.partition("m")
                shown += f"\x1b[{style}m{escaped(rest)}"
        return self.carried(shown)

    def carried(self, text: str) -> str:
        """The text with something in ASCII for each character that the encoding of the output lacks."""
        return text.encode(self.encoding, FALLBACK).decode(self.encoding)

    def broken(self, line: str, width: int) -> list[str]:
        """The line between whose words it is broken where it is too wide, what follows set in."""
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
        """How many columns a text takes as it is shown, its styles not counted."""
        bare = self._bare(text)
        return len(bare) if bare.isascii() and bare.isprintable() else columns(self.carried(harmless(bare)))

    def _bare(self, text: str) -> str:
        """The text without its styles."""
        if not self.color:
            return text
        first, *styled = text.split(self.mark)
        return first + "".join(part.partition("m")[2] for part in styled)

    def widest(self, texts: Iterable[str]) -> int:
        """How many columns the widest of the texts takes; 0 without any."""
        return max(map(self.length, texts), default=0)

    def padded(self, text: str, width: int) -> str:
        """The text with spaces behind it up to a width."""
        return text + " " * (width - self.length(text))

    def set_right(self, text: str, width: int) -> str:
        """The text with spaces before it up to a width."""
        return " " * (width - self.length(text)) + text

    def first(self, text: str, width: int) -> str:
        """As much of the beginning of a text without styles as fits a width."""
        return text if self.length(text) <= width else first_columns(self.carried(harmless(text)), width)

    def cut(self, text: str, width: int) -> str:
        """A text without styles, cut to a width."""
        if self.length(text) <= width:
            return text
        return self.first(text, max(1, width - self.length("…"))).rstrip() + "…"

    def wrapped(self, text: str, width: int) -> list[str]:
        """A text without styles in lines of a width, broken at spaces but for GLUE, or within a word that is wider."""
        text = GLUE.join(self.carried(harmless(part)) for part in text.split(GLUE))
        if columns(text) == len(text):
            from textwrap import wrap

            return [line.replace(GLUE, " ") for line in wrap(text, width, break_on_hyphens=False)]
        lines = [""]
        for word in text.split(" "):
            if columns(f"{lines[-1]} {word}".strip()) <= width:
                lines[-1] = f"{lines[-1]} {word}".strip()
                continue
            if lines[-1]:
                lines.append("")
            while columns(word) > width and (part := first_columns(word, width)):
                lines[-1:] = [part, ""]
                word = word[len(part) :]
            lines[-1] = word
        return [line.replace(GLUE, " ") for line in lines if line]


def styles_of(theme: str) -> Mapping[str, str]:
    """The styles of a theme: the name of one, or what it says as `red=91 bold=1`."""
    said = THEMES.get(theme, theme)
    if "=" not in said:
        return STYLES
    named = dict(part.split("=", 1) for part in said.split())
    styles = {**STYLES, **named}
    return {**styles, "good": named.get("good", styles["green"]), "bad": named.get("bad", styles["red"])}


def width(env: Mapping[str, str], terminal: bool) -> int:
    """The width in columns: $COLUMNS, or else the terminal's, or else 80; never less than `LEAST_COLUMNS`."""
    said = env.get("COLUMNS", "")
    if said.isascii() and said.isdigit() and int(said[:6]) > 0:
        return max(LEAST_COLUMNS, int(said[:6]))
    try:
        # A terminal that does not know how wide it is says 0.
        return max(LEAST_COLUMNS, (os.get_terminal_size().columns if terminal else 0) or 80)
    except OSError:
        return 80


def rows(terminal: bool) -> int:
    """The height in lines of the terminal; 0 where there is none, or it does not say."""
    try:
        return os.get_terminal_size().lines if terminal else 0
    except OSError:
        return 0


def in_ascii(wrong: UnicodeError) -> tuple[str, int]:
    """Codec error handler: what stands for characters that an encoding lacks, and the position after them."""
    assert isinstance(wrong, UnicodeEncodeError)
    lacking = wrong.object[wrong.start : wrong.end]
    return "".join(PLAIN.get(sign) or _escape(sign) for sign in lacking), wrong.end


codecs.register_error(FALLBACK, in_ascii)


def escaped(line: str) -> str:
    """A line with its line breaks, and all else that a terminal would obey, written as escapes."""
    if is_printable(line):
        return line
    return "".join(sign if is_shown(line, at) else _escape(sign) for at, sign in enumerate(line))


def harmless(text: str) -> str:
    """A text of several lines with what a terminal would obey written as escapes."""
    return "\n".join(map(escaped, text.split("\n")))


def _escape(sign: str) -> str:
    code = ord(sign)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"
