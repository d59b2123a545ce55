"""What the target does about hits: parry, dodge, shield, cover, then protection (POOL-14, POOL-22 to POOL-28,
POOL-31, POOL-33)."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...table.dice import Option
from .pool import Critical, Scale, Score, hits, veiled, worse
from .protection import NONE, Armour, Units, stopped
from .rolls import Hand, successes, thrown

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


class Toll(NamedTuple):
    """What an attack comes to for its target."""

    harm: int
    """Wounds; the level of unconsciousness; 1 for a weapon lost."""
    past: bool = False
    """Whether a hit got past parry, dodge and cover (POOL-20)."""
    through: bool = False
    """Whether a hit was left in the end (POOL-3)."""
    used: Units = NONE
    reflected: int = 0
    reaction: str = ""


def answered(table: Any, guard: Guard, score: Score) -> Toll:
    """A rule: hits, after the reaction that the target chooses by what is announced of them (POOL-14)."""
    told = veiled(score)
    options = [Option("none", borne, (guard, told))]
    if guard.dodge is not None:
        options.append(Option("dodge", dodged, (guard, told), 1))
    if guard.parry is not None:
        options.append(Option("parry", parried, (guard, told), 1))
    if guard.shield:
        options.append(Option("shield", shielded, (guard, told), 1))
    taken = table.choose(guard.who, tuple(options))
    toll: Toll = table.ask(taken.rule, guard, score)
    return toll if taken.name == "none" else toll._replace(reaction=taken.name)


def borne(table: Any, guard: Guard, score: Score) -> Toll:
    """A rule: nothing is done about it."""
    return endured(table, guard, guard.cover, score[0], score[1], len(score[1]))


def dodged(table: Any, guard: Guard, score: Score) -> Toll:
    """A rule, POOL-27: evasion, harder by every hit; one success and none of them counts."""
    assert guard.dodge is not None
    harder = guard.dodge._replace(scale=Scale(guard.dodge.scale.least + hits(score)))
    if table.ask(avoided, harder):
        return Toll(0)
    toll: Toll = table.ask(endured, guard, guard.cover, score[0], score[1], len(score[1]))
    return toll


def avoided(table: Any, hand: Hand) -> bool:
    """A rule: whether a dodge succeeds."""
    return hits(thrown(table, "dodge", hand)[0]) > 0


def parried(table: Any, guard: Guard, score: Score) -> Toll:
    """A rule, POOL-28: each success stops a hit; critical ones stop critical hits first, and nothing else does."""
    assert guard.parry is not None
    normal, left = table.ask(turned, guard.parry, score[0], len(score[1]))
    toll: Toll = table.ask(endured, guard, guard.cover, normal, score[1], left)
    return toll


def turned(table: Any, hand: Hand, normal: int, critical: int) -> tuple[int, int]:
    """A rule: the hits, normal and critical, that a parry leaves."""
    stops, critically = thrown(table, "parry", hand)[0]
    stopped_ = min(len(critically), critical)
    return max(0, normal - stops - (len(critically) - stopped_)), critical - stopped_


def shielded(table: Any, guard: Guard, score: Score) -> Toll:
    """A rule, POOL-23: the shield is cover against this one attack; of several the best counts (POOL-22)."""
    cover = min(guard.shield, guard.cover or guard.shield)
    return endured(table, guard, cover, score[0], score[1], len(score[1]))


def endured(
    table: Any, guard: Guard, cover: int, normal: int, critical: tuple[Critical, ...], left: int
) -> Toll:
    """A rule, POOL-22: a cover die for each critical hit, then for each normal one; then protection and wounds.

    Of the critical hits `left` are left, the worst having been stopped (a reading).
    """
    left -= _covered(table, guard.who, cover, left, "critical hits")
    normal -= _covered(table, guard.who, cover, normal, "normal hits")
    if not normal + left:
        return Toll(0)
    if guard.meant == DISARM:
        return Toll(int(_resisted(table, guard) < normal + left), True)
    through = stopped(guard.armour, normal, left)
    remains = through.normal + through.critical
    toll = Toll(0, True, remains > 0, through.used, through.reflected)
    if guard.meant == KNOCKOUT:
        return toll._replace(harm=max(0, remains - _resisted(table, guard)) if remains else 0)
    more = table.ask(worse, critical, through.critical) if through.critical else 0
    return toll._replace(harm=min(guard.most, guard.each * remains + more))


def _resisted(table: Any, guard: Guard) -> int:
    assert guard.resist is not None
    return successes(table, "resist", guard.resist)[0]


def _covered(table: Any, who: str, cover: int, count: int, what: str) -> int:
    """The hits that cover stops: dice that are not thrown on, and count once (POOL-22)."""
    if not cover or not count:
        return 0
    table.label("cover", who, f"{count}d6", part=what)
    found: int = table.times(count, _covers, cover)
    table.reckon(target=cover, successes=found)
    return found


def _covers(table: Any, cover: int) -> int:
    """A rule: one cover die."""
    return int(table.die(SIDES) >= cover)
