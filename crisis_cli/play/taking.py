"""What the last fight left, taken by the party of the campaign: who may carry it, and what that changes on a sheet."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..engine.kinds import either
from ..engine.loot import AWARD, Loot, added, carriers, had
from ..engine.record import Entry
from ..engine.scene import Fighter, Intent, slug
from ..errors import FileError, Refused, Usage
from ..render.loot import loot_words
from ..render.messages import listed
from ..story.spoils import Spoils, last_spoils, spoils_of
from .desk import Desk
from .dice import AUTOMATIC
from .party import gathered
from .perform import perform_and_record
from .results import Result

if TYPE_CHECKING:
    from ..sheets.campaign import Campaign

Choose = Callable[[str, Mapping[str, str]], str]
"""Gives the name of who takes something, from what it is in words and those who may carry it: the names, each with the
word for the sheet."""


def spoils(desk: Desk) -> Spoils:
    """What the last fight left: that of the campaign, or without one the last that ended here. Refused while a fight is
    open, and where there was none."""
    from ..sheets import journal_file, story_file

    desk.journals.require_ended("take")
    folder, here = desk.places.story_folder, None
    if folder is not None:
        story = desk.campaigns.story()
        done = story.crisis.done if story is not None else ()
        here = last_spoils(done, lambda entry: story_file.fight_journal(folder, entry).crisis)
    elif archive := journal_file.last_archived(desk.places.journal_path):
        name = os.path.basename(archive)
        crisis = journal_file.read(archive, name).crisis
        here = spoils_of(Entry(1, story_file.fight_intent(name, crisis)), crisis, ())
    if here is None:
        raise Refused(
            "no fight has ended here",
            hint="play one: crisis play ENCOUNTER (all: crisis encounter list)",
            code="no_fight",
        )
    return here


def not_taken(desk: Desk) -> str:
    """What the party can still take of what the last fight of the campaign left, in a few words: `a pass · a carbine, 3
    rounds`; empty where that is nothing, and without a campaign. Refused as `spoils` is."""
    if desk.places.story_folder is None:
        return ""
    here, campaign = spoils(desk), desk.campaigns.campaign()
    party = [one for _, one in _sheets(desk, campaign, campaign.party).values()]
    return here.few_words(
        loot
        for loot in here.untaken
        # The things of foes of long ago are listed, not proposed.
        if not (loot.source and loot.fight)
        and any(
            loot.reward.for_each or not here.system.fallen(one) for one in carriers(here.system, party, loot)
        )
    )


def take(
    desk: Desk,
    numbers: Sequence[int] = (),
    who: str = "",
    choose: Choose | None = None,
    watch: Callable[[Result], None] = lambda done: None,
) -> list[Result]:
    """Take what the last fight left, by its numbers, or all that nobody has taken: a result for each.

    `who` is the sheet of the fighter who takes it. Where several may carry something, `choose` is asked, else Usage
    names them. Refused without a campaign, for what is taken already, and where nobody can carry it. `watch` is called
    with each as it is recorded.
    """
    campaign = desk.campaigns.campaign()
    here = spoils(desk)
    systems = {here.system.name, desk.campaigns.require_story_session().system.name}
    if systems != {campaign.system}:
        raise Refused(f"the fight or the story is not one of {campaign.system}", code="other_system")
    rows = [_row(here, number) for number in numbers] or here.untaken
    if not rows:
        raise Refused("nothing is left to take", hint="who has what: crisis inv", code="taken")
    takers = _takers(desk, campaign, here, rows, who, choose)
    done = list[Result]()
    # No other run takes anything meanwhile.
    with desk.campaigns.story_lock():
        for number, names in takers.items():
            loot = _row(spoils(desk), number)
            done.append(_record(desk, here, loot, gathered(desk, campaign, names)))
            watch(done[-1])
    return done


def _row(here: Spoils, number: int) -> Loot:
    """The row of a number; Refused if nobody can take it any more, or there is none."""
    untaken = {loot.number: loot for loot in here.untaken}
    if number in untaken:
        return untaken[number]
    many = len(here.rows)
    if 0 < number <= many:
        raise Refused(
            f"taken already, by {listed(here.taken[number])}: {here.words(here.rows[number - 1])}",
            hint="the list: crisis take; to put it back: crisis undo",
            code="taken",
        )
    raise Refused(
        f"there is no number {number}: {here.title} left {f'{many} things' if many else 'nothing'}",
        hint="the list: crisis take",
        code="no_loot",
    )


def _takers(
    desk: Desk, campaign: Campaign, here: Spoils, rows: Sequence[Loot], who: str, choose: Choose | None
) -> dict[int, tuple[str, ...]]:
    """Who takes each row, by its number: the words for their sheets. What nobody can carry is left out with a warning,
    unless it is all that there is."""
    named = _sheets(desk, campaign, (who,)) if who else {}
    party = _sheets(desk, campaign, campaign.party) | named
    fighters = [one for _, one in party.values()]
    upright = [one.name for one in fighters if not here.system.fallen(one)]
    able: dict[int, tuple[str, ...]] = {}
    left: list[str] = []
    for loot in rows:
        carrying = carriers(here.system, fighters, loot)
        names = tuple(one.name for one in carrying if loot.reward.for_each or one.name in (named or upright))
        if names:
            able[loot.number] = names
            continue
        nobody = "nobody on their feet" if party and not upright else "nobody"
        why = f"{nobody} {'has a weapon with room for it' if loot.is_ammo else 'can carry it'}"
        for name, (_, taker) in named.items():
            is_dead = here.system.fallen(taker) == "dead"
            why = f"{name} {'is dead' if is_dead else 'has no weapon with room for it'}"
        left.append(f"{here.words(loot)}: {why}")
    if not able:
        hint = "say who: crisis take all WHO" if not party else "treat them: crisis tend"
        hint = "the list: crisis take" if named or upright else hint
        raise Refused("; ".join(left), hint=hint, code="no_room")
    for said in left:
        desk.warn(f"left there: {said}", "no_room")
    undecided = [one for one in rows if len(able.get(one.number, ())) > 1 and not one.reward.for_each]
    for names in dict.fromkeys(able[one.number] for one in undecided):
        alike = [one for one in undecided if able[one.number] == names]
        name = _chosen(here, alike, {name: party[name][0] for name in names}, choose)
        able |= {one.number: (name,) for one in alike}
    return {number: tuple(party[name][0] for name in names) for number, names in able.items()}


def _sheets(desk: Desk, campaign: Campaign, words: Sequence[str]) -> dict[str, tuple[str, Fighter]]:
    """The fighters of some sheets, each by its name with the word for the sheet; without copies, which have no sheet of
    their own."""
    found = ((word, one) for word in words for one in gathered(desk, campaign, (word,)))
    return {one.name: (word, one) for word, one in found if one.file}


def _chosen(here: Spoils, rows: Sequence[Loot], words: Mapping[str, str], choose: Choose | None) -> str:
    """The name of who takes some rows, given the words for the sheets of those who may; Usage where nobody can be
    asked."""
    what = here.words(rows[0]) if len(rows) == 1 else f"these {len(rows)} things"
    if choose is not None:
        return choose(what, words)
    number = str(rows[0].number) if len(rows) == 1 else "all"
    raise Usage(
        f"who takes {what}? {either([*words])}",
        hint=f"crisis take {number} {slug(next(iter(words.values())))}",
        code="missing_argument",
    )


def _record(desk: Desk, here: Spoils, loot: Loot, fighters: Sequence[Fighter]) -> Result:
    """Record that fighters take something, and write their sheet; FileError where it cannot be written."""
    from ..sheets.save_sheets import only_in_reach

    first, store, folder = fighters[0], desk.shelves.sheets(), desk.places.story_folder or ""
    adds = added(here.system, first, loot, here.words(loot))
    numbers = [more for more in adds.values() if isinstance(more, int)]
    parts = sum(numbers) if loot.is_ammo and numbers else loot.parts
    values: dict[str, Any] = {
        "n": loot.number,
        "journal": here.file,
        "title": loot_words(loot.of_parts(parts), here.system),
        "to": "each" if loot.reward.for_each else first.name,
        "adds": adds,
        "was": had(first, adds),
    }
    if loot.reward.award:
        amount, _, unit = adds[AWARD].partition(" ")
        values |= {"amount": int(amount), **({"unit": unit} if unit else {})}
    else:
        said = list[str]()
        if not only_in_reach(store, said.append, folder)(first.name, store.path_of(first.file)):
            raise FileError("; ".join(said), code="outside")
        values |= {"file": first.file, "source": here.origin(loot), "parts": parts}
    intent = Intent("take", "", tuple(one.name for one in fighters), values)
    return perform_and_record(desk, desk.campaigns.require_story_session(), intent, AUTOMATIC)
