"""What the tests of importers have in common."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from conftest import Player
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from systems.example_packages import in_place

from crisis_cli.rules.importing import ForeignObject, Imported, Importer

Saved = Callable[[Any], str]
QUICK = settings(
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def json_values(*keys: str) -> st.SearchStrategy[Any]:
    """Any values that JSON has; their objects have these keys."""
    return st.recursive(
        st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(keys), inner, max_size=3),
        max_leaves=5,
    )


def fight(crisis: Player, source: str, opening: str) -> None:
    """The actor of a file, whose sheet is fought/it.toml, fights ten rounds, which verify."""
    for old in (*crisis.here.glob("fought/*"), *crisis.here.glob("crisis*.jsonl")):
        old.unlink()
    crisis.ok(f"character import {source} --to fought")
    crisis.ok("character check fought/it.toml")
    crisis.ok(f"{opening} --open --seed 3")
    crisis.ok("play --auto --rounds 10")
    (journal, *_) = sorted(crisis.here.glob("crisis*.jsonl"))
    crisis.ok(f"verify {journal.name}")


@pytest.fixture
def saved(crisis: Player) -> Saved:
    """Saves a value as JSON in the working folder; gives the name of the file."""

    def save(data: Any, name: str = "source.json") -> str:
        Path(crisis.here / name).write_text(json.dumps(data), encoding="utf-8")
        return name

    return save


@pytest.fixture
def d20(monkeypatch: pytest.MonkeyPatch) -> None:
    """The example with an importer of its own, as if it were installed."""
    in_place("d20", monkeypatch)


def leaves(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The paths of all values that hold no others."""
    if isinstance(value, dict | list) and value:
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in pairs:
            yield from leaves(inner, (*path, key))
    else:
        yield path


def others(value: Any) -> tuple[Any, ...]:
    """Values that may stand in place of another."""
    if isinstance(value, bool):
        return (not value,)
    if isinstance(value, int):
        return value + 1, value - 1, value + 2, 1, 0, 40
    words = (
        "medium",
        "energy",
        "fire",
        "con",
        "creature",
        "smallGuns",
        "chem",
        "guns",
        "mind",
        "2d4+3",
        "30",
        "robot",
    )
    more = ("per day", "recharge on roll", "half", "none", "beast", "undead", "Bite", "Medicine")
    return (f"{value}x", *words, *more, "Ranged Weapon Attack: range 20/60 ft.")


def changed(raw: Any, path: tuple[str | int, ...], value: Any) -> Any:
    """A copy with another value at a path."""
    made = deepcopy(raw)
    inner = made
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return made


def imported(importer: Importer, raw: Any) -> tuple[Imported, set[str]]:
    """What an importer makes of an actor, and the paths that it has not read."""
    actor = ForeignObject(raw)
    made = importer.sheet(actor)
    return made, {*actor.unread(), *(path for path, _ in actor.unreadable())}


def untold(importer: Importer, raw: Any) -> list[tuple[str | int, ...]]:
    """The leaves of an actor that change neither its sheet nor its notes, and are in no note: there must be none."""
    usual, unread = imported(importer, raw)
    found = []
    for path in leaves(raw):
        value = raw
        for key in path:
            value = value[key]
        words = [key for key in path if isinstance(key, str)]
        is_noted = any(".".join(words[:length]) in unread for length in range(1, len(words) + 1))
        is_of_the_frame, is_an_order = path == ("name",), path[-1] == "equipped"
        if value in (None, "", [], {}) or is_noted or is_of_the_frame or is_an_order:
            continue
        if all(imported(importer, changed(raw, path, other))[0] == usual for other in others(value)):
            found.append(path)
    return found
