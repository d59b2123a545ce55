"""Care between crises, as the story of a campaign records it: the rounds of a crisis without foes, in which one fighter
treats others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..dice.table import Table
from ..values import NamedTuple
from .arrivals import open_round, ordered
from .consequences import Resolution, merged, put
from .events import Event, apply_all, change, plain
from .record import Modifier
from .resolve import act
from .rest import come
from .scene import Fighter, Intent, Scene
from .turns import Clock

if TYPE_CHECKING:
    from .action_odds import Ways
    from .system import System


MOST_A_ROUND = 100
"""Most treatments in one round, where they cost nothing."""


class CareState(NamedTuple):
    """How a crisis of care stands."""

    scene: Scene
    treated: tuple[str, ...] = ()
    """Who has been treated with success."""
    tries: int = 0
    """How many treatments there were."""
    tries_before: int = 0
    """How many of them were before this round."""
    is_over: bool = False
    """Whether all patients are out of need, nobody can help them any more, or there were as many tries as asked for."""


class CareProspect(NamedTuple):
    """A care that is about to begin, with its exact odds."""

    system: System
    intent: Intent
    patients: tuple[Fighter, ...]
    chance: Ways | None
    """Of the first treatment; None where it takes too long to work out, or cannot fail."""
    tries_a_round: int
    ends: Mapping[str, Ways]
    """For each patient, the ways of the whole care that lead out of need; empty where that is too much to work out."""
    supplies: Sequence[Mapping[str, int]] = ()
    """What treatments may use up of the healer's things, by pool, with what is left of it: of the first thing, of the
    next one once that is used up, and so on; last nothing, if they go on without."""

    @property
    def by(self) -> str:
        """The name of the healer."""
        return healer_of(self.intent)


def healer_of(care: Intent) -> str:
    """The name of who treats in a care."""
    return str(care.get("by", ""))


def needs_of(care: Intent) -> Mapping[str, Sequence[str]]:
    """The patients of a care, each with the conditions that are to end."""
    needs: Mapping[str, Sequence[str]] = care.get("needs", {})
    return needs


def treatments_of(care: Intent, patient: str) -> list[Intent]:
    """The treatments of a patient in a care: the one with options of their own, if they have any, and the usual one,
    which the rules may allow where they forbid the other."""
    usual = Intent("heal", healer_of(care), (patient,), care.get("heal", {}))
    how: Mapping[str, Mapping[str, Any]] = care.get("how", {})
    return [usual.plus(**how[patient]), usual] if patient in how else [usual]


def small_crisis(scene: Scene, intent: Intent) -> Scene:
    """The scene of a crisis of care: those of a scene who treat or are treated, and nobody else."""
    return Scene(scene.system, {name: scene.fighters[name] for name in intent.targets}, open=True)


def care(system: System, scene: Scene, intent: Intent, table: Table) -> Resolution:
    """A round of care: `by` treats the patients of `needs` in their order with the options `heal`; the round passes.

    It begins a crisis of the targets, who are `fighters` as their sheets say, or goes on with the round before as
    `goes_on` says. `needs` gives the conditions that are to end for each patient; without any, a treatment that
    succeeds is enough. `how` gives more options for the treatments of a patient. Every round leaves the fighters as the
    end of a crisis does; where the care is not over, its outcome says what to go on with.
    """
    events: list[Event] = []
    for record in intent.get("fighters", ()):
        scene = put(scene, events, come(scene, record))
    inside = small_crisis(scene, intent)
    done: list[Resolution] = []
    before = intent.get("goes_on", ())
    for who, what, now in before:
        inside = put(inside, events, change(inside, who, what, now))
    opening, opened = 0, len(events)
    if not before:
        done.append(ordered(system, inside, Intent("init", "", intent.targets), table))
        inside = put(inside, events, done[-1].events)
        # The turn order is rolled before anything else.
        opening, opened = len(table.throws), len(events)
        done.append(begun(system, inside, intent, table))
        inside = put(inside, events, done[-1].events)
    state, number = over_where_done(system, intent, CareState(inside)), inside.round
    tried: list[dict[str, Any]] = []
    earlier: dict[str, Any] = {}
    while not state.is_over and state.scene.round == number:
        thrown, happened = len(table.throws), len(events)
        step, resolution, state = go_on(system, intent, state, table)
        done.append(resolution)
        events += resolution.events
        if step.action != "next":
            if not tried:
                changed = (event for event in merged(events[opened:happened]) if event.who in scene.fighters)
                earlier = {"rolls": thrown, "changes": [plain(event[:4]) for event in changed]}
            said = {key: resolution.outcome[key] for key in ("word", "gear") if key in resolution.outcome}
            tried.append({"patient": step.patient, "success": resolution.outcome.get("success"), **said})
    clock = Clock(system, state.scene, Intent("end"), table)
    clock.settle()
    clock.phase("end-crisis")
    closed = merged(clock.events)
    outcome = {
        "success": all(is_out_of_need(system, intent, state, patient) for patient in needs_of(intent)),
        "round": number,
        "tries": tried,
        **({"opening": opening} if opening else {}),
        **({"before": earlier} if earlier and (earlier["changes"] or earlier["rolls"] > opening) else {}),
    }
    if not state.is_over:
        kept = {(who, what): now for who, what, now in before if who not in scene.fighters}
        kept |= {
            (event.who, event.what): plain(event.now)
            for event in merged(events)
            if event.who not in scene.fighters
        }
        kept |= {(event.who, event.what): plain(event.was) for event in closed}
        outcome["goes_on"] = [[*key, now] for key, now in kept.items()]
    kept_events = tuple(event for event in merged((*events, *closed)) if event.who in scene.fighters)
    modifiers = dict.fromkeys(modifier for resolution in done for modifier in resolution.modifiers)
    stakes = [resolution.stake for resolution in done]
    return Resolution(kept_events, outcome, stakes, tuple[Modifier, ...](modifiers))


def go_on(
    system: System, intent: Intent, state: CareState, table: Table
) -> tuple[Intent, Resolution, CareState]:
    """The next step in a crisis of care, its result, and how the crisis stands then: a treatment where the healer can
    act and has not tried as often as asked for, else the next turn."""
    # Imported late: other actions do without it.
    from .legal_actions import is_allowed

    scene, by, most = state.scene, healer_of(intent), intent.get("tries", 0)
    patient = next_patient(system, intent, state)
    step = next((one for one in treatments_of(intent, patient) if is_allowed(system, scene, one)), None)
    has_tried_enough = bool(most) and state.tries >= most
    has_time = state.tries - state.tries_before < MOST_A_ROUND
    if by in scene.acting and not has_tried_enough and has_time and step is not None:
        done = act(system, scene, step, table)
        healed = step.targets if done.outcome.get("success") else ()
        state = CareState(
            apply_all(scene, done.events), (*state.treated, *healed), state.tries + 1, state.tries_before
        )
    else:
        step = Intent("next")
        clock = Clock(system, scene, step, table)
        _pass(clock, by)
        done = clock.done()
        state = state._replace(scene=apply_all(scene, done.events))
        if state.scene.round > scene.round:
            is_over = has_tried_enough or state.tries == state.tries_before
            state = state._replace(tries_before=state.tries, is_over=is_over)
    return step, done, over_where_done(system, intent, state)


def begun(system: System, scene: Scene, intent: Intent, table: Table) -> Resolution:
    """The first round of a crisis of care whose turn order is rolled, and the first turn in it, as they begin."""
    clock = Clock(system, scene, Intent("init", "", intent.targets), table)
    open_round(clock)
    _pass(clock, healer_of(intent))
    return clock.done()


def _pass(clock: Clock, healer: str) -> None:
    """End the present turn and begin that of the next who can act; nobody's where the healer cannot, nor anybody who
    is still to come in the round."""
    clock.passes(clock.scene.turn, lambda: bool(clock.system.idle(clock.scene.fighters[healer])[0]))


def over_where_done(system: System, intent: Intent, state: CareState) -> CareState:
    """The state of a crisis of care, which is over where nobody is in need, or the healer cannot act."""
    healer = state.scene.fighters[healer_of(intent)]
    if next_patient(system, intent, state) and not system.idle(healer)[0]:
        return state
    return state._replace(is_over=True)


def next_patient(system: System, intent: Intent, state: CareState) -> str:
    """The first patient of a crisis of care who is alive and in need; empty where nobody is."""
    fighters = state.scene.fighters
    return next(
        (
            name
            for name in needs_of(intent)
            if system.fallen(fighters[name]) != "dead" and not is_out_of_need(system, intent, state, name)
        ),
        "",
    )


def is_out_of_need(system: System, intent: Intent, state: CareState, name: str) -> bool:
    """Whether a patient is alive and has none of the conditions that were to end, or has been treated where there were
    none."""
    patient, ends = state.scene.fighters[name], needs_of(intent)[name]
    if system.fallen(patient) == "dead":
        return False
    return not any(patient.has(condition) for condition in ends) if ends else name in state.treated
