"""Every key that `--json` prints for an action of any casebook is documented in crisis-json(5)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import pytest
from conftest import slow_but

from crisis_cli.conformance import casebook
from crisis_cli.conformance.casebook import books
from crisis_cli.engine.record import Entry
from crisis_cli.manual.pages import pages
from crisis_cli.render import data
from crisis_cli.systems import SYSTEMS, load

BY_NAME = {"expected_harm", "standing", "pools", "max", "conditions", "cover", "sides"}
"""Keys whose objects have names of fighters, sides, pools or choices as their keys."""


def documented() -> set[str]:
    """The keys that crisis-json(5) prints in bold: those with a line of their own, and those named in a text."""
    page = pages()["man5/crisis-json.5"].replace("\\-", "-").replace("\\&", "")
    return set(re.findall(r"\\fB([\w:-]+)\\fR", page))


def keys_in(value: Any, where: str, named: Collection[str] = ()) -> Iterator[tuple[str, str]]:
    """Each key in a record and in the objects it holds, with the place it stands at; names are no keys, as those of
    the objects under the keys `named` are not."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield key, f"{where}.{key}"
            if key in BY_NAME or (key in named and isinstance(inner, Mapping)):
                continue
            yield from keys_in(inner, f"{where}.{key}", named)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from keys_in(inner, f"{where}[]", named)


@pytest.mark.parametrize("name", slow_but(SYSTEMS, "3d6"))
def test_every_key_of_every_case_is_documented(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    system, book, found = load(name), books()[name], set()
    really = casebook.perform

    def perform(*given: Any, **options: Any) -> Entry:
        entry = really(*given, **options)
        found.update(keys_in(data.entry(entry, system, 1, True, explain=True), "entry"))
        return entry

    monkeypatch.setattr(casebook, "perform", perform)
    for case in book["case"]:
        if "faults" in case:
            continue
        casebook.run(system, book, case)
        found.update(keys_in(data.status(casebook.opening(system, book, case), system, 1), "status"))
    assert len(found) > 40
    known = documented()
    assert sorted(where for key, where in found if key not in known) == []
