"""What CONTRIBUTING and crisis-system(7) tell one to do, done word for word."""

from __future__ import annotations

import importlib.util
import inspect
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

from crisis_cli import rules
from crisis_cli.rulebooks import Rulebook
from crisis_cli.rules import importing

CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
MANUAL = (ROOT / "crisis_cli" / "manual" / "text" / "system.md").read_text(encoding="utf-8")
EXAMPLE = ROOT / "examples" / "d20"
INSTALLED = "--quiet --no-deps --no-build-isolation --no-index --disable-pip-version-check"

pytestmark = pytest.mark.slow


def section(title: str) -> str:
    """A section of CONTRIBUTING."""
    return CONTRIBUTING.split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]


def blocks(text: str, language: str) -> list[str]:
    """The blocks of a language in a text, without what they are indented by."""
    found = re.findall(rf"^( *)```{language}\n(.*?)^\1```$", text, flags=re.M | re.S)
    return [textwrap.dedent(re.sub(rf"^{indent}", "", block, flags=re.M)) for indent, block in found]


class Machine:
    """A folder in which one types commands, with what pip installs beside it."""

    def __init__(self, folder: Path, program: Path = ROOT):
        self.here = folder / "here"
        self.here.mkdir()
        self.site = folder / "site"
        self.env = {
            "HOME": str(folder),
            "PATH": "/usr/bin:/bin",
            "PYTHONPATH": f"{program}:{self.site}",
            "PYTHONUTF8": "1",
            "TERM": "dumb",
        }

    def type(self, line: str) -> str:
        """What a command line prints; it must be done."""
        words = shlex.split(line)
        if words[0] == "cd":
            self.here /= words[1]
            return ""
        if words[:2] == ["pip", "install"]:
            if importlib.util.find_spec("hatchling") is None or importlib.util.find_spec("pip") is None:
                pytest.skip("pip and hatchling, which build a package, are not both installed")
            # Without the network a package cannot be installed so that it is edited in its place.
            folders = [word for word in words[2:] if word != "-e"]
            command = ["-m", *words[:2], *INSTALLED.split(), "--target", str(self.site), *folders]
        elif words[0] == "python":
            command = words[1:]
        else:
            command = ["-m", {"crisis": "crisis_cli"}.get(words[0], words[0]), *words[1:]]
        done = subprocess.run(
            [sys.executable, *command],
            cwd=self.here,
            env=self.env,
            capture_output=True,
            encoding="utf-8",
            check=False,
            stdin=subprocess.DEVNULL,
            timeout=600,
        )
        assert done.returncode == 0 and "warning" not in done.stderr, (line, done.stdout, done.stderr)
        return done.stdout


def test_add_a_system(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    (commands,) = blocks(section("Add a system"), "sh")
    printed = {line: machine.type(line) for line in commands.splitlines()}
    assert printed["crisis attack ann bob --dice 3"].splitlines() == [
        "Ann strikes at Bob: [3] against 3 — a hit.",
        "  Bob  ▼ grit 3 → 2",
    ]
    assert "hit  66.67 %" in printed["crisis odds attack ann bob"]
    assert "A hit takes one of 3 grit" in printed["crisis rules knives"]
    assert "win" in printed["crisis play ann --vs bob --auto"]
    loads, files, cases, suite = printed["crisis system check knives"].splitlines()
    assert files == "knives: 3 rules and 2 sheets read"
    assert loads == "knives: loads (crisis-knives 0.1.0)" and cases == "knives: 1 passed in cases.toml"
    assert re.fullmatch(r"knives: [3-9]\d passed, \d skipped in the conformance suite", suite)
    machine.type("cd knives")
    assert re.search(r"[3-9]\d passed", machine.type("pytest -p no:cacheprovider"))


def test_add_an_action(tmp_path: Path) -> None:
    program = tmp_path / "program"
    for part in ("crisis_cli", "characters", "tests", "pyproject.toml"):
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
        program.mkdir(exist_ok=True)
        copy(ROOT / part, program / part)
    text, machine = section("Add an action"), Machine(tmp_path, program)
    machine.here = program
    function, row = blocks(text, "python")
    page = program / "crisis_cli" / "systems" / "three_d6" / "rulebook.py"
    head, rows = page.read_text("utf-8").split("ACTIONS = {\n")
    page.write_text(f"{head}{function}\n\nACTIONS = {{\n{row}{rows}", encoding="utf-8")
    (case,) = blocks(text, "toml")
    book = program / "tests" / "systems" / "3d6.toml"
    book.write_text(book.read_text("utf-8") + "\n" + case, encoding="utf-8")
    (commands,) = blocks(text, "sh")
    act, test = commands.splitlines()
    assert machine.type(act).startswith("Jack breathes")
    machine.type(f"{test} -p no:cacheprovider -k 3d6")
    wrong = book.read_text("utf-8").replace(case, case.replace("[5, 6]", "[5, 7]"))
    book.write_text(wrong, encoding="utf-8")
    with pytest.raises(AssertionError, match="FAILED"):
        machine.type(f"{test} -p no:cacheprovider -k 3d6")


FOES = ("ratios", "[roles")
"""What the parts of the example of foes.toml begin with, which is of no system."""


def examples() -> list[str]:
    """The examples of crisis-system(7)."""
    # The recipes and the casebook are of another game: tests/systems/test_recipes.py and test_small_game.py play them.
    text = re.sub(
        r"^# (?:(?:Recipes|Importers)\n.*?(?=^# )|Tests\n.*?(?=^## ))", "", MANUAL, flags=re.M | re.S
    )
    found = re.findall(r"(?:^    .*\n)+", text, flags=re.M)
    return [textwrap.dedent(one) for one in found]


def test_what_the_manual_shows_of_its_example_stands_there() -> None:
    files = [path.read_text("utf-8") for path in EXAMPLE.rglob("*") if path.suffix in (".py", ".toml")]
    lines = {line.strip() for text in files for line in text.splitlines()}
    shown = [one for one in examples() if not one.startswith(("pip", "pytest", *FOES))]
    assert len(shown) >= 5
    for one in shown:
        assert {line.strip() for line in one.splitlines()} <= lines | {""}, one


def test_the_commands_of_the_manual_work(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    shutil.copytree(
        EXAMPLE, machine.here / "examples" / "d20", ignore=shutil.ignore_patterns("__pycache__", ".*")
    )
    typed = [line for one in examples() if one.startswith(("pip", "pytest")) for line in one.splitlines()]
    assert len(typed) == 6
    for line in typed:
        if line.startswith("pytest"):
            machine.type("cd examples/d20")
            line += " -k case"
        machine.type(line)


def test_the_names_in_the_manual_exist() -> None:
    known = {*rules.__all__, *importing.__all__, "SYSTEM", "NamedTuple"}
    words = set(re.findall(r"`([A-Za-z_]+)(?:\(\.\.\.\))?`", MANUAL))
    methods = {*dir(rules.Modifiers), *dir(rules.Changes), *dir(rules.RuleTable), *dir(rules.Number)}
    fields = {
        *rules.Action._fields,
        *rules.ExactOdds._fields,
        *rules.Setup._fields,
        *rules.Condition._fields,
        *rules.Mark._fields,
        *rules.Pool._fields,
        *rules.System.__annotations__,
        *Rulebook._fields,
    }
    capital = {word for word in words if word[0].isupper()}
    tables = {"ACTIONS", "POOLS", "PHASES"}  # those of the game that the recipes add to
    assert capital and capital <= known | tables | {"CRISIS_NO_PLUGINS"}, capital - known
    report = {*re.findall(r"`(?:table|changes|setup)\.(\w+)", MANUAL)}
    assert report <= methods | fields, report - methods - fields
    lower = {word for word in words if word.islower() and "_" in word}
    methods |= known | {*inspect.signature(rules.Initiative.dealt).parameters}
    assert lower <= fields | methods, lower - fields - methods


def test_the_importer_in_the_manual_makes_a_sheet() -> None:
    section = re.search(r"^# Importers\n(.*?)^# ", MANUAL, re.M | re.S)
    assert section is not None
    names: dict[str, Any] = {}
    exec(textwrap.dedent("".join(re.findall(r"^(?:    .*)?\n", section[1], re.M))), names)
    importer = names["SRD"]
    data = {
        "results": [{"index": "ogre", "name": "Ogre", "hit_points": 59, "reactions": [{"name": "Parry"}]}]
    }
    (actor,) = importer.actors(data)
    made = importer.sheet(importing.ForeignObject(actor.raw))
    assert (actor.ident, made.sheet) == ("ogre", {"system": "d20", "hp": 59})
    assert [(note.kind, note.what) for note in made.notes] == [("lost", "Parry")]


def test_the_manual_explains_every_key_of_the_foes_that_it_shows() -> None:
    shown = tomllib.loads("".join(one for one in examples() if one.startswith(FOES)))
    explained = set(re.findall(r"^- (\w+) ::", MANUAL, flags=re.M))
    assert {*shown} - {"roles"} | {*shown["roles"]["brute"]} <= explained
