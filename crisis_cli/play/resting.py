"""Rest between the fights of a campaign: the nights that pass, who can rest, and what each night gives back."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ..engine.events import plain, record_of
from ..engine.perform import perform
from ..engine.rest import healed_by
from ..engine.scene import Fighter, Intent, Scene, slug
from ..engine.system import System
from ..errors import CrisisError, FileError, Refused, TooWide, Usage
from ..render.next_steps import RestRisk
from ..sheets.files import REMEDIES, UNCHANGED
from ..systems import load
from ..values import NamedTuple
from .answers import Player
from .attacking import Planned
from .desk import Desk
from .dice import AUTOMATIC, KEPT, Dice, Keep
from .party import gathered
from .perform import MAX_ATTEMPTS, moved_on, perform_and_record
from .results import Result
from .session import Session
from .wording import intent_options

if TYPE_CHECKING:
    from ..engine.action_odds import Ways
    from ..sheets.campaign import Campaign

MOST_DAYS, MOST_HOURS = 100, 23
"""Most days of one rest, and most hours of one that is no day."""
HOUSE_RULE = "or write a rule for rest: [rest] in campaign.toml (crisis-campaign(7))"


class Downtime(NamedTuple):
    """A rest between fights as it is asked for."""

    who: tuple[str, ...] = ()
    """The sheets of those who rest; empty for the party, of whom those who cannot rest are left out."""
    days: int = 0
    """How many days pass, each with a night; 0 for one day, or for hours."""
    hours: int = 0
    """How many hours pass within a day; 0 for whole days."""
    why: str = ""
    options: Mapping[str, Any] = {}
    """The words of the rules: `mod`, and those of the system."""


def rest(
    desk: Desk,
    asked: Downtime,
    dice: Dice,
    keep: Keep = KEPT,
    player: Player | None = None,
    watch: Callable[[Result], None] = lambda done: None,
) -> list[Result]:
    """Rest: each night, or some hours, recorded in the story of the campaign; of a dry run the first night alone.

    `watch` is called with each night as it is recorded. Refused without a campaign, while a crisis is open, and where
    nobody can rest.
    """
    campaign, length = _length(desk, asked, dice)
    done, nights = list[Result](), 1 if keep.is_dry else asked.days or 1
    for night in range(nights):
        try:
            done.append(_pass_night(desk, campaign, asked, length, dice, keep, player))
            watch(done[-1])
        except CrisisError as error:
            recorded = night + (error.code == "recorded" or "recorded" in error.about)
            if recorded and nights > 1:
                raise _cut_short(error, asked.who, recorded, nights) from None
            raise
    return done


def rests(desk: Desk, asked: Downtime, dice: Dice) -> Iterator[Planned]:
    """What each fighter would do in a whole rest, each alone in a session, to be weighed and not performed.

    Refused as for `rest`, and where nobody heals by it.
    """
    campaign, length = _length(desk, asked, dice)
    session = story_session(desk, campaign)
    house = campaign.rest if not asked.hours else None
    if house is None and not session.system.rest.action:
        raise Refused(
            f"{session.system.name} heals nobody by rest",
            hint=f"treat the wounded: crisis tend WHO; {HOUSE_RULE}",
            code="no_odds",
        )
    if house is not None:
        length = length.plus(house=dict(house))
    for fighter in gathered(desk, campaign, asked.who):
        scene = Scene(session.system.name, {fighter.name: fighter})
        alone = Session(session.system, scene, store=session.store)
        yield Planned(alone, length._replace(targets=(fighter.name,)))


def dying(desk: Desk, asked: Downtime) -> list[str]:
    """The names of those who would rest and are dying."""
    desk.journals.require_ended("rest")
    system, fighters = (
        load(desk.campaigns.campaign().system),
        gathered(desk, desk.campaigns.campaign(), asked.who),
    )
    return [one.name for one in fighters if system.fallen(one) == "dying"]


def risk(desk: Desk, asked: Downtime) -> RestRisk:
    """How likely those die who rest, and with which words of the rules less likely."""
    safer: dict[str, Ways] = {}
    deaths, options = _deaths(desk, asked), load(desk.campaigns.campaign().system).command_options
    option = next((one for one in options if "rest" in one.verbs and one.values), None)
    if option is None:
        return RestRisk(deaths, "", safer)
    for worst, (ways, total) in [*deaths.items()][:1]:
        for value in option.values:
            other = asked._replace(options={**asked.options, option.key: value})
            less, of = _deaths(desk, other).get(worst, (0, 1))
            if less * total < ways * of:
                safer[value] = (less, of)
    return RestRisk(deaths, f"--{option.name}", safer)


def _deaths(desk: Desk, asked: Downtime) -> dict[str, Ways]:
    """How likely each dies who rests and can die of it, the likeliest first; who cannot rest is left out."""
    from .weighing import chances

    deaths: dict[str, Ways] = {}
    for planned in rests(desk, asked, AUTOMATIC):
        (who,) = planned.intent.targets
        with suppress(Refused, TooWide):
            levels = chances(desk, planned, AUTOMATIC).levels.get(who, {})
            for name, kind in planned.session.system.conditions.items():
                level = levels.get(f"condition:{name}")
                if kind.defeated == "dead" and level and level.begins[0]:
                    deaths[who] = level.begins
    return dict(sorted(deaths.items(), key=lambda death: -death[1][0] / death[1][1]))


def _length(desk: Desk, asked: Downtime, dice: Dice) -> tuple[Campaign, Intent]:
    """The campaign in use, and an intent that says how long the rest is, how it is taken care of, and why."""
    desk.journals.require_ended("rest")
    campaign = desk.campaigns.campaign()
    if asked.days and asked.hours:
        raise Usage("--days and --hours cannot go together", code="conflicting_options")
    if dice.results is not None and asked.days > 1:
        raise Usage("--dice goes with one night", hint="rest a night at a time", code="conflicting_options")
    session = story_session(desk, campaign)
    care = intent_options(asked.options, session, session.system.rest.action)
    if care and campaign.rest is not None and not asked.hours:
        raise Usage(
            f"--{next(iter(care))} goes with the rule of {session.system.name}; this campaign has a rule of its own",
            hint="leave it out, or take [rest] out of campaign.toml",
            code="conflicting_options",
        )
    length = {"hours": asked.hours} if asked.hours else {"days": asked.days or 1}
    more = {key: value for key, value in (("care", care), ("why", asked.why)) if value}
    return campaign, Intent("downtime", "", (), {**length, **more})


def _pass_night(
    desk: Desk,
    campaign: Campaign,
    asked: Downtime,
    length: Intent,
    dice: Dice,
    keep: Keep,
    player: Player | None,
) -> Result:
    """Record one night, or some hours."""
    if not asked.hours:
        length = length.plus(days=1)

    def night(session: Session) -> Intent:
        fighters = gathered(desk, campaign, asked.who)
        intent = _night(campaign, session, length, asked.hours, fighters)
        able = tuple(_able(desk, session, fighters, intent, bool(asked.who)))
        if not able:
            raise nobody_rests(any(session.system.fallen(one) == "dying" for one in fighters))
        return intent._replace(targets=able)

    return record_in_story(desk, campaign, night, dice, keep, player)


def record_in_story(
    desk: Desk,
    campaign: Campaign,
    intent_of: Callable[[Session], Intent],
    dice: Dice,
    keep: Keep,
    player: Player | None,
) -> Result:
    """Record what happens between fights, given what makes its intent from the session of the story. If another program
    has changed the story meanwhile, the intent is made anew, by the sheets as they are then, unless real dice were
    rolled."""
    attempts = 0
    while True:
        session = story_session(desk, campaign)
        try:
            return perform_and_record(desk, session, intent_of(session), dice, keep, player)
        except FileError as error:
            attempts += 1
            if attempts == MAX_ATTEMPTS:
                raise
            moved_on(desk, session, dice, error)


def _cut_short(error: CrisisError, who: tuple[str, ...], recorded: int, nights: int) -> CrisisError:
    """The error that ended a rest of several nights, with what stands of it and how to rest for the others."""
    left = nights - recorded
    again = shlex.join(("crisis", "rest", *who, "--days", str(left)))
    remedy = REMEDIES.get(error.code, "") if error.hint.startswith(UNCHANGED) else error.hint
    _, is_said, failure = error.message.partition(", but ")
    if not (is_said and (error.code == "recorded" or "recorded" in error.about)):
        # It does not say itself that the last night is recorded.
        failure = error.message
    error.message = (
        f"{recorded} of {nights} nights {'is' if recorded == 1 else 'are'} recorded, but {failure}"
    )
    error.hint = "; ".join(filter(None, (remedy, f"the nights that are left: {again}" if left else "")))
    error.about["recorded"] = True
    return error


def story_session(desk: Desk, campaign: Campaign) -> Session:
    """The session of the story; Usage with a journal of its own, Refused where the story is of another system."""
    session = desk.campaigns.require_story_session()
    if session.system.name != campaign.system:
        raise Refused(
            f"the story of this campaign is one of {session.system.name}, not of {campaign.system}",
            hint="set the system in campaign.toml back, or begin another campaign",
            code="other_system",
        )
    return session


def _night(
    campaign: Campaign, session: Session, length: Intent, hours: int, fighters: Sequence[Fighter]
) -> Intent:
    """The intent of one night, or of some hours, of these fighters."""
    house = campaign.rest if not hours else None
    by = healed_by(session.system, house)
    plural = "" if hours == 1 else "s"
    words = {
        "value": f"{hours} hour{plural}" if hours else "a night",
        "title": f"{hours} hour{plural} pass{'' if plural else 'es'}" if hours else "A day passes",
        "by": "time" if not by else "house" if house is not None else "",
        "fighters": [plain(record_of(one)) for one in fighters],
    }
    ends = [
        name
        for name, condition in session.system.conditions.items()
        if condition.is_brief and any(one.has(name) for one in fighters)
    ]
    return length.plus(
        **words, **({"house": dict(house)} if house is not None else {}), **({"ends": ends} if ends else {})
    )


def _able(
    desk: Desk, session: Session, fighters: Sequence[Fighter], intent: Intent, is_named: bool
) -> Iterator[str]:
    """The fighters who can rest, one after the other; where the party rests, those who cannot are left out with a
    warning."""
    from ..dice.generator import Seeded, generator
    from ..dice.table import Table

    for one in fighters:
        alone = intent._replace(targets=(one.name,))
        try:
            # Tried only for what the rules refuse; the dice of the rest itself are rolled later.
            perform(session.system, session.scene, alone, Table(Seeded(generator(0).random)))
        except CrisisError as error:
            way = treating(session.system, one)
            if is_named:
                error.hint = way or error.hint
                raise
            said = f"{one.name} does not rest: {error.message}"
            desk.warn("; ".join(filter(None, (said, way))), "cannot_rest")
            continue
        if way := treating(session.system, one):
            desk.warn(f"{one.name} is dying, and no rest helps; {way}", "cannot_rest")
        yield one.name


def treating(system: System, one: Fighter) -> str:
    """The line that treats a fighter who is dying; empty for any other."""
    return f"to treat them: crisis tend {slug(one.name)}" if system.fallen(one) == "dying" else ""


def nobody_rests(has_dying: bool = False) -> Refused:
    """The refusal where nobody can rest; some may be dying."""
    return Refused(
        "nobody can rest",
        hint=f"{'treat the dying: crisis tend; or ' * has_dying}name others: crisis rest WHO…",
        code="nobody_can_act",
    )
