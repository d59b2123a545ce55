"""What the player is asked to spend on a roll that has failed (POOL-7)."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import Player

ALL = ["keep", "bonus", "destiny", "reroll", "reroll-destiny"]
MISS = "1,1,1,1,1,1"


@pytest.fixture
def luck(crisis: Player) -> Player:
    """Tilda with a bonus die, a destiny die and a re-roll, whose turn it is, and a bandit."""
    crisis.ok("init tilda --vs bandit --open --seed 5 --dice 5,4,1,1,1,1,1")
    return crisis


def left(crisis: Player) -> tuple[int, int, int]:
    pools = crisis.fighter("Tilda")["pools"]
    return pools["bonus-dice"], pools["destiny-dice"], pools["rerolls"]


def done(shown: Any) -> dict[str, Any]:
    assert shown.status == 0, shown
    record: dict[str, Any] = shown.record
    return record


def test_after_a_failure_the_player_is_asked_again_and_again(luck: Player) -> None:
    shown = luck(f"attack bandit --json --dice {MISS},1,{MISS},1,4", answers=["bonus", "reroll", "dest"])
    record = done(shown)
    assert record["success"] is True
    assert [one["offered"] for one in record["choices"]] == [
        ALL,
        ["keep", "destiny", "reroll", "reroll-destiny"],
        ["keep", "destiny", "reroll-destiny"],
    ]
    (roll,) = (one for one in record["rolls"] if one["what"] == "attack")
    assert (roll["target"], roll["successes"], roll["success"]) == (5, 1, True), "it stays one roll"
    assert roll["faces"] == [1] * 14 + [4] == [face for part in roll["parts"] for face in part["faces"]]
    assert [(one["part"], one["dice"], one["target"], one["successes"]) for one in roll["parts"]] == [
        ("pool", "6d6!", 5, 0),
        ("bonus", "1d6!", 5, 0),
        ("re-roll", "6d6!", 5, 0),
        ("bonus", "1d6!", 5, 0),
        ("destiny", "1d6!", 4, 1),
    ], "a re-roll repeats the whole roll, the bonus die with it"
    assert sum(one["value"] for one in roll["modifiers"]) == roll["target"]
    assert "+4  counts from  POOL-7" in luck.ok("explain").out
    assert left(luck) == (0, 0, 0)


def test_each_way_is_told_with_its_chance_and_price(luck: Player) -> None:
    shown = luck(f"attack bandit --dice {MISS}", answers=["keep"])
    assert "1. keep:           it stays as it fell\n" in shown.err
    assert "2. bonus:          33.3 % to succeed, costs 1 bonus die\n" in shown.err
    assert "3. destiny:        50.0 % to succeed, costs 1 destiny die\n" in shown.err
    assert "4. reroll:         91.2 % to succeed, costs 1 re-roll\n" in shown.err
    assert "5. reroll-destiny: 98.4 % to succeed, costs 1 destiny die\n" in shown.err
    assert left(luck) == (1, 1, 1)
    assert luck.prompts == [f"Tilda: {', '.join(ALL)}? "]


def test_what_was_spent_is_verified_undone_and_done_again(luck: Player) -> None:
    done(luck(f"attack bandit --json --dice {MISS},2,{MISS},4", answers=["bonus", "reroll-destiny", "keep"]))
    assert left(luck) == (0, 0, 1)
    assert luck.ok("verify").status == 0
    luck.ok("undo")
    assert left(luck) == (1, 1, 1)
    luck.ok("redo")
    assert left(luck) == (0, 0, 1)


def test_checks_and_first_aid_ask_too(luck: Player) -> None:
    assert done(luck("check shooting --json --dice 1,1,1,1,1,5", answers=["bonus"]))["success"] is True
    luck.ok("set tilda wounds 4")
    assert done(luck("heal --json --dice 1,1,1,4", answers=["destiny"]))["success"] is True
    assert left(luck) == (0, 0, 1)


@pytest.mark.parametrize(
    "words",
    [
        "attack bandit --dice 1,1,1,1,1,5",
        f"attack bandit --bonus 0 --dice {MISS}",
        f"attack bandit --bonus 1 --dice {MISS},1",
        f"attack bandit --reroll --dice {MISS},{MISS}",
        "attack tilda --by bandit --force --react none --dice 1,1,1,1",
    ],
)
def test_nobody_is_asked_after_a_success_or_where_it_was_said_or_an_opponent_fails(
    luck: Player, words: str
) -> None:
    record = done(luck(f"{words} --json", answers=[]))
    assert all("keep" not in one["offered"] for one in record.get("choices", ()))
    assert luck.prompts == []


def test_a_reaction_named_says_nothing_of_what_one_spends(luck: Player) -> None:
    for react in ("none", "best", "ask"):
        done(luck(f"attack bandit --react {react} --dry-run --json --dice {MISS}", answers=["keep"]))
    assert len(luck.prompts) == 3


def test_a_one_off_asks_nothing_and_without_a_terminal_nothing_is_spent(crisis: Player, luck: Player) -> None:
    assert done(luck(f"attack bandit --json --dice {MISS}"))["success"] is False
    assert left(luck) == (1, 1, 1)
    assert luck("end").status == 0
    assert "choices" not in done(crisis(f"attack tilda bandit --json --dice {MISS}", answers=[]))
    assert crisis.prompts == []


def test_no_dice_cannot_be_thrown_again(luck: Player) -> None:
    """Without dice in the pool only dice that are added can help."""
    record = done(luck("check bagpipes --json --dice 5", answers=["bonus"]))
    assert record["choices"][0]["offered"] == ["keep", "bonus", "destiny"]
    assert record["success"] is True


def test_the_odds_are_those_without_what_could_be_spent(luck: Player) -> None:
    before = luck.ok("odds attack bandit --json").record
    luck.ok("set tilda bonus-dice 0")
    luck.ok("set tilda rerolls 0")
    luck.ok("set tilda destiny-dice 0")
    assert luck.ok("odds attack bandit --json").record == before


def test_an_action_that_is_lost_has_cost_what_was_spent_on_its_roll(luck: Player) -> None:
    luck.ok("next")
    luck.ok("next")
    luck.ok("set tilda wounds 7")
    words = f"attack bandit --answer bandit=attack --json --dice {MISS},5,5,5,5,5"
    record = done(luck(words, answers=["bonus"]))
    assert record["outcome"] == "lost"
    assert left(luck) == (0, 1, 1)
    assert luck.ok("verify").status == 0
