"""The public names: one list of them, the stub that editors read, and what every one says of itself."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path
from typing import Any

import pytest

import crisis_cli as crisis

STUB = Path(crisis.__file__).with_suffix(".pyi")


def test_every_name_is_there() -> None:
    assert crisis.__all__ == sorted(set(crisis.__all__))
    for name in crisis.__all__:
        assert getattr(crisis, name) is not None
    assert {*dir(crisis)} == {"__version__", *crisis.__all__}


def test_the_stub_has_the_same_names() -> None:
    names = set()
    for node in ast.parse(STUB.read_text("utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            assert all(one.name == one.asname for one in node.names)
            names |= {one.name for one in node.names}
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
    assert names - {"__version__", "__all__", "_library"} == {*crisis.__all__}


@pytest.mark.parametrize("name", ["Mapping", "NamedTuple", "TYPE_CHECKING", "MODULES", "annotations", "Desk"])
def test_nothing_else_is_public(name: str) -> None:
    with pytest.raises(AttributeError, match=f"has no attribute '{name}'"):
        getattr(crisis, name)


def members(one: type) -> dict[str, Any]:
    """What a class of ours has of its own, by public names; the fields of named tuples left out."""
    found: dict[str, Any] = {}
    for kind in reversed(one.__mro__):
        if kind.__module__.startswith("crisis_cli"):
            found |= {
                key: value
                for key, value in vars(kind).items()
                if not key.startswith("_") and (callable(value) or isinstance(value, (property, classmethod)))
            }
    return found


def test_everything_says_what_it_is() -> None:
    silent = []
    for name in crisis.__all__:
        one = getattr(crisis, name)
        if not (inspect.isclass(one) or callable(one)):
            continue
        if not inspect.getdoc(one):
            silent.append(name)
        if inspect.isclass(one):
            silent += [f"{name}.{key}" for key, value in members(one).items() if not inspect.getdoc(value)]
    assert silent == []


RETURNED = {
    "begin": "Fight",
    "attack": "Result",
    "chances": "Chances",
    "simulate": "Simulated",
    "duel": "Duel",
    "foe": "Foe",
    "journal": "Journal",
}


@pytest.mark.parametrize("method, kind", RETURNED.items())
def test_classes_that_are_given_back_are_public(method: str, kind: str) -> None:
    annotation = inspect.signature(getattr(crisis.Library, method)).return_annotation
    assert annotation == kind and kind in crisis.__all__


def public_returns() -> set[str]:
    """The names in the annotations of what methods and properties of public classes give back."""
    words: set[str] = set()
    for name in (
        "Library",
        "Fight",
        "Journal",
        "State",
        "Result",
        "Story",
        "Ended",
        "Chances",
        "Choose",
        "Foe",
    ):
        for value in members(getattr(crisis, name)).values():
            function = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
            if inspect.isfunction(function):
                said = str(inspect.signature(function).return_annotation)
                nodes = [*ast.walk(ast.parse(said))]
                of_modules = {node.value for node in nodes if isinstance(node, ast.Attribute)}
                words |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
                words |= {node.id for node in nodes if isinstance(node, ast.Name) and node not in of_modules}
    return words


OF_PYTHON = {
    *(
        "Any",
        "Callable",
        "Iterator",
        "Mapping",
        "None",
        "Sequence",
        "bool",
        "dict",
        "float",
        "int",
        "list",
        "object",
    ),
    *("str", "tuple", "bytes"),
}
OF_FILES = {"Doctrine", "EncounterFile", "Sheet"}
"""What files hold: their shelves give it to be read, as the documents of each kind say."""
INTERNAL = {"AutoPlayer", "Desk", "Scene", "Entry", "Request"}
"""What the program itself works with: no part of the interface, though `Fight` has it."""


def test_what_public_methods_give_back_is_public() -> None:
    assert public_returns() - OF_PYTHON - OF_FILES - INTERNAL <= {*crisis.__all__}
