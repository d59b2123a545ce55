"""What to do now, between fights: the lines that a player may want to type, each given what speaks for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import ceil
from typing import TYPE_CHECKING

from ..errors import CrisisError
from ..render.next_steps import NextStep
from .desk import Desk
from .dice import AUTOMATIC

if TYPE_CHECKING:
    from ..engine.journal import Crisis

MOST_STEPS = 5
LONGEST_REST = 100
"""Most days of one rest."""


def next_steps(desk: Desk, ended: Crisis | None = None, archive: str = "") -> list[NextStep]:
    """What to do now in the campaign in use, or without one after a crisis that has ended, whose journal is shown as
    `archive`: five lines at most, the most urgent first. Nothing while a crisis is open; what cannot be worked out is
    left out."""
    if desk.journals.active() is not None or (
        ended is not None and not desk.places.story_folder and not archive
    ):
        return []
    # What is wrong with sheets and journals is said by the commands that need them.
    quiet = desk._replace(warn=lambda *said: None)
    found: list[NextStep] = []
    if desk.places.story_folder is None:
        return [*_after_fight(ended, archive)] if ended is not None else []
    for source in SOURCES:
        try:
            found += source(quiet)
        except CrisisError:
            continue
    return [*found[: MOST_STEPS - 1], NextStep("chronicle", ("chronicle",))]


def _care(desk: Desk) -> Iterator[NextStep]:
    """Care for the dying, the bleeding and those who are down."""
    from .tending import Care, prospect

    yield NextStep("tend", ("tend",), prospect(desk, Care(), is_brief=True))


def _take(desk: Desk) -> Iterator[NextStep]:
    """What the last fight left and nobody has taken yet."""
    from .taking import not_taken

    if left := not_taken(desk):
        yield NextStep("take", ("take",), things=left)


def _rest(desk: Desk) -> Iterator[NextStep]:
    """A rest until half of the hurt are whole on average, where rules heal them."""
    from ..engine.life import is_life, losses
    from .resting import Downtime, rests
    from .weighing import chances

    days: dict[str, int] = {}
    for planned in rests(desk, Downtime(), AUTOMATIC):
        (who,) = planned.intent.targets
        system, one = planned.session.system, planned.session.scene.fighters[who]
        lost = sum(size for size, _ in losses(system, one))
        if not lost:
            continue
        try:
            odds = chances(desk, planned, AUTOMATIC)
        except CrisisError:
            continue
        healed = sum(
            abs(law.mean()) for pool, law in odds.effects.get(who, {}).items() if is_life(system, one, pool)
        )
        if healed:
            days[who] = ceil(lost / healed)
    if days:
        half = sorted(days.values())[(len(days) - 1) // 2]
        yield NextStep(
            "rest",
            ("rest", *(("--days", str(min(half, LONGEST_REST))) if half > 1 else ())),
            names=[*days],
            days=max(days.values()),
        )


def _thread(desk: Desk) -> Iterator[NextStep]:
    """The oldest thread that is open, put to the oracle."""
    from .party import standing

    threads = standing(desk)[1].threads
    yield from (
        NextStep("thread", ("oracle", one.text)) for one in [one for one in threads if one.is_open][:1]
    )


def _aftermath(desk: Desk) -> Iterator[NextStep]:
    """What a fight leaves behind, as long as nothing has happened since."""
    story = desk.campaigns.story()
    if story is not None and story.crisis.done[-1:] and story.crisis.done[-1].intent.action == "fight":
        yield NextStep("aftermath", ("tables", "aftermath"))


SOURCES: tuple[Callable[[Desk], Iterator[NextStep]], ...] = (_care, _take, _rest, _thread, _aftermath)
"""What gives the steps of a campaign, the most urgent first."""


def _after_fight(crisis: Crisis, archive: str) -> Iterator[NextStep]:
    """What to do after a fight outside a campaign."""
    yield NextStep("aftermath", ("tables", "aftermath"))
    if archive:
        yield NextStep("recap", ("log", "--recap", archive))
    try:
        again = play_again(crisis)
    except CrisisError:
        return
    yield NextStep("again", ("play", *again))


def play_again(crisis: Crisis) -> list[str]:
    """The words that begin a fight again: its encounter, with who plays it if not its party, or the sheets."""
    from ..story.command_line import sheet_words

    fighters, encounter = tuple(crisis.start.fighters.values()), crisis.start.encounter
    if encounter is None:
        return sheet_words(fighters)
    who = sheet_words([one for one in fighters if one.player])
    return [encounter.file, *(who if (*who,) != encounter.party else ())]
