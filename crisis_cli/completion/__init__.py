"""Shell completion: candidates for the word under the cursor.

Each argument and option of a command has a `Source`; click finds the parameter under the cursor.
`shells.answer` answers a shell; the prompt calls `candidates.candidates`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click
    from click.shell_completion import CompletionItem


class Source:
    """The `shell_complete` of a parameter: a function from `CommandLine` to candidates, such as "names.fighters".

    It is given by name, so that commands that complete nothing do not import it.
    """

    def __init__(self, path: str):
        self.path = path

    def __call__(self, ctx: click.Context, param: click.Parameter, begun: str) -> list[CompletionItem]:
        """The candidates for the word after the line of `ctx`; some may not begin with `begun`."""
        from .line import CommandLine

        module, _, name = self.path.partition(".")
        return list(getattr(import_module(f".{module}", __name__), name)(CommandLine(ctx, begun)))
