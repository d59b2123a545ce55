"""`crisis goal`."""

from __future__ import annotations

import click

from ..context import Context
from ..systems import load
from . import options


@click.command("goal")
@options.common_options
@click.pass_obj
def command(context: Context, /, as_json: bool = False) -> int:
    """Show what wins the open crisis, what loses it, and how near each is.

    Looking takes no turn and is not logged. goals, objective and win mean the same.

    \b
    Examples:
      crisis goal
      crisis goal --json
    """
    from ..render.goals import goal_lines, progress

    scene = context.desk.journals.latest().crisis.scene
    system = load(scene.system)
    if as_json:
        context.output.print_record("goal", goals=[one.to_dict() for one in progress(system, scene)])
    else:
        context.output.say(*goal_lines(system, scene, context.output.ink, context.environment.width))
    return 0
