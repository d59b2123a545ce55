"""`crisis questions`."""

from __future__ import annotations

import click

from ..completion import Source
from ..context import Context
from ..engine.question_settings import AGAIN, QUESTIONS, SETTINGS, setting_for
from ..engine.scene import Intent
from ..errors import Usage
from ..play.attacking import Planned
from ..sheets.find_fighters import find_name
from . import options
from .acting import Acting

WORDS = (*SETTINGS, AGAIN)
"""The words that the verb takes as a setting."""


@click.command("questions", cls=Acting)
@click.argument(
    "setting", required=False, metavar="[all|few|none|again]", shell_complete=Source("actions.questions")
)
@click.argument("who", required=False, metavar="[WHO]", shell_complete=Source("actions.fighters"))
@options.common_options
def command(context: Context, /, run: options.Run, setting: str | None, who: str | None) -> Planned | int:
    """Set what you are asked in the middle of actions: all, few or none. Without arguments, show the setting.

    few, the default, asks where the answer matters: where it is worth a point of life on average (or a tenth of what is
    left, if that is more), 10 points of the chance to go down, or 15 points of the chance to save a roll. Extra dice
    and rounds are asked for once in a fight; later the answer is the same. So it is where a roll of one kind is left as
    it fell, unless somebody may die of it. Before the first turn nothing is asked. Shots made ready, and kill or spare,
    are always asked for. all asks wherever an answer makes a difference. none takes the best of what is free, and buys
    nothing.

    again forgets the answers that hold for later: those for extra dice, rounds and rolls, and those given with an
    exclamation mark. Scripts and programs are asked everything.

    \b
    Examples:
      crisis questions
      crisis questions all
      crisis questions none ada
      crisis questions again
    """
    done = context.desk.journals.require().crisis.done
    session = context.desk.open_session()
    if setting is None:
        for_all = setting_for(done)
        set_for = {name: setting_for(done, name) for name in session.scene.fighters}
        if run.report.as_json:
            context.output.print_record(QUESTIONS, questions=for_all, fighters=set_for)
        else:
            others = (f"{name}: {value}" for name, value in set_for.items() if value != for_all)
            context.output.say(f"Questions: {', '.join([for_all, *others])}")
        return 0
    if setting.lower() not in WORDS:
        raise Usage(
            f"questions are {', '.join(SETTINGS)} or {AGAIN}, not {setting!r}",
            hint="crisis questions few",
            code="bad_value",
        )
    name = find_name(session.scene, who) if who else None
    return Planned(session, Intent(QUESTIONS, "", (), {"value": setting.lower(), "who": name}))
