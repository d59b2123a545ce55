"""What is shown of a campaign: how it stands, and what happened before."""

from __future__ import annotations

from ...context import Context
from ...errors import CrisisError
from ...play.next_steps import next_steps
from ...play.party import gathered, standing


def show(context: Context, as_json: bool) -> None:
    """Print how the campaign stands, as text or as one object."""
    from ...render import next_steps as shown
    from ...story.campaign import lines, record

    session, now = standing(context.desk)
    steps, ink = next_steps(context.desk), context.output.ink
    if as_json:
        context.output.print_json(record(now) | {"next": shown.records(steps)})
    else:
        # At a prompt the steps are listed anew after each line.
        ways_on = [] if context.environment.at_prompt else shown.lines(steps, ink)
        context.output.say(*lines(now, session.system, ink), *ways_on)


def previously(context: Context) -> list[str]:
    """What happened in the campaign before, in six lines at most; nothing without a campaign or a fight. What is wrong
    with the campaign is warned of, and keeps nobody from playing."""
    try:
        story = context.desk.campaigns.story()
        if story is None:
            return []
        from ...story.campaign import previously as lines_of

        campaign = context.desk.campaigns.campaign()
        try:
            party = gathered(context.desk, campaign) if campaign.party else []
        except CrisisError as error:
            context.output.warn(error.message, "campaign")
            party = []
        return lines_of(campaign, story.crisis, party, context.output.ink, context.output.warn)
    except CrisisError as error:
        context.output.warn(error.message, "campaign")
        return []
