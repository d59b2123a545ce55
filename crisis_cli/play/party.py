"""The party of the campaign in use: who plays, as their sheets say, and how their campaign stands."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from ..engine.scene import Fighter, slug
from ..engine.wording import with_a
from ..errors import CrisisError, FileError, Refused, Usage
from ..sheets.files import file_stem, inside
from ..sheets.names import match_name
from ..systems import load
from .desk import Desk
from .session import Session

if TYPE_CHECKING:
    from ..sheets.campaign import Campaign
    from ..story.campaign import Standing


TO_JOIN = "who belongs to the party: party = [...] in campaign.toml"
"""How somebody is added to the party of a campaign."""


def those_who_play(desk: Desk, who: tuple[str, ...], has_foes: bool) -> tuple[str, ...]:
    """The sheets of those who play: WHO, or else against foes those of the campaign's party who are not dead; none
    without a campaign."""
    if who or not has_foes or desk.places.story_folder is None:
        return who
    party = _party_of(desk, desk.campaigns.campaign())
    if not party:
        return party
    system, fighters = desk.gather(party)
    dead = [one for one in fighters if system.fallen(one) == "dead"]
    if len(dead) == len(fighters):
        return party
    for one in dead:
        desk.warn(f"{one.name} is dead and takes no part; {TO_JOIN}", "fallen")
    return tuple(name for name, one in zip(party, fighters, strict=True) if one not in dead)


def standing(desk: Desk) -> tuple[Session, Standing]:
    """The story of the campaign in use, and how the campaign stands: its day, party, fights, threads and awards."""
    from ..story import campaign as stories

    campaign = desk.campaigns.campaign()
    journal = desk.journals.active()
    session = desk.campaigns.require_story_session()
    assert session.crisis is not None
    fighters = gathered(desk, campaign) if campaign.party else []
    fought = journal.crisis if journal else None
    return session, stories.standing(campaign, session.crisis, fighters, fought, desk.warn)


def _party_of(desk: Desk, campaign: Campaign) -> tuple[str, ...]:
    """The sheets of the party; FileError where campaign.toml names one elsewhere."""
    store = desk.shelves.sheets()
    for name in campaign.party:
        store.require_near(name, campaign.folder)
    return campaign.party


def _sheet_of(desk: Desk, campaign: Campaign, word: str) -> str:
    """The sheet that a word means: of the party by any name of a fighter, or else the word itself."""
    if word in campaign.party or not campaign.party:
        return word
    with suppress(CrisisError):
        party = zip(campaign.party, desk.gather(_party_of(desk, campaign))[1], strict=True)
        named = match_name(word, {sheet: (one.name,) for sheet, one in party}).names
        return named[0] if len(named) == 1 else word
    return word


def gathered(desk: Desk, campaign: Campaign, who: tuple[str, ...] = ()) -> list[Fighter]:
    """The fighters named, by default the party, as their sheets say now; FileError with a way to restore a sheet that
    is gone, Usage if the party is empty."""
    names = tuple(_sheet_of(desk, campaign, word) for word in who) or _party_of(desk, campaign)
    if not names:
        raise Usage(
            "missing argument: WHO; the party in campaign.toml is empty",
            hint='crisis rest WHO…, or write: party = ["jack", "ada"]',
            code="missing_argument",
        )
    store = desk.shelves.sheets()
    missing = [name for name in names if not store.has(name) or not store.is_writable(store.find(name))]
    for name in missing:
        # A shipped sheet of another system is of no use as a copy either.
        if not store.has(name) or store.read(name).values["system"] == campaign.system:
            raise _missing_sheet(desk, campaign.folder, name)
    system, fighters = desk.gather(names)
    if system.name != campaign.system:
        raise Refused(
            f"{fighters[0].name} is {with_a(system.name)} sheet; this campaign is {campaign.system}",
            hint=f"sheets: crisis character list --system {campaign.system}",
            code="other_system",
        )
    return fighters


def others_who_can_act(desk: Desk, campaign: Campaign) -> Iterator[str]:
    """The words for the sheets of the campaign that are not of its party, and whose fighters can act."""
    store, system = desk.shelves.sheets(), load(campaign.system)
    for _, path in store.all():
        word = file_stem(path)
        if word in campaign.party or not store.is_within_reach(path, campaign.folder):
            continue
        with suppress(CrisisError):
            (one,) = gathered(desk, campaign, (word,))
            if one.player and not system.idle(one)[0]:
                yield word


def _missing_sheet(desk: Desk, folder: str, name: str) -> FileError:
    """The error for a sheet that is not found, with the way to restore it from the last journal that has it, or that
    names the link out of the campaign in place of the folder of its sheets."""
    from ..sheets.restoring import last_known

    try:
        inside(folder, "characters", "characters")
    except FileError as error:
        return error
    story = desk.campaigns.story()
    if story and (known := last_known(story, name)):
        return FileError(
            f"the sheet of {known.name} is gone",
            hint=f"a copy is in {known.source}: crisis character restore {slug(name)}",
            code="not_found",
        )
    try:
        desk.shelves.sheets().find(name)
    except FileError as error:
        return error
    return FileError(
        f"{name} is a shipped sheet, and a campaign writes its sheets",
        hint=f"make it your own: crisis character copy {slug(name)}",
        code="shipped",
    )
