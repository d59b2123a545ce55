"""A plain mind: it gets up, draws, loads, closes in, and attacks where that promises most."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import CrisisError
from ..play.forecast import forecast
from ..play.legal import Legal, of
from ..play.scene import Intent, Scene
from ..table.odds import Laws

if TYPE_CHECKING:
    from ..systems.system import System

ARM = ("free-weapon", "stand-up", "rise", "reload", "draw", "ready")
"""What it does, in this order, where it cannot attack."""
WAYS = ("move", "walk", "run")
"""How it goes, the cheapest first."""


class Plain:
    """Chooses among what is legal; None ends the turn."""

    def __init__(self, system: System):
        self.system = system
        self.laws = Laws()

    def choose(self, scene: Scene, who: str) -> Intent | None:
        """What to do next, or nothing more this turn."""
        offers = [one for one in of(self.system, scene, who) if one.window == "turn"]
        attacks = [one for one in offers if self._worth_attacking(scene, one)]
        if attacks:
            return max(attacks, key=lambda one: self._harm(scene, one.intent)).intent
        if self._only_tired(scene, who):
            return None
        for action in ARM:
            for one in offers:
                if one.intent.action == action and self._useful(scene, one.intent):
                    return one.intent
        return self._closer(scene, who, offers)

    def _only_tired(self, scene: Scene, who: str) -> bool:
        """Whether it could attack as it stands if only it had more to pay with: then it had better wait."""
        fighter = scene.fighters[who]
        spent = {pool: fighter.full(pool) for pool in fighter.pools if self._is_spent(pool)}
        rested = fighter._replace(pools={**fighter.pools, **spent})
        fresh = scene._replace(fighters={**scene.fighters, who: rested})
        return any(
            self._worth_attacking(fresh, one) for one in of(self.system, fresh, who) if one.window == "turn"
        )

    def _is_spent(self, pool: str) -> bool:
        return self.system.POOLS[pool.partition(":")[0]].spent

    def _worth_attacking(self, scene: Scene, one: Legal) -> bool:
        if one.intent.action not in ("attack", "throw") or not one.intent.targets:
            return False
        fighter, target = scene.fighters[one.intent.actor], scene.fighters[one.intent.target]
        if target.side == fighter.side or self.system.fallen(target):
            return False
        better = [
            name for name in fighter.sheet.get("weapons", {}) if self._loaded(scene, fighter.name, name)
        ]
        return one.intent.get("weapon") != "unarmed" or not better

    def _loaded(self, scene: Scene, who: str, weapon: str) -> bool:
        return scene.fighters[who].pools.get(f"ammo:{weapon}", 1) > 0

    def _useful(self, scene: Scene, intent: Intent) -> bool:
        """Whether arming oneself so leads anywhere: no drawing of empty weapons, no reloading of half full ones."""
        weapon = intent.get("thing", "")
        if intent.action == "reload":
            return (
                not self._loaded(scene, intent.actor, weapon) and weapon in scene.fighters[intent.actor].held
            )
        if intent.action == "ready" and not weapon:
            return False
        if intent.action not in ("draw", "ready"):
            return True
        held = scene.fighters[intent.actor].held
        in_hand = any(self._loaded(scene, intent.actor, one) for one in held)
        return not in_hand and self._loaded(scene, intent.actor, weapon)

    def _harm(self, scene: Scene, intent: Intent) -> float:
        """What an attack takes from its foes on average, less what it takes from its own side; whoever falls
        is counted like a great wound."""
        try:
            told = forecast(self.system, scene, intent, self.laws)
        except CrisisError:
            return 0.0
        side, harm = scene.fighters[intent.actor].side, 0.0
        for who, pools in told.effects.items():
            lost = sum(
                law.mean() if self.system.POOLS[pool].taken else -law.mean()
                for pool, law in pools.items()
                if ":" not in pool and not self._is_spent(pool)
            )
            ways, total = told.down.get(who, (0, 1))
            harm += (lost + 100 * ways / total) * (-1 if scene.fighters[who].side == side else 1)
        return harm

    def _closer(self, scene: Scene, who: str, offers: list[Legal]) -> Intent | None:
        """A step towards the nearest foe, where positions are known and moving is legal."""
        here = scene.fighters[who].at
        foes = [foe for foe in scene.foes(who) if foe.at and not self.system.fallen(foe)]
        ways = [way for way in WAYS if any(one.intent.action == way for one in offers)]
        if here is None or not foes or not ways:
            return None
        foe = min(foes, key=lambda one: scene.distance(who, one.name) or 0)
        assert foe.at is not None
        gap = ((foe.at[0] - here[0]) ** 2 + (foe.at[1] - here[1]) ** 2) ** 0.5
        if gap <= 1:
            return None
        for step in range(int(gap) - 1 or 1, 0, -1):
            to = [round(here[at] + (foe.at[at] - here[at]) * step / gap, 2) for at in (0, 1)]
            for way in ways:
                intent = Intent(way, who, (), {"to": to})
                if self._allowed(scene, intent):
                    return intent
        return None

    def _allowed(self, scene: Scene, intent: Intent) -> bool:
        from ..play.encounter import prepare

        try:
            prepare(self.system, scene, intent)
        except CrisisError:
            return False
        return True
