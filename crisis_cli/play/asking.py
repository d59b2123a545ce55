"""Which questions reach the player, and with which rows: those whose answers make a difference."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

from ..dice.distribution import harmed, reduced
from ..dice.table import Decided
from ..engine.consequences import aftermath
from ..engine.events import shift
from ..engine.legal_actions import is_allowed
from ..engine.life import is_life
from ..engine.question_settings import ALL, ALWAYS, FEW, NONE, last_forgetting, setting_for
from ..engine.ranking import left, losses
from ..engine.record import Entry, RecordedChoice
from ..engine.responses import Response, after, responses
from ..engine.system import nothing
from ..engine.wording import with_a
from ..errors import TooWide
from ..values import NamedTuple

if TYPE_CHECKING:
    from ..dice.distribution import Distribution, OddsTable
    from ..dice.table import Alternative, Throw
    from ..engine.action_odds import ActionOdds
    from ..engine.scene import Fighter, Intent, Scene
    from ..engine.system import System
    from .desk import Desk
    from .requests import Respond
    from .session import Session

LEAST_LIFE, LEAST_SHARE = 1.0, 0.1
"""Points of life on average that matter, and the share of what is left that does: the larger of the two counts."""
LEAST_DOWN, LEAST_SAVED = 0.10, 0.15
"""How much of a chance to go down matters, and how much of a chance to save a roll."""


# In the middle of an action


class OptionRow(NamedTuple):
    """One option of a decision, with what comes of it."""

    option: Alternative
    law: Distribution | None
    """The distribution of its answers; None where that takes too long to work out."""
    harm: Distribution | None
    """The distribution of the harm, or of what a foe has left; of a roll to be saved 1 where it fails."""
    mean: float
    """The harm on average; 0 where it is not known."""
    worn: float
    """What else it uses up on average, such as protection."""
    saves: bool
    """Whether the decision is about a roll to be saved, or something else that is gained: 1 is without it."""

    @property
    def is_free(self) -> bool:
        """Whether it costs nothing."""
        return not self.option.cost

    @property
    def comes_back(self) -> bool:
        """Whether it is paid in what every turn brings again, and what is not used of it is lost."""
        return bool(self.option.pays) and not self.option.willed and not self.option.leaves

    @property
    def price(self) -> str:
        """What it costs, in words; empty for nothing."""
        count, pool = self.option.cost, self.option.spends or self.option.pays
        return pool if count == 1 and not pool.startswith("of ") else f"{count} {pool}" if count else ""

    @property
    def price_with_a(self) -> str:
        """What it costs, as it stands in a sentence: `a bonus die`."""
        return with_a(self.price) if self.option.cost == 1 else self.price

    @property
    def title(self) -> str:
        """Its name without what it is paid in: `parry` of `parry-bonus`."""
        paid = self.price.partition(" ")[0].casefold()
        return self.option.name.removesuffix(f"-{paid}") if paid else self.option.name

    @property
    def label(self) -> str:
        """Its name and its price: `parry, bonus die`."""
        return self.price if self._is_named_for_price else ", ".join(filter(None, (self.title, self.price)))

    @property
    def offer(self) -> str:
        """Its name and its price, as they stand in a sentence: `parry for a bonus die`."""
        return self.price if self._is_named_for_price else f"{self.title} for {self.price_with_a}"

    @property
    def _is_named_for_price(self) -> bool:
        return bool(self.price) and self.price.casefold().startswith(self.title.casefold())

    @property
    def paid_in(self) -> str:
        """What it is paid in, without how many there are: `AP`, `round`, `bonus die`."""
        pool = (self.option.spends or self.option.pays).removesuffix("s")
        return pool.split(" ", 2)[2] if pool.startswith("of ") else pool

    def is_as_good(self, other: OptionRow) -> bool:
        """Whether it is at least as good as another row and costs no more; never where they differ in what no number
        tells, such as who dies."""
        if self.law is None or other.law is None or is_another_matter(self, other):
            return False
        if (self.option.cost, self.paid_in) == (other.option.cost, other.paid_in):
            return (self.mean, self.worn) <= (other.mean, other.worn)
        is_cheaper = self.is_free or (self.paid_in == other.paid_in and self.option.cost < other.option.cost)
        return is_cheaper and self.mean <= other.mean and self.worn <= other.worn


def is_another_matter(one: OptionRow, other: OptionRow) -> bool:
    """Whether two rows differ in what no number tells, such as whether somebody dies."""
    return not one.option.leaves and not other.option.leaves and one.option.gains != other.option.gains


class OptionQuestion(NamedTuple):
    """A decision as it is asked, or answered unasked."""

    rows: tuple[OptionRow, ...]
    """The rows that are shown at once."""
    behind: tuple[OptionRow, ...]
    """Those that are worse, shown when they are asked for."""
    usual: OptionRow
    """The row that Enter takes, and that is taken unasked."""
    is_asked: bool = True
    is_whole: bool = False
    """Whether all options are asked for, whatever the crisis is set to."""
    kind: str = ""
    """What it is about: what is paid, the roll that is to be saved, or what is withstood; empty for a reaction."""
    holds: str = ""
    """For which later decisions the answer holds; of one that is taken unasked, by which earlier answer."""
    dying: str = ""
    """Whose death a roll may decide; empty for nobody's."""
    left_out: str = ""
    """Of one that is not asked as it does not matter: what could have been bought, in words."""

    def answered(self, option: Alternative, is_always: bool) -> Decided:
        """What the player answers, with the later decisions for which it holds. What does not come back is spent again
        only where the player says so."""
        lasts = option.spends and not option.leaves
        return Decided(option, holds=ALWAYS + self.kind if is_always else "" if lasts else self.holds)


def question(
    session: Session,
    who: str,
    options: Sequence[Alternative],
    desk: Desk,
    action: Intent,
    rolls: Sequence[Throw] = (),
    so_far: Iterable[RecordedChoice] = (),
) -> OptionQuestion:
    """What a fighter is asked about options in the course of an action, by what the crisis is set to, by the rolls and
    by the choices made `so_far` in the action.

    An option whose whole law is that of the first is dropped. Of those with one price the best stands, and none that is
    worse and dearer. With `few` an option has to matter, nothing is spent before the first turn, and what the fighter's
    own action takes more of is asked once; so is whether a roll of one kind is left as it fell, unless a death may
    follow.
    """
    rows = whole(options, desk.caches.odds_table).rows
    scene, system = session.scene, session.system
    done = session.done
    setting = setting_for(done, who, desk.questions)
    rows = tuple(row for row in rows if row is rows[0] or not is_like(row, rows[0]))
    standing = tuple(row for at, row in enumerate(rows) if not _is_beaten(at, rows))
    usual = next((row for row in standing if row.is_free), rows[0])
    roll = rolls[-1] if rolls and usual.saves else None
    dying = next(filter(None, (_dying(session, name) for name in (who, *action.targets))), "") if roll else ""
    cause = roll.about.get("cause", "") if roll else ""
    own = next((row.paid_in for row in rows if row.option.leaves and not row.is_free), "")
    kind = own or ("death" if dying else cause or (roll.what if roll else ""))
    asked = OptionQuestion(standing, tuple(row for row in rows if row not in standing), usual, kind=kind)
    if setting == FEW and not dying and not cause:
        asked = asked._replace(holds=kind)
    if (earlier := _earlier(done, who, asked, so_far)) is not None:
        return asked._replace(usual=_repeated(earlier, rows, standing), is_asked=False, holds=earlier.holds)
    is_asked = len(rows) > 1 and setting == ALL
    fighter = scene.fighters.get(who)
    falls = cache(lambda: life_left(system, scene, fighter) if fighter else 0)
    if setting == FEW and scene.order:
        is_asked = any(_matters(row, usual, falls) for row in standing)
    if is_asked:
        return asked._replace(usual=_sensible(standing, usual, falls, bool(dying)), dying=dying)
    if setting != FEW or not scene.order:
        return asked._replace(is_asked=False, holds="")
    bought = next((row for row in standing if not row.is_free), None)
    return asked._replace(is_asked=False, holds="", left_out=bought.offer if bought else "")


def _dying(session: Session, who: str) -> str:
    """The name of a fighter whom a player plays and who is dying; else empty."""
    fighter = session.scene.fighters.get(who)
    return who if fighter and fighter.player and session.system.fallen(fighter) == "dying" else ""


def _sensible(
    standing: Sequence[OptionRow], usual: OptionRow, falls: Callable[[], int], is_deadly: bool
) -> OptionRow:
    """The row that Enter takes: the best of those whose price comes back with the next turn; of all of them where the
    fighter goes down or dies without, if it helps enough."""
    best = min(standing, key=lambda row: row.mean)
    if not usual.saves and not best.option.leaves and usual.harm and best.harm and falls():
        saved = _at_most(best.harm, falls() - 1) - _at_most(usual.harm, falls() - 1)
    else:
        saved = usual.mean - best.mean if is_deadly else 0.0
    if saved >= LEAST_SAVED:
        return best
    return min((row for row in standing if row is usual or row.comes_back), key=lambda row: row.mean)


def whole(options: Sequence[Alternative], odds_table: OddsTable) -> OptionQuestion:
    """The question about options with a row for each."""
    saves = any((option.spends or option.gains) and not option.leaves for option in options)
    rows = tuple(_row(option, odds_table, saves) for option in options)
    return OptionQuestion(rows, (), rows[0], is_whole=True)


def _row(option: Alternative, odds_table: OddsTable, saves: bool) -> OptionRow:
    try:
        law = odds_table.of(option.rule, *option.args)
    except TooWide:
        return OptionRow(option, None, None, 0.0, 0.0, saves)
    harm = law.of(harmed)
    worn = law.of(lambda answer: getattr(answer, "worn", 0)).mean() if option.wears else 0.0
    return OptionRow(option, law, harm, harm.mean(), worn, saves)


def is_like(row: OptionRow, first: OptionRow) -> bool:
    """Whether all that comes of a row comes of the first one too. A law of bare numbers does not say all."""
    if row.law is None or first.law is None or is_another_matter(row, first):
        return False
    laws = [reduced(one.law.ways, one.law.total) for one in (row, first) if one.law]
    is_whole = all(isinstance(answer, tuple) for law in laws for answer, _ in law)
    return is_whole and laws[0].total == laws[1].total and laws[0].ways == laws[1].ways


def _is_beaten(at: int, rows: Sequence[OptionRow]) -> bool:
    """Whether a row is worse than another that costs no more, or stands behind one that is as good."""
    row = rows[at]
    return any(
        other.is_as_good(row) and (number < at or not row.is_as_good(other))
        for number, other in enumerate(rows)
        if number != at
    )


def _matters(row: OptionRow, usual: OptionRow, falls_after: Callable[[], int]) -> bool:
    """Whether a row differs from the usual one by so much that it is worth a question; `falls_after` gives the points
    of life that the fighter can lose before it falls."""
    if row is usual:
        return False
    mine, theirs = row.harm, usual.harm
    if mine is None or theirs is None or is_another_matter(row, usual):
        return True
    moved = abs(row.mean - usual.mean)
    if row.saves:
        return moved >= LEAST_SAVED
    # What a foe has left may be nothing; of one's own life some has to be left.
    at_stake, most = (usual.mean, 0) if row.option.leaves else (falls_after(), falls_after() - 1)
    down = abs(_at_most(mine, most) - _at_most(theirs, most))
    return moved >= max(LEAST_LIFE, LEAST_SHARE * at_stake) or (at_stake > 0 and down >= LEAST_DOWN)


def _at_most(law: Distribution, most: int) -> float:
    ways, total = law.chance(lambda points: points <= most)
    return ways / total


def life_left(system: System, scene: Scene, fighter: Fighter) -> int:
    """How many points of life a fighter can lose before it falls, that one included; 0 where nothing is known of it."""
    pool = next((pool for pool in fighter.pools if is_life(system, fighter, pool)), "")
    if not pool:
        return 0
    low, high = fighter.limits[pool]
    by = 1 if system.pools[pool].taken else -1
    lost = range(1, (high or 0) - (low or 0) + 1)

    def falls(points: int) -> bool:
        events = shift(scene, fighter.name, pool, by * points)
        return bool(system.fallen(aftermath(system, scene, events)[1].fighters[fighter.name]))

    return bisect_left(lost, True, key=falls) + 1


def _earlier(
    done: Sequence[Entry], who: str, asked: OptionQuestion, so_far: Iterable[RecordedChoice]
) -> RecordedChoice | None:
    """The answer that a fighter's player gave earlier in the fight, and that holds for a question; None for none."""
    rows = (*asked.rows, *asked.behind)
    names = {row.option.name for row in rows}

    def holds(choice: RecordedChoice) -> bool:
        if choice.who != who or not choice.asked or not choice.holds:
            return False
        if choice.holds == ALWAYS + asked.kind:
            return bool(asked.kind) or choice.taken in names
        return choice.holds == asked.holds

    since = reversed(done[last_forgetting(done, who) :])
    choices = chain(reversed([*so_far]), *(reversed(entry.choices) for entry in since))
    return next(filter(holds, choices), None)


def _repeated(earlier: RecordedChoice, rows: Sequence[OptionRow], standing: Sequence[OptionRow]) -> OptionRow:
    """The row of an earlier answer. Where it is not there: the best that costs something, if that one did; a roll is
    left as it fell."""
    names = {row.option.name: row for row in rows}
    if earlier.taken in names or earlier.taken == earlier.offered[0]:
        return names.get(earlier.taken, rows[0])
    return next((row for row in standing if not row.is_free and not row.saves), rows[0])


# Before an action


def worth_weighing(session: Session, request: Respond) -> tuple[Response, ...]:
    """The responses whose odds are looked at, by what the crisis is set to.

    What buys an action is none of them: where a reaction can be bought, the action itself asks for it. With `all` it is
    one where it makes the action of the other impossible, or the target can roll for the action bought.
    """
    setting = setting_for(session.done, request.who)
    system, scene, action, who = session.system, session.scene, request.action, request.who
    if setting == NONE or system.reactions is None:
        return () if setting == NONE else request.options

    def changes_something(response: Response) -> bool:
        if response.inside or setting != ALL:
            return response.inside
        then = after(system, scene, response.intent)
        if not is_allowed(system, then, action):
            return True
        bought = responses(system, then, action, who) if who in action.targets else ()
        return any(
            one.inside and system.actions[one.intent.action].whole_rule is not nothing for one in bought
        )

    return tuple(filter(changes_something, request.options))


def is_worth_asking(session: Session, who: str, usual: ActionOdds | None, odds: ActionOdds | None) -> bool:
    """Whether a response to an action is worth a question, by its odds and those of the action alone: with `few` only
    if it does the side of who responds enough good.

    What was made ready is always asked for: it is gone once it is used.
    """
    done = session.done
    system, scene = session.system, session.scene
    if system.reactions is None or setting_for(done, who) == ALL:
        return True
    (before, fell), (lost, falls) = (
        (losses(system, one), one.down) if one else ({}, {}) for one in (usual, odds)
    )
    for name, fighter in scene.fighters.items():
        good = 1 if fighter.side != scene.fighters[who].side else -1
        moved = good * (lost.get(name, 0.0) - before.get(name, 0.0))
        down = good * (_share(falls.get(name)) - _share(fell.get(name)))
        if moved >= max(LEAST_LIFE, LEAST_SHARE * left(system, fighter)) or down >= LEAST_DOWN:
            return True
    return False


def _share(ways: tuple[int, int] | None) -> float:
    return ways[0] / ways[1] if ways else 0.0
