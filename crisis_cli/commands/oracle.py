"""`crisis oracle`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import click

from ..completion import Source
from ..context import Context
from ..errors import Usage
from ..play.drawing import Draws, aside
from ..play.oracle import Aim, Question, ask, no_question, parse_question, tension
from ..random_tables.oracle import LIKELY
from ..render import oracle
from ..render.charts import percent
from . import options
from .tables.roll import show_answer
from .terminal import Terminal


@click.command("oracle")
@click.argument("words", nargs=-1, metavar="QUESTION...", shell_complete=Source("names.questions"))
@click.option(
    "--odds",
    "likely",
    metavar="WORD|1-99",
    help="How likely yes is: nearly-impossible, very-unlikely, unlikely, even (the default), likely, very-likely, "
    "nearly-certain, a percentage, or fight:SIDE, by who is ahead.",
    shell_complete=Source("names.likelihoods"),
)
@click.option("--odds-table", is_flag=True, help="Show the exact chance of every answer.")
@options.seed_option
@click.option(
    "--dice",
    type=options.DiceResults(),
    metavar="37,1,9",
    help="Use these results instead of rolling: d100, d6, d12.",
)
@options.real_dice_option
@click.option("--explain", is_flag=True, help="Say how the chance was worked out.")
@click.option("--quiet", is_flag=True, help="Print the bare answer.")
@click.option("--exit-status", is_flag=True, help="Exit with status 1 if the answer is no.")
@click.option("--dry-run", is_flag=True, help="In a crisis: show the answer; record nothing.")
@options.common_options
@click.pass_obj
@options.typed
def command(
    context: Context, /, run: options.Run, words: tuple[str, ...], likely: str | None, odds_table: bool
) -> int:
    """Ask the oracle a yes-or-no question, or one that it knows.

    A d100 answers, a d6 says *and* or *but*, and a d12 at or below the tension of the fight brings a twist. The
    oracle knows: morale WHO, reinforcement [SIDE], target WHO, event, terrain, twist; and the name of a table. In an
    open crisis the answer is recorded in the log, and can be undone.

    \b
    Examples:
      crisis oracle 'Do they call for help?' --odds likely
      crisis oracle 'Is the gate locked?' --odds 40
      crisis oracle event
      crisis oracle --odds-table
    """
    output = context.output
    if not words and not odds_table:
        if not context.environment.is_interactive:
            raise no_question()
        words = (output.ask("question: "),)
    session = aside(context.desk)
    if odds_table and not words and likely is None:
        _show_odds(context, LIKELY, tension(session), run.report)
        return 0
    if odds_table and not "".join(words).strip():
        words = ("Is it?",)
    question = parse_question(context.desk, session, words, likely or "even")
    if odds_table:
        _show_chances(context, question, words[0].lower(), likely or "even", run.report)
        return 0
    done = ask(context.desk, session, question, run.dice, run.keep, Terminal(context))
    show_answer(context, done, run.report)
    if isinstance(question, Aim) and run.report.explain and not run.report.as_json:
        weights, whole = question.weights, sum(question.weights.values())
        shares = ", ".join(f"{foe} {percent(weight, whole)}" for foe, weight in weights.items())
        output.say(f"  {output.ink('dim', 'chances')}: {shares}")
    if not isinstance(question, Question):
        return 0
    yes, degree = bool(done.entry.outcome["success"]), str(done.entry.outcome["degree"])
    if not run.report.as_json and not run.report.quiet:
        if run.report.explain:
            chances = {"chance": question.recipe, "twist": oracle.twists(question.tension)}
            output.say(*(f"  {output.ink('dim', name)}: {said}" for name, said in chances.items() if said))
        who = question.typed[-1] if question.typed else ""
        output.say(*oracle.ways_on(question.kind, who, yes, degree, output.ink.way))
    return 1 if run.report.exit_status and not yes else 0


def _show_chances(
    context: Context, question: Question | Aim | Draws, word: str, likely: str, report: options.Report
) -> None:
    """Print the exact chance of every answer to a question; Usage where a table answers it."""
    if isinstance(question, Draws):
        raise Usage(
            f"{word} is answered by a table",
            hint=f"its odds: crisis tables show {question.names[0]} --odds",
            code="bad_value",
        )
    if isinstance(question, Aim):
        lines = oracle.target_lines(question.weights, context.output.ink, report.quiet)
        _show(context, report, oracle.target_records(question.weights), lines)
    else:
        _show_odds(context, {question.kind or likely: question.chance}, question.tension, report)


def _show_odds(context: Context, chances: Mapping[str, int], tension: int, report: options.Report) -> None:
    """Print the exact chance of every answer for each chance of yes in percent, and how often a twist comes."""
    lines = oracle.answer_lines(chances, tension, report.quiet)
    _show(context, report, oracle.answer_records(chances, tension), lines)


def _show(
    context: Context, report: options.Report, records: Iterable[dict[str, Any]], lines: Iterable[str]
) -> None:
    if report.as_json:
        for record in records:
            context.output.print_record("oracle", **record)
    else:
        for line in lines:
            context.output.say(line)
