"""`crisis simulate`."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import product
from typing import Any

import click

from ..completion import Source
from ..context import Context
from ..engine.scene import Scene
from ..engine.sides import sides_of
from ..errors import FileError, Interrupted, Refused, Usage
from ..play.naming import find_item
from ..play.opening import init_intent, opening_session
from ..play.session import Session
from ..play.variants import parse_sweep
from ..render import data
from ..render.messages import listed
from ..render.simulation import Progress, Simulated, Variant, compared, fights_line, record, report, stopped
from ..sheets.files import ALLOW, file_stem, is_confined
from ..sheets.find_fighters import find_name
from ..signals import Stop
from ..simulation.blocks import FIGHTS, Work, run
from ..simulation.fight import FightStart, Limits
from ..simulation.fighting import OWN, PLAIN, Fighting, Terms, largest_block, parts_of
from ..simulation.tally import Counts, share
from ..values import NamedTuple
from . import options, placing, setup, system_options
from .campaign.evening import those_who_play

MOST_FIGHTS = 1_000_000_000
USUAL_FIGHTS = 1_000
UNTIL_FIGHTS = 1_000_000
MOST_JOBS, MOST_VARIANTS = 64, 100


@click.command("simulate", cls=system_options.SidesCommand)
@click.argument("who", nargs=-1, metavar="[WHO...]", shell_complete=Source("names.fighters"))
@options.combine(*setup.sides_options)
@click.option(
    "--from-crisis",
    is_flag=True,
    help="Begin with the open crisis as it stands (at the prompt the default without WHO).",
)
@click.option(
    "--apart",
    type=options.Count(0, 1_000),
    metavar="N",
    help=placing.APART_HELP,
)
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
    type=options.Count(1, MOST_FIGHTS),
    metavar="N",
    help=f"Number of fights (default: {USUAL_FIGHTS:,}).",
)
@click.option(
    "--rounds",
    type=options.Count(1, 10_000),
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
    quiet: bool,
    as_json: bool,
    **given: Any,
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
    seed = given["seed"]
    seed = context.environment.fresh_seed() if seed is None else seed
    wanted = fights or (UNTIL_FIGHTS if until_width else USUAL_FIGHTS)
    settings = Settings(
        doctrine,
        Limits(rounds, retreat_at),
        seed,
        wanted,
        jobs or usual_jobs(context),
        until_width or 0.0,
        cluster or "",
    )
    if jobs and cluster:
        raise Usage(
            "--jobs is for processes here, and --cluster for workers",
            hint="leave out one of them",
            code="conflicting_options",
        )
    variants = _variants(compare, sweep)
    from_crisis = from_crisis or (context.environment.at_prompt and not _is_named(who, given))
    if variants != [()] and from_crisis:
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
    base, found = context.desk.overrides, list[tuple[Variant, Simulated]]()
    with context.environment.signals.deferred() as stop:
        for variant in variants:
            varied = (*base, *(f"{key}={value}" for key, value in variant if not _is_held(key)))
            changed = context._replace(desk=context.desk._replace(overrides=varied))
            opening = _with_held(_opening(changed, who, from_crisis, given, seed), variant)
            opening = opening._replace(scene=with_doctrine(changed, opening.scene, doctrine))
            done = simulate(changed, opening, settings, stop)
            if done is not None:
                found.append((variant, done))
            if stop.signal:
                break
    if not found:
        raise Interrupted("stopped before the first fight was over", status=stop.status)
    if as_json:
        for variant, done in found:
            said = {"set": dict(variant)} if variant else {}
            context.output.print_json({"v": data.VERSION, "action": "simulate", **record(done), **said})
    elif quiet:
        for variant, done in found:
            before = "".join(f"{value} " for _, value in variant)
            context.output.say(*(f"{before}{line}" for line in _bare(done)))
    elif variants != [()]:
        context.output.say(*compared(found, variants[len(found) :], context.output.ink))
    else:
        environment = context.environment
        context.output.say(
            *report(found[0][1], context.output.ink, environment.width, environment.is_terminal)
        )
    if cut_short := stopped(found, variants[len(found) :]):
        # Below all else: what stands above may have left the screen, or have gone into a file.
        context.output.warn(cut_short, "stopped")
    return stop.status if stop.signal else 0


class Settings(NamedTuple):
    """How fights are simulated."""

    doctrine: str
    limits: Limits
    seed: int
    fights: int
    jobs: int
    until_width: float = 0.0
    cluster: str = ""
    """The address of a Dask scheduler whose workers fight; empty for processes here."""


def simulate(context: Context, opening: FightStart, settings: Settings, stop: Stop) -> Simulated | None:
    """Fight many fights from one opening, with a bar on stderr; None if none was over before a signal came."""
    environment, wanted = context.environment, settings.fights
    progress = Progress(environment.err, environment.width, fights_line(wanted), time.monotonic)
    sides = sides_of(opening.scene)

    def enough(counts: Counts) -> bool:
        shares = (share(counts.get(("wins", side), 0), counts[FIGHTS]) for side in sides)
        return settings.until_width > 0 and all(one.high - one.low <= settings.until_width for one in shares)

    terms = Terms(
        opening, settings.doctrine, settings.limits, settings.seed, context.desk.shelves.doctrines().named
    )
    fighting = Fighting(terms, lambda: bool(stop.signal))
    work = Work(
        wanted,
        largest_block(terms),
        fighting.part,
        stop,
        time.monotonic,
        parts=parts_of(terms),
        jobs=settings.jobs,
        enough=enough,
        progress=progress.show,
        lessons=fighting,
    )

    def warn(message: str) -> None:
        progress.clear()
        context.output.warn(message, "cluster")

    try:
        counts = _on_cluster(context, work, terms, settings.cluster, warn) if settings.cluster else run(work)
    finally:
        progress.clear()
    if not counts.get(FIGHTS):
        return None
    wanted = wanted if stop.signal else counts[FIGHTS]
    return Simulated(opening.system, opening.scene, counts, settings.seed, settings.doctrine, wanted)


def _on_cluster(
    context: Context, work: Work, terms: Terms, address: str, warn: Callable[[str], None]
) -> Counts:
    """What the workers of a cluster count; they get all doctrines that a fighter may take on."""
    from ..simulation import cluster

    doctrines = context.desk.shelves.doctrines()
    found = {}
    if terms.doctrine != PLAIN:
        for name in (*doctrines.names(), *(one.doctrine for one in terms.opening.scene.fighters.values())):
            with suppress(FileError):
                found[name] = doctrines.named(name)
    return cluster.run(work, terms, found, address, warn)


def _variants(compare: tuple[str, ...], sweep: tuple[str, ...]) -> list[Variant]:
    """Every combination of the values of --compare and --sweep; one without any where there are none."""
    keys: list[list[tuple[str, str]]] = []
    for word in compare:
        key, equals, values = word.partition("=")
        if not equals or "." not in key or not all(values.split(",")):
            raise Usage(
                f"--compare takes WHO.KEY=A,B, not {word!r}",
                hint="--compare ada.held=pistol,knife",
                code="bad_value",
                option="--compare",
            )
        keys.append([(key, value) for value in values.split(",")])
    for word in sweep:
        swept = parse_sweep(word)
        keys.append([(swept.key, str(value)) for value in swept.values])
    found = [*product(*keys)]
    if len(found) > MOST_VARIANTS:
        raise Usage(f"at most {MOST_VARIANTS} combinations, not {len(found):,}", code="bad_value")
    return found


def _is_held(key: str) -> bool:
    """Whether a key of --compare is what is in hand, and none of the sheet."""
    return key.partition(".")[2] == "held"


def _with_held(opening: FightStart, variant: Variant) -> FightStart:
    """The opening with the things in hand that a variant names."""
    for key, value in variant:
        if _is_held(key):
            session = Session(opening.system, opening.scene)
            name = find_name(opening.scene, key.partition(".")[0])
            thing = find_item(session, name, opening.system.carried, value)
            fighters = {**opening.scene.fighters}
            fighters[name] = fighters[name]._replace(held=(thing,))
            opening = opening._replace(scene=opening.scene._replace(fighters=fighters))
    return opening


def usual_jobs(context: Context) -> int:
    """How many processes share the work: one for each processor; one at the prompt, which has threads."""
    if context.environment.at_prompt:
        return 1
    with_limits = getattr(os, "sched_getaffinity", None)
    return min(MOST_JOBS, len(with_limits(0)) if with_limits else os.cpu_count() or 1)


def _is_named(who: tuple[str, ...], given: Mapping[str, Any]) -> bool:
    """Whether a command line says who fights."""
    return bool(who or given["vs"] or given["encounter"])


def _opening(
    context: Context, who: tuple[str, ...], from_crisis: bool, given: dict[str, Any], seed: int
) -> FightStart:
    """How every fight begins: with the roll for the turn order, or from the open crisis."""
    if from_crisis:
        _require_as_it_stands(context, who, given)
        context.desk.journals.require()
        session = context.desk.open_session()
        from .autofight import require_undecided

        require_undecided(session)
        if not session.scene.turn:
            raise Refused("no turn has begun", hint="roll for it: crisis init WHO… --open", code="no_turn")
        return FightStart(session.system, session.scene, None, session.crisis.done if session.crisis else ())
    who = those_who_play(context, who, bool(given["vs"] or given["encounter"]))
    if given["vs"] and not (who or given["encounter"]):
        raise Usage(
            "missing argument: WHO",
            hint=f"say who fights them: crisis simulate WHO… --vs {' '.join(given['vs'])}",
            code="missing_argument",
        )
    if not (given["vs"] or given["encounter"]):
        raise Usage(
            "missing option: --vs WHO",
            hint=_what_to_simulate(context, who),
            code="missing_argument",
        )
    asked = setup.read_opening(who, given, given["apart"])
    session, _, _ = opening_session(context.desk, asked, seed)
    return FightStart(session.system, session.scene, init_intent(session, [*session.scene.fighters], asked))


def _require_as_it_stands(context: Context, who: tuple[str, ...], given: Mapping[str, Any]) -> None:
    """Raise Usage for words that say how a fight begins: the open crisis goes on as it stands."""
    found = [f"WHO ({' '.join(who)})"] if who else []
    found += [
        f"--{name.replace('_', '-')}"
        for name, value in given.items()
        if name != "seed" and value not in (None, ()) and value is not False
    ]
    if not found:
        return
    words = listed(found)
    if context.environment.at_prompt and not _is_named(who, given):
        raise Usage(
            f"without WHO it goes on from the open crisis as it stands, and takes no {words}",
            hint=f"leave out {words}, or name who fights: simulate WHO… --vs WHO…",
            code="conflicting_options",
        )
    raise Usage(
        f"--from-crisis cannot go with {words}: the open crisis goes on as it stands",
        hint=f"leave out {words}, or --from-crisis",
        code="conflicting_options",
    )


def _what_to_simulate(context: Context, who: tuple[str, ...]) -> str:
    """What to type where no opponent is named: the encounter, where the name is that of one."""
    (name,) = who if len(who) == 1 else ("",)
    if name in {file_stem(path) for _, path in context.desk.shelves.encounters().files_in_reach()}:
        return f"the encounter {name}: crisis simulate --encounter {name}"
    return "crisis simulate WHO… --vs WHO…; an encounter: --encounter NAME; the open crisis: --from-crisis"


def with_doctrine(context: Context, scene: Scene, doctrine: str) -> Scene:
    """The scene with everyone of a doctrine, unless it is plain or their own; FileError where one is missing."""
    if doctrine == PLAIN:
        return scene
    if doctrine != OWN:
        try:
            context.desk.shelves.doctrines().named(doctrine)
        except FileError as error:
            if error.code == "not_found":
                error.hint = f"{PLAIN}, {OWN}, or a doctrine; {error.hint}"
            raise
        fighters = {name: one._replace(mind=doctrine) for name, one in scene.fighters.items()}
        scene = scene._replace(fighters=fighters)
    for one in scene.fighters.values():
        context.desk.shelves.doctrine_of(one)
    return scene


def _bare(done: Simulated) -> list[str]:
    """A line for each side and for draws: its share of the fights, and the interval."""
    return [f"{side} {one.p:.6f} {one.low:.6f} {one.high:.6f}" for side, one in done.wins().items()]
