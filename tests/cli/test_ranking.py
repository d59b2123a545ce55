"""`crisis odds` alone ranks what can be done; `crisis act --list` tells what is legal and what is not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Player
from counting import Counted

import crisis_cli
from crisis_cli.render.charts import hundredths

LINES = 10_000_000
"""Lines of Python that it may run."""


@pytest.fixture
def armed(crisis: Player, sheets: object) -> Player:
    """Ada with her pistol before three drones that are all alike, one of them nearly done for."""
    crisis.ok("init ada --vs drone:3 --open --dice 6,6,6,1,1,1,2,2,1,2,4,2")
    crisis.ok("set drone-2 health 1")
    return crisis


def test_the_ranking_agrees_with_the_odds_of_each_command(armed: Player) -> None:
    records = armed.ok("odds --json").records
    report = [one for one in records if one["success"] and one["action"] == "attack"]
    assert report
    for one in report:
        alone = armed.ok(f"odds {one['command']} --json").record
        assert alone["success"] == one["success"] and alone["targets"] == one["targets"]
        assert {
            who: {pool: distribution["mean"] for pool, distribution in pools.items()}
            for who, pools in alone["effects"].items()
        } == one["effects"]
        assert alone["down"] == one["down"]


def test_plans_over_several_turns_stand_above_the_ranking(armed: Player) -> None:
    lines = armed.ok("odds").lines
    assert lines[0].startswith("Plans for the rest of the fight") and "attack Drone" in lines[1]
    found = [one for one in armed.ok("odds --json").records if "plan" in one]
    plan = max(found, key=lambda one: one["plan_worth"])
    assert f"{plan['plan_worth']:+} " in lines[1] and lines[1].endswith(plan["plan"])


def test_the_most_worth_while_comes_first(armed: Player) -> None:
    records = armed.ok("odds --json").records
    worth = [one["worth"] or 0 for one in records]
    assert worth == sorted(worth, reverse=True) and worth[0] > 0
    assert [one["rank"] for one in records] == list(range(1, len(records) + 1))
    lines = armed.ok("odds").lines
    first = next(at for at, line in enumerate(lines) if line.split()[:2] == ["1", "attack"])
    assert "sorted by" in " ".join(" ".join(lines[:first]).split()) and "best first:" in lines[first - 2]
    assert "without odds" in " ".join(lines[:first]) and "drop-prone" in " ".join(lines[:first])
    assert lines[-1].startswith("Best: attack ") and lines[-1].endswith("points)")


@pytest.mark.slow
def test_the_best_is_what_the_best_plan_begins_with(crisis: Player) -> None:
    """Prone, with a shotgun that hits next to nobody in reach: the ranking of single actions says something else."""
    crisis.ok("init doc cass --vs mutant --open --seed 3 --place doc=0,0 cass=0,0 mutant=0,0")
    crisis.ok("next")
    crisis.ok("next")
    crisis.ok("set mutant condition:prone on")
    lines = crisis.ok("odds").lines
    first = re.sub(r"^  *[+−]?\d+  ([\w-]+).*", r"\1", lines[1])
    best = next(line for line in lines if line.startswith("Best: "))
    assert best.split()[1:3] in (["act", first], [first, best.split()[2]]), (lines[1], best)
    records = crisis.ok("odds --json").records
    plan = max((one for one in records if "plan" in one), key=lambda one: one["plan_worth"])
    assert best.startswith(f"Best: {plan['command']} (")


def test_the_end_of_the_turn_is_best_where_the_best_plan_must_wait(armed: Player) -> None:
    armed.ok("set ada ap 1")
    lines = armed.ok("odds").lines
    assert re.match(r" +\S+  next turn: attack Drone", lines[1]), lines[1]
    assert lines[-1] == "Best: next (end the turn)"
    assert any(line.startswith("1  next  ") for line in lines)


SHIPPED = sorted(path.stem for path in (Path(crisis_cli.__file__).parent / "encounters").glob("*.toml"))
SITUATIONS = {
    "3d6": "init ada --vs drone:2 --open --apart 12 --seed 2",
    "d100": "init --encounter clinic --seed 1",
    "step": "init --encounter mill --seed 1",
    "2d20": "init --encounter garage --seed 3",
    "d6pool": "init --encounter ford --seed 1",
}
"""How a fight of each system begins in which the best plan does not begin with the best single action."""


def first_lines(crisis: Player, opening: str, turns: int) -> Iterator[tuple[str, str, str]]:
    """The first line of the ranking at the first turns of a fight, what is called best there, and the whole screen."""
    crisis.ok(opening)
    for _ in range(turns):
        shown = crisis.ok("odds", width=160)
        row = re.search(r"^ *1(?:–\d+)?  (.+?)(?: \||  )", shown.out, re.M)
        best = re.search(r"^Best: (.+) \(", shown.out, re.M)
        assert row and best, shown.out
        yield row[1], best[1], shown.out
        crisis.ok("next")


@pytest.mark.parametrize("system", SITUATIONS)
def test_the_best_is_the_first_line(crisis: Player, system: str) -> None:
    turns = 1 if system in ("step", "d6pool") else 2
    for row, best, shown in first_lines(crisis, SITUATIONS[system], turns):
        assert row == best, shown


def test_no_plan_takes_back_what_the_player_has_just_done(crisis: Player) -> None:
    crisis.ok("init hagen --vs revenant --open --apart 18 --seed 4")
    crisis.ok("act hagen shield-block")
    assert "lower-shield" not in crisis.ok("odds --top 1").out


@pytest.mark.long
@pytest.mark.parametrize(
    "opening",
    [f"init --encounter {name} --seed {seed}" for name in SHIPPED for seed in range(1, 9)],
)
def test_the_best_is_the_first_line_of_every_ranking(crisis: Player, opening: str) -> None:
    for row, best, shown in first_lines(crisis, opening, 6):
        assert row == best, shown


def test_the_first_line_can_be_typed_by_its_number(crisis: Player) -> None:
    """In the shell and at the prompt a number means what the screen shows."""
    crisis.ok(SITUATIONS["2d20"])
    crisis.ok("next")
    assert "1  act sprint --to 2,0 " in crisis.ok("odds").out
    assert "it is: crisis act sprint --to 2,0" in crisis.refused(2, "attack 1").err


def test_what_is_not_worth_it_before_the_foe_has_come_says_so(crisis: Player) -> None:
    """A shot that hits in 1 of 400 is not what makes a plan good."""
    crisis.ok(SITUATIONS["2d20"])
    crisis.ok("next")
    records = {one["command"]: one for one in crisis.ok("odds --json").records}
    shot = records["attack robot"]
    assert shot["success"]["p"] < 0.01 and shot["plan"].endswith(", let them come")
    assert shot["plan_worth"] < records["act sprint --to 2,0"]["plan_worth"] / 2


def test_where_there_are_no_plans_the_best_is_named_a_single_action(armed: Player) -> None:
    for who in ("drone-1", "drone-2", "drone-3"):
        armed.ok(f"set {who} yielded on")
    shown = armed.ok("odds")
    assert shown.lines[-1].startswith("Best single action: attack drone-2 (") and "Plans" not in shown.out


def test_quiet_lists_the_single_actions_alone(armed: Player) -> None:
    lines = armed.ok("odds --quiet").lines
    assert all(re.match(r"(-|\d\S*) (-|\d\S*) \w", line) for line in lines)
    assert [line.split(" ", 2)[2] for line in lines] == [
        one["command"] for one in armed.ok("odds --json").records
    ]


def test_those_who_are_alike_share_a_row_and_others_do_not(armed: Player) -> None:
    attacks = [one for one in armed.ok("odds --json").records if one["action"] == "attack"]
    named = {
        (*one["targets"], *(name for names in one.get("alike", ()) for name in names)) for one in attacks
    }
    assert named == {("Drone 1", "Drone 3"), ("Drone 2",)}
    fells = {one["target"]: one["down"][one["target"]]["p"] for one in attacks}
    assert fells["Drone 2"] > fells["Drone 1"] == 0


def test_each_of_those_who_are_alike_has_a_number(armed: Player) -> None:
    shown = armed.ok("odds").out
    numbers = re.search(r"^ *(\d+)–(\d+) +attack drone-1 \| drone-3 ", shown, re.M)
    assert numbers, shown
    for number, name in zip(numbers.groups(), ("Drone 1", "Drone 3"), strict=True):
        assert armed.ok(f"attack {number} --dice 1,1,1 --dry-run --json").record["targets"] == [name]


def test_plans_begin_differently_and_say_what_is_for_the_next_turn(armed: Player) -> None:
    def found() -> list[str]:
        return re.findall(r"^  [ +−]+\d+  (.+)$", armed.ok("odds").out, re.M)

    assert len({one.partition(",")[0] for one in found()}) == len(found())
    armed.ok("set ada ap 1")
    assert found() and not any(one.startswith("attack ") for one in found()), "no attack can be paid now"


@pytest.mark.parametrize(
    "line",
    [
        "odds attack ada --by drone-1",
        "odds drone-1 attack ada",
        "odds attack drone-1 ada",
        "odds drone 1 attack ada",
    ],
)
def test_what_an_opponent_may_do_is_shown_as_in_its_own_turn(armed: Player, line: str) -> None:
    shown = armed.ok(line)
    assert shown.lines[0] == "In Drone 1's own turn:" and "any harm to Ada" in shown.out
    number = armed.ok(f"{line} --quiet").out
    armed.ok("set drone-1 ap 0")
    assert armed.ok(f"{line} --quiet").out == number, "a new turn brings its action points"


def test_a_foe_nearly_down_is_worth_more_than_a_fresh_one(armed: Player) -> None:
    attacks = [one for one in armed.ok("odds --json").records if one["action"] == "attack"]
    fresh, nearly = (
        max((one for one in attacks if one["target"] == name), key=lambda one: one["worth"])
        for name in ("Drone 1", "Drone 2")
    )
    assert nearly["worth"] > fresh["worth"] and nearly["rank"] < fresh["rank"]
    armour = -fresh["effects"]["Drone 1"]["durability"]
    lost = -sum(by for pool, by in fresh["effects"]["Drone 1"].items() if pool != "durability")
    assert armour > 0 and fresh["points"] == pytest.approx(lost)


def test_every_legal_command_can_be_typed_and_done(armed: Player) -> None:
    records = armed.ok("act --list --json").records
    for one in (one for one in records if one["legal"]):
        assert armed(f"{one['command']} --dry-run").status == 0, one["command"]
    for one in (one for one in records if not one["legal"]):
        assert one["message"] and armed(f"act {one['act']}").status in (2, 3), one["act"]


@pytest.mark.parametrize(
    ("who", "first"),
    [
        pytest.param("vera --vs raider:2 --initiator vera --seed 1", "Vera", marks=pytest.mark.slow),
        pytest.param("moss --vs raider:2 --initiator moss --seed 1", "Doc Moss", marks=pytest.mark.slow),
        ("ines bruno --vs looter:2 --seed 4", "Ines"),
        ("ines bruno --vs looter:2 --dice 2,2", "Ines"),
    ],
)
def test_every_system_lists_what_can_be_typed(crisis: Player, who: str, first: str) -> None:
    crisis.ok(f"init {who} --open")
    assert crisis.ok("status --json").record["actor"] == first
    for one in crisis.ok("act --list --json").records:
        if one["legal"]:
            assert crisis(f"{one['command']} --dry-run").status == 0, one["command"]
    ranked = crisis.ok("odds --json").records
    assert len({one["command"] for one in ranked}) == len(ranked)


def test_an_option_is_reported_beside_what_lacks_it(crisis: Player) -> None:
    crisis.ok("init moss --vs raider --open --initiator moss --seed 1")
    burst = next(one for one in crisis.ok("odds --json").records if one["options"].get("shots"))
    single = crisis.ok("odds attack raider --json").record["success"]["p"]
    assert burst["beside"]["option"] == "shots" and burst["beside"]["costs"] == {"ap": 2, "ammo:smg": 2}
    assert burst["beside"]["success"] == pytest.approx(burst["success"]["p"] - single)
    assert "more than no --shots" in " ".join(crisis.ok("odds").out.split())


def test_next_to_nothing_has_no_sign() -> None:
    assert [hundredths(value) for value in (-0.001, -0.5, 2)] == ["0.00", "−0.50", "2.00"]


def test_top_by_and_width(armed: Player) -> None:
    assert len(armed.ok("odds --top 2 --json").records) == 2
    armed.ok("next")
    armed.ok("attack ada --dice 1,1,1")
    shown = armed.ok("odds --by ada")
    assert shown.lines[0] == "In Ada's own turn:" and "attack drone-2" in shown.out
    armed.ok("set ada health 0")
    assert armed.refused(3, "odds --by ada --json").error["code"] == "nothing_legal"
    actor = armed.ok("status --json").record["actor"].lower().replace(" ", "-")
    armed.ok(f"set {actor} health 0")
    assert "has no action left. To end the turn: crisis next" in armed.ok("act --list").out
    assert "hint: end the turn: crisis next; why not: " in armed.refused(3, "odds").err
    armed.ok("undo")
    for width in (80, 60):
        assert all(len(line) <= max(width, 85) for line in armed.ok("odds", width=width).lines)


@pytest.mark.slow
def test_ten_fighters_are_ranked_with_little_work(crisis: Player) -> None:
    crisis.ok("init moss vera --vs raider:7 brute --open --initiator moss --seed 1")
    with Counted(LINES):
        crisis.ok("odds")


def test_why_not_is_reported_with_the_way_on(fight: Player) -> None:
    shown = fight.ok("act --list").out
    can, cannot = shown.split("Jack cannot")
    assert "drop-prone" in can and "Attack one target" in can and "2 AP" in can
    assert "stand-up" in cannot and "Jack is not prone (3D6-14)" in cannot and "check" not in cannot
    fight.ok("set jack ap 0")
    refused = {one["act"]: one for one in fight.ok("act --list --json").records if not one["legal"]}
    assert "crisis next" in refused["attack"]["hint"] and refused["attack"]["rule"]


def test_someone_else_and_a_one_off(fight: Player) -> None:
    assert "it is Jack's turn" in fight.ok("act drone --list").out
    assert fight.ok("act --by drone --list").out == fight.ok("act drone --list").out
    fight.ok("end")
    assert "Jack can" in fight.ok("act jack --list").out


@pytest.mark.parametrize(
    ("words", "status"),
    [("act", 2), ("act --list", 2), ("act jack drone --list", 2), ("odds", 2), ("odds --top 2", 3)],
)
def test_without_a_crisis(crisis: Player, sheets: object, words: str, status: int) -> None:
    crisis.refused(status, words)


def test_odds_of_an_expression_are_reported_in_a_crisis_too(fight: Player) -> None:
    assert fight.ok("odds --json 3d6").record["odds"] == "roll"
    assert fight.ok("odds 3d6 --ge 11 --quiet").out.strip() == "0.500000"
