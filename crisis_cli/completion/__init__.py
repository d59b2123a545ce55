"""Shell completion: what may stand where the cursor is, and how each shell asks for it.

A command names a source beside each argument and option; click finds the parameter that is wanted.
`shells.answer` answers bash, zsh and fish; the prompt asks `offers.offers` itself.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click
    from click.shell_completion import CompletionItem


class Source:
    """The `shell_complete` of a parameter: a function from `Line` to offers, such as "names.fighters".

    It is named, not imported, because commands that complete nothing should not load it.
    """

    def __init__(self, path: str):
        self.path = path

    def __call__(self, ctx: click.Context, param: click.Parameter, begun: str) -> list[CompletionItem]:
        """The words that may stand behind the line of `ctx`; those that do not fit `begun` may be among them."""
        from .line import Line

        module, _, name = self.path.partition(".")
        return list(getattr(import_module(f".{module}", __name__), name)(Line(ctx, begun)))
