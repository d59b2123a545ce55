"""No script beats a doctrine: a sample in the suite, and with `-m long` two hundred fights of each."""

from __future__ import annotations

import pytest
from scripted import MOST, SCRIPTS, Trial, played, trials

from crisis_cli.systems import SYSTEMS

FIGHTS = 200
"""Fights of each script in each system."""
SAMPLE = 6
"""Fights of each script in the suite: with fewer even a script that wins them all would pass."""


@pytest.mark.slow
@pytest.mark.parametrize("script", SCRIPTS)
def test_a_sample_of_the_scripts(script: str) -> None:
    """A few fights of fixed seeds in the quickest system that has what the script needs."""
    trial = next(one for one in trials(("d100", "3d6"), (script,)) if one.doctrine == "cunning")
    found = played(trial, SAMPLE)
    assert found.interval[0] <= MOST, f"{script}: {found}"


@pytest.mark.long
@pytest.mark.parametrize("trial", list(trials(tuple(SYSTEMS), tuple(SCRIPTS))), ids=" ".join)
def test_no_script_beats_a_doctrine(trial: Trial) -> None:
    found = played(trial, FIGHTS)
    assert found.interval[0] <= MOST, f"{trial.script}: {found}"
