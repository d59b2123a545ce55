"""`crisis attack`."""

from __future__ import annotations

from typing import Any

import click

from ..completion import Source
from ..context import Context
from ..engine.scene import Intent
from ..play.attacking import Planned, Strike, planned
from ..play.session import Session
from . import options, placing, system_options
from .acting import ActingOnSides


@click.command("attack", cls=ActingOnSides)
@click.argument("who", nargs=-1, metavar="[WHO] [TARGET]...", shell_complete=Source("names.fighters"))
@options.attack_options
@placing.place_option
@options.position_option
@options.override_option
@system_options.of_systems("attack")
@options.dice_options
@options.report_options
@options.common_options
def command(context: Context, /, run: options.Run, **words: Any) -> Planned:
    """Attack: WHO attacks TARGET with the weapon in hand.

    In a crisis WHO defaults to the fighter whose turn it is, and TARGET to the only opponent. A number takes that
    line of the last ranking (crisis odds).

    \b
    Examples:
      crisis attack jack drone
      crisis attack jack drone --weapon pistol --range 12 --cover light
      crisis attack jack drone --dice 6,4,3 --explain
    """
    return strike(context, "attack", run, **words)


def strike(
    context: Context,
    action: str,
    run: options.Run,
    /,
    who: tuple[str, ...],
    by: str | None,
    place: tuple[str, ...],
    **words: Any,
) -> Planned:
    """What the words of an attack or a throw are about to do."""

    def ranked(session: Session, line: str) -> Intent:
        """What a line of the ranking shown last does."""
        from ..output import Ranking
        from ..play.weighing import ranking_by_plan
        from ..render.ranking import lines
        from .odds import line_of_ranking

        scene, shown, at_prompt = session.scene, context.output.ranking, context.environment.at_prompt
        if not shown.who and not at_prompt:
            shown = Ranking(scene.turn, lines(ranking_by_plan(context.desk, session, scene.turn)[0]))
        return line_of_ranking(scene, shown, line, is_for_turn=at_prompt)

    asked = Strike(action, who, by or "", placing.parsed(place), words)
    return planned(context.desk, asked, ranked, checks_turn=not run.is_weighed)
