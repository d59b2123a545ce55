"""`crisis foe`."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

import click

from .. import systems
from ..ai.balance import Balance
from ..completion import Source
from ..context import Context
from ..dice.generator import Seeded, generator
from ..dice.table import Table
from ..engine.encounter import PLAYERS
from ..engine.scene import Fighter, Scene, slug
from ..engine.starting import starting_fighter
from ..engine.system import System
from ..engine.wording import with_a
from ..errors import FileError, Interrupted, Refused, Usage
from ..play import opening
from ..play.opening import init_intent
from ..play.placing import deployed
from ..play.session import Session
from ..random_tables.draw import draw
from ..render import data
from ..render.simulation import Progress, fights_line
from ..sheets import foes
from ..sheets.check import faults_of, require_usable_name
from ..sheets.fighters import numbered
from ..sheets.files import create, exists, path_from
from ..sheets.new_sheet import sheet_text
from ..sheets.store import COPIES
from ..simulation.fair import BLOCK, Search, Tried
from ..simulation.fight import FightStart, Limits
from ..simulation.fighting import GLANCING, OWN, PLAIN, Fighting, Terms
from ..values import NamedTuple
from . import options
from .campaign.evening import those_who_play
from .system_options import SidesCommand

if TYPE_CHECKING:
    from ..engine.scene import Intent
    from ..sheets.foes import RawSheet, Role
    from ..simulation.blocks import FightPart
    from ..simulation.tally import Share

FIGHTS, MOST_FIGHTS = 400, 100_000
"""Fights that confirm a foe where nobody says, and most that may be asked for."""
MOST_TOGETHER = 8
"""Most foes that fight together where nobody says how many."""
MOST_NAMES = 100
"""Most names that are drawn to find one that no sheet has."""
NAMES, MANNERS, WANTS = "names", "manners", "wants"
"""The random tables that a foe is described by."""


class Wish(NamedTuple):
    """The foe that is wanted."""

    role: Role
    party: tuple[Fighter, ...]
    level: int
    together: int
    seed: int
    doctrine: str
    fights: int

    @property
    def share(self) -> float:
        """The share of fights that the players shall win."""
        return foes.LEVELS[self.level]


class Made(NamedTuple):
    """A foe that was found: its sheet, and what is said about it."""

    wish: Wish
    sheet: RawSheet
    tried: Tried
    steps: int
    manner: str
    wants: str

    @property
    def reached(self) -> bool:
        """Whether the fights confirm the level."""
        return self.tried.confirms(self.wish.share)

    @property
    def way(self) -> int:
        """1 where even the strongest of the role are too weak for the level, -1 where even the weakest are too strong,
        else 0."""
        wins, share, step = self.tried.wins, self.wish.share, self.tried.step
        return (wins.low > share and step == self.steps - 1) - (wins.high < share and step == 0)


@click.command("foe", cls=SidesCommand)
@click.argument("role", required=False, metavar="[ROLE]", shell_complete=Source("names.roles"))
@click.option(
    "--system",
    metavar="SYSTEM",
    help="The rule system (default: that of the sheets after --against).",
    shell_complete=Source("names.systems"),
)
@click.option(
    "--against",
    multiple=True,
    metavar="WHO...",
    help="The fighters it is for: every word up to the next option (default: the party of the campaign).",
    shell_complete=Source("names.joining_fighters"),
)
@click.option(
    "--level",
    type=click.IntRange(min(foes.LEVELS), max(foes.LEVELS)),
    default=3,
    metavar="N",
    help="How hard it is, 1 to 5: the players win 95, 85, 70 (the default), 50 or 30 % of the fights.",
)
@click.option(
    "--count",
    type=click.IntRange(1, COPIES),
    metavar="N",
    help="How many of it fight together (default: 1, a swarm 3; more or fewer where the level takes it).",
)
@click.option("--name", metavar="NAME", help="Its name (default: one from the table names).")
@click.option(
    "--doctrine",
    type=click.Choice([PLAIN, OWN]),
    default=PLAIN,
    help="How all decide in the fights that confirm it: plain (default), or own: each by the doctrine of its sheet.",
)
@click.option(
    "-n",
    "--fights",
    type=options.Count(1, MOST_FIGHTS),
    default=FIGHTS,
    metavar="N",
    help=f"Number of fights that confirm it (default: {FIGHTS}).",
)
@options.seed_option
@click.option("--save", metavar="FILE", type=click.Path(), help="Write the sheet to this new file.")
@options.common_options
@click.pass_obj
def command(
    context: Context,
    /,
    role: str | None,
    system: str | None,
    against: tuple[str, ...],
    level: int,
    count: int | None,
    name: str | None,
    doctrine: str,
    fights: int,
    seed: int | None,
    save: str | None,
    as_json: bool,
) -> int:
    """Make a made-to-measure foe: strong enough that the players win a chosen share of fights.

    ROLE is brute, shot, swarm, leader or skulker; without it the dice choose. The exact odds of both sides give the
    first guess, and simulated fights confirm it or move it. What a single foe can be has limits; beyond them there are
    more of it.

    \b
    Examples:
      crisis foe --against jack ada
      crisis foe brute --against jack --level 4 --save characters/gate.toml
      crisis foe swarm --against ines bruno --count 5 --seed 7
    """
    path = _new_file(context, save) if save else None
    rulebook, party = _party(context, system, against)
    seed = context.environment.fresh_seed() if seed is None else seed
    known = foes.foes_of(rulebook)
    random = generator(seed).random
    chosen = known.role(role) if role else list(known.roles.values())[int(random() * len(known.roles))]
    title = _unused_name(context, party, random) if name is None else name
    require_usable_name(title)
    wish = Wish(chosen, party, level, count or chosen.together, seed, doctrine, fights)
    described = _drawn(context, MANNERS, random), _drawn(context, WANTS, random)
    made = _made(context, rulebook, known, wish, title, described)
    if count is None:
        made = _enough(
            made,
            lambda together: _made(
                context, rulebook, known, wish._replace(together=together), title, described
            ),
        )
    if made.way:
        raise _out_of_reach(made)
    text = _text(made, rulebook, save or f"{slug(title)}.toml")
    if path:
        create(
            path,
            text,
            str(save),
            "sheets",
            "use another folder (--save)",
            context.desk.shelves.sheets().allowed_folder(path),
        )
    if as_json:
        context.output.print_json(_record(made, rulebook, save))
    elif not path:
        context.output.print_text(text)
    else:
        context.output.say(f"{save} is written: {_found(made)}.", f"Play: {_play(made, str(save))}")
    return 0


def _new_file(context: Context, save: str) -> str:
    """The path of --save; FileError where there is a file, Usage where no sheet could be there."""
    path = path_from(context.environment.cwd, save)
    if os.path.splitext(path)[1] != ".toml":
        raise Usage(f"--save takes a file that ends in .toml, not {save!r}", code="bad_value")
    if exists(path):
        raise FileError(f"{save} exists already", hint="name a new file", code="exists")
    return path


def _party(
    context: Context, system: str | None, against: tuple[str, ...]
) -> tuple[System, tuple[Fighter, ...]]:
    """The system and the fighters that the foe is for; Usage where there are none, Refused where none can fight."""
    if system:
        systems.load(system)
    who = those_who_play(context, against, True)
    if not who:
        raise Usage(
            "missing option: --against WHO",
            hint="crisis foe --against WHO…; in a campaign the default is its party; the sheets: crisis character list",
            code="missing_argument",
        )
    rulebook, party = context.desk.gather(who, decide_sides=True)
    if system and system != rulebook.name:
        raise Refused(
            f"{party[0].name} is {with_a(rulebook.name)} sheet, not one of {system}",
            hint="a foe has the system of those it is for",
            code="other_system",
        )
    able = tuple(one for one in party if not rulebook.fallen(one))
    if not able:
        raise Refused(
            f"{numbered(one.name for one in party)} cannot fight",
            hint=f"to start afresh: crisis character reset {slug(party[0].name)}",
            code="nobody_can_act",
        )
    return rulebook, able


def _drawn(context: Context, table: str, random: Callable[[], float]) -> str:
    """The text of a row of a random table."""
    return draw(Table(Seeded(random)), context.desk.shelves.tables().with_references(table), table)[0].text


def _unused_name(context: Context, party: tuple[Fighter, ...], random: Callable[[], float]) -> str:
    """A name from the random table, one that no sheet in reach has if it can be."""
    taken = context.desk.shelves.sheets().names() | {one.name.casefold() for one in party}
    for _ in range(MOST_NAMES):
        name = _drawn(context, NAMES, random)
        if name.casefold() not in taken:
            break
    return name


# The search


def _made(
    context: Context,
    system: System,
    known: foes.Foes,
    wish: Wish,
    name: str,
    described: tuple[str, str],
) -> Made:
    """The foe whose step the fights confirm, or the nearest one; its manner and what it wants are given."""
    steps = foes.steps_of(system, known, wish.role)
    sheets = [foes.named(system, one, name) for one in steps]

    @cache
    def fighters(step: int) -> tuple[Fighter, ...]:
        values = faults_of(system, sheets[step])[0]
        names = [f"{name} {at}" for at in range(1, wish.together + 1)] if wish.together > 1 else [name]
        return tuple(
            starting_fighter(system, values, name=one, side="opponents", player=False) for one in names
        )

    balance = Balance(system)
    with context.environment.signals.deferred() as stop:
        environment = context.environment
        progress = Progress(environment.err, environment.width, fights_line(wish.fights), time.monotonic)

        @cache
        def fights(step: int) -> FightPart:
            opening = _opening(system, (*wish.party, *fighters(step)))
            decides = GLANCING if wish.doctrine == PLAIN else wish.doctrine
            terms = Terms(opening, decides, Limits(), wish.seed, context.desk.shelves.doctrines().named)
            return Fighting(terms, stop_asked=lambda: bool(stop.signal)).part

        def stopped() -> Interrupted:
            progress.clear()
            return Interrupted("stopped before the foe was found", status=stop.status)

        def ratio(step: int) -> float:
            try:
                # Many attacks are weighed: nothing is lost where that is broken off.
                with environment.signals.interruptible():
                    return balance.ratio(wish.party, fighters(step))
            except KeyboardInterrupt as interrupt:
                raise stopped() from interrupt

        def won(step: int, block: int, many: int) -> int:
            counts = fights(step)(block, many, 0, lambda done: progress.show(block * BLOCK + done)) or {}
            if stop.signal:
                raise stopped()
            return counts.get(("wins", PLAYERS), 0)

        search = Search(
            len(sheets),
            ratio,
            won,
            dict(zip(foes.LEVELS.values(), known.ratios, strict=True)),
            wish.fights,
        )
        tried = search.find(wish.share)
        progress.clear()
    return Made(wish, sheets[tried.step], tried, len(sheets), *described)


def _enough(made: Made, again: Callable[[int], Made]) -> Made:
    """The foe made for as many together as the level takes; the last one made where no number does."""
    tried = {made.wish.together}
    while made.way and made.wish.together + made.way in {*range(1, MOST_TOGETHER + 1)} - tried:
        made = again(made.wish.together + made.way)
        tried.add(made.wish.together)
    return made


def _out_of_reach(made: Made) -> Refused:
    """The refusal where no foe of the role is near the level, with what would be."""
    wish, wins = made.wish, made.tried.wins
    end, way = ("strongest", "easy") if made.way > 0 else ("weakest", "hard")
    near = [level for level, share in foes.LEVELS.items() if wins.low <= share <= wins.high]
    levels = near or [level for level, share in foes.LEVELS.items() if (share - wins.p) * made.way > 0]
    ways = [f"--count {wish.together + made.way}"] if 1 <= wish.together + made.way <= COPIES else []
    ways += [f"--level {min(levels, key=lambda level: abs(level - wish.level))}"] if levels else []
    return Refused(
        f"even the {end} {wish.role.name} is too {way} for level {wish.level}"
        f" ({100 * wish.share:.0f} %): {_wins(made)}",
        hint=f"try {' or '.join(ways)}, or another role" if ways else "try another role",
        code="no_such_foe",
    )


def _opening(system: System, fighters: tuple[Fighter, ...]) -> FightStart:
    """How each fight begins: the sides apart as in `crisis play`, with the roll for the turn order."""
    scene = Scene(system.name, {one.name: one for one in fighters}, open=True)
    session = Session(system, deployed(scene, system.unit, None))
    return FightStart(system, session.scene, _init(session))


def _init(session: Session) -> Intent:
    return init_intent(session, [*session.scene.fighters], opening.Opening())


# What is printed


def _found(made: Made) -> str:
    """How often the players win, in a few words."""
    if made.reached:
        return _wins(made)
    return f"no step of {made.wish.role.name} gives {100 * made.wish.share:.0f} %; the nearest: {_wins(made)}"


def _wins(made: Made) -> str:
    """The share of fights that the players win."""
    wins, wish = made.tried.wins, made.wish
    against = numbered(one.name for one in wish.party)
    many = f" against {wish.together} of them" if wish.together > 1 else ""
    places = _places(wins, wish.share)
    return (
        f"{against} win{'s' * (len(wish.party) == 1)} {100 * wins.p:.1f} %"
        f" ({100 * wins.low:.{places}f}–{100 * wins.high:.{places}f}) of {made.tried.fights} fights{many}"
    )


def _places(wins: Share, wanted: float) -> int:
    """How many decimals the bounds of an interval need, so that it shows a wanted share that is not within it as
    outside it."""
    nearest = wins.high if wins.high < wanted else wins.low
    is_within = wins.low <= wanted <= wins.high
    return next(
        (few for few in (1, 2, 3) if is_within or f"{nearest:.{few + 2}f}" != f"{wanted:.{few + 2}f}"), 4
    )


def _play(made: Made, file: str) -> str:
    """The line that plays against the foe."""
    who = " ".join(slug(one.name) for one in made.wish.party)
    return f"crisis play {who} --vs {file}" + (f":{made.wish.together}" if made.wish.together > 1 else "")


def _text(made: Made, system: System, file: str) -> str:
    """The sheet, with comments that say where it comes from."""
    wish, tried = made.wish, made.tried
    head = (
        f"{made.sheet['name']}, {with_a(wish.role.name)}: {wish.role.about}.",
        f"Level {wish.level}, doctrine {wish.doctrine}: {_found(made)}.",
        f"Step {tried.step} of 0 to {made.steps - 1}, ratio of harm {tried.ratio:.2f}, seed {wish.seed}.",
        f"Manner: {made.manner}",
        f"Wants: {made.wants}",
        f"Play: {_play(made, file)}",
    )
    return "".join(f"# {line}\n" for line in head) + sheet_text(made.sheet, system.sheet)


def _record(made: Made, system: System, save: str | None) -> dict[str, Any]:
    wish, tried = made.wish, made.tried
    return {
        "v": data.VERSION,
        "action": "foe",
        "system": system.name,
        "role": wish.role.name,
        "name": made.sheet["name"],
        "count": wish.together,
        "against": [one.name for one in wish.party],
        "level": wish.level,
        "wanted": wish.share,
        "reached": made.reached,
        "wins": tried.wins._asdict(),
        "n": tried.fights,
        "doctrine": wish.doctrine,
        "ratio": round(tried.ratio, 4),
        "strength": tried.step,
        "strongest": made.steps - 1,
        "manner": made.manner,
        "wants": made.wants,
        "seed": wish.seed,
        **({"file": save} if save else {}),
        "sheet": made.sheet,
    }
