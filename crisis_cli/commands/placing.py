"""Where fighters stand: the option --place, which takes several words as --vs does."""

from __future__ import annotations

from collections.abc import Iterable

import click

from ..completion import Source
from ..engine.scene import Scene
from ..engine.unit import Unit
from ..errors import Usage
from ..play.session import Session
from ..sheets.find_fighters import find_name
from . import options as shared
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
USUAL_METRES = 10
"""How far apart sides begin a fight if neither --apart nor a sheet nor the unit of the system says."""
IN_A_ROW = 2
"""How far fighters of one side begin from each other, in distances at which two are beside each other."""


def suggested_distance(scene: Scene) -> int | None:
    """How far apart a fight begins by the first sheet that says so (`[fight]`); None if none does."""
    said = ((one.sheet.get("fight") or {}).get("apart") for one in scene.fighters.values())
    return next((apart for apart in said if apart), None)


def deployed(scene: Scene, unit: Unit, apart: int | None) -> Scene:
    """The scene with each side in a row, `apart` units from the other or as far as a sheet suggests; as it is for 0,
    or if one has a position."""
    if apart == 0 or any(one.at for one in scene.fighters.values()):
        return scene
    gap = apart or suggested_distance(scene) or unit.apart or max(1, round(USUAL_METRES / unit.metres))
    sides = list(dict.fromkeys(one.side for one in scene.fighters.values()))
    fighters = dict(scene.fighters)
    for column, side in enumerate(sides):
        row = [name for name, one in fighters.items() if one.side == side]
        for at, name in enumerate(row):
            fighters[name] = fighters[name]._replace(at=(gap * column, IN_A_ROW * unit.beside * at))
    return scene._replace(fighters=fighters)


def with_positions(scene: Scene, places: Iterable[str]) -> Scene:
    """The scene with fighters moved to the positions of --place; Usage if one is not NAME=X,Y."""
    fighters = dict(scene.fighters)
    for word in places:
        who, equals, where = word.rpartition("=")
        if not equals:
            raise Usage(f"--place takes NAME=X,Y, not {word!r}", code="bad_value")
        name, at = find_name(scene, who), shared.parse_position(where)
        if scene.field is not None and scene.field.at(at).stops_move:
            from ..engine.field import standing_at

            raise Usage(
                f"{name} cannot begin there: {standing_at(scene.field, at)}",
                hint=f"the map: crisis encounter show {scene.encounter.file if scene.encounter else 'NAME'} --map",
                code="bad_value",
            )
        fighters[name] = fighters[name]._replace(at=at)
    return scene._replace(fighters=fighters)


def with_one_off_positions(session: Session, places: Iterable[str]) -> Session:
    """The one-off session with fighters at the positions of --place; Usage in a crisis."""
    places = tuple(places)
    if places and session.journal is not None:
        raise Usage(
            "--place is for beginnings and one-offs",
            hint="in a crisis: crisis set WHO at X,Y",
            code="not_in_a_crisis",
        )
    return session._replace(scene=with_positions(session.scene, places))
