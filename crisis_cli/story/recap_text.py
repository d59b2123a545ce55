"""The recap of a crisis as lines for a terminal, or as a table of Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..engine.journal import Crisis
from ..engine.record import Entry
from ..engine.scene import Scene
from ..engine.sides import rounds_played
from ..engine.system import System
from ..render.board import gauges
from ..render.closing import listed_pools, outcome, verdict
from ..render.effects import life_won
from ..render.folded import WIDEST
from ..render.messages import listed, stated
from ..render.reasons import chance_of
from ..render.sides import own_side
from ..render.style import Ink
from ..render.text import headline
from ..values import NamedTuple
from . import walk
from .luck import FEWEST, Luck, worded
from .recap import AttackTotals, FighterRecap, Recap, TurningPoint, recap

SCALE, SHORTEST = 41, 11
"""Columns of the line from unlucky to lucky, and the fewest where there is no room."""
AROUND = 33
"""Columns on that line beside it and the name."""
NARROW = 70
"""Columns below which the expected harm is left out."""
LEAST = 60


def lines(crisis: Crisis, system: System, found: Recap, ink: Ink, width: int) -> Iterator[str]:
    """The whole recap; sections with nothing to say are left out."""
    width = max(width, LEAST)
    scene = crisis.scene
    yield ink("bold", ink.cut(f"{walk.title(crisis)} · {system.name}", width))
    yield (
        verdict(crisis.last_scene, system)
        if found.is_decided or scene.over
        else f"Round {found.rounds}, undecided."
    )
    yield ""
    yield from _fighters(found, ink, width)
    yield from luck_lines(found, ink, width)
    yield from _lead(found, ink, width)
    yield from turning_lines(found, scene, system, ink, width)
    yield from _spent(found, system, ink)
    yield from _standing(found, scene, system, ink)


def _fighters(found: Recap, ink: Ink, width: int) -> Iterator[str]:
    """Who hit how often, and who did and took how much harm."""
    wide = ink.widest(one.name for one in found.fighters)
    rows: list[tuple[str, ...]] = [table_row(one) for one in found.fighters]
    if width < NARROW:
        rows = [(*row[:3], row[4], *row[5:]) for row in rows]
    heads = (
        "hits",
        "expected",
        "harm",
        *(("expected",) if width >= NARROW else ()),
        "taken",
        "healed",
        "downed",
    )
    widths = [ink.widest((head, *(row[at] for row in rows))) for at, head in enumerate(heads[:-1])]
    yield ink(
        "dim",
        "  ".join((" " * (wide + 2), *map(ink.set_right, heads, widths), heads[-1])),
    )
    for one, row in zip(found.fighters, rows, strict=True):
        cells = map(ink.set_right, row, widths)
        yield ink.cut("  ".join((f"  {ink.padded(one.name, wide)}", *cells, row[-1])), width)
    if found.nobody:
        yield f"  Wounds, and harm among friends: {found.nobody}"


def table_row(one: FighterRecap) -> tuple[str, str, str, str, str, str, str]:
    """Hits, expected hits, harm, expected harm, taken, healed, downed."""
    tally = one.tally
    rough = "~" if tally.truncated else ""
    return (
        f"{tally.hits}/{tally.attacks}" if tally.attacks else "-",
        f"{tally.hit_luck.expected:.1f}" if tally.hit_luck else "-",
        str(tally.harm),
        f"{rough}{tally.harm_luck.expected:.1f}" if tally.harm_luck else "-",
        str(one.taken),
        str(one.healed),
        ", ".join(one.downed) or "-",
    )


class LuckRow(NamedTuple):
    """How lucky the dice of a fighter or a side were, in hits or in harm."""

    name: str
    kind: str
    luck: Luck
    tally: AttackTotals

    @property
    def rough(self) -> str:
        """What stands before a figure that is not quite exact."""
        truncated = "~" if self.kind == "harm" and self.tally.truncated else ""
        return truncated + ("" if self.luck.exact else f"±{self.luck.bound:.0f} ")

    @property
    def word(self) -> str:
        """The luck in words."""
        return worded(self.luck, self.tally.attacks - self.tally.unknown)


def luck_rows(found: Recap) -> list[LuckRow]:
    """How lucky the dice of each fighter and side were; those with few attacks left out."""
    named = [(one.name, one.tally) for one in found.fighters] + [
        (f"the {side}", tally) for side, tally in found.sides.items()
    ]
    return [
        LuckRow(name, kind, luck, tally)
        for name, tally in named
        if tally.attacks - tally.unknown >= FEWEST
        for kind, luck in (("hits", tally.hit_luck), ("harm", tally.harm_luck))
        if luck is not None
    ]


def luck_lines(found: Recap, ink: Ink, width: int) -> Iterator[str]:
    """How lucky the dice of each fighter and side were, from 0 to 100; those with few attacks left out."""
    rows = luck_rows(found)
    if not rows:
        return
    wide = ink.widest(row.name for row in rows)
    length = max(SHORTEST, min(SCALE, (width - AROUND - wide) // 2 * 2 - 1))
    words = f"0 unlucky{'even':^{max(0, length - 18)}}lucky 100"
    head = words if len(words) <= length else f"{'0':<{length - 3}}100"
    yield ""
    yield f"{ink('bold', 'Luck')}{' ' * (wide + 6)}{head}"
    for row in rows:
        figure = f"{row.rough}{row.luck.percentile:3.0f}"
        yield f"  {ink.padded(row.name, wide)}  {row.kind}  {_scale(row.luck, length)} {figure}  {row.word}"
    unknown = sum(tally.unknown for tally in found.sides.values())
    if unknown:
        yield f"  Attacks without known odds, which count in no luck: {unknown}"


def _scale(luck: Luck, length: int) -> str:
    """A line from 0 to 100 with the middle and a point."""
    at = round(luck.percentile / 100 * (length - 1))
    return "".join("●" if here == at else "│" if here == length // 2 else "─" for here in range(length))


def _lead(found: Recap, ink: Ink, width: int) -> Iterator[str]:
    """The lead at the end of each round, in points of 100."""
    ends = {one.round: one.lead for one in found.lead}
    if len(ends) < 2:
        return
    yield ""
    cells = [
        (f"Rd{number}", f"{round(lead * 100):+d}" if round(lead * 100) else "0")
        for number, lead in ends.items()
    ]
    room = max(1, (width - 10) // 6)
    for at in range(0, len(cells), room):
        part = cells[at : at + room]
        yield f"{ink('bold', 'Lead') if not at else '    '}    {''.join(f'{head:>6}' for head, _ in part)}"
        yield f"        {''.join(f'{ink.set_right(minus_signed(lead), 6)}' for _, lead in part)}"


def minus_signed(number: str) -> str:
    """The number with a typographic minus sign."""
    return number.replace("-", "−")


def turning_lines(found: Recap, scene: Scene, system: System, ink: Ink, width: int) -> Iterator[str]:
    """The entries that changed the lead most, with the chance of what happened."""
    if not found.turning:
        return
    yield ""
    yield f"{ink('bold', 'Turning points')} (100 points: the life of a whole side)"
    leads = [f"  Rd{turn.step.round}  entry {turn.step.entry.number}" for turn in found.turning]
    indent = max(map(len, leads)) + 2
    room = width - indent - 13
    for turn, lead in zip(found.turning, leads, strict=True):
        change = minus_signed(f"{round(turn.change * 100):+d}")
        said = ink.cut(turning_sentence(turn, scene, system), room)
        yield f"{lead:<{indent}}{ink.padded(said, room)}{ink.set_right(change, 6)} points"
        if turn.odds:
            yield " " * indent + ink.cut(chance_sentence(turn), width - indent)


def turning_sentence(turn: TurningPoint, scene: Scene, system: System) -> str:
    """What happened at a turning point, in a few words."""
    entry: Entry = turn.step.entry
    if entry.intent.action == "next":
        hurt = dict.fromkeys(event.who for event in entry.events if life_won(event, system) < 0)
        suffers = "suffer" if len(hurt) > 1 else "suffers"
        return f"{listed([*hurt])} {suffers} harm between turns" if hurt else "A turn ends"
    return headline(entry, scene, system, Ink()) or entry.intent.action


def turning_told(turn: TurningPoint, scene: Scene, system: System) -> str:
    """A turning point as a sentence, with the chance that its dice had and what they came to."""
    said = turning_sentence(turn, scene, system)
    if turn.odds:
        return f"{said.rstrip('.')} ({chance_sentence(turn)})."
    return said if said.endswith((".", "!", "?")) else f"{said}."


def chance_sentence(turn: TurningPoint) -> str:
    """The chance of a hit before the dice were rolled, and what they came to."""
    odds, entry = turn.odds, turn.step.entry
    assert odds is not None
    words = f"{percent(odds.hit)} to hit, {'hit' if entry.success else 'missed'}"
    down = ", ".join(f"{name} down ({percent(odds.down.get(name, 0))})" for name in turn.downed)
    return f"{words}; {down}" if down else words


def percent(chance: float) -> str:
    """A chance in whole per cent; what is rare but possible is not called impossible, nor what is likely certain."""
    if 0 < chance < 0.005:
        return "under 1 %"
    return "over 99 %" if 0.995 <= chance < 1 else f"{100 * chance:.0f} %"


def end_lines(crisis: Crisis, system: System, ink: Ink, width: int) -> Iterator[str]:
    """The end of a fight in brief: who won, how it ended, what one's own fighters did, and what turned it."""
    width, scene, found = min(width, WIDEST), crisis.last_scene, recap(crisis, system, odds=False)
    said = [f"{outcome(scene, system)} in round {rounds_played(scene)}."]
    text, reward = walk.ending(crisis, system)
    yield from (ink("bold", line) for line in ink.wrapped(" ".join((*said, *text)), width))
    yield from (f"  {ink('dim', 'reward')}: {one}" for one in reward)
    own = [one for one in found.fighters if one.side == own_side(scene)]
    wide = ink.widest(one.name for one in own)
    for one in own:
        tally = one.tally
        parts = [f"{tally.hits}/{tally.attacks} hits, {tally.harm} harm"] if tally.attacks else ["no attack"]
        parts += [f"{one.healed} healed"] if one.healed else []
        parts += [f"{listed(one.downed)} down"] if one.downed else []
        yield from ink.broken(f"  {ink.padded(one.name, wide)}  {', '.join(parts)}", width)
    yield from ink.broken(f"  {turned}", width) if (turned := _turned(crisis, system, found)) else ()


def _turned(crisis: Crisis, system: System, found: Recap) -> str:
    """The action that moved the lead most towards those who won, as a sentence; empty where there is none."""
    sign = 1 if found.winner == own_side(crisis.last_scene) else -1
    moves = zip(found.lead, found.lead[1:], strict=False)
    swings = [
        (sign * (now.lead - was.lead), now)
        for was, now in moves
        if crisis.done[now.entry - 1].intent.actor and crisis.done[now.entry - 1].intent.action != "next"
    ]
    if not found.winner or not swings:
        return ""
    swing, lead = max(swings, key=lambda one: one[0])
    if swing <= 0:
        return ""
    entry = crisis.done[lead.entry - 1]
    chance = chance_of(entry)
    odds = f" ({chance} %)" if chance and chance < 100 else ""
    return f"It turned in round {lead.round}: {headline(entry, crisis.last_scene, system, Ink()).rstrip('.')}{odds}."


def _spent(found: Recap, system: System, ink: Ink) -> Iterator[str]:
    spent = [
        f"{one.name}: {listed_pools([*one.spent.items()], system)}" for one in found.fighters if one.spent
    ]
    yield from _section("Spent", spent, ink)


def _standing(found: Recap, scene: Scene, system: System, ink: Ink) -> Iterator[str]:
    lines = []
    for one in found.fighters:
        fighter = scene.fighters[one.name]
        words = [
            *gauges(fighter, system, Ink(), 0, spent=False),
            *(stated(name, level, system) for name, level in fighter.conditions.items()),
        ]
        if not system.fallen(fighter) and not fighter.gone:
            lines.append(f"{one.name}: {', '.join(words) or 'unhurt'}")
    yield from _section("Standing", lines, ink)


def _section(name: str, lines: Sequence[str], ink: Ink) -> Iterator[str]:
    if lines:
        yield ""
        yield from (
            f"{ink('bold', name) + ' ' * (10 - len(name)) if not at else ' ' * 10}{line}"
            for at, line in enumerate(lines)
        )
