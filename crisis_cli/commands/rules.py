"""`crisis rules`."""

from __future__ import annotations

from functools import partial

import click

from ..completion import Source
from ..context import Context
from ..render import rules as show
from ..rulebooks import SHARED, Rulebook, load, names, readable
from . import options


@click.command("rules")
@click.argument("system", required=False, metavar="[SYSTEM]", shell_complete=Source("names.rulebooks"))
@click.argument("topic", nargs=-1, metavar="[TOPIC]", shell_complete=Source("names.topics"))
@options.common_options
@click.pass_obj
def command(context: Context, /, system: str | None, topic: tuple[str, ...], as_json: bool) -> int:
    """Show the rules: the list of systems, those of SYSTEM, or those about TOPIC.

    TOPIC is a word such as attack or cover, its beginning, or the id of a rule. The rules that all systems
    share are called shared. Where the original leaves something open, the text says how it is
    read here, and marks it as a reading.

    \b
    Examples:
      crisis rules
      crisis rules 3d6 attack
      crisis rules 3D6-18
    """
    output = context.output
    own = _own_system(context)
    is_topic = system is not None and system.lower() not in names() and "-" not in system
    if system and is_topic and (meant := own or options.preset_system(context)):
        system, topic = meant, (system, *topic)
    if system is None:
        warn = partial(output.warn, code="broken_system")
        books = list(readable([own, SHARED] if own else names(), warn))
        if as_json:
            for each in books:
                output.print_record("rules", **_contents(each))
        else:
            output.say(*show.contents(books, output.ink, context.environment.width))
        return 0
    book, words = _book(system, topic)
    topics = (book.look_up("-".join(words)),) if words else book.topics
    if as_json:
        for record in show.records(book, topics):
            output.print_record("rules", **record)
    else:
        output.say(*show.page(book, topics, output.ink, context.environment.width, whole=not words))
    return 0


def _own_system(context: Context) -> str:
    """The system that is played at the prompt, whose rules are meant there; empty elsewhere."""
    crisis = context.desk.journals.peek() if context.environment.at_prompt else None
    return crisis.scene.system if crisis and crisis.scene.system in names() else ""


def _book(system: str, topic: tuple[str, ...]) -> tuple[Rulebook, tuple[str, ...]]:
    """The rulebook that is meant, and the words of the topic; an id alone says both."""
    name = system.lower()
    prefix, _, number = name.rpartition("-")
    if not topic and number.isdigit():
        for book in map(load, names()):
            if next(book.rules()).id.lower().startswith(f"{prefix}-"):
                return book, (number,)
    if topic and topic[0].lower().startswith("all-"):
        return load(SHARED), topic
    return load(name), topic


def _contents(book: Rulebook) -> dict[str, object]:
    topics = [
        {"name": one.name, "title": one.title, "rules": [rule.id for rule in one.rules]}
        for one in book.topics
    ]
    return {"system": book.name, "title": book.title, "summary": book.summary, "topics": topics}
