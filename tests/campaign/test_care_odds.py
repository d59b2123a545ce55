"""The odds of a whole care against cares that were rolled."""

from __future__ import annotations

from pathlib import Path

import pytest

from crisis_cli.context import context_of
from crisis_cli.dice.distribution import OddsTable
from crisis_cli.dice.generator import Seeded
from crisis_cli.dice.table import Table
from crisis_cli.engine.care import care, needs_of
from crisis_cli.engine.care_odds import care_odds
from crisis_cli.engine.events import apply_all, plain, record_of
from crisis_cli.engine.perform import entry_dice
from crisis_cli.engine.scene import Scene
from crisis_cli.play.tending import Care, prospect

from .test_tend import in_need

MODS = {"step": -6, "d6pool": 0, "2d20": 0}


def share_helped(folder: Path, system_name: str, many: int) -> tuple[float, float]:
    """The chance that the patient is out of need in the end, by the exact odds, and among so many cares rolled."""
    table, _ = in_need(folder, system_name)
    found = prospect(context_of(table.environment()).desk, Care(options={"mod": MODS[system_name]}))
    system, intent = found.system, found.intent
    scene = Scene(system.name, {})
    brought = care(system, scene, intent, Table(Seeded(entry_dice(0, 0, 0).random)))
    (patient,) = needs_of(intent)
    helped = 0
    for seed in range(many):
        now, asked, number = scene, intent, 0
        while True:
            done = care(system, now, asked, Table(Seeded(entry_dice(seed, number, 0).random)))
            now, number = apply_all(now, done.events), number + 1
            if "goes_on" not in done.outcome:
                break
            fighters = [plain(record_of(now.fighters[name])) for name in intent.targets]
            asked = intent.plus(fighters=fighters, goes_on=done.outcome["goes_on"])
        helped += bool(done.outcome["success"])
    start = apply_all(scene, brought.events[: len(intent.targets)])
    _, ends = care_odds(system, start, intent, OddsTable(limit=1e11))
    ways, total = ends[patient]
    return ways / total, helped / many


def test_as_many_are_helped_as_the_odds_say(tmp_path: Path) -> None:
    exact, rolled = share_helped(tmp_path, "step", 30)
    assert abs(exact - rolled) < 0.25


@pytest.mark.long
@pytest.mark.parametrize("system", MODS)
def test_so_they_are_among_two_thousand(tmp_path: Path, system: str) -> None:
    exact, rolled = share_helped(tmp_path, system, 2_000)
    assert abs(exact - rolled) < 0.035
