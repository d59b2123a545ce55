"""The questions of a fight at the prompt: set with the fight, by the configuration, and between lines."""

from __future__ import annotations

import pytest
from conftest import Player

from .conftest import Evening


def test_it_is_set_with_the_fight_and_by_the_configuration(crisis: Player, evening: Evening) -> None:
    (crisis.here / "config.toml").write_text('questions = "all"\n', "utf-8")
    crisis.env["CRISIS_CONFIG"] = str(crisis.here)
    evening(words="play jack --vs drone --seed 5", terminal=True)
    assert crisis.ok("questions --json").record["questions"] == "all"
    evening(words="play --questions none")
    assert [one.get("value") for one in crisis.ok("log --json").records] == [None, "all", "none"]
    evening(words="play")
    assert crisis.ok("questions").out == "Questions: none\n", "the configuration is for new fights"
    crisis.ok("end --yes --no-save")
    (crisis.here / "config.toml").write_text('questions = "some"\n', "utf-8")
    wrong = evening(words="play jack --vs drone", terminal=True).err
    assert "questions must be few, all or none, not 'some'" in wrong and crisis.journal.exists()
    assert "--questions and --auto" in crisis.refused(2, "play jack --vs drone --auto --questions all").err


def test_nobody_is_asked_before_the_first_turn_unless_it_is_set_so(crisis: Player, evening: Evening) -> None:
    """A check for a quick reaction has failed, and a destiny die would save it."""
    line = "play hagen --vs bandit --seed 5"
    assert "reroll, destiny die" in evening(words=f"{line} --questions all").err
    assert not crisis.journal.exists()
    assert evening(words=line).err == ""
    assert crisis.ok("log --json").record["choices"][0]["asked"] is False


@pytest.mark.slow
def test_an_action_is_bought_before_a_blow_only_with_all(crisis: Player, evening: Evening) -> None:
    """With `few` nothing is bought before the dice are seen: the blow itself offers the reactions that can be."""
    crisis.ok("init hagen --vs bandit:3 --open --apart 1 --seed 4")
    crisis.ok("set hagen actions 0")
    assert "gain-action" not in evening("next\r", "\r" * 4).out
    crisis.ok("rewind 2")
    lines = evening("questions all\r", "next\r", "\r" * 4).out.splitlines()
    rows = [line.partition(":")[0].strip() for line in lines if ". steal-action" in line]
    assert any(line.startswith("  2. gain-action:") for line in lines)
    assert len(rows[0].split(", ")) == 2, "those who do not attack are one row, whoever acts next first"
    assert "for 1 destiny die, then attack is not possible any more" in " ".join(" ".join(lines).split())
