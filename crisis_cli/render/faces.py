"""Every die of a rolled expression, and what became of it: explained, and as JSON."""

from __future__ import annotations

from .jsontext import VERSION
from .pictures import minus

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from ..dice.table import Roll
    from ..notation.parser import Notation
    from ..notation.roll_result import Die, RolledDice, RolledExpression
    from .style import Ink


def explained(roll: RolledExpression, ink: Ink) -> Iterator[str]:
    """Every die and what became of it."""
    for thrown in roll.throws:
        label = f" [{thrown.label}]" if thrown.label else ""
        yield f"  {thrown.spelled}{label}: {minus(thrown.total)}" + (
            "" if thrown.counts else ", dropped by its group"
        )
        for number, die in enumerate(thrown.dice, start=1):
            yield f"    die {number}: {', '.join(_story(die, thrown))}"
    for group in roll.groups:
        kept = [
            minus(total) if stays else f"({minus(total)})"
            for total, stays in zip(group.totals, group.score.kept, strict=True)
        ]
        yield f"  group: {' '.join(kept)}: {minus(group.score.total)}"


def _story(die: Die, thrown: RolledDice) -> Iterator[str]:
    shown = " then ".join(minus(thrown.kind.values[face - 1]) for face in die.faces)
    yield "shows " + "→".join((*map(minus, die.replaced), shown)) + (", re-rolled" if die.replaced else "")
    if die.later:
        yield "set off by the one before"
    if die.exploded:
        yield "explodes"
    if die.value != sum(thrown.kind.values[face - 1] for face in die.faces):
        yield f"counts as {minus(die.value)}"
    if not die.kept:
        yield "dropped"
    if die.success:
        yield "a critical success, counts twice" if die.critical else "a success"
    if die.failure:
        yield "a failure"


def record(
    notation: Notation, roll: RolledExpression, throws: list[Roll], seed: int | None
) -> dict[str, Any]:
    """A roll as JSON; `throws` are the table's rolls, with the faces in the order of rolling."""
    fields: dict[str, Any] = {
        "v": VERSION,
        "action": "roll",
        "expression": notation.text,
        "canonical": notation.canonical,
        "total": roll.total,
        "rolls": [_thrown(thrown, throw) for thrown, throw in zip(roll.throws, throws, strict=True)],
    }
    if roll.successes is not None:
        fields |= {"successes": roll.successes, "failures": roll.failures, "criticals": roll.criticals}
    if any(thrown.effects for thrown in roll.throws):
        fields["effects"] = roll.effects
    if notation.comment:
        fields["comment"] = notation.comment
    return fields | {"seed": seed}


def _thrown(thrown: RolledDice, throw: Roll) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "what": thrown.label or "roll",
        "dice": thrown.spelled,
        "faces": [face for _, face in throw.faces],
        "values": [die.value for die in thrown.dice],
        "kept": [die.kept and thrown.counts for die in thrown.dice],
        "total": thrown.total,
    }
    for name in ("exploded", "success", "failure", "critical"):
        marks = [getattr(die, name) for die in thrown.dice]
        if any(marks):
            fields[name] = marks
    replaced = [die.replaced for die in thrown.dice]
    if any(replaced):
        fields["rerolled"] = replaced
    return fields
