"""The goals of an encounter in words, from the side of the player."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from math import ceil, inf
from typing import TYPE_CHECKING, Any

from ..engine.encounter import NOBODY, SIDE_OF, Encounter, is_one_of
from ..engine.encounter_events import has_come_up
from ..engine.goals import goals, open_goals
from ..engine.sides import decided
from ..engine.wording import measured, with_the
from ..random_tables.oracle import LIKELY
from ..values import NamedTuple
from .sides import bearing, own_side

if TYPE_CHECKING:
    from ..engine.encounter import Trigger
    from ..engine.encounter_events import Threshold
    from ..engine.field import Place
    from ..engine.goals import Goal
    from ..engine.scene import Scene
    from ..engine.system import System
    from .style import Ink

TEXT_AT, STATE_AT, OWN_LINE_AT = 12, 57, 42
"""The columns in which the text of a goal begins, how it stands behind it, and that on a line of its own."""
LIKELIHOODS = {percent: word for word, percent in LIKELY.items()}
"""The word of the oracle for a chance in percent."""
MOST_NAMED = 2
"""How many of those who are not at a place yet are named at least: the nearest."""


class Cast(NamedTuple):
    """The sides and fighters that words of an encounter can mean, and the side that reads about them."""

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
    """The sides and fighters that words of the encounter of a scene can mean."""
    events = scene.encounter.triggers if scene.encounter else ()
    coming = (group.side for event in events if not event.secret for group in event.add)
    sides = dict.fromkeys([*(fighter.side for fighter in scene.fighters.values()), *coming])
    return Cast(own_side(scene), tuple(sides), tuple(scene.fighters))


# One goal


def goal_text(goal: Goal, cast: Cast) -> str:
    """When a side wins: `when round 5 is over`."""
    event, is_own = goal.event, goal.side == cast.own
    if event is None:
        theirs = "no opponent" if len(cast.sides) <= 2 else "nobody else"
        return f"when {theirs} is left" if is_own else "when all of you are down"
    is_rush = event.reach and not is_own and not event.everyone and cast.members(event.who) != "you"
    said = f"{'as soon as' if is_rush else 'when'} {' and '.join(clauses(event, cast))}"
    if event.chance is None:
        return said
    word = LIKELIHOODS.get(event.chance, "").replace("-", " ")
    odds = ", ".join(filter(None, (word, f"{event.chance} %")))
    return f"{said} ({odds})"


def clauses(event: Trigger, cast: Cast) -> Iterator[str]:
    """All that an event waits for, a clause each."""
    if event.round is not None:
        is_alone = event.after is None and not (event.down or event.hurt or event.reach)
        yield f"round {event.round} {'begins' if is_alone else 'has begun'}"
    if event.after is not None:
        yield f"round {event.after} is over"
    if event.down:
        yield _down(event, cast)
    if event.hurt:
        whose = cast.members(event.hurt)
        yield f"{f'one of {whose}' if cast.is_side(event.hurt) else event.hurt} has under {event.below} % left"
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
        return (
            "all of you are down"
            if whose == "you"
            else f"no {word.removeprefix(SIDE_OF).removesuffix('s')} is left"
        )
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


# All goals


def goals_block(encounter: Encounter, cast: Cast, ink: Ink, width: int = 80) -> list[str]:
    """The lines with which an encounter begins: what wins it, and what loses it."""
    lines: list[str] = []
    for head, (first, *more) in _stakes(encounter, cast):
        said = _either(first, more)
        is_one_line = first.startswith("when ") and ink.length(said) <= width - TEXT_AT
        parts = [said] if is_one_line else [first, *(f"or {text}" for text in more)]
        lines += _rows(f"  {head}", parts, ink, width)
    return lines


def goal_sentences(encounter: Encounter, cast: Cast) -> Iterator[str]:
    """What wins an encounter, and what loses it, a sentence each."""
    for head, (first, *more) in _stakes(encounter, cast):
        yield f"{head} {_either(first, more)}."


def _stakes(encounter: Encounter, cast: Cast) -> Iterator[tuple[str, list[str]]]:
    """What each of the ends of an encounter means for one's own side, with the texts of its goals."""
    shown = goals(encounter, cast.sides, cast.own)
    for head, group in groupby(shown, lambda goal: heading(goal, cast)):
        yield head, [goal_text(goal, cast) for goal in group]


def _either(first: str, more: Sequence[str]) -> str:
    """The texts of goals as one clause: `when round 5 is over, or no opponent is left`."""
    return ", or ".join([first, *(text.removeprefix("when ") for text in more)])


def _rows(lead: str, texts: Sequence[str], ink: Ink, width: int) -> list[str]:
    """The lines of texts in their column, with a lead before the first."""
    rows = [row for text in texts for row in ink.wrapped(text, width - TEXT_AT)]
    return [ink.padded("" if at else lead, TEXT_AT) + row for at, row in enumerate(rows)]


def heading(goal: Goal, cast: Cast) -> str:
    """What a goal means for one's own side: `You win`, `You lose`, or `A draw`."""
    return "A draw" if goal.side == NOBODY else "You win" if goal.side == cast.own else "You lose"


# As a fight stands


class Approach(NamedTuple):
    """A fighter who is not at the place of a goal yet."""

    name: str
    away: int
    """How far the way to the place is, in the unit of the system."""
    turns: int | None
    """In how many turns of its own the fighter can be there; None if it cannot walk."""


class GoalProgress(NamedTuple):
    """A goal as it stands in a fight."""

    side: str
    """The side that wins by it, or `nobody`; empty for the defeat of one side that leaves several others."""
    event: int | None
    """The number of the event in the file; None for the last stand."""
    text: str
    now: int
    """How far it is: rounds done, fighters down or at the place, or percent of a life that are lost."""
    needs: int
    met: bool
    who: tuple[Approach, ...]
    """The nearest of those who are not at the place yet: as many as are still needed there, and at least two."""

    def to_dict(self) -> dict[str, Any]:
        """The goal as `crisis goal --json` lists it."""
        return {**self._asdict(), "side": self.side or None, "who": [one._asdict() for one in self.who]}


def progress(system: System, scene: Scene, with_secret: bool = False) -> list[GoalProgress]:
    """The goals that can still be met, as they stand."""
    cast = cast_of(scene)
    return [
        GoalProgress(
            goal.side,
            goal.number,
            goal_text(goal, cast),
            goal.lacking.now,
            goal.lacking.needs,
            goal.is_met and not _is_refused(scene, goal),
            tuple(approaches(system, scene, goal)),
        )
        for goal in open_goals(system, scene, cast.own, with_secret)
    ]


def _is_refused(scene: Scene, goal: Goal) -> bool:
    """Whether dice have said no to a goal that is met as it stands."""
    return goal.event is not None and goal.is_met and has_come_up(scene, goal.event)


def approaches(system: System, scene: Scene, goal: Goal) -> Iterator[Approach]:
    """The nearest of those who lack at the place of a goal that is not met; nobody without a map."""
    for name, away in _ways(system, scene, goal).items():
        from ..ai.evaluation import Evaluator
        from ..ai.goals import turns_to

        turns = turns_to(Evaluator(system), scene, name, scene.fighters[name].at, _cells(scene, goal))
        yield Approach(name, away, None if turns == inf else ceil(turns))


def _ways(system: System, scene: Scene, goal: Goal) -> dict[str, int]:
    """How far the nearest of those are who lack at the place of a goal, by name: as many as would meet it."""
    count, cells = goal.lacking, _cells(scene, goal)
    if count.key != "reach" or count.is_met or not cells:
        return {}
    from ..ai.goals import closest

    away: dict[str, int] = {}
    for name in count.standing:
        start = scene.fighters[name].at
        cell = closest(system, scene, start, cells) if start and name not in count.there else None
        if start and cell:
            away[name] = scene.way(start, cell, system.space.distance)
    return dict(sorted(away.items(), key=lambda way: way[1])[: max(MOST_NAMED, count.needs - count.now)])


def _cells(scene: Scene, goal: Goal) -> Sequence[Place]:
    """The cells of the place of a goal on which somebody can stand."""
    field, event = scene.field, goal.event
    return field.floor_of(event.reach) if field and event and event.reach else ()


def whereabouts(system: System, scene: Scene) -> dict[str, str]:
    """Who is at the place of a goal, and how far the nearest of the others are from it, in words by name."""
    words: dict[str, str] = {}
    for goal in open_goals(system, scene, own_side(scene)) if scene.encounter else ():
        where = with_the(goal.event.reach) if goal.event else ""
        for count in goal.counts:
            words |= dict.fromkeys(count.there, f"at {where}")
        for name, away in _ways(system, scene, goal).items():
            words[name] = f"{measured(away, system.space.unit)} to {where}"
    return words


def goal_lines(system: System, scene: Scene, ink: Ink, width: int) -> list[str]:
    """What `crisis goal` shows: the encounter, and each goal with how it stands."""
    if decided(system, scene):
        from .closing import verdict

        return [verdict(scene, system)]
    if scene.encounter is None:
        return ["Win: no opponent is left."]
    lines = [ink("bold", scene.encounter.name), *ink.wrapped(scene.encounter.about, width)]
    cast = cast_of(scene)
    for head, group in groupby(open_goals(system, scene, cast.own), lambda goal: heading(goal, cast)):
        for at, goal in enumerate(group):
            text = f"{'or ' if at else ''}{goal_text(goal, cast)}"
            lead = "" if at else f"  {head}"
            state = _state(goal, cast, [*approaches(system, scene, goal)], system)
            if _is_refused(scene, goal):
                state = "the dice said no"
            first, *more = _rows(lead, [text], ink, width)
            if not more and ink.length(first) + 2 <= STATE_AT and STATE_AT + ink.length(state) <= width:
                lines.append(ink.padded(first, STATE_AT) + state)
                continue
            indent = max(TEXT_AT, min(OWN_LINE_AT, width - ink.length(state)))
            lines += [first, *more, *(" " * indent + row for row in ink.wrapped(state, width - indent))]
    return lines


def _state(goal: Goal, cast: Cast, coming: Sequence[Approach], system: System) -> str:
    """How a goal stands: `2 of 5 rounds done`."""
    count = goal.lacking
    if count.key == "after":
        return f"{count.now} of {count.needs} rounds done"
    if count.key == "round":
        return f"round {count.now} now"
    if count.key == "hurt":
        return f"{100 - count.now} % left"
    if count.key == "reach":
        few = f"{count.now} of {count.needs}" if goal.event and goal.event.everyone else str(count.now)
        return " · ".join([f"{few} there", *(_coming(one, system) for one in coming)])
    many, word = len(count.standing), goal.event.down if goal.event else ""
    if word and not cast.is_side(word) and not cast.are_several(word):
        return "stands"
    is_own = cast.members(word) == "you" if word else goal.side != cast.own
    return f"{many} {'left' if not is_own else 'stands' if many == 1 else 'stand'}"


def _coming(one: Approach, system: System) -> str:
    """How far somebody is from a place: `Looter 2 4 m, 1 turn`."""
    turns = "" if one.turns is None else f", {measured(one.turns, 'turns')}"
    return f"{one.name} {measured(one.away, system.space.unit)}{turns}"


def short_progress(system: System, scene: Scene, of: str = "/") -> list[str]:
    """The goals that events set, each as it stands in a few words: `hold 2/5`, `store room 1/3`."""
    if scene.encounter is None or decided(system, scene):
        return []
    cast = cast_of(scene)
    of_events = (goal for goal in open_goals(system, scene, cast.own) if goal.event)
    return list(dict.fromkeys(short_goal(goal, cast, of) for goal in of_events))


def progress_line(system: System, scene: Scene, ink: Ink, width: int) -> list[str]:
    """The second line of a board: `Hold 2 of 5 rounds · store room 1 of 3`; nothing where no event sets a goal."""
    said = " · ".join(short_progress(system, scene, " of "))
    return [f"  {ink.cut(said[:1].upper() + said[1:], width - 2)}"] if said else []


def short_goal(goal: Goal, cast: Cast, of: str = "/") -> str:
    """The goal of an event as it stands, in a few words: `hold 2/5`, `truck 1/2`, `defeat Captain`."""
    event, count, is_own = goal.event, goal.lacking, goal.side == cast.own
    assert event is not None
    share = f"{count.now}{of}{count.needs}"
    if count.key == "reach":
        return f"{event.reach} {share}"
    if count.key == "after":
        rounds = f"{min(count.now, count.needs)}{of}{count.needs}"
        return f"hold {rounds}{'' if of == '/' else ' rounds'}" if is_own else f"{rounds} rounds"
    if count.key == "round":
        return f"hold until round {event.round}" if is_own else f"win before round {event.round}"
    if count.key == "hurt":
        return f"{event.hurt.removeprefix(SIDE_OF)} under {event.below} %"
    if count.needs > 1:
        return f"{event.down.removeprefix(SIDE_OF)} {share} down"
    if not cast.is_side(event.down):
        return f"defeat {event.down}" if is_own else f"keep {event.down} up"
    members = cast.members(event.down, "them")
    if is_own:
        return f"all{f' but {event.left}' if event.left else ''} of {members}"
    return f"keep {event.left + 1}{'' if members == 'you' else f' of {members}'} up"


class ChangedCount(NamedTuple):
    """What has brought a goal nearer, or farther."""

    key: str
    """The key of the event that asks for it, as in a `Threshold`."""
    said: str
    """How it stands now: `store room: 2 of 3 opponents`."""
    is_good: bool
    """Whether that is good for one's own side."""


def changed_counts(system: System, before: Scene, after: Scene) -> Iterator[ChangedCount]:
    """The goals of events that have come nearer, or farther, between two scenes."""
    if after.encounter is None:
        return
    cast = cast_of(after)
    was = {goal.number: goal.counts for goal in open_goals(system, before, cast.own)}
    for goal in open_goals(system, after, cast.own):
        for old, count in zip(was.get(goal.number, ()), goal.counts, strict=False):
            # Where only those who can still count are fewer or more, nothing has come nearer.
            said = _changed(goal.event, count, cast) if goal.event and old.now != count.now else ""
            if said:
                yield ChangedCount(count.key, said, (goal.side == cast.own) == (count.now >= old.now))


def count_lines(system: System, before: Scene, after: Scene, ink: Ink) -> Iterator[str]:
    """A line for each goal of an event that an entry has brought nearer, or farther."""
    own = own_side(after)
    somebody = next((name for name, one in after.fighters.items() if one.side == own), "")
    for change in changed_counts(system, before, after):
        yield f"  {ink(bearing(change.is_good, somebody, after), change.said)}"


def _changed(event: Trigger, count: Threshold, cast: Cast) -> str:
    """How far a part of an event is, after it has changed; empty where the entry says it itself."""
    share = f"{count.now} of {count.needs}"
    if count.key == "reach":
        side = event.who.removeprefix(SIDE_OF)
        whose = " of you" if side == cast.own else f" {side}" if cast.is_side(side) else ""
        return f"{event.reach}: {share}{whose}"
    if count.key == "after":
        return f"{share} rounds done"
    if count.key == "down" and count.needs > 1:
        return f"{event.down.removeprefix(SIDE_OF)}: {share} down"
    return ""
