"""Real dice at a real terminal, and players who stop in the middle."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import PROGRAM, Player, Program, Sheets, program_env

pty = pytest.importorskip("pty", reason="no pseudo-terminals here")


class Terminal:
    """The real program in a pseudo-terminal."""

    def __init__(self, here: Path, *words: str):
        self.mine, theirs = pty.openpty()
        self.running = subprocess.Popen(
            [*PROGRAM, *words],
            cwd=here,
            env={**program_env(here), "TERM": "xterm"},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            preexec_fn=_interruptible,
        )
        os.close(theirs)
        self.seen = ""

    def wait_for(self, words: str) -> None:
        """Read until the words are on the screen."""
        until = time.monotonic() + 15
        while words not in self.seen and time.monotonic() < until:
            if select.select([self.mine], [], [], 0.2)[0]:
                self.seen += self._read()
        assert words in self.seen, self.seen

    def _read(self) -> str:
        try:
            return os.read(self.mine, 4096).decode("utf-8", "replace")
        except OSError:
            return ""

    def type(self, text: str) -> None:
        """Type a line."""
        os.write(self.mine, text.encode() + b"\n")

    def end(self) -> int:
        """What the program ends with, all of its output read."""
        until = time.monotonic() + 15
        while time.monotonic() < until:
            if select.select([self.mine], [], [], 0.05)[0]:
                more = self._read()
                self.seen += more
                if not more and self.running.poll() is not None:
                    break
            elif self.running.poll() is not None:
                break
        status = self.running.wait(1)
        os.close(self.mine)
        return status


def _interruptible() -> None:
    # Anyone who runs the tests in the background has them ignore what Ctrl-C sends.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def at_terminal(tmp_path: Path) -> Iterator[Any]:
    """What starts the program in a terminal of its own."""
    started: list[Terminal] = []

    def start(*words: str) -> Terminal:
        started.append(Terminal(tmp_path, *words))
        return started[-1]

    yield start
    for one in started:
        if one.running.poll() is None:
            one.running.kill()
            one.running.wait()


def test_real_dice_are_asked_for_in_a_real_terminal(at_terminal: Any, fight: Player) -> None:
    screen = at_terminal("attack", "drone", "--real-dice")
    screen.wait_for("Jack's attack")
    screen.type("7")
    screen.wait_for("1 to 6")
    screen.type("6 4 3")
    assert screen.end() == 0
    assert "against 16" in screen.seen and "\x1b[" in screen.seen, "in colour, since it is a terminal"
    assert fight.ok("log 2 --json").faces == [6, 4, 3]


def test_a_new_character_is_asked_for_in_a_real_terminal(at_terminal: Any, tmp_path: Path) -> None:
    screen = at_terminal("character", "new")
    for question, answer in (
        ("Name", "Bob"),
        ("System", "3d6"),
        ("Begin as", "medic"),
        ("Will you play", "no idea"),
        ("answer y or n", "n"),
        ("Change its values", ""),
    ):
        screen.wait_for(question)
        screen.seen = ""
        screen.type(answer)
    assert screen.end() == 0, screen.seen
    text = (tmp_path / "characters/bob.toml").read_text("utf-8")
    assert 'name = "Bob"' in text and "player = false" in text and "# medicine is one of its fields" in text


def test_through_a_pipe_a_new_character_is_never_asked_for(program: Program, tmp_path: Path) -> None:
    made = program(
        "character", "new", "--random", "--system", "step", "--seed", "1", stdin=subprocess.DEVNULL
    )
    assert made.returncode == 0 and "is written" in made.stdout and len(list(tmp_path.rglob("*.toml"))) == 1
    refused = program("character", "new", "Bob", stdin=subprocess.DEVNULL)
    assert refused.returncode == 2 and "needs a name and a system" in refused.stderr


def test_ctrl_c_at_a_prompt_is_130_and_changes_nothing(at_terminal: Any, fight: Player) -> None:
    before = fight.files()
    screen = at_terminal("attack", "drone", "--real-dice")
    screen.wait_for("Jack's attack")
    time.sleep(0.3)  # no player is faster than the prompt
    os.killpg(screen.running.pid, signal.SIGINT)
    assert screen.end() == 130
    assert "Traceback" not in screen.seen
    assert fight.files() == before


def test_end_of_input_at_a_prompt_is_130_too(fight: Player) -> None:
    fight.refused(130, "attack drone --real-dice", answers=[])
    fight.refused(130, "attack drone --real-dice", answers=["6", "^C"])
    fight.refused(130, "attack drone --real-dice --json", answers=["6"])


def test_real_dice_may_be_given_all_at_once_or_one_by_one(fight: Player) -> None:
    for answers in (["6 4 3"], ["6,4,3"], ["6", "4", "3"], ["6 4", "3"], ["six", "0", "7", "", "6 4 3"]):
        shown = fight("attack drone --real-dice --json", answers=answers)
        assert shown.status == 0 and shown.faces == [6, 4, 3]
        fight.ok("undo")


def test_too_many_real_dice_are_not_taken_silently(fight: Player) -> None:
    """The fourth die was thrown for nothing, or a die was left out: the player must hear of it."""
    shown = fight("attack drone --real-dice --json", answers=["6 4 3 2", "6 4 3"])
    assert shown.status != 0 or shown.err


def test_each_prompt_says_whose_roll_and_which_die(fight: Player) -> None:
    fight("attack drone --real-dice", answers=["6", "4", "3"])
    assert all("Jack's attack" in prompt and "d6" in prompt for prompt in fight.prompts)
    assert len(fight.prompts) == 3


def test_mine_asks_for_the_players_side_only(fight: Player) -> None:
    assert fight("attack drone --mine", answers=["6 4 3"]).status == 0
    fight.ok("next")
    fight.prompts.clear()
    assert fight("attack jack --mine", answers=[]).status == 0
    assert fight.prompts == []


def test_a_refusal_comes_before_the_player_throws(crisis: Player, sheets: Sheets) -> None:
    crisis.refused(3, "attack jack drone --cover total --real-dice", answers=["6 6 6"])
    assert crisis.prompts == []


def test_without_a_terminal_nobody_is_asked(fight: Player) -> None:
    for option in ("--real-dice", "--mine"):
        assert "--dice" in fight.refused(2, f"attack drone {option}").err
    assert fight.prompts == []


def test_the_prompt_itself_is_one_plain_line(fight: Player) -> None:
    fight("attack drone --real-dice", answers=["6 4 3"])
    assert all(re.fullmatch(r"[^\n\x1b]+[:›] ?", prompt) for prompt in fight.prompts)


class Choosing:
    """Ines asked how to answer a looter's blow, with real dice on the table."""

    words = "attack ines --by looter --force --real-dice --react ask --json"

    def __init__(self, crisis: Player):
        crisis.ok("init looter --vs ines --open --seed 2")
        crisis.ok("next")
        self.crisis = crisis

    def __call__(self, *answers: str) -> Any:
        self.crisis.prompts.clear()
        return self.crisis(f"{self.words} --dry-run", answers=answers)


@pytest.fixture
def choosing(crisis: Player) -> Choosing:
    return Choosing(crisis)


def test_a_decision_is_taken_back_and_what_was_answered_before_stays(choosing: Choosing) -> None:
    shown = choosing("10", "1", "1", "block", "b", "dodge", "1")
    assert shown.status == 0
    record = shown.record
    assert record["choices"][0]["taken"] == "dodge"
    asked = [re.split("[:,]", prompt)[0] for prompt in choosing.crisis.prompts]
    assert asked == [
        "Looter's attack",
        *["Looter's damage"] * 2,
        "Ines",
        "Ines's block",
        "Ines",
        "Ines's dodge",
    ]


def test_a_decision_made_is_not_asked_again_when_a_later_face_is_taken_back(choosing: Choosing) -> None:
    """The wart that was: after `b`, decisions made meanwhile were asked once more."""
    shown = choosing("10", "2 2", "block", "7", "b", "block", "2")
    assert shown.status == 0 and shown.record["choices"][0]["taken"] == "block"
    assert [prompt for prompt in choosing.crisis.prompts if prompt.startswith("Ines: ")], (
        "asked where it was taken back"
    )
    assert sum(prompt.startswith("Looter's") for prompt in choosing.crisis.prompts) == 2, (
        "no face given twice"
    )


def test_back_at_a_choice_takes_the_die_before_it_back(choosing: Choosing) -> None:
    shown = choosing("10", "2 2", "undo", "1", "none")
    assert shown.status == 0
    damage = next(roll for roll in shown.record["rolls"] if roll["what"] == "damage")
    assert damage["faces"] == [2, 1]


def test_a_choice_tells_average_harm_and_the_chance_of_none(choosing: Choosing) -> None:
    shown = choosing("10", "2 1", "x", "d", "8")
    assert shown.status == 0 and shown.record["choices"][0]["taken"] == "dodge", "a letter is enough"
    report = {line.split()[1].rstrip(","): line for line in shown.err.splitlines() if "Health lost" in line}
    assert set(report) == {"none", "block", "dodge"}
    assert "2 Health lost" in report["none"]
    assert "0.2 Health lost on average, none 88 %" in report["dodge"], (
        "a d8 that shows 2 or more is out of the way"
    )
    assert "b or undo takes the last answer back" in shown.err


def test_back_before_any_answer_asks_again(choosing: Choosing) -> None:
    assert choosing("b", "b", "10", "1 1", "none").status == 0
    assert choosing.crisis.prompts[0] == choosing.crisis.prompts[1] == choosing.crisis.prompts[2]


def test_a_decision_alone_can_be_asked_again(crisis: Player) -> None:
    """Without real dice there is nothing before the choice to go back to."""
    crisis.ok("init looter --vs ines --open --seed 2")
    crisis.ok("next")
    words = "attack ines --by looter --force --dice 10,1,1 --react ask --dry-run"
    shown = crisis(words, answers=["b", "none"])
    assert shown.status == 0 and len(crisis.prompts) == 2
    assert shown.err.count("nothing was answered before this; Ctrl-C gives up") == 1
