"""An amount on a sheet: a number, or dice and a number."""

from __future__ import annotations

from ..dice.rule_table import RuleTable
from ..values import NamedTuple

MOST_DICE, MOST_SIDES, MOST_PLUS = 100, 1000, 10_000


class Amount(NamedTuple):
    """A number of dice of one size, and a flat number: `2d6+1`."""

    many: int = 0
    """How many dice; 0 for a flat number."""
    sides: int = 6
    """The sides of each die."""
    plus: int = 0
    """The flat number."""

    @classmethod
    def of(cls, text: str | int) -> Amount:
        """The amount that a checked sheet spells; nothing where it spells none."""
        return cls.parse(text) or cls()

    @classmethod
    def parse(cls, text: str | int) -> Amount | None:
        """The amount that a sheet spells (`6`, `d6`, `2d6+1`); None where it spells none within bounds."""
        if isinstance(text, int):
            return cls(plus=text) if abs(text) <= MOST_PLUS else None
        text = text.replace(" ", "").lower()
        dice, sign, flat = text, "", ""
        for mark in "+-":
            if mark in text[1:]:
                dice, sign, flat = text[0] + text[1:].partition(mark)[0], mark, text[1:].partition(mark)[2]
                break
        if "d" not in dice:
            return _flat(text)
        count, _, sides = dice.partition("d")
        if not _digits(count or "1") or not _digits(sides) or (sign and not _digits(flat)):
            return None
        read = cls(int(count or 1), int(sides), int(sign + flat) if sign else 0)
        fits = read.many <= MOST_DICE and 1 <= read.sides <= MOST_SIDES and abs(read.plus) <= MOST_PLUS
        return read if fits and read.many else None

    @staticmethod
    def roll(table: RuleTable, label: str, who: str, what: Amount, pool: str = "") -> int:
        """A rule: the amount as a labelled roll of its own, never below 0; without dice nothing is rolled.

        `pool` is what the roll fills, where one action rolls for several. A flat part stands among the modifiers.
        """
        if not what.many:
            return max(0, what.plus)
        table.label(label, who, what.dice, pool=pool)
        total = max(0, what.thrown(table))
        table.result(total=total)
        return total

    def thrown(self, table: RuleTable) -> int:
        """The amount, its dice thrown as part of a roll that has its label already."""
        if not self.many:
            return self.plus
        total: int = table.times(self.many, one_die, self.sides) + self.plus
        return total

    def __str__(self) -> str:
        """The amount as a sheet spells it."""
        if not self.many:
            return str(self.plus)
        dice = f"{self.many if self.many > 1 else ''}d{self.sides}"
        return dice + (f"{self.plus:+d}" if self.plus else "")

    @property
    def dice(self) -> str:
        """The dice alone as text; empty without dice."""
        return str(Amount(self.many, self.sides)) if self.many else ""


def _flat(text: str) -> Amount | None:
    body = text[1:] if text[:1] in ("+", "-") else text
    return Amount(plus=int(text)) if _digits(body) and int(text) <= MOST_PLUS else None


def _digits(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 6


def one_die(table: RuleTable, sides: int) -> int:
    """A rule: one face."""
    face: int = table.die(sides)
    return face
