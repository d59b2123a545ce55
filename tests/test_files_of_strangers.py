"""The places that open files of strangers: each stands in CONTRIBUTING.md, with its folder and a test that there is."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
PACKAGE = HERE.parent / "crisis_cli"
ROW = re.compile(r"^\| (?P<place>[^|]+) \| (?P<folder>[^|]+) \| `(?P<test>test_\w+)` \|$", re.MULTILINE)
OPENERS = {
    "sheets/files.py": "the functions that know folders",
    "sheets/journal_file.py": "journals: through `no_link`, and the ends of archives",
    "completion/campaigns.py": "through `no_link`",
    "cache_file.py": "the cache, below `sheets` in the order of imports",
    "fast_path.py": "the null device",
}
"""The modules that open files themselves, and why."""
CHANGES = {
    "replace",
    "rename",
    "unlink",
    "remove",
    "truncate",
    "symlink",
    "link",
    "rmdir",
    "removedirs",
    "rmtree",
}
CHANGERS = {
    "sheets/files.py": "drafts and locks",
    "sheets/journal_file.py": "archives",
    "cache_file.py": "the cache",
    "play/founding.py": "the folder of a new campaign",
}
"""The modules that move or delete files themselves, and what."""


def rows() -> list[re.Match[str]]:
    """The rows of the table."""
    text = (HERE.parent / "CONTRIBUTING.md").read_text("utf-8")
    section = text.partition("## Files that strangers send\n")[2].partition("\n## ")[0]
    return list(ROW.finditer(section))


@cache
def calls() -> list[tuple[str, str]]:
    """Every call of the package that opens, moves or deletes something by its path: the module and the function."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        module, text = path.relative_to(PACKAGE).as_posix(), path.read_text("utf-8")
        if not any(word in text for word in ("open(", "os.", "shutil.")):
            continue
        for node in ast.walk(ast.parse(text)):
            if not isinstance(node, ast.Call):
                continue
            match node.func:
                case ast.Name("open"):
                    found.append((module, "open"))
                case ast.Attribute(ast.Name("os" | "shutil"), changed):
                    found.append((module, changed))
    return found


def test_every_row_names_a_test_that_there_is() -> None:
    """And a place stands there once."""
    found = rows()
    text = (HERE.parent / "CONTRIBUTING.md").read_text("utf-8")
    section = text.partition("## Files that strangers send\n")[2].partition("\n## ")[0]
    assert len(found) == section.count("\n| ") - 2 > 10, "each row has a place, a folder and a test"
    tests = "\n".join(path.read_text("utf-8") for path in HERE.rglob("test_*.py"))
    for row in found:
        assert f"def {row['test']}(" in tests, row["test"]
    assert len({row["place"] for row in found}) == len(found)


def test_every_test_of_files_elsewhere_has_its_row() -> None:
    tree = ast.parse((HERE / "crash/test_outside.py").read_text("utf-8"))
    tests = {
        one.name for one in tree.body if isinstance(one, ast.FunctionDef) and one.name.startswith("test_")
    }
    assert tests - {row["test"] for row in rows()} == set()


def test_nothing_else_opens_files() -> None:
    """What the package itself brings is read by pathlib; what players have, by the functions that know folders."""
    assert {module for module, call in calls() if call == "open"} == set(OPENERS)


def test_nothing_else_moves_or_deletes_files() -> None:
    assert {module for module, call in calls() if call in CHANGES} == set(CHANGERS)
