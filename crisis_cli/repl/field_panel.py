"""The panel above the prompt; unchanged lines are not laid out again, so that keys respond at once."""

from __future__ import annotations

import re
from collections.abc import Callable
from zlib import crc32

from prompt_toolkit.layout import Dimension
from prompt_toolkit.layout.containers import Container
from prompt_toolkit.layout.mouse_handlers import MouseHandlers
from prompt_toolkit.layout.screen import Char, Screen, WritePosition

from ..columns import columns, first_columns

Row = tuple[Char, str]
"""A cell that changes when the line does, and the text sent before it."""
STYLES = re.compile(r"(\x1b\[[0-9;]*m)")
PLAIN, CLEAR_ROW, SECOND_COLUMN = "\x1b[0m", "\x1b[K", "\r\x1b[C"
"""Terminal codes: reset the style, clear the rest of the row, go to the second column."""


class FieldPanel(Container):
    """A container of styled lines, one row each, cut off at the edges of the terminal.

    A window of prompt_toolkit works every cell out again at every key, and what draws the screen compares each; here
    a row is a single cell, before which the whole line is sent as it is.
    """

    def __init__(self, lines: Callable[[], list[str]]):
        self.lines = lines
        self._cache: tuple[list[str], int, list[Row]] = ([], 0, [])

    def reset(self) -> None:
        """Nothing to reset: the lines are requested at every drawing."""

    def preferred_width(self, max_available_width: int) -> Dimension:
        """The full width."""
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
        """Put the rows on the screen."""
        rows = self._rows(self.lines(), write_position.width)[: write_position.height]
        for at, (cell, sent) in enumerate(rows, write_position.ypos):
            screen.data_buffer[at][0] = cell
            screen.zero_width_escapes[at][0] = sent
        screen.width = max(screen.width, write_position.width)
        screen.height = max(screen.height, write_position.ypos + len(rows))

    def _rows(self, lines: list[str], width: int) -> list[Row]:
        if self._cache[:2] != (lines, width):
            self._cache = (lines, width, [_row(truncate(line, width)) for line in lines])
        return self._cache[2]

    def get_children(self) -> list[Container]:
        """None."""
        return []


def _row(line: str) -> Row:
    # The cell is empty; its style name is only a checksum for comparing rows.
    return Char("", f"[{crc32(line.encode())}]"), f"{PLAIN}{CLEAR_ROW}{line}{PLAIN}{SECOND_COLUMN}"


def truncate(line: str, width: int) -> str:
    """A styled line, truncated to so many columns."""
    if columns(STYLES.sub("", line)) <= width:
        return line
    result = ""
    for part in STYLES.split(line):
        if STYLES.match(part):
            result += part
            continue
        beginning = first_columns(part, width)
        result, width = result + beginning, width - columns(beginning)
        if beginning != part:
            break
    return result
