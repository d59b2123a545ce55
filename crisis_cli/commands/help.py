"""`crisis help`."""

from __future__ import annotations

import click

from ..desk import Desk
from ..errors import Usage
from ..show.jsontext import VERSION
from ..systems.kinds import guess
from . import options


@click.command("help")
@click.argument("words", nargs=-1, metavar="[VERB]...")
@options.here
@click.pass_context
def command(ctx: click.Context, /, words: tuple[str, ...], as_json: bool) -> int:
    """Tell what there is, or how a verb is used.

    \b
    Examples:
      crisis help
      crisis help attack
    """
    desk = ctx.find_object(Desk)
    context = ctx.parent
    assert desk is not None and context is not None
    for word in words:
        group = context.command
        assert isinstance(group, click.Group)
        inner = group.get_command(context, word)
        if inner is None:
            raise Usage(
                f"there is no verb {word!r}{guess(word, group.list_commands(context))}", hint="crisis help"
            )
        context = click.Context(inner, context, word)
        if not isinstance(inner, click.Group):
            break
    text = context.get_help()
    if as_json:
        desk.tell({"v": VERSION, "verb": " ".join(words), "help": text})
    else:
        desk.say(*text.splitlines())
    return 0
