"""`crisis simulate`: many whole fights."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from conftest import PROGRAM, Player, Sheets
from simulations import DUELS, opening

from crisis_cli.errors import TooWide
from crisis_cli.play import dueling, simulating
from crisis_cli.render.simulation import Progress, Simulated, fights_line, interval, report, states_line
from crisis_cli.render.style import Ink
from crisis_cli.simulation import block
from crisis_cli.simulation.duel import TICKS, DuelCourse, DuelEndings, StatesFound, solve
from crisis_cli.simulation.fight import DoctrineCourse
from crisis_cli.simulation.tally import Share

LINE = "simulate jack --vs drone --apart 0 --seed 3"


def test_the_chances_add_up_and_stand_within_their_intervals(crisis: Player, sheets: Sheets) -> None:
    found = crisis(f"{LINE} -n 12 --json").record
    assert found["n"] == 12 and found["seed"] == 3 and found["doctrine"] == "plain"
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


def test_a_fighter_that_nothing_happens_to_has_its_pools_too(crisis: Player, sheets: Sheets) -> None:
    line = "simulate jack --vs drone:2 --apart 0 --seed 3 -n 2 --rounds 1"
    found = crisis(f"{line} --json").record["fighters"]
    assert found["Drone 1"]["pools"].keys() == found["Drone 2"]["pools"].keys()
    assert found["Drone 2"]["pools"]["health"]["mean"] == 25
    text = crisis(line).out
    assert "health" not in text[text.index("Drone 2") :]


def test_a_value_is_set_for_all_copies_of_a_sheet(crisis: Player, sheets: Sheets) -> None:
    line = "simulate jack --vs drone:2 --apart 0 --seed 3 -n 2 --rounds 1 --set"
    shown = crisis.refused(2, f"{line} drone1.skills.melee=3")
    assert "no sheet here is called 'drone1'" in shown.err
    assert "sheets, each for all of its copies: jack and drone" in shown.err
    assert crisis(f"{line} drone.skills.melee=3").status == 0


def test_the_seed_decides_the_answer(crisis: Player, sheets: Sheets) -> None:
    line = f"{LINE} -n 60 --json --rounds 1"
    assert crisis(line).record == crisis(line).record != crisis(f"{line} --seed 4").record


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that are forked")
@pytest.mark.slow
@pytest.mark.parametrize(
    ("sides", "fights", "rounds"),
    [
        ("jack --vs drone", 300, 2),
        ("bruno --vs marshal", 300, 2),
        ("hagen --vs bandit", 24, 1),
        ("vera --vs raider", 24, 1),
        ("cass --vs robot", 20, 1),
        ("jack ada --vs drone:2", 40, 1),
    ],
)
def test_jobs_change_no_answer_in_any_system(
    crisis: Player, sheets: Sheets, monkeypatch: pytest.MonkeyPatch, sides: str, fights: int, rounds: int
) -> None:
    """Whether processes begin with nothing known or with what the first block has taught."""
    line = f"simulate {sides} --apart 0 -n {fights} --rounds {rounds} --seed 5 --json"
    one = crisis(f"{line} --jobs 1").record
    assert one["n"] == fights
    handed_out: list[int] = []
    share = block._share

    def sharing(fighting: block.Fighting, merged: block.Merged) -> None:
        handed_out.append(len(merged.missing))
        share(fighting, merged)

    monkeypatch.setattr(block, "_share", sharing)
    for jobs, worth_sharing in ((2, -1.0), (3, 0.0)):
        monkeypatch.setattr(block, "WORTH_SHARING", worth_sharing)
        assert one == crisis(f"{line} --jobs {jobs}").record
    first, second = handed_out
    assert first == second + 1 > 3, "all blocks, then all but the first, and more than processes"


def test_text_says_how_the_fighters_decide(crisis: Player, sheets: Sheets) -> None:
    shown = crisis(f"{LINE} -n 12", terminal=True).out
    assert "12 fights" in shown and "doctrine plain: the best expected harm" in shown
    assert "95" not in shown.splitlines()[0] and "rounds" in shown
    own = crisis(f"{LINE} -n 1 --doctrine own").out
    assert "doctrine own: every fighter by the doctrine of its sheet" in own
    assert (
        "doctrine reckless: every fighter by this doctrine" in crisis(f"{LINE} -n 1 --doctrine reckless").out
    )


def test_bounds_have_the_decimals_of_the_share_and_lines_fit_the_screen(
    crisis: Player, sheets: Sheets
) -> None:
    """A share that is not quite all of them is not shown with bounds that are all."""
    assert interval(Share(0.99999, 0.9996, 1.0), Ink()) == "100.00 %  (99.96 to 100.00)"
    shown = crisis(f"{LINE} -n 12 --rounds 3", terminal=True, env={"NO_COLOR": "1"}).lines
    assert any(re.match(r"  draw +\d+\.\d\d %  \(\d+\.\d\d to \d+\.\d\d\)  █+", line) for line in shown)
    assert all(len(line) <= 80 for line in shown)


@pytest.mark.parametrize(
    ("system", "who", "pool", "said"),
    [
        ("3d6", "ada", "ammo:pistol", "rounds of the pistol: 1.0 at the end"),
        ("3d6", "ada", "ammo:knife", "knife: 1.0 left at the end"),
        ("d100", "ines", "ammo:rifle", "shots of the rifle: 1.0 at the end"),
        ("d100", "ines", "ammo:knife", "knife: 1.0 left at the end"),
        ("d6pool", "bandit", "ammo:knife", "knife: 1.0 left at the end"),
        ("step", "vera", "ammo:grenade", "grenade: 1.0 left at the end"),
        ("step", "vera", "magazines:pistol", "magazines of the pistol: 1.0 at the end"),
        ("2d20", "cass", "ammo:revolver", "rounds of the revolver: 1.0 at the end"),
        ("2d20", "cass", "uses:stimpak", "uses of the stimpak: 1.0 at the end"),
        ("2d20", "mutant", "hp", "HP: 1.0 at the end"),
    ],
)
def test_what_is_left_of_things_to_throw_is_no_ammunition(
    system: str, who: str, pool: str, said: str
) -> None:
    begun = opening(system, who, DUELS[system][1])
    name = next(iter(begun.scene.fighters))
    counts = {block.FIGHTS: 1, ("rounds", 1): 1, ("end", name, "up"): 1, ("pool", name, pool, 1): 1}
    done = Simulated(begun.system, begun.scene, counts, 1, "plain", 1)
    assert f"  {said} on average" in list(report(done, Ink(), 80, False))


def test_an_open_crisis_goes_on_as_it_stands_and_nothing_is_recorded(fight: Player) -> None:
    fight.ok("set drone health 1")
    before = fight.journal.read_bytes()
    found = fight("simulate --from-crisis -n 30 --seed 1 --json").record
    assert found["wins"]["players"]["p"] > 0.9
    assert fight.journal.read_bytes() == before


@pytest.mark.slow
@pytest.mark.parametrize("turns", range(4))
def test_an_open_crisis_is_simulated_whoever_has_the_turn(crisis: Player, sheets: Sheets, turns: int) -> None:
    crisis.ok("init bruno ines --vs looter:2 --open --seed 7")
    for _ in range(turns):
        crisis.ok("next")
    found = crisis.ok("simulate --from-crisis -n 12 --seed 1 --json").record
    assert found["n"] == 12 and sum(one["p"] for one in found["wins"].values()) == pytest.approx(1)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("simulate", "missing_argument"),
        ("simulate jack", "missing_argument"),
        ("simulate --vs drone", "missing_argument"),
        ("simulate jack --vs drone --from-crisis", "conflicting_options"),
        ("simulate --from-crisis", "no_crisis"),
        ("simulate --from-crisis --compare jack.held=baton,bandage", "conflicting_options"),
        ("simulate jack --vs drone --doctrine brave", "not_found"),
        ("simulate jack --vs drone -n 0", "bad_value"),
        ("simulate jack --vs drone --retreat-at 2", "bad_value"),
        ("simulate jack --vs drone --until-width 0", "bad_value"),
        ("simulate jack --vs drone --compare jack", "bad_value"),
        ("simulate jack --vs drone --sweep jack.skills.melee=3..1", "bad_value"),
        ("simulate jack --vs drone --compare jack.held=sword,baton", "unknown_thing"),
        ("simulate jack --vs drone --jobs 0", "bad_value"),
    ],
)
def test_what_cannot_be_simulated_is_refused(crisis: Player, sheets: Sheets, line: str, code: str) -> None:
    shown = crisis(f"{line} --json")
    assert shown.status and shown.error["code"] == code, shown


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("--compare jack.hold=baton,bandage", "the sheet of Jack: hold: unknown; there are: name, system, "),
        ("--sweep bob.health=20..21", "bob.health=20: no sheet here is called 'bob'"),
        ("--set jack.name=Joe", "the name of a sheet cannot be changed for one command"),
    ],
)
def test_a_wrong_key_names_the_sheet_whatever_the_option(
    crisis: Player, sheets: Sheets, option: str, message: str
) -> None:
    assert crisis.refused(2, f"{LINE} {option} --json").error["message"].startswith(message)


@pytest.mark.parametrize(
    "options",
    [
        "--set jack.abilities.might=77 --sweep jack.abilities.might=1..2",
        "--compare jack.abilities.might=1 --sweep jack.abilities.might=1..2",
        "--set jack.abilities.might=1 --compare Jack.abilities.might=1,2",
        "--sweep jack.abilities.might=1..2 --sweep jack.abilities.might=1..2",
    ],
)
def test_a_key_is_given_once(crisis: Player, sheets: Sheets, options: str) -> None:
    lines = [f"{LINE} -n 1 {options}"]
    if "--compare" not in options:
        lines.append(f"odds attack jack drone {options}")
    for line in lines:
        error = crisis.refused(2, f"{line} --json").error
        assert error["code"] == "conflicting_options"
        assert error["message"].casefold() == "jack.abilities.might is given twice"


@pytest.mark.parametrize("options", ["--sweep jack.skills.melee=0..99", "--compare jack.held=baton,harp"])
def test_all_values_are_checked_before_the_first_fight(
    crisis: Player, sheets: Sheets, monkeypatch: pytest.MonkeyPatch, options: str
) -> None:
    def unwanted(fighting: block.Fighting, work: block.Work) -> None:
        raise AssertionError("a fight before all values are checked")

    monkeypatch.setattr(simulating, "run", unwanted)
    assert crisis(f"{LINE} {options} --json").status in (2, 3)


@pytest.mark.parametrize("value", ["nan", "NaN", "inf", "-inf", "2", "-0.5", "1e3", "many"])
@pytest.mark.parametrize("option", ["--retreat-at", "--until-width"])
def test_a_share_is_a_number_up_to_1(crisis: Player, sheets: Sheets, option: str, value: str) -> None:
    error = crisis.refused(2, f"{LINE} {option} {value} --json").error
    assert error["code"] == "bad_value"
    assert re.fullmatch(rf"{option} takes a number .* to 1, not '?{value}'?", error["message"])


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("jack", "WHO (jack)"),
        ("--vs drone", "--vs"),
        ("jack --vs drone", "WHO (jack) and --vs"),
        ("--encounter bridge", "--encounter"),
        ("--initiator jack", "--initiator"),
        ("--surprise jack", "--surprise"),
        ("--order jack,drone", "--order"),
        ("--place jack=1,1", "--place"),
        ("--apart 0", "--apart"),
        ("--group", "--group"),
        ("--in-sequence", "--in-sequence"),
    ],
)
def test_an_open_crisis_takes_nothing_that_says_how_a_fight_begins(
    fight: Player, words: str, named: str
) -> None:
    error = fight.refused(2, f"simulate --from-crisis {words} --json").error
    assert error["code"] == "conflicting_options"
    assert error["message"].startswith(f"--from-crisis cannot go with {named}: ")
    assert error["hint"] == f"leave out {named}, or --from-crisis"


def test_who_names_no_foe_is_told_what_can_be_simulated(crisis: Player) -> None:
    assert "--encounter NAME" in crisis.refused(2, "simulate jack --json").error["hint"]
    named = crisis.refused(2, "simulate ford --json").error["hint"]
    assert named == "the encounter ford: crisis simulate --encounter ford"


@pytest.mark.slow
def test_values_are_compared_and_swept(crisis: Player, sheets: Sheets) -> None:
    line = "simulate bruno --vs marshal --apart 0 --seed 2 -n 20 --rounds 2"
    swept = crisis(f"{line} --sweep bruno.ratings.combat=50..52 --json").records
    assert [one["set"] for one in swept] == [{"bruno.ratings.combat": str(value)} for value in (50, 51, 52)]
    alone = crisis(f"{line} --set bruno.ratings.combat=51 --json").record
    assert swept[1] == {**alone, "set": swept[1]["set"]}
    held = crisis(
        "simulate ada --vs drone --apart 0 --seed 2 -n 5 --rounds 2 --compare ada.held=pistol,knife"
    )
    assert [line.split()[0] for line in held.out.splitlines()[1:]] == ["ada.held", "pistol", "knife"]


@pytest.mark.slow
def test_fights_go_on_until_the_interval_is_narrow_enough(crisis: Player, sheets: Sheets) -> None:
    line = "simulate bruno --vs marshal --apart 0 --seed 2 --until-width 0.08 --json"
    one, two = (crisis(f"{line} --jobs {jobs}").record for jobs in (1, 2))
    assert one == two and one["n"] in (256, 512, 1_024)
    assert all(chance["high"] - chance["low"] <= 0.08 for chance in one["wins"].values())


@pytest.mark.slow
def test_players_withdraw_when_little_of_their_life_is_left(crisis: Player, sheets: Sheets) -> None:
    line = "simulate bruno --vs marshal --apart 0 --seed 2 -n 60 --json"
    stays, leaves = crisis(line).record, crisis(f"{line} --retreat-at 0.5").record
    assert leaves["wins"]["withdrawn"]["p"] > 0.5 and "withdrawn" not in stays["wins"]
    assert leaves["fighters"]["Bruno"]["out"]["p"] < stays["fighters"]["Bruno"]["out"]["p"]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminal here")
def test_a_signal_ends_it_with_what_has_been_fought(sheets: Sheets) -> None:
    line = "simulate jack --vs drone --doctrine own --apart 0 -n 100000 --seed 1 --json --jobs 2"
    screen, terminal = os.openpty()
    with subprocess.Popen(
        [*PROGRAM, *line.split()],
        cwd=sheets.folder.parent,
        stdout=subprocess.PIPE,
        stderr=terminal,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:
        os.close(terminal)
        shown = b""
        while b"fights" not in shown:
            # The bar on stderr: fights are under way.
            shown += os.read(screen, 1024)
        process.send_signal(signal.SIGINT)
        assert process.stdout is not None
        found = json.loads(process.stdout.read())
        os.close(screen)
    assert process.returncode == 130
    assert 0 < found["n"] < found["wanted"] == 100_000
    assert sum(one["p"] for one in found["wins"].values()) == pytest.approx(1)


def stopped_by(
    number: int, fights: int, after: int = 0
) -> Callable[[block.Fighting, block.Work], dict[Any, int]]:
    """What takes the place of `run`: all fights of the first runs, then so many fights of one, and a signal."""
    runs = 0

    def run(fighting: block.Fighting, work: block.Work) -> dict[Any, int]:
        nonlocal runs
        runs += 1
        if runs <= after:
            return block.run(fighting, work)
        counts = block.run(fighting, work._replace(fights=fights)) if fights else {}
        signal.raise_signal(number)
        return counts

    return run


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_signal_before_the_first_fight_is_over_gives_its_status(
    crisis: Player, sheets: Sheets, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    number = getattr(signal, name)
    monkeypatch.setattr(simulating, "run", stopped_by(number, 0))
    error = crisis.refused(128 + number, f"{LINE} -n 12 --json").error
    assert error["code"] == "interrupted"


def test_a_signal_breaks_off_a_fight_by_doctrines_between_two_actions(
    crisis: Player, sheets: Sheets, monkeypatch: pytest.MonkeyPatch
) -> None:
    decided: list[int] = []
    decide = DoctrineCourse._decision

    def deciding(course: DoctrineCourse, who: str) -> Any:
        decided.append(len(course.past))
        signal.raise_signal(signal.SIGTERM)
        return decide(course, who)

    monkeypatch.setattr(DoctrineCourse, "_decision", deciding)
    error = crisis.refused(143, f"{LINE} -n 12 --doctrine own --jobs 1 --json").error
    assert error["code"] == "interrupted" and len(decided) == 1


@pytest.mark.slow
def test_what_a_signal_stopped_is_said_last(
    crisis: Player, sheets: Sheets, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulating, "run", stopped_by(signal.SIGINT, 8))
    for options in ("", "--quiet"):
        shown = crisis(f"{LINE} -n 12 {options}", terminal=True)
        assert shown.status == 130 and shown.out
        assert shown.err == "warning: stopped after 8 of 12 fights\n"
    assert crisis(f"{LINE} -n 12").out.startswith("8 fights of 12, stopped  doctrine plain")
    shown = crisis(f"{LINE} -n 12 --json")
    assert (shown.record["n"], shown.record["wanted"]) == (8, 12)
    assert json.loads(shown.err)["warning"] == {
        "code": "stopped",
        "message": "stopped after 8 of 12 fights",
    }


@pytest.fixture
def no_exact_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every duel has too many states for an exact answer."""

    def too_wide(course: object, tick: object) -> DuelEndings:
        raise TooWide("the fight has too many states")

    monkeypatch.setattr(dueling, "solve", too_wide)


@pytest.mark.slow
@pytest.mark.usefixtures("no_exact_answer")
def test_a_duel_that_is_simulated_and_stopped_says_so(
    crisis: Player, sheets: Sheets, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulating, "run", stopped_by(signal.SIGTERM, 8))
    shown = crisis("odds duel bruno marshal -n 20 --seed 4")
    assert shown.status == 143 and "; 8 of 20 fights; seed 4" in shown.out
    assert shown.err == "warning: stopped after 8 of 20 fights\n"


@pytest.mark.parametrize("doctrine", ["", " --doctrine reckless"])
def test_who_stops_an_exact_duel_is_told_to_simulate_it(
    crisis: Player, sheets: Sheets, monkeypatch: pytest.MonkeyPatch, doctrine: str
) -> None:
    monkeypatch.setattr(dueling, "solve", lambda course, tick: signal.raise_signal(signal.SIGINT))
    error = crisis.refused(130, f"odds duel bruno marshal{doctrine} --json").error
    assert error["hint"] == f"simulate it: crisis simulate bruno --vs marshal --apart 0{doctrine}"


@pytest.mark.parametrize(
    ("after", "fights", "rows", "last"),
    [
        (0, 8, {"0": 8}, "stopped after 8 of 12 fights with jack.skills.melee=0; not fought: "),
        (1, 8, {"0": 12, "1": 8}, "stopped after 8 of 12 fights with jack.skills.melee=1; not fought: "),
        (1, 12, {"0": 12, "1": 12}, "stopped; not fought: "),
        (1, 0, {"0": 12}, "stopped; not fought: "),
    ],
)
def test_a_sweep_that_is_stopped_says_what_is_missing(
    crisis: Player,
    sheets: Sheets,
    monkeypatch: pytest.MonkeyPatch,
    after: int,
    fights: int,
    rows: dict[str, int],
    last: str,
) -> None:
    monkeypatch.setattr(simulating, "run", stopped_by(signal.SIGINT, fights, after))
    shown = crisis(f"{LINE} -n 12 --rounds 2 --sweep jack.skills.melee=0..3")
    head, about, titles, *lines = shown.lines
    assert shown.status == 130 and head == "stopped before there were 12 fights each"
    assert "fights each" not in about and titles.split()[-1] == "fights"
    assert {line.split()[0]: int(line.split()[-1]) for line in lines[: len(rows)]} == rows
    missing = [str(value) for value in range(4) if str(value) not in rows]
    assert [line.split(maxsplit=1) for line in lines[len(rows) :]] == [
        [value, "not fought"] for value in missing
    ]
    names = ", ".join(f"jack.skills.melee={value}" for value in missing)
    assert shown.err == f"warning: {last}{names}\n"


def test_of_many_values_that_are_missing_a_few_are_named(
    crisis: Player, sheets: Sheets, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulating, "run", stopped_by(signal.SIGINT, 1))
    shown = crisis(f"{LINE} -n 1 --sweep drone.armour.dr=0..20")
    assert shown.err.endswith("drone.armour.dr=8 and 12 more\n")


@pytest.mark.slow
def test_a_duel_has_an_exact_answer_or_is_simulated(crisis: Player, sheets: Sheets) -> None:
    exact = crisis("odds duel bruno marshal --json").record
    assert exact["states"] > 1_000 and sum(one["p"] for one in exact["wins"].values()) == pytest.approx(1)
    drawn = crisis("simulate bruno --vs marshal --apart 0 -n 3000 --seed 5 --json").record["wins"]["players"]
    p = exact["wins"]["players"]["p"]
    assert abs(drawn["p"] - p) < 3 * (p * (1 - p) / 3000) ** 0.5
    assert crisis("odds duel bruno marshal:2 --json").error["code"] == "bad_value"


@pytest.mark.slow
@pytest.mark.usefixtures("no_exact_answer")
def test_a_duel_without_an_exact_answer_is_simulated_and_says_why(crisis: Player, sheets: Sheets) -> None:
    why, doctrine, *sides = crisis.ok("odds duel bruno marshal -n 20 --seed 4").out.splitlines()
    assert why == "No exact answer: the fight has too many states. Simulating 20 fights:"
    assert doctrine.startswith("doctrine plain") and doctrine.endswith("; 20 fights; seed 4")
    assert [line[:11] for line in sides] == ["  Bruno    ", "  Marshal  "]
    found = crisis("odds duel bruno marshal -n 20 --seed 4 --json").record
    assert (found["why"], found["n"]) == ("the fight has too many states", 20)
    assert list(found["wins"]) == ["players", "opponents", "draw"]
    assert crisis.ok("odds duel bruno marshal -n 20 --seed 4 --quiet").lines[-1].startswith("draw ")


class Terminal(io.StringIO):
    """A terminal that keeps what was written to it."""

    def isatty(self) -> bool:
        return True


def test_work_that_takes_over_a_second_is_told_on_one_line() -> None:
    err, clock = Terminal(), iter([100.0, 100.5, 102.0, 102.05, 104.0])
    progress = Progress(err, 40, fights_line(1_000), lambda: next(clock))
    for done in (50, 100, 110, 400):
        progress.show(done)
    progress.clear()
    lines = err.getvalue().split("\r")
    assert lines[1].startswith("[##......................] 100 of 1,000")
    assert lines[2].startswith("[##########..............] 400 of 1,000")
    assert all(len(line.removesuffix("\x1b[K")) < 40 for line in lines) and lines[3:] == ["\x1b[K"]
    assert fights_line(1_000)(400, 4.0).endswith("400 of 1,000  100 fights/s  6 s left")


def test_off_a_terminal_a_line_comes_every_ten_seconds_but_not_into_json() -> None:
    for is_silent in (False, True):
        err, clock = io.StringIO(), iter([100.0, 102.0, 110.5, 112.0, 121.0])
        progress = Progress(err, 40, fights_line(1_000), clock.__next__, is_silent)
        for done in (10, 105, 120, 210):
            progress.show(done)
        progress.clear()
        ends = [line.partition("] ")[2] for line in err.getvalue().splitlines()]
        told = ["105 of 1,000  10 fights/s  90 s left", "210 of 1,000  10 fights/s  79 s left"]
        assert ends == ([] if is_silent else told)


@pytest.mark.slow
def test_the_states_of_a_duel_are_told_while_they_are_found() -> None:
    told: list[StatesFound] = []
    duel = solve(DuelCourse(opening("d100", *DUELS["d100"])), tick=told.append)
    assert [found - waiting for found, waiting in told] == [*range(0, duel.states - 1, TICKS)]
    line = states_line(1_000_000)(StatesFound(437_223, 216_223), 23.4)
    assert line == "working out all states: 437,223 of at most 1,000,000, 216,223 waiting; 23 s"


@pytest.mark.parametrize(
    ("words", "aside"),
    [
        (
            "hagen --vs revenant",
            "plain spends no bonus dice and keeps no distance; with --doctrine own fighters may",
        ),
        ("cass --vs robot --apart 0", "plain spends no Luck; with --doctrine own fighters may"),
        ("jack --vs drone --apart 0", ""),
        ("jack --vs drone --apart 0 --doctrine reckless", ""),
        ("--encounter bridge", "plain seeks no cover; with --doctrine own fighters may"),
    ],
)
def test_what_the_plain_policy_leaves_aside_is_said_once(
    crisis: Player, sheets: Sheets, words: str, aside: str
) -> None:
    line = f"simulate {words} -n 1 --rounds 1 --seed 1 --jobs 1"
    assert [one for one in crisis.ok(line).lines if one.startswith("plain ")] == [aside] * bool(aside)
    assert "plain" not in crisis.ok(f"{line} --quiet").out


@pytest.mark.usefixtures("no_exact_answer")
def test_what_the_plain_policy_leaves_aside_in_a_duel_is_said_too(crisis: Player, sheets: Sheets) -> None:
    aside = "plain spends no Luck; with crisis simulate --doctrine own fighters may"
    for words, said in (("cass robot", [aside]), ("jack drone", []), ("jack drone --doctrine reckless", [])):
        lines = crisis.ok(f"odds duel {words} -n 1 --seed 1").lines
        assert [line for line in lines if line.startswith("plain ")] == said


def test_a_cluster_needs_a_package_of_its_own(crisis: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    error = crisis.refused(4, f"{LINE} --cluster 127.0.0.1:8786 --json").error
    assert error["code"] == "not_installed" and error["hint"] == "pip install 'crisis-cli[cluster]'"
