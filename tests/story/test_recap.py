"""`crisis log --recap`: harm, luck and turning points; luck against brute force."""

from __future__ import annotations

import os
from functools import partial
from itertools import pairwise, product
from math import prod, sqrt
from pathlib import Path
from typing import Any

import pytest
from conftest import Player

from crisis_cli.dice.distribution import OddsTable
from crisis_cli.dice.generator import Seeded, generator
from crisis_cli.dice.table import Table
from crisis_cli.engine.action_odds import action_odds
from crisis_cli.engine.perform import perform
from crisis_cli.engine.scene import Intent, Scene
from crisis_cli.sheets.find_fighters import FighterLoader
from crisis_cli.sheets.store import Folder, Store, shipped
from crisis_cli.story import luck
from crisis_cli.story.chances import CrisisOdds
from crisis_cli.story.recap import recap
from crisis_cli.story.walk import Step, steps
from story.fights import EVERY, fought, read


def below(laws: list[dict[int, float]], total: int) -> float:
    """The percentile by listing every way in which the numbers can fall."""
    ways = [
        (sum(values), prod(law[value] for law, value in zip(laws, values, strict=True)))
        for values in product(*laws)
    ]
    return 100 * (sum(p for s, p in ways if s < total) + sum(p for s, p in ways if s == total) / 2)


def test_four_attacks_against_every_pattern_of_hits_and_misses(fight: Player) -> None:
    for faces in ("6,4,3", "1,1,2", "5,5,5", "2,2,1"):
        fight.ok(f"attack drone --dice {faces} --force")
    record = fight.ok("log --recap --json").record["recap"]
    (jack,) = (one for one in record["fighters"] if one["name"] == "Jack")
    chances = []
    for _ in range(4):
        fight.ok("undo")
    hits = 0
    for faces in ("6,4,3", "1,1,2", "5,5,5", "2,2,1"):
        chances.append(fight.ok("odds attack drone --json --force").record["success"]["p"])
        hits += fight.ok(f"attack drone --dice {faces} --force --json").record["success"]
    assert (jack["attacks"], jack["hits"]) == (4, hits)
    assert jack["expected"] == pytest.approx(sum(chances), abs=1e-12)
    laws = [{0: 1 - chance, 1: chance} for chance in chances]
    assert jack["percentile"] == pytest.approx(below(laws, hits), abs=1e-12)
    assert jack["exact"] is True and jack["bound"] == 0


@pytest.mark.parametrize("system", EVERY)
def test_luck_of_a_short_fight_equals_brute_force(tmp_path: Path, system: str) -> None:
    fought(tmp_path, system, seed=1)
    crisis, rules = read(tmp_path)
    found, chances = recap(crisis, rules), CrisisOdds(rules)
    for one in found.fighters:
        mine = [step for step in steps(crisis) if step.entry.intent.actor == one.name]
        report = [odds for step in mine if (odds := _attack_odds(chances, step, rules))]
        if not one.tally.hit_luck or not one.tally.harm_luck or len(report) > 9:
            continue
        hits = [{0: 1 - odds.hit, 1: odds.hit} for odds in report]
        assert one.tally.hit_luck.percentile == pytest.approx(below(hits, one.tally.hits), abs=1e-12 * 100)
        few = [odds.harm for odds in report][:2]
        assert all(sum(law.values()) == pytest.approx(1, abs=1e-12) for law in few)
        exact = luck.of_sum(few, 3)
        assert exact.percentile == pytest.approx(below([dict(law) for law in few], 3), abs=1e-12 * 100)


@pytest.mark.parametrize("system", EVERY)
def test_what_was_to_be_expected_is_what_odds_showed_before_the_attack(tmp_path: Path, system: str) -> None:
    fought(tmp_path, system, seed=1)
    crisis, rules = read(tmp_path)
    chances, seen = CrisisOdds(rules), 0
    for step in steps(crisis):
        found, intent = _attack_odds(chances, step, rules), step.entry.intent
        if found is None or len(intent.targets) != 1 or intent.get("answer"):
            continue
        taken = [one.taken for one in step.entry.choices]
        odds = action_odds(rules, step.before, intent, OddsTable(partial(_as_taken, taken)))
        assert odds.success is not None
        assert found.hit == pytest.approx(odds.success[0] / odds.success[1])
        if not rules.fallen(step.before.fighters[intent.target]):
            down, total = odds.down[intent.target]
            assert found.down.get(intent.target, 0) == pytest.approx(down / total)
        seen += any(found.harm.values()) and max(found.harm) > 0
    assert seen


def _as_taken(taken: list[str], who: str, options: tuple[Any, ...], table: OddsTable) -> Any:
    """Everyone chooses what was chosen, else what is free."""
    return next((option for option in options if option.name in taken), options[0])


def _attack_odds(chances: CrisisOdds, step: Step, rules: Any) -> Any:
    from crisis_cli.story.chances import is_attack

    return chances.of(step) if is_attack(step.entry, step.before, rules) else None


@pytest.mark.parametrize("runs", [100, pytest.param(2_000, marks=pytest.mark.long)])
def test_luck_is_fair_over_many_runs_of_twenty_attacks(runs: int) -> None:
    """The mean of the percentiles is 50 within three standard errors."""
    store = Store((Folder(shipped(), "shipped", is_writable=False),), os.getcwd())
    system, fighters = FighterLoader(store).gather((["jack"], ["drone"]), True, ())
    scene = Scene(system.name, {one.name: one for one in fighters})
    names = list(scene.fighters)
    intent = Intent("attack", names[0], (names[1],))
    first = perform(system, scene, intent, Table(Seeded(generator(1).random)))
    odds = CrisisOdds(system).of(Step(first, scene, scene))
    assert odds is not None and 0 < odds.hit < 1
    found = []
    for run in range(runs):
        dice = Seeded(generator(20_261_122, run).random)
        hits = sum(bool(perform(system, scene, intent, Table(dice)).success) for _ in range(20))
        found.append(luck.of_hits([odds.hit] * 20, hits).percentile)
    mean = sum(found) / runs
    deviation = sqrt(sum((one - mean) ** 2 for one in found) / (runs - 1))
    assert abs(mean - 50) <= 3 * deviation / sqrt(runs)


@pytest.mark.slow
def test_many_attacks_use_the_normal_distribution_and_say_how_far_it_may_be_off() -> None:
    exact = luck.of_hits([0.3] * luck.MOST_ATTACKS, 620)
    rough = luck.of_hits([0.3] * (luck.MOST_ATTACKS + 1), 620)
    assert exact.exact and not rough.exact and 0 < rough.bound < 3
    assert abs(exact.percentile - rough.percentile) <= rough.bound


def test_no_luck_from_few_attacks_and_none_from_none(fight: Player) -> None:
    assert "Luck" not in fight.ok("log --recap").out
    record = fight.ok("log --recap --json").record["recap"]
    assert all("percentile" not in one for one in record["fighters"])


def test_an_undone_attack_changes_nothing(fight: Player) -> None:
    fight.ok("attack drone --dice 6,4,3")
    before = fight.ok("log --recap --json").out
    fight.ok("attack drone --dice 6,6,6")
    fight.ok("undo")
    assert fight.ok("log --recap --json").out == before


@pytest.mark.parametrize("system", EVERY)
def test_changes_of_the_lead_add_up_to_the_last_one(tmp_path: Path, system: str) -> None:
    player, journal = fought(tmp_path, system, seed=1)
    record = player.ok(f"log {journal} --recap --json").record["recap"]
    leads = [0.0, *(one["lead"] for one in record["lead"])]
    changes = [now - was for was, now in pairwise(leads)]
    sizes = [abs(one["change"]) for one in record["turning"]]
    assert sizes[:2] == pytest.approx(sorted(map(abs, changes), reverse=True)[: len(sizes[:2])])
    assert sizes == sorted(sizes, reverse=True)
    own = {one["name"] for one in record["fighters"] if one["side"] == "players"}
    downed = [name for one in record["fighters"] for name in one["downed"] if name in own]
    assert {*downed} <= {name for one in record["turning"] for name in one["downed"]}
    fallen = {name for one in record["fighters"] if one["side"] == record["winner"] for name in one["downed"]}
    assert not fallen or fallen & {name for one in record["turning"] for name in one["downed"]}
    end = player.ok(f"log {journal} --json").records[-1]
    assert end["action"] == "end" and end["number"] not in {one["entry"] for one in record["turning"]}
    assert record["winner"] in ("players", "opponents", None)
    shown = player.ok(f"log {journal} --recap")
    for section in ("Turning points", "Lead", "Standing"):
        assert section in shown.out
    for width in (60, 80, 120):
        wide = player.ok(f"log {journal} --recap", width=width)
        tables = wide.out.split("\nSpent")[0].split("\nStanding")[0]
        assert max(map(len, tables.splitlines())) <= width


def test_harm_between_turns_may_turn_a_fight(crisis: Player) -> None:
    for line in ("init cass --vs mutant --open --seed 2", "set cass condition:injured-torso 1", "next"):
        crisis.ok(line)
    assert "Cass suffers harm between turns  " in crisis.ok("log --recap").out


def test_turning_points_name_the_chance_of_what_happened(fight: Player) -> None:
    fight.ok("attack drone --dice 6,4,3")
    shown = fight.ok("log --recap").out
    assert "to hit, hit" in shown and "Jack swings the baton at Drone" in shown
