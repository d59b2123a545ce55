"""Dice that are not thrown here: faces from a list, faces that the player tells, and some of each."""

from __future__ import annotations

from ..errors import WrongDice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from .dice import Dice, Option, Throw


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
    """The player takes the answer given last back: do it all over with those before it."""

    def __init__(self, told: list[int | str]):
        super().__init__()
        self.told = told


class Told:
    """What the player tells in the course of one action: faces of real dice, and decisions by name."""

    __slots__ = ("ask", "ready", "told")

    def __init__(self, ask: Callable[[int, Throw], Iterable[int]], told: Iterable[int | str] = ()):
        self.ask = ask
        """Given the sides and the throw so far: faces, each already on the die; none to take the last answer back."""
        self.ready = list(told)
        """Answers told already, and not used yet: several faces typed at once serve the dice that follow."""
        self.told: list[int | str] = []

    def face(self, sides: int, throw: Throw) -> int:
        """The next face told; Backed where the player takes an answer back."""
        while not self.ready:
            faces = list(self.ask(sides, throw))
            self._backed(not faces)
            self.ready += faces
        face = self.ready.pop(0)
        if isinstance(face, str) or not 1 <= face <= sides:
            # Told for something else, before the player went back and took another way.
            self.ready.clear()
            return self.face(sides, throw)
        self.told.append(face)
        return face

    def decide(self, options: tuple[Option, ...], ask: Callable[[], Option | None]) -> Option:
        """The decision told before, else what `ask` gives; Backed where that is None."""
        named = {option.name: option for option in options}
        known = self.ready[0] if self.ready else None
        if isinstance(known, str) and known in named:
            self.told.append(self.ready.pop(0))
            return named[known]
        while (taken := ask()) is None:
            self._backed(True)
        self.told.append(taken.name)
        return taken

    def _backed(self, back: bool) -> None:
        if back and self.told:
            raise Backed(self.told[:-1])

    def finish(self) -> None:
        """WrongDice where faces were told that no die asked for."""
        left = [face for face in self.ready if isinstance(face, int)]
        if left:
            raise WrongDice(f"faces left over: {_spelled(left)}", hint="tell one face for every die, no more")


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
