"""Where files are: the journal, the campaign, and the folders of sheets, encounters, tables and doctrines."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from .. import systems
from ..errors import FileError
from ..sheets.files import path_from, sibling
from ..sheets.store import CAMPAIGN, Folder, campaign_above, data_folder, shipped
from ..values import NamedTuple

JOURNAL = "crisis.jsonl"
NO_CAMPAIGN = "-"
"""The name of a campaign that means none."""


class Places(NamedTuple):
    """Where files are looked for and written, as options and the environment say."""

    cwd: str
    data: str
    """The user's data folder; empty for none."""
    characters: str = ""
    """The folder in which sheets are looked for first; so for the next three. Empty for none."""
    encounters: str = ""
    tables: str = ""
    doctrines: str = ""
    own_file: str = ""
    """The journal that was named; empty for that of the campaign, or of this folder."""
    campaign_folder: str | None = None
    """The folder of the campaign in use; None without one."""

    @property
    def file(self) -> str:
        """The journal in use, as it is shown."""
        return self.own_file or self.shown_in_campaign(JOURNAL)

    @property
    def journal_path(self) -> str:
        """The path of the journal in use."""
        return path_from(self.cwd, self.file)

    @property
    def story_folder(self) -> str | None:
        """The folder of the campaign whose story is kept; None without a campaign, or with a journal outside it."""
        return None if self.own_file else self.campaign_folder

    def may_be_written(self) -> list[str]:
        """Files and folders that whoever started the program has named, wherever they are: the journal, the story."""
        if self.story_folder is None:
            return [self.journal_path]
        from ..sheets.campaign import STORY
        from ..sheets.journal_file import JOURNALS

        return [self.journal_path, *(os.path.join(self.story_folder, name) for name in (STORY, JOURNALS))]

    def shown_in_campaign(self, name: str) -> str:
        """A file of the campaign as seen from the working folder; the bare name without a campaign."""
        if self.campaign_folder is None or self.campaign_folder == self.cwd:
            return name
        path = os.path.join(self.campaign_folder, name)
        try:
            return os.path.relpath(path, self.cwd)
        except ValueError:
            return path

    def shown_archive(self, archive: str) -> str:
        """The name of an archived journal for messages, as seen from the working folder."""
        if self.story_folder is None:
            return sibling(self.file, os.path.basename(archive))
        return self.shown_in_campaign(os.path.relpath(archive, self.story_folder))

    def with_named(
        self, *, characters: str = "", encounters: str = "", file: str = "", campaign: str = ""
    ) -> Places:
        """These places with others in the stead of those that are named; an empty name changes nothing.

        FileError where there is no campaign in the folder that is named.
        """
        return self._replace(
            characters=characters or self.characters,
            encounters=encounters or self.encounters,
            own_file=file or self.own_file,
            campaign_folder=find_campaign(self.cwd, campaign) if campaign else self.campaign_folder,
        )

    # The folders of each kind, nearest first

    def sheet_folders(self) -> Iterator[Folder]:
        """The folders of sheets; FileError if the one that was named does not exist."""
        yield from self._folders("characters", self.characters)
        yield Folder(shipped(), "the shipped sheets", is_writable=False)
        for package, inside in systems.folders():
            yield Folder(os.path.join(inside, "characters"), f"the sheets of {package}", is_writable=False)

    def encounter_folders(self) -> Iterator[Folder]:
        """The folders of encounters; FileError if the one that was named does not exist."""
        return self._folders("encounters", self.encounters)

    def table_folders(self) -> Iterator[Folder]:
        """The folders of random tables; FileError if the one that was named does not exist."""
        return self._folders("tables", self.tables)

    def doctrine_folders(self) -> Iterator[Folder]:
        """The folders of doctrines; FileError if the one that was named does not exist."""
        return self._folders("doctrines", self.doctrines)

    def _folders(self, name: str, named: str) -> Iterator[Folder]:
        """The folder that was named, and those called `name` in the campaign, the working and the data folder."""
        if named:
            path = path_from(self.cwd, named)
            if not os.path.isdir(path):
                raise FileError(f"no folder is called {named}", code="not_found")
            yield Folder(path, named)
        if self.campaign_folder is not None and self.campaign_folder != self.cwd:
            in_campaign = os.path.join(self.campaign_folder, name)
            yield Folder(in_campaign, self.shown_in_campaign(name), root=self.campaign_folder)
        yield Folder(os.path.join(self.cwd, name), f"./{name}", root=self.cwd)
        if self.data:
            yield Folder(os.path.join(self.data, name), "your data folder")


def places_of(
    env: Mapping[str, str], cwd: str, *, characters: str = "", file: str = "", campaign: str = ""
) -> Places:
    """The places that the environment names, with those of options in their stead.

    FileError where there is no campaign in the folder that is named.
    """
    return Places(
        cwd,
        data_folder(env),
        characters or env.get("CRISIS_CHARACTERS", ""),
        env.get("CRISIS_ENCOUNTERS", ""),
        env.get("CRISIS_TABLES", ""),
        env.get("CRISIS_DOCTRINES", ""),
        file or env.get("CRISIS_FILE", ""),
        find_campaign(cwd, campaign or env.get("CRISIS_CAMPAIGN", "")),
    )


def wrong_campaign(cwd: str, name: str) -> str:
    """Why there is no campaign in the folder that is named; empty where there is one, or none is named."""
    if name in ("", NO_CAMPAIGN) or os.path.isfile(os.path.join(path_from(cwd, name), CAMPAIGN)):
        return ""
    return f"there is no campaign in {name}: it has no {CAMPAIGN}"


def find_campaign(cwd: str, name: str) -> str | None:
    """The folder of the campaign that is named, or else of the one around the working folder; None without one.

    FileError if there is no campaign in the folder that is named.
    """
    if not name:
        return campaign_above(cwd)
    if name == NO_CAMPAIGN:
        return None
    if wrong := wrong_campaign(cwd, name):
        raise FileError(wrong, hint="make one: crisis campaign new NAME", code="not_found")
    return path_from(cwd, name)
