"""How many columns a text takes, and which of its characters a screen can show."""

from __future__ import annotations

JOINERS = "\u200c\u200d"
"""Zero-width non-joiner and joiner, with which Persian, Sinhala and others are written, and families of emoji."""
SIGNS = "→·×−…▸●○█░–—“”≥≤▏▎▍▌▋▊▉─±›│▼▲†"
"""The signs of our own beyond ASCII, each one column wide: to measure them no tables are loaded."""
MARKS = "\u0300"
"""Below this character each takes a column; here the marks begin that are set on the letter before them."""


def columns(text: str) -> int:
    """How many columns a text takes that can be shown."""
    if text.isascii() or all(sign < MARKS or sign in SIGNS for sign in text):
        return len(text)
    from wcwidth import wcswidth

    return max(0, wcswidth(text))


def padded(text: str, width: int) -> str:
    """The text with spaces behind it up to a width."""
    return text + " " * (width - columns(text))


def is_printable(text: str) -> bool:
    """Whether a screen can show every character of a text."""
    return text.isprintable() or all(is_shown(text, at) for at in range(len(text)))


def is_shown(text: str, at: int) -> bool:
    """Whether a screen can show a character of a text: a joiner only after a sign beyond ASCII, where scripts have
    them."""
    sign = text[at]
    return sign.isprintable() or (
        sign in JOINERS and at > 0 and not text[at - 1].isascii() and text[at - 1].isprintable()
    )


def in_one_line(text: str) -> str:
    """A text on one line, with a space for all that no screen can show."""
    return " ".join("".join(sign if is_shown(text, at) else " " for at, sign in enumerate(text)).split())


def first_columns(text: str, width: int) -> str:
    """As much of the beginning of a text as fits a width; what is joined stays together."""
    if columns(text) <= width:
        return text
    from bisect import bisect_right

    return text[: bisect_right(range(len(text)), width, key=lambda at: columns(text[:at])) - 1]
