"""What scripts may rely on: decided fights, errors with a version, suggestions for misspelled words."""

from __future__ import annotations

import ast
import json
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from conftest import Player, Program, Sheets

import crisis_cli
from crisis_cli import errors
from crisis_cli.engine import events
from crisis_cli.engine.scene import GEAR_OPTIONS
from crisis_cli.engine.system import NOT_POSSIBLE
from crisis_cli.errors import CrisisError, Refused, Usage
from crisis_cli.protocol import json_lines


def test_status_says_whether_a_crisis_is_decided_and_who_won(fight: Player) -> None:
    before = fight.ok("status --json").record
    assert (before["decided"], before["winner"]) == (False, None)
    assert before["standing"] == {"players": ["Jack"], "opponents": ["Drone"]}

    fight.ok("set drone health 0")

    after = fight.ok("status --json").record
    assert (after["decided"], after["winner"]) == (True, "players")
    assert after["standing"] == {"players": ["Jack"], "opponents": []}


def test_auto_on_a_decided_crisis_says_so(fight: Player) -> None:
    fight.ok("set drone health 0")
    shown = fight("auto --json")
    assert (shown.status, shown.error["code"]) == (3, "decided")
    assert "the crisis is decided" in fight.refused(3, "auto").err


def test_auto_in_the_players_turn_prints_the_status(fight: Player) -> None:
    assert fight.ok("auto --until-mine --json").record["actor"] == "Jack"


def test_the_end_of_a_crisis_says_who_won(fight: Player) -> None:
    fight.ok("set drone health 0")
    record = fight.ok("end --json --no-save").record
    assert (record["decided"], record["winner"]) == (True, "players")


def test_errors_carry_the_version_of_the_format(crisis: Player) -> None:
    assert '{"v": 1, "error": {' in crisis("roll 3x6 --json").err


@pytest.mark.parametrize(
    ("line", "near"),
    [
        ("character lst", "did you mean list?"),
        ("odds atack jack drone", "did you mean attack?"),
        ("atack jack drone", "did you mean attack?"),
        ("note --jsn hi", "did you mean --json?"),
    ],
)
def test_a_misspelled_word_gets_a_suggestion(crisis: Player, sheets: Sheets, line: str, near: str) -> None:
    shown = crisis(line)
    assert shown.status == 2 and near in shown.err


def test_a_note_may_begin_with_dashes(fight: Player) -> None:
    fight.ok("note -- --jsn is no option")
    assert fight.ok("log --json").records[-1]["text"] == "--jsn is no option"


def test_the_version_has_a_short_option(crisis: Player) -> None:
    assert crisis.ok("-V").out == crisis.ok("--version").out


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        ("odds 3d6 --ge 10 --quiet", "0.625000"),
        ("odds 1d100 --eq 7 --quiet", "0.0100000"),
        ("odds 3d6 --ge 3 --quiet", "1.00000"),
        ("odds 3d6 --ge 19 --quiet", "0.00000"),
        ("odds 8d6 --eq 8 --quiet", "0.000000595374"),
        ("odds 3d6-20 --quiet", "-9.5"),
        ("odds 5d6! --quiet", "21"),
        ("odds 20d6+499950 --quiet", "500020"),
        ("odds attack jack drone --quiet", "0.259259"),
        ("roll 3d6-20 --dice 1,1,1 --quiet", "-17"),
        ("attack jack drone --dice 6,6,6 --quiet", "hit"),
    ],
)
def test_quiet_prints_what_awk_and_bc_read(crisis: Player, sheets: Sheets, line: str, printed: str) -> None:
    assert crisis.ok(line).out == printed + "\n"


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        (
            "odds attack jack drone --sweep drone.armour.dr=0..2 --quiet",
            ["0 0.259259", "1 0.259259", "2 0.259259"],
        ),
        (
            "odds attack jack drone --sweep drone.armour.dr=0..1 --sweep jack.skills.melee=1..2 --quiet",
            ["0 1 0.162037", "0 2 0.259259", "1 1 0.162037", "1 2 0.259259"],
        ),
        ("oracle 'is it?' --dice 30,1,12 --quiet", ["yes but"]),
        ("oracle 'is it?' --dice 80,6,12 --quiet", ["no and"]),
        ("oracle 'is it?' --dice 80,3,12 --quiet", ["no"]),
    ],
)
def test_quiet_prints_lines_of_bare_values(
    crisis: Player, sheets: Sheets, line: str, printed: list[str]
) -> None:
    assert crisis.ok(line).lines == printed


def test_quiet_lists_of_actions_can_be_typed(fight: Player) -> None:
    listed = fight.ok("act jack --list --quiet").lines
    assert "attack drone" in listed and fight.ok(f"{listed[0]} --dry-run").status == 0
    worth, chance, *words = fight.ok("odds --quiet").lines[0].split()
    assert float(worth) > 0 and float(chance) > 0 and " ".join(words) in listed


def test_quiet_chances_of_the_oracle_add_up(crisis: Player) -> None:
    for line in crisis.ok("oracle --odds-table --quiet").lines:
        _, yes, *answers = line.split()
        assert sum(map(float, answers)) == pytest.approx(1, abs=1e-5)
        assert sum(map(float, answers[:3])) == pytest.approx(float(yes), abs=1e-5)


QUIET = (
    "odds attack jack drone --quiet",
    "odds check jack melee --difficulty 12 --quiet",
    "odds heal jack --quiet",
    "odds --quiet",
    "odds attack drone --sweep drone.armour.dr=0..4 --quiet",
    "act jack --list --quiet",
    "oracle 'is it?' --quiet",
    "oracle target jack --quiet",
    "oracle --odds-table --quiet",
    "status --quiet",
    "next --quiet",
    "attack jack --quiet",
    "auto --quiet",
    "play --auto --quiet",
)


def test_quiet_is_ascii(fight: Player) -> None:
    shown = [fight(line) for line in QUIET]
    assert [line for line, one in zip(QUIET, shown, strict=True) if not one.out.isascii()] == []
    assert sum(one.status == 0 for one in shown) >= len(QUIET) - 2


def test_play_on_a_decided_crisis_says_so(fight: Player) -> None:
    fight.ok("set drone health 0")
    shown = fight("play --auto --json")
    assert (shown.status, shown.error["code"], shown.out) == (3, "decided", "")
    assert fight.ok("status --json").record["decided"]


def test_no_expressions_and_no_entries_are_an_object(program: Program, fight: Player) -> None:
    shown = program("roll", "--json", input="# nothing\n\n")
    assert json.loads(shown.stdout) == {"v": 1, "action": "roll", "expressions": 0}
    assert fight.ok("log --since 99 --json").record == {"v": 1, "action": "log", "entries": 0, "last": 1}


@pytest.mark.parametrize(
    "line",
    [
        *("status", "odds 3d6", "roll 3d6 --seed 1", "act jack --list", "character list"),
        "odds attack drone",
    ],
)
def test_color_is_an_option_after_every_verb(fight: Player, line: str) -> None:
    assert "\x1b[" in fight.ok(f"{line} --color").out or line.startswith("roll")
    assert "\x1b[" not in fight.ok(f"--color {line} --no-color").out
    assert fight.ok(f"{line} --no-color").out == fight.ok(line).out


@pytest.mark.parametrize(
    "words",
    [
        ("roll", "3d6"),
        ("roll", "3d6", "--explain"),
        ("odds", "3d6"),
        ("character", "list"),
        ("init", "jack", "--vs", "drone"),
    ],
)
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_a_full_output_is_an_object(program: Program, sheets: Sheets, words: tuple[str, ...]) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        shown = program(*words, "--json", stdout=full)
    error = json.loads(shown.stderr)["error"]
    assert (shown.returncode, error["code"]) == (4, "cannot_write")
    assert "No space left" in error["message"]


@pytest.mark.parametrize(
    "line",
    [
        "init jack --vs drone --characters LONG",
        "--characters LONG character list",
        "status --file LONG",
        "log --recap --to LONG",
        "attack LONG jack",
        "character new LONG --system 3d6",
        "tables new LONG",
        "run LONG",
    ],
)
def test_a_name_that_is_too_long_is_an_object(fight: Player, line: str) -> None:
    shown = fight(line.replace("LONG", "x" * 300) + " --json")
    assert shown.status == 4 and shown.error["message"] and shown.out == "", shown.err


def test_quiet_play_prints_the_winner_and_the_rounds(crisis: Player, sheets: Sheets) -> None:
    side, rounds = crisis.ok("play jack --vs drone --auto --seed 1 --quiet --no-journal").out.split()
    assert side in ("players", "opponents") and int(rounds) > 0


def test_quiet_status_is_one_line_for_a_prompt(fight: Player) -> None:
    turn, name, *pools = fight.ok("status --quiet").out.split()
    assert (turn, name, pools[0].partition("=")[0]) == ("1", "Jack", "endurance")
    assert "ap=4" in pools


def test_a_stream_reports_bad_lines_and_goes_on(program: Program) -> None:
    lines = b"\xef\xbb\xbf3d6\n4dd6\n\xef\xbb\xbf2d6\n1d6 # caf\xe9\n1d6\n"
    shown = program("roll", "--seed", "1", "--quiet", input=lines, encoding=None)
    assert shown.returncode == 2 and len(shown.stdout.split()) == 3
    errors = [line for line in shown.stderr.decode().splitlines() if "line" in line]
    assert [line.partition(": ")[2].partition(":")[0] for line in errors] == ["line 2", "line 4"]
    assert all(line.startswith("error: ") for line in errors)


def test_a_stream_without_stdin_is_an_error(program: Program) -> None:
    shown = program("roll", "--json", preexec_fn=lambda: os.close(0), stdin=None)
    assert shown.returncode == 2 and '"missing_argument"' in shown.stderr


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("attack jack drone --bogus", "unknown_option", "attack has no option --bogus"),
        ("attack jack drone --jsn", "unknown_option", "(did you mean --json?)"),
        ("attack jack drone --quite", "unknown_option", "(did you mean --quiet?)"),
        ("attack jack drone --seed", "missing_value", "--seed needs a value"),
        ("simulate jack --vs", "missing_value", "--vs needs a value"),
        (
            "simulate jack --vs drone --retreat-at much",
            "bad_value",
            "--retreat-at takes a number from 0 to 1, not 'much'",
        ),
        (
            "simulate jack --vs drone --until-width 0",
            "bad_value",
            "--until-width takes a number above 0, up to 1, not 0",
        ),
        (
            "simulate jack --vs drone -n 0",
            "bad_value",
            "--fights takes a whole number from 1 to 1,000,000,000, not 0",
        ),
        ("simulate jack --vs drone -n 10000000000", "bad_value", "from 1 to 1,000,000,000, not 10000000000"),
        ("attack jack drone --behind=yes", "bad_value", "--behind takes no value"),
        ("attack jack drone --seed x", "bad_value", "--seed: 'x' is not a whole number"),
        ("odds --top 0", "bad_value", "--top takes a whole number from 1 to 1,000, not 0"),
        ("auto --reasons most", "bad_value", "--reasons is one of all, brief, none, not 'most'"),
        ("status now", "extra_argument", "status takes no further argument: now"),
        ("roll 3d6 --tims", "unknown_option", "roll has no option --tims (did you mean --times?)"),
        ("odds 3d6 2d6 --cvs", "unknown_option", "(did you mean --csv?)"),
        ("attack", "missing_argument", "missing argument: WHO"),
        ("explain 1 2", "extra_argument", "explain takes no further argument: 2"),
        ("frob", "unknown_command", "no command is called 'frob'"),
        ("attack jack drone --dice 1,1 ", "wrong_dice", "too few"),
    ],
)
def test_wrong_words_have_codes_and_words_of_our_own(
    crisis: Player, sheets: Sheets, line: str, code: str, said: str
) -> None:
    verb, _, words = line.partition(" ")
    shown = crisis(f"{verb} --json {words}")
    assert shown.status == 2
    error = json.loads(shown.err)["error"]
    assert error["code"] == code and said in error["message"], error


def test_an_option_behind_two_dashes_is_not_suggested_for_itself(crisis: Player) -> None:
    assert "did you mean" not in crisis.refused(2, "roll -- --json").err


def test_what_cannot_be_paid_says_from_what_and_how_much(fight: Player) -> None:
    fight.ok("set jack ap 1")
    shown = fight("attack drone --json")
    assert (shown.status, shown.error["code"]) == (3, "cannot_pay")
    assert [shown.error[key] for key in ("pool", "has", "needs")] == ["ap", 1, 2]


def test_warnings_with_json_are_objects(fight: Player) -> None:
    path = fight.here / "crisis.jsonl"
    path.write_text(path.read_text("utf-8") + '{"half', "utf-8")
    warning = json.loads(fight("status --json").err)
    assert (warning["v"], warning["warning"]["code"]) == (1, "torn_journal")
    assert fight("status").err.startswith("warning: the last line")


def test_every_refusal_outside_the_systems_has_a_code() -> None:
    """A refusal without a code of its own would say `refused`."""
    bare = [
        site
        for site, name, code in raise_sites()
        if not site.startswith("systems/") and name in ("refuse", "Refused") and code is None
    ]
    assert bare == []


PACKAGE = Path(crisis_cli.__file__).parent
CLASSES: dict[str, type[CrisisError]] = {
    name: one
    for module in (errors, json_lines, events)
    for name, one in vars(module).items()
    if isinstance(one, type) and issubclass(one, CrisisError)
}
REFUSING = ("refuse", "lacks", "has")
"""Functions of rulebooks that refuse with a code."""
WARNING = ("warn", "warning_line", "partial")
HANDED_ON = ("__init__", "as_usage")


@cache
def calls() -> tuple[tuple[str, str, ast.Call], ...]:
    """Every call in the program that makes an error, refuses or warns: where, what is called, and the call."""
    return tuple(
        (f"{path.relative_to(PACKAGE)}:{call.lineno}", name, call)
        for path in sorted(PACKAGE.rglob("*.py"))
        for call in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(call, ast.Call)
        for name in [getattr(call.func, "id", "") or getattr(call.func, "attr", "")]
        if name in CLASSES or name in ("fault", "warn") or any(word.arg == "code" for word in call.keywords)
    )


def raise_sites() -> Iterator[tuple[str, str, ast.expr | None]]:
    """Every call in the program that makes an error or refuses: where, what is called, and its code."""
    for site, name, call in calls():
        code = next((word.value for word in call.keywords if word.arg == "code"), None)
        if name == "fault" and len(call.args) > 1:
            name, code = "NotationError", call.args[1]
        if name in CLASSES or code is not None:
            yield site, name, code


KINDS = ("sheet", "script", "doctrine", "table", "encounter", "campaign")
"""What `wrong_KIND` is said of; `unknown_KIND` is said of what fighters carry."""


def codes_of(name: str, code: ast.expr | None) -> set[str]:
    """The codes that a call may give; none where it hands on one from elsewhere."""
    if code is None:
        return {CLASSES[name].code}
    if isinstance(code, ast.Constant):
        return {code.value} if code.value else set()
    if isinstance(code, ast.IfExp):
        return codes_of(name, code.body) | codes_of(name, code.orelse)
    if isinstance(code, ast.JoinedStr):
        text = ast.unparse(code)
        return (
            {f"wrong_{one}" for one in KINDS}
            if "wrong_" in text
            else {f"unknown_{one}" for one in (*GEAR_OPTIONS, "thing")}
        )
    return set()


def documented_codes() -> list[tuple[str, int]]:
    """The codes of crisis-json(5), each with the exit status it stands under."""
    text = (PACKAGE / "manual/text/json.md").read_text("utf-8")
    status, found = 0, []
    for line in text[text.index("## Codes") : text.index("# An example")].splitlines():
        heading = re.search(r"\(exit status (\d+)", line)
        status = int(heading[1]) if heading else status
        if line.startswith("- "):
            found += [(code, status) for code in re.findall(r"`([a-z_]+)`", line.partition(" :: ")[0])]
    return found


def test_every_code_is_documented_under_its_one_exit_status() -> None:
    documented = documented_codes()
    assert len(dict(documented)) == len(documented), "a code stands under two statuses, or twice"
    used: dict[str, set[int]] = {}
    for site, name, code in raise_sites():
        if name in WARNING or name in HANDED_ON:
            continue
        assert name in CLASSES or name in REFUSING, (site, name)
        usual = CLASSES[name].status if name in CLASSES else Refused.status
        for one in codes_of(name, code):
            used.setdefault(one, set()).add(Usage.status if one in errors.WORDS else usual)
    table = dict(documented)
    assert {code: statuses for code, statuses in used.items() if statuses != {table.get(code)}} == {}
    assert {*table} - {*used} - {NOT_POSSIBLE} == set(), "documented, and never given"


def test_warnings_have_documented_codes() -> None:
    text = (PACKAGE / "manual/text/json.md").read_text("utf-8")
    said = next(line for line in text.splitlines() if "Its codes are" in line)
    given = {
        call.args[1].value
        for _, _, call in calls()
        if getattr(call.func, "attr", "") == "warn"
        and len(call.args) > 1
        and isinstance(call.args[1], ast.Constant)
    }
    assert given and {code for code in given if f"`{code}`" not in said} == set()


@pytest.mark.parametrize(
    ("setting", "line", "code"),
    [
        ("set drone health 0", "attack drone", "already_dead"),
        ("set jack ap 0", "attack drone", "cannot_pay"),
        ("next", "attack drone --by jack", "not_their_turn"),
        ("status", "attack drone --cover total", "total_cover"),
        ("status", "act draw baton", "in_hand_already"),
        ("status", "act reload", "cannot_reload"),
    ],
)
def test_refusals_of_the_rules_have_codes(fight: Player, setting: str, line: str, code: str) -> None:
    fight.ok(setting)
    shown = fight(f"{line} --json")
    assert (shown.status, shown.error["code"]) == (3, code), shown.err


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("check jack flying --difficulty 3", "unknown_name"),
        ("set jack strenght 3", "unknown_pool"),
        ("set jack condition:tired on", "unknown_condition"),
        ("attack", "missing_argument"),
        ("heal jack --item spoon", "unknown_item"),
        ("set jack endurance x", "bad_value"),
    ],
)
def test_wrong_words_are_usage_even_where_a_rule_finds_them(fight: Player, line: str, code: str) -> None:
    fight.ok("set drone endurance 1")
    shown = fight(f"{line} --json") if line != "attack" else fight("check --json")
    assert (shown.status, shown.error["code"]) == (2, code), shown.err


def test_a_word_that_several_fighters_begin_with_is_usage(crisis: Player, sheets: Sheets) -> None:
    crisis.ok("init jack --vs drone:2 --open")
    shown = crisis("attack drone --json")
    assert (shown.status, shown.error["code"]) == (2, "ambiguous")
    shown = crisis("attack bob --json")
    assert (shown.status, shown.error["code"]) == (4, "not_found")


def test_an_interrupt_with_json_is_one_object(fight: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*words: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("crisis_cli.render.data.status", stopped)
    shown = fight("status --json")
    assert (shown.status, json.loads(shown.err)["error"]["code"]) == (130, "interrupted")
    assert shown.err.startswith("{")


def test_explained_dice_have_the_minus_sign_of_other_text(crisis: Player) -> None:
    lines = crisis.ok("roll 2dF --dice 1,3 --explain").lines
    assert lines[1:] == ["  2dF: 0", "    die 1: shows −1", "    die 2: shows 1"]


def test_color_is_an_option_of_a_sweep(crisis: Player) -> None:
    line = "odds attack jack drone --sweep drone.armour.dr=0..1"
    assert "\x1b[" in crisis.ok(f"{line} --color").out
    assert "\x1b[" not in crisis.ok(f"--color {line} --no-color").out
