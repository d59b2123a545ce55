"""Whole fights without a shell: by doctrine, or by anything that is legal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from crisis_cli.ai.choosing import chooser
from crisis_cli.ai.deciding import AutoPlayer
from crisis_cli.ai.doctrine import Doctrine
from crisis_cli.ai.doctrine_store import DoctrineStore
from crisis_cli.ai.resources import with_full_turn
from crisis_cli.dice.generator import Seeded, generator
from crisis_cli.dice.table import Table, first
from crisis_cli.engine.events import apply_all
from crisis_cli.engine.legal_actions import of
from crisis_cli.engine.perform import perform
from crisis_cli.engine.record import Entry
from crisis_cli.engine.scene import Fighter, Intent, Scene
from crisis_cli.engine.sides import decided
from crisis_cli.engine.system import System
from crisis_cli.sheets.check import read
from crisis_cli.sheets.fighters import fighter
from crisis_cli.systems import SYSTEMS

CHARACTERS = Path(__file__).parents[2] / "characters"
ROUNDS = 200
SHELF = DoctrineStore()
DOCTRINES = tuple(sorted(SHELF.names()))

SAMPLE = (*zip(SYSTEMS, DOCTRINES, strict=False), ("d100", DOCTRINES[-1]))
"""Each system with one doctrine and each doctrine in one system: what the suite fights of all pairs."""

Mind = Callable[[Scene, Sequence[Entry]], Intent]


class Bout(NamedTuple):
    """A fight from beginning to end, as it was fought."""

    start: Scene
    entries: tuple[Entry, ...]
    scenes: tuple[Scene, ...]
    """The scene after each entry."""

    @property
    def end(self) -> Scene:
        """The scene at the end."""
        return self.scenes[-1]

    @property
    def story(self) -> str:
        """What to read where it went wrong."""
        return "\n".join(
            f"{one.number} {one.intent} {[face for _, face in one.faces]}" for one in self.entries
        )


@cache
def roster(name: str) -> tuple[Any, ...]:
    """The shipped sheets of a system."""
    return tuple(read(path, path.name) for path in sorted((CHARACTERS / name).glob("*.toml")))


def met(
    system: System,
    sheets: Sequence[Any],
    autoplayer: tuple[str, str] = ("careful", "careful"),
    apart: int | None = None,
) -> Scene:
    """Sheets in two sides, one here and one there, each side of one mind; so far apart, or wherever they are."""
    fighters: list[Fighter] = []
    for at, sheet in enumerate(sheets):
        side = at % 2
        one = fighter(
            system,
            sheet,
            name=f"{sheet.values['name']} {at + 1}",
            side=("players", "opponents")[side],
            player=False,
        )
        place = None if apart is None else (float(side * apart), float(at // 2))
        fighters.append(one._replace(mind=autoplayer[side], at=place))
    return Scene(system.name, {one.name: one for one in fighters}, open=True)


def begun(system: System, start: Scene) -> Scene:
    """The scene in its first round, at the first turn of the fighter who stands first in it."""
    order = tuple(start.fighters)
    now = start._replace(order=order, scores=dict.fromkeys(order, 1), round=1, turn=order[0])
    return with_full_turn(system, now, order[0])


def fought(
    system: System, start: Scene, seed: int, mind: Mind, habits: bool = True, rounds: int = ROUNDS
) -> Bout:
    """One fight, as long as it takes, or so many rounds."""
    scene, entries, scenes = start, list[Entry](), list[Scene]()
    odds_table = MINDS(system).evaluator.odds_table
    intent = Intent("init", "", tuple(start.fighters))

    def habit(who: str) -> Doctrine:
        return SHELF.named(scene.fighters[who].doctrine)

    choose = chooser(None, odds_table, lambda who: False, None, habit) if habits else first
    while True:
        table = Table(Seeded(generator(seed, len(entries)).random), choose)
        try:
            entry = perform(system, scene, intent, table, len(entries) + 1)
            scene = apply_all(scene, entry.events)
        except Exception as error:
            if getattr(error, "code", "") == "nobody_can_act":
                # All who are left lie there helpless: nobody wins.
                return Bout(start, tuple(entries), tuple(scenes))
            story = Bout(start, tuple(entries), tuple(scenes)).story
            raise AssertionError(f"{intent}: {error!r}\n{story}") from error
        entries.append(entry)
        scenes.append(scene)
        if decided(system, scene) or scene.round > rounds:
            return Bout(start, tuple(entries), tuple(scenes))
        intent = mind(scene, entries)
        intent = MINDS(system).respond(scene, intent, entries) or intent


@cache
def MINDS(system: System) -> AutoPlayer:
    """Everyone who plays themselves in a system."""
    return AutoPlayer(system, SHELF.named)


def by_doctrine(system: System) -> Mind:
    """Everyone does as their doctrine has it."""
    return lambda scene, entries: MINDS(system).decide(scene, scene.turn, entries).intent


def at_random(system: System, seed: int) -> Mind:
    """Everyone does anything that is legal: attacks more often than not."""
    dice = Random(seed)

    def mind(scene: Scene, entries: Sequence[Entry]) -> Intent:
        candidates = [one.intent for one in of(system, scene, scene.turn) if one.window == "turn"]
        side = scene.fighters[scene.turn].side
        hostile = [
            one for one in candidates if any(scene.fighters[name].side != side for name in one.targets)
        ]
        mood = dice.random()
        if hostile and mood < 0.6:
            return dice.choice(hostile)
        if candidates and mood < 0.85:
            return dice.choice(candidates)
        return Intent("next", scene.turn)

    return mind
