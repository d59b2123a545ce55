"""`crisis rest`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from ..completion import Source
from ..context import Context
from ..errors import CrisisError, Refused
from ..play.resting import MOST_DAYS, MOST_HOURS, Downtime, dying, nobody_rests, rest, rests, risk, treating
from ..preview import Take
from ..questions import typed_number
from ..render.messages import listed
from ..render.next_steps import risk_words
from . import options, run_action, system_options
from .acting import ActingOnNames, weigh
from .naming import NameJoiningCommand
from .terminal import Terminal

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class RestCommand(ActingOnNames):
    """The command `rest`, whose --days and --hours every system has; it is weighed for each who rests."""

    def weigh(self, ctx: click.Context, take: Take) -> None:
        """Hand what each fighter would do in the whole rest to `take`."""
        context = ctx.find_object(Context)
        assert context is not None
        run = options.parse_run(ctx.params)._replace(is_weighed=True)
        asked = _read(**options.words_of(ctx.params))
        weighed = 0
        for planned in rests(context.desk, asked, run.dice):
            try:
                weigh(planned, run, take)
                weighed += 1
            except Refused as refusal:
                (who,) = planned.intent.targets
                if asked.who:
                    way = treating(planned.session.system, planned.session.scene.fighters[who])
                    refusal.hint = way or refusal.hint
                    raise
                context.output.warn(f"{who} does not rest: {refusal.message}", "cannot_rest")
        if not weighed:
            raise nobody_rests()

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The completions of all options."""
        return NameJoiningCommand.shell_complete(self, ctx, incomplete)


@click.command("rest", cls=RestCommand)
@click.argument("who", nargs=-1, metavar="[WHO...]", shell_complete=Source("names.sheets"))
@click.option(
    "--days",
    type=click.IntRange(1, MOST_DAYS),
    metavar="N",
    help="Let N days pass, each with a night (default: 1).",
)
@click.option(
    "--hours",
    type=click.IntRange(1, MOST_HOURS),
    metavar="N",
    help="Rest for N hours; the day stays the same.",
)
@system_options.of_systems("rest")
@options.roll_options
@click.option("--mod", type=options.WHOLE, metavar="N", help="Situational modifier to each roll; + helps.")
@click.option("--why", type=options.TextLine(), metavar="TEXT", help="Record this reason in the story.")
@click.option("--explain", is_flag=True, help="Show every modifier with its rule.")
@click.option("--dry-run", is_flag=True, help="Show the first night; change nothing.")
@options.quiet_option
@options.common_options
def command(context: Context, /, run: options.Run, **words: Any) -> int:
    """Rest between the fights of a campaign: WHO, by default its party, heal by the rules of their system.

    Each night is rolled as the rules say, is recorded in the story, and can be undone. A rule for rest in
    campaign.toml stands in for that of the system; without either, only the days pass. crisis odds rest shows the
    exact odds.

    \b
    Examples:
      crisis rest
      crisis rest ada --days 3
      crisis rest --hours 6
    """
    if context.environment.is_typed and not words["days"] and (days := typed_number(" ".join(words["who"]))):
        words |= {"who": (), "days": min(days, MOST_DAYS)}
    show, asked = partial(run_action.show_done, context, run), _read(**words)
    if not (run.report.as_json or run.report.quiet):
        try:
            kills = risk(context.desk, asked)
            if kills.deaths:
                context.output.warn(risk_words(kills), "risk")
        except CrisisError as refusal:
            if refusal.code == "no_odds" and context.environment.is_interactive:
                context.output.warn(f"{refusal.message}; {refusal.hint}", "risk")
        if context.environment.is_interactive and not run.keep.is_dry and not _rests(context, asked):
            return 130
    rest(context.desk, asked, run.dice, run.keep, Terminal(context), show)
    return 0


def _rests(context: Context, asked: Downtime) -> bool:
    """Whether the player rests though somebody is dying, whom no rest helps."""
    if not (names := dying(context.desk, asked)):
        return True
    who = f"{listed(names)} {'is' if len(names) == 1 else 'are'} dying, and no rest helps"
    answer = context.output.ask(f"{who}. Rest all the same? y/[n]: ", ("yes", "no"))
    return answer.strip().lower() in ("y", "yes")


def _read(
    who: tuple[str, ...], days: int | None, hours: int | None, mod: int | None, why: str | None, **given: Any
) -> Downtime:
    """The rest that the words of a command line ask for."""
    return Downtime(who, days or 0, hours or 0, why or "", {**given, "mod": mod})
