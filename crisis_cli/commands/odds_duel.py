"""`crisis odds duel`: the exact probability of winning a fight of two."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from typing import Any

import click

from ..completion import Source
from ..context import Context
from ..dice.distribution import OddsTable, least_harm
from ..dice.table import Alternative
from ..engine.scene import Intent, Scene
from ..errors import Interrupted, TooWide, Usage
from ..play import opening
from ..render import data
from ..render.simulation import DOCTRINES, Progress, interval, states_line, stopped
from ..simulation.duel import MOST_STATES, Duel, solve
from ..simulation.fight import FightStart, Limits
from ..simulation.fighting import PLAIN
from ..simulation.memo import LAW_LIMIT, MOST_LAWS, Memo
from ..simulation.tally import DRAW
from ..simulation.watched import Unsuited
from . import options
from .simulate import MOST_FIGHTS, Settings, simulate, usual_jobs, with_doctrine

RECKLESS = "reckless"
ROUNDS = 10_000
"""Rounds after which a simulated duel is a draw: an exact one has no last round."""
SIMULATED = 10_000
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
    type=options.Count(1, MOST_FIGHTS),
    default=SIMULATED,
    metavar="N",
    help=f"Fights to simulate where there is no exact answer (default: {SIMULATED:,}).",
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
    fights: int,
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
    opening = _opening(context, one, other)
    if len(opening.scene.fighters) > 2:
        raise Usage(
            f"a duel is between two fighters, not {len(opening.scene.fighters)}",
            hint="crisis simulate WHO… --vs WHO…",
            code="bad_value",
        )
    try:
        duel = _solved(context, memo_of(context, opening, doctrine))
    except (TooWide, Unsuited) as wide:
        return _simulated(context, opening, doctrine, fights, seed, str(wide), quiet, as_json)
    chances = {side: duel.chances.get(side, 0.0) for side in _sides(opening.scene, duel)}
    if as_json:
        wins = {side: {"p": p} for side, p in chances.items()}
        context.output.print_json(_record(opening, doctrine, states=duel.states, wins=wins))
    elif quiet:
        context.output.say(*(f"{side} {p:.9f}" for side, p in chances.items()))
    else:
        shown = {side: f"{100 * p:8.4f} %" for side, p in chances.items() if p or side != DRAW}
        context.output.say(*_lines(context, opening, doctrine, f"{duel.states:,} states", shown))
    return 0


def _solved(context: Context, memo: Memo) -> Duel:
    """The exact chances, with a line on stderr while they are worked out."""
    environment = context.environment
    progress = Progress(environment.err, environment.width, states_line, time.monotonic)

    def say() -> None:
        if progress.shows:
            progress.show(0)
        elif not context.output.wants_json:
            context.output.say(f"working out all states of the fight, up to {MOST_STATES:,}", to_stderr=True)

    first_line = threading.Timer(SILENT, say)
    first_line.daemon = True
    first_line.start()
    with environment.signals.deferred() as stop:
        try:
            with environment.signals.interruptible():
                return solve(memo, tick=progress.show)
        except KeyboardInterrupt:
            raise Interrupted(
                "stopped before all states of the fight were worked out", status=stop.status
            ) from None
        finally:
            first_line.cancel()
            progress.clear()


def _lines(
    context: Context, opening: FightStart, doctrine: str, how: str, shown: Mapping[str, str]
) -> Iterator[str]:
    """How both decide and how the chances were found, and a line for each side, named by its fighter."""
    said = DOCTRINES.get(doctrine, f"{doctrine}: both by this doctrine")
    yield context.output.ink("dim", f"doctrine {said}; {how}")
    names = {fighter.side: name for name, fighter in opening.scene.fighters.items()}
    wide = context.output.ink.widest(names.get(side, side) for side in shown)
    for side, chance in shown.items():
        yield f"  {context.output.ink.padded(names.get(side, side), wide)}  {chance}"


def _record(opening: FightStart, doctrine: str, **found: Any) -> dict[str, Any]:
    """What was found of a duel, for programs."""
    head = {"v": data.VERSION, "action": "odds duel", "system": opening.system.name, "doctrine": doctrine}
    return {**head, **found}


def _sides(scene: Scene, duel: Duel) -> list[str]:
    """The sides, and a draw."""
    sides = [fighter.side for fighter in scene.fighters.values()]
    return [*sides, *(end for end in duel.chances if end not in sides)]


def _opening(context: Context, one: str, other: str) -> FightStart:
    """How the duel begins."""
    session, _, _ = opening.opening_session(context.desk, opening.Opening((one,), (other,)), 0)
    return FightStart(session.system, session.scene, Intent("init", "", tuple(session.scene.fighters)))


def memo_of(context: Context, opening: FightStart, doctrine: str) -> Memo:
    """What remembers the steps of a duel, by the plain policy or a doctrine."""
    if doctrine == PLAIN:
        return Memo(opening, OddsTable(least_harm, most_kept=MOST_LAWS, limit=LAW_LIMIT))
    from ..ai.choosing import choose_by_doctrine
    from ..ai.deciding import AutoPlayer

    found = context.desk.shelves.doctrines().named(doctrine)

    def policy(who: str, several: tuple[Alternative, ...], odds_table: OddsTable) -> Alternative:
        return choose_by_doctrine(found.react, several, odds_table).option

    player = AutoPlayer(opening.system, lambda name: found)

    def decide(scene: Scene, who: str) -> Intent:
        intent = player.decide(scene, who).intent
        kept = {key: value for key, value in intent.options.items() if key != "reason"}
        return intent._replace(options=kept)

    return Memo(opening, OddsTable(policy, most_kept=MOST_LAWS, limit=LAW_LIMIT), decide)


def _simulated(
    context: Context,
    opening: FightStart,
    doctrine: str,
    fights: int,
    seed: int | None,
    why: str,
    quiet: bool,
    as_json: bool,
) -> int:
    """Say why a duel has no exact answer here, and simulate it; the exit status."""
    if not (quiet or as_json):
        context.output.say(f"No exact answer: {why}. Simulating {fights:,} fights:")
        context.environment.out.flush()
    seed = context.environment.fresh_seed() if seed is None else seed
    opening = opening._replace(scene=with_doctrine(context, opening.scene, doctrine))
    settings = Settings(doctrine, Limits(ROUNDS), seed, fights, usual_jobs(context))
    with context.environment.signals.deferred() as stop:
        done = simulate(context, opening, settings, stop)
    if done is None:
        raise Interrupted("stopped before the first fight was over", status=stop.status)
    wins = done.wins()
    if as_json:
        found = {side: one._asdict() for side, one in wins.items()}
        context.output.print_json(_record(opening, doctrine, why=why, n=done.fights, seed=seed, wins=found))
    elif quiet:
        context.output.say(*(f"{side} {one.p:.6f}" for side, one in wins.items()))
    else:
        shown = {
            side: interval(one, context.output.ink) for side, one in wins.items() if one.p or side != DRAW
        }
        many = f"{done.fights:,}{f' of {done.wanted:,}' if done.is_cut_short else ''} fights"
        context.output.say(*_lines(context, opening, doctrine, f"{many}; seed {seed}", shown))
    if cut_short := stopped([((), done)], []):
        context.output.warn(cut_short, "stopped")
    return stop.status if stop.signal else 0
