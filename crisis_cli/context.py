"""What one run of a command works with: environment, output, and the desk of what play works with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from . import __version__
from .environment import Environment
from .errors import Usage
from .output import Output
from .play.caches import Caches
from .play.campaigns import World
from .play.desk import Desk
from .play.places import places_of
from .questions import Questions
from .render.style import Ink
from .values import NamedTuple

# What only some commands need is imported where it is used, so that help and errors come at once.
if TYPE_CHECKING:
    from .dice.distribution import OddsTable, Policy
    from .dice.table import Alternative, Chooser, Decided, Roll, Table
    from .dice.table import Dice as DiceSource
    from .engine.scene import Intent
    from .play.session import Session


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
IntentHandler = Callable[["Context", "Session", "Intent", Mapping[str, Any]], None]
"""Handles the intent of a command, given its context, session and options."""


class Context:
    """What one run of a command works with; tests hand in an environment of their own."""

    def __init__(self, environment: Environment, output: Output, desk: Desk):
        self.environment = environment
        self.output = output
        self.desk = desk
        self.default_dice = DiceOptions()
        """Where dice come from if a command does not say."""
        self.intent_handler: IntentHandler | None = None
        """Called with the intent of a command in place of performing it (`odds`, previews); None: perform it."""
        self.has_program = False
        """Whether a program answers questions about dice in place of a player at a terminal."""
        self.choosing: Choosing | None = None
        """Makes the choices in the middle of actions; None: doctrines and the player do."""
        self.unasked: set[tuple[int, str]] = set()
        """(round, fighter) pairs for which the player wants no more questions about responses."""
        self.questions = Questions(self.output.ask, partial(self.output.say, to_stderr=True), self.roll_die)

    def for_line(self, environment: Environment) -> Context:
        """The context of the next line of a prompt, a script or a program; what was read is kept."""
        recorded: list[str] = []
        output = self.output.for_line(environment, recorded)
        desk = self.desk._replace(
            warn=output.warn, recorded=recorded, has_player=environment.is_interactive, overrides=()
        )
        context = Context(environment, output, desk)
        context.default_dice, context.unasked = self.default_dice, self.unasked
        return context

    def with_desk(self, **changes: Any) -> Context:
        """A copy whose desk has other values: places, overrides."""
        from copy import copy

        context = copy(self)
        context.desk = self.desk._replace(**changes)
        return context

    def with_color(self, color: bool) -> Context:
        """A copy that prints with colour, or without any."""
        from copy import copy

        context = copy(self)
        context.output = self.output.with_color(color)
        context.desk = self.desk._replace(warn=context.output.warn)
        return context

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

            odds = tuple(option_odds(option, self.desk.caches.odds_table) for option in options)

            def ask() -> Alternative | None:
                def history(below: list[str]) -> list[str]:
                    return describe_rolls(who, table, self.output.rows_above(below)) if describe_rolls else []

                return self.questions.ask_choice(who, options, odds, history)

            return prompted.decide(options, ask)

        if react == "ask" and not dice.choices:
            self.require_player("--react ask")
        fighters = session.scene.fighters
        doctrine_of = (
            (lambda who: self.desk.shelves.doctrine_of(fighters[who])) if session.scene.open else None
        )
        is_asked = (lambda who: False) if dice.is_automatic else player_fighters.__contains__
        ask = ask_player if self.environment.is_interactive else None

        @cache
        def usual() -> Chooser:
            """Imported with the first choice: most actions leave none."""
            from .ai.choosing import chooser

            return chooser(react, self.desk.caches.odds_table, is_asked, ask, doctrine_of)

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
            return (
                ""
                if fighters[who].player and not is_automatic
                else self.desk.shelves.doctrine_of(fighters[who]).react
            )

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

    def require_player(self, option: str) -> None:
        """Raise Usage if there is no player at a terminal to ask; `option` is what asks."""
        if not (self.environment.is_interactive or self.has_program):
            raise Usage(
                f"{option} needs an answer, but there is no terminal",
                hint="give the answer in the command: --dice 4,5,1, --react best",
                code="no_terminal",
            )

    def roll_die(self, sides: int) -> int:
        """A result of a die of the player that the program rolls instead; no seed decides it."""
        from .dice.generator import generator

        return int(generator(self.environment.fresh_seed()).random() * sides) + 1


def both(first: FinishDice, second: FinishDice) -> FinishDice:
    """The check that makes two checks one after the other."""

    def finish() -> None:
        first()
        second()

    return finish


def context_of(
    environment: Environment,
    *,
    characters: str = "",
    file: str = "",
    campaign: str = "",
    color: bool | None = None,
) -> Context:
    """The context of a run in an environment, with the places and the colour that options say."""
    ink = Ink.fitting(environment.env, environment.out, environment.is_terminal, color)
    recorded: list[str] = []
    output = Output(environment, ink, recorded)
    places = places_of(environment.env, environment.cwd, characters=characters, file=file, campaign=campaign)
    world = World(environment.clock, environment.fresh_seed, __version__)
    desk = Desk(places, world, output.warn, Caches(), recorded, has_player=environment.is_interactive)
    return Context(environment, output, desk)
