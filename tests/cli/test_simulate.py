"""`crisis simulate`: many whole fights."""

from __future__ import annotations

import pytest
from conftest import Player, Sheets

LINE = "simulate jack --vs drone --apart 0 --seed 3"


def test_the_chances_add_up_and_stand_within_their_intervals(crisis: Player, sheets: Sheets) -> None:
    found = crisis(f"{LINE} -n 40 --json").record
    assert found["n"] == 40 and found["seed"] == 3 and found["doctrine"] == "plain"
    assert list(found["wins"]) == ["players", "opponents", "draw"]
    assert sum(one["p"] for one in found["wins"].values()) == pytest.approx(1)
    for one in found["wins"].values():
        assert 0 <= one["low"] <= one["p"] <= one["high"] <= 1
    rounds = found["rounds"]["distribution"]
    assert sum(one["p"] for one in rounds) == pytest.approx(1)
    assert sum(one["value"] * one["p"] for one in rounds) == pytest.approx(found["rounds"]["mean"])
    jack = found["fighters"]["Jack"]
    assert jack["side"] == "players" and sum(jack["ends"].values()) == pytest.approx(1)
    assert found["wins"]["opponents"]["p"] == pytest.approx(jack["out"]["p"])
    assert any(one["harm"] > 0 for one in jack["weapons"].values())
    assert found["survivors"]["players"]["mean"] == pytest.approx(jack["ends"].get("up", 0))


def test_the_same_seed_gives_the_same_answer_for_any_number_of_jobs(crisis: Player, sheets: Sheets) -> None:
    line = f"{LINE} -n 270 --json --rounds 1"
    one = crisis(f"{line} --jobs 1").record
    assert one == crisis(f"{line} --jobs 3").record
    assert one != crisis(f"{line} --jobs 3 --seed 4").record


def test_text_says_how_the_fighters_decide(crisis: Player, sheets: Sheets) -> None:
    shown = crisis(f"{LINE} -n 12", terminal=True).out
    assert "12 fights" in shown and "doctrine plain: the best expected harm" in shown
    assert "95" not in shown.splitlines()[0] and "rounds" in shown
    own = crisis(f"{LINE} -n 1 --doctrine own").out
    assert "doctrine own: every fighter by the doctrine of its sheet" in own
    assert (
        "doctrine reckless: every fighter by this doctrine" in crisis(f"{LINE} -n 1 --doctrine reckless").out
    )


def test_an_open_crisis_goes_on_as_it_stands_and_nothing_is_recorded(fight: Player) -> None:
    fight.ok("set drone health 1")
    before = fight.journal.read_bytes()
    found = fight("simulate --from-crisis -n 30 --seed 1 --json").record
    assert found["wins"]["players"]["p"] > 0.9
    assert fight.journal.read_bytes() == before


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("simulate", "missing_argument"),
        ("simulate jack", "missing_argument"),
        ("simulate jack --vs drone --from-crisis", "conflicting_options"),
        ("simulate --from-crisis", "no_crisis"),
        ("simulate jack --vs drone --doctrine brave", "not_found"),
        ("simulate jack --vs drone -n 0", "bad_value"),
        ("simulate jack --vs drone --jobs 0", "bad_value"),
    ],
)
def test_what_cannot_be_simulated_is_refused(crisis: Player, sheets: Sheets, line: str, code: str) -> None:
    shown = crisis(f"{line} --json")
    assert shown.status and shown.error["code"] == code, shown
