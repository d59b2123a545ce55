"""Everything worth a thought: attacks, treatment, and what leaves a fighter better placed, each with its worth."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..engine.legal_actions import Legal, of, upgrades
from ..engine.record import Entry
from ..engine.scene import Fighter, Intent, Scene
from . import movement, pursuit, resources, targeting
from .doctrine import Doctrine
from .evaluation import OWN, BudgetExceeded, Evaluator
from .positioning import LEAST, PositionValue, standing

FLEETING = 0.5
"""What is feared less after a step counts for so much: foes are there a turn later."""
SLIGHT = 0.004
"""No posture, weapon or place is worth a thought for less than this."""
RESERVED = 8
"""So many situations are kept to be weighed for what makes ready."""
WARD = 2.0
"""How much more the wounds of whom one protects count."""
DEEDS = ("attacks", "treats")
"""The keys of what is done to others; the rest makes ready."""


class Choice(NamedTuple):
    """Something that could be done, and what speaks for it."""

    one: Legal
    value: float
    price: float
    """The share of a turn's means that it takes."""
    key: str
    about: Mapping[str, Any]
    after: Scene
    """The scene after it; where dice decide that, as if it were paid for and nothing had come of it."""
    deed: float = 0.0
    """The part of its value that is done and stays; the rest says how well its owner is placed then."""

    @property
    def rate(self) -> float:
        """What it is worth for its price."""
        return self.value / self.price


class Choices:
    """What one fighter could do, by its doctrine."""

    def __init__(self, scales: Evaluator, doctrine: Doctrine, who: str, past: Sequence[Entry] = ()):
        self.scales = scales
        self.system = scales.system
        self.doctrine = doctrine
        self.who = who
        self.past = past

    def rate(self, scene: Scene) -> float:
        """What its best attack is worth for its price, had it everything to pay with."""
        return self.doctrine.weigh.done * self.scales.prospect(scene, self.who, fresh=True).rate

    def ward(self, scene: Scene) -> Fighter | None:
        """Whom it protects."""
        return targeting.ward(self.scales, scene, self.who, self.doctrine)

    def candidates(self, scene: Scene) -> list[Legal]:
        """What it may do in its own turn."""
        found: list[Legal] = self.scales.once(
            "offers",
            scene,
            lambda: [
                one
                for one in of(self.system, scene, self.who)
                if one.window == "turn" and self.system.actions[one.intent.action].ai
            ],
        )
        return found

    def of(self, scene: Scene, staying: bool = False) -> Iterator[Choice]:
        """Everything worth a thought in a scene; of one who stays where it is without any way to go."""
        try:
            yield from self._of(scene, staying)
        except BudgetExceeded:
            # What is not known is not taken for good.
            return

    def _of(self, scene: Scene, staying: bool) -> Iterator[Choice]:
        candidates = self.candidates(scene)
        names = [one.name for one in self.scales.foes(scene, self.who)]
        hostile = [one for one in candidates if one.intent.targets and set(one.intent.targets) <= set(names)]
        reached = list(dict.fromkeys(one.intent.target for one in hostile))
        wanted = targeting.aimed(self.scales, scene, self.who, self.doctrine, reached, self.past)
        # The nearest first: they count most where there are too many to look at.
        for one in sorted(hostile, key=lambda one: names.index(one.intent.target)):
            if one.intent.target in wanted and self.scales.left > RESERVED:
                yield from self._attack(scene, one)
        side = scene.fighters[self.who].side
        for one in candidates:
            if one.intent.targets and scene.fighters[one.intent.target].side == side:
                yield from self._treatment(scene, one)
        yield from self._preparations(scene, candidates, wanted or names[:1], staying, bool(hostile))

    def _attack(self, scene: Scene, one: Legal) -> Iterator[Choice]:
        worth = self.scales.worth(scene, one.intent)
        if worth is None:
            return
        value = self.doctrine.weigh.done * worth.done - OWN * worth.own - self._spent(scene, one)
        if value > LEAST:
            about = {
                "chance": _percent(worth.chance),
                "harm": _percent(worth.done),
                "down": _percent(worth.down),
            }
            yield self._deed(scene, one, value, "attacks", about, worth.drops)

    def refined(self, scene: Scene, best: Choice) -> Choice:
        """The best of a deed and of the finer ways to do it."""
        weighed = self._attack if best.key == "attacks" else self._treatment
        found = [best]
        self.scales.refreshed()
        try:
            for one in upgrades(self.system, scene, best.one):
                found += weighed(scene, one)
        except BudgetExceeded:
            pass
        return max(found, key=lambda one: one.value)

    def _treatment(self, scene: Scene, one: Legal) -> Iterator[Choice]:
        if not self.doctrine.weigh.healed or self.system.actions[one.intent.action].window != "turn":
            return
        worth = self.scales.worth(scene, one.intent)
        if worth is None or worth.given <= 0:
            return
        ward = self.ward(scene)
        mine = WARD if ward and ward.name == one.intent.target else 1.0
        value = mine * self.doctrine.weigh.healed * worth.given - OWN * worth.own - self._spent(scene, one)
        if value > LEAST:
            about = {"chance": _percent(worth.chance), "gain": _percent(worth.given)}
            yield self._deed(scene, one, value, "treats", about, worth.drops)

    def _deed(
        self,
        scene: Scene,
        one: Legal,
        value: float,
        key: str,
        about: Mapping[str, Any],
        drops: Collection[str],
    ) -> Choice:
        price = resources.turn_share(self.system, scene.fighters[self.who], one)
        after = movement.paid(self.system, scene, one.intent)
        actor = after.fighters[self.who]
        left = actor._replace(held=tuple(thing for thing in actor.held if thing not in drops))
        after = after._replace(fighters={**after.fighters, self.who: left})
        return Choice(one, value, price, key, about, after, value)

    def _spent(self, scene: Scene, one: Legal) -> float:
        """What the rounds and uses are worth that an action takes."""
        return self.doctrine.weigh.spent * resources.kept(self.system, scene.fighters[self.who], one) / 10

    # What makes ready: weapons, postures, places

    def _preparations(
        self, scene: Scene, candidates: Sequence[Legal], wanted: Sequence[str], staying: bool, strikes: bool
    ) -> Iterator[Choice]:
        """Actions without dice that leave the fighter better placed than before: for an attack this turn if it can
        still make one, else for the next."""
        ready = [one for one in candidates if self._is_plain(scene, one)]
        goals = [scene.fighters[name] for name in wanted[:1]]
        off = [] if self.doctrine.range == "melee" else self.scales.foes(scene, self.who)[:1]
        ward = self.ward(scene)
        goals += [ward] if ward else []
        going = [one for one in ready if movement.is_way(self.system, scene, one)]
        moves = (
            () if staying else movement.steps(self.system, scene, going, goals, off if self._shuns else [])
        )
        before, fears = None, list[Intent]()
        for one in (*(one for one in ready if one not in going), *moves):
            after = movement.after(self.system, scene, one.intent)
            if after is None or after.turn != scene.turn or self._is_idle(scene, after):
                continue
            if strikes and self._flits(scene, after):
                continue
            if before is None:
                fears = self.scales.fears(scene, self.who) if self.doctrine.weigh.suffered else []
                before = standing(self, scene, wanted, fears, fresh=not strikes)
            now = standing(self, after, wanted, fears, before, not strikes, scene)
            yield self._change(scene, one, before, now, after)

    def _flits(self, scene: Scene, after: Scene) -> bool:
        """Whether it would step off for nothing: it could attack before, and cannot afterwards."""
        return pursuit.farther(self.scales, scene, after, self.who) and not self.scales.attacks(
            after, self.who
        )

    def _is_idle(self, scene: Scene, after: Scene) -> bool:
        """Whether nothing has come of it but what it cost."""
        one, then = scene.fighters[self.who], after.fighters[self.who]
        spent = {pool: left for pool, left in one.pools.items() if resources.is_spent(self.system, pool)}
        then = then._replace(pools={**then.pools, **spent})
        return {**after.fighters, self.who: then} == scene.fighters

    @property
    def _shuns(self) -> bool:
        """Whether it would ever go away from a foe."""
        return self.doctrine.range in ("far", "near") or self.doctrine.weigh.suffered > 0.2

    def _is_plain(self, scene: Scene, one: Legal) -> bool:
        """Whether it is done to nobody else, and no dice decide what comes of it."""
        row = self.system.actions[one.intent.action]
        mine = set(one.intent.targets) <= {self.who} and not row.ends_turn
        return mine and movement.is_sure(self.system, scene, one.intent)

    def _change(
        self, scene: Scene, one: Legal, was: PositionValue, now: PositionValue, after: Scene
    ) -> Choice:
        steps = "to" in one.intent.options
        parts = {
            "readies": _marked(now.reach - was.reach),
            "covers": _marked(was.threat - now.threat) * (FLEETING if steps else 1.0),
            "moves": now.place - was.place,
        }
        needed = self.scales.prospect(scene, self.who, fresh=True).costs
        price = resources.turn_share(self.system, scene.fighters[self.who], one, needed)
        spent = self._spent(scene, one)
        key = max(parts, key=lambda part: parts[part])
        about: dict[str, Any] = {}
        if key == "covers":
            about = {"was": _percent(was.threat), "now": _percent(now.threat)}
        if key == "readies":
            about = {"was": _percent(was.reach), "now": _percent(now.reach)}
        if steps:
            key, about = self._called(scene, after, key, about)
        return Choice(one, sum(parts.values()) - spent, price, key, about, after, -spent)

    def _called(
        self, scene: Scene, after: Scene, key: str, about: dict[str, Any]
    ) -> tuple[str, dict[str, Any]]:
        """What a step is called: to a better place to attack from, towards a foe or the ward, or out of harm."""
        if key == "readies" and about["was"]:
            return "better-place", about
        gaps = [self.scales.apart(scene, self.who, one.name) for one in self.scales.foes(scene, self.who)]
        then = [self.scales.apart(after, self.who, one.name) for one in self.scales.foes(scene, self.who)]
        if min(map(_or_far, then), default=0) < min(map(_or_far, gaps), default=0):
            return "closes-in", {}
        if key == "covers":
            return "shuns", about
        return "stays-with" if self.ward(scene) else "keeps-off", {}


def _marked(gain: float) -> float:
    """A gain or a loss, if it is enough to be noticed."""
    return gain if abs(gain) > SLIGHT else 0.0


def _percent(share: float) -> int:
    return int(100 * share + 0.5)


def _or_far(gap: int | None) -> int:
    return 0 if gap is None else gap
