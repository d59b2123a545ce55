"""Values of sheets that hold for one command: `--set jack.weapons.pistol.damage=6`."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import TYPE_CHECKING, Any

from ..engine.kinds import either, guess
from ..engine.scene import GEAR_OPTIONS
from ..engine.sheet import FORMER_KEYS, renamed
from ..errors import Usage
from ..systems import load
from .check import Sheet, faults_of, spelled
from .files import file_stem
from .names import fold_case, match_name, plain_names

if TYPE_CHECKING:
    from ..engine.system import System

HELD = "held"
"""The key of an override that is what is in hand, though sheets have it in `[state]`."""


def set_value(sheet: dict[str, Any], word: str) -> None:
    """Set a value of a sheet from KEY=VALUE with a dotted key; the value is TOML if it can be, else text."""
    import tomllib

    path, equals, text = word.partition("=")
    if not equals or not path:
        raise Usage(f"--set takes KEY=VALUE, not {word!r}", code="bad_value")
    try:
        value = tomllib.loads(f"v = {text}")["v"]
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        value = text
    *tables, key = path.split(".")
    place = sheet
    for table in tables:
        # A copy: the tables may be those of the sheet it begins as.
        inner = place.get(table, {})
        if not isinstance(inner, dict):
            raise Usage(f"{path}: {table} is a value, not a table", code="bad_value")
        place[table] = dict(inner)
        place = place[table]
    place[key] = value


def overrides_of(sheet: Sheet, words: Iterable[str]) -> list[str]:
    """Those of the overrides (WHO.KEY=VALUE) that are about a sheet, by its file or its name."""
    names = {fold_case(file_stem(sheet.path)), fold_case(sheet.values["name"])}
    return [word for word in words if fold_case(word.partition(".")[0]) in names]


def with_overrides(sheet: Sheet, words: Iterable[str]) -> Sheet:
    """The sheet with these overrides, checked as if they were written in it; Usage naming the key that is wrong."""
    raw, words = renamed(sheet.raw), list(words)
    system = load(sheet.values["system"])
    for word in words:
        former, equals, value = word.partition(".")[2].partition("=")
        if former == HELD:
            state = raw.get("state")
            raw["state"] = {**(state if isinstance(state, dict) else {}), HELD: _held(system, sheet, value)}
            continue
        key = f"{FORMER_KEYS.get(former, former)}{equals}{value}"
        what = key.partition("=")[0]
        if what.partition(".")[0] in ("system", "name"):
            raise Usage(f"the {what} of a sheet cannot be changed for one command", code="bad_value")
        set_value(raw, key)
    values, faults = faults_of(system, raw)
    if faults:
        _require_carried(sheet, words, {fault.path[:2] for fault in faults})
        wrong = "; ".join(f"{spelled(fault.path)}: {fault.message}" for fault in faults)
        name = sheet.values["name"]
        raise Usage(
            f"the sheet of {name}: {wrong}", hint="keys of sheets: crisis-character(5)", code="bad_value"
        )
    return sheet._replace(raw=raw, values=values)


def _held(system: System, sheet: Sheet, words: str) -> list[str]:
    """The things of a sheet that words mean, with commas between them; none for `none`. Usage where one means none or
    several."""
    tables = system.carried.split()
    names = [thing for table in tables for thing in sheet.values.get(table, {})]
    names += [
        one
        for one in system.sheet_rules.single_things
        if sheet.values.get(one) and GEAR_OPTIONS["weapon"] in tables
    ]
    found: list[str] = []
    for word in () if words.lower() == "none" else words.split(","):
        match = match_name(word, plain_names(names))
        if len(match.names) > 1:
            raise Usage(
                f"{word!r} could be {either(match.names)}", hint="type more of the name", code="ambiguous"
            )
        if not match.names:
            raise Usage(
                f"{sheet.values['name']} has no thing called {word!r}{guess(word, names)}",
                hint=f"options: {', '.join([*names, 'none'])}",
                code="unknown_thing",
            )
        found += match.names
    return found


def _require_carried(sheet: Sheet, words: Iterable[str], wrong: Container[tuple[str | int, ...]]) -> None:
    """Raise Usage for an override of a wrong entry that is not on the sheet, with the weapons or items that are."""
    for word in words:
        table, *names = word.partition("=")[0].split(".")[1:]
        kind = next((kind for kind, tables in GEAR_OPTIONS.items() if tables == table), "")
        carried = sheet.values.get(table, {})
        if kind and names and names[0] not in carried and (table, names[0]) in wrong:
            raise Usage(
                f"{sheet.values['name']} has no {kind} called {names[0]!r}{guess(names[0], carried)}",
                hint=f"options: {', '.join(carried) or 'nothing'}",
                code="bad_value",
            )


def require_form(words: Iterable[str]) -> None:
    """Raise Usage for an override that is not WHO.KEY=VALUE."""
    for word in words:
        key, equals, _ = word.partition("=")
        if not equals or not all(key.split(".")) or "." not in key:
            raise Usage(
                f"--set takes WHO.KEY=VALUE, not {word!r}", hint="--set jack.armour.dr=2", code="bad_value"
            )
