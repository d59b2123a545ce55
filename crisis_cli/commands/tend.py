"""`crisis tend`."""

from __future__ import annotations

from functools import partial

import click

from ..completion import Source
from ..context import Context
from ..engine.sides import decided
from ..play import ending
from ..play.tending import MOST_TRIES, Care, prospect, tend
from ..questions import typed_number
from . import options, run_action
from .end import tell
from .naming import NameJoiningCommand
from .parse_line import LEAVE_WORDS
from .terminal import Terminal

BY = "by"
"""The word before the healer."""


@click.command("tend", cls=NameJoiningCommand)
@click.argument("who", nargs=-1, metavar="[WHO...]", shell_complete=Source("names.sheets"))
@click.option(
    "--by",
    metavar="WHO",
    help="Who treats them (default: the best healer of the party).",
    shell_complete=Source("names.sheets"),
)
@click.option("--item", metavar="NAME", help="Item to treat with (default: the first that heals).")
@click.option(
    "--tries",
    type=click.IntRange(1, MOST_TRIES),
    metavar="N",
    help="Stop after N treatments, and their round.",
)
@options.roll_options
@click.option(
    "--mod", type=options.WHOLE, metavar="N", help="Situational modifier to each treatment; + helps."
)
@click.option("--why", type=options.TextLine(), metavar="TEXT", help="Record this reason in the story.")
@click.option("--yes", is_flag=True, help="Do not ask before it begins.")
@click.option("--explain", is_flag=True, help="Show every modifier with its rule.")
@click.option("--dry-run", is_flag=True, help="Show the first round; change nothing.")
@options.quiet_option
@options.common_options
@click.pass_obj
@options.typed
def command(
    context: Context,
    /,
    run: options.Run,
    yes: bool,
    who: tuple[str, ...],
    by: str | None,
    item: str | None,
    tries: int | None,
    mod: int | None,
    why: str | None,
) -> int:
    """Treat the dying between the fights of a campaign: WHO, by default all of the party who are dying, bleeding or
    down.

    It is a small crisis without foes: the best healer treats the worst patient, and rounds pass as the rules say,
    until nobody is in need, or nobody can help. Each round is recorded in the story with the sheets, and can be
    undone. The merely wounded are treated once they are named.

    \b
    Examples:
      crisis tend
      crisis tend vera --by moss
      crisis tend --tries 3
    """
    if context.environment.is_typed and not by and BY in who[:-1]:
        # As people type it, and as the question spells it.
        at = who.index(BY)
        who, by = who[:at], " ".join(who[at + 1 :])
    asked = Care(who, by or "", tries or 0, item or "", why or "", {"mod": mod})
    context = _after_fight(context, run)
    if not (run.report.as_json or run.report.quiet):
        asks = context.environment.is_interactive and not (yes or run.keep.is_dry)
        begins = _asked_whether(context, asked, asks)
        if begins is None:
            return 130
        asked = begins
    show = partial(run_action.show_done, context, run)
    tend(context.desk, asked, run.dice, run.keep, Terminal(context), show)
    return 0


def _after_fight(context: Context, run: options.Run) -> Context:
    """The context once a fight at the prompt that is decided has ended; the context itself anywhere else."""
    desk = context.desk
    if not (context.environment.at_prompt and desk.places.story_folder and desk.journals.active()):
        return context
    session = desk.open_session()
    if not decided(session.system, session.scene):
        return context
    tell(context, ending.end(desk, session), run.report)
    return context.for_line(context.environment)


def _asked_whether(context: Context, asked: Care, asks: bool) -> Care | None:
    """Show what is about to be done; where the player is asked, the care that they agree to, perhaps by another healer,
    or None."""
    from ..render.care import prospect_lines

    while True:
        context.output.say(*prospect_lines(prospect(context.desk, asked)))
        if not asks:
            return asked
        answers = ("yes", BY, "no")
        answer = context.output.ask(f"Begin? [yes], {BY} WHO, no: ", answers).strip()
        if 0 < typed_number(answer) <= len(answers):
            answer = answers[typed_number(answer) - 1]
        if answer.lower() in ("", "y", "yes"):
            return asked
        if answer.lower() in ("n", "no", *LEAVE_WORDS):
            return None
        word, _, healer = answer.partition(" ")
        asked = asked._replace(by=healer.strip() if word.lower() == BY else answer)
