"""What is wrong with the campaign in use: in its file, its sheets, its story and its journals."""

from __future__ import annotations

import os
from collections.abc import Iterator

from ..engine.kinds import Fault
from ..errors import CrisisError
from ..sheets import journal_file, story_file
from ..sheets.campaign import Campaign, CampaignFile
from ..sheets.check import fault_records, new_faults, records_error
from ..sheets.journal_file import JOURNALS, JournalFile
from ..story.controls import faults
from ..systems import load
from .desk import Desk
from .party import gathered


def problems(desk: Desk) -> list[dict[str, object]]:
    """All that is wrong with the campaign in use, each with its file and a message, and in a file with faults with the
    line and the key; FileError that lists them where campaign.toml itself has faults."""
    file = desk.campaigns.campaign_file()
    records = _of_file(desk, file)
    if file.faults:
        raise records_error(records, "campaign")
    for where, said in _of_fights(desk, file.campaign):
        records.append({"file": where, "message": said})
    return records


def _of_file(desk: Desk, file: CampaignFile) -> list[dict[str, object]]:
    """What is wrong in campaign.toml and with the sheets of its party, each with file, line and key."""
    party: list[Fault] = []
    of_sheets: list[dict[str, object]] = []
    for at, name in enumerate(file.campaign.party):
        try:
            store = desk.shelves.sheets()
            store.require_near(name, file.campaign.folder)
            for one in gathered(desk, file.campaign, (name,)):
                desk.shelves.doctrine_of(one)
            if not store.is_within_reach(store.find(name), file.campaign.folder):
                party.append(Fault(("party", at), "is outside the campaign: a rest would not write it"))
        except CrisisError as error:
            if isinstance(records := error.about.get("faults"), list):
                of_sheets += records
            elif error.code != "other_system" or ("system",) not in {fault.path for fault in file.faults}:
                said = f"{error.message} ({error.hint})" if error.hint else error.message
                party.append(Fault(("party", at), said))
    faults = [*file.faults, *new_faults(file.faults, party)]
    return [*fault_records(file.display_path, file.text, faults), *of_sheets]


def _of_fights(desk: Desk, campaign: Campaign) -> Iterator[tuple[str, str]]:
    """What is wrong with the story and the journals, each with the file that it is in."""
    story = desk.campaigns.story()
    if story is not None:
        yield from _of_journal(desk, story)
        if story.crisis.scene.system != campaign.system:
            yield (
                "campaign.toml",
                f"system is {campaign.system}, and the story is {story.crisis.scene.system}",
            )
        for entry in story_file.fights(story.crisis):
            name = str(entry.intent.get("file"))
            try:
                is_gone = story_file.bare_name(name) not in story_file.journals_in(campaign.folder)
            except CrisisError as error:
                yield story.display_path, f"line of fight {entry.intent.get('value')}: {error.message}"
                continue
            if is_gone:
                yield (
                    f"{JOURNALS}/{name}",
                    f"is gone; the story knows it as fight {entry.intent.get('value')}",
                )
    for shown, target in story_file.links_in(campaign.folder):
        is_journal = shown.partition("/")[0] == JOURNALS
        rule = f"journals are plain files in {JOURNALS}/" if is_journal else "it leads out of the campaign"
        yield shown, f"is a link to {target}; {rule}"
    for name in story_file.journals_in(campaign.folder):
        path, shown = os.path.join(campaign.folder, JOURNALS, name), f"{JOURNALS}/{name}"
        try:
            yield from _of_journal(desk, journal_file.read(path, shown))
        except CrisisError as error:
            yield shown, error.message.removeprefix(f"{shown}: ")


def _of_journal(desk: Desk, journal: JournalFile) -> Iterator[tuple[str, str]]:
    """The first thing in a journal that does not verify, with how many there are, and the sheets elsewhere that it
    names."""
    campaign = desk.campaigns.campaign().folder
    for name, file in story_file.strange_sheets(desk.shelves.sheets(), campaign, journal.crisis):
        yield (
            journal.display_path,
            f"names {file[:200]!r} as the sheet of {name}: the campaign has no such sheet",
        )
    lines = journal_file.lines(journal)
    found = [one for one in faults(load(journal.crisis.scene.system), lines) if not one.is_remark]
    if found:
        first, more = found[0], f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        yield journal.display_path, f"does not verify: line {first.line}: {first.what}{more}"
