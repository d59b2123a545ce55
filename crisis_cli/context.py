"""What one run sits at: folders, dice, chooser, clock, terminal; tests put another in its place."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from copy import copy
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from . import __version__, systems
from .ai.choosing import chooser, policy
from .asking import Asking
from .dice.distribution import OddsTable
from .dice.option_odds import OptionOdds
from .dice.scripted import Mixed, Prompted, Scripted
from .dice.table import Alternative, Roll, Seeded, Table
from .engine.journal import Crisis
from .engine.perform import entry_dice
from .engine.scene import Fighter, Scene
from .engine.system import System
from .environment import Environment as Environment
from .environment import real_environment as real_environment
from .errors import CrisisError, FileTrouble, Interrupted, Refused, Usage
from .render.jsontext import dumped
from .render.style import Ink
from .sheets import journal_file as ledgers
from .sheets.files import expanded
from .sheets.find_fighters import Cast
from .sheets.journal_file import Ledger
from .sheets.store import Folder, Store, data_folder, shipped
from .systems import load

if TYPE_CHECKING:
    from .ai.doctrine_store import Shelf
    from .dice.distribution import Policy

JOURNAL = "crisis.jsonl"


class Session(NamedTuple):
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
About = Callable[[str, list[Roll]], list[str]]
"""What someone who is asked should know of what has been thrown so far."""


class Dice(NamedTuple):
    """How this command's dice are thrown, as its options say."""

    seed: int | None = None
    given: tuple[int, ...] | None = None
    real: bool = False
    mine: bool = False
    alone: bool = False
    """Whether nobody is asked to decide anything: the player's fighters play themselves too."""

    @property
    def plain(self) -> bool:
        """Whether nothing is said about where the faces come from."""
        return self.given is None and self.seed is None and not self.real and not self.mine


class Context:
    """One run's desk."""

    def __init__(
        self, world: Environment, *, characters: str = "", file: str = "", color: bool | None = None
    ):
        self.world = world
        self.characters = characters or world.env.get("CRISIS_CHARACTERS", "")
        self.file = file or world.env.get("CRISIS_FILE", "") or JOURNAL
        self.ink = Ink.fitting(world.env, world.out, world.terminal, color)
        self.warned: list[str] = []
        self.recorded = ""
        """What this command has recorded last: "entry 12"."""
        self.archive = ""
        """Where the journal is that this command has put away."""
        self.known: Ledger | None = None
        """The journal as it was when last read."""
        self.usual = Dice()
        """How dice are thrown where a command does not say."""
        self.odds: Any = None
        """Set while the odds of a command are asked for instead of its doing: what shows them."""
        self.odds_table = OddsTable()
        self.shelf: Shelf | None = None
        self.asking = Asking(self.ask, partial(self.say, aside=True))

    def cleared(self) -> Context:
        """The desk for the next command of the same player: what has been read and worked out stays."""
        context = Context(self.world, characters=self.characters, file=self.file)
        context.ink, context.known, context.usual, context.odds_table = (
            self.ink,
            self.known,
            self.usual,
            self.odds_table,
        )
        context.shelf = self.shelf
        return context

    def elsewhere(self, *, characters: str = "", file: str = "") -> Context:
        """The desk of one command that looks in another folder or journal; this one stays as it is."""
        context = copy(self)
        context.characters, context.file = characters or self.characters, file or self.file
        return context

    # What is printed

    def say(self, *lines: str, aside: bool = False) -> None:
        """Print lines, `aside` to whoever is asked something; at a terminal broken between words where too wide."""
        if self.world.terminal:
            lines = tuple(part for line in lines for part in self.ink.broken(line, self.world.width))
        text = "".join(self.ink.clean(line) + "\n" for line in lines)
        if aside:
            self.world.err.write(text)
            self.world.err.flush()
        else:
            self._print(text)

    def tell(self, record: dict[str, Any]) -> None:
        """Print a record as one line of JSON."""
        self._print(dumped(record) + "\n")

    def _print(self, text: str) -> None:
        """Print a text at once; FileTrouble where that fails after something was recorded, but for a closed pipe."""
        try:
            self.world.out.write(text)
            self.world.out.flush()
        except BrokenPipeError:
            raise
        except OSError as trouble:
            if not self.recorded:
                raise
            raise FileTrouble(
                f"{self.recorded} is recorded, but could not be shown: {trouble.strerror or trouble}",
                hint=f"nothing is lost; look at it: crisis log{f' --file {self.archive}' if self.archive else ''}",
                code="recorded",
            ) from trouble

    def warn(self, message: str) -> None:
        """Print a warning, once."""
        if message not in self.warned:
            self.warned.append(message)
            with suppress(OSError):
                self.world.err.write(f"warning: {self.ink.clean(message)}\n")

    # Sheets and the journal

    def store(self) -> Store:
        """The sheets in reach, nearest folder first."""
        here, folders = self.world.here, []
        if self.characters:
            path = here / expanded(self.characters)
            if not path.is_dir():
                raise FileTrouble(f"no folder is called {self.characters}", code="not_found")
            folders.append(Folder(path, self.characters))
        folders.append(Folder(here / "characters", "./characters"))
        folders.append(Folder(self.data_dir() / "characters", "your data folder"))
        folders.append(Folder(shipped(), "the shipped sheets", own=False))
        for package, inside in systems.folders():
            folders.append(Folder(Path(inside) / "characters", f"the sheets of {package}", own=False))
        return Store(tuple(folders), here)

    def doctrines(self) -> Shelf:
        """The doctrines in reach, nearest folder first."""
        if self.shelf is None:
            from .ai.doctrine_store import Shelf

            here, folders = self.world.here, []
            named = self.world.env.get("CRISIS_DOCTRINES", "")
            if named:
                path = here / expanded(named)
                if not path.is_dir():
                    raise FileTrouble(f"no folder is called {named}", code="not_found")
                folders.append(Folder(path, named))
            folders.append(Folder(here / "doctrines", "./doctrines"))
            folders.append(Folder(self.data_dir() / "doctrines", "your data folder"))
            self.shelf = Shelf(tuple(folders), here)
        return self.shelf

    def data_dir(self) -> Path:
        """The user's data directory."""
        return data_folder(self.world.env)

    @property
    def journal(self) -> Path:
        """Where the open crisis is written."""
        return self.world.here / expanded(self.file)

    def open_or_ended(self) -> Ledger:
        """The crisis as its journal tells it, open or ended; Refused where there is none."""
        found = self._journal()
        if found is None or (found.crisis.scene.over and not found.archived and self._finished(found)):
            raise self._none_open()
        return found

    def ledger(self) -> Ledger | None:
        """The open crisis; None where there is none. Refused where the journal is that of one that has ended.

        An end that was interrupted is finished first, and reported.
        """
        found = self._journal()
        if found is None or not found.crisis.scene.over:
            return found
        if found.archived:
            raise Refused(
                f"the crisis in {self.file} has ended",
                hint="look at it: crisis log, status, map, explain, replay or verify; "
                "open another: crisis init WHO… --vs WHO… --open",
                code="ended",
            )
        self._finish(found)
        return None

    def open_ledger(self) -> Ledger:
        """The open crisis; Refused where there is none."""
        found = self.ledger()
        if found is None:
            raise self._none_open()
        return found

    def _journal(self) -> Ledger | None:
        """What stands in the journal; None where there is none."""
        try:
            there = self.journal.exists()
        except OSError as trouble:
            raise FileTrouble(
                f"{self.file} cannot be read: {trouble.strerror}", code="unreadable"
            ) from trouble
        if not there:
            return None
        found = self.known = ledgers.read(self.journal, self.file, self.known)
        if found.torn.strip():
            self.warn(
                f"the last line of {self.file} was cut short ({len(found.torn)} bytes); "
                f"the next action moves it to {self.file}.torn"
            )
        return found

    def glimpse(self, file: str = "", largest: int = ledgers.LARGEST) -> Crisis | None:
        """The open crisis, read without a word; None where there is none, or none that can be read.

        `file` is another journal than the desk's own; one of more than `largest` bytes is not read.
        """
        path = self.world.here / expanded(file or self.file)
        try:
            if not path.is_file() or path.stat().st_size > largest:
                return None
            self.known = ledgers.read(path, file or self.file, self.known)
        except (CrisisError, OSError):
            return None
        crisis = self.known.crisis
        return None if crisis.scene.over else crisis

    def _finished(self, ledger: Ledger) -> bool:
        """Whether an end that was interrupted could be finished; a warning where it could not."""
        try:
            self._finish(ledger)
        except FileTrouble as trouble:
            self.warn(f"the end of the crisis in {self.file} is still to be finished: {trouble.message}")
            return False
        return True

    def _finish(self, ledger: Ledger) -> None:
        """Finish an end that was interrupted, and say so."""
        from .sheets.save_sheets import finish

        written, archive = finish(self.store(), self.warn, ledger)
        if archive is not None:
            sheets = f"; sheets written: {', '.join(written)}" if written else ""
            self.warn(
                f"the end of the crisis in {self.file} was interrupted, and is finished now"
                f"{sheets}; its journal is {archive.name}"
            )

    def _none_open(self) -> Refused:
        return Refused(
            f"no crisis is open here ({self.file})",
            hint="open one: crisis init WHO… --vs WHO… --open",
            code="no_crisis",
        )

    def sit(self, *groups: Iterable[str], decide_sides: bool = False) -> Session:
        """The open crisis, or a one-off scene of the sheets named."""
        found = self.ledger()
        if found is not None:
            return Session(load(found.crisis.scene.system), found.crisis.scene, found, self.store())
        system, fighters = self.gather(*groups, decide_sides=decide_sides)
        return Session(system, Scene(system.name, {one.name: one for one in fighters}), store=self.store())

    def gather(
        self, *groups: Iterable[str], decide_sides: bool = False, taken: Collection[str] = ()
    ) -> tuple[System, list[Fighter]]:
        """The fighters of the sheets named; with `decide_sides` the first group are players, the rest opponents."""
        return Cast(self.store()).gather(groups, decide_sides, taken)

    # Dice and people

    def table(
        self,
        dice: Dice,
        session: Session,
        react: str | None = None,
        told: Iterable[int | str] = (),
        about: About | None = None,
    ) -> tuple[Table, int | None, Finish]:
        """The table for one action, the seed in use, and what to call when it is done."""
        mine = {name for name, one in session.scene.fighters.items() if one.player}
        tells = Prompted(self.asking.faces, told, self.asking.not_so)

        def asks(
            who: str, options: tuple[Alternative, ...], told: tuple[OptionOdds | None, ...]
        ) -> Alternative:
            return tells.decide(
                options,
                lambda: self.asking.choice(who, options, told, about(who, table.throws) if about else []),
            )

        if react == "ask":
            self.need_player("--react ask")
        fighters = session.scene.fighters
        habit = (lambda who: self.habit(fighters[who])) if session.scene.open else None
        asked = (lambda who: False) if dice.alone else mine.__contains__
        choose = chooser(react, self.odds_table, asked, asks if self.world.interactive else None, habit)
        if dice.given is not None:
            given = Scripted(dice.given)
            table = Table(given, choose)
            return table, session.crisis.seed if session.crisis else None, given.finish
        seed, numbers = dice.seed, (0, 0)
        if session.crisis:
            seed = session.crisis.seed if seed is None else seed
            numbers = (len(session.crisis.done), session.crisis.fresh)
        assert seed is not None
        finish: Finish = lambda: None  # noqa: E731 (it has a name and a type)
        thrown: Any = Seeded(entry_dice(seed, *numbers).random)
        if dice.real or dice.mine:
            self.need_player("--real-dice" if dice.real else "--mine")
            finish = tells.finish
            thrown = tells if dice.real else Mixed(tells, thrown, mine.__contains__)
        table = Table(thrown, choose)
        return table, seed, finish

    def thrown(self, dice: Dice, session: Session) -> Dice:
        """How dice are thrown, all said: as usual here; in a one-off by one seed, whatever answer is taken back."""
        if dice.plain:
            dice = dice._replace(real=self.usual.real, mine=self.usual.mine)
        if session.crisis or dice.given is not None or dice.seed is not None:
            return dice
        return dice._replace(seed=self.world.fresh_seed())

    def decisions(self, session: Session, react: str | None = None) -> Policy:
        """How exact odds take it that everyone decides: as they would, were it done."""
        fighters = session.scene.fighters

        def habit(who: str) -> str:
            return "" if fighters[who].player else self.habit(fighters[who])

        return policy(react, self.world.interactive, habit if session.ledger is not None else None)

    def habit(self, one: Fighter) -> str:
        """How a fighter answers attacks when it plays itself: "none", "best" or "always"."""
        from .ai.doctrine import followed

        return followed(one, self.doctrines().named).react

    def need_player(self, option: str) -> None:
        """Usage where there is nobody to ask."""
        if not self.world.interactive:
            raise Usage(
                f"{option} asks the player, and there is no terminal to ask at",
                hint="say it in the command: --dice 4,5,1, --react best",
            )

    def ask(self, prompt: str, answers: Iterable[str] = ()) -> str:
        """One line from the player; Interrupted where the player would rather not."""
        try:
            with self.world.signals.answered():
                return self.world.ask(self.ink.clean(prompt), *((answers,) if self.world.prompt else ()))
        except EOFError as ended:
            raise Interrupted("stopped", hint="nothing was changed") from ended

    @property
    def program(self) -> str:
        """The program's version."""
        return __version__
