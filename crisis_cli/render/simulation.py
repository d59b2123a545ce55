"""What many fights came to, as text and as a record for programs; and the bar that shows how far they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from html import escape
from itertools import islice
from typing import IO, TYPE_CHECKING, Any, Generic, TypeVar

from ..dice.distribution import Distribution, OddsTable
from ..engine import legal_actions
from ..engine.action_parts import no_upgrades
from ..engine.sides import sides_of
from ..engine.system import no_choices
from ..engine.validate import prepare
from ..errors import CrisisError
from ..simulation.block import PLAIN
from ..simulation.tally import DRAW, FIGHTS, WITHDRAWN, Counts, Share, about, mean, numbers, share
from ..values import NamedTuple
from .charts import bar, bars
from .jsontext import VERSION
from .style import Ink

if TYPE_CHECKING:
    from ..dice.table import Alternative
    from ..engine.scene import Scene
    from ..engine.system import System
    from ..simulation.duel import StatesFound

Done = TypeVar("Done")
DOCTRINES = {
    "plain": "plain: the best expected harm for its price on the nearest foe that is worth it",
    "own": "own: every fighter by the doctrine of its sheet",
}
"""What the output says about how fighters decided."""
BAR = 24
AIMED = ("one", "many", "any")
"""`Action.targets` of what is done to others."""
UNWATCHED = 10.0
"""Seconds from one line about work under way to the next where stderr is no terminal."""
MOST_MISSING = 8
"""Most variants that are named as not fought; of others it is said how many they are."""
Variant = tuple[tuple[str, str], ...]
"""Keys of sheets, each with the value that fights were fought with."""


class Simulated(NamedTuple):
    """Many fights, and what they came to."""

    system: System
    scene: Scene
    """The scene in which they begin."""
    counts: Counts
    seed: int
    doctrine: str
    wanted: int
    """How many fights were asked for."""

    @property
    def fights(self) -> int:
        """How many were fought."""
        return self.counts[FIGHTS]

    @property
    def is_cut_short(self) -> bool:
        """Whether a signal came before all of them were fought."""
        return self.fights < self.wanted

    def wins(self) -> dict[str, Share]:
        """The share of fights that each side wins, then those that end otherwise."""
        found = about(self.counts, "wins")
        sides = [*sides_of(self.scene), DRAW]
        sides += [str(key[0]) for key in found if key[0] not in sides]
        return {side: share(found.get((side,), 0), self.fights) for side in sides}

    def to_dict(self) -> dict[str, Any]:
        """The fights as `crisis simulate --json` prints them."""
        return {
            "v": VERSION,
            "action": "simulate",
            "system": self.system.name,
            "n": self.fights,
            "wanted": self.wanted,
            "seed": self.seed,
            "doctrine": self.doctrine,
            "wins": {side: one.to_dict() for side, one in self.wins().items()},
            "rounds": _law(self, "rounds"),
            "survivors": {side: _law(self, "standing", side) for side in sides_of(self.scene)},
            "fighters": {name: _fighter(self, name) for name in fighters_of(self)},
        }

    def __repr__(self) -> str:
        wins = ", ".join(f"{side} {one.p:.4f}" for side, one in self.wins().items())
        return f"<Simulated {self.fights} fights: {wins}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(side)}</td><td>{100 * one.p:.2f}&nbsp;%</td>"
            f"<td>{100 * one.low:.2f}–{100 * one.high:.2f}</td><td><div style='background:#47a;height:.8em;"
            f"width:{200 * one.p:.0f}px'></div></td></tr>"
            for side, one in self.wins().items()
        )
        return f"<table><caption>{self.fights:,} fights, seed {self.seed}</caption>{rows}</table>"


def fighters_of(done: Simulated) -> dict[str, str]:
    """The names of all fighters that took part, with their sides where they are known from the beginning."""
    names = {name: one.side for name, one in done.scene.fighters.items()}
    for key in about(done.counts, "end"):
        names.setdefault(str(key[0]), "")
    return names


def _law(done: Simulated, *what: str) -> dict[str, Any]:
    found = numbers(done.counts, *what)
    total = sum(found.values()) or 1
    return {
        "mean": mean(found),
        "distribution": [{"value": value, "p": count / total} for value, count in found.items()],
    }


def out_of(done: Simulated, name: str) -> tuple[Share, Share, Mapping[str, int]]:
    """The chance that a fighter is out of the fight at its end, that it is dead, and how often it ended how."""
    ends = {str(key[0]): count for key, count in about(done.counts, "end", name).items()}
    fights = sum(ends.values())
    return share(fights - ends.get("up", 0), fights), share(ends.get("dead", 0), fights), ends


def pools_of(done: Simulated, name: str) -> list[str]:
    """The lasting pools of a fighter, whether fights have changed them or not."""
    return [*dict.fromkeys(str(key[0]) for key in about(done.counts, "pool", name))]


def changed_pools(done: Simulated, name: str) -> list[str]:
    """The pools of a fighter that fights have changed."""
    begun = done.scene.fighters[name].pools if name in done.scene.fighters else {}
    return [
        pool
        for pool in pools_of(done, name)
        if set(numbers(done.counts, "pool", name, pool)) != {begun.get(pool)}
    ]


def weapons_of(done: Simulated, name: str) -> dict[str, tuple[float, float]]:
    """How often a fighter used each weapon in a fight, and the harm that it did with it, on average."""
    used, harm = about(done.counts, "uses", name), about(done.counts, "harm", name)
    return {
        str(key[0]): (count / done.fights, harm.get(key, 0) / done.fights)
        for key, count in sorted(used.items(), key=lambda one: -one[1])
    }


def _fighter(done: Simulated, name: str) -> dict[str, Any]:
    out, dead, ends = out_of(done, name)
    fights = sum(ends.values()) or 1
    return {
        "side": fighters_of(done)[name],
        "out": out.to_dict(),
        "dead": dead.to_dict(),
        "ends": {state: count / fights for state, count in sorted(ends.items())},
        "pools": {pool: _law(done, "pool", name, pool) for pool in pools_of(done, name)},
        "weapons": {
            thing: {"uses": uses, "harm": harm} for thing, (uses, harm) in weapons_of(done, name).items()
        },
    }


def interval(one: Share, ink: Ink) -> str:
    """A share and its interval in percent."""
    return f"{100 * one.p:6.2f} %  {ink('dim', f'({100 * one.low:.2f} to {100 * one.high:.2f})')}"


def report(done: Simulated, ink: Ink, width: int, with_bars: bool) -> Iterator[str]:
    """What many fights came to, in words, with histograms at a terminal."""
    said = DOCTRINES.get(done.doctrine, f"{done.doctrine}: every fighter by this doctrine")
    cut = f" of {done.wanted:,}, stopped" if done.is_cut_short else ""
    many = f"{done.fights:,} fight{'s' * (done.fights != 1)}"
    yield ink("bold", many + cut) + ink("dim", f"  doctrine {said}; seed {done.seed}")
    if aside := left_aside(done.system, done.scene, done.doctrine):
        yield ink("dim", aside)
    wins = done.wins()
    wide = ink.widest((*wins, "rounds"))
    for side, one in wins.items():
        if one.p or side not in (DRAW, WITHDRAWN):
            shown = bar(one.p, BAR, ink) if with_bars else ""
            yield f"  {ink.padded(side, wide)}  {interval(one, ink)}  {shown}".rstrip()
    rounds = numbers(done.counts, "rounds")
    yield f"  {'rounds':<{wide}}  {mean(rounds):.1f} on average, {min(rounds)} to {max(rounds)}"
    if with_bars and len(rounds) > 1:
        yield from bars(Distribution(rounds, sum(rounds.values())), ink, width, 12)
    for name in fighters_of(done):
        yield from _lines_of(done, name, ink, width, with_bars)


def left_aside(system: System, scene: Scene, doctrine: str, otherwise: str = "--doctrine own") -> str:
    """What the plain policy leaves aside in a fight where doctrines might not, as a sentence with the words of the
    command line for these; empty where nothing is left aside."""
    if doctrine != PLAIN:
        return ""
    fighters = scene.fighters.values()
    pool = _kept_back(system, scene)
    aside = [f"spends no {pool}"] if pool else []
    if scene.field is not None:
        aside.append("seeks no cover")
    elif any(fighter.at for fighter in fighters):
        aside.append("keeps no distance")
    said = " and ".join(aside)
    return f"plain {said}; with {otherwise} fighters may" if said else ""


def _kept_back(system: System, scene: Scene) -> str:
    """The label of the first pool of a fighter that attacks may spend for more, such as luck; empty without any, and
    where fighters who play themselves pay from it too (`Alternative.pays`)."""
    fighters = scene.fighters.values()
    attacks = [row for row in system.actions.values() if row.window == "turn" and row.targets in AIMED]
    if all(row.ai.upgrades is no_upgrades and row.choices is no_choices for row in attacks):
        return ""
    labels = [
        pool.label
        for name, pool in system.pools.items()
        if pool.not_vital and not pool.counts_up and any(one.pools.get(name) for one in fighters)
    ]
    label = next(iter(labels), "")
    return "" if label and label in _paid_from(system, scene) else label


def _paid_from(system: System, scene: Scene) -> set[str]:
    """What choices in the attacks of each fighter are paid from."""
    names: set[str] = set()

    def note(who: str, options: tuple[Alternative, ...], odds_table: OddsTable) -> Alternative:
        names.update(option.pays for option in options)
        return options[0]

    alone, odds_table = scene._replace(open=False), OddsTable(note)
    for who in scene.fighters:
        offers = legal_actions.of(
            system, alone, who, rows=lambda row: row.targets in AIMED and row.choices is not no_choices
        )
        for one in islice(offers, 1):
            with suppress(CrisisError):
                prepared = prepare(system, alone, one.intent)
                odds_table.of(prepared.rule, prepared.dice)
    return names


def stopped(found: Sequence[tuple[Variant, Simulated]], missing: Sequence[Variant]) -> str:
    """After how many fights a signal stopped them, and the variants that were not fought; empty where nothing is
    missing."""
    variant, last = found[-1]
    with_values = f" with {_spelled(variant)}" if variant else ""
    said = f" after {last.fights:,} of {last.wanted:,} fights{with_values}" if last.is_cut_short else ""
    if missing:
        shown = [_spelled(one) for one in missing[:MOST_MISSING]]
        more = len(missing) - len(shown)
        said += f"; not fought: {', '.join(shown)}{f' and {more} more' if more else ''}"
    return f"stopped{said}" if said else ""


def _spelled(variant: Variant) -> str:
    return " ".join(f"{key}={value}" for key, value in variant)


def compared(
    found: Sequence[tuple[Variant, Simulated]], missing: Sequence[Variant], ink: Ink
) -> Iterator[str]:
    """A line for each variant: who wins how often, how long it takes, and where that differs in how many fights; the
    variants that are missing were not fought, as a signal came before."""
    keys = [key for key, _ in found[0][0]]
    sides = [*sides_of(found[0][1].scene)]
    is_cut_short = bool(missing) or any(done.is_cut_short for _, done in found)
    differs = is_cut_short or len({done.fights for _, done in found}) > 1
    titles = [*keys, *sides, "rounds", *(["fights"] if differs else [])]
    rows = []
    for variant, done in found:
        wins = done.wins()
        shares = [
            f"{100 * wins[side].p:.1f} ({100 * wins[side].low:.1f}-{100 * wins[side].high:.1f})"
            for side in sides
        ]
        rows.append(
            [
                *(value for _, value in variant),
                *shares,
                f"{mean(numbers(done.counts, 'rounds')):.1f}",
                *([f"{done.fights:,}"] if differs else []),
            ]
        )
    rows += [
        [*(value for _, value in variant), "not fought", *[""] * (len(titles) - len(keys) - 1)]
        for variant in missing
    ]
    wide = [ink.widest(column) for column in zip(titles, *rows, strict=True)]
    first = found[0][1]
    many = f"{max(done.wanted for _, done in found):,} fights each"
    if is_cut_short:
        yield ink("bold", f"stopped before there were {many}")
        many = ""
    elif differs:
        many = ""
    yield ink(
        "dim", f"{f'{many}; ' if many else ''}wins in percent; doctrine {first.doctrine}; seed {first.seed}"
    )
    if aside := left_aside(first.system, first.scene, first.doctrine):
        yield ink("dim", aside)
    yield ink("bold", "  ".join(map(ink.padded, titles, wide)).rstrip())
    for row in rows:
        yield "  ".join(map(ink.padded, row, wide)).rstrip()


def _lines_of(done: Simulated, name: str, ink: Ink, width: int, with_bars: bool) -> Iterator[str]:
    """A few lines about one fighter."""
    out, dead, ends = out_of(done, name)
    yield ""
    yield f"{ink('bold', name)}  out of the fight {interval(out, ink).strip()}"
    if ends.get("dead"):
        yield f"  dead {interval(dead, ink).strip()}"
    weapons = weapons_of(done, name)
    for thing, (uses, harm) in weapons.items():
        yield f"  {thing}: {uses:.1f} uses, {harm:.1f} harm a fight"
    for pool in changed_pools(done, name):
        found = numbers(done.counts, "pool", name, pool)
        thing = pool.partition(":")[2]
        yield f"  {_left(done, name, pool, f'{mean(found):.1f}')} at the end on average"
        if with_bars and not thing and len(found) > 1:
            yield from bars(Distribution(found, sum(found.values())), ink, width, 8)


def _left(done: Simulated, name: str, pool: str, mean: str) -> str:
    """What is left in a pool, in words: `Health: 7.6`, `shots of the rifle: 7.5`, or where it counts the things
    themselves, `knife: 2.5 left`."""
    kind, _, thing = pool.partition(":")
    row = done.system.pools[kind]
    fighter = done.scene.fighters.get(name)
    if fighter is not None and row.counts(fighter.sheet, thing):
        return f"{thing}: {mean} left"
    return f"{row.label}{f' of the {thing}' if thing else ''}: {mean}"


class Progress(Generic[Done]):
    """A line on stderr about work under way: at a terminal once that takes longer than a second, kept up to date;
    elsewhere a new line every ten seconds, or none where `is_silent`."""

    def __init__(
        self,
        err: IO[str],
        width: int,
        line: Callable[[Done, float], str],
        clock: Callable[[], float],
        is_silent: bool = False,
    ):
        self.err = err
        self.width = width
        self.line = line
        """The line, for how much is done and the seconds that took."""
        self.clock = clock
        self.shows = bool(getattr(err, "isatty", bool)())
        """Whether stderr is a terminal."""
        self.is_silent = is_silent
        self.begun = self.last = clock()
        self.drawn = False

    def show(self, done: Done) -> None:
        """Write the line anew: ten times a second at most, off a terminal every ten seconds."""
        now = self.clock()
        if now - self.begun < 1 or now - self.last < (0.1 if self.shows else UNWATCHED):
            return
        line = self.line(done, now - self.begun)
        self.last, self.drawn = now, self.shows
        if not self.shows:
            if not self.is_silent:
                with suppress(OSError):
                    self.err.write(f"{line}\n")
                    self.err.flush()
            return
        self.err.write(f"\r{line[: max(10, self.width - 1)]}\x1b[K")
        self.err.flush()

    def clear(self) -> None:
        """Wipe the line off."""
        if self.drawn:
            self.err.write("\r\x1b[K")
            self.err.flush()


def fights_line(wanted: int) -> Callable[[int, float], str]:
    """How far fights are: a bar, how many are done, how many a second, and how long the others take."""

    def line(done: int, seconds: float) -> str:
        rate = done / seconds
        left = (wanted - done) / rate if rate else 0
        filled = round(BAR * done / wanted)
        speed = f"{rate:,.0f}" if rate >= 10 else f"{rate:.1f}"
        bar = f"[{'#' * filled}{'.' * (BAR - filled)}]"
        return f"{bar} {done:,} of {wanted:,}  {speed} fights/s  {duration(left)} left"

    return line


def states_line(most: int) -> Callable[[StatesFound, float], str]:
    """How far the search for the states of a duel is: how many are found, of so many at most, and how many of them
    are still to be looked at."""

    def line(states: StatesFound, seconds: float) -> str:
        found = f"{states.found:,} of at most {most:,}, {states.waiting:,} waiting"
        return f"working out all states: {found}; {duration(seconds)}"

    return line


def duration(seconds: float) -> str:
    """A length of time in a word or two."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
