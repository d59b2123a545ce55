"""Results add up: each change of a pool that dice bring about is the sum of its parts, over all cases."""

from __future__ import annotations

from typing import Any

import pytest

from crisis_cli import systems
from crisis_cli.conformance import casebook
from crisis_cli.engine.record import Entry
from crisis_cli.engine.scene import Scene

EXPLAINED = ("2d20", "d100", "d6pool")
"""The systems of which every number is explained."""


@pytest.mark.parametrize("name", EXPLAINED)
def test_every_change_by_dice_says_how_it_adds_up(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    system, book = systems.load(name), casebook.books()[name]
    unexplained: list[Any] = []
    adds_up = casebook._adds_up

    def looked_at(scene: Scene, entry: Entry, at: str) -> None:
        adds_up(scene, entry, at)
        unexplained.extend((at, event) for event in casebook.unexplained(system, entry))

    monkeypatch.setattr(casebook, "_adds_up", looked_at)
    for case in book["case"]:
        casebook.run(system, book, case)
        assert not unexplained, case["what"]
