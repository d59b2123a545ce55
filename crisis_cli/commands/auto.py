"""`crisis auto`."""

from __future__ import annotations

from typing import Any

import click

from ..completion import Source
from ..context import Desk, Sitting
from ..engine.record import Entry
from ..engine.scene import Intent
from ..errors import Usage
from ..sheets.find_fighters import named
from . import autoplay, options, run_action
from .naming import Naming

UNTIL = (("until", "mine"), ("until", "my", "turn"))
"""Words that say the same as --until-mine."""
HANDS = {"on": True, "off": False}


@click.command("auto", cls=Naming)
@click.argument(
    "words",
    nargs=-1,
    metavar="[WHO on|off|DOCTRINE]",
    shell_complete=Source("actions.controlled"),
)
@click.option("--until-mine", is_flag=True, help="Go on until it is the turn of a fighter you decide for.")
@click.option("--explain", is_flag=True, help="Every modifier with its rule.")
@click.option("--quiet", is_flag=True, help="The bare results.")
@options.here
@click.pass_obj
def command(desk: Desk, /, words: tuple[str, ...], until_mine: bool, **given: Any) -> int:
    """Let fighters play themselves: whoever's turn it is, or from now on.

    Without words, whoever's turn it is plays that turn by its doctrine, a fighter of yours too; every action
    stands in the log with its reason. WHO on hands a fighter over and WHO off takes it back; WHO with the name
    of a doctrine hands it over to that one: beast, careful, coward, cunning, guard, reckless, or a file of your
    own in ./doctrines.

    \b
    Examples:
      crisis auto
      crisis auto --until-mine
      crisis auto ada on
      crisis auto drone coward
    """
    desk.open_ledger()
    sitting = desk.sit()
    blank = {"seed": None, "dice": None, "real_dice": False, "mine": False, **given}
    if tuple(word.lower() for word in words) in UNTIL:
        words, until_mine = (), True
    if words:
        if until_mine or len(words) != 2:
            raise Usage("auto takes nobody, or WHO and on, off or a doctrine", hint="crisis auto ada on")
        return run_action.carry_out(desk, sitting, _handed(desk, sitting, *words), blank)

    def told(now: Sitting, entry: Entry, seed: int | None) -> None:
        run_action.show(desk, now, entry, seed, blank)

    begun: list[tuple[int, str]] = []

    def until(now: Sitting, intent: Intent) -> bool:
        """Whether the turn that was asked for is over, or the player's has come."""
        if until_mine:
            return now.scene.fighters[now.scene.turn].player
        begun.append((now.scene.round, now.scene.turn))
        return begun[-1] != begun[0]

    minds = autoplay.minds_of(desk, sitting)
    with autoplay.stays(desk, "crisis auto --until-mine" if until_mine else "crisis auto"):
        after = autoplay.played(desk, sitting, minds, blank, told, until)
    if after.scene == sitting.scene and not given["as_json"]:
        turn = sitting.scene.turn
        desk.say(f"It is {turn}’s turn, and yours to play." if until_mine else "The crisis is decided.")
    return 0


def _handed(desk: Desk, sitting: Sitting, who: str, how: str) -> Intent:
    """The intent of handing a fighter over, or taking it back."""
    name = named(sitting.scene, who)
    if how.lower() in HANDS:
        if HANDS[how.lower()]:
            desk.habit(sitting.scene.fighters[name])
        return Intent("auto", "", (name,), {"on": HANDS[how.lower()]})
    desk.doctrines().named(how)
    return Intent("auto", "", (name,), {"on": True, "doctrine": how})
