"""`crisis auto`."""

from __future__ import annotations

from typing import Any

import click

from ..completion import Source
from ..context import Context, Session
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
@click.option("--until-mine", is_flag=True, help="Go on until the turn of a fighter you play.")
@click.option("--explain", is_flag=True, help="Show every modifier with its rule.")
@click.option("--quiet", is_flag=True, help="Print the bare results.")
@options.here
@click.pass_obj
def command(context: Context, /, words: tuple[str, ...], until_mine: bool, **given: Any) -> int:
    """Let fighters play automatically: this turn, or from now on.

    Without arguments, the fighter whose turn it is plays that turn by its doctrine, one of yours too; every action
    is logged with its reason. WHO on hands a fighter over and WHO off takes it back; WHO with the name
    of a doctrine hands it over to that one: beast, careful, coward, cunning, guard, reckless, or a file of your
    own in ./doctrines.

    \b
    Examples:
      crisis auto
      crisis auto --until-mine
      crisis auto ada on
      crisis auto drone coward
    """
    context.require_journal()
    session = context.open_session()
    blank = {"seed": None, "dice": None, "real_dice": False, "mine": False, **given}
    if tuple(word.lower() for word in words) in UNTIL:
        words, until_mine = (), True
    if words:
        if until_mine or len(words) != 2:
            raise Usage(
                "auto takes no argument, or WHO and one of on, off or a doctrine", hint="crisis auto ada on"
            )
        return run_action.carry_out(context, session, _handed(context, session, *words), blank)

    def told(now: Session, entry: Entry, seed: int | None) -> None:
        run_action.show(context, now, entry, seed, blank)

    begun: list[tuple[int, str]] = []

    def until(now: Session, intent: Intent) -> bool:
        """Whether the turn that was asked for is over, or the player's has come."""
        if until_mine:
            return now.scene.fighters[now.scene.turn].player
        begun.append((now.scene.round, now.scene.turn))
        return begun[-1] != begun[0]

    minds = autoplay.minds_of(context, session)
    with autoplay.stays(context, "crisis auto --until-mine" if until_mine else "crisis auto"):
        after = autoplay.played(context, session, minds, blank, told, until)
    if after.scene == session.scene and not given["as_json"]:
        turn = session.scene.turn
        context.say(f"It is {turn}’s turn, and yours to play." if until_mine else "The crisis is decided.")
    return 0


def _handed(context: Context, session: Session, who: str, how: str) -> Intent:
    """The intent of handing a fighter over, or taking it back."""
    name = named(session.scene, who)
    if how.lower() in HANDS:
        if HANDS[how.lower()]:
            context.reaction_of(session.scene.fighters[name])
        return Intent("auto", "", (name,), {"on": HANDS[how.lower()]})
    context.doctrines().named(how)
    return Intent("auto", "", (name,), {"on": True, "doctrine": how})
