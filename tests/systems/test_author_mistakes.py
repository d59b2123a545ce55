"""A mistake of somebody who writes a rulebook is one line, which names file and line and says what to write."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from conftest import ROOT
from test_plugins import Packages, program

from crisis_cli.conformance import SUITE

pytestmark = pytest.mark.slow

KNIVES = (ROOT / "crisis_cli" / "new_system" / "rulebook.py.txt").read_text("utf-8")
COST = 'costs=(Cost("move"),)'
ADJUST = 'changes.adjust(intent.target, "grit", -1, "KNIVES-2")'
DICE = '(intent.actor, scene.fighters[intent.target].sheet["guard"])'
DIE = "    face = table.die(6)\n"
NOTED = '    table.exploding(1, 6, int, note="values")'
TITLE = '    title="one die against a guard",'
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
    Mistake(
        "text for a flag", TITLE, f'{TITLE}\n    order_each_round="yes",', '"yes"', "write True or False"
    ),
    Mistake("text for a number", COST, 'costs=(Cost("move", "two"),)', '"two"', "write a whole number"),
    Mistake(
        "text for options", COST, f'{COST}, options="mod"', '"mod"', "write options=('mod',), with the comma"
    ),
    Mistake(
        "requires without a tuple", COST, f"{COST}, requires=print", "requires=print", "write requires=("
    ),
    Mistake(
        "circumstance without a tuple",
        "circumstance=()",
        'circumstance=("attack")',
        "circumstance",
        "('attack',)",
    ),
    Mistake(
        "pools without a tuple", 'pools=("grit",)', 'pools=("grit")', 'pools=("grit")', "('grit',), with"
    ),
    Mistake(
        "word of defeated", 'defeated="down"', 'defeated="asleep"', '"asleep"', "one of '', 'dead', 'dying'"
    ),
    Mistake(
        "default of a field",
        '"KNIVES-1", 4)}',
        '"KNIVES-1", "four")}',
        '"four"',
        "must be a whole number from 1 to 6",
    ),
    Mistake(
        "gear without a table",
        COST,
        f'{COST}, gear="blades"',
        '"blades"',
        "add it to the fields of sheet(...)",
    ),
    Mistake(
        "no rule",
        '"KNIVES-1",\n        strike_setup',
        '"",\n        strike_setup',
        '"attack": Action(',
        "KNIVES-1",
    ),
    Mistake(
        "gap of another text", "{actor} strikes", "{who} strikes", "{who} strikes", "write {actor}, {target}"
    ),
    Mistake("no start", START, "    start=None,", "start=None", "write a function (sheet)"),
    Mistake("option of every action", COST, f'{COST}, options=("mod",)', '"mod"', "leave it out"),
    Mistake("class for a kind", "Field(Whole(1, 6)", "Field(Whole", "Field(Whole", "write Whole(...)"),
    Mistake(
        "class of difficulty", TITLE, f"{TITLE}\n    difficulty=Whole,", "difficulty=", "write Whole(...)"
    ),
    Mistake(
        "condition in clears", "cannot_act=True", 'cannot_act=True, clears=("outt",)', '"outt"', CONDITIONS
    ),
    Mistake("no Python", "def strike(", "def strike(:", "def strike(:", "invalid syntax"),
    Mistake("foreign option", COST, f'{COST}, options=("shots",)', '"shots"', "add it to command_options"),
)
AT_USE = (
    Mistake("pool in adjust", ADJUST, ADJUST.replace("grit", "grits"), '"grits"', POOLS),
    Mistake("pool in start", 'Start({"grit"', 'Start({"grits"', "def start(", POOLS),
    Mistake("half a point", ADJUST, ADJUST.replace("-1", "-0.5"), "-0.5", "write a whole number"),
    Mistake("key of a sheet", '.sheet["guard"]))', '.sheet["gaurd"]))', "gaurd", "(did you mean guard?)"),
    Mistake("condition in begin", ADJUST, 'changes.begin(intent.target, "prone")', '"prone"', CONDITIONS),
    Mistake("mark in mark", ADJUST, 'changes.mark(intent.target, "aim")', '"aim"', "add it to marks"),
    Mistake(
        "end of a condition",
        ADJUST,
        'changes.begin(intent.target, "out", until=("turn-end", 1))',
        '"turn-end"',
        "or another of start-round, end-round",
    ),
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
    is_exception = "Error: " in line
    assert hint == (["hint: to see all of it: CRISIS_TRACEBACK=1 crisis …"] if is_exception else [])


def test_all_mistakes_of_a_rulebook_are_listed(tmp_path: Path) -> None:
    packages = Packages(tmp_path / "site")
    code = KNIVES.replace(COST, 'costs=(Cost("moove"),), gear="blades", options="mod"')
    packages.install("knives", code)
    shown = program(tmp_path, packages)("system", "check", "knives")
    head, *lines = shown.stdout.splitlines()
    assert (shown.returncode, head, shown.stderr) == (4, "knives: cannot be played", "")
    assert len(lines) == 3 and all("__init__.py, line 87: knives: action 'attack'" in line for line in lines)
    with_json = json.loads(program(tmp_path, packages)("system", "check", "knives", "--json").stderr)
    assert [f"  {line}" for line in with_json["error"]["problems"]] == lines


CASTS = "".join(f'[sheets.{name.lower()}]\nname = "{name}"\n' for name in ("Ann", "Bob", "Cid"))
CASE = """
[[case]]
rules = ["KNIVES-1"]
what = "A die at the guard hits."
cast = ["ann", "bob"]
intent = { action = "attack", actor = "Ann", target = "Bob" }
dice = [4]
"""
WRONG_CASES = {
    "dice = [4": "this is not TOML",
    'cast = ["ann", "bib"]': "line 8: 'A die at the guard hits.': the casebook has no sheet 'bib'; write one of ann",
    "crisis = { rond = 1 }": "line 8: 'A die at the guard hits.': a scene has no field 'rond'; write one of system",
    "scene.rond = 1": "line 8: 'A die at the guard hits.': a scene has no field 'rond'; write one of system",
    "pools.Bib.grit = 1": "line 8: 'A die at the guard hits.': pools: the cast has no 'Bib'; write one of Ann, Bob",
    "effects.Bob = { grit = [3, 1] }": "line 8: 'A die at the guard hits.': step 1: grit of Bob is [3, 2]",
}


@pytest.mark.parametrize("wrong", WRONG_CASES)
def test_a_mistake_in_a_case_is_one_line_with_the_line_of_the_casebook(tmp_path: Path, wrong: str) -> None:
    packages = Packages(tmp_path / "site")
    packages.install("knives", KNIVES)
    key = wrong.partition(" = ")[0] + " ="
    kept = [line for line in CASE.splitlines() if not line.startswith(key)]
    (tmp_path / "cases.toml").write_text(f"{CASTS}{chr(10).join(kept)}\n{wrong}\n", encoding="utf-8")
    words = ("system", "check", "knives", "--cases", "cases.toml", "--no-conformance")
    shown = program(tmp_path, packages)(*words)
    (line,) = (one for one in (shown.stdout + shown.stderr).splitlines() if "line " in one)
    assert shown.returncode == 4 and "cases.toml, line " in line and WRONG_CASES[wrong] in line


UNSEEN = (
    Mistake(
        "condition asked for",
        ADJUST,
        f'{ADJUST[:-1]}) if not changes.fighter(intent.target).has("bracd") else 0',
        '"bracd"',
        "write one of out, or add it to conditions",
    ),
    Mistake(
        "mark asked for",
        ADJUST,
        f'{ADJUST} if not changes.fighter(intent.target).marks.get("aim") else 0',
        '"aim"',
        "add it to marks",
    ),
    Mistake(
        "modifiers of a setup",
        f"Setup({DICE})",
        f'Setup({DICE}, Modifiers("guard", "KNIVES-1"))',
        "def strike_setup",
        "write modifiers=Modifiers.lines_of(...)",
    ),
    Mistake(
        "pool of a charge",
        COST,
        f'{COST}, choices=lambda *seen: [Charge("Ann", (Cost("luck"),))]',
        '"luck"',
        POOLS,
    ),
    Mistake(
        "charge without a tuple",
        COST,
        f'{COST}, choices=lambda *seen: [Charge("Ann", Cost("grit"))]',
        "Charge(",
        "write costs=(Cost(...),), with the comma",
    ),
    Mistake("no setup", f"return Setup({DICE})", f"Setup({DICE})", "def strike_setup", "write return Setup("),
    Mistake(
        "candidates of another action",
        'Intent("attack"',
        'Intent("atack"',
        'Intent("atack"',
        "write 'attack'",
    ),
    Mistake("exception in a rule", DIE, f"{DIE}    face / 0\n", "face / 0", "ZeroDivisionError"),
)


@pytest.mark.parametrize("mistake", UNSEEN, ids=[one.name for one in UNSEEN])
def test_the_conformance_suite_names_the_line_of_a_mistake_once(tmp_path: Path, mistake: Mistake) -> None:
    assert KNIVES.count(mistake.old) == 1
    code = KNIVES.replace(mistake.old, mistake.new)
    code = code.replace("    Condition,\n", "    Charge,\n    Condition,\n", 1).replace(
        "    Intent,\n", "    Intent,\n    Modifiers,\n"
    )
    packages = Packages(tmp_path / "site")
    file = packages.install("knives", code) / "__init__.py"
    (tmp_path / "cases.toml").write_text(CASTS, encoding="utf-8")
    shown = program(tmp_path, packages)("system", "check", "knives", "--cases", "cases.toml")
    (number,) = (at for at, line in enumerate(code.splitlines(), start=1) if mistake.where in line)
    lines = [one for one in shown.stdout.splitlines() if f"{file}, line {number}: " in one]
    assert shown.returncode == 4 and len(lines) == 1 and mistake.way in lines[0]


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="no timer interrupts a loop here")
def test_the_conformance_suite_names_the_line_of_a_loop_without_end(tmp_path: Path) -> None:
    packages = Packages(tmp_path / "site")
    loop = "    while table.die(6) == 6:\n        pass\n"
    file = packages.install("knives", KNIVES.replace(DIE, f"{loop}{DIE}")) / "__init__.py"
    (tmp_path / "cases.toml").write_text(CASTS, encoding="utf-8")
    words = ("--crisis-system", "knives", "--crisis-cases", "cases.toml", "--crisis-limit", "2", str(SUITE))
    shown = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "crisis_cli.conformance", *words],
        cwd=tmp_path,
        env={"HOME": str(tmp_path), "PYTHONPATH": f"{ROOT}:{packages.folder}", "COLUMNS": "2000"},
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=60,
    )
    assert (
        f"{file}, line " in shown.stdout and "TimeoutError: no end within 2 s: end the loop" in shown.stdout
    )
    assert "Interrupted: a test has no end" in shown.stdout
