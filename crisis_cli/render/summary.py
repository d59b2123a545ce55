"""The state of the fight above the prompt: one line for each fighter, one's own side first."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence

from ..engine.geometry import distance
from ..engine.scene import Fighter, Scene
from ..engine.sides import decided, pools, rounds_played, standing, victor
from ..engine.system import System
from ..values import NamedTuple
from .board import BAR_LENGTHS, bar_length, fallen_by, gauges, measures, waiting, wrapped
from .goals import progress_line, whereabouts
from .messages import listed, marked, off_by, stated
from .sides import by_side, marked_name
from .style import Ink

LONG_WORD = 9
"""Words of a condition with at least this many letters are shortened if there is no room."""
SHORT_WORD = re.compile(r"[^\W\d]{4}[^\W\d]*?[^\W\daeiouy]")
"""What is kept of them: a beginning of five letters or a few more, up to a consonant."""
INDENT = 6
"""Columns by which the second line of a fighter is set in."""


def glance(
    scene: Scene, system: System, ink: Ink, width: int, height: int, since: Sequence[str] = ()
) -> list[str]:
    """Round and turn, `since` (what has happened), then each fighter, no line wider than `width`.

    Those who have left are not shown. If more fighters are there than `height` leaves room for, those who act, then
    those who can still fight are shown, and how many are not.
    """
    names = by_side(
        [name for name in (*scene.order, *_unplaced(scene)) if not scene.fighters[name].gone], scene
    )
    head = [
        *_head(scene, system, ink, width),
        *progress_line(system, scene, ink, width),
        *since,
        *_side_pools(scene, system, ink, width),
    ]
    room = max(1, height - len(head))
    shown, hidden = names, 0
    if len(names) > room:
        room -= 1
        kept = sorted(names, key=lambda name: (name not in scene.acting, _is_out(name, scene, system)))[:room]
        shown = [name for name in names if name in kept]
        hidden = len(names) - len(shown)
    # One who acts alone has the pools of the turn in the head.
    acting = scene.acting if len(scene.acting) > 1 else ()
    rows = lines(shown, scene, system, ink, width, scene.acting, acting, most=room)
    more = [ink("dim", f"  … and {hidden} more: {ink.way('status')}")] if hidden else []
    return [*head, *rows, *more]


def _unplaced(scene: Scene) -> Iterator[str]:
    return (name for name in scene.fighters if name not in scene.order)


def _is_out(name: str, scene: Scene, system: System) -> bool:
    one = scene.fighters[name]
    return one.yielded or bool(system.fallen(one))


def _head(scene: Scene, system: System, ink: Ink, width: int) -> list[str]:
    """The round, whose turn it is with what actions are paid from, and who comes next if there is room."""
    round_ = f"Round {scene.round}"
    if decided(system, scene):
        winner = victor(system, scene)
        left = standing(system, scene)
        over = f"the {winner} win" if winner else "a draw" if left else "no fighter is left"
        return [ink("bold", f"Round {rounds_played(scene)} · {over}")]
    if not scene.acting:
        return [ink("bold", round_)]
    said = ink("bold", ink.cut(f"{round_} · {listed(scene.acting)}'s turn", width))
    own: list[str] = []
    if len(scene.acting) == 1:
        fighter = scene.fighters[scene.turn]
        for pips in (True, False):
            own = gauges(fighter, system, ink, bar_length(width) if pips else 0, spent=True, pips=pips)
            if ink.length(" · ".join((said, *own))) <= width:
                break
    first, *rest = wrapped([said, *own], width - 2, " · ", ink)
    comes = [name for name in _coming(scene, system) if name not in scene.acting]
    for few in range(len(comes) if not rest else 0, 0, -1):
        line = f"{first} · then {', '.join(comes[:few])}{', …' if few < len(comes) else ''}"
        if ink.length(line) <= width:
            return [line]
    return [first, *(f"  {line}" for line in rest)]


def _coming(scene: Scene, system: System) -> list[str]:
    """Who acts after the one whose turn it is, in that order."""
    order = scene.order
    at = order.index(scene.turn) + 1 if scene.turn in order else 0
    names = (*order[at:], *order[:at])
    return [name for name in names if not scene.fighters[name].gone and not _is_out(name, scene, system)]


def _side_pools(scene: Scene, system: System, ink: Ink, width: int) -> list[str]:
    """The pools of the sides, empty ones included."""
    said = [
        f"{side}: {system.side_pools[pool].label} {left}"
        for side, held in pools(system, scene).items()
        for pool, left in held.items()
    ]
    return [f"  {line}" for line in wrapped(said, width - 2, " · ", ink)] if said else []


def lines(
    names: Sequence[str],
    scene: Scene,
    system: System,
    ink: Ink,
    width: int,
    acting: Container[str],
    paying: Container[str] | None = None,
    most: int | None = None,
) -> list[str]:
    """A line for each fighter, its bars in columns where there is room for them.

    Those `acting` are marked; those `paying` (the same where not given) show what they pay actions with. Where there
    is no room, conditions are shortened first, then bars and pips; then the places of goals go, then the columns. A
    fighter who still does not fit takes a second line if there are at most `most` in all; otherwise the line ends in
    "…".
    """
    paying = acting if paying is None else paying
    wide = ink.widest(names)
    longest = next((length for least, length in BAR_LENGTHS if width >= least), 0)
    lengths = [length for _, length in BAR_LENGTHS if length <= longest]
    # What is left out first stands first: words, then lengths of bars, then the places of goals, then the columns.
    first = [(lengths[0], False, True), *((length, True, True) for length in lengths)]
    places = whereabouts(system, scene)
    ways = [(places, way) for way in first] if places else []
    ways += [({}, way) for way in (*first, (0, True, True), (0, True, False))]

    def row(name: str, places: Mapping[str, str], length: int, short: bool) -> _Row:
        pays = name in paying
        place = places.get(name, "")
        return _row(
            scene.fighters[name], scene, system, ink, wide, length, short, name in acting, pays, place
        )

    rows: list[_Row] = []
    for of_goals, (length, short, in_columns) in ways:
        rows = [row(name, of_goals, length, short) for name in names]
        joined = [_joined(each, _columns(rows, ink) if in_columns else {}, ink) for each in rows]
        if all(ink.length(line) <= width for line in joined):
            return joined
    broken = [_on_two_lines(row(name, {}, lengths[-1], False), ink, width) for name in names]
    if most is None or sum(map(len, broken)) <= most:
        return [line for several in broken for line in several]
    return [_cut(each, ink, width) for each in rows]


class _Row(NamedTuple):
    """The parts of a fighter's line, most important first."""

    head: str
    bars: dict[str, str]
    """By the pool."""
    pips: list[str]
    words: list[str]
    held: list[str]
    state: list[str]
    """Those of the words that say in what state the fighter is."""
    full: list[str]
    """The pools of which nothing is lost."""


def _row(
    one: Fighter,
    scene: Scene,
    system: System,
    ink: Ink,
    wide: int,
    length: int,
    short: bool,
    acting: bool,
    paying: bool,
    place: str,
) -> _Row:
    fallen = system.fallen(one)
    on_bars = {fallen_by(one, pool, system) for pool in one.pools if length}
    state = [word for word in _state(one, fallen, scene, system) if word not in on_bars]
    where = list(_where(one, scene, system))
    where += [place] if place else []
    if short:
        state, where = ([shortened(word) for word in words] for words in (state, where))
    return _Row(
        f"{'▸' if acting else ' '} {marked_name(one.name, scene, ink, wide, bool(fallen))}",
        measures(one, system, ink, length, spent=False),
        gauges(one, system, ink, length, spent=True, pips=length > 0)
        if paying
        else _kept(one, scene, system),
        [*state, *where],
        [", ".join(one.held)] if one.held and not fallen else [],
        state,
        [pool for pool in one.pools if _is_full(one, pool, system)],
    )


def _is_full(one: Fighter, pool: str, system: System) -> bool:
    """Whether nothing is lost of a pool."""
    kind, high = system.pools.get(pool.partition(":")[0]), one.limits.get(pool, (0, None))[1]
    return kind is not None and high is not None and one.pools[pool] == (0 if kind.counts_up else high)


def _kept(one: Fighter, scene: Scene, system: System) -> list[str]:
    """What is left of the pools of the turn to someone who has acted this round already."""
    if not scene.acted(one.name) or system.fallen(one):
        return []
    return [
        f"{kind.label} {one.pools[pool]} kept"
        for pool, kind in system.pools.items()
        if kind.spent and one.pools.get(pool, 0) > 0
    ]


def shortened(phrase: str) -> str:
    """A phrase with its long words cut: `incapacitated 2` becomes `incap. 2`."""
    return re.sub(rf"[^\W\d]{{{LONG_WORD},}}", lambda found: _short_word(found[0]), phrase)


def _short_word(word: str) -> str:
    kept = SHORT_WORD.match(word)
    return f"{kept[0]}." if kept and len(kept[0]) + 1 < len(word) else word


def _columns(rows: Sequence[_Row], ink: Ink) -> dict[str, int]:
    """How wide each pool's bars are."""
    wide: dict[str, int] = {}
    for row in rows:
        for pool, bar in row.bars.items():
            wide[pool] = max(wide.get(pool, 0), ink.length(bar))
    return wide


def _joined(row: _Row, columns: Mapping[str, int], ink: Ink) -> str:
    bars = [*row.bars.values()]
    if columns:
        cells = ((row.bars.get(pool, ""), wide) for pool, wide in columns.items())
        bars = [ink.padded(bar, wide) for bar, wide in cells]
    return "  ".join((row.head, *bars, *row.pips, *filter(None, [_said(row, ink)]))).rstrip()


def _said(row: _Row, ink: Ink) -> str:
    return " · ".join((*row.words, *(ink("dim", part) for part in row.held)))


def _on_two_lines(row: _Row, ink: Ink, width: int) -> list[str]:
    """The row on as many lines as it needs."""
    room = width - INDENT
    words = [ink.cut(word, room) for word in row.words]
    words += [ink("dim", ink.cut(word, room)) for word in row.held]
    first, *rest = wrapped([row.head, *row.bars.values(), *row.pips, *words], room, "  ", ink)
    return [first, *(" " * INDENT + line for line in rest)]


def _cut(row: _Row, ink: Ink, width: int) -> str:
    """As much of the row as fits, with "…" for the rest.

    What is in hand is left out first, then where one is, then bars of which nothing is lost, pips, all of the state
    but its first word, the other bars, and that word only at last.
    """
    full = [pool for pool in row.bars if pool in row.full]
    parts = [("bar", pool, bar) for pool, bar in row.bars.items()]
    parts += [("pips", "", each) for each in row.pips]
    first = row.state[:1]
    parts += [
        ("word" if word in first else "state" if word in row.state else "where", "", word)
        for word in row.words
    ]
    parts += [("held", "", each) for each in row.held]
    order = ("held", "where", "full", "pips", "state", "bar", "word")
    ranks = [order.index("full" if name in full else kind) for kind, name, _ in parts]
    dropped: list[int] = []
    for at in sorted(range(len(parts)), key=lambda at: (ranks[at], -at)):
        kept = [text for each, (_, _, text) in enumerate(parts) if each not in dropped]
        line = "  ".join((row.head, *kept, *(["…"] if dropped else [])))
        if ink.length(line) <= width:
            return line
        dropped.append(at)
    return row.head


def _state(one: Fighter, fallen: str, scene: Scene, system: System) -> Iterator[str]:
    """Out of the fight first, then conditions with their levels and what has been begun or kept."""
    if one.yielded:
        yield "surrendered"
    if fallen and fallen not in one.conditions:
        yield fallen
    for condition, level in sorted(one.conditions.items(), key=lambda item: item[0] != fallen):
        yield stated(condition, level, system)
    for mark, count in one.marks.items():
        if said := marked(mark, count, system):
            yield said
    yield from waiting(one, scene, system)


def _where(one: Fighter, scene: Scene, system: System) -> Iterator[str]:
    """How far off a fighter is from the one whose turn it is, and behind what."""
    actor = scene.turn
    if not actor or actor == one.name:
        return
    apart = distance(system, scene, actor, one.name)
    if apart is not None:
        yield off_by(apart, system.space.unit)
    if not scene.sees(actor, one.name):
        yield "out of sight"
        return
    cover = scene.cover_between(one.name, actor).level
    if cover != "none":
        yield f"{cover} cover"
