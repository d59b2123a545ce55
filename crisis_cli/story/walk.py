"""The walk over a crisis that every story is made from: each entry in force with the scene before and after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..engine.events import apply_all
from ..engine.journal import Crisis
from ..engine.record import Entry
from ..engine.scene import Fighter, Scene
from ..engine.sides import decided, sides_of, victor
from ..engine.system import System
from ..render.board import gauges
from ..render.closing import verdict
from ..render.crowds import counted_copies
from ..render.goals import cast_of, goal_sentences
from ..render.loot import rewards
from ..render.messages import listed, stated
from ..render.sides import own_side
from ..render.style import GLUE, Ink
from ..render.text import entry_lines, legible
from ..render.visible import CLOCK
from ..values import NamedTuple


class Step(NamedTuple):
    """An entry with the scenes around it."""

    entry: Entry
    before: Scene
    after: Scene
    done: Sequence[Entry] = ()
    """All entries of the walk, of which it is entry `at`, from 0."""
    at: int = 0

    @property
    def round(self) -> int:
        """The round it belongs to; an entry that begins a round belongs to that round."""
        return self.after.round

    @property
    def begins_round(self) -> bool:
        """Whether a round begins with it; the turn order begins the first one, or round 0."""
        return self.entry.intent.action == "init" or any(
            event.what == "round" and not event.who for event in self.entry.events
        )


def steps(crisis: Crisis) -> Iterator[Step]:
    """Every entry in force, in order; FileError where the journal does not fit together."""
    scene = crisis.start
    for at, entry in enumerate(crisis.done):
        with legible(entry):
            after = apply_all(scene, entry.events)
        yield Step(entry, scene, after, crisis.done, at)
        scene = after


def died(step: Step, system: System) -> list[str]:
    """The names of the fighters who died in an entry."""
    earlier = {name for name, one in step.before.fighters.items() if system.fallen(one) == "dead"}
    # Who is only brought in has died before, if at all.
    names = dict.fromkeys(event.who for event in step.entry.events if event.who and event.what != "fighter")
    dead = {name for name, one in step.after.fighters.items() if system.fallen(one) == "dead"}
    return [name for name in names if name in dead - earlier]


def sentences(step: Step, system: System) -> list[str]:
    """What happened in an entry: a sentence, then lines with what followed; empty where only a turn began or ended.

    Rounds and turns that begin, and what they give to pay actions with, are left out.
    """
    entry, past = _without_clock(step.entry, system), step.done[: step.at]
    with legible(step.entry):
        lines = entry_lines(entry, step.after, system, Ink(), past=past)
    return [line.strip() for line in lines if line.strip()]


def _without_clock(entry: Entry, system: System) -> Entry:
    """The entry without what it says of rounds and turns."""
    if entry.intent.action not in CLOCK:
        return entry._replace(
            events=tuple(event for event in entry.events if event.who or event.what == "pending")
        )
    events = tuple(
        event
        for event in entry.events
        if event.who and not ((kind := system.pools.get(event.what)) and kind.spent)
    )
    outcome = {key: value for key, value in entry.outcome.items() if key not in ("turn", "encounter", "text")}
    return entry._replace(events=events, outcome=outcome)


def title(crisis: Crisis) -> str:
    """The encounter, or the two sides: "Jack and Ada against 2 drones"."""
    if crisis.start.encounter is not None:
        return crisis.start.encounter.name
    return _against(crisis.scene)


def _against(scene: Scene) -> str:
    """Who stands against whom, copies by their number: "Jack and Ada against 2 drones"."""
    named = (listed(counted_copies(names, {}, scene)) for names in sides_of(scene).values())
    return " against ".join(named).replace(GLUE, " ")


def stakes(crisis: Crisis) -> list[str]:
    """Who stood against whom as an encounter began, and what won and lost it, a sentence each."""
    scene = crisis.start
    if scene.encounter is None:
        return []
    return [f"{_against(scene)}.", *goal_sentences(scene.encounter, cast_of(scene))]


def opening(crisis: Crisis) -> list[str]:
    """The text with which an encounter begins, by lines."""
    encounter = crisis.start.encounter
    return encounter.open.splitlines() if encounter else []


def ending(crisis: Crisis, system: System) -> tuple[list[str], Sequence[str]]:
    """The text with which an encounter ended, by lines, and what it brought; nothing while it is not decided."""
    encounter = crisis.start.encounter
    if encounter is None or not (crisis.scene.over or decided(system, crisis.last_scene)):
        return [], ()
    scene = crisis.last_scene
    return encounter.ending(victor(system, scene))[0].splitlines(), rewards(system, scene, own_side(scene))


def sides(crisis: Crisis) -> dict[str, Sequence[str]]:
    """The names of the fighters by side, the player's side first; those who joined or left included."""
    return sides_of(crisis.scene)


def facts(crisis: Crisis, system: System) -> list[str]:
    """The system, the seed, the program and when the crisis was opened."""
    header = crisis.header
    begun = [f"from entry {crisis.done[0].number}"] if crisis.part is not None and crisis.done else []
    return [system.name, f"seed {crisis.seed}", f"crisis {header['program']}", str(header["opened"]), *begun]


def state(one: Fighter, system: System) -> str:
    """The pools of a fighter that last, and its conditions, in words."""
    words = [
        *gauges(one, system, Ink(), 0, spent=False),
        *(stated(name, level, system) for name, level in one.conditions.items()),
        *(["has left"] if one.gone else []),
        *(["has surrendered"] if one.yielded else []),
    ]
    return ", ".join(words) or "unhurt"


def result(crisis: Crisis, system: System) -> str:
    """Which side has won, and after how many rounds; or that the crisis is still open."""
    scene = crisis.last_scene
    if crisis.scene.over or decided(system, scene):
        return verdict(scene, system)
    return f"The crisis is open, in round {scene.round}."
