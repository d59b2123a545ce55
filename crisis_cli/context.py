"""What one run of a command works with: environment, sheets, journal, dice, output and the player."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from . import __version__, systems
from .environment import Environment as Environment
from .environment import real_environment as real_environment
from .errors import CrisisError, FileError, Interrupted, Refused, Usage, why
from .questions import Questions
from .render.jsontext import dumped, warning_line
from .render.style import Ink
from .sheets.files import UNCHANGED, exists, path_from, sibling
from .sheets.store import CAMPAIGN, Folder, Store, campaign_above, data_folder, shipped
from .values import NamedTuple

# What only some commands need is imported where it is used, so that help and errors come at once.
if TYPE_CHECKING:
    from .ai.doctrine import Doctrine
    from .ai.doctrine_store import DoctrineStore
    from .dice.distribution import OddsTable, Policy
    from .dice.table import Alternative, Chooser, Decided, Roll, Table
    from .dice.table import Dice as DiceSource
    from .engine.journal import Crisis
    from .engine.scene import Fighter, Intent, Scene
    from .engine.system import System
    from .sheets.campaign import Campaign, CampaignFile
    from .sheets.encounter_store import EncounterStore
    from .sheets.journal_file import Journal
    from .sheets.save_sheets import Finished
    from .sheets.story_file import Story
    from .sheets.table_store import TableStore

JOURNAL = "crisis.jsonl"
QUICK = 8_000_000
"""Most bytes of a journal read for completion: more takes too long for a key press."""
NO_CAMPAIGN = "-"
"""The value of --campaign for none."""


class Session(NamedTuple):
    """The crisis a command works on: the open one, or a one-off scene made from sheets (then `journal` is None)."""

    system: System
    scene: Scene
    journal: Journal | None = None
    store: Store | None = None
    """The sheets in reach, to look up a name that no fighter here has."""

    @property
    def crisis(self) -> Crisis | None:
        """The open crisis, if there is one."""
        return self.journal.crisis if self.journal else None


FinishDice = Callable[[], None]


DescribeRolls = Callable[[str, "Table", int], "list[str]"]
"""Describes the rolls made so far to the player who has to decide: `(fighter, rolls, most) -> lines`, at most so many
unless that is 0.
"""


class DiceOptions(NamedTuple):
    """Where the dice of one command come from, as its options say."""

    seed: int | None = None
    results: tuple[int, ...] | None = None
    real: bool = False
    mine: bool = False
    is_automatic: bool = False
    """Whether the player is asked nothing: the program decides for the player's fighters too."""
    choices: tuple[str, ...] = ()
    """The answers to the questions of the action, in order; those without one are decided as if nobody were asked."""

    @property
    def is_default(self) -> bool:
        """Whether no option says where the results come from."""
        return self.results is None and self.seed is None and not self.real and not self.mine


Choosing = Callable[["Chooser", "str | None", Callable[[], "list[Roll]"]], "Chooser"]
"""Takes the chooser that would decide, --react, and what gives the rolls so far; gives the chooser that decides."""
IntentHandler = Callable[["Context", Session, "Intent", Mapping[str, Any]], None]
"""Handles the intent of a command, given its context, session and options."""


class Ranking(NamedTuple):
    """A ranking of what a fighter can do, as it was shown."""

    who: str = ""
    lines: tuple[Intent, ...] = ()
    """What each of its numbered lines does."""


class Context:
    """What one run of a command works with; tests hand in an environment of their own."""

    def __init__(
        self,
        environment: Environment,
        *,
        characters: str = "",
        file: str = "",
        campaign: str = "",
        color: bool | None = None,
    ):
        self.environment = environment
        self.encounters_folder = ""
        """The folder in which encounters are looked for first; empty for that of the environment."""
        self.characters = characters or environment.env.get("CRISIS_CHARACTERS", "")
        self.own_file = file or environment.env.get("CRISIS_FILE", "")
        """The journal that --file or the environment names; empty: that of the campaign, or of this folder."""
        self.campaign_name = campaign or environment.env.get("CRISIS_CAMPAIGN", "")
        self.campaign_folder = self._find_campaign()
        """The folder of the campaign in use; None without one."""
        self.file = self.own_file or self._shown_in_campaign(JOURNAL)
        self.ink = Ink.fitting(environment.env, environment.out, environment.is_terminal, color)
        self.warned: list[str] = []
        self.overrides: tuple[str, ...] = ()
        """Sheet values for this one command, as --set gives them."""
        self.wants_json = False
        """Whether the command was given --json."""
        self._last_recorded = [""]
        """Shared with the copies that use other paths."""
        self.archive_name = ""
        """The name of the journal that this command archived; empty if none."""
        self.cached_story: Story | None = None
        """The story of the campaign as last read."""
        self.holds_story = False
        """Whether this run holds the lock of the story."""
        self.cached_journal: Journal | None = None
        """The journal as last read, so that only new lines are read again."""
        self.default_dice = DiceOptions()
        """Where dice come from if a command does not say."""
        self.intent_handler: IntentHandler | None = None
        """Called with the intent of a command in place of performing it (`odds`, previews); None: perform it."""
        self.has_program = False
        """Whether a program answers questions about dice in place of a player at a terminal."""
        self.choosing: Choosing | None = None
        """Makes the choices in the middle of actions; None: doctrines and the player do."""
        self.cached_odds: OddsTable | None = None
        """Exact odds as last worked out; None before any were asked for."""
        self.doctrine_store: DoctrineStore | None = None
        self.unasked: set[tuple[int, str]] = set()
        """(round, fighter) pairs for which the player wants no more questions about responses."""
        self.typed_ahead: list[str] = []
        """Lines for the prompt that were typed where a list asks whether it goes on."""
        self.ranking = Ranking()
        """The ranking shown last."""
        self.questions = Questions(self.ask, partial(self.say, to_stderr=True), self.roll_die)

    @property
    def last_recorded(self) -> str:
        """What this command wrote last, for error messages: "entry 12"; empty if nothing."""
        return self._last_recorded[0]

    @last_recorded.setter
    def last_recorded(self, what: str) -> None:
        self._last_recorded[0] = what

    def for_next_command(self) -> Context:
        """A context for the next command at the same prompt; keeps the cached journal, odds and doctrines."""
        context = Context(
            self.environment, characters=self.characters, file=self.own_file, campaign=self.campaign_name
        )
        context.ink, context.cached_journal, context.default_dice = (
            self.ink,
            self.cached_journal,
            self.default_dice,
        )
        # One for all commands, so that none works out again what another has.
        context.cached_odds = self.odds_table
        context.doctrine_store, context.unasked = self.doctrine_store, self.unasked
        context.cached_story = self.cached_story
        context.typed_ahead = self.typed_ahead
        context.ranking = self.ranking
        return context

    def with_paths(
        self, *, characters: str = "", file: str = "", campaign: str = "", encounters: str = ""
    ) -> Context:
        """A copy that uses another folder of sheets or encounters, another journal or campaign; an empty value keeps
        this one's."""
        from copy import copy

        context = copy(self)
        context.characters, context.own_file = characters or self.characters, file or self.own_file
        context.encounters_folder = encounters or self.encounters_folder
        if campaign:
            context.campaign_name, context.doctrine_store, context.cached_story = campaign, None, None
            context.campaign_folder = context._find_campaign()
        context.file = context.own_file or context._shown_in_campaign(JOURNAL)
        return context

    def with_color(self, color: bool) -> Context:
        """A copy that prints with colour, or without any."""
        from copy import copy

        context = copy(self)
        context.ink = Ink(color, self.ink.encoding, self.ink.prompt)
        return context

    @property
    def odds_table(self) -> OddsTable:
        """The table that answers rules with exact odds, and keeps the answers."""
        if self.cached_odds is None:
            from .dice.distribution import OddsTable

            self.cached_odds = OddsTable()
        return self.cached_odds

    # Output

    def say(self, *lines: str, to_stderr: bool = False, last: int = 0, below: str = "") -> None:
        """Print lines to stdout, or to stderr with `to_stderr`; at a terminal they are wrapped to its width.

        At the prompt of a game, more lines than the terminal shows above it are printed page by page; the `last` ones,
        which sum them up, stand at the end of every page. With a question `below` they may fill the whole terminal but
        for its line, as the field is not shown while it is asked.
        """
        summary = lines[len(lines) - last :]
        if self.environment.is_terminal:
            lines, summary = (
                tuple(part for line in some for part in self.ink.broken(line, self.environment.width))
                for some in (lines, summary)
            )
        if to_stderr:
            self.environment.err.write("".join(self.ink.clean(line) + "\n" for line in lines))
            self.environment.err.flush()
            return
        page = (self.rows_above((below,)) if below else self.environment.height) or len(lines)
        while len(lines) > page:
            few = max(1, page - 1 - len(summary))
            self._print("".join(self.ink.clean(line) + "\n" for line in (*lines[:few], *summary)))
            lines = lines[few:]
            if not self._wants_more(len(lines) - len(summary)):
                return
        self._print("".join(self.ink.clean(line) + "\n" for line in lines))

    def _wants_more(self, left: int) -> bool:
        """Whether the player wants to see the lines that are left; another answer is a line for the prompt."""
        try:
            answer = self.ask(f"{left} more lines: [more], quit? ", ("more", "quit")).strip()
        except (KeyboardInterrupt, Interrupted):
            return False
        if answer.lower() in ("", "m", "more", "y", "yes"):
            return True
        if answer.lower() not in ("q", "quit", "n", "no"):
            self.typed_ahead.append(answer)
        return False

    def rows_above(self, below: Iterable[str]) -> int:
        """How many lines the terminal shows above these; 0 for no limit."""
        rows, width = self.environment.rows, self.environment.width
        return max(1, rows - sum(len(self.ink.broken(line, width)) for line in below)) if rows else 0

    def print_text(self, text: str) -> None:
        """Print a whole text as it is meant for a file; at a terminal without what a terminal would obey."""
        shown = (
            map(self.ink.clean, text.split("\n"))
            if self.environment.is_terminal
            else [self.ink.carried(text)]
        )
        self._print("\n".join(shown))

    def print_json(self, record: dict[str, Any]) -> None:
        """Print a record as one line of JSON."""
        self._print(dumped(record) + "\n")

    def _print(self, text: str) -> None:
        """Print and flush a text; FileError if that fails after something was recorded (a closed pipe passes)."""
        try:
            self.environment.out.write(text)
            self.environment.out.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            if not self.last_recorded:
                raise
            option = f" --file {self.archive_name}" if self.archive_name else ""
            raise FileError(
                f"{self.last_recorded} is recorded, but could not be shown: {why(error)}",
                hint=f"nothing is lost; see: crisis log{option}",
                code="recorded",
            ) from error

    def warn(self, message: str, code: str = "sheet") -> None:
        """Print a warning to stderr, with --json as an object with this code, unless it was printed before."""
        if message not in self.warned:
            self.warned.append(message)
            line = warning_line(message, code, self.wants_json)
            width = self.environment.width if self.environment.is_terminal else len(line)
            parts = [line] if self.wants_json else self.ink.broken(line, width)
            with suppress(OSError):
                self.environment.err.write("".join(f"{self.ink.clean(part)}\n" for part in parts))

    # Sheets and the journal

    def store(self) -> Store:
        """The sheets in reach, nearest folder first; FileError if the folder of --characters does not exist."""
        cwd, folders = self.environment.cwd, []
        if self.characters:
            path = path_from(cwd, self.characters)
            if not os.path.isdir(path):
                raise FileError(f"no folder is called {self.characters}", code="not_found")
            folders.append(Folder(path, self.characters))
        folders += self._near("characters")
        folders.append(Folder(shipped(), "the shipped sheets", is_writable=False))
        for package, inside in systems.folders():
            folders.append(
                Folder(os.path.join(inside, "characters"), f"the sheets of {package}", is_writable=False)
            )
        return Store(tuple(folders), cwd, campaign=self.campaign_folder)

    def doctrines(self) -> DoctrineStore:
        """The doctrines in reach, nearest folder first; FileError if $CRISIS_DOCTRINES is no folder."""
        if self.doctrine_store is None:
            from .ai.doctrine_store import DoctrineStore

            folders = tuple(self._folders("doctrines", "CRISIS_DOCTRINES"))
            self.doctrine_store = DoctrineStore(folders, self.environment.cwd)
        return self.doctrine_store

    def tables(self) -> TableStore:
        """The random tables in reach, nearest folder first; FileError if $CRISIS_TABLES is no folder."""
        from .sheets.table_store import TableStore

        return TableStore(tuple(self._folders("tables", "CRISIS_TABLES")), self.environment.cwd)

    def encounters(self) -> EncounterStore:
        """The encounters in reach, nearest folder first; FileError if the folder named does not exist."""
        from .sheets.encounter_store import EncounterStore

        folders = tuple(self._folders("encounters", "CRISIS_ENCOUNTERS", self.encounters_folder))
        return EncounterStore(folders, self.environment.cwd, self.store(), lambda: self.doctrines().names())

    def _folders(self, name: str, variable: str, given: str = "") -> Iterator[Folder]:
        """The folders in which files of a kind are searched: that given or of the variable, ./NAME, and the data
        folder's."""
        cwd, named = self.environment.cwd, given or self.environment.env.get(variable, "")
        if named:
            path = path_from(cwd, named)
            if not os.path.isdir(path):
                raise FileError(f"no folder is called {named}", code="not_found")
            yield Folder(path, named)
        yield from self._near(name)

    def _near(self, name: str) -> Iterator[Folder]:
        """The folders of that name in the campaign, in the working folder, and in the data folder."""
        cwd, campaign = self.environment.cwd, self.campaign_folder
        if campaign is not None and campaign != cwd:
            yield Folder(os.path.join(campaign, name), self._shown_in_campaign(name), root=campaign)
        yield Folder(os.path.join(cwd, name), f"./{name}", root=cwd)
        yield Folder(os.path.join(self.data_dir(), name), "your data folder")

    # The campaign

    def _find_campaign(self) -> str | None:
        """The folder of the campaign that is named, or else that this folder is in; None without one.

        FileError if there is no campaign in the folder that is named.
        """
        cwd, named = self.environment.cwd, self.campaign_name
        if not named:
            return campaign_above(cwd)
        if named == NO_CAMPAIGN:
            return None
        folder = path_from(cwd, named)
        if not os.path.isfile(os.path.join(folder, CAMPAIGN)):
            raise FileError(
                f"there is no campaign in {named}: it has no {CAMPAIGN}",
                hint="make one: crisis campaign new NAME",
                code="not_found",
            )
        return folder

    def _shown_in_campaign(self, name: str) -> str:
        """A file of the campaign as seen from the working folder; the bare name without a campaign."""
        if self.campaign_folder is None or self.campaign_folder == self.environment.cwd:
            return name
        path = os.path.join(self.campaign_folder, name)
        try:
            return os.path.relpath(path, self.environment.cwd)
        except ValueError:
            return path

    def campaign(self) -> Campaign:
        """The campaign in use; Refused without one, FileError if its file has faults. Warns of one around it."""
        from .sheets import campaign

        return campaign.sound(self.campaign_file())

    def campaign_file(self) -> CampaignFile:
        """The file of the campaign in use with its faults; Refused without one. Warns of one around it."""
        from .sheets import campaign

        if self.campaign_folder is None:
            raise Refused(
                "there is no campaign here",
                hint="make one: crisis campaign new NAME WHO…; or name its folder: --campaign DIR",
                code="no_campaign",
            )
        outer = campaign_above(os.path.dirname(os.path.realpath(self.campaign_folder)))
        if outer is not None:
            self.warn(f"this campaign is inside another one, {outer}; this one is used", "nested_campaign")
        return campaign.as_written(self.campaign_folder, self._shown_in_campaign(CAMPAIGN))

    @property
    def story_folder(self) -> str | None:
        """The folder of the campaign whose story is kept; None without a campaign, or with a journal outside it."""
        return None if self.own_file else self.campaign_folder

    def story(self) -> Story | None:
        """The story of the campaign, with a line for every fight, and its sheets written; None without a campaign,
        with a journal of its own, or before anything has happened."""
        story = self._read_story()
        if story is None:
            return None
        from .sheets.story_file import new_fights

        if story.crisis.unwritten or any(True for _ in new_fights(story, self.warn)):
            # Only now: to read needs no leave to write. Another run may be in the middle of just that.
            with self.story_lock():
                story = self._read_story()
                return None if story is None else self._kept_up(story)
        self.cached_story = story
        return story

    @contextmanager
    def story_lock(self) -> Iterator[None]:
        """A block in which no other run writes to the story of the campaign, or moves the journal of a fight; blocks
        inside it, and those without a story, need no lock."""
        folder = self.story_folder
        if folder is None or self.holds_story:
            yield
            return
        from .sheets.campaign import STORY
        from .sheets.files import locked
        from .sheets.journal_file import JOURNALS

        with locked(os.path.join(folder, JOURNALS), self._shown_in_campaign(STORY)):
            self.holds_story = True
            try:
                yield
            finally:
                self.holds_story = False

    def _read_story(self) -> Story | None:
        """The story as it is on disk, or a new one where there are fights; None as for `story`."""
        from .sheets import story_file
        from .sheets.campaign import STORY

        folder = self.story_folder
        if folder is None:
            return None
        story = story_file.read(folder, self._shown_in_campaign(STORY), self.cached_story)
        if story is None:
            return self._new_story() if story_file.journals_in(folder) else None
        if story.torn_end.strip():
            self.warn(f"the last line of {story.display_path} was cut short", "torn_journal")
        return story

    def _kept_up(self, story: Story) -> Story:
        """The story with a line for every fight, and its sheets written."""
        from .sheets import story_file

        story = story_file.caught_up(story, self.warn)
        self.cached_story = story_file.write_sheets(self.store(), self.warn, story)[0]
        return self.cached_story

    def _new_story(self) -> Story:
        """A story of which nothing is written yet."""
        from .sheets import story_file
        from .sheets.campaign import STORY

        campaign, environment = self.campaign(), self.environment
        package = systems.package(campaign.system)
        shown = self._shown_in_campaign(STORY)
        return story_file.begin(
            campaign, shown, __version__, environment.fresh_seed(), environment.clock(), package
        )

    def require_story_session(self) -> Session:
        """The session of the story; Refused without a campaign, Usage with a journal outside it."""
        self.campaign()
        session = self.story_session()
        if session is None:
            raise Usage(
                f"{self.own_file} is a journal outside the campaign",
                hint="leave out --file and $CRISIS_FILE",
                code="conflicting_options",
            )
        return session

    def story_session(self) -> Session | None:
        """The session of the story, in which one acts between the fights of a campaign; None without a campaign."""
        if self.story_folder is None:
            return None
        story = self.story() or self._new_story()
        return Session(systems.load(story.crisis.scene.system), story.crisis.scene, story, self.store())

    def finish_end(self, journal: Journal) -> Finished:
        """Finish the end of a crisis: write the sheets, and archive the journal; in a campaign it becomes one of its
        fights, with a line in the story."""
        return self._finished(journal, self.story)

    def finish_redone_end(self, journal: Journal) -> Finished:
        """The same for an end that is redone: so is its line in the story, and what was undone after it can be, too."""
        from .sheets import story_file

        def redone() -> None:
            story = self._read_story()
            if story is not None:
                self._kept_up(story_file.with_fight_redone(story))

        return self._finished(journal, redone)

    def _finished(self, journal: Journal, write_line: Callable[[], object]) -> Finished:
        """The sheets written and the journal archived; in a campaign `write_line` brings its story up to date."""
        from .sheets.save_sheets import finish_end, unfinished_error

        folder = self.story_folder
        if folder is None:
            return finish_end(self.store(), self.warn, journal)
        from .sheets.story_file import archive_name

        try:
            with self.story_lock():
                story = None
                with suppress(CrisisError):
                    # What is wrong with it is said where its line is written.
                    story = self._read_story()
                known = None if story is None else story.crisis
                finished = finish_end(self.store(), self.warn, journal, partial(archive_name, folder, known))
                try:
                    write_line()
                except CrisisError as error:
                    self.warn(f"the fight has no line in the story yet: {error.message}", "story")
        except FileError as error:
            raise unfinished_error(journal.crisis, error) from error
        return finished

    def shown_archive(self, archive: str) -> str:
        """The name of an archived journal for messages, as seen from the working folder."""
        if self.story_folder is None:
            return sibling(self.file, os.path.basename(archive))
        return self._shown_in_campaign(os.path.relpath(archive, self.story_folder))

    def data_dir(self) -> str:
        """The user's data directory."""
        return data_folder(self.environment.env)

    @property
    def journal_path(self) -> str:
        """The path of the journal of the open crisis."""
        return path_from(self.environment.cwd, self.file)

    def latest_journal(self) -> Journal:
        """The journal in place, of an open or an ended crisis; Refused if there is none."""
        journal = self._read_journal()
        if journal is None or (
            journal.crisis.scene.over and not journal.is_archived and self._try_finish_end(journal)
        ):
            raise self._no_crisis_error()
        return journal

    def active_journal(self) -> Journal | None:
        """The journal of the open crisis; None if there is none, Refused if --file names an archived one.

        If ending a crisis was interrupted, this finishes it first and warns.
        """
        journal = self._read_journal()
        if journal is None or not journal.crisis.scene.over:
            return journal
        if journal.is_archived:
            raise Refused(
                f"the crisis in {self.file} has ended",
                hint="read it: crisis log, status, map, explain, replay or verify; "
                "open another: crisis init WHO… --vs WHO… --open",
                code="ended",
            )
        self._finish_end(journal)
        return None

    def require_place_for_journal(self) -> None:
        """Raise FileError where the journal of a fight of the campaign could not be archived."""
        if self.story_folder is not None:
            from .sheets.story_file import require_journals

            require_journals(self.story_folder)

    def require_no_crisis(self) -> None:
        """Raise FileError if a crisis is there by now, whose journal takes what would go into the story."""
        if os.path.lexists(self.journal_path):
            raise FileError(
                f"a crisis has been opened in {self.file} in the meantime",
                hint=f"{UNCHANGED}check with crisis status, then try again",
                code="moved",
            )

    def require_journal(self) -> Journal:
        """The journal of the open crisis; Refused if there is none."""
        journal = self.active_journal()
        if journal is None:
            raise self._no_crisis_error()
        return journal

    def _read_journal(self) -> Journal | None:
        """The journal at `journal_path`; None if there is no file. Warns if its last line is incomplete."""
        try:
            there = exists(self.journal_path)
        except OSError as error:
            raise FileError(f"{self.file} cannot be read: {error.strerror}", code="unreadable") from error
        if not there:
            return None
        from .sheets import journal_file

        journal = self.cached_journal = journal_file.read(self.journal_path, self.file, self.cached_journal)
        if journal.torn_end.strip():
            self.warn(
                f"the last line of {self.file} was cut short ({len(journal.torn_end)} bytes); "
                f"the next action moves it to {self.file}.torn",
                "torn_journal",
            )
        return journal

    def peek_crisis(self, file: str = "", largest: int | None = None) -> Crisis | None:
        """The open crisis, read without warnings or errors; None if there is none or it cannot be read.

        `file` names another journal than this context's; one of more than `largest` bytes is not read.
        """
        path = path_from(self.environment.cwd, file or self.file)
        try:
            if not os.path.isfile(path) or (largest and os.path.getsize(path) > largest):
                return None
            from .sheets import journal_file

            self.cached_journal = journal_file.read(path, file or self.file, self.cached_journal)
        except (CrisisError, OSError):
            return None
        crisis = self.cached_journal.crisis
        return None if crisis.scene.over else crisis

    def _try_finish_end(self, journal: Journal) -> bool:
        """Finish an interrupted end of a crisis; True if that worked, else False with a warning."""
        try:
            self._finish_end(journal)
        except FileError as error:
            self.warn(
                f"the end of the crisis in {self.file} is still to be finished: {error.message}",
                "unfinished_end",
            )
            return False
        return True

    def _finish_end(self, journal: Journal) -> None:
        """Finish an interrupted end of a crisis, and warn that it was finished now."""
        written, archive = self.finish_end(journal)
        if archive is not None:
            sheets = f"; sheets written: {', '.join(written)}" if written else ""
            self.warn(
                f"the end of the crisis in {self.file} was interrupted, and is finished now"
                f"{sheets}; its journal is {self.shown_archive(archive)}",
                "finished_end",
            )

    def _no_crisis_error(self) -> Refused:
        from .sheets.journal_file import last_archived

        ended = last_archived(self.journal_path)
        return Refused(
            f"no crisis is open here ({self.file})",
            hint="open one: crisis init WHO… --vs WHO… --open"
            + ("; reopen the one that ended last: crisis undo" if ended else ""),
            code="no_crisis",
        )

    def open_session(self, *groups: Iterable[str], decide_sides: bool = False) -> Session:
        """The open crisis, or else a one-off scene with the fighters of the sheets named in `groups`."""
        from .engine.scene import Scene
        from .systems import load

        journal = self.active_journal()
        if journal is not None:
            if self.overrides:
                raise Usage(
                    "--set overrides sheets, and a crisis is open",
                    hint="change a fighter in it: crisis set WHO POOL VALUE",
                    code="not_in_a_crisis",
                )
            return Session(load(journal.crisis.scene.system), journal.crisis.scene, journal, self.store())
        system, fighters = self.gather(*groups, decide_sides=decide_sides)
        return Session(system, Scene(system.name, {one.name: one for one in fighters}), store=self.store())

    def gather(
        self, *groups: Iterable[str], decide_sides: bool = False, taken: Collection[str] = ()
    ) -> tuple[System, list[Fighter]]:
        """The system and the fighters of the sheets named; `taken` are fighter names already in use.

        With `decide_sides` the first group become players and the rest opponents, whatever their sheets say.
        """
        from .sheets.find_fighters import FighterLoader

        return FighterLoader(self.store(), self.overrides).gather(groups, decide_sides, taken)

    # Dice and decisions

    def table(
        self,
        dice: DiceOptions,
        session: Session,
        react: str | None = None,
        answers: Iterable[int | str] = (),
        describe_rolls: DescribeRolls | None = None,
    ) -> tuple[Table, int | None, FinishDice]:
        """The table for one action, the seed in use (None if no seed decides), and a check to call afterwards.

        `react` is the value of --react; `answers` are what the player has answered so far, if asked again.
        The check raises WrongDice if results given with --dice are left over.
        """
        from .dice.generator import Seeded
        from .dice.scripted import GivenChoices, Mixed, Prompted, Scripted
        from .dice.table import Table
        from .engine.perform import entry_dice

        player_fighters = {name for name, one in session.scene.fighters.items() if one.player}
        prompted = Prompted(self.questions.ask_results, answers, self.questions.reject_results)

        def ask_player(who: str, options: tuple[Alternative, ...]) -> Alternative:
            from .dice.option_odds import option_odds

            odds = tuple(option_odds(option, self.odds_table) for option in options)

            def ask() -> Alternative | None:
                def history(below: list[str]) -> list[str]:
                    return describe_rolls(who, table, self.rows_above(below)) if describe_rolls else []

                return self.questions.ask_choice(who, options, odds, history)

            return prompted.decide(options, ask)

        if react == "ask" and not dice.choices:
            self.require_player("--react ask")
        fighters = session.scene.fighters
        doctrine_of = (lambda who: self.doctrine_of(fighters[who])) if session.scene.open else None
        is_asked = (lambda who: False) if dice.is_automatic else player_fighters.__contains__
        ask = ask_player if self.environment.is_interactive else None

        @cache
        def usual() -> Chooser:
            """Imported with the first choice: most actions leave none."""
            from .ai.choosing import chooser

            return chooser(react, self.odds_table, is_asked, ask, doctrine_of)

        def decide_as_usual(who: str, options: tuple[Alternative, ...]) -> Alternative | Decided | None:
            return usual()(who, options)

        decide: Chooser = decide_as_usual
        if self.choosing:
            decide = self.choosing(decide, react, lambda: table.throws)
        given = GivenChoices(dice.choices)

        def choose(who: str, options: tuple[Alternative, ...]) -> Alternative | Decided | None:
            is_given = who in player_fighters or react == "ask"
            return (given.take(options) if is_given else None) or decide(who, options)

        if dice.results is not None:
            scripted = Scripted(dice.results)
            table = Table(scripted, choose)
            return table, session.crisis.seed if session.crisis else None, both(scripted.finish, given.finish)
        seed, numbers = dice.seed, (0, 0)
        if session.crisis:
            seed = session.crisis.seed if seed is None else seed
            numbers = (len(session.crisis.done), session.crisis.fresh)
        assert seed is not None
        finish_end: FinishDice = given.finish
        source: DiceSource = Seeded(entry_dice(seed, *numbers).random)
        if dice.real or dice.mine:
            self.require_player("--real-dice" if dice.real else "--mine")
            finish_end = both(prompted.finish, given.finish)
            source = prompted if dice.real else Mixed(prompted, source, player_fighters.__contains__)
        table = Table(source, choose)
        return table, seed, finish_end

    def resolve_dice(self, dice: DiceOptions, session: Session) -> DiceOptions:
        """The dice options with defaults filled in: those of this crisis, and a fresh seed for a one-off."""
        if dice.is_default:
            dice = dice._replace(real=self.default_dice.real, mine=self.default_dice.mine)
        if session.crisis or dice.results is not None or dice.seed is not None:
            return dice
        return dice._replace(seed=self.environment.fresh_seed())

    def decision_policy(
        self, session: Session, react: str | None = None, is_automatic: bool = False
    ) -> Policy:
        """The policy by which exact odds decide for everyone: as they would decide if the action were performed.

        `is_automatic`: doctrines decide for the player's fighters too.
        """
        from .ai.choosing import policy

        fighters = session.scene.fighters

        def doctrine_reaction(who: str) -> str:
            return "" if fighters[who].player and not is_automatic else self.doctrine_of(fighters[who]).react

        in_crisis = session.journal is not None
        return policy(react, self.environment.is_interactive, doctrine_reaction if in_crisis else None)

    def chosen_odds(self, session: Session, react: str | None, dice: DiceOptions) -> OddsTable:
        """The table for exact odds of one action, with the choices that its dice options make."""
        policy = self.decision_policy(session, react, dice.is_automatic)
        if not dice.choices:
            from .dice.distribution import OddsTable

            return OddsTable(policy)
        from .dice.chosen import ChosenOdds

        player_fighters = {name for name, one in session.scene.fighters.items() if one.player}
        return ChosenOdds(policy, dice.choices, lambda who: who in player_fighters or react == "ask")

    def doctrine_of(self, fighter: Fighter) -> Doctrine:
        """The doctrine of a fighter; FileError, naming the fighter, if it is missing or invalid."""
        from .ai.doctrine import doctrine_of_fighter

        return doctrine_of_fighter(fighter, self.doctrines().named)

    def require_player(self, option: str) -> None:
        """Raise Usage if there is no player at a terminal to ask; `option` is what asks."""
        if not (self.environment.is_interactive or self.has_program):
            raise Usage(
                f"{option} needs an answer, but there is no terminal",
                hint="give the answer in the command: --dice 4,5,1, --react best",
                code="no_terminal",
            )

    def ask(self, prompt: str, answers: Iterable[str] = ()) -> str:
        """The player's answer to a prompt, one line; Interrupted at the end of input.

        `answers` are those that Tab completes at the prompt of a game.
        """
        try:
            with self.environment.signals.interruptible():
                return self.environment.ask(
                    self.ink.clean(prompt), *((answers,) if self.environment.at_prompt else ())
                )
        except EOFError as ended:
            raise Interrupted("stopped", hint="nothing was changed") from ended

    def roll_die(self, sides: int) -> int:
        """A result of a die of the player that the program rolls instead; no seed decides it."""
        from .dice.generator import generator

        return int(generator(self.environment.fresh_seed()).random() * sides) + 1

    @property
    def program(self) -> str:
        """The program's version."""
        return __version__


def both(first: FinishDice, second: FinishDice) -> FinishDice:
    """The check that makes two checks one after the other."""

    def finish() -> None:
        first()
        second()

    return finish
