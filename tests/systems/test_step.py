"""step: what cases with given dice cannot say: exact odds against brute force and against other engines."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import icepool
import pytest
from conftest import Player
from counting import Counted
from dyce import H

from crisis_cli.conformance.casebook import sheet
from crisis_cli.conformance.suite import walked, weighed
from crisis_cli.dice import exploding
from crisis_cli.dice.distribution import Distribution, OddsTable, least_harm
from crisis_cli.engine.action_odds import ActionOdds, action_odds
from crisis_cli.engine.dice_amount import Amount
from crisis_cli.engine.scene import Intent, Scene
from crisis_cli.engine.validate import prepare
from crisis_cli.sheets.check import read
from crisis_cli.sheets.fighters import fighter
from crisis_cli.systems import load
from crisis_cli.systems.step.attacks import AttackSetup
from crisis_cli.systems.step.checks import roll
from crisis_cli.systems.step.damage import attack, roll_damage

pytestmark = pytest.mark.slow

STEP = load("step")
CHARACTERS = Path(__file__).parents[2] / "characters" / "step"
TINY = 1e-8
"""Twice as much as a chain broken off at 1e-9 can make, and a little more."""
LINES = 1_500_000
"""Lines of Python that it may run."""

# ---------------------------------------------------------------- one die


def at_least(distribution: Distribution, value: int) -> float:
    """How likely a distribution is to reach a value."""
    ways, total = distribution.chance(lambda outcome: outcome >= value)
    return ways / total


TAILS = {
    4: (0.250000, 0.062500, 0.015625),
    6: (0.500000, 0.138889, 0.027778),
    8: (0.625000, 0.125000, 0.078125),
    10: (0.700000, 0.300000, 0.090000),
    12: (0.750000, 0.416667, 0.083333),
}
"""Published odds of 4, 8 and 12 or more on an exploding die, checked by two other engines."""


@pytest.mark.parametrize("sides", TAILS)
def test_an_exploding_die_has_the_tails_it_is_known_for(sides: int) -> None:
    """STEP-5: an implosion changes nothing above 1."""
    for distribution in (
        OddsTable().of(roll, sides),
        OddsTable().of(roll_damage, Amount(1, sides)),
    ):
        assert distribution.truncated
        for value, known in zip((4, 8, 12), TAILS[sides], strict=True):
            assert at_least(distribution, value) == pytest.approx(known, abs=1e-6)


@pytest.mark.parametrize("sides", TAILS)
def test_two_ones_are_as_likely_as_they_should_be(sides: int) -> None:
    """STEP-5: 1 in sides², and 1 itself the rest of a first 1."""
    distribution = OddsTable().of(roll, sides)
    assert Fraction(distribution.ways[0], distribution.total) == Fraction(1, sides**2)
    assert Fraction(distribution.ways[1], distribution.total) == Fraction(1, sides) - Fraction(1, sides**2)


@pytest.mark.parametrize(("many", "sides"), [(1, 4), (2, 6), (3, 6), (2, 12), (4, 8)])
def test_a_pool_of_exploding_dice_is_what_two_other_engines_say(many: int, sides: int) -> None:
    """STEP-28: icepool and dyce as witnesses."""
    distribution = OddsTable().of(roll_damage, Amount(many, sides))
    other = many @ icepool.d(sides).explode(depth=12)
    third = many @ H(sides).explode(max_depth=12) if hasattr(H, "explode") else None
    for value in range(many, 6 * sides * many):
        mine = distribution.ways.get(value, 0) / distribution.total
        assert mine == pytest.approx(float(other.probability(value)), abs=TINY)
        if third is not None:
            assert mine == pytest.approx(float(Fraction(third.get(value, 0), third.total)), abs=TINY)


def test_an_exploding_die_has_the_mean_of_the_closed_form() -> None:
    """The mean of a die is (n + 1) / 2, exploding n / (n − 1) times that."""
    for sides in TAILS:
        for many in (1, 3):
            found = OddsTable().of(roll_damage, Amount(many, sides, 2))
            exact = sum(value * ways for value, ways in found)
            assert Fraction(exact, found.total) == Fraction(many * sides * (sides + 1), 2 * (sides - 1)) + 2


def test_means_of_actions_with_exploding_dice_are_those_of_the_closed_form() -> None:
    """STEP-5: a d6 comes to 4.2 on average; here a first 1 implodes, which takes off 1 in 36 times."""
    here = scene({**VERA, "skills": {"athletics": "d6"}}, MARK)
    report = action_odds(STEP, here, Intent("check", "Vera", (), {"skill": "athletics"}), OddsTable())
    assert report.totals is not None
    assert report.truncated
    assert Fraction(sum(value * ways for value, ways in report.totals), report.totals.total) == Fraction(
        21, 5
    )
    assert report.totals.mean() == 4.2


# ---------------------------------------------------------------- attacks

VERA = {
    "name": "Vera",
    "health": 12,
    "attributes": {"body": "d4"},
    "skills": {"light-weapons": "d4", "athletics": "d4"},
    "weapons": {
        "pistol": {"kind": "ranged", "damage": "d4", "hit": 2, "rof": 3, "rof_penalty": 1, "capacity": 9},
        "smg": {"kind": "ranged", "damage": "d4", "hit": 2, "rof": 3, "tags": ["burst"]},
        "grenade": {"kind": "thrown", "damage": "2d4", "tags": ["explosive"]},
        "knife": {"kind": "melee", "damage": "d4", "hit": 1},
    },
}
MARK = {
    "name": "Mark",
    "player": False,
    "health": 3,
    "skills": {"athletics": "d4"},
    "armour": {"dr": {"physical": 2}, "durability": 3},
}


def scene(*raw: Mapping[str, Any], **at: tuple[float, float]) -> Scene:
    """A one-off scene of raw sheets, some of them in known places."""
    found = {}
    for one in raw:
        checked, faults = sheet(STEP, {"system": "step", **one})
        assert not faults, faults
        made = fighter(STEP, checked)
        found[made.name] = made._replace(at=at.get(made.name))
    return Scene("step", found)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dice that explode once and no more: few enough paths to walk them all."""
    monkeypatch.setattr(exploding, "CHAIN", 4)


def intent(action: str, *targets: str, **options: Any) -> Intent:
    """What Vera means to do."""
    return Intent(action, "Vera", targets, options)


def brute(stake: Any, part: Callable[[Any], Any] = lambda fired: fired, most: int = 2_000_000) -> Any:
    """The distribution of an attack, or of a part of its outcome, by throwing every die."""
    return weighed(
        (part(fired), among) for fired, among in walked(lambda table: attack(table, stake), most=most)
    )


def exact(distribution: Distribution) -> dict[Any, Fraction]:
    """A distribution as fractions."""
    return {outcome: Fraction(ways, distribution.total) for outcome, ways in distribution}


ALL_FACES = pytest.mark.long
"""Three shots whose damage is rolled, die by die: half a million runs of faces."""


@pytest.mark.parametrize(
    ("weapon", "shots", "damage"),
    [
        ("pistol", 2, "d4"),
        ("pistol", 3, 3),
        ("smg", 3, 3),
        ("smg", 3, "d2"),
        pytest.param("pistol", 3, "d4", marks=ALL_FACES),
        pytest.param("smg", 3, "d4", marks=ALL_FACES),
    ],
)
def test_shots_at_wearing_armour_are_what_every_face_gives(
    short: None, weapon: str, shots: int, damage: str | int
) -> None:
    """STEP-21, STEP-29: rate of fire 3, DR 2 with durability 3."""
    weapons = {**VERA["weapons"], weapon: {**VERA["weapons"][weapon], "damage": damage}}
    here = scene({**VERA, "weapons": weapons}, MARK)
    stake = prepare(STEP, here, intent("attack", "Mark", weapon=weapon, shots=shots)).setup.dice
    distribution = OddsTable().of(attack, stake)
    assert len(distribution.ways) > 6
    assert exact(distribution) == brute(stake)


def test_a_single_shot_and_an_execution_are_what_every_face_gives(short: None) -> None:
    """STEP-16, STEP-18."""
    helpless = {**MARK, "state": {"conditions": ["helpless"]}}
    for here, meant in (
        (scene(VERA, MARK), intent("attack", "Mark")),
        (scene(VERA, helpless), intent("execute", "Mark", weapon="knife")),
    ):
        stake = prepare(STEP, here, meant).setup.dice
        assert exact(OddsTable().of(attack, stake)) == brute(stake)


def share(dice: AttackSetup, who: str) -> Distribution:
    """The distribution of an attack as far as it matters to one of its targets, or to none."""
    return OddsTable().of(STEP.actions["attack"].odds.part, dice, who, False)


def test_what_several_targets_suffer_is_what_every_face_gives(short: None) -> None:
    """STEP-21: each view is the share of one target in the joint distribution; so are the hits."""
    here = scene(VERA, MARK, {**MARK, "name": "Nora", "health": 2})
    setup = prepare(STEP, here, intent("attack", "Mark", "Nora")).setup
    assert [*STEP.actions["attack"].odds.targets(setup.dice)] == ["Mark", "Nora"]
    for at, name in enumerate(("Mark", "Nora")):
        distribution = share(setup.dice, name).of(lambda fired, at=at: fired.tolls[at])
        assert exact(distribution) == brute(setup.dice, lambda fired, at=at: fired.tolls[at])
    hits = share(setup.dice, "").of(lambda fired: fired.hits)
    assert exact(hits) == brute(setup.dice, lambda fired: fired.hits)


def test_what_victims_of_an_area_suffer_is_what_every_face_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    """STEP-25 to STEP-27: dodge, scatter and distance, for each victim."""
    monkeypatch.setattr(exploding, "CHAIN", 3)
    near = {**MARK, "name": "Nora"}
    here = scene(VERA, MARK, near, Vera=(0, 0), Mark=(0, 3), Nora=(1, 3))
    meant = intent("throw", "Mark", weapon="grenade")
    setup = prepare(STEP, here, meant).setup
    for at, name in enumerate(STEP.actions["throw"].odds.targets(setup.dice)):
        assert name == ("Mark", "Nora")[at]
        distribution = share(setup.dice, name).of(lambda fired, at=at: fired.tolls[at])
        one_only = setup.dice._replace(targets=(setup.dice.targets[at],))
        assert exact(distribution) == brute(one_only, lambda fired: fired.tolls[0])
    assert exact(share(setup.dice, "").of(lambda fired: fired.total)) == brute(
        setup.dice._replace(targets=()), lambda fired: fired.total
    )


def test_what_victims_of_several_blasts_suffer_is_what_every_face_gives(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """STEP-21, STEP-26, STEP-27: two shots at two marks, of which each target dodges the one that is aimed near it."""
    monkeypatch.setattr(exploding, "CHAIN", 3)
    grenade = {**VERA["weapons"]["grenade"], "damage": 3, "area": 1, "rof": 2}
    vera = {**VERA, "weapons": {"grenade": grenade}}
    here = scene(vera, MARK, {**MARK, "name": "Nora"}, Vera=(0, 0), Mark=(0, 3), Nora=(1, 5))
    setup = prepare(STEP, here, intent("throw", "Mark", "Nora", react="dodge")).setup
    assert [one.dodges for one in setup.dice.targets] == [0, 1]
    for at, name in enumerate(("Mark", "Nora")):
        distribution = share(setup.dice, name).of(lambda fired, at=at: fired.tolls[at])
        one_only = setup.dice._replace(targets=(setup.dice.targets[at],))
        assert exact(distribution) == brute(one_only, lambda fired: fired.tolls[0])


def test_the_odds_of_a_fight_by_hand() -> None:
    """STEP-5 to STEP-32: one shot worked out with nothing of the program but the numbers of the sheets."""
    here = scene(
        {**VERA, "skills": {"light-weapons": "d10"}, "weapons": {"gun": {"kind": "ranged", "damage": "d6"}}},
        {**MARK, "health": 4, "armour": {"dr": {"physical": 2}, "durability": 9}},
    )
    report = action_odds(STEP, here, intent("attack", "Mark"), OddsTable())
    down = 0.0
    for aimed, p in single(10):
        if aimed >= 4:
            for damage, q in single(6):
                down += p * q * (damage + max(0, aimed // 4 - 1) - 2 >= 4)
    ways, total = report.down["Mark"]
    assert ways / total == pytest.approx(down, abs=TINY)


def single(sides: int) -> Iterator[tuple[int, float]]:
    """An exploding die by its closed form: value and chance."""
    for highs in range(12):
        for face in range(1, sides):
            yield highs * sides + face, sides ** -(highs + 1)


def test_best_dodges_only_where_that_helps() -> None:
    """STEP-26: the dodge is declared before the roll, and weighed by the exact odds."""
    here = scene(VERA, {**MARK, "armour": {}, "health": 20}, Vera=(0, 0), Mark=(0, 3))._replace(
        open=True, order=("Vera", "Mark"), turn="Vera", round=1
    )
    armed = here.fighters["Vera"]._replace(held=("grenade",), pools={**here.fighters["Vera"].pools, "ap": 4})
    here = here._replace(fighters={**here.fighters, "Vera": armed})
    meant = intent("throw", "Mark", react="best")
    lost = {
        name: -action_odds(STEP, here, meant, odds_table).effects["Mark"]["health"].mean()
        for name, odds_table in (("none", OddsTable()), ("best", OddsTable(least_harm)))
    }
    assert lost["best"] < lost["none"]


# ---------------------------------------------------------------- shipped sheets


def shipped() -> Scene:
    """The shipped sheets, side by side."""
    made = [fighter(STEP, read(path, path.name)) for path in sorted(CHARACTERS.glob("*.toml"))]
    return Scene("step", {one.name: one._replace(at=(at * 1.0, 0.0)) for at, one in enumerate(made)})


def common() -> list[Intent]:
    """What is asked most about the shipped sheets."""
    return [
        intent("attack", "Brute"),
        intent("attack", "Brute", shots=2),
        intent("attack", "Brute", "Raider", shots=2),
        intent("throw", "Raider"),
        Intent("attack", "Doc Moss", ("Raider",), {"shots": 3}),
        Intent("attack", "Brute", ("Vera",), {"weapon": "scattergun"}),
        Intent("attack", "Brute", ("Vera",), {"range": 1}),
    ]


@pytest.mark.parametrize("meant", common(), ids=lambda one: f"{one.actor} {one.action} {len(one.options)}")
def test_odds_of_the_shipped_sheets_take_little_work(meant: Intent) -> None:
    """With nothing remembered of earlier distributions."""
    here = shipped()
    with Counted(LINES):
        report: ActionOdds = action_odds(STEP, here, meant, OddsTable())
    assert report.effects


# ---------------------------------------------------------------- the command line


def test_an_option_or_an_opponent_of_another_system_is_refused_with_its_system(crisis: Player) -> None:
    """An option is a word too many (2), an opponent against the rules (3)."""
    assert "step" in crisis.refused(2, "attack jack drone --shots 2").err
    assert "step" in crisis.refused(2, "heal ada --natural").err
    assert "3d6" in crisis.refused(3, "attack vera drone").err
    assert "3d6" in crisis.refused(3, "init vera --vs drone --open").err


def test_difficulty_and_cover_are_words_of_the_system(crisis: Player) -> None:
    """STEP-6: very hard is 16."""
    done = crisis.ok("check vera mind --difficulty very-hard --dice 8,8,1 --json").record
    assert (done["rolls"][0]["target"], done["success"]) == (16, True)
    assert "hardish" in crisis.refused(2, "check vera mind --difficulty hardish").err


def test_a_grenade_lands_where_the_dice_say_and_hurts_a_fighter_who_stands_there(crisis: Player) -> None:
    """STEP-25, STEP-27: from the command line into the journal, undone, redone, and verified."""
    crisis.ok(
        "init vera --vs raider:2 --open --dice 8,5,4,3 --place vera=0,0 raider-1=0,4 raider-2=3,3 --seed 1"
    )
    crisis.ok("act draw grenade")
    done = crisis.ok("throw raider-1 --react none --dice 3,7,2,3,4 --json").record
    assert done["at"] == [1, 4] and done["outcome"] == "miss"
    assert [one["what"] for one in done["rolls"]] == ["attack", "scatter", "damage", "damage"]
    assert {one["who"] for one in done["effects"]} == {"Vera", "Raider 1", "Raider 2"}
    hurt = crisis.fighter("Raider 2")
    assert crisis.ok("undo").status == 0
    assert crisis.fighter("Raider 2")["pools"]["health"] == 22 > hurt["pools"]["health"]
    crisis.ok("redo")
    assert crisis.fighter("Raider 2") == hurt
    assert crisis("verify").status == 0
    assert "1 tile off, at 1,4" in crisis.ok("replay").out


def test_a_place_is_aimed_at_with_at(crisis: Player) -> None:
    """STEP-25: `throw --at X,Y`, in a one-off as well."""
    done = crisis.ok("throw vera --at 5,0 --dice 4 --json").record
    assert (done["targets"], done["at"], done["success"]) == ([], [5, 0], True)
    assert "not a position" in crisis.refused(3, "throw ada --at 5,0").err


def test_helpers_come_from_the_command_line(crisis: Player) -> None:
    """STEP-10: `--aid NAMES`, in a one-off with sheets of their own, in a crisis by name."""
    done = crisis.ok("check vera medicine --aid moss --dice 5,2 --json").record
    assert [one["what"] for one in done["rolls"]] == ["aid", "check"] and done["success"]
    crisis.ok("init vera moss --vs raider --open --dice 8,2,7,3")
    done = crisis.ok("check medicine --aid moss --dice 5,2 --json").record
    assert done["rolls"][1]["added"] == 2


def test_days_pass_between_crises(crisis: Player) -> None:
    """STEP-37: `heal WHO --natural`, written into the sheet with --save."""
    crisis.ok("character copy vera")
    text = (crisis.here / "characters" / "vera.toml").read_text("utf-8")
    (crisis.here / "characters" / "vera.toml").write_text(
        text + "\n[state]\nhealth = 20\nnonlethal = 30\n", "utf-8"
    )
    crisis.ok("heal vera --natural --days 2 --care doctor --dice 3,4 --save")
    state = json.loads(crisis.ok("character show vera --json").out)
    assert "22" in json.dumps(state)
    assert "between crises" in open_and_rest(crisis)


def open_and_rest(crisis: Player) -> str:
    """What is said where someone waits for wounds to heal in the middle of a crisis."""
    crisis.ok("init vera --vs raider --open --dice 8,2,3")
    return crisis.refused(3, "heal vera --natural").err


def test_overwatch_from_the_command_line(crisis: Player) -> None:
    """STEP-16: the turn is over, the AP are kept, and `--by` attacks in another's turn."""
    crisis.ok("init vera --vs raider --open --dice 8,2,3")
    assert "Raider's turn" in crisis.ok("act overwatch").out
    done = crisis.ok("attack raider --by vera --dice 10,3,2 --json").record
    assert done["actor"] == "Vera" and done["rolls"][0]["extras"] == 2
    assert crisis.fighter("Vera")["pools"]["ap"] == 2


def test_magazines_last_beyond_the_crisis(crisis: Player) -> None:
    """STEP-16: what is left of them is on the sheet afterwards."""
    crisis.ok("character copy vera")
    crisis.ok("init vera --vs raider --open --dice 8,2,3")
    crisis.ok("set vera ammo:pistol 0")
    crisis.ok("act reload")
    crisis.ok("end")
    assert "magazines" in (crisis.here / "characters" / "vera.toml").read_text("utf-8").split("[state")[1]


def test_health_is_rolled_when_a_sheet_is_made(crisis: Player) -> None:
    """STEP-3: 20 and a body roll, kept on the sheet; a step above d12 counts."""
    crisis.ok("character new Kim --system step --set attributes.body=d12+1")
    text = (crisis.here / "characters" / "kim.toml").read_text("utf-8")
    health = int(text.partition("health = ")[2].split()[0])
    assert health >= 22
    crisis.ok("character new Lou --system step --set health=31")
    assert "health = 31" in (crisis.here / "characters" / "lou.toml").read_text("utf-8")
