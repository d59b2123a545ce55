"""Dice of one kind: what is on their faces, which of them are thrown again or go on, and how all are rolled."""

from __future__ import annotations

from ..dice import CHAIN, EXPLOSIONS, FACES, LARGEST, LIMITS, TESTED, Limits
from ..errors import NotationError
from .ast import DiceTerm, Explode, FaceList, GroupTerm, NumberTerm, Term, format_term

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..dice.rule_table import RuleTable
    from .rolled_die import RolledDie

    Waves = list[list[int]]
    """The first faces, then those of the dice that they set off, and so on."""
    Row = tuple["DieKind", list[int], Waves | None, list[RolledDie] | None]
    """What fell for one term: the kind of die, and every face in the order of rolling. Then, where dice exploded,
    the waves; and where they are not simply worth what they show, the dice."""

NONE: frozenset[int] = frozenset()


class DieKind:
    """A die as thrown: the value on each face, and the values that do not stay as they fall."""

    __slots__ = (
        "sides", "values", "until", "once", "bursts", "depth", "cut", "low", "high", "explode", "as_shown",
    )  # fmt: skip

    def __init__(self, dice: DiceTerm, sides: int):
        """NotationError where there are no sides, too many for what is asked, or the die never rests."""
        faces = dice.sides
        values: Sequence[int] = faces.values if isinstance(faces, FaceList) else range(1, sides + 1)
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

    def _restless(self, dice: DiceTerm) -> None:
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


def comparison_count(dice: DiceTerm, sides: int) -> int:
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


def _endless(dice: DiceTerm, what: str) -> NotationError:
    return NotationError(
        f"every face triggers the {what}, so it would never end",
        dice.at,
        code="endless",
        hint="name fewer faces, as in 4d6!>=5, or a limit, as in 4d6!{3}"
        if what == "explosion"
        else "name fewer faces, as in 4d6r1",
    )


def written_sides(dice: DiceTerm) -> int | None:
    """How many sides the dice have; None where they are rolled or looked up."""
    sides = dice.sides
    if isinstance(sides, NumberTerm):
        return sides.value
    return len(sides.values) if isinstance(sides, FaceList) else None


def added_comparisons(already: int, dice: DiceTerm, sides: int) -> int:
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


def checked_count(dice: DiceTerm, count: int) -> int:
    """A number of dice that was rolled or looked up; NotationError where it is below 0."""
    if count < 0:
        hint = "as in (max(0, 1d4-2))d6"
        raise NotationError(f"negative number of dice: {count}", dice.at, code="negative_count", hint=hint)
    return count


def too_many_dice(dice: DiceTerm, most: int) -> NotationError:
    """The error for more dice than one roll may throw."""
    return NotationError(
        f"more than {most:,} dice in one roll", dice.at, code="too_many_dice", hint="roll fewer dice"
    )


class DicePool:
    """What is known of the dice of one term before they are rolled."""

    __slots__ = ("dice", "label", "spelled", "count", "sides", "kind")

    def __init__(self, dice: DiceTerm, label: str = ""):
        self.dice = dice
        self.label = label
        """The word on it, `fire`; empty where there is none."""
        self.spelled = format_term(dice)
        """The term in notation."""
        self.count: Term | int = dice.count.value if isinstance(dice.count, NumberTerm) else dice.count
        """How many, where that is written out, else the term to roll."""
        sides = dice.sides
        self.sides: Term | int = (
            len(sides.values)
            if isinstance(sides, FaceList)
            else sides.value
            if isinstance(sides, NumberTerm)
            else sides
        )
        self.kind = DieKind(dice, self.sides) if isinstance(self.sides, int) else None
        """None where the sides are rolled or looked up."""


class GroupPlace:
    """A group of an expression, and which rows and groups of a roll are those of its parts."""

    __slots__ = ("term", "label", "rows", "groups")

    def __init__(
        self, term: GroupTerm, label: str, rows: list[tuple[int, int]], groups: list[tuple[int, int]]
    ):
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

    def pool(self, pool: DicePool, kind: DieKind, count: int) -> int:
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

    def again(self, dice: DiceTerm, count: int, sides: int) -> list[int]:
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

    def waves(self, dice: DiceTerm, kind: DieKind, faces: list[int]) -> Waves:
        """The faces, then what they set off wave by wave, where a die is worth its face."""
        bursts, waves = kind.bursts, [faces]
        while on := len([face for face in waves[-1] if face in bursts]):
            if len(waves) > kind.depth:
                if kind.cut and self.table:
                    self.table.truncate()
                break
            waves.append(self.again(dice, on, kind.sides))
        return waves

    def _settled(self, dice: DiceTerm, kind: DieKind, faces: list[int]) -> tuple[list[int], list[RolledDie]]:
        """All faces in the order of rolling, and every die after all waves, each followed by those it added."""
        # Loaded only for dice that need it: plain dice are over sooner.
        from .rolled_die import RolledDie

        chains = [[RolledDie(face)] for face in faces]
        rolled = faces.copy()
        compound = dice.explode is not None and dice.explode.compound
        # A chain in the wave, and whether its last die has been re-rolled the one time that `ro` gives.
        wave = [(chain, False) for chain in chains]
        while wave:
            following: list[tuple[list[RolledDie], bool]] = []
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
                    chain.append(RolledDie(rolled[-1], die.later + 1))
                following.append((chain, False))
            wave = following
        row = [die for chain in chains for die in chain]
        for die in row:
            natural = [kind.values[face - 1] for face in die.faces]
            worth = [kind.worth(value, die.later + place > 0) for place, value in enumerate(natural)]
            die.value = sum(worth)
            die.clamped = any(kind.worth(value, False) != value for value in natural)
        return rolled, row
