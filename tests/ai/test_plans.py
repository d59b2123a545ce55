"""Plans over several turns on small scenes, and what a player sees of them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from bouts import SHELF, begun, met, roster
from conftest import Player, Sheets
from test_behaviour import SYSTEM, does, scene

from crisis_cli.ai.arms import attack_on, harm
from crisis_cli.ai.deciding import AutoPlayer
from crisis_cli.ai.evaluation import LEAST_BUDGET, ActionValue
from crisis_cli.ai.forecast import Body, PlannedStrike, PlanNumbers, PlanStep, Purse, Threat, course
from crisis_cli.engine.record import Entry
from crisis_cli.engine.scene import Intent, Scene
from crisis_cli.systems import SYSTEMS, load


def placed(me: str, foe: str, gap: float, doctrine: str, **hurt: float) -> Scene:
    """One fighter of a sheet against another, so far apart, at the first one's turn."""
    return scene(
        ("Me", me, "a", (0.0, 0.0)), ("Foe", foe, "b", (gap, 0.0)), turn="Me", doctrine=doctrine, hurt=hurt
    )


@pytest.mark.parametrize("doctrine", ["careful", "cunning"])
def test_a_fighter_whose_strength_is_hand_to_hand_closes_in(doctrine: str) -> None:
    """The Warden's maul beats its riveter at 12 m, even after two turns on the way."""
    intent, _ = does(placed("Warden", "Ada", 12.0, doctrine))
    assert intent.action == "move" and intent.options["to"][0] > 0


@pytest.mark.parametrize("doctrine", ["careful", "cunning", "beast", "reckless", "guard"])
@pytest.mark.parametrize("gap", [1.0, 12.0])
def test_nobody_with_a_blade_lies_down(doctrine: str, gap: float) -> None:
    """A Drone has only a baton: prone it would have to stand up again for every stride and blow."""
    assert does(placed("Drone", "Jack", gap, doctrine))[0].action != "drop-prone"


@pytest.mark.parametrize("doctrine", ["reckless", "beast", "careful", "cunning"])
def test_a_fighter_who_lies_gets_up_for_a_long_way(doctrine: str) -> None:
    """From so far that no strike is within its horizon."""
    system = load("step")
    brute = next(one for one in roster("step") if one.values["name"] == "Brute")
    now = met(system, [brute, brute], (doctrine, "careful"), 60)
    first = next(iter(now.fighters))
    lying = now.fighters[first]._replace(conditions={"prone": True}, held=("hammer",))
    now = begun(system, now._replace(fighters={**now.fighters, first: lying}))
    assert AutoPlayer(system, SHELF.named).decide(now, first).intent.action != "crawl"


def to_the_stair(crisis: Player, sign: str, at: dict[str, int]) -> None:
    """Fighters of step in a row of a map, between rows of a sign; the players win together at its beginning."""
    names = [name for name in at if name != "brute"]
    rows = (sign * 13, f"S{('~' if sign == '~' else '.') * 11}{sign}", sign * 13)
    text = "\n".join(
        (
            'name = "The stair"\nsystem = "step"',
            f"map = '''\n{chr(10).join(rows)}\n'''",
            '[legend]\nS = { name = "stair", place = "stair" }\n"~" = { name = "mire", slow = true }',
            '"#" = { name = "wall", stops = ["move", "sight"] }',
            f"[party]\nsheets = {names}\nat = {[[at[name], 1] for name in names]}",
            f'[[fighter]]\nsheet = "brute"\nat = [[{at["brute"]}, 1]]',
            '[[event]]\nreach = "stair"\nall = true\nwins = "players"',
        )
    )
    (crisis.here / "stair.toml").write_text(text, encoding="utf-8")
    crisis.ok("init --encounter stair.toml --seed 1")


def plans(crisis: Player) -> list[str]:
    """The plans of the fighter whose turn it is, in words, the best first."""
    return re.findall(r"^ +[+−]\d+  (.+)$", crisis.ok("odds").out, re.M)


@pytest.mark.parametrize(("posture", "place"), [("kneeling", 9), ("prone", 2)])
def test_a_plan_begins_with_getting_up(crisis: Player, posture: str, place: int) -> None:
    """Beside a Brute in the mire, without a round in the pistol: to the stair she comes sooner on her feet."""
    to_the_stair(crisis, "~", {"vera": place, "brute": place + 1})
    crisis.ok(f"set vera condition:{posture} on")
    crisis.ok("set vera ap 6")
    crisis.ok("set vera ammo:pistol 0")
    assert plans(crisis)[0].startswith("rise, go to stair")
    assert crisis.ok("odds").lines[-1] == "Best: act rise (best for the rest of the fight)"
    crisis.ok("auto")
    acts = [one["action"] for one in crisis.ok("log --json").records if one.get("actor") == "Vera"]
    acts = [one for one in acts if one != "set"]
    assert acts[:1] == ["rise"] and acts[1] in ("move", "run"), acts


def test_who_cannot_crawl_past_a_friend_gets_up(crisis: Player) -> None:
    """A plan that goes somewhere is one for this turn only where a move leads there now."""
    to_the_stair(crisis, "#", {"vera": 4, "moss": 5, "brute": 6})
    crisis.ok("set moss condition:prone on")
    crisis.ok("set moss ammo:smg 0")
    found = plans(crisis)
    assert found[0].startswith("rise, go to stair"), found
    lying = [
        one for one in plans(crisis) if "go to stair" in one and not one.startswith(("rise, ", "kneel, "))
    ]
    assert all("next turn: go to stair" in one for one in lying), found


def test_life_that_is_given_back_is_lost_again_before_the_fighter_falls() -> None:
    """A treatment is worth less where foes take at once what it gives."""
    hand = Purse({"ap": 2}, {"ap": 2}, {"ap": 2}, frozenset({"ap"}))
    body = Body(hand, (), 2.0, {}, 0)
    plan = PlanNumbers({0: PlannedStrike(0.5, {"ap": 2})})

    def worth(harm: float, life: float) -> float:
        threat = Threat({0: (PlannedStrike(harm, {"ap": 2}),) * 2}, hand, {}, False, (), None, 2.0)
        treated = plan._replace(steps=(PlanStep({"ap": 2}, 1.0, life),))
        return course(body, treated, (threat,), 4, 0, 1.0, 1.0).worth

    assert worth(0.1, 1.0) >= worth(0.1, 0.0), "little harm: it keeps what it is given"
    assert worth(2.0, 1.0) < worth(2.0, 0.0) - 0.5, "deadly harm: it is lost again"


def test_the_cunning_does_not_lie_down_in_reach_for_a_better_aim() -> None:
    """The foe kneels and draws its machete: the aim is gone, and the fighter lies."""
    system = load("step")
    raider = next(one for one in roster("step") if one.values["name"] == "Raider")
    now = begun(system, met(system, [raider, raider], ("cunning", "careful"), 1))
    decision = AutoPlayer(system, SHELF.named).decide(now, now.order[0])
    assert decision.intent.action != "prone"


@pytest.mark.parametrize("doctrine", ["careful", "guard"])
def test_a_treatment_with_next_to_no_chance_is_left_out(doctrine: str) -> None:
    """A Brute heals itself at 6 %, with points to spare after its attack."""
    system = load("step")
    brute = next(one for one in roster("step") if one.values["name"] == "Brute")
    now = begun(system, met(system, [brute, brute], (doctrine, "careful"), 10))
    me = now.order[0]
    one = now.fighters[me]
    hurt = one._replace(pools={**one.pools, "health": one.pools["health"] // 2})
    decision = AutoPlayer(system, SHELF.named).decide(now._replace(fighters={**now.fighters, me: hurt}), me)
    plans = decision.reason["plans"]
    assert plans and not any(each["plan"].startswith("heal") for each in plans)


def test_after_two_turns_of_treating_itself_a_fighter_does_something_else() -> None:
    treated = Entry(1, Intent("heal", "Me", ("Me",), {"reason": {"key": "treats"}}))
    ended = Entry(2, Intent("next", "Me", (), {"reason": {"key": "spent"}}))
    now = placed("Ada", "Warden", 1.0, "careful", Me=0.5)
    assert does(now)[1]["key"] == "treats"
    assert does(now, [treated, ended])[1]["key"] == "treats"
    intent, reason = does(now, [treated, ended] * 2)
    assert reason["key"] not in ("treats", "nothing") and intent.action != "next"


def test_the_cunning_lets_them_come() -> None:
    """Anyone who comes to a foe with a blade lets the other strike first."""
    intent, reason = does(placed("Jack", "Drone", 30.0, "cunning"))
    assert (intent.action, reason["key"]) == ("next", "awaits")


@pytest.mark.parametrize("name", tuple(SYSTEMS))
def test_a_decision_among_ten_asks_for_few_distributions(name: str) -> None:
    system = load(name)
    start = met(system, [roster(name)[at % len(roster(name))] for at in range(10)], ("cunning", "cunning"), 8)
    order = tuple(start.fighters)
    now = start._replace(order=order, scores=dict.fromkeys(order, 1), round=1, turn=order[0])
    player = AutoPlayer(system, SHELF.named)
    player.decide(now, order[0])
    assert len(player.evaluator.asked) <= LEAST_BUDGET + LEAST_BUDGET // 2


def test_a_weapon_that_recoils_is_worth_less_straight_after_a_shot() -> None:
    """And as much as ever in the next turn."""
    system = load("d6pool")
    sheet = next(one for one in roster("d6pool") if one.values["name"] == "Tilda")
    start = met(system, [sheet, sheet], ("careful", "careful"), 8)
    me, foe = start.fighters
    now = start._replace(order=(me, foe), scores={me: 2, foe: 1}, round=1, turn=me)
    evaluator = AutoPlayer(system, SHELF.named).evaluator
    found = []
    for recoil in (0, 1):
        marks = {"recoil": recoil} if recoil else {}
        one = now.fighters[me]._replace(marks=marks)
        evaluator.start_decision(now)
        attack = attack_on(evaluator, now._replace(fighters={**now.fighters, me: one}), me, foe)
        assert attack is not None
        found.append(attack.strike)
    assert found[0] == found[1] and 0 < found[0].straight < 1
    strike = found[0]._replace(guarded=0)
    assert strike.harm(2) == pytest.approx(strike.worth * (1 + strike.straight))
    assert strike.harm(1, struck=True) == pytest.approx(strike.worth * strike.straight)


def test_like_foes_share_their_odds() -> None:
    """The same attack on another copy of a sheet asks for nothing new."""
    who = (("Me", "Ada", "a", None), ("One", "Drone", "b", None), ("Two", "Drone", "b", None))
    evaluator = AutoPlayer(SYSTEM, SHELF.named).evaluator
    now = scene(*who, turn="Me", doctrine="cunning")
    worth = [
        evaluator.action_value(now, Intent("attack", "Me", (foe,), {"weapon": "pistol"}))
        for foe in ("One", "Two")
    ]
    assert worth[0] == worth[1] and len(evaluator.asked) == 1


def test_the_plans_are_recorded_and_explained(fight: Player) -> None:
    fight.ok("auto jack cunning")
    record = next(one for one in fight.ok("auto --json").records if "reason" in one)
    plans = record["reason"]["plans"]
    assert plans and [one["worth"] for one in plans] == sorted((one["worth"] for one in plans), reverse=True)
    shown = fight.ok(f"explain {record['number']}")
    assert "Plans weighed" in shown.out and plans[0]["plan"] in shown.out
    assert fight.ok("verify --json").record["verified"] is True


@pytest.mark.parametrize(("level", "shown"), [("all", True), ("brief", False), ("none", False)])
def test_reasons_are_shown_as_far_as_wanted(fight: Player, level: str, shown: bool) -> None:
    assert ("% to hit" in fight.ok(f"auto --reasons {level}").out) is shown


def test_why_a_fighter_leaves_is_said_before_the_next_turn(crisis: Player, sheets: Sheets) -> None:
    crisis.ok("init ada --vs drone:2 --open --seed 3 --place ada=0,0 drone1=40,0 drone2=41,0")
    crisis.ok("auto drone-1 coward")
    crisis.ok("set drone-1 health 2")
    crisis.ok("next")
    crisis.ok("next")
    lines = crisis.ok("auto").out.splitlines()
    left = next(at for at, line in enumerate(lines) if "leaves the fight" in line)
    assert "badly hurt" in lines[left + 1]
    assert any(line.strip() == "Ada's turn." for line in lines[left + 2 :])


def doctrines(player: Player, words: str) -> dict[str, Any]:
    """The doctrine of everyone in a new crisis."""
    player.ok(f"init jack --vs drone:2 --open --seed 3 {words}")
    return {one["name"]: one["doctrine"] for one in player.ok("status --json").record["fighters"]}


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("--doctrine cunning", {"Jack": "careful", "Drone 1": "cunning", "Drone 2": "cunning"}),
        ("--doctrine drone-2=beast", {"Jack": "careful", "Drone 1": "careful", "Drone 2": "beast"}),
        (
            "--doctrine coward --doctrine jack=guard",
            {"Jack": "guard", "Drone 1": "coward", "Drone 2": "coward"},
        ),
    ],
)
def test_doctrines_are_given_at_the_beginning(
    crisis: Player, sheets: Sheets, words: str, found: dict[str, str]
) -> None:
    assert doctrines(crisis, words) == found


def test_an_unknown_doctrine_is_guessed_at_the_beginning(crisis: Player, sheets: Sheets) -> None:
    assert "did you mean cunning?" in crisis.refused(4, "init jack --vs drone --open --doctrine cuning").err
    crisis.refused(2, "init jack drone --open --doctrine cunning")


@pytest.mark.parametrize("key", ["doctrine", "mind"])
def test_sheets_name_their_doctrine(crisis: Player, sheets: Sheets, key: str) -> None:
    sheets.write("rat", sheets.text("drone").replace('"Drone"', f'"Rat"\n{key} = "beast"'))
    assert crisis.ok("character show rat --json").record["doctrine"] == "beast"


def test_a_wrong_former_key_is_blamed_where_it_stands(crisis: Player, sheets: Sheets) -> None:
    sheets.write("rat", sheets.text("drone").replace('"Drone"', '"Rat"\nmind = 3'))
    assert "mind" in crisis.refused(4, "character show rat").err


def test_a_sheet_says_how_its_fights_begin(crisis: Player, sheets: Sheets) -> None:
    sheets.write(
        "rat",
        sheets.text("drone").replace('"Drone"', '"Rat"') + "\n[fight]\napart = 10\nfoes = { jack = 2 }\n",
    )
    assert crisis.ok("character show rat --json").record["fight"] == {"apart": 10, "foes": {"jack": 2}}
    assert "begins 10 m apart" in crisis.ok("character show rat").out


def test_life_of_its_own_side_counts_more_than_that_of_foes() -> None:
    """An area that takes as much from a friend as from a foe is worth nothing, though the friend has lost little of
    all that it is."""
    assert harm(ActionValue(done=1.0, taken=0.5)) > 0
    assert harm(ActionValue(done=1.0, taken=0.5, own=0.2, lost=0.5)) < 0
