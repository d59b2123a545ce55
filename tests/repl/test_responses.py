"""What the player's fighters do about an opponent's action, asked before it takes effect."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from conftest import Player, slow_but

from crisis_cli.engine.events import Event
from crisis_cli.engine.record import Entry
from crisis_cli.engine.scene import Fighter, Intent, Scene
from crisis_cli.render.since import after_own_turn
from crisis_cli.repl.prompt import Prompt

from .conftest import Evening
from .test_prompt import typed


@pytest.fixture
def prompts(monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """Gives the questions asked so far in an evening, its pages among them."""
    said: list[str] = []
    ask = Prompt.ask

    def noted(self: Prompt, question: str, *how: Any) -> str:
        said.append(question)
        return ask(self, question, *how)

    monkeypatch.setattr(Prompt, "ask", noted)
    return lambda: said


KEPT = {
    "step": ("vera --vs raider --seed 4", ["overwatch"], ["2", "never"]),
    "d100": ("ines --vs looter --seed 3", ["ready attack"], ["next", "2"]),
    "2d20": ("cass --vs ghoul --seed 1", ["ready attack"], ["next", "2", "none", "luck"]),
    "d6pool": ("hagen --vs bandit --seed 4", [], ["next", "2", "never", "none"]),
}
"""A fight, what the player does to keep something for later, and the answers of the player in the next turn."""


OPENED: dict[tuple[str, ...], bytes] = {}
"""The journals of the fights that were opened so far; their sheets are those that are shipped."""


def opened(crisis: Player, fight: str, *lines: str) -> int:
    """A crisis in which the player's fighter has kept something; gives the number of entries."""
    if (fight, *lines) in OPENED:
        crisis.journal.write_bytes(OPENED[fight, *lines])
    else:
        crisis.ok(f"init {fight} --open")
        crisis.ok("auto --until-mine")
        for line in lines:
            crisis.ok(f"act {line}")
        OPENED[fight, *lines] = crisis.journal.read_bytes()
        assert str(crisis.here) not in OPENED[fight, *lines].decode("utf-8"), "it can be anywhere"
    return len(entries(crisis))


def entries(crisis: Player) -> list[dict[str, Any]]:
    return crisis.ok("log --json").records


def attackers(entry: dict[str, Any]) -> set[str]:
    """Those who attack in an entry, the ones who answer included."""
    return {roll["who"] for roll in entry["rolls"] if roll["what"] == "attack"}


@pytest.mark.slow
@pytest.mark.parametrize("system", KEPT)
def test_what_is_kept_is_asked_for_taken_undone_replayed_and_verified(
    crisis: Player, evening: Evening, system: str
) -> None:
    fight, lines, answers = KEPT[system]
    before = opened(crisis, fight, *lines)

    shown = evening(typed(*answers))

    assert "2. attack" in shown.out and "to hit" in shown.out and "not again this round" in shown.out
    mine, them = (crisis.ok("status --json").record["fighters"][at]["name"] for at in (0, 1))
    mine, them = (mine, them) if mine in ("Vera", "Ines", "Cass", "Hagen") else (them, mine)
    done = [one for one in entries(crisis)[before:] if one["action"] != "next"]
    if system == "d6pool":
        assert (done[0]["actor"], attackers(done[0])) == (them, {mine, them})
        assert any(event["who"] == them and event["what"] == "wounds" for event in done[0]["effects"])
    else:
        assert [(one["action"], one["actor"]) for one in done[:1]] == [("attack", mine)]
        assert done[1]["actor"] == them, "the opponent goes on afterwards"
    if system == "2d20":
        assert {"who": "Cass", "what": "luck"}.items() <= next(
            event for event in done[0]["effects"] if event["what"] == "luck"
        ).items()
    crisis.ok("verify")
    after, count = crisis.ok("status --json").record, len(entries(crisis)) - before
    crisis.ok(f"undo {count}")
    crisis.ok(f"redo {count}")
    assert crisis.ok("status --json").record == after
    crisis.ok("replay --json")


@pytest.mark.slow
def test_never_is_not_asked_again_in_that_round(crisis: Player, evening: Evening) -> None:
    opened(crisis, "vera --vs raider --seed 4", "overwatch")

    shown = evening(typed("never"))

    assert shown.out.count("2. attack raider") == 1
    assert [one["actor"] for one in entries(crisis) if one["action"] == "attack"] == ["Raider"] * 3


def test_no_is_the_answer_of_enter(crisis: Player, evening: Evening) -> None:
    opened(crisis, "vera --vs raider --seed 4", "overwatch")

    shown = evening(typed("", "nonsense", "", "", ""))

    said = " ".join(shown.out.split())
    assert (
        "or its number from 1 to 4; Enter takes no, b or undo takes the last action back, Ctrl-C stops"
        in said
    )
    assert [one["actor"] for one in entries(crisis) if one["action"] == "attack"] == ["Raider"] * 3


@pytest.mark.parametrize("back", slow_but(["b", "undo"], "b"))
def test_going_back_at_a_question_takes_the_last_action_back(
    crisis: Player, evening: Evening, back: str
) -> None:
    opened(crisis, "vera --vs raider --seed 4", "overwatch")
    before = len(entries(crisis))

    shown = evening(typed(back))

    assert "you stopped the automatic turns" in shown.out and shown.err == ""
    assert len(entries(crisis)) == before - 1


@pytest.mark.slow
def test_a_question_that_fits_the_terminal_is_shown_whole_with_its_answers(
    crisis: Player, evening: Evening, prompts: Callable[[], list[str]]
) -> None:
    opened(crisis, "hagen --vs bandit --seed 4")

    evening(typed("next", "", "", "", ""), rows=24)

    asked = [one for one in prompts() if "responds?" in one]
    assert asked and all("[no], attack" in one and "never?" in one for one in asked)
    assert not [one for one in prompts() if "more lines" in one]


@pytest.mark.slow
def test_an_answer_typed_where_a_long_question_goes_on_is_taken(
    crisis: Player, evening: Evening, prompts: Callable[[], list[str]]
) -> None:
    opened(crisis, "hagen --vs bandit --seed 4")

    shown = evening(typed("questions all", "next", "never"), rows=5)

    said = prompts()
    assert "more lines" in said[0] and not any("Hagen responds?" in one for one in said)
    assert "never" not in shown.err


def test_what_was_lost_is_summed_since_the_turn_of_who_is_asked(crisis: Player) -> None:
    """Neither a response nor the turn of somebody else on the same side begins the sum again."""
    scene = Scene(
        "2d20",
        {
            name: Fighter(name, side, side == "players", {}, {}, {})
            for name, side in (("Cass", "players"), ("Doc", "players"), ("Ghoul", "foes"))
        },
        order=("Cass", "Ghoul", "Doc"),
        turn="Cass",
        open=True,
    )
    turns = [("Cass", "Ghoul"), ("Ghoul", "Doc"), ("Doc", "Ghoul"), ("Ghoul", "Cass")]
    passed = [
        Entry(
            0, Intent("next", was), events=(Event("Cass", "hp", 9 - at, 8 - at), Event("", "turn", was, now))
        )
        for at, (was, now) in enumerate(turns)
    ]
    response = Entry(0, Intent("attack", "Cass"), events=(Event("Cass", "hp", 7, 5),))
    done = [Entry(1, Intent("init")), passed[0], response, *passed[1:]]

    assert after_own_turn(done, scene, "Cass") == [response, *passed[1:]]
    assert after_own_turn(done, scene) == [response, *passed[1:]]
    assert after_own_turn(done, scene, "Doc") == passed[3:]


@pytest.mark.slow
def test_who_has_kept_nothing_is_not_asked(crisis: Player, evening: Evening) -> None:
    opened(crisis, "vera --vs raider --seed 4")

    assert "not again this round" not in evening(typed("next")).out


PLACES = "--place ines=0,0 --place looter=30,0"


@pytest.mark.parametrize(
    ("trigger", "places", "is_asked"),
    [
        pytest.param("any", PLACES, True, marks=pytest.mark.slow),
        pytest.param("range:40", PLACES, True, marks=pytest.mark.slow),
        ("range:12", PLACES, False),
        ("reach", PLACES, False),
        pytest.param("reach", "--place ines=0,0 --place looter=1,0", True, marks=pytest.mark.slow),
        ("attacks:ines", "--place ines=0,0 --place looter=1,0", True),
        pytest.param("attacks:ines", "--place ines=0,0 --place looter=80,0", False, marks=pytest.mark.slow),
        pytest.param("attacks:looter", "--place ines=0,0 --place looter=1,0", False, marks=pytest.mark.slow),
    ],
)
def test_a_readied_action_waits_for_its_trigger(
    crisis: Player, evening: Evening, trigger: str, places: str, is_asked: bool
) -> None:
    opened(crisis, f"ines --vs looter --doctrine careful --seed 8 {places}", f"ready attack --when {trigger}")

    shown = evening(typed("next", *["never"] * is_asked))

    assert ("not again this round" in shown.out) == is_asked


@pytest.mark.slow
def test_who_comes_into_reach_is_answered_before_it_does_anything_else(
    crisis: Player, evening: Evening
) -> None:
    """2D20-11: once, even where it comes and ends its turn."""
    opened(crisis, "cass --vs ghoul --seed 1 --place cass=0,0 --place ghoul=2,2", "ready attack --when reach")

    shown = evening(typed("next", "2", "none", "none", "keep"))

    assert shown.out.count("not again this round") == 1
    done = [one for one in entries(crisis) if one["action"] in ("move", "sprint", "attack")]
    assert [(one["action"], one["actor"]) for one in done[:2]] == [("sprint", "Ghoul"), ("attack", "Cass")]


@pytest.mark.parametrize(
    ("trigger", "words"),
    [
        ("soon", "any, reach, range:N, attacks:NAME"),
        ("range:", "range:N"),
        ("range:x", "range:N"),
        ("any:1", "range:N"),
        ("attacks:bob", "here are ines, looter"),
    ],
)
def test_a_trigger_that_does_not_exist_is_refused(crisis: Player, trigger: str, words: str) -> None:
    opened(crisis, "ines --vs looter --seed 8")

    refused = crisis(f"act ready attack --when {trigger}")

    assert refused.status in (2, 3) and words in refused.err


@pytest.mark.slow
def test_a_fighter_without_actions_may_buy_one(crisis: Player, evening: Evening) -> None:
    """POOL-15: a bonus die buys an action, which then pays for a response."""
    opened(crisis, "hagen --vs bandit --seed 4", "aim", "aim")
    before = len(entries(crisis))

    shown = evening(typed("questions all", "next", "gain-action", "attack", "never", "none"))

    done = entries(crisis)[before:]
    assert "gain-action" in shown.out
    assert ("gain-action", "Hagen") in [(one["action"], one["actor"]) for one in done]
    assert {"Hagen", "Bandit"} in map(attackers, done)
    crisis.ok("verify")


HARM = r"\d[\d.]* % to hit, Cass loses \d"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("places", "when", "words"),
    [
        ("--place cass=0,0 --place ghoul=2,2", "reach", f"next turn attack cass: {HARM}"),
        ("", "any", f"then attack cass: {HARM}"),
    ],
    ids=["the turn ends", "the foe stands up"],
)
def test_no_shows_what_the_foe_may_do_next_where_its_action_has_no_dice(
    crisis: Player, evening: Evening, places: str, when: str, words: str
) -> None:
    opened(crisis, f"cass --vs ghoul --seed 1 {places}", f"ready attack --when {when}")

    shown = evening(typed("next", *["no"] * 4))

    assert re.search(rf"1\. no: +{words}", shown.out), shown.out
    assert "waits on" not in shown.out


@pytest.mark.slow
def test_bought_actions_show_what_they_leave_of_the_action_they_answer(
    crisis: Player, evening: Evening
) -> None:
    """POOL-15: a bonus die buys an action; the purchase itself hurts no one, and the attack goes on."""
    opened(crisis, "hagen --vs bandit --seed 4", "aim", "aim")

    shown = evening(typed("questions all", "next", "never", "none"))

    odds = dict(re.findall(r"^ +\d\. ([\w-]+): +(.*)$", shown.out, re.MULTILINE))
    assert re.fullmatch(r"\d.* to hit, Hagen uses up \d.* protection, .*", odds["no"])
    assert odds["gain-action"] == f"for 1 bonus die, then {odds['no']}"
