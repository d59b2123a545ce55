"""The programs in `examples/python` do what they say."""

from __future__ import annotations

import asyncio
import importlib.util
import runpy
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from unittest.mock import MagicMock

import pytest
from conftest import ROOT

import crisis_cli as crisis

EXAMPLES = ROOT / "examples" / "python"

if not EXAMPLES.is_dir():
    pytest.skip("examples/python is not here", allow_module_level=True)


def example(name: str) -> ModuleType:
    """An example as a module."""
    spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_readme_names_every_program() -> None:
    text = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    assert all(f"| `{path.name}` |" in text for path in EXAMPLES.glob("*.py"))
    assert len(text.splitlines()) < 20


# The notebook


def test_the_cells_of_the_notebook_run_in_order(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """With matplotlib, and without it."""
    monkeypatch.chdir(tmp_path)
    package, plot = MagicMock(), MagicMock()
    package.pyplot = plot
    monkeypatch.setitem(sys.modules, "matplotlib", package)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", plot)
    cells = (EXAMPLES / "armour_notebook.py").read_text(encoding="utf-8").split("# %%\n")[1:]
    names: dict[str, object] = {}
    for cell in cells:
        exec(cell, names)
    assert "armour 2: hit 25.9%, 0.78 Endurance an attack" in capsys.readouterr().out
    (armour, shares), _ = plot.errorbar.call_args
    assert list(armour) == list(range(5)) and shares[0] < shares[2] < shares[4]
    assert plot.show.called
    for module in ("matplotlib", "matplotlib.pyplot"):
        monkeypatch.setitem(sys.modules, module, None)
    exec(cells[-1], names)
    assert "armour 4 █████" in capsys.readouterr().out


# The bot


def test_a_bot_goes_on_after_a_restart(tmp_path: Path) -> None:
    bot_of = example("bot").Bot
    bot = bot_of(str(tmp_path))
    begun = bot.reply("#arena", "begin jack vs drone")
    assert begun.text.endswith("Jack, what do you do?") and begun.buttons[-1] == "next"
    assert (tmp_path / "arena.jsonl").exists()
    assert "Jack drops to the ground" in bot.reply("#arena", "act drop-prone").text
    entries = len(bot.fights["#arena"].log)
    restarted = bot_of(str(tmp_path))
    status = restarted.reply("#arena", "status")
    assert status.buttons == bot.reply("#arena", "status").buttons
    assert len(restarted.fights["#arena"].log) == entries


def test_a_question_is_asked_again_after_a_restart_with_the_same_dice(tmp_path: Path) -> None:
    """Bruno may block: neither the attack nor its dice are in the journal before he has decided."""
    bot_of = example("bot").Bot
    fight = crisis.Library(str(tmp_path)).begin("bruno", vs="marshal", file="a.jsonl", seed=3)
    while not isinstance(fight.waiting, crisis.Choose):
        fight.answer(None) if fight.waiting else fight.play_on()
    told = []
    for _ in range(2):
        restarted = bot_of(str(tmp_path))
        asked = restarted.reply("a", "status")
        assert asked.buttons == ["none", "block"]
        told.append(restarted.fights["a"].waiting.rolls[0].faces)
    assert told[0] == told[1]
    answered = restarted.reply("a", "block")
    assert "Bruno's block" in answered.text


def test_a_bot_answers_errors_and_undoes(tmp_path: Path) -> None:
    bot = example("bot").Bot(str(tmp_path))
    assert bot.reply("b", "attack").text.startswith("no crisis is open")
    assert bot.reply("b", "help").buttons == []
    bot.library.begin("jack", vs="drone", file="b.jsonl", seed=3)
    before = bot.reply("b", "status")
    assert bot.reply("b", "attack zork").text.startswith("no fighter here is called 'zork'")
    assert "already" in bot.reply("b", "begin jack vs drone").text
    assert bot.reply("b", "status") == before
    assert "Jack moves" in bot.reply("b", "move toward drone").text
    assert bot.reply("b", "undo").text.startswith("Undone: 1 entries. Jack, what do you do?")
    assert bot.reply("b", "status") == before
    assert bot.reply("b", "next").buttons
    assert bot.reply("b", "end").text.startswith("The fight is over")
    assert not (tmp_path / "b.jsonl").exists() and list(tmp_path.glob("b-*.jsonl"))


# The front end


def test_the_front_end_plays_to_the_end() -> None:
    """Every request is awaited; an answer that does not fit is asked for again, and one is undone."""
    frontend = example("frontend")
    answers: list[object] = [None, "zork", frontend.UNDO]
    shown: list[str] = []

    async def ask(fight: crisis.Fight, request: object) -> object:
        await asyncio.sleep(0)
        return answers.pop(0) if answers else None

    fight = crisis.begin("jack", vs="drone", seed=3)
    winner = asyncio.run(frontend.play(fight, ask, shown.append))
    assert winner == fight.winner != "" and not answers
    assert "(1 undone)" in shown
    assert any(line.startswith("the answer is an intent") for line in shown)


def test_the_front_end_numbers_the_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    frontend = example("frontend")
    typed = ["1", "", "undo", "99"]
    monkeypatch.setattr("builtins.input", lambda prompt: typed.pop(0))
    fight = crisis.begin("jack", vs="drone", seed=3)
    first = fight.legal()[0]
    answers = [asyncio.run(frontend.ask_at_terminal(fight, fight.waiting)) for _ in range(4)]
    assert answers == [first, None, frontend.UNDO, None]


# The house rule


def test_the_tests_of_the_house_rule_pass() -> None:
    without = [word for plugin in ("cacheprovider", "xdist", "benchmark") for word in ("-p", f"no:{plugin}")]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *without, "test_homebrew.py"],
        cwd=EXAMPLES,
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "6 passed" in done.stdout


# The client of the server


def test_the_client_plays_a_fight(tmp_path: Path) -> None:
    client = example("mcp_client")
    with client.connected(str(tmp_path)) as connection:
        tools = {tool["name"] for tool in connection.request("tools/list")["tools"]}
        assert {"begin", "legal", "do", "answer", "undo", "status"} <= tools
        assert connection.call("roll", expression="3d6")["total"] in range(3, 19)
        assert connection.call("status")["error"]["code"] == "no_crisis"
        with pytest.raises(RuntimeError, match="no tool is called"):
            connection.call("zork")
        *_, last = client.play(connection, ["jack"], ["drone"])
        assert last.endswith(" won.")
    assert connection.server.returncode == 0
    assert (tmp_path / "crisis.jsonl").exists()


def test_programs_can_be_imported_without_running() -> None:
    for path in EXAMPLES.glob("*.py"):
        if path.stem not in ("armour_notebook", "test_homebrew"):
            assert callable(runpy.run_path(str(path))["main"])
