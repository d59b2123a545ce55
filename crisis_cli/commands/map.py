"""`crisis map`."""

from __future__ import annotations

import click

from ..context import Context
from ..render import field
from ..systems import load
from . import options


@click.command("map")
@options.common_options
@click.pass_obj
def command(context: Context, /, as_json: bool) -> int:
    """Draw the field of the open crisis: positions, cover, and distances from the actor.

    Positions come from --place in crisis init, from the sheets, from movement, and from crisis set.

    \b
    Examples:
      crisis map
      crisis set jack at 3,4
    """
    scene = context.latest_journal().crisis.scene
    system = load(scene.system)
    if as_json:
        context.print_json(field.record(scene, system))
    else:
        environment = context.environment
        context.say(*field.field(scene, system, context.ink, environment.width, environment.height))
    return 0
