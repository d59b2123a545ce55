"""Reads the map of a field and its legend, as files spell them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..columns import columns, is_printable
from ..errors import FileError
from ..values import NamedTuple
from .field import GROUND, MOST_CELLS, OPEN, BattleMap, Cell, Terrain
from .kinds import Absent, Fault, Flag, ListOf, OneOf, Path, Text, Whole, guess, wrong
from .schema import Field as Key
from .schema import Section

if TYPE_CHECKING:
    from .system import System


def legend_section(system: System) -> Section:
    """The keys of an entry of the legend, as the system knows them."""
    return Section(
        {
            "name": Key(Text(40), "what stands there"),
            "stops": Key(ListOf(OneOf(("move", "sight")), 2), "what it stops"),
            "cover": Key(_Cover(system), "cover that it gives"),
            "slow": Key(Flag(), "whether entering it takes twice the way"),
            "place": Key(Text(40), "the place that its cells belong to"),
            "penetrable": Key(Flag(), "whether shots pass through its cover"),
        }
    )


class _Cover(NamedTuple):
    """The level of cover of a system, as a word or a number; without meaning where it has no cover."""

    system: System

    def read(self, value: Any, path: Path, faults: list[Fault]) -> str:
        """The level; "none" where the system has no cover."""
        kind = self.system.space.cover
        level: str = "none" if isinstance(kind, Absent) else kind.read(value, path, faults)
        return level

    def schema(self) -> dict[str, Any]:
        """That of the system."""
        return {} if isinstance(self.system.space.cover, Absent) else self.system.space.cover.schema()


MAP_CHARACTERS = 65_536
"""The most characters of a map."""


def read_field(
    map_text: str,
    legend: Mapping[str, Any],
    scale: int | None,
    origin: Sequence[int] | None,
    system: System,
    faults: list[Fault] | None = None,
) -> BattleMap:
    """The field that a map and its legend give; FileError with the first fault.

    With `faults` all of them are added to it instead, and what is wrong is left out. The path of a fault is
    `("map", LINE)` with the line of the map from 1, `("legend", KEY, …)`, `("scale",)` or `("origin",)`.
    """
    found: list[Fault] = []
    zones = system.space.beside == 0
    entries = _legend(legend, system, found)
    rows = _rows(map_text, entries, found)
    if zones and scale is not None:
        found.append(Fault(("scale",), f"has no meaning here: a cell is a zone of {system.name}"))
    length = system.space.square if scale is None or zones else Whole(1, 1000).read(scale, ("scale",), found)
    corner = _origin(origin, found)
    if found and faults is None:
        raise _fault_error(found[0])
    if faults is not None:
        faults.extend(found)
    covers = tuple(sorted({one.cover for one in entries.values()} - {"none"}, key=_worth(system)))
    return BattleMap(rows, entries, max(1, length), corner, zones, covers)


def _fault_error(fault: Fault) -> FileError:
    """A fault of a map as an error."""
    where = (
        f"line {fault.path[1]} of the map"
        if fault.path[0] == "map" and len(fault.path) > 1
        else ".".join(map(str, fault.path))
    )
    return FileError(f"{where}: {fault.message}", code="bad_map", key=where)


def _origin(origin: Any, faults: list[Fault]) -> Cell:
    if origin is None:
        return 0, 0
    if not isinstance(origin, (list, tuple)) or len(origin) != 2:
        wrong(faults, ("origin",), "a place, [x, y]", origin)
        return 0, 0
    bounds = Whole(-100_000, 100_000)
    return (bounds.read(origin[0], ("origin", 0), faults), bounds.read(origin[1], ("origin", 1), faults))


def _worth(system: System) -> Any:
    """The order of levels of cover: that of the words of the system, or the number; the last word is the best."""
    words = tuple(getattr(system.space.cover, "words", ()))

    def worth(level: str) -> int:
        if level == words[-1]:
            return 1_000
        return words.index(level) if level in words else int(level)

    # Levels such as 4+ are better the lower they are.
    reaching = [level for level in words if level.endswith("+")]
    return (lambda level: -int(level[0])) if reaching else worth


def _legend(legend: Any, system: System, faults: list[Fault]) -> dict[str, Terrain]:
    if not isinstance(legend, Mapping):
        wrong(faults, ("legend",), "a table", legend)
        return {}
    section, entries = legend_section(system), dict[str, Terrain]()
    for key, value in legend.items():
        path = ("legend", key)
        if key in GROUND:
            faults.append(Fault(path, "is open ground already: take another character"))
            continue
        if not _is_sign(key) and not (len(key) > 1 and key.replace("-", "").replace("_", "").isalnum()):
            faults.append(
                Fault(path, "must be a character of the map, or a word for what is put there later")
            )
            continue
        read = section.read(value, path, faults)
        terrain = Terrain(**{**read, "stops": tuple(dict.fromkeys(read.get("stops", ())))})
        entries[key] = terrain
    return entries


def _is_sign(sign: str) -> bool:
    """Whether a word is one character that takes one column."""
    return len(sign) == 1 and is_printable(sign) and columns(sign) == 1


def _rows(text: Any, legend: Mapping[str, Terrain], faults: list[Fault]) -> list[str]:
    """The lines of a map, each as long as the first; what the legend lacks becomes open ground."""
    if not isinstance(text, str) or not text.strip("\n"):
        wrong(faults, ("map",), "lines of characters", text)
        return [OPEN]
    if len(text) > MAP_CHARACTERS:
        faults.append(Fault(("map",), f"must have {MAP_CHARACTERS} characters at most, not {len(text)}"))
        return [OPEN]
    rows = text.replace("\r\n", "\n").split("\n")
    first = next(number for number, row in enumerate(rows) if row)
    rows = rows[first:]
    while not rows[-1]:
        rows.pop()
    wide = len(rows[0])
    if len(rows) > MOST_CELLS or wide > MOST_CELLS:
        faults.append(
            Fault(("map",), f"must have {MOST_CELLS} rows and columns at most, not {len(rows)} and {wide}")
        )
        return [OPEN]
    known, reported = GROUND | set(legend), set[str]()
    for number, row in enumerate(rows, start=first + 1):
        if len(row) != wide:
            faults.append(Fault(("map", number), f"has {len(row)} characters where the first has {wide}"))
        for column, sign in enumerate(row):
            if sign not in known and sign not in reported:
                reported.add(sign)
                near = guess(sign, [key for key in legend if len(key) == 1])
                what = f"{sign!r} at column {column + 1} is not in the legend{near}"
                faults.append(Fault(("map", number), what if _is_sign(sign) else f"{what}, nor can it be"))
    clean = ("".join(sign if sign in known else OPEN for sign in row) for row in rows)
    return [row[:wide].ljust(wide, OPEN) for row in clean]
