"""Actions that others interrupt: their reactions fall between the phases, in the order of initiative."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from typing import TYPE_CHECKING, Any

from ..values import NamedTuple
from .changes import Changes, ExplainedNumber, Number, one_part
from .consequences import charged, effects, settle, turn_marks
from .events import Event, apply_all, shift
from .phases import Phase, in_one
from .reactions import Interrupted, Reactions, ahead, announced
from .scene import Intent, Scene
from .setup import Cost, Setup
from .system import Action, System, nothing, refuse

if TYPE_CHECKING:
    from ..dice.rule_table import Rule, RuleTable


class Answer(NamedTuple):
    """One reaction in the middle of an action."""

    intent: Intent
    row: Action


def answers_to(system: System, scene: Scene, intent: Intent) -> list[tuple[Answer, Setup]]:
    """The reactions said with an action, in the order of initiative, with their setups; Refused where one cannot be."""
    reactions = system.reactions
    said = announced(intent)
    if reactions is None or not said:
        return []
    for at, (who, _) in enumerate(said):
        _may_answer(system, reactions, scene, intent, who, [one for one, _ in said[:at]])
    said.sort(key=lambda one: scene.order.index(one[0]) if one[0] in scene.order else len(said))
    return [_answer(system, reactions, scene, intent, who, action) for who, action in said]


def _may_answer(
    system: System, reactions: Reactions, scene: Scene, intent: Intent, who: str, before: list[str]
) -> None:
    rule = reactions.rule
    if who not in scene.fighters or who == intent.actor or who in before:
        refuse(
            intent,
            f"{who} cannot react here, and not twice to one action",
            rule,
            final=True,
            code="cannot_react",
        )
    if who in intent.get("unaware", ()):
        refuse(intent, f"{who} does not perceive it", rule, final=True, code="cannot_react")
    why, because = system.idle(scene.fighters[who])
    if why or reactions.left(scene, scene.fighters[who]) < reactions.price:
        what = f"is {why}" if why else "has no action left"
        refuse(intent, f"{who} {what} and cannot react", because or rule, final=True, code="cannot_react")
    if who in intent.targets and intent.get("react", "none") not in ("none", "best", "ask"):
        refuse(
            intent, f"{who} can react only once", rule, "leave out --react", final=True, code="cannot_react"
        )


def _answer(
    system: System, reactions: Reactions, scene: Scene, intent: Intent, who: str, action: str
) -> tuple[Answer, Setup]:
    rule = reactions.rule
    able = {
        name: row
        for name, row in system.actions.items()
        if row.window == "turn" and (row.whole_rule is nothing or name in reactions.rolls)
    }
    if action not in able:
        kinds = (*reactions.rolls, *(one for one in able if one not in reactions.rolls))
        refuse(
            intent,
            f"{action} is no answer",
            rule,
            f"reactions: {', '.join(kinds)}",
            final=True,
            code="unknown_reaction",
        )
    row = able[action]
    targets = (intent.actor,) if row.targets == "one" else (who,) if row.targets == "patient" else ()
    meant = Intent(action, who, targets, {"unaware": [intent.actor]} if row.reactions else {})
    setup = set_up(row, scene, meant)
    price = sum(cost.amount for cost in (*row.costs, *setup.costs) if cost.pool == reactions.pool)
    if price > reactions.price:
        what = f"a reaction is an action of {reactions.price}; {action} takes {price}"
        refuse(intent, what, rule, final=True, code="too_dear")
    for cost in setup.costs:
        if scene.fighters[who].pools.get(cost.pool, 0) < cost.amount and cost.pool != reactions.pool:
            refuse(
                intent, f"{who} has too few {cost.pool} for it", cost.rule, final=True, code="cannot_react"
            )
    return Answer(meant, row), setup


def set_up(row: Action, scene: Scene, intent: Intent) -> Setup:
    """The setup of an action, all its phases in the scene as it is."""
    if not row.phases:
        return row.setup(scene, intent)
    setups: tuple[Setup, ...] = ()
    for phase in row.phases:
        setups += (phase.setup(scene, intent, setups),)
    return in_one(setups)


class InterruptedRule:
    """The rule of an action that others interrupt: its phases and their reactions, one after the other.

    Each is set up in the scene that the reactions before it have left, and that is worked out once for each way in
    which they can have ended.
    """

    __slots__ = ("_known", "_own", "answers", "first", "free", "intent", "queue", "row", "scene", "system")

    def __init__(
        self, system: System, scene: Scene, intent: Intent, row: Action, first: Setup, answers: list[Answer]
    ):
        self.system = system
        self.scene = scene
        """With the action paid for."""
        self.row = row
        self.first = first
        """The setup of the first phase, from before the action was paid for."""
        self.answers = answers
        busy = [one.intent.actor for one in answers]
        self.intent = occupied(intent, busy)
        split = sum(ahead(scene, who, intent.target) for who in busy)
        if intent.target in busy:
            split = max(split, busy.index(intent.target) + 1)
        opening, *rest = row.parts
        at = next((number for number, phase in enumerate(rest) if phase.by == "target"), -1) + 1
        self.queue: list[Phase | Answer] = [
            opening,
            *answers[:split],
            *rest[:at],
            *answers[split:],
            *rest[at:],
        ]
        self.free = not system.idle(scene.fighters[intent.actor])[0]
        self._known: dict[tuple[Any, ...], tuple[Scene, tuple[Event, ...]]] = {(): (scene, ())}
        self._own: dict[tuple[int, tuple[Any, ...]], Setup] = {}

    def __call__(self, table: RuleTable, dice: None = None) -> Interrupted:
        """One phase or reaction after the other, until the actor is put out."""
        answers: tuple[Any, ...] = ()
        setups: tuple[Setup, ...] = ()
        others: tuple[Any, ...] = ()
        for step in self.queue:
            if isinstance(step, Phase):
                setups += (self._setup(step, setups, others) if setups else self.first,)
                answers += (table.ask(step.rule, setups[-1].dice, *answers),)
                continue
            setup = self._theirs(step, others)
            others += (table.ask(without_details, step.row.whole_rule, step.row.odds.effect_key, setup.dice),)
            if self.free and self.system.idle(self.after(others).fighters[self.intent.actor])[0]:
                return Interrupted(False, None, 0, self.row.result(*answers), others, True)
        deed = self.row.result(*answers)
        total, criticals = getattr(deed, "total", None), getattr(deed, "criticals", 0)
        return Interrupted(getattr(deed, "success", None), total, criticals, deed, others, False)

    def _setup(self, phase: Phase, before: tuple[Setup, ...], others: tuple[Any, ...]) -> Setup:
        key = (len(before), others)
        if key not in self._own:
            self._own[key] = phase.setup(self.after(others), self.intent, before)
        return self._own[key]

    def _theirs(self, answer: Answer, others: tuple[Any, ...]) -> Setup:
        key = (-1, others)
        if key not in self._own:
            self._own[key] = set_up(answer.row, self.after(others), answer.intent)
        return self._own[key]

    def after(self, others: tuple[Any, ...]) -> Scene:
        """The scene after the reactions, as they have ended so far."""
        return self._left(others)[0]

    def _left(self, others: tuple[Any, ...]) -> tuple[Scene, tuple[Event, ...]]:
        """The scene after the reactions, and all that they have changed."""
        if others not in self._known:
            scene, events = self._left(others[:-1])
            found = self._changed(scene, others[:-1], others[-1])
            self._known[others] = apply_all(scene, found), events + found
        return self._known[others]

    def _changed(self, scene: Scene, others: tuple[Any, ...], outcome: Any) -> tuple[Event, ...]:
        """All that the reaction after others changes, its price included."""
        answer = self.answers[len(others)]
        setup = self._theirs(answer, others)
        events = tuple(self._price(scene, answer, setup))
        paid = apply_all(scene, events)
        # One way of weighing serves the record as well, which shows the parts.
        found = effects(self.system, paid, answer.intent, answer.row, setup, outcome, ExplainedNumber)
        return settle(self.system, scene, events + found)

    def _price(self, scene: Scene, answer: Answer, setup: Setup) -> Iterator[Event]:
        """The price of a reaction, in a crisis; and what the thing in use takes."""
        reactions, who = self.system.reactions, answer.intent.actor
        assert reactions is not None
        costs: tuple[Cost, ...] = (*answer.row.costs, *setup.costs)
        for cost in costs:
            if cost.pool != reactions.pool:
                yield from one_part(shift(scene, who, cost.pool, -cost.amount, cost.rule))
        if scene.open:
            yield from one_part(shift(scene, who, reactions.pool, -reactions.price, reactions.rule))

    def effects(
        self,
        setup: Setup,
        outcome: Interrupted,
        number: type[Number],
        postponed: Container[tuple[str, str]] = (),
    ) -> tuple[Event, ...]:
        """What the reactions change, and then the action itself, unless it was lost."""
        scene, events = self._left(outcome.others)
        if not outcome.lost:
            deed = outcome.deed
            return events + effects(self.system, scene, self.intent, self.row, setup, deed, number, postponed)
        changes = Changes(scene, number, declared=self.system)
        turn_marks(changes, self.system, self.intent)
        charged(changes, self.system, self.row, self.intent, setup, outcome.deed)
        return events + changes.events

    def effect_key(self, outcome: Interrupted) -> Interrupted:
        """The outcome without what the effects do not look at."""
        return outcome._replace(total=None, criticals=0, deed=self.row.odds.effect_key(outcome.deed))


def occupied(intent: Intent, busy: list[str]) -> Intent:
    """An action whose target cannot defend itself any more if it is busy with another reaction."""
    return intent.plus(unaware=[*intent.get("unaware", ()), *busy])


def without_details(table: RuleTable, rule: Rule[Any], effect_key: Callable[[Any], Any], dice: Any) -> Any:
    """The outcome of a reaction without what its effects do not look at (`ExactOdds.effect_key`)."""
    return effect_key(table.ask(rule, dice))
