"""Conditions of fighters: who cannot act, who is defeated, which conditions must be on (ALL-5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Literal

from ..errors import RulebookMistake
from ..values import NamedTuple
from .events import Event, change
from .scene import End, Fighter, Scene

MOMENTS = ("start-round", "end-round", "start-turn", "end-turn", "end-crisis")
"""The phases of a round, a turn and a crisis at which something can end or happen."""


def no_end(scene: Scene, who: str) -> None:
    """The end of a condition that stays until something ends it."""


class Condition(NamedTuple):
    """A named state of a fighter."""

    title: str
    """Its name on screens, such as "off balance"."""
    rule: str
    """The rule that its beginning and its end name in the record."""
    until: Callable[[Scene, str], End | None] = no_end
    """`until(scene, who)` gives when it ends automatically if it begins now: the phase and the number of the round, as
    `("start-turn", scene.round + 1)`; None if it does not. `Changes.begin` may give another end."""
    levels: bool = False
    """Whether it has levels, or is only on or off."""
    lasting: bool = True
    """Whether sheets keep it after the crisis."""
    rest_ends: bool = False
    """Whether a rest ends it though sheets keep it, as it ends a posture."""
    when: Callable[[Fighter], bool] | None = None
    """If given, the condition is on exactly while `when(fighter)` is True."""
    defeated: Literal["", "dead", "dying", "down"] = ""
    """ "dead", "dying" or "down" for what puts a fighter out of the fight (ALL-5); empty for what does not."""
    cannot_act: bool = False
    """Whether a fighter in it cannot act."""
    needs_care: bool = False
    """Whether a fighter who has it needs care though it does not put them out of the fight."""
    unseen: bool = False
    """Whether foes do not know where the fighter is, unless they stand beside it."""
    brings: tuple[str, ...] = ()
    """Other conditions that begin with it, and stay when it ends."""
    clears: tuple[str, ...] = ()
    """Other conditions that end with its beginning, and cannot begin while it is on."""
    begins: str = ""
    """The sentence for its beginning, with {who}; empty: "{who} is TITLE."."""
    ends: str = ""
    """The sentence for its end, with {who}; empty: "{who} is no longer TITLE."."""
    board: str = ""
    """How the board shows it; empty: by its name."""
    news: bool = False
    """Whether a fight shown in brief mentions the condition though it is brief; a condition that is not brief, or that
    stops its fighter, is always mentioned."""

    @property
    def is_news(self) -> bool:
        """Whether a fight shown in brief says that the condition begins."""
        return self.news or bool(self.defeated) or self.cannot_act or not self.is_brief

    @property
    def is_brief(self) -> bool:
        """Whether no fighter who can act still has it after a rest: a posture, what sheets do not keep after the
        crisis, or what ends automatically in one."""
        return self.rest_ends or not self.lasting or self.until is not no_end

    def end_from(self, scene: Scene, who: str) -> End | None:
        """When the condition ends if it begins now; RulebookMistake if that is no phase of a round."""
        end = self.until(scene, who)
        if wrong := wrong_with_end(end):
            raise RulebookMistake.in_function(self.until, f"condition {self.title!r} lasts until {wrong}")
        return end


def wrong_with_end(end: object) -> str:
    """The clause for an end of a condition that no phase brings, with what to write; empty for a right one, and for
    None."""
    match end:
        case None:
            return ""
        case (phase, int()) if phase in MOMENTS:
            return ""
    return f'{end!r}: write ("start-turn", scene.round + 1), None, or another of {", ".join(MOMENTS)}'


def set_condition(kind: Condition, scene: Scene, who: str, name: str, level: int | bool) -> tuple[Event, ...]:
    """The events that put a condition of this kind and name on a fighter at a level, or take it off."""
    if not kind.levels:
        level = bool(level)
    end = kind.end_from(scene, who) if level else None
    return (
        *change(scene, who, f"condition:{name}", level, kind.rule),
        *change(scene, who, f"until:{name}", end, kind.rule),
    )


def needing_care(conditions: Mapping[str, Condition], fighter: Fighter) -> list[str]:
    """The conditions for which a fighter needs care: those that put it out of the fight, but for death, and others that
    say so."""
    return [
        name
        for name, kind in conditions.items()
        if (kind.defeated not in ("", "dead") or kind.needs_care) and fighter.has(name)
    ]


def unable(conditions: Mapping[str, Condition], fighter: Fighter) -> tuple[str, str]:
    """Why a fighter cannot act, and the rule: the first such condition; two empty strings if it can act."""
    for name, condition in conditions.items():
        if condition.cannot_act and fighter.holds(name, condition.when):
            return condition.title, condition.rule
    return "", ""


def defeated(conditions: Mapping[str, Condition], fighter: Fighter) -> str:
    """ "dead", "dying" or "down" for a fighter who cannot fight any more; empty for one who can (ALL-5)."""
    for name, condition in conditions.items():
        if condition.defeated and fighter.holds(name, condition.when):
            return condition.defeated
    return ""


def implied(conditions: Mapping[str, Condition], scene: Scene, who: str) -> Iterator[Event]:
    """The events that bring conditions in line with what they follow from, and with each other."""
    fighter = scene.fighters[who]
    on = []
    for name, condition in conditions.items():
        if condition.when is None:
            if condition.brings or condition.clears:
                on += [condition] * fighter.has(name)
            continue
        holds = condition.when(fighter)
        on += [condition] * holds
        yield from change(scene, who, f"condition:{name}", holds, condition.rule)
    for condition in on:
        for other in condition.brings:
            if not fighter.has(other):
                yield from change(scene, who, f"condition:{other}", True, condition.rule)
            yield from change(scene, who, f"until:{other}", None, condition.rule)
        for other in condition.clears:
            yield from change(scene, who, f"condition:{other}", False, condition.rule)
            yield from change(scene, who, f"until:{other}", None, condition.rule)
