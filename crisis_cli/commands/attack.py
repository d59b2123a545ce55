"""`crisis attack`."""

from __future__ import annotations

from typing import Any

import click

from ..completion import Source
from ..context import Context
from ..errors import Usage
from ..sheets.find_fighters import find_name
from . import options, placing, run_action


@click.command("attack", cls=placing.SidesCommand)
@click.argument("who", nargs=-1, metavar="WHO [TARGET]...", shell_complete=Source("names.fighters"))
@options.attack_options
@placing.place_option
@options.position_option
@options.of_systems("attack")
@options.dice_options
@options.report_options
@options.common_options
@click.pass_obj
def command(context: Context, /, who: tuple[str, ...], **given: Any) -> int:
    """Attack: WHO attacks TARGET with the weapon in hand.

    In a crisis WHO defaults to the fighter whose turn it is.

    \b
    Examples:
      crisis attack jack drone
      crisis attack jack drone --weapon pistol --range 12 --cover light
      crisis attack jack drone --dice 6,4,3 --explain
    """
    return run_attack(context, "attack", who, given)


def run_attack(context: Context, action: str, who: tuple[str, ...], given: dict[str, Any]) -> int:
    """Run an attack or a throw: the actor is --by, the first fighter named, or the one whose turn it is.

    `action` is "attack" or "throw"; returns the exit status.
    """
    others = [word for word in options.fighters_in_options(given) if word not in who]
    session = context.open_session((given["by"], *who) if given["by"] else who, others)
    session = placing.with_one_off_positions(session, given.pop("place"))
    actor, targets = run_action.actor_and_targets(session, who, given["by"], given["force"])
    if session.journal is None:
        # Fighters named only in options are in the scene, but are not targets.
        onlookers = [find_name(session.scene, word) for word in others]
        targets = [name for name in targets if name not in onlookers]
    if not targets and not given.get("at"):
        turn = f"it is {actor}'s turn: " if session.journal and actor else ""
        raise Usage(f"{turn}missing argument: TARGET", hint=f"crisis {action} {actor or 'WHO'} TARGET")
    return run_action.carry_out(
        context, session, run_action.build_intent(session, action, actor, targets, given), given
    )
