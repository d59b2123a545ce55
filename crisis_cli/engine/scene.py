"""The scene of a crisis: fighters, order, round and turn; values that do not change."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import Refused
from ..values import NamedTuple

if TYPE_CHECKING:
    from .encounter import Encounter
    from .field import BattleMap

BOUGHT = "bought"
"""The mark of a pool filled up this turn that can be so only once: `bought:POOL`."""
End = tuple[str, int]
"""When a condition ends: the phase ("end-round", "start-turn" …) and the number of the round."""
GEAR_OPTIONS = {"weapon": "weapons", "item": "items"}
"""The options that name a thing of the actor, and the table of a sheet that lists such things."""
UNARMED = "unarmed"
"""Bare hands, where a weapon is named."""
OF_THE_PLACE = "circumstances of the place"
"""The key of a sheet under which the fighters of a prepared action have the circumstances of an encounter that
concern them: the roll, the name and the value of each."""


MOST_FIGHTERS = 100
"""Most fighters in one crisis, those who have left it included."""


def require_room(many: int) -> None:
    """Refused where a crisis would hold so many fighters that it has no room for them."""
    if many > MOST_FIGHTERS:
        raise Refused(
            f"{many:,} fighters; a crisis holds {MOST_FIGHTERS}",
            hint="use fewer fighters, or two crises (--file)",
            code="crowd",
        )


class Fighter(NamedTuple):
    """One fighter: the sheet, and everything that a fight may change."""

    name: str
    """The name on the sheet, with a number for copies: `Drone 2`."""
    side: str
    """The name of the side: "players", "opponents", or another."""
    player: bool
    """Whether the player decides for this fighter."""
    sheet: Mapping[str, Any]
    """The checked sheet: every key of the system with its default filled in."""
    pools: Mapping[str, int]
    """Named counters, what is left or taken; of things as `ammo:pistol`, `uses:bandage`."""
    limits: Mapping[str, tuple[int | None, int | None]]
    """The lowest and highest value of each pool, None for no bound."""
    conditions: Mapping[str, int | bool] = {}
    """The conditions that are on: True, or the level of one that has levels."""
    ends: Mapping[str, End] = {}
    """When each condition ends that ends automatically, by its name."""
    marks: Mapping[str, int] = {}
    """The counters that the rules of the system set and the engine clears (`System.marks`), by name."""
    held: tuple[str, ...] = ()
    """What is in hand, the weapon in use first."""
    at: tuple[float, float] | None = None
    """The position, (x, y); None without one."""
    cover: Mapping[str, str] = {}
    """The level of cover from other fighters, by their names, where it was set and does not come from the map."""
    file: str = ""
    """The sheet's path; empty for a copy, which is never written back."""
    gone: bool = False
    """Whether the fighter has left the crisis."""
    yielded: bool = False
    """Whether the fighter has surrendered: still there, and out of the fight."""
    mind: str = ""
    """The doctrine it follows when it plays itself; empty for that of its sheet."""

    @property
    def doctrine(self) -> str:
        """The name of the doctrine that it follows when it plays itself."""
        # Sheets in older journals call it a mind.
        said: str = self.mind or self.sheet.get("doctrine") or self.sheet.get("mind", "")
        return said

    def has(self, condition: str) -> bool:
        """Whether a condition is on, at any level."""
        return bool(self.conditions.get(condition))

    def holds(self, condition: str, when: Callable[[Fighter], bool] | None) -> bool:
        """Whether a condition is on, or must be as the pools stand (`Condition.when`)."""
        return bool(self.conditions.get(condition) or (when is not None and when(self)))

    def level(self, condition: str) -> int:
        """The level of a condition; 0 if it is not on, 1 if it has no levels."""
        return int(self.conditions.get(condition, 0))

    def has_bought(self, pool: str) -> bool:
        """Whether a pool has been filled up this turn that can be filled up only once a turn (`Conversion.once`)."""
        return bool(self.marks.get(f"{BOUGHT}:{pool}"))

    def marks_of(self, kind: str) -> dict[str, int]:
        """The marks of a kind by their keys: the mark `reach:Bob` of the kind `reach` has the key `Bob`."""
        return {
            mark[len(kind) + 1 :]: value for mark, value in self.marks.items() if mark.startswith(f"{kind}:")
        }

    def carried(self, listed: str) -> dict[str, Any]:
        """The things of some tables of the sheet, as `weapons` or `weapons items`."""
        return {name: thing for table in listed.split() for name, thing in self.sheet.get(table, {}).items()}

    def with_pools(self, pools: Mapping[str, int]) -> Fighter:
        """The fighter with other values in some pools."""
        return self._replace(pools={**self.pools, **pools})

    def with_entry(self, field: str, key: str, value: Any) -> Fighter:
        """The fighter with another entry in `conditions`, `ends`, `marks` or `cover`; None takes it out."""
        values = {name: other for name, other in getattr(self, field).items() if name != key}
        if value is not None:
            values[key] = value
        changed: dict[str, Any] = {field: values}
        return self._replace(**changed)

    def full(self, pool: str) -> int:
        """The highest value of a pool, or what is in it where nothing bounds it."""
        high = self.limits.get(pool, (0, None))[1]
        return self.pools.get(pool, 0) if high is None else high

    def bounded(self, pool: str, value: int) -> int:
        """The value brought inside the bounds of the pool."""
        low, high = self.limits.get(pool, (0, None))
        if high is not None:
            value = min(value, high)
        return value if low is None else max(value, low)


class Cover(NamedTuple):
    """What covers a fighter from another."""

    level: str = "none"
    source: str = "cover"
    """Where it comes from: "cover" if it was set for the two, else what stands on the map."""
    penetrable: bool = False
    """Whether shots pass through it."""


PASSED = {"total": "none"}
"""What a level of cover becomes against a foe who has come beside, if a system does not say."""


class Scene(NamedTuple):
    """The whole state of a crisis: fighters, turn order, round and turn. All that rules may read."""

    system: str
    """The name of the rule system."""
    fighters: Mapping[str, Fighter]
    """Everybody in the crisis by name, those who have left it included."""
    open: bool = False
    """True in a crisis, False in a one-off command."""
    order: tuple[str, ...] = ()
    """The names in turn order, first to act first."""
    scores: Mapping[str, int] = {}
    """The scores that the order follows, by name."""
    round: int = 0
    """The round being played; 0 is the extra one of those who surprise or begin."""
    turn: str = ""
    """Whose turn it is; empty before the first."""
    early: tuple[str, ...] = ()
    """Who acts in round 0."""
    teams: tuple[tuple[str, ...], ...] = ()
    """The order in groups that act at the same time; empty where everyone acts alone."""
    group: tuple[str, ...] = ()
    """Of the group whose turn it is, those who are not done yet; empty where everyone acts alone."""
    pending: tuple[tuple[str, str, int, str], ...] = ()
    """Harm to members of that group that takes effect when all of them are done: who, pool, by how much, rule."""
    in_sequence: bool = False
    """Whether harm in a group takes effect at once."""
    sides: Mapping[str, Mapping[str, int]] = {}
    """What is in the pools of each side; what is empty is not listed."""
    over: bool = False
    """The crisis has been ended."""
    field: BattleMap | None = None
    """The terrain; None without a map."""
    encounter: Encounter | None = None
    """The encounter that is played, with what happens in it by itself."""
    fired: tuple[int, ...] = ()
    """The numbers of the encounter's events that have happened, in their order; below 0 where the dice said no."""
    late: tuple[str, ...] = ()
    """Fighters who came in this round and act from the next one on, and those who came back after their turn of this
    round."""
    left: Mapping[str, bool] = {}
    """Fighters who have left in this round, each with whether its turn of the round was over."""

    shares_rolls: bool = False
    """Whether copies of a sheet roll once for the turn order of each round (`System.order_each_round`)."""
    counters: Mapping[str, int] = {}
    """The counters of the scene (`System.counters`), which no screen shows; what is 0 is not listed."""
    dealt: Mapping[str, tuple[str, ...]] = {}
    """The cards that are out, by the name of their deck (`System.decks`)."""

    @property
    def won_by(self) -> str:
        """The side that an event of the encounter has made the winner; empty if none has."""
        if not self.fired or self.encounter is None:
            return ""
        events = self.encounter.triggers
        return next((events[one - 1].wins for one in self.fired if one > 0 and events[one - 1].wins), "")

    @property
    def known_field(self) -> BattleMap | None:
        """The terrain as the players may know it: without what a secret event brings."""
        field, encounter = self.field, self.encounter
        return field if field is None or encounter is None else encounter.known_field(field, self.fired)

    @property
    def is_extra_round(self) -> bool:
        """Whether the round is the extra one before the first, or none has begun."""
        return self.round == 0

    @property
    def acting(self) -> tuple[str, ...]:
        """The fighters whose turn it is."""
        return self.group or ((self.turn,) if self.turn else ())

    @property
    def together(self) -> tuple[str, ...]:
        """All of the group that acts at the same time now, those who are done included."""
        if not self.group:
            return ()
        return next((team for team in self.teams if self.group[0] in team), self.group)

    def of_side(self, side: str) -> tuple[Fighter, ...]:
        """The fighters of a side that are still there."""
        return tuple(one for one in self.fighters.values() if one.side == side and not one.gone)

    def foes(self, name: str) -> tuple[Fighter, ...]:
        """The fighters of other sides that are still there."""
        side = self.fighters[name].side
        return tuple(one for one in self.fighters.values() if one.side != side and not one.gone)

    def among(self, *names: str) -> Scene:
        """The scene with these fighters only."""
        return self._replace(fighters={name: self.fighters[name] for name in names if name in self.fighters})

    def with_fighter(self, fighter: Fighter) -> Scene:
        """The scene with a fighter in another state."""
        return self._replace(fighters={**self.fighters, fighter.name: fighter})

    def side_pool(self, side: str, pool: str) -> int:
        """What is in a pool of a side."""
        return self.sides.get(side, {}).get(pool, 0)

    def counter(self, name: str) -> int:
        """The value of a counter of the scene, 0 at first."""
        return self.counters.get(name, 0)

    def left_in(self, deck: str, cards: Sequence[str]) -> tuple[str, ...]:
        """Those of a deck's cards that are not out, in their order."""
        out = self.dealt.get(deck, ())
        return tuple(card for card in cards if card not in out)

    def with_side_pool(self, side: str, pool: str, value: int) -> Scene:
        """The scene with another value in a pool of a side."""
        pools = {name: left for name, left in {**self.sides.get(side, {}), pool: value}.items() if left}
        others = {name: theirs for name, theirs in self.sides.items() if name != side}
        return self._replace(sides={**others, side: pools} if pools else others)

    def distance(self, one: str, other: str) -> int | None:
        """Metres between two fighters, rounded half up (ALL-4); None without positions."""
        here, there = self.fighters[one].at, self.fighters[other].at
        if here is None or there is None:
            return None
        return distance(here, there)

    def cover(
        self, name: str, foe: str, near: int, passed: Mapping[str, str] = PASSED, said: str | None = None
    ) -> Cover:
        """The cover of a fighter from a foe. A foe within `near` has got round it: its level is then the one that
        `passed` gives for it, by default none for total cover. `said` is the level of `--cover`, which counts instead.
        """
        if said is not None:
            return Cover(said, "--cover")
        found = self.cover_between(name, foe)
        gap = self.distance(name, foe) if found.level in passed else None
        return found if gap is None or gap > near else found._replace(level=passed[found.level])

    def cover_between(self, name: str, foe: str) -> Cover:
        """A fighter's cover from a foe at whatever distance: what was set for the two, else what the map gives."""
        level = self.fighters[name].cover.get(foe)
        if level is None and self.field is not None and foe != name and foe in self.fighters:
            here, there = self.fighters[name].at, self.fighters[foe].at
            shelter = self.field.cover(here, there) if here and there else None
            if shelter is not None:
                return Cover(shelter.level, shelter.source, shelter.terrain.penetrable)
        return Cover(level or "none")

    def sees(self, one: str, other: str) -> bool:
        """Whether nothing on the map stops sight between two fighters; those without a position always see."""
        here, there = self.fighters[one].at, self.fighters[other].at
        return self.field is None or not here or not there or self.field.sees(here, there)

    def way(
        self,
        here: Sequence[float],
        there: Sequence[float],
        measure: Callable[[Sequence[float], Sequence[float]], int] | None = None,
    ) -> int:
        """How far it is to walk from one place to another, round what stands between; where no way leads there, and
        without a map, the distance as `measure` has it."""
        found = None if self.field is None else self.field.way(here, there)
        return (measure or distance)(here, there) if found is None else int(found.length + 0.5)

    @staticmethod
    def between(here: Sequence[float], there: Sequence[float]) -> int:
        """The distance between two places, rounded half up (ALL-4)."""
        return distance(here, there)

    def straight(self, here: Sequence[float], there: Sequence[float]) -> int | None:
        """How far it is in a straight line to a place; None where anything on the map stands in the line."""
        found = distance(here, there) if self.field is None else self.field.straight(here, there)
        return None if found is None else int(found + 0.5)

    def is_first_step(self, here: Sequence[float], there: Sequence[float], most: int) -> bool:
        """Whether a place is in the next cell of the map and within `most` in a straight line, however slow the ground
        is: a fighter can always take one step."""
        return self.field is not None and self.field.is_step(here, there) and distance(here, there) <= most

    def acted(self, name: str) -> bool:
        """Whether a fighter's turn of this round is over, or there is none for it."""
        if name in self.late:
            return True
        order = self.early if self.is_extra_round else self.order
        if self.turn not in order or name not in order:
            return False
        return order.index(name) < order.index(self.turn)

    def next_round_end(self, name: str) -> End | None:
        """The end of this round, or of the next for a fighter who has already acted in it; None outside a crisis."""
        return ("end-round", self.round + self.acted(name)) if self.open else None

    def team_after(self, name: str) -> tuple[str, ...]:
        """The fighters whose turn comes after that of a fighter in this round, often one. Without a name the first of
        the round; empty at the end of it."""
        teams = self.teams_in_line()
        at = next((number for number, team in enumerate(teams) if name in team), -1) + 1
        return teams[at] if at < len(teams) else ()

    def teams_in_line(self) -> tuple[tuple[str, ...], ...]:
        """The fighters who act in this round in their order, those together who act at the same time."""
        teams = self.teams or tuple([(one,) for one in self.order])
        if self.is_extra_round:
            teams = tuple(tuple(one for one in team if one in self.early) for team in teams)
        return tuple([team for team in teams if team])

    def asks(self, name: str) -> bool:
        """Whether the player of a fighter can be asked for a decision in the middle of an action."""
        return self.open and self.fighters[name].player


def distance(here: Sequence[float], there: Sequence[float]) -> int:
    """The distance between two places, rounded half up (ALL-4)."""
    exact: float = ((here[0] - there[0]) ** 2 + (here[1] - there[1]) ** 2) ** 0.5
    return int(exact + 0.5)


class Intent(NamedTuple):
    """An action that a fighter wants to take: action, actor, targets and options."""

    action: str
    """The name of the action in `System.actions`."""
    actor: str = ""
    """The name of the fighter who acts."""
    targets: tuple[str, ...] = ()
    """The names of the targets, in the order in which they were named."""
    options: Mapping[str, Any] = {}
    """Words and numbers of the command, fit for JSON; absent means not given."""

    def get(self, option: str, default: Any = None) -> Any:
        """The value of an option, or the default."""
        return self.options.get(option, default)

    def plus(self, **options: Any) -> Intent:
        """The intent with more options, or other values of some."""
        return self._replace(options={**self.options, **options})

    @property
    def target(self) -> str:
        """The name of the first target; empty without targets."""
        return self.targets[0] if self.targets else ""

    @property
    def patient(self) -> str:
        """The name of the first target, or of the actor without targets: the fighter who is treated."""
        return self.targets[0] if self.targets else self.actor


def slug(name: str) -> str:
    """A name in one word, as commands take it."""
    return name.casefold().replace(" ", "-")
