"""How blocks of fights are fought: by what is remembered of steps with the plain policy, else move by move."""

from __future__ import annotations

from collections.abc import Callable

from ..dice.distribution import OddsTable, least_harm
from ..dice.generator import generator
from ..values import NamedTuple
from .blocks import FIGHTS, FightBlock
from .drawn import Drawn
from .fight import Fight, Limits, Mind, Opening
from .memo import MOST_LAWS, Memo
from .minds import DoctrineMind, Doctrines, PlainMind
from .plain import Plain
from .tally import Counts, add
from .watched import Unsuited

PLAIN, OWN = "plain", "own"
"""How fighters decide: by the plain policy, or each by the doctrine of its sheet."""


class Terms(NamedTuple):
    """What decides how fights go: a block of the same number fought on the same terms has the same counts."""

    opening: Opening
    doctrine: str
    """`plain`; by anything else every fighter decides by the doctrine that it has in the scene."""
    limits: Limits
    seed: int
    doctrines: Doctrines
    """Gives the doctrine of a name."""


def fight_block(terms: Terms, stop_asked: Callable[[], bool]) -> FightBlock:
    """The function that fights one block."""
    opening, doctrine, limits, seed, doctrines = terms
    odds_table = OddsTable(least_harm, most_kept=MOST_LAWS)
    plain = Plain(opening.system, odds_table)
    remembered = remembered_fights(opening, odds_table, limits) if doctrine == PLAIN else None

    def fight(number: int) -> tuple[Callable[[], None], Callable[[Counts], None]]:
        """The function that plays one fight of a block move by move, and the one that counts what they came to."""
        random, counts = generator(seed, number).random, Counts()
        # New for every block: what doctrines remember must not depend on who fought which block.
        decides: Mind = (
            PlainMind(plain) if doctrine == PLAIN else DoctrineMind(opening.system, doctrines, odds_table)
        )

        def play() -> None:
            one = Fight(opening, decides, random, limits)
            one.play()
            one.count(counts)

        return play, lambda to: add(to, counts)

    def block(number: int, fights: int, tick: Callable[[int], None]) -> Counts:
        if remembered is not None:
            random = generator(seed, number).random
            try:
                return several(fights, lambda: remembered.fight(random), remembered.count, tick)
            except Unsuited:
                remembered.forget()
        return several(fights, *fight(number), tick)

    def several(
        fights: int, play: Callable[[], None], count: Callable[[Counts], None], tick: Callable[[int], None]
    ) -> Counts:
        counts: Counts = {FIGHTS: 0}
        for done in range(1, fights + 1):
            play()
            counts[FIGHTS] += 1
            if stop_asked():
                break
            tick(done)
        count(counts)
        return counts

    return block


def remembered_fights(opening: Opening, odds_table: OddsTable, limits: Limits) -> Drawn | None:
    """Fights drawn by what is remembered of steps; None where they are on a map, or in an encounter."""
    try:
        return Drawn(Memo(opening, odds_table), limits)
    except Unsuited:
        return None
