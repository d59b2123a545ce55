"""`crisis odds`."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from ..desk import Desk, Sitting
from ..errors import Usage
from ..minds.choosing import policy
from ..play.forecast import forecast
from ..play.scene import Intent
from ..show import bars, data
from ..table.odds import Laws

ACTIONS = ("attack", "throw", "heal", "check", "act")
"""The verbs whose odds can be told."""


class Shown:
    """Shows the odds of an intent where its doing was asked about."""

    def show(self, desk: Desk, sitting: Sitting, intent: Intent, options: Mapping[str, Any]) -> None:
        """Print the exact odds: bars, or JSON with exact fractions."""
        laws = Laws(policy(intent.get("react")))
        told = forecast(sitting.system, sitting.scene, intent, laws)
        if options.get("as_json"):
            desk.say(data.dumped(data.forecast(told, sitting.system)))
        elif options.get("quiet"):
            desk.say(bars.percent(*told.success) if told.success else "")
        else:
            desk.say(*bars.forecast(told, sitting.system, desk.ink, desk.world.width))
            if options.get("explain"):
                from ..play.record import Entry
                from ..show.text import explained

                desk.say(*explained(Entry(1, intent, told.modifiers), desk.ink))


@click.command(
    "odds",
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
    add_help_option=True,
)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="VERB ...")
@click.pass_context
def command(ctx: click.Context, /, words: tuple[str, ...]) -> int:
    """Tell the exact odds of what VERB would do; nothing is rolled and nothing changes.

    VERB is attack, throw, heal, check or act, with its own words and options.

    \b
    Examples:
      crisis odds attack jack drone
      crisis odds attack jack drone --cover light --json
      crisis odds check jack melee --difficulty 12
    """
    desk = ctx.obj
    if not words or words[0] not in ACTIONS:
        raise Usage(
            f"odds of what? {words[0]!r} is no action" if words else "odds of what?",
            hint=f"crisis odds {' | '.join(ACTIONS)} …",
        )
    verb: click.Command = import_module(f"{__package__}.{words[0]}").command
    desk.odds = Shown()
    with verb.make_context(f"odds {words[0]}", list(words[1:]), parent=ctx) as inner:
        return int(verb.invoke(inner) or 0)
