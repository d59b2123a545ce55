"""Fighters who play automatically by `crisis auto`, while another program plays on in the same crisis."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import Player

from crisis_cli.ai.deciding import AutoPlayer


def other_plays(monkeypatch: pytest.MonkeyPatch, player: Player, line: str, at: int = 1) -> None:
    """Let another program do something right after so many decisions of the automatic player."""
    decide, made = AutoPlayer.decide, list[str]()

    def decided(self: AutoPlayer, *given: Any, **more: Any) -> Any:
        found = decide(self, *given, **more)
        made.append(given[1])
        if len(made) == at:
            player.ok(line)
        return found

    monkeypatch.setattr(AutoPlayer, "decide", decided)


def test_a_turn_that_another_program_ends_is_not_played(
    fight: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was chosen for one fighter is not done with what another has."""
    other_plays(monkeypatch, fight, "next")
    before = fight.ok("status --json").record["acting"]
    shown = fight.ok("auto").out
    (after,) = fight.ok("status --json").record["acting"]
    assert [after] != before and shown == f"Another program has played on: it is {after}'s turn now.\n"
    assert [one["action"] for one in fight.ok("log --json").records] == ["init", "next"]


def test_where_another_program_changes_the_scene_another_choice_is_made(
    fight: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    (who,) = fight.ok("status --json").record["acting"]
    foe = {"Jack": "drone", "Drone": "jack"}[who]
    other_plays(monkeypatch, fight, f"set {foe} health 0")
    fight("auto")
    entries = fight.ok("log --json").records
    assert not any(one["action"] == "attack" for one in entries), "the foe is dead"


def test_a_whole_fight_goes_on_where_another_program_plays_a_turn(
    fight: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    other_plays(monkeypatch, fight, "next", at=2)
    fight.ok("play --auto --seed 3")
