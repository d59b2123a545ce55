"""A crisis as one page for a browser that replays it step by step, and reads as a log without scripts."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from ..engine.journal import Crisis
from ..engine.scene import Fighter, Scene
from ..engine.system import System
from ..render.charts import minus
from ..render.effects import labelled
from ..render.messages import stated
from ..values import NamedTuple
from . import walk
from .chances import CrisisOdds, is_attack
from .recap import Recap, TurningPoint, recap
from .recap_text import chance_sentence, minus_signed, table_row, turning_sentence
from .walk import Step

FOLDER = Path(__file__).parent / "page"
"""Where the style and the script of the page are."""
MARGIN = 2
"""Units of the map around the outermost places."""


class Cell(NamedTuple):
    """One value of a fighter that the board or the map shows."""

    kind: str
    """A pool, "words" (conditions and other states) or "at"."""
    fighter: int


class Dress(NamedTuple):
    """How a page looks, and what stands on it."""

    title: str = ""
    """Empty: the two sides."""
    theme: str = "auto"
    odds: bool = True
    """Whether the odds of attacks are worked out."""
    journal: str = ""
    """The text of the journal, to stand at the foot; empty: it does not."""


def page(crisis: Crisis, system: System, dress: Dress) -> str:
    """The whole page; nothing is loaded from elsewhere, and its policy forbids that."""
    return _Page(crisis, system, dress).text()


class _Page:
    """Makes the page of one crisis."""

    def __init__(self, crisis: Crisis, system: System, dress: Dress):
        self.crisis, self.system, self.dress = crisis, system, dress
        self.steps = list(walk.steps(crisis))
        self.zero = self.steps[0].entry.number - 1 if self.steps else 0
        """The number of the entry before the first one."""
        self.names = [name for names in walk.sides(crisis).values() for name in names]
        self.found: Recap = recap(crisis, system, dress.odds)
        self.places = sorted(
            {one.at for step in self.steps for one in step.after.fighters.values() if one.at is not None}
        )
        self.cells = list(self._cells())

    def _cells(self) -> Iterator[Cell]:
        for number, name in enumerate(self.names):
            for pool in self.crisis.scene.fighters[name].pools:
                if self._is_shown(name, pool):
                    yield Cell(pool, number)
            yield Cell("words", number)
            if self.places:
                yield Cell("at", number)

    def _is_shown(self, name: str, pool: str) -> bool:
        """Whether the board shows a pool: not what cannot hold anything."""
        kind = self.system.pools.get(pool.partition(":")[0])
        high = self.crisis.scene.fighters[name].limits.get(pool, (0, None))[1]
        return kind is not None and high != 0

    def value(self, cell: Cell, scene: Scene) -> Any:
        """What a cell shows in a scene."""
        name = self.names[cell.fighter]
        one = scene.fighters.get(name)
        if cell.kind == "at":
            return list(one.at) if one is not None and one.at is not None and not one.gone else None
        if one is None:
            return "not here yet" if cell.kind == "words" else 0
        return self._words(one) if cell.kind == "words" else one.pools.get(cell.kind, 0)

    def _words(self, one: Fighter) -> str:
        fallen = self.system.fallen(one)
        words = [
            *(["has left"] if one.gone else []),
            *(["has surrendered"] if one.yielded else []),
            *(stated(name, level, self.system) for name, level in one.conditions.items()),
            *([fallen] if fallen and fallen not in one.conditions else []),
            *([f"holds {', '.join(one.held)}"] if one.held else []),
        ]
        return " · ".join(words)

    def text(self) -> str:
        """The page as HTML."""
        title, theme = self.dress.title or walk.title(self.crisis), self.dress.theme
        script = (FOLDER / "replay.js").read_text("utf-8")
        style = (FOLDER / "page.css").read_text("utf-8")
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        policy = (
            f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; img-src data:; "
            "base-uri 'none'; form-action 'none'"
        )
        dressed = "" if theme == "auto" else f' data-theme="{theme}"'
        outcome = walk.result(self.crisis, self.system)
        opening = " ".join(walk.opening(self.crisis))
        words, reward = walk.ending(self.crisis, self.system)
        more = [f"<p>{escape(one)}</p>" for one in (opening, " ".join(words), "; ".join(reward)) if one]
        facts = [*walk.facts(self.crisis, self.system), f"{len(self.steps)} entries"]
        return "\n".join(
            (
                f'<!DOCTYPE html>\n<html lang="en"{dressed}>\n<head>\n<meta charset="utf-8">',
                f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
                '<meta name="viewport" content="width=device-width, initial-scale=1">',
                f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>",
                f"<header><h1>{escape(title)}</h1>\n<p><strong>{escape(outcome)}</strong></p>",
                *more,
                f'<p class="soft">{escape(" · ".join(facts))}</p></header>\n<main>',
                *self._stage(),
                *_controls(len(self.steps), dict.fromkeys(step.round for step in self.steps)),
                *self._log(),
                *self._recap(),
                *self._journal(),
                f'</main>\n<script type="application/json" id="data">{self._data()}</script>',
                f"<script>{script}</script>\n</body>\n</html>\n",
            )
        )

    # The board and the map

    def _stage(self) -> Iterator[str]:
        yield '<div id="stage" class="js-only">\n<section aria-labelledby="board-title">'
        yield '<h2 id="board-title">Board <span class="soft" id="now"></span></h2>'
        for side, names in walk.sides(self.crisis).items():
            yield f"<h3>{escape(side.capitalize())}</h3>"
            yield from (self._fighter(self.names.index(name)) for name in names)
        yield '</section>\n<section aria-labelledby="event-title"><h2 id="event-title">What happened</h2>'
        yield '<div id="event"></div>\n<p id="said" class="hidden" aria-live="polite"></p>'
        yield from self._map()
        yield "</section>\n</div>"

    def _is_own(self, number: int) -> bool:
        own = next(iter(walk.sides(self.crisis)), "")
        return self.crisis.scene.fighters[self.names[number]].side == own

    def _fighter(self, number: int) -> str:
        one = self.crisis.scene.fighters[self.names[number]]
        parts = []
        for at, cell in enumerate(self.cells):
            if cell.fighter != number or cell.kind in ("words", "at"):
                continue
            high = one.limits.get(cell.kind, (0, None))[1]
            value = self.value(cell, self.crisis.start)
            label = escape(labelled(cell.kind, self.system))
            lasts = not self.system.pools[cell.kind.partition(":")[0]].spent
            meter = (
                f'<meter id="m{at}" min="0" max="{high}" value="{value}" aria-label="{label}"></meter> '
                if high and lasts and not self.system.is_of_thing(cell.kind)
                else ""
            )
            of = f"/{high}" if high is not None else ""
            parts.append(
                f'<span class="pool">{label} {meter}<span id="c{at}">{minus(value)}</span>{of}</span>'
            )
        words = self.cells.index(Cell("words", number))
        own = " own" if self._is_own(number) else ""
        mark = "●" if own else "■"
        return (
            f'<div class="fighter{own}"><b>{mark} {escape(one.name)}</b> '
            f'<span id="c{words}">{escape(str(self.value(self.cells[words], self.crisis.start)))}</span><br>'
            f"{' '.join(parts)}</div>"
        )

    def _map(self) -> Iterator[str]:
        """The places of the fighters, where they are known: circles for one's own side, squares for others."""
        if not self.places:
            return
        low_x, high_x = min(x for x, _ in self.places), max(x for x, _ in self.places)
        low_y, high_y = min(y for _, y in self.places), max(y for _, y in self.places)
        box = (low_x - MARGIN, low_y - MARGIN, high_x - low_x + 2 * MARGIN, high_y - low_y + 2 * MARGIN)
        yield f'<h3>Map <span class="soft">in {escape(self.system.space.unit)}</span></h3>'
        view = " ".join(f"{one:g}" for one in box)
        yield f'<svg id="map" viewBox="{view}" role="img" aria-label="Where the fighters are">'
        yield '<line id="aim" visibility="hidden" x1="0" y1="0" x2="0" y2="0"/>'
        for number, name in enumerate(self.names):
            shape = (
                '<circle class="shape" r="0.8"/>'
                if self._is_own(number)
                else ('<rect class="shape" x="-0.8" y="-0.8" width="1.6" height="1.6"/>')
            )
            own = ' class="own"' if self._is_own(number) else ""
            yield (
                f'<g id="f{number}"{own} visibility="hidden"><title>{escape(name)}</title>{shape}'
                f"<text>{escape(_letters(name))}</text></g>"
            )
        yield "</svg>"

    # The log and the recap

    def _log(self) -> Iterator[str]:
        yield '<section aria-labelledby="log-title"><h2 id="log-title">Log</h2>\n<div id="log" tabindex="0">'
        shown: int | None = None
        for step in self.steps:
            if step.round != shown:
                if shown is not None:
                    yield "</ol>"
                shown = step.round
                yield f'<h3>Round {shown}</h3>\n<ol start="{step.entry.number}">'
            yield self._item(step)
        yield ("</ol>" if self.steps else "<p>Nothing has happened.</p>") + "\n</div></section>"

    def _item(self, step: Step) -> str:
        first, *rest = walk.sentences(step, self.system) or [_turn(step)]
        more = f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in rest)}</ul>" if rest else ""
        return f'<li id="e{step.entry.number}"><p>{escape(first)}</p>{more}</li>'

    def _recap(self) -> Iterator[str]:
        heads = (
            "Fighter",
            "hits",
            "expected",
            "harm",
            "expected",
            "taken",
            "healed",
            "downed",
            "luck to hit",
        )
        yield '<section aria-labelledby="recap-title"><h2 id="recap-title">Recap</h2>'
        yield '<div class="wide"><table><thead><tr>'
        yield "".join(f'<th scope="col">{head}</th>' for head in heads) + "</tr></thead><tbody>"
        for one in self.found.fighters:
            luck = f"{one.tally.hit_luck.percentile:.0f} of 100" if one.tally.hit_luck else "-"
            cells = "".join(f"<td>{escape(cell)}</td>" for cell in (*table_row(one), luck))
            yield f'<tr><th scope="row">{escape(one.name)}</th>{cells}</tr>'
        yield "</tbody></table></div>"
        if self.found.turning:
            yield "<h3>Turning points</h3>\n<ul>"
            yield from (f"<li>{self._turning(turn)}</li>" for turn in self.found.turning)
            yield "</ul>"
        yield "</section>"

    def _turning(self, turn: TurningPoint) -> str:
        number = turn.step.entry.number
        change = minus_signed(f"{round(turn.change * 100):+d}")
        said = escape(turning_sentence(turn, self.crisis.scene, self.system))
        odds = f" ({escape(chance_sentence(turn))})" if turn.odds else ""
        return (
            f'Round {turn.step.round}, <a href="#e{number}">entry {number}</a>: {said}, {change} points{odds}'
        )

    def _journal(self) -> Iterator[str]:
        """The journal itself, folded, where it is asked for."""
        if self.dress.journal:
            yield '<section aria-labelledby="journal-title"><h2 id="journal-title">Journal</h2>'
            yield f"<details><summary>Show</summary><pre>{escape(self.dress.journal)}</pre></details></section>"

    # What the script reads

    def _data(self) -> str:
        """The opening, and what each entry changes, as JSON that no HTML can break out of."""
        chances = CrisisOdds(self.system)
        data = {
            "cells": [self.value(cell, self.crisis.start) for cell in self.cells],
            "kinds": [["at" if cell.kind == "at" else "", cell.fighter] for cell in self.cells],
            "first": self.steps[0].round if self.steps else 0,
            "zero": self.zero,
            "turning": sorted(turn.step.entry.number - self.zero for turn in self.found.turning),
            "steps": [self._step(step, chances) for step in self.steps],
        }
        written = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        return written.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")

    def _step(self, step: Step, chances: CrisisOdds) -> Mapping[str, Any]:
        entry = step.entry
        shown: dict[str, Any] = {
            "round": step.round,
            "set": [
                [at, was, now]
                for at, cell in enumerate(self.cells)
                if (was := self.value(cell, step.before)) != (now := self.value(cell, step.after))
            ],
            "rolls": [
                [_whose(roll.who, roll.what), [face for _, face in roll.faces]] for roll in entry.rolls
            ],
            "acting": [self.names.index(name) for name in step.after.acting if name in self.names],
        }
        if is_attack(entry, step.before, self.system):
            if self.places and entry.intent.target in self.names:
                ends = (entry.intent.actor, entry.intent.target)
                shown["aim"] = [*map(self.names.index, ends), bool(entry.success)]
            odds = chances.of(step) if self.dress.odds else None
            if odds is not None:
                mean = sum(value * chance for value, chance in odds.harm.items())
                down = max(odds.down.values(), default=0.0)
                came = "a hit" if entry.success else "a miss"
                shown["odds"] = [round(odds.hit, 6), round(down, 6), round(mean, 3), came]
        return shown


def _whose(who: str, what: str) -> str:
    return f"{who}, {what}" if who else what


def _turn(step: Step) -> str:
    """The sentence for an entry in which only a turn began or ended."""
    acting: Sequence[str] = step.after.acting
    return f"The turn of {' and '.join(acting)}." if acting else "The turn ends."


def _letters(name: str) -> str:
    """A name as the map shows it: its first letter, and its number if it has one."""
    number = name.rpartition(" ")[2]
    return name[:1].upper() + (number if number.isdecimal() and len(number) < 3 else "")


def _controls(entries: int, rounds: Mapping[int, None]) -> Iterator[str]:
    yield '<nav id="controls" class="js-only" aria-label="Replay">'
    for name, label in (
        ("first", "First"),
        ("back", "Back"),
        ("play", "Play"),
        ("on", "On"),
        ("last", "Last"),
    ):
        yield f'<button type="button" id="{name}">{label}</button>'
    yield f'<input type="range" id="place" min="0" max="{entries}" value="0" aria-label="Entry">'
    options = "".join(f'<option value="{number}">Round {number}</option>' for number in rounds)
    yield f'<select id="rounds" aria-label="Round">{options}</select>'
    speeds = "".join(
        f'<option value="{by}"{" selected" if by == "1" else ""}>{by}×</option>'
        for by in ("0.5", "1", "2", "4")
    )
    yield f'<select id="speed" aria-label="Speed">{speeds}</select>'
    yield '<button type="button" id="turn">Turning point</button>'
    yield (
        '<details id="help"><summary>Keys</summary><p>← → a step, Shift with them or Page Up and Page Down a round, '
        "Home and End, Space plays, t turning points, ? these keys.</p></details></nav>"
    )
