"""Rolls on tables: the rows that come, and those of decks that have been drawn before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from .. import systems
from ..engine.scene import Intent, Scene
from ..errors import Refused, Usage
from ..random_tables.draw import decks_within
from ..random_tables.table import RandomTable
from ..values import NamedTuple
from .answers import Player
from .attacking import Planned
from .desk import Desk
from .dice import KEPT, Dice, Keep
from .perform import perform_and_record
from .results import Result
from .said import whole_number, words_of
from .session import Session

MOST_TIMES = 1_000
"""Most rolls on each table at once."""


class Draws(NamedTuple):
    """Rolls on tables as they are asked for."""

    names: tuple[str, ...]
    times: int = 1
    """How often each table is rolled on."""
    unique: bool = False
    """Whether no row of a table comes twice."""
    without: tuple[int, ...] = ()
    """The numbers of the rows that cannot come."""


def draws(tables: Sequence[object], times: object, unique: bool, without: object = ()) -> Draws:
    """Rolls on tables as a program asks for them; Usage for what is no name or number."""
    if not isinstance(without, (list, tuple)):
        raise Usage(f"{without!r} is not a list of rows", code="bad_value")
    rows = tuple(whole_number(row, 1, what="a row") for row in without)
    return Draws(words_of(tables), whole_number(times, 1, MOST_TIMES, "how often"), unique, rows)


def aside(desk: Desk) -> Session:
    """The session in which tables and the oracle answer: that in use, or else one without fighters, which belongs to no
    system."""
    session = desk.session_in_use()
    if session is None:
        system = systems.load(systems.names()[0])
        session = Session(system, Scene(system.name, {}))
    return session


def draw(
    desk: Desk,
    asked: Draws,
    dice: Dice,
    keep: Keep = KEPT,
    player: Player | None = None,
    session: Session | None = None,
) -> Iterator[Result]:
    """Roll on tables, each roll as it is recorded, in the open crisis or else in the story of the campaign.

    Refused where a table has too few rows left; Usage where one has no such row, or none of it can be left out.
    """
    without = asked.without
    store, seed = desk.shelves.tables(), dice.seed
    rolls = [tables for name in asked.names for tables in [store.with_references(name)] * asked.times]
    if dice.results is not None and len(rolls) > 1:
        raise Usage(
            "--dice goes with one roll", hint="leave out -n and the other names", code="conflicting_options"
        )
    session = session or aside(desk)
    for name, count in Counter(next(iter(tables)) for tables in rolls).items():
        _require_rows(session, store.named(name), count, asked)
    drawn: dict[str, set[int]] = {}
    came: dict[str, set[int]] = {}
    """The rows of these rolls, those within others included: without a journal nothing else remembers them."""
    for at, tables in enumerate(rolls):
        table = next(iter(tables.values()))
        if table.roll and (asked.unique or without):
            raise Usage(
                f"{table.name} is rolled with {table.dice}, so that no row can be left out",
                hint="leave out --unique and --without",
                code="bad_value",
            )
        rows = drawn.setdefault(table.name, set())
        left_out = {*without, *(rows if asked.unique else ())}
        gone = {deck: came.get(deck, set()) | out for deck, out in drawn_before(session, tables).items()}
        intent = Intent("tables", "", (), {"table": table.name, **drawing_options(tables, gone, left_out)})
        # Each roll outside a crisis has a seed of its own, so that each can be repeated alone.
        own_dice = dice._replace(seed=None if seed is None else seed + at)
        done = perform_and_record(desk, session, intent, own_dice, keep, player)
        yield done
        session, outcome = done.session, done.entry.outcome
        rows.add(int(outcome["row"]))
        for row in _rows_of(outcome):
            came.setdefault(str(row["table"]), set()).add(int(row["row"]))


def _require_rows(session: Session, table: RandomTable, count: int, asked: Draws) -> None:
    """Raise Usage where the table has not the rows that are to be left out, Refused where it has too few left."""
    beyond = [number for number in asked.without if not 1 <= number <= len(table.rows)]
    if beyond:
        raise Usage(
            f"{table.name} has {len(table.rows)} row{'s' * (len(table.rows) != 1)}, and no row {beyond[0]}",
            hint=f"their numbers: crisis tables show {table.name} --json",
            code="bad_value",
        )
    left = len(table.rows) - len({*asked.without, *_rows_out(session, table)})
    if (asked.unique or table.deck) and count > left:
        can_shuffle = table.deck and session.journal is not None
        raise Refused(
            f"{table.name} has {left} row{'s' * (left != 1)} left; {count} are asked for"
            if left
            else f"all rows of {table.name} are drawn",
            hint=f"begin again: crisis tables shuffle {table.name}" if can_shuffle else "ask for fewer",
            code="used_up",
        )


def drawing_options(
    tables: Mapping[str, RandomTable], gone: Mapping[str, Collection[int]], without: Collection[int] = ()
) -> dict[str, Any]:
    """What an intent holds to draw from the first of some tables: all of them, the rows of the first that cannot come,
    and those of the decks within it that are `gone`."""
    values: dict[str, Any] = {"tables": {name: table.record() for name, table in tables.items()}}
    if decks := decks_within(tables):
        values["out"] = {deck: sorted(gone[deck]) for deck in decks}
    if left_out := {*without, *gone.get(next(iter(tables)), ())}:
        values["without"] = sorted(left_out)
    return values


def drawn_before(session: Session, tables: Mapping[str, RandomTable]) -> dict[str, set[int]]:
    """For each deck among some tables the rows that are out: drawn in this crisis since it was shuffled, by itself,
    from other tables or as a twist of the oracle."""
    return {name: _rows_out(session, table) for name, table in tables.items() if table.deck}


def _rows_out(session: Session, table: RandomTable) -> set[int]:
    out: set[int] = set()
    for entry in session.crisis.done if table.deck and session.crisis else ():
        if entry.intent.action == "shuffle" and entry.intent.get("table") == table.name:
            out = set()
        else:
            drawn = {"tables": entry.outcome, "oracle": entry.outcome.get("twist")}.get(entry.intent.action)
            out |= {int(row["row"]) for row in _rows_of(drawn or {}) if row["table"] == table.name}
    return out


def _rows_of(drawn: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The rows of an outcome: the one that was drawn, and those that it drew from other tables."""
    if drawn:
        yield drawn
        yield from drawn.get("inside", ())


def shuffling(desk: Desk, name: str, session: Session | None = None) -> Planned:
    """All rows put back into a deck, in the session in use if none is given; Refused for a table that is no deck."""
    table = desk.shelves.tables().named(name)
    if not table.deck:
        raise Refused(
            f"{table.name} is no deck: any row can come each time",
            hint="write `deck = true` in it",
            code="wrong_item",
        )
    intent = Intent("shuffle", "", (), {"table": table.name, "title": table.title})
    return Planned(session or desk.require_session_in_use(), intent)
