"""A crisis as Markdown for a campaign journal: CommonMark and tables, no HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ..engine.journal import Crisis
from ..engine.scene import Fighter
from ..engine.system import System
from ..render.board import gauges
from ..render.closing import verdict
from ..render.messages import stated
from ..render.style import Ink
from . import walk

SPECIAL = re.compile(r"([\\`*_\[\]<>|~&])")
"""What Markdown would take as its own anywhere in a line."""
AT_START = re.compile(r"^(\d+)?([.)#+=-])")
"""What it would take as a heading, a rule or the mark of a list."""
FACES = re.compile(r"(\[[-−\d ]+\])")
"""The faces of dice, as `[6 4 3]`."""


def markdown(crisis: Crisis, system: System, title: str = "") -> str:
    """The whole crisis: facts, a table of the fighters, and every entry in a section for each round."""
    lines = [f"## {escaped(title or walk.title(crisis))}", ""]
    lines += [f"{escaped(' · '.join(walk.facts(crisis, system)))}", ""]
    lines += [*_fighters(crisis, system), ""]
    shown: int | None = None
    for step in walk.steps(crisis):
        if step.after.round != shown and (step.begins_round or shown is None):
            shown = step.round
            lines += [*([""] if lines[-1] else []), f"### Round {shown}", ""]
        lines += _entry(step, system)
    lines += [*([""] if lines[-1] else []), f"**{escaped(verdict(crisis.last_scene, system))}**"]
    return "\n".join(lines) + "\n"


def _fighters(crisis: Crisis, system: System) -> Iterator[str]:
    """The fighters before and after, one's own side first."""
    yield "| Fighter | Side | Before | After |"
    yield "| --- | --- | --- | --- |"
    start = crisis.start.fighters
    for side, names in walk.sides(crisis).items():
        for name in names:
            before = state(start[name], system) if name in start else "joined later"
            after = state(crisis.scene.fighters[name], system)
            yield f"| {' | '.join(map(escaped, (name, side, before, after)))} |"


def state(one: Fighter, system: System) -> str:
    """The pools of a fighter that last, and its conditions, in words."""
    words = [
        *gauges(one, system, Ink(), 0, spent=False),
        *(stated(name, level, system) for name, level in one.conditions.items()),
        *(["has left"] if one.gone else []),
        *(["has surrendered"] if one.yielded else []),
    ]
    return ", ".join(words) or "unhurt"


def _entry(step: walk.Step, system: System) -> Iterator[str]:
    """An entry as an item of a list, what followed set in; a note as a quotation."""
    if step.entry.intent.action == "note":
        text = str(step.entry.intent.get("text", "")).splitlines()
        yield from ("", *(f"> {escaped(line)}".rstrip() for line in text), "")
        return
    first, *rest = walk.sentences(step, system) or [""]
    if first:
        yield f"- {escaped(first)}"
        yield from (f"  - {escaped(line)}" for line in rest)


def escaped(text: str) -> str:
    """A line that Markdown shows as it is, the faces of dice in code spans."""
    return _joined(FACES.split(" ".join(text.split())))


def _joined(parts: Iterable[str]) -> str:
    shown = "".join(f"`{part}`" if FACES.fullmatch(part) else SPECIAL.sub(r"\\\1", part) for part in parts)
    return AT_START.sub(r"\1\\\2", shown)
