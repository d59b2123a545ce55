"""One die of a term: its faces, which of them are thrown again, and which set off an explosion."""

from __future__ import annotations

from ..dice.limits import CHAIN, EXPLOSIONS, FACES, LARGEST, TESTED
from ..errors import NotationError
from .ast import Dice, Explode, Faces, Number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

NONE: frozenset[int] = frozenset()


class DieKind:
    """A die as thrown: the value on each face, and the values that do not stay as they fall."""

    __slots__ = (
        "sides", "values", "until", "once", "bursts", "depth", "cut", "low", "high", "explode", "as_shown",
    )  # fmt: skip

    def __init__(self, dice: Dice, sides: int):
        """NotationError where there are no sides, too many for what is asked, or the die never rests."""
        faces = dice.sides
        values: Sequence[int] = faces.values if isinstance(faces, Faces) else range(1, sides + 1)
        self.sides = sides
        self.values = values
        """The value of face 1 is the first."""
        self.low = dice.low
        self.high = dice.high
        self.explode: Explode | None = dice.explode
        self.until = self.once = self.bursts = NONE
        """Values thrown again until they stop coming, once, and values after which a die goes on."""
        self.depth = 0
        """How often one die may go on."""
        self.cut = False
        """True where a chain could go on beyond its depth."""
        single = not (dice.explode and (dice.explode.compound or dice.explode.penetrate))
        clamped = dice.low is not None or dice.high is not None
        self.as_shown = single and not clamped and not dice.rerolls and type(values) is range
        """True where every die is worth the one face it shows, the first it showed."""
        if sides < 1:
            raise NotationError(
                f"a die needs at least one side: d{sides}", dice.at, code="no_sides", hint="write d1 or more"
            )
        if sides > LARGEST:
            raise NotationError(
                "a die with too many sides",
                dice.at,
                code="too_many_sides",
                hint=f"a die has at most {LARGEST:,} sides",
            )
        if dice.rerolls or dice.explode:
            if sides > FACES:
                raise NotationError(
                    f"a d{sides} is too large to re-roll or explode",
                    dice.at,
                    code="too_many_sides",
                    hint=f"dice that re-roll or explode have at most {FACES:,} sides",
                )
            self._restless(dice)

    def _restless(self, dice: Dice) -> None:
        values = self.values
        for reroll in dice.rerolls:
            again = frozenset(filter(reroll.test.holds, values))
            if reroll.once:
                self.once |= again
            else:
                self.until |= again
        stay = [value for value in values if value not in self.until]
        if not stay:
            raise _endless(dice, "re-roll")
        explode = dice.explode
        if explode is None:
            return
        highest, burst = max(values), explode.test
        self.bursts = frozenset(
            value for value in stay if (burst.holds(value) if burst else value == highest)
        )
        if explode.limit is None and self.bursts.issuperset(stay):
            raise _endless(dice, "explosion")
        if self.bursts:
            longest = chain_length(*self.going_on())
            self.cut = explode.limit is None or longest < explode.limit
            self.depth = longest if explode.limit is None else min(longest, explode.limit)

    def going_on(self) -> tuple[int, int]:
        """The chance that a die explodes, as ways out of a total."""
        weights = self.weights()
        return sum(weights.get(value, 0) for value in self.bursts), sum(weights.values())

    def weights(self) -> dict[int, int]:
        """The ways of each value once re-rolls are done with."""
        until, once = self.until, self.once - self.until
        ways: dict[int, int] = {}
        for value in self.values:
            if value not in until:
                ways[value] = ways.get(value, 0) + 1
        if once:
            stay = sum(ways.values())
            second = sum(count for value, count in ways.items() if value in once)
            ways = {value: count * (second + (0 if value in once else stay)) for value, count in ways.items()}
        return ways

    def worth(self, value: int, later: bool) -> int:
        """What a value adds to its die after clamping; `later` for a die born of an explosion."""
        if self.low is not None and value < self.low:
            value = self.low
        if self.high is not None and value > self.high:
            value = self.high
        return value - 1 if later and self.explode and self.explode.penetrate else value


def comparison_count(dice: Dice, sides: int) -> int:
    """How many comparisons it takes to know which of so many faces explode or are re-rolled."""
    return (len(dice.rerolls) + (dice.explode is not None)) * max(0, min(sides, FACES))


def chain_length(on: int, total: int) -> int:
    """After how many explosions a further one is less likely than one in CHAIN."""
    if on == total:
        return EXPLOSIONS + 1
    from math import log

    length = int(log(CHAIN) / log(total / on)) + 1
    if length > EXPLOSIONS:
        return length
    # The logarithm may be off by one where the chance is CHAIN to the last digit.
    length = max(length - 2, 1)
    while on**length * CHAIN >= total**length:
        length += 1
    return length


def _endless(dice: Dice, what: str) -> NotationError:
    return NotationError(
        f"every face triggers the {what}, so it would never end",
        dice.at,
        code="endless",
        hint="name fewer faces, as in 4d6!>=5, or a limit, as in 4d6!{3}"
        if what == "explosion"
        else "name fewer faces, as in 4d6r1",
    )


def written_sides(dice: Dice) -> int | None:
    """How many sides the dice have; None where they are rolled or looked up."""
    sides = dice.sides
    if isinstance(sides, Number):
        return sides.value
    return len(sides.values) if isinstance(sides, Faces) else None


def added_comparisons(already: int, dice: Dice, sides: int) -> int:
    """The comparisons made for one line so far and now for these dice; NotationError where they are too many."""
    already += comparison_count(dice, sides)
    if already > TESTED:
        raise NotationError(
            f"re-rolls and explosions look at more than {TESTED:,} faces",
            dice.at,
            code="too_many_sides",
            hint="re-roll or explode smaller dice, or fewer kinds of them",
        )
    return already
