"""`crisis replay`."""

from __future__ import annotations

import os

import click

from ..context import Context
from ..engine.events import apply_all
from ..engine.journal import Crisis
from ..engine.scene import Scene
from ..errors import Refused, Usage
from ..render import data, text
from ..render.board import board
from ..render.reasons import is_repeated
from ..sheets import journal_file
from ..sheets.files import exists
from ..sheets.journal_file import Journal
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
    crisis = read_journal(context, path, "replay").crisis
    system = load(crisis.scene.system)
    if at is not None:
        scene = _scene_at(crisis, at)
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
                    is_repeated=is_repeated(crisis.done, place),
                )
                context.output.say(*said)
    return 0


def _scene_at(crisis: Crisis, moment: str) -> Scene:
    """The scene as a round or a turn of it began, spelled ROUND or ROUND.TURN; Refused if it never did."""
    number, dot, turn = moment.partition(".")
    if not all(
        word.isascii() and word.isdigit() and len(word) < 6 for word in (number, turn if dot else "1")
    ):
        raise Usage(f"--at takes ROUND or ROUND.TURN, not {moment!r}", hint="--at 3.2", code="bad_value")
    wanted, last, scene, count = (int(number), int(turn or 1)), (-1, 0), crisis.start, 0
    for entry in crisis.done:
        before = scene
        scene = apply_all(scene, entry.events)
        if not scene.turn or (before.round, before.turn) == (scene.round, scene.turn):
            continue
        count = 1 if before.round != scene.round or not before.turn else count + 1
        last = (scene.round, count)
        if last == wanted:
            return scene
    reached = f"the last one was turn {last[1]} of round {last[0]}" if last[1] else "no turn has begun"
    raise Refused(
        f"there was no turn {wanted[1]} of round {wanted[0]}: {reached}", hint="crisis log", code="no_entry"
    )


def read_journal(context: Context, name: str | None, verb: str) -> Journal:
    """The journal in the file `name`, or else the one in place, open or ended; Refused if there is none."""
    if name:
        return journal_file.read(os.path.join(context.environment.cwd, name), name)
    if not exists(context.desk.places.journal_path):
        raise Refused(
            f"no crisis is open here ({context.desk.places.file})",
            hint=f"name a journal: crisis {verb} FILE",
            code="no_crisis",
        )
    return journal_file.read(context.desk.places.journal_path, context.desk.places.file)
