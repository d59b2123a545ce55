"""`crisis foe`: a foe of a wanted strength."""

from __future__ import annotations

import json
import os
import re
import signal
import tomllib

import pytest
from conftest import Player, Sheets

from crisis_cli import systems
from crisis_cli.play import foes as measured
from crisis_cli.sheets import foes
from crisis_cli.simulation.fair import Tried
from crisis_cli.simulation.tally import Share

LINE = "foe brute --against jack --level 1 -n 3 --seed 1"
LEVEL_3 = "foe brute --against jack --seed 1"
PARTIES = {
    "3d6": "jack ada",
    "step": "vera moss",
    "d100": "ines bruno",
    "2d20": "cass doc",
    "d6pool": "hagen tilda",
}


def test_it_prints_a_sheet_whose_comments_say_where_it_comes_from(crisis: Player) -> None:
    shown = crisis.ok(LINE).out
    sheet = tomllib.loads(shown)
    assert sheet["system"] == "3d6" and sheet["player"] is False and sheet["doctrine"] == "reckless"
    head = [line for line in shown.splitlines() if line.startswith("# ")]
    assert head[0] == f"# {sheet['name']}, a brute: slow and strong, hits hard hand to hand."
    assert head[1].startswith("# Level 1, doctrine plain: ")
    assert head[1].endswith(" of 3 fights, 5.0 points above the wanted 95 %.")
    assert "ratio of harm" in head[2] and "seed 1" in head[2]
    assert head[3].startswith("# Manner: ") and head[4].startswith("# Wants: ")
    assert head[5] == f"# Play: crisis play jack --vs {sheet['name'].lower()}.toml"
    assert shown == crisis.ok(LINE).out
    assert tomllib.loads(crisis.ok(LINE.replace("seed 1", "seed 2")).out)["name"] != sheet["name"]


def test_a_saved_sheet_passes_check_and_plays(crisis: Player) -> None:
    shown = crisis.ok(f"{LINE} --name Gate --save characters/gate.toml --count 2")
    assert shown.out.splitlines()[0].startswith("characters/gate.toml is written: ")
    assert shown.out.splitlines()[1] == "Play: crisis play jack --vs characters/gate.toml:2"
    assert crisis.ok("character check gate --json").record["ok"] is True
    played = crisis.ok("play jack --vs gate:2 --auto --rounds 1 --seed 1")
    assert "Gate 2" in played.out
    before = (crisis.here / "characters/gate.toml").read_bytes()
    assert crisis.refused(4, f"{LINE} --save characters/gate.toml --json").error["code"] == "exists"
    assert (crisis.here / "characters/gate.toml").read_bytes() == before


def test_a_folder_that_is_not_there_is_made_only_where_sheets_are_looked_for(crisis: Player) -> None:
    for file in ("far/gate.toml", "characters/far/gate.toml"):
        error = crisis.refused(4, f"{LINE} --save {file} --json").error
        assert error["code"] == "cannot_write" and "there is no folder" in error["message"]
        assert error["hint"] == "make the folder first, or use another folder (--save)"
        assert not (crisis.here / file).parent.exists()
    assert (
        crisis.ok(f"{LINE} --save ./characters/gate.toml --json").record["file"] == "./characters/gate.toml"
    )


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="no folder here that nobody can write to")
@pytest.mark.parametrize("file", ["/proc/gate.toml", "/proc/new/gate.toml", "taken/gate.toml"])
def test_a_file_that_cannot_be_written_names_the_option(crisis: Player, file: str) -> None:
    (crisis.here / "taken").write_text("", encoding="utf-8")
    error = crisis.refused(4, f"{LINE} --save {file} --json").error
    assert error["code"] == "cannot_write" and "use another folder (--save)" in error["hint"]


def test_json_has_the_sheet_and_what_the_fights_say(crisis: Player, sheets: Sheets) -> None:
    found = crisis.ok(f"{LINE} --name Gate --json").record
    assert found["name"] == found["sheet"]["name"] == "Gate" and found["against"] == ["Jack"]
    assert (found["role"], found["system"], found["count"], found["n"]) == ("brute", "3d6", 1, 3)
    assert (found["level"], found["wanted"], found["doctrine"], found["seed"]) == (1, 0.95, "plain", 1)
    wins = found["wins"]
    assert found["reached"] is (wins["low"] <= 0.95 <= wins["high"])
    assert 0 <= found["strength"] <= found["strongest"] and found["ratio"] > 0
    assert found["manner"] and found["wants"]


def test_without_a_role_the_dice_choose_and_a_swarm_is_three(
    crisis: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = {
        crisis.ok(f"foe --against jack --level 1 -n 1 --seed {seed} --json").record["role"]
        for seed in (1, 4, 7)
    }
    assert len(drawn) > 1
    swarm = crisis.ok("foe swarm --against jack --level 1 -n 1 --seed 1 --json").record
    assert swarm["count"] == 3


@pytest.mark.slow
def test_beyond_what_a_single_one_can_be_there_are_more_of_it(crisis: Player) -> None:
    found = crisis.ok("foe skulker --against ines bruno --level 4 --seed 3 -n 20 --json").record
    assert found["count"] > 1 and found["wins"]["low"] <= 0.5 <= found["wins"]["high"]
    error = crisis.refused(
        3, "foe skulker --against ines bruno --level 4 --count 1 --seed 3 -n 20 --json"
    ).error
    assert error["code"] == "no_such_foe"
    assert (
        "even the strongest skulker is too easy for level 4 (50 %): Ines and Bruno win " in error["message"]
    )
    assert error["hint"] == "try --count 2 or --level 2, or another role"


@pytest.fixture
def only_the_strongest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every role has its strongest sheet alone."""
    real = foes.steps_of
    monkeypatch.setattr(foes, "steps_of", lambda *given: real(*given)[-1:])


@pytest.mark.usefixtures("only_the_strongest")
def test_where_even_the_weakest_are_too_hard_fewer_would_do(crisis: Player) -> None:
    error = crisis.refused(3, "foe brute --against jack --count 2 --level 1 --seed 1 -n 50 --json").error
    assert error["code"] == "no_such_foe"
    assert "even the weakest brute is too hard for level 1 (95 %): Jack wins " in error["message"]
    assert error["hint"] == "try --count 1, or another role"


@pytest.mark.slow
@pytest.mark.usefixtures("only_the_strongest")
def test_where_neither_fewer_nor_another_level_would_do_another_role_is_left(crisis: Player) -> None:
    error = crisis.refused(3, "foe skulker --against doc --count 1 --level 3 --seed 3 -n 20 --json").error
    assert (error["code"], error["hint"]) == ("no_such_foe", "try another role")


@pytest.mark.parametrize(
    ("low", "high", "places"),
    [
        (0.61, 0.701, 1),
        (0.61, 0.698, 1),
        (0.61, 0.6998, 2),
        (0.7002, 0.8, 2),
        (0.61, 0.69999, 3),
        (0.61, 0.69999999, 4),
    ],
)
def test_an_interval_is_never_shown_as_if_the_level_were_within_it(
    low: float, high: float, places: int
) -> None:
    assert measured._places(Share(0.66, low, high), 0.7) == places


@pytest.mark.slow
def test_where_two_steps_lie_on_both_sides_of_the_level_it_says_so(
    crisis: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = foes.steps_of
    monkeypatch.setattr(foes, "steps_of", lambda *given: [real(*given)[0], real(*given)[-1]])
    line = "foe brute --against jack --level 4 -n 50 --seed 1"
    shown = crisis(line)
    found = re.search(
        r"no step of brute gives 50 %; the nearest: Jack wins ([\d.]+) % \(([\d.]+)–([\d.]+)\) of 50 fights, "
        r"([\d.]+) points (?:above|below)",
        shown.out,
    )
    assert found and not float(found[2]) <= 50 <= float(found[3])
    assert abs(float(found[1]) - 50) == float(found[4])
    assert shown.err == "warning: no brute comes near level 4 (50 %): try another role\n"
    assert crisis(f"{line} --json").record["reached"] is False


@pytest.fixture
def searched(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many of 400 fights the players win at the step that each search finds, one search after another."""
    won: list[int] = []

    class Searched:
        def __init__(self, steps: int, *how: object):
            self.steps = steps

        def find(self, wanted: float) -> Tried:
            return Tried(self.steps // 2, 1.0, won.pop(0), 400)

    monkeypatch.setattr(measured, "Search", Searched)
    return won


def test_a_share_that_is_more_than_three_points_off_is_told(crisis: Player, searched: list[int]) -> None:
    searched[:] = [266, 270]
    assert " 66.5 % (61.7–70.9) of 400 fights, 3.5 points below the wanted 70 %." in crisis.ok(LEVEL_3).out
    assert " 67.5 % (62.8–71.9) of 400 fights." in crisis.ok(LEVEL_3).out


def test_where_nobody_says_the_role_others_are_tried(crisis: Player, searched: list[int]) -> None:
    line = "foe --against jack --seed 1 --json"
    roles = ["brute", "shot", "swarm", "leader", "skulker"]
    searched[:] = [280]
    first = roles.index(crisis.ok(line).record["role"])
    searched[:] = [200, 350, 282]
    assert crisis.ok(line).record["role"] == roles[(first + 2) % 5]
    searched[:] = [200, 350, 300, 200, 200]
    shown = crisis(line)
    assert (shown.record["role"], shown.record["reached"]) == (roles[(first + 2) % 5], False)
    warning = {"code": "not_near", "message": "no role comes near level 3 (70 %)"}
    assert json.loads(shown.err)["warning"] == warning
    searched[:] = [200]
    assert crisis(LEVEL_3).err == "warning: no brute comes near level 3 (70 %): try another role\n"


@pytest.mark.parametrize(
    ("line", "status", "code"),
    [
        ("foe giant --against jack", 2, "unknown_name"),
        ("foe brute --against jack --level 6", 2, "bad_value"),
        ("foe brute --against jack --level 0", 2, "bad_value"),
        ("foe brute --against jack --count 21", 2, "bad_value"),
        ("foe brute --against jack --name 12", 2, "bad_value"),
        ("foe brute --against jack --save foe.txt", 2, "bad_value"),
        ("foe brute --system nope --against jack", 2, "unknown_name"),
        ("foe brute --system step --against jack", 3, "other_system"),
        ("foe brute --against jack vera", 3, "other_system"),
        ("foe brute", 2, "missing_argument"),
        ("foe brute --against nobody-here", 4, "not_found"),
    ],
)
def test_what_cannot_be_is_refused(crisis: Player, line: str, status: int, code: str) -> None:
    assert crisis.refused(status, f"{line} --json").error["code"] == code


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_signal_ends_the_search_with_the_status_of_that_signal(
    crisis: Player, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    number = getattr(signal, name)

    class Stopped:
        def __init__(self, *terms: object, **how: object) -> None: ...

        def block(self, *block: object, **how: object) -> None:
            signal.raise_signal(number)

    monkeypatch.setattr(measured, "Fighting", Stopped)
    error = crisis.refused(128 + number, f"{LINE} --save gate.toml --json").error
    assert (error["code"], error["message"]) == ("interrupted", "stopped before the foe was found")


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_signal_ends_the_weighing_of_attacks_at_once(
    crisis: Player, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    number = getattr(signal, name)

    def endless(balance: object, one: object, other: object) -> float:
        signal.raise_signal(number)
        raise AssertionError("the weighing goes on")

    monkeypatch.setattr(measured.Balance, "harm", endless)
    error = crisis.refused(128 + number, f"{LINE} --json").error
    assert (error["code"], error["message"]) == ("interrupted", "stopped before the foe was found")


def test_who_it_is_against_is_missing_outside_a_campaign(crisis: Player) -> None:
    assert "in a campaign the default is its party" in crisis.refused(2, "foe brute --json").error["hint"]


def test_the_dead_need_no_foe(crisis: Player) -> None:
    crisis.ok("character copy jack")
    sheet = crisis.here / "characters" / "jack.toml"
    sheet.write_text(sheet.read_text("utf-8") + "\n[state]\nhealth = 0\n", encoding="utf-8")
    error = crisis.refused(3, "foe brute --against jack --json").error
    assert error["code"] == "nobody_can_act" and "character reset jack" in error["hint"]


@pytest.mark.long
@pytest.mark.parametrize("level", foes.LEVELS)
@pytest.mark.parametrize("role", ["brute", "shot", "swarm", "leader", "skulker"])
@pytest.mark.parametrize("name", systems.SYSTEMS)
def test_the_players_win_the_share_of_the_level(crisis: Player, name: str, role: str, level: int) -> None:
    found = crisis.ok(f"foe {role} --against {PARTIES[name]} --level {level} --seed 5 --json").record
    assert abs(found["wins"]["p"] - foes.LEVELS[level]) <= 0.08, found


@pytest.mark.slow
def test_the_players_win_the_share_of_a_level(crisis: Player) -> None:
    found = crisis.ok("foe swarm --against jack --level 1 --count 1 --seed 5 -n 60 --json").record
    assert abs(found["wins"]["p"] - 0.95) <= 0.08, found
