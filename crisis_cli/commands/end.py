"""`crisis end`."""

from __future__ import annotations

from collections.abc import Iterator

import click

from ..context import Context
from ..engine.journal import Crisis
from ..engine.sides import decided, standing
from ..engine.system import System
from ..play import ending
from ..play.results import Result
from ..play.session import Session
from ..render.closing import bare_verdict, closing
from ..sheets.fighters import numbered
from . import options, run_action

LONGEST_STORY = 300
"""Entries up to which the end of a fight also says how lucky the sides were."""


@click.command("end")
@click.option("--no-save", is_flag=True, help="Do not save the sheets.")
@click.option("--yes", is_flag=True, help="Do not ask if both sides still stand.")
@click.option(
    "--name", type=options.TextLine(), metavar="TEXT", help="In a campaign: what the fight is called."
)
@click.option("--why", type=options.TextLine(), metavar="TEXT", help="Record this reason in the log.")
@click.option(
    "--quiet", is_flag=True, help="Print only the winning side and the number of rounds: players 10."
)
@options.common_options
@click.pass_obj
@options.typed
def command(
    context: Context, /, run: options.Run, no_save: bool, yes: bool, name: str | None, why: str | None
) -> int:
    """End the crisis: save wounds, conditions and supplies to the sheets, and archive the journal.

    At a terminal it asks first if more than one side still stands. To end a turn, use crisis next. An end
    is undone with crisis undo. In a campaign the journal is moved into its journals folder, under a number.

    \b
    Examples:
      crisis end
      crisis end --no-save --yes
    """
    desk = context.desk
    desk.journals.require()
    session = desk.open_session()
    if context.environment.is_interactive and not yes and not _confirm(context, session):
        context.output.say(
            f"The crisis goes on. To end the turn: {context.output.ink.way('next')}", to_stderr=True
        )
        return 130
    (session, entry, seed), archive, sheets = ending.end(desk, session, not no_save, why or "", name or "")
    assert session.journal is not None
    output, crisis = context.output, session.journal.crisis
    output.archive_name = archive
    if run.report.quiet and not run.report.as_json:
        output.say(bare_verdict(crisis.last_scene, session.system))
        return 0
    run_action.show_entry(context, Result(session, entry, seed), run.report)
    if not run.report.as_json:
        if context.environment.is_interactive:
            output.say(*_story(context, crisis, session.system))
        output.say(*closing(crisis.done, crisis.last_scene, session.system, output.ink))
        if sheets:
            output.say(f"  sheets saved: {', '.join(sheets)}")
        show_journal_name(context, archive, is_seeded=False)
        if context.environment.is_interactive:
            output.say(output.ink("dim", f"  next: {_next_steps(context, crisis)}"))
    return 0


def _next_steps(context: Context, crisis: Crisis) -> str:
    """What a player may want to do after the end, as lines for the shell."""
    recap = (
        f"; all of it: crisis log --recap {context.output.archive_name}"
        if context.output.archive_name
        else ""
    )
    return f"to undo it: crisis undo; to fight again: crisis play {play_again(crisis)}{recap}"


def play_again(crisis: Crisis) -> str:
    """The words that begin a fight again: its encounter, with who plays it if not its party, or the sheets."""
    from ..story.command_line import sheet_words, spelled

    fighters, encounter = tuple(crisis.start.fighters.values()), crisis.start.encounter
    if encounter is None:
        return spelled(sheet_words(fighters))
    who = sheet_words([one for one in fighters if one.player])
    return spelled([encounter.file, *(who if (*who,) != encounter.party else ())])


def _story(context: Context, crisis: Crisis, system: System) -> Iterator[str]:
    """How lucky the sides were and what decided the fight; nothing of a long one, which would take too long."""
    if len(crisis.done) > LONGEST_STORY:
        return
    # Imported late: only needed at the end of a fight at a terminal.
    from ..story import recap_text
    from ..story.recap import recap

    found = recap(crisis, system)
    if found.sides:
        yield from recap_text.luck_lines(
            found._replace(fighters=()), context.output.ink, context.environment.width
        )
    yield from recap_text.turning_lines(
        found, crisis.scene, system, context.output.ink, context.environment.width
    )
    yield ""


def show_journal_name(context: Context, name: str, is_seeded: bool) -> None:
    """Print the name of the archived journal; on stderr where stdout should be the same at every run."""
    if name:
        context.output.say(f"  journal: {name}", to_stderr=is_seeded or not context.environment.is_terminal)


def _confirm(context: Context, session: Session) -> bool:
    """Ask the player to confirm ending an undecided fight; True if it is decided, by an event or by who stands."""
    sides = standing(session.system, session.scene)
    if len(sides) < 2 or decided(session.system, session.scene):
        return True
    who = " against ".join(numbered(names) for names in sides.values())
    question = (
        f"{who} still stand. End the whole crisis, not the turn ({context.output.ink.way('next')})? y/[n]: "
    )
    while True:
        answer = context.output.ask(question, ("yes", "no")).strip().lower()
        if answer in ("y", "yes"):
            return True
        if answer in ("", "n", "no"):
            return False
