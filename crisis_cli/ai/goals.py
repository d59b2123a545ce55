"""Places that win an encounter for a side: how soon they would be reached, and what that is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING

from ..engine.goals import Goal, open_goals
from ..engine.reach import places_of_others
from ..values import NamedTuple
from .arms import LIFE, purse, ways_to_move
from .forecast import FAR, NO_COSTS, Hand

if TYPE_CHECKING:
    from ..engine.field import Place
    from ..engine.scene import Scene
    from ..engine.system import System
    from .evaluation import Evaluator

WINNING = 1.5 * LIFE
"""The worth of a victory by reaching a place at once."""
ENDING = 3 * LIFE
"""The further worth of a victory that ends the fight in this turn, for certain."""
CLOCKS = ("round", "after")
"""The parts of a goal that come about by themselves."""
LATER = 0.8
"""What winning a turn later is worth beside winning a turn sooner."""
PRESSING = 1.0
"""How much more harm is worth that is done to a foe who is about to win."""
HOLDING = 0.25 * LIFE
"""The worth of standing in a place through which foes are about to win."""


class WinningPlace(NamedTuple):
    """A place through which a side wins, with those who may go there."""

    place: str
    cells: Sequence[Place]
    side: str
    many: int
    """How many must be there at once."""
    turns: Mapping[str, float]
    """In how many turns each of them would be there: 0 for those who are."""
    chance: float
    wait: int
    """Turns before the round for which the goal waits too."""
    left: float
    """Turns after which the fight is over in any case."""

    def worth(self, who: str = "", turns: float = inf) -> float:
        """The worth to the side of a fighter being there after so many turns; as things are, without a name."""
        taken = sorted({**self.turns, who: turns}.values()) if who else sorted(self.turns.values())
        last = taken[self.many - 1] if len(taken) >= self.many else inf
        return 0.0 if last == inf or last > self.left else self.chance * WINNING * LATER**last

    def is_won_by(self, who: str) -> bool:
        """Whether the side wins for certain as soon as a fighter is there, as things are."""
        return not self.wait and self.worth(who, 0.0) == WINNING

    @property
    def soon(self) -> float:
        """How soon the side would win, from 0 to 1 for at once."""
        return self.worth() / WINNING

    def is_needed(self, who: str) -> bool:
        """Whether somebody is among the first who would be there."""
        taken = sorted(self.turns.values())
        return who in self.turns and self.turns[who] <= taken[min(self.many, len(taken)) - 1] < inf


def winning_places(evaluator: Evaluator, scene: Scene, left: float) -> list[WinningPlace]:
    """The places through which a side may win now by going there, where the fight is over after the turns that are
    `left`; none without an encounter that has some."""
    if scene.encounter is None:
        return []
    goals = open_goals(evaluator.system, scene, "")
    places = (_winning_place(evaluator, scene, goal, left) for goal in goals)
    return [place for place in places if place is not None and place.turns]


def turns_left(system: System, scene: Scene) -> float:
    """In how many turns, the present one included, a goal that only waits for a round ends the fight; infinity if there
    is no such goal."""
    if scene.encounter is None:
        return inf
    certain = (goal for goal in open_goals(system, scene, "") if goal.event and goal.event.chance is None)
    waits = (_wait(goal) for goal in certain if all(one.is_met or one.key in CLOCKS for one in goal.counts))
    return min((wait for wait in waits if wait > 0), default=inf)


def _wait(goal: Goal) -> int:
    """How many turns pass before the round for which a goal waits; 0 where that has come."""
    return max([0, *(count.needs - count.now for count in goal.counts if count.key in CLOCKS)])


def _winning_place(evaluator: Evaluator, scene: Scene, goal: Goal, left: float) -> WinningPlace | None:
    """The place that a goal asks for; None if the goal cannot be met by going there."""
    event, field = goal.event, scene.field
    others = [count for count in goal.counts if count.key not in (*CLOCKS, "reach")]
    if event is None or field is None or not event.reach or not all(count.is_met for count in others):
        return None
    count = goal.counts[-1]
    going = [name for name in count.standing if scene.fighters[name].side == goal.side]
    cells = field.floor_of(event.reach)
    turns = {who: turns_to(evaluator, scene, who, scene.fighters[who].at, cells) for who in going}
    chance = 1.0 if event.chance is None else event.chance / 100
    return WinningPlace(event.reach, cells, goal.side, count.needs, turns, chance, _wait(goal), left)


def turns_to(
    evaluator: Evaluator, scene: Scene, who: str, start: Place | None, cells: Sequence[Place]
) -> float:
    """In how many turns a fighter comes from a place to the nearest of some cells: 0 if it is there."""
    field, system = scene.field, evaluator.system
    if field is None or start is None:
        return inf
    if is_inside(scene, start, cells):
        return 0.0
    near = nearest(system, scene, who, start, cells)
    if near is None:
        return inf
    a_turn = _length_of_turn(evaluator, scene, who)
    return scene.way(start, near, system.space.distance) / a_turn if a_turn else inf


def is_inside(scene: Scene, place: Place, cells: Sequence[Place]) -> bool:
    """Whether a place lies in one of some cells."""
    field = scene.field
    return field is not None and any(field.cell(place) == field.cell(at) for at in cells)


def nearest(system: System, scene: Scene, who: str, start: Place, cells: Sequence[Place]) -> Place | None:
    """The cell to which a fighter has the shortest way, of those that are free; None if no way leads to any."""
    taken = places_of_others(system, scene, who)
    return closest(system, scene, start, [at for at in cells if at not in taken])


def closest(system: System, scene: Scene, start: Place, cells: Sequence[Place]) -> Place | None:
    """The cell to which the shortest way leads, taken or free; None if no way leads to any."""
    assert scene.field is not None
    open_cells = [at for at in cells if scene.field.way(start, at) is not None]
    return min(open_cells, key=lambda at: (scene.way(start, at, system.space.distance), at), default=None)


def _length_of_turn(evaluator: Evaluator, scene: Scene, who: str) -> int:
    """How far a fighter goes in a whole turn."""
    foes = evaluator.foes(scene, who)
    ways = ways_to_move(evaluator, scene, who, foes[0] if foes else None)
    full = purse(evaluator, scene, who, begun=False)
    return Hand(full, full.now).reach(ways, FAR, NO_COSTS)
