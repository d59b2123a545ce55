"""The keys of an encounter's file, as a system knows them, and the kinds of their values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ..columns import is_printable
from ..random_tables.oracle import LIKELY
from ..values import NamedTuple
from .dice_amount import Amount
from .encounter import EACH, OPPONENTS
from .kinds import (
    Either,
    Fault,
    Flag,
    Kind,
    ListOf,
    MapOf,
    OneOf,
    Path,
    Point,
    Text,
    Whole,
    guess,
    shown,
    wrong,
)
from .read_field import MAP_CHARACTERS, legend_section
from .schema import Field, Section
from .sheet import NAME, Level, renamed

if TYPE_CHECKING:
    from .system import System

MOST_COPIES, MOST_EVENTS, MOST_GROUPS = 20, 100, 40
AWARD = r"[+-]?\d{1,6}(\s+[^\s:]{1,40})?"
"""An amount and perhaps a unit, as a regular expression."""
MOST_TEXT = 2_000
"""Most characters of a text."""


class LongText(NamedTuple):
    """A text of one or several lines without control characters."""

    most: int = MOST_TEXT

    def read(self, value: Any, path: Path, faults: list[Fault]) -> str:
        """The text, without blank lines around it."""
        if not isinstance(value, str):
            wrong(faults, path, "text", value)
            return ""
        lines = value.replace("\r\n", "\n").split("\n")
        if not value.strip() or len(value) > self.most or not all(map(is_printable, lines)):
            wrong(faults, path, f"1 to {self.most:,} printable characters", value)
            return ""
        return "\n".join(line.rstrip() for line in lines).strip("\n")

    def schema(self) -> dict[str, Any]:
        """A string."""
        return {"type": "string", "minLength": 1, "maxLength": self.most}


class Positions(NamedTuple):
    """`[x, y]`, a list of such places, or the name of a place of the map."""

    def read(self, value: Any, path: Path, faults: list[Fault]) -> Any:
        """The name, or a list of places."""
        if isinstance(value, str):
            return Text(40).read(value, path, faults)
        if isinstance(value, list) and value and isinstance(value[0], list):
            return ListOf(Point(), 100).read(value, path, faults)
        if isinstance(value, list) and len(value) == 2:
            return [Point().read(value, path, faults)]
        wrong(faults, path, "a place: [x, y], a list of such, or a name from the legend", value)
        return []

    def schema(self) -> dict[str, Any]:
        """A pair, a list of pairs, or a string."""
        pair = Point().schema()
        return {"anyOf": [pair, {"type": "array", "items": pair}, Text(40).schema()]}


class Likely(NamedTuple):
    """How likely something is: a word of the oracle, or a number from 1 to 99."""

    def read(self, value: Any, path: Path, faults: list[Fault]) -> int:
        """The chance in percent."""
        if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 99:
            return value
        word = value.strip().lower().replace("_", "-").replace(" ", "-") if isinstance(value, str) else ""
        if word in LIKELY:
            return LIKELY[word]
        wanted = f"a number from 1 to 99 or one of {', '.join(LIKELY)}"
        faults.append(Fault(path, f"must be {wanted}, not {shown(value)}{guess(word, LIKELY)}"))
        return 50

    def schema(self) -> dict[str, Any]:
        """A number, or one of the words."""
        return {"anyOf": [{"type": "integer", "minimum": 1, "maximum": 99}, {"enum": list(LIKELY)}]}


class Count(NamedTuple):
    """How many: a number, or dice such as `d3+1`."""

    def read(self, value: Any, path: Path, faults: list[Fault]) -> str | int:
        """The amount as it is written."""
        plain = isinstance(value, (str, int)) and not isinstance(value, bool)
        read = Amount.parse(value) if plain else None
        most = read.many * read.sides + read.plus if read else 0
        if read is None or not 1 <= most <= MOST_COPIES or (not read.many and read.plus < 1):
            wrong(faults, path, f"a number from 1 to {MOST_COPIES}, or dice such as d3+1", value)
            return 1
        return str(read) if read.many else read.plus

    def schema(self) -> dict[str, Any]:
        """A number, or a string of dice."""
        dice = {"type": "string", "pattern": r"^\d*[dD]\d+([+-]\d+)?$"}
        return {"anyOf": [{"type": "integer", "minimum": 1, "maximum": MOST_COPIES}, dice]}


class ReadLater(NamedTuple):
    """A value that is checked with others, by `read_field`; `kind` is what its schema says."""

    kind: Kind

    def read(self, value: Any, path: Path, faults: list[Fault]) -> Any:
        """The value as it is."""
        return value

    def schema(self) -> dict[str, Any]:
        """That of the kind."""
        return self.kind.schema()


class InlineSheet(NamedTuple):
    """A whole sheet of a system, written where one is named; its `system` may be left out."""

    system: System

    def read(self, value: Any, path: Path, faults: list[Fault]) -> dict[str, Any]:
        """The values of the sheet."""
        if not isinstance(value, Mapping):
            wrong(faults, path, "the name of a sheet, or a table with one", value)
            return {}
        found: list[Fault] = []
        whole = {"system": self.system.name, "player": False, **renamed(value)}
        values = self.system.sheet.read(whole, path, found)
        if not found:
            found += [fault._replace(path=(*path, *fault.path)) for fault in self.system.faults(values)]
        faults += found
        return values

    def schema(self) -> dict[str, Any]:
        """An object; its keys are those of the sheets of the system."""
        return {"type": "object", "description": f"a sheet: crisis character schema {self.system.name}"}


class AwardText(NamedTuple):
    """What is awarded: an amount and perhaps a unit, such as `2 xp`."""

    def read(self, value: Any, path: Path, faults: list[Fault]) -> str:
        """The amount and the unit with one space between them."""
        text = " ".join(value.split()) if isinstance(value, str) else ""
        if re.fullmatch(AWARD, text) and is_printable(text):
            return text
        wrong(faults, path, "a number and perhaps a unit, such as 2 xp", value)
        return "1"

    def schema(self) -> dict[str, Any]:
        """A string."""
        return {"type": "string", "pattern": f"^{AWARD}$"}


class NameOrTable(NamedTuple):
    """A name or words, or a table."""

    table: Kind

    def read(self, value: Any, path: Path, faults: list[Fault]) -> Any:
        """The name, or what the table holds."""
        if isinstance(value, str):
            return Text(200).read(value, path, faults)
        return self.table.read(value, path, faults)

    def schema(self) -> dict[str, Any]:
        """A string or an object."""
        return {"anyOf": [Text(200).schema(), self.table.schema()]}


class OneOrMore(NamedTuple):
    """One value of a kind, or a list of them."""

    kind: Section | Text
    most: int = 20

    def read(self, value: Any, path: Path, faults: list[Fault]) -> list[Any]:
        """The values."""
        if isinstance(value, list):
            return ListOf(self.kind, self.most).read(value, path, faults)
        return [self.kind.read(value, path, faults)]

    def schema(self) -> dict[str, Any]:
        """One or a list."""
        return {"anyOf": [self.kind.schema(), ListOf(self.kind, self.most).schema()]}


def schema(system: System) -> Section:
    """The schema of the encounters of a system."""
    conditions = tuple(system.conditions)
    levels = Either(ListOf(OneOf(conditions)), MapOf(Level(), lower=True, words=dict.fromkeys(conditions)))
    pools = tuple(name for name, pool in system.pools.items() if not pool.gear)
    fighter = Section(
        {
            "sheet": Field(NameOrTable(InlineSheet(system)), "its sheet: a name, or a table", required=True),
            "name": Field(NAME, "its name, if not that of the sheet"),
            "count": Field(Count(), "how many: a number or dice; they are numbered"),
            "side": Field(NAME, "the side it is on", "ALL-3", OPPONENTS),
            "at": Field(Positions(), "where it stands: [x, y], a list of such, or a place", "ALL-4"),
            "fixed": Field(Flag(), "whether the cells of the place are taken in order", "", False),
            "doctrine": Field(NAME, "the doctrine it follows, if not that of its sheet"),
            "conditions": Field(levels, "conditions that are on"),
            "pools": Field(MapOf(Whole(-9999, 9999), lower=True, words=dict.fromkeys(pools)), "pools now"),
            "loot": Field(Flag(), "false: it leaves nothing behind when it is out of the fight"),
        }
    )
    kinds = {listed: system.sheet.fields[listed].kind for listed in system.carried.split()}
    reward = Section(
        {
            "give": Field(Text(40), "a weapon or an item"),
            "ammo": Field(Text(40), "ammunition for this weapon"),
            "count": Field(Whole(1, 999), "with give or ammo: how many"),
            "award": Field(AwardText(), "an amount and perhaps a unit, such as 2 xp"),
            "to": Field(OneOf((EACH,)), "with award: everybody of the party gets it"),
            **{
                listed.removesuffix("s"): Field(
                    kind.kind, f"with give: what it is, as under {listed} of a sheet"
                )
                for listed, kind in kinds.items()
                if isinstance(kind, MapOf)
            },
        }
    )
    circumstance = Section(
        {
            "name": Field(Text(40), "what it is called", required=True),
            "rolls": Field(
                ListOf(OneOf(modified_rolls(system)), 20), "the rolls that it changes", "ALL-6", required=True
            ),
            "value": Field(Whole(-99, 99, signed=True), "the modifier; 0 ends it", required=True),
            "who": Field(Text(40), "the fighter or the side that it concerns, if not everybody"),
            "range": Field(system.space.range, "the distance from which on it counts"),
        }
    )
    event = Section(
        {
            "round": Field(Whole(1, 999), "when this round begins"),
            "after": Field(Whole(1, 999), "when this round is over"),
            "down": Field(Text(60), "when this fighter, or side:NAME, is out of the fight"),
            "left": Field(Whole(0, 100), "with down: how many may still stand"),
            "hurt": Field(Text(60), "when this fighter is hurt"),
            "below": Field(Whole(1, 100), "with hurt: percent of its life"),
            "reach": Field(Text(40), "when this place is reached"),
            "who": Field(Text(40), "with reach: who must reach it, a side or a fighter (players)"),
            "count": Field(Whole(1, 100), "with reach: how many of them (1)"),
            "all": Field(Flag(), "with reach: all of them who still stand"),
            "odds": Field(Likely(), "how likely it is then: a word of the oracle or percent"),
            "again": Field(Flag(), "each time, not once", "", False),
            "text": Field(LongText(), "what is shown"),
            "add": Field(ListOf(fighter, MOST_GROUPS), "fighters who come; they act from the next round"),
            "remove": Field(OneOrMore(Text(40)), "fighters who leave"),
            "terrain": Field(
                OneOrMore(
                    Section(
                        {
                            "at": Field(Point(), "the place", required=True),
                            "to": Field(Text(40), "the entry of the legend", required=True),
                        }
                    )
                ),
                "other entries of the legend, put on the map",
            ),
            "conditions": Field(MapOf(levels), "conditions that begin, by fighter or side"),
            "doctrine": Field(MapOf(NAME), "doctrines from then on, by fighter or side"),
            "circumstance": Field(OneOrMore(circumstance), "modifiers from then on"),
            "tension": Field(Whole(-6, 6, signed=True), "what is added to the tension"),
            "wins": Field(Text(40), "the side that wins, or nobody"),
            "secret": Field(Flag(), "with wins: not shown as a goal"),
        }
    )
    return Section(
        {
            "name": Field(Text(60), "title"),
            "system": Field(OneOf((system.name,)), "the rule system", required=True),
            "about": Field(Text(200), "what it is about, one line"),
            "open": Field(LongText(), "text at the beginning"),
            "won": Field(LongText(), "text for the players' victory"),
            "lost": Field(LongText(), "text for their defeat"),
            "reward": Field(
                ListOf(NameOrTable(reward), 20), "what victory brings: words, or tables for `crisis take`"
            ),
            "last_stand": Field(Flag(), "whether it ends when one side is out of the fight", "ALL-5", True),
            "map": Field(
                ReadLater(LongText(MAP_CHARACTERS)), "the place, a character for each cell", "ALL-4"
            ),
            "legend": Field(
                ReadLater(MapOf(legend_section(system), most=200)), "what the characters of the map mean"
            ),
            "scale": Field(ReadLater(Whole(1, 1000)), "how long a cell is, in the unit of the system"),
            "origin": Field(ReadLater(Point()), "the place of the cell at the bottom left"),
            "party": Field(
                Section(
                    {
                        "sheets": Field(ListOf(Text(200), 20), "the sheets of the players' fighters"),
                        "at": Field(Positions(), "where they begin"),
                        "fixed": Field(Flag(), "whether the cells are taken in order", "", False),
                    }
                ),
                "who plays if no fighters are named",
            ),
            "fighter": Field(ListOf(fighter, MOST_GROUPS), "those who are there", required=True),
            "circumstance": Field(ListOf(circumstance, 20), "standing modifiers of the place", "ALL-6"),
            "event": Field(ListOf(event, MOST_EVENTS), "what happens by itself"),
        }
    )


def modified_rolls(system: System) -> tuple[str, ...]:
    """The rolls and values that standing modifiers can change (ALL-6)."""
    kind = system.sheet.fields["circumstance"].kind
    return tuple(kind.words) if isinstance(kind, MapOf) else ()


def faults_of_record(values: Mapping[str, Any]) -> Iterator[Fault]:
    """The faults of a journal whose encounter does not hold the sheets of those who may come later."""
    for number, event in enumerate(values.get("event", ())):
        for at, one in enumerate(event.get("add", ())):
            if isinstance(one["sheet"], str):
                yield Fault(("event", number, "add", at, "sheet"), "must be a whole sheet")
