"""The parts of terms that are no numbers themselves: tests, explosions, what is kept, faces.

They never change, and are equal where they mean the same.
"""

from __future__ import annotations


class Part:
    """A piece of an expression; equal to another of its kind with equal fields."""

    __slots__ = ("_hash",)

    fields: tuple[str, ...] = ()
    """The slots that give it its meaning."""

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Part) or hash(self) != hash(other):
            return False
        return self._flat() == other._flat()

    def __hash__(self) -> int:
        try:
            known: int = self._hash
        except AttributeError:
            self._hash: int = hash(tuple(self._flat()))
            known = self._hash
        return known

    def _flat(self) -> list[object]:
        """Its kind and fields as one flat row, worked out without recursion because brackets may nest deeply."""
        flat: list[object] = []
        waiting: list[object] = [self]
        while waiting:
            piece = waiting.pop()
            if isinstance(piece, Part):
                flat.append(type(piece))
                waiting.extend([getattr(piece, name) for name in piece.fields])
            elif isinstance(piece, tuple):
                flat.append(len(piece))
                waiting.extend(piece)
            else:
                flat.append(piece)
        return flat


class Compare(Part):
    """A test of one number: `>=5`."""

    __slots__ = ("sign", "number")
    fields = ("sign", "number")

    def __init__(self, sign: str, number: int):
        self.sign = sign
        self.number = number

    def holds(self, value: int) -> bool:
        """Whether the value passes."""
        sign, number = self.sign, self.number
        if sign == ">=":
            return value >= number
        if sign == "<=":
            return value <= number
        return value == number if sign == "=" else value > number if sign == ">" else value < number


def any_holds(tests: tuple[Compare, ...], value: int) -> bool:
    """Whether a value passes any of the tests."""
    for test in tests:  # noqa: SIM110 (a generator takes three times as long)
        if test.holds(value):
            return True
    return False


class Explode(Part):
    """How dice explode: into a further die, or (`compound`) into the same; `penetrate` takes 1 off each."""

    __slots__ = ("compound", "penetrate", "test", "limit")
    fields = ("compound", "penetrate", "test", "limit")

    def __init__(self, compound: bool, penetrate: bool, test: Compare | None, limit: int | None):
        self.compound = compound
        self.penetrate = penetrate
        self.test = test
        """What sets it off; None for the highest face."""
        self.limit = limit
        """How often one die may go on; None for as often as it comes."""


class Reroll(Part):
    """Faces thrown again, until they stop coming or (`once`) one time."""

    __slots__ = ("once", "test")
    fields = ("once", "test")

    def __init__(self, once: bool, test: Compare):
        self.once = once
        self.test = test


class Keep(Part):
    """Which of a row stay: `kh`, `kl`, `dh` or `dl`, and how many are kept or dropped."""

    __slots__ = ("how", "number")
    fields = ("how", "number")

    def __init__(self, how: str, number: int):
        self.how = how
        self.number = number


class Tally(Part):
    """What is made of a row of numbers: some kept, then added up or counted."""

    __slots__ = ("keeps", "successes", "failures", "criticals", "sort")
    fields = ("keeps", "successes", "failures", "criticals", "sort")

    def __init__(
        self,
        keeps: tuple[Keep, ...] = (),
        successes: tuple[Compare, ...] = (),
        failures: tuple[Compare, ...] = (),
        criticals: tuple[Compare, ...] = (),
        sort: str = "",
    ):
        self.keeps = keeps
        self.successes = successes
        self.failures = failures
        self.criticals = criticals
        self.sort = sort
        """The order in which the dice are shown: `s` ascending, `sd` descending, empty as rolled."""

    @property
    def tests(self) -> int:
        """How many comparisons a number may need to be counted."""
        return len(self.successes) + len(self.failures) + len(self.criticals)

    def window(self, length: int) -> tuple[int, int]:
        """Which of a row sorted upwards are kept: from, and up to but not including."""
        start, stop = 0, length
        for keep in self.keeps:
            dropped = stop - start - keep.number if keep.how[0] == "k" else keep.number
            dropped = min(max(dropped, 0), stop - start)
            if keep.how in ("kh", "dl"):
                start += dropped
            else:
                stop -= dropped
        return start, stop

    def kept(self, values: list[int]) -> list[int]:
        """The numbers of a row that are kept, in any order."""
        if not self.keeps:
            return values
        start, stop = self.window(len(values))
        return sorted(values)[start:stop]

    def total(self, values: list[int]) -> int:
        """The kept numbers of a row, added up or counted."""
        kept = self.kept(values)
        return sum(map(self.score, kept)) if self.successes else sum(kept)

    def score(self, value: int) -> int:
        """What a kept number adds to the total."""
        if not self.successes:
            return value
        score = -1 if any_holds(self.failures, value) else 0
        if any_holds(self.successes, value):
            score += 2 if any_holds(self.criticals, value) else 1
        return score


PLAIN = Tally()


class Faces(Part):
    """The faces of a die that does not show 1 to its number of sides."""

    __slots__ = ("values", "letter")
    fields = ("values", "letter")

    def __init__(self, values: tuple[int, ...], letter: str = ""):
        self.values = values
        self.letter = letter
        """How the die is spelled after the `d`, where it has a letter."""


FUDGE = Faces((-1, 0, 1), "F")
COMBAT = Faces((1, 2, 0, 0, 1, 1), "C")
EFFECT = 5
"""A combat die that shows this face or a higher one has an effect."""
