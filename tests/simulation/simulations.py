"""How the fights of these tests begin."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from crisis_cli.engine.scene import Fighter, Intent, Scene
from crisis_cli.engine.system import System
from crisis_cli.play.placing import deployed
from crisis_cli.sheets.check import read
from crisis_cli.sheets.fighters import fighter
from crisis_cli.simulation.fight import FightStart
from crisis_cli.systems import load

CHARACTERS = Path(__file__).parents[2] / "characters"
DUELS = {
    "3d6": ("jack", "drone"),
    "d100": ("bruno", "marshal"),
    "d6pool": ("hagen", "revenant"),
    "step": ("vera", "raider"),
    "2d20": ("cass", "robot"),
}
"""A player's sheet and an opponent's of each system."""


class FightWords(NamedTuple):
    """A fight as `crisis simulate` takes it: `jack ada`, `drone:2`, and how far the sides are apart."""

    system: str
    players: str
    foes: str
    apart: int | None = None

    def __str__(self) -> str:
        return f"{self.system} {self.players} against {self.foes}{'' if self.apart is None else ' at arm'}"


def opening(name: str, hero: str, foe: str) -> FightStart:
    """The beginning of a fight between two sheets, without positions."""
    return _begun(load(name), [*_fighters(name, hero, "players"), *_fighters(name, foe, "opponents")])


def opened(words: FightWords) -> FightStart:
    """The beginning of a fight, with the sides in their places."""
    name, system = words.system, load(words.system)
    fighters = [*_fighters(name, words.players, "players"), *_fighters(name, words.foes, "opponents")]
    start = _begun(system, fighters)
    return start._replace(scene=deployed(start.scene, system.space, words.apart))


def _begun(system: System, fighters: list[Fighter]) -> FightStart:
    scene = Scene(system.name, {one.name: one for one in fighters}, open=True)
    return FightStart(system, scene, Intent("init", "", tuple(scene.fighters)))


def _fighters(name: str, words: str, side: str) -> list[Fighter]:
    """The fighters of some words, each a sheet with or without a number of copies."""
    fighters = []
    for word in words.split():
        sheet, _, many = word.partition(":")
        read_sheet = read(CHARACTERS / name / f"{sheet}.toml", sheet)
        for number in range(1, int(many or 1) + 1):
            copy = (
                f"{read_sheet.values['name']} {number}" if int(many or 1) > 1 else read_sheet.values["name"]
            )
            fighters.append(fighter(load(name), read_sheet, name=copy, side=side, player=side == "players"))
    return fighters
