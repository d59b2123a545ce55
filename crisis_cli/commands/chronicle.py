"""`crisis chronicle`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..context import Context
from ..errors import Usage
from ..play import telling
from ..render.jsontext import VERSION, dumped
from ..render.style import Ink
from ..render.text import fit_to_show
from . import options
from .log import write_story

if TYPE_CHECKING:
    from ..story.chronicle import Chronicle

WIDEST = 80
"""Columns of a line at most."""
FORMS = ("recap", "markdown", "lonelog", "html")


@click.command("chronicle")
@click.option("--recap", is_flag=True, help="Add up all fights: hits, harm, luck, days of rest.")
@click.option("--markdown", is_flag=True, help="Print it as Markdown.")
@click.option("--lonelog", is_flag=True, help="Print all of it, each roll too, in the Lonelog notation.")
@click.option("--html", is_flag=True, help="Make a page for a browser.")
@click.option("--full", is_flag=True, help="Tell every entry and every roll.")
@click.option("--since", type=click.IntRange(1), default=1, metavar="DAY", help="Begin with this day.")
@options.to_file_options
@options.common_options
@click.pass_obj
def command(
    context: Context, /, since: int, full: bool, to: str | None, overwrite: bool, as_json: bool, **forms: bool
) -> int:
    """Tell a campaign from its first day: its fights, and what happened between them.

    Undone entries are left out. A fight has its texts, what turned it, who fell, and what you noted; nights and care
    take a line each. --full adds every entry and every roll, which --lonelog and --json always have.

    \b
    Examples:
      crisis chronicle
      crisis chronicle --since 3
      crisis chronicle --recap
      crisis chronicle --markdown --full --to saltmarch.md
      crisis chronicle --html --to saltmarch.html
    """
    form = _only_form(forms, as_json, to, overwrite)
    if form == "html" and context.environment.is_terminal and not to:
        raise Usage("--html makes a page, not lines for a terminal", hint="write it: --to saltmarch.html")
    found = telling.chronicle(context.desk, since, full)
    if as_json and not form:
        from ..story.chronicle import records

        with fit_to_show("the story"):
            entries = list(records(found))
        for record in entries or [{"v": VERSION, "action": "chronicle", "entries": 0}]:
            context.output.print_json(record)
        return 0
    is_short = form in ("", "recap")
    text = (
        _lines(context, found, form, as_json, bool(to)) if is_short else telling.export_chronicle(found, form)
    )
    if to:
        write_story(context, to, text, overwrite, context.desk.campaigns.story())
    elif is_short and not as_json:
        context.output.say(*text.splitlines())
    else:
        context.output.print_text(text)
    return 0


def _lines(context: Context, found: Chronicle, form: str, as_json: bool, is_file: bool) -> str:
    """The chronicle as lines of text, or all fights added up."""
    from ..story import chronicle as story

    ink = Ink() if is_file else context.output.ink
    with fit_to_show("the story"):
        if as_json:
            return dumped(story.recap_record(found)) + "\n"
        width = context.environment.width
        lines = story.recap_lines(found, ink, width) if form else story.lines(found, ink, min(width, WIDEST))
        return "".join(f"{line}\n" for line in lines)


def _only_form(forms: dict[str, bool], as_json: bool, to: str | None, overwrite: bool) -> str:
    """The form asked for, empty for the usual one; Usage where options exclude each other."""
    named = [name for name in FORMS if forms[name]]
    if len(named) > 1 or (as_json and named and named != ["recap"]):
        both = [f"--{name}" for name in named] + (["--json"] if as_json else [])
        raise Usage(f"{' and '.join(both)} exclude each other")
    if to and as_json and not named:
        raise Usage("--to and --json exclude each other", hint="crisis chronicle --json > FILE")
    if overwrite and not to:
        raise Usage("--overwrite goes with --to FILE")
    return named[0] if named else ""
