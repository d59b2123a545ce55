"""What holds of every rulebook alike, tried on the sheets that it ships and on those of its casebook."""

from __future__ import annotations

import copy
import json
import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import cache
from itertools import islice
from math import inf, prod
from random import Random
from typing import Any, NamedTuple

import pytest

from .. import systems
from ..dice.distribution import Distribution, OddsTable, least_harm, refuse_all
from ..dice.generator import Seeded, generator
from ..dice.scripted import Scripted
from ..dice.table import Alternative, Table, Throw, first
from ..engine.action_odds import action_odds, effects_of, harm_of
from ..engine.consequences import effects
from ..engine.cost import PAID
from ..engine.declared_types import mistyped
from ..engine.events import SIDE, Event, apply_all, plain, record_of, revert_all
from ..engine.journal import begun, entry_of, entry_record, folded_lines, header, line
from ..engine.kinds import MapOf, OneOf
from ..engine.legal_actions import LegalAction, legal, of
from ..engine.perform import perform
from ..engine.record import Entry
from ..engine.resolve import consequences
from ..engine.rest_odds import rest_odds
from ..engine.scene import BOUGHT, Fighter, Intent, Scene
from ..engine.sides import decided, left
from ..engine.starting import settled
from ..engine.system import READIED, System, nothing
from ..engine.validate import prepare
from ..engine.verify import again, differences
from ..errors import CrisisError, Refused, RulebookMistake, TooWide, WrongDice
from ..render import data
from ..render.jsontext import dumped
from ..sheets.check import read
from ..sheets.fighters import fighter
from ..sheets.store import sheets_in, shipped
from ..simulation.fight import EngineCourse, FightLimits, FightStart, play_fight
from ..simulation.laws import DrawTable, Laws
from ..simulation.steps import RememberedCourse
from ..systems import SYSTEMS, load
from . import many_sides
from .casebook import books, run, sheet
from .endless import Endless

MOST_PATHS = 30_000
"""Where throwing every die takes more paths than this, the distribution is not compared."""
MORE = os.environ.get("CRISIS_FIGHTS", "")
"""Set: look at more of everything; as `40:80`, at the random fights of these seeds."""
MOST_PERFORMED = MOST_PATHS if MORE else 1_500
"""The same for whole actions, which are performed on every path; more of them when more fights are asked for."""
PROBES, HOPELESS = 40, 2
"""Runs of faces thrown to see how many there may be; what is so much too wide is not walked to find that out."""
NARROW, ENDLESS = 400, 5_000
"""Paths of what is performed wherever it is met; of chains of dice that could go on and on."""
ENOUGH = 10 * MOST_PATHS if MORE else 10_000
"""Paths walked for one kind of action, from all over the scenes; more of them when more fights are asked for."""
FIGHTS = range(*map(int, MORE.split(":"))) if ":" in MORE else range(40 if MORE else 12)
"""Seeds of the random fights; more of them when more fights are asked for."""
ROLLS = 2_000
"""How often is rolled what has too many runs of faces, to compare it with its odds."""
ANSWERS = 60
"""About so many outcomes of each of these actions are looked at apart from what they bring to the sides."""
ROUNDS = 200
STEPS = 5_000
EDITS = 100 if MORE else 30
"""Values of a journal that are edited, one by one; more of them when more fights are asked for."""
RESTS, NIGHTS, SLEEPERS = 8, 3, 300
"""Fighters whose rest is compared with its odds, nights of each rest, and how often each is rolled."""
FORECASTS = 150 if MORE else 30
"""About so many different actions are performed on every run of faces, from all over the scenes."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Each test for the system of `--crisis-system`, or for every one that crisis ships."""
    chosen = metafunc.config.getoption("crisis_system", None)
    names = (chosen,) if chosen else tuple(SYSTEMS)
    if "case" in metafunc.fixturenames:
        cases = ((name, case) for name in names for case in books().get(name, {}).get("case", ()))
        found = [pytest.param(*one, id=f"{one[0]}-{at}") for at, one in enumerate(cases, start=1)]
        metafunc.parametrize(("name", "case"), found)
    elif "name" in metafunc.fixturenames:
        metafunc.parametrize("name", names, scope="module")  # what is tried of a system is made once


# ---------------------------------------------------------------- every face, die by die


class TooMany(Exception):
    """There are more paths than anyone wants to walk."""


class EveryFace:
    """Dice that show every run of faces, one run after the other, and how likely each is."""

    def __init__(self) -> None:
        self.run: list[tuple[int, int]] = []
        self.thrown = 0

    def face(self, sides: int, throw: Throw) -> int:
        """The face that this run shows."""
        if self.thrown == len(self.run):
            self.run.append((sides, 1))
        assert self.run[self.thrown][0] == sides, (
            f"the rule throws a d{sides} where it threw a d{self.run[self.thrown][0]} after the same faces: it may "
            "look at nothing but the table and its arguments"
        )
        self.thrown += 1
        return self.run[self.thrown - 1][1]

    @property
    def among(self) -> int:
        """How many runs as likely as this one would make up everything."""
        return prod(sides for sides, _ in self.run)

    def on(self) -> bool:
        """Go on to the next run; False after the last."""
        self.run = self.run[: self.thrown]
        self.thrown = 0
        while self.run:
            sides, face = self.run.pop()
            if face < sides:
                self.run.append((sides, face + 1))
                return True
        return False


def walked(
    does: Callable[[Table], Any], chooser: Any = first, most: int = MOST_PATHS
) -> Iterator[tuple[Any, int]]:
    """What each run of faces comes to, as one of how many; TooMany beyond `most` runs.

    Chains of exploding dice end as their distribution weighs them.
    """
    if supposed(does, chooser) > HOPELESS * most:
        raise TooMany
    dice = EveryFace()
    for _ in range(most):
        yield does(Endless(dice, chooser)), dice.among
        if not dice.on():
            return
    raise TooMany


def supposed(does: Callable[[Table], Any], chooser: Any) -> float:
    """About how many runs of faces there are: on average as many as a run at random is one of (Knuth)."""
    sides: list[int] = []

    class Noted(Seeded):
        def face(self, of: int, throw: Throw) -> int:
            sides[-1] *= of
            return super().face(of, throw)

    for seed in range(PROBES):
        sides.append(1)
        does(Table(Noted(generator(17, seed).random), chooser))
    return sum(sides) / PROBES


def weighed(runs: Iterable[tuple[Any, int]]) -> dict[Any, Fraction]:
    """The chances of all answers."""
    found: dict[Any, Fraction] = {}
    for (answer, among), count in Counter(runs).items():
        found[answer] = found.get(answer, Fraction(0)) + Fraction(count, among)
    return found


class Decider:
    """Someone at the table who decides as a policy does, and knows whether there was anything to decide."""

    def __init__(self, policy: Any):
        self.policy = policy
        self.odds_table = OddsTable(policy)
        self.asked = False

    def __call__(self, who: str, options: tuple[Alternative, ...]) -> Alternative:
        self.asked = True
        return self.policy(who, options, self.odds_table)


def fractions(distribution: Distribution) -> dict[Any, Fraction]:
    """A distribution as exact chances."""
    return {outcome: Fraction(ways, distribution.total) for outcome, ways in distribution}


# ---------------------------------------------------------------- who fights, and where


@cache
def roster(name: str) -> tuple[Any, ...]:
    """The sheets of a system: those that are shipped, and those of its casebook."""
    system = load(name)
    folder = (
        os.path.join(shipped(), name) if name in SYSTEMS else os.path.join(systems.folder(name), "characters")
    )
    sheets = [read(path, os.path.basename(path)) for path in sheets_in(folder)]
    names = {one.values["name"] for one in sheets}
    booked = [
        sheet(system, {"system": name, **raw})[0] for raw in books().get(name, {}).get("sheets", {}).values()
    ]
    found = (*sheets, *(one for one in booked if one.values["name"] not in names))
    assert len(found) >= 3, (
        f"{name} has {len(found)} sheets; the suite needs three, shipped or in its casebook"
    )
    return found


def met(system: System, sheets: Iterable[Any]) -> Scene:
    """A one-off scene of some sheets, half of them on either side."""
    fighters = [
        fighter(system, one, side=("players", "opponents")[at % 2], player=at % 2 == 0)
        for at, one in enumerate(sheets)
    ]
    return Scene(system.name, {one.name: one for one in fighters})


def each(scene: Scene, change: Callable[[int, Fighter], Fighter]) -> Scene:
    """The scene with every fighter changed, by its number."""
    fighters = {one.name: change(at, one) for at, one in enumerate(scene.fighters.values())}
    return scene._replace(fighters=fighters)


def placed(scene: Scene, apart: int) -> Scene:
    """The sides in two places, so far apart."""
    return each(scene, lambda at, one: one._replace(at=(float(at % 2 * apart), 0.0)))


def hurt(system: System, scene: Scene, left: Callable[[int, int], int]) -> Scene:
    """Every lasting pool that has bounds brought to `left(low, high)`; a pool that counts up the other way."""

    def change(at: int, one: Fighter) -> Fighter:
        pools = dict(one.pools)
        for pool, (low, high) in one.limits.items():
            kind = system.pools[pool.partition(":")[0]]
            if low is not None and high is not None and kind.lasting:
                pools[pool] = low + high - left(low, high) if kind.counts_up else left(low, high)
        return settled(system, one._replace(pools=pools))

    return each(scene, change)


def lacking(system: System, one: Fighter, pool: str) -> Fighter:
    """The fighter with one pool at its worst."""
    low, high = one.limits.get(pool, (None, None))
    worst = high if system.pools[pool.partition(":")[0]].counts_up else low
    return one if worst is None else settled(system, one._replace(pools={**one.pools, pool: worst}))


@cache
def scenes(name: str) -> dict[str, Scene]:
    """Scenes that between them show most of a system."""
    system = load(name)
    alone = met(system, roster(name))
    found = {
        "one-off": alone,
        "one-off, side by side": placed(alone, 1),
        "one-off, far apart": placed(alone, 12),
        "one-off, half hurt": hurt(system, alone, lambda low, high: (low + high) // 2),
        "one-off, at the last": hurt(system, alone, lambda low, high: min(low + 1, high)),
        "one-off, nothing left": hurt(system, alone, lambda low, high: low),
    }
    if isinstance(system.space.cover, OneOf) and len(system.space.cover.words) > 1:
        level = dict.fromkeys(alone.fighters, system.space.cover.words[1])
        found["one-off, in cover"] = each(alone, lambda at, one: one._replace(cover=level))
    for pool in dict.fromkeys(pool for one in alone.fighters.values() for pool in one.limits):
        without = each(
            alone, lambda at, one, pool=pool: lacking(system, one, pool) if at % 4 in (1, 2) else one
        )
        if {system.fallen(one) for one in without.fighters.values()} & {"dying", "down"}:
            found[f"one-off, some without {pool}"] = without
    for condition in system.conditions:
        on = each(alone, lambda at, one, on=condition: one._replace(conditions={on: True}))
        found[f"one-off, {condition}"] = each(on, lambda at, one: settled(system, one))
        if all(system.idle(one)[0] for one in found[f"one-off, {condition}"].fighters.values()):
            some = each(on, lambda at, one: one if at % 4 in (1, 2) else one._replace(conditions={}))
            found[f"one-off, some {condition}"] = each(some, lambda at, one: settled(system, one))
    silent = [row for row in system.actions.values() if row.window != "table" and not is_offered(row, found)]
    for who in alone.fighters if silent else ():
        # What is offered against several foes alone.
        against = {name: one._replace(side="opponents") for name, one in alone.fighters.items()}
        against[who] = against[who]._replace(side="players")
        where, scene = f"one-off, {who} against all", alone._replace(fighters=against)
        if any(is_offered(row, {where: scene}) for row in silent):
            found[where] = scene
    begun_ = opened(system, placed(alone, 1), 7)
    found["round 1"] = begun_
    for who in begun_.order[1:]:
        found[f"round 1, {who}"] = begun_._replace(turn=who)
    return found


def opened(system: System, scene: Scene, seed: int) -> Scene:
    """The scene as a crisis, its first turn begun."""
    scene = scene._replace(open=True)
    entry = perform(system, scene, Intent("init", "", tuple(scene.fighters)), thrown(seed))
    return apply_all(scene, entry.events)


def thrown(*seed: int) -> Table:
    """A table with dice of its own."""
    return Table(Seeded(generator(*seed).random))


class SampleAction(NamedTuple):
    """Something that may be done in a scene."""

    where: str
    scene: Scene
    intent: Intent
    rule: Any
    stake: Any


class WithoutTargets(NamedTuple):
    """The rule of an action, but for what becomes of its targets (`ExactOdds.part`)."""

    part: Any

    def __call__(self, table: Any, dice: Any) -> Any:
        return self.part(table, dice, "", False)


@cache
def offers(name: str) -> tuple[tuple[str, Scene, tuple[LegalAction, ...]], ...]:
    """What is legal in every scene."""
    return tuple((where, scene, tuple(legal(load(name), scene))) for where, scene in scenes(name).items())


@cache
def sample_actions(name: str) -> tuple[SampleAction, ...]:
    """Every legal action in every scene."""
    system = load(name)
    found = []
    for where, scene, several in offers(name):
        for one in several:
            prepared = prepare(system, scene, one.intent)
            if not prepared.payment.of:
                rest = prepared.row.odds.part if prepared.apart else None
                rule = WithoutTargets(rest) if rest else prepared.rule
                found.append(SampleAction(where, scene, one.intent, rule, prepared.dice))
    return tuple(found)


@cache
def stakes(name: str) -> tuple[tuple[str, Any, Any], ...]:
    """All that dice are thrown for, each once: actions, the turn order of two, and what turns begin and end with."""
    system = load(name)
    found = {(sample.rule, sample.stake): sample.intent.action for sample in sample_actions(name)}
    alone = scenes(name)["one-off"]
    two = tuple(alone.fighters)[:2]
    row = system.actions["init"]
    found[row.rule, row.setup(alone, Intent("init", "", two)).dice] = "init"
    for scene in scenes(name).values():
        for phase, row in system.phases.items():
            for who in scene.fighters:
                setup = row.setup(scene, Intent(phase, who, (who,)))
                found.setdefault((row.rule, setup.dice), phase)
    return tuple((what, rule, stake) for (rule, stake), what in found.items())


def enough(name: str) -> int:
    """How many different rolls must be compared: three, or as many as a small game has that can be walked."""
    actions = load(name).actions
    rolls = ((rule, stake) for what, rule, stake in stakes(name) if what in actions)
    return sum(1 for _ in islice((roll for roll in rolls if is_narrow(*roll)), 3))


def is_narrow(rule: Any, stake: Any) -> bool:
    """Whether there is something to roll for, with few enough runs of faces to go through them all."""
    return is_uncertain(rule, stake) and wide(rule, stake) <= NARROW


@cache
def distribution_of(rule: Any, stake: Any) -> Distribution | None:
    """The exact distribution, where it is not too wide."""
    try:
        return OddsTable(limit=inf).of(rule, stake)
    except TooWide:
        return None


def test_the_case_comes_out_as_the_rules_say(name: str, case: dict[str, Any]) -> None:
    run(load(name), books()[name], case)


# ---------------------------------------------------------------- distributions


def test_every_scene_and_kind_of_action_is_there(name: str) -> None:
    system = load(name)
    done = {sample.intent.action for sample in sample_actions(name)}
    quiet = {
        action
        for action, row in system.actions.items()
        if row.window == "table" or not is_offered(row, scenes(name))
    }
    tested = {None, *(system.actions[action].odds.part for action in done)}
    for action in quiet:
        assert system.actions[action].odds.part in tested, (
            f"no scene of the suite offers {action}, so that `ExactOdds.part` is not tested: add a sheet to the "
            "casebook for which candidates yield it, or leave part out"
        )
    missing = set(system.actions) - quiet - done
    for action in missing:
        row = system.actions[action]
        if row.ai.candidates is None and row.targets in ("one", "many"):
            said = f"{action} is never offered with a target: write ai=Opponents(...) in its row"
            raise RulebookMistake(said, words=(name, action))
    assert not missing, (
        f"no scene allows {', '.join(sorted(missing))}, though it is offered: look at setup, requires and costs, or "
        "add a sheet to the casebook that can do it"
    )
    assert done, "nobody can do anything: look at costs, and at what start-round renews"


def is_offered(row: Any, among: Mapping[str, Scene]) -> bool:
    """Whether the row of an action suggests something in some scene."""
    return row.ai.candidates is None or any(
        any(True for _ in row.ai.candidates(scene, who)) for scene in among.values() for who in scene.fighters
    )


def test_a_distribution_is_positive_and_sums_to_one(name: str) -> None:
    for what, rule, stake in stakes(name):
        distribution = distribution_of(rule, stake)
        if distribution is not None:
            where = f"the rule of {what}, given {stake}"
            assert all(isinstance(ways, int) and ways > 0 for _, ways in distribution), where
            assert sum(ways for _, ways in distribution) == distribution.total, where


def test_a_distribution_is_what_throwing_every_die_gives(name: str) -> None:
    walks, steps = 0, Counter[str]()
    too_wide = []
    for what, rule, stake in Random(3).sample(stakes(name), len(stakes(name))):
        distribution = distribution_of(rule, stake) if steps[what] < ENOUGH else None
        if distribution is None:
            continue
        most = ENDLESS if distribution.truncated else MOST_PATHS
        for policy in (refuse_all, least_harm):
            decider = Decider(policy)
            runs = []
            try:
                for run in walked(lambda table, do=rule, on=stake: do(table, on), decider, most):
                    runs.append(run)  # noqa: PERF402 (what was walked counts, to the end or not)
            except TooMany:
                too_wide.append((what, rule, stake))
                break
            finally:
                steps[what] += PROBES + len(runs)
            exact = weighed(runs)
            walks += len(exact) > 1
            by_odds = fractions(OddsTable(policy).of(rule, stake))
            assert by_odds == exact, (
                f"the rule of {what}, given {stake}, has other odds than its dice, {difference(by_odds, exact)}: it "
                "may look at nothing but the table and its arguments, and must not change them"
            )
            if not decider.asked:
                break
    # What has too many runs of faces is rolled so many times instead.
    for at, (what, rule, stake) in enumerate(too_wide):
        if walks >= enough(name):
            break
        distribution = OddsTable(refuse_all, limit=inf).of(rule, stake)
        rolled = Counter(
            rule(Table(Seeded(generator(19, at, roll).random), Decider(refuse_all)), stake)
            for roll in range(ROLLS)
        )
        require_likely(rolled, fractions(distribution), f"the rule of {what}, given {stake}")
        walks += len(distribution.ways) > 1
    assert walks >= enough(name), few_compared("rolls", walks, name)


def difference(odds: Mapping[Any, Fraction], thrown_: Mapping[Any, Fraction]) -> str:
    """The first outcome of which odds say another chance than dice, with both chances."""
    outcome = next(one for one in (*thrown_, *odds) if odds.get(one) != thrown_.get(one))
    by_odds, by_dice = (float(chances.get(outcome, 0)) for chances in (odds, thrown_))
    return f"{by_odds:.4%} by odds and {by_dice:.4%} by dice for {outcome}"


def require_likely(counts: Mapping[Any, int], odds: Mapping[Any, Fraction], where: str) -> None:
    """AssertionError where rolls lie further from the odds than five deviations and five rolls."""
    rolls = sum(counts.values())
    for outcome, count in counts.items():
        assert outcome in odds, (
            f"{where}, gave {outcome} {count} of {rolls} times, and never does by odds: does it look at more "
            "than its dice?"
        )
    for outcome, p in odds.items():
        least, most = expected(rolls, p)
        count = counts.get(outcome, 0)
        assert least <= count <= most, (
            f"{where}: {outcome} came {count} of {rolls} times, {float(p):.4%} by odds"
        )


def expected(rolls: int, p: Fraction) -> tuple[float, float]:
    """The bounds of how often something comes, given its chance."""
    bound = 5 * (rolls * p * (1 - p)) ** 0.5 + 5
    return rolls * p - bound, rolls * p + bound


def few_compared(what: str, compared: int, name: str) -> str:
    """Why too little of a system was compared, and what to do."""
    return (
        f"only {compared} different {what} could be compared with their odds, and {enough(name)} are needed: add "
        "sheets with other numbers to the casebook, or look at why odds refuse the others"
    )


def test_the_turn_order_of_two_alike_has_a_distribution_and_is_fair(name: str) -> None:
    system, one = load(name), roster(name)[0]
    twins = {copy_: fighter(system, one, name=copy_) for copy_ in ("Copy 1", "Copy 2")}
    row = system.actions["init"]
    setup = row.setup(Scene(name, twins), Intent("init", "", tuple(twins)))
    try:
        distribution = OddsTable(widest=20_000, limit=inf).of(row.rule, setup.dice)
        ahead = [
            distribution.chance(lambda ordered, who=who: leads(ordered, who))[0] / distribution.total
            for who in twins
        ]
        most = 1e-6
    except TooWide:
        rolled = [row.rule(thrown(23, roll), setup.dice) for roll in range(ROLLS)]
        ahead = [sum(leads(ordered, who) for ordered in rolled) / ROLLS for who in twins]
        most = 10 * ROLLS**-0.5
    assert abs(ahead[0] - ahead[1]) < most or set(ahead) == {0, 1}, (
        f"of two alike, one is first with {ahead[0]:.2%}, the other with {ahead[1]:.2%}: look at ties in the rule "
        "of init"
    )


def leads(ordered: Any, who: str) -> bool:
    """Whether someone acts before all others: not just first in a group that acts at the same time."""
    teams = getattr(ordered, "teams", ())
    return bool(teams[0] == (who,) and len(teams) > 1) if teams else bool(ordered.order[0] == who)


def test_swift_draws_lie_within_five_deviations_and_five_draws_of_the_distribution(name: str) -> None:
    draws, compared = 3_000, 0
    for seed, (what, rule, stake) in enumerate(
        spread([one for one in stakes(name) if is_uncertain(*one[1:])], 10)
    ):
        distribution = OddsTable(least_harm, limit=inf).of(rule, stake)
        table = DrawTable(generator(11, seed).random, Laws())
        drawn_outcomes = Counter(rule(table, stake) for _ in range(draws))
        require_likely(drawn_outcomes, fractions(distribution), f"the rule of {what}, given {stake}")
        compared += len(distribution.ways) > 1
    assert compared >= enough(name), few_compared("rolls", compared, name)


def is_uncertain(rule: Any, stake: Any) -> bool:
    """Whether what a rule gives is left to dice, as far as its odds are known."""
    distribution = distribution_of(rule, stake)
    return distribution is not None and len(distribution.ways) > 1


def spread(found: list[Any], most: int) -> list[Any]:
    """Some of a list, from all over it."""
    return found[:: max(1, len(found) // most)]


# ---------------------------------------------------------------- forecasts


def test_a_forecast_is_what_performing_on_every_run_of_faces_gives(name: str) -> None:
    system, odds_table, uncertain = load(name), OddsTable(), 0
    too_wide = []
    candidates = [one for one in sample_actions(name) if not system.actions[one.intent.action].ends_turn]
    different = {
        (sample.intent.action, sample.stake, state_of(sample.scene, sample.intent)): sample
        for sample in reversed(candidates)
        if deciding(sample)
    }
    for sample in spread(list(different.values()), FORECASTS):
        try:
            odds = action_odds(system, sample.scene, sample.intent, odds_table)
            ends = performed(
                system, sample, min(ENDLESS, MOST_PERFORMED) if odds.truncated else MOST_PERFORMED
            )
        except TooWide:
            continue
        except TooMany:
            too_wide.append(sample)
            continue
        if ends:
            uncertain += len(ends) > 1
            compare(system, sample, odds, ends)
    # What has too many runs of faces is rolled so many times instead: where little else is there, all of it.
    for sample in (*too_wide, *(one for one in candidates if not deciding(one))):
        if uncertain >= enough(name):
            break
        with suppress(TooWide):
            odds = action_odds(system, sample.scene, sample.intent, odds_table)
            uncertain += compare_rolled(system, sample, odds)
    assert uncertain >= enough(name), few_compared("actions with dice", uncertain, name)


def compare_rolled(system: System, sample: SampleAction, odds: Any) -> bool:
    """Roll an action that has too many runs of faces, and compare its success and its changes of pools with the
    forecast; whether dice decide either."""
    entries = [perform(system, sample.scene, sample.intent, thrown(29, roll)) for roll in range(ROLLS // 5)]
    laws: dict[Any, dict[Any, Fraction]] = {
        (who, pool): fractions(law) for who, pools in odds.effects.items() for pool, law in pools.items()
    }
    if odds.success is not None:
        p = Fraction(*odds.success)
        laws["success"] = {True: p, False: 1 - p}
    for key, law in laws.items():
        counts = Counter(
            entry.outcome.get("success") is True if key == "success" else change_of(entry, key)
            for entry in entries
        )
        require_likely(counts, law, f"{told(sample)}, {key}")
    return any(len(law) > 1 for law in laws.values())


def change_of(entry: Entry, key: Any) -> int:
    """By how much an action changes a pool of somebody, or of a side."""
    return sum(
        event.now - event.was for event in entry.events if (event.who.removeprefix(SIDE), event.what) == key
    )


def told(sample: SampleAction) -> str:
    """An action in words, and the scene of the suite in which it is tried."""
    intent = sample.intent
    targets = f" at {', '.join(intent.targets)}" if intent.targets else ""
    options = f" {dict(intent.options)}" if intent.options else ""
    return f"{intent.action} of {intent.actor}{targets}{options} ({sample.where})"


@cache
def wide(rule: Any, stake: Any) -> int:
    """How many runs of faces a stake has, as far as anyone counts."""
    try:
        return sum(1 for _ in walked(lambda table: rule(table, stake), most=NARROW))
    except TooMany:
        return MOST_PATHS + 1


WIDE: dict[Any, Any] = {}


def deciding(sample: SampleAction) -> bool:
    """Whether to perform this: all of the narrow ones, one of the wide ones for each rule."""
    if wide(sample.rule, sample.stake) <= NARROW:
        return True
    return WIDE.setdefault(sample.rule, (sample.where, sample.intent.actor, sample.stake)) == (
        sample.where,
        sample.intent.actor,
        sample.stake,
    )


def state_of(scene: Scene, intent: Intent) -> str:
    """What the effects of an action hang on, beside its stake."""
    involved = [scene.fighters[one] for one in (intent.actor, *intent.targets)]
    return json.dumps([scene.open, *([one.name, one.pools, one.conditions, one.held] for one in involved)])


def performed(system: System, sample: SampleAction, most: int) -> dict[Any, Fraction]:
    """How likely each end of an action is: success, total, criticals, changes of pools, who falls, what has changed."""
    before_levels = levels_of(sample.scene)

    def end(table: Table) -> Any:
        entry = perform(system, sample.scene, sample.intent, table)
        after = apply_all(sample.scene, entry.events)
        pools = tuple(
            (event.who.removeprefix(SIDE), event.what, event.now - event.was)
            for event in entry.events
            if event.who.startswith(SIDE)
            or (event.who and event.what in sample.scene.fighters[event.who].pools)
        )
        before = sample.scene.fighters
        fell = tuple(
            who for who in before if not system.fallen(before[who]) and system.fallen(after.fighters[who])
        )
        outcome = entry.outcome
        after_levels = levels_of(after)
        levels = frozenset(
            (key, after_levels[key])
            for key in {*before_levels, *after_levels}
            if after_levels[key] != before_levels[key]
        )
        return outcome.get("success"), outcome.get("total"), outcome.get("criticals"), pools, fell, levels

    return weighed(walked(end, most=most))


def compare(system: System, sample: SampleAction, odds: Any, ends: Mapping[Any, Fraction]) -> None:
    """Every number of a forecast against every end."""

    def chance(holds: Callable[[Any], bool]) -> Fraction:
        return sum((weight for end, weight in ends.items() if holds(end)), Fraction(0))

    where = f"{told(sample)}: odds and dice differ in "
    look = "; effects may look at nothing but the scene, setup and outcome, and `ExactOdds.effect_key` keeps that"
    rest = (
        "; they come of `ExactOdds.part` under no name: roll for them there, or leave them out of the outcome"
    )
    of_rest = rest if system.actions[sample.intent.action].odds.part else look
    if odds.success is not None:
        assert Fraction(*odds.success) == chance(lambda end: end[0] is True), f"{where}success{of_rest}"
    for at, word, distribution in ((1, "total", odds.totals), (2, "criticals", odds.criticals)):
        if distribution is not None:
            for value, p in fractions(distribution).items():
                assert p == chance(lambda end, at=at, value=value: end[at] == value), (
                    f"{where}{word} {value}{of_rest}"
                )
    changed = {(who, pool) for end in ends for who, pool, _ in end[3]}
    foreseen = {(who, pool) for who, pools in odds.effects.items() for pool in pools}
    assert changed == foreseen, f"{where}what changes, {sorted(changed ^ foreseen)}{look}"
    for who, pool in changed:
        exact: dict[int, Fraction] = {}
        for end, weight in ends.items():
            moved = sum(by for one, what, by in end[3] if (one, what) == (who, pool))
            exact[moved] = exact.get(moved, Fraction(0)) + weight
        by_odds = fractions(odds.effects[who][pool])
        assert by_odds == exact, f"{where}{pool} of {who}, {difference(by_odds, exact)}{look}"
    for who in sample.scene.fighters:
        exact_down = chance(lambda end, who=who: who in end[4])
        assert Fraction(*odds.down.get(who, (0, 1))) == exact_down, f"{where}whether {who} falls{look}"
    before = levels_of(sample.scene)
    forecast = {
        (who, what): level
        for who, levels in odds.levels.items()
        for what, level in levels.items()
        if what.startswith(("condition:", "mark:", "held:")) or what in ("gone", "yielded")
    }
    begun_or_ended = {key for end in ends for key, _ in end[5]}
    assert begun_or_ended == {*forecast}, (
        f"{where}what begins or ends, {sorted(begun_or_ended ^ {*forecast})}{look}"
    )
    for key, level in forecast.items():
        law: dict[int, Fraction] = {}
        for end, weight in ends.items():
            now = dict(end[5]).get(key, before[key])
            law[now] = law.get(now, Fraction(0)) + weight
        assert (level.was, fractions(level.after)) == (before[key], law), f"{where}{key}{look}"


def levels_of(scene: Scene) -> Counter[tuple[str, str]]:
    """The levels of the conditions and marks of all fighters, how many of each thing they hold, who has left or
    surrendered."""
    levels: Counter[tuple[str, str]] = Counter()
    for who, one in scene.fighters.items():
        levels.update({(who, f"condition:{name}"): int(level) for name, level in one.conditions.items()})
        levels.update({(who, f"mark:{mark}"): value for mark, value in one.marks.items()})
        levels.update((who, f"held:{thing}") for thing in one.held)
        levels.update({(who, "gone"): int(one.gone), (who, "yielded"): int(one.yielded)})
    return levels


def test_odds_of_rest_are_those_of_its_nights_one_after_the_other(name: str) -> None:
    """`System.rest` is run once for each night, whatever its days: as `crisis rest` rolls it."""
    system = load(name)
    if not system.rest.action:
        pytest.skip("nobody heals by rest")
    ends = [word for word, condition in system.conditions.items() if condition.is_brief]
    worn = (
        hurt(system, met(system, roster(name)), at)
        for at in (lambda low, high: (low + high) // 2, lambda low, high: max(low, high - 1))
    )
    resting = [(scene, who) for scene in worn for who in scene.fighters]
    lengths = ({"days": NIGHTS}, {"hours": system.rest.hours or 1})
    uncertain = 0
    for at, (scene, who) in enumerate(spread(resting, RESTS)):
        length = lengths[at % 2]
        nights = length.get("days", 1)
        rested = Intent("downtime", "", (who,), length)
        try:
            odds = rest_odds(system, scene, rested, OddsTable())
        except CrisisError:
            continue
        night = rested.plus(ends=ends, **({"days": 1} if "days" in length else {}))
        seen: Counter[tuple[str, int]] = Counter()
        for seed in range(SLEEPERS):
            after, table = scene, thrown(seed, 17)
            for _ in range(nights):
                with suppress(Refused):
                    after = apply_all(after, perform(system, after, night, table).events)
            seen.update(
                (pool, now - scene.fighters[who].pools[pool])
                for pool, now in after.fighters[who].pools.items()
            )
            levels = levels_of(after)
            seen.update((what, levels[who, what]) for what in odds.levels.get(who, ()) if what != "at")
        laws = {
            **{pool: fractions(law) for pool, law in odds.effects.get(who, {}).items()},
            **{what: fractions(level.after) for what, level in odds.levels.get(who, {}).items()},
        }
        for what, by in seen:
            law = laws.get(what, {0: Fraction(1)})
            assert by in law, f"{who}, {length}: odds rest never has {what} {by}, but rest does"
        for what, law in laws.items():
            uncertain += len(law) > 1
            for by, p in law.items():
                bound = 5 * (SLEEPERS * p * (1 - p)) ** 0.5 + 5
                said = f"{who}, {length}, {what} {by}: odds rest {float(p):.4f}"
                assert abs(seen[what, by] - SLEEPERS * p) <= bound, (
                    f"{said}, rest {seen[what, by] / SLEEPERS}"
                )
    assert uncertain or not needs_dice(system), (
        "no rest of these sheets is rolled: add a sheet that can be hurt"
    )


def needs_dice(system: System) -> bool:
    """Whether rest is rolled."""
    return system.actions[system.rest.action].rule is not nothing


def test_the_odds_of_the_life_of_a_target_are_those_of_all_that_becomes_of_it(name: str) -> None:
    """As automatic play relies on (`ExactOdds.part`)."""
    system, compared = load(name), 0
    samples = [one for one in sample_actions(name) if isinstance(one.rule, WithoutTargets)]
    if not samples:
        pytest.skip("no action works out what becomes of each target")
    for sample in spread(samples, FORECASTS):
        for who in prepare(system, sample.scene, sample.intent).apart:
            try:
                whole, life = (harm_to(system, sample, who, lives) for lives in (False, True))
            except TooWide:
                continue
            assert whole == life, (
                f"{told(sample)}: the odds of the life of {who} are other than those of all that becomes of {who}: "
                "look at what `ExactOdds.part` leaves out"
            )
            compared += len(whole) > 1
    assert compared, "dice decide of no target what becomes of it: leave out `ExactOdds.part`"


def harm_to(system: System, sample: SampleAction, who: str, lives: bool) -> dict[Any, Fraction]:
    """How likely each harm to a target is, by its odds alone."""
    prepared = prepare(system, sample.scene, sample.intent)
    distribution = prepared.odds(OddsTable(), who, lives)
    chances = dict[Any, Fraction]()
    for events, ways in effects_of(system, sample.scene, sample.intent, prepared, distribution):
        pools = [one for one in events if one.who == who and one.what in system.pools]
        harm = tuple((one.what, one.now) for one in pools if harm_of(system, one.what, one.now - one.was))
        chances[harm] = chances.get(harm, 0) + Fraction(ways, distribution.total)
    return chances


# ---------------------------------------------------------------- what may be done, and what not


def test_whatever_is_legal_can_be_performed_and_undone(name: str) -> None:
    system = load(name)
    for where, scene, several in offers(name):
        before = copy.deepcopy(scene)
        for number, one in enumerate(several):
            entry = perform(system, scene, one.intent, thrown(3, number))
            done = f"{one.intent.action} of {one.intent.actor} ({where})"
            assert scene == before, f"{done} changes the scene itself: write all that changes into `changes`"
            assert revert_all(apply_all(scene, entry.events), entry.events) == before, (
                f"{done} is not undone by its events: {entry.events}"
            )


def test_what_is_proposed_on_one_target_hangs_on_nobody_else(name: str) -> None:
    """As automatic play relies on (`Action.candidates`)."""
    system = load(name)
    for where, scene in scenes(name).items():
        if where.startswith("round 1"):
            for who in scene.fighters:
                everything = list(of(system, scene, who))
                for target in scene.fighters:
                    named = [one for one in everything if one.intent.target == target]
                    assert list(of(system, scene, who, target=target)) == named, (
                        f"what {who} may do to {target} hangs on others ({where}): candidates with one target may look "
                        "at nobody but the two"
                    )


def test_what_is_legal_costs_what_it_says(name: str) -> None:
    system = load(name)
    for where, scene, several in offers(name):
        for number, one in enumerate(several):
            entry = perform(system, scene, one.intent, thrown(4, number))
            before, after = scene.fighters[one.intent.actor], apply_all(scene, entry.events)
            for pool, amount in one.costs:
                if pool in system.side_pools:
                    # What a side pays can come back with the roll.
                    assert left(after, before.side, pool) >= left(scene, before.side, pool) - amount >= 0, (
                        f"{one.intent.action} ({where}) takes more {pool} than its price of {amount}"
                    )
                    continue
                now = after.fighters[before.name].pools[pool]
                assert now == before.pools[pool] - amount, (
                    f"{one.intent.action} of {before.name} costs {amount} {pool}, and changes it from "
                    f"{before.pools[pool]} to {now} ({where}): do effects change what costs pay already?"
                )


def everything(system: System, scene: Scene) -> Iterator[Intent]:
    """All that anyone could think of doing to anyone, sensible or not."""
    names = tuple(scene.fighters)
    for action, row in system.actions.items():
        if row.window == "table":
            continue
        for actor in names:
            things = tuple(scene.fighters[actor].sheet.get(row.gear, ())) if row.gear else ()
            for targets in ((), *((one,) for one in names), names[:2]):
                for thing in ("", *things, "nonesuch"):
                    said = {"weapon": thing, "thing": thing, "item": thing} if thing else {}
                    yield Intent(action, actor, targets, said)
    yield Intent("no-such-action", names[0])


def test_what_is_refused_reads_no_face_and_changes_nothing(name: str) -> None:
    system, refused = load(name), 0
    for where in ("one-off", "one-off, nothing left", "one-off, far apart", "round 1"):
        scene = scenes(name)[where]
        before = copy.deepcopy(scene)
        for intent in everything(system, scene):
            table = thrown(5)
            try:
                perform(system, scene, intent, table)
            except CrisisError as refusal:
                refused += 1
                tried = f"{intent.action} of {intent.actor} at {intent.targets or 'nobody'} ({where})"
                assert refusal.status in (2, 3) and refusal.message, f"{tried}: {refusal!r}"
                assert not table.throws, (
                    f"{tried} is refused after dice were rolled: refuse in setup or requires, not in the rule"
                )
                assert scene == before, f"{tried} is refused, and the scene has changed"
    assert refused > 20, (
        f"only {refused} of all actions on anybody were refused: do requires and setup refuse what the rules forbid?"
    )


def test_the_gm_may_force_or_is_refused_but_never_breaks_it(name: str) -> None:
    system, forced = load(name), 0
    for where in ("one-off, nothing left", "round 1"):
        scene = scenes(name)[where]
        for intent in everything(system, scene):
            try:
                entry = perform(system, scene, intent.plus(force=True), thrown(6))
            except CrisisError:
                continue
            forced += bool(entry.forced)
            tried = f"{intent.action} of {intent.actor} at {intent.targets or 'nobody'}, forced ({where})"
            assert entry_of(json.loads(line(entry_record(entry)))) == entry, (
                f"{tried} is not the same when it is read from the journal: setups and outcomes must be fit for JSON"
            )
            wrong = broken(system, apply_all(scene, entry.events))
            assert not wrong, f"{tried} leads out of bounds, {wrong[0]}: {IN_BOUNDS}"
    assert forced, (
        "nothing that is refused can be forced: call refuse(...) with final=True only where it makes no sense"
    )


def test_everyone_rolled_for_is_in_the_order_once(name: str) -> None:
    system, everyone = load(name), scenes(name)["one-off"]
    for seed in range(60):
        names = tuple(Random(seed).sample(tuple(everyone.fighters), 1 + seed % len(everyone.fighters)))
        entry = perform(system, everyone, Intent("init", "", names), thrown(seed))
        order = apply_all(everyone, entry.events).order
        assert sorted(order) == sorted(names), (
            f"init of {', '.join(names)} gives the order {', '.join(order)}: everyone must be in it once (seed {seed})"
        )


def test_what_functions_give_is_of_the_types_that_are_declared(name: str) -> None:
    system = load(name)
    for _, scene, several in offers(name):
        for one in several:
            prepared = prepare(system, scene, one.intent)
            row, setup = prepared.row, prepared.setup
            for target in prepared.apart:
                if target not in scene.fighters:
                    said = (
                        f"targets of ExactOdds(...) of {row.title!r} gives {target!r}: give names of fighters"
                    )
                    raise RulebookMistake.in_function(row.odds.targets, said)
            for value, function in ((one.intent, row.ai.candidates), (setup, row.setup)):
                for wrong in mistyped(value):
                    said = (
                        f"{type(value).__name__}(...) of {row.title!r}: {'.'.join(wrong.path)} {wrong.said}"
                    )
                    raise RulebookMistake.in_function(function, said)


class AskedNames(dict[str, Any]):
    """A table of a fighter that notes which names a rulebook asks for, and where."""

    def __init__(self, values: Mapping[str, Any], asked: dict[str, set[str]]):
        super().__init__(values)
        self.asked = asked

    def get(self, name: str, default: Any = None) -> Any:
        self.asked.setdefault(RulebookMistake.at_caller("").where, set()).add(name.partition(":")[0])
        return super().get(name, default)

    def __bool__(self) -> bool:
        """True, so that it is asked though nothing is in it."""
        return True


def test_rules_ask_of_fighters_only_what_is_declared(name: str) -> None:
    """A condition, a mark or a circumstance whose name is misspelled would never be on."""
    system = load(name)
    circumstance = system.sheet.fields["circumstance"].kind
    words = circumstance.words if isinstance(circumstance, MapOf) else {}
    tables: dict[str, tuple[Collection[str], str]] = {
        "condition": (system.conditions, "conditions of System(...)"),
        "mark": ((*system.marks, READIED, BOUGHT, PAID), "marks of System(...)"),
        "circumstance": (words, "circumstance of sheet(...)"),
    }
    asked: dict[str, dict[str, set[str]]] = {what: {} for what in tables}

    def change(at: int, one: Fighter) -> Fighter:
        noted = AskedNames(one.sheet["circumstance"], asked["circumstance"])
        return one._replace(
            conditions=AskedNames(one.conditions, asked["condition"]),
            marks=AskedNames(one.marks, asked["mark"]),
            sheet={**one.sheet, "circumstance": noted},
        )

    for scene in scenes(name).values():
        noted = each(scene, change)
        for number, one in enumerate(legal(system, noted)):
            perform(system, noted, one.intent, thrown(3, number))
    perform(system, noted, Intent("init", "", tuple(noted.fighters)), thrown(1))
    for what, (declared, table) in tables.items():
        for where, names in asked[what].items():
            # A roll takes the circumstances of several names, of which sheets need not have all; where sheets name no
            # circumstances they may have any.
            if where and not names & {*declared} and (declared or what != "circumstance"):
                unknown = ", ".join(map(repr, sorted(names)))
                way = f"write one of {', '.join(declared)}, or add it to {table}"
                raise RulebookMistake(f"a fighter is asked for the {what} {unknown}: {way}", where)


class Spender:
    """Somebody at the table who takes each choice that costs something, once in an action of each kind."""

    def __init__(self) -> None:
        self.taken: set[tuple[str, str]] = set()
        self.action = ""
        self.paid: list[tuple[str, Alternative]] = []
        """Who has just paid, and for what."""

    def __call__(self, who: str, options: tuple[Alternative, ...]) -> Alternative:
        for one in options:
            if one.cost and (self.action, one.name) not in self.taken:
                self.taken.add((self.action, one.name))
                self.paid.append((who, one))
                return one
        return options[0]


def test_choices_that_cost_something_can_be_taken_and_are_paid(name: str) -> None:
    system, spender = load(name), Spender()
    for where, scene, several in reversed(offers(name)):
        for number, one in enumerate(several):
            spender.action = f"{one.intent.action} {scene.open}"
            for seed in range(SPENDINGS):
                spender.paid = []
                table = Table(Seeded(generator(8, number, seed).random), spender)
                entry = perform(system, scene, one.intent, table)
                price = {(one.intent.actor, pool): amount for pool, amount in one.costs}
                for who, choice in spender.paid if scene.open else ():
                    mine = (who, SIDE + scene.fighters[who].side)
                    pools = paid_from(system, choice)
                    changed = (
                        event
                        for event in entry.events
                        if event.who in mine and event.what in (pools or [event.what])
                    )
                    assert any(price.get((who, event.what)) != event.was - event.now for event in changed), (
                        f"{choice.name!r} in {one.intent.action} of {one.intent.actor} ({where}) costs {who} nothing: "
                        "yield a Charge in Action.choices"
                    )
                if not table.choices:
                    break


def paid_from(system: System, choice: Alternative) -> list[str]:
    """The pools that a choice names as what it is paid from; none where what it says is no pool."""
    said = (choice.pays or choice.spends).casefold()
    pools = {**system.pools, **system.side_pools}
    return [name for name, pool in pools.items() if said in (name, pool.label.casefold())]


SPENDINGS = 2
"""How often an action in which there is something to choose is performed for that."""


def test_a_condition_that_ends_by_itself_has_an_end(name: str) -> None:
    system = load(name)
    for before, entry in in_rounds(name):
        after = apply_all(before, entry.events)
        for who, what, was, now, _ in entry.events:
            kind = system.conditions.get(what.removeprefix("condition:"))
            if kind is None or was or not now or not what.startswith("condition:"):
                continue
            assert (
                kind.end_from(after, who) is None
                or what.removeprefix("condition:") in after.fighters[who].ends
            ), (
                f"{entry.intent.action} of {entry.intent.actor} begins {kind.title!r} without the end of its `until`: "
                "use sets or changes.begin(...) without until=None"
            )


# ---------------------------------------------------------------- whole fights


class FoughtFight(NamedTuple):
    """A fight from beginning to end, as it was fought."""

    seed: int
    start: Scene
    entries: tuple[Entry, ...]
    scenes: tuple[Scene, ...]
    """The scene after each entry."""

    @property
    def story(self) -> str:
        """What to do to see it again."""
        steps = [
            f"{at + 1} {one.intent} {[face for _, face in one.faces]}" for at, one in enumerate(self.entries)
        ]
        return "\n".join((f"seed {self.seed}: {', '.join(self.start.fighters)}", *steps))


@cache
def fights(name: str) -> tuple[FoughtFight, ...]:
    """Fights in which everyone does anything that is legal."""
    return tuple(fought(load(name), seed) for seed in FIGHTS)


def fought(system: System, seed: int) -> FoughtFight:
    """One fight: now an attack, now anything else, now the next turn."""
    dice = Random(seed)
    sheets = dice.sample(roster(system.name), dice.randint(2, min(4, len(roster(system.name)))))
    start = met(system, sheets)._replace(open=True)
    start = placed(start, 1) if seed % 2 else start
    fight = FoughtFight(seed, start, (), ())
    intent = Intent("init", "", tuple(start.fighters))
    scene = start
    for step in range(STEPS):
        try:
            entry = perform(system, scene, intent, thrown(seed, step, 0), step + 1)
            scene = apply_all(scene, entry.events)
        except Exception as error:
            raise AssertionError(f"{intent}: {error!r}\n{fight.story}") from error
        fight = fight._replace(entries=(*fight.entries, entry), scenes=(*fight.scenes, scene))
        if decided(system, scene) or scene.round > ROUNDS:
            break
        intent = chosen(system, scene, dice)
    return fight


def chosen(system: System, scene: Scene, dice: Random) -> Intent:
    """What happens next."""
    candidates = [one for one in of(system, scene, scene.turn) if one.window == "turn"]
    hostile = [one for one in candidates if against_others(scene, one)]
    mood = dice.random()
    if hostile and mood < 0.6:
        return dice.choice(hostile).intent
    if candidates and mood < 0.85:
        return dice.choice(candidates).intent
    return Intent("next", scene.turn)


def against_others(scene: Scene, one: LegalAction) -> bool:
    """Whether it is done to the other side."""
    side = scene.fighters[one.intent.actor].side
    return any(scene.fighters[target].side != side for target in one.intent.targets)


IN_BOUNDS = "change pools with changes.adjust, which keeps their limits, and declare conditions and marks"
"""What to do about a scene out of bounds."""


def broken(system: System, scene: Scene) -> list[str]:
    """What in a scene is out of bounds."""
    wrong = []
    for one in scene.fighters.values():
        wrong += [
            f"{pool} of {one.name}: {value}"
            for pool, value in one.pools.items()
            if one.bounded(pool, value) != value
        ]
        wrong += [
            f"{one.name} is {condition}" for condition in one.conditions if condition not in system.conditions
        ]
        wrong += [f"{one.name} ends {condition}" for condition in one.ends if condition not in one.conditions]
        marks = {mark.partition(":")[0] for mark in one.marks}
        wrong += [f"mark {mark} of {one.name}" for mark in marks if mark != "paid" and not system.scope(mark)]
    return wrong


def test_random_legal_fights_end(name: str) -> None:
    system = load(name)
    for fight in fights(name):
        last = fight.scenes[-1]
        assert decided(system, last) and last.round <= ROUNDS, (
            f"a fight of random actions is not over in round {last.round}: can attacks hit, and does a condition with "
            f"`defeated` follow from it?\n{fight.story}"
        )


def test_no_fight_breaks_a_bound(name: str) -> None:
    system = load(name)
    for fight in fights(name):
        for entry, scene in zip(fight.entries, fight.scenes, strict=True):
            wrong = broken(system, scene)
            assert not wrong, (
                f"{entry.intent.action} of {entry.intent.actor} leads out of bounds, {wrong[0]}: "
                f"{IN_BOUNDS}\n{fight.story}"
            )


def test_whose_turn_it_is_can_act(name: str) -> None:
    system = load(name)
    for fight in fights(name):
        for entry, scene in zip(fight.entries, fight.scenes, strict=True):
            if entry.intent.action == "next":
                assert scene.turn in scene.order, (
                    f"{scene.turn} has a turn and no place in the order\n{fight.story}"
                )
                why = system.idle(scene.fighters[scene.turn])[0]
                assert not why, (
                    f"{scene.turn} has a turn and is {why}: look at the phases of turns\n{fight.story}"
                )


def test_no_event_tells_of_what_did_not_change_nor_twice_of_one_thing(name: str) -> None:
    for fight in fights(name):
        for entry in fight.entries:
            about = [(event.who, event.what) for event in entry.events if event.was != event.now]
            assert len({*about}) == len(entry.events), (
                f"events of {entry.intent.action} change nothing, or one thing twice: {entry.events}\n{fight.story}"
            )


def test_undoing_every_action_leads_back_to_the_start(name: str) -> None:
    for fight in fights(name):
        before = (fight.start, *fight.scenes[:-1])
        for entry, was, now in zip(fight.entries, before, fight.scenes, strict=True):
            assert revert_all(now, entry.events) == was, (
                f"{entry.intent.action} of {entry.intent.actor} is not undone by its events\n{fight.story}"
            )
        events = [event for entry in fight.entries for event in entry.events]
        start = revert_all(fight.scenes[-1], events)
        assert start == fight.start, f"undoing everything leads elsewhere than to the start\n{fight.story}"


# ---------------------------------------------------------------- after every action


MEDDLED, STEPS_MEDDLED = range(4), 60
"""Fights in which the table interferes all the time: as many steps each."""
MOST_MEDDLED, INTERFERENCES = 20, {"set", "leave", "join", "yield", "auto", "note"}
"""There are more such fights, up to that, until the table has interfered in every way."""


@cache
def meddled(name: str) -> tuple[FoughtFight, ...]:
    """Fights into which the GM and the players interfere: set, leave, join, yield, auto, note, force."""
    found = [interfered(load(name), seed) for seed in MEDDLED]
    while len(found) < MOST_MEDDLED and not kinds_of(found) >= INTERFERENCES:
        found.append(interfered(load(name), len(found)))
    return tuple(found)


def kinds_of(fights: Iterable[FoughtFight]) -> set[str]:
    """The actions of some fights."""
    return {entry.intent.action for fight in fights for entry in fight.entries}


def interfered(system: System, seed: int) -> FoughtFight:
    """One such fight, begun again by the table where it was decided."""
    dice = Random(1000 + seed)
    sheets = dice.sample(roster(system.name), min(4, len(roster(system.name))))
    scene = start = placed(met(system, sheets)._replace(open=True), 1)
    fight = FoughtFight(seed, start, (), ())
    intent = Intent("init", "", tuple(start.fighters))
    while len(fight.entries) < STEPS_MEDDLED:
        step = len(fight.entries)
        try:
            entry = perform(system, scene, intent, thrown(seed, step, 0), step + 1)
        except CrisisError:
            intent = interference(system, scene, dice)
            continue
        scene = apply_all(scene, entry.events)
        fight = fight._replace(entries=(*fight.entries, entry), scenes=(*fight.scenes, scene))
        over = decided(system, scene) or not scene.turn
        intent = (
            interference(system, scene, dice) if over or dice.random() < 0.4 else chosen(system, scene, dice)
        )
    return fight


def interference(system: System, scene: Scene, dice: Random) -> Intent:
    """Something that is not a fighter's turn, or a fighter's doing out of turn; it may be refused."""
    one = dice.choice(tuple(scene.fighters.values()))
    kind = dice.choice(
        ("pool", "pool", "condition", "at", "held", "leave", "join", "yield", "auto", "note", "force")
    )
    if kind == "pool":
        pool, (low, high) = dice.choice(tuple(one.limits.items()))
        value = dice.randint(low or 0, (low or 0) + 9 if high is None else high)
        return Intent("set", "", (one.name,), {"what": pool, "value": value})
    if kind == "condition":
        condition = dice.choice(tuple(system.conditions))
        value = dice.randint(0, 3) if system.conditions[condition].levels else dice.random() < 0.5
        return Intent("set", "", (one.name,), {"what": f"condition:{condition}", "value": value})
    if kind == "at":
        return Intent(
            "set", "", (one.name,), {"what": "at", "value": [dice.randint(0, 3), dice.randint(0, 3)]}
        )
    if kind == "held":
        things = [thing for thing in one.carried("weapons items") if dice.random() < 0.5]
        return Intent("set", "", (one.name,), {"what": "held", "value": things})
    if kind == "join":
        return Intent("join", "", (one.name,), {"fighters": [record_of(one)]} if one.gone else {})
    if kind == "auto":
        return Intent(
            "auto", "", (one.name,), {"on": dice.random() < 0.5, "doctrine": dice.choice(("", "beast"))}
        )
    if kind == "force":
        candidates = [offer.intent for offer in of(system, scene, one.name)]
        return (
            force(dice.choice(candidates))
            if candidates
            else Intent("note", "", (), {"text": "nothing to do"})
        )
    return Intent(
        kind, "", (one.name,) if kind != "note" else (), {"text": "a word"} if kind == "note" else {}
    )


def force(intent: Intent) -> Intent:
    """The same, forced by the GM."""
    return intent.plus(force=True)


FROM_JOURNAL = "leads to another scene when it is read from the journal: events must hold what JSON can hold"
"""What is wrong with a journal, and what to look at."""


def require_verified(fight: FoughtFight) -> None:
    """AssertionError where the rules give something else than what they have just given."""
    for one in differences(load(fight.start.system), journal(fight)):
        raise AssertionError(
            f"verify finds a difference in what was just fought, {one}: rules may look at nothing but the scene, the "
            f"intent and the table\n{fight.story}"
        )


def all_fights(name: str) -> tuple[FoughtFight, ...]:
    """Fights of every sort, a few of each."""
    return (*fights(name)[:8], *meddled(name))


def test_the_table_interferes_in_every_way(name: str) -> None:
    missing = INTERFERENCES - kinds_of(meddled(name))
    assert not missing, f"the table never did this in random fights: {', '.join(sorted(missing))}"
    for fight in meddled(name):
        wrong = [wrong for scene in fight.scenes for wrong in broken(load(name), scene)]
        assert not wrong, (
            f"where the table interferes it leads out of bounds, {wrong[0]}: {IN_BOUNDS}\n{fight.story}"
        )
        require_verified(fight)


def test_undo_and_redo_after_every_action_lead_back_and_forth(name: str) -> None:
    for fight in all_fights(name):
        crisis = begun(json.loads(journal(fight)[0]))
        for entry, scene in zip(fight.entries, fight.scenes, strict=True):
            before, crisis = crisis.scene, crisis.after(entry_of(json.loads(line(entry_record(entry)))))
            done = f"{entry.intent.action} of {entry.intent.actor}"
            assert plain(crisis.scene) == plain(scene), f"{done} {FROM_JOURNAL}\n{fight.story}"
            assert crisis.undo().scene == before, f"undo of {done} leads to another scene\n{fight.story}"
            again_ = crisis.undo().redo()._replace(lines=crisis.lines)
            assert again_ == crisis, f"redo of {done} leads to another scene\n{fight.story}"


def test_lines_of_undo_and_redo_give_the_same_scene(name: str) -> None:
    system = load(name)
    for fight in all_fights(name)[-2:]:
        dice, written, count, back = Random(fight.seed), journal(fight)[:1], 0, list[int]()
        for number, text in enumerate(journal(fight)[1:], start=1):
            written.append(text)
            count, back = number, []
            for _ in range(dice.choice((0, 0, 1, 3))):
                if count > 1:
                    back.append(count)
                    written.append(line({"undo": count}))
                    count -= 1
            while back:
                written.append(line({"redo": back.pop()}))
            if number % 20 == 0:
                assert plain(folded_lines(written, load).scene) == plain(fight.scenes[number - 1]), (
                    f"line {number} {FROM_JOURNAL}\n{fight.story}"
                )
        wrong = [*differences(system, written)]
        assert not wrong, (
            f"verify finds a difference in a journal with undo and redo: {wrong[0]}\n{fight.story}"
        )


def plain_state(scene: Scene) -> dict[tuple[str, str], Any]:
    """Everything of a scene that effects tell of: whose, what, and the value."""
    found: dict[tuple[str, str], Any] = {}
    for one in scene.fighters.values():
        found |= {(one.name, pool): value for pool, value in one.pools.items()}
        found |= {(one.name, f"condition:{key}"): value for key, value in one.conditions.items()}
        found |= {(one.name, f"cover:{key}"): value for key, value in one.cover.items()}
        fields = ("at", "held", "side", "player", "gone", "yielded", "mind")
        found |= {(one.name, field): plain(getattr(one, field)) for field in fields}
    found |= {(side, pool): value for side, pools in scene.sides.items() for pool, value in pools.items()}
    return {key: value for key, value in found.items() if value not in (0, False, None)}


def test_effects_tell_every_change(name: str) -> None:
    """The JSON of an entry, laid over the scene before, gives the scene after it."""
    system = load(name)
    for fight in all_fights(name):
        for entry, before, after in zip(
            fight.entries, (fight.start, *fight.scenes[:-1]), fight.scenes, strict=True
        ):
            state = plain_state(before)
            for effect in json.loads(dumped(data.entry(entry, system, fight.seed, True)))["effects"]:
                item = f":{effect['item']}" if "item" in effect else ""
                key = (effect["who"], effect["what"] + item)
                assert (state.pop(key, None) or None) == (effect["was"] or None), (
                    f"the effects of {entry.intent.action} say {effect}, which is not what was before\n{fight.story}"
                )
                state[key] = effect["now"]
            state = {key: value for key, value in state.items() if value not in (0, False, None)}
            now = plain_state(after)
            assert state == now, (
                f"the effects of {entry.intent.action} leave out a change of "
                f"{next(key for key in (*state, *now) if state.get(key) != now.get(key))}\n{fight.story}"
            )


def test_newcomers_take_a_place_in_the_order_and_whoever_leaves_gives_up_the_turn(name: str) -> None:
    system, everyone = load(name), scenes(name)["one-off"].fighters
    here = opened(system, met(system, roster(name)[:2]), 1)
    new = [one for who, one in everyone.items() if who not in here.fighters]
    came = Intent("join", "", tuple(one.name for one in new), {"fighters": [record_of(one) for one in new]})
    scene, entries = here, list[Entry]()
    for intent in (came, Intent("leave", "", (here.turn,)), Intent("end")):
        entry = entry_of(json.loads(line(entry_record(perform(system, scene, intent, thrown(1))))))
        entries.append(entry)
        scene = apply_all(scene, entry.events)
        assert sorted(scene.order) == sorted(everyone), (
            f"after {intent.action} the order is {', '.join(scene.order)}"
        )
    assert scene.turn != here.turn and scene.fighters[here.turn].gone and scene.over, (
        "whoever leaves has the turn"
    )
    start = revert_all(scene, [event for entry in entries for event in entry.events])
    assert start == here, "undoing join, leave and end leads to another scene"


def test_an_entry_written_and_read_is_the_same_entry(name: str) -> None:
    for fight in fights(name):
        for entry in fight.entries:
            text = line(entry_record(entry))
            assert text.endswith("\n") and text.count("\n") == 1, f"an entry of several lines: {text}"
            again_ = entry_of(json.loads(text))
            assert again_ == entry and line(entry_record(again_)) == text, (
                f"{entry.intent.action} is another entry when it is read from the journal: setups and outcomes hold "
                f"numbers, texts, tuples and None\n{fight.story}"
            )
            seeded = entry._replace(seed=fight.seed)
            assert entry_of(json.loads(line(entry_record(seeded)))) == seeded, fight.story


def test_a_journal_gives_the_same_scene_after_every_step(name: str) -> None:
    for fight in fights(name):
        head = header("0", name, fight.seed, "20260101T000000Z", fight.start.fighters.values(), {})
        head = json.loads(line(head))
        crisis = begun(head)
        assert plain(crisis.scene) == plain(fight.start), f"the start {FROM_JOURNAL}\n{fight.story}"
        for entry, scene in zip(fight.entries, fight.scenes, strict=True):
            crisis = crisis.after(entry_of(json.loads(line(entry_record(entry)))))
            assert crisis.scene == scene, f"{entry.intent.action} {FROM_JOURNAL}\n{fight.story}"
        whole = folded_lines([line(head), *(line(entry_record(entry)) for entry in fight.entries)])
        assert whole.scene == fight.scenes[-1], f"the whole fight {FROM_JOURNAL}\n{fight.story}"
        assert whole.undo().redo().scene == whole.scene, f"undo and redo lead to another scene\n{fight.story}"


def test_the_recorded_faces_give_the_same_events_again(name: str) -> None:
    system = load(name)
    for fight in fights(name):
        for entry, before in zip(fight.entries, (fight.start, *fight.scenes[:-1]), strict=True):
            assert again(system, before, entry) == entry, (
                f"{entry.intent.action} of {entry.intent.actor} comes to something else with the faces of its record: "
                f"rules may look at nothing but the scene, the intent and the table\n{fight.story}"
            )


PHASE_EVERY = 5
"""One of so many scenes of a fight is looked at where a phase works fighter by fighter."""


def test_simulated_fights_are_those_that_the_engine_plays_with_the_same_dice(name: str) -> None:
    """What is remembered of the steps of fights changes none of them: rules read the scene, and nothing else."""
    system = load(name)
    for size, apart in ((2, 0), (3, 12)):
        scene = placed(met(system, roster(name)[:size]), apart)._replace(open=True)
        start = FightStart(system, scene, Intent("init", "", tuple(scene.fighters)))
        by_engine, remembered = (
            [play_fight(course, table, FightLimits(rounds=20)) for _ in range(3)]
            for course in (EngineCourse(start), RememberedCourse(start))
            for table in (course.new_table(generator(size).random),)
        )
        assert remembered == by_engine, (
            "simulate plays other fights than the engine with the same dice: rules may look at nothing but the scene, "
            "the intent and the table, and marks that hold the number of a round declare holds_round=True"
        )


def test_a_phase_by_fighter_does_to_each_alone_what_it_does_to_all(name: str) -> None:
    system = load(name)
    places = [
        *scenes(name).values(),
        *(scene for fight in fights(name) for scene in fight.scenes[::PHASE_EVERY]),
    ]
    for phase, row in system.phases.items():
        if row.odds.by_fighter:
            assert phase.endswith("-round") and row.rule is nothing, (
                f"{phase} rolls dice, or is no phase of a round"
            )
            for scene in places:
                together = phase_events(system, scene, phase)
                alone = [
                    event
                    for who, one in scene.fighters.items()
                    for event in phase_events(system, scene._replace(fighters={who: one}), phase)
                ]
                assert sorted(together, key=whose) == sorted(alone, key=whose), (
                    f"{phase} does something else to all than to each alone: leave out by_fighter=True; {plain(scene)}"
                )


def phase_events(system: System, scene: Scene, phase: str) -> list[Event]:
    """What a phase of a round without dice does in a scene."""
    row, intent = system.phases[phase], Intent(phase)
    return [*effects(system, scene, intent, row, row.setup(scene, intent), None)]


def whose(event: Event) -> str:
    """Of which fighter an event tells."""
    return event.who


LATER = 7
"""Rounds by which a scene is moved to see whether their number matters."""


def test_where_something_ends_by_the_round_its_number_alone_changes_nothing(name: str) -> None:
    """Exact duels count all rounds from the present one: the same happens in a scene so many rounds later."""
    system = load(name)
    for before, entry in in_rounds(name):
        after = apply_all(before, entry.events)
        if is_timed(system, before) or is_timed(system, after):
            moved = later(system, before)
            events = again(system, moved, entry).events
            assert apply_all(moved, events) == later(system, after), (
                f"{entry.intent.action} of {entry.intent.actor} does something else {LATER} rounds later: a mark that "
                f"holds the number of a round declares holds_round=True, others never do; {plain(before)}"
            )


def in_rounds(name: str) -> Iterator[tuple[Scene, Entry]]:
    """What is done in the rounds of the random fights, and every legal action of the scenes with a round: each in the
    scene before it."""
    for fight in fights(name):
        before = (fight.start, *fight.scenes[:-1])
        yield from ((scene, entry) for scene, entry in zip(before, fight.entries, strict=True) if scene.round)
    for _, scene, several in offers(name):
        for one in several if scene.round else ():
            yield scene, perform(load(name), scene, one.intent, thrown(1))


def is_timed(system: System, scene: Scene) -> bool:
    """Whether a fighter holds the number of a round: that in which a condition ends, or that of a mark."""
    return any(one.ends or any(map(system.holds_round, one.marks)) for one in scene.fighters.values())


def later(system: System, scene: Scene) -> Scene:
    """The scene with all numbers of rounds in it some rounds later."""

    def change(at: int, one: Fighter) -> Fighter:
        # An end without a round, such as that of the crisis, has the number 0.
        ends = {key: (phase, number and number + LATER) for key, (phase, number) in one.ends.items()}
        marks = {mark: value + LATER * system.holds_round(mark) for mark, value in one.marks.items()}
        return one._replace(ends=ends, marks=marks)

    return each(scene._replace(round=scene.round + LATER), change)


def test_one_face_less_is_noticed(name: str) -> None:
    system = load(name)
    for fight in fights(name)[:5]:
        for entry, before in zip(fight.entries, (fight.start, *fight.scenes[:-1]), strict=True):
            faces = [face for _, face in entry.faces]
            if faces:
                with pytest.raises(WrongDice):
                    perform(system, before, entry.intent, Table(Scripted(faces[:-1])))


def journal(fight: FoughtFight) -> list[str]:
    """The lines of the journal of a fight."""
    name, fighters = fight.start.system, fight.start.fighters.values()
    head = header("0", name, fight.seed, "2026-01-01T00:00:00Z", fighters, fight.start.sides)
    return [line(plain(head)), *(line(entry_record(entry)) for entry in fight.entries)]


def test_verify_finds_nothing_in_what_was_just_fought(name: str) -> None:
    for fight in fights(name)[: None if MORE else 5]:
        require_verified(fight)


MANY_SIDES = range(8)
"""Seeds of the fights of three sides and more."""


def test_a_fight_of_many_sides_is_read_back_undone_and_verified(name: str) -> None:
    for seed in MANY_SIDES:
        many_sides.fought(load(name), roster(name), seed)


Path_ = tuple[str | int, ...]
RULED = ("forced", "modifiers", "rolls", "choices", "stake", "outcome", "events")
"""Parts of an entry that the current rules give anew; what somebody meant to do is checked by the seal."""


def leaves(value: Any, path: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    """Every number, flag and word in a record, and where it is."""
    if isinstance(value, (dict, list)):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(part, (*path, key))
    else:
        yield path, value


def words(path: Path_) -> bool:
    """Whether a place in what the rules give holds a sentence, which a later version may word in another way."""
    inside = path[:1] == ("modifiers",) and path[-1] in (1, 4)
    pairs = path[:2] in (("outcome", "skipped"), ("outcome", "surplus")) and path[-1] == 1
    return path[:1] == ("forced",) or inside or pairs


def other(value: Any, dice: Random) -> Any:
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + dice.choice((-30, -1, 1, 2, 500))
    return f"{value}x" if isinstance(value, str) else 1


def tampered(record: Any, path: Path_, value: Any) -> Any:
    """A copy of a record with one value changed."""
    record = copy.deepcopy(record)
    part = record
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    return record


def found(name: str, lines: list[str], at: int, text: str) -> bool:
    """Whether verify, or reading alone, finds that one line of a journal is another."""
    try:
        return any(differences(load(name), [*lines[:at], text]))
    except CrisisError:
        return True


@pytest.mark.parametrize("seed", range(3))
def test_verify_finds_any_value_edited_in_any_line(name: str, seed: int) -> None:
    dice, lines = Random(seed), journal(short(name, seed))
    for _ in range(EDITS):
        at = dice.randrange(len(lines))
        record = json.loads(lines[at])
        path, value = dice.choice([*leaves(record)])
        text = json.dumps(tampered(record, path, other(value, dice)))
        assert found(name, lines, at, text), f"verify does not find that {path} of line {at} was {value}"


@pytest.mark.parametrize("seed", range(3))
def test_the_rules_and_the_seed_find_it_where_the_seal_was_made_anew(name: str, seed: int) -> None:
    dice, lines = Random(seed), journal(short(name, seed))
    records = [json.loads(text) for text in lines]
    places = {
        part: [at for at, record in enumerate(records) if at and any(leaves(record.get(part, {})))]
        for part in RULED
    }
    tried: Counter[str] = Counter()
    for _ in range(EDITS):
        part = dice.choice([part for part in RULED if places[part]])
        at = dice.choice(places[part])
        path, value = dice.choice([*leaves(records[at][part], (part,))])
        if words(path):
            continue
        tried[part] += 1
        edited = tampered(records[at], path, other(value, dice))
        assert found(name, lines, at, line(edited)), (
            f"the rules do not find that {path} of line {at} was {value}"
        )
    missing = {"rolls", "outcome", "events"} - {*tried}
    assert not missing, (
        f"random fights have no {', '.join(sorted(missing))} to edit: does anything roll, and change anything?"
    )


def short(name: str, seed: int) -> FoughtFight:
    """One of the shorter fights; the last of three is one in which the table interferes."""
    return meddled(name)[0] if seed == 2 else sorted(fights(name), key=lambda fight: len(fight.entries))[seed]


def test_verify_finds_lines_that_came_or_went(name: str) -> None:
    lines = journal(short(name, 0))
    records = [json.loads(text) for text in lines]
    rolled = [at for at, record in enumerate(records) if record.get("rolls") and record["events"]]
    telling = next((at for at, record in enumerate(records) if record.get("modifiers")), rolled[0])
    record = records[telling]
    godmode = ["attack", "GODMODE", 30, "ALL-6", "", "", 0]
    modifiers = record.get("modifiers", [])
    said = f"verify does not find a changed line of {record['intent']}"
    assert found(name, lines, telling, line({**record, "modifiers": [*modifiers, godmode]})), said
    if modifiers:
        assert found(name, lines, telling, line({**record, "modifiers": modifiers[1:]})), said
    assert found(
        name, lines, telling, line({**record, "rolls": record.get("rolls", [])[:-1] or [godmode]})
    ), said
    assert found(name, lines, telling, json.dumps({key: record[key] for key in record if key != "seal"})), (
        said
    )
    once = next(event for event in record["events"])
    back = [once[0], once[1], once[3], once[2], "ALL-6"]
    assert found(name, lines, telling, line({**record, "events": [*record["events"], back, once]})), said


def test_words_in_a_journal_may_change(name: str) -> None:
    system = load(name)
    for text in (lines := journal(short(name, 1)))[1:]:
        record = json.loads(text)
        for one in record.get("modifiers", ()):
            one[1] = "said in other words"
            one[4] = ""
        lines[lines.index(text)] = line({key: value for key, value in record.items() if key != "seal"})
    wrong = [*differences(system, lines)]
    assert not wrong, f"verify finds a difference in words alone: {wrong[0]}"


def test_swift_fights_end_too(name: str) -> None:
    """Whole answers drawn from their distributions serve `perform` as faces do."""
    system = load(name)
    for seed in range(3):
        dice, table = Random(seed), DrawTable(generator(seed).random, Laws())
        scene = opened(system, met(system, roster(name)[:2]), seed)
        while not decided(system, scene) and scene.round <= ROUNDS:
            intent = chosen(system, scene, dice)
            prepared = None if intent.action == "next" else prepare(system, scene, intent)
            if prepared is None or prepared.payment.of:
                events = perform(system, scene, intent, thrown(seed)).events
            else:
                events = drawn(system, scene, intent, prepared, table)
            scene = apply_all(scene, events)
            wrong = broken(system, scene)
            assert not wrong, (
                f"{intent.action} of {intent.actor} leads out of bounds, {wrong[0]}: {IN_BOUNDS} (seed {seed})"
            )
        assert decided(system, scene), (
            f"a fight of random actions is not over in round {scene.round}: can attacks hit? (seed {seed})"
        )


def drawn(system: System, scene: Scene, intent: Intent, prepared: Any, table: DrawTable) -> Any:
    """What an action changes when its whole outcome is drawn at once."""
    return consequences(system, scene, intent, prepared, table.ask(prepared.rule, prepared.dice))
