"""Where fighters stand: the option --place, which takes several words as --vs does."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click

from ..completion import Source
from ..context import Context
from ..errors import Usage
from ..play.placing import Place, parse_position

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


def with_apart_of_folder(
    context: Context,
    *,
    encounter: str | None = None,
    apart: int | None = None,
    place: tuple[str, ...] = (),
    why: str | None = None,
    **given: Any,
) -> dict[str, Any]:
    """The options of a fight, with the distance that .crisis.toml sets where they set none; `why` then says so."""
    set_here = context.environment.configured("apart")
    if set_here and apart is None and not encounter and not place:
        apart, said = int(set_here), f"the sides begin {set_here} apart, as .crisis.toml says"
        why = f"{why}; {said}" if why else said
    return {**given, "encounter": encounter, "apart": apart, "place": place, "why": why}


def parsed(words: Iterable[str]) -> tuple[Place, ...]:
    """The places that the words of --place say; Usage if one is not NAME=X,Y."""
    places = []
    for word in words:
        who, equals, where = word.rpartition("=")
        if not equals:
            raise Usage(f"--place takes NAME=X,Y, not {word!r}", code="bad_value")
        places.append((who, parse_position(where)))
    return tuple(places)
