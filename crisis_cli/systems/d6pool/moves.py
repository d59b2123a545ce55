"""Going about, lying low, and the shield held up (POOL-12, POOL-23, POOL-38)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ...engine.events import Event, change
from ...engine.scene import Fighter, Intent, Scene, distance, slug
from ...engine.system import Action, Cost, Setup, refuse
from .aims import ACCURATE, AIM, RECOIL, SUPPORTED, WALKED
from .arms import shield_of
from .deeds import deed
from .guard import RAISED
from .sheet import value_of

WALK, RUN, CRAWL = 1, 5, 1
"""POOL-12: metres beside quickness, of which crawling takes half, rounded up."""
BLOCK = 2
"""POOL-23: actions of holding the shield up, and what it divides metres by."""


def _quickness(fighter: Fighter) -> int:
    return value_of(fighter.sheet, "quickness")[0]


def _walk(fighter: Fighter) -> int:
    return _quickness(fighter) + WALK


def _run(fighter: Fighter) -> int:
    return _quickness(fighter) + RUN


def _crawl(fighter: Fighter) -> int:
    return -(-_quickness(fighter) // 2) + CRAWL


def going(most: Callable[[Fighter], int], hunkered: bool) -> Callable[[Scene, Intent], Setup]:
    """The stake of going on foot: so many metres, standing or hunkered; half of them behind a shield held up."""

    def stake(scene: Scene, intent: Intent) -> Setup:
        fighter, to = scene.fighters[intent.actor], intent.get("to")
        if fighter.has("hunkered") != hunkered:
            hint = (
                "crawl, or get up first" if fighter.has("hunkered") else "get down first: crisis act hunker"
            )
            how = "is hunkered" if fighter.has("hunkered") else "is not hunkered"
            refuse(intent, f"{fighter.name} {how} and cannot {intent.action}", "POOL-12", hint)
        if intent.action == "walk":
            _along(scene, intent, fighter)
        metres = max(0, most(fighter))
        metres = metres // BLOCK if fighter.has("blocking") else metres
        if to is not None and fighter.at is not None and distance(fighter.at, to) > metres:
            far = distance(fighter.at, to)
            refuse(
                intent,
                f"{fighter.name} can {intent.action} {metres} m in one go; that is {far} m away",
                "POOL-12",
                "go part of the way" + (", or run" if intent.action == "walk" else ""),
            )
        return Setup(metres)

    return stake


def _along(scene: Scene, intent: Intent, fighter: Fighter) -> None:
    """POOL-12: walking goes along with another action, once."""
    if fighter.marks.get(WALKED):
        refuse(
            intent, f"{fighter.name} has walked already", "POOL-12", "the next walk goes with the next action"
        )
    if scene.open and fighter.pools["actions"] < 1:
        refuse(intent, f"{fighter.name} has no action left to walk along with", "POOL-12", "run next turn")


def go(scene: Scene, intent: Intent, metres: int, outcome: Any) -> Iterator[Event]:
    """The new position, where one is given."""
    if intent.get("to") is not None:
        yield from change(scene, intent.actor, "at", tuple(intent.get("to")), "POOL-12")
    if intent.action == "walk":
        yield from change(scene, intent.actor, f"mark:{WALKED}", 1, "POOL-12")


def how_far(scene: Scene, intent: Intent, metres: int, outcome: Any) -> Mapping[str, Any]:
    """The metres gone, or how many there could be."""
    here, to = scene.fighters[intent.actor].at, intent.get("to")
    return {"metres": distance(here, to)} if here and to else {"most": metres}


def posture(down: bool) -> Callable[[Scene, Intent], Setup]:
    """The stake of getting down or up; refused where it changes nothing."""

    def stake(scene: Scene, intent: Intent) -> Setup:
        if scene.fighters[intent.actor].has("hunkered") == down:
            how = "hunkered" if down else "standing"
            refuse(intent, f"{intent.actor} is {how} already", "POOL-12", final=True)
        return Setup(down)

    return stake


def pose(scene: Scene, intent: Intent, down: bool, outcome: Any) -> Iterator[Event]:
    """Hunkered, or on one's feet."""
    yield from change(scene, intent.actor, "condition:hunkered", down, "POOL-38")


def block_stake(scene: Scene, intent: Intent) -> Setup:
    """POOL-23: a shield in hand beside a weapon for one hand."""
    fighter = scene.fighters[intent.actor]
    if fighter.has("blocking"):
        refuse(intent, f"{fighter.name} holds the shield up already", "POOL-23", final=True)
    if not shield_of(fighter):
        hint = f"crisis act {slug(fighter.name)} ready shield, beside a weapon for one hand"
        refuse(intent, f"{fighter.name} holds no shield", "POOL-23", hint, final=True)
    return Setup(None)


def block(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterator[Event]:
    """POOL-23: its cover from the next round on, until lowered."""
    yield from change(scene, intent.actor, "condition:blocking", True, "POOL-23")
    yield from change(scene, intent.actor, f"mark:{RAISED}", scene.round + 1, "POOL-23")


def lower_stake(scene: Scene, intent: Intent) -> Setup:
    """POOL-23: a shield that is held up."""
    if not scene.fighters[intent.actor].has("blocking"):
        refuse(intent, f"{intent.actor} does not hold a shield up", "POOL-23", final=True)
    return Setup(None)


def lower(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterator[Event]:
    """POOL-23: for free (a reading)."""
    yield from change(scene, intent.actor, "condition:blocking", False, "POOL-23")
    yield from change(scene, intent.actor, f"mark:{RAISED}", 0, "POOL-23")


def _moving(title: str, most: Callable[[Fighter], int], hunkered: bool = False) -> Action:
    return Action(title, "POOL-12", going(most, hunkered), go, outputs=how_far, options=("to",))


MOVES = {
    "walk": deed(_moving("Walk along with another action", _walk), AIM, ACCURATE, RECOIL, costs=()),
    "run": deed(_moving("Run", _run)),
    "crawl": deed(_moving("Crawl, hunkered", _crawl, hunkered=True)),
    "hunker": deed(Action("Hunker down: cover 6+", "POOL-12", posture(True), pose)),
    "stand-up": deed(Action("Get up", "POOL-12", posture(False), pose)),
    "shield-block": deed(
        Action("Hold the shield up", "POOL-23", block_stake, block), costs=(Cost("actions", BLOCK),)
    ),
    "lower-shield": deed(
        Action("Lower the shield", "POOL-23", lower_stake, lower), AIM, ACCURATE, RECOIL, SUPPORTED, costs=()
    ),
}
