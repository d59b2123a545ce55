"""`crisis act`."""

from __future__ import annotations

from typing import Any

import click

from .. import systems
from ..completion import Source
from ..context import Context
from ..engine import legal_actions
from ..engine.kinds import guess
from ..engine.scene import GEAR_OPTIONS, Intent, slug
from ..engine.system import System
from ..engine.validate import row_of
from ..errors import FileError, Refused, Usage
from ..play import move_words
from ..play.attacking import Planned
from ..play.naming import (
    ambiguous_word,
    are_all_opponents,
    find_item,
    item_names,
    not_their_turn,
    only_foe,
)
from ..play.placing import parse_position
from ..play.session import Session
from ..play.wording import build_intent, require_heed
from ..render import action_list
from ..render.typed import typed
from ..sheets.find_fighters import find_name, is_present
from ..sheets.names import Match, fighter_names, match_name, plain_names
from ..sheets.store import copies
from . import options, system_options
from .acting import ActingOnNames


@click.command("act", cls=ActingOnNames)
@click.argument(
    "words",
    nargs=-1,
    metavar="[WHO] ACTION [ITEM | TARGET]...",
    shell_complete=Source("actions.action_arguments"),
)
@click.option(
    "--list", "lists", is_flag=True, help="List what WHO can do now, and why the rest is not possible."
)
@click.option("--to", type=options.Position(), metavar="X,Y", help="Position to move to.")
@click.option("--share", is_flag=True, help="Move there even if someone stands there.")
@click.option("--item", metavar="NAME", help="Item to use.", shell_complete=Source("names.items"))
@click.option("--difficulty", metavar="N", help="Difficulty of a test.")
@options.attack_options
@options.override_option
@system_options.of_systems("act")
@options.dice_options
@options.report_options
@options.common_options
def command(
    context: Context,
    /,
    run: options.Run,
    words: tuple[str, ...],
    lists: bool,
    share: bool,
    by: str | None,
    **given: Any,
) -> Planned | int:
    """Take an action: WHO does ACTION, any action of the rules.

    In a crisis WHO defaults to the fighter whose turn it is. ACTION is followed by its item or its targets,
    a move by `toward` and a fighter or a place of the map, by `beside` and a fighter, or by `away`.

    \b
    Examples:
      crisis act jack stand-up
      crisis act draw pistol
      crisis act move --to 3,4
      crisis act move toward drone
      crisis act ada use-item bandage jack
      crisis act --list
      crisis act heal --list
    """
    if lists:
        return _show_list(context, words, by, run.report)
    if not words:
        raise Usage(
            "missing argument: ACTION",
            hint="crisis act WHO ACTION; options: crisis act WHO --list",
            code="missing_argument",
        )
    session, actor, rest = _parse_actor(context, words, by)
    if not rest:
        raise Usage(
            "missing argument: ACTION",
            hint=f"actions: {action_names(session.system)}",
            code="missing_argument",
        )
    action = _action_key(rest[0])
    row = row_of(session.system, action)
    if row.window == "table":
        raise Usage(
            f"{action} is not an action of a fighter",
            hint=f"actions: {action_names(session.system)}",
            code="unknown_action",
        )
    targets: list[str] = []
    extra: dict[str, Any] = {}
    slot = "item" if row.gear == GEAR_OPTIONS["item"] else "thing"
    after = rest[1:]
    left = ""
    if after and after[0].lower() in move_words.WORDS and "to" in row.options:
        move = move_words.move_in_words(session, Intent(action, actor), [word.lower() for word in after])
        given["to"], left, after = move.to, move.left, ()
    for word in after:
        who = match_name(word, fighter_names(session.scene)) if row.targets != "none" else Match()
        takes_thing = bool(row.gear) and slot not in extra
        thing = (
            match_name(
                word,
                plain_names(item_names(session.system, session.scene.fighters[actor], row.gear)),
            )
            if takes_thing
            else Match()
        )
        if who.names and thing.names and not (who.is_whole or thing.is_whole):
            raise ambiguous_word(word, (*who.names, *thing.names))
        if who.names and not (thing.is_whole and not who.is_whole):
            targets.append(find_name(session.scene, word))
        elif takes_thing:
            extra[slot] = find_item(session, actor, row.gear, word)
        elif "deed" in row.options and "deed" not in extra and _action_key(word) in session.system.actions:
            extra["deed"] = _action_key(word)
        elif "to" in row.options and "," in word:
            given["to"] = parse_position(word)
        else:
            hint = f"{row.title} ({row.rule_id}); what it takes: crisis help {action}"
            if "to" in row.options:
                near = [slug(name) for name in match_name(word, fighter_names(session.scene)).names]
                ways = (
                    [f"toward {near[0]} | beside {near[0]}"]
                    if len(near) == 1
                    else ["toward NAME | beside NAME"]
                )
                hint = f"crisis act {action} {' | '.join([*ways, 'away', '--to X,Y'])}"
            raise Usage(f"{action} does not take {word!r}", hint=hint, code="extra_argument")
    if not targets and row.targets == "one" and session.journal is not None and "deed" not in extra:
        targets = only_foe(session, actor, action, not (run.is_weighed or given["force"]))
    if row.targets == "patient" and not targets:
        targets = [actor]
    is_implicit_actor = rest == words and not by and not given["force"]
    if (
        is_implicit_actor
        and row.targets in ("one", "many")
        and not are_all_opponents(session, actor, targets)
    ):
        raise not_their_turn(actor, targets[0])
    intent = build_intent(session, action, actor, targets, given)
    values = {**intent.options, **extra}
    _refuse_ignored_options(session.system, action, values)
    if "to" in row.options and not values and context.environment.at_prompt and not given["force"]:
        move_words.require_place(session, actor, action)
    if "to" in values:
        if session.journal is not None and not given["force"] and not share:
            move_words.check_place(session, actor, values["to"])
        values["to"] = list(values["to"])
    return Planned(session, intent._replace(options=values), left)


def _show_list(context: Context, words: tuple[str, ...], by: str | None, report: options.Report) -> int:
    """Print the actions a fighter can take now, and the others with why not, or one action; the exit status."""
    asked = (*words, *([by] if by else []))
    if not asked and context.desk.journals.active() is None:
        raise Usage("missing argument: WHO", hint="crisis act WHO --list", code="missing_argument")
    session = context.desk.open_session([word for word in asked if not _is_action(word)])
    scene, system = session.scene, session.system
    only = {_action_key(word) for word in asked if _action_key(word) in system.actions}
    who_words = [word for word in asked if _action_key(word) not in only]
    if len(who_words) > 1:
        raise Usage(
            f"--list takes one fighter, not {len(who_words)}",
            hint="crisis act WHO --list",
            code="extra_argument",
        )
    if not who_words and not scene.turn:
        raise Refused("no turn has begun", hint="crisis act WHO --list", code="no_turn")
    who = find_name(scene, who_words[0]) if who_words else scene.turn
    can = [one for one in legal_actions.of(system, scene, who) if not only or one.intent.action in only]
    cannot = [one for one in legal_actions.barred(system, scene, who) if not only or one.action in only]
    if only and not (can or cannot):
        can = [way for action in only for way in legal_actions.unsuggested(system, scene, who, action)]
    if report.as_json:
        for record in action_list.records(who, can, cannot, scene, system):
            context.output.print_json(record)
    elif report.quiet:
        context.output.say(*(typed(scene, one.intent) for one in can))
    else:
        width, folded = context.environment.width, context.environment.at_prompt and not only
        context.output.say(
            *action_list.action_list(who, can, cannot, scene, system, context.output.ink, width, folded)
        )
    return 0


def _is_action(word: str) -> bool:
    """Whether a word is an action of some system."""
    return any(_action_key(word) in system.actions for system in systems.every())


def _refuse_ignored_options(system: System, action: str, values: dict[str, Any]) -> None:
    """Raise Usage if the action ignores an option of the system that was given."""
    row = row_of(system, action)
    answered = ("answer",) if system.reactions and row.window == "turn" else ()
    for option in system.command_options:
        if option.key in values and option.key not in (*answered, *system.side_pools):
            require_heed(system, action, option.name, option.key)


def action_names(system: System) -> str:
    """The names of all actions of fighters, separated by commas."""
    return ", ".join(name for name, row in system.actions.items() if row.window != "table")


def _parse_actor(
    context: Context, words: tuple[str, ...], by: str | None
) -> tuple[Session, str, tuple[str, ...]]:
    """The session, the fighter who acts, and the words from the action on."""
    journal = context.desk.journals.active()
    if journal is None:
        if not by:
            _require_sheet(context, words)
        if not by and len(words) < 2:
            alone = context.desk.open_session(words[:1])
            raise Usage(
                f"{find_name(alone.scene, words[0])}: missing argument: ACTION",
                hint=f"actions: {action_names(alone.system)}",
                code="missing_argument",
            )
        first = by or words[0]
        rest = words if by else words[1:]
        store = context.desk.shelves.sheets()
        # In a one-off, every word after the action that names a sheet adds a fighter to the scene.
        others = [word for word in rest[1:] if store.has(copies(word)[0])]
        session = context.desk.open_session((first, *(word for word in others if word != first)))
        return session, find_name(session.scene, first), rest
    session = context.desk.open_session()
    scene = session.scene
    if by:
        return session, find_name(scene, by), words
    if _action_key(words[0]) not in session.system.actions and is_present(scene, words[0]):
        return session, find_name(scene, words[0]), words[1:]
    if not scene.turn:
        raise Refused("no turn has begun", hint="crisis act WHO ACTION", code="no_turn")
    return session, scene.turn, words


def _require_sheet(context: Context, words: tuple[str, ...]) -> None:
    """Raise Refused where the first word is an action and no sheet, Usage where a single word is neither."""
    first, store = words[0], context.desk.shelves.sheets()
    actions = {name for system in systems.every() for name in system.actions}
    try:
        store.find(copies(first)[0])
    except FileError as error:
        if error.code != "not_found":
            raise
        if _action_key(first) in actions:
            raise Refused(
                f"{first} needs a fighter, because no crisis is open here ({context.desk.places.file})",
                hint=f"crisis act WHO {' '.join(words)}; or open a crisis: crisis init WHO… --vs WHO… --open",
                code="no_crisis",
            ) from error
        if len(words) == 1:
            near = guess(first.lower(), (*actions, *store.names()))
            raise Usage(
                f"no action and no sheet is called {first!r}{near}",
                hint="crisis act WHO ACTION; options: crisis act WHO --list; sheets: crisis character list",
                code="unknown_action",
            ) from error


def _action_key(word: str) -> str:
    return word.lower().replace("_", "-")
