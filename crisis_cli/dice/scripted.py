"""Dice that are not rolled by the program: faces from a list, faces typed by the player, and a mix."""

from __future__ import annotations

from ..errors import WrongChoice, WrongDice
from .table import option_called

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from .table import Alternative, DiceSource, Throw


class Scripted:
    """Faces from a list (`--dice`, replays, tests), checked against the dice they stand for (ALL-2)."""

    __slots__ = ("faces", "used")

    def __init__(self, faces: Iterable[int | str]):
        self.faces = list(faces)
        self.used = 0

    def face(self, sides: int, throw: Throw) -> int:
        """The next face; WrongDice where there is none or the die does not have it."""
        roll = rolling(throw)
        if self.used == len(self.faces):
            raise WrongDice(
                f"too few faces: {roll} asks for another d{sides} after {spelled(self.faces)}",
                hint="give one face for every die, in the order of rolling",
            )
        face = number_of(self.faces[self.used], throw)
        if not 1 <= face <= sides:
            raise WrongDice(
                f"{face} is not on a d{sides}: face {self.used + 1} is for {roll}",
                hint=f"a d{sides} shows 1 to {sides}",
            )
        self.used += 1
        throw.given = True
        return face

    def finish(self) -> None:
        """WrongDice where faces are left over."""
        if self.used < len(self.faces):
            left = self.faces[self.used :]
            raise WrongDice(
                f"faces left over: {spelled(left)} after {self.used} rolled",
                hint="give one face for every die, no more",
            )


class Recorded(Scripted):
    """The dice of a journal's entry, thrown again: for each its sides, its face, and whether that was given."""

    __slots__ = ("dice",)

    def __init__(self, dice: Iterable[tuple[int, int, bool]]):
        self.dice = list(dice)
        super().__init__(face for _, face, _ in self.dice)

    def face(self, sides: int, throw: Throw) -> int:
        """The next face; WrongDice where the current rules ask for another die than the record holds."""
        at, given = self.used, throw.given
        if at < len(self.dice) and self.dice[at][0] != sides:
            raise WrongDice(
                f"{rolling(throw)} asks for a d{sides} where the record holds a d{self.dice[at][0]}"
            )
        face = super().face(sides, throw)
        throw.given = given or self.dice[at][2]
        return face


class GivenChoices:
    """Answers to decisions from a list (`--choose`): each is for the next decision that offers it."""

    __slots__ = ("names", "used", "offered")

    def __init__(self, names: Iterable[str]):
        self.names = list(names)
        self.used = 0
        self.offered: dict[str, None] = {}
        """The names of all options of the decisions so far."""

    def take(self, options: tuple[Alternative, ...]) -> Alternative | None:
        """The option that the next answer names; None where it names none of them, or no answer is left."""
        name = self.names[self.used] if self.used < len(self.names) else ""
        self.offered.update(dict.fromkeys(option.name for option in options))
        taken = option_called(options, name)
        self.used += taken is not None
        return taken

    def finish(self) -> None:
        """WrongChoice where answers are left over."""
        left = self.names[self.used :]
        if left:
            raise wrong_choice(left[0], self.used, self.offered)


def wrong_choice(name: str, made: int, offered: Iterable[str]) -> WrongChoice:
    """The error for a choice that no decision offers, after so many that were made; with the names that are offered."""
    names = ", ".join(offered)
    return WrongChoice(
        f"choices left over: nothing offers {name!r}" + (f", after {made} made" if made else ""),
        hint=f"offered: {names}; give one choice for every question of the action, in their order"
        if names
        else "nothing is asked here: leave out --choose",
    )


def number_of(face: int | str, throw: Throw) -> int:
    """The number of a face that may be the name of a card; WrongDice where the roll has no such card."""
    if isinstance(face, int):
        return face
    names = [card.casefold() for card in throw.cards]
    if face.casefold() in names:
        return names.index(face.casefold()) + 1
    if not names:
        raise WrongDice(f"{face!r} is no number: {rolling(throw)} is of dice", hint="write 4,5,1")
    raise WrongDice(
        f"{face!r} is none of the {len(names)} cards left for {rolling(throw)}",
        hint=f"cards: {spelled(throw.cards)}",
    )


def rolling(throw: Throw) -> str:
    """Whose roll it is, and what for."""
    return f"{throw.who}'s {throw.what}" if throw.who else f"the {throw.what}"


def spelled(faces: Sequence[int | str]) -> str:
    """The first of some faces, with commas."""
    shown = ",".join(map(str, faces[:12]))
    return (shown + (",…" if len(faces) > 12 else "")) or "none"


ZERO = (10, 100)
"""Dice of which the highest face is printed as 0 or 00."""


class Mixed:
    """The dice of some fighters are typed in, those of the others rolled (`--mine`)."""

    __slots__ = ("answers", "rest", "mine")

    def __init__(self, answers: DiceSource, rest: DiceSource, mine: Callable[[str], bool]):
        self.answers = answers
        self.rest = rest
        self.mine = mine

    def face(self, sides: int, throw: Throw) -> int:
        """A face from the source of that fighter's dice."""
        return (self.answers if self.mine(throw.who) else self.rest).face(sides, throw)
