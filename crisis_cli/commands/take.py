"""`crisis take`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import click

from ..completion import Source
from ..context import Context
from ..errors import Cancelled, Usage
from ..play.taking import spoils, take
from ..questions import question_line, typed_number
from ..sheets.names import match_inner_word, match_name
from ..story.spoils import Spoils, spoils_lines
from . import options, run_action
from .parse_line import LEAVE_WORDS

ALL = "all"


@click.command("take")
@click.argument("what", required=False, metavar="[N|all]", shell_complete=Source("campaigns.loot"))
@click.argument("who", nargs=-1, metavar="[WHO]", shell_complete=Source("names.sheets"))
@options.quiet_option
@options.common_options
@click.pass_obj
@options.typed
def command(context: Context, /, run: options.Run, what: str | None, who: tuple[str, ...]) -> int:
    """List what the last fight left, or take it: number N of the list, or all that nobody has taken.

    A fight that was won leaves its rewards; foes who are out of the fight leave the weapons in their hands and the
    items that they can count. What earlier fights left waits until it is taken. In a campaign the things go to the
    sheet of WHO, and crisis undo puts it back as it was.
    At a terminal you are asked what to take, and for WHO if several may carry it.

    \b
    Examples:
      crisis take
      crisis take 2 ada
      crisis take all ada
    """
    output, here = context.output, spoils(context.desk)
    if what is None:
        if run.report.as_json:
            output.print_json(here.to_dict())
            return 0
        output.say(*spoils_lines(here, output.ink))
        if context.desk.places.story_folder is None:
            output.say("To take anything, play in a campaign: crisis campaign new NAME WHO…")
            return 0
        if here.untaken and context.environment.is_interactive:
            what = _ask_what(context, here)
        elif here.untaken:
            output.say(f"To take: {output.ink.way('take N [WHO]')}, or {output.ink.way('take all')}")
        if not what:
            return 0
        # A name may follow the number, as in a line.
        what, *who_typed = what.split(maxsplit=1)
        who = tuple(who_typed)
    if context.environment.is_typed and not what.isdecimal():
        names = {str(loot.number): (loot.name or here.words(loot),) for loot in here.untaken}
        named = match_name(what, names).names or match_inner_word(what, names)
        what = named[0] if len(named) == 1 else what
    numbers = () if what.lower() == ALL else (_number(what),)
    choose = partial(_ask, context) if context.environment.is_interactive else None
    take(context.desk, numbers, " ".join(who), choose, partial(run_action.show_done, context, run))
    return 0


def _number(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 5):
        raise Usage(
            f"take takes a number of the list or {ALL}, not {word!r}",
            hint="the list: crisis take",
            code="bad_value",
        )
    return int(word)


def _ask(context: Context, what: str, words: Mapping[str, str]) -> str:
    """Who of these takes something, asked until the answer is clear; each may be called by the word for the sheet."""
    names, listed = {name: (name, word) for name, word in words.items()}, [*words]
    while True:
        answer = context.output.ask(question_line(f"Who takes {what}?", listed), listed).strip()
        if answer.lower() in (*LEAVE_WORDS, "no", "n"):
            raise Cancelled("nobody takes it", hint="the list: crisis take")
        if not answer or 0 < typed_number(answer) <= len(listed):
            return listed[max(0, typed_number(answer) - 1)]
        found = match_name(answer, names).names
        if len(found) == 1:
            return found[0]
        context.output.say(f"one of {', '.join(listed)}; Enter: {listed[0]}; no: nobody", to_stderr=True)


def _ask_what(context: Context, here: Spoils) -> str:
    """What to take of what is left, as it is typed: a number or ALL; empty for nothing."""
    numbers = [str(one.number) for one in here.untaken]
    answer = context.output.ask("Take which? Number, all, or Enter to leave: ", (*numbers, ALL)).strip()
    return "" if answer.lower() in (*LEAVE_WORDS, "no", "n") else answer
