"""Whole fights: the loop that plays them, and the ways to play them through the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Protocol

from ..ai.choosing import chooser
from ..ai.deciding import AutoPlayer
from ..ai.doctrine import Doctrine, doctrine_of_fighter
from ..dice.distribution import OddsTable
from ..dice.generator import Seeded
from ..dice.table import Table
from ..engine.action_odds import harm_between
from ..engine.core_actions import CORE_ACTIONS
from ..engine.encounter import PLAYERS
from ..engine.encounter_events import LONGEST_CHAIN, due
from ..engine.events import apply_all
from ..engine.legal_actions import is_allowed
from ..engine.life import share_left
from ..engine.perform import perform
from ..engine.record import EVENT, Entry
from ..engine.resolve import consequences
from ..engine.scene import Fighter, Intent, Scene
from ..engine.sides import decided, rounds_played
from ..engine.turns import Clock
from ..engine.validate import prepare
from ..errors import Refused
from ..values import NamedTuple
from .laws import DrawTable, Random
from .policy import PlainPolicy
from .tally import FIGHTS, Counts, Key, count, ending, result

if TYPE_CHECKING:
    from ..engine.events import Event
    from ..engine.system import System

MAX_ACTIONS = 100
"""Most actions in one turn; after that the turn is ended."""
STUCK = "nobody_can_act"
"""The code of the refusal where nobody can act any more."""

Doctrines = Callable[[str], Doctrine]
"""Gives the doctrine of a name."""


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


class Course(Protocol):
    """The course of one fight after another: where the present one stands, and its next step."""

    system: System

    def new_table(self, random: Random) -> DrawTable:
        """The table for a block of fights."""
        ...

    @property
    def scene(self) -> Scene:
        """The scene of the present fight."""
        ...

    @property
    def turn(self) -> str:
        """Whose turn it is; nobody's where nobody can act."""
        ...

    @property
    def is_decided(self) -> bool:
        """Whether the fight is decided."""
        ...

    def begin(self, table: DrawTable, counts: Counts) -> None:
        """Begin another fight with these dice; its harm is added to the counts."""
        ...

    def step(self, who: str, decides: bool) -> bool:
        """One action of a fighter, or the end of its turn where it `decides` nothing; gives whether the turn has ended.

        Refused with the code STUCK, and nothing changed, where nobody can act any more.
        """
        ...

    def end_of_turn(self, limits: FightLimits) -> str:
        """Why a fight ends with the turn that has ended: "late", "withdrawn", or empty where it goes on.

        Where it is late the fight stands as before that turn's last step.
        """
        ...


def play_fight(
    course: Course, table: DrawTable, limits: FightLimits, over: Callable[[], bool] = lambda: False
) -> Counts | None:
    """What one fight comes to, played to its end; None where it is `over`, asked at each step, before."""
    counts = Counts()
    course.begin(table, counts)
    turn, actions, why = "", 0, ""
    while (who := course.turn) and not why and not course.is_decided:
        if over():
            return None
        actions = actions + 1 if who == turn else 1
        turn = who
        try:
            is_over = course.step(who, actions <= MAX_ACTIONS)
        except Refused as refusal:
            if refusal.code != STUCK:
                raise
            break
        if is_over:
            actions = 0
            why = course.end_of_turn(limits)
    scene, system = course.scene, course.system
    count(counts, FIGHTS)
    count(counts, ("rounds", rounds_played(scene)))
    count(counts, ("wins", result(system, scene, why == "withdrawn")))
    for key in ending(system, scene):
        count(counts, key)
    return counts


class EngineCourse:
    """Fights by the plain policy, action by action through the engine, without records."""

    def __init__(self, start: FightStart):
        self.system, self.start = start.system, start
        self.policy = PlainPolicy(start.system, start.scene)
        self.scene = self._before = start.scene
        self._seen: dict[str, tuple[Fighter, Fighter]] = {}
        """By name the state of a fighter, and that state as the policy sees it."""

    def new_table(self, random: Random) -> DrawTable:
        """The table for a block of fights."""
        return DrawTable(random, self.policy.laws)

    @property
    def turn(self) -> str:
        """Whose turn it is."""
        return self.scene.turn

    @property
    def is_decided(self) -> bool:
        """Whether the fight is decided."""
        return decided(self.system, self.scene)

    def begin(self, table: DrawTable, counts: Counts) -> None:
        """Begin another fight: with the roll for the turn order, unless that has been made."""
        self.table, self.counts = table, counts
        self.scene = self.start.scene
        if self.start.intent is not None:
            self._go_on(None, self._after(self.start.intent))

    def step(self, who: str, decides: bool) -> bool:
        """One action of a fighter, or the end of its turn; gives whether the turn has ended."""
        intent = self._decision(who) if decides else Intent("next", who)
        before = self._before = self.scene
        self._go_on(before, self._after(intent))
        now = self.scene
        return intent.action == "next" or (now.turn, now.round) != (before.turn, before.round)

    def end_of_turn(self, limits: FightLimits) -> str:
        """Why a fight ends with the turn that has ended; empty where it goes on."""
        if self.scene.round > limits.rounds:
            self.scene = self._before
            return "late"
        return "withdrawn" if has_to_withdraw(self.system, self.scene, limits) else ""

    def _go_on(self, before: Scene | None, after: Scene) -> None:
        """Go on to the scene after an action, and through the events of an encounter that follow from it."""
        self.scene = after
        if after.encounter is None:
            return
        scenes = [before]
        for _ in range(LONGEST_CHAIN):
            scenes.append(self.scene)
            trigger = due(self.system, scenes)
            if trigger is None:
                return
            self.scene = self._after(Intent(EVENT, "", (), {"event": trigger.number}))

    def _decision(self, who: str) -> Intent:
        """What a fighter does: by what it sees, or where that is not allowed by all there is."""
        fighters = {}
        for name, fighter in self.scene.fighters.items():
            if name not in self._seen or self._seen[name][0] is not fighter:
                self._seen[name] = fighter, self.policy.seen(fighter)
            fighters[name] = self._seen[name][1]
        intent = self.policy.decide(self.scene._replace(fighters=fighters, sides={}), who)
        if intent.action == "next" or is_allowed(self.system, self.scene, intent):
            return intent
        return self.policy.decide(self.scene, who)

    def _after(self, intent: Intent) -> Scene:
        """The scene after an action of a fighter or of the table; Refused where nobody can act any more."""
        system, scene, table = self.system, self.scene, self.table
        if intent.action == "next":
            return self._next_turn(scene, intent.actor if intent.actor in scene.group else "")
        if intent.action in CORE_ACTIONS:
            done = CORE_ACTIONS[intent.action].run(system, scene, intent, table)
            return apply_all(scene, done.events)
        prepared = prepare(system, scene, intent)
        if prepared.payment.of:
            return apply_all(scene, prepared.payment.events)
        answer = table.ask(prepared.rule, prepared.dice, part=prepared.row.odds.effect_key)
        events = consequences(system, scene, intent, prepared, answer, hold=True)
        count_harm(self.counts, system, scene, intent, prepared.setup.gear or intent.action, events)
        after = apply_all(scene, events)
        ends_turn = prepared.row.ends_turn and intent.actor in scene.acting
        return self._next_turn(after, intent.actor) if ends_turn else after

    def _next_turn(self, scene: Scene, leaving: str) -> Scene:
        """The scene when the turn of a fighter has ended and the next has begun."""
        clock = Clock(self.system, scene, Intent("next", leaving), self.table)
        clock.on(leaving)
        return clock.scene


class DoctrineCourse(EngineCourse):
    """Fights by the doctrines of the fighters, as automatic play decides: with records, which it looks back on."""

    def __init__(self, start: FightStart, doctrines: Doctrines, odds_table: OddsTable):
        super().__init__(start)
        self.doctrines = doctrines
        self.player = AutoPlayer(start.system, doctrines, odds_table)
        self.past: list[Entry] = []

    def begin(self, table: DrawTable, counts: Counts) -> None:
        """Begin another fight, after what has happened in the crisis so far."""
        self.past = [*self.start.past]
        super().begin(table, counts)

    def _decision(self, who: str) -> Intent:
        """What a fighter does by its doctrine, unless somebody reacts to it first."""
        intent = self.player.decide(self.scene, who, self.past).intent
        return self.player.respond(self.scene, intent, self.past) or intent

    def _after(self, intent: Intent) -> Scene:
        """The scene after an action, which is recorded."""
        scene = self.scene
        choose = chooser(
            None,
            self.player.evaluator.odds_table,
            lambda who: False,
            None,
            lambda who: doctrine_of_fighter(scene.fighters[who], self.doctrines),
        )
        table = Table(Seeded(self.table.random), choose)
        entry = perform(self.system, scene, intent, table, len(self.past) + 1)
        gear = entry.outcome.get("gear") or intent.action
        count_harm(self.counts, self.system, scene, intent, gear, entry.events)
        self.past.append(entry)
        return apply_all(scene, entry.events)


def life_left(system: System, fighter: Fighter) -> float:
    """The share of its life that a fighter has left for its side, 0 to 1."""
    return 0.0 if fighter.gone else share_left(system, fighter)


def has_to_withdraw(system: System, scene: Scene, limits: FightLimits) -> bool:
    """Whether the players withdraw: as little of the life of their side is left as the limits say."""
    if not limits.retreat_at:
        return False
    lives = [life_left(system, one) for one in scene.fighters.values() if one.side == PLAYERS]
    return bool(lives) and sum(lives) <= limits.retreat_at * len(lives)


def count_harm(
    counts: Counts, system: System, scene: Scene, intent: Intent, gear: str, events: Iterable[Event]
) -> None:
    """Count the use of a weapon in an action, and the harm that it does to foes of the actor."""
    for key, number in harm_of_events(system, scene, intent, gear, events):
        count(counts, key, number)


def harm_of_events(
    system: System, scene: Scene, intent: Intent, gear: str, events: Iterable[Event]
) -> Iterator[tuple[Key, int]]:
    """The use of a weapon in an action and the harm that it does to foes of the actor, as counts."""
    actor = scene.fighters.get(intent.actor)
    if actor is None or intent.action not in system.actions or not intent.targets:
        return
    if any(scene.fighters[target].side == actor.side for target in intent.targets):
        return
    changed = [(event.who, event.what, event.was, event.now) for event in events]
    for _, what, was, now in list(changed):
        if what == "pending":
            changed += [(whose, pool, 0, by) for whose, pool, by, _ in now[len(was) :]]
    harm = 0
    for who, what, was, now in changed:
        hurt = scene.fighters.get(who)
        if hurt is not None and hurt.side != actor.side and what in hurt.pools:
            harm += max(0, harm_between(system, what, was, now))
    yield ("uses", actor.name, gear), 1
    yield ("harm", actor.name, gear), harm
