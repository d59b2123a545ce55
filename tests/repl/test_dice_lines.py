"""What a line of dice means is the same on the fast path, in click, at the prompt and in a script."""

from __future__ import annotations

import io
import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random

import pytest
from conftest import Player
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input

from crisis_cli.cli import run
from crisis_cli.context import context_of
from crisis_cli.fast_path import parse_plain, print_plain
from crisis_cli.repl.game import Game

from .conftest import Screen

MANY = 2_000
"""Lines with -m long; the suite tries the first 300 of them."""
DICE = [
    "3d6", "d20", "4d6kh3", "2d20kl1", "5d6!", "8d10>=8f=1", "{1d8!,1d6!}kh1", "d%", "4dF", "2dC", "(1d4)d6",
    "max(1d6,3)", "10d6", "1d66", "2d6[fire]", "-1d6", "-2d4kh1+9", "6#2d6", "min(2d6,9)",
]  # fmt: skip
FOREIGN = [
    "2d20adv",
    "d66",
    "1d6rr6",
    "2d6>=7",
    "4CD",
    "6x3d6",
    "1d1!",
    "99999d6",
    "3q6",
    "d",
    "4d6d1",
    "dc15",
    "hello",
]
JOINS = ["+", "-", "*", "/", " + ", " - ", " +", " -", "+ ", " * ", " ", " ", " ", " x ", " # ", " vs "]
NUMBERS = [
    "1",
    "3",
    "10",
    "007",
    "0",
    "1.5",
    "(2)",
    "d1",
    "@might",
    "kh1",
    ">=5",
    "!",
    "fire",
    "to hit",
    "[cold]",
]


def line_of(random: Random) -> str:
    """A line as somebody types it: mostly right, often with blanks, sometimes wrong."""
    pieces = [random.choice(random.choices((DICE, FOREIGN), (9, 1))[0])]
    for _ in range(random.choice((0, 0, 1, 1, 2, 3))):
        pieces.append(random.choice(JOINS))
        pieces.append(random.choice(random.choices((DICE, NUMBERS, FOREIGN), (4, 4, 1))[0]))
    return "".join(pieces)


def together(player: Player, words: list[str], stdin: str = "") -> str:
    """All that a command line prints, on stdout and stderr, in its order."""
    printed = io.StringIO()
    run(
        words,
        player.environment(
            out=printed, err=printed, stdin=io.StringIO(stdin) if stdin else None, is_interactive=False
        ),
    )
    return printed.getvalue()


def in_script(player: Player, lines: list[str]) -> list[str]:
    """What each line of a script prints; the script itself repeats every line before it."""
    text = "".join(f"{line}\n" for line in lines)
    printed = together(player, ["run", "-", "--on-error", "resume"], text)
    parts = re.split(r"^> .*\n", printed, flags=re.MULTILINE)[1:]
    parts[-1] = re.sub(r"\d+ of \d+ lines failed\n", "", parts[-1])
    return [re.sub(r"^error: stdin, line \d+: ", "error: ", part) for part in parts]


@pytest.fixture
def at_prompt(fight: Player) -> Iterator[Callable[[str], str]]:
    """What a line prints that is typed at the prompt of an open crisis."""
    with create_pipe_input() as keyboard, create_app_session(keyboard, Screen()):
        game = Game(context_of(fight.environment(ask=lambda *question: "", at_prompt=True)))

        def answer(line: str) -> str:
            printed = io.StringIO()
            game.renew(game.context.environment._replace(out=printed, err=printed))
            game.run_line(line)
            return printed.getvalue()

        yield answer


def on_fast_path(words: list[str]) -> str | None:
    """What the fast path prints; None where it leaves the line to click."""
    line = parse_plain(words)
    return print_plain(line, {}, io.StringIO(), False) if line else None


@pytest.mark.parametrize(
    "many", [150, pytest.param(300, marks=pytest.mark.slow), pytest.param(MANY, marks=pytest.mark.long)]
)
def test_a_line_means_the_same_on_all_four_ways(
    fight: Player, at_prompt: Callable[[str], str], many: int
) -> None:
    random = Random(37)
    lines = [f"roll {line_of(random)} --seed {random.randrange(1000)}" for _ in range(many)]
    kinds = Counter[str]()
    for line, script in zip(lines, in_script(fight, lines), strict=True):
        words = shlex.split(line)
        shell = together(fight, words)
        fast, prompt = on_fast_path(words), at_prompt(line)
        refused = shell.startswith("error: ")
        if fast is None:
            assert refused or any(word.startswith("-") for word in words[1:-2]), line
        else:
            assert fast == shell, line
        if "is not a complete expression" in shell:
            # No shell splits what is typed elsewhere: there the line is what the hint says.
            quoted = shlex.split(shell.partition("hint: quote it: crisis ")[2])
            shell = together(fight, [*quoted, *words[-2:]])
            refused = shell.startswith("error: ")
            kinds["quoted"] += 1
        assert script == shell, line
        if refused:
            kinds["refused"] += 1
            assert prompt.startswith(shell.partition("hint: ")[0].rstrip()), line
        else:
            kinds["rolled"] += 1
            assert prompt == shell, line
    assert min(kinds["quoted"], kinds["refused"], kinds["rolled"]) > many / 20, kinds


@pytest.mark.parametrize(
    ("line", "whole"),
    [
        ("roll 2d6 + 3", "2d6 + 3"),
        ("roll 2d6 +3", "2d6 +3"),
        ("roll 2d6 -1", "2d6 -1"),
        ("roll d20+5 # to hit", "d20+5 # to hit"),
        ("roll d20+5 # Jack's blow", "d20+5 # Jack's blow"),
        ('roll d20 # the "big" one, Ada\'s', 'd20 # the "big" one, Ada\'s'),
        ("roll 10d10 >=8 f=1", "10d10 >=8 f=1"),
        ("roll 2d6 [fire] + 1d4", "2d6 [fire] + 1d4"),
        ("roll '2d6 + 3'", "2d6 + 3"),
        ("roll '3d6 # to hit'", "3d6 # to hit"),
        ("roll - 1 + 2d6", "- 1 + 2d6"),
        ("odds 2d6 + 3", "2d6 + 3"),
        ("odds d20+5 # Ada's blow", "d20+5 # Ada's blow"),
    ],
)
def test_no_shell_splits_what_is_typed_at_the_prompt_or_in_a_script(
    fight: Player, at_prompt: Callable[[str], str], line: str, whole: str
) -> None:
    verb = line.split()[0]
    seed = ["--seed", "3"] if verb == "roll" else []
    right = together(fight, [verb, whole, *seed])
    assert not right.startswith("error"), right
    typed = " ".join((verb, *seed, line.removeprefix(f"{verb} ")))
    assert at_prompt(typed) == right
    assert in_script(fight, [typed]) == [right]


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("roll 2d6 fire", "write 2d6[fire]"),
        ("roll 6 4d6", "write 6#4d6"),
        ("roll 3d6 4d6x6", "write 4d6!=6"),
        ("roll 4d6 d1", "write 4d6dl1"),
        ("roll 1d20+5 dc 15", "write {1d20+5}>=15"),
        ("odds 1d20+5 adv", "write 2d20kh1+5"),
        ("odds 3d6 2d6", "odds 3d6 --compare 2d6"),
    ],
)
def test_words_that_are_no_expression_get_the_right_spelling(
    fight: Player, at_prompt: Callable[[str], str], line: str, hint: str
) -> None:
    for printed in (together(fight, shlex.split(line)), at_prompt(line), in_script(fight, [line])[0]):
        assert printed.startswith("error: ") and f"{hint}" in printed.partition("hint: ")[2]


@pytest.mark.parametrize(
    ("typed", "roll"), [("2d6 +3", "roll 2d6 +3"), ("4d6x", "roll 4d6!"), ("2d6 fire", "roll 2d6[fire]")]
)
def test_dice_without_a_verb_are_rolled(at_prompt: Callable[[str], str], typed: str, roll: str) -> None:
    first, result = at_prompt(typed).splitlines()
    assert first == f"= {roll}" and " = " in result


@pytest.mark.parametrize("expression", ["-1d6kh1+8", "-min(2d6,3)", "-2d20kh1", "-d4-1"])
def test_an_expression_that_begins_with_a_minus_is_no_option(fight: Player, expression: str) -> None:
    assert not together(fight, ["roll", expression, "--seed", "1"]).startswith(("error", "Usage"))
    assert fight.ok("odds", expression, "--quiet").out.startswith("-") or "+8" in expression
    assert fight.ok("roll", "-n", "2", expression, "--json").records[1]["expression"] == expression
