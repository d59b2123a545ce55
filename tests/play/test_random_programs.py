"""Programs that answer anything legal, are stopped and started, undo and redo: what they leave verifies.

The suite plays a fight of each system; `CRISIS_FIGHTS=500 pytest -m long tests/play` plays so many.
"""

from __future__ import annotations

import os
from pathlib import Path
from random import Random
from typing import Any

import pytest
from conftest import Player
from programs import (
    EVERYBODY,
    PAIRS,
    PLAYERS,
    QUICK,
    SLOWER,
    begun,
    d20,
    desk_of,
    faces,
    opening,
    records,
    resumed,
    rows,
    verified,
)

from crisis_cli.engine.legal_actions import legal
from crisis_cli.errors import Refused
from crisis_cli.play.dice import AUTOMATIC
from crisis_cli.play.requests import PASS, Act, Choose, Faces
from crisis_cli.play.results import Result

_ = d20
FIGHTS = int(os.environ.get("CRISIS_FIGHTS", "500"))
STEPS = {"3d6": 60, "d100": 60, "d20": 60, "2d20": 40}
"""How often something is done in a fight; 25 times where nothing is said."""


class Wanderer:
    """A program that does whatever is possible."""

    def __init__(self, player: Player, system: str, seed: int):
        self.player = player
        self.chance = Random(f"{system} {seed}")
        self.told: list[Result] = []
        self.asked: list[str] = []
        self.plays = self.chance.choice((EVERYBODY, EVERYBODY, PLAYERS))
        dice = self.chance.choice((AUTOMATIC, AUTOMATIC._replace(real=True), AUTOMATIC._replace(mine=True)))
        apart = self.chance.choice((None, 0, 8))
        asked = opening(system, apart=apart, has_journal=True, keeps_dice=True)
        self.fight = begun(desk_of(player.here), asked, seed, self.plays, dice, self.told.append)

    def wander(self, steps: int) -> None:
        """Do something so many times."""
        for _ in range(steps):
            if self.fight.decided:
                break
            is_open = self.fight.session.journal is not None
            step = self.chance.choices(
                (self.go_on, self.resume, self.undo, self.redo, self.do_anything, self.take_back),
                (80, 4, 5, 5, 4, 2) if is_open else (1, 0, 0, 0, 0, 0),
            )[0]
            step()
            if self.fight.session.journal is None:
                assert not self.player.journal.exists(), "nothing is written before the opening is answered"

    def go_on(self) -> None:
        """Answer what is asked, or let others act."""
        request, fight = self.fight.waiting, self.fight
        if request is None:
            fight.play_on()
            return
        self.asked.append(type(request).__name__)
        fight.answer(self.answer(request))

    def answer(self, request: Any) -> Any:
        """Any answer that is possible."""
        if isinstance(request, Faces):
            return faces(request, self.chance)
        if self.chance.random() < 0.2:
            return None
        if isinstance(request, Act):
            return self.chance.choice(rows(self.fight))
        if isinstance(request, Choose):
            return self.chance.choice(request.options).name
        return self.chance.choice((PASS, *request.options))

    def resume(self) -> None:
        """Throw the fight away, and go on from what is on disk."""
        before = self.fight
        self.fight = resumed(self.player.here, self.plays, self.told.append)
        assert records(self.fight.past) == records(before.past)
        assert (self.fight.dice, self.fight.scene) == (before.dice, before.scene)
        assert self.fight.waiting is None or isinstance(self.fight.waiting, Act)

    def undo(self) -> None:
        """Undo some actions, or what the program did last; perhaps with new dice from there."""
        is_fresh, before = self.chance.random() < 0.5, records(self.fight.past)
        mine = self.chance.random() < 0.5
        try:
            undone = self.fight.undo(1 if mine else self.chance.randint(1, 4), mine=mine, fresh=is_fresh)
        except Refused as refusal:
            assert refusal.code == "nothing_to_undo"
            return
        assert records((*self.fight.past, *(one.entry for one in reversed(undone)))) == before

    def redo(self) -> None:
        """Redo what was undone."""
        before = records(self.fight.past)
        try:
            redone = self.fight.redo(self.chance.randint(1, 2))
        except Refused as refusal:
            assert refusal.code == "nothing_to_redo"
            return
        assert records(self.fight.past) == [*before, *records(tuple(one.entry for one in redone))]

    def do_anything(self) -> None:
        """Do what any fighter may do now, in its turn or out of it."""
        found = [one.intent for one in legal(self.fight.session.system, self.fight.scene)]
        if found and (self.fight.waiting is None or isinstance(self.fight.waiting, Act)):
            self.fight.perform(self.chance.choice(found))

    def take_back(self) -> None:
        """Forget what waits, or the last answer to it."""
        before = records(self.fight.past)
        self.chance.choice((self.fight.take_back, self.fight.take_back_answer))()
        assert records(self.fight.past) == before

    def settled(self) -> None:
        """End the fight: what is on disk is what the program was told, and verifies."""
        self.fight.take_back()
        assert records(resumed(self.player.here).past) == records(self.fight.past)
        verified(self.player)
        ended = self.fight.end(save=False)
        verified(self.player, ended.archive)


def wandered(here: Path, system: str, seed: int) -> Wanderer:
    """A fight of a program that does whatever is possible."""
    player = Player(here)
    player.here.mkdir(exist_ok=True)
    one = Wanderer(player, system, seed)
    one.wander(STEPS.get(system, 25))
    while one.fight.session.journal is None:
        one.go_on()
    one.settled()
    return one


@pytest.mark.parametrize("system", [*QUICK, *(pytest.param(one, marks=pytest.mark.slow) for one in SLOWER)])
def test_anything_that_programs_do_verifies(tmp_path: Path, system: str) -> None:
    assert wandered(tmp_path, system, 1).asked


@pytest.mark.long
@pytest.mark.parametrize(
    ("system", "seed"), [([*PAIRS][at % len(PAIRS)], at // len(PAIRS) + 2) for at in range(FIGHTS)]
)
def test_many_programs(tmp_path: Path, request: pytest.FixtureRequest, system: str, seed: int) -> None:
    if system == "d20":
        request.getfixturevalue("d20")
    wandered(tmp_path, system, seed)
