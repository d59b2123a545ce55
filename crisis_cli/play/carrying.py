"""What one's own side carries: the fighters of an open fight, or the party of the campaign."""

from __future__ import annotations

from ..engine.scene import Fighter
from ..engine.system import System
from ..errors import Usage
from ..render.sides import own_side
from .desk import Desk
from .party import gathered


def those_who_carry(desk: Desk, who: tuple[str, ...] = ()) -> tuple[System, list[Fighter]]:
    """The fighters named, by default those of one's own side, and their system: in an open fight as it stands, else by
    their sheets. Usage where nobody is named, and there is neither a fight nor a campaign."""
    from ..sheets.find_fighters import find_name

    if desk.has_crisis():
        session = desk.open_session()
        fighters, own = session.scene.fighters, own_side(session.scene)
        names = [find_name(session.scene, word) for word in who]
        there = [one for one in fighters.values() if one.side == own and not one.gone]
        return session.system, [fighters[name] for name in names] or there
    if desk.places.story_folder is None:
        if not who:
            raise Usage(
                "missing argument: WHO; no crisis is open, and there is no campaign here",
                hint="crisis inv WHO…",
                code="missing_argument",
            )
        return desk.gather(who)
    from ..systems import load

    campaign = desk.campaigns.campaign()
    return load(campaign.system), gathered(desk, campaign, who)
