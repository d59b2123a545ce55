"""The lead of the player's side, and the tension that follows from how a fight goes."""

from __future__ import annotations

from ..engine.journal import Crisis
from ..engine.scene import Scene
from ..engine.system import System
from ..random_tables.oracle import FIRST_TENSION, MOST_TENSION
from ..values import NamedTuple
from .harm import Lives
from .walk import Step, sides, steps


class LeadGauge:
    """Measures the lead: the share of its life that the player's side has left less that of the others, −1 to 1."""

    def __init__(self, system: System, side: str):
        self.lives = Lives(system)
        self.side = side
        self.whole: dict[str, int] = {}
        """The life of each fighter when it was first seen."""

    def of(self, scene: Scene) -> float:
        """The lead in a scene; scenes are handed in in their order."""
        own, others = [0, 0], [0, 0]
        for name, one in scene.fighters.items():
            left = self.lives.left(one)
            whole = self.whole.setdefault(name, left)
            share = own if one.side == self.side else others
            share[0] += min(left, whole)
            share[1] += whole
        return _ratio(own) - _ratio(others)

    def share(self, scene: Scene, who: str) -> float:
        """The share of its life that a fighter has left, 0 to 1."""
        left = self.lives.left(scene.fighters[who])
        return _ratio([min(left, self.whole.get(who, left)), self.whole.get(who, left)])


def _ratio(share: list[int]) -> float:
    return share[0] / share[1] if share[1] else 0.0


class Moment(NamedTuple):
    """How a crisis stands."""

    lead: float
    tension: int
    gauge: LeadGauge


def moment(crisis: Crisis, system: System) -> Moment:
    """How a crisis stands after its last entry in force."""
    gauge = LeadGauge(system, next(iter(sides(crisis)), ""))
    gauge.of(crisis.start)
    rising = _Tension(gauge)
    for step in steps(crisis):
        gauge.of(step.after)
        rising.add(step)
    return Moment(gauge.of(crisis.scene), rising.tension, gauge)


class _Tension:
    """Tension rises after a round in which no life was lost, and when a player's fighter first falls below half of
    its life; it falls with each twist."""

    def __init__(self, gauge: LeadGauge):
        self.gauge = gauge
        self.tension = FIRST_TENSION
        self.is_quiet = False
        """Whether no life was lost since the round began."""
        self.below: set[str] = set()

    def add(self, step: Step) -> None:
        """Add an entry."""
        lives, before, after = self.gauge.lives, step.before.fighters, step.after.fighters
        if any(lives.left(one) > lives.left(after[name]) for name, one in before.items()):
            self.is_quiet = False
        for name, one in after.items():
            if one.player and name not in self.below and self.gauge.share(step.after, name) < 0.5:
                self.below.add(name)
                self._change(1)
        if step.begins_round:
            self._change(int(self.is_quiet))
            self.is_quiet = True
        intent = step.entry.intent
        if intent.action == "tension":
            self.tension = int(intent.get("value"))
        self._change(int(step.entry.outcome.get("tension_by", 0)))
        if step.entry.outcome.get("tension"):
            self.tension = int(step.entry.outcome["tension"]["now"])

    def _change(self, by: int) -> None:
        self.tension = max(0, min(MOST_TENSION, self.tension + by))
