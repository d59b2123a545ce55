"""`crisis simulate`."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

import click

from ..completion import Source
from ..context import Context
from ..errors import Cancelled, FileError, Usage
from ..play.party import those_who_play
from ..play.simulating import USUAL_FIGHTS, Fights, simulate, start_from, start_of
from ..play.variants import require_unique, variants
from ..render.messages import listed
from ..render.simulation import Simulated, Variant, compared, fights_line, report, stopped
from ..sheets.files import ALLOW, is_confined
from ..signals import Stop
from ..simulation.block import PLAIN
from ..simulation.fight import FightLimits, FightStart
from . import options, placing, setup, system_options
from .progress import progress_line

MOST_FIGHTS = 1_000_000_000
UNTIL_FIGHTS = 1_000_000
MOST_JOBS = 64


@click.command("simulate", cls=system_options.SidesCommand)
@click.argument("who", nargs=-1, metavar="[WHO...]", shell_complete=Source("names.fighters"))
@options.combine(*setup.sides_options)
@click.option(
    "--from-crisis",
    is_flag=True,
    help="Begin with the open crisis as it stands (at the prompt the default without WHO).",
)
@click.option("--apart", type=options.CountRange(0, 1_000), metavar="N", help=placing.APART_HELP)
@click.option(
    "--doctrine",
    default=PLAIN,
    metavar="plain|own|NAME",
    help="How fighters decide: plain (default), own: each by the doctrine of its sheet, or all by this doctrine.",
    shell_complete=Source("actions.simulated_doctrines"),
)
@click.option(
    "-n",
    "--fights",
    type=options.CountRange(1, MOST_FIGHTS),
    metavar="N",
    help=f"Number of fights (default: {USUAL_FIGHTS:,}).",
)
@click.option(
    "--rounds",
    type=options.CountRange(1, 10_000),
    default=200,
    metavar="N",
    help="Stop a fight after N rounds with a draw (default: 200).",
)
@click.option(
    "--retreat-at",
    type=options.Portion(0, 1),
    default=0.0,
    metavar="SHARE",
    help="The players withdraw when their side has this share of its life left, from 0 to 1.",
)
@click.option(
    "--until-width",
    type=options.Portion(0, 1, min_open=True),
    metavar="WIDTH",
    help=f"Stop when the 95 % interval of every side's chance is as narrow as this (at most -n, or {UNTIL_FIGHTS:,}).",
)
@click.option(
    "--compare",
    multiple=True,
    metavar="WHO.KEY=A,B",
    help="Fight with each of these values of a sheet, or of what is in hand (ada.held=pistol,knife).",
)
@click.option(
    "--sweep", multiple=True, metavar="WHO.KEY=A..B", help="Fight with each value of a key from A to B."
)
@options.seed_option
@click.option(
    "--jobs",
    type=click.IntRange(1, MOST_JOBS),
    metavar="N",
    help="Number of processes (default: one for each processor).",
)
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Let the workers of the Dask scheduler at HOST:PORT fight, on other machines or this one.",
)
@options.override_option
@system_options.of_systems("init")
@click.option("--quiet", is_flag=True, help="Print only the share of fights that each side wins.")
@options.common_options
@click.pass_obj
def command(
    context: Context,
    /,
    who: tuple[str, ...],
    from_crisis: bool,
    doctrine: str,
    fights: int | None,
    rounds: int,
    retreat_at: float,
    until_width: float | None,
    compare: tuple[str, ...],
    sweep: tuple[str, ...],
    jobs: int | None,
    cluster: str | None,
    seed: int | None,
    quiet: bool,
    as_json: bool,
    **words: Any,
) -> int:
    """Fight many whole fights, and show how they end: who wins, who goes down, and what is left.

    WHO fights those after --vs, or the party of an encounter its opponents; --from-crisis goes on from the open crisis
    as it stands. Nothing is recorded and no sheet is written.

    The same seed gives the same answer for any number of --jobs, or of workers of a --cluster. Chances have 95 %
    intervals. Ctrl-C shows what has been fought so far.

    \b
    Examples:
      crisis simulate bruno --vs marshal --apart 0 -n 2000
      crisis simulate jack --vs drone:3 --apart 0 --rounds 3 -n 10
      crisis simulate jack --vs drone --doctrine own -n 2
      crisis simulate --encounter bridge --seed 7 --rounds 2 -n 2
      crisis simulate --from-crisis -n 20
      crisis simulate bruno --vs marshal --apart 0 -n 250 --sweep bruno.ratings.combat=48..50
    """
    if jobs and cluster:
        raise Usage(
            "--jobs is for processes here, and --cluster for workers",
            hint="leave out one of them",
            code="conflicting_options",
        )
    tried = variants(compare, sweep)
    require_unique(word.partition("=")[0] for word in (*context.desk.overrides, *compare, *sweep))
    environment, output = context.environment, context.output
    has_foes = bool(words["vs"] or words["encounter"])
    from_crisis = from_crisis or (environment.at_prompt and not (who or has_foes))
    if tried != [()] and from_crisis:
        raise Usage(
            "--compare and --sweep begin new fights; this would go on with the open crisis",
            hint="say who fights: crisis simulate WHO… --vs WHO…",
            code="conflicting_options",
        )
    if cluster and is_confined():
        raise FileError(
            "a script does not hand its fights to --cluster: those machines run what they are sent",
            hint=f"leave it out, or let it: {ALLOW}",
            code="outside",
        )
    asked = Fights(
        environment.fresh_seed() if seed is None else seed,
        fights or (UNTIL_FIGHTS if until_width else USUAL_FIGHTS),
        doctrine,
        FightLimits(rounds, retreat_at),
        until_width or 0.0,
        jobs or usual_jobs(context),
        cluster or "",
    )
    begun = _begun(context, who, from_crisis, has_foes, words, asked.seed)
    # All starts before the first fight: a value that is not allowed is an error at once.
    starts = [begun(variant) for variant in tried]
    done: list[tuple[Variant, Simulated]] = []
    with environment.signals.deferred() as stop:
        for variant, start in zip(tried, starts, strict=True):
            simulated = fought(context, start, asked, stop)
            if simulated is not None:
                done.append((variant, simulated))
            if stop.signal:
                break
    if not done:
        raise Cancelled("stopped before the first fight was over", status=stop.status)
    missing = tried[len(done) :]
    if as_json:
        for variant, simulated in done:
            said = {"set": dict(variant)} if variant else {}
            output.print_json({**simulated.to_dict(), **said})
    elif quiet:
        for variant, simulated in done:
            before = "".join(f"{value} " for _, value in variant)
            output.say(*(f"{before}{line}" for line in _bare(simulated)))
    elif tried != [()]:
        output.say(*compared(done, missing, output.ink))
    else:
        output.say(*report(done[0][1], output.ink, environment.width, environment.is_terminal))
    if cut_short := stopped(done, missing):
        # Below all else: what stands above may have left the screen, or have gone into a file.
        output.warn(cut_short, "stopped")
    return stop.status if stop.signal else 0


def fought(context: Context, start: FightStart, fights: Fights, stop: Stop) -> Simulated | None:
    """Many fights from one start, simulated with a line on stderr; None if none was over before a signal came."""
    with progress_line(context, fights_line(fights.fights)) as progress:

        def warn(message: str, code: str) -> None:
            progress.clear()
            context.output.warn(message, code)

        return simulate(context.desk._replace(warn=warn), start, fights, stop, progress.show)


def usual_jobs(context: Context) -> int:
    """How many processes share the work: one for each processor; one at the prompt, which has threads."""
    if context.environment.at_prompt:
        return 1
    with_limits = getattr(os, "sched_getaffinity", None)
    return min(MOST_JOBS, len(with_limits(0)) if with_limits else os.cpu_count() or 1)


def _begun(
    context: Context,
    who: tuple[str, ...],
    from_crisis: bool,
    has_foes: bool,
    words: Mapping[str, Any],
    seed: int,
) -> Callable[[Variant], FightStart]:
    """Gives how every fight of a variant begins: with the roll for the turn order, or from the open crisis."""
    if from_crisis:
        _require_as_it_stands(context, who, has_foes, words)
        context.desk.journals.require()
        start = start_from(context.desk.open_session())
        return lambda variant: start
    opening = setup.read_opening(those_who_play(context.desk, who, has_foes), **words)
    opening, said = placing.with_apart_of_folder(context, opening)
    if said:
        context.output.warn(said, "settings")
    return lambda variant: start_of(context.desk, opening, seed, variant)


def _require_as_it_stands(
    context: Context, who: tuple[str, ...], has_foes: bool, words: Mapping[str, Any]
) -> None:
    """Raise Usage for words that say how a fight begins: the open crisis goes on as it stands."""
    named = [f"WHO ({' '.join(who)})"] if who else []
    named += [
        f"--{name.replace('_', '-')}"
        for name, value in words.items()
        if value not in (None, ()) and value is not False
    ]
    if not named:
        return
    said = listed(named)
    if context.environment.at_prompt and not (who or has_foes):
        raise Usage(
            f"without WHO it goes on from the open crisis as it stands, and takes no {said}",
            hint=f"leave out {said}, or name who fights: simulate WHO… --vs WHO…",
            code="conflicting_options",
        )
    raise Usage(
        f"--from-crisis cannot go with {said}: the open crisis goes on as it stands",
        hint=f"leave out {said}, or --from-crisis",
        code="conflicting_options",
    )


def _bare(done: Simulated) -> list[str]:
    """A line for each side and for draws: its share of the fights, and the interval."""
    return [f"{side} {one.p:.6f} {one.low:.6f} {one.high:.6f}" for side, one in done.wins().items()]
