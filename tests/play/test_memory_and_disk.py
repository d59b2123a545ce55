"""Fights in memory touch no file; those on disk lose nothing, whoever stops them or plays on meanwhile."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random
from typing import Any

import pytest
from conftest import Player, Sheets
from programs import (
    EVERYBODY,
    begun,
    desk_of,
    for_rounds,
    opening,
    play,
    records,
    resumed,
    standing,
    verified,
)

from crisis_cli.engine.scene import Intent
from crisis_cli.errors import FileError, Refused
from crisis_cli.play.dice import AUTOMATIC
from crisis_cli.play.fight import Fight
from crisis_cli.play.opening import Opening
from crisis_cli.play.requests import Act, Faces
from crisis_cli.play.results import Result
from crisis_cli.play.turns import NOBODY
from crisis_cli.sheets import journal_file

REAL = AUTOMATIC._replace(real=True)
SYSTEMS = ("3d6", "d100")


def taken_back_and_ended(fight: Fight) -> None:
    """Play a fight, take half of it back, play on otherwise, and end it."""
    play(fight, 2)
    assert fight.session.crisis is not None
    past = records(fight.past)
    undone = fight.undo(3)
    assert records((*fight.past, *(one.entry for one in reversed(undone)))) == past
    assert len(fight.redo(2)) == 2 and len(fight.redo()) >= 1
    assert records(fight.past) == past
    fight.undo(2, fresh=True)
    fight.undo(mine=True)
    play(fight, 3)
    verdict = fight.winner
    ended = fight.end(save=False)
    assert (ended.archive, ended.sheets, fight.past[-1].intent.action) == ("", [], "end")
    assert fight.session.scene.over and (verdict or not fight.winner)


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_fight_in_memory_touches_no_file(tmp_path: Path, system: str) -> None:
    player = Player(tmp_path)
    os.chmod(tmp_path, 0o555)
    taken_back_and_ended(begun(desk_of(tmp_path), opening(system), 1, EVERYBODY))
    assert player.files() == {} and [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_fight_in_memory_needs_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str
) -> None:
    nowhere = tmp_path / "nowhere"
    for name in ("append", "replace", "locked"):
        monkeypatch.setattr(journal_file, name, None)
    taken_back_and_ended(begun(desk_of(nowhere), opening(system), 1, EVERYBODY))
    assert not nowhere.exists()


def test_a_fight_in_memory_beside_one_on_disk_leaves_it_alone(fight: Player) -> None:
    before = fight.files()
    asked = Opening(("jack",), ("drone", "ada"), has_journal=False)
    taken_back_and_ended(begun(desk_of(fight.here), asked, 3, EVERYBODY))
    assert fight.files() == before


def test_a_fight_in_memory_saves_sheets_if_asked_to(tmp_path: Path, sheets: Sheets) -> None:
    asked = Opening(("jack",), ("drone",), has_journal=False)
    fight = begun(desk_of(tmp_path), asked, 3)
    play(fight, 20)
    before = Player(tmp_path).files()
    ended = fight.end(save=True)
    after = Player(tmp_path).files()
    assert ended.sheets == ["Jack", "Drone"] and {*after} == {*before}
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"characters/jack.toml", "characters/drone.toml"}


# Stopped between two entries


class Trouble:
    """What goes wrong when the journal grows: before anything is written, in the middle of it, or after it."""

    def __init__(self, chance: Random, monkeypatch: pytest.MonkeyPatch):
        self.chance = chance
        self.is_on = False
        self.append = journal_file.append
        monkeypatch.setattr(journal_file, "append", self.appending)
        monkeypatch.setattr(os, "fsync", self.syncing)
        self.within: BaseException | None = None
        self.times = 0

    def appending(self, path: str, text: str, size: int, display_path: str) -> None:
        """Append, or not; or append and be killed before anybody hears of it."""
        when = self.chance.choice(("before", "within", "after")) if self.happens() else ""
        self.times += bool(when)
        if when == "before":
            raise KeyboardInterrupt
        within = self.chance.choice((OSError(28, "no space left"), KeyboardInterrupt()))
        self.within = within if when == "within" else None
        self.append(path, text, size, display_path)
        if when == "after":
            raise KeyboardInterrupt

    def syncing(self, file: int) -> None:
        """Wait for the disk, or fail to."""
        if self.within is not None:
            raise self.within

    def happens(self) -> bool:
        """Whether something goes wrong this time: at first, and later now and then."""
        return self.is_on and (not self.times or self.chance.random() < 0.3)


def on_disk(here: Path) -> list[dict[str, Any]]:
    """The entries in the open journal of a folder."""
    return records(journal_file.read(str(here / "crisis.jsonl"), "crisis.jsonl").crisis.done)


@pytest.mark.parametrize("throws_away", [True, False], ids=["resumed", "kept"])
@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 31))])
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_kill_between_two_entries_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str, seed: int, throws_away: bool
) -> None:
    """Resumed from disk, or with the same object: it goes on to the fight that nobody has disturbed."""
    chance = Random(f"{system} {seed}")
    calm, told = begun(desk_of(tmp_path), opening(system, apart=8), seed), list[dict[str, Any]]()
    play(calm, 4)
    trouble = Trouble(chance, monkeypatch)

    def watch(done: Result) -> None:
        told.append(records((done.entry,))[0])

    plays = chance.choice((NOBODY, EVERYBODY))
    fight = begun(desk_of(tmp_path), opening(system, apart=8, has_journal=True), seed, plays, watch=watch)
    trouble.is_on = True
    for _ in range(500):
        try:
            play(fight, 4)
            break
        except (KeyboardInterrupt, FileError) as error:
            assert isinstance(error, KeyboardInterrupt) or error.code in ("cannot_write", "moved")
            kept = on_disk(tmp_path)
            assert [one for one in told if one not in kept] == []
            assert kept == records(calm.past)[: len(kept)]
            if throws_away:
                fight = resumed(tmp_path, plays, watch)
    trouble.is_on = False
    assert trouble.times
    assert on_disk(tmp_path) == records(fight.past) == records(calm.past)
    verified(Player(tmp_path))


def test_a_kill_in_an_action_of_a_program_leaves_it_to_be_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk is an error as any other: the question stands, and the same answer is taken later."""
    fight = begun(desk_of(tmp_path), opening("3d6", has_journal=True), 1, EVERYBODY)
    before, files = standing(fight), Player(tmp_path).files()

    def is_full(file: int) -> None:
        raise OSError(28, "no space left")

    with monkeypatch.context() as full:
        full.setattr(os, "fsync", is_full)
        with pytest.raises(FileError) as raised:
            fight.answer(Intent("next", fight.scene.turn))
    assert raised.value.code == "cannot_write"
    assert standing(fight) == before and Player(tmp_path).files() == files
    assert [done.entry.number for done in fight.answer(Intent("next", fight.scene.turn))] == [2]
    assert on_disk(tmp_path) == records(fight.past)


def test_an_action_of_a_program_is_not_recorded_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed after it was recorded and before it was told so, the fight finds it in the journal."""
    fight = begun(desk_of(tmp_path), opening("3d6", has_journal=True), 1, EVERYBODY)
    append = journal_file.append

    def killed(path: str, text: str, size: int, display_path: str) -> None:
        append(path, text, size, display_path)
        raise KeyboardInterrupt

    with monkeypatch.context() as doomed:
        doomed.setattr(journal_file, "append", killed)
        with pytest.raises(KeyboardInterrupt):
            fight.answer(Intent("next", fight.scene.turn))
    with pytest.raises(FileError) as raised:
        fight.play_on()
    assert raised.value.code == "moved"
    assert [entry.intent.action for entry in fight.past] == ["init", "next"]
    assert isinstance(fight.waiting, Act) and on_disk(tmp_path) == records(fight.past)


def test_who_watches_is_told_after_it_is_on_disk(tmp_path: Path) -> None:
    """Stopped by its watcher, the fight has what it told of, and goes on from there."""
    asked, seen = opening("3d6", has_journal=True), list[int]()

    def watch(done: Result) -> None:
        assert on_disk(tmp_path)[-1] == records((done.entry,))[0]
        seen.append(done.entry.number)
        if len(seen) in (2, 5, 6):
            raise KeyboardInterrupt

    fight = begun(desk_of(tmp_path), asked, 1, NOBODY, watch=watch)
    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            play(fight, 3)
        assert on_disk(tmp_path) == records(fight.past)
    play(fight, 3)
    assert seen == [one.number for one in fight.past]
    calm = begun(desk_of(tmp_path / "nowhere"), opening("3d6"), 1)
    play(calm, 3)
    assert records(calm.past) == records(fight.past)


# Somebody else


def test_an_answer_to_a_fight_that_has_moved_on(tmp_path: Path) -> None:
    begun(desk_of(tmp_path), opening("3d6", has_journal=True), 1, EVERYBODY)
    one, other = resumed(tmp_path, EVERYBODY), resumed(tmp_path, EVERYBODY)
    one.answer(None)
    for act in (other.answer, other.perform):
        note(one, "rain")
        with pytest.raises(FileError) as raised:
            act(Intent("next", other.scene.turn))
        assert raised.value.code == "moved"
        assert records(other.past) == records(one.past)
        assert other.waiting is None or isinstance(other.waiting, Act)
    other.answer(Intent("next", other.scene.turn))
    assert len(other.past) == len(one.past) + 1
    assert on_disk(tmp_path) == records(other.past)
    verified(Player(tmp_path))


def note(fight: Fight, text: str) -> None:
    """Write something down."""
    fight.perform(Intent("note", "", (), {"text": text}))


def test_doctrines_decide_anew_in_a_fight_that_has_moved_on(tmp_path: Path) -> None:
    begun(desk_of(tmp_path), opening("3d6", has_journal=True), 1)
    one, other = resumed(tmp_path), resumed(tmp_path, EVERYBODY)
    note(one, "rain")
    assert other.answer(None) == [] and isinstance(other.waiting, Act)
    assert records(other.past) == records(one.past)
    assert len(other.answer(None)) == 1
    one.play_on(for_rounds(one, 1))
    assert records(one.past)[: len(other.past)] == records(other.past)
    assert on_disk(tmp_path) == records(one.past)
    verified(Player(tmp_path))


def test_two_programs_take_turns_without_a_word(tmp_path: Path) -> None:
    """Neither loses what the other has done, and together they play one fight."""
    begun(desk_of(tmp_path), opening("d100", has_journal=True), 1, EVERYBODY)
    programs, chance = [resumed(tmp_path, EVERYBODY), resumed(tmp_path, EVERYBODY)], Random(2)
    for _ in range(60):
        fight = chance.choice(programs)
        before = len(on_disk(tmp_path))
        if fight.waiting is None:
            break
        told = len(fight.answer(None))
        assert len(on_disk(tmp_path)) == before + told
        assert on_disk(tmp_path) == records(fight.past)
    assert len(on_disk(tmp_path)) > 2
    verified(Player(tmp_path))


@pytest.mark.parametrize("is_taken_back", [False, True])
def test_real_dice_for_a_fight_that_has_moved_on(tmp_path: Path, is_taken_back: bool) -> None:
    """What was rolled for the crisis as it was is not taken for what it is now."""
    asked = opening("d100", has_journal=True, keeps_dice=True)
    fight = begun(desk_of(tmp_path), asked, 1, EVERYBODY, REAL)
    while not isinstance(fight.waiting, Act):
        fight.answer(None)
    note(fight, "sun")
    while not isinstance(fight.waiting, Faces):
        fight.answer(None)
    other = resumed(tmp_path, EVERYBODY)
    note(other, "rain")
    if is_taken_back:
        with pytest.raises(FileError):
            fight.undo()
        assert isinstance(fight.waiting, Faces)
    with pytest.raises(FileError) as raised:
        while not isinstance(fight.waiting, Act):
            fight.answer(None)
    assert raised.value.code == "moved"
    assert isinstance(fight.waiting, Act) and records(fight.past) == records(other.past)
    assert on_disk(tmp_path) == records(fight.past)


def test_a_fight_that_somebody_else_has_ended(tmp_path: Path) -> None:
    begun(desk_of(tmp_path), opening("3d6", has_journal=True), 1)
    one, other = resumed(tmp_path), resumed(tmp_path, EVERYBODY)
    one.end(save=False)
    before, files = standing(other), Player(tmp_path).files()
    for act in (lambda: other.answer(None), other.undo, lambda: note(other, "rain")):
        with pytest.raises((FileError, Refused)):
            act()
        assert standing(other) == before and Player(tmp_path).files() == files
