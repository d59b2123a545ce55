"""Sheets as the story of a campaign knew them last, to restore one that is gone."""

from __future__ import annotations

import os

from ..engine.journal import Crisis
from ..engine.record import SheetChange
from ..engine.rest import BETWEEN
from ..engine.scene import Fighter
from ..errors import CrisisError
from ..systems import load
from ..values import NamedTuple
from .fighters import lasting, stated
from .journal_file import JOURNALS, JournalFile
from .names import fold_case
from .new_sheet import sheet_text
from .save_sheets import Lasting
from .story_file import fight_journal


class Known(NamedTuple):
    """A sheet as it was known last."""

    name: str
    text: str
    file: str
    """Its path, from the folder of the campaign on."""
    source: str
    """The file that it is known from."""


def last_known(story: JournalFile, name: str) -> Known | None:
    """The sheet of that name, or with that file name, as the last fight, rest, care or find left it; None if none had
    it."""
    scene = story.crisis.scene
    for entry in reversed(story.crisis.done):
        if entry.intent.action == "fight":
            try:
                fight = fight_journal(os.path.dirname(story.path), entry)
            except CrisisError:
                continue
            found = _of_fight(fight.crisis, name)
            if found is not None:
                return found._replace(source=f"{JOURNALS}/{os.path.basename(fight.path)}")
        elif entry.intent.action in BETWEEN:
            rested = [one for one in scene.fighters.values() if _is(one.name, one.file, name)]
            if rested and rested[0].name in entry.intent.targets:
                one = rested[0]
                known = _known(story.crisis.scene.system, one, entry.sheets.get(one.name))
                return known._replace(source=story.display_path)
        elif entry.intent.action == "take":
            for who, change in entry.sheets.items():
                if _is(who, change.file, name):
                    return Known(who, change.now, change.file, story.display_path)
    return None


def _of_fight(crisis: Crisis, name: str) -> Known | None:
    for one in {**crisis.scene.fighters, **crisis.start.fighters}.values():
        if one.file and _is(one.name, one.file, name):
            sheets = crisis.ending.sheets if crisis.ending else {}
            # Where the end wrote nothing, the sheet is as it was before the fight, or saved in it.
            return _known(crisis.scene.system, one, sheets.get(one.name), crisis.saved.get(one.name))
    return None


def _is(who: str, file: str, name: str) -> bool:
    """Whether a name means this fighter with this file, by the name of either."""
    stem = file.replace("\\", "/").rpartition("/")[2].removesuffix(".toml")
    return fold_case(name) in (fold_case(who), fold_case(stem))


def _known(system_name: str, one: Fighter, change: SheetChange | None, saved: Lasting | None = None) -> Known:
    """The sheet of a fighter: the text that was written, or one made anew from what the journal holds."""
    if change is not None:
        return Known(one.name, change.now, change.file, "")
    system = load(system_name)
    bare = {key: value for key, value in one.sheet.items() if key != "state"}
    state = saved if saved is not None else lasting(system, one)
    return Known(one.name, sheet_text(stated(system, bare, state), system.sheet), one.file, "")
