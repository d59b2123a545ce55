"""The lines above the prompt, laid out once for as long as they stay the same: keys are answered at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from prompt_toolkit.formatted_text import ANSI, to_formatted_text
from prompt_toolkit.layout import Dimension
from prompt_toolkit.layout.containers import Container
from prompt_toolkit.layout.mouse_handlers import MouseHandlers
from prompt_toolkit.layout.screen import Char, Screen, WritePosition
from prompt_toolkit.utils import get_cwidth

Cells = dict[int, Char]


class Above(Container):
    """Styled lines that take as many rows as there are, and are cut off where the terminal ends.

    A window of prompt_toolkit works every cell out again at every key; here whole rows are handed to the screen.
    """

    def __init__(self, lines: Callable[[], list[str]]):
        self.lines = lines
        self._drawn: tuple[list[str], int, list[Cells]] = ([], 0, [])

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
        for at, row in enumerate(rows):
            screen.data_buffer[write_position.ypos + at].update(row)
        screen.width = max(screen.width, write_position.width)
        screen.height = max(screen.height, write_position.ypos + len(rows))

    def _rows(self, lines: list[str], width: int) -> list[Cells]:
        if self._drawn[:2] != (lines, width):
            self._drawn = (lines, width, [_cells(line, width) for line in lines])
        return self._drawn[2]

    def get_children(self) -> list[Container]:
        """None."""
        return []


def _cells(line: str, width: int) -> Cells:
    """A styled line as cells, by column."""
    cells: Cells = {}
    column = 0
    fragment: Any
    for fragment in to_formatted_text(ANSI(line)):
        for sign in fragment[1]:
            wide = get_cwidth(sign)
            if column + wide > width:
                return cells
            cells[column] = Char(sign, fragment[0])
            column += wide
    return cells
