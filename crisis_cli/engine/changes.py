"""What an action changes: a collector of events whose reads are as current as the last change."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, Protocol

from ..dice.itemized import items_of
from ..errors import RulebookMistake
from ..values import NamedTuple
from .conditions import Condition, no_end, wrong_with_end
from .events import SIDE, Event, apply_all, held_now, is_same
from .scene import End, Fighter, Scene

ROLLED = "rolled"
"""The part of a number that the dice of a roll themselves came to."""
LIMIT = "limit"
"""The part of a number that the bounds of its pool take off or add."""
COST = "cost"
"""The part of a number that an action is paid with."""
RENEWED, LAPSED = "renewed", "lapsed"
"""The only part of what a turn brings, or of what is lost when it ends."""


class Part(NamedTuple):
    """One of the numbers that add up to what a pool changes by."""

    name: str
    value: int
    rule: str
    roll: str = ""
    """The roll that it comes from, such as "damage"; empty for what has no part in a roll: armour, a limit."""


class Number:
    """The number by which a pool changes, added up part by part so that the record can explain it.

    This class keeps the total alone, for odds and simulation. `Changes.number` makes numbers that keep their parts
    where an action is recorded.
    """

    __slots__ = ("rule", "total")

    def __init__(self, rule: str):
        self.total = 0
        """The sum of all that has been added."""
        self.rule = rule
        """The rule of what is added without one, and of the change that the number makes."""

    def add(self, name: str, value: int, rule: str = "", roll: str = "") -> Number:
        """Add a value under a name. `rule` is the rule behind it, if that is not the rule of the number; `roll` is the
        roll that it is a part of."""
        self.total += value
        return self

    def from_dice(self, roll: str, value: int, rule: str = "") -> Number:
        """Add the result of a roll by its label, modifiers included; the record shows the modifiers apart.

        What `RuleTable.plus` has added to the result becomes a part of its own.
        """
        return self.add(ROLLED, value, rule, roll)

    def absorb(self, name: str, by: int, rule: str = "") -> Number:
        """Bring the total `by` nearer to 0, never past it: armour, protection, resistance."""
        taken = min(max(0, by), abs(self.total))
        return self.add(name, taken if self.total < 0 else -taken, rule)

    def join(self, other: Number) -> Number:
        """Add all the parts of another number."""
        self.total += other.total
        return self

    @property
    def parts(self) -> tuple[Part, ...]:
        """What it is made of; nothing where only the total is kept."""
        return ()


class ExplainedNumber(Number):
    """A number that remembers its parts, for the record of an action."""

    __slots__ = ("_parts",)

    def __init__(self, rule: str):
        super().__init__(rule)
        self._parts: list[Part] = []

    def add(self, name: str, value: int, rule: str = "", roll: str = "") -> Number:
        """Add a value under a name, and remember it unless it is 0; a true answer counts 1."""
        if value:
            self.total += value
            self._parts.append(Part(name, int(value), rule or self.rule, roll))
        return self

    def from_dice(self, roll: str, value: int, rule: str = "") -> Number:
        """Add what a roll came to, and remember apart from it what a rule has added to that."""
        more = items_of(value)
        self.add(ROLLED, value - sum(worth for _, worth, _ in more), rule, roll)
        for name, worth, by_rule in more:
            self.add(name, worth, by_rule)
        return self

    def join(self, other: Number) -> Number:
        """Add all the parts of another number."""
        self.total += other.total
        self._parts += other.parts
        return self

    @property
    def parts(self) -> tuple[Part, ...]:
        """What it is made of, in the order in which it was added."""
        return tuple(self._parts)


class ExplainedEvent(Event):
    """An event that knows the parts of its change; equal to the event of its five fields, and hashed like it."""

    parts: tuple[Part, ...] = ()


def joined(first: Event, then: Event) -> Event:
    """Two changes of one value, one after the other, as one event with the parts of both."""
    event = Event(first.who, first.what, first.was, then.now, first.rule)
    if not (parts_of(first) or parts_of(then)):
        return event
    return explained(event, tuple(part for one in (first, then) for part in parts_of(one) or whole(one)))


def whole(event: Event, loss: str = COST) -> tuple[Part, ...]:
    """The change of a number as one part, where no more is known of it."""
    kind, _, condition = event.what.partition(":")
    by = event.now - event.was
    return (Part(condition if kind == "condition" else RENEWED if by > 0 else loss, by, event.rule),)


def one_part(events: Iterable[Event]) -> Iterator[Event]:
    """The events, each of a number, with its whole change as one part, the cost."""
    return (explained(event, (Part(COST, event.now - event.was, event.rule),)) for event in events)


def is_number(event: Event) -> bool:
    """Whether a number of a fighter or a side was changed: a pool, or the level of a condition that may begin at none.

    Marks are small print of the rules, and no numbers that a player is shown.
    """
    if not event.who or event.what.startswith(("mark:", "until:")):
        return False
    return isinstance(event.now, int) and not isinstance(event.now, bool) and isinstance(event.was, int)


def parts_of(event: Event) -> tuple[Part, ...]:
    """The parts of an event's change; nothing where they are not known."""
    return getattr(event, "parts", ())


def all_parts(event: Event, loss: str = COST) -> tuple[Part, ...]:
    """The parts of an event's change; a number changed by a rule alone, such as a price, is one part.

    `loss` is its name where the number has become less. What the GM has set follows from no rule, and has no parts.
    """
    return parts_of(event) or (whole(event, loss) if is_number(event) and event.rule else ())


def is_plain(parts: Sequence[Part]) -> bool:
    """Whether parts say no more than the change itself: all of it is a price, or renewed."""
    return len(parts) == 1 and parts[0].name in (COST, RENEWED)


def explained(event: Event, parts: tuple[Part, ...]) -> ExplainedEvent:
    """The event with the parts of its change."""
    whole = ExplainedEvent(*event)
    whole.parts = parts
    return whole


def _total(by: int | Number) -> int:
    return by.total if isinstance(by, Number) else by


class Declarations(Protocol):
    """What a rulebook declares, and `Changes` may name."""

    @property
    def pools(self) -> Mapping[str, object]: ...

    @property
    def side_pools(self) -> Mapping[str, object]: ...

    @property
    def conditions(self) -> Mapping[str, Condition]: ...

    @property
    def marks(self) -> Mapping[str, object]: ...

    @property
    def counters(self) -> Collection[str]: ...

    @property
    def decks(self) -> Mapping[str, object]: ...


def require_declared(what: str, table: str, name: str, declared: Collection[str]) -> None:
    """Raise RulebookMistake, with the line of the rulebook that is running, if it names what it does not declare."""
    if name not in declared and name.partition(":")[0] not in declared:
        raise RulebookMistake.at_caller(undeclared(what, table, name, declared))


def undeclared(what: str, table: str, name: str, declared: Iterable[str]) -> str:
    """The clause for a name that a rulebook does not declare: what to write in its place, or where to declare it."""
    names = ", ".join(declared)
    way = f"write one of {names}, or add" if names else "add"
    return f"{name!r} is no {what}: {way} it to {table} of System(...)"


def _no_whole_number(pool: str, value: object) -> RulebookMistake:
    """The mistake of a pool that is changed by what is no whole number."""
    return RulebookMistake.at_caller(
        f"{pool!r} is changed by {value!r}: write a whole number, such as n // 2"
    )


def _rule(by: int | Number, rule: str) -> str:
    return by.rule if isinstance(by, Number) and not rule else rule


class Changes:
    """Collects what an action changes; every read sees the changes made so far.

    However often a value is changed, the record has one event for it, from the value before the action to the last.
    A change without a `rule` has that of its `Number`, or else that of the action's row.
    """

    __slots__ = ("_base", "_declared", "_folded", "_found", "_number", "_parts", "_postponed", "rule")

    def __init__(
        self,
        scene: Scene,
        number: type[Number] = Number,
        postponed: Container[tuple[str, str]] = (),
        declared: Declarations | None = None,
    ):
        self._declared = declared
        """What the rulebook declares; None where its code is not what makes the changes."""
        self._base = scene
        self._postponed = postponed
        """Fighters and pools whose losses count later, when there may be more in the pool: no bound limits them."""
        self._found: dict[tuple[str, str], Event] = {}
        self._parts: dict[tuple[str, str], tuple[Part, ...]] = {}
        self._folded: Scene | None = scene
        self._number = number
        self.rule = ""
        """The rule of changes that name none: in `effects` that of the action's row."""

    # Reading

    @property
    def before(self) -> Scene:
        """The scene without these changes, as the action begins with its costs paid."""
        return self._base

    @property
    def scene(self) -> Scene:
        """The scene with all changes made so far."""
        if self._folded is None:
            self._folded = apply_all(self._base, self.events)
        return self._folded

    def fighter(self, name: str) -> Fighter:
        """A fighter as it is now, changes included."""
        if self._folded is None and not any(who == name for who, _ in self._found):
            return self._base.fighters[name]
        return self.scene.fighters[name]

    def pool(self, name: str, pool: str) -> int:
        """What is in a pool of a fighter now."""
        found = self._found.get((name, pool))
        if found:
            now: int = found.now
            return now
        pools = self._base.fighters[name].pools
        if pool not in pools and self._declared is not None:
            require_declared("pool", "pools", pool, self._declared.pools)
        return pools.get(pool, 0)

    def side_pool(self, name: str, pool: str) -> int:
        """What is in a pool of a side now."""
        now: int = self._now(SIDE + name, pool)
        return now

    @property
    def events(self) -> tuple[Event, ...]:
        """One event for each value that is not what it was, in the order in which they were first changed."""
        return tuple(
            self._event(key, one) for key, one in self._found.items() if not is_same(one.was, one.now)
        )

    def _event(self, key: tuple[str, str], event: Event) -> Event:
        parts = self._parts.get(key)
        return explained(event, parts) if parts else event

    # Changing

    def number(self, rule: str = "") -> Number:
        """A number to change a pool by: `changes.number("3D6-24").from_dice("damage", -7)`."""
        return self._number(rule or self.rule)

    def adjust(self, name: str, pool: str, by: int | Number, rule: str = "") -> None:
        """Change a pool of a fighter by a number, within the pool's bounds."""
        rule = _rule(by, rule) or self.rule
        now = self.pool(name, pool) + _total(by)
        if not isinstance(now, int):
            raise _no_whole_number(pool, _total(by))
        if _total(by) >= 0 or (name, pool) not in self._postponed:
            now = self._base.fighters[name].bounded(pool, now)
        self._explain(name, pool, by, rule)
        self.assign(name, pool, now, rule)

    def set(self, name: str, pool: str, value: int, rule: str = "") -> None:
        """Set a pool of a fighter, whatever its bounds."""
        if self._declared is not None:
            require_declared("pool", "pools", pool, self._declared.pools)
        if not isinstance(value, int):
            raise _no_whole_number(pool, value)
        self.assign(name, pool, value, rule)

    def side(self, name: str, pool: str, by: int | Number, rule: str = "") -> None:
        """Change a pool of a side by a number, never below 0."""
        if self._declared is not None:
            require_declared("pool of a side", "side_pools", pool, self._declared.side_pools)
        who, rule = SIDE + name, _rule(by, rule) or self.rule
        now = max(0, self._now(who, pool) + _total(by))
        if not isinstance(now, int):
            raise _no_whole_number(pool, _total(by))
        self._explain(who, pool, by, rule)
        self.assign(who, pool, now, rule)

    def _explain(self, who: str, what: str, by: int | Number, rule: str) -> None:
        """Note what a change is made of, after what has changed the same value before."""
        key = (who, what)
        if isinstance(by, Number) and by.parts:
            self._parts[key] = (*self._parts.get(key, ()), *by.parts)
        elif key in self._parts and _total(by):
            self._parts[key] = (
                *self._parts[key],
                Part(COST if _total(by) < 0 else RENEWED, _total(by), rule),
            )

    def begin(
        self,
        name: str,
        condition: str,
        rule: str = "",
        level: int | bool | Number = True,
        until: End | Literal["declared"] | None = "declared",
    ) -> None:
        """Put a condition on a fighter, on or at a level; a `Number` is added to the level so far.

        `until` is when it ends automatically, in place of what `Condition.until` says; None if it does not.
        """
        if self._declared is not None:
            require_declared("condition", "conditions", condition, self._declared.conditions)
        what = f"condition:{condition}"
        if isinstance(level, Number):
            self._explain(name, what, level, rule)
            level = self.fighter(name).level(condition) + level.total
        if until == "declared":
            until = self._declared_end(name, condition) if level else None
        elif wrong := wrong_with_end(until):
            raise RulebookMistake.at_caller(f"condition {condition!r} lasts until {wrong}")
        self.assign(name, what, level, rule)
        self.assign(name, f"until:{condition}", until, rule)

    def _declared_end(self, name: str, condition: str) -> End | None:
        """When a condition ends that begins now, as the rulebook declares it."""
        kind = self._declared.conditions[condition] if self._declared is not None else None
        return None if kind is None or kind.until is no_end else kind.end_from(self.scene, name)

    def end(self, name: str, condition: str, rule: str = "") -> None:
        """Take a condition off a fighter."""
        if self._declared is not None:
            require_declared("condition", "conditions", condition, self._declared.conditions)
        self.assign(name, f"condition:{condition}", False, rule)
        self.assign(name, f"until:{condition}", None, rule)

    def mark(self, name: str, mark: str, value: int = 1, rule: str = "", key: str = "") -> None:
        """Set a mark of a fighter; 0 clears it. `key` is the fighter, thing or action that the mark is about."""
        if self._declared is not None:
            require_declared("mark", "marks", mark, self._declared.marks)
        self.assign(name, f"mark:{mark}:{key}" if key else f"mark:{mark}", value, rule)

    def clear_marks(self, name: str, rule: str, *kinds: str) -> None:
        """Clear all marks of a fighter that are of these kinds, whatever their keys."""
        for mark in self.fighter(name).marks:
            if any(mark == kind or mark.startswith(f"{kind}:") for kind in kinds):
                self.mark(name, mark, 0, rule)

    def move(self, name: str, place: Sequence[float] | None, rule: str = "") -> None:
        """Put a fighter at a place, (x, y)."""
        self.assign(name, "at", None if place is None else tuple(place), rule)

    def hold(self, name: str, things: Iterable[str], rule: str = "") -> None:
        """Put things in a fighter's hands, the one in use first; nothing else stays in them."""
        self.assign(name, "held", tuple(things), rule)

    def drop(self, name: str, thing: str, rule: str = "") -> None:
        """Take a thing out of a fighter's hands; what else is in them stays."""
        self.hold(name, (one for one in self.fighter(name).held if one != thing), rule)

    def count(self, counter: str, by: int, rule: str = "") -> None:
        """Change a counter of the scene by a number, never below 0; no screen shows it."""
        if self._declared is not None:
            require_declared("counter of the scene", "counters", counter, self._declared.counters)
        counters = {**self._now("", "counters")}
        counters[counter] = max(0, counters.get(counter, 0) + by)
        self.assign("", "counters", {name: value for name, value in counters.items() if value}, rule)

    def deal(self, deck: str, *cards: str, rule: str = "") -> None:
        """Take cards out of a deck, until it is shuffled."""
        if self._declared is not None:
            require_declared("deck", "decks", deck, self._declared.decks)
        dealt = self._now("", "dealt")
        self.assign("", "dealt", {**dealt, deck: (*dealt.get(deck, ()), *cards)}, rule)

    def shuffle(self, deck: str, *kept: str, rule: str = "") -> None:
        """Put all cards of a deck back into it but those that are `kept` out."""
        if self._declared is not None:
            require_declared("deck", "decks", deck, self._declared.decks)
        dealt = {name: cards for name, cards in self._now("", "dealt").items() if name != deck}
        self.assign("", "dealt", {**dealt, deck: kept} if kept else dealt, rule)

    def add_events(self, events: Iterable[Event]) -> None:
        """Add events that were worked out elsewhere from the scene as it is now."""
        for who, what, _, now, rule in events:
            self.assign(who, what, now, rule)

    def assign(self, who: str, what: str, now: Any, rule: str = "") -> None:
        """Set any value that an event can be about, where no other method does.

        Of a fighter `what` may be `side`, `player`, `yielded` or `cover:FOE`. With `who` empty it is a value of the
        scene: `changes.assign("", "order", names)` sets the turn order, also at the start of a round. "teams" sets
        groups that act at the same time; "order" must then have the same names.
        """
        key = (who, what)
        before = self._found.get(key)
        if before is not None:
            if not is_same(before.now, now):
                self._found[key] = before._replace(now=now)
                self._folded = None
            return
        was = held_now(self._base, who, what)
        if not is_same(was, now):
            self._found[key] = Event(who, what, was, now, rule or self.rule)
            self._folded = None

    def _now(self, who: str, what: str) -> Any:
        found = self._found.get((who, what))
        return found.now if found else held_now(self._base, who, what)
