"""Dice of one kind rolled: all of them first, then each wave of re-rolls and explosions."""

from __future__ import annotations

from ..dice.limits import FACES, LIMITS, Limits
from ..errors import NotationError
from .arithmetic import too_many_dice
from .ast import Dice, Faces, Group, Number, Part, Term, format_term
from .die import DieKind, added_comparisons

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..dice.rule_table import RuleTable
    from .rolled_die import Die

    Waves = list[list[int]]
    """The first faces, then those of the dice that they set off, and so on."""
    Row = tuple[DieKind, list[int], Waves | None, list[Die] | None]
    """What fell for one term: the kind of die, and every face in the order of rolling. Then, where dice exploded,
    the waves; and where they are not simply worth what they show, the dice."""


class Pool:
    """What is known of the dice of one term before they are rolled."""

    __slots__ = ("dice", "label", "spelled", "count", "sides", "kind")

    def __init__(self, dice: Dice, label: str = ""):
        self.dice = dice
        self.label = label
        """The word on it, `fire`; empty where there is none."""
        self.spelled = format_term(dice)
        """The term in notation."""
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
        """None where the sides are rolled or looked up."""


class GroupPlace:
    """A group of an expression, and which rows and groups of a roll are those of its parts."""

    __slots__ = ("term", "label", "rows", "groups")

    def __init__(self, term: Group, label: str, rows: list[tuple[int, int]], groups: list[tuple[int, int]]):
        self.term = term
        self.label = label
        self.rows = rows
        """For each part, its first row and the first that is no more of it."""
        self.groups = groups
        """The same of the groups in it."""


class Rolling:
    """The roll of a line: where its dice come from, what fell so far, and how much it may still ask for.

    Faces come from a table, which notes them, or straight from the `random` of a generator, for speed.
    """

    __slots__ = (
        "table", "random", "limits", "who", "most", "dice", "explosions", "tested", "rows", "totals",
    )  # fmt: skip

    def __init__(
        self,
        table: RuleTable | None = None,
        random: Callable[[], float] | None = None,
        limits: Limits = LIMITS,
        who: str = "",
    ):
        self.table = table
        self.random = random
        self.limits = limits
        self.who = who
        self.most = limits.dice
        self.dice = 0
        """Rolled so far, explosions and re-rolls not counted."""
        self.explosions = 0
        """Explosions and re-rolls so far."""
        self.tested = 0
        """Faces compared so far for dice whose sides are rolled."""
        self.rows: list[Row] = []
        """What fell for each term with dice, in the order of rolling."""
        self.totals: list[list[int]] = []
        """The totals of the parts of each group."""

    def begin(self) -> None:
        """Begin another line: nothing is rolled yet."""
        self.dice = self.explosions = self.tested = 0
        self.rows, self.totals = [], []

    def pool(self, pool: Pool, kind: DieKind, count: int) -> int:
        """Roll dice of any kind and give their result; NotationError beyond a limit."""
        # No dice at all are remembered too, and take as much room as one.
        self.dice += count or 1
        if self.dice > self.most:
            raise too_many_dice(pool.dice, self.most)
        table, tally = self.table, pool.dice.tally
        if table:
            table.label(pool.label or "roll", self.who, pool.spelled)
        faces = self.faces(count, kind.sides)
        values, waves, settled = faces, None, None
        if not kind.as_shown:
            faces, settled = self._settled(pool.dice, kind, faces)
            values = [die.value for die in settled]
        elif kind.bursts:
            waves = self.waves(pool.dice, kind, faces)
            faces = values = [face for wave in waves for face in wave]
        self.rows.append((kind, faces, waves, settled))
        total = tally.total(values)
        if table:
            table.result(total=total)
        return total

    def faces(self, count: int, sides: int) -> list[int]:
        """So many faces."""
        random = self.random
        if random:
            return [int(random() * sides) + 1 for _ in range(count)]
        assert self.table
        die = self.table.die
        return [die(sides) for _ in range(count)]

    def again(self, dice: Dice, count: int, sides: int) -> list[int]:
        """So many faces of dice that explode or are re-rolled; NotationError where that is too often."""
        left = self.limits.explosions - self.explosions
        self.explosions += count
        if count > left:
            # Those that are still allowed are rolled: what comes after the mistake rolls the same as ever.
            self.faces(left, sides)
            self.explosions = self.limits.explosions
            raise NotationError(
                f"more than {self.limits.explosions:,} explosions and re-rolls in one roll",
                dice.at,
                code="too_many_explosions",
                hint="name fewer faces, or a limit, as in 4d6!{3}",
            )
        return self.faces(count, sides)

    def waves(self, dice: Dice, kind: DieKind, faces: list[int]) -> Waves:
        """The faces, then what they set off wave by wave, where a die is worth its face."""
        bursts, waves = kind.bursts, [faces]
        while on := len([face for face in waves[-1] if face in bursts]):
            if len(waves) > kind.depth:
                if kind.cut and self.table:
                    self.table.truncate()
                break
            waves.append(self.again(dice, on, kind.sides))
        return waves

    def _settled(self, dice: Dice, kind: DieKind, faces: list[int]) -> tuple[list[int], list[Die]]:
        """All faces in the order of rolling, and every die after all waves, each followed by those it added."""
        # Loaded only for dice that need it: plain dice are over sooner.
        from .rolled_die import Die

        chains = [[Die(face)] for face in faces]
        rolled = faces.copy()
        compound = dice.explode is not None and dice.explode.compound
        # A chain in the wave, and whether its last die has been re-rolled the one time that `ro` gives.
        wave = [(chain, False) for chain in chains]
        while wave:
            following: list[tuple[list[Die], bool]] = []
            for chain, spent in wave:
                die = chain[-1]
                value = kind.values[die.faces[-1] - 1]
                again = value in kind.until or (value in kind.once and not spent)
                if not again and value not in kind.bursts:
                    continue
                if not again and die.later + len(die.faces) > kind.depth:
                    if kind.cut and self.table:
                        self.table.truncate()
                    continue
                rolled += self.again(dice, 1, kind.sides)
                if again:
                    die.replaced.append(die.faces[-1])
                    die.faces[-1] = rolled[-1]
                    following.append((chain, spent or value not in kind.until))
                    continue
                die.exploded = True
                if compound:
                    die.faces.append(rolled[-1])
                else:
                    chain.append(Die(rolled[-1], die.later + 1))
                following.append((chain, False))
            wave = following
        row = [die for chain in chains for die in chain]
        for die in row:
            natural = [kind.values[face - 1] for face in die.faces]
            worth = [kind.worth(value, die.later + place > 0) for place, value in enumerate(natural)]
            die.value = sum(worth)
            die.clamped = any(kind.worth(value, False) != value for value in natural)
        return rolled, row


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
        if isinstance(piece.sides, Faces | Number):
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
