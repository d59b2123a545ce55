"""The fast path prints what the full command line would, and imports almost nothing for it."""

import math
import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import slow_but
from hypothesis import given, settings
from hypothesis import strategies as st

from crisis_cli.fast_path import parse_plain, print_plain, random_number

ENV = {**os.environ, "COLUMNS": "80"}
BANNED = (
    "click",
    "re",
    "random",
    "dataclasses",
    "enum",
    "typing",
    "json",
    "tomllib",
    "pathlib",
    "prompt_toolkit",
    "wcwidth",
)
PLAIN = [
    ["roll", "3d6"], ["roll", "3d6+2", "4d6kh3"], ["roll", "{1d8!,1d6!}kh1", "--json"], ["odds", "4d6kh3"],
    ["odds", "100d6", "--json"], ["odds", "2d6!"], ["roll", "3#2d6"], ["roll", "10d10>=8f=1"], ["odds", "dF"],
]  # fmt: skip


def program(*words: str, module: str = "crisis_cli") -> "subprocess.CompletedProcess[str]":
    """The whole program, or the front door behind the door (`crisis_cli.cli`)."""
    call = "from crisis_cli.cli import main; main()" if module.endswith("cli.cli") else ""
    start = ["-c", f"import sys; sys.argv[0] = 'crisis'; {call}"] if call else ["-m", module]
    return subprocess.run(
        [sys.executable, *start, *words], capture_output=True, encoding="utf-8", env=ENV, check=False
    )


@pytest.mark.parametrize("words", slow_but(PLAIN, *PLAIN[::3]), ids=" ".join)
def test_the_door_prints_the_same_bytes_as_click(words: list[str]) -> None:
    seed = ["--seed", "5"] if words[0] == "roll" else []
    through, behind = program(*words, *seed), program(*words, *seed, module="crisis_cli.cli")
    assert through.stdout == behind.stdout and through.stdout
    assert (through.returncode, through.stderr) == (behind.returncode, behind.stderr) == (0, "")


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["odds", "3d6-20", "--quiet"], "-9.5\n"),
        (["odds", "3d6 [é😀]", "--json"], r'"expression": "3d6 [\u00e9\ud83d\ude00]"'),
    ],
)
def test_an_output_of_ascii_takes_everything(words: list[str], shown: str) -> None:
    """A character that the encoding lacks is escaped as in JSON, which so stays JSON."""
    done = subprocess.run(
        [sys.executable, "-m", "crisis_cli", *words],
        capture_output=True,
        encoding="ascii",
        env={**ENV, "PYTHONIOENCODING": "ascii"},
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert shown in done.stdout


@pytest.mark.parametrize(
    "words",
    slow_but(
        [["roll", "4d6d1"], ["odds", "3q6"], ["roll", "9" * 5000], ["roll", "1d1!"], ["play"]],
        ["roll", "4d6d1"],
    ),
)
def test_what_is_wrong_is_reported_by_the_front_door(words: list[str]) -> None:
    through, behind = program(*words), program(*words, module="crisis_cli.cli")
    assert (through.returncode, through.stdout, through.stderr) == (2, "", behind.stderr)


@settings(derandomize=True, deadline=None, max_examples=200)
@given(
    st.lists(
        st.sampled_from(["roll", "odds", "3d6", "--json", "--seed", "7", "-1+2d6", "attack", "--ge", "-"])
    )
)
def test_only_plain_lines_are_taken(words: list[str]) -> None:
    asked = parse_plain(words)
    if asked is not None:
        assert words[0] in ("roll", "odds") and "--ge" not in words and "-" not in words
        printed = print_plain(asked, {}, sys.stdout, False)
        assert printed is None or printed.endswith("\n")


@pytest.mark.parametrize(
    "words", [["roll", "3d6"], ["odds", "4d6kh3"], ["odds", "attackless+3"], ["--version"]]
)
def test_nothing_is_loaded_that_is_not_needed(words: list[str]) -> None:
    """DESIGN 3: asserted on modules, not on milliseconds."""
    spy = (
        "import sys, os; before = set(sys.modules); real = os._exit\n"
        "def leave(status):\n"
        "    sys.stderr.write(' '.join(sorted(set(sys.modules) - before))); sys.stderr.flush(); real(status)\n"
        "os._exit = leave\n"
        f"sys.argv = ['crisis', *{words!r}]\n"
        "from crisis_cli.fast_path import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", spy], capture_output=True, text=True, env=path(), check=False
    )
    loaded = done.stderr.split()
    if words != ["odds", "attackless+3"]:
        assert loaded and not [name for name in loaded if name.split(".")[0] in BANNED], loaded
        assert not [name for name in loaded if name.startswith(("crisis_cli.systems", "crisis_cli.commands"))]


@pytest.mark.parametrize(
    ("drawn", "number"), [(bytes(7), 0), (b"\x80" + bytes(6), 0.5), (b"\xff" * 7, math.nextafter(1, 0))]
)
def test_random_numbers_of_the_system_stay_below_1(
    drawn: bytes, number: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "urandom", lambda count: drawn[:count])
    assert random_number() == number


def path() -> dict[str, str]:
    """An environment in which the package is found without `site`, which loads modules of its own."""
    import crisis_cli

    return {**ENV, "PYTHONPATH": os.path.dirname(os.path.dirname(crisis_cli.__file__))}


def test_prompt_toolkit_is_not_loaded_by_a_verb_that_does_not_prompt() -> None:
    spy = (
        "import sys; from crisis_cli.cli import run; run(['attack', 'jack', 'drone', '--seed', '1', '--quiet'])\n"
        "assert 'prompt_toolkit' not in sys.modules and 'tomli_w' not in sys.modules"
    )
    done = subprocess.run(
        [sys.executable, "-c", spy], capture_output=True, text=True, env=path(), check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "words", [["attack", "jack", "drone"], ["odds", "attack", "jack", "drone"], ["character", "show", "jack"]]
)
def test_a_command_loads_nothing_it_does_not_need(words: list[str], tmp_path: Path) -> None:
    loaded = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "crisis_cli", *words],
        capture_output=True,
        encoding="utf-8",
        env={**ENV, "CRISIS_NO_PLUGINS": "1"},
        cwd=tmp_path,
        check=True,
    ).stderr
    modules = {line.rpartition("|")[2].strip() for line in loaded.splitlines()}
    assert "crisis_cli.cli" in modules
    needless = {
        *(
            "dataclasses",
            *(() if words[0] == "odds" else ("copy",)),  # it shows the verb's command without some options
            "json",
            "logging",
            "pathlib",
            "prompt_toolkit",
            "signal",
            "wcwidth",
        ),
        *("crisis_cli.engine.field", "importlib.metadata"),
        *("crisis_cli.engine.ranking", "crisis_cli.sheets.save_sheets", "crisis_cli.render.decision"),
        "crisis_cli.engine.responses",
    }
    assert not modules & needless
