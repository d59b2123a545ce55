"""What to do now, between fights: the lines that a player may want to type, each given what speaks for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice, takewhile
from math import ceil
from typing import TYPE_CHECKING

from ..engine.scene import slug
from ..errors import CrisisError, Refused
from ..render.messages import listed
from ..render.next_steps import NextStep, why_rest
from ..systems import load
from .desk import Desk
from .dice import AUTOMATIC
from .party import gathered, others_who_can_act, standing

if TYPE_CHECKING:
    from ..engine.journal import Crisis
    from .tending import Care

MOST_STEPS = 5
LONGEST_REST = 14
"""Most days of a rest that is proposed."""
HELPS = ("tend", "rest", "character")
"""First words of the lines that help those who are out of the fight."""
GOES_ON = ("play", "encounter", "chronicle")
"""First words of the lines that end every list of a campaign."""
AFTERMATH = NextStep(("tables", "aftermath"), "what the fight leaves behind")
YES_OR_NO = "am are can could did do does had has have is may might must shall should was were will would"
"""First words of a question that is answered with yes or no."""


def next_steps(desk: Desk, ended: Crisis | None = None, archive: str = "") -> list[NextStep]:
    """What to do now in the campaign in use, or without one after a crisis that has ended, whose journal is shown as
    `archive`: five lines at most, the most urgent first. Nothing while a crisis is open; what cannot be worked out is
    left out."""
    if desk.journals.active() is not None:
        return []
    if desk.places.story_folder is None:
        return [*_after_fight(ended, archive)] if ended is not None and archive else []
    # What is wrong with sheets and journals is said by the commands that need them.
    quiet = desk._replace(warn=lambda *said: None)
    steps = list[NextStep]()
    for source in (_care, _take, _rest, _treatment_of_worst, _story):
        # What cannot be worked out ends the steps of its source, not those before it.
        with suppress(CrisisError):
            for step in source(quiet):
                steps.append(step)
    # What no care and no time heal.
    if not any(step.words[0] in HELPS for step in steps):
        with suppress(CrisisError):
            steps = [*_clean_sheet(quiet), *steps]
    last = [step for step in steps if step.words[0] in GOES_ON]
    urgent = [step for step in steps if step not in last]
    return [*urgent[: MOST_STEPS - len(last)], *last]


def _care(desk: Desk) -> Iterator[NextStep]:
    """Care for the dying, the bleeding and those who are down; by somebody else, where nobody of the party can give
    it."""
    from .tending import Care

    try:
        yield _treatment(desk, Care())
    except Refused as refusal:
        if refusal.code != "nobody_can_act":
            raise
        campaign = desk.campaigns.campaign()
        by = next(others_who_can_act(desk, campaign), "")
        if by:
            yield _treatment(desk, Care(by=by), "--by", by)
        else:
            line = ("character", "new", "helper", "--like", campaign.party[0])
            yield NextStep(line, f"{refusal.message}; then: tend --by helper")


def _clean_sheet(desk: Desk) -> Iterator[NextStep]:
    """A clean sheet for the first of a party who is out of the fight, and for the first who is wounded."""
    from ..engine.life import is_hurt

    campaign = desk.campaigns.campaign()
    system = load(campaign.system)
    states: dict[str, NextStep] = {}
    for word, one in zip(campaign.party, gathered(desk, campaign), strict=False):
        state = system.fallen(one) or ("wounded" if is_hurt(system, one) else "")
        why = f"{one.name} is {state}; a clean sheet"
        why += ", or [rest] in campaign.toml: nothing else heals" if state == "wounded" else ""
        states.setdefault(state, NextStep(("character", "reset", word), why))
    states.pop("", None)
    yield from states.values()


def _treatment(desk: Desk, care: Care, *words: str) -> NextStep:
    """The line for a treatment, with the words that stand behind `tend`, and how likely it helps."""
    from ..render.care import first_words
    from .tending import prospect

    return NextStep(("tend", *words), first_words(prospect(desk, care, is_brief=True)))


def _take(desk: Desk) -> Iterator[NextStep]:
    """What the last fight left and nobody has taken yet."""
    from .taking import not_taken

    if left := not_taken(desk):
        yield NextStep(("take",), left)


def _rest(desk: Desk) -> Iterator[NextStep]:
    """A rest until half of the hurt are whole on average, or for two weeks, with how likely it kills."""
    from ..engine.life import is_life, losses
    from .resting import Downtime, rests, risk
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
        length = min(sorted(days.values())[(len(days) - 1) // 2], LONGEST_REST)
        many = ("--days", str(length)) if length > 1 else ()
        yield NextStep(("rest", *many), why_rest(length, days, risk(desk, Downtime(days=length))))


def _treatment_of_worst(desk: Desk) -> Iterator[NextStep]:
    """A treatment of the one of the party who has lost most life of those who need no care; where rest heals, only if
    nobody needs it."""
    from ..engine.conditions import needing_care
    from ..engine.life import share_left
    from .tending import Care

    campaign = desk.campaigns.campaign()
    system = load(campaign.system)
    party = [one for one in gathered(desk, campaign) if system.fallen(one) != "dead"]
    able = [one for one in party if not needing_care(system.conditions, one)]
    if system.rest.action and len(able) < len(party):
        return
    worst = min(able, key=lambda one: share_left(system, one), default=None)
    if worst is not None and share_left(system, worst) < 1:
        who = slug(worst.name)
        yield _treatment(desk, Care((who,)), who)


def _story(desk: Desk) -> Iterator[NextStep]:
    """The oldest open thread that is a question of yes or no, put to the oracle; what a fight leaves behind, until a
    table is rolled on; the next fight; and the story so far.

    The next fight is the first encounter of the system that the campaign has not played yet, or else the first of all;
    where nobody of the party can fight, one of others.
    """
    from ..sheets.files import file_stem
    from ..sheets.store import values_in

    session, now = standing(desk)
    for thread in now.threads:
        first, *rest = thread.text.split()
        if thread.is_open and rest and first.lower() in YES_OR_NO.split():
            yield NextStep(("oracle", thread.text), "a thread that is open")
            break
    done = session.crisis.done if session.crisis else ()
    since = takewhile(lambda entry: entry.intent.action != "fight", reversed(done))
    if now.fights and not any(entry.intent.action == "tables" for entry in since):
        yield AFTERMATH
    others = others_who_can_act(desk, desk.campaigns.campaign())
    is_able = not now.party or any(not session.system.fallen(one) for one in now.party)
    who = [] if is_able else [*islice(others, 1)]
    if is_able or who:
        files = [path for _, path in desk.shelves.encounters().files()]
        titles = {
            file_stem(path).casefold(): values.get("name", file_stem(path))
            for path, values in zip(files, map(values_in, files), strict=True)
            if values.get("system") == session.system.name
        }
        new, *more = [name for name in titles if name not in now.played] or [""]
        if titles:
            name = new or next(iter(titles))
            why = "not played yet" if new else "all are played; again"
            also = f"; also {listed(more)}" if more else ""
            yield NextStep(("play", name, *who), f"{why}: {titles[name]}{also}")
    if done:
        yield NextStep(("chronicle",), "the story so far")


def _after_fight(crisis: Crisis, archive: str) -> Iterator[NextStep]:
    """What to do after a fight outside a campaign."""
    yield AFTERMATH
    yield NextStep(("log", "--recap", archive), "luck, harm and what decided it")
    try:
        again = play_again(crisis)
    except CrisisError:
        return
    yield NextStep(("play", *again), "the same fight again")


def play_again(crisis: Crisis) -> list[str]:
    """The words that begin a fight again: its encounter, with who plays it if not its party, or the sheets."""
    from ..story.command_line import sheet_words

    fighters, encounter = tuple(crisis.start.fighters.values()), crisis.start.encounter
    if encounter is None:
        return sheet_words(fighters)
    who = sheet_words([one for one in fighters if one.player])
    return [encounter.file, *(who if (*who,) != encounter.party else ())]
