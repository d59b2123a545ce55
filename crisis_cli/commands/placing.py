"""Where fighters stand: the option --place, which takes several words as --vs does."""

from __future__ import annotations

from collections.abc import Iterable

import click

from ..completion import Source
from ..errors import Usage
from ..play.placing import Place, parse_position
from .naming import join_names
from .system_options import GroupedCommand

GREEDY = ("--vs", "--against", "--place")
"""Options that take all words up to the next option."""


class SidesCommand(GroupedCommand):
    """A click command in which --vs, --against and --place take all words up to the next option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments after repeating the option before each of its words."""
        # Names are joined first: the option must not be repeated inside one.
        args = join_names(ctx, args)
        spread: list[str] = []
        greedy = ""
        for at, word in enumerate(args):
            if word == "--":
                return super().parse_args(ctx, spread + args[at:])
            if word in GREEDY:
                greedy = word
                if not ctx.resilient_parsing and (at + 1 == len(args) or args[at + 1].startswith("-")):
                    raise click.BadOptionUsage(word, f"{word} needs at least one value.", ctx)
            elif word.startswith("-"):
                greedy = ""
                spread.append(word)
            elif greedy:
                spread += [greedy, word]
            else:
                spread.append(word)
        return super().parse_args(ctx, spread)


place_option = click.option(
    "--place",
    multiple=True,
    metavar="NAME=X,Y...",
    help="Positions of fighters.",
    shell_complete=Source("names.positions"),
)


APART_HELP = (
    "Distance between the sides at the start, in the unit of the system (default: as their sheets say, else 10 m, "
    "7 tiles or 1 zone; 0: no positions)."
)
"""The help of --apart."""


def parsed(words: Iterable[str]) -> tuple[Place, ...]:
    """The places that the words of --place say; Usage if one is not NAME=X,Y."""
    places = []
    for word in words:
        who, equals, where = word.rpartition("=")
        if not equals:
            raise Usage(f"--place takes NAME=X,Y, not {word!r}", code="bad_value")
        places.append((who, parse_position(where)))
    return tuple(places)
