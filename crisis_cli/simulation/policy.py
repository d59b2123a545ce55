"""The plain policy of simulated fights: quick, honest, and a function of the scene alone."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TYPE_CHECKING, Any

from ..ai.movement import needs_no_dice, scene_after, towards
from ..ai.resources import turn_share, with_full_turn
from ..ai.vitality import UNBOUNDED_SIZE, VITAL_WEIGHT, Vitality
from ..engine.action_odds import harm_between
from ..engine.consequences import aftermath, effects
from ..engine.geometry import walk
from ..engine.legal_actions import allowed, of
from ..engine.scene import Intent
from ..engine.starting import starting_fighter
from ..engine.turn_order import sheet_of
from ..engine.validate import prepare
from ..errors import CrisisError
from ..values import NamedTuple
from .laws import Laws

if TYPE_CHECKING:
    from ..engine.events import Event
    from ..engine.legal_actions import LegalAction
    from ..engine.scene import Fighter, Scene
    from ..engine.system import System
    from ..engine.validate import Prepared

LEAST_WORTH = 0.0005
"""The least worth of an attack that is made."""
OWN_SIDE = 1.5
"""How much more harm to the actor's own side counts."""
NEAREST = 6
"""Of so many foes, the nearest, attacks are weighed."""
FIRST_ROLLS, LEVELS = 60, 5
"""Rolls by which an attack is weighed at the first level where its odds are too wide; each level has twice as many."""
LOOKED_FOR = 3
"""Levels up to which an attack that seems to do no harm is rolled for again."""
CLEARLY = 2.5
"""By how many standard deviations an attack must be worse than the best to be given up at a level."""


Part = Callable[..., Any]
"""Calls a function with arguments to work out a part of a decision, or remembers what it gave: the key comes first."""
Hurt = tuple[tuple[tuple[str, int], ...], ...]
"""For each target the pools that look otherwise than as the fight begins, with what they hold."""


def work_out(key: Hashable, work: Callable[..., Any], *args: Any) -> Any:
    """Work out a part of a decision and remember nothing."""
    return work(*args)


def keys_of(intents: Iterable[Intent]) -> tuple[Hashable, ...]:
    """Intents as a key."""
    return tuple(
        [(one.action, one.actor, one.targets, repr(one.options) if one.options else "") for one in intents]
    )


class AttackWorth:
    """What an attack is worth: by its exact odds, or by the rolls of a level where these are too wide."""

    __slots__ = ("begun", "intent", "means", "policy", "prepared", "rolls", "sums", "worths")

    def __init__(self, policy: PlainPolicy, intent: Intent, prepared: Prepared, hurt: Hurt):
        self.policy, self.intent, self.prepared = policy, intent, prepared
        fighters = dict(policy.opening.fighters)
        for name, pools in zip(intent.targets, hurt, strict=True):
            fighters[name] = fighters[name].with_pools(dict(pools))
        self.begun = policy.opening._replace(turn=intent.actor, fighters=fighters)
        """The fight as it begins, with the targets as hurt as they look."""
        self.means: list[tuple[float, float]] = []
        """By level the mean worth and its standard deviation."""
        self.sums = [0.0, 0.0, 0.0]
        """How many rolls there were, the sum of their worths and that of the squares."""
        self.rolls, self.worths = policy.laws.rolls(prepared.rule, prepared.dice), dict[Hashable, float]()
        law = policy.laws.law(prepared.rule, prepared.dice)
        if law is not None:
            law = law.of(prepared.effect_key)
            worth = sum(
                ways * policy.worth_of_answer(self.begun, intent, prepared, answer) for answer, ways in law
            )
            self.means = [(worth / law.total, 0.0)] * LEVELS

    def at(self, level: int) -> tuple[float, float]:
        """The mean worth by the rolls of a level, and its standard deviation."""
        prepared, sums, worths = self.prepared, self.sums, self.worths
        while len(self.means) <= level:
            rolls = FIRST_ROLLS << len(self.means)
            while sums[0] < rolls:
                answer = prepared.effect_key(self.rolls.at(int(sums[0])))
                if answer not in worths:
                    worths[answer] = self.policy.worth_of_answer(self.begun, self.intent, prepared, answer)
                worth = worths[answer]
                sums[0] += 1
                sums[1] += worth
                sums[2] += worth * worth
            mean = sums[1] / rolls
            self.means.append((mean, (max(0.0, sums[2] / rolls - mean * mean) / rolls) ** 0.5))
        return self.means[level]

    @property
    def is_worth_it(self) -> bool:
        """Whether the attack does foes harm worth naming, by the rolls of the first levels: rare harm takes many."""
        return any(self.at(level)[0] > LEAST_WORTH for level in range(LOOKED_FOR))


class PricedAttack(NamedTuple):
    """An attack that a fighter can make now: its worth, and the share of a turn that it takes."""

    worth: AttackWorth
    price: float
    intent: Intent

    def at(self, level: int) -> tuple[float, float]:
        """The worth for the price by the rolls of a level, and its standard deviation."""
        mean, off = self.worth.at(level)
        return mean / self.price, off / self.price


def best_attack(attacks: list[PricedAttack]) -> Intent:
    """The attack worth most for its price, of those that are not clearly worse the first in the order of the rules."""
    for level in range(LEVELS):
        if len(attacks) == 1:
            break
        values = [attack.at(level) for attack in attacks]
        best, spread = max(values, key=lambda value: value[0])
        attacks = [
            attack
            for attack, (mean, off) in zip(attacks, values, strict=True)
            if mean >= best - CLEARLY * (spread**2 + off**2) ** 0.5
        ]
    return attacks[0].intent


class PlainPolicy:
    """Attacks the nearest foe with what harms it most for its price, and else does what lets it attack.

    A fighter takes, of all attacks that it can pay now, the one on the nearest foe with the best expected harm per
    share of a turn; where none on that foe does any harm, the next foe counts. Where it can attack no foe now but
    could if its turn began here, it ends its turn. Otherwise it does the cheapest thing without dice after which it
    can attack, such as reloading, drawing or standing up; or it goes towards the nearest foe. It spends nothing on
    variants of attacks, treats nobody, never flees, and reacts where that means less expected harm. It sees all
    fighters as `seen` says, and the pools of sides as empty. An attack is weighed once for each role and look of its
    targets, and on all others as the fight begins. So the policy gives the same decision in every scene that looks
    alike, whatever was decided before.
    """

    def __init__(self, system: System, opening: Scene):
        self.system, self.opening = system, opening
        self.laws = Laws()
        self.vitality = Vitality(system)
        self._worths: dict[Hashable, AttackWorth] = {}
        self._weights: dict[tuple[str, str], float] = {}
        self._attacks = [
            (name, row)
            for name, row in system.actions.items()
            if row.window == "turn" and row.targets in ("one", "many", "any")
        ]

    # Seeing

    def seen(self, fighter: Fighter) -> Fighter:
        """A fighter as the policy sees it: all of a pool whose loss defeats while half is left, else a quarter; all of
        its other lasting pools while anything is left; and its things full while half is left."""
        pools = dict(fighter.pools)
        for pool, value in fighter.pools.items():
            kind = self.system.pools.get(pool.partition(":")[0])
            high = fighter.limits.get(pool, (0, None))[1]
            if kind is None or high is None or kind.spent:
                continue
            if kind.gear:
                pools[pool] = high if 2 * value >= high else value
            else:
                pools[pool] = self._look(fighter, pool, value)
        return fighter._replace(pools=pools)

    def _look(self, fighter: Fighter, pool: str, value: int) -> int:
        """What a lasting pool looks like that holds a value."""
        low, high = fighter.limits.get(pool, (0, None))
        is_taken = self.system.pools[pool.partition(":")[0]].counts_up
        if high is None:
            return value
        # What is below 0 is for those who are out of the fight.
        floor = max(0, low or 0)
        size, left = high - floor, high - value if is_taken else value - floor
        if left <= 0:
            return value
        looks_whole = 2 * left >= size or not self.vitality.is_vital(fighter, pool)
        seen = size if looks_whole else max(1, size // 4)
        return high - seen if is_taken else floor + seen

    # Deciding

    def decide(self, scene: Scene, who: str, part: Part = work_out) -> Intent:
        """What a fighter does next in its turn, in a scene as it is seen; `part` works out parts of the decision."""
        foes = self._foes(scene, who)
        done = Intent("next", who)
        if not foes:
            return done
        for intents in self._by_foe(scene, who, foes):
            attack: Intent | None = part(("attack", keys_of(intents)), self._attack, scene, who, intents)
            if attack is not None:
                return attack
        if self._could_attack(scene, who, foes, part):
            return done
        ways: list[LegalAction] = part(("simple", who), self._simple, scene, who)
        for legal in ways:
            if self._could_attack(scene, who, foes, part, legal.intent):
                return legal.intent
        return self._approach(scene, who, foes, ways) or done

    def _foes(self, scene: Scene, who: str) -> list[Fighter]:
        """The foes still standing, the nearest first, without positions in the order of the scene."""
        standing = [foe for foe in scene.foes(who) if self.vitality.is_standing(foe)]
        if scene.fighters[who].at is None or len(standing) < 2:
            return standing
        return sorted(standing, key=lambda foe: walk(self.system, scene, who, foe.name) or 0)

    def _attack(self, scene: Scene, who: str, intents: list[Intent]) -> Intent | None:
        """The best of some attacks; None where none is worth making."""
        attacks: list[PricedAttack] = []
        for intent in intents:
            for legal in allowed(self.system, scene, intent):
                worth = self._worth(scene, intent) if legal.window == "turn" else None
                if worth is not None and worth.is_worth_it:
                    price = turn_share(self.system, scene.fighters[who], legal)
                    attacks.append(PricedAttack(worth, price, intent))
        return best_attack(attacks) if attacks else None

    def _could_attack(
        self, scene: Scene, who: str, foes: list[Fighter], part: Part, first: Intent | None = None
    ) -> bool:
        """Whether an attack on a foe would be worth it if the turn of a fighter began now, or after an action."""
        fresh = self._fresh(scene, who, first)
        done = keys_of([first] if first else [])
        return fresh is not None and any(
            part(("could attack", done, keys_of(intents)), self._is_worth, scene, who, first, intents)
            for intents in self._by_foe(fresh, who, foes)
        )

    def _fresh(self, scene: Scene, who: str, first: Intent | None) -> Scene | None:
        """The scene as if the turn of a fighter began now, or after an action; None where that is not allowed."""
        after = scene_after(self.system, scene, first) if first else scene
        return after and with_full_turn(self.system, after, who, fresh=True)

    def _is_worth(self, scene: Scene, who: str, first: Intent | None, intents: list[Intent]) -> bool:
        """Whether any of some attacks would be worth it if the turn of a fighter began now, or after an action."""
        fresh = self._fresh(scene, who, first)
        worths = (self._worth(fresh, intent) for intent in intents) if fresh else ()
        return any(worth is not None and worth.is_worth_it for worth in worths)

    def _by_foe(self, scene: Scene, who: str, foes: list[Fighter]) -> list[list[Intent]]:
        """The attacks that there may be, those on each of the nearest foes together."""
        by_foe: dict[str, list[Intent]] = {foe.name: [] for foe in foes[:NEAREST]}
        for action, row in self._attacks:
            for intent in row.ai.of(action, scene, who):
                if intent.target in by_foe:
                    by_foe[intent.target].append(intent)
        return [*by_foe.values()]

    def _simple(self, scene: Scene, who: str) -> list[LegalAction]:
        """The legal actions of a fighter that need no dice and aim at nobody else, the cheapest first."""
        ways = [
            legal
            for legal in of(self.system, scene, who, lambda intent: intent.targets in ((), (who,)))
            if legal.window == "turn"
            and self.system.actions[legal.intent.action].ai.considered
            and needs_no_dice(self.system, scene, legal.intent)
        ]
        return sorted(ways, key=lambda legal: turn_share(self.system, scene.fighters[who], legal))

    def _approach(
        self, scene: Scene, who: str, foes: list[Fighter], ways: Iterable[LegalAction]
    ) -> Intent | None:
        """The move that leads nearest to the nearest foe; None where none does."""
        there = foes[0].at
        if scene.fighters[who].at is None or there is None:
            return None
        steps: list[tuple[int, int, Intent]] = []
        for legal in ways:
            if "to" not in self.system.actions[legal.intent.action].options:
                continue
            step = towards(self.system, scene, legal.intent, there)
            if step is not None:
                left = scene.way(step.options["to"], there, self.system.space.distance)
                steps.append((left, len(steps), step))
        return min(steps)[2] if steps else None

    # Weighing

    def _worth(self, scene: Scene, intent: Intent) -> AttackWorth | None:
        """What foes of the actor lose by an action less what its own side loses; None where it is not allowed."""
        try:
            prepared = prepare(self.system, scene, intent)
        except CrisisError:
            return None
        if prepared.payment.of or prepared.interrupted:
            return None
        if len(scene.fighters) > len(self.opening.fighters):
            self._add_newcomers(scene)
        who = (intent.actor, *intent.targets)
        roles = tuple([(sheet_of(name), scene.fighters[name].side) for name in who])
        hurt = tuple([self._hurt(scene.fighters[name]) for name in intent.targets])
        key = intent.action, roles, hurt, prepared.setup.gear, prepared.dice
        return self._worths.get(key) or self._worths.setdefault(
            key, AttackWorth(self, intent, prepared, hurt)
        )

    def _hurt(self, fighter: Fighter) -> tuple[tuple[str, int], ...]:
        """The pools of a fighter whose loss defeats, where they look otherwise than as the fight begins."""
        begun = self.opening.fighters[fighter.name]
        hurt: list[tuple[str, int]] = []
        for pool, whole in begun.pools.items():
            kind = self.system.pools.get(pool.partition(":")[0])
            if kind is not None and not (kind.spent or kind.gear) and self.vitality.is_vital(begun, pool):
                look = self._look(begun, pool, fighter.pools[pool])
                hurt += [(pool, look)] * (look != whole)
        return tuple(hurt)

    def _add_newcomers(self, scene: Scene) -> None:
        """Let those who have come into the fight be weighed as they are fresh from their sheets."""
        fresh = {
            name: starting_fighter(self.system, one.sheet, name=name, side=one.side, player=False)
            for name, one in scene.fighters.items()
            if name not in self.opening.fighters
        }
        self.opening = self.opening._replace(fighters={**self.opening.fighters, **fresh})

    def worth_of_answer(self, begun: Scene, intent: Intent, prepared: Prepared, answer: Any) -> float:
        """The worth of an answer of the dice in a fight as it begins, with its targets as hurt as they look: shares of
        pools, those that count for life more, and 1 for each defeat."""
        total = 0.0
        events = effects(self.system, begun, intent, prepared.row, prepared.setup, answer)
        events, after = aftermath(self.system, begun, events)
        side = begun.fighters[intent.actor].side
        for who in dict.fromkeys(event.who for event in events):
            if who in after.fighters:
                fighter = begun.fighters[who]
                lost = sum(self._lost(fighter, event) for event in events if event.who == who)
                lost += bool(self.system.fallen(after.fighters[who]))
                total += lost * (-OWN_SIDE if fighter.side == side else 1)
        return total

    def _lost(self, fighter: Fighter, event: Event) -> float:
        """What a fighter loses by an event: shares of a pool."""
        if event.what not in fighter.limits:
            return 0.0
        by = harm_between(self.system, event.what, event.was, event.now)
        return by * self._weight(fighter, event.what) if by else 0.0

    def _weight(self, fighter: Fighter, pool: str) -> float:
        """What a point of a pool of a fighter counts."""
        key = fighter.name, pool
        if key not in self._weights:
            low, high = fighter.limits.get(pool, (0, None))
            guards = self.system.pools[pool.partition(":")[0]].takes_harm
            vital = guards or self.vitality.is_vital(fighter, pool)
            size = UNBOUNDED_SIZE if high is None else max(1, high - (low or 0))
            self._weights[key] = (VITAL_WEIGHT if vital else 1) / size
        return self._weights[key]
