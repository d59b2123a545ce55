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
    crisis.ok("questions all")
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
    assert "+4  counts from" in luck.ok("explain").out
    assert left(luck) == (0, 0, 0)


def test_each_way_is_reported_with_its_chance_and_price(luck: Player) -> None:
    shown = luck(f"attack bandit --dice {MISS}", answers=["keep"])
    assert "1. keep                   it stays as it fell\n" in shown.err
    assert "2. bonus die              33.3 % to succeed\n" in shown.err
    assert "3. reroll, re-roll        91.2 % to succeed\n" in shown.err
    assert "4. reroll, destiny die    98.4 % to succeed\n" in shown.err
    assert "more: destiny\n" in shown.err, "for the same die all dice can be thrown again"
    assert left(luck) == (1, 1, 1)
    assert luck.prompts == ["Tilda: [keep], 2, 3, 4, more, ! for the rest of the fight? "]


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


# ---------------------------------------------------------------- reactions, resisting, dying


@pytest.fixture
def struck(crisis: Player) -> Player:
    """The bandit's turn; Hagen beside him, with an action kept, two bonus dice and a destiny die."""
    crisis.ok("init hagen --vs bandit --open --seed 5 --dice 5,5,5,1,1,1,1")
    crisis.ok("questions all")
    crisis.ok("act aim")
    crisis.ok("next")
    return crisis


def hagen(crisis: Player) -> tuple[int, int, int]:
    """The actions, bonus dice and destiny dice that Hagen has left."""
    pools = crisis.fighter("Hagen")["pools"]
    return pools["actions"], pools["bonus-dice"], pools["destiny-dice"]


def retraced(crisis: Player) -> None:
    """What has been done last agrees with the rules, and is undone and redone whole."""
    now = crisis.ok("status --json").record
    assert crisis.ok("verify --json").record["verified"] is True
    crisis.ok("undo")
    assert crisis.ok("status --json").record != now
    crisis.ok("redo")
    assert crisis.ok("status --json").record == now


BLOW = "5,1,1,1"
"""Four dice of the club: one hit."""


def test_a_dodge_that_fails_is_saved_by_a_bonus_die(struck: Player) -> None:
    words = f"attack hagen --react dodge --json --dice {BLOW},1,1,6,1"
    record = done(struck(words, answers=["bonus"]))
    assert struck.prompts == ["Hagen: [keep], 2, 3, 4? "], "a reaction named is asked about whole"
    (dodge,) = (one for one in record["rolls"] if one["what"] == "dodge")
    assert (dodge["who"], dodge["target"], dodge["successes"], dodge["success"]) == ("Hagen", 6, 1, True)
    assert [one["part"] for one in dodge["parts"]] == ["pool", "bonus"]
    assert hagen(struck) == (0, 1, 1) and "wounds" not in {one["what"] for one in record["effects"]}
    retraced(struck)


def test_a_parry_is_saved_by_destiny_after_a_bonus_die_was_in_vain(struck: Player) -> None:
    words = f"attack hagen --react parry --json --protection 0 --dice {BLOW},1,1,1,1,1,1,2,4"
    record = done(struck(words, answers=["bonus", "destiny"]))
    (parry,) = (one for one in record["rolls"] if one["what"] == "parry")
    assert (parry["target"], parry["successes"]) == (5, 1)
    assert parry["parts"][-1]["target"] == 4
    assert hagen(struck) == (0, 1, 0)
    retraced(struck)


def test_a_reaction_that_is_chosen_asks_too_and_keeping_costs_nothing(struck: Player) -> None:
    shown = struck(f"attack hagen --protection 0 --dice {BLOW},1,1", answers=["dodge", "keep"])
    assert shown.status == 0 and hagen(struck) == (0, 2, 1)
    assert struck.prompts == [
        "Hagen: 1, [parry], more, ! for the rest of the fight? ",
        "Hagen: [keep], 2, 3, more, ! for the rest of the fight? ",
    ]
    assert "2. bonus die              16.7 % to succeed" in shown.err, "a hit makes it 6 or more"


def test_a_roll_against_a_knockout_is_added_to_until_it_is_enough(struck: Player) -> None:
    """POOL-31: two hits take two successes; what has a success is not thrown again."""
    words = "attack hagen --knockout --react none --protection 0 --json --dice 5,5,1,1,5,1,5"
    record = done(struck(words, answers=["bonus"]))
    assert record["choices"][-1]["offered"] == ["keep", "bonus", "destiny"]
    (resist,) = (one for one in record["rolls"] if one["what"] == "resist")
    assert (resist["successes"], resist["difficulty"], resist["success"]) == (2, 2, True)
    assert hagen(struck) == (1, 1, 1) and not struck.fighter("Hagen")["conditions"].get("unconscious")
    retraced(struck)


def test_one_fighter_spends_no_more_than_there_is_on_several_rolls(struck: Player) -> None:
    struck.ok("set hagen bonus-dice 1")
    struck.ok("set hagen destiny-dice 0")
    words = f"attack hagen --knockout --react dodge --protection 0 --json --dice {BLOW},1,1,2,1,1"
    done(struck(words, answers=["bonus"]))
    assert len(struck.prompts) == 1, "it has gone into the dodge"
    assert hagen(struck) == (0, 0, 0)


def test_an_attack_as_an_answer_asks_and_is_paid_for(struck: Player) -> None:
    words = "attack hagen --answer hagen=attack --json --protection 0 --dice 5,1,1,1,1,1,1,1,1,1,5"
    record = done(struck(words, answers=["bonus"]))
    assert [(one["who"], one["successes"]) for one in record["rolls"]] == [("Bandit", 1), ("Hagen", 1)]
    assert hagen(struck) == (0, 1, 1)
    retraced(struck)


def test_the_dying_are_asked(struck: Player) -> None:
    struck.ok("set hagen wounds 10")
    struck.ok("set hagen condition:dying 5")
    shown = struck("next --json --dice 1,1,2,4", answers=["bonus", "destiny"])
    resist = next(one for one in done(shown)["rolls"] if one["what"] == "resist")
    assert [one["part"] for one in resist["parts"]] == ["pool", "bonus", "destiny"]
    assert struck.fighter("Hagen")["conditions"]["dying"] == 5, "another failure had been death"
    assert hagen(struck)[1:] == (1, 0)
    retraced(struck)


def test_opponents_and_those_who_play_themselves_are_not_asked(struck: Player) -> None:
    struck.ok("auto hagen on")
    record = done(struck(f"attack hagen --react dodge --json --dice {BLOW},1,1", answers=[]))
    assert [one["taken"] for one in record["choices"]] == ["dodge"] and struck.prompts == []


def test_a_check_of_apprehension_asks_when_the_crisis_opens(crisis: Player) -> None:
    """POOL-10, POOL-7: a check as any other."""
    words = "init hagen --vs bandit --open --seed 5 --json --choose bonus --dice 5,5,5,1,1,1,5,1"
    record = done(crisis(words))
    assert record["choices"][0]["taken"] == "bonus" and hagen(crisis)[1] == 1
    assert crisis.ok("verify --json").record["verified"] is True


# ---------------------------------------------------------------- reactions that are bought (POOL-15)


@pytest.fixture
def spent(struck: Player) -> Player:
    """The same, with no action left to Hagen."""
    struck.ok("set hagen actions 0")
    return struck


def test_what_protection_takes_is_shown_beside_the_harm(struck: Player) -> None:
    """POOL-24: three hits that protection stops do no harm, and take three units of it."""
    shown = struck(f"attack hagen --dice {BLOW}", answers=["none"])
    line = next(one for one in shown.err.splitlines() if one.startswith("  1. none "))
    used = [
        event for event in struck.ok("log --json").records[-1]["effects"] if event["what"].startswith("prot")
    ]
    assert line.endswith(f"{sum(event['was'] - event['now'] for event in used):.1f} protection used up")
    assert used


def test_with_no_action_left_a_bonus_die_buys_the_reaction(spent: Player) -> None:
    shown = spent(f"attack hagen --protection 0 --dice {BLOW},6,1,1", answers=["dodge-bonus"])
    assert shown.status == 0
    assert spent.prompts == ["Hagen: [none], 2, 3, more, ! for the rest of the fight? "]
    assert "2. parry, bonus die      0.1 wounds on average, none 91 %\n" in shown.err
    assert "more: dodge, shield\n" in shown.err, "worse ones, which can be named all the same"
    assert hagen(spent) == (0, 1, 1) and spent.fighter("Bandit")["pools"]["actions"] == 1
    assert spent.fighter("Hagen")["pools"]["wounds"] == 0
    retraced(spent)


def test_a_destiny_die_steals_the_action_from_the_attacker(spent: Player) -> None:
    """POOL-15: from what is left of the turn that is on; nothing is left of the second attack's."""
    words = f"attack hagen --protection 0 --json --dice {BLOW},5,1,1,1,1,1"
    record = done(spent(words, answers=["parry-destiny"]))
    effects = {(one["who"], one["what"]): (one["was"], one["now"]) for one in record["effects"]}
    assert effects[("Bandit", "actions")] == (2, 0), "one for the attack, one stolen"
    assert effects[("Hagen", "destiny-dice")] == (1, 0) and ("Hagen", "actions") not in effects
    retraced(spent)


def test_nothing_is_stolen_where_the_attacker_has_nothing_left(spent: Player) -> None:
    spent.ok("set bandit actions 1")
    done(spent(f"attack hagen --json --dice {BLOW}", answers=["none"]))
    assert spent.prompts == ["Hagen: [none], 2, more, ! for the rest of the fight? "]
    assert hagen(spent) == (0, 2, 1)


def test_out_of_its_turn_an_attacker_loses_an_action_of_the_next(struck: Player) -> None:
    struck.ok("next")
    struck.ok("set bandit actions 1")
    struck.ok("set hagen actions 0")
    done(
        struck(f"attack hagen --by bandit --protection 0 --json --dice {BLOW},5", answers=["shield-destiny"])
    )
    assert hagen(struck) == (0, 2, 0)
    retraced(struck)
    struck.ok("next")
    assert struck.fighter("Bandit")["pools"]["actions"] == 1, "of two"


def test_a_bought_reaction_leaves_less_for_its_roll(spent: Player) -> None:
    spent.ok("set hagen bonus-dice 1")
    words = f"attack hagen --protection 0 --json --dice {BLOW},1,1,4"
    record = done(spent(words, answers=["dodge-bonus", "destiny"]))
    assert record["choices"][1]["offered"] == ["keep", "destiny", "reroll-destiny"]
    assert hagen(spent) == (0, 0, 0)
    retraced(spent)


@pytest.mark.parametrize("react", ["none", "best"])
def test_a_fighter_who_said_how_to_react_is_offered_no_purchase(spent: Player, react: str) -> None:
    record = done(spent(f"attack hagen --react {react} --json --dice {BLOW}", answers=[]))
    assert not record.get("choices") and spent.prompts == []
    assert "has no action left" in spent.refused(3, "attack hagen --react dodge").err


def test_without_a_terminal_and_in_odds_no_reaction_is_bought(spent: Player) -> None:
    report = spent.ok("odds attack hagen --json").record
    assert report["effects"] == spent.ok("odds attack hagen --react none --json").record["effects"]
    assert hagen(spent) == (0, 2, 1) and done(spent(f"attack hagen --json --dice {BLOW}"))["success"] is True
    assert hagen(spent) == (0, 2, 1)
