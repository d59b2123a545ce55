"""The verbs that act: a command line is made a plan, which is performed, weighed or looked at."""

from __future__ import annotations

import click

from ..context import Context
from ..errors import Refused
from ..play.attacking import Planned
from ..play.naming import with_alternatives, with_side_pools
from ..preview import Take, Weighable
from . import run_action
from .options import Run, parse_run, words_of
from .system_options import GroupedCommand, SidesCommand


class Acting(Weighable):
    """A verb that acts. Its callback is called with the context, the run, and the words of the rules by their names.

    It gives what is to be performed, or the exit status of something else that was asked for.
    """

    def planned(self, ctx: click.Context, run: Run) -> Planned | int:
        """What the command line asks for; nothing is performed, unless the callback says so with a status."""
        assert self.callback is not None
        planned: Planned | int = ctx.invoke(
            self.callback, ctx.find_object(Context), run=run, **words_of(ctx.params)
        )
        return planned

    def weigh(self, ctx: click.Context, take: Take) -> None:
        """Hand what the command line would do to `take`, with the pools of the actor's side as its options say."""
        run = parse_run(ctx.params)._replace(is_weighed=True)
        planned = self.planned(ctx, run)
        if isinstance(planned, Planned):
            weigh(planned, run, take)

    def invoke(self, ctx: click.Context) -> int:
        """Perform what the command line asks for; the exit status."""
        run = parse_run(ctx.params)
        planned = self.planned(ctx, run)
        if isinstance(planned, int):
            return planned
        context = ctx.find_object(Context)
        assert context is not None
        return self.perform(context, planned, run)

    def perform(self, context: Context, planned: Planned, run: Run) -> int:
        """Perform a plan, record it and show it; the exit status."""
        return run_action.perform(context, planned, run)


class ActingOnNames(Acting, GroupedCommand):
    """A verb that acts, in which a name may have several words."""


class ActingOnSides(Acting, SidesCommand):
    """A verb that acts, in which --vs and --place take all words up to the next option."""


def weigh(planned: Planned, run: Run, take: Take) -> None:
    """Hand a plan to `take`; Refused, with what can be done instead in its hint, where the rules do not allow it."""
    session = with_side_pools(planned.session, planned.intent)
    try:
        take(planned._replace(session=session), run)
    except Refused as refusal:
        raise with_alternatives(session, planned.intent, refusal) from refusal
