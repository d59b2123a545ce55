"""The line of a rulebook's source on which a mistake stands, found by the words of the mistake."""

from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Iterator
from traceback import walk_tb
from types import GeneratorType

from ..engine.declared_types import mistyped
from ..engine.scene import Intent
from ..engine.setup import Charge, Cost, Setup
from ..engine.system import Start
from ..errors import place

GIVEN = (Charge, Cost, Intent, Setup, Start)
"""Values that functions of rulebooks give to crisis."""


def line_of(error: BaseException, package: str, words: tuple[str, ...]) -> str:
    """File and line in a package where words stand, each inside what the one before names; where none of them is found,
    the line in the package that an error came through last."""
    steps = steps_in(error, package)
    found, where = 0, place(*steps[-1]) if steps else package
    others = (module for name, module in sys.modules.items() if f"{name}.".startswith(f"{package}."))
    files = [file for file, _ in reversed(steps)]
    files += filter(None, (getattr(module, "__file__", None) for module in [*others]))
    for file in dict.fromkeys(files):
        tree = _read(file)
        depth, line = _deepest(tree, words, tree)
        if depth > found:
            found, where = depth, place(file, line)
    return where


def steps_in(error: BaseException, package: str) -> list[tuple[str, int]]:
    """The files and lines in a package that an error came through, the last one at the end."""
    return [
        (frame.f_code.co_filename, line)
        for frame, line in walk_tb(error.__traceback__)
        if f"{frame.f_globals.get('__name__')}.".startswith(f"{package}.")
    ]


def source_of_values(error: BaseException, package: str) -> tuple[str, str]:
    """Where in a package the values come from at which an error came out of crisis itself, and what is wrong with them;
    two empty strings if none of its functions was at hand.

    The function of the package that is nearest to the error gave them: a generator stands on the line that did.
    """
    said = ""
    for frame, _ in reversed([*walk_tb(error.__traceback__)]):
        values = [*frame.f_locals.values()]
        wrong = (one for value in values if isinstance(value, GIVEN) for one in mistyped(value))
        said = said or next((f"{one.path[-1]} {one.said}" for one in wrong), "")
        for value in values:
            where = _line_in(value, package)
            if where:
                return where, said
    return "", ""


def _line_in(value: object, package: str) -> str:
    """The line of a package on which a generator stands, or a function begins; empty for all else."""
    frame = value.gi_frame if isinstance(value, GeneratorType) else None
    code = getattr(value, "__code__", None)
    if frame:
        code, module, line = frame.f_code, frame.f_globals.get("__name__"), frame.f_lineno
    elif code:
        module, line = getattr(value, "__module__", ""), code.co_firstlineno
    else:
        return ""
    return place(code.co_filename, line) if f"{module}.".startswith(f"{package}.") else ""


def _read(file: str) -> ast.Module:
    """The source of a file; an empty one where it cannot be read."""
    try:
        return ast.parse("".join(linecache.getlines(file)))
    except SyntaxError:
        return ast.Module([], [])


def _deepest(node: ast.AST, words: tuple[str, ...], tree: ast.Module) -> tuple[int, int]:
    """How many of the words stand below a node, each inside what the one before names, and the line of the last."""
    if not words:
        return 0, 0
    # A key or a parameter is what the word names; a text may be about anything.
    named = sorted(_named(node, words[0], tree, set()), key=lambda one: isinstance(one[1], ast.Constant))
    depth = line = 0
    for first, inside in named:
        more, last = _deepest(inside, words[1:], tree)
        if more + 1 > depth:
            depth, line = more + 1, last or first
    return (depth, line) if depth else _deepest(node, words[1:], tree)


def _named(node: ast.AST, word: str, tree: ast.Module, looked_up: set[str]) -> Iterator[tuple[int, ast.AST]]:
    """What a word names below a node, and its line: the value of a key or a parameter, or a text. Names of the module
    stand for what they are set to."""
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and key.value == word:
                yield key.lineno, value
    if isinstance(node, ast.keyword) and node.arg == word:
        yield node.lineno, node.value
    if isinstance(node, ast.Constant) and node.value == word:
        yield node.lineno, node
    if isinstance(node, ast.Name) and node.id not in looked_up:
        looked_up.add(node.id)
        for value in _values(tree, node.id):
            yield from _named(value, word, tree, looked_up)
    for child in ast.iter_child_nodes(node):
        yield from _named(child, word, tree, looked_up)


def _values(tree: ast.Module, name: str) -> Iterator[ast.expr]:
    """What a module sets a name to."""
    for statement in tree.body:
        match statement:
            case ast.Assign(targets, value) if name in map(ast.unparse, targets):
                yield value
            case ast.AnnAssign(ast.Name(target), value=ast.expr() as value) if target == name:
                yield value
