"""How a campaign stands: its day, its fights, threads and awards, folded from its story and its journals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any

from ..engine.events import apply_all
from ..engine.journal import Crisis
from ..engine.life import is_hurt
from ..engine.record import Entry
from ..engine.scene import Fighter
from ..engine.sides import sides_of
from ..engine.sides import standing as upright
from ..engine.system import System
from ..render.jsontext import VERSION
from ..render.messages import listed
from ..render.style import Ink
from ..sheets.campaign import Campaign
from ..sheets.story_file import fight_journal
from ..systems import load
from ..values import NamedTuple
from .recap import recap
from .recap_text import turning_told
from .spoils import Find, Spoils, finds_of, last_spoils
from .walk import died, state, steps, title

Warn = Callable[[str], None]
MOST_LINES = 6
"""Most lines of what happened before."""


class CampaignFight(NamedTuple):
    """A fight of a campaign, or the care between two of them."""

    number: int
    """Its number; 0 for care that the story records."""
    name: str
    file: str
    """The name of its journal; empty for care that the story records."""
    winner: str
    """The side that held the field; empty where none did, or more than one."""
    rounds: int
    day: int


class Thread(NamedTuple):
    """A question that a note has raised."""

    number: int
    text: str
    is_open: bool


Awards = dict[str, dict[str, int]]
"""What has been awarded: by name and unit, which is empty where none was named."""


class Standing(NamedTuple):
    """How a campaign stands."""

    name: str
    day: int
    tension: int
    party: Sequence[Fighter]
    fights: Sequence[CampaignFight]
    care: Sequence[CampaignFight]
    threads: Sequence[Thread]
    awards: Awards
    open_crisis: Crisis | None
    finds: Sequence[Find] = ()
    """What was taken of what the fights left."""
    spoils: Spoils | None = None
    """What the last fight left; None before any, and where its journal cannot be read."""
    played: frozenset[str] = frozenset()
    """The files of the encounters that its fights were."""


def entries_and_fights(
    campaign: Campaign, story: Crisis, warn: Warn
) -> Iterator[tuple[Entry, Crisis | None]]:
    """Every entry of a story in force, a fight with its crisis; without one where its journal cannot be read, with a
    warning."""
    from ..errors import CrisisError

    for entry in story.done:
        crisis = None
        if entry.intent.action == "fight":
            try:
                crisis = fight_journal(campaign.folder, entry).crisis
            except CrisisError as error:
                warn(f"fight {entry.intent.get('value')} is shown without its journal: {error.message}")
        yield entry, crisis


def threads_and_awards(
    parts: Iterable[tuple[Entry, Crisis | None]], last: Crisis | None
) -> tuple[list[Thread], Awards]:
    """The threads that notes have opened, closed or not, and what notes and things taken have awarded: those of a
    story, of its fights, and of the crisis that is open."""
    entries = [one for entry, crisis in parts for one in (crisis.done if crisis else (entry,))]
    entries += last.done if last else ()
    threads: list[Thread] = []
    awards: Awards = {}
    for intent in (entry.intent for entry in entries if entry.intent.action in ("note", "take")):
        if intent.get("thread"):
            threads.append(Thread(len(threads) + 1, str(intent.get("text")), True))
        elif intent.get("closes"):
            at = next(
                (at for at, one in enumerate(threads) if one.is_open and one.text == intent.get("closes")),
                None,
            )
            if at is not None:
                threads[at] = threads[at]._replace(is_open=False)
        elif intent.get("amount") is not None:
            unit = str(intent.get("unit", ""))
            for who in intent.targets or (str(intent.get("award")),):
                units = awards.setdefault(who, {})
                units[unit] = units.get(unit, 0) + int(intent.get("amount"))
    return threads, awards


def open_threads(campaign: Campaign, story: Crisis | None, last: Crisis | None, warn: Warn) -> list[Thread]:
    """The threads that are open, by the story of a campaign with its fights, and by the crisis that is open."""
    threads, _ = threads_and_awards(entries_and_fights(campaign, story, warn) if story else (), last)
    return [one for one in threads if one.is_open]


def standing(
    campaign: Campaign, story: Crisis, party: Sequence[Fighter], open_crisis: Crisis | None, warn: Warn
) -> Standing:
    """How a campaign stands."""
    parts = list(entries_and_fights(campaign, story, warn))
    threads, awards = threads_and_awards(parts, open_crisis)
    fights, care = _fights_and_care(parts)
    crises = {entry.number: crisis for entry, crisis in parts}
    return Standing(
        campaign.name,
        story.day,
        story.tension,
        party,
        fights,
        care,
        threads,
        awards,
        open_crisis,
        list(finds_of(story.done)),
        last_spoils(story.done, lambda entry: crises[entry.number]),
        frozenset(crisis.start.encounter.file for _, crisis in parts if crisis and crisis.start.encounter),
    )


def is_care(crisis: Crisis) -> bool:
    """Whether no two sides ever stood in a crisis: somebody was treated there, and nobody fought."""
    if len(sides_of(crisis.scene)) < 2:
        return True
    system = load(crisis.scene.system)
    scenes = accumulate((entry.events for entry in crisis.done), apply_all, initial=crisis.start)
    return all(len(upright(system, scene)) < 2 for scene in scenes)


def _fights_and_care(
    parts: Iterable[tuple[Entry, Crisis | None]],
) -> tuple[list[CampaignFight], list[CampaignFight]]:
    """The fights; and the care between them: crises without foes, and rounds of the story, those of one together."""
    fights: list[CampaignFight] = []
    care: list[CampaignFight] = []
    for entry, crisis in parts:
        intent = entry.intent
        if intent.action == "fight":
            (care if crisis and is_care(crisis) else fights).append(fight_of(entry))
        elif intent.action == "care":
            rounds = care.pop().rounds if care and intent.get("goes_on") else 0
            care.append(CampaignFight(0, str(intent.get("title", "")), "", "", rounds + 1, entry.day))
    return fights, care


def fight_of(entry: Entry) -> CampaignFight:
    """The fight that an entry of a story is about."""
    intent = entry.intent
    return CampaignFight(
        int(intent.get("value", 0)),
        str(intent.get("title", "")),
        str(intent.get("file", "")),
        str(intent.get("winner", "")),
        int(intent.get("rounds", 0)),
        entry.day,
    )


def result(fight: CampaignFight) -> str:
    """How a fight ended, in words."""
    won = f"the {fight.winner} win" if fight.winner else "undecided"
    return f"{won} after {rounds_words(fight.rounds)}"


def rounds_words(rounds: int) -> str:
    """A number of rounds: "1 round", "2 rounds"."""
    return f"{rounds} round{'' if rounds == 1 else 's'}"


def record(found: Standing) -> dict[str, Any]:
    """How a campaign stands, as JSON."""
    return {
        "v": VERSION,
        "action": "campaign",
        "name": found.name,
        "day": found.day,
        "tension": found.tension,
        "party": [
            {"name": one.name, "pools": dict(one.pools), "conditions": dict(one.conditions)}
            for one in found.party
        ],
        "fights": [
            {
                "n": one.number,
                "name": one.name,
                "file": one.file,
                "winner": one.winner or None,
                "rounds": one.rounds,
                "day": one.day,
            }
            for one in found.fights
        ],
        "care": [
            {
                "n": one.number or None,
                "name": one.name,
                "file": one.file or None,
                "rounds": one.rounds,
                "day": one.day,
            }
            for one in found.care
        ],
        "threads": [{"n": one.number, "text": one.text, "open": one.is_open} for one in found.threads],
        "awards": {who: sum(units.values()) for who, units in found.awards.items()},
        "units": found.awards,
        "taken": [find._asdict() for find in found.finds],
        "left": found.spoils.records(found.spoils.untaken) if found.spoils else [],
        "open": found.open_crisis is not None,
    }


def lines(found: Standing, system: System, ink: Ink) -> Iterator[str]:
    """How a campaign stands, as lines of text."""
    yield f"{ink('bold', found.name)} · {system.name} · day {found.day} · tension {found.tension}"
    wide = ink.widest(one.name for one in found.party)
    # A fight writes the sheets at its end.
    fighting = found.open_crisis.scene.fighters if found.open_crisis else {}
    if found.party:
        yield ink("bold", "Party")
        party = (fighting.get(one.name, one) for one in found.party)
        yield from (f"  {ink.padded(one.name, wide)}  {state(one, system)}" for one in party)
    if found.fights:
        yield ink("bold", "Fights")
        yield from (f"  {one.number}. {one.name}: {result(one)} (day {one.day})" for one in found.fights)
    if found.care:
        yield ink("bold", "Care")
        yield from (f"  {one.name}: {rounds_words(one.rounds)} (day {one.day})" for one in found.care)
    threads = [one for one in found.threads if one.is_open]
    if threads:
        yield ink("bold", "Open threads")
        yield from (f"  {one.number}. {one.text}" for one in threads)
    if found.awards:
        yield ink("bold", "Awards")
        for who, units in found.awards.items():
            yield f"  {who}: {', '.join(f'{amount} {unit}'.strip() for unit, amount in units.items())}"
    if found.finds:
        yield ink("bold", "Taken")
        for who in dict.fromkeys(name for find in found.finds for name in find.to):
            yield f"  {who}: {'; '.join(find.text for find in found.finds if who in find.to)}"
    if found.open_crisis is not None:
        name, number = title(found.open_crisis), found.open_crisis.scene.round
        yield f"A fight is open, {name}, in round {number}; to go on: {ink.way('play')}"


def previously(
    campaign: Campaign, story: Crisis, party: Sequence[Fighter], ink: Ink, warn: Warn
) -> list[str]:
    """What a player wants to know at the start of an evening, in six lines at most: the outcome of the last fight and
    what decided it, the day, who has died since that fight began, who is still hurt, open threads. Nothing before the
    first fight."""
    parts = list(entries_and_fights(campaign, story, warn))
    last = next(
        ((entry, crisis) for entry, crisis in reversed(parts) if crisis is not None and not is_care(crisis)),
        None,
    )
    if last is None:
        return []
    entry, crisis = last
    fight = fight_of(entry)
    said = [ink("bold", f"Previously in {campaign.name} (day {story.day}):")]
    said.append(f"  {fight.name}: {result(fight)}.")
    system = load(crisis.scene.system)
    said += [f"  {turning_told(turn, crisis.scene, system)}" for turn in recap(crisis, system).turning[:1]]
    known = {*next(iter(sides_of(crisis.scene).values()), ()), *story.scene.fighters}
    known -= {one.name for one in party if system.fallen(one) != "dead"}
    since = (step for step in steps(story) if step.entry.number > entry.number)
    dead = dict.fromkeys(
        name for step in (*steps(crisis), *since) for name in died(step, system) if name in known
    )
    if dead:
        said.append(f"  Dead: {listed([*dead])}.")
    hurt = [one.name for one in party if is_hurt(system, one) and system.fallen(one) != "dead"]
    if hurt:
        said.append(f"  Still hurt: {listed(hurt)}.")
    threads = [one.text for one in threads_and_awards(parts, None)[0] if one.is_open]
    room = MOST_LINES - len(said)
    shown = threads if len(threads) <= room else [*threads[: room - 1], f"and {len(threads) - room + 1} more"]
    return [*said, *(f"  Open: {one}" for one in shown)]
