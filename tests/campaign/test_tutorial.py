"""The tutorial: every command of it is run, in its order, as a reader would type it."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from conftest import Player
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

import crisis_cli

TEXT = (Path(crisis_cli.__file__).parent / "manual" / "text" / "tutorial.md").read_text("utf-8")
LINES = [line[4:] for line in TEXT.splitlines() if line.startswith("    ")]
PROMPT = "> "


class Screen(DummyOutput):
    """A terminal so tall that nothing is shown page by page."""

    def get_size(self) -> Size:
        """Eighty columns."""
        return Size(rows=4_000, columns=80)


def steps() -> list[tuple[str, list[str]]]:
    """The commands of the page in order, each with the lines typed at the prompt that it opens."""
    found: list[tuple[str, list[str]]] = []
    for line in LINES:
        if line.startswith(PROMPT):
            found[-1][1].append(line.removeprefix(PROMPT))
        else:
            found.append((line, []))
    return found


def typed(player: Player, command: str, lines: list[str]) -> str:
    """What a command prints, with lines typed at its prompt; all of them are carried out."""
    words = shlex.split(command)[1:]
    with create_pipe_input() as keyboard, create_app_session(keyboard, Screen()):
        keyboard.send_text("".join(f"{line}\r" for line in lines) + 4 * "\x04")
        shown = player(*words, answers=["yes"] * 9 if lines else None)
    assert shown.status == 0, (command, shown)
    assert "error:" not in shown.err and "Traceback" not in shown.err, (command, shown.err)
    return shown.out


@pytest.mark.slow
@pytest.mark.parametrize("seed", [3, pytest.param(1, marks=pytest.mark.long)])
def test_every_command_of_the_tutorial_does_what_it_says(tmp_path: Path, seed: int) -> None:
    player = Player(tmp_path)
    player.seed = seed
    said: dict[str, str] = {}
    minute = 0
    for command, lines in steps():
        minute += 1
        player.now = f"2026-11-20T19:{minute:02}:00Z"
        if command.startswith("cd "):
            player.here = player.here / command.removeprefix("cd ")
            continue
        if command.startswith("crisis odds rest") and "dying" in player.ok("campaign").out:
            # As the page says: who lies dying is treated first.
            typed(player, "crisis tend", [])
        said[command] = typed(player, command, lines)
    found = player("campaign --json")
    assert found.status == 0, found
    record = found.record
    assert [one["n"] for one in record["fights"]] == [1, 2] and record["day"] == 4
    assert record["awards"] == {"Mara": 2} and record["open"] is False
    assert [one["open"] for one in record["threads"]] == [False]
    assert said["crisis play mill --auto --save"].startswith("Previously in Saltmarch")
    chronicle = said["crisis chronicle"]
    assert all(words in chronicle for words in ("1. Water for the road", "2. The dry mill", "Day 1", "Day 4"))
    assert (player.here / "saltmarch.html").exists()
    assert player("campaign check").out == "all right\n"


def test_the_page_has_all_parts_of_an_evening() -> None:
    commands = " ".join(command for command, _ in steps())
    for words in ("character new", "campaign new", "play ", "oracle ", "rest ", "chronicle"):
        assert f"crisis {words}" in commands
    prompts = [lines for _, lines in steps() if lines]
    assert len(prompts) == 1 and re.search(r"\boracle\b", " ".join(prompts[0]))
