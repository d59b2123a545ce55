"""Dice of one kind rolled at a table: all of them first, then each wave of re-rolls and explosions."""

from __future__ import annotations

from ..dice.limits import FACES, Limits
from ..dice.table import Seeded, Table
from ..errors import NotationError
from .arithmetic import too_many_dice
from .ast import Dice, Number, Term
from .die import DieKind, added_comparisons
from .formatter import format_term
from .parts import Faces, Part
from .roll_result import Die, RolledDice, Score

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Pool:
    """What is known of dice before they are rolled."""

    __slots__ = ("dice", "spelled", "count", "sides", "kind")

    def __init__(self, dice: Dice):
        self.dice = dice
        self.spelled = format_term(dice)
        self.count: Term | int = dice.count.value if isinstance(dice.count, Number) else dice.count
        """How many, where that is written out, else the term to roll."""
        sides = dice.sides
        self.sides: Term | int = (
            len(sides.values)
            if isinstance(sides, Faces)
            else sides.value
            if isinstance(sides, Number)
            else sides
        )
        self.kind = DieKind(dice, self.sides) if isinstance(self.sides, int) else None


def pool_of(dice: Dice) -> Pool:
    """What is known of dice, worked out once."""
    pool = dice.known
    if not isinstance(pool, Pool):
        dice.known = pool = Pool(dice)
    return pool


class PoolRoller:
    """Rolls dice of one kind at a table, within limits."""

    __slots__ = ("table", "limits", "who", "dice", "explosions", "tested", "label", "throws", "random")

    def __init__(self, table: Any, limits: Limits, who: str):
        self.table = table
        self.limits = limits
        self.who = who
        self.dice = 0
        """Thrown so far, explosions and re-rolls not counted."""
        self.explosions = 0
        """Explosions and re-rolls so far."""
        self.tested = 0
        """Faces compared so far for dice whose sides are rolled."""
        self.label = ""
        """The word on the term that is being rolled."""
        self.throws: list[RolledDice] = []
        seeded = type(table) is Table and type(table.dice) is Seeded
        self.random = table.dice.random if seeded else None
        """Where the dice come from a generator, it is asked directly, for speed."""

    def thrown(self, pool: Pool, count: int, kind: DieKind) -> int:
        """Roll the dice and give their result; NotationError beyond a limit."""
        # No dice at all are remembered too, and take as much room as one.
        self.dice += count or 1
        if self.dice > self.limits.dice:
            raise too_many_dice(pool.dice, self.limits.dice)
        self.table.label(self.label or "roll", self.who, pool.spelled)
        faces = self._faces(count, kind.sides)
        chains = row = None
        if not kind.as_shown:
            row = self._settled(pool.dice, kind, faces)
            values = [die.value for die in row]
        elif kind.bursts:
            chains = self._chained(pool.dice, kind, faces)
            values = [face for chain in chains for face in chain]
        else:
            values = faces
        score = Score(values, pool.dice.tally)
        thrown = RolledDice(pool.dice, pool.spelled, self.label, kind, score, chains, row)
        self.throws.append(thrown)
        self.table.result(total=score.total)
        return score.total

    def _faces(self, count: int, sides: int) -> list[int]:
        random = self.random
        if random is None:
            die = self.table.die
            return [die(sides) for _ in range(count)]
        faces = [int(random() * sides) + 1 for _ in range(count)]
        self.table.throws[-1].faces.extend([(sides, face) for face in faces])
        return faces

    def _again(self, kind: DieKind, dice: Dice) -> int:
        self.explosions += 1
        if self.explosions > self.limits.explosions:
            raise NotationError(
                f"more than {self.limits.explosions:,} explosions and re-rolls in one roll",
                dice.at,
                code="too_many_explosions",
                hint="name fewer faces, or a limit, as in 4d6!{3}",
            )
        return self._faces(1, kind.sides)[0]

    def _chained(self, dice: Dice, kind: DieKind, faces: list[int]) -> list[list[int]]:
        """Each die with the dice it set off, where a die is no more than its face."""
        bursts = kind.bursts
        chains = [[face] for face in faces]
        wave = [chain for chain in chains if chain[0] in bursts]
        while wave:
            following: list[list[int]] = []
            for chain in wave:
                if len(chain) <= kind.depth:
                    chain.append(self._again(kind, dice))
                    if chain[-1] in bursts:
                        following.append(chain)
                elif kind.cut:
                    self.table.truncate()
            wave = following
        return chains

    def _settled(self, dice: Dice, kind: DieKind, faces: list[int]) -> list[Die]:
        """Every die after all waves, each followed by those it added."""
        chains = [[Die(face)] for face in faces]
        compound = dice.explode is not None and dice.explode.compound
        # A chain in the wave, and whether its last die has been re-rolled the one time that `ro` gives.
        wave = [(chain, False) for chain in chains]
        while wave:
            following: list[tuple[list[Die], bool]] = []
            for chain, spent in wave:
                die = chain[-1]
                value = kind.values[die.faces[-1] - 1]
                if value in kind.until or (value in kind.once and not spent):
                    die.replaced.append(die.faces[-1])
                    die.faces[-1] = self._again(kind, dice)
                    following.append((chain, spent or value not in kind.until))
                elif value in kind.bursts and die.later + len(die.faces) <= kind.depth:
                    die.exploded = True
                    if compound:
                        die.faces.append(self._again(kind, dice))
                    else:
                        chain.append(Die(self._again(kind, dice), die.later + 1))
                    following.append((chain, False))
                elif value in kind.bursts and kind.cut:
                    self.table.truncate()
            wave = following
        row = [die for chain in chains for die in chain]
        for die in row:
            natural = [kind.values[face - 1] for face in die.faces]
            worth = [kind.worth(value, die.later + place > 0) for place, value in enumerate(natural)]
            die.value = sum(worth)
            die.clamped = any(kind.worth(value, False) != value for value in natural)
        return row


def refuse_endless(expression: Term) -> None:
    """NotationError where dice whose sides are rolled may explode or be re-rolled without end."""
    waiting: list[object] = [expression]
    effort, compared = None, 0
    while waiting:
        piece = waiting.pop()
        if isinstance(piece, tuple):
            waiting.extend(piece)
        elif isinstance(piece, Part):
            waiting.extend([getattr(piece, name) for name in piece.fields])
        if not isinstance(piece, Dice) or not (piece.explode or piece.rerolls):
            continue
        if isinstance(piece.sides, Faces) or pool_of(piece).kind:
            continue
        # Loaded only for dice whose sides are rolled: a plain roll is over before that.
        from ..dice.distribution import OddsTable
        from ..dice.effort import BUDGET, Effort
        from ..errors import TooWide
        from .term_distribution import term_distribution

        effort = effort or Effort(BUDGET / 4)
        try:
            possible = term_distribution(piece.sides, OddsTable(effort=effort)).ways
        except TooWide:
            continue
        for sides in possible:
            if 0 < sides <= FACES:
                compared = added_comparisons(compared, piece, sides)
                DieKind(piece, sides)
