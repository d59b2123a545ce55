"""The coup de grâce (POOL-36)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ...engine.events import Event, change
from ...engine.scene import Intent, Scene
from ...engine.system import Action, Setup, refuse
from .aims import ACCURATE, AIM, RECOIL, SUPPORTED, WALKED
from .arms import mode_of, rounds, weapon_in_use
from .attack import COMMON, manner, prepared, rolled
from .conditions import HELPLESS, worsened
from .deeds import deed
from .guard import wounds_per_hit
from .luck import Hand, repaid, spent
from .pool import critical, criticals, mega
from .rolls import thrown


class Mercy(NamedTuple):
    """All that the dice need to know."""

    hand: Hand
    each: int
    """Wounds of each hit."""


class Finished(NamedTuple):
    """What a coup de grâce came to."""

    success: bool
    total: int
    criticals: int
    wounds: int
    repaid: tuple[str, ...] = ()

    @property
    def counted(self) -> str:
        """What the total is."""
        return "hits"

    @property
    def word(self) -> str:
        """In one word."""
        return "hit" if self.success else "miss"


def stake(scene: Scene, intent: Intent) -> Setup:
    """POOL-36: the attack roll, at somebody unconscious, asleep or dying."""
    target = scene.fighters[intent.target]
    if not any(target.has(one) for one in HELPLESS):
        refuse(
            intent,
            f"{target.name} is neither unconscious nor asleep nor dying",
            "POOL-36",
            "attack instead: crisis attack",
        )
    if target.has("dead"):
        refuse(intent, f"{target.name} is dead already", "POOL-37", final=True)
    name, weapon = weapon_in_use(scene, intent)
    mode = mode_of(intent, name, weapon)
    hand, modifiers, more = rolled(scene, intent, name, weapon, mode)
    costs = (*more, *rounds(scene, intent, name, weapon, mode), *spent(scene, intent))
    each, force = wounds_per_hit(intent, name, weapon)
    return Setup(Mercy(hand, each), (*modifiers, *force), costs, name)


def finish(table: Any, mercy: Mercy) -> Finished:
    """POOL-36: no reaction, cover or protection helps (a reading)."""
    hits, used = thrown(table, "attack", mercy.hand)
    found, many = hits.count, criticals(hits)
    more = table.reveal(critical(hits), many, mega) if many else 0
    return Finished(found > 0, found, many, found * mercy.each + more, used)


def ended(scene: Scene, intent: Intent, mercy: Mercy, outcome: Finished) -> Iterator[Event]:
    """POOL-36: dead, at the level of the successes; the dying are worse by the wounds; a miss wakes a sleeper."""
    name, weapon = weapon_in_use(scene, intent, quietly=True)
    yield from prepared(scene, intent, name, weapon, mode_of(intent, name, weapon))
    yield from repaid(scene, intent, outcome.repaid)
    target = scene.fighters[intent.target]
    if not outcome.success:
        yield from change(scene, intent.target, "condition:asleep", False, "POOL-36")
    elif target.has("dying"):
        yield from worsened(scene, intent.target, outcome.wounds, "POOL-36")
    else:
        yield from change(scene, intent.target, "condition:dead", outcome.total, "POOL-36")


def _offers(scene: Scene, who: str) -> Iterator[Intent]:
    for foe in scene.foes(who):
        if any(foe.has(one) for one in HELPLESS):
            yield Intent("coup-de-grace", who, (foe.name,))


FINISH = deed(
    Action(
        "Kill somebody helpless",
        "POOL-36",
        stake,
        ended,
        finish,
        gear="weapons",
        candidates=_offers,
        targets="one",
        options=(*COMMON, "mode", "massive"),
        outputs=lambda scene, intent, mercy, outcome: manner(scene, intent, outcome),
    ),
    RECOIL, AIM, ACCURATE, SUPPORTED, WALKED,
)  # fmt: skip
