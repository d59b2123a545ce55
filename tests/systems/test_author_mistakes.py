"""A mistake of somebody who writes a rulebook is one line, which names file and line and says what to write."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from conftest import ROOT
from test_plugins import Packages, program

pytestmark = pytest.mark.slow

KNIVES = (ROOT / "crisis_cli" / "new_system" / "rulebook.py.txt").read_text("utf-8")
COST = 'costs=(Cost("move"),)'
ADJUST = 'changes.adjust(intent.target, "grit", -1, "KNIVES-2")'
DICE = '(intent.actor, scene.fighters[intent.target].sheet["guard"])'
DIE = "    face = table.die(6)\n"
NOTED = '    table.exploding(1, 6, int, note="values")'
POOLS, CONDITIONS = "write one of grit, move, or add it to pools", "write one of out, or add it to conditions"
(START,) = (line for line in KNIVES.splitlines() if line.startswith("    start="))


class Mistake(NamedTuple):
    """A small edit of the rulebook, and what the line of the error says of it."""

    name: str
    old: str
    new: str
    where: str
    """A text on the line that is named, and on no other."""
    way: str
    """What to write."""


AT_LOAD = (
    Mistake("pool in costs", COST, 'costs=(Cost("moove"),)', '"moove"', POOLS),
    Mistake("condition in sets", COST, f'{COST}, sets={{"prone": True}}', '"prone"', CONDITIONS),
    Mistake("mark in builds", COST, f'{COST}, builds=("aim",)', '"aim"', "add it to marks"),
    Mistake(
        "arity of setup",
        "(scene: Scene, intent: Intent)",
        "(scene: Scene)",
        "strike_setup(",
        "(scene, intent)",
    ),
    Mistake("arity of rule", ", setup: tuple[str, int])", ")", "def strike(", "(table, dice)"),
    Mistake(
        "arity of effects",
        "setup: Setup, outcome: Result",
        "outcome: Result",
        "def wound(",
        "(changes, intent, setup, outcome)",
    ),
    Mistake("arity of candidates", "lambda scene, who", "lambda scene", "lambda scene:", "(scene, who)"),
    Mistake(
        "gap of a sentence", "{actor} strikes", "{actr} strikes", "{actr} strikes", "write {actor}, {target}"
    ),
    Mistake(
        "gap of a condition",
        '"out", "KNIVES-2", when',
        '"out", "KNIVES-2", begins="{whom} is out.", when',
        "{whom} is out.",
        "write {who}",
    ),
    Mistake("costs without a tuple", COST, 'costs=Cost("move")', 'costs=Cost("move")', "costs=(Cost(...),)"),
    Mistake("no start", START, "    start=None,", "start=None", "write a function (sheet)"),
    Mistake("foreign option", COST, f'{COST}, options=("shots",)', '"shots"', "add it to command_options"),
)
AT_USE = (
    Mistake("pool in adjust", ADJUST, ADJUST.replace("grit", "grits"), '"grits"', POOLS),
    Mistake("pool in start", 'Start({"grit"', 'Start({"grits"', "def start(", POOLS),
    Mistake("condition in begin", ADJUST, 'changes.begin(intent.target, "prone")', '"prone"', CONDITIONS),
    Mistake("mark in mark", ADJUST, 'changes.mark(intent.target, "aim")', '"aim"', "add it to marks"),
    Mistake("unhashable setup", DICE, f"[*{DICE}]", "def strike_setup", "write tuples, NamedTuples"),
    Mistake(
        "roll named like a sum",
        DICE,
        f'{DICE}, tuple(Modifiers("attack", "KNIVES-1").base("guard", 4))',
        "def strike(",
        "give the Modifiers another name",
    ),
    Mistake("two notes", DIE, f"{NOTED}\n{NOTED}  # again\n{DIE}", "# again", "write table.label(...)"),
    Mistake(
        "exception in rule", DIE, f"{DIE}    face / 0\n", "face / 0", "ZeroDivisionError: division by zero"
    ),
)


@pytest.mark.parametrize("mistake", [*AT_LOAD, *AT_USE], ids=[one.name for one in (*AT_LOAD, *AT_USE)])
def test_a_mistake_is_one_line_with_file_line_and_a_way_on(tmp_path: Path, mistake: Mistake) -> None:
    assert KNIVES.count(mistake.old) == 1
    code = KNIVES.replace(mistake.old, mistake.new).replace("    Intent,\n", "    Intent,\n    Modifiers,\n")
    packages = Packages(tmp_path / "site")
    file = packages.install("knives", code) / "__init__.py"
    (tmp_path / "characters").mkdir()
    for name in ("Ann", "Bob"):
        text = f'name = "{name}"\nsystem = "knives"\n'
        (tmp_path / "characters" / f"{name.lower()}.toml").write_text(text, encoding="utf-8")
    dice = "4,4,4" if mistake.name == "two notes" else "4"
    shown = program(tmp_path, packages)("attack", "ann", "bob", "--dice", dice)
    (number,) = (at for at, line in enumerate(code.splitlines(), start=1) if mistake.where in line)
    line, *hint = shown.stderr.splitlines()
    left_out = "rules-knives 0.3.1 is left out: " if mistake in AT_LOAD else ""
    assert shown.returncode == 4 and line.startswith(f"error: {left_out}{file}, line {number}: ")
    assert mistake.way in line
    assert hint == (["hint: to see all of it: CRISIS_TRACEBACK=1 crisis …"] if "Zero" in mistake.way else [])
