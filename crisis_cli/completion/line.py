"""The command line before the word that is completed, with the crisis, the actor and the system it is about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

import click

from ..context import Context
from ..engine.journal import Crisis
from ..engine.scene import Fighter, Scene
from ..engine.system import System
from ..errors import CrisisError
from ..play.journals import QUICK
from ..sheets.fighters import fighter
from ..sheets.find_fighters import find_name
from ..sheets.store import copies
from ..systems import every, load

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

WORDS = "crisis_cli.completion.words"
"""The key in click's `Context.meta` under which the words of the line are kept."""


class CommandLine:
    """A command line before the word that is completed."""

    def __init__(self, ctx: click.Context, begun: str):
        context = ctx.find_object(Context)
        assert context is not None
        self.ctx = ctx
        self.context = context
        self.begun = begun
        """The begun word, as far as it is typed."""

    @property
    def words(self) -> list[str]:
        """All words before the begun one, options included."""
        found: list[str] = self.ctx.meta[WORDS]
        return found

    @cached_property
    def arguments(self) -> list[str]:
        """The words of the command that are neither options nor their values."""
        values = [
            self.ctx.params.get(param.name or "")
            for param in self.ctx.command.params
            if isinstance(param, click.Argument)
        ]
        # Click leaves words over where the last option still lacks its value.
        return [*_texts(values), *self.ctx.args]

    def option(self, name: str) -> list[str]:
        """The values of an option that have been typed."""
        return list(_texts([self.ctx.params.get(name)]))

    @cached_property
    def crisis(self) -> Crisis | None:
        """The open crisis; None where there is none that can be read."""
        return self.context.desk.journals.peek(largest=QUICK)

    @cached_property
    def scene(self) -> Scene | None:
        """The scene of the open crisis."""
        return self.crisis.scene if self.crisis else None

    @cached_property
    def actor(self) -> Fighter | None:
        """The fighter who acts: after `--by`, the first argument, or whose turn it is."""
        said = self.option("by")
        words = [*said, *self.arguments[:1]]
        found = self.fighter(words[0]) if words else None
        if self.scene and self.scene.turn and not said:
            attacks = self.ctx.command.name in ("attack", "throw")
            if found is None or (attacks and found.name != self.scene.turn):
                return self.scene.fighters[self.scene.turn]
        return found

    def fighter(self, word: str) -> Fighter | None:
        """The fighter a word names, in the crisis or on a sheet; None where there is none."""
        try:
            if self.scene:
                return self.scene.fighters[find_name(self.scene, word)]
            sheet = self.context.desk.shelves.sheets().read(copies(word)[0])
            return fighter(load(sheet.values["system"]), sheet)
        except (CrisisError, OSError):
            return None

    @cached_property
    def system(self) -> System | None:
        """The system of the crisis or of the first fighter named; None where neither is known."""
        if self.scene:
            return load(self.scene.system)
        one = self.actor or next(filter(None, map(self.fighter, self.arguments[:1])), None)
        return load(one.sheet["system"]) if one else None

    @property
    def systems(self) -> tuple[System, ...]:
        """The system in play, or all of them where it is not known."""
        return (self.system,) if self.system else every()


def _texts(values: Iterable[object]) -> Iterator[str]:
    """Values of parameters as texts, those of several words one by one."""
    for value in values:
        if isinstance(value, tuple):
            yield from _texts(value)
        elif value is not None:
            yield str(value)


Candidates = Iterator["CompletionItem"]


def candidate(value: str, help: str = "", type: str = "plain") -> CompletionItem:
    """A candidate with its help; type "nospace" if the same word goes on after it."""
    from click.shell_completion import CompletionItem

    return CompletionItem(value, type, " ".join(help.split()))
