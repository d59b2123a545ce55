"""`crisis check`."""

from __future__ import annotations

from typing import Any

import click

from ..completion import Source
from ..context import Context
from ..engine.scene import slug
from ..errors import Usage
from ..play.attacking import Planned
from ..play.wording import build_intent, fighters_in_options
from ..sheets.files import exists
from ..sheets.find_fighters import find_name
from ..sheets.names import fighter_names, match_name
from . import options, system_options
from .acting import ActingOnNames


@click.command("check", cls=ActingOnNames)
@click.argument(
    "words", nargs=-1, required=True, metavar="[WHO] SKILL", shell_complete=Source("actions.check_arguments")
)
@click.option("--difficulty", metavar="N", help="Difficulty of the roll.")
@click.option(
    "--vs",
    nargs=2,
    metavar="OTHER SKILL",
    help="Roll against another fighter's skill.",
    shell_complete=Source("names.opposing_skill"),
)
@options.override_option
@system_options.of_systems("check")
@options.dice_options
@options.report_options
@options.common_options
def command(
    context: Context,
    /,
    run: options.Run,
    words: tuple[str, ...],
    vs: tuple[str, str] | None,
    by: str | None,
    **given: Any,
) -> Planned:
    """Roll a check: WHO rolls SKILL, against a difficulty or an opponent's roll.

    In a crisis WHO defaults to the fighter whose turn it is.

    \b
    Examples:
      crisis check jack melee --difficulty 12
      crisis check jack stealth --vs drone perception
    """
    others = (*((vs[0],) if vs else ()), *fighters_in_options(given))
    names = words[:-1] if len(words) > 1 else ()
    if exists(context.desk.places.journal_path):
        session = context.desk.open_session(
            *([(*words[:1], *others)] if context.desk.journals.active() is None else [])
        )
    else:
        session = context.desk.open_session((*words[:1], *others))
    scene = session.scene
    first = by or (names[0] if names else "")
    actor = find_name(scene, first) if first else scene.turn if scene.turn else ""
    if not actor:
        actor = find_name(scene, words[0])
    if names and not by and len(names) > 1:
        raise click.UsageError(f"one name and one skill, not {len(words)} words")
    # A single word that is only the beginning of a name is a skill: `str` is not Strider.
    skill = words[-1] if len(words) > 1 or not match_name(words[0], fighter_names(scene)).is_whole else ""
    if not skill:
        who = slug(find_name(scene, words[0]))
        raise Usage("missing argument: SKILL", hint=f"crisis check {who} SKILL", code="missing_argument")
    intent = build_intent(session, "check", actor, [], given)
    extra: dict[str, Any] = {"skill": skill}
    if vs:
        extra["vs"] = [find_name(scene, vs[0]), vs[1]]
    return Planned(session, intent.plus(**extra))
