"""The names that a rulebook imports, each with its parameters or fields, made from the docstrings."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterable, Iterator
from textwrap import dedent, wrap
from types import FunctionType, ModuleType

from .. import rules
from ..field_docs import class_node, fields, with_text
from ..rules import importing
from . import mdoc

WIDTH = 72
"""Signs in a line of a signature."""


def names() -> Iterator[str]:
    """A section for each group of names."""
    for title, about, listed in groups():
        yield mdoc.section(title)
        yield from mdoc.paragraph(f"{about[:1].upper()}{about[1:]}.")
        for name in listed:
            yield from _name(name, rules)
    yield mdoc.section("Importers")
    yield from mdoc.paragraph(
        "The names of `crisis_cli.rules.importing`, which a rulebook does not import itself."
    )
    for name in importing.__all__:
        yield from _name(name, importing)


def groups() -> Iterator[tuple[str, str, list[str]]]:
    """The groups in the docstring of the package: the title, what its names are, and the names."""
    for title, about, listed in re.findall(
        r"^(\S[^:\n]*): ([^\n]+):\n((?:    [^\n]+\n)+)", f"{inspect.getdoc(rules)}\n", re.M
    ):
        yield title, about, [name.strip() for name in listed.replace("\n", " ").split(",")]


def _name(name: str, home: ModuleType) -> Iterator[str]:
    """What a name of the package, or of a module of it, is: a class, a function, or a value."""
    value = inspect.unwrap(getattr(home, name))
    yield mdoc.subsection(name)
    if inspect.isclass(value):
        yield from _class(value)
    elif isinstance(value, FunctionType):
        yield from mdoc.example(
            wrap(
                _header(value),
                WIDTH,
                subsequent_indent="    ",
                break_long_words=False,
                break_on_hyphens=False,
            )
        )
        yield from _paragraphs(value.__doc__)
    else:
        yield from _value(name, value)


def _class(kind: type) -> Iterator[str]:
    """A class: its docstring, its fields, then its methods."""
    node = class_node(kind)
    assert node is not None, kind
    yield from _paragraphs(ast.get_docstring(node))
    yield from _terms(
        (f"`{field.name}`{field.head[len(field.name) :]}", field.text) for field in fields(kind)
    )
    # Only the program calls the methods of a kind of value.
    methods = [] if hasattr(kind, "read") else list(_methods(kind))
    if methods:
        yield from (".Pp", "Methods and properties:")
        yield from _terms(methods)


def _terms(pairs: Iterable[tuple[str, str | None]]) -> Iterator[str]:
    listed = [(mdoc.words(head), list(_paragraphs(text))) for head, text in pairs]
    if listed:
        yield from mdoc.terms(listed)


def _methods(kind: type) -> Iterator[tuple[str, str | None]]:
    """The public methods and properties of a class: how each is used, and its docstring."""
    values = {field.name for field in fields(kind)}
    for name, member in vars(kind).items():
        method = inspect.unwrap(getattr(member, "fget", None) or getattr(member, "__func__", member))
        if name.startswith("_") or name in values or not isinstance(method, FunctionType):
            continue
        used = re.sub(r"^(\w+)\((?:self|cls)(?:, )?", r"`\1`(", _header(method))
        yield used.replace("() ->", ":") if isinstance(member, property) else used, method.__doc__


def _header(function: FunctionType) -> str:
    """The signature of a function in one line, as the source spells it."""
    source = dedent(inspect.getsource(function))
    node = ast.parse(source).body[0]
    assert isinstance(node, ast.FunctionDef), function
    lines = source.split("\n")[node.lineno - 1 : node.body[0].lineno - 1]
    line = " ".join(" ".join(lines).split()).removeprefix("def ").removesuffix(":")
    return line.replace("( ", "(").replace(", )", ")").replace(" )", ")")


def _value(name: str, value: object) -> Iterator[str]:
    """A value: how its module makes it, and the string below."""
    for module in [one for key, one in sorted(sys.modules.items()) if key.startswith("crisis_cli.")]:
        if getattr(module, name, None) is not value:
            continue
        source = inspect.getsource(module)
        for node, text in with_text(ast.parse(source).body):
            if text and _assigns(node, name):
                yield from mdoc.example((ast.get_source_segment(source, node) or "").split("\n"))
                yield from _paragraphs(text)
                return
    raise AssertionError(f"{name} has no docstring")


def _paragraphs(text: str | None) -> Iterator[str]:
    for number, part in enumerate(inspect.cleandoc(text or "").split("\n\n")):
        if number:
            yield ".Pp"
        yield from mdoc.paragraph(part)


def _assigns(node: ast.stmt, name: str) -> bool:
    match node:
        case ast.Assign([ast.Name(target)]) | ast.AnnAssign(ast.Name(target)):
            return target == name
    return False
