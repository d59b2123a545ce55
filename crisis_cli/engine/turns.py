"""Rounds and turns: the end of a turn, the start of the next, and the fighters who are skipped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ..dice.table import Table
from ..errors import Refused, TooWide
from .changes import ExplainedNumber
from .consequences import Resolution, effects, harm_put_off, merged, outcome_record, put, set_to, settle
from .events import Event, change
from .record import Modifier
from .scene import Intent, Scene
from .sides import decided
from .system import nothing

if TYPE_CHECKING:
    from .system import Action, System

LAPS = 100
"""Rounds that may pass with nobody able to act before the search for a turn is given up."""
CLEARED = {"end-turn": "turn", "end-round": "round", "start-turn": "next turn"}
"""The marks that a phase clears."""


class Clock:
    """One advance of the clock: the scene as it moves on, and the record of what happened on the way."""

    def __init__(self, system: System, scene: Scene, intent: Intent, table: Table):
        self.system = system
        self.scene = scene
        self.intent = intent
        self.table = table
        self.events: list[Event] = []
        self.stakes: list[Any] = []
        self.outcomes: list[Any] = []
        self.modifiers: list[Modifier] = []
        self.skipped: list[tuple[str, str]] = []
        """Who could not act when their turn came, and why."""

    def phase(self, name: str, who: str = "") -> None:
        """Run one phase of a round or a turn: conditions and marks end, then the system's action for it."""
        if name.startswith("start"):
            self.expire(name, who)
        row = self.system.phases.get(name)
        if row:
            self._run(row, Intent(name, who, (who,) if who else (), self.intent.options))
        if name.startswith("end"):
            self.expire(name, who)

    def _run(self, row: Action, intent: Intent) -> None:
        """Run an action of the system that nobody takes, with the dice that it needs."""
        name = intent.action
        setup = row.setup(self._surrounded(intent), intent)
        try:
            answer = self.table.ask(row.rule, setup.dice)
        except TooWide as wide:
            # Where odds are asked for: whoever reads it did not ask about this phase.
            raise TooWide(f"{name} of {self.system.name}: {wide.message}", hint=wide.hint) from wide
        found = effects(self.system, self.scene, intent, row, setup, answer, ExplainedNumber)
        self.add(settle(self.system, self.scene, found))
        self.modifiers += setup.modifiers
        if answer is not None:
            self.stakes.append(setup.dice)
            self.outcomes.append({"phase": name, "who": intent.actor, **outcome_record(row, answer)})

    def order_again(self) -> None:
        """Roll for the turn order anew, in the order of joining; the dead roll no more, and come last."""
        order, fighters = self.scene.order, self.scene.fighters
        here = [name for name in fighters if name in order and not fighters[name].gone]
        alive = tuple(name for name in here if self.system.fallen(fighters[name]) != "dead")
        for what, now in (("order", ()), ("scores", {}), ("teams", ())):
            self.set(what, now)
        if alive:
            self._run(
                self.system.actions["init"],
                Intent("init", "", alive, {"group": True} if self.scene.shares_rolls else {}),
            )
        self.set("order", (*self.scene.order, *(name for name in here if name not in alive)))

    def catch_up(self, names: Iterable[str]) -> None:
        """Give newcomers of a round, whose turn in it is still to come, what its start has given the others; nothing
        where dice decide on that: they were thrown for those who were there."""
        row, scene = self.system.phases.get("start-round"), self.scene
        waiting = {name for name in names if not scene.acted(name) and name not in scene.left}
        if row is None or row.rule is not nothing or not scene.round or not waiting:
            return
        intent = Intent("start-round", "", (), self.intent.options)
        setup = row.setup(self._surrounded(intent), intent)
        found = effects(self.system, scene, intent, row, setup, None, ExplainedNumber)
        self.add(settle(self.system, scene, [event for event in found if event.who in waiting]))

    def _surrounded(self, intent: Intent) -> Scene:
        """The scene whose fighters know the circumstances of the place that concern them."""
        if self.scene.encounter is None:
            return self.scene
        from .circumstances import in_circumstances

        return in_circumstances(self.system, self.scene, intent)

    def add(self, events: Any) -> None:
        """Apply and record events."""
        self.scene = put(self.scene, self.events, events)

    def set(self, what: str, now: Any) -> None:
        """Set a value of the scene itself."""
        self.scene = set_to(self.scene, self.events, "", what, now)

    def expire(self, name: str, who: str) -> None:
        """End conditions and marks of a fighter, or of all, whose end comes with a phase."""
        self.add(self._expired(name, who))

    def _expired(self, name: str, who: str) -> Iterator[Event]:
        """Conditions whose end has come, and marks that do not outlast this phase."""
        scope = CLEARED.get(name)
        for fighter in self.scene.fighters.values():
            if who and fighter.name != who:
                continue
            for condition, (phase, number) in fighter.ends.items():
                if phase == name and number <= self.scene.round:
                    rule = self.system.conditions[condition].rule
                    yield from change(self.scene, fighter.name, f"condition:{condition}", False, rule)
                    yield from change(self.scene, fighter.name, f"until:{condition}", None, rule)
            for mark in fighter.marks:
                if scope and self.system.scope(mark) == scope:
                    yield from change(self.scene, fighter.name, f"mark:{mark}", 0)

    def open(self, early: tuple[str, ...]) -> None:
        """Start the first round, or before it the extra one of fighters who surprise others; it is nobody's turn."""
        self.set("early", early)
        self.set("left", {})
        self.set("round", 0 if early else 1)
        self.ending()
        self.phase("start-round")

    def ending(self) -> None:
        """Say when those conditions end that end by themselves and were brought along into the crisis."""
        for name, fighter in self.scene.fighters.items():
            for condition in fighter.conditions:
                kind = self.system.conditions[condition]
                end = kind.end_from(self.scene, name) if condition not in fighter.ends else None
                if end:
                    self.add(change(self.scene, name, f"until:{condition}", end, kind.rule))

    def on(self, who: str = "") -> None:
        """End the present turn and start that of the next fighter who can act; rounds end and begin in between.

        Refused where all lie helpless, unless that has decided the crisis: then it is no fighter's turn.
        """
        was_decided = decided(self.system, self.scene)
        if self.passes(who or self.scene.turn):
            return
        if was_decided or not decided(self.system, self.scene):
            raise Refused(
                f"nobody has been able to act for {LAPS} rounds",
                hint="end the crisis: crisis end; or help someone: crisis set WHO POOL VALUE",
                code="nobody_can_act",
            )
        self.set("turn", "")

    def passes(self, leaving: str, is_enough: Callable[[], bool] = lambda: False) -> bool:
        """End a turn and start that of the next fighter who can act, rounds ending and beginning in between; False
        where no turn starts before the end of the round in which `is_enough` holds, or for many rounds."""
        if leaving and self.leave(leaving):
            return True
        for _ in range(LAPS):
            if self.next_able(leaving):
                return True
            if is_enough():
                return False
            self.end_round()
            self.new_round()
            leaving = ""
        return False

    def next_able(self, after: str) -> bool:
        """Begin the next turn in this round of somebody who can act, after that of a fighter; False where there is
        none."""
        while team := next_in_line(self.scene, after):
            if self.begin(team):
                return True
            after = team[-1]
        return False

    def leave(self, who: str) -> bool:
        """End the turn of a fighter; gives whether others of its group go on with theirs."""
        self.phase("end-turn", who)
        if self._group_goes_on(who):
            return True
        self.settle()
        return False

    def end_round(self) -> None:
        """End the round."""
        self.phase("end-round")

    def new_round(self) -> None:
        """Start the next round; it is nobody's turn yet."""
        self.next_round()
        self.phase("start-round")

    def next_round(self) -> None:
        """Count the next round, before its first phase; its turn order may be another."""
        self.set("turn", "")
        self.set("round", self.scene.round + 1)
        self.set("late", ())
        self.set("left", {})
        if self.system.order_each_round:
            self.order_again()

    def begin(self, team: tuple[str, ...]) -> bool:
        """Begin the turn of a team; False where none of it can act, and then its turn is over."""
        self.set("turn", team[0])
        able = []
        for name in team:
            self.phase("start-turn", name)
            why = self.system.idle(self.scene.fighters[name])[0]
            yielded = self.scene.fighters[name].yielded
            if why or yielded:
                # Fighters who have surrendered are not listed every round.
                self.skipped += [] if yielded else [(name, why)]
                self.phase("end-turn", name)
            else:
                able.append(name)
        if able:
            self.set("turn", able[0])
            self.set("group", tuple(able) if len(team) > 1 else ())
        return bool(able)

    def _group_goes_on(self, leaving: str) -> bool:
        """Whether a fighter of the group can still act; those who no longer can have ended their turn."""
        left = tuple(name for name in self.scene.group if name != leaving)
        for name in left:
            one = self.scene.fighters.get(name)
            if one is None or one.gone or one.yielded or self.system.idle(one)[0]:
                self.phase("end-turn", name)
                left = tuple(other for other in left if other != name)
        self.set("group", left)
        if left:
            self.set("turn", left[0])
        return bool(left)

    def settle(self) -> None:
        """Apply the harm that waited for the end of the group's turn."""
        events, self.scene = harm_put_off(self.system, self.scene)
        self.events += events

    def done(self, **outcome: Any) -> Resolution:
        """The result: all events of this advance of the clock."""
        recorded = {"round": self.scene.round, "turn": self.scene.turn, **outcome}
        if self.skipped:
            recorded["skipped"] = [
                one for one in dict.fromkeys(self.skipped) if one[0] in self.scene.fighters
            ]
        if self.outcomes:
            recorded["phases"] = self.outcomes
        return Resolution(merged(self.events), recorded, tuple(self.stakes) or None, tuple(self.modifiers))


def next_in_line(scene: Scene, after: str) -> tuple[str, ...]:
    """The next team that is there after a fighter, of those who act this round; nobody where the round is over."""
    team = scene.team_after(after)
    while team:
        present = tuple(name for name in team if not _away(scene, name))
        if present:
            return present
        team = scene.team_after(team[-1])
    return ()


def _away(scene: Scene, name: str) -> bool:
    """Whether a fighter is not there, or has come too late to act this round."""
    fighter = scene.fighters.get(name)
    return fighter is None or fighter.gone or name in scene.late


def next_turn(system: System, scene: Scene, intent: Intent, table: Table) -> Resolution:
    """End the turn and begin the next fighter's; Refused before there is an order."""
    if not scene.order:
        raise Refused(
            "there is no turn order yet", hint="roll for it: crisis init WHO… --open", code="no_order"
        )
    clock = Clock(system, scene, intent, table)
    clock.on(intent.actor if intent.actor in scene.group else "")
    return clock.done()
