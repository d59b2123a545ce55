"""Fights that fight themselves, stopped in the middle by every signal: they go on as if nobody had."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from conftest import JOURNAL_OF_NOW, PROGRAM, Player, Program, Sheets, program_env

pytestmark = pytest.mark.slow

FIGHT = ["play", "jack", "ada", "--vs", "drone:2", "--auto", "--apart", "0", "--seed", "11"]
LONG = ["play", "jack", "--vs", "drone", "--auto", "--seed", "7"]
"""A fight of some 120 entries, so that a slow machine stops it before its end."""
PATIENCE = 120
"""Seconds after which a program hangs; a busy machine takes some of them."""
SIGNALS = [
    getattr(signal, name) for name in ("SIGKILL", "SIGTERM", "SIGHUP", "SIGINT") if hasattr(signal, name)
]


def until_it_has_grown(journal: Path, running: subprocess.Popen[str], lines: int) -> None:
    """Wait until so many lines are in the journal, or the program has ended."""
    until = time.monotonic() + PATIENCE
    while running.poll() is None and time.monotonic() < until:
        if journal.exists() and journal.read_bytes().count(b"\n") >= lines:
            return
        time.sleep(0.002)


def stopped(crisis: Player, words: list[str], sign: signal.Signals, lines: int) -> tuple[int, str]:
    """What a run comes to that is stopped by a signal when its journal has so many lines: status and stderr."""
    with subprocess.Popen(
        [*PROGRAM, *words],
        cwd=crisis.here,
        env=program_env(crisis.here),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as running:
        until_it_has_grown(crisis.journal, running, lines)
        if running.poll() is None:
            running.send_signal(sign)
        _, err = running.communicate(timeout=PATIENCE)
        return running.returncode, err


def report(journal: Path) -> str:
    """A journal without the times and the seals of its lines, and without the lines about its end."""
    text = re.sub(r'"opened":"[^"]*"|,"seal":"[^"]*"', "", journal.read_text("utf-8"))
    lines = text.splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(('{"ends"', '{"finished"')))


@pytest.mark.skipif(os.name == "nt", reason="no signals here")
def test_a_fight_stopped_again_and_again_is_the_fight_that_was_not(
    crisis: Player, sheets: object, tmp_path: Path
) -> None:
    """Killed, or stopped by a signal and opened again with `undo`: it goes on as if nobody had."""
    crisis.ok(*LONG)
    unbroken = fought(crisis, JOURNAL_OF_NOW)
    (crisis.here / JOURNAL_OF_NOW).unlink()
    words, lines = LONG, 4
    for sign in (*SIGNALS, *SIGNALS):
        before = crisis.files()
        status, err = stopped(crisis, words, sign, lines)
        assert "Traceback" not in err
        if sign == signal.SIGKILL:
            assert status == -sign, err
        else:
            assert status == 128 + sign, err
            assert not crisis.journal.exists(), "no open crisis is left"
            (journal,) = crisis.here.glob("crisis-*.jsonl")
            assert journal.name in err and "undecided" in err
            last = crisis.ok(f"log --json --file {journal.name}").records[-1]
            assert (last["action"], last["why"]) == ("end", f"undecided: stopped by {sign.name}")
            assert crisis.ok(f"verify {journal.name}").status == 0
            changed = {name for name, content in crisis.files().items() if before.get(name) != content}
            assert changed <= {journal.name}, "the sheets are as they were"
            crisis.ok("undo")
        words, lines = ["play", "--auto"], crisis.journal.read_bytes().count(b"\n") + 3
    assert crisis(*words).status == 0
    (journal,) = crisis.here.glob("crisis-*.jsonl")
    assert fought(crisis, journal.name) == unbroken


def fought(crisis: Player, journal: str) -> str:
    """What stands in the log of a fight."""
    return crisis.ok(f"log --json --file {journal}").out


@pytest.mark.skipif(os.name == "nt", reason="no signals here")
@pytest.mark.parametrize(
    "options", ["", "--json", "--save", "--quiet", "--no-journal", "--no-journal --json"]
)
def test_a_signal_between_two_entries_ends_the_fight_undecided(
    crisis: Player, sheets: Sheets, options: str
) -> None:
    """The signal comes as an entry is shown, so that no clock decides: that entry is the last but the end."""
    before = crisis.files()
    from crisis_cli.play import ending
    from crisis_cli.play import turns as fight

    seen: list[str] = []

    def terminating(module: ModuleType, name: str) -> Callable[..., Any]:
        performed = getattr(module, name)

        def terminates(*how: Any) -> Any:
            seen.append(name)
            if len(seen) == 3:
                signal.raise_signal(signal.SIGTERM)
            return performed(*how)

        return terminates

    with pytest.MonkeyPatch.context() as patched:
        for module, name in ((fight, "perform_once"), (ending, "perform_and_record")):
            patched.setattr(module, name, terminating(module, name))
        shown = crisis(*f"play jack --vs drone --auto --seed 7 {options}".split())
    assert shown.status == 143 and len(seen) == 4
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
    left = {name: content for name, content in crisis.files().items() if not name.startswith("crisis-")}
    assert left == before
    if "--no-journal" in options:
        # Not as a key with nothing in it either.
        assert "journal" not in shown.err and crisis.files() == before
        return
    assert crisis.files().keys() - before.keys() == {JOURNAL_OF_NOW}
    log = crisis.ok(f"log --json --file {JOURNAL_OF_NOW}").records
    assert [one["number"] for one in log] == [1, 2, 3, 4, 5] and log[-1]["action"] == "end"
    if options == "--json":
        assert shown.error["journal"] == JOURNAL_OF_NOW


def test_a_question_is_given_up_at_once(crisis: Player, sheets: object) -> None:
    """Anyone who throws real dice for a fight that plays itself does not have to answer before it stops."""
    answers = iter(["6 6 6", "1 1 1", "^C"])
    shown = crisis("play jack --vs drone --auto --real-dice", answers=lambda prompt: next(answers))
    assert shown.status == 130 and JOURNAL_OF_NOW in shown.err
    assert not crisis.journal.exists()


def test_turn_by_turn_it_is_the_same_fight(crisis: Player, sheets: object) -> None:
    """Whether one command plays it all or many play a turn each: the dice hang on the seed and the entry alone."""
    crisis.ok(*FIGHT)
    unbroken = report(crisis.here / JOURNAL_OF_NOW).splitlines()[:-1]
    (crisis.here / JOURNAL_OF_NOW).unlink()
    crisis.ok("init jack ada --vs drone:2 --open --seed 11")
    for _ in range(200):
        if crisis("auto").status == 3:
            break
    assert report(crisis.journal).splitlines() == unbroken


def test_the_same_seed_in_another_folder_prints_the_same(
    crisis: Player, program: Program, tmp_path: Path
) -> None:
    shown = []
    for name in ("here", "there and then"):
        (tmp_path / name).mkdir()
        done = program("--characters", str(tmp_path), "--file", f"{name}/x.jsonl", *FIGHT)
        assert done.returncode == 0, done.stderr
        shown.append((done.stdout, report(next((tmp_path / name).glob("x-*.jsonl")))))
    assert shown[0] == shown[1]


def test_a_turn_that_is_stopped_says_what_stays(crisis: Player, sheets: object) -> None:
    """`auto --until-mine`, with the player's dice asked for in the middle, given up at the second question."""
    crisis.ok("init jack --vs drone --open --seed 7 --dice 1,1,1,6,6,6")
    crisis.ok("set jack health 20")
    before = crisis.ok("log --json").lines
    from crisis_cli.commands import run_action

    show, seen = run_action.show_entry, []

    def interrupted(*how: object) -> None:
        if seen:
            raise KeyboardInterrupt
        seen.append(how)
        show(*how)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(run_action, "show_entry", interrupted)
        stopped_here = crisis("auto")
        assert stopped_here.status == 130
        assert "what has been done stays in crisis.jsonl; to go on: crisis auto" in stopped_here.err
        again = crisis("attack jack --by drone --force")
        assert again.status == 130 and "the action is done and recorded" in again.err
    assert len(crisis.ok("log --json").lines) > len(before)
    assert crisis.ok("verify").status == 0


@pytest.mark.parametrize("sign", [sign for sign in SIGNALS if sign != getattr(signal, "SIGKILL", None)])
def test_exact_odds_that_are_stopped_say_so(crisis: Player, sign: signal.Signals) -> None:
    with subprocess.Popen(
        [*PROGRAM, "odds", "duel", "ada", "jack"],
        cwd=crisis.here,
        env=program_env(crisis.here),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as running:
        assert running.stderr is not None
        first = running.stderr.readline()
        running.send_signal(sign)
        out, err = running.communicate(timeout=PATIENCE)
    assert first.startswith("working out all states: ")
    assert (running.returncode, out) == (128 + sign, "")
    assert err.splitlines() == [
        "error: stopped before all states of the fight were worked out",
        "hint: simulate it: crisis simulate ada --vs jack --apart 0",
    ]
