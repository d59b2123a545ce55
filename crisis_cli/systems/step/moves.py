"""Going about, and how one stands (STEP-16, STEP-17)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from ...engine.events import Event, change
from ...engine.record import Modifier
from ...engine.scene import Fighter, Intent, Scene, distance, slug
from ...engine.system import Action, Cost, Setup, refuse
from ...rules.situational import circumstance
from .aims import AIM
from .conditions import idle
from .defence import pace, perception
from .rolls import DIFFICULTY, reached, roll, skilled, succeeds, total

POSED = {"prone": "prone", "kneeling": "kneel"}
"""The actions that bring one into a posture."""
STEALTH = "stealth"
"""The mark of a sneaker's roll: what a search must reach (STEP-16)."""


def walk_stake(most: Callable[[Fighter], int], posture: str = "") -> Callable[[Scene, Intent], Setup]:
    """The stake of going on foot: so many tiles, in one posture."""

    def stake(scene: Scene, intent: Intent) -> Setup:
        fighter = scene.fighters[intent.actor]
        down = "prone" if fighter.has("prone") else "kneeling" if fighter.has("kneeling") else ""
        if down != posture:
            how = f"is {down}" if down else f"is not {posture}"
            on = {
                "prone": "crawl or rise",
                "kneeling": "crouch or rise",
                "": f"first: crisis act {POSED.get(posture)}",
            }
            refuse(intent, f"{fighter.name} {how} and cannot {intent.action}", "STEP-16", on[down])
        return Setup(_far(scene, intent, fighter, most(fighter)))

    return stake


def _far(scene: Scene, intent: Intent, fighter: Fighter, most: int) -> int:
    """How far it may go; refused where that is not as far as it wants to."""
    to = intent.get("to")
    if to is not None and fighter.at is not None and distance(fighter.at, to) > most:
        refuse(
            intent,
            f"{fighter.name} can go {most} tiles in one go; that is {distance(fighter.at, to)} tiles away",
            "STEP-16",
            hint="go part of the way, and on with the next AP",
        )
    return most


def go(scene: Scene, intent: Intent, most: Any, outcome: Any) -> Iterable[Event]:
    """The new position, where one is given; aim is lost (STEP-16)."""
    to = intent.get("to")
    if to is not None:
        yield from change(scene, intent.actor, "at", tuple(to), "STEP-16")
    yield from change(scene, intent.actor, f"mark:{AIM}", 0, "STEP-16")


def how_far(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Mapping[str, Any]:
    """The tiles gone, or how many there could be."""
    here, to = scene.fighters[intent.actor].at, intent.get("to")
    most = stake if isinstance(stake, int) else stake.most
    return {"tiles": distance(here, to)} if here and to else {"most": most}


class Sneak(NamedTuple):
    """What counts for a sneaker."""

    who: str
    sides: int
    bonus: int
    difficulty: int
    noticed: int
    """The highest Perception of those it hides from; 0: nobody is there."""
    most: int


class Sneaked(NamedTuple):
    """What sneaking came to."""

    success: bool
    total: int

    @property
    def word(self) -> str:
        """In one word."""
        return "unseen" if self.success else "seen"


def sneak_stake(scene: Scene, intent: Intent) -> Setup:
    """STEP-16: hidden only; stealth at 4 or better, above the Perception of every foe able to act."""
    fighter = scene.fighters[intent.actor]
    if not fighter.has("hidden"):
        refuse(
            intent,
            f"{fighter.name} is not hidden",
            "STEP-16",
            f"first: crisis act {slug(fighter.name)} hide",
        )
    most = _far(scene, intent, fighter, pace(fighter) // 2)
    sides, modifiers = skilled(fighter, "check", "stealth", "STEP-16")
    modifiers += circumstance(intent, "check")
    watching = [perception(scene, foe.name) for foe in scene.foes(fighter.name) if not idle(foe)[0]]
    noticed = max(watching, default=0)
    modifiers += [Modifier("difficulty", "base", DIFFICULTY, "STEP-16")]
    bonus = total(modifiers, "check")
    return Setup(Sneak(fighter.name, sides, bonus, DIFFICULTY, noticed, most), tuple(modifiers))


def sneak(table: Any, stake: Sneak) -> Sneaked:
    """A rule: the stealth roll; seen below 4, or where somebody's Perception is at or above it."""
    table.label("check", stake.who, f"d{stake.sides}")
    natural = table.ask(roll, stake.sides)
    reach = reached(natural, stake.bonus)
    unseen = succeeds(natural, stake.bonus, max(stake.difficulty, stake.noticed + 1))
    table.result(
        total=reach,
        target=max(stake.difficulty, stake.noticed + 1),
        success=unseen,
        **({} if natural else {"critical_failure": True}),
    )
    return Sneaked(unseen, reach)


def crept(scene: Scene, intent: Intent, stake: Sneak, outcome: Sneaked) -> Iterable[Event]:
    """Gone so far, still hidden or not; what a search must reach from now on (STEP-16)."""
    yield from go(scene, intent, stake.most, outcome)
    yield from change(scene, intent.actor, "condition:hidden", outcome.success, "STEP-16")
    yield from change(
        scene, intent.actor, f"mark:{STEALTH}", outcome.total if outcome.success else 0, "STEP-16"
    )


POSTURES = {
    ("", "kneel"): ("kneeling", 1),
    ("prone", "kneel"): ("kneeling", 1),
    ("", "prone"): ("prone", 2),
    ("kneeling", "prone"): ("prone", 1),
    ("kneeling", "rise"): ("", 1),
    ("prone", "rise"): ("", 2),
}
"""STEP-16: from a posture by an action to another, and the AP it takes."""


def posture_stake(scene: Scene, intent: Intent) -> Setup:
    """STEP-16: kneeling, lying down, rising; refused where it changes nothing."""
    fighter = scene.fighters[intent.actor]
    now = "prone" if fighter.has("prone") else "kneeling" if fighter.has("kneeling") else ""
    if (now, intent.action) not in POSTURES:
        refuse(intent, f"{fighter.name} is {now or 'standing'} already", "STEP-16", final=True)
    posture, ap = POSTURES[now, intent.action]
    return Setup(posture, (), (Cost("ap", ap, rule="STEP-16"),))


def pose(scene: Scene, intent: Intent, posture: str, outcome: Any) -> Iterable[Event]:
    """The one posture and not the other."""
    for one in ("prone", "kneeling"):
        yield from change(scene, intent.actor, f"condition:{one}", one == posture, "STEP-16")


def _walking(title: str, ap: int, most: Callable[[Fighter], int], posture: str = "") -> Action:
    return Action(
        title,
        "STEP-16",
        walk_stake(most, posture),
        go,
        costs=(Cost("ap", ap),),
        outputs=how_far,
        options=("to",),
    )


MOVES = {
    "move": _walking("Move up to Pace", 1, pace),
    "run": _walking("Run up to twice Pace", 2, lambda one: 2 * pace(one)),
    "crawl": _walking("Crawl a tile, prone", 1, lambda one: 1, "prone"),
    "crouch": _walking("Move up to half Pace, kneeling", 1, lambda one: pace(one) // 2, "kneeling"),
    "sneak": Action(
        "Move unseen up to half Pace",
        "STEP-16",
        sneak_stake,
        crept,
        sneak,
        costs=(Cost("ap", 1),),
        outputs=how_far,
        options=("to",),
    ),
    "kneel": Action("Kneel", "STEP-16", posture_stake, pose),
    "prone": Action("Lie down", "STEP-16", posture_stake, pose),
    "rise": Action("Stand up", "STEP-16", posture_stake, pose),
}
