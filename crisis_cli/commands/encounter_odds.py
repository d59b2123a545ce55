"""`crisis odds encounter`: how strong the sides of an encounter are before it begins."""

from __future__ import annotations

from collections.abc import Iterator

import click

from ..completion import Source
from ..context import Context
from ..play.weighing import Strength, side_strengths, strengths
from ..render.style import Ink
from . import options, setup


@click.command("encounter")
@click.argument("name", metavar="NAME", shell_complete=Source("names.encounters"))
@click.argument("who", nargs=-1, metavar="[WHO]...", shell_complete=Source("names.fighters"))
@options.seed_option
@setup.encounters_option
@options.common_options
@click.pass_obj
def command(context: Context, /, name: str, who: tuple[str, ...], seed: int | None, as_json: bool) -> int:
    """Compare the sides of an encounter as it begins: what each fighter's best action does to a foe in a turn.

    The odds are exact; who stands where, cover and events are not counted. Where dice say how many there are, they are
    those of --seed.

    \b
    Example:
      crisis odds encounter bridge
    """
    file = context.desk.shelves.encounters().read(name)
    seed = context.environment.fresh_seed() if seed is None else seed
    system, fighters = strengths(context.desk, file, who, seed)
    if as_json:
        context.output.print_record(
            "odds encounter",
            name=file.title,
            system=system.name,
            fighters=[one._asdict() for one in fighters],
            sides={side: one._asdict() for side, one in side_strengths(fighters).items()},
        )
    else:
        context.output.say(*_lines(context.output.ink, fighters))
    return 0


def _lines(ink: Ink, fighters: list[Strength]) -> Iterator[str]:
    """A line for each fighter, and one for each side."""
    wide = ink.widest(one.name for one in fighters)
    lines = ink.widest(one.line for one in fighters)
    for one in fighters:
        chance = "" if one.success is None else f"{100 * one.success:.0f} %"
        name, line = ink.padded(one.name, wide), ink.padded(one.line, lines)
        yield f"{name}  {line}  {chance:>5}  {100 * one.worth:3.0f} % of a foe a turn"
    yield ""
    for side, strength in side_strengths(fighters).items():
        rounds = f"all of them in about {strength.rounds:g} rounds" if strength.rounds else "none of them"
        yield f"The {side} bring down {strength.downs:.2f} foes a round: {rounds}."
