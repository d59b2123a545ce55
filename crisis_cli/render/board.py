"""The board: the state of every fighter, for `crisis status`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..engine.scene import Fighter, Scene
from ..engine.sides import decided, pools, rounds_played, standing, victor
from ..engine.system import System
from ..engine.wording import measured
from .charts import minus, place
from .messages import changed_by, covered, listed, marked, stated
from .sides import by_side, marked_name
from .style import Ink

BAR_LENGTHS = ((100, 10), (70, 7), (50, 5), (0, 3))
"""Columns of the terminal from which on bars have a length."""
MOST_PIPS = 8
"""The highest pool that is shown as pips."""


def board(scene: Scene, system: System, ink: Ink, width: int) -> Iterator[str]:
    """The encounter, round and turn, then a line or two for each fighter, one's own side first, in the order in which
    they act."""
    yield from title_line(scene, ink)
    yield ink("bold", _head(scene, system))
    if scene.encounter is not None:
        from .goals import progress_line

        yield from progress_line(system, scene, ink, width)
    names = by_side((*scene.order, *(name for name in scene.fighters if name not in scene.order)), scene)
    wide = ink.widest(names)
    for name in names:
        yield from _fighter(scene.fighters[name], scene, system, ink, wide, width)
    for side, held in pools(system, scene).items():
        if held:
            yield f"  {side}: " + ", ".join(
                f"{system.side_pools[pool].label} {left}" for pool, left in held.items()
            )


def title_line(scene: Scene, ink: Ink) -> list[str]:
    """The name of the encounter of a scene; nothing without one."""
    return [ink("bold", scene.encounter.name)] if scene.encounter else []


def status_line(scene: Scene) -> str:
    """The state of a crisis in one line for programs: `1 Jack ap=4 …`.

    The round, the fighter whose turn it is as one word (`-` if no turn has begun), and its pools.
    """
    fighter = scene.fighters.get(scene.turn)
    pools = fighter.pools.items() if fighter else ()
    name = "_".join(fighter.name.split()) if fighter else "-"
    return " ".join([str(scene.round), name, *(f"{'_'.join(pool.split())}={left}" for pool, left in pools)])


def _head(scene: Scene, system: System) -> str:
    if scene.over:
        return f"Round {rounds_played(scene)} · ended: " + (
            " against ".join(listed(names) for names in standing(system, scene).values())
            or "no fighter was left"
        )
    if decided(system, scene):
        winner, left = victor(system, scene), standing(system, scene)
        said = f"{winner} win" if winner else "a draw" if left else "no fighter is left"
        return f"Round {rounds_played(scene)} · decided: {said}"
    if not scene.order:
        return "No turn order yet"
    acting = listed(scene.acting)
    return f"Round {scene.round} · {acting}'s turn" if acting else f"Round {scene.round}"


def _fighter(one: Fighter, scene: Scene, system: System, ink: Ink, wide: int, width: int) -> Iterator[str]:
    mark = "▸" if one.name in scene.acting else " "
    fallen = system.fallen(one)
    name = marked_name(one.name, scene, ink, wide, bool(fallen or one.gone))
    lead = " " * (wide + 6)
    length = bar_length(width)
    pips = "" if one.gone else "".join(gauge + "  " for gauge in gauges(one, system, ink, length, spent=True))
    room = width - len(lead)
    on_bars = {fallen_by(one, pool, system) for pool in one.pools}
    words = [word for word in _words(one, fallen, system) if one.gone or word not in on_bars]
    first, *rest = wrapped(
        [pips + ink("dim", one.side), *words, *waiting(one, scene, system)], room, " · ", ink
    )
    yield f"{mark} {name}  {first}"
    yield from (lead + line for line in rest)
    if not one.gone:
        yield from (
            lead + line for line in wrapped(gauges(one, system, ink, length, spent=False), room, "  ", ink)
        )


def wrapped(parts: Iterable[str], width: int, between: str, ink: Ink) -> list[str]:
    """The parts on as many lines as the width needs."""
    lines: list[str] = []
    for part in parts:
        if lines and ink.length(lines[-1]) + len(between) + ink.length(part) <= width:
            lines[-1] += between + part
        else:
            lines.append(part)
    return lines


def _words(one: Fighter, fallen: str, system: System) -> Iterator[str]:
    if one.gone:
        yield "has left"
    if one.yielded:
        yield "has surrendered"
    for condition, level in one.conditions.items():
        yield stated(condition, level, system)
    if fallen and fallen not in one.conditions:
        yield fallen
    if one.held:
        yield "holds " + ", ".join(one.held)
    for pool, left in one.pools.items():
        kind, _, thing = pool.partition(":")
        row = system.pools.get(kind)
        if thing in one.held and row is not None and row.board:
            is_count = row.counts(one.sheet, thing)
            yield f"{thing}: {left} left" if is_count else row.board.format(left=left, thing=thing)
    for mark, count in one.marks.items():
        kind, _, what = mark.partition(":")
        if kind == "paid":
            yield f"{what.replace(':', ' ').strip()}: {count} paid"
        elif said := marked(mark, count, system):
            yield said
    if one.at:
        yield f"at {place(one.at)}"
    for from_whom, behind in one.cover.items():
        yield f"{covered(behind)} from {from_whom}"


def waiting(one: Fighter, scene: Scene, system: System) -> Iterator[str]:
    """Harm that counts when the acting group is done."""
    for who, pool, by, _ in scene.pending:
        if who == one.name:
            yield f"{changed_by(by, system.pools[pool].label)} to come"


def bar_length(width: int) -> int:
    """The length of bars in a terminal of this width."""
    return next(length for least, length in BAR_LENGTHS if width >= least)


def gauges(one: Fighter, system: System, ink: Ink, length: int, spent: bool, pips: bool = True) -> list[str]:
    """The pools that actions are paid from (`spent`), or all others, as bars of a length or, with `pips`, as dots."""
    return [*measures(one, system, ink, length, spent, pips).values()]


def measures(
    one: Fighter, system: System, ink: Ink, length: int, spent: bool, pips: bool = True
) -> dict[str, str]:
    """The same, by the pool."""
    found = [
        pool
        for name, kind in system.pools.items()
        if kind.spent == spent and not kind.gear
        for pool in one.pools
        if pool.partition(":")[0] == name
    ]
    said = ((pool, _gauge(one, pool, system, ink, length, pips)) for pool in found)
    return {pool: gauge for pool, gauge in said if gauge}


def fallen_by(one: Fighter, pool: str, system: System) -> str:
    """How a fighter is out of the fight who has all of a pool that counts up, as its bar says; else empty."""
    kind, high = system.pools.get(pool.partition(":")[0]), one.limits.get(pool, (0, None))[1]
    if kind is None or not kind.counts_up or high is None or one.pools[pool] < high:
        return ""
    fallen = system.fallen(one)
    return stated(fallen, one.conditions[fallen], system) if fallen in one.conditions else fallen


def _gauge(one: Fighter, pool: str, system: System, ink: Ink, length: int, pips: bool) -> str:
    name, _, sort = pool.partition(":")
    kind, value, high = system.pools[name], one.pools[pool], one.limits.get(pool, (0, None))[1]
    if sort:
        return f"{sort} {kind.label} {minus(value)}" + (f"/{high}" if high else "")
    if high is None:
        return f"{kind.label} {minus(value)}" if value or kind.spent else ""
    if high == 0 or (kind.hidden_when_full and value == (0 if kind.counts_up else high)):
        return ""
    if pips and kind.spent and high <= MOST_PIPS:
        return f"{kind.label} " + "●" * max(0, min(value, high)) + ink("dim", "○" * max(0, high - value))
    if not length:
        return (
            f"{value} of {measured(high, kind.label)}"
            if kind.counts_up
            else f"{kind.label} {minus(value)}/{high}"
        )
    rest = max(0, min(high, high - value if kind.counts_up else value))
    # Full is nothing lost, and empty nothing left: between the two at least one column shows it.
    left = max(rest > 0, min(length - (rest < high), round(rest * length / high)))
    style = "good" if rest * 2 > high else "yellow" if rest * 4 > high else "bad"
    bar = f"{ink(style, '█' * left)}{ink('dim', '░' * (length - left))}"
    if not kind.counts_up:
        return f"{kind.label} {bar} {minus(value)}/{high}"
    # Full is good: what counts up is said in words.
    if not value:
        return f"{kind.label} {bar} unhurt"
    fallen = fallen_by(one, pool, system)
    return f"{bar} {value} of {f'{high} · {fallen}' if fallen else measured(high, kind.label)}"
