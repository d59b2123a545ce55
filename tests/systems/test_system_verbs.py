"""`crisis system new` and `crisis system check`, as somebody meets them who writes a rulebook."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from conftest import Player
from test_plugins import Packages, Run, program

from crisis_cli.commands.system import check

FILES = [
    "pyproject.toml",
    "cases.toml",
    "crisis_long_knives/__init__.py",
    "crisis_long_knives/rules.toml",
    "crisis_long_knives/characters/ann.toml",
    "crisis_long_knives/characters/bob.toml",
]


def test_a_new_system_is_a_package_of_its_name(crisis: Player) -> None:
    made = crisis.ok("system new long-knives").out
    assert made == (
        "made long-knives; its rulebook is long-knives/crisis_long_knives/__init__.py; now: "
        "pip install -e ./long-knives, then: crisis system check long-knives\n"
    )
    folder = crisis.here / "long-knives"
    texts = {file: (folder / file).read_text("utf-8") for file in FILES}
    assert sorted(FILES) == sorted(
        str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()
    )
    assert 'long-knives = "crisis_long_knives:SYSTEM"' in texts["pyproject.toml"]
    assert 'name="long-knives"' in texts[FILES[2]] and '"LONG-KNIVES-1"' in texts[FILES[2]]
    assert 'system = "long-knives"' in texts[FILES[4]]


def test_what_was_made_is_one_object_with_json(crisis: Player) -> None:
    record = json.loads(crisis.ok("system new long-knives --json").out)
    assert record == {"v": 1, "action": "system new", "folder": "long-knives", "files": FILES}


@pytest.mark.parametrize(
    ("name", "said", "status"),
    [
        ("Knives", "'Knives' is no name of a system", 2),
        ("../knives", "is no name of a system", 2),
        ("12", "is no name of a system", 2),
        ("3d6", "there is a system called 3d6 already", 4),
        ("there", "there exists already", 4),
    ],
)
def test_a_name_that_cannot_be_had_is_refused(crisis: Player, name: str, said: str, status: int) -> None:
    (crisis.here / "there").mkdir()
    shown = crisis("system", "new", name)
    assert shown.status == status and said in shown.err and "hint: " in shown.err
    assert [path.name for path in crisis.here.iterdir() if path.name != "no-data"] == ["there"]


def test_system_alone_says_what_it_does(crisis: Player) -> None:
    assert "crisis system new knives" in crisis.ok("system").out


def test_without_a_package_it_says_how_to_make_one(crisis: Player) -> None:
    shown = crisis("system check")
    assert shown.status == 2 and "make one: crisis system new NAME" in shown.err


def test_a_package_that_is_not_installed_is_said_to_be_so(crisis: Player) -> None:
    crisis.ok("system new knives")
    shutil.copytree(crisis.here / "knives", crisis.here, dirs_exist_ok=True)
    shown = crisis("system check")
    assert (shown.status, shown.err) == (4, "error: knives is not installed\nhint: pip install -e .\n")


def test_a_system_of_crisis_is_checked_too(crisis: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "has_pytest", lambda: False)
    assert crisis.ok("system check 3d6").out.splitlines() == [
        "3d6: loads (of crisis itself)",
        "3d6: 30 rules and 4 sheets read",
        "3d6: no casebook; to name one: --cases FILE",
        "3d6: conformance suite not run: pip install pytest",
    ]
    assert crisis.ok("system check 3d6 --quiet --no-conformance").out == ""
    shown = crisis("system check 3d6 --cases nowhere.toml")
    assert shown.status == 4 and "there is no casebook at nowhere.toml" in shown.err


@pytest.fixture
def installed(crisis: Player, tmp_path: Path) -> tuple[Run, Path]:
    """The program in a folder in which `knives` was made, with its package installed; and its rulebook."""
    crisis.ok("system new knives")
    made, packages = crisis.here / "knives", Packages(tmp_path / "site")
    package = packages.install("knives", (made / "crisis_knives" / "__init__.py").read_text("utf-8"))
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return program(tmp_path, packages), package / "__init__.py"


@pytest.mark.slow
def test_each_step_of_a_check_is_a_line(installed: tuple[Run, Path]) -> None:
    run, _ = installed
    shown = run("system", "check")
    loads, files, cases, suite = shown.stdout.splitlines()
    assert (shown.returncode, shown.stderr) == (0, "")
    assert (loads, files) == ("knives: loads (rules-knives 0.3.1)", "knives: 0 rules and 0 sheets read")
    assert cases == "knives: 1 passed in cases.toml"
    assert suite.startswith("knives: ") and suite.endswith(" skipped in the conformance suite")
    record = json.loads(run("system", "check", "knives", "--json", "--no-conformance").stdout)
    assert record["ok"] and record["cases"]["passed"] == 1 and record["actions"] == 2


@pytest.mark.slow
def test_a_case_that_fails_is_a_line_with_what_came(installed: tuple[Run, Path], tmp_path: Path) -> None:
    run, _ = installed
    cases = tmp_path / "cases.toml"
    cases.write_text(cases.read_text("utf-8").replace("[3, 2]", "[3, 1]"), encoding="utf-8")
    shown = run("system", "check", "--no-conformance")
    assert shown.returncode == 4
    *_, cases_line, failure = shown.stdout.splitlines()
    assert cases_line == "knives: 0 passed, 1 failed in cases.toml"
    assert failure.startswith(
        "  cases.toml, line 12: 'A die at the guard hits and takes one grit.': step 1: "
    )
    assert "[3, 2]" in failure and "[3, 1]" in failure


@pytest.mark.slow
def test_what_the_suite_finds_is_a_line_with_what_to_look_at(installed: tuple[Run, Path]) -> None:
    run, rulebook = installed
    wrong = rulebook.read_text("utf-8").replace("changes.adjust(intent.target", "changes.set(intent.target")
    rulebook.write_text(wrong, encoding="utf-8")
    shown = run("system", "check", "knives")
    assert shown.returncode == 4
    (bound,) = (line for line in shown.stdout.splitlines() if "no fight breaks a bound" in line)
    assert "grit of " in bound and "changes.adjust" in bound


@pytest.mark.slow
def test_dice_with_too_many_runs_of_faces_are_rolled(installed: tuple[Run, Path]) -> None:
    run, rulebook = installed
    one = "def one_die(table: RuleTable) -> int:\n    return table.die(10)\n\n\ndef rolled(table"
    wide = rulebook.read_text("utf-8").replace("def rolled(table", one)
    wide = wide.replace("table.die(6)", "table.times(9, one_die)").replace(
        "face >= target", "face >= 40 + target"
    )
    rulebook.write_text(wide.replace("target=target", "target=40 + target"), encoding="utf-8")
    shown = run("system", "check", "knives", "--json")
    record = json.loads(shown.stdout)
    (case,) = record["conformance"]["failed"]
    assert case.startswith("the case comes out") and record["conformance"]["passed"] > 30


@pytest.mark.slow
def test_a_system_that_cannot_be_loaded_is_one_line(installed: tuple[Run, Path]) -> None:
    run, rulebook = installed
    rulebook.write_text(
        rulebook.read_text("utf-8").replace('Cost("move")', 'Cost("moves")'), encoding="utf-8"
    )
    for words in (("knives",), ()):
        shown = run("system", "check", *words)
        (line,) = shown.stderr.splitlines()
        assert shown.returncode == 4 and shown.stdout == ""
        assert f"{rulebook}, line " in line and "write one of grit, move" in line
