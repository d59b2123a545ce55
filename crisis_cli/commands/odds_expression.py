"""`crisis odds EXPR`: the odds of a dice expression."""

from __future__ import annotations

from shlex import quote
from typing import Any

import click

from ..click_errors import unknown_option
from ..completion import Source
from ..context import Context
from ..dice import limits
from ..errors import Usage
from ..expressions import odds_lines
from ..notation import parser
from ..sheets.values import filled_from
from . import options
from .dice_command import DiceCommand


@click.command("odds", cls=DiceCommand, context_settings={"ignore_unknown_options": True})
@click.argument("expressions", nargs=-1, type=click.UNPROCESSED, required=True, metavar="EXPR")
@click.option("--ge", type=options.WHOLE, metavar="N", help="Chance of N or more.")
@click.option("--le", type=options.WHOLE, metavar="N", help="Chance of N or less.")
@click.option("--eq", type=options.WHOLE, metavar="N", help="Chance of exactly N.")
@click.option("--compare", metavar="EXPR", help="Chances to beat, equal or fall below another roll.")
@click.option("--csv", is_flag=True, help="Print every value and its probability as CSV.")
@click.option(
    "--as",
    "who",
    metavar="WHO",
    help="Take @values from the sheet of WHO.",
    shell_complete=Source("names.all_fighters"),
)
@click.option(
    "--quiet", is_flag=True, help="Print the bare mean, or with --ge, --le or --eq the bare chance."
)
@options.common_options
@click.pass_obj
def command(context: Context, /, expressions: tuple[str, ...], **given: Any) -> int:
    """Show the exact odds of a roll.

    \b
    Examples:
      crisis odds 4d6kh3
      crisis odds 2d6+3 --ge 10
      crisis odds 4d6kh3 --compare 3d6+2 --json
    """
    unknown = [word for word in expressions if word.startswith("--") and word[2:3].isalpha()]
    if unknown:
        known = [name for param in command.params for name in param.opts]
        raise unknown_option("odds", unknown[0], known, "options: crisis odds EXPR --help")
    environment = context.environment
    bounds = limits(environment.env)
    texts = parser.expressions(expressions, bounds, "odds", environment.from_shell)
    if len(texts) > 1:
        raise Usage(
            f"odds of one roll at a time, not {len(texts)}",
            hint=f"to compare two: crisis odds {quote(texts[0])} --compare {quote(texts[1])}",
            code="conflicting_options",
        )
    questions = [(name, given[name]) for name in ("ge", "le", "eq") if given[name] is not None]
    if len(questions) > 1:
        raise Usage("one of --ge, --le and --eq at a time", code="conflicting_options")
    fill = (
        filled_from(context.desk.shelves.sheets().read(given["who"]).values)
        if given["who"]
        else lambda notation: notation
    )
    output = [
        name
        for name, said in (("json", given["as_json"]), ("csv", given["csv"]), ("quiet", given["quiet"]))
        if said
    ]
    if len(output) > 1:
        raise Usage(f"--{output[0]} and --{output[1]} cannot go together", code="conflicting_options")
    asked = [*(name for name, _ in questions), *(["compare"] if given["compare"] else [])]
    if unanswered := asked[:1] if given["csv"] else asked[-1:] if given["quiet"] and given["compare"] else []:
        raise Usage(
            f"--{unanswered[0]} and --{output[0]} cannot go together",
            hint="--json has all the answers",
            code="conflicting_options",
        )
    lines = odds_lines(
        fill(parser.parse(texts[0], bounds)),
        context.output.ink,
        context.environment.width,
        question=questions[0] if questions else None,
        other=fill(parser.parse(given["compare"], bounds)) if given["compare"] else None,
        output=output[0] if output else "",
        limits=bounds,
    )
    for line in lines:
        context.environment.out.write((line if output else context.output.ink.clean(line)) + "\n")
    return 0
