"""Records as JSON, one object a line; the keys are those of crisis-json(5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..engine import sides
from ..engine.care import healer_of, needs_of
from ..engine.changes import COST, LAPSED, Part, all_parts, parts_of
from ..engine.events import SIDE, Event, plain
from ..engine.question_settings import QUESTIONS
from ..engine.record import Entry, Modifier, RollRecord
from ..engine.scene import Scene
from ..engine.sides import decided, standing, victor
from ..engine.system import System
from ..engine.wording import COMMON_OUTPUTS
from .jsontext import VERSION as VERSION
from .visible import CLOCK, INTERNAL, in_play

TAKEN = ("n", "journal", "to", "adds", "was")
"""The keys that only an entry of `take` has."""


def entry(
    done: Entry, system: System, seed: int | None, crisis: bool, explain: bool = False
) -> dict[str, Any]:
    """One action, from intent to effects; with `explain` all its modifiers, those that went into no roll too."""
    intent, outcome = done.intent, done.outcome
    record: dict[str, Any] = {
        "v": VERSION,
        "action": intent.action,
        "system": system.name,
        "actor": intent.actor or None,
        "target": intent.target or None,
        "targets": list(intent.targets),
        "seed": done.seed if done.seed is not None else seed,
        "success": done.success,
        "outcome": done.word or "done",
        "rolls": [roll(one, done.modifiers) for one in done.rolls],
        "effects": list(effects(done.events, system, LAPSED if done.intent.action in CLOCK else COST)),
    }
    if crisis:
        record["number"] = done.number
    for key in reported(system):
        if key in outcome:
            record[key] = outcome[key]
    if intent.action == "care":
        needs = list(needs_of(intent))
        record |= {key: outcome[key] for key in ("round", "tries") if key in outcome}
        record |= {"by": healer_of(intent), "patient": needs[0] if needs else None, "patients": needs}
    for rolled in (outcome, *outcome.get("phases", ())):
        if "scores" in rolled:
            record["order"] = [{"who": who, "score": score} for who, score in rolled["scores"]]
    if "teams" in outcome:
        record["teams"] = [list(team) for team in outcome["teams"]]
    waiting = [
        {"who": who, "what": pool, "by": by, "rule": rule}
        for event in done.events
        if event.what == "pending" and not event.who
        for who, pool, by, rule in event.now[len(event.was) :]
    ]
    for event in done.events:
        if event.what == "pending" and not event.who and (parts := parts_of(event)):
            waiting[-1]["parts"] = list(map(part_record, parts))
    if waiting:
        record["pending"] = waiting
    if done.choices:
        record["choices"] = [
            {"who": one.who, "offered": list(one.offered), "taken": one.taken}
            | ({"expected_harm": dict(one.harms)} if one.harms else {})
            | ({} if one.asked else {"asked": False})
            | ({"holds": one.holds} if one.holds else {})
            for one in done.choices
        ]
    if intent.action == QUESTIONS:
        record |= {"value": intent.get("value"), "who": intent.get("who")}
    if done.forced:
        record["forced"] = list(done.forced)
    for key in (
        "why",
        "text",
        "reason",
        "on",
        "doctrine",
        "because",
        *(TAKEN if intent.action == "take" else ()),
    ):
        if intent.get(key) not in (None, ""):
            record[key] = intent.get(key)
    if explain:
        record["modifiers"] = [
            {
                "roll": one.roll,
                **{key: value for key in ("against", "pool") if (value := getattr(one, key))},
                **modifier(one),
            }
            for one in in_play(done, system)
        ]
    return record


def reported(system: System) -> Iterable[str]:
    """The keys of an outcome that the record shows, in their order: the system's own stand behind the gear."""
    return dict.fromkeys(("gear", *system.says.outputs, *COMMON_OUTPUTS))


def roll(one: RollRecord, modifiers: tuple[Modifier, ...]) -> dict[str, Any]:
    """A roll with its modifiers and its result."""
    return {
        "what": one.what,
        "who": one.who or None,
        "dice": one.dice,
        "faces": [face for _, face in one.faces],
        "modifiers": [modifier(each) for each in modifiers if one.takes(each)],
        **one.about,
        **one.reckoning,
    }


def modifier(one: Modifier) -> dict[str, Any]:
    """A modifier; its source only where there is one."""
    record = {"name": one.name, "value": one.value, "rule": one.rule}
    return record | ({"source": one.source} if one.source else {})


def effects(events: tuple[Event, ...], system: System, loss: str = COST) -> Iterator[dict[str, Any]]:
    """What changed for fighters and sides: `ammo:pistol` as `ammo`, with the thing as `item`.

    `loss` is the name of what a rule alone takes: a price, or what a turn ends.
    """
    for event in events:
        who, what, was, now, rule = event
        if not who or what.startswith(INTERNAL):
            continue
        kind, _, thing = what.partition(":")
        item = {"item": thing} if system.is_of_thing(what) else {}
        name = kind if item else what
        whose = who[len(SIDE) :] if who.startswith(SIDE) else who
        change = {
            "who": whose,
            "what": name,
            **item,
            "was": plain(was),
            "now": plain(now),
            "rule": rule or None,
        }
        parts = list(map(part_record, all_parts(event, loss)))
        yield change | ({"parts": parts} if parts else {})


def part_record(part: Part) -> dict[str, Any]:
    """One of the numbers that add up to a change."""
    return {"name": part.name, "value": part.value, "rule": part.rule}


def status(
    scene: Scene, system: System, seed: int, spoilers: bool = False, questions: str = ""
) -> dict[str, Any]:
    """The whole scene; with `spoilers` also the events of an encounter that are still to come, and its secret goals.

    `questions` are what the player is asked, where that is told.
    """
    from .goals import progress

    field = scene.field if spoilers else scene.known_field
    return {
        "v": VERSION,
        "action": "status",
        "system": system.name,
        "seed": seed,
        "round": scene.round,
        "actor": scene.turn or None,
        "order": [{"who": name, "score": scene.scores.get(name)} for name in scene.order],
        "teams": plain(scene.teams),
        "acting": list(scene.acting),
        "pending": [{"who": who, "what": pool, "by": by} for who, pool, by, _ in scene.pending],
        "sides": sides.pools(system, scene),
        **outcome_so_far(scene, system),
        "ended": scene.over,
        **({"questions": questions} if questions else {}),
        **({"field": {**field.as_data(), "changed": field.changes()}} if field else {}),
        **({"events": list(events(scene, spoilers))} if scene.encounter else {}),
        "goals": [goal.to_dict() for goal in progress(system, scene, spoilers)],
        "fighters": [
            {
                "name": one.name,
                "side": one.side,
                "player": one.player,
                "doctrine": one.doctrine,
                "pools": dict(one.pools),
                "max": {pool: high for pool, (_, high) in one.limits.items() if high is not None},
                "conditions": dict(one.conditions),
                "held": list(one.held),
                "cover": dict(one.cover),
                "at": plain(one.at),
                "gone": one.gone,
                "yielded": one.yielded,
            }
            for one in scene.fighters.values()
        ],
    }


def events(scene: Scene, spoilers: bool) -> Iterator[dict[str, Any]]:
    """The events of the encounter that came up, in the order of its file; with `spoilers` all of them."""
    for trigger in scene.encounter.triggers if scene.encounter else ():
        has_happened = trigger.number in scene.fired
        if spoilers or has_happened or -trigger.number in scene.fired:
            yield {"n": trigger.number, "fired": has_happened}


def outcome_so_far(scene: Scene, system: System) -> dict[str, Any]:
    """Whether a crisis is decided, the side that has won or null, and who still stands on every side."""
    upright = standing(system, scene)
    every = dict.fromkeys(one.side for one in scene.fighters.values())
    return {
        "decided": decided(system, scene),
        "winner": victor(system, scene) or None,
        "standing": {side: upright.get(side, []) for side in every},
    }
