"""Checks: the words that name a skill."""

from __future__ import annotations

from collections.abc import Iterable

from ..engine.kinds import guess
from ..engine.scene import Fighter
from ..errors import Refused


def known_word(
    fighter: Fighter, word: str, known: Iterable[str], what: str, rule: str, *, forced: bool = False
) -> str:
    """A skill or attribute as the rules spell it; Refused with the nearest where it is not one of `known`.

    `forced`: the word is taken as it is.
    """
    word = word.lower().replace("_", "-").replace(" ", "-")
    words = tuple(dict.fromkeys(known))
    if word not in words and not forced:
        message = f"{fighter.name} has no {what} called {word!r} ({rule}){guess(word, words)}"
        raise Refused(message, hint=f"there are: {', '.join(words)}", rule=rule)
    return word
