"""`crisis join`."""

from __future__ import annotations

from typing import Any

import click

from ..completion import Source
from ..context import Context
from ..engine.events import record_of
from ..engine.scene import Intent, Scene
from ..errors import Refused
from ..play.session import Session
from ..sheets.find_fighters import sheet_word
from ..sheets.names import fighter_names, fold_case, match_name
from ..sheets.store import copies
from . import options, placing, run_action, setup, system_options


@options.without_ignored
@click.command("join", cls=placing.SidesCommand)
@click.argument("who", nargs=-1, metavar="WHO...", shell_complete=Source("names.joining_fighters"))
@click.option(
    "--vs",
    multiple=True,
    metavar="WHO...",
    help="These join the opponents.",
    shell_complete=Source("names.joining_fighters"),
)
@click.option("--group", is_flag=True, help="Copies of one sheet share a roll.")
@placing.place_option
@options.dice_options
@options.report_options
@options.common_options
@click.pass_obj
def command(
    context: Context, /, who: tuple[str, ...], vs: tuple[str, ...], place: tuple[str, ...], **given: Any
) -> int:
    """Add fighters to the crisis, or bring them back; they roll for their place in the turn order.

    \b
    Examples:
      crisis join ada
      crisis join --vs drone:2
    """
    context.desk.journals.require()
    session = context.desk.open_session()
    back = [name for name in (_departed(session, word) for word in who) if name]
    words = tuple(word for word in who if not _departed(session, word))
    if not back and not words and not vs:
        raise click.UsageError("missing argument: WHO")
    new = setup.joining_fighters(context, session, words, vs) if words or vs else []
    present = {fold_case(name) for name in session.scene.fighters}
    taken = [one for one in new if fold_case(one.name) in present]
    if taken:
        raise Refused(
            f"{taken[0].name} is here already",
            hint=f"to add another with a number: {sheet_word(taken[0])}:1",
            code="here_already",
        )
    with_them = Scene(session.system.name, {one.name: one for one in new}, open=True)
    records = [record_of(one) for one in placing.with_positions(with_them, place).fighters.values()]
    records += [{"name": name} for name in back]
    values = system_options.intent_options(
        {key: value for key, value in given.items() if key != "group"}, session, "join"
    )
    names = tuple(record["name"] for record in records)
    extra = {"fighters": records, **({"group": True} if given["group"] else {})}
    return run_action.carry_out(context, session, Intent("join", "", names, {**values, **extra}), given)


def _departed(session: Session, word: str) -> str:
    """The name of the departed fighter that a word means; empty if it means a present fighter or a sheet."""
    scene = session.scene
    match = match_name(word, fighter_names(scene))
    if not match.is_whole and session.store and session.store.has(copies(word)[0]):
        return ""
    gone = [name for name in match.names if scene.fighters[name].gone]
    return gone[0] if len(gone) == len(match.names) == 1 else ""
