"""`crisis campaign` alone: how the campaign stands."""

from __future__ import annotations

from ...context import Context
from .party import gathered


def show(context: Context, as_json: bool) -> None:
    """Print how the campaign stands, as text or as one object."""
    from ...story.campaign import lines, record, standing

    campaign = context.campaign()
    journal = context.active_journal()
    session = context.require_story_session()
    assert session.crisis is not None
    fighters = gathered(context, campaign) if campaign.party else []
    now = standing(campaign, session.crisis, fighters, journal.crisis if journal else None, context.warn)
    if as_json:
        context.print_json(record(now))
    else:
        context.say(*lines(now, session.system, context.ink))
