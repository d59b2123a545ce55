"""Care between the fights of a campaign: who needs it, who gives it best, and the rounds in which it is given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ..dice.effort import BUDGET
from ..engine.action_odds import ActionOdds, Ways, action_odds
from ..engine.care import CareProspect, healer_of, needs_of, small_crisis, treatments_of
from ..engine.conditions import needing_care
from ..engine.events import apply_all, plain, record_of
from ..engine.life import is_hurt, losses
from ..engine.record import Entry
from ..engine.scene import Fighter, Intent, Scene, slug
from ..engine.system import System
from ..engine.turns import Clock
from ..engine.validate import prepare
from ..errors import CrisisError, Refused, TooWide
from ..render.messages import listed
from ..sheets.fighters import lasting, stated
from ..sheets.find_fighters import find_name, is_present, sheet_word
from ..values import NamedTuple
from .answers import Player
from .attacking import Planned
from .desk import Desk
from .dice import KEPT, Dice, Keep
from .naming import find_item
from .party import gathered, others_who_can_act
from .resting import HOUSE_RULE, record_in_story, story_session
from .results import Result
from .session import Session
from .table import decision_policy
from .wording import intent_options

if TYPE_CHECKING:
    from ..dice.distribution import OddsTable
    from ..sheets.campaign import Campaign

MOST_TRIES = 1000
"""Most treatments of one care."""
MOST_TRIES_A_ROUND = 9
TREAT_NOW = "treat somebody now: crisis heal WHO"
WHOLE = 4 * BUDGET
"""Estimated nanoseconds of work that the odds of a whole care may take, turn order and all."""
BRIEF = BUDGET / 5
"""Estimated nanoseconds of work that the odds of a first treatment may take, where it is only proposed."""


class Care(NamedTuple):
    """Care between fights as it is asked for."""

    who: tuple[str, ...] = ()
    """The sheets of the patients; empty for all of the party who need care."""
    by: str = ""
    """The sheet of the healer; empty for the best one."""
    tries: int = 0
    """After how many treatments it is over; 0: once nobody is in need, or nobody can help."""
    item: str = ""
    why: str = ""
    options: Mapping[str, Any] = {}
    """The words of the rules: `mod`, and those of the system."""


def prospect(desk: Desk, asked: Care, is_brief: bool = False) -> CareProspect:
    """What `tend` is about to do, with the odds of the whole unless it `is_brief`.

    Refused without a campaign, while a crisis is open, where nobody needs care, and where nobody can give it.
    """
    from ..dice.distribution import OddsTable
    from ..engine.care_odds import care_odds
    from ..engine.ranking import odds_table_for

    desk.journals.require_ended("tend", TREAT_NOW)
    campaign = desk.campaigns.campaign()
    intent, session = _planned(desk, campaign, story_session(desk, campaign), asked)
    system, scene, odds_table = session.system, session.scene, odds_table_for(decision_policy(desk, session))
    patients = tuple(scene.fighters[name] for name in needs_of(intent))
    treatment = treatments_of(intent, patients[0].name)[0]
    odds: ActionOdds | None = None
    first: Ways | None = None
    ends: Mapping[str, Ways] = {}
    with suppress(TooWide, Refused):
        odds = action_odds(system, scene, treatment, odds_table)
    with suppress(TooWide, Refused):
        limited = OddsTable(odds_table.policy, limit=BRIEF if is_brief else WHOLE)
        first, ends = care_odds(system, scene, intent, limited, is_whole=not is_brief)
    tries = _tries_a_round(system, small_crisis(scene, intent), treatment)
    supplies = () if is_brief else tuple(_supplies(system, scene, treatment, odds_table))
    chance = first if odds and odds.success else None
    return CareProspect(system, intent, patients, chance, tries, ends, supplies)


def _supplies(
    system: System, scene: Scene, treatment: Intent, odds_table: OddsTable
) -> Iterator[Mapping[str, int]]:
    """What treatments may use up of the healer's things, one thing after the other; last nothing, if they go on
    without."""
    healer = scene.fighters[treatment.actor]
    with suppress(TooWide, Refused):
        while True:
            alone = scene._replace(fighters={**scene.fighters, healer.name: healer})
            spent = action_odds(system, alone, treatment, odds_table).effects.get(healer.name, {})
            used = {pool: healer.pools[pool] for pool in spent if ":" in pool and healer.pools.get(pool)}
            yield used
            if not used:
                return
            healer = healer._replace(pools={**healer.pools, **dict.fromkeys(used, 0)})


def one_treatment(desk: Desk, planned: Planned) -> Care | None:
    """A treatment among sheets that the campaign in use writes, as care with one try; None for any other one-off."""
    system, fighters, intent = planned.session.system, planned.session.scene.fighters, planned.intent
    sheets = desk.shelves.sheets()
    if (
        intent.action != "heal"
        or system.name != desk.campaigns.campaign().system
        or desk.overrides
        or not all(one.file and sheets.is_writable(sheets.path_of(one.file)) for one in fighters.values())
    ):
        return None
    options = dict(intent.options)
    why = options.pop("why", "")
    # Who cannot act was named as the patient alone.
    by = "" if system.idle(fighters[intent.actor])[0] else fighters[intent.actor].file
    return Care((fighters[intent.patient].file,), by, 1, why=why, options=options)


def tend(
    desk: Desk,
    asked: Care,
    dice: Dice,
    keep: Keep = KEPT,
    player: Player | None = None,
    watch: Callable[[Result], None] = lambda done: None,
) -> list[Result]:
    """Treat those who need care, round by round, each recorded in the story of the campaign with the sheets; of a dry
    run, and with given dice, one round.

    `watch` is called with each round as it is recorded. Refused as for `prospect`.
    """
    desk.journals.require_ended("tend", TREAT_NOW)
    campaign, done = desk.campaigns.campaign(), list[Result]()

    def next_round(session: Session) -> Intent:
        tried = sum(len(result.entry.outcome["tries"]) for result in done)
        return _planned(desk, campaign, session, asked._replace(tries=max(0, asked.tries - tried)))[0]

    while True:
        done.append(record_in_story(desk, campaign, next_round, dice, keep, player))
        watch(done[-1])
        if keep.is_dry or dice.results is not None or "goes_on" not in done[-1].entry.outcome:
            return done


def _planned(desk: Desk, campaign: Campaign, session: Session, asked: Care) -> tuple[Intent, Session]:
    """The intent of the next round of care, and the session with the scene of those who may take part in it."""
    assert session.crisis is not None
    party = gathered(desk, campaign) if campaign.party or not (asked.who and asked.by) else []
    scene = Scene(session.system.name, {one.name: one for one in party})
    scene, named = _with_sheets(desk, campaign, scene, asked.who)
    scene, healers = _with_sheets(desk, campaign, scene, filter(None, (asked.by,)))
    limit = {"tries": asked.tries} if asked.tries else {}
    last = session.crisis.done[-1] if session.crisis.done else None
    if last is not None and _goes_on(session, last, scene, named, healers):
        # What was asked for and said before holds as far as nothing else is.
        again = {key: value for key, value in last.intent.options.items() if key != "tries"}
        again["fighters"] = _records(session.scene, last.intent.targets)
        again["goes_on"] = last.outcome["goes_on"]
        return last.intent._replace(options={**again, **limit}), session
    session = session._replace(scene=scene)
    item = {"item": asked.item} if asked.item else {}
    heal = intent_options({**asked.options, **item}, session, "heal")
    needs, how, by = _matched(desk, session, named, healers, heal)
    if "item" in heal:
        heal["item"] = find_item(session, by, session.system.actions["heal"].gear, heal["item"])
    targets = (*needs, *(() if by in needs else (by,)))
    values = {
        "title": f"{by} treats {listed([*needs])}",
        "by": by,
        "needs": needs,
        "heal": heal,
        **({"how": how} if how else {}),
        "fighters": _records(scene, targets),
        **limit,
        **({"why": asked.why} if asked.why else {}),
    }
    return Intent("care", "", targets, values), session


def _records(scene: Scene, names: Iterable[str]) -> list[Any]:
    return [plain(record_of(scene.fighters[name])) for name in names]


def _with_sheets(
    desk: Desk, campaign: Campaign, scene: Scene, words: Iterable[str]
) -> tuple[Scene, list[str]]:
    """The scene with the fighters that words name, who may be in it already, and their names."""

    names: list[str] = []
    for word in words:
        if is_present(scene, word):
            names.append(find_name(scene, word))
        else:
            others = {one.name: one for one in gathered(desk, campaign, (word,))}
            scene = scene._replace(fighters={**scene.fighters, **others})
            names += others
    return scene, list(dict.fromkeys(names))


def _goes_on(
    session: Session, last: Entry, scene: Scene, named: Sequence[str], healers: Sequence[str]
) -> bool:
    """Whether the care of the last entry of the story is not over, and is what is asked for now: nobody else is named,
    and the sheets say what it has left."""
    if last.intent.action != "care" or "goes_on" not in last.outcome:
        return False

    def sheets(fighters: Mapping[str, Fighter]) -> list[dict[str, Any]]:
        here = (fighters[name] for name in last.intent.targets if name in fighters)
        return [stated(session.system, one.sheet, lasting(session.system, one)) for one in here]

    return (
        {*named} <= {*needs_of(last.intent)}
        and {*healers} <= {healer_of(last.intent)}
        and sheets(scene.fighters) == sheets(session.scene.fighters)
    )


def _matched(
    desk: Desk, session: Session, named: Sequence[str], healers: Sequence[str], options: Mapping[str, Any]
) -> tuple[Mapping[str, list[str]], Mapping[str, Mapping[str, Any]], str]:
    """The patients, worst first, each with the conditions that are to end; those who are treated with options of their
    own, with these; and the healer with the best chance for the first of them who can be helped. Refused where nobody
    needs care, or nobody can give it."""
    from ..engine.ranking import odds_table_for

    system, scene, fighters = session.system, session.scene, session.scene.fighters
    odds_table = odds_table_for(decision_policy(desk, session))
    fallen = {name: system.fallen(fighters[name]) for name in named or fighters}
    down = [name for name, state in fallen.items() if state in ("dying", "down")]
    able = [name for name in healers or fighters if not system.idle(fighters[name])[0]]
    if not able and (named or down):
        raise _nobody_can_act(desk, system, scene, named or down, healers)
    ranks = ("dying", "down", "")
    hurt = sorted(
        (fighters[name] for name, state in fallen.items() if state != "dead"),
        key=lambda one: (ranks.index(fallen[one.name]), -sum(lost for lost, _ in losses(system, one))),
    )
    needs: dict[str, list[str]] = {}
    how: dict[str, Mapping[str, Any]] = {}
    healer, refusals = list[str](), list[CrisisError]()
    for patient in hurt:
        urgent = needing_care(system.conditions, patient)
        if not (named or urgent):
            continue
        helpful: list[tuple[float, list[str], Intent]] = []
        for by in healer or able:
            usual = Intent("heal", by, (patient.name,), options)
            for treatment in (usual, *(_proposed(system, scene, usual) if urgent else ())):
                odds = None
                try:
                    odds = action_odds(system, scene, treatment, odds_table)
                except TooWide:
                    pass
                except CrisisError as refusal:
                    refusals.append(refusal)
                    continue
                levels = odds.levels.get(patient.name, {}) if odds else {}
                ends = [
                    name for name in urgent if (level := levels.get(f"condition:{name}")) and level.ends[0]
                ]
                if odds and not (ends or _is_helped(system, patient, odds)):
                    message = f"no treatment helps {patient.name} now"
                    refusals.append(Refused(message, code="nobody_needs_care"))
                elif ends or named:
                    ways, total = (odds and odds.success) or (1, 1)
                    helpful.append((ways / total, ends, treatment))
                if ends:
                    break
        if helpful:
            _, needs[patient.name], chosen = max(helpful, key=lambda one: (bool(one[1]), one[0]))
            healer = [chosen.actor]
            if own := {key: value for key, value in chosen.options.items() if key not in options}:
                how[patient.name] = own
    if not needs:
        heals = system.rest.action or desk.campaigns.campaign().rest is not None
        time = "let time pass: crisis rest" if heals else ""
        if not (refusals and (named or down)):
            raise _nobody_in_need(system, scene, fallen, down, time)
        is_unhelped = refusals[0].code in ("wrong_item", "nobody_needs_care") and not options.get("item")
        if is_unhelped and is_hurt(system, hurt[0]):
            clean = f"a clean sheet: crisis character reset {sheet_word(hurt[0])}; {HOUSE_RULE}"
            refusals[0].hint = "; ".join(filter(None, (refusals[0].hint, time or clean)))
        raise refusals[0]
    return needs, how, healer[0]


def _proposed(system: System, scene: Scene, usual: Intent) -> Iterator[Intent]:
    """A treatment with those options that the rules propose for its patient beside its own."""
    candidates = system.actions["heal"].ai.candidates
    for one in candidates(scene, usual.actor) if candidates else ():
        if one.targets == usual.targets and one.options and not one.options.keys() & usual.options.keys():
            yield one.plus(**usual.options)


def _tries_a_round(system: System, scene: Scene, treatment: Intent) -> int:
    """How many treatments a healer can pay for in one turn, in a crisis that is about to begin."""
    from ..dice.generator import Seeded, generator
    from ..dice.table import Table

    clock = Clock(system, scene, Intent("init"), Table(Seeded(generator(0).random)))
    clock.open(())
    clock.begin((treatment.actor,))
    scene = clock.scene
    for tries in range(MOST_TRIES_A_ROUND):
        try:
            scene = apply_all(scene, prepare(system, scene, treatment).payment.events)
        except CrisisError:
            return tries
    return MOST_TRIES_A_ROUND


def _is_helped(system: System, patient: Fighter, odds: ActionOdds) -> bool:
    """Whether a treatment may change what a patient has; what lasts no longer than a fight helps only the hurt."""
    changed = [system.pools[pool.partition(":")[0]] for pool in odds.effects.get(patient.name, {})]
    gains = [pool for pool in changed if not (pool.gear or pool.spent)]
    return any(not pool.not_vital for pool in gains) or (bool(gains) and is_hurt(system, patient))


def _nobody_can_act(
    desk: Desk, system: System, scene: Scene, patients: Sequence[str], healers: Sequence[str]
) -> Refused:
    """The error where nobody can treat the patients, with who else could."""
    by = next(others_who_can_act(desk, desk.campaigns.campaign()), "")
    made = (
        "" if by else f"crisis character new helper --like {sheet_word(scene.fighters[patients[0]])}; then: "
    )
    state, rule = system.idle(scene.fighters[healers[0]]) if healers else ("", "")
    who = f"{healers[0]} is {state} and cannot" if state else "nobody of the party can"
    return Refused(
        f"{who} treat {listed(patients)}",
        hint=f"somebody else can: {made}crisis tend --by {by or 'helper'}",
        code="nobody_can_act",
        rule=rule,
    )


def _nobody_in_need(
    system: System, scene: Scene, fallen: Mapping[str, str], down: Sequence[str], time: str
) -> Refused:
    """The error where no treatment helps: who is beyond help by which rule, or else who is wounded, and whether `time`
    helps."""
    dead = [name for name, state in fallen.items() if state == "dead"]
    hurt = [
        slug(name)
        for name, one in scene.fighters.items()
        if is_hurt(system, one) and name not in (*down, *dead)
    ]
    if dead and not (down or hurt):
        rule = next(kind.rule for kind in system.conditions.values() if kind.defeated == "dead")
        return Refused(
            f"{listed(dead)} {'is' if len(dead) == 1 else 'are'} dead, and no care helps ({rule})",
            hint=f"a clean sheet: crisis character reset {sheet_word(scene.fighters[dead[0]])}",
            code="already_dead",
            rule=rule,
        )
    treat = f"to treat the wounded, name them: crisis tend {' '.join(hurt)}"
    return Refused(
        f"{listed(down)} {'is' if len(down) == 1 else 'are'} down, and no treatment changes that"
        if down
        else "nobody is dying, bleeding or down",
        hint="; or ".join(filter(None, (treat, time))) if hurt else "",
        code="nobody_needs_care",
    )
