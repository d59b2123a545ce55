"""What an action may begin or end: conditions, marks, what is in hand. In words, and for programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..engine.action_odds import ActionOdds, LevelOdds, Ways
from ..engine.system import System
from .chances import chance
from .charts import percent
from .messages import condition_name, covered, listed, marked

CHANGES = {"at": "is moved", "gone": "leaves", "yielded": "surrenders", "side": "changes sides"}
"""The words for what a fighter begins, where no name follows."""


def turned(odds: ActionOdds, system: System) -> Iterator[str]:
    """A line for each way in which a fighter may change: `Bandit no longer holds  club 45.12 %`."""
    for who in odds.levels:
        for head, names in _heads(who, odds, system).items():
            yield f"{who} {head}  {names}"


def turned_briefly(odds: ActionOdds, system: System) -> Iterator[str]:
    """What may begin or end for others than the actor, but for what puts them out of the fight."""
    for who in odds.levels:
        if who != odds.intent.actor:
            yield from (f"{who} {head} {names}" for head, names in _heads(who, odds, system, True).items())


def _heads(who: str, odds: ActionOdds, system: System, is_apart: bool = False) -> dict[str, str]:
    """How a fighter may change: by verb, the names of what begins or ends, with their chances.

    With `is_apart` what only comes with a defeat is left out.
    """
    heads: dict[str, list[tuple[float, str, str]]] = {}
    for what, level in odds.levels[who].items():
        is_own_move = what == "at" and who == odds.intent.actor
        if is_own_move or (is_apart and not level.is_apart):
            continue
        for head, name, (ways, total) in _said(what, level, system):
            heads.setdefault(head, []).append((ways / total, percent(ways, total), name))
    return {head: _likeliest_first(found) for head, found in heads.items()}


def _likeliest_first(found: list[tuple[float, str, str]]) -> str:
    """Names with their chances, those that have the same one together: `dying and prone 12.50 %, dead 1.00 %`."""
    names: dict[str, list[str]] = {}
    for _, p, name in sorted(found, key=lambda one: -one[0]):
        names.setdefault(p, []).append(name)
    return ", ".join(f"{listed(alike)} {p}".lstrip() for p, alike in names.items())


def _said(what: str, level: LevelOdds, system: System) -> Iterator[tuple[str, str, Ways]]:
    """How something may begin or end: the verb, the name of what it is, and the chance."""
    kind, _, name = what.partition(":")
    begins, ends = level.begins, level.ends
    if kind == "condition":
        if begins[0]:
            yield "becomes", condition_name(name, system), begins
        # Whoever is out of the fight is rid of much, which nobody needs to know.
        if ends[0] and level.is_apart:
            is_over = 0 in level.after.ways
            yield "is no longer" if is_over else "is less", condition_name(name, system), ends
    elif kind == "mark":
        for now, ways in level.after:
            changed = marked(name, now if now else level.was, system)
            if changed and now != level.was:
                yield "then" if now else "no longer", changed, (ways, level.after.total)
    elif kind == "held":
        if begins[0]:
            yield "then holds", name, begins
        if ends[0]:
            yield "no longer holds", name, ends
    elif kind == "cover":
        for now, ways in level.after:
            if now != level.was:
                yield (
                    "then",
                    f"in {covered(str(now))} from {name}" if now else f"without cover from {name}",
                    (ways, level.after.total),
                )
    elif kind in CHANGES and begins[0]:
        yield CHANGES[kind], "", begins


def level_records(odds: ActionOdds) -> dict[str, dict[str, dict[str, Any]]]:
    """What may begin and what may end, by fighter, with probabilities."""
    begins: dict[str, dict[str, Any]] = {}
    ends: dict[str, dict[str, Any]] = {}
    for who, levels in odds.levels.items():
        for what, level in levels.items():
            for records, (ways, total) in ((begins, level.begins), (ends, level.ends)):
                if ways:
                    records.setdefault(who, {})[what] = chance(ways, total, odds.truncated)
    return {"begins": begins, "ends": ends}


def conditions_of(begins: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """The conditions of what may begin, by fighter and name."""
    named = {
        who: {name: one for what, one in found.items() if (name := what.removeprefix("condition:")) != what}
        for who, found in begins.items()
    }
    return {who: found for who, found in named.items() if found}
