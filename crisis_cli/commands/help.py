"""`crisis help`."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

import click

from ..completion import Source
from ..context import Context
from ..engine.kinds import guess
from ..errors import Usage
from ..render.action_list import action_help
from ..render.jsontext import VERSION
from ..render.prose import TOPICS, topic_lines
from ..systems import every, load
from ..verbs import VERBS
from . import options
from .system_options import accepts

if TYPE_CHECKING:
    from ..engine.system import System

SHELL_OPTIONS = ("exit_status", "save", "as_json", "file", "characters")
"""Options left out of the help at the prompt."""
USAGE_PREFIXES = ("crisis ", "Usage: crisis ")
"""Beginnings of help lines from which the prompt drops the program's name."""


@click.command("help")
@click.argument("words", nargs=-1, metavar="[VERB|TOPIC]...", shell_complete=Source("names.verbs"))
@options.common_options
@click.pass_context
def command(ctx: click.Context, /, words: tuple[str, ...], as_json: bool) -> int:
    """Show the list of commands, help on one, or a topic: json, protocol, notation, exit-status, environment or files.

    \b
    Examples:
      crisis help
      crisis help attack
      crisis help json
      crisis help move
    """
    context = ctx.find_object(Context)
    place = ctx.parent
    assert context is not None and place is not None
    if len(words) == 1 and words[0].lower() in TOPICS:
        lines = list(topic_lines(words[0].lower(), context.environment.width))
        if as_json:
            context.print_json(
                {"v": VERSION, "action": "help", "topic": words[0].lower(), "help": "\n".join(lines)}
            )
        else:
            context.say(*lines)
        return 0
    if len(words) == 1 and words[0].replace("_", "-") not in VERBS:
        about = _action_help(context, words[0].lower().replace("_", "-"))
        if about:
            if as_json:
                context.print_json(
                    {"v": VERSION, "action": "help", "verb": words[0], "help": "\n".join(about)}
                )
            else:
                context.say(*about)
            return 0
    for word in words:
        group = place.command
        assert isinstance(group, click.Group)
        inner = group.get_command(place, word)
        if inner is None:
            raise Usage(
                f"no command is called {word!r}{guess(word, [*group.list_commands(place), *TOPICS])}",
                hint="crisis help",
                code="unknown_command",
            )
        place = click.Context(inner, place, word)
        if not isinstance(inner, click.Group):
            break
    if context.environment.at_prompt:
        place.command = _for_system(place.command, context.open_session().system)
    lines = place.get_help().splitlines()
    if context.environment.at_prompt:
        lines = [
            line.replace("crisis ", "", 1) if line.lstrip().startswith(USAGE_PREFIXES) else line
            for line in lines
        ]
    if as_json:
        context.print_json(
            {"v": VERSION, "action": "help", "verb": " ".join(words), "help": "\n".join(lines)}
        )
    else:
        context.say(*lines)
    return 0


def _action_help(context: Context, name: str) -> list[str]:
    """Help on an action: of the open crisis' system, else of every system that has it; empty if none has it."""
    crisis = context.peek_crisis()
    systems = [load(crisis.scene.system)] if crisis else [*every()]
    lines: list[str] = []
    for system in systems:
        row = system.actions.get(name)
        if row is not None and row.window != "table":
            lines += [*([""] if lines else []), *action_help(name, row, system, context.ink)]
    return lines


def _for_system(command: click.Command, system: System) -> click.Command:
    """A copy of the command without options of other systems and options for the shell."""
    filtered = copy(command)
    filtered.params = [
        one for one in command.params if one.name not in SHELL_OPTIONS and accepts(system, one.name or "")
    ]
    return filtered
