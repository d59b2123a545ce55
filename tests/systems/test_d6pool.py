"""What cases cannot say of d6pool: the pool against other libraries, what is stopped first, answers, whole fights."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import icepool
import pytest
from conftest import Player
from dyce import H

from crisis_cli.ai.choosing import policy
from crisis_cli.dice.distribution import OddsTable, least_harm
from crisis_cli.dice.exploding import total_of_one, ways_of_one
from crisis_cli.dice.generator import Seeded, generator
from crisis_cli.dice.scripted import Scripted
from crisis_cli.dice.table import Table
from crisis_cli.engine.action_odds import action_odds
from crisis_cli.engine.events import apply_all, revert_all
from crisis_cli.engine.legal_actions import legal
from crisis_cli.engine.perform import perform
from crisis_cli.engine.resolve import consequences
from crisis_cli.engine.scene import Fighter, Intent, Scene
from crisis_cli.engine.validate import prepare
from crisis_cli.rules import Initiative
from crisis_cli.sheets.check import read
from crisis_cli.sheets.fighters import fighter
from crisis_cli.systems import load
from crisis_cli.systems.d6pool.rolls import HIT, Scale, counted, criticals, mega, scored
from crisis_cli.systems.d6pool.turns import score

SYSTEM = load("d6pool")
SHEETS = Path(__file__).parents[2] / "characters" / "d6pool"


def shipped(stem: str, name: str = "", **changes: Any) -> Fighter:
    """A fighter of a shipped sheet, parts of the sheet replaced."""
    one = read(SHEETS / f"{stem}.toml", stem)
    return fighter(SYSTEM, one._replace(values={**one.values, **changes}), name=name)


def met(*fighters: Fighter, **fields: Any) -> Scene:
    """A scene of fighters."""
    return Scene(SYSTEM.name, {one.name: one for one in fighters}, **fields)


def fractions(distribution: Any) -> dict[Any, Fraction]:
    """A distribution as exact chances."""
    return {outcome: Fraction(ways, distribution.total) for outcome, ways in distribution}


# ---------------------------------------------------------------- the pool (POOL-4, POOL-6, POOL-17)


def exploding() -> Any:
    """One die of icepool, which can come to what a die can come to here."""
    return icepool.Die(dict(ways_of_one(6)))


@pytest.mark.parametrize("dice", [1, 2, 5, 9])
@pytest.mark.parametrize("least", [2, 5, 8, 13])
def test_hits_and_critical_hits_are_those_of_icepool(dice: int, least: int) -> None:
    def grade(value: int) -> tuple[int, int]:
        return (0, 0) if value < least else (0, 1) if value >= 11 else (1, 0)

    other = dice @ exploding().map(lambda value: icepool.Vector(grade(value)))
    wanted = {tuple(pair): Fraction(other.probability(pair)) for pair in other.outcomes()}
    distribution = (
        OddsTable().of(scored, dice, Scale(least, 11)).of(lambda hits: (hits.of(HIT), criticals(hits)))
    )
    assert fractions(distribution) == wanted


@pytest.mark.parametrize("dice", [1, 3, 6])
def test_successes_outside_attacks_are_those_of_dyce(dice: int) -> None:
    """POOL-6: a die is worth 1 at the minimum roll, 2 at 11, 3 at 17 …"""
    ways: dict[int, int] = {}
    for value, count in ways_of_one(6):
        worth = 0 if value < 5 else 1 + (value - 5) // 6
        ways[worth] = ways.get(worth, 0) + count
    other = dice @ H(ways)
    total = sum(other.counts())
    wanted = {value: Fraction(count, total) for value, count in other.items()}
    assert fractions(OddsTable().of(counted, dice, Scale(5))) == wanted


def test_the_sum_of_a_turn_order_roll_is_that_of_icepool() -> None:
    """POOL-8."""
    other = 3 @ exploding()
    wanted = {value: Fraction(other.probability(value)) for value in other.outcomes()}
    assert fractions(OddsTable().of(score, Initiative("Ada", 0, dice=3))) == wanted


def test_dice_fall_wave_by_wave_and_their_sums_are_reported() -> None:
    """ALL-2: first all dice, then all that go on."""
    table = Table(Scripted([6, 2, 6, 6, 3, 1]))
    table.label("attack")
    score = scored(table, 3, Scale(5, 11))
    assert table.throws[0].reckoning["values"] == [13, 2, 9]
    assert score.count == 2 and criticals(score) == 1


# ---------------------------------------------------------------- what is stopped first (POOL-22, POOL-24, POOL-28)


def by_hand(dice: int, stopped: int) -> dict[int, Fraction]:
    """The wounds of so many dice if the worst critical hits are stopped, every value of every die counted."""
    found: dict[int, Fraction] = {}
    for row in product(ways_of_one(6), repeat=dice):
        chance = Fraction(1)
        for _, ways in row:
            chance *= Fraction(ways, total_of_one(6))
        worst = sorted((1 + mega(value) for value, _ in row if value >= 11), reverse=True)
        normal = sum(5 <= value < 11 for value, _ in row)
        wounds = normal + sum(worst[stopped:])
        found[wounds] = found.get(wounds, Fraction(0)) + chance
    return found


@pytest.mark.parametrize("critical", [0, 1, 2])
def test_critical_protection_stops_the_worst_hits(critical: int) -> None:
    attacker = shipped("hagen", skills={"hand-to-hand": 0})
    sword = attacker.sheet["weapons"]["sword"]
    attacker = attacker._replace(sheet={**attacker.sheet, "weapons": {"sword": {**sword, "piercing": 0}}})
    armour = {"protection": {**attacker.sheet["armour"]["protection"], "normal": 0, "critical": critical}}
    target = shipped("bandit", wounds=99, armour={**armour, "encumbrance": 0})
    scene = met(attacker, target)
    report = action_odds(SYSTEM, scene, Intent("attack", "Hagen", ("Bandit",)), OddsTable())
    wanted = by_hand(2, critical)
    if critical:
        # What is left of critical protection stops normal hits as well.
        wanted = by_hand_sparing(critical)
    distribution = report.effects["Bandit"].get("wounds")
    assert (fractions(distribution) if distribution else {0: 1}) == wanted


def by_hand_sparing(critical: int) -> dict[int, Fraction]:
    """The wounds of two dice against so many critical units, which go to critical hits first."""
    found: dict[int, Fraction] = {}
    for row in product(ways_of_one(6), repeat=2):
        chance = Fraction(row[0][1] * row[1][1], total_of_one(6) ** 2)
        worst = sorted((1 + mega(value) for value, _ in row if value >= 11), reverse=True)
        normal = sum(5 <= value < 11 for value, _ in row)
        wounds = sum(worst[critical:]) + max(0, normal - max(0, critical - len(worst)))
        found[wounds] = found.get(wounds, Fraction(0)) + chance
    return found


# ---------------------------------------------------------------- reactions (POOL-14, POOL-27, POOL-28)


def test_the_best_reaction_is_never_worse_than_any_other() -> None:
    scene = met(shipped("bandit"), shipped("hagen"))
    harm = {}
    for react in ("none", "dodge", "parry", "shield", "best"):
        intent = Intent("attack", "Bandit", ("Hagen",), {"react": react, "protection": 0})
        report = action_odds(SYSTEM, scene, intent, OddsTable(policy(react)))
        harm[react] = report.effects["Hagen"]["wounds"].mean()
    assert harm["best"] <= min(harm.values()) + 1e-12 < harm["none"]


@pytest.mark.slow
def test_odds_of_an_answered_action_are_those_of_many_throws() -> None:
    """POOL-14: seeded, five standard deviations wide."""
    bandit = shipped("bandit")
    bandit = bandit._replace(pools={**bandit.pools, "wounds": 4, "protection:normal": 0})
    scene = met(bandit, shipped("hagen"), shipped("tilda"))
    intent = Intent("attack", "Bandit", ("Hagen",), {"answer": [["Tilda", "attack"]]})
    ways, total = action_odds(SYSTEM, scene, intent, OddsTable()).down["Bandit"]
    draws, fell = 3000, 0
    dice = Seeded(generator(4).random)
    for _ in range(draws):
        entry = perform(SYSTEM, scene, intent, Table(dice))
        fell += entry.outcome["word"] == "lost"
    p = ways / total
    assert abs(fell - draws * p) < 5 * (draws * p * (1 - p)) ** 0.5


def test_odds_of_an_answered_action_are_those_of_walking_every_answer() -> None:
    """POOL-14: each way in which the answer can end, and from there the action alone."""
    bandit = shipped("bandit")
    bandit = bandit._replace(pools={**bandit.pools, "wounds": 7, "protection:normal": 0})
    scene = met(bandit, shipped("hagen"), shipped("tilda"))
    table = OddsTable()
    first = Intent("attack", "Tilda", ("Bandit",), {"unaware": ["Bandit"]})
    prepared = prepare(SYSTEM, scene, first)
    wanted: dict[int, Fraction] = {}
    distribution = table.of(prepared.rule, prepared.dice).of(prepared.effect_key)
    for outcome, ways in distribution:
        after = apply_all(scene, consequences(SYSTEM, scene, first, prepared, outcome))
        share, unhurt = Fraction(ways, distribution.total), {0: Fraction(1)}
        if not SYSTEM.idle(after.fighters["Bandit"])[0]:
            alone = action_odds(SYSTEM, after, Intent("attack", "Bandit", ("Hagen",)), table)
            wounds = alone.effects.get("Hagen", {}).get("wounds")
            unhurt = fractions(wounds) if wounds else unhurt
        for harm, chance in unhurt.items():
            wanted[harm] = wanted.get(harm, Fraction(0)) + share * chance
    answered = Intent("attack", "Bandit", ("Hagen",), {"answer": [["Tilda", "attack"]]})
    report = action_odds(SYSTEM, scene, answered, table)
    assert len(distribution.ways) > 3 and len(wanted) > 2
    assert fractions(report.effects["Hagen"]["wounds"]) == wanted


def test_the_attack_is_rolled_as_announced_whatever_the_answer_changes() -> None:
    """POOL-14, POOL-21: the range counts when the attack is announced; the answer comes before the wounds."""
    bandit, hagen = (shipped(name)._replace(at=at) for name, at in (("bandit", (0, 0)), ("hagen", (1, 0))))
    scene = met(bandit, hagen)
    intent = Intent("attack", "Bandit", ("Hagen",), {"answer": [["Hagen", "run"]]})
    entry = perform(SYSTEM, scene, intent, Table(Scripted([5, 5, 1, 1])))
    assert entry.rolls[0].reckoning["target"] == 5 and entry.success
    hunkers = Intent("attack", "Bandit", ("Hagen",), {"answer": [["Hagen", "hunker"]]})
    entry = perform(SYSTEM, scene, hunkers, Table(Scripted([5, 5, 1, 1, 6, 1])))
    assert [roll.what for roll in entry.rolls] == ["attack", "cover"]


def test_an_action_lost_has_no_effect_and_is_undone_whole() -> None:
    """POOL-14: the answer comes first."""
    bandit = shipped("bandit")
    bandit = bandit._replace(pools={**bandit.pools, "wounds": 4, "protection:normal": 0})
    scene = met(bandit, shipped("hagen"), shipped("tilda"))
    intent = Intent("attack", "Bandit", ("Hagen",), {"answer": [["Tilda", "attack"]], "react": "parry"})
    # Four dice of the club, six of the parry, six of the machine-pistol.
    entry = perform(
        SYSTEM,
        scene,
        intent,
        Table(Scripted([5, 5, 5, 5, 1, 1, 1, 1, 1, 1, 5, 1, 1, 1, 1, 1]), lambda w, o: o[2]),
    )
    after = apply_all(scene, entry.events)
    assert after.fighters["Hagen"] == scene.fighters["Hagen"]
    assert after.fighters["Bandit"].has("dying")
    assert revert_all(after, entry.events) == scene


def test_an_action_without_dice_is_lost_to_an_answer_too() -> None:
    """POOL-12, POOL-14."""
    bandit = shipped("bandit")
    bandit = bandit._replace(pools={**bandit.pools, "wounds": 9, "protection:normal": 0}, at=(0, 0))
    scene = met(bandit, shipped("tilda")._replace(at=(3, 0)))
    for action, options in (("run", {"to": [4, 0]}), ("do", {})):
        intent = Intent(action, "Bandit", (), {**options, "answer": [["Tilda", "attack"]]})
        lost = perform(SYSTEM, scene, intent, Table(Scripted([5, 1, 1, 1, 1, 1])))
        after = apply_all(scene, lost.events).fighters["Bandit"]
        assert lost.outcome["word"] == "lost" and after.at == (0, 0) and after.has("dying")
    ran = Intent("run", "Bandit", (), {"to": [4, 0], "answer": [["Tilda", "attack"]]})
    missed = perform(SYSTEM, scene, ran, Table(Scripted([1, 1, 1, 1, 1, 1])))
    assert apply_all(scene, missed.events).fighters["Bandit"].at == (4, 0)


def test_kept_actions_open_a_window_out_of_turn() -> None:
    """POOL-13: what may be done out of turn is listed as that."""
    hagen, bandit = shipped("hagen"), shipped("bandit")
    hagen = hagen._replace(pools={**hagen.pools, "actions": 1, "wounds": 1})
    scene = met(hagen, bandit, open=True, order=("Bandit", "Hagen"), turn="Bandit", round=1)
    found = [one for one in legal(SYSTEM, scene) if one.intent.actor == "Hagen" and one.window == "out"]
    names = {one.intent.action for one in found}
    assert {"attack", "hunker", "run", "heal"} <= names
    assert "shield-block" not in names, "it takes two actions, and a reaction is one"
    assert all(one.costs in ((("actions", 1),), (("actions", 1), ("uses:bandage", 1)), ()) for one in found)


# ---------------------------------------------------------------- whole stories at the command line


def test_a_fight_is_undone_replayed_and_verified(crisis: Any) -> None:
    crisis.ok("init hagen tilda --vs bandit:2 --open --seed 11")
    start = crisis.ok("status --json").records
    for line in (
        "attack bandit-1 --react best",
        "next",
        "attack bandit-2 --mode burst --bonus 1",
        "next",
        "next",
        "next",
    ):
        crisis.ok(line)
    assert "no differences" in crisis.ok("verify").out
    assert crisis.ok("replay").out.count("\n") > 10
    for _ in range(6):
        crisis.ok("undo")
    assert crisis.ok("status --json").records == start


def test_a_rest_is_written_to_the_sheet_and_needs_no_crisis(crisis: Any) -> None:
    """POOL-39."""
    crisis.ok("character copy hagen")
    crisis.ok("attack bandit hagen --protection 0 --dice 5,5,5,5 --save")
    shown = crisis.ok("heal hagen --rest --dice 5,5,5,1,1 --save --json").records[0]
    assert shown["rolls"][0]["successes"] == 3
    effects = {one["what"]: (one["was"], one["now"]) for one in shown["effects"]}
    assert effects["wounds"] == (4, 1)


def test_a_mode_of_another_system_is_reported(crisis: Any) -> None:
    shown = crisis.refused(2, "attack tilda bandit --mode semi")
    assert "melee, single, burst, throw" in shown.err


def test_least_harm_prefers_nothing_where_nothing_helps() -> None:
    """A reaction costs an action; where it is of no use it is not taken."""
    scene = met(shipped("bandit"), shipped("hagen", shield={"cover": 6}))
    target = scene.fighters["Hagen"]
    scene = met(scene.fighters["Bandit"], target._replace(held=()))
    intent = Intent("attack", "Bandit", ("Hagen",), {"react": "best", "behind": True})
    entry = perform(
        SYSTEM,
        scene,
        intent,
        Table(Scripted([5, 1, 1, 1]), lambda who, options: least_harm(who, options, OddsTable())),
    )
    assert not entry.choices


def test_odds_say_how_likely_a_disarmed_weapon_is_lost(crisis: Player) -> None:
    """POOL-33, against icepool: six dice hit on 7 or more, so with a six; two of strength resist on 5, twice on 11."""
    record = crisis.ok("odds attack hagen bandit --disarm --json").record
    hits = 6 @ (icepool.d6 == 6)
    sums = icepool.d6.explode(depth=12)
    resisted = 2 @ sums.map(lambda value: 0 if value < 5 else max(1, (value - 11) // 6 + 2))
    lost = (resisted < hits).probability(True)
    assert record["ends"]["Bandit"]["held:club"]["p"] == pytest.approx(float(lost), abs=1e-9)
    shown = crisis.ok("odds attack hagen bandit --disarm")
    assert "  Bandit no longer holds  club 40.21 %" in shown.lines
