"""The text of `crisis explain`: every roll with its modifiers and every effect, each with its rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from ..engine.changes import parts_of
from ..engine.events import SIDE, Event, plain
from ..engine.record import Entry, Modifier, RecordedChoice, RollRecord
from ..engine.scene import Scene
from ..engine.system import System
from .charts import signed
from .data import entry as entry_record
from .dice_lines import dice, worded
from .effects import labelled, moved
from .messages import outcome_word
from .reasons import plans, reason
from .style import Ink
from .text import headline
from .visible import HIDDEN, in_play

EFFECTS = "Effects"
"""The title of what changed."""
IN_SHORT = "In short"
"""Stands before the line that sums an explanation up."""
Line = tuple[str, str]
"""What is said, and the rule it follows from."""


def reasons(
    entry: Entry, scene: Scene, system: System, titles: Mapping[str, str], ink: Ink, width: int
) -> Iterator[str]:
    """An entry explained line by line, with the titles of the rules used; `scene` is any scene with its fighters."""
    head = headline(entry, scene, system, ink) or ink("bold", "The next turn")
    word = entry.word
    verdict = f" — {worded(word, entry, None, scene, system, ink)}" if word else ""
    yield f"{ink('dim', f'Entry {entry.number}')}  {head}{verdict}"
    if entry.intent.get("why"):
        yield f"  because: {entry.intent.get('why')}"
    parts = list(_parts(entry, system))
    if entry.reason:
        yield f"  {reason(entry.reason)}"
        weighed = [(line, "") for line in plans(entry.reason)]
        parts += [("Plans weighed, with what each was worth", weighed)] * bool(weighed)
    wide = ink.widest(said for _, lines in parts for said, rule in lines if rule)
    for title, lines in parts:
        yield f"  {ink('bold', title)}"
        for said, rule in lines:
            yield (
                f"    {ink.padded(said, min(wide, width - 20))}  {ink('dim', rule)}"
                if rule
                else f"    {said}"
            )
    yield from _rules(entry, system, titles, ink, width)
    # Last, so that it stands nearest to the prompt.
    if ink.prompt and len(parts) > 1 and (word or entry.events):
        changed = "; ".join(_change(one, system) for one in entry.events if one.who and _shown(one.what))
        yield f"  {ink('bold', IN_SHORT)}: {head}{verdict}{f': {changed}' if changed else ''}"


def _rules(entry: Entry, system: System, titles: Mapping[str, str], ink: Ink, width: int) -> Iterator[str]:
    """The titles of the rules used, and the command that shows one in full."""
    rules = [rule for rule in rules_of(entry, system) if rule in titles]
    if rules:
        yield f"  {ink('bold', 'Rules')}"
        column = ink.widest(rules)
        yield from (
            f"    {ink.padded(rule, column)}  {ink.cut(titles[rule], width - column - 6)}"
            for rule in sorted(rules, key=_order)
        )
        yield ink("dim", f"  a rule in full: {ink.way(f'rules {rules[0]}')}")


def _order(rule: str) -> tuple[str, int]:
    name, _, number = rule.rpartition("-")
    return name, int(number) if number.isdigit() else 0


def rules_of(entry: Entry, system: System) -> list[str]:
    """The ids of all rules used, in order of first mention."""
    events = [one for one in entry.events if _shown(one.what)]
    said = (
        *(one.rule for one in in_play(entry, system)),
        *(part.rule for one in events for part in parts_of(one)),
        *(one.rule for one in events),
    )
    return list(dict.fromkeys(filter(None, said)))


def _shown(what: str) -> bool:
    return not what.startswith(HIDDEN)


def _parts(entry: Entry, system: System) -> Iterator[tuple[str, list[Line]]]:
    """The rolls with their targets, the choices, what was forced, and the changes."""
    for mine, rolls in groupby(entry.rolls, key=lambda one: _into(one, entry)):
        for (what, who), same in groupby(rolls, key=lambda one: (one.what, one.who)):
            heads = [
                f"{_dice(one)}{dice(one, entry.modifiers, system)}{_came_to(one, system)}" for one in same
            ]
            yield (
                f"{who}: {what}" if who else what,
                [*((head, "") for head in heads), *(_modifier(one) for one in mine)],
            )
    others = [one for one in in_play(entry, system) if not any(roll.takes(one) for roll in entry.rolls)]
    for (what, against), group in groupby(others, key=lambda one: (one.roll, one.against)):
        lines = list(group)
        total = sum(one.value for one in lines)
        yield f"{what}{f' of {against}' if against else ''}: {signed(total)}", [*map(_modifier, lines)]
    if entry.choices:
        yield ("Decisions", [(decided(one), "") for one in entry.choices])
    if entry.forced:
        yield "Forced, against the rules", [(reason, "") for reason in entry.forced]
    changes = [one for one in entry.events if one.who and _shown(one.what)]
    if changes:
        yield (EFFECTS, [line for one in changes for line in _effect(one, system)])


def _change(event: Event, system: System) -> str:
    return f"{event.who.removeprefix(SIDE)}: {labelled(event.what, system)} {moved(event)}"


def _effect(event: Event, system: System) -> Iterator[Line]:
    """A change, and below it the numbers that add up to it."""
    yield _change(event, system), event.rule
    for part in parts_of(event):
        roll = f", {part.roll}" if part.roll and part.name != part.roll else ""
        yield f"{signed(part.value):>4}  {part.name}{roll}", part.rule


def decided(one: RecordedChoice) -> str:
    """What was chosen of what, and the expected harm of each option where that was compared."""
    how = "" if one.asked else ", as before" if one.is_repeated else ", not asked"
    choice = f"{one.who} chose {one.taken} of {', '.join(one.offered)}{how}"
    harms = ", ".join(f"{name} {harm:.2f}" for name, harm in one.harms.items())
    return f"{choice} (expected harm: {harms})" if harms else choice


def _into(roll: RollRecord, entry: Entry) -> tuple[Modifier, ...]:
    return tuple(one for one in entry.modifiers if roll.takes(one))


def _dice(roll: RollRecord) -> str:
    """Which of several rolls it is, and its dice in notation."""
    shot, against = roll.about.get("shot"), roll.about.get("against")
    where = [f"shot {shot}"] * bool(shot) + [f"at {against}"] * bool(against and against != roll.who)
    cause = roll.about.get("cause")
    where += [f"against {cause}"] * bool(cause)
    return " ".join(where) + ": " * bool(where) + f"{roll.dice} " * bool(roll.dice)


def _came_to(roll: RollRecord, system: System) -> str:
    won = roll.reckoning.get("success")
    return "" if won is None else f" — {outcome_word('success' if won else 'failure', system).text}"


def _modifier(one: Modifier) -> Line:
    return f"{signed(one.value):>4}  {one.name}{f', {one.source}' if one.source else ''}", one.rule


def record(entry: Entry, system: System, seed: int, titles: Mapping[str, str]) -> dict[str, Any]:
    """The entry as in `log --json`, with all its modifiers and the titles of the rules used."""
    return {
        **entry_record(entry, system, seed, True, explain=True),
        "explain": entry.number,
        "rules": {rule: titles[rule] for rule in rules_of(entry, system) if rule in titles},
        "stake": plain(entry.stake),
    }
