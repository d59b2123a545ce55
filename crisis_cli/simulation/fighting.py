"""How blocks of fights are fought: by what is remembered of steps with the plain policy, else move by move."""

from __future__ import annotations

from collections.abc import Callable

from ..dice.distribution import OddsTable, least_harm
from ..dice.generator import generator
from ..values import NamedTuple
from .blocks import FIGHTS, FightBlock
from .drawn import Drawn
from .fight import Fight, Limits, Mind, Opening
from .memo import MOST_LAWS, Memo, suits
from .minds import DoctrineMind, Doctrines, GlancingMind, PlainMind
from .plain import Plain
from .tally import Counts
from .watched import Unsuited

PLAIN, OWN = "plain", "own"
"""How fighters decide: by the plain policy, or each by the doctrine of its sheet."""
GLANCING = "glancing"
"""By the plain policy as well, seeing less of a situation: many times as quick where fights are few and differ."""
REMEMBERED, PLAYED = 2_048, 256
"""Most fights in a block, where they are drawn together by what is remembered of steps, and where they are played."""


class Terms(NamedTuple):
    """What decides how fights go: a block of the same number fought on the same terms has the same counts."""

    opening: Opening
    doctrine: str
    """`plain` or `glancing`; by anything else every fighter decides by the doctrine that it has in the scene."""
    limits: Limits
    seed: int
    doctrines: Doctrines
    """Gives the doctrine of a name."""


def is_remembered(terms: Terms) -> bool:
    """Whether fights are drawn by what is remembered of their steps."""
    return terms.doctrine == PLAIN and suits(terms.opening.scene)


def largest_block(terms: Terms) -> int:
    """Most fights in a block."""
    return REMEMBERED if is_remembered(terms) else PLAYED


def fight_block(terms: Terms, stop_asked: Callable[[], bool]) -> FightBlock:
    """The function that fights one block."""
    opening, doctrine, limits, seed, doctrines = terms
    odds_table = OddsTable(least_harm, most_kept=MOST_LAWS)
    plain = Plain(opening.system, odds_table)
    same: dict[str, Mind] = {PLAIN: PlainMind(plain), GLANCING: GlancingMind(plain)}
    remembered = Drawn(Memo(opening, odds_table), limits) if is_remembered(terms) else None

    def draw(drawn: Drawn, number: int, fights: int, tick: Callable[[int], None]) -> Counts:
        """Draw all fights of a block; none are counted where they were stopped, as short ones would be over first."""

        def ended(many: int) -> bool:
            tick(many)
            return stop_asked()

        if not drawn.fight(fights, lambda: generator(seed, number), ended):
            drawn.forget()
            return {FIGHTS: 0}
        counts: Counts = {FIGHTS: fights}
        drawn.count(counts)
        return counts

    def play(number: int, fights: int, tick: Callable[[int], None]) -> Counts:
        """Play the fights of a block one by one, move by move."""
        random, counts = generator(seed, number).random, Counts()
        # New for every block: what doctrines remember must not depend on who fought which block.
        decides = same.get(doctrine) or DoctrineMind(opening.system, doctrines, odds_table)
        for done in range(1, fights + 1):
            one = Fight(opening, decides, random, limits)
            one.play()
            one.count(counts)
            counts[FIGHTS] = done
            if stop_asked():
                break
            tick(done)
        return counts

    def block(number: int, fights: int, tick: Callable[[int], None]) -> Counts:
        if remembered is not None:
            try:
                return draw(remembered, number, fights, tick)
            except Unsuited:
                remembered.forget()
        return play(number, fights, tick)

    return block
