"""What cases cannot say of d100: exact odds against every face, groups and harm that waits, readied actions, undo."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from conftest import slow_but
from maps import drawn, random_map

from crisis_cli.ai import movement
from crisis_cli.ai.choosing import policy
from crisis_cli.ai.evaluation import Evaluator
from crisis_cli.dice.distribution import OddsTable, harm, least_harm
from crisis_cli.dice.generator import Seeded
from crisis_cli.dice.table import Alternative, Table
from crisis_cli.engine.action_odds import action_odds
from crisis_cli.engine.events import apply_all, revert_all
from crisis_cli.engine.field import BattleMap
from crisis_cli.engine.legal_actions import legal
from crisis_cli.engine.perform import perform
from crisis_cli.engine.reach import reachable
from crisis_cli.engine.responses import responses
from crisis_cli.engine.scene import Fighter, Intent, Scene
from crisis_cli.errors import Refused
from crisis_cli.sheets.check import read
from crisis_cli.sheets.fighters import fighter
from crisis_cli.systems import load

SYSTEM = load("d100")
SHEETS = Path(__file__).parents[2] / "characters" / "d100"


def shipped(stem: str, name: str = "") -> Fighter:
    """A fighter of a shipped sheet."""
    return fighter(SYSTEM, read(SHEETS / f"{stem}.toml", stem), name=name)


def met(*stems: str, **fields: Any) -> Scene:
    """A scene of shipped sheets."""
    found = [shipped(stem) for stem in stems]
    return Scene(SYSTEM.name, {one.name: one for one in found}, **fields)


def die(random: float) -> Table:
    """A table on which every die shows the same part of its sides."""
    return Table(Seeded(lambda: random))


def report(scene: Scene, intent: Intent, react: str | None = None) -> Any:
    """The forecast of an attack answered in one way."""
    options = {**intent.options, **({"react": react} if react else {})}
    return action_odds(SYSTEM, scene, intent._replace(options=options), OddsTable(policy(react)))


def distribution_of(report_: Any, who: str) -> dict[int, Fraction]:
    """The exact distribution of what health loses."""
    distribution = report_.effects[who]["health"]
    return {value: Fraction(ways, distribution.total) for value, ways in distribution}


def by_hand(damages: list[int], armour: int, answer: Any, hit: Fraction) -> dict[int, Fraction]:
    """The distribution of a blow: each damage as likely as any other, `answer(harm)` a list of equally likely harms."""
    distribution = {0: 1 - hit}
    for damage in damages:
        left = answer(max(0, damage - armour))
        for one in left:
            distribution[-one] = distribution.get(-one, Fraction(0)) + hit / len(damages) / len(left)
    return {value: chance for value, chance in distribution.items() if chance}


MACHETE = [strength + blade for strength, blade in product(range(1, 5), range(1, 5))]


def blocked(harm: int) -> list[int]:
    return [min(harm, max(1, harm - roll)) for roll in range(1, 7)] if harm else [0]


def dodged(harm: int) -> list[int]:
    return [0 if roll >= harm else harm for roll in range(1, 9)] if harm else [0]


def best(harm: int) -> list[int]:
    return min(([harm], blocked(harm), dodged(harm)), key=lambda left: Fraction(sum(left), len(left)))


@pytest.mark.parametrize(
    ("react", "answer"),
    [
        (None, lambda harm: [harm]),
        ("none", lambda harm: [harm]),
        ("block", blocked),
        ("dodge", dodged),
        ("best", best),
    ],
)
def test_odds_of_a_blow_and_its_answer_are_those_of_every_face(react: str | None, answer: Any) -> None:
    """D100-16, D100-17, D100-23 to D100-26: a looter's machete against Ines."""
    scene = met("looter", "ines")
    found = report(scene, Intent("attack", "Looter", ("Ines",)), react)
    assert distribution_of(found, "Ines") == by_hand(MACHETE, 1, answer, Fraction(40, 100))
    assert Fraction(*found.success) == Fraction(2, 5)


def test_odds_of_two_dice_count_the_one_that_counts() -> None:
    """D100-5."""
    scene = met("looter", "ines")
    pairs = list(product(range(1, 101), repeat=2))
    for option, counts in (("plus", min), ("minus", max)):
        found = report(scene, Intent("attack", "Looter", ("Ines",), {option: True}))
        assert Fraction(*found.success) == Fraction(sum(counts(pair) <= 40 for pair in pairs), 10_000)


def test_odds_of_automatic_fire_are_those_of_every_face() -> None:
    """D100-18, D100-26: two checks with [−], four projectiles each, armour off each."""
    scene = met("ines", "marshal")
    found = report(scene, Intent("attack", "Ines", ("Marshal",), {"mode": "auto", "checks": 2}))
    hit = Fraction(55, 100) ** 2
    one = [max(0, face + 1 - 2) for face in range(1, 7)]
    sums = {0: Fraction(1)}
    odds_table = [sums]
    for _ in range(8):
        more: dict[int, Fraction] = {}
        for value, chance in odds_table[-1].items():
            for damage in one:
                more[value + damage] = more.get(value + damage, Fraction(0)) + chance / 6
        odds_table.append(more)
    wanted: dict[int, Fraction] = {}
    for hits, chance in ((0, (1 - hit) ** 2), (1, 2 * hit * (1 - hit)), (2, hit * hit)):
        for value, part in odds_table[4 * hits].items():
            lost = -min(value, scene.fighters["Marshal"].pools["health"])
            wanted[lost] = wanted.get(lost, Fraction(0)) + chance * part
    assert distribution_of(found, "Marshal") == wanted


def test_the_least_harm_is_taken_and_ties_go_to_the_cheapest() -> None:
    """D100-23: where a block cannot help, nothing is spent."""
    odds_table = OddsTable(least_harm)
    seen: list[str] = []

    def chooser(who: str, options: tuple[Alternative, ...]) -> Alternative:
        taken = least_harm(who, options, odds_table)
        assert all(harm(taken, odds_table) <= harm(one, odds_table) for one in options)
        seen.append(taken.name)
        return taken

    scene = met("looter", "bruno")
    for part in (0.0, 0.25, 0.39):
        perform(
            SYSTEM,
            scene,
            Intent("attack", "Looter", ("Bruno",)),
            Table(Seeded(lambda part=part: part), chooser),
        )
    assert seen == ["none", "block", "block"]


def begun(*stems: str) -> Scene:
    """A crisis in which all players go first, together."""
    scene = met(*stems, open=True)
    return apply_all(
        scene, perform(SYSTEM, scene, Intent("init", "", tuple(scene.fighters)), die(0.0)).events
    )


def done(scene: Scene, action: str, actor: str, *targets: str, part: float = 0.0, **options: Any) -> Scene:
    """The scene after an action, which undoes to the scene before it."""
    entry = perform(SYSTEM, scene, Intent(action, actor, targets, options), die(part))
    after = apply_all(scene, entry.events)
    assert revert_all(after, entry.events) == scene
    return after


def test_a_group_acts_in_any_order_and_each_ends_the_own_turn() -> None:
    """D100-8."""
    scene = begun("ines", "bruno", "looter")
    assert scene.acting == ("Ines", "Bruno")
    assert {one.intent.actor for one in legal(SYSTEM, scene) if one.window == "turn"} == {"Ines", "Bruno"}
    scene = done(scene, "walk", "Bruno")
    scene = done(scene, "next", "Bruno")
    assert scene.acting == ("Ines",)
    scene = done(scene, "next", "Ines")
    assert (scene.turn, scene.group) == ("Looter", ())


def readied(stems: tuple[str, ...], **options: Any) -> Scene:
    """Round 2 of a crisis, the players' group acting, the looter's blow readied."""
    scene = begun(*stems)
    players = scene.group
    for who in players:
        scene = done(scene, "next", who)
    scene = done(scene, "ready", "Looter", deed="attack")
    return done(scene, "next", "Looter")


def test_harm_waits_even_for_those_of_the_group_who_are_done_already() -> None:
    """D100-8, D100-11: both blows of a round are one pending list, applied by the end of the group."""
    scene = done(readied(("ines", "bruno", "looter")), "next", "Ines")
    scene = done(scene, "attack", "Looter", "Ines", part=0.3)
    (waiting,) = scene.pending
    assert waiting[:2] == ("Ines", "health") and waiting[2] < 0
    assert scene.fighters["Ines"].pools["health"] == 14
    scene = done(scene, "next", "Bruno")
    assert scene.pending == () and scene.fighters["Ines"].pools["health"] == 14 + waiting[2]


def test_harm_waits_for_a_fighter_who_leaves_and_for_the_end_of_the_crisis() -> None:
    """D100-8: ending the crisis counts what waits."""
    scene = done(readied(("ines", "bruno", "looter")), "attack", "Looter", "Bruno", part=0.3)
    lost = scene.pending[0][2]
    ended = apply_all(scene, perform(SYSTEM, scene, Intent("end"), die(0.0)).events)
    assert ended.over and ended.fighters["Bruno"].pools["health"] == 18 + lost
    left = done(scene, "leave", "", "Ines")
    assert left.acting == ("Bruno",) and left.pending
    gone = done(scene, "leave", "", "Ines", "Bruno")
    assert gone.turn == "Looter" and not gone.pending


def all_together() -> Scene:
    """A round in which Ines, Bruno and Looter act at the same time, and Looter has an Action."""
    names = ("Ines", "Bruno", "Looter")
    scene = met("ines", "bruno", "looter", order=names, teams=(names,), group=names, turn="Looter", round=1)
    looter = scene.fighters["Looter"].with_pools({**scene.fighters["Looter"].pools, "actions": 1})
    return scene._replace(open=True, fighters={**scene.fighters, "Looter": looter})


def test_odds_add_the_harm_that_waits_for_the_end_of_the_group() -> None:
    """D100-8: of 10 Health 8 are gone at the end of the group's turn; any further hit takes the rest."""
    scene = all_together()
    health = scene.fighters["Ines"].pools["health"]
    attack = Intent("attack", "Looter", ("Ines",), {"react": "none"})

    def chance(of: Scene) -> tuple[Fraction, Any]:
        odds = action_odds(SYSTEM, of, attack, OddsTable())
        return Fraction(*odds.down["Ines"]), odds

    waiting = scene._replace(pending=(("Ines", "health", 1 - health, "D100-16"),))
    fell, odds = chance(waiting)
    assert chance(scene)[0] < fell == Fraction(*odds.any_harm["Ines"]) == Fraction(*odds.success)
    assert set(odds.levels["Ines"]) == {"condition:down"}
    assert min(by for by, _ in odds.effects["Ines"]["health"]) < -1, "what an earlier blow takes is no part"
    doomed, odds = chance(scene._replace(pending=(("Ines", "health", -health, "D100-16"),)))
    assert doomed == 1 > Fraction(*odds.any_harm["Ines"])
    assert "Bruno" not in odds.down


def test_a_foe_who_falls_at_the_end_of_the_group_is_worth_no_more_blows() -> None:
    """D100-8: opponents weigh an attack by what it changes beyond the harm that waits."""
    scene = all_together()
    evaluator, health = Evaluator(SYSTEM), scene.fighters["Ines"].pools["health"]
    attack = Intent("attack", "Looter", ("Ines",), {"react": "none"})

    def worth(lost: int) -> Any:
        return evaluator.action_value(
            scene._replace(pending=(("Ines", "health", -lost, "D100-16"),) * bool(lost)), attack
        )

    whole, last, none = worth(0), worth(health - 1), worth(health)
    assert last.down > whole.down == none.down == 0
    assert last.taken > whole.taken > none.taken == none.done == 0


def test_in_sequence_may_be_said_of_one_attack() -> None:
    """D100-8."""
    scene = done(
        readied(("ines", "bruno", "looter")), "attack", "Looter", "Bruno", part=0.3, in_sequence=True
    )
    assert not scene.pending and scene.fighters["Bruno"].pools["health"] < 18


def test_a_readied_action_is_offered_out_of_turn_for_a_small_action() -> None:
    """D100-11, D100-12."""
    scene = readied(("ines", "bruno", "looter"))
    out = [one for one in legal(SYSTEM, scene) if one.window == "out" and one.intent.actor == "Looter"]
    assert out and {one.intent.action for one in out} == {"attack"}
    assert all(dict(one.costs)["small-actions"] == 1 for one in out)


@pytest.mark.parametrize("react", ["none", "block", "dodge", "best"])
def test_the_kept_small_action_pays_one_reaction(react: str) -> None:
    """D100-12, D100-23: a second blow of the same round finds nothing to answer with."""
    scene = met("looter", "ines", "marshal", open=True)
    order = ("Looter", "Marshal", "Ines")
    teams = (("Looter", "Marshal"), ("Ines",))
    scene = scene._replace(order=order, teams=teams, group=("Looter", "Marshal"), turn="Looter", round=1)
    scene = apply_all(
        scene,
        perform(
            SYSTEM, scene, Intent("set", "", ("Looter",), {"what": "actions", "value": 1}), die(0)
        ).events,
    )
    odds_table = OddsTable(policy(react))
    decide = lambda who, options: odds_table.policy(who, options, odds_table)  # noqa: E731
    entry = perform(SYSTEM, scene, Intent("attack", "Looter", ("Ines",)), Table(Seeded(lambda: 0.39), decide))
    after = apply_all(scene, entry.events)
    assert after.fighters["Ines"].pools["small-actions"] == (1 if react == "none" else 0)
    assert [choice.offered for choice in entry.choices] == [("none", "block", "dodge")]
    if react in ("block", "dodge"):
        with pytest.raises(Exception, match="no Small Action kept"):
            perform(
                SYSTEM,
                after,
                Intent("attack", "Marshal", ("Ines",), {"weapon": "unarmed", "react": react}),
                die(0),
            )


@pytest.mark.parametrize(
    ("at", "action", "is_offered"),
    [
        ((1.0, 0.0), Intent("attack", "Looter", ("Ines",)), True),
        ((2.0, 0.0), Intent("attack", "Looter", ("Ines",)), True),
        ((3.0, 0.0), Intent("attack", "Looter", ("Ines",)), False),
        ((1.0, 0.0), Intent("walk", "Looter", (), {"to": (0.0, 1.0)}), True),
        ((1.0, 0.0), Intent("run", "Looter", (), {"to": (9.0, 0.0)}), False),
        ((9.0, 0.0), Intent("run", "Looter", (), {"to": (1.0, 0.0)}), False),
        ((9.0, 0.0), Intent("attack", "Looter", ("Ines",)), False),
    ],
)
def test_what_is_readied_for_reach_lets_go_who_moves_away(
    at: tuple[float, float], action: Intent, is_offered: bool
) -> None:
    """D100-11."""
    scene = standing(begun("ines", "looter"), Ines=(0.0, 0.0), Looter=at)
    ready = perform(SYSTEM, scene, Intent("ready", "Ines", (), {"deed": "attack", "when": "reach"}), die(0.0))
    scene = done(apply_all(scene, ready.events), "next", "Ines")
    assert bool(list(responses(SYSTEM, scene, action, "Ines", [ready]))) == is_offered


def test_what_is_readied_for_reach_meets_who_has_come_even_when_it_goes_again() -> None:
    """D100-11."""
    scene = standing(begun("ines", "looter"), Ines=(0.0, 0.0), Looter=(3.0, 0.0))
    ready = perform(SYSTEM, scene, Intent("ready", "Ines", (), {"deed": "attack", "when": "reach"}), die(0.0))
    scene = done(apply_all(scene, ready.events), "next", "Ines")
    comes = perform(SYSTEM, scene, Intent("walk", "Looter", (), {"to": (1.0, 0.0)}), die(0.0))
    goes = Intent("run", "Looter", (), {"to": (8.0, 0.0)})
    assert list(responses(SYSTEM, apply_all(scene, comes.events), goes, "Ines", [ready, comes]))


def standing(scene: Scene, **places: tuple[float, float]) -> Scene:
    """The scene with fighters at these places."""
    fighters = {name: scene.fighters[name]._replace(at=at) for name, at in places.items()}
    return scene._replace(fighters={**scene.fighters, **fighters})


# D100-14: a run is one straight line


def on_map(text: str, here: tuple[float, float]) -> Scene:
    """Ines at a place of a map, in her turn, with a looter at 0,0; she runs 10 m."""
    scene = met("ines", "looter", open=True, round=1, turn="Ines", order=("Ines", "Looter"))
    fighters = dict(scene.fighters)
    fighters["Ines"] = fighters["Ines"]._replace(at=here).with_pools({"actions": 1, "small-actions": 2})
    fighters["Looter"] = fighters["Looter"]._replace(at=(0, 0))
    return scene._replace(fighters=fighters, field=drawn(text, "d100"))


def run_to(scene: Scene, *to: float, **options: Any) -> Any:
    """The entry of a run of Ines."""
    return perform(SYSTEM, scene, Intent("run", "Ines", (), {"to": list(to), **options}), die(0.5))


def is_in_the_line(field: BattleMap, here: tuple[float, float], to: tuple[float, float]) -> bool:
    """Whether a wall stands in the straight line between two places, looked up point by point."""
    for step in range(401):
        east, north = (a + (b - a) * step / 400 for a, b in zip(here, to, strict=True))
        cell = round(east), round(north)
        # A line that only touches the edge of a cell does not lead through it.
        inside = max(abs(east - cell[0]), abs(north - cell[1])) < 0.49
        if inside and field.at(cell).stops_move:
            return True
    return False


WALL = """\
.........
.........
....#....
....#....
....#....
"""


def test_a_run_ends_before_a_wall_and_does_not_bend_round_it() -> None:
    scene = on_map(WALL, (2, 1))
    with pytest.raises(Refused) as caught:
        run_to(scene, 6, 1)
    assert (caught.value.rule, caught.value.code) == ("D100-14", "bent_way")
    assert caught.value.message == "Ines goes straight on, and a wall at 4,1 is in the way (D100-14)"
    assert caught.value.hint == "run up to it: --to 3,1"
    assert run_to(scene, 3, 1).outcome["metres"] == 1
    # Over the end of the wall it is straight on; round the end and back is not.
    assert run_to(scene, 5, 4).outcome["metres"] == 4
    with pytest.raises(Refused, match="straight"):
        run_to(scene, 5, 2)
    assert run_to(scene, 6, 1, force=True).forced
    # Walking may change direction: only the distance counts.
    with pytest.raises(Refused, match="2 m in one go"):
        perform(SYSTEM, scene, Intent("walk", "Ines", (), {"to": [5, 1]}), die(0.5))
    at_end = on_map(WALL, (4, 3))
    assert (
        perform(SYSTEM, at_end, Intent("walk", "Ines", (), {"to": [5, 2]}), die(0.5)).outcome["metres"] == 1
    )


def test_mud_in_the_line_of_a_run_counts_double_and_is_not_run_round() -> None:
    scene = on_map("............\n.~~~~~......\n............", (0, 1))
    assert run_to(scene, 5, 1).outcome["metres"] == 10
    with pytest.raises(Refused, match="that is 11 m away"):
        run_to(scene, 6, 1)


@pytest.mark.parametrize("seed", slow_but(range(40), *range(10)))
def test_no_run_that_is_offered_or_chosen_leads_through_or_round_a_wall(seed: int) -> None:
    dice = random.Random(seed)
    text = random_map(dice, "......##~")
    width, height = len(text.splitlines()[0]), len(text.splitlines())
    places = [(x, y) for x in range(width) for y in range(height)]
    field = drawn(text, "d100")
    free = [place for place in places if not field.at(place).stops_move] or [(width, 0)]
    scene = on_map(text, dice.choice(free))
    ines = scene.fighters["Ines"]
    assert ines.at is not None
    able = reachable(SYSTEM, scene, "Ines").get("run", {})
    assert not any(is_in_the_line(field, ines.at, place) for place in able)
    bare = Intent("run", "Ines")
    for goal in dice.sample(places, min(8, len(places))):
        steps = (movement.towards(SYSTEM, scene, bare, goal), movement.away(SYSTEM, scene, bare, goal))
        for step in filter(None, steps):
            run_to(scene, *step.options["to"])
            assert not is_in_the_line(field, ines.at, tuple(step.options["to"]))
