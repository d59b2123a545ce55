"""Undo, redo and rewind of a fight that is played without a command line: they do what the verbs do."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from conftest import Player

from crisis_cli.context import context_of
from crisis_cli.errors import Refused
from crisis_cli.play import ending, telling
from crisis_cli.play.fight import Fight
from crisis_cli.story.page import Dress


def resumed(player: Player) -> Fight:
    """The open crisis of a player as a fight."""
    desk = context_of(player.environment(is_interactive=False)).desk
    return Fight(desk, desk.open_session())


@pytest.fixture
def fought(fight: Player) -> Player:
    """A player with a crisis of four entries."""
    for line in ("attack drone --dice 6,6,5", "next", "attack jack --dice 1,1,1"):
        fight.ok(line)
    return fight


def test_what_is_undone_is_redone(fought: Player) -> None:
    fight = resumed(fought)
    past = fight.past
    assert [entry.number for entry in fight.undo(2)] == [4, 3]
    assert fight.past == past[:2]
    assert [entry.number for entry in fight.redo(2)] == [3, 4]
    assert [entry.number for entry in fight.rewind(0)] == [4, 3, 2]
    assert fight.past == past[:1]
    fight.redo(3)
    assert fight.past == resumed(fought).past == past


@pytest.mark.parametrize("way", [lambda one: one.undo(4), lambda one: one.redo(), lambda one: one.rewind(9)])
def test_what_cannot_be_undone_is_refused_and_changes_nothing(
    fought: Player, way: Callable[[Fight], object]
) -> None:
    fight = resumed(fought)
    past = fight.past
    with pytest.raises(Refused):
        way(fight)
    assert fight.past == past


def test_a_fight_goes_on_after_its_sheets_were_saved(fought: Player) -> None:
    fight = resumed(fought)
    fight.session, written = ending.save(fight.desk, fight.session)
    assert written and fight.session.journal == resumed(fought).session.journal
    assert ending.save(fight.desk, fight.session).sheets == []


@pytest.mark.parametrize("form", telling.FORMS)
def test_an_export_is_the_text_that_the_log_prints(fought: Player, form: str) -> None:
    fight = resumed(fought)
    assert fight.session.crisis is not None
    text = telling.export(fight.desk, fight.session.crisis, form, Dress())
    assert text == fought.ok(f"log --{form}").out
