"""`crisis attack`."""

from __future__ import annotations

from typing import Any

import click

from ..completion import Source
from ..context import Desk
from ..errors import Usage
from ..sheets.find_fighters import named
from . import options, run_action, setup


@click.command("attack", cls=setup.Sided)
@click.argument("who", nargs=-1, metavar="WHO [TARGET]...", shell_complete=Source("names.fighters"))
@options.fighting
@setup.placing
@options.aiming
@options.switches("attack")
@options.throwing
@options.telling
@options.here
@click.pass_obj
def command(desk: Desk, /, who: tuple[str, ...], **given: Any) -> int:
    """WHO attacks TARGET with the weapon in hand.

    In a crisis WHO may be left out: whoever's turn it is attacks.

    \b
    Examples:
      crisis attack jack drone
      crisis attack jack drone --weapon pistol --range 12 --cover light
      crisis attack jack drone --dice 6,4,3 --explain
    """
    return against(desk, "attack", who, given)


def against(desk: Desk, action: str, who: tuple[str, ...], given: dict[str, Any]) -> int:
    """An attack or a throw of the first one named, or of whoever's turn it is, at the others."""
    beside = [word for word in options.called(given) if word not in who]
    sitting = desk.sit((given["by"], *who) if given["by"] else who, beside)
    sitting = setup.standing(sitting, given.pop("place"))
    actor, targets = run_action.attackers(sitting, who, given["by"], given["force"])
    if sitting.ledger is None:
        # Those whom only options name are there, but nobody's targets.
        onlookers = [named(sitting.scene, word) for word in beside]
        targets = [name for name in targets if name not in onlookers]
    if not targets and not given.get("at"):
        turn = f"it is {actor}'s turn: " if sitting.ledger and actor else ""
        raise Usage(
            f"{turn}{actor or 'somebody'} {action}s whom?", hint=f"crisis {action} {actor or 'WHO'} TARGET"
        )
    return run_action.carry_out(
        desk, sitting, run_action.intent_of(sitting, action, actor, targets, given), given
    )
