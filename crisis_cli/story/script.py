"""A crisis as the lines that `crisis run` plays again: the same entries, by seed, given dice and given choices."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

from ..engine.journal import Crisis
from ..engine.question_settings import QUESTIONS
from ..engine.record import EVENT, Entry, RecordedChoice
from ..engine.responses import responses
from ..engine.scene import Fighter, Scene
from ..engine.system import System
from ..engine.verify import thrown
from ..errors import Refused
from ..render.style import escaped
from ..render.text import legible
from .command_line import CORE, command_line, one_line, opening, spelled, unwritable
from .walk import Step, facts, steps, title

WITHOUT_DICE = ("set", "auto", "note", "shuffle", "tension", "end", QUESTIONS)
"""What is typed without options for dice and choices."""
NEW_DICE = ("# new dice from here on", "note new dice", "undo --fresh")
"""The lines after which dice fall as after an undo that asked for new ones."""
SheetOf = Callable[[Fighter], Mapping[str, Any] | None]
"""The values that the sheet of a fighter has now; None where there is none."""


def script(crisis: Crisis, system: System, sheet_of: SheetOf = lambda fighter: None) -> str:
    """The whole crisis as a script; values in which a sheet differs from the record are overridden with --set."""
    about = (title(crisis), " · ".join(facts(crisis, system)[:-1]))
    lines, fresh = [f"# {escaped(words)}" for words in about], 0
    for step in steps(crisis):
        entry = step.entry
        if entry.intent.action == EVENT:
            # It happens again by itself.
            continue
        now = _fresh(crisis, entry, fresh)
        latest = max(now or fresh, *(_fresh(crisis, one, fresh) or 0 for one in _events_of(crisis, entry)), 0)
        for _ in range(fresh, latest):
            lines += NEW_DICE
        fresh = max(fresh, latest)
        try:
            with legible(entry):
                lines.append(_line(crisis, system, step, sheet_of, follows=now is not None))
        except Refused as refusal:
            refusal.message = f"entry {entry.number} cannot be a line of a script: {refusal.message}"
            refusal.hint = "tell the crisis in another form: crisis log --markdown"
            raise
        if entry.number > 1 and step.begins_round and not step.after.over:
            lines += ["", f"# Round {step.after.round}"]
    return "".join(f"{line}\n" for line in lines)


def _line(crisis: Crisis, system: System, step: Step, sheet_of: SheetOf, follows: bool) -> str:
    """The line that makes an entry again; Refused where none does. `follows`: its dice follow from the seed."""
    entry, intent = step.entry, step.entry.intent
    if entry.number == 1:
        changed = crisis.header.get("encounter", {}).get("changed", ())
        start = opening(step.before, intent, _overrides(step.before, sheet_of), changed)
        words = [spelled([*start, "--seed", str(crisis.seed)])]
    elif intent.action in system.actions and intent.actor not in step.before.fighters:
        raise unwritable(f"{intent.actor!r} does it, and is not in the crisis")
    elif intent.action in (*system.actions, *CORE, "note"):
        words = [command_line(system, step.before, intent)]
    else:
        raise unwritable(f"{system.name} has no action {intent.action!r}")
    if intent.action not in WITHOUT_DICE:
        words.append(spelled(_answers(entry, step.before, follows)))
        if _is_answerable(system, step, crisis.done):
            words.append("--no-responses")
    return one_line(" ".join(filter(None, words)))


def _events_of(crisis: Crisis, entry: Entry) -> Iterator[Entry]:
    """The events that followed from an entry."""
    return takewhile(lambda one: one.intent.action == EVENT, crisis.done[entry.number :])


def _fresh(crisis: Crisis, entry: Entry, least: int) -> int | None:
    """How often an undo had asked for new dice before these fell, at least `least`; None where they were given."""
    if not entry.faces:
        return least
    seed = crisis.seed if entry.seed is None else entry.seed
    if any(roll.given for roll in entry.rolls):
        return None
    before = sum(one.counts for one in crisis.done[: entry.number - 1])
    return next(
        (now for now in range(least, crisis.fresh + 1) if not any(thrown(entry, seed, before, now))), None
    )


def _answers(entry: Entry, scene: Scene, follows: bool) -> Iterator[str]:
    """The options that give an entry its dice, unless they follow from the seed of the crisis, and its choices."""
    if not follows:
        yield from ("--dice", ",".join(str(face) for _, face in entry.faces))
    elif entry.seed is not None:
        yield from ("--seed", str(entry.seed))
    chosen = _choices(entry, scene)
    if chosen:
        yield from ("--choose", chosen)


def _is_answerable(system: System, step: Step, done: Sequence[Entry]) -> bool:
    """Whether an automatic fighter might have acted first: what it did stands in a line of its own."""
    scene, intent = step.before, step.entry.intent
    if intent.actor not in scene.fighters:
        return False
    past = done[: step.entry.number - 1]
    watchers = (one.name for one in scene.foes(intent.actor) if not one.player and one.marks)
    return any(
        not one.inside and intent.actor in one.intent.targets
        for who in watchers
        for one in responses(system, scene, intent, who, past)
    )


def _choices(entry: Entry, scene: Scene) -> str:
    """What --choose takes for the choices of an entry; empty where they are made without being asked for."""
    react = entry.intent.get("react")
    mine = [one for one in entry.choices if react == "ask" or _is_asked(one, scene)]
    if react is None and any(one.harms for one in mine):
        return "auto"
    return ",".join(one.taken for one in mine if not one.harms)


def _is_asked(choice: RecordedChoice, scene: Scene) -> bool:
    one = scene.fighters.get(choice.who)
    return one is not None and one.player


def _overrides(scene: Scene, sheet_of: SheetOf) -> Iterator[str]:
    """The values for --set in which the sheets of fighters are no longer as they were."""
    seen = set()
    for one in scene.fighters.values():
        if scene.encounter is not None and not one.player:
            continue
        name, values = one.sheet["name"], sheet_of(one)
        if values is not None and name not in seen:
            seen.add(name)
            for key, value in _changed(values, one.sheet):
                yield f"{name}.{key}={json.dumps(value, ensure_ascii=False)}"


def _changed(
    now: Mapping[str, Any], wanted: Mapping[str, Any], within: str = ""
) -> Iterator[tuple[str, Any]]:
    """The dotted keys whose values differ, with those wanted."""
    for key, value in wanted.items():
        if not within and key in ("name", "system", "state"):
            continue
        if isinstance(value, Mapping):
            inner = now.get(key)
            yield from _changed(inner if isinstance(inner, Mapping) else {}, value, f"{within}{key}.")
        elif value is not None and now.get(key) != value:
            yield f"{within}{key}", value
