"""What fighters carry, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..engine.loot import left_in
from ..engine.scene import Fighter
from ..engine.system import System
from ..engine.wording import measured
from .board import wrapped
from .jsontext import VERSION
from .style import Ink

INDENT = 4


def inventory_lines(fighters: Iterable[Fighter], system: System, ink: Ink, width: int) -> Iterator[str]:
    """Each fighter with the tables of the sheet that list things, then belongings."""
    titles = [*system.carried.split(), "belongings"]
    column = ink.widest(titles)
    for one in fighters:
        yield ink("bold", one.name)
        rows = {title: list[str]() for title in titles}
        for listed, name in _things(one, system):
            rows[listed if listed in rows else titles[0]].append(_words(one, system, listed, name))
        rows["belongings"] += one.sheet.get("belongings", ())
        for title, words in rows.items():
            for at, line in enumerate(wrapped(words, width - column - INDENT, " · ", ink) if words else ()):
                yield f"  {ink('dim', ink.padded('' if at else title, column))}  {line}"
        if not any(rows.values()):
            yield f"  {ink('dim', 'nothing')}"


def _words(one: Fighter, system: System, listed: str, name: str) -> str:
    """A thing with what is left in it: `rifle, 4 of 12 shots, in hand`, `knife ×3`."""
    said = name
    for pool, left in left_in(system, one, listed, name).items():
        row, most = system.pools[pool], one.full(f"{pool}:{name}")
        if row.counts(one.sheet, name):
            said += f" ×{left}"
        else:
            of = f" of {most}" if most != left else ""
            said += f", {left}{of} {measured(most, row.label).partition(' ')[2]}"
    return f"{said}, in hand" if name in one.held else said


def inventory_record(fighters: Iterable[Fighter], system: System) -> dict[str, Any]:
    """What fighters carry, as JSON."""
    return {
        "v": VERSION,
        "action": "inv",
        "system": system.name,
        "fighters": [
            {
                "name": one.name,
                "side": one.side,
                "things": [
                    {
                        "name": name,
                        "list": listed,
                        "held": name in one.held,
                        "left": (left := left_in(system, one, listed, name)),
                        "full": {pool: one.full(f"{pool}:{name}") for pool in left},
                    }
                    for listed, name in _things(one, system)
                ],
                "belongings": list(one.sheet.get("belongings", ())),
            }
            for one in fighters
        ],
    }


def _things(one: Fighter, system: System) -> Iterator[tuple[str, str]]:
    """Every thing with the table that lists it; one that is a table of its own is listed by its name."""
    yield from ((listed, name) for listed in system.carried.split() for name in one.sheet.get(listed, {}))
    yield from ((name, name) for name in system.sheet_rules.single_things if name in one.sheet)
