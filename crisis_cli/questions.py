"""Questions to the player: faces of real dice, and the words that answer any question."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .engine.wording import with_a

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .dice.table import Throw

BACK = ("b", "back", "<", "undo")
"""Answers that take back the last one."""
ROLL = ("r", "roll", "roll this one for me")
"""Answers that let the program roll."""
BARE = "› "
"""The question for dice that are named above it."""
NUMBERS = ("zero", "one", "two", "three", "four", "five", "six")
LONGEST_QUESTION = 50
"""Letters of all answers from which on a question asks for their numbers."""
LONG = 10
"""A number with this many digits is not accepted."""


def typed_number(word: str) -> int:
    """The number that a player has typed to choose one of several things; 0 for any other word."""
    return int(word) if word.isdecimal() and len(word) < LONG else 0


class Questions:
    """Asks the player, again and again, until the answer is valid."""

    def __init__(self, ask: Callable[..., str], say: Callable[..., object], roll_die: Callable[[int], int]):
        self.ask = ask
        self.say = say
        self.roll_die = roll_die
        """Gives a random result of a die with so many sides."""

    def ask_results(self, sides: int, throw: Throw, is_said: bool = False) -> list[int]:
        """Ask for results of real dice: one, or several for the next dice of the roll; empty takes the last back.

        The question names the dice unless that `is_said` above it.
        """
        question = BARE if is_said else _dice_question(sides, throw)
        hint = f"type the results of your dice, 1 to {sides}, several with spaces: 4 2"
        if throw.cards:
            hint = "type what you drew, the name of the card or its number among those that are left"
        while True:
            answer = self.ask(question, (ROLL[1], BACK[1])).strip()
            if answer.lower() in BACK:
                return []
            if answer.lower() in ROLL:
                result = self.roll_die(sides)
                self.say(f"rolled for you: {throw.cards[result - 1] if throw.cards else result}")
                return [result]
            names = [card.casefold() for card in throw.cards]
            if answer.casefold() in names:
                return [names.index(answer.casefold()) + 1]
            words = answer.replace(",", " ").split()
            if words and all(word.isascii() and word.isdigit() and len(word) < LONG for word in words):
                return [int(word) for word in words]
            self.say(
                f"{hint}; roll lets the program roll this one, b takes the last answer back, Ctrl-C gives up"
            )


def question_line(whose: str, names: Sequence[str]) -> str:
    """The line of a question with its answers, that of Enter in brackets; their numbers where they would be long."""
    # The names stand above with their numbers; many would break in the line where one types.
    short = f"or 1 to {len(names)}" if sum(map(len, names)) > LONGEST_QUESTION else ", ".join(names[1:])
    return f"{whose} [{names[0]}], {short}? " if names[1:] else f"{whose} [{names[0]}]? "


def _dice_question(sides: int, throw: Throw) -> str:
    """Which dice to throw now: all of a roll at first, later those that go on or the one that follows."""
    whose = f"{throw.who}'s {throw.what}" if throw.who else throw.what
    if throw.about.get("tied_with"):
        whose += f", tied with {' and '.join(throw.about['tied_with'])}"
    if throw.cards:
        return f"{whose}: draw one of {len(throw.cards)} cards: "
    dice = throw.spelled or f"d{sides}"
    if going := _exploded(sides, throw):
        count, left = going
        return f"{whose}: {_counted_faces(count, sides)}: throw {left} more d{sides}: "
    where = f" (die {len(throw.faces) + 1})" if throw.faces else ""
    is_plain = dice.rstrip("!").lstrip("0123456789") == f"d{sides}"
    now = "" if is_plain and not where else f", a d{sides} now"
    return f"{whose}: throw {dice}{where}{now}: "


def _exploded(sides: int, throw: Throw) -> tuple[int, int] | None:
    """How many dice of the last wave show the highest face, and how many of them are still to be thrown again.

    None where the next die is no such one: exploding dice are thrown wave by wave.
    """
    count, _, kind = throw.dice.rstrip("!").partition("d")
    if kind != str(sides) or any(one != sides for one, _ in throw.faces) or not (count or "1").isdigit():
        return None
    faces, wave, before = [face for _, face in throw.faces], int(count or 1), 0
    while len(faces) >= wave > 0:
        before = faces[:wave].count(sides)
        faces, wave = faces[wave:], before
    return (before, wave - len(faces)) if before and wave else None


def _counted_faces(count: int, face: int) -> str:
    """So many faces in words: `a six`, `two sixes`, `3 times 12`."""
    if max(face, count) >= len(NUMBERS):
        return f"{count} times {face}" if count > 1 else with_a(str(face))
    name = NUMBERS[face]
    return with_a(name) if count == 1 else f"{NUMBERS[count]} {name}{'es' if name.endswith('x') else 's'}"
