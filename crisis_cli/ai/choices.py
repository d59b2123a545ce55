"""The candidate actions of a fighter that plays automatically, each with its value: attacks, treatment, preparation."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from ..engine.legal_actions import Legal, of, upgrades
from ..engine.record import Entry
from ..engine.scene import Fighter, Intent, Scene
from ..values import NamedTuple
from . import movement, pursuit, resources, targeting
from .doctrine import Doctrine
from .evaluation import OWN_SIDE_WEIGHT, BudgetExceeded, Evaluator
from .positioning import MIN_VALUE, PositionValue, position_value

STEP_THREAT_SHARE = 0.5
"""Weight of a threat avoided by a step: foes catch up a turn later."""
MIN_CHANGE = 0.004
"""Changes of reach or threat smaller than this are ignored."""
RESERVED_BUDGET = 8
"""Evaluations kept in reserve for preparations."""
PROTECTED_WEIGHT = 2.0
"""Weight of treating the fighter it protects."""
DIRECT_KEYS = ("attacks", "treats")
"""Keys of choices that act on others; all other keys are preparations."""


class Choice(NamedTuple):
    """A candidate action with its value, its price, and the reason for it (`key`, `details`)."""

    action: Legal
    value: float
    price: float
    """The share of a turn that it uses up, 0 to 1."""
    key: str
    details: Mapping[str, Any]
    after: Scene
    """The scene after it; if dice decide, the scene with only its costs paid."""
    direct_value: float = 0.0
    """The part of its value that is a lasting effect; the rest is a better position."""

    @property
    def rate(self) -> float:
        """Value per price."""
        return self.value / self.price


class ChoiceFinder:
    """Finds the candidate actions of one fighter and values them by its doctrine."""

    def __init__(self, evaluator: Evaluator, doctrine: Doctrine, who: str, past: Sequence[Entry] = ()):
        self.evaluator = evaluator
        self.system = evaluator.system
        self.doctrine = doctrine
        self.who = who
        self.past = past

    def rate(self, scene: Scene) -> float:
        """Value per price of its best attack, if it had a full turn to pay with."""
        return self.doctrine.weigh.done * self.evaluator.best_attack(scene, self.who, fresh=True).rate

    def protected_fighter(self, scene: Scene) -> Fighter | None:
        """The fighter it protects; None if there is none."""
        return targeting.protected_fighter(self.evaluator, scene, self.who, self.doctrine)

    def candidates(self, scene: Scene) -> list[Legal]:
        """The actions it may legally take in its own turn."""
        found: list[Legal] = self.evaluator.cached(
            "offers",
            scene,
            lambda: [
                one
                for one in of(self.system, scene, self.who)
                if one.window == "turn" and self.system.actions[one.intent.action].ai
            ],
        )
        return found

    def of(self, scene: Scene, stays: bool = False) -> Iterator[Choice]:
        """All choices with a positive value in a scene; with `stays`, without moves."""
        try:
            yield from self._of(scene, stays)
        except BudgetExceeded:
            # The budget is used up: choices not evaluated are left out.
            return

    def _of(self, scene: Scene, stays: bool) -> Iterator[Choice]:
        candidates = self.candidates(scene)
        names = [one.name for one in self.evaluator.foes(scene, self.who)]
        hostile = [one for one in candidates if one.intent.targets and set(one.intent.targets) <= set(names)]
        reached = list(dict.fromkeys(one.intent.target for one in hostile))
        targets = targeting.choose_targets(self.evaluator, scene, self.who, self.doctrine, reached, self.past)
        # The nearest first, in case the budget does not last for all.
        for one in sorted(hostile, key=lambda one: names.index(one.intent.target)):
            if one.intent.target in targets and self.evaluator.left > RESERVED_BUDGET:
                yield from self._attack(scene, one)
        side = scene.fighters[self.who].side
        for one in candidates:
            if one.intent.targets and scene.fighters[one.intent.target].side == side:
                yield from self._treatment(scene, one)
        yield from self._preparations(scene, candidates, targets or names[:1], stays, bool(hostile))

    def _attack(self, scene: Scene, one: Legal) -> Iterator[Choice]:
        result = self.evaluator.action_value(scene, one.intent)
        if result is None:
            return
        value = (
            self.doctrine.weigh.done * result.done
            - OWN_SIDE_WEIGHT * result.own
            - self._consumed_value(scene, one)
        )
        if value > MIN_VALUE:
            about = {
                "chance": _percent(result.chance),
                "harm": _percent(result.done),
                "down": _percent(result.down),
            }
            yield self._direct_choice(scene, one, value, "attacks", about, result.drops)

    def with_best_options(self, scene: Scene, best: Choice) -> Choice:
        """The best variant of a direct choice, with options that improve it (`upgrades`)."""
        evaluate = self._attack if best.key == "attacks" else self._treatment
        found = [best]
        self.evaluator.reset_budget()
        try:
            for one in upgrades(self.system, scene, best.action):
                found += evaluate(scene, one)
        except BudgetExceeded:
            pass
        return max(found, key=lambda one: one.value)

    def _treatment(self, scene: Scene, one: Legal) -> Iterator[Choice]:
        if not self.doctrine.weigh.healed or self.system.actions[one.intent.action].window != "turn":
            return
        result = self.evaluator.action_value(scene, one.intent)
        if result is None or result.given <= 0:
            return
        protected = self.protected_fighter(scene)
        mine = PROTECTED_WEIGHT if protected and protected.name == one.intent.target else 1.0
        value = (
            mine * self.doctrine.weigh.healed * result.given
            - OWN_SIDE_WEIGHT * result.own
            - self._consumed_value(scene, one)
        )
        if value > MIN_VALUE:
            about = {"chance": _percent(result.chance), "gain": _percent(result.given)}
            yield self._direct_choice(scene, one, value, "treats", about, result.drops)

    def _direct_choice(
        self,
        scene: Scene,
        one: Legal,
        value: float,
        key: str,
        about: Mapping[str, Any],
        drops: Collection[str],
    ) -> Choice:
        price = resources.turn_share(self.system, scene.fighters[self.who], one)
        after = movement.scene_after_paying(self.system, scene, one.intent)
        actor = after.fighters[self.who]
        left = actor._replace(held=tuple(thing for thing in actor.held if thing not in drops))
        after = after._replace(fighters={**after.fighters, self.who: left})
        return Choice(one, value, price, key, about, after, value)

    def _consumed_value(self, scene: Scene, one: Legal) -> float:
        """The value of the ammunition and uses that an action consumes."""
        return (
            self.doctrine.weigh.spent
            * resources.consumed_share(self.system, scene.fighters[self.who], one)
            / 10
        )

    # Preparations: weapons, postures, positions

    def _preparations(
        self, scene: Scene, candidates: Sequence[Legal], targets: Sequence[str], stays: bool, can_attack: bool
    ) -> Iterator[Choice]:
        """Actions without dice that improve the fighter's position: for an attack this turn if it can still make
        one, else for the next turn."""
        ready = [one for one in candidates if self._is_certain(scene, one)]
        approach = [scene.fighters[name] for name in targets[:1]]
        retreat_from = [] if self.doctrine.range == "melee" else self.evaluator.foes(scene, self.who)[:1]
        protected = self.protected_fighter(scene)
        approach += [protected] if protected else []
        moves = [one for one in ready if movement.is_move(self.system, scene, one)]
        steps = (
            ()
            if stays
            else movement.possible_moves(
                self.system, scene, moves, approach, retreat_from if self._may_retreat else []
            )
        )
        before, expected_attacks = None, list[Intent]()
        for one in (*(one for one in ready if one not in moves), *steps):
            after = movement.scene_after(self.system, scene, one.intent)
            if after is None or after.turn != scene.turn or self._changes_nothing(scene, after):
                continue
            if can_attack and self._loses_attack(scene, after):
                continue
            if before is None:
                expected_attacks = (
                    self.evaluator.expected_attacks(scene, self.who) if self.doctrine.weigh.suffered else []
                )
                before = position_value(self, scene, targets, expected_attacks, fresh=not can_attack)
            now = position_value(self, after, targets, expected_attacks, before, not can_attack, scene)
            yield self._preparation(scene, one, before, now, after)

    def _loses_attack(self, scene: Scene, after: Scene) -> bool:
        """Whether a step away would cost it its attack."""
        return pursuit.is_farther(
            self.evaluator, scene, after, self.who
        ) and not self.evaluator.possible_attacks(after, self.who)

    def _changes_nothing(self, scene: Scene, after: Scene) -> bool:
        """Whether an action has changed nothing but its costs."""
        one, then = scene.fighters[self.who], after.fighters[self.who]
        spent = {pool: left for pool, left in one.pools.items() if resources.is_spent(self.system, pool)}
        then = then._replace(pools={**then.pools, **spent})
        return {**after.fighters, self.who: then} == scene.fighters

    @property
    def _may_retreat(self) -> bool:
        """Whether its doctrine ever moves away from a foe."""
        return self.doctrine.range in ("far", "near") or self.doctrine.weigh.suffered > 0.2

    def _is_certain(self, scene: Scene, one: Legal) -> bool:
        """Whether an action affects only the fighter itself and needs no dice."""
        row = self.system.actions[one.intent.action]
        mine = set(one.intent.targets) <= {self.who} and not row.ends_turn
        return mine and movement.needs_no_dice(self.system, scene, one.intent)

    def _preparation(
        self, scene: Scene, one: Legal, was: PositionValue, now: PositionValue, after: Scene
    ) -> Choice:
        steps = "to" in one.intent.options
        parts = {
            "readies": _if_noticeable(now.reach - was.reach),
            "covers": _if_noticeable(was.threat - now.threat) * (STEP_THREAT_SHARE if steps else 1.0),
            "moves": now.place - was.place,
        }
        needed = self.evaluator.best_attack(scene, self.who, fresh=True).costs
        price = resources.turn_share(self.system, scene.fighters[self.who], one, needed)
        spent = self._consumed_value(scene, one)
        key = max(parts, key=lambda part: parts[part])
        about: dict[str, Any] = {}
        if key == "covers":
            about = {"was": _percent(was.threat), "now": _percent(now.threat)}
        if key == "readies":
            about = {"was": _percent(was.reach), "now": _percent(now.reach)}
        if steps:
            key, about = self._step_reason(scene, after, key, about)
        return Choice(one, sum(parts.values()) - spent, price, key, about, after, -spent)

    def _step_reason(
        self, scene: Scene, after: Scene, key: str, about: dict[str, Any]
    ) -> tuple[str, dict[str, Any]]:
        """The key and details of the reason for a step: a better place, closer to a foe, out of harm, and others."""
        if key == "readies" and about["was"]:
            return "better-place", about
        gaps = [
            self.evaluator.distance_between(scene, self.who, one.name)
            for one in self.evaluator.foes(scene, self.who)
        ]
        then = [
            self.evaluator.distance_between(after, self.who, one.name)
            for one in self.evaluator.foes(scene, self.who)
        ]
        if min(map(_or_zero, then), default=0) < min(map(_or_zero, gaps), default=0):
            return "closes-in", {}
        if key == "covers":
            return "shuns", about
        return "stays-with" if self.protected_fighter(scene) else "keeps-off", {}


def _if_noticeable(gain: float) -> float:
    """The gain, or 0 if it is too small to count."""
    return gain if abs(gain) > MIN_CHANGE else 0.0


def _percent(share: float) -> int:
    return int(100 * share + 0.5)


def _or_zero(gap: int | None) -> int:
    return 0 if gap is None else gap
