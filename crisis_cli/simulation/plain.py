"""The plain policy of simulated fights: quick, honest, and a function of the scene alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

from ..ai.movement import needs_no_dice, scene_after, towards
from ..ai.resources import turn_share, with_full_turn
from ..ai.vitality import Vitality
from ..dice.distribution import OddsTable, least_harm
from ..engine.action_odds import effects_of, harm_between
from ..engine.consequences import foreseen, harm_put_off
from ..engine.cost import Payment
from ..engine.geometry import walk
from ..engine.legal_actions import LegalAction, of
from ..engine.scene import Fighter, Intent, Scene
from ..engine.validate import Prepared, prepare
from ..errors import CrisisError, TooWide
from .watched import bare

if TYPE_CHECKING:
    from ..dice.distribution import Distribution
    from ..dice.table import Rule
    from ..engine.events import Event
    from ..engine.system import Action, System

LEAST = 0.0005
"""The least worth of an attack that is worth making: what foes lose less what its own side loses."""
GUESSED = 0.03
"""The worth of an attack whose exact odds take too long, even for each target alone."""
MOST_ANSWERS = 4_096
"""How many answers of the dice an action is weighed by at most; where there are more, such as all the locations that a
cone of shot may hit, it is weighed by the shorter odds for each target alone."""
VITAL, UNBOUNDED = 3, 10
"""How much more a share of a pool counts whose loss defeats a fighter; the size of a pool without a highest value."""
OWN = 1.5
"""How much more harm to one's own side counts."""


class Worth(Protocol):
    """What an action is worth: a number, of which no more is asked than how it compares with others."""

    def __gt__(self, other: Any, /) -> bool: ...

    def __truediv__(self, price: float, /) -> Worth: ...


def _may_aim_at_foes(row: Action) -> bool:
    """Whether an action is done to others, and not to one's own side alone."""
    return row.targets in ("one", "many", "any")


class Plain:
    """Attacks the nearest foe with what harms it most for its price, and else does what lets it attack.

    A fighter takes, of all attacks that it can pay now, the one on the nearest foe with the best expected harm per
    share of a turn; where none on that foe does any harm, the next foe counts. Where it can attack no foe now but
    could if its turn began here, it ends its turn. Otherwise it does the cheapest thing without dice after which it
    can attack, such as reloading, drawing or standing up; or it goes towards the nearest foe. It spends nothing on
    variants of attacks, treats nobody, never flees, and reacts where that means less expected harm. It remembers
    nothing, so that the same scene always gives the same decision.
    """

    def __init__(self, system: System, odds_table: OddsTable | None = None):
        self.system = system
        self.odds_table = odds_table or OddsTable(least_harm)
        self.vitality = Vitality(system)
        self.weights: dict[tuple[str, str], float] = {}
        self.too_wide: set[tuple[Rule, Any]] = set()
        """The rules and dice whose odds have too many answers: to find that out again takes long."""

    def decide(self, scene: Scene, who: str) -> Intent:
        """What a fighter does next in its turn."""
        foes = self.foes(scene, who)
        done = Intent("next", who)
        if not foes:
            return done
        now = self.attack(scene, who, foes)
        if now is not None:
            return now
        if self.could_attack(scene, who, foes):
            return done
        return self.preparation(scene, who, foes) or self.approach(scene, who, foes) or done

    def foes(self, scene: Scene, who: str) -> list[Fighter]:
        """The foes still standing, the nearest first, without positions in the order of the scene."""
        standing = [one for one in scene.foes(who) if self.vitality.is_standing(one)]
        if scene.fighters[who].at is None or len(standing) < 2:
            return standing
        return sorted(standing, key=lambda one: walk(self.system, scene, who, one.name) or 0)

    def attack(self, scene: Scene, who: str, foes: list[Fighter]) -> Intent | None:
        """The attack with the best worth for its price on the first foe that one is worth it on; None if none is."""
        for foe in foes:
            best: Intent | None = None
            most: Worth = 0.0
            for one in self._attacks(scene, who, [foe]):
                worth = self.worth(scene, one.intent)
                if worth > LEAST:
                    value = worth / turn_share(self.system, scene.fighters[who], one)
                    if best is None or value > most:
                        best, most = one.intent, value
            if best is not None:
                return best
        return None

    def could_attack(self, scene: Scene, who: str, foes: list[Fighter]) -> bool:
        """Whether an attack on one of its foes would be worth it if the turn of a fighter began now."""
        fresh = with_full_turn(self.system, scene, who, fresh=True)
        # One is enough: what the others are worth is not worked out, and what they look at decides nothing.
        return any(self.worth(fresh, one.intent) > LEAST for one in self._attacks(fresh, who, foes))

    def _attacks(self, scene: Scene, who: str, foes: list[Fighter]) -> Iterator[LegalAction]:
        """The attacks on some foes that a fighter can pay now, one by one: each is still set up when weighed."""
        names = [foe.name for foe in foes]
        for one in of(self.system, scene, who, lambda intent: intent.target in names, _may_aim_at_foes):
            if one.window == "turn":
                yield one

    def preparation(self, scene: Scene, who: str, foes: list[Fighter]) -> Intent | None:
        """The cheapest action without dice after which a fighter can attack, now or in its next turn."""
        ways = sorted(
            self._simple(scene, who), key=lambda one: turn_share(self.system, scene.fighters[who], one)
        )
        for one in ways:
            after = scene_after(self.system, scene, one.intent)
            if after is not None and self.could_attack(after, who, foes):
                return one.intent
        return None

    def _simple(self, scene: Scene, who: str) -> Iterator[LegalAction]:
        """The legal actions of a fighter that need no dice, and aim at nobody."""
        for one in of(self.system, scene, who, lambda intent: not intent.targets):
            row = self.system.actions[one.intent.action]
            if one.window == "turn" and row.ai and needs_no_dice(self.system, scene, one.intent):
                yield one

    def approach(self, scene: Scene, who: str, foes: list[Fighter]) -> Intent | None:
        """The move that leads nearest to the nearest foe; None where none does."""
        there = foes[0].at
        if scene.fighters[who].at is None or there is None:
            return None
        found: list[tuple[int, int, Intent]] = []
        for one in self._simple(scene, who):
            if "to" not in self.system.actions[one.intent.action].options:
                continue
            step = towards(self.system, scene, one.intent, there)
            if step is not None:
                found.append((scene.way(step.options["to"], there, self.system.distance), len(found), step))
        return min(found)[2] if found else None

    def worth(self, scene: Scene, intent: Intent) -> Worth:
        """What foes of the actor lose by an action less what its own side loses, on average."""
        try:
            prepared = prepare(self.system, scene, intent)
        except CrisisError:
            return 0.0
        return 0.0 if prepared.payment.of else self.value(prepared.begun(scene), intent, prepared)

    def value(self, begun: Scene, intent: Intent, prepared: Prepared) -> Worth:
        """What a prepared action is worth in the scene with its costs paid."""
        law = self.law_of(prepared.rule, prepared.dice)
        if law is None:
            return self.value_by_target(begun, intent, prepared.row)
        return self._by_law(begun, intent, prepared, law)

    def law_of(self, rule: Rule, dice: Any) -> Distribution | None:
        """The odds by which an action is weighed; None where they have too many answers."""
        if (rule, dice) in self.too_wide:
            return None
        with suppress(TooWide):
            law = self.odds_table.of(rule, dice)
            if len(law.ways) <= MOST_ANSWERS:
                return law
        self.too_wide.add((rule, dice))
        return None

    def value_by_target(self, begun: Scene, intent: Intent, row: Action) -> float:
        """What an action is worth in the scene with its costs paid, by its odds for each target alone."""
        try:
            setup = row.setup(begun, intent)
            alone = bare(setup.per_target)
            names = [who for who, _ in alone]
            total = 0.0
            for who, dice in alone:
                prepared = Prepared(row, setup._replace(dice=dice), Payment((), begun))
                law = self.odds_table.of(row.whole_rule, dice)
                counts = [who] if who else [one for one in begun.fighters if one not in names]
                total += self._by_law(begun, intent, prepared, law, counts)
        except CrisisError:
            return GUESSED
        return total if alone else GUESSED

    def _by_law(
        self,
        begun: Scene,
        intent: Intent,
        prepared: Prepared,
        law: Distribution,
        counts: Iterable[str] | None = None,
    ) -> float:
        """What an action is worth by its odds; `counts`: only what these fighters lose by it."""
        total = 0.0
        otherwise = harm_put_off(self.system, begun)[1]
        for effects, ways in effects_of(self.system, begun, intent, prepared, law):
            events, after = foreseen(self.system, begun, effects)
            if counts is not None:
                events = tuple([one for one in events if one.who in counts])
            total += ways * float(self.worth_of(otherwise, after, events, intent.actor))
        return total / law.total

    def worth_of(self, begun: Scene, after: Scene, events: tuple[Event, ...], actor: str) -> float:
        """What events are worth to the side of a fighter who has brought them about."""
        side = begun.fighters[actor].side
        return sum(
            self._lost(begun, after, who, [one for one in events if one.who == who])
            * (-OWN if begun.fighters[who].side == side else 1)
            for who in dict.fromkeys(event.who for event in events)
            if who in after.fighters
        )

    def _lost(self, before: Scene, after: Scene, who: str, events: list[Event]) -> float:
        """What a fighter loses by events: shares of its pools, those that count for its life more, and 1 for defeat."""
        one = before.fighters[who]
        lost = 0.0
        for event in events:
            if event.what in one.limits:
                by = harm_between(self.system, event.what, event.was, event.now)
                if by:
                    lost += self.counted(by, self._weight(one, event.what))
        if self.system.fallen(after.fighters[who]) and not self.system.fallen(one):
            lost += 1
        return lost

    def counted(self, points: int, weight: float) -> float:
        """What so many points of a pool count."""
        return points * weight

    def _weight(self, one: Fighter, pool: str) -> float:
        """What a point of a pool counts."""
        key = one.name, pool
        known = self.weights.get(key)
        if known is None:
            low, high = one.limits.get(pool, (0, None))
            vital = self.system.pools[pool.partition(":")[0]].guards or self.vitality.is_vital(one, pool)
            size = UNBOUNDED if high is None else max(1, high - (low or 0))
            known = self.weights[key] = (VITAL if vital else 1) / size
        return known

    def learn(self, fighters: Iterable[Fighter]) -> None:
        """Work out beforehand what the points of all pools of some fighters count."""
        for one in fighters:
            for pool in one.pools:
                self._weight(one, pool)
