"""Programs that play by `Fight`: a desk without click, fights in memory and on disk, and what they record."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from conftest import FRESH_SEED, NOW, ROOT, Player
from conftest import PAIRS as SHIPPED

from crisis_cli import systems
from crisis_cli.dice.scripted import ZERO
from crisis_cli.engine.journal import entry_record
from crisis_cli.engine.record import Entry
from crisis_cli.engine.scene import Intent
from crisis_cli.errors import Refused
from crisis_cli.play.caches import Caches
from crisis_cli.play.campaigns import World
from crisis_cli.play.desk import Desk
from crisis_cli.play.dice import AUTOMATIC, Dice
from crisis_cli.play.ending import is_over
from crisis_cli.play.fight import Fight
from crisis_cli.play.opening import Opening, prepare
from crisis_cli.play.places import places_of
from crisis_cli.play.requests import Faces
from crisis_cli.play.results import Result
from crisis_cli.play.session import Session
from crisis_cli.play.turns import NOBODY, Plays, Stops
from crisis_cli.protocol.offers import offers
from crisis_cli.systems.plugins import Plugin

PAIRS = {**SHIPPED, "d20": ("mira", "goblin")}
"""A sheet of each side, by system: shipped ones, and those of the example."""
QUICK, SLOWER = ("3d6", "d100"), ("step", "2d20", "d6pool")
"""Systems whose doctrines decide at once, and those whose doctrines take longer."""
EVERYBODY = Plays(lambda scene: True, lambda fighter: True)
"""Doctrines decide nothing unless they are asked to."""
PLAYERS = Plays(lambda scene: scene.fighters[scene.turn].player, lambda fighter: fighter.player)
"""The players' side is asked."""
EXAMPLE = ROOT / "examples" / "d20"


def desk_of(here: Path, **more: Any) -> Desk:
    """The desk of a program in a folder that reads no environment."""
    places = places_of({"CRISIS_DATA": str(here / "no-data")}, str(here))
    world = World(lambda: NOW, partial(Random(FRESH_SEED).getrandbits, 32), "test")
    return Desk(places, world, no_warning, Caches(), [], **more)


def no_warning(message: str, code: str = "sheet") -> None:
    """Fail at any warning."""
    raise AssertionError(f"{code}: {message}")


def opening(system: str, **more: Any) -> Opening:
    """The pair of a system, without positions unless said otherwise; kept in memory."""
    one, other = PAIRS[system]
    return Opening((one,), (other,), has_journal=False)._replace(**more)


def begun(
    desk: Desk,
    asked: Opening,
    seed: int = 1,
    plays: Plays = NOBODY,
    dice: Dice = AUTOMATIC,
    watch: Callable[[Result], None] = lambda done: None,
) -> Fight:
    """A fight of which the opening was asked for; it may wait for answers."""
    prepared = prepare(desk, asked, Dice(seed=seed, real=dice.real, mine=dice.mine))
    fight = Fight(desk, prepared.session, plays, dice, watch)
    fight.open(prepared)
    return fight


def resumed(here: Path, plays: Plays = NOBODY, watch: Callable[[Result], None] = lambda done: None) -> Fight:
    """The fight in the journal of a folder, as a program finds it that has just been started."""
    desk = desk_of(here)
    session = desk.open_session()
    assert session.crisis is not None
    whose = session.crisis.dice
    return Fight(desk, session, plays, AUTOMATIC._replace(real=whose == "real", mine=whose == "mine"), watch)


def for_rounds(fight: Fight, rounds: int) -> Stops:
    """Whether a round after so many would begin."""

    def stops(session: Session, intent: Intent) -> bool:
        return is_over(fight.desk, session, intent, rounds)

    return stops


def play(fight: Fight, rounds: int, answer: Callable[[Fight], Any] = lambda fight: None) -> int:
    """Play for so many rounds with the same answer to everything; how many questions were answered."""
    stops, asked = for_rounds(fight, rounds), 0
    try:
        fight.play_on(stops)
        while fight.waiting is not None:
            asked += 1
            fight.answer(answer(fight), stops)
    except Refused as refusal:
        assert refusal.code == "nobody_can_act"
    return asked


def records(entries: tuple[Entry, ...]) -> list[dict[str, Any]]:
    """Entries as the journal has them, reasons included."""
    return [entry_record(entry) for entry in entries]


def standing(fight: Fight) -> tuple[Any, ...]:
    """What an error must leave as it was: the crisis, and the question."""
    return fight.session, fight.waiting


def face_of(sides: int, chance: Random) -> int:
    """A face as it is printed: 0 may stand for the highest."""
    face = chance.randint(1, sides)
    return 0 if face == sides and sides in ZERO else face


def faces(request: Faces, chance: Random) -> int:
    """A face of the die that a fight asks for."""
    return face_of(request.sides, chance)


def rows(fight: Fight) -> list[Intent]:
    """All that the fighter may do whose turn it is."""
    return [one.intent for one in offers(fight.session.system, fight.scene, fight.scene.turn)]


def verified(player: Player, file: str = "") -> None:
    """Assert that the journal verifies."""
    shown = player(f"verify {file} --json")
    assert shown.status == 0, shown
    assert shown.record["differences"] == []


@pytest.fixture
def d20(monkeypatch: pytest.MonkeyPatch) -> None:
    """`examples/d20` as if it were installed."""
    if not EXAMPLE.is_dir():
        pytest.skip("examples/d20 is not here")
    monkeypatch.syspath_prepend(str(EXAMPLE))
    module = importlib.import_module("crisis_d20")
    folder = str(EXAMPLE / "crisis_d20")
    plugin = Plugin("d20", "crisis-d20", "0.1.0", "crisis_d20", "SYSTEM", folder, module.SYSTEM.title)
    monkeypatch.setattr(systems, "installed", lambda: {"d20": plugin})
