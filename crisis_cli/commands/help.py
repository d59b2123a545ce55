"""`crisis help`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import copy
from typing import TYPE_CHECKING

import click

from ..completion import Source
from ..context import Context
from ..engine.kinds import guess
from ..errors import Usage
from ..play.wording import accepts
from ..render.action_list import action_help
from ..render.prose import PAGE, RULES, TOPICS, topic_lines, topic_of_page
from ..render.rules import page
from ..rulebooks import SHARED, readable
from ..rulebooks import load as load_rulebook
from ..rulebooks import names as rulebooks
from ..systems import every, load
from ..verbs import VERBS
from . import options

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
    """Show the list of commands, help on one, or a topic.

    Topics are tutorial, cookbook, import, json, protocol, python, notation, exit-status, environment, files, journal,
    doctrine, lonelog, system, rules-api, sheet-files, table-files, encounter-files, campaign-files, and the rules of a
    system, such as rules-3d6. The name of a page of the manual, such as crisis-tables(5), leads to its topic; an
    option, such as reasons, to the commands that have it; a doctrine to what it does, and a word of the rules to its
    page.

    \b
    Examples:
      crisis help
      crisis help tutorial
      crisis help attack
      crisis help json
      crisis help move
      crisis help doctrine
      crisis help apart
    """
    context = ctx.find_object(Context)
    place = ctx.parent
    assert context is not None and place is not None
    if len(words) == 1:
        words = (_meant(words[0]),)
    if len(words) == 1 and words[0].lower() in TOPICS:
        word = words[0].lower()
        return _show_page(context, as_json, _topic(context, word), word)
    if len(words) == 1 and (name := words[0].lower()).startswith(RULES) and name[len(RULES) :] in rulebooks():
        book, ink = load_rulebook(name[len(RULES) :]), context.output.ink
        return _show_page(
            context, as_json, page(book, book.topics, ink, context.environment.width, True), name
        )
    if len(words) == 1 and words[0].replace("_", "-") not in VERBS:
        about = _action_help(context, words[0].lower().replace("_", "-"))
        if about:
            return _show(context, as_json, about, verb=words[0])
    if len(words) == 1 and words[0].lower().replace("_", "-") not in VERBS:
        about = list(_ways_to(ctx, context, words[0].lower().strip("-").replace("_", "-")))
        if about:
            return _show(context, as_json, about, topic=words[0])
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
        place.command = _for_system(place.command, context.desk.open_session().system)
    lines = place.get_help().splitlines()
    if not words:
        topics = f"Topics of crisis help: {', '.join(TOPICS)}, and {RULES}SYSTEM."
        lines += ["", *context.output.ink.broken(topics, context.environment.width)]
    if context.environment.at_prompt:
        lines = [
            line.replace("crisis ", "", 1) if line.lstrip().startswith(USAGE_PREFIXES) else line
            for line in lines
        ]
    return _show(context, as_json, lines, verb=" ".join(words))


def _topic(context: Context, name: str) -> Iterator[str]:
    """A topic of the manual, with the keys of the files that it describes."""
    from ..ai import doctrine
    from ..sheets import campaign, table_store

    schemas = {"doctrine": doctrine.SCHEMA, "tables": table_store.SCHEMA, "campaign": campaign.SCHEMA}
    return topic_lines(name, context.environment.width, schemas.get(TOPICS[name].file))


def _meant(word: str) -> str:
    """The topic or the verb of a page of the manual that a word names; any other word as it is."""
    page = word.lower()
    verb = page.removesuffix("(1)").removeprefix(PAGE)
    return topic_of_page(page) or (verb if verb in VERBS and verb != page else word)


def _show_page(context: Context, as_json: bool, lines: Iterable[str], topic: str) -> int:
    """Print a page of the manual, at a terminal through the pager if it is longer than that; the exit status."""
    environment, text = context.environment, list(lines)
    is_watched = environment.is_terminal and environment.is_interactive and environment.from_shell
    if not as_json and is_watched and 0 < environment.rows < len(text):
        click.echo_via_pager("\n".join(map(context.output.ink.clean, text)) + "\n")
        return 0
    return _show(context, as_json, text, topic=topic)


def _show(context: Context, as_json: bool, lines: Iterable[str], **about: str) -> int:
    """Print a page of help, as lines or as a record with what it is about; the exit status."""
    if as_json:
        context.output.print_record("help", **about, help="\n".join(lines))
    else:
        context.output.say(*lines)
    return 0


def _action_help(context: Context, name: str) -> list[str]:
    """Help on an action: of the open crisis' system, else of every system that has it; empty if none has it."""
    crisis = context.desk.journals.peek()
    systems = [load(crisis.scene.system)] if crisis else [*every()]
    lines: list[str] = []
    for system in systems:
        row = system.actions.get(name)
        if row is not None and row.window != "table":
            lines += [*([""] if lines else []), *action_help(name, row, system, context.output.ink)]
    return lines


def _ways_to(ctx: click.Context, context: Context, word: str) -> Iterator[str]:
    """Lines that lead from a word to the doctrine of that name, the commands with such an option, and the rules.

    A plural leads where its singular does.
    """
    single = word.removesuffix("s")
    if single in TOPICS:
        yield from _topic(context, single)
        return
    if word in context.desk.shelves.doctrines().names():
        yield f"{word}: a doctrine. {context.desk.shelves.doctrines().named(word).about}"
        yield f"  more: {context.output.ink.way('help doctrine')}"
    verbs: dict[str, list[str]] = {}
    for name, verb in _all_commands(ctx):
        for one in verb.params:
            if isinstance(one, click.Option) and f"--{word}" in one.opts and not one.hidden:
                value = f" {one.metavar}" if one.metavar else ""
                verbs.setdefault(f"--{word}{value}: {one.help}", []).append(name)
    for about, names in verbs.items():
        yield about
        yield f"  an option of {', '.join(names)}"
        yield f"  more: {context.output.ink.way(f'help {names[0]}')}"
    crisis = context.desk.journals.peek()
    books = [book for book in readable(rulebooks(), lambda message: None) if book.has_topic(word)]
    for book in books:
        if crisis is None or book.name in (crisis.scene.system, SHARED):
            yield f"rules of {book.name}: {context.output.ink.way(f'rules {book.name} {word}')}"


def _all_commands(ctx: click.Context) -> Iterator[tuple[str, click.Command]]:
    """Every verb, and of those that have any their sub-verbs, each with its command."""
    root = ctx.find_root().command
    assert isinstance(root, click.Group)
    for name in VERBS:
        verb = root.get_command(ctx, name)
        if verb is not None:
            yield name, verb
        for sub in verb.list_commands(ctx) if isinstance(verb, click.Group) else ():
            inner = verb.get_command(ctx, sub) if isinstance(verb, click.Group) else None
            if inner is not None:
                yield f"{name} {sub}", inner


def _for_system(command: click.Command, system: System) -> click.Command:
    """A copy of the command without options of other systems and options for the shell."""
    filtered = copy(command)
    filtered.params = [
        one for one in command.params if one.name not in SHELL_OPTIONS and accepts(system, one.name or "")
    ]
    return filtered
