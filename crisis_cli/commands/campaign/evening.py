"""The start of an evening in a campaign: what happened before, and who plays."""

from __future__ import annotations

from ...context import Context
from ...errors import CrisisError
from .party import gathered, party_of


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
            party = gathered(context, campaign) if campaign.party else []
        except CrisisError as error:
            context.output.warn(error.message, "campaign")
            party = []
        return lines_of(campaign, story.crisis, party, context.output.ink, context.output.warn)
    except CrisisError as error:
        context.output.warn(error.message, "campaign")
        return []


def those_who_play(context: Context, who: tuple[str, ...], has_foes: bool) -> tuple[str, ...]:
    """The sheets of those who play: WHO, or else against foes the party of the campaign; none without a campaign."""
    if who or not has_foes or context.desk.places.story_folder is None:
        return who
    return party_of(context, context.desk.campaigns.campaign())
