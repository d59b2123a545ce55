"""`crisis tables roll`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import click

from ...completion import Source
from ...context import Context
from ...engine.scene import Intent
from ...errors import Refused, Usage
from ...play.session import Session
from ...random_tables.draw import decks_within
from ...random_tables.table import RandomTable
from .. import options
from ..aside import current_session, perform_and_show

MOST_TIMES = 1_000
"""Most rolls of one command."""


@click.command("roll")
@click.argument("names", nargs=-1, required=True, metavar="NAME...", shell_complete=Source("names.tables"))
@click.option(
    "-n", "--times", type=click.IntRange(1, MOST_TIMES), metavar="N", help="Roll N times on each table."
)
@click.option("--unique", is_flag=True, help="With -n: give no row twice.")
@click.option(
    "--without", type=options.DiceResults(), metavar="4,5,1", help="Leave out the rows with these numbers."
)
@options.seed_option
@options.results_option
@options.real_dice_option
@click.option("--quiet", is_flag=True, help="Print the bare text.")
@click.option("--dry-run", is_flag=True, help="In a crisis: show the result; record nothing.")
@options.common_options
@click.pass_obj
@options.typed
def command(
    context: Context,
    /,
    run: options.Run,
    names: tuple[str, ...],
    times: int | None,
    unique: bool,
    without: tuple[int, ...] | None,
) -> int:
    """Roll on tables. In an open crisis the result is recorded in the log, and can be undone.

    A table that is a deck gives no row twice until it is shuffled; without an open crisis it is whole again at each
    command.

    \b
    Examples:
      crisis tables roll twists
      crisis tables twists spoils
      crisis tables spoils -n 3 --unique
    """
    draw_from(context, names, run, times or 1, unique, without or ())
    return 0


def draw_from(
    context: Context,
    names: Sequence[str],
    run: options.Run,
    times: int = 1,
    unique: bool = False,
    without: Sequence[int] = (),
) -> None:
    """Roll on tables, show the rows, and record them in an open crisis; `without` are rows that cannot come."""
    store, seed = context.desk.shelves.tables(), run.dice.seed
    rolls = [tables for name in names for tables in [store.with_references(name)] * times]
    if run.dice.results is not None and len(rolls) > 1:
        raise Usage(
            "--dice goes with one roll", hint="leave out -n and the other names", code="conflicting_options"
        )
    session = current_session(context)
    for name, count in Counter(next(iter(tables)) for tables in rolls).items():
        one = store.named(name)
        beyond = [number for number in without if not 1 <= number <= len(one.rows)]
        if beyond:
            raise Usage(
                f"{name} has {len(one.rows)} row{'s' * (len(one.rows) != 1)}, and no row {beyond[0]}",
                hint=f"their numbers: crisis tables show {name} --json",
                code="bad_value",
            )
        left = len(one.rows) - len({*without, *drawn_before(session, one)})
        if (unique or one.deck) and count > left:
            can_shuffle = one.deck and session.journal is not None
            raise Refused(
                f"{name} has {left} row{'s' * (left != 1)} left; {count} are asked for"
                if left
                else f"all rows of {name} are drawn",
                hint=f"begin again: crisis tables shuffle {name}" if can_shuffle else "ask for fewer",
                code="used_up",
            )
    out: dict[str, set[int]] = {}
    came: dict[str, set[int]] = {}
    """The rows of this command, those within others included: without a journal nothing else remembers them."""
    for at, tables in enumerate(rolls):
        one = next(iter(tables.values()))
        if one.roll and (unique or without):
            raise Usage(
                f"{one.name} is rolled with {one.dice}, so that no row can be left out",
                hint="leave out --unique and --without",
                code="bad_value",
            )
        session = current_session(context) if session.journal else session
        drawn = out.setdefault(one.name, set())
        left_out = {*without, *(drawn if unique else ())}
        gone = {
            name: came.get(name, set()) | drawn_before(session, each)
            for name, each in tables.items()
            if each.deck
        }
        # Each roll outside a crisis has a seed of its own, so that each can be repeated alone.
        dice = run.dice._replace(seed=None if seed is None else seed + at)
        outcome = _roll(context, session, tables, left_out, gone, run._replace(dice=dice))
        drawn.add(int(outcome["row"]))
        for row in rows_of(outcome):
            came.setdefault(str(row["table"]), set()).add(int(row["row"]))


def _roll(
    context: Context,
    session: Session,
    tables: Mapping[str, RandomTable],
    without: Collection[int],
    gone: Mapping[str, Collection[int]],
    run: options.Run,
) -> Mapping[str, Any]:
    """Roll on the first of the tables, show and record the result; gives the outcome."""
    one = next(iter(tables.values()))
    intent = Intent("tables", "", (), {"table": one.name, **held(tables, gone, without)})
    return perform_and_show(context, session, intent, run).outcome


def held(
    tables: Mapping[str, RandomTable], gone: Mapping[str, Collection[int]], without: Collection[int] = ()
) -> dict[str, Any]:
    """What an intent holds to draw from the first of some tables: all of them, the rows of the first that cannot come,
    and those of the decks within it that are `gone`."""
    values: dict[str, Any] = {"tables": {name: one.record() for name, one in tables.items()}}
    if decks := decks_within(tables):
        values["out"] = {deck: sorted(gone[deck]) for deck in decks}
    if left_out := {*without, *gone.get(next(iter(tables)), ())}:
        values["without"] = sorted(left_out)
    return values


def drawn_before(session: Session, one: RandomTable) -> set[int]:
    """The rows of a deck that are out: drawn in this crisis since it was shuffled, by itself, from other tables or as a
    twist of the oracle."""
    out: set[int] = set()
    for entry in session.crisis.done if one.deck and session.crisis else ():
        if entry.intent.action == "shuffle" and entry.intent.get("table") == one.name:
            out = set()
        else:
            drawn = {"tables": entry.outcome, "oracle": entry.outcome.get("twist")}.get(entry.intent.action)
            out |= {int(row["row"]) for row in rows_of(drawn or {}) if row["table"] == one.name}
    return out


def rows_of(drawn: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The rows of an outcome: the one that was drawn, and those that it drew from other tables."""
    if drawn:
        yield drawn
        yield from drawn.get("inside", ())
