"""Attacks and throws: who attacks whom, from the words of a command, a line or a program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..engine.scene import Intent, slug
from ..errors import Refused, Usage
from ..render.command_text import typed
from ..sheets.find_fighters import find_name, is_present
from ..values import NamedTuple
from .desk import Desk
from .naming import actor_and_targets, not_their_turn, only_foe, sheets_of
from .placing import Place, with_one_off_positions
from .session import Session
from .wording import build_intent, fighters_in_options


class Planned(NamedTuple):
    """An order made an intent, and the open crisis or the one-off that it belongs to; nothing is performed yet."""

    session: Session
    intent: Intent
    remark: str = ""
    """What is said after it, such as how near a move leads."""


class Strike(NamedTuple):
    """An attack or a throw as it is asked for, in words."""

    action: str
    """`attack` or `throw`."""
    who: tuple[str, ...]
    """The actor and the targets; in a crisis the targets alone, or a line of the last ranking."""
    by: str = ""
    places: tuple[Place, ...] = ()
    """Where fighters of a one-off stand."""
    options: Mapping[str, Any] = {}
    """The words of the rules: `weapon`, `range`, `cover`, `force` …, those of the system among them."""


def planned(
    desk: Desk, strike: Strike, ranked: Callable[[Session, str], Intent], checks_turn: bool = True
) -> Planned:
    """The intent of an attack or a throw: the actor is `by`, the first one named, or the fighter whose turn it is.

    `ranked` gives what a line of the last ranking does. Usage where there is no target, or several could be meant;
    Refused where the actor cannot act now, unless the turn is not to be checked.
    """
    action, who, by, options = strike.action, strike.who, strike.by, strike.options
    others = [word for word in fighters_in_options(options) if word not in who]
    session = desk.open_session(sheets_of((by, *who) if by else who), others)
    session = with_one_off_positions(session, strike.places)
    is_line = _is_line(session, who)
    force = bool(options.get("force"))
    actor, targets = actor_and_targets(session, () if is_line else who, by, force)
    if is_line:
        chosen = ranked(session, who[0])
        if chosen.action != action:
            raise Refused(
                f"line {who[0]} of the ranking is no {action}",
                hint=f"it is: crisis {typed(session.scene, chosen)}",
                code="no_such_line",
            )
        if by and actor != chosen.actor:
            raise not_their_turn(chosen.actor, actor)
        intent = build_intent(session, action, chosen.actor, list(chosen.targets), options)
        return Planned(session, intent._replace(options={**chosen.options, **intent.options}))
    if session.journal is None:
        # Fighters named only in options are in the scene, but are not targets.
        onlookers = [find_name(session.scene, word) for word in others]
        targets = [name for name in targets if name not in onlookers]
    if not targets and not options.get("at") and session.journal is not None and actor:
        targets = only_foe(session, actor, action, checks_turn and not force)
    if not targets and not options.get("at"):
        raise Usage(
            f"{action} whom?", hint=f"crisis {action} {slug(actor) or 'WHO'} TARGET", code="missing_argument"
        )
    return Planned(session, build_intent(session, action, actor, targets, options))


def _is_line(session: Session, who: tuple[str, ...]) -> bool:
    """Whether the words mean a line of the ranking: a number alone that is no fighter."""
    is_number = session.journal is not None and len(who) == 1 and who[0].isdecimal()
    return is_number and not is_present(session.scene, who[0])
