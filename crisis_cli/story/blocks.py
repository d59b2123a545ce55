"""What a story says, in blocks that Markdown and a page for the browser both print."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from ..engine.journal import Crisis
from ..engine.system import System
from ..values import NamedTuple
from . import walk


class Heading(NamedTuple):
    """A heading, the largest of level 1."""

    text: str
    level: int


class Paragraph(NamedTuple):
    """A paragraph."""

    text: str
    is_strong: bool = False


class Item(NamedTuple):
    """An item of a list, and what followed from it."""

    text: str
    below: Sequence[str] = ()


class Quote(NamedTuple):
    """What somebody wrote, line by line."""

    lines: Sequence[str]


class TableBlock(NamedTuple):
    """A table, its first row the head."""

    rows: Sequence[Sequence[str]]


Block = Heading | Paragraph | Item | Quote | TableBlock


def of_crisis(crisis: Crisis, system: System, title: str, level: int) -> Iterator[Block]:
    """A whole crisis: facts, a table of the fighters, and every entry in a section for each round."""
    yield Heading(title or walk.title(crisis), level)
    yield Paragraph(" · ".join(walk.facts(crisis, system)))
    if opening := walk.opening(crisis):
        yield Quote(opening)
    yield TableBlock([("Fighter", "Side", "Before", "After"), *_fighters(crisis, system)])
    shown: int | None = None
    for step in walk.steps(crisis):
        if step.after.round != shown and (step.begins_round or shown is None):
            shown = step.round
            yield Heading(f"Round {shown}", level + 1)
        yield from of_step(step, system)
    yield Paragraph(walk.result(crisis, system), is_strong=True)
    words, reward = walk.ending(crisis, system)
    if words:
        yield Quote(words)
    yield from (Item(one, ()) for one in reward)


def _fighters(crisis: Crisis, system: System) -> Iterator[Sequence[str]]:
    """The fighters before and after, one's own side first."""
    start = crisis.start.fighters
    for side, names in walk.sides(crisis).items():
        for name in names:
            before = walk.state(start[name], system) if name in start else "joined later"
            yield name, side, before, walk.state(crisis.scene.fighters[name], system)


def of_step(step: walk.Step, system: System) -> Iterator[Block]:
    """An entry as an item, what followed below it; a note as a quotation."""
    if step.entry.intent.action == "note":
        yield Quote(str(step.entry.intent.get("text", "")).splitlines())
        return
    first, *rest = walk.sentences(step, system) or [""]
    if first:
        yield Item(first, rest)


def html(blocks: Iterable[Block]) -> Iterator[str]:
    """The blocks as lines of HTML."""
    is_list = False
    for block in blocks:
        if isinstance(block, Item) != is_list:
            is_list = not is_list
            yield "<ul>" if is_list else "</ul>"
        yield from _html(block)
    if is_list:
        yield "</ul>"


def _html(block: Block) -> Iterator[str]:
    if isinstance(block, Heading):
        yield f"<h{block.level}>{escape(block.text)}</h{block.level}>"
    elif isinstance(block, Paragraph):
        text = escape(block.text)
        yield f"<p><strong>{text}</strong></p>" if block.is_strong else f"<p>{text}</p>"
    elif isinstance(block, Item):
        below = "".join(f"<li>{escape(line)}</li>" for line in block.below)
        yield f"<li>{escape(block.text)}{f'<ul>{below}</ul>' if below else ''}</li>"
    elif isinstance(block, Quote):
        yield f"<blockquote>{'<br>'.join(map(escape, block.lines))}</blockquote>"
    else:
        yield '<div class="wide"><table>'
        for at, row in enumerate(block.rows):
            cell = "td" if at else "th"
            yield f"<tr>{''.join(f'<{cell}>{escape(one)}</{cell}>' for one in row)}</tr>"
        yield "</table></div>"
