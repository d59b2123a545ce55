"""Dice that are not thrown here: faces from a list, faces that the player tells, and some of each."""

from __future__ import annotations

from ..errors import WrongDice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from .dice import Dice, Throw


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


class Backed(Exception):
    """The player takes the face told last back: do it all over with those before it."""

    def __init__(self, faces: list[int]):
        super().__init__()
        self.faces = faces


class Told:
    """Faces of real dice, asked of the player; several typed at once serve the dice that follow."""

    __slots__ = ("ask", "ready", "told")

    def __init__(self, ask: Callable[[int, Throw], Iterable[int]], told: Iterable[int] = ()):
        self.ask = ask
        """Given the sides and the throw so far: faces, each already on the die; none to take the last one back."""
        self.ready = list(told)
        """Faces told already, and not used yet."""
        self.told: list[int] = []

    def face(self, sides: int, throw: Throw) -> int:
        """The next face told; Backed where the player takes one back."""
        while not self.ready:
            faces = list(self.ask(sides, throw))
            if not faces and self.told:
                raise Backed(self.told[:-1])
            self.ready += faces
        self.told.append(self.ready.pop(0))
        return self.told[-1]

    def finish(self) -> None:
        """WrongDice where faces were told that no die asked for."""
        if self.ready:
            raise WrongDice(
                f"faces left over: {_spelled(self.ready)}", hint="tell one face for every die, no more"
            )


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
