"""The plain policy weighs attacks whose dice have too many answers for each target alone, and rolls them."""

from __future__ import annotations

from typing import Any

import pytest
from simulations import DUELS, opening

from crisis_cli.ai.resources import with_full_turn
from crisis_cli.dice.distribution import Distribution, OddsTable, least_harm
from crisis_cli.dice.generator import Seeded, generator
from crisis_cli.dice.table import Table
from crisis_cli.engine.legal_actions import of
from crisis_cli.engine.perform import perform
from crisis_cli.engine.scene import Intent, Scene
from crisis_cli.engine.validate import Prepared, prepare
from crisis_cli.errors import TooWide
from crisis_cli.simulation import plain
from crisis_cli.simulation.drawn import DrawnFights
from crisis_cli.simulation.fight import FightLimits
from crisis_cli.simulation.memo import Memo
from crisis_cli.simulation.minds import PlainMind
from crisis_cli.simulation.outcomes import Law, Rest
from crisis_cli.simulation.plain import Plain
from crisis_cli.simulation.tally import Counts

SIGMA = 3.0
FIGHTS = 300


class Asked(OddsTable):
    """An odds table that counts how often a question took too long, those that it asks in turn not counted."""

    def __init__(self) -> None:
        super().__init__(least_harm)
        self.times = 0

    def of(self, rule: Any, *args: Any) -> Distribution:
        """The distribution of a rule."""
        is_outermost = not self.spending
        try:
            return super().of(rule, *args)
        except TooWide:
            self.times += is_outermost
            raise


def attack(system: str, hero: str, foe: str) -> tuple[Plain, Scene, Intent, Prepared]:
    """The first attack of one on the other at the start of its turn, prepared."""
    opened = opening(system, hero, foe)
    policy = Plain(opened.system, Asked())
    who, target = opened.scene.fighters
    scene = with_full_turn(opened.system, opened.scene, who, fresh=True)
    intent = next(
        one.intent
        for one in of(opened.system, scene, who, lambda intent: intent.target == target)
        if one.intent.action == "attack"
    )
    prepared = prepare(opened.system, scene, intent)
    return policy, prepared.begun(scene), intent, prepared


@pytest.mark.parametrize(
    ("system", "hero", "foe"),
    [
        ("2d20", "cass", "robot"),
        ("2d20", "ghoul", "cass"),
        ("2d20", "mutant", "robot"),
        ("step", "vera", "raider"),
    ],
)
def test_an_attack_is_worth_the_same_by_the_odds_of_its_target_alone(
    system: str, hero: str, foe: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy, scene, intent, prepared = attack(system, hero, foe)
    worth = policy.value(scene, intent, prepared)
    assert worth > plain.LEAST
    policy.too_wide.clear()
    monkeypatch.setattr(plain, "MOST_ANSWERS", 1)
    assert policy.law_of(prepared.rule, prepared.dice) is None
    assert policy.value(scene, intent, prepared) == pytest.approx(worth)


@pytest.mark.slow
def test_dice_with_too_many_answers_are_found_out_once() -> None:
    """2D20-24: each Effect of a shotgun hits another location, with five dice and more."""
    policy, scene, intent, prepared = attack("2d20", "mutant", "cass")
    worth = policy.value(scene, intent, prepared)
    assert worth > plain.GUESSED
    assert policy.value(scene, intent, prepared) == worth
    assert isinstance(policy.odds_table, Asked) and policy.odds_table.times == 1


@pytest.mark.slow
def test_attacks_that_are_rolled_win_as_often_as_those_that_are_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shares = []
    for most in (plain.MOST_ANSWERS, 20):
        monkeypatch.setattr(plain, "MOST_ANSWERS", most)
        memo, dice = Memo(opening("2d20", *DUELS["2d20"]), OddsTable(least_harm)), generator(5, most)
        fights, counts = DrawnFights(memo, FightLimits()), Counts()
        fights.fight([*memo.opened(FIGHTS, dice)], dice)
        fights.count(counts)
        shares.append(counts["wins", "players"] / FIGHTS)
    drawn, rolled = shares
    assert 0 < drawn < 1
    assert abs(drawn - rolled) < SIGMA * (2 * drawn * (1 - drawn) / FIGHTS) ** 0.5


def test_an_attack_with_too_many_answers_is_rolled(monkeypatch: pytest.MonkeyPatch) -> None:
    for most, kind in ((plain.MOST_ANSWERS, Law), (20, Rest)):
        monkeypatch.setattr(plain, "MOST_ANSWERS", most)
        memo, dice = Memo(opening("2d20", *DUELS["2d20"]), OddsTable(least_harm)), generator(5, 0)
        (state, _), *_ = memo.opened(1, dice)
        assert isinstance(memo.act(state)[0], kind)


def test_the_plain_policy_adds_nothing_to_a_hit() -> None:
    """2D20-16: extra rounds, AP for damage and further targets are chosen after a hit, and not by this policy."""
    opened = opening("2d20", "cass", "ghoul")
    policy = PlainMind(Plain(opened.system))
    cass, ghoul = opened.scene.fighters
    scene = with_full_turn(opened.system, opened.scene, cass, fresh=True)._replace(turn=cass, open=True)
    table = Table(Seeded(lambda: 0.1), policy.chooser(scene))
    entry = perform(opened.system, scene, Intent("attack", cass, (ghoul,)), table)
    assert entry.outcome["success"]
    assert not entry.choices
    rounds = f"ammo:{scene.fighters[cass].held[0]}"
    assert [one.now - one.was for one in entry.events if one.what == rounds] == [-1]
