"""How long fights take that fight themselves, and what is offered while one thinks: to compare, not to judge.

CRISIS_ROUNDS=9 pytest tests/benchmarks/test_fight_speed.py -s
"""

from __future__ import annotations

import time

import pytest
from beside import PARTIES, ROUNDS, beside, seconds
from conftest import Player
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from crisis_cli.ai.deciding import AutoPlayer
from crisis_cli.ai.doctrine_store import DoctrineStore
from crisis_cli.context import Context, context_of
from crisis_cli.engine.scene import Scene
from crisis_cli.play.session import Session
from crisis_cli.repl.completer import Completions
from crisis_cli.repl.suggestions import Suggestions

pytestmark = [pytest.mark.timing, pytest.mark.slow]

SHELF = DoctrineStore()
LINES = ("", "attack ", "odds attack ")
PATIENCE = 20.0


def ten(crisis: Player, system: str = "3d6") -> tuple[Context, Session]:
    """A desk at an open crisis of ten."""
    heroes, foes = PARTIES[system]
    crisis.ok(f"init --open --seed 3 {heroes} --vs {foes}")
    context = context_of(crisis.environment())
    return context, context.desk.open_session()


def going_by(scene: Scene, doctrine: str) -> Scene:
    """The scene with everyone of one doctrine."""
    fighters = {name: one._replace(mind=doctrine) for name, one in scene.fighters.items()}
    return scene._replace(fighters=fighters)


@pytest.mark.parametrize("system", PARTIES)
def test_a_decision_of_each_doctrine(crisis: Player, system: str) -> None:
    _, session = ten(crisis, system)

    def decided(doctrine: str) -> float:
        scene = going_by(session.scene, doctrine)
        autoplayer = AutoPlayer(session.system, SHELF.named)
        return seconds(lambda: autoplayer.decide(scene, scene.turn))

    ways = {f"{system} {name}": (lambda name=name: decided(name)) for name in SHELF.names()}  # type: ignore[misc]
    assert beside(ways)


def test_completion_with_odds(crisis: Player) -> None:
    context, session = ten(crisis)

    def offered(line: str) -> float:
        """Seconds until everything offered behind a line has what it would come to beside it."""
        suggestions = Suggestions(lambda: None)
        completions = Completions(lambda: context, lambda: session.scene, suggestions)
        suggestions.set_scene(context, session.scene)
        suggestions.start()
        begun = time.perf_counter()
        found = list(completions.get_completions(Document(line), CompleteEvent()))
        assert found
        for one in found:
            _ = one.display_meta_text
        while suggestions._wanted and time.perf_counter() - begun < PATIENCE:
            time.sleep(0.001)
        return time.perf_counter() - begun

    assert beside({f"completion of {line!r}": (lambda line=line: offered(line)) for line in LINES})  # type: ignore[misc]


def test_the_first_rounds_of_fights(crisis: Player) -> None:
    def fought(system: str) -> float:
        heroes, foes = (names.split()[0].partition(":")[0] for names in PARTIES[system])
        rounds = 3 if ROUNDS > 1 else 1
        line = f"play {heroes} --vs {foes} --auto --quiet --seed 3 --rounds {rounds}"
        return seconds(lambda: crisis.ok(line))

    assert beside({f"{name} one against one": (lambda name=name: fought(name)) for name in PARTIES})  # type: ignore[misc]
