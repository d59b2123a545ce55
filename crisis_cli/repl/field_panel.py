"""The lines above the prompt, laid out once for as long as they stay the same: keys are answered at once."""

from __future__ import annotations

import re
from collections.abc import Callable
from zlib import crc32

from prompt_toolkit.layout import Dimension
from prompt_toolkit.layout.containers import Container
from prompt_toolkit.layout.mouse_handlers import MouseHandlers
from prompt_toolkit.layout.screen import Char, Screen, WritePosition
from prompt_toolkit.utils import get_cwidth

Row = tuple[Char, str]
"""A cell that differs where the line does, and what is sent before it."""
STYLES = re.compile(r"(\x1b\[[0-9;]*m)")
PLAIN, BARE, SECOND = "\x1b[0m", "\x1b[K", "\r\x1b[C"
"""Orders to the terminal: no style, the rest of the row empty, on to the second column."""


class Above(Container):
    """Styled lines that take as many rows as there are, and are cut off where the terminal ends.

    A window of prompt_toolkit works every cell out again at every key, and what draws the screen compares each; here
    a row is a single cell, before which the whole line is sent as it is.
    """

    def __init__(self, lines: Callable[[], list[str]]):
        self.lines = lines
        self._drawn: tuple[list[str], int, list[Row]] = ([], 0, [])

    def reset(self) -> None:
        """Nothing: the lines are asked for at every drawing."""

    def preferred_width(self, max_available_width: int) -> Dimension:
        """As wide as there is room."""
        return Dimension()

    def preferred_height(self, width: int, max_available_height: int) -> Dimension:
        """A row for each line."""
        return Dimension.exact(min(len(self.lines()), max_available_height))

    def write_to_screen(
        self,
        screen: Screen,
        mouse_handlers: MouseHandlers,
        write_position: WritePosition,
        parent_style: str,
        erase_bg: bool,
        z_index: int | None,
    ) -> None:
        """The rows, put on the screen as they are."""
        rows = self._rows(self.lines(), write_position.width)[: write_position.height]
        for at, (cell, sent) in enumerate(rows, write_position.ypos):
            screen.data_buffer[at][0] = cell
            screen.zero_width_escapes[at][0] = sent
        screen.width = max(screen.width, write_position.width)
        screen.height = max(screen.height, write_position.ypos + len(rows))

    def _rows(self, lines: list[str], width: int) -> list[Row]:
        if self._drawn[:2] != (lines, width):
            self._drawn = (lines, width, [_row(cut(line, width)) for line in lines])
        return self._drawn[2]

    def get_children(self) -> list[Container]:
        """None."""
        return []


def _row(line: str) -> Row:
    # The cell is empty, and its name of a style means nothing: it is there to be compared.
    return Char("", f"[{crc32(line.encode())}]"), f"{PLAIN}{BARE}{line}{PLAIN}{SECOND}"


def cut(line: str, width: int) -> str:
    """A styled line, cut off where it is wider than so many columns."""
    if get_cwidth(STYLES.sub("", line)) <= width:
        return line
    kept = ""
    for part in STYLES.split(line):
        if STYLES.match(part):
            kept += part
            continue
        for sign in part:
            width -= get_cwidth(sign)
            if width < 0:
                return kept
            kept += sign
    return kept
