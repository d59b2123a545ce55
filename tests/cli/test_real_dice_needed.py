"""What somebody with real dice is told a roll must show, held to what all faces of that roll come to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

import pytest
from conftest import Player

import crisis_cli as crisis_api
from crisis_cli import rulebooks, systems
from crisis_cli.dice.distribution import OddsTable
from crisis_cli.dice.table import Table, Throw
from crisis_cli.engine.action_odds import action_odds
from crisis_cli.engine.needed import felling
from crisis_cli.engine.perform import perform
from crisis_cli.engine.record import RollRecord
from crisis_cli.engine.scene import Intent, Scene
from crisis_cli.render.charts import whole_percent
from crisis_cli.render.real_dice import before_roll
from crisis_cli.render.style import Ink

ATTACKS = {
    "3d6": [
        ("jack", "drone", {}),
        ("drone", "jack", {}),
        ("ada", "warden", {"weapon": "knife"}),
        ("ada", "drone", {"range": 20, "cover": "light"}),
        ("warden", "jack", {"weapon": "unarmed", "mod": 2}),
    ],
    "step": [
        ("vera", "raider", {"range": 3}),
        ("raider", "moss", {"range": 9}),
        ("brute", "vera", {}),
        ("moss", "brute", {"range": 12}),
        ("vera", "raider", {"weapon": "unarmed", "mod": -4}),
    ],
    "d100": [
        ("ines", "looter", {"range": 8}),
        ("looter", "ines", {"plus": True}),
        ("bruno", "marshal", {}),
        ("marshal", "bruno", {"range": 4, "minus": True}),
        ("ines", "marshal", {"weapon": "knife", "assist": 2}),
    ],
    "2d20": [
        ("cass", "mutant", {}),
        ("mutant", "doc", {}),
        ("doc", "ghoul", {}),
        ("ghoul", "cass", {}),
        ("robot", "doc", {}),
    ],
    "d6pool": [
        ("hagen", "bandit", {}),
        ("bandit", "hagen", {}),
        ("tilda", "revenant", {}),
        ("revenant", "tilda", {}),
        ("tilda", "bandit", {"mod": -2}),
    ],
}
MOST = 250
"""Faces of a roll that are all tried; of more, those of its first die."""


class Faces:
    """Gives the faces of the first roll, then twos."""

    def __init__(self, faces: Sequence[int]):
        self.left = list(faces)

    def face(self, sides: int, throw: Throw) -> int:
        return self.left.pop(0) if self.left else min(2, sides)


def rolled(scene: Scene, intent: Intent, faces: Sequence[int]) -> RollRecord:
    """The first roll of an action with these faces."""
    return perform(systems.load(scene.system), scene, intent, Table(Faces(faces))).rolls[0]


def all_faces(count: int, sides: int) -> Iterator[tuple[int, ...]]:
    tried = count if sides**count <= MOST else 1
    return (faces + (2,) * (count - tried) for faces in product(range(1, sides + 1), repeat=tried))


PAIRS = [(name, *pair) for name, pairs in ATTACKS.items() for pair in pairs]


@pytest.mark.parametrize(("name", "actor", "target", "options"), PAIRS)
def test_what_is_needed_is_what_the_faces_say(
    name: str, actor: str, target: str, options: dict[str, object]
) -> None:
    fight = crisis_api.begin(actor, vs=target, seed=1, apart=0)
    scene, system = fight.session.scene, fight.session.system
    who, other = scene.fighters
    intent = Intent("attack", who, (other,), {"force": True, **options})
    plain = rolled(scene, intent, ())
    roll = Throw(plain.what, plain.who, plain.dice.partition(" + ")[0], {})
    head, said = before_roll(intent, (roll,), (), scene, system, rulebooks.load(name).real_dice, Ink())
    assert head.startswith(who) and said.startswith(f"{who}'s attack, ")
    numbers = {key: int(found[1]) for key, found in _found(said)}
    sides = plain.faces[0][0]
    wins = tries = 0
    for faces in all_faces(len(plain.faces), sides):
        one = rolled(scene, intent, faces)
        # A die that is rolled on shows a two next.
        rolled_on = name == "step" and faces == (sides,)
        counts = _count((*faces, *[2] * rolled_on), numbers, plain.dice)
        assert one.reckoning["success"] is (counts >= numbers.get("successes", 1)), (faces, said)
        if "successes" in one.reckoning:
            assert one.reckoning["successes"] == counts, (faces, said)
        if name == "2d20":
            assert one.reckoning["complications"] == sum(face >= numbers["complication"] for face in faces)
        wins, tries = wins + one.reckoning["success"], tries + 1
    ways, total = action_odds(system, scene, intent, OddsTable()).success or (0, 1)
    assert whole_percent(ways, total) in said
    if sides ** len(plain.faces) <= MOST and name != "step":
        assert Fraction(wins, tries) == Fraction(ways, total)


def _found(said: str) -> Iterator[tuple[str, re.Match[str]]]:
    for key, pattern in {
        "most": r"[:h] (\d+) or less",
        "least": r"(\d+) or more",
        "alone": r"each (\d+) hits",
        "either": r"each (\d) or \d hits",
        "double": r"each (\d+) or less two",
        "successes": r"(\d+) needed",
        "complication": r"each (\d+) a complication",
    }.items():
        if found := re.search(pattern, said):
            yield key, found


def _count(faces: Sequence[int], numbers: dict[str, int], dice: str) -> int:
    """The successes of these faces, as a reader of the sentence counts them."""
    least = numbers.get("least") or numbers.get("alone") or numbers.get("either")
    if "successes" in numbers and least:
        return sum(face >= least or (face == 6 and least > 6) for face in faces)
    if "successes" in numbers:
        return sum((face <= numbers["most"]) + (face <= numbers.get("double", 0)) for face in faces)
    if least is not None:
        return int(sum(faces) >= least)
    return int((min(faces) if "kl" in dice else max(faces)) <= numbers["most"])


@pytest.mark.parametrize(
    ("line", "answers", "said"),
    [
        ("attack ines looter --range 8", [], "Ines fires the rifle at Looter"),
        ("attack ines looter --range 8", [], "Ines's attack, d100: 55 or less hits (55 %)"),
        (
            "attack ines looter --range 8 --mode semi",
            ["44"],
            "Ines's damage, 2 dice d6, each + 1: 7 or more together bring Looter down",
        ),
        (
            "attack ines looter --range 8 --plus",
            [],
            "Ines's attack, 2d100, the lower: 55 or less hits (80 %)",
        ),
        ("attack ines looter --range 8 --mode semi", ["44"], "  [44] against 55 — a hit"),
        (
            "attack jack drone",
            [],
            "Jack's attack, 3d6 + 3: 13 or more on the dice hits (26 %), each six a critical",
        ),
        (
            "attack cass mutant",
            [],
            "Cass's attack, 2d20: each 11 or less is a success, each 3 or less two; 1 needed (80 %); "
            "each 20 a complication",
        ),
        (
            "attack hagen bandit",
            [],
            "Hagen's attack, 6d6: each 5 or 6 hits, each 6 is thrown again; 1 needed (91 %)",
        ),
    ],
)
def test_the_question_says_what_is_needed(crisis: Player, line: str, answers: list[str], said: str) -> None:
    lines = crisis(f"{line} --real-dice", answers=answers).err.splitlines()
    assert any(one.startswith(said) for one in lines), lines


def test_a_wide_sentence_is_broken_at_a_terminal(crisis: Player) -> None:
    shown = crisis("attack cass mutant --real-dice", answers=[], terminal=True, env={"NO_COLOR": "1"})
    lines = shown.err.splitlines()
    assert any(line.startswith("Cass's attack, 2d20") for line in lines)
    assert all(len(line) <= 80 for line in lines)


def test_nothing_is_said_of_the_dice_of_foes(crisis: Player) -> None:
    crisis.ok("init ines --vs looter --open --seed 3 --apart 0")
    shown = crisis("attack ines --by looter --force --mine", answers=["1"] * 3)
    assert "Looter's" not in shown.err
    assert "Looter's attack, d100" in crisis("attack ines --by looter --force --real-dice", answers=[]).err


@pytest.mark.parametrize(("health", "needs"), [(2, 2), (4, 2), (9, 7), (14, 12), (15, 0)])
def test_the_sum_that_brings_a_target_down(health: int, needs: int) -> None:
    """Two dice d6 + 1 against 9 Health: with 7 on the dice it falls, with 6 it does not, however they lie."""
    fight = crisis_api.begin("ines", vs="looter", seed=1, apart=0)
    scene, system = fight.session.scene, fight.session.system
    looter = scene.fighters["Looter"]
    scene = scene._replace(
        fighters={**scene.fighters, "Looter": looter.with_pools({**looter.pools, "health": health})}
    )
    intent = Intent("attack", "Ines", ("Looter",), {"force": True, "range": 8, "mode": "semi"})
    attack, damage = Throw("attack", "Ines", "d100"), Throw("damage", "Ines", "d6")
    attack.faces = [(100, 44)]
    found = felling(system, scene, intent, (attack, damage), ())
    assert found is not None and found.number == needs


def test_who_defends_is_told_who_attacks_and_what_is_needed() -> None:
    fight = crisis_api.begin("tilda", vs="bandit", seed=1, apart=0)
    scene, system = fight.session.scene, fight.session.system
    intent = Intent("attack", "Tilda", ("Bandit",), {"force": True, "cover": "4+", "range": 5})
    source = Table(Faces([6, 5, 6, 5, 6, 5]))
    perform(system, scene, intent, source)
    attack, cover = source.throws[:2]
    rolls = (attack, Throw(cover.what, cover.who, cover.dice, {}))
    said = before_roll(intent, rolls, (), scene, system, rulebooks.load("d6pool").real_dice, Ink())
    assert cover.what == "cover" and said[0].startswith("Tilda") and "a hit" in said[1]
    assert said[2] == "Bandit's cover: each die of 4 or more counts"


def test_the_question_says_all_faces_that_are_complications(crisis: Player) -> None:
    """2D20-31."""
    line = """attack cass mutant --set 'cass.weapons.repeater.qualities=["unreliable"]' --real-dice"""
    lines = crisis(line, answers=[]).err.splitlines()
    assert any(said.endswith("each 19 or 20 a complication") for said in lines), lines
