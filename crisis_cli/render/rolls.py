"""Rolled expressions on a line."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..notation.parser import Notation
    from ..notation.roll_result import Die, RolledDice, RolledExpression
    from .style import Ink


def line(notation: Notation, roll: RolledExpression, ink: Ink) -> str:
    """A roll on one line: the expression, every die, the total."""
    dice = " ".join(_row(thrown, ink) for thrown in roll.throws)
    comment = f"  # {notation.comment}" if notation.comment else ""
    expression = notation.canonical.partition("#")[2] if notation.repeat else notation.canonical
    return f"{expression}:{' ' + dice if dice else ''} = {_result(roll, ink)}{comment}"


def _result(roll: RolledExpression, ink: Ink) -> str:
    if roll.successes is None:
        effects = f", {_many(roll.effects, 'effect')}" if roll.effects else ""
        return ink("bold", str(roll.total).replace("-", "−")) + effects
    said = _many(roll.total, "success", "successes")
    failures = f" ({roll.successes} − {_many(roll.failures, 'failure')})" if roll.failures else ""
    return ink("bold", said.replace("-", "−")) + failures


def _many(number: int, one: str, several: str = "") -> str:
    return f"{number} {one if number == 1 else several or one + 's'}"


def _row(thrown: RolledDice, ink: Ink) -> str:
    """The dice of one term: what is dropped in parentheses, `!` where a die goes on, `19→4` re-rolled."""
    dice = _shown(thrown)
    words = " ".join(_die(die, thrown.counts, ink) for die in dice)
    return f"[{words}]{thrown.label}"


def _shown(thrown: RolledDice) -> list[Die]:
    order = thrown.term.tally.sort
    if not order:
        return thrown.dice
    return sorted(thrown.dice, key=lambda die: die.value, reverse=order == "sd")


def _die(die: Die, counts: bool, ink: Ink) -> str:
    shown = "→".join(map(str, (*die.replaced, die.value)))
    word = shown.replace("-", "−") + ("!" if die.exploded else "")
    if not (die.kept and counts):
        return ink("dim", f"({word})")
    if die.success:
        return ink("green", word + ("*" if not die.critical else "**"))
    return ink("red", word) if die.failure else word
