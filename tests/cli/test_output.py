"""What every verb's output has in common: colour, signs, JSON, errors, pipes, names made harmless."""

from __future__ import annotations

import json
import re
import subprocess
from typing import Any

import pytest
from conftest import PROGRAM, Player, Program, Sheets, program_env

from crisis_cli.context import context_of
from crisis_cli.render.style import Ink
from crisis_cli.render.text import entry_lines

STYLE = re.compile(r"\x1b\[[0-9;]*m")
TELLING = [
    "status",
    "log",
    "attack drone",
    "odds attack drone",
    "character show jack",
    "character list",
    "next",
    "",
]


@pytest.mark.parametrize(
    ("terminal", "env", "coloured"),
    [
        (True, {}, True),
        (False, {}, False),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"NO_COLOR": ""}, True),
        (True, {"TERM": "dumb"}, False),
        (False, {"FORCE_COLOR": "1"}, True),
        (False, {"FORCE_COLOR": "0"}, False),
        (True, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_colour_is_for_terminals_that_want_it(
    fight: Player, terminal: bool, env: dict[str, str], coloured: bool
) -> None:
    for words in ("status", "attack drone --dry-run"):
        assert ("\x1b[" in fight.ok(words, terminal=terminal, env=env).out) is coloured


def test_an_option_has_the_last_word_on_colour(fight: Player) -> None:
    assert "\x1b[" in fight.ok("--color status", env={"NO_COLOR": "1"}).out
    assert "\x1b[" not in fight.ok("--no-color status", terminal=True).out


@pytest.mark.parametrize("words", TELLING)
def test_nothing_is_said_by_colour_alone(fight: Player, words: str) -> None:
    fight.ok("set drone health 3")
    words = words.replace("attack drone", "attack drone --dry-run") if not words.startswith("odds") else words
    words = words if words != "next" else "next --dry-run"
    plain = fight.ok(words, terminal=True, env={"NO_COLOR": "1"}).out
    coloured = fight.ok(words, terminal=True).out
    assert STYLE.sub("", coloured) == plain


@pytest.mark.parametrize("words", TELLING)
def test_where_there_is_only_ascii_the_output_is_ascii(fight: Player, words: str) -> None:
    shown = fight.ok(words, encoding="ascii")
    assert shown.out.isascii() and shown.out.strip()
    assert "\\u" not in shown.out, "every sign of ours has a plain one that stands for it"


def test_a_name_beyond_ascii_survives_an_ascii_terminal(crisis: Player, sheets: Sheets) -> None:
    sheets.write("zoe", sheets.text("jack").replace('"Jack"', '"Zoë 龍"'))
    assert crisis.ok("attack zoe drone --dice 1,1,1", encoding="ascii").out.isascii()
    assert "Zoë 龍" in crisis.ok("attack zoe drone --dice 1,1,1").out
    crisis.refused(4, "attack zoë龍 drone", encoding="ascii")


def test_a_dumb_terminal_gets_all_that_its_encoding_carries(fight: Player) -> None:
    """Terminals without cursor keys, such as the shell in Emacs, have letters like any other."""
    assert "Round 1 · Jack's turn" in fight.ok("status", terminal=True, env={"TERM": "dumb"}).out
    assert fight.ok("status", terminal=True, env={"TERM": "dumb"}, encoding="ascii").out.isascii()


JSON_LINES = [
    "attack drone",
    "check melee --difficulty 9",
    "act drop-prone",
    "heal",
    "next",
    "status",
    "log",
    "undo",
    "set jack health 3",
    "join ada",
    "leave drone",
    "odds attack drone",
    "replay",
    "verify",
    "init jack",
    "character list",
    "character show jack",
    "character check jack",
    "character reset jack",
    "character copy jack Jim",
    "character new Tim --system 3d6",
    "end",
]


@pytest.mark.parametrize("words", JSON_LINES)
def test_json_is_objects_one_a_line_and_nothing_else(fight: Player, words: str) -> None:
    fight.ok("act move")
    shown = fight.ok(words + " --json", terminal=True)
    assert shown.records and all(isinstance(record, dict) and record["v"] == 1 for record in shown.records)
    assert "\x1b" not in shown.out


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("attack jack nobody", 4),
        ("attack jack drone --cover total", 3),
        ("attack jack drone --nope", 2),
        ("undo", 3),
        ("nope", 2),
    ],
)
def test_errors_are_two_lines_or_one_object_on_stderr(
    crisis: Player, sheets: Sheets, words: str, status: int
) -> None:
    plain = crisis.refused(status, words)
    first, *rest = plain.err.splitlines()
    assert first.startswith("error: ") and len(rest) <= 1 and all(line.startswith("hint: ") for line in rest)
    assert rest, "one line what, one line how to go on"
    error = crisis.refused(status, words + " --json").error
    assert {"code", "message", "hint"} <= set(error) and error["message"] in first


def test_json_as_the_value_of_an_option_asks_for_no_json(crisis: Player, sheets: Sheets) -> None:
    assert not crisis.refused(4, "attack jack nobody --why=--json").err.startswith("{")


EVIL = "\x1b[31mred\x1b]0;title\x07\u202eevil\r\x9b2J\U000e0001"


def harmless(text: str) -> bool:
    """Whether nothing in a text but line ends would be obeyed by a terminal."""
    return all(sign.isprintable() or sign == "\n" for sign in text)


@pytest.mark.parametrize("color", ["", "1"])
def test_nothing_typed_reaches_the_terminal_raw(fight: Player, color: str) -> None:
    env = {"FORCE_COLOR": color}
    fight("set", "jack", "health", "9", "--why", EVIL)
    lines: list[tuple[str, ...]] = [
        ("log",),
        ("log", "--explain"),
        ("log", "--json"),
        ("replay",),
        ("undo",),
        ("attack", EVIL),
        ("attack", "drone", "--weapon", EVIL),
        ("act", EVIL),
        ("check", EVIL, "--difficulty", "3"),
        ("set", "jack", EVIL, "1"),
        ("set", "jack", "held", EVIL),
        ("--file", EVIL, "status"),
        ("--characters", EVIL, "character", "list"),
        ("replay", EVIL),
        (EVIL,),
        ("attack", "--" + EVIL),
        ("attack", "drone", "--cover", EVIL),
        ("attack", "drone", "--range", EVIL),
        ("attack", "drone", "--dice", EVIL),
        ("init", "jack", "--open", "--file", "x.jsonl", "--place", EVIL),
        ("character", "show", EVIL),
        ("character", "show", f"./{EVIL}.toml"),
        ("character", "new", EVIL, "--system", "3d6"),
        ("character", "new", "x", "--system", EVIL),
        ("character", "new", "x", "--system", "3d6", "--set", EVIL),
        ("character", "new", "x", "--system", "3d6", "--set", f"{EVIL}=1"),
        ("odds", EVIL),
        ("join", EVIL),
        ("leave", EVIL),
        ("set", "jack", f"condition:{EVIL}", "on"),
        ("set", "jack", f"cover:{EVIL}", "light"),
    ]
    for words in lines:
        shown = fight(*words, env=env)
        ours = {f"\x1b[{style}m" for style in ("0", "1", "2", "31", "32", "33", "36")} if color else set()
        for text in (shown.out, shown.err):
            assert "\x1b[31mred" not in text, (words, text)
            for style in ours:
                text = text.replace(style, "")
            assert harmless(text), (words, text)


def test_what_was_typed_is_in_the_json_as_it_was_on_one_line(fight: Player) -> None:
    fight.ok("check", "melee", "--difficulty", "3", "--why", EVIL)
    shown = fight.ok("log 2 --json")
    assert "\r" in EVIL and shown.record["why"] == EVIL.replace("\r", " ")
    assert harmless(shown.out)


def test_names_in_a_journal_of_unknown_origin_are_made_harmless(fight: Player) -> None:
    text = fight.journal.read_text("utf-8")
    fight.journal.write_text(text.replace('"Drone"', json.dumps("Dr\x1b[31mone")), "utf-8")
    for words in ("status", "log", "next", "attack 'dr\x1b[31mone'", "undo", "replay", "verify"):
        shown = fight(words, env={"FORCE_COLOR": "1"})
        assert "Dr\x1b" not in shown.out + shown.err
    prompted = fight("attack jack --by 'dr\x1b[31mone' --force --real-dice", answers=["1 1 1"])
    assert prompted.status in (0, 3, 4) and all(harmless(prompt) for prompt in fight.prompts)


class TestPipes:
    """The real program's streams."""

    def test_a_closed_pipe_ends_quietly(self, program: Program, sheets: Sheets, crisis: Player) -> None:
        for words in (
            ("attack", "jack", "drone"),
            ("character", "list"),
            ("odds", "attack", "jack", "drone"),
        ):
            with subprocess.Popen(
                [*PROGRAM, *words],
                cwd=crisis.here,
                env=program_env(crisis.here),
                text=True,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                stdin=subprocess.DEVNULL,
            ) as running:
                assert running.stdout and running.stderr
                running.stdout.close()
                assert (running.stderr.read(), running.wait(30)) == ("", 0), words

    def test_a_full_disk_behind_stdout_is_an_error_and_no_traceback(
        self, program: Program, sheets: Sheets
    ) -> None:
        with open("/dev/full", "w") as full:
            done = program("attack", "jack", "drone", stdout=full)
        assert done.returncode not in (0, 1) and "Traceback" not in done.stderr

    @pytest.mark.parametrize("closed", ["stdin", "stdout", "stderr"])
    def test_closed_streams_are_no_traceback(
        self, program: Program, sheets: Sheets, crisis: Player, closed: str
    ) -> None:
        sign = {"stdin": "<&-", "stdout": ">&-", "stderr": "2>&-"}[closed]
        line = f'"$@" {sign}'
        done: Any = subprocess.run(
            ["sh", "-c", line, "sh", *PROGRAM, "attack", "jack", "nobody" if closed == "stderr" else "drone"],
            cwd=crisis.here,
            env=program_env(crisis.here),
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
        assert done.returncode in (0, 4) and "Traceback" not in done.stderr

    def test_the_output_encoding_is_honoured(self, program: Program, sheets: Sheets) -> None:
        env = {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONCOERCECLOCALE": "0"}
        for words in (
            ("odds", "attack", "jack", "drone"),
            ("attack", "--help"),
            ("init", "jack", "drone"),
            ("character", "list"),
        ):
            done = program(*words, env=env)
            assert done.returncode == 0 and done.stdout.isascii(), done.stderr

    def test_the_process_ends_with_the_status_and_prints_what_the_function_does(
        self, program: Program, fight: Player
    ) -> None:
        done = program("status")
        assert (done.returncode, done.stdout, done.stderr) == (0, fight.ok("status").out, "")
        done = program("attack", "jack", "drone", "--cover", "total", "--json")
        assert done.returncode == 3 and json.loads(done.stderr)["error"]["rule"] == "3D6-21"

    def test_bytes_that_are_no_text_are_no_traceback(self, program: Program, fight: Player) -> None:
        nonsense = b"\xff\xfe".decode("utf-8", "surrogateescape")
        for words in (
            ("set", "jack", "health", "9", "--why", nonsense),
            ("attack", nonsense),
            ("--file", nonsense, "status"),
            ("character", "new", nonsense, "--system", "3d6"),
            ("character", "new", "x", "--system", "3d6", "--set", f"team={nonsense}"),
        ):
            done = program(*words)
            assert "Traceback" not in done.stderr, words
            assert done.returncode in (0, 2, 3, 4), words
        assert program("verify").returncode == 0


def test_what_a_round_gives_stands_apart_from_names_that_end_in_numbers(crisis: Player) -> None:
    crisis.ok("init jack --vs drone:2 --open --seed 3")
    for who in ("drone1", "drone2"):
        crisis.ok(f"set {who} endurance 0")
        crisis.ok(f"set {who} ap 0")
    shown = "".join(crisis.ok("next").out for _ in range(3))
    assert "AP 4 → 6: Jack; 0 → 2: Drone 1, Drone 2\n" in shown


def test_help_tells_no_bounds_that_nobody_would_meet(crisis: Player) -> None:
    assert "999999999" not in crisis.ok("attack --help").out
    assert crisis(f"attack jack drone --mod {10**9}").status == 2


def test_a_fighter_who_treats_themselves_is_named_beside_the_others(crisis: Player) -> None:
    crisis.ok("init hagen tilda --vs bandit --open --seed 7")
    crisis.ok("set hagen wounds 1")
    crisis.ok("set tilda wounds 1")
    assert "hagen | tilda\n" in crisis.ok("act hagen --list").out


@pytest.mark.parametrize(
    ("who", "foe", "falls", "said"),
    [
        (
            "tilda",
            "bandit",
            ("condition:hunkered on", "condition:blocking on", "boost 0", "wounds 8"),
            "dying",
        ),
        ("hagen", "bandit", ("condition:hunkered on", "condition:stuck on", "condition:dead on"), "dead"),
    ],
)
def test_nobody_rises_who_is_dying(
    crisis: Player, who: str, foe: str, falls: tuple[str, ...], said: str
) -> None:
    """What ends only because somebody falls is not shown as if they were better for it."""
    crisis.ok(f"init {who} --vs {foe} --open --seed 7")
    for what in falls:
        shown = crisis.ok(f"set {who} {what}").out
    assert f"is {said}." in shown
    assert (
        "again" not in shown and "no longer" not in shown and "free" not in shown and "lowered" not in shown
    )


@pytest.mark.parametrize("word", ["attack {} drone", "status --file {}", "character show {}", "roll {}"])
def test_an_endless_word_makes_no_endless_error(crisis: Player, word: str) -> None:
    for how in ("", " --json"):
        shown = crisis(word.format("j" * 100_000) + how)
        assert shown.status in (2, 3, 4) and len(shown.err) < 3_000, shown.err[:200]


@pytest.mark.parametrize("line", ["attack drone --why", "set jack health 9 --why", "end --why", "end --name"])
def test_a_reason_and_a_name_have_a_most_of_characters(fight: Player, line: str) -> None:
    error = fight.refused(2, *line.split(), "j" * 2_001, "--json").error
    assert error["message"].endswith("at most 2,000 characters, not 2,001")
    assert fight(*line.split(), "j" * 2_000).status in (0, 2)


def test_damage_stands_under_its_shot_and_that_of_a_burst_behind_all_shots(crisis: Player) -> None:
    """Each hit of a pistol has its own damage; the hits of a burst are rolled after all shots, and count together."""
    two = crisis.ok("attack vera raider --shots 2 --dice 5,4,7,2").lines
    assert [line.partition("[")[0] for line in two[1:5]] == [
        "  shot 1: ",
        "    damage: ",
        "  shot 2: ",
        "    damage: ",
    ]
    burst = crisis.ok("attack moss raider --shots 3 --dice 5,3,8,4,2").lines
    assert burst[1:5] == [
        "  shot 1: [5] against 4 — a hit.",
        "  shot 2: [3] − 2 = 1 against 4 — a miss.",
        "  shot 3: [8] − 4 = 4 against 4 — a hit.",
        "  damage: [4] · [2]",
    ]


def test_damage_without_a_number_that_older_journals_have_stands_where_it_was_rolled(crisis: Player) -> None:
    crisis.ok("init vera --vs raider --open --seed 3")
    crisis.ok("attack raider --shots 2 --range 2 --dice 5,4,7,2")
    session = context_of(crisis.environment()).desk.open_session()
    entry = session.crisis.done[-1]
    older = entry._replace(
        rolls=tuple(
            roll._replace(about={**roll.about, "shot": ""}) if roll.what == "damage" else roll
            for roll in entry.rolls
        )
    )
    assert entry_lines(older, session.scene, session.system, Ink()) == entry_lines(
        entry, session.scene, session.system, Ink()
    )
