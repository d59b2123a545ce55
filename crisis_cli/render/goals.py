"""The goals of an encounter in words, from the side of the player."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from ..engine.encounter import NOBODY, SIDE_OF, Encounter, is_one_of
from ..engine.goals import goals
from ..engine.wording import with_the
from ..random_tables.oracle import LIKELY
from ..values import NamedTuple
from .sides import own_side

if TYPE_CHECKING:
    from ..engine.encounter import Trigger
    from ..engine.goals import Goal
    from ..engine.scene import Scene
    from .style import Ink

TEXT_AT, STATE_AT, OWN_LINE_AT = 12, 57, 42
"""The columns in which the text of a goal begins, how it stands behind it, and that on a line of its own."""
LIKELIHOODS = {percent: word for word, percent in LIKELY.items()}
"""The word of the oracle for a chance in percent."""


class Cast(NamedTuple):
    """Whom the words of an encounter can mean, and which side is told."""

    own: str
    sides: tuple[str, ...]
    """Those that take part, or may come."""
    names: tuple[str, ...]

    def is_side(self, word: str) -> bool:
        """Whether a word of an encounter means a side."""
        return word.removeprefix(SIDE_OF) in self.sides

    def are_several(self, word: str) -> bool:
        """Whether a name means several fighters, as `Guard` does for `Guard 1` and `Guard 2`."""
        return sum(is_one_of(name, word) for name in self.names) > 1

    def members(self, word: str, of_whom: str = "") -> str:
        """Those of a side, behind a number: `you`, or `the opponents`; `of_whom` where there is but one other side."""
        side = word.removeprefix(SIDE_OF)
        if side == self.own:
            return "you"
        return of_whom if of_whom and len(self.sides) <= 2 else f"the {side}"


def cast_of(scene: Scene) -> Cast:
    """Whom the words of the encounter of a scene can mean."""
    coming = (one.side for each in _events(scene.encounter) for one in each.add)
    sides = dict.fromkeys([*(one.side for one in scene.fighters.values()), *coming])
    return Cast(own_side(scene), tuple(sides), tuple(scene.fighters))


def _events(encounter: Encounter | None) -> Sequence[Trigger]:
    return encounter.triggers if encounter else ()


# One goal


def goal_text(goal: Goal, cast: Cast) -> str:
    """When a side wins: `when round 5 is over`."""
    event = goal.event
    is_rush = event is not None and event.reach and not event.everyone and goal.side != cast.own
    return (
        f"{'as soon as' if is_rush and event and event.who != cast.own else 'when'} {condition(goal, cast)}"
    )


def condition(goal: Goal, cast: Cast) -> str:
    """What a goal waits for, as a clause: `round 5 is over`."""
    event = goal.event
    if event is None:
        return "no opponent is left" if goal.side == cast.own else "all of you are down"
    odds = ""
    if event.chance is not None:
        word = LIKELIHOODS.get(event.chance, "").replace("-", " ")
        odds = f" ({word}{', ' if word else ''}{event.chance} %)"
    return " and ".join(clauses(event, cast)) + odds


def clauses(event: Trigger, cast: Cast) -> Iterator[str]:
    """All that an event waits for, a clause each."""
    if event.round is not None:
        yield f"round {event.round} begins"
    if event.after is not None:
        yield f"round {event.after} is over"
    if event.down:
        yield _down(event, cast)
    if event.hurt:
        whose = cast.members(event.hurt)
        yield f"{f'one of {whose}' if cast.is_side(event.hurt) else event.hurt} has under {event.below} %"
    if event.reach:
        yield f"{_who_reach(event, cast)} at {with_the(event.reach)}"


def _down(event: Trigger, cast: Cast) -> str:
    """Whose defeat an event waits for."""
    word, left = event.down, event.left
    number = "one" if left == 1 else str(left)
    verb = "is" if left == 1 else "are"
    if cast.is_side(word):
        if left:
            return f"only {number} of {cast.members(word, 'them')} {verb} left"
        whose = cast.members(word)
        return "all of you are down" if whose == "you" else f"no {_singular(word)} is left"
    if left:
        return f"only {number} {word}{'' if left == 1 else 's'} {verb} left"
    return f"{'every ' if cast.are_several(word) else ''}{word} is down"


def _who_reach(event: Trigger, cast: Cast) -> str:
    """Who must reach the place of an event, with the verb."""
    word, many = event.who, event.many
    if cast.is_side(word):
        if event.everyone:
            return f"all of {cast.members(word, 'them')} who still stand are"
        return f"{'one' if many == 1 else many} of {cast.members(word)} {'is' if many == 1 else 'are'}"
    if event.everyone and cast.are_several(word):
        return f"every {word} who still stands is"
    return f"{word} is" if many == 1 else f"{many} {word}s are"


def _singular(word: str) -> str:
    """A member of a side: `opponent` for `side:opponents`."""
    return word.removeprefix(SIDE_OF).removesuffix("s")


def short_goal(goal: Goal, cast: Cast) -> str:
    """A goal in a few words: `hold 5 rounds`, `all to the truck`, `Captain down`."""
    event, is_own = goal.event, goal.side == cast.own
    if event is None:
        return "all of them" if is_own else "stay up"
    if event.reach:
        many, where = "all" if event.everyone else str(event.many), with_the(event.reach)
        return f"{many} to {where}" if is_own else f"keep {many} out of {where}"
    if event.down:
        side = event.down.removeprefix(SIDE_OF)
        if cast.is_side(event.down):
            few = f"{'all' if not event.left else f'all but {event.left}'} of"
            return f"{few} {cast.members(event.down, 'them')}{'' if is_own else ' up'}"
        return f"{side} down" if is_own else f"keep {side} up"
    if event.hurt:
        return f"{event.hurt} under {event.below} %"
    if event.round is not None:
        return f"hold until round {event.round}" if is_own else f"win before round {event.round}"
    rounds = f"{event.after} round{'' if event.after == 1 else 's'}"
    return f"hold {rounds}" if is_own else f"win within {rounds}"


# All goals


def goals_block(encounter: Encounter, cast: Cast, ink: Ink, width: int = 80) -> list[str]:
    """The lines with which an encounter begins: what wins it, and what loses it."""
    lines: list[str] = []
    shown = goals(encounter, cast.sides, cast.own)
    for head, group in groupby(shown, lambda goal: verdict(goal, cast)):
        first, *more = [goal_text(goal, cast) for goal in group]
        said = ", or ".join([first, *(text.removeprefix("when ") for text in more)])
        parts = [said]
        if not first.startswith("when ") or ink.length(said) > width - TEXT_AT:
            parts = [first, *(f"or {text}" for text in more)]
        rows = [row for part in parts for row in ink.wrapped(part, width - TEXT_AT)]
        lines += [ink.padded(f"  {head}", TEXT_AT) + rows[0], *(" " * TEXT_AT + row for row in rows[1:])]
    return lines


def verdict(goal: Goal, cast: Cast) -> str:
    """What a goal means for one's own side: `You win`, `You lose`, or `A draw`."""
    return "A draw" if goal.side == NOBODY else "You win" if goal.side == cast.own else "You lose"
