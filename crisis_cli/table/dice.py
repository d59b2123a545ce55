"""The table at which dice are really thrown: by a generator, from a list, or by the player.

A rule asks the table and never knows who answers. `Table` hands every question for a face
to its dice and every decision to its chooser, and remembers both in the order of asking.
"""

from __future__ import annotations

from ..errors import WrongDice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Protocol

    class Rule(Protocol):
        """Asks the table whatever it needs and gives an outcome; everything else by argument."""

        def __call__(self, table: Any, *args: Any) -> Any: ...

    class Dice(Protocol):
        """Where faces come from."""

        def face(self, sides: int, throw: Throw) -> int:
            """The face, 1 to `sides`, of the next die of `throw`."""
            ...

    Chooser = Callable[[str, "tuple[Option, ...]"], "Option"]


class Throw:
    """Dice thrown under one label, as remembered: faces in the order in which they fell."""

    __slots__ = ("what", "who", "dice", "about", "faces", "reckoning")

    def __init__(self, what: str, who: str, dice: str = "", about: dict[str, Any] | None = None):
        self.what = what
        self.who = who
        self.dice = dice
        self.about = about or {}
        self.faces: list[tuple[int, int]] = []
        """Pairs of (sides, face)."""
        self.reckoning: dict[str, Any] = {}
        """What the dice came to: total, target, success and the like."""

    @property
    def spelled(self) -> str:
        """The dice in notation: as labelled, else gathered from the faces."""
        if self.dice or not self.faces:
            return self.dice
        counts: dict[int, int] = {}
        for sides, _ in self.faces:
            counts[sides] = counts.get(sides, 0) + 1
        return " + ".join(f"{count}d{sides}" for sides, count in counts.items())


class Option:
    """One answer to a decision: a sub-rule whose answer is, or begins with, the harm to the chooser."""

    __slots__ = ("name", "rule", "args", "cost")

    def __init__(self, name: str, rule: Rule, args: tuple[Any, ...] = (), cost: int = 0):
        self.name = name
        self.rule = rule
        self.args = args
        self.cost = cost
        """What it costs the chooser; settles ties between equal harms."""


class Choice:
    """A decision as remembered."""

    __slots__ = ("who", "offered", "taken")

    def __init__(self, who: str, offered: tuple[str, ...], taken: str):
        self.who = who
        self.offered = offered
        self.taken = taken


def first(who: str, options: tuple[Option, ...]) -> Option:
    """The chooser that always takes the first option offered, which by custom is to do nothing."""
    return options[0]


class Table:
    """Everything a rule may ask, answered one die at a time and remembered."""

    __slots__ = ("dice", "chooser", "throws", "choices")

    def __init__(self, dice: Dice, chooser: Chooser = first):
        self.dice = dice
        self.chooser = chooser
        self.throws: list[Throw] = []
        self.choices: list[Choice] = []

    def label(self, what: str, who: str = "", dice: str = "", **about: Any) -> None:
        """Name the next dice: what the roll is, whose, and how it is spelled."""
        self.throws.append(Throw(what, who, dice, about))

    def reckon(self, **numbers: Any) -> None:
        """Note what the dice just labelled came to."""
        self.throws[-1].reckoning.update(numbers)

    def die(self, sides: int) -> int:
        """One face of a die."""
        if not self.throws:
            self.throws.append(Throw("roll", ""))
        throw = self.throws[-1]
        face = self.dice.face(sides, throw)
        throw.faces.append((sides, face))
        return face

    def ask(self, rule: Rule, *args: Any) -> Any:
        """The answer of a sub-rule whose details no longer matter."""
        return rule(self, *args)

    def times(self, count: int, rule: Rule, *args: Any, zero: Any = 0) -> Any:
        """The sum of `count` separate asks, tuples added by component; `zero` where there is none."""
        total = zero
        for _ in range(count):
            total = added(total, rule(self, *args))
        return total

    def chain(self, count: int, rule: Rule, state: Any, *args: Any) -> Any:
        """The state after `count` asks, each of which is given the state the one before left."""
        for _ in range(count):
            state = rule(self, state, *args)
        return state

    def pool(self, count: int, sides: int) -> tuple[int, ...]:
        """`count` faces, sorted."""
        return tuple(sorted(self.die(sides) for _ in range(count)))

    def choose(self, who: str, options: tuple[Option, ...]) -> Option:
        """The option that `who` takes; the rule then asks that option's own rule."""
        taken = options[0] if len(options) == 1 else self.chooser(who, options)
        if len(options) > 1:
            self.choices.append(Choice(who, tuple(option.name for option in options), taken.name))
        return taken

    def cut(self) -> None:
        """Say that a chain of dice is broken off here though it could have gone on."""


def added(left: Any, right: Any) -> Any:
    """The sum of two scores: numbers, or tuples of numbers by component."""
    if isinstance(right, tuple):
        return tuple(map(int.__add__, left or (0,) * len(right), right))
    return left + right


class Seeded:
    """Dice thrown by a generator; only its `random()` is used, the one method Python keeps stable."""

    __slots__ = ("random",)

    def __init__(self, random: Callable[[], float]):
        self.random = random

    def face(self, sides: int, throw: Throw) -> int:
        """A face, each equally likely."""
        return int(self.random() * sides) + 1


class Given:
    """Faces from a list (`--dice`, replays, tests), checked against the dice they stand for (ALL-2)."""

    __slots__ = ("faces", "used", "sides")

    def __init__(self, faces: Iterable[int], sides: Iterable[int] = ()):
        self.faces = list(faces)
        self.used = 0
        self.sides = list(sides)
        """Where a record tells them, the sides of each die: today's rules may ask for another."""

    def face(self, sides: int, throw: Throw) -> int:
        """The next face; WrongDice where there is none or the die does not have it."""
        roll = f"{throw.who}'s {throw.what}" if throw.who else f"the {throw.what}"
        if self.used == len(self.faces):
            raise WrongDice(
                f"too few faces: {roll} asks for another d{sides} after {_spelled(self.faces)}",
                hint="give one face for every die, in the order of throwing",
            )
        face = self.faces[self.used]
        if self.used < len(self.sides) and self.sides[self.used] != sides:
            raise WrongDice(f"{roll} asks for a d{sides} where the record holds a d{self.sides[self.used]}")
        if not 1 <= face <= sides:
            raise WrongDice(
                f"{face} is not on a d{sides}: face {self.used + 1} is for {roll}",
                hint=f"a d{sides} shows 1 to {sides}",
            )
        self.used += 1
        return face

    def finish(self) -> None:
        """WrongDice where faces are left over."""
        if self.used < len(self.faces):
            left = self.faces[self.used :]
            raise WrongDice(
                f"faces left over: {_spelled(left)} after {self.used} thrown",
                hint="give one face for every die, no more",
            )


def _spelled(faces: list[int]) -> str:
    shown = ",".join(map(str, faces[:12]))
    return (shown + (",…" if len(faces) > 12 else "")) or "none"


class Told:
    """Faces of real dice, asked of the player; several typed at once serve the dice that follow."""

    __slots__ = ("ask", "ready")

    def __init__(self, ask: Callable[[int, Throw], Iterable[int]]):
        self.ask = ask
        """Given the sides and the throw so far: one or more faces, each already on the die."""
        self.ready: list[int] = []

    def face(self, sides: int, throw: Throw) -> int:
        """The next face told."""
        while not self.ready:
            self.ready.extend(self.ask(sides, throw))
        return self.ready.pop(0)


class Mixed:
    """Some fighters' dice are told, the others' are thrown (`--mine`)."""

    __slots__ = ("told", "rest", "mine")

    def __init__(self, told: Dice, rest: Dice, mine: Callable[[str], bool]):
        self.told = told
        self.rest = rest
        self.mine = mine

    def face(self, sides: int, throw: Throw) -> int:
        """A face from whoever throws for that fighter."""
        return (self.told if self.mine(throw.who) else self.rest).face(sides, throw)
