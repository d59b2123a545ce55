"""Colour that helps and is never needed, signs that the terminal has, and text made harmless."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import IO

STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}
PLAIN = {"→": "->", "·": "|", "×": "x", "−": "-", "…": "...", "▸": ">", "●": "*", "○": ".", "█": "#", "░": "."} | {
    "–": "-", "—": "-", "“": '"', "”": '"', "’": "'", "≥": ">=", "≤": "<=", "▏": "|", "▌": "#", "─": "-", "±": "+/-"
}  # fmt: skip
"""The signs used in output, and what stands for them where there is only ASCII."""


class Ink:
    """How words are printed; called with a style and a text, it gives the text in that style."""

    __slots__ = ("color", "signs")

    def __init__(self, color: bool = False, signs: bool = True):
        self.color = color
        self.signs = signs
        """Whether the output takes signs beyond ASCII."""

    @classmethod
    def fitting(cls, env: Mapping[str, str], out: IO[str], terminal: bool, color: bool | None = None) -> Ink:
        """The ink for a stream: NO_COLOR, FORCE_COLOR, TERM=dumb and the encoding are heeded."""
        dumb = env.get("TERM", "") == "dumb"
        if color is None:
            forced = env.get("FORCE_COLOR", "") not in ("", "0")
            color = not env.get("NO_COLOR") and (forced or (terminal and not dumb))
        encoding = (getattr(out, "encoding", None) or "utf-8").lower().replace("-", "")
        return cls(color, encoding.startswith("utf") and not (dumb and terminal))

    def __call__(self, style: str, text: str) -> str:
        return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if self.color and text else text

    def clean(self, text: str) -> str:
        """The text without anything that a terminal would obey but our own styles; in ASCII where that is all."""
        parts = text.split("\x1b") if self.color else [text]
        shown = _harmless(parts[0])
        for part in parts[1:]:
            style, m, rest = part.partition("m")
            ours = m and style[:1] == "[" and style[1:] in {*STYLES.values(), "0"}
            shown += f"\x1b{style}m{_harmless(rest)}" if ours else _harmless("\x1b" + part)
        return shown if self.signs else plain(shown)


def width(env: Mapping[str, str], terminal: bool) -> int:
    """The columns there are: as COLUMNS says, else the terminal's, else 80."""
    import os

    said = env.get("COLUMNS", "")
    if said.isascii() and said.isdigit() and int(said[:6]) > 0:
        return int(said[:6])
    try:
        return os.get_terminal_size().columns if terminal else 80
    except OSError:
        return 80


def plain(text: str) -> str:
    """The text in ASCII, as well as it goes."""
    return "".join(PLAIN.get(sign, sign) for sign in text).encode("ascii", "backslashreplace").decode("ascii")


def _harmless(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() or sign == "\n" else _escaped(sign) for sign in text)


def _escaped(sign: str) -> str:
    return f"\\x{ord(sign):02x}" if ord(sign) < 256 else f"\\u{ord(sign):04x}"
