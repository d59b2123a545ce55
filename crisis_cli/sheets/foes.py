"""Foes to measure: for each role of a system a sheet, and what makes it stronger step by step.

They stand in `foes.toml` in the folder of the system. Step 0 is the sheet of a role as it is written there; each step
takes the next of the changes under `grows`, after the last one the first again. A change that the rules or `most` do
not allow any more is passed over.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .. import systems
from ..engine.kinds import Fault, ListOf, MapOf, Text, Whole, wrong
from ..engine.kinds import Path as KeyPath
from ..engine.schema import Field, Section
from ..errors import Refused, Usage
from ..values import NamedTuple
from .archetypes import moved, with_value
from .check import checked, faults_of

if TYPE_CHECKING:
    from ..engine.system import System

FILE = "foes.toml"
LEVELS = {1: 0.95, 2: 0.85, 3: 0.7, 4: 0.5, 5: 0.3}
"""The share of fights that the players win at each level."""
MOST_STEPS = 80
"""Most steps of a role."""
RawSheet = Mapping[str, Any]


class Role(NamedTuple):
    """A role: the sheet that it begins as, and how it grows."""

    name: str
    about: str
    together: int
    """How many of them fight together where nobody says."""
    sheet: RawSheet
    grows: tuple[Mapping[str, int | str], ...]
    """Changes, each by dotted key: so much is added, so many words of the ladder, or such a share: `"8%"`."""
    most: Mapping[str, int | str]
    """The highest value of a key, by dotted key."""


class Foes(NamedTuple):
    """The roles of a system, and what its ratios of harm mean."""

    ratios: tuple[float, ...]
    """The exact ratio of harm at which players win the share of each level, from the first level on."""
    ladder: tuple[str, ...]
    """Values that are words, from the weakest to the strongest."""
    roles: Mapping[str, Role]

    def role(self, name: str) -> Role:
        """The role of that name; Usage where there is none."""
        if name not in self.roles:
            raise Usage(
                f"no role of a foe is called {name!r}",
                hint=f"options: {', '.join(self.roles)}",
                code="unknown_name",
            )
        return self.roles[name]


def foes_of(system: System) -> Foes:
    """The roles of a system; Refused where its package has none, FileError listing every fault of the file."""
    folder = systems.folder(system.name)
    path = os.path.join(folder, FILE)
    if not folder or not os.path.isfile(path):
        raise Refused(
            f"{system.name} has no {FILE}, so that no foe can be made to measure",
            hint="a foe at random: crisis character new --random --like WHO; or write the file: crisis help system",
            code="no_foes",
        )
    values = checked(path, path, "foes", lambda raw, faults: _values(system, raw, faults))
    roles = {
        name: Role(name, one["about"], one["count"], one["sheet"], tuple(one["grows"]), one["most"])
        for name, one in values["roles"].items()
    }
    return Foes(tuple(one / 100 for one in values["ratios"]), tuple(values["ladder"]), roles)


def steps_of(system: System, foes: Foes, role: Role) -> tuple[RawSheet, ...]:
    """The sheets of a role from the weakest to the strongest."""
    steps = [dict(role.sheet)]
    passed_over = at = 0
    while passed_over < len(role.grows) and len(steps) <= MOST_STEPS:
        grown = _grown(system, foes, role, steps[-1], role.grows[at % len(role.grows)])
        at += 1
        passed_over = 0 if grown else passed_over + 1
        if grown:
            steps.append(grown)
    return tuple(steps)


def _grown(
    system: System, foes: Foes, role: Role, sheet: RawSheet, change: Mapping[str, int | str]
) -> dict[str, Any] | None:
    """The sheet after a change; None where the rules or the limits of the role do not allow it."""
    made = dict(sheet)
    for key, by in change.items():
        path = tuple(key.split("."))
        before = _value(made, path)
        value = moved(before, _share(before, by) if isinstance(by, str) else by, foes.ladder)
        if value is None or (key in role.most and _is_above(value, role.most[key], foes.ladder)):
            return None
        made = with_value(made, path, value)
    return None if faults_of(system, named(system, made))[1] else made


def _share(value: Any, percent: str) -> int:
    """What a change such as `8%` adds to a number: at least 1."""
    by = int(percent[:-1])
    return round(value * by / 100) or (1 if by > 0 else -1)


def _value(sheet: RawSheet, path: KeyPath) -> Any:
    """The value under a key; None where there is none."""
    found: Any = sheet
    for part in path:
        found = found.get(part) if isinstance(found, dict) else None
    return found


def _is_above(value: int | str, most: int | str, ladder: tuple[str, ...]) -> bool:
    if isinstance(value, str) or isinstance(most, str):
        return ladder.index(str(value)) > ladder.index(str(most))
    return value > most


def named(system: System, sheet: RawSheet, name: str = "Foe") -> dict[str, Any]:
    """A sheet of a role with what every sheet has: the name, the system, and that no player decides for it."""
    return {"name": name, "system": system.name, "player": False, **sheet}


# The file


class _SheetKind(NamedTuple):
    """A sheet of a system, without its name."""

    system: System

    def read(self, value: Any, path: KeyPath, faults: list[Fault]) -> RawSheet:
        """The sheet as it is written, which is in order."""
        if not isinstance(value, dict):
            wrong(faults, path, "a table", value)
            return {}
        found = faults_of(self.system, named(self.system, value))[1]
        faults.extend(one._replace(path=(*path, *one.path)) for one in found)
        return value

    def schema(self) -> dict[str, Any]:
        """The schema of sheets."""
        return self.system.sheet.schema()


class _ChangeKind(NamedTuple):
    """A whole number, or a share in percent: `8%`."""

    def read(self, value: Any, path: KeyPath, faults: list[Fault]) -> int | str:
        """The change."""
        if isinstance(value, int) and not isinstance(value, bool) and value and abs(value) < 1000:
            return value
        number = value[:-1].removeprefix("-") if isinstance(value, str) and value.endswith("%") else ""
        if not (number.isascii() and number.isdigit() and 0 < int(number[:3]) < 100):
            wrong(faults, path, 'a whole number other than 0, or a share such as "8%"', value)
            return 1
        return str(value)

    def schema(self) -> dict[str, Any]:
        """An integer or a string."""
        return {"anyOf": [{"type": "integer"}, {"type": "string", "pattern": r"^-?\d{1,2}%$"}]}


class _LimitKind(NamedTuple):
    """A whole number, or a word of the ladder."""

    def read(self, value: Any, path: KeyPath, faults: list[Fault]) -> int | str:
        """The limit."""
        if isinstance(value, str):
            return value
        return Whole(-9999, 9999).read(value, path, faults)

    def schema(self) -> dict[str, Any]:
        """An integer or a string."""
        return {"type": ["integer", "string"]}


def _schema(system: System) -> Section:
    role = Section(
        {
            "about": Field(Text(), "what it does, in a few words", required=True),
            "count": Field(Whole(1, 20), "how many fight together where nobody says", default=1),
            "grows": Field(ListOf(MapOf(_ChangeKind())), "changes by dotted key, a step each", required=True),
            "most": Field(MapOf(_LimitKind()), "highest values by dotted key", default={}),
            "sheet": Field(_SheetKind(system), "the sheet of step 0, without a name", required=True),
        }
    )
    return Section(
        {
            "ratios": Field(
                ListOf(Whole(1, 100_000), len(LEVELS)),
                "exact ratio of harm at each level, in percent",
                required=True,
            ),
            "ladder": Field(ListOf(Text()), "values that are words, from the weakest", default=[]),
            "roles": Field(MapOf(role, lower=True), "roles by name", required=True),
        }
    )


def _values(system: System, raw: dict[str, Any], faults: list[Fault]) -> dict[str, Any]:
    """The values of a file; what is wrong between its keys is added to the faults."""
    values = _schema(system).read(raw, (), faults)
    if faults:
        return values
    if len(values["ratios"]) != len(LEVELS) or values["ratios"] != sorted(values["ratios"], reverse=True):
        faults.append(Fault(("ratios",), f"must be {len(LEVELS)} numbers, each at most the one before it"))
    for name, role in values["roles"].items():
        for at, change in enumerate(role["grows"]):
            for key, by in change.items():
                found = _value(role["sheet"], tuple(key.split(".")))
                grows = moved(found, 0, tuple(values["ladder"]))
                if grows is None or (isinstance(by, str) and isinstance(grows, str)):
                    path = ("roles", name, "grows", at, key)
                    faults.append(
                        Fault(path, "is no number on the sheet, nor a word of the ladder by a number")
                    )
        for key, most in role["most"].items():
            if isinstance(most, str) and most not in values["ladder"]:
                faults.append(Fault(("roles", name, "most", key), "is not on the ladder"))
    return values
