"""What cases cannot say of 2d20: published odds, a witness for the dice, several victims, pools of sides, speed."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from counting import Counted

from crisis_cli.ai.deciding import AutoPlayer
from crisis_cli.ai.doctrine_store import DoctrineStore
from crisis_cli.dice.distribution import Distribution, OddsTable
from crisis_cli.dice.generator import Seeded, generator
from crisis_cli.dice.table import Table
from crisis_cli.engine.action_odds import ActionOdds, action_odds
from crisis_cli.engine.changes import Changes
from crisis_cli.engine.events import apply_all, revert_all
from crisis_cli.engine.legal_actions import legal
from crisis_cli.engine.perform import perform
from crisis_cli.engine.ranking import ranked
from crisis_cli.engine.record import Entry
from crisis_cli.engine.scene import Fighter, Intent, Scene
from crisis_cli.engine.sides import decided
from crisis_cli.errors import CrisisError, TooWide
from crisis_cli.sheets.check import read
from crisis_cli.sheets.fighters import fighter, lasting
from crisis_cli.systems import load
from crisis_cli.systems.two_d20.attacks import Damage, attack_setup
from crisis_cli.systems.two_d20.checks import CheckSetup, check, fails
from crisis_cli.systems.two_d20.damage import combat_dice
from crisis_cli.systems.two_d20.sheet import zones

pytestmark = pytest.mark.slow

SYSTEM = load("2d20")
SHEETS = Path(__file__).parents[2] / "characters" / "2d20"
STEMS = tuple(sorted(path.stem for path in SHEETS.glob("*.toml")))
LINES = 10_000_000
"""Lines of Python that it may run."""


def shipped(stem: str, **fields: Any) -> Fighter:
    """A fighter of a shipped sheet."""
    return fighter(SYSTEM, read(SHEETS / f"{stem}.toml", stem))._replace(**fields)


def met(*stems: str, **fields: Any) -> Scene:
    """A scene of shipped sheets."""
    found = [shipped(stem) for stem in stems]
    return Scene(SYSTEM.name, {one.name: one for one in found}, **fields)


def dice(*seed: int) -> Table:
    """A table with dice of its own."""
    return Table(Seeded(generator(*seed).random))


def chance(distribution: Distribution, holds: Callable[[Any], bool]) -> float:
    """The chance that something holds, in percent."""
    ways, total = distribution.chance(holds)
    return 100 * ways / total


@pytest.mark.parametrize(("target", "critical", "one", "two"), [(12, 1, 84.00, 40.00), (9, 3, 69.75, 36.75)])
def test_the_odds_of_two_d20_are_those_that_are_published(
    target: int, critical: int, one: float, two: float
) -> None:
    """2D20-4: at least one success, at least two."""
    distribution = OddsTable().of(check, CheckSetup("check", "A", target, critical, 1))
    assert round(chance(distribution, lambda outcome: outcome.total >= 1), 2) == one
    assert round(chance(distribution, lambda outcome: outcome.total >= 2), 2) == two


@pytest.mark.parametrize("complication", [20, 19])
@pytest.mark.parametrize("many", [2, 3, 5])
def test_successes_and_complications_are_what_a_witness_finds(many: int, complication: int) -> None:
    """2D20-4, 2D20-6, 2D20-31."""
    icepool = pytest.importorskip("icepool")
    one = icepool.d20.map(
        lambda face: icepool.vectorize(int(face <= 11) + int(face <= 3), int(face >= complication))
    )
    distribution = (
        OddsTable()
        .of(check, CheckSetup("check", "A", 11, 3, 1, many, complication=complication))
        .of(lambda outcome: (outcome.total, outcome.complications))
    )
    wanted = {tuple(key): value for key, value in (many @ one).items()}
    whole = sum(wanted.values())
    assert {key: Fraction(ways, distribution.total) for key, ways in distribution} == {
        key: Fraction(ways, whole) for key, ways in wanted.items()
    }


@pytest.mark.parametrize("many", [1, 4, 9])
def test_combat_dice_are_what_a_witness_finds(many: int) -> None:
    """2D20-18."""
    icepool = pytest.importorskip("icepool")
    one = icepool.Die([icepool.vectorize(*pair) for pair in [(1, 0), (2, 0), (0, 0), (0, 0), (1, 1), (1, 1)]])
    distribution = OddsTable().of(combat_dice, Damage("A", many), many).of(lambda answer: answer[:2])
    wanted = {tuple(key): value for key, value in (many @ one).items()}
    whole = sum(wanted.values())
    assert {key: Fraction(ways, distribution.total) for key, ways in distribution} == {
        key: Fraction(ways, whole) for key, ways in wanted.items()
    }


def test_luck_and_aim_and_help_can_only_help() -> None:
    """2D20-8, 2D20-11."""
    plain = CheckSetup("attack", "A", 10, 1, 2)
    base = chance(OddsTable().of(check, plain), lambda outcome: outcome.success)
    for better in (
        plain._replace(luck=1),
        plain._replace(again=1),
        plain._replace(dice=3),
        plain._replace(helpers=(("B", 9, 1),)),
    ):
        assert chance(OddsTable().of(check, better), lambda outcome: outcome.success) > base


def test_complications_after_aim_are_those_of_all_faces() -> None:
    """2D20-11, 2D20-31: the highest die that failed is rolled again, whichever of the complications that is."""
    test = CheckSetup("attack", "A", 11, 3, 1, again=1, complication=19)
    counts = dict[int, int]()
    for first, second, new in product(range(1, 21), repeat=3):
        faces = sorted((first, second))
        if faces[1] > test.target:
            faces[1] = new
        many = sum(face >= 19 for face in faces)
        counts[many] = counts.get(many, 0) + 1
    distribution = OddsTable().of(check, test).of(lambda outcome: outcome.complications)
    assert {many: Fraction(ways, distribution.total) for many, ways in distribution} == {
        many: Fraction(ways, 8000) for many, ways in counts.items()
    }


def with_quality(scene: Scene, who: str, *qualities: str) -> Scene:
    """A scene in which all weapons of a fighter have these qualities alone."""
    one = scene.fighters[who]
    weapons = {
        name: {**weapon, "qualities": list(qualities)} for name, weapon in one.sheet["weapons"].items()
    }
    armed = one._replace(sheet={**one.sheet, "weapons": weapons})
    return scene._replace(fighters={**scene.fighters, who: armed})


def test_odds_know_the_qualities_of_a_weapon() -> None:
    """2D20-29 to 2D20-32: an attack with a quality has the odds of the attack that it makes of it."""
    plain = met("cass", "mutant")
    cass = plain.fighters["Cass"]
    aimed = plain._replace(fighters={**plain.fighters, "Cass": cass._replace(marks={"aimed": 1})})

    def odds(scene: Scene, **options: Any) -> ActionOdds:
        return action_odds(SYSTEM, scene, Intent("attack", "Cass", ("Mutant",), options), OddsTable())

    near, usual = {"reach": ["Mutant"]}, odds(plain)
    assert usual.success == odds(with_quality(aimed, "Cass", "inaccurate")).success != odds(aimed).success
    close = odds(with_quality(plain, "Cass", "close-quarters"), **near)
    assert close.success == usual.success
    assert close.effects["Mutant"]["hp"].ways == usual.effects["Mutant"]["hp"].ways
    assert close.success != odds(plain, **near).success
    unreliable = odds(with_quality(plain, "Cass", "unreliable"), complication="empty")
    for report, emptied in ((odds(plain, complication="empty"), 39), (unreliable, 76)):
        rounds = report.effects["Cass"]["ammo:repeater"]
        assert Fraction(*rounds.chance(lambda change: change < -1)) == Fraction(emptied, 400)
    levels = odds(with_quality(plain, "Cass", "debilitating")).levels["Mutant"]
    injured = {what: level for what, level in levels.items() if what.startswith("condition:injured-")}
    assert injured
    for what, level in injured.items():
        assert levels[what.replace("injured", "debilitated")].after.ways == level.after.ways


def test_odds_of_treating_count_a_debilitating_weapon() -> None:
    """2D20-32: one injury of the kind has the odds of two others."""
    scene = met("doc", "cass")
    cass = scene.fighters["Cass"]

    def odds(**levels: int) -> tuple[int, int] | None:
        hurt = cass._replace(conditions={name.replace("_", "-"): level for name, level in levels.items()})
        there = scene._replace(fighters={**scene.fighters, "Cass": hurt})
        heal = Intent("heal", "Doc", ("Cass",), {"treat": "head"})
        return action_odds(SYSTEM, there, heal, OddsTable()).success

    assert (
        odds(injured_head=1, debilitated_head=1)
        == odds(injured_head=2)
        == odds(injured_head=2, debilitated_head=1)
    )
    assert odds(injured_head=1) != odds(injured_head=2)


def test_minds_do_not_aim_with_what_is_inaccurate() -> None:
    """2D20-29: aim is worth its action with another weapon, and nothing with this one."""
    scene = met("cass", "mutant", open=True, order=("Cass", "Mutant"), turn="Cass", round=1)
    cass = scene.fighters["Cass"]
    armed = {**cass.sheet, "weapons": {"repeater": cass.sheet["weapons"]["repeater"]}}
    cass = cass._replace(pools={**cass.pools, "major": 1, "minor": 1, "luck": 0}, sheet=armed)
    scene = scene._replace(fighters={**scene.fighters, "Cass": cass})
    mind = AutoPlayer(SYSTEM, DoctrineStore().named)
    assert mind.decide(scene, "Cass").intent.action == "aim"
    assert mind.decide(with_quality(scene, "Cass", "inaccurate"), "Cass").intent.action == "attack"


def test_minds_stand_their_ground_with_what_is_made_for_it() -> None:
    """2D20-30: with an enemy in reach the shot scores as one without."""
    scene = met("cass", "mutant", open=True, order=("Cass", "Mutant"), turn="Cass", round=1)
    cass = scene.fighters["Cass"]
    near = cass._replace(pools={**cass.pools, "major": 1, "luck": 0}, marks={"reach:Mutant": 1})
    scene = scene._replace(fighters={**scene.fighters, "Cass": near})

    def points(scene: Scene) -> float:
        shots = [
            row
            for row in ranked(SYSTEM, scene, "Cass", OddsTable())
            if row.legal.intent.action == "attack" and row.legal.intent.get("weapon") == cass.held[0]
        ]
        return max(row.points for row in shots)

    alone = scene._replace(fighters={**scene.fighters, "Cass": near._replace(marks={})})
    assert points(scene) < points(with_quality(scene, "Cass", "close-quarters")) == points(alone)


def test_distance_is_borders_crossed() -> None:
    """ALL-4."""
    assert [zones((0, 0), there) for there in ((0, 0), (1, 1), (-2, 1), (3, -4))] == [0, 1, 2, 4]


TOOLS: list[tuple[str, str, dict[str, Any]]] = [
    *((one, "cass", {}) for one in STEMS if one != "cass"),
    *((one, "mutant", {"cover": "heavy"}) for one in STEMS if one != "mutant"),
    ("cass", "mutant", {"weapon": "repeater", "extra_rounds": 2, "buy": 3, "luck": 3, "aim": 1}),
    ("mutant", "robot", {"weapon": "board", "ap_dice": 3, "buy": 3, "luck": 2, "cover": "3"}),
    ("mutant", "cass", {"weapon": "shotgun", "buy": 3, "luck": 3, "cover": "heavy"}),
]


@pytest.mark.parametrize(("who", "target", "options"), TOOLS)
def test_odds_of_an_attack_are_quick(who: str, target: str, options: dict[str, Any]) -> None:
    """Even for the hardest: a million lines are well below a second."""
    scene = met(who, target)
    side = scene.fighters[who.capitalize()].side
    scene = scene._replace(sides={side: {"ap": 6}})
    with Counted(LINES):
        report = action_odds(
            SYSTEM, scene, Intent("attack", who.capitalize(), (target.capitalize(),), options), OddsTable()
        )
    assert report.success is not None and report.effects


def test_several_victims_have_each_a_distribution_of_its_own_and_it_is_that_of_throwing() -> None:
    """2D20-24, 2D20-28: the joint distribution is refused, the views agree with many throws."""
    scene = met("doc", "mutant", "ghoul")
    for who, weapon in (("Doc", "pipe bomb"), ("Cass", "repeater")):
        scene = met("doc" if who == "Doc" else "cass", "mutant", "ghoul")
        intent = Intent("attack", who, ("Mutant", "Ghoul"), {"weapon": weapon})
        report = action_odds(SYSTEM, scene, intent, OddsTable())
        row = SYSTEM.actions["attack"]
        with pytest.raises(TooWide):
            OddsTable().of(row.rule, row.setup(scene, intent).dice)
        many, sums = 4000, {"Mutant": 0, "Ghoul": 0, who: 0}
        for seed in range(many):
            after = apply_all(scene, perform(SYSTEM, scene, intent, dice(seed)).events)
            for name in ("Mutant", "Ghoul"):
                sums[name] += after.fighters[name].pools["hp"] - scene.fighters[name].pools["hp"]
            pool = f"ammo:{weapon}"
            sums[who] += after.fighters[who].pools[pool] - scene.fighters[who].pools[pool]
        for name in ("Mutant", "Ghoul"):
            distribution = report.effects[name]["hp"]
            assert abs(sums[name] / many - distribution.mean()) < 5 * distribution.deviation() / many**0.5, (
                name
            )
        distribution = report.effects[who][f"ammo:{weapon}"]
        assert abs(sums[who] / many - distribution.mean()) <= 5 * distribution.deviation() / many**0.5


def test_a_side_run_by_the_gm_has_one_for_each_player_and_undo_takes_it_back() -> None:
    """2D20-7, ALL-3: third sides as well; newcomers of a side that is there bring nothing."""
    scene = met("cass", "doc", "mutant", open=True)
    scene = scene._replace(fighters={**scene.fighters, "Robot": shipped("robot", side="machines")})
    entry = perform(SYSTEM, scene, Intent("init", "", tuple(scene.fighters)), dice(1))
    after = apply_all(scene, entry.events)
    assert after.sides == {"opponents": {"ap": 2}, "machines": {"ap": 2}}
    assert revert_all(after, entry.events) == scene


def test_a_bought_action_may_be_taken_by_the_stunned() -> None:
    """2D20-11, 2D20-24: no normal actions, but what AP buy."""
    scene = met("mutant", "cass", open=True, order=("Mutant", "Cass"), turn="Mutant", round=1)
    one = scene.fighters["Mutant"]._replace(conditions={"stunned": True})
    scene = scene._replace(fighters={**scene.fighters, "Mutant": one})
    attack = Intent("attack", "Mutant", ("Cass",))
    assert not [found for found in legal(SYSTEM, scene) if found.intent.action == "attack"]
    with pytest.raises(CrisisError, match="0 Major actions"):
        perform(SYSTEM, scene, attack, dice(1))
    rich = scene._replace(sides={"opponents": {"ap": 2}})
    assert [found for found in legal(SYSTEM, rich) if found.intent.action == "attack"]
    after = apply_all(rich, perform(SYSTEM, rich, attack, dice(1)).events)
    assert after.sides.get("opponents", {}).get("ap", 0) <= 2
    assert after.fighters["Mutant"].marks["bought:major"] == 1


def test_wounds_last_and_luck_does_and_actions_do_not() -> None:
    """2D20-8, 2D20-21: what a sheet keeps."""
    one = shipped("cass")
    one = one._replace(pools={**one.pools, "hp": 4, "max_hp": 7, "luck": 2, "major": 1})
    said = lasting(SYSTEM, one)
    assert (said["hp"], said["max_hp"], said["luck"]) == (4, 7, 2)
    assert "major" not in said and "ap" not in said


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.long) for seed in (2, 3))])
def test_a_fight_far_apart_fights_itself_to_its_end(seed: int) -> None:
    """ALL-4: minds go where the rulebook offers to go."""
    scene = met("cass", "ghoul", "mutant", open=True)
    where = {"Cass": (0, 0), "Ghoul": (4, 2), "Mutant": (3, -3)}
    scene = scene._replace(
        fighters={name: one._replace(at=where[name]) for name, one in scene.fighters.items()}
    )
    scene = apply_all(scene, perform(SYSTEM, scene, Intent("init", "", tuple(where)), dice(seed)).events)
    autoplayer = AutoPlayer(SYSTEM, DoctrineStore().named)
    past: list[Entry] = []
    for step in range(400):
        if decided(SYSTEM, scene):
            break
        intent = autoplayer.decide(scene, scene.turn, past).intent
        past.append(perform(SYSTEM, scene, intent, dice(seed, step)))
        scene = apply_all(scene, past[-1].events)
    assert decided(SYSTEM, scene)


def test_the_ranking_says_what_a_second_extra_die_buys() -> None:
    """2D20-6: for 2 AP more than the first, in chances and points; nothing that the pool does not hold is offered."""
    scene = met("cass", "ghoul", open=True, order=("Cass", "Ghoul"), turn="Cass", round=1)
    one = scene.fighters["Cass"]
    scene = scene._replace(fighters={**scene.fighters, "Cass": one._replace(pools={**one.pools, "major": 1})})
    rich = scene._replace(sides={"players": {"ap": 3}})
    found = {
        one.legal.intent.get("buy"): one
        for one in ranked(SYSTEM, rich, "Cass", OddsTable())
        if one.legal.intent.action == "attack" and set(one.legal.intent.options) <= {"weapon", "buy"}
    }
    assert set(found) == {None, 1, 2}
    beside = found[2].beside
    assert beside and (beside.option, beside.other, beside.costs) == ("buy", 1, (("ap", 2),))
    first, second = found[1].success, found[2].success
    assert first and second and beside.success == pytest.approx(second - first) and second > first
    poor = ranked(SYSTEM, scene, "Cass", OddsTable())
    assert not [one for one in poor if one.legal.intent.get("buy")]


def test_a_mind_buys_and_fires_what_pays() -> None:
    """2D20-6, 2D20-8, 2D20-19: the deed that it has chosen, in the finest way it can be done."""
    scene = met("cass", "ghoul", open=True, order=("Cass", "Ghoul"), turn="Cass", round=1)
    one = scene.fighters["Cass"]
    one = one._replace(pools={**one.pools, "major": 1, "luck": 0})
    scene = scene._replace(fighters={**scene.fighters, "Cass": one}, sides={"players": {"ap": 6}})
    autoplayer = AutoPlayer(SYSTEM, DoctrineStore().named)
    intent = autoplayer.decide(scene, "Cass").intent
    assert intent.action == "attack"
    plain = intent._replace(options={"weapon": intent.get("weapon")})
    assert intent.get("buy") or intent.get("extra_rounds")
    harm = [
        action_odds(SYSTEM, scene, each, OddsTable()).effects["Ghoul"]["hp"].mean()
        for each in (intent, plain)
    ]
    assert harm[0] < harm[1]


def test_what_luck_promises_counts_the_help_that_is_still_to_come() -> None:
    """2D20-8, 2D20-11: a helper's die counts only with a success of one's own."""
    helper = ("B", 10, 1)
    test = CheckSetup("check", "A", 10, 1, 2, asks=1, helpers=(helper,))
    kept, again = (OddsTable().of(fails, test, 1, dice) for dice in (0, 1))
    assert chance(kept, lambda lacks: not lacks) == 50
    assert chance(again, lambda lacks: not lacks) == 75
    assert OddsTable().of(fails, test, 0, 0).ways == {1: 1}


def test_luck_that_is_asked_for_changes_no_odds() -> None:
    """2D20-8: no policy gives what lasts."""
    plain = CheckSetup("attack", "A", 10, 1, 2)
    assert OddsTable().of(check, plain._replace(asks=3)).ways == OddsTable().of(check, plain).ways
    hit = Damage("A", 5)
    assert OddsTable().of(combat_dice, hit, 5, (0, 3)).ways == OddsTable().of(combat_dice, hit, 5).ways
    drawn = [check(dice(seed), plain._replace(asks=3)) for seed in range(50)]
    assert drawn == [check(dice(seed), plain) for seed in range(50)]


def test_help_given_again_goes_on() -> None:
    """2D20-11: commanding an NPC that one assists with the same skill already leaves that help in place."""
    scene = met("doc", "robot", open=True, order=("Doc",), turn="Doc", round=1)
    names = tuple(scene.fighters)
    npc = scene.fighters[names[1]]._replace(side=scene.fighters["Doc"].side, player=False)
    doc = scene.fighters["Doc"]
    scene = scene._replace(fighters={"Doc": doc._replace(pools={**doc.pools, "major": 1}), npc.name: npc})
    for _ in range(2):
        command = Intent("command", "Doc", (npc.name,), {"force": True})
        scene = apply_all(scene, perform(SYSTEM, scene, command, dice(1)).events)
        assert [mark for mark in scene.fighters["Doc"].marks if mark.startswith(f"assists:{npc.name}:")]


def test_marks_are_read_and_cleared_by_their_kind() -> None:
    """What a mark is about stands behind its kind: `reach:Ghoul`."""
    marks = {"reach:Ghoul": 1, "reached": 2, "aimed": 1, "burning:energy:torso:3": 2}
    scene = met("cass")
    cass = scene.fighters["Cass"]._replace(marks=marks)
    assert cass.marks_of("reach") == {"Ghoul": 1} and cass.marks_of("burning") == {"energy:torso:3": 2}
    changes = Changes(scene._replace(fighters={"Cass": cass}))
    changes.clear_marks("Cass", "2D20-15", "reach", "aimed")
    assert changes.fighter("Cass").marks == {"reached": 2, "burning:energy:torso:3": 2}


def test_the_dice_of_an_attack_are_the_same_however_many_hp_its_target_has() -> None:
    scene = met("cass", "ghoul", open=True)
    intent = Intent("attack", "Cass", ("Ghoul",))
    ghoul = scene.fighters["Ghoul"]
    hurt = scene._replace(fighters={**scene.fighters, "Ghoul": ghoul.with_pools({"hp": 2})})
    one, other = (attack_setup(before, intent) for before in (scene, hurt))
    assert one.dice[1].settled == other.dice[1].settled
    assert one.dice != other.dice, "more rounds are asked for by what is left of a target"


@pytest.mark.parametrize(
    ("who", "weapon", "targets"),
    [
        ("cass", "repeater", ("Ghoul",)),
        ("cass", "repeater", ("Mutant", "Ghoul")),
        ("doc", "pipe bomb", ("Ghoul",)),
    ],
)
def test_odds_show_injuries_and_what_falls_from_hands(
    who: str, weapon: str, targets: tuple[str, ...]
) -> None:
    """2D20-22, 2D20-24: all that an attack begins or ends for its targets, as many throws have it."""
    scene = met(who, "mutant", "ghoul")
    intent = Intent("attack", who.capitalize(), targets, {"weapon": weapon})
    odds = action_odds(SYSTEM, scene, intent, OddsTable())
    many, seen = 3_000, dict[tuple[str, str], int]()
    for seed in range(many):
        after = apply_all(scene, perform(SYSTEM, scene, intent, dice(seed)).events)
        for name in targets:
            before, now = scene.fighters[name], after.fighters[name]
            begun = [(name, f"condition:{one}") for one in now.conditions if not before.has(one)]
            lost = [(name, f"held:{one}") for one in before.held if one not in now.held]
            for key in (*begun, *lost):
                seen[key] = seen.get(key, 0) + 1
    expected = {
        (name, what): (level.begins[0] or level.ends[0]) / level.after.total
        for name in targets
        for what, level in odds.levels[name].items()
        if what.startswith(("condition:", "held:"))
    }
    assert {*seen} <= {*expected}
    assert {"held", "condition"} <= {what.partition(":")[0] for _, what in expected}
    for key, p in expected.items():
        bound = 5 * (many * p * (1 - p)) ** 0.5 + 5
        assert abs(seen.get(key, 0) - many * p) <= bound, (key, p, seen.get(key, 0) / many)
