"""`crisis odds VERB … --sweep WHO.KEY=A..B`: the odds of an action over a range of sheet values."""

from __future__ import annotations

import re
from itertools import product

import click

from ..context import Context
from ..engine.action_odds import ActionOdds
from ..errors import Usage
from ..play.attacking import Planned
from ..preview import Weighable
from ..render import bars
from ..values import NamedTuple
from .asked_odds import odds_as_asked, refuse_together
from .options import Report, Run

MOST = 1_000
"""Most combinations of values in one sweep."""


class Sweep(NamedTuple):
    """A key of a sheet, as `drone.armour.dr`, and the values to try."""

    key: str
    values: range


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
            given = word.partition("=")[2] or next(rest, "")
            sweeps.append(parse_sweep(given))
        else:
            left.append(word)
    if len(sweeps) > 2:
        raise Usage(f"one or two sweeps, not {len(sweeps)}", code="conflicting_options")
    return left, as_csv, sweeps


def parse_sweep(word: str) -> Sweep:
    """A sweep written as WHO.KEY=A..B; Usage if it has another form."""
    found = re.fullmatch(r"([^=.]+\.[^=]+)=(-?\d{1,6})\.\.(-?\d{1,6})", word)
    if found and int(found[2]) > int(found[3]):
        raise Usage(
            f"--sweep goes from the lower value to the higher, not from {found[2]} to {found[3]}",
            hint=f"--sweep {found[1]}={found[3]}..{found[2]}",
            code="bad_value",
            option="--sweep",
        )
    if not found:
        raise Usage(
            f"--sweep takes WHO.KEY=A..B, not {word!r}",
            hint="--sweep drone.armour.dr=0..10",
            code="bad_value",
            option="--sweep",
        )
    return Sweep(found[1], range(int(found[2]), int(found[3]) + 1))


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
    combinations = list(product(*(one.values for one in sweeps)))
    if len(combinations) > MOST:
        raise Usage(f"a sweep has at most {MOST:,} values, not {len(combinations):,}", code="bad_value")
    found: list[tuple[tuple[int, ...], ActionOdds]] = []
    keys = [one.key for one in sweeps]
    report = Report()
    for values in combinations:

        def collect(planned: Planned, run: Run, values: tuple[int, ...] = values) -> None:
            nonlocal report
            report = run.report
            refuse_together("csv" if as_csv else "sweep" if report.explain else "", report)
            odds = odds_as_asked(context, planned.session, planned.intent, run.dice)
            found.append((values, odds))
            if report.as_json:
                swept = dict(zip(keys, values, strict=True))
                record = bars.forecast_record(odds, planned.session.system) | {"sweep": swept}
                context.output.print_json(record)

        overrides = tuple(f"{key}={value}" for key, value in zip(keys, values, strict=True))
        desk = context.desk._replace(overrides=overrides)
        changed = context._replace(desk=desk)
        with verb.make_context(name, [*words], parent=parent, obj=changed) as inner:
            verb.weigh(inner, collect)
    if report.as_json:
        return 0
    if report.quiet:
        context.output.say(*swept_bare(found))
    else:
        context.output.say(
            *(swept_csv(keys, found) if as_csv else swept_table(keys, found, context.output.ink))
        )
    return 0
