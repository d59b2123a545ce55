"""`crisis end`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import click

from ..context import Context
from ..engine.journal import Crisis
from ..engine.sides import decided, standing
from ..engine.system import System
from ..errors import Cancelled, CrisisError, Usage
from ..play import ending
from ..play.advice import LIST_ACTIONS, meant_by
from ..play.history import undoes_end
from ..play.next_steps import next_steps
from ..play.session import Session
from ..questions import typed_number
from ..render.closing import bare_verdict, closing
from ..render.next_steps import NextStep, lines
from ..sheets.fighters import numbered
from ..verbs import VERBS
from . import options, run_action
from .parse_line import LEAVE_WORDS, parse_line

ASKS_STEP = "Number, or Enter to leave; crisis undo takes {what} back: "
HELP = "Type a number of the list, or any command: campaign, rest, play, help VERB."
LONGEST_STORY = 300
"""Entries up to which the end of a fight also says how lucky the sides were."""


@click.command("end")
@click.option("--no-save", is_flag=True, help="Do not save the sheets.")
@click.option(
    "--discard", is_flag=True, help="Throw it away: save no sheets, and keep it out of a campaign's story."
)
@click.option("--yes", is_flag=True, help="Do not ask whether to end it, or what to do next.")
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
    context: Context,
    /,
    run: options.Run,
    no_save: bool,
    discard: bool,
    yes: bool,
    name: str | None,
    why: str | None,
) -> int:
    """End the crisis: save wounds, conditions and supplies to the sheets, and archive the journal.

    At a terminal it asks first if more than one side still stands. To end a turn, use crisis next. An end
    is undone with crisis undo. In a campaign the journal is moved into its journals folder, under a number. --discard
    is for a fight begun by mistake: its journal stays outside the story.

    \b
    Examples:
      crisis end
      crisis end --no-save --yes
    """
    desk = context.desk
    desk.journals.require()
    session = desk.open_session()
    if context.environment.is_interactive and not yes and not _confirm(context, session, discard):
        way = context.output.ink.way
        context.output.say(
            f"The crisis goes on. To end the turn: {way('next')}; to throw it away: {way('end --discard')}",
            to_stderr=True,
        )
        return 130
    ended = ending.end(desk, session, not no_save, why or "", name or "", discard)
    tell(context, ended, run.report)
    if discard and not (run.report.as_json or run.report.quiet):
        context.output.say("It is thrown away: its sheets stay as they were, and no story lists it.")
        if ended.archive:
            context.output.say(f"Its journal is kept; to read it: crisis log {ended.archive}")
    if ended.next and not (run.report.as_json or run.report.quiet):
        asks = context.environment.at_prompt and not yes
        context.output.say("", *lines(ended.next, context.output.ink, is_numbered=asks))
        if asks:
            _carry_on(context, ended)
        elif context.environment.is_interactive:
            context.output.say(context.output.ink("dim", "  crisis undo takes the end back"))
    return 0


def tell(context: Context, ended: ending.Ended, report: options.Report) -> None:
    """Print the end of a crisis as the options of the command say."""
    session, output = ended.result.session, context.output
    assert session.journal is not None
    crisis = session.journal.crisis
    output.archive_name = ended.archive
    if report.as_json:
        output.print_json(ended.to_dict())
    elif report.quiet:
        output.say(bare_verdict(crisis.last_scene, session.system))
    else:
        run_action.show_entry(context, ended.result, report)
        if context.environment.is_interactive:
            output.say(*_story(context, crisis, session.system))
        output.say(*closing(crisis.done, crisis.last_scene, session.system, output.ink))
        if ended.sheets:
            output.say(f"  sheets saved: {', '.join(ended.sheets)}")
        show_journal_name(context, ended.archive, is_seeded=False)


def _carry_on(context: Context, ended: ending.Ended) -> None:
    """Run what the player wants now, a number of the steps shown or any line, until they leave or a crisis is open."""
    # Imported late: only where a fight ends at the prompt.
    from ..cli import exit_status, report_error, run_command

    journal, environment, steps = ended.result.session.journal, context.environment, ended.next
    undone = "the end"
    assert journal is not None
    while steps:
        # A line that was typed where a text asks whether it goes on; the number of no step, as none was seen yet.
        lines_typed = [line for line in context.output.typed_ahead if not line.isdecimal()]
        context.output.typed_ahead.clear()
        try:
            answer = (lines_typed or [context.output.ask(ASKS_STEP.format(what=undone)).strip()])[0]
        except (Cancelled, KeyboardInterrupt):
            return
        if not answer or answer.lower() in LEAVE_WORDS:
            return
        try:
            words = words_meant(answer, steps)
        except CrisisError as wrong:
            report_error(wrong, environment, as_json=False)
            continue
        fresh = context.for_line(environment)
        if words:
            exit_status(partial(run_command, words, fresh), environment)
        else:
            context.output.say(HELP)
        if words[:1] == ["play"] or fresh.desk.journals.active() is not None:
            return
        undone = "the end" if undoes_end(fresh.desk) else "what you did last"
        steps = next_steps(fresh.desk, journal.crisis, ended.archive)
        context.output.say("", *lines(steps, context.output.ink, is_numbered=True))


def words_meant(answer: str, steps: Sequence[NextStep]) -> list[str]:
    """The words of the step of a number, or of a line; none for a question what can be typed. Usage where there is no
    such number, and for an open quote."""
    if not answer.isdecimal():
        first = answer.split()[0].lower().rstrip("?!.,")
        meaning = first if first in VERBS else meant_by(first, (*VERBS, LIST_ACTIONS))
        if meaning == LIST_ACTIONS or answer.lower() in (LIST_ACTIONS, "help"):
            return []
        # How the party is, where nobody fights, the campaign tells.
        return ["campaign"] if meaning == "status" else parse_line(answer, VERBS, ())
    number = typed_number(answer)
    if not 0 < number <= len(steps):
        raise Usage(
            f"there is no number {answer}", hint=f"1 to {len(steps)}, or a line: undo", code="bad_value"
        )
    return [*steps[number - 1].words]


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


def _confirm(context: Context, session: Session, discard: bool) -> bool:
    """Ask the player to confirm ending an undecided fight; True if it is decided, by an event or by who stands."""
    sides = standing(session.system, session.scene)
    if len(sides) < 2 or decided(session.system, session.scene):
        return True
    who, ink = " against ".join(numbered(names) for names in sides.values()), context.output.ink
    ends = f"End the whole crisis, not the turn ({ink.way('next')})"
    question = f" still stand. {'Throw the whole crisis away' if discard else ends}? y/[n]: "
    # Many names find no room in one line with the answer.
    is_wide = ink.length(f"{who}{question}no") > context.environment.width
    question = (f"{len(sides)} sides" if is_wide else who) + question
    while True:
        answer = context.output.ask(question, ("yes", "no")).strip().lower()
        if answer in ("y", "yes"):
            return True
        if answer in ("", "n", "no", *LEAVE_WORDS):
            return False
