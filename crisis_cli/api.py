"""The Python interface: `import crisis_cli as crisis`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .errors import CrisisError as CrisisError
from .errors import FileError as FileError
from .errors import NotationError as NotationError
from .errors import Refused as Refused
from .errors import Usage as Usage
from .values import NamedTuple

if TYPE_CHECKING:
    from .dice.distribution import OddsTable
    from .notation.grammar import Notation
    from .play.chances import Comparison, Odds

MODULES = {
    "play.chances": ("Chance", "Chances", "Comparison", "Odds", "Ranked"),
    "play.dice": ("Dice",),
    "play.dueling": ("Duel",),
    "play.ending": ("Ended",),
    "play.fight": ("Fight",),
    "play.foes": ("Foe",),
    "play.library": ("Library", "Journal", "Warning"),
    "play.requests": ("Act", "Choose", "Faces", "Legal", "Option", "PASS", "Respond"),
    "play.results": ("Explained", "Result", "State"),
    "play.story": ("Story",),
    "engine.legal_actions": ("Barred",),
    "engine.record": ("Modifier",),
    "engine.responses": ("Response",),
    "engine.scene": ("Fighter", "Intent"),
    "engine.verify": ("Difference",),
    "render.goals": ("Approach", "GoalProgress"),
    "render.simulation": ("Simulated",),
    "sheets.shelf": ("Shelf",),
    "simulation.tally": ("Share",),
    "story.recap": ("Recap",),
    "story.spoils": ("Spoils",),
}
"""The modules and the public names that come from each; a module is loaded when one of its names is first used."""
SHORTCUTS = (
    *("attack", "throw", "heal", "check", "do", "chances", "begin", "resume", "journal"),
    *("simulate", "duel", "foe", "ask", "draw"),
)
"""Methods of a `Library` that are there for that of the working folder."""
HERE = ("CrisisError", "FileError", "NotationError", "Refused", "Roll", "Usage", "compare", "odds", "roll")
__all__ = sorted([*HERE, *SHORTCUTS, *(name for names in MODULES.values() for name in names)])


class Roll(NamedTuple):
    """One roll of an expression; `int(roll)` is its total."""

    total: int
    faces: list[tuple[int, int]]
    """Every die in the order of rolling: (sides, face)."""
    text: str
    """The roll as the command line prints it; one line for each row."""
    seed: int | None
    """The seed of the dice; None where faces were given."""
    rows: list[Roll]
    """The rolls of an expression that is repeated (`3#4d6`); otherwise this one alone."""
    record: Mapping[str, Any]

    def __int__(self) -> int:
        return self.total

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        """The roll as `crisis roll --json` prints it; of one that is repeated, the `rows` that it prints."""
        return dict(self.record)


def roll(
    expression: str,
    *,
    seed: int | None = None,
    faces: Sequence[int] | None = None,
    values: Mapping[str, Any] | None = None,
) -> Roll:
    """Roll an expression in dice notation: by a seed, by given faces in order, or else at random.

    `values` are a sheet, for names such as `@might`. NotationError where the expression cannot be rolled, WrongDice
    (a Usage) where faces are left over, too few, or not on the dice.
    """
    import os

    from .dice import LIMITS
    from .dice.generator import Seeded, generator
    from .dice.scripted import Scripted
    from .dice.table import Table
    from .notation.pools import Rolling
    from .notation.roller import compiled
    from .play.said import dice_of
    from .render.roll_json import record
    from .render.rolls import teller
    from .render.style import Ink

    if seed is not None and faces is not None:
        raise Usage("a roll takes a seed or faces, not both", code="conflicting_options")
    given = dice_of(seed, faces)
    scripted = None if given.results is None else Scripted(given.results)
    if scripted is None and seed is None:
        seed = int.from_bytes(os.urandom(4), "big") >> 1
    notation = _parsed(expression, values)
    table = Table(scripted or Seeded(generator(seed or 0).random))
    made, rolling = compiled(notation.expression), Rolling(table, limits=LIMITS)
    tell, rows = teller(notation, made, Ink()), list[Roll]()
    rolling.begin()
    for _ in range(notation.repeat or 1):
        table.throws.clear()
        rolling.rows, rolling.totals = [], []
        total = int(made.roll(rolling))
        shown = [one for throw in table.throws for one in throw.faces]
        fields = record(notation, made.result(rolling, total), seed)
        rows.append(Roll(total, shown, tell(rolling, total), seed, [], fields))
    if scripted is not None:
        scripted.finish()
    if notation.repeat is None:
        return rows[0]._replace(rows=rows)
    text, every = "\n".join(row.text for row in rows), [face for row in rows for face in row.faces]
    return Roll(
        sum(row.total for row in rows), every, text, seed, rows, {"rows": [row.to_dict() for row in rows]}
    )


def odds(expression: str, *, values: Mapping[str, Any] | None = None) -> Odds:
    """The exact odds of an expression in dice notation; `values` are a sheet, for names such as `@might`.

    NotationError where it cannot be read or has no odds.
    """
    from .dice.distribution import OddsTable
    from .dice.measures import finite
    from .notation.distribution import distribution_of
    from .notation.mean import mean
    from .play.chances import Odds
    from .render import distribution as shown

    notation, table = _parsed(expression, values), _odds_table()
    distribution = finite(distribution_of(notation, table))

    def record() -> dict[str, Any]:
        return shown.record(notation, distribution, mean(notation, OddsTable()), None, None)

    return Odds(distribution, notation.canonical, record)


def compare(expression: str, other: str, *, values: Mapping[str, Any] | None = None) -> Comparison:
    """How likely a roll of one expression is higher than, equal to and lower than that of another."""
    from .dice.distribution import OddsTable
    from .dice.measures import compared, finite
    from .notation.distribution import distribution_of
    from .notation.mean import mean
    from .play.chances import Comparison
    from .render import distribution as shown

    first, second, table = _parsed(expression, values), _parsed(other, values), _odds_table()
    one, another = (finite(distribution_of(notation, table)) for notation in (first, second))
    ways = compared(one, another, table.effort)
    is_truncated = one.truncated or another.truncated

    def record() -> dict[str, Any]:
        against = shown.Against(second, ways, is_truncated)
        return shown.record(first, one, mean(first, OddsTable()), None, against)

    return Comparison(ways, is_truncated, record)


def _parsed(expression: str, values: Mapping[str, Any] | None) -> Notation:
    from .dice import LIMITS
    from .notation.parser import parse
    from .play.said import mapping, word
    from .sheets.values import filled_from

    notation = parse(word(expression, "dice notation"), LIMITS)
    return notation if values is None else filled_from(mapping(values, "the values of a sheet"))(notation)


def _odds_table() -> OddsTable:
    """The table of exact odds within the limits of one question."""
    from .dice import LIMITS
    from .dice.distribution import OddsTable
    from .dice.effort import Effort

    return OddsTable(effort=Effort(dice=LIMITS.dice))


def __getattr__(name: str) -> Any:
    """A name whose module is loaded when the name is first used."""
    from importlib import import_module

    for module, names in MODULES.items():
        if name in names:
            return getattr(import_module(f".{module}", __package__), name)
    if name in SHORTCUTS:
        from .play.library import Library

        return getattr(Library(), name)
    raise AttributeError(f"crisis_cli has no {name}")
