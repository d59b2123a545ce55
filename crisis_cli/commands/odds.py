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
from ..show import bars, data, pictures
from ..table.odds import Laws

ACTIONS = ("attack", "throw", "heal", "check", "act")
"""The verbs whose odds can be told."""


class Shown:
    """Shows the odds of an intent where its doing was asked about."""

    def show(self, desk: Desk, sitting: Sitting, intent: Intent, options: Mapping[str, Any]) -> None:
        """Print the exact odds: bars, or JSON with exact fractions."""
        fighters = sitting.scene.fighters

        def habit(who: str) -> str:
            return "" if fighters[who].player else desk.habit(fighters[who])

        in_crisis = habit if sitting.ledger is not None else None
        laws = Laws(policy(intent.get("react"), desk.world.interactive, in_crisis))
        told = forecast(sitting.system, sitting.scene, intent, laws)
        if options.get("as_json"):
            desk.tell(data.forecast(told, sitting.system))
        elif options.get("quiet"):
            desk.say(pictures.percent(*told.success) if told.success else "")
        else:
            desk.say(*bars.forecast(told, sitting.system, desk.ink, desk.world.width))
            if options.get("explain"):
                from ..play.record import Entry
                from ..show.text import explained

                desk.say(*explained(Entry(1, intent, told.modifiers), desk.ink))


class Odds(click.Command):
    """Odds of a verb of action, which reads its own words, or of an expression."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Nothing is read here but a call for help."""
        if args and args[0] in self.get_help_option_names(ctx):
            return super().parse_args(ctx, args)
        ctx.args = args
        return args


@click.command("odds", cls=Odds)
@click.pass_context
def command(ctx: click.Context, /) -> int:
    """Tell exact odds; nothing is rolled and nothing changes.

    crisis odds EXPR tells those of a roll (--ge N, --le N, --eq N, --compare EXPR, --csv); crisis odds VERB …
    those of an action: attack, throw, heal, check or act, with its own words and options.

    \b
    Examples:
      crisis odds 4d6kh3
      crisis odds 2d6+3 --ge 10
      crisis odds attack jack drone --cover light
      crisis odds check jack melee --difficulty 12 --json
    """
    words = ctx.args
    if not words:
        raise Usage("odds of what?", hint=f"crisis odds EXPR, or crisis odds {' | '.join(ACTIONS)} …")
    first = words[0].replace("_", "-")
    if first in ACTIONS:
        ctx.obj.odds = Shown()
        words = words[1:]
    name = f"odds {first}" if first in ACTIONS else "odds"
    verb: click.Command = import_module(f"{__package__}.{first if first in ACTIONS else 'weigh'}").command
    with verb.make_context(name, list(words), parent=ctx.parent) as inner:
        return int(verb.invoke(inner) or 0)
