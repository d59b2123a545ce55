"""`crisis campaign` alone: how the campaign stands."""

from __future__ import annotations

from ...context import Context
from .party import gathered


def show(context: Context, as_json: bool) -> None:
    """Print how the campaign stands, as text or as one object."""
    from ...story.campaign import lines, record, standing

    campaign = context.desk.campaigns.campaign()
    journal = context.desk.journals.active()
    session = context.desk.campaigns.require_story_session()
    assert session.crisis is not None
    fighters = gathered(context, campaign) if campaign.party else []
    now = standing(
        campaign, session.crisis, fighters, journal.crisis if journal else None, context.output.warn
    )
    if as_json:
        context.output.print_json(record(now))
    else:
        context.output.say(*lines(now, session.system, context.output.ink))
