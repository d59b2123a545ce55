"""What rolling an expression and its exact odds share: rounding (ALL-1), and numbers that cannot be."""

from __future__ import annotations

from ..errors import NotationError
from .ast import Dice, SheetValue, Term

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDED: dict[str, Callable[[int, int], int]] = {
    "floor": lambda above, below: above // below,
    "ceil": lambda above, below: -(-above // below),
    "round": lambda above, below: (2 * above + below) // (2 * below),
}


def sheet_number(term: SheetValue) -> int:
    """The number of a sheet value; NotationError where nobody has looked it up."""
    if term.value is None:
        hint = "say whose sheet it is: --as WHO"
        raise NotationError(f"@{term.name} is not known here", term.at, code="unresolved_value", hint=hint)
    return term.value


def checked_count(dice: Dice, count: int) -> int:
    """A number of dice that was rolled or looked up; NotationError where it is below 0."""
    if count < 0:
        hint = "write max(0, …) around the number of dice"
        raise NotationError(f"negative number of dice: {count}", dice.at, code="negative_count", hint=hint)
    return count


def division_by_zero(product: Term) -> NotationError:
    """The error for a division by 0."""
    return NotationError(
        "divides by a number that can be 0",
        product.at,
        code="zero_division",
        hint="write max(1, …) as the divisor",
    )


def too_many_dice(dice: Dice, most: int) -> NotationError:
    """The error for more dice than one roll may throw."""
    return NotationError(
        f"more than {most:,} dice in one roll", dice.at, code="too_many_dice", hint="roll fewer dice"
    )
