"""A fight in words: what a program says and reads of it, on top of its turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..engine.scene import Intent
from ..errors import FileError, Refused, Usage
from ..sheets.find_fighters import find_name
from .action_words import ActionWords
from .attacking import Planned, Strike
from .dice import KEPT, Dice, Keep
from .perform import MAX_ATTEMPTS, moved_on
from .requests import Legal, Request
from .results import Explained, Result, State
from .said import (
    HandedIn,
    Who,
    checked_dice,
    dice_of,
    dress_of,
    flag,
    line,
    options_of,
    path_of,
    portion,
    spelled,
    whole_number,
    word,
    words_of,
)
from .turns import Turns, locked

if TYPE_CHECKING:
    from ..engine.journal import Crisis
    from ..engine.legal_actions import Barred
    from ..engine.verify import Difference
    from ..render.goals import GoalProgress
    from ..render.simulation import Simulated
    from ..story.recap import Recap
    from .chances import Chances, Ranked
    from .desk import Desk
    from .session import Session
    from .turns import Answer

STRIKES = ("attack", "throw")
TABLE = ("next", "note", "set", "join", "leave", "auto")
"""What is done at the table, and is no action of the rules: a method each."""


class Fight(Turns):
    """An open crisis, in memory or in its journal: `waiting` says for what, `answer` goes on, `do` acts in words.

    Where something is done, the results are given as a list: responses before an action, events after it. After any
    error the fight is as it was before, and waits for the same.
    """

    # What is

    @property
    def state(self) -> State:
        """How the fight stands now."""
        from ..engine.question_settings import setting_for

        session = self.session
        seed = session.crisis.seed if session.crisis else 0
        return State(session.scene, session.system, seed, setting_for(self.past))

    @property
    def system(self) -> str:
        """The name of the rule system."""
        return self.session.system.name

    @property
    def seed(self) -> int:
        """The seed of the dice."""
        return self.session.crisis.seed if self.session.crisis else 0

    @property
    def file(self) -> str:
        """The journal, as it is shown; empty for a fight in memory."""
        journal = self.session.journal
        return journal.display_path if journal and journal.is_on_disk else ""

    @property
    def ended(self) -> bool:
        """Whether the crisis was ended."""
        return self.scene.over

    @property
    def goals(self) -> list[GoalProgress]:
        """What wins the fight, what loses it, and how near each is; secret goals of an encounter left out."""
        from ..render.goals import progress

        return progress(self.session.system, self.scene)

    @property
    def log(self) -> list[Result]:
        """What has happened and was not undone."""
        return [Result(self.session, entry, self.seed) for entry in self.past]

    def legal(self, who: str = "") -> list[Legal]:
        """What a fighter can do now, by default the one whose turn it is; the end of its turn last."""
        from ..engine.legal_actions import of
        from ..render.command_text import typed

        name = self._who(who)
        rows = [
            Legal(typed(self.scene, one.intent), one.intent, dict(one.costs))
            for one in of(self.session.system, self.scene, name)
        ]
        return [*rows, *([Legal("next", Intent("next", name), {})] if name in self.scene.acting else [])]

    def barred(self, who: str = "") -> list[Barred]:
        """What a fighter cannot do now: each action, and why not."""
        from ..engine.legal_actions import barred

        return list(barred(self.session.system, self.scene, self._who(who)))

    def ranking(self, who: str = "", top: int | None = None) -> list[Ranked]:
        """What a fighter can do now, or in its own turn, with its exact odds, best first."""
        from . import weighing
        from .chances import Ranked

        top = None if top is None else whole_number(top, 1)
        name = self._who(who)
        session = weighing.where_able(self.session, name)
        rows = weighing.ranking(self.desk, session, name)[:top]
        return [Ranked(rank, one, session.scene, session.system) for rank, one in enumerate(rows, start=1)]

    def chances(self, action: str | Legal, *targets: str, by: str = "", **options: Any) -> Chances:
        """The exact odds of an action as the fight stands; in the own turn of a fighter who does not act now."""
        from . import weighing
        from .chances import Chances

        said = action.intent if isinstance(action, Legal) else Intent(action, by, targets, options)
        planned = self._planned(said.action, said.targets, said.actor, said.options, False)
        session = weighing.in_own_turn(self.session, planned.intent)
        odds = weighing.chances(self.desk, planned._replace(session=session), Dice())
        return Chances(odds, session.system)

    def explain(self, number: int = 0) -> Explained:
        """A result with every modifier, effect and rule: entry `number`, or the last one that has any."""
        from . import telling

        crisis = self._crisis()
        if whole_number(number, 0, what="the number of an entry"):
            return Explained(Result(self.session, telling.entry_numbered(crisis, number), self.seed))
        return Explained(Result(self.session, telling.last_explainable(crisis), self.seed))

    def recap(self) -> Recap:
        """The fight summed up: harm, luck, the lead, turning points."""
        from ..story.recap import recap

        return recap(self._crisis(), self.session.system)

    def export(
        self, form: str = "markdown", *, title: str = "", theme: str = "auto", odds: bool = True
    ) -> str:
        """The fight told as `markdown`, `lonelog`, `html` or `script`; Usage for another form."""
        from . import telling

        dress = dress_of(form, title, theme, odds)
        return telling.export(self.desk, self._crisis(), form, dress)

    def verify(self) -> list[Difference]:
        """Where the journal differs from what the rules and the seed give; Refused for a fight in memory."""
        from . import telling

        journal = self.session.journal
        if journal is None or not journal.is_on_disk:
            raise Refused(
                "a fight in memory has no journal to verify", hint="begin it with file=…", code="no_crisis"
            )
        return telling.differences(journal)

    def simulate(
        self,
        *,
        fights: int = 1_000,
        seed: int | None = None,
        doctrine: str = "plain",
        rounds: int = 200,
        retreat_at: float = 0.0,
        jobs: int = 1,
    ) -> Simulated:
        """Many fights that go on from here."""
        from ..signals import Stop
        from ..simulation.fight import FightLimits
        from .simulating import Fights, simulate, start_from

        given = dice_of(seed).seed
        limits = FightLimits(
            whole_number(rounds, 1, what="how many rounds"), portion(retreat_at, "a share of life")
        )
        asked = Fights(
            self.desk.world.fresh_seed() if given is None else given,
            whole_number(fights, 1, what="how many fights"),
            word(doctrine),
            limits,
            jobs=whole_number(jobs, 1, 64, "how many processes"),
        )
        simulated = simulate(self.desk, start_from(self.session), asked, Stop())
        assert simulated is not None
        return simulated

    # What is done

    @property
    def dice(self) -> Dice:
        """Where the dice of actions come from that say nothing else: `Dice(real=True)` asks for all faces by `Faces`,
        `Dice(mine=True)` for those of the players' side. What is usual is what a doctrine would choose."""
        return self._dice

    @dice.setter
    def dice(self, dice: Dice) -> None:
        self._dice = checked_dice(dice)._replace(is_automatic=True)

    @locked
    def refresh(self) -> None:
        """Read the journal anew, in which others may have acted; nothing for a fight in memory.

        What was waited for is forgotten if they have. Refused where the crisis has been ended.
        """
        if self.file:
            journal = self.desk.journals.require()
            session = self.session._replace(journal=journal, scene=journal.crisis.scene)
            self.go_on_from(self.desk, session)

    def play(self, decide: Callable[[Request], Answer]) -> Iterator[Result]:
        """Play to the end: `decide` gives the answer to each request, None for the usual one."""
        yield from self.play_on()
        while (request := self.waiting) is not None:
            yield from self.answer(decide(request))

    @locked
    def do(
        self,
        action: str,
        *targets: str,
        by: str = "",
        seed: int | None = None,
        faces: Sequence[int] | None = None,
        choices: Sequence[str] | None = None,
        dry_run: bool = False,
        responses: bool = True,
        **options: Any,
    ) -> list[Result]:
        """Perform an action of the rules, in words and with the options of the command line.

        `waiting` says whether it goes on. `faces` are the dice in order; `choices` answer its questions. Refused where
        the rules do not allow it, with what is legal in `about["legal"]`.
        """
        if action in TABLE:
            raise Usage(f"{action} is a method of its own", hint=f"fight.{action}(…)", code="bad_value")
        from .naming import with_alternatives

        planned = self._planned(action, targets, by, options, True)
        dice = None
        if seed is not None or faces is not None or choices is not None:
            given = dice_of(seed, faces, choices or ())
            is_real = given.is_default
            dice = given._replace(
                real=is_real and self.dice.real, mine=is_real and self.dice.mine, is_automatic=True
            )
        try:
            return self._act(planned.intent, dice, Keep(is_dry=flag(dry_run), has_responses=flag(responses)))
        except Refused as refusal:
            if refusal.code == "waiting":
                raise
            raise with_alternatives(self.session, planned.intent, refusal) from refusal

    def attack(self, *targets: str, **how: Any) -> list[Result]:
        """Attack: `do("attack", …)`."""
        return self.do("attack", *targets, **how)

    def throw(self, *targets: str, **how: Any) -> list[Result]:
        """Throw a weapon or an item: `do("throw", …)`."""
        return self.do("throw", *targets, **how)

    def heal(self, *patient: str, **how: Any) -> list[Result]:
        """Treat wounds: `do("heal", …)`."""
        return self.do("heal", *patient, **how)

    def check(
        self, skill: str, *, by: str = "", vs: tuple[str, str] | None = None, **how: Any
    ) -> list[Result]:
        """Roll a check of a skill, against a difficulty or `vs` a fighter and its skill."""
        return self.do("check", skill, by=by, vs=vs, **how)

    @locked
    def next(self, by: str = "") -> list[Result]:
        """End the turn of the fighter whose turn it is, or of `by`."""
        return self._act(Intent("next", self._who(by)))

    @locked
    def note(self, text: str) -> list[Result]:
        """Write a note into the log."""
        from .noting import Note, noted

        return self._act(noted(self._desk(), Note(word(text, "a text")), self.session).intent)

    @locked
    def set(self, who: str, what: str, value: object, why: str = "") -> list[Result]:
        """Override a value as a GM may, whatever the rules say."""
        from .settings import Setting, planned

        setting = Setting(word(who), word(what), tuple(spelled(value).split()), line(why))
        return self._act(planned(self._desk(), setting, self.session).intent)

    @locked
    def join(self, *who: Who, vs: Who | Sequence[Who] = ()) -> list[Result]:
        """Add fighters, or bring back those who left; those of `vs` join the opponents."""
        from .joining import joining

        first = HandedIn((), self.desk.in_memory).group(who)
        second = first.group(vs)
        desk = self.desk._replace(in_memory=second.sheets)
        planned = joining(desk._replace(fight=self.session), self.session, first.words, second.words)
        done = self._act(planned.intent)
        self.desk = desk
        return done

    @locked
    def leave(self, *who: str, surrender: bool = False) -> list[Result]:
        """Remove fighters from the fight; with `surrender` they stay, out of it."""
        names = tuple(find_name(self.scene, one) for one in words_of(who))
        return self._act(Intent("yield" if surrender else "leave", "", names))

    @locked
    def auto(self, who: str, on: bool = True, doctrine: str = "") -> list[Result]:
        """Let a fighter play by a doctrine, or with `on=False` give it back."""
        name = find_name(self.scene, word(who))
        if doctrine:
            self.desk.shelves.doctrines().named(word(doctrine))
        values = {"on": flag(on)} | ({"doctrine": doctrine} if doctrine else {})
        return self._act(Intent("auto", "", (name,), values))

    @locked
    def ask(self, question: str, odds: str = "even", seed: int | None = None) -> Result:
        """Ask the oracle a yes-or-no question, or one that it knows; the answer is recorded."""
        from . import oracle

        self.require_nothing_asked()
        asked = oracle.parse_question(
            self._desk(), self.session, word(question, "a question").split(), spelled(odds)
        )
        if not isinstance(asked, oracle.Question):
            raise Usage(f"{question!r} is answered by a table", hint="fight.draw(…)", code="bad_value")
        return self._recorded(oracle.ask(self._desk(), self.session, asked, dice_of(seed)))

    @locked
    def draw(
        self, *tables: str, times: int = 1, unique: bool = False, seed: int | None = None
    ) -> list[Result]:
        """Roll on random tables; the rows are recorded."""
        from .drawing import draw, draws

        self.require_nothing_asked()
        asked = draws(tables, times, unique)
        results = draw(self._desk(), asked, dice_of(seed), session=self.session)
        return [self._recorded(result) for result in results]

    @locked
    def save(self) -> list[str]:
        """Write to the sheets what the end of the fight would; the sheets that were written."""
        from . import ending

        self.session, sheets = ending.save(self.desk, self.session)
        return sheets

    @locked
    def write(self, file: str) -> None:
        """Put a fight in memory into a new journal; Refused where it has one, FileError where the file exists."""
        from .. import systems
        from ..engine.journal import entry_record, read_back
        from ..sheets import journal_file

        journal = self.session.journal
        if journal is None or journal.is_on_disk:
            raise Refused("the fight is in a journal already", code="open")
        records = (journal.crisis.header, *map(entry_record, self.past))
        if not path_of(file):
            raise Usage(
                "a journal needs a name", hint='fight.write("evening.jsonl")', code="missing_argument"
            )
        places = self.desk.places._replace(own_file=file)
        made = journal_file.create(places.journal_path, file, read_back(records, systems.load))
        self.desk = self.desk._replace(places=places)
        self.session = self.session._replace(journal=made, scene=made.crisis.scene)

    # In words

    def _act(self, intent: Intent, dice: Dice | None = None, keep: Keep = KEPT) -> list[Result]:
        """Perform an intent; again if others have changed the journal meanwhile, unless real dice are rolled for it."""
        for _ in range(MAX_ATTEMPTS - 1):
            try:
                return self.perform(intent, dice, keep)
            except FileError as error:
                self.session = moved_on(self.desk, self.session, dice or self.dice, error)
        return self.perform(intent, dice, keep)

    def _recorded(self, result: Result) -> Result:
        """A result that was recorded beside the turns of the fight."""
        self.session = result.session
        self.watch(result)
        return result

    def _desk(self) -> Desk:
        """The desk at which words are about this fight."""
        return self.desk._replace(fight=self.session)

    def _who(self, who: str) -> str:
        """A fighter by a word; empty: the one whose turn it is. Refused where no turn has begun."""
        if who:
            return find_name(self.scene, word(who))
        if not self.scene.turn:
            raise Refused("no turn has begun", hint="name a fighter", code="no_turn")
        return self.scene.turn

    def _crisis(self) -> Crisis:
        crisis = self.session.crisis
        if crisis is None:
            raise Refused("the fight is not open yet", code="no_crisis")
        return crisis

    def _planned(
        self, action: str, words: Sequence[str], by: str, options: Mapping[str, Any], checks_turn: bool
    ) -> Planned:
        """What an action in words is about to do."""
        return planned_in_words(self._desk(), action, words, by, options, checks_turn)

    def __repr__(self) -> str:
        return f"<Fight {self.system}: {self.state!r}>"


def planned_in_words(
    desk: Desk,
    action: str,
    words: Sequence[str],
    by: str = "",
    options: Mapping[str, Any] | None = None,
    checks_turn: bool = True,
) -> Planned:
    """What an action of the rules is about to do, from its words and options as the command line has them."""
    from . import action_words, attacking
    from .opening import Opening, init_intent

    action, words, by, said = word(action, "an action"), words_of(words), word(by), options_of(options or {})
    if action in STRIKES:

        def no_ranking(session: Session, line: str) -> Intent:
            raise FileError(f"no fighter here is called {line!r}", code="not_found")

        return attacking.planned(desk, Strike(action, words, by, (), said), no_ranking, checks_turn)
    if action == "heal":
        return action_words.heal(desk, ActionWords(words, by, said))
    if action == "check":
        vs = said.pop("vs", None)
        return action_words.check(desk, ActionWords(words, by, said), vs)
    if action == "init":
        session = desk.open_session(words)
        return Planned(session, init_intent(session, [*session.scene.fighters], Opening(options=said)))
    shares_place = bool(said.pop("share", False))
    if desk.has_crisis():
        return action_words.act(desk, ActionWords((action, *words), by, said), shares_place, checks_turn)
    actor, *rest = (by, *words) if by else words or ("",)
    return action_words.act(desk, ActionWords((action, *rest), actor, said), shares_place, checks_turn)
