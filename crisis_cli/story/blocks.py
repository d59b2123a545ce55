"""What a story says, in blocks that a terminal, Markdown and a page for the browser all print."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from ..engine.journal import Crisis
from ..engine.scene import Intent
from ..engine.system import System
from ..render.style import Ink
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
    yield from map(Item, walk.stakes(crisis))
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
    """An entry as an item, what followed below it; a note as what it means."""
    if step.entry.intent.action == "note":
        yield note(step.entry.intent)
        return
    first, *rest = walk.sentences(step, system) or [""]
    if first:
        yield Item(first, rest)


def note(intent: Intent) -> Block:
    """A note as a quotation; as an item where it opens or closes a thread, or awards something."""
    text = str(intent.get("text", ""))
    if intent.get("thread"):
        return Item(f"A question opens: {text}")
    if intent.get("closes"):
        return Item(f"{text[:1].upper()}{text[1:]}")
    return Item(f"Award: {text}") if intent.get("award") else Quote(text.splitlines())


def text(blocks: Iterable[Block], ink: Ink, width: int) -> Iterator[str]:
    """The blocks as lines for a terminal, set in below their headings."""
    lead, is_below = "", False
    for block in blocks:
        if isinstance(block, Heading):
            lead = "  " * (block.level - 1)
            # A day stands apart, and so does what follows something else on it.
            yield from [""] * (block.level == 2 or (block.level == 3 and is_below))
            is_below = False
            style = "bold" if block.level < 3 else "cyan"
            yield from (ink(style, line) for line in ink.broken(f"{lead[2:]}{block.text}", width))
            continue
        is_below = True
        yield from (f"{lead}{line}" for line in _text(block, ink, width - len(lead)))


def _text(block: Paragraph | Item | Quote | TableBlock, ink: Ink, width: int) -> Iterator[str]:
    """A block as lines; of a table that is too wide, each row as an item."""
    if isinstance(block, TableBlock):
        rows = list(table_lines(block.rows, ink))
        if ink.widest(rows) <= width:
            yield from rows
        else:
            yield from (line for row in block.rows for line in _text(Item(" · ".join(row)), ink, width))
    elif isinstance(block, Quote):
        yield from (f"> {part}" for line in block.lines for part in ink.wrapped(line, width - 2))
    elif isinstance(block, Item):
        for line, more in ((block.text, ""), *((line, "  ") for line in block.below)):
            first, *rest = ink.wrapped(line, width - len(more) - 2) or [""]
            yield f"{more}{first}"
            yield from (f"{more}  {part}" for part in rest)
    else:
        yield from (ink("bold", line) if block.is_strong else line for line in ink.wrapped(block.text, width))


def table_lines(rows: Sequence[Sequence[str]], ink: Ink) -> Iterator[str]:
    """A table for a terminal: its first column from the left, the others from the right, the head dim."""
    widths = [ink.widest(column) for column in zip(*rows, strict=True)]
    for at, (name, *cells) in enumerate(rows):
        line = "  ".join((ink.padded(name, widths[0]), *map(ink.set_right, cells, widths[1:])))
        yield line if at else ink("dim", line)


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
