"""`crisis foe`."""

from __future__ import annotations

import click

from ..completion import Source
from ..context import Context
from ..engine.scene import slug
from ..play.foes import USUAL_FIGHTS, USUAL_LEVEL, FoeWish, make, new_file
from ..play.party import those_who_play
from ..render.simulation import fights_line
from ..sheets.foes import LEVELS
from ..sheets.store import COPIES
from ..simulation.block import OWN, PLAIN
from . import options
from .progress import broken_off, progress_line
from .system_options import SidesCommand

MOST_FIGHTS = 100_000
"""Most fights that may be asked for."""


@click.command("foe", cls=SidesCommand)
@click.argument("role", required=False, metavar="[ROLE]", shell_complete=Source("names.roles"))
@options.system_option("The rule system (default: that of the sheets after --against).")
@click.option(
    "--against",
    multiple=True,
    metavar="WHO...",
    help="The fighters it is for: every word up to the next option (default: the party of the campaign).",
    shell_complete=Source("names.joining_fighters"),
)
@click.option(
    "--level",
    type=click.IntRange(min(LEVELS), max(LEVELS)),
    default=USUAL_LEVEL,
    metavar="N",
    help="How hard it is, 1 to 5: the players win 95, 85, 70 (the default), 50 or 30 % of the fights.",
)
@click.option(
    "--count",
    type=click.IntRange(1, COPIES),
    metavar="N",
    help="How many of it fight together (default: 1, a swarm 3; more or fewer where the level takes it).",
)
@click.option("--name", metavar="NAME", help="Its name (default: one from the table names).")
@click.option(
    "--doctrine",
    type=click.Choice([PLAIN, OWN]),
    default=PLAIN,
    help="How all decide in the fights that confirm it: plain (default), or own: each by the doctrine of its sheet.",
)
@click.option(
    "-n",
    "--fights",
    type=options.CountRange(1, MOST_FIGHTS),
    default=USUAL_FIGHTS,
    metavar="N",
    help=f"Number of fights that confirm it (default: {USUAL_FIGHTS}).",
)
@options.seed_option
@click.option("--save", metavar="FILE", type=click.Path(), help="Write the sheet to this new file.")
@options.common_options
@click.pass_obj
def command(
    context: Context,
    /,
    role: str | None,
    system: str | None,
    against: tuple[str, ...],
    level: int,
    count: int | None,
    name: str | None,
    doctrine: str,
    fights: int,
    seed: int | None,
    save: str | None,
    as_json: bool,
) -> int:
    """Make a made-to-measure foe: strong enough that the players win a chosen share of fights.

    ROLE is brute, shot, swarm, leader or skulker; without it the dice choose. The exact odds of both sides give the
    first guess, and simulated fights confirm it or move it. What a single foe can be has limits; beyond them there are
    more of it.

    \b
    Examples:
      crisis foe --against jack ada
      crisis foe brute --against jack --level 4 --save characters/gate.toml
      crisis foe swarm --against ines bruno --count 5 --seed 7
    """
    if save:
        new_file(context.desk.shelves.sheets(), save)
    party = those_who_play(context.desk, against, True)
    wish = FoeWish(role or "", party, system or "", level, count, name, doctrine, fights, seed)
    with (
        progress_line(context, fights_line(fights)) as progress,
        broken_off(context, "stopped before the foe was found"),
    ):
        foe = make(context.desk, wish, progress.show)
    if foe.remark:
        context.output.warn(foe.remark, "not_near")
    if save:
        foe.save(save)
    if as_json:
        context.output.print_json(foe.to_dict(save or ""))
    elif not save:
        context.output.print_text(foe.text(f"{slug(foe.sheet['name'])}.toml"))
    else:
        context.output.say(f"{save} is written: {foe.found}.", f"Play: {foe.play(save)}")
    return 0
