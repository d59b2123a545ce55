"""What the player is asked in the middle of an action: faces of real dice, and decisions with their odds."""

from __future__ import annotations

from collections.abc import Callable

from .dice.option_odds import OptionOdds
from .dice.table import Alternative, Roll

BACK = ("b", "back", "<")
"""What takes the answer given last back."""
LONG = 10
"""Digits that no face has."""


class Asking:
    """Asks the player until there is an answer that will do."""

    def __init__(self, ask: Callable[..., str], say: Callable[..., object]):
        self.ask = ask
        self.say = say

    def faces(self, sides: int, throw: Roll) -> list[int]:
        """Faces of real dice: one, or several that serve the dice of the throw that follow; none takes one back."""
        whose = f"{throw.who}'s {throw.what}" if throw.who else throw.what
        if throw.about.get("tied_with"):
            whose += f", tied with {' and '.join(throw.about['tied_with'])}"
        dice = throw.spelled or f"d{sides}"
        where = f" (die {len(throw.faces) + 1})" if throw.faces else ""
        while True:
            now = "" if dice == f"d{sides}" and not where else f", a d{sides} now"
            answer = self.ask(f"{whose}: throw {dice}{where}{now}: ").strip()
            if answer.lower() in BACK:
                return []
            words = answer.replace(",", " ").split()
            if words and all(word.isascii() and word.isdigit() and len(word) < LONG for word in words):
                return [int(word) for word in words]
            self.say(f"faces are whole numbers; give 1 to {sides}, or b to take the last one back")

    def not_so(self, why: str) -> None:
        """Say why faces will not do."""
        self.say(f"{why}; type them again, or b to go back")

    def choice(
        self,
        who: str,
        options: tuple[Alternative, ...],
        told: tuple[OptionOdds | None, ...],
        so_far: list[str],
    ) -> Alternative | None:
        """The option that the player takes, each shown with what it promises; None takes the last answer back.

        `so_far` is what has happened in this action already.
        """
        gainful = any(option.spends or option.gains for option in options)
        wide = max(len(option.name) for option in options) + 1
        self.say(*so_far)
        for number, (option, promise) in enumerate(zip(options, told, strict=True), start=1):
            said = _chances(option, promise) if gainful else _promises(promise)
            self.say(f"  {number}. {option.name + ':':<{wide}} {said}{_costs(option)}")
        names = [option.name for option in options]
        while True:
            answer = self.ask(f"{who}: {', '.join(names)}? ", names).strip().lower()
            if answer.isdigit() and 1 <= int(answer) <= len(options):
                return options[int(answer) - 1]
            if answer in names:
                return options[names.index(answer)]
            if answer in BACK:
                return None
            # A few letters will do where only one option begins so.
            begun = [option for option in options if answer and option.name.startswith(answer)]
            if len(begun) == 1:
                return begun[0]
            self.say(
                f"one of {', '.join(names)}, or its number; b takes the last answer back, Ctrl-C gives up"
            )


def _promises(promise: OptionOdds | None) -> str:
    if promise is None:
        return "too wide to weigh"
    return f"{promise.harm:.2f} harm on average, unhurt {100 * promise.unhurt:.1f} %"


def _chances(option: Alternative, promise: OptionOdds | None) -> str:
    if promise is None:
        return "too wide to weigh"
    if not option.cost and promise.unhurt in (0, 1):
        # Nothing is thrown for it: there is nothing to weigh.
        return option.gains if promise.unhurt and option.gains else "it stays as it fell"
    return f"{100 * promise.unhurt:.1f} % {f'for {option.gains}' if option.gains else 'to succeed'}"


def _costs(option: Alternative) -> str:
    return f", costs {option.cost} {option.spends or option.pays}".rstrip() if option.cost else ""
