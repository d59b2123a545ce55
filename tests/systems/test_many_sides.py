"""Thousands of fights of three sides and more, read back after every action; the conformance suite fights a few."""

from __future__ import annotations

import os

import pytest

from crisis_cli.conformance.many_sides import fought
from crisis_cli.conformance.suite import MANY_SIDES, roster
from crisis_cli.systems import SYSTEMS, load

FIGHTS = int(os.environ.get("CRISIS_FIGHTS", "5000"))
"""How many fights there are, all systems together."""


@pytest.mark.long
@pytest.mark.parametrize("name", SYSTEMS)
def test_fights_of_many_sides_are_read_back_undone_and_verified(name: str) -> None:
    for seed in range(len(MANY_SIDES), len(MANY_SIDES) + FIGHTS // len(SYSTEMS)):
        fought(load(name), roster(name), seed)
