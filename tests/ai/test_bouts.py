"""Automatic fights in every system: they end, break no bound, verify, and are undone to the start.

The suite fights a sample. `CRISIS_FIGHTS=1000 pytest -m "long or not long" tests/ai/test_bouts.py` fights a thousand at
random and a hundred by each doctrine.
"""

from __future__ import annotations

import os
from itertools import product
from random import Random

import pytest
from bouts import DOCTRINES, MINDS, ROUNDS, SAMPLE, Bout, at_random, by_doctrine, fought, met, roster

from crisis_cli.ai.deciding import Decision
from crisis_cli.dice.generator import Seeded, generator
from crisis_cli.dice.table import Table, first
from crisis_cli.engine.events import plain, revert_all
from crisis_cli.engine.journal import begun, entry_record, folded_lines, header, line
from crisis_cli.engine.perform import perform
from crisis_cli.engine.scene import Scene
from crisis_cli.engine.sides import decided
from crisis_cli.engine.system import System
from crisis_cli.engine.verify import differences
from crisis_cli.systems import SYSTEMS, load

pytestmark = pytest.mark.slow

ASKED = int(os.environ.get("CRISIS_FIGHTS", "0"))
MANY, EACH = (ASKED, max(1, ASKED // 10)) if ASKED else (2, 1)
"""Fights of anything legal (test_conformance.py has more of these), and by each doctrine."""

everywhere = pytest.mark.parametrize("name", tuple(SYSTEMS))
by_everyone = pytest.mark.parametrize(
    ("name", "doctrine"),
    [
        pytest.param(*pair, marks=() if pair in SAMPLE else pytest.mark.long)
        for pair in product(SYSTEMS, DOCTRINES)
    ],
)


def start(system: System, seed: int, doctrine: str) -> Scene:
    """Two to four shipped sheets, near each other, far apart, or nobody knows where."""
    dice = Random(seed)
    sheets = dice.choices(roster(system.name), k=dice.randint(2, 4))
    return met(system, sheets, (doctrine, "careful"), (None, 1, 12)[seed % 3])


def sound(system: System, bout: Bout) -> None:
    """It ended, nothing was out of bounds, the journal says the same and verifies, and undoing leads back."""
    assert decided(system, bout.end) or bout.end.round > ROUNDS, bout.story
    for scene in bout.scenes:
        for one in scene.fighters.values():
            wrong = {pool: value for pool, value in one.pools.items() if one.bounded(pool, value) != value}
            assert not wrong, f"{one.name}: {wrong}\n{bout.story}"
    head = header("test", system.name, 7, "2026-11-20T19:07:02Z", bout.start.fighters.values(), {})
    lines = [line(plain(head)), *(line(plain(entry_record(entry))) for entry in bout.entries)]
    crisis = folded_lines(lines, load)
    assert plain(crisis.scene) == plain(bout.end), bout.story
    # The faces are not those of the journal's seed: they count as given.
    marked = [
        one._replace(rolls=tuple(roll._replace(given=True) for roll in one.rolls)) for one in bout.entries
    ]
    given = [lines[0], *(line(plain(entry_record(entry))) for entry in marked)]
    assert not list(differences(system, given)), bout.story
    scene = bout.end
    for entry in reversed(bout.entries):
        scene = revert_all(scene, entry.events)
    assert plain(scene) == plain(begun(plain(head)).scene), bout.story


@everywhere
def test_fights_of_anything_legal_end_and_hold(name: str) -> None:
    system = load(name)
    for seed in range(MANY):
        sound(
            system,
            fought(system, start(system, seed, "careful"), seed, at_random(system, seed), habits=False),
        )


@by_everyone
def test_fights_by_doctrine_end_and_hold(name: str, doctrine: str) -> None:
    system = load(name)
    for seed in range(EACH):
        sound(system, fought(system, start(system, seed, doctrine), seed, by_doctrine(system)))


@by_everyone
def test_every_decision_is_allowed_and_says_why(name: str, doctrine: str) -> None:
    """Wherever a random fight comes to, the fighter whose turn it is decides what can be performed at once."""
    system = load(name)
    autoplayer = MINDS(system)
    for seed in range(2):
        bout = fought(system, start(system, seed, doctrine), seed, at_random(system, seed), rounds=4)
        for at, scene in enumerate(bout.scenes[:-1]):
            if at % 4 or not scene.turn:
                continue
            one = scene.fighters[scene.turn]._replace(mind=doctrine)
            scene = scene._replace(fighters={**scene.fighters, scene.turn: one})
            decision: Decision = autoplayer.decide(scene, scene.turn, bout.entries[: at + 1])
            assert decision.reason["doctrine"] == doctrine and decision.reason["key"]
            assert decision.intent.get("reason") == decision.reason
            perform(system, scene, decision.intent, Table(Seeded(generator(seed, at).random), first))


@everywhere
def test_a_decision_hangs_on_the_scene_alone(name: str) -> None:
    """A mind that has weighed a whole fight decides like one that sees the scene for the first time."""
    from crisis_cli.ai.deciding import AutoPlayer

    system = load(name)
    bout = fought(system, start(system, 1, "cunning"), 1, by_doctrine(system), rounds=3)
    seen = MINDS(system)
    for at, scene in list(enumerate(bout.scenes))[:-1:5]:
        fresh = AutoPlayer(system, seen.doctrines)
        past = bout.entries[: at + 1]
        assert fresh.decide(scene, scene.turn, past) == seen.decide(scene, scene.turn, past)
