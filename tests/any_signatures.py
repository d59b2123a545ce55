"""How many functions of the rules say `Any` in their signature: `python tests/any_signatures.py [FOLDER …]`.

Counts the functions and methods whose parameters or result mention it, for each file or system below
crisis_cli/systems and crisis_cli/rules, or below the folders given.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "crisis_cli"
FOLDERS = (PACKAGE / "systems", PACKAGE / "rules")


def says_any(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a parameter or the result of a function mentions `Any`."""
    given = function.args
    parameters = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    written = [function.returns, *(one.annotation for one in parameters if one)]
    return any(
        isinstance(part, ast.Name) and part.id == "Any" for one in written if one for part in ast.walk(one)
    )


def functions(source: str) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function of a file, methods and inner ones included."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node


def counted(*folders: Path) -> dict[str, int]:
    """The number for each file and each folder directly below, by its path."""
    found: dict[str, int] = {}
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            part = f"{folder.name}/{path.relative_to(folder).parts[0]}"
            more = sum(map(says_any, functions(path.read_text(encoding="utf-8"))))
            found[part] = found.get(part, 0) + more
    return {part: number for part, number in found.items() if number}


if __name__ == "__main__":
    numbers = counted(*(map(Path, sys.argv[1:]) if sys.argv[1:] else FOLDERS))
    for part, number in numbers.items():
        print(f"{number:5}  {part}")
    print(f"{sum(numbers.values()):5}  in all")
