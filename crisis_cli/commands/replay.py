"""`crisis replay`."""

from __future__ import annotations

import click

from ..context import Context
from ..errors import Usage
from ..play import telling
from ..render import data, text
from ..render.board import board
from ..systems import load
from . import options


@click.command("replay")
@click.argument("path", required=False, metavar="[FILE]", type=click.Path())
@click.option(
    "--at", metavar="ROUND[.TURN]", help="Show only the state as this round, or a turn in it, began."
)
@click.option("--explain", is_flag=True, help="Show every modifier with its rule.")
@options.common_options
@click.pass_obj
def command(context: Context, /, path: str | None, at: str | None, explain: bool, as_json: bool) -> int:
    """Show a crisis again from its journal: the open one, or any FILE.

    \b
    Examples:
      crisis replay
      crisis replay crisis-20261120T190702Z.jsonl
      crisis replay --at 1
    """
    crisis = telling.read_journal(context.desk, path, "replay").crisis
    system = load(crisis.scene.system)
    if at is not None:
        scene = telling.state_at(crisis, *_parse_moment(at))
        if as_json:
            context.output.print_json(data.status(scene, system, crisis.seed))
        else:
            context.output.say(*board(scene, system, context.output.ink, context.environment.width))
        return 0
    for place, entry in enumerate(crisis.done):
        with text.legible(entry):
            if as_json:
                context.output.print_json(data.entry(entry, system, crisis.seed, True, explain))
            else:
                said = text.entry_lines(
                    entry,
                    crisis.scene,
                    system,
                    context.output.ink,
                    explain,
                    past=crisis.done[:place],
                )
                context.output.say(*said)
    return 0


def _parse_moment(moment: str) -> tuple[int, int]:
    """The round and the turn that ROUND or ROUND.TURN spells; Usage if it is neither."""
    number, dot, turn = moment.partition(".")
    if not all(
        word.isascii() and word.isdigit() and len(word) < 6 for word in (number, turn if dot else "1")
    ):
        raise Usage(f"--at takes ROUND or ROUND.TURN, not {moment!r}", hint="--at 3.2", code="bad_value")
    return int(number), int(turn or 1)
