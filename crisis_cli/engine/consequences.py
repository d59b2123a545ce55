"""The effects of an action, the conditions that follow from them, and the scene after them."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ..errors import RulebookMistake
from ..values import NamedTuple
from .changes import COST, Changes, Number, Part, explained, joined
from .cost import kind_of
from .events import SIDE, Event, apply_all, change, is_same, shift
from .reactions import announced
from .record import Modifier
from .scene import Intent, Scene
from .setup import Charge
from .system import READIED

if TYPE_CHECKING:
    from .setup import Setup
    from .system import Action, System

WAITED = "harm put off"
"""The part of a change that waited for the end of a group's turn."""


class Resolution(NamedTuple):
    """The result of an intent: events, outcome, modifiers."""

    events: tuple[Event, ...]
    outcome: Mapping[str, Any] = {}
    stake: Any = None
    modifiers: tuple[Modifier, ...] = ()
    forced: tuple[str, ...] = ()


def effects(
    system: System,
    scene: Scene,
    intent: Intent,
    row: Action,
    setup: Setup,
    outcome: Any,
    number: type[Number] = Number,
    postponed: Container[tuple[str, str]] = (),
) -> tuple[Event, ...]:
    """The events for an outcome of an action, without its costs; one for each value.

    `scene` is the one after the costs (`Payment.scene`); `number` makes the numbers that change pools:
    `ExplainedNumber` where their parts are wanted. Losses of the fighters and pools `postponed` are given in full.
    """
    changes = Changes(scene, number, postponed, system)
    if row.window == "turn":
        turn_marks(changes, system, intent)
        end_built_up(changes, system, intent.actor, row.keeps)
    for condition, level in row.sets.items():
        rule = system.conditions[condition].rule
        if level:
            changes.begin(intent.actor, condition, rule, level)
        else:
            changes.end(intent.actor, condition, rule)
    for mark in row.builds:
        built = changes.fighter(intent.actor).marks.get(mark, 0)
        changes.mark(intent.actor, mark, built + 1, row.rule_id)
    charged(changes, system, row, intent, setup, outcome)
    changes.rule = row.rule_id
    row.effects(changes, intent, setup, outcome)
    if intent.actor not in scene.acting or row.is_set_off(scene, intent):
        if row.out.ready_rule:
            changes.mark(intent.actor, READIED, 0, row.out.ready_rule, key=intent.action)
        if row.out.effects:
            row.out.effects(changes, intent)
    return changes.events


def turn_marks(changes: Changes, system: System, intent: Intent) -> None:
    """In a crisis, mark fighters who have reacted to an action; the next action of a turn clears the marks."""
    reactions, scene = system.reactions, changes.scene
    if reactions is None or not scene.open:
        return
    if intent.actor not in scene.acting:
        changes.mark(intent.actor, reactions.mark, 1, reactions.rule)
        return
    busy = {who for who, _ in announced(intent)}
    for name, fighter in scene.fighters.items():
        if name not in busy and fighter.marks.get(reactions.mark):
            changes.mark(name, reactions.mark, 0, reactions.rule)


def end_built_up(changes: Changes, system: System, who: str, keeps: tuple[str, ...]) -> None:
    """Remove the marks built up for a later action, except those named in `keeps`."""
    if not any(kind.lost_by for kind in system.marks.values()):
        return
    for mark in changes.fighter(who).marks:
        kind = mark.partition(":")[0]
        rule = system.lost_by(kind)
        if rule and kind not in keeps:
            changes.assign(who, f"mark:{mark}", 0, rule)


def charged(
    changes: Changes, system: System, row: Action, intent: Intent, setup: Setup, outcome: Any
) -> None:
    """Charge the costs of choices made during the action; in a one-off, not those from pools renewed every turn."""
    reactions, scene, choices = system.reactions, changes.scene, row.choices
    charges = choices(changes.before, intent, setup, outcome)
    if charges is None or isinstance(charges, Charge):
        said = f"choices of {row.title!r} gives {'None' if charges is None else 'a Charge alone'}: write (Charge(...),)"
        raise RulebookMistake.in_function(choices, f"{said}, with the comma, or () for none")
    for one in charges:
        if not isinstance(one, Charge):
            raise RulebookMistake(
                f"a choice costs {type(one).__name__}(...): write Charge(who, (Cost(...),))"
            )
        for cost in one.costs:
            if not kind_of(system, cost.pool).spent or scene.open:
                changes.adjust(
                    one.who, cost.pool, changes.number(cost.rule).add(COST, -cost.amount), cost.rule
                )
        if one.mark:
            marks = changes.fighter(one.who).marks
            changes.mark(one.who, one.mark, marks.get(one.mark, 0) + 1, one.rule)
        if one.reaction and reactions is not None:
            if scene.open:
                changes.mark(one.who, reactions.mark, 1, reactions.rule)
            end_built_up(changes, system, one.who, reactions.keeps)


def outputs(row: Action, scene: Scene, intent: Intent, setup: Setup, outcome: Any) -> Mapping[str, Any]:
    """Further facts about an outcome for the record; the scene is the one before the action."""
    return row.outputs(scene, intent, setup, outcome)


def settle(system: System, scene: Scene, events: Iterable[Event]) -> tuple[Event, ...]:
    """The events and those that must follow from them, one for each value."""
    return aftermath(system, scene, events)[0]


def aftermath(system: System, scene: Scene, events: Iterable[Event]) -> tuple[tuple[Event, ...], Scene]:
    """The events and those that must follow from them, one for each value; and the scene after them."""
    events = merged(events)
    after = apply_all(scene, events)
    more: list[Event] = []
    for who in dict.fromkeys(event.who for event in events):
        if who and not who.startswith(SIDE) and who in after.fighters:
            found = tuple(system.follows(after, who))
            after = apply_all(after, found)
            more += found
    return (merged((*events, *more)) if more else events), after


def harm_put_off(system: System, scene: Scene) -> tuple[tuple[Event, ...], Scene]:
    """The events of the harm that waits for the end of the group's turn, and the scene after them."""
    events: list[Event] = []
    waiting: dict[tuple[str, str], tuple[Part, ...]] = {}
    for who, pool, by, rule in scene.pending:
        waiting[who, pool] = (*waiting.get((who, pool), ()), Part(WAITED, by, rule))
    scene = set_to(scene, events, "", "pending", ())
    for (who, pool), parts in waiting.items():
        harm = shift(scene, who, pool, sum(part.value for part in parts), parts[-1].rule)
        scene = put(scene, events, settle(system, scene, [explained(event, parts) for event in harm]))
    return tuple(events), scene


def foreseen(
    system: System, scene: Scene, events: Iterable[Event], targets: Iterable[str] = ()
) -> tuple[tuple[Event, ...], Scene]:
    """The events of an action and those that must follow from them, one for each value; and the scene at the end of
    the group's turn.

    There the harm that waits already has counted. Its losses are not among the events, for an earlier action brings
    them about; what must follow from both together is, for the targets and for those whom the events are about.
    """
    events, after = aftermath(system, scene, events)
    if not after.pending:
        return events, after
    waiting = {(who, pool) for who, pool, *_ in after.pending}
    affected = {*targets, *(event.who for event in events)}
    losses, after = harm_put_off(system, after)
    follow = (event for event in losses if event.who in affected and (event.who, event.what) not in waiting)
    return merged((*events, *follow)), after


def merged(events: Iterable[Event]) -> tuple[Event, ...]:
    """The events with all changes of one value merged; those that cancel out are dropped."""
    found: dict[tuple[str, str], Event] = {}
    for event in events:
        key = (event.who, event.what)
        before = found.get(key)
        found[key] = event if before is None else joined(before, event)
    return tuple(event for event in found.values() if not is_same(event.was, event.now))


def outcome_record(row: Action, answer: Any) -> dict[str, Any]:
    """An outcome as the record holds it: its fields by name, and its word."""
    if not hasattr(answer, "_asdict"):
        return {} if answer is None else {"answer": answer}
    fields: dict[str, Any] = answer._asdict()
    word = row.says.words[0 if answer.success else 1] if row.says.words else getattr(answer, "word", "")
    return fields | ({"word": word} if word else {})


def put(scene: Scene, events: list[Event], more: Iterable[Event]) -> Scene:
    """The scene after more events, which are added to the list."""
    new = tuple(more)
    events += new
    return apply_all(scene, new)


def set_to(scene: Scene, events: list[Event], who: str, what: str, now: Any, rule: str = "") -> Scene:
    """The scene after one value is set, the event added to the list."""
    return put(scene, events, change(scene, who, what, now, rule))
