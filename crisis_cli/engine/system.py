"""The rulebook: `System`, and the rows of its tables: `Action`, `Pool`, `Start`, `Conversion`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ..errors import Refused
from ..values import FrozenRecord, NamedTuple
from .action_parts import Opponents as Opponents
from .action_parts import OutOfTurn as OutOfTurn
from .action_parts import Says as Says
from .action_parts import kind_of
from .changes import Changes
from .command_option import CommandOption
from .conditions import Condition, defeated, implied, unable
from .events import Event
from .exact_odds import ExactOdds
from .kinds import Absent, Fault, Kind
from .phases import Phase, Phased, last_answer
from .reactions import Reactions
from .scene import BOUGHT, Fighter, Intent, Scene
from .schema import Section
from .setup import Charge as Charge
from .setup import Cost as Cost
from .setup import Setup as Setup
from .sheet import belongings, with_supplies
from .system_parts import History, Rest, SheetRules, Space, Texts
from .wording import Mark

if TYPE_CHECKING:
    from ..dice.table import Rule


class Conversion(NamedTuple):
    """How another pool is turned into this one when it cannot pay a cost."""

    pool: str
    """Another pool of the fighter, or one of the side."""
    takes: int = 1
    """How many points of the other pool one conversion takes."""
    gives: int = 1
    """How many points of this pool it gives."""
    once: bool = False
    """Only once a turn, remembered under the mark `bought:POOL`."""


class Pool(NamedTuple):
    """A named counter of a fighter or a side."""

    label: str
    """Its name on screens, in the plural: "rounds", "action points", "swigs of rum". Screens make its noun singular
    behind 1: "1 swig of rum"."""
    rule: str = ""
    """The rule that turns and refusals name for it; empty for none."""
    lasting: bool = True
    """Whether the pool is saved to the sheet after the crisis."""
    spent: bool = False
    """Whether the pool pays for actions in a turn, as action points do; not checked or charged outside a crisis."""
    counts_up: bool = False
    """Whether the pool counts up, as wounds do: how much has been taken, not what is left."""
    long: str = ""
    """The rule that lets a cost above its highest value be paid over several turns; empty: no such rule."""
    made_of: Conversion | None = None
    """The pool that is turned into this one, automatically, when it runs short."""
    renewed: bool = False
    """Whether every turn renews it; such gains are not shown."""
    gain: int = 0
    """How much a turn or round usually adds to the pool; such gains are not shown."""
    hidden_when_full: bool = False
    """Whether screens show it only when it is not full."""
    takes_harm: bool = False
    """Whether the pool takes harm in place of its owner, as armour does; a loss of its points counts as harm."""
    not_vital: bool = False
    """Whether losing points of it brings its owner no nearer to defeat: armour, luck."""
    a_turn: Callable[[Fighter], int] | None = None
    """`a_turn(fighter)` is what a turn adds to it, if it can hold more than that; 0 for a pool that one action fills to
    pay for others in the same turn."""
    gear: str = ""
    """The table of the sheet whose entries have such a pool each: "weapons" or "items". It is then named
    POOL:THING, such as `ammo:pistol`."""
    refill: str = ""
    """The action that refills it, such as reload; empty: none."""
    board: str = ""
    """The text for a thing in hand on `crisis status`, with {left} and {thing}; empty: not shown."""
    counts_things: Callable[[Mapping[str, Any]], bool] = lambda entry: False
    """`counts_things(entry)` says of a thing, by its entry on the sheet, whether the pool counts such things, as
    knives to throw, and not what is left in one."""
    full: str = ""
    """The key of a thing on the sheet that says how much is in a full one, such as "capacity"; empty: nothing on the
    sheet can be raised."""
    loose: bool = False
    """Whether more can be carried than a full one holds, as uses of an item, or rounds that no magazine bounds."""

    @classmethod
    def rounds(cls, rule: str, refill: str, label: str = "rounds") -> Pool:
        """The pool of rounds in weapons with a `capacity`, or of thrown ones that are left; an action refills it."""
        is_thrown, board = (lambda weapon: kind_of(weapon) == "thrown"), "{left} in the {thing}"
        pool = cls(label, rule, gear="weapons", refill=refill, board=board, full="capacity")
        return pool._replace(counts_things=is_thrown)

    def grows(self, entry: Mapping[str, Any]) -> bool:
        """Whether more can be carried than a full one holds, given the entry of a thing on the sheet."""
        return bool(self.full) and (self.loose or self.counts_things(entry))

    def counts(self, sheet: Mapping[str, Any], thing: str) -> bool:
        """Whether the pool of a thing on a sheet counts the things themselves."""
        entry = sheet.get(self.gear, {}).get(thing) if self.gear else None
        return entry is not None and self.counts_things(entry)


READIED = "readied"
"""The mark of an action that was made ready, `readied:ACTION`."""


def is_readied(scene: Scene, intent: Intent) -> bool:
    """Whether the actor has made this action ready, so that it may be done out of turn."""
    return f"{READIED}:{intent.action}" in scene.fighters[intent.actor].marks


Requirement = Callable[["Scene", "Intent"], None]
"""A function that refuses an intent if a requirement is not met, and else returns nothing."""


def nothing(table: Any, stake: Any) -> Any:
    """The rule of actions that need no dice."""
    return None


def no_setup(scene: Scene, intent: Intent) -> Setup:
    """The setup of an action that needs nothing from the scene."""
    return Setup(None)


def no_effects(*arguments: Any) -> None:
    """The effects of an action that changes nothing."""


def no_choices(scene: Scene, intent: Intent, setup: Setup, outcome: Any) -> Iterable[Charge]:
    """The choices of an action in which no choice costs anything."""
    return ()


class Action(NamedTuple):
    """One action of a system: what it requires and costs, how it is rolled, and what it changes."""

    title: str
    """What the action does in a few words, as `crisis act --list` shows it."""
    rule_id: str
    """The rule that the record and refusals name for it, such as "D20-7"."""
    setup: Callable[[Scene, Intent], Setup] = no_setup
    """`setup(scene, intent)` refuses what the rules forbid and gives what the dice and the effects need to know."""
    effects: Callable[..., Any] = no_effects
    """`effects(changes, intent, setup, outcome)` writes all that the action changes into `changes`."""
    rule: Rule = nothing
    """`rule(table, dice)` rolls and gives the outcome; it sees nothing but `setup.dice`."""
    costs: tuple[Cost, ...] = ()
    """What every use of the action takes from pools; `Setup.costs` adds what only this use takes."""
    gear: str = ""
    """Where the thing in use is listed on the sheet: "weapons", "items", "weapons items", or nowhere."""
    ai: Opponents = Opponents()
    """What opponents need to know to choose the action."""
    says: Says = Says()
    """Its sentence, and the words for its outcome."""
    out: OutOfTurn = OutOfTurn()
    """When it is allowed outside the actor's turn, and what is different then."""
    targets: str = "none"
    """"none", "one", "many", "any": many or none, "ally": one of one's own side, or "patient": oneself unless
    another is named."""
    outputs: Callable[[Scene, Intent, Any, Any], Mapping[str, Any]] = lambda scene, intent, stake, outcome: {}
    """Further facts about the outcome, such as where a weapon landed or how far a fighter moved."""
    reactions: tuple[str, ...] = ()
    """The names of the reactions that the target may choose, as `--react` accepts them."""
    window: str = "turn"
    """"turn": in the actor's own turn; "any": at any time; "table": not an action of a fighter."""
    odds: ExactOdds = ExactOdds()
    """What the odds of the action may leave out."""
    ends_turn: bool = False
    """Whether the action ends the turn."""
    options: tuple[str, ...] = ()
    """The command-line options it reads. `mod`, `force` and `why` belong to every action and are not named here."""
    requires: tuple[Requirement, ...] = ()
    """Requirements, checked before any roll; `--force` overrides them."""
    sets: Mapping[str, int | bool] = {}
    """Conditions of the actor that it begins (True or a level) or ends (False)."""
    builds: tuple[str, ...] = ()
    """Marks of the actor that it raises by 1."""
    phases: tuple[Phase, ...] = ()
    """Its phases in order, in place of `setup` and `rule`, if other fighters react in the middle of it. The costs
    are those of the first phase; `Setup.dice` of the whole holds the dice of each."""
    result: Callable[..., Any] = last_answer
    """The outcome of an action in phases, from the results of all, or of the first alone if a reaction stops it."""
    choices: Callable[[Scene, Intent, Setup, Any], Iterable[Charge]] = no_choices
    """The charges for choices made during the action, from its outcome (None without dice). The engine charges them
    even if a reaction stops the action."""
    keeps: tuple[str, ...] = ()
    """The marks with `Mark.lost_by` that this action does not clear."""

    @property
    def parts(self) -> tuple[Phase, ...]:
        """Its phases; without phases, one that consists of its setup and its rule."""
        return self.phases or (Phase(lambda scene, intent, before: self.setup(scene, intent), self.rule),)

    def first_setup(self, scene: Scene, intent: Intent) -> Setup:
        """The setup of its first phase, or without phases its setup."""
        return self.phases[0].setup(scene, intent, ()) if self.phases else self.setup(scene, intent)

    @property
    def whole_rule(self) -> Rule:
        """The rule of the whole action, without reactions between its phases."""
        return Phased(self.phases, self.result) if self.phases else self.rule

    def is_released(self, scene: Scene, intent: Intent) -> bool:
        """Whether the action is allowed now outside the actor's own turn: readied, or for another reason."""
        return bool(self.out.ready_rule and is_readied(scene, intent)) or self.out.allowed(scene, intent)

    def is_set_off(self, scene: Scene, intent: Intent) -> bool:
        """Whether the action is taken at `out.costs`: out of turn, or readied in the actor's own turn."""
        if intent.actor in scene.acting:
            return self.out.ready_in_turn and is_readied(scene, intent)
        return self.is_released(scene, intent)


class Start(NamedTuple):
    """The pools, their lowest and highest values, and the weapons in hand with which a fighter starts."""

    pools: Mapping[str, int]
    """What is in each pool, by name."""
    limits: Mapping[str, tuple[int | None, int | None]]
    """The lowest and highest value of each pool by name, None for no bound."""
    held: tuple[str, ...] = ()
    """The weapons in hand, the one in use first."""

    @classmethod
    def of(
        cls, sheet: Mapping[str, Any], pools: Mapping[str, int | tuple[int, int | None, int | None]]
    ) -> Start:
        """A start with the first weapon of the sheet in hand.

        A pool that starts full and cannot go below 0 is one number; any other is (value, lowest, highest), with None
        for no limit.
        """
        whole = {name: (one, 0, one) if isinstance(one, int) else one for name, one in pools.items()}
        return cls(
            {name: now for name, (now, _, _) in whole.items()},
            {name: (low, high) for name, (_, low, high) in whole.items()},
            tuple(sheet["weapons"])[:1],
        )


def no_pools(scene: Scene, side: str) -> Start:
    """A side begins a crisis with no pools."""
    return Start({}, {})


class System(FrozenRecord):
    """A rulebook: the sheet, pools, conditions and actions of a rule system. It is checked when it is created."""

    name: str
    """The name used on sheets: `system = "3d6"`."""
    title: str
    """Its dice in a few words, such as "one die against a guard"."""
    sheet: Section
    """The schema of its sheets, made with `sheet(...)`."""
    pools: Mapping[str, Pool]
    """The pools of a fighter; one with `gear` is a pool for each weapon or item."""
    conditions: Mapping[str, Condition]
    """The conditions by name. The first one that is on is the reason why a fighter cannot act."""
    actions: Mapping[str, Action]
    """The actions by name; `init` rolls for the turn order."""
    start: Callable[[Mapping[str, Any]], Start]
    """The pools of an unhurt fighter with a checked sheet."""
    consequences: Callable[[Changes, str], None] = no_effects
    """`consequences(changes, name)` changes what follows from the new state of a fighter, besides conditions with
    `when`. It is called for each fighter that an action has changed."""
    phases: Mapping[str, Action] = {}
    """Actions that run at "start-round", "end-round", "start-turn", "end-turn" and "end-crisis"; in those of a turn
    the actor is the fighter whose turn it is. With a `rule` a phase rolls dice each time, and its outcome is in the
    record. Its costs and requirements do not count."""
    marks: Mapping[str, Mark] = {}
    """Marks by name: when the engine clears each, and how `crisis status` shows it."""
    reactions: Reactions | None = None
    """How fighters react to actions of others, after or during them (`--answer`): a `Reactions`.
    None: nobody does; what a target chooses in the middle of a roll needs only `RuleTable.choose`."""
    side_pools: Mapping[str, Pool] = {}
    """The pools that a side has in common, by name; `Changes.side` changes them."""
    side_start: Callable[[Scene, str], Start] = no_pools
    """The values with which the pools of a side start a crisis."""
    simultaneous: frozenset[str] = frozenset()
    """Pools in which harm among fighters who act at the same time takes effect when all of them are done."""
    order_each_round: bool = False
    """Whether `init` is rolled again at the start of every round after the first one."""
    counters: tuple[str, ...] = ()
    """Counters of the scene, which no screen shows, such as how near a doom is: `Changes.count` changes them,
    `Scene.counter` gives their values, and the GM sets them (`crisis set NAME 3`)."""
    decks: Mapping[str, tuple[str, ...]] = {}
    """Decks that last through a crisis: the names of their cards by the name of the deck, with no card twice."""
    skills: tuple[str, ...] = ()
    """The skills that every sheet has; sheets may have more."""
    command_options: tuple[CommandOption, ...] = ()
    """The command-line options that only this system has."""
    difficulty: Kind = Absent("difficulty")
    """The values of `--difficulty`; left out: the system has no such option."""
    says: Texts = Texts()
    """How outcomes, rolls and further values read."""
    sheet_rules: SheetRules = SheetRules()
    """What holds for sheets beside their fields: their check, derived values, things without an entry."""
    space: Space = Space()
    """The unit and measure of distances, ranges and cover."""
    rest: Rest = Rest()
    """How wounds heal between crises."""
    history: History = History()
    """What has changed since older journals were written."""
    importers: tuple[str, ...] = ()
    """Where the importers are that make its sheets of files of other programs, each "module:NAME"; they are loaded by
    `crisis character import` alone."""

    def fallen(self, fighter: Fighter) -> str:
        """How a fighter is defeated: "dead", "dying" or "down"; empty if it can still fight (ALL-5)."""
        return defeated(self.conditions, fighter)

    def idle(self, fighter: Fighter) -> tuple[str, str]:
        """Why a fighter cannot act, and the rule; two empty strings if it can."""
        return unable(self.conditions, fighter)

    def scope(self, mark: str) -> str:
        """When a mark such as "aim" or "reach:Bob" is cleared; empty for an unknown mark."""
        kind = mark.partition(":")[0]
        found = self.marks.get(kind)
        return found.scope if found else "turn" if kind == BOUGHT else ""

    def holds_round(self, mark: str) -> bool:
        """Whether the value of a mark is the number of a round."""
        found = self.marks.get(mark.partition(":")[0])
        return found is not None and found.holds_round

    def lost_by(self, mark: str) -> str:
        """The rule by which the next action clears a mark, unless it keeps it; empty for a mark that stays."""
        found = self.marks.get(mark.partition(":")[0])
        return found.lost_by if found else ""

    def follows(self, scene: Scene, who: str) -> Iterator[Event]:
        """The events that follow from the state of a fighter, such as the condition dead at 0 Health."""
        yield from implied(self.conditions, scene, who)
        if self.consequences is not no_effects:
            changes = Changes(scene, declared=self)
            self.consequences(changes, who)
            yield from changes.events

    @property
    def carried(self) -> str:
        """The tables of a sheet that list what a fighter carries, as `weapons items`."""
        listed = (table for row in self.actions.values() for table in row.gear.split())
        return " ".join(dict.fromkeys((*(pool.gear for pool in self.pools.values() if pool.gear), *listed)))

    def is_of_thing(self, pool: str) -> bool:
        """Whether a pool is what is left in a thing, as `ammo:pistol`, and not of the fighter itself."""
        kind = self.pools.get(pool.partition(":")[0])
        return kind is not None and bool(kind.gear)

    def faults(self, sheet: Mapping[str, Any]) -> list[Fault]:
        """What is wrong between one part of a checked sheet and another."""
        of_things = {name: pool.gear for name, pool in self.pools.items() if pool.gear}
        found = (
            *belongings(sheet, of_things, self.carried, self.sheet_rules.single_things),
            *self.sheet_rules.check(sheet),
        )
        return list(dict.fromkeys(found))

    def __post_init__(self) -> None:
        """Adds to the sheet what things have left; BrokenSystem where something is missing or contradicts itself."""
        of_things = {name: (pool.label, pool.gear) for name, pool in self.pools.items() if pool.gear}
        vars(self)["sheet"] = with_supplies(self.sheet, of_things)
        from .system_check import refuse_broken

        refuse_broken(self)


NOT_POSSIBLE = "not_possible"
"""The code of a refusal that only its rule tells apart from others."""


def refuse(
    intent: Intent,
    message: str,
    rule: str,
    hint: str = "",
    *,
    final: bool = False,
    code: str = "",
    first: str = "",
    **about: object,
) -> None:
    """Refuse an action (ALL-7), unless the GM forces it and it is not final.

    `code` is the word for scripts; `about` are further keys for them, such as pool, has and needs of `cannot_pay`.
    `first` is the action that the hint says to take first.
    """
    if final or not intent.get("force"):
        refusal = Refused(
            f"{message} ({rule})", hint=hint, code=code or NOT_POSSIBLE, rule=rule, final=final, **about
        )
        refusal.first = first
        raise refusal
