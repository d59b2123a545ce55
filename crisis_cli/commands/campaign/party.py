"""The party of a campaign: its sheets, and what to do when one is gone."""

from __future__ import annotations

from ...context import Context
from ...engine.scene import Fighter, slug
from ...engine.wording import with_a
from ...errors import FileError, Refused, Usage
from ...sheets.campaign import Campaign
from ...sheets.files import inside


def party_of(context: Context, campaign: Campaign) -> tuple[str, ...]:
    """The sheets of the party; FileError where campaign.toml names one elsewhere."""
    store = context.desk.shelves.sheets()
    for name in campaign.party:
        store.require_near(name, campaign.folder)
    return campaign.party


def gathered(context: Context, campaign: Campaign, who: tuple[str, ...] = ()) -> list[Fighter]:
    """The fighters named, by default the party, as their sheets say now; FileError with a way to restore a sheet that
    is gone, Usage if the party is empty."""
    names = who or party_of(context, campaign)
    if not names:
        raise Usage(
            "missing argument: WHO; the party in campaign.toml is empty",
            hint='crisis rest WHO…, or write: party = ["jack", "ada"]',
            code="missing_argument",
        )
    store = context.desk.shelves.sheets()
    for name in names:
        if not store.has(name) or not store.is_writable(store.find(name)):
            raise missing_sheet(context, campaign.folder, name)
    system, fighters = context.desk.gather(names)
    if system.name != campaign.system:
        raise Refused(
            f"{fighters[0].name} is {with_a(system.name)} sheet; this campaign is {campaign.system}",
            code="other_system",
        )
    return fighters


def missing_sheet(context: Context, folder: str, name: str) -> FileError:
    """The error for a sheet that is not found, with the way to restore it from the last journal that has it, or that
    names the link out of the campaign in place of the folder of its sheets."""
    from ...sheets.restoring import last_known

    try:
        inside(folder, "characters", "characters")
    except FileError as error:
        return error
    story = context.desk.campaigns.story()
    if story and (known := last_known(story, name)):
        return FileError(
            f"the sheet of {known.name} is gone",
            hint=f"a copy is in {known.source}: crisis character restore {slug(name)}",
            code="not_found",
        )
    try:
        context.desk.shelves.sheets().find(name)
    except FileError as error:
        return error
    return FileError(
        f"{name} is a shipped sheet, and a campaign writes its sheets",
        hint=f"make it your own: crisis character copy {slug(name)}",
        code="shipped",
    )
