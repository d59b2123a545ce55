"""The result of a roll: every die, and what became of it."""

from __future__ import annotations

from .ast import COMBAT, EFFECT, GroupTerm, Tally, any_holds
from .rolled_die import RolledDie

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .pools import DicePool, GroupPlace, Rolling, Row, Waves


class Score:
    """The result of a row of numbers, computed on demand."""

    __slots__ = ("values", "tally", "stay")

    def __init__(self, values: list[int], tally: Tally):
        self.values = values
        self.tally = tally
        self.stay = tally.kept(values)
        """The numbers that are kept, in any order."""

    @property
    def total(self) -> int:
        """What the kept numbers come to."""
        return self.tally.total(self.values)

    @property
    def kept(self) -> list[bool]:
        """For each number of the row, whether it stays; of equal ones the earlier stay."""
        left: dict[int, int] = {}
        for value in self.stay:
            left[value] = left.get(value, 0) + 1
        kept = []
        for value in self.values:
            stays = left.get(value, 0) > 0
            if stays:
                left[value] -= 1
            kept.append(stays)
        return kept

    @property
    def successes(self) -> int | None:
        """Successes, critical ones twice; None where nothing is counted."""
        return self.total + self.failures if self.tally.successes else None

    @property
    def failures(self) -> int:
        """Numbers that took one off."""
        return sum(any_holds(self.tally.failures, value) for value in self.stay)

    @property
    def criticals(self) -> int:
        """Successes that counted twice."""
        tally = self.tally
        return sum(any_holds(tally.criticals, one) for one in self.stay if any_holds(tally.successes, one))


class RolledDice:
    """The dice of one term as rolled."""

    __slots__ = ("pool", "term", "kind", "faces", "dice", "score", "counts")

    def __init__(self, pool: DicePool, row: Row):
        self.pool = pool
        self.term = pool.dice
        self.kind, self.faces, waves, settled = row
        """The kind of die; and every face, in the order of rolling."""
        self.dice = settled or list(_dice_of(waves or [self.faces], self.kind.bursts))
        """Every die, each followed by those it set off."""
        self.score = Score([die.value for die in self.dice], self.term.tally)
        """The result of the row after keeping and counting."""
        self.counts = True
        """False where a group dropped it whole."""
        self._mark()

    @property
    def spelled(self) -> str:
        """The term in notation."""
        return self.pool.spelled

    @property
    def label(self) -> str:
        """The word on it, `fire`; empty where there is none."""
        return self.pool.label

    @property
    def sides(self) -> int:
        """The sides of each die: where they were rolled, how many it came to."""
        return self.kind.sides

    @property
    def total(self) -> int:
        """The total of the term."""
        return self.score.total

    @property
    def shown(self) -> list[RolledDie]:
        """The dice in the order in which the term wants them shown."""
        order = self.term.tally.sort
        return sorted(self.dice, key=lambda die: die.value, reverse=order == "sd") if order else self.dice

    def _mark(self) -> None:
        """Set on each die what it did to the score."""
        tally = self.term.tally
        for die, kept in zip(self.dice, self.score.kept, strict=True):
            die.kept = kept
            if kept and tally.successes:
                die.success = any_holds(tally.successes, die.value)
                die.failure = any_holds(tally.failures, die.value)
                die.critical = die.success and any_holds(tally.criticals, die.value)

    @property
    def effects(self) -> int:
        """Effects of combat dice."""
        if self.term.sides != COMBAT:
            return 0
        return sum(face >= EFFECT for die in self.dice if die.kept for face in die.faces)


def _dice_of(waves: Waves, bursts: frozenset[int]) -> Iterator[RolledDie]:
    for chain in chained(waves, bursts):
        for later, face in enumerate(chain):
            die = RolledDie(face, later)
            die.exploded = later < len(chain) - 1
            yield die


def chained(waves: Waves, bursts: frozenset[int]) -> list[list[int]]:
    """The faces of each die, followed by those of the dice it set off."""
    chains = [[face] for face in waves[0]]
    on = chains
    for wave in waves[1:]:
        on = [chain for chain in on if chain[-1] in bursts]
        for chain, face in zip(on, wave, strict=True):
            chain.append(face)
    return chains


class RolledGroup:
    """The parts of a group as they came out."""

    __slots__ = ("term", "label", "totals", "score", "counts", "throws")

    def __init__(
        self, term: GroupTerm, label: str, totals: list[int], score: Score, throws: list[list[RolledDice]]
    ):
        self.term = term
        self.label = label
        self.totals = totals
        """The total of each part."""
        self.score = score
        self.counts = True
        """False where a group around it dropped it whole."""
        self.throws = throws
        """The dice of each part."""


class RolledExpression:
    """One roll of an expression."""

    __slots__ = ("total", "throws", "groups")

    def __init__(self, total: int, throws: list[RolledDice], groups: list[RolledGroup]):
        self.total = total
        self.throws = throws
        """The dice of every term, in the order of throwing."""
        self.groups = groups

    @property
    def _scores(self) -> list[Score]:
        scores = [one.score for one in self.throws if one.counts and one.term.tally.successes]
        return scores + [one.score for one in self.groups if one.counts and one.term.tally.successes]

    @property
    def successes(self) -> int | None:
        """Successes of all counted terms, critical ones twice; None where nothing is counted."""
        scores = self._scores
        return sum(score.successes or 0 for score in scores) if scores else None

    @property
    def failures(self) -> int:
        """Failures of all counted terms."""
        return sum(score.failures for score in self._scores)

    @property
    def criticals(self) -> int:
        """Successes that counted twice."""
        return sum(score.criticals for score in self._scores)

    @property
    def effects(self) -> int:
        """Effects of all combat dice that count."""
        return sum(thrown.effects for thrown in self.throws if thrown.counts)


def rolled_expression(
    pools: list[DicePool], groups: list[GroupPlace], rolling: Rolling, total: int
) -> RolledExpression:
    """The roll just made of an expression with these pools and groups."""
    throws = [RolledDice(pool, row) for pool, row in zip(pools, rolling.rows, strict=True)]
    rolled: list[RolledGroup] = []
    for place, totals in zip(groups, rolling.totals, strict=True):
        score = Score(totals, place.term.tally)
        parts = [throws[slice(*rows)] for rows in place.rows]
        for kept, part, inner in zip(score.kept, parts, place.groups, strict=True):
            if not kept:
                for thrown in part:
                    thrown.counts = False
                for group in rolled[slice(*inner)]:
                    group.counts = False
        rolled.append(RolledGroup(place.term, place.label, totals, score, parts))
    return RolledExpression(total, throws, rolled)
