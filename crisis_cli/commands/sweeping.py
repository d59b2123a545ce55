"""`crisis odds VERB … --sweep WHO.KEY=A..B`: the odds of an action over a range of sheet values."""

from __future__ import annotations

import click

from ..context import Context
from ..engine.action_odds import ActionOdds
from ..errors import Usage
from ..play.attacking import Planned
from ..play.variants import Sweep, combinations, parse_sweep, require_unique, varied
from ..play.weighing import chances
from ..preview import Weighable
from ..render import bars
from .options import Report, Run


def split_words(words: list[str]) -> tuple[list[str], bool, list[Sweep]]:
    """The words for the verb, whether --csv is among them, and the sweeps; Usage for one that cannot be read."""
    left: list[str] = []
    sweeps: list[Sweep] = []
    as_csv = False
    rest = iter(words)
    for word in rest:
        if word == "--csv":
            as_csv = True
        elif word == "--sweep" or word.startswith("--sweep="):
            sweeps.append(parse_sweep(word.partition("=")[2] or next(rest, "")))
        else:
            left.append(word)
    if len(sweeps) > 2:
        raise Usage(f"one or two sweeps, not {len(sweeps)}", code="conflicting_options")
    return left, as_csv, sweeps


def refuse_together(output: str, report: Report) -> None:
    """Usage where a command line asks for output in two ways, such as --csv and --quiet."""
    asked = {"json": report.as_json, "quiet": report.quiet, "explain": report.explain}
    wanted = [name for name, is_asked in asked.items() if is_asked]
    # JSON has the modifiers that --explain shows.
    if "json" in wanted and "explain" in wanted:
        wanted.remove("explain")
    wanted = [output, *wanted] if output else wanted
    if len(wanted) > 1:
        raise Usage(f"--{wanted[0]} and --{wanted[1]} cannot go together", code="conflicting_options")


def show_sweep(
    context: Context,
    parent: click.Context | None,
    call: tuple[str, Weighable, list[str]],
    sweeps: list[Sweep],
    as_csv: bool,
) -> int:
    """Print the odds of an action for every value of one key, or of two."""
    from ..render.sweeps import swept_bare, swept_csv, swept_table

    name, verb, words = call
    keys = [sweep.key for sweep in sweeps]
    require_unique(keys)
    rows: list[tuple[tuple[int, ...], ActionOdds]] = []
    report, output = Report(), context.output
    for values in combinations(sweeps):
        swept = dict(zip(keys, values, strict=True))

        def collect(
            planned: Planned, run: Run, values: tuple[int, ...] = values, swept: dict[str, int] = swept
        ) -> None:
            nonlocal report
            report = run.report
            refuse_together("csv" if as_csv else "sweep" if report.explain else "", report)
            odds = chances(context.desk, planned, run.dice)
            rows.append((values, odds))
            if report.as_json:
                record = bars.forecast_record(odds, planned.session.system)
                context.output.print_json(record | {"sweep": swept})

        changed = context._replace(desk=varied(context.desk, swept.items()))
        with verb.make_context(name, [*words], parent=parent, obj=changed) as inner:
            require_unique(word.partition("=")[0] for word in inner.obj.desk.overrides)
            output = inner.obj.output  # an option of the verb, such as --no-color, may have changed it
            verb.weigh(inner, collect)
    if report.quiet:
        output.say(*swept_bare(rows))
    elif not report.as_json:
        output.say(*(swept_csv(keys, rows) if as_csv else swept_table(keys, rows, output.ink)))
    return 0
