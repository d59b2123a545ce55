"""The options of a fighter, ranked by their odds: a table for the terminal, or one JSON object for each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from ..engine.ranking import NEXT, Beside, RankedAction
from ..engine.scene import Intent, Scene
from ..engine.system import System
from ..engine.wording import measured
from .chances import chance
from .charts import bare_chance, decimal, hundredths, percent, signed
from .command_text import slug, typed
from .jsontext import VERSION
from .style import GLUE, Ink
from .turned import level_records, turned_briefly

HEADS = ("", "what", "succeeds", "points", "defeats", "costs")
WITHOUT = {"wide": "too many results to compute", "later": "paid over several turns"}
"""Why there are no odds."""
NONE = "—"
BEST, BEST_ALONE = "Best:", "Best single action:"
"""Begins the last line of a ranking, where the best plan begins with its first line, and where there are no plans."""
END_OF_TURN = "end the turn"
FIRST_STEP = "best for the rest of the fight"
PLAN_HEAD = "Plans for the rest of the fight: +100 a foe's life taken, −100 one of yours lost"
LEGEND = "points: average loss of foes and gain of friends; armour and luck do not count"
ORDER = "sorted by how much nearer to defeat foes get, per turn spent"
ORDER_OF_PLANS = f"1 begins the best plan, the others are {ORDER}"
MOST_ALIKE = 3
"""Other targets with the same odds that are named in a row."""


def table(
    who: str,
    entries: Iterable[RankedAction],
    scene: Scene,
    system: System,
    ink: Ink,
    width: int,
    height: int = 0,
    least: int = 2,
) -> tuple[list[str], int]:
    """The options without odds, then the ranking as a table with its legend, and its first line in a last one; and how
    many options the table has.

    With a `height` the table ends with the best that fit so many lines, at least the `least` best, and how many are
    left out.
    """
    everything = list(entries)
    idle = [one for one in everything if _idle(one)]
    weighed = numbered(everything)
    lines: list[str] = []
    if idle:
        done = ", ".join(_grouped(_said(one, scene, ink) for one in idle))
        also = f"{'Other options' if weighed else 'Options'} of {who}, without odds: {done}"
        lines += _set_in(also, width, ink if weighed else Ink(encoding=ink.encoding))
        if height and weighed:
            lines = [ink("dim", ink.cut(f"{len(idle)} more without odds (list them: ?): {done}", width))]
    if not weighed:
        return lines, 0
    best = ink.broken(_best(weighed[0], scene, ink), width)
    order = ORDER_OF_PLANS if weighed[0].leads else ORDER
    if height:
        lines.append(ink("dim", ink.cut(LEGEND, width)))
    else:
        lines += _set_in(f"{LEGEND}; {order}" if weighed[1:] else LEGEND, width, ink)
    lines.append(ink("bold", f"Single actions of {who}, best first:"))
    rows = list(_table(weighed, scene, system, ink, width))
    few = len(weighed)
    # One line says how many are left out.
    while height and few > least and len(lines) + len(rows) + 1 + len(best) > height:
        few -= 1
        rows = list(_table(weighed[:few], scene, system, ink, width))
    left = len(weighed) - few
    more = [ink("dim", f"… and {left} more: {ink.way(f'odds --top {len(weighed)}')}")] if left else []
    return [*lines, *rows, *more, *best], few


def summary_lines(lines: Sequence[str]) -> int:
    """How many of the last lines of a table are those that name the best option."""
    return next(
        (after for after, line in enumerate(reversed(lines), start=1) if BEST in line or BEST_ALONE in line),
        0,
    )


def numbered(entries: Iterable[RankedAction]) -> list[RankedAction]:
    """The entries that have a line of the table, in its order: line 1 first."""
    return [one for one in entries if not _idle(one)]


def lines(entries: Iterable[RankedAction]) -> tuple[Intent, ...]:
    """What the lines of the table do, line 1 first; targets for which the odds are the same have a line each."""
    return tuple(intent for one in numbered(entries) for intent in _alike(one))


def bare(entries: Iterable[RankedAction], scene: Scene) -> Iterator[str]:
    """A line for each action: its worth and its chance of success, `-` where there are none, and what to type."""
    for one in entries:
        worth = decimal(one.worth) if one.odds else "-"
        yield f"{worth} {bare_chance(one.odds.success if one.odds else None)} {typed(scene, one.legal.intent)}"


def _alike(one: RankedAction) -> Iterator[Intent]:
    """The action against each of its targets with the same odds."""
    intent = one.legal.intent
    yield intent
    for targets in one.alike:
        names = dict(zip(intent.targets, targets, strict=True))
        options = {key: _renamed(value, names) for key, value in intent.options.items()}
        yield intent._replace(targets=targets, options=options)


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, list):
        return [_renamed(part, names) for part in value]
    return names.get(value, value) if isinstance(value, str) else value


def _best(first: RankedAction, scene: Scene, ink: Ink) -> str:
    """The first line of a ranking in words, with its odds."""
    head = BEST if first.leads else BEST_ALONE
    return f"{ink('bold', head)} {_said(first, scene, ink)} ({_facts(first) or FIRST_STEP})"


def _facts(one: RankedAction) -> str:
    """The chance of an action and its points, where it has them; of the end of the turn, what it is."""
    if one.legal.intent.action == NEXT:
        return END_OF_TURN
    facts = [percent(*one.odds.success)] if one.odds and one.odds.success else []
    if one.odds and one.odds.effects and not _is_for_side(one):
        facts.append(f"{hundredths(one.points)} points")
    return ", ".join(facts)


def first_of(entries: Iterable[RankedAction], who: str) -> tuple[Intent, str]:
    """What line 1 of a ranking does, with its chance and points; the end of the turn where there is no line."""
    first = next(iter(numbered(entries)), None)
    return (first.legal.intent, _facts(first)) if first else (Intent(NEXT, who), END_OF_TURN)


def plan_told(worth: int, words: str) -> str:
    """A plan in a sentence, with what it is worth."""
    return f"Plan: {words} ({signed(worth)} in the rest of the fight; +100 is a foe's life taken)"


def _set_in(text: str, width: int, ink: Ink) -> Iterator[str]:
    lines = ink.wrapped(text, width - 4)
    yield from (ink("dim", line if not at else f"    {line}") for at, line in enumerate(lines))


def plans(found: Iterable[tuple[int, str]], ink: Ink) -> Iterator[str]:
    """Plans over several turns, each with what it is worth; nothing where there are none."""
    rows = [f"  {signed(worth):>4}  {words}" for worth, words in found]
    if rows:
        yield ink("bold", PLAN_HEAD)
        yield from rows


def _said(one: RankedAction, scene: Scene, ink: Ink) -> str:
    """The command as it is typed, in the shell or at the prompt."""
    return _way(typed(scene, one.legal.intent), ink)


def _way(line: str, ink: Ink) -> str:
    return ink.way(line).removeprefix("crisis ")


def _grouped(commands: Iterable[str]) -> Iterator[str]:
    """Commands that begin with the same two words as one, what follows them side by side."""
    groups: dict[str, list[str]] = {}
    for command in commands:
        words = command.split(" ", 2)
        groups.setdefault(" ".join(words[:2]), []).append(" ".join(words[2:]))
    yield from (f"{head} {' | '.join(filter(None, rest))}".rstrip() for head, rest in groups.items())


def _idle(one: RankedAction) -> bool:
    """Whether the option has no odds, and so no rank."""
    odds = one.odds
    has_rank = one.leads or odds is None or odds.success is not None or one.points or odds.turns_others
    return not has_rank


def _table(
    entries: Iterable[RankedAction], scene: Scene, system: System, ink: Ink, width: int
) -> Iterator[str]:
    rows: list[tuple[tuple[str, ...], str]] = [(HEADS, "")]
    last = 0
    for one in entries:
        first, last = last + 1, last + 1 + len(one.alike)
        rank = str(first) if first == last else f"{first}–{last}"
        rows.append(
            (
                _row(rank, one, _said(one, scene, ink), scene, system),
                _buys(one.beside, system) if one.beside else _noted(one, scene, system),
            )
        )
    wide = [ink.widest(cells[at] for cells, _ in rows) for at in range(len(HEADS))]
    # What is done and what it costs share the room that the numbers leave: as few lines as can be, no word broken.
    room = width - sum(wide) + wide[1] + wide[5] - 2 * (len(HEADS) - 1)
    if wide[1] + wide[5] > room:
        longest = max(
            12,
            ink.widest(
                word.replace(GLUE, " ") for cells, _ in rows for word in _together(cells[1]).split(" ")
            ),
        )
        costly = range(12, max(12, min(wide[5], room - longest)) + 1)
        wide[5] = min(reversed(costly), key=lambda few: _height(rows, max(longest, room - few), few, ink))
        wide[1] = max(longest, room - wide[5])
    for at, (cells, buys) in enumerate(rows):
        what = ink.wrapped(_together(cells[1]), wide[1]) or [""]
        costs = ink.wrapped(_together(cells[5]), wide[5]) or [""]
        before = sum(wide[:5]) + 10
        numbers = map(ink.set_right, cells[2:5], wide[2:5])
        start = ink.set_right(cells[0], wide[0]), ink.padded(what[0], wide[1])
        line = "  ".join((*start, *numbers, costs[0])).rstrip()
        yield ink("dim", line) if not at else line
        for more, paid in zip_longest(what[1:], costs[1:], fillvalue=""):
            yield ink.padded(f"{'':>{wide[0]}}  {more}", before if paid else 0) + paid
        indent = " " * (wide[0] + 2)
        for part in ink.wrapped(buys, width - len(indent)):
            yield ink("dim", indent + part)


def _height(rows: Iterable[tuple[tuple[str, ...], str]], what: int, costs: int, ink: Ink) -> int:
    """How many lines rows take with so many columns for what is done and for what it costs."""
    return sum(
        max(len(ink.wrapped(_together(text), wide)) for text, wide in ((cells[1], what), (cells[5], costs)))
        for cells, _ in rows
    )


def _together(text: str) -> str:
    """The text with each option and its value held together by a space that does not break."""
    return re.sub(r"(--[a-z-]+) (?=\w)", rf"\1{GLUE}", text)


def _row(rank: str, one: RankedAction, what: str, scene: Scene, system: System) -> tuple[str, ...]:
    names = [" ".join(map(slug, targets)) for targets in one.alike]
    if names and len(one.legal.intent.targets) > 1:
        what += f" (and {len(names)} alike)"
    elif names:
        what = " | ".join((what, *(names if len(names) <= MOST_ALIKE else ["…", names[-1]])))
    paid = cost(one.legal.costs, system) or "nothing"
    if one.odds is None:
        return rank, what, WITHOUT.get(one.without, NONE), NONE, NONE, paid
    success = percent(*one.odds.success) if one.odds.success else NONE
    nothing = not one.odds.effects or _is_for_side(one)
    points = NONE if nothing else hundredths(one.points)
    foes = [
        ways
        for name, ways in one.odds.down.items()
        if scene.fighters[name].side != scene.fighters[one.legal.intent.actor].side
    ]
    fells = percent(*max(foes, key=lambda each: each[0] / each[1])) if foes else NONE
    return rank, what, success, points, fells, paid


def _buys(beside: Beside, system: System) -> str:
    """What an option gains, compared with the cheaper action without it."""
    other = "without" if beside.other is None else f"{beside.other}"
    gains = [] if beside.success is None else [f"{signed(100 * beside.success, '.1f')} % points to succeed"]
    gains += [f"{signed(round(beside.points, 2) + 0.0, '.2f')} points"]
    against = (
        f"--{beside.option.replace('_', '-')} {other}"
        if beside.other is not None
        else f"no --{beside.option}"
    )
    return f"{', '.join(gains)} for {cost(beside.costs, system)} more than {against}"


def _is_for_side(one: RankedAction) -> bool:
    """Whether an action is aimed at nobody, and harms and heals nobody."""
    return not one.points and not one.legal.intent.targets


def _noted(one: RankedAction, scene: Scene, system: System) -> str:
    """What an action without points does: what it earns, and what it begins or ends for others."""
    if one.legal.intent.action == NEXT:
        return END_OF_TURN
    turns = turned_briefly(one.odds, system) if one.odds and not one.points else ()
    return "; ".join(filter(None, (_earned(one, scene, system), *turns)))


def _earned(one: RankedAction, scene: Scene, system: System) -> str:
    """What an action that harms and heals nobody earns for the actor's side."""
    if one.odds is None or not _is_for_side(one):
        return ""
    gains = one.odds.effects.get(scene.fighters[one.legal.intent.actor].side, {})
    means = ((pool, each.mean()) for pool, each in gains.items())
    earned = ", ".join(f"{by:.2f} {label(pool, system)}" for pool, by in means if by > 0)
    return f"earns {earned} on average" if earned else ""


def cost(costs: Iterable[tuple[str, int]], system: System, between: str = ", ") -> str:
    """A cost in words, such as `2 AP, 1 potion use`."""
    return between.join(measured(amount, label(pool, system)) for pool, amount in costs)


def label(pool: str, system: System) -> str:
    """The name of a pool as the player reads it, such as `pistol rounds` for `ammo:pistol`."""
    kind, _, thing = pool.partition(":")
    row = system.pools.get(kind) or system.side_pools.get(kind)
    said = row.label if row else kind
    return f"{thing} {said}" if thing else said


def records(entries: Iterable[RankedAction], scene: Scene, system: System) -> Iterator[dict[str, Any]]:
    """The ranking as JSON objects, best first."""
    yield from (record(rank, one, scene, system) for rank, one in enumerate(entries, start=1))


def record(rank: int, one: RankedAction, scene: Scene, system: System) -> dict[str, Any]:
    """A row of a ranking as a JSON object."""
    intent, odds = one.legal.intent, one.odds
    fields: dict[str, Any] = {
        "v": VERSION,
        "odds": "ranking",
        "rank": rank,
        "action": intent.action,
        "system": system.name,
        "actor": intent.actor,
        "target": intent.target or None,
        "targets": list(intent.targets),
        "options": dict(intent.options),
        "command": typed(scene, intent),
        "window": one.legal.window,
        "costs": dict(one.legal.costs),
        "success": chance(*odds.success, odds.truncated) if odds and odds.success else None,
        "points": one.points if odds else None,
        "worth": one.worth if odds else None,
        "effects": {},
        "down": {},
    }
    if odds:
        fields["effects"] = {
            who: {pool: distribution.mean() for pool, distribution in pools.items()}
            for who, pools in odds.effects.items()
        }
        fields |= level_records(odds)
        fields["down"] = {who: chance(*ways, odds.truncated) for who, ways in odds.down.items()}
    else:
        fields["without"] = one.without
    if one.alike:
        fields["alike"] = [list(targets) for targets in one.alike]
    if one.beside:
        fields["beside"] = {**one.beside._asdict(), "costs": dict(one.beside.costs)}
    return fields
