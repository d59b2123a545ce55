"""`crisis auto`."""

from __future__ import annotations

import click

from ..completion import Source
from ..context import Context
from ..engine.scene import Intent
from ..errors import Usage
from ..play.attacking import Planned
from ..play.dice import Dice
from ..play.ending import require_undecided
from ..play.fight import Fight
from ..play.results import Result
from ..play.session import Session
from ..play.turns import Plays
from ..render import data
from ..render.command_text import slug
from ..sheets.find_fighters import find_name
from . import autofight, options, run_action
from .acting import ActingOnNames
from .parse_line import UNTIL_MINE
from .terminal import Terminal

ON_OFF = {"on": True, "off": False}


@click.command("auto", cls=ActingOnNames)
@click.argument(
    "words", nargs=-1, metavar="[WHO on|off|DOCTRINE]", shell_complete=Source("actions.auto_arguments")
)
@click.option("--until-mine", is_flag=True, help="Go on until the turn of a fighter you play.")
@options.reasons_option
@click.option("--explain", is_flag=True, help="Show every modifier with its rule.")
@click.option("--quiet", is_flag=True, help="Print the bare results.")
@options.common_options
def command(context: Context, /, run: options.Run, words: tuple[str, ...], until_mine: bool) -> Planned | int:
    """Let fighters play automatically: this turn, or from now on.

    Without arguments, the fighter whose turn it is plays this turn automatically, even one of yours. It follows
    its doctrine, and the log gives the reason for each action. WHO on hands a fighter over and WHO off takes it
    back. WHO DOCTRINE hands it over with that doctrine: beast, careful, coward, cunning, guard, reckless, or a
    file of your own in ./doctrines.

    \b
    Examples:
      crisis auto
      crisis auto --until-mine
      crisis auto ada on
      crisis auto drone coward
    """
    journal = context.desk.journals.require()
    session = context.desk.open_session()
    if [word.lower() for word in words] in UNTIL_MINE:
        words, until_mine = (), True
    if words:
        if until_mine or len(words) != 2:
            raise Usage(
                "auto takes no argument, or WHO and one of on, off or a doctrine",
                hint=f"crisis auto {slug(next(iter(session.scene.fighters)))} on",
                code="bad_value",
            )
        return Planned(session, _control_intent(context, session, *words))

    if run.is_weighed:
        return 0
    require_undecided(session)

    done: list[Result] = []

    def show(now: Result) -> None:
        done.append(now)
        run_action.show_entry(context, now, run.report)

    def stops(now: Session, intent: Intent) -> bool:
        """Whether a turn of the player has come, or the turn that was to be played is over."""
        if until_mine:
            return now.scene.fighters[now.scene.turn].player
        return (now.scene.round, now.scene.turn) != (session.scene.round, session.scene.turn)

    asks = context.environment.is_interactive and not run.report.as_json
    plays = Plays(lambda scene: False, lambda fighter: asks and fighter.player)
    fight = Fight(context.desk, session, plays, Dice(), show)
    with autofight.report_interrupt(context, "crisis auto --until-mine" if until_mine else "crisis auto"):
        Terminal(context).carry(fight, stops)
    if done:
        return 0
    if run.report.as_json:
        context.output.print_json(data.status(fight.scene, session.system, journal.crisis.seed))
    elif fight.scene == session.scene:
        context.output.say(f"It is {session.scene.turn}'s turn, and yours to play.")
    else:
        context.output.say(f"Another program has played on: it is {fight.scene.turn}'s turn now.")
    return 0


def _control_intent(context: Context, session: Session, who: str, control: str) -> Intent:
    """The intent that lets a fighter play automatically, or gives it back to the player."""
    name = find_name(session.scene, who)
    if control.lower() in ON_OFF:
        if ON_OFF[control.lower()]:
            context.desk.shelves.doctrine_of(session.scene.fighters[name])
        return Intent("auto", "", (name,), {"on": ON_OFF[control.lower()]})
    context.desk.shelves.doctrines().named(control)
    return Intent("auto", "", (name,), {"on": True, "doctrine": control})
