"""The goals of an encounter: its events that make a side the winner, and the last stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ..values import NamedTuple
from .encounter import NOBODY, SIDE_OF, Encounter, Trigger, is_meant
from .encounter_events import Threshold, count_down, counts, has_come_up, meant

if TYPE_CHECKING:
    from .scene import Scene
    from .system import System


class Goal(NamedTuple):
    """A way in which a side wins: an event of the encounter, or the last stand."""

    side: str
    """The side that wins by it, or `nobody`; empty for the defeat of one side that leaves several others."""
    event: Trigger | None
    """None for the last stand."""
    counts: tuple[Threshold, ...] = ()
    """All that the goal waits for, as a scene stands; empty before the crisis begins."""

    @property
    def number(self) -> int | None:
        """The number of the event; None for the last stand."""
        return self.event.number if self.event else None

    @property
    def number_needed(self) -> int | None:
        """How many rounds, or fighters at a place, the goal asks for; None where that depends on the fight."""
        event = self.event
        if event is None or event.down or event.hurt:
            return None
        return event.round or event.after or (None if event.everyone else event.many)

    @property
    def is_met(self) -> bool:
        """Whether all that the goal waits for is so."""
        return all(count.is_met for count in self.counts)

    @property
    def lacking(self) -> Threshold:
        """The first of the counts that is not met, or else the last one."""
        return next((count for count in self.counts if not count.is_met), self.counts[-1])


def goals(
    encounter: Encounter | None, sides: Iterable[str], own: str, with_secret: bool = False
) -> list[Goal]:
    """The goals of an encounter before it begins: those of one's own side first, in the order of its file, last stands
    last. `sides` are those that take part; without an encounter the last stand decides alone."""
    others = [side for side in dict.fromkeys(sides) if side != own]
    other = others[0] if len(others) == 1 else ""
    events = [event for event in encounter.triggers if event.wins] if encounter else []
    shown = [event for event in events if with_secret or not event.secret]
    ways = [Goal(event.wins, event) for event in shown]
    if (encounter is None or encounter.last_stand) and not _is_implied(shown, other):
        ways.append(Goal(own, None))
    if not _is_implied(shown, own):
        ways.append(Goal(other, None))
    return sorted(ways, key=lambda goal: (goal.side == NOBODY, goal.side != own))


def _is_implied(events: Iterable[Trigger], beaten: str) -> bool:
    """Whether an event waits only for the defeat of a side, or of a part of it: then a last stand against that side
    decides nothing more."""
    return any(
        event.down == f"{SIDE_OF}{beaten}"
        and not (event.hurt or event.reach)
        and (event.round, event.after, event.chance) == (None, None, None)
        for event in events
    )


def open_goals(system: System, scene: Scene, own: str, with_secret: bool = False) -> Iterator[Goal]:
    """The goals that can still be met, with what they wait for as it stands."""
    if scene.won_by:
        return
    fighters = [*scene.fighters.values()]
    for goal in goals(scene.encounter, (one.side for one in fighters), own, with_secret):
        if goal.event is None:
            beaten = [one for one in fighters if (one.side == own) != (goal.side == own)]
            yield goal._replace(counts=(count_down(system, scene, beaten),))
        elif goal.event.again or not has_come_up(scene, goal.event):
            found = tuple(counts(system, scene, goal.event))
            if all(_can_be_met(system, scene, goal.event, one) for one in found):
                yield goal._replace(counts=found)


def _can_be_met(system: System, scene: Scene, event: Trigger, count: Threshold) -> bool:
    """Whether a fighter that a part of an event means is there and alive, or may come."""
    word = {"down": event.down, "hurt": event.hurt, "reach": event.who}.get(count.key)
    if word is None or count.is_met or _may_come(scene, word):
        return True
    return any(not one.gone and system.fallen(one) != "dead" for one in meant(scene, word))


def _may_come(scene: Scene, word: str) -> bool:
    """Whether an event that can still come up brings a fighter that a word means."""
    events = scene.encounter.triggers if scene.encounter else ()
    coming = (one for event in events if event.again or not has_come_up(scene, event) for one in event.add)
    return any(is_meant(word, one.side, one.called) for one in coming)
