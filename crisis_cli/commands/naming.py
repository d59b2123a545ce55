"""Commands in which a name may have several words: `attack drone 1`, `act draw pipe bomb`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import click

from ..context import Context
from ..engine.scene import GEAR_OPTIONS, MOST_FIGHTERS, Scene, slug
from ..play.journals import QUICK
from ..sheets.names import Names, fighter_names, join_words, match_inner_word, match_name, plain_names

ACTING = ("act", "attack", "throw", "heal", "check")
"""Verbs that take any word of a name, typed at a terminal."""


class NameJoiningCommand(click.Command):
    """A click command that joins the words of one name into one argument."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments after joining names of several words."""
        return super().parse_args(ctx, join_names(ctx, args))


def join_names(ctx: click.Context, words: Sequence[str]) -> list[str]:
    """The words of a command line with names of several words joined.

    Names are those in the open crisis, and those of new copies (`drone:2`). At a terminal, a verb that acts takes any
    word of a name as well.
    """
    context = ctx.find_object(Context)
    if context is not None and ctx.command.name in ACTING and not ctx.resilient_parsing:
        words = _with_whole_names(context, str(ctx.command.name), words)
    if context is None or not any(_may_join(one, other) for one, other in pairwise(words)):
        return list(words)
    crisis = context.desk.journals.peek(
        option_value(words, "--file"), QUICK if ctx.resilient_parsing else None
    )
    return join_words(words, {**_copies(words), **(names_in_scene(crisis.scene) if crisis else {})})


def _with_whole_names(context: Context, verb: str, words: Sequence[str]) -> Sequence[str]:
    """The words of a command typed at a shell's terminal, each in place of which a name of the open crisis, or of the
    party, has it among its words, if no other name has; the line is printed."""
    # Imported late: no line of a script or a pipe needs it.
    from ..systems import load

    environment = context.environment
    if not (environment.is_interactive and environment.is_terminal and environment.from_shell):
        return words
    crisis = context.desk.journals.peek(option_value(words, "--file"))
    if crisis is not None:
        names = fighter_names(crisis.scene)
        known = {**names_in_scene(crisis.scene), **plain_names(load(crisis.scene.system).actions)}
    elif context.desk.places.story_folder is not None:
        names = plain_names(context.desk.campaigns.campaign().party)
        known = {**names}
    else:
        return words
    whole = [
        slug(found[0])
        if not (word.startswith("-") or before.startswith("-") or match_name(word, known).names)
        and len(found := match_inner_word(word, names)) == 1
        and not (crisis is None and context.desk.shelves.sheets().has(word))
        else word
        for before, word in zip(("", *words), words, strict=False)
    ]
    if whole != [*words]:
        context.output.say(context.output.ink("dim", f"= {verb} {' '.join(whole)}"), to_stderr=True)
    return whole


def _may_join(one: str, other: str) -> bool:
    return (not one.startswith("-") or "=" in one) and not other.startswith("-")


def names_in_scene(scene: Scene) -> Names:
    """All names in a crisis that a command may use: fighters, and the weapons and items they carry."""
    return {
        **plain_names(
            thing for one in scene.fighters.values() for thing in one.carried(" ".join(GEAR_OPTIONS.values()))
        ),
        **fighter_names(scene),
    }


def _copies(words: Sequence[str]) -> Names:
    """Names that new copies in this command may get: Drone 1 and up for `drone:2`."""
    parts = (word.rpartition(":") for word in words)
    sheets = {name for name, _, number in parts if name and number.isascii() and number.isdigit()}
    return plain_names(f"{name} {number}" for name in sheets for number in range(1, MOST_FIGHTERS + 1))


def option_value(words: Sequence[str], option: str) -> str:
    """The value of an option on a command line; empty if it is not given."""
    for at, word in enumerate(words):
        if word == option and at + 1 < len(words):
            return words[at + 1]
        if word.startswith(f"{option}="):
            return word.partition("=")[2]
    return ""
