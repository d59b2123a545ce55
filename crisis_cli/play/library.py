"""What is in reach of a folder, for programs: sheets, encounters, tables, fights and single actions."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .. import __version__
from ..errors import Refused, Usage
from ..sheets.files import path_from
from ..systems import load
from ..values import NamedTuple
from .caches import Caches
from .campaigns import World
from .desk import Desk
from .places import Places, find_campaign, places_of
from .results import Result, State
from .said import (
    NOBODY,
    Who,
    dice_of,
    dress_of,
    mapping,
    names,
    options_of,
    overrides_of,
    path_of,
    portion,
    position,
    spelled,
    whole_number,
    word,
)
from .session import Session

if TYPE_CHECKING:
    from ..ai.doctrine import Doctrine
    from ..engine.scene import Fighter, Scene
    from ..engine.verify import Difference
    from ..render.simulation import Simulated
    from ..sheets.check import Sheet
    from ..sheets.encounter_store import EncounterFile
    from ..sheets.journal_file import JournalFile
    from ..sheets.shelf import Shelf
    from ..signals import Stop
    from ..story.recap import Recap
    from .attacking import Planned
    from .chances import Chances
    from .dueling import Duel
    from .fight import Fight
    from .foes import Foe
    from .story import Story
    from .turns import Plays

NO_JOURNAL = ".no-journal"
"""A journal that is never there, for what is done outside any fight."""
MOST_FIGHTS, MOST_ROUNDS, MOST_JOBS, FARTHEST = 1_000_000_000, 10_000, 64, 1_000
"""Most fights and rounds to be simulated, most processes, and the farthest that sides begin apart."""


class Warning(NamedTuple):
    """Something that is no error, and that a person should know."""

    code: str
    message: str


def utc_now() -> str:
    """The time now, as `2026-11-20T19:07:02Z`."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def random_seed() -> int:
    """A seed that nobody knows beforehand."""
    return int.from_bytes(os.urandom(4), "big") >> 1


class Library:
    """What is in reach of a folder; nothing is printed or asked, and no environment is read.

    `data` is the user's data folder (None: none), `campaign` the folder of a campaign (None: none). `clock` and
    `fresh_seed` give the time and seeds. `on_warning` is called with each warning; all are kept in `warnings`.
    FileError where there is no campaign in the folder that is named.
    """

    def __init__(
        self,
        folder: str = ".",
        *,
        characters: str = "",
        campaign: str | None = None,
        encounters: str = "",
        doctrines: str = "",
        tables: str = "",
        data: str | None = None,
        clock: Callable[[], str] = utc_now,
        fresh_seed: Callable[[], int] = random_seed,
        on_warning: Callable[[Warning], None] | None = None,
    ):
        cwd = os.path.abspath(path_of(folder, "a folder"))
        in_campaign = None if campaign is None else find_campaign(cwd, path_of(campaign, "a campaign"))
        named = (path_of(one, "a folder") for one in (data or "", characters, encounters, tables, doctrines))
        self._places = Places(cwd, *named)._replace(campaign_folder=in_campaign)
        self._world = World(clock, fresh_seed, __version__)
        self._on_warning = on_warning
        self.warnings: list[Warning] = []
        """What was warned of so far, each once."""

    @classmethod
    def from_environment(cls, env: Mapping[str, str], cwd: str) -> Library:
        """The library that the command line uses in a folder, by the variables CRISIS_* of an environment."""
        library = cls(cwd)
        library._places = places_of(env, cwd)
        return library

    def _warn(self, message: str, code: str = "sheet") -> None:
        warning = Warning(code, message)
        if warning not in self.warnings:
            self.warnings.append(warning)
            if self._on_warning is not None:
                self._on_warning(warning)

    @property
    def folder(self) -> str:
        """The folder that the library is of, as an absolute path."""
        return self._places.cwd

    @property
    def version(self) -> str:
        """The version of the program."""
        return self._world.program

    def _desk(
        self,
        sheets: Mapping[str, Sheet],
        file: str = "",
        override: Mapping[str, Any] | None = None,
    ) -> Desk:
        """What play works with: a journal, sheets in memory, and values that override those of sheets."""
        places = self._places
        if path_of(file) and path_from(places.cwd, file) != places.journal_path:
            # The journal of a campaign is not one beside its story, though it is named.
            places = places._replace(own_file=file)
        overrides = () if override is None else overrides_of(override)
        return Desk(places, self._world, self._warn, Caches(), [], overrides, in_memory=sheets)

    def _opposed(
        self, who: Sequence[Who], vs: Who | Sequence[Who], file: str, override: Mapping[str, Any] | None
    ) -> tuple[Desk, tuple[str, ...], tuple[str, ...]]:
        """What play works with, and the words that mean the sheets of both sides on it."""
        first = NOBODY.group(who)
        second = first.group(vs)
        return self._desk(second.sheets, file, override), first.words, second.words

    # Single actions, outside any fight

    def do(
        self,
        action: str,
        *who: Who,
        seed: int | None = None,
        faces: Sequence[int] | None = None,
        choices: Sequence[str] = (),
        override: Mapping[str, Any] | None = None,
        save: bool = False,
        **options: Any,
    ) -> Result:
        """One action of the first one named on the others, in the words and options of the command line.

        Nothing is written unless `save`. `override` holds values that replace those of sheets, such as
        `{"jack.armour.dr": 3}`.
        """
        from .acting import act
        from .dice import Keep

        desk, planned = self._planned(action, who, override, options)
        dice = dice_of(seed, faces, choices)
        *_, result = act(desk, planned.session, planned.intent, dice, Keep(saves=save))
        return result

    def attack(self, *who: Who, **how: Any) -> Result:
        """One attack of the first one named on the others."""
        return self.do("attack", *who, **how)

    def throw(self, *who: Who, **how: Any) -> Result:
        """One throw of the first one named at the others."""
        return self.do("throw", *who, **how)

    def heal(self, *who: Who, **how: Any) -> Result:
        """One treatment: the first one named treats the second one, or itself."""
        return self.do("heal", *who, **how)

    def check(self, who: Who, skill: str, **how: Any) -> Result:
        """One check of a skill, against a `difficulty`, or `vs` a sheet and its skill."""
        return self.do("check", who, skill, **how)

    def chances(
        self, action: str, *who: Who, override: Mapping[str, Any] | None = None, **options: Any
    ) -> Chances:
        """The exact odds of one action."""
        from .chances import Chances
        from .dice import Dice
        from .weighing import chances

        desk, planned = self._planned(action, who, override, options)
        return Chances(chances(desk, planned, Dice()), planned.session.system)

    def _planned(
        self, action: str, who: Sequence[Who], override: Mapping[str, Any] | None, options: Mapping[str, Any]
    ) -> tuple[Desk, Planned]:
        from .fight import planned_in_words
        from .naming import with_side_pools

        handed_in = NOBODY.group(who)
        words, sheets = handed_in
        if isinstance(options.get("vs"), (list, tuple)) and options["vs"]:
            # A check against the sheet of an opponent.
            against = handed_in.group(options["vs"][:1])
            sheets = against.sheets
            options = {**options, "vs": (*against.words, *options["vs"][1:])}
        desk = self._desk(sheets, override=override)
        # A crisis that is open in the folder is none of a single action's business.
        desk = desk._replace(places=desk.places._replace(own_file=NO_JOURNAL))
        planned = planned_in_words(desk, action, words, "", options)
        return desk, planned._replace(session=with_side_pools(planned.session, planned.intent))

    # Fights

    def begin(
        self,
        *who: Who,
        vs: Who | Sequence[Who] = (),
        encounter: str = "",
        file: str = "",
        seed: int | None = None,
        faces: Sequence[int] | None = None,
        apart: int | None = None,
        place: Mapping[str, tuple[float, float]] | None = None,
        surprise: Sequence[str] = (),
        initiator: Sequence[str] = (),
        order: Sequence[str] = (),
        doctrines: Mapping[str, str] | None = None,
        default_doctrine: str = "",
        override: Mapping[str, Any] | None = None,
        plays: str | Sequence[str] = "players",
        **options: Any,
    ) -> Fight:
        """Open a fight of `who` against `vs`, or of an encounter; in memory, or with `file` in a journal.

        `plays` says whom the program decides for: `all`, `none`, sides or names. `apart` is the distance between the
        sides (None: as sheets suggest; 0: nobody has a position). `faces` are the dice of the turn order.
        """
        from .dice import AUTOMATIC
        from .fight import Fight
        from .opening import Opening, prepare

        desk, players, foes = self._opposed(who, vs, file, override)
        named = dict(mapping(doctrines or {}, "fighters and their doctrines"))
        named |= {"": default_doctrine} if default_doctrine else {}
        asked = Opening(
            players,
            foes,
            word(encounter),
            None if apart is None else whole_number(apart, 0, FARTHEST, "a distance"),
            tuple(
                (word(one), position(at))
                for one, at in mapping(place or {}, "fighters and where they stand").items()
            ),
            tuple(names(surprise)),
            tuple(names(initiator)),
            tuple(names(order)),
            tuple((word(one), word(doctrine)) for one, doctrine in named.items()),
            options_of(options),
            bool(file),
        )
        prepared = prepare(desk, asked, dice_of(seed, faces)._replace(is_automatic=True))
        asks = _plays(prepared.session.scene, plays)
        # Values that override those of sheets are for those who are there at the beginning.
        fight = Fight(desk._replace(overrides=()), prepared.session, asks, AUTOMATIC)
        fight.open(prepared)
        return fight

    def resume(self, file: str = "", *, plays: str | Sequence[str] = "players") -> Fight:
        """Go on with the open fight in a journal; Refused if none is open."""
        from .dice import AUTOMATIC
        from .fight import Fight

        desk = self._desk({}, file)
        crisis = desk.journals.require().crisis
        dice = AUTOMATIC._replace(real=crisis.dice == "real", mine=crisis.dice == "mine")
        session = desk.open_session()
        return Fight(desk, session, _plays(session.scene, plays), dice)

    def journal(self, file: str) -> Journal:
        """The journal of an open or an ended fight, to be read."""
        from . import telling

        desk = self._desk({})
        return Journal(desk, telling.read_journal(desk, path_of(file), "log"))

    # Many fights

    def simulate(
        self,
        *who: Who,
        vs: Who | Sequence[Who] = (),
        encounter: str = "",
        fights: int = 1_000,
        seed: int | None = None,
        doctrine: str = "plain",
        rounds: int = 200,
        retreat_at: float = 0.0,
        apart: int | None = None,
        until_width: float = 0.0,
        jobs: int = 1,
        override: Mapping[str, Any] | None = None,
        progress: Callable[[int], None] = lambda done: None,
        stop: Stop | None = None,
    ) -> Simulated:
        """Many whole fights: `wins()` gives the share of each side with its interval, `to_dict()` all of it.

        `progress` is called with how many are over; a `stop` that is set ends the run with those. Refused where it
        stops before the first one is over.
        """
        from ..signals import Stop
        from ..simulation.fight import FightLimits
        from .opening import Opening
        from .simulating import Fights, simulate, start_of

        desk, players, foes = self._opposed(who, vs, "", override)
        given = dice_of(seed).seed
        seed = self._world.fresh_seed() if given is None else given
        distance = None if apart is None else whole_number(apart, 0, FARTHEST, "a distance")
        asked = Opening(players, foes, word(encounter), distance)
        wanted = Fights(
            seed,
            whole_number(fights, 1, MOST_FIGHTS, "how many fights"),
            word(doctrine),
            FightLimits(
                whole_number(rounds, 1, MOST_ROUNDS, "how many rounds"),
                portion(retreat_at, "a share of life"),
            ),
            portion(until_width, "a width"),
            whole_number(jobs, 1, MOST_JOBS, "how many processes"),
        )
        simulated = simulate(desk, start_of(desk, asked, seed), wanted, stop or Stop(), progress)
        if simulated is None:
            raise Refused("stopped before the first fight was over", code="stopped")
        return simulated

    def duel(self, one: Who, other: Who, doctrine: str = "plain") -> Duel:
        """The exact chances of a duel, by side, and the number of its states; Refused where there is no exact answer
        (`too_wide`, `unsuited`)."""
        from ..errors import TooWide
        from ..simulation.duel import Unsuited
        from .dueling import duel, start_of_duel

        desk, first, second = self._opposed([one], [other], "", None)
        if len(first) != 1 or len(second) != 1:
            raise Usage("a duel is one against one", hint="simulate(…) fights many", code="bad_value")
        try:
            return duel(desk, start_of_duel(desk, *first, *second), word(doctrine))
        except Unsuited as unsuited:
            raise Refused(str(unsuited), hint="simulate the fights", code="unsuited") from unsuited
        except TooWide as wide:
            raise Refused(str(wide), hint="simulate the fights", code="too_wide") from wide

    def foe(
        self,
        role: str = "",
        *,
        against: Sequence[Who] = (),
        system: str = "",
        level: int = 3,
        count: int | None = None,
        name: str | None = None,
        fights: int = 400,
        seed: int | None = None,
    ) -> Foe:
        """A foe made to measure: so strong that the players win the share of fights that the level says."""
        from ..sheets.foes import LEVELS
        from ..sheets.store import COPIES
        from .foes import FoeWish, make

        party = NOBODY.group(against)
        wish = FoeWish(
            word(role),
            party.words,
            word(system),
            whole_number(level, min(LEVELS), max(LEVELS), "a level"),
            None if count is None else whole_number(count, 1, COPIES, "how many"),
            None if name is None else word(name),
            fights=whole_number(fights, 1, MOST_FIGHTS, "how many fights"),
            seed=dice_of(seed).seed,
        )
        return make(self._desk(party.sheets), wish)

    # Between fights

    def ask(self, question: str, odds: str = "even", seed: int | None = None) -> Result:
        """Ask the oracle a yes-or-no question, outside any fight."""
        from . import oracle
        from .drawing import aside

        desk = self._alone()
        session = aside(desk)
        asked = oracle.parse_question(desk, session, word(question, "a question").split(), spelled(odds))
        if not isinstance(asked, oracle.Question):
            raise Usage(f"{question!r} is answered by a table", hint="draw(…)", code="bad_value")
        return oracle.ask(desk, session, asked, dice_of(seed))

    def draw(
        self,
        *tables: str,
        times: int = 1,
        unique: bool = False,
        without: Sequence[int] = (),
        seed: int | None = None,
    ) -> list[Result]:
        """Roll on random tables, outside any fight; `without` are rows that cannot come."""
        from .drawing import draw, draws

        return list(draw(self._alone(), draws(tables, times, unique, without), dice_of(seed)))

    # What there is

    @property
    def sheets(self) -> Shelf[Sheet]:
        """The sheets in reach: found, read, checked, copied and made by their names."""
        return self._desk({}).shelves.characters()

    @property
    def encounters(self) -> Shelf[EncounterFile]:
        """The encounters in reach."""
        return self._desk({}).shelves.encounters()

    @property
    def tables(self) -> Shelf[Any]:
        """The random tables in reach."""
        return self._desk({}).shelves.tables()

    @property
    def doctrines(self) -> Shelf[Doctrine]:
        """The doctrines in reach."""
        return self._desk({}).shelves.doctrines()

    @property
    def story(self) -> Story | None:
        """The story of the campaign in use; None without a campaign."""
        from .story import Story

        return None if self._places.story_folder is None else Story(self._desk({}))

    def _alone(self) -> Desk:
        """What play works with where no crisis is in reach."""
        return self._desk({}, NO_JOURNAL)


class Journal:
    """The journal of a fight, open or ended, to be read."""

    def __init__(self, desk: Desk, journal: JournalFile):
        self._desk, self._journal = desk, journal
        self._session = Session(load(journal.crisis.scene.system), journal.crisis.scene, journal)

    @property
    def log(self) -> list[Result]:
        """What has happened and was not undone."""
        crisis = self._journal.crisis
        return [Result(self._session, entry, crisis.seed) for entry in crisis.done]

    @property
    def state(self) -> State:
        """How the fight stood at its end, or stands now."""
        return State(self._journal.crisis.scene, self._session.system, self._journal.crisis.seed)

    def state_at(self, round: int, turn: int = 1) -> State:
        """How the fight stood as a turn of a round began; Refused if it never did."""
        from . import telling

        scene = telling.state_at(self._journal.crisis, round, turn)
        return State(scene, self._session.system, self._journal.crisis.seed)

    def export(
        self, form: str = "markdown", *, title: str = "", theme: str = "auto", odds: bool = True
    ) -> str:
        """The fight told as `markdown`, `lonelog`, `html` or `script`; Usage for another form."""
        from . import telling

        return telling.export(self._desk, self._journal.crisis, form, dress_of(form, title, theme, odds))

    def recap(self) -> Recap:
        """The fight summed up: harm, luck, the lead, turning points."""
        from ..story.recap import recap

        return recap(self._journal.crisis, self._session.system)

    def verify(self) -> list[Difference]:
        """Where the journal differs from what the rules and the seed give."""
        from . import telling

        return telling.differences(self._journal)


def _plays(scene: Scene, words: str | Sequence[str]) -> Plays:
    """For whom a program decides: `all`, `none`, sides, names; Refused or Usage for a word that means nobody."""
    from ..sheets.find_fighters import find_name
    from .turns import Plays

    everybody = {"all", "none", "players", "opponents", *(one.side for one in scene.fighters.values())}
    said = {one if one in everybody else find_name(scene, one) for one in names(words)}

    def is_asked(fighter: Fighter) -> bool:
        return "all" in said or fighter.side in said or fighter.name in said

    return Plays(lambda scene: is_asked(scene.fighters[scene.turn]), is_asked)
