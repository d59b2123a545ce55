"""The dice of an attack: the test, and every hit that follows from it (2D20-16 to 2D20-19, 2D20-24, 2D20-28)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from .damage import Added, Hit, Toll, Victim, located, struck, thrown
from .rolls import Test, earned, tested

if TYPE_CHECKING:
    pass


class Blow(NamedTuple):
    """All that the dice of a hit need to know."""

    hit: Hit
    victims: tuple[Victim | None, ...]
    """Whoever is aimed at first, then the others; None for someone whose dice are left out, for the odds."""
    called: int = -1
    """The location that is called for, by its place in PLACES."""
    rounds: int = 0
    """Rounds left for further targets of a burst."""
    area: bool = False


class Volley(NamedTuple):
    """All that the dice of an attack need to know."""

    test: Test
    blow: Blow
    extra: int = 0
    """Rounds fired beside the first, each a die of the hit."""
    wanted: int = 0
    """AP to be spent on dice, as far as they reach."""
    purse: int = 0
    """AP of the side before the attack has earned any."""
    told: bool = True
    """Whether anybody asks how well it hit."""


class Fired(NamedTuple):
    """What an attack came to."""

    success: bool
    total: int
    """Successes."""
    complications: int
    luck: int
    """Luck points used."""
    spent: int
    """AP spent on damage dice."""
    rounds: int
    tolls: tuple[Toll | None, ...]
    """How the victims stand afterwards, in their order."""

    @property
    def word(self) -> str:
        """In one word."""
        return "hit" if self.success else "miss"

    @property
    def counted(self) -> str:
        """What the total is one of."""
        return "successes"


def fire(table: Any, volley: Volley) -> Fired:
    """A rule, 2D20-16: an attack, from the first die to the last.

    A miss does nothing and costs one round; what makes a hit harder is chosen after it (readings).
    """
    several = sum(map(bool, volley.blow.victims))
    if several > 1:
        table.refuse_odds(
            f"what one attack does to {several} victims together takes too many branches",
            "ask about each of them",
        )
    test, blow = table.ask(tested, volley.test), volley.blow
    total, odd = (test.total, test.complications) if volley.told else (0, 0)
    if not test.success:
        return Fired(False, total, odd, test.luck, 0, 1, unhurt(blow))
    spent = min(volley.wanted, volley.purse + earned(volley.test, test))
    luck = max(0, volley.test.luck - test.luck)
    asks = max(0, volley.test.asks - test.luck)
    used, others, tolls = table.ask(landed, blow, blow.hit.dice + spent, luck, asks)
    return Fired(True, total, odd, test.luck + used, spent, 1 + volley.extra + others, tolls)


def unhurt(blow: Blow) -> tuple[Toll | None, ...]:
    """The victims as they were."""
    return tuple(one and one.toll for one in blow.victims)


def landed(
    table: Any, blow: Blow, dice: int, luck: int, asks: int = 0
) -> tuple[int, int, tuple[Toll | None, ...]]:
    """A rule: the location of the first hit, the damage, cover; then the further hits in the order named.

    `asks` is the Luck that the player is asked about. Gives the Luck used, the rounds of a burst, and the tolls.
    """
    hit, first = blow.hit, blow.victims[0] if blow.victims else None
    at = blow.called
    if first and at < 0:
        at = table.ask(located, first.name, first.among)
    bursts = hit.has("burst") and len(blow.victims) > 1
    if not any(blow.victims) and not luck and not bursts:
        # Nobody asks what the dice would show.
        return 0, 0, unhurt(blow)
    against = first.name if first and first.among else ""
    added = Added(hit.plus, hit.has("vicious"))
    harm, effects, used = table.ask(thrown, hit.who, dice, luck, against, asks, added)
    others = min(effects, len(blow.victims) - 1, blow.rounds) if bursts else 0
    reached = len(blow.victims) if blow.area else 1 + others
    tolls = list(unhurt(blow))
    for number, victim in enumerate(blow.victims[:reached]):
        if victim:
            where = -1 if number else at
            # The further hits of a burst do not burn on: such hits do not chain (a reading).
            each = hit._replace(effects=_unchained(hit)) if number and not blow.area else hit
            tolls[number] = table.ask(struck, victim.toll, victim, each, harm, effects, where)
            if not number and effects and hit.has("spread"):
                tolls[0] = table.chain(effects, struck, tolls[0], victim, hit, harm // 2, 0)
    if hit.brief:
        tolls = [one and Toll(one.hp, one.highest) for one in tolls]
    return used, others, tuple(tolls)


def _unchained(hit: Hit) -> tuple[tuple[str, int], ...]:
    """2D20-24: the effects of a weapon without those that bring further hits."""
    return tuple(one for one in hit.effects if one[0] not in ("burst", "spread", "persistent"))


def per_target(volley: Volley) -> tuple[tuple[str, Volley], ...]:
    """For the odds: the test and what is spent by themselves, and for each victim what becomes of it."""
    blow = volley.blow
    nobody: tuple[Victim | None, ...] = (None,) * len(blow.victims)
    found = [("", volley._replace(blow=blow._replace(victims=nobody)))]
    for at, victim in enumerate(blow.victims):
        assert victim is not None
        hit = blow.hit._replace(brief=True)
        alone = blow._replace(hit=hit, victims=(*nobody[:at], victim, *nobody[at + 1 :]))
        found.append((victim.name, volley._replace(blow=alone, told=False)))
    return tuple(found)
