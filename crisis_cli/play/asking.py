"""Which questions reach the player, and with which rows: those whose answers make a difference."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

from ..dice.distribution import reduced
from ..dice.option_odds import option_odds
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
from ..engine.wording import singular, with_a
from ..values import NamedTuple

if TYPE_CHECKING:
    from ..dice.distribution import OddsTable
    from ..dice.option_odds import OptionOdds
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
    odds: OptionOdds | None
    """What the option promises; None where that takes too long to work out."""
    saves: bool
    """Whether the decision is about a roll to be saved, or something else that is gained: the harm is 1 without it."""

    @property
    def mean(self) -> float:
        """The harm on average, or what a foe has left; 0 where that is not known."""
        return self.odds.harm if self.odds else 0.0

    @property
    def worn(self) -> float:
        """What else the option uses up on average, such as protection; 0 where that is not known."""
        return self.odds.worn if self.odds else 0.0

    @property
    def is_free(self) -> bool:
        """Whether the option costs nothing."""
        return not self.option.cost

    @property
    def comes_back(self) -> bool:
        """Whether the option is paid in what every turn brings again, and what is lost if it is not used."""
        return bool(self.option.pays) and not self.option.deliberate and not self.option.leaves

    @property
    def price(self) -> str:
        """The price of the option in words; empty for nothing."""
        count, pool = self.option.cost, self.option.spends or self.option.pays
        return pool if count == 1 and not pool.startswith("of ") else f"{count} {pool}" if count else ""

    @property
    def title(self) -> str:
        """The name of the option without what it is paid in: `parry` of `parry-bonus`."""
        paid = self.price.partition(" ")[0].casefold()
        return self.option.name.removesuffix(f"-{paid}") if paid else self.option.name

    @property
    def label(self) -> str:
        """The name of the option and its price: `parry, bonus die`."""
        return self.price if self._is_named_for_price else ", ".join(filter(None, (self.title, self.price)))

    @property
    def offer(self) -> str:
        """The name of the option and its price, as they stand in a sentence: `parry for a bonus die`."""
        price = with_a(self.price) if self.option.cost == 1 else self.price
        return self.price if self._is_named_for_price else f"{self.title} for {price}"

    @property
    def _is_named_for_price(self) -> bool:
        return bool(self.price) and self.price.casefold().startswith(self.title.casefold())

    @property
    def paid_in(self) -> str:
        """What the option is paid in, without a number: `AP`, `round`, `bonus die`."""
        pool = singular(self.option.spends or self.option.pays)
        return pool.split(" ", 2)[2] if pool.startswith("of ") else pool

    def is_as_good(self, other: OptionRow) -> bool:
        """Whether the row is at least as good as another and costs no more; never where they differ in what no number
        tells, such as who dies."""
        if self.odds is None or other.odds is None or is_another_matter(self, other):
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
    """The rows that are worse, shown when the player asks for more."""
    usual: OptionRow
    """The row that Enter takes, and that is taken unasked."""
    is_asked: bool = True
    is_whole: bool = False
    """Whether all options are asked for, whatever the crisis is set to."""
    kind: str = ""
    """What the decision is about: what is paid, the roll to be saved, or what is withstood; empty for a reaction."""
    holds: str = ""
    """The later decisions for which the answer holds; of a decision taken unasked, the answer that it repeats."""
    dying: str = ""
    """The fighter over whose death a roll may decide; empty for nobody."""
    left_out: str = ""
    """Of a decision not asked because it does not matter: what could have been bought, in words."""

    def lasts(self, option: Alternative) -> bool:
        """Whether an answer holds for later decisions, though the player does not say so: what does not come back is
        never spent again unasked."""
        return bool(self.holds) and bool(option.leaves or not option.spends)

    def answered(self, option: Alternative, is_always: bool) -> Decided:
        """The player's answer, with the later decisions for which it holds."""
        usual = self.holds if self.lasts(option) else ""
        return Decided(option, holds=ALWAYS + self.kind if is_always else usual)


def question(
    session: Session,
    who: str,
    options: Sequence[Alternative],
    desk: Desk,
    action: Intent,
    rolls: Sequence[Throw] = (),
    so_far: Iterable[RecordedChoice] = (),
) -> OptionQuestion:
    """The question to a fighter about options in an action, by the setting of the crisis, by the rolls and by the
    choices made `so_far` in the action.

    Options from which the same comes as from the first are dropped. Of options with one price the best stands, and none
    that is worse and dearer. With `few` an option has to matter, nothing is spent before the first turn, and what the
    fighter's own action takes more of is asked once; so is whether a roll of one kind is left as it fell, unless a
    death may follow.
    """
    rows = whole(options, desk.caches.odds_table).rows
    scene, system = session.scene, session.system
    setting = setting_for(session.done, who, desk.questions)
    rows = tuple(row for row in rows if row is rows[0] or not is_like(row, rows[0]))
    standing = tuple(row for at, row in enumerate(rows) if not _is_beaten(at, rows))
    usual = next((row for row in standing if row.is_free), rows[0])
    roll = rolls[-1] if rolls and usual.saves else None
    dying = next((name for name in (who, *action.targets) if _is_dying(session, name)), "") if roll else ""
    cause = roll.about.get("cause", "") if roll else ""
    own = next((row.paid_in for row in rows if row.option.leaves and not row.is_free), "")
    kind = own or ("death" if dying else cause or (roll.what if roll else ""))
    asked = OptionQuestion(standing, tuple(row for row in rows if row not in standing), usual, kind=kind)
    is_fateful = any(is_another_matter(row, usual) for row in rows)
    if setting == FEW and not dying and not cause and not is_fateful:
        asked = asked._replace(holds=kind)
    if (earlier := _earlier(session.done, who, asked, so_far)) is not None:
        return asked._replace(usual=_repeated(earlier, rows, standing), is_asked=False, holds=earlier.holds)
    is_weighed = setting == FEW and bool(scene.order)
    fighter = scene.fighters.get(who)
    falls = cache(lambda: life_left(system, scene, fighter) if fighter else 0)
    is_asked = is_weighed and any(_matters(row, usual, falls) for row in standing)
    if is_asked or (setting == ALL and len(rows) > 1):
        return asked._replace(usual=_sensible(standing, usual, falls, bool(dying)), dying=dying)
    left_out = next((row.offer for row in standing if is_weighed and not row.is_free), "")
    return asked._replace(is_asked=False, holds="", left_out=left_out)


def _is_dying(session: Session, who: str) -> bool:
    """Whether a fighter whom a player plays is dying."""
    fighter = session.scene.fighters.get(who)
    return fighter is not None and fighter.player and session.system.fallen(fighter) == "dying"


def _sensible(
    standing: Sequence[OptionRow], usual: OptionRow, falls: Callable[[], int], is_deadly: bool
) -> OptionRow:
    """The row that Enter takes: the best of those whose price comes back with the next turn; of all rows where
    that helps enough against going down or dying."""
    best = min(standing, key=lambda row: row.mean)
    if usual.saves or best.option.leaves or not falls():
        saved = usual.mean - best.mean if is_deadly else 0.0
    else:
        saved = _at_most(best, falls() - 1) - _at_most(usual, falls() - 1)
    if saved >= LEAST_SAVED:
        return best
    return min((row for row in standing if row is usual or row.comes_back), key=lambda row: row.mean)


def whole(options: Sequence[Alternative], odds_table: OddsTable) -> OptionQuestion:
    """The question about options with a row for each."""
    saves = any((option.spends or option.gains) and not option.leaves for option in options)
    rows = tuple(OptionRow(option, option_odds(option, odds_table), saves) for option in options)
    return OptionQuestion(rows, (), rows[0], is_whole=True)


def is_like(row: OptionRow, first: OptionRow) -> bool:
    """Whether a row and the first have the same answers with the same chances; never where answers are bare numbers,
    which do not say all."""
    if row.odds is None or first.odds is None or is_another_matter(row, first):
        return False
    laws = [reduced(odds.answers.ways, odds.answers.total) for odds in (row.odds, first.odds)]
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
    if row.odds is None or usual.odds is None or is_another_matter(row, usual):
        return True
    moved = abs(row.mean - usual.mean)
    if row.saves:
        return moved >= LEAST_SAVED
    # What a foe has left may be nothing; of one's own life some has to be left.
    at_stake, most = (usual.mean, 0) if row.option.leaves else (falls_after(), falls_after() - 1)
    down = abs(_at_most(row, most) - _at_most(usual, most))
    return moved >= max(LEAST_LIFE, LEAST_SHARE * at_stake) or (at_stake > 0 and down >= LEAST_DOWN)


def _at_most(row: OptionRow, most: int) -> float:
    """The chance of so much harm at most; 0 where it is not known."""
    ways, total = row.odds.harms.chance(lambda points: points <= most) if row.odds else (0, 1)
    return ways / total


def life_left(system: System, scene: Scene, fighter: Fighter) -> int:
    """How many points of life a fighter can lose before it falls, that one included; 0 where nothing is known of it."""
    pool = next((pool for pool in fighter.pools if is_life(system, fighter, pool)), "")
    if not pool:
        return 0
    low, high = fighter.limits[pool]
    by = 1 if system.pools[pool].counts_up else -1
    lost = range(1, (high or 0) - (low or 0) + 1)

    def falls(points: int) -> bool:
        events = shift(scene, fighter.name, pool, by * points)
        return bool(system.fallen(aftermath(system, scene, events)[1].fighters[fighter.name]))

    return bisect_left(lost, True, key=falls) + 1


def _earlier(
    done: Sequence[Entry], who: str, asked: OptionQuestion, so_far: Iterable[RecordedChoice]
) -> RecordedChoice | None:
    """The earlier answer of a fighter's player that holds for a question; None for none."""
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
    """The row of an earlier answer; where there is none now, the best that costs something, or of a roll the first."""
    names = {row.option.name: row for row in rows}
    if earlier.taken in names or earlier.taken == earlier.offered[0]:
        return names.get(earlier.taken, rows[0])
    return next((row for row in standing if not row.is_free and not row.saves), rows[0])


# Before an action


def worth_weighing(session: Session, request: Respond) -> tuple[Response, ...]:
    """The responses whose odds are worth a look, by the setting of the crisis.

    What buys an action is none: where a reaction can be bought, the action itself asks for it. With `all` it is one
    where it makes the other's action impossible, or the target can roll for the action bought.
    """
    setting = setting_for(session.done, request.who)
    system, scene, action, who = session.system, session.scene, request.action, request.who
    if setting == NONE:
        return ()
    if system.reactions is None:
        return request.options

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
    """Whether a response is worth a question, by its odds and those without it: with `few` only if it does the side of
    `who` enough good. What was made ready is always asked for: it is gone once it is used."""
    system, scene = session.system, session.scene
    if system.reactions is None or setting_for(session.done, who) == ALL:
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
