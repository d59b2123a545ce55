"""`crisis verify`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import click

from ..context import Context
from ..engine.verify import Difference
from ..play import telling
from . import options


@click.command("verify")
@click.argument("path", required=False, metavar="[FILE]", type=click.Path())
@options.common_options
@click.pass_obj
def command(context: Context, /, path: str | None, as_json: bool) -> int:
    """Check a journal, the open one or any FILE; exit with status 1 if something does not fit.

    The rules are run again on the recorded dice and choices, and every number, result and name is compared
    with the record. Dice that were not given must follow from the seed, and no line may have been edited. If a rule
    has changed since the journal was written, it is named; so are control characters in texts.

    \b
    Examples:
      crisis verify
      crisis verify crisis-20261120T190702Z.jsonl
    """
    journal = telling.read_journal(context.desk, path, "verify")
    crisis, found = journal.crisis, telling.differences(journal)
    is_sound = all(one.is_remark for one in found)
    if as_json:
        context.output.print_record(
            "verify",
            verified=is_sound,
            entries=len(crisis.done),
            differences=[one.to_dict() for one in found],
        )
        return 0 if is_sound else 1
    context.output.say(*_lines(found))
    if is_sound:
        count = len(crisis.done)
        context.output.say(f"{count} {'entry' if count == 1 else 'entries'} checked: no differences.")
    return 0 if is_sound else 1


def _lines(found: list[Difference]) -> Iterator[str]:
    """The lines that show the differences; those explained by a changed rule are indented below it."""
    for (_, changed), group in groupby(found, key=lambda one: (one.line, one.changed)):
        first, *others = group
        if changed:
            yield f"{_where(first)}: {changed.rule} has changed since: {changed.says}"
            yield from (f"  {one.what}" for one in (first, *others))
        else:
            yield from (f"{_where(one)}: {one.what}" for one in (first, *others))


def _where(one: Difference) -> str:
    """The entry or the line of the journal that a difference is in."""
    if one.number is not None:
        return f"entry {one.number} (line {one.line})"
    return "the header" if one.line == 1 else f"line {one.line}"
