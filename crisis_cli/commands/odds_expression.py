"""`crisis odds EXPR`: the odds of a dice expression."""

from __future__ import annotations

from shlex import quote

import click

from ..context import Context
from ..dice import limits
from ..errors import Usage
from ..expressions import odds_lines
from ..notation import parser
from ..sheets.values import filled_from
from . import options
from .dice_command import DiceCommand, as_option, refuse_unknown


@click.command("odds", cls=DiceCommand, context_settings={"ignore_unknown_options": True})
@click.argument("expressions", nargs=-1, type=click.UNPROCESSED, required=True, metavar="EXPR")
@click.option("--ge", type=options.WHOLE, metavar="N", help="Chance of N or more.")
@click.option("--le", type=options.WHOLE, metavar="N", help="Chance of N or less.")
@click.option("--eq", type=options.WHOLE, metavar="N", help="Chance of exactly N.")
@click.option("--compare", metavar="EXPR", help="Chances to beat, equal or fall below another roll.")
@click.option("--csv", is_flag=True, help="Print every value and its probability as CSV.")
@as_option
@click.option(
    "--quiet", is_flag=True, help="Print the bare mean, or with --ge, --le or --eq the bare chance."
)
@options.common_options
@click.pass_obj
def command(
    context: Context,
    /,
    expressions: tuple[str, ...],
    ge: int | None,
    le: int | None,
    eq: int | None,
    compare: str | None,
    csv: bool,
    who: str | None,
    quiet: bool,
    as_json: bool,
) -> int:
    """Show the exact odds of a roll.

    \b
    Examples:
      crisis odds 4d6kh3
      crisis odds 2d6+3 --ge 10
      crisis odds 4d6kh3 --compare 3d6+2 --json
    """
    refuse_unknown(command, expressions, "crisis odds EXPR --help")
    environment = context.environment
    bounds = limits(environment.env)
    texts = parser.expressions(expressions, bounds, "odds", environment.from_shell)
    if len(texts) > 1:
        raise Usage(
            f"odds of one roll at a time, not {len(texts)}",
            hint=f"to compare two: crisis odds {quote(texts[0])} --compare {quote(texts[1])}",
            code="conflicting_options",
        )
    questions = [(name, value) for name, value in (("ge", ge), ("le", le), ("eq", eq)) if value is not None]
    if len(questions) > 1:
        raise Usage("one of --ge, --le and --eq at a time", code="conflicting_options")
    sheets = context.desk.shelves.sheets
    fill = filled_from(sheets().read(who).values) if who else lambda notation: notation
    output = [name for name, is_asked in (("json", as_json), ("csv", csv), ("quiet", quiet)) if is_asked]
    if len(output) > 1:
        raise Usage(f"--{output[0]} and --{output[1]} cannot go together", code="conflicting_options")
    asked = [*(name for name, _ in questions), *(["compare"] if compare else [])]
    if unanswered := asked[:1] if csv else asked[-1:] if quiet and compare else []:
        raise Usage(
            f"--{unanswered[0]} and --{output[0]} cannot go together",
            hint="--json has all the answers",
            code="conflicting_options",
        )
    lines = odds_lines(
        fill(parser.parse(texts[0], bounds)),
        context.output.ink,
        environment.width,
        question=questions[0] if questions else None,
        other=fill(parser.parse(compare, bounds)) if compare else None,
        output=output[0] if output else "",
        limits=bounds,
    )
    for line in lines:
        environment.out.write((line if output else context.output.ink.clean(line)) + "\n")
    return 0
