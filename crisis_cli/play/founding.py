"""A new campaign: its folder with campaign.toml, folders for its files, and copies of the sheets of its party."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from .. import systems
from ..columns import is_printable
from ..engine.kinds import guess
from ..engine.wording import with_a
from ..errors import FileError, Refused, Usage
from ..sheets.check import Sheet
from ..sheets.files import create, draft_of, file_stem, stale_drafts, stem_of, write_error
from ..sheets.store import CAMPAIGN, campaign_above
from ..sheets.toml_patch import value_text
from ..values import NamedTuple
from .desk import Desk

LONGEST = 60
WAY = "give the campaign another name"
SKELETON = """\
# {title}: a campaign for crisis. All keys: crisis-campaign(7).
name    = {name}
system  = {system}
party   = {party}      # sheets in characters/: they rest, and are shown
day     = 1
tension = 2       # of the oracle, 0 to 6

# [rest]            # a house rule in place of that of the system: what a night of rest gives back
# {pool} = "d3"
"""


class MadeCampaign(NamedTuple):
    """A campaign that was made."""

    folder: str
    """The name of its folder, in the working folder."""
    party: list[str]
    """The sheets of its party, by the names of their files."""


def make_campaign(desk: Desk, name: str, who: tuple[str, ...], system: str | None = None) -> MadeCampaign:
    """Make a campaign in the working folder, with copies of the sheets of WHO as its party, of their system unless one
    is named; warns where it is inside another one.

    Usage for a name that is none, Refused where systems differ, FileError where the folder is there already.
    """
    store = desk.shelves.sheets()
    sheets = [store.read(word) for word in who]
    system = _system(sheets, system)
    title = " ".join(name.split())
    if not any(map(str.isalpha, title)) or not is_printable(title) or len(title) > LONGEST:
        raise Usage(
            f"{name!r} is not a name: 1 to {LONGEST} characters, a letter among them", code="bad_value"
        )
    stem, stems = stem_of(title), _stems(sheets)
    pools = systems.load(system).pools
    pool = next(one for one, kind in pools.items() if kind.lasting and not kind.gear)
    text = SKELETON.format(
        title=title, name=value_text(title), system=value_text(system), party=value_text(stems), pool=pool
    )
    with new_folder(desk, stem, WAY) as made:
        _make(made, stem, text, dict(zip(stems, sheets, strict=True)))
    outer = campaign_above(desk.places.cwd)
    if outer is not None:
        desk.warn(
            f"this campaign is inside another one, {outer}; in its folder it is used", "nested_campaign"
        )
    return MadeCampaign(stem, stems)


@contextmanager
def new_folder(desk: Desk, stem: str, way: str) -> Iterator[str]:
    """A new folder of the working folder, filled in this block under another name: it is there as a whole, or not at
    all. FileError, with a `way` on, where there is one already."""
    folder = os.path.join(desk.places.cwd, stem)
    if os.path.lexists(folder):
        raise FileError(f"{stem} exists already", hint=way, code="exists")
    draft = draft_of(folder)
    try:
        for stale in stale_drafts(folder):
            if stale.is_dir(follow_symlinks=False):
                shutil.rmtree(stale.path, ignore_errors=True)
        os.mkdir(draft)
    except OSError as error:
        raise write_error(stem, error) from error
    try:
        yield draft
        os.rename(draft, folder)
    except OSError as error:
        raise write_error(stem, error) from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _make(folder: str, stem: str, text: str, sheets: Mapping[str, Sheet]) -> None:
    """Make the folders and files of a campaign; `sheets` by the names of their files."""
    for one, sheet in sheets.items():
        path = os.path.join(folder, "characters", f"{one}.toml")
        create(path, sheet.text, f"{stem}/characters/{one}.toml", "sheets", WAY)
    for inside in ("characters", "encounters", "tables", "doctrines", "journals"):
        os.makedirs(os.path.join(folder, inside), exist_ok=True)
    create(os.path.join(folder, CAMPAIGN), text, f"{stem}/{CAMPAIGN}", "campaigns", WAY)


def _system(sheets: list[Sheet], system: str | None) -> str:
    """The system of the campaign: the one named, or that of the sheets; Usage without either, Refused where they
    differ."""
    if system is not None and system not in systems.names():
        raise Usage(
            f"no system is called {system!r}{guess(system, systems.names())}",
            hint=f"systems: {', '.join(systems.names())}",
            code="unknown_name",
        )
    known = [str(sheet.values["system"]) for sheet in sheets]
    for sheet, theirs in zip(sheets, known, strict=True):
        if theirs != (system or known[0]):
            raise Refused(
                f"{sheet.values['name']} is {with_a(theirs)} sheet; this campaign is {system or known[0]}",
                hint="all fighters of a campaign use one system",
                code="other_system",
            )
    if not known and system is None:
        raise Usage(
            "missing argument: WHO, or --system",
            hint="crisis campaign new NAME WHO…, or: crisis campaign new NAME --system 3d6",
            code="missing_argument",
        )
    return system or known[0]


def _stems(sheets: list[Sheet]) -> list[str]:
    """The file names of the copies; Usage where a sheet is named twice."""
    stems = [file_stem(sheet.path) for sheet in sheets]
    twice = next((one for one in stems if stems.count(one) > 1), "")
    if twice:
        raise Usage(f"{twice} is named more than once", code="named_twice")
    return stems
