"""What the player of 2d20 is asked after a hit: extra rounds, AP for damage, further targets of a burst (2D20-16)."""

from __future__ import annotations

import pytest
from conftest import Player

HIT = "--dice 8,11,4"


@pytest.fixture
def shooting(crisis: Player) -> Player:
    """Cass's turn, with a repeater that fires two extra rounds, against a mutant and a ghoul."""
    crisis.ok("init cass doc --vs mutant ghoul --open --seed 12 --initiator cass")
    crisis.ok("questions all")
    return crisis


def pools(crisis: Player, who: str) -> dict[str, int]:
    """The pools of a fighter."""
    (found,) = (one for one in crisis.ok("status --json").record["fighters"] if one["name"] == who)
    return dict(found["pools"])


def test_extra_rounds_are_asked_for_after_the_hit_with_what_they_would_do(shooting: Player) -> None:
    shown = shooting(f"attack mutant {HIT},1,1,2,2,3,1", answers=["one", "keep"])
    assert shown.status == 0 and shooting.prompts[0].startswith("Cass: [none], 2, 3, !")
    assert "2 successes of 1 needed (defense 1)" in shown.err
    assert "How many extra rounds? Each adds a combat die to the 5 of the hit." in shown.err
    assert "to bring Mutant down" in shown.err and "one, 1 of 23 rounds" in shown.err
    assert pools(shooting, "Cass")["ammo:repeater"] == 22
    assert shooting.ok("verify --json").record["verified"] is True


def test_enter_buys_nothing_and_a_miss_asks_nothing(shooting: Player) -> None:
    assert shooting(f"attack mutant {HIT},1,1,2,2,1", answers=[""]).status == 0
    shooting.ok("set cass major 1")
    assert shooting("attack mutant --luck 0 --dice 19,18", answers=[]).status == 0
    assert pools(shooting, "Cass")["ammo:repeater"] == 22 and len(shooting.prompts) == 1


def test_a_burst_asks_for_further_targets_when_its_effects_have_fallen(shooting: Player) -> None:
    shown = shooting(f"attack mutant {HIT},1,1,2,5,3,4", answers=["none", "keep", "ghoul"])
    assert shown.status == 0 and "ghoul, round" in shown.err
    assert "The burst goes on to Ghoul." in shown.out
    assert pools(shooting, "Cass")["ammo:repeater"] == 22 and pools(shooting, "Ghoul")["hp"] < 9
    shooting.ok("undo")
    assert pools(shooting, "Ghoul")["hp"] == 9
    shooting.ok("redo")
    assert pools(shooting, "Ghoul")["hp"] < 9
    assert shooting.ok("verify --json").record["verified"] is True


def test_options_given_beforehand_and_scripts_are_not_asked(shooting: Player) -> None:
    given = shooting("attack mutant --extra-rounds 1 --luck 0 --dice 8,11,4,1,1,2,5,3,3", answers=[])
    assert given.status == 0 and shooting.prompts == []
    shooting.ok("set cass major 1")
    record = shooting.ok("attack mutant --json --dice 8,11,4,1,1,2,5,3").record
    assert "choices" not in record


@pytest.mark.slow
def test_a_bought_major_action_is_said_beforehand_and_afterwards(shooting: Player) -> None:
    shooting.ok("set players ap 2")
    shooting.ok("set cass major 0")
    assert "1 Major action bought for 2 AP" in shooting.ok("odds attack mutant").out
    assert "2 AP, 1 repeater round" in shooting.ok("odds").out.replace("\n", " ")
    shown = shooting("attack mutant --dice 18,19", answers=["keep"])
    assert "(1 Major action bought for 2 AP):\n" in shown.err
    assert "0 successes of 2 needed (defense 1 + bought action 1)" in shown.err
    assert "(1 Major action bought for 2 AP" in shown.out


def test_rerolled_dice_show_what_they_were(shooting: Player) -> None:
    shown = shooting.ok("attack mutant --luck 2 --extra-rounds 0 --dice 18,19,4,4,4,3,1,1,2,1,5")
    assert "[18 19→4] against 11" in shown.out and "damage: [4→1 3→5=1E 1 1 2]" in shown.out


def test_equal_opponents_stay_one_line_of_the_ranking(crisis: Player) -> None:
    crisis.ok("init cass --vs ghoul:2 --open --seed 12 --initiator cass")
    attacks = [one for one in crisis.ok("odds --json").records if one["action"] == "attack"]
    assert attacks and all(one["alike"] for one in attacks)


def test_opponents_decide_after_the_hit(crisis: Player) -> None:
    """2D20-16: the same question; they buy what leaves a foe least, and nothing that hurts nobody more."""
    crisis.ok("init cass doc --vs ghoul --open --seed 12 --initiator ghoul")
    record = crisis.ok("attack cass --json --dice 2,3,10,4,2,1,5,1,1,1").record
    assert record["choices"] == [
        {"who": "Ghoul", "offered": ["none", "one", "two", "three"], "taken": "three"}
    ]
    assert {"who": "opponents", "what": "ap", "was": 2, "now": 0} in [
        {key: one[key] for key in ("who", "what", "was", "now")} for one in record["effects"]
    ]
    assert crisis.ok("verify --json").record["verified"] is True
    crisis.ok("undo")
    crisis.ok("set cass hp 0")
    assert "choices" not in crisis.ok("attack cass --json --dice 2,3,10,4,2,1,5").record


def test_the_ranking_offers_nothing_that_is_chosen_after_the_hit(shooting: Player) -> None:
    """2D20-16; and what only earns AP is worth the share of an action that they pay for."""
    records = shooting.ok("odds --json").records
    assert not any({"extra_rounds", "ap_dice"} & set(one.get("options", {})) for one in records)
    rally = next(one for one in records if one.get("action") == "rally")
    best = max(one["worth"] for one in records if one.get("action") == "attack")
    assert 0 < rally["worth"] <= best
    assert "earns 1.00 AP on average" in shooting.ok("odds").out
