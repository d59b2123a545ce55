"""`crisis attack`."""

from __future__ import annotations

from typing import Any

import click

from ..completion import Source
from ..desk import Desk
from ..errors import Usage
from ..sheets.cast import named
from . import deed, opening, options


@click.command("attack", cls=opening.Sided)
@click.argument("who", nargs=-1, metavar="WHO [TARGET]...", shell_complete=Source("names.fighters"))
@options.fighting
@opening.placing
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
    sitting = opening.standing(sitting, given.pop("place"))
    actor, targets = deed.attackers(sitting, who, given["by"], given["force"])
    if sitting.ledger is None:
        # Those whom only options name are there, but nobody's targets.
        onlookers = [named(sitting.scene, word) for word in beside]
        targets = [name for name in targets if name not in onlookers]
    if not targets and not given.get("at"):
        turn = f"it is {actor}'s turn: " if sitting.ledger and actor else ""
        raise Usage(
            f"{turn}{actor or 'somebody'} {action}s whom?", hint=f"crisis {action} {actor or 'WHO'} TARGET"
        )
    return deed.carry_out(desk, sitting, deed.intent_of(sitting, action, actor, targets, given), given)
