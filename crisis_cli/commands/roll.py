"""`crisis roll`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from io import TextIOWrapper
from typing import Any

import click

from ..context import Context
from ..dice import limits
from ..dice.generator import generator
from ..dice.scripted import Scripted
from ..errors import NotationError, Usage, require_utf8
from ..expressions import Roller
from ..notation import parser
from ..play.answers import Answers, Given, carried
from ..play.table import require_player
from ..render.jsontext import dumped, error_record
from ..sheets.check import BYTE_ORDER_MARK
from ..sheets.values import filled_from
from . import options
from .dice_command import DiceCommand, as_option, refuse_unknown
from .terminal import Terminal

BATCH = 500
"""Results from stdin that are written at once, where nobody waits for each."""
LONG = 2_000
"""Characters of a result with which no more are waited for, to hold little in memory."""


@click.command("roll", cls=DiceCommand, context_settings={"ignore_unknown_options": True})
@click.argument("expressions", nargs=-1, type=click.UNPROCESSED, metavar="[EXPR]...")
@options.roll_options
@click.option(
    "-n", "--times", "times", type=click.IntRange(1, 100_000_000), metavar="N", help="Roll it N times."
)
@click.option("--histogram", is_flag=True, help="With -n: draw how often each total came.")
@as_option
@click.option("--explain", is_flag=True, help="Show every die and what became of it.")
@click.option("--quiet", is_flag=True, help="Print the bare total.")
@click.option(
    "--line-buffered", is_flag=True, help="From stdin: print each result at once, also into a pipe."
)
@options.common_options
@click.pass_obj
@options.typed
def command(
    context: Context,
    /,
    run: options.Run,
    expressions: tuple[str, ...],
    times: int | None,
    histogram: bool,
    who: str | None,
    line_buffered: bool,
) -> int:
    """Roll dice: EXPR is dice notation. With - or without EXPR, read one per line from stdin.

    \b
    Examples:
      crisis roll 3d6+2
      crisis roll 4d6kh3 2d20kl1 --seed 7
      crisis roll '{1d8!, 1d6!}kh1' --explain
      crisis roll 10d10'>=8f=1' -n 1000 --histogram
      printf '3d6\\n4d6kh3\\n' | crisis roll --seed 1 --json
    """
    refuse_unknown(command, expressions, "crisis roll --help")
    if histogram and not times:
        raise Usage("--histogram needs -n", hint="add -n 1000", code="missing_option")
    environment = context.environment
    if expressions in ((), ("-",)):
        if environment.stdin is not None:
            return _stream(context, run, who, times or 1, line_buffered, environment.stdin)
        if environment.is_interactive and not environment.at_prompt:
            context.output.say(*click.get_current_context().get_help().splitlines())
            return 0
        raise Usage(
            "missing argument: EXPR",
            hint="crisis roll EXPR, or one expression per line on stdin",
            code="missing_argument",
        )
    texts = parser.expressions(expressions, limits(environment.env), from_shell=environment.from_shell)
    roller, finish = _make_roller(context, run, who)
    for expression in texts:
        roller.notation(expression)
    if histogram:
        for expression in texts:
            _histogram(context, roller, expression, times or 1, run.report.as_json)
        return 0
    rolled = (expression for expression in texts for _ in range(times or 1))
    if run.dice.results is not None or not (times or run.dice.real):
        lines = [line for expression in rolled for line in roller.lines(expression)]
        finish()
        environment.out.writelines(f"{line}\n" for line in lines)
        return 0
    for expression in rolled:
        environment.out.writelines(f"{line}\n" for line in _roll_lines(context, roller, expression))
    environment.out.flush()
    return 0


def _make_roller(context: Context, run: options.Run, who: str | None) -> tuple[Roller, Callable[[], None]]:
    seed: int | None = None
    dice: Any
    if run.dice.results is not None:
        dice = Scripted(run.dice.results)
    elif run.dice.real:
        require_player(context.desk.has_player, "--real-dice")
        dice = Answers(Given())
    else:
        seed = context.environment.fresh_seed() if run.dice.seed is None else run.dice.seed
        dice = generator(seed).random
    values = filled_from(context.desk.shelves.sheets().read(who).values) if who else None
    roller = Roller(
        dice,
        seed,
        limits(context.environment.env),
        context.output.ink,
        as_json=run.report.as_json,
        explain=run.report.explain,
        quiet=run.report.quiet,
        values=values,
    )
    return roller, dice.finish if isinstance(dice, Scripted) else lambda: None


def _roll_lines(context: Context, roller: Roller, expression: str) -> Iterable[str]:
    """The lines of one expression; real dice are asked for."""
    if not isinstance(roller.dice, Answers):
        return roller.lines(expression)

    def lines(given: Given) -> Iterable[str]:
        answers = Answers(given)
        roller.take(answers)
        rolled = roller.lines(expression)
        answers.finish()
        return rolled

    return carried(lines, Terminal(context))


def _stream(
    context: Context, run: options.Run, who: str | None, times: int, at_once: bool, source: Iterable[str]
) -> int:
    """Roll one expression per input line, in constant memory; errors are reported by line. Gives the exit status."""
    roller, finish = _make_roller(context, run, who)
    out, status, empty = context.environment.out, 0, True
    at_once = at_once or context.environment.is_terminal
    waiting: list[str] = []

    def write() -> None:
        """Write the results that wait to be written."""
        if waiting:
            text = "\n".join(waiting)
            waiting.clear()
            out.write(f"{text}\n")
        if at_once:
            out.flush()

    try:
        for number, text in enumerate(_lines(source), start=1):
            if not text or text.startswith("# "):
                continue
            empty = False
            try:
                if text not in roller.rolled:
                    require_utf8(text)
                for _ in range(times):
                    waiting += _roll_lines(context, roller, text)
                    if at_once or len(waiting) >= BATCH or len(waiting[-1]) > LONG:
                        write()
            except Usage as wrong:
                status = wrong.status
                # In their order, where both go to one place.
                write()
                _report(context, wrong, number, run.report.as_json)
    finally:
        write()
    finish()
    if run.report.as_json and empty:
        context.output.print_record("roll", expressions=0)
    out.flush()
    return status


def _report(context: Context, wrong: Usage, number: int, as_json: bool) -> None:
    """Report an error in a line of input."""
    if as_json:
        record = error_record(wrong)
        record["error"]["line"] = number
        context.environment.err.write(dumped(record) + "\n")
    else:
        caret = wrong.pointed(context.output.ink.carried) if isinstance(wrong, NotationError) else []
        context.output.say(f"error: line {number}: {wrong.message}", *caret, to_stderr=True)


def _lines(source: Iterable[str]) -> Iterator[str]:
    """The lines of a stream, each without a byte order mark; what is not UTF-8 in them stands as lone surrogates."""
    if isinstance(source, TextIOWrapper):
        source.reconfigure(errors="surrogateescape")
    for line in source:
        yield line.removeprefix(BYTE_ORDER_MARK).strip()


def _histogram(context: Context, roller: Roller, expression: str, rolls: int, as_json: bool) -> None:
    """Print how often each total comes in the rolls of -n, sampled from the exact distribution."""
    from ..dice.distribution import Distribution
    from ..dice.histogram import histogram
    from ..notation.distribution import distribution_of
    from ..render.charts import bars

    if roller.seed is None:
        raise Usage(
            "--histogram rolls by itself", hint="leave out --dice and --real-dice", code="conflicting_options"
        )
    notation = roller.notation(expression)
    counts = histogram(distribution_of(notation), rolls, generator(roller.seed))
    if as_json:
        records = [{"value": value, "count": count} for value, count in sorted(counts.items())]
        context.output.print_record(
            "roll",
            expression=expression,
            canonical=notation.canonical,
            n=rolls,
            seed=roller.seed,
            histogram=records,
        )
    else:
        context.output.say(
            f"{notation.canonical}, {rolls:,} times:",
            *bars(Distribution(counts, rolls), context.output.ink, context.environment.width),
        )
