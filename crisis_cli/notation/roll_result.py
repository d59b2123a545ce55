"""The result of a roll: every die, and what became of it."""

from __future__ import annotations

from .ast import Dice, Group
from .parts import COMBAT, EFFECT, Tally, any_holds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .die import DieKind


class Die:
    """One die after all re-rolls and explosions."""

    __slots__ = (
        "faces", "replaced", "value", "later", "exploded", "clamped",
        "kept", "success", "failure", "critical",
    )  # fmt: skip

    def __init__(self, face: int, later: int = 0):
        self.faces = [face]
        """The faces it shows: one, or several where explosions are added into the same die."""
        self.replaced: list[int] = []
        """Faces that were thrown again, in order."""
        self.value = face
        """What it adds to the row, after clamping."""
        self.later = later
        """0 for a die of the first throw, 1 for the die it set off, and so on."""
        self.exploded = False
        """Whether it set off another die, or went on itself."""
        self.clamped = False
        self.kept = True
        self.success = False
        self.failure = False
        self.critical = False

    def __repr__(self) -> str:
        marks = [
            name for name in ("exploded", "clamped", "success", "failure", "critical") if getattr(self, name)
        ]
        return f"<Die {self.value}{'' if self.kept else ' dropped'}{''.join(' ' + mark for mark in marks)}>"


class Score:
    """The result of a row of numbers, computed on demand."""

    __slots__ = ("values", "tally", "stay", "total")

    def __init__(self, values: list[int], tally: Tally):
        self.values = values
        self.tally = tally
        self.stay = values
        """The numbers that are kept, in any order."""
        if tally.keeps:
            start, stop = tally.window(len(values))
            self.stay = sorted(values)[start:stop]
        self.total = sum(map(tally.score, self.stay)) if tally.successes else sum(self.stay)

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

    __slots__ = ("term", "spelled", "label", "kind", "score", "counts", "_chains", "_dice")

    def __init__(
        self,
        term: Dice,
        spelled: str,
        label: str,
        kind: DieKind,
        score: Score,
        chains: list[list[int]] | None = None,
        dice: list[Die] | None = None,
    ):
        self.term = term
        self.spelled = spelled
        """The term in notation."""
        self.label = label
        """The word on it, `fire`; empty where there is none."""
        self.kind = kind
        self.score = score
        """The result of the row after keeping and counting."""
        self.counts = True
        """False where a group dropped it whole."""
        self._chains = chains
        self._dice = dice
        if dice is not None:
            self._mark(dice)

    @property
    def sides(self) -> int:
        """The sides of each die: where they were rolled, how many it came to."""
        return self.kind.sides

    @property
    def total(self) -> int:
        """The total of the term."""
        return self.score.total

    @property
    def dice(self) -> list[Die]:
        """Every die, each followed by those it set off."""
        if self._dice is None:
            chains = [[face] for face in self.score.values] if self._chains is None else self._chains
            self._dice = [Die(face, later) for chain in chains for later, face in enumerate(chain)]
            ended = -1
            for chain in chains:
                ended += len(chain)
                for place in range(ended - len(chain) + 1, ended):
                    self._dice[place].exploded = True
            self._mark(self._dice)
        return self._dice

    @property
    def shown(self) -> list[Die]:
        """The dice in the order in which the term wants them shown."""
        order = self.term.tally.sort
        return sorted(self.dice, key=lambda die: die.value, reverse=order == "sd") if order else self.dice

    def _mark(self, row: list[Die]) -> None:
        """Set on each die what it did to the score."""
        tally = self.term.tally
        for die, kept in zip(row, self.score.kept, strict=True):
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


class RolledGroup:
    """The parts of a group as they came out."""

    __slots__ = ("term", "label", "totals", "score", "counts", "throws")

    def __init__(
        self, term: Group, label: str, totals: list[int], score: Score, throws: list[list[RolledDice]]
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
