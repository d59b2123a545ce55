"""`crisis odds duel`: the exact probability of winning a fight of two."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping

import click

from ..completion import Source
from ..context import Context
from ..errors import Cancelled, TooWide
from ..play.dueling import Duel, duel, duel_record, start_of_duel
from ..play.simulating import Fights
from ..render.simulation import DOCTRINES, interval, left_aside, states_line, stopped
from ..simulation.block import PLAIN
from ..simulation.duel import MOST_STATES, StatesFound
from ..simulation.fight import FightLimits, FightStart
from ..simulation.tally import DRAW
from . import options
from .progress import broken_off, progress_line
from .simulate import MOST_FIGHTS, fought, usual_jobs

RECKLESS = "reckless"
ROUNDS = 10_000
"""Rounds after which a simulated duel is a draw: an exact one has no last round."""
SIMULATED, SIMULATED_BY_DOCTRINE = 10_000, 500
"""Fights where nobody says how many: a doctrine takes so long to decide that these 500 take about half a minute."""
SILENT = 1.0
"""Seconds after which a line says what is being worked out."""


@click.command("duel")
@click.argument("one", metavar="ONE", shell_complete=Source("names.fighters"))
@click.argument("other", metavar="OTHER", shell_complete=Source("names.fighters"))
@click.option(
    "--doctrine",
    type=click.Choice((PLAIN, RECKLESS)),
    default=PLAIN,
    help="How both decide: plain (default), or by the doctrine reckless.",
)
@click.option(
    "-n",
    "--fights",
    type=options.CountRange(1, MOST_FIGHTS),
    metavar="N",
    help="Fights to simulate where there is no exact answer"
    f" (default: {SIMULATED:,}; {SIMULATED_BY_DOCTRINE} by a doctrine).",
)
@options.seed_option
@options.override_option
@click.option("--quiet", is_flag=True, help="Print only the probability that each side wins.")
@options.common_options
@click.pass_obj
def command(
    context: Context,
    /,
    one: str,
    other: str,
    doctrine: str,
    fights: int | None,
    seed: int | None,
    quiet: bool,
    as_json: bool,
) -> int:
    """Show the exact probability of winning a fight of ONE against OTHER, without positions.

    It finds all states that the fight can reach, up to a million, and solves them as a Markov chain. If there are
    more, or the rules do not allow an exact answer, it says what is the cause and simulates -n fights instead.

    \b
    Examples:
      crisis odds duel bruno marshal
    """
    desk, output = context.desk, context.output
    start = start_of_duel(desk, one, other)
    try:
        simulation = f"crisis simulate {one} --vs {other} --apart 0"
        simulation += "" if doctrine == PLAIN else f" --doctrine {doctrine}"
        solution = _solved(context, start, doctrine, f"simulate it: {simulation}")
    except TooWide as wide:
        return _simulated(context, start, doctrine, fights, seed, str(wide), quiet, as_json)
    if as_json:
        output.print_json(solution.to_dict())
    elif quiet:
        output.say(*(f"{side} {p:.9f}" for side, p in solution.chances.items()))
    else:
        shown = {side: f"{100 * p:8.4f} %" for side, p in solution.chances.items() if p or side != DRAW}
        output.say(*_lines(context, start, doctrine, f"{solution.states:,} states", shown))
    return 0


def _solved(context: Context, start: FightStart, doctrine: str, hint: str) -> Duel:
    """The exact chances, with a line on stderr while they are worked out; a signal is Cancelled with a hint."""
    states, line = StatesFound(0, 0), states_line(MOST_STATES)
    with (
        progress_line(context, line) as progress,
        broken_off(context, "stopped before all states of the fight were worked out", hint),
    ):

        def tick(now: StatesFound) -> None:
            nonlocal states
            states = now
            progress.show(states)

        def say() -> None:
            if progress.shows:
                progress.show(states)
            elif not context.output.wants_json:
                context.output.say(line(states, SILENT), to_stderr=True)

        first_line = threading.Timer(SILENT, say)
        first_line.daemon = True
        first_line.start()
        try:
            return duel(context.desk, start, doctrine, tick)
        finally:
            first_line.cancel()


def _lines(
    context: Context, start: FightStart, doctrine: str, how: str, shown: Mapping[str, str]
) -> Iterator[str]:
    """How both decide, what that leaves aside, how the chances were found, and a line for each side, named by its
    fighter."""
    ink, said = context.output.ink, DOCTRINES.get(doctrine, f"{doctrine}: both by this doctrine")
    yield ink("dim", f"doctrine {said}; {how}")
    if aside := left_aside(start.system, start.scene, doctrine, "crisis simulate --doctrine own"):
        yield ink("dim", aside)
    names = {fighter.side: name for name, fighter in start.scene.fighters.items()}
    wide = ink.widest(names.get(side, side) for side in shown)
    for side, chance in shown.items():
        yield f"  {ink.padded(names.get(side, side), wide)}  {chance}"


def _simulated(
    context: Context,
    start: FightStart,
    doctrine: str,
    fights: int | None,
    seed: int | None,
    why: str,
    quiet: bool,
    as_json: bool,
) -> int:
    """Say why a duel has no exact answer here, and simulate it; the exit status."""
    environment, output = context.environment, context.output
    more = "" if fights or doctrine == PLAIN else " (about half a minute; -n N for more)"
    fights = fights or (SIMULATED if doctrine == PLAIN else SIMULATED_BY_DOCTRINE)
    if not (quiet or as_json):
        output.say(f"No exact answer: {why}. Simulating {fights:,} fights{more}:")
        environment.out.flush()
    seed = environment.fresh_seed() if seed is None else seed
    asked = Fights(seed, fights, doctrine, FightLimits(ROUNDS), jobs=usual_jobs(context))
    with environment.signals.deferred() as stop:
        done = fought(context, start, asked, stop)
    if done is None:
        raise Cancelled("stopped before the first fight was over", status=stop.status)
    wins = done.wins()
    if as_json:
        shares = {side: one.to_dict() for side, one in wins.items()}
        output.print_json(
            duel_record(start.system.name, doctrine, why=why, n=done.fights, seed=seed, wins=shares)
        )
    elif quiet:
        output.say(*(f"{side} {one.p:.6f}" for side, one in wins.items()))
    else:
        shown = {side: interval(one, output.ink) for side, one in wins.items() if one.p or side != DRAW}
        many = f"{done.fights:,}{f' of {done.wanted:,}' if done.is_cut_short else ''} fights"
        output.say(*_lines(context, start, doctrine, f"{many}; seed {seed}", shown))
    if cut_short := stopped([((), done)], []):
        output.warn(cut_short, "stopped")
    return stop.status if stop.signal else 0
