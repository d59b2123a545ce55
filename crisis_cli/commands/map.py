"""`crisis map`."""

from __future__ import annotations

import click

from ..completion import Source
from ..context import Context
from ..engine.scene import Scene
from ..errors import Refused
from ..render import field
from ..sheets.find_fighters import find_name
from ..systems import load
from . import options
from .naming import NameJoiningCommand


@click.command("map", cls=NameJoiningCommand)
@click.option(
    "--sight",
    metavar="WHO",
    shell_complete=Source("names.all_fighters"),
    help="Draw what WHO sees, and list who is out of sight or in cover.",
)
@click.option(
    "--reach", is_flag=True, help="Mark where WHO of --sight, or the actor, can go now with one action."
)
@options.common_options
@click.pass_obj
def command(context: Context, /, sight: str | None, reach: bool, as_json: bool) -> int:
    """Draw the field of the open crisis: terrain, positions, cover, and distances from the actor.

    Positions come from --place in crisis init, from the sheets, from movement, and from crisis set. Terrain comes with
    an encounter; its legend stands beside the map. --sight and --reach need a map with terrain.

    \b
    Examples:
      crisis map
      crisis map --sight jack
      crisis map --reach
      crisis set jack at 3,4
    """
    scene = context.desk.journals.latest().crisis.scene
    system = load(scene.system)
    looking = find_name(scene, sight) if sight is not None else ""
    going = (looking or scene.turn) if reach else ""
    if looking or reach:
        _check(scene, looking or going)
    if as_json:
        context.output.print_json(field.record(scene, system, looking, going))
    else:
        environment = context.environment
        size = environment.width, environment.height
        context.output.say(*field.field(scene, system, context.output.ink, *size, looking, going))
    return 0


def _check(scene: Scene, who: str) -> None:
    """Refused if there is no terrain, or no fighter with a position to look at it."""
    if scene.field is None:
        hint = "what stands between two fighters: crisis set WHO cover:NAME heavy"
        raise Refused("this crisis has no map with terrain", hint=hint, code="no_map")
    if not who:
        raise Refused(
            "no turn has begun", hint="name a fighter: crisis map --sight WHO --reach", code="no_turn"
        )
    if scene.fighters[who].at is None:
        raise Refused(f"{who} has no position", hint=f"crisis set {who} at X,Y", code="no_position")
