"""The fields of a class of values as the source has them: types, defaults, and the sentence below each.

`help()`, editors and the manual read them; no command does.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from itertools import zip_longest
from textwrap import dedent, indent
from typing import Any, NamedTuple


class FieldDoc(NamedTuple):
    """One field of a class, or one attribute that its `__init__` sets."""

    name: str
    type: str
    default: str
    """As the source spells it; empty for a field without a default."""
    text: str
    """The string below the field; empty if there is none."""

    @property
    def head(self) -> str:
        """The field as a parameter is written: `label: str = ""`."""
        typed = f"{self.name}: {self.type}" if self.type else self.name
        return f"{typed} = {self.default}" if self.default else typed


def fields(kind: type) -> list[FieldDoc]:
    """The fields of a class; of a class without any, the public attributes that its `__init__` sets."""
    node = class_node(kind)
    body = node.body if node else []
    listed = [
        FieldDoc(node.target.id, ast.unparse(node.annotation), _unparsed(node.value), text)
        for node, text in with_text(body)
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    ]
    maker = next((one for one in body if isinstance(one, ast.FunctionDef) and one.name == "__init__"), None)
    return listed or (list(_attributes(maker)) if maker else [])


def class_node(kind: type) -> ast.ClassDef | None:
    """The definition of a class; None if there is no source."""
    try:
        node = ast.parse(dedent(inspect.getsource(kind))).body[0]
    except (OSError, TypeError, SyntaxError):
        return None
    return node if isinstance(node, ast.ClassDef) else None


def _attributes(maker: ast.FunctionDef) -> Iterator[FieldDoc]:
    """The attributes that `__init__` sets, with the types and defaults of the parameters that they are named after."""
    parameters = maker.args.args
    defaults = [*[None] * (len(parameters) - len(maker.args.defaults)), *maker.args.defaults]
    typed = {one.arg: (one.annotation, default) for one, default in zip(parameters, defaults, strict=True)}
    for node, text in with_text(maker.body):
        match node:
            case ast.Assign([target]) | ast.AnnAssign(target):
                pass
            case _:
                continue
        if isinstance(target, ast.Attribute) and not target.attr.startswith("_"):
            annotation, default = typed.get(target.attr, (getattr(node, "annotation", None), None))
            yield FieldDoc(target.attr, _unparsed(annotation), _unparsed(default), text)


def with_text(body: list[ast.stmt]) -> Iterator[tuple[ast.stmt, str]]:
    """Statements, each with the string that stands below it."""
    for node, below in zip_longest(body, body[1:]):
        match below:
            case ast.Expr(ast.Constant(str(text))):
                yield node, inspect.cleandoc(text)
            case _:
                yield node, ""


def _unparsed(node: ast.expr | None) -> str:
    return ast.unparse(node) if node else ""


def docstring(kind: type, said: str | None) -> str | None:
    """The docstring of a class with a list of its fields below it."""
    listed = fields(kind)
    if not listed:
        return said
    lines = [inspect.cleandoc(said), ""] if said else []
    lines.append("Fields:")
    for field in listed:
        lines.append(indent(field.head, " " * 4))
        lines += [indent(field.text, " " * 8)] if field.text else []
    return "\n".join(lines)


def signature(kind: Any) -> inspect.Signature:
    """The signature of a class: the fields of a named tuple also by position, those of a frozen record by keyword."""
    is_tuple = issubclass(kind, tuple)
    names = kind._fields if is_tuple else kind.__annotations__
    defaults = kind._field_defaults if is_tuple else vars(kind)
    way = inspect.Parameter.POSITIONAL_OR_KEYWORD if is_tuple else inspect.Parameter.KEYWORD_ONLY
    typed = {
        name: said for one in reversed(kind.__mro__) for name, said in inspect.get_annotations(one).items()
    }
    return inspect.Signature(
        [
            inspect.Parameter(
                name, way, default=defaults.get(name, inspect.Parameter.empty), annotation=typed[name]
            )
            for name in names
        ]
    )
