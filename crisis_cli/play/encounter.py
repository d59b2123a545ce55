"""The one way in which anything happens: an intent is refused, or becomes an entry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import Refused, Usage
from ..table.dice import Table
from .cost import Bill, bill
from .events import SIDE, Event, change, folded, plain
from .record import Decision, Entry, Modifier, Roll
from .scene import Intent, Scene, spelled

if TYPE_CHECKING:
    from ..systems.system import Action, Staked, System


class Prepared(NamedTuple):
    """An action that the rules allow, before any die falls."""

    row: Action
    staked: Staked
    bill: Bill
    forced: tuple[str, ...] = ()


class Done(NamedTuple):
    """What became of an intent."""

    events: tuple[Event, ...]
    outcome: Mapping[str, Any] = {}
    stake: Any = None
    modifiers: tuple[Modifier, ...] = ()
    forced: tuple[str, ...] = ()


def perform(
    system: System, scene: Scene, intent: Intent, table: Table, number: int = 1, seed: int | None = None
) -> Entry:
    """Carry out an intent; Refused where the rules do not allow it, and then nothing has changed (ALL-7)."""
    from .house import HOUSE

    if scene.over:
        raise Refused("this crisis has ended", hint="open another: crisis init WHO… --open", code="over")
    house = HOUSE.get(intent.action)
    done = house(system, scene, intent, table) if house else act(system, scene, intent, table)
    return Entry(
        number,
        intent,
        done.modifiers,
        tuple(Roll.of(throw) for throw in table.throws if throw.faces or throw.reckoning),
        tuple(Decision.of(choice) for choice in table.choices),
        plain(done.stake),
        plain(done.outcome),
        tuple(Event(who, what, plain(was), plain(now), rule) for who, what, was, now, rule in done.events),
        done.forced,
        seed,
    )


def act(system: System, scene: Scene, intent: Intent, table: Table) -> Done:
    """A row of the system's action table, from stake to events."""
    prepared = prepare(system, scene, intent)
    row, staked, charge, forced = prepared
    if charge.of:
        outcome = {"success": None, "word": "paid", "paid": charge.paid, "of": charge.of, "gear": staked.gear}
        return Done(charge.events, outcome, staked.stake, (), forced)
    answer = row.rule(table, staked.stake)
    events = consequences(system, scene, intent, prepared, answer, hold=True)
    told = told_of(answer) | dict(row.facts(scene, intent, staked.stake, answer))
    if staked.gear:
        told["gear"] = staked.gear
    if row.ends_turn and scene.open and intent.actor in scene.acting:
        from .rounds import Clock

        clock = Clock(system, scene, intent, table)
        clock.scene = put(scene, clock.events, events)
        clock.on(intent.actor)
        events = merged(clock.events)
    return Done(events, told, staked.stake, staked.modifiers, forced)


def prepare(system: System, scene: Scene, intent: Intent) -> Prepared:
    """What is to be thrown for, and paid; Refused where the rules do not allow it."""
    row = row_of(system, intent.action)
    _known(scene, intent, row)
    if not intent.get("force"):
        _permitted(system, scene, intent, row)
        staked = row.stake(scene, intent)
        return Prepared(row, staked, bill(system, scene, intent, row, staked))
    forced = tuple(_overridden(system, scene, intent, row))
    staked = row.stake(scene, intent)
    return Prepared(row, staked, bill(system, scene, intent, row, staked), forced)


def _known(scene: Scene, intent: Intent, row: Action) -> None:
    """Usage where an intent is about something that is not on the actor's sheet; Refused where someone has left."""
    unknown = [name for name in (*intent.targets, intent.actor) if name and name not in scene.fighters]
    if unknown:
        raise Usage(f"nobody here is called {unknown[0]!r}", hint=f"here are {', '.join(scene.fighters)}")
    gone = [name for name in (*intent.targets, intent.actor) if name and scene.fighters[name].gone]
    if gone and row.window != "table":
        raise Refused(
            f"{gone[0]} has left the crisis", hint=f"crisis join {gone[0]} brings it back", final=True
        )
    for option, listed in (("weapon", "weapons"), ("item", "items"), ("thing", row.gear)):
        named = intent.get(option)
        things = scene.fighters[intent.actor].carried(listed) if intent.actor else {}
        if named and named not in (*things, "unarmed", "shield"):
            raise Usage(
                f"{intent.actor} has nothing called {named!r}",
                hint=f"there is: {', '.join(things) or 'nothing'}",
            )


def _overridden(system: System, scene: Scene, intent: Intent, row: Action) -> Iterator[str]:
    """What would have been refused, had the GM not forced it: for the log (ALL-7)."""
    meek = intent._replace(options={key: value for key, value in intent.options.items() if key != "force"})
    for tried in (
        lambda: _permitted(system, scene, meek, row),
        lambda: bill(system, scene, meek, row, row.stake(scene, intent)),
        lambda: row.stake(scene, meek),
    ):
        try:
            tried()
        except Refused as refusal:
            if refusal.about.get("final"):
                raise
            yield refusal.message


def row_of(system: System, action: str) -> Action:
    """The row of an action; Usage with the rows there are where there is none."""
    row = system.ACTIONS.get(action)
    if row is None:
        from difflib import get_close_matches

        near = get_close_matches(action, system.ACTIONS, n=1)
        raise Usage(
            f"{system.NAME} has no action called {action!r}"
            + (f" (did you mean {near[0]}?)" if near else ""),
            hint=f"there are: {', '.join(one for one, row in system.ACTIONS.items() if row.window != 'table')}",
            code="unknown_action",
        )
    return row


UNREACTIVE = ("none", "best", "ask")
"""What `--react` may say of any attack."""


def _permitted(system: System, scene: Scene, intent: Intent, row: Action) -> None:
    _several(system, intent, row)
    react = intent.get("react", "none")
    if react not in (*UNREACTIVE, *row.reactions):
        answers = ", ".join(row.reactions) or "nothing"
        raise Refused(
            f"{intent.action} in {system.NAME} cannot be answered with {react} ({row.rule_id})",
            hint=f"it can be answered with: {answers}",
            rule=row.rule_id,
        )
    if row.window == "table":
        return
    fighter = scene.fighters[intent.actor]
    if row.targets in ("one", "many", "ally") and intent.actor in intent.targets:
        raise Refused(
            f"{intent.actor} would {intent.action} {intent.actor}", hint="if that is meant: --force"
        )
    if fighter.yielded:
        hint = f"if it fights on: crisis set {spelled(fighter.name)} yielded off"
        raise Refused(f"{fighter.name} has surrendered", hint=hint, code="yielded")
    why, rule = system.idle(fighter)
    if why:
        raise Refused(
            f"{fighter.name} is {why} and cannot act ({rule})",
            hint="the next one's turn: crisis next" if scene.open else "",
            rule=rule,
        )
    if (
        scene.open
        and row.window == "turn"
        and intent.actor not in scene.acting
        and not row.out_of_turn(scene, intent)
    ):
        turn = f"it is {scene.turn}'s turn" if scene.turn else "no turn has begun"
        raise Refused(
            f"{turn}, not {fighter.name}'s; {intent.action} is for one's own turn ({row.rule_id})",
            hint="end the turn with crisis next, or let the GM allow it: --force",
            rule=row.rule_id,
            code="not_their_turn",
        )


def _several(system: System, intent: Intent, row: Action) -> None:
    most = {"none": 0, "one": 1, "ally": 1, "patient": 1}.get(row.targets, len(intent.targets))
    if len(intent.targets) > most:
        what = "takes no target" if not most else "takes one target"
        raise Refused(
            f"{intent.action} in {system.NAME} {what}, not {len(intent.targets)} ({row.rule_id})",
            hint="name them one after the other, each for an action of its own" if most else "",
            rule=row.rule_id,
            final=True,
        )
    if row.targets in ("one", "many", "ally") and not intent.targets and intent.get("at") is None:
        raise Refused(f"{intent.action} needs a target ({row.rule_id})", rule=row.rule_id, final=True)


def consequences(
    system: System, scene: Scene, intent: Intent, prepared: Prepared, answer: Any, *, hold: bool = False
) -> tuple[Event, ...]:
    """All that an answer of the dice changes: costs, effects, and what follows from them.

    With `hold`, harm to those who are acting together now waits until their group is done.
    """
    effects = tuple(prepared.row.effects(scene, intent, prepared.staked.stake, answer))
    if hold and scene.group and not scene.in_sequence and not intent.get("in_sequence"):
        effects = _held_back(system, scene, effects)
    return followed(system, scene, prepared.bill.events + effects)


def _held_back(system: System, scene: Scene, events: tuple[Event, ...]) -> tuple[Event, ...]:
    """The events with harm to members of the acting group put off."""
    waiting = [
        (event.who, event.what, event.now - event.was, event.rule)
        for event in events
        if event.who in scene.together and event.what in system.HELD and event.now < event.was
    ]
    if not waiting:
        return events
    kept = tuple(
        event
        for event in events
        if (event.who, event.what) not in {(who, what) for who, what, _, _ in waiting}
    )
    return kept + change(scene, "", "pending", (*scene.pending, *waiting))


def followed(system: System, scene: Scene, events: Iterable[Event]) -> tuple[Event, ...]:
    """The events and what must follow from them, one for each thing that changed."""
    return aftermath(system, scene, events)[0]


def aftermath(system: System, scene: Scene, events: Iterable[Event]) -> tuple[tuple[Event, ...], Scene]:
    """The events and what must follow from them, one for each thing that changed; and the scene after them."""
    events = merged(events)
    after = folded(scene, events)
    more: list[Event] = []
    for who in dict.fromkeys(event.who for event in events):
        if who and not who.startswith(SIDE) and who in after.fighters:
            found = tuple(system.follow(after, who))
            after = folded(after, found)
            more += found
    return (merged((*events, *more)) if more else events), after


def merged(events: Iterable[Event]) -> tuple[Event, ...]:
    """The events with all that happens to one value made one; without those that come to nothing."""
    found: dict[tuple[str, str], Event] = {}
    for event in events:
        key = (event.who, event.what)
        before = found.get(key)
        found[key] = event if before is None else before._replace(now=event.now)
    return tuple(event for event in found.values() if plain(event.was) != plain(event.now))


def told_of(answer: Any) -> dict[str, Any]:
    """An outcome as the record holds it: its parts by name, and its word."""
    if not hasattr(answer, "_asdict"):
        return {} if answer is None else {"answer": answer}
    told: dict[str, Any] = answer._asdict()
    word = getattr(answer, "word", "")
    return told | ({"word": word} if word else {})


def standing(system: System, scene: Scene) -> dict[str, list[str]]:
    """Who can still fight, by side (ALL-5)."""
    sides: dict[str, list[str]] = {}
    for fighter in scene.fighters.values():
        if not fighter.gone and not fighter.yielded and not system.fallen(fighter):
            sides.setdefault(fighter.side, []).append(fighter.name)
    return sides


def decided(system: System, scene: Scene) -> bool:
    """Whether at most one side has someone who can still fight (ALL-5)."""
    return len(standing(system, scene)) <= 1


def put(scene: Scene, events: list[Event], more: Iterable[Event]) -> Scene:
    """The scene after more events, which are added to the list."""
    new = tuple(more)
    events += new
    return folded(scene, new)


def set_to(scene: Scene, events: list[Event], who: str, what: str, now: Any, rule: str = "") -> Scene:
    """The scene after one value is set, the event added to the list."""
    return put(scene, events, change(scene, who, what, now, rule))
