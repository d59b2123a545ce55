"""How the fights of these tests begin."""

from __future__ import annotations

from pathlib import Path

from crisis_cli.engine.scene import Intent, Scene
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


def opening(name: str, hero: str, foe: str, size: int = 1) -> FightStart:
    """The beginning of a fight between copies of two sheets."""
    system = load(name)
    fighters = []
    for side, sheet in (("players", hero), ("opponents", foe)):
        read_sheet = read(CHARACTERS / name / f"{sheet}.toml", sheet)
        for number in range(size):
            copy = f" {number + 1}" if size > 1 else ""
            fighters.append(
                fighter(
                    system,
                    read_sheet,
                    name=read_sheet.values["name"] + copy,
                    side=side,
                    player=side == "players",
                )
            )
    scene = Scene(name, {one.name: one for one in fighters}, open=True)
    return FightStart(system, scene, Intent("init", "", tuple(scene.fighters)))
