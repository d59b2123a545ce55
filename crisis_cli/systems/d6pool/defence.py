"""What the target does about hits: parry, dodge, shield, cover, then protection (POOL-14, POOL-22 to POOL-28,
POOL-31, POOL-33)."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...dice.graded import Graded
from ...dice.table import Alternative
from .luck import PRICES, Hand, without
from .pool import HIT, Scale, critical, criticals, mega
from .protection import NONE, Armour, Units, stopped
from .rolls import Rolled, successes, thrown

REACTIONS = ("dodge", "parry", "shield")
"""POOL-14."""
SIDES = 6
WOUNDS, KNOCKOUT, DISARM = "wounds", "knockout", "disarm"
"""What the hits are meant to do."""


class Guard(NamedTuple):
    """All that the dice of the target need to know; what it cannot do is None or 0."""

    who: str
    armour: Armour
    each: int = 1
    """Wounds of each hit (POOL-26)."""
    most: int = 9999
    """Wounds beyond these make no difference."""
    cover: int = 0
    shield: int = 0
    dodge: Hand | None = None
    parry: Hand | None = None
    meant: str = WOUNDS
    resist: Hand | None = None
    buys: tuple[str, ...] = ()
    """The dice that can buy the action for a reaction, where none is kept (POOL-15); the player is asked."""
    left: int = 0
    """The attacker's actions once this attack is paid for, where it is the attacker's own turn."""

    def after(self, used: tuple[str, ...]) -> Guard:
        """The same once dice and re-rolls have been spent in these ways."""
        if not used:
            return self
        dodge, parry, resist = (
            hand and hand._replace(luck=without(hand.luck, used))
            for hand in (self.dodge, self.parry, self.resist)
        )
        return self._replace(dodge=dodge, parry=parry, resist=resist)


class Toll(NamedTuple):
    """What an attack comes to for its target."""

    harm: int
    """Wounds; the level of unconsciousness; 1 for a weapon lost."""
    past: bool = False
    """Whether a hit got past parry, dodge and cover (POOL-20)."""
    through: bool = False
    """Whether a hit was left in the end (POOL-3)."""
    used: Units = NONE
    worked: Units = NONE
    """Of the units used those that piercing did not swallow."""
    reflected: int = 0
    reaction: str = ""
    bought: str = ""
    """The die that bought the action for it, bonus or destiny, where none was kept (POOL-15)."""
    spent: tuple[str, ...] = ()
    """What whoever reacts or resists spent on the rolls for it (POOL-7)."""


class Faced(NamedTuple):
    """What the target's reaction leaves of the hits."""

    normal: int
    left: int
    """Critical ones; the worst have been stopped (a reading)."""
    cover: int
    """What covers the target against them, 0 for nothing (POOL-22)."""
    reaction: str = ""
    bought: str = ""
    """The die that bought the action for it (POOL-15)."""
    spent: tuple[str, ...] = ()
    """What was spent on the roll for it (POOL-7)."""


def answered(table: Any, guard: Guard, hits: Graded) -> Toll:
    """A rule: hits, from the target's reaction to the wounds."""
    faced = table.ask(reacted, guard, hits)
    toll: Toll = table.ask(outcome_of, guard, critical(hits), faced)
    return toll


def reacted(table: Any, guard: Guard, hits: Graded) -> Faced:
    """A rule: the reaction that the target chooses by what is announced of the hits (POOL-14)."""
    able = ("dodge",) * (guard.dodge is not None) + ("parry",) * (guard.parry is not None)
    able += ("shield",) * bool(guard.shield)
    ways = {name: (name, "") for name in able if not guard.buys}
    ways |= {f"{name}-{die}": (name, die) for name in able for die in guard.buys}
    options = [Alternative("none", priced, (guard, hits, "none"))]
    for option, (name, die) in ways.items():
        with_it = guard.after((die,) if die else ())
        pays = PRICES[die] if die else "action"
        options.append(Alternative(option, priced, (with_it, hits, name), 1, willed=bool(die), pays=pays))
    taken = table.choose(guard.who, tuple(options)).name
    if taken == "none":
        bare: Faced = table.ask(borne, guard, hits)
        return bare
    name, die = ways[taken]
    faced: Faced = table.ask(WAYS[name], guard.after((die,) if die else ()), hits)
    return faced._replace(reaction=name, bought=die)


def priced(table: Any, guard: Guard, hits: Graded, way: str) -> Toll:
    """A rule: what hits come to if the target reacts in this way."""
    toll: Toll = table.ask(outcome_of, guard, critical(hits), table.ask(WAYS[way], guard, hits))
    return toll


def borne(table: Any, guard: Guard, hits: Graded) -> Faced:
    """A rule: nothing is done about it."""
    return Faced(hits.of(HIT), criticals(hits), guard.cover)


def dodged(table: Any, guard: Guard, hits: Graded) -> Faced:
    """A rule, POOL-27: evasion, harder by every hit; one success and none of them counts."""
    assert guard.dodge is not None
    harder = guard.dodge._replace(scale=Scale(guard.dodge.scale.least + hits.count))
    away, used = table.ask(avoided, harder)
    faced = Faced(0, 0, 0) if away else borne(table, guard, hits)
    return faced._replace(spent=used)


def avoided(table: Any, hand: Hand) -> tuple[bool, tuple[str, ...]]:
    """A rule: whether a dodge succeeds, and what was spent on it."""
    found, used = successes(table, "dodge", hand)
    return found > 0, used


def parried(table: Any, guard: Guard, hits: Graded) -> Faced:
    """A rule, POOL-28: each success stops a hit; critical ones stop critical hits first, and nothing else does."""
    assert guard.parry is not None
    normal, left, used = table.ask(turned, guard.parry, hits.of(HIT), criticals(hits))
    return Faced(normal, left, guard.cover, spent=used)


def turned(table: Any, hand: Hand, normal: int, critical: int) -> tuple[int, int, tuple[str, ...]]:
    """A rule: the hits, normal and critical, that a parry leaves, and what was spent on it."""
    parry, used = thrown(table, "parry", hand)
    critically = criticals(parry)
    stopped_ = min(critically, critical)
    return max(0, normal - parry.of(HIT) - (critically - stopped_)), critical - stopped_, used


def shielded(table: Any, guard: Guard, hits: Graded) -> Faced:
    """A rule, POOL-23: the shield is cover against this one attack; of several the best counts (POOL-22)."""
    return Faced(hits.of(HIT), criticals(hits), min(guard.shield, guard.cover or guard.shield))


WAYS = {"none": borne, "dodge": dodged, "parry": parried, "shield": shielded}
"""What can be done about hits, by the name of the reaction."""


def outcome_of(table: Any, guard: Guard, critical: Graded, faced: Faced) -> Toll:
    """A rule: what comes of the hits that the reaction leaves."""
    toll = Toll(0)
    if faced.normal + faced.left:
        left = guard.after(faced.spent)
        toll = table.ask(endured, left, faced.cover, faced.normal, critical, faced.left)
    spent = (*faced.spent, *toll.spent)
    return toll._replace(reaction=faced.reaction, bought=faced.bought, spent=spent)


def endured(table: Any, guard: Guard, cover: int, normal: int, critical: Graded, left: int) -> Toll:
    """A rule, POOL-22: a cover die for each critical hit, then for each normal one; then protection and wounds.

    Of the critical hits `left` are left, the worst having been stopped (a reading).
    """
    left -= _covered(table, guard.who, cover, left, "critical hits")
    normal -= _covered(table, guard.who, cover, normal, "normal hits")
    if not normal + left:
        return Toll(0)
    if guard.meant == DISARM:
        found, used = _resisted(table, guard, normal + left)
        return Toll(int(found < normal + left), True, spent=used)
    through = stopped(guard.armour, normal, left)
    remains = through.normal + through.critical
    toll = Toll(0, True, remains > 0, through.used, through.worked, through.reflected)
    if guard.meant == KNOCKOUT:
        found, used = _resisted(table, guard, remains) if remains else (0, ())
        return toll._replace(harm=max(0, remains - found), spent=used)
    more = table.reveal(critical, through.critical, mega) if through.critical else 0
    return toll._replace(harm=min(guard.most, guard.each * remains + more))


def _resisted(table: Any, guard: Guard, needs: int) -> Rolled[int]:
    assert guard.resist is not None
    found = successes(table, "resist", guard.resist, needs)
    table.result(difficulty=needs)
    return found


def _covered(table: Any, who: str, cover: int, count: int, what: str) -> int:
    """The hits that cover stops: dice that are not thrown on, and count once (POOL-22)."""
    if not cover or not count:
        return 0
    table.label("cover", who, f"{count}d6", part=what)
    found: int = table.times(count, _covers, cover)
    table.result(target=cover, successes=found)
    return found


def _covers(table: Any, cover: int) -> int:
    """A rule: one cover die."""
    return int(table.die(SIDES) >= cover)
