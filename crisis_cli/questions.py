"""Questions to the player in the middle of an action: results of real dice, and decisions with their odds."""

from __future__ import annotations

from collections.abc import Callable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .dice.option_odds import OptionOdds
    from .dice.table import Alternative, Roll

BACK = ("b", "back", "<")
"""Answers that take back the last one."""
LONG = 10
"""A result with this many digits is not accepted."""


class Questions:
    """Asks the player, again and again, until the answer is valid."""

    def __init__(self, ask: Callable[..., str], say: Callable[..., object]):
        self.ask = ask
        self.say = say

    def ask_results(self, sides: int, throw: Roll) -> list[int]:
        """Ask for results of real dice: one, or several for the next dice of the roll; empty takes the last back."""
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

    def reject_results(self, why: str) -> None:
        """Say why results were not accepted."""
        self.say(f"{why}; type them again, or b to go back")

    def ask_choice(
        self,
        who: str,
        options: tuple[Alternative, ...],
        odds: tuple[OptionOdds | None, ...],
        history: list[str],
    ) -> Alternative | None:
        """Ask `who` to choose an option, each shown with its odds; None takes the last answer back.

        `history` are lines about what has happened in this action so far.
        """
        has_gains = any(option.spends or option.gains for option in options)
        wide = max(len(option.name) for option in options) + 1
        self.say(*history)
        for number, (option, promise) in enumerate(zip(options, odds, strict=True), start=1):
            said = _chance_text(option, promise) if has_gains else _average_text(promise)
            self.say(f"  {number}. {option.name + ':':<{wide}} {said}{_cost_text(option)}")
        names = [option.name for option in options]
        while True:
            answer = self.ask(f"{who}: {', '.join(names)}? ", names).strip().lower()
            if answer.isdigit() and 1 <= int(answer) <= len(options):
                return options[int(answer) - 1]
            if answer in names:
                return options[names.index(answer)]
            if answer in BACK:
                return None
            # The beginning of a name is enough if it is unique.
            matching = [option for option in options if answer and option.name.startswith(answer)]
            if len(matching) == 1:
                return matching[0]
            self.say(
                f"one of {', '.join(names)}, or its number; b takes the last answer back, Ctrl-C gives up"
            )


def _average_text(promise: OptionOdds | None) -> str:
    if promise is None:
        return "too wide to weigh"
    return f"{promise.harm:.2f} harm on average, unhurt {100 * promise.unhurt:.1f} %"


def _chance_text(option: Alternative, promise: OptionOdds | None) -> str:
    if promise is None:
        return "too wide to weigh"
    if not option.cost and promise.unhurt in (0, 1):
        # Nothing is rolled for it, so there are no odds.
        return option.gains if promise.unhurt and option.gains else "it stays as it fell"
    return f"{100 * promise.unhurt:.1f} % {f'for {option.gains}' if option.gains else 'to succeed'}"


def _cost_text(option: Alternative) -> str:
    return f", costs {option.cost} {option.spends or option.pays}".rstrip() if option.cost else ""
