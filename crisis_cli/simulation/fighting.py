"""How blocks of fights are fought: by what is remembered of steps with the plain policy, else move by move."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import repeat
from typing import TYPE_CHECKING

from ..dice.distribution import OddsTable, least_harm
from ..dice.generator import generator
from ..values import NamedTuple
from .blocks import FIGHTS, Tick
from .drawn import DrawnFights
from .fight import FightLimits, FightStart, Mind, PlayedFight
from .memo import LAW_LIMIT, MOST_LAWS, Memo, suits
from .minds import DoctrineMind, Doctrines, GlancingMind, PlainMind
from .one_by_one import OneByOne
from .plain import Plain
from .tally import Counts
from .watched import Groups, State, Unsuited

if TYPE_CHECKING:
    from _random import Random

PLAIN, OWN = "plain", "own"
"""How fighters decide: by the plain policy, or each by the doctrine of its sheet."""
GLANCING = "glancing"
"""By the plain policy as well, seeing less of a situation: many times as quick where fights are few and differ."""
REMEMBERED, SEPARATE, PLAYED = 131_072, 1_024, 256
"""Most fights in a block, where they are drawn together by what is remembered of steps, where they are drawn one
by one, and where they are played."""
MOST_TOGETHER = 2
"""Among more fighters hardly any state is met twice, and fights are drawn one by one."""


class Terms(NamedTuple):
    """What decides how fights go: a block of the same number fought on the same terms has the same counts."""

    opening: FightStart
    doctrine: str
    """`plain` or `glancing`; by anything else every fighter decides by the doctrine that it has in the scene."""
    limits: FightLimits
    seed: int
    doctrines: Doctrines
    """Gives the doctrine of a name."""


def is_remembered(terms: Terms) -> bool:
    """Whether fights are drawn by what is remembered of their steps."""
    return terms.doctrine == PLAIN and suits(terms.opening.scene)


def are_together(terms: Terms) -> bool:
    """Whether fights that stand at the same state are drawn together."""
    return is_remembered(terms) and len(terms.opening.scene.fighters) <= MOST_TOGETHER


def largest_block(terms: Terms) -> int:
    """Most fights in a block."""
    if are_together(terms):
        return REMEMBERED
    return SEPARATE if is_remembered(terms) else PLAYED


def parts_of(terms: Terms) -> int:
    """How many parts a block has: one for each fighter who may begin, where that is rolled and fights drawn together.

    What fights come to depends on their turn order, so that those of different parts have hardly a moment in common.
    """
    opening = terms.opening
    return len(opening.scene.fighters) if are_together(terms) and opening.intent is not None else 1


class Fighting:
    """Fights parts of blocks on the same terms, and learns from all it fights."""

    def __init__(self, terms: Terms, stop_asked: Callable[[], bool]):
        self.terms = terms
        self.stop_asked = stop_asked
        odds_table = OddsTable(least_harm, most_kept=MOST_LAWS, limit=LAW_LIMIT)
        plain = Plain(terms.opening.system, odds_table)
        self._odds_table = odds_table
        self._parts = parts_of(terms)
        self._same: dict[str, Mind] = {PLAIN: PlainMind(plain), GLANCING: GlancingMind(plain)}
        """What decides by the scene alone, by doctrine."""
        memo = Memo(terms.opening, odds_table, stop_asked=stop_asked) if is_remembered(terms) else None
        self._memo = memo
        self._together = DrawnFights(memo, terms.limits) if memo is not None and are_together(terms) else None
        self._separate = OneByOne(memo, terms.limits) if memo is not None and not self._together else None
        self._openings: dict[tuple[int, Groups], list[tuple[State, int]]] = {}
        """The openings of the latest block, whose parts one process fights one after another. They are no longer good
        once the memo has forgotten what it knew, and begun with other groups of cells."""

    def part(self, number: int, fights: int, part: int, tick: Tick) -> Counts | None:
        """Fight one part of a block of so many fights; None where it was stopped and does not stand for the whole."""
        drawn = self._together or self._separate
        if drawn is not None:
            try:
                if self._together is not None:
                    return self._draw(self._together, number, fights, part, tick)
                if self._separate is not None:
                    return self._draw_separately(self._separate, number, fights, tick)
            except Unsuited:
                # Not even the beginning can be remembered: one part has all of the fights.
                drawn.forget()
        starts = repeat(self.terms.opening, 0 if part else fights)
        return self._play(starts, self._generator(number).random, tick)

    def told(self) -> bytes:
        """What has been learnt since it was last asked, for another process that fights on the same terms; nothing the
        first time, from which on it is noted."""
        return self._memo.told() if self._memo is not None else b""

    def learn(self, told: bytes) -> None:
        """Learn what another process has told."""
        if self._memo is not None:
            self._memo.learn(told)

    def _generator(self, *numbers: int) -> Random:
        return generator(self.terms.seed, *numbers)

    def _draw(self, drawn: DrawnFights, number: int, fights: int, part: int, tick: Tick) -> Counts | None:
        """Draw the fights of a block in which the fighter of that place begins; None where they were stopped, as short
        ones would be over first."""

        def ended(many: int) -> bool:
            tick(many)
            return self.stop_asked()

        memo = drawn.memo
        openings = [
            (state, many)
            for state, many in self._opened(memo, number, fights)
            if self._parts == 1 or memo.first_of(state) == part
        ]
        try:
            if not drawn.fight(openings, self._generator(number, part), ended):
                drawn.forget()
                return None
        except Unsuited:
            drawn.forget()
            begun = [(memo.scene_of(state), many) for state, many in openings]
            starts = (
                self.terms.opening._replace(scene=scene, intent=None)
                for scene, many in begun
                for _ in range(many)
            )
            return self._play(starts, self._generator(number, part).random, tick)
        counts: Counts = {FIGHTS: sum(many for _, many in openings)}
        drawn.count(counts)
        return counts

    def _draw_separately(self, drawn: OneByOne, number: int, fights: int, tick: Tick) -> Counts:
        """Draw the fights of a block one by one, or those of them that were over when they were stopped."""

        def ended(many: int) -> bool:
            tick(many)
            return self.stop_asked()

        openings = drawn.memo.lined_up(fights, self._generator(number))
        drawn.fight(openings, self._generator(number, 0), ended)
        counts: Counts = {FIGHTS: drawn.over}
        drawn.count(counts)
        return counts

    def _opened(self, memo: Memo, number: int, fights: int) -> list[tuple[State, int]]:
        """The states in which the fights of a block begin, and how many begin in each."""
        key = number, memo.groups
        if key not in self._openings:
            self._openings.clear()
            self._openings[key] = list(memo.opened(fights, self._generator(number)))
        return self._openings[key]

    def _play(self, starts: Iterable[FightStart], random: Callable[[], float], tick: Tick) -> Counts:
        """Play fights one by one, move by move."""
        terms = self.terms
        counts: Counts = {FIGHTS: 0}
        # New for every block: what doctrines remember must not depend on who fought which block.
        decides = self._same.get(terms.doctrine) or DoctrineMind(
            terms.opening.system, terms.doctrines, self._odds_table
        )
        for done, start in enumerate(starts, start=1):
            one = PlayedFight(start, decides, random, terms.limits, self.stop_asked)
            one.play()
            if self.stop_asked():
                break
            one.count(counts)
            counts[FIGHTS] = done
            tick(done)
        return counts
