"""One fight played to its end: decisions, actions, turns and the events of an encounter, in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from ..dice.generator import Seeded
from ..dice.table import Table
from ..engine.action_odds import harm_between
from ..engine.encounter import PLAYERS
from ..engine.encounter_events import LONGEST_CHAIN, due
from ..engine.events import apply_all
from ..engine.life import share_left
from ..engine.perform import perform
from ..engine.record import EVENT, Entry
from ..engine.scene import Fighter, Intent, Scene
from ..engine.sides import decided, rounds_played
from ..errors import Refused
from ..values import NamedTuple
from .tally import Counts, Key, ending, result

if TYPE_CHECKING:
    from ..dice.table import Chooser
    from ..engine.events import Event
    from ..engine.system import System

MAX_ACTIONS = 100
"""Most actions in one turn; after that the turn is ended."""


class Mind(Protocol):
    """What decides for all fighters of a fight."""

    def decide(self, scene: Scene, who: str, past: Sequence[Entry]) -> Intent:
        """What a fighter does next in its turn."""
        ...

    def respond(self, scene: Scene, action: Intent, past: Sequence[Entry]) -> Intent | None:
        """What somebody does before an action takes effect; None if nobody does anything."""
        ...

    def chooser(self, scene: Scene) -> Chooser:
        """What decides in the middle of an action in a scene."""
        ...


class FightStart(NamedTuple):
    """How every fight of a simulation begins."""

    system: System
    scene: Scene
    intent: Intent | None
    """The roll for the turn order; None for a crisis that is open already."""
    past: tuple[Entry, ...] = ()
    """The entries of that crisis so far."""


class FightLimits(NamedTuple):
    """When a fight ends before a side has won."""

    rounds: int = 200
    retreat_at: float = 0.0
    """The players withdraw when their side has this share of its life left, or less; 0: they never do."""


class PlayedFight:
    """One fight: the scene as it stands, and what has happened so far."""

    def __init__(
        self,
        opening: FightStart,
        mind: Mind,
        random: Callable[[], float],
        limits: FightLimits,
        stop_asked: Callable[[], bool] = lambda: False,
    ):
        self.system = opening.system
        self.opening = opening
        self.mind = mind
        self.random = random
        self.limits = limits
        self.stop_asked = stop_asked
        """Asked before every action: a fight can take seconds."""
        self.scene = opening.scene
        self.past = list(opening.past)
        self.harm: Counts = {}
        self.withdrawn = False

    def play(self) -> Scene:
        """Play the fight to its end, or until it is asked to stop; gives the scene in which it ends."""
        if self.opening.intent is not None:
            self._perform(self.opening.intent)
        turn, actions = "", 0
        while not decided(self.system, self.scene) and self.scene.turn and not self.stop_asked():
            who = self.scene.turn
            actions = actions + 1 if who == turn else 1
            turn = who
            intent = (
                self.mind.decide(self.scene, who, self.past)
                if actions <= MAX_ACTIONS
                else Intent("next", who)
            )
            intent = self.mind.respond(self.scene, intent, self.past) or intent
            before = self.scene
            try:
                self._perform(intent)
            except Refused as refusal:
                if refusal.code != "nobody_can_act":
                    raise
                break
            if self.scene.round > self.limits.rounds:
                self.scene = before
                break
            if intent.action == "next":
                actions = 0
                if self.limits.retreat_at and has_to_withdraw(self._lives(), self.limits):
                    self.withdrawn = True
                    break
        return self.scene

    def _perform(self, intent: Intent) -> None:
        """Carry out an intent, and the events of the encounter that follow from it."""
        scenes = [self.scene if self.past else None]
        self._entry(intent)
        if self.scene.encounter is None:
            return
        for _ in range(LONGEST_CHAIN):
            scenes.append(self.scene)
            trigger = due(self.system, scenes)
            if trigger is None:
                return
            self._entry(Intent(EVENT, "", (), {"event": trigger.number}))

    def _entry(self, intent: Intent) -> None:
        table = Table(Seeded(self.random), self.mind.chooser(self.scene))
        entry = perform(self.system, self.scene, intent, table, len(self.past) + 1)
        gear = entry.outcome.get("gear") or intent.action
        for key, count in harm_of_events(self.system, self.scene, intent, gear, entry.events):
            self.harm[key] = self.harm.get(key, 0) + count
        self.past.append(entry)
        self.scene = apply_all(self.scene, entry.events)

    def _lives(self) -> list[float]:
        """The shares of their lives that the players have left."""
        players = [one for one in self.scene.fighters.values() if one.side == PLAYERS]
        return [life_left(self.system, one) for one in players]

    def count(self, counts: Counts) -> None:
        """Add what the fight came to, after it was played, to the counts."""
        found: Counts = {("rounds", rounds_played(self.scene)): 1, **self.harm}
        found["wins", result(self.system, self.scene, self.withdrawn)] = 1
        for key in (*ending(self.system, self.scene), *found):
            counts[key] = counts.get(key, 0) + found.get(key, 1)


def life_left(system: System, one: Fighter) -> float:
    """The share of its life that a fighter has left for its side, 0 to 1."""
    return 0.0 if one.gone else share_left(system, one)


def has_to_withdraw(lives: Sequence[float], limits: FightLimits) -> bool:
    """Whether the players withdraw, of whose lives these shares are left."""
    return bool(lives) and sum(lives) <= limits.retreat_at * len(lives)


def harm_of_events(
    system: System, scene: Scene, intent: Intent, gear: str, events: Iterable[Event]
) -> Iterator[tuple[Key, int]]:
    """The use of a weapon in an action and the harm that it does to foes of the actor, as counts."""
    actor = scene.fighters.get(intent.actor)
    if actor is None or intent.action not in system.actions or not intent.targets:
        return
    if any(scene.fighters[one].side == actor.side for one in intent.targets):
        return
    changed = [(one.who, one.what, one.was, one.now) for one in events]
    for _, what, was, now in list(changed):
        if what == "pending":
            changed += [(whose, pool, 0, by) for whose, pool, by, _ in now[len(was) :]]
    harm = 0
    for who, what, was, now in changed:
        one = scene.fighters.get(who)
        if one is not None and one.side != actor.side and what in one.pools:
            harm += max(0, harm_between(system, what, was, now))
    yield ("uses", actor.name, gear), 1
    yield ("harm", actor.name, gear), harm
