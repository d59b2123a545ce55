"""Every die of a rolled expression, and what became of it: explained, and as JSON."""

from __future__ import annotations

from ..notation.roll_result import RolledDice, RolledExpression, Score
from .charts import minus
from .jsontext import VERSION, dumped, quoted
from .rolls import line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from ..notation.grammar import Notation
    from ..notation.pools import DicePool, Rolling, Row
    from ..notation.rolled_die import RolledDie
    from ..notation.roller import Compiled
    from .rolls import Tell
    from .style import Ink


def explainer(notation: Notation, compiled: Compiled, ink: Ink) -> Tell:
    """The function that writes rolls of an expression with every die and what became of it, on several lines."""

    def written(rolling: Rolling, total: int) -> str:
        roll = compiled.result(rolling, total)
        return "\n".join(map(ink.clean, [line(notation, roll, ink), *explained(roll, ink)]))

    return written


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


def _story(die: RolledDie, thrown: RolledDice) -> Iterator[str]:
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


def teller(notation: Notation, compiled: Compiled, seed: int | None) -> Tell:
    """The function that writes rolls of an expression as JSON: as `record` has them, what never changes only once."""
    if not compiled.plain or any(pool.dice.tally.successes for pool in compiled.pools):
        return lambda rolling, total: dumped(record(notation, compiled.result(rolling, total), seed))
    empty = record(notation, RolledExpression(0, [], []), seed)
    head, tail = dumped(empty).split('"total": 0, "rolls": []', 1)
    rows = [row_teller(pool) for pool in compiled.pools]
    if len(rows) == 1:
        (one,) = rows
        return lambda rolling, total: f'{head}"total": {total}, "rolls": [{one(rolling.rows[0])}]{tail}'

    def written(rolling: Rolling, total: int) -> str:
        rolls = ", ".join([tell(row) for tell, row in zip(rows, rolling.rows)])  # noqa: B905 (as many)
        return f'{head}"total": {total}, "rolls": [{rolls}]{tail}'

    return written


def row_teller(pool: DicePool) -> Callable[[Row], str]:
    """The function that writes the rows of some dice as JSON, where no group drops them."""
    kind, tally, many = pool.kind, pool.dice.tally, pool.count
    if not kind or not kind.as_shown or kind.bursts or tally.successes or not isinstance(many, int):
        return lambda row: dumped(_thrown(RolledDice(pool, row)))
    head = f'{{"what": {quoted(pool.label or "roll")}, "dice": {quoted(pool.spelled)}, "faces": '
    if not tally.keeps:
        every = f'"kept": {dumped([True] * many)}'

        def written(row: Row) -> str:
            # A list of numbers as Python writes it is JSON.
            faces = str(row[1])
            return f'{head}{faces}, "values": {faces}, {every}, "total": {sum(row[1])}}}'

        return written

    def written_with_dropped(row: Row) -> str:
        faces, score = str(row[1]), Score(row[1], tally)
        kept = ", ".join(["true" if stays else "false" for stays in score.kept])
        return f'{head}{faces}, "values": {faces}, "kept": [{kept}], "total": {score.total}}}'

    return written_with_dropped


def record(notation: Notation, roll: RolledExpression, seed: int | None) -> dict[str, Any]:
    """A roll as JSON."""
    fields: dict[str, Any] = {
        "v": VERSION,
        "action": "roll",
        "expression": notation.text,
        "canonical": notation.canonical,
        "total": roll.total,
        "rolls": list(map(_thrown, roll.throws)),
    }
    if roll.successes is not None:
        fields |= {"successes": roll.successes, "failures": roll.failures, "criticals": roll.criticals}
    if any(thrown.effects for thrown in roll.throws):
        fields["effects"] = roll.effects
    if notation.comment:
        fields["comment"] = notation.comment
    return fields | {"seed": seed}


def _thrown(thrown: RolledDice) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "what": thrown.label or "roll",
        "dice": thrown.spelled,
        "faces": thrown.faces,
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
