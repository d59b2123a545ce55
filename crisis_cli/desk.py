"""What one run sits at: folders, dice, chooser, clock, terminal; tests put another in its place."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import IO, Any, NamedTuple

from . import __version__
from .asking import Asking
from .errors import FileTrouble, Interrupted, Refused, Usage
from .minds.choosing import chooser
from .play.journal import Crisis
from .play.scene import Fighter, Scene
from .sheets import ledger as ledgers
from .sheets.cast import Cast
from .sheets.ledger import Ledger
from .sheets.store import Folder, Store
from .show.ink import Ink, width
from .show.jsontext import dumped
from .systems import load
from .systems.system import System
from .table.dice import Seeded, Table, generator
from .table.given import Given, Mixed, Told
from .table.odds import Laws

JOURNAL = "crisis.jsonl"


class World(NamedTuple):
    """Everything outside the program that it looks at."""

    here: Path
    env: Mapping[str, str]
    out: IO[str]
    err: IO[str]
    ask: Callable[[str], str]
    """One line from the player; EOFError where there is none."""
    interactive: bool
    """Whether there is a player at a terminal to ask."""
    terminal: bool
    """Whether what is printed goes to a terminal."""
    width: int
    clock: Callable[[], str]
    """Now, as `2026-11-20T19:07:02Z`."""
    fresh_seed: Callable[[], int]
    reading: Iterable[str] | None = None
    """What is piped in; None at a terminal."""


def real_world() -> World:
    """The world as it is."""
    import time

    return World(
        Path.cwd(),
        os.environ,
        sys.stdout,
        sys.stderr,
        input,
        sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty(),
        sys.stdout.isatty(),
        width(os.environ, sys.stdout.isatty()),
        lambda: time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        lambda: int.from_bytes(os.urandom(4), "big") >> 1,
        None if sys.stdin is None or sys.stdin.isatty() else sys.stdin,
    )


class Sitting(NamedTuple):
    """What one command works on: an open crisis, or a one-off scene from sheets."""

    system: System
    scene: Scene
    ledger: Ledger | None = None
    store: Store | None = None
    """Where the sheets are, for whoever looks for something that is not on these."""

    @property
    def crisis(self) -> Crisis | None:
        """The open crisis, if there is one."""
        return self.ledger.crisis if self.ledger else None


Finish = Callable[[], None]


class Dice(NamedTuple):
    """How this command's dice are thrown, as its options say."""

    seed: int | None = None
    given: tuple[int, ...] | None = None
    real: bool = False
    mine: bool = False


class Desk:
    """One run's desk."""

    def __init__(self, world: World, *, characters: str = "", file: str = "", color: bool | None = None):
        self.world = world
        self.characters = characters or world.env.get("CRISIS_CHARACTERS", "")
        self.file = file or world.env.get("CRISIS_FILE", "") or JOURNAL
        self.ink = Ink.fitting(world.env, world.out, world.terminal, color)
        self.warned: list[str] = []
        self.odds: Any = None
        """Set while the odds of a command are asked for instead of its doing: what shows them."""
        self.laws = Laws()
        self.asking = Asking(self.ask, world.err.write)

    # What is printed

    def say(self, *lines: str) -> None:
        """Print lines."""
        self.world.out.write("".join(self.ink.clean(line) + "\n" for line in lines))
        self.world.out.flush()

    def tell(self, record: dict[str, Any]) -> None:
        """Print a record as one line of JSON."""
        self.world.out.write(dumped(record) + "\n")
        self.world.out.flush()

    def warn(self, message: str) -> None:
        """Print a warning, once."""
        if message not in self.warned:
            self.warned.append(message)
            self.world.err.write(f"warning: {self.ink.clean(message)}\n")

    # Sheets and the journal

    def store(self) -> Store:
        """The sheets in reach, nearest folder first."""
        here, folders = self.world.here, []
        if self.characters:
            path = here / Path(self.characters).expanduser()
            if not path.is_dir():
                raise FileTrouble(f"there is no folder {self.characters}", code="not_found")
            folders.append(Folder(path, self.characters))
        folders.append(Folder(here / "characters", "./characters"))
        folders.append(Folder(self.data_dir() / "characters", "your data folder"))
        folders.append(Folder(shipped(), "the shipped sheets", own=False))
        return Store(tuple(folders), here)

    def data_dir(self) -> Path:
        """The user's data directory."""
        if self.world.env.get("CRISIS_DATA"):
            return Path(self.world.env["CRISIS_DATA"])
        from platformdirs import user_data_path

        return Path(user_data_path("crisis", appauthor=False))

    @property
    def journal(self) -> Path:
        """Where the open crisis is written."""
        return self.world.here / Path(self.file).expanduser()

    def ledger(self) -> Ledger | None:
        """The open crisis; None where there is none. One that has ended is put away first."""
        try:
            there = self.journal.exists()
        except OSError as trouble:
            raise FileTrouble(
                f"{self.file} cannot be read: {trouble.strerror}", code="unreadable"
            ) from trouble
        if not there:
            return None
        found = ledgers.read(self.journal, self.file)
        if found.torn:
            self.warn(
                f"the last line of {self.file} was cut short ({len(found.torn)} bytes); "
                f"the next action moves it to {self.file}.torn"
            )
        if found.crisis.scene.over:
            from .sheets.ending import finish

            finish(self.store(), self.warn, found)
            return None
        return found

    def open_ledger(self) -> Ledger:
        """The open crisis; Refused where there is none."""
        found = self.ledger()
        if found is None:
            raise Refused(
                f"no crisis is open here ({self.file})",
                hint="open one: crisis init WHO… --vs WHO… --open",
                code="no_crisis",
            )
        return found

    def sit(self, *groups: Iterable[str], decide_sides: bool = False) -> Sitting:
        """The open crisis, or a one-off scene of the sheets named."""
        found = self.ledger()
        if found is not None:
            return Sitting(load(found.crisis.scene.system), found.crisis.scene, found, self.store())
        system, fighters = self.gather(*groups, decide_sides=decide_sides)
        return Sitting(system, Scene(system.NAME, {one.name: one for one in fighters}), store=self.store())

    def gather(
        self, *groups: Iterable[str], decide_sides: bool = False, taken: Iterable[str] = ()
    ) -> tuple[System, list[Fighter]]:
        """The fighters of the sheets named; with `decide_sides` the first group are players, the rest opponents."""
        return Cast(self.store()).gather(groups, decide_sides, taken)

    # Dice and people

    def table(
        self, dice: Dice, sitting: Sitting, react: str | None = None, told: Iterable[int] = ()
    ) -> tuple[Table, int | None, Finish]:
        """The table for one action, the seed in use, and what to call when it is done."""
        mine = {name for name, one in sitting.scene.fighters.items() if one.player}
        asks = self.asking.choice if self.world.interactive else None
        if react == "ask":
            self.need_player("--react ask")
        choose = chooser(react, self.laws, mine.__contains__, asks, sitting.ledger is not None)
        if dice.given is not None:
            given = Given(dice.given)
            return Table(given, choose), sitting.crisis.seed if sitting.crisis else None, given.finish
        seed, numbers = dice.seed, (0, 0)
        if sitting.crisis:
            seed = sitting.crisis.seed if seed is None else seed
            numbers = (len(sitting.crisis.done), sitting.crisis.fresh)
        if seed is None:
            seed = self.world.fresh_seed()
        finish: Finish = lambda: None  # noqa: E731 (it has a name and a type)
        thrown: Any = Seeded(generator(seed, *numbers).random)
        if dice.real or dice.mine:
            self.need_player("--real-dice" if dice.real else "--mine")
            tells = Told(self.asking.faces, told)
            finish = tells.finish
            thrown = tells if dice.real else Mixed(tells, thrown, mine.__contains__)
        return Table(thrown, choose), seed, finish

    def need_player(self, option: str) -> None:
        """Usage where there is nobody to ask."""
        if not self.world.interactive:
            raise Usage(
                f"{option} asks the player, and there is no terminal to ask at",
                hint="say it in the command: --dice 4,5,1, --react best",
            )

    def ask(self, prompt: str) -> str:
        """One line from the player; Interrupted where the player would rather not."""
        try:
            return self.world.ask(self.ink.clean(prompt))
        except EOFError as ended:
            raise Interrupted("stopped", hint="nothing was changed") from ended

    @property
    def program(self) -> str:
        """The program's version."""
        return __version__


def shipped() -> Path:
    """The folder of the sheets that come with the package."""
    inside = Path(__file__).parent / "characters"
    return inside if inside.is_dir() else Path(__file__).parent.parent / "characters"
