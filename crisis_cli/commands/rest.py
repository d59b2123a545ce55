"""`crisis rest`."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from ..completion import Source
from ..context import Context
from ..engine.events import plain, record_of
from ..engine.perform import perform
from ..engine.rest import healed_by
from ..engine.scene import Fighter, Intent, Scene
from ..errors import CrisisError, FileError, Refused, Usage
from ..play.attacking import Planned
from ..play.party import gathered
from ..play.perform import MAX_ATTEMPTS, moved_on
from ..play.session import Session
from ..play.wording import intent_options
from ..preview import Take
from ..sheets.campaign import Campaign
from ..sheets.files import REMEDIES, UNCHANGED
from . import options, run_action, system_options
from .acting import ActingOnNames, weigh
from .naming import NameJoiningCommand

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

MOST_DAYS, MOST_HOURS = 100, 23
"""Most days of one rest, and most hours of one that is no day."""


class RestCommand(ActingOnNames):
    """The command `rest`, whose --days and --hours every system has; it is weighed for each who rests."""

    def weigh(self, ctx: click.Context, take: Take) -> None:
        """Hand what each fighter would do in the whole rest to `take`."""
        context = ctx.find_object(Context)
        assert context is not None
        run, words = options.parse_run(ctx.params)._replace(is_weighed=True), options.words_of(ctx.params)
        who = words.pop("who")
        _weigh(context, *_read(context, run, **words), who, run, take)

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
@options.seed_option
@options.results_option
@options.real_dice_option
@click.option("--mod", type=options.WHOLE, metavar="N", help="Situational modifier to each roll; + helps.")
@click.option("--why", type=options.TextLine(), metavar="TEXT", help="Record this reason in the story.")
@click.option("--explain", is_flag=True, help="Show every modifier with its rule.")
@click.option("--dry-run", is_flag=True, help="Show the first night; change nothing.")
@options.quiet_option
@options.common_options
def command(
    context: Context,
    /,
    run: options.Run,
    who: tuple[str, ...],
    **words: Any,
) -> int:
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
    campaign, length = _read(context, run, **words)
    nights = 1 if run.keep.is_dry else length.get("days", 1)
    for night in range(nights):
        try:
            _pass_night(context, campaign, who, length, run)
        except CrisisError as error:
            recorded = night + (error.code == "recorded" or "recorded" in error.about)
            raise _cut_short(error, who, recorded, nights) if recorded and nights > 1 else error from None
    return 0


def _read(
    context: Context,
    run: options.Run,
    days: int | None,
    hours: int | None,
    mod: int | None,
    why: str | None,
    **given: Any,
) -> tuple[Campaign, Intent]:
    """The campaign, and the intent of the whole rest, that the options of a command line ask for."""
    campaign = context.desk.campaigns.campaign()
    if context.desk.journals.active() is not None:
        raise Refused(
            f"a crisis is open ({context.desk.places.file}); rest is for the time between fights",
            hint="end it first: crisis end",
            code="open",
        )
    if days and hours:
        raise Usage("--days and --hours cannot go together", code="conflicting_options")
    if run.dice.results is not None and (days or 1) > 1:
        raise Usage("--dice goes with one night", hint="rest a night at a time", code="conflicting_options")
    session = _session(context, campaign)
    care = intent_options({**given, "mod": mod}, session, session.system.rest)
    if care and campaign.rest is not None and not hours:
        raise Usage(
            f"--{next(iter(care))} goes with the rule of {session.system.name}; this campaign has a rule of its own",
            hint="leave it out, or take [rest] out of campaign.toml",
            code="conflicting_options",
        )
    length = {"hours": hours} if hours else {"days": days or 1}
    values = {**length, **({"care": care} if care else {}), **({"why": why} if why else {})}
    return campaign, Intent("downtime", "", (), values)


def _pass_night(
    context: Context,
    campaign: Campaign,
    who: tuple[str, ...],
    length: Intent,
    run: options.Run,
) -> None:
    """Record one night, or some hours, and show them. If another program has changed the story meanwhile, it is passed
    again, by the sheets as they are then, unless real dice were rolled."""
    for attempt in range(MAX_ATTEMPTS):
        session = _session(context, campaign)
        fighters = gathered(context.desk, campaign, who)
        one = length if length.get("hours") else length.plus(days=1)
        intent = _intent(campaign, session, one, fighters)
        able = list(_able(context, session, fighters, intent, bool(who)))
        if not able:
            raise _nobody_rests()
        try:
            night = intent._replace(targets=tuple(able))
            run_action.perform(context, Planned(session, night), run)
            return
        except FileError as error:
            if attempt == MAX_ATTEMPTS - 1:
                raise
            moved_on(context.desk, session, run.dice, error)


def _cut_short(error: CrisisError, who: tuple[str, ...], recorded: int, nights: int) -> CrisisError:
    """The error that ended a rest of several nights, with what stands of it and how to rest for the others."""
    left = nights - recorded
    again = shlex.join(("crisis", "rest", *who, "--days", str(left)))
    remedy = REMEDIES.get(error.code, "") if error.hint.startswith(UNCHANGED) else error.hint
    _, is_said, failure = error.message.partition(", but ")
    if not (is_said and (error.code == "recorded" or "recorded" in error.about)):
        # It does not say itself that the last night is recorded.
        failure = error.message
    error.message = (
        f"{recorded} of {nights} nights {'is' if recorded == 1 else 'are'} recorded, but {failure}"
    )
    error.hint = "; ".join(filter(None, (remedy, f"the nights that are left: {again}" if left else "")))
    error.about["recorded"] = True
    return error


def _session(context: Context, campaign: Campaign) -> Session:
    """The session of the story; Usage with a journal of its own, Refused where the story is of another system."""
    session = context.desk.campaigns.require_story_session()
    if session.system.name != campaign.system:
        raise Refused(
            f"the story of this campaign is one of {session.system.name}, not of {campaign.system}",
            hint="set the system in campaign.toml back, or begin another campaign",
            code="other_system",
        )
    return session


def _intent(campaign: Campaign, session: Session, length: Intent, fighters: Sequence[Fighter]) -> Intent:
    """The intent of one night, or of some hours, of these fighters."""
    hours = length.get("hours")
    house = campaign.rest if not hours else None
    by = healed_by(session.system, house)
    plural = "" if hours == 1 else "s"
    words = {
        "value": f"{hours} hour{plural}" if hours else "a night",
        "title": f"{hours} hour{plural} pass{'' if plural else 'es'}" if hours else "A day passes",
        "by": "time" if not by else "house" if house is not None else "",
        "fighters": [plain(record_of(one)) for one in fighters],
    }
    ends = [
        name
        for name, condition in session.system.conditions.items()
        if condition.is_brief and any(one.has(name) for one in fighters)
    ]
    return length.plus(
        **words,
        **({"house": dict(house)} if house is not None else {}),
        **({"ends": ends} if ends else {}),
    )


def _able(
    context: Context, session: Session, fighters: Sequence[Fighter], intent: Intent, is_named: bool
) -> Iterator[str]:
    """The fighters who can rest, one after the other; where the party rests, those who cannot are left out with a
    warning."""
    from ..dice.generator import Seeded, generator
    from ..dice.table import Table

    for one in fighters:
        alone = intent._replace(targets=(one.name,))
        try:
            # Tried only for what the rules refuse; the dice of the rest itself are rolled later.
            perform(session.system, session.scene, alone, Table(Seeded(generator(0).random)))
        except CrisisError as error:
            if is_named:
                raise
            context.output.warn(f"{one.name} does not rest: {error.message}", "cannot_rest")
            continue
        yield one.name


def _weigh(
    context: Context, campaign: Campaign, length: Intent, who: tuple[str, ...], run: options.Run, take: Take
) -> None:
    """Hand what each fighter would do in the whole rest to `take`."""
    session = _session(context, campaign)
    house = campaign.rest if not length.get("hours") else None
    if house is None and not session.system.rest:
        raise Refused(
            f"{session.system.name} heals nobody by rest",
            hint="a rule of the campaign: [rest] in campaign.toml (crisis-campaign(7))",
            code="no_odds",
        )
    if house is not None:
        length = length.plus(house=dict(house))
    weighed = 0
    for one in gathered(context.desk, campaign, who):
        scene = Scene(session.system.name, {one.name: one})
        alone = Session(session.system, scene, store=session.store)
        try:
            weigh(Planned(alone, length._replace(targets=(one.name,))), run, take)
            weighed += 1
        except Refused as refusal:
            if who:
                raise
            context.output.warn(f"{one.name} does not rest: {refusal.message}", "cannot_rest")
    if not weighed:
        raise _nobody_rests()


def _nobody_rests() -> Refused:
    return Refused(
        "nobody can rest",
        hint="treat the dying in a fight without foes: crisis init WHO… --open; or name others: crisis rest WHO…",
        code="nobody_can_act",
    )
