"""Where fighters stand: the option --place, which takes several words as --vs does."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from ..completion import Source
from ..context import Context
from ..errors import Usage
from ..play.placing import Place, parse_position

if TYPE_CHECKING:
    from ..play.opening import Opening

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


def with_apart_of_folder(context: Context, asked: Opening) -> tuple[Opening, str]:
    """The opening, with the distance that .crisis.toml sets where no word says where fighters stand; and the sentence
    that says so."""
    distance = context.environment.configured("apart")
    if not distance or asked.apart is not None or asked.encounter or asked.places:
        return asked, ""
    return asked._replace(apart=int(distance)), f"the sides begin {distance} apart, as .crisis.toml says"


def with_apart_told(context: Context, asked: Opening) -> Opening:
    """The opening, with the distance that .crisis.toml sets, recorded among its reasons."""
    asked, said = with_apart_of_folder(context, asked)
    return asked._replace(why="; ".join(filter(None, (asked.why, said))))


def parsed(words: Iterable[str]) -> tuple[Place, ...]:
    """The places that the words of --place say; Usage if one is not NAME=X,Y."""
    places = []
    for word in words:
        who, equals, where = word.rpartition("=")
        if not equals:
            raise Usage(f"--place takes NAME=X,Y, not {word!r}", code="bad_value")
        places.append((who, parse_position(where)))
    return tuple(places)
