"""What may be written after dice or a group: re-rolls, explosions, keeping, counting."""

from __future__ import annotations

from ..dice import LARGEST, MODIFIERS
from .ast import (
    Compare,
    DiceTerm,
    Explode,
    FaceList,
    KeepModifier,
    Reroll,
    Tally,
    Term,
    any_holds,
    format_term,
    highest,
)
from .lexer import DIGITS, Lexer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .pools import DieKind

SIGNS = (">=", "<=", ">", "<", "=")


class ReadModifiers:
    """Modifiers as they are read, in any order."""

    __slots__ = (
        "scanner", "rerolls", "low", "high", "explode", "keeps", "successes", "failures", "criticals", "sort",
        "counted",
    )  # fmt: skip

    def __init__(self, scanner: Lexer):
        self.scanner = scanner
        self.rerolls: list[tuple[bool, Compare | None]] = []
        self.low: int | None = None
        self.high: int | None = None
        self.explode: Explode | None = None
        self.keeps: list[KeepModifier] = []
        self.successes: list[Compare] = []
        self.failures: list[Compare] = []
        self.criticals: list[Compare] = []
        self.sort = ""
        self.counted = 0
        """Where failures or criticals were asked for."""

    def read(self, dice: bool) -> None:
        """All modifiers that follow; a group (not `dice`) takes those about whole totals only."""
        read = 0
        while self._one(dice):
            read += 1
            if read > MODIFIERS:
                raise self.scanner.fault(
                    f"more than {MODIFIERS} modifiers after one term",
                    "too_many_modifiers",
                    hint="write fewer",
                )
        if (self.failures or self.criticals) and not self.successes:
            raise self.scanner.fault(
                "failures and criticals need successes to count",
                "nothing_counted",
                at=self.counted,
                hint="say what counts: 10d10>=8f=1",
            )

    @property
    def tally(self) -> Tally:
        """What is made of the row."""
        return Tally(
            tuple(self.keeps), tuple(self.successes), tuple(self.failures), tuple(self.criticals), self.sort
        )

    def onto(self, at: int, count: Term, sides: Term | FaceList) -> DiceTerm:
        """Dice with these modifiers."""
        lowest = Compare("=", min(sides.values) if isinstance(sides, FaceList) else 1)
        rerolls = tuple(Reroll(once, test or lowest) for once, test in self.rerolls)
        explode = self.explode
        top = highest(sides)
        if explode and top is not None and explode.test in (Compare("=", top), Compare(">=", top)):
            explode = Explode(explode.compound, explode.penetrate, None, explode.limit)
        return DiceTerm(at, count, sides, rerolls, self.low, self.high, explode, self.tally)

    def _one(self, dice: bool) -> bool:
        scanner = self.scanner
        head = scanner.peek().lower()
        at = scanner.at
        if not head or head not in "kdfcs<>=!rm":
            return False
        if head in ("k", "d"):
            self._keep(at)
        elif head == "f":
            scanner.take()
            self.counted = at
            self.failures.append(self._test())
        elif scanner.accept("cs"):
            self.counted = at
            self.criticals.append(self._test())
        elif head == "s":
            self._sort(at)
        elif head in ("<", ">", "="):
            self.successes.append(self._test())
        elif head == "c" or not dice:
            return False
        elif head == "!":
            self._explode(at)
        elif head == "r":
            self._reroll(at)
        else:
            return self._clamp(at)
        return True

    def _reroll(self, at: int) -> None:
        scanner = self.scanner
        scanner.take()
        once = scanner.accept("o")
        named = scanner.peek() in DIGITS
        tested = self._tested(bare=True)
        self.rerolls.append((once, self._test() if tested else None))
        # `rr`, `r!=` and `r1=1` are words of other dialects, no two modifiers.
        pieces = SIGNS if named else () if tested else ("r", "!=")
        if glued := next(filter(scanner.follows, pieces), ""):
            word = scanner.text[at : scanner.at + len(glued)]
            scanner.misread(f"{word} is not a modifier", "glued_modifiers", at=at)

    def _tested(self, bare: bool = False) -> bool:
        head = self.scanner.peek()
        return head in ("<", ">", "=") or (bare and head in DIGITS)

    def _test(self) -> Compare:
        scanner = self.scanner
        for sign in SIGNS:
            if scanner.accept(sign):
                return Compare(sign, scanner.signed_number())
        return Compare("=", scanner.number())

    def _keep(self, at: int) -> None:
        scanner = self.scanner
        how = scanner.take().lower()
        which = scanner.peek().lower()
        if which in ("h", "l"):
            scanner.take()
        elif how == "d":
            raise scanner.fault("a bare d after dice could drop either end", "ambiguous_drop", at=at)
        else:
            which = "h"
        if scanner.peek() not in DIGITS:
            verb = "keep" if how == "k" else "drop"
            raise scanner.fault(f"how many to {verb} is missing", "no_number", at=at)
        self.keeps.append(KeepModifier(how + which, scanner.number()))

    def _sort(self, at: int) -> None:
        scanner = self.scanner
        scanner.take()
        order = "sd" if scanner.accept("d") else "s"
        scanner.accept("a")
        if scanner.follows("f"):
            scanner.misread("sf is not a modifier", "glued_modifiers", at=at)
        self._once(at, bool(self.sort), "is sorted")
        self.sort = order

    def _explode(self, at: int) -> None:
        scanner = self.scanner
        scanner.take()
        self._once(at, self.explode is not None, "explodes")
        compound = scanner.accept("!")
        penetrate = scanner.accept("p")
        test = self._test() if self._tested() else None
        limit = None
        if scanner.peek() == "{":
            opened = scanner.at
            scanner.take()
            limit = scanner.number(LARGEST)
            scanner.close("}", opened)
            if limit < 1:
                raise scanner.fault("a limit of explosions is 1 or more", "no_limit", at=opened)
        self.explode = Explode(compound, penetrate, test, limit)

    def _clamp(self, at: int) -> bool:
        scanner = self.scanner
        if scanner.accept("min"):
            self._once(at, self.low is not None, "has a least value")
            self.low = scanner.signed_number()
        elif scanner.accept("max"):
            self._once(at, self.high is not None, "has a greatest value")
            self.high = scanner.signed_number()
        else:
            return False
        if self.low is not None and self.high is not None and self.low > self.high:
            raise scanner.fault(f"min {self.low} is above max {self.high}", "crossed", at=at)
        return True

    def _once(self, at: int, already: bool, what: str) -> None:
        if already:
            raise self.scanner.fault(f"this die already {what}", "twice", at=at, hint="write it once")


def settled_comparison(dice: DiceTerm, kind: DieKind) -> str:
    """What is wrong with a comparison that no die can meet, or with one that counts and that every die meets; empty
    where there is none."""
    tally, values = dice.tally, kind.values
    counted = (tally.successes, tally.failures, tally.criticals)
    triggers = [reroll.test for reroll in dice.rerolls]
    if dice.explode and dice.explode.test:
        triggers.append(dice.explode.test)
    edges = {test.number + step for tests in (*counted, triggers) for test in tests for step in range(-2, 3)}
    faces = (
        {values[0], values[-1], *filter(values.__contains__, edges)} if type(values) is range else {*values}
    )
    worths = {kind.worth(face, later) for face in faces for later in (False, bool(kind.bursts))}
    if kind.bursts and dice.explode and dice.explode.compound:
        # One die grows beyond its faces.
        worths |= {edge for edge in edges if edge > min(worths)}
    spelled = format_term(DiceTerm(dice.at, dice.count, dice.sides))
    for test in triggers:
        if not any(map(test.holds, faces)):
            return f"no face of {spelled} is {said(test)}"
    for tests in counted:
        for test in tests:
            if not any(map(test.holds, worths)):
                return f"no die of {spelled} can be {said(test)}"
        if tests and all(any_holds(tests, worth) for worth in worths):
            return f"every die of {spelled} is {' or '.join(map(said, tests))}"
    return ""


def said(test: Compare) -> str:
    """A comparison in words."""
    number = test.number
    return {
        ">=": f"{number} or more",
        "<=": f"{number} or less",
        ">": f"more than {number}",
        "<": f"less than {number}",
        "=": f"{number}",
    }[test.sign]
