"""Mistakes in the files of a rule system beside its Python: each is one line with the file, the line and the key."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from conftest import replace

from crisis_cli import rulebooks, systems
from crisis_cli.engine.system import System
from crisis_cli.errors import FileError
from crisis_cli.play.system_files import checked_files

SHEET = 'name = "Ann"\nsystem = "tiny"\n'
RULES = "rules.toml"


@pytest.fixture
def folder(tiny: System, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of `tiny`, with two sheets, to make mistakes in."""
    folder = tmp_path / "tiny"
    shutil.copytree(systems.folder("tiny"), folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "characters").mkdir()
    for name in ("Ann", "Bob"):
        text = SHEET.replace("Ann", name)
        (folder / "characters" / f"{name.lower()}.toml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(systems, "folder", lambda name: str(folder))
    return folder


@pytest.mark.parametrize("name", systems.SYSTEMS)
def test_the_files_of_crisis_are_all_right(name: str) -> None:
    files = checked_files(systems.load(name), ".")
    assert not files.failed and files.rules and files.sheets


def test_files_without_a_mistake_are_counted(folder: Path, tiny: System) -> None:
    assert checked_files(tiny, str(folder.parent)) == (5, 2, ())


def test_a_package_without_these_files_has_no_mistake_in_them(folder: Path, tiny: System) -> None:
    (folder / RULES).unlink()
    shutil.rmtree(folder / "characters")
    assert checked_files(tiny, str(folder)) == (0, 0, ())


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        (RULES, 'title = "Blow"', 'title = "Blow', "line 14: this is not TOML: the quote of title"),
        (RULES, 'dice = "', 'dic = "', "line 5, dic: unknown (did you mean dice?)"),
        (RULES, "also = [", "aslo = [", "aslo: unknown (did you mean also?)"),
        (RULES, 'title = "Blow"\n', "", "topics[0].rules[0].title: is missing"),
        (RULES, 'text = "Roll', 'text = 3 # "Roll', "topics[0].rules[0].text: must be text, not 3"),
        (RULES, 'name = "tiny"', 'name = "tony"', "line 2, name: is 'tony': write 'tiny'"),
        (RULES, 'name = "turns"', 'name = "blows"', "topics[1].name: 'blows' stands twice"),
        (RULES, 'id = "TINY-5"', 'id = "TINY-4"', "topics[1].rules[2].id: TINY-4 stands twice"),
        (
            RULES,
            'id = "TINY-5"',
            'id = "TINY-6"',
            "topics[1].rules[2].id: nothing in the rulebook names TINY-6",
        ),
        (RULES, 'id = "TINY-5"', 'id = "TINY-6"', "tiny/rules.toml has no rule TINY-5: write it"),
        (
            RULES,
            'title = "Blow"',
            'title = "Blow"\ntable = [["a", "b"], ["c"]]',
            "table[1]: has 1 cells, and",
        ),
        (RULES, 'dice = "One die."', 'real_dice = ["{dies}"]', "real_dice[0]: nothing fills {dies}"),
        ("rulebook.py", 'Pool("grit", "TINY-2")', 'Pool("grit", "TINY-9")', "has no rule TINY-9: write it"),
        (
            "characters/bob.toml",
            'name = "Bob"',
            'name = "Ann"',
            "line 1, name: is 'Ann', as in tiny/characters/ann",
        ),
        ("characters/ann.toml", 'name = "Ann"', 'name = "Ann"\nguard = 9', "line 2, guard: must be a whole"),
        ("characters/ann.toml", 'name = "Ann"', 'name = "Ann"\ngard = 3', "line 2, gard: unknown (did you"),
        ("characters/ann.toml", '"tiny"', '"3d6"', "line 2, system: is '3d6': write 'tiny'"),
        ("characters/ann.toml", '"tiny"', "[", "line 2: this is not TOML"),
    ],
)
def test_a_mistake_is_one_line(folder: Path, tiny: System, file: str, old: str, new: str, said: str) -> None:
    text = (folder / file).read_text("utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    failed = checked_files(tiny, str(folder.parent)).failed
    line = next((line for line in failed if said in line), "")
    where = "tiny/rulebook.py" if "has no rule" in said else f"tiny/{file}"
    assert line.startswith(f"{where}, line "), failed
    assert "\n" not in line


def test_power_and_foes_are_read_too(folder: Path, tiny: System) -> None:
    (folder / "power.toml").write_text("chnge = []\n", encoding="utf-8")
    (folder / "foes.toml").write_text("roles = 3\n", encoding="utf-8")
    said = "\n".join(checked_files(tiny, str(folder)).failed)
    assert (
        "power.toml, line 1, chnge: unknown" in said and "foes.toml, line 1, roles: must be a table" in said
    )


def test_the_id_of_a_row_that_is_no_rule_is_a_mistake(folder: Path, tiny: System) -> None:
    row = tiny.actions["attack"]._replace(title="TINY-1", rule_id="Strike")
    system = replace(tiny, actions={**tiny.actions, "attack": row})
    (failed,) = checked_files(system, str(folder.parent)).failed
    assert failed.endswith("tiny/rules.toml has no rule Strike: write it, or name another")


def test_a_ragged_table_is_an_error_of_the_rules(folder: Path) -> None:
    text = (folder / RULES).read_text("utf-8")
    table = 'title = "Blow"\ntable = [["a", "b"], ["c"]]'
    (folder / RULES).write_text(text.replace('title = "Blow"', table, 1), encoding="utf-8")
    with pytest.raises(FileError, match="different numbers of cells"):
        rulebooks.load("tiny")
