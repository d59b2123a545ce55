"""`crisis join`."""

from __future__ import annotations

from typing import Any

import click

from ..completion import Source
from ..context import Context
from ..engine.events import record_of
from ..engine.scene import Intent, Scene
from ..errors import Refused
from ..play.attacking import Planned
from ..play.opening import joining_fighters
from ..play.placing import with_positions
from ..play.session import Session
from ..play.wording import intent_options
from ..sheets.find_fighters import sheet_word
from ..sheets.names import fighter_names, fold_case, match_name
from ..sheets.store import copies
from . import options, placing
from .acting import ActingOnSides


@options.without_ignored
@click.command("join", cls=ActingOnSides)
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
def command(
    context: Context,
    /,
    run: options.Run,
    who: tuple[str, ...],
    vs: tuple[str, ...],
    place: tuple[str, ...],
    group: bool,
    by: str | None,
    **words: Any,
) -> Planned:
    """Add fighters to the crisis, or bring them back; they roll for their place in the turn order.

    \b
    Examples:
      crisis join ada
      crisis join --vs drone:2
    """
    context.desk.journals.require()
    session = context.desk.open_session()
    back = [name for name in (_departed(session, word) for word in who) if name]
    names = tuple(word for word in who if not _departed(session, word))
    if not back and not names and not vs:
        raise click.UsageError("missing argument: WHO")
    new = joining_fighters(context.desk, session, names, vs) if names or vs else []
    present = {fold_case(name) for name in session.scene.fighters}
    taken = [one for one in new if fold_case(one.name) in present]
    if taken:
        raise Refused(
            f"{taken[0].name} is here already",
            hint=f"to add another with a number: {sheet_word(taken[0])}:1",
            code="here_already",
        )
    with_them = Scene(session.system.name, {one.name: one for one in new}, open=True)
    records = [record_of(one) for one in with_positions(with_them, placing.parsed(place)).fighters.values()]
    records += [{"name": name} for name in back]
    values = intent_options(words, session, "join")
    joining = tuple(record["name"] for record in records)
    extra = {"fighters": records, **({"group": True} if group else {})}
    return Planned(session, Intent("join", "", joining, {**values, **extra}))


def _departed(session: Session, word: str) -> str:
    """The name of the departed fighter that a word means; empty if it means a present fighter or a sheet."""
    scene = session.scene
    match = match_name(word, fighter_names(scene))
    if not match.is_whole and session.store and session.store.has(copies(word)[0]):
        return ""
    gone = [name for name in match.names if scene.fighters[name].gone]
    return gone[0] if len(gone) == len(match.names) == 1 else ""
