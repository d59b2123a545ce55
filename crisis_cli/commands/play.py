"""`crisis play`."""

from __future__ import annotations

from typing import Any

import click

from ..desk import Desk, Sitting
from ..errors import Usage
from ..play.encounter import standing
from ..play.events import folded
from ..play.record import Entry
from ..play.scene import Intent
from ..sheets import ending
from ..show.board import board
from . import alone, deed, opening, options


@click.command("play", cls=opening.Sided)
@click.argument("who", nargs=-1, metavar="[WHO...]")
@opening.opening
@click.option("--auto", is_flag=True, help="The fight fights itself.")
@click.option(
    "--rounds", type=click.IntRange(1, 10_000), default=200, help="Rounds at most, then a draw (200)."
)
@options.throwing
@click.option("--save", is_flag=True, help="Write the sheets at the end.")
@click.option("--explain", is_flag=True, help="Every modifier with its rule.")
@click.option("--quiet", is_flag=True, help="Only who holds the field.")
@options.here
@click.pass_obj
def command(desk: Desk, /, who: tuple[str, ...], auto: bool, rounds: int, save: bool, **given: Any) -> int:
    """Play a crisis at a prompt: the open one, or a new one of WHO against those after --vs.

    Your fighters do what you type, everyone else plays by a doctrine. With --auto the whole fight fights itself,
    and no prompt is needed.

    \b
    Examples:
      crisis play jack ada --vs drone:3
      crisis play
      crisis play jack --vs drone --auto
      crisis play jack --vs drone:2 --auto --seed 7
    """
    if not auto and not desk.world.interactive:
        raise Usage(
            "there is no terminal to play at", hint="let the fight fight itself: crisis play … --auto"
        )
    if given["dice"] is not None:
        raise Usage("a whole fight takes no list of faces", hint="let them fall: --seed N")
    if who or given["vs"]:
        _, fighters = desk.gather(who, given["vs"], decide_sides=True)
        alone.heard(desk, fighters)
        sitting, entry, seed = opening.opened(desk, who, given)
        if not given["quiet"]:
            deed.show(desk, sitting, entry, seed, given)
    else:
        desk.open_ledger()
        sitting = desk.sit()
    if not auto:
        from ..repl.game import Game

        desk.usual = options.dice({**given, "seed": None})
        return Game(desk).play()
    alone.heard(desk, sitting.scene.fighters.values())
    given = {**given, "seed": None, "order": None, "alone": True}
    sitting = _fought(desk, sitting, rounds, given)
    sides = list(standing(sitting.system, sitting.scene))
    if not given["as_json"] and not given["quiet"]:
        desk.say("", *board(sitting.scene, sitting.system, desk.ink, desk.world.width), "")
    last, crisis_seed, sitting = deed.performed(desk, sitting, Intent("end", "", (), {"save": save}), given)
    assert sitting.ledger is not None
    ending.finish(desk.store(), desk.warn, sitting.ledger)
    if given["as_json"]:
        deed.show(desk, sitting, last, crisis_seed, given)
    else:
        won = (
            f"The {sides[0]} hold the field"
            if len(sides) == 1
            else "Nobody is left"
            if not sides
            else "A draw"
        )
        rounds_played = sitting.scene.round
        after = "1 round" if rounds_played == 1 else f"{rounds_played} rounds"
        desk.say(desk.ink("bold", f"{won} after {after}."))
    return 0


def _fought(desk: Desk, sitting: Sitting, rounds: int, given: dict[str, Any]) -> Sitting:
    """The sitting after the fight has fought itself to its end, or for as many rounds as it may."""

    def told(sitting: Sitting, entry: Entry, seed: int | None) -> None:
        if not given["quiet"]:
            deed.show(desk, sitting, entry, seed, given)

    def until(now: Sitting, intent: Intent) -> bool:
        if now.scene.round < rounds or intent.action in now.system.ACTIONS:
            return False
        entry, _ = deed.entered(desk, options.dice(given), now, intent)
        return folded(now.scene, entry.events).round > rounds

    return alone.played(desk, sitting, alone.minds_of(desk, sitting), given, told, until)
