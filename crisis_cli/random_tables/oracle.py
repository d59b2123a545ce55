"""The oracle: a yes-or-no question answered by a d100, with a d6 for *and* and *but* and a d12 for twists."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ..dice.rule_table import RuleTable
from ..values import NamedTuple

LIKELY = {
    "nearly-impossible": 3,
    "very-unlikely": 10,
    "unlikely": 25,
    "even": 50,
    "likely": 75,
    "very-likely": 90,
    "nearly-certain": 97,
}
"""The chance of yes in percent, by the word for it."""
MOST_TENSION, FIRST_TENSION = 6, 2
"""Tension lies between 0 and the first; a crisis begins with the second."""
BUT, AND = 1, 6
"""The faces of the d6 that qualify an answer."""
SIDES = 100, 6, 12
"""The dice of the answer, of its degree and of the twist."""


class OracleAnswer(NamedTuple):
    """What the oracle says."""

    yes: bool
    degree: str
    """"but", "and" or empty."""
    is_twist: bool
    """Whether something unexpected happens."""

    @property
    def words(self) -> str:
        """The answer as it is printed."""
        return ("Yes" if self.yes else "No") + (f", {self.degree} …" if self.degree else ".")


def ask(table: RuleTable, chance: int, tension: int) -> OracleAnswer:
    """The answer to a question whose answer is yes with `chance` percent; a twist comes in `tension` of 12 answers."""
    table.label("oracle", "", f"d{SIDES[0]}")
    came = table.die(SIDES[0])
    table.result(total=came, target=chance, under=True, success=came <= chance)
    table.label("degree", "", f"d{SIDES[1]}")
    degree = {BUT: "but", AND: "and"}.get(table.die(SIDES[1]), "")
    table.label("twist", "", f"d{SIDES[2]}")
    twist = table.die(SIDES[2])
    table.result(total=twist, target=tension, under=True, success=twist <= tension)
    return OracleAnswer(came <= chance, degree, twist <= tension)


def odds(chance: int) -> Iterator[tuple[str, Fraction]]:
    """The exact chance of each answer, from "yes, and" to "no, and", where yes has `chance` percent."""
    for yes, share in (("yes", Fraction(chance, SIDES[0])), ("no", Fraction(SIDES[0] - chance, SIDES[0]))):
        degrees = [
            ("and", Fraction(1, SIDES[1])),
            ("", Fraction(SIDES[1] - 2, SIDES[1])),
            ("but", Fraction(1, SIDES[1])),
        ]
        for degree, part in degrees if yes == "yes" else reversed(degrees):
            yield f"{yes}, {degree}" if degree else yes, share * part
