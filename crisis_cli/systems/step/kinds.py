"""The kinds of values that only `step` sheets hold: a die on the ladder, and damage that may be body dice."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...engine.dice_amount import MOST_PLUS, Amount, parse_amount
from ...engine.kinds import Fault, Path, wrong

LADDER = (4, 6, 8, 10, 12)
"""STEP-1: the sides of the dice."""
MOST_STEPS = 9
"""Steps above d12 that a sheet may write."""
MOST_BODIES = 9


class Die(NamedTuple):
    """An attribute or a skill: `d4` to `d12`, a step above that `d12+1` (STEP-1)."""

    def read(self, value: Any, path: Path, faults: list[Fault]) -> str:
        """The die, as the rules spell it."""
        word = value.replace(" ", "").lower() if isinstance(value, str) else ""
        dice, plus, step = word.partition("+")
        if dice in {f"d{sides}" for sides in LADDER}:
            if not plus:
                return word
            if dice == "d12" and step.isascii() and step.isdigit() and 1 <= int(step[:3]) <= MOST_STEPS:
                return f"d12+{int(step)}"
        wrong(faults, path, "a die from d4 to d12, or a step above it as d12+1", value)
        return "d4"

    def schema(self) -> dict[str, Any]:
        """A word of the ladder."""
        return {"type": "string", "pattern": r"^[dD](4|6|8|10|12|12\+[1-9])$"}


class Damage(NamedTuple):
    """A number, dice, or body dice: `6`, `2d6+1`, `body`, `body-2`, `2xbody` (STEP-4)."""

    def read(self, value: Any, path: Path, faults: list[Fault]) -> str | int:
        """The damage, as a sheet spells it."""
        if isinstance(value, (str, int)) and not isinstance(value, bool):
            read = worth(value, (4, 0))
            if read is not None:
                if isinstance(value, str) and "body" in value.lower():
                    return value.replace(" ", "").lower()
                return str(read) if read.many else read.plus
        wrong(faults, path, "a number, dice like 2d6+1, or body dice like body-2 or 2xbody", value)
        return 0

    def schema(self) -> dict[str, Any]:
        """A number or a word of damage."""
        return {
            "anyOf": [
                {"type": "integer", "minimum": -MOST_PLUS, "maximum": MOST_PLUS},
                {"type": "string", "pattern": r"^(\d*[dD]\d+|(\d[xX])?body)([+-]\d+)?$|^[+-]?\d+$"},
            ]
        }


def worth(damage: str | int, body: tuple[int, int]) -> Amount | None:
    """The dice of a weapon in the hand of someone with that body die, sides and flat step; None: no damage."""
    word = damage.replace(" ", "").lower() if isinstance(damage, str) else ""
    head, found, tail = word.partition("body")
    if not found:
        read = parse_amount(damage)
        return None if read is None or (read.many and read.sides < 2) else read
    many = head[:-1] if head.endswith("x") else "" if not head else "?"
    flat = parse_amount(tail) if tail else Amount()
    if (tail and tail[0] not in "+-") or flat is None or flat.many:
        return None
    if not (many or "1").isascii() or not (many or "1").isdigit() or not 1 <= int(many or 1) <= MOST_BODIES:
        return None
    bodies = int(many or 1)
    sides, step = body
    return Amount(bodies, sides, bodies * step + flat.plus)
