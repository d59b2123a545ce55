"""The interface of a rulebook is small and documented: `crisis_cli.rules`, its six groups, its types."""

from __future__ import annotations

import ast
import inspect
import re
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from any_signatures import counted, functions, says_any

from crisis_cli import rules

PACKAGE = Path(rules.__file__).parents[1]
MOST = 80
"""Names that a rulebook can import."""
GROUPS = 6
MOST_ANY = 55
"""Functions of systems/ and rules/ with `Any` in their signatures."""


def groups() -> dict[str, list[str]]:
    """The groups of the package's docstring: the title of each, and the names it lists."""
    found: dict[str, list[str]] = {}
    for title, listed in re.findall(r"^(\S[^\n]*):\n((?:    [^\n]+\n?)+)", inspect.getdoc(rules) or "", re.M):
        found[title] = [name.strip() for name in listed.replace("\n", " ").split(",")]
    return found


@cache
def documented_names() -> set[str]:
    """Every name of the package that is assigned at the top of a file, with a docstring below it."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        body = ast.parse(path.read_text(encoding="utf-8")).body
        for node, following in pairwise(body):
            report = isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)
            if report and isinstance(node, (ast.Assign, ast.AnnAssign)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


def test_a_rulebook_has_few_names_to_learn() -> None:
    assert len(rules.__all__) <= MOST


def test_every_name_stands_in_one_of_the_groups() -> None:
    found = groups()
    assert len(found) == GROUPS
    listed = [name for names in found.values() for name in names]
    assert sorted(listed) == sorted(rules.__all__)


def test_every_name_is_used_by_a_rulebook_or_an_example() -> None:
    folders = (PACKAGE / "systems", PACKAGE.parent / "examples")
    trees = [ast.parse(path.read_text(encoding="utf-8")) for one in folders for path in one.rglob("*.py")]
    imported = {
        alias.name
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module in ("rules", "crisis_cli.rules")
        for alias in node.names
    }
    assert set(rules.__all__) <= imported


def test_rulebooks_import_the_package_and_none_of_its_modules() -> None:
    """But importers, which are no part of a rulebook: they import `rules.importing`, which nothing else loads."""
    inside = [
        str(path.relative_to(PACKAGE))
        for path in (PACKAGE / "systems").rglob("*.py")
        if re.search(r"^from \.\.\.rules\.(?!importing )", path.read_text(encoding="utf-8"), re.M)
    ]
    assert inside == []


@pytest.mark.parametrize("name", rules.__all__)
def test_every_name_says_what_it_is(name: str) -> None:
    value = getattr(rules, name)
    if inspect.isclass(value) or inspect.isfunction(value):
        assert value.__doc__ and value.__doc__.strip()[-1] in ".:", name
        assert not value.__doc__.startswith(f"{name}("), f"{name} has no docstring of its own"
    else:
        assert name in documented_names(), name


def test_signatures_that_say_any_are_found() -> None:
    source = """
def plain(one: int, *many: str) -> bool: ...
def given(one: Any) -> int: ...
def inside(one: int) -> Mapping[str, Any]: ...
class Box:
    def method(self, **more: Any) -> None:
        def inner(one: int) -> int: ...
"""
    assert [one.name for one in functions(source) if says_any(one)] == ["given", "inside", "method"]


def test_fewer_signatures_of_the_rules_say_any_than_before(tmp_path: Path) -> None:
    """346 of them did before the rules had types of their own; `python tests/any_signatures.py` lists them."""
    (tmp_path / "page.py").write_text("def one(a: Any) -> None: ...\n", encoding="utf-8")
    assert counted(tmp_path) == {f"{tmp_path.name}/page.py": 1}
    assert sum(counted(PACKAGE / "systems", PACKAGE / "rules").values()) <= MOST_ANY
