"""Foes made to measure: sheets so strong that the players win a wanted share of the fights."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from .. import systems
from ..ai.balance import Balance
from ..dice.generator import Seeded, generator
from ..dice.table import Table
from ..engine.encounter import PLAYERS
from ..engine.scene import Fighter, Scene, slug
from ..engine.starting import starting_fighter
from ..engine.system import System
from ..engine.wording import with_a
from ..errors import FileError, Refused, Usage
from ..random_tables.draw import draw
from ..render import data
from ..sheets import foes
from ..sheets.check import faults_of, require_usable_name
from ..sheets.fighters import numbered
from ..sheets.files import create, exists, path_from, require_folder
from ..sheets.new_sheet import sheet_text
from ..sheets.store import COPIES, Store
from ..simulation.block import PLAIN, Fighting, Terms
from ..simulation.fair import BLOCK, Search, Tried
from ..simulation.fight import FightLimits, FightStart
from ..values import NamedTuple
from .desk import Desk
from .opening import Opening, init_intent
from .placing import deployed
from .said import path_of
from .session import Session

if TYPE_CHECKING:
    from ..sheets.foes import RawSheet, Role
    from ..simulation.tally import Share

USUAL_LEVEL, USUAL_FIGHTS = 3, 400
"""How hard a foe is, and how many fights confirm it, where nobody says."""
MOST_TOGETHER = 8
"""Most foes that fight together where nobody says how many."""
MOST_NAMES = 100
"""Most names that are drawn to find one that no sheet has."""
ELSEWHERE = "use another folder (--save)"
"""The hint where a sheet cannot be written."""
NEAR = 0.03
"""How far the share of fights that the players win may be from the wanted one without a remark."""
NAMES, MANNERS, WANTS = "names", "manners", "wants"
"""The random tables that a foe is described by."""


class FoeWish(NamedTuple):
    """A foe as it is asked for, in words."""

    role: str = ""
    """Empty: the dice choose."""
    against: tuple[str, ...] = ()
    """The sheets of those that it is for."""
    system: str = ""
    """Empty: that of those that it is for."""
    level: int = USUAL_LEVEL
    together: int | None = None
    """How many of it fight together; None: as its role says, or as many as the level takes."""
    name: str | None = None
    """None: one is drawn."""
    doctrine: str = PLAIN
    """`plain`, or `own`: how all decide in the fights that confirm it."""
    fights: int = USUAL_FIGHTS
    seed: int | None = None


class Foe(NamedTuple):
    """A foe that was found: its sheet, and what is said about it."""

    wish: FoeWish
    system: System
    role: Role
    party: tuple[Fighter, ...]
    """Those that it is for."""
    together: int
    """How many of it fight together."""
    seed: int
    sheet: RawSheet
    tried: Tried
    """Its step, and the fights that confirm it."""
    steps: int
    manner: str
    wants: str
    store: Store
    """The sheets in reach."""

    @property
    def share(self) -> float:
        """The share of fights that the players shall win."""
        return foes.LEVELS[self.wish.level]

    @property
    def is_confirmed(self) -> bool:
        """Whether the fights confirm the level."""
        return self.tried.confirms(self.share)

    @property
    def is_near(self) -> bool:
        """Whether the fights confirm the level, or the players win nearly the wanted share of them."""
        return not self.way and (self.is_confirmed or abs(self.tried.wins.p - self.share) <= NEAR)

    @property
    def way(self) -> int:
        """1 where even the strongest of the role are too weak for the level, -1 where even the weakest are too strong,
        else 0."""
        wins, step = self.tried.wins, self.tried.step
        return (wins.low > self.share and step == self.steps - 1) - (wins.high < self.share and step == 0)

    @property
    def found(self) -> str:
        """How often the players win, in a few words, and how far that is from the wanted share where it matters."""
        off, wanted = self.tried.wins.p - self.share, f"{100 * self.share:.0f} %"
        points = f"{100 * abs(off):.1f} points {'above' if off > 0 else 'below'}"
        if self.is_confirmed:
            return f"{self.wins}, {points} the wanted {wanted}" if abs(off) > NEAR else self.wins
        return f"no step of {self.role.name} gives {wanted}; the nearest: {self.wins}, {points}"

    @property
    def remark(self) -> str:
        """That the foe is not near the level, and what to try; empty where it is."""
        if self.is_near:
            return ""
        near = f"comes near level {self.wish.level} ({100 * self.share:.0f} %)"
        return f"no {self.role.name} {near}: try another role" if self.wish.role else f"no role {near}"

    @property
    def wins(self) -> str:
        """The share of fights that the players win, in words."""
        wins, against = self.tried.wins, numbered(one.name for one in self.party)
        many = f" against {self.together} of them" if self.together > 1 else ""
        places = _places(wins, self.share)
        return (
            f"{against} win{'s' * (len(self.party) == 1)} {100 * wins.p:.1f} %"
            f" ({100 * wins.low:.{places}f}–{100 * wins.high:.{places}f}) of {self.tried.fights} fights{many}"
        )

    def play(self, file: str) -> str:
        """The line that plays against the foe, whose sheet is in a file."""
        who = " ".join(slug(one.name) for one in self.party)
        return f"crisis play {who} --vs {file}" + (f":{self.together}" if self.together > 1 else "")

    def text(self, file: str) -> str:
        """The sheet as it is written to a file, with comments that say where it comes from."""
        wish, tried, role = self.wish, self.tried, self.role
        head = (
            f"{self.sheet['name']}, {with_a(role.name)}: {role.about}.",
            f"Level {wish.level}, doctrine {wish.doctrine}: {self.found}.",
            f"Step {tried.step} of 0 to {self.steps - 1}, ratio of harm {tried.ratio:.2f}, seed {self.seed}.",
            f"Manner: {self.manner}",
            f"Wants: {self.wants}",
            f"Play: {self.play(file)}",
        )
        return "".join(f"# {line}\n" for line in head) + sheet_text(self.sheet, self.system.sheet)

    def __repr__(self) -> str:
        return f"<Foe {self.sheet['name']}, {with_a(self.role.name)}: {self.found}>"

    def save(self, file: str) -> str:
        """Write the sheet to a new file; its name. Usage for a file that does not end in .toml, FileError where there
        is one of that name."""
        path = new_file(self.store, path_of(file))
        create(path, self.text(file), file, "sheets", ELSEWHERE, self.store.allowed_folder(path))
        return file

    def to_dict(self, file: str = "") -> dict[str, Any]:
        """The foe as `crisis foe --json` prints it, with the file that its sheet was written to."""
        return {
            "v": data.VERSION,
            "action": "foe",
            "system": self.system.name,
            "role": self.role.name,
            "name": self.sheet["name"],
            "count": self.together,
            "against": [one.name for one in self.party],
            "level": self.wish.level,
            "wanted": self.share,
            "reached": self.is_confirmed,
            "wins": self.tried.wins._asdict(),
            "n": self.tried.fights,
            "doctrine": self.wish.doctrine,
            "ratio": round(self.tried.ratio, 4),
            "strength": self.tried.step,
            "strongest": self.steps - 1,
            "manner": self.manner,
            "wants": self.wants,
            "seed": self.seed,
            **({"file": file} if file else {}),
            "sheet": self.sheet,
        }


def new_file(store: Store, file: str) -> str:
    """The path of a new sheet; Usage where no sheet could be there, FileError where there is a file, or no folder: only
    a folder in which sheets are looked for is made."""
    path = path_from(store.working_folder, file)
    if os.path.splitext(path)[1] != ".toml":
        raise Usage(f"--save takes a file that ends in .toml, not {file!r}", code="bad_value")
    if exists(path):
        raise FileError(f"{file} exists already", hint="name a new file", code="exists")
    folder = os.path.normpath(os.path.dirname(path))
    if not exists(folder) and folder not in {os.path.normpath(one.path) for one in store.folders}:
        require_folder(path, file, ELSEWHERE)
    return path


def _places(wins: Share, wanted: float) -> int:
    """How many decimals the bounds of an interval need, so that it shows a wanted share that is not within it as
    outside it."""
    nearest = wins.high if wins.high < wanted else wins.low
    is_within = wins.low <= wanted <= wins.high
    return next(
        (few for few in (1, 2, 3) if is_within or f"{nearest:.{few + 2}f}" != f"{wanted:.{few + 2}f}"), 4
    )


def make(desk: Desk, wish: FoeWish, progress: Callable[[int], None] = lambda done: None) -> Foe:
    """The foe that is wished for: with the strength that fights confirm, or the nearest one, and as many together as
    the level takes where nobody says how many. Where nobody says the role and one is not near the level, the next is
    tried.

    `progress` is called with how many fights have been fought against one strength. Usage where it is against nobody;
    Refused where nobody of those can fight, or no foe of the role is near the level.
    """
    system, party = _party(desk, wish)
    seed = desk.world.fresh_seed() if wish.seed is None else wish.seed
    random, roles = generator(seed).random, foes.foes_of(system)
    names = list(roles.roles)
    first = names.index(roles.role(wish.role).name) if wish.role else int(random() * len(names))
    name = _unused_name(desk, party, random) if wish.name is None else wish.name
    require_usable_name(name)
    manner, wants = _drawn(desk, MANNERS, random), _drawn(desk, WANTS, random)
    ratios = dict(zip(foes.LEVELS.values(), roles.ratios, strict=True))
    balance, store = Balance(system), desk.shelves.sheets()

    def fitting(role: Role, sheets: Sequence[RawSheet], together: int) -> Foe:
        """The foe of a role of which so many fight together, at the step that fights confirm, or the nearest one."""

        @cache
        def fighters(step: int) -> tuple[Fighter, ...]:
            values = faults_of(system, sheets[step])[0]
            each = [f"{name} {number}" for number in range(1, together + 1)] if together > 1 else [name]
            return tuple(
                starting_fighter(system, values, name=one, side="opponents", player=False) for one in each
            )

        @cache
        def fighting(step: int) -> Fighting:
            start = _start(system, (*party, *fighters(step)))
            return Fighting(Terms(start, wish.doctrine, FightLimits(), seed, desk.shelves.doctrines().named))

        def won(step: int, block: int, many: int) -> int:
            counts = fighting(step).block((block, many), tick=lambda done: progress(block * BLOCK + done))
            return counts.get(("wins", PLAYERS), 0)

        def ratio(step: int) -> float:
            return balance.ratio(party, fighters(step))

        tried = Search(len(sheets), ratio, won, ratios, wish.fights).find(foes.LEVELS[wish.level])
        sheet = sheets[tried.step]
        return Foe(wish, system, role, party, together, seed, sheet, tried, len(sheets), manner, wants, store)

    def of_role(role: Role) -> Foe:
        """The foe of a role, with as many together as the level takes where nobody says how many."""
        sheets = [foes.named(system, sheet, name) for sheet in foes.steps_of(system, roles, role)]
        foe = fitting(role, sheets, wish.together or role.together)
        untried = set() if wish.together else {*range(1, MOST_TOGETHER + 1)} - {foe.together}
        while foe.way and foe.together + foe.way in untried:
            foe = fitting(role, sheets, foe.together + foe.way)
            untried.remove(foe.together)
        return foe

    made: list[Foe] = []
    for role in (names[first:] + names[:first])[: 1 if wish.role else None]:
        made.append(of_role(roles.role(role)))
        if made[-1].is_near:
            return made[-1]
    nearest = min(made, key=lambda foe: (bool(foe.way), abs(foe.tried.wins.p - foe.share)))
    if nearest.way:
        raise _out_of_reach(nearest)
    return nearest


def _party(desk: Desk, wish: FoeWish) -> tuple[System, tuple[Fighter, ...]]:
    """The system and the fighters that the foe is for; Usage where there are none, Refused where none can fight."""
    if wish.system:
        systems.load(wish.system)
    if not wish.against:
        raise Usage(
            "missing option: --against WHO",
            hint="crisis foe --against WHO…; in a campaign the default is its party; the sheets: crisis character list",
            code="missing_argument",
        )
    system, party = desk.gather(wish.against, decide_sides=True)
    if wish.system and wish.system != system.name:
        raise Refused(
            f"{party[0].name} is {with_a(system.name)} sheet, not one of {wish.system}",
            hint="a foe has the system of those it is for",
            code="other_system",
        )
    able = tuple(one for one in party if not system.fallen(one))
    if not able:
        raise Refused(
            f"{numbered(one.name for one in party)} cannot fight",
            hint=f"to start afresh: crisis character reset {slug(party[0].name)}",
            code="nobody_can_act",
        )
    return system, able


def _drawn(desk: Desk, table: str, random: Callable[[], float]) -> str:
    """The text of a row of a random table."""
    return draw(Table(Seeded(random)), desk.shelves.tables().with_references(table), table)[0].text


def _unused_name(desk: Desk, party: tuple[Fighter, ...], random: Callable[[], float]) -> str:
    """A name from the random table, one that no sheet in reach has if it can be."""
    taken = desk.shelves.sheets().names() | {one.name.casefold() for one in party}
    for _ in range(MOST_NAMES):
        name = _drawn(desk, NAMES, random)
        if name.casefold() not in taken:
            break
    return name


def _start(system: System, fighters: tuple[Fighter, ...]) -> FightStart:
    """How each fight begins: the sides apart as in `crisis play`, with the roll for the turn order."""
    scene = Scene(system.name, {one.name: one for one in fighters}, open=True)
    session = Session(system, deployed(scene, system.space, None))
    return FightStart(system, session.scene, init_intent(session, [*scene.fighters], Opening()))


def _out_of_reach(foe: Foe) -> Refused:
    """The refusal where no foe of the role is near the level, with what would be."""
    wish, wins, way = foe.wish, foe.tried.wins, foe.way
    end, said = ("strongest", "easy") if way > 0 else ("weakest", "hard")
    near = [level for level, share in foes.LEVELS.items() if wins.low <= share <= wins.high]
    levels = near or [level for level, share in foes.LEVELS.items() if (share - wins.p) * way > 0]
    ways = [f"--count {foe.together + way}"] if 1 <= foe.together + way <= COPIES else []
    ways += [f"--level {min(levels, key=lambda level: abs(level - wish.level))}"] if levels else []
    hints = (" or ".join(ways), "another role" if wish.role else "")
    return Refused(
        f"even the {end} {foe.role.name} is too {said} for level {wish.level}"
        f" ({100 * foe.share:.0f} %): {foe.wins}",
        hint=f"try {', or '.join(filter(None, hints))}" if any(hints) else "",
        code="no_such_foe",
    )
