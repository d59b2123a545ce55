"""`crisis act`."""

from __future__ import annotations

from typing import Any

import click

from ..completion import Source
from ..context import Context, Session
from ..engine import legal_actions
from ..engine.scene import GEAR_OPTIONS
from ..engine.system import System
from ..engine.validate import row_of
from ..errors import Usage
from ..render import doings as show
from ..sheets.find_fighters import is_here, named
from ..sheets.names import Found, called, fighters, found
from ..sheets.store import copies
from . import options, run_action
from .system_options import Grouped


@click.command("act", cls=Grouped)
@click.argument(
    "words", nargs=-1, metavar="[WHO] ACTION [THING | WHOM]...", shell_complete=Source("actions.acts")
)
@click.option(
    "--list", "lists", is_flag=True, help="List what WHO can do now, and why the rest is not possible."
)
@click.option("--to", type=options.Place(), metavar="X,Y", help="Position to move to.")
@click.option("--item", metavar="NAME", help="Item to use.", shell_complete=Source("names.items"))
@click.option("--difficulty", metavar="N", help="Difficulty of a test.")
@options.fighting
@options.of_systems("act")
@options.throwing
@options.telling
@options.here
@click.pass_obj
def command(context: Context, /, words: tuple[str, ...], lists: bool, **given: Any) -> int:
    """Take an action: WHO does ACTION, any action of the rules.

    In a crisis WHO defaults to the fighter whose turn it is. ACTION is followed by its item or its targets.

    \b
    Examples:
      crisis act jack stand-up
      crisis act draw pistol
      crisis act move --to 3,4
      crisis act ada use-item bandage jack
      crisis act --list
    """
    if lists:
        return _listed(context, words, given)
    if not words:
        raise Usage("missing argument: ACTION", hint="crisis act WHO ACTION; options: crisis act WHO --list")
    session, actor, rest = _who(context, words, given["by"])
    if not rest:
        raise Usage("missing argument: ACTION", hint=f"there are: {doings(session.system)}")
    action = _bare(rest[0])
    row = row_of(session.system, action)
    if row.window == "table":
        raise Usage(f"{action} is not an action of a fighter", hint=f"there are: {doings(session.system)}")
    targets: list[str] = []
    extra: dict[str, Any] = {}
    slot = "item" if row.gear == GEAR_OPTIONS["item"] else "thing"
    for word in rest[1:]:
        who = found(word, fighters(session.scene)) if row.targets != "none" else Found()
        wants_thing = bool(row.gear) and slot not in extra
        thing = (
            found(word, called(run_action.gear(session.system, session.scene.fighters[actor], row.gear)))
            if wants_thing
            else Found()
        )
        if who.names and thing.names and not (who.whole or thing.whole):
            raise run_action.several(word, (*who.names, *thing.names))
        if who.names and not (thing.whole and not who.whole):
            targets.append(named(session.scene, word))
        elif wants_thing:
            extra[slot] = run_action.thing(session, actor, row.gear, word)
        elif "deed" in row.options and "deed" not in extra and _bare(word) in session.system.actions:
            extra["deed"] = _bare(word)
        elif "to" in row.options and "," in word:
            given["to"] = options.place(word)
        else:
            raise Usage(f"{action} does not take {word!r}", hint=f"{row.title} ({row.rule_id})")
    if row.targets == "patient" and not targets:
        targets = [actor]
    unsaid = rest == words and not given["by"] and not given["force"]
    if unsaid and row.targets in ("one", "many") and not run_action.spares(session, actor, targets):
        raise run_action.not_their_turn(actor, targets[0])
    intent = run_action.intent_of(session, action, actor, targets, given)
    said = {**intent.options, **extra}
    _heeded(session.system, action, said)
    if "to" in said:
        said["to"] = list(said["to"])
    return run_action.carry_out(context, session, intent._replace(options=said), given)


def _listed(context: Context, words: tuple[str, ...], given: dict[str, Any]) -> int:
    """Show what somebody can do now, and what not."""
    asked = (*words, *([given["by"]] if given["by"] else []))
    if len(asked) > 1:
        raise Usage(f"what can one of them do, not {len(asked)}?", hint="crisis act WHO --list")
    if not asked and context.active_journal() is None:
        raise Usage("missing argument: WHO", hint="crisis act WHO --list")
    session = context.open_session(asked)
    scene, system = session.scene, session.system
    if not asked and not scene.turn:
        raise Usage("no turn has begun", hint="crisis act WHO --list")
    who = named(scene, asked[0]) if asked else scene.turn
    can, cannot = list(legal_actions.of(system, scene, who)), list(legal_actions.barred(system, scene, who))
    if given["as_json"]:
        for record in show.records(who, can, cannot, scene, system):
            context.print_json(record)
    else:
        context.say(*show.doings(who, can, cannot, scene, system, context.ink, context.environment.width))
    return 0


def _heeded(system: System, action: str, said: dict[str, Any]) -> None:
    """Usage where an action would do as if an option of the system had not been given."""
    takes = row_of(system, action).options
    for option in system.command_options:
        heeds = option.name in takes or option.key in takes or option.key in system.side_pools
        if option.key in said and not heeds:
            able = [
                name for name, row in system.actions.items() if {option.name, option.key} & {*row.options}
            ]
            raise Usage(
                f"{action} in {system.name} takes no --{option.name}",
                hint=f"it is for {', '.join(able)}",
                code="unheeded_option",
            )


def doings(system: System) -> str:
    """The actions of fighters, listed."""
    return ", ".join(name for name, row in system.actions.items() if row.window != "table")


def _who(context: Context, words: tuple[str, ...], by: str | None) -> tuple[Session, str, tuple[str, ...]]:
    """The sitting, who acts, and the words from the action on."""
    journal = context.active_journal()
    if journal is None:
        if not by and len(words) < 2:
            alone = context.open_session(words[:1])
            raise Usage(
                f"{named(alone.scene, words[0])}: missing argument: ACTION",
                hint=f"there are: {doings(alone.system)}",
            )
        first = by or words[0]
        rest = words if by else words[1:]
        # Everyone named after the action who has a sheet comes into the one-off scene.
        store = context.store()
        others = [word for word in rest[1:] if store.has(copies(word)[0])]
        session = context.open_session((first, *(word for word in others if word != first)))
        return session, named(session.scene, first), rest
    session = context.open_session()
    scene = session.scene
    if by:
        return session, named(scene, by), words
    if _bare(words[0]) not in session.system.actions and is_here(scene, words[0]):
        return session, named(scene, words[0]), words[1:]
    if not scene.turn:
        raise Usage("no turn has begun", hint="crisis act WHO ACTION")
    return session, scene.turn, words


def _bare(word: str) -> str:
    return word.lower().replace("_", "-")
