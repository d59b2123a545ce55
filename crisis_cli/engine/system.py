"""What a rulebook is: a `System`, and the rows it is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import BrokenSystem, Refused
from ..values import FrozenRecord, NamedTuple
from .changes import Changes
from .command_option import CommandOption
from .conditions import Condition, defeated, implied, unable
from .events import Event
from .kinds import Absent, Fault, Kind
from .phases import Phase, Phased, last_answer
from .reactions import Reactions
from .rule_change import RuleChange
from .scene import BOUGHT, Fighter, Intent, Scene, distance
from .schema import Section
from .setup import Charge as Charge
from .setup import Cost as Cost
from .setup import Setup as Setup
from .sheet import belongings, with_supplies
from .unit import METRES, Unit
from .wording import Mark, OutcomeWord, Output, RollWords

if TYPE_CHECKING:
    from ..dice.table import Rule


class Conversion(NamedTuple):
    """What a pool can be filled up from while something is paid out of it."""

    pool: str
    """Another pool of the fighter, or one of the side."""
    takes: int = 1
    """So many of that pool …"""
    gives: int = 1
    """… give so many of this."""
    once: bool = False
    """Only once a turn, remembered under the mark `bought:POOL`."""


class Pool(NamedTuple):
    """A named counter of a fighter or a side."""

    label: str
    """What the player calls it."""
    rule: str = ""
    lasting: bool = True
    """Whether sheets keep it after the crisis."""
    spent: bool = False
    """What actions cost the fighter each turn: not checked, nor charged, in a one-off."""
    taken: bool = False
    """Counts up: what has been taken, not what is left."""
    long: str = ""
    """The rule by which a cost above its height is paid over several turns; empty: there is none."""
    made_of: Conversion | None = None
    """Other pools that can be turned into this one, automatically if it runs short."""
    renewed: bool = False
    """Whether every turn renews it; such gains are not shown."""
    usual: bool = False
    """Full as a rule: the board shows it only where it is not."""
    guards: bool = False
    """Worn down in place of its owner: to lose of it is harm."""
    a_turn: str = ""
    """Where it may hold more than a turn gives: the key of the sheet that says how much that is."""
    gear: str = ""
    """The table of the sheet that lists the things that have one each: "weapons", "items"; the pool of a thing is
    then called POOL:THING, as `ammo:pistol`."""
    refill: str = ""
    """The action that fills it again for a thing; empty: none."""
    board: str = ""
    """How the board shows it for a thing in hand, with {left} and {thing}; empty: not at all."""


READIED = "readied"
"""The mark of an action that was made ready, `readied:ACTION`."""


def is_readied(scene: Scene, intent: Intent) -> bool:
    """Whether the actor has made this action ready, so that it may be done out of turn."""
    return f"{READIED}:{intent.action}" in scene.fighters[intent.actor].marks


Requirement = Callable[["Scene", "Intent"], None]
"""Refuses an intent where what it asks for does not hold."""


def nothing(table: Any, stake: Any) -> Any:
    """The rule of actions that need no dice."""
    return None


def no_setup(scene: Scene, intent: Intent) -> Setup:
    """The setup of an action that looks at nothing beforehand."""
    return Setup(None)


def no_effects(*arguments: Any) -> None:
    """The effects of an action that changes nothing."""


def no_choices(scene: Scene, intent: Intent, setup: Setup, outcome: Any) -> Iterable[Charge]:
    """The choices of an action that leaves nobody any that cost something."""
    return ()


class Action(NamedTuple):
    """A row of a system's action table."""

    title: str
    """What it does, in a few words."""
    rule_id: str
    setup: Callable[[Scene, Intent], Setup] = no_setup
    effects: Callable[..., Any] = no_effects
    rule: Rule = nothing
    costs: tuple[Cost, ...] = ()
    gear: str = ""
    """Where the thing in use is listed on the sheet: "weapons", "items", "weapons items", or nowhere."""
    candidates: Callable[[Scene, str], Iterable[Intent]] | None = None
    """Intents worth considering for a fighter; None: the action alone."""
    upgrades: Callable[[Scene, Intent], Iterable[Intent]] = lambda scene, intent: ()
    """Of one of them, those that do the same with more care or at a higher price: what could be bought with it."""
    targets: str = "none"
    """"none", "one", "many", "any": many or none, "ally": one of one's own side, or "patient": oneself unless
    another is named."""
    words: tuple[str, str] | None = None
    """How the record calls the outcome: where it is a success, and where it is none; None: by its own `word`."""
    counts: str = ""
    """What the `total` of its outcome is, in odds: `hits`, `successes`; empty: as the outcome's `counted` says."""
    outputs: Callable[[Scene, Intent, Any, Any], Mapping[str, Any]] = lambda scene, intent, stake, outcome: {}
    """Further facts about the outcome, such as where a weapon landed or how far a fighter moved."""
    reactions: tuple[str, ...] = ()
    """What the target may answer it with, as `--react` calls it."""
    window: str = "turn"
    """"turn": in the actor's own turn; "any": at any time; "table": not an action of a fighter."""
    out_of_turn: Callable[[Scene, Intent], bool] = lambda scene, intent: False
    """Whether it is allowed now outside its own turn for a reason other than `ready_rule`, such as overwatch."""
    out_costs: tuple[Cost, ...] | None = None
    """What it costs then, where that is something else."""
    out_effects: Callable[[Changes, Intent], None] | None = None
    """What it changes besides when it is done out of turn: what allowed that is used up."""
    bare: Callable[[Any], Any] = lambda outcome: outcome
    """The outcome without what its effects do not look at: odds work out the effects of equal ones once."""
    ends_turn: bool = False
    """Whether the turn is over with it."""
    options: tuple[str, ...] = ()
    """Options of the command line that it reads, beside those of every action."""
    requires: tuple[Requirement, ...] = ()
    """What must hold before any die falls; each refuses where it does not, and `--force` overrides it."""
    sets: Mapping[str, int | bool] = {}
    """Conditions of the actor that it begins (True or a level) or ends (False)."""
    builds: tuple[str, ...] = ()
    """Marks of the actor that go up by 1."""
    says: str | Mapping[str, str] = ""
    """The sentence for it, with {actor}, {target}, {gear}, {skill}; or several by variant: the kind or type of the
    weapon, "unarmed", "self" (the actor is the target), "many" (several targets), "bare" (no thing in use; with a
    variant "self:bare"), "paid" (a cost paid over several turns), "" for the rest."""
    ai: bool = True
    """Whether opponents consider it; False for what only the player can judge."""
    ready_rule: str = ""
    """The rule by which it can be made ready, and then be done once out of turn; empty: it cannot."""
    phases: tuple[Phase, ...] = ()
    """In place of `setup` and `rule`, where others decide in the middle of it: its parts in their order. The costs
    are those of the first; `Setup.dice` of the whole has the dice of each."""
    result: Callable[..., Any] = last_answer
    """The outcome of an action in phases, given their answers; of the first ones alone where it is lost after them."""
    choices: Callable[[Scene, Intent, Setup, Any], Iterable[Charge]] = no_choices
    """What was chosen on the way, by the outcome (None without dice), and what it costs whom: the engine charges it,
    even where the action is lost."""
    keeps: tuple[str, ...] = ()
    """Of the marks that are built up (`Mark.lost_by`) those that it does not end."""

    @property
    def parts(self) -> tuple[Phase, ...]:
        """Its phases; its setup and its rule as the only one where it has none."""
        return self.phases or (Phase(lambda scene, intent, before: self.setup(scene, intent), self.rule),)

    def first_setup(self, scene: Scene, intent: Intent) -> Setup:
        """The setup of its first phase, or of the whole where it has none."""
        return self.phases[0].setup(scene, intent, ()) if self.phases else self.setup(scene, intent)

    @property
    def whole_rule(self) -> Rule:
        """The rule of the whole action, which nobody interrupts."""
        return Phased(self.phases, self.result) if self.phases else self.rule

    def is_released(self, scene: Scene, intent: Intent) -> bool:
        """Whether it is allowed now outside the actor's own turn: readied, or for another reason."""
        return bool(self.ready_rule and is_readied(scene, intent)) or self.out_of_turn(scene, intent)


class Start(NamedTuple):
    """What a sheet gives a fighter to begin with."""

    pools: Mapping[str, int]
    limits: Mapping[str, tuple[int | None, int | None]]
    held: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, sheet: Mapping[str, Any], pools: Mapping[str, int | tuple[int, int | None, int | None]]
    ) -> Start:
        """A start with the first weapon of the sheet in hand.

        A pool is a number where it begins full and cannot go below 0, else what is in it, its lowest value and its
        highest (None: no bound).
        """
        whole = {name: (one, 0, one) if isinstance(one, int) else one for name, one in pools.items()}
        return cls(
            {name: now for name, (now, _, _) in whole.items()},
            {name: (low, high) for name, (_, low, high) in whole.items()},
            tuple(sheet["weapons"])[:1],
        )


NO_RANGE, NO_COVER, NO_DIFFICULTY = Absent("range"), Absent("cover"), Absent("difficulty")
"""What the options take in a system that has no such thing."""


def no_pools(scene: Scene, side: str) -> Start:
    """A side begins a crisis with no pools."""
    return Start({}, {})


def no_derived(fighter: Fighter) -> Mapping[str, int]:
    """No values follow from the sheet but the pools."""
    return {}


class System(FrozenRecord):
    """A rulebook as a value: what a sheet holds, what a fighter can do, and what follows from it."""

    name: str
    """As sheets give it: `system = "3d6"`."""
    title: str
    """Its dice and what it is about, in a few words."""
    sheet: Section
    pools: Mapping[str, Pool]
    """The pools of a fighter; one with `gear` is a pool for each weapon or item."""
    conditions: Mapping[str, Condition]
    actions: Mapping[str, Action]
    """The actions by name; `init` rolls for the turn order."""
    start: Callable[[Mapping[str, Any]], Start]
    """The pools of an unhurt fighter with a checked sheet."""
    consequences: Callable[[Changes, str], None] = no_effects
    """What follows from the state of a fighter beside the conditions that say when they are on; called with the name
    of each fighter of whom something has changed."""
    derived: Callable[[Fighter], Mapping[str, int]] = no_derived
    """Values by name that follow from the sheet and are no pools, for `character show`: initiative, defence."""
    check_sheet: Callable[[Mapping[str, Any]], list[Fault]] = lambda sheet: []
    """The faults between one part of a checked sheet and another, beside things in [state] that are not on it."""
    single_things: tuple[str, ...] = ()
    """Tables of the sheet that are one thing to hold: "shield"."""
    complete_sheet: Callable[[Any, Mapping[str, Any]], Mapping[str, Any]] | None = None
    """`(table, sheet)` → values that dice decide when a sheet is made; None: there are none."""
    phases: Mapping[str, Action] = {}
    """What happens at "start-round", "end-round", "start-turn", "end-turn" and "end-crisis"; in a turn the actor is
    whose turn it is."""
    marks: Mapping[str, Mark] = {}
    """Marks: when the core clears them, and how the board shows them."""
    rolls: Mapping[str, RollWords] = {}
    """How rolls beside the one that decides an action read, by their label."""
    words: Mapping[str, OutcomeWord] = {}
    """How the outcomes of this system read, by `outcome.word`, beside those of all systems ("hit", "failure" …)."""
    counted: tuple[str, ...] = ()
    """What outcomes and rolls count beside "criticals", in the plural: "extras", "complications"."""
    outputs: Mapping[str, Output] = {}
    """What actions of this system report, by key, in the order of the JSON record."""
    reactions: Reactions | None = None
    """Who may react to what others do in their turn, with an action out of turn or in the middle of it (`--answer`);
    None: nobody."""
    side_pools: Mapping[str, Pool] = {}
    side_start: Callable[[Scene, str], Start] = no_pools
    """What a side begins a crisis with in the side pools."""
    changes: tuple[RuleChange, ...] = ()
    """Rules that gave something else when older journals were written."""
    simultaneous: frozenset[str] = frozenset()
    """Pools in which harm within a group that acts at the same time counts only when the group is done."""
    skills: tuple[str, ...] = ()
    """What a check can be of on every sheet; sheets may have more."""
    command_options: tuple[CommandOption, ...] = ()
    """The options of the command line that only this system has."""
    unit: Unit = METRES
    """What distances are counted in."""
    distance: Callable[[Sequence[float], Sequence[float]], int] = distance
    """How far it is from one place to another, in whole units (ALL-4)."""
    range: Kind = NO_RANGE
    """What `--range` takes."""
    cover: Kind = NO_COVER
    """What `--cover` takes."""
    difficulty: Kind = NO_DIFFICULTY
    """What `--difficulty` takes."""

    def fallen(self, fighter: Fighter) -> str:
        """ "dead", "dying" or "down"; empty for a fighter who can go on (ALL-5)."""
        return defeated(self.conditions, fighter)

    def idle(self, fighter: Fighter) -> tuple[str, str]:
        """Why a fighter cannot act, and the rule; two empty words for one who can."""
        return unable(self.conditions, fighter)

    def scope(self, mark: str) -> str:
        """When a mark such as "aim" or "reach:Bob" is cleared; empty for one that the system does not have."""
        kind = mark.partition(":")[0]
        found = self.marks.get(kind)
        return found.scope if found else "turn" if kind == BOUGHT else ""

    def lost_by(self, mark: str) -> str:
        """The rule by which the next action that does not keep a mark ends it; empty for a mark that stays."""
        found = self.marks.get(mark.partition(":")[0])
        return found.lost_by if found else ""

    def follows(self, scene: Scene, who: str) -> Iterator[Event]:
        """What must follow from the state of a fighter: dead at no health, and so on."""
        yield from implied(self.conditions, scene, who)
        if self.consequences is not no_effects:
            changes = Changes(scene)
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
        found = (*belongings(sheet, of_things, self.carried, self.single_things), *self.check_sheet(sheet))
        return list(dict.fromkeys(found))

    def __post_init__(self) -> None:
        """Adds to the sheet what things have left; BrokenSystem where something is missing or contradicts itself."""
        of_things = {name: (pool.label, pool.gear) for name, pool in self.pools.items() if pool.gear}
        vars(self)["sheet"] = with_supplies(self.sheet, of_things)
        wrong = list(problems(self))
        if wrong:
            more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
            raise BrokenSystem(f"{self.name}: {wrong[0]}{more}", hint="; ".join(wrong[1:]), problems=wrong)


def refuse(intent: Intent, message: str, rule: str, hint: str = "", *, final: bool = False) -> None:
    """Refuse an action (ALL-7), unless the GM forces it and it is not final."""
    if final or not intent.get("force"):
        raise Refused(f"{message} ({rule})", hint=hint, rule=rule, final=final)


TARGETS = ("none", "one", "many", "any", "ally", "patient")
WINDOWS = ("turn", "any", "table")
LIFETIMES = ("action", "turn", "round", "crisis")
MOMENTS = ("start-round", "end-round", "start-turn", "end-turn", "end-crisis")
OPTION_KINDS = ("flag", "whole", "text", "choice", "names", "doings")
SHARED_OPTIONS = {
    *("at", "behind", "cover", "deed", "difficulty", "enemies", "item", "mod_damage"),
    *("penetrable", "range", "shots", "thing", "to", "vs", "weapon"),
}
"""Options of the command line that rows of every system may name, beside the system's own."""


def problems(system: System) -> Iterator[str]:
    """What is wrong with a rulebook, a clause for each; nothing where it can be played."""
    if not system.name or system.name != system.name.strip().lower():
        yield f"its name {system.name!r} is not a word in lower case"
    if not system.title:
        yield "it has no title"
    if "init" not in system.actions:
        yield "it has no action 'init', which decides the turn order"
    for name, row in (
        *system.actions.items(),
        *((f"phase {name}", row) for name, row in system.phases.items()),
    ):
        what = name if name.startswith("phase ") else f"action {name!r}"
        yield from (f"{what} {said}" for said in _wrong_with_action(system, row))
    yield from _unknown("phase", system.phases, MOMENTS)
    for name, pool in (*system.pools.items(), *system.side_pools.items()):
        yield from (f"pool {name!r} {said}" for said in _wrong_with_pool(system, pool))
    for name in system.simultaneous - set(system.pools):
        yield f"simultaneous names {name!r}, which is no pool of {system.name}"
    for name in system.marks:
        lifetime = system.scope(name)
        if lifetime not in LIFETIMES:
            yield f"mark {name!r} lasts {lifetime!r}, not one of {', '.join(LIFETIMES)}"
    yield from _wrong_with_state(system)
    yield from _wrong_with_options(system)


def _wrong_with_action(system: System, row: Action) -> Iterator[str]:
    if not row.title:
        yield "has no title"
    for part in ("setup", "rule", "effects"):
        if not callable(getattr(row, part)):
            yield f"has a {part} that is no function"
    for cost in (*row.costs, *(row.out_costs or ())):
        yield from _wrong_with_cost(system, row, cost)
    if row.targets not in TARGETS:
        yield f"has targets {row.targets!r}, not one of {', '.join(TARGETS)}"
    if row.window not in WINDOWS:
        yield f"has window {row.window!r}, not one of {', '.join(WINDOWS)}"
    for listed in row.gear.split():
        if listed not in system.sheet.fields:
            yield f"takes its gear from {listed!r}, which no sheet of {system.name} has"
    own = {name for option in system.command_options for name in (option.name, option.key)}
    for name in row.options:
        if name not in SHARED_OPTIONS | own:
            yield f"takes --{name.replace('_', '-')}, which is no option of {system.name}"


def _wrong_with_cost(system: System, row: Action, cost: Cost) -> Iterator[str]:
    pool = cost.pool.partition(":")[0]
    if pool not in system.pools and pool not in system.side_pools:
        yield f"costs {cost.pool!r}, which is no pool of {system.name}"
    if cost.gear and not row.gear:
        yield f"has a cost that its gear may change ({cost.gear!r}), and no gear"


def _wrong_with_pool(system: System, pool: Pool) -> Iterator[str]:
    if not pool.label:
        yield "has no label"
    source = pool.made_of
    if source is not None and source.pool not in system.pools and source.pool not in system.side_pools:
        yield f"is made of {source.pool!r}, which is no pool of {system.name}"
    if source is not None and (source.takes < 1 or source.gives < 1):
        yield f"is made of {source.takes} {source.pool} for {source.gives}"
    if pool.a_turn and pool.a_turn not in system.sheet.fields:
        yield f"gains {pool.a_turn!r} a turn, which no sheet of {system.name} has"
    if pool.gear and pool.gear not in system.sheet.fields:
        yield f"belongs to things under {pool.gear!r}, which no sheet of {system.name} has"
    if pool.refill and pool.refill not in system.actions:
        yield f"is filled again by {pool.refill!r}, which is no action of {system.name}"


def _wrong_with_state(system: System) -> Iterator[str]:
    """Where sheets cannot keep what lasts after a crisis, or keep what the system does not have."""
    state = system.sheet.fields["state"].kind if "state" in system.sheet.fields else None
    if not isinstance(state, Section):
        yield "its sheets have no [state], where they keep what a crisis has changed"
        return
    for name, pool in system.pools.items():
        if pool.lasting and name not in state.fields:
            yield f"pool {name!r} lasts after a crisis, and [state] of a sheet cannot hold it"
    conditions = _words(state.fields["conditions"].kind) if "conditions" in state.fields else ()
    for name, condition in system.conditions.items():
        if not condition.title:
            yield f"condition {name!r} has no title"
        if condition.lasting and name not in conditions:
            yield f"condition {name!r} lasts after a crisis, and [state] of a sheet cannot hold it"
    for name in conditions:
        if name not in system.conditions:
            yield f"[state] of a sheet holds {name!r}, which is no condition of {system.name}"


def _words(kind: Any) -> tuple[str, ...]:
    """The names that the conditions of a sheet can be."""
    levels = getattr(kind, "table", None)
    return tuple(getattr(levels, "words", ()))


def _wrong_with_options(system: System) -> Iterator[str]:
    for option in system.command_options:
        if option.kind not in OPTION_KINDS:
            yield f"option --{option.name} is of kind {option.kind!r}, not one of {', '.join(OPTION_KINDS)}"
        if option.kind == "choice" and not option.values:
            yield f"option --{option.name} is a choice without values"
        if option.instead and option.instead not in system.actions:
            yield f"option --{option.name} stands for {option.instead!r}, which is no action of {system.name}"


def _unknown(what: str, given: Mapping[str, object], known: Iterable[str]) -> Iterator[str]:
    for name in given:
        if name not in known:
            yield f"{what} {name!r} is not one of {', '.join(known)}"
