"""`crisis attack`."""

from __future__ import annotations

from typing import Any

import click

from ..completion import Source
from ..context import Context
from ..engine.scene import Intent, slug
from ..errors import Refused, Usage
from ..play.session import Session
from ..sheets.find_fighters import find_name, is_present
from . import options, placing, run_action, system_options


@click.command("attack", cls=placing.SidesCommand)
@click.argument("who", nargs=-1, metavar="[WHO] [TARGET]...", shell_complete=Source("names.fighters"))
@options.attack_options
@placing.place_option
@options.position_option
@options.override_option
@system_options.of_systems("attack")
@options.dice_options
@options.report_options
@options.common_options
@click.pass_obj
def command(context: Context, /, who: tuple[str, ...], **given: Any) -> int:
    """Attack: WHO attacks TARGET with the weapon in hand.

    In a crisis WHO defaults to the fighter whose turn it is, and TARGET to the only opponent. A number takes that
    line of the last ranking (crisis odds).

    \b
    Examples:
      crisis attack jack drone
      crisis attack jack drone --weapon pistol --range 12 --cover light
      crisis attack jack drone --dice 6,4,3 --explain
    """
    return run_attack(context, "attack", who, given)


def run_attack(context: Context, action: str, who: tuple[str, ...], given: dict[str, Any]) -> int:
    """Run an attack or a throw: the actor is --by, the first fighter named, or the one whose turn it is.

    `action` is "attack" or "throw"; returns the exit status.
    """
    others = [word for word in system_options.fighters_in_options(given) if word not in who]
    words = (given["by"], *who) if given["by"] else who
    session = context.desk.open_session(run_action.sheets_of(words), others)
    session = placing.with_one_off_positions(session, given.pop("place"))
    names = () if _ranking_line(session, who) else who
    actor, targets = run_action.actor_and_targets(session, names, given["by"], given["force"])
    if session.journal is None:
        # Fighters named only in options are in the scene, but are not targets.
        onlookers = [find_name(session.scene, word) for word in others]
        targets = [name for name in targets if name not in onlookers]
    ranked = _ranked_intent(context, session, action, who)
    if ranked is not None:
        if given["by"] and actor != ranked.actor:
            raise run_action.not_their_turn(ranked.actor, actor)
        intent = run_action.build_intent(session, action, ranked.actor, list(ranked.targets), given)
        intent = intent._replace(options={**ranked.options, **intent.options})
        return run_action.carry_out(context, session, intent, given)
    if not targets and not given.get("at") and session.journal is not None and actor:
        targets = run_action.only_foe(context, session, actor, action, given)
    if not targets and not given.get("at"):
        raise Usage(
            f"{action} whom?",
            hint=f"crisis {action} {slug(actor) or 'WHO'} TARGET",
            code="missing_argument",
        )
    return run_action.carry_out(
        context, session, run_action.build_intent(session, action, actor, targets, given), given
    )


def _ranking_line(session: Session, who: tuple[str, ...]) -> bool:
    """Whether the words mean a line of the ranking: a number alone that is no fighter."""
    is_number = session.journal is not None and len(who) == 1 and who[0].isdecimal()
    return is_number and not is_present(session.scene, who[0])


def _ranked_intent(context: Context, session: Session, action: str, who: tuple[str, ...]) -> Intent | None:
    """The intent in that line of the last ranking; None if no line is meant, Refused if it is something else."""
    if not _ranking_line(session, who):
        return None
    from ..render.typed import typed
    from . import odds

    ranking = (
        context.output.ranking
        if context.output.ranking.who
        else odds.ranking(context, session, session.scene.turn)
    )
    intent = odds.line_of_ranking(session.scene, ranking, who[0])
    if intent.action != action:
        raise Refused(
            f"line {who[0]} of the ranking is no {action}",
            hint=f"it is: crisis {typed(session.scene, intent)}",
            code="no_such_line",
        )
    return intent
