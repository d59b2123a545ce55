"""What programs answer to the questions of a fight: a wrong answer leaves the question and the crisis as they were."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from conftest import Player
from programs import EVERYBODY, begun, desk_of, faces, opening, records, resumed, rows, standing

from crisis_cli.engine.scene import Intent
from crisis_cli.errors import CrisisError, Refused, Usage, WrongChoice
from crisis_cli.play.answers import WrongFaces
from crisis_cli.play.dice import AUTOMATIC, Dice
from crisis_cli.play.fight import Fight
from crisis_cli.play.opening import Opening, prepare
from crisis_cli.play.requests import PASS, Act, Choose, Faces, Request, Respond
from crisis_cli.play.turns import NOBODY

REAL = AUTOMATIC._replace(real=True)


def until(fight: Fight, kind: type[Request], seed: int = 1) -> Any:
    """Answer anything legal until the fight asks for something of a kind: that request."""
    chance = Random(seed)
    for _ in range(200):
        request = fight.waiting
        if isinstance(request, kind):
            return request
        if request is None:
            fight.play_on()
        elif isinstance(request, Act):
            fight.answer(chance.choice(rows(fight)))
        else:
            fight.answer(faces(request, chance) if isinstance(request, Faces) else None)
    raise AssertionError(f"nothing asked for {kind.__name__}")


def wrong(fight: Fight, answer: Any, error: type[CrisisError], code: str) -> CrisisError:
    """The error of a wrong answer, which leaves everything as it was."""
    before, past = standing(fight), records(fight.past)
    with pytest.raises(error) as raised:
        fight.answer(answer)
    assert raised.value.code == code
    assert standing(fight) == before and fight.waiting is not None
    assert records(fight.past) == past
    return raised.value


def test_an_option_that_is_none(tmp_path: Path) -> None:
    fight = begun(desk_of(tmp_path), opening("2d20"), 5, EVERYBODY)
    request = until(fight, Choose, 5)
    refused = wrong(fight, "fly", WrongChoice, "wrong_choice")
    assert all(one.name in refused.hint for one in request.options)
    wrong(fight, 4, Usage, "bad_value")
    wrong(fight, [4], Usage, "bad_value")
    wrong(fight, Intent("next", request.who), Usage, "bad_value")
    before = len(fight.past)
    fight.answer(request.options[-1].name)
    while isinstance(fight.waiting, Choose):
        fight.answer(None)
    assert len(fight.past) > before


def test_faces_that_the_dice_do_not_have(tmp_path: Path) -> None:
    fight = begun(desk_of(tmp_path), opening("3d6"), 1, EVERYBODY, REAL)
    request = until(fight, Faces)
    assert request.sides == 6
    for answer in (7, 0, -1, [7], [3, 9], [3, 3, 3, 3]):
        wrong(fight, answer, WrongFaces, "wrong_dice")
    for answer in ("3", "six", [], ["3"], [3.5], 2.5, Intent("next", "Jack"), PASS, True):
        wrong(fight, answer, Usage, "bad_value")
    fight.answer((3, 4))
    assert isinstance(fight.waiting, Faces) and len(fight.waiting.roll.faces) == 2


def test_faces_of_which_nothing_is_said_are_rolled(tmp_path: Path) -> None:
    fight = begun(desk_of(tmp_path), opening("3d6"), 1, EVERYBODY, REAL)
    while isinstance(fight.waiting, Faces):
        fight.answer(None)
    (entry,) = fight.past
    assert len(entry.rolls) >= 2 and all(roll.given for roll in entry.rolls)


def test_an_intent_that_the_rules_refuse(tmp_path: Path) -> None:
    fight = begun(desk_of(tmp_path), opening("3d6"), 1, EVERYBODY)
    request = until(fight, Act)
    other = next(name for name in fight.scene.fighters if name != request.who)
    for intent in (
        Intent("attack", request.who, (request.who,)),
        Intent("attack", other, (request.who,)),
        Intent("aim", request.who, (), {"aim": 99}),
    ):
        before = standing(fight)
        with pytest.raises(CrisisError):
            fight.answer(intent)
        assert standing(fight) == before
    for answer in ("attack", 1, [1], 2.5):
        wrong(fight, answer, Usage, "bad_value")
    suggested = fight.suggest()
    fight.answer(None)
    assert fight.past[-1].intent == suggested


def test_a_response_that_is_not_offered(tmp_path: Path) -> None:
    fight = begun(desk_of(tmp_path), opening("d100"), 1, EVERYBODY)
    request: Respond = until(fight, Respond)
    other = request.options[0]._replace(intent=Intent("next", request.who))
    wrong(fight, other, Usage, "bad_value")
    for answer in ("fly", 1, [1], Intent("next", request.who)):
        wrong(fight, answer, Usage, "bad_value")
    before = len(fight.past)
    fight.answer(request.options[0])
    assert len(fight.past) > before or fight.waiting != request


@pytest.mark.parametrize("taken", [None, PASS, 0])
def test_an_action_goes_on_after_a_response(tmp_path: Path, taken: Any) -> None:
    """It waits for the response, and is carried out then if it still may be; so is what was let pass."""
    fight = begun(desk_of(tmp_path), opening("d100"), 1, EVERYBODY)
    request: Respond = until(fight, Respond)
    before = len(fight.past)
    response = request.options[0] if taken == 0 else request.usual if taken is None else None
    fight.answer(response if taken == 0 else taken)
    while not isinstance(fight.waiting, Act | None):
        fight.answer(None)
    expected = [request.action] if response is None else [response.intent, request.action]
    assert [entry.intent for entry in fight.past[before:]] == expected


def test_nothing_is_asked(tmp_path: Path) -> None:
    fight = begun(desk_of(tmp_path), opening("3d6"), 1, NOBODY)
    before = fight.session
    with pytest.raises(Refused) as raised:
        fight.answer(None)
    assert raised.value.code == "nothing_asked"
    assert (fight.session, fight.waiting) == (before, None)


def test_a_question_waits(tmp_path: Path) -> None:
    fight = begun(desk_of(tmp_path), opening("3d6"), 1, EVERYBODY, REAL)
    request = until(fight, Faces)
    before = standing(fight)
    with pytest.raises(Refused) as raised:
        fight.perform(Intent("note", "", (), {"text": "rain"}))
    assert raised.value.code == "waiting"
    for _ in range(2):
        assert fight.play_on() == [] and standing(fight) == before
    fight.answer([3, 4, 2])
    assert fight.waiting != request


def test_what_cannot_be_undone_leaves_the_question(tmp_path: Path) -> None:
    fight = begun(desk_of(tmp_path), opening("3d6"), 1, EVERYBODY, REAL)
    while not fight.past:
        fight.answer(3)
    while not isinstance(fight.waiting, Faces):
        fight.answer(None)
    for many in (0, -1, len(fight.past), 99):
        before = standing(fight)
        with pytest.raises(Refused) as raised:
            fight.undo(many)
        assert raised.value.code == "nothing_to_undo" and standing(fight) == before
    fight.take_back()
    fight.perform(Intent("note", "", (), {"text": "rain"}))
    fight.undo()
    while not isinstance(fight.waiting, Faces):
        fight.answer(fight.suggest())
    for many in (0, -1, 2):
        before = standing(fight)
        with pytest.raises(Refused) as raised:
            fight.redo(many)
        assert raised.value.code == "nothing_to_redo" and standing(fight) == before
    fight.redo()
    assert fight.past[-1].intent.action == "note" and isinstance(fight.waiting, Act)


def test_a_program_is_asked_for_the_dice_of_the_turn_order(tmp_path: Path) -> None:
    player = Player(tmp_path)
    asked = opening("3d6", has_journal=True, keeps_dice=True)
    fight = begun(desk_of(tmp_path), asked, 7, EVERYBODY, REAL)
    for face in (6, 6, 6, 1, 1):
        assert isinstance(fight.waiting, Faces) and fight.past == () and not fight.decided
        assert player.files() == {}
        fight.answer(face)
    wrong(fight, 9, WrongFaces, "wrong_dice")
    assert player.files() == {}
    fight.answer(1)
    assert fight.waiting == Act("Jack", 1)
    assert records(resumed(tmp_path).past) == records(fight.past)
    assert resumed(tmp_path).dice.real
    player.ok("verify")


def test_an_opening_is_taken_back(tmp_path: Path) -> None:
    desk = desk_of(tmp_path)
    fight = begun(desk, opening("3d6", has_journal=True), 7, EVERYBODY, REAL)
    fight.answer(4)
    assert fight.take_back_answer()
    assert fight.waiting is None
    fight.play_on()
    assert isinstance(fight.waiting, Faces) and fight.waiting.roll.faces == []
    fight.take_back()
    assert fight.waiting is None
    assert Player(tmp_path).files() == {}
    fight.play_on()
    assert isinstance(fight.waiting, Faces) and fight.waiting.roll.faces == []
    assert Player(tmp_path).files() == {}
    fight.take_back()
    fight.open(prepare(desk, opening("3d6", has_journal=True), Dice(seed=7)))
    assert len(fight.past) == 1 and (tmp_path / "crisis.jsonl").exists()


@pytest.mark.parametrize("taken", [0, -1])
def test_a_program_is_asked_for_the_choices_of_an_opening(tmp_path: Path, taken: int) -> None:
    """At the ford somebody may spend something on the turn order."""
    player = Player(tmp_path)
    asked = Opening(("hagen",), encounter="ford")
    fight = begun(desk_of(tmp_path), asked, 1, EVERYBODY)
    questions = 0
    while isinstance(fight.waiting, Choose):
        questions += 1
        assert (fight.waiting.action.action, player.files()) == ("init", {})
        wrong(fight, "fly", WrongChoice, "wrong_choice")
        fight.answer(fight.waiting.options[taken].name)
    assert questions and isinstance(fight.waiting, Act)
    assert [entry.intent.action for entry in fight.past] == ["init"]
    player.ok("verify")


def test_events_with_real_dice_ask_before_anything_is_recorded(tmp_path: Path) -> None:
    """What comes at the ford in round 3 hangs on a die."""
    player, chance = Player(tmp_path), Random(5)
    asked = Opening(("hagen",), encounter="ford", keeps_dice=True)
    fight = begun(desk_of(tmp_path), asked, 1, EVERYBODY, REAL)
    until(fight, Act)
    happened = False
    while not happened:
        fight.perform(Intent("next", fight.scene.turn))
        many, before = len(fight.past), player.files()
        while isinstance(fight.waiting, Faces):
            happened = not fight.waiting.roll.who
            assert (len(fight.past), player.files()) == (many, before)
            fight.answer(faces(fight.waiting, chance))
        assert fight.scene.round <= 3
    assert fight.past[-1].intent.action == "event" and fight.past[-1].rolls[0].given
    player.ok("verify")
