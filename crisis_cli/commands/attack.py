"""`crisis attack`."""

from __future__ import annotations

from typing import Any

import click

from ..completion import Source
from ..context import Context
from ..errors import Usage
from ..sheets.find_fighters import named
from . import options, run_action, setup


@click.command("attack", cls=setup.Sided)
@click.argument("who", nargs=-1, metavar="WHO [TARGET]...", shell_complete=Source("names.fighters"))
@options.fighting
@setup.placing
@options.aiming
@options.of_systems("attack")
@options.throwing
@options.telling
@options.here
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
    return against(context, "attack", who, given)


def against(context: Context, action: str, who: tuple[str, ...], given: dict[str, Any]) -> int:
    """An attack or a throw of the first one named, or of whoever's turn it is, at the others."""
    beside = [word for word in options.called(given) if word not in who]
    session = context.open_session((given["by"], *who) if given["by"] else who, beside)
    session = setup.standing(session, given.pop("place"))
    actor, targets = run_action.attackers(session, who, given["by"], given["force"])
    if session.journal is None:
        # Those whom only options name are there, but nobody's targets.
        onlookers = [named(session.scene, word) for word in beside]
        targets = [name for name in targets if name not in onlookers]
    if not targets and not given.get("at"):
        turn = f"it is {actor}'s turn: " if session.journal and actor else ""
        raise Usage(f"{turn}missing argument: TARGET", hint=f"crisis {action} {actor or 'WHO'} TARGET")
    return run_action.carry_out(
        context, session, run_action.intent_of(session, action, actor, targets, given), given
    )
