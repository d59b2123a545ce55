"""Skill checks, and the names of skills on the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..engine.kinds import guess
from ..engine.scene import Fighter, Intent, Scene
from ..engine.system import Action, Opponents, Says, Setup, no_effects
from ..errors import Refused


def check_action(
    title: str,
    rule: str,
    setup: Callable[[Scene, Intent], Setup],
    roll: Callable[..., object],
    options: tuple[str, ...],
    effects: Callable[..., None] = no_effects,
    counts: str = "",
) -> Action:
    """The row of a skill check, allowed at any time.

    `roll(table, dice)` is its rule; its outcome has a field `success`, and `counts` is the noun for its total.
    `crisis check ann SKILL` takes a word for what is rolled, which `setup` reads as `intent.get("skill")`: any word,
    until `known_word` refuses those that it does not know.
    """
    return Action(
        title,
        rule,
        setup,
        effects,
        roll,
        ai=Opponents(lambda scene, who: ()),
        says=Says("{actor} tries {skill}", ("success", "failure"), counts),
        window="any",
        options=options,
    )


def known_word(
    fighter: Fighter, word: str, known: Iterable[str], what: str, rule: str, *, forced: bool = False
) -> str:
    """The name of a skill or an attribute as the rules spell it; Refused, with the nearest name, if it is not one of
    `known`.

    `what` says what it is: "skill". With `forced` an unknown name is returned as it was given.
    """
    word = word.lower().replace("_", "-").replace(" ", "-")
    words = tuple(dict.fromkeys(known))
    if word not in words and not forced:
        message = f"{fighter.name} has no {what} called {word!r} ({rule}){guess(word, words)}"
        raise Refused(message, hint=f"there are: {', '.join(words)}", rule=rule, code="unknown_name")
    return word
